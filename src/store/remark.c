#include "store/stores.h"

#include <stdarg.h>
#include <stdio.h>

void store_say(const struct store_options *options, enum store_remark kind, const char *format, ...)
{
	struct err sentence; /* one line, whatever an input put into a name */
	char text[sizeof(sentence.text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	err_set(&sentence, 0, "%s", text);
	if (options->remark)
		options->remark(options->data, kind, sentence.text);
}
