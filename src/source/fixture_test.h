/*
 * source/fixture_test.h - small repositories, and histories as text, for the tests of this directory
 *
 * They are made with libgit2, with one author and one date, so that the ids are the same on every run. If
 * anything fails, the test fails. Each test with TEST() has a new bare repository, `fixture`. A history is a
 * list of words, which are done in their order:
 *
 *   main:1.0    commit on the branch main, with the tag 1.0
 *   main:       commit on main without a tag
 *   side<main   make the branch side at the head of main; "origin/side<main" makes a branch of a remote
 *   origin/HEAD@origin/side   make side the default branch of the remote
 *   main+side   merge side into main
 *   =1.1 ~1.2   make a lightweight and an annotated tag of the last commit
 *   !key !~key  make a lightweight and an annotated tag of a file
 */
#ifndef SOURCE_FIXTURE_TEST_H
#define SOURCE_FIXTURE_TEST_H

#include "source/internal.h"
#include "abi/document_test.h"

#include <unistd.h>

#define SOURCE_TEST(name) TEST_WITH(name, begin_test, end_test)

struct fixture {
	char dir[64];    /* everything of one test; removed by fixture_release() */
	char path[96];   /* path of the repository */
	git_repository *repo;
	git_index *index; /* files of the next commit */
	git_oid commit;   /* the last commit */
	struct err err;
};

static struct fixture fixture;
static struct arena arena;

enum { TREE_SOURCES_MAX = 16 };
static struct source *tree_sources[TREE_SOURCES_MAX]; /* the repositories of fixture_tree() */
static size_t tree_source_count;

enum fixture_form { FIXTURE_BARE, FIXTURE_WORK_TREE };

static inline void fixture_init(struct fixture *of, enum fixture_form form)
{
	const char *temp = getenv("TMPDIR");

	memset(of, 0, sizeof(*of));
	assert_int_equal(git_setup(&of->err), 0);
	snprintf(of->dir, sizeof(of->dir), "%s/drvabi-XXXXXX", temp && strlen(temp) < 40 ? temp : "/tmp");
	assert_non_null(mkdtemp(of->dir));
	snprintf(of->path, sizeof(of->path), "%s/driver", of->dir);
	assert_int_equal(git_repository_init(&of->repo, of->path, form == FIXTURE_BARE), 0);
	assert_int_equal(git_repository_index(&of->index, of->repo), 0);
}

static inline void fixture_release(struct fixture *of)
{
	git_index_free(of->index);
	git_repository_free(of->repo);
	clone_dir_remove(of->dir);
}

static inline void fixture_put(struct fixture *of, const char *path, const char *text, git_filemode_t mode)
{
	git_index_entry entry = { .mode = mode, .path = path };

	if (mode == GIT_FILEMODE_COMMIT) {
		entry.id = of->commit;
		assert_int_equal(git_index_add(of->index, &entry), 0);
		return;
	}
	assert_int_equal(git_index_add_from_buffer(of->index, &entry, text, strlen(text)), 0);
}

static inline void fixture_file(struct fixture *of, const char *path, const char *text)
{
	fixture_put(of, path, text, GIT_FILEMODE_BLOB);
}

enum { PARENTS_MAX = 3 };
static const git_signature who = { (char *)"Fixture", (char *)"fixture@example.org", { 1700000000, 0, '+' } };

/* Makes a commit of @tree on the branch or reference @ref; NULL: on none. */
static inline void fixture_commit_tree(struct fixture *of, const char *ref, const char *message,
				       const git_tree *tree, const git_oid *parents, size_t count)
{
	git_commit *commits[PARENTS_MAX] = { NULL };

	for (size_t i = 0; i < count; i++)
		assert_int_equal(git_commit_lookup(&commits[i], of->repo, &parents[i]), 0);
	assert_int_equal(git_commit_create(&of->commit, of->repo, ref, &who, &who, NULL, message, tree, count,
					   (const git_commit **)commits),
			 0);
	for (size_t i = 0; i < count; i++)
		git_commit_free(commits[i]);
}

/* Commits the index on top of @branch; NULL: the commit is on no branch. */
static inline void fixture_commit(struct fixture *of, const char *branch, const char *message)
{
	const char *ref = branch ? arena_printf(&arena, "refs/heads/%s", branch) : NULL;
	git_oid tree_id, parent;
	git_tree *tree;

	assert_int_equal(git_index_write_tree(&tree_id, of->index), 0);
	assert_int_equal(git_tree_lookup(&tree, of->repo, &tree_id), 0);
	fixture_commit_tree(of, ref, message, tree, &parent,
			    ref && !git_reference_name_to_id(&parent, of->repo, ref));
	git_tree_free(tree);
}

/* @message: makes an annotated tag; NULL makes a lightweight tag */
static inline void fixture_tag_object(struct fixture *of, const char *name, const git_oid *id,
				      const char *message)
{
	git_object *object;
	git_oid tag;

	assert_int_equal(git_object_lookup(&object, of->repo, id, GIT_OBJECT_ANY), 0);
	if (message)
		assert_int_equal(git_tag_create(&tag, of->repo, name, object, &who, message, 0), 0);
	else
		assert_int_equal(git_tag_create_lightweight(&tag, of->repo, name, object, 0), 0);
	git_object_free(object);
}

/* Adds a version on @branch: a.h changes, b.h does not. @name: the tag; "" for none */
static inline void fixture_version(struct fixture *of, const char *branch, const char *name)
{
	fixture_file(of, "inc/a.h", name);
	fixture_file(of, "inc/deep/b.h", "int b;\n");
	fixture_commit(of, branch, name);
	if (*name)
		fixture_tag_object(of, name, &of->commit, NULL);
}

static inline git_oid fixture_head(struct fixture *of, const char *branch)
{
	const char *name = arena_printf(&arena, "refs/heads/%s", branch);
	git_oid id;

	assert_int_equal(git_reference_name_to_id(&id, of->repo, name), 0);
	return id;
}

static inline void fixture_branch(struct fixture *of, const char *branch, const char *from)
{
	const char *directory = strchr(branch, '/') ? "remotes" : "heads";
	const char *name = arena_printf(&arena, "refs/%s/%s", directory, branch);
	const git_oid id = fixture_head(of, from);
	git_reference *ref;

	assert_int_equal(git_reference_create(&ref, of->repo, name, &id, 1, NULL), 0);
	git_reference_free(ref);
}

static inline void fixture_default_branch(struct fixture *of, const char *head, const char *branch)
{
	const char *name = arena_printf(&arena, "refs/remotes/%s", head);
	const char *target = arena_printf(&arena, "refs/remotes/%s", branch);
	git_reference *ref;

	assert_int_equal(git_reference_symbolic_create(&ref, of->repo, name, target, 0, NULL), 0);
	git_reference_free(ref);
}

static inline void fixture_merge(struct fixture *of, const char *branch, const char *other)
{
	const git_oid ids[] = { fixture_head(of, branch), fixture_head(of, other) };
	git_commit *first;
	git_tree *tree;

	assert_int_equal(git_commit_lookup(&first, of->repo, &ids[0]), 0);
	assert_int_equal(git_commit_tree(&tree, first), 0);
	fixture_commit_tree(of, arena_printf(&arena, "refs/heads/%s", branch), "merge", tree, ids, 2);
	git_tree_free(tree);
	git_commit_free(first);
}

/* Adds the commits, branches and tags of a history. */
static inline void fixture_history(struct fixture *of, const char *history)
{
	char *word;

	while (*(word = document_word(&history, &arena))) {
		const char *message = strchr(word, '~') ? "words" : NULL;
		char *second = word + strcspn(word, ":<+@");
		const char kind = *word == '!' || *word == '=' || *word == '~' ? *word : *second;
		git_oid id = of->commit;

		if (*second)
			*second++ = '\0';
		if (kind == '!')
			assert_int_equal(git_blob_create_from_buffer(&id, of->repo, "key", 3), 0);
		if (kind == ':')
			fixture_version(of, word, second);
		else if (kind == '<')
			fixture_branch(of, word, second);
		else if (kind == '+')
			fixture_merge(of, word, second);
		else if (kind == '@')
			fixture_default_branch(of, word, second);
		else
			fixture_tag_object(of, word + strspn(word, "!=~"), &id, message);
	}
}

static inline int begin_test(void **state)
{
	fixture_init(&fixture, FIXTURE_BARE);
	return 0;
}

static inline int end_test(void **state)
{
	while (tree_source_count)
		source_free(tree_sources[--tree_source_count]);
	fixture_release(&fixture);
	arena_release(&arena);
	return 0;
}

/* Writes a file, and makes its directories. */
static inline void write_file(const char *path, const char *text)
{
	char *parent = arena_strdup(&arena, path);

	*strrchr(parent, '/') = '\0';
	assert_int_equal(file_make_dirs(parent, NULL), 0);
	assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), 0);
}

/* Joins the path of a directory and a name. */
static inline const char *in(const char *directory, const char *name)
{
	return arena_printf(&arena, "%s/%s", directory, name);
}

static inline struct source *fixture_open(struct fixture *of)
{
	struct source *source;

	if (source_open(&source, of->path, NULL, &of->err))
		fail_msg("%s", of->err.text);
	return source;
}

/* Opens a version. end_test() closes the repository. */
static inline struct tree *fixture_tree(struct fixture *of, const char *version)
{
	struct tree *tree;

	assert_in_range(tree_source_count, 0, TREE_SOURCES_MAX - 1);
	tree_sources[tree_source_count] = fixture_open(of);
	if (source_tree(&tree, tree_sources[tree_source_count++], version, &of->err))
		fail_msg("%s", of->err.text);
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

/* Appends a text, with "REPO" for the path of `fixture` and "DIR" for its directory. Both have new names. */
static inline void add_text(struct strbuf *out, const char *text)
{
	for (const char *at; (at = strstr(text, fixture.dir)); text = at) {
		const size_t length = strlen(fixture.path);
		const bool is_repo = !strncmp(at, fixture.path, length) && strchr("/ ,;:", at[length]);

		strbuf_add(out, text, (size_t)(at - text));
		strbuf_adds(out, is_repo ? "REPO" : "DIR");
		at += is_repo ? length : strlen(fixture.dir);
	}
	strbuf_adds(out, text);
}

/* The end of the message about a path that is absolute, or has an empty name, "." or "..". */
#define NO_PATH                                                                                              \
	" is not a path inside a driver tree: write it relative to the tree's root, without \".\" and \"..\""

/* A file of a tree and its text, or a pattern ("* PATTERN") and its files; or the error. */
struct tree_row {
	const char *fact, *path, *expected;
};

static inline void check_tree(struct tree *tree, const struct tree_row *rows, size_t count)
{
	bool differs = false;

	for (size_t i = 0; i < count; i++) {
		const char *text = "untouched";
		struct strbuf out = { 0 };
		size_t size;
		int rc;

		if (!strncmp(rows[i].path, "* ", 2)) {
			strbuf_adds(&out, tree_found(tree, rows[i].path + 2));
		} else if ((rc = tree->ops->read(tree, rows[i].path, &text, &size, &fixture.err))) {
			assert_string_equal(text, "untouched");
			strbuf_adds(&out, rc == ERR_NOT_FOUND ? "not found: " :
					  rc == ERR_FORMAT    ? "format: " : "other: ");
			add_text(&out, fixture.err.text);
		} else {
			assert_int_equal(strlen(text), size);
			strbuf_adds(&out, text);
		}
		differs |= text_differs(rows[i].fact, &out, rows[i].expected);
	}
	assert_false(differs);
}

#endif
