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

struct filter_options {
	bool any_type; /* every ioctl; else those of type 'F', and UVM's numbers, which have no type */
	bool replay;   /* also what opens a file by name, or asks for its status */
};

/**
 * filter_build - the filter's program
 *
 * Stops: ioctls; mmaps that are shared and have a descriptor; also ioctls of 32-bit and x32 programs, which are to be reported.
 * Return: its instructions, FILTER_MAX at most.
 */
size_t filter_build(struct sock_filter out[FILTER_MAX], const struct filter_options *options);

/* filter_stops_at_ioctl - is an ioctl's request one that the filter stops at? */
bool filter_stops_at_ioctl(const struct filter_options *options, uint64_t request);

/* filter_names_path - is it one of the calls that open a file by name, or ask for its status? */
bool filter_names_path(uint64_t number);

#endif
