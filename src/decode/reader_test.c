/*
 * Tests of the reader of traces. Most tests pack messages (decode/fixture_test.h), and compare the messages
 * that are read with them; a row of refused[] has bytes that are not a message.
 */
#include "decode/fixture_test.h"

/* Packs messages, and checks that the same messages are read. Return: their packed length. */
static size_t read_again(const struct trace_message *const *messages, size_t count)
{
	struct strbuf stream = stream_of(messages, count);
	const size_t length = stream.length;

	assert_reads(reader_of(&stream), messages, count);
	strbuf_release(&stream);
	return length;
}

TEST(every_field_is_read_as_it_was_written)
{
	read_again(all_messages, COUNT(all_messages));
}

TEST(numbers_may_be_as_large_as_their_types)
{
	struct trace_message call = a_call;

	call.fd = INT32_MAX;
	call.ret = INT32_MIN;
	call.error = INT32_MIN;
	call.pid = call.tid = UINT32_MAX;
	call.start_ns = call.end_ns = call.request = call.argument = UINT64_MAX;
	read_again((const struct trace_message *[]){ &call }, 1);
}

TEST(empty_bytes_differ_from_bytes_that_were_not_recorded)
{
	struct trace_message call = a_call;

	call.before = (struct trace_bytes){ NULL, 0 };
	call.after = (struct trace_bytes){ (const uint8_t *)"", 0 };
	read_again((const struct trace_message *[]){ &call }, 1);
}

TEST(gvisors_streams_are_read)
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
	const struct strbuf bytes = { (char *)stream, sizeof(stream) - 1, 0 };
	const struct trace_message *const wanted[] = {
		&(struct trace_message){ .kind = TRACE_IOCTL, .fd_path = "/dev/nvidia-uvm", .fd = -1,
					 .request = 0x25, NO_HEADER },
		&(struct trace_message){ .kind = TRACE_IOCTL, .fd_path = "", .fd = -1, .ret = -1,
					 .after = BYTES("AB"), NO_HEADER },
	};

	assert_reads(reader_of(&bytes), wanted, COUNT(wanted));
}

TEST(a_stream_cut_anywhere_is_read_up_to_its_last_whole_message)
{
	struct strbuf stream = { 0 };
	struct trace_message got;
	size_t first;

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

/* A message with memory whose bytes before the call are field @tag, "abc", and of which "zz" changed @at. */
#define CHANGE(tag, at) \
	"\x0f\0\0\0\0\0\0\0" "\x0a\0" "\x5a\x0b" tag "\x03" "abc" "\x1a\x02" "zz" "\x28" at

/* Checks that the second message of a stream is refused with @why, twice. */
static bool is_refused(const struct trace_bytes *message, int code, const char *why)
{
	struct strbuf stream = stream_of((const struct trace_message *[]){ &an_open }, 1), got = { 0 };
	struct strbuf wanted = { 0 };
	struct trace_reader *reader;
	struct trace_message first;
	struct err err = { "" };
	bool is_same;

	strbuf_add(&stream, message->bytes, message->size_bytes);
	reader = reader_of(&stream);
	strbuf_addf(&got, "%d", trace_next(&first, reader, &err));
	for (int i = 0; i < 2; i++) {
		strbuf_addf(&got, " %d", trace_next(&first, reader, &err));
		strbuf_addf(&got, " %s", err.text);
		strbuf_addf(&wanted, "%s %d t.trace: the message at byte 32: %s", i ? "" : "1", code, why);
	}
	is_same = !text_differs(why, &got, wanted.text);
	trace_reader_free(reader);
	strbuf_release(&stream);
	strbuf_release(&wanted);
	return is_same;
}

TEST(a_message_that_is_wrong_is_refused)
{
	static const char outside[] = "its changed bytes are not inside the recorded memory";
	static const struct {
		const char *fact;
		struct trace_bytes message;
		int code;
		const char *why;
	} rows[] = {
		{ "a damaged message is named by its offset", BYTES("\2\0\0\0\0\0\0\0\x0a\x7f"), ERR_FORMAT,
		  "it is damaged, or this is not a trace" },
		{ "a kind that is not known is refused", BYTES("\3\0\0\0\0\0\0\0\x80\x01\x07"), ERR_FORMAT,
		  "its kind is 7, which this version of drvabi does not know" },
		{ "a gigantic length is refused", BYTES("\1\0\0\4\0\0\0\0"), ERR_LIMIT,
		  "its length is 67108865 bytes, but at most 67108864 are allowed; the trace is damaged "
		  "there, or this is not a trace" },
		/* A file of zeros would otherwise be an endless series of empty messages. */
		{ "an empty message is refused", BYTES("\0\0\0\0\0\0\0\0"), ERR_FORMAT,
		  "it is empty; the trace is damaged there, or this is not a trace" },
		{ "memory that changed over its end is damaged",
		  BYTES(CHANGE("\x12", "\2")), ERR_FORMAT, outside },
		{ "memory that changed after its end is damaged",
		  BYTES(CHANGE("\x12", "\x7f")), ERR_FORMAT, outside },
		{ "changed memory without bytes before the call is damaged",
		  BYTES(CHANGE("\x32", "\0")), ERR_FORMAT, outside },
		{ "a field of memory with the wrong type is damaged", BYTES(CHANGE("\x22", "\0")), ERR_FORMAT,
		  "it is damaged, or this is not a trace" },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		if (!is_refused(&rows[i].message, rows[i].code, rows[i].why))
			fail_msg("%s", rows[i].fact);
}

/* Two bytes of a message can become a struct of a hundred bytes. */
TEST(a_message_of_countless_parts_is_refused)
{
	enum { PARTS = 1000000 };
	struct strbuf message = { 0 };

	strbuf_add(&message, "\x80\x84\x1e\0\0\0\0\0", 8);
	for (int i = 0; i < PARTS; i++)
		strbuf_add(&message, "\x5a\0", 2);
	assert_true(is_refused(&(struct trace_bytes){ (const uint8_t *)message.text, message.length },
			       ERR_LIMIT, "its parts do not fit in 16 MB of memory"));
	strbuf_release(&message);
}

TEST(a_large_message_is_read_whole)
{
	enum { SIZE = 10 * 1000 * 1000 };
	uint8_t *bytes = calloc(1, SIZE);
	struct trace_message call = a_call;

	bytes[SIZE - 1] = 7;
	call.after = (struct trace_bytes){ bytes, SIZE };
	read_again((const struct trace_message *[]){ &call, &an_open }, 2);
	free(bytes);
}

/* Packs a message with memory whose bytes [begin, end) changed, and returns the message's length. */
static size_t packed_bytes_of_change(size_t begin, size_t end)
{
	enum { SIZE = 4003 };
	uint8_t before[SIZE], after[SIZE];
	const struct trace_memory memory = { 0x1000, SIZE, { before, SIZE }, { after, SIZE } };
	struct trace_message call = a_call;

	for (size_t i = 0; i < SIZE; i++) {
		before[i] = (uint8_t)(i * 7);
		after[i] = (uint8_t)(before[i] ^ (i >= begin && i < end ? 0xff : 0));
	}
	call.memory = &memory;
	call.memory_count = 1;
	return read_again((const struct trace_message *[]){ &call }, 1);
}

TEST(memory_is_written_twice_only_where_the_call_changed_it)
{
	const size_t unchanged = packed_bytes_of_change(0, 0), all = packed_bytes_of_change(0, 4003);

	assert_true(unchanged > 4003 && unchanged < 4003 + 200);
	assert_true(all > 2 * 4003);
	assert_true(packed_bytes_of_change(1000, 1001) < unchanged + 20);
	assert_true(packed_bytes_of_change(0, 1) < unchanged + 20);
	assert_true(packed_bytes_of_change(4002, 4003) < unchanged + 20);
	assert_true(packed_bytes_of_change(3999, 4000) < unchanged + 20);
	assert_true(packed_bytes_of_change(500, 3000) < unchanged + 2500 + 30);
	assert_true(packed_bytes_of_change(30, 3990) < all + 1);
}

TEST(memory_that_changed_is_read)
{
	const struct strbuf stream = { (char *)CHANGE("\x12", "\1"), 23, 0 };
	const struct trace_memory memory = { 0, 3, BYTES("abc"), BYTES("azz") };
	const struct trace_message wanted = { .kind = TRACE_IOCTL, .fd_path = "", .fd = -1, .memory = &memory,
					      .memory_count = 1, NO_HEADER };

	assert_reads(reader_of(&stream), (const struct trace_message *[]){ &wanted }, 1);
}

TEST(bytes_that_were_read_before_come_first)
{
	const struct trace_message *const wanted[] = { &a_header, &a_call };
	struct strbuf stream = stream_of(wanted, 2);

	assert_reads(trace_reader_new(file_of(stream.text + 20, stream.length - 20), "t.trace",
				      (const uint8_t *)stream.text, 20),
		     wanted, 2);
	strbuf_release(&stream);
}

TEST(a_message_is_returned_before_more_is_read_from_a_pipe)
{
	struct strbuf stream = { 0 };
	struct trace_reader *reader;
	struct trace_message got;
	int ends[2];

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

TEST(a_file_that_cannot_be_read_is_reported)
{
	struct trace_reader *reader = trace_reader_new(-1, "t.trace", NULL, 0);
	struct trace_message got;
	struct err err;

	assert_int_equal(trace_next(&got, reader, &err), ERR_IO);
	assert_string_equal(err.text, "cannot read t.trace: Bad file descriptor");
	trace_reader_free(reader);
}

TEST(a_compressed_stream_is_read_frame_by_frame)
{
	const struct trace_message *wanted[2000];
	struct strbuf stream, packed = { 0 };

	for (int i = 0; i < 2000; i++)
		wanted[i] = &a_call;
	stream = stream_of(wanted, 1000);
	for (int frame = 0; frame < 2; frame++)
		assert_int_equal(compress_append(&packed, stream.text, stream.length, 3, NULL), 0);
	assert_true(trace_recognise((const uint8_t *)packed.text, 64));
	assert_reads(reader_of(&packed), wanted, 2000);
	strbuf_release(&stream);
	strbuf_release(&packed);
}

TEST(a_compressed_stream_that_is_cut_ends_early_and_is_reported)
{
	enum { MANY = 4000 }; /* so many calls that zstd compresses them in several blocks */
	struct strbuf stream = { 0 }, packed = { 0 };
	struct trace_message call = a_call;
	struct trace_reader *reader;
	int count = 0;

	for (unsigned i = 0; i < MANY; i++) {
		call.start_ns = i * 2654435761u;
		trace_pack(&stream, &call, TRACE_WIRE_DRVABI);
	}
	assert_int_equal(compress_append(&packed, stream.text, stream.length, 3, NULL), 0);
	packed.length -= 10;
	reader = reader_of(&packed);
	while (trace_next(&call, reader, NULL) == 1)
		count++;
	assert_true(count > 0 && count < MANY);
	assert_true(trace_reader_cut(reader) > 0);
	assert_true(trace_reader_cut(reader) != UINT64_MAX);
	trace_reader_free(reader);
	strbuf_release(&stream);
	strbuf_release(&packed);
}

TEST(a_compressed_stream_that_goes_on_with_something_else_is_refused)
{
	static const char text[] = "t.trace: zstd cannot decompress the data after byte 32 (decompressed): ";
	struct strbuf packed = { 0 }, stream = { 0 };
	struct trace_reader *reader;
	struct trace_message got;
	struct err err;

	trace_pack(&stream, &an_open, TRACE_WIRE_DRVABI);
	assert_int_equal(compress_append(&packed, stream.text, stream.length, 3, NULL), 0);
	strbuf_adds(&packed, "something else");
	reader = reader_of(&packed);
	assert_int_equal(trace_next(&got, reader, &err), 1);
	assert_int_equal(trace_next(&got, reader, &err), ERR_FORMAT);
	err.text[sizeof(text) - 1] = '\0'; /* zstd's own message follows */
	assert_string_equal(err.text, text);
	assert_int_equal(trace_next(&got, reader, &err), ERR_FORMAT);
	trace_reader_free(reader);
	strbuf_release(&stream);
	strbuf_release(&packed);
}

/* --- is a file a trace? ------------------------------------------------------------------------------ */

TEST(the_beginning_of_a_trace_is_recognised)
{
	for (size_t i = 0; i < COUNT(all_messages); i++) {
		struct strbuf stream = stream_of(&all_messages[i], 1);

		for (size_t size = 9; size <= stream.length; size++)
			assert_true(trace_recognise((const uint8_t *)stream.text, size));
		strbuf_release(&stream);
	}
}

TEST(a_stream_of_gvisors_is_recognised)
{
	struct strbuf stream = { 0 };

	trace_pack(&stream, &a_call, TRACE_WIRE_GVISOR);
	assert_true(trace_recognise((const uint8_t *)stream.text, stream.length));
	strbuf_release(&stream);
}

TEST(other_bytes_are_not_a_trace)
{
	static const char zeros[64];
	static const struct {
		const char *fact;
		struct trace_bytes bytes;
	} rows[] = {
		{ "a line of strace",
		  BYTES("ioctl(3, _IOC(_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20), 0x7ffc19671e20) = 0\n") },
		{ "a line of runsc",
		  BYTES("nvproxy: unknown control command 0x20803801 (paramsSize=1928)\n") },
		{ "empty lines", BYTES("\n\n\n\n\n\n\n\n\n\n\n\n") },
		{ "no bytes", BYTES("") },
		{ "only a length", BYTES("12345678") },
		{ "zeros", { (const uint8_t *)zeros, sizeof(zeros) } },
		{ "a field that messages do not have", BYTES("\2\0\0\0\0\0\0\0\x92\x06\0") },
		{ "a path of another type", BYTES("\2\0\0\0\0\0\0\0\x08\1") },
		{ "a path longer than the message", BYTES("\4\0\0\0\0\0\0\0\x0a\x07/d/dev/nvidiactl") },
		{ "a gigantic message", BYTES("\1\0\0\4\0\0\0\0\x0a\1a") },
		{ "an ELF file", BYTES("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0\1\0\0\0") },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		if (trace_recognise(rows[i].bytes.bytes, rows[i].bytes.size_bytes))
			fail_msg("%s", rows[i].fact);
}
