/*
 * decode/device.h - which device of the driver a file is
 *
 * Part of call/, and of its public face. By the rules of "drvabi-use/1". What records calls in a workload's own process links it as well.
 */
#ifndef DECODE_DEVICE_H
#define DECODE_DEVICE_H

#include "abi/abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* device_rule_of_path - the first rule whose path @path is; NULL: it is no device of the driver. @rules: may be NULL */
const struct device_rule *device_rule_of_path(const struct device_rules *rules, const char *path);

/**
 * device_rule_of - the rule of a character device that is open
 * @usual:  set to the path that the device usually has; it is @path, if that is one
 * @path:   that it was opened under
 * @number: of the device
 *
 * The number decides, where it is one of the driver's; a node can be made under any path. Else the path does. A rule that names a module holds where
 * /sys names the same, and where /sys does not say: rather one device too many than one that is overlooked.
 * Return: NULL if it is no device of the driver; then @usual is anything.
 */
const struct device_rule *device_rule_of(char *usual, size_t room, const struct device_rules *rules, const char *path, dev_t number);

/* device_number_of - the number that a device of that path has; 0 if the rules do not say. */
dev_t device_number_of(const struct device_rules *rules, const char *path);

/* Requests that no driver gets, as the kernel answers them for every file; and what isatty() asks, which no device of a driver here answers. */
enum { DEVICE_NEVER_COUNT = 7 };
extern const uint32_t device_never[DEVICE_NEVER_COUNT];

/* device_may_answer - may a request be one of a driver's? */
bool device_may_answer(uint32_t request);

#endif
