/*
 * sniff/internal.h - what the files of the tracer share; channel.h is what the preloaded library shares with
 * its recorder
 */
#ifndef SNIFF_INTERNAL_H
#define SNIFF_INTERNAL_H

#include "sniff/sniff.h"
#include "decode/decode.h"

#include <linux/filter.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <uthash.h>

static inline bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* --- process_memory.c: the memory of another process -------------------- */

/* memory_read - what can be read from @address on, up to @size_bytes. Return: bytes that were read. */
size_t memory_read(void *out, pid_t tid, uint64_t address, size_t size_bytes);

/* memory_write - as much as the program itself could write. Return: bytes that were written. */
size_t memory_write(pid_t tid, uint64_t address, const void *bytes, size_t size_bytes);

/* memory_read_text - a string. Return: false if its end is not within @size_bytes, or cannot be read. */
bool memory_read_text(char *out, pid_t tid, uint64_t address, size_t size_bytes);

/* --- arch.c: what of a system call depends on the processor ------------------------------------- */

struct arch {
	const char *target;   /* of documents: "x86_64-linux-gnu" */
	uint32_t audit;       /* AUDIT_ARCH_* of native system calls */
	uint32_t narrow_audit; /* of those of 32-bit programs */
	uint32_t narrow_ioctl, narrow_mmap, narrow_seccomp; /* the numbers of these calls there */
	uint32_t narrow_old_mmap; /* whose arguments are in memory; 0: there is none */
	const char *narrow_name; /* what they are called: "i386" */
	uint64_t x32_bit;     /* in the number of an x32 program's call; 0: there are none */
	uint64_t x32_ioctl;   /* its number, with that bit */
	uint64_t large_file;  /* O_LARGEFILE, which the kernel adds to what 64-bit programs ask for */
	uint64_t call_bytes;  /* the instruction that makes a system call */
};

extern const struct arch sniff_arch;

/* The registers of a thread in a stop. arch_read() and arch_write() say false if the thread is gone. */
bool arch_read(struct user_regs_struct *out, pid_t tid);
bool arch_write(pid_t tid, const struct user_regs_struct *registers);

/*
 * Arguments count from 0. At the entry of a call, a change is what the kernel does; at its exit, what the
 * program finds.
 */
void arch_set_argument(struct user_regs_struct *registers, unsigned index, uint64_t value);
void arch_set_result(struct user_regs_struct *registers, int64_t value);

/*
 * arch_set_number - at the entry of a call: make it another one; -1: none. @registers may be changed, and are
 * to be written afterwards.
 */
bool arch_set_number(struct user_regs_struct *registers, pid_t tid, int64_t number);

/**
 * arch_handler_returns - where the program goes on after a signal's handler
 * @pc:     set to the interrupted instruction
 * @result: set to what the interrupted call returns, if it is not made again
 * @tid:    stands at its handler's first instruction
 *
 * Return: false if it cannot be read.
 */
bool arch_handler_returns(uint64_t *pc, int64_t *result, pid_t tid);

/* --- device.c: what /proc says of another process ---------------------------------------------- */

enum { PROC_FIELD_MAX = 128, DEVICE_PATH_MAX = 512 };

/*
 * proc_field - what follows @key in its line of /proc/@tid/@file, a line of "key:\tvalue\n". Return: false if
 * there is none.
 */
bool proc_field(char value[PROC_FIELD_MAX], pid_t tid, const char *file, const char *key);

/*
 * Replay's descriptors are memfds. Their name is the path that the program opened; /proc has DEVICE_MARK before
 * it. If that is not the device's own path ("/dev//nvidia0", "nvidia0"), the memfd contains DEVICE_CONTENT and
 * this path; the memfd of a directory contains the directory's path.
 */
#define DEVICE_MARK "/memfd:"
#define DEVICE_CONTENT "device:"

struct device {
	char path[DEVICE_PATH_MAX]; /* "/dev/nvidiactl", wherever the file stands */
	bool is_replayed;
};

/**
 * device_table_open - the descriptors of a thread, as a directory, which makes device_of() quicker
 *
 * It stands for the thread, not for its number: what is looked up in it is looked up in the thread's
 * descriptors of that moment, after an exec and after unshare(2), too; when the thread has ended nothing is
 * found in it, even if its number is another thread's.
 * Return: a descriptor, to be closed by the caller; -1 if there is none.
 */
int device_table_open(pid_t tid);

/**
 * device_of - is a descriptor one of the driver's devices?
 * @out: set if it is
 * @table: of device_table_open() for @tid; -1: none. What it does not have is looked up without it
 * @known: a path for which this was asked before, and the answer was yes; "": none. Such a path is believed,
 *         which saves half of the time
 *
 * It must be a character device that device_rule_of() finds.
 */
bool device_of(struct device *out, const struct device_rules *rules, pid_t tid, int table, int fd,
	       const char *known);

/* device_cut_deleted - without " (deleted)" at the end, which /proc says of a file that is gone. */
void device_cut_deleted(char *path);

/*
 * device_unmark - the path of a replayed descriptor, as /proc has it, becomes that of the device. Return: false
 * if it is not a replayed device.
 */
bool device_unmark(char path[DEVICE_PATH_MAX], pid_t tid, int fd);

/* memfd_read - the text in a memfd of @tid. Return: false if it is empty or cannot be read. */
bool memfd_read(char out[DEVICE_PATH_MAX], pid_t tid, int fd);

/* device_path_of - the path of any descriptor, as /proc has it; "" if there is none. */
void device_path_of(char out[DEVICE_PATH_MAX], pid_t tid, int table, int fd);

/* device_is_hidden - may this process not ask what a descriptor of @tid is? */
bool device_is_hidden(pid_t tid, int fd);

/* device_open_flags - the flags that a descriptor was opened with; 0 if they are not known. */
uint64_t device_open_flags(pid_t tid, int fd);

/* All descriptors of a process that are devices. */
struct device_list {
	int *fds;
	struct device *devices;
	size_t count, capacity;
};

/*
 * device_list_of - sorted by number; empty if the process has more than one thread. device_list_release() is
 * due.
 */
void device_list_of(struct device_list *out, const struct device_rules *rules, pid_t pid);
void device_list_release(struct device_list *list);

/* device_any_of - one of the driver's devices that a process has open. Return: false if it has none. */
bool device_any_of(struct device *out, const struct device_rules *rules, pid_t pid);

/*
 * device_number - the number that the driver's file of that path has; 0 if it has no fixed one, and the
 * machine has no driver.
 */
dev_t device_number(const struct device_rules *rules, const char *path);

/* --- gather.c: the memory that belongs to a call ------------------------------------------------- */

/* What the document says of a call's parameters, asked once: most have neither pointers nor descriptors. */
struct traits {
	const struct abi *abi;
	const struct pointer_rules *rules;
	struct trait *found; /* of gather.c */
};

void traits_release(struct traits *traits);

/* One range of the caller's memory. */
struct region {
	uint64_t address;
	uint64_t size_bytes;          /* that belong to the call; what was read may be less */
	enum use_direction direction;
	size_t limit_bytes;           /* of what is recorded; @before may have more, for the pointers in it */
	struct strbuf before, after;
};

/* A pointer or a descriptor in one of them. */
struct reference {
	size_t region;
	uint64_t offset_bytes;        /* in it */
	uint64_t size_bytes;          /* of the pointer or descriptor */
	bool is_fd;
	int64_t number;               /* of an fd */
};

enum { GATHER_REFERENCES_MAX = 160 };

struct gathered {
	struct region *regions;       /* the argument first */
	size_t count, capacity;       /* elements up to capacity own their buffers */
	size_t left_bytes;            /* how much more this call may hold */
	struct reference references[GATHER_REFERENCES_MAX];
	size_t reference_count;
	struct call chain[CALL_DEPTH_MAX]; /* the call, and what is inside; bytes are those before the call */
	size_t chain_count;
};

/* Where bytes come from. */
struct gather_source {
	/* Reads up to @size_bytes from @address on. Return: how many could be read. */
	size_t (*read)(void *out, void *data, uint64_t address, size_t size_bytes);
	void *data;
};

/* What all calls of a run have in common. */
struct gather_scope {
	/* with the document, and the rules of its pointers; NULL: nothing is followed */
	struct traits *traits;
	uint64_t region_bytes;        /* recorded of what a pointer leads to, at most */
	const struct device_rules *devices; /* of the driver; NULL: none */
};

/**
 * gather_before - read the argument, and what it leads to; buffers are used again from call to call
 * @first: family and number of the call; its address and size_bytes, if it has an argument that is an address
 */
void gather_before(struct gathered *gathered, const struct call *first, const struct gather_source *source,
		   const struct gather_scope *scope);

/* gather_after - read the same ranges again. */
void gather_after(struct gathered *gathered, pid_t tid);

/* gather_bytes - of @region, before or after, for a message; no bytes at all were not recorded */
struct trace_bytes gather_bytes(const struct region *region, const struct strbuf *bytes);

void gathered_release(struct gathered *gathered);

/*
 * message_after - the bytes after the call of a range: the argument's, or that of what is at @address; NULL:
 * there are none.
 */
const struct trace_bytes *message_after(const struct trace_message *message, size_t index, uint64_t address);

/* status_field - the field of a record in which the driver answers. Return: false if there is none. */
bool status_field(struct call_field *out, const struct abi *abi, const char *record);

/**
 * identify_ioctl - sets family, number, address and size_bytes
 * @path: of the device, which @devices name
 * @abi:  NULL: only what the request says
 *
 * The size is what the request says; UVM's requests are plain numbers, and the document says it. family is
 * NULL for a device that has none.
 */
void identify_ioctl(struct call *out, const struct device_rules *devices, const char *path, uint64_t request,
		    uint64_t argument,
		    const struct abi *abi);

/* --- sniff.c: what one run knows of its workload ------------------------------------------------- */

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

enum { CALLER_MAX = 192 };

/* A system call that is watched, from its entry to its exit. */
struct watched {
	struct watched *next;
	struct device device;
	/* SYS_ioctl, SYS_mmap; with replay also path_calls, which become no messages */
	uint64_t number;
	struct answer answer;
	const struct driver_file *file; /* that is opened, and no device */
	int64_t listed;             /* bytes of directory entries */
	uint64_t arguments[6];
	uint64_t instruction, stack; /* where it was made */
	uint64_t start_ns;
	bool is_restarted;          /* the kernel makes it again after a signal's handler */
	char caller[CALLER_MAX];    /* with --who */
	struct gathered gathered;
};

/* A thread of the workload. */
struct tracee {
	pid_t tid;
	pid_t pid;                    /* 0: not asked for yet */
	int table;                    /* of device_table_open(); -1: none */
	struct watched *call;         /* that it is in; NULL */
	struct watched *interrupted;  /* by a signal, and neither made again nor given up; newest first */
	bool steps;                   /* into the handler of a signal */
	bool is_at_exit;              /* of a system call: stopped, for stops_go_on() */
	UT_hash_handle hh;
};

/*
 * A descriptor of a process that was used as a device. With -1, the process itself; with AT_FDCWD, its working
 * directory.
 */
struct opened {
	struct { pid_t pid; int fd; } key;
	/*
	 * The device that it was when it was used; "": not used yet. With AT_FDCWD: a directory of the trace;
	 * "": one of the machine.
	 */
	char path[DEVICE_PATH_MAX];
	bool is_hidden;             /* what the process's descriptors are may not be asked, and it was said */
	bool has_foreign_calls;     /* the process: 32-bit or x32, and it was said */
	bool is_refused;            /* the process: it cannot be traced, and it was said */
	bool has_flags;             /* of an open that was answered */
	uint64_t flags;
	uint64_t listed;            /* entries of the trace, in a directory that the machine has */
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
	size_t foreign_calls;         /* on the driver's devices by 32-bit and x32 programs */
	struct tracee *tracees;       /* by tid */
	unsigned table_count;         /* of them that have a table */
	struct opened *opened;
	char last_device[DEVICE_PATH_MAX]; /* that a descriptor was found to be */
	struct unwound *unwound;      /* of who.c */
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

/**
 * signals_is_again - has the command got this signal already, from who sent it to its process group?
 * @info: what the command is about to get, at @now_ns
 */
bool signals_is_again(const siginfo_t *info, uint64_t now_ns);

/* signals_command_ended - its number may soon be another process's: nothing goes on to it any more. */
void signals_command_ended(void);

/* --- start.c: a command, or a process, comes under the tracer ------------------------------------ */

enum { FILTER_MAX = 160 };

/**
 * filter_build - a seccomp filter, which the command inherits to all that it starts
 * @replay: it also stops at what opens a file by name, or asks for its status
 *
 * Stops: ioctls whose request a driver may get; mmaps that are shared and have a descriptor; filters that ask
 * a supervisor; also those of 32-bit and x32 programs, which are to be reported.
 * Return: its instructions, FILTER_MAX at most.
 */
size_t filter_build(struct sock_filter out[FILTER_MAX], bool replay);

/*
 * privilege_check - a process has become another program: note it if that is set-user-id or set-group-id, and
 * did not get what it is set to.
 */
void privilege_check(const struct session *session, pid_t pid);

/**
 * start_command - begin session->options->command
 *
 * It has the descriptors, the terminal, the working directory and the signals of this process, as its parent
 * had given them to it.
 * Return: 0, with session->child; ERR_NOT_FOUND if there is no such command; ERR_IO.
 */
int start_command(struct session *session, struct err *err);

/*
 * attach_process - all threads of session->options->pid. Return: 0; ERR_NOT_FOUND if there is no such
 * process; ERR_IO.
 */
int attach_process(struct session *session, struct err *err);

/*
 * attach_new - with SNIFF_ALL: the processes that have a device open and are not traced yet. What they did
 * before is reported as not recorded, and so is a process that cannot be traced.
 */
void attach_new(struct session *session);

/* attach_leave - ask every thread to stop, so that it can be detached from. */
void attach_leave(struct session *session);

/* --- stops.c: what each stop of a thread is, and how it goes on ------------------------------------ */

/* stops_next - something happened to the thread @tid: @status is wait(2)'s. */
void stops_next(struct session *session, pid_t tid, int status);

/*
 * stops_go_on - continue a thread that is stopped at the exit of a call, of which all that is needed of the
 * thread was read. The call's message is written while the thread runs; its next call waits for that.
 */
void stops_go_on(struct session *session, struct tracee *tracee);

/* restart_may_follow - is it a result that means "interrupted"? */
bool restart_may_follow(int64_t result);

/* restart_continue - is the call that begins an interrupted one? Then it is tracee->call again. */
bool restart_continue(struct tracee *tracee, const struct entry *entry);

/*
 * restart_must_look - before @signal is delivered: will its handler's context tell what becomes of a call?
 * Then the thread is to step.
 */
bool restart_must_look(const struct tracee *tracee, int signal);

/* --- watch.c: calls from entry to exit; an ioctl or shared mmap of a device becomes a message ---- */

/**
 * message_end_call - an ioctl or mmap has ended; it is told, and is no more
 * @result: as the kernel has it: a negative errno, or what it returns
 */
void message_end_call(struct session *session, struct tracee *tracee, struct watched *call, int64_t result);

/* watch_entry - sets tracee->call if the call is watched. */
void watch_entry(struct session *session, struct tracee *tracee, const struct entry *entry);

/*
 * watch_exit - the call that tracee->call is has ended with @result, as the kernel has it: a negative errno,
 * or what it returns.
 */
void watch_exit(struct session *session, struct tracee *tracee, int64_t result);

/* watch_gone - the thread has ended, or become another program: the calls that it was in have no end. */
void watch_gone(struct session *session, struct tracee *tracee);

/* --- who.c: which library made a call -------------------------------------------------------------- */

/* who_begin - load what unwinds stacks. Return: false if this machine does not have it. */
bool who_begin(void);

/* who_called - "libnvidia-ml.so.1 nvmlInit_v2", the library alone, or "": not known. @tracee is at a stop. */
void who_called(char out[CALLER_MAX], struct session *session, struct tracee *tracee);

/* who_forget - a process has ended, or is another program. */
void who_forget(struct session *session, pid_t pid);
void who_end(struct session *session);

/* --- replay.c: which call of a trace answers one of the workload ---------------------------------- */

/* replay_has_device - does the trace name a device file of this path? */
bool replay_has_device(const struct replay *replay, const char *path);

/* replay_index - prepare to match; @scope must outlive it. */
void replay_index(struct replay *replay, const struct gather_scope *scope);

/* An ioctl of the workload. */
struct replay_question {
	const char *path; /* of the device */
	uint64_t request;
	const struct gathered *call;
	pid_t pid;        /* whose addresses are in it */
	bool is_strict;   /* no answer again, and none to other addresses, padding or status */
};

/**
 * replay_match - the recorded call that answers one of the workload
 * @recorded: set to what belongs to it, range by range as in the question; to be released by the caller
 *
 * In this order: the next recorded one with the same inputs; the next whose inputs differ only where the driver
 * wrote; the next that differs besides in padding, in the status of the outermost record, and in addresses,
 * words of 8 bytes with the same offset in their page of which the workload's are mapped; and then, of those that have answered already, the last that fits so.
 * Return: NULL if there is none; @fit says which.
 */
const struct trace_message *replay_match(struct gathered *recorded, enum replay_fit *fit,
					 struct replay *replay, const struct replay_question *question);

/*
 * replay_differences - append which bytes of @call are not those of @recorded, which answered it: "bytes 8-15
 * of the argument, bytes 0-3 of range 1". Pointers and descriptors do not count, nor what the driver only
 * writes.
 */
void replay_differences(struct strbuf *out, const struct gathered *recorded, const struct gathered *call);

/* replay_unasked - recorded ioctls that have answered none. */
size_t replay_unasked(const struct replay *replay);

/* replay_match_mmap - the next recorded mmap of that device, size and offset; NULL if there is none. */
const struct trace_message *replay_match_mmap(struct replay *replay, const char *path, uint64_t size_bytes,
					      uint64_t offset);

/* --- files.c: what programs read besides ioctls ----------------------------------------------------- */

/* file_is_drivers - is @path one that only the driver makes, or in such a directory? */
bool file_is_drivers(const struct device_rules *rules, const char *path);

/*
 * file_add_content - append what a file of a trace contains. If other drivers have lines in the file, these are
 * the lines of this machine.
 */
void file_add_content(struct strbuf *out, const struct driver_file *file, const struct device_rules *rules);

/* files_find - the file of a path; NULL if the trace does not have it. */
const struct driver_file *files_find(const struct driver_files *files, const char *path);

/* files_child - the next of the files in @directory itself; @after: NULL for the first. NULL: there is none. */
const struct driver_file *files_child(const struct driver_files *files, const char *directory,
				      const struct driver_file *after);

/* --- answer.c: calls that are answered from a trace, instead of by the kernel ---------------------- */

/*
 * A system call that opens a file by name, or asks for its status, or would change it. Which arguments are
 * what; -1: there is none.
 */
struct path_call {
	uint32_t number;
	enum {
		QUESTION_OPEN,
		QUESTION_STATUS,
		QUESTION_LINK_STATUS,
		QUESTION_STATX,
		QUESTION_ACCESS,
		QUESTION_LINK,
		QUESTION_LIST,
		QUESTION_ATTRIBUTE,
		QUESTION_MAKE,
		QUESTION_CHANGE,
		QUESTION_REMOVE,
		QUESTION_ENTER,
		QUESTION_DIRECTORY
	} question;
	int path;    /* else it is about the descriptor in @fd */
	int fd;      /* or that of the directory where a relative path begins */
	int flags;   /* of the file, or AT_EMPTY_PATH; of readlink(2) and getdents64(2), the size of the buffer */
	int buffer;
};

extern const struct path_call path_calls[]; /* ended by the number 0 */

/* path_call_of - NULL if the number is no such call's. */
const struct path_call *path_call_of(uint64_t number);

/* answer_ioctl, answer_mmap - at the entry of @call, whose device is replayed. */
void answer_ioctl(struct session *session, struct tracee *tracee, struct watched *call);
void answer_mmap(struct session *session, struct tracee *tracee, struct watched *call);

/* answer_with - at the entry of a call: it is not made, and returns @result. */
void answer_with(struct watched *call, struct tracee *tracee, int64_t result);

/**
 * answer_change - at the entry of a call: another one is made
 * @number: -1: the same one, with other arguments
 */
void answer_change(struct watched *call, struct tracee *tracee, int64_t number,
		   const uint64_t arguments[6]);

/* answer_exit - at the exit: what the program finds. Return: the result. */
int64_t answer_exit(const struct watched *call, struct tracee *tracee, int64_t result);

/* --- paths.c: calls with a path ------------------------------------------------------------------- */

/* paths_entry - at the entry of such a call: sets tracee->call if it is answered. */
void paths_entry(struct session *session, struct tracee *tracee, const struct entry *entry);

/* paths_forked - @tracee has started another process, which gets its working directory. */
void paths_forked(struct session *session, struct tracee *tracee);

/* paths_exit - at the exit of such a call, before answer_exit(): @result, or another one. */
int64_t paths_exit(struct session *session, struct watched *call, struct tracee *tracee, int64_t result);

#endif
