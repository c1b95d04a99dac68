/* Tests the rules and limits for paths, and the limits for patterns. */
#include "source/internal.h"
#include "abi/document_test.h"

/* A path that is @text @count times, and then @end. */
static const struct {
	const char *text;
	unsigned count;
	const char *end;
	int rc;
} rows[] = {
	{ "inc/a.h", 1, "", 0 },
	{ "...", 1, "", 0 },
	{ "", 1, "", ERR_FORMAT },
	{ "/inc", 1, "", ERR_FORMAT },
	{ "inc/", 1, "", ERR_FORMAT },
	{ "inc/../a.h", 1, "", ERR_FORMAT },
	{ "a", TREE_PATH_BYTES, "", 0 },
	{ "a", TREE_PATH_BYTES + 1, "", ERR_LIMIT },
	{ "a/", TREE_PATH_DEPTH, "a.h", 0 },
	{ "a/", TREE_PATH_DEPTH + 1, "a.h", ERR_LIMIT },
};

TEST(a_path_stays_inside_and_has_an_end)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf path = { 0 };
		struct err err;

		for (unsigned count = 0; count < rows[i].count; count++)
			strbuf_adds(&path, rows[i].text);
		strbuf_adds(&path, rows[i].end);
		if (tree_path_check(strbuf_text(&path), &err) != rows[i].rc)
			fail_msg("%u times \"%s\"", rows[i].count, rows[i].text);
		strbuf_release(&path);
	}
}

/* A tree in which each directory has the same number of directories, and one file. */
struct endless {
	struct file_tree common;
	unsigned width;
	struct err err;
};

static int list_endless(struct tree *tree, const char *dir, glob_visit visit, void *data, struct err *err)
{
	const struct endless *endless = (struct endless *)tree;
	char name[32];
	int rc = 0;

	for (unsigned i = 0; !rc && i < endless->width; i++) {
		snprintf(name, sizeof(name), "directory%06u", i);
		rc = visit(data, name, GLOB_DIRECTORY);
	}
	return rc ? rc : visit(data, "a.h", GLOB_FILE);
}

static int kind_endless(enum glob_kind *out, struct tree *tree, const char *path, struct err *err)
{
	*out = GLOB_DIRECTORY;
	return 0;
}

static const struct file_tree_ops endless_ops = { .list = list_endless, .kind = kind_endless };

/* Returns the number of files that match @pattern; -1 if there are too many. */
static long found(struct endless *endless, const char *pattern)
{
	const char **paths = NULL;
	size_t count = 0;
	int rc = file_tree_glob(&endless->common.tree, pattern, &paths, &count, &endless->err);

	free(paths);
	if (rc)
		assert_int_equal(rc, ERR_LIMIT);
	return rc ? -1 : (long)count;
}

TEST(a_tree_without_end_has_an_end)
{
	struct endless endless = { .common.tree.version = "1.0", .common.ops = &endless_ops,
				   .width = 300 };

	assert_int_equal(found(&endless, "*/*.h"), 300);
	assert_int_equal(found(&endless, "*/*/*.h"), -1);
	assert_string_equal(
		endless.err.text,
		"too many files for the pattern */*/*.h in version 1.0: their paths have more than 33554432 "
		"bytes in total; the last one is directory000007/directory000070");
	arena_release(&endless.common.arena);
}

TEST(all_patterns_of_a_tree_share_the_limit)
{
	struct endless endless = { .common.tree.version = "1.0", .common.ops = &endless_ops,
				   .width = 300 };
	unsigned patterns = 0;

	while (found(&endless, "*/*.h") > 0)
		patterns++;
	assert_in_range(patterns, 2, 100);
	arena_release(&endless.common.arena);
}
