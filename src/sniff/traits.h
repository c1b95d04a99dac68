/*
 * sniff/traits.h - what is in a record, asked once
 *
 * Part of sniff/. Most records have neither pointers nor descriptors, and to look for them takes longer than the call.
 */
#ifndef SNIFF_TRAITS_H
#define SNIFF_TRAITS_H

#include "abi/abi.h"

#include <stdbool.h>
#include <uthash.h>

struct trait {
	const char *record; /* the document's own string */
	bool has_fds, has_pointers;
	UT_hash_handle hh;
};

struct traits {
	const struct abi *abi;
	const struct pointer_rules *rules;
	struct trait *found;
};

/* traits_of - of a record that call_follow() named; until traits_release(). */
const struct trait *traits_of(struct traits *traits, const char *record);

void traits_release(struct traits *traits);

#endif
