/*
 * gen/fixture_test.h - make the documents and tables for the tests of gen from text
 *
 * abi/document_test.h describes the notation for documents. The types of a proxy's table are written as
 * "T 8 { uint32 A@0; Handle[2] H@4 } UUID=uint8[16] 16": structs and aliases, sorted by name. Sizes and
 * offsets are in bytes. Everything is in one arena, which each test releases after a row.
 */
#ifndef GEN_FIXTURE_TEST_H
#define GEN_FIXTURE_TEST_H

#include "gen/internal.h"
#include "abi/document_test.h"

static struct arena arena;
static struct err err;

/* Makes a document with the well-known aliases, and some others. */
static inline const struct abi *document_at(const char *text, const char *version)
{
	static const char aliases[] = "alias char char 1 alias int int 4 alias u32 unsigned~int 4 "
				      "alias unsigned~int unsigned~int 4 alias __int128 __int128 16 ";

	return document_of_version(version, arena_printf(&arena, "%s%s", aliases, text), &arena);
}

static inline struct table table_of(const char *text)
{
	enum { MOST = 8 };
	struct table_type *types = arena_array(&arena, MOST, sizeof(*types));
	struct table table = { .path = "table.json", .types = types };
	char *word;

	while (*(word = document_word(&text, &arena))) {
		struct table_field *fields = arena_array(&arena, MOST, sizeof(*fields));
		struct table_type *type = &types[table.type_count++];
		char *alias = strchr(word, '=');

		assert_true(table.type_count <= MOST);
		if (alias)
			*alias++ = '\0';
		*type = (struct table_type){ .name = word, .alias = alias, .fields = fields,
					     .size_bytes = strtoull(document_word(&text, &arena), NULL, 10) };
		if (!alias)
			assert_string_equal(document_word(&text, &arena), "{");
		while (!alias && *(word = document_word(&text, &arena)) != '}') {
			char *name = document_word(&text, &arena), *at = strchr(name, '@');

			assert_true(type->field_count < MOST);
			*at++ = '\0';
			fields[type->field_count++] =
				(struct table_field){ name, word, strtoull(at, NULL, 10) };
		}
	}
	return table;
}

/* Appends the code and the sentence of an error, "ERR_LIMIT: …". */
static inline void add_error(struct strbuf *out, int rc)
{
	static const char *const codes[] = {
		[-ERR_USAGE] = "ERR_USAGE",   [-ERR_NOT_FOUND] = "ERR_NOT_FOUND",
		[-ERR_FORMAT] = "ERR_FORMAT", [-ERR_LAYOUT] = "ERR_LAYOUT",
		[-ERR_LIMIT] = "ERR_LIMIT",
	};

	assert_true(rc < 0 && (size_t)-rc < sizeof(codes) / sizeof(*codes) && codes[-rc]);
	strbuf_addf(out, "\n%s: %s", codes[-rc], err.text);
}

#endif
