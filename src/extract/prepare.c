#include "extract/extract.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * libclang and we touch 150 to 200 MB for one version, page by page, which was two fifths of the time. So the heap
 * grows at once by as much as one version needs and in large pages where the system has some, and what is freed stays.
 */
static void grow_heap(void)
{
	enum { HEAP_BYTES = 256 * 1024 * 1024 };
	char *start, *end;
	void *block;

	mallopt(M_MMAP_THRESHOLD, HEAP_BYTES * 2);
	mallopt(M_TRIM_THRESHOLD, HEAP_BYTES * 2);
	start = sbrk(0);
	block = malloc(HEAP_BYTES);
	end = sbrk(0);
	if (block && end > start)
		madvise((void *)(((unsigned long)start + 4095) & ~4095UL), (size_t)(end - start) & ~(size_t)4095, MADV_HUGEPAGE);
	free(block);
}

void extract_prepare_process(void)
{
	setenv("LIBCLANG_NOTHREADS", "1", 1); /* the parse runs on the stack that the process was given, not on one of 8 MB */
	setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
	grow_heap();
}
