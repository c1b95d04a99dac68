/*
 * Facts about the machine: the children or tracees of a process, the driver of a device, and where drvabi's
 * files may be.
 */
#include "base/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* --- processes ------------------------------------------------------------------ */

static const char *const status_formats[] = { [PROCESSES_OF_PARENT] = "PPid: %d",
					      [PROCESSES_OF_TRACER] = "TracerPid: %d" };

/* A line of /proc/devices, "195 nvidia", which is read byte by byte. A name that is too long is truncated. */
struct devices_line {
	unsigned number;
	bool has_number;
	size_t length;
	char name[CHARDEV_NAME_MAX];
};

pid_t processes_number(enum processes_of whose, pid_t pid)
{
	char name[64], line[128];
	int number = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, status_formats[whose], &number) == 1)
			break;
	if (file)
		fclose(file);
	return number;
}

size_t link_target(char *out, size_t room, const char *path)
{
	const ssize_t length = readlink(path, out, room - 1);

	out[length < 0 ? 0 : length] = '\0';
	return length < 0 ? 0 : (size_t)length;
}

/*
 * Checks whether /proc belongs to this process's pid namespace. In a different namespace, its pids are those
 * of other processes.
 */
static bool has_own_numbers(void)
{
	char self[32];

	link_target(self, sizeof(self), "/proc/self");
	return strtol(self, NULL, 10) == getpid();
}

size_t processes_find(pid_t **out, enum processes_of whose, pid_t pid)
{
	DIR *dir = has_own_numbers() ? opendir("/proc") : NULL;
	size_t count = 0, capacity = 0;
	struct dirent *entry;
	pid_t *found = NULL;

	while (dir && (entry = readdir(dir))) {
		const pid_t at = (pid_t)strtol(entry->d_name, NULL, 10);

		if (at <= 0 || processes_number(whose, at) != pid)
			continue;
		ARRAY_GROW(found, count, capacity);
		found[count++] = at;
	}
	if (dir)
		closedir(dir);
	*out = found;
	return count;
}

/* Adds one byte of /proc/devices to @line. Return: true if the byte ends the line. */
static bool take_byte(struct devices_line *line, char ch)
{
	if (ch == '\n')
		return true;
	if (!line->length && ch >= '0' && ch <= '9') {
		line->number = line->number * 10 + (unsigned)(ch - '0');
		line->has_number = true;
	} else if (ch != ' ' && line->length < sizeof(line->name) - 1) {
		line->name[line->length++] = ch;
	}
	line->name[line->length] = '\0';
	return false;
}

void chardev_driver(char out[CHARDEV_NAME_MAX], dev_t number)
{
	const int fd = open("/proc/devices", O_RDONLY | O_CLOEXEC);
	struct devices_line line = { .number = 0 };
	bool is_done = fd < 0;
	char bytes[512];

	*out = '\0';
	while (!is_done) {
		const ssize_t got = read(fd, bytes, sizeof(bytes));

		is_done = got <= 0;
		for (ssize_t i = 0; i < got && !is_done; i++) {
			if (!take_byte(&line, bytes[i]))
				continue;
			if (line.has_number && line.number == major(number)) {
				memcpy(out, line.name, sizeof(line.name));
				is_done = true;
			}
			/* "Block devices:" comes after all character devices */
			is_done |= !line.has_number && begins(line.name, "Block");
			line = (struct devices_line){ .number = 0 };
		}
	}
	if (fd >= 0)
		close(fd);
}

void chardev_module(char out[CHARDEV_NAME_MAX], dev_t number)
{
	char link[96], target[256];
	const char *name;

	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device/driver/module", major(number),
		 minor(number));
	link_target(target, sizeof(target), link);
	name = strrchr(target, '/');
	snprintf(out, CHARDEV_NAME_MAX, "%s", name ? name + 1 : "");
}

/* --- where data is installed ---------------------------------------------------- */

#define DEFAULT_DATA_DIRS "/usr/local/share:/usr/share"

struct data_surroundings data_surroundings(struct arena *arena)
{
	char program[PATH_MAX];
	const char *started = (const char *)getauxval(AT_EXECFN); /* used if /proc is not mounted */
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program));

	if (length < 0 && started && realpath(started, program))
		length = (ssize_t)strlen(program);
	return (struct data_surroundings){
		.program = length > 0 && (size_t)length < sizeof(program)
				   ? arena_strndup(arena, program, (size_t)length)
				   : NULL,
		.home = getenv("HOME"),
		.data_home = getenv("XDG_DATA_HOME"),
		.data_dirs = getenv("XDG_DATA_DIRS"),
	};
}

/* The XDG specification says that relative paths must be ignored. */
static bool is_absolute(const char *path)
{
	return path && *path == '/';
}

/* Returns @path without its last component; "" if the parent is the root directory. */
static const char *parent_directory(const char *path, struct arena *arena)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : "";
}

static void add_data_path(struct data_paths *out, const char *path)
{
	if (out->count < DATA_PATHS_MAX)
		out->path[out->count++] = path;
}

void data_paths(struct data_paths *out, const char *name, const char *suffix,
		const struct data_surroundings *of, struct arena *arena)
{
	const char *dirs = of->data_dirs && *of->data_dirs ? of->data_dirs : DEFAULT_DATA_DIRS;
	const char *file = arena_printf(arena, "%s%s", name, suffix), *prefix;

	*out = (struct data_paths){ .count = 0 };
	if (!*name || *name == '.' || strchr(name, '/'))
		return;
	if (is_absolute(of->data_home))
		add_data_path(out, arena_printf(arena, "%s/drvabi/%s", of->data_home, file));
	else if (is_absolute(of->home))
		add_data_path(out, arena_printf(arena, "%s/.local/share/drvabi/%s", of->home, file));
	if (is_absolute(of->program)) {
		prefix = parent_directory(parent_directory(of->program, arena), arena);
		add_data_path(out, arena_printf(arena, "%s/share/drvabi/%s", prefix, file));
		add_data_path(out, arena_printf(arena, "%s/data/%s", prefix, file));
	}
	while (*dirs) {
		size_t length = strcspn(dirs, ":");

		if (*dirs == '/')
			add_data_path(out, arena_printf(arena, "%.*s/drvabi/%s", (int)length, dirs, file));
		dirs += length + (dirs[length] == ':');
	}
}
