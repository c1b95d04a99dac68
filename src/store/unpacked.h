/*
 * store/unpacked.h - an archive in memory: what form.h describes, of one target
 *
 * Layer L2, internal to archive/. open.c fills struct archive, unpack.c reads
 * the things of one target out of it, and document.c selects those of one
 * version.
 */
#ifndef STORE_UNPACKED_H
#define STORE_UNPACKED_H

#include "store/block.h"
#include "store/version_set.h"

/* Where a thing is declared, but for its line. */
struct unpacked_location {
	uint32_t path; /* number */
	uint32_t form;
};

struct unpacked_record {
	struct abi_record record; /* without source */
	struct unpacked_location location;
	struct version_set versions;
};

struct unpacked_alias {
	struct abi_alias alias;
	struct version_set versions;
};

struct unpacked_enum {
	struct abi_enum one;      /* without source */
	struct unpacked_location location;
	struct version_set versions;
};

struct unpacked_constant {
	struct abi_constant constant;
	struct version_set versions;
};

struct unpacked_ioctl {
	struct abi_ioctl ioctl;   /* without source */
	struct unpacked_location location;
	struct version_set versions;
};

struct unpacked_warnings {
	const struct abi_warning *warnings;
	size_t count;
	struct version_set versions;
};

/* The lines of one file, as they are in the block. */
struct unpacked_lines {
	const unsigned char *at, *end;
	uint32_t path;
	struct version_set versions;
};

struct unpacked_path {
	const char *text;
	size_t length;
};

struct archive {
	const char *name; /* the file's, for messages */
	struct archive_head head;
	struct packed_block blocks[ARCHIVE_BLOCK_COUNT];
};

/* All that an archive has of one target. */
struct unpacked {
	const struct archive *archive;
	const char *target;
	const struct unpacked_path *paths;
	size_t path_count;
	const struct unpacked_record *records; /* these all in the order of documents */
	size_t record_count;
	const struct unpacked_alias *aliases;
	size_t alias_count;
	const struct unpacked_enum *enums;
	size_t enum_count;
	const struct unpacked_constant *constants;
	size_t constant_count;
	const struct unpacked_ioctl *ioctls;
	size_t ioctl_count;
	const struct unpacked_warnings *warnings;
	size_t warning_count;
	const struct unpacked_lines *lines;
	size_t line_count;
	const bool *differs; /* by version: is anything else than in the version before? */
};

/* unpacked_read - all of one target. @out points into @arena and @archive. Return: 0; ERR_FORMAT if the archive contradicts itself. */
int unpacked_read(struct unpacked *out, const struct archive *archive, size_t target, struct arena *arena, struct err *err);

/* unpacked_index - which versions have what; points into @arena and into what @unpacked points into. */
void unpacked_index(struct abi_index *out, const struct unpacked *unpacked, struct arena *arena);

#endif
