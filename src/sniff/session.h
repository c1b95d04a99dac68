/*
 * sniff/session.h - what one run of sniff knows of its workload
 *
 * Part of sniff/.
 */
#ifndef SNIFF_SESSION_H
#define SNIFF_SESSION_H

#include "sniff/ahead.h"
#include "sniff/device.h"
#include "sniff/filter.h"
#include "sniff/gather.h"
#include "sniff/sniff.h"
#include "sniff/traits.h"

#include <sys/ptrace.h>
#include <uthash.h>

/* A system call that a thread has begun. */
struct entry {
	uint32_t architecture;       /* AUDIT_ARCH_* */
	uint64_t number;
	uint64_t arguments[6];
	uint64_t instruction, stack;
};

/* What becomes of a call. */
enum answer_kind {
	ANSWER_NONE,     /* the kernel makes it */
	ANSWER_RESULT,   /* @result instead */
	ANSWER_CHANGED,  /* the kernel makes another one; then the arguments are as they were */
};

struct answer {
	enum answer_kind kind;
	int64_t result;
};

/* A system call that is watched, from its entry to its exit. */
struct watched {
	struct watched *next;
	struct device device;
	uint64_t number;            /* SYS_ioctl, SYS_mmap; with replay also those of paths.c, which become no messages */
	struct answer answer;
	uint64_t arguments[6];
	uint64_t instruction, stack; /* where it was made */
	uint64_t start_ns;
	bool is_restarted;          /* the kernel makes it again after a signal's handler */
	struct gathered gathered;
};

/* A thread of the workload. */
struct tracee {
	pid_t tid;
	pid_t pid;                    /* 0: not asked for yet */
	struct ahead ahead;
	int table;                    /* of device_table_open(); -1: none */
	struct watched *call;         /* that it is in; NULL */
	struct watched *interrupted;  /* by a signal, and neither made again nor given up; newest first */
	bool steps;                   /* into the handler of a signal */
	UT_hash_handle hh;
};

/* A descriptor of a process that was used as a device; or, with -1, the process itself. */
struct opened {
	struct { pid_t pid; int fd; } key;
	char path[DEVICE_PATH_MAX]; /* of the device that it was when it was used; "" not used yet */
	bool is_hidden;             /* what the process's descriptors are may not be asked, and it was said */
	bool has_foreign_calls;     /* the process: 32-bit or x32, and it was said */
	bool has_flags;             /* of an open that was answered */
	uint64_t flags;
	UT_hash_handle hh;
};

struct session {
	const struct sniff_options *options;
	const struct sniff_observer *observer;
	bool stops_at_all;            /* at every system call: there is no filter */
	struct traits traits;
	struct gather_scope scope;
	uint64_t began_ns;
	pid_t child;                  /* the command; 0: attached */
	size_t foreign_calls;         /* ioctls of the driver's devices by 32-bit and x32 programs */
	struct tracee *tracees;       /* by tid */
	unsigned table_count;         /* of them that have a table */
	struct opened *opened;
	char last_device[DEVICE_PATH_MAX]; /* that a descriptor was found to be */
	struct watched *unused;
	struct sniff_result result;
	struct gathered recorded;     /* of the recorded call that answers the last one */
	bool stopped_itself;          /* the command did so last, with SIGSTOP */
	bool is_ending;               /* all are killed */
	bool is_leaving;              /* all are detached from */
};

/* session_tracee - the thread of that number; it is added if it is not known. */
struct tracee *session_tracee(struct session *session, pid_t tid);
void session_forget(struct session *session, struct tracee *tracee);
void session_release(struct session *session);

/* session_pid - the process that a thread is of. */
pid_t session_pid(struct tracee *tracee);

/* session_table - its thread's descriptors, for device_of(); -1 if too many threads have theirs open. */
int session_table(struct session *session, struct tracee *tracee);

/* session_new_call - tracee->call becomes a call that began now. session_end_call() is due. */
struct watched *session_new_call(struct session *session, struct tracee *tracee, const struct entry *entry);
void session_end_call(struct session *session, struct watched *call);

/* session_opened - what is known of a descriptor; it is added if nothing is. */
struct opened *session_opened(struct session *session, pid_t pid, int fd);

/* session_forget_used - a process is another program now: its descriptors were not used yet. */
void session_forget_used(struct session *session, pid_t pid);

/* session_forget_opened - a process has ended, and another one may get its number. */
void session_forget_opened(struct session *session, pid_t pid);

uint64_t session_now_ns(void);

/* session_note - a sentence for the observer. */
void session_note(const struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* session_loss - the same, about calls that are not recorded. */
void session_loss(const struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
