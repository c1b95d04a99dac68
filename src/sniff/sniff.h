/*
 * sniff/sniff.h - run a command, and see what it asks of the driver
 *
 * The only room that traces processes. Three recorders:
 *
 *   ptrace               sniff.c, start.c, stops.c; watch.c: a call from entry to exit; gather.c: its memory;
 *                        device.c, process_memory.c, arch.c: what there is to know of another process
 *   a preloaded library  hook.c in the workload; preload.c; channel.c: the memory that both share
 *   gVisor's hook        listen.c
 *
 * files.c records what programs read besides. replay.c, answer.c and paths.c answer a workload's calls from a
 * trace; used.c says which ioctls it has made.
 *
 * The workload is as it was without: its output, its status, its signals. But set-user-id programs run
 * without their privilege, unless the tracer is root.
 */
#ifndef SNIFF_SNIFF_H
#define SNIFF_SNIFF_H

#include "abi/abi.h"
#include "base/base.h"
#include "decode/decode.h"
#include "history/history.h"

#include <stdbool.h>
#include <sys/types.h>
#include <uthash.h>

/*
 * The calls of a trace, to answer those of a workload from: who runs a command gives it the trace's messages.
 *
 * A call of the workload is answered by the first recorded call, of those that have answered none, with the
 * same device, request, inner number, sizes and inputs. Pointers and descriptors do not count as inputs, nor
 * does memory that the driver only writes. If there is none, by the first whose inputs differ only in bytes
 * that the driver changed: what is there before a call is often what another one left. Of a trace that has
 * only the bytes after a call (gVisor's), the inner number decides.
 */

struct replay;

/* What happens to a caller of sniff_run(). */
struct sniff_observer {
	/* The command runs, or the process is attached to: nothing can fail any more. */
	void (*started)(void *data);
	/*
	 * A call has ended. @chain is what it is, and what is inside, with the bytes before the call; empty
	 * for what is no ioctl of a family that the document has. All live until the function returns.
	 * Return: false to end the workload.
	 */
	bool (*message)(void *data, const struct trace_message *message, const struct call *chain,
			size_t chain_count);
	/* One finished sentence about what is not as the user may expect. */
	void (*note)(void *data, const char *sentence);
	/* The same about calls that were not recorded. */
	void (*loss)(void *data, const char *sentence);
	void *data;
};

enum { SNIFF_ALL = -1 };

struct sniff_options {
	const char *const *command;  /* ended by NULL; NULL: @pid */
	char *const *environment;    /* of the command */
	pid_t pid;                   /* a process that runs already; SNIFF_ALL: all that have a device open */
	bool survive;                /* the workload goes on without its tracer; every system call stops */
	uint64_t region_bytes;       /* of one range of memory, at most */
	const struct abi *abi;       /* the running driver's */
	const struct pointer_rules *pointers; /* that it follows */
	const struct device_rules *devices;   /* that are its own */
	/* answers the calls of its devices; NULL: the driver does. Used up: one run for each */
	struct replay *replay;
	bool replay_strictly; /* without answers that are given again, or to other addresses */
	bool notes_answers;   /* a note for each answer that is not exact */
	bool names_callers;   /* each call has the library that made it */
};

/* How well a recorded call fits the one that it answers. */
enum replay_fit {
	REPLAY_EXACT,    /* the same inputs, and the next of them */
	REPLAY_SIMILAR,  /* inputs differ only where the driver wrote, or in addresses */
	REPLAY_REPEATED, /* it has answered before: there are no more of them */
	REPLAY_REFUSED,  /* there is none */
	REPLAY_FIT_COUNT
};

struct sniff_result {
	int status;       /* of the command, as wait(2) has it */
	bool was_ended;   /* by the observer */
	/* of a replay: ioctls of the workload by how they were answered; recorded ones that answered none */
	size_t answered[REPLAY_FIT_COUNT], unasked;
};

/**
 * sniff_run - run a command until it and all that it started have ended
 *
 * With @pid: until all its threads have ended, or a SIGINT, SIGTERM or SIGHUP comes; then it goes on without
 * its tracer. With SNIFF_ALL only such a signal ends the run.
 * Return: 0; ERR_NOT_FOUND if there is no such command or process; ERR_IO if it cannot be started or traced,
 * with what to allow.
 */
int sniff_run(struct sniff_result *out, const struct sniff_options *options,
	      const struct sniff_observer *observer, struct err *err);

/* sniff_target - of documents, for programs of this machine: "x86_64-linux-gnu". */
const char *sniff_target(void);

struct replay *replay_new(void);
void replay_free(struct replay *replay); /* NULL is fine */

/* replay_add - the next message of the trace; copied. Headers are passed over, but for the version. */
void replay_add(struct replay *replay, const struct trace_message *message);

/* replay_version - of the driver that it was recorded with; "" if it is not known. */
const char *replay_version(const struct replay *replay);

/* replay_has_inputs - does it have the parameters from before a call, or no calls? gVisor's have none. */
bool replay_has_inputs(const struct replay *replay);

/* replay_is_empty - does it name no device and no file? */
bool replay_is_empty(const struct replay *replay);

/* --- what programs read of the driver besides ioctls ------------------------------------------------ */

/* A device node, or a file of /proc or /sys. */
struct driver_file {
	const char *path;
	uint32_t mode;              /* st_mode */
	uint64_t device;            /* st_rdev of a node */
	uint64_t size_bytes;        /* st_size, which is not the contents' in /proc and /sys */
	struct trace_bytes content; /* of a file that everybody may read; where a link leads to. NULL: none */
	UT_hash_handle hh;
};

struct driver_files {
	struct driver_file *by_path; /* in the order in which they were added */
	struct arena arena;
};

/**
 * files_record - those of this machine that @files does not have yet; they are added
 * @rules: which device nodes are the driver's
 * @tell:  gets a message (TRACE_FILE) for each, which lives until it returns
 */
void files_record(struct driver_files *files, const struct device_rules *rules,
		  void (*tell)(void *data, const struct trace_message *message), void *data);

/* files_add - a file of a trace. Return: false if there is one of that path. */
bool files_add(struct driver_files *files, const struct trace_message *message);

/* files_message - the message of a file, which has its memory. */
void files_message(struct trace_message *out, const struct driver_file *file);
void files_release(struct driver_files *files);

/* replay_files - those of the trace; none if it was recorded without. */
const struct driver_files *replay_files(const struct replay *replay);

/* --- the distinct ioctls that a workload has made, and whether a proxy supports them ---------------- */

/* What a proxy does with calls of one ioctl. Closed. */
enum sniff_support {
	SNIFF_FORWARDED,  /* its table has it; or there is no table */
	SNIFF_PASSED,     /* gVisor passes it through without an entry */
	SNIFF_REFUSED,    /* the driver refused it with the status that gVisor refuses what it lacks with */
	SNIFF_LACKING,    /* it is not supported */
};

/* Calls of one ioctl with one size and one answer. */
struct sniff_used {
	const char *family;
	uint64_t number;
	bool has_size;
	uint64_t size_bytes;  /* of the parameters */
	bool has_status;
	uint64_t status;
	int32_t ret, error;
	size_t count;         /* of calls */
	struct strbuf callers; /* each once, separated by ", " */
	enum sniff_support support;
};

/* What they are judged by. */
struct sniff_judge {
	const struct abi *abi;
	const struct table *table;      /* NULL: none */
	const struct table_node *node;  /* that stands for the driver's version; NULL: none does */
};

struct sniff_use {
	struct sniff_used *used; /* in the order of their first call */
	size_t count, capacity;
	size_t slot_count, *slots; /* open addressing: an index, and 1 */
	/* the record that @status was looked for in last: the document's own string */
	const char *status_of;
	bool has_status;         /* it has one */
	struct call_field status;
	size_t unidentified;     /* calls of devices whose ioctls the document does not have */
	char unidentified_path[64]; /* of the first of them */
};

/**
 * sniff_use_add - count an ioctl
 * @chain: as sniff_observer gets it
 *
 * Return: what it is counted as, until the next call; NULL if it is unidentified.
 */
const struct sniff_used *sniff_use_add(struct sniff_use *use, const struct trace_message *message,
				       const struct call *chain,
				       size_t chain_count, const struct sniff_judge *judge);

void sniff_use_release(struct sniff_use *use);

/**
 * sniff_cover - the smallest set of capabilities of which each of @entries lists one
 * @out: NULL-terminated, in @arena
 *
 * Of several sets that are as small, the one that comes first in the order of table_caps, in which the
 * capabilities stand that a container has by default. Entries that list none do not count. Words that are not
 * in table_caps come after them, by name.
 */
void sniff_cover(const char *const **out, const struct table_entry *const *entries, size_t count,
		 struct arena *arena);

#define DRIVER_VERSION_FILE "/proc/driver/nvidia/version"

/**
 * driver_version_find - the version in the text of /proc/driver/nvidia/version
 * @out: in @arena
 *
 * "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64 590.48.01 Release Build ...": the first word of
 * digits and dots.
 * Return: false if there is none.
 */
bool driver_version_find(const char **out, const char *text, struct arena *arena);

/* driver_version_read - of this machine. Return: 0; ERR_NOT_FOUND if no driver runs; ERR_FORMAT. */
int driver_version_read(const char **out, struct arena *arena, struct err *err);

/*
 * To run a command with libc's ioctl() recorded by a library that is preloaded is faster than tracing, and
 * needs no permission to trace; but it sees only what calls libc's ioctl(): no static programs, no raw system
 * calls, no programs with privileges of their own.
 */

struct preload_options {
	const char *library;          /* path of libdrvabi-preload.so */
	const char *const *command;   /* ended by NULL */
	char *const *environment;     /* of the command */
	const struct abi *abi;        /* the running driver's; NULL: nothing is followed */
	const struct pointer_rules *rules;
	const struct device_rules *devices;
	uint64_t region_bytes;        /* of one range of memory, at most */
};

struct preload_observer {
	/* The command runs: nothing can fail any more. */
	void (*started)(void *data);
	/* Whole messages, as they stand in a trace: to be written. Return: false to end the workload. */
	bool (*bytes)(void *data, const void *bytes, size_t size_bytes);
	/*
	 * NULL, or each of them: an ioctl, or the first use of a descriptor, in the order in which they
	 * ended; lives until the function returns. To unpack them costs as much as to record them. Return:
	 * false to end the workload.
	 */
	bool (*message)(void *data, const struct trace_message *message);
	/* One finished sentence about calls that were not recorded. */
	void (*loss)(void *data, const char *sentence);
	void *data;
};

struct preload_result {
	int status;      /* of the command, as wait(2) has it */
	bool was_ended;  /* by the observer */
};

/**
 * preload_run - run a command until it and all that it started have ended
 *
 * What is sent to this process alone (SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM) goes on to
 * the command, or, when that has ended, to the processes that it left behind; the terminal's signals are left
 * to them. Children that this process has already are not waited for.
 * Return: 0; ERR_NOT_FOUND if there is no such command or library; ERR_IO if it cannot be started.
 */
int preload_run(struct preload_result *out, const struct preload_options *options,
		const struct preload_observer *observer, struct err *err);

/*
 * gVisor's ioctl_sniffer is a library that is preloaded into a workload. Each thread of it connects to a Unix
 * socket, whose path is in GVISOR_IOCTL_SNIFFER_SOCKET_PATH, and writes its ioctls as a stream of messages.
 *
 * Whoever may write to the socket can connect, and may send anything. What is no message of gVisor's is read
 * and thrown away: a connection that were closed would end its program with SIGPIPE, and one that is not read
 * would hold it up.
 */

struct listen_options {
	const char *path;   /* of the socket, which is made, and removed at the end */
	bool until_gone;    /* end when there was a connection, and none is left; else only by a signal */
};

/* What a caller of listen_run() gets; @data is the last member. */
struct listen_observer {
	/* The socket is there. */
	void (*started)(void *data);
	/*
	 * An ioctl, in the order of arrival: fd_path, request, ret, after, and the pid of the process that
	 * connected. Return: false to end.
	 */
	bool (*message)(void *data, const struct trace_message *message);
	/* One finished sentence about a connection. */
	void (*note)(void *data, const char *sentence);
	void *data;
};

/**
 * listen_run - listen until SIGINT, SIGTERM or SIGHUP, or as @options says
 *
 * What has arrived when the signal comes is passed on. A socket that nobody listens at any more is replaced.
 * Return: 0; ERR_IO if there can be no socket of that path, and why.
 */
int listen_run(const struct listen_options *options, const struct listen_observer *observer, struct err *err);

#endif
