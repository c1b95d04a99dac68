/* deprecated - read the driver's table of deprecated commands that converter functions handle */
#include "lib/source.h"

#include "extract/internal.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct deprecated_commands commands = { .table = "table" };
	struct fuzz_source source;

	fuzz_source_begin(&source, data, size);
	deprecated_scan(&commands, &source.file);
	for (size_t i = 0; i < commands.count; i++) {
		const struct deprecated_command *command = &commands.items[i];

		MUST(command->ioctl.name && *command->ioctl.name);
		MUST(!strncmp(command->ioctl.source, "t.c:", 4));
		for (size_t flag = 0; flag < command->flags.count; flag++)
			MUST(command->flags.item[flag]);
		MUST(!command->body.length || strchr("} \t\n\v\f\r", command->body.at[command->body.length]));
		view_mention(command->body, "A_PARAMS");
	}
	fuzz_source_end(&source);
	return 0;
}
