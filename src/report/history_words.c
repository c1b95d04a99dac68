#include "report/history_internal.h"

#include "report/diff_flags.h"
#include "report/diff_internal.h"
#include "report/diff_renamed.h"
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
	const struct history_filter *filter = history->filter;

	return !filter->name_count && !filter->number_count && !filter->table && !filter->classes && (!filter->versions || filter->version_count > 1);
}

void history_edge_words(struct strbuf *out, const struct history *history, const struct history_edge *edge)
{
	const char *version = history_version_name(history, edge->version);

	strbuf_addf(out, "%s after %s", version, history_version_name(history, edge->parent));
	if (edge->inside_release)
		strbuf_addf(out, ", inside release %.*s", (int)strcspn(version, "."), version);
}

size_t history_step_count(const struct history *history)
{
	size_t count = 0;

	for (size_t i = 0; i < history->graph->edge_count; i++)
		count += select_edge(history->filter, history->graph, i);
	return count;
}

bool history_is_told_with(const struct history_event *event, const struct history_event *ioctl)
{
	return event->change->with && ioctl->change->kind == ABI_IOCTL && ioctl->change->base_name &&
	       event->edges[0] == ioctl->edges[0] && !strcmp(event->change->with, ioctl->change->name);
}

bool history_is_told_elsewhere(const struct history *history, const struct history_event *event)
{
	if (!event->change->with)
		return false;
	for (size_t i = 0; i < history->event_count; i++)
		if (history_is_told_with(event, &history->events[i]))
			return true;
	return false;
}

static void record_words(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_record *before = change->base_record, *after = change->next_record;

	report_resized(out, (before ? before : after)->size_bytes, (after ? after : before)->size_bytes, "->", "byte");
	report_aligned(out, change, "->");
	for (size_t i = 0; before && after && i < change->field_count; i++) {
		const struct diff_field *field = &change->fields[i];

		strbuf_addf(out, "%s%c%s", i ? ", " : ": ", !field->before ? '+' : !field->after ? '-' : '~',
			    (field->after ? field->after : field->before)->path);
	}
}

static void enum_words(struct strbuf *out, const struct diff_change *change)
{
	const size_t start = out->length;

	report_enum_type(out, change, "->");
	strbuf_adds(out, out->length > start && change->value_count ? ", " : "");
	for (size_t i = 0; change->base_enum && change->next_enum && i < change->value_count; i++) {
		const struct diff_value *value = &change->values[i];

		strbuf_addf(out, "%s%c%s", i ? ", " : "", !value->before ? '+' : !value->after ? '-' : '~', value->name);
	}
}

static const char *params_word(const struct abi_ioctl *ioctl)
{
	return ioctl->params ? ioctl->params : "no parameters";
}

static void flag_words(struct strbuf *out, const char *label, const struct diff_change *change,
		       void (*words_of)(struct strbuf *, const struct diff_change *))
{
	struct strbuf words = { 0 };

	words_of(&words, change);
	if (words.length)
		strbuf_addf(out, "%s%s", label, words.text);
	strbuf_release(&words);
}

/* ", formerly NAME's (removed)": told where the number is now. */
static void owner_words(struct strbuf *out, const struct diff_change *change)
{
	const bool by_nr = change->next_ioctl && change->next_ioctl->encoding == ABI_NUMBER_IOC_BY_NR;
	char number[16];

	if (!change->number_was || (!change->next_ioctl && !change->next_constant))
		return;
	strbuf_addf(out, ", %s%sformerly %s's ", by_nr ? report_former_number(change, number) : "", by_nr ? " " : "", change->number_was);
	report_former_owner(out, change);
}

static void ioctl_words(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_ioctl *before = change->base_ioctl, *after = change->next_ioctl;
	const struct abi_ioctl *one = after ? after : before;
	char was[ABI_NOTATION_BYTES], is[ABI_NOTATION_BYTES];

	if (before && after && before->number != after->number)
		strbuf_addf(out, "%s -> %s", abi_ioctl_number(before->family, before->number, was),
			    abi_ioctl_number(after->family, after->number, is));
	else
		strbuf_adds(out, abi_ioctl_number(one->family, one->number, is));
	owner_words(out, change);
	if (before && after && strcmp(params_word(before), params_word(after)))
		strbuf_addf(out, ", %s -> %s", params_word(before), params_word(after));
	flag_words(out, ", argument: ", change, report_argument_words);
	flag_words(out, ", known by: ", change, report_match_words);
	flag_words(out, ", access: ", change, report_access_words);
	flag_words(out, ", flags: ", change, report_flags_words);
}

static void constant_words(struct strbuf *out, const struct diff_change *change)
{
	char text[ABI_NOTATION_BYTES];

	if (change->base_constant && !change->base_name)
		strbuf_adds(out, abi_constant_number(change->base_constant, text));
	if (change->base_constant && !change->base_name && change->next_constant)
		strbuf_adds(out, " -> ");
	if (change->next_constant)
		strbuf_adds(out, abi_constant_number(change->next_constant, text));
	owner_words(out, change);
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

/* In what @move differs from the span: "NEW_NAME, 0x20801357, only a macro". Nothing if it is not there. */
static void move_words(struct strbuf *out, const struct history_span *span, const struct history_move *move)
{
	const char *separator = "";
	char number[ABI_NOTATION_BYTES];

	if (!move->name)
		return;
	if (strcmp(move->name, span->name)) {
		strbuf_adds(out, move->name);
		separator = ", ";
	}
	if (span->has_number && move->number != span->number) {
		strbuf_addf(out, "%s%s", separator, abi_ioctl_number(span->family, move->number, number));
		separator = ", ";
	}
	if (move->kind != span->kind)
		strbuf_addf(out, "%s%s", separator, move->kind == ABI_IOCTL ? "in the driver's tables" : "only a macro");
}

/* "since 575.51.02"; of what had another number before, "number since 575.51.02 (was 0x20801359 until 570.133.20)" */
static void since_words(struct strbuf *out, const struct history *history, const struct history_span *span)
{
	bool is_number, was_number = false;

	for (size_t i = 0; i < span->since_count; i++) {
		const struct history_move *was = &span->was[i];

		is_number = span->has_number && was->name && was->number != span->number;
		if (i)
			strbuf_adds(out, is_number == was_number ? ", " : is_number ? "; number since " : "; since ");
		else
			strbuf_adds(out, is_number ? "number since " : "since ");
		was_number = is_number;
		strbuf_adds(out, history_version_name(history, span->since[i]));
		if (!was->name)
			continue;
		strbuf_adds(out, " (was ");
		move_words(out, span, was);
		strbuf_addf(out, " until %s)", history_version_name(history, was->parent));
	}
}

/* "; removed in 565.57.01, 570.86.15; now 0x20801357, from 575.51.02": one verb for all versions in a row that say the same. */
static void until_words(struct strbuf *out, const struct history *history, const struct history_span *span)
{
	struct strbuf words = { 0 }, before = { 0 };

	for (size_t i = 0; i < span->until_count; i++) {
		strbuf_reset(&words);
		move_words(&words, span, &span->now[i]);
		if (i && !strcmp(strbuf_text(&words), strbuf_text(&before)))
			strbuf_adds(out, ", ");
		else
			strbuf_addf(out, words.length ? "; now %s, from " : "; removed in ", strbuf_text(&words));
		strbuf_adds(out, history_version_name(history, span->until[i]));
		strbuf_reset(&before);
		strbuf_adds(&before, strbuf_text(&words));
	}
	strbuf_release(&words);
	strbuf_release(&before);
}

void history_span_words(struct strbuf *out, const struct history *history, const struct history_span *span)
{
	since_words(out, history, span);
	until_words(out, history, span);
	strbuf_addf(out, "; in %zu of ", span->version_count);
	strbuf_plural(out, history->graph->version_count, "release");
}

bool history_shows_numbers(const struct history *history)
{
	return history->filter->number_count + history->filter->name_count > 1;
}

void history_carrier_words(struct strbuf *out, const struct history_event *event, size_t most)
{
	size_t shown = event->carrier_count <= most ? event->carrier_count : most;

	for (size_t i = 0; i < shown; i++) {
		const struct abi_ioctl *ioctl = event->change->reached_by[i].ioctl;

		strbuf_addf(out, "%s%s %s", i ? ", " : "", ioctl->family, ioctl->name);
	}
	if (shown < event->carrier_count)
		strbuf_addf(out, " and %zu more", event->carrier_count - shown);
}
