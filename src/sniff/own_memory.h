/*
 * sniff/own_memory.h - memory of this process, which may not be there
 *
 * Part of preload/. A pointer that the driver would refuse must not end the workload here. What is sure to be there (this thread's
 * stack, the heap of brk, the program's own data) is copied; all else the kernel copies, which tells.
 */
#ifndef SNIFF_OWN_MEMORY_H
#define SNIFF_OWN_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* own_memory_init - once; @stack_top: an address on the first thread's stack, above all frames. */
void own_memory_init(const void *stack_top);

/* The stack of a thread; 0, 0: not known. */
struct own_stack {
	uintptr_t low, high;
};

/* own_stack_of - of the thread that calls it. */
struct own_stack own_stack_of(pid_t pid, pid_t tid);

/*
 * own_memory_read - what can be read from @address on, up to @size_bytes
 * @tid: the thread that calls it; the first one, whose number is the process's, may have ended, and has no memory then
 *
 * Return: bytes that were read.
 */
size_t own_memory_read(void *out, pid_t tid, const struct own_stack *stack, uint64_t address, size_t size_bytes);

#endif
