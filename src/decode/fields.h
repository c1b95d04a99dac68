/*
 * decode/fields.h - the bytes of a record as its fields
 *
 * Part of decode/, and of its public face.
 *
 * Every scalar is listed, with the elements of arrays of records one by one and
 * every member of a union, unless call/ knows which one is valid. What a reader
 * would skip is marked, not left out: elements beyond their count are folded.
 */
#ifndef DECODE_FIELDS_H
#define DECODE_FIELDS_H

#include "abi/abi.h"

struct decode_field {
	const char *path;     /* "queries[3].status"; "" if the parameters are one scalar */
	const char *type;     /* as declared */
	uint64_t offset_bits; /* from the start of the parameters */
	uint64_t size_bits;   /* of the whole field; the width of a bit-field */
	bool is_bitfield;
	bool is_array;        /* of scalars */
	enum abi_scalar kind;
	uint64_t element_bytes;
	uint64_t count;       /* elements; 1 if it is no array */
	enum abi_role role;
	const struct abi_enum *enumeration;
	const uint8_t *bytes; /* of the whole payload */
	const char *name;     /* the driver's word for the value: enumerator, status, class; NULL: none */
	uint64_t shown;       /* elements worth showing: as many as their count says, or up to the last that is not 0 */
	const char *counted_by; /* the field that says so; NULL: none */
	bool is_zero;         /* all of it */
	bool is_text;         /* bytes that are a string, with zeros behind */
	const uint8_t *before; /* the payload before the call, if the call changed the field; NULL: it did not, or that is not known */
	const char *name_before; /* the driver's word for that value */
	bool is_text_before;
	uint64_t shown_before; /* elements of that value worth showing */
	const char *object;   /* class of the object that a handle is, path of the file that a descriptor is; NULL: not known */
	bool is_unfollowed;   /* a pointer that was not NULL, and no rule says what the driver does with it */
	const char *member;   /* the union of several members that it is in: its path; NULL: in none */
};

/* Fields from @first up to @until are elements that @counted_by does not count, or zeros at the end of an array. */
struct decode_fold {
	size_t first, until;
	const char *path;       /* of the array */
	uint64_t count, shown;  /* elements */
	const char *counted_by; /* NULL: they are zeros */
	bool is_zero;
};

/* Bytes that no field covers and that are not 0. */
struct decode_padding {
	uint64_t offset, size; /* in bytes */
	bool is_changed;       /* by the call */
};

struct decode_fields {
	const uint8_t *bytes;  /* after the call */
	const uint8_t *before; /* NULL: not known */
	const struct decode_field *fields;
	size_t count;
	const struct decode_fold *folds; /* in order; one may be inside another */
	size_t fold_count;
	const struct decode_padding *padding;
	size_t padding_count;
};

enum { DECODE_FIELDS_MAX = 1 << 20 };

/* decode_field_value - an element of a field whose kind is an integer, a pointer, an enum or a bool. */
struct abi_number decode_field_value(const struct decode_field *field, uint64_t index);

/* decode_field_is_integer - can decode_field_value() say what it is? */
bool decode_field_is_integer(const struct decode_field *field);

/* decode_status_name - NV_OK and its like; NULL if there is no such constant. */
const char *decode_status_name(const struct abi *abi, uint64_t value);

#endif
