#include "store/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define X86 "x86_64-linux-gnu"

static const struct archive_version versions[] = {
	{ "515.43.04", "515", 1, ARCHIVE_NO_PARENT, true },
	{ "590.48.01", COMMIT, 2, 0, true },
};
enum { VERSION_COUNT = sizeof(versions) / sizeof(*versions) };

static const struct profile profile = { .name = "nvidia", .hash = "aa" };

/* An archive store with its own data directory, and its remarks. */
struct fixture {
	char dir[64];
	struct strbuf said;
	struct store_options options;
	struct archive_store store;
	struct arena arena;
	struct err err;
};

static void hear(void *data, enum store_remark kind, const char *sentence)
{
	struct fixture *fixture = data;

	strbuf_addf(&fixture->said, "%s: %s\n", kind == STORE_DETAIL ? "detail" : "warning", sentence);
}

static int with_store(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	*state = fixture;
	snprintf(fixture->dir, sizeof(fixture->dir), "/tmp/drvabi-XXXXXX");
	assert_non_null(mkdtemp(fixture->dir));
	setenv("XDG_DATA_HOME", arena_printf(&fixture->arena, "%s/home", fixture->dir), 1);
	setenv("XDG_DATA_DIRS", arena_printf(&fixture->arena, "%s/system", fixture->dir), 1);
	fixture->options =
		(struct store_options){ .profile = &profile, .target = X86, .remark = hear, .data = fixture };
	fixture->store = (struct archive_store){ .options = &fixture->options, .arena = &fixture->arena };
	return 0;
}

static int without_store(void **state)
{
	static const char *const names[] = { "home/drvabi/nvidia.drvabi",
					     "home/drvabi",
					     "home",
					     "system/drvabi/nvidia.drvabi",
					     "system/drvabi",
					     "system",
					     "named",
					     "" };
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		remove(arena_printf(&fixture->arena, "%s/%s", fixture->dir, names[i]));
	strbuf_release(&fixture->said);
	arena_release(&fixture->arena);
	free(fixture);
	return 0;
}

/* The values that differ between the archives of these tests. */
struct made {
	const char *hash;
	uint64_t generation;
	const char *target;
};
static const struct made fitting = { "aa", ABI_GENERATION, X86 };

/* Writes an archive into the directory @in of the fixture. Return: the path of the archive. */
static const char *put(struct fixture *fixture, const char *in, const char *name, const struct made *made)
{
	const char *dir = arena_printf(&fixture->arena, "%s/%s", fixture->dir, in);
	const char *path = arena_printf(&fixture->arena, "%s/%s", dir, name);
	const struct abi document = {
		.driver = "nvidia", .version = "", .commit = "", .target = made->target
	};
	const struct abi *documents[VERSION_COUNT] = { &document, &document };
	const struct archive_head head = {
		.driver = "nvidia",
		.profile = made->hash,
		.generation = made->generation,
		.targets = &made->target,
		.target_count = 1,
		.versions = versions,
		.count = VERSION_COUNT,
		.main = "main",
	};
	struct strbuf bytes = { 0 };

	assert_int_equal(archive_write(&bytes, &head, documents, &fixture->err), 0);
	assert_int_equal(file_make_dirs(dir, &fixture->err), 0);
	assert_int_equal(file_write_atomic(path, bytes.text, bytes.length, &fixture->err), 0);
	strbuf_release(&bytes);
	return path;
}

static const char *put_named(struct fixture *fixture, const struct made *made)
{
	return put(fixture, ".", "named", made);
}

static const char *put_at_home(struct fixture *fixture, const struct made *made)
{
	return put(fixture, "home/drvabi", "nvidia.drvabi", made);
}

static const char *put_in_system(struct fixture *fixture, const struct made *made)
{
	return put(fixture, "system/drvabi", "nvidia.drvabi", made);
}

static void assert_refused(struct fixture *fixture, const struct made *made, const char *why)
{
	fixture->options.archive = put_named(fixture, made);
	assert_int_equal(archive_store_look(&fixture->store, &fixture->err), ERR_USAGE);
	assert_non_null(strstr(fixture->err.text, why));
	assert_null(fixture->store.archive);
}

static void a_named_archive_of_another_profile_is_refused(void **state)
{
	assert_refused(*state, &(struct made){ "bb", ABI_GENERATION, X86 },
		       "was made with a different text of the profile nvidia");
}

static void a_named_archive_of_another_generation_is_refused(void **state)
{
	assert_refused(*state, &(struct made){ "aa", ABI_GENERATION + 1, X86 },
		       "write the archive again with 'drvabi archive write'");
}

static void a_named_archive_of_another_target_is_refused(void **state)
{
	assert_refused(*state, &(struct made){ "aa", ABI_GENERATION, "aarch64-linux-gnu" },
		       "has no documents for x86_64-linux-gnu, only for: aarch64-linux-gnu");
}

/* Checks that the store uses the archive at @path. */
static void assert_uses(struct fixture *fixture, const char *path)
{
	assert_int_equal(archive_store_look(&fixture->store, &fixture->err), 0);
	assert_non_null(fixture->store.archive);
	assert_string_equal(archive_name(fixture->store.archive), path);
}

static void a_users_own_archive_goes_before_the_systems(void **state)
{
	struct fixture *fixture = *state;

	put_in_system(fixture, &fitting);
	assert_uses(fixture, put_at_home(fixture, &fitting));
	assert_string_equal(strbuf_text(&fixture->said), "");
}

static void an_archive_that_does_not_fit_is_passed_over(void **state)
{
	struct fixture *fixture = *state;

	put_at_home(fixture, &(struct made){ "aa", ABI_GENERATION + 1, X86 });
	assert_uses(fixture, put_in_system(fixture, &fitting));
	assert_non_null(strstr(fixture->said.text, "detail: not used: "));
	assert_null(strstr(fixture->said.text, "warning"));
}

static void a_damaged_archive_is_passed_over_with_a_warning(void **state)
{
	struct fixture *fixture = *state;
	const char *damaged = put_at_home(fixture, &fitting);

	assert_int_equal(truncate(damaged, 100), 0);
	assert_uses(fixture, put_in_system(fixture, &fitting));
	assert_non_null(strstr(fixture->said.text, arena_printf(&fixture->arena, "warning: %s: ", damaged)));
}

static void no_archive_is_looked_for_if_the_user_wants_none(void **state)
{
	struct fixture *fixture = *state;

	put_at_home(fixture, &fitting);
	fixture->options.no_archive = true;
	assert_int_equal(archive_store_look(&fixture->store, &fixture->err), 0);
	assert_null(fixture->store.archive);
}

static int find(struct fixture *fixture, struct found_version *out, const char *version)
{
	return archive_store_ops.find(out, &fixture->store, version, &fixture->arena, &fixture->err);
}

static void versions_are_found_by_name_and_commit_and_the_newest_by_none(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	put_at_home(fixture, &fitting);
	assert_int_equal(find(fixture, &found, "515.43.04"), 0);
	assert_string_equal(found.commit, "515");
	assert_int_equal(find(fixture, &found, COMMIT), 0);
	assert_string_equal(found.name, "590.48.01");
	assert_int_equal(find(fixture, &found, NULL), 0);
	assert_string_equal(found.name, "590.48.01");
}

static void what_may_be_in_the_repository_is_left_open(void **state)
{
	static const char *const open[] = { "main",      "release/r600", "HEAD", "600.10",
					    "590.48.02", "abcdef0",      COMMIT };
	static const char *const settled[] = { "590.48.00",  "590.47.01", "589", "515",
					       "v590.48.01", "mian",      "590" };
	struct fixture *fixture = *state;
	struct found_version found;

	put_at_home(fixture, &fitting);
	assert_int_equal(find(fixture, &found, "nothing"), ERR_NOT_FOUND);
	for (size_t i = 0; i < sizeof(open) / sizeof(*open); i++) {
		assert_true(archive_store_ops.leaves_open(&fixture->store, open[i], true));
		assert_false(archive_store_ops.leaves_open(&fixture->store, open[i],
							   false)); /* a table named the version */
	}
	for (size_t i = 0; i < sizeof(settled) / sizeof(*settled); i++)
		assert_false(archive_store_ops.leaves_open(&fixture->store, settled[i], true));
}

static void without_an_archive_everything_is_left_open(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	assert_int_equal(find(fixture, &found, "590.48.01"), ERR_NOT_FOUND);
	assert_true(archive_store_ops.leaves_open(&fixture->store, "590.48.01", false));
}

static void a_document_is_found_by_its_commit_and_has_the_name_that_was_asked_for(void **state)
{
	struct fixture *fixture = *state;
	struct store_request requests[3] = { { .version = NULL } };
	struct wanted wanted[3] = {
		{ .request = &requests[0], .version = { "main", COMMIT } },
		{ .request = &requests[1], .version = { "590.48.01", COMMIT } },
		{ .request = &requests[2],
		  .version = { "590.48.01", "fedcba9876543210fedcba9876543210fedcba98" } },
	};
	struct wanted *const all[] = { &wanted[0], &wanted[1], &wanted[2] };

	put_at_home(fixture, &fitting);
	assert_int_equal(archive_store_ops.documents(&fixture->store, all, 3, &fixture->arena, &fixture->err),
			 0);
	assert_true(wanted[0].done && wanted[1].done);
	assert_false(wanted[2].done);
	assert_string_equal(requests[0].abi.version, "main");
	assert_string_equal(requests[1].abi.version, "590.48.01");
	assert_string_equal(requests[1].abi.commit, COMMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_named_archive_of_another_profile_is_refused, with_store,
						without_store),
		cmocka_unit_test_setup_teardown(a_named_archive_of_another_generation_is_refused, with_store,
						without_store),
		cmocka_unit_test_setup_teardown(a_named_archive_of_another_target_is_refused, with_store,
						without_store),
		cmocka_unit_test_setup_teardown(a_users_own_archive_goes_before_the_systems, with_store,
						without_store),
		cmocka_unit_test_setup_teardown(an_archive_that_does_not_fit_is_passed_over, with_store,
						without_store),
		cmocka_unit_test_setup_teardown(a_damaged_archive_is_passed_over_with_a_warning, with_store,
						without_store),
		cmocka_unit_test_setup_teardown(no_archive_is_looked_for_if_the_user_wants_none, with_store,
						without_store),
		cmocka_unit_test_setup_teardown(versions_are_found_by_name_and_commit_and_the_newest_by_none,
						with_store, without_store),
		cmocka_unit_test_setup_teardown(what_may_be_in_the_repository_is_left_open, with_store,
						without_store),
		cmocka_unit_test_setup_teardown(without_an_archive_everything_is_left_open, with_store,
						without_store),
		cmocka_unit_test_setup_teardown(
			a_document_is_found_by_its_commit_and_has_the_name_that_was_asked_for, with_store,
			without_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
