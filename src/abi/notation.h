/*
 * abi/notation.h - a number as the driver's headers write it
 *
 * Layer L1. Every report, message and CSV file writes the numbers of ioctls
 * and the values of constants with these two, so that what a reader sees is
 * what the headers, and grep, have. In JSON numbers are numbers.
 */
#ifndef ABI_NOTATION_H
#define ABI_NOTATION_H

#include "abi/document.h"

enum { ABI_NOTATION_BYTES = 48 };

/**
 * abi_ioctl_number - the number of an ioctl, command or class
 * @family: NULL if it is not known
 *
 * Hexadecimal, lower case: "0x2080018d", "0x3e". Decimal where a header counts
 * (abi_counted_numbers): "34" of UVM_FREE; but 0x30000001 of UVM_INITIALIZE.
 * Return: @buffer.
 */
const char *abi_ioctl_number(const char *family, uint64_t number, char buffer[ABI_NOTATION_BYTES]);

/**
 * abi_constant_number - the value of a constant
 *
 * Of a command's macro (_CMD_ in its name) as of an ioctl. Of any other a
 * document does not know how its header writes it, so both: "0xa097 (41111)";
 * but "7" and "-12", which are the same or have no other form.
 * Return: @buffer.
 */
const char *abi_constant_number(const struct abi_constant *constant, char buffer[ABI_NOTATION_BYTES]);

/* Numbers that a header counts, from @first to @last. */
struct abi_counted {
	const char *family;
	uint64_t first, last;
};

/* abi_counted_numbers - all there are; ended by a NULL family. */
extern const struct abi_counted abi_counted_numbers[];

#endif
