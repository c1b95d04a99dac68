/*
 * cli/load_use.h - how the driver uses its fields, as its profile's other file says
 *
 * Layer L6.
 */
#ifndef CLI_LOAD_USE_H
#define CLI_LOAD_USE_H

#include "cli/cli.h"

/* load_use - of the built-in profile that @args names; none for any other. Lives in @arena. */
int load_use(struct use_rules *out, const struct cli_args *args, struct arena *arena, struct err *err);

#endif
