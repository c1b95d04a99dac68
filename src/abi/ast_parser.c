#include "abi/ast_parser.h"

#include <stdlib.h>
#include <string.h>

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

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct sized_name *)a)->name, ((const struct sized_name *)b)->name);
}

static const struct sized_name *find_name(const struct ast_parser *parser, const char *name)
{
	struct sized_name key = { .name = name };

	return bsearch(&key, parser->names, parser->count, sizeof(key), compare_names);
}

/* Only what is needed here; the readers of records and aliases check the rest. */
static int add_names(struct ast_parser *parser, const struct json_value *parent, struct arena *arena, struct err *err)
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
	static const char *const words[] = { "unsigned", "signed", "char", "short", "int", "long", "_Bool", "bool",
					     "float", "double", "__int128" };
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
static void derive_element(const struct ast_parser *parser, const struct sized_name *array, struct abi_builder *builder,
			   struct arena *arena)
{
	struct abi_spelling spelled, canonical;
	struct abi_alias alias;
	uint64_t count;

	if (!array->canonical || abi_spelling_parse(&spelled, array->name, NULL) || !spelled.dimension_count ||
	    abi_spelling_parse(&canonical, array->canonical, NULL))
		return;
	count = product(&spelled);
	alias.name = arena_strndup(arena, spelled.base, spelled.base_length);
	alias.type = arena_strndup(arena, canonical.base, canonical.base_length);
	if (!count || !is_builtin(alias.type) || find_name(parser, alias.name))
		return;
	alias.size_bytes = array->size_bytes / count;
	abi_builder_alias(builder, &alias);
}

int ast_parser_new(struct ast_parser **out, const struct json_value *records, const struct json_value *aliases,
		   struct abi_builder *builder, struct arena *arena, struct err *err)
{
	struct ast_parser *parser = arena_alloc(arena, sizeof(*parser));
	size_t i;
	int rc;

	parser->names = arena_array(arena, json_count(records) + json_count(aliases) + 1, sizeof(*parser->names));
	if ((rc = add_names(parser, records, arena, err)) || (rc = add_names(parser, aliases, arena, err)))
		return rc;
	qsort(parser->names, parser->count, sizeof(*parser->names), compare_names);
	for (i = 0; i < parser->count; i++)
		derive_element(parser, &parser->names[i], builder, arena);
	*out = parser;
	return 0;
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

int ast_parser_field(struct abi_field *field, const struct ast_parser *parser, const struct json_value *type,
		     struct arena *arena, struct err *err)
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
