/* Ranges for a pull request: what needs work first, the sets of versions last and folded. */
#include "report/ranges_internal.h"

#include <string.h>

static const char *name_of(const struct ranges *ranges, size_t version)
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
	strbuf_addf(out, ", notion '%s': ", ranges_notion_name(ranges->notion));
	strbuf_plural(out, ranges->set_count, "set");
	strbuf_addf(out, "; %zu may use the node that they follow, %zu another one, %zu need a new one, %zu are older than the table\n",
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
	escape_markdown(out, name_of(ranges, first));
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
		strbuf_adds(out, any ? "" : "\n### Nodes with another parent in the driver's graph\n\n| node | parent in the table | it follows |\n|---|---|---|\n");
		any = true;
		escape_addf(out, escape_markdown, "| %s | %s | %s |\n", node->node->version, node->node->parent ? node->node->parent->version : "none",
			    node->follows ? node->follows->version : "none");
	}
}

/* Of one set, a row for each node that some of it may use. */
static void markdown_set(struct strbuf *out, const struct ranges *ranges, size_t index)
{
	const struct ranges_set *set = &ranges->sets[index];
	struct strbuf words = { 0 };

	for (size_t i = 0; i < set->count; i++) {
		const struct ranges_version *first = &ranges->versions[set->versions[i]];
		bool told = false;

		for (size_t before = 0; before < i && !told; before++)
			told = ranges_same_fit(first, &ranges->versions[set->versions[before]]);
		if (told)
			continue;
		strbuf_reset(&words);
		ranges_fit_words(&words, first);
		strbuf_addf(out, "| %zu | ", index + 1);
		escape_markdown(out, words.text);
		strbuf_adds(out, " |");
		for (size_t j = i; j < set->count; j++)
			if (ranges_same_fit(first, &ranges->versions[set->versions[j]]))
				escape_addf(out, escape_markdown, " %s", name_of(ranges, set->versions[j]));
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
			escape_addf(out, escape_markdown, "\n- %s: %s differs", name_of(report->ranges, i), report->proofs[i].against[c]);
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
	strbuf_adds(out, "\n<details><summary>Versions that are one ABI to the table</summary>\n\n| set | node | versions |\n|---:|---|---|\n");
	for (size_t i = 0; i < ranges->set_count; i++)
		markdown_set(out, ranges, i);
	strbuf_adds(out, "\n</details>\n");
}
