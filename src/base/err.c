#include "base/err.h"

#include "base/escape.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One sentence is one line of text: what came from an input may hold anything, and is spelled out. */
static void err_spell_out(struct err *err)
{
	struct strbuf line = { 0 };

	escape_terminal(&line, err->text);
	snprintf(err->text, sizeof(err->text), "%s", strbuf_text(&line));
	strbuf_release(&line);
}

int err_set(struct err *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	err_spell_out(err);
	return code;
}

void err_prefix(struct err *err, const char *format, ...)
{
	char old[sizeof(err->text)];
	va_list args;
	size_t used;

	if (!err)
		return;
	memcpy(old, err->text, sizeof(old));
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", old);
	err_spell_out(err);
}
