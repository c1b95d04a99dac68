#include "sniff/handover.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { WAIT_S = 2 };

/* Return: the address's length; 0 if no name is as long. */
static socklen_t address_of(struct sockaddr_un *out, const char *name)
{
	const size_t length = strlen(name);

	if (!length || length >= HANDOVER_NAME_MAX)
		return 0;
	*out = (struct sockaddr_un){ .sun_family = AF_UNIX };
	memcpy(out->sun_path + 1, name, length);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

int handover_open(char name[HANDOVER_NAME_MAX])
{
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un address;
	socklen_t length;
	uint64_t random[2];

	if (fd < 0)
		return -1;
	if (getrandom(random, sizeof(random), 0) == sizeof(random)) {
		snprintf(name, HANDOVER_NAME_MAX, "drvabi-preload-%016llx%016llx", (unsigned long long)random[0], (unsigned long long)random[1]);
		length = address_of(&address, name);
		if (!bind(fd, (const struct sockaddr *)&address, length) && !listen(fd, SOMAXCONN))
			return fd;
	}
	close(fd);
	return -1;
}

static bool is_one_of_ours(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) && (peer.uid == geteuid() || !peer.uid);
}

/* A message of one byte and, in @space, one descriptor. */
static struct msghdr message_of(struct iovec *byte, void *space, size_t size_bytes)
{
	return (struct msghdr){ .msg_iov = byte, .msg_iovlen = 1, .msg_control = space, .msg_controllen = size_bytes };
}

static void send_to(int peer, int channel_fd)
{
	_Alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int))] = { 0 };
	char byte = 0;
	struct iovec vector = { &byte, 1 };
	const struct msghdr message = message_of(&vector, space, sizeof(space));
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	*header = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int)) };
	memcpy(CMSG_DATA(header), &channel_fd, sizeof(channel_fd));
	sendmsg(peer, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

unsigned handover_serve(int socket_fd, int channel_fd)
{
	unsigned refused = 0;
	int peer;

	while ((peer = accept4(socket_fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		if (is_one_of_ours(peer))
			send_to(peer, channel_fd);
		else
			refused++;
		close(peer);
	}
	return refused;
}

static int receive(int fd)
{
	_Alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int))] = { 0 };
	const struct timeval wait = { .tv_sec = WAIT_S };
	char byte;
	struct iovec vector = { &byte, 1 };
	struct msghdr message = message_of(&vector, space, sizeof(space));
	const struct cmsghdr *header;
	int got;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	if (recvmsg(fd, &message, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int)))
		return -1;
	memcpy(&got, CMSG_DATA(header), sizeof(got));
	return got;
}

int handover_ask(const char *name)
{
	struct sockaddr_un address;
	const socklen_t length = address_of(&address, name);
	const int fd = length ? socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0) : -1;
	int got = -1;

	if (fd < 0)
		return -1;
	if (!connect(fd, (const struct sockaddr *)&address, length))
		got = receive(fd);
	close(fd);
	return got;
}
