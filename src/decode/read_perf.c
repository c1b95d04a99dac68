/*
 * perf trace:
 *
 *     0.000 ( 0.035 ms): app/21091 ioctl(fd: 3</dev/nvidiactl>, cmd: (READ|WRITE, 0x46, 0x2a, 0x20), arg: 0x7f3c85785010) = 0
 *    11.187 (         ): app/16626 ioctl(fd: 3, cmd: (READ|WRITE, 0x46, 0x2d, 0x20), arg: 0x7f233d712eb0) ...
 *    11.187 ( 0.022 ms): app/16626  ... [continued]: ioctl())         = -1 ENOTTY (Inappropriate ioctl for device)
 *
 * trace.show_prefix writes _IOC_READ, trace.show_arg_names=no leaves out fd:
 * and cmd:, and a descriptor 0 is not printed. Requests of type 'd' have the names of other drivers, without their size: those of
 * nvidia-drm cannot be told.
 */
#include "decode/call.h"
#include "decode/lines_internal.h"

/* "app/21091 " before the call; 0 where perf traces one thread, and does not name it. */
static uint64_t read_thread(struct rest line, const char *before)
{
	const char *at = before;
	uint64_t thread;

	while (at > line.at && at[-1] == ' ')
		at--;
	line.end = at;
	while (at > line.at && rest_digit(at[-1]) < 10)
		at--;
	line.at = at;
	return rest_number(&thread, &line) ? thread : 0;
}

static bool read_continued(struct decode_reading *out, struct rest line)
{
	static const char words[] = "... [continued]: ioctl(";
	struct rest at = line;

	if (!rest_skip_past(&at, words))
		return false;
	*out = (struct decode_reading){ .kind = READING_RESUME, .thread = read_thread(line, at.at - (sizeof(words) - 1)) };
	decode_read_result(&out->line, at);
	return true;
}

/* Return: false if it is a file that is no device of the driver, or what follows is not perf's. */
static bool read_device(const char **family, const struct device_rules *devices, struct rest *rest)
{
	char path[DECODE_PATH_BYTES];
	uint64_t fd;

	*family = NULL;
	if (!rest_skip_word(rest, "fd: ") && (!rest_length(rest) || rest_digit(*rest->at) > 9))
		return true;
	if (!rest_number(&fd, rest))
		return false;
	if (rest_skip_word(rest, "<")) {
		decode_read_path(path, rest, ">");
		*family = call_family_of_path(devices, path);
		if (!*family || !rest_skip_word(rest, ">"))
			return false;
	}
	return rest_skip_word(rest, ", ");
}

static bool read_request(uint64_t *out, struct rest *rest)
{
	const bool is_named = rest_skip_word(rest, "cmd: ");
	struct rest words;

	if (!rest_skip_word(rest, "("))
		return is_named && rest_number(out, rest);
	words = *rest;
	return decode_read_ioc(out, rest, "") || (*rest = words, decode_read_ioc(out, rest, "_IOC_"));
}

bool decode_read_perf(struct decode_reading *out, struct rest line)
{
	struct rest at = line;
	const char *call, *family;
	uint64_t request;

	if (read_continued(out, line))
		return true;
	if (!rest_find_call(&at, &call) || !read_device(&family, out->devices, &at) || !read_request(&request, &at) ||
	    !decode_read_request(&out->line, family, request))
		return false;
	decode_read_result(&out->line, at);
	out->kind = !out->line.has_ret && rest_skip_past(&at, ") ...") ? READING_BEGIN : READING_CALL;
	out->thread = read_thread(line, call);
	return true;
}
