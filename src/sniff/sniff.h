/*
 * sniff/sniff.h - run a command, and record its ioctls on the driver's devices
 *
 * The command and all processes that it starts are the workload. There are three recorders:
 *
 *   ptrace               sniff.c, start.c; stops.c follows a call from entry to exit; gather.c reads the
 *                        call's memory; device.c, process_memory.c and arch.c read the traced process
 *   a preloaded library  hook.c runs in the workload, preload.c records; channel.c is their shared memory
 *   gVisor's hook        listen.c
 *
 * files.c records the driver's files. who.c finds the library that made a call. replay.c, answer_ioctls.c and
 * answer_paths.c answer a workload's calls from a trace. used.c counts the distinct ioctls.
 *
 * The workload has the same output, status and signals as without a recorder. But set-user-id programs run
 * without their privileges unless the tracer is root.
 */
#ifndef SNIFF_SNIFF_H
#define SNIFF_SNIFF_H

#include "abi/abi.h"
#include "base/base.h"
#include "decode/decode.h"
#include "history/history.h"

#include <uthash.h>

/*
 * The recorded calls of a trace, from which replay answers the calls of a workload. The caller of sniff_run()
 * adds the trace's messages with replay_add().
 */
struct replay;

/* Functions that sniff_run(), preload_run() and listen_run() call. */
struct sniff_observer {
	/*
	 * Called when the command was started, the process attached, or the socket created. Except for
	 * listen_run(), the recorder cannot fail afterwards.
	 */
	void (*started)(void *data);
	/*
	 * Called when a call has ended. @chain is the call and its inner calls, with the bytes from before
	 * the call. It is empty if the document has no ioctls of the device, and NULL if the recorder did not
	 * follow the call's pointers. @message and @chain are valid until the function returns.
	 * Return: false to end the recording, and the workload if there is one. With sniff_run(), this
	 * requires @may_end.
	 */
	bool (*message)(void *data, const struct trace_message *message, const struct call *chain,
			size_t chain_count);
	/* @message may return false. If so, the thread that made the call waits until @message returns. */
	bool may_end;
	/*
	 * Called by preload_run() with whole messages, in the trace's format; may be NULL. If @message is
	 * NULL, messages are not unpacked, because unpacking takes as long as recording.
	 */
	void (*bytes)(void *data, const void *bytes, size_t size_bytes);
	/* Called with a sentence about an event that the user may not expect. */
	void (*note)(void *data, const char *sentence);
	/* Called with a sentence about calls that were not recorded. */
	void (*loss)(void *data, const char *sentence);
	void *data;
};

enum { SNIFF_ALL = -1 };

struct sniff_options {
	const char *const *command;  /* NULL-terminated; NULL to attach to @pid */
	char *const *environment;    /* the command's environment; NULL-terminated */
	pid_t pid;                   /* a process to attach to; SNIFF_ALL: all processes with a device open */
	bool survive;                /* the workload outlives its tracer; threads stop at every system call */
	uint64_t region_bytes;       /* limit for the recorded bytes of one range of memory */
	const struct abi *abi;       /* the running driver's document */
	const struct pointer_rules *pointers; /* which pointers the driver follows */
	const struct device_rules *devices;   /* which devices are the driver's */
	/* answers calls on the devices; NULL: the driver answers. Can be used for one run only */
	struct replay *replay;
	bool replay_strictly; /* use each recorded call once, and compare addresses, padding and status */
	bool notes_answers;   /* write a note for each answer that is not REPLAY_EXACT */
	bool names_callers;   /* record the library that made each call */
	const char *library;  /* for preload_run(): path of libdrvabi-preload.so */
};

/* How well a recorded call matches the workload's call. */
enum replay_fit {
	REPLAY_EXACT,    /* the next unused call with the same inputs */
	REPLAY_SIMILAR,  /* an unused call; see replay_match() in internal.h for the differences */
	REPLAY_REPEATED, /* a used call, because no unused call matches */
	REPLAY_REFUSED,  /* no recorded call matches */
	REPLAY_FIT_COUNT
};

struct sniff_result {
	int status;       /* the command's status, as wait(2) returns it */
	bool was_ended;   /* the observer ended the workload */
	/*
	 * with replay: how many ioctls of the workload had each fit, and how many recorded ioctls are unused
	 */
	size_t answered[REPLAY_FIT_COUNT], unasked;
};

/**
 * sniff_run - run a command until it and all processes that it started have ended
 *
 * @observer gets the calls. With options.replay, the trace answers the calls. With options.pid, the run ends
 * when all threads of the process have ended, or at a SIGINT, SIGTERM or SIGHUP, after which the process
 * continues without its tracer. With SNIFF_ALL, only these signals end the run.
 * Return: 0; ERR_NOT_FOUND if the command or process does not exist; ERR_IO if it cannot be started or
 * traced, and @err says how to permit this.
 */
int sniff_run(struct sniff_result *out, const struct sniff_options *options,
	      const struct sniff_observer *observer, struct err *err);

/* sniff_target - return this machine's target, "x86_64-linux-gnu". */
const char *sniff_target(void);

struct replay *replay_new(void);
void replay_free(struct replay *replay); /* NULL is fine */

/*
 * replay_add - add a copy of the trace's next message, in the order of the trace. Keeps the version of a
 * header, files, ioctls and mmaps. Of other messages, such as opens, only the device's path is kept.
 */
void replay_add(struct replay *replay, const struct trace_message *message);

/* replay_version - return the version of the recorded driver; "" if it is unknown. */
const char *replay_version(const struct replay *replay);

/*
 * replay_has_inputs - false if the trace has only the parameters after calls, as gVisor's traces do. Recorded
 * calls are then chosen by their commands only, and the command prints a note about that.
 */
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
	struct trace_bytes content; /* of a file that everybody may read; a link's target; NULL: none */
	UT_hash_handle hh;
};

struct driver_files {
	struct driver_file *by_path; /* iterated in the order of files_add() */
	struct arena arena;
};

/**
 * files_record - add this machine's driver files that @files does not have yet
 * @rules: which devices and files are the driver's
 * @observe: called with a message (TRACE_FILE) for each added file, which is valid during the call
 */
void files_record(struct driver_files *files, const struct device_rules *rules,
		  void (*observe)(void *data, const struct trace_message *message), void *data);

/* files_add - copy the file of a message into @files. Return: false if @files already has its path. */
bool files_add(struct driver_files *files, const struct trace_message *message);

/* files_message - set @out to the message for a file. The message points into @file. */
void files_message(struct trace_message *out, const struct driver_file *file);
void files_release(struct driver_files *files);

/* replay_files - return the files of the trace; an empty collection if the trace has none. */
const struct driver_files *replay_files(const struct replay *replay);

/* --- the distinct ioctls that a workload has made, and whether a proxy supports them ---------------- */

/* What a proxy does with calls of an ioctl. */
enum sniff_support {
	SNIFF_FORWARDED,  /* the proxy's table has an entry, or no table was given */
	SNIFF_PASSED,     /* gVisor passes it through without an entry */
	SNIFF_REFUSED,    /* the driver refused it with gVisor's status for ioctls without an entry */
	SNIFF_LACKING,    /* not supported */
};

/* All calls of an ioctl with the same size, status and error, which are the first members. */
struct sniff_used {
	char family[16];
	uint64_t number;
	uint64_t size_bytes;  /* size of the parameters */
	uint64_t status;
	int32_t error;
	bool has_size, has_status;
	int32_t ret;          /* the result of the first call */
	size_t count;         /* number of calls */
	struct strbuf callers; /* distinct callers, separated by ", " */
	enum sniff_support support;
	UT_hash_handle hh;
};

/* The inputs that decide whether a proxy supports an ioctl. */
struct sniff_judge {
	const struct abi *abi;
	const struct table *table;      /* NULL: none */
	const struct table_node *node;  /* the node for the driver's version; NULL: none */
};

struct sniff_use {
	struct sniff_used *used; /* a hash, in the order of their first call */
	size_t unidentified;     /* calls on devices whose ioctls the document does not have */
	char unidentified_path[64]; /* device of the first such call */
};

/**
 * sniff_use_add - count a call; calls of one ioctl with the same size, error and status are one entry, and
 *                 @judge decides whether the proxy supports it
 * @chain: the same as in sniff_observer
 *
 * Return: the ioctl's entry, valid until sniff_use_release(); NULL if it is unidentified.
 */
const struct sniff_used *sniff_use_add(struct sniff_use *use, const struct trace_message *message,
				       const struct call *chain,
				       size_t chain_count, const struct sniff_judge *judge);

void sniff_use_release(struct sniff_use *use);

/*
 * message_after - find the bytes that a range had after the call: the argument if @index is 0, otherwise the
 * range at @address. Return: NULL if the message does not have the range; `bytes` can be NULL as well.
 */
const struct trace_bytes *message_after(const struct trace_message *message, size_t index, uint64_t address);

#define DRIVER_VERSION_FILE "/proc/driver/nvidia/version"

/**
 * driver_version_find - find the version in the text of /proc/driver/nvidia/version
 * @out: in @arena
 *
 * The version is the first word of digits and dots in
 * "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64 590.48.01 Release Build ...".
 * Return: false if the first line has no version.
 */
bool driver_version_find(const char **out, const char *text, struct arena *arena);

/*
 * driver_version_read - read the version of this machine's driver. Return: 0; ERR_NOT_FOUND if there is no
 * driver; ERR_FORMAT if its file names no version.
 */
int driver_version_read(const char **out, struct arena *arena, struct err *err);

/*
 * A preloaded library that records libc's ioctl() is faster than tracing, and needs no permission to trace.
 * It does not record static programs, set-user-id programs, and ioctls that bypass libc.
 */

/**
 * preload_run - run a command until it and all processes that it started have ended
 * @options: abi, command, devices, environment, library, pointers and region_bytes are used; if abi is NULL,
 *           no pointer is followed
 *
 * The observer gets the messages (an ioctl, or the first use of a descriptor) in the order in which the calls
 * end.
 * Signals to this process alone (SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM) are forwarded
 * to the command, or, after its end, to the processes that it left running. Signals of the terminal are not
 * forwarded, because these processes get them as well. The function does not wait for children that this
 * process already had.
 * Return: 0; ERR_NOT_FOUND if the command or library does not exist; ERR_IO if the command cannot be started.
 */
int preload_run(struct sniff_result *out, const struct sniff_options *options,
		const struct sniff_observer *observer, struct err *err);

/*
 * gVisor's ioctl_sniffer is a library that is preloaded into a workload. Each of its threads connects to a
 * Unix socket, whose path is in GVISOR_IOCTL_SNIFFER_SOCKET_PATH, and writes its ioctls as a stream of
 * messages.
 *
 * Everyone who may write to the socket can connect and send anything. If a connection sends anything but
 * gVisor's messages, its bytes are read and discarded: closing the connection would end its program with
 * SIGPIPE, and not reading would block the program.
 */

/**
 * listen_run - listen until SIGINT, SIGTERM or SIGHUP; with @until_gone, until the last connection has ended
 * @path: of the socket, which is created, and removed at the end. If a socket exists on which no process
 *        listens, it is replaced
 *
 * The observer gets the ioctls in the order of arrival, including those that arrived before the signal. Their
 * fd_path, request, ret and after are set, and pid is the process that connected.
 * Return: 0; ERR_IO if the socket cannot be created.
 */
int listen_run(const char *path, bool until_gone, const struct sniff_observer *observer, struct err *err);

#endif
