#include "source/allocation.h"

#include <git2.h>
#include <git2/sys/alloc.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_OVERHEAD_BYTES = 256 }; /* counted for each block, so that a million tiny ones have an end too */

static _Thread_local struct allocation_bound *current;
static _Thread_local size_t refused_bytes;
static _Thread_local bool lists_grow;

static bool is_allowed_unbound(size_t size_bytes, bool grows)
{
	if (size_bytes <= (size_t)(grows && lists_grow ? ALLOCATION_LIST_BYTES : ALLOCATION_BLOCK_BYTES))
		return true;
	refused_bytes = size_bytes;
	return false;
}

/* @grows: a list, which may be one of all objects; else an object's bytes, for one */
static bool is_allowed(size_t size_bytes, bool grows)
{
	uint64_t cost = (uint64_t)size_bytes + BLOCK_OVERHEAD_BYTES;

	if (!current)
		return is_allowed_unbound(size_bytes, grows);
	if (size_bytes > current->block_bytes || cost > *current->left_bytes) {
		current->refused_bytes = size_bytes ? size_bytes : 1;
		return false;
	}
	*current->left_bytes -= cost;
	return true;
}

static void *bounded_malloc(size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return is_allowed(size, false) ? malloc(size ? size : 1) : NULL;
}

static void *bounded_realloc(void *block, size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return is_allowed(size, true) ? realloc(block, size ? size : 1) : NULL;
}

static void bounded_free(void *block)
{
	free(block);
}

/* libgit2 1.7 makes the others out of these three. */
#if LIBGIT2_VER_MAJOR == 1 && LIBGIT2_VER_MINOR < 7

static bool product(size_t *out, size_t count, size_t size)
{
	return !__builtin_mul_overflow(count, size, out);
}

static void *bounded_calloc(size_t count, size_t size, const char *file, int line)
{
	size_t total;

	(void)file;
	(void)line;
	if (!product(&total, count, size) || !is_allowed(total, false))
		return NULL;
	return calloc(count, size);
}

static void *bounded_reallocarray(void *block, size_t count, size_t size, const char *file, int line)
{
	size_t total;

	return product(&total, count, size) ? bounded_realloc(block, total, file, line) : NULL;
}

static void *bounded_mallocarray(size_t count, size_t size, const char *file, int line)
{
	return bounded_reallocarray(NULL, count, size, file, line);
}

static char *bounded_substrdup(const char *text, size_t length, const char *file, int line)
{
	char *copy = length < SIZE_MAX ? bounded_malloc(length + 1, file, line) : NULL;

	if (copy) {
		memcpy(copy, text, length);
		copy[length] = '\0';
	}
	return copy;
}

static char *bounded_strndup(const char *text, size_t length, const char *file, int line)
{
	return bounded_substrdup(text, strnlen(text, length), file, line);
}

static char *bounded_strdup(const char *text, const char *file, int line)
{
	return bounded_substrdup(text, strlen(text), file, line);
}

static git_allocator bounded = {
	.gmalloc = bounded_malloc, .gcalloc = bounded_calloc, .gstrdup = bounded_strdup, .gstrndup = bounded_strndup,
	.gsubstrdup = bounded_substrdup, .grealloc = bounded_realloc, .greallocarray = bounded_reallocarray,
	.gmallocarray = bounded_mallocarray, .gfree = bounded_free,
};

#else

static git_allocator bounded = { .gmalloc = bounded_malloc, .grealloc = bounded_realloc, .gfree = bounded_free };

#endif

int allocation_setup(void)
{
	return git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &bounded);
}

void allocation_begin(struct allocation_bound *bound, size_t block_bytes, uint64_t *left_bytes)
{
	*bound = (struct allocation_bound){ .block_bytes = block_bytes, .left_bytes = left_bytes, .outer = current };
	current = bound;
}

void allocation_end(struct allocation_bound *bound)
{
	current = bound->outer;
}

void allocation_lists(bool may_grow)
{
	lists_grow = may_grow;
}

size_t allocation_refused(void)
{
	size_t bytes = refused_bytes;

	refused_bytes = 0;
	return bytes;
}
