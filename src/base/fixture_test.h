/* base/fixture_test.h - a directory for one test, and the texts of its files */
#ifndef BASE_FIXTURE_TEST_H
#define BASE_FIXTURE_TEST_H

#include "base/unit_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64];    /* the test must leave it empty or with only the file "f" */
static char path[128];  /* DIR/f */
static char other[400]; /* the last result of beside() */
static struct err err;

static inline int open_dir(void **state)
{
	err.text[0] = '\0';
	snprintf(dir, sizeof(dir), "/tmp/drvabi-test.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/f", dir);
	return 0;
}

/* Fails if the test left a file other than "f". */
static inline int close_dir(void **state)
{
	unlink(path);
	return rmdir(dir);
}

/* Returns the path DIR/NAME. A test that makes this file removes it. */
static inline const char *beside(const char *name)
{
	snprintf(other, sizeof(other), "%s/%s", dir, name);
	return other;
}

static inline void write_text(const char *to, const char *text)
{
	assert_int_equal(file_write_atomic(to, text, strlen(text), &err), 0);
}

static inline void check_text(const char *of, const char *expected)
{
	struct strbuf text = { 0 };

	assert_int_equal(file_read(&text, of, 1000, &err), 0);
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_release(&text);
}

static inline struct stat state_of(const char *of)
{
	struct stat st;

	assert_int_equal(lstat(of, &st), 0);
	return st;
}

/*
 * begin_limit, end_limit - limit the size of files. SIGXFSZ, which would end the test, is ignored as in
 * main().
 */
static inline struct rlimit begin_limit(rlim_t bytes)
{
	struct rlimit before;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ bytes, before.rlim_max });
	return before;
}

static inline void end_limit(struct rlimit before)
{
	setrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_DFL);
}

#define TEST_IN_DIR(name) TEST_WITH(name, open_dir, close_dir)

#endif
