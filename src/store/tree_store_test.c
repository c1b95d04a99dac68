/*
 * Tests documents of directories, and messages without a repository.
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

#define TREE_TEST(name) TEST_WITH(name, begin_tree_test, end_tree_test)

TREE_TEST(a_directory_has_a_document)
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

TREE_TEST(a_directory_has_no_key)
{
	struct store_request request = { .version = dir };
	struct wanted wanted = { .request = &request, .version = { dir, "" }, .directory = dir };

	tree_store_keys(&store, (struct wanted *const[]){ &wanted }, 1);
	assert_string_equal(wanted.key, "");
}

TREE_TEST(a_version_needs_a_repository)
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
