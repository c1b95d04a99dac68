/*
 * report/report.h - results as text, Markdown, JSON, HTML and the formats of CI
 *
 * Every function appends to a strbuf. It does not change its input and does not print. The order of a
 * result's parts is the same in every format.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "bootstrap/bootstrap.h"
#include "decode/decode.h"
#include "diff/diff.h"
#include "history/history.h"
#include "verify/verify.h"

struct report_style {
	bool markdown;  /* Markdown for a pull request, instead of text for a terminal */
	bool color;     /* use ANSI colours */
	bool verbose;   /* do not fold or shorten lists */
	size_t columns; /* width of the terminal; 0: there is no terminal, use 80 */
};

/* The JSON formats that this directory writes, for json_write_schema(). */
extern const struct json_format report_formats[];

/* --- a diff ---------------------------------------------------------------------- */

struct diff_report {
	const struct diff *diff;
	const struct ranges_choice *choice;      /* the table's node for diff->next; NULL if not requested */
	const struct suppressions *suppressions; /* the suppression file, already applied; NULL without one */
	size_t suppressed_count;                 /* changes that @suppressions removed from the diff */
	bool only_counts;                        /* text: print only the number of changes */
	const char *record;                      /* the glob that selected the changes; NULL selects all */
	unsigned classes;                        /* the classes that selected the changes; 0 selects all */
};

enum { REPORT_DIFF_MARKDOWN_LIMIT = 65536 }; /* GitHub's limit for a comment or pull request text */

void report_diff(struct strbuf *out, const struct diff_report *report, const struct report_style *style);
void report_diff_json(struct strbuf *out, const struct diff_report *report);

/* Appends one flat layout, as drvabi flatten prints it. */
void report_layout_text(struct strbuf *out, const struct abi_layout *layout,
			const struct report_style *style);

/* --- drvabi show: the meaning of names and numbers --------------------------------------- */

#define SHOW_FORMAT "drvabi-show/1"

/* One item that a word of the command line names. */
struct show_item {
	const struct lookup_item *item;
	const struct abi_record *record;   /* for an ioctl, its parameters; NULL if it has no record */
	const struct abi_layout *layout;   /* the layout of @record */
	const struct diff_reach *users;    /* the ioctls that carry @record */
	size_t user_count;
	const struct lookup_parse *parse;  /* the parts of the number; NULL if they are unknown */
	const struct forwarded *forwarded; /* how the proxy handles @item; NULL without a table */
	const struct abi *abi;             /* the document that has the item */
};

struct show_word {
	const struct lookup_word *word;
	const struct abi *abi;         /* the document that has the items */
	bool is_elsewhere;             /* @abi is not that of the requested version, but of the nearest
					  version that has the items */
	const struct lookup *lookup;
	const struct show_item *items; /* one for each item of @lookup */
};

struct show_report {
	const struct abi *abi;             /* the document of the requested version */
	const struct history_graph *graph; /* the known versions of the driver; may be empty */
	const struct show_word *words;
	size_t count;
};

/* Text and JSON have the same content. */
void report_show_text(struct strbuf *out, const struct show_report *report, const struct report_style *style);
void report_show_json(struct strbuf *out, const struct show_report *report);
/**
 * report_show_c - write the items as C declarations, with offsets in comments
 * @expand: first write all types that the declarations need, each once, so that a compiler accepts the text
 *
 * Return: 0; ERR_LAYOUT if no C declaration has the layout, which is possible in a document written by hand.
 */
int report_show_c(struct strbuf *out, const struct show_report *report, bool expand, struct err *err);

/* report_described_text - describe an ioctl: its number, its versions, and what a proxy does with it */
void report_described_text(struct strbuf *out, const struct history_graph *graph,
			   const struct show_item *item, const struct report_style *style);

/*
 * report_elsewhere_text - write that the items are from a different version: "0x20803065: no ioctl or command
 * of 595.45.04; this is 580.105.08, the nearest version that has it"
 */
void report_elsewhere_text(struct strbuf *out, const struct lookup_word *word, const char *asked,
			   const char *nearest, const struct report_style *style);

/* report_span_words - append "since 560.28.03; removed in 590.44.01; in 57 of 193 releases" */
void report_span_words(struct strbuf *out, const struct history_graph *graph,
		       const struct history_span *span);

/*
 * report_parse_words - append "class 0x2080 NV20_SUBDEVICE_0, interface 0x13 FB, method 0x99"
 *
 * Appends nothing if @parse has no bit fields.
 */
void report_parse_words(struct strbuf *out, const struct lookup_parse *parse);

/* --- blame: the version that last changed each field ----------------------------------------- */

#define BLAME_FORMAT "drvabi-blame/1"

struct blame_report {
	const struct history_graph *graph;
	const struct blame *blame;
	const char *field;                 /* report only the fields inside this member
					      ("data.AllocSize"); NULL reports all */
	const struct show_item *ioctl;     /* the ioctl whose parameters are the record; NULL if a record was
					      requested */
	const struct history_graph *known; /* for @ioctl: the known versions of the driver */
};

/* Text does not have the ioctl. */
void report_blame_text(struct strbuf *out, const struct blame_report *report,
		       const struct report_style *style);
void report_blame_json(struct strbuf *out, const struct blame_report *report);

/* report_blame_has - return true if @layout has the field @field or a field inside it */
bool report_blame_has(const struct abi_layout *layout, const char *field);

/* --- bootstrap: the work to support a version ------------------------------------ */

/* report_bootstrap_counts - write the verdict and the amount of each kind of work */
void report_bootstrap_counts(struct strbuf *out, const struct bootstrap *bootstrap,
			     const struct report_style *style);
void report_bootstrap(struct strbuf *out, const struct bootstrap *bootstrap,
		      const struct report_style *style);
void report_bootstrap_json(struct strbuf *out, const struct bootstrap *bootstrap);

/* --- decode: a call, with the name and value of each field ------------------------------------------ */

/* Text is a block: a title, the fields, then the ioctls that enclose the call. JSON is one line. */
void report_decode_text(struct strbuf *out, const struct decode_call *call, const struct report_style *style);
void report_decode_json(struct strbuf *out, const struct decode_call *call);
void report_decode_markdown(struct strbuf *out, const struct decode_call *call);

/* Writes the distinct ioctls of a log or trace, as text or as a Markdown table. */
void report_decode_summary(struct strbuf *out, const struct decode_summary *summary,
			   const struct report_style *style);
void report_decode_summary_markdown(struct strbuf *out, const struct decode_summary *summary);

/* The output of decode --against: a verdict, a diff of the decoded ioctls, and what was not compared. */
void report_against(struct strbuf *out, const struct decode_against *against,
		    const struct report_style *style);
void report_against_json(struct strbuf *out, const struct decode_against *against);

/* @event: a message that is not an ioctl: a device was opened or mapped, or a driver's file was recorded */
void report_trace_event_text(struct strbuf *out, const struct trace_message *event,
			     const struct report_style *style);
/* Writes one line, whose "kind" (open, mmap, file) distinguishes it from the line of a call. */
void report_trace_event_json(struct strbuf *out, const struct trace_message *event);

/* --- history: the changes of each version ---------------------------------------- */

struct history_report {
	const char *driver;
	const char *target;
	const char *main; /* the main branch; NULL if the repository has none */
	const struct history *history;
	const struct history_spans *spans;
};

/* Without a filter, text has a table of the edges, and the changed numbers; verbose adds all changes. */
void report_history(struct strbuf *out, const struct history_report *report,
		    const struct report_style *style);
void report_history_json(struct strbuf *out, const struct history_report *report);

#define PAGE_FORMAT "drvabi-page/1"

/*
 * report_history_page - write an HTML page that draws @timelines
 *
 * The page is self-contained: its Content-Security-Policy forbids the browser to load anything. Its frame,
 * style and scripts are page.html, page.css and page*.js in this directory. If scripts are disabled, the page
 * shows only the table of versions.
 */
void report_history_page(struct strbuf *out, const struct history_report *report,
			 const struct history_timelines *timelines);

/* --- pids: the ioctls that carry process ids --------------------------------------- */

void report_pids(struct strbuf *out, const struct pids *pids, const struct report_style *style);
void report_pids_json(struct strbuf *out, const struct pids *pids);

/* --- ranges: versions with the same ABI for a proxy, and the node for each --- */

struct ranges_report {
	const char *driver;
	const char *target;
	const struct ranges *ranges;
	const struct ranges_proof *proofs; /* indexed by version; NULL if no proof was requested */
};

void report_ranges(struct strbuf *out, const struct ranges_report *report, const struct report_style *style);
void report_ranges_json(struct strbuf *out, const struct ranges_report *report);
/*
 * report_version_map - write the node that each release may use, as a Go package or as JSON for a proxy
 *
 * @report must have proofs. Return: the number of versions in the map.
 */
size_t report_version_map(struct strbuf *out, const struct ranges_report *report, bool is_go);

/* --- surface: the ioctls of a version ----------------------------------------------- */

void report_surface_text(struct strbuf *out, const struct surface *surface, const struct report_style *style);
/* @caps and @since may be NULL. */
void report_surface_json(struct strbuf *out, const struct surface *surface, const struct caps *caps,
			 const struct caps_since *since);
/* report_caps_text - write how many entries each capability exposes. @since may be NULL. */
void report_caps_text(struct strbuf *out, const struct caps *caps, const struct caps_since *since,
		      const struct report_style *style);

/*
 * --- explain: the meaning of verify's rules, of notifications about a run, and of classes of change
 *
 * A rule is an enum verify_rule, an enum report_notice, or RULE_OF_CLASS() of an enum diff_class.
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
	const char *what, *example, *to_do; /* sentences; @example is from a report, without a full stop */
};

/* rule_name - return "size", "unused-suppression", "translation" */
const char *rule_name(size_t rule);
/* rule_text - get the texts of a rule or class; they live in @arena */
struct rule_text rule_text(size_t rule, struct arena *arena);

void report_rule(struct strbuf *out, size_t rule, const struct report_style *style);
/* Text has one line for each rule. Markdown has the whole texts: it is docs/rules.md. */
void report_rules(struct strbuf *out, const struct report_style *style);
void report_rules_markdown(struct strbuf *out);

/*
 * --- verify: the comparison of a table with the driver
 *
 * The formats are text, Markdown for a pull request, JSON, JUnit XML, SARIF 2.1.0, and GitHub's workflow
 * commands. Each lists the unavailable versions, the entries that could not be checked, the suppressed
 * findings, and the unused and expired lines of the suppression file.
 */

enum verify_status { VERIFY_PASS, VERIFY_FAIL, VERIFY_UNAVAILABLE };

struct verify_version {
	const char *version;
	bool supported;              /* false: the table has a node for it only because later nodes need it */
	enum verify_status status;   /* VERIFY_FAIL: it was compared, and @failing is not 0 */
	const char *reason;          /* why the version is unavailable: "not in the repository" */
	const char *to_do;           /* how to make it available, as an imperative clause */
	struct verify_result result; /* findings that are not suppressed; for an unavailable version,
					those of verify_lacking() if they count */
	size_t failing;              /* findings of rules that fail the run; an unavailable version can have
					them, too */
	const struct suppressed *suppressed;
	size_t suppressed_count;
};

struct verify_report {
	const struct table *table;
	const struct verify_version *versions;
	size_t version_count;
	bool fails[VERIFY_RULE_COUNT];           /* indexed by rule: its findings fail the run (--fail-on) */
	const struct suppressions *suppressions; /* NULL without a suppression file */
};

enum verify_format { VERIFY_TEXT, VERIFY_JSON, VERIFY_MARKDOWN, VERIFY_JUNIT, VERIFY_SARIF, VERIFY_GITHUB };

void report_verify(struct strbuf *out, const struct verify_report *report, enum verify_format format,
		   const struct report_style *style);

/* report_acceptances - write a suppression file that accepts @accepted */
void report_acceptances(struct strbuf *out, const struct table *table, const struct acceptances *accepted);

#endif
