/* cudest - read calls as libcudest's shim prints them, after arbitrary text */
#include "lib/fuzz.h"

#include "decode/decode.h"

#include <stdlib.h>
#include <string.h>

/* struct printed - the call that must be found next. @before is NULL while arbitrary text is read. */
struct printed {
	const uint8_t *before, *after;
	uint32_t size_bytes;
	size_t calls;
};

static int use(void *data, const struct decode_input *call, struct err *err)
{
	struct printed *printed = data;

	(void)err;
	printed->calls++;
	MUST(call->family && call->number <= UINT32_MAX);
	if (!printed->before)
		return 0;
	MUST(call->size_bytes == printed->size_bytes && call->before && call->bytes);
	MUST(!memcmp(call->before, printed->before, printed->size_bytes));
	MUST(!memcmp(call->bytes, printed->after, printed->size_bytes));
	return 0;
}

static void dump(struct strbuf *out, const uint8_t *bytes, uint32_t size_bytes)
{
	uint32_t at = 0;

	for (; at < size_bytes; at += 4) {
		uint32_t word = 0;

		for (uint32_t i = 0; i < 4 && at + i < size_bytes; i++)
			word |= (uint32_t)bytes[at + i] << 8 * i;
		if (at % 16 == 0 && at)
			strbuf_addf(out, "\033[1m0x%04x\t\t\t\t", at);
		strbuf_addf(out, "%s0x%08x \033[0m%s", word ? "\033[32m" : "", word, at % 16 == 12 ? "\n" : "");
	}
	if (at % 16)
		strbuf_adds(out, "\n");
}

static void print_call(struct strbuf *out, const struct printed *printed)
{
	strbuf_addf(out, "ioctl c8, %u-byte param, fd 3\t", printed->size_bytes);
	dump(out, printed->before, printed->size_bytes);
	strbuf_adds(out, "\033[1m\033[34mRESULT: 0\033[0m\t\t\t");
	dump(out, printed->after, printed->size_bytes);
	strbuf_adds(out, "\n");
}

static void read_text(struct decode_lines *lines, const char *text)
{
	for (const char *at = text; *at;) {
		const size_t length = strcspn(at, "\n");

		MUST(!decode_lines_read(lines, at, length, NULL));
		at += length + (at[length] == '\n');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct printed printed = { .before = NULL };
	const struct decode_sink sink = { .found = use, .data = &printed };
	struct decode_lines *lines = decode_lines_new(NULL, NULL, &sink);
	struct fuzz_choice choice = { data, size };
	const uint32_t bytes = 1 + fuzz_pick(&choice, 256);
	struct strbuf text = { 0 };
	char *input;

	/* First read arbitrary text, which leaves the reader in some state, then a call that must be found. */
	input = fuzz_text(choice.at, choice.left);
	read_text(lines, input);
	if (size >= 1 + 2 * (size_t)bytes) {
		MUST(!decode_lines_end(lines, NULL));
		printed = (struct printed){ .before = data + 1, .after = data + 1 + bytes, .size_bytes = bytes };
		print_call(&text, &printed);
		read_text(lines, text.text);
		MUST(printed.calls == 1);
	}
	decode_lines_free(lines);
	strbuf_release(&text);
	free(input);
	return 0;
}
