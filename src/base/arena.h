/*
 * base/arena.h - memory that is freed together
 *
 * Layer L0. One arena per document: everything that belongs to it is
 * allocated here and freed by one arena_release(). Memory comes zeroed and
 * aligned for any type. No single allocation can be freed.
 *
 * An arena is used by one thread at a time. Running out of memory ends the
 * program with exit status 2 and one line on standard error: it is the one
 * failure that no caller could do anything about.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first; { 0 } is an empty arena */
};

void *arena_alloc(struct arena *arena, size_t size);
/* arena_array - @count zeroed elements of @size bytes; checks the product. */
void *arena_array(struct arena *arena, size_t count, size_t size);
void *arena_memdup(struct arena *arena, const void *data, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
/* arena_strndup - the first @length bytes of @text, NUL-terminated. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* arena_release - frees everything; @arena is empty and usable afterwards. */
void arena_release(struct arena *arena);

/*
 * xmalloc, xrealloc - malloc and realloc that do not return NULL. For buffers
 * that grow; what they return is freed with free().
 */
void *xmalloc(size_t size);
void *xrealloc(void *old, size_t size);

/**
 * ARRAY_GROW - room for one more element at the end of a growing array
 * @array: pointer, from xrealloc or NULL; freed by its owner with free()
 * @count: elements in use
 * @capacity: elements allocated, updated by this macro
 */
#define ARRAY_GROW(array, count, capacity) do { \
	if ((count) == (capacity)) { \
		(capacity) = (capacity) ? (capacity) * 2 : 16; \
		(array) = xrealloc((array), (capacity) * sizeof(*(array))); \
	} \
} while (0)

#endif
