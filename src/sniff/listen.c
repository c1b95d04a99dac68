/*
 * One loop waits with poll(2) for signals, new connections and messages. A connection can be idle. If there
 * are CLIENTS_MAX connections, new connections wait in the kernel until an old one has ended.
 */
#include "sniff/internal.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	CLIENT_MESSAGE_MAX = 32 * 1024, /* an ioctl's argument has at most 16,383 bytes, and a path 4,096 */
	CLIENT_READ_BYTES = 256 * 1024, /* limit for one read, so that no connection delays the others */
};

struct client {
	int fd;
	pid_t pid;
	bool is_damaged;       /* its bytes are discarded */
	struct strbuf pending; /* the beginning of a message */
	uint64_t offset_bytes; /* offset of this message in the stream */
};

enum { CLIENTS_MAX = 4096, SIGNAL_AT = 0, SOCKET_AT = 1, CLIENTS_AT = 2, SPARE_DESCRIPTORS = 64 };
enum { REST_NS = 2 * 1000 * 1000 * 1000 };

struct listener {
	const struct sniff_observer *observer;
	struct trace_unpacker *unpacker;
	struct pollfd polled[CLIENTS_AT + CLIENTS_MAX]; /* [CLIENTS_AT + i] is for clients[i] */
	struct client clients[CLIENTS_MAX];
	size_t count, limit;
	bool until_gone, had_client;
	bool is_ended; /* the observer ended listening */
	uint8_t bytes[CLIENT_READ_BYTES + CLIENT_MESSAGE_MAX + 64]; /* the bytes that one client has sent */
};

/* --- the socket, a Unix socket with a name ------------------------------------------------------- */

/* Removes a socket at which no process listens, so that bind(2) succeeds: a killed process left it. */
static void remove_stale(const char *path, const struct sockaddr_un *address)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct stat st;

	if (fd >= 0 && !lstat(path, &st) && S_ISSOCK(st.st_mode) &&
	    connect(fd, (const struct sockaddr *)address, sizeof(*address)) && errno == ECONNREFUSED)
		unlink(path);
	if (fd >= 0)
		close(fd);
}

/**
 * socket_listen - create the socket @path; the umask decides which users may connect
 *
 * Return: a descriptor that does not block; the caller closes it, and removes @path. ERR_IO.
 */
static int socket_listen(const char *path, struct err *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	bool is_bound;
	int fd, rc;

	if (!*path || strlen(path) >= sizeof(address.sun_path))
		return err_set(
			err, ERR_IO,
			"cannot listen at '%s': the path of a socket must have 1 to %zu bytes; use a "
			"shorter path",
			path, sizeof(address.sun_path) - 1);
	memcpy(address.sun_path, path, strlen(path));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	remove_stale(path, &address);
	is_bound = fd >= 0 && !bind(fd, (const struct sockaddr *)&address, sizeof(address));
	if (is_bound && !listen(fd, SOMAXCONN))
		return fd;
	rc = err_set(err, ERR_IO, "cannot listen at %s: %s", path, strerror(errno));
	if (is_bound)
		unlink(path);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Reports a client that sends other data than gVisor's hook. Its later bytes are read and discarded. */
static void give_up_client(struct client *client, const struct listener *listener, const char *why)
{
	observer_loss(listener->observer,
		"process %ld sends data that gVisor's hook does not send; its data is ignored from byte %" PRIu64 " on: %s",
		(long)client->pid, client->offset_bytes, why);
	strbuf_release(&client->pending);
	client->is_damaged = true;
}

/* Passes the fields that gVisor's hook sends on to the observer. Return: false if it ends listening. */
static bool pass_message_on(const struct client *client, const struct listener *listener,
			    const struct trace_message *got)
{
	const struct trace_message message = {
		.kind = TRACE_IOCTL,
		.fd_path = got->fd_path,
		.fd = -1,
		.request = got->request,
		.ret = got->ret,
		.after = got->after,
		.pid = (uint32_t)client->pid,
	};

	return listener->observer->message(listener->observer->data, &message, NULL, 0);
}

/*
 * Passes the complete messages in a client's bytes on to the observer, and keeps the rest in client->pending.
 * Gives up the client if a message is not an ioctl. Sets is_ended if the observer ends listening.
 */
static void pass_all_messages(struct client *client, struct listener *listener, const uint8_t *at,
			      const uint8_t *end)
{
	const uint8_t *from = at;
	struct trace_message message;
	struct err err;
	int rc;

	while ((rc = trace_take(&message, listener->unpacker, &at, end, CLIENT_MESSAGE_MAX, &err)) == 1) {
		if (message.kind != TRACE_IOCTL || !*message.fd_path) {
			give_up_client(client, listener, "a message that is not an ioctl of a device");
			return;
		}
		client->offset_bytes += (uint64_t)(at - from);
		from = at;
		if (!pass_message_on(client, listener, &message)) {
			listener->is_ended = true;
			return;
		}
	}
	if (rc < 0) {
		give_up_client(client, listener, err.text);
		return;
	}
	strbuf_reset(&client->pending);
	strbuf_add(&client->pending, at, (size_t)(end - at));
}

/* Reads and passes on the messages that have arrived. Return: false if the connection has ended or failed. */
static bool client_read(struct client *client, struct listener *listener)
{
	const size_t before = client->pending.length;
	ssize_t got;

	if (before)
		memcpy(listener->bytes, client->pending.text, before);
	do
		got = read(client->fd, listener->bytes + before, CLIENT_READ_BYTES);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN;
	if (got && !client->is_damaged)
		pass_all_messages(client, listener, listener->bytes, listener->bytes + before + got);
	return got > 0;
}

/* Raises the limit for descriptors as far as permitted. Return: how many clients can then be connected. */
static size_t client_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return CLIENTS_MAX / 8;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > CLIENTS_MAX + SPARE_DESCRIPTORS)
		return CLIENTS_MAX;
	return limit.rlim_cur > 2 * SPARE_DESCRIPTORS ? (size_t)limit.rlim_cur - SPARE_DESCRIPTORS :
	       SPARE_DESCRIPTORS;
}

/* Accepts connections up to the limit, and lowers the limit if descriptors or memory run out. Others wait. */
static void accept_all(struct listener *listener)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	while (listener->count < listener->limit) {
		const int fd = accept4(listener->polled[SOCKET_AT].fd, NULL, NULL, SOCK_CLOEXEC |
				       SOCK_NONBLOCK);

		if (fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			listener->limit = listener->count; /* out of descriptors or memory */
		if (fd < 0)
			return;
		listener->polled[CLIENTS_AT + listener->count] =
			(struct pollfd){ .fd = fd, .events = POLLIN };
		if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
			peer.pid = 0; /* unknown */
		listener->clients[listener->count++] = (struct client){ .fd = fd, .pid = peer.pid };
		listener->had_client = true;
	}
}

/* Closes a connection. The last client takes the index of the removed client. */
static void forget_client(struct listener *listener, size_t index)
{
	close(listener->clients[index].fd);
	strbuf_release(&listener->clients[index].pending);
	listener->count--;
	listener->clients[index] = listener->clients[listener->count];
	listener->polled[CLIENTS_AT + index] = listener->polled[CLIENTS_AT + listener->count];
}

static void read_ready(struct listener *listener)
{
	for (size_t i = listener->count; i-- > 0 && !listener->is_ended;)
		if (listener->polled[CLIENTS_AT + i].revents && !client_read(&listener->clients[i], listener))
			forget_client(listener, i);
}

/*
 * Reads the data of clients, and accepts new ones, until a signal arrives, the observer ends listening, or,
 * with until_gone, the last client is gone. After a signal, reads for at most REST_NS. Return: 0; ERR_IO.
 */
static int serve_clients(struct listener *listener, struct err *err)
{
	uint64_t until_ns = UINT64_MAX;
	int ready = 1;

	while (ready && !listener->is_ended && monotonic_ns() < until_ns &&
	       !(listener->until_gone && listener->had_client && !listener->count)) {
		listener->polled[SOCKET_AT].events = listener->count < listener->limit ? POLLIN : 0;
		ready = poll(listener->polled, CLIENTS_AT + listener->count, until_ns == UINT64_MAX ? -1 : 0);
		if (ready < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "cannot wait for gVisor's hook: %s", strerror(errno));
		if (ready <= 0)
			continue;
		if (listener->polled[SIGNAL_AT].revents) {
			until_ns = monotonic_ns() + REST_NS;
			listener->polled[SIGNAL_AT].fd = -1; /* poll(2) ignores it from now on */
		}
		read_ready(listener);
		if (listener->polled[SOCKET_AT].revents)
			accept_all(listener);
	}
	return 0;
}

/* Calls observer->started(), serves the clients as serve_clients() does, and closes their connections. */
static int serve_socket(int socket_fd, int signal_fd, bool until_gone, const struct sniff_observer *observer,
			struct err *err)
{
	struct listener *listener = xmalloc(sizeof(*listener));
	int rc;

	memset(listener, 0, sizeof(*listener));
	listener->until_gone = until_gone;
	listener->limit = client_limit();
	listener->observer = observer;
	listener->unpacker = trace_unpacker_new();
	listener->polled[SIGNAL_AT] = (struct pollfd){ .fd = signal_fd, .events = POLLIN };
	listener->polled[SOCKET_AT] = (struct pollfd){ .fd = socket_fd, .events = POLLIN };
	observer->started(observer->data);
	rc = serve_clients(listener, err);
	while (listener->count)
		forget_client(listener, 0);
	trace_unpacker_free(listener->unpacker);
	free(listener);
	return rc;
}

int listen_run(const char *path, bool until_gone, const struct sniff_observer *observer, struct err *err)
{
	struct signalfd_siginfo info;
	sigset_t ending, before;
	int signal_fd, socket_fd, rc;

	/* blocked before the socket is created, because a later signal must remove the socket */
	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &ending, &before);
	signal_fd = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signal_fd < 0) {
		rc = err_set(err, ERR_IO, "cannot wait for signals: %s", strerror(errno));
	} else if ((rc = socket_fd = socket_listen(path, err)) >= 0) {
		rc = serve_socket(socket_fd, signal_fd, until_gone, observer, err);
		close(socket_fd);
		unlink(path);
		while (read(signal_fd, &info, sizeof(info)) == sizeof(info))
			; /* otherwise the signal would end the program when it is unblocked */
	}
	if (signal_fd >= 0)
		close(signal_fd);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}
