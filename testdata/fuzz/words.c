/* words - read #defines with names of flag bits, and convert numbers to flags */
#include "lib/source.h"

#include "extract/internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const file = "flags.h", *const fallback = "GO_FLAGS_KERNEL";
static const char *const prefixes[] = { "GO_FLAGS_DEEP_", "GO_FLAGS_" };
static const char *const except = "GO_FLAGS_COUNT", *const unless = "GO_FLAGS_ADMIN";

static void ask(const struct flag_words *words, struct arena *arena)
{
	struct profile_strings set = { 0 };

	for (unsigned bit = 0; bit < 64; bit += 3)
		flag_words_add_bits(&set, words, UINT64_C(5) << bit, arena);
	flag_words_add_bits(&set, words, 0, arena);
	flag_words_add_bits(&set, words, UINT64_MAX, arena);
	for (size_t i = 0; i < words->count; i++)
		flag_words_add_macro(&set, words, view_of(words->items[i].macro), arena);
	for (size_t i = 1; i < set.count; i++)
		MUST(strcmp(set.item[i - 1], set.item[i]) < 0);
	words_join(&set, arena);
}

static void read_words(const uint8_t *data, size_t size, bool bit_numbers)
{
	const struct profile_words rule = {
		.files = { &file, 1 }, .prefix = { prefixes, 2 }, .except = { &except, 1 }, .fallback = fallback, .unless = { &unless, 1 },
	};
	char *text = fuzz_text(data, size);
	const struct fuzz_tree_file files[] = { { file, text, size } };
	struct fuzz_tree tree = fuzz_tree_of(files, 1);
	struct flag_words words = { 0 };
	struct arena arena = { 0 };
	struct abi_builder *builder = abi_builder_new(&arena);
	const struct family_context context = { .builder = builder, .tree = &tree.tree, .arena = &arena };
	struct err err = { "" };

	MUST_SAY(!flag_words_read(&words, &context, &rule, bit_numbers, &err), &err);
	ask(&words, &arena);
	abi_builder_free(builder);
	arena_release(&arena);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_words(data, size, false);
	read_words(data, size, true);
	return 0;
}
