/*
 * report/c_writer.h - declarations of C out of a document
 *
 * Private to report/. Records, enums and aliases with offsets and sizes in
 * comments, unnamed ones inside the record that has them, as pahole prints
 * them. The attributes that bring fields to their offsets are c_layout.h's.
 */
#ifndef REPORT_C_WRITER_H
#define REPORT_C_WRITER_H

#include "abi/abi.h"

struct c_enumerator;
struct c_printed;

struct c_writer {
	struct strbuf *out;
	const struct abi *abi;
	bool expand;               /* what a declaration needs stands before it */
	struct c_printed *printed; /* types that are on @out, each once */
	struct c_enumerator *enumerators; /* that are on @out */
	struct arena arena;
	size_t depth, entered;     /* of records inside others; how many there were */
};

/* c_writer_release - also after an error */
void c_writer_release(struct c_writer *writer);

/*
 * Each returns 0; ERR_FORMAT for a name that is none of C, and ERR_LAYOUT for
 * what no declaration can say: a document written by hand may hold both. ERR_LIMIT
 * if records nest too deep; what abi_resolve_type() returns.
 */
int c_write_record(struct c_writer *writer, const struct abi_record *record, struct err *err);
int c_write_enum(struct c_writer *writer, const struct abi_enum *one, struct err *err);
int c_write_alias(struct c_writer *writer, const struct abi_alias *alias, struct err *err);
/* "#define NAME NUMBER" and a comment, which may be empty */
int c_write_define(struct c_writer *writer, const char *name, const char *number, const char *comment, struct err *err);
/* c_write_comment - text from outside as a comment, without a line's end */
void c_write_comment(struct strbuf *out, const char *text);

#endif
