/*
 * 1. Only a line with one of a few words is looked at; runs of others are skipped by one search for each word.
 * 2. runsc's log names a number in words: "control command 0x…", "uvm ioctl 29".
 * 3. The sniffer and the several straces have a request, whose fields say which ioctl it is.
 */
#include "decode/decode.h"

#include <string.h>

/* Text that is still to be read; not NUL-terminated. */
struct rest {
	const char *at, *end;
};

/* skip_past - moves behind the first @word. Return: false if there is none. */
static bool skip_past(struct rest *rest, const char *word)
{
	const size_t length = strlen(word);
	const char *found = memmem(rest->at, (size_t)(rest->end - rest->at), word, length);

	if (!found)
		return false;
	rest->at = found + length;
	return true;
}

static bool skip_word(struct rest *rest, const char *word)
{
	const size_t length = strlen(word);

	if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, word, length))
		return false;
	rest->at += length;
	return true;
}

static void skip_any(struct rest *rest, const char *chars)
{
	while (rest->at < rest->end && *rest->at && strchr(chars, *rest->at))
		rest->at++;
}

static int digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'f')
		return ch - 'a' + 10;
	return ch >= 'A' && ch <= 'F' ? ch - 'A' + 10 : 16;
}

/* "42" or "0x2a"; false for what does not fit 64 bits, too. */
static bool read_number(uint64_t *out, struct rest *rest)
{
	const int base = skip_word(rest, "0x") ? 16 : 10;
	const char *first = rest->at;
	uint64_t value = 0;

	for (; rest->at < rest->end && digit(*rest->at) < base; rest->at++)
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit(*rest->at), &value))
			return false;
	*out = value;
	return rest->at > first;
}

/* The number behind the first @word. */
static bool number_after(uint64_t *out, struct rest rest, const char *word)
{
	return skip_past(&rest, word) && read_number(out, &rest);
}

static bool signed_after(int64_t *out, struct rest rest, const char *word)
{
	bool negative;
	uint64_t value;

	if (!skip_past(&rest, word))
		return false;
	negative = skip_word(&rest, "-");
	if (!read_number(&value, &rest) || value > INT64_MAX)
		return false;
	*out = negative ? -(int64_t)value : (int64_t)value;
	return true;
}

/* --- runsc's log -------------------------------------------------------------------------- */

static bool read_runsc(struct decode_line *out, struct rest line)
{
	static const struct {
		const char *words, *family;
	} wordings[] = {
		{ "control command ", "control" },
		{ "frontend ioctl ", "frontend" },
		{ "frontend ioctl: nr = ", "frontend" },
		{ "uvm ioctl ", "uvm" },
		{ "allocation class ", "alloc" },
		{ "NV_ESC_RM_ALLOC_MEMORY class ", "alloc" },
	};
	struct decode_line found = { .family = NULL };

	for (size_t i = 0; i < sizeof(wordings) / sizeof(*wordings) && !found.family; i++)
		if (number_after(&found.number, line, wordings[i].words))
			found.family = wordings[i].family;
	if (!found.family || found.number > UINT32_MAX)
		return false;
	found.has_size = number_after(&found.size_bytes, line, "paramsSize=") || number_after(&found.size_bytes, line, "argSize=") ||
			 number_after(&found.size_bytes, line, "argSize = ");
	*out = found;
	return true;
}

/* --- requests ------------------------------------------------------------------------------- */

/* What a request says; @family: of the device, NULL if it is not known. */
static bool read_request(struct decode_line *out, const char *family, uint64_t request)
{
	struct decode_line found = { .family = NULL };

	found.family = call_identify(&found.number, family, request);
	if (!found.family)
		return false;
	if (!strcmp(found.family, "frontend")) {
		found.size_bytes = call_split(request).size_bytes;
		found.has_size = found.size_bytes > 0;
	}
	*out = found;
	return true;
}

/* "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20810110] => ret=0 status=0x56" */
static bool read_sniffer(struct decode_line *out, struct rest line)
{
	struct rest before = line;
	const char *family = NULL;
	uint64_t request;

	if (!number_after(&request, line, " ioctl: request="))
		return false;
	if (number_after(&out->number, line, "[nr=NV_ESC_RM_CONTROL, cmd="))
		*out = (struct decode_line){ .family = "control", .number = out->number };
	else if (number_after(&out->number, line, "[nr=NV_ESC_RM_ALLOC, hClass="))
		*out = (struct decode_line){ .family = "alloc", .number = out->number };
	else {
		if (skip_past(&before, "UVM ioctl:"))
			family = "uvm";
		if (!read_request(out, family, request))
			return false;
	}
	out->has_ret = signed_after(&out->ret, line, "ret=");
	out->has_status = number_after(&out->status, line, "status=");
	return true;
}

/* --- strace, and runsc's ---------------------------------------------------------------------- */

/* "_IOC(_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20)", behind the parenthesis */
static bool read_ioc(uint64_t *out, struct rest *rest)
{
	uint64_t field[3], request = 0;

	for (;;) {
		if (skip_word(rest, "_IOC_READ"))
			request |= UINT64_C(2) << 30;
		else if (skip_word(rest, "_IOC_WRITE"))
			request |= UINT64_C(1) << 30;
		else if (!skip_word(rest, "_IOC_NONE"))
			return false;
		if (!skip_word(rest, "|"))
			break;
	}
	for (size_t i = 0; i < 3; i++)
		if (!skip_word(rest, ", ") || !read_number(&field[i], rest) || field[i] > 0x3fff)
			return false;
	if (field[0] > 0xff || field[1] > 0xff)
		return false;
	*out = request | field[2] << 16 | field[0] << 8 | field[1];
	return true;
}

/* UVM's first two numbers are those of two ioctls of file systems, which strace knows by name. */
static bool read_strace_request(uint64_t *out, struct rest *rest, const char *family)
{
	const bool is_uvm = family && !strcmp(family, "uvm");

	if (skip_word(rest, "_IOC("))
		return read_ioc(out, rest);
	if (is_uvm && skip_word(rest, "FIBMAP")) {
		*out = 1;
		return true;
	}
	if (is_uvm && skip_word(rest, "FIGETBSZ")) {
		*out = 2;
		return true;
	}
	return read_number(out, rest);
}

/* The path behind a descriptor: "3</dev/nvidiactl<char 195:255>>" or "0x3 /dev/nvidiactl"; "" if there is none. */
static void read_path(char path[64], struct rest *rest)
{
	size_t length = 0;

	path[0] = '\0';
	skip_any(rest, "< ");
	if (rest->at >= rest->end || *rest->at != '/')
		return;
	for (; rest->at < rest->end && !strchr("<>, ", *rest->at); rest->at++)
		if (length < 63)
			path[length++] = *rest->at;
	path[length] = '\0';
}

static bool read_strace(struct decode_line *out, struct rest line)
{
	const char *family;
	uint64_t fd, request;
	char path[64];

	if (!skip_past(&line, "ioctl(") || !read_number(&fd, &line))
		return false;
	read_path(path, &line);
	family = call_family_of_path(path);
	if (*path && !family)
		return false; /* of another device */
	if (!skip_past(&line, ", ") || !read_strace_request(&request, &line, family) || !read_request(out, family, request))
		return false;
	out->has_ret = signed_after(&out->ret, line, ") = ");
	return true;
}

/* What every line that names an ioctl has, one of them. */
static const char *const hints[] = { "ioctl", "command 0x", "class 0x" };

enum { SKIP_BYTES = 4096 }; /* what is behind a hint is searched again: not too much at once */

/* The first hint in @text; NULL: there is none. */
static const char *find_hint(const char *text, size_t length)
{
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++) {
		const char *found = memmem(text, length, hints[i], strlen(hints[i]));

		if (found)
			length = (size_t)(found - text); /* only one that is before it is of interest now */
		first = found ? found : first;
	}
	return first;
}

size_t decode_lines_skip(const char *lines, size_t length)
{
	const char *hint, *end;

	if (length > SKIP_BYTES)
		length = SKIP_BYTES;
	hint = find_hint(lines, length);
	end = memrchr(lines, '\n', hint ? (size_t)(hint - lines) : length);
	return end ? (size_t)(end + 1 - lines) : 0;
}

bool decode_line_read(struct decode_line *out, const char *text, size_t length)
{
	const struct rest line = { text, text + length };
	struct decode_line found = { .family = NULL };

	if (!find_hint(text, length))
		return false;
	if (!read_sniffer(&found, line) && !read_strace(&found, line) && !read_runsc(&found, line))
		return false;
	*out = found;
	return true;
}
