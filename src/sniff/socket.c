#include "sniff/socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int refuse(const char *path, int error, struct err *err)
{
	return err_set(err, ERR_IO, "cannot listen at %s: %s", path, strerror(error));
}

/* Removes a socket whose listener has gone. Return: false if somebody listens, or it is no socket. */
static bool remove_stale(const char *path, const struct sockaddr_un *address)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct stat st;
	bool stale;

	if (fd < 0 || lstat(path, &st) || !S_ISSOCK(st.st_mode)) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	stale = connect(fd, (const struct sockaddr *)address, sizeof(*address)) && errno == ECONNREFUSED;
	close(fd);
	return stale && !unlink(path);
}

static int bind_to(int fd, const char *path, const struct sockaddr_un *address)
{
	if (!bind(fd, (const struct sockaddr *)address, sizeof(*address)))
		return 0;
	if (errno != EADDRINUSE)
		return -1;
	if (remove_stale(path, address))
		return bind(fd, (const struct sockaddr *)address, sizeof(*address));
	errno = EADDRINUSE;
	return -1;
}

int socket_listen(const char *path, struct err *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, error;

	if (!*path || strlen(path) >= sizeof(address.sun_path))
		return err_set(err, ERR_IO, "cannot listen at '%s': the path of a socket has 1 to %zu bytes; name a shorter one", path,
			       sizeof(address.sun_path) - 1);
	memcpy(address.sun_path, path, strlen(path));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return refuse(path, errno, err);
	if (bind_to(fd, path, &address)) {
		error = errno;
		close(fd);
		return refuse(path, error, err);
	}
	if (listen(fd, SOMAXCONN)) {
		error = errno;
		socket_close(fd, path);
		return refuse(path, error, err);
	}
	return fd;
}

void socket_close(int fd, const char *path)
{
	close(fd);
	unlink(path);
}

pid_t socket_peer(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) ? 0 : peer.pid;
}
