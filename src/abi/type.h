/*
 * abi/type.h - reading a type as a document spells it
 *
 * Layer L1. A field's type is a string: a base ("NvU32", "P::e_t", "void *",
 * "void (*)(int)") followed by dimensions in C order ("[4][2]", "[]", "[0]").
 * What the base means is looked up in the same document, so that a document
 * read from JSON says all there is to know.
 */
#ifndef ABI_TYPE_H
#define ABI_TYPE_H

#include "abi/document.h"

enum { ABI_DIMENSIONS_MAX = 16 };

/* A spelled type, parsed but not looked up. */
struct abi_spelling {
	const char *base;    /* points into the given string, base_length bytes */
	size_t base_length;
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* outermost first; 0 for [] and [0] */
	size_t dimension_count;
	bool flexible;       /* the outermost is [] */
};

/* abi_spelling_parse - Return: 0, or ERR_FORMAT for brackets that do not pair or are too deep. */
int abi_spelling_parse(struct abi_spelling *out, const char *type, struct err *err);

/* The kinds of scalar that a proxy can tell apart. Closed. */
enum abi_scalar {
	ABI_U8, ABI_U16, ABI_U32, ABI_U64,
	ABI_I8, ABI_I16, ABI_I32, ABI_I64,
	ABI_CHAR,    /* plain char, whose sign is the target's affair */
	ABI_BOOL,    /* _Bool */
	ABI_POINTER,
	ABI_ENUMERATION,
	ABI_BYTES,   /* anything else that has a size: float, __int128, opaque */
};
/* "u8" … "i64", "char", "bool", "pointer", "enum", "bytes" */
const char *abi_scalar_name(enum abi_scalar kind);

/* A type after following aliases down to a record or a scalar. */
struct abi_type {
	const struct abi_record *record;   /* NULL for a scalar */
	const struct abi_enum *enumeration; /* for ABI_ENUMERATION, if the document has it */
	enum abi_scalar scalar;            /* if record is NULL */
	uint64_t element_bytes;            /* size of one element */
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* of the spelling and of array typedefs below it, outermost first */
	size_t dimension_count;            /* 0: not an array */
	uint64_t count;                    /* product of the dimensions, 1 if none */
	bool flexible;
	/* What C itself calls a pointer ("foo *") or ABI_BYTES ("float"), whose kind does not say all; not NUL-terminated. */
	const char *c_name;
	size_t c_length;
};

/* abi_same_dimensions - [2][3] is neither [3][2] nor [6], though all of them have as many elements. */
bool abi_same_dimensions(const struct abi_type *a, const struct abi_type *b);

/* abi_same_c_name - pointers that are spelled alike in C, or the same opaque bytes; true of all other kinds. */
bool abi_same_c_name(const struct abi_type *a, const struct abi_type *b);

/**
 * abi_resolve_target - what a pointer leads to
 *
 * Return: false if @pointer is none, or if @abi does not say what it leads to: void, a function, a struct that is only named.
 */
bool abi_resolve_target(struct abi_type *out, const struct abi *abi, const struct abi_type *pointer);

/**
 * abi_resolve_type - what @type means in @abi
 *
 * Return: 0; ERR_NOT_FOUND if a name is in neither records, aliases nor
 * enums; ERR_FORMAT if the spelling is malformed; ERR_LIMIT if the array's
 * size does not fit 64 bits or aliases form a ring.
 */
int abi_resolve_type(struct abi_type *out, const struct abi *abi, const char *type, struct err *err);

enum { ABI_KNOWN_TYPES = 32 };

/*
 * Types of one document that were asked for before, by where their spelling
 * stands in memory. Most fields are of few types, and what was not read from
 * JSON has each spelling once. { 0 } knows none.
 */
struct abi_known_types {
	const char *spelling[ABI_KNOWN_TYPES];
	struct abi_type type[ABI_KNOWN_TYPES];
};

/* abi_resolve_known - the same, of a @type that @abi itself holds; *@out is good until the next call. */
int abi_resolve_known(const struct abi_type **out, struct abi_known_types *known, const struct abi *abi, const char *type,
		      struct err *err);

#endif
