/*
 * gen/fixture_test.h - two documents made in memory, for the tests of definitions and plans
 *
 * Versions 100.1 and 590.44.01. Offsets and sizes are bytes, but for bit-fields. Everything is in one arena
 * that is released after each test.
 */
#ifndef GEN_FIXTURE_TEST_H
#define GEN_FIXTURE_TEST_H

#include "gen/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)
#define F(n, t, at, bytes) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8 }
#define BITS(n, t, at, width)                                                                                \
	{ .name = (n), .type = (t), .offset_bits = (at), .size_bits = (width), .is_bitfield = true }
#define FIELDS(...)                                                                                          \
	(const struct abi_field[]){ __VA_ARGS__ },                                                           \
		sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field)
#define RECORD(doc, name, size, align, ...) put_record(doc, name, size, align, false, "", FIELDS(__VA_ARGS__))
#define UNION(doc, name, size, align, ...) put_record(doc, name, size, align, true, "", FIELDS(__VA_ARGS__))

static struct arena arena;
static struct err err;
static struct abi_builder *docs[2];
static struct abi sealed[2];
static struct definitions *set;
static const struct definition *got;

static inline int begin_test(void **state)
{
	static const struct abi_alias aliases[] = {
		{ "NvU8", "unsigned char", 1 },    { "NvU16", "unsigned short", 2 },
		{ "NvU32", "unsigned int", 4 },    { "NvU64", "unsigned long long", 8 },
		{ "NvHandle", "unsigned int", 4 }, { "NvP64", "void *", 8 },
		{ "u32", "unsigned int", 4 },      { "int", "int", 4 },
		{ "__int128", "__int128", 16 },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		docs[i] = abi_builder_new(&arena);
		for (size_t j = 0; j < sizeof(aliases) / sizeof(*aliases); j++)
			abi_builder_alias(docs[i], &aliases[j]);
	}
	err.text[0] = '\0';
	return 0;
}

static inline int end_test(void **state)
{
	(void)state;
	abi_builder_free(docs[0]);
	abi_builder_free(docs[1]);
	definitions_free(set);
	set = NULL;
	arena_release(&arena);
	return 0;
}

/* @source: "" for none; equal for all names of one declaration */
static inline void put_record(int doc, const char *name, uint64_t size, uint64_t align, bool is_union,
			      const char *source, const struct abi_field *fields, size_t count)
{
	const struct abi_record record = { .name = name,
					   .size_bytes = size,
					   .align_bytes = align,
					   .is_union = is_union,
					   .source = source,
					   .fields = arena_memdup(&arena, fields, count * sizeof(*fields)),
					   .field_count = count };

	abi_builder_record(docs[doc], &record);
}

/* Both documents are complete; nothing is defined yet. */
static inline void seal(enum gen_language language)
{
	abi_builder_seal(&sealed[0], docs[0],
			 &(struct abi){ .driver = "toy",
					.version = "100.1",
					.target = "x86_64-linux-gnu",
					.commit = "" });
	abi_builder_seal(&sealed[1], docs[1],
			 &(struct abi){ .driver = "toy",
					.version = "590.44.01",
					.target = "x86_64-linux-gnu",
					.commit = "" });
	set = definitions_new(language, &arena);
}

static inline int declare(int doc, const char *name)
{
	return definitions_declare(&got, set, &sealed[doc], name, &err);
}

/* What @name is in that document. */
static inline const struct definition *declared(int doc, const char *name)
{
	assert_int_equal(declare(doc, name), 0);
	return got;
}

#endif
