/*
 * sniff/files.c - what programs read of the driver besides ioctls: device nodes, /proc/driver/nvidia*,
 * /sys/module/nvidia*, and its lines of /proc/devices and /proc/modules
 *
 * A recorder tells each of them as a message of its own (TRACE_FILE), when a workload begins, and those that
 * are new when it ends: a driver may be loaded by the workload. Replay looks them up by path.
 *
 * A file that not everybody may read has no contents in a trace, nor have kernel addresses.
 */
#include "sniff/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* What the driver's files begin with. All below is its own. */
static const struct { const char *directory, *prefix; } roots[] = {
	{ "/dev", "nvidia" },
	{ "/dev", "dri" },
	{ "/proc/driver", "nvidia" },
	{ "/sys/module", "nvidia" },
};

/* Files that have lines of others, too. */
static const char *const shared_files[] = { "/proc/devices", "/proc/modules" };

enum {
	ROOT_COUNT = sizeof(roots) / sizeof(*roots),
	SHARED_COUNT = sizeof(shared_files) / sizeof(*shared_files)
};
enum { CONTENT_MAX = 256 * 1024, FILES_MAX = 8192, DEPTH_MAX = 12 };

bool file_is_drivers(const char *path)
{
	for (size_t i = 0; i < ROOT_COUNT; i++) {
		const size_t length = strlen(roots[i].directory);

		if (begins(path, roots[i].directory) && path[length] == '/' &&
		    begins(path + length + 1, roots[i].prefix) && strcmp(roots[i].prefix, "dri") != 0)
			return true;
	}
	return false;
}

/* --- lines ------------------------------------------------------------------------------------------ */

/* Is a line of /proc/devices ("195 nvidia") or /proc/modules ("nvidia_uvm 1556480 0 - ...") its own? */
static bool is_own_line(const char *path, const char *line)
{
	if (!strcmp(path, "/proc/devices"))
		line += strspn(line, " 0123456789");
	return begins(line, "nvidia");
}

/* Where a module is, only root may know. */
static void hide_addresses(char *line)
{
	char *at = strstr(line, " 0x");

	for (at = at ? at + 3 : NULL; at && strchr("0123456789abcdef", *at) && *at; at++)
		*at = '0';
}

/* The lines of a file that are the driver's, or those that are not. */
static void add_lines(struct strbuf *out, const char *path, bool own)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t capacity = 0;

	while (file && getline(&line, &capacity, file) >= 0) {
		if (is_own_line(path, line) != own)
			continue;
		hide_addresses(line);
		strbuf_adds(out, line);
	}
	free(line);
	if (file)
		fclose(file);
}

bool file_is_shared(const char *path)
{
	for (size_t i = 0; i < SHARED_COUNT; i++)
		if (!strcmp(path, shared_files[i]))
			return true;
	return false;
}

/* Behind the heading of /proc/devices, which is its first line. */
void file_add_shared(struct strbuf *out, const struct driver_file *file)
{
	struct strbuf others = { 0 };
	const char *rest;

	add_lines(&others, file->path, false);
	rest = strbuf_text(&others);
	if (!strcmp(file->path, "/proc/devices") && strchr(rest, '\n')) {
		rest = strchr(rest, '\n') + 1;
		strbuf_add(out, others.text, (size_t)(rest - others.text));
	}
	strbuf_add(out, file->content.bytes, file->content.size_bytes);
	strbuf_adds(out, rest);
	strbuf_release(&others);
}

/* --- those of a trace --------------------------------------------------------------------------------- */

const struct driver_file *files_find(const struct driver_files *files, const char *path)
{
	struct driver_file *found;

	HASH_FIND_STR(files->by_path, path, found);
	return found;
}

const struct driver_file *files_child(const struct driver_files *files, const char *directory,
				      const struct driver_file *after)
{
	const size_t length = strlen(directory);
	const struct driver_file *at = after ? after->hh.next : files->by_path;

	for (; at; at = at->hh.next)
		if (begins(at->path, directory) && at->path[length] == '/' &&
		    !strchr(at->path + length + 1, '/'))
			return at;
	return NULL;
}

bool files_add(struct driver_files *files, const struct trace_message *message)
{
	struct driver_file *file;

	if (files_find(files, message->fd_path))
		return false;
	file = arena_alloc(&files->arena, sizeof(*file));
	file->path = arena_strdup(&files->arena, message->fd_path);
	file->mode = message->file_mode;
	file->device = message->file_device;
	file->size_bytes = message->file_size_bytes;
	if (message->after.bytes)
		file->content = (struct trace_bytes){
			arena_memdup(&files->arena, message->after.bytes, message->after.size_bytes),
			message->after.size_bytes,
		};
	HASH_ADD_KEYPTR(hh, files->by_path, file->path, strlen(file->path), file);
	return true;
}

void files_message(struct trace_message *out, const struct driver_file *file)
{
	*out = (struct trace_message){ .kind = TRACE_FILE, .fd_path = file->path, .fd = -1,
				       .after = file->content, .file_mode = file->mode,
				       .file_device = file->device, .file_size_bytes = file->size_bytes,
				       .version = "", .target = "", .command = "" };
}

void files_release(struct driver_files *files)
{
	HASH_CLEAR(hh, files->by_path);
	arena_release(&files->arena);
}

/* --- those of this machine --------------------------------------------------------------------------- */

struct recording {
	struct driver_files *files;
	const struct device_rules *rules;
	void (*tell)(void *data, const struct trace_message *message);
	void *data;
};

static void tell_file(const struct recording *recording, const char *path, const struct stat *st,
		      const struct strbuf *content)
{
	struct driver_file file = { .path = path, .mode = st->st_mode, .size_bytes = (uint64_t)st->st_size };
	struct trace_message message;

	if (S_ISCHR(st->st_mode))
		file.device = st->st_rdev;
	if (content)
		file.content = (struct trace_bytes){ (const uint8_t *)strbuf_text(content), content->length };
	files_message(&message, &file);
	if (files_add(recording->files, &message))
		recording->tell(recording->data, &message);
}

/* What can be read without waiting. */
static bool read_content(struct strbuf *out, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t got = -1;

	if (fd < 0)
		return false;
	do {
		strbuf_reserve(out, CONTENT_MAX / 16);
		got = read(fd, out->text + out->length, CONTENT_MAX / 16);
		if (got > 0)
			out->length += (size_t)got;
		out->text[out->length] = '\0';
	} while (got > 0 && out->length < CONTENT_MAX);
	close(fd);
	return got >= 0;
}

static void record_tree(const struct recording *recording, const char *directory, const char *prefix,
			unsigned depth);

static void record_path(const struct recording *recording, const char *path, unsigned depth)
{
	struct strbuf content = { 0 };
	char usual[DEVICE_PATH_MAX], target[DEVICE_PATH_MAX];
	struct stat st;
	bool has_content = false;
	ssize_t length;

	if (lstat(path, &st))
		return;
	/* A node of another number is another driver's. */
	if (begins(path, "/dev/") && !S_ISDIR(st.st_mode) &&
	    (!S_ISCHR(st.st_mode) || !device_rule_of(usual, sizeof(usual), recording->rules, "", st.st_rdev)))
		return;
	if (S_ISLNK(st.st_mode) && (length = readlink(path, target, sizeof(target))) > 0) {
		strbuf_add(&content, target, (size_t)length);
		has_content = true;
	} else if (S_ISREG(st.st_mode) && (st.st_mode & S_IROTH)) {
		has_content = read_content(&content, path);
	}
	tell_file(recording, path, &st, has_content ? &content : NULL);
	strbuf_release(&content);
	if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
		record_tree(recording, path, "", depth + 1);
}

/* Sorted, so that two recordings of a machine are the same. */
static void record_tree(const struct recording *recording, const char *directory, const char *prefix,
			unsigned depth)
{
	struct dirent **names;
	const int count = scandir(directory, &names, NULL, alphasort);
	struct strbuf path = { 0 };

	for (int i = 0; i < count; i++) {
		const char *name = names[i]->d_name;

		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", directory, name);
		if (begins(name, prefix) && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
		    path.length < DEVICE_PATH_MAX && HASH_COUNT(recording->files->by_path) < FILES_MAX)
			record_path(recording, path.text, depth);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
	strbuf_release(&path);
}

void files_record(struct driver_files *files, const struct device_rules *rules,
		  void (*tell)(void *data, const struct trace_message *message), void *data)
{
	const struct recording recording = { files, rules, tell, data };

	for (size_t i = 0; i < ROOT_COUNT; i++)
		record_tree(&recording, roots[i].directory, roots[i].prefix, 0);
	for (size_t i = 0; i < SHARED_COUNT; i++) {
		struct strbuf lines = { 0 };
		struct stat st;

		add_lines(&lines, shared_files[i], true);
		if (lines.length && !stat(shared_files[i], &st))
			tell_file(&recording, shared_files[i], &st, &lines);
		strbuf_release(&lines);
	}
}
