#include "decode/fixture_test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void gvisors_wire_has_its_four_fields_only(void **state)
{
	struct trace_message call = a_call;
	struct strbuf out = { 0 };
	static const char want[] = "\x24\0\0\0\0\0\0\0" "\x0a\x0e/dev/nvidiactl" "\x10\xaa\x8c\x81\x81\x0c"
				   "\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" "\x22\x01" "A";

	(void)state;
	call.after = (struct trace_bytes)BYTES("A");
	trace_pack(&out, &call, TRACE_WIRE_GVISOR);
	assert_int_equal(out.length, sizeof(want) - 1);
	assert_memory_equal(out.text, want, sizeof(want) - 1);
	strbuf_release(&out);
}

static void gvisors_wire_leaves_out_what_is_zero_as_proto3_does(void **state)
{
	struct trace_message call = a_call;
	struct strbuf out = { 0 };

	(void)state;
	call.ret = 0;
	call.after = (struct trace_bytes){ (const uint8_t *)"", 0 };
	trace_pack(&out, &call, TRACE_WIRE_GVISOR);
	assert_int_equal(out.length, 8 + 2 + strlen("/dev/nvidiactl") + 6);
	strbuf_release(&out);
}

static void gvisors_wire_has_no_headers_opens_and_mmaps(void **state)
{
	struct strbuf out = { 0 };

	(void)state;
	trace_pack(&out, &a_header, TRACE_WIRE_GVISOR);
	trace_pack(&out, &an_open, TRACE_WIRE_GVISOR);
	trace_pack(&out, &an_mmap, TRACE_WIRE_GVISOR);
	trace_pack(&out, &a_file, TRACE_WIRE_GVISOR);
	assert_int_equal(out.length, 0);
	strbuf_release(&out);
}

static void a_header_of_which_nothing_is_known_has_bytes(void **state)
{
	const struct trace_message header = { .kind = TRACE_HEADER };
	struct strbuf out = { 0 };

	(void)state;
	trace_pack(&out, &header, TRACE_WIRE_DRVABI);
	assert_int_equal(out.length, 10);
	assert_true(trace_recognise((const uint8_t *)out.text, out.length));
	strbuf_release(&out);
}

static void packing_without_allocation_gives_the_same_bytes(void **state)
{
	const struct trace_message *all[] = { &a_header, &a_call, &an_open, &an_mmap, &a_file };
	_Alignas(max_align_t) uint8_t memory[2048];
	struct trace_bytes got;

	(void)state;
	for (int i = 0; i < 10; i++) {
		struct strbuf want = { 0 };
		size_t room = 0;

		trace_pack(&want, all[i / 2], i % 2 ? TRACE_WIRE_GVISOR : TRACE_WIRE_DRVABI);
		while (!trace_pack_in(&got, memory, room, all[i / 2],
				      i % 2 ? TRACE_WIRE_GVISOR : TRACE_WIRE_DRVABI))
			assert_true(++room < sizeof(memory));
		assert_int_equal(got.size_bytes, want.length);
		if (want.length)
			assert_memory_equal(got.bytes, want.text, want.length);
		assert_true(got.bytes + got.size_bytes <= memory + room);
		strbuf_release(&want);
	}
}

static void messages_are_written_one_behind_the_other(void **state)
{
	struct strbuf scratch = { 0 };
	struct trace_reader *reader;
	struct trace_message got;
	const int fd = file_of("", 0);

	(void)state;
	assert_int_equal(trace_write(fd, &a_header, TRACE_WIRE_DRVABI, &scratch, NULL), 0);
	assert_int_equal(trace_write(fd, &a_call, TRACE_WIRE_DRVABI, &scratch, NULL), 0);
	lseek(fd, 0, SEEK_SET);
	reader = trace_reader_new(fd, "t", NULL, 0);
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_message_equal(&got, &a_header);
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_message_equal(&got, &a_call);
	trace_reader_free(reader);
	strbuf_release(&scratch);
}

static void a_message_that_is_too_large_to_be_read_is_not_written(void **state)
{
	struct trace_message call = a_call;
	struct strbuf scratch = { 0 };
	const int fd = file_of("", 0);
	struct err err;

	(void)state;
	call.after = (struct trace_bytes){ calloc(1, TRACE_MESSAGE_MAX), TRACE_MESSAGE_MAX };
	assert_int_equal(trace_write(fd, &call, TRACE_WIRE_DRVABI, &scratch, &err), ERR_LIMIT);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	free((void *)call.after.bytes);
	strbuf_release(&scratch);
	close(fd);
}

/* A limit on the file size simulates a full disk: both can let a part of a write succeed. */
static void a_full_disk_leaves_whole_messages_only(void **state)
{
	struct rlimit old, small;
	struct strbuf scratch = { 0 };
	struct err err;
	const int fd = file_of("", 0);
	off_t whole;

	(void)state;
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

static void a_killed_writer_leaves_whole_messages_and_at_most_the_beginning_of_one(void **state)
{
	struct trace_reader *reader;
	struct trace_message got;
	struct err err = { "" };
	const int fd = file_of("", 0);
	int ready[2], count = 0, rc;
	char byte;
	pid_t pid;

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gvisors_wire_has_its_four_fields_only),
		cmocka_unit_test(gvisors_wire_leaves_out_what_is_zero_as_proto3_does),
		cmocka_unit_test(gvisors_wire_has_no_headers_opens_and_mmaps),
		cmocka_unit_test(a_header_of_which_nothing_is_known_has_bytes),
		cmocka_unit_test(packing_without_allocation_gives_the_same_bytes),
		cmocka_unit_test(messages_are_written_one_behind_the_other),
		cmocka_unit_test(a_message_that_is_too_large_to_be_read_is_not_written),
		cmocka_unit_test(a_full_disk_leaves_whole_messages_only),
		cmocka_unit_test(a_killed_writer_leaves_whole_messages_and_at_most_the_beginning_of_one),
	};

	return cmocka_run_group_tests_name("trace writer", tests, NULL, NULL);
}
