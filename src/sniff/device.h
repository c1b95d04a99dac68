/*
 * sniff/device.h - which device a descriptor of another process is
 *
 * Part of sniff/. Found at the moment that it is asked for, out of /proc: so dup, fork, exec, close_range and descriptors that came through
 * a socket need no bookkeeping.
 */
#ifndef SNIFF_DEVICE_H
#define SNIFF_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Replay's descriptors are memfds that are called as the device: what /proc has before that. */
#define DEVICE_MARK "/memfd:"

/* What the paths of the driver's devices begin with. */
#define DRIVER_PREFIX "/dev/nvidia"

enum { DEVICE_PATH_MAX = 512 };

struct device {
	char path[DEVICE_PATH_MAX]; /* "/dev/nvidiactl", wherever the file stands */
	bool is_replayed;
};

/**
 * device_of - is a descriptor one of the driver's devices?
 * @out: set if it is
 * @known: a path for which this was asked before, and the answer was yes; "": none. Such a path is believed, which saves half of the time
 *
 * By the path that it was opened under ("/dev/nvidia..."), or else by the device's number: 195 is NVIDIA's, others have a name in /proc/devices.
 * It must be a character device.
 */
bool device_of(struct device *out, pid_t tid, int fd, const char *known);

/* device_unmark - "/memfd:/dev/nvidiactl (deleted)" becomes the device's path. Return: false if it is no such path. */
bool device_unmark(char *path);

/* device_path_of - the path of any descriptor, as /proc has it; "" if there is none. */
void device_path_of(char out[DEVICE_PATH_MAX], pid_t tid, int fd);

/* device_open_flags - the flags that a descriptor was opened with; 0 if they are not known. */
uint64_t device_open_flags(pid_t tid, int fd);

/* All descriptors of a process that are devices. */
struct device_list {
	int *fds;
	struct device *devices;
	size_t count, capacity;
};

/* device_list_of - sorted by number; empty if the process has more than one thread. device_list_release() is due. */
void device_list_of(struct device_list *out, pid_t pid);
void device_list_release(struct device_list *list);

/* device_number - the number that the driver's file of that path has; 0 if it has no fixed one, and the machine has no driver. */
dev_t device_number(const char *path);

#endif
