/*
 * extract/macro_values_internal.h - the questions of one unit
 *
 * Layer L2, inside extract/: what macro_values.c, macro_record.c and macro_answers.c share. macro_values.h says
 * why there are questions.
 *
 * 1. Each definition that the rules want, in the text of a file of the closure, is a question (follow_hints() in
 *    macro_values.c). Its text gives the form: a plain number, an expression, one that does not look like a
 *    number, one whose brackets do not match.
 * 2. macro_values_section() writes the questions, the least risky form first, so that a macro that swallows what is
 *    behind it spoils few answers. GROUP_SIZE plain numbers share an enum. Any other question has enumerators of its
 *    own: the width, the value, the value again, and a mark behind it. `lines` says which question a line belongs to.
 * 3. clang's record gives the definitions that came into force (macro_record.c). The last one of a name counts. A
 *    wanted name without a question becomes one; `seen` is the riskiest form of its definitions.
 * 4. Enumerators are answers (macro_answers.c), and errors are, too.
 * 5. macro_values_incomplete() decides on another parse: if there are new questions; if marks are missing, when the
 *    first question of each run without marks is dropped; or if a form did not suit, and is changed.
 * 6. macro_values_finish() turns answers into constants, warnings, and items of the index.
 */
#ifndef EXTRACT_MACRO_VALUES_INTERNAL_H
#define EXTRACT_MACRO_VALUES_INTERNAL_H

#include "extract/extra_macros.h"
#include "extract/macro_values.h"

#include <uthash.h>

/* How a macro is asked for. If a name has several definitions, the one that needs the form furthest down this list decides. */
enum form {
	FORM_NONE,    /* not at all: its text is empty */
	FORM_PLAIN,   /* as one of many */
	FORM_GUARDED, /* alone */
	FORM_SUSPECT, /* alone, behind those: it does not look like a number */
	FORM_CALL,    /* with arguments, behind those */
	FORM_BROKEN,  /* alone, behind all others: its brackets do not match, so that it may swallow what follows */
};

/* One name, and what clang made of it. */
struct question {
	const char *name;
	enum form form;
	bool is_dropped;  /* it made the parser lose its way, and is not asked again */
	bool has_kind;    /* how it is made is asked as well */
	unsigned parameter_count; /* FORM_CALL */
	const char *call; /* of the definition, as of struct macro_definition: how this is made is asked in place of the name */
	/* All that follows is of one parse. */
	const struct macro_definition *definition; /* the last one; NULL if nobody wants it */
	const struct closure_file *file;          /* where that is */
	unsigned line;
	struct abi_number value;
	uint64_t width_bytes;
	size_t group;     /* FORM_PLAIN: which enum */
	bool is_answered; /* there is a value */
	bool is_marked;   /* the mark behind the question was found */
	bool is_changing; /* on the next line it is another number: it uses __LINE__ or __COUNTER__ */
	bool has_failed;  /* there was an error on its lines */
	enum macro_doubt doubt;
	bool is_defined;  /* there is a definition in the record */
	bool differs;     /* there are several, and the rules of the profile treat them differently */
	enum form seen;   /* the last form that a definition in the record needs */
	uint64_t varying; /* FORM_CALL: bits of the value that its arguments change */
	bool is_ioc;      /* one of <linux/ioctl.h>'s macros makes it */
	bool is_its_call; /* @call has the same value: what is around it changes nothing */
	bool is_maker;    /* FORM_CALL: its argument is the type or the nr, so that it makes ioctls, and is none */
	struct question *same; /* none of them makes it, but its text names this one, which is an ioctl of the same value */
	bool is_used;     /* another one has it as @same */
	const char *argument, *params; /* as of struct macro */
	UT_hash_handle hh;
};

/* Which question a line of the section belongs to. */
#define NO_QUESTION SIZE_MAX

struct macro_values {
	struct arena *arena;
	struct macro_rules *rules;
	const struct closure *closure;   /* of the unit */
	size_t hinted;                   /* how many of its files have given their hints */
	const struct closure_file *file; /* the last one in the record */
	size_t next;                     /* its hint that is likely to be next: the record is in the order of the text */
	const struct hint *hint;         /* of the definition that macro_values_skips() was asked about, or NULL */
	struct question *by_name;        /* uthash */
	struct question **questions;     /* of the unit; sorted by name when the section is written */
	size_t question_count, question_capacity;
	size_t *lines;                   /* of the section */
	size_t line_count, line_capacity;
	bool *groups;                    /* was the end of the enum found? */
	size_t group_count, group_capacity;
	size_t added;                    /* questions that the last section did not have */
	struct macro *macros;            /* of all units */
	size_t macro_count, macro_capacity;
	struct extra_macros extra;       /* of all units */
};

/* form_of - the form that suits a macro of this text. */
enum form form_of(const char *text);

struct question *question_find(const struct macro_values *values, const char *name);
struct question *question_add(struct macro_values *values, const char *name, enum form form);

/* questions_drop - the unit is done: its questions are freed. */
void questions_drop(struct macro_values *values);

/* question_note - @definition is one that the question is about; the macros that it names become questions as well. */
void question_note(struct macro_values *values, struct question *question, const struct macro_definition *definition);

/* question_is_evaluated - is it an integer, and the same wherever it stands? */
bool question_is_evaluated(const struct question *question);

/* question_is_ioctl - do _IO() and its like make it, be it not itself but one that its text names? */
bool question_is_ioctl(const struct question *question);

/* question_lines - the next @count lines of the section belong to @question, by its number. */
void question_lines(struct macro_values *values, size_t question, unsigned count);

/* kinds_ask_calls - the questions of FORM_CALL; kinds_ask: how macros are made, the last lines of the section (macro_kinds.c). */
void kinds_ask_calls(struct macro_values *values, struct strbuf *out);
void kinds_ask(struct macro_values *values, struct strbuf *out);

/* choices_resolve - all is answered: sets `same` of those that have the value of an ioctl that their text names (macro_choices.c). */
void choices_resolve(struct macro_values *values);

/* choices_warn - if @question is no ioctl, although its text has one or names one, there is a warning. */
void choices_warn(const struct macro_values *values, const struct question *question, struct abi_builder *builder);

#endif
