/*
 * report/verify_sarif_internal.h - what verify_sarif.c and verify_sarif_results.c share
 *
 * Private to report/.
 */
#ifndef REPORT_VERIFY_SARIF_INTERNAL_H
#define REPORT_VERIFY_SARIF_INTERNAL_H

#include "abi/abi.h"
#include "report/verify_internal.h"

/* A finding, suppressed or not, or what could not be checked; in all its versions. */
struct sarif_finding {
	const struct verify_finding *first;    /* in the oldest version */
	const struct table_entry *entry;       /* NULL: the table's view has none of that name */
	const struct table_node *node;         /* that says the entry */
	const char *message;                   /* its sentences, each with its versions */
	const char *logical;                   /* "FAMILY/ENTRY" */
	const char *const *versions;           /* oldest first */
	size_t version_count;
	const struct suppression *const *by;   /* the lines that suppressed it; none: it was not */
	size_t by_count;
	bool is_split;                         /* suppressed, and in other versions not: another result has these */
};

struct sarif_findings {
	const struct sarif_finding *finding; /* by entry, then record, path and rule */
	size_t count;
};

/* sarif_gather - all of @report; one for each rule, record and path of an entry that a node says. */
void sarif_gather(struct sarif_findings *out, const struct verify_report *report, struct arena *arena);

/* sarif_results - those of them that are faults */
void sarif_results(struct json_writer *writer, const struct verify_report *report, const struct sarif_findings *findings);

/* sarif_message - {"text": "..."}, SARIF's way of saying anything. */
void sarif_message(struct json_writer *writer, const char *key, const char *text);

/* sarif_location - @line: 0 for the file as a whole; @logical: NULL for none. */
void sarif_location(struct json_writer *writer, const char *path, unsigned line, const char *logical);

/* sarif_file - the file that the entry of a finding stands in. */
const char *sarif_file(const struct verify_report *report, const struct sarif_finding *finding);

/* sarif_level - "error" if findings of the rule count, else "warning". */
const char *sarif_level(const struct verify_report *report, enum verify_rule rule);

#endif
