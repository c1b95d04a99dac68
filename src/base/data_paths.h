/*
 * base/data_paths.h - where the files that come with drvabi may be
 *
 * Layer L0. These are archives and proxy tables. All paths are in the caller's arena. In this order:
 *   1. $XDG_DATA_HOME/drvabi (default: ~/.local/share/drvabi), where a user puts
 *      a newer one
 *   2. ../share/drvabi beside the directory of the program, so that an installation
 *      works wherever it was staged or moved to
 *   3. ../data beside that directory: the source tree, if the program is in build/
 *   4. drvabi/ in each of $XDG_DATA_DIRS (default: /usr/local/share, /usr/share)
 */
#ifndef BASE_DATA_PATHS_H
#define BASE_DATA_PATHS_H

#include "base/arena.h"

#include <stddef.h>

/* What the paths depend on; NULL for what is not set. */
struct data_surroundings {
	const char *program; /* path of the program, links resolved */
	const char *home, *data_home, *data_dirs;
};

/* data_surroundings - of this process; in @arena. */
struct data_surroundings data_surroundings(struct arena *arena);

enum { DATA_PATHS_MAX = 16 };

struct data_paths {
	const char *path[DATA_PATHS_MAX];
	size_t count;
};

/* data_paths - of the file called @name and @suffix, "nvidia" and ".drvabi"; none if @name is no file's. In @arena. */
void data_paths(struct data_paths *out, const char *name, const char *suffix, const struct data_surroundings *of, struct arena *arena);

#endif
