/* diff/diff.c - run the steps, then filter, sort and count their changes */
#include "diff/internal.h"

#include <fnmatch.h>

struct diff_change *diff_add_change(struct diff_pass *pass, enum abi_kind kind, const void *base,
				    const void *next)
{
	struct diff_change *change;

	ARRAY_GROW(pass->changes, pass->change_count, pass->change_capacity);
	change = &pass->changes[pass->change_count++];
	*change = (struct diff_change){ .kind = kind, .name = abi_item_name(kind, next ? next : base) };
	switch (kind) {
	case ABI_RECORD: change->base_record = base, change->next_record = next; break;
	case ABI_ALIAS: change->base_alias = base, change->next_alias = next; break;
	case ABI_ENUM: change->base_enum = base, change->next_enum = next; break;
	case ABI_CONSTANT: change->base_constant = base, change->next_constant = next; break;
	case ABI_IOCTL: change->base_ioctl = base, change->next_ioctl = next; break;
	}
	return change;
}

const void *diff_item(const struct diff_change *change, bool of_next)
{
	switch (change->kind) {
	case ABI_RECORD: return of_next ? change->next_record : change->base_record;
	case ABI_ALIAS: return of_next ? change->next_alias : change->base_alias;
	case ABI_ENUM: return of_next ? change->next_enum : change->base_enum;
	case ABI_CONSTANT: return of_next ? change->next_constant : change->base_constant;
	case ABI_IOCTL: return of_next ? change->next_ioctl : change->base_ioctl;
	}
	return NULL;
}

const char *diff_class_name(enum diff_class one)
{
	switch (one) {
	case DIFF_TRANSLATION: return "translation";
	case DIFF_LAYOUT: return "layout";
	case DIFF_NUMBER: return "number";
	case DIFF_GROWTH: return "growth";
	case DIFF_VALUE: return "value";
	case DIFF_ACCESS: return "access";
	case DIFF_FLAGS: return "flags";
	case DIFF_NAME: return "name";
	case DIFF_ADDED: return "added";
	case DIFF_REMOVED: return "removed";
	}
	return "";
}

const char *diff_op_name(enum diff_op op)
{
	static const char *const names[] = {
		[DIFF_OP_ADDED] = "added", [DIFF_OP_REMOVED] = "removed", [DIFF_OP_MOVED] = "moved",
		[DIFF_OP_RENAMED] = "renamed", [DIFF_OP_RETYPED] = "retyped", [DIFF_OP_RESIZED] = "resized",
	};

	return names[op];
}

/* Does @glob match a name of the changed item, or an ioctl or record through which an ioctl carries it? */
static bool concerns_glob(const struct diff_change *change, const char *glob)
{
	if (!fnmatch(glob, change->name, 0) || (change->base_name && !fnmatch(glob, change->base_name, 0)))
		return true;
	for (size_t i = 0; i < change->also_count; i++)
		if (!fnmatch(glob, change->also[i], 0))
			return true;
	for (size_t i = 0; i < change->reach_count; i++) {
		if (!fnmatch(glob, change->reached_by[i].ioctl->name, 0))
			return true;
		for (size_t j = 0; j < change->reached_by[i].through_count; j++)
			if (!fnmatch(glob, change->reached_by[i].through[j], 0))
				return true;
	}
	return false;
}

/* Does the change add an ioctl that the driver does not dispatch? A proxy does not need to forward it. */
static bool is_new_undispatched(const struct diff_change *change)
{
	return change->kind == ABI_IOCTL && change->classes == DIFF_ADDED && !change->proxied &&
	       abi_ioctl_has_flag(change->next_ioctl, ABI_FLAG_NOT_DISPATCHED);
}

/* Marks all records inside @record. Not recursive: a document written by hand can nest them to any depth. */
static void mark_records_inside(bool *marked, const struct abi *abi, const struct abi_record *record)
{
	const struct abi_record **pending = xmalloc((abi->record_count + 1) * sizeof(*pending));
	struct abi_type type;
	size_t count = 0;

	for (pending[count++] = record; count;) {
		record = pending[--count];
		for (size_t i = 0; i < record->field_count; i++) {
			if (abi_resolve_type(&type, abi, record->fields[i].type, NULL) || !type.record ||
			    marked[type.record - abi->records])
				continue;
			marked[type.record - abi->records] = true;
			pending[count++] = type.record;
		}
	}
	free(pending);
}

void diff_around_mark(bool *marked, const struct abi *abi, const char *glob)
{
	for (size_t i = 0; i < abi->record_count; i++)
		if (!fnmatch(glob, abi->records[i].name, 0))
			mark_records_inside(marked, abi, &abi->records[i]);
}

static bool is_marked_record(const bool *marked, const struct abi *abi, const char *name)
{
	const struct abi_record *record = name ? abi_find_record(abi, name) : NULL;

	return record && marked[record - abi->records];
}

bool diff_around_has(const bool *base_marked, const bool *next_marked, const struct abi *base,
		     const struct abi *next, const struct diff_change *change)
{
	bool found = change->kind == ABI_RECORD && (is_marked_record(base_marked, base, change->name) ||
						    is_marked_record(base_marked, base, change->base_name) ||
						    is_marked_record(next_marked, next, change->name));

	for (size_t i = 0; change->kind == ABI_RECORD && !found && i < change->also_count; i++)
		found = is_marked_record(base_marked, base, change->also[i]) ||
			is_marked_record(next_marked, next, change->also[i]);
	return found;
}

/* Removes changes that the options do not select and, with a table, added ioctls that are not dispatched. */
static void drop_unwanted(struct diff_pass *pass)
{
	const struct diff_options *options = pass->options;
	const struct abi *base = pass->base.abi, *next = pass->next.abi;
	bool *in_base = NULL, *in_next = NULL;
	size_t left = 0;

	if (options->record) {
		in_base = arena_array(pass->arena, base->record_count + 1, sizeof(*in_base));
		in_next = arena_array(pass->arena, next->record_count + 1, sizeof(*in_next));
		diff_around_mark(in_base, base, options->record);
		diff_around_mark(in_next, next, options->record);
	}
	for (size_t i = 0; i < pass->change_count; i++)
		if ((!options->record || concerns_glob(&pass->changes[i], options->record) ||
		     diff_around_has(in_base, in_next, base, next, &pass->changes[i])) &&
		    (!options->classes || pass->changes[i].classes & options->classes) &&
		    (!options->view || !is_new_undispatched(&pass->changes[i])))
			pass->changes[left++] = pass->changes[i];
	pass->change_count = left;
}

/* Returns the rank of a kind in a report. A proxy has code for ioctls and records, so these come first. */
static int kind_rank(enum abi_kind kind)
{
	switch (kind) {
	case ABI_IOCTL:
	case ABI_RECORD: return 0;
	case ABI_ENUM: return 1;
	case ABI_ALIAS: return 2;
	case ABI_CONSTANT: return 3;
	}
	return 4;
}

/*
 * Orders changes for a report: those that concern the proxy first, then by section, kind and most important
 * class. The order is total, because two changes always differ in kind, name, family, number or old name.
 */
static int compare_changes(const void *a, const void *b)
{
	const struct diff_change *x = a, *y = b;
	unsigned x_weight = x->classes & -x->classes, y_weight = y->classes & -y->classes;
	const struct abi_ioctl *p = x->next_ioctl ? x->next_ioctl : x->base_ioctl;
	const struct abi_ioctl *q = y->next_ioctl ? y->next_ioctl : y->base_ioctl;

	return y->proxied - x->proxied ?: compare_numbers(x->section, y->section)
		?: kind_rank(x->kind) - kind_rank(y->kind) ?: compare_numbers(x_weight, y_weight)
		?: (y->kind == ABI_IOCTL) - (x->kind == ABI_IOCTL) ?: strcmp(x->name, y->name)
		?: compare_texts(x->family, y->family) ?: (p && q ? compare_numbers(p->number, q->number) : 0)
		?: compare_texts(x->base_name, y->base_name);
}

void diff_count_change(struct diff_count summary[ABI_KIND_COUNT], size_t class_total[DIFF_CLASS_COUNT],
		       const struct diff_change *change)
{
	struct diff_count *count = &summary[change->kind];

	if (change->classes & DIFF_ADDED)
		count->added++;
	else if (change->classes & DIFF_REMOVED)
		count->removed++;
	else
		count->changed++;
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		class_total[i] += change->classes >> i & 1;
}

/* Makes @changes the list of @diff, counts them, and sets `under` and `reported`. */
static void set_changes(struct diff *diff, struct diff_change *changes, size_t count, struct arena *arena)
{
	memset(diff->summary, 0, sizeof(diff->summary));
	memset(diff->class_total, 0, sizeof(diff->class_total));
	diff_set_under(changes, count, arena);
	diff->changes = changes;
	diff->change_count = count;
	for (size_t i = 0; i < count; i++)
		diff_count_change(diff->summary, diff->class_total, &changes[i]);
}

void diff_drop(struct diff *diff, const bool *dropped, struct arena *arena)
{
	struct diff_change *changes = arena_array(arena, diff->change_count + 1, sizeof(*changes));
	size_t count = 0;

	for (size_t i = 0; i < diff->change_count; i++)
		if (!dropped[i])
			changes[count++] = diff->changes[i];
	set_changes(diff, changes, count, arena);
}

int diff_documents(struct diff *out, const struct abi *base, const struct abi *next,
		   const struct diff_options *options, struct arena *arena, struct err *err)
{
	struct diff_pass pass = { .options = options, .arena = arena };
	struct diff diff = { .base = base, .next = next, .view = options->view };
	int rc;

	if (compare_texts(base->target, next->target))
		return err_set(err, ERR_USAGE,
			       "%s is for %s and %s is for %s; only documents for the same target can be "
			       "compared",
			       base->version, base->target, next->version, next->target);
	if (compare_texts(base->driver, next->driver))
		return err_set(
			err, ERR_USAGE,
			"%s is a version of driver %s, but %s is one of %s; only versions of the same driver "
			"can be compared",
			base->version, base->driver, next->version, next->driver);
	if ((rc = diff_side_init(&pass.base, base, arena, err)))
		err_prefix(err, "%s", base->version);
	else if ((rc = diff_side_init(&pass.next, next, arena, err)))
		err_prefix(err, "%s", next->version);
	if (rc)
		return rc;
	diff_pair_records(&pass);
	if ((rc = diff_match_ioctls(&pass, err)) || (rc = diff_records(&pass, err)))
		goto out;
	diff_enums(&pass);
	if ((rc = diff_aliases(&pass, err)) || (rc = diff_ioctls(&pass, err)))
		goto out;
	diff_constants(&pass);
	diff_renamed_with(&pass);
	diff_reach(&pass);
	diff_touch(&pass);
	diff_through(&pass);
	if ((rc = diff_set_uses(&pass, err)))
		goto out;
	diff_count_totals(&diff.totals, &pass);
	drop_unwanted(&pass);
	sort_items(pass.changes, pass.change_count, sizeof(*pass.changes), compare_changes);
	set_changes(&diff, arena_memdup(arena, pass.changes, pass.change_count * sizeof(*pass.changes)),
		    pass.change_count, arena);
	*out = diff;
out:
	free(pass.changes);
	return rc;
}
