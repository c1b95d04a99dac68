/*
 * store/archive.h - the documents of many versions, for several targets, in one compact file
 *
 * Every distinct record, alias, enum, constant and ioctl is stored once, with the versions and targets that
 * have it. The format is described in internal.h. The file has only facts: names, types, offsets, numbers,
 * and the places where the driver declares them.
 *
 * A document is identified by the hash of the profile's text, the document generation, the target and the
 * commit, which determine the result of extraction. The version of clang is not needed, because all versions
 * give the same documents (`make check-archive`).
 */
#ifndef STORE_ARCHIVE_H
#define STORE_ARCHIVE_H

#include "source/source.h"

/* The properties of an archive. */
struct archive_head {
	const char *driver;
	const char *profile;     /* profile_hash() of the profile with which the documents were extracted */
	uint64_t generation;     /* ABI_GENERATION of the program that extracted them */
	const char *const *targets; /* sorted by strcmp(), unique */
	size_t target_count;
	const struct source_version *versions; /* sorted by abi_version_compare(), unique; a
						   parent is the nearest ancestor in this file */
	size_t count;
	const char *main; /* name of the main branch; NULL if there is none */
	bool shallow;     /* made from a shallow clone, so older commits are unknown */
};

/**
 * archive_write - append an archive to @out
 * @head:      all documents must have its driver
 * @documents: for each target, one sealed document for each version. Their versions and commits are replaced
 *             with those of @head
 *
 * With the same release of zstd, the same documents give the same bytes.
 * Return: 0; ERR_FORMAT if a document has a different driver or target, or is not sealed; ERR_LIMIT.
 */
int archive_write(struct strbuf *out, const struct archive_head *head, const struct abi *const *documents,
		  struct err *err);

/* An archive whose head was read. */
struct archive;

/**
 * archive_open - check a whole file, and read its head; the documents stay packed
 * @out:  in @arena
 * @data: not needed afterwards
 * @name: the file's name, for messages
 *
 * Return: 0; ERR_FORMAT, with @name in @err, if the bytes are not exactly the output of archive_write();
 * ERR_NOT_FOUND if the archive has the file format of an older or a newer drvabi.
 */
int archive_open(const struct archive **out, const void *data, size_t size, const char *name,
		 struct arena *arena, struct err *err);

const struct archive_head *archive_head(const struct archive *archive);

/* archive_as_of - return the day of the newest commit, "2026-03-13"; "?" if the archive has no versions. */
const char *archive_as_of(const struct archive *archive, char buffer[32]);

/* archive_name - return the name that was given to archive_open(). */
const char *archive_name(const struct archive *archive);

/* archive_target - find the index of a target. Return: false if the archive does not have it. */
bool archive_target(size_t *index, const struct archive *archive, const char *target);

/**
 * archive_find - find a version by its name, or by at least 12 digits of its commit id
 *
 * Return: 0; ERR_NOT_FOUND, and @err has the most similar names.
 */
int archive_find(size_t *index, const struct archive *archive, const char *version, struct err *err);

/* archive_find_commit - find a version by its whole commit id. Return: false if there is none. */
bool archive_find_commit(size_t *index, const struct archive *archive, const char *commit);

/**
 * archive_documents - read the documents of versions for one target
 * @out:    indexed by version; NULL if a version is not wanted. The documents point into @arena and @archive,
 *          which must outlive them. Consecutive documents share equal elements
 * @target: the target's index
 *
 * Each call unpacks the archive for this target, so one call should read all wanted documents.
 * Return: 0; ERR_FORMAT if the archive is inconsistent.
 */
int archive_documents(struct abi *const *out, const struct archive *archive, size_t target,
		      struct arena *arena, struct err *err);

/*
 * archive_indexed - read documents like archive_documents(), and make an index of all versions, including
 * those that are not wanted
 */
int archive_indexed(struct abi *const *out, struct abi_index *index, const struct archive *archive,
		    size_t target, struct arena *arena, struct err *err);

/**
 * archive_pack - append one document to @out, for an entry of the cache or for a pipe
 *
 * Writes the names of missing directories, and then an archive of one version with the fastest compression.
 * Return: 0; ERR_FORMAT if @abi is not sealed; ERR_LIMIT.
 */
int archive_pack(struct strbuf *out, const struct abi *abi, struct err *err);

/**
 * archive_unpack - read the output of archive_pack()
 * @abi: in @arena, untouched on failure; @data is not needed afterwards
 *
 * Return: 0; ERR_FORMAT or ERR_NOT_FOUND if the bytes are not exactly the output of archive_pack().
 */
int archive_unpack(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err);

/* archive_libraries - return the loaded libraries and versions, "zstd 1.5.4, xxhash 0.8.1"; in @arena. */
const char *archive_libraries(struct arena *arena);

#endif
