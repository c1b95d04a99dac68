/*
 * cli/decode_result.h - where decoded calls go: text, JSON or a summary, as they come
 *
 * Layer L6. Memory does not grow with the calls, but with the distinct ioctls of a summary.
 */
#ifndef CLI_DECODE_RESULT_H
#define CLI_DECODE_RESULT_H

#include "cli/cli.h"
#include "base/file.h"
#include "decode/decode.h"
#include "report/report.h"

enum decode_format { DECODE_TEXT, DECODE_JSON, DECODE_SUMMARY, DECODE_MARKDOWN, DECODE_AGAINST };

enum { DECODE_PASSED_MAX = 64 };

/* Text that goes into the result uncopied. */
struct decode_passed {
	const char *text;
	size_t length;
	size_t at; /* bytes of the result's @out that come before it */
};

struct decode_result {
	struct decode_scope scope; /* without a memo: what a summary holds outlives it */
	struct report_style style;
	enum decode_format format;
	const char *format_name;   /* of --format */
	struct strbuf out;         /* that is not yet in @file; callers may append */
	struct decode_passed passed[DECODE_PASSED_MAX]; /* likewise, in between */
	size_t passed_count;
	struct file_writer file;
	bool has_written;
	struct decode_summary summary;
	struct arena arena;        /* of the summary */
	size_t call_count;
	bool wrong;                /* decode_is_wrong() of a call; with --against, an ioctl is another ABI */
	struct decode_seen *seen;  /* with --against */
};

/* decode_result_open - Return: 0; ERR_IO of --output. */
int decode_result_open(struct decode_result *out, const struct decode_scope *scope, const struct cli_args *args, struct err *err);

/* decode_result_call - one more call. Return: 0; ERR_IO; what decode_call() returns. */
int decode_result_call(struct decode_result *result, const struct decode_call *call, struct err *err);

/* decode_result_render - what is told of a call itself; nothing for a summary. decode_result_rendered() takes it as often as the call is repeated. */
void decode_result_render(struct strbuf *out, const struct decode_result *result, const struct decode_call *call);
int decode_result_rendered(struct decode_result *result, const struct decode_call *call, const struct strbuf *text, struct err *err);

/* decode_result_pass - append @text, which must stay as it is until the next decode_result_flush(). */
void decode_result_pass(struct decode_result *result, const char *text, size_t length);

/* decode_result_flush - all that is there is written. Return: 0 or ERR_IO. */
int decode_result_flush(struct decode_result *result, struct err *err);

/* decode_result_finish - the summary, or what is another ABI, and the end. Return: 0 or ERR_IO; ERR_USAGE if it is not known what to compare; then a file that was named is as it was before. */
int decode_result_finish(struct decode_result *result, struct err *err);
void decode_result_release(struct decode_result *result);

/* decode_is_wrong - does --exit-code count it? */
bool decode_is_wrong(const struct decode_call *call);

#endif
