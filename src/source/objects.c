/*
 * Reads objects of a repository that may be damaged. First, the header is read for the type and size, and the
 * file of a loose object is checked. Then libgit2 inflates the object. The names in a directory are checked
 * according to git's rules.
 */
#include "source/internal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* --- loose objects -------------------------------------------------------------- */

enum {
	ALTERNATES_DEEP = 5, /* GIT_ALTERNATES_MAX_DEPTH of libgit2 */
	ALTERNATES_LIMIT_BYTES = 1024 * 1024,
	HEADER_BYTES = 64, /* "commit 18446744073709551615\0" has 28 */
	CHUNK_BYTES = 16 * 1024,
};

/* A file that is being inflated. */
struct loose_reader {
	int fd;
	z_stream stream;
	unsigned char in[CHUNK_BYTES], out[CHUNK_BYTES];
	size_t held; /* number of bytes in @out */
};

/*
 * Adds an object directory and its alternates, as libgit2's odb.c does, and notes them as inputs. A relative
 * path of the repository's own alternates is relative to the object directory if it begins with a dot, and
 * otherwise to the working directory. Skips directories that were already added, or do not exist.
 */
static void add_with_alternates(struct loose_dirs *dirs, const char *dir, unsigned depth)
{
	struct strbuf name = { 0 }, lines = { 0 };
	struct stat st;
	char *line, *rest;

	if (stat(dir, &st))
		return;
	for (size_t i = 0; i < dirs->count; i++)
		if (dirs->dirs[i].device == st.st_dev && dirs->dirs[i].inode == st.st_ino)
			return;
	dirs->dirs = arena_room(&dirs->arena, dirs->dirs, dirs->count, sizeof(*dirs->dirs));
	dirs->dirs[dirs->count++] =
		(struct loose_dir){ arena_strdup(&dirs->arena, dir), st.st_dev, st.st_ino };
	file_note_input_path(dir);
	strbuf_addf(&name, "%s/info/alternates", dir);
	if (depth <= ALTERNATES_DEEP && !stat(name.text, &st) && S_ISREG(st.st_mode) && /* not a FIFO */
	    !file_read(&lines, name.text, ALTERNATES_LIMIT_BYTES, NULL)) {
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
	arena_release(&dirs->arena);
	*dirs = (struct loose_dirs){ 0 };
}

/*
 * Inflates until @reader->out is full or the stream has ended. Return: zlib's code; Z_BUF_ERROR if the file
 * ends before the stream.
 */
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

/*
 * Reads the object's size from the header, and finds the header's size. Return: false if the header is
 * invalid.
 */
static bool read_header(uint64_t *size, size_t *header_bytes, const struct loose_reader *reader)
{
	size_t limit = reader->held < HEADER_BYTES ? reader->held : HEADER_BYTES;
	const char *text = (const char *)reader->out, *end = memchr(text, '\0', limit),
		   *space = memchr(text, ' ', limit);

	if (!end || !space || space > end || space + 1 == end)
		return false;
	*size = 0;
	for (const char *at = space + 1; at < end; at++)
		if (*at < '0' || *at > '9' || __builtin_mul_overflow(*size, 10, size) ||
		    __builtin_add_overflow(*size, (uint64_t)(*at - '0'), size))
			return false;
	*header_bytes = (size_t)(end + 1 - text);
	return true;
}

/* Inflates an object to check it, because libgit2 hangs if it ends early. Return: see loose_fault() */
static const char *find_loose_fault(struct loose_reader *reader)
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
	struct loose_reader reader; /* its buffers are not cleared, because most objects are in a pack */
	struct strbuf path = { 0 };
	const char *fault;

	reader.fd = -1;
	git_oid_tostr(hex, sizeof(hex), id);
	for (size_t i = 0; i < dirs->count && reader.fd < 0; i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%.2s/%s", dirs->dirs[i].path, hex, hex + 2);
		reader.fd = open(path.text, O_RDONLY | O_CLOEXEC);
	}
	strbuf_release(&path);
	if (reader.fd < 0)
		return NULL;
	reader.stream = (z_stream){ 0 };
	fault = inflateInit(&reader.stream) == Z_OK ? find_loose_fault(&reader) : "cannot be inflated";
	inflateEnd(&reader.stream);
	close(reader.fd);
	return fault;
}

/* --- objects -------------------------------------------------------------------- */

enum {
	/*
	 * The largest commit of NVIDIA's driver (OGKM) has 4 kB, and the largest tag 1 kB. The limit is
	 * higher, because a message can quote a log, and a tag can have a signature.
	 */
	COMMIT_LIMIT_BYTES = 1024 * 1024,
	TAG_LIMIT_BYTES = 1024 * 1024,
	/* The largest directory of OGKM has 111 kB. A directory with 100,000 names has 4 MB. */
	DIRECTORY_LIMIT_BYTES = 4 * 1024 * 1024,
	LINK_LIMIT_BYTES = 4096, /* PATH_MAX: no system has longer links */
};

static const struct object_rule {
	git_object_t type;
	size_t limit_bytes;
	const char *name;
	const char *before;  /* the text before the name of an object in messages */
	const char *unnamed; /* an object whose name is "" */
} rules[] = {
	[OBJECT_COMMIT] = { GIT_OBJECT_COMMIT, COMMIT_LIMIT_BYTES, "commit", "commit ", "the commit" },
	[OBJECT_TAG] = { GIT_OBJECT_TAG, TAG_LIMIT_BYTES, "tag", "tag ", "the tag" },
	[OBJECT_DIRECTORY] = { GIT_OBJECT_TREE, DIRECTORY_LIMIT_BYTES, "directory", "directory ",
			       "the root directory" },
	[OBJECT_FILE] = { GIT_OBJECT_BLOB, LOADED_FILE_LIMIT_BYTES, "file", "", "" },
	[OBJECT_LINK] = { GIT_OBJECT_BLOB, LINK_LIMIT_BYTES, "link", "", "" },
};

int objects_init(struct objects *out, git_repository *repo, const char *shown, const char *version,
		 struct err *err)
{
	*out = (struct objects){ .repo = repo, .shown = shown, .version = version };
	if (git_repository_odb(&out->odb, repo))
		return err_set(err, ERR_GIT, "cannot open the objects of %s: %s", shown, git_why());
	loose_dirs_init(&out->loose, git_repository_commondir(repo));
	return 0;
}

void objects_release(struct objects *objects)
{
	loose_dirs_release(&objects->loose);
	git_odb_free(objects->odb);
	objects->odb = NULL;
}

int object_type(git_object_t *out, const struct objects *objects, const git_oid *id)
{
	size_t size;

	return git_odb_read_header(&size, out, objects->odb, id);
}

int object_open(git_object **out, struct objects *objects, const git_oid *id, enum object_use use,
		const char *what, struct err *err)
{
	const struct object_rule *rule = &rules[use];
	const char *shown = objects->shown, *fault;
	const git_error *error;
	struct strbuf name = { 0 }; /* "directory inc of version 1.0" */
	git_object_t type;
	size_t size;
	int code, rc = 0;

	strbuf_addf(&name, "%s%s", *what ? rule->before : rule->unnamed, what);
	if (objects->version)
		strbuf_addf(&name, " of version %s", objects->version);
	if ((code = git_odb_read_header(&size, &type, objects->odb, id)))
		goto out;
	if (type != rule->type)
		rc = err_set(err, ERR_GIT, "%s in %s is a %s, but should be a %s: the repository is damaged",
			     name.text, shown, git_object_type2string(type),
			     git_object_type2string(rule->type));
	else if (size > rule->limit_bytes)
		rc = err_set(err, ERR_LIMIT, "%s in %s has %zu bytes; the limit for a %s is %zu", name.text,
			     shown, size, rule->name, rule->limit_bytes);
	else if ((fault = loose_fault(&objects->loose, id)))
		rc = err_set(err, ERR_GIT, "%s in %s %s: the repository is damaged; run git fsck for details",
			     name.text, shown, fault);
	else
		code = git_object_lookup(out, objects->repo, id, rule->type);
out:
	error = code ? git_error_last() : NULL;
	if (error && error->klass == GIT_ERROR_NOMEMORY)
		rc = err_set(err, ERR_LIMIT,
			     "%s in %s needs more memory to unpack than DRVABI_PARSE_MB allows", name.text,
			     shown);
	else if (code == GIT_ENOTFOUND)
		rc = err_set(err, ERR_GIT, "%s is missing from %s: is it a partial clone?", name.text, shown);
	else if (code)
		rc = err_set(err, ERR_GIT, "cannot read %s in %s: %s", name.text, shown, git_why());
	strbuf_release(&name);
	return rc;
}

/* --- directories ---------------------------------------------------------------- */

/*
 * Checks whether a file before the directory at @index has the same name. In git's order, other entries can
 * be between the two, all of which begin with this name.
 */
static bool is_file_too(const git_tree *directory, size_t index)
{
	const char *name = git_tree_entry_name(git_tree_entry_byindex(directory, index));
	size_t length = strlen(name);

	while (index--) {
		const char *before = git_tree_entry_name(git_tree_entry_byindex(directory, index));

		if (strncmp(before, name, length))
			return false;
		if (!before[length])
			return true;
	}
	return false;
}

/* Finds the fault in the entry at @index, "has no name", for the message; NULL if it is valid. */
static const char *find_entry_fault(const git_tree *directory, size_t index)
{
	const git_tree_entry *entry = git_tree_entry_byindex(directory, index);
	const bool is_directory = git_tree_entry_filemode(entry) == GIT_FILEMODE_TREE;
	const char *name = git_tree_entry_name(entry);
	int order;

	if (!*name)
		return "has no name";
	if (!strcmp(name, ".") || !strcmp(name, "..") || strchr(name, '/'))
		return "is not a file name";
	order = index ? git_tree_entry_cmp(git_tree_entry_byindex(directory, index - 1), entry) : -1;
	if (order > 0)
		return "is not in git's order";
	return !order || (is_directory && is_file_too(directory, index)) ? "appears twice"
										      : NULL;
}

int directory_check(const git_tree *directory, const char *path, const char *version, const char *shown,
		    struct err *err)
{
	size_t count = git_tree_entrycount(directory);

	for (size_t i = 0; i < count; i++) {
		const char *fault = find_entry_fault(directory, i);

		if (fault)
			return err_set(
				err, ERR_GIT,
				"the %s%s of version %s in %s is damaged: its entry '%s' %s; run git fsck for details",
				*path ? "directory " : "root directory", path, version, shown,
				git_tree_entry_name(git_tree_entry_byindex(directory, i)), fault);
	}
	return 0;
}
