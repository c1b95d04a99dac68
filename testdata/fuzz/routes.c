/* routes - read the macro calls that define ioctls in a driver's source */
#include "lib/source.h"

#include "extract/internal.h"

static const char *const admin = "admin";
static const struct profile_route calls[] = {
	{ .name = "ENTRY", .ioctl = "\\1", .record = "Kms\\2Params", .prefix = "" },
	{ .name = "ENTRY_*", .ioctl = "\\1", .record = "\\9", .flags = { &admin, 1 }, .prefix = "" },
	{ .name = "DRM_*", .ioctl = "DRM_\\1", .words = "\\3", .prefix = "DRM_" },
};
static const struct profile_routes rules = { .calls = calls, .call_count = sizeof(calls) / sizeof(calls[0]) };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct routes routes = { .rules = &rules };
	struct fuzz_source source;

	fuzz_source_begin(&source, data, size);
	routes_scan(&routes, &source.file);
	for (const struct route *route = routes.by_ioctl; route; route = route->hh.next) {
		MUST(route->ioctl && *route->ioctl);
		MUST(route->source && *route->source);
		for (size_t j = 0; j < route->flags.count; j++)
			MUST(*route->flags.item[j]);
	}
	HASH_CLEAR(hh, routes.by_ioctl);
	fuzz_source_end(&source);
	return 0;
}
