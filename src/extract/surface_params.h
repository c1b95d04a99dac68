/*
 * extract/surface_params.h - the parameter record of an ioctl, by the rules of a profile
 *
 * Layer L2, inside extract/. For families whose members are macros or
 * enumerators. The rules are tried in their order.
 */
#ifndef EXTRACT_SURFACE_PARAMS_H
#define EXTRACT_SURFACE_PARAMS_H

#include "abi/abi.h"

/* A macro or an enumerator that is an ioctl. */
struct surface_member {
	const char *name;
	const char *body; /* of the macro, with its comments; "" of an enumerator */
	const char *source;
	struct abi_number value;
};

struct params_rule;

/* The rules of a family, compiled. */
struct surface_params {
	struct params_rule *rules;
	size_t count;
};

/* surface_params_compile - @out is to be released, also on failure. Return: 0; ERR_FORMAT for a malformed regular expression. */
int surface_params_compile(struct surface_params *out, const struct profile_family *family, struct err *err);
void surface_params_release(struct surface_params *params);

/* surface_params_find - NULL if no rule gives a record or alias that exists, or a rule says that there is none (""). */
const char *surface_params_find(const struct surface_params *params, const struct surface_member *member,
				const struct abi_builder *builder, struct arena *arena);

#endif
