/*
 * report/decode_fields.h - the fields of some bytes, as text
 *
 * Internal to report/.
 */
#ifndef REPORT_DECODE_FIELDS_H
#define REPORT_DECODE_FIELDS_H

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

#endif
