#include "history/change_internal.h"

static const char *copy_text(const char *text, struct arena *arena)
{
	return text ? arena_strdup(arena, text) : NULL;
}

static const char *const *copy_texts(const char *const *texts, size_t count, struct arena *arena)
{
	const char **copy = arena_array(arena, count + 1, sizeof(char *));

	for (size_t i = 0; i < count; i++)
		copy[i] = arena_strdup(arena, texts[i]);
	return copy;
}

static const struct diff_field_side *copy_side(const struct diff_field_side *side, struct arena *arena)
{
	struct diff_field_side *copy;

	if (!side)
		return NULL;
	copy = arena_memdup(arena, side, sizeof(*side));
	copy->path = arena_strdup(arena, side->path);
	copy->type = arena_strdup(arena, side->type);
	return copy;
}

static void copy_fields(struct diff_change *out, struct arena *arena)
{
	struct diff_field *fields = arena_memdup(arena, out->fields, out->field_count * sizeof(*fields));

	for (size_t i = 0; i < out->field_count; i++) {
		fields[i].before = copy_side(fields[i].before, arena);
		fields[i].after = copy_side(fields[i].after, arena);
	}
	out->fields = fields;
}

static const struct abi_number *copy_number(const struct abi_number *number, struct arena *arena)
{
	return number ? arena_memdup(arena, number, sizeof(*number)) : NULL;
}

static void copy_values(struct diff_change *out, struct arena *arena)
{
	struct diff_value *values = arena_memdup(arena, out->values, out->value_count * sizeof(*values));

	for (size_t i = 0; i < out->value_count; i++) {
		values[i].name = copy_text(values[i].name, arena);
		values[i].base_name = copy_text(values[i].base_name, arena);
		values[i].before = copy_number(values[i].before, arena);
		values[i].after = copy_number(values[i].after, arena);
	}
	out->values = values;
}

static void copy_reach(struct diff_change *out, struct arena *arena)
{
	struct diff_reach *reach = arena_memdup(arena, out->reached_by, out->reach_count * sizeof(*reach));

	for (size_t i = 0; i < out->reach_count; i++)
		reach[i].through = copy_texts(reach[i].through, reach[i].through_count, arena);
	out->reached_by = reach;
}

static void copy_flags(struct diff_change *out, struct arena *arena)
{
	struct diff_flag *flags = arena_memdup(arena, out->flags, out->flag_count * sizeof(*flags));

	for (size_t i = 0; i < out->flag_count; i++)
		flags[i].word = arena_strdup(arena, flags[i].word);
	out->flags = flags;
}

void history_copy_change(struct diff_change *out, const struct diff_change *change, struct arena *arena)
{
	struct diff_change copy = *change;

	copy.name = copy_text(change->name, arena);
	copy.base_name = copy_text(change->base_name, arena);
	copy.family = copy_text(change->family, arena);
	copy.same_as = copy_text(change->same_as, arena);
	copy.number_was = copy_text(change->number_was, arena);
	copy.also = copy_texts(change->also, change->also_count, arena);
	copy.because = copy_texts(change->because, change->because_count, arena);
	copy.inside = copy_text(change->inside, arena);
	copy.with = copy_text(change->with, arena);
	copy.under = NULL; /* that one may not be selected */
	copy.told = NULL;
	copy.told_count = 0;
	copy.came = NULL;
	copy.came_count = 0;
	copy.entries = arena_memdup(arena, change->entries, change->entry_count * sizeof(const struct table_entry *));
	copy_fields(&copy, arena);
	copy_values(&copy, arena);
	copy_flags(&copy, arena);
	copy_reach(&copy, arena);
	*out = copy;
}
