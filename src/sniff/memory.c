#include "sniff/memory.h"

#include <string.h>
#include <sys/uio.h>

/* No page of the processors that are known is smaller; a larger one is read in slices. */
enum { PAGE_BYTES = 4096 };

typedef ssize_t (*transfer)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long, unsigned long);

static size_t move_once(transfer move, pid_t tid, void *here, uint64_t there, size_t size_bytes)
{
	const struct iovec local = { here, size_bytes };
	const struct iovec remote = { (void *)(uintptr_t)there, size_bytes };
	const ssize_t moved = move(tid, &local, 1, &remote, 1, 0);

	return moved < 0 ? 0 : (size_t)moved;
}

/* All at once; what fails is tried again page by page, up to the first that is not there. */
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
