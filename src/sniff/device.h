/*
 * sniff/device.h - which device a descriptor of another process is
 *
 * Part of sniff/. Found at the moment that it is asked for, out of /proc: so dup, fork, exec, close_range and descriptors that came through
 * a socket need no bookkeeping.
 */
#ifndef SNIFF_DEVICE_H
#define SNIFF_DEVICE_H

#include "decode/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Replay's descriptors are memfds that are called as the device: what /proc has before that. */
#define DEVICE_MARK "/memfd:"

enum { DEVICE_PATH_MAX = 512 };

struct device {
	char path[DEVICE_PATH_MAX]; /* "/dev/nvidiactl", wherever the file stands */
	bool is_replayed;
};

/**
 * device_table_open - the descriptors of a thread, as a directory, which makes device_of() quicker
 *
 * It stands for the thread, not for its number: what is looked up in it is looked up in the thread's descriptors of that moment, after an
 * exec and after unshare(2), too; when the thread has ended nothing is found in it, even if its number is another thread's.
 * Return: a descriptor, to be closed by the caller; -1 if there is none.
 */
int device_table_open(pid_t tid);

/**
 * device_of - is a descriptor one of the driver's devices?
 * @out: set if it is
 * @table: of device_table_open() for @tid; -1: none. What it does not have is looked up without it
 * @known: a path for which this was asked before, and the answer was yes; "": none. Such a path is believed, which saves half of the time
 *
 * It must be a character device that device_rule_of() finds.
 */
bool device_of(struct device *out, const struct device_rules *rules, pid_t tid, int table, int fd, const char *known);

/* device_unmark - "/memfd:/dev/nvidiactl (deleted)" becomes the device's path. Return: false if it is no such path. */
bool device_unmark(char *path);

/* device_path_of - the path of any descriptor, as /proc has it; "" if there is none. */
void device_path_of(char out[DEVICE_PATH_MAX], pid_t tid, int table, int fd);

/* device_is_hidden - may this process not ask what a descriptor of @tid is? */
bool device_is_hidden(pid_t tid, int fd);

/* device_open_flags - the flags that a descriptor was opened with; 0 if they are not known. */
uint64_t device_open_flags(pid_t tid, int fd);

/* All descriptors of a process that are devices. */
struct device_list {
	int *fds;
	struct device *devices;
	size_t count, capacity;
};

/* device_list_of - sorted by number; empty if the process has more than one thread. device_list_release() is due. */
void device_list_of(struct device_list *out, const struct device_rules *rules, pid_t pid);
void device_list_release(struct device_list *list);

/* device_number - the number that the driver's file of that path has; 0 if it has no fixed one, and the machine has no driver. */
dev_t device_number(const struct device_rules *rules, const char *path);

#endif
