#include "extract/plan_finder.h"

#include <stdlib.h>
#include <string.h>

/* Is it certain that it is read, and when? */
static bool is_placed(const struct plan_file *file)
{
	return file->is_sure && !file->is_repeated && !file->depends_on_all && !file->is_brought && !file->has_rival;
}

static void lead_to(struct finder *finder, size_t file, uint32_t chunk)
{
	ARRAY_GROW(finder->leads, finder->lead_count, finder->lead_capacity);
	finder->leads[finder->lead_count++] = (struct plan_seat){ (uint32_t)file, chunk };
}

static void grow_names(struct finder *finder)
{
	size_t mask = finder->names ? finder->name_mask * 2 + 1 : 1023;
	struct known_name *names = xmalloc((mask + 1) * sizeof(*names));

	memset(names, 0, (mask + 1) * sizeof(*names));
	for (size_t i = 0; finder->names && i <= finder->name_mask; i++) {
		size_t at = finder->names[i].name & mask;

		if (!finder->names[i].name)
			continue;
		while (names[at].name)
			at = (at + 1) & mask;
		names[at] = finder->names[i];
	}
	free(finder->names);
	finder->names = names;
	finder->name_mask = mask;
}

/* The chunk of an #include, or the whole file; DIGEST_NO_CHUNK if it is outside of all. */
static uint32_t chunk_of(const struct digest *digest, const struct digest_include *include)
{
	if (!digest->is_split)
		return PLAN_WHOLE;
	for (size_t i = 0; i < digest->chunk_count; i++)
		if (digest->chunks[i].start <= include->at && include->at < digest->chunks[i].end)
			return (uint32_t)i;
	return DIGEST_NO_CHUNK;
}

static void add_site(struct finder *finder, size_t index, size_t ordinal)
{
	const struct plan_file *file = &finder->plan->files[index];
	const struct digest *digest = &file->text->digest;
	struct site site = { .seat = { (uint32_t)index, chunk_of(digest, &digest->includes[ordinal]) } };

	site.time = file->is_sure ? file->times[ordinal] : 0;
	site.is_vague = !finder->is_placed[index] || (digest->is_split && site.seat.chunk == DIGEST_NO_CHUNK);
	ARRAY_GROW(finder->sites, finder->site_count, finder->site_capacity);
	finder->sites[finder->site_count++] = site;
}

/* An #include that leads to no file of the tree leads there, or is an error. */
static void find_sites(struct finder *finder)
{
	const struct plan *plan = finder->plan;

	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_file *file = &plan->files[i];
		size_t t = 0;

		for (size_t n = 0; n < file->text->digest.include_count; n++)
			if (t < file->target_count && file->targets[t].ordinal == n)
				t++;
			else
				add_site(finder, i, n);
	}
}

static void add_meaning(struct finder *finder, struct plan_seat seat)
{
	ARRAY_GROW(finder->meanings, finder->meaning_count, finder->meaning_capacity);
	finder->meanings[finder->meaning_count++] = seat;
}

/* Of all texts that give @name a meaning, those of this plan. */
static void look_up_name(struct finder *finder, struct known_name *known)
{
	struct share_meaners meaners = share_meaners(finder->plan->share, known->name);
	struct share_meaner meaner;

	bool is_shared = false; /* one of clang's own headers gives it another meaning */

	known->first = (uint32_t)finder->meaning_count;
	while (share_next_meaner(&meaner, &meaners)) {
		const struct share_text *text = meaner.text;
		uint32_t place;

		known->is_own |= text->own == SHARE_OWN_MACROS;
		is_shared |= text->own == SHARE_OWN_OTHERS;
		place = text->number < finder->place_count ? finder->places[text->number] : PLAN_NONE;
		if (place == PLAN_NONE)
			continue;
		known->is_vague |= !finder->is_placed[place] || (text->digest.is_split && meaner.chunk == DIGEST_NO_CHUNK);
		add_meaning(finder, (struct plan_seat){ place, text->digest.is_split ? meaner.chunk : PLAN_WHOLE });
	}
	known->count = (uint32_t)finder->meaning_count - known->first;
	/* If it is not declared where it should be, clang says so; if it is declared twice, only clang can know. */
	known->is_vague |= is_shared && known->count;
}

static const struct known_name *know_name(struct finder *finder, uint64_t name)
{
	size_t at;

	if (!finder->names || finder->name_count * 2 > finder->name_mask)
		grow_names(finder);
	for (at = name & finder->name_mask; finder->names[at].name; at = (at + 1) & finder->name_mask)
		if (finder->names[at].name == name)
			return &finder->names[at];
	finder->name_count++;
	finder->names[at].name = name;
	look_up_name(finder, &finder->names[at]);
	return &finder->names[at];
}

/*
 * Add to the leads whatever gives @name a meaning. Return: false if it cannot be told what that is.
 * @until: when it is used at the latest; what clang's own headers say after that has no part in it
 */
static bool follow_name(struct finder *finder, uint64_t name, uint32_t until)
{
	const struct known_name *known = know_name(finder, name);
	bool is_vague = known->is_vague;

	for (uint32_t i = 0; i < known->count; i++)
		lead_to(finder, finder->meanings[known->first + i].file, finder->meanings[known->first + i].chunk);
	for (size_t i = 0; known->is_own && i < finder->site_count; i++) {
		if (finder->sites[i].time > until)
			continue;
		is_vague |= finder->sites[i].is_vague;
		if (!finder->sites[i].is_vague)
			lead_to(finder, finder->sites[i].seat.file, finder->sites[i].seat.chunk);
	}
	return !is_vague;
}

static bool follow_imports(struct finder *finder, const struct share_text *text)
{
	for (size_t i = 0; i < text->import_count; i++)
		if (!follow_name(finder, text->imports[i], UINT32_MAX))
			return false;
	return true;
}

static bool follow_words(struct finder *finder, struct plan_seat seat)
{
	const struct plan_file *file = &finder->plan->files[seat.file];
	const struct digest *digest = &file->text->digest;

	for (size_t i = digest->chunks[seat.chunk].word; i < digest->chunks[seat.chunk + 1].word; i++) {
		uint64_t word = digest->words[i];
		/* A definition may be used until the end. */
		uint32_t until = word & 1 ? UINT32_MAX : file->times[digest->chunks[seat.chunk + 1].seen];

		if (!follow_name(finder, share_salted(digest_word(word), finder->plan->salt), until))
			return false;
	}
	return true;
}

/* What a file includes may stand in the middle of what it declares. */
static bool follow_whole(struct finder *finder, size_t index)
{
	const struct plan *plan = finder->plan;
	const struct plan_file *file = &plan->files[index];

	for (size_t other = 0; other < plan->count; other++) {
		if (other == index || !plan_has_bit(file->includes, other))
			continue;
		if (!plan_has_bit(file->brings, other) || !finder->is_placed[other])
			return false;
		lead_to(finder, other, PLAN_WHOLE);
	}
	return follow_imports(finder, file->text);
}

static struct node *node_of(struct finder *finder, struct plan_seat seat)
{
	struct plan *plan = finder->plan;
	struct node **node;

	if (seat.chunk == PLAN_WHOLE)
		return &finder->wholes[seat.file];
	if (!finder->nodes[seat.file])
		finder->nodes[seat.file] = arena_array(plan->arena, plan->files[seat.file].text->digest.chunk_count, sizeof(struct node *));
	node = &finder->nodes[seat.file][seat.chunk];
	if (!*node)
		*node = arena_alloc(plan->arena, sizeof(**node));
	return *node;
}

/* Each once. */
static void sort_out_leads(struct finder *finder)
{
	size_t count = 0;

	finder->mark++;
	for (size_t i = 0; i < finder->lead_count; i++) {
		struct node *node = node_of(finder, finder->leads[i]);

		if (node->mark == finder->mark)
			continue;
		node->mark = finder->mark;
		finder->leads[count++] = finder->leads[i];
	}
	finder->lead_count = count;
}

static void resolve(struct finder *finder, struct node *node, struct plan_seat seat)
{
	finder->lead_count = 0;
	if (seat.chunk == PLAN_WHOLE)
		node->is_vague = !follow_whole(finder, seat.file);
	else
		node->is_vague = !follow_words(finder, seat);
	sort_out_leads(finder);
	node->leads = arena_memdup(finder->plan->arena, finder->leads, finder->lead_count * sizeof(*node->leads));
	node->lead_count = finder->lead_count;
	node->is_resolved = true;
}

/* The header itself is in its key whole; what others need of it says what to show of it. */
static void need(struct finder *finder, size_t index, const struct plan_seat *seats, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct node *node;

		if (seats[i].file == index && seats[i].chunk == PLAN_WHOLE)
			continue;
		node = node_of(finder, seats[i]);
		if (node->stamp == finder->stamp)
			continue;
		node->stamp = finder->stamp;
		ARRAY_GROW(finder->found, finder->found_count, finder->found_capacity);
		finder->found[finder->found_count++] = seats[i];
	}
}

/* From the leads on, all that is found. Return: false if something cannot be told. */
static bool find_all(struct finder *finder, size_t index)
{
	finder->stamp++;
	finder->found_count = 0;
	need(finder, index, finder->leads, finder->lead_count);
	for (size_t i = 0; i < finder->found_count; i++) {
		struct node *node = node_of(finder, finder->found[i]);

		if (!node->is_resolved)
			resolve(finder, node, finder->found[i]);
		if (node->is_vague)
			return false;
		need(finder, index, node->leads, node->lead_count);
	}
	return true;
}

bool finder_of_header(struct finder *finder, size_t index)
{
	finder->found_count = 0;
	finder->lead_count = 0;
	return follow_imports(finder, finder->plan->files[index].text) && find_all(finder, index);
}

bool finder_of_chunk(struct finder *finder, struct plan_seat seat)
{
	struct node *node = node_of(finder, seat);

	if (!node->is_resolved)
		resolve(finder, node, seat);
	if (node->is_vague)
		return false;
	finder->lead_count = 0;
	for (size_t i = 0; i < node->lead_count; i++)
		lead_to(finder, node->leads[i].file, node->leads[i].chunk);
	return find_all(finder, SIZE_MAX);
}

bool finder_knows(struct finder *finder, uint64_t name)
{
	const struct known_name *known = know_name(finder, name);

	return known->count || known->is_own;
}

/* Texts that come later are not of this plan. */
static void find_places(struct finder *finder)
{
	const struct plan *plan = finder->plan;

	for (size_t i = 0; i < plan->count; i++)
		if (plan->files[i].text->number >= finder->place_count)
			finder->place_count = plan->files[i].text->number + 1;
	finder->places = arena_array(plan->arena, finder->place_count, sizeof(*finder->places));
	memset(finder->places, 0xff, finder->place_count * sizeof(*finder->places));
	for (size_t i = 0; i < plan->count; i++)
		finder->places[plan->files[i].text->number] = (uint32_t)i;
}

struct finder *finder_new(struct plan *plan)
{
	struct finder *finder = arena_alloc(plan->arena, sizeof(*finder));

	*finder = (struct finder){
		.plan = plan,
		.nodes = arena_array(plan->arena, plan->count, sizeof(*finder->nodes)),
		.wholes = arena_array(plan->arena, plan->count, sizeof(*finder->wholes)),
		.is_placed = arena_array(plan->arena, plan->count, sizeof(*finder->is_placed)),
	};
	for (size_t i = 0; i < plan->count; i++)
		finder->is_placed[i] = is_placed(&plan->files[i]);
	find_places(finder);
	find_sites(finder);
	return finder;
}

void finder_release(struct finder *finder)
{
	free(finder->sites);
	free(finder->names);
	free(finder->meanings);
	free(finder->found);
	free(finder->leads);
}
