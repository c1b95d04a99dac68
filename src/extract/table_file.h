/*
 * extract/table_file.h - a file of the driver that is read as a table
 *
 * Layer L2, inside ioctls/. The driver's tables are in sources that do not
 * compile alone, so they are read as text (ctext/), and what is wrong with
 * one is a warning with the file's path and line.
 */
#ifndef EXTRACT_TABLE_FILE_H
#define EXTRACT_TABLE_FILE_H

#include "abi/abi.h"
#include "base/ctext.h"

/* A file that is being read, and where warnings about it go. */
struct table_file {
	const char *path;
	const char *text; /* NUL-terminated at text[size] */
	size_t size;
	struct abi_builder *builder;
	struct arena *arena;
};

typedef void (*table_scan)(void *data, const struct table_file *file);

/**
 * table_paths_each - call @visit for every file that one of @globs matches, in their order
 *
 * Return: how many there are; what the tree or @visit returned.
 */
int table_paths_each(struct tree *tree, const struct profile_strings *globs,
		     int (*visit)(void *data, const char *path, struct err *err), void *data, struct err *err);

/* table_file_read - call @scan with the file at @path. Return: 0, or what the tree returned. */
int table_file_read(struct tree *tree, const char *path, struct abi_builder *builder, struct arena *arena, table_scan scan,
		    void *data, struct err *err);

/**
 * table_files_read - call @scan with every file that one of @globs matches
 * @builder, @arena: for the files' warnings
 *
 * Return: how many there were, or what the tree returned.
 */
int table_files_read(struct tree *tree, const struct profile_strings *globs, struct abi_builder *builder,
		     struct arena *arena, table_scan scan, void *data, struct err *err);

/* table_file_warn - "path:line" and a finished sentence; line 0: the whole file. */
void table_file_warn(const struct table_file *file, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* table_file_source - "path:line", in the file's arena. */
const char *table_file_source(const struct table_file *file, unsigned line);

/* table_file_blank - the text without comments and the insides of literals; in the file's arena. */
const char *table_file_blank(const struct table_file *file);

/* table_is_command_switch - does @rest, the text behind "switch", begin with "(... cmd)"? */
bool table_is_command_switch(struct view rest);

#endif
