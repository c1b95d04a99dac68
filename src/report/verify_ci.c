/* report/verify_ci.c - the result of verify as SARIF and as GitHub annotations */
#include "report/internal.h"

/*
 * This file merges the findings of many versions into results:
 *
 * 1. Every finding of every version, suppressed or not, becomes an item with its entry of the table.
 * 2. Items are sorted by their identity: entry, record, path, rule, and the node of the table that defines
 *    the entry. Items with the same identity become one result, even if their sentences have different sizes
 *    and offsets. If only some of them are suppressed, the suppressed items become a result of their own.
 * 3. The identity is the fingerprint of the result. A new driver version, or a move of the entry to a
 *    different line of the table's file, does not change it.
 */

/* A result: a finding, suppressed or not, or an entry that could not be checked, in all its versions. */
struct ci_finding {
	const struct verify_finding *first;    /* the finding in the oldest version */
	const struct table_entry *entry;       /* NULL if the table has no such entry */
	const struct table_node *node;         /* the node that defines @entry */
	const char *message;                   /* the sentences, each with its versions */
	const char *text;                      /* "FAMILY ENTRY: MESSAGE" */
	const char *logical;                   /* "FAMILY/ENTRY" */
	const char *const *versions;           /* oldest first */
	size_t version_count;
	const struct suppression *const *by;   /* the lines that suppress it; empty if not suppressed */
	size_t by_count;
	bool is_split;                         /* suppressed in only some versions; the others are in a
						  result of their own */
};

struct ci_findings {
	const struct ci_finding *finding; /* sorted by entry, then record, path and rule */
	size_t count;
};

/* A finding in one version. */
struct node_finding {
	const struct verify_finding *finding;
	const struct suppression *by; /* NULL: not suppressed */
	const struct table_entry *entry;
	const struct table_node *node;
	size_t rank; /* rank of the version: 0 is the oldest */
};

struct gather {
	const struct verify_versions *versions;
	struct node_finding *item;
	size_t count;
	struct arena *arena;
};

/* rule_level - return "error" if findings of the rule count, else "warning" */
static const char *rule_level(const struct verify_report *report, enum verify_rule rule)
{
	return report->fails[rule] ? "error" : "warning";
}

/* sarif_message - write a SARIF message: {"text": "..."} */
static void sarif_message(struct json_writer *writer, const char *key, const char *text)
{
	struct strbuf escaped = { 0 };

	escape_sarif(&escaped, text);
	json_key_open(writer, key, json_open_inline_object);
	json_key_string(writer, "text", strbuf_text(&escaped));
	json_close_object(writer);
	strbuf_release(&escaped);
}

/* sarif_location - write a location. @line: 0 for the whole file; @logical: "FAMILY/ENTRY", or NULL */
static void sarif_location(struct json_writer *writer, const char *path, unsigned line, const char *logical)
{
	struct strbuf uri = { 0 };

	/* A path as a URI reference escapes all except RFC 3986's unreserved characters and '/'. */
	if (*path == '/')
		strbuf_adds(&uri, "file://");
	for (; *path; path++)
		strbuf_addf(&uri, isalnum((unsigned char)*path) || strchr("-._~/", *path) ? "%c" : "%%%02X",
			    (unsigned char)*path);
	json_key_open(writer, "locations", json_open_array);
	json_open_object(writer);
	json_key_open(writer, "physicalLocation", json_open_inline_object);
	json_key_open(writer, "artifactLocation", json_open_inline_object);
	json_key_string(writer, "uri", strbuf_text(&uri));
	json_close_object(writer);
	json_key_open(writer, "region", json_open_inline_object);
	json_key_unsigned(writer, "startLine", line ? line : 1); /* GitHub requires a region */
	json_close_object(writer);
	json_close_object(writer);
	if (logical) {
		json_key_open(writer, "logicalLocations", json_open_inline_array);
		json_open_inline_object(writer);
		json_key_string(writer, "fullyQualifiedName", logical);
		json_close_object(writer);
		json_close_array(writer);
	}
	json_close_object(writer);
	json_close_array(writer);
	strbuf_release(&uri);
}

/* Finds the node that has the entry itself, not inherited. Return: the view's node if @entry is NULL. */
static const struct table_node *defining_node(const struct table_view *view, const struct table_entry *entry)
{
	const struct table_node *node = view->node;

	while (node && entry && !(entry >= node->entries && entry < node->entries + node->entry_count))
		node = node->parent;
	return node ? node : view->node;
}

/* Adds a finding, with its entry and the entry's node, to gather->item. @by: the suppressing line, or NULL */
static void add_finding(struct gather *gather, const struct verify_result *result, size_t rank,
			const struct verify_finding *finding, const struct suppression *by)
{
	const struct table_entry key = { .family = finding->family, .name = finding->entry };
	const struct table_entry *entry = table_entry_at(result->view->node, &key);

	gather->item = arena_room(gather->arena, gather->item, gather->count, sizeof(*gather->item));
	gather->item[gather->count++] =
		(struct node_finding){ finding, by, entry, defining_node(result->view, entry), rank };
}

/* Compares what identifies a result. Neither the driver's version nor the sentence does. */
static int compare_identities(const struct node_finding *x, const struct node_finding *y)
{
	const struct verify_finding *a = x->finding, *b = y->finding;

	return strcmp(a->family, b->family) ?: strcmp(a->entry, b->entry) ?: strcmp(a->record, b->record)
		?: strcmp(a->path, b->path) ?: compare_numbers(a->rule, b->rule) ?: a->unseen - b->unseen
		?: strcmp(x->node->version, y->node->version);
}

/*
 * Sorts the items of one result next to each other. The suppressed items of an identity come last, because
 * fill_result() gives the second result of an identity a different fingerprint. Within a result, items with
 * the same sentence are adjacent, oldest version first, as join_sentences() needs them.
 */
static int compare_for_results(const void *a, const void *b)
{
	const struct node_finding *x = a, *y = b;

	return compare_identities(x, y) ?: !y->by - !x->by ?: strcmp(x->finding->message, y->finding->message)
		?: compare_numbers(x->rank, y->rank);
}

/* Items with the same sentence. */
struct sentence {
	const struct node_finding *first; /* oldest version first */
	size_t count;
};

/* Orders sentences by their oldest version. */
static int compare_sentences(const void *a, const void *b)
{
	const struct sentence *x = a, *y = b;

	return compare_numbers(x->first->rank, y->first->rank)
		?: compare_numbers((uintptr_t)x->first, (uintptr_t)y->first);
}

/*
 * Joins the messages of one result, each once, with its versions: "MESSAGE (550.54.14); MESSAGE (590.48.01)".
 * @first: @count items, sorted by compare_for_results(). Return: the text, in the arena.
 */
static const char *join_sentences(const struct gather *gather, const struct node_finding *first, size_t count)
{
	struct sentence *all = arena_array(gather->arena, count, sizeof(*all));
	struct strbuf text = { 0 };
	size_t made = 0, length;

	for (size_t i = 0; i < count; i += length) {
		for (length = 1; i + length < count &&
				 !strcmp(first[i].finding->message, first[i + length].finding->message);)
			length++;
		all[made++] = (struct sentence){ &first[i], length };
	}
	sort_items(all, made, sizeof(*all), compare_sentences);
	for (size_t i = 0; i < made; i++) {
		size_t *ranks = arena_array(gather->arena, all[i].count, sizeof(*ranks));

		for (size_t r = 0; r < all[i].count; r++)
			ranks[r] = all[i].first[r].rank;
		strbuf_addf(&text, "%s%s (", i ? "; " : "", all[i].first->finding->message);
		findings_runs(&text, gather->versions->names, ranks, all[i].count);
		strbuf_addch(&text, ')');
	}
	return strbuf_take(&text, gather->arena);
}

/* Orders suppressions by their lines in the file. Duplicates become adjacent, so that they can be removed. */
static int compare_suppressions(const void *a, const void *b)
{
	const struct suppression *x = *(const struct suppression *const *)a,
				 *y = *(const struct suppression *const *)b;

	return compare_numbers(x->line, y->line);
}

/* Makes one result of @count adjacent findings of one identity, all suppressed or all not. */
static void fill_result(struct ci_finding *out, const struct gather *gather, const struct node_finding *first,
			size_t count)
{
	bool *has = arena_array(gather->arena, gather->versions->count, sizeof(*has));
	const struct suppression **by;
	const char **versions;

	*out = (struct ci_finding){ .first = first->finding, .entry = first->entry, .node = first->node };
	out->logical = arena_printf(gather->arena, "%s/%s", first->finding->family, first->finding->entry);
	out->message = join_sentences(gather, first, count);
	out->text = arena_printf(gather->arena, "%s %s: %s", first->finding->family, first->finding->entry,
				 out->message);
	/* the unsuppressed items of an identity come first, in a result of their own */
	out->is_split = first > gather->item && !compare_identities(first, first - 1);
	for (size_t i = 0; i < count; i++) {
		out->version_count += !has[first[i].rank];
		has[first[i].rank] = true;
	}
	out->versions = versions = arena_array(gather->arena, out->version_count, sizeof(*versions));
	for (size_t rank = 0, n = 0; rank < gather->versions->count; rank++)
		if (has[rank])
			versions[n++] = gather->versions->names[rank];
	if (!first->by)
		return;
	out->by = by = arena_array(gather->arena, count, sizeof(*by));
	for (size_t i = 0; i < count; i++)
		by[i] = first[i].by;
	sort_items(by, count, sizeof(*by), compare_suppressions);
	for (size_t i = 0; i < count; i++)
		if (!i || by[i] != by[out->by_count - 1])
			by[out->by_count++] = by[i];
}

/*
 * gather_findings - merge the findings of all versions, also unseen and suppressed ones, into results: one
 * for each entry, record, path, rule and defining node. @out: lives in @arena
 */
static void gather_findings(struct ci_findings *out, const struct verify_report *report, struct arena *arena)
{
	struct verify_versions versions;
	struct gather gather = { .versions = &versions, .arena = arena };
	struct ci_finding *findings;
	size_t made = 0, length;

	verify_sort_versions(&versions, report, true, arena);
	for (size_t rank = 0; rank < versions.count; rank++) {
		const struct verify_version *version = &versions.versions[rank];
		const struct verify_result *result = &version->result;

		for (size_t i = 0; i < result->finding_count; i++)
			add_finding(&gather, result, rank, &result->findings[i], NULL);
		for (size_t i = 0; i < result->unseen_count; i++)
			add_finding(&gather, result, rank, &result->unseen[i], NULL);
		for (size_t i = 0; i < version->suppressed_count; i++)
			add_finding(&gather, result, rank, version->suppressed[i].finding,
				    version->suppressed[i].by);
	}
	sort_items(gather.item, gather.count, sizeof(*gather.item), compare_for_results);
	findings = arena_array(arena, gather.count + 1, sizeof(*findings));
	for (size_t i = 0; i < gather.count; i += length) {
		const struct node_finding *first = &gather.item[i];

		for (length = 1; i + length < gather.count && !compare_identities(first, &first[length]) &&
				 !first->by == !first[length].by;)
			length++;
		fill_result(&findings[made++], &gather, first, length);
	}
	*out = (struct ci_findings){ findings, made };
}

/* Returns the file that has the entry of a finding; entry_line() returns the line. */
static const char *entry_file(const struct verify_report *report, const struct ci_finding *finding)
{
	return finding->entry && finding->entry->file ? finding->entry->file : report->table->path;
}

static unsigned entry_line(const struct ci_finding *finding)
{
	return finding->entry ? finding->entry->line : finding->node->line;
}

/*
 * Writes a finding as a SARIF result, at the line of its entry in the table, with its versions and a
 * fingerprint; and, if there is a suppression file, the reasons of the lines that suppress it.
 */
static void sarif_result(struct json_writer *writer, const struct verify_report *report,
			 const struct ci_finding *finding)
{
	const struct verify_finding *first = finding->first;
	struct strbuf text = { 0 };

	json_open_object(writer);
	json_key_string(writer, "ruleId", verify_rule_name(first->rule));
	json_key_unsigned(writer, "ruleIndex", (uint64_t)first->rule);
	json_key_string(writer, "level", rule_level(report, first->rule));
	sarif_message(writer, "message", finding->text);
	sarif_location(writer, entry_file(report, finding), entry_line(finding), finding->logical);
	/* the fingerprint is unique in the run */
	strbuf_addf(&text, "%s/%s/%s/%s/%s/%s%s", verify_rule_name(first->rule), first->family, first->entry,
		    first->record, first->path, finding->node->version,
		    finding->is_split ? "/suppressed" : "");
	json_key_open(writer, "partialFingerprints", json_open_inline_object);
	json_key_string(writer, "drvabiFinding/v2", text.text);
	json_close_object(writer);
	json_key_open(writer, "properties", json_open_inline_object);
	json_key_strings(writer, "versions", finding->versions, finding->version_count);
	json_close_object(writer);
	if (report->suppressions) {
		json_key_open(writer, "suppressions", json_open_inline_array);
		for (size_t i = 0; i < finding->by_count; i++) {
			json_open_inline_object(writer);
			json_key_string(writer, "kind", "external");
			json_key_string(writer, "status", "accepted");
			json_key_string(writer, "justification", finding->by[i]->reason);
			json_close_object(writer);
		}
		json_close_array(writer);
	}
	json_close_object(writer);
	strbuf_release(&text);
}

/*
 * SARIF 2.1.0, with the parts that GitHub's code scanning also requires: a help text for each rule, a region
 * for each location, and fingerprints.
 *
 * A finding is one result for all its versions. A suppressed finding is a result with "suppressions".
 * Everything that is not a fault is a notification of the run: an unavailable version, an entry that could
 * not be fully checked, an unused, unexplained or expired line of the suppression file. With --strict, an
 * unavailable version is a result.
 */

/*
 * helpUri must be absolute (SARIF, 3.49.12). The project has no fixed address, so the Makefile sets DOCS_URL
 * to the address of docs/.
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
	size_t rule;
	const char *level;
} notices[NOTICE_COUNT] = {
	[NOTICE_UNAVAILABLE] = { VERIFY_LACKING, "warning" },
	[NOTICE_UNSEEN] = { RULE_NOT_CHECKED, "note" },
	[NOTICE_UNUSED] = { RULE_UNUSED, "warning" },
	[NOTICE_UNEXPLAINED] = { RULE_UNEXPLAINED, "warning" },
	[NOTICE_EXPIRED] = { RULE_EXPIRED, "error" },
};

/* Writes what SARIF needs about a rule or notification. @level: its default, "error", "warning", "note" */
static void sarif_descriptor(struct json_writer *writer, size_t rule, const char *level)
{
	struct arena arena = { 0 };
	const struct rule_text text = rule_text(rule, &arena);

	json_open_object(writer);
	json_key_string(writer, "id", rule_name(rule));
	sarif_message(writer, "shortDescription", text.what);
	sarif_message(writer, "fullDescription", text.what);
	sarif_message(writer, "help", arena_printf(&arena, "%s Example: %s. What to do: %s", text.what,
						   text.example, text.to_do));
	json_key_string(writer, "helpUri", arena_printf(&arena, "%srules.md#%s", DOCS_URL, rule_name(rule)));
	json_key_open(writer, "defaultConfiguration", json_open_inline_object);
	json_key_string(writer, "level", level);
	json_close_object(writer);
	json_close_object(writer);
	arena_release(&arena);
}

/* Reports a notification at a line of a file. @text: its sentence; @logical: "FAMILY/ENTRY", or NULL */
typedef void notice_fn(void *data, enum notice notice, const char *path, unsigned line, const char *logical,
		       const char *text);

/* A notice_fn that writes a SARIF notification. @data: the JSON writer */
static void sarif_notice(void *data, enum notice notice, const char *path, unsigned line, const char *logical,
			 const char *text)
{
	struct json_writer *writer = data;

	json_open_object(writer);
	json_key_open(writer, "descriptor", json_open_inline_object);
	json_key_string(writer, "id", rule_name(notices[notice].rule));
	json_key_unsigned(writer, "index", (uint64_t)notice);
	json_close_object(writer);
	json_key_string(writer, "level", notices[notice].level);
	sarif_message(writer, "message", text);
	sarif_location(writer, path, line, logical);
	json_close_object(writer);
}

/* Calls @notify for each unavailable version, at the line of its node, with how to make it available. */
static void notices_of_versions(const struct verify_report *report, notice_fn *notify, void *data)
{
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];
		const struct table_node *node = table_find_node(report->table, version->version);
		struct strbuf text = { 0 };

		if (version->status != VERIFY_UNAVAILABLE)
			continue;
		strbuf_addf(&text, "%s is unavailable: %s; to check it, %s", version->version,
			    version->reason, version->to_do);
		notify(data, NOTICE_UNAVAILABLE, report->table->path, node ? node->line : 0, NULL, text.text);
		strbuf_release(&text);
	}
}

/* Calls @notify for each result about what could not be checked, with the reasons if it is accepted. */
static void notices_of_unseen(const struct verify_report *report, const struct ci_findings *findings,
			      notice_fn *notify, void *data)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct ci_finding *one = &findings->finding[i];
		const struct verify_finding *unseen = one->first;
		struct strbuf text = { 0 };

		if (!unseen->unseen)
			continue;
		strbuf_addf(&text, "%s %s is not checked: %s: %s", unseen->family, unseen->entry,
			    verify_rule_name(unseen->rule), one->message);
		for (size_t n = 0; n < one->by_count; n++)
			strbuf_addf(&text, "%s%s", n ? "; " : " (accepted: ", one->by[n]->reason);
		strbuf_adds(&text, one->by_count ? ")" : "");
		notify(data, NOTICE_UNSEEN, entry_file(report, one), one->entry ? one->entry->line : 0,
		       one->logical, text.text);
		strbuf_release(&text);
	}
}

/* Calls @notify for each expired, unexplained or unused line of the suppression file, which can be NULL. */
static void notices_of_suppressions(const struct suppressions *suppressions, notice_fn *notify, void *data)
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
		notify(data,
		       item->expired ? NOTICE_EXPIRED
		       : item->used  ? NOTICE_UNEXPLAINED
				     : NOTICE_UNUSED,
		       suppressions->path, item->line, NULL, text.text);
	}
	strbuf_release(&text);
}

void report_verify_sarif(struct strbuf *out, const struct verify_report *report)
{
	struct json_writer writer = { .out = out };
	struct ci_findings findings;
	struct arena arena = { 0 };

	gather_findings(&findings, report, &arena);
	json_open_object(&writer);
	json_key_string(&writer, "$schema", SARIF_SCHEMA);
	json_key_string(&writer, "version", "2.1.0");
	json_key_open(&writer, "runs", json_open_array);
	json_open_object(&writer);
	json_key_open(&writer, "tool", json_open_object);
	json_key_open(&writer, "driver", json_open_object);
	json_key_string(&writer, "name", "drvabi");
	json_key_string(&writer, "version", DRVABI_VERSION);
	json_key_open(&writer, "rules", json_open_array);
	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++)
		sarif_descriptor(&writer, (size_t)rule, rule_level(report, (enum verify_rule)rule));
	json_close_array(&writer);
	json_key_open(&writer, "notifications", json_open_array);
	for (int notice = 0; notice < NOTICE_COUNT; notice++)
		sarif_descriptor(&writer, notices[notice].rule, notices[notice].level);
	json_close_array(&writer);
	json_close_object(&writer);
	json_close_object(&writer);
	json_key_open(&writer, "invocations", json_open_array);
	json_open_object(&writer);
	json_key_bool(&writer, "executionSuccessful", true);
	json_key_open(&writer, "toolExecutionNotifications", json_open_array);
	notices_of_versions(report, sarif_notice, &writer);
	notices_of_unseen(report, &findings, sarif_notice, &writer);
	notices_of_suppressions(report->suppressions, sarif_notice, &writer);
	json_close_array(&writer);
	json_close_object(&writer);
	json_close_array(&writer);
	json_key_open(&writer, "results", json_open_array);
	for (size_t i = 0; i < findings.count; i++)
		if (!findings.finding[i].first->unseen)
			sarif_result(&writer, report, &findings.finding[i]);
	json_close_array(&writer);
	json_close_object(&writer);
	json_close_array(&writer);
	json_close_object(&writer);
	json_end(&writer);
	arena_release(&arena);
}

/*
 * GitHub's workflow commands. A CI step that prints them gets annotations at the lines of the table.
 *
 * Errors come first, because GitHub shows only ten annotations per level. Suppressed findings get none.
 */

/* Writes the workflow command of an annotation: "::error file=table.json,line=12,title=size::TEXT". */
static void github_command(struct strbuf *out, const char *level, const char *path, unsigned line,
			   const char *title, const char *text)
{
	strbuf_addf(out, "::%s file=", level);
	escape_github_property(out, path);
	strbuf_addf(out, ",line=%u,title=%s::", line ? line : 1, title);
	escape_github(out, text);
	strbuf_addch(out, '\n');
}

static void github_notice(void *data, enum notice notice, const char *path, unsigned line,
			  const char *logical, const char *text)
{
	(void)logical;
	github_command(data, strcmp(notices[notice].level, "note") ? notices[notice].level : "notice", path,
		       line, rule_name(notices[notice].rule), text);
}

/* Writes the unsuppressed findings that fail the run, or those that do not if @failing is false. */
static void github_findings(struct strbuf *out, const struct verify_report *report,
			    const struct ci_findings *findings, bool failing)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct ci_finding *one = &findings->finding[i];
		const enum verify_rule rule = one->first->rule;

		if (!one->first->unseen && !one->by_count && report->fails[rule] == failing)
			github_command(out, rule_level(report, rule), entry_file(report, one),
				       entry_line(one), verify_rule_name(rule), one->text);
	}
}

void report_verify_github(struct strbuf *out, const struct verify_report *report)
{
	struct ci_findings findings;
	struct arena arena = { 0 };

	gather_findings(&findings, report, &arena);
	github_findings(out, report, &findings, true);
	notices_of_suppressions(report->suppressions, github_notice, out);
	github_findings(out, report, &findings, false);
	/* If unavailable versions fail, they are findings, which may be suppressed. */
	if (!report->fails[VERIFY_LACKING])
		notices_of_versions(report, github_notice, out);
	notices_of_unseen(report, &findings, github_notice, out);
	arena_release(&arena);
}
