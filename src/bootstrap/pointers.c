/*
 * bootstrap/pointers.c - find the pointers in a command's parameters, with the memory that the driver copies
 * for each, and the file descriptors in the parameters of any ioctl, with the kind of file that each refers
 * to
 *
 * The facts are the rules "pointers" and "fds" of the driver (docs/profile.md). scripts/check-pointers
 * compares them with the driver's source. The driver copies in two ways:
 *
 *   acquired    rmapiParamsAcquire() of param_copy.c copies the memory, up to a limit. It rejects NULL if the
 *               count is not 0, and a pointer if the count is 0.
 *   converted   In some versions, the list of a deprecated command is copied into the record of the newer
 *               command. The rules give it the limit of rmapiParamsAcquire() in all versions. The driver does
 *               not read the pointer if the count is 0.
 *
 * If a handler needs a fact that no rule states, the fact is listed for the author of the handler.
 */
#include "bootstrap/internal.h"
#include "flatten/flatten.h"

const char *bootstrap_open_name(enum bootstrap_open what)
{
	static const char *const names[] = { "condition", "product", "limit", "field", "objects", "version" };

	return names[what];
}

/* The search of one entry's parameters; the results are added to @entry. */
struct pointer_search {
	struct boot *boot;
	const struct abi *abi;
	const struct abi_ioctl *ioctl;
	const struct abi_layout *layout;
	struct bootstrap_entry *entry;
};

/* Adds an open question to the entry, for the author of its handler. */
static void add_unknown(struct pointer_search *search, enum bootstrap_open what, const char *text)
{
	struct bootstrap_entry *entry = search->entry;
	struct bootstrap_unknown *unknown =
		arena_room(search->boot->arena, entry->unknown, entry->unknown_count, sizeof(*unknown));

	unknown[entry->unknown_count++] = (struct bootstrap_unknown){ what, text };
	entry->unknown = unknown;
}

static bool lacks_field(const struct abi_layout *layout, const char *path)
{
	return path && !abi_find_scalar(layout, path);
}

/* Checks whether the rule is for the record, ioctl and version, and all fields that it names exist. */
static bool rule_is_of(const struct pointer_rule *rule, const struct pointer_search *search)
{
	const struct abi_layout *layout = search->layout;

	return !strcmp(rule->record, layout->record) &&
	       (!rule->ioctl || (search->ioctl && !strcmp(rule->ioctl, search->ioctl->name))) &&
	       use_holds_in(rule->versions, rule->version_count, search->abi->version) &&
	       !lacks_field(layout, rule->path) && !lacks_field(layout, rule->count) &&
	       !lacks_field(layout, rule->times) && !lacks_field(layout, rule->when);
}

/*
 * Sets element_bytes of @out, and lists the fields in the memory to which the pointer points that may have
 * to be translated as well. Return: 0; an error of abi_resolve_type() or flatten_record().
 */
static int examine_element(struct pointer_search *search, struct bootstrap_pointer *out)
{
	struct arena *arena = search->boot->arena;
	struct abi_layout layout;
	struct abi_type type;
	int rc;

	if ((rc = abi_resolve_type(&type, search->abi, out->element, search->boot->err)))
		return rc;
	out->element_bytes = type.element_bytes * type.count;
	if (!type.record)
		return 0;
	if ((rc = flatten_record(&layout, search->abi, type.record->name, arena, search->boot->err)))
		return rc;
	for (size_t i = 0; i < layout.scalar_count; i++) {
		const struct abi_scalar *scalar = &layout.scalar[i];

		if (layouts_is_translated(scalar))
			add_unknown(search, BOOTSTRAP_OPEN_FIELD,
				    arena_printf(arena, "in the memory at %s (%s), %s", out->path, out->element,
						 layouts_translated_text(scalar, arena)));
		else if (scalar->role == ABI_ROLE_HANDLE)
			add_unknown(
				search, BOOTSTRAP_OPEN_OBJECTS,
				arena_printf(
					arena,
					"in the memory at %s, %s is the handle of an object that the proxy may have to track",
					out->path, scalar->path));
	}
	return 0;
}

/*
 * Lists what the rule does not decide for a pointer: when it is followed, how many elements it has, and
 * their limit.
 */
static void list_conditions(struct pointer_search *search, const struct pointer_rule *rule,
			    const struct bootstrap_pointer *found)
{
	struct arena *arena = search->boot->arena;

	if (rule->when)
		add_unknown(search, BOOTSTRAP_OPEN_CONDITION,
			    arena_printf(arena, "%s is followed only if %s is %" PRIu64 " (%s)", rule->path,
					 rule->when, rule->equals, rule->evidence));
	if (rule->times)
		add_unknown(search, BOOTSTRAP_OPEN_PRODUCT,
			    arena_printf(arena, "%s has %s times %s elements, and may be NULL (%s)",
					 rule->path, rule->count, rule->times, rule->evidence));
	/* A deprecated command does not use rmapiParamsAcquire(), but has separate code. */
	if (!found->limit_bytes && abi_ioctl_has_flag(search->ioctl, ABI_FLAG_DEPRECATED))
		add_unknown(search, BOOTSTRAP_OPEN_CONDITION,
			    arena_printf(
				    arena,
				    "no rule says what the driver does with NULL or an empty list at %s (%s)",
				    rule->path, rule->evidence));
	else if (!found->limit_bytes && rule->count)
		add_unknown(search, BOOTSTRAP_OPEN_LIMIT,
			    arena_printf(arena,
					 "the driver does not limit the size of the memory at %s (%s)",
					 rule->path, rule->evidence));
}

/* Adds the pointer of @rule, and what is unknown about it. Return: 0; the error of examine_element(). */
static int add_pointer(struct pointer_search *search, const struct pointer_rule *rule)
{
	const struct abi_scalar *pointer = abi_find_scalar(search->layout, rule->path);
	const struct abi_scalar *count = rule->count ? abi_find_scalar(search->layout, rule->count) : NULL;
	struct bootstrap_entry *entry = search->entry;
	struct bootstrap_pointer *pointers, one = {
		.path = rule->path,
		.offset_bytes = pointer->offset_bits / 8,
		.count = rule->count,
		.count_offset_bytes = count ? count->offset_bits / 8 : 0,
		.count_bytes = count ? count->size_bits / 8 : 0,
		.element = rule->element,
		.direction = rule->direction,
		.limit_bytes = rule->limit_bytes,
		.empty_is_refused = !rule->converted, /* the two ways of copying differ in this */
		.evidence = rule->evidence,
	};
	int rc;

	if ((rc = examine_element(search, &one)))
		return rc;
	list_conditions(search, rule, &one);
	entry->pointers = pointers =
		arena_room(search->boot->arena, entry->pointers, entry->pointer_count, sizeof(*pointers));
	pointers[entry->pointer_count++] = one;
	return 0;
}

/* Checks whether the entry already lists the field @path as an fd or a pointer. */
static bool is_listed_field(const struct bootstrap_entry *entry, const char *path)
{
	for (size_t i = 0; i < entry->fd_count; i++)
		if (!strcmp(entry->fds[i].rule->path, path))
			return true;
	for (size_t i = 0; i < entry->pointer_count; i++)
		if (!strcmp(entry->pointers[i].path, path))
			return true;
	return false;
}

/* Adds the other questions: fields without a rule, @objects, and rules not checked for this version. */
static void list_other_unknowns(struct pointer_search *search, const char *objects)
{
	const char *until = search->boot->options->use->read_until;
	struct arena *arena = search->boot->arena;

	for (size_t i = 0; i < search->layout->scalar_count; i++) {
		const struct abi_scalar *scalar = &search->layout->scalar[i];

		if (layouts_is_translated(scalar) && !is_listed_field(search->entry, scalar->path))
			add_unknown(search, BOOTSTRAP_OPEN_FIELD, layouts_translated_text(scalar, arena));
	}
	if (objects)
		add_unknown(search, BOOTSTRAP_OPEN_OBJECTS, objects);
	if (!until || abi_version_compare(search->abi->version, until) > 0)
		add_unknown(
			search, BOOTSTRAP_OPEN_VERSION,
			arena_printf(
				arena,
				"the rules about copied memory were checked against the driver's source up to %s, not %s: "
				"scripts/check-pointers --repo DIR %s",
				until ? until : "no version", search->abi->version, search->abi->version));
}

int pointers_find(struct boot *boot, struct bootstrap_entry *entry, const struct abi *abi,
		  const struct abi_ioctl *ioctl, const char *objects)
{
	const struct use_rules *use = boot->options->use;
	struct pointer_search search = { .boot = boot, .abi = abi, .ioctl = ioctl, .entry = entry };
	const bool is_command =
		!strcmp(entry->now->family, "control"); /* handlers for pointers are generated only for
							   commands */
	struct resolved_struct record;
	int rc;

	if (!use || !entry->now->struct_count)
		return 0;
	if ((rc = resolve_layout(&record, abi, entry->now->structs[0].driver, boot->arena, boot->err)) ||
	    !record.has_layout)
		return rc;
	search.layout = &record.layout;
	for (size_t i = 0; i < use->pointers.count && !rc && is_command; i++)
		if (rule_is_of(&use->pointers.rules[i], &search))
			rc = add_pointer(&search, &use->pointers.rules[i]);
	for (size_t i = 0; i < use->fd_count && !rc && !entry->pointer_count; i++) {
		const struct fd_rule *rule = &use->fds[i];
		const struct abi_scalar *scalar;
		struct bootstrap_fd *fds;

		if (strcmp(rule->record, record.layout.record) ||
		    !(scalar = abi_find_scalar(&record.layout, rule->path)))
			continue;
		entry->fds = fds = arena_room(boot->arena, entry->fds, entry->fd_count, sizeof(*fds));
		fds[entry->fd_count++] =
			(struct bootstrap_fd){ rule, scalar->offset_bits / 8, scalar->size_bits / 8 };
	}
	if (!rc && (entry->pointer_count || entry->fd_count))
		list_other_unknowns(&search, objects);
	return rc;
}
