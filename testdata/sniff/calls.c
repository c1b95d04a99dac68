/* Make one call, and write its line to the log. */
#include "workload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* --- bytes -------------------------------------------------------------------------- */

/* struct bytes - a copy of memory of this process; @size_bytes is the number of bytes that could be read */
struct bytes {
	uint8_t *bytes;
	size_t size_bytes;
};

/* Read one page at a time: the kernel can reject a whole range if its last page is not mapped. */
size_t readable(void *out, const void *address, size_t size_bytes)
{
	const size_t page = 4096;
	size_t done = 0;

	while (done < size_bytes) {
		const uintptr_t at = (uintptr_t)address + done;
		const size_t left = size_bytes - done, here = page - at % page;
		struct iovec local = { (uint8_t *)out + done, left < here ? left : here };
		struct iovec remote = { (void *)at, local.iov_len };

		if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != (ssize_t)local.iov_len)
			break;
		done += local.iov_len;
	}
	return done;
}

static struct bytes bytes_now(const void *address, size_t size_bytes)
{
	struct bytes bytes = { malloc(size_bytes + 1), 0 };

	bytes.size_bytes = readable(bytes.bytes, address, size_bytes);
	return bytes;
}

/* --- the log ------------------------------------------------------------------------ */

struct line {
	char *text;
	size_t length, capacity;
};

static void room(struct line *line, size_t size)
{
	if (line->length + size + 1 > line->capacity) {
		line->capacity = 2 * (line->length + size + 1);
		line->text = realloc(line->text, line->capacity);
	}
}

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
	va_list arguments;

	room(line, 512);
	va_start(arguments, format);
	line->length += (size_t)vsnprintf(line->text + line->length, 512, format, arguments);
	va_end(arguments);
}

/* add_bytes - write bytes as hexadecimal text, or null if none of the @wanted bytes could be read */
static void add_bytes(struct line *line, const char *name, const struct bytes *bytes, size_t wanted)
{
	static const char digits[] = "0123456789abcdef";

	if (!bytes->size_bytes && wanted) {
		add(line, ", \"%s\": null", name);
		return;
	}
	add(line, ", \"%s\": \"", name);
	room(line, 2 * bytes->size_bytes + 1);
	for (size_t i = 0; i < bytes->size_bytes; i++) {
		line->text[line->length++] = digits[bytes->bytes[i] >> 4];
		line->text[line->length++] = digits[bytes->bytes[i] & 15];
	}
	add(line, "\"");
}

/* begin - begin a line with the kind, process, thread and device of the call */
static struct line begin(const char *kind, struct device device)
{
	struct line line = { 0 };

	add(&line, "{\"kind\": \"%s\", \"pid\": %d, \"tid\": %ld, \"fd_path\": \"%s\", \"fd\": %d", kind, (int)getpid(), syscall(SYS_gettid),
	    device.path, device.fd);
	return line;
}

/* end - write the line to the log in one write(), so that lines of several processes do not mix */
static void end(struct line *line)
{
	add(line, "}\n");
	if (write(options.log, line->text, line->length) != (ssize_t)line->length) {
		perror("workload: the log");
		_exit(3);
	}
	free(line->text);
}

/* --- opening and mapping ------------------------------------------------------------- */

struct device device_open(const char *path, int flags)
{
	const int fd = open(options.pretend ? "/dev/null" : path, flags | O_CLOEXEC);
	const struct device device = { fd, path };
	struct line line;

	if (fd < 0) {
		fprintf(stderr, "workload: %s: %s\n", path, strerror(errno));
		_exit(2);
	}
	line = begin("open", device);
	add(&line, ", \"ret\": %d, \"error\": 0, \"open_flags\": %d", fd, flags | O_CLOEXEC);
	end(&line);
	return device;
}

void *device_map(struct device device, size_t size_bytes, long offset)
{
	const int anonymous = options.pretend ? MAP_ANONYMOUS : 0;
	void *address = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | anonymous, options.pretend ? -1 : device.fd, offset);
	const bool failed = address == MAP_FAILED;
	struct line line = begin("mmap", device);

	add(&line, ", \"ret\": %d, \"error\": %d, \"argument\": %llu, \"map_size\": %zu, \"map_protection\": %d, \"map_flags\": %d, \"map_offset\": %ld",
	    failed ? -1 : 0, failed ? errno : 0, failed ? 0ULL : (unsigned long long)(uintptr_t)address, size_bytes, PROT_READ | PROT_WRITE,
	    MAP_SHARED, offset);
	end(&line);
	return address;
}

/* --- calls --------------------------------------------------------------------------- */

static int answer(const struct call *call)
{
	if (options.pretend)
		return pretend(call);
	if (options.raw)
		return (int)syscall(SYS_ioctl, call->device.fd, call->request, call->argument);
	return ioctl(call->device.fd, call->request, call->argument);
}

static void add_descriptors(struct line *line, const struct call *call)
{
	add(line, ", \"fds\": [");
	for (size_t i = 0; i < call->descriptor_count; i++)
		add(line, "%s{\"number\": %d, \"path\": \"%s\"}", i ? ", " : "", call->descriptors[i].number, call->descriptors[i].path);
	add(line, "]");
}

int call_make(const struct call *call)
{
	struct bytes before = bytes_now(call->argument, call->size_bytes), after;
	struct bytes then[MEMORY_MAX];
	struct line line;
	int ret, error;

	for (size_t i = 0; i < call->memory_count; i++)
		then[i] = bytes_now(call->memory[i].address, call->memory[i].size_bytes);
	ret = answer(call);
	error = ret < 0 ? errno : 0;
	after = bytes_now(call->argument, call->size_bytes);

	line = begin("ioctl", call->device);
	add(&line, ", \"request\": %lu, \"argument\": %llu, \"ret\": %d, \"error\": %d", call->request,
	    (unsigned long long)(uintptr_t)call->argument, ret, error);
	add_bytes(&line, "before", &before, call->size_bytes);
	add_bytes(&line, "after", &after, call->size_bytes);
	add(&line, ", \"memory\": [");
	for (size_t i = 0; i < call->memory_count; i++) {
		const struct memory *memory = &call->memory[i];
		struct bytes now = bytes_now(memory->address, memory->size_bytes);

		add(&line, "%s{\"address\": %llu, \"size\": %zu", i ? ", " : "", (unsigned long long)(uintptr_t)memory->address, memory->size_bytes);
		add_bytes(&line, "before", &then[i], memory->size_bytes);
		add_bytes(&line, "after", &now, memory->size_bytes);
		add(&line, "}");
		free(then[i].bytes);
		free(now.bytes);
	}
	add(&line, "]");
	add_descriptors(&line, call);
	end(&line);
	free(before.bytes);
	free(after.bytes);
	errno = error;
	return ret;
}
