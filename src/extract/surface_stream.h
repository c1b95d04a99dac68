/*
 * extract/surface_stream.h - a table that is read statement by statement
 *
 * Layer L2, inside extract/. For what is no list of lines: an array of rows, the body of a
 * switch. The text is the file's with its comments and literals blanked, so every
 * bracket that is left counts. Preprocessor lines are followed, not obeyed.
 */
#ifndef EXTRACT_SURFACE_STREAM_H
#define EXTRACT_SURFACE_STREAM_H

#include "extract/surface_text.h"

struct surface_stream {
	const struct surface_file *file;
	const char *start; /* of the blanked text */
	const char *at;
	const char *end;
	unsigned line;     /* that *at is on, from 1 */
	struct surface_conditions conditions;
	bool is_again;     /* this text was read before: what is wrong with its #ifs has been said */
};

/* surface_stream_init - the blanked text is in the arena of the file. */
void surface_stream_init(struct surface_stream *out, const struct surface_file *file);

/* surface_stream_skip - white space and preprocessor lines. Return: false at the end of the text. */
bool surface_stream_skip(struct surface_stream *stream);

/* surface_stream_cut_name - as surface_cut_name(), without what follows the name. */
bool surface_stream_cut_name(struct surface_span *name, struct surface_stream *stream);

/* surface_stream_cut - skip, and go behind @ch if it is the next character. */
bool surface_stream_cut(struct surface_stream *stream, char ch);

/**
 * surface_stream_cut_group - from an opening bracket to behind the one that closes it
 * @inside: what stands between the two, as far as it goes; may be NULL
 *
 * Return: false, at the end of the text, if it is not closed, or by a bracket of another kind.
 */
bool surface_stream_cut_group(struct surface_span *inside, struct surface_stream *stream);

/*
 * surface_stream_skip_statement - to behind ";" or a block, or before a "}" that closes what is around it
 *
 * Return: false if the text ends first.
 */
bool surface_stream_skip_statement(struct surface_stream *stream);

/* surface_stream_branch - the branch of the #ifs around the next character. */
enum surface_branch surface_stream_branch(const struct surface_stream *stream);

/* surface_mentions - does @name stand in @text as a whole name? Return: where it first stands, or NULL. */
const char *surface_mentions(struct surface_span text, const char *name);

#endif
