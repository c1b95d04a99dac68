/* Tests of the readers for the output of hexdump, od and xxd. */
#include "decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Checks that reading @text appends the @size bytes of @wanted to the buffer. */
static void reads(int (*read)(struct strbuf *out, const char *text, struct err *err), const char *text,
		  const char *wanted, size_t size)
{
	struct strbuf out = { 0 };
	struct err err = { "" };

	strbuf_adds(&out, "x");
	if (read(&out, text, &err))
		fail_msg("%s", err.text);
	assert_int_equal(out.length, size + 1);
	assert_memory_equal(out.text + 1, wanted, size);
	strbuf_release(&out);
}

/* Checks that @text is refused with @why, and that the buffer is unchanged. */
static void refuses(int (*read)(struct strbuf *out, const char *text, struct err *err), const char *text,
		    int code, const char *why)
{
	struct strbuf out = { 0 };
	struct err err = { "" };

	strbuf_adds(&out, "x");
	assert_int_equal(read(&out, text, &err), code);
	if (!strstr(err.text, why))
		fail_msg("'%s' does not say '%s'", err.text, why);
	assert_int_equal(out.length, 1);
	strbuf_release(&out);
}

static void words_are_turned(void **state)
{
	(void)state;
	reads(decode_hexdump, "0000000 6261 0163\n0000004\n", "abc\1", 4);
	reads(decode_hexdump, "0000000    6261    0163\r\n0000004\r\n", "abc\1", 4);
	reads(decode_hexdump, "000000 01636261\n000004\n", "abc\1", 4);
	reads(decode_hexdump, "0000000 6261 0163", "abc\1", 4);
}

static void the_last_offset_says_how_many_bytes_a_word_has(void **state)
{
	(void)state;
	reads(decode_hexdump, "0000000 6261 0063\n0000003\n", "abc", 3);
	reads(decode_hexdump, "000000 00636261\n000003\n", "abc", 3);
	refuses(decode_hexdump, "0000000 6261 0063\n0000002\n", ERR_FORMAT,
		"line 2 of the dump is at offset 0x2");
	refuses(decode_hexdump, "00000000  61 62 63\n00000002\n", ERR_FORMAT, "line 2");
	refuses(decode_hexdump, "0000000 6261\n0000002\n0000002 6261\n", ERR_FORMAT,
		"comes after a line with only an offset");
}

static void bytes_with_text_beside_them(void **state)
{
	(void)state;
	reads(decode_hexdump,
	      "00000000  61 62 63 01 00 00 00 4e  56 49                 |abc....NVI|\n0000000a\n",
	      "abc\1\0\0\0NVI", 10);
	reads(decode_hexdump, "  000000 61 62 63 >abc<\n", "abc", 3);
}

static void a_star_repeats_a_line(void **state)
{
	char zeros[0x42] = { [0x40] = 'z', [0x41] = '!' };

	(void)state;
	reads(decode_hexdump, "0000000 0000 0000 0000 0000 0000 0000 0000 0000\n*\n0000040 217a\n0000042\n",
	      zeros, sizeof(zeros));
	reads(decode_hexdump, "0000000 0000 0000 0000 0000 0000 0000 0000 0000\n*\n0000040\n", zeros, 0x40);
	reads(decode_xxd, "00000000: 0000 0000  ....\n*\n00000040: 7a21  z!\n", zeros, sizeof(zeros));
	refuses(decode_hexdump, "*\n0000040\n", ERR_FORMAT, "line 1 of the dump is \"*\"");
	refuses(decode_hexdump, "0000000 0000\n*\n*\n0000040\n", ERR_FORMAT, "line 3 of the dump is \"*\"");
	refuses(decode_hexdump, "0000000 0000\n*\n", ERR_FORMAT, "no offset after it shows");
	refuses(decode_hexdump, "0000000 0000\n*\n0000003\n", ERR_FORMAT,
		"but the 2 bytes that \"*\" repeats from offset 0x2 do not end there");
	refuses(decode_hexdump, "0000000 0000\n*\n0000001\n", ERR_FORMAT, "do not end there");
	refuses(decode_hexdump, "0000000 0000\n*\nfffffffffffffffe\n", ERR_LIMIT,
		"a dump can have at most 16777216 bytes");
}

static void lines_stand_where_their_offset_is(void **state)
{
	(void)state;
	refuses(decode_hexdump, "0000010 6261\n", ERR_FORMAT,
		"line 1 of the dump is at offset 0x10, but the lines before it have 0x0 bytes");
	refuses(decode_xxd, "00000000: 61  a\n00000002: 62  b\n", ERR_FORMAT,
		"line 2 of the dump is at offset 0x2, but the lines before it have 0x1");
}

static void other_forms_of_hexdump_are_refused(void **state)
{
	(void)state;
	refuses(decode_hexdump, "0000000 141 142\n", ERR_FORMAT, "not hexadecimal bytes or words");
	refuses(decode_hexdump, "0000000   25185   00355\n", ERR_FORMAT, "not hexadecimal bytes or words");
	refuses(decode_hexdump, "0000000 6261 01\n", ERR_FORMAT, "not hexadecimal bytes or words");
	refuses(decode_hexdump, "0000000 626x\n", ERR_FORMAT, "not hexadecimal bytes or words");
	refuses(decode_hexdump, "00000000: 6261\n", ERR_FORMAT, "does not begin with an offset");
	refuses(decode_hexdump, "", ERR_FORMAT, "the dump has no bytes");
	refuses(decode_hexdump, "0000000\n", ERR_FORMAT, "the dump has no bytes");
}

static void groups_of_xxd(void **state)
{
	(void)state;
	reads(decode_xxd, "00000000: 6162 6301  abc.\n", "abc\1", 4);
	reads(decode_xxd, "00000000: 61 62 63 01  abc.\n", "abc\1", 4);
	reads(decode_xxd, "00000000: 61626301  abc.\n", "abc\1", 4);
	reads(decode_xxd, "00000000: 6162 63                                  abc\n", "abc", 3);
	reads(decode_xxd, "00000000: 6162 6320\n", "abc ", 4);
	reads(decode_xxd, "00000000: 6162 6320  abc\n", "abc ", 4);
	reads(decode_xxd, "00000000: 2020 2020      \n", "    ", 4);
}

/* The text can look like a group. */
static void text_that_is_digits(void **state)
{
	(void)state;
	reads(decode_xxd, "00000000: 6162  ab\n", "ab", 2);
	reads(decode_xxd, "00000000: 6162 2063  ab c\n", "ab c", 4);
	reads(decode_xxd, "00000000: 2061 6220   ab \n", " ab ", 4);
	reads(decode_xxd, "00000000: 3030 3030 3030 3030  00000000\n", "00000000", 8);
}

static void turned_groups_of_xxd(void **state)
{
	(void)state;
	reads(decode_xxd, "00000000: 01636261 01020304  abc.....\n", "abc\1\4\3\2\1", 8);
	reads(decode_xxd, "00000000: 01020304 01020304  ........\n00000008: 01636261  abc.\n",
	      "\4\3\2\1\4\3\2\1abc\1", 12);
	reads(decode_xxd, "00000000: 7a000000     217a           ...zz!\n", "\0\0\0zz!", 6);
	refuses(decode_xxd, "00000000: 01636261  abc.\n00000004: 61626301  abc.\n", ERR_FORMAT,
		"line 2 of the dump has bytes that do not match the text");
}

/* No byte is printable, so only the position of the blanks in a short group shows the order. */
static void groups_whose_order_no_text_shows(void **state)
{
	static const char bytes[] = "\1\2\3\4\5\6\7";

	(void)state;
	reads(decode_xxd, "00000000: 04030201   070605   .......\n", bytes, 7);
	reads(decode_xxd, "00000000: 01020304 050607     .......\n", bytes, 7);
	reads(decode_xxd, "00000000:   030201                             ...\n", bytes, 3);
	reads(decode_xxd, "00000000: 0102 0304 0506 07  .......\n", bytes, 7);
	reads(decode_xxd, "00000000: 04030201  ....\n00000004:   070605  ...\n", bytes, 7);
	reads(decode_xxd, "00000000: 00000000 01010101  ........\n", "\0\0\0\0\1\1\1\1", 8);
	refuses(decode_xxd, "00000000: 00000000  ....\n00000004: 01020304  ....\n", ERR_FORMAT,
		"line 2 of the dump has groups of more than 2 bytes, and no text column shows");
	refuses(decode_xxd, "00000000: 01020304\n", ERR_FORMAT,
		"no text column shows whether their bytes are reversed");
}

static void bits_of_xxd_are_refused(void **state)
{
	(void)state;
	refuses(decode_xxd, "00000000: 01100001 01100010 01100011 00000001 00000000 00000000  abc...\n",
		ERR_FORMAT, "do not match the text");
	refuses(decode_xxd, "00000000: 6163  ab\n", ERR_FORMAT, "do not match the text");
	refuses(decode_xxd, "00000000: 616  a\n", ERR_FORMAT, "do not match the text");
	refuses(decode_xxd, "00000000 6162\n", ERR_FORMAT, "an offset and a colon");
}

static void an_array_of_xxd(void **state)
{
	(void)state;
	reads(decode_xxd, "unsigned char s[] = {\n  0x61, 0x62,\n  0x63\n};\nunsigned int s_len = 3;\n",
	      "abc", 3);
	refuses(decode_xxd, "unsigned char s[] = {\n  0x61, 0x62\n};\nunsigned int s_len = 3;\n", ERR_FORMAT,
		"has 2 bytes, but its declared length is 3");
	refuses(decode_xxd, "s[] = { 0x61, 0x162 }", ERR_FORMAT, "element 1 of the array is not a byte");
	refuses(decode_xxd, "s[] = { 0x61, x }", ERR_FORMAT, "element 1 of the array is not in the form of xxd -i");
	refuses(decode_xxd, "s[] = { 0x61", ERR_FORMAT, "element 1 of the array");
}

static void dumps_are_told_from_digits(void **state)
{
	(void)state;
	assert_true(decode_is_hexdump("0000000 6261\n"));
	assert_true(decode_is_hexdump("\n00000000  61 62                       |ab|\n"));
	assert_true(decode_is_hexdump("000000 61 62\n000002\n"));
	assert_true(decode_is_hexdump("000000 61 62\n*\n000008\n"));
	assert_true(decode_is_hexdump("000000 6261 6463 >abcd<\r\n000004 61\r\n000005\r\n"));
	assert_true(decode_is_hexdump("000000 64636261 00000065\n000005\n"));
	assert_false(decode_is_hexdump("000000 64636261 00000065\n000004\n"));
	assert_false(decode_is_hexdump("000000 61 62\n000003\n"));
	assert_false(decode_is_hexdump("000000 61 62\n"));
	assert_false(decode_is_hexdump("000000 61 62"));
	assert_false(decode_is_hexdump("000000 \n000000\n"));
	assert_false(decode_is_hexdump("000002 61 62\n000002\n"));
	assert_false(decode_is_hexdump("00000000 01020304"));
	assert_false(decode_is_hexdump("00000001"));
	assert_false(decode_is_hexdump(""));
	assert_true(decode_is_xxd("00000000: 6162  ab"));
	assert_true(decode_is_xxd("unsigned char s[] = {\n  0x61 };"));
	assert_false(decode_is_xxd("c1 d0:00 01"));
	assert_false(decode_is_xxd("c1:d0:00:01"));
	assert_false(decode_is_xxd("0x61, 0x62"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_turned),
		cmocka_unit_test(the_last_offset_says_how_many_bytes_a_word_has),
		cmocka_unit_test(bytes_with_text_beside_them),
		cmocka_unit_test(a_star_repeats_a_line),
		cmocka_unit_test(lines_stand_where_their_offset_is),
		cmocka_unit_test(other_forms_of_hexdump_are_refused),
		cmocka_unit_test(groups_of_xxd),
		cmocka_unit_test(text_that_is_digits),
		cmocka_unit_test(turned_groups_of_xxd),
		cmocka_unit_test(groups_whose_order_no_text_shows),
		cmocka_unit_test(bits_of_xxd_are_refused),
		cmocka_unit_test(an_array_of_xxd),
		cmocka_unit_test(dumps_are_told_from_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
