/*
 * gen/sequences.h - runs of elements, each distinct run once
 *
 * Layer L5, internal to gen/. What a table of source text is made of: a run is
 * named by where it begins. Runs are equal if their bytes are, so elements
 * have no padding.
 */
#ifndef GEN_SEQUENCES_H
#define GEN_SEQUENCES_H

#include "base/base.h"

#include <stdint.h>

struct sequences;

struct sequences *sequences_new(size_t element_bytes);
void sequences_free(struct sequences *sequences); /* NULL is fine */

/* sequences_add - where @count elements like those at @data begin; they are added if there are none. An empty run begins at 0. */
uint32_t sequences_add(struct sequences *sequences, const void *data, size_t count);

/* sequences_data - all elements, in the order in which they came; good until the next call of sequences_add(). */
const void *sequences_data(const struct sequences *sequences);
size_t sequences_count(const struct sequences *sequences);

#endif
