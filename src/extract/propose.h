/*
 * extract/propose.h - what a first profile of a tree would have to say
 *
 * Layer L2, a part of the room's public header. Looks at the texts of a tree's headers, without clang: what it says is a guess, to be
 * tried. The steps are in propose.c.
 */
#ifndef EXTRACT_PROPOSE_H
#define EXTRACT_PROPOSE_H

#include "abi/abi.h"

/* A header in which ioctls are made. */
struct proposed_header {
	const char *path;
	size_t ioctl_count; /* object-like macros that _IO() or its like makes, as far as texts tell */
};

struct proposal {
	const struct proposed_header *headers; /* sorted by path */
	size_t header_count;
	size_t ioctl_count;
	struct profile_strings include; /* directories, in the order in which they are to be searched; one of x86 stands for that of the target */
	bool has_own_types;             /* the tree's linux/types.h is read, which lacks size_t and uint32_t outside of the kernel */
	struct profile_strings missing; /* what these headers include, directly or not, and neither the tree nor @known has */
	const unsigned *types;          /* of the ioctls, sorted */
	size_t type_count;
	bool has_unknown_types;         /* of some ioctls the type is not known */
	struct profile_strings by_nr;   /* sources that use _IOC_NR(): maybe what looks at the number */
};

/**
 * extract_propose - look at a tree
 * @out: set on success; in @arena
 * @known: is a header, as it is included, one that needs no stand-in?
 *
 * Return: 0; ERR_NOT_FOUND if no header of the tree makes ioctls; what the tree returned.
 */
int extract_propose(struct proposal *out, struct tree *tree, bool (*known)(const char *header), struct arena *arena, struct err *err);

#endif
