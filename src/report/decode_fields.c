/*
 * The fields of some bytes for a person at a terminal: "path = value", "path = old -> new" of what the call changed.
 * Elements that do not count, and zeros behind the last that is none, are folded.
 */
#include "report/decode_internal.h"

#include <stdio.h>

enum { VALUE_INDENT = 4, HEX_FROM = 0x10000, SHOWN_MAX = 256 };

/* --- values ------------------------------------------------------------------------------ */

static bool is_hex(const struct decode_field *field, struct abi_number value)
{
	switch (field->role) {
	case ABI_ROLE_POINTER: case ABI_ROLE_HANDLE: case ABI_ROLE_KERNEL_POINTER: case ABI_ROLE_STATUS: return true;
	case ABI_ROLE_FD: case ABI_ROLE_PID: case ABI_ROLE_SIZE: case ABI_ROLE_COUNT: return false;
	case ABI_ROLE_NONE: break;
	}
	if (field->name && field->kind != ABI_ENUMERATION)
		return true; /* the number of a class or command */
	return !value.negative && (field->kind == ABI_POINTER || value.magnitude >= HEX_FROM);
}

static void text_number(struct decode_text *text, const struct decode_field *field, uint64_t index)
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

static void text_string(struct decode_text *text, const struct decode_field *field)
{
	const uint8_t *bytes = field->bytes + field->offset_bits / 8;
	struct strbuf string = { 0 };

	for (uint64_t i = 0; i < field->count && bytes[i]; i++)
		strbuf_addch(&string, (char)bytes[i]);
	wrap_word(&text->line, INK_ADDED, 1, "\"%s\"", strbuf_text(&string));
	strbuf_release(&string);
}

/* Bytes stand in groups of four. */
static void text_bytes(struct decode_text *text, const uint8_t *bytes, uint64_t size)
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
static void text_rest(struct decode_text *text, const struct decode_field *field, uint64_t shown)
{
	const uint64_t rest = field->count - shown;

	if (!rest)
		return;
	if (shown < field->shown)
		wrap_word(&text->line, INK_DIM, 1, "(%llu more; -v shows them)", (unsigned long long)rest);
	else if (field->counted_by)
		wrap_word(&text->line, INK_DIM, 1, "(%llu more, not in %s)", (unsigned long long)rest, field->counted_by);
	else if (shown)
		wrap_word(&text->line, INK_DIM, 1, "(and %llu zeros)", (unsigned long long)rest);
	else
		wrap_word(&text->line, INK_DIM, 1, "(%llu zeros)", (unsigned long long)rest);
}

static void text_array(struct decode_text *text, const struct decode_field *field)
{
	const uint64_t most = SHOWN_MAX < field->shown ? SHOWN_MAX : field->shown;
	const uint64_t shown = text->style->verbose ? field->count : most;

	if (!decode_field_is_integer(field) || field->element_bytes == 1)
		text_bytes(text, field->bytes + field->offset_bits / 8, shown * field->element_bytes);
	else
		for (uint64_t i = 0; i < shown; i++)
			text_number(text, field, i);
	text_rest(text, field, shown);
}

static void text_value(struct decode_text *text, const struct decode_field *field)
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

/* The value that the call found; it is known to be another one. */
static void text_before(struct decode_text *text, const struct decode_field *field)
{
	struct decode_field old = *field;

	old.bytes = field->before;
	old.name = field->name_before;
	old.is_text = field->is_text_before;
	old.shown = field->shown_before;
	text_value(text, &old);
	wrap_word(&text->line, INK_CHANGED, 1, "->");
}

static void text_field(struct decode_text *text, const struct decode_field *field)
{
	wrap_begin(&text->line, text->out, text->style, text->indent, text->indent + VALUE_INDENT);
	wrap_word(&text->line, INK_NONE, 0, "%s", *field->path ? field->path : field->type);
	wrap_word(&text->line, INK_DIM, 1, "=");
	if (field->before)
		text_before(text, field);
	text_value(text, field);
	if (field->object)
		wrap_word(&text->line, INK_NAME, 1, "%s", field->object);
	if (field->role && field->role != ABI_ROLE_STATUS)
		wrap_word(&text->line, INK_DIM, 2, "%s", abi_role_name(field->role));
	if (field->is_unfollowed)
		wrap_text(&text->line, INK_DIM, 2, "not followed: no rule");
	if (field->member)
		wrap_word(&text->line, INK_DIM, 2, "(union)"); /* which one, the path says */
	wrap_end(&text->line);
}

/* --- fields -------------------------------------------------------------------------------- */

static const struct decode_fold *fold_at(const struct decode_text *text, const struct decode_fields *fields, size_t field)
{
	for (size_t i = 0; i < fields->fold_count && !text->style->verbose; i++)
		if (fields->folds[i].first == field && fields->folds[i].until > field)
			return &fields->folds[i];
	return NULL;
}

static void text_fold(struct decode_text *text, const struct decode_fold *fold)
{
	const unsigned long long rest = fold->count - fold->shown;

	wrap_begin(&text->line, text->out, text->style, text->indent, text->indent + VALUE_INDENT);
	if (*fold->path)
		wrap_word(&text->line, INK_DIM, 0, "%s", fold->path);
	wrap_word(&text->line, INK_DIM, *fold->path ? 1 : 0, fold->shown ? "and %llu more," : "%llu elements,", rest);
	if (fold->counted_by)
		wrap_word(&text->line, INK_DIM, 1, "not in %s%s", fold->counted_by, fold->is_zero ? "" : "; not all zeros");
	else
		wrap_word(&text->line, INK_DIM, 1, "all zeros");
	wrap_end(&text->line);
}

void report_decode_fields_text(struct decode_text *text, const struct decode_fields *fields)
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
		wrap_begin(&text->line, text->out, text->style, text->indent, text->indent + VALUE_INDENT);
		wrap_word(&text->line, INK_DIM, 0, "(padding at %llu)", (unsigned long long)fields->padding[i].offset);
		wrap_word(&text->line, INK_DIM, 1, "=");
		if (fields->padding[i].is_changed) {
			text_bytes(text, fields->before + fields->padding[i].offset, fields->padding[i].size);
			wrap_word(&text->line, INK_CHANGED, 1, "->");
		}
		text_bytes(text, fields->bytes + fields->padding[i].offset, fields->padding[i].size);
		wrap_end(&text->line);
	}
}
