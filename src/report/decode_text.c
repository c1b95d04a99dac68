/* A call for a person at a terminal. */
#include "report/decode.h"

#include "report/wrap.h"

enum { LABEL_INDENT = 2, LABEL_COLUMN = 14, FIELD_INDENT = 4, VALUE_INDENT = 8, HEX_FROM = 0x10000 };

struct text {
	struct strbuf *out;
	const struct report_style *style;
	struct wrap line;
};

/* "  versions    515.43.04..590.48.01": a label, and words behind it. */
static void text_label(struct text *text, const char *label, enum report_ink ink, const char *words)
{
	wrap_begin(&text->line, text->out, text->style, LABEL_INDENT, LABEL_COLUMN);
	wrap_label(&text->line, INK_DIM, label);
	wrap_pad(&text->line, LABEL_COLUMN);
	wrap_text(&text->line, ink, 0, words);
	wrap_end(&text->line);
}

/* --- values ------------------------------------------------------------------------------ */

static bool is_hex(const struct decode_field *field, struct abi_number value)
{
	switch (field->role) {
	case ABI_ROLE_POINTER: case ABI_ROLE_HANDLE: case ABI_ROLE_KERNEL_POINTER: case ABI_ROLE_STATUS: return true;
	case ABI_ROLE_FD: case ABI_ROLE_PID: case ABI_ROLE_SIZE: case ABI_ROLE_COUNT: return false;
	case ABI_ROLE_NONE: break;
	}
	return !value.negative && (field->kind == ABI_POINTER || value.magnitude >= HEX_FROM);
}

static void text_number(struct text *text, const struct decode_field *field, uint64_t index)
{
	const struct abi_number value = decode_field_value(field, index);
	const char *sign = value.negative ? "-" : "";

	if (field->role == ABI_ROLE_POINTER && !value.magnitude)
		wrap_word(&text->line, INK_NONE, 1, "NULL");
	else if (is_hex(field, value))
		wrap_word(&text->line, INK_NONE, 1, "%s0x%llx", sign, (unsigned long long)value.magnitude);
	else
		wrap_word(&text->line, INK_NONE, 1, "%s%llu", sign, (unsigned long long)value.magnitude);
}

static void text_string(struct text *text, const struct decode_field *field)
{
	const uint8_t *bytes = field->bytes + field->offset_bits / 8;
	struct strbuf string = { 0 };

	for (uint64_t i = 0; i < field->count && bytes[i]; i++)
		strbuf_addch(&string, (char)bytes[i]);
	wrap_word(&text->line, INK_ADDED, 1, "\"%s\"", strbuf_text(&string));
	strbuf_release(&string);
}

/* Bytes stand in groups of four. */
static void text_bytes(struct text *text, const uint8_t *bytes, uint64_t size)
{
	char group[9];

	for (uint64_t i = 0; i < size; i += 4) {
		struct strbuf hex = { 0 };

		for (uint64_t b = i; b < size && b < i + 4; b++)
			strbuf_addf(&hex, "%02x", bytes[b]);
		snprintf(group, sizeof(group), "%s", strbuf_text(&hex));
		wrap_word(&text->line, INK_NONE, 1, "%s", group);
		strbuf_release(&hex);
	}
}

/* What of an array is not shown. */
static void text_rest(struct text *text, const struct decode_field *field, uint64_t shown)
{
	const uint64_t rest = field->count - shown;

	if (!rest)
		return;
	if (field->counted_by)
		wrap_word(&text->line, INK_DIM, 1, "(%llu more, not in %s)", (unsigned long long)rest, field->counted_by);
	else if (shown)
		wrap_word(&text->line, INK_DIM, 1, "(and %llu zeros)", (unsigned long long)rest);
	else
		wrap_word(&text->line, INK_DIM, 1, "(%llu zeros)", (unsigned long long)rest);
}

static void text_array(struct text *text, const struct decode_field *field)
{
	const uint64_t shown = text->style->verbose ? field->count : field->shown;

	if (!decode_field_is_integer(field) || field->element_bytes == 1)
		text_bytes(text, field->bytes + field->offset_bits / 8, shown * field->element_bytes);
	else
		for (uint64_t i = 0; i < shown; i++)
			text_number(text, field, i);
	text_rest(text, field, shown);
}

static void text_value(struct text *text, const struct decode_field *field)
{
	if (field->is_text) {
		text_string(text, field);
	} else if (field->is_array) {
		text_array(text, field);
	} else if (!decode_field_is_integer(field)) {
		text_bytes(text, field->bytes + field->offset_bits / 8, field->size_bits / 8);
	} else {
		text_number(text, field, 0);
		if (field->name)
			wrap_word(&text->line, INK_NAME, 1, "%s", field->name);
	}
}

static void text_field(struct text *text, const struct decode_field *field)
{
	wrap_begin(&text->line, text->out, text->style, FIELD_INDENT, VALUE_INDENT);
	wrap_word(&text->line, INK_NONE, 0, "%s", *field->path ? field->path : field->type);
	wrap_word(&text->line, INK_DIM, 1, "=");
	text_value(text, field);
	if (field->role && field->role != ABI_ROLE_STATUS)
		wrap_word(&text->line, INK_DIM, 2, "%s", abi_role_name(field->role));
	if (field->member)
		wrap_word(&text->line, INK_DIM, 2, "(union)"); /* which one, the path says */
	wrap_end(&text->line);
}

/* --- fields -------------------------------------------------------------------------------- */

static const struct decode_fold *fold_at(const struct text *text, const struct decode_fields *fields, size_t field)
{
	for (size_t i = 0; i < fields->fold_count && !text->style->verbose; i++)
		if (fields->folds[i].first == field && fields->folds[i].until > field)
			return &fields->folds[i];
	return NULL;
}

static void text_fold(struct text *text, const struct decode_fold *fold)
{
	const unsigned long long rest = fold->count - fold->shown;

	wrap_begin(&text->line, text->out, text->style, FIELD_INDENT, VALUE_INDENT);
	wrap_word(&text->line, INK_DIM, 0, "%s", fold->path);
	wrap_word(&text->line, INK_DIM, 1, fold->shown ? "and %llu more," : "%llu elements,", rest);
	if (fold->counted_by)
		wrap_word(&text->line, INK_DIM, 1, "not in %s%s", fold->counted_by, fold->is_zero ? "" : "; not all zeros");
	else
		wrap_word(&text->line, INK_DIM, 1, "all zeros");
	wrap_end(&text->line);
}

static void text_fields(struct text *text, const struct decode_fields *fields)
{
	for (size_t i = 0; i < fields->count;) {
		const struct decode_fold *fold = fold_at(text, fields, i);

		if (fold)
			text_fold(text, fold);
		else
			text_field(text, &fields->fields[i]);
		i = fold ? fold->until : i + 1;
	}
	for (size_t i = 0; i < fields->padding_count; i++) {
		wrap_begin(&text->line, text->out, text->style, FIELD_INDENT, VALUE_INDENT);
		wrap_word(&text->line, INK_DIM, 0, "(padding at %llu)", (unsigned long long)fields->padding[i].offset);
		wrap_word(&text->line, INK_DIM, 1, "=");
		text_bytes(text, fields->bytes + fields->padding[i].offset, fields->padding[i].size);
		wrap_end(&text->line);
	}
}

/* --- the block -------------------------------------------------------------------------------- */

static void text_title(struct text *text, const struct decode_ioctl *ioctl, bool is_envelope)
{
	wrap_begin(&text->line, text->out, text->style, is_envelope ? LABEL_INDENT : 0, FIELD_INDENT);
	if (is_envelope)
		wrap_word(&text->line, INK_DIM, 0, "inside");
	wrap_word(&text->line, INK_NONE, 1, "%s", ioctl->family);
	wrap_word(&text->line, INK_NONE, 1, "0x%llx", (unsigned long long)ioctl->number);
	if (ioctl->name)
		wrap_word(&text->line, INK_HEAD, 1, "%s", ioctl->name);
	else
		wrap_word(&text->line, INK_ALARM, 1, "? (no version has it)");
}

static void text_answer(struct text *text, const struct decode_call *call)
{
	if (call->has_ret)
		wrap_word(&text->line, INK_NONE, 1, "= %lld", (long long)call->ret);
	if (call->has_status && call->status_name)
		wrap_word(&text->line, call->status ? INK_ALARM : INK_ADDED, 1, "%s", call->status_name);
	else if (call->has_status)
		wrap_word(&text->line, INK_ALARM, 1, "status 0x%llx", (unsigned long long)call->status);
	wrap_end(&text->line);
}

static void text_parameters(struct text *text, const struct decode_ioctl *ioctl)
{
	struct strbuf words = { 0 };

	strbuf_adds(&words, ioctl->record ? ioctl->record : ioctl->is_command ? "a macro only: no table of the driver lists the command" : "none");
	if (ioctl->has_size && ioctl->record)
		strbuf_addf(&words, ", %llu bytes", (unsigned long long)ioctl->size_bytes);
	text_label(text, "parameters", INK_NONE, strbuf_text(&words));
	strbuf_release(&words);
}

static void text_versions(struct text *text, const struct decode_ioctl *ioctl)
{
	struct strbuf words = { 0 };

	for (size_t i = 0; i < ioctl->version_count; i++)
		strbuf_addf(&words, "%s%s", i ? ", " : "", ioctl->versions[i]);
	if (ioctl->version_count)
		text_label(text, ioctl->has_size && ioctl->record ? "size fits" : "versions", INK_NONE, strbuf_text(&words));
	strbuf_release(&words);
}

static void proxy_words(struct strbuf *words, const struct forwarded *forwarded)
{
	if (forwarded->use == FORWARDED_NONE) {
		strbuf_adds(words, "not forwarded");
	} else {
		strbuf_addf(words, "forwarded, %s", forwarded_use_name(forwarded->use));
		for (size_t i = 0; i < forwarded->entry->cap_count; i++)
			strbuf_addf(words, "%s%s", i ? ", " : ", under ", forwarded->entry->caps[i]);
	}
	if (forwarded->node)
		strbuf_addf(words, " (node %s)", forwarded->node->version);
	else
		strbuf_adds(words, " (no node of its table stands for this version)");
}

static void text_proxy(struct text *text, const struct decode_call *call)
{
	struct strbuf words = { 0 };

	proxy_words(&words, &call->forwarded);
	text_label(text, "proxy", call->forwarded.use == FORWARDED_NONE ? INK_ALARM : INK_ADDED, strbuf_text(&words));
	if (call->add)
		text_label(text, "to forward", INK_NONE, call->add);
	strbuf_release(&words);
}

void report_decode_text(struct strbuf *out, const struct decode_call *call, const struct report_style *style)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	struct text text = { .out = out, .style = style };

	text_title(&text, last, false);
	text_answer(&text, call);
	if (last->name)
		text_parameters(&text, last);
	text_versions(&text, last);
	for (size_t i = 0; i < last->note_count; i++)
		text_label(&text, "note", INK_CHANGED, last->notes[i]);
	if (call->has_table)
		text_proxy(&text, call);
	text_fields(&text, &last->fields);
	for (size_t i = call->count - 1; i-- > 0;) {
		text_title(&text, &call->ioctls[i], true);
		wrap_end(&text.line);
		text_fields(&text, &call->ioctls[i].fields);
	}
}

/* --- a summary ------------------------------------------------------------------------------------- */

static void text_statuses(struct text *text, const struct decode_total *total)
{
	struct strbuf words = { 0 };

	for (size_t i = 0; i < total->status_count; i++) {
		const struct decode_status_count *status = &total->statuses[i];

		strbuf_addf(&words, "%s%zu ", i ? ", " : "", status->count);
		if (status->name)
			strbuf_adds(&words, status->name);
		else
			strbuf_addf(&words, "0x%llx", (unsigned long long)status->status);
	}
	if (total->other_statuses)
		strbuf_addf(&words, ", %zu others", total->other_statuses);
	if (words.length)
		text_label(text, "status", INK_NONE, words.text);
	strbuf_release(&words);
}

static void text_total(struct text *text, const struct decode_total *total)
{
	const struct decode_ioctl *last = &total->call->ioctls[total->call->count - 1];

	text_title(text, last, false);
	wrap_word(&text->line, INK_NONE, 1, "x%zu", total->count);
	wrap_end(&text->line);
	text_statuses(text, total);
	if (last->has_size)
		text_parameters(text, last);
	text_versions(text, last);
	for (size_t i = 0; i < last->note_count; i++)
		text_label(text, "note", INK_CHANGED, last->notes[i]);
	if (total->call->has_table)
		text_proxy(text, total->call);
}

void report_decode_summary(struct strbuf *out, const struct decode_summary *summary, const struct report_style *style)
{
	struct text text = { .out = out, .style = style };

	if (!summary->count)
		strbuf_adds(out, "no ioctl of the driver\n");
	for (size_t i = 0; i < summary->count; i++)
		text_total(&text, &summary->totals[i]);
	if (summary->left_out) {
		strbuf_plural(out, summary->left_out, "call");
		strbuf_addf(out, " of ioctls beyond the first %d distinct ones\n", (int)DECODE_SUMMARY_MAX);
	}
}
