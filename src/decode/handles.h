/*
 * decode/handles.h - the objects that a trace has allocated so far, and their classes
 *
 * Part of decode/, and of its public face. A handle is a client's: two clients
 * may use the same number. What is allocated, copied and freed is taken from
 * the calls that succeeded; an object goes with its parent. Objects that other
 * processes allocated before the trace began are not known.
 */
#ifndef DECODE_HANDLES_H
#define DECODE_HANDLES_H

#include <stddef.h>
#include <stdint.h>

/* Of more objects the oldest are forgotten. */
enum { DECODE_HANDLES_MAX = 1 << 18 };

struct decode_handles;

struct decode_object {
	uint32_t client, handle, parent;
	uint32_t class_number;
	const char *class_name; /* of a document; NULL: it has none of that number */
};

struct decode_handles *decode_handles_new(void);
void decode_handles_free(struct decode_handles *handles); /* NULL is fine */

/* decode_handles_add - @object was allocated, or copied; one of the same handle is replaced. */
void decode_handles_add(struct decode_handles *handles, const struct decode_object *object);

/* decode_handles_remove - it was freed, with all below it; of a client's own handle, all that the client has. */
void decode_handles_remove(struct decode_handles *handles, uint32_t client, uint32_t handle);

/* decode_handles_find - NULL if it is not known. Valid until the next change. */
const struct decode_object *decode_handles_find(const struct decode_handles *handles, uint32_t client, uint32_t handle);

size_t decode_handles_count(const struct decode_handles *handles);

#endif
