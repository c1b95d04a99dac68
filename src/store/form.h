/*
 * store/form.h - the form of an archive
 *
 * Layer L2, internal to archive/: what write.c writes and open.c and unpack.c
 * read.
 *
 *   header   8 bytes of magic, the last of which is the version of this form;
 *            8 bytes: the size of the file; 16 bytes: the hash of the block
 *            table
 *   table    for each block 8 bytes: its size in the file, 8 bytes: its size
 *            unpacked, 16 bytes: the hash of its bytes in the file
 *   blocks   one after the other, each a frame of zstd
 *
 * Numbers of the header and the table are little endian, hashes are XXH3
 * (128 bits, canonical order). So each byte of a file is either a hash, or
 * covered by one, or compared with the only value that it may have.
 *
 * Within blocks all numbers are varints, a text has its NUL. A string is 0
 * for the next one of the block of strings that has not been used yet, 1 for
 * NULL, or its number plus 2.
 *
 *   ARCHIVE_VERSIONS      driver, hash of the profile, generation; how many
 *                         targets, then each; main branch ("" for none),
 *                         shallow; how many versions, and for each: name,
 *                         commit, time (folded), parent plus 1, on_main. All
 *                         texts are written out here
 *   ARCHIVE_STRINGS       how many, then each, once
 *   ARCHIVE_THINGS        how many paths, then each; how many layouts follow;
 *                         then counts and elements of records, aliases,
 *                         enums, constants, ioctls, lists of warnings; each
 *                         group in the order of documents
 *   ARCHIVE_VERSION_SETS  the version set of each element of ARCHIVE_THINGS
 *                         and of each of ARCHIVE_LINES, in that order
 *   ARCHIVE_LINES         how many lists of lines, and for each: its path's
 *                         number, its size in bytes, and the lines
 *
 * A thing says which versions have it; a version does not list its things. A
 * version set in one target is a count of spans, and for each span the number
 * of versions since the end of the one before, and its length less 1. The
 * first target has that; every other one has 0 if it is as in the target
 * before, else that with 1 added to the count. A record that came with
 * 535.43.02, was never changed again and is the same for all targets is four
 * bytes, however many versions there are. To read a version is to walk over
 * all things and to select those that have it; no version needs another one.
 *
 * What changes all the time is the line in which a thing is declared. So a
 * thing has a path and a column only, and its line is in a list: all lines of
 * the things that one version has in one file, those of records first, then
 * of enums, then of ioctls, in the order of documents, each as the (folded)
 * difference to the one before. Versions with equal files share lists.
 *
 * A record's layout (size, align, union or struct, fields) is written out
 * where it is first used, and numbered; other records, a typedef of it or
 * the same under another name, are ARCHIVE_LAYOUT_KNOWN plus its number.
 */
#ifndef STORE_FORM_H
#define STORE_FORM_H

#include <stddef.h>
#include <stdint.h>

#define ARCHIVE_MAGIC "drvarch\x02"

enum archive_block {
	ARCHIVE_VERSIONS,
	ARCHIVE_STRINGS,
	ARCHIVE_THINGS,
	ARCHIVE_VERSION_SETS,
	ARCHIVE_LINES,
};

enum {
	ARCHIVE_BLOCK_COUNT = ARCHIVE_LINES + 1,
	ARCHIVE_MAGIC_BYTES = 8,
	ARCHIVE_SIZE_AT = 8,
	ARCHIVE_HASH_AT = 16,
	ARCHIVE_TABLE_AT = 32,
	ARCHIVE_ROW_BYTES = 32,     /* of the block table */
	ARCHIVE_ROW_UNPACKED_AT = 8,
	ARCHIVE_ROW_HASH_AT = 16,
	ARCHIVE_BLOCKS_AT = ARCHIVE_TABLE_AT + ARCHIVE_BLOCK_COUNT * ARCHIVE_ROW_BYTES,
	ARCHIVE_UNPACKED_LIMIT_BYTES = 64 * 1024 * 1024,
	ARCHIVE_TARGETS_MAX = 16,
};

/* A version set in a target that is not the first. */
enum {
	ARCHIVE_SET_AS_BEFORE = 0,
	ARCHIVE_SET_OWN = 1, /* plus the count of spans */
};

enum {
	ARCHIVE_STRING_NEXT = 0,
	ARCHIVE_STRING_NULL = 1,
	ARCHIVE_STRING_FIRST = 2, /* plus the string's number */
};

enum {
	ARCHIVE_LAYOUT_NEW = 0,
	ARCHIVE_LAYOUT_KNOWN = 1, /* plus the layout's number */
};

/* One number per field: the role and whether it is a bit-field. */
enum {
	ARCHIVE_FIELD_BITFIELD = 1,
	ARCHIVE_FIELD_ROLE_SHIFT = 1,
};

/* What follows the path of a location: nothing, a line, or a line and a column. */
enum {
	ARCHIVE_LOCATION_WHOLE = 0,
	ARCHIVE_LOCATION_LINE = 1,
	ARCHIVE_LOCATION_COLUMN = 2, /* plus the column */
};

_Static_assert(sizeof(ARCHIVE_MAGIC) - 1 == ARCHIVE_MAGIC_BYTES, "the magic fills its bytes");

#endif
