#include "decode/fixture_test.h"

#include "base/base.h"

#include <stdlib.h>

static void every_field_is_read_as_it_was_written(void **state)
{
	const struct trace_message *all[] = { &a_header, &a_call, &an_open, &an_mmap, &a_file };
	struct strbuf stream = { 0 };
	struct trace_reader *reader;
	struct trace_message got;

	(void)state;
	for (int i = 0; i < 5; i++)
		trace_pack(&stream, all[i], TRACE_WIRE_DRVABI);
	reader = reader_of(&stream);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(trace_next(&got, reader, NULL), 1);
		assert_message_equal(&got, all[i]);
	}
	assert_int_equal(trace_next(&got, reader, NULL), 0);
	assert_int_equal(trace_reader_cut(reader), UINT64_MAX);
	trace_reader_free(reader);
	strbuf_release(&stream);
}

static void numbers_may_be_as_large_as_their_types(void **state)
{
	struct trace_message call = a_call, got;
	struct strbuf stream = { 0 };
	struct trace_reader *reader;

	(void)state;
	call.fd = INT32_MAX;
	call.ret = INT32_MIN;
	call.error = INT32_MIN;
	call.pid = call.tid = UINT32_MAX;
	call.start_ns = call.end_ns = call.request = call.argument = UINT64_MAX;
	trace_pack(&stream, &call, TRACE_WIRE_DRVABI);
	reader = reader_of(&stream);
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_message_equal(&got, &call);
	trace_reader_free(reader);
	strbuf_release(&stream);
}

static void no_bytes_are_told_from_bytes_that_were_not_recorded(void **state)
{
	struct trace_message call = a_call, got;
	struct strbuf stream = { 0 };
	struct trace_reader *reader;

	(void)state;
	call.before = (struct trace_bytes){ NULL, 0 };
	call.after = (struct trace_bytes){ (const uint8_t *)"", 0 };
	trace_pack(&stream, &call, TRACE_WIRE_DRVABI);
	reader = reader_of(&stream);
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_null(got.before.bytes);
	assert_non_null(got.after.bytes);
	assert_int_equal(got.after.size_bytes, 0);
	trace_reader_free(reader);
	strbuf_release(&stream);
}

static void gvisors_streams_are_read(void **state)
{
	/* fd_path "/dev/nvidia-uvm", request 0x25, no ret, no arg_data; the same with ret -1 and two bytes */
	static const char stream[] = "\x13\0\0\0\0\0\0\0"
				     "\x0a\x0f/dev/nvidia-uvm"
				     "\x10\x25"
				     "\x11\0\0\0\0\0\0\0"
				     "\x0a\x00"
				     "\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
				     "\x22\x02"
				     "AB";
	struct strbuf bytes = { (char *)stream, sizeof(stream) - 1, 0 };
	struct trace_reader *reader = reader_of(&bytes);
	struct trace_message got;

	(void)state;
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_int_equal(got.kind, TRACE_IOCTL);
	assert_string_equal(got.fd_path, "/dev/nvidia-uvm");
	assert_int_equal(got.request, 0x25);
	assert_int_equal(got.ret, 0);
	assert_int_equal(got.fd, -1);
	assert_null(got.after.bytes);
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_int_equal(got.ret, -1);
	assert_memory_equal(got.after.bytes, "AB", 2);
	assert_int_equal(trace_next(&got, reader, NULL), 0);
	trace_reader_free(reader);
}

static void a_stream_cut_anywhere_is_read_up_to_its_last_whole_message(void **state)
{
	struct strbuf stream = { 0 };
	struct trace_message got;
	size_t first;

	(void)state;
	trace_pack(&stream, &a_header, TRACE_WIRE_DRVABI);
	first = stream.length;
	trace_pack(&stream, &a_call, TRACE_WIRE_DRVABI);
	for (size_t length = 0; length <= stream.length; length++) {
		struct strbuf cut = { stream.text, length, 0 };
		struct trace_reader *reader = reader_of(&cut);
		int count = 0;

		while (trace_next(&got, reader, NULL) == 1)
			count++;
		assert_int_equal(count, (length >= first) + (length == stream.length));
		assert_int_equal(trace_reader_cut(reader),
				 length == 0 || length == first || length == stream.length ? UINT64_MAX
				 : length < first                                          ? 0
											   : first);
		trace_reader_free(reader);
	}
	strbuf_release(&stream);
}

static void expect_error(const struct strbuf *stream, int code, const char *sentence)
{
	struct trace_reader *reader = reader_of(stream);
	struct trace_message got;
	struct err err;

	assert_int_equal(trace_next(&got, reader, &err), 1);
	assert_int_equal(trace_next(&got, reader, &err), code);
	assert_string_equal(err.text, sentence);
	assert_int_equal(trace_next(&got, reader, &err), code);
	trace_reader_free(reader);
}

static void a_damaged_message_is_named_by_its_offset(void **state)
{
	struct strbuf stream = { 0 };

	(void)state;
	trace_pack(&stream, &an_open, TRACE_WIRE_DRVABI);
	strbuf_add(&stream, "\2\0\0\0\0\0\0\0\x0a\x7f", 10);
	expect_error(&stream, ERR_FORMAT,
		     "t.trace: the message at byte 32: it is damaged, or this is not a trace");
	strbuf_release(&stream);
}

static void a_kind_that_is_not_known_is_refused(void **state)
{
	struct strbuf stream = { 0 };

	(void)state;
	trace_pack(&stream, &an_open, TRACE_WIRE_DRVABI);
	strbuf_add(&stream, "\3\0\0\0\0\0\0\0\x80\x01\x07", 11);
	expect_error(&stream, ERR_FORMAT,
		     "t.trace: the message at byte 32: its kind is 7, which this version of drvabi does not know");
	strbuf_release(&stream);
}

static void a_gigantic_length_is_refused(void **state)
{
	struct strbuf stream = { 0 };

	(void)state;
	trace_pack(&stream, &an_open, TRACE_WIRE_DRVABI);
	strbuf_add(&stream, "\1\0\0\4\0\0\0\0", 8);
	expect_error(&stream, ERR_LIMIT,
		     "t.trace: the message at byte 32: its length is 67108865 bytes, but at most 67108864 are allowed; "
		     "the trace is damaged there, or this is not a trace");
	strbuf_release(&stream);
}

/* A file of zeros would otherwise be an endless series of empty messages. */
static void an_empty_message_is_refused(void **state)
{
	struct strbuf stream = { 0 };

	(void)state;
	trace_pack(&stream, &an_open, TRACE_WIRE_DRVABI);
	strbuf_add(&stream, "\0\0\0\0\0\0\0\0", 8);
	expect_error(
		&stream, ERR_FORMAT,
		"t.trace: the message at byte 32: it is empty; the trace is damaged there, or this is not a trace");
	strbuf_release(&stream);
}

/* Two bytes of a message can become a struct of a hundred bytes. */
static void a_message_of_countless_parts_is_refused(void **state)
{
	enum { PARTS = 1000000 };
	struct strbuf stream = { 0 };

	(void)state;
	trace_pack(&stream, &an_open, TRACE_WIRE_DRVABI);
	strbuf_add(&stream, "\x80\x84\x1e\0\0\0\0\0", 8);
	for (int i = 0; i < PARTS; i++)
		strbuf_add(&stream, "\x5a\0", 2);
	expect_error(&stream, ERR_LIMIT,
		     "t.trace: the message at byte 32: its parts do not fit in 16 MB of memory");
	strbuf_release(&stream);
}

static void a_large_message_is_read_whole(void **state)
{
	enum { SIZE = 10 * 1000 * 1000 };
	struct trace_message call = a_call, got;
	struct strbuf stream = { 0 };
	struct trace_reader *reader;
	uint8_t *bytes = calloc(1, SIZE);

	(void)state;
	bytes[SIZE - 1] = 7;
	call.after = (struct trace_bytes){ bytes, SIZE };
	trace_pack(&stream, &call, TRACE_WIRE_DRVABI);
	trace_pack(&stream, &an_open, TRACE_WIRE_DRVABI);
	reader = reader_of(&stream);
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_message_equal(&got, &call);
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_message_equal(&got, &an_open);
	trace_reader_free(reader);
	strbuf_release(&stream);
	free(bytes);
}

/* Packs a message with memory whose bytes [begin, end) changed, and returns the message's length. */
static size_t packed_bytes_of_change(size_t begin, size_t end)
{
	enum { SIZE = 4003 };
	uint8_t before[SIZE], after[SIZE];
	const struct trace_memory memory = { 0x1000, SIZE, { before, SIZE }, { after, SIZE } };
	struct trace_message call = a_call, got;
	struct strbuf stream = { 0 };
	struct trace_reader *reader;
	size_t length;

	for (size_t i = 0; i < SIZE; i++) {
		before[i] = (uint8_t)(i * 7);
		after[i] = (uint8_t)(before[i] ^ (i >= begin && i < end ? 0xff : 0));
	}
	call.memory = &memory;
	call.memory_count = 1;
	trace_pack(&stream, &call, TRACE_WIRE_DRVABI);
	length = stream.length;
	reader = reader_of(&stream);
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_message_equal(&got, &call);
	trace_reader_free(reader);
	strbuf_release(&stream);
	return length;
}

static void memory_is_written_twice_only_where_the_call_changed_it(void **state)
{
	const size_t unchanged = packed_bytes_of_change(0, 0), all = packed_bytes_of_change(0, 4003);

	(void)state;
	assert_true(unchanged > 4003 && unchanged < 4003 + 200);
	assert_true(all > 2 * 4003);
	assert_true(packed_bytes_of_change(1000, 1001) < unchanged + 20);
	assert_true(packed_bytes_of_change(0, 1) < unchanged + 20);
	assert_true(packed_bytes_of_change(4002, 4003) < unchanged + 20);
	assert_true(packed_bytes_of_change(3999, 4000) < unchanged + 20);
	assert_true(packed_bytes_of_change(500, 3000) < unchanged + 2500 + 30);
	assert_true(packed_bytes_of_change(30, 3990) < all + 1);
}

/* Reads a message that has the memory {2: "abc", 3: "zz", 5: @changed_at}. */
static int read_change(struct err *err, char changed_at, bool has_before)
{
	char bytes[] = "\x0f\0\0\0\0\0\0\0" "\x0a\0" "\x5a\x0b" "\x12\x03" "abc" "\x1a\x02" "zz" "\x28?";
	struct strbuf stream = { 0 };
	struct trace_reader *reader;
	struct trace_message got;
	int rc;

	bytes[sizeof(bytes) - 2] = changed_at;
	if (!has_before)
		bytes[12] = '\x22'; /* the tag of a field other than 2, the bytes before the call */
	strbuf_add(&stream, bytes, sizeof(bytes) - 1);
	reader = reader_of(&stream);
	rc = trace_next(&got, reader, err);
	if (rc == 1)
		assert_memory_equal(got.memory[0].after.bytes, "azz", 3);
	trace_reader_free(reader);
	strbuf_release(&stream);
	return rc;
}

static void memory_that_changed_behind_its_end_is_damage(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(read_change(&err, 1, true), 1);
	assert_int_equal(read_change(&err, 2, true), ERR_FORMAT);
	assert_non_null(strstr(err.text, "its changed bytes are not inside the recorded memory"));
	assert_int_equal(read_change(&err, 127, true), ERR_FORMAT);
	assert_int_equal(read_change(&err, 0, false), ERR_FORMAT);
}

static void bytes_that_were_read_before_come_first(void **state)
{
	struct strbuf stream = { 0 };
	struct trace_reader *reader;
	struct trace_message got;

	(void)state;
	trace_pack(&stream, &a_header, TRACE_WIRE_DRVABI);
	trace_pack(&stream, &a_call, TRACE_WIRE_DRVABI);
	reader = trace_reader_new(file_of(stream.text + 20, stream.length - 20), "t.trace",
				  (const uint8_t *)stream.text, 20);
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_int_equal(trace_next(&got, reader, NULL), 1);
	assert_message_equal(&got, &a_call);
	assert_int_equal(trace_next(&got, reader, NULL), 0);
	trace_reader_free(reader);
	strbuf_release(&stream);
}

static void a_message_is_returned_before_more_is_read_from_a_pipe(void **state)
{
	struct strbuf stream = { 0 };
	struct trace_reader *reader;
	struct trace_message got;
	int ends[2];

	(void)state;
	trace_pack(&stream, &a_call, TRACE_WIRE_DRVABI);
	assert_int_equal(pipe(ends), 0);
	reader = trace_reader_new(ends[0], "t.trace", NULL, 0);
	assert_int_equal(write(ends[1], stream.text, stream.length), stream.length);
	assert_int_equal(trace_next(&got, reader, NULL), 1); /* the writer has not closed the pipe */
	assert_message_equal(&got, &a_call);
	close(ends[1]);
	assert_int_equal(trace_next(&got, reader, NULL), 0);
	trace_reader_free(reader);
	strbuf_release(&stream);
}

static void a_file_that_cannot_be_read_is_said(void **state)
{
	struct trace_reader *reader = trace_reader_new(-1, "t.trace", NULL, 0);
	struct trace_message got;
	struct err err;

	(void)state;
	assert_int_equal(trace_next(&got, reader, &err), ERR_IO);
	assert_string_equal(err.text, "cannot read t.trace: Bad file descriptor");
	trace_reader_free(reader);
}

static void a_compressed_stream_is_read_frame_by_frame(void **state)
{
	struct strbuf stream = { 0 }, packed = { 0 };
	struct trace_reader *reader;
	struct trace_message got;

	(void)state;
	for (int frame = 0; frame < 2; frame++) {
		strbuf_reset(&stream);
		for (int i = 0; i < 1000; i++)
			trace_pack(&stream, &a_call, TRACE_WIRE_DRVABI);
		assert_int_equal(compress_append(&packed, stream.text, stream.length, 3, NULL), 0);
	}
	assert_true(trace_recognise((const uint8_t *)packed.text, 64));
	reader = reader_of(&packed);
	for (int i = 0; i < 2000; i++) {
		assert_int_equal(trace_next(&got, reader, NULL), 1);
		assert_message_equal(&got, &a_call);
	}
	assert_int_equal(trace_next(&got, reader, NULL), 0);
	assert_int_equal(trace_reader_cut(reader), UINT64_MAX);
	trace_reader_free(reader);
	strbuf_release(&stream);
	strbuf_release(&packed);
}

/* Packs so many calls that zstd compresses them in several blocks. */
static void pack_varied_calls(struct strbuf *packed)
{
	struct trace_message call = a_call;
	struct strbuf stream = { 0 };

	for (unsigned i = 0; i < 4000; i++) {
		call.start_ns = i * 2654435761u;
		trace_pack(&stream, &call, TRACE_WIRE_DRVABI);
	}
	assert_int_equal(compress_append(packed, stream.text, stream.length, 3, NULL), 0);
	strbuf_release(&stream);
}

static void a_compressed_stream_that_is_cut_ends_early_and_says_so(void **state)
{
	struct strbuf packed = { 0 };
	struct trace_reader *reader;
	struct trace_message got;
	int count = 0;

	(void)state;
	pack_varied_calls(&packed);
	packed.length -= 10;
	reader = reader_of(&packed);
	while (trace_next(&got, reader, NULL) == 1)
		count++;
	assert_true(count > 0 && count < 4000);
	assert_true(trace_reader_cut(reader) > 0);
	assert_true(trace_reader_cut(reader) != UINT64_MAX);
	trace_reader_free(reader);
	strbuf_release(&packed);
}

static void a_compressed_stream_that_goes_on_with_something_else_is_refused(void **state)
{
	struct strbuf packed = { 0 }, stream = { 0 };
	struct trace_reader *reader;
	struct trace_message got;
	struct err err;

	(void)state;
	trace_pack(&stream, &an_open, TRACE_WIRE_DRVABI);
	assert_int_equal(compress_append(&packed, stream.text, stream.length, 3, NULL), 0);
	strbuf_adds(&packed, "something else");
	reader = reader_of(&packed);
	assert_int_equal(trace_next(&got, reader, &err), 1);
	assert_int_equal(trace_next(&got, reader, &err), ERR_FORMAT);
	err.text[strlen("t.trace: zstd cannot decompress the data after byte 32 (decompressed): ")] = '\0';
	assert_string_equal(err.text, "t.trace: zstd cannot decompress the data after byte 32 (decompressed): ");
	assert_int_equal(trace_next(&got, reader, &err), ERR_FORMAT);
	trace_reader_free(reader);
	strbuf_release(&stream);
	strbuf_release(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_read_as_it_was_written),
		cmocka_unit_test(numbers_may_be_as_large_as_their_types),
		cmocka_unit_test(no_bytes_are_told_from_bytes_that_were_not_recorded),
		cmocka_unit_test(gvisors_streams_are_read),
		cmocka_unit_test(a_stream_cut_anywhere_is_read_up_to_its_last_whole_message),
		cmocka_unit_test(a_damaged_message_is_named_by_its_offset),
		cmocka_unit_test(a_kind_that_is_not_known_is_refused),
		cmocka_unit_test(a_gigantic_length_is_refused),
		cmocka_unit_test(an_empty_message_is_refused),
		cmocka_unit_test(a_message_of_countless_parts_is_refused),
		cmocka_unit_test(a_large_message_is_read_whole),
		cmocka_unit_test(memory_is_written_twice_only_where_the_call_changed_it),
		cmocka_unit_test(memory_that_changed_behind_its_end_is_damage),
		cmocka_unit_test(bytes_that_were_read_before_come_first),
		cmocka_unit_test(a_message_is_returned_before_more_is_read_from_a_pipe),
		cmocka_unit_test(a_file_that_cannot_be_read_is_said),
		cmocka_unit_test(a_compressed_stream_is_read_frame_by_frame),
		cmocka_unit_test(a_compressed_stream_that_is_cut_ends_early_and_says_so),
		cmocka_unit_test(a_compressed_stream_that_goes_on_with_something_else_is_refused),
	};

	return cmocka_run_group_tests_name("trace reader", tests, NULL, NULL);
}
