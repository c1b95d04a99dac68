/*
 * verify/suppress.h - findings that were reviewed and accepted
 *
 * Part of the room's public face. One line each, '#' begins a comment:
 *
 *   RULE ENTRY VERSIONS EXPIRES REASON...
 *   not-simple NV2080_CTRL_CMD_X 550.40.07..570.86.15 2027-01-31 fd is an index
 *
 * RULE is a rule or '*' (every rule but "unavailable"), ENTRY a glob over the entry's name, VERSIONS '*', one
 * version, or a range FIRST..LAST of which either end may be missing, EXPIRES
 * a day or 'never'; the reason may not be missing. A line of the rule
 * "unavailable" names its versions, both ends, and has a day. A line that suppresses
 * nothing, one whose day has passed, and one whose reason is a TODO (verify
 * --write-suppress writes such reasons) are themselves reported.
 */
#ifndef VERIFY_SUPPRESS_H
#define VERIFY_SUPPRESS_H

#include "verify/verify.h"

struct suppression {
	unsigned line;       /* in the file, from 1 */
	bool any_rule;
	unsigned rule;       /* an enum verify_rule; in a file of diff, an enum diff_class */
	const char *rule_text, *versions, *expires_text; /* as the file has them, for reports */
	const char *entry;   /* glob */
	const char *first, *last; /* "" is no bound */
	unsigned expires;    /* the last day on which it holds: year * 10000 + month * 100 + day; 0: never */
	const char *reason;
	bool unexplained;    /* the reason begins with the word TODO */
	bool expired;        /* as of the day it was read */
	size_t used;         /* findings that it suppressed */
	bool untried;        /* it is for versions of the table that this run compared none of */
};

struct suppressions {
	const char *path;
	struct suppression *item;
	size_t count;
};

/* Reads a word of the first column. Return: 0; ERR_FORMAT, naming the words that there are. */
typedef int (*suppress_word)(unsigned *word, const char *text, struct err *err);

/**
 * suppressions_parse - read a suppression file's text, whose first column has verify's rules
 * @today: as in struct suppression; a line that expired before it suppresses nothing
 *
 * Return: 0; ERR_FORMAT naming path and line.
 */
int suppressions_parse(struct suppressions *out, const char *text, const char *path, unsigned today, struct arena *arena,
		       struct err *err);

/* suppressions_parse_words - the same of a file whose first column has other words. */
int suppressions_parse_words(struct suppressions *out, const char *text, const char *path, unsigned today, suppress_word word,
			     struct arena *arena, struct err *err);

/**
 * suppressions_find - the first line that covers a finding
 * @rule:  as in struct suppression
 * @entry: the name of what was found
 *
 * Return: NULL if there is none. The caller counts what it suppresses.
 */
struct suppression *suppressions_find(const struct suppressions *suppressions, unsigned rule, const char *entry, const char *version);

/**
 * suppressions_try - marks the lines that are untried; call it when all versions have been compared
 * @compared: their names
 *
 * A line that suppressed nothing is untried if none of @compared is of its versions,
 * but a node of @table is. A line for versions that do not exist is unused. Without a @table,
 * every line that is for others than @compared is untried.
 */
void suppressions_try(struct suppressions *suppressions, const struct table *table, const char *const *compared, size_t count);

/* A finding and the line that suppressed it. */
struct suppressed {
	const struct verify_finding *finding;
	const struct suppression *by;
};

/**
 * suppressions_apply - remove the findings that are accepted
 * @suppressed: the removed findings, in the same order, the unseen ones last; lives in @arena
 * @result: its findings, and the unseen ones, become those that are left, in the same order
 *
 * The first line that covers a finding suppresses it, and counts it.
 * Return: how many findings were removed.
 */
size_t suppressions_apply(const struct suppressed **suppressed, struct verify_result *result, struct suppressions *suppressions,
			  const char *version, struct arena *arena);

#endif
