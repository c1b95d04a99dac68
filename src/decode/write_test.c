/*
 * Tests of packing and writing messages. The tests of trace_write() are sequences, because they need real
 * files, limits and processes.
 */
#include "decode/fixture_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

TEST(messages_are_packed_as_bytes)
{
#define CALL_FIELDS "\x0a\x0e/dev/nvidiactl" "\x10\xaa\x8c\x81\x81\x0c" /* fd_path, request */
	struct trace_message failed = a_call, succeeded = a_call;
	const struct trace_message unknown = { .kind = TRACE_HEADER };
	const struct {
		const char *fact;
		const struct trace_message *message;
		enum trace_wire wire;
		struct trace_bytes bytes;
	} rows[] = {
		{ "gVisor's wire has only its four fields", &failed, TRACE_WIRE_GVISOR,
		  BYTES("\x24\0\0\0\0\0\0\0" CALL_FIELDS
			"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" "\x22\x01" "A") },
		{ "gVisor's wire has no zeros, like proto3", &succeeded, TRACE_WIRE_GVISOR,
		  BYTES("\x16\0\0\0\0\0\0\0" CALL_FIELDS) },
		{ "gVisor's wire has no headers", &a_header, TRACE_WIRE_GVISOR, BYTES("") },
		{ "gVisor's wire has no opened devices", &an_open, TRACE_WIRE_GVISOR, BYTES("") },
		{ "gVisor's wire has no mappings", &an_mmap, TRACE_WIRE_GVISOR, BYTES("") },
		{ "gVisor's wire has no files", &a_file, TRACE_WIRE_GVISOR, BYTES("") },
		{ "a header in which nothing is known has an empty version", &unknown, TRACE_WIRE_DRVABI,
		  BYTES("\2\0\0\0\0\0\0\0" "\x6a\0") },
	};

	failed.after = (struct trace_bytes)BYTES("A");
	succeeded.ret = 0;
	succeeded.after = (struct trace_bytes)BYTES("");
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct strbuf out = { 0 };

		trace_pack(&out, rows[i].message, rows[i].wire);
		if (out.length != rows[i].bytes.size_bytes ||
		    memcmp(strbuf_text(&out), rows[i].bytes.bytes, out.length))
			fail_msg("%s", rows[i].fact);
		strbuf_release(&out);
	}
	assert_true(trace_recognise(rows[COUNT(rows) - 1].bytes.bytes, 10));
}

/* Returns numbers of every length, and sometimes 0. They are the same in every run. */
static uint64_t some_number(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 60 == 0 ? 0 : state * 2654435761u >> (state >> 58);
}

/* Runs protoc, which reads @schema and @in, and writes @out. Return: 127 if it is not installed. */
static int encode_with_protoc(int schema, int in, int out)
{
	char name[16];
	int status;
	pid_t pid = fork();

	if (!pid) {
		snprintf(name, sizeof(name), "%d", dup(schema)); /* that of file_of() is closed by exec */
		dup2(in, 0);
		dup2(out, 1);
		execlp("protoc", "protoc", "-I/proc/self/fd", "--encode=All", name, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status);
}

TEST(gvisors_wire_is_what_googles_protoc_writes)
{
	/* gVisor's message, and a list of these messages, so that one run of protoc is enough. */
	static const char schema[] =
		"syntax = \"proto3\"; message All { repeated Call call = 1; }\n"
		"message Call { string fd_path = 1; uint64 request = 2; int32 ret = 3; bytes arg_data = 4; }\n";
	struct strbuf text = { 0 }, packed = { 0 }, got = { 0 };
	const int out = file_of("", 0);
	char path[32];
	int rc;

	for (int i = 0; i < 500; i++) {
		struct trace_message call = a_call; /* the other fields must not be written */
		struct strbuf one = { 0 };
		uint8_t bytes[300];

		call.request = some_number();
		call.ret = (int32_t)some_number();
		call.after = (struct trace_bytes){ bytes, some_number() % sizeof(bytes) };
		strbuf_addf(&text, "call { fd_path: \"%s\" request: %llu ret: %d arg_data: \"", call.fd_path,
			    (unsigned long long)call.request, call.ret);
		for (size_t k = 0; k < call.after.size_bytes; k++)
			strbuf_addf(&text, "\\%03o", bytes[k] = (uint8_t)some_number());
		strbuf_adds(&text, "\" }\n");
		trace_pack(&one, &call, TRACE_WIRE_GVISOR);
		strbuf_addch(&packed, '\x0a'); /* field 1 of All */
		varint_put(&packed, one.length - TRACE_LENGTH_BYTES);
		strbuf_add(&packed, one.text + TRACE_LENGTH_BYTES, one.length - TRACE_LENGTH_BYTES);
		strbuf_release(&one);
	}
	rc = encode_with_protoc(file_of(schema, sizeof(schema) - 1), file_of(text.text, text.length), out);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", out);
	assert_int_equal(file_read(&got, path, 1 << 24, NULL), 0);
	if (rc != 127) {
		assert_int_equal(rc, 0);
		assert_int_equal(got.length, packed.length);
		assert_memory_equal(got.text, packed.text, packed.length);
	}
	strbuf_release(&text);
	strbuf_release(&packed);
	strbuf_release(&got);
	if (rc == 127)
		skip();
}

TEST(packing_without_allocation_gives_the_same_bytes)
{
	_Alignas(max_align_t) uint8_t memory[2048];
	struct trace_bytes got;

	for (int i = 0; i < 10; i++) {
		struct strbuf want = { 0 };
		size_t room = 0;

		trace_pack(&want, all_messages[i / 2], i % 2 ? TRACE_WIRE_GVISOR : TRACE_WIRE_DRVABI);
		while (!trace_pack_in(&got, memory, room, all_messages[i / 2],
				      i % 2 ? TRACE_WIRE_GVISOR : TRACE_WIRE_DRVABI))
			assert_true(++room < sizeof(memory));
		assert_int_equal(got.size_bytes, want.length);
		if (want.length)
			assert_memory_equal(got.bytes, want.text, want.length);
		assert_true(got.bytes + got.size_bytes <= memory + room);
		strbuf_release(&want);
	}
}

TEST(messages_are_written_one_after_the_other)
{
	struct strbuf scratch = { 0 };
	const int fd = file_of("", 0);

	assert_int_equal(trace_write(fd, &a_header, TRACE_WIRE_DRVABI, &scratch, NULL), 0);
	assert_int_equal(trace_write(fd, &a_call, TRACE_WIRE_DRVABI, &scratch, NULL), 0);
	lseek(fd, 0, SEEK_SET);
	assert_reads(trace_reader_new(fd, "t", NULL, 0), all_messages, 2); /* the header and the call */
	strbuf_release(&scratch);
}

TEST(a_message_that_is_too_large_to_be_read_is_not_written)
{
	struct trace_message call = a_call;
	struct strbuf scratch = { 0 };
	const int fd = file_of("", 0);
	struct err err;

	call.after = (struct trace_bytes){ calloc(1, TRACE_MESSAGE_MAX), TRACE_MESSAGE_MAX };
	assert_int_equal(trace_write(fd, &call, TRACE_WIRE_DRVABI, &scratch, &err), ERR_LIMIT);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	free((void *)call.after.bytes);
	strbuf_release(&scratch);
	close(fd);
}

/* A limit on the file size simulates a full disk: both can let a part of a write succeed. */
TEST(a_full_disk_leaves_whole_messages_only)
{
	struct rlimit old, small;
	struct strbuf scratch = { 0 };
	struct err err;
	const int fd = file_of("", 0);
	off_t whole;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(trace_write(fd, &a_header, TRACE_WIRE_DRVABI, &scratch, NULL), 0);
	whole = lseek(fd, 0, SEEK_CUR);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){ (rlim_t)whole + 20, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(trace_write(fd, &a_call, TRACE_WIRE_DRVABI, &scratch, &err), ERR_IO);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_string_equal(err.text, "cannot write the trace: File too large");
	assert_int_equal(lseek(fd, 0, SEEK_END), whole);
	assert_int_equal(trace_write(fd, &a_call, TRACE_WIRE_DRVABI, &scratch, NULL), 0);
	close(fd);
	strbuf_release(&scratch);
}

static void write_until_killed(int fd, int ready)
{
	struct strbuf scratch = { 0 };

	for (int i = 0;; i++) {
		trace_write(fd, &a_call, TRACE_WIRE_DRVABI, &scratch, NULL);
		if (i == 1000 && write(ready, "", 1) != 1)
			_exit(1);
	}
}

TEST(a_killed_writer_leaves_whole_messages_and_at_most_the_beginning_of_one)
{
	struct trace_reader *reader;
	struct trace_message got;
	struct err err = { "" };
	const int fd = file_of("", 0);
	int ready[2], count = 0, rc;
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid)
		write_until_killed(fd, ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	lseek(fd, 0, SEEK_SET);
	reader = trace_reader_new(fd, "t", NULL, 0);
	while ((rc = trace_next(&got, reader, &err)) == 1)
		count++;
	assert_int_equal(rc, 0);
	assert_true(count >= 1000);
	/* Linux can cut the last write() of a killed process at the end of a page. The reader reports it. */
	assert_true(trace_reader_cut(reader) == UINT64_MAX ||
		    trace_reader_cut(reader) < (uint64_t)lseek(fd, 0, SEEK_END));
	trace_reader_free(reader);
}
