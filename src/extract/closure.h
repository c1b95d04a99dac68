/*
 * extract/closure.h - every file that a unit's headers may include
 *
 * Layer L2, inside extract/. clang is given the texts before it parses, so
 * what it may ask for is found first: from the profile's headers, along the
 * #include lines, by clang's own rules (the includer's directory for "x",
 * then the include directories in order). A superset is found, since
 * conditions are not evaluated; an include that leads nowhere is clang's to
 * complain about, for only clang knows whether it counts.
 */
#ifndef EXTRACT_CLOSURE_H
#define EXTRACT_CLOSURE_H

#include "abi/abi.h"
#include "extract/scan.h"

/* Where the tree seems to be when clang looks: below a file, so that no such path can exist on any disk. */
#define CLOSURE_ROOT "/dev/null/tree/"

struct closure_file;

struct closure {
	struct tree *tree;
	const struct profile_unit *unit;
	struct arena *arena;
	const struct profile_strings *roots; /* of the profile */
	bool is_excerpt;                     /* what clang does not need was left out already */
	bool is_sealed;                      /* a declaration behind each header shows that it left nothing open; see unit.h */
	const char **dirs;                   /* the unit's include directories, normalised */
	size_t dir_count;
	const char **headers;                /* what the unit's globs matched, in order, each once */
	size_t header_count;
	struct closure_file **files;         /* in the order in which they were found */
	size_t file_count, file_capacity;
	struct closure_file *by_path;        /* uthash; also holds paths that do not exist */
	bool inside_roots;                   /* every path looked at, there or not, lies below roots */
	/* Called for each #define and #undef of each file, once. */
	void (*define)(void *data, const struct closure_file *file, const struct scan_define *define);
	void (*undef)(void *data, struct view name);
	void *macro_data;
};

struct closure_file {
	const char *path;  /* in the tree; CLOSURE_ROOT stands before it in the same string */
	const char *text;  /* as clang is to see it; NULL if there is no such file */
	size_t size;
	size_t order;      /* index in closure->files */
	bool included;     /* set by parse_unit() */
	bool is_stand_in;  /* the tree has none: the text is the profile's */
};

/**
 * closure_load - find and read all files
 * @closure: tree, unit, arena, roots, define and undef are set, all else is zero
 *
 * Return: 0; ERR_NOT_FOUND if a header glob matches nothing; what the tree returned.
 * closure_release() is due in any case.
 */
int closure_load(struct closure *closure, struct err *err);
void closure_release(struct closure *closure);

/*
 * The same by hand, for a caller who knows the files: closure_begin() once,
 * closure_put() for each, then closure_scan() for those whose #define,
 * #undef or unusual #include lines matter, which are looked up in the tree.
 */
void closure_begin(struct closure *closure);
struct closure_file *closure_put(struct closure *closure, const char *path, const char *text, size_t size);
int closure_scan(struct closure *closure, struct closure_file *file, struct err *err);

/* closure_forget_texts - the texts are not needed any more; each is "" from now on, files stay known. */
void closure_forget_texts(struct closure *closure);

/* closure_name - what clang calls the file. */
static inline const char *closure_name(const struct closure_file *file)
{
	return file->path - (sizeof(CLOSURE_ROOT) - 1);
}

/* closure_find - the file that clang names @path, "/dev/null/a/../b.h"; NULL if the tree has no such file. */
struct closure_file *closure_find(struct closure *closure, const char *path);

/* closure_is_inside - does @path lie below one of the profile's roots? */
bool closure_is_inside(const struct profile_strings *roots, const char *path);

/* closure_dirs - a unit's include directories, normalised; in @arena. */
const char **closure_dirs(size_t *count, const struct profile_unit *unit, struct arena *arena);

/**
 * closure_match - the headers that the unit's globs match
 * @paths: malloc'd, also after an error; a header that two globs match is there twice
 *
 * Return: 0; ERR_NOT_FOUND if a glob matches nothing; what the tree returned.
 */
int closure_match(const char ***paths, size_t *count, struct tree *tree, const struct profile_unit *unit, struct err *err);

/* closure_no_header - ERR_NOT_FOUND for a header that was matched and is none. */
int closure_no_header(const struct tree *tree, const char *path, struct err *err);

/* closure_find_path - the file at @path in the tree; NULL. */
struct closure_file *closure_find_path(const struct closure *closure, const char *path);

/**
 * closure_normalise - "a/./b/../c.h" to "a/c.h"
 *
 * Return: the length written with a NUL to @out; 0 if the path is absolute,
 * leaves the tree, holds a NUL byte or does not fit.
 */
size_t closure_normalise(char *out, size_t out_size, const char *dir, size_t dir_length, struct view path);

#endif
