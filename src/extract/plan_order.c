/*
 * In which order a preprocessor comes to the files, with all headers or with
 * some; and which headers do for some files, since they keep that order.
 */
#include "extract/plan_parts.h"

#include <stdlib.h>
#include <string.h>

/* When a preprocessor would begin and end each file, with some of the headers. */
struct order {
	uint32_t *begins, *ends; /* PLAN_NONE: never */
};

/* Walk through @headers, as a preprocessor does that reads every file once, and includes nothing that is not certain. */
static void walk_order(const struct plan *plan, const uint32_t *headers, size_t count, struct order *order)
{
	struct { uint32_t file, next; } *stack = xmalloc((plan->count + 1) * sizeof(*stack));
	uint32_t begun = 0, ended = 0;
	size_t depth = 0;

	for (size_t i = 0; i < plan->count; i++)
		order->begins[i] = order->ends[i] = PLAN_NONE;
	for (size_t i = 0; i < count; i++) {
		uint32_t next = headers[i];

		for (;;) {
			const struct plan_target *target;

			if (next != PLAN_NONE && order->begins[next] == PLAN_NONE) {
				order->begins[next] = begun++;
				stack[depth].file = next;
				stack[depth++].next = 0;
			}
			while (depth && stack[depth - 1].next == plan->files[stack[depth - 1].file].target_count)
				order->ends[stack[--depth].file] = ended++;
			if (!depth)
				break;
			target = &plan->files[stack[depth - 1].file].targets[stack[depth - 1].next++];
			next = target->is_certain ? target->file : PLAN_NONE;
		}
	}
	free(stack);
}

static struct order new_order(const struct plan *plan)
{
	return (struct order){
		arena_array(plan->arena, plan->count, sizeof(uint32_t)), arena_array(plan->arena, plan->count, sizeof(uint32_t)),
	};
}

void plan_find_order(struct plan *plan)
{
	uint32_t *roots = arena_array(plan->arena, plan->root_count, sizeof(*roots));
	struct order order = new_order(plan);

	for (size_t i = 0; i < plan->root_count; i++)
		roots[i] = (uint32_t)i;
	walk_order(plan, roots, plan->root_count, &order);
	for (size_t i = 0; i < plan->count; i++) {
		plan->files[i].begins = order.begins[i];
		plan->files[i].ends = order.ends[i];
	}
}

static bool is_spoken_of_before(const struct plan *plan, const struct plan_file *file, const struct plan_link *link)
{
	for (size_t t = 0; t < file->target_count; t++)
		if (file->targets[t].is_certain && plan_has_bit(plan->files[file->targets[t].file].brings, link->file))
			return link->seen <= file->targets[t].ordinal;
	return true;
}

static unsigned order_of(const struct plan *plan, size_t index, const struct plan_link *link, const struct order *order)
{
	const struct plan_file *file = &plan->files[index], *other = &plan->files[link->file];
	bool is_included = plan_has_bit(file->brings, link->file);
	bool began = order ? order->begins[link->file] < order->begins[index] : other->begins < file->begins;
	bool ended = order ? order->ends[link->file] < order->ends[index] : other->ends < file->ends;

	if (is_included && !is_spoken_of_before(plan, file, link))
		return ORDER_SAME;
	return ORDER_KNOWN | (began ? ORDER_BEGAN_BEFORE : 0) | (!is_included && ended ? ORDER_ENDED_BEFORE : 0);
}

unsigned plan_order_of(const struct plan *plan, size_t index, const struct plan_link *link)
{
	return order_of(plan, index, link, NULL);
}

size_t plan_deepest(const struct plan *plan)
{
	struct { uint32_t file, next; } *stack = xmalloc((plan->count + 1) * sizeof(*stack));
	uint32_t *height = arena_array(plan->arena, plan->count, sizeof(*height)); /* 0: not ended */
	bool *begun = arena_array(plan->arena, plan->count, sizeof(*begun));
	size_t deepest = 0, depth = 0;

	for (size_t i = 0; i < plan->count; i++) {
		uint32_t next = (uint32_t)i;

		for (;;) {
			const struct plan_file *file;

			if (!begun[next]) {
				begun[next] = true;
				stack[depth].file = next;
				stack[depth++].next = 0;
			}
			if (!depth)
				break;
			file = &plan->files[stack[depth - 1].file];
			if (stack[depth - 1].next < file->target_count) {
				next = file->targets[stack[depth - 1].next++].file;
				continue;
			}
			for (size_t t = 0; t < file->target_count; t++)
				if (height[file->targets[t].file] > height[stack[depth - 1].file])
					height[stack[depth - 1].file] = height[file->targets[t].file];
			height[stack[depth - 1].file]++;
			if (height[stack[depth - 1].file] > deepest)
				deepest = height[stack[depth - 1].file];
			next = stack[--depth].file;
		}
	}
	free(stack);
	return deepest;
}

static void list_headers(const char ***headers, size_t *count, const struct plan *plan, const uint32_t *files, size_t file_count)
{
	const char **list = arena_array(plan->arena, file_count, sizeof(*list));

	for (*count = 0; *count < file_count; (*count)++)
		list[*count] = plan->files[files[*count]].text->path;
	*headers = list;
}

/* With these headers, does every file that is needed meet what it depends on as it would with all? */
static bool is_same_order(const struct plan *plan, const uint32_t *headers, size_t count, const uint64_t *needed)
{
	struct order order = new_order(plan);

	walk_order(plan, headers, count, &order);
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_file *file = &plan->files[i];

		if (!plan_has_bit(needed, i))
			continue;
		if ((file->is_sure && order.begins[i] == PLAN_NONE) || file->depends_on_all)
			return false;
		for (size_t l = 0; l < file->link_count; l++)
			if (order_of(plan, i, &file->links[l], NULL) != order_of(plan, i, &file->links[l], &order))
				return false;
	}
	return true;
}

/* Those that another one must come to first: it speaks of their names before it includes them, or defines what they use. */
static void find_nested(uint64_t *nested, const struct plan *plan, const uint64_t *needed)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_file *file = &plan->files[i];

		for (size_t l = 0; plan_has_bit(needed, i) && l < file->link_count; l++)
			if (plan_has_bit(file->brings, file->links[l].file) && order_of(plan, i, &file->links[l], NULL) == ORDER_KNOWN)
				plan_set_bit(nested, file->links[l].file);
	}
}

/*
 * What a file includes behind an include that is not certain comes behind what that brings, and must
 * not be taken out of it; unless it is there before.
 */
static void find_behind_uncertain(uint64_t *nested, const struct plan *plan, const uint64_t *needed)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_file *file = &plan->files[i];
		bool is_behind = false;

		for (size_t t = 0; plan_has_bit(needed, i) && file->is_sure && t < file->target_count; t++) {
			const uint64_t *brought = plan->files[file->targets[t].file].brings;

			if (!file->targets[t].is_certain) {
				is_behind = true;
				continue;
			}
			for (size_t other = 0; is_behind && other < plan->count; other++)
				if (plan_has_bit(brought, other) && plan->files[other].begins > file->begins)
					plan_set_bit(nested, other);
		}
	}
}

/*
 * Each file that is needed, in the order in which a preprocessor would have
 * done with them; what comes later finds what it includes already there. One
 * that conditions may leave out, or that comes into its own only inside
 * another one, is left to those that include it.
 */
static size_t order_needed(uint32_t *out, const struct plan *plan, const uint64_t *needed)
{
	uint64_t *nested = arena_array(plan->arena, plan->words, sizeof(*nested));
	uint32_t *by_end = arena_array(plan->arena, plan->count, sizeof(*by_end));
	size_t count = 0, ended = 0;

	find_nested(nested, plan, needed);
	find_behind_uncertain(nested, plan, needed);
	for (size_t i = 0; i < plan->count; i++)
		if (!plan->files[i].is_root && !plan_is_guarded(&plan->files[i]))
			plan_set_bit(nested, i);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->files[i].is_sure) {
			by_end[plan->files[i].ends] = (uint32_t)i;
			ended++;
		}
	for (size_t i = 0; i < ended; i++)
		if (plan_has_bit(needed, by_end[i]) && !plan_has_bit(nested, by_end[i]))
			out[count++] = by_end[i];
	return count;
}

uint64_t *plan_headers(const char ***headers, size_t *count, const struct plan *plan, const bool *wanted)
{
	uint32_t *files = arena_array(plan->arena, plan->count, sizeof(*files));
	uint64_t *needed = arena_array(plan->arena, plan->words, sizeof(*needed));
	size_t file_count;

	for (size_t i = 0; i < plan->count; i++)
		if (wanted[i])
			plan_add_bits(needed, plan->files[i].reach, plan->words);
	file_count = order_needed(files, plan, needed);
	if (!is_same_order(plan, files, file_count, needed))
		for (file_count = 0; file_count < plan->root_count; file_count++)
			files[file_count] = (uint32_t)file_count;
	list_headers(headers, count, plan, files, file_count);
	memset(needed, 0, plan->words * sizeof(*needed));
	for (size_t i = 0; i < file_count; i++)
		plan_add_bits(needed, plan->files[files[i]].includes, plan->words);
	return needed;
}
