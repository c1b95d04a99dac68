/*
 * diff/ioctl_flags.h - which flags and rights of an ioctl came or went, and whether they decide who may call it
 *
 * Layer L3, internal to diff/.
 */
#ifndef DIFF_IOCTL_FLAGS_H
#define DIFF_IOCTL_FLAGS_H

#include "diff/diff.h"

/**
 * diff_compare_flags - the flags and rights that only one of two ioctls has
 * @flags: set to a list in @arena; NULL if there is none
 *
 * Return: DIFF_ACCESS, DIFF_FLAGS, both or 0.
 */
unsigned diff_compare_flags(const struct diff_flag **flags, size_t *count, const struct abi_ioctl *base,
			    const struct abi_ioctl *next, struct arena *arena);

#endif
