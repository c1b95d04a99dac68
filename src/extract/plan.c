#include "extract/plan_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <xxhash.h>

/* A unit that has more files is read whole, as it is if it passes what follows. */
enum { FILES_MAX = 8192 };

/*
 * Includes in includes. clang ends at 200, and tells of it only if files are
 * read as they stand in each other, which they are not where few are read.
 */
enum { NESTED_MAX = 100 };

struct plan_path {
	const char *path;
	uint32_t file; /* PLAN_NONE: the tree has no such file */
	UT_hash_handle hh;
};

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

/* @out: the file's index, or PLAN_NONE if there is none. */
static int find_file(uint32_t *out, struct plan *plan, const char *path, struct err *err)
{
	struct share_text *text;
	char content[41];
	uint64_t id[2];
	int rc;

	*out = PLAN_NONE;
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

	*out = PLAN_NONE;
	return length ? look_up(out, plan, path, length, err) : 0;
}

static int find_target(uint32_t *out, struct plan *plan, const char *path, const struct digest_include *include, struct err *err)
{
	const char *slash = strrchr(path, '/');
	int rc = 0;

	*out = PLAN_NONE;
	if (include->kind == SCAN_QUOTED)
		rc = look_in(out, plan, path, slash ? (size_t)(slash - path) : 0, include->spelled, err);
	for (size_t i = 0; i < plan->dir_count && !rc && *out == PLAN_NONE; i++)
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
		count += !rc && targets[count].file != PLAN_NONE;
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
		if (!rc && file == PLAN_NONE)
			rc = closure_no_header(plan->tree, paths[i], err);
		if (!rc)
			plan->files[file].is_root = plan->files[file].is_sure = true;
	}
	plan->root_count = plan->count;
	free(paths);
	return rc;
}

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
		uint64_t order = plan_order_of(plan, index, &file->links[l]);

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
			if (plan_has_bit(file->reach, other)) {
				sum[2] += hashes[other][0];
				sum[3] += hashes[other][1];
			}
		hash = XXH3_128bits(sum, sizeof(sum));
		file->key = (struct share_key){ { hash.low64, hash.high64 } };
	}
	XXH3_freeState(state);
	return 0;
}

static int check_files(const struct plan *plan, struct err *err)
{
	if (plan->count > FILES_MAX)
		return err_set(err, ERR_LIMIT, "more than %d files", FILES_MAX);
	if (plan_deepest(plan) > NESTED_MAX)
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
	plan_find_links(plan);
	plan_find_includes(plan);
	plan_find_order(plan);
	if ((rc = plan_link_uncertain(plan, err)))
		return rc;
	plan_find_reach(plan);
	return find_keys(plan, err);
}

void plan_release(struct plan *plan)
{
	HASH_CLEAR(hh, plan->paths);
	free(plan->files);
	plan->files = NULL;
	plan->count = plan->capacity = 0;
}

size_t plan_find(const struct plan *plan, const char *path)
{
	struct plan_path *known;

	HASH_FIND_STR(plan->paths, path, known);
	return known && known->file != PLAN_NONE ? known->file : plan->count;
}
