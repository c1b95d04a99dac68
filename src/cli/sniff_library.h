/*
 * cli/sniff_library.h - drvabi sniff --preload
 *
 * Layer L6.
 */
#ifndef CLI_SNIFF_LIBRARY_H
#define CLI_SNIFF_LIBRARY_H

#include "cli/sniff_log.h"
#include "sniff/sniff.h"

/* sniff_library_run - as sniff_run(), by the preloaded library, whose observer is @log. Return: 0; ERR_NOT_FOUND; ERR_IO. */
int sniff_library_run(struct sniff_result *out, const struct sniff_options *options, struct sniff_log *log, struct err *err);

#endif
