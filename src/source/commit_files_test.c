/* Tests the files of a commit: their texts, links, patterns and ids. */
#include "source/fixture_test.h"

/* Makes the versions 1.0 and 1.1. All rows are about 1.1, whose a.h has the text "1.1". */
static int with_files(void **state)
{
	static const char *const links[][2] = {
		{ "inc/same.h", "a.h" },     { "inc/below.h", "deep/b.h" },	 { "inc/ring.h", "ring.h" },
		{ "inc/deep/up.h", "../a.h" }, { "inc/deep/out.h", "/etc/passwd" }, { "include", "inc" },
	};

	begin_test(state);
	fixture_history(&fixture, "main:1.0");
	fixture_put(&fixture, "third_party", NULL, GIT_FILEMODE_COMMIT);
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		fixture_put(&fixture, links[i][0], links[i][1], GIT_FILEMODE_LINK);
	fixture_file(&fixture, "inc.h", "");
	fixture_file(&fixture, "inc/.hidden.h", "");
	fixture_history(&fixture, "main:1.1");
	return 0;
}

#define LINK " of version 1.1 in REPO is a link that "
static const struct tree_row rows[] = {
	{ "a file has a text", "inc/a.h", "1.1" },
	{ "an empty file has a text", "inc.h", "" },
	{ "a file that does not exist", "inc/none.h",
	  "not found: no file inc/none.h in version 1.1 of REPO" },
	{ "a directory that does not exist", "none/a.h",
	  "not found: no file none/a.h in version 1.1 of REPO" },
	{ "a file under a file", "inc/a.h/b", "not found: no file inc/a.h/b in version 1.1 of REPO" },
	{ "a directory is not a file", "inc/deep",
	  "not found: inc/deep in version 1.1 of REPO is a directory, not a file" },
	{ "a submodule is not a file", "third_party",
	  "not found: third_party in version 1.1 of REPO is a submodule, not a file" },
	{ "a path does not go up", "inc/../inc.h", "format: \"inc/../inc.h\"" NO_PATH },
	{ "a path is not absolute", "/inc.h", "format: \"/inc.h\"" NO_PATH },
	{ "a path has no empty name", "inc//a.h", "format: \"inc//a.h\"" NO_PATH },
	{ "a path has no dot", "./inc.h", "format: \"./inc.h\"" NO_PATH },
	{ "a path is not empty", "", "format: \"\"" NO_PATH },
	{ "a link to a file beside it is followed", "inc/same.h", "1.1" },
	{ "a link to a file below is followed", "inc/below.h", "int b;\n" },
	{ "a link to a directory is followed", "include/deep/b.h", "int b;\n" },
	{ "a link up is refused", "inc/deep/up.h",
	  "format: inc/deep/up.h" LINK "leads out of its own directory, and is not followed" },
	{ "a link out is refused", "inc/deep/out.h",
	  "format: inc/deep/out.h" LINK "leads out of its own directory, and is not followed" },
	{ "a link to itself is refused", "inc/ring.h",
	  "format: inc/ring.h" LINK "leads through too many other links" },
	{ "a star does not match a slash", "* *.h", "inc.h" },
	{ "a question mark matches a character", "* inc/?.h", "inc/a.h" },
	{ "a star matches links to directories", "* */deep/b.h", "inc/deep/b.h include/deep/b.h" },
	{ "a bracket matches characters", "* inc/[ab]*.h", "inc/a.h inc/below.h" },
	{ "a pattern finds links that cannot be read", "* inc/deep/*",
	  "inc/deep/b.h inc/deep/out.h inc/deep/up.h" },
	{ "a pattern without wildcards is a file", "* inc/a.h", "inc/a.h" },
	{ "a pattern without wildcards is not a directory", "* inc/deep", "" },
	{ "a pattern in a directory that does not exist", "* none/*.h", "" },
	{ "a pattern under a file", "* inc.h/*.h", "" },
};

TEST(a_commit_has_files)
{
	struct tree *tree = fixture_tree(&fixture, "1.1");

	check_tree(tree, rows, sizeof(rows) / sizeof(*rows));
	tree_free(tree);
}

TEST(a_file_is_loaded_once)
{
	struct tree *tree = fixture_tree(&fixture, "1.1");
	const char *first = tree_text(tree, "inc/a.h");

	tree_text(tree, "inc/deep/b.h");
	assert_ptr_equal(tree_text(tree, "inc/a.h"), first);
	tree_free(tree);
}

TEST(patterns_are_appended)
{
	struct tree *tree = fixture_tree(&fixture, "1.1");
	const char **paths = NULL;
	size_t count = 0;

	assert_int_equal(tree->ops->glob(tree, "inc/deep/b.h", &paths, &count, &fixture.err), 0);
	assert_int_equal(tree->ops->glob(tree, "inc/a.h", &paths, &count, &fixture.err), 0);
	assert_int_equal(tree->ops->glob(tree, "../*.h", &paths, &count, &fixture.err), ERR_FORMAT);
	assert_int_equal(count, 2);
	assert_string_equal(paths[0], "inc/deep/b.h");
	assert_string_equal(paths[1], "inc/a.h");
	free(paths);
	tree_free(tree);
}

/* Writes a directory with one entry, which git may refuse to write. */
static git_oid write_directory(const char *mode, const char *name, const git_oid *id)
{
	struct strbuf bytes = { 0 };
	git_oid out;
	git_odb *odb;

	strbuf_addf(&bytes, "%s %s", mode, name);
	strbuf_addch(&bytes, '\0');
	strbuf_add(&bytes, (const char *)id->id, sizeof(id->id));
	assert_int_equal(git_repository_odb(&odb, fixture.repo), 0);
	assert_int_equal(git_odb_write(&out, odb, bytes.text, bytes.length, GIT_OBJECT_TREE), 0);
	git_odb_free(odb);
	strbuf_release(&bytes);
	return out;
}

TEST(a_damaged_directory_is_an_error_each_time)
{
	git_oid blob, id;
	struct tree *tree;
	git_tree *root;

	assert_int_equal(git_blob_create_from_buffer(&blob, fixture.repo, "x", 1), 0);
	id = write_directory("100644", "..", &blob);
	id = write_directory("40000", "bad", &id);
	assert_int_equal(git_tree_lookup(&root, fixture.repo, &id), 0);
	fixture_commit_tree(&fixture, NULL, "damaged", root, NULL, 0);
	fixture_tag_object(&fixture, "1.2", &fixture.commit, NULL);
	git_tree_free(root);
	tree = fixture_tree(&fixture, "1.2");
	for (int i = 0; i < 2; i++) {
		const char *text;
		size_t size;

		assert_int_equal(tree->ops->read(tree, "bad/..x", &text, &size, &fixture.err), ERR_GIT);
		assert_non_null(strstr(fixture.err.text, "the directory bad of version 1.2 in "));
	}
	tree_free(tree);
}

TEST(an_id_changes_with_what_is_below)
{
	static const char *const paths[] = { "", "inc", "inc/a.h", "inc/deep/b.h" };
	struct tree *base = fixture_tree(&fixture, "1.0"), *next = fixture_tree(&fixture, "1.1");
	char before[41], after[41];

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		assert_int_equal(base->ops->id(base, paths[i], before, &fixture.err), 0);
		assert_int_equal(next->ops->id(next, paths[i], after, &fixture.err), 0);
		assert_int_equal(strlen(after), 40);
		assert_int_equal(!strcmp(before, after), i == 3);
	}
	assert_int_equal(next->ops->id(next, "none", after, &fixture.err), ERR_NOT_FOUND);
	tree_free(base);
	tree_free(next);
}

TEST_GROUP(with_files, end_test)
