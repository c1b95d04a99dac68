/*
 * Accesses memory that may be unmapped: memory of a traced process, and, in the preloaded library, memory of
 * this process (channel.h).
 */
#include "sniff/channel.h"
#include "sniff/internal.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

/* PAGE_BYTES is the size of the smallest pages of all processors. Larger pages are read in parts. */
enum { PAGE_BYTES = 4096, STACK_MAX = 8 * 1024 * 1024, START_BRK_FIELD = 47, PROGRAM_RANGES = 8 };

typedef ssize_t (*transfer)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long,
			    unsigned long);

/* Moves bytes between @here and the address @there of @tid. Return: the number of bytes; 0 on failure. */
static size_t move_once(transfer move, pid_t tid, void *here, uint64_t there, size_t size_bytes)
{
	const struct iovec local = { here, size_bytes };
	const struct iovec remote = { (void *)(uintptr_t)there, size_bytes };
	const ssize_t moved = move(tid, &local, 1, &remote, 1, 0);

	return moved < 0 ? 0 : (size_t)moved;
}

/* Moves all bytes at once, or else page by page up to the first unmapped page. Return: the bytes moved. */
static size_t move_all(transfer move, pid_t tid, void *here, uint64_t there, size_t size_bytes)
{
	size_t done = move_once(move, tid, here, there, size_bytes);

	while (done < size_bytes) {
		const size_t to_page = PAGE_BYTES - (size_t)((there + done) % PAGE_BYTES);
		const size_t wanted = size_bytes - done < to_page ? size_bytes - done : to_page;
		const size_t moved = move_once(move, tid, (uint8_t *)here + done, there + done, wanted);

		done += moved;
		if (moved < wanted)
			break;
	}
	return done;
}

size_t memory_read(void *out, pid_t tid, uint64_t address, size_t size_bytes)
{
	return move_all(process_vm_readv, tid, out, address, size_bytes);
}

size_t memory_write(pid_t tid, uint64_t address, const void *bytes, size_t size_bytes)
{
	return move_all(process_vm_writev, tid, (void *)(uintptr_t)bytes, address, size_bytes);
}

bool memory_read_text(char *out, pid_t tid, uint64_t address, size_t size_bytes)
{
	return memchr(out, '\0', memory_read(out, tid, address, size_bytes));
}

/* --- memory of this process ----------------------------------------------------------------------- */

/* The heap begins at start_brk of /proc/self/stat (proc_pid_stat(5)); 0 if it is unknown. */
static uintptr_t heap_start, main_stack_top;
static struct own_range program[PROGRAM_RANGES]; /* the program's own segments, which stay mapped */
static size_t program_count;

/* Notes the segments of the first object, which is the program. Return: 1, which ends the iteration. */
static int note_program(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	for (size_t i = 0; i < info->dlpi_phnum && program_count < PROGRAM_RANGES; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uintptr_t low = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_R)
			program[program_count++] = (struct own_range){ low, low + segment->p_memsz };
	}
	return 1;
}

void own_memory_init(const void *stack_top)
{
	char text[2048], *at;
	const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	const ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	int field = 2;

	if (fd >= 0)
		close(fd);
	text[length < 0 ? 0 : length] = '\0';
	for (at = strrchr(text, ')'); at && field < START_BRK_FIELD; field++)
		at = strchr(at + 1, ' ');
	heap_start = at ? (uintptr_t)strtoull(at, NULL, 10) : 0;
	main_stack_top = (uintptr_t)stack_top;
	dl_iterate_phdr(note_program, NULL);
}

struct own_range own_stack_of(pid_t pid, pid_t tid)
{
	struct own_range stack = { 0, 0 };
	pthread_attr_t attributes;
	void *low;
	size_t size;

	if (pid == tid) {
		struct rlimit limit;

		/* the kernel reserves STACK_MAX bytes, and maps them at their first use */
		if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur >= STACK_MAX)
			stack = (struct own_range){ main_stack_top - STACK_MAX, main_stack_top };
		return stack;
	}
	if (pthread_getattr_np(pthread_self(), &attributes))
		return stack;
	if (!pthread_attr_getstack(&attributes, &low, &size))
		stack = (struct own_range){ (uintptr_t)low, (uintptr_t)low + size };
	pthread_attr_destroy(&attributes);
	return stack;
}

static bool is_within(uint64_t address, size_t size_bytes, const struct own_range *range)
{
	return address >= range->low && address <= range->high && size_bytes <= range->high - address;
}

/* True if the range is on this thread's stack, above the frame of this function. */
static bool is_on_stack(const struct own_range *stack, uint64_t address, size_t size_bytes)
{
	/* the stack below is unused */
	const struct own_range used = { (uintptr_t)__builtin_frame_address(0), stack->high };

	return used.low >= stack->low && used.low < used.high && is_within(address, size_bytes, &used);
}

static bool is_in_program(uint64_t address, size_t size_bytes)
{
	for (size_t i = 0; i < program_count; i++)
		if (is_within(address, size_bytes, &program[i]))
			return true;
	return false;
}

size_t own_memory_read(void *out, pid_t tid, const struct own_range *stack, uint64_t address,
		       size_t size_bytes)
{
	/* sbrk(0) makes no system call, because glibc stores the end of the heap */
	if (!is_on_stack(stack, address, size_bytes) &&
	    !(heap_start && is_within(address, size_bytes,
				      &(struct own_range){ heap_start, (uintptr_t)sbrk(0) })) &&
	    !is_in_program(address, size_bytes))
		return memory_read(out, tid, address, size_bytes);
	memcpy(out, (const void *)(uintptr_t)address, size_bytes);
	return size_bytes;
}
