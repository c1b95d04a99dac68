/* Documents of directories, and what is said where there is no repository. */
#include "store/stores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const char *const headers[] = { "a.h" };
static const struct profile_unit unit = { .name = "only", .headers = { headers, 1 } };
static const struct profile profile = { .name = "toy", .units = &unit, .unit_count = 1 };

/* A directory with one header, and a store that has no repository. */
struct fixture {
	char dir[128], header[160];
	struct store_options options;
	struct tree_store store;
	struct arena arena;
	struct err err;
};

static int with_store(void **state)
{
	static struct fixture fixture;
	const char *temp = getenv("TMPDIR");

	fixture = (struct fixture){ .options = { .profile = &profile, .target = "x86_64-linux-gnu", .jobs = 1 } };
	snprintf(fixture.dir, sizeof(fixture.dir), "%s/drvabi-XXXXXX", temp && strlen(temp) < 100 ? temp : "/tmp");
	assert_non_null(mkdtemp(fixture.dir));
	snprintf(fixture.header, sizeof(fixture.header), "%s/a.h", fixture.dir);
	fixture.store = (struct tree_store){ .options = &fixture.options, .cache_dir = "", .arena = &fixture.arena };
	*state = &fixture;
	return 0;
}

static int without_store(void **state)
{
	struct fixture *fixture = *state;

	tree_store_release(&fixture->store);
	arena_release(&fixture->arena);
	unlink(fixture->header);
	return rmdir(fixture->dir);
}

static void put(struct fixture *fixture, const char *text)
{
	assert_int_equal(file_write_atomic(fixture->header, text, strlen(text), &fixture->err), 0);
}

static struct wanted directory(struct store_request *request, const char *dir)
{
	*request = (struct store_request){ .version = dir };
	return (struct wanted){ .request = request, .version = { dir, "" }, .directory = dir };
}

static void ask(struct fixture *fixture, struct wanted *wanted)
{
	assert_int_equal(tree_store_ops.documents(&fixture->store, &wanted, 1, &fixture->arena, &fixture->err), 0);
	assert_true(wanted->done);
}

static void a_directory_is_read_as_it_is_now(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request;
	struct wanted wanted = directory(&request, fixture->dir);

	put(fixture, "struct A { unsigned a, b; };\n");
	ask(fixture, &wanted);
	assert_int_equal(request.rc, 0);
	assert_int_equal(abi_find_record(&request.abi, "A")->size_bytes, 8);
	assert_string_equal(request.abi.version, fixture->dir);
	assert_string_equal(request.abi.commit, "");
}

static void a_header_that_does_not_parse_is_its_version_s_own_error(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request;
	struct wanted wanted = directory(&request, fixture->dir);

	put(fixture, "struct A { nosuchtype a; };\n");
	ask(fixture, &wanted);
	assert_int_equal(request.rc, ERR_PARSE);
	assert_non_null(strstr(request.err.text, "a.h:1:12"));
}

static void a_directory_that_is_not_there_is_its_version_s_own_error(void **state)
{
	struct store_request request;
	struct wanted wanted = directory(&request, "./none");

	ask(*state, &wanted);
	assert_int_equal(request.rc, ERR_NOT_FOUND);
}

static void a_directory_has_no_key(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request;
	struct wanted wanted = directory(&request, fixture->dir);

	tree_store_key(&fixture->store, &wanted);
	assert_false(wanted.has_key);
}

static void without_a_repository_no_version_is_found(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	assert_int_equal(tree_store_ops.find(&found, &fixture->store, "1.0", &fixture->arena, &fixture->err), ERR_USAGE);
	assert_string_equal(fixture->err.text, "the profile toy names no public repository; give --repo PATH or --dir PATH");
}

static void a_directory_that_is_no_repository_names_no_version(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	fixture->store.repo = fixture->dir;
	assert_int_equal(tree_store_ops.find(&found, &fixture->store, "1.0", &fixture->arena, &fixture->err), ERR_NOT_FOUND);
	assert_non_null(strstr(fixture->err.text, fixture->dir));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_directory_is_read_as_it_is_now, with_store, without_store),
		cmocka_unit_test_setup_teardown(a_header_that_does_not_parse_is_its_version_s_own_error, with_store, without_store),
		cmocka_unit_test_setup_teardown(a_directory_that_is_not_there_is_its_version_s_own_error, with_store, without_store),
		cmocka_unit_test_setup_teardown(a_directory_has_no_key, with_store, without_store),
		cmocka_unit_test_setup_teardown(without_a_repository_no_version_is_found, with_store, without_store),
		cmocka_unit_test_setup_teardown(a_directory_that_is_no_repository_names_no_version, with_store, without_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
