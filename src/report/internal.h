/*
 * report/internal.h - functions that several renderers share
 *
 * They add colours and line breaks to text, turn findings into sentences, and write the parts of a result
 * that have the same words in several formats.
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

/* report_ink - append text, coloured if the style has colours; this and report_textf() escape each %s */
void report_ink(struct strbuf *out, const struct report_style *style, enum report_ink ink, const char *format,
		...) __attribute__((format(printf, 4, 5)));
void report_textf(struct strbuf *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* report_resized - append "72 -> 88 bytes", or "72 bytes" if equal. @arrow: "->"; @word: "byte" */
void report_resized(struct strbuf *out, uint64_t before, uint64_t after, const char *arrow, const char *word);

/*
 * report_bits - format an offset or size as "12" bytes, or as "12:3" (byte and bit) if it is not a whole
 * number of bytes. Return: @buffer.
 */
const char *report_bits(uint64_t bits, bool is_bitfield, char buffer[32]);

/* report_classes - append "translation, growth" */
void report_classes(struct strbuf *out, unsigned classes);

/* report_unit - the kind in headings: return "struct", "union", "alias", "enum", "constant", "ioctl". */
const char *report_unit(const struct diff_change *change);

/* report_field_note - describe the change of a field that both versions have: "moved from 8, was NvU32". */
void report_field_note(struct strbuf *out, const struct diff_field *field);

/*
 * report_field_run - count the fields, from @field on, that only moved, all by the same distance
 *
 * Return: at least 1.
 */
size_t report_field_run(const struct diff_field *field, size_t count);

/*
 * Lines of words for a terminal, broken only between words.
 *
 * A word is a name, a type, or a number with its unit. A broken name could not be copied from the terminal.
 * A word that does not fit starts the next line, indented. A word that is too long to fit after the indent
 * starts further left. A word longer than a line has a line of its own.
 */
struct wrap {
	struct strbuf *out;
	const struct report_style *style;
	size_t indent;  /* of every line except the first */
	size_t column;  /* characters in this line */
	bool is_open;   /* the line has a word, so that the next word may start a new line */
	char mark;      /* first byte of the NAME or ALERT that is still open; 0: none */
};

/* wrap_begin - start a line with @first spaces, the next ones with @indent. wrap_continue - extend a line */
void wrap_begin(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t first,
		size_t indent);
void wrap_continue(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t indent);
void wrap_end(struct wrap *wrap);

/* wrap_word - append a word, after @spaces spaces unless it begins a line; each %s is escaped */
void wrap_word(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* wrap_label - append a label; the first word stays on its line. @label: is not escaped */
void wrap_label(struct wrap *wrap, enum report_ink ink, const char *label);

/*
 * wrap_text - append the words of a sentence, the first after @spaces spaces; escapes @text
 * wrap_marked - the same for words that are already escaped and may contain NAME and ALERT
 * wrap_phrases - append text that is broken only after ", ": "4 translation, 64 layout"
 * wrap_clauses - the same, but moves the whole text to the next line if it fits there
 */
void wrap_text(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text);
void wrap_marked(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *words);
void wrap_phrases(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text);
void wrap_clauses(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text);

/* wrap_paragraph - write a sentence in lines of its own; wrap_rest - append a sentence to the last line */
void wrap_paragraph(struct strbuf *out, const struct report_style *style, size_t first, size_t indent,
		    enum report_ink ink, const char *text);
void wrap_rest(struct strbuf *out, const struct report_style *style, size_t indent, const char *text);

/* wrap_need - break the line here unless @width more characters fit, to keep words together */
void wrap_need(struct wrap *wrap, size_t width);

/* wrap_to - count the spaces to @column, at least two. wrap_pad - append spaces up to @column, if any */
size_t wrap_to(const struct wrap *wrap, size_t column);
void wrap_pad(struct wrap *wrap, size_t column);

/* wrap_columns - return the maximum width of a line */
size_t wrap_columns(const struct report_style *style);

/*
 * A sheet renders a report, block by block, as text for a terminal or as Markdown.
 *
 * Every function that takes a format escapes the text of each %s, for the terminal and for Markdown. NAME in
 * a format is a %s for a name of the driver or proxy: it is bold in text and code in Markdown. ALERT is a %s
 * for a warning.
 */
#define MARK_NAME "\016"
#define MARK_ALERT "\020"
#define MARK_END "\017"
#define MARKS MARK_NAME MARK_ALERT MARK_END
#define NAME MARK_NAME "%s" MARK_END
#define ALERT MARK_ALERT "%s" MARK_END

enum { SHEET_COLUMNS = 11 };

/* A column of a table. In text, the is_below cells of a row form a paragraph: "before cell after; ...". */
struct sheet_column {
	const char *title; /* NULL after the last column */
	size_t width;      /* in text; 0 for the last column in the line */
	bool is_number;    /* aligned right; a table with such a column has a head in text */
	bool is_below;
	const char *before, *after; /* in text, the words around an is_below cell; NULL: none */
};

struct sheet {
	struct strbuf *out;
	const struct report_style *style;
	size_t start;         /* offset of the report in @out */
	size_t limit_bytes;   /* rows that make @out longer are refused; 0: no limit. Only for Markdown */
	enum sheet_block {
		SHEET_NONE,
		SHEET_HEADING,
		SHEET_PARAGRAPH,
		SHEET_ITEMS,
		SHEET_TABLE,
		SHEET_CODE
	} block;
	size_t indent;        /* spaces before a paragraph in text; 0 before the first heading */
	const struct sheet_column *columns; /* the columns of the current table */
	struct strbuf words;  /* the current sentence */
};

void sheet_init(struct sheet *sheet, struct strbuf *out, const struct report_style *style);
void sheet_release(struct sheet *sheet);

/* sheet_is_brief - does the style shorten long lists? Markdown has all rows that fit. */
bool sheet_is_brief(const struct sheet *sheet);

void sheet_title(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sheet_heading(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum sheet_weight { SHEET_PLAIN, SHEET_STRONG };
void sheet_paragraph(struct sheet *sheet, enum sheet_weight weight, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* sheet_item - write an item of a list; a task has a checkbox in Markdown */
enum sheet_item { SHEET_ITEM, SHEET_TASK, SHEET_SUBITEM };
void sheet_item(struct sheet *sheet, enum sheet_item kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* sheet_table - begin a table; @columns must outlive its last row */
void sheet_table(struct sheet *sheet, const struct sheet_column *columns);

/*
 * sheet_row - append a row; its cells are separated by "\t" in @format
 * sheet_add_row - append a row that report_textf() formatted
 *
 * Return: true if the row fitted into the sheet's limit_bytes.
 */
bool sheet_row(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool sheet_add_row(struct sheet *sheet, const char *row);

/* sheet_code, _line, _end - write lines for the reader to copy. @language: of Markdown's code block */
void sheet_code(struct sheet *sheet, const char *language);
void sheet_code_line(struct sheet *sheet, enum report_ink ink, const char *text);
void sheet_code_end(struct sheet *sheet);

/* sheet_details, _end - write a section, which Markdown folds away */
void sheet_details(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sheet_details_end(struct sheet *sheet);

/*
 * The findings of several versions, grouped by entry for verify and ranges. Each finding is listed once, with
 * its versions. findings.c explains how findings become lines and blocks.
 */

/* A finding in one version. */
struct finding_at {
	const struct verify_finding *finding;
	size_t version; /* the caller's number of the version; newer versions have higher numbers */
};

/* One sentence about an entry. */
struct finding_line {
	const struct verify_finding *first;
	const char *message;    /* joined names are in braces: "samples[].{fb,gr}.pid (NvU32 at 8, 72) ..."
				   */
	size_t finding_count;   /* findings of one version that the line reports */
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
	const struct finding_block *block; /* sorted by family and first entry */
	size_t count;
	size_t entry_count; /* in all blocks */
};

/**
 * findings_group - group findings into blocks
 * @items:  @count findings; the function sorts them
 * @fold:   join findings that differ in only one name; false: one line per finding, one block per entry
 * @arena:  owns the contents of @out, which point to the findings
 */
void findings_group(struct finding_blocks *out, struct finding_at *items, size_t count, bool fold,
		    struct arena *arena);

/**
 * findings_runs - append a list of versions, such as "1.0, 2.0..2.4"
 * @names: indexed by version number
 *
 * Three or more consecutive versions are written as a range. The names are not escaped.
 */
void findings_runs(struct strbuf *out, const char *const *names, const size_t *versions, size_t count);

/* --- one change, in the reports of a diff and of a history --------------------- */

/* Appends "privileged -> non-privileged" or "+right nice -internal-only"; nothing if access is the same. */
void report_access_words(struct strbuf *out, const struct diff_change *change);
/* Appends "+cacheable -no-gpus-lock"; nothing if no other flag changed. */
void report_flags_words(struct strbuf *out, const struct diff_change *change);
/* Writes a line for each: a changed argument, changed number matching, "access: …", "flags: …". */
void report_flags_text(struct strbuf *out, const struct diff_change *change,
		       const struct report_style *style);

/*
 * report_only_flags - did only flags change that do not affect who may call? Reports fold such changes.
 *
 * A change of ABI_FLAG_EMBEDDED_POINTERS, which says that the driver follows pointers in the parameters, is
 * never folded.
 */
bool report_only_flags(const struct diff_change *change);

/*
 * report_flags_fold - write how many such changes are not listed; nothing if @count is 0
 * @what: "forwarded ioctl", in the singular
 * @hint: ends the line: " (-v lists them)"
 */
void report_flags_fold(struct strbuf *out, size_t count, const char *what, const char *hint);

/*
 * report_renamed_with_words - describe a change that is reported under a renamed ioctl, with @separator
 * before each fact: "; instrumentationType renamed from covType". report_renamed_with_text - as lines
 */
void report_renamed_with_words(struct strbuf *out, const struct diff_change *one, const char *separator);
void report_renamed_with_text(struct strbuf *out, const struct diff_change *one,
			      const struct report_style *style);

/*
 * report_former_owner - write what became of the ioctl that had this number before: "(now 0x20801359)",
 * "(removed)". This is reported for the ioctl that has the number now, not for the removed ioctl.
 */
void report_former_owner(struct strbuf *out, const struct diff_change *change);

/**
 * report_former_number - name the part that @change->number_was had: "the number", or "nr 0x20" if the driver
 * compares only the nr
 *
 * Return: @buffer, or a constant.
 */
const char *report_former_number(const struct diff_change *change, char buffer[16]);

/* report_is_one_line - is @change a line, not a paragraph, in text, and a row in Markdown? */
bool report_is_one_line(const struct diff_change *change);

/* report_diff_markdown - report_diff() for Markdown */
void report_diff_markdown(struct strbuf *out, const struct diff_report *report);

/* report_change_words - summarize @change without its name: "360 -> 368 bytes: +tpcConfigID, ~flags" */
void report_change_words(struct strbuf *out, const struct diff_change *change);
/* report_change_text - write @change as a line, or as a paragraph that ends with an empty line */
void report_change_text(struct strbuf *out, const struct diff_change *change,
			const struct report_style *style);
/* report_change_lines - write the lines of a record or enum after its first line, indented by 4 */
void report_change_lines(struct strbuf *out, const struct diff_change *change,
			 const struct report_style *style);

/*
 * For a diff with a table. report_verdict() appends "595.45.04 can use the node of 590.48.01: …", without a
 * full stop. report_verdict_proof() appends a sentence with the findings that the node of the new version's
 * parent would have, if any. Neither is escaped. report_verdict_text() writes both and an empty line.
 */
void report_verdict(struct strbuf *out, const struct diff_report *report);
void report_verdict_proof(struct strbuf *out, const struct diff_report *report);
void report_verdict_text(struct strbuf *out, const struct diff_report *report,
			 const struct report_style *style);

/* report_section_title - append "What @proxy reads, …: 4 changes" for a diff with a table; not escaped */
void report_section_title(struct strbuf *out, const struct diff *diff, enum diff_section section,
			  const char *proxy);
/* report_new_roles - list the pointers, fds and pids that were added: "pointer data.p, fd f"; not escaped */
void report_new_roles(struct strbuf *out, const struct diff_change *change);
/* report_came_text - write report_new_roles() as a line, if any were added */
void report_came_text(struct strbuf *out, const struct diff_change *change, const struct report_style *style);
/* report_enum_type - append the changed type of an enum: "unsigned int -> int"; not escaped */
void report_enum_type(struct strbuf *out, const struct diff_change *change, const char *arrow);
/* report_size - append "56 -> 64 bytes, align 4 -> 8"; report_sizes - also ", added" or ", removed" */
void report_size(struct strbuf *out, const struct diff_change *change, const char *arrow);
void report_sizes(struct strbuf *out, const struct diff_change *change, const char *arrow);
/* report_under_text - write a line for each record that is reported under @change */
void report_under_text(struct strbuf *out, const struct diff_change *change,
		       const struct report_style *style);

/* --- parts that the reports of a call and of a summary share ------------------------------- */

struct decode_text {
	struct strbuf *out;
	const struct report_style *style;
	size_t indent; /* spaces before a field */
	struct wrap line;
};

/* decode_text_label - write a label and words: "  versions    515.43.04..590.48.01" */
void decode_text_label(struct decode_text *text, const char *label, enum report_ink ink, const char *words);

/* decode_text_title - begin the first line; the caller ends it */
void decode_text_title(struct decode_text *text, const struct decode_ioctl *ioctl, bool is_envelope);
void decode_text_parameters(struct decode_text *text, const struct decode_ioctl *ioctl);
void decode_text_versions(struct decode_text *text, const struct decode_ioctl *ioctl);
void decode_text_proxy(struct decode_text *text, const struct decode_call *call);

/* report_decode_proxy_words - append "forwarded, read, under compute (node 590.48.01)"; not escaped. */
void report_decode_proxy_words(struct strbuf *words, const struct forwarded *forwarded);

/* --- a history ------------------------------------------------------------------------ */

const struct history_edge *history_edge_of(const struct history *history, const struct history_event *event,
					   size_t index);
const char *history_version_name(const struct history *history, size_t version);

/* history_step_count - count the steps of the graph that lead to a requested version */
size_t history_step_count(const struct history *history);

/* --- verify: a renderer for each format, and the summaries that the renderers share ------------- */

void report_verify_junit(struct strbuf *out, const struct verify_report *report);
void report_verify_json(struct strbuf *out, const struct verify_report *report);
void report_verify_sarif(struct strbuf *out, const struct verify_report *report);
void report_verify_github(struct strbuf *out, const struct verify_report *report);
/*
 * report_suppressions - write an empty line and the lines of the suppression file that need a review; nothing
 * if no line does
 * @room: maximum size of their rows in Markdown, in bytes; SIZE_MAX: no limit
 */
void report_suppressions(struct strbuf *out, const struct suppressions *suppressions,
			 const struct report_style *style, size_t room);

/* report_warned - write, as Markdown, how many warnings extraction gave; nothing if it gave none */
void report_warned(struct strbuf *out, const struct abi *abi);

/* verify_count - count the versions with @status */
size_t verify_count(const struct verify_report *report, enum verify_status status);

/* All findings, grouped by entry. */
struct verify_groups {
	const size_t *versions;     /* the compared versions, oldest first, as indices of the report's
				       versions. A finding_line's versions are indices of this array */
	const char *const *names;   /* the names of @versions */
	size_t version_count;
	struct finding_blocks findings;
	struct finding_blocks unseen; /* entries that could not be checked */
};

/*
 * verify_group - group the findings that are not suppressed. @fold: see findings_group(). @unavailable: also
 * take those of unavailable versions
 */
void verify_group(struct verify_groups *out, const struct verify_report *report, bool fold, bool unavailable,
		  struct arena *arena);

/* verify_status_name - return "pass", "fail", "unavailable". */
const char *verify_status_name(enum verify_status status);

/* verify_unseen_entries - count the entries that could not be fully checked in some version */
size_t verify_unseen_entries(const struct verify_report *report);

/* verify_why_unavailable - append "not in the repository; to check it, fetch …" */
void verify_why_unavailable(struct strbuf *out, const struct verify_version *version);

/* verify_state - return "expired", "untried", "unused", "unexplained" or "used". */
const char *verify_state(const struct suppression *line);

/*
 * verify_is_settled - is the line used or untried, does it have a reason, and is it not expired? Reports list
 * only lines that are not settled.
 */
bool verify_is_settled(const struct suppression *line);

/* --- JSON ----------------------------------------------------------------------------- */

/* The JSON fields of each format, taken from the struct that its report_*_json() gets. */
extern const struct json_struct report_bootstrap_fields, report_diff_fields, report_history_fields,
	report_verify_fields, report_surface_fields, report_pids_fields, report_ranges_fields,
	report_blame_fields, report_show_fields, report_against_fields, report_call_fields,
	report_event_fields, report_version_map_fields;

/*
 * JSON fields of a struct @type, listed where they are used if only one place needs them. So the list looks
 * like the document. A JSON_LINE object is written on one line.
 */
#define JSON_STRUCT(type, ...) \
	(&(const struct json_struct){ .size = sizeof(struct type), .field = { __VA_ARGS__ } })
#define JSON_LINE(type, ...) \
	(&(const struct json_struct){ .is_inline = true, .size = sizeof(struct type), \
				      .field = { __VA_ARGS__ } })

/* report_write_json - write @object as an indented document; @context: becomes writer.context */
void report_write_json(struct strbuf *out, const void *object, const struct json_struct *of,
		       const void *context);

/* report_open - write a key and open its value: report_open(writer, "runs", json_open_array) */
void report_open(struct json_writer *writer, const char *key, void (*open)(struct json_writer *));

/* JSON members that several formats have, of a struct diff_change, abi_ioctl, suppressions and so on. */
extern const struct json_struct report_change_name_fields, report_change_flag_fields,
	report_change_list_fields, report_ioctl_call_fields, report_suppression_fields, report_view_fields,
	report_described_fields, report_document_fields, report_entry_caps_fields, report_finding_fields,
	report_finding_place_fields;

/* report_write_classes - for .write: write the names of the classes in the field, an unsigned bit set */
void report_write_classes(struct json_writer *writer, const struct json_field *field, const void *object);

/* report_write_ioc - for .write: write "ioc" of a struct abi_ioctl; nothing if its number is plain */
void report_write_ioc(struct json_writer *writer, const struct json_field *field, const void *object);

/*
 * report_write_side - for .write: write the item before or after a change, depending on the key. field->of:
 * the members of an ioctl; NULL writes its number, as for a constant. Writes nothing if it does not exist.
 */
void report_write_side(struct json_writer *writer, const struct json_field *field, const void *object);

/* report_fit_name - return "fits", "other", "needs-new-node", "older" */
const char *report_fit_name(enum ranges_fit fit);

/* report_write_true - for .write: write true, for a key that is otherwise left out */
void report_write_true(struct json_writer *writer, const struct json_field *field, const void *object);

/* report_write_versions - for .write: write the names of a list of indices; the context is the graph */
void report_write_versions(struct json_writer *writer, const struct json_field *field, const void *object);

#endif
