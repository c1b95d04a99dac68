/*
 * abi/document_json.c - reads and writes a document as JSON ("drvabi-abi/1"); also reads the output of
 * driver_ast_parser
 *
 * Each struct of a document has a list of fields, which the functions for reading and writing follow. The
 * order of the input does not matter, because abi_builder sorts all items. The output has each field, alias,
 * value, constant and ioctl on its own line, so that diff(1) can compare two documents.
 */
#include "abi/internal.h"

/* Finds a member of an object. Its item is NULL if the object or the member is absent. */
static struct json_value member_of(const struct json_value *object, const char *key)
{
	struct json_value child = json_first(object);

	while (child.item && strcmp(child.key, key))
		json_next(&child);
	return child;
}

/*
 * Checks one dimension of "dims" against @type, which is spelled @text. null stands for the empty dimension
 * of "T[]". A dimension that @type does not have is accepted: its alias is not in the document.
 */
static int check_dim(const struct json_value *at, const struct abi_type *type, const char *text,
		     struct err *err)
{
	const char *found = "null", *expected = "null";
	char found_buffer[24], expected_buffer[24];
	int rc;

	if ((rc = json_expect(at, JSON_WANT_INTEGER | JSON_WANT_NULL, err)))
		return rc;
	if (!json_is_null(at))
		found = abi_number_text(json_get_number(at), found_buffer);
	if (at->index >= type->dimension_count)
		return 0;
	if (at->index || !type->flexible)
		expected = abi_number_text(abi_number_unsigned(type->dimension[at->index]), expected_buffer);
	return !strcmp(found, expected)
		       ? 0
		       : json_fail(at, ERR_FORMAT, err, "this dimension of the type \"%.100s\" is %s, not %s",
				   text, expected, found);
}

/*
 * Checks the "dims" of a field in the text, if it has them, against its type, which is spelled @text. They
 * are not stored, because write_dims() computes them from the type.
 */
static int check_field_dims(const struct json_value *field, const char *text, const struct abi *abi,
			    struct err *err)
{
	const struct json_value dims = member_of(field, "dims");
	const size_t count = json_count(&dims);
	struct abi_spelling spelling;
	struct json_value child;
	struct abi_type type = { .count = 0 };
	bool is_whole;
	int rc = 0;

	if (!dims.item)
		return 0;
	if (member_of(field, "bit_width").item)
		return json_fail(&dims, ERR_FORMAT, err, "a bit-field cannot have dimensions");
	/* If a document has only some items, the alias with the other dimensions can be missing. */
	is_whole = !abi_resolve_type(&type, abi, text, NULL);
	if (!is_whole && !abi_spelling_parse(&spelling, text, NULL)) {
		type.dimension_count = spelling.dimension_count;
		type.flexible = spelling.flexible;
		memcpy(type.dimension, spelling.dimension, sizeof(type.dimension));
	}
	if (count < type.dimension_count || (count > type.dimension_count && is_whole))
		return json_fail(&dims, ERR_FORMAT, err, "the type \"%.100s\" has %zu dimension%s, not %zu",
				 text, type.dimension_count, type.dimension_count == 1 ? "" : "s", count);
	for (child = json_first(&dims); child.item && !rc; json_next(&child))
		rc = check_dim(&child, &type, text, err);
	return rc;
}

JSON_GET_TEXT(direction_part, abi_ioctl, abi_ioc_direction_name(abi_ioc_get(it->number, ABI_IOC_DIRECTION)))
JSON_GET_NUMBER(type_part, abi_ioctl, abi_ioc_get(it->number, ABI_IOC_TYPE))
JSON_GET_NUMBER(nr_part, abi_ioctl, abi_ioc_get(it->number, ABI_IOC_NR))
JSON_GET_NUMBER(size_part, abi_ioctl, abi_ioc_get(it->number, ABI_IOC_SIZE))

/* Checks that a member of "ioc" is equal to that part of the ioctl's number. The value is not stored. */
static int check_ioc_part(void *object, const struct json_field *field, const struct json_value *at,
			  struct json_reader *reader)
{
	const uint64_t in_number = field->get_text ? 0 : field->get_number(object);
	char buffer[24];
	const char *text = field->get_text ? field->get_text(object)
					   : abi_number_text(abi_number_unsigned(in_number), buffer);
	uint64_t value;
	int rc;

	if (field->get_text && !strcmp(at->item->valuestring, text))
		return 0;
	if (!field->get_text &&
	    ((rc = json_get_unsigned(&value, at, UINT32_MAX, reader->err)) || value == in_number))
		return rc;
	return json_fail(at, ERR_FORMAT, reader->err, "this differs from the ioctl's number, whose %s is %s",
			 field->key, text);
}

static const char *known_by_name(unsigned encoding)
{
	static const char *const names[] = { [ABI_NUMBER_IOC] = "number", [ABI_NUMBER_IOC_BY_NR] = "nr" };

	return names[encoding];
}

/* The ioctl's number must have been read. */
const struct json_struct abi_ioc_fields = { sizeof(struct abi_ioctl), NULL, .field = {
	{ .key = "direction", .kind = JSON_TEXT, .get_text = direction_part, .read = check_ioc_part },
	{ .key = "type", .kind = JSON_U64, .get_number = type_part, .read = check_ioc_part },
	{ .key = "nr", .kind = JSON_U64, .get_number = nr_part, .read = check_ioc_part },
	{ .key = "size", .kind = JSON_U64, .get_number = size_part, .read = check_ioc_part },
	JSON_FIELD("known_by", JSON_NAMED, abi_ioctl, encoding, .name_of = known_by_name,
		   .max = ABI_ENCODING_LAST + 1, .text = "a value of \"known_by\""),
	JSON_FIELD("argument", JSON_TEXT | JSON_SPARSE, abi_ioctl, argument),
	JSON_FIELD("varies", JSON_NAMED_BITS | JSON_SPARSE, abi_ioctl, varies, .name_of = abi_ioc_field_name,
		   .max = ABI_IOC_FIELD_COUNT, .text = "a part of the number"),
} };

static const struct json_struct ioctl_fields = { sizeof(struct abi_ioctl), NULL, .field = {
	JSON_FIELD("family", JSON_TEXT, abi_ioctl, family),
	JSON_FIELD("name", JSON_TEXT, abi_ioctl, name),
	JSON_FIELD("number", JSON_U64, abi_ioctl, number),
	JSON_FIELD("params", JSON_TEXT | JSON_OR_NULL | JSON_OPTIONAL, abi_ioctl, params),
	JSON_ARRAY("flags", JSON_TEXTS | JSON_SPARSE, abi_ioctl, flags, flag_count, NULL),
	JSON_FIELD("access", JSON_TEXT | JSON_SPARSE, abi_ioctl, access),
	ABI_IOC_FIELD,
	JSON_FIELD("source", JSON_TEXT_OR_EMPTY | JSON_OPTIONAL | JSON_PLACE, abi_ioctl, source),
}, .is_inline = true };

/* The names of structs and constants that gVisor's driver_ast_parser takes as input. */
struct wanted_names {
	struct profile_strings structs, constants;
};

int json_read_wanted(struct profile_strings *structs, struct profile_strings *constants, const char *text,
		     size_t size, const char *name, struct arena *arena, struct err *err)
{
	static const struct json_struct fields = { sizeof(struct wanted_names), NULL, .field = {
		JSON_STRINGS("structs", JSON_OR_NULL, wanted_names, structs),
		JSON_STRINGS("constants", JSON_OR_NULL | JSON_OPTIONAL, wanted_names, constants),
	} };
	struct wanted_names wanted;
	int rc = json_read_text(&wanted, &fields, text, size, name, arena, err);

	if (!rc) {
		*structs = wanted.structs;
		*constants = wanted.constants;
	}
	return rc;
}

/* The limit for a number of bytes. The sum of two such numbers, converted to bits, fits 64 bits. */
#define BYTES_MAX ((UINT64_C(1) << 60) - 1)

enum { BIT_FIELD_WIDTH_MAX = 128 }; /* __int128 */

/*
 * Documents printed by gVisor's driver_ast_parser
 *
 * That tool prints "records", "aliases" and "constants", but no "format". Its fields have no size, and its
 * records have no alignment. The size of a field is computed from its type, because the tool prints the size
 * of every record and of every alias that a field uses. Two faults of the tool are corrected here: it writes
 * the outermost of several dimensions last, and then does not print the element type of the array.
 */

/**
 * complete_field - set the size of a field that driver_ast_parser printed, and correct its type: the
 * outermost of several dimensions, which the tool prints last, is moved to the front
 * @read: the document's records and aliases, sorted
 * @at: the field in the text
 *
 * Return: 0; ERR_FORMAT if the type is neither a record nor an alias of @read, or the array is too large.
 */
static int complete_field(struct abi_field *field, const struct abi *read, const struct json_value *at,
			  struct arena *arena, struct err *err)
{
	const struct json_value *type = JSON_MEMBER(at, "type");
	const char *text = field->type, *element = text, *last = strrchr(text, '[');
	const struct abi_record *record;
	const struct abi_alias *alias;
	struct abi_spelling spelling;
	uint64_t count = 1, bytes;

	abi_spelling_parse(&spelling, text, NULL); /* check_spelling() has accepted the text */
	if (spelling.dimension_count) {
		element = arena_strndup(arena, text, (size_t)(last - text));
		count = spelling.dimension[spelling.dimension_count - 1];
	}
	record = abi_find_record(read, element);
	alias = abi_find_alias(read, element);
	if (!record && !alias)
		return json_fail(
			type, ERR_FORMAT, err,
			"the type \"%.100s\" is in neither \"records\" nor \"aliases\", so its size is unknown (fields have no sizes in a document without \"format\")",
			element);
	if (__builtin_mul_overflow(count, record ? record->size_bytes : alias->size_bytes, &bytes) ||
	    bytes > BYTES_MAX)
		return json_fail(type, ERR_FORMAT, err, "the array is too large");
	field->size_bits = bytes * 8;
	if (spelling.dimension_count > 1) { /* the tool prints "T[B][C][A]" for T x[A][B][C] */
		const int base = (int)spelling.base_length, inner = (int)(last - text) - base;

		field->type = arena_printf(arena, "%.*s%s%.*s", base, text, last, inner, text + base);
	}
	return 0;
}

/* Checks that a type can be parsed, so that later code need not check for errors. */
static int check_spelling(const struct json_value *at, struct err *err)
{
	struct abi_spelling spelling;
	struct err why;
	int rc = abi_spelling_parse(&spelling, at->item->valuestring, &why);

	return rc ? json_fail(at, rc, err, "%s", why.text) : 0;
}

JSON_IS(is_bit_field, abi_field, it->is_bitfield)
JSON_IS(is_no_bit_field, abi_field, !it->is_bitfield)

/* Checks the keys of a field that has "bit_offset", "bit_width" or both, and marks it as a bit-field. */
static int check_bit_field(struct abi_field *field, const struct json_value *found, struct err *err)
{
	const struct json_value *bit_offset = json_member(found, "bit_offset");
	uint64_t offset;

	if (json_member(found, "size")->item)
		return json_fail(json_member(found, "size"), ERR_FORMAT, err,
				 "a bit-field has a \"bit_width\" instead of a \"size\"");
	if (!bit_offset->item || !json_member(found, "bit_width")->item)
		return json_fail(found->parent, ERR_FORMAT, err,
				 "a bit-field needs both \"bit_offset\" and \"bit_width\"");
	json_get_unsigned(&offset, json_member(found, "offset"), BYTES_MAX, err);
	if (field->offset_bits / 8 != offset)
		return json_fail(bit_offset, ERR_FORMAT, err,
				 "bit %llu is not in the byte at \"offset\"",
				 (unsigned long long)field->offset_bits);
	field->is_bitfield = true;
	return 0;
}

static int check_field(void *object, const struct json_value *found, struct json_reader *reader)
{
	return json_member(found, "bit_offset")->item || json_member(found, "bit_width")->item
		       ? check_bit_field(object, found, reader->err)
		       : 0;
}

/* The context of the hooks that write a document. */
struct abi_writer {
	const struct abi *abi;
	struct abi_known_types known;
};

/*
 * Writes "dims" with all dimensions, including those of aliases: for "ROW[8]" also those of ROW. An empty
 * dimension is null. Writes nothing if the field is not an array, or its type cannot be resolved. The
 * dimensions are computed from the type, not stored, so that they cannot contradict the type.
 */
static void write_dims(struct json_writer *writer, const struct json_field *member, const void *object)
{
	struct abi_writer *with = writer->context;
	const struct abi_field *field = object;
	const struct abi_type *type;

	if (field->is_bitfield || abi_resolve_known(&type, &with->known, with->abi, field->type, NULL) ||
	    !type->dimension_count)
		return;
	json_key_open(writer, member->key, json_open_array);
	for (size_t i = 0; i < type->dimension_count; i++) {
		if (type->flexible && !i)
			json_null(writer);
		else
			json_unsigned(writer, type->dimension[i]);
	}
	json_close_array(writer);
}

static const struct json_struct field_fields = { sizeof(struct abi_field), check_field, .field = {
	JSON_FIELD("name", JSON_TEXT, abi_field, name),
	JSON_FIELD("type", JSON_TEXT, abi_field, type, .check = check_spelling),
	JSON_FIELD("offset", JSON_BITS, abi_field, offset_bits, .max = BYTES_MAX),
	JSON_FIELD("bit_offset", JSON_U64 | JSON_OPTIONAL, abi_field, offset_bits,
		   .max = BYTES_MAX * 8, .is_left_out = is_no_bit_field),
	JSON_FIELD("bit_width", JSON_U64 | JSON_OPTIONAL, abi_field, size_bits,
		   .max = BIT_FIELD_WIDTH_MAX, .is_left_out = is_no_bit_field),
	JSON_FIELD("size", JSON_BITS | JSON_OPTIONAL, abi_field, size_bits, .max = BYTES_MAX,
		   .is_left_out = is_bit_field),
	/* check_records() checks the value after all types were read. */
	{ .key = "dims", .kind = JSON_WANT_ARRAY | JSON_OPTIONAL, .write = write_dims },
	JSON_ROLE(JSON_SPARSE, abi_field, role),
	JSON_FIELD("", JSON_BOOL | JSON_HIDDEN, abi_field, is_bitfield),
}, .is_inline = true };

/* In the output of driver_ast_parser, "fields" is null if a record has no fields. */
static const struct json_struct record_fields = { sizeof(struct abi_record), NULL, .field = {
	JSON_ARRAY("fields", JSON_LIST | JSON_OR_NULL, abi_record, fields, field_count, &field_fields),
	JSON_FIELD("size", JSON_U64, abi_record, size_bytes, .max = BYTES_MAX),
	JSON_FIELD("align", JSON_U64 | JSON_OPTIONAL, abi_record, align_bytes, .max = BYTES_MAX),
	JSON_FIELD("is_union", JSON_BOOL, abi_record, is_union),
	JSON_FIELD("source", JSON_TEXT_OR_EMPTY | JSON_OPTIONAL | JSON_PLACE, abi_record, source),
} };

static const struct json_struct alias_fields = { sizeof(struct abi_alias), NULL, .field = {
	JSON_FIELD("type", JSON_TEXT, abi_alias, type),
	JSON_FIELD("size", JSON_U64, abi_alias, size_bytes, .max = BYTES_MAX),
}, .is_inline = true };

static const struct json_struct enumerator_value = { sizeof(struct abi_enumerator), NULL, .field = {
	JSON_FIELD("", JSON_NUMBER, abi_enumerator, value),
} };

static const struct json_struct enum_fields = { sizeof(struct abi_enum), NULL, .field = {
	JSON_FIELD("type", JSON_TEXT, abi_enum, type),
	JSON_FIELD("size", JSON_U64, abi_enum, size_bytes, .max = BYTES_MAX),
	JSON_ARRAY("values", JSON_MAP, abi_enum, values, value_count, &enumerator_value),
	JSON_FIELD("source", JSON_TEXT_OR_EMPTY | JSON_OPTIONAL | JSON_PLACE, abi_enum, source),
} };

static const struct json_struct constant_value = { sizeof(struct abi_constant), NULL, .field = {
	JSON_FIELD("", JSON_NUMBER, abi_constant, value),
} };

const struct json_struct abi_warning_fields = { sizeof(struct abi_warning), NULL, .field = {
	JSON_FIELD("place", JSON_TEXT, abi_warning, place),
	JSON_FIELD("text", JSON_TEXT, abi_warning, text),
}, .is_inline = true };

/*
 * If @array is "T[B]", @read does not have T, and T is a scalar, adds an alias for T to the builder, because
 * driver_ast_parser does not print the element types of arrays with several dimensions.
 */
static void derive_element(const struct abi *read, const struct abi_alias *array,
			   struct abi_builder *builder, struct arena *arena)
{
	struct abi_spelling spelled, canonical;
	struct abi_alias alias;
	uint64_t count = 1;

	if (abi_spelling_parse(&spelled, array->name, NULL) || !spelled.dimension_count ||
	    abi_spelling_parse(&canonical, array->type, NULL))
		return;
	for (size_t i = 0; i < spelled.dimension_count; i++)
		if (__builtin_mul_overflow(count, spelled.dimension[i], &count))
			return;
	alias.name = arena_strndup(arena, spelled.base, spelled.base_length);
	alias.type = arena_strndup(arena, canonical.base, canonical.base_length);
	if (!count || !c_type_bytes(view_of(alias.type)) || abi_find_record(read, alias.name) ||
	    abi_find_alias(read, alias.name))
		return;
	alias.size_bytes = array->size_bytes / count;
	abi_builder_alias(builder, &alias);
}

bool abi_same_item(enum abi_kind kind, const void *a, const void *b)
{
	static const struct json_struct *const fields[ABI_KIND_COUNT] = {
		[ABI_RECORD] = &record_fields,	  [ABI_ALIAS] = &alias_fields, [ABI_ENUM] = &enum_fields,
		[ABI_CONSTANT] = &constant_value, [ABI_IOCTL] = &ioctl_fields,
	};

	return json_same_struct(a, b, fields[kind]);
}

/* A document without "format" is from driver_ast_parser. It must not have members that only drvabi writes. */
static int check_document(void *object, const struct json_value *found, struct json_reader *reader);

const struct json_struct abi_document_fields = { sizeof(struct abi), check_document, .field = {
	{ .key = "format", .kind = JSON_FORMAT | JSON_OPTIONAL, .text = ABI_FORMAT },
	JSON_FIELD("driver", JSON_TEXT_OR_EMPTY | JSON_OPTIONAL, abi, driver),
	JSON_FIELD("version", JSON_TEXT_OR_EMPTY | JSON_OPTIONAL, abi, version),
	JSON_FIELD("commit", JSON_TEXT_OR_EMPTY | JSON_OPTIONAL, abi, commit),
	JSON_FIELD("target", JSON_TEXT_OR_EMPTY | JSON_OPTIONAL, abi, target),
	JSON_ARRAY("absent", JSON_TEXTS | JSON_SPARSE, abi, absent, absent_count, NULL),
	JSON_ARRAY("records", JSON_MAP | JSON_OR_NULL, abi, records, record_count, &record_fields),
	JSON_ARRAY("aliases", JSON_MAP | JSON_OR_NULL, abi, aliases, alias_count, &alias_fields),
	JSON_ARRAY("enums", JSON_MAP | JSON_OPTIONAL, abi, enums, enum_count, &enum_fields),
	JSON_ARRAY("constants", JSON_MAP | JSON_OR_NULL, abi, constants, constant_count, &constant_value),
	JSON_ARRAY("ioctls", JSON_LIST | JSON_OPTIONAL, abi, ioctls, ioctl_count, &ioctl_fields),
	JSON_ARRAY("warnings", JSON_LIST | JSON_OPTIONAL, abi, warnings, warning_count, &abi_warning_fields),
} };

/*
 * Checks the keys that only one of the two inputs has: a document has "format" and almost all keys, and the
 * output of driver_ast_parser has none of the optional ones.
 */
static int check_document(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct json_field *field = abi_document_fields.field;
	const bool is_ours = found->item;
	int rc = 0;

	(void)object;
	for (size_t i = 1; field[i].key && !rc; i++) {
		if (!(field[i].kind & JSON_OPTIONAL))
			continue;
		if (!is_ours && found[i].item)
			rc = json_fail(found->parent, ERR_FORMAT, reader->err,
				       "the key \"format\" is missing; \"%s\" is expected", ABI_FORMAT);
		else if (is_ours && !found[i].item && (field[i].kind & JSON_SPARSE) != JSON_SPARSE &&
			 strcmp(field[i].key, "warnings"))
			rc = json_fail(found->parent, ERR_FORMAT, reader->err, "the key \"%s\" is missing",
				       field[i].key);
	}
	return rc;
}

/*
 * Checks that a field has a size, ends inside its record, and has the dimensions that its "dims" state. If
 * driver_ast_parser printed the field (!@is_ours), first computes its size. @at: the field in the text
 */
static int finish_field(struct abi_field *field, const struct abi_record *record, const struct abi *read,
			bool is_ours, const struct json_value *at, struct arena *arena, struct err *err)
{
	const bool has_size = field->is_bitfield || member_of(at, "size").item;
	int rc;

	if (!has_size && is_ours)
		return json_fail(at, ERR_FORMAT, err, "the key \"size\" is missing");
	if (!has_size && (rc = complete_field(field, read, at, arena, err)))
		return rc;
	if (field->offset_bits + field->size_bits > record->size_bytes * 8)
		return json_fail(at, ERR_FORMAT, err,
				 "the field extends past the end of its record, which has %llu bytes",
				 (unsigned long long)record->size_bytes);
	return check_field_dims(at, field->type, read, err);
}

/* Checks all records and their fields, completing those of driver_ast_parser (!@is_ours). @read is sorted. */
static int finish_records(const struct abi *read, const struct json_value *root, bool is_ours,
			  struct arena *arena, struct err *err)
{
	struct json_value records = member_of(root, "records"), record, field;
	int rc = 0;

	for (record = json_first(&records); record.item && !rc; json_next(&record)) {
		const struct json_value fields = member_of(&record, "fields");
		const struct abi_record *one = abi_find_record(read, record.key);

		if (is_ours && !member_of(&record, "align").item)
			return json_fail(&record, ERR_FORMAT, err, "the key \"align\" is missing");
		/* The reader allocated the fields, so they are writable. */
		for (field = json_first(&fields); field.item && !rc; json_next(&field))
			rc = finish_field((struct abi_field *)&one->fields[field.index], one, read, is_ours,
					  &field, arena, err);
	}
	return rc;
}

/* Seals @read's items as @out, with the element types that driver_ast_parser does not print (!@is_ours). */
static void build_document(struct abi *out, const struct abi *read, bool is_ours, struct arena *arena)
{
	struct abi_builder *builder = abi_builder_new(arena);
	size_t i;

	for (i = 0; !is_ours && i < read->alias_count; i++)
		derive_element(read, &read->aliases[i], builder, arena);
	for (i = 0; i < read->record_count; i++)
		abi_builder_record(builder, &read->records[i]);
	for (i = 0; i < read->alias_count; i++)
		abi_builder_alias(builder, &read->aliases[i]);
	for (i = 0; i < read->enum_count; i++)
		abi_builder_enum(builder, &read->enums[i]);
	for (i = 0; i < read->constant_count; i++)
		abi_builder_constant(builder, &read->constants[i]);
	for (i = 0; i < read->ioctl_count; i++)
		abi_builder_ioctl(builder, &read->ioctls[i]);
	for (i = 0; i < read->warning_count; i++)
		abi_builder_warning(builder, read->warnings[i].place, "%s", read->warnings[i].text);
	abi_builder_seal(out, builder, read);
	abi_builder_free(builder);
}

int json_read_abi(struct abi *out, const char *text, size_t size, const char *name, struct arena *arena,
		  struct err *err)
{
	struct json_reader reader = { .arena = arena, .err = err };
	struct abi read = { 0 };
	struct json_value root;
	bool is_ours;
	int rc;

	if ((rc = json_parse(&root, text, size, name, err)))
		return rc;
	rc = json_read_struct(&read, &abi_document_fields, &root, &reader);
	is_ours = !rc && member_of(&root, "format").item;
	for (int kind = ABI_RECORD; !rc && kind <= ABI_ENUM; kind++) {
		const struct abi_items items = abi_items(&read, (enum abi_kind)kind);

		/* The reader allocated the items, so they are writable. */
		sort_items((char *)items.first, items.count, items.size_bytes, order_named);
	}
	if (!rc && !(rc = finish_records(&read, &root, is_ours, arena, err)))
		build_document(out, &read, is_ours, arena);
	json_parse_free(&root);
	return rc;
}

void json_write_abi(struct json_writer *writer, const struct abi *abi)
{
	struct abi_writer with = { .abi = abi };

	writer->context = &with;
	json_write_struct(writer, abi, &abi_document_fields);
	writer->context = NULL;
	json_end(writer);
}
