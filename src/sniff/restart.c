#include "sniff/restart.h"

#include "sniff/arch.h"
#include "sniff/message.h"

#include <stdio.h>
#include <string.h>

/* include/linux/errno.h: never seen by programs, so no header of theirs has them. */
enum { ERESTARTSYS = 512, ERESTARTNOINTR = 513, ERESTARTNOHAND = 514, ERESTART_RESTARTBLOCK = 516 };

bool restart_may_follow(int64_t result)
{
	return result == -ERESTARTSYS || result == -ERESTARTNOINTR || result == -ERESTARTNOHAND || result == -ERESTART_RESTARTBLOCK;
}

bool restart_continue(struct tracee *tracee, const struct entry *entry)
{
	for (struct watched **at = &tracee->interrupted; *at; at = &(*at)->next) {
		struct watched *call = *at;

		if (call->number != entry->number || call->instruction != entry->instruction || call->stack != entry->stack ||
		    memcmp(call->arguments, entry->arguments, sizeof(call->arguments)) != 0)
			continue;
		*at = call->next;
		call->next = NULL;
		call->is_restarted = false;
		tracee->call = call;
		return true;
	}
	return false;
}

/* Has the process a handler for a signal? */
static bool is_caught(pid_t tid, int signal)
{
	char name[64], line[128];
	unsigned long long caught = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)tid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "SigCgt: %llx", &caught) == 1)
			break;
	if (file)
		fclose(file);
	return caught >> (signal - 1) & 1;
}

bool restart_must_look(const struct tracee *tracee, int signal)
{
	return tracee->interrupted && !tracee->interrupted->is_restarted && is_caught(tracee->tid, signal);
}

void restart_look(struct session *session, struct tracee *tracee)
{
	struct watched *call = tracee->interrupted;
	uint64_t pc;
	int64_t result;

	if (!arch_handler_returns(&pc, &result, tracee->tid))
		return;
	if (pc == call->instruction - sniff_arch.call_bytes) {
		call->is_restarted = true;
		return;
	}
	tracee->interrupted = call->next;
	message_end_call(session, tracee, call, result);
}
