#include "report/history_parts.h"

#include "report/style.h"

#include <inttypes.h>
#include <string.h>

const struct history_edge *history_edge_of(const struct history *history, const struct history_event *event, size_t index)
{
	return &history->graph->edges[event->edges[index]];
}

const char *history_version_name(const struct history *history, size_t version)
{
	return history->graph->versions[version].version;
}

bool history_is_whole(const struct history *history)
{
	return !history->filter->name_count && !history->filter->has_number && !history->filter->table;
}

void history_edge_words(struct strbuf *out, const struct history *history, const struct history_edge *edge)
{
	const char *version = history_version_name(history, edge->version);

	strbuf_addf(out, "%s after %s", version, history_version_name(history, edge->parent));
	if (edge->inside_release)
		strbuf_addf(out, ", inside release %.*s", (int)strcspn(version, "."), version);
}

static void record_words(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_record *before = change->base_record, *after = change->next_record;

	if (before && after && before->size_bytes != after->size_bytes)
		strbuf_addf(out, "%" PRIu64 " -> %" PRIu64 " bytes", before->size_bytes, after->size_bytes);
	else
		strbuf_addf(out, "%" PRIu64 " bytes", (after ? after : before)->size_bytes);
	for (size_t i = 0; before && after && i < change->field_count; i++) {
		const struct diff_field *field = &change->fields[i];

		strbuf_addf(out, "%s%c%s", i ? ", " : ": ", !field->before ? '+' : !field->after ? '-' : '~',
			    (field->after ? field->after : field->before)->path);
	}
}

static void enum_words(struct strbuf *out, const struct diff_change *change)
{
	for (size_t i = 0; change->base_enum && change->next_enum && i < change->value_count; i++) {
		const struct diff_value *value = &change->values[i];

		strbuf_addf(out, "%s%c%s", i ? ", " : "", !value->before ? '+' : !value->after ? '-' : '~', value->name);
	}
}

static const char *params_word(const struct abi_ioctl *ioctl)
{
	return ioctl->params ? ioctl->params : "no parameters";
}

static void ioctl_words(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_ioctl *before = change->base_ioctl, *after = change->next_ioctl;
	const struct abi_ioctl *one = after ? after : before;
	char was[32], is[32];

	if (before && after && before->number != after->number)
		strbuf_addf(out, "%s -> %s", report_hex(before->number, was), report_hex(after->number, is));
	else
		strbuf_adds(out, report_hex(one->number, is));
	if (change->number_was)
		strbuf_addf(out, after ? ", which was %s" : ", which is now %s", change->number_was);
	if (before && after && strcmp(params_word(before), params_word(after)))
		strbuf_addf(out, ", %s -> %s", params_word(before), params_word(after));
	if (change->access_changed)
		strbuf_adds(out, ", flags or access rights");
}

/* As the number that it is, if it is a command's; else as the headers' readers would say it. */
static const char *constant_word(const struct diff_change *change, const struct abi_constant *constant, char buffer[32])
{
	if (!constant->value.negative && strstr(change->name, "_CMD_"))
		return report_hex(constant->value.magnitude, buffer);
	return abi_number_text(constant->value, buffer);
}

static void constant_words(struct strbuf *out, const struct diff_change *change)
{
	char text[32];

	if (change->base_constant)
		strbuf_adds(out, constant_word(change, change->base_constant, text));
	if (change->base_constant && change->next_constant)
		strbuf_adds(out, " -> ");
	if (change->next_constant)
		strbuf_adds(out, constant_word(change, change->next_constant, text));
	if (change->number_was)
		strbuf_addf(out, change->next_constant ? ", which was %s" : ", which is now %s", change->number_was);
}

static void alias_words(struct strbuf *out, const struct diff_change *change)
{
	if (change->base_alias)
		strbuf_adds(out, change->base_alias->type);
	if (change->base_alias && change->next_alias)
		strbuf_adds(out, " -> ");
	if (change->next_alias)
		strbuf_adds(out, change->next_alias->type);
}

void history_change_words(struct strbuf *out, const struct diff_change *change)
{
	if (change->same_as) {
		strbuf_addf(out, "another name of %s", change->same_as);
		return;
	}
	if (change->base_name)
		strbuf_addf(out, "was %s, ", change->base_name);
	switch (change->kind) {
	case ABI_RECORD: record_words(out, change); return;
	case ABI_ALIAS: alias_words(out, change); return;
	case ABI_ENUM: enum_words(out, change); return;
	case ABI_CONSTANT: constant_words(out, change); return;
	case ABI_IOCTL: ioctl_words(out, change); return;
	}
}

void history_span_words(struct strbuf *out, const struct history *history, const struct history_span *span)
{
	for (size_t i = 0; i < span->since_count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "since ", history_version_name(history, span->since[i]));
	for (size_t i = 0; i < span->until_count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "; no more at ", history_version_name(history, span->until[i]));
	strbuf_addf(out, "; in %zu of %zu versions", span->version_count, history->graph->version_count);
}
