/*
 * extract/statements.h - a table that is read statement by statement
 *
 * Layer L2, inside ioctls/. For what is no list of lines: an array of rows, the body of a
 * switch. The text is the file's with its comments and literals blanked, so every
 * bracket that is left counts. Preprocessor lines are followed (conditions.h), and none decides what is read.
 */
#ifndef EXTRACT_STATEMENTS_H
#define EXTRACT_STATEMENTS_H

#include "extract/table_file.h"

struct statements {
	const struct table_file *file;
	const char *start; /* of the blanked text */
	const char *at;
	const char *end;
	unsigned line;     /* that *at is on, from 1 */
	struct conditions conditions;
	bool is_silent;    /* no warning of an #endif without an #if: another reading of the text gives it */
};

/* statements_init - the blanked text is in the arena of the file. */
void statements_init(struct statements *out, const struct table_file *file);

/* statements_skip - white space and preprocessor lines. Return: false at the end of the text. */
bool statements_skip(struct statements *stream);

/* statements_cut_name - as view_cut_name(), without what follows the name. */
bool statements_cut_name(struct view *name, struct statements *stream);

/* statements_next_name - the next identifier, whatever is before it; false at the end of the text. */
bool statements_next_name(struct view *name, struct statements *stream);

/* statements_cut - skip, and go behind @ch if it is the next character. */
bool statements_cut(struct statements *stream, char ch);

/**
 * statements_cut_group - from an opening bracket to behind the one that closes it
 * @inside: the text between the two, as far as it goes; may be NULL
 *
 * Return: false, at the end of the text, if it is not closed, or by a bracket of another kind.
 */
bool statements_cut_group(struct view *inside, struct statements *stream);

/**
 * statements_cut_arguments - from behind "(" to behind its ")"
 * @argument: what commas separate, the first @max of them
 * @count: of all arguments
 *
 * Return: false if the text ends, or there is a directive inside.
 */
bool statements_cut_arguments(struct view *argument, size_t max, size_t *count, struct statements *stream);

/*
 * statements_skip_statement - to behind ";" or a block, or before a "}" that closes what is around it
 *
 * Return: false if the text ends first.
 */
bool statements_skip_statement(struct statements *stream);

/* statements_branch - the branch of the #ifs around the next character. */
enum branch statements_branch(const struct statements *stream);

#endif
