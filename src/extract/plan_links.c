/*
 * What depends on what: by names, by includes, and by includes that may or may
 * not count.
 */
#include "extract/plan_parts.h"

#include <stdlib.h>

/* Of links that uncertain includes add: a unit that has more is read whole. */
enum { MORE_LINKS_MAX = 1024 * 1024 };

/* With the lock held: the links of @file that lead to files of this plan. */
static void take_links(struct plan *plan, struct plan_file *file, uint32_t stamp)
{
	const struct share_text *text = file->text;

	file->depends_on_all = share_look_pasting(plan->share, file->text);
	file->links = arena_array(plan->arena, text->link_count, sizeof(*file->links));
	for (size_t i = 0; i < text->link_count; i++) {
		const struct share_text *other = plan->share->texts[text->links[i].text];

		if (other->stamp == stamp)
			file->links[file->link_count++] = (struct plan_link){
				other->place, text->links[i].seen, text->links[i].guard, text->links[i].unguards,
			};
	}
}

static bool is_meant(const struct plan *plan, uint64_t name, uint32_t stamp)
{
	struct share_meaners meaners = share_meaners(plan->share, share_salted(name, plan->salt));
	struct share_meaner meaner;

	while (share_next_meaner(&meaner, &meaners))
		if (meaner.text->stamp == stamp || meaner.text->own)
			return true;
	return false;
}

/* With the lock held: #includes that count since nothing defines the name that would have to be. */
static void settle_unless(struct plan *plan, uint32_t stamp)
{
	const struct hashes *predefined = share_find_predefined(plan->share, plan->salt);

	for (size_t i = 0; predefined && i < plan->count; i++)
		for (size_t t = 0; t < plan->files[i].target_count; t++) {
			struct plan_target *target = &plan->files[i].targets[t];
			uint64_t unless = plan->files[i].text->digest.includes[target->ordinal].unless;

			if (unless && !hashes_have(predefined, unless) && !is_meant(plan, unless, stamp))
				target->is_certain = true;
		}
}

/* Another one may define its guard: then it is not certain that what stands in it counts. */
static bool is_guarded_alone(const struct plan_file *file)
{
	for (size_t l = 0; l < file->link_count; l++)
		if (file->links[l].guard)
			return false;
	return true;
}

bool plan_is_guarded(const struct plan_file *file)
{
	for (size_t l = 0; l < file->link_count; l++)
		if (file->links[l].unguards)
			return false;
	return file->text->digest.is_guarded;
}

static void settle_targets(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		plan->files[i].has_rival = !is_guarded_alone(&plan->files[i]);
		for (size_t t = 0; t < plan->files[i].target_count && plan->files[i].has_rival; t++)
			plan->files[i].targets[t].is_certain = false;
	}
}

/* What a sure file certainly includes is sure. */
static void spread_certainty(struct plan *plan)
{
	bool found = true;

	while (found) {
		found = false;
		for (size_t i = 0; i < plan->count; i++) {
			const struct plan_file *file = &plan->files[i];

			for (size_t t = 0; file->is_sure && t < file->target_count; t++)
				if (file->targets[t].is_certain && !plan->files[file->targets[t].file].is_sure)
					found = plan->files[file->targets[t].file].is_sure = true;
		}
	}
}

/* A file without a guard counts as often as it is included, and so do those in it. */
static void find_repeated(struct plan *plan)
{
	unsigned *times = arena_array(plan->arena, plan->count, sizeof(*times));
	bool found = true;

	for (size_t i = 0; i < plan->count; i++) {
		times[i] += plan->files[i].is_root;
		for (size_t t = 0; t < plan->files[i].target_count; t++)
			times[plan->files[i].targets[t].file]++;
	}
	while (found) {
		found = false;
		for (size_t i = 0; i < plan->count; i++) {
			struct plan_file *file = &plan->files[i];

			if (times[i] < 2 || file->is_repeated || plan_is_guarded(file))
				continue;
			found = file->is_repeated = file->depends_on_all = true;
			for (size_t t = 0; t < file->target_count; t++)
				times[file->targets[t].file]++;
		}
	}
}

uint32_t plan_mark(struct plan *plan)
{
	uint32_t stamp = ++plan->share->stamp;

	for (size_t i = 0; i < plan->count; i++) {
		plan->files[i].text->stamp = stamp;
		plan->files[i].text->place = (uint32_t)i;
	}
	return stamp;
}

void plan_find_links(struct plan *plan)
{
	uint32_t stamp;

	share_lock(plan->share);
	stamp = plan_mark(plan);
	for (size_t i = 0; i < plan->count; i++)
		take_links(plan, &plan->files[i], stamp);
	settle_unless(plan, stamp);
	share_unlock(plan->share);
	settle_targets(plan);
	spread_certainty(plan);
	find_repeated(plan);
}

/* Links in the making; malloc'd. */
struct link_list {
	struct plan_link *link;
	size_t count, capacity;
	uint64_t *has; /* bits: the files that are linked */
};

/* The links of all files, and who may bring each. */
struct linking {
	const struct plan *plan;
	const uint32_t *soonest;   /* as of find_soonest() */
	struct link_list *links;   /* by file */
	struct link_list *bringers; /* by file: who may or may not include it, or what includes it; seen: by which #include */
	size_t added;
};

static void push_link(struct link_list *list, struct plan_link link)
{
	ARRAY_GROW(list->link, list->count, list->capacity);
	list->link[list->count++] = link;
}

/* Return: false if that was known. */
static bool add_link_to(struct linking *linking, size_t from, struct plan_link link)
{
	struct link_list *list = &linking->links[from];

	if (from == link.file)
		return false;
	if (!plan_has_bit(list->has, link.file)) {
		plan_set_bit(list->has, link.file);
		push_link(list, link);
		linking->added++;
		return true;
	}
	for (size_t i = 0; i < list->count; i++)
		if (list->link[i].file == link.file && list->link[i].seen > link.seen) {
			list->link[i].seen = link.seen;
			return true;
		}
	return false;
}

/*
 * By file that is not sure: when a preprocessor comes to it at the soonest,
 * which is when it comes to whoever may include it.
 */
static uint32_t *find_soonest(const struct plan *plan)
{
	uint32_t *soonest = arena_array(plan->arena, plan->count, sizeof(*soonest));
	bool found = true;

	for (size_t i = 0; i < plan->count; i++)
		soonest[i] = PLAN_NONE;
	while (found) {
		found = false;
		for (size_t i = 0; i < plan->count; i++)
			for (size_t t = 0; t < plan->files[i].target_count; t++) {
				const struct plan_target *target = &plan->files[i].targets[t];
				uint32_t time = plan->files[i].is_sure ? plan->files[i].times[target->ordinal] : soonest[i];

				if (plan->files[target->file].is_sure || time >= soonest[target->file])
					continue;
				soonest[target->file] = time;
				found = true;
			}
	}
	return soonest;
}

/* Has every preprocessor done with @target when it comes somewhere at @time? Then it does not matter whether it is included there. */
static bool is_done_before(const struct plan_file *target, uint32_t time)
{
	return target->is_sure && plan_is_guarded(target) && target->times[target->text->digest.include_count] < time;
}

static void note_bringer(struct linking *linking, size_t bringer, size_t brought, uint32_t ordinal)
{
	const struct plan_file *files = linking->plan->files;
	uint32_t time = files[bringer].is_sure ? files[bringer].times[ordinal] : linking->soonest[bringer];

	if (is_done_before(&files[brought], time)) {
		add_link_to(linking, bringer, (struct plan_link){ .file = (uint32_t)brought });
		return;
	}
	push_link(&linking->bringers[brought], (struct plan_link){ .file = (uint32_t)bringer, .seen = ordinal });
	add_link_to(linking, brought, (struct plan_link){ .file = (uint32_t)bringer });
}

static void begin_linking(struct linking *linking)
{
	const struct plan *plan = linking->plan;

	for (size_t i = 0; i < plan->count; i++) {
		linking->links[i].has = arena_array(plan->arena, plan->words, sizeof(uint64_t));
		for (size_t l = 0; l < plan->files[i].link_count; l++)
			add_link_to(linking, i, plan->files[i].links[l]);
	}
	linking->added = 0;
	for (size_t i = 0; i < plan->count; i++)
		for (size_t t = 0; t < plan->files[i].target_count; t++) {
			const struct plan_target *target = &plan->files[i].targets[t];

			if (target->is_certain && plan->files[i].is_sure)
				continue;
			for (size_t other = 0; other < plan->count; other++)
				if (plan_has_bit(plan->files[target->file].includes, other) && other != i)
					note_bringer(linking, i, other, target->ordinal);
		}
}

/*
 * A file that may be brought by another one stands where that one stands. So
 * whoever is linked with it is linked with that one, either way.
 */
static bool link_bringers(struct linking *linking, size_t from)
{
	const struct link_list *own = &linking->bringers[from];
	bool found = false;

	for (size_t l = 0; l < linking->links[from].count; l++) {
		const struct plan_link link = linking->links[from].link[l];
		const struct link_list *others = &linking->bringers[link.file];

		for (size_t i = 0; i < others->count; i++)
			found |= add_link_to(linking, from, (struct plan_link){ .file = others->link[i].file, .seen = link.seen });
		for (size_t i = 0; i < own->count; i++)
			found |= add_link_to(linking, own->link[i].file, (struct plan_link){ .file = link.file, .seen = own->link[i].seen });
	}
	return found;
}

int plan_link_uncertain(struct plan *plan, struct err *err)
{
	struct linking linking = {
		.plan = plan,
		.soonest = find_soonest(plan),
		.links = arena_array(plan->arena, plan->count, sizeof(*linking.links)),
		.bringers = arena_array(plan->arena, plan->count, sizeof(*linking.bringers)),
	};
	bool found = true;

	begin_linking(&linking);
	while (found && linking.added <= MORE_LINKS_MAX) {
		found = false;
		for (size_t i = 0; i < plan->count; i++)
			found |= link_bringers(&linking, i);
	}
	for (size_t i = 0; i < plan->count; i++) {
		plan->files[i].links = arena_memdup(plan->arena, linking.links[i].link, linking.links[i].count * sizeof(struct plan_link));
		plan->files[i].link_count = linking.links[i].count;
		plan->files[i].is_brought = linking.bringers[i].count;
		free(linking.links[i].link);
		free(linking.bringers[i].link);
	}
	return found ? err_set(err, ERR_LIMIT, "too much depends on conditions") : 0;
}

enum bits { BITS_INCLUDES, BITS_BRINGS, BITS_REACH };

static uint64_t *bits_of(const struct plan_file *file, enum bits which)
{
	return which == BITS_INCLUDES ? file->includes : which == BITS_BRINGS ? file->brings : file->reach;
}

/* From each file along its targets, and for its reach along its links, until nothing is added. */
static void spread_bits(struct plan *plan, enum bits which)
{
	bool found = true;

	while (found) {
		found = false;
		for (size_t i = plan->count; i--;) {
			struct plan_file *file = &plan->files[i];

			for (size_t t = 0; t < file->target_count; t++)
				if (which != BITS_BRINGS || file->targets[t].is_certain)
					found |= plan_add_bits(bits_of(file, which), bits_of(&plan->files[file->targets[t].file], which), plan->words);
			for (size_t l = 0; which == BITS_REACH && l < file->link_count; l++)
				found |= plan_add_bits(file->reach, plan->files[file->links[l].file].reach, plan->words);
		}
	}
}

void plan_find_includes(struct plan *plan)
{
	uint64_t *bits;

	plan->words = (plan->count + 63) / 64;
	bits = arena_array(plan->arena, 3 * plan->count, plan->words * sizeof(*bits));
	for (size_t i = 0; i < plan->count; i++) {
		struct plan_file *file = &plan->files[i];

		file->includes = bits + 3 * i * plan->words;
		file->brings = file->includes + plan->words;
		file->reach = file->brings + plan->words;
		plan_set_bit(file->includes, i);
		plan_set_bit(file->brings, i);
		plan_set_bit(file->reach, i);
	}
	spread_bits(plan, BITS_INCLUDES);
	spread_bits(plan, BITS_BRINGS);
}

void plan_find_reach(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		for (size_t other = 0; plan->files[i].depends_on_all && other < plan->count; other++)
			plan_set_bit(plan->files[i].reach, other);
	spread_bits(plan, BITS_REACH);
}
