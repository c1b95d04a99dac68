/*
 * sniff/signals.h - signals to the tracer, while a workload runs
 *
 * Part of sniff/. What the terminal sends, it sends to the command as well: the tracer ignores it, and waits. What somebody sends to the tracer alone
 * (kill, timeout) is meant for the command, and goes on to it. What somebody sends to both, as a process group, the command gets once: which one it is,
 * shows when the command gets the second. What the command itself sends is for its parent, and ends here.
 */
#ifndef SNIFF_SIGNALS_H
#define SNIFF_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { SIGNALS_CAUGHT = 12 };

struct signals {
	struct sigaction before[SIGNALS_CAUGHT];
};

/* signals_begin - @child: that gets what is sent to the tracer; 0: an attached process, which gets none. One run at a time. */
void signals_begin(struct signals *signals, pid_t child);
void signals_end(const struct signals *signals);

/**
 * signals_is_again - has the command got this signal already, from who sent it to its process group?
 * @info: what the command is about to get, at @now_ns
 */
bool signals_is_again(const siginfo_t *info, uint64_t now_ns);

/* signals_command_ended - its number may soon be another process's: nothing goes on to it any more. */
void signals_command_ended(void);

/* signals_left - the signal that somebody sent since the command has ended, once, for what it left behind; 0: none */
int signals_left(void);

/* signals_arrived - has one come that ends the tracing of an attached process? */
bool signals_arrived(void);

#endif
