#include "base/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { STEM_MAX = 200, LINK_SIZE = 32 };

/* What a user, a terminal or a system that shuts down sends. */
static void hold_signals(struct temp_file *temp)
{
	static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGXCPU };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		sigaddset(&set, ending[i]);
	pthread_sigmask(SIG_BLOCK, &set, &temp->held);
}

/* Unlinks the name unless it became another one; then the signals that came may act. */
static void end_name(struct temp_file *temp, bool remove)
{
	if (!*temp->name)
		return;
	if (remove)
		unlinkat(temp->dir_fd, temp->name, 0);
	*temp->name = '\0';
	pthread_sigmask(SIG_SETMASK, &temp->held, NULL);
}

/* A name beside @name that no other thread or process uses; if that is long, the beginning of it. */
static void next_name(struct temp_file *temp, const char *name)
{
	static atomic_uint serial;

	snprintf(temp->name, sizeof(temp->name), "%.*s.%ld-%u.tmp", STEM_MAX, name, (long)getpid(), atomic_fetch_add(&serial, 1));
}

static void link_of(char link[LINK_SIZE], int fd)
{
	snprintf(link, LINK_SIZE, "/proc/self/fd/%d", fd);
}

int temp_file_open_unnamed(struct temp_file *out, int dir_fd, mode_t mode)
{
	char link[LINK_SIZE];

	*out = (struct temp_file){ .dir_fd = dir_fd };
	out->fd = openat(dir_fd, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
	if (out->fd < 0)
		return -1;
	link_of(link, out->fd);
	if (!access(link, F_OK))
		return 0;
	close(out->fd); /* without /proc it could never get a name */
	errno = EOPNOTSUPP;
	return -1;
}

int temp_file_open_named(struct temp_file *out, int dir_fd, const char *name, mode_t mode)
{
	*out = (struct temp_file){ .dir_fd = dir_fd };
	hold_signals(out);
	do {
		next_name(out, name);
		out->fd = openat(dir_fd, out->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	} while (out->fd < 0 && errno == EEXIST);
	if (out->fd < 0)
		end_name(out, false);
	return out->fd < 0 ? -1 : 0;
}

static int link_as(const struct temp_file *temp, const char *name)
{
	char link[LINK_SIZE];

	link_of(link, temp->fd);
	return linkat(AT_FDCWD, link, temp->dir_fd, name, AT_SYMLINK_FOLLOW);
}

/* Return: 0 if the file stands under @name, 1 if under a name of its own, -1 with errno. */
static int give_name(struct temp_file *temp, const char *name)
{
	int rc;

	if (!link_as(temp, name))
		return 0;
	if (errno != EEXIST)
		return -1;
	hold_signals(temp);
	do {
		next_name(temp, name);
		rc = link_as(temp, temp->name);
	} while (rc && errno == EEXIST);
	if (rc)
		end_name(temp, false);
	return rc ? -1 : 1;
}

int temp_file_publish(struct temp_file *temp, const char *name)
{
	const bool named = *temp->name;
	int rc = named ? 1 : give_name(temp, name);

	/* A network file system may find out only now that its disk is full. It has no files without a name. */
	if (named) {
		rc = close(temp->fd) ? -1 : 1;
		temp->fd = -1;
	}
	if (rc == 1 && !(rc = renameat(temp->dir_fd, temp->name, temp->dir_fd, name)))
		end_name(temp, false);
	temp_file_discard(temp);
	return rc;
}

void temp_file_discard(struct temp_file *temp)
{
	const int error = errno;

	if (temp->fd >= 0)
		close(temp->fd);
	temp->fd = -1;
	end_name(temp, true);
	errno = error;
}
