/*
 * sniff/traits.h - what the document says of a call's parameters, asked once
 *
 * Part of sniff/. Most records have neither pointers nor descriptors, and to look for them takes longer than the call.
 */
#ifndef SNIFF_TRAITS_H
#define SNIFF_TRAITS_H

#include "decode/decode.h"

#include <stdbool.h>
#include <uthash.h>

struct trait {
	struct {
		const struct abi_ioctl *ioctl;
		const char *record;       /* the document's own string */
	} key;
	bool has_fds, has_pointers;
	bool is_envelope;
	struct call_field inner_pointer; /* of an envelope, to what is inside */
	UT_hash_handle hh;
};

struct traits {
	const struct abi *abi;
	const struct pointer_rules *rules;
	struct trait *found;
	struct call_memo memo;
};

/* traits_of - of a call whose ioctl and record call_follow() has set; until traits_release(). */
const struct trait *traits_of(struct traits *traits, const struct call *call);

void traits_release(struct traits *traits);

#endif
