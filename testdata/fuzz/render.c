/* render - write a name as each external field, in each output format, and check that it is escaped */
#include "lib/fuzz.h"

#include "abi/internal.h"
#include "report/outputs_test.h"

#include <stdlib.h>

enum { NAME_MAX_BYTES = 96 }; /* an output contains the name hundreds of times */

static void check(const struct output *output, const char *name)
{
	struct strbuf out = { 0 };
	struct err err;

	output_render(&out, output, name);
	if (output->is_json)
		MUST_SAY(!json_scan(out.text, out.length, output->name, NULL, &err), &err);
	MUST_SAY(!output_check_text(&out, output, &err), &err);
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *name;

	if (!size || !*data || size > NAME_MAX_BYTES) /* an empty field is left out by design */
		return 0;
	name = fuzz_text(data, size);
	for (size_t i = 0; i < OUTPUT_COUNT; i++)
		check(&outputs[i], name);
	free(name);
	return 0;
}
