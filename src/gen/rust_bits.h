/*
 * gen/rust_bits.h - functions that read and write bit-fields in Rust, which has none
 *
 * Inside the room. A bit-field `mode` of a record is `mode()` and `set_mode(value)`, as bindgen has it: of the driver's type,
 * signed if that is. A value is cut to the field's width. What is wider than 64 bits, or has no name, has no functions.
 */
#ifndef GEN_RUST_BITS_H
#define GEN_RUST_BITS_H

#include "gen/plan.h"

/* What rust_bits_add() uses, once in a file: macro_rules! bit_fields. */
extern const char rust_bits_macro[];

/* rust_bits_has - does rust_bits_add() write something for it? */
bool rust_bits_has(const struct definition *definition);

/* rust_bits_add - append an empty line and the functions of a record, if it has bit-fields. @arena: for names */
void rust_bits_add(struct strbuf *out, const struct definition *definition, const struct plan *plan, struct arena *arena);

#endif
