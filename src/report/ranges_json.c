/* Ranges for a program: "drvabi-ranges/1". */
#include "report/ranges.h"

#include "abi/abi.h"

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

static void json_sets(struct json_writer *writer, const struct ranges *ranges)
{
	json_key(writer, "sets");
	json_open_array(writer);
	for (size_t i = 0; i < ranges->set_count; i++) {
		json_open_inline_array(writer);
		for (size_t v = 0; v < ranges->sets[i].count; v++)
			json_string(writer, ranges->graph->versions[ranges->sets[i].versions[v]].version);
		json_close_array(writer);
	}
	json_close_array(writer);
}

static void json_findings(struct json_writer *writer, const char *key, const struct verify_finding *findings, size_t count)
{
	json_key(writer, key);
	json_open_array(writer);
	for (size_t i = 0; i < count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "rule", verify_rule_name(findings[i].rule));
		json_key_string(writer, "family", findings[i].family);
		json_key_string(writer, "entry", findings[i].entry);
		json_key_string(writer, "record", findings[i].record);
		json_key_string(writer, "path", findings[i].path);
		json_key_string(writer, "message", findings[i].message);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_proof(struct json_writer *writer, const struct ranges_proof *proof)
{
	json_key(writer, "proof");
	json_open_inline_object(writer);
	json_key_bool(writer, "compared", proof->compared);
	json_key_unsigned(writer, "unread_changes", proof->unread);
	json_key_strings(writer, "against", proof->against, proof->against_count);
	json_close_object(writer);
}

static void json_version(struct json_writer *writer, const struct ranges_report *report, size_t index)
{
	const struct ranges *ranges = report->ranges;
	const struct ranges_version *version = &ranges->versions[index];

	json_open_object(writer);
	json_key_string(writer, "version", ranges->graph->versions[index].version);
	json_key_unsigned(writer, "set", version->set);
	json_key_string(writer, "follows", version->follows_none ? NULL : version->node->version);
	json_key_string(writer, "fit", fit_name(version->fit));
	json_key_string(writer, "node", node_version(version->safe));
	if (version->fit == RANGES_NEEDS)
		json_key_string(writer, "served_by", ranges->graph->versions[version->served_by].version);
	if (version->fresh_count)
		json_findings(writer, "findings", version->fresh, version->fresh_count);
	if (report->proofs)
		json_proof(writer, &report->proofs[index]);
	json_close_object(writer);
}

static void json_node(struct json_writer *writer, const struct ranges_node *node)
{
	json_open_object(writer);
	json_key_string(writer, "version", node->node->version);
	json_key_string(writer, "parent", node_version(node->node->parent));
	json_key_bool(writer, "supported", node->node->supported);
	json_key_bool(writer, "available", node->version >= 0);
	json_key_string(writer, "follows", node_version(node->follows));
	json_key_bool(writer, "misplaced", node->is_misplaced);
	json_key_string(writer, "verdict", verdict_name(node->verdict));
	json_findings(writer, "known", node->known, node->known_count);
	json_close_object(writer);
}

static void json_summary(struct json_writer *writer, const struct ranges *ranges)
{
	json_key(writer, "summary");
	json_open_inline_object(writer);
	json_key_unsigned(writer, "sets", ranges->set_count);
	json_key_unsigned(writer, "fits", ranges->fitting);
	json_key_unsigned(writer, "other", ranges->other);
	json_key_unsigned(writer, "needs_new_node", ranges->needing);
	json_key_unsigned(writer, "older", ranges->older);
	json_key_unsigned(writer, "new_nodes", ranges->new_nodes);
	json_close_object(writer);
}

void report_ranges_json(struct strbuf *out, const struct ranges_report *report)
{
	struct json_writer writer = { .out = out };
	const struct ranges *ranges = report->ranges;

	json_open_object(&writer);
	json_key_string(&writer, "format", RANGES_FORMAT);
	json_key_string(&writer, "driver", report->driver);
	json_key_string(&writer, "target", report->target);
	json_key_string(&writer, "table", ranges->table->proxy);
	json_key_string(&writer, "notion", ranges_notion_name(ranges->notion));
	json_sets(&writer, ranges);
	json_key(&writer, "versions");
	json_open_array(&writer);
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		if (ranges->graph->versions[i].abi)
			json_version(&writer, report, i);
	json_close_array(&writer);
	json_key(&writer, "nodes");
	json_open_array(&writer);
	for (size_t i = 0; i < ranges->table->node_count; i++)
		json_node(&writer, &ranges->nodes[i]);
	json_close_array(&writer);
	json_summary(&writer, ranges);
	json_close_object(&writer);
	json_end(&writer);
}
