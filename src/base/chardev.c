#include "base/chardev.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* A line of /proc/devices, "195 nvidia", byte by byte; a name that is too long is cut. */
struct line {
	unsigned number;
	bool has_number;
	size_t length;
	char name[CHARDEV_NAME_MAX];
};

/* Return: true when @line is whole. */
static bool take_byte(struct line *line, char ch)
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

/* Character devices come first; "Block devices:" begins the others. */
void chardev_driver(char out[CHARDEV_NAME_MAX], dev_t number)
{
	const int fd = open("/proc/devices", O_RDONLY | O_CLOEXEC);
	struct line line = { .number = 0 };
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
			is_done |= !line.has_number && !strncmp(line.name, "Block", strlen("Block"));
			line = (struct line){ .number = 0 };
		}
	}
	if (fd >= 0)
		close(fd);
}

void chardev_module(char out[CHARDEV_NAME_MAX], dev_t number)
{
	char link[96], target[256];
	const char *name;
	ssize_t length;

	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device/driver/module", major(number), minor(number));
	length = readlink(link, target, sizeof(target) - 1);
	target[length < 0 ? 0 : length] = '\0';
	name = strrchr(target, '/');
	snprintf(out, CHARDEV_NAME_MAX, "%s", name ? name + 1 : "");
}
