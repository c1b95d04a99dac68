/*
 * report/verify_ci.c - a table against the driver as JUnit and SARIF
 */
/*
 * JUnit XML, as GitLab, GitHub's reporters and Jenkins read it.
 *
 * A suite for each version. In it, a case for each entry with a finding, with one failure that holds all that
 * was found (readers show only the first of several), a skipped case for each other entry of which something
 * could not be checked, and one case for all entries without either. An unavailable version is one skipped
 * case, and one that fails if that counts. What is no failure (suppressed, not counting, not checked) is in
 * the suite's system-out.
 */
#include "report/internal.h"
#include "abi/abi.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* what verify_sarif.c and verify_sarif_results.c share */

/* A finding, suppressed or not, or what could not be checked; in all its versions. */
struct sarif_finding {
	const struct verify_finding *first;    /* in the oldest version */
	const struct table_entry *entry;       /* NULL: the table's view has none of that name */
	const struct table_node *node;         /* that says the entry */
	const char *message;                   /* its sentences, each with its versions */
	const char *logical;                   /* "FAMILY/ENTRY" */
	const char *const *versions;           /* oldest first */
	size_t version_count;
	const struct suppression *const *by;   /* the lines that suppressed it; none: it was not */
	size_t by_count;
	bool is_split;                         /* suppressed, and in other versions not: another result has
						  these */
};

struct sarif_findings {
	const struct sarif_finding *finding; /* by entry, then record, path and rule */
	size_t count;
};

static void xml_attribute(struct strbuf *out, const char *name, const char *value)
{
	escape_addf(out, escape_xml, " %s=\"%s\"", name, value);
}

static bool counts(const struct verify_report *report, const struct verify_finding *finding)
{
	return report->fails[finding->rule];
}

static bool same_entry(const struct verify_finding *a, const struct verify_finding *b)
{
	return !strcmp(a->family, b->family) && !strcmp(a->entry, b->entry);
}

/* How many of @findings are of the first one's entry: they are sorted. */
static size_t run_of_entry(const struct verify_finding *findings, size_t count)
{
	size_t length = 1;

	while (length < count && same_entry(&findings[0], &findings[length]))
		length++;
	return length;
}

static const struct verify_finding *first_counting(const struct verify_report *report,
						   const struct verify_finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (counts(report, &findings[i]))
			return &findings[i];
	return NULL;
}

static size_t failing_entries(const struct verify_report *report, const struct verify_result *result)
{
	size_t failing = 0, length;

	for (size_t i = 0; i < result->finding_count; i += length) {
		length = run_of_entry(&result->findings[i], result->finding_count - i);
		failing += first_counting(report, &result->findings[i], length) != NULL;
	}
	return failing;
}

/* An entry that fails has its case; what could not be checked of it besides is among the notes. */
static bool is_skipped(const struct verify_report *report, const struct verify_result *result,
		       const struct verify_finding *unseen)
{
	for (size_t i = 0; i < result->finding_count; i++)
		if (counts(report, &result->findings[i]) && same_entry(&result->findings[i], unseen))
			return false;
	return true;
}

static size_t skipped_entries(const struct verify_report *report, const struct verify_result *result)
{
	size_t skipped = 0;

	for (size_t i = 0; i < result->unseen_count;
	     i += run_of_entry(&result->unseen[i], result->unseen_count - i))
		skipped += is_skipped(report, result, &result->unseen[i]);
	return skipped;
}

static void junit_case(struct strbuf *out, const struct verify_report *report,
		       const struct verify_version *version, const char *name)
{
	struct strbuf class = { 0 };

	strbuf_addf(&class, "%s.%s", report->table->proxy, version->version);
	strbuf_adds(out, "    <testcase");
	xml_attribute(out, "classname", strbuf_text(&class));
	xml_attribute(out, "name", name);
	xml_attribute(out, "file", report->table->path);
	strbuf_adds(out, " time=\"0\"");
	strbuf_release(&class);
}

static void junit_failure(struct strbuf *out, const struct verify_report *report,
			  const struct verify_version *version, const struct verify_finding *findings,
			  size_t count)
{
	const struct verify_finding *first = first_counting(report, findings, count);
	struct strbuf name = { 0 };

	if (!first)
		return;
	strbuf_addf(&name, "%s %s", first->family, first->entry);
	junit_case(out, report, version, strbuf_text(&name));
	strbuf_adds(out, ">\n      <failure");
	xml_attribute(out, "type", verify_rule_name(first->rule));
	xml_attribute(out, "message", first->message);
	strbuf_adds(out, ">");
	for (size_t i = 0; i < count; i++) {
		if (!counts(report, &findings[i]))
			continue;
		escape_addf(out, escape_xml, "%s: %s\n", verify_rule_name(findings[i].rule),
			    findings[i].message);
	}
	strbuf_adds(out, "</failure>\n    </testcase>\n");
	strbuf_release(&name);
}

static void junit_skipped(struct strbuf *out, const struct verify_report *report,
			  const struct verify_version *version)
{
	const struct verify_result *result = &version->result;
	struct strbuf text = { 0 };

	for (size_t i = 0; i < result->unseen_count;
	     i += run_of_entry(&result->unseen[i], result->unseen_count - i)) {
		const struct verify_finding *unseen = &result->unseen[i];

		if (!is_skipped(report, result, unseen))
			continue;
		strbuf_reset(&text);
		strbuf_addf(&text, "%s %s", unseen->family, unseen->entry);
		junit_case(out, report, version, strbuf_text(&text));
		strbuf_reset(&text);
		strbuf_addf(&text, "not checked: %s", unseen->message);
		strbuf_adds(out, ">\n      <skipped");
		xml_attribute(out, "message", strbuf_text(&text));
		strbuf_adds(out, "/>\n    </testcase>\n");
	}
	strbuf_release(&text);
}

static void note_finding(struct strbuf *out, const char *state, const struct verify_finding *finding)
{
	escape_addf(out, escape_xml, "%s: %s %s %s: %s\n", state, verify_rule_name(finding->rule),
		    finding->family, finding->entry, finding->message);
}

static void junit_notes(struct strbuf *out, const struct verify_report *report,
			const struct verify_version *version)
{
	const struct verify_result *result = &version->result;
	struct strbuf notes = { 0 };

	for (size_t i = 0; i < result->finding_count; i++)
		if (!counts(report, &result->findings[i]))
			note_finding(&notes, "does not count", &result->findings[i]);
	for (size_t i = 0; i < version->suppressed_count; i++)
		note_finding(&notes, "suppressed", version->suppressed[i].finding);
	for (size_t i = 0; i < result->unseen_count; i++)
		note_finding(&notes, "not checked", &result->unseen[i]);
	if (notes.length)
		strbuf_addf(out, "    <system-out>%s</system-out>\n", notes.text);
	strbuf_release(&notes);
}

static void junit_suite(struct strbuf *out, const char *name, size_t tests, size_t failures, size_t skipped)
{
	strbuf_adds(out, "  <testsuite");
	xml_attribute(out, "name", name);
	strbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n", tests,
		    failures, skipped);
}

static void junit_version(struct strbuf *out, const struct verify_report *report,
			  const struct verify_version *version)
{
	bool unavailable = version->status == VERIFY_UNAVAILABLE;
	size_t failing = failing_entries(report, &version->result),
	       skipped = skipped_entries(report, &version->result), length;
	struct strbuf name = { 0 };

	junit_suite(out, version->version, failing + skipped + 1, failing, skipped + unavailable);
	for (size_t i = 0; i < version->result.finding_count; i += length) {
		length = run_of_entry(&version->result.findings[i], version->result.finding_count - i);
		junit_failure(out, report, version, &version->result.findings[i], length);
	}
	junit_skipped(out, report, version);
	if (unavailable)
		strbuf_adds(&name, "all entries");
	else
		strbuf_addf(&name, "%zu entries", version->result.entry_count - failing - skipped);
	junit_case(out, report, version, strbuf_text(&name));
	if (unavailable) {
		strbuf_reset(&name);
		verify_why_unavailable(&name, version);
		strbuf_adds(out, ">\n      <skipped");
		xml_attribute(out, "message", strbuf_text(&name));
		strbuf_adds(out, "/>\n    </testcase>\n");
	} else {
		strbuf_adds(out, "/>\n");
	}
	junit_notes(out, report, version);
	strbuf_adds(out, "  </testsuite>\n");
	strbuf_release(&name);
}

static size_t expired_lines(const struct suppressions *suppressions)
{
	size_t expired = 0;

	for (size_t i = 0; suppressions && i < suppressions->count; i++)
		expired += suppressions->item[i].expired;
	return expired;
}

/*
 * Results of SARIF: how findings of many versions become one.
 *
 * 1. Every finding of every version, suppressed or not, becomes an item, with
 *    the entry that the version has it from.
 * 2. Items are sorted by what they are about: entry, record, path, rule, and the
 *    node of the table that says the entry. Items that are equal in these are one
 *    result, whatever sizes and offsets their sentences name; what was
 *    suppressed of them is one of its own.
 * 3. What they are about is the fingerprint: a new driver version, or another
 *    line in the table's file, does not change it.
 */

/* A finding at one version. */
struct item {
	const struct verify_finding *finding;
	const struct suppression *by; /* NULL: not suppressed */
	const struct table_entry *entry;
	const struct table_node *node;
	size_t rank; /* of the version: 0 is the oldest */
};

static void junit_line(struct strbuf *out, const struct suppressions *suppressions,
		       const struct suppression *item)
{
	struct strbuf name = { 0 };

	strbuf_addf(&name, "line %u: %s %s %s", item->line, item->rule_text, item->entry, item->versions);
	strbuf_adds(out, "    <testcase");
	xml_attribute(out, "classname", suppressions->path);
	xml_attribute(out, "name", strbuf_text(&name));
	strbuf_adds(out, " time=\"0\"");
	if (item->expired) {
		escape_addf(out, escape_xml,
			    ">\n      <failure type=\"expired\" message=\"expired on %s: %s\"/>\n    </testcase>\n",
			    item->expires_text, item->reason);
	} else if (!verify_is_settled(item)) {
		strbuf_addf(out, ">\n      <system-out>%s: %s</system-out>\n    </testcase>\n",
			    verify_state(item),
			    item->used ? "its reason is still to be written"
				       : "it suppresses nothing any more");
	} else {
		strbuf_adds(out, "/>\n");
	}
	strbuf_release(&name);
}

static void junit_suppressions(struct strbuf *out, const struct suppressions *suppressions)
{
	junit_suite(out, suppressions->path, suppressions->count, expired_lines(suppressions), 0);
	for (size_t i = 0; i < suppressions->count; i++)
		junit_line(out, suppressions, &suppressions->item[i]);
	strbuf_adds(out, "  </testsuite>\n");
}

void report_verify_junit(struct strbuf *out, const struct verify_report *report)
{
	size_t failures = expired_lines(report->suppressions),
	       skipped = verify_count(report, VERIFY_UNAVAILABLE);
	size_t tests = report->version_count + (report->suppressions ? report->suppressions->count : 0);

	for (size_t i = 0; i < report->version_count; i++) {
		failures += failing_entries(report, &report->versions[i].result);
		tests += failing_entries(report, &report->versions[i].result) +
			 skipped_entries(report, &report->versions[i].result);
		skipped += skipped_entries(report, &report->versions[i].result);
	}
	strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"drvabi verify\"");
	strbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n", tests,
		    failures, skipped);
	for (size_t i = 0; i < report->version_count; i++)
		junit_version(out, report, &report->versions[i]);
	if (report->suppressions)
		junit_suppressions(out, report->suppressions);
	strbuf_adds(out, "</testsuites>\n");
}

struct gather {
	const struct verify_groups *groups;
	struct item *item;
	size_t count;
	struct arena *arena;
};

/* sarif_level - "error" if findings of the rule count, else "warning". */
static const char *sarif_level(const struct verify_report *report, enum verify_rule rule)
{
	return report->fails[rule] ? "error" : "warning";
}

/* sarif_message - {"text": "..."}, SARIF's way of saying anything. */
static void sarif_message(struct json_writer *writer, const char *key, const char *text)
{
	struct strbuf escaped = { 0 };

	escape_sarif(&escaped, text);
	json_key(writer, key);
	json_open_inline_object(writer);
	json_key_string(writer, "text", strbuf_text(&escaped));
	json_close_object(writer);
	strbuf_release(&escaped);
}

/* A path as a URI reference: RFC 3986's unreserved characters and '/' stay. */
static void path_as_uri(struct strbuf *out, const char *path)
{
	if (*path == '/')
		strbuf_adds(out, "file://");
	for (; *path; path++) {
		if (isalnum((unsigned char)*path) || strchr("-._~/", *path))
			strbuf_addch(out, *path);
		else
			strbuf_addf(out, "%%%02X", (unsigned char)*path);
	}
}

static void physical_location(struct json_writer *writer, const char *path, unsigned line)
{
	struct strbuf uri = { 0 };

	path_as_uri(&uri, path);
	json_key(writer, "physicalLocation");
	json_open_inline_object(writer);
	json_key(writer, "artifactLocation");
	json_open_inline_object(writer);
	json_key_string(writer, "uri", strbuf_text(&uri));
	json_close_object(writer);
	json_key(writer, "region");
	json_open_inline_object(writer);
	json_key_unsigned(writer, "startLine", line ? line : 1); /* GitHub wants a region */
	json_close_object(writer);
	json_close_object(writer);
	strbuf_release(&uri);
}

/* sarif_location - @line: 0 for the file as a whole; @logical: NULL for none. */
static void sarif_location(struct json_writer *writer, const char *path, unsigned line, const char *logical)
{
	json_key(writer, "locations");
	json_open_array(writer);
	json_open_object(writer);
	physical_location(writer, path, line);
	if (logical) {
		json_key(writer, "logicalLocations");
		json_open_inline_array(writer);
		json_open_inline_object(writer);
		json_key_string(writer, "fullyQualifiedName", logical);
		json_close_object(writer);
		json_close_array(writer);
	}
	json_close_object(writer);
	json_close_array(writer);
}

static const struct table_entry *find_entry(const struct table_view *view,
					    const struct verify_finding *finding)
{
	size_t low = 0, high = view->entry_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct table_entry *entry = view->entries[middle];
		int order = strcmp(entry->family, finding->family);

		if (!order)
			order = strcmp(entry->name, finding->entry);
		if (!order)
			return entry;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static const struct table_node *node_of(const struct table_view *view, const struct table_entry *entry)
{
	const struct table_node *node = view->node;

	while (node && entry && !(entry >= node->entries && entry < node->entries + node->entry_count))
		node = node->parent;
	return node ? node : view->node;
}

static void add_item(struct gather *gather, const struct verify_result *result, size_t rank,
		     const struct verify_finding *finding, const struct suppression *by)
{
	const struct table_entry *entry = find_entry(result->view, finding);

	gather->item[gather->count++] =
		(struct item){ finding, by, entry, node_of(result->view, entry), rank };
}

static void add_version(struct gather *gather, const struct verify_version *version, size_t rank)
{
	const struct verify_result *result = &version->result;

	for (size_t i = 0; i < result->finding_count; i++)
		add_item(gather, result, rank, &result->findings[i], NULL);
	for (size_t i = 0; i < result->unseen_count; i++)
		add_item(gather, result, rank, &result->unseen[i], NULL);
	for (size_t i = 0; i < version->suppressed_count; i++)
		add_item(gather, result, rank, version->suppressed[i].finding, version->suppressed[i].by);
}

static int compare_identity(const struct item *x, const struct item *y)
{
	const struct verify_finding *a = x->finding, *b = y->finding;
	int order;

	if ((order = strcmp(a->family, b->family)) || (order = strcmp(a->entry, b->entry)) ||
	    (order = strcmp(a->record, b->record)) || (order = strcmp(a->path, b->path)) ||
	    (order = (int)a->rule - (int)b->rule) || (order = a->unseen - b->unseen))
		return order;
	return strcmp(x->node->version, y->node->version);
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = compare_identity(x, y);

	if (order || (order = !y->by - !x->by))
		return order;
	if ((order = strcmp(x->finding->message, y->finding->message)))
		return order;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static bool is_one(const struct item *x, const struct item *y)
{
	return !compare_identity(x, y) && !x->by == !y->by;
}

/* Items of one sentence. */
struct sentence {
	const struct item *first; /* oldest version first */
	size_t count;
};

/* That of the oldest version first. */
static int compare_sentences(const void *a, const void *b)
{
	const struct sentence *x = a, *y = b;

	if (x->first->rank != y->first->rank)
		return x->first->rank < y->first->rank ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static void add_sentence(struct strbuf *out, const struct gather *gather, const struct sentence *sentence)
{
	size_t *ranks = arena_array(gather->arena, sentence->count, sizeof(*ranks));

	for (size_t i = 0; i < sentence->count; i++)
		ranks[i] = sentence->first[i].rank;
	strbuf_addf(out, "%s%s (", out->length ? "; " : "", sentence->first->finding->message);
	findings_runs(out, gather->groups->names, ranks, sentence->count);
	strbuf_addch(out, ')');
}

static const char *sentences(const struct gather *gather, const struct item *first, size_t count)
{
	struct sentence *all = arena_array(gather->arena, count, sizeof(*all));
	struct strbuf text = { 0 };
	size_t made = 0, length;
	const char *message;

	for (size_t i = 0; i < count; i += length) {
		for (length = 1; i + length < count &&
				 !strcmp(first[i].finding->message, first[i + length].finding->message);)
			length++;
		all[made++] = (struct sentence){ &first[i], length };
	}
	qsort(all, made, sizeof(*all), compare_sentences);
	for (size_t i = 0; i < made; i++)
		add_sentence(&text, gather, &all[i]);
	message = arena_strdup(gather->arena, strbuf_text(&text));
	strbuf_release(&text);
	return message;
}

static void fill_versions(struct sarif_finding *out, const struct gather *gather, const struct item *first,
			  size_t count)
{
	bool *has = arena_array(gather->arena, gather->groups->version_count, sizeof(*has));
	const char **versions;

	for (size_t i = 0; i < count; i++) {
		out->version_count += !has[first[i].rank];
		has[first[i].rank] = true;
	}
	out->versions = versions = arena_array(gather->arena, out->version_count, sizeof(*versions));
	for (size_t rank = 0, n = 0; rank < gather->groups->version_count; rank++)
		if (has[rank])
			versions[n++] = gather->groups->names[rank];
}

static int compare_suppressions(const void *a, const void *b)
{
	const struct suppression *x = *(const struct suppression *const *)a,
				 *y = *(const struct suppression *const *)b;

	return x->line < y->line ? -1 : x->line > y->line;
}

static void fill_suppressions(struct sarif_finding *out, const struct gather *gather,
			      const struct item *first, size_t count)
{
	const struct suppression **by;

	if (!first->by)
		return;
	out->by = by = arena_array(gather->arena, count, sizeof(*by));
	for (size_t i = 0; i < count; i++)
		by[i] = first[i].by;
	qsort(by, count, sizeof(*by), compare_suppressions);
	for (size_t i = 0; i < count; i++)
		if (!i || by[i] != by[out->by_count - 1])
			by[out->by_count++] = by[i];
}

static void fill(struct sarif_finding *out, const struct gather *gather, const struct item *first,
		 size_t count)
{
	*out = (struct sarif_finding){ .first = first->finding, .entry = first->entry, .node = first->node };
	out->logical = arena_printf(gather->arena, "%s/%s", first->finding->family, first->finding->entry);
	out->message = sentences(gather, first, count);
	out->is_split = first > gather->item && !compare_identity(first, first - 1);
	fill_versions(out, gather, first, count);
	fill_suppressions(out, gather, first, count);
}

/* sarif_gather - all of @report; one for each rule, record and path of an entry that a node says. */
static void sarif_gather(struct sarif_findings *out, const struct verify_report *report, struct arena *arena)
{
	struct gather gather = { .arena = arena };
	struct sarif_finding *findings;
	struct verify_groups groups;
	size_t total = 0, made = 0, length;

	verify_group(&groups, report, false, true, arena);
	gather.groups = &groups;
	for (size_t i = 0; i < report->version_count; i++)
		total += report->versions[i].result.finding_count + report->versions[i].result.unseen_count +
			 report->versions[i].suppressed_count;
	gather.item = arena_array(arena, total + 1, sizeof(*gather.item));
	findings = arena_array(arena, total + 1, sizeof(*findings));
	for (size_t rank = 0; rank < groups.version_count; rank++)
		add_version(&gather, &report->versions[groups.versions[rank]], rank);
	qsort(gather.item, gather.count, sizeof(*gather.item), compare_items);
	for (size_t i = 0; i < gather.count; i += length) {
		for (length = 1;
		     i + length < gather.count && is_one(&gather.item[i], &gather.item[i + length]);)
			length++;
		fill(&findings[made++], &gather, &gather.item[i], length);
	}
	*out = (struct sarif_findings){ findings, made };
}

static void sarif_suppressions(struct json_writer *writer, const struct sarif_finding *finding)
{
	json_key(writer, "suppressions");
	json_open_inline_array(writer);
	for (size_t i = 0; i < finding->by_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "kind", "external");
		json_key_string(writer, "status", "accepted");
		json_key_string(writer, "justification", finding->by[i]->reason);
		json_close_object(writer);
	}
	json_close_array(writer);
}

/* No two results of a run have one fingerprint. */
static void sarif_fingerprint(struct json_writer *writer, const struct sarif_finding *finding)
{
	const struct verify_finding *first = finding->first;
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s/%s/%s/%s/%s/%s%s", verify_rule_name(first->rule), first->family, first->entry,
		    first->record, first->path, finding->node->version,
		    finding->is_split ? "/suppressed" : "");
	json_key(writer, "partialFingerprints");
	json_open_inline_object(writer);
	json_key_string(writer, "drvabiFinding/v2", strbuf_text(&text));
	json_close_object(writer);
	strbuf_release(&text);
}

static void sarif_versions(struct json_writer *writer, const struct sarif_finding *finding)
{
	json_key(writer, "properties");
	json_open_inline_object(writer);
	json_key_strings(writer, "versions", finding->versions, finding->version_count);
	json_close_object(writer);
}

/* sarif_file - the file that the entry of a finding stands in. */
static const char *sarif_file(const struct verify_report *report, const struct sarif_finding *finding)
{
	return finding->entry && finding->entry->file ? finding->entry->file : report->table->path;
}

static void sarif_result(struct json_writer *writer, const struct verify_report *report,
			 const struct sarif_finding *finding)
{
	const struct verify_finding *first = finding->first;
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s %s: %s", first->family, first->entry, finding->message);
	json_open_object(writer);
	json_key_string(writer, "ruleId", verify_rule_name(first->rule));
	json_key_unsigned(writer, "ruleIndex", (uint64_t)first->rule);
	json_key_string(writer, "level", sarif_level(report, first->rule));
	sarif_message(writer, "message", text.text);
	sarif_location(writer, sarif_file(report, finding),
		       finding->entry ? finding->entry->line : finding->node->line, finding->logical);
	sarif_fingerprint(writer, finding);
	sarif_versions(writer, finding);
	if (report->suppressions)
		sarif_suppressions(writer, finding);
	json_close_object(writer);
	strbuf_release(&text);
}

/* sarif_results - those of them that are faults */
static void sarif_results(struct json_writer *writer, const struct verify_report *report,
			  const struct sarif_findings *findings)
{
	json_key(writer, "results");
	json_open_array(writer);
	for (size_t i = 0; i < findings->count; i++)
		if (!findings->finding[i].first->unseen)
			sarif_result(writer, report, &findings->finding[i]);
	json_close_array(writer);
}

/*
 * SARIF 2.1.0, with what GitHub's code scanning asks for on top: a help text
 * for each rule, a region for each location, fingerprints.
 *
 * A finding is a result, whatever the number of versions that have it; one
 * that was suppressed is a result too, and says so (verify_sarif_results.c). What
 * is not a fault (an unavailable version, what could not be checked of an entry,
 * a line of the suppression file that is unused, unexplained or expired) is a
 * notification of the run. With --strict an unavailable version is a result, too.
 */

/*
 * helpUri must be absolute (3.49.12), and the project has no address of its own: the Makefile's DOCS_URL is
 * where docs/ is.
 */
#ifndef DOCS_URL
#error "DOCS_URL is not set; see the Makefile"
#endif

#define SARIF_SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

enum notice {
	NOTICE_UNAVAILABLE,
	NOTICE_UNSEEN,
	NOTICE_UNUSED,
	NOTICE_UNEXPLAINED,
	NOTICE_EXPIRED,
	NOTICE_COUNT
};

static const struct {
	const char *id, *level, *description;
} notices[NOTICE_COUNT] = {
	[NOTICE_UNAVAILABLE] = { "unavailable", "warning",
				 "a version of the table could not be checked: nothing that was looked at has it" },
	[NOTICE_UNSEEN] = { "not-checked", "note",
			    "neither the table nor the driver's source shows whether something of an entry is a fault" },
	[NOTICE_UNUSED] = { "unused-suppression", "warning",
			    "a line of the suppression file suppresses nothing" },
	[NOTICE_UNEXPLAINED] = { "unexplained-suppression", "warning",
				 "a line of the suppression file has no reason but TODO" },
	[NOTICE_EXPIRED] = { "expired-suppression", "error",
			     "the day of a line of the suppression file has passed" },
};

static void sarif_descriptor(struct json_writer *writer, const char *id, const char *description,
			     const char *level)
{
	struct strbuf help = { 0 }, uri = { 0 };

	strbuf_addf(&help, "%s. See docs/verify.md#%s in the documentation of drvabi.", description, id);
	strbuf_addf(&uri, "%sverify.md#%s", DOCS_URL, id);
	help.text[0] = (char)toupper((unsigned char)help.text[0]);
	json_open_object(writer);
	json_key_string(writer, "id", id);
	sarif_message(writer, "shortDescription", description);
	sarif_message(writer, "fullDescription", description);
	sarif_message(writer, "help", strbuf_text(&help));
	json_key_string(writer, "helpUri", strbuf_text(&uri));
	json_key(writer, "defaultConfiguration");
	json_open_inline_object(writer);
	json_key_string(writer, "level", level);
	json_close_object(writer);
	json_close_object(writer);
	strbuf_release(&help);
	strbuf_release(&uri);
}

static void sarif_driver(struct json_writer *writer, const struct verify_report *report)
{
	json_key(writer, "tool");
	json_open_object(writer);
	json_key(writer, "driver");
	json_open_object(writer);
	json_key_string(writer, "name", "drvabi");
	json_key_string(writer, "version", DRVABI_VERSION);
	json_key(writer, "rules");
	json_open_array(writer);
	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++)
		sarif_descriptor(writer, verify_rule_name((enum verify_rule)rule),
				 verify_rule_description((enum verify_rule)rule),
				 sarif_level(report, (enum verify_rule)rule));
	json_close_array(writer);
	json_key(writer, "notifications");
	json_open_array(writer);
	for (int notice = 0; notice < NOTICE_COUNT; notice++)
		sarif_descriptor(writer, notices[notice].id, notices[notice].description,
				 notices[notice].level);
	json_close_array(writer);
	json_close_object(writer);
	json_close_object(writer);
}

static void sarif_notice(struct json_writer *writer, enum notice notice, const char *path, unsigned line,
			 const char *logical, const char *text)
{
	json_open_object(writer);
	json_key(writer, "descriptor");
	json_open_inline_object(writer);
	json_key_string(writer, "id", notices[notice].id);
	json_key_unsigned(writer, "index", (uint64_t)notice);
	json_close_object(writer);
	json_key_string(writer, "level", notices[notice].level);
	sarif_message(writer, "message", text);
	sarif_location(writer, path, line, logical);
	json_close_object(writer);
}

static void notices_of_versions(struct json_writer *writer, const struct verify_report *report)
{
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];
		const struct table_node *node = table_find_node(report->table, version->version);
		struct strbuf text = { 0 };

		if (version->status != VERIFY_UNAVAILABLE)
			continue;
		strbuf_addf(&text, "%s is unavailable: ", version->version);
		verify_why_unavailable(&text, version);
		sarif_notice(writer, NOTICE_UNAVAILABLE, report->table->path, node ? node->line : 0, NULL,
			     text.text);
		strbuf_release(&text);
	}
}

static void notices_of_unseen(struct json_writer *writer, const struct verify_report *report,
			      const struct sarif_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct sarif_finding *one = &findings->finding[i];
		const struct verify_finding *unseen = one->first;
		struct strbuf text = { 0 };

		if (!unseen->unseen)
			continue;
		strbuf_addf(&text, "%s %s is not checked: %s: %s", unseen->family, unseen->entry,
			    verify_rule_name(unseen->rule), one->message);
		for (size_t n = 0; n < one->by_count; n++)
			strbuf_addf(&text, "%s%s", n ? "; " : " (accepted: ", one->by[n]->reason);
		strbuf_adds(&text, one->by_count ? ")" : "");
		sarif_notice(writer, NOTICE_UNSEEN, sarif_file(report, one),
			     one->entry ? one->entry->line : 0, one->logical, text.text);
		strbuf_release(&text);
	}
}

static void notices_of_suppressions(struct json_writer *writer, const struct suppressions *suppressions)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; suppressions && i < suppressions->count; i++) {
		const struct suppression *item = &suppressions->item[i];

		if (verify_is_settled(item))
			continue;
		strbuf_reset(&text);
		strbuf_addf(&text, "%s line %u is %s: %s %s %s %s %s", suppressions->path, item->line,
			    verify_state(item), item->rule_text, item->entry, item->versions,
			    item->expires_text, item->reason);
		sarif_notice(writer,
			     item->expired ? NOTICE_EXPIRED
			     : item->used  ? NOTICE_UNEXPLAINED
					   : NOTICE_UNUSED,
			     suppressions->path, item->line, NULL, text.text);
	}
	strbuf_release(&text);
}

static void sarif_invocation(struct json_writer *writer, const struct verify_report *report,
			     const struct sarif_findings *findings)
{
	json_key(writer, "invocations");
	json_open_array(writer);
	json_open_object(writer);
	json_key_bool(writer, "executionSuccessful", true);
	json_key(writer, "toolExecutionNotifications");
	json_open_array(writer);
	notices_of_versions(writer, report);
	notices_of_unseen(writer, report, findings);
	notices_of_suppressions(writer, report->suppressions);
	json_close_array(writer);
	json_close_object(writer);
	json_close_array(writer);
}

void report_verify_sarif(struct strbuf *out, const struct verify_report *report)
{
	struct json_writer writer = { .out = out };
	struct sarif_findings findings;
	struct arena arena = { 0 };

	sarif_gather(&findings, report, &arena);
	json_open_object(&writer);
	json_key_string(&writer, "$schema", SARIF_SCHEMA);
	json_key_string(&writer, "version", "2.1.0");
	json_key(&writer, "runs");
	json_open_array(&writer);
	json_open_object(&writer);
	sarif_driver(&writer, report);
	sarif_invocation(&writer, report, &findings);
	sarif_results(&writer, report, &findings);
	json_close_object(&writer);
	json_close_array(&writer);
	json_close_object(&writer);
	json_end(&writer);
	arena_release(&arena);
}
