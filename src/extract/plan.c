#include "extract/plan_parts.h"
#include "extract/unit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

/* A unit that has more files is read whole, as it is if it passes what follows. */
enum { FILES_MAX = 8192 };

/*
 * Includes in includes. clang ends at 200, and tells of it only if files are
 * read as they stand in each other, which they are not where few are read.
 */
enum { NESTED_MAX = 100 };

/* clang's own headers: so deep in each other, and so large, they are not. */
enum { OWN_NESTED_MAX = 16, OWN_BYTES_MAX = 1024 * 1024 };

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
	text.path_hash = XXH3_64bits(path, strlen(path));
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

static int own_header(struct plan *plan, const char *name, unsigned depth, struct err *err);

/* Names that it may include are looked for in the same place. */
static int own_includes(struct plan *plan, const struct digest *digest, unsigned depth, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < digest->include_count && !rc && depth < OWN_NESTED_MAX; i++)
		rc = own_header(plan, digest->includes[i].spelled.at, depth + 1, err);
	return rc;
}

static void note_macro(void *data, const struct scan_piece *piece)
{
	if (piece->is_define)
		hashes_add(data, digest_name(piece->name));
}

/* Half of what one of clang's own headers gives a meaning to: its macros, or all else. */
static void add_own(struct plan *plan, const struct share_text *whole, const struct hashes *macros, enum share_own own)
{
	struct share_text half = *whole;
	size_t count = 0;

	half.own = own;
	half.id[0] += own;
	half.digest.meanings = arena_array(plan->share_arena, whole->digest.meaning_count, sizeof(*half.digest.meanings));
	for (size_t i = 0; i < whole->digest.meaning_count; i++)
		if (hashes_have(macros, whole->digest.meanings[i].name) == (own == SHARE_OWN_MACROS))
			half.digest.meanings[count++] = whole->digest.meanings[i];
	half.digest.meaning_count = count;
	share_add_text(plan->share, half, plan->salt);
}

/*
 * An #include that leads to no file of the tree may lead to one of clang's
 * own headers. What these give a meaning to is made known: whoever speaks of
 * that may depend on who includes them first.
 */
static int own_header(struct plan *plan, const char *name, unsigned depth, struct err *err)
{
	struct share_text text = { .path = "" };
	struct strbuf path = { 0 }, file = { 0 };
	struct hashes macros = { 0 };
	uint64_t id[2];

	if (*name == '/' || strstr(name, ".."))
		return 0;
	share_text_id(text.id, plan->unit->name, name, "<>");
	memcpy(id, text.id, sizeof(id));
	id[0] += SHARE_OWN_OTHERS; /* the last that is added */
	if (share_find_text(plan->share, id))
		return 0;
	strbuf_addf(&path, "%s%s", unit_own_headers(), name);
	if (!*unit_own_headers() || file_read(&file, strbuf_text(&path), OWN_BYTES_MAX, NULL))
		strbuf_reset(&file); /* no such header: an error, if clang comes to it */
	text.path = arena_printf(plan->share_arena, "<%s>", name);
	text.path_hash = XXH3_64bits(text.path, strlen(text.path));
	macro_rules_enter(plan->tools->rules, text.path, plan->unit->name);
	digest_text(&text.digest, strbuf_text(&file), file.length, plan->tools->rules, plan->share_arena);
	scan_pieces(strbuf_text(&file), file.length, &macros, note_macro);
	add_own(plan, &text, &macros, SHARE_OWN_MACROS);
	add_own(plan, &text, &macros, SHARE_OWN_OTHERS);
	hashes_release(&macros);
	strbuf_release(&path);
	strbuf_release(&file);
	return own_includes(plan, &text.digest, depth, err);
}

/* Is it known what is defined before any text is read? It is asked only if an #include depends on that. */
static int find_predefined(struct plan *plan, struct err *err)
{
	struct hashes names = { 0 };
	bool is_asked = false, is_known;
	int rc;

	for (size_t i = 0; i < plan->count && !is_asked; i++)
		for (size_t n = 0; n < plan->files[i].text->digest.include_count && !is_asked; n++)
			is_asked = plan->files[i].text->digest.includes[n].unless;
	share_lock(plan->share);
	is_known = share_find_predefined(plan->share, plan->salt);
	share_unlock(plan->share);
	if (!is_asked || is_known)
		return 0;
	if ((rc = unit_predefined(&names, plan->unit, plan->target, err)))
		hashes_release(&names);
	else
		share_add_predefined(plan->share, plan->salt, names);
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
		if (!rc && targets[count].file == PLAN_NONE)
			rc = own_header(plan, text->digest.includes[i].spelled.at, 0, err);
		else
			count++;
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

static void find_keys(struct plan *plan)
{
	bool upset = false;

	for (size_t i = 0; i < plan->count; i++)
		upset |= plan->files[i].text->digest.upsets_chunks;
	if (!upset)
		plan_find_fine(plan);
	for (size_t i = 0; i < plan->count; i++)
		if (!plan->files[i].is_fine)
			plan_coarsen(plan, i);
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
	if (rc || (rc = check_files(plan, err)) || (rc = find_predefined(plan, err)))
		return rc;
	plan_find_links(plan);
	plan_find_includes(plan);
	plan_find_order(plan);
	if ((rc = plan_link_uncertain(plan, err)))
		return rc;
	plan_find_reach(plan);
	find_keys(plan);
	return 0;
}

void plan_release(struct plan *plan)
{
	HASH_CLEAR(hh, plan->paths);
	plan_forget_keys(plan);
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
