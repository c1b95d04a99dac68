/*
 * Answers calls that name a device or a driver's file of the trace.
 *
 * An open becomes memfd_create(2). The memfd's name is the path in the call, which /proc shows as long as the
 * descriptor is open. The contents of a file are written into the memfd. stat(2) returns the recorded status.
 * readlink(2) of a device's descriptor returns the device's path. A call that is answered creates, changes
 * and removes nothing on this machine.
 */
#include "sniff/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

const struct path_call path_calls[] = {
#ifdef SYS_open
	{ SYS_open, QUESTION_OPEN, 0, -1, 1, -1 },
	{ SYS_creat, QUESTION_OPEN, 0, -1, -1, -1 },
	{ SYS_stat, QUESTION_STATUS, 0, -1, -1, 1 },
	{ SYS_lstat, QUESTION_LINK_STATUS, 0, -1, -1, 1 },
	{ SYS_access, QUESTION_ACCESS, 0, -1, -1, -1 },
	{ SYS_readlink, QUESTION_LINK, 0, -1, 2, 1 },
	{ SYS_mknod, QUESTION_MAKE, 0, -1, -1, -1 },
	{ SYS_mkdir, QUESTION_MAKE, 0, -1, -1, -1 },
	{ SYS_chmod, QUESTION_CHANGE, 0, -1, -1, -1 },
	{ SYS_chown, QUESTION_CHANGE, 0, -1, -1, -1 },
	{ SYS_unlink, QUESTION_REMOVE, 0, -1, -1, -1 },
	{ SYS_symlink, QUESTION_MAKE, 1, -1, -1, -1 },
	{ SYS_getdents, QUESTION_LIST, -1, 0, 2, 1 },
#endif
	{ SYS_openat, QUESTION_OPEN, 1, 0, 2, -1 },
	{ SYS_openat2, QUESTION_OPEN, 1, 0, -1, 2 },
	{ SYS_fstat, QUESTION_STATUS, -1, 0, -1, 1 },
	{ SYS_newfstatat, QUESTION_STATUS, 1, 0, 3, 2 },
	{ SYS_statx, QUESTION_STATX, 1, 0, 2, 4 },
	{ SYS_faccessat, QUESTION_ACCESS, 1, 0, -1, -1 },
	{ SYS_faccessat2, QUESTION_ACCESS, 1, 0, -1, -1 },
	{ SYS_readlinkat, QUESTION_LINK, 1, 0, 3, 2 },
	{ SYS_getdents64, QUESTION_LIST, -1, 0, 2, 1 },
	{ SYS_getxattr, QUESTION_ATTRIBUTE, 0, -1, -1, -1 },
	{ SYS_lgetxattr, QUESTION_ATTRIBUTE, 0, -1, -1, -1 },
	{ SYS_listxattr, QUESTION_ATTRIBUTE, 0, -1, -1, -1 },
	{ SYS_llistxattr, QUESTION_ATTRIBUTE, 0, -1, -1, -1 },
	{ SYS_mknodat, QUESTION_MAKE, 1, 0, -1, -1 },
	{ SYS_mkdirat, QUESTION_MAKE, 1, 0, -1, -1 },
	{ SYS_fchmodat, QUESTION_CHANGE, 1, 0, -1, -1 },
	{ SYS_fchownat, QUESTION_CHANGE, 1, 0, 4, -1 },
	{ SYS_unlinkat, QUESTION_REMOVE, 1, 0, -1, -1 },
	{ SYS_symlinkat, QUESTION_MAKE, 2, 1, -1, -1 },
	{ SYS_chdir, QUESTION_ENTER, 0, -1, -1, -1 },
	{ SYS_fchdir, QUESTION_ENTER, -1, 0, -1, -1 },
	{ SYS_getcwd, QUESTION_DIRECTORY, -1, -1, 1, 0 },
	{ .number = 0 },
};

const struct path_call *path_call_of(uint64_t number)
{
	for (const struct path_call *at = path_calls; at->number; at++)
		if (at->number == number)
			return at;
	return NULL;
}

/* --- which device or file ---------------------------------------------------------------------------- */

/* The file of a call. */
struct subject {
	char path[DEVICE_PATH_MAX];     /* "": unknown */
	const struct driver_file *file; /* the trace's file; NULL: none */
	bool is_device;                 /* the file is a replayed device */
	bool is_named;                  /* the call has a path, not a descriptor */
	bool is_exact;                  /* the call has exactly @path, so @path can be the memfd's name */
	bool is_inside;                 /* the call's path is relative to a directory of the trace */
};

/* Removes "//", "/.", "/NAME/.." and a last "/". ".." after a link, which is rare, is not supported. */
static void normalise_path(char *path)
{
	char *out = path;

	for (const char *at = path; *at;) {
		const size_t length = strcspn(at += strspn(at, "/"), "/");

		if (length == 2 && !strncmp(at, "..", 2)) {
			while (out > path && *--out != '/')
				;
		} else if (length && (length != 1 || *at != '.')) {
			*out++ = '/';
			memmove(out, at, length);
			out += length;
		}
		at += length;
	}
	*out = '\0';
}

/*
 * Replaces the links in @path with their targets, as the program sees them: links of the trace and, if
 * @on_machine is true, links of this machine. The kernel cannot resolve a path to one of the trace's files,
 * because the file does not exist on the machine.
 * @with_last: follow a link at the end of the path
 */
static void follow_links(char path[DEVICE_PATH_MAX], const struct driver_files *files, struct tracee *tracee,
			 bool on_machine, bool with_last)
{
	enum { LINKS_MAX = 40 };
	char prefix[DEVICE_PATH_MAX], target[DEVICE_PATH_MAX], joined[3 * DEVICE_PATH_MAX];
	int followed = 0;

	for (char *end = path; *end && followed < LINKS_MAX;) {
		const int parent = (int)(end - path);
		const struct driver_file *file;
		int length = -1;

		end += strcspn(end + 1, "/") + 1;
		if (!*end && !with_last)
			return;
		snprintf(prefix, sizeof(prefix), "%.*s", (int)(end - path), path);
		file = files_find(files, prefix);
		if (file && S_ISLNK(file->mode)) {
			length = snprintf(target, sizeof(target), "%.*s", (int)file->content.size_bytes,
					  (const char *)file->content.bytes);
		} else if (file || !on_machine) {
			continue;
		} else if (!strcmp(prefix, "/proc/self")) {
			length = snprintf(target, sizeof(target), "/proc/%d", (int)session_pid(tracee));
		} else if (!strcmp(prefix, "/proc/thread-self")) {
			length = snprintf(target, sizeof(target), "/proc/%d", (int)tracee->tid);
		} else {
			snprintf(joined, sizeof(joined), "/proc/%d/root%s", (int)tracee->tid, prefix);
			length = (int)readlink(joined, target, sizeof(target));
		}
		if (length < 0) /* not a link, or the machine does not have it */
			continue;
		if (length >= DEVICE_PATH_MAX || snprintf(joined, sizeof(joined), "%.*s/%.*s%s",
							  *target == '/' ? 0 : parent, path, length, target,
							  end) >= DEVICE_PATH_MAX)
			return;
		normalise_path(joined);
		memcpy(path, joined, strlen(joined) + 1);
		end = path;
		followed++;
	}
}

/*
 * Replaces the path of a replayed descriptor with that of its device or file, without links. Return: false if
 * the file is unknown.
 */
static bool replace_replayed_path(char path[DEVICE_PATH_MAX], const struct driver_files *files,
				  struct tracee *tracee, int fd)
{
	const size_t mark = strlen(DEVICE_MARK);

	if (device_unmark(path, tracee->tid, fd)) {
		normalise_path(path);
		return true;
	}
	if (!begins(path, DEVICE_MARK))
		return false;
	device_cut_deleted(path);
	memmove(path, path + mark, strlen(path + mark) + 1);
	if (*path != '/')
		return memfd_read(path, tracee->tid, fd) && files_find(files, path);
	normalise_path(path);
	follow_links(path, files, tracee, true, true); /* the name is the path in the call */
	return files_find(files, path);
}

/* Returns the working directory if it is a directory of the trace; "" if it is one of the machine. */
static char *directory_of(struct session *session, struct tracee *tracee)
{
	return session_opened(session, session_pid(tracee), AT_FDCWD)->path;
}

/*
 * Makes @path absolute. A relative path begins at the call's directory descriptor or the working directory.
 * @is_inside: set to true if this directory is one of the trace
 * Return: false if the directory is unknown, or the path is too long.
 */
static bool make_absolute(char path[DEVICE_PATH_MAX], bool *is_inside, struct session *session,
			  struct tracee *tracee, const struct entry *entry, const struct path_call *call)
{
	const int fd = call->fd >= 0 ? (int)entry->arguments[call->fd] : AT_FDCWD;
	const struct proc_path link =
		fd == AT_FDCWD ? proc_path(tracee->tid, "cwd") : proc_fd_path(tracee->tid, fd);
	char base[DEVICE_PATH_MAX], joined[2 * DEVICE_PATH_MAX];

	if (*path == '/') {
		normalise_path(path);
		return true;
	}
	if (!link_target(base, sizeof(base), link.text))
		return false;
	if (fd == AT_FDCWD && *directory_of(session, tracee)) {
		memcpy(base, directory_of(session, tracee), sizeof(base));
		*is_inside = true;
	} else if (*base != '/' || begins(base, DEVICE_MARK)) {
		if (!replace_replayed_path(base, replay_files(session->options->replay), tracee, fd))
			return false;
		*is_inside = true;
	}
	if (snprintf(joined, sizeof(joined), "%s/%s", base, path) >= DEVICE_PATH_MAX)
		return false;
	memcpy(path, joined, DEVICE_PATH_MAX);
	normalise_path(path);
	return true;
}

/* Returns the flags of an open: an argument, or, for openat2(2), in the program's memory. creat(2): 0 */
static uint64_t open_flags(const struct tracee *tracee, const uint64_t arguments[6],
			   const struct path_call *call)
{
	struct open_how how = { .flags = 0 };

	if (call->number == SYS_openat2)
		memory_read(&how, tracee->tid, arguments[call->buffer], sizeof(how));
	return call->flags >= 0 ? arguments[call->flags] : how.flags;
}

/* Does the call follow a link at the end of its path? */
static bool follows_last(const struct tracee *tracee, const struct entry *entry,
			 const struct path_call *call)
{
	uint64_t flags;

	switch (call->question) {
	case QUESTION_OPEN:
		flags = open_flags(tracee, entry->arguments, call);
		return !(flags & O_NOFOLLOW) && (~flags & (O_CREAT | O_EXCL));
	case QUESTION_STATUS:
	case QUESTION_STATX:
	case QUESTION_CHANGE:
		return call->flags < 0 || !(entry->arguments[call->flags] & AT_SYMLINK_NOFOLLOW);
	case QUESTION_ACCESS:
	case QUESTION_ENTER: return true;
	default: return false;
	}
}

/* True for a path in a recorded directory of /sys: the trace has all entries of such a directory. */
static bool has_recorded_parent(const struct driver_files *files, const char *path)
{
	char parent[DEVICE_PATH_MAX];
	const struct driver_file *file;

	if (!begins(path, "/sys/"))
		return false;
	snprintf(parent, sizeof(parent), "%.*s", (int)(strrchr(path, '/') - path), path);
	file = files_find(files, parent);
	return file && S_ISDIR(file->mode);
}

/*
 * Finds the file that a call names, by its path, or by the descriptor if the path is empty. If the trace does
 * not have the file, out->file is NULL and is_device is false; out->path is "" if the file is unknown.
 */
static void find_subject(struct subject *out, struct session *session, struct tracee *tracee,
			 const struct entry *entry, const struct path_call *call)
{
	const struct replay *replay = session->options->replay;
	const struct driver_files *files = replay_files(replay);
	const bool has_path = call->path >= 0;
	const char *slash;
	char path[DEVICE_PATH_MAX];
	bool with_last;
	int fd;

	*out = (struct subject){ .file = NULL };
	*path = '\0';
	if (has_path && !memory_read_text(path, tracee->tid, entry->arguments[call->path], DEVICE_PATH_MAX))
		return;
	if (*path) {
		slash = strrchr(path, '/');
		with_last = follows_last(tracee, entry, call) || /* "link/" and "link/." are the target */
			    (slash && (!slash[1] || !strcmp(slash, "/.")));
		memcpy(out->path, path, sizeof(path));
		if (!make_absolute(path, &out->is_inside, session, tracee, entry, call))
			return;
		out->is_named = true;
		out->is_exact = !strcmp(out->path, path);
		memcpy(out->path, path, sizeof(path));
		follow_links(path, files, tracee, !out->is_inside, with_last);
	} else {
		if (call->fd < 0 ||
		    (has_path && (call->flags < 0 || !(entry->arguments[call->flags] & AT_EMPTY_PATH))))
			return;
		fd = (int)entry->arguments[call->fd];
		device_path_of(path, tracee->tid, fd);
		if (!begins(path, DEVICE_MARK)) {
			/* a directory of the machine may also have entries of the trace */
			if (call->question == QUESTION_LIST)
				memcpy(out->path, path, sizeof(path));
			return;
		}
		if (!replace_replayed_path(path, files, tracee, fd))
			return;
	}
	out->file = files_find(files, path);
	out->is_device = replay_has_device(replay, path);
	if (!out->file && !out->is_device && !file_is_drivers(session->options->devices, path) &&
	    !has_recorded_parent(files, path))
		return; /* the links lead to no file of the driver */
	out->is_exact = out->is_exact && !strcmp(out->path, path);
	memcpy(out->path, path, sizeof(path));
}

/* --- answers ------------------------------------------------------------------------------------------ */

/*
 * Answers the open of a file or device of the trace with an error, or with a memfd that paths_exit() fills.
 * Sets call->file, and call->device.path if a device was opened by an unusual path.
 */
static void answer_open(struct watched *call, struct tracee *tracee,
			const struct entry *entry, const struct path_call *how, const struct subject *subject)
{
	const uint64_t flags = open_flags(tracee, entry->arguments, how);
	const uint64_t arguments[6] = { entry->arguments[how->path], flags & O_CLOEXEC ? MFD_CLOEXEC : 0 };
	const bool is_directory = subject->file && S_ISDIR(subject->file->mode);

	call->file = subject->is_device ? NULL : subject->file;
	*call->device.path = '\0';
	if (subject->is_device && !subject->is_exact)
		memcpy(call->device.path, subject->path, sizeof(call->device.path));
	if ((flags & O_CREAT) && (flags & O_EXCL))
		answer_with(call, tracee, -EEXIST);
	else if (is_directory ? (flags & O_ACCMODE) != O_RDONLY : (flags & O_DIRECTORY) != 0)
		answer_with(call, tracee, is_directory ? -EISDIR : -ENOTDIR);
	else if (call->file && S_ISLNK(call->file->mode) && !(flags & O_PATH))
		answer_with(call, tracee, -ELOOP); /* the call has O_NOFOLLOW */
	else if (call->file && S_ISREG(call->file->mode) && !(flags & O_PATH) && !call->file->content.bytes)
		answer_with(call, tracee, -EACCES); /* only root may read the file */
	else
		answer_change(call, tracee, SYS_memfd_create, arguments);
}

/*
 * Writes the contents of the memfd that the program gets. The tracer opens the memfd itself, so the program's
 * file offset stays 0. Reports if this fails.
 */
static void fill_memfd(const struct session *session, const struct tracee *tracee, const struct watched *call,
		       int fd)
{
	const struct driver_file *file = call->file;
	struct strbuf content = { 0 };
	int memfd;

	if (!file)
		strbuf_addf(&content, DEVICE_CONTENT "%s", call->device.path);
	else if (S_ISDIR(file->mode))
		strbuf_adds(&content, file->path);
	else
		file_add_content(&content, file, session->options->devices);
	memfd = open(proc_fd_path(tracee->tid, fd).text, O_WRONLY | O_CLOEXEC);
	if (memfd < 0 || write(memfd, strbuf_text(&content), content.length) != (ssize_t)content.length)
		observer_loss(session->observer, "process %d gets %s without its contents: %s",
			      (int)tracee->pid, file ? file->path : call->device.path, strerror(errno));
	if (memfd >= 0)
		close(memfd);
	strbuf_release(&content);
}

enum { DEVICE_MODE = S_IFCHR | 0666, BLOCK_BYTES = 4096, FIRST_INODE = 1000 };

/* Returns a device's number; 0 if the rules do not have its number, and this machine has no such device. */
static dev_t device_number(const struct device_rules *rules, const char *path)
{
	const dev_t number = device_number_of(rules, path);
	struct stat st;

	return number || stat(path, &st) || !S_ISCHR(st.st_mode) ? number : st.st_rdev;
}

/* Makes the status of a file. A device that is not a file of the trace gets the usual status of a device. */
static void status_of(struct stat *out, const struct session *session, const struct subject *subject)
{
	const struct driver_file *file = subject->file;
	const struct device_rules *rules = session->options->devices;
	const dev_t number = file && file->device ? file->device
			     : subject->is_device ? device_number(rules, subject->path) : 0;
	uint32_t hash = 0;

	for (const char *at = subject->path; *at; at++)
		hash = hash * 31 + (uint8_t)*at;
	*out = (struct stat){
		.st_mode = file ? file->mode : DEVICE_MODE,
		.st_rdev = number,
		.st_nlink = file && S_ISDIR(file->mode) ? 2 : 1,
		.st_size = file ? (off_t)file->size_bytes : 0,
		.st_dev = makedev(0, 6),
		.st_ino = FIRST_INODE + hash, /* differs between paths, and is the same for each call */
		.st_blksize = BLOCK_BYTES,
	};
}

/* Writes an answer to the program's memory. Return: @result; -EFAULT if the memory cannot be written. */
static int64_t write_answer(const struct tracee *tracee, uint64_t address, const void *bytes,
			    size_t size_bytes, int64_t result)
{
	return memory_write(tracee->tid, address, bytes, size_bytes) == size_bytes ? result : -EFAULT;
}

/* Answers statx(2): writes the result of status_of() to the program's memory. Return: 0; -EFAULT. */
static int64_t write_statx(const struct tracee *tracee, uint64_t address, const struct stat *from)
{
	const struct statx status = { .stx_mask = STATX_BASIC_STATS,
				      .stx_mode = (uint16_t)from->st_mode,
				      .stx_rdev_major = major(from->st_rdev),
				      .stx_rdev_minor = minor(from->st_rdev),
				      .stx_nlink = (uint32_t)from->st_nlink,
				      .stx_size = (uint64_t)from->st_size,
				      .stx_dev_minor = 6, /* as in status_of() */
				      .stx_ino = from->st_ino,
				      .stx_blksize = BLOCK_BYTES };

	return write_answer(tracee, address, &status, sizeof(status), 0);
}

/* --- directories ---------------------------------------------------------------------------------------- */

/*
 * Adds a directory entry in the format of getdents64(2), or of getdents(2) if @is_old (linux/dirent.h). Both
 * formats have inode, offset and length. The type is before the name in getdents64(2), and the last byte of
 * the entry in getdents(2).
 * Return: false if the entry does not fit into @room.
 */
static bool add_dirent(struct strbuf *out, uint64_t room, bool is_old, const char *name, uint32_t mode,
		       uint64_t index)
{
	const uint64_t head[2] = { FIRST_INODE + index, index + 1 };
	const uint8_t type = (uint8_t)IFTODT(mode);
	const size_t used = sizeof(head) + sizeof(uint16_t) + sizeof(type) + strlen(name) + 1;
	const uint16_t length = (uint16_t)((used + 7) / 8 * 8);
	const char zeros[8] = { 0 };

	if (out->length + length > room)
		return false;
	strbuf_add(out, head, sizeof(head));
	strbuf_add(out, &length, sizeof(length));
	if (!is_old)
		strbuf_add(out, &type, sizeof(type));
	text_put(out, name);
	strbuf_add(out, zeros, length - used);
	if (is_old)
		strbuf_add(out, &type, sizeof(type));
	return true;
}

/*
 * Writes the trace's entries of @directory from *@index on, and increases *@index. @is_besides: true to skip
 * entries that the machine also has. Return: the result for getdents64(2).
 */
static int64_t list_entries(const struct session *session, const struct tracee *tracee,
			    const struct watched *call, const char *directory, bool is_besides,
			    uint64_t *index)
{
	const struct driver_files *files = replay_files(session->options->replay);
	const struct driver_file *file = NULL;
	struct strbuf out = { 0 };
	bool has_room = true;
	uint64_t at = 0;
	struct stat st;
	int64_t result;

	while (has_room && (file = files_child(files, directory, file))) {
		if (is_besides && !lstat(file->path, &st))
			continue;
		if (at >= *index)
			has_room = add_dirent(&out, call->arguments[2], call->number != SYS_getdents64,
					      strrchr(file->path, '/') + 1, file->mode, at);
		at += has_room;
	}
	result = !out.length && !has_room ? -EINVAL : (int64_t)out.length;
	if (result > 0)
		result = write_answer(tracee, call->arguments[1], out.text, out.length, result);
	if (result >= 0)
		*index = at;
	strbuf_release(&out);
	return result;
}

/*
 * Answers getdents64(2). A directory of the trace is a memfd. Its file offset is the number of listed
 * entries, so the kernel executes lseek(2) in place of the call. The kernel lists a directory of the machine;
 * if the trace has entries in it, the call is watched, and list_exit() adds them after the machine's.
 */
static void answer_list(struct session *session, struct tracee *tracee, const struct entry *entry,
			const struct subject *subject)
{
	const int fd = (int)entry->arguments[0];
	char file[32], value[PROC_FIELD_MAX];
	struct watched *call;
	uint64_t index;
	int64_t result;

	snprintf(file, sizeof(file), "fdinfo/%d", fd);
	index = proc_field(value, tracee->tid, file, "pos:") ? strtoull(value, NULL, 10) : 0;
	if (!subject->file) {
		if (!index)
			session_opened(session, session_pid(tracee), fd)->listed = 0;
		if (files_child(replay_files(session->options->replay), subject->path, NULL))
			watched_new(tracee, entry)->listed = 0;
		return;
	}
	call = watched_new(tracee, entry);
	result = list_entries(session, tracee, call, subject->path, false, &index);
	if (result < 0) {
		answer_with(call, tracee, result);
	} else {
		const uint64_t arguments[6] = { entry->arguments[0], index, SEEK_SET };

		answer_change(call, tracee, SYS_lseek, arguments);
		call->listed = result;
	}
}

/*
 * At the exit of getdents64(2), returns the number of listed bytes. After the last entry of a machine's
 * directory, lists the trace's entries.
 */
static int64_t list_exit(struct session *session, struct watched *call, struct tracee *tracee, int64_t result)
{
	const int fd = (int)call->arguments[0];
	struct opened *opened;
	char path[DEVICE_PATH_MAX];

	if (call->answer.kind == ANSWER_CHANGED)
		return result < 0 ? result : call->listed;
	if (result || call->answer.kind != ANSWER_NONE)
		return result;
	opened = session_opened(session, session_pid(tracee), fd);
	device_path_of(path, tracee->tid, fd);
	result = list_entries(session, tracee, call, path, true, &opened->listed);
	call->answer = (struct answer){ ANSWER_RESULT, result };
	return result;
}

/* --- calls with a path ----------------------------------------------------------------------------- */

/*
 * True if the file must not exist for the program, although the machine may have it. If the trace has files,
 * the program sees only these driver files. The program can never create a driver file.
 */
static bool is_missing(const struct session *session, const struct subject *subject,
		       const struct path_call *how)
{
	const struct driver_files *files = replay_files(session->options->replay);

	if (!subject->is_named || subject->file || subject->is_device)
		return false;
	if (subject->is_inside || has_recorded_parent(files, subject->path))
		return true;
	return file_is_drivers(session->options->devices, subject->path) &&
	       (files->by_path || how->question == QUESTION_MAKE);
}

/* Is @path a link to a device by number, "/dev/char/195:0", which NVIDIA's libraries make as root? */
static bool is_device_number_link(const struct session *session, const char *path)
{
	const struct driver_file *file = replay_files(session->options->replay)->by_path;
	const struct device_rules *rules = session->options->devices;
	unsigned major, minor;

	if (sscanf(path, "/dev/char/%u:%u", &major, &minor) != 2)
		return false;
	while (file && (!S_ISCHR(file->mode) || file->device != makedev(major, minor)))
		file = file->hh.next;
	for (size_t i = 0; !file && i < rules->count; i++)
		if (rules->rules[i].major == major && !*rules->rules[i].module)
			return true;
	return file;
}

/* Answers getcwd(2) if the working directory is a directory of the trace. */
static void answer_directory(struct session *session, struct tracee *tracee, const struct entry *entry,
			     const struct path_call *how)
{
	const char *path = directory_of(session, tracee);
	const size_t length = strlen(path) + 1;
	int64_t result = -ERANGE;

	if (!*path)
		return;
	if (entry->arguments[how->flags] >= length)
		result = write_answer(tracee, entry->arguments[how->buffer], path, length, (int64_t)length);
	answer_with(watched_new(tracee, entry), tracee, result);
}

void paths_forked(struct session *session, struct tracee *tracee)
{
	unsigned long child = 0;

	if (*directory_of(session, tracee) && !ptrace(PTRACE_GETEVENTMSG, tracee->tid, NULL, &child))
		memcpy(session_opened(session, (pid_t)child, AT_FDCWD)->path, directory_of(session, tracee),
		       DEVICE_PATH_MAX);
}

void paths_entry(struct session *session, struct tracee *tracee, const struct entry *entry)
{
	const struct path_call *how = path_call_of(entry->number);
	const struct device_rules *rules = session->options->devices;
	const uint64_t buffer = how->buffer >= 0 ? entry->arguments[how->buffer] : 0;
	struct subject subject;
	struct watched *call;
	struct stat status;
	size_t length;
	int64_t result = 0;
	bool is_known, is_change;

	if (how->question == QUESTION_DIRECTORY) {
		answer_directory(session, tracee, entry, how);
		return;
	}
	find_subject(&subject, session, tracee, entry, how);
	if (how->question == QUESTION_LIST) {
		answer_list(session, tracee, entry, &subject);
		return;
	}
	is_known = subject.is_device || subject.file;
	is_change = how->question == QUESTION_MAKE || how->question == QUESTION_REMOVE;
	if (is_change && is_device_number_link(session, subject.path)) { /* succeeds, and changes nothing */
		answer_with(watched_new(tracee, entry), tracee, 0);
		return;
	}
	if (is_missing(session, &subject, how)) {
		answer_with(watched_new(tracee, entry), tracee,
			    how->question == QUESTION_MAKE ? -EPERM : -ENOENT);
		return;
	}
	if (!is_known && how->question == QUESTION_OPEN && *subject.path &&
	    (device_rule_of_path(rules, subject.path) || file_is_drivers(rules, subject.path)))
		observer_note(session->observer, "process %d opens %s, which the trace does not name",
			     (int)session_pid(tracee), subject.path);
	if (!is_known && how->question != QUESTION_LINK && how->question != QUESTION_ENTER)
		return;
	call = watched_new(tracee, entry);
	if (!is_known)
		return; /* paths_exit() handles these calls */
	status_of(&status, session, &subject);
	switch (how->question) {
	case QUESTION_OPEN:
		answer_open(call, tracee, entry, how, &subject);
		return;
	case QUESTION_STATUS:
	case QUESTION_LINK_STATUS:
		result = write_answer(tracee, buffer, &status, sizeof(status), 0);
		break;
	case QUESTION_STATX:
		result = write_statx(tracee, buffer, &status);
		break;
	case QUESTION_LINK:
		result = -EINVAL;
		if (subject.file && S_ISLNK(subject.file->mode)) {
			length = (size_t)subject.file->content.size_bytes;
			if (length > entry->arguments[how->flags])
				length = (size_t)entry->arguments[how->flags];
			result = write_answer(tracee, buffer, subject.file->content.bytes, length,
					      (int64_t)length);
		}
		break;
	case QUESTION_ENTER:
		result = -ENOTDIR;
		if (subject.file && S_ISDIR(subject.file->mode)) {
			memcpy(directory_of(session, tracee), subject.path, sizeof(subject.path));
			result = 0;
		}
		break;
	case QUESTION_ATTRIBUTE: result = -EOPNOTSUPP; break;
	case QUESTION_MAKE: result = -EEXIST; break;
	case QUESTION_REMOVE: result = -EPERM; break;
	case QUESTION_ACCESS:
	case QUESTION_CHANGE:
	case QUESTION_LIST:
	case QUESTION_DIRECTORY: break;
	}
	answer_with(call, tracee, result);
}

/*
 * After readlink(2) of a replayed device's descriptor in /proc, replaces the memfd's path in the program's
 * buffer with the path of the device. Return: the length of the path; @result for all other links.
 */
static int64_t unmark_link(struct watched *call, const struct tracee *tracee, const struct path_call *how,
			   int64_t result)
{
	const uint64_t address = call->arguments[how->buffer];
	const uint32_t room = (uint32_t)call->arguments[how->flags]; /* size of the buffer */
	char path[DEVICE_PATH_MAX], link[DEVICE_PATH_MAX];
	const char *digits;
	size_t length;
	int fd = -1;

	if (result <= 0 || result >= DEVICE_PATH_MAX ||
	    memory_read(path, tracee->tid, address, (size_t)result) != (size_t)result)
		return result;
	path[result] = '\0';
	if (memory_read_text(link, tracee->tid, call->arguments[how->path], sizeof(link)) &&
	    (digits = strstr(link, "fd/")))
		fd = (int)strtol(digits + strlen("fd/"), NULL, 10);
	if (!device_unmark(path, tracee->tid, fd))
		return result;
	length = strlen(path);
	if (length > room) /* readlink(2) does not exceed the buffer */
		length = room;
	memory_write(tracee->tid, address, path, length);
	call->answer = (struct answer){ ANSWER_RESULT, (int64_t)length };
	return call->answer.result;
}

int64_t paths_exit(struct session *session, struct watched *call, struct tracee *tracee, int64_t result)
{
	const struct path_call *how = path_call_of(call->number);
	struct opened *opened;

	if (how->question == QUESTION_LIST)
		return list_exit(session, call, tracee, result);
	if (how->question == QUESTION_LINK)
		return unmark_link(call, tracee, how, result);
	if (how->question == QUESTION_ENTER && call->answer.kind == ANSWER_NONE && !result)
		*directory_of(session, tracee) = '\0';
	if (how->question != QUESTION_OPEN || result < 0 || call->answer.kind != ANSWER_CHANGED)
		return result;
	if (call->file || *call->device.path)
		fill_memfd(session, tracee, call, (int)result);
	if (!call->file) { /* the memfd does not have the flags of the open */
		opened = session_opened(session, session_pid(tracee), (int)result);
		opened->has_flags = true;
		opened->flags = open_flags(tracee, call->arguments, how) &
				~(uint64_t)(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC);
	}
	return result;
}
