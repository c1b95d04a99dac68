#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Many arenas hold next to nothing, and blocks are cleared: they begin small. */
enum { ARENA_FIRST_BLOCK = 2 * 1024, ARENA_BLOCK_SIZE = 64 * 1024, ARENA_LARGE_FRACTION = 4 };

enum { ARENA_POPULATED = 4 * 1024 * 1024 }; /* a single allocation, all of which its caller is about to write */

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t size;
	max_align_t data[];
};

static void out_of_memory(size_t size)
{
	fprintf(stderr, "drvabi: out of memory: %zu bytes could not be had\n", size);
	exit(2);
}

void *xmalloc(size_t size)
{
	void *got = malloc(size ? size : 1);

	if (!got)
		out_of_memory(size);
	return got;
}

void *xrealloc(void *old, size_t size)
{
	void *got = realloc(old, size ? size : 1);

	if (!got)
		out_of_memory(size);
	return got;
}

/* One call instead of a fault for each page. A kernel that cannot do it (before Linux 5.14) leaves the faults. */
static void populate(struct arena_block *block)
{
#ifdef MADV_POPULATE_WRITE
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ((uintptr_t)block + page - 1) / page * page;
	const uintptr_t until = ((uintptr_t)block->data + block->size) / page * page;

	madvise((void *)from, until - from, MADV_POPULATE_WRITE);
#else
	(void)block;
#endif
}

static struct arena_block *arena_block_new(size_t size)
{
	struct arena_block *block;

	if (size > SIZE_MAX / 2)
		out_of_memory(size);
	block = calloc(1, sizeof(*block) + size);
	if (!block)
		out_of_memory(size);
	block->size = size;
	if (size >= ARENA_POPULATED)
		populate(block);
	return block;
}

static size_t next_block_size(const struct arena_block *block)
{
	if (!block)
		return ARENA_FIRST_BLOCK;
	return block->size < ARENA_BLOCK_SIZE / 2 ? block->size * 2 : ARENA_BLOCK_SIZE;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	struct arena_block *block = arena->blocks;
	void *memory;

	if (size > SIZE_MAX / 4)
		out_of_memory(size);
	size = (size + align - 1) / align * align;
	if (!block || block->size - block->used < size) {
		size_t usual = next_block_size(block);
		bool is_large = block && size > usual / ARENA_LARGE_FRACTION;
		struct arena_block **link = is_large ? &block->next : &arena->blocks;

		/* What is large gets a block of its own behind the first one, whose rest is still of use. */
		block = arena_block_new(is_large || size > usual ? size : usual);
		block->next = *link;
		*link = block;
	}
	memory = (char *)block->data + block->used;
	block->used += size;
	return memory;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		out_of_memory(SIZE_MAX);
	return arena_alloc(arena, count * size);
}

void *arena_memdup(struct arena *arena, const void *data, size_t size)
{
	void *copy = arena_alloc(arena, size);

	if (size)
		memcpy(copy, data, size);
	return copy;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = arena_alloc(arena, (size_t)length + 1);
	va_start(args, format);
	vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	return text;
}

void arena_release(struct arena *arena)
{
	struct arena_block *block, *next;

	for (block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	arena->blocks = NULL;
}
