#include "report/bootstrap.h"

void report_bootstrap_text(struct strbuf *out, const struct bootstrap *bootstrap, const struct report_style *style)
{
	(void)style;
	report_bootstrap_json(out, bootstrap);
}

void report_bootstrap_markdown(struct strbuf *out, const struct bootstrap *bootstrap)
{
	report_bootstrap_json(out, bootstrap);
}
