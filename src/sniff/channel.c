#include "sniff/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char magic[16] = "drvabi-preload1";

enum { PAGE_BYTES = 64 * 1024, WAIT_NS = 50 * 1000, WAITS_UNTIL_ASKED = 2000 }; /* no processor has larger pages */

static size_t whole_pages(size_t size)
{
	return (size + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* One range of addresses, with the ring in it twice. */
static uint8_t *map_ring(int fd, off_t offset)
{
	const size_t size = CHANNEL_RING_BYTES;
	uint8_t *ring = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (ring == MAP_FAILED)
		return NULL;
	if (mmap(ring, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset) != MAP_FAILED &&
	    mmap(ring + size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset) != MAP_FAILED)
		return ring;
	munmap(ring, 2 * size);
	return NULL;
}

static int map(struct channel *out, int fd, size_t plan_bytes)
{
	struct channel channel = { .head_bytes = whole_pages(sizeof(*channel.head) + plan_bytes) };

	channel.head = mmap(NULL, channel.head_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (channel.head == MAP_FAILED)
		return -1;
	channel.plan = (const uint8_t *)(channel.head + 1);
	channel.ring = map_ring(fd, (off_t)channel.head_bytes);
	if (!channel.ring) {
		munmap(channel.head, channel.head_bytes);
		return -1;
	}
	*out = channel;
	return 0;
}

void channel_release(struct channel *channel)
{
	munmap(channel->ring, 2 * (size_t)CHANNEL_RING_BYTES);
	munmap(channel->head, channel->head_bytes);
	*channel = (struct channel){ .head = NULL };
}

static int init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;
	int error = pthread_mutexattr_init(&attributes);

	if (!error)
		error = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	if (!error)
		error = pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	if (!error)
		error = pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	if (!error)
		error = pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return error;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int channel_create(struct channel *out, int fd, const void *plan, size_t plan_bytes, uint64_t region_bytes)
{
	struct channel channel;
	struct channel_head *head;

	if (ftruncate(fd, (off_t)(whole_pages(sizeof(*head) + plan_bytes) + CHANNEL_RING_BYTES)) || map(&channel, fd, plan_bytes))
		return -1;
	head = channel.head;
	head->began_ns = now_ns();
	head->region_bytes = region_bytes;
	head->plan_bytes = plan_bytes;
	head->ring_offset = channel.head_bytes;
	memcpy(head + 1, plan, plan_bytes);
	errno = init_lock(&head->lock);
	if (!errno)
		errno = init_lock(&head->alive);
	if (!errno)
		errno = pthread_mutex_lock(&head->alive);
	if (errno) {
		channel_release(&channel);
		return -1;
	}
	memcpy(head->magic, magic, sizeof(magic));
	*out = channel;
	return 0;
}

int channel_open(const char *path)
{
	return open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

int channel_attach(struct channel *out, int fd)
{
	struct channel_head head;
	struct stat st;
	int rc = -1;

	if (fd < 0)
		return -1;
	if (pread(fd, &head, sizeof(head), 0) == sizeof(head) && !memcmp(head.magic, magic, sizeof(magic)) && !fstat(fd, &st) &&
	    S_ISREG(st.st_mode) && head.plan_bytes < (uint64_t)st.st_size && head.ring_offset == whole_pages(sizeof(head) + head.plan_bytes) &&
	    head.ring_offset + CHANNEL_RING_BYTES == (uint64_t)st.st_size)
		rc = map(out, fd, head.plan_bytes);
	close(fd);
	if (!rc)
		out->head->attached++;
	return rc;
}

/* This thread is in channel_append(). Of the same kind as errno: no function is called to find it. */
static __thread bool is_appending __attribute__((tls_model("initial-exec")));

/* A system call of its own: nanosleep() would let pthread_cancel() end the thread in here. */
static void nap(void)
{
	const struct timespec time = { .tv_nsec = WAIT_NS };

	syscall(SYS_nanosleep, &time, NULL);
}

/*
 * Return: false if the lock cannot be had: the thread has it already, in what a signal interrupted. @was_appending: it may have. A thread
 * of another pid namespace may have the same id; then the lock is not this thread's, though it seems so.
 */
static bool take_lock(struct channel_head *head, bool was_appending)
{
	int error;

	while ((error = pthread_mutex_lock(&head->lock)) == EDEADLK && !was_appending)
		nap();
	if (error == EOWNERDEAD) /* what it appended is whole, or not there */
		pthread_mutex_consistent(&head->lock);
	return !error || error == EOWNERDEAD;
}

/* Its owner never unlocks it. */
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

static void wait_some(struct channel_head *head, unsigned *waits)
{
	nap();
	if (++*waits % WAITS_UNTIL_ASKED == 0 && recorder_is_gone(head))
		head->is_closed = true;
}

static bool has_room(const struct channel_head *head, size_t size_bytes)
{
	return CHANNEL_RING_BYTES - (atomic_load_explicit(&head->appended, memory_order_relaxed) - head->taken) >= size_bytes;
}

/* Return: false if the lock cannot be had, or the message is too large. */
static bool append(struct channel *channel, const void *bytes, size_t size_bytes, bool was_appending)
{
	struct channel_head *head = channel->head;
	uint64_t appended;
	unsigned waits = 0;

	if (size_bytes > CHANNEL_MESSAGE_MAX || head->is_closed || !take_lock(head, was_appending))
		return false;
	while (!has_room(head, size_bytes) && !head->is_closed) {
		pthread_mutex_unlock(&head->lock);
		wait_some(head, &waits);
		if (!take_lock(head, was_appending))
			return false;
	}
	if (!head->is_closed) {
		appended = atomic_load_explicit(&head->appended, memory_order_relaxed);
		memcpy(channel->ring + appended % CHANNEL_RING_BYTES, bytes, size_bytes);
		atomic_store_explicit(&head->appended, appended + size_bytes, memory_order_release);
	}
	pthread_mutex_unlock(&head->lock);
	return true;
}

void channel_append(struct channel *channel, const void *bytes, size_t size_bytes)
{
	const bool was_appending = is_appending;

	is_appending = true;
	if (!append(channel, bytes, size_bytes, was_appending))
		channel->head->lost++;
	is_appending = was_appending;
}

size_t channel_peek(const uint8_t **out, const struct channel *channel)
{
	const struct channel_head *head = channel->head;
	const uint64_t there = atomic_load_explicit(&head->appended, memory_order_acquire) - channel->taken;

	*out = channel->ring + channel->taken % CHANNEL_RING_BYTES;
	if (memcmp(head->magic, magic, sizeof(magic)) || there > CHANNEL_RING_BYTES || head->taken != channel->taken || head->is_closed != channel->is_closed)
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
