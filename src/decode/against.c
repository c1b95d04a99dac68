/*
 * 1. The two documents are compared whole: only so are renames found.
 * 2. A change belongs to an ioctl that was seen if it is of the ioctl itself, of a record that it carries, or of what a
 *    pointer in its parameters leads to. All others are dropped.
 * 3. What an ioctl's changes are classes of decides its fate.
 */
#include "decode/against.h"

#include "decode/call.h"

#include <string.h>

/* What a program notices that was built for the other version. */
enum { BREAKING = DIFF_TRANSLATION | DIFF_LAYOUT | DIFF_NUMBER | DIFF_GROWTH | DIFF_ACCESS };

struct pass {
	const struct abi *base, *next;
	const struct pointer_rules *pointers;
	const struct diff *diff;
	struct decode_against_row *rows;
	size_t count;
};

const char *decode_fate_name(enum decode_fate fate)
{
	switch (fate) {
	case DECODE_SAME: return "same";
	case DECODE_CHANGED: return "changed";
	case DECODE_GONE: return "gone";
	case DECODE_ALIKE: return "alike";
	case DECODE_UNKNOWN: return "unknown";
	}
	return NULL;
}

/* --- which ioctl a change belongs to -------------------------------------------------------- */

/* What @base is called in next; NULL: it is not there. */
static const char *next_name(const struct pass *pass, const struct abi_ioctl *base)
{
	for (size_t i = 0; i < pass->diff->change_count; i++) {
		const struct diff_change *change = &pass->diff->changes[i];

		if (change->kind == ABI_IOCTL && change->base_ioctl == base)
			return change->next_ioctl ? change->next_ioctl->name : NULL;
	}
	return base->name;
}

/* Is the ioctl that carries a changed record this one, be it under its next name? What went is carried by base's. */
static bool is_carrier(const struct decode_against_row *row, const struct abi_ioctl *carrier)
{
	return !strcmp(row->base->family, carrier->family) &&
	       (!strcmp(row->base->name, carrier->name) || (row->next_name && !strcmp(row->next_name, carrier->name)));
}

/* Is @name what a pointer in the parameters leads to? */
static bool is_pointed_to(const struct pass *pass, const struct abi_ioctl *ioctl, const char *name)
{
	for (size_t i = 0; pass->pointers && ioctl->params && i < pass->pointers->count; i++) {
		const struct pointer_rule *rule = &pass->pointers->rules[i];

		if (!strcmp(rule->element, name) && call_pointer_rule_matches(rule, pass->base, ioctl, ioctl->params))
			return true;
	}
	return false;
}

static bool belongs(const struct pass *pass, const struct diff_change *change, const struct decode_against_row *row)
{
	if (change->kind == ABI_IOCTL)
		return change->base_ioctl == row->base;
	for (size_t i = 0; i < change->reach_count; i++)
		if (is_carrier(row, change->reached_by[i].ioctl))
			return true;
	return change->kind == ABI_RECORD && is_pointed_to(pass, row->base, change->base_name ? change->base_name : change->name);
}

/* --- fates --------------------------------------------------------------------------------------- */

static enum decode_fate fate_of(const struct decode_against_row *row, bool is_gone)
{
	if (!row->base)
		return DECODE_UNKNOWN;
	if (is_gone)
		return DECODE_GONE;
	if (row->classes & BREAKING)
		return DECODE_CHANGED;
	return row->classes ? DECODE_ALIKE : DECODE_SAME;
}

static void find_fate(struct pass *pass, struct decode_against_row *row, bool *dropped)
{
	bool is_gone = false;

	if (row->base)
		row->next_name = next_name(pass, row->base);
	for (size_t i = 0; row->base && i < pass->diff->change_count; i++) {
		const struct diff_change *change = &pass->diff->changes[i];

		if (!belongs(pass, change, row))
			continue;
		dropped[i] = false;
		row->classes |= change->classes;
		is_gone |= change->kind == ABI_IOCTL && !change->next_ioctl;
	}
	row->fate = fate_of(row, is_gone);
}

int decode_against(struct decode_against *out, const struct decode_seen_ioctl *seen, size_t seen_count, const struct abi *base,
		   const struct abi *next, const struct pointer_rules *pointers, struct arena *arena, struct err *err)
{
	const struct diff_options all = { .view = NULL };
	struct decode_against found = { .count = seen_count };
	struct pass pass = { .base = base, .next = next, .pointers = pointers, .diff = &found.diff, .count = seen_count };
	bool *dropped;
	int rc;

	if ((rc = diff_documents(&found.diff, base, next, &all, arena, err)))
		return rc;
	dropped = arena_array(arena, found.diff.change_count + 1, sizeof(*dropped));
	memset(dropped, true, found.diff.change_count * sizeof(*dropped));
	pass.rows = arena_array(arena, seen_count + 1, sizeof(*pass.rows));
	for (size_t i = 0; i < seen_count; i++) {
		struct decode_against_row *row = &pass.rows[i];

		row->seen = &seen[i];
		row->base = call_find(base, seen[i].family, seen[i].number);
		find_fate(&pass, row, dropped);
		found.by_fate[row->fate]++;
		found.opaque_count += seen[i].opaque_count;
		found.unfollowed_count += seen[i].unfollowed_count;
	}
	diff_drop(&found.diff, dropped, arena);
	found.rows = pass.rows;
	*out = found;
	return 0;
}
