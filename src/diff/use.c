/*
 * diff/use.c - what the proxy does with each change, and what it has to do
 *
 * 1. The structs that the table's entries name are read or unread, and so is
 *    every record and enum inside them: the proxy has, or passes on, its bytes.
 *    What is inside both kinds is read. This is done for both versions.
 * 2. A change has the stronger of the two uses. What no named struct holds has
 *    that of the entries that it touches: the new parameter record of an ioctl.
 * 3. What came or went inside a record that changed has none: that record tells it.
 * 4. The section follows from use and classes. A record that is unread, and into
 *    which a pointer, fd or pid came, calls for a handler.
 */
#include "diff/pass.h"

#include <stdlib.h>
#include <string.h>

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

/* What the proxy does with the records and enums of one version. */
struct marks {
	struct diff_side *side;
	enum diff_use *records, *enums; /* by name, as the document has them */
	size_t *queue;                  /* records whose fields are to be looked at */
	size_t queued;
};

static void mark_record(struct marks *marks, const struct abi_record *record, enum diff_use use)
{
	size_t index = (size_t)(record - marks->side->abi->records);

	if (marks->records[index] >= use)
		return;
	marks->records[index] = use;
	marks->queue[marks->queued++] = index;
}

static void mark_field(struct marks *marks, const struct abi_field *field, enum diff_use use)
{
	const struct abi_type *type;
	struct err err;

	if (abi_resolve_known(&type, &marks->side->known, marks->side->abi, field->type, &err))
		return;
	if (type->record)
		mark_record(marks, type->record, use);
	else if (type->enumeration && marks->enums[type->enumeration - marks->side->abi->enums] < use)
		marks->enums[type->enumeration - marks->side->abi->enums] = use;
}

/* All that is inside what was queued. Each record is queued once at most for each use. */
static void mark_inside(struct marks *marks, enum diff_use use)
{
	while (marks->queued) {
		const struct abi_record *record = &marks->side->abi->records[marks->queue[--marks->queued]];

		for (size_t i = 0; i < record->field_count; i++)
			mark_field(marks, &record->fields[i], use);
	}
}

static void mark_structs(struct marks *marks, const struct table_view *view, enum diff_use use)
{
	for (size_t i = 0; i < view->entry_count; i++)
		for (size_t s = 0; s < view->entries[i]->struct_count; s++) {
			const struct table_struct *one = &view->entries[i]->structs[s];
			const struct abi_record *record = diff_side_record_named(marks->side, one->driver, strlen(one->driver));

			if (record && (one->proxy ? DIFF_USE_READ : DIFF_USE_UNREAD) == use)
				mark_record(marks, record, use);
		}
	mark_inside(marks, use);
}

static void mark_side(struct marks *marks, struct diff_side *side, const struct table_view *view, struct arena *arena)
{
	const struct abi *abi = side->abi;

	*marks = (struct marks){ .side = side };
	marks->records = arena_array(arena, abi->record_count + 1, sizeof(*marks->records));
	marks->enums = arena_array(arena, abi->enum_count + 1, sizeof(*marks->enums));
	marks->queue = arena_array(arena, abi->record_count + 1, sizeof(*marks->queue));
	mark_structs(marks, view, DIFF_USE_READ);
	mark_structs(marks, view, DIFF_USE_UNREAD);
}

static enum diff_use stronger(enum diff_use a, enum diff_use b)
{
	return a > b ? a : b;
}

/* Of all names of the record's declaration. */
static enum diff_use use_of_record(const struct marks *marks, const struct abi_record *record)
{
	const struct diff_grouping *records = &marks->side->records;
	enum diff_use use = DIFF_USE_NONE;
	size_t group;

	if (!record)
		return use;
	use = marks->records[record - marks->side->abi->records];
	group = records->of[record - marks->side->abi->records];
	for (size_t i = 0; group != SIZE_MAX && i < records->group[group].count; i++)
		use = stronger(use, marks->records[records->group[group].index[i]]);
	return use;
}

static enum diff_use use_of_enum(const struct marks *marks, const struct abi_enum *one)
{
	const struct diff_grouping *enums = &marks->side->enums;
	enum diff_use use = DIFF_USE_NONE;
	size_t group;

	if (!one)
		return use;
	group = enums->of[one - marks->side->abi->enums];
	for (size_t i = 0; group != SIZE_MAX && i < enums->group[group].count; i++)
		use = stronger(use, marks->enums[enums->group[group].index[i]]);
	return use;
}

bool diff_reads_entry(const struct table_entry *entry)
{
	for (size_t i = 0; i < entry->struct_count; i++)
		if (entry->structs[i].proxy)
			return true;
	return false;
}

static enum diff_use use_of_entries(const struct diff_change *change)
{
	for (size_t i = 0; i < change->entry_count; i++)
		if (diff_reads_entry(change->entries[i]))
			return DIFF_USE_READ;
	return DIFF_USE_UNREAD;
}

/* A table that names the struct itself has more to do with it than with what it is in. */
static bool names_it(const struct diff_change *change)
{
	for (size_t i = 0; i < change->entry_count; i++)
		for (size_t s = 0; s < change->entries[i]->struct_count; s++)
			if (!strcmp(change->entries[i]->structs[s].driver, change->name))
				return true;
	return false;
}

static enum diff_use use_of(const struct diff_change *change, const struct marks *base, const struct marks *next)
{
	enum diff_use use = DIFF_USE_NONE;

	if (!change->proxied || change->inside)
		return DIFF_USE_NONE;
	switch (change->kind) {
	case ABI_RECORD:
		use = stronger(use_of_record(base, change->base_record), use_of_record(next, change->next_record));
		break;
	case ABI_ENUM:
		use = stronger(use_of_enum(base, change->base_enum), use_of_enum(next, change->next_enum));
		break;
	case ABI_ALIAS:
	case ABI_CONSTANT:
	case ABI_IOCTL:
		break;
	}
	return use == DIFF_USE_NONE ? use_of_entries(change) : use;
}

/* Does the proxy know the ioctl by something that changed? */
static bool is_known_otherwise(const struct diff_change *change)
{
	return (change->kind == ABI_IOCTL && (change->classes & (DIFF_NUMBER | DIFF_NAME | DIFF_REMOVED))) ||
	       (change->kind == ABI_CONSTANT && !(change->classes & DIFF_ADDED));
}

/* Of what the proxy reads, does it have to look at this? Not at flags that say nothing of who may call, nor at what is new beside it. */
static bool is_read(const struct diff_change *change)
{
	if (change->use != DIFF_USE_READ || change->classes == DIFF_FLAGS)
		return false;
	return change->kind == ABI_RECORD || change->kind == ABI_ENUM || (change->kind == ABI_IOCTL && change->classes != DIFF_ADDED);
}

static enum diff_section section_of(const struct diff_change *change)
{
	if (!change->proxied)
		return DIFF_SECTION_NONE;
	if (is_known_otherwise(change) || is_read(change))
		return DIFF_SECTION_READ;
	return change->came_count ? DIFF_SECTION_HANDLER : DIFF_SECTION_UNREAD;
}

static enum abi_role handled_role(const struct abi_leaf *leaf)
{
	enum abi_role role = diff_acted_on(leaf->role, leaf->kind);

	return role == ABI_ROLE_HANDLE ? ABI_ROLE_NONE : role;
}

/* How base calls a leaf of next: the same, unless a field that it is or is in was renamed. */
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
		if (!strncmp(next, field->after->path, length) && !strncmp(base, field->before->path, strlen(field->before->path)) &&
		    !strcmp(next + length, base + strlen(field->before->path)))
			return true;
	}
	return false;
}

/* Was there such a leaf before: by its name, or in the same bytes? */
static bool was_there(const struct diff_change *change, const struct abi_layout *base, const struct abi_leaf *leaf)
{
	for (size_t i = 0; base && i < base->leaf_count; i++)
		if (handled_role(&base->leaf[i]) == handled_role(leaf) &&
		    (base->leaf[i].offset_bits == leaf->offset_bits || is_path_of(change, leaf->path, base->leaf[i].path)))
			return true;
	return false;
}

/* The driver follows a pointer in the parameters, which no field's type tells. */
static const struct diff_came embedded_pointer = { "", ABI_ROLE_POINTER };

/* Does it, or is the argument itself a pointer? */
static bool follows_pointer(const struct abi *abi, const struct abi_ioctl *ioctl)
{
	struct abi_type type;

	return abi_ioctl_has_flag(ioctl, ABI_FLAG_EMBEDDED_POINTERS) ||
	       (ioctl->argument && !abi_resolve_type(&type, abi, ioctl->argument, NULL) && !type.record && type.scalar == ABI_POINTER);
}

static bool came_embedded(const struct diff_change *change, const struct diff_pass *pass)
{
	return change->kind == ABI_IOCTL && change->use == DIFF_USE_UNREAD && change->base_ioctl && change->next_ioctl &&
	       follows_pointer(pass->next.abi, change->next_ioctl) && !follows_pointer(pass->base.abi, change->base_ioctl);
}

/* The pointers, fds and pids that came into a record. */
static int list_came(struct diff_change *change, struct diff_pass *pass, struct err *err)
{
	const struct abi_layout *base = NULL, *next;
	struct diff_came *came;
	int rc;

	if (came_embedded(change, pass)) {
		change->came = &embedded_pointer;
		change->came_count = 1;
	}
	if (change->kind != ABI_RECORD || change->use != DIFF_USE_UNREAD || !change->next_record || change->same_as)
		return 0;
	if ((rc = diff_side_layout(&next, &pass->next, change->next_record, err)) ||
	    (change->base_record && (rc = diff_side_layout(&base, &pass->base, change->base_record, err))))
		return rc;
	came = arena_array(pass->arena, next->leaf_count + 1, sizeof(*came));
	for (size_t i = 0; i < next->leaf_count; i++)
		if (handled_role(&next->leaf[i]) != ABI_ROLE_NONE && !was_there(change, base, &next->leaf[i]))
			came[change->came_count++] = (struct diff_came){ next->leaf[i].path, handled_role(&next->leaf[i]) };
	change->came = came;
	return 0;
}

int diff_set_uses(struct diff_pass *pass, struct err *err)
{
	const struct table_view *view = pass->options->view;
	struct marks base, next;
	int rc = 0;

	for (size_t i = 0; i < pass->change_count; i++)
		pass->changes[i].section = DIFF_SECTION_NONE;
	if (!view || !pass->change_count)
		return 0;
	mark_side(&base, &pass->base, view, pass->arena);
	mark_side(&next, &pass->next, view, pass->arena);
	for (size_t i = 0; !rc && i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];

		if (names_it(change))
			change->inside = NULL;
		change->use = use_of(change, &base, &next);
		rc = list_came(change, pass, err);
		change->section = section_of(change);
	}
	return rc;
}
