/*
 * Calls that are answered from a trace, instead of by the kernel.
 *
 * At the entry of such a call its number becomes -1, so that the kernel makes none; what a driver would write
 * is written into the caller's memory; at the exit the caller gets the recorded result. A shared mmap becomes
 * one of anonymous memory. An open becomes memfd_create(2) with the caller's own path as the name, which
 * /proc shows for as long as the descriptor is open. A status is that of the driver's character device; what
 * readlink(2) says of such a descriptor is the device's path.
 */
#include "sniff/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

enum { ARGUMENTS = 6 };

/* answer_with - at the entry of a call: it is not made, and returns @result. */
static void answer_with(struct watched *call, struct tracee *tracee, int64_t result)
{
	struct user_regs_struct registers;

	call->answer = (struct answer){ ANSWER_RESULT, result };
	if (arch_read(&registers, tracee->tid) && arch_set_number(&registers, tracee->tid, -1))
		arch_write(tracee->tid, &registers);
}

/**
 * answer_change - at the entry of a call: another one is made
 * @number: -1: the same one, with other arguments
 */
static void answer_change(struct watched *call, struct tracee *tracee, int64_t number,
			  const uint64_t arguments[6])
{
	struct user_regs_struct registers;

	call->answer = (struct answer){ .kind = ANSWER_CHANGED };
	if (!arch_read(&registers, tracee->tid) ||
	    (number >= 0 && !arch_set_number(&registers, tracee->tid, number)))
		return;
	for (unsigned i = 0; i < ARGUMENTS; i++)
		arch_set_argument(&registers, i, arguments[i]);
	arch_write(tracee->tid, &registers);
}

/* The register of the first argument is that of the result on some processors: the result comes last. */
int64_t answer_exit(const struct watched *call, struct tracee *tracee, int64_t result)
{
	struct user_regs_struct registers;

	if (call->answer.kind == ANSWER_NONE || !arch_read(&registers, tracee->tid))
		return result;
	if (call->answer.kind == ANSWER_RESULT)
		result = call->answer.result;
	for (unsigned i = 0; call->answer.kind == ANSWER_CHANGED && i < ARGUMENTS; i++)
		arch_set_argument(&registers, i, call->arguments[i]);
	arch_set_result(&registers, result);
	arch_write(tracee->tid, &registers);
	return result;
}

/* --- ioctls -------------------------------------------------------------------------------------- */

static bool is_reference(const struct gathered *gathered, size_t region, size_t offset)
{
	for (size_t i = 0; i < gathered->reference_count; i++) {
		const struct reference *at = &gathered->references[i];

		if (at->region == region && offset >= at->offset_bytes &&
		    offset < at->offset_bytes + at->size_bytes)
			return true;
	}
	return false;
}

/*
 * What the driver changed, at the caller's address; of a trace without bytes before, all but pointers and
 * descriptors.
 */
static void write_region(struct tracee *tracee, const struct gathered *call, const struct gathered *recorded,
			 size_t index)
{
	const struct region *here = &call->regions[index], *there = &recorded->regions[index];
	struct strbuf bytes = { 0 };
	size_t first = here->before.length, last = 0;

	strbuf_add(&bytes, here->before.text, here->before.length);
	for (size_t i = 0; i < bytes.length && i < there->after.length; i++) {
		const bool was_changed = i < there->before.length
						 ? there->before.text[i] != there->after.text[i]
						 : !is_reference(recorded, index, i);

		if (!was_changed)
			continue;
		bytes.text[i] = there->after.text[i];
		first = i < first ? i : first;
		last = i + 1;
	}
	if (first < last)
		memory_write(tracee->tid, here->address + first, bytes.text + first, last - first);
	strbuf_release(&bytes);
}

/* @format: of what is said of the call, for its name and @word. */
static void note_answer(const struct session *session, const struct tracee *tracee,
			const struct watched *call, const char *format, const char *word)
{
	const struct gathered *gathered = &call->gathered;
	const struct call *last = gathered->chain_count ? &gathered->chain[gathered->chain_count - 1] : NULL;
	struct strbuf name = { 0 }, text = { 0 };

	if (last)
		strbuf_addf(&name, "%s %s%s0x%llx", last->family, last->ioctl ? last->ioctl->name : "",
			    last->ioctl ? " " : "", (unsigned long long)last->number);
	else
		strbuf_addf(&name, "request 0x%llx", (unsigned long long)call->arguments[1]);
	strbuf_addf(&text, format, strbuf_text(&name), word);
	session_note(session, "%s of process %d: %s", call->device.path, (int)tracee->pid, strbuf_text(&text));
	strbuf_release(&name);
	strbuf_release(&text);
}

/* As the driver says that it has no such command or class: in the status; where there is none, EINVAL. */
static void refuse(struct session *session, struct tracee *tracee, struct watched *call)
{
	const struct gathered *gathered = &call->gathered;
	const struct call *last = gathered->chain_count ? &gathered->chain[gathered->chain_count - 1] : NULL;
	const struct abi *abi = session->options->abi;
	const bool is_alloc = last && !strcmp(last->family, "alloc");
	const char *word = is_alloc ? "NV_ERR_INVALID_CLASS" : "NV_ERR_NOT_SUPPORTED";
	const struct abi_constant *constant = abi_find_constant(abi, word);
	/* whose status the driver answers in */
	const struct call *outer = gathered->chain_count ? &gathered->chain[0] : NULL;
	struct call_field field;
	uint32_t status;

	if (!constant || !outer || !outer->bytes || !status_field(&field, abi, outer->record)) {
		answer_with(call, tracee, -EINVAL);
		word = "EINVAL";
	} else {
		status = (uint32_t)constant->value.magnitude;
		memory_write(tracee->tid, gathered->regions[0].address + field.offset_bits / 8, &status,
			     sizeof(status));
		answer_with(call, tracee, 0);
	}
	note_answer(session, tracee, call, "the trace has no %s with these inputs left; it gets %s", word);
}

static void note_difference(const struct session *session, const struct tracee *tracee,
			    const struct watched *call, enum replay_fit fit)
{
	struct strbuf differences = { 0 };

	replay_differences(&differences, &session->recorded, &call->gathered);
	if (differences.length)
		note_answer(session, tracee, call,
			    fit == REPLAY_REPEATED ? "%s gets again the answer to one with other %s"
						   : "%s gets the answer to one with other %s",
			    strbuf_text(&differences));
	else
		note_answer(session, tracee, call, "%s gets an answer %s", "again");
	strbuf_release(&differences);
}

void answer_ioctl(struct session *session, struct tracee *tracee, struct watched *call)
{
	const struct replay_question question = { call->device.path, (uint32_t)call->arguments[1],
						  &call->gathered, tracee->pid,
						  session->options->replay_strictly };
	enum replay_fit fit;
	const struct trace_message *message =
		replay_match(&session->recorded, &fit, session->options->replay, &question);

	session->result.answered[fit]++;
	if (!message) {
		refuse(session, tracee, call);
		return;
	}
	if (fit != REPLAY_EXACT && session->options->notes_answers)
		note_difference(session, tracee, call, fit);
	for (size_t i = 0; i < call->gathered.count && i < session->recorded.count; i++)
		write_region(tracee, &call->gathered, &session->recorded, i);
	answer_with(call, tracee, message->ret < 0 ? -message->error : message->ret);
}

/* --- mmaps ------------------------------------------------------------------------------------------ */

void answer_mmap(struct session *session, struct tracee *tracee, struct watched *call)
{
	const struct trace_message *message =
		replay_match_mmap(session->options->replay, call->device.path, call->arguments[1],
				  call->arguments[5]);
	uint64_t arguments[ARGUMENTS];

	if (message && message->ret < 0) {
		answer_with(call, tracee, -message->error);
		return;
	}
	memcpy(arguments, call->arguments, sizeof(arguments));
	arguments[3] |= MAP_ANONYMOUS;
	arguments[4] = UINT64_MAX;
	arguments[5] = 0;
	answer_change(call, tracee, -1, arguments);
}

const struct path_call path_calls[] = {
#ifdef SYS_open
	{ SYS_open, QUESTION_OPEN, 0, -1, 1, -1 },
	{ SYS_creat, QUESTION_OPEN, 0, -1, -1, -1 },
	{ SYS_stat, QUESTION_STATUS, 0, -1, -1, 1 },
	{ SYS_lstat, QUESTION_STATUS, 0, -1, -1, 1 },
	{ SYS_access, QUESTION_ACCESS, 0, -1, -1, -1 },
	{ SYS_readlink, QUESTION_LINK, 0, -1, -1, 1 },
#endif
	{ SYS_openat, QUESTION_OPEN, 1, -1, 2, -1 },
	{ SYS_openat2, QUESTION_OPEN, 1, -1, -1, 2 },
	{ SYS_fstat, QUESTION_STATUS, -1, 0, -1, 1 },
	{ SYS_newfstatat, QUESTION_STATUS, 1, 0, 3, 2 },
	{ SYS_statx, QUESTION_STATX, 1, 0, 2, 4 },
	{ SYS_faccessat, QUESTION_ACCESS, 1, -1, -1, -1 },
	{ SYS_faccessat2, QUESTION_ACCESS, 1, -1, -1, -1 },
	{ SYS_readlinkat, QUESTION_LINK, 1, -1, -1, 2 },
	{ 0, QUESTION_OPEN, -1, -1, -1, -1 },
};

const struct path_call *path_call_of(uint64_t number)
{
	for (const struct path_call *at = path_calls; at->path >= 0 || at->fd >= 0; at++)
		if (at->number == number)
			return at;
	return NULL;
}

/* --- which device ---------------------------------------------------------------------------------- */

/* By path, or by descriptor if the path is empty. */
static bool asks_device(char out[DEVICE_PATH_MAX], const struct session *session, const struct tracee *tracee,
			const struct entry *entry,
			const struct path_call *call)
{
	struct device device;

	if (call->path >= 0 &&
	    memory_read_text(out, tracee->tid, entry->arguments[call->path], DEVICE_PATH_MAX) && *out)
		return replay_has_device(session->options->replay, out);
	if (call->fd < 0 || (call->path >= 0 && !(entry->arguments[call->flags] & AT_EMPTY_PATH)) ||
	    !device_of(&device, session->options->devices, tracee->tid, -1, (int)entry->arguments[call->fd],
		       "") || !device.is_replayed)
		return false;
	memcpy(out, device.path, sizeof(device.path));
	return true;
}

/* --- answers ------------------------------------------------------------------------------------------ */

/* The flags of an open, wherever they are. */
static uint64_t open_flags(const struct tracee *tracee, const struct entry *entry,
			   const struct path_call *call)
{
	struct open_how how = { .flags = 0 };

	if (call->number == SYS_openat2)
		memory_read(&how, tracee->tid, entry->arguments[call->buffer], sizeof(how));
	return call->flags >= 0 ? entry->arguments[call->flags] : how.flags;
}

static void answer_open(struct watched *call, struct tracee *tracee, const struct entry *entry,
			const struct path_call *how)
{
	const uint64_t flags = open_flags(tracee, entry, how);
	const uint64_t arguments[6] = { entry->arguments[how->path], flags & O_CLOEXEC ? MFD_CLOEXEC : 0 };

	if (flags & O_DIRECTORY)
		answer_with(call, tracee, -ENOTDIR);
	else
		answer_change(call, tracee, SYS_memfd_create, arguments);
}

enum { DEVICE_MODE = S_IFCHR | 0666, BLOCK_BYTES = 4096, FIRST_INODE = 1000 };

/* Unlike those of other devices of this trace, and the same each time. */
static ino_t inode_of(dev_t number)
{
	return FIRST_INODE + minor(number) + 256 * (ino_t)major(number);
}

static int64_t write_status(const struct tracee *tracee, uint64_t address, dev_t number)
{
	const struct stat status = { .st_mode = DEVICE_MODE,
				     .st_rdev = number,
				     .st_nlink = 1,
				     .st_dev = makedev(0, 6),
				     .st_ino = inode_of(number),
				     .st_blksize = BLOCK_BYTES };

	return memory_write(tracee->tid, address, &status, sizeof(status)) == sizeof(status) ? 0 : -EFAULT;
}

static int64_t write_statx(const struct tracee *tracee, uint64_t address, dev_t number)
{
	const struct statx status = { .stx_mask = STATX_BASIC_STATS,
				      .stx_mode = DEVICE_MODE,
				      .stx_rdev_major = major(number),
				      .stx_rdev_minor = minor(number),
				      .stx_nlink = 1,
				      .stx_dev_minor = 6,
				      .stx_ino = inode_of(number),
				      .stx_blksize = BLOCK_BYTES };

	return memory_write(tracee->tid, address, &status, sizeof(status)) == sizeof(status) ? 0 : -EFAULT;
}

/* What a program that looks for the driver opens: device files, and what the driver says of itself. */
static bool is_drivers(const struct device_rules *rules, const char *path)
{
	static const char about[] = "/proc/driver/nvidia";

	return device_rule_of_path(rules, path) || !strncmp(path, about, strlen(about));
}

void paths_entry(struct session *session, struct tracee *tracee, const struct entry *entry)
{
	const struct path_call *how = path_call_of(entry->number);
	char path[DEVICE_PATH_MAX];
	bool is_device;
	struct watched *call;

	if (!how)
		return;
	*path = '\0';
	is_device = asks_device(path, session, tracee, entry, how);
	if (!is_device && how->question == QUESTION_OPEN && is_drivers(session->options->devices, path))
		session_note(session, "process %d opens %s, which the trace does not name",
			     (int)session_pid(tracee), path);
	if (!is_device && how->question != QUESTION_LINK)
		return;
	call = session_new_call(session, tracee, entry);
	switch (how->question) {
	case QUESTION_OPEN:
		answer_open(call, tracee, entry, how);
		return;
	case QUESTION_STATUS:
		answer_with(call, tracee,
			    write_status(tracee, entry->arguments[how->buffer],
					 device_number(session->options->devices, path)));
		return;
	case QUESTION_STATX:
		answer_with(call, tracee,
			    write_statx(tracee, entry->arguments[how->buffer],
					device_number(session->options->devices, path)));
		return;
	case QUESTION_ACCESS:
		answer_with(call, tracee, 0);
		return;
	case QUESTION_LINK:
		if (is_device)
			answer_with(call, tracee, -EINVAL); /* it is no link */
		return;
	}
}

/* /proc has the path of the memfd; the program is to see the device's. */
static int64_t unmark_link(struct watched *call, const struct tracee *tracee, uint64_t address,
			   int64_t result)
{
	char path[DEVICE_PATH_MAX];

	if (result <= 0 || result >= DEVICE_PATH_MAX ||
	    memory_read(path, tracee->tid, address, (size_t)result) != (size_t)result)
		return result;
	path[result] = '\0';
	if (!device_unmark(path))
		return result;
	memory_write(tracee->tid, address, path, strlen(path));
	call->answer = (struct answer){ ANSWER_RESULT, (int64_t)strlen(path) };
	return call->answer.result;
}

/* What the descriptor was opened with, which its memfd does not say. */
static void remember_flags(struct session *session, struct tracee *tracee, const struct watched *call,
			   const struct path_call *how, int fd)
{
	const struct entry entry = { .arguments = { call->arguments[0], call->arguments[1],
						    call->arguments[2], call->arguments[3] } };
	struct opened *opened = session_opened(session, session_pid(tracee), fd);

	opened->has_flags = true;
	opened->flags = open_flags(tracee, &entry, how) & ~(uint64_t)(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC);
}

int64_t paths_exit(struct session *session, struct watched *call, struct tracee *tracee, int64_t result)
{
	const struct path_call *how = path_call_of(call->number);

	if (how->question == QUESTION_LINK)
		return unmark_link(call, tracee, call->arguments[how->buffer], result);
	if (how->question == QUESTION_OPEN && result >= 0)
		remember_flags(session, tracee, call, how, (int)result);
	return result;
}
