/*
 * abi/layout.h - the scalars of one record, in memory order
 *
 * Layer L1. The result of flatten/, read by diff/, verify/ and report/.
 */
#ifndef ABI_LAYOUT_H
#define ABI_LAYOUT_H

#include "abi/type.h"

enum { ABI_REPEATS_MAX = 16 };

/* One enclosing array of records: the group repeats @count times, @stride_bits apart. */
struct abi_repeat {
	uint64_t count;
	uint64_t stride_bits;
};

struct abi_leaf {
	const char *path;     /* "params.hRoot"; "e[].c" inside a repeated group; "m[][].x" for two dimensions */
	const char *type;     /* as declared: "NvU32", "NvU8[16]" */
	uint64_t offset_bits; /* from the start of the outermost record, in the first repetition */
	uint64_t size_bits;   /* of the whole leaf: all elements of an array of scalars; the width of a bit-field */
	enum abi_scalar kind; /* of one element */
	uint64_t element_bits;
	uint64_t count;       /* elements, 1 if not an array; 0 if flexible or zero-length */
	const uint64_t *dimension; /* of an array of scalars, even of one element; outermost first */
	size_t dimension_count;    /* 0: it is none */
	const char *c_name;   /* what C calls a pointer or opaque bytes, as in struct abi_type; NULL for all other kinds */
	bool is_bitfield;
	bool flexible;
	enum abi_role role;
	struct abi_repeat repeat[ABI_REPEATS_MAX]; /* outermost first */
	size_t repeat_count;
	const char *union_path; /* innermost enclosing union: its path, "" for the record itself; NULL if in none */
	size_t alternative;     /* which member of that union, from 0 */
};

/* abi_leaf_same_dimensions - arrays of the same dimensions, in groups that repeat as often, as far apart? */
bool abi_leaf_same_dimensions(const struct abi_leaf *a, const struct abi_leaf *b);

/* abi_leaf_same_bits - the same bits, and as many of each, whatever their kind, name and role. */
bool abi_leaf_same_bits(const struct abi_leaf *a, const struct abi_leaf *b);

/* abi_leaf_same - the same bits of the same kind and role, whatever their name and how the type is spelled. */
bool abi_leaf_same(const struct abi_leaf *a, const struct abi_leaf *b);

struct abi_hole {
	uint64_t offset_bits;
	uint64_t size_bits;
	const char *after; /* path of the leaf before it; "" at the start */
	bool is_tail;
	struct abi_repeat repeat[ABI_REPEATS_MAX]; /* as of a leaf: it is in each of these elements */
	size_t repeat_count;
};

struct abi_layout {
	const char *record;
	const char *source;
	uint64_t size_bytes;
	uint64_t align_bytes;
	bool is_union;
	const struct abi_leaf *leaf; /* by offset_bits, then order of declaration */
	size_t leaf_count;
	const struct abi_hole *hole; /* bits of the record that no leaf covers */
	size_t hole_count;
};

#endif
