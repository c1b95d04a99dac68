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

struct proc_path proc_path(pid_t tid, const char *file)
{
	struct proc_path path;

	if (tid)
		snprintf(path.text, sizeof(path.text), "/proc/%d/%s", (int)tid, file);
	else
		snprintf(path.text, sizeof(path.text), "/proc/thread-self/%s", file);
	return path;
}

struct proc_path proc_fd_path(pid_t tid, int fd)
{
	char file[16];

	snprintf(file, sizeof(file), "fd/%d", fd);
	return proc_path(tid, file);
}

bool proc_field(char value[PROC_FIELD_MAX], pid_t tid, const char *file, const char *key)
{
	FILE *stream = fopen(proc_path(tid, file).text, "re");
	char line[PROC_FIELD_MAX];
	bool found = false;

	while (stream && !found && fgets(line, sizeof(line), stream))
		found = begins(line, key);
	if (stream)
		fclose(stream);
	if (found)
		memcpy(value, line + strlen(key), strlen(line + strlen(key)) + 1);
	return found;
}

void device_path_of(char out[DEVICE_PATH_MAX], pid_t tid, int fd)
{
	link_target(out, DEVICE_PATH_MAX, proc_fd_path(tid, fd).text);
}

/*
 * Removes @mark, and " (deleted)", from the path of a memfd in /proc, if the memfd is named like a device.
 * Return: false if the path does not begin with @mark and "/dev/"; it is then unchanged.
 */
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
	const struct proc_path link = proc_fd_path(tid, fd);
	ssize_t length = -1;
	struct stat st;
	const int memfd = stat(link.text, &st) || !st.st_size ? -1 : open(link.text, O_RDONLY | O_CLOEXEC);

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

bool device_of(struct device *out, const struct device_rules *rules, pid_t tid, int fd, const char *known)
{
	char path[DEVICE_PATH_MAX];
	struct stat st;

	device_path_of(out->path, tid, fd);
	out->fd = fd;
	out->is_replayed = false;
	if (*known && !strcmp(out->path, known))
		return true;
	out->is_replayed = device_unmark(out->path, tid, fd);
	if (out->is_replayed)
		return true;
	if (cut_mark(out->path, DEVICE_PRETENDED))
		return device_rule_of_path(rules, out->path);
	device_cut_deleted(out->path);
	/* a socket, a pipe or a different file without a path does not begin with a slash */
	if (*out->path != '/' || (tid ? stat(proc_fd_path(tid, fd).text, &st) : fstat(fd, &st)) ||
	    !S_ISCHR(st.st_mode))
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
	DIR *dir = opendir(proc_path(pid, "fd").text);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.' ||
		    !device_of(&found, rules, pid, (int)strtol(entry->d_name, NULL, 10), ""))
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
