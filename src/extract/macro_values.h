/*
 * extract/macro_values.h - which macros there are, and what they are at the end of a unit
 *
 * Layer L2, inside extract/. clang says both:
 *
 * 1. Its record of the preprocessing has every definition that came into force,
 *    in order and with its line (macro_values_definition()). The rules of the
 *    profile look at the last one of a name. What pop_macro brings back is not
 *    in the record: where it could matter, the macro is left out with a warning.
 * 2. Values are asked for in C, behind the headers: "#ifdef NAME", then an
 *    enumerator whose value is NAME. So what #undef, pop_macro and later
 *    definitions did counts.
 *
 * Questions have to be written before the parse, and the record comes after
 * it. So a scan of the texts says which names are likely (a hint): these are
 * asked for. If the record then has a wanted name that was not asked for, or a question was
 * put in a form that does not suit its macro, the unit is parsed again.
 *
 * A question on its own costs clang as much as a small struct: it is guarded so that a
 * macro whose text is no expression spoils nothing but its own answer. Most
 * macros are plain numbers, and cannot spoil anything: these are asked for
 * together, as the enumerators of one enum. That a macro is one is a hint
 * before the parse, and is held against the record after it.
 *
 * Used in this order: new; for each unit: begin, then for each parse: section,
 * skips and definition, failed and answer as clang has them, and incomplete; finish.
 * In the end index, free.
 */
#ifndef EXTRACT_MACRO_VALUES_H
#define EXTRACT_MACRO_VALUES_H

#include "extract/closure.h"
#include "extract/macro_rules.h"
#include "abi/abi.h"

struct macro_values;

/* macro_values_new - @rules and @arena outlive it */
struct macro_values *macro_values_new(struct macro_rules *rules, struct arena *arena);
void macro_values_free(struct macro_values *values); /* takes NULL */

/* macro_values_begin - a unit; @closure is loaded, may grow, and outlives the unit */
void macro_values_begin(struct macro_values *values, const struct closure *closure);

/*
 * macro_values_section - the questions, as C text
 *
 * It declares enumerators whose names begin with MACRO_PREFIX: "value" and a number for the
 * answer of that question, and others that only this file knows of.
 */
#define MACRO_PREFIX "drvabi_macro_"

/* Why gcc may take a macro in another way than clang. Of several, the first. */
enum macro_doubt {
	MACRO_NO_DOUBT,
	MACRO_SHIFTS,  /* by as many bits as the type has, or more */
	MACRO_LITERAL, /* a decimal one without suffix that no 64-bit signed type holds */
	MACRO_COMMA,   /* operator, of which clang makes a constant, and gcc does not */
};
void macro_values_section(struct macro_values *values, struct strbuf *out);

/* A definition in clang's record. */
struct macro_record {
	const char *name;                /* as clang spells it */
	const struct closure_file *file; /* NULL: in no file of the tree */
	size_t start, end;               /* offsets in the file's text: the name, and behind the last token */
	unsigned line;                   /* 0 of a function-like one: that is in its hint */
	bool is_function_like;
	const char *body;                /* its tokens, if the name is not written as clang spells it; NULL: read the text */
};

/*
 * macro_values_skips - is it known that no rule names the macro at @start in @file?
 *
 * Cheap: asked for each of the record. macro_values_definition() is due where it is false.
 */
bool macro_values_skips(struct macro_values *values, const struct closure_file *file, size_t start);
void macro_values_definition(struct macro_values *values, const struct macro_record *record);

/* macro_values_failed - clang found an error on a line of the section, counted from 0. */
void macro_values_failed(struct macro_values *values, size_t line);
/* macro_values_doubt - clang warned of one. */
void macro_values_doubt(struct macro_values *values, size_t line, enum macro_doubt doubt);
/* macro_values_answer - clang declared @enumerator, which begins with MACRO_PREFIX. */
void macro_values_answer(struct macro_values *values, const char *enumerator, struct abi_number value);

/*
 * macro_values_incomplete - has the unit to be parsed again?
 * @give_up: do not ask again what made the parser lose its way, nor what it lost by
 *           that, each of which gets a warning: for a unit that was parsed often enough
 *
 * Return: if true, all answers and definitions are dropped.
 */
bool macro_values_incomplete(struct macro_values *values, bool give_up);

/*
 * macro_values_drop_riskiest - clang found an error that names no line, so a question may be at fault
 *
 * The macros that look least like numbers are not asked for any more: each gets a warning in the end.
 * Return: false if there is none left.
 */
bool macro_values_drop_riskiest(struct macro_values *values);

/* macro_values_restart - drop what one parse has brought, since there will be another one for other reasons. */
void macro_values_restart(struct macro_values *values);

/* macro_values_finish - the unit was parsed: constants and warnings go to @builder. */
void macro_values_finish(struct macro_values *values, struct abi_builder *builder);

/* macro_values_warn - after all units: of what was asked for besides the profile, and is no integer in any of them. */
void macro_values_warn(struct macro_values *values, struct abi_builder *builder);

/* macro_values_index - everything that the profile asks for, from all units; in the arena. */
void macro_values_index(struct macro_index *out, struct macro_values *values);

#endif
