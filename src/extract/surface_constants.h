/*
 * extract/surface_constants.h - ioctls whose numbers are macros of the headers
 *
 * Layer L2, inside extract/. Every macro that the family's globs match is one
 * ioctl; its parameter record is found by the family's rules, in their order.
 */
#ifndef EXTRACT_SURFACE_CONSTANTS_H
#define EXTRACT_SURFACE_CONSTANTS_H

#include "extract/macros.h"

/**
 * surface_constants_add - the ioctls of one PROFILE_FROM_CONSTANTS family
 *
 * Return: 0; ERR_FORMAT for a rule whose regular expression is malformed.
 */
int surface_constants_add(struct abi_builder *builder, const struct profile_family *family,
			  const struct macro_index *macros, struct arena *arena, struct err *err);

#endif
