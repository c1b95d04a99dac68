/* history/lookup_parse.c - the bit fields of a number, and its neighbours */
#include "history/history.h"
#include "history/command.h"

#include <string.h>

enum { NEAR_BITS = 8 }; /* of a number without bit fields: so many low bits may differ */

static uint64_t mask(unsigned width)
{
	return width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
}

static uint64_t value_of(const struct profile_bits *bits, uint64_t number)
{
	return number >> bits->low_bit & mask(bits->width);
}

/* The ioctl of @family that has the number @value. */
static const char *name_of_ioctl(const struct abi *abi, const char *family, uint64_t value)
{
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (abi->ioctls[i].number == value && !strcmp(abi->ioctls[i].family, family))
			return abi->ioctls[i].name;
	return NULL;
}

/* "NV\1_CTRL_" with the first bits, 0x208f, is "NV208F_CTRL_". */
static const char *prefix_of(const struct profile_bits *bits, const struct profile_bits *first, uint64_t number, struct arena *arena)
{
	const char *mark = strstr(bits->macros, "\\1");

	if (!mark)
		return bits->macros;
	return arena_printf(arena, "%.*s%0*llX%s", (int)(mark - bits->macros), bits->macros, (int)(first->width + 3) / 4,
			    (unsigned long long)value_of(first, number), mark + 2);
}

/* The rest of the one macro that begins with @prefix and has the value; NULL if there is none, or more than one. */
static const char *name_of_macro(const struct abi *abi, const char *prefix, uint64_t value)
{
	size_t length = strlen(prefix);
	const char *found = NULL;

	for (size_t i = 0; i < abi->constant_count; i++) {
		const struct abi_constant *constant = &abi->constants[i];

		if (constant->value.negative || constant->value.magnitude != value || strncmp(constant->name, prefix, length))
			continue;
		if (found)
			return NULL;
		found = constant->name + length;
	}
	return found;
}

static bool is_name(const struct abi_index_item *item, const struct profile_bits *bits, const char *prefix, uint64_t value)
{
	if (item->number.negative || item->number.magnitude != value)
		return false;
	if (item->kind == ABI_IOCTL)
		return bits->family && !strcmp(item->family, bits->family);
	return item->kind == ABI_CONSTANT && prefix && !strncmp(item->name, prefix, strlen(prefix));
}

static uint32_t last_of(const struct abi_index_item *item)
{
	return item->spans[item->span_count - 1].until;
}

/* The name in the newest version that has one; NULL if that has several. */
static const char *name_in_index(const struct abi_index *index, const struct profile_bits *bits, const char *prefix, uint64_t value)
{
	const struct abi_index_item *newest = NULL;
	bool is_single = true;

	for (size_t i = 0; i < index->count; i++) {
		const struct abi_index_item *item = &index->items[i];

		if (!is_name(item, bits, prefix, value) || (newest && last_of(item) < last_of(newest)))
			continue;
		is_single = !newest || last_of(item) > last_of(newest) || !strcmp(item->name, newest->name);
		newest = item;
	}
	if (!newest || !is_single)
		return NULL;
	return newest->kind == ABI_CONSTANT ? newest->name + strlen(prefix) : newest->name;
}

static const char *name_of(const struct lookup_scope *scope, const struct profile_bits *bits, const struct profile_bits *first,
			   uint64_t number, struct arena *arena)
{
	const char *prefix = bits->macros ? prefix_of(bits, first, number, arena) : NULL;
	uint64_t value = value_of(bits, number);
	const char *name = NULL;

	if (bits->family)
		name = name_of_ioctl(scope->abi, bits->family, value);
	if (!name && prefix)
		name = name_of_macro(scope->abi, prefix, value);
	if (!name && (bits->family || prefix))
		name = name_in_index(scope->index, bits, prefix, value);
	return name;
}

/* The first family whose numbers have bit fields that cover all of @number. */
static const struct profile_family *family_of(const struct profile *profile, uint64_t number)
{
	for (size_t i = 0; i < profile->family_count; i++) {
		const struct profile_family *family = &profile->families[i];
		uint64_t all = 0;

		for (size_t b = 0; b < family->bits_count; b++)
			all |= mask(family->bits[b].width) << family->bits[b].low_bit;
		if (family->bits_count > 1 && !(number & ~all))
			return family;
	}
	return NULL;
}

static void parse_bits(struct lookup_parse *out, const struct profile_family *family, const struct lookup_scope *scope, uint64_t number,
		       struct arena *arena)
{
	struct lookup_bits *bits = arena_array(arena, family->bits_count, sizeof(*bits));

	for (size_t i = 0; i < family->bits_count; i++)
		bits[i] = (struct lookup_bits){
			.bits = &family->bits[i],
			.value = value_of(&family->bits[i], number),
			.name = name_of(scope, &family->bits[i], &family->bits[0], number, arena),
		};
	/* 0x1b is no method 0x1b of class 0. */
	if (!bits[0].value && (!bits[1].value || !bits[1].name))
		return;
	out->family = family->name;
	out->bits = bits;
	out->bits_count = family->bits_count;
}

static void note_neighbour(struct lookup_neighbour near[2], const char *name, uint64_t candidate, uint64_t number, uint64_t high_bits)
{
	struct lookup_neighbour *side = &near[candidate > number];
	bool nearer = !side->name || (candidate > number ? candidate < side->number : candidate > side->number);

	if (candidate != number && (candidate & high_bits) == (number & high_bits) && nearer)
		*side = (struct lookup_neighbour){ name, candidate };
}

void lookup_neighbours(struct lookup_neighbour out[2], const struct abi *abi, const struct lookup_parse *parse, uint64_t number)
{
	uint64_t high_bits = ~mask(parse->bits_count ? parse->bits[parse->bits_count - 1].bits->width : NEAR_BITS);
	struct command_form form = command_form_of(abi);

	out[0].name = out[1].name = NULL;
	if (!(number & high_bits))
		return;
	for (size_t i = 0; i < abi->ioctl_count; i++)
		note_neighbour(out, abi->ioctls[i].name, abi->ioctls[i].number, number, high_bits);
	for (size_t i = 0; i < abi->constant_count; i++)
		if (command_is_macro(&form, &abi->constants[i]))
			note_neighbour(out, abi->constants[i].name, abi->constants[i].value.magnitude, number, high_bits);
}

void lookup_parse(struct lookup_parse *out, const struct profile *profile, const struct lookup_scope *scope, uint64_t number,
		  struct arena *arena)
{
	const struct profile_family *family = family_of(profile, number);

	*out = (struct lookup_parse){ .bits_count = 0 };
	if (family)
		parse_bits(out, family, scope, number, arena);
}
