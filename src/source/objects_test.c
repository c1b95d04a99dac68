/*
 * Tests the faults in files of loose objects, the limits for objects, and the rules for the names of a
 * directory.
 */
#include "source/fixture_test.h"

#include <zlib.h>

enum { KB = 1024, MB = 1024 * 1024 };

/* --- loose objects ------------------------------------------------------------------- */

enum { RAW_BYTES = 13 };

/*
 * Writes a file for the blob "hello\n" in the directory @objects: RAW_BYTES of @raw as a zlib stream, without
 * the last @cut bytes of the stream. Return: the blob's id.
 */
static git_oid put(const char *objects, const char *raw, size_t cut)
{
	char hex[GIT_OID_HEXSZ + 1], *path;
	unsigned char packed[256];
	uLongf length = sizeof(packed);
	git_oid id;

	assert_int_equal(git_odb_hash(&id, "hello\n", 6, GIT_OBJECT_BLOB), 0);
	git_oid_tostr(hex, sizeof(hex), &id);
	assert_int_equal(compress(packed, &length, (const Bytef *)raw, RAW_BYTES), Z_OK);
	path = arena_printf(&arena, "%s/%s/%.2s", fixture.path, objects, hex);
	assert_int_equal(file_make_dirs(path, &fixture.err), 0);
	path = arena_printf(&arena, "%s/%s", path, hex + 2);
	assert_int_equal(file_write_atomic(path, packed, length - cut, &fixture.err), 0);
	return id;
}

static const char *fault_of(const git_oid *id)
{
	struct loose_dirs dirs;
	const char *fault;

	loose_dirs_init(&dirs, git_repository_commondir(fixture.repo));
	fault = loose_fault(&dirs, id);
	loose_dirs_release(&dirs);
	return fault ? fault : "";
}

#define MORE "has more bytes than its header says"
#define FEWER "has fewer bytes than its header says"
#define NO_HEADER "does not begin with a type and a size"

/* The bytes of an object, how many bytes are cut off its file, and the fault. */
static const struct {
	const char *fact, *raw;
	size_t cut;
	const char *fault;
} faults[] = {
	{ "an object as git writes it is valid", "blob 6\0hello\n", 0, "" },
	{ "a file that is cut off ends early", "blob 6\0hello\n", 5, "ends early" },
	{ "a size that is too small", "blob 5\0hello\n", 0, MORE },
	{ "a size of 0", "blob 0\0hello\n", 0, MORE },
	{ "a size that is too large", "blob 7\0hello\n", 0, FEWER },
	{ "a header without an end", "blob 6 hello\n", 0, NO_HEADER },
	{ "a header without a size", "blob \0 hello\n", 0, NO_HEADER },
	{ "a size that is not a number", "blob 6x\0ello\n", 0, NO_HEADER },
	{ "a header that ends before the space", "blob\0 6 ello\n", 0, NO_HEADER },
};

SOURCE_TEST(each_fault_of_an_object_is_found)
{
	const git_oid in_no_file = { { 1, 2, 3 } };
	bool differs = false;

	assert_string_equal(fault_of(&in_no_file), "");
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		git_oid id = put("objects", faults[i].raw, faults[i].cut);
		struct strbuf out = { 0 };

		strbuf_adds(&out, fault_of(&id));
		differs |= text_differs(faults[i].fact, &out, faults[i].fault);
	}
	assert_false(differs);
}

/* Makes @line the alternates of the objects in the directory @objects. */
static void put_alternate(const char *objects, const char *line)
{
	write_file(arena_printf(&arena, "%s/%s/info/alternates", fixture.path, objects), line);
}

SOURCE_TEST(objects_of_an_alternate_are_checked)
{
	git_oid id = put("other", "blob 7\0hello\n", 0);

	assert_string_equal(fault_of(&id), "");
	put_alternate("objects", "# one\n../other\n");
	assert_string_equal(fault_of(&id), FEWER);
}

/* libgit2 reads alternates of alternates, up to the sixth directory in a chain. */
SOURCE_TEST(objects_of_the_last_alternate_are_checked)
{
	git_oid id = put("6", "blob 7\0hello\n", 0);

	for (unsigned i = 0; i < 6; i++)
		put_alternate(i ? arena_printf(&arena, "%u", i) : "objects",
			      arena_printf(&arena, "%s/%u\r\n", fixture.path, i + 1));
	assert_string_equal(fault_of(&id), FEWER);
}

/* In libgit2, only a path that begins with a dot is relative to the repository. */
SOURCE_TEST(an_alternate_may_be_relative_to_the_working_directory)
{
	git_oid id = put("other", "blob 7\0hello\n", 0);
	char *old = getcwd(NULL, 0);

	put_alternate("objects", "other\n");
	assert_int_equal(chdir(fixture.path), 0);
	assert_string_equal(fault_of(&id), FEWER);
	assert_int_equal(chdir(old), 0);
	free(old);
}

/* --- limits for objects ---------------------------------------------------------------- */

/* Writes an object of @size_bytes spaces. */
static git_oid put_spaces(git_object_t type, size_t size_bytes)
{
	char *bytes = xmalloc(size_bytes);
	git_oid id;
	git_odb *odb;

	memset(bytes, ' ', size_bytes);
	assert_int_equal(git_repository_odb(&odb, fixture.repo), 0);
	assert_int_equal(git_odb_write(&id, odb, bytes, size_bytes, type), 0);
	git_odb_free(odb);
	free(bytes);
	return id;
}

static int open_as(const git_oid *id, enum object_use use)
{
	struct objects objects;
	git_object *object = NULL;
	int rc;

	fixture.err.text[0] = '\0';
	assert_int_equal(objects_init(&objects, fixture.repo, "REPO", "1.0", &fixture.err), 0);
	rc = object_open(&object, &objects, id, use, "inc/a.h", &fixture.err);
	git_object_free(object);
	objects_release(&objects);
	return rc;
}

/*
 * Objects of spaces, and the error. A commit, a tag or a directory of spaces is not valid, so at the limit,
 * another error is reported; such rows say only that it is not ERR_LIMIT.
 */
#define OBJECT "inc/a.h of version 1.0 in REPO "
static const struct {
	const char *fact;
	git_object_t type;
	size_t size_bytes;
	enum object_use use;
	int rc;
	const char *text; /* NULL: anything but ERR_LIMIT */
} limits[] = {
	{ "a file at the limit", GIT_OBJECT_BLOB, LOADED_FILE_LIMIT_BYTES, OBJECT_FILE, 0, "" },
	{ "a file above the limit", GIT_OBJECT_BLOB, LOADED_FILE_LIMIT_BYTES + 1, OBJECT_FILE, ERR_LIMIT,
	  OBJECT "has 33554433 bytes; the limit for a file is 33554432" },
	{ "a commit at the limit", GIT_OBJECT_COMMIT, MB, OBJECT_COMMIT, 0, NULL },
	{ "a commit above the limit", GIT_OBJECT_COMMIT, MB + 1, OBJECT_COMMIT, ERR_LIMIT,
	  "commit " OBJECT "has 1048577 bytes; the limit for a commit is 1048576" },
	{ "a tag at the limit", GIT_OBJECT_TAG, MB, OBJECT_TAG, 0, NULL },
	{ "a tag above the limit", GIT_OBJECT_TAG, MB + 1, OBJECT_TAG, ERR_LIMIT,
	  "tag " OBJECT "has 1048577 bytes; the limit for a tag is 1048576" },
	{ "a directory at the limit", GIT_OBJECT_TREE, 4 * MB, OBJECT_DIRECTORY, 0, NULL },
	{ "a directory above the limit", GIT_OBJECT_TREE, 4 * MB + 1, OBJECT_DIRECTORY, ERR_LIMIT,
	  "directory " OBJECT "has 4194305 bytes; the limit for a directory is 4194304" },
	{ "a link at the limit", GIT_OBJECT_BLOB, 4096, OBJECT_LINK, 0, "" },
	{ "a link above the limit", GIT_OBJECT_BLOB, 4097, OBJECT_LINK, ERR_LIMIT,
	  OBJECT "has 4097 bytes; the limit for a link is 4096" },
	{ "an object of another type", GIT_OBJECT_BLOB, 10, OBJECT_DIRECTORY, ERR_GIT,
	  "directory " OBJECT "is a blob, but should be a tree: the repository is damaged" },
};

SOURCE_TEST(each_use_has_a_limit_and_a_type)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		git_oid id = put_spaces(limits[i].type, limits[i].size_bytes);
		int rc = open_as(&id, limits[i].use);
		struct strbuf out = { 0 };

		if (limits[i].text ? rc != limits[i].rc : rc == ERR_LIMIT)
			fail_msg("%s: %d", limits[i].fact, rc);
		if (!limits[i].text)
			continue;
		strbuf_adds(&out, fixture.err.text);
		differs |= text_differs(limits[i].fact, &out, limits[i].text);
	}
	assert_false(differs);
}

SOURCE_TEST(a_missing_or_faulty_object_is_named)
{
	git_oid id;

	assert_int_equal(git_oid_fromstr(&id, "0123456789012345678901234567890123456789"), 0);
	assert_int_equal(open_as(&id, OBJECT_FILE), ERR_GIT);
	assert_string_equal(fixture.err.text,
			    "inc/a.h of version 1.0 is missing from REPO: is it a partial clone?");
	id = put("objects", "blob 5\0hello\n", 0);
	assert_int_equal(open_as(&id, OBJECT_FILE), ERR_GIT);
	assert_string_equal(fixture.err.text,
			    OBJECT MORE ": the repository is damaged; run git fsck for details");
}

/* --- the names of a directory ------------------------------------------------------------ */

/* The names in a directory, in which "b/" is a directory, and the name of the faulty entry with its fault. */
static const struct {
	const char *fact, *names, *fault;
} directories[] = {
	{ "git's own order is right", "a a-b a.d/ a.h b/ b0", NULL },
	{ "a directory is sorted as if its name ended with a slash", "b.h b/", NULL },
	{ "a directory before the name that it follows is refused", "b/ b.h", "'b.h' is not in git's order" },
	{ "a name that appears twice is refused", "a.h a.h", "'a.h' appears twice" },
	{ "a name of a file and of a directory is refused", "inc inc-1 inc.h inc/", "'inc' appears twice" },
	{ "the parent directory is refused", "../", "'..' is not a file name" },
	{ "the directory itself is refused", "./", "'.' is not a file name" },
	{ "a path is refused", "a/b", "'a/b' is not a file name" },
};

/* Checks a directory, which git may refuse to write. All entries have the same id. */
static int check_names(const char *names)
{
	static const char id[20] = { 1 };
	struct strbuf bytes = { 0 };
	git_oid tree_id;
	git_tree *tree;
	git_odb *odb;
	char *name;
	int rc;

	while (*(name = document_word(&names, &arena))) {
		const bool is_directory = name[strlen(name) - 1] == '/';

		strbuf_addf(&bytes, "%s %.*s", is_directory ? "40000" : "100644",
			    (int)strlen(name) - is_directory, name);
		strbuf_addch(&bytes, '\0');
		strbuf_add(&bytes, id, sizeof(id));
	}
	assert_int_equal(git_repository_odb(&odb, fixture.repo), 0);
	assert_int_equal(git_odb_write(&tree_id, odb, bytes.text, bytes.length, GIT_OBJECT_TREE), 0);
	assert_int_equal(git_tree_lookup(&tree, fixture.repo, &tree_id), 0);
	rc = directory_check(tree, "inc", "1.0", "REPO", &fixture.err);
	git_tree_free(tree);
	git_odb_free(odb);
	strbuf_release(&bytes);
	return rc;
}

SOURCE_TEST(the_names_of_a_directory_follow_gits_rules)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++) {
		const char *fault = directories[i].fault;
		int rc = check_names(directories[i].names);
		struct strbuf out = { 0 };

		strbuf_adds(&out, rc ? fixture.err.text : "");
		if (fault)
			fault = arena_printf(&arena,
					     "the directory inc of version 1.0 in REPO is damaged: its entry "
					     "%s; run git fsck for details", fault);
		differs |= text_differs(directories[i].fact, &out, fault ? fault : "");
		assert_int_equal(rc, fault ? ERR_GIT : 0);
	}
	assert_false(differs);
}

static int with_libgit2(void **state)
{
	return git_setup(&fixture.err);
}

TEST_GROUP(with_libgit2, NULL)
