/*
 * strace, in all that its options make of a line:
 *
 *     ioctl(3, _IOC(_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20), 0x7ffc19671e20) = 0
 *     ioctl(3, FIBMAP, 0x7ffc19671e20)        = 0                               a name, and the '=' aligned
 *     ioctl(3</dev/nvidiactl<char 195:255>>, 0xc020462a, 0x…) = 0               -yy -X raw
 *     ioctl(3</dev/nvidia-uvm>, 0x1 /+ FIBMAP +/, 0x…) = 0                      -y -X verbose, with asterisks for the +
 *     ioctl(3<\x2f\x64\x65\x76\x2f…>, …                                         -xx
 *     [pid 16540] 16:09:48.21 ioctl(3, …) = 0 <0.000055>                        -f -tt -T
 *     16540<app> ioctl(3, 0xc020462a <unfinished ...>                           -f -Y -o
 *     16540<app> <... ioctl resumed>, 0x7f3884845eb0) = 0
 *
 * Some requests have the names of other ioctls (strace_names.h).
 */
#include "decode/call.h"
#include "decode/lines_internal.h"
#include "decode/strace_names.h"

#include <string.h>

enum { PID_MAX = 1 << 22 }; /* the kernel's; what is larger is a time in seconds */

/* "[pid 1234] ", or the number that a line of -o begins with; 0: neither. Times have a '.' or a ':' behind the first number. */
static uint64_t read_pid(struct rest line, const char *before)
{
	uint64_t pid;

	line.end = before;
	if (rest_skip_past(&line, "[pid"))
		rest_skip_any(&line, " ");
	if (!rest_number(&pid, &line) || pid > PID_MAX)
		return 0;
	return rest_length(&line) && strchr(" ]<", *line.at) ? pid : 0;
}

static bool read_request(uint64_t *out, struct rest *rest, const char *family)
{
	struct rest name = *rest;

	if (rest_skip_word(rest, "_IOC("))
		return decode_read_ioc(out, rest, "_IOC_");
	if (!strace_name_read(out, &name, family))
		return rest_number(out, rest);
	*rest = name;
	return true;
}

/* Between the descriptor and the request. Return: false if it is a file that is no device of the driver. */
static bool read_device(const char **family, const struct device_rules *devices, struct rest *rest)
{
	char path[DECODE_PATH_BYTES];

	*family = NULL;
	if (!rest_skip_word(rest, "<"))
		return rest_skip_word(rest, ", ");
	decode_read_path(path, rest, "<>");
	*family = call_family_of_path(devices, path);
	return *family && rest_skip_past(rest, ", ");
}

/* A call that another thread's line, or strace's own message, interrupted. */
static bool is_unfinished(struct rest rest)
{
	struct rest message = rest;

	return rest_skip_past(&rest, "<unfinished ...>") || rest_skip_past(&message, "strace: Process ");
}

static bool read_resumed(struct decode_reading *out, struct rest line)
{
	static const char words[] = "<... ioctl resumed>";
	struct rest at = line;

	if (!rest_skip_past(&at, words))
		return false;
	*out = (struct decode_reading){ .kind = READING_RESUME, .thread = read_pid(line, at.at - strlen(words)) };
	decode_read_result(&out->line, at);
	return true;
}

bool decode_read_strace(struct decode_reading *out, struct rest line)
{
	struct rest at = line;
	const char *call, *family;
	uint64_t fd, request;

	if (read_resumed(out, line))
		return true;
	if (!rest_find_call(&at, &call) || !rest_number(&fd, &at) || !read_device(&family, out->devices, &at) ||
	    !read_request(&request, &at, family) || !decode_read_request(&out->line, family, request))
		return false;
	decode_read_result(&out->line, at);
	out->kind = !out->line.has_ret && is_unfinished(at) ? READING_BEGIN : READING_CALL;
	out->thread = read_pid(line, call);
	return true;
}
