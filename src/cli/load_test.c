/* Tests of the inputs that options name, and of invalid names. */
#include "cli/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A struct cli_args with the given members, as cli_parse() sets them. */
#define NAMED(...) (&(struct cli_args){ .arena = &arena, __VA_ARGS__ })
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)

static struct arena arena;
static struct err err;
static char path[160]; /* the path of a file that the test has written */

static int begin_test(void **state)
{
	const char *temp = getenv("TMPDIR");

	(void)state;
	err = (struct err){ "" };
	snprintf(path, sizeof(path), "%s/drvabi-XXXXXX", temp && strlen(temp) < 100 ? temp : "/tmp");
	close(mkstemp(path));
	return 0;
}

static int end_test(void **state)
{
	(void)state;
	unlink(path);
	arena_release(&arena);
	return 0;
}

static void put(const char *text)
{
	assert_int_equal(file_write_atomic(path, text, strlen(text), &err), 0);
}

static void put_table(void)
{
	put("{\"format\": \"drvabi-proxy/1\", \"proxy\": \"p\", \"revision\": \"r\", \"driver\": \"nvidia\", \"types\": {},"
	    " \"versions\": [{\"version\": \"2.0\", \"parent\": null, \"supported\": true, \"ioctls\": {}}]}");
}

static void a_profile_has_a_built_in_name(void **state)
{
	struct profile profile;

	(void)state;
	assert_int_equal(load_profile(&profile, NAMED(.profile = "nvidia"), &err), 0);
	assert_string_equal(profile.name, "nvidia");
}

static void another_name_is_answered_with_those_that_there_are(void **state)
{
	struct profile profile;

	(void)state;
	assert_int_equal(load_profile(&profile, NAMED(.profile = "nvidla"), &err),
			 ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "no profile 'nvidla'; the built-in profiles are "));
	assert_non_null(strstr(err.text, "nvidia"));
}

static void a_name_with_a_slash_is_a_file(void **state)
{
	struct profile profile;

	(void)state;
	assert_int_equal(load_profile(&profile, NAMED(.profile = "./none.json"), &err),
			 ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "./none.json"));
}

static void a_table_is_read_from_its_file(void **state)
{
	struct table table;

	(void)state;
	put_table();
	assert_int_equal(load_table(&table, NAMED(.table = path), &err), 0);
	assert_string_equal(table.proxy, "p");
}

static void a_table_of_another_driver_is_refused(void **state)
{
	const struct abi abi = { .driver = "toy", .version = "2.0" };
	struct history_graph graph = { 0 };
	struct table table = { 0 };
	struct table_view view;

	(void)state;
	put_table();
	assert_int_equal(load_table_view(&view, &table, &graph, &abi, NAMED(.table = path), &err),
			 ERR_USAGE);
	assert_non_null(strstr(err.text, "is a table for the driver nvidia, not for toy"));
}

static void the_first_node_stands_for_a_version_that_is_older_than_all(void **state)
{
	const struct abi abi = { .driver = "nvidia", .version = "1.0" };
	struct history_graph graph = { 0 };
	struct table table = { 0 };
	struct table_view view;

	(void)state;
	put_table();
	assert_int_equal(
		load_table_view(&view, &table, &graph, &abi, &(struct cli_args){ .arena = &arena,
			.table = path, .format = "text", .json = "-", .quiet = true }, &err),
		0);
	assert_string_equal(view.node->version, "2.0");
}

static void a_document_has_no_version_beside_it(void **state)
{
	struct store_request request = { .json = "a.json", .version = "1.0" };

	(void)state;
	assert_int_equal(load_documents(&request, 1, NAMED(.profile = "nvidia"), &err),
			 ERR_USAGE);
	assert_string_equal(err.text, "a.json is the document of one version; leave '1.0' out");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_profile_has_a_built_in_name),
		TEST(another_name_is_answered_with_those_that_there_are),
		TEST(a_name_with_a_slash_is_a_file),
		TEST(a_table_is_read_from_its_file),
		TEST(a_table_of_another_driver_is_refused),
		TEST(the_first_node_stands_for_a_version_that_is_older_than_all),
		TEST(a_document_has_no_version_beside_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
