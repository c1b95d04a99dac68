#include "source/directory_check.h"

#include "source/fixture_test.h"

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

/* A directory with these entries ("100644 a.h"), which git need not have written; all have one id. */
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
	static const char *const entries[] = { "100644 a", "100644 a-b", "40000 a.d", "100644 a.h", "40000 b", "100644 b0" };

	assert_int_equal(check(*state, entries, 6), 0);
}

static void a_directory_stands_as_if_a_slash_ended_it(void **state)
{
	static const char *const right[] = { "100644 b.h", "40000 b" }, *const wrong[] = { "40000 b", "100644 b.h" };
	struct fixture *fixture = *state;

	assert_int_equal(check(fixture, right, 2), 0);
	assert_int_equal(check(fixture, wrong, 2), ERR_GIT);
	assert_string_equal(fixture->err.text, "the directory inc of version 1.0 in REPO is damaged: its entry 'b.h' does not stand in "
					       "git's order; git fsck says more");
}

static void a_name_stands_once(void **state)
{
	static const char *const twice[] = { "100644 a.h", "100644 a.h" };
	static const char *const both[] = { "100644 inc", "100644 inc-1", "100644 inc.h", "40000 inc" };
	struct fixture *fixture = *state;

	assert_int_equal(check(fixture, twice, 2), ERR_GIT);
	assert_non_null(strstr(fixture->err.text, "its entry 'a.h' stands there twice"));
	assert_int_equal(check(fixture, both, 4), ERR_GIT);
	assert_non_null(strstr(fixture->err.text, "its entry 'inc' stands there twice"));
}

static void names_that_lead_elsewhere_are_none(void **state)
{
	static const char *const names[] = { "40000 ..", "40000 .", "100644 a/b" };
	struct fixture *fixture = *state;

	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(check(fixture, &names[i], 1), ERR_GIT);
		assert_non_null(strstr(fixture->err.text, "is no file name"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(gits_own_order_is_right, with_bare, without),
		cmocka_unit_test_setup_teardown(a_directory_stands_as_if_a_slash_ended_it, with_bare, without),
		cmocka_unit_test_setup_teardown(a_name_stands_once, with_bare, without),
		cmocka_unit_test_setup_teardown(names_that_lead_elsewhere_are_none, with_bare, without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
