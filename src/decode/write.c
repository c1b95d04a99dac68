#include "decode/trace.h"

#include "decode/length.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Return: how many bytes were written; less than @size with errno. */
static size_t put(int fd, const char *bytes, size_t size)
{
	struct pollfd writable = { .fd = fd, .events = POLLOUT };
	size_t done = 0;

	while (done < size) {
		const ssize_t wrote = write(fd, bytes + done, size - done);

		if (wrote >= 0)
			done += (size_t)wrote;
		else if (errno == EAGAIN)
			poll(&writable, 1, -1);
		else if (errno != EINTR)
			break;
	}
	return done;
}

/* Takes the last @size bytes back, unless this is no file, or somebody else has written behind them. */
static void cut_back(int fd, size_t size)
{
	const off_t end = lseek(fd, 0, SEEK_CUR);
	struct stat st;

	if (size && end >= (off_t)size && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size == end &&
	    !ftruncate(fd, end - (off_t)size))
		lseek(fd, end - (off_t)size, SEEK_SET);
}

int trace_write(int fd, const struct trace_message *message, enum trace_wire wire, struct strbuf *scratch, struct err *err)
{
	size_t done;
	int error;

	strbuf_reset(scratch);
	trace_pack(scratch, message, wire);
	if (scratch->length > TRACE_LENGTH_BYTES + (size_t)TRACE_MESSAGE_MAX)
		return err_set(err, ERR_LIMIT, "a message of %zu bytes is more than the %d that a trace may have in one; record fewer bytes",
			       scratch->length - TRACE_LENGTH_BYTES, TRACE_MESSAGE_MAX);
	done = put(fd, scratch->text, scratch->length);
	if (done == scratch->length)
		return 0;
	error = errno;
	cut_back(fd, done);
	return err_set(err, ERR_IO, "cannot write the trace: %s", strerror(error));
}
