/*
 * report/report.h - results as text, Markdown, JSON, HTML and the formats of CI
 *
 * Every function appends to a strbuf, reads what it is given, and prints nothing. A result is rendered in the
 * same order in every format.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "bootstrap/bootstrap.h"
#include "decode/decode.h"
#include "diff/diff.h"
#include "history/history.h"
#include "verify/verify.h"

struct report_style {
	bool markdown;  /* for a pull request, in place of text for a terminal */
	bool color;     /* ANSI colours */
	bool verbose;   /* nothing is folded or cut short */
	size_t columns; /* of the terminal; 0: no terminal, 80 */
};

/* The formats of JSON that this room writes, for json_write_schema(). */
extern const struct json_format report_formats[];

/* --- a diff ---------------------------------------------------------------------- */

struct diff_report {
	const struct diff *diff;
	const struct ranges_choice *choice;      /* which node of the table next may use; NULL: not asked */
	const struct suppressions *suppressions; /* lines of a file, after they were applied; NULL: no file */
	size_t suppressed_count;                 /* changes that they left out of the diff */
	bool only_counts;                        /* text: no change, how many there are */
	bool is_filtered;                        /* only what was asked for by name or class is there */
};

enum { REPORT_DIFF_MARKDOWN_LIMIT = 65536 }; /* of a comment, or the text of a pull request, on GitHub */

void report_diff(struct strbuf *out, const struct diff_report *report, const struct report_style *style);
void report_diff_json(struct strbuf *out, const struct diff_report *report);

/* One flat layout, as drvabi flatten prints it. */
void report_layout_text(struct strbuf *out, const struct abi_layout *layout,
			const struct report_style *style);

/*
 * What drvabi show prints: first which document it is of. @users: the ioctls that carry the record, and by
 * which records in between; may be empty.
 */
void report_origin_text(struct strbuf *out, const struct abi *abi);
void report_record_text(struct strbuf *out, const struct abi *abi, const struct abi_record *record,
			const struct abi_layout *layout, const struct diff_reach *users, size_t user_count,
			const struct report_style *style);
void report_alias_text(struct strbuf *out, const struct abi_alias *alias, const struct report_style *style);
void report_enum_text(struct strbuf *out, const struct abi_enum *one, const struct report_style *style);
void report_constant_text(struct strbuf *out, const struct abi_constant *constant,
			  const struct report_style *style);
void report_ioctl_text(struct strbuf *out, const struct abi_ioctl *ioctl, const struct report_style *style);

/* --- what names and numbers are: drvabi show --------------------------------------- */

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
	const struct abi *abi;         /* what the items are of: if not the report's, the nearest version that
					  has them */
	const struct lookup *lookup;
	const struct show_item *items; /* one for each of the lookup's */
};

struct show_report {
	const struct abi *abi;             /* of the version that was asked for */
	const struct history_graph *graph; /* the versions beside it; may have none */
	const struct show_word *words;
	size_t count;
};

/* Text and JSON have the same content. */
void report_show_text(struct strbuf *out, const struct show_report *report, const struct report_style *style);
void report_show_json(struct strbuf *out, const struct show_report *report);
/**
 * report_show_c - as declarations of C, with offsets in comments
 * @expand: write the types that they need before them, each once, so that a compiler accepts the text
 *
 * Return: 0; ERR_LAYOUT if no declaration of C has the layout, as in a document written by hand.
 */
int report_show_c(struct strbuf *out, const struct show_report *report, bool expand, struct err *err);

/* report_described_text - the lines of an ioctl: what it is, since when, and what a proxy does with it */
void report_described_text(struct strbuf *out, const struct history_graph *graph,
			   const struct show_item *item, const struct report_style *style);

/*
 * report_elsewhere_text - "0x20803065: no ioctl or command of 595.45.04; this is 580.105.08, the nearest
 * version that has it"
 */
void report_elsewhere_text(struct strbuf *out, const struct lookup_word *word, const char *asked,
			   const char *nearest, const struct report_style *style);

/* report_span_words - "since 560.28.03; removed in 590.44.01; in 57 of 193 releases" */
void report_span_words(struct strbuf *out, const struct history_graph *graph,
		       const struct history_span *span);

/*
 * report_parse_words - "class 0x2080 NV20_SUBDEVICE_0, interface 0x13 FB, method 0x99"; nothing if @parse has
 * no bits.
 */
void report_parse_words(struct strbuf *out, const struct lookup_parse *parse);

/* --- blame: who made each field what it is ----------------------------------------- */

#define BLAME_FORMAT "drvabi-blame/1"

/* The ioctl that has the record as its parameters, printed before it. @known: the versions of the span. */
struct blame_ioctl {
	const struct show_item *item;
	const struct history_graph *known;
};

/* @field: only leaves of this member ("data.AllocSize"), after the record's head; NULL: all */
void report_blame_text(struct strbuf *out, const struct blame *blame, const struct history_graph *graph,
		       const char *field, const struct report_style *style);
/* @ioctl: NULL if none was requested */
void report_blame_json(struct strbuf *out, const struct blame *blame, const struct history_graph *graph,
		       const char *field, const struct blame_ioctl *ioctl);

/* report_blame_has - has @layout a leaf that belongs to @field? */
bool report_blame_has(const struct abi_layout *layout, const char *field);

/* --- bootstrap: what supporting a version takes ------------------------------------ */

/* report_bootstrap_counts - the verdict, and how much there is of each kind of work */
void report_bootstrap_counts(struct strbuf *out, const struct bootstrap *bootstrap,
			     const struct report_style *style);
void report_bootstrap(struct strbuf *out, const struct bootstrap *bootstrap,
		      const struct report_style *style);
void report_bootstrap_json(struct strbuf *out, const struct bootstrap *bootstrap);

/* --- decode: a call, named field by field ------------------------------------------ */

/* Text is a block: what the call is, its fields, then the envelopes around it. JSON is one line. */
void report_decode_text(struct strbuf *out, const struct decode_call *call, const struct report_style *style);
void report_decode_json(struct strbuf *out, const struct decode_call *call);
void report_decode_markdown(struct strbuf *out, const struct decode_call *call);

/* The distinct ioctls: one line or more for each, or a table. */
void report_decode_summary(struct strbuf *out, const struct decode_summary *summary,
			   const struct report_style *style);
void report_decode_summary_markdown(struct strbuf *out, const struct decode_summary *summary);

/* What decode --against says: the verdict, a diff of just these ioctls, and what was not compared. */
void report_against(struct strbuf *out, const struct decode_against *against,
		    const struct report_style *style);
void report_against_json(struct strbuf *out, const struct decode_against *against);

/* What a trace holds besides ioctls: an open, or a shared mapping, of a device. */
struct report_trace_event {
	enum { REPORT_TRACE_OPEN, REPORT_TRACE_MMAP, REPORT_TRACE_FILE } kind;
	const char *path;
	int64_t fd;
	int64_t ret;
	uint64_t open_flags;
	uint64_t address, size_bytes, protection, map_flags, offset;
	uint64_t mode, device; /* of a file; @size_bytes is its contents' */
};

void report_trace_event_text(struct strbuf *out, const struct report_trace_event *event,
			     const struct report_style *style);
/* one line; its "kind" (open, mmap, file) distinguishes it from a call */
void report_trace_event_json(struct strbuf *out, const struct report_trace_event *event);

/* --- history: what changed at which version ---------------------------------------- */

struct history_report {
	const char *driver;
	const char *target;
	const char *main; /* the main branch; NULL if the repository has none */
	const struct history *history;
	const struct history_spans *spans;
};

/* Without a filter, text is a table of the edges, and the numbers that changed; verbose adds all changes. */
void report_history(struct strbuf *out, const struct history_report *report,
		    const struct report_style *style);
void report_history_json(struct strbuf *out, const struct history_report *report);

#define PAGE_FORMAT "drvabi-page/1"

/*
 * report_history_page - one page for a browser, @timelines as a picture
 *
 * The page is a whole: it loads nothing, and says so to the browser (Content-Security-Policy). Its frame,
 * style and scripts are page.html, page.css and page*.js beside this file. Without scripts it is the table of
 * the versions.
 */
void report_history_page(struct strbuf *out, const struct history_report *report,
			 const struct history_timelines *timelines);

/* --- pids: the ioctls that carry process ids --------------------------------------- */

void report_pids(struct strbuf *out, const struct pids *pids, const struct report_style *style);
void report_pids_json(struct strbuf *out, const struct pids *pids);

/* --- ranges: which versions are one ABI to a proxy, and the node that each may use --- */

struct ranges_report {
	const char *driver;
	const char *target;
	const struct ranges *ranges;
	const struct ranges_proof *proofs; /* by version of the graph; NULL: no proof was asked for */
};

void report_ranges(struct strbuf *out, const struct ranges_report *report, const struct report_style *style);
void report_ranges_json(struct strbuf *out, const struct ranges_report *report);
/*
 * report_version_map - the node that each release may use by the proofs, as a Go package or as JSON, for a
 * proxy to load; @report has proofs. Return: how many versions are in it.
 */
size_t report_version_map(struct strbuf *out, const struct ranges_report *report, bool is_go);

/* --- surface: the ioctls of a version ----------------------------------------------- */

void report_surface_text(struct strbuf *out, const struct surface *surface, const struct report_style *style);
/* @caps may be NULL; @since, too. */
void report_surface_json(struct strbuf *out, const struct surface *surface, const struct caps *caps,
			 const struct caps_since *since);
/* report_caps_text - what each capability adds: the attack surface in numbers. @since may be NULL. */
void report_caps_text(struct strbuf *out, const struct caps *caps, const struct caps_since *since,
		      const struct report_style *style);

/*
 * --- explain: what a rule of verify, a notification about a run, and a class of change mean
 *
 * A rule is an enum verify_rule, one of enum report_notice, or RULE_OF_CLASS() of an enum diff_class.
 */

enum report_notice {
	RULE_NOT_CHECKED = VERIFY_RULE_COUNT,
	RULE_UNUSED,
	RULE_UNEXPLAINED,
	RULE_EXPIRED,
	RULE_NOTICE_END
};
#define RULE_OF_CLASS(one) (RULE_NOTICE_END + __builtin_ctz(one))
enum { RULE_COUNT = RULE_NOTICE_END + DIFF_CLASS_COUNT };

struct rule_text {
	const char *what, *example, *to_do; /* sentences; the example is of a report, without a full stop */
};

/* rule_name - "size", "unused-suppression", "translation" */
const char *rule_name(size_t rule);
const struct rule_text *rule_text(size_t rule);

void report_rule(struct strbuf *out, size_t rule, const struct report_style *style);
/* One line for each; as Markdown all of it, docs/rules.md. */
void report_rules(struct strbuf *out, const struct report_style *style);
void report_rules_markdown(struct strbuf *out);

/*
 * --- verify: a table against the driver
 *
 * Text for a person, Markdown for a pull request, JSON, JUnit XML, SARIF 2.1.0 and workflow commands of
 * GitHub for CI. Each of them says which versions were unavailable, what could not be
 * checked, what was suppressed, and which lines of the suppression file are unused or expired.
 */

enum verify_status { VERIFY_PASS, VERIFY_FAIL, VERIFY_UNAVAILABLE };

struct verify_version {
	const char *version;
	bool supported;              /* the table says that the proxy supports it; else a node between */
	enum verify_status status;   /* fail: it was compared, and @failing is not 0 */
	const char *reason;          /* why it is unavailable: "not in the repository" */
	const char *to_do;           /* what makes it available, as an imperative clause */
	struct verify_result result; /* what is left after suppression; of an unavailable version that of
					verify_lacking(), if it counts */
	size_t failing;              /* findings of rules that count; they make the run fail, also if the
					version is unavailable */
	const struct suppressed *suppressed;
	size_t suppressed_count;
};

struct verify_report {
	const struct table *table;
	const struct verify_version *versions;
	size_t version_count;
	bool fails[VERIFY_RULE_COUNT];           /* rules whose findings count (--fail-on) */
	const struct suppressions *suppressions; /* NULL without a file */
};

enum verify_format { VERIFY_TEXT, VERIFY_JSON, VERIFY_MARKDOWN, VERIFY_JUNIT, VERIFY_SARIF, VERIFY_GITHUB };

void report_verify(struct strbuf *out, const struct verify_report *report, enum verify_format format,
		   const struct report_style *style);

/* report_acceptances - the text of a suppression file */
void report_acceptances(struct strbuf *out, const struct table *table, const struct acceptances *accepted);

#endif
