/*
 * source/allocation.h - bounds on what libgit2 allocates
 *
 * Layer L2, internal to source/. An object's header tells its size, but not what unpacking
 * it needs: the object may be a delta of 20 bytes to a base of 1 GB, which is
 * a delta itself, and so on for a million deltas. libgit2 shows nothing of
 * such a chain. So its allocator is ours: it refuses a block that is too
 * large, libgit2 fails as if memory had run out, and the bound says that it
 * was the one that refused.
 *
 * A bound holds for the calling thread. Where none is set, as on the threads
 * that libgit2 starts, ALLOCATION_BLOCK_BYTES hold.
 */
#ifndef SOURCE_ALLOCATION_H
#define SOURCE_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct allocation_bound {
	size_t block_bytes; /* the largest block, of an object's bytes or of a growing list */
	uint64_t *left_bytes; /* what may still be allocated, freed blocks included: bounds the time; decreases */
	size_t refused_bytes; /* the block that was refused; 0: none was */
	struct allocation_bound *outer;
};

enum {
	ALLOCATION_BLOCK_BYTES = 64 * 1024 * 1024,
	ALLOCATION_LIST_BYTES = 512 * 1024 * 1024, /* Linux has 11 million objects, and lists of 16 bytes for each */
};

/* allocation_setup - make libgit2 allocate here; before any other thread calls it. Return: libgit2's code. */
int allocation_setup(void);

/* allocation_begin, allocation_end - @bound holds in between and must not move; it may be inside another */
void allocation_begin(struct allocation_bound *bound, size_t block_bytes, uint64_t *left_bytes);
void allocation_end(struct allocation_bound *bound);

/* allocation_lists - may lists of all objects grow to ALLOCATION_LIST_BYTES, where no bound is set? */
void allocation_lists(bool may_grow);

/* allocation_refused - the block that was refused where no bound is set, since the last call on this thread; 0: none */
size_t allocation_refused(void);

#endif
