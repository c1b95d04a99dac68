/* embedded - read the driver's switch over the commands with embedded pointers */
#include "lib/source.h"

#include "extract/internal.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct macro macros[] = {
		{ .name = "CMD_A", .value = { 0x101, false }, .evaluated = true, .unit = "rm" },
		{ .name = "CMD_B", .value = { 0x102, false }, .evaluated = true, .unit = "rm" },
		{ .name = "CMD_UNKNOWN", .unit = "rm" },
	};
	const struct macro_index index = { macros, 3 };
	struct embedded_commands commands = { .macros = &index };
	struct fuzz_source source;

	fuzz_source_begin(&source, data, size);
	embedded_scan(&commands, &source.file);
	for (size_t i = 0; i < commands.count; i++) {
		MUST(commands.items[i] == 0x101 || commands.items[i] == 0x102);
		MUST(embedded_has(&commands, commands.items[i]));
	}
	fuzz_source_end(&source);
	return 0;
}
