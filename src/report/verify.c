/* report/verify.c - the renderer of each format */
#include "report/verify_internal.h"

void report_verify(struct strbuf *out, const struct verify_report *report, enum verify_format format,
		   const struct report_style *style)
{
	switch (format) {
	case VERIFY_TEXT: report_verify_text(out, report, style); return;
	case VERIFY_JSON: report_verify_json(out, report); return;
	case VERIFY_MARKDOWN: report_verify_markdown(out, report); return;
	case VERIFY_JUNIT: report_verify_junit(out, report); return;
	case VERIFY_SARIF: report_verify_sarif(out, report); return;
	}
}
