#include "source/fixture_test.h"

#include <sys/stat.h>

/* A directory that has root/, and files next to root/. */
struct site {
	char dir[64];
	char root[80];
	struct err err;
};

static void put(struct site *site, const char *path, const char *text)
{
	struct strbuf full = { 0 };
	char *slash;

	strbuf_addf(&full, "%s/%s", site->dir, path);
	slash = strrchr(full.text, '/');
	*slash = '\0';
	assert_int_equal(file_make_dirs(full.text, &site->err), 0);
	*slash = '/';
	assert_int_equal(file_write_atomic(full.text, text, strlen(text), &site->err), 0);
	strbuf_release(&full);
}

static void put_link(struct site *site, const char *path, const char *target)
{
	struct strbuf full = { 0 };

	strbuf_addf(&full, "%s/%s", site->dir, path);
	assert_int_equal(symlink(target, full.text), 0);
	strbuf_release(&full);
}

static int with_place(void **state)
{
	static struct site site;
	struct strbuf pipe_path = { 0 };

	snprintf(site.dir, sizeof(site.dir), "/tmp/drvabi-XXXXXX");
	assert_non_null(mkdtemp(site.dir));
	snprintf(site.root, sizeof(site.root), "%s/root", site.dir);
	put(&site, "root/inc/a.h", "int a;\n");
	put(&site, "root/inc/deep/b.h", "int b;\n");
	put(&site, "root/inc/empty.h", "");
	put(&site, "root-other/secret.h", "int secret;\n");
	put_link(&site, "root/inc/deep/up.h", "../a.h");
	put_link(&site, "root/inc/out.h", "../../root-other/secret.h");
	put_link(&site, "root/inc/dangling.h", "none.h");
	put_link(&site, "root/include", "inc");
	put_link(&site, "root/outside", "../root-other");
	strbuf_addf(&pipe_path, "%s/inc/pipe.h", site.root);
	assert_int_equal(mkfifo(pipe_path.text, 0666), 0);
	strbuf_release(&pipe_path);
	*state = &site;
	return 0;
}

static int without(void **state)
{
	clone_dir_remove(((struct site *)*state)->dir);
	return 0;
}

static struct tree *opened(struct site *site)
{
	struct tree *tree;

	if (source_directory(&tree, site->root, NULL, &site->err))
		fail_msg("%s", site->err.text);
	return tree;
}

static void refuses(struct site *site, const char *path, int code)
{
	struct tree *tree = opened(site);
	const char *text = "untouched";
	size_t size;

	assert_int_equal(tree->ops->read(tree, path, &text, &size, &site->err), code);
	assert_string_equal(text, "untouched");
	assert_non_null(strstr(site->err.text, path));
	tree_free(tree);
}

static void a_directory_has_a_name_and_no_commit(void **state)
{
	struct site *site = *state;
	struct tree *tree = opened(site);
	char hex[41];

	assert_string_equal(tree->version, site->root);
	assert_string_equal(tree->commit, "");
	assert_int_equal(tree->ops->id(tree, "inc/a.h", hex, &site->err), ERR_NOT_FOUND);
	tree_free(tree);
}

static void a_file_is_loaded_once(void **state)
{
	struct tree *tree = opened(*state);
	const char *first = tree_text(tree, "inc/a.h");

	assert_string_equal(first, "int a;\n");
	assert_string_equal(tree_text(tree, "inc/empty.h"), "");
	assert_ptr_equal(tree_text(tree, "inc/a.h"), first);
	tree_free(tree);
}

static void links_inside_are_followed(void **state)
{
	struct tree *tree = opened(*state);

	assert_string_equal(tree_text(tree, "inc/deep/up.h"), "int a;\n");
	assert_string_equal(tree_text(tree, "include/deep/b.h"), "int b;\n");
	tree_free(tree);
}

static void links_out_are_refused(void **state)
{
	refuses(*state, "inc/out.h", ERR_FORMAT);
	refuses(*state, "outside/secret.h", ERR_FORMAT);
}

static void paths_out_are_refused(void **state)
{
	refuses(*state, "../root-other/secret.h", ERR_FORMAT);
	refuses(*state, "/etc/passwd", ERR_FORMAT);
}

static void what_is_no_file_is_not_found(void **state)
{
	refuses(*state, "inc/none.h", ERR_NOT_FOUND);
	refuses(*state, "inc/a.h/b.h", ERR_NOT_FOUND);
	refuses(*state, "inc/dangling.h", ERR_NOT_FOUND);
	refuses(*state, "inc/deep", ERR_NOT_FOUND);
	refuses(*state, "inc/pipe.h", ERR_NOT_FOUND);
}

static void patterns_list_what_matches(void **state)
{
	struct tree *tree = opened(*state);

	assert_string_equal(tree_found(tree, "inc/[ae]*.h"), "inc/a.h inc/empty.h");
	assert_string_equal(tree_found(tree, "*/deep/b.h"), "inc/deep/b.h include/deep/b.h");
	assert_string_equal(tree_found(tree, "inc/a.h"), "inc/a.h");
	assert_string_equal(tree_found(tree, "inc/none.h"), "");
	assert_string_equal(tree_found(tree, "none/*.h"), "");
	tree_free(tree);
}

/* The files are as Debian's linux-libc-dev installs them, here under usr/. */
static void headers_of_linux_lead_to_those_of_the_processor(void **state)
{
	struct site *site = *state, headers = *site;
	const char *beside = "untouched", *linked = "untouched";
	struct tree *tree;

	put(site, "usr/lib/linux/uapi/x86/asm/kvm.h", "int kvm;\n");
	put(site, "usr/lib/secret.h", "int secret;\n");
	put(site, "usr/include/x86_64-linux-gnu/asm/own.h", "int own;\n");
	put_link(site, "usr/include/x86_64-linux-gnu/asm/kvm.h", "../../../lib/linux/uapi/x86/asm/kvm.h");
	put_link(site, "usr/include/x86_64-linux-gnu/asm/again.h", "kvm.h");
	put_link(site, "usr/include/x86_64-linux-gnu/asm/secret.h", "../../../lib/secret.h");
	assert_true(snprintf(headers.root, sizeof(headers.root), "%s/usr/include", site->dir) <
		    (int)sizeof(headers.root));
	tree = opened(&headers);
	assert_string_equal(tree_text(tree, "x86_64-linux-gnu/asm/kvm.h"), "int kvm;\n");
	assert_int_equal(tree_real(tree, "x86_64-linux-gnu/asm/kvm.h", &linked, &site->err), 0);
	assert_int_equal(tree_real(tree, "x86_64-linux-gnu/asm/again.h", &beside, &site->err), 0);
	assert_string_equal(linked, "../lib/linux/uapi/x86/asm/kvm.h");
	assert_string_equal(beside, linked);
	assert_int_equal(tree_real(tree, "x86_64-linux-gnu/asm/own.h", &beside, &site->err), 0);
	assert_string_equal(beside, "x86_64-linux-gnu/asm/own.h");
	tree_free(tree);
	refuses(&headers, "x86_64-linux-gnu/asm/secret.h", ERR_FORMAT);
}

/* Otherwise a link could lead to any file of the machine. */
static void the_processors_headers_are_no_link_themselves(void **state)
{
	struct site *site = *state, headers = *site;

	put(site, "linked/include/asm/own.h", "int own;\n");
	put(site, "linked/lib/linux/own.h", "int own;\n");
	put_link(site, "linked/lib/linux/uapi", "../../../root-other");
	put_link(site, "linked/include/asm/secret.h", "../../lib/linux/uapi/secret.h");
	assert_true(snprintf(headers.root, sizeof(headers.root), "%s/linked/include", site->dir) <
		    (int)sizeof(headers.root));
	refuses(&headers, "asm/secret.h", ERR_FORMAT);
}

/* Such links are listed, so that reading them reports the error. */
static void patterns_list_links_that_cannot_be_read(void **state)
{
	struct tree *tree = opened(*state);

	assert_string_equal(tree_found(tree, "inc/[do]*"), "inc/dangling.h inc/out.h");
	tree_free(tree);
}

static void what_is_no_directory_is_named(void **state)
{
	struct site *site = *state;
	struct strbuf path = { 0 };
	struct tree *tree = NULL;

	assert_int_equal(source_directory(&tree, "/nonexistent", NULL, &site->err), ERR_NOT_FOUND);
	assert_string_equal(site->err.text, "cannot open directory /nonexistent: No such file or directory");
	strbuf_addf(&path, "%s/inc/a.h", site->root);
	assert_int_equal(source_directory(&tree, path.text, NULL, &site->err), ERR_NOT_FOUND);
	assert_null(tree);
	strbuf_release(&path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_directory_has_a_name_and_no_commit),
		cmocka_unit_test(a_file_is_loaded_once),
		cmocka_unit_test(links_inside_are_followed),
		cmocka_unit_test(links_out_are_refused),
		cmocka_unit_test(headers_of_linux_lead_to_those_of_the_processor),
		cmocka_unit_test(the_processors_headers_are_no_link_themselves),
		cmocka_unit_test(paths_out_are_refused),
		cmocka_unit_test(what_is_no_file_is_not_found),
		cmocka_unit_test(patterns_list_what_matches),
		cmocka_unit_test(patterns_list_links_that_cannot_be_read),
		cmocka_unit_test(what_is_no_directory_is_named),
	};

	return cmocka_run_group_tests(tests, with_place, without);
}
