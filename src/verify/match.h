/*
 * verify/match.h - does a proxy's layout meet a driver's record, byte by byte?
 *
 * Inside the room.
 */
#ifndef VERIFY_MATCH_H
#define VERIFY_MATCH_H

#include "verify/proxy.h"
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
 * match_record - every way in which @proxy does not meet @record
 * @about: family, entry and record of the findings
 * @leaves: raised by the number of driver leaves that were compared
 *
 * Return: 0; ERR_NOT_FOUND, ERR_FORMAT or ERR_LIMIT for a document whose types do not resolve.
 */
int match_record(struct finding_list *list, const struct abi *abi, const struct abi_record *record,
		 const struct proxy_layout *proxy, const struct verify_finding *about, size_t *leaves, struct err *err);

#endif
