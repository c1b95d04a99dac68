/*
 * history/signature.c - a change as text, for telling whether two are the same
 *
 * Every string ends with a line feed, which no name of C holds, so that two
 * texts are equal only if all their parts are.
 */
#include "history/keep.h"

#include <inttypes.h>

static void sign_text(struct strbuf *out, const char *text)
{
	strbuf_adds(out, text ? text : "\r"); /* NULL is not "" */
	strbuf_addch(out, '\n');
}

static void sign_record(struct strbuf *out, const struct abi_record *record)
{
	if (!record)
		return;
	strbuf_addf(out, "%" PRIu64 " %" PRIu64 " %d\n", record->size_bytes, record->align_bytes, record->is_union);
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		strbuf_addf(out, "%" PRIu64 " %" PRIu64 " %d %d ", field->offset_bits, field->size_bits, field->is_bitfield,
			    (int)field->role);
		sign_text(out, field->name);
		sign_text(out, field->type);
	}
}

static void sign_number(struct strbuf *out, const struct abi_number *number)
{
	if (number)
		strbuf_addf(out, "%s%" PRIu64, number->negative ? "-" : "", number->magnitude);
	strbuf_addch(out, '\n');
}

static void sign_enum(struct strbuf *out, const struct abi_enum *one)
{
	if (!one)
		return;
	sign_text(out, one->type);
	strbuf_addf(out, "%" PRIu64 "\n", one->size_bytes);
	for (size_t i = 0; i < one->value_count; i++) {
		sign_text(out, one->values[i].name);
		sign_number(out, &one->values[i].value);
	}
}

static void sign_alias(struct strbuf *out, const struct abi_alias *alias)
{
	if (!alias)
		return;
	sign_text(out, alias->type);
	strbuf_addf(out, "%" PRIu64 "\n", alias->size_bytes);
}

static void sign_ioctl(struct strbuf *out, const struct abi_ioctl *ioctl)
{
	if (!ioctl)
		return;
	sign_text(out, ioctl->name);
	strbuf_addf(out, "%" PRIu64 "\n", ioctl->number);
	sign_text(out, ioctl->params);
	sign_text(out, ioctl->access);
	for (size_t i = 0; i < ioctl->flag_count; i++)
		sign_text(out, ioctl->flags[i]);
}

static void sign_side(struct strbuf *out, const struct diff_field_side *side)
{
	if (!side)
		return;
	strbuf_addf(out, "%" PRIu64 " %" PRIu64 " ", side->offset_bits, side->size_bits);
	sign_text(out, side->path);
	sign_text(out, side->type);
}

/* A record may change by what it holds, and have the same fields. */
static void sign_fields(struct strbuf *out, const struct diff_change *change)
{
	for (size_t i = 0; i < change->field_count; i++) {
		strbuf_addf(out, "%d ", (int)change->fields[i].op);
		sign_side(out, change->fields[i].before);
		strbuf_addch(out, '>');
		sign_side(out, change->fields[i].after);
	}
}

void history_signature(struct strbuf *out, const struct diff_change *change)
{
	strbuf_addf(out, "%d %x ", (int)change->kind, change->classes);
	sign_text(out, change->name);
	sign_text(out, change->base_name);
	sign_text(out, change->family);
	sign_text(out, change->same_as);
	sign_text(out, change->number_was);
	switch (change->kind) {
	case ABI_RECORD:
		sign_record(out, change->base_record);
		strbuf_addch(out, '>');
		sign_record(out, change->next_record);
		sign_fields(out, change);
		break;
	case ABI_ALIAS:
		sign_alias(out, change->base_alias);
		strbuf_addch(out, '>');
		sign_alias(out, change->next_alias);
		break;
	case ABI_ENUM:
		sign_enum(out, change->base_enum);
		strbuf_addch(out, '>');
		sign_enum(out, change->next_enum);
		break;
	case ABI_CONSTANT:
		sign_number(out, change->base_constant ? &change->base_constant->value : NULL);
		sign_number(out, change->next_constant ? &change->next_constant->value : NULL);
		break;
	case ABI_IOCTL:
		sign_ioctl(out, change->base_ioctl);
		strbuf_addch(out, '>');
		sign_ioctl(out, change->next_ioctl);
		break;
	}
}
