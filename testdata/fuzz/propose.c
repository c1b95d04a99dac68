/* propose - propose a first profile for headers */
#include "lib/source.h"

#include "extract/extract.h"

#include <stdlib.h>
#include <string.h>

enum { FILES = 3, SEPARATOR = 0x1e };

/* cut - split @text into files at separators. The last file has the rest. */
static void cut(struct fuzz_tree_file files[FILES], char *text, size_t size)
{
	for (size_t i = 0; i < FILES; i++) {
		char *end = i + 1 < FILES ? memchr(text, SEPARATOR, size) : NULL;
		const size_t length = end ? (size_t)(end - text) : size;

		text[length] = '\0';
		files[i].text = text;
		files[i].size = length;
		text += end ? length + 1 : length;
		size -= end ? length + 1 : length;
	}
}

static bool is_known(const char *header)
{
	return !strcmp(header, "linux/ioctl.h");
}

static void check(const struct proposal *proposal)
{
	size_t ioctls = 0;

	MUST(proposal->header_count);
	for (size_t i = 0; i < proposal->header_count; i++) {
		MUST(!i || strcmp(proposal->headers[i - 1].path, proposal->headers[i].path) < 0);
		ioctls += proposal->headers[i].ioctl_count;
	}
	MUST(ioctls == proposal->ioctl_count);
	for (size_t i = 1; i < proposal->type_count; i++)
		MUST(proposal->types[i - 1] < proposal->types[i]);
	for (size_t i = 0; i < proposal->missing.count; i++)
		MUST(*proposal->missing.item[i] && !is_known(proposal->missing.item[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct fuzz_tree_file files[FILES] = { { .path = "a.h" }, { .path = "b.h" }, { .path = "c.c" } };
	struct fuzz_tree tree;
	struct proposal proposal;
	struct arena arena = { 0 };
	struct err err = { "" };

	cut(files, text, size);
	tree = fuzz_tree_of(files, FILES);
	if (extract_propose(&proposal, &tree.tree, is_known, &arena, &err))
		fuzz_sentence(&err);
	else
		check(&proposal);
	arena_release(&arena);
	free(text);
	return 0;
}
