/* hexdump - read bytes as printed by hexdump, od and xxd, and as hexadecimal digits */
#include "lib/fuzz.h"

#include "decode/decode.h"

#include <stdlib.h>
#include <string.h>

static void read_with(const char *format, const char *text)
{
	struct strbuf out = { 0 };
	struct err err = { "" };

	strbuf_adds(&out, "before");
	if (hex_read(&out, text, format, &err)) {
		fuzz_sentence(&err);
		MUST(out.length == 6);
	}
	MUST(!strncmp(out.text, "before", 6) && out.length <= 6 + HEX_BYTES_MAX);
	strbuf_release(&out);
}

/* print_again - print bytes in hexdump's format, and check that reading gives the same bytes */
static void print_again(const uint8_t *data, size_t size)
{
	struct strbuf text = { 0 }, out = { 0 };

	for (size_t at = 0; at < size; at += 16) {
		strbuf_addf(&text, "%07zx", at);
		for (size_t i = at; i < at + 16 && i < size; i += 2)
			strbuf_addf(&text, " %04x", data[i] | (i + 1 < size ? data[i + 1] << 8 : 0));
		strbuf_adds(&text, "\n");
	}
	strbuf_addf(&text, "%07zx\n", size);
	MUST(!hex_read(&out, text.text, NULL, NULL));
	MUST(out.length == size && !memcmp(out.text, data, size));
	strbuf_release(&text);
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	read_with("hexdump", text);
	read_with("xxd", text);
	read_with("hex", text);
	read_with(NULL, text);
	if (size)
		print_again(data, size);
	free(text);
	return 0;
}
