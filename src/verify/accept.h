/*
 * verify/accept.h - a suppression file that covers every finding of a run
 *
 * Part of the room's public face; verify/suppress.h has the form of a line.
 */
#ifndef VERIFY_ACCEPT_H
#define VERIFY_ACCEPT_H

#include "verify/suppress.h"

/* The reason of a new line, until its author writes one. */
#define ACCEPT_TODO "TODO: say why this is accepted"

/* One version: the findings that are left, and those that lines suppressed. */
struct accept_version {
	const char *version;
	bool unavailable; /* it was not compared: it splits no run of versions, and has no new lines */
	const struct verify_result *result;
	const struct suppressed *suppressed;
	size_t suppressed_count;
};

struct acceptance {
	const char *rule, *entry, *versions, *expires, *reason; /* of the line; the first four are words of printable ASCII */
	const struct verify_finding *const *findings;           /* that it covers: one for each different sentence */
	size_t finding_count;
};

struct acceptances {
	const struct acceptance *item;
	size_t count;
	size_t unexplained; /* whose reason is a TODO */
};

/**
 * accept_findings - a line for everything that was found, unseen or not, by rule, entry and run of versions
 * @out: lives in @arena and points into @versions; the same for every order of @versions
 *
 * An unavailable version gets no line: for how long it is accepted is its author's to say.
 * Lines that suppressed something come first, in the order of their file and word
 * for word. A new one is exact: it names one rule, one entry, and versions
 * between the ends of which every version of the run has such a finding.
 *
 * Return: 0; ERR_FORMAT for a version or an entry's name that no line can hold.
 */
int accept_findings(struct acceptances *out, const struct accept_version *versions, size_t count, struct arena *arena, struct err *err);

#endif
