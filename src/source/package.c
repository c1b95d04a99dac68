/*
 * source/package.c - read the kernel modules' sources from a .run file
 *
 * NVIDIA's packages are made with makeself. A package is a shell script, sometimes a decompressor, and a
 * compressed tar. The tar begins at line N if the script has "skip=N". The file is read, but never run.
 *
 * 1. The lines of the script that set a variable are read as text (package_head()).
 * 2. libarchive reads the bytes from line N on, a tar compressed with xz, zstd, gzip or bzip2. It runs no
 *    other program and writes no file.
 * 3. The C files under kernel-open are kept in memory, and form the tree. Links and devices are ignored. A
 *    path that leads out of the tree is an error. If two files have the same path, the last one is used, as
 *    in tar.
 */
#include "source/internal.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <nettle/sha2.h>
#include <sys/stat.h>
#include <unistd.h>

#define KERNEL_OPEN "kernel-open/"

enum {
	SCRIPT_BYTES_MAX = 16 * 1024 * 1024, /* includes the decompressor */
	SCRIPT_LINES_MAX = 1000 * 1000,
	READ_BYTES = 256 * 1024,
};

#define UNPACKED_BYTES_MAX (INT64_C(8) * 1024 * 1024 * 1024) /* a package has 1.5 GB */

struct package {
	struct file_tree common;
	const char **paths; /* paths of the loaded files, sorted; in the arena */
	size_t path_count;
};

/* --- the script ------------------------------------------------------------------- */

/* Returns the line after @line; NULL if @line does not end before @end. */
static const char *next_line(const char *line, const char *end)
{
	const char *newline = memchr(line, '\n', (size_t)(end - line));

	return newline ? newline + 1 : NULL;
}

/*
 * Finds the first line NAME=VALUE or NAME="VALUE" from @line to @end, and skips values with other characters
 * than letters, digits and "._-". Return: the value, in @arena; "" if there is no such line.
 */
static const char *find_value(const char *line, const char *end, const char *name, struct arena *arena)
{
	const size_t length = strlen(name);

	for (; line && line < end; line = next_line(line, end)) {
		const char *value = line + length + 1;
		size_t size;

		if (strncmp(line, name, length) || line[length] != '=')
			continue;
		value += *value == '"';
		size = strspn(value, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-");
		if (size && (value[size] == '\n' || value[size] == '"'))
			return arena_strndup(arena, value, size);
	}
	return "";
}

/*
 * Reads the lines NAME=VALUE of the shell script into @out, without the checksum. The line skip=N says that
 * the archive begins at line N of the file. Return: 0; ERR_FORMAT if @text is not such a script.
 */
static int read_script(struct package_head *out, const struct strbuf *text, const char *path,
		       struct arena *arena, struct err *err)
{
	const char *at = text->text, *end = at + text->length, *skip;
	unsigned long lines;

	*out = (struct package_head){ .version = "", .machine = "" };
	if (text->length < 2 || memcmp(text->text, "#!", 2))
		return err_set(err, ERR_FORMAT,
			       "%s is not a .run file of NVIDIA: it does not begin with #!", path);
	skip = find_value(at, end, "skip", arena);
	lines = strtoul(skip, NULL, 10);
	if (!*skip || skip[strspn(skip, "0123456789")] || lines < 2 || lines > SCRIPT_LINES_MAX)
		return err_set(err, ERR_FORMAT,
			       "%s is not a .run file of NVIDIA: its script has no line skip=N", path);
	for (; lines > 1 && at; lines--)
		at = next_line(at, end);
	if (!at || at == end)
		return err_set(err, ERR_FORMAT,
			       "%s ends, or has more than %d bytes, before line %s, where its archive begins",
			       path, SCRIPT_BYTES_MAX, skip);
	out->payload_at = (uint64_t)(at - text->text); /* files in the archive may have similar lines */
	out->version = find_value(text->text, at, "version_string", arena);
	out->machine = find_value(text->text, at, "TARGET_ARCH", arena);
	return 0;
}

/*
 * Opens the file, and notes it as an input. @out: a descriptor, which the caller closes. Return: 0;
 * ERR_NOT_FOUND; ERR_FORMAT if it is not a regular file; ERR_IO.
 */
static int open_package(int *out, const char *path, struct err *err)
{
	struct stat st;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot open %s: %s", path,
			       strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return err_set(err, ERR_FORMAT, "%s is not a regular file", path);
	}
	file_note_input(fd);
	*out = fd;
	return 0;
}

/* Reads the shell script at the beginning of the package into @out. Return: 0; ERR_FORMAT; ERR_IO. */
static int read_head(struct package_head *out, int fd, const char *path, struct arena *arena, struct err *err)
{
	struct strbuf text = { 0 };
	ssize_t got = 1;
	int rc;

	while (got && text.length < SCRIPT_BYTES_MAX) {
		strbuf_reserve(&text, READ_BYTES);
		got = read(fd, text.text + text.length,
			   SCRIPT_BYTES_MAX - text.length < READ_BYTES ? SCRIPT_BYTES_MAX - text.length
								       : READ_BYTES);
		if (got < 0 && errno != EINTR) {
			rc = err_set(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
			goto out;
		}
		text.length += got > 0 ? (size_t)got : 0;
	}
	text.text[text.length] = '\0'; /* ends the last line */
	rc = read_script(out, &text, path, arena, err);
out:
	strbuf_release(&text);
	return rc;
}

int package_head(struct package_head *out, const char *path, struct arena *arena, struct err *err)
{
	char *hex = arena_alloc(arena, 2 * SHA256_DIGEST_SIZE + 1);
	uint8_t bytes[READ_BYTES], digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx hash;
	ssize_t got = 0;
	int fd, rc;

	if ((rc = open_package(&fd, path, err)))
		return rc;
	if ((rc = read_head(out, fd, path, arena, err)))
		goto out;
	sha256_init(&hash);
	if (lseek(fd, 0, SEEK_SET))
		got = -1;
	else
		while ((got = read(fd, bytes, sizeof(bytes))) > 0 || (got < 0 && errno == EINTR))
			if (got > 0)
				sha256_update(&hash, (size_t)got, bytes);
	if (got < 0) {
		rc = err_set(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
		goto out;
	}
	sha256_digest(&hash, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
	out->sha256 = hex;
out:
	close(fd);
	return rc;
}

/* --- libarchive ------------------------------------------------------------------- */

/*
 * libarchive needs seven libraries, among them libxml2 and ICU. A program that is linked with them takes
 * 5 ms longer to start, and few commands read a package. So libarchive is loaded when it is needed, as
 * libclang is (extract/libclang.c). libarchive.read_new() is archive_read_new().
 */
#define ARCHIVE_CALLS(ROW)                                                                                   \
	ROW(entry_filetype) ROW(entry_hardlink) ROW(entry_pathname) ROW(entry_size) ROW(error_string)        \
	ROW(filter_bytes) ROW(read_data) ROW(read_free) ROW(read_new) ROW(read_next_header)                  \
	ROW(read_open_fd) ROW(read_support_filter_bzip2) ROW(read_support_filter_gzip)                       \
	ROW(read_support_filter_xz) ROW(read_support_filter_zstd) ROW(read_support_format_tar)
#define ARCHIVE_POINTER(name) __typeof__(&archive_##name) name;
#define ARCHIVE_SLOT(name) { "archive_" #name, &libarchive.name },

static struct {
	ARCHIVE_CALLS(ARCHIVE_POINTER)
} libarchive;

int package_library(struct err *err)
{
	static const struct {
		const char *name;
		void *pointer;
	} slots[] = { ARCHIVE_CALLS(ARCHIVE_SLOT) };
	void *library = dlopen(LIBARCHIVE_NAME, RTLD_LAZY); /* it stays loaded */

	if (!library)
		return err_set(err, ERR_IO, "libarchive, which reads a .run file, cannot be loaded: %s",
			       dlerror());
	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
		void *found = dlsym(library, slots[i].name);

		if (!found)
			return err_set(err, ERR_IO,
				       "libarchive is not the one that this program was built for: %s",
				       dlerror());
		memcpy(slots[i].pointer, &found, sizeof(found));
	}
	return 0;
}

/* --- the archive ------------------------------------------------------------------- */

static int archive_failed(struct archive *archive, const char *path, struct err *err)
{
	const char *why = libarchive.error_string(archive);

	return err_set(err, ERR_FORMAT, "%s: its archive cannot be read: %s", path,
		       why ? why : "it is damaged");
}

/*
 * Loads the file @name of the package. If the archive has the file twice, the last one counts, as with tar.
 * Return: 0; ERR_FORMAT if the path leads out of the tree, or the archive is damaged; ERR_LIMIT.
 */
static int keep_file(struct package *package, struct archive *archive, struct archive_entry *entry,
		     const char *name, struct err *err)
{
	const char *path = package->common.tree.version;
	const int64_t size = libarchive.entry_size(entry);
	struct arena *arena = &package->common.arena;
	char *text;
	int rc;

	if ((rc = tree_path_check(name, err)))
		return rc;
	if (size < 0 || size > LOADED_FILE_LIMIT_BYTES ||
	    !file_tree_has_room(&package->common, (size_t)size))
		return err_set(err, ERR_LIMIT,
			       "%s: %s has %lld bytes, or all files together have more than %d", path, name,
			       (long long)size, LOADED_LIMIT_BYTES);
	text = xmalloc((size_t)size + 1);
	if (libarchive.read_data(archive, text, (size_t)size) != size) {
		rc = archive_failed(archive, path, err);
	} else {
		if (!file_tree_find(&package->common, name)) {
			package->paths = arena_room(arena, package->paths, package->path_count,
						    sizeof(*package->paths));
			package->paths[package->path_count++] = arena_strdup(arena, name);
		}
		file_tree_forget(&package->common.tree, name);
		file_tree_add(&package->common, name, text, (size_t)size);
	}
	free(text);
	return rc;
}

/* Loads the .c and .h files of kernel-open, and no others. Return: 0; ERR_FORMAT; ERR_LIMIT. */
static int read_entries(struct package *package, struct archive *archive, struct err *err)
{
	const char *path = package->common.tree.version;
	struct archive_entry *entry;
	int rc = 0, got;

	while (!rc && (got = libarchive.read_next_header(archive, &entry)) != ARCHIVE_EOF) {
		const char *name =
			got == ARCHIVE_OK || got == ARCHIVE_WARN ? libarchive.entry_pathname(entry) : NULL;

		if (got != ARCHIVE_OK && got != ARCHIVE_WARN)
			return archive_failed(archive, path, err);
		if (libarchive.filter_bytes(archive, 0) > UNPACKED_BYTES_MAX)
			return err_set(err, ERR_LIMIT, "%s: its archive has more than %lld bytes", path,
				       (long long)UNPACKED_BYTES_MAX);
		while (name && name[0] == '.' && name[1] == '/')
			name += 2;
		if (name && begins(name, KERNEL_OPEN) && !fnmatch("*.[ch]", name, 0) &&
		    libarchive.entry_filetype(entry) == AE_IFREG && !libarchive.entry_hardlink(entry))
			rc = keep_file(package, archive, entry, name, err);
	}
	return rc;
}

/*
 * Loads the files of the archive that begins at byte @at of the package, and sorts package->paths. Return:
 * 0; ERR_NOT_FOUND if it has no kernel-open; ERR_FORMAT; ERR_LIMIT; ERR_IO.
 */
static int read_archive(struct package *package, int fd, uint64_t at, struct err *err)
{
	const char *path = package->common.tree.version;
	struct archive *archive;
	int rc;

	if ((rc = package_library(err)))
		return rc;
	archive = libarchive.read_new();
	libarchive.read_support_filter_xz(archive);
	libarchive.read_support_filter_zstd(archive);
	libarchive.read_support_filter_gzip(archive);
	libarchive.read_support_filter_bzip2(archive);
	libarchive.read_support_format_tar(archive);
	if (lseek(fd, (off_t)at, SEEK_SET) < 0)
		rc = err_set(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
	else if (libarchive.read_open_fd(archive, fd, READ_BYTES))
		rc = archive_failed(archive, path, err);
	else
		rc = read_entries(package, archive, err);
	libarchive.read_free(archive);
	if (!rc && !package->path_count)
		rc = err_set(err, ERR_NOT_FOUND,
			     "%s has no kernel-open: it is older than 515, or not a driver's package", path);
	if (!rc)
		sort_items(package->paths, package->path_count, sizeof(*package->paths), order_named);
	return rc;
}

/* --- the tree ---------------------------------------------------------------------- */

/*
 * The function `glob` of tree_ops: appends the paths of the package that match @pattern to @paths. Return:
 * 0; ERR_FORMAT; ERR_LIMIT if the pattern is not a valid path.
 */
static int package_glob(struct tree *tree, const char *pattern, const char ***paths, size_t *count,
			struct err *err)
{
	const struct package *package = (const struct package *)tree;
	int rc = tree_path_check(pattern, err);

	for (size_t i = 0; i < package->path_count && !rc; i++) {
		if (fnmatch(pattern, package->paths[i], FNM_PATHNAME))
			continue;
		*paths = xrealloc(*paths, (*count + 1) * sizeof(**paths));
		(*paths)[(*count)++] = package->paths[i];
	}
	return rc;
}

/* All files of a package were loaded when it was opened. */
static int package_load(const struct loaded_file **out, struct tree *tree, const char *path, struct err *err)
{
	(void)out;
	return err_set(err, ERR_NOT_FOUND, "no file %s in %s", path, tree->version);
}

static void package_free(struct tree *tree)
{
	struct package *package = (struct package *)tree;

	file_tree_release(&package->common);
	free(package);
}

int source_package(struct tree **out, const char *path, struct err *err)
{
	static const struct tree_ops ops = {
		.glob = package_glob, .read = file_tree_read, .id = file_tree_no_id, .free = package_free,
	};
	static const struct file_tree_ops loading = { .load = package_load };
	struct package *package = xmalloc(sizeof(*package));
	struct package_head head;
	int fd, rc;

	*package = (struct package){ .common.tree = { .ops = &ops, .commit = "" },
				      .common.ops = &loading };
	package->common.tree.version = arena_strdup(&package->common.arena, path);
	if (!(rc = open_package(&fd, path, err))) {
		if (!(rc = read_head(&head, fd, path, &package->common.arena, err)))
			rc = read_archive(package, fd, head.payload_at, err);
		close(fd);
	}
	if (rc)
		package_free(&package->common.tree);
	else
		*out = &package->common.tree;
	return rc;
}
