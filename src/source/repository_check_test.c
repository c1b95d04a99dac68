#include "source/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define ID "0123456789012345678901234567890123456789"
#define HEADER "# pack-refs with: peeled fully-peeled sorted \n"
#define TEXT(text) { text, sizeof(text) - 1 }

struct packed {
	const char *text;
	size_t size;
};

/* Returns the message about a file, from the line number on; "" if the file is valid. */
static const char *said(struct packed packed)
{
	static struct err err;
	char path[] = "/tmp/drvabi-XXXXXX";
	int fd = mkstemp(path), rc;

	assert_int_not_equal(fd, -1);
	close(fd);
	assert_int_equal(file_write_atomic(path, packed.text, packed.size, &err), 0);
	rc = packed_refs_check(path, &err);
	unlink(path);
	if (!rc)
		return "";
	assert_int_equal(rc, ERR_FORMAT);
	assert_memory_equal(err.text, path, strlen(path));
	return err.text + strlen(path);
}

static void what_git_writes_is_right(void **state)
{
	static const struct packed files[] = {
		TEXT(""),
		TEXT(HEADER),
		TEXT(HEADER ID " refs/heads/main\n" ID " refs/tags/1\n^" ID "\n" ID " refs/tags/2\n"),
		TEXT("# pack-refs with: peeled \n" ID " refs/tags/2\n" ID " refs/tags/1\n"),
		TEXT(ID " refs/tags/2\n" ID " refs/tags/1\n"),
		TEXT(HEADER ID " refs/tags/1\r\n^" ID "\r\n"),
		TEXT(HEADER ID " refs/tags/1\n" ID " refs/tags/1.0\n" ID " refs/tags/10\n"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		assert_string_equal(said(files[i]), "");
}

static void an_unreadable_line_is_named(void **state)
{
	static const struct {
		struct packed packed;
		const char *start;
	} rows[] = {
		{ TEXT(HEADER "rubbish\n"),
		  ":2: this line is not an object id followed by a reference name" },
		{ TEXT(HEADER ID " refs/tags/1\n\n" ID " refs/tags/2\n"),
		  ":3: this line is not an object id" },
		{ TEXT(HEADER ID "\n"), ":2: this line is not an object id" },
		{ TEXT(HEADER ID " \n"), ":2: this line is not an object id" },
		{ TEXT(HEADER "0123 refs/tags/1\n"), ":2: this line is not an object id" },
		{ TEXT(HEADER ID "0 refs/tags/1\n"), ":2: this line is not an object id" },
		{ TEXT(HEADER ID "\trefs/tags/1\n"), ":2: this line is not an object id" },
		{ TEXT(HEADER ID " refs/tags/1\n# comment\n"), ":3: this line is not an object id" },
		{ TEXT(HEADER ID " refs/tags/1\n" ID " refs/tags/2"),
		  ":3: this line does not end with a newline" },
		{ TEXT(HEADER ID " refs/tags/1\0x\n"), ":2: this line has a NUL byte" },
		{ TEXT(HEADER "^" ID "\n"),
		  ":2: this line is not the object id of the tag in the previous line" },
		{ TEXT(HEADER ID " refs/tags/1\n^" ID "\n^" ID "\n"),
		  ":4: this line is not the object id of" },
		{ TEXT(HEADER ID " refs/tags/1\n^0123\n"), ":3: this line is not the object id of" },
		{ TEXT(HEADER ID " refs/tags/2\n" ID " refs/tags/1\n"), ":3: this line is out of order" },
		{ TEXT(HEADER ID " refs/tags/1\n" ID " refs/tags/1\n"), ":3: this line is out of order" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *text = said(rows[i].packed);

		if (strncmp(text, rows[i].start, strlen(rows[i].start)))
			fail_msg("row %zu: \"%s\"", i, text);
	}
}

static void no_file_is_right(void **state)
{
	(void)state;
	assert_int_equal(packed_refs_check("/nonexistent/packed-refs", NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_git_writes_is_right),
		cmocka_unit_test(an_unreadable_line_is_named),
		cmocka_unit_test(no_file_is_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
