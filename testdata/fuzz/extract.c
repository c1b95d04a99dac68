/*
 * extract - extract a header with libclang, and run all passes on the document
 *
 * libclang is not built with sanitizers: they check only drvabi's code. The
 * target does not check for leaks, because libclang leaks memory when it
 * recovers from a crash of its own.
 */
#include "lib/source.h"

#include "extract/extract.h"

#include <stdlib.h>

static const char *const header = "*.h", *const dir = ".", *const match = "NV_ESC_*";
static const struct profile_unit unit = { .name = "one", .headers = { &header, 1 }, .include = { &dir, 1 } };
static const struct profile_constant constant = { .name = "NV_*" };
static const struct profile_role role = { .role = ABI_ROLE_FD, .name = "*fd" };
static const struct profile_params params = { .record = "\\1", .regex = "struct +([a-z_0-9]+)" };
/* Two families, so that ioctls are read in two ways from the same header. */
static const struct profile_family families[] = {
	{ .name = "frontend", .source = PROFILE_FROM_CONSTANTS, .match = { &match, 1 }, .params = &params, .param_count = 1 },
	{ .name = "made", .source = PROFILE_FROM_IOC, .ioc = { .is_encoded = true, .by_nr = true } },
};
static const struct profile profile = {
	.name = "fuzz", .units = &unit, .unit_count = 1, .constants = &constant, .constant_count = 1, .roles = &role, .role_count = 1,
	.families = families, .family_count = 2,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	const struct fuzz_tree_file files[] = { { "a.h", text, size } };
	struct fuzz_tree tree = fuzz_tree_of(files, 1);
	struct extract_result result;
	struct arena arena = { 0 };
	struct abi_builder *builder = abi_builder_new(&arena);
	struct err err = { "" };
	struct abi abi;

	if (extract_tree(&result, builder, &tree.tree, &profile, "x86_64-linux-gnu", &arena, &err)) {
		fuzz_sentence(&err);
	} else {
		abi_builder_seal(&abi, builder, &(struct abi){
			.driver = profile.name, .version = tree.tree.version, .commit = tree.tree.commit, .target = "x86_64-linux-gnu",
		});
		fuzz_round_trip(&abi);
		fuzz_pack_trip(&abi);
		fuzz_flatten_all(&abi);
		fuzz_show_all(&abi);
		fuzz_diff(&abi, &abi, NULL);
	}
	abi_builder_free(builder);
	arena_release(&arena);
	free(text);
	return 0;
}
