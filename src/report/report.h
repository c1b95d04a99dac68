/*
 * report/report.h - results as a person, a pull request or a program wants them
 *
 * Layer L5: renders, never compares and never computes. Everything is
 * appended to a strbuf, which the caller writes.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "diff/diff.h"

struct ranges_choice;
struct suppressions;

struct report_style {
	bool color;   /* ANSI colours */
	bool verbose; /* nothing is folded or cut short */
	size_t columns; /* of the terminal; 0: 80, as where there is none */
};

/* A diff, and what its caller knows besides. */
struct diff_report {
	const struct diff *diff;
	const struct ranges_choice *choice;      /* which node of the table next may use; NULL: not asked */
	const struct suppressions *suppressions; /* lines of a file, after they were applied; NULL: no file */
	size_t suppressed_count;                 /* changes that they left out of the diff */
};

/* A diff: for a terminal, for a pull request (REPORT_DIFF_MARKDOWN_LIMIT characters at most), for a program ("drvabi-diff/1"). */
enum { REPORT_DIFF_MARKDOWN_LIMIT = 65536 }; /* of a comment, or the text of a pull request, on GitHub */
void report_diff_text(struct strbuf *out, const struct diff_report *report, const struct report_style *style);
void report_diff_markdown(struct strbuf *out, const struct diff_report *report);
void report_diff_json(struct strbuf *out, const struct diff_report *report);

/* One flat layout, as drvabi flatten prints it. */
void report_layout_text(struct strbuf *out, const struct abi_layout *layout, const struct report_style *style);

/*
 * What drvabi show prints: first which document it is of. @users: the ioctls that carry the record, and by
 * which records in between; may be empty.
 */
void report_origin_text(struct strbuf *out, const struct abi *abi);
void report_record_text(struct strbuf *out, const struct abi *abi, const struct abi_record *record,
			const struct abi_layout *layout, const struct diff_reach *users, size_t user_count,
			const struct report_style *style);
void report_alias_text(struct strbuf *out, const struct abi_alias *alias, const struct report_style *style);
void report_enum_text(struct strbuf *out, const struct abi_enum *one, const struct report_style *style);
void report_constant_text(struct strbuf *out, const struct abi_constant *constant, const struct report_style *style);
void report_ioctl_text(struct strbuf *out, const struct abi_ioctl *ioctl, const struct report_style *style);

/* The rest of what the room renders, a header for each. */
#include "report/blame.h"
#include "report/bootstrap.h"
#include "report/history.h"
#include "report/page.h"
#include "report/pids.h"
#include "report/ranges.h"
#include "report/show.h"
#include "report/decode.h"
#include "report/surface.h"
#include "report/verify.h"

#endif
