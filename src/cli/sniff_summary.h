/*
 * cli/sniff_summary.h - what a workload asked of the driver
 *
 * Layer L6.
 */
#ifndef CLI_SNIFF_SUMMARY_H
#define CLI_SNIFF_SUMMARY_H

#include "cli/sniff_log.h"

/* sniff_summary - decode's summary of all calls, then what the proxy does with them. With --quiet only what it does not support.
 * With --against, last, which of them are another ABI in that version. */
int sniff_summary(struct strbuf *out, const struct sniff_log *log, struct err *err);

#endif
