#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define SUM "\"0123456789012345678901234567890123456789012345678901234567890123\""
#define OTHER_SUM "\"1123456789012345678901234567890123456789012345678901234567890123\""
#define TYPE_T "\"T\": {\"size\": 4, \"fields\": [{\"name\": \"a\", \"offset\": 0, \"type\": \"uint32\"}]}"
#define ENTRY(number)                                                                                        \
	"{\"number\": " number                                                                               \
	", \"constant\": null, \"caps\": [\"c\"], \"structs\": [{\"driver\": \"D\", \"proxy\": \"T\"}], "    \
	"\"handler\": {\"kind\": \"simple\", \"type\": \"T\"}}"
#define NODE(version, parent, ioctls)                                                                        \
	"{\"version\": \"" version "\", \"parent\": " parent ", \"supported\": true, \"ioctls\": {" ioctls   \
	"}}"
#define ADDED(version, parent, more)                                                                         \
	"{\"version\": \"" version "\", \"parent\": " parent ", \"supported\": true" more "}"
#define PATCH(types, versions)                                                                               \
	"{\"format\": \"drvabi-proxy-patch/1\", \"types\": {" types "}, \"versions\": [" versions "]}"

/* The base has an entry E at 1, a different E at 3, and an entry F at 1, which is removed at 2. */
static const char base_text[] =
	"{\"format\": \"drvabi-proxy/1\", \"proxy\": \"p\", \"revision\": \"r\", \"driver\": \"d\", \"types\": {" TYPE_T
	"}, \"versions\": [" ADDED(
		"1", "null",
		", \"sha256\": {\"x86_64\": " SUM
		"}, \"ioctls\": {\"f\": {\"E\": " ENTRY("1") ", \"F\": " ENTRY(
			"2") "}}") ", " NODE("2", "\"1\"",
					     "\"f\": {\"F\": null}") ", " NODE("3", "\"2\"",
									       "\"f\": {\"E\": " ENTRY(
										       "3") "}") "]}";

static int set_up(void **state)
{
	struct arena *arena = xmalloc(sizeof(*arena));

	*arena = (struct arena){ 0 };
	*state = arena;
	return 0;
}

static int tear_down(void **state)
{
	arena_release(*state);
	free(*state);
	return 0;
}

static int patched(struct table *out, struct err *err, const char *patch, struct arena *arena)
{
	struct table base;

	*err = (struct err){ "" };
	assert_int_equal(json_read_table(&base, base_text, strlen(base_text), "t.json", arena, err), 0);
	return json_read_table_patch(out, &base, patch, strlen(patch), "p.json", arena, err);
}

static const char *written(const struct table *table, struct arena *arena)
{
	struct strbuf text = { 0 };
	struct json_writer writer = { .out = &text };
	const char *copy;

	json_write_table(&writer, table);
	copy = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return copy;
}

/* Returns the text of the base with @patch. */
static const char *merged(const char *patch, struct arena *arena)
{
	struct table table;
	struct err err;

	patched(&table, &err, patch, arena);
	assert_string_equal(err.text, "");
	return written(&table, arena);
}

/* Returns the output of json_write_table() for the table in @text. */
static const char *rewritten(const char *text, struct arena *arena)
{
	struct table table;
	struct err err = { "" };

	json_read_table(&table, text, strlen(text), "t.json", arena, &err);
	assert_string_equal(err.text, "");
	return written(&table, arena);
}

static void a_table_that_is_written_reads_as_the_same(void **state)
{
	const char *once = rewritten(base_text, *state);

	assert_string_equal(rewritten(once, *state), once);
}

static void an_entry_and_a_field_are_written_on_a_line(void **state)
{
	const char *text = rewritten(base_text, *state);

	assert_non_null(strstr(
		text,
		"\n     \"E\": {\"number\": 1, \"constant\": null, \"caps\": [\"c\"], \"structs\": [{\"driver\": \"D\", "
		"\"proxy\": \"T\"}], \"handler\": {\"kind\": \"simple\", \"type\": \"T\"}},\n     \"F\": {"));
	assert_non_null(strstr(text, "\n    {\"name\": \"a\", \"offset\": 0, \"type\": \"uint32\"}\n"));
	assert_non_null(strstr(text, "\n     \"F\": null\n"));
	assert_non_null(strstr(text, "\n   \"sha256\": {\n    \"x86_64\": " SUM "\n   },\n"));
}

static void versions_are_written_from_old_to_new(void **state)
{
	const char *text =
		merged(PATCH("", ADDED("1.9", "\"1\"", "") ", " ADDED("1.10", "\"1\"", "")), *state);
	const char *older = strstr(text, "\"version\": \"1.9\""),
		   *newer = strstr(text, "\"version\": \"1.10\"");

	assert_true(older && older < newer && newer < strstr(text, "\"version\": \"2\""));
}

static void an_empty_patch_changes_nothing(void **state)
{
	assert_string_equal(merged(PATCH("", ""), *state), rewritten(base_text, *state));
}

static void what_the_table_has_in_the_same_words_changes_nothing(void **state)
{
	const char *same =
		PATCH(TYPE_T, NODE("1", "null", "\"f\": {\"E\": " ENTRY("1") "}") ", " NODE(
				      "2", "\"1\"", "\"f\": {\"E\": " ENTRY("1") ", \"F\": null}"));

	assert_string_equal(merged(same, *state), rewritten(base_text, *state));
}

static void a_type_that_the_table_has_leaves_nothing_in_the_next_one(void **state)
{
	static const char role[] = "\"H\": {\"size\": 4, \"alias\": \"uint32\", \"role\": \"handle\"}";
	const char *with_role = arena_printf(
		*state,
		"{\"format\": \"drvabi-proxy/1\", \"proxy\": \"p\", \"driver\": \"d\", \"types\": {%s}, "
		"\"versions\": [" ADDED("1", "null", "") "]}",
		role);
	const char *patch = arena_printf(*state,
					 "{\"format\": \"drvabi-proxy-patch/1\", \"types\": {%s, " TYPE_T
					 "}, \"versions\": []}",
					 role);
	struct table base, table;
	struct err err = { "" };

	json_read_table(&base, with_role, strlen(with_role), "t.json", *state, &err);
	json_read_table_patch(&table, &base, patch, strlen(patch), "p.json", *state, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(table_find_type(&table, "H")->role, ABI_ROLE_HANDLE);
	assert_int_equal(table_find_type(&table, "T")->role, ABI_ROLE_NONE);
	assert_null(table_find_type(&table, "T")->alias);
}

static void a_new_node_may_replace_remove_and_name_a_new_type(void **state)
{
	static const char patch[] = PATCH(
		"\"U\": {\"size\": 4, \"alias\": \"T\"}",
		NODE("5", "\"4\"", "\"f\": {\"E\": null}") ", " NODE(
			"4", "\"3\"",
			"\"f\": {\"E\": {\"number\": 9, \"constant\": null, \"caps\": [], \"structs\": [{\"driver\": \"D\", \"proxy\": \"U\"}]}}"));
	struct table_view view;
	struct table table;
	struct err err;

	assert_int_equal(patched(&table, &err, patch, *state), 0);
	assert_int_equal(table.type_count, 2);
	table_view_at(&view, &table, table_find_node(&table, "4"), *state);
	assert_int_equal(view.entries[0]->number, 9);
	table_view_at(&view, &table, table_find_node(&table, "5"), *state);
	assert_int_equal(view.entry_count, 0);
}

static void a_patch_adds_to_a_node_that_exists_and_its_children_inherit(void **state)
{
	struct table_view view;
	struct table table;
	struct err err;

	assert_int_equal(patched(&table, &err,
				 PATCH("", ADDED("1", "null",
						 ", \"sha256\": {\"arm64\": " OTHER_SUM
						 "}, \"ioctls\": {\"f\": {\"N\": " ENTRY("7") "}}")),
				 *state),
			 0);
	assert_int_equal(table_find_node(&table, "1")->sha256_count, 2);
	table_view_at(&view, &table, table_find_node(&table, "3"), *state);
	assert_int_equal(view.entry_count, 2);
	assert_int_equal(view.entries[0]->number, 3);
	assert_int_equal(view.entries[1]->number, 7);
}

static void an_entry_knows_which_file_it_is_of(void **state)
{
	const struct table_node *node;
	struct table table;
	struct err err;

	assert_int_equal(patched(&table, &err,
				 PATCH("", "\n" ADDED("1", "null",
						      ", \"ioctls\": {\"f\": {\n\"N\": " ENTRY("7") "}}")),
				 *state),
			 0);
	node = table_find_node(&table, "1");
	assert_null(node->entries[0].file);
	assert_string_equal(node->entries[2].file, "p.json");
	assert_int_equal(node->entries[2].line, 3);
}

static void a_version_may_follow_a_new_one_that_changes_nothing_of_it(void **state)
{
	static const char patch[] = PATCH(
		"", NODE("2.5", "\"2\"", "\"f\": {\"E\": " ENTRY("9") "}") ", " NODE("3", "\"2.5\"", ""));
	struct table table;
	struct err err;

	assert_int_equal(patched(&table, &err, patch, *state), 0);
	assert_string_equal(table_find_node(&table, "3")->parent->version, "2.5");
	assert_string_equal(table_find_node(&table, "2.5")->parent->version, "2");
}

static void what_would_change_the_table_is_named_with_its_path(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} cases[] = {
		{ PATCH("\"T\": {\"size\": 4, \"alias\": \"uint32\"}", ""),
		  "p.json: types.T: t.json has a different type with this name" },
		{ PATCH("", NODE("2", "null", "")),
		  "p.json: versions[0]: the parent of 2 is 1 in the table, but null in the patch" },
		{ PATCH("", NODE("2", "\"3\"", "")),
		  "p.json: versions[0]: the parent of 2 is 1 in the table, but 3 in the patch" },
		{ PATCH("", NODE("2.5", "\"1\"", "") ", " NODE("3", "\"2.5\"", "")),
		  "p.json: versions[1].parent: the parent of 3 in the table is 2, and 2.5 does not descend from that parent" },
		{ PATCH("",
			NODE("1.5", "\"1\"", "\"f\": {\"E\": " ENTRY("9") "}") ", " NODE("2", "\"1.5\"", "")),
		  "p.json: versions[1].parent: the parent 1.5 would change the entry E of version 2" },
		{ PATCH("", "{\"version\": \"2\", \"parent\": \"1\", \"supported\": false}"),
		  "p.json: versions[0]: 2 is supported in the table, and a patch cannot change that" },
		{ PATCH("", NODE("1", "null", "\"f\": {\"E\": " ENTRY("9") "}")),
		  "p.json: versions[0].ioctls.f.E: at 1, the table has a different entry with this name" },
		{ PATCH("", NODE("2", "\"1\"", "\"f\": {\"E\": " ENTRY("9") "}")),
		  "p.json: versions[0].ioctls.f.E: at 2, the table has a different entry with this name" },
		{ PATCH("", NODE("1", "null", "\"f\": {\"E\": null}")),
		  "p.json: versions[0].ioctls.f.E: at 1, the table has a different entry with this name" },
		{ PATCH("", NODE("2", "\"1\"", "\"f\": {\"F\": " ENTRY("2") "}")),
		  "p.json: versions[0].ioctls.f.F: at 2, the table removes this entry, so a patch cannot add it" },
		{ PATCH("", ADDED("1", "null", ", \"sha256\": {\"x86_64\": " OTHER_SUM "}")),
		  "p.json: versions[0].sha256: at 1, the table has a different checksum for x86_64" },
		{ PATCH("", NODE("4", "\"9\"", "")),
		  "p.json: versions[0].parent: there is no version \"9\"" },
		{ PATCH("", NODE("4", "\"5\"", "") ", " NODE("5", "\"4\"", "")),
		  "p.json: versions[1].parent: the parents of \"5\" lead back to it" },
		{ PATCH("", NODE("4", "\"3\"", "") ", " NODE("4", "\"3\"", "")),
		  "p.json: versions[1].version: the version \"4\" appears twice" },
		{ PATCH("", NODE("2", "\"1\"", "") ", " NODE("2", "\"1\"", "")),
		  "p.json: versions[1]: the version \"2\" appears twice" },
		{ PATCH("", NODE("4", "\"3\"", "\"f\": {\"Z\": null}")),
		  "p.json: versions[0].ioctls.f.Z: null removes an entry, but no parent has this entry" },
		{ PATCH("\"U\": {\"size\": 4, \"alias\": \"V\"}", ""),
		  "p.json: types.U.alias: the type \"V\" is neither a scalar nor among \"types\"" },
		{ "{\"format\": \"drvabi-proxy-patch/1\", \"driver\": \"e\", \"types\": {}, \"versions\": []}",
		  "p.json: driver: the patch is for e, but t.json is for d" },
		{ "{\"format\": \"drvabi-proxy-patch/1\", \"proxy\": \"q\", \"types\": {}, \"versions\": []}",
		  "p.json: proxy: the patch is for q, but t.json is for p" },
		{ base_text, "p.json: format: expected \"drvabi-proxy-patch/1\", found \"drvabi-proxy/1\"" },
	};
	struct table table = { .path = "untouched" };
	struct err err;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(patched(&table, &err, cases[i].text, *state), ERR_FORMAT);
		assert_string_equal(err.text, cases[i].sentence);
		assert_string_equal(table.path, "untouched");
	}
}

static const struct table_handler *handler_of(const char *handler, struct table *table, struct arena *arena)
{
	const char *text = arena_printf(
		arena,
		"{\"format\": \"drvabi-proxy/1\", \"proxy\": \"p\", \"driver\": \"d\", \"types\": {}, \"versions\": ["
		"{\"version\": \"1\", \"parent\": null, \"supported\": true, \"ioctls\": {\"f\": {\"E\": {\"number\": 1, "
		"\"constant\": null, \"caps\": [], \"structs\": []%s}}}}]}",
		handler);
	struct err err = { "" };

	json_read_table(table, text, strlen(text), "t.json", arena, &err);
	assert_string_equal(err.text, "");
	return &table->nodes[0].entries[0].handler;
}

static void a_handler_of_no_type_is_not_one_of_an_unknown_type(void **state)
{
	struct table table;

	assert_null(handler_of("", &table, *state)->kind);
	assert_false(handler_of(", \"handler\": {\"kind\": \"k\"}", &table, *state)->type_known);
	assert_true(
		handler_of(", \"handler\": {\"kind\": \"k\", \"type\": null}", &table, *state)->type_known);
	assert_non_null(strstr(written(&table, *state), "\"handler\": {\"kind\": \"k\", \"type\": null}"));
	assert_false(handler_of(", \"handler\": {\"kind\": \"k\", \"type\": \"T\"}", &table, *state)
			     ->fields_known);
	assert_true(handler_of(", \"handler\": {\"kind\": \"k\", \"type\": \"T\", \"fields\": []}", &table,
			       *state)
			    ->fields_known);
	assert_non_null(strstr(written(&table, *state), "\"type\": \"T\", \"fields\": []}"));
	assert_string_equal(
		handler_of(
			", \"handler\": {\"kind\": \"k\", \"type\": \"T\", \"fields\": [\"A.B\"], \"faults\": [\"f\"]}",
			&table, *state)
			->fields.item[0],
		"A.B");
	assert_non_null(strstr(written(&table, *state), "\"fields\": [\"A.B\"], \"faults\": [\"f\"]}"));
}

static void what_is_passed_by_number_is_read_and_written(void **state)
{
	const char *text =
		"{\"format\": \"drvabi-proxy/1\", \"proxy\": \"p\", \"driver\": \"d\", \"passed\": ["
		"{\"family\": \"f\", \"mask\": 65280, \"value\": 512, \"name\": \"N\"}], \"types\": {}, \"versions\": ["
		"{\"version\": \"1\", \"parent\": null, \"supported\": true, \"ioctls\": {}}]}";
	struct table table;
	struct err err = { "" };

	assert_int_equal(json_read_table(&table, text, strlen(text), "t.json", *state, &err), 0);
	assert_string_equal(table_passes(&table, "f", 0x12ff & 0x2ff), "N");
	assert_null(table_passes(&table, "f", 0x300));
	assert_null(table_passes(&table, "g", 0x200));
	assert_non_null(strstr(written(&table, *state),
			       "{\"family\": \"f\", \"mask\": 65280, \"value\": 512, \"name\": \"N\"}"));
	text = "{\"format\": \"drvabi-proxy/1\", \"proxy\": \"p\", \"driver\": \"d\", \"passed\": ["
	       "{\"family\": \"f\", \"mask\": 1, \"value\": 2, \"name\": \"N\"}], \"types\": {}, \"versions\": ["
	       "{\"version\": \"1\", \"parent\": null, \"supported\": true, \"ioctls\": {}}]}";
	assert_int_equal(json_read_table(&table, text, strlen(text), "t.json", *state, &err), ERR_FORMAT);
	assert_non_null(strstr(err.text, "passed[0].value"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_passed_by_number_is_read_and_written, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_table_that_is_written_reads_as_the_same, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_entry_and_a_field_are_written_on_a_line, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(versions_are_written_from_old_to_new, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_empty_patch_changes_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_the_table_has_in_the_same_words_changes_nothing, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_type_that_the_table_has_leaves_nothing_in_the_next_one,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_new_node_may_replace_remove_and_name_a_new_type, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_patch_adds_to_a_node_that_exists_and_its_children_inherit,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_entry_knows_which_file_it_is_of, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_version_may_follow_a_new_one_that_changes_nothing_of_it,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_would_change_the_table_is_named_with_its_path, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_handler_of_no_type_is_not_one_of_an_unknown_type, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
