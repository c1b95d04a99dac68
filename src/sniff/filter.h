/*
 * sniff/filter.h - at which system calls a workload stops
 *
 * Part of sniff/. A seccomp filter, which the command inherits to all that it starts. Of the calls that it names, the kernel asks the
 * tracer; all others run as if there were none.
 */
#ifndef SNIFF_FILTER_H
#define SNIFF_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILTER_MAX = 96 };

/**
 * filter_build - the filter's program
 * @replay: it also stops at what opens a file by name, or asks for its status
 *
 * Stops: ioctls whose request a driver may get; mmaps that are shared and have a descriptor; filters that ask a supervisor; also ioctls of 32-bit and
 * x32 programs, which are to be reported.
 * Return: its instructions, FILTER_MAX at most.
 */
size_t filter_build(struct sock_filter out[FILTER_MAX], bool replay);

/* filter_names_path - is it one of the calls that open a file by name, or ask for its status? */
bool filter_names_path(uint64_t number);

#endif
