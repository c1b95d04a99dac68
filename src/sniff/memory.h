/*
 * sniff/memory.h - the memory of another process
 *
 * Part of sniff/.
 */
#ifndef SNIFF_MEMORY_H
#define SNIFF_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* memory_read - what can be read from @address on, up to @size_bytes. Return: bytes that were read. */
size_t memory_read(void *out, pid_t tid, uint64_t address, size_t size_bytes);

/* memory_write - as much as the program itself could write. Return: bytes that were written. */
size_t memory_write(pid_t tid, uint64_t address, const void *bytes, size_t size_bytes);

/**
 * memory_read_text - a string
 *
 * Return: false if its end is not within @size_bytes, or cannot be read.
 */
bool memory_read_text(char *out, pid_t tid, uint64_t address, size_t size_bytes);

#endif
