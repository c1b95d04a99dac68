/*
 * history/change_signature.c - a change as bytes, for telling whether two are the same
 *
 * Numbers are as they are in memory, lists begin with how many follow, and
 * every string ends with a line feed, which no name of C holds: two
 * signatures are equal only if all that they list is equal.
 */
#include "history/change_internal.h"

#define SIGN_NUMBERS(out, ...) strbuf_add((out), (const uint64_t[]){ __VA_ARGS__ }, sizeof((const uint64_t[]){ __VA_ARGS__ }))

static void sign_text(struct strbuf *out, const char *text)
{
	strbuf_adds(out, text ? text : "\r"); /* NULL is not "" */
	strbuf_addch(out, '\n');
}

/* Return: whether there is anything to tell. */
static bool sign_presence(struct strbuf *out, const void *thing)
{
	strbuf_addch(out, thing ? '+' : '-');
	return thing;
}

static void sign_record(struct strbuf *out, const struct abi_record *record)
{
	if (!sign_presence(out, record))
		return;
	SIGN_NUMBERS(out, record->size_bytes, record->align_bytes, record->is_union, record->field_count);
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		SIGN_NUMBERS(out, field->offset_bits, field->size_bits, field->is_bitfield, field->role);
		sign_text(out, field->name);
		sign_text(out, field->type);
	}
}

static void sign_number(struct strbuf *out, const struct abi_number *number)
{
	if (sign_presence(out, number))
		SIGN_NUMBERS(out, number->negative, number->magnitude);
}

static void sign_enum(struct strbuf *out, const struct abi_enum *one)
{
	if (!sign_presence(out, one))
		return;
	sign_text(out, one->type);
	SIGN_NUMBERS(out, one->size_bytes, one->value_count);
	for (size_t i = 0; i < one->value_count; i++) {
		sign_text(out, one->values[i].name);
		sign_number(out, &one->values[i].value);
	}
}

static void sign_alias(struct strbuf *out, const struct abi_alias *alias)
{
	if (!sign_presence(out, alias))
		return;
	sign_text(out, alias->type);
	SIGN_NUMBERS(out, alias->size_bytes);
}

static void sign_ioctl(struct strbuf *out, const struct abi_ioctl *ioctl)
{
	if (!sign_presence(out, ioctl))
		return;
	sign_text(out, ioctl->name);
	sign_text(out, ioctl->params);
	sign_text(out, ioctl->access);
	sign_text(out, ioctl->argument);
	SIGN_NUMBERS(out, ioctl->number, ioctl->encoding, ioctl->varies, ioctl->flag_count);
	for (size_t i = 0; i < ioctl->flag_count; i++)
		sign_text(out, ioctl->flags[i]);
}

static void sign_side(struct strbuf *out, const struct diff_field_side *side)
{
	if (!sign_presence(out, side))
		return;
	SIGN_NUMBERS(out, side->offset_bits, side->size_bits, side->is_bitfield, side->role);
	sign_text(out, side->path);
	sign_text(out, side->type);
}

/* A record may change by what it holds, and have the same fields. */
static void sign_fields(struct strbuf *out, const struct diff_change *change)
{
	for (size_t i = 0; i < change->field_count; i++) {
		SIGN_NUMBERS(out, change->fields[i].op);
		sign_side(out, change->fields[i].before);
		sign_side(out, change->fields[i].after);
	}
}

void history_signature(struct strbuf *out, const struct diff_change *change)
{
	SIGN_NUMBERS(out, change->kind, change->classes);
	sign_text(out, change->name);
	sign_text(out, change->base_name);
	sign_text(out, change->family);
	sign_text(out, change->same_as);
	sign_text(out, change->number_was);
	sign_text(out, change->with);
	SIGN_NUMBERS(out, change->number_was_is_gone, change->number_was_now);
	switch (change->kind) {
	case ABI_RECORD:
		sign_record(out, change->base_record);
		sign_record(out, change->next_record);
		sign_fields(out, change);
		break;
	case ABI_ALIAS:
		sign_alias(out, change->base_alias);
		sign_alias(out, change->next_alias);
		break;
	case ABI_ENUM:
		sign_enum(out, change->base_enum);
		sign_enum(out, change->next_enum);
		break;
	case ABI_CONSTANT:
		sign_number(out, change->base_constant ? &change->base_constant->value : NULL);
		sign_number(out, change->next_constant ? &change->next_constant->value : NULL);
		break;
	case ABI_IOCTL:
		sign_ioctl(out, change->base_ioctl);
		sign_ioctl(out, change->next_ioctl);
		break;
	}
}
