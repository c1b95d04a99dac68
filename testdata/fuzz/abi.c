/* abi - read documents as JSON, in drvabi's and driver_ast_parser's formats, and run all passes on them */
#include "lib/fuzz.h"

#include <stdlib.h>

static void use(const struct abi *abi, struct fuzz_choice *choice, struct arena *arena)
{
	struct table_view view;
	struct abi next;

	fuzz_round_trip(abi);
	fuzz_pack_trip(abi);
	fuzz_flatten_all(abi);
	fuzz_show_all(abi);
	fuzz_diff(abi, abi, NULL);
	fuzz_next_version(&next, abi, choice, arena);
	table_view_at(&view, fuzz_demo_table(), &fuzz_demo_table()->nodes[0], arena);
	fuzz_diff(abi, &next, &view);
	fuzz_diff(abi, fuzz_demo_abi(), NULL);
	fuzz_verify(abi, &view, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_choice choice = { data, size };
	char *text = fuzz_text(data, size);
	struct arena arena = { 0 };
	struct err err = { "" };
	struct abi abi;

	if (json_read_abi(&abi, text, size, "abi.json", &arena, &err))
		fuzz_sentence(&err);
	else
		use(&abi, &choice, &arena);
	arena_release(&arena);
	free(text);
	return 0;
}
