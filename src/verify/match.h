/*
 * verify/match.h - does a proxy's layout meet a driver's type, byte by byte?
 *
 * Inside the room.
 */
#ifndef VERIFY_MATCH_H
#define VERIFY_MATCH_H

#include "verify/findings.h"
#include "verify/meet.h"

/* What a match is about. */
struct match_subject {
	const struct meet_driver *driver;
	const char *type;          /* a record, or an alias of anything */
	uint64_t size_bytes;       /* of it */
	const struct proxy_layout *proxy;
	const struct verify_finding *about; /* family, entry and record of the findings */
};

/**
 * match_type - every way in which the proxy's layout does not meet the driver's type
 * @leaves: raised by the number of driver leaves that were compared
 *
 * Return: 0; ERR_NOT_FOUND, ERR_FORMAT or ERR_LIMIT for a document whose types do not resolve.
 */
int match_type(struct finding_list *list, const struct match_subject *subject, size_t *leaves, struct err *err);

#endif
