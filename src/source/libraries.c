#include "source/source.h"

#include <git2.h>
#include <zlib.h>

const char *source_libraries(struct arena *arena)
{
	int major, minor, revision;

	git_libgit2_version(&major, &minor, &revision);
	return arena_printf(arena, "libgit2 %d.%d.%d, zlib %s", major, minor, revision, zlibVersion());
}
