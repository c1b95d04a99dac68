/* history - generate five versions, and write their history, blame, ranges, and the history page */
#include "lib/fuzz.h"

#include "history/history.h"
#include "abi/internal.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

enum { VERSIONS = 5 };

static void must_be_json(struct strbuf *text)
{
	struct err err;

	MUST_SAY(!json_scan(strbuf_text(text), text->length, "output", NULL, &err), &err);
	strbuf_release(text);
}

static size_t occurrences(const struct strbuf *text, const char *part)
{
	size_t count = 0;

	for (const char *at = strbuf_text(text); (at = strcasestr(at, part)); at++)
		count++;
	return count;
}

/* check_page - check that names of the driver neither open nor close a script element of the page */
static void check_page(const struct history_report *report, const struct history_timelines *timelines)
{
	struct strbuf page = { 0 };

	report_history_page(&page, report, timelines);
	MUST(occurrences(&page, "<script") == occurrences(&page, "</script"));
	MUST(!occurrences(&page, "<evil"));
	strbuf_release(&page);
}

static void report_all(const struct history *history, struct arena *arena)
{
	const struct report_style style = { .verbose = true }, markdown = { .markdown = true };
	struct history_spans spans = { 0 };
	struct history_report report = { .driver = "nvidia", .target = "x86_64-linux-gnu", .main = "main", .history = history };
	struct history_timelines timelines;
	struct strbuf out = { 0 };

	history_timelines(&timelines, history, arena);
	if (history->filter->name_count)
		history_since(&spans, history->graph, history->filter, arena);
	report.spans = &spans;
	report_history(&out, &report, &style);
	report_history(&out, &report, &markdown);
	MUST(strlen(strbuf_text(&out)) == out.length);
	strbuf_release(&out);
	report_history_json(&out, &report);
	must_be_json(&out);
	check_page(&report, &timelines);
}

static void tell(const struct history_graph *graph, const struct history_filter *filter, struct arena *arena)
{
	struct history_changes changes[VERSIONS] = { 0 };
	struct err err = { "" };
	struct history history;

	for (size_t i = 0; i < graph->edge_count; i++) {
		if (history_compare(&changes[i], graph, &graph->edges[i], filter, arena, &err)) {
			fuzz_sentence(&err);
			return;
		}
	}
	history_join(&history, graph, filter, changes, arena);
	report_all(&history, arena);
}

static void blame_all(const struct history_graph *graph, struct arena *arena)
{
	const struct report_style style = { .verbose = true };
	const struct abi *abi = graph->versions[VERSIONS - 1].abi;
	struct blame blame;
	const struct blame_report report = { .graph = graph, .blame = &blame };
	struct strbuf out = { 0 };
	struct err err = { "" };

	for (size_t i = 0; abi && i < abi->record_count; i++) {
		if (history_blame(&blame, graph, VERSIONS - 1, abi->records[i].name, arena, &err)) {
			fuzz_sentence(&err);
			continue;
		}
		MUST(blame.line_count == blame.layout->scalar_count);
		report_blame_text(&out, &report, &style);
		strbuf_release(&out);
		report_blame_json(&out, &report);
		must_be_json(&out);
	}
}

static void find_ranges(const struct history_graph *graph, enum ranges_criterion criterion, struct arena *arena)
{
	const struct report_style style = { .verbose = true };
	struct ranges ranges;
	struct ranges_report report = { .driver = "nvidia", .target = "x86_64-linux-gnu", .ranges = &ranges };
	struct ranges_proof proofs[VERSIONS];
	struct strbuf out = { 0 };
	struct err err = { "" };
	int rc = 0;

	ranges_plan(&ranges, graph, fuzz_demo_table(), criterion, arena);
	for (size_t i = 0; i < ranges.table->node_count && !rc; i++)
		rc = ranges_baseline(&ranges, i, arena, &err);
	for (size_t i = 0; i < graph->version_count && !rc; i++)
		rc = graph->versions[i].abi ? ranges_assign(&ranges, i, arena, &err) : 0;
	if (rc) {
		fuzz_sentence(&err);
		return;
	}
	if (ranges_finish(&ranges, arena, &err)) {
		fuzz_sentence(&err);
		return;
	}
	memset(proofs, 0, sizeof(proofs));
	for (size_t i = 0; i < graph->version_count && !rc; i++)
		rc = graph->versions[i].abi ? ranges_prove(&proofs[i], &ranges, i, arena, &err) : 0;
	report.proofs = rc ? NULL : proofs;
	report_ranges(&out, &report, &style);
	strbuf_release(&out);
	report_ranges_json(&out, &report);
	must_be_json(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const name[VERSIONS] = { "100.10.01", "100.20.02", "110.05.00", "120.01.00", "120.02.00" };
	static const char *const wanted[] = { "A*", "CMD_A", "NV_ESC_B" };
	static const uint64_t three = 3;
	const struct history_filter all = { 0 }, some = { .names = wanted, .name_count = 3 }, number = { .numbers = &three, .number_count = 1 };
	struct fuzz_choice choice = { data, size };
	struct history_version versions[VERSIONS] = { 0 };
	struct history_graph graph;
	struct arena arena = { 0 };
	struct abi abi[VERSIONS];
	unsigned group = fuzz_pick(&choice, 6);

	for (size_t i = 0; i < VERSIONS; i++) {
		if (i)
			fuzz_next_version(&abi[i], &abi[fuzz_pick(&choice, (unsigned)i)], &choice, &arena);
		else
			fuzz_document(&abi[i], &choice, &arena);
		versions[i] = (struct history_version){ .version = name[i], .commit = "0a", .time = (int64_t)i };
		versions[i].parent = (long)fuzz_pick(&choice, (unsigned)i + 1) - 1;
		versions[i].on_main = versions[i].parent >= 0;
		versions[i].abi = fuzz_pick(&choice, 8) == 7 ? NULL : &abi[i];
	}
	history_graph_of(&graph, versions, VERSIONS, &arena);
	if (group < 3)
		tell(&graph, group == 0 ? &all : group == 1 ? &some : &number, &arena);
	else if (group == 3)
		blame_all(&graph, &arena);
	else
		find_ranges(&graph, group == 4 ? RANGES_TABLE : RANGES_STRICT, &arena);
	arena_release(&arena);
	return 0;
}
