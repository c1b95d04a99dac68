/*
 * sniff/signals.h - signals to the tracer, while a workload runs
 *
 * Part of sniff/. What the terminal sends, it sends to the command as well: the tracer ignores it, and waits. What somebody sends to the tracer alone
 * (kill, timeout) is meant for the command.
 */
#ifndef SNIFF_SIGNALS_H
#define SNIFF_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum { SIGNALS_CAUGHT = 8 };

struct signals {
	struct sigaction before[SIGNALS_CAUGHT], alarm_before;
};

/* signals_begin - @child: that gets what is sent to the tracer; 0: an attached process, which gets none. One run at a time. */
void signals_begin(struct signals *signals, pid_t child);
void signals_end(const struct signals *signals);

/* signals_arrived - has one come that ends the tracing of an attached process? */
bool signals_arrived(void);

#endif
