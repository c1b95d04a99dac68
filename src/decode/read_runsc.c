/*
 * gVisor's log:
 *
 * 1. nvproxy's words, which name a number: "nvproxy: unknown control command 0x20803801 (paramsSize=1928)". Where it logs
 *    all, "nvproxy: control command 0x20803801, object 0x5c000002" stands before.
 * 2. runsc's strace: "[   1:   1] python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe51113480) = 0 (0x0) (21.883µs)". The
 *    same line with E instead of X and without result stands where the call begins.
 * 3. "NVIDIA driver version: 535.129.03", which Register() in pkg/sentry/devices/nvproxy/nvproxy.go writes before any call.
 */
#include "decode/call.h"
#include "decode/lines_internal.h"

#include <string.h>

/* "[   1:  17]" before the name of the program: numbers of the process and the thread inside the sandbox. */
static uint64_t read_thread(struct rest before)
{
	uint64_t process, thread;

	while (rest_skip_past(&before, "[")) {
		struct rest at = before;

		rest_skip_any(&at, " ");
		if (!rest_number(&process, &at) || !rest_skip_word(&at, ":"))
			continue;
		rest_skip_any(&at, " ");
		if (rest_number(&thread, &at) && rest_skip_word(&at, "]"))
			return process << 32 | (thread & UINT32_MAX);
	}
	return 0;
}

static const struct {
	const char *words, *family, *within;
} wordings[] = {
	{ "control command ", "control", NULL },
	{ "frontend ioctl ", "frontend", NULL },
	{ "frontend ioctl: nr = ", "frontend", NULL },
	{ "uvm ioctl ", "uvm", NULL },
	{ "allocation class ", "alloc", NULL },
	{ "NV_ESC_RM_ALLOC_MEMORY class ", "alloc", "NV_ESC_RM_ALLOC_MEMORY" },
	{ "NV_ESC_RM_ALLOC_CONTEXT_DMA2 class ", "alloc", "NV_ESC_RM_ALLOC_CONTEXT_DMA2" },
};

/* @before: set to what stands before the words */
static bool find_words(struct decode_line *out, struct rest *before, struct rest line)
{
	for (size_t i = 0; i < sizeof(wordings) / sizeof(*wordings); i++) {
		struct rest at = line;

		if (!rest_skip_past(&at, wordings[i].words))
			continue;
		*before = (struct rest){ line.at, at.at - strlen(wordings[i].words) };
		out->family = wordings[i].family;
		out->within = wordings[i].within;
		if (rest_number(&out->number, &at))
			return out->number <= UINT32_MAX;
	}
	return false;
}

static bool ends_with(struct rest text, const char *word)
{
	const size_t length = strlen(word);

	return rest_length(&text) >= length && !memcmp(text.end - length, word, length);
}

/* A class that is written over another one is of a call that a message has told of before. */
static bool read_words(struct decode_reading *out, struct rest line)
{
	struct decode_line found = { .family = NULL };
	struct rest before;

	if (!find_words(&found, &before, line) || ends_with(before, "overwriting "))
		return false;
	found.has_size = rest_number_after(&found.size_bytes, line, "paramsSize=") ||
			 rest_number_after(&found.size_bytes, line, "argSize=") || rest_number_after(&found.size_bytes, line, "argSize = ");
	*out = (struct decode_reading){ .kind = ends_with(before, "nvproxy: ") ? READING_NOTICE : READING_CALL, .is_message = true,
					.thread = read_thread(before), .line = found };
	return true;
}

static bool read_strace(struct decode_reading *out, struct rest line)
{
	struct rest at = line;
	char path[DECODE_PATH_BYTES];
	const char *call, *family;
	uint64_t fd, request;

	if (!rest_find_call(&at, &call) || !rest_number(&fd, &at) || !rest_skip_word(&at, " /"))
		return false;
	at.at--;
	decode_read_path(path, &at, ", ");
	family = call_family_of_path(out->devices, path);
	if (!family || !rest_skip_past(&at, ", ") || !rest_number(&request, &at) || !decode_read_request(&out->line, family, request))
		return false;
	decode_read_result(&out->line, at);
	out->kind = !out->line.has_ret && call - line.at >= 3 && !memcmp(call - 3, " E ", 3) ? READING_BEGIN : READING_RETURN;
	out->thread = read_thread((struct rest){ line.at, call });
	return true;
}

bool decode_read_version(char version[DECODE_VERSION_BYTES], struct rest line)
{
	size_t length = 0;

	if (!rest_skip_past(&line, "NVIDIA driver version: "))
		return false;
	while (length < rest_length(&line) && (line.at[length] == '.' || (line.at[length] >= '0' && line.at[length] <= '9')))
		length++;
	if (!length || length >= DECODE_VERSION_BYTES || !memchr(line.at, '.', length))
		return false;
	memcpy(version, line.at, length);
	version[length] = '\0';
	return true;
}

bool decode_read_runsc(struct decode_reading *out, struct rest line)
{
	return read_strace(out, line) || read_words(out, line);
}
