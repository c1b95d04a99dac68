#include "base/base.h"
#include "source/fixture_test.h"
#include "source/internal.h"

#include <git2/sys/odb_backend.h>
#include <sys/stat.h>
#include <zlib.h>

enum { KB = 1024 };

static int with_libgit2(void **state)
{
	static struct err err;

	*state = &err;
	return git_setup(&err);
}

/* Checks whether libgit2 gets a block of @size_bytes. */
static bool allocates(size_t size_bytes)
{
	void *block = git_odb_backend_data_alloc(NULL, size_bytes);

	git_odb_backend_data_free(NULL, block);
	return block;
}

static void a_block_above_the_bound_is_refused(void **state)
{
	struct allocation_bound bound;
	uint64_t left_bytes = 1000 * KB;

	(void)state;
	allocation_begin(&bound, 10 * KB, &left_bytes);
	assert_true(allocates(10 * KB));
	assert_int_equal(bound.refused_bytes, 0);
	assert_false(allocates(10 * KB + 1));
	assert_int_equal(bound.refused_bytes, 10 * KB + 1);
	allocation_end(&bound);
	assert_true(allocates(10 * KB + 1));
}

static void freed_blocks_count(void **state)
{
	struct allocation_bound bound;
	uint64_t left_bytes = 100 * KB;
	unsigned blocks = 0;

	(void)state;
	allocation_begin(&bound, 10 * KB, &left_bytes);
	while (allocates(10 * KB))
		blocks++;
	allocation_end(&bound);
	assert_int_equal(blocks, 9);
	assert_int_equal(bound.refused_bytes, 10 * KB);
}

static void empty_blocks_count(void **state)
{
	struct allocation_bound bound;
	uint64_t left_bytes = KB;
	unsigned blocks = 0;

	(void)state;
	allocation_begin(&bound, KB, &left_bytes);
	while (allocates(0))
		blocks++;
	allocation_end(&bound);
	assert_in_range(blocks, 1, KB);
	assert_true(bound.refused_bytes > 0);
}

static void a_bound_inside_another_ends_before_it(void **state)
{
	struct allocation_bound outer, inner;
	uint64_t left_bytes = 1000 * KB;

	(void)state;
	allocation_begin(&outer, 10 * KB, &left_bytes);
	allocation_begin(&inner, 20 * KB, &left_bytes);
	assert_true(allocates(20 * KB));
	allocation_end(&inner);
	assert_false(allocates(20 * KB));
	allocation_end(&outer);
}

static void without_a_bound_a_block_has_a_limit_too(void **state)
{
	(void)state;
	assert_int_equal(allocation_refused(), 0);
	assert_true(allocates(ALLOCATION_BLOCK_BYTES));
	assert_false(allocates(ALLOCATION_BLOCK_BYTES + 1));
	assert_int_equal(allocation_refused(), ALLOCATION_BLOCK_BYTES + 1);
	assert_int_equal(allocation_refused(), 0);
}

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

/*
 * Writes a file for the blob "hello\n" in the directory @objects: @size bytes of @raw as a zlib stream,
 * without the last @cut bytes of the stream. Return: the blob's id.
 */
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

/* libgit2 reads alternates of alternates, up to the sixth directory in a chain. */
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

/* In libgit2, only a path that begins with a dot is relative to the repository. */
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
	assert_string_equal(fixture->err.text,
			    "inc/a.h of version 1.0 in REPO has more bytes than its header says: "
			    "the repository is damaged; run git fsck for details");
	objects_release(&objects);
}

enum { MB = 1024 * 1024 };

static int with_bare_of_object(void **state)
{
	static struct fixture fixture;

	fixture_init(&fixture, FIXTURE_BARE);
	fixture_version(&fixture, "1.0");
	*state = &fixture;
	return 0;
}

/* Writes an object of @size_bytes: @start, followed by spaces. */
static git_oid put_of_object(struct fixture *fixture, git_object_t type, size_t size_bytes, const char *start)
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
	git_oid id = put_of_object(*state, GIT_OBJECT_BLOB, LOADED_FILE_LIMIT_BYTES, "");

	assert_int_equal(open_as(*state, &id, OBJECT_FILE), 0);
}

static void what_is_larger_is_refused_by_name_and_size(void **state)
{
	struct fixture *fixture = *state;
	git_oid id = put_of_object(fixture, GIT_OBJECT_BLOB, LOADED_FILE_LIMIT_BYTES + 1, "");

	assert_int_equal(open_as(fixture, &id, OBJECT_FILE), ERR_LIMIT);
	assert_string_equal(
		fixture->err.text,
		"inc/a.h of version 1.0 in REPO has 33554433 bytes; the limit for a file is 33554432");
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
		git_oid id = put_of_object(fixture, rows[i].type, rows[i].limit_bytes + 1, "");

		assert_int_equal(open_as(fixture, &id, rows[i].use), ERR_LIMIT);
		id = put_of_object(fixture, rows[i].type, rows[i].limit_bytes, "");
		assert_int_not_equal(open_as(fixture, &id, rows[i].use),
				     ERR_LIMIT); /* spaces are not a valid tag, so the error differs */
	}
}

static void an_object_of_another_type_is_damage(void **state)
{
	struct fixture *fixture = *state;
	git_oid id = put_of_object(fixture, GIT_OBJECT_BLOB, 10, "");

	assert_int_equal(open_as(fixture, &id, OBJECT_DIRECTORY), ERR_GIT);
	assert_string_equal(
		fixture->err.text,
		"inc/a.h of version 1.0 in REPO is a blob, but should be a tree: the repository is damaged");
}

static void a_missing_object_is_named(void **state)
{
	struct fixture *fixture = *state;
	git_oid id;

	assert_int_equal(git_oid_fromstr(&id, "0123456789012345678901234567890123456789"), 0);
	assert_int_equal(open_as(fixture, &id, OBJECT_FILE), ERR_GIT);
	assert_string_equal(fixture->err.text,
			    "inc/a.h of version 1.0 is missing from REPO: is it a partial clone?");
}

static void all_objects_together_have_a_limit(void **state)
{
	struct fixture *fixture = *state;
	git_oid id = put_of_object(fixture, GIT_OBJECT_BLOB, MB, "");
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
	assert_starts(
		fixture->err.text,
		"cannot read inc/a.h of version 1.0 in REPO: more than 16 GB were unpacked before it");
	objects_release(&objects);
}

/*
 * Checks a directory with these entries ("100644 a.h"), all with the same id. git may refuse to write such a
 * directory.
 */
static int check(struct fixture *fixture, const char *const *entries, size_t count)
{
	static const char id[20] = { 1 };
	struct strbuf bytes = { 0 };
	git_oid tree_id;
	git_tree *tree;
	git_odb *odb;
	int rc;

	for (size_t i = 0; i < count; i++) {
		strbuf_add(&bytes, entries[i], strlen(entries[i]) + 1);
		strbuf_add(&bytes, id, sizeof(id));
	}
	assert_int_equal(git_repository_odb(&odb, fixture->repo), 0);
	assert_int_equal(git_odb_write(&tree_id, odb, bytes.text, bytes.length, GIT_OBJECT_TREE), 0);
	assert_int_equal(git_tree_lookup(&tree, fixture->repo, &tree_id), 0);
	rc = directory_check(tree, "inc", "1.0", "REPO", &fixture->err);
	git_tree_free(tree);
	git_odb_free(odb);
	strbuf_release(&bytes);
	return rc;
}

static void gits_own_order_is_right(void **state)
{
	static const char *const entries[] = { "100644 a",   "100644 a-b", "40000 a.d",
					       "100644 a.h", "40000 b",    "100644 b0" };

	assert_int_equal(check(*state, entries, 6), 0);
}

static void a_directory_stands_as_if_a_slash_ended_it(void **state)
{
	static const char *const right[] = { "100644 b.h", "40000 b" }, *const wrong[] = { "40000 b",
											   "100644 b.h" };
	struct fixture *fixture = *state;

	assert_int_equal(check(fixture, right, 2), 0);
	assert_int_equal(check(fixture, wrong, 2), ERR_GIT);
	assert_string_equal(fixture->err.text,
			    "the directory inc of version 1.0 in REPO is damaged: its entry 'b.h' is not in "
			    "git's order; run git fsck for details");
}

static void a_name_stands_once(void **state)
{
	static const char *const twice[] = { "100644 a.h", "100644 a.h" };
	static const char *const both[] = { "100644 inc", "100644 inc-1", "100644 inc.h", "40000 inc" };
	struct fixture *fixture = *state;

	assert_int_equal(check(fixture, twice, 2), ERR_GIT);
	assert_non_null(strstr(fixture->err.text, "its entry 'a.h' appears twice"));
	assert_int_equal(check(fixture, both, 4), ERR_GIT);
	assert_non_null(strstr(fixture->err.text, "its entry 'inc' appears twice"));
}

static void names_that_lead_elsewhere_are_none(void **state)
{
	static const char *const names[] = { "40000 ..", "40000 .", "100644 a/b" };
	struct fixture *fixture = *state;

	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(check(fixture, &names[i], 1), ERR_GIT);
		assert_non_null(strstr(fixture->err.text, "is not a file name"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_above_the_bound_is_refused),
		cmocka_unit_test(freed_blocks_count),
		cmocka_unit_test(empty_blocks_count),
		cmocka_unit_test(a_bound_inside_another_ends_before_it),
		cmocka_unit_test(without_a_bound_a_block_has_a_limit_too),
		cmocka_unit_test_setup_teardown(an_object_as_git_writes_it_is_sound, with_bare, without),
		cmocka_unit_test_setup_teardown(an_object_that_is_in_no_file_is_not_looked_at, with_bare,
						without),
		cmocka_unit_test_setup_teardown(each_lie_of_a_header_is_found, with_bare, without),
		cmocka_unit_test_setup_teardown(a_file_that_was_cut_off_ends_early, with_bare, without),
		cmocka_unit_test_setup_teardown(objects_of_an_alternate_are_looked_at, with_bare, without),
		cmocka_unit_test_setup_teardown(objects_of_the_last_alternate_are_looked_at, with_bare,
						without),
		cmocka_unit_test_setup_teardown(an_alternate_may_be_relative_to_the_working_directory,
						with_bare, without),
		cmocka_unit_test_setup_teardown(opening_says_what_is_wrong, with_bare, without),
		cmocka_unit_test_setup_teardown(a_file_of_the_limit_is_read, with_bare_of_object, without),
		cmocka_unit_test_setup_teardown(what_is_larger_is_refused_by_name_and_size,
						with_bare_of_object, without),
		cmocka_unit_test_setup_teardown(each_use_has_a_limit, with_bare_of_object, without),
		cmocka_unit_test_setup_teardown(an_object_of_another_type_is_damage, with_bare_of_object,
						without),
		cmocka_unit_test_setup_teardown(a_missing_object_is_named, with_bare_of_object, without),
		cmocka_unit_test_setup_teardown(all_objects_together_have_a_limit, with_bare_of_object,
						without),
		cmocka_unit_test_setup_teardown(gits_own_order_is_right, with_bare, without),
		cmocka_unit_test_setup_teardown(a_directory_stands_as_if_a_slash_ended_it, with_bare,
						without),
		cmocka_unit_test_setup_teardown(a_name_stands_once, with_bare, without),
		cmocka_unit_test_setup_teardown(names_that_lead_elsewhere_are_none, with_bare, without),
	};

	return cmocka_run_group_tests(tests, with_libgit2, NULL);
}
