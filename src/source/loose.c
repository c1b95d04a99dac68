#include "source/loose.h"

#include "source/allocation.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
	ALTERNATES_DEEP = 5, /* GIT_ALTERNATES_MAX_DEPTH of libgit2 */
	ALTERNATES_LIMIT_BYTES = ALLOCATION_BLOCK_BYTES, /* libgit2 reads no more than that */
	HEADER_BYTES = 64, /* "commit 18446744073709551615\0" has 28 */
	CHUNK_BYTES = 16 * 1024,
};

/* A file that is being inflated. */
struct loose_reader {
	int fd;
	z_stream stream;
	unsigned char in[CHUNK_BYTES], out[CHUNK_BYTES];
	size_t held; /* bytes in out */
};

/*
 * As libgit2's odb.c does it: a path that begins with a dot is relative to the repository's own object directory, and any other is
 * as it stands, relative to the working directory. A directory is used once.
 */
static void add_with_alternates(struct loose_dirs *dirs, const char *dir, unsigned depth)
{
	struct strbuf name = { 0 }, lines = { 0 };
	struct stat st;
	char *line, *rest;

	if (stat(dir, &st))
		return;
	for (size_t i = 0; i < dirs->count; i++)
		if (dirs->id[i].device == st.st_dev && dirs->id[i].inode == st.st_ino)
			return;
	dirs->path = xrealloc(dirs->path, (dirs->count + 1) * sizeof(*dirs->path));
	dirs->id = xrealloc(dirs->id, (dirs->count + 1) * sizeof(*dirs->id));
	dirs->id[dirs->count].device = st.st_dev;
	dirs->id[dirs->count].inode = st.st_ino;
	dirs->path[dirs->count++] = arena_strdup(&dirs->arena, dir);
	file_note_input_path(dir);
	strbuf_addf(&name, "%s/info/alternates", dir);
	if (depth <= ALTERNATES_DEEP && !file_read_regular(&lines, name.text, ALTERNATES_LIMIT_BYTES, NULL)) {
		for (line = strtok_r(lines.text, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
			strbuf_reset(&name);
			if (*line == '.' && !depth)
				strbuf_addf(&name, "%s/", dir);
			strbuf_adds(&name, line);
			if (*line != '#')
				add_with_alternates(dirs, name.text, depth + 1);
		}
	}
	strbuf_release(&name);
	strbuf_release(&lines);
}

void loose_dirs_init(struct loose_dirs *out, const char *common_dir)
{
	struct strbuf dir = { 0 };

	*out = (struct loose_dirs){ 0 };
	strbuf_addf(&dir, "%s/objects", common_dir);
	add_with_alternates(out, dir.text, 0);
	strbuf_release(&dir);
}

void loose_dirs_release(struct loose_dirs *dirs)
{
	free(dirs->path);
	free(dirs->id);
	arena_release(&dirs->arena);
	*dirs = (struct loose_dirs){ 0 };
}

/* Inflates until @reader's out is full or the stream has ended. Return: zlib's code; Z_BUF_ERROR if the file ends first. */
static int inflate_more(struct loose_reader *reader)
{
	int code = Z_OK;

	reader->stream.next_out = reader->out;
	reader->stream.avail_out = CHUNK_BYTES;
	while (code == Z_OK && reader->stream.avail_out) {
		if (!reader->stream.avail_in) {
			ssize_t got = read(reader->fd, reader->in, CHUNK_BYTES);

			reader->stream.next_in = reader->in;
			reader->stream.avail_in = got > 0 ? (unsigned)got : 0;
		}
		code = inflate(&reader->stream, Z_NO_FLUSH);
	}
	reader->held = CHUNK_BYTES - reader->stream.avail_out;
	return code;
}

/* The size that the header says, and the header's own. Return: false if it is no header. */
static bool read_header(uint64_t *size, size_t *header_bytes, const struct loose_reader *reader)
{
	size_t limit = reader->held < HEADER_BYTES ? reader->held : HEADER_BYTES;
	const char *text = (const char *)reader->out, *end = memchr(text, '\0', limit), *space = memchr(text, ' ', limit);

	if (!end || !space || space > end || space + 1 == end)
		return false;
	*size = 0;
	for (const char *at = space + 1; at < end; at++)
		if (*at < '0' || *at > '9' || __builtin_mul_overflow(*size, 10, size) || __builtin_add_overflow(*size, (uint64_t)(*at - '0'), size))
			return false;
	*header_bytes = (size_t)(end + 1 - text);
	return true;
}

static const char *fault_of(struct loose_reader *reader)
{
	int code = inflate_more(reader);
	uint64_t size, total;
	size_t header_bytes;

	if (!read_header(&size, &header_bytes, reader))
		return "does not begin with a type and a size";
	for (total = reader->held - header_bytes; code == Z_OK && total <= size; total += reader->held)
		code = inflate_more(reader);
	if (total > size)
		return "has more bytes than its header says";
	if (code != Z_STREAM_END)
		return code == Z_BUF_ERROR ? "ends early" : "cannot be inflated";
	return total < size ? "has fewer bytes than its header says" : NULL;
}

const char *loose_fault(const struct loose_dirs *dirs, const git_oid *id)
{
	char hex[GIT_OID_HEXSZ + 1];
	struct loose_reader reader = { .fd = -1 };
	struct strbuf path = { 0 };
	const char *fault;

	git_oid_tostr(hex, sizeof(hex), id);
	for (size_t i = 0; i < dirs->count && reader.fd < 0; i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%.2s/%s", dirs->path[i], hex, hex + 2);
		reader.fd = open(path.text, O_RDONLY | O_CLOEXEC);
	}
	strbuf_release(&path);
	if (reader.fd < 0)
		return NULL;
	fault = inflateInit(&reader.stream) == Z_OK ? fault_of(&reader) : "cannot be inflated";
	inflateEnd(&reader.stream);
	close(reader.fd);
	return fault;
}
