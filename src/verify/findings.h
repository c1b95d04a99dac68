/*
 * verify/findings.h - a list of findings while it is built
 *
 * Inside the room.
 */
#ifndef VERIFY_FINDINGS_H
#define VERIFY_FINDINGS_H

#include "verify/verify.h"

/* A growing list of findings; the strings inside live in @arena, the list is freed with free(). */
struct finding_list {
	struct verify_finding *item;
	size_t count, capacity;
	struct arena *arena;
};

/* finding_add - a copy of @finding, its message formatted into the arena. */
void finding_add(struct finding_list *list, struct verify_finding finding, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * finding_fold - one finding for all elements of an array, from the @first one of @list on
 *
 * What differs in nothing but the indices of its path ("e[0].fd", "e[1].fd")
 * becomes one finding, for the first element; its message counts the others.
 */
void finding_fold(struct finding_list *list, size_t first);

/* finding_sort - the order of struct verify_result. */
void finding_sort(struct finding_list *list);

#endif
