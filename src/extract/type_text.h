/*
 * extract/type_text.h - how a type is spelled
 *
 * Layer L2, inside extract/. A type is spelled once for a translation unit, without
 * struct, union and enum. Names of unnamed things never come from clang, which spells
 * them differently in every release: the text has a hole for each, which the walk fills.
 */
#ifndef EXTRACT_TYPE_TEXT_H
#define EXTRACT_TYPE_TEXT_H

#include "extract/decl.h"

/* A type, spelled without struct, union and enum. */
struct type_text {
	CXType type;
	const char *text;    /* as written; NAME_HOLE is where the name of @unnamed belongs */
	struct decl *unnamed; /* a record or enum without any name in the type; NULL if there is none */
};
#define NAME_HOLE '\1'

/* A type without its outermost dimensions. */
struct shape {
	CXType type;    /* as declared */
	CXType base;    /* of one element */
	const struct type_text *spelling; /* of base */
	const char *dimensions; /* "[4][2]", "[]", "[0]" or "" */
	long long size_bytes;   /* of the whole; negative: enum CXTypeLayoutError */
	bool is_added;          /* the walk has put what the base is into the document */
};

const struct type_text *type_text_of(struct decls *decls, CXType type);
/*
 * type_text_array - an array of what @base spells: "int[4]"
 *
 * Of a pointer to an array the dimensions are inside the declarator, as in C: "int (*[4])[3]". "int (*)[3][4]" is a pointer to a larger array.
 * Return: in @arena; @base itself if there are no @dimensions.
 */
const char *type_text_array(const char *base, const char *dimensions, struct arena *arena);
/* type_text_named - the text, with @name for what is unnamed. */
const char *type_text_named(const struct type_text *spelling, const char *name, struct arena *arena);
/* shape_of - through a typedef of an array, but only the outermost one, as gVisor's tool has it. */
struct shape *shape_of(struct decls *decls, CXType type);

/* type_root - of a typedef of typedefs, the one that is directly of something else. */
CXType type_root(struct decls *decls, CXType type);

/* type_text_check - Return: 0; ERR_LIMIT if some type nested too deep to be spelled; @cursor is what was last looked at. */
int type_text_check(struct decls *decls, CXCursor cursor, struct err *err);

/* type_text_release - what is remembered of the types of @decls. */
void type_text_release(struct decls *decls);

#endif
