/*
 * sniff/descriptor.h - which device a descriptor of this process is
 *
 * Part of preload/. Asked with one fstat(2) for a descriptor that is known, by its device and inode; /proc is read once for each.
 */
#ifndef SNIFF_DESCRIPTOR_H
#define SNIFF_DESCRIPTOR_H

#include "sniff/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct descriptor {
	dev_t device;
	ino_t inode;
	dev_t number;            /* of a device */
	pid_t pid;               /* of the process that asked first */
	enum plan_family family; /* of its ioctls; PLAN_FAMILIES: not known */
	char path[256];          /* "/dev/nvidiactl" */
};

/**
 * descriptor_of - what @fd is
 * @is_new: this process did not know it as that before
 *
 * Lives until the process ends. Return: NULL if it is no device of the driver.
 */
const struct descriptor *descriptor_of(bool *is_new, const struct device_rules *devices, int fd, pid_t pid);

/* descriptor_path - the path of any descriptor, as /proc has it, cut at @room; "" if there is none. */
void descriptor_path(char *out, size_t room, int fd);

/* descriptor_flags - with which it was opened. */
uint64_t descriptor_flags(int fd);

#endif
