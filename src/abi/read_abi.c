/*
 * abi/read_abi.c - a document from JSON: "drvabi-abi/1", and what gVisor's driver_ast_parser prints
 *
 * The text may have any order; abi_builder sorts.
 */
#include "abi/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct ast_parser;

/* Dimensions as a type has them, outermost first. */
struct dims {
	const uint64_t *item;
	size_t count;
	bool flexible; /* the first is [] */
	bool is_start; /* what the type is based on is unknown, and may have more */
};

static struct json_value member_of(const struct json_value *object, const char *key)
{
	struct json_value child = json_first(object);

	while (child.item && strcmp(child.key, key))
		json_next(&child);
	return child;
}

static int check_dim(const struct json_value *at, const struct dims *dims, const char *type, struct err *err)
{
	struct abi_number number = { 0 };
	char text[24];
	int rc;

	if ((rc = json_expect(at, JSON_WANT_INTEGER | JSON_WANT_NULL, err)) ||
	    (!json_is_null(at) && (rc = json_get_number(&number, at, err))))
		return rc;
	if (at->index >= dims->count)
		return 0;
	if (!at->index && dims->flexible)
		return json_is_null(at)
			       ? 0
			       : json_fail(at, ERR_FORMAT, err,
					   "the type \"%.100s\" has no length here; null is expected", type);
	if (!json_is_null(at) && abi_number_equal(number, abi_number_unsigned(dims->item[at->index])))
		return 0;
	return json_fail(at, ERR_FORMAT, err, "the type \"%.100s\" has %s here, not %s", type,
			 abi_number_text(abi_number_unsigned(dims->item[at->index]), (char[24]){ 0 }),
			 json_is_null(at) ? "null" : abi_number_text(number, text));
}

static int check_dims(const struct json_value *at, const struct dims *dims, const char *type, struct err *err)
{
	size_t count = json_count(at);
	struct json_value child;
	int rc = 0;

	if (count < dims->count || (count > dims->count && !dims->is_start))
		return json_fail(at, ERR_FORMAT, err, "the type \"%.100s\" has %zu dimension%s, not %zu",
				 type, dims->count, dims->count == 1 ? "" : "s", count);
	for (child = json_first(at); child.item && !rc; json_next(&child))
		rc = check_dim(&child, dims, type, err);
	return rc;
}

static int check_field_dims(const struct json_value *field, const char *type, const struct abi *abi,
			    struct err *err)
{
	struct json_value dims = member_of(field, "dims");
	struct abi_spelling spelling;
	struct abi_type resolved;
	struct dims known;

	if (!dims.item)
		return 0;
	if (member_of(field, "bit_width").item)
		return json_fail(&dims, ERR_FORMAT, err, "a bit-field has no dimensions");
	if (!abi_resolve_type(&resolved, abi, type, NULL)) {
		known = (struct dims){ resolved.dimension, resolved.dimension_count, resolved.flexible,
				       false };
		return check_dims(&dims, &known, type, err);
	}
	/* A document that was cut down may lack the alias: what is spelled must still be so. */
	abi_spelling_parse(&spelling, type, NULL);
	known = (struct dims){ spelling.dimension, spelling.dimension_count, spelling.flexible, true };
	return check_dims(&dims, &known, type, err);
}

static int check_record(const struct json_value *at, const struct abi *abi, struct err *err)
{
	const struct abi_record *record = abi_find_record(abi, at->key);
	struct json_value fields = member_of(at, "fields"), field;
	int rc = 0;

	for (field = json_first(&fields); field.item && !rc; json_next(&field))
		rc = check_field_dims(&field, record->fields[field.index].type, abi, err);
	return rc;
}

/**
 * read_dims_check - are the "dims" in the text those that the types have?
 * @root: the text of @abi, whose records json_read_abi() has accepted
 *
 * Return: 0; ERR_FORMAT with the path of the first that contradicts.
 */
static int read_dims_check(const struct json_value *root, const struct abi *abi, struct err *err)
{
	struct json_value records = member_of(root, "records"), record;
	int rc = 0;

	for (record = json_first(&records); record.item && !rc; json_next(&record))
		rc = check_record(&record, abi, err);
	return rc;
}

/* What the number says as well is held against it. */
static int check_ioc_part(const struct abi_ioctl *ioctl, enum abi_ioc_field field,
			  const struct json_value *at, struct err *err)
{
	unsigned said = abi_ioc_get(ioctl->number, field);
	uint64_t value;
	int rc = json_get_unsigned(&value, at, UINT32_MAX, err);

	if (!rc && value != said)
		rc = json_fail(at, ERR_FORMAT, err, "the ioctl's number says that the %s is %u",
			       abi_ioc_field_name(field), said);
	return rc;
}

static int read_varies(struct abi_ioctl *ioctl, const struct json_value *at, struct err *err)
{
	struct profile_strings words;
	struct json_value child;
	struct arena scratch = { 0 };
	int rc = json_get_strings(&words, at, &scratch, err);

	for (child = json_first(at); child.item && !rc; json_next(&child)) {
		int field = 0;

		while (field < ABI_IOC_FIELD_COUNT &&
		       strcmp(abi_ioc_field_name((enum abi_ioc_field)field), words.item[child.index]))
			field++;
		if (field == ABI_IOC_FIELD_COUNT)
			rc = json_fail(&child, ERR_FORMAT, err,
				       "a number consists of nr, type, size and direction");
		else
			ioctl->varies |= 1u << field;
	}
	arena_release(&scratch);
	return rc;
}

/**
 * json_read_ioc - the "ioc" of an ioctl
 * @ioctl: its number is set; its encoding, varies and argument are set here
 * @at: absent is fine: then the number is plain
 *
 * Return: 0; ERR_FORMAT, also if the number says something else.
 */
static int json_read_ioc(struct abi_ioctl *ioctl, const struct json_value *at, struct arena *arena,
			 struct err *err)
{
	enum { DIRECTION, TYPE, NR, SIZE, KNOWN_BY, ARGUMENT, VARIES, COUNT };
	static const struct json_member members[] = {
		[DIRECTION] = { "direction", JSON_WANT_STRING },
		[TYPE] = { "type", JSON_WANT_INTEGER },
		[NR] = { "nr", JSON_WANT_INTEGER },
		[SIZE] = { "size", JSON_WANT_INTEGER },
		[KNOWN_BY] = { "known_by", JSON_WANT_STRING },
		[ARGUMENT] = { "argument", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[VARIES] = { "varies", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
	};
	const char *direction = abi_ioc_direction_name(abi_ioc_get(ioctl->number, ABI_IOC_DIRECTION));
	struct json_value found[COUNT];
	bool by_nr;
	int rc;

	if (!at->item)
		return 0;
	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = check_ioc_part(ioctl, ABI_IOC_TYPE, &found[TYPE], err)) ||
	    (rc = check_ioc_part(ioctl, ABI_IOC_NR, &found[NR], err)) ||
	    (rc = check_ioc_part(ioctl, ABI_IOC_SIZE, &found[SIZE], err)) ||
	    (rc = read_varies(ioctl, &found[VARIES], err)))
		return rc;
	if (strcmp(found[DIRECTION].item->valuestring, direction))
		return json_fail(&found[DIRECTION], ERR_FORMAT, err,
				 "the ioctl's number says that the direction is %s", direction);
	by_nr = !strcmp(found[KNOWN_BY].item->valuestring, "nr");
	if (!by_nr && strcmp(found[KNOWN_BY].item->valuestring, "number"))
		return json_fail(&found[KNOWN_BY], ERR_FORMAT, err,
				 "an ioctl is known by \"nr\" or by \"number\"");
	ioctl->encoding = by_nr ? ABI_NUMBER_IOC_BY_NR : ABI_NUMBER_IOC;
	ioctl->argument = json_get_string(&found[ARGUMENT], arena);
	return 0;
}

/* The input of gVisor's driver_ast_parser: the names to look for. */

static int read_wanted_root(struct profile_strings *structs, struct profile_strings *constants,
			    const struct json_value *root, struct arena *arena, struct err *err)
{
	enum { STRUCTS, CONSTANTS, COUNT };
	static const struct json_member members[] = {
		[STRUCTS] = { "structs", JSON_WANT_ARRAY | JSON_WANT_NULL },
		[CONSTANTS] = { "constants", JSON_WANT_ARRAY | JSON_WANT_NULL | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, root, members, COUNT, err)) ||
	    (rc = json_get_strings(structs, &found[STRUCTS], arena, err)))
		return rc;
	return json_get_strings(constants, &found[CONSTANTS], arena, err);
}

int json_read_wanted(struct profile_strings *structs, struct profile_strings *constants, const char *text,
		     size_t size, const char *name, struct arena *arena, struct err *err)
{
	struct profile_strings wanted_structs = { 0 }, wanted_constants = { 0 };
	struct json_value root;
	int rc;

	if ((rc = json_parse(&root, text, size, name, err)))
		return rc;
	rc = read_wanted_root(&wanted_structs, &wanted_constants, &root, arena, err);
	json_parse_free(&root);
	if (!rc) {
		*structs = wanted_structs;
		*constants = wanted_constants;
	}
	return rc;
}

/* Bytes: two of these added and made bits still fit 64 bits. */
#define BYTES_MAX ((UINT64_C(1) << 60) - 1)

enum {
	BIT_FIELD_WIDTH_MAX = 128, /* __int128 */
	OPTIONAL_INTEGER = JSON_WANT_INTEGER | JSON_WANT_OPTIONAL,
	OPTIONAL_STRING = JSON_WANT_STRING | JSON_WANT_OPTIONAL,
};

/* A name of the document and the bytes that it stands for. */
struct sized_name {
	const char *name;
	const char *canonical; /* of an alias; NULL for a record */
	uint64_t size_bytes;
};

struct ast_parser {
	struct sized_name *names; /* sorted by name */
	size_t count;
};

struct abi_reader {
	struct abi_builder *builder;
	struct ast_parser *ast_parser; /* NULL for a document of ours */
	struct arena *arena;
	struct err *err;
};

/* The members of a field, found but not read yet. */
enum {
	FIELD_NAME,
	FIELD_TYPE,
	FIELD_OFFSET,
	FIELD_SIZE,
	FIELD_BIT_OFFSET,
	FIELD_BIT_WIDTH,
	FIELD_DIMS,
	FIELD_ROLE,
	FIELD_COUNT
};

static int read_bit_field(struct abi_field *out, const struct json_value *found, struct err *err)
{
	uint64_t offset = out->offset_bits / 8;
	int rc;

	if (found[FIELD_SIZE].item)
		return json_fail(&found[FIELD_SIZE], ERR_FORMAT, err,
				 "a bit-field has a \"bit_width\" instead of a size");
	if (!found[FIELD_BIT_OFFSET].item || !found[FIELD_BIT_WIDTH].item)
		return json_fail(found[FIELD_NAME].parent, ERR_FORMAT, err,
				 "\"bit_offset\" and \"bit_width\" go together, and one is missing");
	if ((rc = json_get_unsigned(&out->offset_bits, &found[FIELD_BIT_OFFSET], BYTES_MAX * 8, err)) ||
	    (rc = json_get_unsigned(&out->size_bits, &found[FIELD_BIT_WIDTH], BIT_FIELD_WIDTH_MAX, err)))
		return rc;
	if (out->offset_bits / 8 != offset)
		return json_fail(&found[FIELD_BIT_OFFSET], ERR_FORMAT, err,
				 "bit %llu is not in the byte that \"offset\" names",
				 (unsigned long long)out->offset_bits);
	out->is_bitfield = true;
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct sized_name *)a)->name, ((const struct sized_name *)b)->name);
}

static const struct sized_name *find_name(const struct ast_parser *parser, const char *name)
{
	struct sized_name key = { .name = name };

	return bsearch(&key, parser->names, parser->count, sizeof(key), compare_names);
}

/* "T[B][C][A]", as the tool prints T x[A][B][C], in the order of C. */
static const char *in_c_order(const struct abi_spelling *spelling, const char *type, struct arena *arena)
{
	const char *last = strrchr(type, '[');
	int base = (int)spelling->base_length;

	if (spelling->dimension_count < 2)
		return type;
	return arena_printf(arena, "%.*s%s%.*s", base, type, last, (int)(last - type) - base, type + base);
}

/**
 * ast_parser_field - size and spelling of a field
 * @type: the member "type"
 * @field: type and size_bits are set
 *
 * ERR_FORMAT if neither records nor aliases say what the type is.
 */
static int ast_parser_field(struct abi_field *field, const struct ast_parser *parser,
			    const struct json_value *type, struct arena *arena, struct err *err)
{
	const char *text = type->item->valuestring;
	const struct sized_name *name;
	struct abi_spelling spelling;
	uint64_t count = 1, bytes;
	const char *element = text;

	if (abi_spelling_parse(&spelling, text, err))
		return json_fail(type, ERR_FORMAT, err, "\"%.100s\" is no type", text);
	if (spelling.dimension_count) {
		element = arena_strndup(arena, text, (size_t)(strrchr(text, '[') - text));
		count = spelling.dimension[spelling.dimension_count - 1];
	}
	name = find_name(parser, element);
	if (!name)
		return json_fail(type, ERR_FORMAT, err,
				 "neither records nor aliases say how large \"%.100s\" is, and a document without \"format\" has no sizes of fields",
				 element);
	if (__builtin_mul_overflow(count, name->size_bytes, &bytes) || bytes > UINT64_MAX >> 4)
		return json_fail(type, ERR_FORMAT, err, "the array is too large");
	field->size_bits = bytes * 8;
	field->type = in_c_order(&spelling, arena_strdup(arena, text), arena);
	return 0;
}

static int read_field_size(struct abi_field *out, const struct json_value *found, struct abi_reader *reader)
{
	int rc;

	if (found[FIELD_BIT_OFFSET].item || found[FIELD_BIT_WIDTH].item)
		return read_bit_field(out, found, reader->err);
	if (!found[FIELD_SIZE].item && reader->ast_parser)
		return ast_parser_field(out, reader->ast_parser, &found[FIELD_TYPE], reader->arena,
					reader->err);
	if (!found[FIELD_SIZE].item)
		return json_fail(found[FIELD_NAME].parent, ERR_FORMAT, reader->err,
				 "the key \"size\" is missing");
	if ((rc = json_get_unsigned(&out->size_bits, &found[FIELD_SIZE], BYTES_MAX, reader->err)))
		return rc;
	out->size_bits *= 8;
	return 0;
}

static int read_role(enum abi_role *out, const struct json_value *at, struct err *err)
{
	if (!at->item)
		return 0;
	if (!*at->item->valuestring || abi_role_parse(out, at->item->valuestring, NULL))
		return json_fail(at, ERR_FORMAT, err, "\"%.60s\" is no role", at->item->valuestring);
	return 0;
}

static int read_field(struct abi_field *out, const struct json_value *at, struct abi_reader *reader)
{
	static const struct json_member members[] = {
		[FIELD_NAME] = { "name", JSON_WANT_STRING },
		[FIELD_TYPE] = { "type", JSON_WANT_STRING },
		[FIELD_OFFSET] = { "offset", JSON_WANT_INTEGER },
		[FIELD_SIZE] = { "size", OPTIONAL_INTEGER },
		[FIELD_BIT_OFFSET] = { "bit_offset", OPTIONAL_INTEGER },
		[FIELD_BIT_WIDTH] = { "bit_width", OPTIONAL_INTEGER },
		[FIELD_DIMS] = { "dims", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL }, /* see read_dims_check() */
		[FIELD_ROLE] = { "role", OPTIONAL_STRING },
	};
	struct json_value found[FIELD_COUNT];
	struct abi_spelling spelling;
	struct err why;
	int rc;

	if ((rc = json_members(found, at, members, FIELD_COUNT, reader->err)) ||
	    (rc = json_get_unsigned(&out->offset_bits, &found[FIELD_OFFSET], BYTES_MAX, reader->err)) ||
	    (rc = read_role(&out->role, &found[FIELD_ROLE], reader->err)))
		return rc;
	out->offset_bits *= 8;
	out->name = json_get_string(&found[FIELD_NAME], reader->arena);
	out->type = json_get_string(&found[FIELD_TYPE], reader->arena);
	if ((rc = abi_spelling_parse(&spelling, out->type, &why)))
		return json_fail(&found[FIELD_TYPE], rc, reader->err, "%s", why.text);
	return read_field_size(out, found, reader);
}

static int read_fields(struct abi_record *out, const struct json_value *at, struct abi_reader *reader)
{
	struct abi_field *fields;
	struct json_value child;
	int rc;

	out->field_count = json_count(at);
	out->fields = fields = arena_array(reader->arena, out->field_count + 1, sizeof(*fields));
	for (child = json_first(at); child.item; json_next(&child)) {
		struct abi_field *field = &fields[child.index];

		if ((rc = read_field(field, &child, reader)))
			return rc;
		if (field->offset_bits + field->size_bits > out->size_bytes * 8)
			return json_fail(&child, ERR_FORMAT, reader->err,
					 "the field ends behind its record, which has %llu bytes",
					 (unsigned long long)out->size_bytes);
	}
	return 0;
}

static int read_record(const struct json_value *at, struct abi_reader *reader)
{
	enum { FIELDS, SIZE, ALIGN, IS_UNION, SOURCE, COUNT };
	static const struct json_member members[] = {
		[FIELDS] = { "fields",
			     JSON_WANT_ARRAY |
				     JSON_WANT_NULL }, /* driver_ast_parser: null if there are none */
		[SIZE] = { "size", JSON_WANT_INTEGER },
		[ALIGN] = { "align", OPTIONAL_INTEGER },
		[IS_UNION] = { "is_union", JSON_WANT_BOOL },
		[SOURCE] = { "source", OPTIONAL_STRING },
	};
	struct abi_record record = { .name = arena_strdup(reader->arena, at->key) };
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, reader->err)) ||
	    (rc = json_get_unsigned(&record.size_bytes, &found[SIZE], BYTES_MAX, reader->err)))
		return rc;
	if (!found[ALIGN].item && !reader->ast_parser)
		return json_fail(at, ERR_FORMAT, reader->err, "the key \"align\" is missing");
	if (found[ALIGN].item &&
	    (rc = json_get_unsigned(&record.align_bytes, &found[ALIGN], BYTES_MAX, reader->err)))
		return rc;
	record.is_union = json_is_true(&found[IS_UNION]);
	record.source = found[SOURCE].item ? json_get_string(&found[SOURCE], reader->arena) : "";
	if ((rc = read_fields(&record, &found[FIELDS], reader)))
		return rc;
	abi_builder_record(reader->builder, &record);
	return 0;
}

static int read_alias(const struct json_value *at, struct abi_reader *reader)
{
	enum { TYPE, SIZE, COUNT };
	static const struct json_member members[] = {
		[TYPE] = { "type", JSON_WANT_STRING },
		[SIZE] = { "size", JSON_WANT_INTEGER },
	};
	struct abi_alias alias = { .name = arena_strdup(reader->arena, at->key) };
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, reader->err)) ||
	    (rc = json_get_unsigned(&alias.size_bytes, &found[SIZE], BYTES_MAX, reader->err)))
		return rc;
	alias.type = json_get_string(&found[TYPE], reader->arena);
	abi_builder_alias(reader->builder, &alias);
	return 0;
}

static int compare_enumerators(const void *a, const void *b)
{
	return strcmp(((const struct abi_enumerator *)a)->name, ((const struct abi_enumerator *)b)->name);
}

static int read_enumerators(struct abi_enum *out, const struct json_value *at, struct abi_reader *reader)
{
	struct abi_enumerator *values;
	struct json_value child;
	int rc;

	out->value_count = json_count(at);
	out->values = values = arena_array(reader->arena, out->value_count + 1, sizeof(*values));
	for (child = json_first(at); child.item; json_next(&child)) {
		values[child.index].name = arena_strdup(reader->arena, child.key);
		if ((rc = json_expect(&child, JSON_WANT_INTEGER, reader->err)) ||
		    (rc = json_get_number(&values[child.index].value, &child, reader->err)))
			return rc;
	}
	qsort(values, out->value_count, sizeof(*values), compare_enumerators);
	return 0;
}

static int read_enum(const struct json_value *at, struct abi_reader *reader)
{
	enum { TYPE, SIZE, VALUES, SOURCE, COUNT };
	static const struct json_member members[] = {
		[TYPE] = { "type", JSON_WANT_STRING },
		[SIZE] = { "size", JSON_WANT_INTEGER },
		[VALUES] = { "values", JSON_WANT_OBJECT },
		[SOURCE] = { "source", OPTIONAL_STRING },
	};
	struct abi_enum one = { .name = arena_strdup(reader->arena, at->key) };
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, reader->err)) ||
	    (rc = json_get_unsigned(&one.size_bytes, &found[SIZE], BYTES_MAX, reader->err)) ||
	    (rc = read_enumerators(&one, &found[VALUES], reader)))
		return rc;
	one.type = json_get_string(&found[TYPE], reader->arena);
	one.source = found[SOURCE].item ? json_get_string(&found[SOURCE], reader->arena) : "";
	abi_builder_enum(reader->builder, &one);
	return 0;
}

static int read_constant(const struct json_value *at, struct abi_reader *reader)
{
	struct abi_constant constant = { .name = arena_strdup(reader->arena, at->key) };
	int rc;

	if ((rc = json_expect(at, JSON_WANT_INTEGER, reader->err)) ||
	    (rc = json_get_number(&constant.value, at, reader->err)))
		return rc;
	abi_builder_constant(reader->builder, &constant);
	return 0;
}

static int read_ioctl(const struct json_value *at, struct abi_reader *reader)
{
	enum { FAMILY, NAME, NUMBER, PARAMS, FLAGS, ACCESS, ENCODING, SOURCE, COUNT };
	static const struct json_member members[] = {
		[FAMILY] = { "family", JSON_WANT_STRING },
		[NAME] = { "name", JSON_WANT_STRING },
		[NUMBER] = { "number", JSON_WANT_INTEGER },
		[PARAMS] = { "params", JSON_WANT_NULL | OPTIONAL_STRING },
		[FLAGS] = { "flags", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[ACCESS] = { "access", OPTIONAL_STRING },
		[ENCODING] = { "ioc", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
		[SOURCE] = { "source", OPTIONAL_STRING },
	};
	struct json_value found[COUNT];
	struct profile_strings flags;
	struct abi_ioctl ioctl = { 0 };
	int rc;

	if ((rc = json_members(found, at, members, COUNT, reader->err)) ||
	    (rc = json_get_unsigned(&ioctl.number, &found[NUMBER], UINT64_MAX, reader->err)) ||
	    (rc = json_read_ioc(&ioctl, &found[ENCODING], reader->arena, reader->err)) ||
	    (rc = json_get_strings(&flags, &found[FLAGS], reader->arena, reader->err)))
		return rc;
	ioctl.family = json_get_string(&found[FAMILY], reader->arena);
	ioctl.name = json_get_string(&found[NAME], reader->arena);
	ioctl.params = json_get_string(&found[PARAMS], reader->arena);
	ioctl.flags = flags.item;
	ioctl.flag_count = flags.count;
	ioctl.access = json_get_string(&found[ACCESS], reader->arena);
	ioctl.source = found[SOURCE].item ? json_get_string(&found[SOURCE], reader->arena) : "";
	abi_builder_ioctl(reader->builder, &ioctl);
	return 0;
}

static int read_warning(const struct json_value *at, struct abi_reader *reader)
{
	enum { PLACE, TEXT, COUNT };
	static const struct json_member members[] = {
		[PLACE] = { "place", JSON_WANT_STRING },
		[TEXT] = { "text", JSON_WANT_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, reader->err)))
		return rc;
	abi_builder_warning(reader->builder, json_get_string(&found[PLACE], reader->arena), "%s",
			    json_get_string(&found[TEXT], reader->arena));
	return 0;
}

static int for_each(const struct json_value *parent, struct abi_reader *reader,
		    int (*read_one)(const struct json_value *at, struct abi_reader *reader))
{
	struct json_value child;
	int rc = 0;

	for (child = json_first(parent); child.item && !rc; json_next(&child))
		rc = read_one(&child, reader);
	return rc;
}

enum {
	ROOT_FORMAT,
	ROOT_DRIVER,
	ROOT_VERSION,
	ROOT_COMMIT,
	ROOT_TARGET,
	ROOT_ENUMS,
	ROOT_IOCTLS,
	ROOT_WARNINGS,
	ROOT_RECORDS,
	ROOT_ALIASES,
	ROOT_CONSTANTS,
	ROOT_COUNT,
	ROOT_OURS = ROOT_RECORDS
};

/* A document without "format" is driver_ast_parser's, and has none of the members that only ours have. */
static int check_format(const struct json_value *found, const struct json_value *root, struct err *err)
{
	size_t i;

	if (found[ROOT_FORMAT].item) {
		for (i = ROOT_DRIVER; i < ROOT_OURS; i++)
			if (!found[i].item && i != ROOT_WARNINGS)
				return json_fail(root, ERR_FORMAT, err, "the key \"%s\" is missing",
						 found[i].key);
		return json_expect_format(&found[ROOT_FORMAT], ABI_FORMAT, err);
	}
	for (i = 0; i < ROOT_OURS; i++)
		if (found[i].item)
			return json_fail(root, ERR_FORMAT, err,
					 "the key \"format\" is missing; \"%s\" is expected", ABI_FORMAT);
	return 0;
}

/* Only what is needed here; the readers of records and aliases check the rest. */
static int add_names(struct ast_parser *parser, const struct json_value *parent, struct arena *arena,
		     struct err *err)
{
	enum { FIELDS, SIZE, ALIGN, IS_UNION, SOURCE, TYPE, COUNT };
	static const struct json_member members[] = {
		[FIELDS] = { "fields", JSON_WANT_ARRAY | JSON_WANT_NULL | JSON_WANT_OPTIONAL },
		[SIZE] = { "size", JSON_WANT_INTEGER },
		[ALIGN] = { "align", JSON_WANT_INTEGER | JSON_WANT_OPTIONAL },
		[IS_UNION] = { "is_union", JSON_WANT_BOOL | JSON_WANT_OPTIONAL },
		[SOURCE] = { "source", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[TYPE] = { "type", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT], child;
	int rc;

	for (child = json_first(parent); child.item; json_next(&child)) {
		struct sized_name *name = &parser->names[parser->count];

		if ((rc = json_members(found, &child, members, COUNT, err)) ||
		    (rc = json_get_unsigned(&name->size_bytes, &found[SIZE], UINT64_MAX >> 4, err)))
			return rc;
		name->name = arena_strdup(arena, child.key);
		name->canonical = json_get_string(&found[TYPE], arena);
		parser->count++;
	}
	return 0;
}

/* The elements that all dimensions make up; 0 if that is none or too many. */
static uint64_t product(const struct abi_spelling *spelling)
{
	uint64_t count = 1;
	size_t i;

	for (i = 0; i < spelling->dimension_count; i++)
		if (__builtin_mul_overflow(count, spelling->dimension[i], &count))
			return 0;
	return count;
}

/* Is @type made of C's own words for scalars? Only of those it is certain that they are no records. */
static bool is_builtin(const char *type)
{
	static const char *const words[] = { "unsigned", "signed", "char",  "short",  "int",     "long",
					     "_Bool",    "bool",   "float", "double", "__int128" };
	size_t i, length;

	for (; *type; type += length + strspn(type + length, " ")) {
		length = strcspn(type, " ");
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (strlen(words[i]) == length && !memcmp(words[i], type, length))
				break;
		if (i == sizeof(words) / sizeof(words[0]))
			return false;
	}
	return true;
}

/* "T[B]" is known and T is not: T follows, if it is a scalar. */
static void derive_element(const struct ast_parser *parser, const struct sized_name *array,
			   struct abi_builder *builder, struct arena *arena)
{
	struct abi_spelling spelled, canonical;
	struct abi_alias alias;
	uint64_t count;

	if (!array->canonical || abi_spelling_parse(&spelled, array->name, NULL) ||
	    !spelled.dimension_count || abi_spelling_parse(&canonical, array->canonical, NULL))
		return;
	count = product(&spelled);
	alias.name = arena_strndup(arena, spelled.base, spelled.base_length);
	alias.type = arena_strndup(arena, canonical.base, canonical.base_length);
	if (!count || !is_builtin(alias.type) || find_name(parser, alias.name))
		return;
	alias.size_bytes = array->size_bytes / count;
	abi_builder_alias(builder, &alias);
}

/**
 * ast_parser_new - look up sizes of the names in a document
 * @records, @aliases: its members, both accepted as objects
 *
 * Adds aliases that follow from those which are there to @builder.
 */
static int ast_parser_new(struct ast_parser **out, const struct json_value *records,
			  const struct json_value *aliases, struct abi_builder *builder, struct arena *arena,
			  struct err *err)
{
	struct ast_parser *parser = arena_alloc(arena, sizeof(*parser));
	size_t i;
	int rc;

	parser->names =
		arena_array(arena, json_count(records) + json_count(aliases) + 1, sizeof(*parser->names));
	if ((rc = add_names(parser, records, arena, err)) || (rc = add_names(parser, aliases, arena, err)))
		return rc;
	qsort(parser->names, parser->count, sizeof(*parser->names), compare_names);
	for (i = 0; i < parser->count; i++)
		derive_element(parser, &parser->names[i], builder, arena);
	*out = parser;
	return 0;
}

static int read_root(struct abi *head, const struct json_value *root, struct abi_reader *reader)
{
	static const struct json_member members[] = {
		[ROOT_FORMAT] = { "format", OPTIONAL_STRING },
		[ROOT_DRIVER] = { "driver", OPTIONAL_STRING },
		[ROOT_VERSION] = { "version", OPTIONAL_STRING },
		[ROOT_COMMIT] = { "commit", OPTIONAL_STRING },
		[ROOT_TARGET] = { "target", OPTIONAL_STRING },
		[ROOT_ENUMS] = { "enums", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
		[ROOT_IOCTLS] = { "ioctls", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[ROOT_WARNINGS] = { "warnings", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[ROOT_RECORDS] = { "records", JSON_WANT_OBJECT | JSON_WANT_NULL },
		[ROOT_ALIASES] = { "aliases", JSON_WANT_OBJECT | JSON_WANT_NULL },
		[ROOT_CONSTANTS] = { "constants", JSON_WANT_OBJECT | JSON_WANT_NULL },
	};
	struct json_value found[ROOT_COUNT];
	const char **text[] = { &head->driver, &head->version, &head->commit, &head->target };
	size_t i;
	int rc;

	if ((rc = json_members(found, root, members, ROOT_COUNT, reader->err)) ||
	    (rc = check_format(found, root, reader->err)))
		return rc;
	for (i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		*text[i] = found[ROOT_DRIVER + i].item
				   ? json_get_string(&found[ROOT_DRIVER + i], reader->arena)
				   : "";
	if (!found[ROOT_FORMAT].item &&
	    (rc = ast_parser_new(&reader->ast_parser, &found[ROOT_RECORDS], &found[ROOT_ALIASES],
				 reader->builder, reader->arena, reader->err)))
		return rc;
	if ((rc = for_each(&found[ROOT_RECORDS], reader, read_record)) ||
	    (rc = for_each(&found[ROOT_ALIASES], reader, read_alias)) ||
	    (rc = for_each(&found[ROOT_ENUMS], reader, read_enum)) ||
	    (rc = for_each(&found[ROOT_CONSTANTS], reader, read_constant)) ||
	    (rc = for_each(&found[ROOT_IOCTLS], reader, read_ioctl)))
		return rc;
	return for_each(&found[ROOT_WARNINGS], reader, read_warning);
}

int json_read_abi(struct abi *out, const char *text, size_t size, const char *name, struct arena *arena,
		  struct err *err)
{
	struct abi_reader reader = { .arena = arena, .err = err };
	struct json_value root;
	struct abi head = { 0 }, abi;
	int rc;

	if ((rc = json_parse(&root, text, size, name, err)))
		return rc;
	reader.builder = abi_builder_new(arena);
	rc = read_root(&head, &root, &reader);
	if (!rc) {
		abi_builder_seal(&abi, reader.builder, &head);
		rc = read_dims_check(&root, &abi, err);
	}
	if (!rc)
		*out = abi;
	abi_builder_free(reader.builder);
	json_parse_free(&root);
	return rc;
}
