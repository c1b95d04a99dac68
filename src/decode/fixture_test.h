/* decode/fixture_test.h - messages, streams and files for the tests of decode/ */
#ifndef DECODE_FIXTURE_TEST_H
#define DECODE_FIXTURE_TEST_H

#include "decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define BYTES(text) { (const uint8_t *)(text), sizeof(text) - 1 }

static const struct trace_memory a_memory[] = {
	{ 0x7ffe1000, 6, BYTES("before"), BYTES("after!") },
	{ 0x7ffe2000, 4096, BYTES("cut"), { 0 } },
	{ 0x7ffe3000, 8, { 0 }, { 0 } },
};

static const struct trace_fd a_fd[] = { { 7, "/dev/nvidia0" }, { -1, "" } };

/* A call with a value in every field; no value is the largest of its type. */
static const struct trace_message a_call = {
	.kind = TRACE_IOCTL,
	.fd_path = "/dev/nvidiactl",
	.fd = 3,
	.ret = -1,
	.error = 22,
	.pid = 100,
	.tid = 101,
	.start_ns = 1000000,
	.end_ns = 1000500,
	.request = 0xc020462a,
	.argument = 0x7ffc19671e20,
	.before = BYTES("\1\2\3\0"),
	.after = BYTES("\1\2\3\4"),
	.memory = a_memory,
	.memory_count = 3,
	.fds = a_fd,
	.fd_count = 2,
	.version = "",
	.target = "",
	.command = "",
};

static const struct trace_message a_header = {
	.kind = TRACE_HEADER,
	.fd_path = "",
	.fd = -1,
	.version = "590.48.01",
	.target = "x86_64-linux-gnu",
	.command = "nvidia-smi -q",
	.lacks = "no memory",
};

static const struct trace_message an_open = {
	.kind = TRACE_OPEN,
	.fd_path = "/dev/nvidia0",
	.fd = -1,
	.ret = 4,
	.open_flags = 0x80002,
	.version = "",
	.target = "",
	.command = "",
};

static const struct trace_message a_file = {
	.kind = TRACE_FILE,
	.fd_path = "/proc/driver/nvidia/version",
	.fd = -1,
	.after = BYTES("NVRM"),
	.file_mode = 0100444,
	.file_device = 195 << 8,
	.file_size_bytes = 4096,
	.version = "",
	.target = "",
	.command = "",
};

static const struct trace_message an_mmap = {
	.kind = TRACE_MMAP,
	.fd_path = "/dev/nvidia0",
	.fd = 0,
	.argument = 0x7f0000000000,
	.map_size_bytes = 1ull << 33,
	.map_protection = 3,
	.map_flags = 0x11,
	.map_offset = 1ull << 40,
	.version = "",
	.target = "",
	.command = "",
};

static inline void assert_bytes_equal(const struct trace_bytes *a, const struct trace_bytes *b)
{
	assert_int_equal(!a->bytes, !b->bytes);
	assert_int_equal(a->size_bytes, b->size_bytes);
	if (a->size_bytes)
		assert_memory_equal(a->bytes, b->bytes, a->size_bytes);
}

static inline void assert_parts_equal(const struct trace_message *a, const struct trace_message *b)
{
	assert_int_equal(a->memory_count, b->memory_count);
	for (size_t i = 0; i < a->memory_count; i++) {
		assert_int_equal(a->memory[i].address, b->memory[i].address);
		assert_int_equal(a->memory[i].size_bytes, b->memory[i].size_bytes);
		assert_bytes_equal(&a->memory[i].before, &b->memory[i].before);
		assert_bytes_equal(&a->memory[i].after, &b->memory[i].after);
	}
	assert_int_equal(a->fd_count, b->fd_count);
	for (size_t i = 0; i < a->fd_count; i++) {
		assert_int_equal(a->fds[i].number, b->fds[i].number);
		assert_string_equal(a->fds[i].path, b->fds[i].path);
	}
}

static inline void assert_message_equal(const struct trace_message *a, const struct trace_message *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_string_equal(a->fd_path, b->fd_path);
	assert_int_equal(a->fd, b->fd);
	assert_int_equal(a->ret, b->ret);
	assert_int_equal(a->error, b->error);
	assert_int_equal(a->pid, b->pid);
	assert_int_equal(a->tid, b->tid);
	assert_int_equal(a->start_ns, b->start_ns);
	assert_int_equal(a->end_ns, b->end_ns);
	assert_int_equal(a->request, b->request);
	assert_int_equal(a->argument, b->argument);
	assert_bytes_equal(&a->before, &b->before);
	assert_bytes_equal(&a->after, &b->after);
	assert_parts_equal(a, b);
	assert_int_equal(a->open_flags, b->open_flags);
	assert_int_equal(a->map_size_bytes, b->map_size_bytes);
	assert_int_equal(a->map_protection, b->map_protection);
	assert_int_equal(a->map_flags, b->map_flags);
	assert_int_equal(a->map_offset, b->map_offset);
	assert_int_equal(a->file_mode, b->file_mode);
	assert_int_equal(a->file_device, b->file_device);
	assert_int_equal(a->file_size_bytes, b->file_size_bytes);
	assert_string_equal(a->version, b->version);
	assert_string_equal(a->target, b->target);
	assert_string_equal(a->command, b->command);
	assert_string_equal(a->lacks ? a->lacks : "", b->lacks ? b->lacks : "");
}

/* Makes a file with these bytes. Its position is at the beginning. */
static inline int file_of(const void *bytes, size_t size_bytes)
{
	const int fd = memfd_create("trace", MFD_CLOEXEC);

	assert_int_equal(write(fd, bytes, size_bytes), size_bytes);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static inline struct trace_reader *reader_of(const struct strbuf *stream)
{
	return trace_reader_new(file_of(stream->text, stream->length), "t.trace", NULL, 0);
}

#endif
