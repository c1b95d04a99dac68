/*
 * decode/summary.c - counts the distinct ioctls of many calls, and finds those that changed in a different
 * version
 */
#include "decode/internal.h"

#include <uthash.h>

struct seen_entry {
	struct ioctl_key key;
	struct decode_seen_ioctl ioctl; /* its family points to key.family */
	UT_hash_handle hh;
};

struct decode_seen {
	struct seen_entry *entries;
	struct arena arena; /* for the entries */
	size_t left_out;
};

struct decode_seen *decode_seen_new(void)
{
	struct decode_seen *seen = xmalloc(sizeof(*seen));

	*seen = (struct decode_seen){ .entries = NULL };
	return seen;
}

void decode_seen_free(struct decode_seen *seen)
{
	if (!seen)
		return;
	HASH_CLEAR(hh, seen->entries);
	arena_release(&seen->arena);
	free(seen);
}

/* Finds the entry of an ioctl, or adds one. Return: NULL if there are too many. */
static struct decode_seen_ioctl *find_seen(struct decode_seen *seen, const struct decode_ioctl *ioctl)
{
	const struct ioctl_key key = ioctl_key_of(ioctl->family, ioctl->number);
	struct seen_entry *entry;

	HASH_FIND(hh, seen->entries, &key, sizeof(key), entry);
	if (entry || HASH_COUNT(seen->entries) >= DECODE_SEEN_MAX)
		return entry ? &entry->ioctl : NULL;
	entry = arena_alloc(&seen->arena, sizeof(*entry));
	entry->key = key;
	entry->ioctl.family = entry->key.family;
	entry->ioctl.number = ioctl->number;
	HASH_ADD(hh, seen->entries, key, sizeof(entry->key), entry);
	return &entry->ioctl;
}

void decode_seen_add(struct decode_seen *seen, const struct decode_call *call)
{
	for (size_t i = 0; i < call->count; i++) {
		const struct decode_ioctl *ioctl = &call->ioctls[i];
		const struct abi_ioctl *found =
			ioctl->abi ? call_find(ioctl->abi, ioctl->family, ioctl->number) : NULL;
		struct decode_seen_ioctl *entry = find_seen(seen, ioctl);

		if (!entry) {
			seen->left_out++;
			continue;
		}
		entry->count++;
		/* If the last ioctl is an envelope, its inner ioctl is unknown. */
		entry->opaque_count += i + 1 == call->count && found && ioctl->record &&
				       call_rule_of(found, ioctl->record);
		entry->unfollowed_count += decode_has_unfollowed(ioctl);
	}
}

/* The order of a summary: by family and number. */
static int order_seen_ioctls(const void *a, const void *b)
{
	const struct decode_seen_ioctl *x = a, *y = b;

	return strcmp(x->family, y->family) ?: compare_numbers(x->number, y->number);
}

struct decode_seen_ioctl *decode_seen_list(size_t *count, const struct decode_seen *seen)
{
	struct decode_seen_ioctl *list = xmalloc((HASH_COUNT(seen->entries) + 1) * sizeof(*list));
	struct seen_entry *entry, *next;
	size_t n = 0;

	HASH_ITER(hh, seen->entries, entry, next)
		list[n++] = entry->ioctl;
	sort_items(list, n, sizeof(*list), order_seen_ioctls);
	*count = n;
	return list;
}

size_t decode_seen_left_out(const struct decode_seen *seen)
{
	return seen->left_out;
}

struct decode_total_entry {
	struct ioctl_key key;
	size_t index; /* the index of its total */
	UT_hash_handle hh;
};

/*
 * Returns the key of the total in which a call is counted: that of its innermost ioctl, with the size. The
 * key has the document, because the driver's version can change in a log.
 */
static struct ioctl_key key_of_total(const struct decode_call *call)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	struct ioctl_key key = ioctl_key_of(last->family, last->number);

	key.abi = last->abi;
	key.allocated_by = last->allocated_by;
	key.size_bytes = last->size_bytes;
	key.is_asked = last->is_asked;
	key.has_size = last->has_size;
	return key;
}

static struct decode_total *find_total(const struct decode_summary *summary, const struct decode_call *call)
{
	const struct ioctl_key key = key_of_total(call);
	struct decode_total_entry *entry;

	HASH_FIND(hh, summary->entries, &key, sizeof(key), entry);
	return entry ? &summary->totals[entry->index] : NULL;
}

bool decode_summary_has(const struct decode_summary *summary, const struct decode_call *call)
{
	return find_total(summary, call);
}

/* Is @caller an element of @list? */
static bool has_caller(const char *list, const char *caller, size_t length)
{
	for (const char *at = list; *at; at += strspn(at, ", ")) {
		const char *end = strstr(at, ", ");
		const size_t here = end ? (size_t)(end - at) : strlen(at);

		if (here == length && !strncmp(at, caller, length))
			return true;
		at += here;
	}
	return false;
}

void decode_callers_add(struct strbuf *list, const char *callers)
{
	enum { LIST_MAX = 4096 };

	while (callers && *callers) {
		const char *end = strstr(callers, ", ");
		const size_t length = end ? (size_t)(end - callers) : strlen(callers);

		if (!has_caller(strbuf_text(list), callers, length) && list->length + length < LIST_MAX) {
			strbuf_adds(list, list->length ? ", " : "");
			strbuf_add(list, callers, length);
		}
		callers = end ? end + strlen(", ") : "";
	}
}

void decode_summary_add(struct decode_summary *summary, const struct decode_call *call,
			const struct decode_call *recorded, size_t count)
{
	struct decode_total *total = find_total(summary, call);
	bool has_unfollowed = false;
	size_t i = 0;

	if (!total && summary->count == DECODE_SUMMARY_MAX) {
		summary->left_out += count;
		return;
	}
	if (!total) {
		struct decode_total_entry *entry = arena_alloc(&summary->arena, sizeof(*entry));

		entry->index = summary->count;
		entry->key = key_of_total(call);
		HASH_ADD(hh, summary->entries, key, sizeof(entry->key), entry);
		ARRAY_GROW(summary->totals, summary->count, summary->capacity);
		total = &summary->totals[summary->count++];
		*total = (struct decode_total){ .call = call };
	}
	for (size_t k = 0; k < recorded->count && !has_unfollowed; k++)
		has_unfollowed = decode_has_unfollowed(&recorded->ioctls[k]);
	total->count += count;
	total->unfollowed += has_unfollowed ? count : 0;
	total->doubtful += recorded->is_status_doubtful ? count : 0;
	decode_callers_add(&total->callers, call->callers);
	if (call->has_ret && call->ret < 0)
		total->failed += count;
	if (!call->has_status)
		return;
	while (i < total->status_count && total->statuses[i].status != call->status)
		i++;
	if (i < total->status_count)
		total->statuses[i].count += count;
	else if (i == DECODE_STATUS_MAX)
		total->other_statuses += count;
	else
		total->statuses[total->status_count++] =
			(struct decode_status_count){ call->status, call->status_name, count };
}

void decode_summary_release(struct decode_summary *summary)
{
	HASH_CLEAR(hh, summary->entries);
	arena_release(&summary->arena);
	for (size_t i = 0; i < summary->count; i++)
		strbuf_release(&summary->totals[i].callers);
	free(summary->totals);
	*summary = (struct decode_summary){ .count = 0 };
}

/*
 * How decode_against() compares two versions:
 *
 * 1. The whole documents are compared, because renames cannot be found otherwise.
 * 2. A change belongs to an ioctl of the trace if it is a change of the ioctl itself, of a record in its
 *    parameters, or of the type of the memory at a pointer in its parameters. All other changes are dropped.
 * 3. The classes of an ioctl's changes decide its fate.
 */

/* The changes that can break a program built for the version base. */
enum { BREAKING = DIFF_TRANSLATION | DIFF_LAYOUT | DIFF_NUMBER | DIFF_GROWTH | DIFF_ACCESS };

struct summary_diff {
	const struct abi *base;
	const struct pointer_rules *pointers;
	const struct diff *diff;
};

const char *decode_fate_name(enum decode_fate fate)
{
	static const char *const names[] = {
		[DECODE_SAME] = "same", [DECODE_CHANGED] = "changed", [DECODE_GONE] = "gone",
		[DECODE_ALIKE] = "alike", [DECODE_UNKNOWN] = "unknown",
	};

	return names[fate];
}

/* --- which ioctl a change belongs to -------------------------------------------------------- */

/* Finds the name that the ioctl @base has in next. Return: NULL if next does not have the ioctl. */
static const char *next_name(const struct summary_diff *pass, const struct abi_ioctl *base)
{
	for (size_t i = 0; i < pass->diff->change_count; i++) {
		const struct diff_change *change = &pass->diff->changes[i];

		if (change->kind == ABI_IOCTL && change->base_ioctl == base)
			return change->next_ioctl ? change->next_ioctl->name : NULL;
	}
	return base->name;
}

/*
 * Is @carrier, an ioctl that has a changed record in its parameters, the ioctl of @row? @carrier has the
 * ioctl's name in base if the record was removed, else its name in next.
 */
static bool is_carrier(const struct decode_against_row *row, const struct abi_ioctl *carrier)
{
	return !strcmp(row->base->family, carrier->family) &&
	       (!strcmp(row->base->name, carrier->name) ||
		(row->next_name && !strcmp(row->next_name, carrier->name)));
}

/*
 * Is @name the type of the memory at a pointer in @record? @record is the type of @ioctl's parameters. If
 * @ioctl is NULL, @record is the type of the memory at a pointer.
 */
static bool is_pointed_to(const struct summary_diff *pass, const struct abi_ioctl *ioctl, const char *record,
			  const char *name)
{
	for (size_t i = 0; pass->pointers && record && i < pass->pointers->count; i++) {
		const struct pointer_rule *rule = &pass->pointers->rules[i];

		if (call_pointer_rule_matches(rule, pass->base, ioctl, record) &&
		    (!strcmp(rule->element, name) ||
		     (ioctl && is_pointed_to(pass, NULL, rule->element, name))))
			return true;
	}
	return false;
}

/* Is the change one of the row's ioctl, of its parameters, or of memory that they point to? */
static bool change_is_of_row(const struct summary_diff *pass, const struct diff_change *change,
			     const struct decode_against_row *row)
{
	if (change->kind == ABI_IOCTL)
		return change->base_ioctl == row->base;
	for (size_t i = 0; i < change->reach_count; i++)
		if (is_carrier(row, change->reached_by[i].ioctl))
			return true;
	return change->kind == ABI_RECORD &&
	       is_pointed_to(pass, row->base, row->base->params,
			     change->base_name ? change->base_name : change->name);
}

/* --- fates --------------------------------------------------------------------------------------- */

/*
 * Sets @row's fate, classes and name in next from the changes that affect its ioctl, and sets @dropped,
 * indexed by change, to false for these changes.
 */
static void find_fate(const struct summary_diff *pass, struct decode_against_row *row, bool *dropped)
{
	bool is_gone = false;

	if (row->base)
		row->next_name = next_name(pass, row->base);
	for (size_t i = 0; row->base && i < pass->diff->change_count; i++) {
		const struct diff_change *change = &pass->diff->changes[i];

		if (!change_is_of_row(pass, change, row))
			continue;
		dropped[i] = false;
		row->classes |= change->classes;
		is_gone |= change->kind == ABI_IOCTL && !change->next_ioctl;
	}
	row->fate = !row->base                ? DECODE_UNKNOWN
		    : is_gone                 ? DECODE_GONE
		    : row->classes & BREAKING ? DECODE_CHANGED
		    : row->classes            ? DECODE_ALIKE
					      : DECODE_SAME;
}

int decode_against(struct decode_against *out, const struct decode_seen_ioctl *seen, size_t seen_count,
		   const struct abi *base, const struct abi *next, const struct pointer_rules *pointers,
		   struct arena *arena, struct err *err)
{
	const struct diff_options all = { .view = NULL };
	struct decode_against found = { .count = seen_count };
	const struct summary_diff pass = { base, pointers, &found.diff };
	struct decode_against_row *rows;
	bool *dropped;
	int rc;

	if ((rc = diff_documents(&found.diff, base, next, &all, arena, err)))
		return rc;
	dropped = arena_array(arena, found.diff.change_count + 1, sizeof(*dropped));
	memset(dropped, true, found.diff.change_count * sizeof(*dropped));
	found.rows = rows = arena_array(arena, seen_count + 1, sizeof(*rows));
	for (size_t i = 0; i < seen_count; i++) {
		struct decode_against_row *row = &rows[i];

		row->seen = &seen[i];
		row->base = call_find(base, seen[i].family, seen[i].number);
		find_fate(&pass, row, dropped);
		found.by_fate[row->fate]++;
		found.opaque_count += seen[i].opaque_count;
		found.unfollowed_count += seen[i].unfollowed_count;
	}
	diff_drop(&found.diff, dropped, arena);
	*out = found;
	return 0;
}
