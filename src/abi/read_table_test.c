#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define TABLE(types, versions) \
	"{\"format\": \"drvabi-proxy/1\", \"proxy\": \"p\", \"revision\": \"r\", \"driver\": \"d\", \"types\": {" types \
	"}, \"versions\": [" versions "]}"
#define NODE(version, parent, more)                                                                          \
	"{\"version\": \"" version "\", \"parent\": " parent ", \"supported\": true" more "}"
#define ROOT NODE("1.0", "null", "")
#define ENTRY \
	"{\"number\": 1, \"constant\": \"E\", \"caps\": [\"b\", \"a\"], \"structs\": [{\"driver\": \"D\", \"proxy\": \"T\"}]}"
#define TYPE_T \
	"\"T\": {\"size\": 8, \"fields\": [{\"name\": \"a\", \"offset\": 0, \"type\": \"uint32\"}, " \
	"{\"name\": \"b\", \"offset\": 4, \"type\": \"H\"}]}, \"H\": {\"size\": 4, \"alias\": \"uint32\", \"role\": \"handle\"}"
#define WITH_FIELDS(size, fields) TABLE("\"T\": {\"size\": " size ", \"fields\": [" fields "]}", ROOT)
#define WITH_ENTRY(entry) TABLE(TYPE_T, NODE("1.0", "null", ", \"ioctls\": {\"f\": {\"E\": " entry "}}"))

static void read_table(struct table *table, struct arena *arena, const char *text)
{
	struct err err = { "" };

	json_read_table(table, text, strlen(text), "t.json", arena, &err);
	assert_string_equal(err.text, "");
}

static void types_entries_and_versions_are_read(void **state)
{
	struct arena arena = { 0 };
	struct table table;

	(void)state;
	read_table(&table, &arena, WITH_ENTRY(ENTRY));
	assert_string_equal(table.path, "t.json");
	assert_int_equal(table.type_count, 2);
	assert_string_equal(table.types[0].name, "H");
	assert_int_equal(table.types[0].role, ABI_ROLE_HANDLE);
	assert_string_equal(table.types[1].fields[1].type, "H");
	assert_int_equal(table.nodes[0].entry_count, 1);
	assert_string_equal(table.nodes[0].entries[0].family, "f");
	assert_string_equal(table.nodes[0].entries[0].caps[0], "a");
	assert_string_equal(table.nodes[0].entries[0].structs[0].proxy, "T");
	arena_release(&arena);
}

static void a_parent_may_stand_behind_its_child(void **state)
{
	struct arena arena = { 0 };
	struct table table;

	(void)state;
	read_table(&table, &arena,
		   TABLE("", NODE("3", "\"2\"", "") "," NODE("2", "\"1\"", "") "," NODE("1", "null", "")));
	assert_int_equal(table.node_count, 3);
	assert_string_equal(table.nodes[0].version, "1");
	assert_null(table.nodes[0].parent);
	assert_string_equal(table.nodes[2].version, "3");
	assert_ptr_equal(table.nodes[2].parent, &table.nodes[1]);
	arena_release(&arena);
}

static void an_entry_has_the_line_of_its_key(void **state)
{
	struct arena arena = { 0 };
	struct table table;

	(void)state;
	read_table(&table, &arena,
		   TABLE(TYPE_T ",\n \"U\": {\"size\": 4, \"alias\": \"uint32\"}",
			 "\n" NODE("2", "\"1\"",
				   ", \"ioctls\": {\n\"f\": {\n\"E\":\n" ENTRY
				   "}}") ",\n" NODE("1", "null",
						    ", \"ioctls\": {\"g\": {\"Z\": " ENTRY ",\n\"A\": " ENTRY
						    "}}")));
	assert_int_equal(table.nodes[0].entries[0].line, 8);
	assert_string_equal(table.nodes[0].entries[1].name, "Z");
	assert_int_equal(table.nodes[0].entries[1].line, 7);
	assert_int_equal(table.nodes[1].entries[0].line, 5);
	assert_null(table.nodes[1].entries[0].file);
	arena_release(&arena);
}

static void null_removes_an_entry_of_a_parent(void **state)
{
	struct arena arena = { 0 };
	struct table table;

	(void)state;
	read_table(&table, &arena,
		   TABLE(TYPE_T, NODE("1", "null",
				      ", \"ioctls\": {\"f\": {\"E\": " ENTRY
				      "}}") "," NODE("2", "\"1\"", ", \"ioctls\": {\"f\": {\"E\": null}}")));
	assert_true(table.nodes[1].entries[0].removed);
	assert_string_equal(table.nodes[1].entries[0].name, "E");
	arena_release(&arena);
}

static void what_is_wrong_is_named_with_its_path(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} cases[] = {
		{ "{\"format\": \"drvabi-proxy/1\"}", "t.json: the key \"proxy\" is missing" },
		{ TABLE("", ""), "t.json: versions: a table needs at least one version" },
		{ TABLE("", ROOT "," ROOT),
		  "t.json: versions[1].version: the version \"1.0\" appears twice" },
		{ TABLE("", NODE("2", "\"1\"", "")),
		  "t.json: versions[0].parent: there is no version \"1\"" },
		{ TABLE("", NODE("2", "\"2\"", "")),
		  "t.json: versions[0].parent: the parents of \"2\" lead back to it" },
		{ TABLE("", NODE("1", "\"3\"", "") "," NODE("2", "\"1\"", "") "," NODE("3", "\"2\"", "")),
		  "t.json: versions[1].parent: the parents of \"2\" lead back to it" },
		{ TABLE("", NODE("", "null", "")),
		  "t.json: versions[0].version: expected a version, found an empty string" },
		{ TABLE("", NODE("1", "0", "")),
		  "t.json: versions[0].parent: expected a string or null, found an integer" },
		{ TABLE("", NODE("1", "null", ", \"ioctl\": {}")), "t.json: versions[0].ioctl: unknown key" },
		{ TABLE("", NODE("1", "null", ", \"ioctls\": {\"f\": []}")),
		  "t.json: versions[0].ioctls.f: expected an object, found an array" },
		{ TABLE("", NODE("1", "null", ", \"ioctls\": {\"f\": {\"E\": null}}")),
		  "t.json: versions[0].ioctls.f.E: null removes an entry, but no parent has this entry" },
		{ TABLE("", NODE("1", "null", ", \"sha256\": {\"x86_64\": \"12\"}")),
		  "t.json: versions[0].sha256.x86_64: expected 64 hexadecimal digits in lower case" },
		{ WITH_ENTRY("1"),
		  "t.json: versions[0].ioctls.f.E: expected an object or null, found an integer" },
		{ WITH_ENTRY("{\"number\": \"one\", \"constant\": null, \"caps\": [], \"structs\": []}"),
		  "t.json: versions[0].ioctls.f.E.number: expected an integer, found a string" },
		{ WITH_ENTRY("{\"number\": 4294967296, \"constant\": null, \"caps\": [], \"structs\": []}"),
		  "t.json: versions[0].ioctls.f.E.number: 4294967296 is above 4294967295, the largest value allowed here" },
		{ WITH_ENTRY(
			  "{\"number\": 1, \"constant\": null, \"caps\": [\"a\", \"a\"], \"structs\": []}"),
		  "t.json: versions[0].ioctls.f.E.caps: the capability \"a\" appears twice" },
		{ WITH_ENTRY(
			  "{\"number\": 1, \"constant\": null, \"caps\": [], \"structs\": [{\"driver\": \"D\", \"proxy\": \"X\"}]}"),
		  "t.json: versions[0].ioctls.f.E.structs[0].proxy: the type \"X\" is not among \"types\"" },
		{ WITH_ENTRY(
			  "{\"number\": 1, \"constant\": null, \"caps\": [], \"structs\": [{\"proxy\": null}]}"),
		  "t.json: versions[0].ioctls.f.E.structs[0]: the key \"driver\" is missing" },
		{ TABLE("\"T\": {\"size\": 4}", ROOT),
		  "t.json: types.T: a type must have either \"fields\" or an \"alias\", not both" },
		{ TABLE("\"T\": {\"size\": 4, \"alias\": \"uint32\", \"fields\": []}", ROOT),
		  "t.json: types.T: a type must have either \"fields\" or an \"alias\", not both" },
		{ TABLE("\"T\": {\"size\": 8, \"alias\": \"uint32\"}", ROOT),
		  "t.json: types.T.alias: uint32 has 4 bytes, but \"size\" is 8" },
		{ TABLE("\"T\": {\"size\": 8, \"alias\": \"uint33\"}", ROOT),
		  "t.json: types.T.alias: the type \"uint33\" is neither a scalar nor among \"types\"" },
		{ TABLE("\"T\": {\"size\": 4, \"alias\": \"T\"}", ROOT),
		  "t.json: types.T.alias: the type \"T\" contains itself" },
		{ TABLE("\"T\": {\"size\": 4, \"alias\": \"uint32\", \"role\": \"x\"}", ROOT),
		  "t.json: types.T.role: \"x\" is not a role" },
		{ WITH_FIELDS("4", "{\"name\": \"a\", \"offset\": 0, \"type\": \"Nowhere[2]\"}"),
		  "t.json: types.T.fields[0].type: the type \"Nowhere\" is neither a scalar nor among \"types\"" },
		{ WITH_FIELDS("4", "{\"name\": \"a\", \"offset\": 0, \"type\": \"uint64\"}"),
		  "t.json: types.T.fields[0]: the field extends past the end of its type, which has 4 bytes" },
		{ WITH_FIELDS(
			  "8",
			  "{\"name\": \"a\", \"offset\": 0, \"type\": \"uint32\"}, {\"name\": \"b\", \"offset\": 2, \"type\": \"uint32\"}"),
		  "t.json: types.T.fields[1]: the field overlaps the one before it" },
		{ WITH_FIELDS(
			  "8",
			  "{\"name\": \"a\", \"offset\": 4, \"type\": \"uint32\"}, {\"name\": \"b\", \"offset\": 0, \"type\": \"uint32\"}"),
		  "t.json: types.T.fields[1]: fields must be sorted by offset; this field is out of order" },
		{ WITH_FIELDS("8", "{\"name\": \"a\", \"offset\": 0, \"type\": \"uint8[4294967297]\"}"),
		  "t.json: types.T.fields[0].type: the array is too large" },
		{ WITH_FIELDS("8", "{\"name\": \"a\", \"offset\": 0, \"type\": \"T\"}"),
		  "t.json: types.T.fields[0].type: the type \"T\" contains itself" },
		{ TABLE("\"A\": {\"size\": 4, \"fields\": [{\"name\": \"a\", \"offset\": 0, \"type\": \"B\"}]}, \"B\": {\"size\": 4, \"alias\": \"A\"}",
			ROOT),
		  "t.json: types.B.alias: the type \"A\" contains itself" },
	};
	struct table untouched = { .path = "untouched" }, table = untouched;
	struct arena arena = { 0 };
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		err.text[0] = '\0';
		assert_int_equal(json_read_table(&table, cases[i].text, strlen(cases[i].text), "t.json",
						 &arena, &err),
				 ERR_FORMAT);
		assert_string_equal(err.text, cases[i].sentence);
		assert_memory_equal(&table, &untouched, sizeof(table));
	}
	arena_release(&arena);
}

static int read_type_chain(int length, struct err *err)
{
	struct strbuf text = { 0 };
	struct arena arena = { 0 };
	struct table table;
	int i, rc;

	strbuf_adds(&text,
		    "{\"format\": \"drvabi-proxy/1\", \"proxy\": \"p\", \"driver\": \"d\", \"types\": {");
	for (i = 1; i < length; i++)
		strbuf_addf(&text, "\"T%05d\": {\"size\": 4, \"alias\": \"T%05d\"}, ", i, i + 1);
	strbuf_addf(&text, "\"T%05d\": {\"size\": 4, \"alias\": \"uint32\"}}, \"versions\": [" ROOT "]}",
		    length);
	rc = json_read_table(&table, text.text, text.length, "t.json", &arena, err);
	strbuf_release(&text);
	arena_release(&arena);
	return rc;
}

static void types_inside_one_another_are_bounded(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(read_type_chain(64, &err), 0);
	assert_int_equal(read_type_chain(65, &err), ERR_LIMIT);
	assert_int_equal(read_type_chain(20000, &err), ERR_LIMIT);
	assert_non_null(strstr(err.text, ": types are nested more than 64 levels deep"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_entries_and_versions_are_read),
		cmocka_unit_test(a_parent_may_stand_behind_its_child),
		cmocka_unit_test(an_entry_has_the_line_of_its_key),
		cmocka_unit_test(null_removes_an_entry_of_a_parent),
		cmocka_unit_test(what_is_wrong_is_named_with_its_path),
		cmocka_unit_test(types_inside_one_another_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
