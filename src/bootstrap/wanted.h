/*
 * bootstrap/wanted.h - the ioctl that a name or number of a log stands for
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_WANTED_H
#define BOOTSTRAP_WANTED_H

#include "bootstrap/run.h"

struct wanted_ioctl {
	const char *family;
	const char *name; /* the driver's macro, or its method's name */
};

/* What a version has of it. */
struct wanted_state {
	bool exists;
	uint64_t number;
	const struct abi_ioctl *ioctl; /* NULL: only a macro has it */
};

/**
 * wanted_find - of the newest of @documents that has it
 * @documents: oldest first; NULL where there is none
 *
 * Return: 0; ERR_NOT_FOUND with similar names; ERR_USAGE if @documents have several ioctls of the number, with their versions.
 */
int wanted_find(struct wanted_ioctl *out, const char *word, const struct abi *const *documents, size_t count, const struct table *table,
		struct err *err);

/* wanted_look - the ioctl in one version. */
void wanted_look(struct wanted_state *out, const struct wanted_ioctl *wanted, const struct abi *abi);

#endif
