/*
 * cli/load_parts.h - what loading documents and loading a whole history have in common
 *
 * Layer L5. Private to load.c and load_history.c; commands call load.h.
 */
#ifndef CLI_LOAD_PARTS_H
#define CLI_LOAD_PARTS_H

#include "archive/archive.h"
#include "cache/cache.h"
#include "cli/load.h"
#include "cli/progress.h"

#include <pthread.h>

/* What all requests of one run share; only read once the threads run. */
struct load {
	const struct cli_args *args;
	struct arena arena;
	struct profile profile;
	const char *profile_text;
	struct strbuf cache_dir;
	struct strbuf salt;
	struct source *source;   /* NULL until a request needs the repository */
	const struct archive *archive; /* args->archive, once a request needs it */
	const char *repo;        /* or the archive: where versions come from */
	struct progress progress;
	struct load_request *requests;
	size_t count;
	size_t next;             /* the next request to take, under @lock, as all that follows */
	size_t end;              /* behind the last one that is not taken */
	unsigned worker_count;   /* that have begun */
	size_t done;
	struct load_shared *shared; /* one for each request, if equal documents are to be one; else NULL */
	pthread_mutex_t lock;    /* from load_prepare() to load_release() */
};

/* What sharing has to know of a request. */
struct load_shared {
	const char *commit;
	bool keyed;
	bool inside_roots; /* the key, and so the commit, says all that decides the document */
	struct cache_key key;
	const struct load_request *owner; /* the request that has the document of this key; NULL: this one */
};

/* load_prepare - open what load->requests need. @documents: what an archive is to live in, as the documents from it do. */
int load_prepare(struct load *load, struct arena *documents, struct err *err);

/* load_run - read all of load->requests; what became of each is in its rc. */
void load_run(struct load *load);

/* load_one - read one document. Return: what its rc is to be. */
int load_one(struct load *load, struct load_request *request);

/* load_name_document - the document is that of a version, whichever version it was first made from. */
void load_name_document(struct load_request *request, const char *version, const char *commit);

/* load_cannot_write - puts in front of @err what to do about a cache that cannot be written. */
void load_cannot_write(struct err *err);

/* load_show_warnings - of all documents, on standard error */
void load_show_warnings(const struct load *load);

void load_release(struct load *load);

/* load_shared_of - what sharing knows of @request; NULL if nothing is shared */
struct load_shared *load_shared_of(const struct load *load, const struct load_request *request);

/* load_share - is there another request that has taken on the document of @key? If not, this one does. */
bool load_share(struct load *load, const struct load_request *request, const struct cache_key *key);

#endif
