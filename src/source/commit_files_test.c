#include "source/fixture_test.h"

#include <pthread.h>

static int with_files(void **state)
{
	static struct fixture fixture;

	fixture_init(&fixture, FIXTURE_BARE);
	fixture_version(&fixture, "1.0");
	fixture_put(&fixture, "third_party", NULL, GIT_FILEMODE_COMMIT);
	fixture_put(&fixture, "inc/same.h", "a.h", GIT_FILEMODE_LINK);
	fixture_put(&fixture, "inc/below.h", "deep/b.h", GIT_FILEMODE_LINK);
	fixture_put(&fixture, "inc/ring.h", "ring.h", GIT_FILEMODE_LINK);
	fixture_put(&fixture, "inc/deep/up.h", "../a.h", GIT_FILEMODE_LINK);
	fixture_put(&fixture, "inc/deep/out.h", "/etc/passwd", GIT_FILEMODE_LINK);
	fixture_put(&fixture, "include", "inc", GIT_FILEMODE_LINK);
	fixture_file(&fixture, "inc.h", "");
	fixture_file(&fixture, "inc/.hidden.h", "");
	fixture_version(&fixture, "1.1");
	*state = &fixture;
	return 0;
}

static int without(void **state)
{
	fixture_release(*state);
	return 0;
}

static void refuses(struct fixture *fixture, const char *path, int code, const char *start)
{
	struct tree *tree = fixture_tree(fixture, "1.1");
	const char *text = "untouched";
	size_t size;

	assert_int_equal(tree->ops->read(tree, path, &text, &size, &fixture->err), code);
	assert_string_equal(text, "untouched");
	assert_starts(fixture->err.text, start);
	tree_free(tree);
}

static void a_file_is_loaded_once(void **state)
{
	struct tree *tree = fixture_tree(*state, "1.1");
	const char *first = tree_text(tree, "inc/a.h");

	assert_string_equal(first, "1.1");
	tree_text(tree, "inc/deep/b.h");
	assert_ptr_equal(tree_text(tree, "inc/a.h"), first);
	tree_free(tree);
}

static void an_empty_file_is_a_text(void **state)
{
	struct tree *tree = fixture_tree(*state, "1.1");

	assert_string_equal(tree_text(tree, "inc.h"), "");
	tree_free(tree);
}

static void what_is_no_file_is_not_found(void **state)
{
	refuses(*state, "inc/none.h", ERR_NOT_FOUND, "no file inc/none.h in version 1.1 of ");
	refuses(*state, "none/a.h", ERR_NOT_FOUND, "no file none/a.h in version 1.1 of ");
	refuses(*state, "inc/a.h/b", ERR_NOT_FOUND, "no file inc/a.h/b in version 1.1 of ");
	refuses(*state, "inc/deep", ERR_NOT_FOUND, "inc/deep in version 1.1 of ");
	refuses(*state, "third_party", ERR_NOT_FOUND, "third_party in version 1.1 of ");
}

static void paths_stay_inside(void **state)
{
	refuses(*state, "inc/../inc.h", ERR_FORMAT, "\"inc/../inc.h\" is not a path inside a driver tree");
	refuses(*state, "/inc.h", ERR_FORMAT, "\"/inc.h\" is not a path");
	refuses(*state, "inc//a.h", ERR_FORMAT, "\"inc//a.h\" is not a path");
	refuses(*state, "./inc.h", ERR_FORMAT, "\"./inc.h\" is not a path");
	refuses(*state, "", ERR_FORMAT, "\"\" is not a path");
}

static void links_beside_and_below_are_followed(void **state)
{
	struct tree *tree = fixture_tree(*state, "1.1");

	assert_string_equal(tree_text(tree, "inc/same.h"), "1.1");
	assert_string_equal(tree_text(tree, "inc/below.h"), "int b;\n");
	assert_string_equal(tree_text(tree, "include/deep/b.h"), "int b;\n");
	tree_free(tree);
}

static void links_up_and_out_are_refused(void **state)
{
	refuses(*state, "inc/deep/up.h", ERR_FORMAT, "inc/deep/up.h of version 1.1 in ");
	refuses(*state, "inc/deep/out.h", ERR_FORMAT, "inc/deep/out.h of version 1.1 in ");
	refuses(*state, "inc/ring.h", ERR_FORMAT, "inc/ring.h of version 1.1 in ");
}

static void a_star_does_not_match_a_slash(void **state)
{
	struct tree *tree = fixture_tree(*state, "1.1");

	assert_string_equal(tree_found(tree, "*.h"), "inc.h");
	assert_string_equal(tree_found(tree, "inc/?.h"), "inc/a.h");
	assert_string_equal(tree_found(tree, "*/deep/b.h"), "inc/deep/b.h include/deep/b.h");
	assert_string_equal(tree_found(tree, "inc/[ab]*.h"), "inc/a.h inc/below.h");
	tree_free(tree);
}

static void a_pattern_finds_links_that_cannot_be_read(void **state)
{
	struct tree *tree = fixture_tree(*state, "1.1");

	assert_string_equal(tree_found(tree, "inc/deep/*"), "inc/deep/b.h inc/deep/out.h inc/deep/up.h");
	tree_free(tree);
}

static void a_pattern_without_wildcards_is_a_file(void **state)
{
	struct tree *tree = fixture_tree(*state, "1.1");

	assert_string_equal(tree_found(tree, "inc/a.h"), "inc/a.h");
	assert_string_equal(tree_found(tree, "inc/deep"), "");
	assert_string_equal(tree_found(tree, "none/*.h"), "");
	assert_string_equal(tree_found(tree, "inc.h/*.h"), "");
	tree_free(tree);
}

static void patterns_are_appended(void **state)
{
	struct fixture *fixture = *state;
	struct tree *tree = fixture_tree(fixture, "1.1");
	const char **paths = NULL;
	size_t count = 0;

	assert_int_equal(tree->ops->glob(tree, "inc/deep/b.h", &paths, &count, &fixture->err), 0);
	assert_int_equal(tree->ops->glob(tree, "inc/a.h", &paths, &count, &fixture->err), 0);
	assert_int_equal(tree->ops->glob(tree, "../*.h", &paths, &count, &fixture->err), ERR_FORMAT);
	assert_int_equal(count, 2);
	assert_string_equal(paths[0], "inc/deep/b.h");
	assert_string_equal(paths[1], "inc/a.h");
	free(paths);
	tree_free(tree);
}

static void an_id_changes_with_what_is_below(void **state)
{
	static const char *const paths[] = { "", "inc", "inc/a.h", "inc/deep/b.h" };
	struct fixture *fixture = *state;
	struct tree *base = fixture_tree(fixture, "1.0");
	struct tree *next = fixture_tree(fixture, "1.1");
	char before[41], after[41];
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		assert_int_equal(base->ops->id(base, paths[i], before, &fixture->err), 0);
		assert_int_equal(next->ops->id(next, paths[i], after, &fixture->err), 0);
		assert_int_equal(strlen(after), 40);
		assert_int_equal(!strcmp(before, after), i == 3);
	}
	assert_int_equal(next->ops->id(next, "none", after, &fixture->err), ERR_NOT_FOUND);
	tree_free(base);
	tree_free(next);
}

struct reader {
	pthread_t thread;
	struct tree *tree;
	unsigned wrong;
};

static void *read_all(void *data)
{
	struct reader *reader = data;
	const char **paths = NULL;
	const char *text;
	size_t count = 0, size, i;

	if (reader->tree->ops->glob(reader->tree, "many/*.h", &paths, &count, NULL))
		reader->wrong++;
	for (i = 0; i < count; i++)
		if (reader->tree->ops->read(reader->tree, paths[i], &text, &size, NULL) ||
		    strcmp(text, paths[i]))
			reader->wrong++;
	if (count != 200)
		reader->wrong++;
	free(paths);
	return NULL;
}

static void two_trees_are_read_by_two_threads(void **state)
{
	struct fixture *fixture = *state;
	struct reader readers[2] = { { 0 } };
	char path[32];
	unsigned i;

	for (i = 0; i < 200; i++) {
		snprintf(path, sizeof(path), "many/%03u.h", i);
		fixture_file(fixture, path, path);
	}
	fixture_version(fixture, "2.0");
	for (i = 0; i < 2; i++) {
		readers[i].tree = fixture_tree(fixture, "2.0");
		assert_int_equal(pthread_create(&readers[i].thread, NULL, read_all, &readers[i]), 0);
	}
	for (i = 0; i < 2; i++) {
		pthread_join(readers[i].thread, NULL);
		assert_int_equal(readers[i].wrong, 0);
		tree_free(readers[i].tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_loaded_once),
		cmocka_unit_test(an_empty_file_is_a_text),
		cmocka_unit_test(what_is_no_file_is_not_found),
		cmocka_unit_test(paths_stay_inside),
		cmocka_unit_test(links_beside_and_below_are_followed),
		cmocka_unit_test(links_up_and_out_are_refused),
		cmocka_unit_test(a_star_does_not_match_a_slash),
		cmocka_unit_test(a_pattern_finds_links_that_cannot_be_read),
		cmocka_unit_test(a_pattern_without_wildcards_is_a_file),
		cmocka_unit_test(patterns_are_appended),
		cmocka_unit_test(an_id_changes_with_what_is_below),
		cmocka_unit_test(two_trees_are_read_by_two_threads),
	};

	return cmocka_run_group_tests(tests, with_files, without);
}
