/* quiet - headers without the macros that nothing speaks of; a NUL byte parts two headers */
#include "lib/source.h"

#include "extract/quiet.h"

#include <stdlib.h>
#include <string.h>

/* All lines are there, and each is as it was, or a part of it, or empty. */
static void check_lines(const struct closure_file *was, const struct quiet_text *is)
{
	const char *a = was->text, *b = is->text, *a_end = a + was->size, *b_end = b + is->size;

	MUST(is->size <= was->size);
	MUST(!*b_end);
	for (;;) {
		const char *a_stop = memchr(a, '\n', (size_t)(a_end - a)), *b_stop = memchr(b, '\n', (size_t)(b_end - b));
		size_t a_length, b_length;

		MUST(!a_stop == !b_stop);
		a_length = (size_t)((a_stop ? a_stop : a_end) - a);
		b_length = (size_t)((b_stop ? b_stop : b_end) - b);
		MUST(b_length <= a_length);
		MUST(!memcmp(a, b, b_length));
		if (!a_stop)
			return;
		a = a_stop + 1;
		b = b_stop + 1;
	}
}

static void ignore_define(void *data, const struct closure_file *file, const struct scan_define *define)
{
	(void)data;
	(void)file;
	(void)define;
}

static void ignore_undef(void *data, struct view name)
{
	(void)data;
	(void)name;
}

static void quiet(struct closure *closure, const char *main_text, struct arena *arena)
{
	struct quiet_text *out = xmalloc((closure->file_count + 1) * sizeof(*out));

	quiet_texts(out, closure, (struct view){ main_text, strlen(main_text) }, arena);
	for (size_t i = 0; i < closure->file_count; i++)
		check_lines(closure->files[i], &out[i]);
	free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const header = "*.h", *const dir = ".", *const define = "SPOKEN=OF";
	const struct profile_unit unit = { .name = "one", .headers = { &header, 1 }, .include = { &dir, 1 }, .define = { &define, 1 } };
	const struct profile_strings roots = { &dir, 1 };
	const uint8_t *nul = memchr(data, 0, size);
	size_t first = nul ? (size_t)(nul - data) : size, second = nul ? size - first - 1 : 0;
	char *a = fuzz_text(data, first), *b = fuzz_text(data + size - second, second);
	const struct fuzz_tree_file files[] = { { "a.h", a, first }, { "b.h", b, second } };
	struct fuzz_tree tree = fuzz_tree_of(files, nul ? 2 : 1);
	struct arena arena = { 0 };
	struct closure closure = {
		.tree = &tree.tree, .unit = &unit, .arena = &arena, .roots = &roots, .define = ignore_define, .undef = ignore_undef,
	};
	struct err err = { "" };

	MUST_SAY(!closure_load(&closure, &err), &err);
	quiet(&closure, "#include \"a.h\"\nenum { ASKED = A_NAME };\n", &arena);
	closure_release(&closure);
	arena_release(&arena);
	free(a);
	free(b);
	return 0;
}
