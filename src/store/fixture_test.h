/*
 * store/fixture_test.h - a directory, files and archives in it, and the remarks of a store, for the tests of
 * store
 *
 * Each test has a new directory. After the test, the files that put_file() wrote are removed, and nothing
 * else may be left in the directory. Texts call the directory "DIR", because its name differs in each run.
 */
#ifndef STORE_FIXTURE_TEST_H
#define STORE_FIXTURE_TEST_H

#include "store/internal.h"
#include "abi/document_test.h"

#include <sys/stat.h>
#include <unistd.h>

#define STORE_TEST(name) TEST_WITH(name, begin_test, end_test)
#define X86 "x86_64-linux-gnu"

static char dir[128];
static struct strbuf said; /* the remarks, "warning: …", one in a line */
static struct store_options options;
static struct arena arena;
static struct err err;
static const char *files[8]; /* the paths of the files that put_file() wrote */
static size_t file_count;

static inline void hear(void *data, enum store_remark kind, const char *sentence)
{
	static const char *const kinds[] = { "notice", "warning", "detail" };

	strbuf_addf(&said, "%s: %s\n", kinds[kind], sentence);
}

static inline int begin_test(void **state)
{
	const char *temp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/drvabi-XXXXXX", temp && strlen(temp) < 100 ? temp : "/tmp");
	assert_non_null(mkdtemp(dir));
	options = (struct store_options){ .target = X86, .remark = hear };
	err_set(&err, 0, "%s", "");
	return 0;
}

/* Removes the files that put_file() wrote, and their directories. */
static inline void remove_files(void)
{
	for (size_t i = 0; i < file_count; i++) {
		char *path = arena_strdup(&arena, files[i]);

		unlink(path);
		for (*strrchr(path, '/') = '\0'; strlen(path) > strlen(dir); *strrchr(path, '/') = '\0')
			rmdir(path);
	}
	file_count = 0;
}

static inline int end_test(void **state)
{
	remove_files();
	strbuf_release(&said);
	arena_release(&arena);
	assert_int_equal(rmdir(dir), 0);
	return 0;
}

/* Writes the file DIR/@name. Return: its path. */
static inline const char *put_file(const char *name, const void *bytes, size_t size)
{
	char *path = arena_printf(&arena, "%s/%s", dir, name), *slash = strrchr(path, '/');

	*slash = '\0';
	assert_int_equal(file_make_dirs(path, &err), 0);
	*slash = '/';
	assert_int_equal(file_write_atomic(path, bytes, size, &err), 0);
	assert_true(file_count < sizeof(files) / sizeof(*files));
	return files[file_count++] = path;
}

/* Writes an archive in which each version has an empty document for the only target. Return: its path. */
static inline const char *put_archive(const char *name, const struct archive_head *head)
{
	const struct abi document = { .driver = head->driver, .version = "", .commit = "",
				      .target = head->targets[0] };
	const struct abi *documents[] = { &document, &document, &document };
	struct strbuf bytes = { 0 };
	const char *path;

	assert_int_equal(archive_write(&bytes, head, documents, &err), 0);
	path = put_file(name, bytes.text, bytes.length);
	strbuf_release(&bytes);
	return path;
}

/* Appends a text, with "DIR" for the directory. */
static inline void add_text(struct strbuf *out, const char *text)
{
	for (const char *at; (at = strstr(text, dir)); text = at + strlen(dir)) {
		strbuf_add(out, text, (size_t)(at - text));
		strbuf_adds(out, "DIR");
	}
	strbuf_adds(out, text);
}

/* Appends "error: MESSAGE" with the code's name if @rc is not 0, and else "fine". */
static inline void add_result(struct strbuf *out, int rc)
{
	static const struct {
		int rc;
		const char *name;
	} codes[] = {
		{ ERR_NOT_FOUND, "not found" }, { ERR_USAGE, "usage" }, { ERR_FORMAT, "format" },
		{ ERR_GIT, "git" },		{ ERR_IO, "io" },	{ ERR_LIMIT, "limit" },
		{ ERR_PARSE, "parse" },
	};

	for (size_t i = 0; rc && i < sizeof(codes) / sizeof(*codes); i++)
		if (codes[i].rc == rc)
			strbuf_addf(out, "%s: ", codes[i].name);
	add_text(out, rc ? err.text : "fine");
}

#endif
