#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define HEAD \
	"{\"format\": \"drvabi-abi/1\", \"driver\": \"d\", \"version\": \"1\", \"commit\": \"\", \"target\": \"t\""
#define DOCUMENT(records, aliases, enums, constants, ioctls)                                                 \
	HEAD ", \"records\": {" records "}, \"aliases\": {" aliases "}, \"enums\": {" enums                  \
	     "}, \"constants\": {" constants "}, \"ioctls\": [" ioctls "], \"warnings\": []}"
#define RECORD(fields)                                                                                       \
	DOCUMENT("\"R\": {\"fields\": [" fields                                                              \
		 "], \"size\": 8, \"align\": 4, \"is_union\": false, \"source\": \"\"}",                     \
		 "", "", "", "")
#define IOCTL(members) DOCUMENT("", "", "", "", "{" members "}")

/* A document with items of every kind, exactly as json_write_abi() writes it. */
static const char everything[] =
	"{\n"
	" \"format\": \"drvabi-abi/1\",\n"
	" \"driver\": \"d\",\n"
	" \"version\": \"1.0\",\n"
	" \"commit\": \"0123456789012345678901234567890123456789\",\n"
	" \"target\": \"x86_64-linux-gnu\",\n"
	" \"records\": {\n"
	"  \"A\": {\n"
	"   \"fields\": [\n"
	"    {\"name\": \"p\", \"type\": \"void *\", \"offset\": 0, \"size\": 8, \"role\": \"pointer\"},\n"
	"    {\"name\": \"lo\", \"type\": \"unsigned int\", \"offset\": 8, \"bit_offset\": 64, \"bit_width\": 3},\n"
	"    {\"name\": \"hi\", \"type\": \"unsigned int\", \"offset\": 9, \"bit_offset\": 75, \"bit_width\": 5},\n"
	"    {\"name\": \"\", \"type\": \"A::_t\", \"offset\": 12, \"size\": 4},\n"
	"    {\"name\": \"tail\", \"type\": \"int[]\", \"offset\": 16, \"size\": 0, \"dims\": [null]}\n"
	"   ],\n"
	"   \"size\": 16,\n"
	"   \"align\": 8,\n"
	"   \"is_union\": false,\n"
	"   \"source\": \"a.h:1:2\"\n"
	"  },\n"
	"  \"A::_t\": {\n"
	"   \"fields\": [],\n"
	"   \"size\": 4,\n"
	"   \"align\": 4,\n"
	"   \"is_union\": true,\n"
	"   \"source\": \"a.h:3:4\"\n"
	"  }\n"
	" },\n"
	" \"aliases\": {\n"
	"  \"int\": {\"type\": \"int\", \"size\": 4},\n"
	"  \"void *\": {\"type\": \"void *\", \"size\": 8}\n"
	" },\n"
	" \"enums\": {\n"
	"  \"E\": {\n"
	"   \"type\": \"long\",\n"
	"   \"size\": 8,\n"
	"   \"values\": {\n"
	"    \"E_MAX\": \"0x7fffffffffffffff\",\n"
	"    \"E_MIN\": \"-0x8000000000000000\",\n"
	"    \"E_ONE\": -1\n"
	"   },\n"
	"   \"source\": \"a.h:5:6\"\n"
	"  }\n"
	" },\n"
	" \"constants\": {\n"
	"  \"BIG\": \"0xffffffffffffffff\",\n"
	"  \"LIMIT\": 9007199254740992,\n"
	"  \"NEGATIVE\": -5\n"
	" },\n"
	" \"ioctls\": [\n"
	"  {\"family\": \"f\", \"name\": \"ONE\", \"number\": 1, \"params\": \"A\", \"flags\": [\"a\", \"b\"], \"access\": \"x\", \"source\": \"a.h:7\"},\n"
	"  {\"family\": \"f\", \"name\": \"TWO\", \"number\": \"0x8000000000000000\", \"params\": null, \"source\": \"\"}\n"
	" ],\n"
	" \"warnings\": [\n"
	"  {\"place\": \"a.h:9\", \"text\": \"A \\\"quoted\\\" word.\"}\n"
	" ]\n"
	"}\n";

static void what_is_read_is_written_byte_for_byte_the_same(void **state)
{
	struct strbuf text = { 0 };
	struct json_writer writer = { .out = &text };
	struct arena arena = { 0 };
	struct err err = { "" };
	struct abi abi;

	(void)state;
	json_read_abi(&abi, everything, sizeof(everything) - 1, "x", &arena, &err);
	assert_string_equal(err.text, "");
	json_write_abi(&writer, &abi);
	assert_string_equal(strbuf_text(&text), everything);
	strbuf_release(&text);
	arena_release(&arena);
}

static void a_bit_field_has_its_place_in_bits(void **state)
{
	struct arena arena = { 0 };
	struct abi abi;

	(void)state;
	assert_int_equal(json_read_abi(&abi, everything, sizeof(everything) - 1, "x", &arena, NULL), 0);
	assert_string_equal(abi.records[0].fields[2].name, "hi");
	assert_true(abi.records[0].fields[2].is_bitfield);
	assert_int_equal(abi.records[0].fields[2].offset_bits, 75);
	assert_int_equal(abi.records[0].fields[2].size_bits, 5);
	arena_release(&arena);
}

static void order_in_the_text_does_not_matter(void **state)
{
	static const char text[] =
		"{\"warnings\": [], \"ioctls\": [], \"constants\": {\"B\": 1, \"A\": 2}, \"enums\": {\"E\": {\"values\": "
		"{\"Z\": 1, \"Y\": 2}, \"size\": 4, \"source\": \"\", \"type\": \"int\"}}, \"aliases\": {}, "
		"\"records\": {}, \"target\": \"\", \"commit\": \"\", \"version\": \"\", \"driver\": \"\", "
		"\"format\": \"drvabi-abi/1\"}";
	struct arena arena = { 0 };
	struct err err = { "" };
	struct abi abi;

	(void)state;
	json_read_abi(&abi, text, sizeof(text) - 1, "x", &arena, &err);
	assert_string_equal(err.text, "");
	assert_string_equal(abi.constants[0].name, "A");
	assert_string_equal(abi.enums[0].values[0].name, "Y");
	arena_release(&arena);
}

static void what_is_wrong_is_named_with_its_path(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} cases[] = {
		{ "[]", "x: expected an object, found an array" },
		{ "{}", "x: the key \"records\" is missing" },
		{ "{\"records\": {}, \"aliases\": {}, \"constants\": {}, \"enums\": {}}",
		  "x: the key \"format\" is missing; \"drvabi-abi/1\" is expected" },
		{ "{\"format\": \"drvabi-abi/1\", \"records\": {}, \"aliases\": {}, \"constants\": {}}",
		  "x: the key \"driver\" is missing" },
		{ "{\"format\": \"drvabi-abi/2\", \"driver\": \"\", \"version\": \"\", \"commit\": \"\", \"target\": \"\", \"records\": {}, "
		  "\"aliases\": {}, \"enums\": {}, \"constants\": {}, \"ioctls\": []}",
		  "x: format: expected \"drvabi-abi/1\", found \"drvabi-abi/2\"" },
		{ HEAD ", \"extra\": 1}", "x: extra: unknown key" },
		{ HEAD ", \"version\": \"2\"}", "x: the key \"version\" appears twice in one object" },
		{ HEAD ", \"versi\\u006fn\": \"2\"}", "x: the key \"version\" appears twice in one object" },
		{ DOCUMENT("\"R\": []", "", "", "", ""), "x: records.R: expected an object, found an array" },
		{ DOCUMENT("\"R\": {\"fields\": [], \"size\": 1, \"is_union\": false}", "", "", "", ""),
		  "x: records.R: the key \"align\" is missing" },
		{ DOCUMENT("\"R\": {\"fields\": [], \"size\": 1, \"align\": 1, \"is_union\": 0}", "", "", "",
			   ""),
		  "x: records.R.is_union: expected true or false, found an integer" },
		{ RECORD("{\"name\": \"a\", \"offset\": 0, \"size\": 4}"),
		  "x: records.R.fields[0]: the key \"type\" is missing" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": 0}"),
		  "x: records.R.fields[0]: the key \"size\" is missing" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": \"0\", \"size\": 4}"),
		  "x: records.R.fields[0].offset: expected an integer, found a string" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": -1, \"size\": 4}"),
		  "x: records.R.fields[0].offset: -1 is negative" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": \"0xffffffffffffffff\", \"size\": 4}"),
		  "x: records.R.fields[0].offset: 0xffffffffffffffff is above 1152921504606846975, the largest value allowed here" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": \"0x10000000000000000\", \"size\": 4}"),
		  "x: records.R.fields[0].offset: expected an integer, found a string" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": 8, \"size\": 4}"),
		  "x: records.R.fields[0]: the field extends past the end of its record, which has 8 bytes" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": 0, \"size\": 4, \"role\": \"boss\"}"),
		  "x: records.R.fields[0].role: \"boss\" is not a role" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": 0, \"size\": 4, \"bit_width\": 4}"),
		  "x: records.R.fields[0].size: a bit-field has a \"bit_width\" instead of a \"size\"" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": 0, \"bit_width\": 4}"),
		  "x: records.R.fields[0]: a bit-field needs both \"bit_offset\" and \"bit_width\"" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": 0, \"bit_offset\": 8, \"bit_width\": 4}"),
		  "x: records.R.fields[0].bit_offset: bit 8 is not in the byte at \"offset\"" },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": 0, \"bit_offset\": 0, \"bit_width\": 129}"),
		  "x: records.R.fields[0].bit_width: 129 is above 128, the largest value allowed here" },
		{ DOCUMENT("", "\"A\": {\"type\": \"int\"}", "", "", ""),
		  "x: aliases.A: the key \"size\" is missing" },
		{ DOCUMENT("", "", "\"E\": {\"type\": \"int\", \"size\": 4, \"values\": {\"V\": null}}", "",
			   ""),
		  "x: enums.E.values.V: expected an integer, found null" },
		{ DOCUMENT("", "", "", "\"C\": \"12\"", ""),
		  "x: constants.C: expected an integer, found a string" },
		{ DOCUMENT("", "", "", "\"C\": \"0x\"", ""),
		  "x: constants.C: expected an integer, found a string" },
		{ DOCUMENT("", "", "", "\"C\": 1, \"C\": 1", ""),
		  "x: constants: the key \"C\" appears twice in one object" },
		{ IOCTL("\"family\": \"f\", \"name\": \"n\""),
		  "x: ioctls[0]: the key \"number\" is missing" },
		{ IOCTL("\"family\": \"f\", \"name\": \"n\", \"number\": 1, \"flags\": [1]"),
		  "x: ioctls[0].flags[0]: expected a string, found an integer" },
		{ IOCTL("\"family\": \"f\", \"name\": \"n\", \"number\": 1, \"params\": 3"),
		  "x: ioctls[0].params: expected a string or null, found an integer" },
	};
	struct abi untouched = { .driver = "untouched" }, abi = untouched;
	struct arena arena = { 0 };
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		err.text[0] = '\0';
		assert_int_equal(json_read_abi(&abi, cases[i].text, strlen(cases[i].text), "x", &arena, &err),
				 ERR_FORMAT);
		assert_string_equal(err.text, cases[i].sentence);
		assert_memory_equal(&abi, &untouched, sizeof(abi));
	}
	arena_release(&arena);
}

static void brackets_of_a_type_that_do_not_pair_are_named(void **state)
{
	static const char text[] =
		RECORD("{\"name\": \"a\", \"type\": \"int[4\", \"offset\": 0, \"size\": 4}");
	struct arena arena = { 0 };
	struct err err;
	struct abi abi;

	(void)state;
	assert_int_equal(json_read_abi(&abi, text, sizeof(text) - 1, "x", &arena, &err), ERR_FORMAT);
	assert_ptr_equal(strstr(err.text, "x: records.R.fields[0].type: "), err.text);
	arena_release(&arena);
}

/* A document with a field that has @type and @dims. ROW is an alias for an array. MISSING does not exist. */
#define DIMS(type, dims) \
	DOCUMENT( \
		"\"R\": {\"fields\": [{\"name\": \"a\", \"type\": \"" type \
		"\", \"offset\": 0, \"size\": 8, \"dims\": " dims \
		"}], \"size\": 8, \"align\": 4, \"is_union\": false, \"source\": \"\"}", \
		"\"ROW\": {\"type\": \"unsigned char[4]\", \"size\": 4}, \"u8\": {\"type\": \"unsigned char\", \"size\": 1}", \
		"", "", "")

static void dimensions_that_contradict_the_type_are_named(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} cases[] = {
		{ DIMS("ROW[2]", "[2]"),
		  "x: records.R.fields[0].dims: the type \"ROW[2]\" has 2 dimensions, not 1" },
		{ DIMS("ROW[2]", "[4, 2]"),
		  "x: records.R.fields[0].dims[0]: this dimension of the type \"ROW[2]\" is 2, not 4" },
		{ DIMS("ROW[2]", "[2, null]"),
		  "x: records.R.fields[0].dims[1]: this dimension of the type \"ROW[2]\" is 4, not null" },
		{ DIMS("ROW[2]", "[2, -4]"),
		  "x: records.R.fields[0].dims[1]: this dimension of the type \"ROW[2]\" is 4, not -4" },
		{ DIMS("ROW[2]", "[2, \"4\"]"),
		  "x: records.R.fields[0].dims[1]: expected an integer or null, found a string" },
		{ DIMS("ROW[2]", "8"), "x: records.R.fields[0].dims: expected an array, found an integer" },
		{ DIMS("u8", "[]"), NULL },
		{ DIMS("u8", "[8]"), "x: records.R.fields[0].dims: the type \"u8\" has 0 dimensions, not 1" },
		{ DIMS("u8[]", "[0]"),
		  "x: records.R.fields[0].dims[0]: this dimension of the type \"u8[]\" has no length; expected null" },
		{ DIMS("u8[0]", "[null]"),
		  "x: records.R.fields[0].dims[0]: this dimension of the type \"u8[0]\" is 0, not null" },
		{ DIMS("MISSING[2]", "[3, 4]"),
		  "x: records.R.fields[0].dims[0]: this dimension of the type \"MISSING[2]\" is 2, not 3" },
		{ DIMS("MISSING[2]", "[]"),
		  "x: records.R.fields[0].dims: the type \"MISSING[2]\" has 1 dimension, not 0" },
		{ DIMS("MISSING[2]", "[2, 4]"), NULL },
		{ DIMS("ROW[2]", "[2, 4]"), NULL },
		{ RECORD("{\"name\": \"a\", \"type\": \"int\", \"offset\": 0, \"bit_offset\": 0, \"bit_width\": 4, \"dims\": [1]}"),
		  "x: records.R.fields[0].dims: a bit-field cannot have dimensions" },
	};
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { "" };
		struct abi abi;
		int rc = json_read_abi(&abi, cases[i].text, strlen(cases[i].text), "x", &arena, &err);

		assert_int_equal(rc, cases[i].sentence ? ERR_FORMAT : 0);
		assert_string_equal(err.text, cases[i].sentence ? cases[i].sentence : "");
	}
	arena_release(&arena);
}

/* Checks the "dims" that are written for a field with @type; "" if none are written. */
static void assert_dims(const char *type, uint64_t size_bytes, const char *expected)
{
	const struct abi_field field = { .name = "f", .type = type, .size_bits = size_bytes * 8 };
	const struct abi_field inside = { .name = "i", .type = "u8", .size_bits = 8 };
	const struct abi_record records[] = {
		{ .name = "POINT",
		  .fields = &inside,
		  .field_count = 1,
		  .size_bytes = 1,
		  .align_bytes = 1,
		  .source = "a.h" },
		{ .name = "R",
		  .fields = &field,
		  .field_count = 1,
		  .size_bytes = 4096,
		  .align_bytes = 1,
		  .source = "a.h" },
	};
	const struct abi_alias aliases[] = {
		{ "POINTS", "POINT[3]", 3 },
		{ "ROW", "unsigned char[32]", 32 },
		{ "ROW2", "unsigned char[32]", 32 },
		{ "TABLE", "unsigned char[4][32]", 128 },
		{ "const ROW", "const unsigned char[32]", 32 },
		{ "u8", "unsigned char", 1 },
		{ "u8 (*)[4]", "unsigned char (*)[4]", 8 },
		{ "void (*)(int)", "void (*)(int)", 8 },
	};
	const struct abi abi = { .driver = "d",
				 .version = "1",
				 .commit = "",
				 .target = "t",
				 .records = records,
				 .record_count = 2,
				 .aliases = aliases,
				 .alias_count = sizeof(aliases) / sizeof(aliases[0]) };
	struct strbuf text = { 0 };
	struct json_writer writer = { .out = &text };
	struct arena arena = { 0 };
	struct err err = { "" };
	struct abi again;
	const char *at;

	json_write_abi(&writer, &abi);
	at = strstr(strstr(strbuf_text(&text), "\"f\""), "\"dims\"");
	assert_true(at ? !strncmp(at + 8, expected, strlen(expected)) : !*expected);
	json_read_abi(&again, strbuf_text(&text), text.length, "x", &arena, &err);
	assert_string_equal(err.text, "");
	strbuf_release(&text);
	arena_release(&arena);
}

static void an_array_is_written_with_all_its_dimensions(void **state)
{
	(void)state;
	assert_dims("u8", 1, "");
	assert_dims("u8[8]", 8, "[8]}");
	assert_dims("u8[2][3]", 6, "[2, 3]}");
	assert_dims("ROW", 32, "[32]}");
	assert_dims("ROW[8]", 256, "[8, 32]}");
	assert_dims("ROW2[8]", 256, "[8, 32]}");
	assert_dims("const ROW[2]", 64, "[2, 32]}");
	assert_dims("TABLE[2]", 256, "[2, 4, 32]}");
	assert_dims("POINTS[2]", 6, "[2, 3]}");
	assert_dims("POINT[2]", 2, "[2]}");
	assert_dims("ROW[]", 0, "[null, 32]}");
	assert_dims("ROW[0]", 0, "[0, 32]}");
	assert_dims("u8 (*)[4]", 8, "");
	assert_dims("u8 (*)[4][3]", 24, "[3]}");
	assert_dims("void (*)(int)[3]", 24, "[3]}");
}

/*
 * The output of driver_ast_parser has no "format" and no sizes of fields. The outermost dimension is last,
 * and a record without fields has null.
 */
static void what_driver_ast_parser_prints_is_read(void **state)
{
	static const char text[] =
		"{\"aliases\":{\"NvU32\":{\"size\":4,\"type\":\"unsigned int\"},\"NvU8[16]\":{\"size\":16,\"type\":\"unsigned char[16]\"},"
		"\"void *\":{\"size\":8,\"type\":\"void *\"}},\"constants\":{\"GVISOR_X\":7},"
		"\"records\":{\"A\":{\"fields\":[{\"name\":\"a\",\"offset\":0,\"type\":\"NvU32[2]\"},{\"name\":\"m\",\"offset\":8,"
		"\"type\":\"NvU8[16][3]\"},{\"name\":\"b\",\"offset\":56,\"type\":\"B\"}],\"is_union\":false,\"size\":64,\"source\":\"a.h\"},"
		"\"B\":{\"fields\":null,\"is_union\":true,\"size\":8,\"source\":\"a.h\"}}}";
	const struct abi_alias *element;
	const struct abi_field *fields;
	struct arena arena = { 0 };
	struct err err = { "" };
	struct abi abi;

	(void)state;
	json_read_abi(&abi, text, sizeof(text) - 1, "x", &arena, &err);
	assert_string_equal(err.text, "");
	fields = abi.records[0].fields;
	assert_int_equal(fields[0].size_bits, 64);
	assert_string_equal(fields[1].type, "NvU8[3][16]");
	assert_int_equal(fields[1].size_bits, 48 * 8);
	assert_int_equal(fields[2].size_bits, 64);
	element = abi_find_alias(&abi, "NvU8");
	assert_non_null(element);
	assert_string_equal(element->type, "unsigned char");
	assert_int_equal(element->size_bytes, 1);
	assert_int_equal(abi.records[1].field_count, 0);
	arena_release(&arena);
}

static void a_type_of_which_driver_ast_parser_says_nothing_is_named(void **state)
{
	static const char text[] =
		"{\"aliases\":{},\"constants\":null,\"records\":{\"A\":{\"fields\":[{\"name\":\"a\",\"offset\":0,"
		"\"type\":\"NvU32[2]\"}],\"is_union\":false,\"size\":8,\"source\":\"a.h\"}}}";
	struct arena arena = { 0 };
	struct err err;
	struct abi abi;

	(void)state;
	assert_int_equal(json_read_abi(&abi, text, sizeof(text) - 1, "x", &arena, &err), ERR_FORMAT);
	assert_string_equal(
		err.text,
		"x: records.A.fields[0].type: the type \"NvU32\" is in neither \"records\" nor \"aliases\", so its size "
		"is unknown (fields have no sizes in a document without \"format\")");
	arena_release(&arena);
}

static void the_names_that_driver_ast_parser_wants_are_read(void **state)
{
	static const char text[] = "{\"structs\": [\"A\", \"B\"], \"constants\": [\"C\"]}";
	static const char bad[] = "{\"structs\": [\"A\", 1]}";
	struct profile_strings structs = { 0 }, constants = { 0 };
	struct arena arena = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(json_read_wanted(&structs, &constants, text, sizeof(text) - 1, "x", &arena, &err),
			 0);
	assert_int_equal(structs.count, 2);
	assert_string_equal(structs.item[1], "B");
	assert_int_equal(constants.count, 1);
	assert_int_equal(json_read_wanted(&structs, &constants, bad, sizeof(bad) - 1, "x", &arena, &err),
			 ERR_FORMAT);
	assert_string_equal(err.text, "x: structs[1]: expected a string, found an integer");
	assert_int_equal(structs.count, 2);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_written_byte_for_byte_the_same),
		cmocka_unit_test(a_bit_field_has_its_place_in_bits),
		cmocka_unit_test(order_in_the_text_does_not_matter),
		cmocka_unit_test(what_is_wrong_is_named_with_its_path),
		cmocka_unit_test(brackets_of_a_type_that_do_not_pair_are_named),
		cmocka_unit_test(dimensions_that_contradict_the_type_are_named),
		cmocka_unit_test(an_array_is_written_with_all_its_dimensions),
		cmocka_unit_test(what_driver_ast_parser_prints_is_read),
		cmocka_unit_test(a_type_of_which_driver_ast_parser_says_nothing_is_named),
		cmocka_unit_test(the_names_that_driver_ast_parser_wants_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
