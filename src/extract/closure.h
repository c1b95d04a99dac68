/*
 * extract/closure.h - the files of a tree that clang is shown
 *
 * Layer L2, inside extract/. clang is given the texts before it parses. Which
 * ones it will ask for is guessed first, from the profile's headers along the
 * #include lines; conditions are not evaluated, so this is mostly a superset.
 * It is a hint and nothing more: what a parse looked for and did not have is
 * added by closure_include(), and the unit is parsed again (unit.c).
 */
#ifndef EXTRACT_CLOSURE_H
#define EXTRACT_CLOSURE_H

#include "abi/abi.h"
#include "extract/hints.h"

/* Where the tree seems to be when clang looks: below a file, so that no such path can exist on any disk. */
#define CLOSURE_ROOT "/dev/null/tree/"

struct closure_file;

struct closure {
	struct tree *tree;
	const struct profile_unit *unit;
	struct arena *arena;
	const struct profile_strings *roots; /* of the profile */
	const char *target;                  /* "x86_64-linux-gnu" */
	const char **dirs;                   /* the unit's include directories for it, normalised */
	size_t dir_count;
	const char **headers;                /* what the unit's globs matched, in order, each once */
	size_t header_count;
	struct closure_unreadable *unreadable; /* headers that were left out; as many as there were headers may be here */
	size_t unreadable_count;
	struct closure_file **files;         /* in the order in which they were found */
	size_t file_count, file_capacity;
	size_t scanned;                      /* of these files, so many were scanned for hints */
	struct closure_file *by_path;        /* uthash; also holds paths that do not exist */
	struct closure_difference *differences; /* of the last parse */
	size_t difference_count, difference_capacity;
	bool inside_roots;                   /* every path looked at, there or not, lies below roots */
	struct macro_rules *rules;           /* what hints are to tell of macros */
	struct memo *memo;           /* that remembers hints; may be NULL */
};

/* A header that clang cannot read, of a unit that goes on without it. */
struct closure_unreadable {
	const char *header;
	const char *place; /* of the first error */
	const char *text;
};

/* Where gcc takes the headers in another way than clang. */
struct closure_difference {
	const char *place, *text;
};

struct closure_file {
	const char *path;  /* in the tree; CLOSURE_ROOT is before it in the same string */
	const char *real;  /* the path after all links; files are compared by it, since clang has many names for one file */
	size_t inode;      /* order of the first file with the same @real: to clang they are one */
	const char *text;  /* NUL-terminated at text[size]; NULL if there is no such file */
	size_t size;
	const struct hints *hints; /* NULL: it was not scanned yet */
	size_t order;      /* index in closure->files */
	bool included;     /* clang read it; set by unit_parse() */
	bool is_stand_in;  /* the tree has none: the text is the profile's */
	bool is_expected;  /* a stand-in for what the driver never has */
	const char *through; /* of closure->headers, the one that included it first; itself, if it is one; NULL: the prologue; set by unit_parse() */
};

/**
 * closure_load - find and read the files that the headers may include
 * @closure: tree, unit, arena, roots, rules and memo are set, all else is zero
 *
 * Return: 0; ERR_NOT_FOUND if a header glob matches nothing; what the tree returned.
 * closure_release() is due in any case.
 */
int closure_load(struct closure *closure, struct err *err);
void closure_release(struct closure *closure);

/**
 * closure_include - add the files that an include of @spelled in the file @includer may name
 * @includer: a path in the tree; NULL: a file that is not the tree's
 *
 * Every directory that clang could look in is tried, whatever the order: clang chooses.
 * Files that are new are scanned in turn. Return: 0; what the tree returned.
 */
int closure_include(struct closure *closure, const char *includer, struct view spelled, struct err *err);

/* closure_differs - note a difference. Strings are in the closure's arena. */
void closure_differs(struct closure *closure, const char *place, const char *text);

/* closure_name - what clang calls the file. */
static inline const char *closure_name(const struct closure_file *file)
{
	return file->path - (sizeof(CLOSURE_ROOT) - 1);
}

/*
 * closure_find - the file that clang names @path, "/dev/null/tree/a/../b.h"; NULL if it is not in the closure
 *
 * Of several paths to one file, the first.
 */
struct closure_file *closure_find(const struct closure *closure, const char *path);

#endif
