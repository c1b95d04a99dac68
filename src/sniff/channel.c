/* The channel, and the handover of its file to a process. channel.h describes both. */
#include "sniff/channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static const char magic[16] = "drvabi-preload2";

enum {
	PAGE_BYTES = 64 * 1024, /* no processor has larger pages */
	WAIT_NS = 50 * 1000,
	WAITS_UNTIL_ASKED = 2000
};

void channel_release(struct channel *channel)
{
	munmap(channel->ring, 2 * (size_t)CHANNEL_RING_BYTES);
	munmap(channel->head, channel->head_bytes);
	*channel = (struct channel){ .head = NULL };
}

/*
 * Maps the shared file @fd: the head, the plan, and, twice in a row, the ring, so that a message that wraps
 * around is contiguous. Return: 0; -1, with errno.
 */
static int map_channel(struct channel *out, int fd, size_t plan_bytes)
{
	struct channel channel = { .head_bytes = round_up(sizeof(*channel.head) + plan_bytes, PAGE_BYTES) };
	const int access = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_FIXED;
	const off_t offset = (off_t)channel.head_bytes;
	const size_t size = CHANNEL_RING_BYTES;

	channel.head = mmap(NULL, channel.head_bytes, access, MAP_SHARED, fd, 0);
	if (channel.head == MAP_FAILED)
		return -1;
	channel.plan = (const uint8_t *)(channel.head + 1);
	/* reserves the addresses for both mappings of the ring */
	channel.ring = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (channel.ring == MAP_FAILED) {
		munmap(channel.head, channel.head_bytes);
		return -1;
	}
	if (mmap(channel.ring, size, access, flags, fd, offset) == MAP_FAILED ||
	    mmap(channel.ring + size, size, access, flags, fd, offset) == MAP_FAILED) {
		channel_release(&channel);
		return -1;
	}
	*out = channel;
	return 0;
}

/*
 * Makes a lock for several processes. If its owner dies, the next process gets it (ROBUST). A thread that
 * locks it twice gets EDEADLK (ERRORCHECK). Return: 0; an errno.
 */
static int init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;
	int error;

	if (!(error = pthread_mutexattr_init(&attributes)) &&
	    !(error = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED)) &&
	    !(error = pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST)) &&
	    !(error = pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK)))
		error = pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return error;
}

int channel_create(struct channel *out, int fd, const void *plan, size_t plan_bytes, uint64_t region_bytes)
{
	struct channel channel;
	struct channel_head *head;

	if (ftruncate(fd, (off_t)(round_up(sizeof(*head) + plan_bytes, PAGE_BYTES) + CHANNEL_RING_BYTES)) ||
	    map_channel(&channel, fd, plan_bytes))
		return -1;
	head = channel.head;
	head->began_ns = monotonic_ns();
	head->region_bytes = region_bytes;
	head->plan_bytes = plan_bytes;
	memcpy(head + 1, plan, plan_bytes);
	if ((errno = init_lock(&head->lock)) || (errno = init_lock(&head->alive)) ||
	    (errno = pthread_mutex_lock(&head->alive))) {
		channel_release(&channel);
		return -1;
	}
	memcpy(head->magic, magic, sizeof(magic));
	*out = channel;
	return 0;
}

int channel_attach(struct channel *out, int fd)
{
	struct channel_head head;
	struct stat st;
	int rc = -1;

	if (fd < 0)
		return -1;
	if (pread(fd, &head, sizeof(head), 0) == sizeof(head) && !memcmp(head.magic, magic, sizeof(magic)) &&
	    !fstat(fd, &st) && S_ISREG(st.st_mode) && head.plan_bytes < (uint64_t)st.st_size &&
	    round_up(sizeof(head) + head.plan_bytes, PAGE_BYTES) + CHANNEL_RING_BYTES == (uint64_t)st.st_size)
		rc = map_channel(out, fd, head.plan_bytes);
	close(fd);
	if (!rc)
		out->head->attached++;
	return rc;
}

/*
 * True while this thread is in channel_append(). With this TLS model, as with errno's, no function call is
 * needed to find the variable.
 */
static __thread bool is_appending __attribute__((tls_model("initial-exec")));

/* Makes the system call directly, because libc's nanosleep() is a cancellation point. */
static void sleep_briefly(void)
{
	const struct timespec time = { .tv_nsec = WAIT_NS };

	syscall(SYS_nanosleep, &time, NULL);
}

/*
 * Locks head->lock. @was_appending: true if a signal handler interrupted channel_append() in this thread. If
 * so, EDEADLK means that this thread holds the lock. Otherwise, EDEADLK means that the lock's owner has the
 * same thread id in a different pid namespace.
 * Return: false if this thread already holds the lock.
 */
static bool take_lock(struct channel_head *head, bool was_appending)
{
	int error;

	while ((error = pthread_mutex_lock(&head->lock)) == EDEADLK && !was_appending)
		sleep_briefly();
	if (error == EOWNERDEAD) /* the message of the dead owner is whole or absent */
		pthread_mutex_consistent(&head->lock);
	return !error || error == EOWNERDEAD;
}

/*
 * The recorder never unlocks head->alive, so a process of the workload can lock it only after the recorder
 * has ended. Also true if head->alive is not a valid lock.
 */
static bool recorder_is_gone(struct channel_head *head)
{
	const int error = pthread_mutex_trylock(&head->alive);

	if (error != EOWNERDEAD && error)
		return error != EBUSY && error != EDEADLK;
	if (error == EOWNERDEAD)
		pthread_mutex_consistent(&head->alive);
	pthread_mutex_unlock(&head->alive);
	return true;
}

static bool has_room(const struct channel_head *head, size_t size_bytes)
{
	return CHANNEL_RING_BYTES - (atomic_load_explicit(&head->appended,
							  memory_order_relaxed) - head->taken) >= size_bytes;
}

/*
 * Waits until the ring has room for the message, and appends it. If the recorder has ended while the ring is
 * full, closes the channel.
 * Return: false if the lock is not available, the message is too large, or the channel is closed.
 */
static bool append_message(struct channel *channel, const void *bytes, size_t size_bytes, bool was_appending)
{
	struct channel_head *head = channel->head;
	unsigned waits = 0;
	bool is_open;

	if (size_bytes > CHANNEL_MESSAGE_MAX || head->is_closed || !take_lock(head, was_appending))
		return false;
	while (!has_room(head, size_bytes) && !head->is_closed) {
		pthread_mutex_unlock(&head->lock);
		sleep_briefly();
		if (++waits % WAITS_UNTIL_ASKED == 0 && recorder_is_gone(head))
			head->is_closed = true;
		if (!take_lock(head, was_appending))
			return false;
	}
	if ((is_open = !head->is_closed)) {
		const uint64_t appended = atomic_load_explicit(&head->appended, memory_order_relaxed);

		memcpy(channel->ring + appended % CHANNEL_RING_BYTES, bytes, size_bytes);
		atomic_store_explicit(&head->appended, appended + size_bytes, memory_order_release);
	}
	pthread_mutex_unlock(&head->lock);
	return is_open;
}

void channel_append(struct channel *channel, const void *bytes, size_t size_bytes)
{
	const bool was_appending = is_appending;

	is_appending = true;
	if (!append_message(channel, bytes, size_bytes, was_appending))
		channel->head->lost++;
	is_appending = was_appending;
}

size_t channel_peek(const uint8_t **out, const struct channel *channel)
{
	const struct channel_head *head = channel->head;
	const uint64_t there = atomic_load_explicit(&head->appended, memory_order_acquire) - channel->taken;

	*out = channel->ring + channel->taken % CHANNEL_RING_BYTES;
	if (memcmp(head->magic, magic, sizeof(magic)) || there > CHANNEL_RING_BYTES ||
	    head->taken != channel->taken || head->is_closed != channel->is_closed)
		return SIZE_MAX;
	return (size_t)there;
}

void channel_take(struct channel *channel, size_t size_bytes)
{
	channel->taken += size_bytes;
	atomic_store_explicit(&channel->head->taken, channel->taken, memory_order_release);
}

void channel_close(struct channel *channel)
{
	channel->head->is_closed = channel->is_closed = true;
}

enum { WAIT_S = 2 };

/* Makes the address of the abstract socket @name. Return: its length; 0 if the name is empty or too long. */
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
		snprintf(name, HANDOVER_NAME_MAX, "drvabi-preload-%016llx%016llx",
			 (unsigned long long)random[0], (unsigned long long)random[1]);
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

/* Sends a descriptor, which needs a message of at least one byte. Errors are ignored. */
static void send_descriptor(int peer, int channel_fd)
{
	_Alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int))] = { 0 };
	char byte = 0;
	struct iovec vector = { &byte, 1 };
	const struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1,
					.msg_control = space, .msg_controllen = sizeof(space) };
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	*header = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
				    .cmsg_type = SCM_RIGHTS,
				    .cmsg_len = CMSG_LEN(sizeof(int)) };
	memcpy(CMSG_DATA(header), &channel_fd, sizeof(channel_fd));
	sendmsg(peer, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

unsigned handover_serve(int socket_fd, int channel_fd)
{
	unsigned refused = 0;
	int peer;

	while ((peer = accept4(socket_fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		if (is_one_of_ours(peer))
			send_descriptor(peer, channel_fd);
		else
			refused++;
		close(peer);
	}
	return refused;
}

/* Waits for the descriptor that the recorder sends through the socket @fd. Return: -1 if none arrives. */
static int receive_descriptor(int fd)
{
	_Alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int))] = { 0 };
	const struct timeval wait = { .tv_sec = WAIT_S };
	char byte;
	struct iovec vector = { &byte, 1 };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1,
				  .msg_control = space, .msg_controllen = sizeof(space) };
	const struct cmsghdr *header;
	int got;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	if (recvmsg(fd, &message, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(int)))
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
		got = receive_descriptor(fd);
	close(fd);
	return got;
}
