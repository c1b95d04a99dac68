#include "source/loose.h"

#include "source/fixture_test.h"
#include "source/object.h"

#include <sys/stat.h>
#include <zlib.h>

static int with_bare(void **state)
{
	static struct fixture fixture;

	fixture_init(&fixture, FIXTURE_BARE);
	*state = &fixture;
	return 0;
}

static int without(void **state)
{
	fixture_release(*state);
	return 0;
}

/* The id of the blob "hello\n" whose file, below @objects, holds @size bytes of @raw as a zlib stream, without its last @cut bytes. */
static git_oid put(struct fixture *fixture, const char *objects, const char *raw, size_t size, size_t cut)
{
	char path[256], hex[GIT_OID_HEXSZ + 1];
	unsigned char packed[256];
	uLongf length = sizeof(packed);
	struct err err;
	git_oid id;

	assert_int_equal(git_odb_hash(&id, "hello\n", 6, GIT_OBJECT_BLOB), 0);
	git_oid_tostr(hex, sizeof(hex), &id);
	assert_int_equal(compress(packed, &length, (const Bytef *)raw, size), Z_OK);
	snprintf(path, sizeof(path), "%s/%s/%.2s", fixture->path, objects, hex);
	assert_int_equal(file_make_dirs(path, &err), 0);
	snprintf(path + strlen(path), sizeof(path) - strlen(path), "/%s", hex + 2);
	assert_int_equal(file_write_atomic(path, packed, length - cut, &err), 0);
	return id;
}

static const char *fault_of(struct fixture *fixture, const git_oid *id)
{
	struct loose_dirs dirs;
	const char *fault;

	loose_dirs_init(&dirs, git_repository_commondir(fixture->repo));
	fault = loose_fault(&dirs, id);
	loose_dirs_release(&dirs);
	return fault;
}

static void an_object_as_git_writes_it_is_sound(void **state)
{
	git_oid id = put(*state, "objects", "blob 6\0hello\n", 13, 0);

	assert_null(fault_of(*state, &id));
}

static void an_object_that_is_in_no_file_is_not_looked_at(void **state)
{
	git_oid id = { { 1, 2, 3 } };

	assert_null(fault_of(*state, &id));
}

static void each_lie_of_a_header_is_found(void **state)
{
	static const struct {
		const char *raw, *fault;
	} rows[] = {
		{ "blob 5\0hello\n", "has more bytes than its header says" },
		{ "blob 0\0hello\n", "has more bytes than its header says" },
		{ "blob 7\0hello\n", "has fewer bytes than its header says" },
		{ "blob 6 hello\n", "does not begin with a type and a size" },
		{ "blob \0 hello\n", "does not begin with a type and a size" },
		{ "blob 6x\0ello\n", "does not begin with a type and a size" },
		{ "blob\0 6 ello\n", "does not begin with a type and a size" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		git_oid id = put(*state, "objects", rows[i].raw, 13, 0);

		assert_string_equal(fault_of(*state, &id), rows[i].fault);
	}
}

static void a_file_that_was_cut_off_ends_early(void **state)
{
	git_oid id = put(*state, "objects", "blob 6\0hello\n", 13, 5);

	assert_string_equal(fault_of(*state, &id), "ends early");
}

static void objects_of_an_alternate_are_looked_at(void **state)
{
	struct fixture *fixture = *state;
	git_oid id = put(fixture, "other", "blob 7\0hello\n", 13, 0);
	char path[128];

	assert_null(fault_of(fixture, &id));
	snprintf(path, sizeof(path), "%s/objects/info/alternates", fixture->path);
	assert_int_equal(file_write_atomic(path, "# one\n../other\n", 15, &fixture->err), 0);
	assert_string_equal(fault_of(fixture, &id), "has fewer bytes than its header says");
}

/* libgit2 reads alternates of alternates, up to the sixth directory. */
static void objects_of_the_last_alternate_are_looked_at(void **state)
{
	struct fixture *fixture = *state;
	git_oid id = put(fixture, "6", "blob 7\0hello\n", 13, 0);

	for (unsigned i = 0; i < 6; i++) {
		char path[128], line[128];

		snprintf(path, sizeof(path), i ? "%s/%u/info" : "%s/objects/info", fixture->path, i);
		assert_int_equal(file_make_dirs(path, &fixture->err), 0);
		snprintf(path + strlen(path), sizeof(path) - strlen(path), "/alternates");
		snprintf(line, sizeof(line), "%s/%u\r\n", fixture->path, i + 1);
		assert_int_equal(file_write_atomic(path, line, strlen(line), &fixture->err), 0);
	}
	assert_string_equal(fault_of(fixture, &id), "has fewer bytes than its header says");
}

/* As in libgit2, which relates only a path that begins with a dot to the repository. */
static void an_alternate_may_be_relative_to_the_working_directory(void **state)
{
	struct fixture *fixture = *state;
	git_oid id = put(fixture, "other", "blob 7\0hello\n", 13, 0);
	char path[128], *old = getcwd(NULL, 0);

	snprintf(path, sizeof(path), "%s/objects/info/alternates", fixture->path);
	assert_int_equal(file_write_atomic(path, "other\n", 6, &fixture->err), 0);
	assert_int_equal(chdir(fixture->path), 0);
	assert_string_equal(fault_of(fixture, &id), "has fewer bytes than its header says");
	assert_int_equal(chdir(old), 0);
	free(old);
}

static void opening_says_what_is_wrong(void **state)
{
	struct fixture *fixture = *state;
	git_oid id = put(fixture, "objects", "blob 5\0hello\n", 13, 0);
	struct objects objects;
	git_object *object;

	assert_int_equal(objects_init(&objects, fixture->repo, "REPO", "1.0", &fixture->err), 0);
	assert_int_equal(object_open(&object, &objects, &id, OBJECT_FILE, "inc/a.h", &fixture->err), ERR_GIT);
	assert_string_equal(fixture->err.text, "inc/a.h of version 1.0 in REPO has more bytes than its header says: "
					       "the repository is damaged; git fsck says more");
	objects_release(&objects);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_object_as_git_writes_it_is_sound, with_bare, without),
		cmocka_unit_test_setup_teardown(an_object_that_is_in_no_file_is_not_looked_at, with_bare, without),
		cmocka_unit_test_setup_teardown(each_lie_of_a_header_is_found, with_bare, without),
		cmocka_unit_test_setup_teardown(a_file_that_was_cut_off_ends_early, with_bare, without),
		cmocka_unit_test_setup_teardown(objects_of_an_alternate_are_looked_at, with_bare, without),
		cmocka_unit_test_setup_teardown(objects_of_the_last_alternate_are_looked_at, with_bare, without),
		cmocka_unit_test_setup_teardown(an_alternate_may_be_relative_to_the_working_directory, with_bare, without),
		cmocka_unit_test_setup_teardown(opening_says_what_is_wrong, with_bare, without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
