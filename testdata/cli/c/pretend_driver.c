/*
 * pretend_driver.c - LD_PRELOAD: the devices of the workload's pretended driver, for a program that talks to them by libc
 *
 * Built with testdata/sniff/pretend.c and calls.c. PRETEND_HANDLE=0x… is the first handle that the driver chooses;
 * PRETEND_FAULT=N changes a byte of the answer to the Nth call.
 */
#include "../../sniff/workload.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DESCRIPTORS = 1024 };

struct options options = { .log = -1, .pretend = true };

static const char *paths[DESCRIPTORS]; /* "/dev/nvidiactl" for what is one; else NULL */

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
	static int (*real)(const char *, int, ...);
	const char *device = device_of(path);
	int fd;

	if (!real)
		real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	fd = real(device ? "/dev/null" : path, flags, 0);
	if (fd >= 0 && fd < DESCRIPTORS)
		paths[fd] = device;
	return fd;
}

int dup3(int from, int to, int flags)
{
	static int (*real)(int, int, int);
	int fd;

	if (!real)
		real = (int (*)(int, int, int))dlsym(RTLD_NEXT, "dup3");
	fd = real(from, to, flags);
	if (fd >= 0 && fd < DESCRIPTORS)
		paths[fd] = paths[from];
	return fd;
}

/* The last byte of the argument is the least likely to be padding that nobody reads. */
static void spoil(void *argument, unsigned long request)
{
	static long number;
	const char *fault = getenv("PRETEND_FAULT");

	if (fault && ++number == atol(fault))
		((char *)argument)[_IOC_SIZE(request) - 1] ^= 1;
}

int ioctl(int fd, unsigned long request, ...)
{
	struct call call = { .device = { fd, fd >= 0 && fd < DESCRIPTORS ? paths[fd] : NULL }, .request = request };
	va_list list;
	int ret;

	va_start(list, request);
	call.argument = va_arg(list, void *);
	va_end(list);
	if (!call.device.path) {
		errno = ENOTTY;
		return -1;
	}
	ret = pretend(&call);
	spoil(call.argument, request);
	return ret;
}
