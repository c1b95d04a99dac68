/* Tests of the parser for bytes and numbers that users type or paste. */
#include "decode/fixture_test.h"

static void bytes_are_in_memory_order_and_wrong_text_adds_nothing(void **state)
{
	static const struct {
		const char *text;
		int rc;
		const char *bytes;
	} rows[] = {
		{ "c1d0000f", 0, "c1d0000f" },
		{ " 0xC1, 0xd0\n00:01 ", 0, "c1d00001" }, /* blanks, colons and commas are ignored */
		{ "", 0, "" },
		{ "1", ERR_USAGE, "" },
		{ "c1d", ERR_USAGE, "" },
		{ "xy", ERR_USAGE, "" },
		{ "0x0x1", ERR_USAGE, "" },
		{ "c1-d0", ERR_USAGE, "" },
		{ "0x1 2", ERR_USAGE, "" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct strbuf bytes = { 0 }, text = { 0 };

		strbuf_adds(&bytes, "x");
		assert_int_equal(hex_read(&bytes, rows[i].text, NULL), rows[i].rc);
		assert_int_equal(bytes.text[0], 'x');
		for (size_t k = 1; k < bytes.length; k++)
			strbuf_addf(&text, "%02x", (uint8_t)bytes.text[k]);
		assert_false(text_differs(rows[i].text, &text, rows[i].bytes));
		strbuf_release(&bytes);
	}
}

static void numbers_are_decimal_or_begin_with_0x(void **state)
{
	static const struct {
		const char *text, *number; /* the number in decimal; "" if the text is not a number */
	} rows[] = {
		{ "0x2080012F", "545259823" }, { "0X1f", "31" }, { "212", "212" }, { "010", "10" },
		{ "0xffffffffffffffff", "18446744073709551615" },
		{ "", "" }, { "0x", "" }, { "x", "" }, { "-1", "" }, { " 1", "" }, { "1 ", "" },
		{ "12a", "" }, { "1,2", "" }, { "0x-1", "" }, { "0x 1", "" }, { "0x0x1", "" },
		{ "18446744073709551616", "" }, { "0x10000000000000000", "" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct strbuf text = { 0 };
		uint64_t number;

		if (hex_number(&number, rows[i].text))
			strbuf_addf(&text, "%llu", (unsigned long long)number);
		assert_false(text_differs(rows[i].text, &text, rows[i].number));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_in_memory_order_and_wrong_text_adds_nothing),
		cmocka_unit_test(numbers_are_decimal_or_begin_with_0x),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
