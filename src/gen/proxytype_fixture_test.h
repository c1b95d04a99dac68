/*
 * gen/proxytype_fixture_test.h - make documents and tables in memory, for the tests of gen
 *
 * Everything is in one arena that is released after each test. Offsets and sizes are in bytes, except for
 * bit-fields.
 */
#ifndef GEN_PROXYTYPE_FIXTURE_TEST_H
#define GEN_PROXYTYPE_FIXTURE_TEST_H

#include "gen/gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)

#define F(n, t, at, bytes) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8 }
#define ROLE(n, t, at, bytes, r)                                                                             \
	{ .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8, .role = (r) }
#define BITS(n, t, at, width)                                                                                \
	{ .name = (n), .type = (t), .offset_bits = (at), .size_bits = (width), .is_bitfield = true }
#define RECORD(doc, name, size, ...) \
	put_record(doc, name, size, false, (const struct abi_field[]){ __VA_ARGS__ }, \
		   sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))
#define UNION(doc, name, size, ...) \
	put_record(doc, name, size, true, (const struct abi_field[]){ __VA_ARGS__ }, \
		   sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))
/* A type of the proxy's table. */
#define TYPE(name, size, ...)                                                                                \
	put_type(name, size, (const struct table_field[]){ __VA_ARGS__ },                                    \
		 sizeof((const struct table_field[]){ __VA_ARGS__ }) / sizeof(struct table_field))

static struct arena arena;
static struct err err;
static struct abi_builder *base, *next; /* documents of two versions, 100.1 and 590.44.01 */
static struct abi base_abi, next_abi;
static struct table table;
static struct table_type types[16];
static struct proxytype_set *set;
static const struct proxytype *got;

static inline struct abi_builder *new_document(void)
{
	static const struct abi_alias aliases[] = {
		{ "NvU8", "unsigned char", 1 },
		{ "NvU16", "unsigned short", 2 },
		{ "NvU32", "unsigned int", 4 },
		{ "NvS32", "int", 4 },
		{ "NvU64", "unsigned long long", 8 },
		{ "NvHandle", "unsigned int", 4 },
		{ "NvP64", "void *", 8 },
		{ "NvBool", "unsigned char", 1 },
		{ "char", "char", 1 },
		{ "float", "float", 4 },
	};
	struct abi_builder *doc = abi_builder_new(&arena);

	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		abi_builder_alias(doc, &aliases[i]);
	return doc;
}

static inline int begin_test(void **state)
{
	(void)state;
	base = new_document();
	next = new_document();
	table = (struct table){ .path = "table.json", .types = types };
	err.text[0] = '\0';
	set = proxytype_set_new(&table, &arena);
	return 0;
}

static inline int end_test(void **state)
{
	(void)state;
	abi_builder_free(base);
	abi_builder_free(next);
	proxytype_set_free(set);
	arena_release(&arena);
	return 0;
}

static inline void put_record(struct abi_builder *doc, const char *name, uint64_t size, bool is_union,
			      const struct abi_field *fields, size_t count)
{
	const struct abi_record record = { .name = name,
					   .size_bytes = size,
					   .align_bytes = 8,
					   .is_union = is_union,
					   .source = name,
					   .fields = arena_memdup(&arena, fields, count * sizeof(*fields)),
					   .field_count = count };

	abi_builder_record(doc, &record);
}

/* Adds a type. The types must be added in the order of their names. */
static inline void put_type(const char *name, uint64_t size, const struct table_field *fields, size_t count)
{
	types[table.type_count++] =
		(struct table_type){ .name = name,
				     .size_bytes = size,
				     .field_count = count,
				     .fields = arena_memdup(&arena, fields, count * sizeof(*fields)) };
}

static inline void seal(void)
{
	abi_builder_seal(&base_abi, base,
			 &(struct abi){ .driver = "toy",
					.version = "100.1",
					.target = "x86_64-linux-gnu",
					.commit = "" });
	abi_builder_seal(&next_abi, next,
			 &(struct abi){ .driver = "toy",
					.version = "590.44.01",
					.target = "x86_64-linux-gnu",
					.commit = "" });
}

/* Declares the record of the next version. @parent: the name of its type in the table, or NULL */
static inline int declare(const char *record, const char *parent)
{
	struct proxytype_request request = { .abi = &next_abi, .record = record };

	if (parent) {
		request.parent = proxytype_find(set, parent);
		request.parent_abi = &base_abi;
	}
	return proxytype_declare(&got, set, &request, &err);
}

static inline const struct table_field *field(size_t i)
{
	assert_true(i < got->type->field_count);
	return &got->type->fields[i];
}

static inline void assert_field(size_t i, const char *name, const char *type, uint64_t offset_bytes)
{
	assert_string_equal(field(i)->name, name);
	assert_string_equal(field(i)->type, type);
	assert_int_equal(field(i)->offset_bytes, offset_bytes);
}

#endif
