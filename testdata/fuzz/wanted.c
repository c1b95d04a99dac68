/* wanted - read an input file of gVisor's driver_ast_parser */
#include "lib/fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile_strings structs = { 0 }, constants = { 0 };
	char *text = fuzz_text(data, size);
	struct arena arena = { 0 };
	struct err err = { "" };

	if (json_read_wanted(&structs, &constants, text, size, "wanted.json", &arena, &err)) {
		fuzz_sentence(&err);
		MUST(!structs.count && !constants.count);
	}
	for (size_t i = 0; i < structs.count; i++)
		MUST(structs.item[i]);
	for (size_t i = 0; i < constants.count; i++)
		MUST(constants.item[i]);
	arena_release(&arena);
	free(text);
	return 0;
}
