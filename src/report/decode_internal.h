/*
 * report/decode_internal.h - what the reports of a call and of a summary share
 *
 * Internal to report/.
 */
#ifndef REPORT_DECODE_INTERNAL_H
#define REPORT_DECODE_INTERNAL_H

#include "report/decode.h"
#include "report/wrap.h"

/* A text that is being written. */
struct decode_text {
	struct strbuf *out;
	const struct report_style *style;
	size_t indent; /* of a field */
	struct wrap line;
};

/* report_decode_fields_text - a line for each field, fold and padding. */
void report_decode_fields_text(struct decode_text *text, const struct decode_fields *fields);

/* decode_text_label - "  versions    515.43.04..590.48.01": a label, and words behind it. */
void decode_text_label(struct decode_text *text, const char *label, enum report_ink ink, const char *words);

/* decode_text_title - the first line, which stays open. */
void decode_text_title(struct decode_text *text, const struct decode_ioctl *ioctl, bool is_envelope);
void decode_text_parameters(struct decode_text *text, const struct decode_ioctl *ioctl);
void decode_text_versions(struct decode_text *text, const struct decode_ioctl *ioctl);
void decode_text_proxy(struct decode_text *text, const struct decode_call *call);

/* report_decode_proxy_words - "forwarded, read, under compute (node 590.48.01)"; not escaped. */
void report_decode_proxy_words(struct strbuf *words, const struct forwarded *forwarded);

/* decode_markdown_names - "`CMD_A` or `CMD_B`"; "?" if no version has the number. */
void decode_markdown_names(struct strbuf *out, const struct decode_ioctl *ioctl);

#endif
