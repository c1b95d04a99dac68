/*
 * report/internal.h - what the renderers share
 *
 * Colours and line breaks of text, findings as words, and the parts of one result that several formats name
 * alike.
 */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include "report/report.h"

/* --- text for a terminal ------------------------------------------------------------ */

enum report_ink {
	INK_NONE,
	INK_HEAD,
	INK_NAME,
	INK_ADDED,
	INK_REMOVED,
	INK_CHANGED,
	INK_DIM,
	INK_ALARM,
	INK_LAYOUT
};

/* report_ink - in a colour, if the style has colours; here and in report_textf() the text of %s is escaped */
void report_ink(struct strbuf *out, const struct report_style *style, enum report_ink ink, const char *format,
		...) __attribute__((format(printf, 4, 5)));
void report_textf(struct strbuf *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* report_resized - "72 -> 88 bytes", or "72 bytes" if both are the same; @arrow and @word: "->" and "byte" */
void report_resized(struct strbuf *out, uint64_t before, uint64_t after, const char *arrow, const char *word);

/*
 * report_bits - an offset or size in bytes, "12" or "12:3" (byte and bit) if it is not a whole number of
 * bytes. Return: @buffer.
 */
const char *report_bits(uint64_t bits, bool is_bitfield, char buffer[32]);

/* report_classes - "translation, growth" */
void report_classes(struct strbuf *out, unsigned classes);

/* report_unit - the word for a kind in headings: "struct", "union", "alias", "enum", "constant", "ioctl". */
const char *report_unit(const struct diff_change *change);

/* report_field_note - the change of a field that both versions have: "moved from 8, was NvU32". */
void report_field_note(struct strbuf *out, const struct diff_field *field);

/*
 * report_field_run - how many fields from @field on moved by the same distance and did nothing else
 *
 * Return: at least 1.
 */
size_t report_field_run(const struct diff_field *field, size_t count);

/*
 * Lines of words for a terminal, broken where it reads well.
 *
 * A word is what must not be broken: a name, a type, a number with its unit: a terminal that breaks it leaves
 * nothing to copy. One that does not fit starts the next line, indented; one that is too long to fit after
 * the indent starts further left, and one longer than a line is alone in it.
 */
struct wrap {
	struct strbuf *out;
	const struct report_style *style;
	size_t indent;  /* of every line but the first */
	size_t column;  /* characters in this line */
	bool is_open;   /* something but spaces is in it, so that the next word may start another line */
	char mark;      /* that a NAME or an ALERT began with, and that has not ended yet; 0: none */
};

/* wrap_begin - @first spaces; lines that follow get @indent. wrap_continue - after what the last line has */
void wrap_begin(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t first,
		size_t indent);
void wrap_continue(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t indent);
void wrap_end(struct wrap *wrap);

/* wrap_word - one word, after @spaces spaces unless a line begins with it; the text of every %s is escaped */
void wrap_word(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* wrap_label - before the first word, which stays in its line; @label: the program's own text */
void wrap_label(struct wrap *wrap, enum report_ink ink, const char *label);

/*
 * wrap_text - the words of a sentence, the first one after @spaces spaces; @text is not escaped yet
 * wrap_marked - the same of words that are escaped and may hold the marks of NAME and ALERT
 * wrap_phrases - broken only after ", ": "4 translation, 64 layout"
 * wrap_clauses - as wrap_phrases(), and not broken at all if it fits into the next line
 */
void wrap_text(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text);
void wrap_marked(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *words);
void wrap_phrases(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text);
void wrap_clauses(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text);

/* wrap_paragraph - the words of a sentence in lines of their own; wrap_rest - after what the last line has */
void wrap_paragraph(struct strbuf *out, const struct report_style *style, size_t first, size_t indent,
		    enum report_ink ink, const char *text);
void wrap_rest(struct strbuf *out, const struct report_style *style, size_t indent, const char *text);

/* wrap_need - break here, unless @width characters have room; for words that belong together */
void wrap_need(struct wrap *wrap, size_t width);

/* wrap_to - how many spaces lead to @column; two at least. wrap_pad - adds them; none if it is past it */
size_t wrap_to(const struct wrap *wrap, size_t column);
void wrap_pad(struct wrap *wrap, size_t column);

/* wrap_columns - how wide a line may be */
size_t wrap_columns(const struct report_style *style);

/*
 * A sheet is a report in the making, rendered block by block as text for a terminal or as Markdown.
 *
 * Every function that takes a format escapes the text of each %s, for the terminal and for Markdown. NAME in
 * a format is a %s that names something of the driver or of the proxy: bold in text, code in Markdown. ALERT
 * is one that must not be overlooked.
 */
#define MARK_NAME "\016"
#define MARK_ALERT "\020"
#define MARK_END "\017"
#define MARKS MARK_NAME MARK_ALERT MARK_END
#define NAME MARK_NAME "%s" MARK_END
#define ALERT MARK_ALERT "%s" MARK_END

enum { SHEET_COLUMNS = 11 };

/* A column of a table. In text, cells below a row are one paragraph: "before cell after; ...". */
struct sheet_column {
	const char *title; /* NULL after the last column */
	size_t width;      /* in text; the last cell beside others needs none */
	bool is_number;    /* aligned right; in text, the table then has a head */
	bool is_below;
	const char *before, *after; /* in text, around a cell below; NULL: nothing */
};

struct sheet {
	struct strbuf *out;
	const struct report_style *style;
	size_t start;         /* of the report in @out */
	size_t limit_bytes;   /* of @out, with the next row of a table; 0: none. Only for Markdown */
	enum sheet_block {
		SHEET_NONE,
		SHEET_HEADING,
		SHEET_PARAGRAPH,
		SHEET_ITEMS,
		SHEET_TABLE,
		SHEET_CODE
	} block;
	size_t indent;        /* of a paragraph in text; 0 before the first heading */
	const struct sheet_column *columns; /* of the current table */
	struct strbuf words;  /* the current sentence */
};

void sheet_init(struct sheet *sheet, struct strbuf *out, const struct report_style *style);
void sheet_release(struct sheet *sheet);

/* sheet_is_brief - does the style leave out the rest of long lists? Markdown lists all that fits. */
bool sheet_is_brief(const struct sheet *sheet);

void sheet_title(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sheet_heading(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum sheet_weight { SHEET_PLAIN, SHEET_STRONG };
void sheet_paragraph(struct sheet *sheet, enum sheet_weight weight, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* sheet_item - of a list; a task has a box to tick in Markdown */
enum sheet_item { SHEET_ITEM, SHEET_TASK, SHEET_SUBITEM };
void sheet_item(struct sheet *sheet, enum sheet_item kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* sheet_table - begins a table; @columns must live until its last row */
void sheet_table(struct sheet *sheet, const struct sheet_column *columns);

/*
 * sheet_row - a row of the table: its cells, separated by "\t" in @format; sheet_add_row - one that
 * report_textf() wrote. Return: whether it fitted.
 */
bool sheet_row(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool sheet_add_row(struct sheet *sheet, const char *row);

/* sheet_code - lines that are to be copied: begin, line and end. @language: for the fence of Markdown */
void sheet_code(struct sheet *sheet, const char *language);
void sheet_code_line(struct sheet *sheet, enum report_ink ink, const char *text);
void sheet_code_end(struct sheet *sheet);

/* sheet_details - a section that Markdown folds away; in text, it is like any other */
void sheet_details(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sheet_details_end(struct sheet *sheet);

/*
 * Findings of several versions, grouped by entry for verify and ranges: each is listed once, with its
 * versions. findings.c explains how findings become lines and blocks.
 */

/* A finding at one version. */
struct finding_at {
	const struct verify_finding *finding;
	size_t version; /* a number of the caller's, the higher the newer */
};

/* One sentence about an entry. */
struct finding_line {
	const struct verify_finding *first;
	const char *message;    /* names that differ in braces: "samples[].{fb,gr}.pid (NvU32 at 8, 72) ..."
				   */
	size_t finding_count;   /* findings that it reports, at one version */
	const size_t *versions; /* ascending */
	size_t version_count;
};

/* Entries with the same lines. */
struct finding_block {
	const char *family;
	const char *const *entries; /* sorted */
	size_t entry_count;
	const struct finding_line *lines;
	size_t line_count;
};

struct finding_blocks {
	const struct finding_block *block; /* by family and first entry */
	size_t count;
	size_t entry_count; /* in all blocks */
};

/**
 * findings_group - from findings to blocks
 * @items:  @count of them; they are sorted
 * @fold:   join what differs in a name only; else each finding has a line, and each entry a block
 * @arena:  owns @out; the findings must outlive it
 */
void findings_group(struct finding_blocks *out, struct finding_at *items, size_t count, bool fold,
		    struct arena *arena);

/**
 * findings_runs - "1.0, 2.0..2.4" of versions by their numbers
 * @names: by number
 *
 * Three versions or more with no other between them are a run. Not escaped.
 */
void findings_runs(struct strbuf *out, const char *const *names, const size_t *versions, size_t count);

/* --- one change, as the reports of a diff and of a history show it --------------------- */

/* "privileged -> non-privileged", "+right nice -internal-only"; nothing if @change is not of the class */
void report_access_words(struct strbuf *out, const struct diff_change *change);
/* "+cacheable -no-gpus-lock", likewise */
void report_flags_words(struct strbuf *out, const struct diff_change *change);
/* a line for each of these, "access: …", and for another argument or way to know the number */
void report_flags_text(struct strbuf *out, const struct diff_change *change,
		       const struct report_style *style);

/*
 * report_only_flags - a change that reports fold: of flags that decide nothing about who may call, and
 * nothing else
 *
 * That the driver now follows pointers in the parameters, or no longer does, is reported each time.
 */
bool report_only_flags(const struct diff_change *change);

/*
 * report_flags_fold - a line that says how many of such changes are not listed; nothing for 0
 * @what: "forwarded ioctl", in the singular
 * @hint: ends the line: " (-v lists them)"
 */
void report_flags_fold(struct strbuf *out, size_t count, const char *what, const char *hint);

/*
 * report_renamed_with_words - one of the changes that are reported under a renamed ioctl, each fact of it
 * begun by @separator: "; instrumentationType renamed from covType"; report_renamed_with_text - as lines
 */
void report_renamed_with_words(struct strbuf *out, const struct diff_change *one, const char *separator);
void report_renamed_with_text(struct strbuf *out, const struct diff_change *one,
			      const struct report_style *style);

/*
 * report_former_owner - the present number of the ioctl that had the number of @change before: "(now
 * 0x20801359)", "(removed)". A removed ioctl does not say which one has its number now; that one does.
 */
void report_former_owner(struct strbuf *out, const struct diff_change *change);

/**
 * report_former_number - what number_was is about: "the number", or "nr 0x20" where the driver looks at no
 * more of it
 *
 * Return: @buffer, or a constant.
 */
const char *report_former_number(const struct diff_change *change, char buffer[16]);

/* report_is_one_line - is it one line of text and a row of Markdown, with nothing below? */
bool report_is_one_line(const struct diff_change *change);

/* report_diff_markdown - what report_diff() calls */
void report_diff_markdown(struct strbuf *out, const struct diff_report *report);

/* report_change_words - in a few words, without the name: "360 -> 368 bytes: +tpcConfigID, ~flags" */
void report_change_words(struct strbuf *out, const struct diff_change *change);
/* report_change_text - a line, or a paragraph that ends with an empty line */
void report_change_text(struct strbuf *out, const struct diff_change *change,
			const struct report_style *style);
/* report_change_lines - of a record or an enum: what follows its first line, with an indent of 4 */
void report_change_lines(struct strbuf *out, const struct diff_change *change,
			 const struct report_style *style);

/*
 * With a table: "595.45.04 can use the node of 590.48.01: …", a sentence without a full stop, not escaped.
 * The findings that the node of next's parent would have, as a sentence; nothing if there are none. Both, for
 * a terminal, with an empty line.
 */
void report_verdict(struct strbuf *out, const struct diff_report *report);
void report_verdict_proof(struct strbuf *out, const struct diff_report *report);
void report_verdict_text(struct strbuf *out, const struct diff_report *report,
			 const struct report_style *style);

/* report_section_title - with a table: "What @proxy reads, …: 4 changes"; not escaped. */
void report_section_title(struct strbuf *out, const struct diff *diff, enum diff_section section,
			  const char *proxy);
/* report_new_roles - the pointers, fds and pids that were added: "pointer data.p, fd f"; not escaped. */
void report_new_roles(struct strbuf *out, const struct diff_change *change);
/* report_came_text - the same as a line, if there are any. */
void report_came_text(struct strbuf *out, const struct diff_change *change, const struct report_style *style);
/* report_enum_type - of an enum that is stored as another type: "unsigned int -> int"; not escaped. */
void report_enum_type(struct strbuf *out, const struct diff_change *change, const char *arrow);
/* report_size - of a record: "56 -> 64 bytes, align 4 -> 8"; report_sizes - also ", added" or ", removed" */
void report_size(struct strbuf *out, const struct diff_change *change, const char *arrow);
void report_sizes(struct strbuf *out, const struct diff_change *change, const char *arrow);
/* report_under_text - a line for each record that is reported under @change. */
void report_under_text(struct strbuf *out, const struct diff_change *change,
		       const struct report_style *style);

/* --- what the reports of a call and of a summary share ------------------------------- */

struct decode_text {
	struct strbuf *out;
	const struct report_style *style;
	size_t indent; /* of a field */
	struct wrap line;
};

/* decode_text_label - "  versions    515.43.04..590.48.01": a label, and words after it. */
void decode_text_label(struct decode_text *text, const char *label, enum report_ink ink, const char *words);

/* decode_text_title - the first line, which stays open. */
void decode_text_title(struct decode_text *text, const struct decode_ioctl *ioctl, bool is_envelope);
void decode_text_parameters(struct decode_text *text, const struct decode_ioctl *ioctl);
void decode_text_versions(struct decode_text *text, const struct decode_ioctl *ioctl);
void decode_text_proxy(struct decode_text *text, const struct decode_call *call);

/* report_decode_proxy_words - "forwarded, read, under compute (node 590.48.01)"; not escaped. */
void report_decode_proxy_words(struct strbuf *words, const struct forwarded *forwarded);

/* --- a history ------------------------------------------------------------------------ */

const struct history_edge *history_edge_of(const struct history *history, const struct history_event *event,
					   size_t index);
const char *history_version_name(const struct history *history, size_t version);

/* history_step_count - of the graph, those that lead to a version that is asked for. */
size_t history_step_count(const struct history *history);

/* --- verify: a renderer for each format, and the summaries that they share ------------- */

void report_verify_junit(struct strbuf *out, const struct verify_report *report);
void report_verify_json(struct strbuf *out, const struct verify_report *report);
void report_verify_sarif(struct strbuf *out, const struct verify_report *report);
void report_verify_github(struct strbuf *out, const struct verify_report *report);
/*
 * report_suppressions - the lines of the suppression file that are to be reviewed, after an empty line;
 * nothing if there are none
 * @room: bytes for their rows in Markdown; SIZE_MAX: all of them
 */
void report_suppressions(struct strbuf *out, const struct suppressions *suppressions,
			 const struct report_style *style, size_t room);

/* report_warned - Markdown: how many warnings extraction gave; nothing if there are none */
void report_warned(struct strbuf *out, const struct abi *abi);

/* verify_count - how many versions have @status. */
size_t verify_count(const struct verify_report *report, enum verify_status status);

/* All that was found, by entry. */
struct verify_groups {
	const size_t *versions;     /* that were compared, oldest first: numbers in the report. Lines name
				       versions by their numbers here */
	const char *const *names;   /* of these */
	size_t version_count;
	struct finding_blocks findings;
	struct finding_blocks unseen; /* what could not be checked */
};

/*
 * verify_group - what is left after suppression; @fold: see findings_group(); @unavailable: also of versions
 * that could not be compared
 */
void verify_group(struct verify_groups *out, const struct verify_report *report, bool fold, bool unavailable,
		  struct arena *arena);

/* verify_status_name - "pass", "fail", "unavailable". */
const char *verify_status_name(enum verify_status status);

/* verify_unseen_entries - how many entries have something unseen, in any version. */
size_t verify_unseen_entries(const struct verify_report *report);

/* verify_why_unavailable - "not in the repository; to check it, fetch …" */
void verify_why_unavailable(struct strbuf *out, const struct verify_version *version);

/* verify_state - "expired", "untried", "unused", "unexplained" or "used". */
const char *verify_state(const struct suppression *line);

/*
 * verify_is_settled - was the line used or untried, with a reason, and not expired? Reports list only the
 * other lines.
 */
bool verify_is_settled(const struct suppression *line);

/* --- JSON ----------------------------------------------------------------------------- */

/* The fields of each format in JSON, of the struct that its report_*_json() takes. */
extern const struct json_struct report_bootstrap_fields, report_diff_fields, report_history_fields,
	report_verify_fields, report_surface_fields, report_pids_fields, report_ranges_fields,
	report_blame_fields, report_show_fields, report_against_fields, report_call_fields,
	report_event_fields, report_version_map_fields;

/*
 * Fields of a struct @type where they are used: what one format has at one place is listed there, so that its
 * list has the form of the document. JSON_LINE is written on one line.
 */
#define JSON_STRUCT(type, ...) \
	(&(const struct json_struct){ .size = sizeof(struct type), .field = { __VA_ARGS__ } })
#define JSON_LINE(type, ...) \
	(&(const struct json_struct){ .is_inline = true, .size = sizeof(struct type), \
				      .field = { __VA_ARGS__ } })

/* report_write_json - @object as the value of a text, for a person to read; @context: the writer's */
void report_write_json(struct strbuf *out, const void *object, const struct json_struct *of,
		       const void *context);

/* report_open - the key, and what begins its value: report_open(writer, "runs", json_open_array) */
void report_open(struct json_writer *writer, const char *key, void (*open)(struct json_writer *));

/* Members that several formats have: of a struct diff_change, abi_ioctl, suppressions, table_view and so on.
 */
extern const struct json_struct report_change_name_fields, report_change_flag_fields,
	report_change_list_fields, report_ioctl_call_fields, report_suppression_fields, report_view_fields,
	report_described_fields, report_document_fields, report_entry_caps_fields, report_finding_fields,
	report_finding_place_fields;

/* report_write_classes - for .write, the names of the classes at the field's place, an unsigned */
void report_write_classes(struct json_writer *writer, const struct json_field *field, const void *object);

/* report_write_ioc - for .write, the member "ioc" of a struct abi_ioctl; nothing if its number is plain */
void report_write_ioc(struct json_writer *writer, const struct json_field *field, const void *object);

/*
 * report_write_side - for .write, the item of a change before or after it, as the key says. field->of: the
 * members of an ioctl; NULL: it is its number, as a constant is. Nothing if it is not there.
 */
void report_write_side(struct json_writer *writer, const struct json_field *field, const void *object);

/* report_fit_name - "fits", "other", "needs-new-node", "older" */
const char *report_fit_name(enum ranges_fit fit);

/* report_write_true - for .write, a key that is true or left out */
void report_write_true(struct json_writer *writer, const struct json_field *field, const void *object);

/* Versions by index, of the graph that is the writer's context, as a list of their names. */
void report_write_versions(struct json_writer *writer, const struct json_field *field, const void *object);

#endif
