/*
 * bootstrap/caps.h - the capabilities under which a proxy exposes an ioctl: those that were observed, or a guess
 *
 * Part of bootstrap/, and of its public face. caps.c says what a guess rests on.
 */
#ifndef BOOTSTRAP_CAPS_H
#define BOOTSTRAP_CAPS_H

#include "bootstrap/observed.h"

struct bootstrap_caps {
	const char *const *caps; /* sorted; none: the evidence is not enough to write them down */
	size_t count;
	const char *const *likely; /* what most of the neighbours have; none if there is no neighbour. The same as @caps, if these are set */
	size_t likely_count;
	const char *evidence;    /* one phrase: "9 of 10 in 2080.12", "the word FABRIC", "observed in compute.trace" */
	const struct table_entry *from; /* the entry that it supersedes; NULL */
};

/* An ioctl to guess for. */
struct bootstrap_subject {
	const char *family;
	const char *name;
	uint64_t number;
	const struct table_entry *superseded; /* known to be its older form; NULL: caps.c looks for one */
	const struct bootstrap_observed *observed; /* what it was seen in, of all ioctls; NULL: nothing */
};

/* bootstrap_guess - @out: lives in @arena. @view: the table at the version; an entry of the subject's own family and name is left out. */
void bootstrap_guess(struct bootstrap_caps *out, const struct table_view *view, const struct bootstrap_subject *subject, struct arena *arena);

#endif
