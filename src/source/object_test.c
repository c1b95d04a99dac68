#include "source/object.h"

#include "source/fixture_test.h"
#include "source/loaded.h"

#include "base/base.h"

enum { MB = 1024 * 1024 };

static int with_bare(void **state)
{
	static struct fixture fixture;

	fixture_init(&fixture, FIXTURE_BARE);
	fixture_version(&fixture, "1.0");
	*state = &fixture;
	return 0;
}

static int without(void **state)
{
	fixture_release(*state);
	return 0;
}

/* An object of @size_bytes, of which @start are the first, and the others spaces. */
static git_oid put(struct fixture *fixture, git_object_t type, size_t size_bytes, const char *start)
{
	char *bytes = xmalloc(size_bytes);
	git_oid id;
	git_odb *odb;

	memset(bytes, ' ', size_bytes);
	memcpy(bytes, start, strlen(start));
	assert_int_equal(git_repository_odb(&odb, fixture->repo), 0);
	assert_int_equal(git_odb_write(&id, odb, bytes, size_bytes, type), 0);
	git_odb_free(odb);
	free(bytes);
	return id;
}

static int open_as(struct fixture *fixture, const git_oid *id, enum object_use use)
{
	struct objects objects;
	git_object *object = NULL;
	int rc;

	assert_int_equal(objects_init(&objects, fixture->repo, "REPO", "1.0", &fixture->err), 0);
	rc = object_open(&object, &objects, id, use, "inc/a.h", &fixture->err);
	git_object_free(object);
	objects_release(&objects);
	return rc;
}

static void a_file_of_the_limit_is_read(void **state)
{
	git_oid id = put(*state, GIT_OBJECT_BLOB, LOADED_FILE_LIMIT_BYTES, "");

	assert_int_equal(open_as(*state, &id, OBJECT_FILE), 0);
}

static void what_is_larger_is_refused_by_name_and_size(void **state)
{
	struct fixture *fixture = *state;
	git_oid id = put(fixture, GIT_OBJECT_BLOB, LOADED_FILE_LIMIT_BYTES + 1, "");

	assert_int_equal(open_as(fixture, &id, OBJECT_FILE), ERR_LIMIT);
	assert_string_equal(fixture->err.text, "inc/a.h of version 1.0 in REPO has 33554433 bytes; a file of a driver may have 33554432");
}

static void each_use_has_a_limit(void **state)
{
	static const struct {
		enum object_use use;
		git_object_t type;
		size_t limit_bytes;
	} rows[] = {
		{ OBJECT_COMMIT, GIT_OBJECT_COMMIT, MB },
		{ OBJECT_TAG, GIT_OBJECT_TAG, MB },
		{ OBJECT_DIRECTORY, GIT_OBJECT_TREE, 4 * MB },
		{ OBJECT_LINK, GIT_OBJECT_BLOB, 4096 },
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		git_oid id = put(fixture, rows[i].type, rows[i].limit_bytes + 1, "");

		assert_int_equal(open_as(fixture, &id, rows[i].use), ERR_LIMIT);
		id = put(fixture, rows[i].type, rows[i].limit_bytes, "");
		assert_int_not_equal(open_as(fixture, &id, rows[i].use), ERR_LIMIT); /* but no tag, say, of spaces */
	}
}

static void an_object_of_another_type_is_damage(void **state)
{
	struct fixture *fixture = *state;
	git_oid id = put(fixture, GIT_OBJECT_BLOB, 10, "");

	assert_int_equal(open_as(fixture, &id, OBJECT_DIRECTORY), ERR_GIT);
	assert_string_equal(fixture->err.text, "inc/a.h of version 1.0 in REPO is a blob, and should be a tree: the repository is damaged");
}

static void a_missing_object_is_named(void **state)
{
	struct fixture *fixture = *state;
	git_oid id;

	assert_int_equal(git_oid_fromstr(&id, "0123456789012345678901234567890123456789"), 0);
	assert_int_equal(open_as(fixture, &id, OBJECT_FILE), ERR_GIT);
	assert_string_equal(fixture->err.text, "inc/a.h of version 1.0 is missing from REPO: is it a partial clone?");
}

static void all_objects_together_have_a_limit(void **state)
{
	struct fixture *fixture = *state;
	git_oid id = put(fixture, GIT_OBJECT_BLOB, MB, "");
	struct objects objects;
	git_object *object = NULL;

	assert_int_equal(objects_init(&objects, fixture->repo, "REPO", "1.0", &fixture->err), 0);
	objects.left_bytes = 4 * MB;
	for (unsigned i = 0; i < 4; i++) {
		int rc = object_open(&object, &objects, &id, OBJECT_FILE, "inc/a.h", &fixture->err);

		assert_int_equal(rc, i < 3 ? 0 : ERR_LIMIT);
		if (!rc)
			git_object_free(object);
	}
	assert_starts(fixture->err.text, "cannot read inc/a.h of version 1.0 in REPO: more than 16 GB were unpacked until there");
	objects_release(&objects);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_of_the_limit_is_read, with_bare, without),
		cmocka_unit_test_setup_teardown(what_is_larger_is_refused_by_name_and_size, with_bare, without),
		cmocka_unit_test_setup_teardown(each_use_has_a_limit, with_bare, without),
		cmocka_unit_test_setup_teardown(an_object_of_another_type_is_damage, with_bare, without),
		cmocka_unit_test_setup_teardown(a_missing_object_is_named, with_bare, without),
		cmocka_unit_test_setup_teardown(all_objects_together_have_a_limit, with_bare, without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
