/*
 * sniff/internal.h - declarations that the files of the tracer share; those that the preloaded library and
 * its recorder share are in channel.h
 */
#ifndef SNIFF_INTERNAL_H
#define SNIFF_INTERNAL_H

#include "sniff/sniff.h"

#include <linux/filter.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <uthash.h>

/* --- process_memory.c: the memory of another process -------------------- */

/* memory_read - read @size_bytes at @address, or up to the first unmapped byte. Return: bytes read. */
size_t memory_read(void *out, pid_t tid, uint64_t address, size_t size_bytes);

/* memory_write - write up to the first byte that the program itself cannot write. Return: bytes written. */
size_t memory_write(pid_t tid, uint64_t address, const void *bytes, size_t size_bytes);

/*
 * memory_read_text - read a string. Return: false if it does not end within @size_bytes, or is not mapped.
 */
bool memory_read_text(char *out, pid_t tid, uint64_t address, size_t size_bytes);

/* --- arch.c: system calls of each processor ----------------------------------------------------- */

struct arch {
	const char *target;   /* the target that documents name: "x86_64-linux-gnu" */
	uint32_t audit;       /* AUDIT_ARCH_* of native system calls */
	uint32_t narrow_audit; /* AUDIT_ARCH_* of system calls of 32-bit programs */
	uint32_t narrow_ioctl, narrow_mmap, narrow_seccomp; /* system call numbers of 32-bit programs */
	uint32_t narrow_old_mmap; /* the number of the mmap whose arguments are in memory; 0: none */
	const char *narrow_name; /* the name of 32-bit programs: "i386" */
	uint64_t x32_bit;     /* set in numbers of x32 system calls; 0: there are no x32 programs */
	uint64_t x32_ioctl;   /* the number of ioctl in x32 programs, with @x32_bit */
	uint64_t large_file;  /* O_LARGEFILE, which the kernel adds to the flags of 64-bit programs */
	uint64_t call_bytes;  /* size of the system call instruction */
};

extern const struct arch sniff_arch;

/* The registers of a stopped thread. arch_read() and arch_write() return false if the thread has ended. */
bool arch_read(struct user_regs_struct *out, pid_t tid);
bool arch_write(pid_t tid, const struct user_regs_struct *registers);

/*
 * Argument indexes begin at 0. The kernel uses the registers that are changed at the entry of a call, and the
 * program uses those that are changed at the exit.
 */
void arch_set_argument(struct user_regs_struct *registers, unsigned index, uint64_t value);
void arch_set_result(struct user_regs_struct *registers, int64_t value);

/*
 * arch_set_number - at the entry of a system call, set the number of the call that the kernel executes; -1:
 * none. The caller must call arch_write() afterwards, because @registers may change.
 */
bool arch_set_number(struct user_regs_struct *registers, pid_t tid, int64_t number);

/*
 * arch_handler_returns - find where the program continues after a signal handler, which shows whether the
 * kernel restarts an interrupted call. @pc: set to this address. @tid: a thread at the first instruction of
 * its handler. Return: false if the thread's registers or stack cannot be read.
 */
bool arch_handler_returns(uint64_t *pc, pid_t tid);

/* --- device.c: descriptors of another process, from /proc --------------------------------------- */

enum { PROC_FIELD_MAX = 128, DEVICE_PATH_MAX = 512 };

struct proc_path {
	char text[64];
};

/* proc_path, proc_fd_path - make "/proc/@tid/@file" or "/proc/@tid/fd/@fd". @tid: 0: the calling thread */
struct proc_path proc_path(pid_t tid, const char *file);
struct proc_path proc_fd_path(pid_t tid, int fd);

/*
 * proc_field - read the rest of the first line of /proc/@tid/@file that begins with @key. The rest has the
 * blanks after the key, and the newline. Return: false if there is no such line; @value is then unchanged.
 */
bool proc_field(char value[PROC_FIELD_MAX], pid_t tid, const char *file, const char *key);

/*
 * With replay, opening a device returns a memfd. The memfd's name is the path that the program opened; /proc
 * shows DEVICE_MARK before the name. If this path is not the device's usual path ("/dev//nvidia0",
 * "nvidia0"), the memfd contains DEVICE_CONTENT and the usual path. The memfd of a directory contains the
 * directory's path.
 */
#define DEVICE_MARK "/memfd:"
#define DEVICE_CONTENT "device:"

struct device {
	char path[DEVICE_PATH_MAX]; /* "/dev/nvidiactl", even if the node has a different path */
	int fd;
	bool is_replayed;
};

/**
 * device_of - find the driver's device to which a descriptor refers
 * @out: path and fd are always set; if the descriptor is not a device of the driver, path is that in /proc
 * @known: a path for which device_of() returned true before; "": none. A descriptor with this path is not
 *         checked again, which saves half of the time
 *
 * Return: true for a character device that device_rule_of() finds, and for a replayed device.
 */
bool device_of(struct device *out, const struct device_rules *rules, pid_t tid, int fd, const char *known);

/*
 * device_unmark - replace the path that /proc shows for a replayed descriptor with the device's path. Return:
 * false if the descriptor is not a replayed device; @path is then unchanged.
 */
bool device_unmark(char path[DEVICE_PATH_MAX], pid_t tid, int fd);

/* memfd_read - read the text in a memfd of @tid. Return: false, and @out is "", if there is none. */
bool memfd_read(char out[DEVICE_PATH_MAX], pid_t tid, int fd);

/* device_path_of - set @out to the path of any descriptor, as /proc shows it; "" if /proc shows none. */
void device_path_of(char out[DEVICE_PATH_MAX], pid_t tid, int fd);

/* device_open_flags - return the flags of the open, without the kernel's O_LARGEFILE; 0 if unknown. */
uint64_t device_open_flags(pid_t tid, int fd);

/*
 * device_list_of - list the driver's devices that a process has open, sorted by descriptor. Return: the
 * number of devices; the caller frees @out.
 */
size_t device_list_of(struct device **out, const struct device_rules *rules, pid_t pid);

/* --- gather.c: the memory that belongs to a call ------------------------------------------------- */

/* One range of the caller's memory. */
struct region {
	uint64_t address;
	uint64_t size_bytes;          /* size of the range; fewer bytes may have been read */
	enum use_direction direction;
	uint64_t limit_bytes;         /* limit for recorded bytes; @before may have more, to find pointers */
	struct strbuf before, after;
};

/* A pointer or a descriptor in a range. */
struct reference {
	size_t region;
	uint64_t offset_bytes;        /* offset in the range */
	uint64_t size_bytes;          /* size of the pointer or descriptor */
	bool is_fd;
	int64_t number;               /* the descriptor */
};

enum { GATHER_REFERENCES_MAX = 160 };

struct gathered {
	struct region *regions;       /* the first is the argument */
	size_t count, capacity;
	size_t left_bytes;            /* how many more bytes can be read for this call */
	struct reference references[GATHER_REFERENCES_MAX];
	size_t reference_count;
	/* the call and its inner calls, with the bytes from before the call */
	struct call chain[CALL_DEPTH_MAX];
	size_t chain_count;
};

/* The source of a call's bytes. */
struct gather_source {
	/* Reads up to @size_bytes at @address. Return: the number of bytes that were read. */
	size_t (*read)(void *out, void *data, uint64_t address, size_t size_bytes);
	void *data;
};

/* Options for all calls of a run. */
struct gather_scope {
	const struct abi *abi;
	const struct pointer_rules *pointers;
	const struct device_rules *devices;
	uint64_t region_bytes;        /* limit for the recorded bytes of a pointer's target */
	/*
	 * A cache of the records that have pointers or descriptors; most parameter records have neither. Set
	 * by gather_before(); the owner of the scope calls traits_release()
	 */
	struct trait *traits;
};

/* traits_release - free scope->traits. */
void traits_release(struct gather_scope *scope);

/**
 * gather_before - before a call, read the argument and the targets of its pointers
 * @gathered: { .count = 0 }; the caller calls gathered_release(). Gets regions, and, if the family is known,
 *         the chain and the references
 * @first: the call's family and number; also address and size_bytes if its argument is an address
 */
void gather_before(struct gathered *gathered, const struct call *first, const struct gather_source *source,
		   struct gather_scope *scope);

/* gather_after - after the call, read the same ranges again, into @after of each region. */
void gather_after(struct gathered *gathered, pid_t tid);

/*
 * gather_bytes - return the part of @bytes that a message gets; NULL if it is empty. @bytes: before or
 * after in @region
 */
struct trace_bytes gather_bytes(const struct region *region, const struct strbuf *bytes);

/* gathered_release - free the ranges, and set @gathered to { .count = 0 }. */
void gathered_release(struct gathered *gathered);

/* status_field - find the field with the driver's status. @record: can be NULL. Return: false if none. */
bool status_field(struct call_field *out, const struct abi *abi, const char *record);

/**
 * identify_ioctl - set family, number, address and size_bytes of @out
 * @path: the path of a device of @scope
 *
 * The size is in the request. UVM's requests have no size, so the size of the record in the document is used.
 * The family is NULL if the device has none.
 */
void identify_ioctl(struct call *out, const struct gather_scope *scope, const char *path, uint64_t request,
		    uint64_t argument);

/* --- sniff.c: the state of one run --------------------------------------------------------------- */

/* A system call that a thread has begun. */
struct entry {
	uint32_t architecture;       /* AUDIT_ARCH_* */
	uint64_t number;
	uint64_t arguments[6];
	uint64_t instruction, stack;
};

/* Who answers a call. */
enum answer_kind {
	ANSWER_NONE,     /* the kernel */
	ANSWER_RESULT,   /* the tracer, with @result */
	ANSWER_CHANGED,  /* the kernel, with a different call; answer_exit() restores the arguments */
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
	/* SYS_ioctl or SYS_mmap; with replay also one of path_calls, for which no message is written */
	uint64_t number;
	struct answer answer;
	const struct driver_file *file; /* the file that the call opens; NULL: a device */
	int64_t listed;             /* number of bytes of directory entries that the program gets */
	uint64_t arguments[6];
	uint64_t instruction, stack; /* where the program made the call */
	uint64_t start_ns;
	bool is_restarted;          /* the kernel restarts it after a signal handler */
	char caller[CALLER_MAX];    /* the result of who_called(); "" without --who */
	struct gathered gathered;
};

/* A thread of the workload. */
struct tracee {
	pid_t tid;
	pid_t pid;                    /* 0: not known yet */
	struct watched *call;         /* the call in progress; NULL: none */
	struct watched *interrupted;  /* interrupted calls that have not ended; newest first */
	bool steps;                   /* makes a single step into a signal handler */
	bool is_at_exit;              /* is stopped at a system call's exit */
	UT_hash_handle hh;
};

/*
 * A descriptor that a process used as a device. The entry with the descriptor -1 is about the process itself,
 * and the entry with AT_FDCWD about its working directory.
 */
struct opened {
	struct { pid_t pid; int fd; } key;
	/*
	 * The device when the descriptor was last used; "" if it was not used yet. For AT_FDCWD: the working
	 * directory if it is a directory of the trace, else "".
	 */
	char path[DEVICE_PATH_MAX];
	bool is_hidden;             /* it was reported that the process cannot be read */
	bool has_foreign_calls;     /* it was reported that the process makes 32-bit or x32 calls */
	bool is_refused;            /* it was reported that the process cannot be traced */
	bool has_flags;             /* replay answered the open, which had @flags */
	uint64_t flags;
	uint64_t listed;            /* number of the trace's entries that were listed after the machine's */
	UT_hash_handle hh;
};

struct session {
	const struct sniff_options *options;
	const struct sniff_observer *observer;
	bool stops_at_all;            /* there is no filter: threads stop at every system call */
	struct gather_scope scope;
	uint64_t began_ns;
	pid_t child;                  /* the command; 0 if attached to a running process */
	size_t foreign_calls;         /* number of calls of 32-bit and x32 programs on the driver's devices */
	struct tracee *tracees;       /* hash indexed by tid */
	struct opened *opened;
	char last_device[DEVICE_PATH_MAX]; /* the last result of device_of() */
	struct unwound *unwound;      /* defined in who.c */
	struct sniff_result result;
	bool stopped_itself;          /* the command sent itself its last SIGSTOP */
	bool is_leaving;              /* all tracees are being detached */
};

/* session_tracee - return the thread @tid, which is added if it is new. */
struct tracee *session_tracee(struct session *session, pid_t tid);
void session_forget(struct session *session, struct tracee *tracee);

/* session_pid - return the process of a thread, from /proc; the thread's tid if /proc does not show it. */
pid_t session_pid(struct tracee *tracee);

/* watched_new - set tracee->call to a call that begins now. The caller calls watched_free(). */
struct watched *watched_new(struct tracee *tracee, const struct entry *entry);
void watched_free(struct watched *call);

/* session_opened - return the entry of a descriptor, which is added if it is new. */
struct opened *session_opened(struct session *session, pid_t pid, int fd);

/*
 * session_forget_process - forget a process that has ended, because its pid may be used again; or, if it has
 * executed a program, mark its descriptors as unused
 */
void session_forget_process(struct session *session, pid_t pid, bool has_ended);

/* observer_note, observer_loss - call note() or loss() of a recorder's observer with a formatted sentence */
void observer_note(const struct sniff_observer *observer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void observer_loss(const struct sniff_observer *observer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * signals_is_again - has the command already got this signal?
 * @info: the signal that the command is about to get, at @now_ns
 *
 * A signal that a process sends to the process group arrives twice: directly, and forwarded by this process.
 * A terminal's signals are not forwarded. Call this once for each signal, because it remembers the last ones.
 * If it returns true, the signal must not be delivered.
 */
bool signals_is_again(const siginfo_t *info, uint64_t now_ns);

/* signals_command_ended - stop forwarding signals, because the command's pid may be used again. */
void signals_command_ended(void);

/* --- start.c: starting a command under the tracer, or attaching to a process ---------------------- */

enum { FILTER_MAX = 160 };

/**
 * filter_build - build the seccomp filter, which all processes of the workload inherit
 * @replay: the filter also stops at path_calls
 *
 * The filter stops at ioctls that may reach a driver, at shared mmaps with a descriptor, and at the
 * installation of a filter that notifies a supervisor. It also stops at the same calls of 32-bit and x32
 * programs, which are reported.
 * Return: the number of instructions, at most FILTER_MAX.
 */
size_t filter_build(struct sock_filter out[FILTER_MAX], bool replay);

/**
 * start_command - start session->options->command under the tracer, and call started() after its exec
 *
 * The command inherits the descriptors, the terminal, the working directory and the signal settings that this
 * process got from its parent.
 * Return: 0, and session->child is set; ERR_NOT_FOUND if the command does not exist; ERR_IO.
 */
int start_command(struct session *session, struct err *err);

/*
 * attach_process - attach to all threads of session->options->pid, or, with SNIFF_ALL, as attach_new() does,
 * and call the observer's started(). Return: 0; ERR_NOT_FOUND if the process does not exist; ERR_IO.
 */
int attach_process(struct session *session, struct err *err);

/*
 * attach_new - with SNIFF_ALL, attach to the processes that have a device open and are not traced yet.
 * Reports that their earlier calls are not recorded, and which of the processes cannot be traced.
 */
void attach_new(struct session *session);

/* attach_leave - interrupt every thread. stops_next() detaches each thread at its next stop. */
void attach_leave(struct session *session);

/* --- stops.c: what each stop of a thread means, and how it continues -------------------------------- */

/*
 * stops_next - handle the @status that wait(2) returned for the thread @tid, and continue the thread, unless
 * it has ended, must stay stopped, or is detached
 */
void stops_next(struct session *session, pid_t tid, int status);

/* restart_may_follow - true if @result means that a signal interrupted the call. */
bool restart_may_follow(int64_t result);

/* restart_continue - set tracee->call to the interrupted call that @entry restarts. Return: false if none. */
bool restart_continue(struct tracee *tracee, const struct entry *entry);

/*
 * restart_must_look - before @signal is delivered, check if the context of its handler will show whether an
 * interrupted call is restarted. Return: true if the thread must make a single step into the handler.
 */
bool restart_must_look(const struct tracee *tracee, int signal);

/* --- who.c: which library made a call -------------------------------------------------------------- */

/* who_begin - load libdw. Return: false if this machine does not have it. */
bool who_begin(void);

/* who_called - get "libnvidia-ml.so.1 nvmlInit_v2", only the library, or "". @tracee must be stopped. */
void who_called(char out[CALLER_MAX], struct session *session, struct tracee *tracee);

/* who_forget - forget the mappings of a process that has ended, or whose mappings have changed. */
void who_forget(struct session *session, pid_t pid);
void who_end(struct session *session);

/* --- replay.c: which recorded call answers a call of the workload --------------------------------- */

/* replay_has_device - true if the trace names a device with this path. */
bool replay_has_device(const struct replay *replay, const char *path);

/*
 * replay_index - index the ioctls for replay_match(), once, after the last replay_add(). Ioctls that have not
 * ended answer no call. Adds devices that the trace names only in parameters. @scope must outlive @replay.
 */
void replay_index(struct replay *replay, struct gather_scope *scope);

/* An ioctl of the workload. */
struct replay_question {
	const char *path; /* the device */
	uint64_t request;
	const struct gathered *call;
	pid_t pid;        /* the process that makes the call */
	bool is_strict;   /* use each recorded call once, and compare addresses, padding and status */
};

/**
 * replay_match - find the recorded call that answers a call of the workload, and mark it as used
 * @recorded: set to the recorded call's ranges, in the order of those of @question; the caller releases it
 *
 * The first of these calls with the same device, request, inner number and sizes is used. Pointers,
 * descriptors, and memory that the driver only writes are not inputs. A trace of gVisor's hook has no inputs.
 *
 *   1. the next unused call with the same inputs
 *   2. the next unused call whose inputs differ only in bytes that the driver changed, because programs often
 *      leave bytes of an earlier call there
 *   3. the next unused call that also differs in padding, in the status of the outermost record, or in
 *      addresses
 *   4. the last used call that matches like 1, 2 or 3, in this order
 *
 * An 8-byte word is an address if the workload has mapped it, and its offset in the page is the same as in
 * the recorded word. A strict match uses only 1 and 2.
 * Return: NULL if no call matches. @fit is always set.
 */
const struct trace_message *replay_match(struct gathered *recorded, enum replay_fit *fit,
					 struct replay *replay, const struct replay_question *question);

/*
 * replay_differences - append the places where inputs of @call and @recorded differ: "bytes 8-15 of the
 * argument, bytes 0-3 of range 1"
 */
void replay_differences(struct strbuf *out, const struct gathered *recorded, const struct gathered *call);

/* replay_unasked - return the number of unused recorded ioctls. */
size_t replay_unasked(const struct replay *replay);

/* replay_match_mmap - take the first unused recorded mmap with this device, size and offset; NULL if none. */
const struct trace_message *replay_match_mmap(struct replay *replay, const char *path, uint64_t size_bytes,
					      uint64_t offset);

/* --- files.c: the driver's files --------------------------------------------------------------------- */

/* file_is_drivers - true if only the driver creates @path or one of its parent directories. */
bool file_is_drivers(const struct device_rules *rules, const char *path);

/*
 * file_add_content - append the contents of a file of a trace, as the workload of a replay gets them. If the
 * file also has lines of other drivers, their lines are read from this machine.
 */
void file_add_content(struct strbuf *out, const struct driver_file *file, const struct device_rules *rules);

/* files_find - find the file with this path; NULL if the trace does not have it. */
const struct driver_file *files_find(const struct driver_files *files, const char *path);

/* files_child - list @directory: return its entry after @after (NULL: its first entry); NULL if none. */
const struct driver_file *files_child(const struct driver_files *files, const char *directory,
				      const struct driver_file *after);

/* --- answer_ioctls.c: ioctls and mappings that the trace answers in place of the kernel --------------- */

/*
 * A system call that names a file by path or descriptor. The int members are indexes of arguments; -1 if the
 * call has no such argument.
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
	int path;    /* -1 if the call names the file by the descriptor @fd */
	int fd;      /* in a call with @path: the directory for relative paths */
	int flags;   /* the flags; in readlink(2), getdents64(2) and getcwd(2), the buffer's size */
	int buffer;
};

extern const struct path_call path_calls[]; /* the last one has the number 0 */

/* path_call_of - find a system call in path_calls. Return: NULL if it is not there. */
const struct path_call *path_call_of(uint64_t number);

/*
 * answer_ioctl - at the entry of an ioctl on a replayed device, find the recorded call that answers it: write
 * the bytes that the driver changed into the program's memory, and set the recorded result. If there is no
 * such call, the ioctl fails. Counts the answer in session->result, and writes a note about a refused call
 * and, with notes_answers, about each answer that is not REPLAY_EXACT.
 */
void answer_ioctl(struct session *session, struct tracee *tracee, struct watched *call);

/*
 * answer_mmap - at the entry of a shared mmap of a replayed device, make the program map anonymous memory. If
 * the recorded mmap failed, the program gets its error.
 */
void answer_mmap(struct session *session, struct tracee *tracee, struct watched *call);

/*
 * answer_with - at the entry of a call, keep the kernel from executing it. answer_exit() gives the program
 * @result: a negative errno, or the call's result.
 */
void answer_with(struct watched *call, struct tracee *tracee, int64_t result);

/**
 * answer_change - at the entry of a call, make the kernel execute a different call in place of it
 * @number: the system call; -1 keeps the system call and changes only the arguments
 *
 * answer_exit() restores the argument registers.
 */
void answer_change(struct watched *call, struct tracee *tracee, int64_t number,
		   const uint64_t arguments[6]);

/*
 * answer_exit - at the exit of a call, complete answer_with() or answer_change() in the thread's registers
 * @result: the result of the kernel or of paths_exit(); answer_with() overrides it
 *
 * Changes nothing for ANSWER_NONE. Return: the result that the program gets.
 */
int64_t answer_exit(const struct watched *call, struct tracee *tracee, int64_t result);

/* --- answer_paths.c: calls with a path ------------------------------------------------------------ */

/*
 * paths_entry - at the entry of one of path_calls, answer the call if it concerns a device, file or directory
 * of the trace, or a file that must not exist for the program; the kernel executes all other calls. Sets
 * tracee->call if the exit of the call must be handled as well.
 */
void paths_entry(struct session *session, struct tracee *tracee, const struct entry *entry);

/* paths_forked - copy a working directory of the trace to the process or thread that @tracee has created. */
void paths_forked(struct session *session, struct tracee *tracee);

/*
 * paths_exit - at the exit of one of path_calls, before answer_exit(): write the contents of an opened memfd,
 * keep the flags of a device's open, list the trace's directory entries, hide memfds from readlink(2), forget
 * a working directory of the trace. Return: the call's new result.
 */
int64_t paths_exit(struct session *session, struct watched *call, struct tracee *tracee, int64_t result);

#endif
