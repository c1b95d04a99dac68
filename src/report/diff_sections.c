/*
 * report/diff_sections.c - what a diff with a table says beyond its changes
 *
 * The verdict, the titles of the sections, what calls for a handler, and the
 * records that are told under another one.
 */
#include "report/diff_flags.h"
#include "report/diff_internal.h"
#include "report/style.h"
#include "report/wrap.h"

#include <inttypes.h>
#include <string.h>

enum { UNDER_SHOWN = 8 };

static const char *title_of(enum diff_section section)
{
	switch (section) {
	case DIFF_SECTION_READ: return "reads, which may need a new type, number or name";
	case DIFF_SECTION_HANDLER: return "passes through unread, but which gained a pointer, fd or pid: it needs a handler";
	case DIFF_SECTION_UNREAD: return "passes through unread, with nothing to do";
	case DIFF_SECTION_NONE: return "does not forward";
	}
	return "";
}

/* A record that was added or removed inside another one is no change of its own; flags are counted where they are folded. */
static bool is_counted(const struct diff_change *change)
{
	return !change->inside && !(change->proxied && report_only_flags(change));
}

void report_section_title(struct strbuf *out, const struct diff *diff, enum diff_section section, const char *proxy)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->change_count; i++)
		count += diff->changes[i].section == section && is_counted(&diff->changes[i]);
	strbuf_addf(out, "What %s %s: ", proxy, title_of(section));
	strbuf_plural(out, count, "change");
}

/* "pointer data.p" */
static void add_came(struct strbuf *out, const struct diff_came *came)
{
	if (*came->path)
		strbuf_addf(out, "%s %s", abi_role_name(came->role), came->path);
	else
		strbuf_addf(out, "%s in its parameters, which the driver follows", abi_role_name(came->role));
}

void report_came(struct strbuf *out, const struct diff_change *change)
{
	for (size_t i = 0; i < change->came_count; i++) {
		strbuf_adds(out, i ? ", " : "");
		add_came(out, &change->came[i]);
	}
}

void report_came_text(struct strbuf *out, const struct diff_change *change, const struct report_style *style)
{
	struct strbuf came = { 0 };
	struct wrap wrap;

	if (!change->came_count)
		return;
	report_came(&came, change);
	wrap_begin(&wrap, out, style, 4, 10);
	wrap_label(&wrap, INK_ALARM, "new   ");
	wrap_clauses(&wrap, INK_ALARM, 0, strbuf_text(&came));
	wrap_end(&wrap);
	strbuf_release(&came);
}

void report_aligned(struct strbuf *out, const struct diff_change *change, const char *arrow)
{
	const struct abi_record *before = change->base_record, *after = change->next_record;

	if (before && after && before->align_bytes != after->align_bytes)
		strbuf_addf(out, ", align %" PRIu64 " %s %" PRIu64, before->align_bytes, arrow, after->align_bytes);
}

void report_enum_type(struct strbuf *out, const struct diff_change *change, const char *arrow)
{
	const struct abi_enum *before = change->base_enum, *after = change->next_enum;

	if (before && after && (before->size_bytes != after->size_bytes || strcmp(before->type, after->type)))
		strbuf_addf(out, "%s %s %s", before->type, arrow, after->type);
}

void report_sizes(struct strbuf *out, const struct diff_change *change, const char *arrow)
{
	const struct abi_record *before = change->base_record, *after = change->next_record;

	report_resized(out, (before ? before : after)->size_bytes, (after ? after : before)->size_bytes, arrow, "byte");
	report_aligned(out, change, arrow);
	if (!before || !after)
		strbuf_adds(out, after ? ", added" : ", removed");
}

/* "hence" is what changed because of it, "with" what was added or removed with it. */
static void text_one_under(struct strbuf *out, const struct diff_change *change, const char *label, const struct report_style *style)
{
	struct strbuf sizes = { 0 };
	struct wrap wrap;

	report_sizes(&sizes, change, "->");
	wrap_begin(&wrap, out, style, 4, 12);
	wrap_label(&wrap, INK_DIM, label);
	wrap_word(&wrap, INK_NONE, 0, "%s", report_unit(change));
	wrap_word(&wrap, INK_NONE, 1, "%s", change->name);
	wrap_word(&wrap, INK_NONE, 2, "%s", strbuf_text(&sizes));
	if (change->under->proxied && !change->proxied)
		wrap_word(&wrap, INK_DIM, 2, "(not forwarded)");
	wrap_end(&wrap);
	strbuf_release(&sizes);
}

/* Of one sort: with or without a name in inside. */
static void text_under(struct strbuf *out, const struct diff_change *root, bool inside, const struct report_style *style)
{
	const char *label = inside ? "with  " : "hence ";
	size_t count = 0, folded = 0;

	for (size_t i = 0; i < root->told_count; i++) {
		const struct diff_change *change = root->told[i];

		if (!change->inside == inside)
			continue;
		if (count >= UNDER_SHOWN && !style->verbose && !(change->proxied && change->section <= DIFF_SECTION_HANDLER)) {
			folded++;
			continue;
		}
		text_one_under(out, change, count++ ? "      " : label, style);
	}
	if (folded)
		report_ink(out, style, INK_DIM, "          and %zu more (-v lists them)\n", folded);
}

void report_under_text(struct strbuf *out, const struct diff_change *change, const struct report_style *style)
{
	text_under(out, change, false, style);
	text_under(out, change, true, style);
}

static void text_sentence(struct strbuf *out, const char *sentence, size_t indent, enum report_ink ink, const struct report_style *style)
{
	struct wrap wrap;

	wrap_begin(&wrap, out, style, indent, indent);
	wrap_text(&wrap, ink, 1, sentence);
	wrap_end(&wrap);
}

void report_verdict_text(struct strbuf *out, const struct diff_report *report, const struct report_style *style)
{
	struct strbuf sentence = { 0 };

	report_verdict(&sentence, report);
	text_sentence(out, strbuf_text(&sentence), 0, INK_NAME, style);
	strbuf_reset(&sentence);
	report_verdict_proof(&sentence, report);
	if (sentence.length)
		text_sentence(out, strbuf_text(&sentence), 2, INK_NONE, style);
	strbuf_addch(out, '\n');
	strbuf_release(&sentence);
}
