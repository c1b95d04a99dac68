#include "sniff/paths.h"

#include "sniff/answer.h"
#include "sniff/memory.h"
#include "sniff/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

/* What a call asks about. */
enum question { QUESTION_OPEN, QUESTION_STATUS, QUESTION_STATX, QUESTION_ACCESS, QUESTION_LINK };

/* Which arguments are what; -1: there is none. */
struct path_call {
	uint64_t number;
	enum question question;
	int path;    /* else it is about the descriptor in @fd */
	int fd;
	int flags;   /* of the file, or AT_EMPTY_PATH */
	int buffer;
};

static const struct path_call calls[] = {
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
};

static const struct path_call *find(uint64_t number)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

/* --- which device ---------------------------------------------------------------------------------- */

/* By path, or by descriptor if the path is empty. */
static bool asks_device(char out[DEVICE_PATH_MAX], const struct session *session, const struct tracee *tracee, const struct entry *entry,
			const struct path_call *call)
{
	struct device device;

	if (call->path >= 0 && memory_read_text(out, tracee->tid, entry->arguments[call->path], DEVICE_PATH_MAX) && *out)
		return replay_has_device(session->options->replay, out);
	if (call->fd < 0 || (call->path >= 0 && !(entry->arguments[call->flags] & AT_EMPTY_PATH)) ||
	    !device_of(&device, session->options->devices, tracee->tid, -1, (int)entry->arguments[call->fd], "") || !device.is_replayed)
		return false;
	memcpy(out, device.path, sizeof(device.path));
	return true;
}

/* --- answers ------------------------------------------------------------------------------------------ */

/* The flags of an open, wherever they are. */
static uint64_t open_flags(const struct tracee *tracee, const struct entry *entry, const struct path_call *call)
{
	struct open_how how = { .flags = 0 };

	if (call->number == SYS_openat2)
		memory_read(&how, tracee->tid, entry->arguments[call->buffer], sizeof(how));
	return call->flags >= 0 ? entry->arguments[call->flags] : how.flags;
}

static void answer_open(struct watched *call, struct tracee *tracee, const struct entry *entry, const struct path_call *how)
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
	const struct stat status = { .st_mode = DEVICE_MODE, .st_rdev = number, .st_nlink = 1, .st_dev = makedev(0, 6),
				     .st_ino = inode_of(number), .st_blksize = BLOCK_BYTES };

	return memory_write(tracee->tid, address, &status, sizeof(status)) == sizeof(status) ? 0 : -EFAULT;
}

static int64_t write_statx(const struct tracee *tracee, uint64_t address, dev_t number)
{
	const struct statx status = { .stx_mask = STATX_BASIC_STATS, .stx_mode = DEVICE_MODE, .stx_rdev_major = major(number),
				      .stx_rdev_minor = minor(number), .stx_nlink = 1, .stx_dev_minor = 6, .stx_ino = inode_of(number),
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
	const struct path_call *how = find(entry->number);
	char path[DEVICE_PATH_MAX];
	bool is_device;
	struct watched *call;

	if (!how)
		return;
	*path = '\0';
	is_device = asks_device(path, session, tracee, entry, how);
	if (!is_device && how->question == QUESTION_OPEN && is_drivers(session->options->devices, path))
		session_note(session, "process %d opens %s, which the trace does not name", (int)session_pid(tracee), path);
	if (!is_device && how->question != QUESTION_LINK)
		return;
	call = session_new_call(session, tracee, entry);
	switch (how->question) {
	case QUESTION_OPEN:
		answer_open(call, tracee, entry, how);
		return;
	case QUESTION_STATUS:
		answer_with(call, tracee, write_status(tracee, entry->arguments[how->buffer], device_number(session->options->devices, path)));
		return;
	case QUESTION_STATX:
		answer_with(call, tracee, write_statx(tracee, entry->arguments[how->buffer], device_number(session->options->devices, path)));
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
static int64_t unmark_link(struct watched *call, const struct tracee *tracee, uint64_t address, int64_t result)
{
	char path[DEVICE_PATH_MAX];

	if (result <= 0 || result >= DEVICE_PATH_MAX || memory_read(path, tracee->tid, address, (size_t)result) != (size_t)result)
		return result;
	path[result] = '\0';
	if (!device_unmark(path))
		return result;
	memory_write(tracee->tid, address, path, strlen(path));
	call->answer = (struct answer){ ANSWER_RESULT, (int64_t)strlen(path) };
	return call->answer.result;
}

/* What the descriptor was opened with, which its memfd does not say. */
static void remember_flags(struct session *session, struct tracee *tracee, const struct watched *call, const struct path_call *how, int fd)
{
	const struct entry entry = { .arguments = { call->arguments[0], call->arguments[1], call->arguments[2], call->arguments[3] } };
	struct opened *opened = session_opened(session, session_pid(tracee), fd);

	opened->has_flags = true;
	opened->flags = open_flags(tracee, &entry, how) & ~(uint64_t)(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC);
}

int64_t paths_exit(struct session *session, struct watched *call, struct tracee *tracee, int64_t result)
{
	const struct path_call *how = find(call->number);

	if (how->question == QUESTION_LINK)
		return unmark_link(call, tracee, call->arguments[how->buffer], result);
	if (how->question == QUESTION_OPEN && result >= 0)
		remember_flags(session, tracee, call, how, (int)result);
	return result;
}
