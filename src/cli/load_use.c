#include "cli/load_use.h"

#include "abi/abi.h"
#include "extract/profile.h"

#include <string.h>

int load_use(struct use_rules *out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	const char *text = profile_builtin_use(args->profile);

	*out = (struct use_rules){ .pids = { 0 } };
	return text ? json_read_use(out, text, strlen(text), args->profile, arena, err) : 0;
}
