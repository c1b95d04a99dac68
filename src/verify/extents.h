/*
 * verify/extents.h - which bits of a record the driver declares, and which it uses
 *
 * Private to verify/.
 */
#ifndef VERIFY_EXTENTS_H
#define VERIFY_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct extent {
	const char *path; /* of a scalar in it */
	uint64_t from_bits, to_bits; /* from the start of the outermost record; to is one behind */
	bool is_padding; /* declared, but called padding */
};

struct extent_list {
	struct extent *item; /* freed with free() */
	size_t count, capacity;
};

void extent_add(struct extent_list *list, struct extent extent);

/* extent_merge - sorted, and as few as there can be; @path and @is_padding are lost. */
void extent_merge(struct extent_list *list);

/* extent_touches - does any bit of a merged list lie in [@from_bits, @to_bits)? */
bool extent_touches(const struct extent_list *list, uint64_t from_bits, uint64_t to_bits);

#endif
