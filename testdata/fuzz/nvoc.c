/* nvoc - read the method tables of the driver */
#include "lib/source.h"

#include "extract/internal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nvoc_methods methods = { 0 };
	struct fuzz_source source;

	fuzz_source_begin(&source, data, size);
	nvoc_scan(&methods, &source.file);
	for (size_t i = 0; i < methods.count; i++) {
		MUST(methods.items[i].func);
		MUST(!methods.items[i].params || *methods.items[i].params);
		MUST(!strncmp(methods.items[i].source, "t.c:", 4));
	}
	fuzz_source_end(&source);
	return 0;
}
