#include "base/processes.h"

#include "base/base.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const formats[] = { [PROCESSES_OF_PARENT] = "PPid: %d", [PROCESSES_OF_TRACER] = "TracerPid: %d" };

pid_t processes_number(enum processes_of whose, pid_t pid)
{
	char name[64], line[128];
	int number = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, formats[whose], &number) == 1)
			break;
	if (file)
		fclose(file);
	return number;
}

/* /proc may be another pid namespace's, whose numbers belong to others here. */
static bool has_own_numbers(void)
{
	char self[32];
	const ssize_t length = readlink("/proc/self", self, sizeof(self) - 1);

	self[length < 0 ? 0 : length] = '\0';
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
