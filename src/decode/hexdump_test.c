/*
 * Tests of bytes and numbers that users type or paste. A row has a text, such as the output of hexdump, od or
 * xxd, and the bytes that are read, or the error. A text that is refused must leave the buffer unchanged.
 */
#include "decode/fixture_test.h"

struct dump_fact {
	const char *fact, *dump, *result; /* the result: "61626301", or "ERR_FORMAT the whole sentence" */
};

#define ZEROS_16 "00000000000000000000000000000000"
#define ZEROS_64 ZEROS_16 ZEROS_16 ZEROS_16 ZEROS_16
#define FIRST_16 "0000000 0000 0000 0000 0000 0000 0000 0000 0000\n"
#define NOT_A_WORD                                                                                           \
	"ERR_FORMAT line 1 of the dump has groups that are not hexadecimal bytes or words; give lines of "   \
	"hexdump, hexdump -x or hexdump -C"
#define NOT_AT(offset, bytes)                                                                                \
	" of the dump is at offset " offset ", but the lines before it have " bytes " bytes; give all "     \
	"lines, starting at offset 0"
#define NO_STAR " of the dump is \"*\", but no line before it can be repeated"
#define NOT_THE_TEXT                                                                                         \
	" of the dump has bytes that do not match the text next to them; give lines of xxd, xxd -e, xxd -p " \
	"or xxd -i"
#define NO_ORDER                                                                                             \
	" of the dump has groups of more than 2 bytes, and no text column shows whether their bytes are "    \
	"reversed, as by xxd -e; give lines of xxd -g 1"

#define NOT_DIGITS(text)                                                                                     \
	"ERR_USAGE '" text "' is not hexadecimal: give two digits per byte, in memory order"

static const struct dump_fact digits[] = {
	{ "digits are in memory order", "c1d0000f", "c1d0000f" },
	{ "blanks, colons and commas are ignored", " 0xC1, 0xd0\n00:01 ", "c1d00001" },
	{ "no digits", "", "" },
	{ "half a byte", "1", NOT_DIGITS("1") },
	{ "half a byte at the end", "c1d", NOT_DIGITS("d") },
	{ "letters", "xy", NOT_DIGITS("xy") },
	{ "two prefixes", "0x0x1", NOT_DIGITS("1") },
	{ "another character", "c1-d0", NOT_DIGITS("-d0") },
	{ "a blank in a byte", "0x1 2", NOT_DIGITS("1 2") },
};

static const struct dump_fact hexdumps[] = {
	{ "the lowest byte of a word is the first", "0000000 6261 0163\n0000004\n", "61626301" },
	{ "carriage returns are ignored", "0000000    6261    0163\r\n0000004\r\n", "61626301" },
	{ "words can have four bytes", "000000 01636261\n000004\n", "61626301" },
	{ "the last line can be missing", "0000000 6261 0163", "61626301" },
	{ "the last offset shows how many bytes a word has", "0000000 6261 0063\n0000003\n", "616263" },
	{ "the last word of four bytes can have three", "000000 00636261\n000003\n", "616263" },
	{ "a whole word too many", "0000000 6261 0063\n0000002\n",
	  "ERR_FORMAT line 2" NOT_AT("0x2", "0x4") },
	{ "a byte too many", "00000000  61 62 63\n00000002\n",
	  "ERR_FORMAT line 2" NOT_AT("0x2", "0x3") },
	{ "a line after the last", "0000000 6261\n0000002\n0000002 6261\n",
	  "ERR_FORMAT line 3 of the dump comes after a line with only an offset, which ends a dump" },
	{ "bytes with text next to them",
	  "00000000  61 62 63 01 00 00 00 4e  56 49                 |abc....NVI|\n0000000a\n",
	  "616263010000004e5649" },
	{ "od's text", "  000000 61 62 63 >abc<\n", "616263" },
	{ "a star repeats a line up to the next", FIRST_16 "*\n0000040 217a\n0000042\n", ZEROS_64 "7a21" },
	{ "a star repeats a line up to the end", FIRST_16 "*\n0000040\n", ZEROS_64 },
	{ "a star without a line", "*\n0000040\n", "ERR_FORMAT line 1" NO_STAR },
	{ "two stars", "0000000 0000\n*\n*\n0000040\n", "ERR_FORMAT line 3" NO_STAR },
	{ "a star at the end", "0000000 0000\n*\n",
	  "ERR_FORMAT line 2 of the dump is \"*\", but no offset after it shows how often the line is "
	  "repeated" },
	{ "a star that repeats half a line", "0000000 0000\n*\n0000003\n",
	  "ERR_FORMAT line 3 of the dump is at offset 0x3, but the 2 bytes that \"*\" repeats from "
	  "offset 0x2 do not end there" },
	{ "a star up to an earlier offset", "0000000 0000\n*\n0000001\n",
	  "ERR_FORMAT line 3 of the dump is at offset 0x1, but the 2 bytes that \"*\" repeats from "
	  "offset 0x2 do not end there" },
	{ "a star that repeats a gigantic number of bytes", "0000000 0000\n*\nfffffffffffffffe\n",
	  "ERR_LIMIT line 3 of the dump is at offset 0xfffffffffffffffe; a dump can have at most 16777216 "
	  "bytes" },
	{ "a first line that is not at offset 0", "0000010 6261\n",
	  "ERR_FORMAT line 1" NOT_AT("0x10", "0x0") },
	{ "octal bytes", "0000000 141 142\n", NOT_A_WORD },
	{ "decimal words", "0000000   25185   00355\n", NOT_A_WORD },
	{ "groups of different sizes", "0000000 6261 01\n", NOT_A_WORD },
	{ "a letter that is not a digit", "0000000 626x\n", NOT_A_WORD },
	{ "a line of xxd", "00000000: 6261\n",
	  "ERR_FORMAT line 1 of the dump does not begin with an offset, as hexdump's lines do" },
	{ "an empty text", "", "ERR_FORMAT the dump has no bytes" },
	{ "only an offset", "0000000\n", "ERR_FORMAT the dump has no bytes" },
};

static const struct dump_fact xxds[] = {
	{ "groups of two bytes", "00000000: 6162 6301  abc.\n", "61626301" },
	{ "groups of a byte", "00000000: 61 62 63 01  abc.\n", "61626301" },
	{ "groups of four bytes", "00000000: 61626301  abc.\n", "61626301" },
	{ "a short last group", "00000000: 6162 63                                  abc\n", "616263" },
	{ "no text", "00000000: 6162 6320\n", "61626320" },
	{ "a blank at the end of the text can be missing", "00000000: 6162 6320  abc\n", "61626320" },
	{ "a text of blanks", "00000000: 2020 2020      \n", "20202020" },
	{ "a star repeats a line", "00000000: 0000 0000  ....\n*\n00000040: 7a21  z!\n", ZEROS_64 "7a21" },
	{ "a line at an offset after its bytes", "00000000: 61  a\n00000002: 62  b\n",
	  "ERR_FORMAT line 2" NOT_AT("0x2", "0x1") },
	{ "a text that looks like a byte", "00000000: 6162  ab\n", "6162" },
	{ "a text whose end looks like a byte", "00000000: 6162 2063  ab c\n", "61622063" },
	{ "a text with blanks that looks like a byte", "00000000: 2061 6220   ab \n", "20616220" },
	{ "a text that looks like a group", "00000000: 3030 3030 3030 3030  00000000\n", "3030303030303030" },
	{ "reversed groups", "00000000: 01636261 01020304  abc.....\n", "6162630104030201" },
	{ "a line of reversed groups without text that shows their order",
	  "00000000: 01020304 01020304  ........\n00000008: 01636261  abc.\n", "040302010403020161626301" },
	{ "a short reversed group", "00000000: 7a000000     217a           ...zz!\n", "0000007a7a21" },
	{ "a line with reversed groups, and one without",
	  "00000000: 01636261  abc.\n00000004: 61626301  abc.\n", "ERR_FORMAT line 2" NOT_THE_TEXT },
	/* No byte is printable, so only the position of the blanks in a short group shows the order. */
	{ "blanks before the digits of a short group",
	  "00000000: 04030201   070605   .......\n", "01020304050607" },
	{ "blanks after the digits of a short group",
	  "00000000: 01020304 050607     .......\n", "01020304050607" },
	{ "one short group", "00000000:   030201                             ...\n", "010203" },
	{ "groups of xxd's default size", "00000000: 0102 0304 0506 07  .......\n", "01020304050607" },
	{ "a short group in another line",
	  "00000000: 04030201  ....\n00000004:   070605  ...\n", "01020304050607" },
	{ "groups that are the same in both orders", "00000000: 00000000 01010101  ........\n",
	  "0000000001010101" },
	{ "a group whose order nothing shows", "00000000: 00000000  ....\n00000004: 01020304  ....\n",
	  "ERR_FORMAT line 2" NO_ORDER },
	{ "a group without text", "00000000: 01020304\n", "ERR_FORMAT line 1" NO_ORDER },
	{ "a short group without text", "00000000: 01020304 050607\n", "ERR_FORMAT line 1" NO_ORDER },
	{ "a short reversed group without text", "00000000: 01636261  abc.\n00000004: 01636261 62\n",
	  "616263016162630162" },
	{ "bits of xxd -b",
	  "00000000: 01100001 01100010 01100011 00000001 00000000 00000000  abc...\n",
	  "ERR_FORMAT line 1" NOT_THE_TEXT },
	{ "a byte that is not that of the text", "00000000: 6163  ab\n", "ERR_FORMAT line 1" NOT_THE_TEXT },
	{ "half a byte", "00000000: 616  a\n", "ERR_FORMAT line 1" NOT_THE_TEXT },
	{ "no colon", "00000000: 61  a\n00000001 6162\n",
	  "ERR_FORMAT line 2 of the dump does not begin with an offset and a colon, as xxd's lines do" },
	{ "an array of xxd -i",
	  "unsigned char s[] = {\n  0x61, 0x62,\n  0x63\n};\nunsigned int s_len = 3;\n", "616263" },
	{ "an array with a missing byte",
	  "unsigned char s[] = {\n  0x61, 0x62\n};\nunsigned int s_len = 3;\n",
	  "ERR_FORMAT the array has 2 bytes, but its declared length is 3" },
	{ "an array with a number larger than a byte", "s[] = { 0x61, 0x162 }",
	  "ERR_FORMAT element 1 of the array is not a byte" },
	{ "an array with a name", "s[] = { 0x61, x }",
	  "ERR_FORMAT element 1 of the array is not in the form of xxd -i" },
	{ "an array without an end", "s[] = { 0x61",
	  "ERR_FORMAT element 1 of the array is not in the form of xxd -i" },
};

/* The format is recognized, so texts that are not dumps are digits. */
static const struct dump_fact recognised[] = {
	{ "seven digits are an offset", "0000000 6261\n", "6162" },
	{ "a bar shows that eight digits are an offset",
	  "\n00000000  61 62                       |ab|\n", "6162" },
	{ "a second offset shows that six digits are an offset", "000000 61 62\n000002\n", "6162" },
	{ "so does a star", "000000 61 62\n*\n000008\n", "6162616261626162" },
	{ "also with text and a word that is cut",
	  "000000 6261 6463 >abcd<\r\n000004 0065\r\n000005\r\n", "6162636465" },
	{ "also with a longer word that is cut", "000000 64636261 00000065\n000005\n", "6162636465" },
	{ "a second offset in the word before", "000000 64636261 00000065\n000004\n",
	  "0000006463626100000065000004" },
	{ "a second offset after the bytes", "000000 61 62\n000003\n", "0000006162000003" },
	{ "no second offset", "000000 61 62\n", "0000006162" },
	{ "no second line", "000000 61 62", "0000006162" },
	{ "no bytes", "000000 \n000000\n", "000000000000" },
	{ "a first offset that is not 0", "000002 61 62\n000002\n", "0000026162000002" },
	{ "eight digits alone", "00000000 01020304", "0000000001020304" },
	{ "one word", "00000001", "00000001" },
	{ "a line of xxd", "00000000: 6162  ab", "6162" },
	{ "an array of xxd -i", "unsigned char s[] = {\n  0x61 };", "61" },
	{ "colons between bytes", "c1:d0:00:01", "c1d00001" },
	{ "bytes with prefixes", "0x61, 0x62", "6162" },
};

/* Reads each text after a byte "x", which must stay. */
static void check_bytes(const struct dump_fact *facts, size_t count, const char *format)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct strbuf bytes = { 0 }, result = { 0 };
		struct err err = { "" };
		int rc;

		strbuf_adds(&bytes, "x");
		rc = hex_read(&bytes, facts[i].dump, format, &err);
		assert_int_equal(bytes.text[0], 'x');
		for (size_t k = 1; k < bytes.length; k++)
			strbuf_addf(&result, "%02x", (uint8_t)bytes.text[k]);
		if (rc)
			print_err(&result, rc, &err);
		wrong += text_differs(facts[i].fact, &result, facts[i].result);
		strbuf_release(&bytes);
	}
	assert_int_equal(wrong, 0);
}

TEST(the_bytes_are_those_of_the_facts)
{
	check_bytes(digits, COUNT(digits), "hex");
	check_bytes(hexdumps, COUNT(hexdumps), "hexdump");
	check_bytes(xxds, COUNT(xxds), "xxd");
	check_bytes(recognised, COUNT(recognised), NULL);
}

TEST(numbers_are_decimal_or_begin_with_0x)
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
