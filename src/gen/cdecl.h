/*
 * gen/cdecl.h - declarations of C out of a document
 *
 * Layer L3, a pure pass. Records, enums and aliases with offsets and sizes in
 * comments, unnamed ones inside the record that has them, as pahole prints
 * them. What brings fields to their offsets are attributes (layout.h). show
 * writes with it what one document has, gen what many versions have.
 */
#ifndef GEN_CDECL_H
#define GEN_CDECL_H

#include "abi/abi.h"

struct cdecl_enumerator;
struct cdecl_printed;

/* What stands for the type of a field. */
struct cdecl_name {
	const char *text;   /* "struct UVM_FREE_PARAMS_V590" */
	const char *remark; /* what that does not say, for the field's comment: "enum NV_MODE"; NULL */
	const uint64_t *dimension; /* of the base itself, innermost last: "int *(*)[3][2]" may be [2] of a pointer to int *[3] */
	size_t dimension_count;
};

/* Names that are not the document's own. */
struct cdecl_names {
	const void *of;
	/* Sets *@out for @base, the type of a field without dimensions. Return: false if it is not known. */
	bool (*find)(struct cdecl_name *out, const void *of, const char *base);
};

struct cdecl {
	struct strbuf *out;
	const struct abi *abi;
	const struct cdecl_names *names; /* NULL: types are called as the document calls them. Else records without name alone stand in place */
	bool expand;               /* what a declaration needs stands before it */
	struct cdecl_printed *printed; /* types that are on @out, each once */
	struct cdecl_enumerator *enumerators; /* that are on @out */
	struct arena arena;
	size_t depth, entered;     /* of records inside others; how many there were */
	size_t bodies;             /* that were begun of the outermost record, itself among them */
};

/* cdecl_release - also after an error */
void cdecl_release(struct cdecl *writer);

/*
 * Each returns 0; ERR_FORMAT for a name that is none of C, and ERR_LAYOUT for
 * what no declaration can say: a document written by hand may hold both. ERR_LIMIT
 * if records nest too deep; what abi_resolve_type() returns.
 */
int cdecl_record(struct cdecl *writer, const struct abi_record *record, struct err *err);
int cdecl_enum(struct cdecl *writer, const struct abi_enum *one, struct err *err);
int cdecl_alias(struct cdecl *writer, const struct abi_alias *alias, struct err *err);
/* cdecl_record_as - the record alone, with the tag @tag, even if it was printed before */
int cdecl_record_as(struct cdecl *writer, const struct abi_record *record, const char *tag, struct err *err);
/* "#define NAME NUMBER" and a comment, which may be empty */
int cdecl_define(struct cdecl *writer, const char *name, const char *number, const char *comment, struct err *err);
/* cdecl_comment - text from outside as a comment, without a line's end */
void cdecl_comment(struct strbuf *out, const char *text);

/* cdecl_is_name - may a declaration of C have that name? No keyword. */
bool cdecl_is_name(const char *name);
/* cdecl_check_name - Return: 0; ERR_FORMAT if it may not. */
int cdecl_check_name(const char *name, struct err *err);
/* cdecl_is_builtin - are all words of @type C's own? "unsigned int" */
bool cdecl_is_builtin(const char *type);

#endif
