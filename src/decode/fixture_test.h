/* decode/fixture_test.h - messages, streams, files and logs for the tests of decode/ */
#ifndef DECODE_FIXTURE_TEST_H
#define DECODE_FIXTURE_TEST_H

#include "decode/decode.h"
#include "abi/document_test.h"

#include <sys/mman.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define BYTES(text) { (const uint8_t *)(text), sizeof(text) - 1 }

static const struct trace_memory a_memory[] = {
	{ 0x7ffe1000, 6, BYTES("before"), BYTES("after!") },
	{ 0x7ffe2000, 4096, BYTES("cut"), { 0 } },
	{ 0x7ffe3000, 8, { 0 }, { 0 } },
};

static const struct decode_fd a_fd[] = { { 7, "/dev/nvidia0" }, { -1, "" } };

/* The values of the fields that only a header has. */
#define NO_HEADER .version = "", .target = "", .command = ""

/* A call with a value in every field; no value is the largest of its type. */
static const struct trace_message a_call = {
	.kind = TRACE_IOCTL, .fd_path = "/dev/nvidiactl", .fd = 3, .ret = -1, .error = 22, .pid = 100,
	.tid = 101, .start_ns = 1000000, .end_ns = 1000500, .request = 0xc020462a, .argument = 0x7ffc19671e20,
	.before = BYTES("\1\2\3\0"), .after = BYTES("\1\2\3\4"), .memory = a_memory, .memory_count = 3,
	.fds = a_fd, .fd_count = 2, .caller = "libcuda.so.1 cuInit", NO_HEADER
};

static const struct trace_message a_header = {
	.kind = TRACE_HEADER, .fd_path = "", .fd = -1, .version = "590.48.01", .target = "x86_64-linux-gnu",
	.command = "nvidia-smi -q", .lacks = "no memory"
};

static const struct trace_message an_open = {
	.kind = TRACE_OPEN, .fd_path = "/dev/nvidia0", .fd = -1, .ret = 4, .open_flags = 0x80002, NO_HEADER
};

static const struct trace_message a_file = {
	.kind = TRACE_FILE, .fd_path = "/proc/driver/nvidia/version", .fd = -1, .after = BYTES("NVRM"),
	.file_mode = 0100444, .file_device = 195 << 8, .file_size_bytes = 4096, NO_HEADER
};

static const struct trace_message an_mmap = {
	.kind = TRACE_MMAP, .fd_path = "/dev/nvidia0", .fd = 0, .argument = 0x7f0000000000,
	.map_size_bytes = 1ull << 33, .map_protection = 3, .map_flags = 0x11, .map_offset = 1ull << 40,
	NO_HEADER
};

static const struct trace_message *const all_messages[] = { &a_header, &a_call, &an_open, &an_mmap, &a_file };

/* Appends "ERR_FORMAT the sentence". */
static inline void print_err(struct strbuf *out, int code, const struct err *err)
{
	strbuf_addf(out, "%s %s",
		    code == ERR_FORMAT	 ? "ERR_FORMAT"
		    : code == ERR_LAYOUT ? "ERR_LAYOUT"
		    : code == ERR_USAGE	 ? "ERR_USAGE"
		    : code == ERR_LIMIT	 ? "ERR_LIMIT"
					 : "ERR_?",
		    err->text);
}

/* Appends bytes as hexadecimal digits; nothing if the bytes are unknown. */
static inline void print_bytes(struct strbuf *out, const char *name, const uint8_t *bytes,
			       uint64_t size_bytes)
{
	if (!bytes)
		return;
	strbuf_addf(out, " %s ", name);
	for (uint64_t i = 0; i < size_bytes; i++)
		strbuf_addf(out, "%02x", bytes[i]);
}

static inline void print_memory(struct strbuf *out, const struct trace_memory *memory)
{
	strbuf_addf(out, " memory 0x%llx[%llu]", (unsigned long long)memory->address,
		    (unsigned long long)memory->size_bytes);
	print_bytes(out, "before", memory->before.bytes, memory->before.size_bytes);
	print_bytes(out, "after", memory->after.bytes, memory->after.size_bytes);
}

/* Appends every field of a message, so that equal texts are equal messages. */
static inline void print_trace_message(struct strbuf *out, const struct trace_message *m)
{
	const uint64_t numbers[] = { m->kind, (uint32_t)m->fd, (uint32_t)m->ret, (uint32_t)m->error, m->pid,
				     m->tid, m->start_ns, m->end_ns, m->request, m->argument, m->open_flags,
				     m->map_size_bytes, m->map_protection, m->map_flags, m->map_offset,
				     m->file_mode, m->file_device, m->file_size_bytes };

	for (size_t i = 0; i < COUNT(numbers); i++)
		strbuf_addf(out, "%llx ", (unsigned long long)numbers[i]);
	strbuf_addf(out, "'%s' '%s' '%s' '%s' '%s' '%s'", m->fd_path, m->version, m->target, m->command,
		    m->lacks ? m->lacks : "", m->caller ? m->caller : "");
	print_bytes(out, "before", m->before.bytes, m->before.size_bytes);
	print_bytes(out, "after", m->after.bytes, m->after.size_bytes);
	for (size_t i = 0; i < m->memory_count; i++)
		print_memory(out, &m->memory[i]);
	for (size_t i = 0; i < m->fd_count; i++)
		strbuf_addf(out, " fd %lld '%s'", (long long)m->fds[i].number, m->fds[i].path);
}

static inline void assert_message_equal(const struct trace_message *got, const struct trace_message *wanted)
{
	struct strbuf text = { 0 }, expected = { 0 };

	print_trace_message(&text, got);
	print_trace_message(&expected, wanted);
	assert_false(text_differs("a message", &text, expected.text));
	strbuf_release(&expected);
}

/* Makes a file with these bytes. Its position is at the beginning. */
static inline int file_of(const void *bytes, size_t size_bytes)
{
	const int fd = memfd_create("trace", MFD_CLOEXEC);

	assert_int_equal(write(fd, bytes, size_bytes), size_bytes);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static inline struct strbuf stream_of(const struct trace_message *const *messages, size_t count)
{
	struct strbuf stream = { 0 };

	for (size_t i = 0; i < count; i++)
		trace_pack(&stream, messages[i], TRACE_WIRE_DRVABI);
	return stream;
}

static inline struct trace_reader *reader_of(const struct strbuf *stream)
{
	return trace_reader_new(file_of(stream->text, stream->length), "t.trace", NULL, 0);
}

/* Checks that the next messages are @wanted, and that the stream then ends; frees @reader. */
static inline void assert_reads(struct trace_reader *reader, const struct trace_message *const *wanted,
				size_t count)
{
	struct trace_message got;

	for (size_t i = 0; i < count; i++) {
		assert_int_equal(trace_next(&got, reader, NULL), 1);
		assert_message_equal(&got, wanted[i]);
	}
	assert_int_equal(trace_next(&got, reader, NULL), 0);
	assert_int_equal(trace_reader_cut(reader), UINT64_MAX);
	trace_reader_free(reader);
}

/* --- the calls in the lines of a log ----------------------------------------------------------------- */

/*
 * Lines of a log, and the reported calls, one a line: "2: control 0x20800110[6] = -1 errno 22 status 0x56".
 * 2 is the number of the line at which the call was reported; "end" is after the last line. [6] is the size
 * of the parameters. The value of a field ("function 27") and recorded bytes ("before 4e56") can follow.
 * "2: version 535.129.03" is the driver's version. "other strace" is the result of decode_lines_other(),
 * and "unread 2 /srv/gpu" that of decode_lines_unread().
 */
struct lines_fact {
	const char *fact, *text, *calls;
};

/* Where calls are printed; passed to the functions of a sink. */
struct lines_printer {
	struct strbuf *out;
	size_t line; /* the number of the current line; 0 after the last line */
};

static inline void print_place(const struct lines_printer *printer)
{
	if (printer->line)
		strbuf_addf(printer->out, "\n%zu:", printer->line);
	else
		strbuf_adds(printer->out, "\nend:");
}

static inline int print_call(void *data, const struct decode_input *call, struct err *err)
{
	struct strbuf *out = ((struct lines_printer *)data)->out;

	(void)err;
	print_place(data);
	strbuf_addf(out, " %s 0x%llx", call->family, (unsigned long long)call->number);
	if (call->allocated_by)
		strbuf_addf(out, " within %s", call->allocated_by);
	if (call->has_size)
		strbuf_addf(out, "[%llu]", (unsigned long long)call->size_bytes);
	if (call->has_ret)
		strbuf_addf(out, " = %lld", (long long)call->ret);
	if (call->error)
		strbuf_addf(out, " errno %d", call->error);
	if (call->has_status)
		strbuf_addf(out, " status 0x%llx", (unsigned long long)call->status);
	if (call->field)
		strbuf_addf(out, " %s %llu", call->field, (unsigned long long)call->value);
	print_bytes(out, "before", call->before, call->size_bytes);
	print_bytes(out, "after", call->bytes, call->size_bytes);
	for (size_t i = 0; i < call->memory_count; i++)
		print_memory(out, &call->memory[i]);
	return 0;
}

static inline int print_version(void *data, const char *version, struct err *err)
{
	(void)err;
	print_place(data);
	strbuf_addf(((struct lines_printer *)data)->out, " version %s", version);
	return 0;
}

/* Prints the calls in @text. With a pause after each line, no call is held until the next line. */
static inline void print_lines(struct strbuf *out, const char *format, const struct device_rules *devices,
			       const char *text, bool has_pauses)
{
	struct lines_printer printer = { out, 0 };
	struct decode_lines *lines = decode_lines_new(
		format, devices,
		&(struct decode_sink){ .found = print_call, .version = print_version, .data = &printer });

	assert_non_null(lines);
	for (const char *at = text; *at;) {
		const size_t length = strcspn(at, "\n");

		printer.line++;
		assert_int_equal(decode_lines_read(lines, at, length, NULL), 0);
		if (has_pauses)
			assert_int_equal(decode_lines_flush(lines, NULL), 0);
		at += length + (at[length] == '\n');
	}
	printer.line = 0;
	assert_int_equal(decode_lines_end(lines, NULL), 0);
	assert_false(decode_lines_is_waiting(lines));
	if (decode_lines_other(lines))
		strbuf_addf(out, "\nother %s", decode_lines_other(lines));
	for (int is_drivers = 0; is_drivers < 2; is_drivers++) {
		const struct decode_unread *unread = decode_lines_unread(lines, is_drivers);

		if (unread->count)
			strbuf_addf(out, "%sunread %zu %s%s", out->length ? "\n" : "", unread->count,
				    strbuf_text(&unread->path), is_drivers ? " of the driver" : "");
	}
	decode_lines_free(lines);
}

static inline void check_lines(const struct lines_fact *facts, size_t count, const char *format,
			       const struct device_rules *devices, bool has_pauses)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct strbuf text = { 0 };

		print_lines(&text, format, devices, facts[i].text, has_pauses);
		wrong += text_differs(facts[i].fact, &text, facts[i].calls);
	}
	assert_int_equal(wrong, 0);
}

#endif
