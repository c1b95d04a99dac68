/*
 * report/diff_renamed.h - names: what was renamed together with an ioctl, and who had its number before
 *
 * Private to report/.
 */
#ifndef REPORT_DIFF_RENAMED_H
#define REPORT_DIFF_RENAMED_H

#include "report/report.h"

/*
 * report_renamed_with_words - one of the changes that are told under a renamed ioctl, each fact of it begun by @separator:
 * "; instrumentationType renamed from covType"
 */
void report_renamed_with_words(struct strbuf *out, const struct diff_change *one, const char *separator);

/*
 * report_former_owner - where the ioctl went that had the number of @change before: "(now 0x20801359)", "(removed)"
 *
 * An ioctl that went does not tell who has its number now: that one tells it.
 */
void report_former_owner(struct strbuf *out, const struct diff_change *change);

/**
 * report_former_number - what number_was is about: "the number", or "nr 0x20" where the driver looks at no more of it
 *
 * Return: @buffer, or a constant.
 */
const char *report_former_number(const struct diff_change *change, char buffer[16]);

#endif
