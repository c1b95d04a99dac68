/* lines - read logs of runsc, gVisor's sniffer, strace, perf and libcudest, in all formats or only one */
#include "lib/fuzz.h"

#include "decode/decode.h"

#include <stdlib.h>
#include <string.h>

/* The same devices as in src/extract/profiles/nvidia-use.json. */
static const struct device_rule device_list[] = {
	{ .path = "/dev/nvidiactl", .family = "frontend" }, { .path = "/dev/nvidia#", .family = "frontend" },
	{ .path = "/dev/nvidia-uvm", .family = "uvm" }, { .path = "/dev/nvidia-modeset", .family = "modeset" },
	{ .path = "/dev/dri/card#", .family = "drm" }, { .path = "/dev/dri/renderD#", .family = "drm" },
};
static const struct device_rules devices = { .rules = device_list, .count = sizeof(device_list) / sizeof(*device_list) };

/* struct found - the number of calls that a reader found, and a hash of them */
struct found {
	size_t count;
	uint64_t sum;
};

static void add(struct found *found, uint64_t value)
{
	found->sum = (found->sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
}

static void add_bytes(struct found *found, const uint8_t *bytes, uint64_t size_bytes)
{
	for (uint64_t i = 0; bytes && i < size_bytes; i++)
		add(found, bytes[i]);
}

static int use(void *data, const struct decode_input *call, struct err *err)
{
	struct found *found = data;

	(void)err;
	MUST(call->family && *call->family);
	MUST(call->number <= UINT32_MAX);
	MUST(call->has_size || (!call->before && !call->bytes));
	found->count++;
	add(found, call->number);
	add(found, (uint64_t)call->ret * call->has_ret);
	add_bytes(found, call->before, call->size_bytes);
	add_bytes(found, call->bytes, call->size_bytes);
	for (size_t i = 0; i < call->memory_count; i++) {
		add_bytes(found, call->memory[i].before.bytes, call->memory[i].before.size_bytes);
		add_bytes(found, call->memory[i].after.bytes, call->memory[i].after.size_bytes);
	}
	return 0;
}

/* read_all - read a log, with each line in its own allocation. @skips: skip lines without calls */
static struct found read_all(const char *format, const char *text, size_t size, bool skips)
{
	struct found found = { .count = 0 };
	const struct decode_sink sink = { .found = use, .data = &found };
	struct decode_lines *lines = decode_lines_new(format, &devices, &sink);

	for (size_t at = 0; at < size;) {
		const size_t skipped = skips ? decode_lines_skip(lines, text + at, size - at) : 0;
		const char *end;
		size_t length;
		char *line;

		MUST(skipped <= size - at && (!skipped || text[at + skipped - 1] == '\n'));
		at += skipped;
		end = memchr(text + at, '\n', size - at);
		length = end ? (size_t)(end - text) - at : size - at;
		line = malloc(length + !length);
		memcpy(line, text + at, length);
		MUST(!decode_lines_read(lines, line, length, NULL));
		free(line);
		at += length + (end != NULL);
	}
	MUST(!decode_lines_end(lines, NULL));
	decode_lines_free(lines);
	return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	const struct found every = read_all(NULL, text, size, false), skipped = read_all(NULL, text, size, true);

	MUST(every.count == skipped.count && every.sum == skipped.sum); /* skipped lines have no calls */
	for (size_t i = 0; decode_lines_format(i); i++)
		read_all(decode_lines_format(i), text, size, true);
	free(text);
	return 0;
}
