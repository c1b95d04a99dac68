/*
 * gen/set.h - the types of a set, and how they are laid out by Go
 *
 * Inside the room.
 */
#ifndef GEN_SET_H
#define GEN_SET_H

#include "gen/proxytype.h"

#include <uthash.h>

struct set_base;

struct proxytype_set {
	const struct table *known;
	struct arena *arena;
	struct set_type *by_name; /* hash: types of this set, and those of the table that were declared again */
	struct set_base *by_base; /* hash: "X" of X_V550 and X_V590, for what this set has declared */
	const struct proxytype **new_types; /* in the order in which they were declared */
	size_t new_count, new_capacity;
};

/* A run of bytes that hold scalars of one width; what two types are compared by. */
struct go_run {
	uint64_t offset_bytes, count;
	unsigned width_bytes;
	bool is_signed;
	enum abi_role role; /* pointer or handle: the proxy translates it; else none */
};

struct go_runs {
	struct go_run *items; /* free() */
	size_t count, capacity;
};

/* go_width - bytes of one of Go's own words, "uint32"; 0 for any other name. */
unsigned go_width(const char *word);

/* go_size - bytes of a type as a table spells it, "uint8[16]", "Handle"; UINT64_MAX if the set does not have it. */
uint64_t go_size(const struct proxytype_set *set, const char *spelling);

/* go_align - what Go aligns it to: the widest scalar in it. */
uint64_t go_align(struct proxytype_set *set, const char *spelling);

/**
 * go_same - do both types have the same scalars at the same offsets?
 *
 * Width, sign, pointers and handles count; names, and fields that are called padding, do not.
 */
bool go_same(const struct proxytype_set *set, const struct table_type *a, const struct table_type *b);

/* What the set knows of one name. */
struct set_type {
	struct proxytype type;
	const char *base;      /* its name without version, under which set_versions() has it; NULL for a type of the table */
	const struct table_type *flat; /* the type without embedding: all fields are its own; NULL for a type of the table */
	uint64_t align_bytes; /* as go_align() found it; 0: not asked for yet */
	UT_hash_handle by_name;
};

/* set_find - what was declared, or is in the table, under @name; NULL if there is nothing. */
struct set_type *set_find(struct proxytype_set *set, const char *name);

/* set_versions - the types that were declared under @base and @base_V…, oldest first; NULL if there are none. */
const struct set_type *const *set_versions(size_t *count, const struct proxytype_set *set, const char *base);

/* set_latest - what was last answered for @base, which then need not be what was last declared; NULL if nothing was. */
const struct set_type *set_latest(const struct proxytype_set *set, const char *base);
void set_latest_is(struct proxytype_set *set, const char *base, const struct set_type *type);

/* set_add - a copy of @type, with a name that is not in use yet, in the set's arena. */
const struct set_type *set_add(struct proxytype_set *set, const char *base, const struct proxytype *type, const struct table_type *flat);

#endif
