/* A call for an issue or a pull request: what it is as a heading, the block of text as an indented block. */
#include "report/decode_internal.h"

#include <string.h>

void decode_markdown_names(struct strbuf *out, const struct decode_ioctl *ioctl)
{
	for (size_t i = 0; i < ioctl->name_count; i++) {
		strbuf_adds(out, i ? " or " : "");
		escape_markdown_code(out, ioctl->names[i].name);
	}
	if (!ioctl->name_count)
		strbuf_adds(out, "?");
}

void report_decode_markdown(struct strbuf *out, const struct decode_call *call)
{
	const struct report_style plain = { .columns = 0 };
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	struct strbuf block = { 0 };

	report_decode_text(&block, call, &plain);
	strbuf_adds(out, "### ");
	if (last->name)
		decode_markdown_names(out, last);
	else
		strbuf_addf(out, "%s 0x%llx", last->family, (unsigned long long)last->number);
	strbuf_adds(out, "\n\n");
	for (const char *line = strbuf_text(&block); *line;) {
		const char *end = strchr(line, '\n');
		const size_t length = end ? (size_t)(end - line) : strlen(line);

		strbuf_adds(out, "    "); /* an indented block has no end that a name could be */
		strbuf_add(out, line, length);
		strbuf_adds(out, "\n");
		line += length + (end != NULL);
	}
	strbuf_release(&block);
}
