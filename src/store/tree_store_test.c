/*
 * Tests documents of directories, messages without a repository, and the recorded requests of extractions.
 */
#include "store/fixture_test.h"

static const char *const headers[] = { "a.h" };
static const struct profile_unit unit = { .name = "only", .headers = { headers, 1 } };
static const struct profile profile = { .name = "toy", .units = &unit, .unit_count = 1 };
static struct tree_store store; /* has no repository */

static int begin_tree_test(void **state)
{
	begin_test(state);
	options.profile = &profile;
	options.jobs = 1;
	store = (struct tree_store){ .options = &options, .cache_dir = "", .arena = &arena };
	return 0;
}

static int end_tree_test(void **state)
{
	tree_store_release(&store);
	return end_test(state);
}

/* The header a.h of a directory, and the size of its struct A, or the error. */
static const struct {
	const char *fact, *header, *directory, *expected;
} directories[] = {
	{ "a directory is read as it is now", "struct A { unsigned a, b; };\n", NULL,
	  "version DIR commit  A 8" },
	{ "a header that does not parse is the version's own error", "struct A { nosuchtype a; };\n", NULL,
	  "parse: DIR: a.h:1:12" },
	{ "a directory that does not exist is the version's own error", "", "./none",
	  "not found: cannot open directory ./none: No such file or directory" },
};

static void a_directory_has_a_document(void **state)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++) {
		const char *directory = directories[i].directory ? directories[i].directory : dir;
		struct store_request request = { .version = directory };
		struct wanted one = { .request = &request, .version = { directory, "" },
				      .directory = directory };
		struct wanted *wanted = &one;
		struct strbuf out = { 0 };

		put_file("a.h", directories[i].header, strlen(directories[i].header));
		assert_int_equal(tree_store_ops.documents(&store, &wanted, 1, &arena, &err), 0);
		assert_true(one.done);
		err = request.err;
		if (request.rc == ERR_PARSE)
			*strrchr(err.text, ':') = '\0'; /* the rest is libclang's */
		if (request.rc)
			add_result(&out, request.rc);
		else
			add_text(&out, arena_printf(&arena, "version %s commit %s A %d", request.abi.version,
						    request.abi.commit,
						    (int)abi_find_record(&request.abi, "A")->size_bytes));
		differs |= text_differs(directories[i].fact, &out, directories[i].expected);
		remove_files();
	}
	assert_false(differs);
}

static void a_directory_has_no_key(void **state)
{
	struct store_request request = { .version = dir };
	struct wanted wanted = { .request = &request, .version = { dir, "" }, .directory = dir };

	tree_store_keys(&store, (struct wanted *const[]){ &wanted }, 1);
	assert_false(wanted.has_key);
}

static void a_version_needs_a_repository(void **state)
{
	struct found_version found;
	struct strbuf out = { 0 };

	add_result(&out, tree_store_ops.find(&found, &store, "1.0", &arena, &err));
	strbuf_addch(&out, '\n');
	store.repo = dir;
	add_result(&out, tree_store_ops.find(&found, &store, "1.0", &arena, &err));
	assert_false(text_differs(
		"find", &out,
		"usage: the profile toy names no public repository; give --repo PATH or --dir PATH\n"
		"not found: no git repository at DIR; give a clone of the driver with --repo PATH, or an "
		"unpacked tree with --dir PATH"));
}

/*
 * A tree is a list of words: "a.h=1" is a file with its id, "a.h=1>b.h" is a file that is a link to b.h, and
 * "dir=" is a directory.
 */
struct toy_tree {
	struct tree tree; /* must be the first member */
	const char *entries;
};

struct entry {
	char *path, *id, *real;
};

/* Takes the next entry. Return: false at the end of the list. */
static bool next_entry(struct entry *out, const char **entries)
{
	*out = (struct entry){ .path = document_word(entries, &arena) };
	if (!*out->path)
		return false;
	out->id = strchr(out->path, '=');
	*out->id++ = '\0';
	out->real = strchr(out->id, '>');
	if (out->real)
		*out->real++ = '\0';
	else
		out->real = out->path;
	return true;
}

static bool find_entry(struct entry *out, const struct tree *tree, const char *path)
{
	const char *entries = ((const struct toy_tree *)tree)->entries;

	while (next_entry(out, &entries))
		if (!strcmp(out->path, path))
			return true;
	return false;
}

/* The tests' only pattern is "*". */
static int toy_glob(struct tree *tree, const char *pattern, const char ***paths, size_t *count,
		    struct err *why)
{
	const char *entries = ((struct toy_tree *)tree)->entries;
	struct entry entry;

	while (next_entry(&entry, &entries)) {
		*paths = xrealloc(*paths, (*count + 1) * sizeof(**paths));
		(*paths)[(*count)++] = entry.path;
	}
	return 0;
}

static int toy_read(struct tree *tree, const char *path, const char **text, size_t *size, struct err *why)
{
	struct entry entry;

	if (!find_entry(&entry, tree, path) || !*entry.id)
		return err_set(why, ERR_NOT_FOUND, "there is no %s", path);
	if (!strcmp(path, "damaged.h"))
		return err_set(why, ERR_FORMAT, "%s is damaged", path);
	*text = "text";
	*size = 4;
	return 0;
}

static int toy_id(struct tree *tree, const char *path, char hex[41], struct err *why)
{
	struct entry entry;

	if (!find_entry(&entry, tree, path) || !*tree->commit)
		return err_set(why, ERR_NOT_FOUND, "%s has no id", path);
	snprintf(hex, 41, "%s", *entry.id ? entry.id : tree->version);
	return 0;
}

static int toy_real(struct tree *tree, const char *path, const char **real, struct err *why)
{
	struct entry entry;

	if (!find_entry(&entry, tree, path))
		return err_set(why, ERR_NOT_FOUND, "there is no %s", path);
	*real = entry.real;
	return 0;
}

static void toy_free(struct tree *tree)
{
}

static const struct tree_ops toy_ops = { .glob = toy_glob,
					 .read = toy_read,
					 .id = toy_id,
					 .real = toy_real,
					 .free = toy_free };

/*
 * The extraction from the first tree makes requests: "read X" for the text of a file, "real X" for its real
 * path, "glob" for all files. @holds: whether the second tree gives the same answers
 */
#define BASE "a.h=1 b.h=2 dir="
#define REQUESTS "read a.h real a.h read none.h read dir read a.h"
static const struct {
	const char *fact, *base, *commit, *requests, *next;
	bool holds_for_base, holds;
} extractions[] = {
	{ "a file that was not requested may change", BASE, "c0ffee", REQUESTS,
	  "a.h=1 b.h=9 c.h=3 dir=", true, true },
	{ "a file with a different id is a different answer", BASE, "c0ffee", REQUESTS,
	  "a.h=9 dir=", true, false },
	{ "a file that was removed is a different answer", BASE, "c0ffee", REQUESTS, "dir=", true, false },
	{ "a file that was added is a different answer", BASE, "c0ffee", REQUESTS,
	  "a.h=1 dir= none.h=4", true, false },
	{ "a file in place of a directory is a different answer", BASE, "c0ffee", REQUESTS,
	  "a.h=1 dir=4", true, false },
	{ "a link to a different file is a different answer", BASE, "c0ffee", REQUESTS,
	  "a.h=1>b.h dir=", true, false },
	{ "a pattern that matches a different file is a different answer", BASE, "c0ffee", "glob *",
	  "a.h=1 b.h=2 d.h=", true, false },
	{ "a tree without ids never holds", BASE, "", REQUESTS, BASE, false, false },
	{ "a file that could not be read never holds", "damaged.h=1", "c0ffee", "read damaged.h",
	  "damaged.h=1", false, false },
};

/* Makes the requests to both trees, and checks that the results are equal. */
static void request(struct tree *recording, struct tree *inner, const char *requests)
{
	const char *verb, *path, *text, *same, **paths = NULL, **same_paths = NULL;
	size_t size, count = 0, same_count = 0;

	while (*(verb = document_word(&requests, &arena))) {
		path = document_word(&requests, &arena);
		if (!strcmp(verb, "read"))
			assert_int_equal(recording->ops->read(recording, path, &text, &size, NULL),
					 inner->ops->read(inner, path, &same, &size, NULL));
		else if (!strcmp(verb, "real"))
			assert_int_equal(tree_real(recording, path, &text, NULL),
					 tree_real(inner, path, &same, NULL));
		else
			assert_int_equal(recording->ops->glob(recording, path, &paths, &count, NULL),
					 inner->ops->glob(inner, path, &same_paths, &same_count, NULL));
	}
	assert_int_equal(count, same_count);
	free(paths);
	free(same_paths);
}

static void a_tree_with_the_same_answers_holds(void **state)
{
	for (size_t i = 0; i < sizeof(extractions) / sizeof(*extractions); i++) {
		struct toy_tree base = { { &toy_ops, "v1", extractions[i].commit }, extractions[i].base };
		struct toy_tree next = { { &toy_ops, "v2", extractions[i].commit }, extractions[i].next };
		struct dependencies dependencies = { .items = NULL };
		struct tree *recording = dependencies_tree(&dependencies, &base.tree);

		assert_string_equal(recording->version, "v1");
		request(recording, &base.tree, extractions[i].requests);
		tree_free(recording);
		/* The answers are compared in a different order after a difference. */
		for (size_t times = 0; times < 2; times++)
			if (dependencies_hold(&dependencies, &base.tree) != extractions[i].holds_for_base ||
			    dependencies_hold(&dependencies, &next.tree) != extractions[i].holds ||
			    dependencies_hold(&dependencies, &next.tree) != extractions[i].holds)
				fail_msg("%s", extractions[i].fact);
		dependencies_release(&dependencies);
	}
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, begin_tree_test, end_tree_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_directory_has_a_document),
		TREE_TEST(a_directory_has_no_key),
		TREE_TEST(a_version_needs_a_repository),
		TEST(a_tree_with_the_same_answers_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
