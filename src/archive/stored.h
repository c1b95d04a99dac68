/*
 * archive/stored.h - an archive as it was read: what form.h describes, in memory
 *
 * Private to archive/. open.c fills struct archive, unpack.c makes of it the
 * things of one target, and document.c takes versions out of those.
 */
#ifndef ARCHIVE_STORED_H
#define ARCHIVE_STORED_H

#include "archive/block.h"
#include "archive/life.h"

/* Where a thing is declared, but for its line. */
struct stored_place {
	uint32_t path; /* number */
	uint32_t form;
};

struct stored_record {
	struct abi_record record; /* without source */
	struct stored_place place;
	struct life life;
};

struct stored_alias {
	struct abi_alias alias;
	struct life life;
};

struct stored_enum {
	struct abi_enum one;      /* without source */
	struct stored_place place;
	struct life life;
};

struct stored_constant {
	struct abi_constant constant;
	struct life life;
};

struct stored_ioctl {
	struct abi_ioctl ioctl;   /* without source */
	struct stored_place place;
	struct life life;
};

struct stored_warnings {
	const struct abi_warning *warnings;
	size_t count;
	struct life life;
};

/* The lines of one file, as they are in the block. */
struct stored_lines {
	const unsigned char *at, *end;
	uint32_t path;
	struct life life;
};

struct stored_path {
	const char *text;
	size_t length;
};

struct archive {
	const char *name; /* the file's, for messages */
	struct archive_head head;
	struct packed_block blocks[ARCHIVE_BLOCK_COUNT];
};

/* All that an archive has of one target. */
struct stored {
	const struct archive *archive;
	const char *target;
	const struct stored_path *paths;
	size_t path_count;
	const struct stored_record *records; /* these all in the order of documents */
	size_t record_count;
	const struct stored_alias *aliases;
	size_t alias_count;
	const struct stored_enum *enums;
	size_t enum_count;
	const struct stored_constant *constants;
	size_t constant_count;
	const struct stored_ioctl *ioctls;
	size_t ioctl_count;
	const struct stored_warnings *warnings;
	size_t warning_count;
	const struct stored_lines *lines;
	size_t line_count;
	const bool *differs; /* by version: is anything else than in the version before? */
};

/* stored_unpack - @out lives in @arena and in @archive. Return: 0; ERR_FORMAT if the archive contradicts itself. */
int stored_unpack(struct stored *out, const struct archive *archive, size_t target, struct arena *arena, struct err *err);

/* stored_index - who has what; lives in @arena and in what @stored lives in. */
void stored_index(struct abi_index *out, const struct stored *stored, struct arena *arena);

#endif
