/* Tests documents of directories, messages without a repository, and the recorded requests of extractions. */
#include "store/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const char *const headers[] = { "a.h" };
static const struct profile_unit unit = { .name = "only", .headers = { headers, 1 } };
static const struct profile profile = { .name = "toy", .units = &unit, .unit_count = 1 };

/* A directory with one header, and a store that has no repository. */
struct fixture {
	char dir[128], header[160];
	struct store_options options;
	struct tree_store store;
	struct arena arena;
	struct err err;
};

static int with_store(void **state)
{
	static struct fixture fixture;
	const char *temp = getenv("TMPDIR");

	fixture = (struct fixture){ .options = {
					    .profile = &profile, .target = "x86_64-linux-gnu", .jobs = 1 } };
	snprintf(fixture.dir, sizeof(fixture.dir), "%s/drvabi-XXXXXX",
		 temp && strlen(temp) < 100 ? temp : "/tmp");
	assert_non_null(mkdtemp(fixture.dir));
	snprintf(fixture.header, sizeof(fixture.header), "%s/a.h", fixture.dir);
	fixture.store =
		(struct tree_store){ .options = &fixture.options, .cache_dir = "", .arena = &fixture.arena };
	*state = &fixture;
	return 0;
}

static int without_store(void **state)
{
	struct fixture *fixture = *state;

	tree_store_release(&fixture->store);
	arena_release(&fixture->arena);
	unlink(fixture->header);
	return rmdir(fixture->dir);
}

static void put(struct fixture *fixture, const char *text)
{
	assert_int_equal(file_write_atomic(fixture->header, text, strlen(text), &fixture->err), 0);
}

static struct wanted directory(struct store_request *request, const char *dir)
{
	*request = (struct store_request){ .version = dir };
	return (struct wanted){ .request = request, .version = { dir, "" }, .directory = dir };
}

static void ask(struct fixture *fixture, struct wanted *wanted)
{
	assert_int_equal(
		tree_store_ops.documents(&fixture->store, &wanted, 1, &fixture->arena, &fixture->err), 0);
	assert_true(wanted->done);
}

static void a_directory_is_read_as_it_is_now(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request;
	struct wanted wanted = directory(&request, fixture->dir);

	put(fixture, "struct A { unsigned a, b; };\n");
	ask(fixture, &wanted);
	assert_int_equal(request.rc, 0);
	assert_int_equal(abi_find_record(&request.abi, "A")->size_bytes, 8);
	assert_string_equal(request.abi.version, fixture->dir);
	assert_string_equal(request.abi.commit, "");
}

static void a_header_that_does_not_parse_is_its_version_s_own_error(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request;
	struct wanted wanted = directory(&request, fixture->dir);

	put(fixture, "struct A { nosuchtype a; };\n");
	ask(fixture, &wanted);
	assert_int_equal(request.rc, ERR_PARSE);
	assert_non_null(strstr(request.err.text, "a.h:1:12"));
}

static void a_directory_that_is_not_there_is_its_version_s_own_error(void **state)
{
	struct store_request request;
	struct wanted wanted = directory(&request, "./none");

	ask(*state, &wanted);
	assert_int_equal(request.rc, ERR_NOT_FOUND);
}

static void a_directory_has_no_key(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request;
	struct wanted wanted = directory(&request, fixture->dir);

	tree_store_key(&fixture->store, &wanted);
	assert_false(wanted.has_key);
}

static void without_a_repository_no_version_is_found(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	assert_int_equal(tree_store_ops.find(&found, &fixture->store, "1.0", &fixture->arena, &fixture->err),
			 ERR_USAGE);
	assert_string_equal(fixture->err.text,
			    "the profile toy names no public repository; give --repo PATH or --dir PATH");
}

static void a_directory_that_is_no_repository_names_no_version(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	fixture->store.repo = fixture->dir;
	assert_int_equal(tree_store_ops.find(&found, &fixture->store, "1.0", &fixture->arena, &fixture->err),
			 ERR_NOT_FOUND);
	assert_non_null(strstr(fixture->err.text, fixture->dir));
}

/* An entry of a tree. The id of a directory is "". A list of entries ends with a NULL path. */
struct entry {
	const char *path, *id, *real;
};

struct toy_tree {
	struct tree tree; /* must be the first member */
	const struct entry *entries;
};

static const struct entry *find(struct tree *tree, const char *path)
{
	const struct entry *entry = ((struct toy_tree *)tree)->entries;

	while (entry->path && strcmp(entry->path, path))
		entry++;
	return entry->path ? entry : NULL;
}

/* The tests' only pattern is "*". */
static int toy_glob(struct tree *tree, const char *pattern, const char ***paths, size_t *count,
		    struct err *err)
{
	(void)pattern;
	(void)err;
	for (const struct entry *entry = ((struct toy_tree *)tree)->entries; entry->path; entry++) {
		*paths = xrealloc(*paths, (*count + 1) * sizeof(**paths));
		(*paths)[(*count)++] = entry->path;
	}
	return 0;
}

static int toy_read(struct tree *tree, const char *path, const char **text, size_t *size, struct err *err)
{
	const struct entry *entry = find(tree, path);

	if (!entry || !*entry->id)
		return err_set(err, ERR_NOT_FOUND, "there is no %s", path);
	if (!strcmp(path, "damaged.h"))
		return err_set(err, ERR_FORMAT, "%s is damaged", path);
	*text = "text";
	*size = 4;
	return 0;
}

static int toy_id(struct tree *tree, const char *path, char hex[41], struct err *err)
{
	const struct entry *entry = find(tree, path);

	if (!entry || !strcmp(tree->commit, ""))
		return err_set(err, ERR_NOT_FOUND, "%s has no id", path);
	snprintf(hex, 41, "%s", *entry->id ? entry->id : tree->version);
	return 0;
}

static int toy_real(struct tree *tree, const char *path, const char **real, struct err *err)
{
	const struct entry *entry = find(tree, path);

	if (!entry)
		return err_set(err, ERR_NOT_FOUND, "there is no %s", path);
	*real = entry->real ? entry->real : path;
	return 0;
}

static void toy_free(struct tree *tree)
{
	(void)tree;
}

static const struct tree_ops toy_ops = { .glob = toy_glob,
					 .read = toy_read,
					 .id = toy_id,
					 .real = toy_real,
					 .free = toy_free };

static struct toy_tree toy(const char *version, const struct entry *entries)
{
	return (struct toy_tree){ { &toy_ops, version, "c0ffee" }, entries };
}

/*
 * Makes the same requests as an extraction: for a header, for the real path of a header, for an absent
 * header, and for a directory as if it were a file.
 */
static void ask_of_dependencies(struct dependencies *out, struct toy_tree *tree)
{
	struct tree *noting = dependencies_tree(out, &tree->tree);
	const char *text, *real;
	size_t size;

	assert_string_equal(noting->version, tree->tree.version);
	noting->ops->read(noting, "a.h", &text, &size, NULL);
	tree_real(noting, "a.h", &real, NULL);
	noting->ops->read(noting, "none.h", &text, &size, NULL);
	noting->ops->read(noting, "dir", &text, &size, NULL);
	noting->ops->read(noting, "a.h", &text, &size, NULL);
	tree_free(noting);
}

static const struct entry base[] = { { "a.h", "1", NULL },
				     { "b.h", "2", NULL },
				     { "dir", "", NULL },
				     { NULL, NULL, NULL } };

static bool holds_of(const struct entry *next)
{
	struct toy_tree before = toy("v1", base), after = toy("v2", next);
	struct dependencies dependencies = { .items = NULL };
	bool holds;

	ask_of_dependencies(&dependencies, &before);
	assert_true(dependencies_hold(&dependencies, &before.tree));
	holds = dependencies_hold(&dependencies, &after.tree);
	assert_int_equal(dependencies_hold(&dependencies, &after.tree), holds); /* in any order */
	assert_true(dependencies_hold(&dependencies, &before.tree));
	dependencies_release(&dependencies);
	return holds;
}

static void what_nobody_asked_for_may_change(void **state)
{
	static const struct entry next[] = { { "a.h", "1", NULL },
					     { "b.h", "9", NULL },
					     { "c.h", "3", NULL },
					     { "dir", "", NULL },
					     { NULL, NULL, NULL } };

	(void)state;
	assert_true(holds_of(next));
}

static void a_file_with_another_id_is_another_answer(void **state)
{
	static const struct entry next[] = { { "a.h", "9", NULL },
					     { "dir", "", NULL },
					     { NULL, NULL, NULL } };

	(void)state;
	assert_false(holds_of(next));
}

static void a_file_that_is_gone_is_another_answer(void **state)
{
	static const struct entry next[] = { { "dir", "", NULL }, { NULL, NULL, NULL } };

	(void)state;
	assert_false(holds_of(next));
}

static void a_file_where_there_was_none_is_another_answer(void **state)
{
	static const struct entry next[] = {
		{ "a.h", "1", NULL }, { "dir", "", NULL }, { "none.h", "4", NULL }, { NULL, NULL, NULL }
	};

	(void)state;
	assert_false(holds_of(next));
}

static void a_file_where_a_directory_was_is_another_answer(void **state)
{
	static const struct entry next[] = { { "a.h", "1", NULL },
					     { "dir", "4", NULL },
					     { NULL, NULL, NULL } };

	(void)state;
	assert_false(holds_of(next));
}

static void a_link_that_leads_elsewhere_is_another_answer(void **state)
{
	static const struct entry next[] = { { "a.h", "1", "b.h" },
					     { "dir", "", NULL },
					     { NULL, NULL, NULL } };

	(void)state;
	assert_false(holds_of(next));
}

static void a_pattern_with_another_file_is_another_answer(void **state)
{
	static const struct entry next[] = {
		{ "a.h", "1", NULL }, { "b.h", "2", NULL }, { "d.h", "", NULL }, { NULL, NULL, NULL }
	};
	struct toy_tree before = toy("v1", base), after = toy("v2", next);
	struct dependencies dependencies = { .items = NULL };
	struct tree *noting = dependencies_tree(&dependencies, &before.tree);
	const char **paths = NULL;
	size_t count = 0;

	(void)state;
	assert_int_equal(noting->ops->glob(noting, "*", &paths, &count, NULL), 0);
	assert_int_equal(count, 3);
	tree_free(noting);
	assert_true(dependencies_hold(&dependencies, &before.tree));
	assert_false(dependencies_hold(&dependencies, &after.tree));
	free(paths);
	dependencies_release(&dependencies);
}

static void a_tree_without_ids_never_holds(void **state)
{
	struct toy_tree directory = toy("./dir", base);
	struct dependencies dependencies = { .items = NULL };

	(void)state;
	directory.tree.commit = "";
	ask_of_dependencies(&dependencies, &directory);
	assert_false(dependencies_hold(&dependencies, &directory.tree));
	dependencies_release(&dependencies);
}

static void what_could_not_be_read_never_holds(void **state)
{
	static const struct entry damaged[] = { { "damaged.h", "1", NULL }, { NULL, NULL, NULL } };
	struct toy_tree tree = toy("v1", damaged);
	struct dependencies dependencies = { .items = NULL };
	struct tree *noting = dependencies_tree(&dependencies, &tree.tree);
	const char *text;
	size_t size;

	(void)state;
	assert_int_equal(noting->ops->read(noting, "damaged.h", &text, &size, NULL), ERR_FORMAT);
	tree_free(noting);
	assert_false(dependencies_hold(&dependencies, &tree.tree));
	dependencies_release(&dependencies);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_directory_is_read_as_it_is_now, with_store, without_store),
		cmocka_unit_test_setup_teardown(a_header_that_does_not_parse_is_its_version_s_own_error,
						with_store, without_store),
		cmocka_unit_test_setup_teardown(a_directory_that_is_not_there_is_its_version_s_own_error,
						with_store, without_store),
		cmocka_unit_test_setup_teardown(a_directory_has_no_key, with_store, without_store),
		cmocka_unit_test_setup_teardown(without_a_repository_no_version_is_found, with_store,
						without_store),
		cmocka_unit_test_setup_teardown(a_directory_that_is_no_repository_names_no_version,
						with_store, without_store),
		cmocka_unit_test(what_nobody_asked_for_may_change),
		cmocka_unit_test(a_file_with_another_id_is_another_answer),
		cmocka_unit_test(a_file_that_is_gone_is_another_answer),
		cmocka_unit_test(a_file_where_there_was_none_is_another_answer),
		cmocka_unit_test(a_file_where_a_directory_was_is_another_answer),
		cmocka_unit_test(a_link_that_leads_elsewhere_is_another_answer),
		cmocka_unit_test(a_pattern_with_another_file_is_another_answer),
		cmocka_unit_test(a_tree_without_ids_never_holds),
		cmocka_unit_test(what_could_not_be_read_never_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
