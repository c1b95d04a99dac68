/* What CUDA and nvidia-smi ask of device files but by ioctls, each by every system call that there is for it. Says what is not as with a driver. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const char control[] = "/dev/nvidiactl";
static int failures;

static void expect(int is_so, const char *what)
{
	if (is_so)
		return;
	printf("%s: %s\n", what, strerror(errno));
	failures++;
}

static int is_control(const struct stat *status)
{
	return S_ISCHR(status->st_mode) && (status->st_mode & 0777) == 0666 && major(status->st_rdev) == 195 && minor(status->st_rdev) == 255;
}

static int statx_is_control(int directory, const char *path, int flags)
{
	struct statx status;

	memset(&status, 0x55, sizeof(status));
	return !syscall(SYS_statx, directory, path, flags, STATX_BASIC_STATS, &status) && S_ISCHR(status.stx_mode) && status.stx_rdev_major == 195 &&
	       status.stx_rdev_minor == 255;
}

static void ask_status(int fd)
{
	struct stat status;

	memset(&status, 0x55, sizeof(status));
	expect(!syscall(SYS_fstat, fd, &status) && is_control(&status), "fstat");
	memset(&status, 0x55, sizeof(status));
	expect(!syscall(SYS_newfstatat, AT_FDCWD, control, &status, 0) && is_control(&status), "newfstatat");
	memset(&status, 0x55, sizeof(status));
	expect(!syscall(SYS_newfstatat, AT_FDCWD, control, &status, AT_SYMLINK_NOFOLLOW) && is_control(&status), "newfstatat of no link");
	memset(&status, 0x55, sizeof(status));
	expect(!syscall(SYS_newfstatat, fd, "", &status, AT_EMPTY_PATH) && is_control(&status), "newfstatat of a descriptor");
	expect(statx_is_control(AT_FDCWD, control, 0), "statx");
	expect(statx_is_control(fd, "", AT_EMPTY_PATH), "statx of a descriptor");
	expect(syscall(SYS_fstat, fd, NULL) == -1 && errno == EFAULT, "fstat to nowhere");
	expect(syscall(SYS_newfstatat, AT_FDCWD, "/dev/nvidia7", &status, 0) == -1 && errno == ENOENT, "newfstatat of a device that the trace does not name");
#ifdef SYS_stat
	memset(&status, 0x55, sizeof(status));
	expect(!syscall(SYS_stat, control, &status) && is_control(&status), "stat");
	memset(&status, 0x55, sizeof(status));
	expect(!syscall(SYS_lstat, control, &status) && is_control(&status), "lstat");
#endif
}

static void ask_access(void)
{
	char link[64];

	expect(!syscall(SYS_faccessat, AT_FDCWD, control, R_OK | W_OK), "faccessat");
	expect(!syscall(SYS_faccessat2, AT_FDCWD, control, R_OK | W_OK, AT_EACCESS), "faccessat2");
	expect(syscall(SYS_readlinkat, AT_FDCWD, control, link, sizeof(link)) == -1 && errno == EINVAL, "readlinkat");
#ifdef SYS_access
	expect(!syscall(SYS_access, control, R_OK | W_OK), "access");
	expect(syscall(SYS_access, "/dev/nvidia7", F_OK) == -1 && errno == ENOENT, "access of a device that the trace does not name");
#endif
#ifdef SYS_readlink
	expect(syscall(SYS_readlink, control, link, sizeof(link)) == -1 && errno == EINVAL, "readlink");
#endif
}

static void ask_open(void)
{
	struct open_how how = { .flags = O_RDWR | O_CLOEXEC };
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, control, &how, sizeof(how));

	expect(fd >= 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC, "openat2, and O_CLOEXEC");
	close(fd);
	fd = (int)syscall(SYS_openat, AT_FDCWD, control, O_RDWR);
	expect(fd >= 0 && !fcntl(fd, F_GETFD), "openat");
	close(fd);
#ifdef SYS_open
	fd = (int)syscall(SYS_open, control, O_RDWR);
	expect(fd >= 0, "open");
	close(fd);
#endif
	expect(syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_DIRECTORY) == -1 && errno == ENOTDIR, "a device as a directory");
	expect(syscall(SYS_openat, AT_FDCWD, "/dev/nvidia7", O_RDWR) == -1 && errno == ENOENT, "a device that the trace does not name");
}

/* A device by other paths than its own: its descriptor is the device's all the same. */
static void ask_other_paths(void)
{
	static const char *const paths[] = { "/dev//nvidiactl", "/dev/../dev/./nvidiactl", "nvidiactl", "../dev/nvidiactl" };
	enum { SHORT = 12 };
	const int directory = open("/dev", O_RDONLY | O_DIRECTORY);
	char link[64], path[64];
	struct stat status;

	expect(!chdir("/dev"), "chdir");
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		const int fd = openat(i % 2 ? directory : AT_FDCWD, paths[i], O_RDWR);
		ssize_t length;

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		length = readlink(link, path, sizeof(path) - 1);
		path[length < 0 ? 0 : length] = '\0';
		expect(!strcmp(path, control), paths[i]);
		path[SHORT] = '!';
		length = readlink(link, path, SHORT);
		expect(length > 0 && length <= SHORT && path[SHORT] == '!', "readlink with a short buffer");
		expect(!fstat(fd, &status) && is_control(&status), "fstat of another path");
		errno = 0;
		expect(ioctl(fd, 0x12345678, NULL) == -1 && errno == EINVAL, "an ioctl that the trace does not have");
		close(fd);
	}
	close(directory);
}

int main(void)
{
	const int fd = open(control, O_RDWR);

	expect(fd >= 0, "libc's open");
	ask_status(fd);
	ask_access();
	ask_open();
	ask_other_paths();
	return failures;
}
