/* The distinct ioctls of many calls, for a person at a terminal and for an issue or a pull request. */
#include "report/decode_internal.h"

/* "3 NV_OK, 1 NV_ERR_NOT_SUPPORTED" */
static void status_words(struct strbuf *words, const struct decode_total *total)
{
	for (size_t i = 0; i < total->status_count; i++) {
		const struct decode_status_count *status = &total->statuses[i];

		strbuf_addf(words, "%s%zu ", i ? ", " : "", status->count);
		if (status->name)
			strbuf_adds(words, status->name);
		else
			strbuf_addf(words, "0x%llx", (unsigned long long)status->status);
	}
	if (total->other_statuses)
		strbuf_addf(words, ", %zu others", total->other_statuses);
	if (total->failed)
		strbuf_addf(words, "%s%zu failed", words->length ? ", " : "", total->failed);
}

static void text_statuses(struct decode_text *text, const struct decode_total *total)
{
	struct strbuf words = { 0 };

	status_words(&words, total);
	if (words.length)
		decode_text_label(text, "status", INK_NONE, words.text);
	strbuf_release(&words);
}

static void pointer_words(struct strbuf *words, const struct decode_total *total)
{
	strbuf_plural(words, total->unfollowed, "call");
	strbuf_adds(words, " had pointers that no rule is for: what they lead to is not known");
}

static void text_pointers(struct decode_text *text, const struct decode_total *total)
{
	struct strbuf words = { 0 };

	pointer_words(&words, total);
	decode_text_label(text, "note", INK_CHANGED, words.text);
	strbuf_release(&words);
}

/* "570.86.15; removed in 575.51.02"; of several names, each with its own. */
static void lifetime_words(struct strbuf *words, const struct decode_ioctl *ioctl)
{
	for (size_t i = 0; i < ioctl->name_count; i++) {
		const struct decode_name *name = &ioctl->names[i];

		if (*name->lifetime && ioctl->name_count > 1)
			strbuf_addf(words, "%s%s: ", words->length ? "; " : "", name->name);
		strbuf_adds(words, name->lifetime);
	}
}

static const char *version_of_total(const struct decode_total *total)
{
	return total->call->ioctls[total->call->count - 1].is_asked ? total->call->version : NULL;
}

/* Are there calls of several versions of the driver? */
static bool has_several_versions(const struct decode_summary *summary)
{
	const char *first = NULL;

	for (size_t i = 0; i < summary->count; i++) {
		const char *version = version_of_total(&summary->totals[i]);

		if (first && version && version != first)
			return true;
		first = version ? version : first;
	}
	return false;
}

/* @version: that the calls were made with, if it is to be told */
static void text_total(struct decode_text *text, const struct decode_total *total, const char *version)
{
	const struct decode_ioctl *last = &total->call->ioctls[total->call->count - 1];
	struct strbuf words = { 0 };

	decode_text_title(text, last, false);
	wrap_word(&text->line, INK_NONE, 1, "x%zu", total->count);
	wrap_end(&text->line);
	if (version)
		decode_text_label(text, "driver", INK_NONE, version);
	text_statuses(text, total);
	if (last->has_size)
		decode_text_parameters(text, last);
	decode_text_versions(text, last);
	lifetime_words(&words, last);
	if (words.length)
		decode_text_label(text, "since", INK_NONE, words.text);
	strbuf_release(&words);
	for (size_t i = 0; i < last->note_count; i++)
		decode_text_label(text, "note", INK_CHANGED, last->notes[i]);
	if (total->unfollowed)
		text_pointers(text, total);
	if (total->call->has_table)
		decode_text_proxy(text, total->call);
}

void report_decode_summary(struct strbuf *out, const struct decode_summary *summary, const struct report_style *style)
{
	struct decode_text text = { .out = out, .style = style };
	const bool has_versions = has_several_versions(summary);

	if (!summary->count)
		strbuf_adds(out, "no ioctl of the driver\n");
	for (size_t i = 0; i < summary->count; i++)
		text_total(&text, &summary->totals[i], has_versions ? version_of_total(&summary->totals[i]) : NULL);
	if (summary->left_out) {
		strbuf_plural(out, summary->left_out, "call");
		strbuf_addf(out, " of ioctls beyond the first %d distinct ones\n", (int)DECODE_SUMMARY_MAX);
	}
}

/* --- markdown ----------------------------------------------------------------------------------- */

static void markdown_cell(struct strbuf *out, const struct strbuf *words)
{
	escape_markdown(out, strbuf_text(words));
	strbuf_adds(out, " | ");
}

static void markdown_total(struct strbuf *out, const struct decode_total *total, const char *version, bool has_table)
{
	const struct decode_ioctl *last = &total->call->ioctls[total->call->count - 1];
	struct strbuf words = { 0 };

	strbuf_adds(out, "| ");
	escape_markdown(out, last->family);
	strbuf_addf(out, " 0x%llx ", (unsigned long long)last->number);
	decode_markdown_names(out, last);
	strbuf_addf(out, " | %zu | ", total->count);
	status_words(&words, total);
	markdown_cell(out, &words);
	strbuf_reset(&words);
	if (last->has_size)
		strbuf_addf(out, "%llu | ", (unsigned long long)last->size_bytes);
	else
		strbuf_adds(out, "| ");
	lifetime_words(&words, last);
	if (version)
		strbuf_addf(&words, "%sdriver %s", words.length ? "; " : "", version);
	for (size_t i = 0; i < last->note_count; i++)
		strbuf_addf(&words, "%s%s", words.length ? "; " : "", last->notes[i]);
	if (total->unfollowed) {
		strbuf_adds(&words, words.length ? "; " : "");
		pointer_words(&words, total);
	}
	markdown_cell(out, &words);
	strbuf_reset(&words);
	if (has_table && total->call->has_table)
		report_decode_proxy_words(&words, &total->call->forwarded);
	if (has_table) {
		for (size_t i = 0; total->call->adds && i < last->name_count; i++)
			if (total->call->adds[i])
				strbuf_addf(&words, "%s%s", i ? "; or " : ": ", total->call->adds[i]);
		markdown_cell(out, &words);
	}
	out->length--; /* no space at a line's end */
	out->text[out->length] = '\0';
	strbuf_adds(out, "\n");
	strbuf_release(&words);
}

void report_decode_summary_markdown(struct strbuf *out, const struct decode_summary *summary)
{
	const bool has_versions = has_several_versions(summary);
	bool has_table = false;

	for (size_t i = 0; i < summary->count; i++)
		has_table |= summary->totals[i].call->has_table;
	if (!summary->count) {
		strbuf_adds(out, "No ioctl of the driver.\n");
		return;
	}
	strbuf_addf(out, "| ioctl | calls | status | bytes | since |%s\n|---|---|---|---|---|%s\n", has_table ? " proxy |" : "", has_table ? "---|" : "");
	for (size_t i = 0; i < summary->count; i++)
		markdown_total(out, &summary->totals[i], has_versions ? version_of_total(&summary->totals[i]) : NULL, has_table);
	if (summary->left_out)
		strbuf_addf(out, "\n%zu calls of ioctls beyond the first %d distinct ones.\n", summary->left_out, (int)DECODE_SUMMARY_MAX);
}
