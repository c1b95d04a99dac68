/*
 * report/ranges.c - which versions are one ABI to a table, as text, Markdown and JSON
 */
#include "report/internal.h"
#include "report/report.h"
#include "abi/abi.h"

#include <inttypes.h>
#include <string.h>

/* Does a version say "I need a node of my own"? Others may use it. */
static bool ranges_is_new_node(const struct ranges *ranges, size_t version)
{
	return ranges->graph->versions[version].abi && ranges->versions[version].fit == RANGES_NEEDS &&
	       ranges->versions[version].served_by == (long)version;
}

static bool is_served(const struct ranges *ranges, size_t version, size_t first)
{
	return ranges->graph->versions[version].abi && ranges->versions[version].fit == RANGES_NEEDS &&
	       ranges->versions[version].served_by == (long)first;
}

static bool same_release(const struct ranges *ranges, size_t a, size_t b)
{
	const char *x = ranges->graph->versions[a].version, *y = ranges->graph->versions[b].version;
	size_t length = strcspn(x, ".");

	return length == strcspn(y, ".") && !strncmp(x, y, length);
}

/* Does @first serve all of the release of @version, and is that more than one? */
static bool serves_release(const struct ranges *ranges, size_t version, size_t first)
{
	size_t count = 0;

	for (size_t i = 0; i < ranges->graph->version_count; i++) {
		if (!same_release(ranges, version, i))
			continue;
		if (!is_served(ranges, i, first))
			return false;
		count++;
	}
	return count > 1;
}

/* Is @version the first of its release that @first serves? */
static bool is_first_of_release(const struct ranges *ranges, size_t version, size_t first)
{
	for (size_t i = 0; i < version; i++)
		if (is_served(ranges, i, first) && same_release(ranges, version, i))
			return false;
	return true;
}

/* Item @index of @count; "and" comes before the last of them. */
static void add_item(struct strbuf *out, size_t index, size_t count, const char *name, size_t length,
		     const char *suffix)
{
	strbuf_addf(out, "%s%.*s%s",
		    !index              ? ""
		    : index + 1 < count ? ", "
					: " and ",
		    (int)length, name, suffix);
}

/**
 * ranges_served - "590.* and 595.*": the versions that a new node for @first would serve, including @first
 *
 * "590.*" only if that is every version whose first number is 590, and there are several. Return: how many
 * versions.
 */
static size_t ranges_served(struct strbuf *out, const struct ranges *ranges, size_t first)
{
	size_t total = ranges->graph->version_count, items = 0, added = 0, served = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < total; i++) {
			const char *name = ranges->graph->versions[i].version;
			bool whole;

			if (!is_served(ranges, i, first))
				continue;
			served += !pass;
			whole = serves_release(ranges, i, first);
			if (whole && !is_first_of_release(ranges, i, first))
				continue;
			if (pass)
				add_item(out, added++, items, name, whole ? strcspn(name, ".") : strlen(name),
					 whole ? ".*" : "");
			else
				items++;
		}
	return served;
}

/* ranges_needs - why those versions need it: the findings of all of them; @fold: see findings_group() */
static void ranges_needs(struct finding_blocks *out, const struct ranges *ranges, size_t first, bool fold,
			 struct arena *arena)
{
	struct finding_at *items;
	size_t total = 0, count = 0;

	for (size_t i = 0; i < ranges->graph->version_count; i++)
		total += is_served(ranges, i, first) ? ranges->versions[i].fresh_count : 0;
	items = arena_array(arena, total + 1, sizeof(*items));
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		for (size_t f = 0; is_served(ranges, i, first) && f < ranges->versions[i].fresh_count; f++)
			items[count++] = (struct finding_at){ &ranges->versions[i].fresh[f], i };
	findings_group(out, items, count, fold, arena);
}

static void add_note(struct strbuf *out, size_t start)
{
	if (out->length > start)
		strbuf_adds(out, ", ");
}

/* A number or a size that is another one; the same of a second record is listed once. */
static void add_change(struct strbuf *out, size_t start, const struct verify_finding *finding)
{
	const struct verify_side *driver = &finding->driver, *proxy = &finding->proxy;

	add_note(out, start);
	if (finding->rule == VERIFY_SIZE)
		report_resized(out, proxy->size_bytes, driver->size_bytes, "to", "byte");
	else if (finding->rule == VERIFY_NUMBER && driver->has_number && proxy->has_number)
		strbuf_addf(out, "0x%" PRIx64 " to 0x%" PRIx64, proxy->number, driver->number);
	else if (finding->rule == VERIFY_MISSING_RECORD)
		strbuf_addf(out, "no %s", finding->record);
	else
		strbuf_adds(out, verify_rule_name(finding->rule));
}

static bool is_of_field(const struct verify_finding *finding)
{
	return finding->rule == VERIFY_FIELD_OFFSET || finding->rule == VERIFY_FIELD_TYPE ||
	       finding->rule == VERIFY_FIELD_MISSING || finding->rule == VERIFY_PADDING_OVERLAP ||
	       finding->rule == VERIFY_NOT_SIMPLE;
}

/* ranges_entry_note - "72 to 88 bytes, 2 fields": the difference of a block's entries */
static void ranges_entry_note(struct strbuf *out, const struct finding_block *block)
{
	const struct verify_finding *field = NULL;
	size_t start = out->length, fields = 0;

	for (size_t i = 0; i < block->line_count; i++) {
		const struct finding_line *line = &block->lines[i];

		if (is_of_field(line->first) && *line->first->path) {
			fields += line->finding_count;
			field = line->first;
		} else {
			add_change(out, start, line->first);
		}
	}
	if (!field)
		return;
	add_note(out, start);
	if (fields == 1)
		strbuf_adds(out, field->path);
	else
		strbuf_plural(out, fields, "field");
}

/* ranges_could_go - is it a node that could go? */
static bool ranges_could_go(const struct ranges_node *node)
{
	return node->verdict == RANGES_MERGE || (node->verdict == RANGES_EMPTY && !node->node->supported);
}

/* ranges_going - why it could go, as a clause: "forwards just what 1.0 does" */
static void ranges_going(struct strbuf *out, const struct ranges_node *node)
{
	const char *parent =
		node->node->parent ? node->node->parent->version : "its parent"; /* the root cannot go */

	if (node->verdict == RANGES_EMPTY)
		strbuf_addf(out, "forwards what %s does, and is not a supported version%s", parent,
			    node->version < 0 ? "; the driver of that version was not examined" : "");
	else
		strbuf_addf(out, "its changes are true of every version that follows %s: merge the two",
			    parent);
}

/* ranges_staying - the nodes that could not be removed and deserve a sentence each; empty if nothing is */
static void ranges_staying(struct strbuf *out, const struct ranges *ranges)
{
	size_t empty = 0, unknown = 0;

	for (size_t i = 0; i < ranges->table->node_count; i++) {
		empty += ranges->nodes[i].verdict == RANGES_EMPTY && ranges->nodes[i].node->supported;
		unknown += ranges->nodes[i].verdict == RANGES_UNKNOWN;
	}
	if (empty == 1)
		strbuf_adds(out, "1 more forwards what its parent does; it marks its version as supported.");
	else if (empty)
		strbuf_addf(out,
			    "%zu more forward what their parents do; they mark their versions as supported.",
			    empty);
	if (unknown == 1)
		strbuf_addf(out,
			    "%s1 is not checked: neither the data nor the named repository has it or its parent.",
			    empty ? " " : "");
	else if (unknown)
		strbuf_addf(out,
			    "%s%zu are not checked: neither the data nor the named repository has them or their parents.",
			    empty ? " " : "", unknown);
}

/* ranges_fit_words - "may use 1.0", "need a new node after 1.0" */
static void ranges_fit_words(struct strbuf *out, const struct ranges_version *version)
{
	switch (version->fit) {
	case RANGES_FITS:
		strbuf_addf(out, "may use %s%s", version->safe->version,
			    version->follows_none ? ", though older than the table" : "");
		break;
	case RANGES_OTHER:
		strbuf_addf(out, "may use %s, not %s, which they follow", version->safe->version,
			    version->node->version);
		break;
	case RANGES_NEEDS:
		strbuf_addf(out, "need a new node after %s", version->node->version);
		break;
	case RANGES_OLDER:
		strbuf_addf(out, "older than the table: with %s, verify has ", version->node->version);
		strbuf_plural(out, version->fresh_count, "finding");
		break;
	}
}

/* ranges_same_fit - could two versions be in one list? */
static bool ranges_same_fit(const struct ranges_version *a, const struct ranges_version *b)
{
	return a->fit == b->fit && a->safe == b->safe && a->follows_none == b->follows_none;
}

/* Ranges for a person at a terminal. */

struct text {
	struct strbuf *out;
	const struct ranges *ranges;
	const struct report_style *style;
};

static const char *version_name(const struct text *text, size_t version)
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
	strbuf_addf(&line, "criterion '%s': %s", ranges_criterion_name(ranges->criterion),
		    ranges->criterion == RANGES_STRICT
			    ? "every scalar of every record that the table names, with name and type"
			    : "numbers, what the proxy translates, and size, pointers and fds of what it passes "
			      "through unread");
	text_paragraph(text, 2, 2, strbuf_text(&line));
	strbuf_reset(&line);
	strbuf_plural(&line, ranges->set_count, "set");
	strbuf_addf(&line,
		    "; %zu can use the node that they follow, %zu another one, %zu need a new one, %zu are older than the table",
		    ranges->fitting, ranges->other, ranges->needing, ranges->older);
	text_paragraph(text, 2, 2, strbuf_text(&line));
	strbuf_addch(text->out, '\n');
	strbuf_release(&line);
}

static void text_fit(struct text *text, const struct ranges_version *version)
{
	static const enum report_ink inks[] = { [RANGES_FITS] = INK_ADDED,
						[RANGES_OTHER] = INK_CHANGED,
						[RANGES_NEEDS] = INK_ALARM,
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
		bool is_repeated = false;
		struct wrap wrap;

		for (size_t before = 0; before < i && !is_repeated; before++)
			is_repeated = ranges_same_fit(first, &text->ranges->versions[set->versions[before]]);
		if (is_repeated)
			continue;
		report_textf(text->out, i ? "      " : "  %3zu ", index + 1);
		text_fit(text, first);
		wrap_begin(&wrap, text->out, text->style, 6, 6);
		for (size_t j = i; j < set->count; j++)
			if (ranges_same_fit(first, &text->ranges->versions[set->versions[j]]))
				wrap_word(&wrap, INK_NONE, 1, "%s", version_name(text, set->versions[j]));
		wrap_end(&wrap);
	}
}

static void text_sets(struct text *text)
{
	report_ink(text->out, text->style, INK_HEAD,
		   "Versions that are one ABI to the table, and the node that they may use");
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
	wrap_word(&wrap, INK_NAME, 0, "%s", version_name(text, first));
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
			    node->node->parent ? node->node->parent->version : "none",
			    node->follows ? node->follows->version : "none");
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
	strbuf_adds(text->out,
		    " compared with the first of their set;\n  all others have the same document\n  ");
	strbuf_plural(text->out, unread, "change");
	report_textf(text->out, " of what the proxy forwards that the table does not read,\n  ");
	strbuf_plural(text->out, against, "change");
	strbuf_adds(text->out, " that it does\n");
	for (size_t i = 0; i < text->ranges->graph->version_count; i++)
		for (size_t c = 0; c < proofs[i].against_count; c++)
			report_ink(text->out, text->style, INK_ALARM, "  %s: %s differs\n", version_name(text, i),
				   proofs[i].against[c]);
}

void report_ranges_text(struct strbuf *out, const struct ranges_report *report,
			const struct report_style *style)
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

/* Ranges for a pull request: versions that need work first, the sets of versions last and folded. */

static const char *markdown_name_of(const struct ranges *ranges, size_t version)
{
	return ranges->graph->versions[version].version;
}

static void markdown_title(struct strbuf *out, const struct ranges_report *report)
{
	const struct ranges *ranges = report->ranges;

	strbuf_adds(out, "## ");
	escape_markdown(out, ranges->table->proxy);
	strbuf_adds(out, " on ");
	strbuf_plural(out, ranges->graph->version_count, "version");
	strbuf_adds(out, " of ");
	escape_markdown(out, report->driver);
	strbuf_adds(out, "\n\n");
	if (*ranges->table->revision) {
		escape_markdown_code(out, ranges->table->revision);
		strbuf_adds(out, ", ");
	}
	escape_markdown(out, report->target);
	strbuf_addf(out, ", criterion '%s': ", ranges_criterion_name(ranges->criterion));
	strbuf_plural(out, ranges->set_count, "set");
	strbuf_addf(out,
		    "; %zu can use the node that they follow, %zu another one, %zu need a new one, %zu are older than the table\n",
		    ranges->fitting, ranges->other, ranges->needing, ranges->older);
}

static void markdown_entries(struct strbuf *out, const struct finding_block *block)
{
	struct strbuf note = { 0 };

	strbuf_adds(out, "| ");
	escape_markdown(out, block->family);
	for (size_t i = 0; i < block->entry_count; i++) {
		strbuf_adds(out, i ? ", " : " ");
		escape_markdown_code(out, block->entries[i]);
	}
	ranges_entry_note(&note, block);
	strbuf_adds(out, " | ");
	escape_markdown(out, strbuf_text(&note));
	strbuf_adds(out, " | ");
	for (size_t i = 0; i < block->line_count; i++) {
		strbuf_addf(out, "%s%s: ", i ? "<br>" : "", verify_rule_name(block->lines[i].first->rule));
		escape_markdown(out, block->lines[i].message);
	}
	strbuf_adds(out, " |\n");
	strbuf_release(&note);
}

static void markdown_need(struct strbuf *out, const struct ranges *ranges, size_t first)
{
	struct strbuf served = { 0 };
	struct finding_blocks blocks;
	struct arena arena = { 0 };
	size_t count = ranges_served(&served, ranges, first);

	ranges_needs(&blocks, ranges, first, true, &arena);
	strbuf_adds(out, "\n### ");
	escape_markdown(out, markdown_name_of(ranges, first));
	strbuf_adds(out, " needs a new node after ");
	escape_markdown(out, ranges->versions[first].node->version);
	strbuf_adds(out, "\n\n");
	strbuf_plural(out, blocks.entry_count, "entry");
	strbuf_adds(out, count > 1 ? "; one node would serve " : "; a node would serve this version alone");
	if (count > 1)
		escape_markdown(out, strbuf_text(&served));
	strbuf_adds(out, "\n\n| entry | what differs | findings |\n|---|---|---|\n");
	for (size_t i = 0; i < blocks.count; i++)
		markdown_entries(out, &blocks.block[i]);
	strbuf_release(&served);
	arena_release(&arena);
}

static void markdown_going(struct strbuf *out, const struct ranges *ranges)
{
	struct strbuf words = { 0 };
	size_t going = 0;

	strbuf_adds(out, "\n### Nodes that could be removed\n\n");
	for (size_t i = 0; i < ranges->table->node_count; i++) {
		if (!ranges_could_go(&ranges->nodes[i]))
			continue;
		strbuf_adds(out, "- ");
		escape_markdown(out, ranges->nodes[i].node->version);
		strbuf_reset(&words);
		ranges_going(&words, &ranges->nodes[i]);
		strbuf_adds(out, " ");
		escape_markdown(out, words.text);
		strbuf_addch(out, '\n');
		going++;
	}
	strbuf_adds(out, going ? "" : "none\n");
	strbuf_reset(&words);
	ranges_staying(&words, ranges);
	if (words.length)
		strbuf_addf(out, "\n%s\n", words.text);
	strbuf_release(&words);
}

static void markdown_misplaced(struct strbuf *out, const struct ranges *ranges)
{
	bool any = false;

	for (size_t i = 0; i < ranges->table->node_count; i++) {
		const struct ranges_node *node = &ranges->nodes[i];

		if (!node->is_misplaced)
			continue;
		strbuf_adds(out,
			    any ? ""
				: "\n### Nodes with another parent in the driver's graph\n\n| node | parent in the table | it follows |\n|---|---|---|\n");
		any = true;
		escape_addf(out, escape_markdown, "| %s | %s | %s |\n", node->node->version,
			    node->node->parent ? node->node->parent->version : "none",
			    node->follows ? node->follows->version : "none");
	}
}

/* For one set, a row for each node that some of its versions can use. */
static void markdown_set(struct strbuf *out, const struct ranges *ranges, size_t index)
{
	const struct ranges_set *set = &ranges->sets[index];
	struct strbuf words = { 0 };

	for (size_t i = 0; i < set->count; i++) {
		const struct ranges_version *first = &ranges->versions[set->versions[i]];
		bool is_repeated = false;

		for (size_t before = 0; before < i && !is_repeated; before++)
			is_repeated = ranges_same_fit(first, &ranges->versions[set->versions[before]]);
		if (is_repeated)
			continue;
		strbuf_reset(&words);
		ranges_fit_words(&words, first);
		strbuf_addf(out, "| %zu | ", index + 1);
		escape_markdown(out, words.text);
		strbuf_adds(out, " |");
		for (size_t j = i; j < set->count; j++)
			if (ranges_same_fit(first, &ranges->versions[set->versions[j]]))
				escape_addf(out, escape_markdown, " %s",
					    markdown_name_of(ranges, set->versions[j]));
		strbuf_adds(out, " |\n");
	}
	strbuf_release(&words);
}

static void markdown_proof(struct strbuf *out, const struct ranges_report *report)
{
	size_t compared = 0, unread = 0, against = 0;

	for (size_t i = 0; i < report->ranges->graph->version_count; i++) {
		compared += report->proofs[i].compared;
		unread += report->proofs[i].unread;
		against += report->proofs[i].against_count;
	}
	strbuf_adds(out, "\n### Proof\n\n");
	strbuf_plural(out, compared, "version");
	strbuf_adds(out, " compared with the first of their set; ");
	strbuf_plural(out, unread, "change");
	strbuf_adds(out, " of what the proxy forwards that the table does not read, ");
	strbuf_plural(out, against, "change");
	strbuf_adds(out, " that it does\n");
	for (size_t i = 0; i < report->ranges->graph->version_count; i++)
		for (size_t c = 0; c < report->proofs[i].against_count; c++)
			escape_addf(out, escape_markdown, "\n- %s: %s differs",
				    markdown_name_of(report->ranges, i), report->proofs[i].against[c]);
	strbuf_adds(out, against ? "\n" : "");
}

void report_ranges_markdown(struct strbuf *out, const struct ranges_report *report)
{
	const struct ranges *ranges = report->ranges;

	markdown_title(out, report);
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		if (ranges_is_new_node(ranges, i))
			markdown_need(out, ranges, i);
	markdown_going(out, ranges);
	markdown_misplaced(out, ranges);
	if (report->proofs)
		markdown_proof(out, report);
	strbuf_adds(out,
		    "\n<details><summary>Versions that are one ABI to the table</summary>\n\n| set | node | versions |\n|---:|---|---|\n");
	for (size_t i = 0; i < ranges->set_count; i++)
		markdown_set(out, ranges, i);
	strbuf_adds(out, "\n</details>\n");
}

/* Ranges for a program: "drvabi-ranges/1". */

static const char *fit_name(enum ranges_fit fit)
{
	switch (fit) {
	case RANGES_FITS: return "fits";
	case RANGES_OTHER: return "other";
	case RANGES_NEEDS: return "needs-new-node";
	case RANGES_OLDER: return "older";
	}
	return "";
}

static const char *verdict_name(enum ranges_verdict verdict)
{
	switch (verdict) {
	case RANGES_KEEP: return "keep";
	case RANGES_EMPTY: return "empty";
	case RANGES_MERGE: return "merge";
	case RANGES_UNKNOWN: return "unknown";
	}
	return "";
}

static const char *node_version(const struct table_node *node)
{
	return node ? node->version : NULL;
}

/* --- JSON; the context of the writer is the report ------------------------------- */

static const struct ranges_report *report_of(const struct json_writer *writer)
{
	return writer->context;
}

static void write_sets(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct ranges *ranges = object;

	json_key(writer, field->key);
	json_open_array(writer);
	for (size_t i = 0; i < ranges->set_count; i++) {
		json_open_inline_array(writer);
		for (size_t v = 0; v < ranges->sets[i].count; v++)
			json_string(writer, ranges->graph->versions[ranges->sets[i].versions[v]].version);
		json_close_array(writer);
	}
	json_close_array(writer);
}

static const struct json_struct finding_fields = {
	.size = sizeof(struct verify_finding),
	.is_inline = true,
	.field = { { .key = "*", .kind = JSON_MEMBERS, .of = &report_finding_place_fields },
		   JSON_FIELD("message", JSON_TEXT, verify_finding, message) },
};

static const struct json_struct proof_fields = {
	.is_inline = true,
	.field = { JSON_FIELD("compared", JSON_BOOL, ranges_proof, compared),
		   JSON_FIELD("unread_changes", JSON_SIZE, ranges_proof, unread),
		   JSON_ARRAY("against", JSON_TEXTS, ranges_proof, against, against_count, NULL) },
};

static size_t version_index(const struct json_writer *writer, const void *object)
{
	return (size_t)((const struct ranges_version *)object - report_of(writer)->ranges->versions);
}

static void write_name(struct json_writer *writer, const struct json_field *field, const void *object)
{
	json_key_string(writer, field->key,
			report_of(writer)->ranges->graph->versions[version_index(writer, object)].version);
}

static void write_served_by(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct ranges_version *version = object;

	if (version->fit == RANGES_NEEDS)
		json_key_string(writer, field->key,
				report_of(writer)->ranges->graph->versions[version->served_by].version);
}

static void write_proof(struct json_writer *writer, const struct json_field *field, const void *object)
{
	if (!report_of(writer)->proofs)
		return;
	json_key(writer, field->key);
	json_write_struct(writer, &report_of(writer)->proofs[version_index(writer, object)], field->of);
}

JSON_GET_TEXT(version_follows, ranges_version, it->follows_none ? NULL : it->node->version)
JSON_GET_TEXT(version_safe, ranges_version, node_version(it->safe))

static const struct json_struct version_fields = {
	.size = sizeof(struct ranges_version),
	.field = { { .key = "version", .kind = JSON_TEXT, .write = write_name },
		   JSON_FIELD("set", JSON_SIZE, ranges_version, set),
		   { .key = "follows", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = version_follows },
		   JSON_FIELD("fit", JSON_NAMED, ranges_version, fit, .name_of = fit_name, .max = RANGES_OLDER + 1),
		   { .key = "node", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = version_safe },
		   { .key = "served_by", .kind = JSON_TEXT | JSON_OPTIONAL, .write = write_served_by },
		   JSON_ARRAY("findings", JSON_LIST | JSON_SPARSE, ranges_version, fresh, fresh_count, &finding_fields),
		   { .key = "proof", .kind = JSON_OBJECT | JSON_OPTIONAL, .of = &proof_fields, .write = write_proof } },
};

/* Versions with a document. */
static void write_versions(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct ranges *ranges = object;

	json_key(writer, field->key);
	json_open_array(writer);
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		if (ranges->graph->versions[i].abi)
			json_write_struct(writer, &ranges->versions[i], field->of);
	json_close_array(writer);
}

JSON_GET_TEXT(node_name, ranges_node, it->node->version)
JSON_GET_TEXT(node_parent, ranges_node, node_version(it->node->parent))
JSON_GET_TEXT(node_follows, ranges_node, node_version(it->follows))

static void write_supported(struct json_writer *writer, const struct json_field *field, const void *object)
{
	json_key_bool(writer, field->key, ((const struct ranges_node *)object)->node->supported);
}

static void write_available(struct json_writer *writer, const struct json_field *field, const void *object)
{
	json_key_bool(writer, field->key, ((const struct ranges_node *)object)->version >= 0);
}

static const struct json_struct node_fields = {
	.size = sizeof(struct ranges_node),
	.field = { { .key = "version", .kind = JSON_TEXT, .get_text = node_name },
		   { .key = "parent", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = node_parent },
		   { .key = "supported", .kind = JSON_BOOL, .write = write_supported },
		   { .key = "available", .kind = JSON_BOOL, .write = write_available },
		   { .key = "follows", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = node_follows },
		   JSON_FIELD("misplaced", JSON_BOOL, ranges_node, is_misplaced),
		   JSON_FIELD("verdict", JSON_NAMED, ranges_node, verdict, .name_of = verdict_name,
			      .max = RANGES_UNKNOWN + 1),
		   JSON_ARRAY("known", JSON_LIST, ranges_node, known, known_count, &finding_fields) },
};

static void write_nodes(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct ranges *ranges = object;

	json_key(writer, field->key);
	json_open_array(writer);
	for (size_t i = 0; i < ranges->table->node_count; i++)
		json_write_struct(writer, &ranges->nodes[i], field->of);
	json_close_array(writer);
}

static const struct json_struct summary_fields = {
	.is_inline = true,
	.field = { JSON_FIELD("sets", JSON_SIZE, ranges, set_count), JSON_FIELD("fits", JSON_SIZE, ranges, fitting),
		   JSON_FIELD("other", JSON_SIZE, ranges, other), JSON_FIELD("needs_new_node", JSON_SIZE, ranges, needing),
		   JSON_FIELD("older", JSON_SIZE, ranges, older), JSON_FIELD("new_nodes", JSON_SIZE, ranges, new_nodes) },
};

JSON_GET_TEXT(ranges_proxy, ranges, it->table->proxy)

static const struct json_struct ranges_fields = {
	.field = { { .key = "table", .kind = JSON_TEXT, .get_text = ranges_proxy },
		   JSON_FIELD("criterion", JSON_NAMED, ranges, criterion, .name_of = ranges_criterion_name,
			      .max = RANGES_STRICT + 1),
		   { .key = "sets", .kind = JSON_WANT_ARRAY, .write = write_sets },
		   { .key = "versions", .kind = JSON_LIST, .of = &version_fields, .write = write_versions },
		   { .key = "nodes", .kind = JSON_LIST, .of = &node_fields, .write = write_nodes },
		   { .key = "summary", .kind = JSON_OBJECT, .of = &summary_fields } },
};

const struct json_struct report_ranges_fields = {
	.field = { { .key = "format", .kind = JSON_FORMAT, .text = RANGES_FORMAT },
		   JSON_FIELD("driver", JSON_TEXT, ranges_report, driver),
		   JSON_FIELD("target", JSON_TEXT, ranges_report, target),
		   JSON_INTO_BY_POINTER(ranges_report, ranges, &ranges_fields) },
};

void report_ranges_json(struct strbuf *out, const struct ranges_report *report)
{
	struct json_writer writer = { .out = out, .context = (void *)report };

	json_write_struct(&writer, report, &report_ranges_fields);
	json_end(&writer);
}
