#include "sniff/driver_version.h"

#include <string.h>

enum { FILE_BYTES = 64 * 1024 };

bool driver_version_find(const char **out, const char *text, struct arena *arena)
{
	const char *at = text;

	while (*at && *at != '\n') {
		const size_t blank = strspn(at, " \t"), length = strcspn(at + blank, " \t\n"), digits = strspn(at + blank, "0123456789.");

		at += blank;
		if (digits && digits == length && memchr(at, '.', length) && *at != '.') {
			*out = arena_strndup(arena, at, length);
			return true;
		}
		at += length;
	}
	return false;
}

int driver_version_read(const char **out, struct arena *arena, struct err *err)
{
	struct strbuf text = { 0 };
	int rc = file_read(&text, DRIVER_VERSION_FILE, FILE_BYTES, err);

	if (rc)
		rc = err_set(err, ERR_NOT_FOUND, "the driver's version is not known: there is no %s; name it with --version", DRIVER_VERSION_FILE);
	else if (!driver_version_find(out, strbuf_text(&text), arena))
		rc = err_set(err, ERR_FORMAT, "%s names no version; name it with --version", DRIVER_VERSION_FILE);
	strbuf_release(&text);
	return rc;
}
