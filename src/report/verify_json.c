/* The result of verify as JSON: "drvabi-verify/1". The context of the writer is the report. */
#include "report/internal.h"

JSON_IS(is_not_in_driver, verify_finding, !it->driver.present)
JSON_IS(is_not_in_proxy, verify_finding, !it->proxy.present)
JSON_IS(has_number, verify_side, it->has_number)
JSON_IS(has_no_number, verify_side, !it->has_number)

/* The driver's or the proxy's side of a finding: a number with its name, or a field with its type. */
static const struct json_struct side_fields = {
	.is_inline = true,
	.field = {
		JSON_FIELD("number", JSON_U64 | JSON_OPTIONAL, verify_side, number,
			   .is_left_out = has_no_number),
		JSON_FIELD("name", JSON_TEXT | JSON_OPTIONAL, verify_side, type,
			   .is_left_out = has_no_number),
		JSON_FIELD("offset", JSON_U64 | JSON_OPTIONAL, verify_side, offset_bytes,
			   .is_left_out = has_number),
		JSON_FIELD("size", JSON_U64 | JSON_OPTIONAL, verify_side, size_bytes,
			   .is_left_out = has_number),
		JSON_FIELD("type", JSON_TEXT | JSON_OPTIONAL, verify_side, type, .is_left_out = has_number),
	},
};

const struct json_struct report_finding_fields = {
	.field = {
		JSON_FIELD("rule", JSON_NAMED, verify_finding, rule, .name_of = verify_rule_name,
			   .max = VERIFY_RULE_COUNT),
		JSON_FIELD("family", JSON_TEXT, verify_finding, family),
		JSON_FIELD("entry", JSON_TEXT, verify_finding, entry),
	},
};

const struct json_struct report_finding_place_fields = {
	.field = {
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_finding_fields },
		JSON_FIELD("record", JSON_TEXT, verify_finding, record),
		JSON_FIELD("path", JSON_TEXT, verify_finding, path),
	},
};

static const struct json_struct about_fields = {
	.field = {
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_finding_place_fields },
		JSON_FIELD("driver", JSON_OBJECT | JSON_OPTIONAL, verify_finding, driver, .of = &side_fields,
			   .is_left_out = is_not_in_driver),
		JSON_FIELD("proxy", JSON_OBJECT | JSON_OPTIONAL, verify_finding, proxy, .of = &side_fields,
			   .is_left_out = is_not_in_proxy),
	},
};

static const struct json_struct message_fields = {
	.field = {
		{ .key = "*", .kind = JSON_MEMBERS, .of = &about_fields },
		JSON_FIELD("message", JSON_TEXT, verify_finding, message),
	},
};

/* Writes "counts": false if the rule does not make the run fail. */
static void write_counts(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct verify_report *report = writer->context;

	if (!report->fails[((const struct verify_finding *)object)->rule])
		json_key_bool(writer, field->key, false);
}

JSON_IS(is_unavailable, verify_version, it->status == VERIFY_UNAVAILABLE)
JSON_IS(is_compared, verify_version, it->status != VERIFY_UNAVAILABLE)
JSON_GET_TEXT(result_node, verify_version, it->result.view->node->version)
JSON_GET_TEXT(result_commit, verify_version, it->result.abi->commit)

#define COMPARED(key_, kind_, member) \
	JSON_FIELD(key_, (kind_) | JSON_OPTIONAL, verify_version, member, .is_left_out = is_unavailable)

static const struct json_struct version_fields = {
	.size = sizeof(struct verify_version),
	.field = {
		JSON_FIELD("version", JSON_TEXT, verify_version, version),
		JSON_FIELD("supported", JSON_BOOL, verify_version, supported),
		JSON_FIELD("status", JSON_NAMED, verify_version, status, .name_of = verify_status_name,
			   .max = VERIFY_UNAVAILABLE + 1),
		JSON_FIELD("reason", JSON_TEXT | JSON_OPTIONAL, verify_version, reason,
			   .is_left_out = is_compared),
		JSON_FIELD("to_do", JSON_TEXT | JSON_OPTIONAL, verify_version, to_do,
			   .is_left_out = is_compared),
		{ .key = "node", .kind = JSON_TEXT | JSON_OPTIONAL, .get_text = result_node,
		  .is_left_out = is_unavailable },
		{ .key = "commit", .kind = JSON_TEXT | JSON_OPTIONAL, .get_text = result_commit,
		  .is_left_out = is_unavailable },
		JSON_INTO_BY_POINTER(verify_version, result.abi, JSON_STRUCT(abi,
			JSON_ARRAY("warnings", JSON_LIST | JSON_SPARSE, abi, warnings, warning_count,
				   &abi_warning_fields)), .is_left_out = is_unavailable),
		COMPARED("entries", JSON_SIZE, result.entry_count),
		COMPARED("structs", JSON_SIZE, result.struct_count),
		COMPARED("fields", JSON_SIZE, result.scalar_count),
		JSON_ARRAY("unseen", JSON_LIST | JSON_OPTIONAL, verify_version, result.unseen,
			   result.unseen_count, JSON_LINE(verify_finding,
				{ .key = "*", .kind = JSON_MEMBERS, .of = &about_fields },
				JSON_FIELD("reason", JSON_TEXT, verify_finding, message)),
			   .is_left_out = is_unavailable),
		JSON_ARRAY("suppressed", JSON_LIST, verify_version, suppressed, suppressed_count,
			   JSON_LINE(suppressed,
			JSON_INTO_BY_POINTER(suppressed, finding, &message_fields),
			JSON_INTO_BY_POINTER(suppressed, by, JSON_STRUCT(suppression,
				JSON_FIELD("line", JSON_U32, suppression, line),
				JSON_FIELD("reason", JSON_TEXT, suppression, reason))))),
		JSON_ARRAY("findings", JSON_LIST, verify_version, result.findings, result.finding_count,
			   JSON_LINE(verify_finding,
				{ .key = "*", .kind = JSON_MEMBERS, .of = &message_fields },
				{ .key = "counts", .kind = JSON_BOOL | JSON_OPTIONAL,
				  .write = write_counts })),
	},
};

/* --- suppressions --------------------------------------------------------------- */

JSON_GET_TEXT(suppression_state, suppression, verify_state(it))

const struct json_struct report_suppression_fields = {
	.field = { JSON_ARRAY("suppressions", JSON_LIST | JSON_OPTIONAL, suppressions, item, count,
			      JSON_LINE(suppression,
			JSON_FIELD("file", JSON_TEXT, suppression, path),
			JSON_FIELD("line", JSON_U32, suppression, line),
			JSON_FIELD("rule", JSON_TEXT, suppression, rule_text),
			JSON_FIELD("entry", JSON_TEXT, suppression, entry),
			JSON_FIELD("versions", JSON_TEXT, suppression, versions),
			JSON_FIELD("expires", JSON_TEXT, suppression, expires_text),
			JSON_FIELD("reason", JSON_TEXT, suppression, reason),
			JSON_FIELD("used", JSON_SIZE, suppression, used),
			{ .key = "state", .kind = JSON_TEXT, .get_text = suppression_state })) },
};

/* --- the document ------------------------------------------------------------------ */

JSON_GET_NUMBER(checked_count, verify_report, it->version_count - verify_count(it, VERIFY_UNAVAILABLE))
JSON_GET_NUMBER(pass_count, verify_report, verify_count(it, VERIFY_PASS))
JSON_GET_NUMBER(fail_count, verify_report, verify_count(it, VERIFY_FAIL))
JSON_GET_NUMBER(unavailable_count, verify_report, verify_count(it, VERIFY_UNAVAILABLE))
JSON_GET_NUMBER(unseen_count, verify_report, verify_unseen_entries(it))
JSON_IS(is_without_suppressions, verify_report, !it->suppressions)

const struct json_struct report_verify_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = VERIFY_FORMAT },
		JSON_INTO_BY_POINTER(verify_report, table, JSON_STRUCT(table,
			JSON_FIELD("table", JSON_TEXT | JSON_OR_NULL, table, path),
			JSON_FIELD("proxy", JSON_TEXT, table, proxy),
			JSON_FIELD("revision", JSON_TEXT | JSON_OR_NULL, table, revision))),
		JSON_ARRAY("versions", JSON_LIST, verify_report, versions, version_count, &version_fields),
		JSON_INTO_BY_POINTER(verify_report, suppressions, &report_suppression_fields,
				     .is_left_out = is_without_suppressions),
		{ .key = "summary", .kind = JSON_OBJECT, .of = JSON_LINE(verify_report,
			JSON_FIELD("versions", JSON_SIZE, verify_report, version_count),
			{ .key = "checked", .kind = JSON_U64, .get_number = checked_count },
			{ .key = "pass", .kind = JSON_U64, .get_number = pass_count },
			{ .key = "fail", .kind = JSON_U64, .get_number = fail_count },
			{ .key = "unavailable", .kind = JSON_U64, .get_number = unavailable_count },
			{ .key = "not_checked", .kind = JSON_U64, .get_number = unseen_count }) },
	},
};

void report_verify_json(struct strbuf *out, const struct verify_report *report)
{
	report_write_json(out, report, &report_verify_fields, report);
}
