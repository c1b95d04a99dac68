/* Tests of whether the first bytes of a file are a trace. */
#include "decode/fixture_test.h"

static void the_beginning_of_a_trace_is_recognised(void **state)
{
	for (size_t i = 0; i < COUNT(all_messages); i++) {
		struct strbuf stream = stream_of(&all_messages[i], 1);

		for (size_t size = 9; size <= stream.length; size++)
			assert_true(trace_recognise((const uint8_t *)stream.text, size));
		strbuf_release(&stream);
	}
}

static void a_stream_of_gvisors_is_recognised(void **state)
{
	struct strbuf stream = { 0 };

	trace_pack(&stream, &a_call, TRACE_WIRE_GVISOR);
	assert_true(trace_recognise((const uint8_t *)stream.text, stream.length));
	strbuf_release(&stream);
}

static void other_bytes_are_not_a_trace(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_beginning_of_a_trace_is_recognised),
		cmocka_unit_test(a_stream_of_gvisors_is_recognised),
		cmocka_unit_test(other_bytes_are_not_a_trace),
	};

	return cmocka_run_group_tests_name("trace recognise", tests, NULL, NULL);
}
