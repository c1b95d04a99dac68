/* Tests which line of a file of references (packed-refs) is refused, and why. */
#include "source/internal.h"
#include "abi/document_test.h"

#include <unistd.h>

#define ID "0123456789012345678901234567890123456789"
#define HEADER "# pack-refs with: peeled fully-peeled sorted \n"
#define TEXT(text) text, sizeof(text) - 1
#define ADVICE ", so tags may be missing; repair the file, or clone the repository again"
#define NO_REFERENCE " this line is not an object id followed by a reference name" ADVICE
#define NO_TAG_ID " this line is not the object id of the tag in the previous line" ADVICE
#define UNSORTED                                                                                             \
	" this line is out of order, although the first line says that the references are sorted" ADVICE

/* A file and its size, and the message after the file's name; "" if the file is valid. */
static const struct {
	const char *fact, *text;
	size_t size;
	const char *message;
} rows[] = {
	{ "an empty file", TEXT(""), "" },
	{ "a file without references", TEXT(HEADER), "" },
	{ "a tag may be followed by its object id",
	  TEXT(HEADER ID " refs/heads/main\n" ID " refs/tags/1\n^" ID "\n" ID " refs/tags/2\n"), "" },
	{ "a file that does not claim to be sorted",
	  TEXT("# pack-refs with: peeled \n" ID " refs/tags/2\n" ID " refs/tags/1\n"), "" },
	{ "a file without a header", TEXT(ID " refs/tags/2\n" ID " refs/tags/1\n"), "" },
	{ "lines may end with a carriage return", TEXT(HEADER ID " refs/tags/1\r\n^" ID "\r\n"), "" },
	{ "a name may begin with the previous name",
	  TEXT(HEADER ID " refs/tags/1\n" ID " refs/tags/1.0\n" ID " refs/tags/10\n"), "" },
	{ "rubbish", TEXT(HEADER "rubbish\n"), ":2:" NO_REFERENCE },
	{ "an empty line", TEXT(HEADER ID " refs/tags/1\n\n" ID " refs/tags/2\n"), ":3:" NO_REFERENCE },
	{ "an id alone", TEXT(HEADER ID "\n"), ":2:" NO_REFERENCE },
	{ "an empty name", TEXT(HEADER ID " \n"), ":2:" NO_REFERENCE },
	{ "a short id", TEXT(HEADER "0123 refs/tags/1\n"), ":2:" NO_REFERENCE },
	{ "a long id", TEXT(HEADER ID "0 refs/tags/1\n"), ":2:" NO_REFERENCE },
	{ "a tab", TEXT(HEADER ID "\trefs/tags/1\n"), ":2:" NO_REFERENCE },
	{ "a comment after the first line", TEXT(HEADER ID " refs/tags/1\n# comment\n"), ":3:" NO_REFERENCE },
	{ "a line that is cut off", TEXT(HEADER ID " refs/tags/1\n" ID " refs/tags/2"),
	  ":3: this line does not end with a newline" ADVICE },
	{ "a NUL byte", TEXT(HEADER ID " refs/tags/1\0x\n"), ":2: this line has a NUL byte" ADVICE },
	{ "an object id without a tag", TEXT(HEADER "^" ID "\n"), ":2:" NO_TAG_ID },
	{ "two object ids of a tag", TEXT(HEADER ID " refs/tags/1\n^" ID "\n^" ID "\n"), ":4:" NO_TAG_ID },
	{ "a short object id of a tag", TEXT(HEADER ID " refs/tags/1\n^0123\n"), ":3:" NO_TAG_ID },
	{ "names out of order", TEXT(HEADER ID " refs/tags/2\n" ID " refs/tags/1\n"), ":3:" UNSORTED },
	{ "a name that appears twice", TEXT(HEADER ID " refs/tags/1\n" ID " refs/tags/1\n"), ":3:" UNSORTED },
};

TEST(the_first_unreadable_line_is_named)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char path[] = "/tmp/drvabi-XXXXXX";
		int fd = mkstemp(path), rc;
		struct strbuf out = { 0 };
		struct err err;

		assert_int_not_equal(fd, -1);
		close(fd);
		assert_int_equal(file_write_atomic(path, rows[i].text, rows[i].size, &err), 0);
		rc = packed_refs_check(path, &err);
		unlink(path);
		if (rc) {
			assert_int_equal(rc, ERR_FORMAT);
			assert_memory_equal(err.text, path, strlen(path));
			strbuf_adds(&out, err.text + strlen(path));
		}
		differs |= text_differs(rows[i].fact, &out, rows[i].message);
	}
	assert_false(differs);
}

TEST(a_file_that_does_not_exist_is_valid)
{
	assert_int_equal(packed_refs_check("/nonexistent/packed-refs", NULL), 0);
}
