/*
 * verify/proxy.h - a proxy's own type as flat scalars
 *
 * Inside the room. The counterpart of flatten/, for the types of a table.
 *
 * Which node of the table stands for a version: abi/table_node.c.
 */
#ifndef VERIFY_PROXY_H
#define VERIFY_PROXY_H

#include "abi/abi.h"

struct proxy_leaf {
	const char *path;      /* "PCIInfo.Domain", "Handles", "Ops[2].Value"; "" for a type that is a scalar itself */
	const char *type;      /* as the table spells it: "P64", "uint8[16]" */
	uint64_t offset_bytes; /* from the start of the outermost type */
	uint64_t element_bytes;
	uint64_t count;        /* elements; 1 if not an array; never 0: an array without elements is no leaf */
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* outermost first */
	size_t dimension_count; /* 0: not an array */
	bool is_signed;
	bool is_bool;
	bool is_padding;       /* by its name or that of what it is in: "Pad0", "__pad", "_"; "Reserved" is none */
	enum abi_role role;    /* of its type: pointer, handle or none */
};

struct proxy_layout {
	const struct table_type *type;
	const struct proxy_leaf *leaves; /* by offset; they do not overlap */
	size_t leaf_count;
};

/**
 * proxy_flatten - the scalars of @name
 *
 * Arrays of structs are written out, element by element.
 * Return: 0; ERR_FORMAT if the table does not have a type that it uses;
 * ERR_LIMIT if there are more than 65536 leaves.
 */
int proxy_flatten(struct proxy_layout *out, const struct table *table, const char *name, struct arena *arena, struct err *err);

/* proxy_leaf_bytes - all elements of it. */
uint64_t proxy_leaf_bytes(const struct proxy_leaf *leaf);

/* proxy_leaf_at - the leaf that starts at @offset_bytes, or NULL. */
const struct proxy_leaf *proxy_leaf_at(const struct proxy_layout *layout, uint64_t offset_bytes);

/* proxy_leaf_over - the first leaf that covers any of the @size_bytes from @offset_bytes, or NULL. */
const struct proxy_leaf *proxy_leaf_over(const struct proxy_layout *layout, uint64_t offset_bytes, uint64_t size_bytes);

#endif
