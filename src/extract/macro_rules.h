/*
 * extract/macro_rules.h - which macros a profile asks for
 *
 * Layer L2, inside extract/. The patterns of profile->constants and of the
 * families, prepared so that most names are turned down at their first bytes.
 */
#ifndef EXTRACT_MACRO_RULES_H
#define EXTRACT_MACRO_RULES_H

#include "abi/abi.h"
#include "extract/scan.h"

struct macro_rules;

/* Return: 0; ERR_FORMAT for a value pattern that is no regular expression. */
int macro_rules_new(struct macro_rules **out, const struct profile *profile, struct arena *arena, struct err *err);
void macro_rules_free(struct macro_rules *rules); /* takes NULL */

/* macro_rules_may_match - could any rule want @name? Quick; says yes too often. */
bool macro_rules_may_match(const struct macro_rules *rules, struct view name);
/**
 * macro_rules_is_constant - does profile->constants ask for it?
 * @file: path of the file that defines it
 * @body: raw; made readable in @arena only if a rule wants to see it
 */
bool macro_rules_is_constant(const struct macro_rules *rules, const char *name, const char *file, struct view body,
			     struct arena *arena);
/* macro_rules_in_family - does a family of ioctls ask for it, in this unit? */
bool macro_rules_in_family(const struct macro_rules *rules, const char *name, const char *unit);

#endif
