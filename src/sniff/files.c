/*
 * sniff/files.c - the driver's files: device nodes, /proc/driver/nvidia*, /sys/module/nvidia*, the
 * directories of its GPUs in /sys, and its lines in /proc/devices and /proc/modules. They are listed in
 * "files" of the profile.
 *
 * When a workload begins, a recorder writes a message (TRACE_FILE) for each file. When the workload ends, the
 * recorder writes messages for new files, because the workload may have loaded the driver. Replay looks up
 * files by path.
 *
 * A trace has the contents of files that everybody may read, and no kernel addresses.
 */
#include "sniff/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { CONTENT_MAX = 256 * 1024, FILES_MAX = 8192, DEPTH_MAX = 12 };

static bool matches_rule(const struct file_rule *rule, const char *path)
{
	const char *any = strchr(rule->path, '*');

	return any ? !strncmp(path, rule->path, (size_t)(any - rule->path)) : !strcmp(path, rule->path);
}

bool file_is_drivers(const struct device_rules *rules, const char *path)
{
	for (size_t i = 0; i < rules->file_count; i++) {
		const struct file_rule *rule = &rules->files[i];

		if (!*rule->line && !*rule->module && matches_rule(rule, path))
			return true;
	}
	return false;
}

/* --- lines ------------------------------------------------------------------------------------------ */

/*
 * Appends lines of this machine's file: the driver's lines if @own is true, otherwise all other lines. The
 * driver's lines are like "195 nvidia" in /proc/devices, and "nvidia_uvm 1556480 0 - ..." in /proc/modules.
 * Kernel addresses are replaced with zeros.
 */
static void add_file_lines(struct strbuf *out, const struct file_rule *rule, bool own)
{
	FILE *file = fopen(rule->path, "re");
	char *line = NULL, *address;
	size_t capacity = 0;

	while (file && getline(&line, &capacity, file) >= 0) {
		if (begins(line + strspn(line, " 0123456789"), rule->line) != own)
			continue;
		address = strstr(line, " 0x"); /* only root may see the address of a module */
		if (address)
			memset(address + 3, '0', strspn(address + 3, "0123456789abcdef"));
		strbuf_adds(out, line);
	}
	free(line);
	if (file)
		fclose(file);
}

void file_add_content(struct strbuf *out, const struct driver_file *file, const struct device_rules *rules)
{
	struct strbuf others = { 0 };
	const char *rest, *end;

	for (size_t i = 0; i < rules->file_count; i++)
		if (*rules->files[i].line && matches_rule(&rules->files[i], file->path))
			add_file_lines(&others, &rules->files[i], false);
	rest = strbuf_text(&others);
	end = strchr(rest, '\n');
	/* the driver's lines go after a heading like "Character devices:" */
	if (end && end > rest && end[-1] == ':') {
		strbuf_add(out, rest, (size_t)(end + 1 - rest));
		rest = end + 1;
	}
	strbuf_add(out, file->content.bytes, file->content.size_bytes);
	strbuf_adds(out, rest);
	strbuf_release(&others);
}

/* --- files of a trace --------------------------------------------------------------------------------- */

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
				       .file_device = file->device, .file_size_bytes = file->size_bytes };
}

void files_release(struct driver_files *files)
{
	HASH_CLEAR(hh, files->by_path);
	arena_release(&files->arena);
}

/* --- files of this machine --------------------------------------------------------------------------- */

struct file_recording {
	struct driver_files *files;
	const struct device_rules *rules;
	void (*observe)(void *data, const struct trace_message *message);
	void *data;
};

/* Passes a file to observe(), unless files_add() has it already. @content: NULL if it is not recorded */
static void record_file(const struct file_recording *recording, const char *path, const struct stat *st,
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
		recording->observe(recording->data, &message);
}

/*
 * Only root may read more than these bytes of a device's configuration, and reading more may hang the device
 * (drivers/pci/pci-sysfs.c).
 */
enum { PUBLIC_CONFIG_BYTES = 64 };

/* Appends the first bytes of a file: about CONTENT_MAX at most. Return: false if a read fails. */
static bool read_content(struct strbuf *out, const char *path)
{
	const bool is_config = begins(path, "/sys/devices/") && !strcmp(strrchr(path, '/'), "/config");
	const size_t at_once = is_config ? PUBLIC_CONFIG_BYTES : CONTENT_MAX / 16;
	const size_t limit = is_config ? PUBLIC_CONFIG_BYTES : CONTENT_MAX;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t got = -1;

	if (fd < 0)
		return false;
	do {
		strbuf_reserve(out, at_once);
		got = read(fd, out->text + out->length, at_once);
		if (got > 0)
			out->length += (size_t)got;
		out->text[out->length] = '\0';
	} while (got > 0 && out->length < limit);
	close(fd);
	return got >= 0;
}

static void record_tree(const struct file_recording *recording, const char *directory, const char *prefix,
			const char *module, unsigned depth);

/*
 * Records a file, a link, or a directory and the files in it, so that a replay can answer calls that name it.
 * Records contents only of files that everybody may read. Skips files in /dev that are not the driver's.
 */
static void record_path(const struct file_recording *recording, const char *path, unsigned depth)
{
	struct strbuf content = { 0 };
	char usual[DEVICE_PATH_MAX], target[DEVICE_PATH_MAX];
	struct stat st;
	bool has_content = false;
	ssize_t length;

	if (lstat(path, &st))
		return;
	/* A node with a different device number belongs to a different driver. */
	if (begins(path, "/dev/") && !S_ISDIR(st.st_mode) &&
	    (!S_ISCHR(st.st_mode) || !device_rule_of(usual, sizeof(usual), recording->rules, "", st.st_rdev)))
		return;
	if (S_ISLNK(st.st_mode) && (length = readlink(path, target, sizeof(target))) > 0) {
		strbuf_add(&content, target, (size_t)length);
		has_content = true;
	} else if (S_ISREG(st.st_mode) && (st.st_mode & S_IROTH)) {
		has_content = read_content(&content, path);
	}
	record_file(recording, path, &st, has_content ? &content : NULL);
	strbuf_release(&content);
	if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
		record_tree(recording, path, "", "", depth + 1);
}

/* True if @path is a link in /sys to a device that @module drives, or to a part of such a device. */
static bool is_driven_by(const char *path, const char *module)
{
	static const char *const links[] = { "driver/module", "device/driver/module" };
	char link[DEVICE_PATH_MAX + 32], target[DEVICE_PATH_MAX];
	const char *name;

	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		snprintf(link, sizeof(link), "%s/%s", path, links[i]);
		link_target(target, sizeof(target), link);
		if ((name = strrchr(target, '/')) && !strcmp(name + 1, module))
			return true;
	}
	return false;
}

/*
 * Records the files in @directory whose names begin with @prefix. If @module is not "", records only the
 * links to its devices, and for each link also the device's directory and entries. The order is sorted, so
 * that two recordings of a machine are the same.
 */
static void record_tree(const struct file_recording *recording, const char *directory, const char *prefix,
			const char *module, unsigned depth)
{
	struct dirent **names;
	const int count = scandir(directory, &names, NULL, alphasort);
	char path[DEVICE_PATH_MAX], *device;

	for (int i = 0; i < count; i++) {
		const char *name = names[i]->d_name;
		const int length = snprintf(path, sizeof(path), "%s/%s", directory, name);

		if (begins(name, prefix) && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
		    length < DEVICE_PATH_MAX && HASH_COUNT(recording->files->by_path) < FILES_MAX) {
			if (!*module) {
				record_path(recording, path, depth);
			} else if (is_driven_by(path, module) && (device = realpath(path, NULL))) {
				record_path(recording, path, DEPTH_MAX);
				record_path(recording, device, DEPTH_MAX);
				record_tree(recording, device, "", "", DEPTH_MAX);
				free(device);
			}
		}
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}

void files_record(struct driver_files *files, const struct device_rules *rules,
		  void (*observe)(void *data, const struct trace_message *message), void *data)
{
	const struct file_recording recording = { files, rules, observe, data };

	for (size_t i = 0; i < rules->file_count; i++) {
		const struct file_rule *rule = &rules->files[i];
		const char *name = strrchr(rule->path, '/') + 1;
		char directory[sizeof(rule->path)], prefix[sizeof(rule->path)];
		struct strbuf lines = { 0 };
		struct stat st;

		snprintf(directory, sizeof(directory), "%.*s", (int)(name - 1 - rule->path), rule->path);
		snprintf(prefix, sizeof(prefix), "%.*s", (int)strcspn(name, "*"), name);
		if (*rule->line) {
			add_file_lines(&lines, rule, true);
			if (lines.length && !stat(rule->path, &st))
				record_file(&recording, rule->path, &st, &lines);
			strbuf_release(&lines);
		} else if (*rule->module && begins(rule->path, "/sys/")) {
			record_tree(&recording, directory, prefix, rule->module, 0);
		} else if (strchr(name, '*')) {
			record_tree(&recording, directory, prefix, "", 0);
		} else {
			record_path(&recording, rule->path, 0);
		}
	}
}
