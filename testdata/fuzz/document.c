/* document - run the passes, without the readers, on two versions generated from the input */
#include "lib/fuzz.h"

/* use - run one of four groups of passes. Running one group per input allows more inputs in the same time. */
static void use(const struct abi *base, const struct abi *next, const struct table_view *view, unsigned group)
{
	switch (group) {
	case 0:
		fuzz_pack_trip(base);
		fuzz_flatten_all(base);
		break;
	case 1:
		fuzz_show_all(next);
		fuzz_diff(base, base, NULL);
		break;
	case 2:
		fuzz_diff(base, next, view);
		break;
	case 3:
		fuzz_diff(next, base, NULL);
		fuzz_verify(next, view, NULL);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_choice choice = { data, size };
	unsigned group = fuzz_pick(&choice, 4);
	struct arena arena = { 0 };
	struct table_view view;
	struct abi base, next;

	fuzz_document(&base, &choice, &arena);
	fuzz_next_version(&next, &base, &choice, &arena);
	table_view_at(&view, fuzz_demo_table(), &fuzz_demo_table()->nodes[0], &arena);
	use(&base, &next, &view, group);
	arena_release(&arena);
	return 0;
}
