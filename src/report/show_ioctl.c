/* report/show_ioctl.c - the lines of show and blame about an ioctl: its versions, and what a proxy does with it */
#include "report/show.h"

#include "abi/abi.h"
#include "report/style.h"

#include <inttypes.h>
#include <string.h>

static void name_versions(struct strbuf *out, const char *before, const struct history_graph *graph, const size_t *versions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : before, graph->versions[versions[i]].version);
}

void report_span_words(struct strbuf *out, const struct history_graph *graph, const struct history_span *span)
{
	name_versions(out, "since ", graph, span->since, span->since_count);
	if (span->number_since_count != span->since_count ||
	    memcmp(span->number_since, span->since, span->since_count * sizeof(*span->since)) != 0)
		name_versions(out, "; number since ", graph, span->number_since, span->number_since_count);
	name_versions(out, "; another number from ", graph, span->number_until, span->number_until_count);
	name_versions(out, "; removed in ", graph, span->until, span->until_count);
	strbuf_addf(out, "; in %zu of ", span->version_count);
	strbuf_plural(out, graph->version_count, "release");
}

/* "read, as NVOS21_PARAMETERS and unread NVOS64_PARAMETERS" */
static void use_words(struct strbuf *out, const struct table_entry *entry)
{
	const char *separator = "read, as ";

	for (size_t i = 0; i < entry->struct_count; i++) {
		if (!entry->structs[i].proxy)
			continue;
		strbuf_addf(out, "%s%s", separator, entry->structs[i].proxy);
		separator = ", ";
	}
}

void report_forwarded_words(struct strbuf *out, const struct forwarded *forwarded)
{
	const struct table_entry *entry = forwarded->entry;

	if (!forwarded->node) {
		strbuf_adds(out, "unknown: the table has no node for this version");
		return;
	}
	switch (forwarded->use) {
	case FORWARDED_NONE: strbuf_adds(out, "not forwarded"); break;
	case FORWARDED_UNREAD: strbuf_adds(out, !entry || entry->struct_count ? "passed through unread" : "forwarded, without parameters"); break;
	case FORWARDED_READ: use_words(out, entry); break;
	}
	for (size_t i = 0; entry && i < entry->cap_count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "; under ", entry->caps[i]);
	if (forwarded->passed_as)
		strbuf_addf(out, ", without an entry (%s)", forwarded->passed_as);
	strbuf_addf(out, "; node %s", forwarded->node->version);
	if (!forwarded->node->supported)
		strbuf_adds(out, ", which is not supported");
	if (forwarded->since && forwarded->since != forwarded->node)
		strbuf_addf(out, ", with the entry of node %s", forwarded->since->version);
}

void report_parse_words(struct strbuf *out, const struct lookup_parse *parse)
{
	for (size_t i = 0; i < parse->bits_count; i++) {
		const struct lookup_bits *bits = &parse->bits[i];

		strbuf_addf(out, "%s%s 0x%0*" PRIx64, i ? ", " : "", bits->bits->name, (int)(bits->bits->width + 3) / 4, bits->value);
		if (bits->name)
			strbuf_addf(out, " %s", bits->name);
	}
}

static void json_versions(struct json_writer *writer, const char *key, const struct history_graph *graph, const size_t *versions, size_t count)
{
	json_key(writer, key);
	json_open_inline_array(writer);
	for (size_t i = 0; i < count; i++)
		json_string(writer, graph->versions[versions[i]].version);
	json_close_array(writer);
}

void report_span_json(struct json_writer *writer, const struct history_graph *graph, const struct history_span *span)
{
	if (!span)
		return;
	json_versions(writer, "since", graph, span->since, span->since_count);
	json_versions(writer, "until", graph, span->until, span->until_count);
	if (span->number_since_count) {
		json_versions(writer, "number_since", graph, span->number_since, span->number_since_count);
		json_versions(writer, "number_until", graph, span->number_until, span->number_until_count);
	}
	json_key_unsigned(writer, "versions", span->version_count);
	json_key_unsigned(writer, "of_versions", graph->version_count);
}

static void json_entry(struct json_writer *writer, const struct table_entry *entry)
{
	json_key_string(writer, "name", entry->name);
	json_key_strings(writer, "caps", entry->caps, entry->cap_count);
	json_key(writer, "structs");
	json_open_inline_array(writer);
	for (size_t i = 0; i < entry->struct_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "driver", entry->structs[i].driver);
		json_key_string(writer, "proxy", entry->structs[i].proxy);
		json_close_object(writer);
	}
	json_close_array(writer);
}

void report_forwarded_json(struct json_writer *writer, const struct forwarded *forwarded)
{
	if (!forwarded)
		return;
	json_key(writer, "forwarded");
	json_open_object(writer);
	json_key_string(writer, "node", forwarded->node ? forwarded->node->version : NULL);
	if (forwarded->node)
		json_key_bool(writer, "supported", forwarded->node->supported);
	json_key_string(writer, "use", forwarded->node ? forwarded_use_name(forwarded->use) : NULL);
	if (forwarded->passed_as)
		json_key_string(writer, "passed_as", forwarded->passed_as);
	if (forwarded->entry) {
		json_key_string(writer, "entry_node", forwarded->since->version);
		json_entry(writer, forwarded->entry);
	}
	json_close_object(writer);
}
