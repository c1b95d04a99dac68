/*
 * Tests which commit a version names, the message about a version that does not exist, and repositories with
 * a work tree, with objects elsewhere, or with damage.
 */
#include "source/fixture_test.h"

/*
 * A history (fixture_test.h), a version, and the tree: its name, "last" if it has the last commit, and a.h.
 * "@7" is the first 7 digits of the last commit's id. Messages call the repository REPO.
 */
#define ALIKE "main:550.40.07 main:550.54.15 main:550.54.14 main:550.67"
#define NEIGHBOURS "main:535.183.01 main:550.54.14 main:590.48.01"
#define NO_COMMIT " in REPO is not a commit, so it has no driver tree; give a tag, a branch or a commit id"
static const struct {
	const char *fact, *history, *version, *expected;
} versions[] = {
	{ "a tag is shown as given", "main:1.0", "1.0", "1.0 last 1.0" },
	{ "an annotated tag leads to its commit", "main:1.0 ~release", "release", "release last 1.0" },
	{ "a branch is a version", "main:1.0 main:1.1", "main", "main last 1.1" },
	{ "a branch of a remote is a version", "main:1.0 origin/570<main", "570", "570 last 1.0" },
	{ "a branch of a remote is a version with the remote's name", "main:1.0 origin/570<main",
	  "origin/570", "origin/570 last 1.0" },
	{ "a tag goes before a branch of its name", "main:1.0 =main main:1.1", "main", "main older 1.0" },
	{ "a commit id is shown as its tag", "main:1.1 =1.10", "@40", "1.1 last 1.1" },
	{ "an abbreviated commit id is shown by 12 digits", "main:1.0 main:", "@7", "@12 last " },
	{ "an unknown version names similar names", ALIKE, "550.54.41",
	  "no version 550.54.41 in REPO; nearest: 550.54.14, 550.54.15" },
	{ "an abbreviated version names the versions that begin with it", ALIKE, "550.54",
	  "no version 550.54 in REPO; nearest: 550.54.14, 550.54.15, 550.67" },
	{ "a misspelled branch is named", ALIKE, "mian", "no version mian in REPO; nearest: main" },
	{ "an unknown version names its neighbours", NEIGHBOURS, "565.77",
	  "no version 565.77 in REPO; nearest: 550.54.14, 590.48.01" },
	{ "a version that is newer than all others names the newest", NEIGHBOURS, "600.48.01",
	  "no version 600.48.01 in REPO; nearest: 590.48.01" },
	{ "a repository without tags says so", "main:", "1.0", "no version 1.0 in REPO, which has no tags" },
	{ "a tag of a file is not a version", "!key", "key", "key" NO_COMMIT },
	{ "an annotated tag of a file is not a version", "!~signed-key", "signed-key",
	  "signed-key" NO_COMMIT },
};

/* Appends the tree of a version, or the message that it does not exist. */
static void add_version(struct strbuf *out, const char *version)
{
	char last[41], shown[13];
	struct source *source = fixture_open(&fixture);
	struct tree *tree = NULL;
	int rc;

	git_oid_tostr(last, sizeof(last), &fixture.commit);
	git_oid_tostr(shown, sizeof(shown), &fixture.commit);
	if (*version == '@')
		version = arena_strndup(&arena, last, strtoul(version + 1, NULL, 10));
	rc = source_tree(&tree, source, version, &fixture.err);
	if (rc) {
		assert_null(tree);
		strbuf_adds(out, rc == ERR_NOT_FOUND ? "" : "other error: ");
		add_text(out, fixture.err.text);
		source_free(source);
		return;
	}
	assert_int_equal(strlen(tree->commit), 40);
	strbuf_addf(out, "%s %s %s", strcmp(tree->version, shown) ? tree->version : "@12",
		    strcmp(tree->commit, last) ? "older" : "last", tree_text(tree, "inc/a.h"));
	tree_free(tree);
	source_free(source);
}

TEST(a_version_is_a_tag_a_branch_or_a_commit)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		struct strbuf out = { 0 };

		begin_test(state);
		fixture_history(&fixture, versions[i].history);
		add_version(&out, versions[i].version);
		differs |= text_differs(versions[i].fact, &out, versions[i].expected);
		end_test(state);
	}
	assert_false(differs);
}

/* Makes commits until the ids of two of them begin with the same four digits. */
SOURCE_TEST(an_ambiguous_abbreviation_names_the_commits)
{
	static char seen[65536];
	struct strbuf out = { 0 };
	char digits[5];

	fixture_file(&fixture, "a.h", "");
	memset(seen, 0, sizeof(seen));
	for (unsigned i = 0;; i++) {
		fixture_commit(&fixture, NULL, arena_printf(&arena, "%u", i));
		git_oid_tostr(digits, sizeof(digits), &fixture.commit);
		if (seen[strtoul(digits, NULL, 16)]++)
			break;
	}
	add_version(&out, digits);
	assert_starts(out.text,
		      arena_printf(&arena, "commit id %s is ambiguous in REPO: %s", digits, digits));
	assert_non_null(strstr(out.text, "; give more digits"));
	strbuf_release(&out);
}

SOURCE_TEST(versions_are_in_version_order)
{
	const char *const *names;
	struct source *source;
	size_t count;

	fixture_history(&fixture, "main:535.104.05 main:535.54.03");
	source = fixture_open(&fixture);
	assert_int_equal(source_versions(&names, &count, source, &arena, &fixture.err), 0);
	assert_int_equal(count, 2);
	assert_string_equal(names[0], "535.54.03");
	assert_string_equal(names[1], "535.104.05");
	source_free(source);
}

static void assert_has_version(struct fixture *of, const char *version)
{
	struct tree *tree = fixture_tree(of, version);

	assert_string_equal(tree_text(tree, "inc/a.h"), "1.0");
	tree_free(tree);
}

SOURCE_TEST(a_work_tree_is_found_from_inside)
{
	struct fixture work;

	fixture_init(&work, FIXTURE_WORK_TREE);
	fixture_history(&work, "main:1.0");
	assert_has_version(&work, "1.0");
	snprintf(work.path, sizeof(work.path), "%s/driver/inside/deeper", work.dir);
	assert_int_equal(file_make_dirs(work.path, &work.err), 0);
	assert_has_version(&work, "1.0");
	fixture_release(&work);
}

SOURCE_TEST(objects_may_be_in_another_repository)
{
	struct fixture borrower;

	fixture_history(&fixture, "main:1.0");
	fixture_init(&borrower, FIXTURE_BARE);
	write_file(in(borrower.path, "objects/info/alternates"),
		   arena_printf(&arena, "%s/objects\n", fixture.path));
	assert_has_version(&borrower, git_oid_tostr((char[41]){ 0 }, 41, &fixture.commit));
	fixture_release(&borrower);
}

SOURCE_TEST(without_a_repository_the_message_says_what_to_give)
{
	struct source *source = NULL;

	assert_int_equal(source_open(&source, "/nonexistent", NULL, &fixture.err), ERR_NOT_FOUND);
	assert_null(source);
	assert_string_equal(fixture.err.text,
			    "no git repository at /nonexistent; give a clone of the driver with --repo PATH, "
			    "or an unpacked tree with --dir PATH");
}

SOURCE_TEST(a_damaged_object_is_an_error)
{
	const char *path, *text;
	struct tree *tree;
	char hex[41];
	size_t size;

	fixture_history(&fixture, "main:1.0");
	tree = fixture_tree(&fixture, "1.0");
	assert_int_equal(tree->ops->id(tree, "inc/a.h", hex, &fixture.err), 0);
	path = arena_printf(&arena, "%s/objects/%.2s/%s", fixture.path, hex, hex + 2);
	write_file(path, "rubbish");
	assert_int_equal(tree->ops->read(tree, "inc/a.h", &text, &size, &fixture.err), ERR_GIT);
	assert_starts(fixture.err.text, "cannot read inc/a.h of version 1.0 in ");
	unlink(path);
	assert_int_equal(tree->ops->read(tree, "inc/a.h", &text, &size, &fixture.err), ERR_GIT);
	assert_non_null(strstr(fixture.err.text, "is it a partial clone?"));
	tree_free(tree);
}
