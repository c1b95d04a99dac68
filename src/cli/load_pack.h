/*
 * cli/load_pack.h - documents out of the cache's pack, and into it
 *
 * Layer L5. Part of load.c's and load_history.c's work. One pack holds the
 * documents that were made with one salt, whichever repository they are of.
 * It is written after a run that asked for many versions: instead of one
 * file for each of them, and with what others have put there meanwhile. So
 * what many runs, or two repositories in turn, ask for is all in it.
 */
#ifndef CLI_LOAD_PACK_H
#define CLI_LOAD_PACK_H

#include "cli/load_parts.h"

/* load_pack_begins - does what @load reads go into a pack? */
bool load_pack_begins(const struct load *load);

/* load_pack_look - the documents of those versions of a history that the pack has; it and they live in @arena. */
void load_pack_look(struct load *load, const struct source_graph *graph, struct arena *arena);

/* load_pack_serve - is the document of a version there, by load_pack_look()? Then it is named. */
bool load_pack_serve(const struct load *load, struct load_request *request);

/* load_pack_get - the document of @key, for a request of any kind. Return: false if the pack lacks it. */
bool load_pack_get(struct load *load, struct load_request *request, const struct cache_key *key);

/**
 * load_pack_put - into the pack with what was read and is not in it
 *
 * After settling. Return: 0; ERR_IO.
 */
int load_pack_put(struct load *load, const struct source_graph *graph, struct err *err);

#endif
