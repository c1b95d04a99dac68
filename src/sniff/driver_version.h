/*
 * sniff/driver_version.h - the version of the driver that runs on this machine
 *
 * Part of sniff/, and of its public face.
 */
#ifndef SNIFF_DRIVER_VERSION_H
#define SNIFF_DRIVER_VERSION_H

#include "base/base.h"

#include <stdbool.h>

#define DRIVER_VERSION_FILE "/proc/driver/nvidia/version"

/**
 * driver_version_find - the version in the text of /proc/driver/nvidia/version
 * @out: in @arena
 *
 * "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  590.48.01  Release Build ...": the first word of digits and dots.
 * Return: false if there is none.
 */
bool driver_version_find(const char **out, const char *text, struct arena *arena);

/* driver_version_read - of this machine. Return: 0; ERR_NOT_FOUND if no driver runs; ERR_FORMAT. */
int driver_version_read(const char **out, struct arena *arena, struct err *err);

#endif
