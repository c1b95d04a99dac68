#include "decode/fixture_test.h"

static bool recognised(const void *bytes, size_t size)
{
	return trace_recognise(bytes, size);
}

static void the_beginning_of_a_trace_is_recognised(void **state)
{
	const struct trace_message *all[] = { &a_header, &a_call, &an_open, &an_mmap, &a_file };

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct strbuf stream = { 0 };

		trace_pack(&stream, all[i], TRACE_WIRE_DRVABI);
		for (size_t size = 9; size <= stream.length; size++)
			assert_true(recognised(stream.text, size));
		assert_true(recognised(stream.text, stream.length < 64 ? stream.length : 64));
		strbuf_release(&stream);
	}
}

static void a_stream_of_gvisors_is_recognised(void **state)
{
	struct strbuf stream = { 0 };

	(void)state;
	trace_pack(&stream, &a_call, TRACE_WIRE_GVISOR);
	assert_true(recognised(stream.text, stream.length));
	strbuf_release(&stream);
}

static void text_is_not_a_trace(void **state)
{
	static const char *const lines[] = {
		"ioctl(3, _IOC(_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20), 0x7ffc19671e20) = 0\n",
		"nvproxy: unknown control command 0x20803801 (paramsSize=1928)\n",
		"\n\n\n\n\n\n\n\n\n\n\n\n",
		"",
		"12345678",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_false(recognised(lines[i], strlen(lines[i])));
}

static void other_bytes_are_not_a_trace(void **state)
{
	static const char zeros[64], field_of_no_message[] = "\2\0\0\0\0\0\0\0\x92\x06\0",
				     as_another_type[] = "\2\0\0\0\0\0\0\0\x08\1",
				     longer_than_the_message[] = "\4\0\0\0\0\0\0\0\x0a\x07/d/dev/nvidiactl",
				     gigantic[] = "\1\0\0\4\0\0\0\0\x0a\1a";

	(void)state;
	assert_false(recognised(zeros, sizeof(zeros)));
	assert_false(recognised(field_of_no_message, sizeof(field_of_no_message) - 1));
	assert_false(recognised(as_another_type, sizeof(as_another_type) - 1));
	assert_false(recognised(longer_than_the_message, sizeof(longer_than_the_message) - 1));
	assert_false(recognised(gigantic, sizeof(gigantic) - 1));
	assert_false(recognised("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0\1\0\0\0", 24));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_beginning_of_a_trace_is_recognised),
		cmocka_unit_test(a_stream_of_gvisors_is_recognised),
		cmocka_unit_test(text_is_not_a_trace),
		cmocka_unit_test(other_bytes_are_not_a_trace),
	};

	return cmocka_run_group_tests_name("trace recognise", tests, NULL, NULL);
}
