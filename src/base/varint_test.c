/* Tests of reading numbers and texts from a buffer, and of the end of the buffer. */
#include "base/unit_test.h"

static const uint64_t numbers[] = {
	0, 1, 0x7f, 0x80, 0x3fff, 0x4000, UINT32_MAX, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX
};
enum { NUMBER_COUNT = sizeof(numbers) / sizeof(*numbers) };

TEST(every_number_comes_back)
{
	struct strbuf bytes = { 0 };
	const unsigned char *at, *end;
	uint64_t got;

	for (size_t i = 0; i < NUMBER_COUNT; i++) {
		varint_put(&bytes, numbers[i]);
		if (numbers[i] == 0x7f)
			assert_int_equal(bytes.length, i + 1); /* small numbers take one byte */
		if (numbers[i] == 0x80)
			assert_int_equal(bytes.length, i + 2);
	}
	at = (const unsigned char *)bytes.text;
	end = at + bytes.length;
	for (size_t i = 0; i < NUMBER_COUNT; i++) {
		assert_true(varint_get(&got, &at, end));
		assert_true(got == numbers[i]);
	}
	assert_ptr_equal(at, end);
	assert_false(varint_get(&got, &at, end));
	strbuf_release(&bytes);
}

TEST(what_is_no_number_is_refused)
{
	static const struct {
		const char *fact, *bytes;
		size_t size;
		bool is_number;
	} rows[] = {
		{ "without a byte, there is no number", "", 0, false },
		{ "a byte that another must follow", "\x80", 1, false },
		{ "0 in two bytes", "\x80\x00", 2, false },
		{ "64 bits", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, true },
		{ "65 bits", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, false },
		{ "71 bits", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const unsigned char *const bytes = (const unsigned char *)rows[i].bytes, *at = bytes;
		uint64_t got = 77;

		if (varint_get(&got, &at, at + rows[i].size) != rows[i].is_number ||
		    (!rows[i].is_number && (at != bytes || got != 77)))
			fail_msg("%s", rows[i].fact);
	}
}

TEST(numbers_of_either_sign_fold)
{
	static const int64_t values[] = { 0, -1, 1, -2, INT64_MAX, INT64_MIN };

	for (uint64_t i = 0; i < 4; i++)
		assert_true(varint_folded(values[i]) == i);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		assert_true(varint_unfolded(varint_folded(values[i])) == values[i]);
}

/* Reads a value for each letter of @reads, and writes the values; then "failed", or the bytes left. */
static void add_values(struct strbuf *out, const char *bytes, size_t size, const char *reads)
{
	struct byte_reader in;

	byte_reader_init(&in, bytes, size);
	for (; *reads; reads++)
		switch (*reads) {
		case 'n': strbuf_addf(out, "%d ", (int)byte_reader_number(&in)); break;
		case 't': strbuf_addf(out, "'%s' ", byte_reader_text(&in)); break;
		case 'b': strbuf_addf(out, "%d ", byte_reader_bool(&in)); break;
		case '5': strbuf_addf(out, "%d ", (int)byte_reader_below(&in, 5)); break;
		case '2': strbuf_addf(out, "%d ", (int)byte_reader_count(&in, 2)); break;
		}
	if (in.failed)
		strbuf_adds(out, in.at == in.end ? "failed" : "failed before the end");
	else
		strbuf_addf(out, "%d left", (int)(in.end - in.at));
}

TEST(a_reader_stops_at_what_is_wrong)
{
	static const struct {
		const char *fact, *bytes;
		size_t size;
		const char *reads; /* number, text, bool, a number below 5, a count of 2 bytes each */
		const char *values;
	} rows[] = {
		{ "numbers and texts follow each other", "\x05" "ab\0\x01", 5, "ntb", "5 'ab' 1 0 left" },
		{ "a number after the end is zero and fails", "", 0, "n", "0 failed" },
		{ "a text without its NUL is empty and fails", "ab", 2, "t", "'' failed" },
		{ "after a failure nothing more is read", "\x02\x07", 2, "bn", "0 0 failed" },
		{ "a limit is not among the numbers below it", "\x04\x05", 2, "55", "4 0 failed" },
		{ "a count fits the bytes that are left", "\x02" "abcd", 5, "2", "2 4 left" },
		{ "a count does not fit the bytes that are left", "\x03" "abcd", 5, "2", "0 failed" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf values = { 0 };

		add_values(&values, rows[i].bytes, rows[i].size, rows[i].reads);
		if (strcmp(values.text, rows[i].values))
			fail_msg("%s: %s", rows[i].fact, values.text);
		strbuf_release(&values);
	}
}
