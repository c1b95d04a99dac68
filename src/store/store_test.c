/* Which store answers for what the user named: a document, an archive, nothing. */
#include "store/store.h"

#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define X86 "x86_64-linux-gnu"

/* 1.0, then 2.0 on the main branch, and 1.1 beside that. */
static const struct archive_version versions[] = {
	{ "1.0", "1000000000000000000000000000000000000000", 1, ARCHIVE_NO_PARENT, true },
	{ "1.1", "1100000000000000000000000000000000000000", 2, 0, false },
	{ "2.0", "2000000000000000000000000000000000000000", 3, 0, true },
};
enum { VERSION_COUNT = sizeof(versions) / sizeof(*versions) };

static const struct profile profile = { .name = "toy", .hash = "aa" };

/* An archive in a directory of the test's own, and the store that it is named to. */
struct fixture {
	char dir[128], path[160];
	struct stores *stores;
	struct arena arena;
	struct err err;
};

static void ignore(void *data, enum store_remark kind, const char *sentence)
{
	(void)data;
	(void)kind;
	(void)sentence;
}

static void write_archive(struct fixture *fixture)
{
	static const char *const targets[] = { X86 };
	const struct abi document = { .driver = "toy", .version = "", .commit = "", .target = X86 };
	const struct abi *documents[VERSION_COUNT] = { &document, &document, &document };
	const struct archive_head head = { .driver = "toy", .profile = "aa", .generation = ABI_GENERATION, .targets = targets, .target_count = 1,
					   .versions = versions, .count = VERSION_COUNT, .main = "main" };
	struct strbuf bytes = { 0 };

	assert_int_equal(archive_write(&bytes, &head, documents, &fixture->err), 0);
	assert_int_equal(file_write_atomic(fixture->path, bytes.text, bytes.length, &fixture->err), 0);
	strbuf_release(&bytes);
}

static void open_with(struct fixture *fixture, struct store_options options)
{
	options.profile = &profile;
	options.target = X86;
	options.no_cache = true;
	options.remark = ignore;
	stores_free(fixture->stores);
	stores_open(&fixture->stores, &options, &fixture->arena);
}

static int with_archive(void **state)
{
	static struct fixture fixture;
	const char *temp = getenv("TMPDIR");

	fixture = (struct fixture){ .dir = "" };
	snprintf(fixture.dir, sizeof(fixture.dir), "%s/drvabi-XXXXXX", temp && strlen(temp) < 100 ? temp : "/tmp");
	assert_non_null(mkdtemp(fixture.dir));
	snprintf(fixture.path, sizeof(fixture.path), "%s/file", fixture.dir);
	write_archive(&fixture);
	open_with(&fixture, (struct store_options){ .archive = fixture.path });
	*state = &fixture;
	return 0;
}

static int without_archive(void **state)
{
	struct fixture *fixture = *state;

	stores_free(fixture->stores);
	arena_release(&fixture->arena);
	unlink(fixture->path);
	return rmdir(fixture->dir);
}

static void a_version_comes_out_of_the_archive_that_was_named(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = "1.1" };

	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), 0);
	assert_string_equal(request.abi.version, "1.1");
	assert_string_equal(request.abi.commit, versions[1].commit);
}

static void no_version_is_the_newest(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = NULL };

	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), 0);
	assert_string_equal(request.abi.version, "2.0");
}

static void a_version_that_there_is_not_is_an_error(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = "3.0" };

	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), ERR_NOT_FOUND);
	assert_non_null(strstr(fixture->err.text, "3.0"));
}

static void a_version_that_may_lack_says_in_what(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = "3.0", .may_lack = true };

	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), 0);
	assert_true(request.lacking);
	assert_string_equal(request.lacking_why, arena_printf(&fixture->arena, "not in the archive %s (as of 1970-01-01)", fixture->path));
	assert_non_null(strstr(request.lacking_to_do, "--repo"));
}

static void what_is_skipped_is_not_read(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = "3.0", .skipped = true };

	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), 0);
	assert_null(request.abi.version);
}

static void a_document_s_file_needs_no_store(void **state)
{
	const struct abi document = { .driver = "toy", .version = "9.0", .commit = "", .target = X86 };
	struct fixture *fixture = *state;
	struct store_request request = { .json = fixture->path };
	struct strbuf text = { 0 };
	struct json_writer writer = { .out = &text };

	json_write_abi(&writer, &document);
	assert_int_equal(file_write_atomic(fixture->path, text.text, text.length, &fixture->err), 0);
	strbuf_release(&text);
	open_with(fixture, (struct store_options){ .no_archive = true });
	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), 0);
	assert_string_equal(request.abi.version, "9.0");
}

static void a_history_has_all_versions(void **state)
{
	const struct store_choice all = { 0 };
	struct fixture *fixture = *state;
	struct store_history history;

	assert_int_equal(stores_history(&history, fixture->stores, &all, &fixture->err), 0);
	assert_int_equal(history.graph.count, VERSION_COUNT);
	for (size_t i = 0; i < VERSION_COUNT; i++)
		assert_string_equal(history.requests[i].abi.version, versions[i].name);
}

static void a_history_of_one_tag_has_its_ancestors(void **state)
{
	const struct store_choice to_newest = { .only = "" };
	struct fixture *fixture = *state;
	struct store_history history;

	assert_int_equal(stores_history(&history, fixture->stores, &to_newest, &fixture->err), 0);
	assert_int_equal(history.newest, 2);
	assert_false(history.requests[0].skipped);
	assert_true(history.requests[1].skipped);
	assert_false(history.requests[2].skipped);
}

static void a_history_may_be_of_named_versions(void **state)
{
	static const char *const names[] = { "1.1" };
	const struct store_choice named = { .names = names, .count = 1 };
	struct fixture *fixture = *state;
	struct store_history history;

	assert_int_equal(stores_history(&history, fixture->stores, &named, &fixture->err), 0);
	assert_true(history.requests[0].skipped);
	assert_false(history.requests[1].skipped);
	assert_true(history.requests[2].skipped);
}

static void a_directory_has_no_history(void **state)
{
	const struct store_choice all = { 0 };
	struct fixture *fixture = *state;
	struct store_history history;

	open_with(fixture, (struct store_options){ .dir = fixture->dir });
	assert_int_equal(stores_history(&history, fixture->stores, &all, &fixture->err), ERR_USAGE);
}

static void around_a_version_are_those_of_the_archive(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = "1.1" };
	struct store_around around;

	assert_int_equal(stores_around(&around, &request, fixture->stores, &fixture->err), 0);
	assert_int_equal(around.graph.count, VERSION_COUNT);
	assert_int_equal(around.asked, 1);
	assert_string_equal(request.abi.version, "1.1");
}

static void a_repository_that_nobody_named_has_no_tags(void **state)
{
	struct fixture *fixture = *state;
	const char *const *names;
	size_t count;

	assert_int_equal(stores_tags(&names, &count, fixture->stores, &fixture->err), 0);
	assert_null(names);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, with_archive, without_archive)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_version_comes_out_of_the_archive_that_was_named),
		TEST(no_version_is_the_newest),
		TEST(a_version_that_there_is_not_is_an_error),
		TEST(a_version_that_may_lack_says_in_what),
		TEST(what_is_skipped_is_not_read),
		TEST(a_document_s_file_needs_no_store),
		TEST(a_history_has_all_versions),
		TEST(a_history_of_one_tag_has_its_ancestors),
		TEST(a_history_may_be_of_named_versions),
		TEST(a_directory_has_no_history),
		TEST(around_a_version_are_those_of_the_archive),
		TEST(a_repository_that_nobody_named_has_no_tags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
