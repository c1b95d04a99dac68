/* diff/tally.c - how much of what the proxy forwards changed */
#include "diff/pass.h"

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
