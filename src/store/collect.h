/*
 * store/collect.h - what all documents hold, each thing once
 *
 * Layer L2, internal to archive/, used for writing. The collection borrows the
 * documents and owns all else.
 */
#ifndef STORE_COLLECT_H
#define STORE_COLLECT_H

#include "abi/abi.h"
#include "store/pool.h"

/* Records of one run often share their fields: a pointer to fields that was seen before needs no hash of the fields. */
enum { LAYOUT_CACHE_COUNT = 8192 };
struct layout_cache_entry {
	struct abi_record record; /* name and source do not count; no fields: the entry is empty */
	size_t layout;
};

/*
 * The things of the document before, in its order. Documents of one run that
 * follow each other share most of what they hold: what is at the same
 * address is the same thing.
 */
struct collect_before {
	const char *elements;  /* of that document; NULL at first */
	size_t count;
	size_t at;             /* those before this one come before all that is still to be added */
	struct thing **things; /* malloc'd, by element */
	struct thing **now;    /* the same of the document that is being added */
};
enum { COLLECT_RECORDS, COLLECT_ALIASES, COLLECT_ENUMS, COLLECT_CONSTANTS, COLLECT_IOCTLS, COLLECT_KINDS };

struct collection {
	struct pool paths;     /* known by their text: key, without NUL */
	struct pool layouts;   /* of: struct abi_record; its name and source do not count */
	struct pool records;   /* of: struct abi_record */
	struct pool aliases;   /* of: struct abi_alias */
	struct pool enums;     /* of: struct abi_enum */
	struct pool constants; /* of: struct abi_constant */
	struct pool ioctls;    /* of: struct abi_ioctl */
	struct pool warnings;  /* lists; of: the struct abi that has it */
	struct pool lines;     /* lists; known by their path's number, and the bytes that are written */
	struct strbuf key;     /* of what is being added */
	struct strbuf *file_lines; /* by path: the lines of the document that is being added */
	uint32_t *last_line;       /* by path */
	size_t file_capacity;
	struct collect_before before[COLLECT_KINDS];
	struct layout_cache_entry *layout_cache; /* by the address of the fields; NULL until the first */
};

/**
 * collection_add - @version has all that is in @abi
 * @version: more than that of the call before
 *
 * @abi must outlive @all. Return: 0; ERR_FORMAT if it has a thing twice; then @all is only good for
 * collection_release().
 */
int collection_add(struct collection *all, const struct abi *abi, uint32_t version, struct err *err);

/* collection_sort - every pool in the order of documents, layouts and paths in that of their first use. */
void collection_sort(struct collection *all);

void collection_release(struct collection *all);

#endif
