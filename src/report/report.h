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

/*
 * report_diff - write a diff as text, or as Markdown for a pull request (at most REPORT_DIFF_MARKDOWN_LIMIT
 * bytes): with a table, first which node next can use; then the changes, or how many there are; then the
 * lines of the suppression file that need a review
 */
void report_diff(struct strbuf *out, const struct diff_report *report, const struct report_style *style);
void report_diff_json(struct strbuf *out, const struct diff_report *report);

/* report_layout_text - write a flat layout: a line for each scalar, hole and tail padding */
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

/*
 * report_show_text - write, for each word, the items that it names, after a line if they are of a different
 * version, and then those that it names in other versions
 */
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

/*
 * report_span_words - append "since 560.28.03; removed in 590.44.01; in 57 of 193 releases", and if the
 * number of the item changed: ", with this number in 20: since 575.51.02"
 */
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

/*
 * report_blame_text - write a line for the record's size, and for each requested field, with the version that
 * last changed it, as git blame does. Only JSON has the ioctl.
 */
void report_blame_text(struct strbuf *out, const struct blame_report *report,
		       const struct report_style *style);
void report_blame_json(struct strbuf *out, const struct blame_report *report);

/* report_blame_has - return true if @layout has the field @field or a field inside it */
bool report_blame_has(const struct abi_layout *layout, const char *field);

/* --- bootstrap: the work to support a version ------------------------------------ */

/* report_bootstrap_counts - write the verdict and the amount of each kind of work, even 0, as text */
void report_bootstrap_counts(struct strbuf *out, const struct bootstrap *bootstrap,
			     const struct report_style *style);
/* report_bootstrap - write the verdict, work, the table's faults, examined changes, proof and new ioctls */
void report_bootstrap(struct strbuf *out, const struct bootstrap *bootstrap,
		      const struct report_style *style);
void report_bootstrap_json(struct strbuf *out, const struct bootstrap *bootstrap);

/* --- decode: a call, with the name and value of each field ------------------------------------------ */

/*
 * report_decode_text - write a block about a call: a title with the result, its origin, notes, what the proxy
 * does with it, the fields of the parameters and of the memory at pointers, and those of enclosing ioctls
 */
void report_decode_text(struct strbuf *out, const struct decode_call *call, const struct report_style *style);
/* report_decode_json - write a call as one line */
void report_decode_json(struct strbuf *out, const struct decode_call *call);
/* report_decode_markdown - write a call for an issue: a heading, and its text as an indented code block */
void report_decode_markdown(struct strbuf *out, const struct decode_call *call);

/*
 * report_decode_summary - write the distinct ioctls of a log or trace, with the number and results of their
 * calls, or that there are none, and how many calls were not listed
 * report_decode_summary_markdown - write the same as a table
 */
void report_decode_summary(struct strbuf *out, const struct decode_summary *summary,
			   const struct report_style *style);
void report_decode_summary_markdown(struct strbuf *out, const struct decode_summary *summary);

/*
 * report_against - write whether the ioctls of a workload have the same ABI in a different version: a
 * verdict, what was not compared, a table of the ioctls, and their diff. Brief text omits unchanged ioctls.
 */
void report_against(struct strbuf *out, const struct decode_against *against,
		    const struct report_style *style);
void report_against_json(struct strbuf *out, const struct decode_against *against);

/* report_trace_event_text - write one line: a device was opened or mapped, or a driver's file recorded */
void report_trace_event_text(struct strbuf *out, const struct trace_message *event,
			     const struct report_style *style);
/* report_trace_event_json - write one line, with a "kind" (open, mmap, file), which a call does not have */
void report_trace_event_json(struct strbuf *out, const struct trace_message *event);

/* --- history: the changes of each version ---------------------------------------- */

struct history_report {
	const char *driver;
	const char *target;
	const char *main; /* the main branch; NULL if the repository has none */
	const struct history *history;
	const struct history_spans *spans;
};

/*
 * report_history - write since when the requested names and numbers exist, and the changes on each edge
 *
 * Without a filter, text has instead a line with the number of changes of each edge, and the changed ioctl
 * numbers; verbose adds all changes.
 */
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

/*
 * report_pids - write the ioctls and records with process ids: where the ids are, whether the driver converts
 * them to the caller's namespace, and with a table, how the proxy forwards the ioctl
 */
void report_pids(struct strbuf *out, const struct pids *pids, const struct report_style *style);
void report_pids_json(struct strbuf *out, const struct pids *pids);

/* --- ranges: versions with the same ABI for a proxy, and the node for each --- */

struct ranges_report {
	const char *driver;
	const char *target;
	const struct ranges *ranges;
	const struct ranges_proof *proofs; /* indexed by version; NULL if no proof was requested */
};

/*
 * report_ranges - write the new nodes that the table needs, with their versions, renumbered ioctls, nodes
 * that could be removed or have the wrong parent, the proof if requested, and the node of each set
 */
void report_ranges(struct strbuf *out, const struct ranges_report *report, const struct report_style *style);
void report_ranges_json(struct strbuf *out, const struct ranges_report *report);
/*
 * report_version_map - write the node that each release may use, as a Go package or as JSON for a proxy
 *
 * @report must have proofs. Versions that are not releases, or not proven to fit a node, are left out.
 * Return: the number of versions in the map.
 */
size_t report_version_map(struct strbuf *out, const struct ranges_report *report, bool is_go);

/* --- surface: the ioctls of a version ----------------------------------------------- */

/* report_surface_text - write how many ioctls there are, and how many are forwarded, then a line for each */
void report_surface_text(struct strbuf *out, const struct surface *surface, const struct report_style *style);
/* @caps and @since may be NULL. */
void report_surface_json(struct strbuf *out, const struct surface *surface, const struct caps *caps,
			 const struct caps_since *since);
/*
 * report_caps_text - write how many entries each capability exposes, adds to those of the capabilities before
 * it, and exposes alone; the sets of capabilities that share entries, the entries that none exposes, and the
 * changes since an older node. @since may be NULL.
 */
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

/* rule_name - return the name of a rule, a notification or a class: "size", "unused-suppression", "growth" */
const char *rule_name(size_t rule);
/* rule_text - get the texts of a rule or class from rules.in, which has all; they live in @arena */
struct rule_text rule_text(size_t rule, struct arena *arena);

/* report_rule - write what one rule or class means, an example, and what to do */
void report_rule(struct strbuf *out, size_t rule, const struct report_style *style);
/* report_rules - list all rules and classes, each with its meaning */
void report_rules(struct strbuf *out, const struct report_style *style);
/* report_rules_markdown - write the page docs/rules.md, with all texts in tables */
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

/* report_verify - write the result in @format; @style is only for text */
void report_verify(struct strbuf *out, const struct verify_report *report, enum verify_format format,
		   const struct report_style *style);

/* report_acceptances - write a suppression file, with the findings that each line covers as comments */
void report_acceptances(struct strbuf *out, const struct table *table, const struct acceptances *accepted);

#endif
