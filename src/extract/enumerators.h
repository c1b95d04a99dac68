/*
 * extract/enumerators.h - enumerators that the profile wants as constants
 *
 * Layer L2, inside extract/. The driver's status codes are enumerators of an
 * enum without a name.
 */
#ifndef EXTRACT_ENUMERATORS_H
#define EXTRACT_ENUMERATORS_H

#include "abi/abi.h"

/* enumerators_add - those of @one that profile->constants asks for. Their names must outlive @builder. */
void enumerators_add(struct abi_builder *builder, const struct profile *profile, const struct abi_enum *one);

#endif
