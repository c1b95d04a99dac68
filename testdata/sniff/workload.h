/*
 * workload.h - a program that makes ioctls on the driver's devices, and logs them itself
 *
 *   calls.c     make a call, and log it: a line of JSON with the bytes before and after the call
 *   pretend.c   emulate a driver: with --pretend, no device is needed, and no ioctl is made
 *   workload.c  the modes, which make calls in different ways
 *
 * The log has the same information as a trace: make-trace converts it to a trace, and compare compares both.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMORY_MAX = 3, DESCRIPTORS_MAX = 2 };

/* struct memory - memory that a pointer of the call points to */
struct memory {
	void *address;
	size_t size_bytes;
};

/* struct descriptor - a file descriptor in the parameters of a call */
struct descriptor {
	int number;
	const char *path;
};

/* struct device - an open device. @path is the opened path, which can differ from the path in /proc. */
struct device {
	int fd;
	const char *path;
};

struct call {
	struct device device;
	unsigned long request;
	void *argument;
	size_t size_bytes; /* of the memory at argument */
	struct memory memory[MEMORY_MAX]; /* in the order in which the driver follows the pointers */
	size_t memory_count;
	struct descriptor descriptors[DESCRIPTORS_MAX];
	size_t descriptor_count;
};

/* struct options - the options of this run */
struct options {
	int log;            /* file descriptor of the log, O_APPEND */
	const char *log_path;
	bool raw;           /* use syscall() instead of libc's ioctl() */
	bool pretend;       /* call pretend() instead of ioctl() */
	bool any_answer;    /* modes do not fail if the results are unexpected */
	long count;         /* number of calls, in modes that repeat a call */
};

extern struct options options;

/* device_open - open a device, and log this. The program ends if the device cannot be opened. */
struct device device_open(const char *path, int flags);

/* device_map - map a device with MAP_SHARED, and log this. Return: the address, or MAP_FAILED. */
void *device_map(struct device device, size_t size_bytes, long offset);

/* call_make - make an ioctl, and log it. Return: the return value of ioctl(), with errno. */
int call_make(const struct call *call);

/* pretend - emulate a call as a driver could do it. Return: 0, or -1 with errno. */
int pretend(const struct call *call);

/* readable - copy bytes from @address to @out, up to the first unreadable page. Return: their number. */
size_t readable(void *out, const void *address, size_t size_bytes);

#endif
