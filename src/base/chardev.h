/*
 * base/chardev.h - whose driver's a character device is
 *
 * Layer L0. Asked of /proc/devices and /sys. Allocates nothing, so that the library that is preloaded into workloads can ask, too.
 */
#ifndef BASE_CHARDEV_H
#define BASE_CHARDEV_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CHARDEV_NAME_MAX = 64 };

/* chardev_driver - the name that a driver has in /proc/devices for the major number of @number; "" if none is known. */
void chardev_driver(char out[CHARDEV_NAME_MAX], dev_t number);

/* chardev_module - the module of the kernel that drives a device; "" if /sys does not say. */
void chardev_module(char out[CHARDEV_NAME_MAX], dev_t number);

#endif
