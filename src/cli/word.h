/*
 * cli/word.h - a name or number of the command line, looked up in one version and in those beside it
 *
 * Layer L6. Shared by show and blame.
 */
#ifndef CLI_WORD_H
#define CLI_WORD_H

#include "cli/cli.h"
#include "cli/load.h"
#include "history/history.h"

/* word_read - a number ("0x20801358", "27"), or else a name or glob. */
void word_read(struct lookup_word *out, const char *text);

/* The version that words are looked up in, and what is known of others. */
struct word_scope {
	const struct cli_args *args;
	struct store_around around;
	struct history_graph graph; /* without documents */
	struct profile profile;
	struct lookup_scope scope;
	const struct table *table;  /* NULL: none; set by the caller */
};

/**
 * word_load - loads the document of @request, and the graph and index of other versions
 * @out: lives in @request's arena, which load_documents_release() frees, also after an error
 */
int word_load(struct word_scope *out, struct store_request *request, const struct cli_args *args, struct err *err);

/**
 * word_check - was something found, here or in the nearest version?
 * @lookup: of @word in @words' scope
 *
 * Return: 0; ERR_NOT_FOUND if no version has it, with similar names, or if the version that the user named lacks it, with the
 * versions that have it.
 */
int word_check(const struct lookup *lookup, const struct lookup_word *word, const struct word_scope *words, struct err *err);

/* word_is_elsewhere - should the nearest version be shown instead? Not if the user named a version that has something. */
bool word_is_elsewhere(const struct lookup *lookup, const struct word_scope *words);

/* word_lookup_at - lookup_find() in the document of another version of the graph. */
void word_lookup_at(struct lookup *out, const struct lookup_word *word, const struct word_scope *words, const struct abi *abi,
		    size_t version, struct arena *arena);

struct show_item;

/**
 * word_describe - sets the parse and forwarded of an item that is an ioctl or a command
 * @version: of @abi, the item's document, in the graph
 */
void word_describe(struct show_item *item, const struct word_scope *words, const struct abi *abi, size_t version, struct arena *arena);

#endif
