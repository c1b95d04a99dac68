/*
 * sniff/tracee.c -
 */
#include "sniff/internal.h"
#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* No page of the processors that are known is smaller; a larger one is read in slices. */
enum { PAGE_BYTES = 4096 };

typedef ssize_t (*transfer)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long, unsigned long);

static size_t move_once(transfer move, pid_t tid, void *here, uint64_t there, size_t size_bytes)
{
	const struct iovec local = { here, size_bytes };
	const struct iovec remote = { (void *)(uintptr_t)there, size_bytes };
	const ssize_t moved = move(tid, &local, 1, &remote, 1, 0);

	return moved < 0 ? 0 : (size_t)moved;
}

/* All at once; what fails is tried again page by page, up to the first that is not there. */
static size_t move_all(transfer move, pid_t tid, void *here, uint64_t there, size_t size_bytes)
{
	size_t done = move_once(move, tid, here, there, size_bytes);

	while (done < size_bytes) {
		const size_t to_page = PAGE_BYTES - (size_t)((there + done) % PAGE_BYTES);
		const size_t wanted = size_bytes - done < to_page ? size_bytes - done : to_page;
		const size_t moved = move_once(move, tid, (uint8_t *)here + done, there + done, wanted);

		done += moved;
		if (moved < wanted)
			break;
	}
	return done;
}

size_t memory_read(void *out, pid_t tid, uint64_t address, size_t size_bytes)
{
	return move_all(process_vm_readv, tid, out, address, size_bytes);
}

size_t memory_write(pid_t tid, uint64_t address, const void *bytes, size_t size_bytes)
{
	return move_all(process_vm_writev, tid, (void *)(uintptr_t)bytes, address, size_bytes);
}

bool memory_read_text(char *out, pid_t tid, uint64_t address, size_t size_bytes)
{
	return memchr(out, '\0', memory_read(out, tid, address, size_bytes));
}

enum {
	BYTES_MAX = 16 * 1024, /* more takes longer to copy than a system call */
	SAME_MIN = 2,
};

void ahead_begin(struct ahead *ahead)
{
	if (ahead->read_bytes && ahead->asked_count == 1)
		ahead->same_count = 0;
	ahead->asked_count = 0;
	ahead->read_bytes = 0;
}

/* The first range, and the second if it is expected. */
static size_t read_both(void *out, struct ahead *ahead, pid_t tid, uint64_t address, size_t size_bytes)
{
	const struct iovec here[] = { { out, size_bytes }, { ahead->bytes, ahead->second.size_bytes } };
	const struct iovec there[] = { { (void *)(uintptr_t)address, size_bytes },
				       { (void *)(uintptr_t)ahead->second.address, ahead->second.size_bytes } };
	const ssize_t got = process_vm_readv(tid, here, 2, there, 2, 0);

	if (got < 0 || (size_t)got < size_bytes)
		return memory_read(out, tid, address, size_bytes);
	ahead->read_bytes = (size_t)got - size_bytes;
	return size_bytes;
}

static bool is_second(const struct ahead *ahead, uint64_t address, size_t size_bytes)
{
	return ahead->second.address == address && ahead->second.size_bytes == size_bytes;
}

/* What was asked for second is what is expected in the next stop. */
static void expect(struct ahead *ahead, uint64_t address, size_t size_bytes)
{
	if (is_second(ahead, address, size_bytes)) {
		ahead->same_count++;
		return;
	}
	ahead->second = (struct ahead_range){ address, size_bytes };
	ahead->same_count = 1;
}

size_t ahead_read(void *out, struct ahead *ahead, pid_t tid, uint64_t address, size_t size_bytes)
{
	const unsigned index = ahead->asked_count++;

	if (!index && ahead->same_count >= SAME_MIN && ahead->second.size_bytes <= BYTES_MAX) {
		if (!ahead->bytes)
			ahead->bytes = xmalloc(BYTES_MAX);
		return read_both(out, ahead, tid, address, size_bytes);
	}
	if (index == 1) {
		const bool is_here = ahead->read_bytes == size_bytes && is_second(ahead, address, size_bytes);

		expect(ahead, address, size_bytes);
		if (is_here) {
			memcpy(out, ahead->bytes, size_bytes);
			return size_bytes;
		}
	}
	return memory_read(out, tid, address, size_bytes);
}

void ahead_release(struct ahead *ahead)
{
	free(ahead->bytes);
	*ahead = (struct ahead){ .bytes = NULL };
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

int device_table_open(pid_t tid)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/fd", (int)tid);
	return open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* @fd in decimal; without printf(), which takes a tenth of the look-up. Return: where it begins in @out. */
static const char *digits_of(char out[16], unsigned fd)
{
	char *at = out + 15;

	*at = '\0';
	do
		*--at = (char)('0' + fd % 10);
	while (fd /= 10);
	return at;
}

void device_path_of(char out[DEVICE_PATH_MAX], pid_t tid, int table, int fd)
{
	char link[64], digits[16];
	ssize_t length = -1;

	if (table >= 0 && fd >= 0)
		length = readlinkat(table, digits_of(digits, (unsigned)fd), out, DEVICE_PATH_MAX - 1);
	if (length < 0) {
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)tid, fd);
		length = readlink(link, out, DEVICE_PATH_MAX - 1);
	}
	out[length < 0 ? 0 : length] = '\0';
}

bool device_is_hidden(pid_t tid, int fd)
{
	char link[64], path[2];

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)tid, fd);
	if (readlink(link, path, sizeof(path)) >= 0)
		return false;
	if (errno == EACCES || errno == EPERM)
		return true;
	snprintf(link, sizeof(link), "/proc/%d", (int)tid);
	return access(link, F_OK); /* /proc is mounted with hidepid */
}

static void cut_deleted(char *path)
{
	static const char deleted[] = " (deleted)";
	const size_t length = strlen(path);

	if (length > strlen(deleted) && !strcmp(path + length - strlen(deleted), deleted))
		path[length - strlen(deleted)] = '\0';
}

bool device_unmark(char *path)
{
	if (!begins(path, DEVICE_MARK "/dev/"))
		return false;
	cut_deleted(path);
	memmove(path, path + strlen(DEVICE_MARK), strlen(path + strlen(DEVICE_MARK)) + 1);
	return true;
}

bool device_of(struct device *out, const struct device_rules *rules, pid_t tid, int table, int fd, const char *known)
{
	char link[64], path[DEVICE_PATH_MAX];
	struct stat st;

	device_path_of(out->path, tid, table, fd);
	out->is_replayed = false;
	if (*known && !strcmp(out->path, known))
		return true;
	out->is_replayed = device_unmark(out->path);
	if (out->is_replayed)
		return true;
	cut_deleted(out->path);
	/* Nothing else that is open has a path: sockets, pipes, files of other kinds. */
	if (*out->path != '/')
		return false;
	snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)tid, fd);
	if (stat(link, &st) || !S_ISCHR(st.st_mode))
		return false;
	memcpy(path, out->path, sizeof(path));
	return device_rule_of(out->path, sizeof(out->path), rules, path, st.st_rdev);
}

uint64_t device_open_flags(pid_t tid, int fd)
{
	char name[64], line[128];
	unsigned long long flags = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/fdinfo/%d", (int)tid, fd);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "flags: %llo", &flags) == 1)
			break;
	if (file)
		fclose(file);
	return flags & ~(unsigned long long)sniff_arch.large_file;
}

/* --- all of a process ---------------------------------------------------------------------------- */

/* Of /proc/PID/task, which has a directory for each thread. */
static bool has_one_thread(pid_t pid)
{
	char name[64];
	struct stat st;

	snprintf(name, sizeof(name), "/proc/%d/task", (int)pid);
	return !stat(name, &st) && st.st_nlink == 3;
}

static void add_device(struct device_list *list, const struct device_rules *rules, pid_t pid, int fd)
{
	struct device device;
	size_t at, had = list->capacity;

	if (!device_of(&device, rules, pid, -1, fd, ""))
		return;
	ARRAY_GROW(list->fds, list->count, list->capacity);
	if (had < list->capacity)
		list->devices = xrealloc(list->devices, list->capacity * sizeof(*list->devices));
	for (at = list->count++; at && list->fds[at - 1] > fd; at--) {
		list->fds[at] = list->fds[at - 1];
		list->devices[at] = list->devices[at - 1];
	}
	list->fds[at] = fd;
	list->devices[at] = device;
}

void device_list_of(struct device_list *out, const struct device_rules *rules, pid_t pid)
{
	struct dirent *entry;
	char name[64];
	DIR *dir;

	*out = (struct device_list){ .count = 0 };
	snprintf(name, sizeof(name), "/proc/%d/fd", (int)pid);
	dir = has_one_thread(pid) ? opendir(name) : NULL;
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name >= '0' && *entry->d_name <= '9')
			add_device(out, rules, pid, (int)strtol(entry->d_name, NULL, 10));
	if (dir)
		closedir(dir);
}

void device_list_release(struct device_list *list)
{
	free(list->fds);
	free(list->devices);
}

dev_t device_number(const struct device_rules *rules, const char *path)
{
	const dev_t number = device_number_of(rules, path);
	struct stat st;

	if (number)
		return number;
	return stat(path, &st) || !S_ISCHR(st.st_mode) ? 0 : st.st_rdev;
}
