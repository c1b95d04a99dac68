/*
 * extract/decl.h - what clang knows of a record or an enum, asked once
 *
 * Layer L2, inside extract/. A record is printed under several names, and
 * each libclang call copies a string: so a declaration is read once, into a
 * struct decl, and its type names are spelled once, into a struct spelling.
 *
 * Names of unnamed things never come from clang, which spells them
 * differently in every release.
 */
#ifndef EXTRACT_DECL_H
#define EXTRACT_DECL_H

#include "abi/abi.h"

#include <clang-c/Index.h>

struct decl;

/* A type, spelled without struct, union and enum. */
struct spelling {
	CXType type;
	const char *text;    /* as written; NAME_HOLE stands where the name of @unnamed belongs */
	struct decl *unnamed; /* a record or enum without any name in the type; NULL if there is none */
};
#define NAME_HOLE '\1'

/* A type with its outermost dimensions taken off. */
struct shape {
	CXType type;    /* as declared */
	CXType base;    /* of one element */
	const struct spelling *spelling; /* of base */
	const char *dimensions; /* "[4][2]", "[]", "[0]" or "" */
	long long size_bytes;   /* of the whole; negative: enum CXTypeLayoutError */
	bool is_added;          /* the walk has put what the base stands for into the document */
};

/* A field of a record. */
struct member {
	const char *name; /* "" for an unnamed record or union */
	struct shape *shape;
	uint64_t offset_bits, size_bits;
	bool is_bitfield;
};

/* A definition; for an opaque type, its declaration. */
struct decl {
	CXCursor cursor;
	CXType type;
	const char *name;   /* the tag, or the typedef that C uses in place of one; NULL if there is neither */
	const char *source; /* "path:line:column"; "<stddef.h>" in one of clang's own headers */
	bool is_complete;
	bool is_union;
	bool in_own_header; /* stands in one of clang's own headers, or in none at all */
	bool is_built_in;   /* stands in no file: what __builtin_va_list is, for one */
	bool is_used;       /* a name was made up for it */
	uint64_t weight;    /* fields that libclang visits to check this one; 0 if not known yet */
	unsigned depth;     /* records in records; known if weight is */
	/* Filled by decl_members(). */
	bool has_members;
	struct member *members;
	size_t member_count;
	/* Filled by decl_enumerators(). */
	bool has_enumerators;
	struct abi_enumerator *enumerators;
	size_t enumerator_count;
};

/* What has been asked in one translation unit. */
struct decls {
	struct arena *arena;
	bool is_cxx;
	/* The name of a file in @arena, or NULL if it is none of the caller's; called once in a row for one file. */
	const char *(*file_name)(void *data, const char *clang_name);
	void *data;
	/* Private from here; zero at the start. */
	bool is_too_deep; /* some type could not be spelled; see decls_check() */
	uint64_t work;    /* done so far; see decl_members() */
	struct root_node *root_nodes;
	CXFile last_file;
	const char *last_file_name;
	bool last_file_is_own;
	struct decl_node *decl_nodes;
	struct spelling_node *spelling_nodes;
	struct shape_node *shape_nodes;
};

void decls_release(struct decls *decls);

/* decls_check - Return: 0; ERR_LIMIT if a type nests deeper than is sane; @cursor is what was last looked at. */
int decls_check(struct decls *decls, CXCursor cursor, struct err *err);

/* decl_of - the declaration behind a record or enum type or cursor; the same pointer for the same thing. */
struct decl *decl_of_type(struct decls *decls, CXType type);
struct decl *decl_of_cursor(struct decls *decls, CXCursor cursor);

/*
 * decl_members - fill members
 *
 * Return: 0; ERR_LAYOUT naming a field that has no offset or size; ERR_LIMIT
 * for a record that libclang would take minutes for.
 */
int decl_members(struct decls *decls, struct decl *decl, struct err *err);
void decl_enumerators(struct decls *decls, struct decl *decl);

/* decl_file - the path of a cursor's file; NULL in one of clang's own headers, and in none at all. */
const char *decl_file(struct decls *decls, CXCursor cursor);

/* decl_place - "path:line:column" of a cursor, and whether that is in one of clang's own headers. */
const char *decl_place(struct decls *decls, CXCursor cursor, bool *in_own_header);

const struct spelling *spelling_of(struct decls *decls, CXType type);
/* spelling_text - the text, with @name for what is unnamed. */
const char *spelling_text(const struct spelling *spelling, const char *name, struct arena *arena);
/* shape_of - through a typedef of an array, but only the outermost one, as gVisor's tool has it. */
struct shape *shape_of(struct decls *decls, CXType type);

/* type_plain - without what only says how it was written: elaborated, attributed. */
CXType type_plain(CXType type);
/* type_underlying - of a typedef. */
CXType type_underlying(CXType type);
/* type_root - of a typedef of typedefs, the one that stands directly on something else. */
CXType type_root(struct decls *decls, CXType type);
bool type_is_array(CXType type);
bool type_is_unsigned(CXType type);

/* spellings_release - spelling.c's part of decls_release(). */
void spellings_release(struct decls *decls);

#endif
