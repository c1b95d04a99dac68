/*
 * abi/order.h - the one order of names: how a sealed document is sorted and searched
 *
 * Layer L1, internal to abi/. The builder sorts by it, deserialize.c checks
 * it, the lookups rely on it.
 */
#ifndef ABI_ORDER_H
#define ABI_ORDER_H

#include "abi/document.h"

/* For qsort(): records, aliases, enums, constants and enumerators, all of which begin with their name. */
int abi_order_named(const void *a, const void *b);
/* For qsort() of struct abi_ioctl: family, number, name. */
int abi_order_ioctl(const void *a, const void *b);
/* For qsort() of struct abi_warning: path, line, column (as numbers), then the location's text and the warning's. */
int abi_order_warning(const void *a, const void *b);
/* For qsort() of const char *. */
int abi_order_string(const void *a, const void *b);

/**
 * abi_search_named - binary search among elements that begin with their name
 * @array: sorted by abi_order_named(), @count elements of @size bytes
 * @name:  @length bytes, not necessarily NUL-terminated
 *
 * Return: the element or NULL.
 */
const void *abi_search_named(const void *array, size_t count, size_t size, const char *name, size_t length);

#endif
