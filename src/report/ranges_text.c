/* Ranges for a person at a terminal. */
#include "report/ranges_internal.h"
#include "report/wrap.h"

#include <string.h>

struct text {
	struct strbuf *out;
	const struct ranges *ranges;
	const struct report_style *style;
};

static const char *name_of(const struct text *text, size_t version)
{
	return text->ranges->graph->versions[version].version;
}

static void text_paragraph(struct text *text, size_t first, size_t indent, const char *words)
{
	struct wrap wrap;

	wrap_begin(&wrap, text->out, text->style, first, indent);
	wrap_text(&wrap, INK_NONE, 1, words);
	wrap_end(&wrap);
}

static void text_title(struct text *text, const struct ranges_report *report)
{
	const struct ranges *ranges = text->ranges;

	struct strbuf line = { 0 };

	strbuf_addf(&line, "(%s) on ", ranges->table->path);
	strbuf_plural(&line, ranges->graph->version_count, "version");
	strbuf_addf(&line, " of %s (%s)", report->driver, report->target);
	report_ink(text->out, text->style, INK_NAME, "%s", ranges->table->proxy);
	strbuf_addch(text->out, '\n');
	text_paragraph(text, 2, 2, strbuf_text(&line));
	strbuf_reset(&line);
	strbuf_addf(&line, "notion '%s': %s", ranges_notion_name(ranges->notion),
		    ranges->notion == RANGES_STRICT ? "every scalar of every record that the table names, with name and type"
						    : "numbers, what the proxy translates, and size, pointers and fds of what it passes "
						      "through unread");
	text_paragraph(text, 2, 2, strbuf_text(&line));
	strbuf_reset(&line);
	strbuf_plural(&line, ranges->set_count, "set");
	strbuf_addf(&line, "; %zu may use the node that they follow, %zu another one, %zu need a new one, %zu are older than the table",
		    ranges->fitting, ranges->other, ranges->needing, ranges->older);
	text_paragraph(text, 2, 2, strbuf_text(&line));
	strbuf_addch(text->out, '\n');
	strbuf_release(&line);
}

static void text_fit(struct text *text, const struct ranges_version *version)
{
	static const enum report_ink inks[] = { [RANGES_FITS] = INK_ADDED, [RANGES_OTHER] = INK_CHANGED, [RANGES_NEEDS] = INK_ALARM,
						[RANGES_OLDER] = INK_DIM };
	struct strbuf words = { 0 };

	ranges_fit_words(&words, version);
	report_ink(text->out, text->style, inks[version->fit], "%s", words.text);
	strbuf_addch(text->out, '\n');
	strbuf_release(&words);
}

/* The versions of a set, those with the same node together. */
static void text_set(struct text *text, size_t index)
{
	const struct ranges_set *set = &text->ranges->sets[index];

	for (size_t i = 0; i < set->count; i++) {
		const struct ranges_version *first = &text->ranges->versions[set->versions[i]];
		bool told = false;
		struct wrap wrap;

		for (size_t before = 0; before < i && !told; before++)
			told = ranges_same_fit(first, &text->ranges->versions[set->versions[before]]);
		if (told)
			continue;
		report_textf(text->out, i ? "      " : "  %3zu ", index + 1);
		text_fit(text, first);
		wrap_begin(&wrap, text->out, text->style, 6, 6);
		for (size_t j = i; j < set->count; j++)
			if (ranges_same_fit(first, &text->ranges->versions[set->versions[j]]))
				wrap_word(&wrap, INK_NONE, 1, "%s", name_of(text, set->versions[j]));
		wrap_end(&wrap);
	}
}

static void text_sets(struct text *text)
{
	report_ink(text->out, text->style, INK_HEAD, "Versions that are one ABI to the table, and the node that they may use");
	strbuf_addch(text->out, '\n');
	for (size_t i = 0; i < text->ranges->set_count; i++)
		text_set(text, i);
	strbuf_addch(text->out, '\n');
}

/* "alloc A, B (72 to 88 bytes)"; with -v, every finding below. */
static void text_entries(struct text *text, const struct finding_block *block)
{
	struct strbuf words = { 0 };

	strbuf_adds(&words, block->family);
	for (size_t i = 0; i < block->entry_count; i++)
		strbuf_addf(&words, "%s %s", i ? "," : "", block->entries[i]);
	strbuf_adds(&words, " (");
	ranges_entry_note(&words, block);
	strbuf_adds(&words, ")");
	text_paragraph(text, 4, 6, strbuf_text(&words));
	for (size_t i = 0; text->style->verbose && i < block->line_count; i++) {
		struct wrap wrap;

		wrap_begin(&wrap, text->out, text->style, 6, 8);
		wrap_word(&wrap, INK_REMOVED, 0, "%s", verify_rule_name(block->lines[i].first->rule));
		wrap_pad(&wrap, 21);
		wrap_text(&wrap, INK_NONE, 1, block->lines[i].message);
		wrap_end(&wrap);
	}
	strbuf_release(&words);
}

/* "5 versions after 1.0: 4 entries; one node at 2.0 would serve 2.* and 3.*", and the entries. */
static void text_need(struct text *text, size_t first)
{
	struct strbuf served = { 0 }, words = { 0 };
	struct finding_blocks blocks;
	struct arena arena = { 0 };
	struct wrap wrap;
	size_t count = ranges_served(&served, text->ranges, first);

	ranges_needs(&blocks, text->ranges, first, !text->style->verbose, &arena);
	wrap_begin(&wrap, text->out, text->style, 2, 4);
	wrap_word(&wrap, INK_NAME, 0, "%s", name_of(text, first));
	strbuf_addf(&words, "after %s: ", text->ranges->versions[first].node->version);
	strbuf_plural(&words, blocks.entry_count, "entry");
	strbuf_adds(&words, ";");
	wrap_text(&wrap, INK_NONE, 1, words.text);
	if (count > 1)
		wrap_text(&wrap, INK_NONE, 1, arena_printf(&arena, "one node would serve %s", served.text));
	else
		wrap_text(&wrap, INK_NONE, 1, "a node would serve this version alone");
	wrap_end(&wrap);
	for (size_t i = 0; i < blocks.count; i++)
		text_entries(text, &blocks.block[i]);
	strbuf_release(&words);
	strbuf_release(&served);
	arena_release(&arena);
}

static void text_needs(struct text *text)
{
	const struct ranges *ranges = text->ranges;

	if (!ranges->new_nodes)
		return;
	report_ink(text->out, text->style, INK_HEAD, "Versions that need a new node");
	strbuf_addch(text->out, '\n');
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		if (ranges_is_new_node(ranges, i))
			text_need(text, i);
	strbuf_addch(text->out, '\n');
}

static void text_node(struct text *text, const struct ranges_node *node)
{
	struct strbuf words = { 0 };
	struct wrap wrap;

	ranges_going(&words, node);
	wrap_begin(&wrap, text->out, text->style, 2, 17);
	wrap_word(&wrap, INK_NAME, 0, "%s", node->node->version);
	wrap_pad(&wrap, 16);
	wrap_text(&wrap, INK_NONE, 1, strbuf_text(&words));
	wrap_end(&wrap);
	strbuf_release(&words);
}

static void text_nodes(struct text *text)
{
	const struct ranges *ranges = text->ranges;
	struct strbuf staying = { 0 };
	size_t going = 0;

	report_ink(text->out, text->style, INK_HEAD, "Nodes that could be removed");
	strbuf_addch(text->out, '\n');
	for (size_t i = 0; i < ranges->table->node_count; i++) {
		if (!ranges_could_go(&ranges->nodes[i]))
			continue;
		text_node(text, &ranges->nodes[i]);
		going++;
	}
	strbuf_adds(text->out, going ? "" : "  none\n");
	ranges_staying(&staying, ranges);
	if (staying.length)
		text_paragraph(text, 2, 2, staying.text);
	strbuf_addch(text->out, '\n');
	strbuf_release(&staying);
}

static void text_misplaced(struct text *text)
{
	const struct ranges *ranges = text->ranges;
	struct strbuf words = { 0 };
	struct wrap wrap;

	for (size_t i = 0; i < ranges->table->node_count; i++) {
		const struct ranges_node *node = &ranges->nodes[i];

		if (!node->is_misplaced)
			continue;
		wrap_begin(&wrap, text->out, text->style, 0, 2);
		wrap_word(&wrap, INK_CHANGED, 0, "node %s", node->node->version);
		strbuf_reset(&words);
		strbuf_addf(&words, "is a child of %s in the table; in the driver's graph it follows %s",
			    node->node->parent ? node->node->parent->version : "none", node->follows ? node->follows->version : "none");
		wrap_text(&wrap, INK_NONE, 1, words.text);
		wrap_end(&wrap);
	}
	strbuf_release(&words);
}

static void text_proof(struct text *text, const struct ranges_proof *proofs)
{
	size_t compared = 0, unread = 0, against = 0;

	for (size_t i = 0; i < text->ranges->graph->version_count; i++) {
		compared += proofs[i].compared;
		unread += proofs[i].unread;
		against += proofs[i].against_count;
	}
	report_ink(text->out, text->style, INK_HEAD, "Proof");
	strbuf_adds(text->out, ": ");
	strbuf_plural(text->out, compared, "version");
	strbuf_adds(text->out, " compared with the first of their set;\n  all others have the same document\n  ");
	strbuf_plural(text->out, unread, "change");
	report_textf(text->out, " of what the proxy forwards that the table does not read,\n  ");
	strbuf_plural(text->out, against, "change");
	strbuf_adds(text->out, " that it does\n");
	for (size_t i = 0; i < text->ranges->graph->version_count; i++)
		for (size_t c = 0; c < proofs[i].against_count; c++)
			report_ink(text->out, text->style, INK_ALARM, "  %s: %s differs\n", name_of(text, i), proofs[i].against[c]);
}

void report_ranges_text(struct strbuf *out, const struct ranges_report *report, const struct report_style *style)
{
	struct text text = { .out = out, .ranges = report->ranges, .style = style };

	text_title(&text, report);
	text_sets(&text);
	text_needs(&text);
	text_nodes(&text);
	text_misplaced(&text);
	if (report->proofs)
		text_proof(&text, report->proofs);
	if (out->length > 1 && out->text[out->length - 2] == '\n')
		out->length--;
}
