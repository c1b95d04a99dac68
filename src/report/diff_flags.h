/*
 * report/diff_flags.h - what changed of an ioctl besides its name, number and parameters, in words
 *
 * Private to report/.
 */
#ifndef REPORT_DIFF_FLAGS_H
#define REPORT_DIFF_FLAGS_H

#include "abi/abi.h"
#include "report/report.h"

/* report_access_words - "privileged -> non-privileged", "+right nice -internal-only"; nothing if @change is not of the class. */
void report_access_words(struct strbuf *out, const struct diff_change *change);

/* report_flags_words - "+cacheable -no-gpus-lock"; nothing if @change is not of the class. */
void report_flags_words(struct strbuf *out, const struct diff_change *change);

/*
 * report_argument_words - "unsigned int[5] -> char[20]"; nothing if both versions have the same, or if that is the parameter record
 *
 * report_match_words - how the driver knows the number: "the whole number -> type and nr"; nothing if that is the same
 */
void report_argument_words(struct strbuf *out, const struct diff_change *change);
void report_match_words(struct strbuf *out, const struct diff_change *change);

/* report_flags_text - for a terminal: a line for each of these, "access: …", broken at 80 columns. */
void report_flags_text(struct strbuf *out, const struct diff_change *change);

/*
 * report_only_flags - a change that reports fold: of flags that decide nothing about who may call, and nothing else
 *
 * That the driver now follows pointers in the parameters, or no more, is told each time.
 */
bool report_only_flags(const struct diff_change *change);

/*
 * report_flags_fold - a line that says how many of such changes are not listed; nothing for 0
 * @what: "forwarded ioctl", in the singular
 * @hint: ends the line: " (-v lists them)"
 */
void report_flags_fold(struct strbuf *out, size_t count, const char *what, const char *hint);

/* report_json_flags - the keys access_added, access_removed, rights_added and so on, as far as there is something below them. */
void report_json_flags(struct json_writer *writer, const struct diff_change *change);

#endif
