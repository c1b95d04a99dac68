/*
 * One record, alias, enum, constant or ioctl as a person wants to see it.
 */
#include "report/wrap.h"
#include "report/style.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USERS_SHOWN = 12, PATH_WIDTH = 32, VALUE_WIDTH = 60 };

/* "5b" for bits, "8" for bytes. */
static const char *size_text(uint64_t size_bits, bool in_bits, char buffer[32])
{
	snprintf(buffer, 32, in_bits ? "%" PRIu64 "b" : "%" PRIu64, in_bits ? size_bits : size_bits / 8);
	return buffer;
}

/* Leaves and holes are both sorted by offset: the holes that come before @offset_bits. */
static size_t layout_holes(struct strbuf *out, const struct abi_layout *layout, size_t next, uint64_t offset_bits,
			   const struct report_style *style)
{
	char at[32], size[32];

	for (; next < layout->hole_count && layout->hole[next].offset_bits < offset_bits; next++) {
		const struct abi_hole *hole = &layout->hole[next];

		report_ink(out, style, INK_DIM, "  %7s %6s  (%s)", report_bits(hole->offset_bits, false, at),
			   size_text(hole->size_bits, hole->size_bits % 8, size), hole->is_tail ? "tail padding" : "hole");
		for (size_t i = 0; i < hole->repeat_count; i++)
			report_ink(out, style, INK_DIM, "  x%" PRIu64 " every %" PRIu64, hole->repeat[i].count, hole->repeat[i].stride_bits / 8);
		strbuf_addch(out, '\n');
	}
	return next;
}

/* Types of most fields stand in one column. */
static size_t type_gap(const char *path)
{
	size_t length = strlen(path);

	return length < PATH_WIDTH ? PATH_WIDTH - length + 1 : 2;
}

static void layout_leaf(struct strbuf *out, const struct abi_leaf *leaf, const struct report_style *style)
{
	struct wrap wrap;
	char at[32], size[32];

	report_textf(out, "  %7s %6s", report_bits(leaf->offset_bits, leaf->is_bitfield, at),
		     size_text(leaf->size_bits, leaf->is_bitfield, size));
	report_textf(out, "  %-8s ", abi_scalar_name(leaf->kind));
	wrap_continue(&wrap, out, style, 29);
	wrap_word(&wrap, INK_NONE, 0, "%s", leaf->path);
	wrap_word(&wrap, INK_DIM, type_gap(leaf->path), "%s", leaf->type);
	if (leaf->role != ABI_ROLE_NONE)
		wrap_word(&wrap, INK_CHANGED, 2, "%s", abi_role_name(leaf->role));
	for (size_t i = 0; i < leaf->repeat_count; i++)
		wrap_word(&wrap, INK_NONE, 2, "x%" PRIu64 " every %" PRIu64, leaf->repeat[i].count, leaf->repeat[i].stride_bits / 8);
	if (leaf->union_path)
		wrap_word(&wrap, INK_DIM, 2, "alternative %zu of", leaf->alternative);
	if (leaf->union_path)
		wrap_word(&wrap, INK_DIM, 1, "%s", *leaf->union_path ? leaf->union_path : "the union");
	wrap_end(&wrap);
}

void report_layout_text(struct strbuf *out, const struct abi_layout *layout, const struct report_style *style)
{
	struct strbuf size = { 0 };
	struct wrap wrap;
	size_t hole = 0;

	report_textf(out, "%s ", layout->is_union ? "union" : "struct");
	wrap_continue(&wrap, out, style, 2);
	wrap_word(&wrap, INK_NAME, 0, "%s", layout->record);
	strbuf_plural(&size, layout->size_bytes, "byte");
	wrap_word(&wrap, INK_NONE, 2, "%s, align %" PRIu64, size.text, layout->align_bytes);
	strbuf_release(&size);
	wrap_end(&wrap);
	report_ink(out, style, INK_DIM, "  %s\n", layout->source);
	strbuf_adds(out, "   offset   size  kind     field\n");
	for (size_t i = 0; i < layout->leaf_count; i++) {
		hole = layout_holes(out, layout, hole, layout->leaf[i].offset_bits, style);
		layout_leaf(out, &layout->leaf[i], style);
	}
	layout_holes(out, layout, hole, UINT64_MAX, style);
}

void report_origin_text(struct strbuf *out, const struct abi *abi)
{
	report_textf(out, "%s %s, %s\n", abi->driver, abi->version, abi->target);
}

static void show_user(struct strbuf *out, const struct diff_reach *user, const struct report_style *style)
{
	char number[ABI_NOTATION_BYTES];
	struct wrap wrap;

	report_textf(out, "  %-10s %-10s ", user->ioctl->family, abi_ioctl_number(user->ioctl->family, user->ioctl->number, number));
	wrap_continue(&wrap, out, style, 24);
	wrap_word(&wrap, INK_NONE, 0, "%s", user->ioctl->name);
	for (size_t step = 0; step + 1 < user->through_count; step++) {
		wrap_word(&wrap, INK_NONE, 1, step ? ">" : "through");
		wrap_word(&wrap, INK_NONE, 1, "%s", user->through[step]);
	}
	wrap_end(&wrap);
}

static const struct abi_record *next_alike(const struct abi *abi, const struct abi_record *record, size_t from)
{
	for (size_t i = from; i < abi->record_count; i++)
		if (!strcmp(abi->records[i].source, record->source) && strcmp(abi->records[i].name, record->name))
			return &abi->records[i];
	return NULL;
}

/* The other names of the record's declaration. */
static void show_also(struct strbuf *out, const struct abi *abi, const struct abi_record *record, const struct report_style *style)
{
	const struct abi_record *one = next_alike(abi, record, 0), *following;
	struct wrap wrap;
	size_t spaces = 0;

	if (!one)
		return;
	strbuf_adds(out, "  also    ");
	wrap_continue(&wrap, out, style, 10);
	for (; one; one = following) {
		following = next_alike(abi, record, (size_t)(one - abi->records) + 1);
		wrap_word(&wrap, INK_NONE, spaces, following ? "%s," : "%s", one->name);
		spaces = 1;
	}
	wrap_end(&wrap);
}

void report_record_text(struct strbuf *out, const struct abi *abi, const struct abi_record *record,
			const struct abi_layout *layout, const struct diff_reach *users, size_t user_count,
			const struct report_style *style)
{
	size_t shown = style->verbose || user_count <= USERS_SHOWN + 1 ? user_count : USERS_SHOWN;

	report_layout_text(out, layout, style);
	show_also(out, abi, record, style);
	strbuf_adds(out, user_count ? "\ncarried by\n" : "\ncarried by no ioctl that the driver's tables name\n");
	for (size_t i = 0; i < shown; i++)
		show_user(out, &users[i], style);
	if (shown < user_count)
		report_textf(out, "  and %zu more (-v lists them)\n", user_count - shown);
}

void report_alias_text(struct strbuf *out, const struct abi_alias *alias, const struct report_style *style)
{
	struct strbuf size = { 0 };
	struct wrap wrap;

	strbuf_adds(out, "alias ");
	wrap_continue(&wrap, out, style, 2);
	wrap_word(&wrap, INK_NAME, 0, "%s", alias->name);
	wrap_word(&wrap, INK_NONE, 1, "= %s,", alias->type);
	strbuf_plural(&size, alias->size_bytes, "byte");
	wrap_word(&wrap, INK_NONE, 1, "%s", size.text);
	wrap_end(&wrap);
	strbuf_release(&size);
}

/* Lowest first; equal ones by name, as they are in the document. */
static int compare_values(const void *a, const void *b)
{
	const struct abi_enumerator *left = *(const struct abi_enumerator *const *)a;
	const struct abi_enumerator *right = *(const struct abi_enumerator *const *)b;
	int order = right->value.negative - left->value.negative;

	if (!order)
		order = (left->value.magnitude > right->value.magnitude) - (left->value.magnitude < right->value.magnitude);
	if (left->value.negative && right->value.negative)
		order = -order;
	return order ? order : (left > right) - (left < right);
}

static void enum_head(struct strbuf *out, const struct abi_enum *one, const struct report_style *style)
{
	struct strbuf size = { 0 };
	struct wrap wrap;

	strbuf_adds(out, "enum ");
	wrap_continue(&wrap, out, style, 2);
	wrap_word(&wrap, INK_NAME, 0, "%s", one->name);
	strbuf_plural(&size, one->size_bytes, "byte");
	wrap_word(&wrap, INK_NONE, 2, "%s, %s", one->type, size.text);
	wrap_end(&wrap);
	strbuf_release(&size);
}

void report_enum_text(struct strbuf *out, const struct abi_enum *one, const struct report_style *style)
{
	const struct abi_enumerator **sorted = xmalloc((one->value_count + 1) * sizeof(*sorted));
	char value[24];

	enum_head(out, one, style);
	report_ink(out, style, INK_DIM, "  %s\n", one->source);
	for (size_t i = 0; i < one->value_count; i++)
		sorted[i] = &one->values[i];
	qsort(sorted, one->value_count, sizeof(*sorted), compare_values);
	for (size_t i = 0; i < one->value_count; i++) {
		struct wrap wrap;

		report_textf(out, "  %-*s", VALUE_WIDTH, sorted[i]->name);
		wrap_continue(&wrap, out, style, VALUE_WIDTH + 3);
		wrap_word(&wrap, INK_NONE, 1, "%s", abi_number_text(sorted[i]->value, value));
		wrap_end(&wrap);
	}
	free(sorted);
}

void report_constant_text(struct strbuf *out, const struct abi_constant *constant, const struct report_style *style)
{
	char value[ABI_NOTATION_BYTES];
	struct wrap wrap;

	strbuf_adds(out, "constant ");
	wrap_continue(&wrap, out, style, 2);
	wrap_word(&wrap, INK_NAME, 0, "%s", constant->name);
	wrap_word(&wrap, INK_NONE, 1, "= %s", abi_constant_number(constant, value));
	wrap_end(&wrap);
}

/* "  flags       a b c", in the words' column */
static void ioctl_words(struct strbuf *out, const char *label, const char *const *words, size_t count, const struct report_style *style)
{
	struct wrap wrap;

	report_textf(out, "  %-11s ", label);
	wrap_continue(&wrap, out, style, 14);
	for (size_t i = 0; i < count; i++)
		wrap_text(&wrap, INK_NONE, i ? 1 : 0, words[i]);
	wrap_end(&wrap);
}

/* "read-write, type 'K', nr 0x02, 96 bytes"; of what a macro's parameters decide: "any size". */
static void encoding_words(struct strbuf *out, const struct abi_ioctl *ioctl, const struct report_style *style)
{
	const uint64_t number = ioctl->number;
	const unsigned type = abi_ioc_get(number, ABI_IOC_TYPE);
	struct strbuf words = { 0 };
	const char *text;

	if (!abi_ioctl_is_encoded(ioctl))
		return;
	strbuf_addf(&words, "direction %s, ", abi_ioc_direction_name(abi_ioc_get(number, ABI_IOC_DIRECTION)));
	strbuf_addf(&words, type > ' ' && type < 0x7f ? "type '%c', " : "type 0x%02x, ", (int)type);
	strbuf_addf(&words, ioctl->varies & 1u << ABI_IOC_NR ? "nr from 0x%02x on, " : "nr 0x%02x, ", abi_ioc_get(number, ABI_IOC_NR));
	if (ioctl->varies & 1u << ABI_IOC_SIZE)
		strbuf_adds(&words, "any size");
	else
		strbuf_plural(&words, abi_ioc_get(number, ABI_IOC_SIZE), "byte");
	if (ioctl->argument)
		strbuf_addf(&words, " of %s", ioctl->argument);
	if (ioctl->encoding == ABI_NUMBER_IOC_BY_NR)
		strbuf_adds(&words, "; the driver looks at type and nr");
	text = strbuf_text(&words);
	ioctl_words(out, "encoding", &text, 1, style);
	strbuf_release(&words);
}

void report_ioctl_text(struct strbuf *out, const struct abi_ioctl *ioctl, const struct report_style *style)
{
	const char *params = ioctl->params ? ioctl->params : "none";
	char number[ABI_NOTATION_BYTES];
	struct wrap wrap;

	report_textf(out, "%s ioctl ", ioctl->family);
	wrap_continue(&wrap, out, style, 4);
	wrap_word(&wrap, INK_NAME, 0, "%s", ioctl->name);
	wrap_word(&wrap, INK_NONE, 1, "= %s", abi_ioctl_number(ioctl->family, ioctl->number, number));
	wrap_end(&wrap);
	ioctl_words(out, "parameters", &params, 1, style);
	encoding_words(out, ioctl, style);
	if (ioctl->flag_count)
		ioctl_words(out, "flags", ioctl->flags, ioctl->flag_count, style);
	if (ioctl->access)
		ioctl_words(out, "access", &ioctl->access, 1, style);
	if (*ioctl->source)
		report_ink(out, style, INK_DIM, "  %s\n", ioctl->source);
}
