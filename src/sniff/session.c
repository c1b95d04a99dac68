#include "sniff/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t session_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void session_note(const struct session *session, const char *format, ...)
{
	struct err line;
	va_list list;

	va_start(list, format);
	vsnprintf(line.text, sizeof(line.text), format, list);
	va_end(list);
	session->observer->note(session->observer->data, line.text);
}

struct tracee *session_tracee(struct session *session, pid_t tid)
{
	struct tracee *tracee;

	HASH_FIND_INT(session->tracees, &tid, tracee);
	if (tracee)
		return tracee;
	tracee = xmalloc(sizeof(*tracee));
	*tracee = (struct tracee){ .tid = tid };
	HASH_ADD_INT(session->tracees, tid, tracee);
	return tracee;
}

void session_forget(struct session *session, struct tracee *tracee)
{
	HASH_DEL(session->tracees, tracee);
	free(tracee);
}

struct opened *session_opened(struct session *session, pid_t pid, int fd)
{
	struct opened wanted, *found;

	memset(&wanted, 0, sizeof(wanted)); /* with what lies between the members: it is a key */
	wanted.key.pid = pid;
	wanted.key.fd = fd;
	HASH_FIND(hh, session->opened, &wanted.key, sizeof(wanted.key), found);
	if (found)
		return found;
	found = xmalloc(sizeof(*found));
	*found = wanted;
	HASH_ADD(hh, session->opened, key, sizeof(found->key), found);
	return found;
}

void session_release(struct session *session)
{
	struct tracee *tracee, *next;
	struct opened *opened, *after;
	struct watched *call;

	HASH_ITER(hh, session->tracees, tracee, next)
		session_forget(session, tracee);
	HASH_ITER(hh, session->opened, opened, after) {
		HASH_DEL(session->opened, opened);
		free(opened);
	}
	gathered_release(&session->recorded);
	traits_release(&session->traits);
	while ((call = session->unused)) {
		session->unused = call->next;
		gathered_release(&call->gathered);
		free(call);
	}
}
