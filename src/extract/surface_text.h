/*
 * extract/surface_text.h - reading a driver's table as text
 *
 * Layer L2, inside extract/. The tables of the surface stand in sources that
 * do not compile alone, so they are read as text: line by line or, with the
 * comments blanked, character by character. Nothing here allocates but what
 * says so.
 */
#ifndef EXTRACT_SURFACE_TEXT_H
#define EXTRACT_SURFACE_TEXT_H

#include "abi/abi.h"

/* A file that is being read, and where warnings about it go. */
struct surface_file {
	const char *path;
	const char *text; /* NUL-terminated at text[size] */
	size_t size;
	struct abi_builder *builder;
	struct arena *arena;
};

/* A piece of a text, not NUL-terminated. */
struct surface_span {
	const char *at;
	size_t length;
};

/* Lines of a text, one after the other. */
struct surface_lines {
	const char *at; /* of the next line */
	const char *end;
	unsigned number; /* of the next line, from 1 */
};

/* What the branch of an #if means to the reader of a table. */
enum surface_branch {
	SURFACE_TAKEN,   /* compiled, as far as we care */
	SURFACE_SKIPPED, /* not compiled */
	SURFACE_PASSED,  /* not compiled, because an earlier branch of the same #if is */
	SURFACE_UNKNOWN, /* depends on how the driver is built */
};

/* The #ifs that a line stands under, outermost first. Those deeper than the array share its last element. */
enum { SURFACE_CONDITIONS_MAX = 32 };
struct surface_conditions {
	unsigned depth;
	enum surface_branch branch[SURFACE_CONDITIONS_MAX];
};

/**
 * surface_read_files - give every file that one of @globs matches to @take
 * @builder, @arena: for the files' warnings
 *
 * Return: how many there were, or what the tree returned.
 */
int surface_read_files(struct tree *tree, const struct profile_strings *globs, struct abi_builder *builder,
		       struct arena *arena, void (*take)(void *data, const struct surface_file *file), void *data,
		       struct err *err);

/* surface_read_file - the same for one file. Return: 0, or what the tree returned. */
int surface_read_file(struct tree *tree, const char *path, struct abi_builder *builder, struct arena *arena,
		      void (*take)(void *data, const struct surface_file *file), void *data, struct err *err);

/* surface_warn - "path:line" and a finished sentence; line 0: the whole file. */
void surface_warn(const struct surface_file *file, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* surface_source - "path:line", in the file's arena. */
const char *surface_source(const struct surface_file *file, unsigned line);

/* surface_next_line - the next line without the white space around it; false at the end. */
bool surface_next_line(struct surface_span *out, struct surface_lines *lines);

/**
 * surface_blank - a copy of @file's text in which comments and the insides of
 * literals are spaces
 *
 * Line ends stay where they are. Lives in the file's arena.
 */
const char *surface_blank(const struct surface_file *file);

struct surface_span surface_trim(struct surface_span span);
bool surface_is(struct surface_span span, const char *text);
/* surface_cut - if @span starts with @prefix, cut it and the white space after it off. */
bool surface_cut(struct surface_span *span, const char *prefix);
/* surface_cut_name - cut a C identifier and the white space after it off; false if there is none. */
bool surface_cut_name(struct surface_span *name, struct surface_span *span);
/* surface_number - all of @span as a C integer literal without a sign. */
bool surface_number(uint64_t *out, struct surface_span span);
/* surface_is_command_switch - does @rest, which stands behind "switch", begin with "(... cmd)"? */
bool surface_is_command_switch(struct surface_span rest);

/**
 * surface_condition - follow one preprocessor line
 * @line: starts with "#"
 * @opened: for an #if, #ifdef or #ifndef: what its first branch is to the caller
 *
 * Other directives change nothing.
 * Return: false for an #else, #elif or #endif that has no #if.
 */
bool surface_condition(struct surface_conditions *conditions, struct surface_span line, enum surface_branch opened);

/* surface_branch_of - the branch that the next line stands in: SURFACE_SKIPPED, else SURFACE_UNKNOWN, if any around it is. */
enum surface_branch surface_branch_of(const struct surface_conditions *conditions);

static inline bool surface_is_name_char(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
}

static inline bool surface_is_space(char ch)
{
	return ch == ' ' || (ch >= '\t' && ch <= '\r');
}

#endif
