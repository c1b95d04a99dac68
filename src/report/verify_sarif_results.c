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
#include "report/verify_sarif_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A finding at one version. */
struct item {
	const struct verify_finding *finding;
	const struct suppression *by; /* NULL: not suppressed */
	const struct table_entry *entry;
	const struct table_node *node;
	size_t rank; /* of the version: 0 is the oldest */
};

struct gather {
	const struct verify_groups *groups;
	struct item *item;
	size_t count;
	struct arena *arena;
};

const char *sarif_level(const struct verify_report *report, enum verify_rule rule)
{
	return report->fails[rule] ? "error" : "warning";
}

void sarif_message(struct json_writer *writer, const char *key, const char *text)
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

void sarif_location(struct json_writer *writer, const char *path, unsigned line, const char *logical)
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

static const struct table_entry *find_entry(const struct table_view *view, const struct verify_finding *finding)
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

static void add_item(struct gather *gather, const struct verify_result *result, size_t rank, const struct verify_finding *finding,
		     const struct suppression *by)
{
	const struct table_entry *entry = find_entry(result->view, finding);

	gather->item[gather->count++] = (struct item){ finding, by, entry, node_of(result->view, entry), rank };
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

	if ((order = strcmp(a->family, b->family)) || (order = strcmp(a->entry, b->entry)) || (order = strcmp(a->record, b->record)) ||
	    (order = strcmp(a->path, b->path)) || (order = (int)a->rule - (int)b->rule) || (order = a->unseen - b->unseen))
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
		for (length = 1; i + length < count && !strcmp(first[i].finding->message, first[i + length].finding->message);)
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

static void fill_versions(struct sarif_finding *out, const struct gather *gather, const struct item *first, size_t count)
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
	const struct suppression *x = *(const struct suppression *const *)a, *y = *(const struct suppression *const *)b;

	return x->line < y->line ? -1 : x->line > y->line;
}

static void fill_suppressions(struct sarif_finding *out, const struct gather *gather, const struct item *first, size_t count)
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

static void fill(struct sarif_finding *out, const struct gather *gather, const struct item *first, size_t count)
{
	*out = (struct sarif_finding){ .first = first->finding, .entry = first->entry, .node = first->node };
	out->logical = arena_printf(gather->arena, "%s/%s", first->finding->family, first->finding->entry);
	out->message = sentences(gather, first, count);
	out->is_split = first > gather->item && !compare_identity(first, first - 1);
	fill_versions(out, gather, first, count);
	fill_suppressions(out, gather, first, count);
}

void sarif_gather(struct sarif_findings *out, const struct verify_report *report, struct arena *arena)
{
	struct gather gather = { .arena = arena };
	struct sarif_finding *findings;
	struct verify_groups groups;
	size_t total = 0, made = 0, length;

	verify_group(&groups, report, false, true, arena);
	gather.groups = &groups;
	for (size_t i = 0; i < report->version_count; i++)
		total += report->versions[i].result.finding_count + report->versions[i].result.unseen_count + report->versions[i].suppressed_count;
	gather.item = arena_array(arena, total + 1, sizeof(*gather.item));
	findings = arena_array(arena, total + 1, sizeof(*findings));
	for (size_t rank = 0; rank < groups.version_count; rank++)
		add_version(&gather, &report->versions[groups.versions[rank]], rank);
	qsort(gather.item, gather.count, sizeof(*gather.item), compare_items);
	for (size_t i = 0; i < gather.count; i += length) {
		for (length = 1; i + length < gather.count && is_one(&gather.item[i], &gather.item[i + length]);)
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

	strbuf_addf(&text, "%s/%s/%s/%s/%s/%s%s", verify_rule_name(first->rule), first->family, first->entry, first->record, first->path,
		    finding->node->version, finding->is_split ? "/suppressed" : "");
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

const char *sarif_file(const struct verify_report *report, const struct sarif_finding *finding)
{
	return finding->entry && finding->entry->file ? finding->entry->file : report->table->path;
}

static void sarif_result(struct json_writer *writer, const struct verify_report *report, const struct sarif_finding *finding)
{
	const struct verify_finding *first = finding->first;
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s %s: %s", first->family, first->entry, finding->message);
	json_open_object(writer);
	json_key_string(writer, "ruleId", verify_rule_name(first->rule));
	json_key_unsigned(writer, "ruleIndex", (uint64_t)first->rule);
	json_key_string(writer, "level", sarif_level(report, first->rule));
	sarif_message(writer, "message", text.text);
	sarif_location(writer, sarif_file(report, finding), finding->entry ? finding->entry->line : finding->node->line, finding->logical);
	sarif_fingerprint(writer, finding);
	sarif_versions(writer, finding);
	if (report->suppressions)
		sarif_suppressions(writer, finding);
	json_close_object(writer);
	strbuf_release(&text);
}

void sarif_results(struct json_writer *writer, const struct verify_report *report, const struct sarif_findings *findings)
{
	json_key(writer, "results");
	json_open_array(writer);
	for (size_t i = 0; i < findings->count; i++)
		if (!findings->finding[i].first->unseen)
			sarif_result(writer, report, &findings->finding[i]);
	json_close_array(writer);
}
