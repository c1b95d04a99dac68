/*
 * report/findings.h - findings of several versions, by entry: each said once, with its versions
 *
 * Private to report/. verify and ranges print what this groups. How findings
 * become lines and lines blocks stands in findings.c.
 */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "report/style.h"
#include "verify/verify.h"

/* A finding at one version. */
struct finding_at {
	const struct verify_finding *finding;
	size_t version; /* a number of the caller's, the higher the newer */
};

/* What is said of an entry in one sentence. */
struct finding_line {
	const struct verify_finding *first;
	const char *message;    /* names that differ in braces: "samples[].{fb,gr}.pid (NvU32 at 8, 72) ..." */
	size_t finding_count;   /* findings that it tells, at one version */
	const size_t *versions; /* ascending */
	size_t version_count;
};

/* Entries of which the same is said. */
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
void findings_group(struct finding_blocks *out, struct finding_at *items, size_t count, bool fold, struct arena *arena);

/* finding_same_versions - are two lines about the same versions? */
bool finding_same_versions(const struct finding_line *a, const struct finding_line *b);

/**
 * findings_runs - "1.0, 2.0..2.4" of versions by their numbers
 * @names: by number
 *
 * Three versions or more with no other between them are a run. Not escaped.
 */
void findings_runs(struct strbuf *out, const char *const *names, const size_t *versions, size_t count);

#endif
