/*
 * cli/gen_client.h - gen --client
 *
 * Layer L6.
 */
#ifndef CLI_GEN_CLIENT_H
#define CLI_GEN_CLIENT_H

#include "cli/cli.h"

/* gen_client - append the program that makes the calls of a trace again. */
int gen_client(struct strbuf *out, const struct cli_args *args, struct err *err);

#endif
