/*
 * report/show_text.c - what names and numbers are, for a person
 *
 * First which version it is of, then a paragraph for each thing.
 */
#include "report/show.h"

#include "report/wrap.h"
#include "report/style.h"

#include <inttypes.h>
#include <string.h>

enum { CONSTANTS_SHOWN = 12 };

struct text {
	struct strbuf *out;
	const struct history_graph *graph;
	const struct report_style *style;
};

/* "  since       560.28.03; …": under what an ioctl's own lines say. */
static void text_line(struct text *text, const char *label, const char *words)
{
	struct wrap wrap;

	report_textf(text->out, "  %-11s ", label);
	wrap_continue(&wrap, text->out, text->style, 14);
	wrap_text(&wrap, INK_NONE, 0, words);
	wrap_end(&wrap);
}

static void text_span(struct text *text, const struct history_span *span, const char *indent)
{
	struct strbuf words = { 0 };
	struct wrap wrap;

	if (!span)
		return;
	report_span_words(&words, text->graph, span);
	strbuf_adds(text->out, indent);
	wrap_continue(&wrap, text->out, text->style, 4);
	wrap_text(&wrap, INK_NONE, 0, words.text);
	wrap_end(&wrap);
	strbuf_release(&words);
}

/* What is said of an ioctl, and of a command that no table lists. */
static void text_number(struct text *text, const struct show_item *item)
{
	struct strbuf words = { 0 };

	if (item->parse) {
		report_parse_words(&words, item->parse);
		text_line(text, "number", words.text);
	}
	if (item->item->span) {
		strbuf_reset(&words);
		report_span_words(&words, text->graph, item->item->span);
		text_line(text, "versions", words.text);
	}
	if (item->forwarded) {
		strbuf_reset(&words);
		report_forwarded_words(&words, item->forwarded);
		text_line(text, "proxy", words.text);
	}
	strbuf_release(&words);
}

void report_described_text(struct strbuf *out, const struct history_graph *graph, const struct show_item *item, const struct report_style *style)
{
	struct text text = { .out = out, .graph = graph, .style = style };

	report_ioctl_text(out, item->item->ioctl, style);
	text_number(&text, item);
}

static void text_record(struct text *text, const struct abi *abi, const struct show_item *item)
{
	report_record_text(text->out, abi, item->record, item->layout, item->users, item->user_count, text->style);
}

static void text_item(struct text *text, const struct abi *abi, const struct show_item *item)
{
	const struct lookup_item *one = item->item;

	switch (one->kind) {
	case ABI_RECORD:
		text_record(text, abi, item);
		text_span(text, one->span, "\n");
		return;
	case ABI_ENUM:
		report_enum_text(text->out, one->one, text->style);
		text_span(text, one->span, "  ");
		return;
	case ABI_ALIAS:
		report_alias_text(text->out, one->alias, text->style);
		text_span(text, one->span, "  ");
		return;
	case ABI_CONSTANT:
		report_constant_text(text->out, one->constant, text->style);
		if (one->is_command)
			report_textf(text->out, "  a command macro, which no exported method serves\n");
		if (one->is_command)
			text_number(text, item);
		else
			text_span(text, one->span, "  ");
		return;
	case ABI_IOCTL:
		report_described_text(text->out, text->graph, item, text->style);
		if (item->record) {
			strbuf_addch(text->out, '\n');
			text_record(text, abi, item);
		}
		return;
	}
}

void report_elsewhere_text(struct strbuf *out, const struct lookup_word *word, const char *asked, const char *nearest,
			   const struct report_style *style)
{
	struct wrap wrap;

	report_textf(out, "%s: ", word->text);
	wrap_continue(&wrap, out, style, 4);
	wrap_word(&wrap, INK_ALARM, 0, word->is_number ? "no ioctl or command of %s;" : "not in %s;", asked);
	wrap_text(&wrap, INK_NONE, 1, "this is");
	wrap_word(&wrap, INK_NONE, 1, "%s,", nearest);
	wrap_text(&wrap, INK_NONE, 1, "the nearest version that has it");
	wrap_end(&wrap);
}

static void text_others(struct text *text, const struct show_word *word)
{
	struct strbuf words = { 0 };
	struct wrap wrap;

	if (word->lookup->other_count)
		report_textf(text->out, "\n%s in other versions\n", word->word->text);
	for (size_t i = 0; i < word->lookup->other_count; i++) {
		const struct history_span *span = word->lookup->others[i];

		strbuf_reset(&words);
		report_span_words(&words, text->graph, span);
		report_textf(text->out, "  %s ", span->family ? span->family : "macro");
		report_ink(text->out, text->style, INK_NAME, "%s", span->name);
		strbuf_adds(text->out, "\n    ");
		wrap_continue(&wrap, text->out, text->style, 6);
		wrap_text(&wrap, INK_NONE, 0, words.text);
		wrap_end(&wrap);
	}
	strbuf_release(&words);
}

/* Of a number, the constants that are no commands go on a list: a small number is the value of many. */
static bool is_listed(const struct show_word *word, const struct show_item *item)
{
	return word->word->is_number && item->item->kind == ABI_CONSTANT && !item->item->is_command;
}

static void text_constants(struct text *text, const struct show_word *word)
{
	size_t count = 0, shown = 0;

	for (size_t i = 0; i < word->lookup->item_count; i++)
		count += is_listed(word, &word->items[i]);
	if (count)
		report_textf(text->out, "\nconstants that are %s\n", word->word->text);
	for (size_t i = 0; i < word->lookup->item_count; i++)
		if (is_listed(word, &word->items[i]) && (text->style->verbose || count <= CONSTANTS_SHOWN + 1 || shown < CONSTANTS_SHOWN)) {
			report_textf(text->out, "  %s\n", word->items[i].item->constant->name);
			shown++;
		}
	if (shown < count)
		report_textf(text->out, "  and %zu more (-v lists them)\n", count - shown);
}

void report_show_text(struct strbuf *out, const struct show_report *report, const struct report_style *style)
{
	struct text text = { .out = out, .graph = report->graph, .style = style };
	bool first = true;

	report_origin_text(out, report->abi);
	for (size_t w = 0; w < report->count; w++) {
		const struct show_word *word = &report->words[w];

		if (word->abi != report->abi) {
			strbuf_addch(out, '\n');
			report_elsewhere_text(out, word->word, report->abi->version, word->abi->version, style);
			first = false;
		}
		for (size_t i = 0; i < word->lookup->item_count; i++) {
			if (is_listed(word, &word->items[i]))
				continue;
			if (!first)
				strbuf_addch(out, '\n');
			first = false;
			text_item(&text, word->abi, &word->items[i]);
		}
		text_constants(&text, word);
		text_others(&text, word);
	}
}
