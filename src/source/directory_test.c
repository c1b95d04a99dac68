/* Tests the files of a directory: their texts, links in it and out of it, patterns, and Linux's headers. */
#include "source/fixture_test.h"

#include <sys/stat.h>

/* A path under DIR, and the text of the file, or "-> " and the target of the link. REPO is DIR/root. */
static const char *const files[][2] = {
	{ "root/inc/a.h", "int a;\n" },
	{ "root/inc/deep/b.h", "int b;\n" },
	{ "root/inc/empty.h", "" },
	{ "root-other/secret.h", "int secret;\n" },
	{ "root/inc/deep/up.h", "-> ../a.h" },
	{ "root/inc/out.h", "-> ../../root-other/secret.h" },
	{ "root/inc/dangling.h", "-> none.h" },
	{ "root/include", "-> inc" },
	{ "root/outside", "-> ../root-other" },
	/* as Debian's linux-libc-dev installs them, here under usr/ */
	{ "usr/lib/linux/uapi/x86/asm/kvm.h", "int kvm;\n" },
	{ "usr/lib/secret.h", "int secret;\n" },
	{ "usr/include/x86_64-linux-gnu/asm/own.h", "int own;\n" },
	{ "usr/include/x86_64-linux-gnu/asm/kvm.h", "-> ../../../lib/linux/uapi/x86/asm/kvm.h" },
	{ "usr/include/x86_64-linux-gnu/asm/again.h", "-> kvm.h" },
	{ "usr/include/x86_64-linux-gnu/asm/secret.h", "-> ../../../lib/secret.h" },
	/* a link in place of the processor's headers, which could lead to any file of the machine */
	{ "linked/include/asm/own.h", "int own;\n" },
	{ "linked/lib/linux/own.h", "int own;\n" },
	{ "linked/lib/linux/uapi", "-> ../../../root-other" },
	{ "linked/include/asm/secret.h", "-> ../../lib/linux/uapi/secret.h" },
};

static int with_files(void **state)
{
	snprintf(fixture.dir, sizeof(fixture.dir), "/tmp/drvabi-XXXXXX");
	assert_non_null(mkdtemp(fixture.dir));
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		const char *path = in(fixture.dir, files[i][0]), *text = files[i][1];

		if (!strncmp(text, "-> ", 3))
			assert_int_equal(symlink(text + 3, path), 0);
		else
			write_file(path, text);
	}
	assert_int_equal(mkfifo(in(fixture.dir, "root/inc/pipe.h"), 0666), 0);
	return 0;
}

static struct tree *opened(const char *root)
{
	struct tree *tree;

	snprintf(fixture.path, sizeof(fixture.path), "%s/%s", fixture.dir, root);
	if (source_directory(&tree, fixture.path, NULL, &fixture.err))
		fail_msg("%s", fixture.err.text);
	return tree;
}

static void check(const char *root, const struct tree_row *rows, size_t count)
{
	struct tree *tree = opened(root);

	check_tree(tree, rows, count);
	tree_free(tree);
}

#define LEAVES(target)                                                                                       \
	" in REPO is a link that leaves the tree (to DIR/" target "); only links inside the tree are followed"
static const struct tree_row rows[] = {
	{ "a file has a text", "inc/a.h", "int a;\n" },
	{ "an empty file has a text", "inc/empty.h", "" },
	{ "a link up inside the tree is followed", "inc/deep/up.h", "int a;\n" },
	{ "a link to a directory is followed", "include/deep/b.h", "int b;\n" },
	{ "a link out is refused", "inc/out.h", "format: inc/out.h" LEAVES("root-other/secret.h") },
	{ "a file under a link out is refused", "outside/secret.h",
	  "format: outside/secret.h" LEAVES("root-other/secret.h") },
	{ "a path out is refused", "../root-other/secret.h", "format: \"../root-other/secret.h\"" NO_PATH },
	{ "an absolute path is refused", "/etc/passwd", "format: \"/etc/passwd\"" NO_PATH },
	{ "a file that does not exist", "inc/none.h", "not found: no file inc/none.h in REPO" },
	{ "a file under a file", "inc/a.h/b.h", "not found: no file inc/a.h/b.h in REPO" },
	{ "a link to nothing", "inc/dangling.h", "not found: no file inc/dangling.h in REPO" },
	{ "a directory is not a file", "inc/deep", "not found: inc/deep in REPO is not a regular file" },
	{ "a pipe is not a file", "inc/pipe.h", "not found: inc/pipe.h in REPO is not a regular file" },
	{ "a bracket matches characters", "* inc/[ae]*.h", "inc/a.h inc/empty.h" },
	{ "a star matches links to directories", "* */deep/b.h", "inc/deep/b.h include/deep/b.h" },
	{ "a pattern without wildcards is a file", "* inc/a.h", "inc/a.h" },
	{ "a pattern without wildcards that matches nothing", "* inc/none.h", "" },
	{ "a pattern in a directory that does not exist", "* none/*.h", "" },
	{ "a pattern finds links that cannot be read, so that reading them is an error", "* inc/[do]*",
	  "inc/dangling.h inc/out.h" },
};

TEST(a_directory_has_files)
{
	check("root", rows, sizeof(rows) / sizeof(*rows));
}

TEST(a_directory_has_a_name_and_no_commit)
{
	struct tree *tree = opened("root");
	char hex[41];

	assert_string_equal(tree->version, fixture.path);
	assert_string_equal(tree->commit, "");
	assert_int_equal(tree->ops->id(tree, "inc/a.h", hex, &fixture.err), ERR_NOT_FOUND);
	tree_free(tree);
}

TEST(a_file_is_loaded_once)
{
	struct tree *tree = opened("root");
	const char *first = tree_text(tree, "inc/a.h");

	assert_string_equal(tree_text(tree, "inc/empty.h"), "");
	assert_ptr_equal(tree_text(tree, "inc/a.h"), first);
	tree_free(tree);
}

TEST(headers_of_linux_lead_to_those_of_the_processor)
{
	static const struct tree_row headers[] = {
		{ "a processor's header is read", "x86_64-linux-gnu/asm/kvm.h", "int kvm;\n" },
		{ "a different link out is refused", "x86_64-linux-gnu/asm/secret.h",
		  "format: x86_64-linux-gnu/asm/secret.h" LEAVES("usr/lib/secret.h") },
	};
	static const struct tree_row linked[] = {
		{ "a link in place of the processor's headers is refused", "asm/secret.h",
		  "format: asm/secret.h" LEAVES("root-other/secret.h") },
	};
	static const char *const real_paths[][2] = {
		{ "x86_64-linux-gnu/asm/kvm.h", "../lib/linux/uapi/x86/asm/kvm.h" },
		{ "x86_64-linux-gnu/asm/again.h", "../lib/linux/uapi/x86/asm/kvm.h" },
		{ "x86_64-linux-gnu/asm/own.h", "x86_64-linux-gnu/asm/own.h" },
	};
	struct tree *tree;

	check("usr/include", headers, 2);
	check("linked/include", linked, 1);
	tree = opened("usr/include");
	for (size_t i = 0; i < sizeof(real_paths) / sizeof(*real_paths); i++) {
		const char *real = "untouched";

		assert_int_equal(tree_real(tree, real_paths[i][0], &real, &fixture.err), 0);
		assert_string_equal(real, real_paths[i][1]);
	}
	tree_free(tree);
}

TEST(a_path_that_is_not_a_directory_is_named)
{
	const char *file = in(fixture.dir, "root/inc/a.h");
	struct strbuf out = { 0 };
	struct tree *tree = NULL;

	assert_int_equal(source_directory(&tree, "/nonexistent", NULL, &fixture.err), ERR_NOT_FOUND);
	assert_string_equal(fixture.err.text,
			    "cannot open directory /nonexistent: No such file or directory");
	assert_int_equal(source_directory(&tree, file, NULL, &fixture.err), ERR_NOT_FOUND);
	add_text(&out, fixture.err.text);
	assert_false(text_differs("a file", &out,
				  "DIR/root/inc/a.h is not a directory; give an unpacked driver tree with "
				  "--dir PATH"));
	assert_null(tree);
}

TEST_GROUP(with_files, end_test)
