#include "sniff/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

void session_loss(const struct session *session, const char *format, ...)
{
	struct err line;
	va_list list;

	va_start(list, format);
	vsnprintf(line.text, sizeof(line.text), format, list);
	va_end(list);
	session->observer->loss(session->observer->data, line.text);
}

struct tracee *session_tracee(struct session *session, pid_t tid)
{
	struct tracee *tracee;

	HASH_FIND_INT(session->tracees, &tid, tracee);
	if (tracee)
		return tracee;
	tracee = xmalloc(sizeof(*tracee));
	*tracee = (struct tracee){ .tid = tid, .table = -1 };
	HASH_ADD_INT(session->tracees, tid, tracee);
	return tracee;
}

void session_forget(struct session *session, struct tracee *tracee)
{
	HASH_DEL(session->tracees, tracee);
	ahead_release(&tracee->ahead);
	if (tracee->table >= 0) {
		close(tracee->table);
		session->table_count--;
	}
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

void session_forget_used(struct session *session, pid_t pid)
{
	struct opened *opened, *next;

	HASH_ITER(hh, session->opened, opened, next)
		if (opened->key.pid == pid) {
			*opened->path = '\0';
			opened->is_hidden = opened->has_foreign_calls = false;
		}
}

void session_forget_opened(struct session *session, pid_t pid)
{
	struct opened *opened, *next;

	HASH_ITER(hh, session->opened, opened, next)
		if (opened->key.pid == pid) {
			HASH_DEL(session->opened, opened);
			free(opened);
		}
}

pid_t session_pid(struct tracee *tracee)
{
	char name[64], line[128];
	FILE *file;
	int pid;

	if (tracee->pid)
		return tracee->pid;
	tracee->pid = tracee->tid;
	snprintf(name, sizeof(name), "/proc/%d/status", (int)tracee->tid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Tgid: %d", &pid) == 1) {
			tracee->pid = pid;
			break;
		}
	if (file)
		fclose(file);
	return tracee->pid;
}

/* Descriptors of this process are few: often 1,024. */
int session_table(struct session *session, struct tracee *tracee)
{
	enum { TABLES_MAX = 128 };

	if (tracee->table < 0 && session->table_count < TABLES_MAX) {
		tracee->table = device_table_open(tracee->tid);
		session->table_count += tracee->table >= 0;
	}
	return tracee->table;
}

struct watched *session_new_call(struct session *session, struct tracee *tracee, const struct entry *entry)
{
	struct watched *call = session->unused;

	if (call) {
		session->unused = call->next;
	} else {
		call = xmalloc(sizeof(*call));
		memset(call, 0, sizeof(*call));
	}
	call->next = NULL;
	call->is_restarted = false;
	call->number = entry->number;
	memcpy(call->arguments, entry->arguments, sizeof(call->arguments));
	call->instruction = entry->instruction;
	call->stack = entry->stack;
	call->start_ns = session_now_ns();
	call->answer = (struct answer){ .kind = ANSWER_NONE };
	call->gathered.count = call->gathered.chain_count = call->gathered.reference_count = 0;
	tracee->call = call;
	return call;
}

void session_end_call(struct session *session, struct watched *call)
{
	call->next = session->unused;
	session->unused = call;
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
