#include "cli/trace_file.h"

#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { BEGIN_BYTES = 64 };

/* Up to BEGIN_BYTES, however a pipe delivers them. */
static int read_begin(uint8_t begin[BEGIN_BYTES], size_t *count, int fd, const char *path, struct err *err)
{
	while (*count < BEGIN_BYTES) {
		const ssize_t got = read(fd, begin + *count, BEGIN_BYTES - *count);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
		if (!got)
			break;
		*count += (size_t)got;
	}
	return 0;
}

static int read_all(uint64_t *cut_bytes, int fd, const char *path, int (*each)(const struct trace_message *, void *, struct err *), void *data,
		    struct err *err)
{
	struct trace_reader *reader;
	struct trace_message message;
	uint8_t begin[BEGIN_BYTES];
	size_t count = 0;
	int rc;

	if ((rc = read_begin(begin, &count, fd, path, err)))
		return rc;
	if (!trace_recognise(begin, count))
		return err_set(err, ERR_FORMAT, "%s is no trace; drvabi sniff -o FILE -- COMMAND records one", path);
	reader = trace_reader_new(fd, path, begin, count);
	while ((rc = trace_next(&message, reader, err)) == 1)
		if ((rc = each(&message, data, err)))
			break;
	*cut_bytes = trace_reader_cut(reader);
	trace_reader_free(reader);
	return rc;
}

int trace_file_each(uint64_t *cut_bytes, const char *path, int (*each)(const struct trace_message *message, void *data, struct err *err), void *data,
		    struct err *err)
{
	const bool is_stdin = !strcmp(path, "-");
	const int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	file_note_input(fd);
	rc = read_all(cut_bytes, fd, is_stdin ? "standard input" : path, each, data, err);
	if (!is_stdin)
		close(fd);
	return rc;
}

void trace_file_warn(const struct cli_args *args, const char *path, uint64_t cut_bytes)
{
	if (cut_bytes != UINT64_MAX)
		output_note(args, "%s ends within the message at offset %" PRIu64 "; what is before it is used", path, cut_bytes);
}
