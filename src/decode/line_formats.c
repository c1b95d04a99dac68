/*
 * decode/line_formats.c - reads a line of each kind of log: runsc, gVisor's ioctl_sniffer, strace, perf trace
 *
 * 1. All formats read their tokens with rest_scan() and rest_find().
 * 2. A struct call_form describes the lines in which one tracer writes an ioctl().
 * 3. The messages of nvproxy and those of the ioctl_sniffer are each read by a function.
 * 4. line_formats has the call_form and the function of each format. Dumps are read in dumps.c.
 */
#include "decode/internal.h"

#include <sys/sysmacros.h>

/* --- tokens ----------------------------------------------------------------------------------------- */

bool rest_skip_word(struct rest *rest, const char *word)
{
	const size_t length = strlen(word);

	if (rest_length(rest) < length || memcmp(rest->at, word, length))
		return false;
	rest->at += length;
	return true;
}

void rest_skip_any(struct rest *rest, const char *chars)
{
	while (rest->at < rest->end && *rest->at && strchr(chars, *rest->at))
		rest->at++;
}

int rest_digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'f')
		return ch - 'a' + 10;
	return ch >= 'A' && ch <= 'F' ? ch - 'A' + 10 : 16;
}

/* Reads digits of @base. Return: false if there are none or over 64 bits, and @rest can have moved then. */
static bool read_digits(uint64_t *out, struct rest *rest, int base)
{
	const char *first = rest->at;
	uint64_t value = 0;

	for (; rest->at < rest->end && rest_digit(*rest->at) < base; rest->at++)
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)rest_digit(*rest->at), &value))
			return false;
	*out = value;
	return rest->at > first;
}

/* Reads "42" or "0x2a". "1,928" is not a number, because its first digits are not its value. */
static bool rest_number(uint64_t *out, struct rest *rest)
{
	return read_digits(out, rest, rest_skip_word(rest, "0x") ? 16 : 10) &&
	       !(rest_length(rest) > 1 && *rest->at == ',' && rest_digit(rest->at[1]) < 10);
}

bool rest_hex(uint64_t *out, struct rest *rest)
{
	return read_digits(out, rest, 16);
}

static bool scan_signed(int64_t *out, struct rest *rest)
{
	const bool negative = rest_skip_word(rest, "-");
	uint64_t value;

	if (!rest_number(&value, rest) || value > INT64_MAX)
		return false;
	*out = negative ? -(int64_t)value : (int64_t)value;
	return true;
}

/* Reads @form from the start: %n a number, %d one with a sign, %x hexadecimal; any other % skips spaces. */
static bool scan_form(struct rest *rest, const char *form, va_list values)
{
	struct rest at = *rest;
	bool is_read = true;

	for (; *form && is_read; form++) {
		if (*form != '%')
			is_read = at.at < at.end && *at.at++ == *form;
		else if (*++form == 'n')
			is_read = rest_number(va_arg(values, uint64_t *), &at);
		else if (*form == 'd')
			is_read = scan_signed(va_arg(values, int64_t *), &at);
		else if (*form == 'x')
			is_read = rest_hex(va_arg(values, uint64_t *), &at);
		else
			rest_skip_any(&at, " ");
	}
	if (is_read)
		*rest = at;
	return is_read;
}

bool rest_scan(struct rest *rest, const char *form, ...)
{
	va_list values;
	bool is_read;

	va_start(values, form);
	is_read = scan_form(rest, form, values);
	va_end(values);
	return is_read;
}

/* Does the work of rest_find(). @form begins with the text that is searched for. */
static const char *find_form(struct rest *rest, const char *form, va_list values)
{
	const char *first = strchrnul(form, '%'), *found;
	const size_t length = (size_t)(first - form);
	struct rest at = *rest;
	bool is_read = false;

	while (!is_read && (found = find_text(at.at, at.end, form, length))) {
		va_list again;

		at.at = found + length;
		va_copy(again, values);
		is_read = scan_form(&at, first, again);
		va_end(again);
	}
	if (is_read)
		*rest = at;
	return is_read ? found : NULL;
}

const char *rest_find(struct rest *rest, const char *form, ...)
{
	const char *found;
	va_list values;

	va_start(values, form);
	found = find_form(rest, form, values);
	va_end(values);
	return found;
}

bool rest_has(struct rest rest, const char *form, ...)
{
	const char *found;
	va_list values;

	va_start(values, form);
	found = find_form(&rest, form, values);
	va_end(values);
	return found;
}

static bool is_word_char(char ch)
{
	return (ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
	       ch == '_' || ch == '"';
}

const char *rest_find_call(struct rest *rest)
{
	static const char word[] = "ioctl", dots[] = "<... ";
	const char *const first = rest->at, *call;

	while ((call = find_text(rest->at, rest->end, word, strlen(word)))) {
		rest->at = call + strlen(word);
		if (rest_length(rest) && *rest->at == '(' && (call == first || !is_word_char(call[-1])))
			return call;
		if (call - first >= (ptrdiff_t)strlen(dots) &&
		    !memcmp(call - strlen(dots), dots, strlen(dots)))
			return call - strlen(dots);
	}
	return NULL;
}

/* --- parts that all formats use: requests, results of calls, paths of devices ------------------------ */

enum { FIELD_MAX = 0x3fff, BYTE_MAX = 0xff };

/*
 * Sets @out to a request's ioctl and the size of its parameters. @family: the device's; NULL if unknown.
 * Return: false if the request is not one of the driver's.
 */
static bool read_request_of(struct decode_input *out, const char *family, uint64_t request)
{
	struct decode_input found = { .family = NULL };

	found.family = call_identify(&found.number, family, request);
	if (!found.family)
		return false;
	found.size_bytes = call_request_size(found.family, request);
	found.has_size = found.size_bytes > 0;
	*out = found;
	return true;
}

/*
 * Reads the request of "READ|WRITE, 0x46, 0x2a, 0x20)", also with _IOC_ before READ, WRITE and NONE. Return:
 * false if the text has another form; @rest can have moved then.
 */
static bool read_ioc(uint64_t *out, struct rest *rest)
{
	uint64_t field[3], request = 0;

	do {
		rest_skip_word(rest, "_IOC_");
		if (rest_skip_word(rest, "READ"))
			request |= UINT64_C(2) << 30;
		else if (rest_skip_word(rest, "WRITE"))
			request |= UINT64_C(1) << 30;
		else if (!rest_skip_word(rest, "NONE"))
			return false;
	} while (rest_skip_word(rest, "|"));
	for (size_t i = 0; i < 3; i++)
		if (!rest_scan(rest, ", %n", &field[i]) || field[i] > FIELD_MAX)
			return false;
	if (field[0] > BYTE_MAX || field[1] > BYTE_MAX)
		return false;
	*out = request | field[2] << 16 | field[0] << 8 | field[1];
	return true;
}

/* ERRNO_MAX is the kernel's MAX_ERRNO. The last number with a name is EHWPOISON of asm-generic/errno.h. */
enum { ERRNO_MAX = 4095, ERRNO_NAMED_MAX = 133 };

/* Returns the error @name, "EINVAL", of Linux; 0 if it has no such error. x86_64 and arm64 have the same. */
static int errno_of(struct rest name)
{
	for (int error = 1; error <= ERRNO_NAMED_MAX; error++) {
		struct rest at = name;
		const char *own = strerrorname_np(error);

		if (own && rest_skip_word(&at, own) && !rest_length(&at))
			return error;
	}
	return 0;
}

/*
 * Sets has_ret, ret and error to the call's result and errno after ") = ": "-1 ENOTTY (...)" or "-1 errno=25
 * (...)". has_ret is false if there is no result, and error is 0 if it is unknown.
 */
static void read_call_result(struct decode_input *out, struct rest rest)
{
	uint64_t error;

	out->error = 0;
	out->has_ret = rest_find(&rest, ")%_= %d", &out->ret);
	if (!out->has_ret || out->ret >= 0)
		return;
	rest_skip_any(&rest, " ");
	if (rest_scan(&rest, "errno=%n", &error)) {
		out->error = error <= ERRNO_MAX ? (int)error : 0;
	} else {
		const char *name = rest.at;

		rest_skip_any(&rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
		out->error = errno_of((struct rest){ name, rest.at });
	}
}

/* Reads one character of a path, which strace -xx prints as "\x2f". */
static char read_unescaped(struct rest *rest)
{
	const char *at = rest->at;

	if (rest_length(rest) >= 4 && at[0] == '\\' && at[1] == 'x' && rest_digit(at[2]) < 16 &&
	    rest_digit(at[3]) < 16) {
		rest->at += 4;
		return (char)(rest_digit(at[2]) << 4 | rest_digit(at[3]));
	}
	rest->at++;
	return *at;
}

enum { FS_REQUEST_MAX = 2 }; /* FIGETBSZ; the one before it is FIBMAP */

/* The file of a call, as the line shows it. */
struct call_file {
	const char *family;     /* NULL if the line has no path, or the file's ioctls are unknown */
	struct rest path;       /* with escapes; @at is NULL if the line has no path */
	bool is_drivers;        /* true if the file is a device of the driver */
	bool may_be_drivers;    /* false if the path or the number belongs to another kind of file */
};

enum { PATH_BYTES = 4096, MAJOR_MAX = 0xfff, MINOR_MAX = 0xfffff }; /* PATH_MAX; and of the kernel's dev_t */

/*
 * Reads the path of a call's file up to one of the one or two characters @ends, and after it the device
 * number "<char 195:255>" of strace -yy, and finds whether the file is a device of the driver.
 */
static void parse_fd_path(struct call_file *out, const struct device_rules *devices, struct rest *rest,
			  const char *ends)
{
	const struct device_rule *rule;
	char path[PATH_BYTES];
	uint64_t major = 0, minor = 0;
	size_t length = 0;

	*out = (struct call_file){ .path.at = rest->at };
	while (rest->at < rest->end && *rest->at && *rest->at != ends[0] && *rest->at != ends[1]) {
		const char ch = read_unescaped(rest);

		if (length < PATH_BYTES - 1)
			path[length++] = ch;
	}
	path[length] = '\0';
	out->path.end = rest->at;
	if (rest_scan(rest, "<char %n:%n>", &major, &minor) && (major > MAJOR_MAX || minor > MINOR_MAX))
		major = minor = 0;
	device_cut_deleted(path);
	rule = device_rule_shown(devices, path, makedev((unsigned)major, (unsigned)minor));
	out->is_drivers = rule;
	out->family = rule && *rule->family ? rule->family : NULL;
	out->may_be_drivers =
		*path == '/' && (!major || device_is_dynamic(major)) && !rest_skip_word(rest, "<block ");
}

/*
 * Sets @out to LOGGED_UNREAD for a request that is not decoded, because the ioctls of its file are not known:
 * the file is another device of the driver, or may be one. Return: false if the request is not one of the
 * driver's. Those of frontend, modeset and drm have a size; UVM's type is also that of requests of
 * file systems (FIBMAP, FIGETBSZ).
 */
static bool note_unread_call(struct decode_logged_call *out, const struct call_file *file, uint64_t request)
{
	uint64_t number;
	const char *family = call_identify(&number, NULL, request);
	const bool is_like = family && (strcmp(family, "uvm") ? abi_ioc_get(request, ABI_IOC_SIZE) > 0
							      : request > FS_REQUEST_MAX);

	if (file->is_drivers ? !device_may_answer((uint32_t)request) : !file->may_be_drivers || !is_like)
		return false;
	out->kind = LOGGED_UNREAD;
	out->path = file->path;
	out->is_drivers = file->is_drivers;
	return true;
}

/*
 * The form of a tracer's line for an ioctl(). The line has the call, the descriptor, its path (or not), the
 * request and the result, in this order.
 */
struct call_form {
	const char *resumed;      /* the text before the result of a call that began in an earlier line; or
				     NULL */
	const char *begun[2];     /* texts after the request of a call that has not returned */
	const char *before_begun; /* the text before a call that has not returned, which another line repeats
				     when it returns; or NULL */
	const char *path_begin;   /* the text between the descriptor and its path */
	const char *path_ends;    /* the one or two characters that can be after the path */
	bool always_has_path;
	bool omits_fd_0;          /* true if the descriptor 0 is not printed */
	uint64_t (*thread)(struct rest before); /* returns the call's thread; 0 if it is unknown */
	bool (*request)(uint64_t *out, struct rest *rest, const char *family);
};

/*
 * Reads the descriptor, its path if the line has one, and the text up to the request: "3</dev/nvidiactl>, ".
 * Return: false if the text is invalid.
 */
static bool read_call_file(struct call_file *out, const struct call_form *form,
			   const struct device_rules *devices, struct rest *rest)
{
	uint64_t fd;

	if (form->omits_fd_0 && !rest_skip_word(rest, "fd: ") &&
	    (!rest_length(rest) || rest_digit(*rest->at) > 9))
		return true;
	if (!rest_number(&fd, rest))
		return false;
	if (!rest_skip_word(rest, form->path_begin))
		return !form->always_has_path && rest_skip_word(rest, ", ");
	parse_fd_path(out, devices, rest, form->path_ends);
	return rest_find(rest, ", ");
}

/*
 * strace finds the name of a request by its number only, so it prints some requests with the names of other
 * drivers' ioctls. Of the requests of all 193 releases, strace 6.1 (-X verbose) printed those in this table
 * by name, and all others as _IOC(). testdata/cli/5210-decode-strace.t repeats this with two releases.
 */
static const struct {
	const char *name;
	const char *family; /* the family of the driver's request */
	uint32_t request;
} names[] = {
	{ "DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE", "drm", 0xc0206454 },
	{ "DRM_IOCTL_AMDGPU_VM", "drm", 0xc0086453 },
	{ "DRM_IOCTL_I810_GETAGE", "drm", 0x6444 },
	{ "DRM_IOCTL_I915_GEM_PIN", "drm", 0xc0186455 },
	{ "DRM_IOCTL_MGA_INDICES", "drm", 0x40106446 },
	{ "DRM_IOCTL_NOUVEAU_SVM_INIT", "drm", 0xc0106448 },
	{ "DRM_IOCTL_PANFROST_CREATE_BO", "drm", 0xc0186442 },
	{ "DRM_IOCTL_QXL_ALLOC", "drm", 0xc0086440 },
	{ "DRM_IOCTL_R128_CCE_IDLE", "drm", 0x6444 },
	{ "DRM_IOCTL_RADEON_CP_IDLE", "drm", 0x6444 },
	{ "DRM_IOCTL_SIS_AGP_ALLOC", "drm", 0xc0206454 },
	{ "DRM_IOCTL_TEGRA_CHANNEL_CLOSE", "drm", 0xc0086451 },
	{ "DRM_IOCTL_TEGRA_CHANNEL_UNMAP", "drm", 0xc0086453 },
	{ "DRM_IOCTL_TEGRA_GEM_GET_TILING", "drm", 0xc010644b },
	{ "DRM_IOCTL_TEGRA_GEM_SET_TILING", "drm", 0xc010644a },
	{ "DRM_IOCTL_V3D_PERFMON_GET_VALUES", "drm", 0xc010644a },
	{ "DRM_IOCTL_VC4_GEM_MADVISE", "drm", 0xc010644b },
	{ "DRM_IOCTL_VC4_LABEL_BO", "drm", 0xc010644a },
	{ "DRM_IOCTL_VC4_SET_TILING", "drm", 0xc0106448 },
	{ "DRM_IOCTL_VIA_WAIT_IRQ", "drm", 0xc018644d },
	{ "DRM_IOCTL_VIRTGPU_CONTEXT_INIT", "drm", 0xc010644b },
	{ "DRM_IOCTL_VIRTGPU_GET_CAPS", "drm", 0xc0186449 },
	{ "FIBMAP", "uvm", 1 },
	{ "FIGETBSZ", "uvm", 2 },
};

/*
 * Reads a request that strace printed as "NAME" or "NAME or NAME". Return: false if @family is NULL
 * (unknown), or if no request of @family has one of the names.
 */
static bool strace_name_read(uint64_t *out, struct rest *rest, const char *family)
{
	bool is_found = false;

	if (!family)
		return false;
	do {
		const struct rest name = *rest;
		size_t length;

		rest_skip_any(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
		length = (size_t)(rest->at - name.at);
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (strlen(names[i].name) == length && !memcmp(names[i].name, name.at, length) &&
			    !strcmp(names[i].family, family)) {
				*out = names[i].request;
				is_found = true;
			}
	} while (rest_skip_word(rest, " or "));
	return is_found;
}

/*
 * gVisor's log:
 *
 * 1. nvproxy's messages with a number: "nvproxy: unknown control command 0x20803801 (paramsSize=1928)". A
 *    log with debug messages has the line "nvproxy: control command 0x20803801, object 0x5c000002" before it.
 *    The line "nvproxy: VID_HEAP_CONTROL function 2" has the field "function" of NV_ESC_RM_VID_HEAP_CONTROL.
 * 2. runsc's strace: "[   1:   1] python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe51113480) = 0 (0x0)
 *    (21.883µs)". The line where the call begins is the same, with E instead of X and without a result.
 * 3. "NVIDIA driver version: 535.129.03", which Register() in pkg/sentry/devices/nvproxy/nvproxy.go writes
 *    before any call.
 */

/* Reads "[   1:  17]" before the program's name: the process id and the thread id in the sandbox. */
static uint64_t read_runsc_thread(struct rest before)
{
	uint64_t process, thread;

	return rest_find(&before, "[%_%n:%_%n]", &process, &thread) ? process << 32 | (thread & UINT32_MAX)
								    : 0;
}

static const struct {
	const char *words, *family, *allocated_by;
	const char *field; /* the field whose value is %n; NULL if %n is the ioctl's number */
	uint64_t number;   /* if field is set, the ioctl's number, from nv_escape.h */
} wordings[] = {
	{ "VID_HEAP_CONTROL function %n", "frontend", NULL, "function", 0x4a },
	{ "control command %n", "control", NULL, NULL, 0 },
	{ "frontend ioctl %n", "frontend", NULL, NULL, 0 },
	{ "frontend ioctl: nr = %n", "frontend", NULL, NULL, 0 },
	{ "uvm ioctl %n", "uvm", NULL, NULL, 0 },
	{ "allocation class %n", "alloc", NULL, NULL, 0 },
	{ "NV_ESC_RM_ALLOC_MEMORY class %n", "alloc", "NV_ESC_RM_ALLOC_MEMORY", NULL, 0 },
	{ "NV_ESC_RM_ALLOC_CONTEXT_DMA2 class %n", "alloc", "NV_ESC_RM_ALLOC_CONTEXT_DMA2", NULL, 0 },
};

/*
 * Sets @out to the ioctl that the words of nvproxy in @line name, and @before to the text before these words.
 * Return: false if there are none, or if the number has more than 32 bits.
 */
static bool find_words(struct decode_input *out, struct rest *before, struct rest line)
{
	for (size_t i = 0; i < sizeof(wordings) / sizeof(*wordings); i++) {
		struct rest at = line;
		uint64_t value;

		if (!(before->end = rest_find(&at, wordings[i].words, &value)))
			continue;
		before->at = line.at;
		out->family = wordings[i].family;
		out->allocated_by = wordings[i].allocated_by;
		out->field = wordings[i].field;
		out->number = out->field ? wordings[i].number : value;
		out->value = out->field ? value : 0;
		return value <= UINT32_MAX;
	}
	return false;
}

static bool ends_with(struct rest text, const char *word)
{
	const size_t length = strlen(word);

	return rest_length(&text) >= length && !memcmp(text.end - length, word, length);
}

/*
 * Reads the ioctl in a message of nvproxy. Return: false if the line has no such message. A message
 * "overwriting allocation class" is skipped, because an earlier message reported its call. A line with
 * "ioctl(" has no message of nvproxy; testing this first quickly rejects most lines of tracers.
 */
static bool read_runsc_words(struct decode_logged_call *out, struct rest line)
{
	struct decode_input found = { .family = NULL };
	struct rest before;

	if (find_text(line.at, line.end, "ioctl(", strlen("ioctl(")) || !find_words(&found, &before, line) ||
	    ends_with(before, "overwriting "))
		return false;
	found.has_size = rest_has(line, "paramsSize=%n", &found.size_bytes) ||
			 rest_has(line, "argSize%_=%_%n", &found.size_bytes);
	*out = (struct decode_logged_call){ .kind = ends_with(before, "nvproxy: ") ? LOGGED_NOTICE
									       : LOGGED_CALL,
					.is_message = true,
					.thread = read_runsc_thread(before),
					.line = found };
	return true;
}

static bool read_hex_number(uint64_t *out, struct rest *rest, const char *family)
{
	(void)family;
	return rest_number(out, rest);
}

static const struct call_form runsc_call = { .before_begun = " E ",
					     .path_begin = " ",
					     .path_ends = ", ",
					     .always_has_path = true,
					     .thread = read_runsc_thread,
					     .request = read_hex_number };

/*
 * Reads the text of gVisor's ioctl_sniffer: "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL,
 * cmd=0x20810110] => ret=0 status=0x56". For an unknown device, it prints the path: "Unknown ioctl:
 * path=/dev/nvidia-modeset request=0xc0106d00 [nr=0x0] => ret=0". Return: false if the line does not have an
 * ioctl that may be the driver's.
 */
static bool read_sniffer(struct decode_logged_call *out, struct rest line)
{
	struct decode_input found = { .family = NULL };
	struct call_file file = { .family = NULL };
	struct rest at = line, path = line;
	uint64_t request;

	if (!rest_find(&at, " ioctl: ") || !rest_find(&at, "request=%n", &request))
		return false;
	if (rest_has(line, "UVM ioctl:"))
		file.family = "uvm";
	if (rest_find(&path, " ioctl: path="))
		parse_fd_path(&file, out->devices, &path, " ");
	if (file.path.at && !file.family)
		return note_unread_call(out, &file, request);
	if (rest_has(line, "[nr=NV_ESC_RM_CONTROL, cmd=%n", &found.number))
		found.family = "control";
	else if (rest_has(line, "[nr=NV_ESC_RM_ALLOC, hClass=%n", &found.number))
		found.family = "alloc";
	else if (!read_request_of(&found, file.family, request))
		return false;
	if (found.number > UINT32_MAX)
		return false;
	found.has_ret = rest_has(line, "ret=%d", &found.ret);
	found.has_status = rest_has(line, "status=%n", &found.status);
	*out = (struct decode_logged_call){ .kind = LOGGED_CALL, .line = found };
	return true;
}

/*
 * The lines of strace, with all its options:
 *
 *     ioctl(3, _IOC(_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20), 0x7ffc19671e20) = 0
 *     ioctl(3, FIBMAP, 0x7ffc19671e20)        = 0              a name; '=' is aligned
 *     ioctl(3</dev/nvidiactl<char 195:255>>, 0xc020462a, 0x…) = 0             -yy -X raw
 *     ioctl(3</dev/nvidia-uvm>, 0x1 /+ FIBMAP +/, 0x…) = 0     -y -X verbose, which has asterisks, not +
 *     ioctl(3<\x2f\x64\x65\x76\x2f…>, …                                       -xx
 *     [pid 16540] 16:09:48.21 ioctl(3, …) = 0 <0.000055>                      -f -tt -T
 *     16540<app> ioctl(3, 0xc020462a <unfinished ...>                         -f -Y -o
 *     16540<app> <... ioctl resumed>, 0x7f3884845eb0) = 0
 *
 * strace prints some requests with the name of a different ioctl.
 */

enum { PID_MAX = 1 << 22 }; /* the kernel's limit; a larger number is a time in seconds */

/*
 * Reads "[pid 1234] ", or the number at the start of a line with -o. Return: 0 if the line has neither. A
 * time is not accepted: it has a '.' or a ':' after its first number.
 */
static uint64_t read_strace_thread(struct rest before)
{
	uint64_t pid;

	rest_find(&before, "[pid%_");
	return rest_number(&pid, &before) && pid <= PID_MAX && rest_length(&before) &&
			       strchr(" ]<", *before.at)
		       ? pid
		       : 0;
}

/* Reads a request: "_IOC(...)", a name that strace took from another driver's request, or a number. */
static bool read_strace_request(uint64_t *out, struct rest *rest, const char *family)
{
	struct rest name = *rest;

	if (rest_skip_word(rest, "_IOC("))
		return read_ioc(out, rest);
	if (!strace_name_read(out, &name, family))
		return rest_number(out, rest);
	*rest = name;
	return true;
}

/* A line of a different thread, or a message of strace itself, can interrupt a call. */
static const struct call_form strace_call = { .resumed = "<... ioctl resumed>",
					      .begun = { "<unfinished ...>", "strace: Process " },
					      .path_begin = "<",
					      .path_ends = "<>",
					      .thread = read_strace_thread,
					      .request = read_strace_request };

/*
 * The lines of perf trace:
 *
 *     0.000 ( 0.035 ms): app/21091 ioctl(fd: 3</dev/nvidiactl>, cmd: (READ|WRITE, 0x46, 0x2a, 0x20), arg:
 *     0x7f3c85785010) = 0
 *    11.187 (         ): app/16626 ioctl(fd: 3, cmd: (READ|WRITE, 0x46, 0x2d, 0x20), arg: 0x7f233d712eb0) ...
 *    11.187 ( 0.022 ms): app/16626  ... [continued]: ioctl())         = -1 ENOTTY (Inappropriate ioctl for
 *    device)
 *
 * trace.show_prefix prints _IOC_READ, trace.show_arg_names=no omits fd: and cmd:, and a descriptor 0 is not
 * printed. Requests of type 'd' are printed with the names of other drivers and without their size, so those
 * of nvidia-drm are not recognized.
 */

/* Reads "app/21091 " before the call. Return: 0 if perf traces only one thread and does not print it. */
static uint64_t read_perf_thread(struct rest before)
{
	const char *first = before.at;
	uint64_t thread;

	while (before.end > first && before.end[-1] == ' ')
		before.end--;
	for (before.at = before.end; before.at > first && rest_digit(before.at[-1]) < 10;)
		before.at--;
	return rest_number(&thread, &before) ? thread : 0;
}

static bool read_perf_request(uint64_t *out, struct rest *rest, const char *family)
{
	const bool is_named = rest_skip_word(rest, "cmd: ");

	(void)family;
	return rest_skip_word(rest, "(") ? read_ioc(out, rest) : is_named && rest_number(out, rest);
}

static const struct call_form perf_call = { .resumed = "... [continued]: ioctl(",
					    .begun = { ") ...", ") ..." },
					    .path_begin = "<",
					    .path_ends = ">",
					    .omits_fd_0 = true,
					    .thread = read_perf_thread,
					    .request = read_perf_request };

/* --- the table ------------------------------------------------------------------------------------- */

const struct line_format line_formats[FORMAT_COUNT] = {
	[FORMAT_SNIFFER] = { "sniffer", read_sniffer, NULL },
	[FORMAT_RUNSC] = { "runsc", read_runsc_words, &runsc_call },
	[FORMAT_STRACE] = { "strace", NULL, &strace_call },
	[FORMAT_PERF] = { "perf", NULL, &perf_call },
	[FORMAT_LIBCUDEST] = { "libcudest", NULL, NULL }, /* its dumps of several lines are read in dumps.c */
};

/*
 * Reads a call from a line with the functions of @form, which read the call's file, request and thread. Sets
 * the kind: whether the line has a whole call, its start, its result, or a call that is not decoded. Return:
 * false if the line has no call that may be the driver's.
 */
static bool read_call(struct decode_logged_call *out, const struct call_form *form, struct rest line)
{
	struct rest at = line;
	struct call_file file = { .family = NULL };
	const char *call;
	uint64_t request;

	if (form->resumed && (call = rest_find(&at, form->resumed))) {
		out->kind = LOGGED_RESUME;
	} else {
		if (!(call = rest_find_call(&at)) || !rest_skip_word(&at, "(") ||
		    !read_call_file(&file, form, out->devices, &at) ||
		    !form->request(&request, &at, file.family))
			return false;
		if (file.path.at && !file.family)
			return note_unread_call(out, &file, request);
		if (!read_request_of(&out->line, file.family, request))
			return false;
		out->kind = form->before_begun ? LOGGED_RETURN : LOGGED_CALL;
	}
	read_call_result(&out->line, at);
	if (out->kind != LOGGED_RESUME && !out->line.has_ret &&
	    (form->before_begun ? ends_with((struct rest){ line.at, call }, form->before_begun)
				: rest_has(at, form->begun[0]) || rest_has(at, form->begun[1])))
		out->kind = LOGGED_BEGIN;
	out->thread = form->thread((struct rest){ line.at, call });
	return true;
}

bool line_read(struct decode_logged_call *out, size_t format, const struct device_rules *devices,
	       struct rest line)
{
	const struct line_format *by = &line_formats[format];

	*out = (struct decode_logged_call){ .kind = LOGGED_CALL, .devices = devices };
	return (by->call && read_call(out, by->call, line)) || (by->read_words && by->read_words(out, line));
}
