#include "abi/json.h"

#include <cjson/cJSON.h>

const char *json_library(struct arena *arena)
{
	return arena_printf(arena, "cJSON %s", cJSON_Version());
}
