/*
 * diff/proxied.c - find what the proxy does with each changed item, according to its table, and the resulting
 * work
 *
 * 1. An entry concerns an ioctl if the family is equal, and also the name, the driver's constant or the
 *    number. The number counts because a proxy must know if a number was given to a different ioctl. An entry
 *    concerns a record if it names the record, or if an ioctl of the entry carries the record. An ioctl that
 *    the table passes through by number is forwarded without an entry.
 * 2. The structs that the table's entries name are read or unread. So is every record and enum inside them,
 *    because the proxy reads or forwards its bytes. A record inside both kinds of structs is read. This is
 *    done for both versions.
 * 3. A change has the stronger of the uses in the two versions. If the item has no use in either version, as
 *    the new parameter record of an ioctl, it has the use of the entries that it concerns. A record that was
 *    added or removed inside a changed record has no use, because it is reported with that record.
 * 4. The section follows from the use and the classes. An unread record to which a pointer, fd or pid was
 *    added needs a handler, unless next converts the pid. A record inside an unread struct needs none of its
 *    own: the struct changed as well, and has the same scalars.
 * 5. Finally, the changes of forwarded items are counted.
 */
#include "diff/internal.h"

#include "verify/verify.h"

const char *diff_use_name(enum diff_use use)
{
	switch (use) {
	case DIFF_USE_NONE: return "none";
	case DIFF_USE_UNREAD: return "unread";
	case DIFF_USE_READ: return "read";
	}
	return "";
}

const char *diff_section_name(enum diff_section section)
{
	switch (section) {
	case DIFF_SECTION_READ: return "read";
	case DIFF_SECTION_HANDLER: return "handler";
	case DIFF_SECTION_UNREAD: return "unread";
	case DIFF_SECTION_NONE: return "none";
	}
	return "";
}

/* --- entries that a change concerns ----------------------------------------------------- */

enum mentioned { MENTIONED_IOCTL, MENTIONED_STRUCT, MENTIONED_NUMBER };

/* Something that an entry names: an ioctl by its name or constant, a struct, or a number in a family. */
struct mention {
	enum mentioned what;
	const char *name;
	uint64_t number;
	size_t entry; /* index in the view */
};

struct touch {
	const struct table_view *view;
	struct mention *mentions; /* sorted; malloc'd */
	size_t count, capacity;
	bool *marked;             /* indexed by entry; malloc'd */
};

/* Compares mentions without their entries: mark_entries() finds all entries that mention one thing. */
static int compare_mention_keys(const struct mention *x, const struct mention *y)
{
	return compare_numbers(x->what, y->what) ?: strcmp(x->name, y->name)
		?: compare_numbers(x->number, y->number);
}

/* Orders mentions for the search in mark_entries(). The entry makes the order total. */
static int compare_mentions(const void *a, const void *b)
{
	const struct mention *x = a, *y = b;

	return compare_mention_keys(x, y) ?: compare_numbers(x->entry, y->entry);
}

static void add_mention(struct touch *touch, enum mentioned what, const char *name, uint64_t number,
			size_t entry)
{
	if (!name)
		return;
	ARRAY_GROW(touch->mentions, touch->count, touch->capacity);
	touch->mentions[touch->count++] = (struct mention){ what, name, number, entry };
}

/* Marks the entries that mention (@what, @name, @number), of @family unless it is NULL. @name can be NULL. */
static void mark_entries(struct touch *touch, enum mentioned what, const char *name, uint64_t number,
			 const char *family)
{
	const struct mention wanted = { what, name, number, 0 };
	size_t low = 0, high = name ? touch->count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_mention_keys(&touch->mentions[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; name && low < touch->count && !compare_mention_keys(&touch->mentions[low], &wanted); low++)
		if (!family || !strcmp(touch->view->entries[touch->mentions[low].entry]->family, family))
			touch->marked[touch->mentions[low].entry] = true;
}

static void mark_ioctl(struct touch *touch, const struct abi_ioctl *ioctl)
{
	if (!ioctl)
		return;
	mark_entries(touch, MENTIONED_IOCTL, ioctl->name, 0, ioctl->family);
	mark_entries(touch, MENTIONED_NUMBER, ioctl->family, ioctl->number, NULL);
}

/* Marks the entries with a name or number of the changed item or of an ioctl that carries it; no others. */
static void mark_change(struct touch *touch, const struct diff_change *change)
{
	memset(touch->marked, 0, touch->view->entry_count * sizeof(*touch->marked));
	switch (change->kind) {
	case ABI_RECORD:
		mark_entries(touch, MENTIONED_STRUCT, change->name, 0, NULL);
		mark_entries(touch, MENTIONED_STRUCT, change->base_name, 0, NULL);
		for (size_t i = 0; i < change->also_count; i++)
			mark_entries(touch, MENTIONED_STRUCT, change->also[i], 0, NULL);
		break;
	case ABI_IOCTL:
		mark_ioctl(touch, change->base_ioctl);
		mark_ioctl(touch, change->next_ioctl);
		break;
	case ABI_CONSTANT:
		mark_entries(touch, MENTIONED_IOCTL, change->name, 0, NULL);
		break;
	case ABI_ALIAS:
	case ABI_ENUM:
		break;
	}
	for (size_t i = 0; i < change->reach_count; i++)
		mark_ioctl(touch, change->reached_by[i].ioctl);
}

static const char *passed_as(const struct table_view *view, const struct abi_ioctl *ioctl)
{
	return ioctl ? table_passes(view->table, ioctl->family, ioctl->number) : NULL;
}

void diff_touch(struct diff_pass *pass)
{
	const struct table_view *view = pass->options->view;
	struct touch touch = { .view = view };

	if (!view)
		return;
	touch.marked = xmalloc((view->entry_count + 1) * sizeof(*touch.marked));
	for (size_t i = 0; i < view->entry_count; i++) {
		const struct table_entry *entry = view->entries[i];

		add_mention(&touch, MENTIONED_IOCTL, entry->name, 0, i);
		add_mention(&touch, MENTIONED_IOCTL, entry->constant, 0, i);
		add_mention(&touch, MENTIONED_NUMBER, entry->family, entry->number, i);
		for (size_t s = 0; s < entry->struct_count; s++)
			add_mention(&touch, MENTIONED_STRUCT, entry->structs[s].driver, 0, i);
	}
	sort_items(touch.mentions, touch.count, sizeof(*touch.mentions), compare_mentions);
	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];
		const struct table_entry **entries;
		size_t count = 0;

		mark_change(&touch, change);
		for (size_t e = 0; e < view->entry_count; e++)
			count += touch.marked[e];
		change->passed_was = passed_as(view, change->base_ioctl);
		change->passed_as = passed_as(view, change->next_ioctl);
		change->proxied = count || change->passed_was || change->passed_as;
		for (size_t r = 0; r < change->reach_count && !change->proxied; r++)
			change->proxied = passed_as(view, change->reached_by[r].ioctl);
		if (!count)
			continue;
		entries = arena_array(pass->arena, count, sizeof(const struct table_entry *));
		for (size_t e = 0; e < view->entry_count; e++)
			if (touch.marked[e])
				entries[change->entry_count++] = view->entries[e];
		change->entries = entries;
	}
	free(touch.mentions);
	free(touch.marked);
}

/* --- use ----------------------------------------------------------------------------------- */

/* The use of the records and enums of one version. */
struct marks {
	struct diff_side *side;
	enum diff_use *records, *enums; /* indexed like those of the document */
	size_t *queue;                  /* indices of records whose fields must be visited */
	size_t queued;
};

/* Gives a record the use @use, unless its use is at least as strong, and queues it for its members. */
static void mark_record(struct marks *marks, const struct abi_record *record, enum diff_use use)
{
	size_t index = (size_t)(record - marks->side->abi->records);

	if (marks->records[index] >= use)
		return;
	marks->records[index] = use;
	marks->queue[marks->queued++] = index;
}

/* Gives @use to all records and enums inside the queued records, if it is stronger. Empties the queue. */
static void mark_queued_members(struct marks *marks, enum diff_use use)
{
	const struct abi *abi = marks->side->abi;

	while (marks->queued) {
		const struct abi_record *record = &abi->records[marks->queue[--marks->queued]];

		for (size_t i = 0; i < record->field_count; i++) {
			const struct abi_type *type;
			struct err err;

			if (abi_resolve_known(&type, &marks->side->known, abi, record->fields[i].type, &err))
				continue;
			if (type->record)
				mark_record(marks, type->record, use);
			else if (type->enumeration && marks->enums[type->enumeration - abi->enums] < use)
				marks->enums[type->enumeration - abi->enums] = use;
		}
	}
}

/* Sets @marks to the uses of the records and enums of one version (rule 2), the strongest use first. */
static void mark_uses_of_side(struct marks *marks, struct diff_side *side, const struct table_view *view,
			      struct arena *arena)
{
	const struct abi *abi = side->abi;

	*marks = (struct marks){ .side = side };
	marks->records = arena_array(arena, abi->record_count + 1, sizeof(*marks->records));
	marks->enums = arena_array(arena, abi->enum_count + 1, sizeof(*marks->enums));
	marks->queue = arena_array(arena, abi->record_count + 1, sizeof(*marks->queue));
	for (enum diff_use use = DIFF_USE_READ; use != DIFF_USE_NONE; use--) {
		for (size_t i = 0; i < view->entry_count; i++)
			for (size_t s = 0; s < view->entries[i]->struct_count; s++) {
				const struct table_struct *one = &view->entries[i]->structs[s];
				const struct abi_record *record =
					diff_side_find(side, ABI_RECORD, one->driver, strlen(one->driver));

				if (record && (one->proxy ? DIFF_USE_READ : DIFF_USE_UNREAD) == use)
					mark_record(marks, record, use);
			}
		mark_queued_members(marks, use);
	}
}

/* Returns the strongest use of all names of the declaration that has the name at @index. */
static enum diff_use use_of_names(const struct diff_grouping *names, const enum diff_use *uses, size_t index)
{
	size_t group = names->of[index];
	enum diff_use use = uses[index];

	for (size_t i = 0; group != SIZE_MAX && i < names->group[group].count; i++)
		if (uses[names->group[group].index[i]] > use)
			use = uses[names->group[group].index[i]];
	return use;
}

/* Returns the use of a changed record or enum in one version; DIFF_USE_NONE if that version has neither. */
static enum diff_use use_on_side(const struct marks *marks, const struct abi_record *record,
				 const struct abi_enum *one)
{
	const struct diff_side *side = marks->side;

	if (record)
		return use_of_names(&side->records, marks->records, (size_t)(record - side->abi->records));
	return one ? use_of_names(&side->enums, marks->enums, (size_t)(one - side->abi->enums))
		   : DIFF_USE_NONE;
}

/* Returns the use of a change (rule 3); DIFF_USE_NONE also if the proxy does not forward the item. */
static enum diff_use use_of_change(const struct diff_change *change, const struct marks *base,
				   const struct marks *next)
{
	enum diff_use was, is;

	if (!change->proxied || change->inside)
		return DIFF_USE_NONE;
	was = use_on_side(base, change->base_record, change->base_enum);
	is = use_on_side(next, change->next_record, change->next_enum);
	if (was != DIFF_USE_NONE || is != DIFF_USE_NONE)
		return was > is ? was : is;
	for (size_t i = 0; i < change->entry_count; i++)
		if (table_entry_is_read(change->entries[i]))
			return DIFF_USE_READ;
	return DIFF_USE_UNREAD;
}

/* Does an entry that the change concerns have a struct for the driver's record @name? No if it is NULL. */
static bool names_struct(const struct diff_change *change, const char *name)
{
	for (size_t i = 0; i < change->entry_count && name; i++)
		for (size_t s = 0; s < change->entries[i]->struct_count; s++)
			if (!strcmp(change->entries[i]->structs[s].driver, name))
				return true;
	return false;
}

/* Does an entry name the changed record, under any of its names? */
static bool names_any(const struct diff_change *change)
{
	bool found = names_struct(change, change->name) || names_struct(change, change->base_name);

	for (size_t i = 0; i < change->also_count && !found; i++)
		found = names_struct(change, change->also[i]);
	return found;
}

/* --- sections -------------------------------------------------------------------------------- */

static enum abi_role handled_role(const struct abi_scalar *scalar)
{
	enum abi_role role = diff_acted_on(scalar->role, scalar->kind);

	return role == ABI_ROLE_HANDLE ? ABI_ROLE_NONE : role;
}

/*
 * Is @base the path, in base, of the scalar that has the path @next in next? The paths are equal unless the
 * field, or a field that contains it, was renamed.
 */
static bool is_path_of(const struct diff_change *change, const char *next, const char *base)
{
	if (!strcmp(next, base))
		return true;
	for (size_t i = 0; i < change->field_count; i++) {
		const struct diff_field *field = &change->fields[i];
		size_t length;

		if (!field->renamed)
			continue;
		length = strlen(field->after->path);
		if (!strncmp(next, field->after->path, length) &&
		    !strncmp(base, field->before->path, strlen(field->before->path)) &&
		    !strcmp(next + length, base + strlen(field->before->path)))
			return true;
	}
	return false;
}

/* Did @base have a scalar with the same role as @scalar, and the same path or offset? No if @base is NULL. */
static bool was_there(const struct diff_change *change, const struct abi_layout *base,
		      const struct abi_scalar *scalar)
{
	for (size_t i = 0; base && i < base->scalar_count; i++)
		if (handled_role(&base->scalar[i]) == handled_role(scalar) &&
		    (base->scalar[i].offset_bits == scalar->offset_bits ||
		     is_path_of(change, scalar->path, base->scalar[i].path)))
			return true;
	return false;
}

/*
 * Does the driver follow a pointer in the parameters, even if no field's type shows the pointer, or is the
 * argument itself a pointer?
 */
static bool follows_pointer(const struct abi *abi, const struct abi_ioctl *ioctl)
{
	struct abi_type type;

	return abi_ioctl_has_flag(ioctl, ABI_FLAG_EMBEDDED_POINTERS) ||
	       (ioctl->argument && !abi_resolve_type(&type, abi, ioctl->argument, NULL) && !type.record &&
		type.scalar == ABI_POINTER);
}

/*
 * Sets new_roles of the change of an unread item: the pointers, fds and pids that were added to a record, for
 * which the proxy needs a handler; for an ioctl, a pointer that the driver now follows.
 * @is_inside: the record is inside a struct of the table, which lists the same scalars
 * Return: 0; an error of flatten_record().
 */
static int list_new_roles(struct diff_change *change, struct diff_pass *pass, bool is_inside, struct err *err)
{
	static const struct diff_new_role embedded_pointer = { "", ABI_ROLE_POINTER };
	const struct abi_layout *base = NULL, *next;
	const struct use_rules *use = pass->options->use;
	struct diff_new_role *roles;
	int rc;

	if (change->use != DIFF_USE_UNREAD)
		return 0;
	if (change->kind == ABI_IOCTL && change->base_ioctl && change->next_ioctl &&
	    follows_pointer(pass->next.abi, change->next_ioctl) &&
	    !follows_pointer(pass->base.abi, change->base_ioctl)) {
		change->new_roles = &embedded_pointer;
		change->new_role_count = 1;
	}
	if (change->kind != ABI_RECORD || !change->next_record || change->same_as || is_inside)
		return 0;
	if ((rc = diff_side_layout(&next, &pass->next, change->next_record, err)) ||
	    (change->base_record && (rc = diff_side_layout(&base, &pass->base, change->base_record, err))))
		return rc;
	roles = arena_array(pass->arena, next->scalar_count + 1, sizeof(*roles));
	for (size_t i = 0; i < next->scalar_count; i++) {
		const struct abi_scalar *scalar = &next->scalar[i];
		enum abi_role role = handled_role(scalar);

		if (role == ABI_ROLE_NONE || was_there(change, base, scalar) ||
		    (role == ABI_ROLE_PID && use && /* if next converts the pid, the proxy need not */
		     pids_converted(use, next->record, scalar, pass->next.abi->version) == PIDS_YES))
			continue;
		roles[change->new_role_count++] = (struct diff_new_role){ scalar->path, role };
	}
	change->new_roles = roles;
	return 0;
}

/*
 * Returns the section of a change (rule 4). The numbers and names of an ioctl without an entry matter only if
 * the proxy passes just one of its two numbers through.
 */
static enum diff_section section_of(const struct diff_change *change)
{
	bool is_read = change->use == DIFF_USE_READ && change->classes != DIFF_FLAGS;

	if (!change->proxied)
		return DIFF_SECTION_NONE;
	switch (change->kind) {
	case ABI_IOCTL: /* an added ioctl needs no change in code that reads parameters */
		is_read = (is_read && change->classes != DIFF_ADDED) ||
			  change->classes & (DIFF_NUMBER | DIFF_NAME | DIFF_REMOVED);
		if (!change->entry_count)
			is_read = change->base_ioctl && change->next_ioctl &&
				  !change->passed_was != !change->passed_as;
		break;
	case ABI_CONSTANT:
		is_read = change->entry_count && !(change->classes & DIFF_ADDED);
		break;
	case ABI_ALIAS:
		is_read = false;
		break;
	case ABI_RECORD:
	case ABI_ENUM:
		break;
	}
	if (is_read)
		return DIFF_SECTION_READ;
	return change->new_role_count ? DIFF_SECTION_HANDLER : DIFF_SECTION_UNREAD;
}

int diff_set_uses(struct diff_pass *pass, struct err *err)
{
	const struct table_view *view = pass->options->view;
	struct marks base, next;
	int rc = 0;

	if (!view || !pass->change_count)
		return 0;
	mark_uses_of_side(&base, &pass->base, view, pass->arena);
	mark_uses_of_side(&next, &pass->next, view, pass->arena);
	for (size_t i = 0; !rc && i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];
		bool is_inside;

		/* An entry for the changed record counts more than an entry for a record that contains it. */
		if (names_struct(change, change->name))
			change->inside = NULL;
		change->use = use_of_change(change, &base, &next);
		is_inside = change->kind == ABI_RECORD && !names_any(change) &&
			    use_on_side(&next, change->next_record, NULL) != DIFF_USE_NONE;
		rc = list_new_roles(change, pass, is_inside, err);
		change->section = section_of(change);
	}
	return rc;
}

/* --- totals for forwarded items ----------------------------------------------------------------- */

void diff_count_totals(struct diff_totals *out, const struct diff_pass *pass)
{
	const struct table_view *view = pass->options->view;
	struct diff_totals totals = { 0 };
	bool *touched, *read; /* indexed by entry of the view */

	*out = totals;
	if (!view)
		return;
	touched = arena_array(pass->arena, view->entry_count + 1, sizeof(bool));
	read = arena_array(pass->arena, view->entry_count + 1, sizeof(bool));
	for (size_t i = 0; i < pass->change_count; i++) {
		const struct diff_change *change = &pass->changes[i];
		bool is_ioctl = change->kind == ABI_IOCTL && change->section == DIFF_SECTION_READ;
		bool is_record = change->kind == ABI_RECORD && change->proxied &&
				 change->use != DIFF_USE_NONE && change->base_record && !change->same_as;

		totals.changes += change->proxied;
		if (is_record) {
			totals.records++;
			totals.read += change->use == DIFF_USE_READ;
			totals.handlers += change->section == DIFF_SECTION_HANDLER;
		}
		if (is_ioctl && change->classes & DIFF_REMOVED)
			totals.removed++;
		else if (is_ioctl && change->classes & (DIFF_NUMBER | DIFF_TRANSLATION | DIFF_LAYOUT))
			totals.renumbered++;
		else if (is_ioctl && change->classes & DIFF_NAME)
			totals.renamed++;
		for (size_t e = 0, n = 0; (is_record || is_ioctl) && n < change->entry_count; n++) {
			while (view->entries[e] != change->entries[n]) /* both are in the order of the view */
				e++;
			touched[e] = true;
			read[e] = read[e] || (change->section == DIFF_SECTION_READ &&
					      (is_ioctl || table_entry_is_read(change->entries[n])));
		}
	}
	for (size_t e = 0; e < view->entry_count; e++) {
		totals.entries += touched[e];
		totals.read_entries += read[e];
	}
	*out = totals;
}
