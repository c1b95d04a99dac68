/*
 * gen/hole.h - what stands between fields, and where a field is
 *
 * Inside the room. @depth is of indents.
 */
#ifndef GEN_HOLE_H
#define GEN_HOLE_H

#include "gen/cdecl.h"

/* hole_write - a hole of @bits, and what fills it where the compiler would leave none. @body: the braces that it is in, 1 the outermost, and @at_bits, where it begins there, are in the filler's name */
void hole_write(struct strbuf *out, size_t depth, size_t body, uint64_t at_bits, uint64_t bits, uint64_t fill_bytes, const char *what);

/* hole_fill_bits - bits before a bit-field: unnamed ones, of a type that never straddles, or bytes if they are many */
void hole_fill_bits(struct strbuf *out, size_t depth, size_t body, uint64_t at_bits, uint64_t bits);

/* hole_write_offset - where a field is, as a comment. @base_bits: where its record begins in the outermost one; @remark: NULL for none */
void hole_write_offset(struct strbuf *out, const struct abi_field *field, uint64_t base_bits, const char *remark);

#endif
