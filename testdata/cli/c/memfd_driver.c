/*
 * memfd_driver.c - a library that a program is linked with: the devices are memory files whose name drvabi knows, and pretend.c answers
 *
 * A preloaded library stands before it, and sees what libc's ioctl() would see. Built with testdata/sniff/pretend.c and calls.c.
 */
#include "../../sniff/workload.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct options options = { .log = -1, .pretend = true };

static const char *device_of(const char *path)
{
	static const char *const devices[] = { "/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-uvm" };

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		if (!strcmp(path, devices[i]))
			return devices[i];
	return NULL;
}

int open(const char *path, int flags, ...)
{
	int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	const char *device = device_of(path);
	char name[64];
	va_list list;
	int mode;

	va_start(list, flags);
	mode = va_arg(list, int);
	va_end(list);
	if (!device)
		return real(path, flags, mode);
	snprintf(name, sizeof(name), "drvabi:%s", device);
	return memfd_create(name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
}

int ioctl(int fd, unsigned long request, ...)
{
	static const char mark[] = "/memfd:drvabi:";
	struct call call = { .device = { fd, NULL }, .request = request };
	char link[64], path[128] = "";
	va_list list;

	va_start(list, request);
	call.argument = va_arg(list, void *);
	va_end(list);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, path, sizeof(path) - 1) < 0 || strncmp(path, mark, strlen(mark)) != 0) {
		errno = ENOTTY;
		return -1;
	}
	path[strcspn(path, " ")] = '\0';
	call.device.path = device_of(path + strlen(mark));
	return pretend(&call);
}
