/*
 * verify/caps.h - the attack surface, in numbers: what each capability of a proxy exposes
 *
 * Part of the room's public face. A pure pass over a table; the driver is not
 * asked, so it works for unavailable versions as well.
 */
#ifndef VERIFY_CAPS_H
#define VERIFY_CAPS_H

#include "abi/abi.h"

/* What one capability exposes. */
struct caps_one {
	const char *name;
	bool is_known;           /* one of table_caps */
	size_t entries;          /* that list it */
	size_t adds;             /* that list it and none of the capabilities before it in struct caps */
	size_t own;              /* that list it and no other at all */
	const size_t *by_family; /* of @entries, for each family of struct caps */
};

/* Entries that list exactly the same capabilities. */
struct caps_set {
	const char *const *caps; /* sorted */
	size_t cap_count;
	const struct table_entry *const *entries; /* by family, then name */
	size_t entry_count;
};

struct caps {
	const struct table_view *view;
	const char *const *families; /* sorted; every one that the view has */
	size_t family_count;
	const struct caps_one *caps; /* as asked for; else in the order of table_caps, then others by name */
	size_t cap_count;
	const struct caps_set *sets; /* with at least one of @caps; most entries first */
	size_t set_count;
	size_t reached;              /* entries that list at least one of @caps: the sum of all @adds */
	const struct table_entry *const *unreached; /* that list no capability at all */
	size_t unreached_count;
};

/**
 * caps_count - who exposes what, at one version of the table
 * @out: lives in @arena; @view must outlive it
 * @wanted: only these, in this order, each once; NULL: all
 */
void caps_count(struct caps *out, const struct table_view *view, const struct profile_strings *wanted, struct arena *arena);

/* What a capability exposes now and did not before, and the reverse. */
struct caps_change {
	const char *name;
	const struct table_entry *const *gained; /* entries of the newer view */
	size_t gained_count;
	const struct table_entry *const *lost;   /* entries of the older view */
	size_t lost_count;
};

struct caps_since {
	const struct table_view *base;
	const struct caps_change *changes; /* one for each of @next's capabilities, in its order */
	size_t change_count;
};

/* caps_compare - @base is the older view; both it and @next must outlive @out, which lives in @arena. */
void caps_compare(struct caps_since *out, const struct caps *next, const struct table_view *base, struct arena *arena);

/* caps_lists - does @entry list @cap? */
bool caps_lists(const struct table_entry *entry, const char *cap);

#endif
