/* suppress - read suppression files, and apply them to findings of the demo driver */
#include "lib/fuzz.h"

#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

static void check(const struct suppressions *read)
{
	for (size_t i = 0; i < read->count; i++) {
		MUST(read->item[i].line > (i ? read->item[i - 1].line : 0));
		MUST(*read->item[i].entry && *read->item[i].reason);
		MUST(read->item[i].first && read->item[i].last);
		MUST(!read->item[i].expires || read->item[i].expires % 100);
		MUST(!read->item[i].used);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct suppressions read = { 0 };
	struct arena arena = { 0 };
	struct err err = { "" };
	struct table_view view;

	if (suppressions_parse(&read, text, "s", 20260101, NULL, &arena, &err)) {
		MUST(!strncmp(err.text, "s:", 2));
	} else {
		check(&read);
		table_view_at(&view, fuzz_demo_table(), &fuzz_demo_table()->nodes[0], &arena);
		fuzz_verify(fuzz_demo_abi(), &view, text);
	}
	arena_release(&arena);
	free(text);
	return 0;
}
