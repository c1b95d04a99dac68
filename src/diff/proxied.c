/*
 * diff/proxied.c - which entries of the proxy's table a change concerns
 *
 * An entry stands for an ioctl if the family is equal and so is any of the
 * three that tell an ioctl: its name, the driver's constant, the number. The
 * number counts too, since a number that became another ioctl's is what a
 * proxy must know first. A record is an entry's if the entry names it, or if an
 * ioctl that the entry stands for carries it.
 */
#include "diff/internal.h"

#include <stdlib.h>
#include <string.h>

/* A name in the driver and an entry that mentions it. */
struct mention {
	const char *name;
	const char *family; /* of the entry */
	size_t entry;       /* in the view */
};

struct touch {
	const struct diff_pass *pass;
	const struct table_view *view;
	struct mention *ioctls;  /* by name: names and constants of entries; malloc'd */
	size_t ioctl_count, ioctl_capacity;
	struct mention *structs; /* by name; malloc'd */
	size_t struct_count, struct_capacity;
	size_t *by_number;       /* entries by family, then number; malloc'd */
	bool *marked;            /* by entry; malloc'd */
};

static int compare_mentions(const void *a, const void *b)
{
	const struct mention *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->entry < y->entry ? -1 : x->entry > y->entry;
}

static int compare_numbers(const void *a, const void *b, void *context)
{
	const struct table_view *view = context;
	const struct table_entry *x = view->entries[*(const size_t *)a], *y = view->entries[*(const size_t *)b];
	int order = strcmp(x->family, y->family);

	return order ? order : x->number < y->number ? -1 : x->number > y->number;
}

static void mention_ioctl(struct touch *touch, const char *name, size_t entry)
{
	if (!name)
		return;
	ARRAY_GROW(touch->ioctls, touch->ioctl_count, touch->ioctl_capacity);
	touch->ioctls[touch->ioctl_count++] = (struct mention){ name, touch->view->entries[entry]->family, entry };
}

static void index_entries(struct touch *touch)
{
	const struct table_view *view = touch->view;

	touch->by_number = xmalloc(view->entry_count * sizeof(*touch->by_number));
	touch->marked = xmalloc(view->entry_count * sizeof(*touch->marked));
	for (size_t i = 0; i < view->entry_count; i++) {
		const struct table_entry *entry = view->entries[i];

		touch->by_number[i] = i;
		mention_ioctl(touch, entry->name, i);
		mention_ioctl(touch, entry->constant, i);
		for (size_t s = 0; s < entry->struct_count; s++) {
			ARRAY_GROW(touch->structs, touch->struct_count, touch->struct_capacity);
			touch->structs[touch->struct_count++] = (struct mention){ entry->structs[s].driver, entry->family, i };
		}
	}
	qsort_r(touch->by_number, view->entry_count, sizeof(size_t), compare_numbers, (void *)view);
	if (touch->ioctl_count)
		qsort(touch->ioctls, touch->ioctl_count, sizeof(*touch->ioctls), compare_mentions);
	if (touch->struct_count)
		qsort(touch->structs, touch->struct_count, sizeof(*touch->structs), compare_mentions);
}

/* The first mention of @name, or where it would be. */
static size_t first_mention(const struct mention *list, size_t count, const char *name)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(list[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* @family: NULL for any */
static void mark_mentions(struct touch *touch, const struct mention *list, size_t count, const char *name, const char *family)
{
	if (!name)
		return;
	for (size_t i = first_mention(list, count, name); i < count && !strcmp(list[i].name, name); i++)
		if (!family || !strcmp(list[i].family, family))
			touch->marked[list[i].entry] = true;
}

static void mark_number(struct touch *touch, const char *family, uint64_t number)
{
	size_t low = 0, high = touch->view->entry_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct table_entry *entry = touch->view->entries[touch->by_number[middle]];
		int order = strcmp(entry->family, family);

		if (order < 0 || (!order && entry->number < number))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < touch->view->entry_count; low++) {
		const struct table_entry *entry = touch->view->entries[touch->by_number[low]];

		if (entry->number != number || strcmp(entry->family, family))
			return;
		touch->marked[touch->by_number[low]] = true;
	}
}

static void mark_ioctl(struct touch *touch, const struct abi_ioctl *ioctl)
{
	if (!ioctl)
		return;
	mark_mentions(touch, touch->ioctls, touch->ioctl_count, ioctl->name, ioctl->family);
	mark_number(touch, ioctl->family, ioctl->number);
}

static void mark_record_names(struct touch *touch, const struct diff_change *change)
{
	mark_mentions(touch, touch->structs, touch->struct_count, change->name, NULL);
	mark_mentions(touch, touch->structs, touch->struct_count, change->base_name, NULL);
	for (size_t i = 0; i < change->also_count; i++)
		mark_mentions(touch, touch->structs, touch->struct_count, change->also[i], NULL);
}

static void mark_change(struct touch *touch, const struct diff_change *change)
{
	switch (change->kind) {
	case ABI_RECORD:
		mark_record_names(touch, change);
		break;
	case ABI_IOCTL:
		mark_ioctl(touch, change->base_ioctl);
		mark_ioctl(touch, change->next_ioctl);
		break;
	case ABI_CONSTANT:
		mark_mentions(touch, touch->ioctls, touch->ioctl_count, change->name, NULL);
		break;
	case ABI_ALIAS:
	case ABI_ENUM:
		break;
	}
	for (size_t i = 0; i < change->reach_count; i++)
		mark_ioctl(touch, change->reached_by[i].ioctl);
}

static void set_entries(struct diff_change *change, const struct touch *touch)
{
	const struct table_entry **entries;
	size_t count = 0;

	for (size_t i = 0; i < touch->view->entry_count; i++)
		count += touch->marked[i];
	if (!count)
		return;
	entries = arena_array(touch->pass->arena, count, sizeof(const struct table_entry *));
	for (size_t i = 0; i < touch->view->entry_count; i++)
		if (touch->marked[i])
			entries[change->entry_count++] = touch->view->entries[i];
	change->entries = entries;
	change->proxied = true;
}

void diff_touch(struct diff_pass *pass)
{
	struct touch touch = { .pass = pass, .view = pass->options->view };

	if (!touch.view || !touch.view->entry_count)
		return;
	index_entries(&touch);
	for (size_t i = 0; i < pass->change_count; i++) {
		memset(touch.marked, 0, touch.view->entry_count * sizeof(*touch.marked));
		mark_change(&touch, &pass->changes[i]);
		set_entries(&pass->changes[i], &touch);
	}
	free(touch.ioctls);
	free(touch.structs);
	free(touch.by_number);
	free(touch.marked);
}

/*
 * what the proxy does with each change, and what it has to do
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

/* diff_reads_entry - has the proxy a type of its own for any struct of @entry? */
static bool diff_reads_entry(const struct table_entry *entry)
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

/* how much of what the proxy forwards changed */

/* Entries that were counted, by their address in the table. */
struct counted {
	const struct table_view *view;
	bool *touched, *read;
};

static bool is_counted_record(const struct diff_change *change)
{
	return change->kind == ABI_RECORD && change->proxied && change->use != DIFF_USE_NONE && change->base_record && !change->same_as;
}

static void count_record(struct diff_tally *tally, const struct diff_change *change)
{
	tally->records++;
	tally->read += change->use == DIFF_USE_READ;
	tally->handlers += change->section == DIFF_SECTION_HANDLER;
}

static void count_ioctl(struct diff_tally *tally, const struct diff_change *change)
{
	if (change->classes & DIFF_REMOVED)
		tally->removed++;
	else if (change->classes & (DIFF_NUMBER | DIFF_TRANSLATION | DIFF_LAYOUT))
		tally->renumbered++;
	else
		tally->renamed += !!(change->classes & DIFF_NAME);
}

static void mark_entries(const struct counted *counted, const struct diff_change *change)
{
	for (size_t e = 0, i = 0; i < change->entry_count; i++) {
		while (counted->view->entries[e] != change->entries[i]) /* both in the order of the view */
			e++;
		counted->touched[e] = true;
		if (change->section == DIFF_SECTION_READ && (change->kind == ABI_IOCTL || diff_reads_entry(change->entries[i])))
			counted->read[e] = true;
	}
}

void diff_count_tally(struct diff_tally *out, const struct diff_pass *pass)
{
	struct counted counted = { .view = pass->options->view };
	struct diff_tally tally = { 0 };

	if (!counted.view) {
		*out = tally;
		return;
	}
	counted.touched = arena_array(pass->arena, counted.view->entry_count + 1, sizeof(bool));
	counted.read = arena_array(pass->arena, counted.view->entry_count + 1, sizeof(bool));
	for (size_t i = 0; i < pass->change_count; i++) {
		const struct diff_change *change = &pass->changes[i];
		bool is_ioctl = change->kind == ABI_IOCTL && change->section == DIFF_SECTION_READ;

		tally.changes += change->proxied;
		if (is_counted_record(change))
			count_record(&tally, change);
		if (is_ioctl)
			count_ioctl(&tally, change);
		if (is_counted_record(change) || is_ioctl)
			mark_entries(&counted, change);
	}
	for (size_t e = 0; e < counted.view->entry_count; e++) {
		tally.entries += counted.touched[e];
		tally.read_entries += counted.read[e];
	}
	*out = tally;
}
