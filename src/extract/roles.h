/*
 * extract/roles.h - the roles of fields, remembered
 *
 * Layer L2, inside extract/. Roles come from matching patterns, which is
 * slow, and the same few names and types come again and again.
 */
#ifndef EXTRACT_ROLES_H
#define EXTRACT_ROLES_H

#include "abi/abi.h"

struct roles {
	const struct profile *profile; /* NULL: no roles */
	struct arena *arena;
	/* Private from here; zero at the start. */
	struct role_node *nodes;
	const char *record; /* the last one asked about */
	bool is_special;    /* a rule is for this record: its fields are not remembered */
};

/* roles_of - profile_role_of(). @record must stay the same string from field to field. */
enum abi_role roles_of(struct roles *roles, const char *record, const char *name, const char *type);
/* roles_forget - names of records are in other memory from now on; what was found about types and fields stays. */
void roles_forget(struct roles *roles);
void roles_release(struct roles *roles);

#endif
