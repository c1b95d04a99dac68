#include "sniff/frame.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HELD_BYTES = 256 * 1024 };

/* Of the same kind as errno: no function is called to find it. */
static __thread struct frame *unused __attribute__((tls_model("initial-exec")));

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void free_all(void *frames)
{
	struct frame *frame = unused;

	(void)frames;
	unused = NULL;
	while (frame) {
		struct frame *next = frame->next;

		munmap(frame, sizeof(*frame));
		frame = next;
	}
}

static void make_key(void)
{
	pthread_key_create(&key, free_all);
}

static struct frame *new_frame(void)
{
	struct frame *frame = mmap(NULL, sizeof(*frame), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (frame == MAP_FAILED)
		return NULL;
	madvise(frame, sizeof(*frame), MADV_WIPEONFORK);
	pthread_once(&key_once, make_key);
	pthread_setspecific(key, frame); /* so that the thread's end frees them */
	return frame;
}

/*
 * A handler that interrupts this takes the same frame, and has given it back when the interrupted goes on: the list is then as it was. One
 * that never returns leaves a frame behind.
 */
struct frame *frame_take(void)
{
	struct frame *frame = unused;

	if (frame)
		unused = frame->next;
	else
		frame = new_frame();
	if (frame && !frame->pid) {
		frame->pid = getpid();
		frame->tid = (pid_t)syscall(SYS_gettid);
		frame->stack = own_stack_of(frame->pid, frame->tid);
	}
	if (frame)
		frame->region_count = frame->fd_count = frame->used_bytes = frame->packed_bytes = 0;
	return frame;
}

void frame_give_back(struct frame *frame)
{
	if (frame->used_bytes > HELD_BYTES)
		madvise((void *)(((uintptr_t)frame->bytes + HELD_BYTES) & ~(uintptr_t)0xffff), frame->used_bytes - HELD_BYTES, MADV_DONTNEED);
	if (frame->packed_bytes > HELD_BYTES)
		madvise((void *)(((uintptr_t)frame->packed + HELD_BYTES) & ~(uintptr_t)0xffff), frame->packed_bytes - HELD_BYTES, MADV_DONTNEED);
	frame->next = unused;
	unused = frame;
}
