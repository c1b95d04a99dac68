#include "cli/against.h"

#include "report/report.h"

#include <stdlib.h>
#include <string.h>

int against_render(struct strbuf *out, bool *is_other, const struct decode_seen *seen, const struct decode_scope *scope, const char *format,
		   const struct report_style *style, struct err *err)
{
	struct decode_against against;
	struct arena arena = { 0 };
	size_t count;
	struct decode_seen_ioctl *list = decode_seen_list(&count, seen);
	int rc;

	if (!(rc = decode_against(&against, list, count, scope->asked, scope->against, scope->pointers, &arena, err))) {
		against.left_out = decode_seen_left_out(seen);
		*is_other = against.by_fate[DECODE_CHANGED] || against.by_fate[DECODE_GONE];
		if (!strcmp(format, "json"))
			report_against_json(out, &against);
		else if (!strcmp(format, "markdown"))
			report_against_markdown(out, &against);
		else
			report_against_text(out, &against, style);
	}
	free(list);
	arena_release(&arena);
	return rc;
}
