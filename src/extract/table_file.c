#include "extract/table_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int table_paths_each(struct tree *tree, const struct profile_strings *globs,
		     int (*visit)(void *data, const char *path, struct err *err), void *data, struct err *err)
{
	const char **paths = NULL;
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; i < globs->count && !rc; i++)
		rc = tree->ops->glob(tree, globs->item[i], &paths, &count, err);
	for (size_t i = 0; i < count && !rc; i++)
		rc = visit(data, paths[i], err);
	free(paths);
	return rc ? rc : (int)count;
}

int table_file_read(struct tree *tree, const char *path, struct abi_builder *builder, struct arena *arena, table_scan scan,
		    void *data, struct err *err)
{
	struct table_file file = { .path = path, .builder = builder, .arena = arena };
	int rc;

	if ((rc = tree->ops->read(tree, path, &file.text, &file.size, err)))
		return rc;
	file.text = lexer_newlines(file.text, file.size, arena);
	scan(data, &file);
	tree_forget(tree, path);
	return 0;
}

/* One call of table_files_read(). */
struct reading {
	struct tree *tree;
	struct abi_builder *builder;
	struct arena *arena;
	table_scan scan;
	void *data;
};

static int read_path(void *data, const char *path, struct err *err)
{
	struct reading *reading = data;

	return table_file_read(reading->tree, path, reading->builder, reading->arena, reading->scan, reading->data, err);
}

int table_files_read(struct tree *tree, const struct profile_strings *globs, struct abi_builder *builder,
		     struct arena *arena, table_scan scan, void *data, struct err *err)
{
	struct reading reading = { tree, builder, arena, scan, data };

	return table_paths_each(tree, globs, read_path, &reading, err);
}

void table_file_warn(const struct table_file *file, unsigned line, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	abi_builder_warning(file->builder, line ? table_file_source(file, line) : arena_strdup(file->arena, file->path),
			    arena_strdup(file->arena, text));
}

const char *table_file_source(const struct table_file *file, unsigned line)
{
	return arena_printf(file->arena, "%s:%u", file->path, line);
}

const char *table_file_blank(const struct table_file *file)
{
	return lexer_blank((struct view){ file->text, file->size }, file->arena);
}

bool table_is_command_switch(struct view rest)
{
	const char *close = memchr(rest.at, ')', rest.length);
	struct view inside;

	if (!close || rest.at[0] != '(')
		return false;
	inside = view_trim((struct view){ rest.at + 1, (size_t)(close - rest.at) - 1 });
	return view_ends_with(inside, "cmd") && (inside.length == 3 || !view_is_word_char(inside.at[inside.length - 4]));
}
