#include "history/keep.h"

static const char *keep_text(const char *text, struct arena *arena)
{
	return text ? arena_strdup(arena, text) : NULL;
}

static const char *const *keep_texts(const char *const *texts, size_t count, struct arena *arena)
{
	const char **kept = arena_array(arena, count + 1, sizeof(char *));

	for (size_t i = 0; i < count; i++)
		kept[i] = arena_strdup(arena, texts[i]);
	return kept;
}

static const struct diff_field_side *keep_side(const struct diff_field_side *side, struct arena *arena)
{
	struct diff_field_side *kept;

	if (!side)
		return NULL;
	kept = arena_memdup(arena, side, sizeof(*side));
	kept->path = arena_strdup(arena, side->path);
	kept->type = arena_strdup(arena, side->type);
	return kept;
}

static void keep_fields(struct diff_change *out, struct arena *arena)
{
	struct diff_field *fields = arena_memdup(arena, out->fields, out->field_count * sizeof(*fields));

	for (size_t i = 0; i < out->field_count; i++) {
		fields[i].before = keep_side(fields[i].before, arena);
		fields[i].after = keep_side(fields[i].after, arena);
	}
	out->fields = fields;
}

static const struct abi_number *keep_number(const struct abi_number *number, struct arena *arena)
{
	return number ? arena_memdup(arena, number, sizeof(*number)) : NULL;
}

static void keep_values(struct diff_change *out, struct arena *arena)
{
	struct diff_value *values = arena_memdup(arena, out->values, out->value_count * sizeof(*values));

	for (size_t i = 0; i < out->value_count; i++) {
		values[i].name = keep_text(values[i].name, arena);
		values[i].base_name = keep_text(values[i].base_name, arena);
		values[i].before = keep_number(values[i].before, arena);
		values[i].after = keep_number(values[i].after, arena);
	}
	out->values = values;
}

static void keep_reach(struct diff_change *out, struct arena *arena)
{
	struct diff_reach *reach = arena_memdup(arena, out->reached_by, out->reach_count * sizeof(*reach));

	for (size_t i = 0; i < out->reach_count; i++)
		reach[i].through = keep_texts(reach[i].through, reach[i].through_count, arena);
	out->reached_by = reach;
}

void history_keep(struct diff_change *out, const struct diff_change *change, struct arena *arena)
{
	struct diff_change kept = *change;

	kept.name = keep_text(change->name, arena);
	kept.base_name = keep_text(change->base_name, arena);
	kept.family = keep_text(change->family, arena);
	kept.same_as = keep_text(change->same_as, arena);
	kept.number_was = keep_text(change->number_was, arena);
	kept.also = keep_texts(change->also, change->also_count, arena);
	kept.entries = arena_memdup(arena, change->entries, change->entry_count * sizeof(const struct table_entry *));
	keep_fields(&kept, arena);
	keep_values(&kept, arena);
	keep_reach(&kept, arena);
	*out = kept;
}
