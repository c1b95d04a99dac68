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

/* Returns the message about a version that does not exist. */
static const char *refused(struct fixture *fixture, const char *version, int code)
{
	static char said[sizeof(fixture->err.text)];
	struct source *source = fixture_open(fixture);
	struct tree *tree = NULL;
	const char *at;

	assert_int_equal(source_tree(&tree, source, version, &fixture->err), code);
	assert_null(tree);
	source_free(source);
	/* The repository has a different name on every run. */
	at = strstr(fixture->err.text, fixture->path);
	assert_non_null(at);
	snprintf(said, sizeof(said), "%.*sREPO%s", (int)(at - fixture->err.text), fixture->err.text,
		 at + strlen(fixture->path));
	return said;
}

static void a_tag_is_shown_as_given(void **state)
{
	struct tree *tree;

	fixture_version(*state, "1.0");
	tree = fixture_tree(*state, "1.0");
	assert_string_equal(tree->version, "1.0");
	assert_int_equal(strlen(tree->commit), 40);
	assert_string_equal(tree_text(tree, "inc/a.h"), "1.0");
	tree_free(tree);
}

static void an_annotated_tag_leads_to_its_commit(void **state)
{
	struct fixture *fixture = *state;
	char hex[41];
	struct tree *tree;

	fixture_version(fixture, "1.0");
	fixture_tag_object(fixture, "release", &fixture->commit, "words");
	tree = fixture_tree(fixture, "release");
	assert_string_equal(tree->version, "release");
	assert_string_equal(tree->commit, git_oid_tostr(hex, sizeof(hex), &fixture->commit));
	tree_free(tree);
}

static void a_branch_is_a_version(void **state)
{
	struct tree *tree;

	fixture_version(*state, "1.0");
	fixture_version(*state, "1.1");
	tree = fixture_tree(*state, "main");
	assert_string_equal(tree->version, "main");
	assert_string_equal(tree_text(tree, "inc/a.h"), "1.1");
	tree_free(tree);
}

static void a_branch_of_a_remote_is_a_version(void **state)
{
	struct fixture *fixture = *state;
	git_reference *ref;
	struct tree *tree;

	fixture_version(fixture, "1.0");
	assert_int_equal(git_reference_create(&ref, fixture->repo, "refs/remotes/origin/570",
					      &fixture->commit, 0, NULL),
			 0);
	git_reference_free(ref);
	tree = fixture_tree(fixture, "570");
	assert_string_equal(tree->version, "570");
	tree_free(tree);
	tree = fixture_tree(fixture, "origin/570");
	assert_string_equal(tree->version, "origin/570");
	tree_free(tree);
}

static void a_tag_goes_before_a_branch_of_its_name(void **state)
{
	struct fixture *fixture = *state;
	struct tree *tree;

	fixture_version(fixture, "1.0");
	fixture_tag_object(fixture, "main", &fixture->commit, NULL);
	fixture_version(fixture, "1.1");
	tree = fixture_tree(fixture, "main");
	assert_string_equal(tree_text(tree, "inc/a.h"), "1.0");
	tree_free(tree);
}

static void a_commit_id_is_shown_as_its_tag(void **state)
{
	struct fixture *fixture = *state;
	char hex[41];
	struct tree *tree;

	fixture_version(fixture, "1.1");
	fixture_tag_object(fixture, "1.10", &fixture->commit, NULL);
	git_oid_tostr(hex, sizeof(hex), &fixture->commit);
	tree = fixture_tree(fixture, hex);
	assert_string_equal(tree->version, "1.1");
	assert_string_equal(tree->commit, hex);
	tree_free(tree);
}

static void an_abbreviated_commit_id_is_shown_by_12_digits(void **state)
{
	struct fixture *fixture = *state;
	char hex[41], shown[13];
	struct tree *tree;

	fixture_version(fixture, "1.0");
	fixture_file(fixture, "inc/a.h", "later");
	fixture_commit(fixture, "main", "no tag");
	git_oid_tostr(hex, sizeof(hex), &fixture->commit);
	git_oid_tostr(shown, sizeof(shown), &fixture->commit);
	hex[7] = '\0';
	tree = fixture_tree(fixture, hex);
	assert_string_equal(tree->version, shown);
	tree_free(tree);
}

/* Makes commits until the ids of two of them begin with the same four digits. */
static void make_ambiguous(struct fixture *fixture, char digits[5])
{
	static char seen[65536];
	char message[16], hex[41];
	unsigned i;

	memset(seen, 0, sizeof(seen));
	for (i = 0;; i++) {
		snprintf(message, sizeof(message), "%u", i);
		fixture_commit(fixture, NULL, message);
		git_oid_tostr(hex, sizeof(hex), &fixture->commit);
		hex[4] = '\0';
		if (seen[strtoul(hex, NULL, 16)]++)
			break;
	}
	memcpy(digits, hex, 5);
}

static void an_ambiguous_abbreviation_names_the_commits(void **state)
{
	struct fixture *fixture = *state;
	char digits[5], start[64];

	fixture_file(fixture, "a.h", "");
	make_ambiguous(fixture, digits);
	snprintf(start, sizeof(start), "commit id %s is ambiguous in REPO: %s", digits, digits);
	assert_starts(refused(fixture, digits, ERR_NOT_FOUND), start);
	assert_non_null(strstr(fixture->err.text, "; give more digits"));
}

static void an_unknown_version_names_those_that_are_spelled_alike(void **state)
{
	fixture_version(*state, "550.40.07");
	fixture_version(*state, "550.54.15");
	fixture_version(*state, "550.54.14");
	fixture_version(*state, "550.67");
	assert_string_equal(refused(*state, "550.54.41", ERR_NOT_FOUND),
			    "no version 550.54.41 in REPO; nearest: 550.54.14, 550.54.15");
	assert_string_equal(refused(*state, "550.54", ERR_NOT_FOUND),
			    "no version 550.54 in REPO; nearest: 550.54.14, 550.54.15, 550.67");
	assert_string_equal(refused(*state, "mian", ERR_NOT_FOUND), "no version mian in REPO; nearest: main");
}

static void an_unknown_version_names_its_neighbours(void **state)
{
	fixture_version(*state, "535.183.01");
	fixture_version(*state, "550.54.14");
	fixture_version(*state, "590.48.01");
	assert_string_equal(refused(*state, "565.77", ERR_NOT_FOUND),
			    "no version 565.77 in REPO; nearest: 550.54.14, 590.48.01");
	assert_string_equal(refused(*state, "600.48.01", ERR_NOT_FOUND),
			    "no version 600.48.01 in REPO; nearest: 590.48.01");
}

static void a_repository_without_tags_says_so(void **state)
{
	fixture_commit(*state, "main", "first");
	assert_string_equal(refused(*state, "1.0", ERR_NOT_FOUND),
			    "no version 1.0 in REPO, which has no tags");
}

static void a_tag_of_a_file_is_no_version(void **state)
{
	struct fixture *fixture = *state;
	git_oid blob;

	assert_int_equal(git_blob_create_from_buffer(&blob, fixture->repo, "key", 3), 0);
	fixture_tag_object(fixture, "key", &blob, NULL);
	fixture_tag_object(fixture, "signed-key", &blob, "words");
	assert_string_equal(
		refused(fixture, "key", ERR_NOT_FOUND),
		"key in REPO is not a commit, so it has no driver tree; give a tag, a branch or a commit id");
	assert_starts(refused(fixture, "signed-key", ERR_NOT_FOUND), "signed-key in REPO is not a commit");
}

static void versions_are_in_version_order(void **state)
{
	struct fixture *fixture = *state;
	struct arena arena = { 0 };
	const char *const *names;
	struct source *source;
	size_t count;

	fixture_version(fixture, "535.104.05");
	fixture_version(fixture, "535.54.03");
	source = fixture_open(fixture);
	assert_int_equal(source_versions(&names, &count, source, &arena, &fixture->err), 0);
	assert_int_equal(count, 2);
	assert_string_equal(names[0], "535.54.03");
	assert_string_equal(names[1], "535.104.05");
	arena_release(&arena);
	source_free(source);
}

static void a_work_tree_is_found_from_inside(void **state)
{
	struct fixture fixture;
	struct tree *tree;
	size_t length;

	(void)state;
	fixture_init(&fixture, FIXTURE_WORK_TREE);
	fixture_version(&fixture, "1.0");
	tree = fixture_tree(&fixture, "1.0");
	tree_free(tree);
	length = strlen(fixture.path);
	snprintf(fixture.path + length, sizeof(fixture.path) - length, "/inside/deeper");
	assert_int_equal(file_make_dirs(fixture.path, &fixture.err), 0);
	tree = fixture_tree(&fixture, "1.0");
	assert_string_equal(tree_text(tree, "inc/a.h"), "1.0");
	tree_free(tree);
	fixture_release(&fixture);
}

static void objects_may_lie_in_another_repository(void **state)
{
	struct fixture *fixture = *state;
	struct fixture borrower;
	struct strbuf path = { 0 }, line = { 0 };
	struct tree *tree;
	char hex[41];

	fixture_version(fixture, "1.0");
	fixture_init(&borrower, FIXTURE_BARE);
	strbuf_addf(&path, "%s/objects/info/alternates", borrower.path);
	strbuf_addf(&line, "%s/objects\n", fixture->path);
	assert_int_equal(file_write_atomic(path.text, line.text, line.length, &borrower.err), 0);
	tree = fixture_tree(&borrower, git_oid_tostr(hex, sizeof(hex), &fixture->commit));
	assert_string_equal(tree_text(tree, "inc/a.h"), "1.0");
	tree_free(tree);
	strbuf_release(&path);
	strbuf_release(&line);
	fixture_release(&borrower);
}

static void no_repository_says_what_to_give(void **state)
{
	struct fixture *fixture = *state;
	struct source *source = NULL;

	assert_int_equal(source_open(&source, "/nonexistent", NULL, &fixture->err), ERR_NOT_FOUND);
	assert_null(source);
	assert_string_equal(fixture->err.text,
			    "no git repository at /nonexistent; give a clone of the driver with --repo PATH, "
			    "or an unpacked tree with --dir PATH");
}

static void a_damaged_object_is_an_error(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf path = { 0 };
	const char *text;
	struct tree *tree;
	char hex[41];
	size_t size;

	fixture_version(fixture, "1.0");
	tree = fixture_tree(fixture, "1.0");
	assert_int_equal(tree->ops->id(tree, "inc/a.h", hex, &fixture->err), 0);
	strbuf_addf(&path, "%s/objects/%.2s/%s", fixture->path, hex, hex + 2);
	assert_int_equal(file_write_atomic(path.text, "rubbish", 7, &fixture->err), 0);
	assert_int_equal(tree->ops->read(tree, "inc/a.h", &text, &size, &fixture->err), ERR_GIT);
	assert_starts(fixture->err.text, "cannot read inc/a.h of version 1.0 in ");
	unlink(path.text);
	assert_int_equal(tree->ops->read(tree, "inc/a.h", &text, &size, &fixture->err), ERR_GIT);
	assert_non_null(strstr(fixture->err.text, "is it a partial clone?"));
	tree_free(tree);
	strbuf_release(&path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_tag_is_shown_as_given, with_bare, without),
		cmocka_unit_test_setup_teardown(an_annotated_tag_leads_to_its_commit, with_bare, without),
		cmocka_unit_test_setup_teardown(a_branch_is_a_version, with_bare, without),
		cmocka_unit_test_setup_teardown(a_branch_of_a_remote_is_a_version, with_bare, without),
		cmocka_unit_test_setup_teardown(a_tag_goes_before_a_branch_of_its_name, with_bare, without),
		cmocka_unit_test_setup_teardown(a_commit_id_is_shown_as_its_tag, with_bare, without),
		cmocka_unit_test_setup_teardown(an_abbreviated_commit_id_is_shown_by_12_digits, with_bare,
						without),
		cmocka_unit_test_setup_teardown(an_ambiguous_abbreviation_names_the_commits, with_bare,
						without),
		cmocka_unit_test_setup_teardown(an_unknown_version_names_those_that_are_spelled_alike,
						with_bare, without),
		cmocka_unit_test_setup_teardown(an_unknown_version_names_its_neighbours, with_bare, without),
		cmocka_unit_test_setup_teardown(a_repository_without_tags_says_so, with_bare, without),
		cmocka_unit_test_setup_teardown(a_tag_of_a_file_is_no_version, with_bare, without),
		cmocka_unit_test_setup_teardown(versions_are_in_version_order, with_bare, without),
		cmocka_unit_test(a_work_tree_is_found_from_inside),
		cmocka_unit_test_setup_teardown(objects_may_lie_in_another_repository, with_bare, without),
		cmocka_unit_test_setup_teardown(no_repository_says_what_to_give, with_bare, without),
		cmocka_unit_test_setup_teardown(a_damaged_object_is_an_error, with_bare, without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
