#include "cli/decode_result.h"

#include "cli/against.h"
#include "cli/output.h"
#include "report/report.h"

#include <fcntl.h>
#include <string.h>

enum { PIPE_BYTES = 256 * 1024, OUT_BYTES = 256 * 1024, PASSED_BYTES_MIN = 1024 /* less is copied as fast */ };

bool decode_is_wrong(const struct decode_call *call)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];

	return !last->name || (last->has_size && !last->version_count) || (call->has_table && call->forwarded.use == FORWARDED_NONE);
}

static enum decode_format format_of(const char *name)
{
	return !strcmp(name, "json") ? DECODE_JSON : !strcmp(name, "summary") ? DECODE_SUMMARY : !strcmp(name, "markdown") ? DECODE_MARKDOWN : DECODE_TEXT;
}

/* In a pipe of 64 kB, which is the usual size, each write waits for the reader. */
static void enlarge_pipe(int fd)
{
	const int size_bytes = fcntl(fd, F_GETPIPE_SZ);

	if (size_bytes > 0 && size_bytes < PIPE_BYTES)
		fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
}

int decode_result_open(struct decode_result *out, const struct decode_scope *scope, const struct cli_args *args, struct err *err)
{
	int rc;

	*out = (struct decode_result){ .scope = *scope, .style = output_style(args), .format = format_of(args->format), .format_name = args->format };
	out->scope.memo = NULL;
	if (scope->against) {
		out->format = DECODE_AGAINST;
		out->seen = decode_seen_new();
	}
	if ((rc = file_writer_open(&out->file, args->output, err)))
		return rc;
	if (out->file.dir_fd < 0)
		enlarge_pipe(out->file.fd);
	return 0;
}

/* A call that the summary holds must outlive this one: what is innermost, without its bytes. */
static int add_to_summary(struct decode_result *result, const struct decode_call *call, struct err *err)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	const struct decode_input input = { .family = last->family, .number = last->number, .within = last->within, .has_size = last->has_size,
					    .size_bytes = last->size_bytes, .has_ret = call->has_ret, .ret = call->ret, .has_status = call->has_status, .status = call->status };
	const struct decode_call *recorded = call;
	struct decode_call *owned;
	int rc;

	if (!decode_summary_has(&result->summary, call) && result->summary.count < DECODE_SUMMARY_MAX) {
		owned = arena_alloc(&result->arena, sizeof(*owned));
		if ((rc = decode_call(owned, &input, &result->scope, &result->arena, err)))
			return rc;
		call = owned;
	}
	decode_summary_add(&result->summary, call, 1);
	decode_summary_add_pointers(&result->summary, recorded);
	return 0;
}

void decode_result_render(struct strbuf *out, const struct decode_result *result, const struct decode_call *call)
{
	switch (result->format) {
	case DECODE_SUMMARY: case DECODE_MARKDOWN: case DECODE_AGAINST:
		break;
	case DECODE_JSON:
		report_decode_json(out, call);
		break;
	case DECODE_TEXT:
		report_decode_text(out, call, &result->style);
		break;
	}
}

static int add(struct decode_result *result, const struct decode_call *call, struct err *err)
{
	result->call_count++;
	if (result->format == DECODE_AGAINST)
		decode_seen_add(result->seen, call);
	else
		result->wrong |= decode_is_wrong(call);
	if (result->format == DECODE_SUMMARY || result->format == DECODE_MARKDOWN)
		return add_to_summary(result, call, err);
	return result->out.length > OUT_BYTES ? decode_result_flush(result, err) : 0;
}

int decode_result_rendered(struct decode_result *result, const struct decode_call *call, const struct strbuf *text, struct err *err)
{
	strbuf_add(&result->out, strbuf_text(text), text->length);
	return add(result, call, err);
}

int decode_result_call(struct decode_result *result, const struct decode_call *call, struct err *err)
{
	decode_result_render(&result->out, result, call);
	return add(result, call, err);
}

void decode_result_pass(struct decode_result *result, const char *text, size_t length)
{
	if (length < PASSED_BYTES_MIN || result->passed_count == DECODE_PASSED_MAX)
		strbuf_add(&result->out, text, length);
	else
		result->passed[result->passed_count++] = (struct decode_passed){ text, length, result->out.length };
}

static struct iovec part(const char *text, size_t length)
{
	return (struct iovec){ .iov_base = (char *)text, .iov_len = length };
}

int decode_result_flush(struct decode_result *result, struct err *err)
{
	const char *out = strbuf_text(&result->out);
	struct iovec parts[2 * DECODE_PASSED_MAX + 1];
	size_t count = 0, at = 0;
	int rc;

	for (size_t i = 0; i < result->passed_count; i++) {
		const struct decode_passed *passed = &result->passed[i];

		parts[count++] = part(out + at, passed->at - at);
		parts[count++] = part(passed->text, passed->length);
		at = passed->at;
	}
	parts[count++] = part(out + at, result->out.length - at);
	/* The input is known now, and nothing has been written. */
	if (!(rc = result->has_written ? 0 : file_check_output(result->file.path, err)))
		rc = file_writer_add_parts(&result->file, parts, count, err);
	result->has_written = true;
	result->passed_count = 0;
	strbuf_reset(&result->out);
	return rc;
}

static int compare(struct decode_result *result, struct err *err)
{
	if (!result->scope.asked)
		return err_set(err, ERR_USAGE, "--against: it is not said which version the calls were made with; name it with --version");
	return against_render(&result->out, &result->wrong, result->seen, &result->scope, result->format_name, &result->style, err);
}

int decode_result_finish(struct decode_result *result, struct err *err)
{
	int rc;

	if (result->format == DECODE_AGAINST && (rc = compare(result, err)))
		return rc;
	if (result->format == DECODE_SUMMARY)
		report_decode_summary(&result->out, &result->summary, &result->style);
	if (result->format == DECODE_MARKDOWN)
		report_decode_summary_markdown(&result->out, &result->summary);
	if ((rc = decode_result_flush(result, err)))
		return rc;
	return file_writer_finish(&result->file, err);
}

void decode_result_release(struct decode_result *result)
{
	decode_seen_free(result->seen);
	decode_summary_release(&result->summary);
	arena_release(&result->arena);
	strbuf_release(&result->out);
	file_writer_release(&result->file);
}
