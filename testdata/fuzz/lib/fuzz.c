#include "lib/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_fail(const char *file, int line, const char *promise, const char *why)
{
	fprintf(stderr, "%s:%d: does not hold: %s%s%s\n", file, line, promise, why ? ": " : "", why ? why : "");
	abort();
}

char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = xmalloc(size + 1);

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

void fuzz_sentence(const struct err *err)
{
	size_t length = strnlen(err->text, sizeof(err->text));

	MUST(length > 0);
	MUST(length < sizeof(err->text));
}

unsigned fuzz_pick(struct fuzz_choice *choice, unsigned count)
{
	if (!choice->left)
		return 0;
	choice->left--;
	return *choice->at++ % count;
}

uint64_t fuzz_number(struct fuzz_choice *choice)
{
	uint64_t number = 0;

	for (unsigned bytes = 1u << fuzz_pick(choice, 4); bytes; bytes--)
		number = number << 8 | fuzz_pick(choice, 256);
	return number;
}

/* read_file - read a file. scripts/fuzz defines FUZZ_ROOT, the root directory of the project. */
static char *read_file(size_t *size, const char *path)
{
	struct strbuf text = { 0 };
	struct err err;
	int rc = file_read(&text, path, 1 << 24, &err);

	MUST_SAY(!rc, &err);
	*size = text.length;
	return text.text;
}

const struct abi *fuzz_demo_abi(void)
{
	static struct arena arena;
	static struct abi abi;
	struct err err;
	char *text;
	size_t size;

	if (arena.blocks)
		return &abi;
	text = read_file(&size, FUZZ_ROOT "/testdata/fuzz/lib/demo.json");
	MUST_SAY(!json_read_abi(&abi, text, size, "demo", &arena, &err), &err);
	free(text);
	return &abi;
}

const struct table *fuzz_demo_table(void)
{
	static struct arena arena;
	static struct table table;
	struct err err;
	char *text;
	size_t size;

	if (arena.blocks)
		return &table;
	text = read_file(&size, FUZZ_ROOT "/testdata/demo/table.json");
	MUST_SAY(!json_read_table(&table, NULL, text, size, "demo", &arena, &err), &err);
	free(text);
	return &table;
}
