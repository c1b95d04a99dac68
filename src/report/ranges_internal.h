/*
 * report/ranges_internal.h - words about ranges that text and Markdown share
 *
 * Private to report/. None of them is escaped.
 */
#ifndef REPORT_RANGES_INTERNAL_H
#define REPORT_RANGES_INTERNAL_H

#include "report/findings.h"
#include "report/ranges.h"

/* Does a version say "I need a node of my own"? Others may use it. */
bool ranges_is_new_node(const struct ranges *ranges, size_t version);

/**
 * ranges_served - "590.* and 595.*": what a node that is made for @first would serve, itself included
 *
 * "590.*" only if that is every version whose first number is 590, and there are several. Return: how many versions.
 */
size_t ranges_served(struct strbuf *out, const struct ranges *ranges, size_t first);

/* ranges_needs - why those versions need it: the findings of all of them; @fold: see findings_group() */
void ranges_needs(struct finding_blocks *out, const struct ranges *ranges, size_t first, bool fold, struct arena *arena);

/* ranges_entry_note - "72 to 88 bytes, 2 fields": what differs of a block's entries */
void ranges_entry_note(struct strbuf *out, const struct finding_block *block);

/* ranges_could_go - is it a node that could go? */
bool ranges_could_go(const struct ranges_node *node);

/* ranges_going - why it could go, as a clause: "forwards just what 1.0 does" */
void ranges_going(struct strbuf *out, const struct ranges_node *node);

/* ranges_staying - of the nodes that could not go, what is worth a sentence each; empty if nothing is */
void ranges_staying(struct strbuf *out, const struct ranges *ranges);

/* ranges_fit_words - "may use 1.0", "need a new node after 1.0" */
void ranges_fit_words(struct strbuf *out, const struct ranges_version *version);

/* ranges_same_fit - could two versions stand in one list? */
bool ranges_same_fit(const struct ranges_version *a, const struct ranges_version *b);

#endif
