/*
 * report/show.h - what names and numbers are, as drvabi show prints it
 *
 * Part of the room's public face. Text and JSON ("drvabi-show/1") have the same content.
 */
#ifndef REPORT_SHOW_H
#define REPORT_SHOW_H

#include "history/history.h"
#include "report/report.h"

#define SHOW_FORMAT "drvabi-show/1"

/* One item that a word names. */
struct show_item {
	const struct lookup_item *item;
	const struct abi_record *record;   /* of an ioctl, its parameters; NULL if there is nothing to draw */
	const struct abi_layout *layout;   /* of @record */
	const struct diff_reach *users;    /* the ioctls that carry @record */
	size_t user_count;
	const struct lookup_parse *parse;  /* of the number of an ioctl or command; NULL: of no such family */
	const struct forwarded *forwarded; /* of an ioctl or command; NULL without a table */
};

struct show_word {
	const struct lookup_word *word;
	const struct abi *abi;         /* what the items are of: if not the report's, the nearest version that has them */
	const struct lookup *lookup;
	const struct show_item *items; /* one for each of the lookup's */
};

struct show_report {
	const struct abi *abi;             /* of the version that was asked for */
	const struct history_graph *graph; /* the versions beside it; may have none */
	const struct show_word *words;
	size_t count;
};

void report_show_text(struct strbuf *out, const struct show_report *report, const struct report_style *style);
void report_show_json(struct strbuf *out, const struct show_report *report);
/**
 * report_show_c - as declarations of C, with offsets in comments
 * @expand: what they need stands before them, each type once, so that a compiler takes them as they are
 *
 * Return: 0; for a document written by hand, what no declaration of C can say.
 */
int report_show_c(struct strbuf *out, const struct show_report *report, bool expand, struct err *err);

/* Lines of show about an ioctl, for other reports. */

/* report_described_text - the lines of an ioctl: what it is, since when, and what a proxy does with it. */
void report_described_text(struct strbuf *out, const struct history_graph *graph, const struct show_item *item, const struct report_style *style);

/* report_elsewhere_text - "0x20803065: no ioctl or command of 595.45.04; this is 580.105.08, the nearest version that has it" */
void report_elsewhere_text(struct strbuf *out, const struct lookup_word *word, const char *asked, const char *nearest,
			   const struct report_style *style);

/* report_span_words - "since 560.28.03; no more at 590.44.01; in 57 of 193 versions", of those that are known. */
void report_span_words(struct strbuf *out, const struct history_graph *graph, const struct history_span *span);

/* report_forwarded_words - "read, as NVOS21_PARAMETERS; compute, utility; at 580.105.08 (since 535.104.05)". */
void report_forwarded_words(struct strbuf *out, const struct forwarded *forwarded);

/* report_parse_words - "class 0x2080 NV20_SUBDEVICE_0, interface 0x13 FB, method 0x99"; nothing if @parse has no bits. */
void report_parse_words(struct strbuf *out, const struct lookup_parse *parse);

struct json_writer;

/* report_described_json - the same, without the record. */
void report_described_json(struct json_writer *writer, const struct history_graph *graph, const struct show_item *item);

/* The same as members of the object that is open. @span, @forwarded: NULL writes nothing. */
void report_span_json(struct json_writer *writer, const struct history_graph *graph, const struct history_span *span);
void report_forwarded_json(struct json_writer *writer, const struct forwarded *forwarded);

#endif
