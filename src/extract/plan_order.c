/*
 * In which order a preprocessor comes to the files, with all headers or with
 * some; and which headers do for some files, since they keep that order.
 */
#include "extract/plan_parts.h"

#include <stdlib.h>
#include <string.h>

/* When a preprocessor would come to each file, with some of the headers. */
struct clock {
	uint32_t *begins, *ends; /* PLAN_NONE: never */
	uint32_t **times;        /* as of a plan_file */
	uint32_t *openers, *ordinals; /* as of a plan_file */
};

/* Walk through @headers, as a preprocessor does that reads every file once, and includes nothing that is not certain. */
static void walk_order(const struct plan *plan, const uint32_t *headers, size_t count, struct clock *clock)
{
	struct { uint32_t file, next, timed, ordinal; } *stack = xmalloc((plan->count + 1) * sizeof(*stack));
	uint32_t begun = 0, ended = 0, now = 0;
	size_t depth = 0;

	for (size_t i = 0; i < plan->count; i++)
		clock->begins[i] = clock->ends[i] = PLAN_NONE;
	for (size_t i = 0; i < count; i++) {
		uint32_t next = headers[i];

		for (;;) {
			const struct plan_target *target;
			const struct plan_file *file;

			if (next != PLAN_NONE && clock->begins[next] == PLAN_NONE) {
				clock->begins[next] = begun++;
				clock->openers[next] = depth ? stack[depth - 1].file : next;
				clock->ordinals[next] = depth ? stack[depth - 1].ordinal : 0;
				stack[depth].file = next;
				stack[depth].timed = 0;
				stack[depth++].next = 0;
			}
			while (depth && stack[depth - 1].next == plan->files[stack[depth - 1].file].target_count) {
				file = &plan->files[stack[--depth].file];
				while (stack[depth].timed <= file->text->digest.include_count)
					clock->times[stack[depth].file][stack[depth].timed++] = now;
				now++;
				clock->ends[stack[depth].file] = ended++;
			}
			if (!depth)
				break;
			target = &plan->files[stack[depth - 1].file].targets[stack[depth - 1].next++];
			while (stack[depth - 1].timed <= target->ordinal)
				clock->times[stack[depth - 1].file][stack[depth - 1].timed++] = now;
			now++;
			stack[depth - 1].ordinal = target->ordinal;
			next = target->is_certain ? target->file : PLAN_NONE;
		}
	}
	free(stack);
}

static struct clock new_clock(const struct plan *plan)
{
	struct clock clock = {
		arena_array(plan->arena, plan->count, sizeof(*clock.begins)), arena_array(plan->arena, plan->count, sizeof(*clock.ends)),
		arena_array(plan->arena, plan->count, sizeof(*clock.times)), arena_array(plan->arena, plan->count, sizeof(*clock.openers)),
		arena_array(plan->arena, plan->count, sizeof(*clock.ordinals)),
	};
	size_t count = 0;
	uint32_t *times;

	for (size_t i = 0; i < plan->count; i++)
		count += plan->files[i].text->digest.include_count + 1;
	times = arena_array(plan->arena, count, sizeof(*times));
	for (size_t i = 0; i < plan->count; i++) {
		clock.times[i] = times;
		times += plan->files[i].text->digest.include_count + 1;
	}
	return clock;
}

void plan_find_order(struct plan *plan)
{
	uint32_t *roots = arena_array(plan->arena, plan->root_count, sizeof(*roots));
	struct clock clock = new_clock(plan);

	for (size_t i = 0; i < plan->root_count; i++)
		roots[i] = (uint32_t)i;
	walk_order(plan, roots, plan->root_count, &clock);
	for (size_t i = 0; i < plan->count; i++) {
		plan->files[i].begins = clock.begins[i];
		plan->files[i].ends = clock.ends[i];
		plan->files[i].times = clock.times[i];
		plan->files[i].opener = clock.openers[i];
		plan->files[i].ordinal = clock.ordinals[i];
	}
}

static bool is_spoken_of_before(const struct plan *plan, const struct plan_file *file, const struct plan_link *link)
{
	for (size_t t = 0; t < file->target_count; t++)
		if (file->targets[t].is_certain && plan_has_bit(plan->files[file->targets[t].file].brings, link->file))
			return link->seen <= file->targets[t].ordinal;
	return true;
}

static unsigned order_of(const struct plan *plan, size_t index, const struct plan_link *link, const struct clock *clock)
{
	const struct plan_file *file = &plan->files[index], *other = &plan->files[link->file];
	bool is_included = plan_has_bit(file->brings, link->file);
	bool began = clock ? clock->begins[link->file] < clock->begins[index] : other->begins < file->begins;
	bool ended = clock ? clock->ends[link->file] < clock->ends[index] : other->ends < file->ends;

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

/* Do the files that one depends on come in the order in which they would with all headers? */
static bool is_same_sequence(const struct plan *plan, size_t index, const struct clock *clock)
{
	const uint32_t *by_begin = plan_by_begin(plan);
	uint32_t last = 0;

	for (size_t i = 0; i < plan->count && plan->files[by_begin[i]].begins != PLAN_NONE; i++) {
		if (!plan_has_bit(plan->files[index].reach, by_begin[i]))
			continue;
		if (clock->begins[by_begin[i]] == PLAN_NONE || clock->begins[by_begin[i]] < last)
			return false;
		last = clock->begins[by_begin[i]];
	}
	return true;
}

/* With these headers, does every file that is needed meet what it depends on as it would with all? */
static bool is_same_order(const struct plan *plan, const uint32_t *headers, size_t count, const uint64_t *needed, const bool *wanted)
{
	struct clock clock = new_clock(plan);

	walk_order(plan, headers, count, &clock);
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_file *file = &plan->files[i];

		if (!plan_has_bit(needed, i))
			continue;
		if (wanted[i] && !is_same_sequence(plan, i, &clock))
			return false;
		if ((file->is_sure && clock.begins[i] == PLAN_NONE) || file->depends_on_all)
			return false;
		for (size_t l = 0; l < file->link_count; l++)
			if (order_of(plan, i, &file->links[l], NULL) != order_of(plan, i, &file->links[l], &clock))
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
	if (!is_same_order(plan, files, file_count, needed, wanted))
		for (file_count = 0; file_count < plan->root_count; file_count++)
			files[file_count] = (uint32_t)file_count;
	list_headers(headers, count, plan, files, file_count);
	memset(needed, 0, plan->words * sizeof(*needed));
	for (size_t i = 0; i < file_count; i++)
		plan_add_bits(needed, plan->files[files[i]].includes, plan->words);
	return needed;
}
