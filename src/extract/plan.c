#include "extract/plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <xxhash.h>

#define NONE UINT32_MAX

/* Of files, and of links that uncertain includes add: a unit that has more is read whole, as it is if it passes what follows. */
enum { FILES_MAX = 8192, MORE_LINKS_MAX = 1024 * 1024 };

/*
 * Includes in includes. clang ends at 200, and tells of it only if files are
 * read as they stand in each other, which they are not where few are read.
 */
enum { NESTED_MAX = 100 };

struct plan_path {
	const char *path;
	uint32_t file; /* NONE: the tree has no such file */
	UT_hash_handle hh;
};

/* When a preprocessor would begin and end each file, with some of the headers. */
struct order {
	uint32_t *begins, *ends; /* NONE: never */
};

/* --- the files -------------------------------------------------------------- */

static uint32_t add_file(struct plan *plan, struct share_text *text)
{
	ARRAY_GROW(plan->files, plan->count, plan->capacity);
	plan->files[plan->count] = (struct plan_file){ .text = text };
	return (uint32_t)plan->count++;
}

static int read_text(struct share_text **out, struct plan *plan, const char *path, const uint64_t id[2], struct err *err)
{
	struct share_text text = { .id = { id[0], id[1] } };
	const char *bytes;
	size_t size;
	int rc;

	if ((rc = plan->tree->ops->read(plan->tree, path, &bytes, &size, err)))
		return rc;
	text.path = arena_strdup(plan->share_arena, path);
	macro_rules_enter(plan->tools->rules, text.path, plan->unit->name);
	digest_text(&text.digest, bytes, size, plan->tools->rules, plan->share_arena);
	*out = share_add_text(plan->share, text, plan->salt);
	return 0;
}

/* @out: the file's index, or NONE if there is none. */
static int find_file(uint32_t *out, struct plan *plan, const char *path, struct err *err)
{
	struct share_text *text;
	char content[41];
	uint64_t id[2];
	int rc;

	*out = NONE;
	rc = plan->tree->ops->id(plan->tree, path, content, err);
	if (rc)
		return rc == ERR_NOT_FOUND ? 0 : rc;
	share_text_id(id, plan->unit->name, path, content);
	text = share_find_text(plan->share, id);
	if (!text && (rc = read_text(&text, plan, path, id, err)))
		return rc == ERR_NOT_FOUND ? 0 : rc;
	*out = add_file(plan, text);
	return 0;
}

static int look_up(uint32_t *out, struct plan *plan, const char *path, size_t length, struct err *err)
{
	struct plan_path *known;
	int rc;

	HASH_FIND(hh, plan->paths, path, length, known);
	if (!known) {
		known = arena_alloc(plan->arena, sizeof(*known));
		known->path = arena_strndup(plan->arena, path, length);
		HASH_ADD_KEYPTR(hh, plan->paths, known->path, length, known);
		if (!closure_is_inside(plan->roots, known->path))
			plan->inside_roots = false;
		if ((rc = find_file(&known->file, plan, known->path, err)))
			return rc;
	}
	*out = known->file;
	return 0;
}

static int look_in(uint32_t *out, struct plan *plan, const char *dir, size_t dir_length, struct view spelled, struct err *err)
{
	char path[PATH_MAX];
	size_t length = closure_normalise(path, sizeof(path), dir, dir_length, spelled);

	*out = NONE;
	return length ? look_up(out, plan, path, length, err) : 0;
}

static int find_target(uint32_t *out, struct plan *plan, const char *path, const struct digest_include *include, struct err *err)
{
	const char *slash = strrchr(path, '/');
	int rc = 0;

	*out = NONE;
	if (include->kind == SCAN_QUOTED)
		rc = look_in(out, plan, path, slash ? (size_t)(slash - path) : 0, include->spelled, err);
	for (size_t i = 0; i < plan->dir_count && !rc && *out == NONE; i++)
		rc = look_in(out, plan, plan->dirs[i], strlen(plan->dirs[i]), include->spelled, err);
	return rc;
}

/* plan->files moves while files are found. */
static int find_targets(struct plan *plan, size_t index, struct err *err)
{
	const struct share_text *text = plan->files[index].text;
	struct plan_target *targets = arena_array(plan->arena, text->digest.include_count, sizeof(*targets));
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; i < text->digest.include_count && !rc; i++) {
		rc = find_target(&targets[count].file, plan, text->path, &text->digest.includes[i], err);
		targets[count].is_certain = text->digest.includes[i].is_plain;
		targets[count].ordinal = (uint32_t)i;
		count += !rc && targets[count].file != NONE;
	}
	plan->files[index].targets = targets;
	plan->files[index].target_count = count;
	return rc;
}

static int find_headers(struct plan *plan, struct err *err)
{
	const char **paths = NULL;
	size_t count = 0;
	uint32_t file;
	int rc;

	rc = closure_match(&paths, &count, plan->tree, plan->unit, err);
	for (size_t i = 0; i < count && !rc; i++) {
		rc = look_up(&file, plan, paths[i], strlen(paths[i]), err);
		if (!rc && file == NONE)
			rc = closure_no_header(plan->tree, paths[i], err);
		if (!rc)
			plan->files[file].is_root = plan->files[file].is_sure = true;
	}
	plan->root_count = plan->count;
	free(paths);
	return rc;
}

/* --- what depends on what --------------------------------------------------- */

static bool has_bit(const uint64_t *bits, size_t bit)
{
	return bits[bit / 64] >> bit % 64 & 1;
}

static void set_bit(uint64_t *bits, size_t bit)
{
	bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

static bool add_bits(uint64_t *to, const uint64_t *from, size_t words)
{
	uint64_t added = 0;

	for (size_t i = 0; i < words; i++) {
		added |= from[i] & ~to[i];
		to[i] |= from[i];
	}
	return added;
}

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

/* Another one may define its guard: then it is not certain that what stands in it counts. */
static bool is_guarded_alone(const struct plan_file *file)
{
	for (size_t l = 0; l < file->link_count; l++)
		if (file->links[l].guard)
			return false;
	return true;
}

/* Does it count once at most? Not if another one may undefine its guard. */
static bool is_guarded(const struct plan_file *file)
{
	for (size_t l = 0; l < file->link_count; l++)
		if (file->links[l].unguards)
			return false;
	return file->text->digest.is_guarded;
}

static void settle_targets(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		for (size_t t = 0; t < plan->files[i].target_count && !is_guarded_alone(&plan->files[i]); t++)
			plan->files[i].targets[t].is_certain = false;
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

			if (times[i] < 2 || file->is_repeated || is_guarded(file))
				continue;
			found = file->is_repeated = file->depends_on_all = true;
			for (size_t t = 0; t < file->target_count; t++)
				times[file->targets[t].file]++;
		}
	}
}

static void find_links(struct plan *plan)
{
	uint32_t stamp;

	share_lock(plan->share);
	stamp = ++plan->share->stamp;
	for (size_t i = 0; i < plan->count; i++) {
		plan->files[i].text->stamp = stamp;
		plan->files[i].text->place = (uint32_t)i;
	}
	for (size_t i = 0; i < plan->count; i++)
		take_links(plan, &plan->files[i], stamp);
	share_unlock(plan->share);
	settle_targets(plan);
	spread_certainty(plan);
	find_repeated(plan);
}

/* Walk through @headers, as a preprocessor does that reads every file once, and includes nothing that is not certain. */
static void walk_order(const struct plan *plan, const uint32_t *headers, size_t count, struct order *order)
{
	struct { uint32_t file, next; } *stack = xmalloc((plan->count + 1) * sizeof(*stack));
	uint32_t begun = 0, ended = 0;
	size_t depth = 0;

	for (size_t i = 0; i < plan->count; i++)
		order->begins[i] = order->ends[i] = NONE;
	for (size_t i = 0; i < count; i++) {
		uint32_t next = headers[i];

		for (;;) {
			const struct plan_target *target;

			if (next != NONE && order->begins[next] == NONE) {
				order->begins[next] = begun++;
				stack[depth].file = next;
				stack[depth++].next = 0;
			}
			while (depth && stack[depth - 1].next == plan->files[stack[depth - 1].file].target_count)
				order->ends[stack[--depth].file] = ended++;
			if (!depth)
				break;
			target = &plan->files[stack[depth - 1].file].targets[stack[depth - 1].next++];
			next = target->is_certain ? target->file : NONE;
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

static void find_order(struct plan *plan)
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

/* Links in the making; malloc'd. */
struct link_list {
	struct plan_link *link;
	size_t count, capacity;
	uint64_t *has; /* bits: the files that are linked */
};

/* The links of all files, and who may bring each. */
struct linking {
	const struct plan *plan;
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
	if (!has_bit(list->has, link.file)) {
		set_bit(list->has, link.file);
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

/* Has every preprocessor done with @target before it comes to @file? Then it does not matter whether @file includes it. */
static bool is_done_before(const struct plan_file *file, const struct plan_file *target)
{
	return file->is_sure && target->is_sure && is_guarded(target) && target->ends < file->begins;
}

static void note_bringer(struct linking *linking, size_t bringer, size_t brought, uint32_t ordinal)
{
	const struct plan_file *files = linking->plan->files;

	if (is_done_before(&files[bringer], &files[brought])) {
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
				if (has_bit(plan->files[target->file].includes, other) && other != i)
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

static int link_uncertain(struct plan *plan, struct err *err)
{
	struct linking linking = {
		.plan = plan,
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
					found |= add_bits(bits_of(file, which), bits_of(&plan->files[file->targets[t].file], which), plan->words);
			for (size_t l = 0; which == BITS_REACH && l < file->link_count; l++)
				found |= add_bits(file->reach, plan->files[file->links[l].file].reach, plan->words);
		}
	}
}

static void find_includes(struct plan *plan)
{
	uint64_t *bits;

	plan->words = (plan->count + 63) / 64;
	bits = arena_array(plan->arena, 3 * plan->count, plan->words * sizeof(*bits));
	for (size_t i = 0; i < plan->count; i++) {
		struct plan_file *file = &plan->files[i];

		file->includes = bits + 3 * i * plan->words;
		file->brings = file->includes + plan->words;
		file->reach = file->brings + plan->words;
		set_bit(file->includes, i);
		set_bit(file->brings, i);
		set_bit(file->reach, i);
	}
	spread_bits(plan, BITS_INCLUDES);
	spread_bits(plan, BITS_BRINGS);
}

static void find_reach(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		for (size_t other = 0; plan->files[i].depends_on_all && other < plan->count; other++)
			set_bit(plan->files[i].reach, other);
	spread_bits(plan, BITS_REACH);
}

/*
 * What a link says of the order. If the other one is included, only whether
 * it came before; and only where a name of it is spoken of before that
 * #include does that make a difference.
 */
enum { ORDER_SAME = 0, ORDER_KNOWN = 1, ORDER_BEGAN_BEFORE = 2, ORDER_ENDED_BEFORE = 4 };

static bool is_spoken_of_before(const struct plan *plan, const struct plan_file *file, const struct plan_link *link)
{
	for (size_t t = 0; t < file->target_count; t++)
		if (file->targets[t].is_certain && has_bit(plan->files[file->targets[t].file].brings, link->file))
			return link->seen <= file->targets[t].ordinal;
	return true;
}

static unsigned order_of(const struct plan *plan, size_t index, const struct plan_link *link, const struct order *order)
{
	const struct plan_file *file = &plan->files[index], *other = &plan->files[link->file];
	bool is_included = has_bit(file->brings, link->file);
	bool began = order ? order->begins[link->file] < order->begins[index] : other->begins < file->begins;
	bool ended = order ? order->ends[link->file] < order->ends[index] : other->ends < file->ends;

	if (is_included && !is_spoken_of_before(plan, file, link))
		return ORDER_SAME;
	return ORDER_KNOWN | (began ? ORDER_BEGAN_BEFORE : 0) | (!is_included && ended ? ORDER_ENDED_BEFORE : 0);
}

/* --- keys ------------------------------------------------------------------- */

static void hash_file(uint64_t half[2], const struct plan *plan, size_t index, XXH3_state_t *state)
{
	const struct plan_file *file = &plan->files[index];
	const bool how[] = { file->is_sure, file->is_repeated };
	XXH128_hash_t hash;

	XXH3_128bits_reset(state);
	XXH3_128bits_update(state, file->text->id, sizeof(file->text->id));
	XXH3_128bits_update(state, how, sizeof(how));
	for (size_t t = 0; t < file->target_count; t++)
		XXH3_128bits_update(state, plan->files[file->targets[t].file].text->id, sizeof(file->text->id));
	for (size_t l = 0; l < file->link_count; l++) {
		uint64_t order = order_of(plan, index, &file->links[l], NULL);

		if (order == ORDER_SAME)
			continue;
		XXH3_128bits_update(state, plan->files[file->links[l].file].text->id, sizeof(file->text->id));
		XXH3_128bits_update(state, &order, sizeof(order));
	}
	if (file->depends_on_all)
		for (size_t i = 0; i < plan->count; i++)
			XXH3_128bits_update(state, &plan->files[i].begins, sizeof(plan->files[i].begins));
	hash = XXH3_128bits_digest(state);
	half[0] = hash.low64;
	half[1] = hash.high64;
}

/* A sum, since what a file depends on has no order but that which is hashed with each. */
static int find_keys(struct plan *plan, struct err *err)
{
	uint64_t (*hashes)[2] = arena_array(plan->arena, plan->count, sizeof(*hashes));
	XXH3_state_t *state = XXH3_createState();

	if (!state)
		return err_set(err, ERR_LIMIT, "there is no memory to hash with");
	for (size_t i = 0; i < plan->count; i++)
		hash_file(hashes[i], plan, i, state);
	for (size_t i = 0; i < plan->count; i++) {
		struct plan_file *file = &plan->files[i];
		uint64_t sum[4] = { file->text->id[0], file->text->id[1], 0, 0 };
		XXH128_hash_t hash;

		for (size_t other = 0; other < plan->count; other++)
			if (has_bit(file->reach, other)) {
				sum[2] += hashes[other][0];
				sum[3] += hashes[other][1];
			}
		hash = XXH3_128bits(sum, sizeof(sum));
		file->key = (struct share_key){ { hash.low64, hash.high64 } };
	}
	XXH3_freeState(state);
	return 0;
}

/* How many files may stand in each other, one that stands in itself left out. */
static size_t deepest(const struct plan *plan)
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

static int check_files(const struct plan *plan, struct err *err)
{
	if (plan->count > FILES_MAX)
		return err_set(err, ERR_LIMIT, "more than %d files", FILES_MAX);
	if (deepest(plan) > NESTED_MAX)
		return err_set(err, ERR_LIMIT, "includes in includes, more than %d deep", NESTED_MAX);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->files[i].text->digest.odd)
			return err_set(err, ERR_LIMIT, "%s: %s", plan->files[i].text->path, plan->files[i].text->digest.odd);
	return 0;
}

int plan_make(struct plan *plan, struct err *err)
{
	int rc;

	plan->inside_roots = true;
	plan->salt = XXH3_64bits(plan->unit->name, strlen(plan->unit->name));
	if (plan->unit->prologue.count || plan->unit->stand_in_count)
		return err_set(err, ERR_LIMIT, "a unit with a prologue or stand-ins is not shared");
	plan->dirs = closure_dirs(&plan->dir_count, plan->unit, plan->arena);
	rc = find_headers(plan, err);
	for (size_t i = 0; i < plan->count && !rc; i++)
		rc = find_targets(plan, i, err);
	if (rc || (rc = check_files(plan, err)))
		return rc;
	find_links(plan);
	find_includes(plan);
	find_order(plan);
	if ((rc = link_uncertain(plan, err)))
		return rc;
	find_reach(plan);
	return find_keys(plan, err);
}

void plan_release(struct plan *plan)
{
	HASH_CLEAR(hh, plan->paths);
	free(plan->files);
	plan->files = NULL;
	plan->count = plan->capacity = 0;
}

/* --- what to parse ---------------------------------------------------------- */

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

		if (!has_bit(needed, i))
			continue;
		if ((file->is_sure && order.begins[i] == NONE) || file->depends_on_all)
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

		for (size_t l = 0; has_bit(needed, i) && l < file->link_count; l++)
			if (has_bit(file->brings, file->links[l].file) && order_of(plan, i, &file->links[l], NULL) == ORDER_KNOWN)
				set_bit(nested, file->links[l].file);
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

		for (size_t t = 0; has_bit(needed, i) && file->is_sure && t < file->target_count; t++) {
			const uint64_t *brought = plan->files[file->targets[t].file].brings;

			if (!file->targets[t].is_certain) {
				is_behind = true;
				continue;
			}
			for (size_t other = 0; is_behind && other < plan->count; other++)
				if (has_bit(brought, other) && plan->files[other].begins > file->begins)
					set_bit(nested, other);
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
		if (!plan->files[i].is_root && !is_guarded(&plan->files[i]))
			set_bit(nested, i);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->files[i].is_sure) {
			by_end[plan->files[i].ends] = (uint32_t)i;
			ended++;
		}
	for (size_t i = 0; i < ended; i++)
		if (has_bit(needed, by_end[i]) && !has_bit(nested, by_end[i]))
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
			add_bits(needed, plan->files[i].reach, plan->words);
	file_count = order_needed(files, plan, needed);
	if (!is_same_order(plan, files, file_count, needed))
		for (file_count = 0; file_count < plan->root_count; file_count++)
			files[file_count] = (uint32_t)file_count;
	list_headers(headers, count, plan, files, file_count);
	memset(needed, 0, plan->words * sizeof(*needed));
	for (size_t i = 0; i < file_count; i++)
		add_bits(needed, plan->files[files[i]].includes, plan->words);
	return needed;
}

size_t plan_find(const struct plan *plan, const char *path)
{
	struct plan_path *known;

	HASH_FIND_STR(plan->paths, path, known);
	return known && known->file != NONE ? known->file : plan->count;
}
