#include "store/archive.h"

#include "base/compress.h"

#include <xxhash.h>

const char *archive_libraries(struct arena *arena)
{
	unsigned number = XXH_versionNumber(); /* 801 is 0.8.1 */

	return arena_printf(arena, "zstd %s, xxhash %u.%u.%u", compress_version(), number / 10000, number / 100 % 100, number % 100);
}
