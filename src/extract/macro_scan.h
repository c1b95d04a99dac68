/*
 * extract/macro_scan.h - from "#define" lines to values
 *
 * Layer L2, inside extract/. Used in this order: new; for each unit begin,
 * define (once for each #define) and undef, section, parse, then failed and
 * answer as clang answers, finish; in the end index, free.
 *
 * A question costs clang as much as a small struct, and most macros are plain
 * numbers that stand under no condition. Of these one in each file is asked
 * for; if it is defined, the file counted, and so did the others in it.
 */
#ifndef EXTRACT_MACRO_SCAN_H
#define EXTRACT_MACRO_SCAN_H

#include "extract/closure.h"
#include "extract/macro_rules.h"
#include "extract/macros.h"

struct macro_scan;

/* Return: 0; ERR_FORMAT for a value pattern that is no regular expression. */
int macro_scan_new(struct macro_scan **out, const struct profile *profile, struct arena *arena, struct err *err);
/* macro_scan_bare - one that only gets definitions by macro_scan_add(). */
struct macro_scan *macro_scan_bare(struct arena *arena);
void macro_scan_free(struct macro_scan *scan); /* takes NULL */

void macro_scan_begin(struct macro_scan *scan, const struct profile_unit *unit);
/* closure->define and closure->undef; @data is the struct macro_scan. */
void macro_scan_define(void *data, const struct closure_file *file, const struct scan_define *define);
void macro_scan_undef(void *data, struct view name);
/* macro_scan_add - the same as define, for a caller who has asked the rules before; @definition outlives the scan. */
void macro_scan_add(struct macro_scan *scan, const struct closure_file *file, const struct macro_definition *definition);

/*
 * The questions, as C text, MACRO_SECTION_LINES lines each; question K of
 * macro_scan_section() stands on the lines from K * MACRO_SECTION_LINES on.
 * It declares MACRO_VALUE_PREFIX "K", whose value is the answer, and, where
 * the macro's text could upset the parser, MACRO_WIDTH_PREFIX "K", its size
 * in bytes, MACRO_AGAIN_PREFIX "K", which is the same number unless the macro
 * counts lines or its own uses, and MACRO_MARK_PREFIX "K", which is lost if
 * the parser lost its way.
 */
#define MACRO_VALUE_PREFIX "drvabi_const_"
#define MACRO_WIDTH_PREFIX "drvabi_width_"
#define MACRO_AGAIN_PREFIX "drvabi_again_"
#define MACRO_MARK_PREFIX "drvabi_mark_"
enum { MACRO_SECTION_LINES = 5 };
void macro_scan_section(struct macro_scan *scan, struct strbuf *out);

/* macro_scan_trust - it is certain that all files count: what stands under no condition in them is not asked for. */
void macro_scan_trust(struct macro_scan *scan);

/* macro_scan_forget - drop all answers: the unit is parsed again. */
void macro_scan_forget(struct macro_scan *scan);
/* macro_scan_failed - clang found an error on a line of the section, counted from 0. */
void macro_scan_failed(struct macro_scan *scan, size_t line);
/* macro_scan_answer - clang declared @enumerator. */
void macro_scan_answer(struct macro_scan *scan, const char *enumerator, struct abi_number value);
/*
 * macro_scan_lost - did the parser lose its way, so that answers of sound
 * macros are missing? Then the macro that did it is not asked again.
 * @drop_all: nor are those that are missing
 */
bool macro_scan_lost(struct macro_scan *scan, bool drop_all);

/* Where the constants and warnings of a unit go. */
struct macro_sink {
	void *data;
	/* The builder for what is defined in @file; of several files that define one name, the first. */
	struct abi_builder *(*builder)(void *data, const struct closure_file *file);
	/* Every macro that any rule asks for, as it goes to the index, in the order of names. May be NULL. */
	void (*macro)(void *data, const struct closure_file *file, const struct macro *macro);
};

/* macro_scan_finish - the unit was parsed. */
void macro_scan_finish(struct macro_scan *scan, const struct macro_sink *sink);

/* macro_scan_index - everything from all units; lives in the arena. */
void macro_scan_index(struct macro_index *out, struct macro_scan *scan);

#endif
