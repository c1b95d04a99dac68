/*
 * gen/rust_type.h - one type as Rust
 *
 * Inside the room.
 */
#ifndef GEN_RUST_TYPE_H
#define GEN_RUST_TYPE_H

#include "gen/definition.h"

/* rust_type_text - what a declaration calls @type: "[NvU32; 4]". In @arena, or constant. */
const char *rust_type_text(const struct definition_type *type, struct arena *arena);

#endif
