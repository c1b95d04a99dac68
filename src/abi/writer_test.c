/* Tests of the writer of JSON: layout, strings and numbers. */
#include "abi/fixture_test.h"

/*
 * Calls the writer for each word: "{" and "(" open an object and an inline object, "[" and "<" an array and
 * an inline array, "}", ")", "]" and ">" close them; "a" is a key, "a=1" a key and its value; "." ends the
 * text.
 */
static void write_words(struct json_writer *writer, const char *words)
{
	for (char *word; *(word = document_word(&words, &arena));) {
		const char *value = strchr(word, '=');

		switch (*word) {
		case '{': json_open_object(writer); break;
		case '(': json_open_inline_object(writer); break;
		case '[': json_open_array(writer); break;
		case '<': json_open_inline_array(writer); break;
		case '}': case ')': json_close_object(writer); break;
		case ']': case '>': json_close_array(writer); break;
		case '.': json_end(writer); break;
		case 'N': json_null(writer); break;
		case 'F': json_bool(writer, false); break;
		case '1': case '2': json_unsigned(writer, (uint64_t)(*word - '0')); break;
		default: {
			const char key[] = { *word, '\0' };

			if (!value)
				json_key(writer, key);
			else if (!strcmp(value, "=1"))
				json_key_unsigned(writer, key, 1);
			else if (!strcmp(value, "=T"))
				json_key_bool(writer, key, true);
			else
				json_key_string(writer, key, value + 1);
		}
		}
	}
}

TEST(the_layout_depends_on_how_a_container_is_opened)
{
	static const struct {
		const char *fact;
		bool compact;
		const char *words, *text;
	} rows[] = {
		{ "an object is indented by one space a level", false, "{ a=1 b [ N F ] c=T } .",
		  "{\n \"a\": 1,\n \"b\": [\n  null,\n  false\n ],\n \"c\": true\n}\n" },
		{ "what is in an inline object stays on its line", false, "[ ( a=x b [ 1 2 ] ) < > ] .",
		  "[\n {\"a\": \"x\", \"b\": [1, 2]},\n []\n]\n" },
		{ "an empty object has no line break", false, "{ a { } } .", "{\n \"a\": {}\n}\n" },
		{ "compact keeps everything on one line", true, "{ a=1 b [ 2 ] } . N .",
		  "{\"a\": 1, \"b\": [2]}\nnull\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf text = { 0 };
		struct json_writer writer = { .out = &text, .compact = rows[i].compact };

		write_words(&writer, rows[i].words);
		assert_false(text_differs(rows[i].fact, &text, rows[i].text));
	}
}

TEST(strings_are_escaped_and_made_valid_utf8)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ NULL, "null" },
		{ "", "\"\"" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
		{ "\n\t\r\x01\x1f", "\"\\n\\t\\r\\u0001\\u001f\"" },
		{ "\x7f/", "\"\\u007f/\"" },
		{ "\xc2\x9b\xe2\x80\xae\xc3\xbc", "\"\\u009b\\u202e\xc3\xbc\"" },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
		{ "a\xff" "b", "\"a\xef\xbf\xbd" "b\"" },
		{ "\xc3", "\"\xef\xbf\xbd\"" },                                   /* cut */
		{ "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },                   /* overlong */
		{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },   /* surrogate */
		{ "\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf text = { 0 };

		json_string(&(struct json_writer){ .out = &text }, cases[i].in);
		assert_false(text_differs("a string", &text, cases[i].out));
	}
}

TEST(numbers_that_a_double_would_change_become_strings)
{
	static const struct {
		struct abi_number in;
		const char *out;
	} cases[] = {
		{ { 0, false }, "0" },
		{ { 12, true }, "-12" },
		{ { UINT64_C(1) << 53, false }, "9007199254740992" },
		{ { (UINT64_C(1) << 53) + 1, false }, "\"0x20000000000001\"" },
		{ { (UINT64_C(1) << 53) + 1, true }, "\"-0x20000000000001\"" },
		{ { UINT64_MAX, false }, "\"0xffffffffffffffff\"" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf text = { 0 };

		json_number(&(struct json_writer){ .out = &text }, cases[i].in);
		assert_false(text_differs("a number", &text, cases[i].out));
	}
}

TEST(depth_is_not_bounded_by_the_row_of_spaces)
{
	struct strbuf text = { 0 };
	struct json_writer writer = { .out = &text };

	for (int i = 0; i < 100; i++)
		json_open_array(&writer);
	json_null(&writer);
	for (int i = 0; i < 100; i++)
		json_close_array(&writer);
	json_end(&writer);
	/* 100 opening lines, "null", 100 closing lines; the line at depth i has i spaces */
	assert_int_equal(text.length, 2 * (99 * 100 / 2) + 100 + 4 + 200 + 201);
	strbuf_release(&text);
}

TEST_GROUP(NULL, release_arena)
