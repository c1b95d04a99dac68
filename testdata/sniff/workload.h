/*
 * workload.h - a program that talks to the driver's devices, and says itself what it said
 *
 *   calls.c     makes one call, and logs it: a line of JSON with the bytes before and after
 *   pretend.c   what a driver might answer: with --pretend no device is needed, and no ioctl is made
 *   workload.c  the modes: which calls are made, by whom, and how
 *
 * The log is the text form of a trace: make-trace writes a trace out of it, and compare holds a trace against it.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMORY_MAX = 3, DESCRIPTORS_MAX = 2 };

/* Memory that a pointer of the call leads to, in the order in which the driver follows them. */
struct memory {
	void *address;
	size_t size_bytes;
};

/* A file descriptor within the call. */
struct descriptor {
	int number;
	const char *path;
};

/* A device that was opened; @path is what was opened, whatever /proc says of @fd. */
struct device {
	int fd;
	const char *path;
};

struct call {
	struct device device;
	unsigned long request;
	void *argument;
	size_t size_bytes; /* of what argument points to */
	struct memory memory[MEMORY_MAX];
	size_t memory_count;
	struct descriptor descriptors[DESCRIPTORS_MAX];
	size_t descriptor_count;
};

/* How this run makes its calls. */
struct options {
	int log;            /* descriptor of the log, O_APPEND */
	const char *log_path;
	bool raw;           /* the system call itself, not libc's function */
	bool pretend;       /* answers come from pretend() */
	bool any_answer;    /* no mode fails for what it was answered */
	long count;         /* of calls, in modes that repeat */
};

extern struct options options;

/* device_open - open, and log it. Ends the program if it cannot be opened. */
struct device device_open(const char *path, int flags);

/* device_map - mmap, shared, and log it. Return: the address; MAP_FAILED. */
void *device_map(struct device device, size_t size_bytes, long offset);

/* call_make - the ioctl, and its line in the log. Return: what ioctl returned, with errno. */
int call_make(const struct call *call);

/* pretend - what a driver might do. Return: 0, or -1 with errno. */
int pretend(const struct call *call);

/* readable - how many of the bytes from @address on can be read; they are copied to @out. */
size_t readable(void *out, const void *address, size_t size_bytes);

#endif
