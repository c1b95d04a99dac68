/* rs_entry - read the driver's list of classes that can be allocated */
#include "lib/source.h"

#include "extract/internal.h"

#include <stdlib.h>

static void check_names(struct view list)
{
	bool malformed = false;
	struct view name;

	while (view_cut_names(&name, &list, &malformed))
		MUST(name.length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rs_entries entries = { 0 };
	struct fuzz_source source;

	fuzz_source_begin(&source, data, size);
	rs_entry_scan(&entries, &source.file);
	for (size_t i = 0; i < entries.count; i++) {
		MUST(entries.items[i].name && *entries.items[i].name);
		MUST(entries.items[i].line);
		check_names(entries.items[i].flags);
		check_names(entries.items[i].access);
	}
	free(entries.items);
	fuzz_source_end(&source);
	return 0;
}
