#include "base/data_paths.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define DEFAULT_DATA_DIRS "/usr/local/share:/usr/share"

struct data_surroundings data_surroundings(struct arena *arena)
{
	char program[PATH_MAX];
	const char *started = (const char *)getauxval(AT_EXECFN); /* for a machine without /proc */
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program));

	if (length < 0 && started && realpath(started, program))
		length = (ssize_t)strlen(program);
	return (struct data_surroundings){
		.program = length > 0 && (size_t)length < sizeof(program) ? arena_strndup(arena, program, (size_t)length) : NULL,
		.home = getenv("HOME"),
		.data_home = getenv("XDG_DATA_HOME"),
		.data_dirs = getenv("XDG_DATA_DIRS"),
	};
}

static void add(struct data_paths *out, const char *path)
{
	if (out->count < DATA_PATHS_MAX)
		out->path[out->count++] = path;
}

/* The XDG specification: a relative path is to be ignored. */
static bool is_absolute(const char *path)
{
	return path && *path == '/';
}

/* @path without its last name; "" is the root. */
static const char *parent_of(const char *path, struct arena *arena)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : "";
}

static void add_beside_program(struct data_paths *out, const char *file, const char *program, struct arena *arena)
{
	const char *prefix;

	if (!is_absolute(program))
		return;
	prefix = parent_of(parent_of(program, arena), arena);
	add(out, arena_printf(arena, "%s/share/drvabi/%s", prefix, file));
	add(out, arena_printf(arena, "%s/data/%s", prefix, file));
}

static void add_data_dirs(struct data_paths *out, const char *file, const char *dirs, struct arena *arena)
{
	while (*dirs) {
		size_t length = strcspn(dirs, ":");

		if (*dirs == '/')
			add(out, arena_printf(arena, "%.*s/drvabi/%s", (int)length, dirs, file));
		dirs += length + (dirs[length] == ':');
	}
}

void data_paths(struct data_paths *out, const char *name, const char *suffix, const struct data_surroundings *of, struct arena *arena)
{
	const char *file = arena_printf(arena, "%s%s", name, suffix);

	*out = (struct data_paths){ .count = 0 };
	if (!*name || *name == '.' || strchr(name, '/'))
		return;
	if (is_absolute(of->data_home))
		add(out, arena_printf(arena, "%s/drvabi/%s", of->data_home, file));
	else if (is_absolute(of->home))
		add(out, arena_printf(arena, "%s/.local/share/drvabi/%s", of->home, file));
	add_beside_program(out, file, of->program, arena);
	add_data_dirs(out, file, of->data_dirs && *of->data_dirs ? of->data_dirs : DEFAULT_DATA_DIRS, arena);
}
