/* sniff/internal.h - a traced process, its calls, and what is gathered and answered of them */
#ifndef SNIFF_INTERNAL_H
#define SNIFF_INTERNAL_H

#include "sniff/sniff.h"
#include "abi/abi.h"
#include "base/base.h"
#include "decode/decode.h"

#include <linux/filter.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <uthash.h>

/* memory_read - what can be read from @address on, up to @size_bytes. Return: bytes that were read. */
size_t memory_read(void *out, pid_t tid, uint64_t address, size_t size_bytes);

/* memory_write - as much as the program itself could write. Return: bytes that were written. */
size_t memory_write(pid_t tid, uint64_t address, const void *bytes, size_t size_bytes);

/**
 * memory_read_text - a string
 *
 * Return: false if its end is not within @size_bytes, or cannot be read.
 */
bool memory_read_text(char *out, pid_t tid, uint64_t address, size_t size_bytes);

enum { DEVICE_PATH_MAX = 512 };

/*
 * the memory that belongs to a call
 *
 * At the call's entry gather_before() reads the argument, and what room `call` says it leads to; at its exit
 * gather_after() reads the same ranges again. Buffers are used again from call to call.
 */

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

/*
 * what the document says of a call's parameters, asked once
 *
 * Most records have neither pointers nor descriptors, and to look for them takes longer than the call.
 */

struct trait {
	struct {
		const struct abi_ioctl *ioctl;
		const char *record;       /* the document's own string */
	} key;
	bool has_fds, has_pointers;
	bool is_envelope;
	struct call_field inner_pointer; /* of an envelope, to what is inside */
	UT_hash_handle hh;
};

struct traits {
	const struct abi *abi;
	const struct pointer_rules *rules;
	struct trait *found;
	struct call_memo memo;
};

/* What all calls of a run have in common. */
struct gather_scope {
	struct traits *traits;        /* with the document, and the rules of its pointers; NULL: nothing is followed */
	uint64_t region_bytes;        /* recorded of what a pointer leads to, at most */
	const struct device_rules *devices; /* of the driver; NULL: none */
};

struct device {
	char path[DEVICE_PATH_MAX]; /* "/dev/nvidiactl", wherever the file stands */
	bool is_replayed;
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

/*
 * a thread's memory, read before it is asked for
 *
 * Which memory belongs to a call is only known when its argument has been read, so that takes two system calls. A thread that makes
 * one ioctl again and again has its parameters where they were: so both are read at once, if what was asked for second was the same twice.
 * All is read in the stop that it is asked for in, and nothing is believed of an earlier one but where to look.
 */

struct ahead_range {
	uint64_t address;
	size_t size_bytes;
};

struct ahead {
	struct ahead_range second;  /* that was asked for in the last stop with one */
	unsigned same_count;        /* in how many stops on end */
	unsigned asked_count;       /* in this stop */
	size_t read_bytes;          /* of @second, in this stop */
	uint8_t *bytes;             /* of @second; owned */
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

/*
 * programs that run without the privilege of their file's owner
 */

/* privilege_check - a process has become another program: note it if that is set-user-id or set-group-id, and did not get what it is set to. */
void privilege_check(const struct session *session, pid_t pid);

/*
 * what of a system call depends on the processor
 *
 * One file for each: arch_x86_64.c, arch_aarch64.c. Numbers of system calls are <sys/syscall.h>'s.
 */

struct arch {
	const char *target;   /* of documents: "x86_64-linux-gnu" */
	uint32_t audit;       /* AUDIT_ARCH_* of native system calls */
	uint32_t narrow_audit; /* of those of 32-bit programs */
	uint32_t narrow_ioctl, narrow_seccomp; /* the numbers of these calls there */
	const char *narrow_name; /* what they are called: "i386" */
	uint64_t x32_bit;     /* in the number of an x32 program's call; 0: there are none */
	uint64_t large_file;  /* O_LARGEFILE, which the kernel adds to what 64-bit programs ask for */
	uint64_t call_bytes;  /* the instruction that makes a system call */
};

extern const struct arch sniff_arch;

/* The registers of a thread in a stop. arch_read() and arch_write() say false if the thread is gone. */
bool arch_read(struct user_regs_struct *out, pid_t tid);
bool arch_write(pid_t tid, const struct user_regs_struct *registers);

/* Arguments count from 0. At the entry of a call, a change is what the kernel does; at its exit, what the program finds. */
void arch_set_argument(struct user_regs_struct *registers, unsigned index, uint64_t value);
void arch_set_result(struct user_regs_struct *registers, int64_t value);

/* arch_set_number - at the entry of a call: make it another one; -1: none. @registers may be changed, and are to be written afterwards. */
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

/*
 * a command, or a process, comes under the tracer
 */

/**
 * start_command - begin session->options->command
 *
 * It has the descriptors, the terminal, the working directory and the signals of this process, as its parent had given them to it.
 * Return: 0, with session->child; ERR_NOT_FOUND if there is no such command; ERR_IO.
 */
int start_command(struct session *session, struct err *err);

/* attach_process - all threads of session->options->pid. Return: 0; ERR_NOT_FOUND if there is no such process; ERR_IO. */
int attach_process(struct session *session, struct err *err);

/* attach_leave - ask every thread to stop, so that it can be detached from. */
void attach_leave(struct session *session);

/*
 * signals to the tracer, while a workload runs
 *
 * What the terminal sends, it sends to the command as well: the tracer ignores it, and waits. What somebody sends to the tracer alone
 * (kill, timeout) is meant for the command, and goes on to it. What somebody sends to both, as a process group, the command gets once: which one it is,
 * shows when the command gets the second. What the command itself sends is for its parent, and ends here.
 */

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

/*
 * a call that a signal interrupts
 *
 * Such a call ends with a number that no program sees (ERESTARTSYS, ...). Then the kernel either makes it again, at the same
 * instruction, and to the program it is one call; or it returns EINTR. Which of the two is decided when the signal is
 * delivered:
 *
 *   1. without a handler, it is made again
 *   2. with a handler, the kernel has decided when the handler begins, and what it decided stands in the context that the handler
 *      returns to: the thread makes one step into the handler, and the context is read
 *   3. a call that begins where an interrupted one was made, with the same arguments and stack, is that one
 */

/* restart_may_follow - is it a result that means "interrupted"? */
bool restart_may_follow(int64_t result);

/*
 * what one run of sniff knows of its workload
 */

/* A system call that a thread has begun. */
struct entry {
	uint32_t architecture;       /* AUDIT_ARCH_* */
	uint64_t number;
	uint64_t arguments[6];
	uint64_t instruction, stack;
};

/* restart_continue - is the call that begins an interrupted one? Then it is tracee->call again. */
bool restart_continue(struct tracee *tracee, const struct entry *entry);

/* restart_must_look - before @signal is delivered: will its handler's context tell what becomes of a call? Then the thread is to step. */
bool restart_must_look(const struct tracee *tracee, int signal);

/* restart_look - the thread stands in the handler. */
void restart_look(struct session *session, struct tracee *tracee);

/*
 * at which system calls a workload stops
 *
 * A seccomp filter, which the command inherits to all that it starts. Of the calls that it names, the kernel asks the
 * tracer; all others run as if there were none.
 */

enum { FILTER_MAX = 96 };

/**
 * filter_build - the filter's program
 * @replay: it also stops at what opens a file by name, or asks for its status
 *
 * Stops: ioctls whose request a driver may get; mmaps that are shared and have a descriptor; filters that ask a supervisor; also ioctls of 32-bit and
 * x32 programs, which are to be reported.
 * Return: its instructions, FILTER_MAX at most.
 */
size_t filter_build(struct sock_filter out[FILTER_MAX], bool replay);

/*
 * what each stop of a thread is, and how it goes on
 */

/* stops_next - something happened to the thread @tid: @status is wait(2)'s. */
void stops_next(struct session *session, pid_t tid, int status);

/*
 * what to read of each ioctl, as offsets
 *
 * A workload's process has neither the document of its driver nor the time to look names up in it. So the recorder
 * says beforehand, for each ioctl and size of its parameters, where in them are pointers, their sizes, and
 * descriptors: plan_make() asks room `call`, and the result is what call_follow(), call_pointers() and call_fds() would say.
 * The plan is one block of bytes: head, entries by (family, number, size), steps, and the devices whose ioctls are recorded.
 */

/* Families as numbers; names in plan.c. */
enum plan_family {
	PLAN_FRONTEND, PLAN_UVM, PLAN_MODESET, PLAN_DRM, PLAN_NVSWITCH, PLAN_NVSWITCH_CTL, PLAN_NVLINK, PLAN_CONTROL, PLAN_ALLOC, PLAN_NVKMS,
	PLAN_FAMILIES
};

const char *plan_family_name(enum plan_family family);

/* plan_family_of - Return: PLAN_FAMILIES if no step leads there. */
enum plan_family plan_family_of(const char *name);

/* A number in the parameters. */
struct plan_field {
	uint32_t offset_bytes;
	uint32_t size_bytes; /* 1 to 8; 0: there is none */
};

enum plan_step_kind {
	PLAN_ENVELOPE, /* number, pointer, size: of what is inside */
	PLAN_POINTER,  /* pointer, size * times elements */
	PLAN_FD,       /* number */
};

struct plan_step {
	enum plan_step_kind kind;
	enum plan_family family;      /* of what is inside */
	struct plan_field number, pointer, size, times, when;
	uint64_t element_bytes;
	uint64_t mask, equals;        /* a pointer counts if (when & mask) == equals */
	struct plan_field serialized; /* of an envelope: if (serialized & serialized_mask), pointers inside are not followed */
	uint64_t serialized_mask;
};

struct plan_entry {
	enum plan_family family;
	uint64_t number;
	uint64_t size_bytes;          /* of the parameters that the steps are for */
	uint32_t first_step, step_count;
};

struct plan {
	uint32_t entry_count, step_count;
	const struct plan_entry *entries;
	const struct plan_step *steps;
	struct device_rules devices;
};

/* plan_open - the plan in some bytes, which must outlive it. Return: false if it is not whole. */
bool plan_open(struct plan *out, const void *bytes, size_t size_bytes);

/* plan_find - the first entry of a family and number; those of other sizes follow it. NULL: none. */
const struct plan_entry *plan_find(const struct plan *plan, enum plan_family family, uint64_t number);

/* plan_find_size - the entry for parameters of that very size; NULL: none. */
const struct plan_entry *plan_find_size(const struct plan *plan, enum plan_family family, uint64_t number, uint64_t size_bytes);

/* plan_value - 0 if there is no such field, or the parameters are too short. */
uint64_t plan_value(const struct plan_field *field, const uint8_t *bytes, size_t size_bytes);

/* --- its bytes: one struct plan_head, the entries, the steps, the devices ------------------------------------------------ */

struct plan_head {
	uint32_t entry_count, step_count, device_count, unused;
};

/*
 * the plan of a document
 *
 * , on the recorder's side.
 */

/**
 * plan_make - append the plan of all ioctls of a document
 * @abi:   NULL: a plan that follows nothing
 * @rules: of the driver's pointers
 */
void plan_make(struct strbuf *out, const struct abi *abi, const struct pointer_rules *rules, const struct device_rules *devices);

/*
 * which device a descriptor of another process is
 *
 * Found at the moment that it is asked for, out of /proc: so dup, fork, exec, close_range and descriptors that came through
 * a socket need no bookkeeping.
 */

/**
 * device_table_open - the descriptors of a thread, as a directory, which makes device_of() quicker
 *
 * It stands for the thread, not for its number: what is looked up in it is looked up in the thread's descriptors of that moment, after an
 * exec and after unshare(2), too; when the thread has ended nothing is found in it, even if its number is another thread's.
 * Return: a descriptor, to be closed by the caller; -1 if there is none.
 */
int device_table_open(pid_t tid);

/**
 * device_of - is a descriptor one of the driver's devices?
 * @out: set if it is
 * @table: of device_table_open() for @tid; -1: none. What it does not have is looked up without it
 * @known: a path for which this was asked before, and the answer was yes; "": none. Such a path is believed, which saves half of the time
 *
 * It must be a character device that device_rule_of() finds.
 */
bool device_of(struct device *out, const struct device_rules *rules, pid_t tid, int table, int fd, const char *known);

/* device_unmark - "/memfd:/dev/nvidiactl (deleted)" becomes the device's path. Return: false if it is no such path. */
bool device_unmark(char *path);

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

/* device_list_of - sorted by number; empty if the process has more than one thread. device_list_release() is due. */
void device_list_of(struct device_list *out, const struct device_rules *rules, pid_t pid);
void device_list_release(struct device_list *list);

/* device_number - the number that the driver's file of that path has; 0 if it has no fixed one, and the machine has no driver. */
dev_t device_number(const struct device_rules *rules, const char *path);

/*
 * what of a call must be the same, so that a recorded one answers it
 */

#define INPUTS_EMPTY_HASH UINT64_C(0xcbf29ce484222325)

/* inputs_mix - add bytes to a hash, which begins as INPUTS_EMPTY_HASH. */
void inputs_mix(uint64_t *hash, const void *data, size_t size_bytes);

/* inputs_shape - a hash of device, request, what is inside, and the sizes of all ranges. */
uint64_t inputs_shape(const char *path, uint64_t request, const struct gathered *gathered);

/* inputs_copy - the bytes of one range that are inputs: pointers and descriptors become zeros. */
void inputs_copy(struct strbuf *out, const struct gathered *gathered, size_t region);

/* inputs_hash - of all ranges, but for those that the driver only writes. */
uint64_t inputs_hash(const struct gathered *gathered);

/*
 * which ioctl a request to a device is, and how long its argument
 */

/**
 * identify_ioctl - sets family, number, address and size_bytes
 * @path: of the device, which @devices name
 * @abi:  NULL: only what the request says
 *
 * The size is what the request says; UVM's requests are plain numbers, and the document says it. family is NULL for a device that has none.
 */
void identify_ioctl(struct call *out, const struct device_rules *devices, const char *path, uint64_t request, uint64_t argument,
		    const struct abi *abi);

/* Where bytes come from. */
struct gather_source {
	/* Reads up to @size_bytes from @address on. Return: how many could be read. */
	size_t (*read)(void *out, void *data, uint64_t address, size_t size_bytes);
	void *data;
};

/**
 * gather_before - what a call brings
 * @first: family and number of the call; its address and size_bytes, if it has an argument that is an address
 */
void gather_before(struct gathered *gathered, const struct call *first, const struct gather_source *source, const struct gather_scope *scope);

void gather_after(struct gathered *gathered, pid_t tid);

/* gather_bytes - of @region, before or after, for a message; no bytes at all were not recorded */
struct trace_bytes gather_bytes(const struct region *region, const struct strbuf *bytes);

void gathered_release(struct gathered *gathered);

/* traits_of - of a call whose ioctl and record call_follow() has set; until traits_release(). */
const struct trait *traits_of(struct traits *traits, const struct call *call);

void traits_release(struct traits *traits);

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

/* ahead_begin - a thread has stopped: what was read is forgotten. */
void ahead_begin(struct ahead *ahead);

/* ahead_read - as memory_read(). */
size_t ahead_read(void *out, struct ahead *ahead, pid_t tid, uint64_t address, size_t size_bytes);

void ahead_release(struct ahead *ahead);

/*
 * the messages of a trace, and the devices that it names
 */

/* Zeroed: empty. */
struct recording {
	struct arena arena;              /* of what the messages point to; also for who uses them */
	const char *version;             /* of the driver; NULL: not known */
	struct trace_message *messages;  /* in the order of the trace, without headers */
	size_t count, capacity;
	const char **devices;            /* each path once; fd_path of a message is one of them */
	size_t device_count, device_capacity;
};

/*
 * calls that are answered from a trace, instead of by the kernel
 *
 * At the entry of such a call its number becomes -1, so that the kernel makes none; what a driver would write is written into
 * the caller's memory; at the exit the caller gets the recorded result. A shared mmap becomes one of anonymous memory, an open that of a memfd which is called
 * as the device (paths.c).
 */

/* answer_ioctl, answer_mmap - at the entry of @call, whose device is replayed. */
void answer_ioctl(struct session *session, struct tracee *tracee, struct watched *call);
void answer_mmap(struct session *session, struct tracee *tracee, struct watched *call);

/* answer_exit - at the exit: what the program finds. Return: the result. */
int64_t answer_exit(const struct watched *call, struct tracee *tracee, int64_t result);

/*
 * system calls that name a replayed device, or ask what it is
 *
 * An open becomes memfd_create(2) with the caller's own path as the name, which /proc shows for as long as the descriptor is
 * open. A status is that of the driver's character device; what readlink(2) says of such a descriptor is the device's path.
 */

/* paths_entry - at the entry of a call of which filter_names_path() is true: sets tracee->call if it is answered. */
void paths_entry(struct session *session, struct tracee *tracee, const struct entry *entry);

/* paths_exit - at the exit of such a call, before answer_exit(): @result, or another one. */
int64_t paths_exit(struct session *session, struct watched *call, struct tracee *tracee, int64_t result);

/*
 * what the observer is told of a call
 */

/**
 * message_end_call - an ioctl or mmap has ended; it is told, and is no more
 * @result: as the kernel has it: a negative errno, or what it returns
 */
void message_end_call(struct session *session, struct tracee *tracee, struct watched *call, int64_t result);

/* message_endless - of a call that has no end, because its thread has ended. Nothing is known after it. */
void message_endless(struct session *session, struct tracee *tracee, struct watched *call);

/**
 * message_opens - the descriptors that were opened before @call, which has begun
 *
 * An open is told when its descriptor is first used, since opens do not stop: the descriptor of @call, if the process has not used it before, or
 * not as this device. Of a process with one thread then all of its descriptors that are devices: one of them may never be used. With several
 * threads that would be told at another moment each time.
 */
void message_opens(struct session *session, struct tracee *tracee, const struct watched *call);

/*
 * one connection: bytes in, messages out
 *
 * Part of listen/.
 */

struct client {
	int fd;
	pid_t pid;
	bool is_damaged;       /* what it sends is thrown away */
	struct strbuf pending; /* the beginning of a message */
	uint64_t offset_bytes; /* of it in the stream */
};

#endif
