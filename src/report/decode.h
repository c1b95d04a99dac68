/*
 * report/decode.h - a call, named field by field
 *
 * Layer L5.
 */
#ifndef REPORT_DECODE_H
#define REPORT_DECODE_H

#include "decode/decode.h"
#include "report/report.h"

/* report_decode_text - a block: what the call is, its fields, then the envelopes that it came in. */
void report_decode_text(struct strbuf *out, const struct decode_call *call, const struct report_style *style);

/* report_decode_json - one object on one line, with a newline. */
void report_decode_json(struct strbuf *out, const struct decode_call *call);

/* What decode --against says: the verdict, a diff of just these ioctls, and what was not compared. JSON: "drvabi-against/1". */
void report_against_text(struct strbuf *out, const struct decode_against *against, const struct report_style *style);
void report_against_markdown(struct strbuf *out, const struct decode_against *against);
void report_against_json(struct strbuf *out, const struct decode_against *against);

/* report_decode_markdown - a call for an issue or a pull request: what it is, and its fields as a table. */
void report_decode_markdown(struct strbuf *out, const struct decode_call *call);

/* report_decode_summary_markdown - the distinct ioctls as a table. */
void report_decode_summary_markdown(struct strbuf *out, const struct decode_summary *summary);

/* What a trace holds besides ioctls: an open, or a shared mapping, of a device. */
struct report_trace_event {
	bool is_map;
	const char *path;
	int64_t fd;
	int64_t ret;
	uint64_t open_flags;
	uint64_t address, size_bytes, protection, map_flags, offset;
};

void report_trace_event_text(struct strbuf *out, const struct report_trace_event *event, const struct report_style *style);
/* report_trace_event_json - one object on one line; its "kind", "open" or "mmap", tells it from a call. */
void report_trace_event_json(struct strbuf *out, const struct report_trace_event *event);

/* report_decode_summary - one line or more for each distinct ioctl. */
void report_decode_summary(struct strbuf *out, const struct decode_summary *summary, const struct report_style *style);

#endif
