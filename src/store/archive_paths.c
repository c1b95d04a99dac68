#include "store/archive_paths.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_DATA_DIRS "/usr/local/share:/usr/share"

struct archive_surroundings archive_surroundings(struct arena *arena)
{
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program));

	return (struct archive_surroundings){
		.program = length > 0 && (size_t)length < sizeof(program) ? arena_strndup(arena, program, (size_t)length) : NULL,
		.home = getenv("HOME"),
		.data_home = getenv("XDG_DATA_HOME"),
		.data_dirs = getenv("XDG_DATA_DIRS"),
	};
}

static void add(struct archive_paths *out, const char *path)
{
	if (out->count < ARCHIVE_PATHS_MAX)
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

static void add_beside_program(struct archive_paths *out, const char *profile, const char *program, struct arena *arena)
{
	const char *prefix;

	if (!is_absolute(program))
		return;
	prefix = parent_of(parent_of(program, arena), arena);
	add(out, arena_printf(arena, "%s/share/drvabi/%s.drvabi", prefix, profile));
	add(out, arena_printf(arena, "%s/data/%s.drvabi", prefix, profile));
}

static void add_data_dirs(struct archive_paths *out, const char *profile, const char *dirs, struct arena *arena)
{
	while (*dirs) {
		size_t length = strcspn(dirs, ":");

		if (*dirs == '/')
			add(out, arena_printf(arena, "%.*s/drvabi/%s.drvabi", (int)length, dirs, profile));
		dirs += length + (dirs[length] == ':');
	}
}

void archive_paths(struct archive_paths *out, const char *profile, const struct archive_surroundings *of, struct arena *arena)
{
	*out = (struct archive_paths){ .count = 0 };
	if (!*profile || *profile == '.' || strchr(profile, '/'))
		return;
	if (is_absolute(of->data_home))
		add(out, arena_printf(arena, "%s/drvabi/%s.drvabi", of->data_home, profile));
	else if (is_absolute(of->home))
		add(out, arena_printf(arena, "%s/.local/share/drvabi/%s.drvabi", of->home, profile));
	add_beside_program(out, profile, of->program, arena);
	add_data_dirs(out, profile, of->data_dirs && *of->data_dirs ? of->data_dirs : DEFAULT_DATA_DIRS, arena);
}
