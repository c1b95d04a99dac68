/*
 * extract/params.h - the parameter record of an ioctl, by the rules of a profile
 *
 * Layer L2, inside ioctls/. For families whose members are macros or
 * enumerators, where no route (routes.h) states the record, and for deprecated
 * commands. The rules are tried in their order. Control commands have their
 * records from the method tables (nvoc.h), classes from rs_entry.h.
 */
#ifndef EXTRACT_PARAMS_H
#define EXTRACT_PARAMS_H

#include "extract/family.h"

/* A macro or an enumerator that is an ioctl. */
struct ioctl_candidate {
	const char *name;
	const char *body; /* of the macro, with its comments; "" of an enumerator */
	const char *source;
	struct abi_number value;
	const struct macro *macro; /* NULL of an enumerator */
};

struct params_rule;

/* The rules of a family, compiled. */
struct params_rules {
	struct params_rule *rules;
	size_t count;
};

/* params_rules_compile - @out is to be released, also on failure. Return: 0; ERR_FORMAT for a malformed regular expression. */
int params_rules_compile(struct params_rules *out, const struct profile_family *family, struct err *err);
void params_rules_release(struct params_rules *params);

/* params_rules_find - NULL if no rule gives a record or alias that exists, or a rule says that there is none (""). */
const char *params_rules_find(const struct params_rules *params, const struct ioctl_candidate *member,
				const struct abi_builder *builder, struct arena *arena);

/**
 * params_of_macro - the record that the family's rules give the ioctl of @macro
 * @out: NULL if none of them names a record or alias that exists
 *
 * Return: 0; ERR_FORMAT for a rule whose regular expression is malformed.
 */
int params_of_macro(const char **out, const struct family_context *context, const struct macro *macro, struct err *err);

#endif
