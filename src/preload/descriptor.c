#include "preload/descriptor.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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

void descriptor_path(char *out, size_t room, int fd)
{
	static const char deleted[] = " (deleted)";
	char link[64];
	ssize_t length;
	size_t end;

	snprintf(link, sizeof(link), "/proc/thread-self/fd/%d", fd);
	length = readlink(link, out, room - 1);
	out[length < 0 ? 0 : length] = '\0';
	end = strlen(out);
	if (end > strlen(deleted) && !strcmp(out + end - strlen(deleted), deleted))
		out[end - strlen(deleted)] = '\0';
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

static enum plan_family family_of(const char *path)
{
	if (begins(path, "/dev/nvidia-uvm"))
		return PLAN_UVM;
	if (begins(path, "/dev/nvidia-modeset"))
		return PLAN_MODESET;
	if (begins(path, "/dev/nvidiactl") || (begins(path, "/dev/nvidia") && path[11] >= '0' && path[11] <= '9'))
		return PLAN_FRONTEND;
	return PLAN_FAMILIES;
}

/* nv-chardev-numbers.h: NV_MAJOR_DEVICE_NUMBER, NV_MINOR_DEVICE_NUMBER_CONTROL_DEVICE, _MODESET_DEVICE */
enum { NVIDIA_MAJOR = 195, CONTROL_MINOR = 255, MODESET_MINOR = 254 };

/* The path that the driver's device usually has. */
static bool usual_path(char *out, size_t room, dev_t number)
{
	if (major(number) != NVIDIA_MAJOR)
		return false;
	if (minor(number) == CONTROL_MINOR)
		snprintf(out, room, "/dev/nvidiactl");
	else if (minor(number) == MODESET_MINOR)
		snprintf(out, room, "/dev/nvidia-modeset");
	else
		snprintf(out, room, "/dev/nvidia%u", minor(number));
	return true;
}

static bool path_of_device(char *out, size_t room, int fd, const struct stat *st)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/thread-self/fd/%d", fd);
	length = readlink(link, out, room - 1);
	out[length < 0 ? 0 : length] = '\0';
	if (begins(out, PRETENDED)) {
		descriptor_path(out, room, fd);
		return true;
	}
	return S_ISCHR(st->st_mode) && (begins(out, "/dev/nvidia") || usual_path(out, room, st->st_rdev));
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

static const struct descriptor *look(int fd, pid_t pid, const struct stat *st)
{
	struct descriptor got = { .device = st->st_dev, .inode = st->st_ino, .pid = pid }, *found;

	if (!path_of_device(got.path, sizeof(got.path), fd, st))
		return NULL;
	found = new_descriptor();
	if (!found)
		return NULL;
	got.family = family_of(got.path);
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

const struct descriptor *descriptor_of(bool *is_new, int fd, pid_t pid)
{
	const struct descriptor *found = fd >= 0 && fd < KNOWN_MAX ? known[fd] : NULL;
	struct stat st;

	*is_new = false;
	if (fstat(fd, &st) || !may_be_device(&st))
		return NULL;
	if (found && found->device == st.st_dev && found->inode == st.st_ino && found->pid == pid)
		return found;
	found = look(fd, pid, &st);
	*is_new = found;
	return found;
}
