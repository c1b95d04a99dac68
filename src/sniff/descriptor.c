#include "sniff/descriptor.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stands in /proc before the path of a device that is only pretended (sniff --replay, and tests). */
#define PRETENDED "/memfd:drvabi:"

enum { KNOWN_MAX = 4096, ROOM_MAX = 64 };

/* By descriptor. An entry is written once, before its address is stored here. */
static _Atomic(const struct descriptor *) known[KNOWN_MAX];

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void cut_deleted(char *path)
{
	static const char deleted[] = " (deleted)";
	const size_t length = strlen(path);

	if (length > strlen(deleted) && !strcmp(path + length - strlen(deleted), deleted))
		path[length - strlen(deleted)] = '\0';
}

void descriptor_path(char *out, size_t room, int fd)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/thread-self/fd/%d", fd);
	length = readlink(link, out, room - 1);
	out[length < 0 ? 0 : length] = '\0';
	cut_deleted(out);
	if (begins(out, PRETENDED))
		memmove(out, out + strlen(PRETENDED), strlen(out + strlen(PRETENDED)) + 1);
}

/* The kernel's O_LARGEFILE, which it adds to all that a 64-bit program opens; libc's is 0. */
#ifdef __aarch64__
enum { LARGE_FILE = 0400000 };
#else
enum { LARGE_FILE = 0100000 };
#endif

uint64_t descriptor_flags(int fd)
{
	const int flags = fcntl(fd, F_GETFL), descriptor_flags = fcntl(fd, F_GETFD);

	if (flags < 0 || descriptor_flags < 0)
		return 0;
	return (uint64_t)((flags & ~LARGE_FILE) | (descriptor_flags & FD_CLOEXEC ? O_CLOEXEC : 0));
}

/* By its path, if it is pretended. Return: NULL if it is no device of the driver. */
static const struct device_rule *rule_of(struct descriptor *out, const struct device_rules *devices, int fd, const struct stat *st)
{
	static _Atomic dev_t other; /* the last number that was not the driver's: /proc/devices is not read again for it */
	const struct device_rule *rule;
	char link[64], path[sizeof(out->path)];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/thread-self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	if (begins(path, PRETENDED)) {
		descriptor_path(out->path, sizeof(out->path), fd);
		return device_rule_of_path(devices, out->path);
	}
	if (!S_ISCHR(st->st_mode) || (other == st->st_rdev && !device_rule_of_path(devices, path)))
		return NULL;
	cut_deleted(path);
	rule = device_rule_of(out->path, sizeof(out->path), devices, path, st->st_rdev);
	if (!rule)
		other = st->st_rdev;
	return rule;
}

/*
 * Never freed: few descriptors become another device. The first ones have their room here, since a page that is mapped now might be one that the workload
 * has unmapped, and expects calls to fail at.
 */
static struct descriptor *new_descriptor(void)
{
	static struct descriptor room[ROOM_MAX];
	static atomic_uint used;
	const unsigned index = atomic_load(&used) < ROOM_MAX ? atomic_fetch_add(&used, 1) : ROOM_MAX;
	struct descriptor *mapped;

	if (index < ROOM_MAX)
		return &room[index];
	mapped = mmap(NULL, sizeof(*mapped), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return mapped == MAP_FAILED ? NULL : mapped;
}

static const struct descriptor *look(const struct device_rules *devices, int fd, pid_t pid, const struct stat *st)
{
	struct descriptor got = { .device = st->st_dev, .inode = st->st_ino, .number = st->st_rdev, .pid = pid }, *found;
	const struct device_rule *rule = rule_of(&got, devices, fd, st);

	if (!rule)
		return NULL;
	found = new_descriptor();
	if (!found)
		return NULL;
	got.family = plan_family_of(rule->family);
	*found = got;
	if (fd < KNOWN_MAX)
		known[fd] = found;
	return found;
}

/* Most descriptors are told without their path: no file with a name is a device, and no socket. */
static bool may_be_device(const struct stat *st)
{
	return S_ISCHR(st->st_mode) || (S_ISREG(st->st_mode) && !st->st_nlink);
}

const struct descriptor *descriptor_of(bool *is_new, const struct device_rules *devices, int fd, pid_t pid)
{
	const struct descriptor *found = fd >= 0 && fd < KNOWN_MAX ? known[fd] : NULL;
	struct stat st;

	*is_new = false;
	if (fstat(fd, &st) || !may_be_device(&st))
		return NULL;
	if (found && found->device == st.st_dev && found->inode == st.st_ino && found->number == st.st_rdev && found->pid == pid)
		return found;
	found = look(devices, fd, pid, &st);
	*is_new = found;
	return found;
}
