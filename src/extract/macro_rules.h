/*
 * extract/macro_rules.h - which macros a profile asks for
 *
 * Layer L2, inside extract/. A hundred thousand names are tried: patterns
 * are split once, and those that cannot match in a file are set aside
 * when the file is entered.
 */
#ifndef EXTRACT_MACRO_RULES_H
#define EXTRACT_MACRO_RULES_H

#include "abi/abi.h"
#include "base/ctext.h"

struct macro_rules;

/* Who wants a macro. */
struct macro_wish {
	bool constant; /* profile->constants */
	bool family;   /* a family of ioctls */
	bool number;   /* a family whose members are these macros, so that each must have a value */
	bool kind;     /* a family that asks how its numbers are made (macro_kinds.h) */
	bool extra;    /* profile_want_constants() asks for it, and no rule of the profile that is about constants */
};

/* One #define of a name that is wanted. */
struct macro_definition {
	const char *name;
	const char *text;  /* the body without comments */
	const char *shown; /* the body with them */
	unsigned line;
	const char *parameters;   /* "ev,len"; NULL of an object-like macro */
	const char *call;         /* of more than a name or a call, "(unsigned)_IO('T', 5)": the call in it; else NULL */
	const char *const *names; /* of an object-like one whose kind is wanted: the macros that its text may name outside of calls */
	size_t name_count;
	unsigned parameter_count;
	struct macro_wish wish;
};

/* Return: 0; ERR_FORMAT for a value pattern that is no regular expression. */
int macro_rules_new(struct macro_rules **out, const struct profile *profile, struct arena *arena, struct err *err);
void macro_rules_free(struct macro_rules *rules); /* takes NULL */

/* macro_rules_enter - the names to come are defined in @file of @unit; both outlive @rules, and are known by their addresses. */
void macro_rules_enter(struct macro_rules *rules, const char *file, const char *unit);
/* macro_rules_want_functions - may a function-like macro be wanted in that file? */
bool macro_rules_want_functions(const struct macro_rules *rules);

enum macro_verdict {
	MACRO_UNKNOWN,  /* no rule of this file names it, whatever its text */
	MACRO_REJECTED, /* its text is not what the rules for its name want */
	MACRO_WANTED,
};

/* macro_rules_apply - all about @define, in @arena; only if it is wanted. */
enum macro_verdict macro_rules_apply(struct macro_definition *out, struct macro_rules *rules, const struct define *define,
		      struct arena *arena);

#endif
