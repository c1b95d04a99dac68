/*
 * gen/go_type.h - one type as Go
 *
 * Inside the room.
 */
#ifndef GEN_GO_TYPE_H
#define GEN_GO_TYPE_H

#include "gen/gen.h"

/* go_type_add - append an empty line and @type, in style nvproxy with its accessors. */
void go_type_add(struct strbuf *out, const struct proxytype *type, enum gen_style style);

#endif
