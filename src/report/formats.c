/* report/formats.c - the list of JSON formats, and functions that several of them use */
#include "report/internal.h"

const struct json_struct report_document_fields = {
	.field = { JSON_FIELD("driver", JSON_TEXT, abi, driver),
		   JSON_FIELD("version", JSON_TEXT, abi, version),
		   JSON_FIELD("commit", JSON_TEXT, abi, commit),
		   JSON_FIELD("target", JSON_TEXT, abi, target) },
};

const struct json_format report_formats[] = {
	{ "drvabi-against/1", &report_against_fields, false },
	{ BLAME_FORMAT, &report_blame_fields, false },
	{ BOOTSTRAP_FORMAT, &report_bootstrap_fields, false },
	{ "decode", &report_call_fields, false }, /* one line, without the key "format" */
	{ "decode-event", &report_event_fields, false }, /* also one line: an event of a trace */
	{ DIFF_FORMAT, &report_diff_fields, false },
	{ HISTORY_FORMAT, &report_history_fields, false },
	{ "drvabi-pids/1", &report_pids_fields, true },
	{ RANGES_FORMAT, &report_ranges_fields, false },
	{ SHOW_FORMAT, &report_show_fields, false },
	{ "drvabi-surface/1", &report_surface_fields, true },
	{ VERIFY_FORMAT, &report_verify_fields, false },
	{ "drvabi-version-map/1", &report_version_map_fields, false },
	{ NULL, NULL, false },
};

void report_write_json(struct strbuf *out, const void *object, const struct json_struct *of,
		       const void *context)
{
	struct json_writer writer = { .out = out, .context = (void *)context };

	json_write_struct(&writer, object, of);
	json_end(&writer);
}

static const struct history_version *version_at(const struct json_writer *writer, size_t index)
{
	return &(*(const struct history_graph *const *)writer->context)->versions[index];
}

void report_write_version(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const long index = *(const long *)((const char *)object + field->offset);

	json_key_string(writer, field->key, index < 0 ? NULL : version_at(writer, (size_t)index)->version);
}

void report_write_versions(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const size_t *versions = *(const size_t *const *)((const char *)object + field->offset);
	const size_t count = *(const size_t *)((const char *)object + field->count);

	json_key_open(writer, field->key, json_open_inline_array);
	for (size_t i = 0; i < count; i++)
		json_string(writer, version_at(writer, versions[i])->version);
	json_close_array(writer);
}
