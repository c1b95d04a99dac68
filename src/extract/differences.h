/*
 * extract/differences.h - declarations that gcc lays out in another way than clang
 *
 * Layer L2, inside extract/. Drivers are built with gcc, and clang is asked. Where the two are known to differ, and no option makes clang
 * say what gcc says, the document has a warning with the place. docs/formats.md lists all of them; pragmas.c knows those of pragmas.
 */
#ifndef EXTRACT_DIFFERENCES_H
#define EXTRACT_DIFFERENCES_H

#include "extract/decl.h"

/* differences_of_record - of its definition: attributes, and each member's type. Once for each record. */
void differences_of_record(struct decls *decls, const struct decl *decl);

/* differences_of_forward - of a declaration that defines nothing, of a type that is defined. */
void differences_of_forward(struct decls *decls, CXCursor cursor);

/* differences_of_enum - its enumerators are known */
void differences_of_enum(struct decls *decls, const struct decl *decl);

void differences_of_typedef(struct decls *decls, CXCursor cursor);

#endif
