/*
 * bootstrap/observed.h - what workloads were seen to use, for what they need to be allowed
 *
 * Part of bootstrap/, and of its public face.
 */
#ifndef BOOTSTRAP_OBSERVED_H
#define BOOTSTRAP_OBSERVED_H

#include "abi/abi.h"

/* An ioctl that a workload made. */
struct bootstrap_use {
	const char *family;
	const char *name;    /* as the driver that it ran on calls it; "": its tables do not list the number */
	uint64_t number;     /* on that driver */
	const char *cap;     /* that the workload stands for */
	const char *trace;   /* where it was seen */
};

struct bootstrap_observed {
	const struct bootstrap_use *uses; /* bootstrap_use_order() */
	size_t count;
};

/* bootstrap_use_order - by family, name, number, capability, trace: for qsort() */
int bootstrap_use_order(const void *a, const void *b);

/**
 * bootstrap_observed_caps - the capabilities of the workloads that used an ioctl
 * @number:   by which it is known where no driver that was observed lists it; names stay when numbers move
 * @caps:     sorted, each once; in @arena
 * @evidence: "observed in compute.trace"; in @arena
 *
 * Return: how many; 0 if none used it, then nothing is set.
 */
size_t bootstrap_observed_caps(const char *const **caps, const char **evidence, const struct bootstrap_observed *observed, const char *family,
			       const char *name, uint64_t number, struct arena *arena);

#endif
