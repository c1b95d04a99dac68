/*
 * sniff/sniff.h - run a command, and record its ioctls on the driver's devices
 *
 * The only room that traces processes. Three recorders:
 *
 *   ptrace               sniff.c, start.c, stops.c; watch.c: a call from entry to exit; gather.c: its memory;
 *                        device.c, process_memory.c, arch.c: descriptors, memory, registers of another
 *                        process a preloaded library  hook.c in the workload; preload.c; channel.c: the
 *                        memory that both share gVisor's hook        listen.c
 *
 * files.c records the driver's files. replay.c, answer.c and paths.c answer a workload's calls from a trace.
 * used.c counts the distinct ioctls.
 *
 * The workload has the same output, status and signals as without a recorder. But set-user-id programs run
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
 * The calls of a trace, from which those of a workload are answered. The caller of sniff_run() adds the
 * trace's messages with replay_add().
 *
 * A call of the workload is answered by the first unused recorded call with the same device, request, inner
 * number, sizes and inputs. Pointers, descriptors, and memory that the driver only writes are not inputs. If
 * there is no such call, the first one answers whose inputs differ only in bytes that the driver changed:
 * these bytes are often left over from another call. In a trace that has only the bytes after a call
 * (gVisor's), the inner number decides.
 */

struct replay;

/* What happens to a caller of sniff_run(). */
struct sniff_observer {
	/* The command runs, or the process is attached to: sniff_run() cannot fail after this. */
	void (*started)(void *data);
	/*
	 * A call has ended. @chain has the call and the inner ones, with the bytes before the call; it is
	 * empty if the document has no such family of ioctls. All live until the function returns.
	 * Return: false to end the workload; only with @may_end, for which the thread that made the call
	 * stays stopped until the function has returned.
	 */
	bool (*message)(void *data, const struct trace_message *message, const struct call *chain,
			size_t chain_count);
	bool may_end;
	/* A finished sentence about something that the user may not expect. */
	void (*note)(void *data, const char *sentence);
	/* A finished sentence about calls that were not recorded. */
	void (*loss)(void *data, const char *sentence);
	void *data;
};

enum { SNIFF_ALL = -1 };

struct sniff_options {
	const char *const *command;  /* ended by NULL; NULL: @pid */
	char *const *environment;    /* of the command */
	pid_t pid;                   /* a running process; SNIFF_ALL: all that have a device open */
	bool survive;                /* the workload outlives its tracer; every system call stops */
	uint64_t region_bytes;       /* of one range of memory, at most */
	const struct abi *abi;       /* of the running driver */
	const struct pointer_rules *pointers; /* which pointers the driver follows */
	const struct device_rules *devices;   /* which devices are the driver's */
	/* answers the calls of the devices; NULL: the driver does. For one run: its calls are used up */
	struct replay *replay;
	bool replay_strictly; /* use no answer again, and none to other addresses */
	bool notes_answers;   /* write a note for each answer that is not exact */
	bool names_callers;   /* record the library that made each call */
};

/* How well a recorded call fits the one that it answers. */
enum replay_fit {
	REPLAY_EXACT,    /* the next unused call with the same inputs */
	REPLAY_SIMILAR,  /* inputs differ only where the driver wrote, or in addresses */
	REPLAY_REPEATED, /* it has answered before: no unused call fits */
	REPLAY_REFUSED,  /* no call fits */
	REPLAY_FIT_COUNT
};

struct sniff_result {
	int status;       /* of the command, as wait(2) has it */
	bool was_ended;   /* by the observer */
	/* with replay: the workload's ioctls by their answers; recorded ioctls that were not used */
	size_t answered[REPLAY_FIT_COUNT], unasked;
};

/**
 * sniff_run - run a command until it and all that it started have ended
 *
 * With @pid, the run ends when all threads of the process have ended, or at a SIGINT, SIGTERM or SIGHUP,
 * after which the process continues without its tracer. With SNIFF_ALL, only such a signal ends the run.
 * Return: 0; ERR_NOT_FOUND if there is no such command or process; ERR_IO if it cannot be started or traced,
 * and @err says what to allow.
 */
int sniff_run(struct sniff_result *out, const struct sniff_options *options,
	      const struct sniff_observer *observer, struct err *err);

/* sniff_target - the target of documents for programs of this machine: "x86_64-linux-gnu". */
const char *sniff_target(void);

struct replay *replay_new(void);
void replay_free(struct replay *replay); /* NULL is fine */

/* replay_add - add the next message of the trace, which is copied. Of a header, only the version is used. */
void replay_add(struct replay *replay, const struct trace_message *message);

/* replay_version - the version of the recorded driver; "" if it is not known. */
const char *replay_version(const struct replay *replay);

/* replay_has_inputs - true if the trace has parameters from before a call, or no calls. gVisor's has none. */
bool replay_has_inputs(const struct replay *replay);

/* replay_is_empty - true if the trace names no device and no file. */
bool replay_is_empty(const struct replay *replay);

/* --- the driver's files ------------------------------------------------------------------------------ */

/* A device node, or a file of /proc or /sys. */
struct driver_file {
	const char *path;
	uint32_t mode;              /* st_mode */
	uint64_t device;            /* st_rdev of a node */
	uint64_t size_bytes;        /* st_size, which in /proc and /sys is not the size of the contents */
	struct trace_bytes content; /* if everybody may read it; or the target of a link. NULL: none */
	UT_hash_handle hh;
};

struct driver_files {
	struct driver_file *by_path; /* in the order of files_add() */
	struct arena arena;
};

/**
 * files_record - add the driver's files of this machine that @files does not have
 * @rules: which devices and files are the driver's
 * @tell:  gets a message (TRACE_FILE) for each of them, which lives until @tell returns
 */
void files_record(struct driver_files *files, const struct device_rules *rules,
		  void (*tell)(void *data, const struct trace_message *message), void *data);

/* files_add - add the file of a message, which is copied. Return: false if @files has its path already. */
bool files_add(struct driver_files *files, const struct trace_message *message);

/* files_message - the message of a file; it points into @file. */
void files_message(struct trace_message *out, const struct driver_file *file);
void files_release(struct driver_files *files);

/* replay_files - the files of the trace; none if it was recorded without them. */
const struct driver_files *replay_files(const struct replay *replay);

/* --- the distinct ioctls that a workload has made, and whether a proxy supports them ---------------- */

/* What a proxy does with calls of one ioctl. Closed. */
enum sniff_support {
	SNIFF_FORWARDED,  /* its table has an entry; or there is no table */
	SNIFF_PASSED,     /* gVisor passes it through without an entry */
	SNIFF_REFUSED,    /* the driver refused it with the status that gVisor gives for missing entries */
	SNIFF_LACKING,    /* not supported */
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

/* The document and the table that decide about support. */
struct sniff_judge {
	const struct abi *abi;
	const struct table *table;      /* NULL: none */
	const struct table_node *node;  /* of the driver's version; NULL: none */
};

struct sniff_use {
	struct sniff_used *used; /* in the order of their first call */
	size_t count, capacity;
	size_t slot_count, *slots; /* open addressing: index + 1 */
	/* the record in which @status was looked up last: the document's own string */
	const char *status_of;
	bool has_status;         /* the record has a status */
	struct call_field status;
	size_t unidentified;     /* calls of devices whose ioctls the document does not have */
	char unidentified_path[64]; /* of the first of them */
};

/**
 * sniff_use_add - count an ioctl
 * @chain: as in sniff_observer
 *
 * Return: its count, which lives until the next call; NULL if the ioctl is unidentified.
 */
const struct sniff_used *sniff_use_add(struct sniff_use *use, const struct trace_message *message,
				       const struct call *chain,
				       size_t chain_count, const struct sniff_judge *judge);

void sniff_use_release(struct sniff_use *use);

/**
 * sniff_cover - the smallest set of capabilities of which each of @entries lists one
 * @out: NULL-terminated, in @arena
 *
 * Among sets of the same size, the first in the order of table_caps is returned. Entries without capabilities
 * do not count. Capabilities that are not in table_caps follow them, sorted by name.
 */
void sniff_cover(const char *const **out, const struct table_entry *const *entries, size_t count,
		 struct arena *arena);

#define DRIVER_VERSION_FILE "/proc/driver/nvidia/version"

/**
 * driver_version_find - the version in the text of /proc/driver/nvidia/version
 * @out: in @arena
 *
 * It is the first word of digits and dots in
 * "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64 590.48.01 Release Build ...".
 * Return: false if there is none.
 */
bool driver_version_find(const char **out, const char *text, struct arena *arena);

/* driver_version_read - the version of this machine's driver. Return: 0; ERR_NOT_FOUND; ERR_FORMAT. */
int driver_version_read(const char **out, struct arena *arena, struct err *err);

/*
 * A preloaded library that records libc's ioctl() is faster than tracing, and needs no permission to trace.
 * It does not see static programs, raw system calls, and set-user-id programs.
 */

struct preload_options {
	const char *library;          /* path of libdrvabi-preload.so */
	const char *const *command;   /* ended by NULL */
	char *const *environment;     /* of the command */
	const struct abi *abi;        /* of the running driver; NULL: no pointer is followed */
	const struct pointer_rules *rules;
	const struct device_rules *devices;
	uint64_t region_bytes;        /* of one range of memory, at most */
};

struct preload_observer {
	/* The command runs: preload_run() cannot fail after this. */
	void (*started)(void *data);
	/* Whole messages, in the trace's format. Return: false to end the workload. */
	bool (*bytes)(void *data, const void *bytes, size_t size_bytes);
	/*
	 * NULL, or gets each message: an ioctl, or the first use of a descriptor, in the order of their ends.
	 * It lives until the function returns. Unpacking costs as much as recording. Return: false to end the
	 * workload.
	 */
	bool (*message)(void *data, const struct trace_message *message);
	/* A finished sentence about calls that were not recorded. */
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
 * Signals to this process alone (SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM) are forwarded
 * to the command, or, after its end, to the processes that it left running. The terminal sends its signals to
 * them itself. Children that this process had before are not waited for.
 * Return: 0; ERR_NOT_FOUND if there is no such command or library; ERR_IO if it cannot be started.
 */
int preload_run(struct preload_result *out, const struct preload_options *options,
		const struct preload_observer *observer, struct err *err);

/*
 * gVisor's ioctl_sniffer is a library that is preloaded into a workload. Each of its threads connects to a
 * Unix socket, whose path is in GVISOR_IOCTL_SNIFFER_SOCKET_PATH, and writes its ioctls as a stream of
 * messages.
 *
 * Everyone who may write to the socket can connect and send anything. If a connection sends something else
 * than gVisor's messages, its bytes are read and discarded: closing the connection would end its program with
 * SIGPIPE, and not reading would block it.
 */

struct listen_options {
	const char *path;   /* of the socket, which is created, and removed at the end */
	bool until_gone;    /* end with the last connection; otherwise only at a signal */
};

/* What a caller of listen_run() gets. */
struct listen_observer {
	/* The socket exists. */
	void (*started)(void *data);
	/*
	 * An ioctl, in the order of arrival, with fd_path, request, ret, after, and the pid of the process
	 * that connected. Return: false to end.
	 */
	bool (*message)(void *data, const struct trace_message *message);
	/* A finished sentence about a connection. */
	void (*note)(void *data, const char *sentence);
	void *data;
};

/**
 * listen_run - listen until SIGINT, SIGTERM or SIGHUP, or as @options says
 *
 * Messages that have arrived before the signal are passed on. A socket whose listener has ended is replaced.
 * Return: 0; ERR_IO if the socket cannot be created.
 */
int listen_run(const struct listen_options *options, const struct listen_observer *observer, struct err *err);

#endif
