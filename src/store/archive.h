/*
 * store/archive.h - the documents of many versions, for several targets, in one compact file
 *
 * Every record, alias, enum, constant, ioctl and list of lines is unpacked once, with the versions and
 * targets that have it; internal.h says how. The file holds facts only: names, types, offsets, numbers, and
 * where the driver declares them.
 *
 * A document in it is known by the hash of the profile's text, the document generation, the target and the
 * commit, which decide the result of extraction. Which clang parsed the headers is not among them; the
 * documents are the same with each (`make check-archive`).
 */
#ifndef STORE_ARCHIVE_H
#define STORE_ARCHIVE_H

#include "abi/abi.h"

enum { ARCHIVE_NO_PARENT = -1 };

/* A version, and its node in the commit graph. */
struct archive_version {
	const char *name;
	const char *commit;
	int64_t time;  /* when that was committed: seconds since 1970, UTC */
	long parent;   /* its nearest ancestor in this file, by index; ARCHIVE_NO_PARENT if it has none */
	bool on_main;
};

/* The properties of an archive. */
struct archive_head {
	const char *driver;
	const char *profile;     /* profile_hash() of the profile that the documents were extracted with */
	uint64_t generation;     /* ABI_GENERATION of the program that extracted them */
	const char *const *targets; /* sorted by strcmp(), unique */
	size_t target_count;
	const struct archive_version *versions; /* by abi_version_compare(), unique */
	size_t count;
	const char *main; /* the main branch; NULL if there is none */
	bool shallow;     /* commits before the oldest ones are unknown */
};

/**
 * archive_write - append an archive to @out
 * @head:      its driver is that of every document
 * @documents: sealed; those of the first target, one for each version, then those of the next target. Their
 *             version and commit are not unpacked, those of @head are
 *
 * The same documents give the same bytes, with one release of zstd.
 * Return: 0; ERR_FORMAT if a document is of another driver or target, or is not sealed; ERR_LIMIT.
 */
int archive_write(struct strbuf *out, const struct archive_head *head, const struct abi *const *documents,
		  struct err *err);

/* An archive of which the head was read. */
struct archive;

/**
 * archive_open - check a whole file, and read its head; the documents stay packed
 * @out:  in @arena, and const from then on
 * @data: not needed afterwards
 * @name: the file's, for messages
 *
 * Return: 0; ERR_FORMAT, with @name in the sentence, if the bytes are not exactly the output of
 * archive_write(); ERR_NOT_FOUND if it is an archive of another form, which an older or a newer drvabi
 * wrote.
 */
int archive_open(const struct archive **out, const void *data, size_t size, const char *name,
		 struct arena *arena, struct err *err);

const struct archive_head *archive_head(const struct archive *archive);

/*
 * archive_as_of - "2026-03-13", the day of the newest commit in it: it has no later version. "?" without
 * versions.
 */
const char *archive_as_of(const struct archive *archive, char buffer[32]);

/* archive_name - the name that was given to archive_open(). */
const char *archive_name(const struct archive *archive);

/* archive_target - the index of a target. Return: false if the archive does not have it. */
bool archive_target(size_t *index, const struct archive *archive, const char *target);

/**
 * archive_find - a version by its name, or by its commit id, of which 12 digits are enough
 *
 * Return: 0; ERR_NOT_FOUND, with the nearest names in @err.
 */
int archive_find(size_t *index, const struct archive *archive, const char *version, struct err *err);

/* archive_find_commit - a version by its whole commit id. Return: false if there is none. */
bool archive_find_commit(size_t *index, const struct archive *archive, const char *commit);

/**
 * archive_documents - the documents of versions for one target, as they were extracted
 * @out:    by version; NULL where none is wanted. They point into @arena and @archive, which must outlive
 *          them, and consecutive documents share equal elements
 * @target: index
 *
 * Unpacks the archive for that target: to be called once for all wanted documents.
 * Return: 0; ERR_FORMAT if the archive contradicts itself.
 */
int archive_documents(struct abi *const *out, const struct archive *archive, size_t target,
		      struct arena *arena, struct err *err);

/*
 * archive_indexed - archive_documents(), and an index of all versions, whether their documents are wanted or
 * not
 */
int archive_indexed(struct abi *const *out, struct abi_index *index, const struct archive *archive,
		    size_t target, struct arena *arena, struct err *err);

/**
 * archive_pack - append one document by itself to @out, for an entry of the cache or for a pipe
 *
 * After the names of missing directories, it is an archive of one version, and quick to write.
 * Return: 0; ERR_FORMAT if @abi is not sealed; ERR_LIMIT.
 */
int archive_pack(struct strbuf *out, const struct abi *abi, struct err *err);

/**
 * archive_unpack - read what archive_pack() wrote
 * @abi: in @arena, untouched on failure; @data is not needed afterwards
 *
 * Return: 0; ERR_FORMAT or ERR_NOT_FOUND if the bytes are not exactly the output of archive_pack().
 */
int archive_unpack(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err);

/* archive_libraries - "zstd 1.5.4, xxhash 0.8.1": the libraries that are loaded at run time. In @arena. */
const char *archive_libraries(struct arena *arena);

#endif
