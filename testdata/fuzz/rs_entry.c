/* rs_entry - read the driver's list of classes that can be allocated */
#include "lib/source.h"

#include "extract/internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const path = "t.c", *const flags = "RS_FLAGS_", *const access = "RS_ACCESS_";
static const struct profile_family family = {
	.name = "alloc", .source = PROFILE_FROM_RS_ENTRY, .files = { &path, 1 },
	.flag_words = { .prefix = { &flags, 1 } }, .access_words = { .prefix = { &access, 1 } },
};
static const struct macro macros[] = {
	{ .name = "THING_A", .value = { 1, false }, .evaluated = true, .unit = "rm" },
	{ .name = "THING_B", .value = { 2, false }, .evaluated = true, .unit = "rm" },
};
static const struct macro_index index_of_macros = { macros, 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	const struct fuzz_tree_file files[] = { { path, text, size } };
	struct fuzz_tree tree = fuzz_tree_of(files, 1);
	struct arena arena = { 0 };
	struct abi_builder *builder = abi_builder_new(&arena);
	const struct family_context context = {
		.builder = builder, .tree = &tree.tree, .family = &family, .macros = &index_of_macros,
		.arena = &arena,
	};
	struct err err = { "" };
	struct abi abi;

	MUST_SAY(!classes_add_family(&context, &err), &err);
	abi_builder_seal(&abi, builder, &(struct abi){ .driver = "d", .version = "1", .commit = "", .target = "t" });
	for (size_t i = 0; i < abi.ioctl_count; i++)
		MUST(!strncmp(abi.ioctls[i].source, "t.c:", 4) && !strncmp(abi.ioctls[i].name, "THING_", 6));
	abi_builder_free(builder);
	arena_release(&arena);
	free(text);
	return 0;
}
