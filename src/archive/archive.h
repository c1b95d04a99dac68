/*
 * archive/archive.h - the documents of many versions in one compact file
 *
 * Layer L2, the only room that sees zstd. Every record, alias, enum,
 * constant, ioctl and list of lines is held once, with the versions that
 * have it; form.h says how. The file holds facts only: names, types,
 * offsets, numbers, and where the driver declares them.
 */
#ifndef ARCHIVE_ARCHIVE_H
#define ARCHIVE_ARCHIVE_H

#include "abi/abi.h"

enum { ARCHIVE_NO_PARENT = -1 };

/* A version, and where it stands in the commit graph. */
struct archive_version {
	const char *name;
	const char *commit;
	int64_t time;  /* when that was committed: seconds since 1970, UTC */
	long parent;   /* its nearest ancestor in this file, by index; ARCHIVE_NO_PARENT if it has none */
	bool on_main;
};

/* What an archive is of. */
struct archive_head {
	const char *driver;
	const char *target;
	const struct archive_version *versions; /* by abi_version_compare(), unique */
	size_t count;
	const char *main; /* the main branch; NULL if there is none */
	bool shallow;     /* what came before the oldest commits is not known */
};

/* What matters more. */
enum archive_effort {
	ARCHIVE_SMALL, /* the file is given away */
	ARCHIVE_QUICK, /* somebody waits; about a sixth larger, in half the time */
};

/**
 * archive_write - append an archive to @out
 * @head:      driver and target are those of every document
 * @documents: sealed, one for each version; not their version and commit, but those of @head are kept
 *
 * The same documents give the same bytes, with one release of zstd and one @effort.
 * Return: 0; ERR_FORMAT if a document is of another driver or target, or is not sealed; ERR_LIMIT.
 */
int archive_write(struct strbuf *out, const struct archive_head *head, const struct abi *const *documents,
		  enum archive_effort effort, struct err *err);

/* An archive that was read, and found whole. */
struct archive;

/**
 * archive_open - check and read an archive
 * @out:  lives in @arena, and only read from then on: by any number of threads
 * @data: not needed afterwards
 * @name: the file's, for messages
 *
 * Return: 0; ERR_FORMAT, with @name in the sentence, if the bytes are not exactly what archive_write() made.
 */
int archive_open(const struct archive **out, const void *data, size_t size, const char *name, struct arena *arena, struct err *err);

const struct archive_head *archive_head(const struct archive *archive);

/* archive_find - a version by its name. Return: 0; ERR_NOT_FOUND, with the nearest names in @err. */
int archive_find(size_t *index, const struct archive *archive, const char *version, struct err *err);

/**
 * archive_document - the document of one version, as it was extracted
 * @out: lives in @arena and in @archive, which must outlive it
 *
 * Return: 0; ERR_FORMAT if the archive contradicts itself.
 */
int archive_document(struct abi *out, const struct archive *archive, size_t index, struct arena *arena, struct err *err);

/**
 * archive_documents - the same for many versions at once; their documents share what is equal in one and the next
 * @out: by version; NULL where none is wanted
 */
int archive_documents(struct abi *const *out, const struct archive *archive, struct arena *arena, struct err *err);

/* archive_same_as_before - is the document of @index that of the version before it, but for version and commit? */
bool archive_same_as_before(const struct archive *archive, size_t index);

#endif
