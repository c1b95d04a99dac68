/*
 * A process that runs already: each of its threads is seized, and then interrupted, so that it stops at system calls from then on.
 * Threads that begin meanwhile are found by looking again, until none is new.
 */
#include "sniff/privilege.h"
#include "sniff/start.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long attach_options =
	PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;

/* The first thread may have, of a process that goes on. */
static bool has_ended(pid_t tid)
{
	char name[64], line[128], state = '\0';
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)tid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "State: %c", &state) == 1)
			break;
	if (file)
		fclose(file);
	return state == 'Z' || state == 'X';
}

/* Return: 1 if it was seized; 0 if it has ended, or was seized already; ERR_IO. */
static int seize_thread(struct session *session, pid_t tid, struct err *err)
{
	struct tracee *tracee;
	char what[64];

	HASH_FIND_INT(session->tracees, &tid, tracee);
	if (tracee)
		return 0;
	if (ptrace(PTRACE_SEIZE, tid, NULL, attach_options) < 0) {
		const int error = errno;

		if (error == ESRCH || has_ended(tid))
			return 0;
		snprintf(what, sizeof(what), "process %d", (int)session->options->pid);
		return privilege_refused(err, what, tid, error);
	}
	session_tracee(session, tid);
	ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	return 1;
}

/* Return: how many threads are new; ERR_*. */
static int seize_threads(struct session *session, struct err *err)
{
	struct dirent *entry;
	char name[64];
	int count = 0, rc = 0;
	DIR *dir;

	snprintf(name, sizeof(name), "/proc/%d/task", (int)session->options->pid);
	dir = opendir(name);
	if (!dir)
		return err_set(err, ERR_NOT_FOUND, "there is no process %d", (int)session->options->pid);
	while (rc >= 0 && (entry = readdir(dir))) {
		const pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (tid > 0 && (rc = seize_thread(session, tid, err)) > 0)
			count++;
	}
	closedir(dir);
	return rc < 0 ? rc : count;
}

int attach_process(struct session *session, struct err *err)
{
	int count;

	while ((count = seize_threads(session, err)) > 0)
		;
	if (count < 0)
		return count;
	if (!session->tracees)
		return err_set(err, ERR_NOT_FOUND, "process %d has ended", (int)session->options->pid);
	session->observer->started(session->observer->data);
	return 0;
}

void attach_leave(struct session *session)
{
	struct tracee *tracee, *next;

	session->is_leaving = true;
	HASH_ITER(hh, session->tracees, tracee, next)
		ptrace(PTRACE_INTERRUPT, tracee->tid, NULL, NULL);
}
