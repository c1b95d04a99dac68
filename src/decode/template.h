/*
 * decode/template.h - where the fields of a record are, for any bytes of it
 *
 * Internal to decode/. Types are resolved and paths are made once; the same
 * template then serves every payload of the record.
 */
#ifndef DECODE_TEMPLATE_H
#define DECODE_TEMPLATE_H

#include "decode/call.h"
#include "decode/fields.h"

/* A field that counts the elements of an array; size 0: none does. */
struct template_count {
	const char *name;
	uint64_t offset_bits, size_bits;
};

enum template_name {
	TEMPLATE_UNNAMED,
	TEMPLATE_ENUMERATOR,
	TEMPLATE_STATUS,  /* of the resource manager */
	TEMPLATE_CLASS,   /* the number of an allocation class */
	TEMPLATE_COMMAND, /* the number of a control command */
	TEMPLATE_ESCAPE,  /* of an ioctl of the frontend, in another one */
	TEMPLATE_WORD,    /* a field that chooses a union's member */
};

struct template_field {
	struct decode_field field; /* but what the bytes say */
	struct template_count count; /* of its elements */
	enum template_name name;
	const struct union_rule *rule; /* with TEMPLATE_WORD */
};

/* A member of a union that some bytes chose. */
struct template_choice {
	const struct union_rule *rule;
	struct call_field by;             /* the field that chooses, from the start of the payload */
	const struct union_choice *made;  /* NULL: its value has no member */
};

/* An array of records. */
struct template_fold {
	const char *path;
	uint64_t offset_bytes, element_bytes, count;
	const size_t *first;       /* the field that each element begins with; one more, where the array ends */
	struct template_count counted;
};

struct decode_template {
	const struct abi *abi;
	const char *type;
	uint64_t size_bytes;
	const struct template_field *fields;
	size_t count;
	const struct template_fold *folds; /* in the order of their first fields, outer ones before inner ones */
	size_t fold_count;
	const struct decode_padding *gaps; /* bytes that no field covers */
	size_t gap_count;
	const struct template_choice *choices; /* bytes that make others need another template */
	size_t choice_count;
};

/**
 * decode_template_compile - the fields of a type
 * @unions: which member of a union is valid; NULL: that is not known
 * @type:   a record, an alias, or an array of such: "NvU32[8]"
 * @bytes:  @size_bytes of it; only what chooses a union's member is looked at
 *
 * Return: 0; ERR_LAYOUT if a field is not inside the type's bytes; ERR_LIMIT if there are more than DECODE_FIELDS_MAX,
 * or records nest too deep; ERR_NOT_FOUND, ERR_FORMAT of a type.
 */
int decode_template_compile(struct decode_template *out, const struct abi *abi, const struct union_rules *unions, const char *type,
			    const uint8_t *bytes, uint64_t size_bytes, struct arena *arena, struct err *err);

/* decode_template_fits - do @bytes, as many as the template's, choose the same members? */
bool decode_template_fits(const struct decode_template *form, const uint8_t *bytes);

/* decode_template_apply - the fields of @bytes; @before: the same bytes before the call, NULL: not known. Both must outlive @out. */
void decode_template_apply(struct decode_fields *out, const struct decode_template *form, const uint8_t *bytes, const uint8_t *before,
			   struct arena *arena);

#endif
