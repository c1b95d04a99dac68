/*
 * One loop over poll(2): the signals, the socket, the connections. A
 * connection may be idle for as long as it likes. When there are as many as
 * there may be, further ones wait in the kernel until one has ended.
 */
#include "sniff/internal.h"
#include "sniff/sniff.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
	CLIENT_MESSAGE_MAX = 32 * 1024, /* an ioctl's argument has at most 16,383 bytes, and a path 4,096 */
	CLIENT_READ_BYTES = 256 * 1024, /* at a time, so that one connection does not hold up the others */
};

/* What all connections share. */
struct client_room {
	const struct listen_observer *observer;
	struct trace_unpacker *unpacker;
	uint8_t bytes[CLIENT_READ_BYTES + CLIENT_MESSAGE_MAX + 64];
	bool is_ended; /* by the observer */
};

static void tell(struct session *session, const struct trace_message *message, const struct gathered *gathered)
{
	const size_t count = gathered ? gathered->chain_count : 0;

	if (!session->is_ending && !session->observer->message(session->observer->data, message, gathered ? gathered->chain : NULL, count))
		session->result.was_ended = session->is_ending = true;
}

static struct trace_message message_of(const struct session *session, struct tracee *tracee, const struct watched *call)
{
	return (struct trace_message){
		.fd_path = call->device.path,
		.fd = (int32_t)call->arguments[call->number == SYS_mmap ? 4 : 0],
		.pid = (uint32_t)session_pid(tracee),
		.tid = (uint32_t)tracee->tid,
		.start_ns = call->start_ns - session->began_ns,
		.version = "", .target = "", .command = "",
	};
}

/* --- opens ------------------------------------------------------------------------------------- */

static void tell_open(struct session *session, struct tracee *tracee, const struct watched *call, int fd, const char *path)
{
	struct trace_message message = message_of(session, tracee, call);
	struct opened *opened = session_opened(session, session_pid(tracee), fd);

	if (!strcmp(opened->path, path))
		return;
	snprintf(opened->path, sizeof(opened->path), "%s", path);
	message.kind = TRACE_OPEN;
	message.fd_path = opened->path;
	message.fd = message.ret = fd;
	message.end_ns = message.start_ns;
	message.open_flags = opened->has_flags ? opened->flags : device_open_flags(tracee->tid, fd);
	tell(session, &message, NULL);
}

void message_opens(struct session *session, struct tracee *tracee, const struct watched *call)
{
	const int fd = (int)call->arguments[call->number == SYS_mmap ? 4 : 0];
	const struct opened *opened = session_opened(session, session_pid(tracee), fd);
	struct device_list list;

	if (!strcmp(opened->path, call->device.path))
		return;
	device_list_of(&list, session->options->devices, session_pid(tracee));
	for (size_t i = 0; i < list.count; i++)
		if (list.devices[i].is_replayed == call->device.is_replayed)
			tell_open(session, tracee, call, list.fds[i], list.devices[i].path);
	tell_open(session, tracee, call, fd, call->device.path);
	device_list_release(&list);
}

/* --- mmaps -------------------------------------------------------------------------------------- */

static void tell_mmap(struct session *session, struct trace_message *message, const struct watched *call, int64_t result)
{
	message->kind = TRACE_MMAP;
	message->ret = message->error ? -1 : 0;
	message->argument = message->error ? 0 : (uint64_t)result;
	message->map_size_bytes = call->arguments[1];
	message->map_protection = call->arguments[2];
	message->map_flags = call->arguments[3];
	message->map_offset = call->arguments[5];
	tell(session, message, NULL);
}

/* --- ioctls ------------------------------------------------------------------------------------- */

/* The descriptors in a call's parameters. */
struct fd_list {
	struct trace_fd fds[CALL_FDS_MAX];
	struct device devices[CALL_FDS_MAX];
	size_t count;
};

static void list_fds(struct trace_message *message, struct fd_list *list, const struct device_rules *rules, const struct tracee *tracee,
		     const struct gathered *gathered)
{
	list->count = 0;
	for (size_t i = 0; i < gathered->reference_count && list->count < CALL_FDS_MAX; i++) {
		const struct reference *reference = &gathered->references[i];
		struct device *device = &list->devices[list->count];

		if (!reference->is_fd || reference->number < 0 || reference->number > INT_MAX)
			continue;
		if (!device_of(device, rules, tracee->tid, tracee->table, (int)reference->number, ""))
			device_path_of(device->path, tracee->tid, tracee->table, (int)reference->number);
		list->fds[list->count++] = (struct trace_fd){ reference->number, device->path };
	}
	message->fds = list->fds;
	message->fd_count = list->count;
}

/* What the argument leads to; @memory has room for all of it. */
static void list_memory(struct trace_message *message, struct trace_memory *memory, const struct gathered *gathered)
{
	message->before = gather_bytes(&gathered->regions[0], &gathered->regions[0].before);
	message->after = gather_bytes(&gathered->regions[0], &gathered->regions[0].after);
	for (size_t i = 1; i < gathered->count; i++) {
		const struct region *region = &gathered->regions[i];

		memory[i - 1] = (struct trace_memory){ region->address, region->size_bytes, gather_bytes(region, &region->before),
						       gather_bytes(region, &region->after) };
	}
	message->memory = memory;
	message->memory_count = gathered->count - 1;
}

static void tell_ioctl(struct session *session, struct tracee *tracee, struct trace_message *message, const struct watched *call)
{
	const struct gathered *gathered = &call->gathered;
	struct trace_memory *memory = NULL;
	struct fd_list fds; /* long, and most calls have none */

	message->kind = TRACE_IOCTL;
	message->request = (uint32_t)call->arguments[1];
	message->argument = call->arguments[2];
	if (gathered->count) {
		memory = xmalloc(gathered->count * sizeof(*memory));
		list_memory(message, memory, gathered);
	}
	if (gathered->reference_count)
		list_fds(message, &fds, session->options->devices, tracee, gathered);
	tell(session, message, gathered);
	free(memory);
}

/* --- ends --------------------------------------------------------------------------------------- */

enum { ERRNO_MAX = 4095 };

void message_end_call(struct session *session, struct tracee *tracee, struct watched *call, int64_t result)
{
	struct trace_message message = message_of(session, tracee, call);
	const bool failed = result < 0 && result >= -ERRNO_MAX;

	message.end_ns = session_now_ns() - session->began_ns;
	message.ret = failed ? -1 : (int32_t)result;
	message.error = failed ? (int32_t)-result : 0;
	if (call->number == SYS_mmap) {
		tell_mmap(session, &message, call, result);
	} else {
		gather_after(&call->gathered, tracee->tid);
		tell_ioctl(session, tracee, &message, call);
	}
	session_end_call(session, call);
}

void message_endless(struct session *session, struct tracee *tracee, struct watched *call)
{
	struct trace_message message = message_of(session, tracee, call);

	if (call->number == SYS_ioctl)
		tell_ioctl(session, tracee, &message, call);
	session_end_call(session, call);
}

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

/* socket_close - and remove the name. */
static void socket_close(int fd, const char *path)
{
	close(fd);
	unlink(path);
}

/**
 * socket_listen - make the socket @path; its user alone may connect, unless the umask is changed afterwards
 *
 * Return: a descriptor that does not block, to be closed with socket_close(); ERR_IO.
 */
static int socket_listen(const char *path, struct err *err)
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

/* socket_peer - the process that connected; 0 if it is not known. */
static pid_t socket_peer(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) ? 0 : peer.pid;
}

static void damage(struct client *client, const struct client_room *room, const char *why)
{
	struct strbuf sentence = { 0 };

	strbuf_addf(&sentence, "process %ld does not send what gVisor's hook sends, and is ignored from byte %" PRIu64 " on: %s", (long)client->pid,
		    client->offset_bytes, why);
	room->observer->note(room->observer->data, sentence.text);
	strbuf_release(&sentence);
	strbuf_release(&client->pending);
	client->is_damaged = true;
}

/* Whatever else the message claims, it is not gVisor's to say. */
static bool pass_on(const struct client *client, const struct client_room *room, const struct trace_message *got)
{
	const struct trace_message message = {
		.kind = TRACE_IOCTL, .fd_path = got->fd_path, .fd = -1, .request = got->request, .ret = got->ret, .after = got->after,
		.pid = (uint32_t)client->pid, .version = "", .target = "", .command = "",
	};

	return room->observer->message(room->observer->data, &message);
}

/* Passes on what is whole of these bytes, and remembers the rest. */
static void take_all(struct client *client, struct client_room *room, const uint8_t *at, const uint8_t *end)
{
	const uint8_t *from = at;
	struct trace_message message;
	struct err err;
	int rc;

	while ((rc = trace_take(&message, room->unpacker, &at, end, CLIENT_MESSAGE_MAX, &err)) == 1) {
		if (message.kind != TRACE_IOCTL || !*message.fd_path) {
			damage(client, room, "a message that is no ioctl of a device");
			return;
		}
		client->offset_bytes += (uint64_t)(at - from);
		from = at;
		if (!pass_on(client, room, &message)) {
			room->is_ended = true;
			return;
		}
	}
	if (rc < 0) {
		damage(client, room, err.text);
		return;
	}
	strbuf_reset(&client->pending);
	strbuf_add(&client->pending, at, (size_t)(end - at));
}

/**
 * client_read - pass on what has arrived
 *
 * Return: false if the connection has ended.
 */
static bool client_read(struct client *client, struct client_room *room)
{
	const size_t before = client->pending.length;
	ssize_t got;

	if (before)
		memcpy(room->bytes, client->pending.text, before);
	do
		got = read(client->fd, room->bytes + before, CLIENT_READ_BYTES);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN;
	if (got && !client->is_damaged)
		take_all(client, room, room->bytes, room->bytes + before + got);
	return got > 0;
}

/* client_close - @client is no more. */
static void client_close(struct client *client)
{
	close(client->fd);
	strbuf_release(&client->pending);
}

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
