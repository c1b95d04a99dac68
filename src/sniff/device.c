/*
 * Finds the driver's devices to which the descriptors of a different process refer, in /proc.
 *
 * A descriptor is looked up when it is used, so dup, fork, exec, close_range and the receipt of descriptors
 * from a socket need not be tracked.
 */
#include "sniff/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool proc_field(char value[PROC_FIELD_MAX], pid_t tid, const char *file, const char *key)
{
	char name[64], line[PROC_FIELD_MAX];
	bool found = false;
	FILE *stream;

	snprintf(name, sizeof(name), "/proc/%d/%s", (int)tid, file);
	stream = fopen(name, "re");
	while (stream && !found && fgets(line, sizeof(line), stream))
		found = begins(line, key);
	if (stream)
		fclose(stream);
	if (found)
		memcpy(value, line + strlen(key), strlen(line + strlen(key)) + 1);
	return found;
}

int device_table_open(pid_t tid)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/fd", (int)tid);
	return open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void device_path_of(char out[DEVICE_PATH_MAX], pid_t tid, int table, int fd)
{
	char link[64], digits[16] = "", *at = digits + sizeof(digits) - 1;
	ssize_t length = -1;

	if (table >= 0 && fd >= 0) {
		unsigned rest = (unsigned)fd;

		do /* printf() would take a tenth of the lookup's time */
			*--at = (char)('0' + rest % 10);
		while (rest /= 10);
		length = readlinkat(table, at, out, DEVICE_PATH_MAX - 1);
	}
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

static bool cut_mark(char *path, const char *mark)
{
	const size_t length = strlen(mark);

	if (!begins(path, mark) || !begins(path + length, "/dev/"))
		return false;
	device_cut_deleted(path);
	memmove(path, path + length, strlen(path + length) + 1);
	return true;
}

bool memfd_read(char out[DEVICE_PATH_MAX], pid_t tid, int fd)
{
	ssize_t length = -1;
	char link[64];
	struct stat st;
	int memfd;

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)tid, fd);
	memfd = stat(link, &st) || !st.st_size ? -1 : open(link, O_RDONLY | O_CLOEXEC);
	if (memfd >= 0) {
		length = pread(memfd, out, DEVICE_PATH_MAX - 1, 0);
		close(memfd);
	}
	out[length < 0 ? 0 : length] = '\0';
	return length > 0;
}

bool device_unmark(char path[DEVICE_PATH_MAX], pid_t tid, int fd)
{
	char content[DEVICE_PATH_MAX];

	if (!begins(path, DEVICE_MARK) || begins(path, DEVICE_PRETENDED))
		return false;
	if (!memfd_read(content, tid, fd))
		return cut_mark(path, DEVICE_MARK);
	if (!begins(content, DEVICE_CONTENT))
		return false;
	memcpy(path, content + strlen(DEVICE_CONTENT), sizeof(content) - strlen(DEVICE_CONTENT));
	return true;
}

bool device_of(struct device *out, const struct device_rules *rules, pid_t tid, int table, int fd,
	       const char *known)
{
	char link[64], path[DEVICE_PATH_MAX];
	struct stat st;

	device_path_of(out->path, tid, table, fd);
	out->fd = fd;
	out->is_replayed = false;
	if (*known && !strcmp(out->path, known))
		return true;
	out->is_replayed = device_unmark(out->path, tid, fd);
	if (out->is_replayed)
		return true;
	snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)tid, fd);
	if (cut_mark(out->path, DEVICE_PRETENDED))
		return device_rule_of_path(rules, out->path);
	device_cut_deleted(out->path);
	/* a socket, a pipe or a different file without a path does not begin with a slash */
	if (*out->path != '/' || stat(link, &st) || !S_ISCHR(st.st_mode))
		return false;
	memcpy(path, out->path, sizeof(path));
	return device_rule_of(out->path, sizeof(out->path), rules, path, st.st_rdev);
}

uint64_t device_open_flags(pid_t tid, int fd)
{
	char file[32], value[PROC_FIELD_MAX];

	snprintf(file, sizeof(file), "fdinfo/%d", fd);
	return proc_field(value, tid, file, "flags:") ? strtoull(value, NULL, 8) & ~sniff_arch.large_file : 0;
}

/* --- all devices of a process -------------------------------------------------------------------- */

size_t device_list_of(struct device **out, const struct device_rules *rules, pid_t pid)
{
	struct device *list = NULL, found;
	size_t count = 0, capacity = 0, at;
	struct dirent *entry;
	char name[64];
	DIR *dir;

	snprintf(name, sizeof(name), "/proc/%d/fd", (int)pid);
	dir = opendir(name);
	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.' ||
		    !device_of(&found, rules, pid, -1, (int)strtol(entry->d_name, NULL, 10), ""))
			continue;
		ARRAY_GROW(list, count, capacity);
		for (at = count++; at && list[at - 1].fd > found.fd; at--)
			list[at] = list[at - 1];
		list[at] = found;
	}
	if (dir)
		closedir(dir);
	*out = list;
	return count;
}

dev_t device_number(const struct device_rules *rules, const char *path)
{
	const dev_t number = device_number_of(rules, path);
	struct stat st;

	if (number)
		return number;
	return stat(path, &st) || !S_ISCHR(st.st_mode) ? 0 : st.st_rdev;
}
