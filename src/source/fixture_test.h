/*
 * source/fixture_test.h - small repositories for the tests of this directory
 *
 * They are made with libgit2, with one author and one date, so that the ids are the same on every run. If
 * anything fails, the test fails.
 */
#ifndef SOURCE_FIXTURE_TEST_H
#define SOURCE_FIXTURE_TEST_H

#include "source/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

struct fixture {
	char dir[64];    /* everything of one test; removed by fixture_release() */
	char path[96];   /* path of the repository */
	git_repository *repo;
	git_index *index; /* files of the next commit */
	git_oid commit;   /* the last commit */
	struct err err;
};

enum fixture_form { FIXTURE_BARE, FIXTURE_WORK_TREE };

static inline void fixture_init(struct fixture *fixture, enum fixture_form form)
{
	const char *temp = getenv("TMPDIR");

	memset(fixture, 0, sizeof(*fixture));
	assert_int_equal(git_setup(&fixture->err), 0);
	snprintf(fixture->dir, sizeof(fixture->dir), "%s/drvabi-XXXXXX",
		 temp && strlen(temp) < 40 ? temp : "/tmp");
	assert_non_null(mkdtemp(fixture->dir));
	snprintf(fixture->path, sizeof(fixture->path), "%s/driver", fixture->dir);
	assert_int_equal(git_repository_init(&fixture->repo, fixture->path, form == FIXTURE_BARE), 0);
	assert_int_equal(git_repository_index(&fixture->index, fixture->repo), 0);
}

static inline void fixture_release(struct fixture *fixture)
{
	git_index_free(fixture->index);
	git_repository_free(fixture->repo);
	clone_dir_remove(fixture->dir);
}

static inline void fixture_put(struct fixture *fixture, const char *path, const char *text,
			       git_filemode_t mode)
{
	git_index_entry entry = { .mode = mode, .path = path };

	if (mode == GIT_FILEMODE_COMMIT) {
		entry.id = fixture->commit;
		assert_int_equal(git_index_add(fixture->index, &entry), 0);
		return;
	}
	assert_int_equal(git_index_add_from_buffer(fixture->index, &entry, text, strlen(text)), 0);
}

static inline void fixture_file(struct fixture *fixture, const char *path, const char *text)
{
	fixture_put(fixture, path, text, GIT_FILEMODE_BLOB);
}

/* Commits the index on top of @branch; NULL: the commit is on no branch. */
static inline void fixture_commit(struct fixture *fixture, const char *branch, const char *message)
{
	git_signature who = { (char *)"Fixture", (char *)"fixture@example.org", { 1700000000, 0, '+' } };
	git_commit *parent = NULL;
	char ref[64];
	git_oid tree_id, parent_id;
	git_tree *tree;

	snprintf(ref, sizeof(ref), "refs/heads/%s", branch ? branch : "");
	assert_int_equal(git_index_write_tree(&tree_id, fixture->index), 0);
	assert_int_equal(git_tree_lookup(&tree, fixture->repo, &tree_id), 0);
	if (branch && !git_reference_name_to_id(&parent_id, fixture->repo, ref))
		assert_int_equal(git_commit_lookup(&parent, fixture->repo, &parent_id), 0);
	assert_int_equal(git_commit_create(&fixture->commit, fixture->repo, branch ? ref : NULL, &who, &who,
					   NULL, message, tree, parent ? 1 : 0, (const git_commit **)&parent),
			 0);
	git_commit_free(parent);
	git_tree_free(tree);
}

/* @message: makes an annotated tag; NULL makes a lightweight tag */
static inline void fixture_tag_object(struct fixture *fixture, const char *name, const git_oid *id,
				      const char *message)
{
	git_signature who = { (char *)"Fixture", (char *)"fixture@example.org", { 1700000000, 0, '+' } };
	git_object *object;
	git_oid tag;

	assert_int_equal(git_object_lookup(&object, fixture->repo, id, GIT_OBJECT_ANY), 0);
	if (message)
		assert_int_equal(git_tag_create(&tag, fixture->repo, name, object, &who, message, 0), 0);
	else
		assert_int_equal(git_tag_create_lightweight(&tag, fixture->repo, name, object, 0), 0);
	git_object_free(object);
}

/* Adds a version: a.h changes, b.h does not. */
static inline void fixture_version(struct fixture *fixture, const char *name)
{
	fixture_file(fixture, "inc/a.h", name);
	fixture_file(fixture, "inc/deep/b.h", "int b;\n");
	fixture_commit(fixture, "main", name);
	fixture_tag_object(fixture, name, &fixture->commit, NULL);
}

static inline struct source *fixture_open(struct fixture *fixture)
{
	struct source *source;

	if (source_open(&source, fixture->path, NULL, &fixture->err))
		fail_msg("%s", fixture->err.text);
	return source;
}

/* Opens a version, and closes the repository, because the test needs only one version. */
static inline struct tree *fixture_tree(struct fixture *fixture, const char *version)
{
	struct source *source = fixture_open(fixture);
	struct tree *tree;

	if (source_tree(&tree, source, version, &fixture->err))
		fail_msg("%s", fixture->err.text);
	source_free(source);
	return tree;
}

static inline const char *tree_text(struct tree *tree, const char *path)
{
	struct err err;
	const char *text;
	size_t size;

	if (tree->ops->read(tree, path, &text, &size, &err))
		fail_msg("%s", err.text);
	assert_int_equal(strlen(text), size);
	return text;
}

/* Returns the files that match a pattern, in one line. */
static inline const char *tree_found(struct tree *tree, const char *pattern)
{
	static char line[512];
	const char **paths = NULL;
	size_t count = 0, i;
	struct err err;

	line[0] = '\0';
	if (tree->ops->glob(tree, pattern, &paths, &count, &err))
		fail_msg("%s", err.text);
	for (i = 0; i < count; i++)
		snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s%s", i ? " " : "", paths[i]);
	free(paths);
	return line;
}

#define assert_starts(text, start) assert_memory_equal(text, start, strlen(start))

#endif
