/*
 * gen/printed.h - what is on a writer's output already
 *
 * Inside the room. cdecl_release() forgets it.
 */
#ifndef GEN_PRINTED_H
#define GEN_PRINTED_H

#include "gen/cdecl.h"

/* printed_is_new - was @type, of the document, not printed before? It is from now on. */
bool printed_is_new(struct cdecl *writer, const void *type);

/* printed_is_new_enumerator - the same of an enumerator's name, in any enum: two units of a driver may both have one. @name outlives @writer */
bool printed_is_new_enumerator(struct cdecl *writer, const char *name);

#endif
