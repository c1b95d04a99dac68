/*
 * abi/serial_form.h - the form of a serialized document
 *
 * Layer L1, internal to abi/: what serialize.c writes and deserialize.c reads.
 *
 *   header   8 bytes of magic, the last of which is the version of this form;
 *            8 bytes, little endian: the size of what follows the header;
 *            16 bytes: XXH3 (128 bits, canonical order) of those bytes
 *   strings  how many there are, their size in bytes, then the strings,
 *            each with its NUL, each once, in the order of their first use
 *   body     driver, version, commit, target; then a count and the elements
 *            of records, aliases, enums, constants, ioctls and warnings
 *
 * All numbers are varints (base/varint.h). A string is 0 for the next one that has not been used yet,
 * 1 for NULL, or its number plus 2: most are used once and cost one byte. A
 * record whose array of fields is that of an earlier one (a tag and its
 * typedef) names that record instead of repeating them.
 */
#ifndef ABI_SERIAL_FORM_H
#define ABI_SERIAL_FORM_H

#include <xxhash.h>

#define SERIAL_MAGIC "drvpack\x01"

enum {
	SERIAL_MAGIC_BYTES = 8,
	SERIAL_SIZE_AT = 8,
	SERIAL_HASH_AT = 16,
	SERIAL_HEADER_BYTES = 32,
};

enum {
	SERIAL_STRING_NEXT = 0,
	SERIAL_STRING_NULL = 1,
	SERIAL_STRING_FIRST = 2, /* plus the string's number */
};

enum {
	SERIAL_FIELDS_OWN = 0,
	SERIAL_FIELDS_SHARED = 1, /* plus the record's number */
};

/* One byte per field: the role and whether it is a bit-field. */
enum {
	SERIAL_FIELD_ROLE = 0x7f,
	SERIAL_FIELD_BITFIELD = 0x80,
};

_Static_assert(sizeof(SERIAL_MAGIC) - 1 == SERIAL_MAGIC_BYTES, "the magic fills its bytes");
_Static_assert(SERIAL_HASH_AT + sizeof(XXH128_canonical_t) == SERIAL_HEADER_BYTES, "the hash ends the header");

#endif
