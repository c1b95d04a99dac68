/* Ranges for a person at a terminal. */
#include "report/ranges.h"

#include "report/style.h"

#include <string.h>

enum { FINDINGS_SHOWN = 5, LINE_COLUMNS = 110 };

struct text {
	struct strbuf *out;
	const struct ranges *ranges;
	const struct report_style *style;
};

static const char *name_of(const struct text *text, size_t version)
{
	return text->ranges->graph->versions[version].version;
}

static void text_title(struct text *text, const struct ranges_report *report)
{
	const struct ranges *ranges = text->ranges;

	report_ink(text->out, text->style, INK_NAME, "%s", ranges->table->proxy);
	report_textf(text->out, " (%s) on ", ranges->table->path);
	report_plural(text->out, ranges->graph->version_count, "version");
	report_textf(text->out, " of %s  (%s)\n", report->driver, report->target);
	report_textf(text->out, "  notion '%s': %s\n", ranges_notion_name(ranges->notion),
		     ranges->notion == RANGES_STRICT ? "every scalar of every struct that the table names, with name and type"
						    : "numbers, what the proxy translates, and of what it passes through unread size, "
						      "pointers and fds");
	strbuf_adds(text->out, "  ");
	report_plural(text->out, ranges->set_count, "set");
	report_textf(text->out, "; %zu may use the node that they follow, %zu another one, %zu need a new one, %zu are older than the table\n\n",
		     ranges->fitting, ranges->other, ranges->needing, ranges->older);
}

/* A list of versions, broken into lines. */
struct list {
	size_t column;
};

static void list_add(struct text *text, struct list *list, const char *word)
{
	size_t length = strlen(word);

	if (!list->column || list->column + 1 + length > LINE_COLUMNS) {
		strbuf_adds(text->out, list->column ? "\n      " : "      ");
		list->column = 6;
	} else {
		strbuf_addch(text->out, ' ');
		list->column++;
	}
	escape_terminal(text->out, word);
	list->column += length;
}

static bool same_fit(const struct ranges_version *a, const struct ranges_version *b)
{
	return a->fit == b->fit && a->safe == b->safe && a->follows_none == b->follows_none;
}

static void text_fit(struct text *text, const struct ranges_version *version)
{
	switch (version->fit) {
	case RANGES_FITS:
		report_ink(text->out, text->style, INK_ADDED, "may use %s", version->safe->version);
		strbuf_adds(text->out, version->follows_none ? ", though older than the table" : "");
		break;
	case RANGES_OTHER:
		report_ink(text->out, text->style, INK_CHANGED, "may use %s", version->safe->version);
		report_textf(text->out, ", not %s, which they follow", version->node->version);
		break;
	case RANGES_NEEDS:
		report_ink(text->out, text->style, INK_ALARM, "need a new node");
		report_textf(text->out, " after %s", version->node->version);
		break;
	case RANGES_OLDER:
		report_ink(text->out, text->style, INK_DIM, "older than the table");
		report_textf(text->out, ": with %s, verify has %zu findings", version->node->version, version->fresh_count);
		break;
	}
	strbuf_addch(text->out, '\n');
}

/* The versions of a set, those with the same node together. */
static void text_set(struct text *text, size_t index)
{
	const struct ranges_set *set = &text->ranges->sets[index];

	for (size_t i = 0; i < set->count; i++) {
		const struct ranges_version *first = &text->ranges->versions[set->versions[i]];
		struct list list = { 0 };
		bool told = false;

		for (size_t before = 0; before < i && !told; before++)
			told = same_fit(first, &text->ranges->versions[set->versions[before]]);
		if (told)
			continue;
		report_textf(text->out, i ? "      " : "  %3zu ", index + 1);
		text_fit(text, first);
		for (size_t j = i; j < set->count; j++)
			if (same_fit(first, &text->ranges->versions[set->versions[j]]))
				list_add(text, &list, name_of(text, set->versions[j]));
		strbuf_addch(text->out, '\n');
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

static void text_findings(struct text *text, const struct ranges_version *version)
{
	size_t shown = text->style->verbose || version->fresh_count <= FINDINGS_SHOWN + 1 ? version->fresh_count : FINDINGS_SHOWN;

	for (size_t i = 0; i < shown; i++)
		report_textf(text->out, "      %s  %s %s: %s\n", verify_rule_name(version->fresh[i].rule), version->fresh[i].family,
			     version->fresh[i].entry, version->fresh[i].message);
	if (shown < version->fresh_count)
		report_ink(text->out, text->style, INK_DIM, "      and %zu more (-v lists them)\n", version->fresh_count - shown);
}

static void text_served(struct text *text, size_t first)
{
	const struct ranges *ranges = text->ranges;
	bool any = false;

	for (size_t i = 0; i < ranges->graph->version_count; i++)
		if (i != first && ranges->graph->versions[i].abi && ranges->versions[i].served_by == (long)first) {
			report_textf(text->out, "%s %s", any ? "" : "      it would serve", name_of(text, i));
			any = true;
		}
	strbuf_adds(text->out, any ? "\n" : "");
}

static void text_needs(struct text *text)
{
	const struct ranges *ranges = text->ranges;

	if (!ranges->new_nodes)
		return;
	report_ink(text->out, text->style, INK_HEAD, "Versions that need a new node");
	strbuf_addch(text->out, '\n');
	for (size_t i = 0; i < ranges->graph->version_count; i++) {
		const struct ranges_version *version = &ranges->versions[i];

		if (!ranges->graph->versions[i].abi || version->fit != RANGES_NEEDS || version->served_by != (long)i)
			continue;
		report_ink(text->out, text->style, INK_NAME, "  %s", name_of(text, i));
		report_textf(text->out, ", after %s: ", version->node->version);
		report_plural(text->out, version->fresh_count, "finding");
		strbuf_addch(text->out, '\n');
		text_findings(text, version);
		text_served(text, i);
	}
	strbuf_addch(text->out, '\n');
}

static void text_node(struct text *text, const struct ranges_node *node)
{
	const char *parent = node->node->parent ? node->node->parent->version : "";

	switch (node->verdict) {
	case RANGES_KEEP:
		return;
	case RANGES_EMPTY:
		report_textf(text->out, "  %-14s forwards just what %s does%s\n", node->node->version, parent,
			     node->node->supported ? "; the table needs it only to call the version supported" : "");
		return;
	case RANGES_MERGE:
		report_textf(text->out, "  %-14s what it says is true of every version that follows %s: the two could be one\n",
			     node->node->version, parent);
		return;
	case RANGES_UNKNOWN:
		report_textf(text->out, "  %-14s cannot be judged: there is no source of it, or of %s\n", node->node->version, parent);
		return;
	}
}

static void text_nodes(struct text *text)
{
	const struct ranges *ranges = text->ranges;
	size_t before;

	report_ink(text->out, text->style, INK_HEAD, "Nodes that could go");
	strbuf_addch(text->out, '\n');
	before = text->out->length;
	for (size_t i = 0; i < ranges->table->node_count; i++)
		text_node(text, &ranges->nodes[i]);
	strbuf_adds(text->out, text->out->length == before ? "  none\n\n" : "\n");
}

static void text_misplaced(struct text *text)
{
	const struct ranges *ranges = text->ranges;

	for (size_t i = 0; i < ranges->table->node_count; i++) {
		const struct ranges_node *node = &ranges->nodes[i];

		if (!node->is_misplaced)
			continue;
		report_ink(text->out, text->style, INK_CHANGED, "node %s", node->node->version);
		report_textf(text->out, " is a child of %s in the table; in the driver's graph it follows %s\n",
			     node->node->parent ? node->node->parent->version : "none",
			     node->follows ? node->follows->version : "none");
	}
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
	report_plural(text->out, compared, "version");
	strbuf_adds(text->out, " compared with the first of their set; all others have its very document\n  ");
	report_plural(text->out, unread, "change");
	report_textf(text->out, " of what the proxy forwards that the table does not read, ");
	report_plural(text->out, against, "change");
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
