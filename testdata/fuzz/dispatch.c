/* dispatch - read the driver's switch over its ioctl commands */
#include "lib/source.h"

#include "extract/internal.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const globs[] = { "ROUTE_*" };
	const struct profile_strings macros = { globs, 1 };
	struct dispatch dispatch = { .macros = &macros, .sources.is_known = true };
	struct fuzz_source source;

	fuzz_source_begin(&source, data, size);
	dispatch_scan(&dispatch, &source.file);
	MUST(dispatch.sources.count == 1);
	for (size_t i = 0; i < dispatch.label_count; i++) {
		MUST(*dispatch.labels[i].name);
		MUST(!strncmp(dispatch.labels[i].source, "t.c:", 4));
		MUST(sources_mention(&dispatch.sources, dispatch.labels[i].name, &source.arena));
	}
	MUST(!sources_mention(&dispatch.sources, "", &source.arena));
	fuzz_source_end(&source);
	return 0;
}
