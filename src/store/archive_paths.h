/*
 * store/archive_paths.h - where the archive that comes with drvabi may be
 *
 * Layer L3, internal to store/. All paths are in the caller's arena. In this order:
 *   1. $XDG_DATA_HOME/drvabi (default: ~/.local/share/drvabi), where a user puts
 *      a newer one
 *   2. ../share/drvabi beside the directory of the program, so that an installation
 *      works wherever it was staged or moved to
 *   3. ../data beside that directory: the source tree, if the program is in build/
 *   4. drvabi/ in each of $XDG_DATA_DIRS (default: /usr/local/share, /usr/share)
 */
#ifndef STORE_ARCHIVE_PATHS_H
#define STORE_ARCHIVE_PATHS_H

#include "base/base.h"

/* What the paths depend on; NULL for what is not set. */
struct archive_surroundings {
	const char *program; /* path of the program, links resolved */
	const char *home, *data_home, *data_dirs;
};

/* archive_surroundings - of this process; in @arena. */
struct archive_surroundings archive_surroundings(struct arena *arena);

enum { ARCHIVE_PATHS_MAX = 16 };

struct archive_paths {
	const char *path[ARCHIVE_PATHS_MAX];
	size_t count;
};

/* archive_paths - of the archive of a profile; none if its name is no file's. In @arena. */
void archive_paths(struct archive_paths *out, const char *profile, const struct archive_surroundings *of, struct arena *arena);

#endif
