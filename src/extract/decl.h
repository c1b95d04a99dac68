/*
 * extract/decl.h - what clang knows of a record or an enum, asked once
 *
 * Layer L2, inside extract/. A record is printed under several names, and
 * each libclang call copies a string: so a declaration is read once, into a
 * struct decl. Three files build on each other:
 *
 * 1. decl.c finds the declaration behind a cursor or type: its name, where it
 *    is, its enumerators.
 * 2. type_text.c spells types, in which declarations are named.
 * 3. decl_members.c reads the fields of a record, whose types are spelled.
 */
#ifndef EXTRACT_DECL_H
#define EXTRACT_DECL_H

#include "abi/abi.h"

#include <clang-c/Index.h>

struct decl_member;

/* A definition; for an opaque type, its declaration. */
struct decl {
	CXCursor cursor;
	CXType type;
	CXType named_type;  /* the same, aligned as @name names it */
	const char *name;   /* the tag, or the typedef that C uses instead, as decl.c has it; NULL if there is neither */
	const char *source; /* "path:line:column"; "<stddef.h>" in one of clang's own headers */
	bool is_complete;
	bool is_union;
	bool in_own_header; /* it is in one of clang's own headers, or in none at all */
	bool is_built_in;   /* it is in no file: what __builtin_va_list is, for one */
	bool is_used;       /* the document has it */
	uint64_t weight;    /* fields that libclang visits to check this one; 0 if not known yet */
	unsigned depth;     /* records in records; known if weight is */
	/* Filled by decl_members(). */
	bool has_members;
	struct decl_member *members;
	size_t member_count;
	/* Filled by decl_enumerators(). */
	bool has_enumerators;
	struct abi_enumerator *enumerators;
	size_t enumerator_count;
};

/* What has been asked in one translation unit. */
struct decls {
	struct arena *arena;
	struct abi_builder *builder; /* of the document: what other units have named, and warnings */
	bool is_cxx;
	long long reference_bytes; /* in a record; of C++ */
	bool mentions_ms_struct;   /* some header does, maybe in the text of a macro */
	bool has_pragmas;          /* some header has one that packs */
	/* The name of a file in @arena, or NULL if it is none of the caller's; called once in a row for one file. */
	const char *(*file_name)(void *data, const char *clang_name);
	void *data;
	/* Private from here; zero at the start. */
	uint64_t work;    /* done so far; see decl_members() */
	CXFile last_file;
	const char *last_file_name;
	bool last_file_is_own;
	struct decl_node *decl_nodes;
	struct typedef_node *typedef_nodes;
	/* Of type_text.c, and freed by type_text_release(). */
	bool is_too_deep; /* some type could not be spelled */
	struct root_node *root_nodes;
	struct text_node *text_nodes;
	struct shape_node *shape_nodes;
};

void decls_release(struct decls *decls);

/* decls_note_typedefs - the typedefs among these, before any declaration is asked for: a tag may have the name of one and be another type */
void decls_note_typedefs(struct decls *decls, const CXCursor *cursors, size_t count);

/* decl_typedef_name - of a typedef: its own, but for one that another unit has given to another type */
const char *decl_typedef_name(struct decls *decls, CXType type);

/* decl_is_name - is @text, which libclang gave, a name and no description? */
bool decl_is_name(const char *text);

/* decl_of - the declaration behind a record or enum type or cursor; the same pointer for the same thing. */
struct decl *decl_of_type(struct decls *decls, CXType type);
struct decl *decl_of_cursor(struct decls *decls, CXCursor cursor);

void decl_enumerators(struct decls *decls, struct decl *decl);

/* decl_file - the path of a cursor's file; NULL in one of clang's own headers, and in none at all. */
const char *decl_file(struct decls *decls, CXCursor cursor);

/* decl_location - "path:line:column" of a cursor, and whether that is in one of clang's own headers. */
const char *decl_location(struct decls *decls, CXCursor cursor, bool *in_own_header);

#endif
