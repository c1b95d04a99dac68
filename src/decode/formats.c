/*
 * decode/formats.c - the lines of each kind of log: runsc, gVisor's ioctl_sniffer, strace, perf trace,
 * libcudest
 */
/*
 * strace names a request by its number alone. All requests of all 193 releases, given to strace 6.1 (-X
 * verbose), gave these names; every other one it prints as _IOC(). testdata/cli/5210-decode-strace.t does so
 * with two releases.
 */
#include "decode/decode.h"
#include "decode/internal.h"

#include <string.h>

static const struct {
	const char *name;
	const char *family; /* whose request it is */
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

static size_t name_length(const struct rest *rest)
{
	const char *at = rest->at;

	while (at < rest->end && ((*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || *at == '_'))
		at++;
	return (size_t)(at - rest->at);
}

static bool find_name(uint64_t *out, const char *name, size_t length, const char *family)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i].name) == length && !memcmp(names[i].name, name, length) &&
		    !strcmp(names[i].family, family)) {
			*out = names[i].request;
			return true;
		}
	return false;
}

/**
 * strace_name_read - the request that strace printed as "FIBMAP", or as "NAME or NAME"
 * @family: of the device, without which a name is what it says; NULL: it is not known
 *
 * Return: false if there is no name, or it is that of no request of this driver.
 */
static bool strace_name_read(uint64_t *out, struct rest *rest, const char *family)
{
	bool is_found = false;

	if (!family)
		return false;
	do {
		const size_t length = name_length(rest);

		is_found |= find_name(out, rest->at, length, family);
		rest->at += length;
	} while (rest_skip_word(rest, " or "));
	return is_found;
}

/*
 * gVisor's log:
 *
 * 1. nvproxy's words, which name a number: "nvproxy: unknown control command 0x20803801 (paramsSize=1928)".
 *    Where it logs all, "nvproxy: control command 0x20803801, object 0x5c000002" stands before. Which
 *    function of NV_ESC_RM_VID_HEAP_CONTROL a call is, "nvproxy: VID_HEAP_CONTROL function 2" says.
 * 2. runsc's strace: "[   1:   1] python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe51113480) = 0 (0x0)
 *    (21.883µs)". The same line with E instead of X and without result stands where the call begins.
 * 3. "NVIDIA driver version: 535.129.03", which Register() in pkg/sentry/devices/nvproxy/nvproxy.go writes
 *    before any call.
 */

/* "[   1:  17]" before the name of the program: numbers of the process and the thread inside the sandbox. */
static uint64_t read_runsc_thread(struct rest before)
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
	const char *field; /* whose value the words name; NULL: they name the ioctl's number */
	uint64_t number;   /* of the ioctl then: nv_escape.h */
} wordings[] = {
	{ "VID_HEAP_CONTROL function ", "frontend", NULL, "function", 0x4a },
	{ "control command ", "control", NULL, NULL, 0 },
	{ "frontend ioctl ", "frontend", NULL, NULL, 0 },
	{ "frontend ioctl: nr = ", "frontend", NULL, NULL, 0 },
	{ "uvm ioctl ", "uvm", NULL, NULL, 0 },
	{ "allocation class ", "alloc", NULL, NULL, 0 },
	{ "NV_ESC_RM_ALLOC_MEMORY class ", "alloc", "NV_ESC_RM_ALLOC_MEMORY", NULL, 0 },
	{ "NV_ESC_RM_ALLOC_CONTEXT_DMA2 class ", "alloc", "NV_ESC_RM_ALLOC_CONTEXT_DMA2", NULL, 0 },
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
		out->field = wordings[i].field;
		out->number = wordings[i].number;
		if (rest_number(out->field ? &out->value : &out->number, &at))
			return (out->field ? out->value : out->number) <= UINT32_MAX;
	}
	return false;
}

static bool ends_with(struct rest text, const char *word)
{
	const size_t length = strlen(word);

	return rest_length(&text) >= length && !memcmp(text.end - length, word, length);
}

/* A class that is written over another one is of a call that a message has told of before. */
static bool read_runsc_words(struct decode_reading *out, struct rest line)
{
	struct decode_line found = { .family = NULL };
	struct rest before;

	if (!find_words(&found, &before, line) || ends_with(before, "overwriting "))
		return false;
	found.has_size = rest_number_after(&found.size_bytes, line, "paramsSize=") ||
			 rest_number_after(&found.size_bytes, line, "argSize=") ||
			 rest_number_after(&found.size_bytes, line, "argSize = ");
	*out = (struct decode_reading){ .kind = ends_with(before, "nvproxy: ") ? READING_NOTICE : READING_CALL,
					.is_message = true,
					.thread = read_runsc_thread(before),
					.line = found };
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
	if (!family || !rest_skip_past(&at, ", ") || !rest_number(&request, &at) ||
	    !decode_read_request(&out->line, family, request))
		return false;
	decode_read_result(&out->line, at);
	out->kind = !out->line.has_ret && call - line.at >= 3 && !memcmp(call - 3, " E ", 3) ? READING_BEGIN
											     : READING_RETURN;
	out->thread = read_runsc_thread((struct rest){ line.at, call });
	return true;
}

bool decode_read_version(char version[DECODE_VERSION_BYTES], struct rest line)
{
	size_t length = 0;

	if (!rest_skip_past(&line, "NVIDIA driver version: "))
		return false;
	while (length < rest_length(&line) &&
	       (line.at[length] == '.' || (line.at[length] >= '0' && line.at[length] <= '9')))
		length++;
	if (!length || length >= DECODE_VERSION_BYTES || !memchr(line.at, '.', length))
		return false;
	memcpy(version, line.at, length);
	version[length] = '\0';
	return true;
}

bool decode_read_runsc(struct decode_reading *out, struct rest line)
{
	return read_strace(out, line) || read_runsc_words(out, line);
}

/*
 * The text of gVisor's ioctl_sniffer: "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL,
 * cmd=0x20810110] => ret=0 status=0x56". Of a device that it does not know it has the path: "Unknown ioctl:
 * path=/dev/nvidia-modeset request=0xc0106d00 [nr=0x0] => ret=0".
 */

/* Return: false if the line names a device that is none of the driver's. */
static bool read_sniffer_device(const char **family, const struct device_rules *devices, struct rest line)
{
	char path[DECODE_PATH_BYTES];
	struct rest uvm = line;

	*family = rest_skip_past(&uvm, "UVM ioctl:") ? "uvm" : NULL;
	if (!rest_skip_past(&line, " ioctl: path="))
		return true;
	decode_read_path(path, &line, " ");
	*family = call_family_of_path(devices, path);
	return *family;
}

bool decode_read_sniffer(struct decode_reading *out, struct rest line)
{
	struct decode_line found = { .family = NULL };
	const char *device;
	struct rest at = line;
	uint64_t request;

	if (!rest_skip_past(&at, " ioctl: ") || !rest_number_after(&request, at, "request=") ||
	    !read_sniffer_device(&device, out->devices, line))
		return false;
	if (rest_number_after(&found.number, line, "[nr=NV_ESC_RM_CONTROL, cmd="))
		found.family = "control";
	else if (rest_number_after(&found.number, line, "[nr=NV_ESC_RM_ALLOC, hClass="))
		found.family = "alloc";
	else if (!decode_read_request(&found, device, request))
		return false;
	if (found.number > UINT32_MAX)
		return false;
	found.has_ret = rest_signed_after(&found.ret, line, "ret=");
	found.has_status = rest_number_after(&found.status, line, "status=");
	*out = (struct decode_reading){ .kind = READING_CALL, .line = found };
	return true;
}

/*
 * strace, in all that its options make of a line:
 *
 *     ioctl(3, _IOC(_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20), 0x7ffc19671e20) = 0 ioctl(3, FIBMAP,
 *     0x7ffc19671e20)        = 0                               a name, and the '=' aligned
 *     ioctl(3</dev/nvidiactl<char 195:255>>, 0xc020462a, 0x…) = 0               -yy -X raw
 *     ioctl(3</dev/nvidia-uvm>, 0x1 /+ FIBMAP +/, 0x…) = 0                      -y -X verbose, with asterisks
 *     for the + ioctl(3<\x2f\x64\x65\x76\x2f…>, …                                         -xx [pid 16540]
 *     16:09:48.21 ioctl(3, …) = 0 <0.000055>                        -f -tt -T 16540<app> ioctl(3, 0xc020462a
 *     <unfinished ...>                           -f -Y -o 16540<app> <... ioctl resumed>, 0x7f3884845eb0) = 0
 *
 * Some requests have the names of other ioctls (strace_names.h).
 */

enum { PID_MAX = 1 << 22 }; /* the kernel's; what is larger is a time in seconds */

/*
 * "[pid 1234] ", or the number that a line of -o begins with; 0: neither. Times have a '.' or a ':' behind
 * the first number.
 */
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

static bool read_strace_request(uint64_t *out, struct rest *rest, const char *family)
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
static bool read_strace_device(const char **family, const struct device_rules *devices, struct rest *rest)
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
	*out = (struct decode_reading){ .kind = READING_RESUME,
					.thread = read_pid(line, at.at - strlen(words)) };
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
	if (!rest_find_call(&at, &call) || !rest_number(&fd, &at) ||
	    !read_strace_device(&family, out->devices, &at) || !read_strace_request(&request, &at, family) ||
	    !decode_read_request(&out->line, family, request))
		return false;
	decode_read_result(&out->line, at);
	out->kind = !out->line.has_ret && is_unfinished(at) ? READING_BEGIN : READING_CALL;
	out->thread = read_pid(line, call);
	return true;
}

/*
 * perf trace:
 *
 *     0.000 ( 0.035 ms): app/21091 ioctl(fd: 3</dev/nvidiactl>, cmd: (READ|WRITE, 0x46, 0x2a, 0x20), arg:
 *     0x7f3c85785010) = 0
 *    11.187 (         ): app/16626 ioctl(fd: 3, cmd: (READ|WRITE, 0x46, 0x2d, 0x20), arg: 0x7f233d712eb0) ...
 *    11.187 ( 0.022 ms): app/16626  ... [continued]: ioctl())         = -1 ENOTTY (Inappropriate ioctl for
 *    device)
 *
 * trace.show_prefix writes _IOC_READ, trace.show_arg_names=no leaves out fd: and cmd:, and a descriptor 0 is
 * not printed. Requests of type 'd' have the names of other drivers, without their size: those of nvidia-drm
 * cannot be told.
 */

/* "app/21091 " before the call; 0 where perf traces one thread, and does not name it. */
static uint64_t read_perf_thread(struct rest line, const char *before)
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
	*out = (struct decode_reading){ .kind = READING_RESUME,
					.thread = read_perf_thread(line, at.at - (sizeof(words) - 1)) };
	decode_read_result(&out->line, at);
	return true;
}

/* Return: false if it is a file that is no device of the driver, or what follows is not perf's. */
static bool read_perf_device(const char **family, const struct device_rules *devices, struct rest *rest)
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

static bool read_perf_request(uint64_t *out, struct rest *rest)
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
	if (!rest_find_call(&at, &call) || !read_perf_device(&family, out->devices, &at) ||
	    !read_perf_request(&request, &at) || !decode_read_request(&out->line, family, request))
		return false;
	decode_read_result(&out->line, at);
	out->kind = !out->line.has_ret && rest_skip_past(&at, ") ...") ? READING_BEGIN : READING_CALL;
	out->thread = read_perf_thread(line, call);
	return true;
}

enum { PARAMS, TARGET, PARAMS_AFTER, TARGET_AFTER };
enum {
	WORD = 4,
	CONTROL = 0x2a,
	CONTROL_BYTES = 32,
	POINTER_AT = 16,
	LENGTH_AT = 24, /* the call that the shim follows, as it does */
	UVM_BYTES = 0x3000, /* what stands in UVM_INITIALIZE where other requests have a size */
	DUMP_BYTES_MAX = 1024 * 1024, /* RMAPI_PARAM_COPY_MAX_PARAMS_SIZE of the driver */
	FOREIGN_MAX = 16,
};

/* Blanks, tabs and escape sequences that colour what follows. */
static void skip_blank(struct rest *rest)
{
	for (;;) {
		struct rest sequence;

		rest_skip_any(rest, " \t\r");
		sequence = *rest;
		if (!rest_skip_word(&sequence, "\033["))
			return;
		rest_skip_any(&sequence, "0123456789;");
		if (!rest_skip_word(&sequence, "m"))
			return;
		*rest = sequence;
	}
}

static bool is_control(const struct cudest *cudest)
{
	return cudest->number == CONTROL && cudest->size_bytes == CONTROL_BYTES;
}

static uint64_t field(const struct cudest *cudest, size_t offset, size_t size)
{
	uint64_t value = 0;

	for (size_t i = size; i-- > 0;)
		value = value << 8 | (uint8_t)strbuf_text(&cudest->dumps[PARAMS].bytes)[offset + i];
	return value;
}

static bool is_whole(const struct cudest *cudest, size_t dump, uint64_t size_bytes)
{
	return !cudest->dumps[dump].is_broken && cudest->dumps[dump].bytes.length >= size_bytes;
}

/* How long what the parameters point to is. Return: false if there is nothing, or that is not known. */
static bool target_bytes(uint64_t *out, const struct cudest *cudest)
{
	if (!is_control(cudest) || !is_whole(cudest, PARAMS, CONTROL_BYTES))
		return false;
	*out = field(cudest, LENGTH_AT, 8);
	return *out <= DUMP_BYTES_MAX;
}

/* Words up to something else. */
static void read_cudest_words(struct cudest *cudest, struct rest *rest)
{
	struct cudest_dump *dump = &cudest->dumps[cudest->current];
	uint64_t word;

	for (;;) {
		struct rest next;

		skip_blank(rest);
		next = *rest;
		if (!rest_skip_word(&next, "0x") || !rest_hex(&word, &next) ||
		    next.at - rest->at != 2 + 2 * WORD)
			return;
		*rest = next;
		dump->is_broken |= dump->bytes.length >= DUMP_BYTES_MAX;
		for (size_t i = 0; i < WORD && !dump->is_broken; i++)
			strbuf_addch(&dump->bytes, (char)(word >> 8 * i));
	}
}

/* Words: the first ones of a dump, or further ones with their offset, "0x0010", before them. */
static bool read_cudest_row(struct cudest *cudest, struct rest *rest)
{
	struct cudest_dump *dump = &cudest->dumps[cudest->current];
	const char *first = rest->at;
	uint64_t offset;

	if (!dump->bytes.length)
		read_cudest_words(cudest, rest);
	if (rest->at > first && dump->bytes.length)
		return true;
	if (!rest_skip_word(rest, "0x") || !rest_hex(&offset, rest))
		return false;
	dump->is_broken |= offset != dump->bytes.length;
	read_cudest_words(cudest, rest);
	return true;
}

/* What is printed between dumps, or in place of the rest of one. */
static bool read_remark(struct cudest *cudest, struct rest *rest)
{
	struct cudest_dump *dump = &cudest->dumps[cudest->current];
	struct rest at = *rest;
	uint64_t ret;

	if (rest_skip_word(rest, "…") || rest_skip_word(rest, "..."))
		return dump->is_cut = true;
	if (rest_skip_word(rest, "LENGTH MODIFIED BY CALL!")) {
		at = *rest;
		skip_blank(&at);
		if (rest_skip_word(&at, "(ret: ") && rest_number(&ret, &at) && rest_skip_word(&at, ")"))
			*rest = at;
		return true;
	}
	rest_skip_any(&at, "*");
	if (!cudest->has_result || at.at == rest->at || !rest_skip_word(&at, "MODIFICATION FROM CALL"))
		return false;
	*rest = at;
	cudest->current = TARGET_AFTER;
	return true;
}

static bool read_result(struct cudest *cudest, struct rest *rest)
{
	if (cudest->has_result || !rest_skip_word(rest, "RESULT: ") || !rest_signed(&cudest->ret, rest))
		return false;
	cudest->has_result = true;
	cudest->current = PARAMS_AFTER;
	return true;
}

static bool read_method(struct cudest *cudest, struct rest *rest)
{
	uint64_t object, command;

	if (!rest_skip_word(rest, "GPU method 0x") || !rest_hex(&object, rest) ||
	    !rest_skip_word(rest, ":") || !rest_hex(&command, rest))
		return false;
	cudest->current = cudest->has_result ? TARGET_AFTER : TARGET;
	return true;
}

/* Has everything been printed that the shim prints of this call? */
static bool is_done(const struct cudest *cudest)
{
	uint64_t target;

	if (!cudest->has_result)
		return false;
	if (cudest->ret)
		return true;
	if (!is_whole(cudest, PARAMS_AFTER, cudest->size_bytes))
		return false;
	if (!is_control(cudest))
		return true;
	return cudest->current == TARGET_AFTER && target_bytes(&target, cudest) &&
	       is_whole(cudest, TARGET_AFTER, target);
}

bool cudest_begin(struct cudest *cudest, struct rest *line)
{
	uint64_t number, size_bytes, fd;
	bool begins = false;

	while (!begins && rest_skip_past(line, "ioctl ")) {
		struct rest at = *line;

		begins = rest_hex(&number, &at) && rest_skip_word(&at, ", ") && rest_number(&size_bytes, &at) &&
			 rest_skip_word(&at, "-byte param, fd ") && rest_number(&fd, &at) && number <= 0xff &&
			 size_bytes <= 0x3fff;
		if (begins)
			*line = at;
	}
	if (!begins)
		return false;
	for (size_t i = 0; i < CUDEST_DUMPS; i++) {
		strbuf_reset(&cudest->dumps[i].bytes);
		cudest->dumps[i].is_broken = cudest->dumps[i].is_cut = false;
	}
	cudest->is_open = true;
	cudest->number = number;
	cudest->size_bytes = size_bytes;
	cudest->has_result = false;
	cudest->current = PARAMS;
	cudest->foreign = 0;
	return true;
}

enum cudest_line cudest_line(struct cudest *cudest, struct rest *line)
{
	bool is_mine = false;

	skip_blank(line);
	if (!rest_length(line) && cudest->has_result)
		return CUDEST_DONE; /* the empty line that ends a call */
	for (; rest_length(line) && (read_method(cudest, line) || read_result(cudest, line) ||
				     read_remark(cudest, line) || read_cudest_row(cudest, line));
	     skip_blank(line))
		is_mine = true;
	if (is_done(cudest))
		return CUDEST_DONE;
	if (is_mine) {
		cudest->foreign = 0;
		return CUDEST_MORE;
	}
	return cudest->has_result || ++cudest->foreign > FOREIGN_MAX ? CUDEST_LOST : CUDEST_FOREIGN;
}

static const uint8_t *bytes_of(const struct cudest *cudest, size_t dump, uint64_t size_bytes)
{
	return is_whole(cudest, dump, size_bytes) ? (const uint8_t *)strbuf_text(&cudest->dumps[dump].bytes)
						  : NULL;
}

/* The bytes of @size_bytes that the text has, if it is whole or says itself that it leaves out the rest. */
static uint64_t known_bytes(const struct cudest *cudest, size_t dump, uint64_t size_bytes)
{
	const struct cudest_dump *from = &cudest->dumps[dump];

	if (is_whole(cudest, dump, size_bytes))
		return size_bytes;
	return from->is_cut && !from->is_broken ? from->bytes.length : 0;
}

bool cudest_end(struct decode_line *out, struct cudest *cudest)
{
	struct decode_line found = { .family = "frontend",
				     .number = cudest->number,
				     .has_size = true,
				     .size_bytes = cudest->size_bytes,
				     .has_ret = cudest->has_result,
				     .ret = cudest->ret };
	uint64_t target;

	cudest->is_open = false;
	if (!cudest->size_bytes)
		return false;
	if (cudest->size_bytes == UVM_BYTES) {
		*out = (struct decode_line){ .family = "uvm",
					     .number = (uint64_t)UVM_BYTES << 16 | cudest->number,
					     .has_ret = cudest->has_result,
					     .ret = cudest->ret };
		return true;
	}
	found.before = bytes_of(cudest, PARAMS, cudest->size_bytes);
	found.after = cudest->has_result && !cudest->ret ? bytes_of(cudest, PARAMS_AFTER, cudest->size_bytes)
							 : NULL;
	if (target_bytes(&target, cudest) && target) {
		const uint64_t known = known_bytes(cudest, TARGET, target);
		const uint64_t known_after = found.after ? known_bytes(cudest, TARGET_AFTER, target) : 0;

		target = known_after ? known_after : known ? known : target;
		found.blocks[found.block_count++] = (struct decode_block){
			.address = field(cudest, POINTER_AT, 8), .size_bytes = target,
			.before = bytes_of(cudest, TARGET, target),
			.after = known_after ? bytes_of(cudest, TARGET_AFTER, target) : NULL,
		};
	}
	*out = found;
	return true;
}

void cudest_release(struct cudest *cudest)
{
	for (size_t i = 0; i < CUDEST_DUMPS; i++)
		strbuf_release(&cudest->dumps[i].bytes);
}
