/*
 * "drvabi-abi/1" from text, and what gVisor's driver_ast_parser prints.
 * What abi_builder makes of it is sorted, whatever order the text has.
 */
#include "abi/ast_parser.h"
#include "abi/dom.h"
#include "abi/read_dims.h"
#include "abi/read_ioc.h"

#include <stdlib.h>
#include <string.h>

/* Bytes: two of these added and made bits still fit 64 bits. */
#define BYTES_MAX ((UINT64_C(1) << 60) - 1)

enum {
	BIT_FIELD_WIDTH_MAX = 128, /* __int128 */
	OPTIONAL_INTEGER = JSON_WANT_INTEGER | JSON_WANT_OPTIONAL,
	OPTIONAL_STRING = JSON_WANT_STRING | JSON_WANT_OPTIONAL,
};

struct abi_reader {
	struct abi_builder *builder;
	struct ast_parser *ast_parser; /* NULL for a document of ours */
	struct arena *arena;
	struct err *err;
};

/* The members of a field, found but not read yet. */
enum { FIELD_NAME, FIELD_TYPE, FIELD_OFFSET, FIELD_SIZE, FIELD_BIT_OFFSET, FIELD_BIT_WIDTH, FIELD_DIMS, FIELD_ROLE, FIELD_COUNT };

static int read_bit_field(struct abi_field *out, const struct json_value *found, struct err *err)
{
	uint64_t offset = out->offset_bits / 8;
	int rc;

	if (found[FIELD_SIZE].item)
		return json_fail(&found[FIELD_SIZE], ERR_FORMAT, err, "a bit-field has a \"bit_width\" instead of a size");
	if (!found[FIELD_BIT_OFFSET].item || !found[FIELD_BIT_WIDTH].item)
		return json_fail(found[FIELD_NAME].parent, ERR_FORMAT, err,
				 "\"bit_offset\" and \"bit_width\" go together, and one is missing");
	if ((rc = json_get_unsigned(&out->offset_bits, &found[FIELD_BIT_OFFSET], BYTES_MAX * 8, err)) ||
	    (rc = json_get_unsigned(&out->size_bits, &found[FIELD_BIT_WIDTH], BIT_FIELD_WIDTH_MAX, err)))
		return rc;
	if (out->offset_bits / 8 != offset)
		return json_fail(&found[FIELD_BIT_OFFSET], ERR_FORMAT, err, "bit %llu is not in the byte that \"offset\" names",
				 (unsigned long long)out->offset_bits);
	out->is_bitfield = true;
	return 0;
}

static int read_field_size(struct abi_field *out, const struct json_value *found, struct abi_reader *reader)
{
	int rc;

	if (found[FIELD_BIT_OFFSET].item || found[FIELD_BIT_WIDTH].item)
		return read_bit_field(out, found, reader->err);
	if (!found[FIELD_SIZE].item && reader->ast_parser)
		return ast_parser_field(out, reader->ast_parser, &found[FIELD_TYPE], reader->arena, reader->err);
	if (!found[FIELD_SIZE].item)
		return json_fail(found[FIELD_NAME].parent, ERR_FORMAT, reader->err, "the key \"size\" is missing");
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
			return json_fail(&child, ERR_FORMAT, reader->err, "the field ends behind its record, which has %llu bytes",
					 (unsigned long long)out->size_bytes);
	}
	return 0;
}

static int read_record(const struct json_value *at, struct abi_reader *reader)
{
	enum { FIELDS, SIZE, ALIGN, IS_UNION, SOURCE, COUNT };
	static const struct json_member members[] = {
		[FIELDS] = { "fields", JSON_WANT_ARRAY | JSON_WANT_NULL }, /* driver_ast_parser: null if there are none */
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
	if (found[ALIGN].item && (rc = json_get_unsigned(&record.align_bytes, &found[ALIGN], BYTES_MAX, reader->err)))
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

	if ((rc = json_expect(at, JSON_WANT_INTEGER, reader->err)) || (rc = json_get_number(&constant.value, at, reader->err)))
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
	abi_builder_warning(reader->builder, json_get_string(&found[PLACE], reader->arena),
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
	ROOT_FORMAT, ROOT_DRIVER, ROOT_VERSION, ROOT_COMMIT, ROOT_TARGET, ROOT_ENUMS, ROOT_IOCTLS, ROOT_WARNINGS,
	ROOT_RECORDS, ROOT_ALIASES, ROOT_CONSTANTS, ROOT_COUNT, ROOT_OURS = ROOT_RECORDS
};

/* A document without "format" is driver_ast_parser's, and has none of the members that only ours have. */
static int check_format(const struct json_value *found, const struct json_value *root, struct err *err)
{
	size_t i;

	if (found[ROOT_FORMAT].item) {
		for (i = ROOT_DRIVER; i < ROOT_OURS; i++)
			if (!found[i].item && i != ROOT_WARNINGS)
				return json_fail(root, ERR_FORMAT, err, "the key \"%s\" is missing", found[i].key);
		return json_expect_format(&found[ROOT_FORMAT], ABI_FORMAT, err);
	}
	for (i = 0; i < ROOT_OURS; i++)
		if (found[i].item)
			return json_fail(root, ERR_FORMAT, err, "the key \"format\" is missing; \"%s\" is expected", ABI_FORMAT);
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

	if ((rc = json_members(found, root, members, ROOT_COUNT, reader->err)) || (rc = check_format(found, root, reader->err)))
		return rc;
	for (i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		*text[i] = found[ROOT_DRIVER + i].item ? json_get_string(&found[ROOT_DRIVER + i], reader->arena) : "";
	if (!found[ROOT_FORMAT].item &&
	    (rc = ast_parser_new(&reader->ast_parser, &found[ROOT_RECORDS], &found[ROOT_ALIASES], reader->builder, reader->arena,
				 reader->err)))
		return rc;
	if ((rc = for_each(&found[ROOT_RECORDS], reader, read_record)) ||
	    (rc = for_each(&found[ROOT_ALIASES], reader, read_alias)) ||
	    (rc = for_each(&found[ROOT_ENUMS], reader, read_enum)) ||
	    (rc = for_each(&found[ROOT_CONSTANTS], reader, read_constant)) ||
	    (rc = for_each(&found[ROOT_IOCTLS], reader, read_ioctl)))
		return rc;
	return for_each(&found[ROOT_WARNINGS], reader, read_warning);
}

int json_read_abi(struct abi *out, const char *text, size_t size, const char *name, struct arena *arena, struct err *err)
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
