#include "report/style.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *ink_code(enum report_ink ink)
{
	switch (ink) {
	case INK_NONE: return "";
	case INK_HEAD: return "\033[1;4m";
	case INK_NAME: return "\033[1m";
	case INK_ADDED: return "\033[32m";
	case INK_REMOVED: return "\033[31m";
	case INK_CHANGED: return "\033[33m";
	case INK_DIM: return "\033[2m";
	case INK_ALARM: return "\033[1;31m";
	case INK_LAYOUT: return "\033[35m";
	}
	return "";
}

void report_ink(struct strbuf *out, const struct report_style *style, enum report_ink ink, const char *format, ...)
{
	bool colored = style->color && ink != INK_NONE;
	va_list args;

	if (colored)
		strbuf_adds(out, ink_code(ink));
	va_start(args, format);
	escape_vaddf(out, escape_terminal, format, args);
	va_end(args);
	if (colored)
		strbuf_adds(out, "\033[0m");
}

void report_textf(struct strbuf *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	escape_vaddf(out, escape_terminal, format, args);
	va_end(args);
}

void report_resized(struct strbuf *out, uint64_t before, uint64_t after, const char *arrow, const char *word)
{
	if (before != after)
		strbuf_addf(out, "%" PRIu64 " %s ", before, arrow);
	strbuf_plural(out, after, word);
}

const char *report_bits(uint64_t bits, bool is_bitfield, char buffer[32])
{
	if (is_bitfield || bits % 8)
		snprintf(buffer, 32, "%" PRIu64 ":%" PRIu64, bits / 8, bits % 8);
	else
		snprintf(buffer, 32, "%" PRIu64, bits / 8);
	return buffer;
}

void report_classes(struct strbuf *out, unsigned classes)
{
	const char *separator = "";

	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++) {
		if (!(classes & 1u << bit))
			continue;
		strbuf_addf(out, "%s%s", separator, diff_class_name((enum diff_class)(1u << bit)));
		separator = ", ";
	}
}

const char *report_unit(const struct diff_change *change)
{
	const struct abi_record *record = change->next_record ? change->next_record : change->base_record;

	switch (change->kind) {
	case ABI_RECORD: return record->is_union ? "union" : "struct";
	case ABI_ALIAS: return "alias";
	case ABI_ENUM: return "enum";
	case ABI_CONSTANT: return "constant";
	case ABI_IOCTL: return "ioctl";
	}
	return "";
}

static void note_separator(struct strbuf *out, size_t start)
{
	if (out->length > start)
		strbuf_adds(out, ", ");
}

static void note_role(struct strbuf *out, size_t start, enum abi_role before, enum abi_role after)
{
	if (before == after)
		return;
	note_separator(out, start);
	if (after == ABI_ROLE_NONE)
		strbuf_addf(out, "no %s any more", abi_role_name(before));
	else if (before == ABI_ROLE_NONE)
		strbuf_addf(out, "now a %s", abi_role_name(after));
	else
		strbuf_addf(out, "was a %s, now a %s", abi_role_name(before), abi_role_name(after));
}

void report_field_note(struct strbuf *out, const struct diff_field *field)
{
	const struct diff_field_side *before = field->before, *after = field->after;
	size_t start = out->length;
	char bits[32];

	if (field->renamed)
		strbuf_addf(out, "renamed from %s", before->path);
	if (field->moved) {
		note_separator(out, start);
		strbuf_addf(out, "moved from %s", report_bits(before->offset_bits, before->is_bitfield, bits));
	}
	if (strcmp(before->type, after->type)) {
		note_separator(out, start);
		strbuf_addf(out, "was %s", before->type);
	}
	if (field->resized && before->size_bits != after->size_bits) {
		note_separator(out, start);
		if (before->is_bitfield || after->is_bitfield)
			report_resized(out, before->size_bits, after->size_bits, "->", "bit");
		else
			report_resized(out, before->size_bits / 8, after->size_bits / 8, "->", "byte");
	}
	note_role(out, start, before->role, after->role);
	if (out->length == start && field->retyped && before->is_bitfield != after->is_bitfield)
		strbuf_adds(out, before->is_bitfield ? "was a bit-field" : "was no bit-field");
	else if (out->length == start && field->retyped)
		strbuf_adds(out, "another type of this name");
}

static bool only_moved(const struct diff_field *field)
{
	return field->before && field->after && field->moved && !field->renamed && !field->retyped && !field->resized;
}

static int64_t moved_by(const struct diff_field *field)
{
	return (int64_t)(field->after->offset_bits - field->before->offset_bits);
}

size_t report_field_run(const struct diff_field *field, size_t count)
{
	size_t run = 1;

	if (!only_moved(field))
		return 1;
	while (run < count && only_moved(&field[run]) && moved_by(&field[run]) == moved_by(field))
		run++;
	return run;
}
