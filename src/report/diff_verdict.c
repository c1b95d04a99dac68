/*
 * report/diff_verdict.c - the sentences above a diff with a table: which node the next version may use, and what it costs
 *
 * Plain text: each output escapes it as it must.
 */
#include "report/diff_internal.h"
#include "report/style.h"

#include "history/ranges.h"

#include <string.h>

enum { ENTRIES_SHOWN = 6 };

/* Of a version whose ancestors have no node. */
static void add_older(struct strbuf *out, const struct ranges_choice *choice, const struct table *table)
{
	bool is_older = !table_nearest_node(table, choice->version);

	if (choice->node)
		strbuf_addf(out, "%s may use node %s, though %s", choice->version, choice->node->version,
			    is_older ? "older than the table" : "no ancestor of it has a node");
	else if (is_older)
		strbuf_addf(out, "%s is older than the table, and its first node, %s, does not fit", choice->version, choice->follows->version);
	else
		strbuf_addf(out, "%s has no ancestor with a node, and the nearest, %s, does not fit", choice->version, choice->follows->version);
}

static void add_choice(struct strbuf *out, const struct ranges_choice *choice, const struct table *table)
{
	if (!choice->is_known)
		strbuf_addf(out, "Which node %s may use is not known (%s)", choice->version, choice->why);
	else if (choice->follows_none)
		add_older(out, choice, table);
	else if (choice->is_own)
		strbuf_addf(out, "%s may use node %s, its own", choice->version, choice->node->version);
	else if (choice->fit == RANGES_OTHER)
		strbuf_addf(out, "%s may use node %s, though it follows %s", choice->version, choice->node->version, choice->follows->version);
	else if (choice->node)
		strbuf_addf(out, "%s may use node %s", choice->version, choice->node->version);
	else
		strbuf_addf(out, "%s needs a new node", choice->version);
}

/* "14 forwarded records changed, 4 of which P reads" */
static void add_records(struct strbuf *out, const struct diff_tally *tally, const char *proxy)
{
	if (!tally->changes) {
		strbuf_addf(out, "nothing that %s forwards changed", proxy);
	} else if (!tally->records) {
		strbuf_adds(out, "no forwarded record changed");
	} else {
		strbuf_plural(out, tally->records, "forwarded record");
		strbuf_adds(out, " changed, ");
		if (tally->records == 1)
			strbuf_addf(out, tally->read ? "which %s reads" : "which %s does not read", proxy);
		else if (!tally->read)
			strbuf_addf(out, "none of which %s reads", proxy);
		else if (tally->read == tally->records)
			strbuf_addf(out, "all of which %s reads", proxy);
		else
			strbuf_addf(out, "%zu of which %s reads", tally->read, proxy);
	}
}

static void add_ioctls(struct strbuf *out, size_t count, const char *what)
{
	if (!count)
		return;
	strbuf_adds(out, "; ");
	strbuf_plural(out, count, "forwarded ioctl");
	strbuf_addf(out, " %s", what);
}

void report_verdict(struct strbuf *out, const struct diff_report *report)
{
	const struct diff_tally *tally = &report->diff->tally;
	const struct table *table = report->diff->view->table;

	if (report->choice) {
		if (strcmp(report->diff->next->version, report->choice->version)) /* a branch or commit at a tag */
			strbuf_addf(out, "%s is %s; ", report->diff->next->version, report->choice->version);
		add_choice(out, report->choice, table);
		strbuf_adds(out, ": ");
	}
	add_records(out, tally, table->proxy);
	if (tally->handlers) {
		strbuf_adds(out, "; ");
		strbuf_plural(out, tally->handlers, "unread record");
		strbuf_addf(out, " call%s for a handler", tally->handlers == 1 ? "s" : "");
	}
	add_ioctls(out, tally->removed, tally->removed == 1 ? "is removed" : "are removed");
	add_ioctls(out, tally->renumbered, tally->renumbered == 1 ? "has another number, parameter record or argument" : "have another number, parameter record or argument");
	add_ioctls(out, tally->renamed, tally->renamed == 1 ? "has another name, or its parameter record does" :
							      "have other names, or their parameter records do");
}

/* Of findings, the entries: each once, as they come in order. */
static void add_entries(struct strbuf *out, const struct ranges_choice *choice)
{
	const char *last = "", *separator = " ";
	size_t shown = 0, entries = 0;

	for (size_t i = 0; i < choice->fresh_count; i++) {
		if (!strcmp(choice->fresh[i].entry, last))
			continue;
		last = choice->fresh[i].entry;
		if (entries++ >= ENTRIES_SHOWN)
			continue;
		strbuf_addf(out, "%s%s", separator, last);
		separator = ", ";
		shown++;
	}
	if (shown < entries)
		strbuf_addf(out, " and %zu more", entries - shown);
}

void report_verdict_proof(struct strbuf *out, const struct diff_report *report)
{
	const struct ranges_choice *choice = report->choice;

	if (!choice || !choice->fresh_count)
		return;
	strbuf_addf(out, "With node %s, verify has ", choice->follows->version);
	strbuf_plural(out, choice->fresh_count, "finding");
	strbuf_addf(out, " that it does not have at %s, in", choice->follows->version);
	add_entries(out, choice);
}

static const char *fit_name(const struct ranges_choice *choice)
{
	if (!choice->is_known)
		return "unknown";
	switch (choice->fit) {
	case RANGES_FITS: return "fits";
	case RANGES_OTHER: return "other";
	case RANGES_NEEDS: return "needs-new-node";
	case RANGES_OLDER: return "older";
	}
	return "";
}

static void json_findings(struct json_writer *writer, const struct ranges_choice *choice)
{
	json_key(writer, "findings");
	json_open_array(writer);
	for (size_t i = 0; i < choice->fresh_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "rule", verify_rule_name(choice->fresh[i].rule));
		json_key_string(writer, "family", choice->fresh[i].family);
		json_key_string(writer, "entry", choice->fresh[i].entry);
		json_key_string(writer, "message", choice->fresh[i].message);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_choice(struct json_writer *writer, const struct ranges_choice *choice)
{
	json_key_string(writer, "fit", fit_name(choice));
	json_key(writer, "node");
	json_string(writer, choice->node ? choice->node->version : NULL);
	json_key(writer, "follows");
	json_string(writer, choice->is_known && !choice->follows_none ? choice->follows->version : NULL);
	if (choice->why)
		json_key_string(writer, "why", choice->why);
}

void report_json_verdict(struct json_writer *writer, const struct diff_report *report)
{
	const struct diff_tally *tally = &report->diff->tally;
	struct strbuf text = { 0 };

	report_verdict(&text, report);
	json_key(writer, "verdict");
	json_open_object(writer);
	json_key_string(writer, "text", strbuf_text(&text));
	if (report->choice)
		json_choice(writer, report->choice);
	json_key_unsigned(writer, "records", tally->records);
	json_key_unsigned(writer, "read", tally->read);
	json_key_unsigned(writer, "handlers", tally->handlers);
	json_key_unsigned(writer, "removed_ioctls", tally->removed);
	json_key_unsigned(writer, "renumbered_ioctls", tally->renumbered);
	json_key_unsigned(writer, "renamed_ioctls", tally->renamed);
	json_key_unsigned(writer, "entries", tally->entries);
	json_key_unsigned(writer, "read_entries", tally->read_entries);
	if (report->choice)
		json_findings(writer, report->choice);
	json_close_object(writer);
	strbuf_release(&text);
}
