/*
 * history/asked.h - which changes of an edge are asked for
 *
 * Private to history/. A name or a number asks for everything of that name or
 * number, and an ioctl also asks for the records that it carries.
 */
#ifndef HISTORY_ASKED_H
#define HISTORY_ASKED_H

#include "history/history.h"
#include "history/command.h"

/* Does one of the filter's globs match @name (NULL: no)? Does it list @number? */
bool asked_name(const struct history_filter *filter, const char *name);
bool asked_number(const struct history_filter *filter, uint64_t number);

/* What a filter selects on one edge. */
struct asked {
	const struct history_filter *filter;
	const struct diff *diff;
	struct command_form base_form, next_form;
	const bool *base, *next; /* by ioctl of that version: it is asked for */
};

/*
 * asked_of - on the edge that @diff compares
 *
 * An ioctl is asked for on both sides if it is on one of them, whatever its
 * name and number are on the other.
 */
void asked_of(struct asked *out, const struct history_filter *filter, const struct diff *diff, struct arena *arena);

/* asked_is - is @change asked for, by the filter's names and numbers? */
bool asked_is(const struct asked *asked, const struct diff_change *change);

/*
 * asked_carriers - move the ioctls that are asked for to the front of a record's carriers
 * @change: its reached_by becomes another array, in @arena
 *
 * Return: how many they are. 0 for a change of any other kind.
 */
size_t asked_carriers(struct diff_change *change, const struct asked *asked, struct arena *arena);

#endif
