/* Tests of the strict check of a JSON text, and of the places in its messages. */
#include "abi/internal.h"
#include "base/unit_test.h"

#define SIZED(text) text, sizeof(text) - 1

TEST(what_json_does_not_allow_is_named_with_its_place)
{
	static const struct {
		const char *text;
		size_t size;
		const char *sentence; /* "" if JSON allows the text */
	} rows[] = {
		{ SIZED("0"), "" },
		{ SIZED(" \t\r\n-0 "), "" },
		{ SIZED("9007199254740992"), "" },
		{ SIZED("-9007199254740992"), "" },
		{ SIZED("true"), "" },
		{ SIZED("[]"), "" },
		{ SIZED("[ {} , [ ] , null, false ]"), "" },
		{ SIZED("{\"a\":{\"b\":[1,2,{\"c\":\"d\"}]},\"e\":1}"), "" },
		{ SIZED("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\""), "" },
		{ SIZED("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f\""), "" },
		{ SIZED(""), "x:1:1: expected a value, found the end of the text" },
		{ SIZED("  \n "), "x:2:2: expected a value, found the end of the text" },
		{ SIZED("{"), "x:1:2: expected a key in quotes, found the end of the text" },
		{ SIZED("{} {}"), "x:1:4: expected the end of the text, found '{'" },
		{ SIZED("1\0"), "x:1:2: expected the end of the text, found byte 0x00" },
		{ SIZED("[1,\0 2]"), "x:1:4: expected a value, found byte 0x00" },
		{ SIZED("\xef\xbb\xbf{}"), "x:1:1: expected a value, found byte 0xef" },
		{ SIZED("{\"a\" 1}"), "x:1:6: expected ':', found '1'" },
		{ SIZED("{\"a\":1,}"), "x:1:8: expected a key in quotes, found '}'" },
		{ SIZED("{\"a\":\n{\"b\":[1,\n2,}]}}"), "x:3:3: expected a value, found '}'" },
		{ SIZED("[1 2]"), "x:1:4: expected ',' or ']', found '2'" },
		{ SIZED("[1}"), "x:1:3: expected ',' or ']', found '}'" },
		{ SIZED("{a:1}"), "x:1:2: expected a key in quotes, found 'a'" },
		{ SIZED("[1] // no"), "x:1:5: expected the end of the text, found '/'" },
		{ SIZED("nul"), "x:1:1: expected a value, found 'n'" },
		{ SIZED("nulll"), "x:1:5: expected the end of the text, found 'l'" },
		{ SIZED("True"), "x:1:1: expected a value, found 'T'" },
		{ SIZED("+1"), "x:1:1: expected a value, found '+'" },
		{ SIZED("-"), "x:1:2: expected a digit, found the end of the text" },
		{ SIZED(".5"), "x:1:1: expected a value, found '.'" },
		{ SIZED("01"), "x:1:1: a number must not start with 0" },
		{ SIZED("0x10"), "x:1:2: expected the end of the text, found 'x'" },
		{ SIZED("1.5"), "x:1:1: expected an integer, found a number with a fraction or an exponent" },
		{ SIZED("1e3"), "x:1:1: expected an integer, found a number with a fraction or an exponent" },
		{ SIZED("NaN"), "x:1:1: expected a value, found 'N'" },
		{ SIZED("{\"n\":9007199254740993}"),
		  "x:1:6: 9007199254740993 exceeds 2^53, above which JSON readers may round numbers; "
		  "write it as a string, \"0x...\"" },
		{ SIZED("[-9007199254740993]"),
		  "x:1:2: -9007199254740993 exceeds 2^53, above which JSON readers may round "
		  "numbers; write it as a string, \"0x...\"" },
		{ SIZED("'a'"), "x:1:1: expected a value, found '''" },
		{ SIZED("\"a"), "x:1:1: the string that starts here does not end" },
		{ SIZED("\"a\\\""), "x:1:1: the string that starts here does not end" },
		{ SIZED("\"\\"), "x:1:2: unknown escape in a string" },
		{ SIZED("\"\\x41\""), "x:1:2: unknown escape in a string" },
		{ SIZED("\"\\u12g4\""), "x:1:2: \\u must be followed by four hexadecimal digits" },
		{ SIZED("\"\\u12"), "x:1:2: \\u must be followed by four hexadecimal digits" },
		{ SIZED("\"a\\u0000b\""), "x:1:3: a string must not contain U+0000" },
		{ SIZED("\"\\ud800\""), "x:1:2: half of a surrogate pair, without the other half" },
		{ SIZED("\"\\ud800\\u0041\""), "x:1:2: half of a surrogate pair, without the other half" },
		{ SIZED("\"\\udc00\""), "x:1:2: half of a surrogate pair, without the other half" },
		{ SIZED("\"a\tb\""), "x:1:3: a string contains the control byte 0x09; escape it" },
		{ SIZED("\"a\0b\""), "x:1:3: a string contains the control byte 0x00; escape it" },
		{ SIZED("[\"\xff\"]"), "x:1:3: byte 0xff is not valid UTF-8" },
		{ SIZED("\"\xc0\x80\""), "x:1:2: byte 0xc0 is not valid UTF-8" },
		{ SIZED("\"\xed\xa0\x80\""), "x:1:2: byte 0xed is not valid UTF-8" },
		{ SIZED("\"\xf4\x90\x80\x80\""), "x:1:2: byte 0xf4 is not valid UTF-8" },
		{ SIZED("\"\xe2\x82"), "x:1:2: byte 0xe2 is not valid UTF-8" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct err err = { "" };

		assert_int_equal(json_scan(rows[i].text, rows[i].size, "x", NULL, &err),
				 *rows[i].sentence ? ERR_FORMAT : 0);
		assert_string_equal(err.text, rows[i].sentence);
	}
}

TEST(depth_64_is_the_last_that_is_accepted)
{
	char text[2 * 65];
	struct err err;

	memset(text, '[', 64);
	memset(text + 64, ']', 64);
	assert_int_equal(json_scan(text, 128, "x", NULL, &err), 0);
	memset(text, '[', 65);
	memset(text + 65, ']', 65);
	assert_int_equal(json_scan(text, 130, "x", NULL, &err), ERR_LIMIT);
	assert_string_equal(err.text, "x:1:65: nested more than 64 levels deep");
}

TEST(a_hundred_megabytes_of_brackets_are_refused_at_once)
{
	size_t size = 100 * 1000 * 1000;
	char *text = malloc(size);
	struct timespec before, after;
	struct err err;

	assert_non_null(text);
	memset(text, '[', size);
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_int_equal(json_scan(text, size, "x", NULL, &err), ERR_LIMIT);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true(after.tv_sec - before.tv_sec <= 1);
	free(text);
}

TEST(each_object_has_its_line)
{
	static const char text[] = "\n{\"a\":\n{}, \"b\": [\n[{\n}],\n{\"\\n\": 1}]\n,\"c\"\n:{}}";
	static const unsigned expected[] = { 2, 2, 4, 6, 7 };
	struct json_lines lines = { 0 };
	struct err err;

	assert_int_equal(json_scan(text, strlen(text), "x", &lines, &err), 0);
	assert_int_equal(lines.count, 5);
	assert_memory_equal(lines.line, expected, sizeof(expected));
	free(lines.line);
}
