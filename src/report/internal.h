/*
 * report/internal.h - functions that several renderers share
 *
 * They add colours and line breaks to text, group findings, and write the texts that several formats share.
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

/*
 * report_ink - append formatted text, in a colour if the style has colours
 * report_textf - append formatted text, without a colour
 *
 * Both functions escape the text of each %s for a terminal. Neither breaks lines.
 */
void report_ink(struct strbuf *out, const struct report_style *style, enum report_ink ink, const char *format,
		...) __attribute__((format(printf, 4, 5)));
void report_textf(struct strbuf *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * report_plural - write "1 byte" or "2 bytes", as strbuf_plural(), to @buffer, which has room for a word of
 * 40 characters. Return: @buffer.
 */
enum { PLURAL_BYTES = 64 };
const char *report_plural(uint64_t count, const char *word, char buffer[PLURAL_BYTES]);

/* report_resized - append "72 -> 88 bytes", or "72 bytes" if equal. @arrow: "->"; @word: "byte" */
void report_resized(struct strbuf *out, uint64_t before, uint64_t after, const char *arrow, const char *word);

/*
 * report_bits - format an offset or size as "12" bytes, or as "12:3" (byte and bit) if it is not a whole
 * number of bytes. Return: @buffer.
 */
const char *report_bits(uint64_t bits, bool is_bitfield, char buffer[32]);

/* report_class_name - return "growth" for the number of a class's bit: diff_class_name(1 << @bit) */
const char *report_class_name(unsigned bit);
/* report_classes - append "translation, growth" */
void report_classes(struct strbuf *out, unsigned classes);

/* report_selection - append "only changes of class growth in NV2080_*". @classes may be 0, @name NULL. */
void report_selection(struct strbuf *out, unsigned classes, const char *name);

/* report_unit - return the changed item's kind: "struct", "union", "alias", "enum", "constant" or "ioctl" */
const char *report_unit(const struct diff_change *change);

/* report_field_note - append what changed in a field that both versions have: "moved from 8, was NvU32" */
void report_field_note(struct strbuf *out, const struct diff_field *field);

/*
 * report_field_run - count the fields from @field on that only moved, by the same distance, so that one line
 * can describe them; 1 if @field did not only move. @count: the fields from @field to the end of the record
 */
size_t report_field_run(const struct diff_field *field, size_t count);

/*
 * Lines for a terminal, which are broken only between words.
 *
 * A format has marks around the words that have a colour: DIM("(was %s)"), NAME. Where a line is broken, its
 * next line is indented. The words inside a mark stay together if they fit into one line; otherwise, the
 * words between two commas do. A word is a name, a type, or a number with its unit, with NBSP for the spaces
 * in it. A broken name could not be copied from the terminal. So a word that is too long to fit after the
 * indent starts further left, and a word longer than a line has a line of its own.
 *
 * The text of each %s is escaped, so marks come only from the formats of the program, never from data.
 */
#define MARK_END "\017"
#define PLAIN(words) "\020" words MARK_END /* no colour */
#define HEAD(words) "\021" words MARK_END
#define NAMED(words) "\022" words MARK_END
#define NAME NAMED("%s")
#define ADDED(words) "\023" words MARK_END
#define CHANGED(words) "\025" words MARK_END
#define DIM(words) "\026" words MARK_END
#define ALARM(words) "\027" words MARK_END
#define NBSP "\031"

/* text_mark - return the mark that begins words in @ink, for a %c; MARK_END ends them */
char text_mark(enum report_ink ink);

/*
 * text_line - write a line, broken where it is too wide; nothing if it has no words. @indent: spaces before
 * all lines but the first
 * text_write - write @first and then words, both escaped already, in the same way. @ink: for words without a
 * mark
 * text_width - return the number of columns of the first @length bytes of words; marks have none
 */
void text_line(struct strbuf *out, const struct report_style *style, size_t indent, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void text_write(struct strbuf *out, const struct report_style *style, enum report_ink ink, const char *first,
		size_t indent, const char *words);
size_t text_width(const char *words, size_t length);

/* A line that is written piece by piece. */
struct line {
	struct strbuf *out;
	const struct report_style *style;
	size_t indent;
	enum report_ink ink; /* for words without a mark; line_begin() sets it to INK_NONE */
	struct strbuf words; /* escaped, with marks */
	struct strbuf plain; /* words for the next line_add(), which makes it empty again; not escaped */
};

void line_begin(struct line *line, struct strbuf *out, const struct report_style *style, size_t indent);
/* line_add - add words, in which each %s is escaped, and empty line->plain, which can be an argument */
void line_add(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* line_end - write the line as text_line() does, and free its memory */
void line_end(struct line *line);
/* line_end_with - add @before and line->plain, unless that is empty, and end the line. @ink: as line->ink */
void line_end_with(struct line *line, enum report_ink ink, const char *before);

/*
 * line_begin_labelled - begin a line. Return: the buffer for its words, line->plain
 * line_end_labelled - write the line with a label: "  versions    since 1.0"; nothing if it has no words
 */
struct strbuf *line_begin_labelled(struct line *line, struct strbuf *out, const struct report_style *style);
void line_end_labelled(struct line *line, const char *label, enum report_ink ink);

/*
 * A sheet renders a report, block by block, as text for a terminal or as Markdown.
 *
 * Every function that takes a format escapes the text of each %s, for the terminal and for Markdown. In
 * Markdown, NAME is code and ALARM() is bold.
 */
enum { SHEET_COLUMNS = 11 };

/*
 * A column of a table. In text, the cells of is_below columns form a paragraph below the row: "before cell
 * after; ...".
 */
struct sheet_column {
	const char *title; /* NULL after the last column */
	size_t width;      /* in text; 0 for the last column in the line */
	bool is_number;    /* aligned right; text has a header row only if such a column is not is_below */
	bool is_below;
	const char *before, *after; /* in text, the words around an is_below cell; NULL: no words */
};

struct sheet {
	struct strbuf *out;
	const struct report_style *style;
	size_t start;         /* offset of the report in @out */
	size_t limit_bytes;   /* in Markdown, rows that would make @out longer are left out; 0: no limit */
	enum sheet_block {
		SHEET_NONE,
		SHEET_HEADING,
		SHEET_PARAGRAPH,
		SHEET_ITEMS,
		SHEET_TABLE,
		SHEET_CODE
	} block;
	size_t indent;        /* spaces before a strong paragraph in text; 0 before the first heading */
	const struct sheet_column *columns; /* the columns of the current table */
	struct strbuf words;  /* the current sentence or row, escaped */
	struct strbuf plain;  /* words for the next sentence or row, which makes it empty again */
};

void sheet_init(struct sheet *sheet, struct strbuf *out, const struct report_style *style);
void sheet_release(struct sheet *sheet);

/* sheet_is_brief - return true if the style shortens long lists; Markdown has all rows that fit */
bool sheet_is_brief(const struct sheet *sheet);

/*
 * sheet_heading - begin the report or a section; a SHEET_DETAILS section is collapsed in Markdown
 * sheet_details_end - end a SHEET_DETAILS section
 */
enum sheet_level { SHEET_TITLE, SHEET_SECTION, SHEET_SUBSECTION, SHEET_DETAILS };
void sheet_heading(struct sheet *sheet, enum sheet_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sheet_details_end(struct sheet *sheet);

/*
 * sheet_paragraph - write a sentence as a paragraph, in bold if SHEET_STRONG. In text, it is indented, except
 * a strong paragraph before the first heading.
 */
enum sheet_weight { SHEET_PLAIN, SHEET_STRONG };
void sheet_paragraph(struct sheet *sheet, enum sheet_weight weight, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* sheet_words - write sheet->plain as a SHEET_PLAIN paragraph; nothing if it is empty */
void sheet_words(struct sheet *sheet);

/* sheet_item - write an item of a list; a task has a checkbox in Markdown */
enum sheet_item { SHEET_ITEM, SHEET_TASK, SHEET_SUBITEM };
void sheet_item(struct sheet *sheet, enum sheet_item kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* sheet_table - begin a table, in text with a header row if is_number needs it. @columns must outlive it */
void sheet_table(struct sheet *sheet, const struct sheet_column *columns);

/*
 * sheet_row - append a row; its cells are separated by "\t" in @format
 * sheet_begin_row - begin a row. Return: the buffer for its cells, which report_textf() writes
 * sheet_add_cell - append sheet->plain to the row as one more cell
 * sheet_end_row - append the row that was begun
 *
 * Return: true if the row was within the sheet's limit_bytes, and so was appended.
 */
bool sheet_row(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct strbuf *sheet_begin_row(struct sheet *sheet);
void sheet_add_cell(struct sheet *sheet);
bool sheet_end_row(struct sheet *sheet);

/*
 * sheet_code, sheet_code_line, sheet_code_end - write lines that the reader can copy: in Markdown as a code
 * block of @language, which no line can end; in text indented and not wrapped
 */
void sheet_code(struct sheet *sheet, const char *language);
void sheet_code_line(struct sheet *sheet, enum report_ink ink, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sheet_code_end(struct sheet *sheet);

/*
 * The findings of several versions, grouped by entry for verify and ranges. Each finding is listed once, with
 * its versions. findings.c explains how findings become lines and blocks.
 */

/* A finding in one version. */
struct finding_at {
	const struct verify_finding *finding;
	size_t version; /* a number that the caller chose; newer versions have higher numbers */
};

/* One sentence about an entry. */
struct finding_line {
	const struct verify_finding *first;
	const char *message;    /* joined names are in braces: "samples[].{fb,gr}.pid (NvU32 at 8, 72) ..."
				   */
	size_t finding_count;   /* number of findings of each version that the line reports */
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
 * findings_group - group findings into blocks, the entries with the same lines
 * @items:  @count findings; the function sorts them
 * @fold:   join findings that differ in only one name; otherwise, one line per finding, one block per entry
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

/* Returns the C type of the argument, the parameter record, "no parameters", or "parameters not known". */
const char *report_params(const struct abi_ioctl *ioctl);

/* Appends "privileged -> non-privileged" or "+right nice -internal-only"; nothing if the access is equal. */
void report_access_words(struct strbuf *out, const struct diff_change *change);
/* Appends "+cacheable -no-gpus-lock"; nothing if no other flag changed. */
void report_flags_words(struct strbuf *out, const struct diff_change *change);
/* Writes a line for each of these that changed: "matched by: …", "access: …", "flags: …" */
void report_flags_text(struct strbuf *out, const struct diff_change *change,
		       const struct report_style *style);

/*
 * report_only_flags - return true if only flags changed, and they do not affect who may call the ioctl
 *
 * Reports count these changes and do not list them.
 *
 * A change of ABI_FLAG_EMBEDDED_POINTERS, which says that the driver follows pointers in the parameters, is
 * always listed.
 */
bool report_only_flags(const struct diff_change *change);

/*
 * report_flags_fold - write how many ioctls changed only in flags and are not listed; nothing if @count is 0
 * @what: the name of the items in the singular: "forwarded ioctl"
 * @hint: the end of the line: " (-v lists them)"
 */
void report_flags_fold(struct strbuf *out, size_t count, const char *what, const char *hint);

/*
 * report_renamed_with_words - append a change that is reported under a renamed ioctl: of a constant or record
 * that was renamed with it, or of a record inside that record. @separator precedes each fact: "; constant NEW
 * was OLD", "; instrumentationType renamed from covType"
 * report_renamed_with_text - write the change as lines
 */
void report_renamed_with_words(struct strbuf *out, const struct diff_change *one, const char *separator);
void report_renamed_with_text(struct strbuf *out, const struct diff_change *one,
			      const struct report_style *style);

/*
 * report_former_owner - write what happened to the ioctl that had this number before: "(now 0x20801359)" or
 * "(removed)". @change: the change of the ioctl that has the number now
 */
void report_former_owner(struct strbuf *out, const struct diff_change *change);

/*
 * report_passed_words - append "no longer passed through by number (RM_GSS_LEGACY_MASK), so it needs an
 * entry" if the proxy passes an ioctl without an entry through by only one of its two numbers
 */
void report_passed_words(struct strbuf *out, const struct diff_change *change);

/**
 * report_former_number - return words for the number of the ioctl in change->number_was: "the number", or "nr
 * 0x20" if the driver compares only type and nr
 *
 * Return: @buffer, or a constant.
 */
const char *report_former_number(const struct diff_change *change, char buffer[16]);

/* report_is_one_line - return true if @change is a line in text, not a paragraph, and a row in Markdown */
bool report_is_one_line(const struct diff_change *change);

/* report_diff_head - write the verdict, what was compared and selected, and whether there is a difference */
void report_diff_head(struct sheet *sheet, const struct diff_report *report);
/*
 * report_diff_markdown - report_diff() for Markdown. A report that is too long is shortened: changes become
 * rows or are left out, and if that is not enough, one sentence replaces it.
 */
void report_diff_markdown(struct strbuf *out, const struct diff_report *report);

/* report_change_words - summarize @change without its name: "360 -> 368 bytes: +tpcConfigID, ~flags" */
void report_change_words(struct strbuf *out, const struct diff_change *change);
/* report_change_text - write @change, with its classes, as a line or as a paragraph for the terminal */
void report_change_text(struct strbuf *out, const struct diff_change *change,
			const struct report_style *style);
/* report_change_gap - write an empty line between two changes if one is a paragraph. @before: or NULL */
void report_change_gap(struct strbuf *out, const struct diff_change *before,
		       const struct diff_change *change);
/*
 * report_change_lines - write the lines of a record or enum after its first line, indented by 4: its source,
 * changed fields or values, new pointers, the ioctls that carry it, and the changes reported with it
 */
void report_change_lines(struct strbuf *out, const struct diff_change *change,
			 const struct report_style *style);

/*
 * report_verdict - append which node the new version can use, if requested, and how many forwarded records
 * and ioctls changed: "595.45.04 can use the node of 590.48.01: …"
 * report_verdict_proof - append how many new findings show that the new version does not fit the node that it
 * follows, and their entries; nothing without such findings
 *
 * These functions are for a diff with a table. They write no full stop, and do not escape their text.
 */
void report_verdict(struct strbuf *out, const struct diff_report *report);
void report_verdict_proof(struct strbuf *out, const struct diff_report *report);

/* report_section_title - append "What @proxy reads, …: 4 changes" for a diff with a table; not escaped */
void report_section_title(struct strbuf *out, const struct diff *diff, enum diff_section section,
			  const char *proxy);
/* report_new_roles - list the pointers, fds and pids that were added: "pointer data.p, fd f"; not escaped */
void report_new_roles(struct strbuf *out, const struct diff_change *change);
/* report_enum_type - append the changed type of an enum: "unsigned int -> int"; not escaped */
void report_enum_type(struct strbuf *out, const struct diff_change *change, const char *arrow);
/*
 * report_size - append "56 -> 64 bytes, align 4 -> 8"
 * report_sizes - append the same, and ", added" or ", removed" if only one version has the record
 */
void report_size(struct strbuf *out, const struct diff_change *change, const char *arrow);
void report_sizes(struct strbuf *out, const struct diff_change *change, const char *arrow);

/*
 * report_forwarded_words - append what the proxy does with an ioctl: "read, as NVOS21_PARAMETERS; under
 * compute, utility; node 580.105.08", "not forwarded; node 580.105.08", "unknown: …" without a node
 */
void report_forwarded_words(struct strbuf *out, const struct forwarded *forwarded);

/* --- a history ------------------------------------------------------------------------ */

const struct history_edge *history_edge_of(const struct history *history, const struct history_event *event,
					   size_t index);
const char *history_version_name(const struct history *history, size_t version);

/* history_step_count - count the edges of the graph that lead to a requested version, even without changes */
size_t history_step_count(const struct history *history);

/* --- verify: a renderer for each format, and the summaries that the renderers share ------------- */

/*
 * report_verify_junit - write JUnit XML, in which each version and the suppression file is a suite
 * report_verify_sarif - write SARIF 2.1.0: a finding is one result for all its versions; unavailable
 * versions, unchecked entries and suppressions to review are notifications
 * report_verify_github - write workflow commands, which GitHub shows as annotations of the table's file:
 * first the findings that fail the run, because GitHub shows only the first ones
 */
void report_verify_junit(struct strbuf *out, const struct verify_report *report);
void report_verify_json(struct strbuf *out, const struct verify_report *report);
void report_verify_sarif(struct strbuf *out, const struct verify_report *report);
void report_verify_github(struct strbuf *out, const struct verify_report *report);
/*
 * report_suppressions - write an empty line, a heading and a table of the lines of the suppression file that
 * need a review, and how many did not fit; nothing if there are none, or @suppressions is NULL
 * @room: maximum size of the rows in Markdown, in bytes; SIZE_MAX: no limit
 */
void report_suppressions(struct strbuf *out, const struct suppressions *suppressions,
			 const struct report_style *style, size_t room);

/* report_warned - write, as Markdown, that extraction gave warnings, so items may be wrong; nothing if not */
void report_warned(struct strbuf *out, const struct abi *abi);

/* verify_count - count the versions with @status */
size_t verify_count(const struct verify_report *report, enum verify_status status);

/* Versions of a report, oldest first. */
struct verify_versions {
	const struct verify_version *versions;
	const char *const *names;
	size_t count;
};

/*
 * verify_sort_versions - list the versions that were compared, oldest first; @out lives in @arena
 * @unavailable: also include the unavailable versions that fail the run or are accepted
 */
void verify_sort_versions(struct verify_versions *out, const struct verify_report *report, bool unavailable,
			  struct arena *arena);

/* verify_status_name - return "pass", "fail" or "unavailable" */
const char *verify_status_name(enum verify_status status);

/* verify_unseen_entries - count the entries that could not be fully checked in some version */
size_t verify_unseen_entries(const struct verify_report *report);

/* verify_state - return the first that is true of "expired", "untried", "unused", "unexplained", "used" */
const char *verify_state(const struct suppression *line);

/*
 * verify_is_settled - return true if the line is untried, or is used, has a reason, and is not expired
 *
 * Reports list only the other lines.
 */
bool verify_is_settled(const struct suppression *line);

/* --- JSON ----------------------------------------------------------------------------- */

/* The JSON fields of each format. They are read from the struct that is passed to its report_*_json(). */
extern const struct json_struct report_bootstrap_fields, report_diff_fields, report_history_fields,
	report_verify_fields, report_surface_fields, report_pids_fields, report_ranges_fields,
	report_blame_fields, report_show_fields, report_against_fields, report_call_fields,
	report_event_fields, report_version_map_fields;

/*
 * The JSON fields of a struct @type, as an expression inside the list of fields that contains the struct. A
 * JSON_LINE object is written on one line.
 */
#define JSON_STRUCT(type, ...) \
	(&(const struct json_struct){ .size = sizeof(struct type), .field = { __VA_ARGS__ } })
#define JSON_LINE(type, ...) \
	(&(const struct json_struct){ .is_inline = true, .size = sizeof(struct type), \
				      .field = { __VA_ARGS__ } })

/* JSON_CLASSES - the names of the classes of change in @member, an unsigned bit set */
#define JSON_CLASSES(key_, modifiers, type, member) \
	JSON_FIELD(key_, JSON_NAMED_BITS | JSON_ON_ONE_LINE | (modifiers), type, member, \
		   .name_of = report_class_name, .max = DIFF_CLASS_COUNT)

/* JSON_KIND - the kind of an item, an enum abi_kind */
#define JSON_KIND(type, member) \
	JSON_FIELD("kind", JSON_NAMED, type, member, .name_of = abi_kind_name, .max = ABI_KIND_COUNT)

/* report_write_json - write @object as an indented document; @context: becomes writer.context */
void report_write_json(struct strbuf *out, const void *object, const struct json_struct *of,
		       const void *context);

/* JSON members that several formats have in common. */
extern const struct json_struct report_change_name_fields, report_change_flag_fields,
	report_change_list_fields, report_change_passed_fields, report_ioctl_call_fields,
	report_suppression_fields, report_view_fields, report_described_fields, report_document_fields,
	report_entry_caps_fields, report_finding_fields, report_finding_place_fields;

/*
 * The functions below that begin with report_write_ are for json_field.write. If versions are written, the
 * context of the writer is a struct that begins with the pointer to their graph.
 */

/*
 * report_write_side - write the item before a change if the key is "before", else the item after it; nothing
 * if it does not exist. field->of: the members of an ioctl; NULL to write only its number
 */
void report_write_side(struct json_writer *writer, const struct json_field *field, const void *object);

/* report_fit_name - return "fits", "other", "needs-new-node" or "older" */
const char *report_fit_name(enum ranges_fit fit);

/*
 * report_write_version - write the name of the version with the index in the field; null if it is negative
 * report_write_versions - write the names of the versions in a list of indices
 */
void report_write_version(struct json_writer *writer, const struct json_field *field, const void *object);
void report_write_versions(struct json_writer *writer, const struct json_field *field, const void *object);

#endif
