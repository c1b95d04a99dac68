/*
 * The suppression file of verify --write-suppress: above each line, the
 * findings that it covers, as comments.
 */
#include "report/style.h"
#include "report/verify.h"

static void comment(struct strbuf *out, const struct verify_finding *finding)
{
	report_textf(out, "# %s%s %s: %s\n", finding->unseen ? "not checked: " : "", finding->family, finding->entry, finding->message);
}

/* The words of a line are printable ASCII (accept.h). Escaping would change what they match. */
static void line(struct strbuf *out, const struct acceptance *accepted)
{
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < accepted->finding_count; i++)
		comment(out, accepted->findings[i]);
	strbuf_addf(out, "%s  %s  %s  %s  ", accepted->rule, accepted->entry, accepted->versions, accepted->expires);
	escape_terminal(out, accepted->reason);
	strbuf_addch(out, '\n');
}

void report_acceptances(struct strbuf *out, const struct table *table, const struct acceptances *accepted)
{
	strbuf_adds(out, "# Findings of drvabi verify that are accepted: RULE ENTRY VERSIONS EXPIRES REASON\n");
	report_textf(out, "# Found in %s (%s). To write this file again, with its reasons:\n", table->proxy, table->revision);
	strbuf_adds(out, "# drvabi verify --table TABLE --all-nodes --suppress FILE --write-suppress FILE\n");
	for (size_t i = 0; i < accepted->count; i++)
		line(out, &accepted->item[i]);
}
