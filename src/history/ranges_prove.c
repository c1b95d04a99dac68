/*
 * history/ranges_prove.c - that two versions of one set are one ABI to the table, by another witness
 *
 * Sets come of what the table reads (reading.c). Here the differ compares
 * each version with the first one of its set, and every change that touches
 * what the proxy forwards is held against what the table reads of it. The
 * two share the document and flatten/, and nothing else.
 */
#include "history/history.h"
#include "history/reading.h"
#include "history/same.h"

#include <stdlib.h>
#include <string.h>

struct proof {
	const struct table_view *view;
	enum ranges_notion notion;
};

/* How the table names a record. */
enum mention { NOT_NAMED, PASSED_THROUGH, TRANSLATED };

static enum mention mention_of(const struct proof *proof, const char *record)
{
	enum mention mention = NOT_NAMED;

	for (size_t i = 0; record && i < proof->view->entry_count; i++)
		for (size_t s = 0; s < proof->view->entries[i]->struct_count; s++) {
			const struct table_struct *one = &proof->view->entries[i]->structs[s];

			if (strcmp(one->driver, record))
				continue;
			if (one->proxy)
				return TRANSLATED;
			mention = PASSED_THROUGH;
		}
	return mention;
}

static enum mention stronger(enum mention a, enum mention b)
{
	return a > b ? a : b;
}

/* Of the record itself. */
static enum mention mention_of_own(const struct proof *proof, const struct diff_change *change)
{
	enum mention mention = stronger(mention_of(proof, change->name), mention_of(proof, change->base_name));

	for (size_t i = 0; i < change->also_count; i++)
		mention = stronger(mention, mention_of(proof, change->also[i]));
	return mention;
}

/* Of a record that holds it. */
static enum mention mention_of_holders(const struct proof *proof, const struct diff_change *change)
{
	enum mention mention = NOT_NAMED;

	for (size_t i = 0; i < change->reach_count; i++)
		for (size_t step = 0; step < change->reached_by[i].through_count; step++)
			mention = stronger(mention, mention_of(proof, change->reached_by[i].through[step]));
	return mention;
}

static bool must_be_acted_on(const struct diff_field_side *side)
{
	struct abi_leaf leaf;

	if (!side)
		return false;
	leaf = (struct abi_leaf){ .path = side->path, .kind = strchr(side->type, '*') ? ABI_POINTER : ABI_BYTES, .role = side->role };
	return ranges_is_acted_on(&leaf);
}

/* A name or a spelling of the same bytes is no change to a table that reads offsets. */
static bool moves_bytes(const struct diff_field *field)
{
	return !field->before || !field->after || field->moved || field->resized || field->before->role != field->after->role ||
	       (field->retyped && field->classes & ~(unsigned)DIFF_NAME);
}

static bool touches_acted_on(const struct diff_change *change)
{
	for (size_t i = 0; i < change->field_count; i++)
		if ((must_be_acted_on(change->fields[i].before) || must_be_acted_on(change->fields[i].after)) &&
		    moves_bytes(&change->fields[i]))
			return true;
	return false;
}

static bool touches_bytes(const struct diff_change *change)
{
	for (size_t i = 0; i < change->field_count; i++)
		if (moves_bytes(&change->fields[i]))
			return true;
	return change->base_record->size_bytes != change->next_record->size_bytes;
}

static bool reads_record(const struct proof *proof, const struct diff_change *change)
{
	enum mention own = mention_of_own(proof, change), any = stronger(own, mention_of_holders(proof, change));

	if (change->same_as) /* a name came or went; the record is there under another */
		return mention_of(proof, change->name) != NOT_NAMED;
	if (any == NOT_NAMED)
		return false;
	if (!change->base_record || !change->next_record)
		return own != NOT_NAMED;
	if (proof->notion == RANGES_STRICT)
		return true;
	if (any == TRANSLATED)
		return touches_bytes(change);
	return touches_acted_on(change) ||
	       (own == PASSED_THROUGH && change->base_record->size_bytes != change->next_record->size_bytes);
}

static bool is_entry_of(const struct table_entry *entry, const struct abi_ioctl *ioctl)
{
	return ioctl && !strcmp(entry->family, ioctl->family) && entry->number == ioctl->number;
}

static bool reads_ioctl(const struct proof *proof, const struct diff_change *change)
{
	const struct abi_ioctl *base = change->base_ioctl, *next = change->next_ioctl;

	if (base && next && base->number == next->number && !strcmp(base->name, next->name) && !(change->classes & DIFF_NUMBER))
		return false;
	for (size_t i = 0; i < proof->view->entry_count; i++)
		if (is_entry_of(proof->view->entries[i], base) || is_entry_of(proof->view->entries[i], next))
			return true;
	return false;
}

static bool reads_constant(const struct proof *proof, const struct diff_change *change)
{
	for (size_t i = 0; i < proof->view->entry_count; i++)
		if (proof->view->entries[i]->constant && !strcmp(proof->view->entries[i]->constant, change->name))
			return true;
	return false;
}

static bool reads(const struct proof *proof, const struct diff_change *change)
{
	switch (change->kind) {
	case ABI_RECORD: return reads_record(proof, change);
	case ABI_IOCTL: return reads_ioctl(proof, change);
	case ABI_CONSTANT: return reads_constant(proof, change);
	case ABI_ALIAS:
	case ABI_ENUM: return false; /* the record that uses it has a change of its own */
	}
	return true;
}

/* Sorts the changes of @diff into those that the table reads and the others that the proxy forwards. */
static void judge_changes(struct ranges_proof *out, const struct proof *proof, const struct diff *diff, struct arena *arena)
{
	const char **against = arena_array(arena, diff->change_count + 1, sizeof(char *));

	for (size_t i = 0; i < diff->change_count; i++) {
		const struct diff_change *change = &diff->changes[i];

		if (reads(proof, change))
			against[out->against_count++] = arena_printf(arena, "%s %s", abi_kind_name(change->kind), change->name);
		else
			out->unread += change->proxied;
	}
	out->against = against;
}

int ranges_prove(struct ranges_proof *out, const struct ranges *ranges, size_t version, struct arena *arena, struct err *err)
{
	const struct ranges_version *one = &ranges->versions[version];
	const struct history_version *all = ranges->graph->versions;
	size_t first = one->set == SIZE_MAX ? version : ranges->sets[one->set].versions[0];
	struct ranges_proof proved = { 0 };
	struct arena scratch = { 0 };
	struct diff_options options = { 0 };
	struct proof proof = { ranges_view(ranges, one->node), ranges->notion };
	struct diff diff;
	int rc;

	if (!all[version].abi || first == version || history_same(all[first].abi, all[version].abi)) {
		*out = proved;
		return 0;
	}
	options.view = proof.view;
	if (!(rc = diff_documents(&diff, all[first].abi, all[version].abi, &options, &scratch, err))) {
		proved.compared = true;
		judge_changes(&proved, &proof, &diff, arena);
		*out = proved;
	}
	arena_release(&scratch);
	return rc;
}
