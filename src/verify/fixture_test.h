/*
 * verify/fixture_test.h - a document and a table made in memory, and what is found between them
 *
 * For the tests of verify/ only. Everything lives in one arena that is
 * released after each test. Offsets and sizes are bytes, but for bit-fields.
 */
#ifndef VERIFY_FIXTURE_TEST_H
#define VERIFY_FIXTURE_TEST_H

#include "verify/internal.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)

/* Fields of the driver. */
#define F(n, t, at, bytes) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8 }
#define ROLE(n, t, at, bytes, r)                                                                             \
	{ .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8, .role = (r) }
#define U8(n, at) F(n, "NvU8", at, 1)
#define U32(n, at) F(n, "NvU32", at, 4)
#define S32(n, at) F(n, "NvS32", at, 4)
#define U64(n, at) F(n, "NvU64", at, 8)
#define HANDLE(n, at) ROLE(n, "NvHandle", at, 4, ABI_ROLE_HANDLE)
#define POINTER(n, at) ROLE(n, "NvP64", at, 8, ABI_ROLE_POINTER)
#define KERNEL_POINTER(n, t, at) ROLE(n, t, at, 8, ABI_ROLE_KERNEL_POINTER)
#define BITS(n, t, at, width)                                                                                \
	{ .name = (n), .type = (t), .offset_bits = (at), .size_bits = (width), .is_bitfield = true }

#define RECORD(name, size, ...) \
	put_record(name, name, size, false, (const struct abi_field[]){ __VA_ARGS__ }, \
		   sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))
#define UNION(name, size, ...) \
	put_record(name, name, size, true, (const struct abi_field[]){ __VA_ARGS__ }, \
		   sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))
/* Another name of the record @of. */
#define TYPEDEF(name, of, size, ...) \
	put_record(name, of, size, false, (const struct abi_field[]){ __VA_ARGS__ }, \
		   sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))

/* A type of the proxy: P("HClient", "Handle", 0), ... */
#define P(n, t, at) { .name = (n), .type = (t), .offset_bytes = (at) }
#define TYPE(name, size, ...) \
	put_type(name, size, (const struct table_field[]){ __VA_ARGS__ }, \
		 sizeof((const struct table_field[]){ __VA_ARGS__ }) / sizeof(struct table_field))

static struct arena arena;
static struct err err;
static struct abi_builder *driver;
static struct abi sealed_driver;
static struct table table;
static struct table_type types[32];
static struct verify_result found;

static inline void put_alias(const char *name, const char *type, uint64_t size)
{
	const struct abi_alias alias = { name, type, size };

	abi_builder_alias(driver, &alias);
}

static inline void put_type_of(struct table_type type)
{
	assert_true(table.type_count < sizeof(types) / sizeof(*types));
	types[table.type_count++] = type;
}

static inline int begin_test(void **state)
{
	(void)state;
	err.text[0] = '\0';
	driver = abi_builder_new(&arena);
	put_alias("NvU8", "unsigned char", 1);
	put_alias("NvU16", "unsigned short", 2);
	put_alias("NvU32", "unsigned int", 4);
	put_alias("NvS32", "int", 4);
	put_alias("NvU64", "unsigned long long", 8);
	put_alias("NvHandle", "unsigned int", 4);
	put_alias("NvP64", "void *", 8);
	put_alias("char", "char", 1);
	table = (struct table){
		.path = "t.json", .proxy = "proxy", .revision = "", .driver = "d", .types = types
	};
	put_type_of((struct table_type){
		.name = "Handle", .size_bytes = 4, .alias = "uint32", .role = ABI_ROLE_HANDLE });
	put_type_of((struct table_type){
		.name = "P64", .size_bytes = 8, .alias = "uint64", .role = ABI_ROLE_POINTER });
	return 0;
}

static inline int end_test(void **state)
{
	(void)state;
	abi_builder_free(driver);
	arena_release(&arena);
	return 0;
}

static inline void put_record(const char *name, const char *of, uint64_t size, bool is_union,
			      const struct abi_field *fields, size_t count)
{
	const struct abi_record record = {
		.name = name,
		.size_bytes = size,
		.align_bytes = 4,
		.is_union = is_union,
		.field_count = count,
		.fields = arena_memdup(&arena, fields, count * sizeof(*fields)),
		.source = arena_printf(&arena, "a.h:1:%s", of),
	};

	abi_builder_record(driver, &record);
}

static inline void put_type(const char *name, uint64_t size, const struct table_field *fields, size_t count)
{
	put_type_of((struct table_type){ .name = name, .size_bytes = size, .field_count = count,
					 .fields = arena_memdup(&arena, fields, count * sizeof(*fields)) });
}

static inline void put_constant(const char *name, uint64_t value)
{
	const struct abi_constant constant = { name, abi_number_unsigned(value) };

	abi_builder_constant(driver, &constant);
}

static inline void put_ioctl(const char *family, const char *name, uint64_t number, const char *params)
{
	const struct abi_ioctl ioctl = {
		.family = family, .name = name, .number = number, .params = params, .source = ""
	};

	abi_builder_ioctl(driver, &ioctl);
}

static inline int compare_type_names(const void *a, const void *b)
{
	return strcmp(((const struct table_type *)a)->name, ((const struct table_type *)b)->name);
}

/* A record that has one handle and one pointer, so that the document says what is what. */
static inline void seal_driver(void)
{
	const struct abi head = { .driver = "d", .version = "1", .commit = "", .target = "x86_64-linux-gnu" };

	RECORD("WITH_ROLES", 16, HANDLE("h", 0), POINTER("p", 8));
	abi_builder_seal(&sealed_driver, driver, &head);
	qsort(types, table.type_count, sizeof(*types), compare_type_names);
}

/* Verifies a table of that one entry. */
static inline int verify_entry(const struct table_entry *entry)
{
	static struct table_view view;
	const struct table_entry **entries = arena_array(&arena, 1, sizeof(*entries));

	seal_driver();
	entries[0] = entry;
	view = (struct table_view){ .table = &table, .entries = entries, .entry_count = 1 };
	return verify_view(&found, &sealed_driver, &view, &arena, &err);
}

/* Verifies that the proxy reads @record as @type (NULL: passes it through). */
static inline void compare(const char *record, const char *type)
{
	const struct table_struct one = { record, type };
	const struct table_entry entry = { .family = "control",
					   .name = "CMD",
					   .number = 1,
					   .constant = "CMD",
					   .structs = &one,
					   .struct_count = 1 };

	put_constant("CMD", 1);
	put_ioctl("control", "CMD", 1, record);
	assert_int_equal(verify_entry(arena_memdup(&arena, &entry, sizeof(entry))), 0);
}

static inline void expect_nothing(void)
{
	if (found.finding_count)
		print_error("%s\n", found.findings[0].message);
	assert_int_equal(found.finding_count, 0);
}

/* The one finding there is. */
static inline const struct verify_finding *expect_one(enum verify_rule rule, const char *path)
{
	for (size_t i = 0; found.finding_count != 1 && i < found.finding_count; i++)
		print_error("%s: %s\n", verify_rule_name(found.findings[i].rule), found.findings[i].message);
	assert_int_equal(found.finding_count, 1);
	assert_string_equal(verify_rule_name(found.findings[0].rule), verify_rule_name(rule));
	assert_string_equal(found.findings[0].path, path);
	return &found.findings[0];
}

/* No fault, but one thing that could not be checked. */
static inline const struct verify_finding *expect_unseen(enum verify_rule rule, const char *path)
{
	expect_nothing();
	assert_int_equal(found.unseen_count, 1);
	assert_true(found.unseen[0].unseen);
	assert_string_equal(verify_rule_name(found.unseen[0].rule), verify_rule_name(rule));
	assert_string_equal(found.unseen[0].path, path);
	return &found.unseen[0];
}

/* One of the findings. */
static inline const struct verify_finding *expect_among(enum verify_rule rule, const char *path)
{
	for (size_t i = 0; i < found.finding_count; i++)
		if (found.findings[i].rule == rule && !strcmp(found.findings[i].path, path))
			return &found.findings[i];
	fail_msg("no %s of %s among %zu findings", verify_rule_name(rule), path, found.finding_count);
	return NULL;
}

#endif
