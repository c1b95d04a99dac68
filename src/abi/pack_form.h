/*
 * abi/pack_form.h - the form of a packed document
 *
 * Layer L1, private to abi/: what pack.c writes and unpack.c reads.
 *
 *   header   8 bytes of magic, the last of which is the version of this form;
 *            8 bytes, little endian: how many bytes follow the header;
 *            16 bytes: XXH3 (128 bits, canonical order) of those bytes
 *   strings  how many there are, how many bytes they take, then the strings,
 *            each with its NUL, each once, in the order of their first use
 *   body     driver, version, commit, target; then a count and the elements
 *            of records, aliases, enums, constants, ioctls and warnings
 *
 * All numbers are varints: seven bits a byte, the lowest first, no more bytes
 * than it takes. A string is 0 for the next one that has not been used yet,
 * 1 for NULL, or its number plus 2: most are used once and cost one byte. A
 * record whose array of fields is that of an earlier one (a tag and its
 * typedef) names that record instead of repeating them.
 */
#ifndef ABI_PACK_FORM_H
#define ABI_PACK_FORM_H

#include <xxhash.h>

#define PACK_MAGIC "drvpack\x01"

enum {
	PACK_MAGIC_BYTES = 8,
	PACK_SIZE_AT = 8,
	PACK_HASH_AT = 16,
	PACK_HEADER_BYTES = 32,
};

enum {
	PACK_STRING_NEXT = 0,
	PACK_STRING_NULL = 1,
	PACK_STRING_FIRST = 2, /* plus the string's number */
};

enum {
	PACK_FIELDS_OWN = 0,
	PACK_FIELDS_SHARED = 1, /* plus the record's number */
};

/* One byte per field: the role and whether it is a bit-field. */
enum {
	PACK_FIELD_ROLE = 0x7f,
	PACK_FIELD_BITFIELD = 0x80,
};

_Static_assert(sizeof(PACK_MAGIC) - 1 == PACK_MAGIC_BYTES, "the magic fills its place");
_Static_assert(PACK_HASH_AT + sizeof(XXH128_canonical_t) == PACK_HEADER_BYTES, "the hash ends the header");

#endif
