/*
 * cli/against.h - which of the ioctls that were seen are another ABI in another version
 *
 * Layer L6. Shared by decode and sniff.
 */
#ifndef CLI_AGAINST_H
#define CLI_AGAINST_H

#include "decode/decode.h"
#include "report/report.h"

/**
 * against_render - compare what was seen, and say what differs
 * @is_other: set to whether an ioctl is another ABI
 * @scope:  asked and against are set
 * @format: "json", "markdown", or else text
 *
 * Return: 0; what decode_against() returns.
 */
int against_render(struct strbuf *out, bool *is_other, const struct decode_seen *seen, const struct decode_scope *scope, const char *format,
		   const struct report_style *style, struct err *err);

#endif
