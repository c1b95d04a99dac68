/*
 * cli/gen_pid_shim.h - gen --pid-shim
 *
 * Layer L6.
 */
#ifndef CLI_GEN_PID_SHIM_H
#define CLI_GEN_PID_SHIM_H

#include "cli/cli.h"

/* gen_pid_shim - append the code that maps pids, of the versions that @args name. */
int gen_pid_shim(struct strbuf *out, const struct cli_args *args, struct err *err);

#endif
