/*
 * One loop over poll(2): the signals, the socket, the connections. A
 * connection may be idle for as long as it likes. When there are as many as
 * there may be, further ones wait in the kernel until one has ended.
 */
#include "sniff/listen.h"

#include "sniff/client.h"
#include "sniff/socket.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CLIENTS_MAX = 4096, SIGNAL_AT = 0, SOCKET_AT = 1, CLIENTS_AT = 2, SPARE_DESCRIPTORS = 64, REST_S = 2 };

struct listener {
	const struct listen_options *options;
	struct client_room room;
	struct pollfd polled[CLIENTS_AT + CLIENTS_MAX]; /* the client of [CLIENTS_AT + i] is clients[i] */
	struct client clients[CLIENTS_MAX];
	size_t count, limit;
	bool had_client, is_signalled;
};

/* As many as the process may have descriptors, without those that it needs itself. */
static size_t client_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return CLIENTS_MAX / 8;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > CLIENTS_MAX + SPARE_DESCRIPTORS)
		return CLIENTS_MAX;
	return limit.rlim_cur > 2 * SPARE_DESCRIPTORS ? (size_t)limit.rlim_cur - SPARE_DESCRIPTORS : SPARE_DESCRIPTORS;
}

static void accept_all(struct listener *listener)
{
	while (listener->count < listener->limit) {
		const int fd = accept4(listener->polled[SOCKET_AT].fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			listener->limit = listener->count; /* the machine has no more to give */
		if (fd < 0)
			return;
		listener->polled[CLIENTS_AT + listener->count] = (struct pollfd){ .fd = fd, .events = POLLIN };
		listener->clients[listener->count++] = (struct client){ .fd = fd, .pid = socket_peer(fd) };
		listener->had_client = true;
	}
}

/* The last one gets the index of the one that has ended. */
static void forget(struct listener *listener, size_t index)
{
	client_close(&listener->clients[index]);
	listener->count--;
	listener->clients[index] = listener->clients[listener->count];
	listener->polled[CLIENTS_AT + index] = listener->polled[CLIENTS_AT + listener->count];
}

static void read_ready(struct listener *listener)
{
	for (size_t i = listener->count; i-- > 0 && !listener->room.is_ended;)
		if (listener->polled[CLIENTS_AT + i].revents && !client_read(&listener->clients[i], &listener->room))
			forget(listener, i);
}

static time_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* After a signal: what was sent before it. Who sends on and on is not waited for. */
static void read_rest(struct listener *listener)
{
	const time_t until = now_s() + REST_S;
	bool more = true;

	accept_all(listener);
	while (more && !listener->room.is_ended && now_s() < until) {
		more = poll(listener->polled + CLIENTS_AT, listener->count, 0) > 0;
		read_ready(listener);
	}
}

static int step(struct listener *listener, struct err *err)
{
	listener->polled[SOCKET_AT].events = listener->count < listener->limit ? POLLIN : 0;
	if (poll(listener->polled, CLIENTS_AT + listener->count, -1) < 0)
		return errno == EINTR ? 0 : err_set(err, ERR_IO, "cannot wait for what gVisor's hook sends: %s", strerror(errno));
	listener->is_signalled = listener->polled[SIGNAL_AT].revents;
	read_ready(listener);
	if (listener->polled[SOCKET_AT].revents)
		accept_all(listener);
	return 0;
}

static int serve(struct listener *listener, struct err *err)
{
	int rc = 0;

	while (!rc && !listener->is_signalled && !listener->room.is_ended &&
	       !(listener->options->until_gone && listener->had_client && !listener->count))
		rc = step(listener, err);
	if (!rc && listener->is_signalled)
		read_rest(listener);
	return rc;
}

static int serve_at(int socket_fd, int signal_fd, const struct listen_options *options, const struct listen_observer *observer, struct err *err)
{
	struct listener *listener = xmalloc(sizeof(*listener));
	int rc;

	memset(listener, 0, sizeof(*listener));
	listener->options = options;
	listener->limit = client_limit();
	listener->room.observer = observer;
	listener->room.unpacker = trace_unpacker_new();
	listener->polled[SIGNAL_AT] = (struct pollfd){ .fd = signal_fd, .events = POLLIN };
	listener->polled[SOCKET_AT] = (struct pollfd){ .fd = socket_fd, .events = POLLIN };
	observer->started(observer->data);
	rc = serve(listener, err);
	while (listener->count)
		forget(listener, 0);
	trace_unpacker_free(listener->room.unpacker);
	free(listener);
	return rc;
}

int listen_run(const struct listen_options *options, const struct listen_observer *observer, struct err *err)
{
	sigset_t ending, before;
	int signal_fd, socket_fd, rc;

	if ((socket_fd = socket_listen(options->path, err)) < 0)
		return socket_fd;
	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &ending, &before);
	signal_fd = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signal_fd < 0) {
		rc = err_set(err, ERR_IO, "cannot wait for signals: %s", strerror(errno));
	} else {
		struct signalfd_siginfo info;

		rc = serve_at(socket_fd, signal_fd, options, observer, err);
		while (read(signal_fd, &info, sizeof(info)) == sizeof(info))
			; /* the signal has ended the listening, and is not to end the program when it is let through */
		close(signal_fd);
	}
	socket_close(socket_fd, options->path);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}
