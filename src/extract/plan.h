/*
 * extract/plan.h - one unit of one version, and what each of its files depends on
 *
 * Layer L2, inside extract/. The files are found as closure.h finds them, but
 * by digests, so that a text is read only if no version had it before.
 *
 * What clang makes of a file depends on the texts of
 *   - the files that it includes,
 *   - the files that give a meaning to a name that it speaks of,
 *   - where it may or may not be included, the files that would include it,
 *   - if it speaks of a macro that pastes names together, or counts each time
 *     that it is included, and that is more than once: all files,
 * and of what these depend on in turn; and on the order in which these come,
 * where one speaks of another without including it. All that is in the key
 * of its piece. So two versions that have the same key have the same piece,
 * whatever else they have.
 *
 * Most headers need little of what they include, and that seldom changes. So
 * where it is certain which files are read, and when, a key has not whole
 * files, but the chunks (digest.h) that give a meaning to the names that the
 * header speaks of, to those that these speak of, and so on, in the order in
 * which a preprocessor comes to them. It is a fine key, the other kind coarse.
 * A file that cannot be split into chunks is there whole, and with it all that
 * it includes.
 */
#ifndef EXTRACT_PLAN_H
#define EXTRACT_PLAN_H

#include "extract/closure.h"
#include "extract/share.h"

/* A chunk of a file of a plan; or all of it, where it has no chunks. */
struct plan_seat {
	uint32_t file;
	uint32_t chunk; /* or PLAN_WHOLE */
};

#define PLAN_WHOLE UINT32_MAX

struct plan_file {
	struct share_text *text;
	struct plan_target *targets; /* the files that it includes */
	size_t target_count;
	struct plan_link *links; /* the files that it depends on by a name */
	size_t link_count;
	uint64_t *includes;      /* bits: itself and all that it may include, at any depth */
	uint64_t *brings;        /* bits: of these, those that it includes whatever conditions say */
	uint64_t *reach;         /* bits: itself and all that it depends on */
	uint32_t *times;         /* when it comes to what stands behind so many of its #includes; as begins, but another clock */
	uint32_t begins, ends;   /* when a preprocessor comes to it at the latest, and has done with it; UINT32_MAX unless is_sure */
	uint32_t opener, ordinal; /* the file under which it begins, if it does, and by which #include; itself, if none is open then */
	bool is_root;            /* the profile names it */
	bool is_sure;            /* it is read whatever conditions say */
	bool is_repeated;        /* it counts more than once */
	bool depends_on_all;
	bool is_brought;         /* whether another one includes it, or what includes it, is not certain */
	bool has_rival;          /* another one has to do with its guard */
	bool is_in_place;        /* its fine key has been through plan_place() */
	bool is_fine;            /* its key knows which chunks of others it depends on: relevant */
	struct plan_seat *relevant;
	size_t relevant_count;
	struct share_key key;
};

/* plan_set_bit - put @bit into one of a plan's sets. */
static inline void plan_set_bit(uint64_t *bits, size_t bit)
{
	bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* plan_has_bit - is @bit in one of a plan's sets? */
static inline bool plan_has_bit(const uint64_t *bits, size_t bit)
{
	return bits[bit / 64] >> bit % 64 & 1;
}

struct plan_target {
	uint32_t file; /* by index */
	uint32_t ordinal; /* which of its #includes that is */
	bool is_certain;  /* whenever the includer is read */
};

struct plan_link {
	uint32_t file;
	uint32_t seen; /* this and what follows: as of a share_link */
	bool guard, unguards;
};

struct plan {
	struct extract_share *share;
	struct tree *tree;
	const struct profile_unit *unit;
	const struct profile_strings *roots;
	struct share_tools *tools;
	struct arena *arena;       /* for what lives as long as the plan */
	struct arena *share_arena; /* for what lives as long as the share */
	const char *target;        /* as of a document */
	uint64_t salt;
	struct plan_file *files;   /* in the order of closure->files */
	size_t count, capacity;
	size_t root_count;         /* the first so many files */
	size_t words;              /* of a set of bits */
	struct plan_path *paths;   /* uthash: each path that was looked up */
	const char **dirs;
	size_t dir_count;
	struct finder *finder;      /* what fine keys were found by; NULL: there are none */
	struct plan_coarse *coarse; /* what all coarse keys need; NULL until one is made */
	bool inside_roots;         /* as of a closure */
};

/**
 * plan_make - find all files and their keys
 * @plan: share, tree, unit, roots, tools, target and both arenas are set, all else is zero
 *
 * Return: 0; what the tree returned; ERR_NOT_FOUND if a header glob matches
 * nothing; ERR_LIMIT if this unit is none to be shared.
 * plan_release() is due in any case.
 */
int plan_make(struct plan *plan, struct err *err);
void plan_release(struct plan *plan);

/*
 * plan_chunk_key - what decides what one chunk of a file with a fine key declares
 * @column: in which it starts
 *
 * Between plan_begin_chunks() and plan_end_chunks(), which have names_lock.
 * Return: false if there is no such key.
 */
bool plan_chunk_key(struct share_key *key, struct plan *plan, struct plan_seat seat, uint32_t column);
void plan_begin_chunks(struct plan *plan);
void plan_end_chunks(struct plan *plan);

/* plan_coarsen - from now on a file has its coarse key. */
void plan_coarsen(struct plan *plan, size_t index);
/*
 * plan_place - from now on the fine key of a file has the texts of those that
 * have these hashes of paths, too: so it knows where in them things stand.
 */
void plan_place(struct plan *plan, size_t index, const uint64_t *paths, size_t count);

/**
 * plan_headers - the headers that must be parsed whole to have the pieces of some files
 * @headers: paths, in order; lives in the arena
 * @wanted:  by file
 *
 * Return: bits, by file: these and all that they include; lives in the arena.
 */
uint64_t *plan_headers(const char ***headers, size_t *count, const struct plan *plan, const bool *wanted);

/* plan_find - the index of a file; plan->count if there is no such file. */
size_t plan_find(const struct plan *plan, const char *path);

#endif
