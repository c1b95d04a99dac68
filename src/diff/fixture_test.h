/*
 * diff/fixture_test.h - documents made in memory, and what a test asks of a diff
 *
 * For the tests of diff/ only. Everything is in one arena that is released
 * after each test. Offsets and sizes are bytes, but for bit-fields.
 */
#ifndef DIFF_FIXTURE_TEST_H
#define DIFF_FIXTURE_TEST_H

#include "diff/diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)

#define F(n, t, at, bytes) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8 }
#define ROLE(n, t, at, bytes, r)                                                                             \
	{ .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8, .role = (r) }
#define U32(n, at) F(n, "NvU32", at, 4)
#define U64(n, at) F(n, "NvU64", at, 8)
#define HANDLE(n, at) ROLE(n, "NvHandle", at, 4, ABI_ROLE_HANDLE)
#define POINTER(n, at) ROLE(n, "NvP64", at, 8, ABI_ROLE_POINTER)
#define BITS(n, t, at, width)                                                                                \
	{ .name = (n), .type = (t), .offset_bits = (at), .size_bits = (width), .is_bitfield = true }

#define RECORD(doc, name, size, ...) \
	put_record(doc, name, name, size, false, (const struct abi_field[]){ __VA_ARGS__ }, \
		   sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))
#define UNION(doc, name, size, ...) \
	put_record(doc, name, name, size, true, (const struct abi_field[]){ __VA_ARGS__ }, \
		   sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))
/* A record whose declaration is that of @of. */
#define TYPEDEF(doc, of, name, size, ...) \
	put_record(doc, name, of, size, false, (const struct abi_field[]){ __VA_ARGS__ }, \
		   sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))
#define ENUM(doc, name, ...) \
	put_enum(doc, name, (const struct abi_enumerator[]){ __VA_ARGS__ }, \
		 sizeof((const struct abi_enumerator[]){ __VA_ARGS__ }) / sizeof(struct abi_enumerator))
#define V(n, v) { (n), { (v), false } }

static struct arena arena;
static struct abi_builder *base, *next; /* the two documents of the test that runs */
static struct diff_options options;

static inline void put_alias(struct abi_builder *doc, const char *name, const char *type, uint64_t size)
{
	const struct abi_alias alias = { name, type, size };

	abi_builder_alias(doc, &alias);
}

static inline struct abi_builder *new_document(void)
{
	struct abi_builder *doc = abi_builder_new(&arena);

	put_alias(doc, "NvU8", "unsigned char", 1);
	put_alias(doc, "NvU16", "unsigned short", 2);
	put_alias(doc, "NvU32", "unsigned int", 4);
	put_alias(doc, "NvV32", "unsigned int", 4);
	put_alias(doc, "NvS32", "int", 4);
	put_alias(doc, "NvU64", "unsigned long long", 8);
	put_alias(doc, "NvHandle", "unsigned int", 4);
	put_alias(doc, "NvP64", "void *", 8);
	return doc;
}

static inline int begin_test(void **state)
{
	(void)state;
	options = (struct diff_options){ 0 };
	base = new_document();
	next = new_document();
	return 0;
}

static inline int end_test(void **state)
{
	(void)state;
	abi_builder_free(base);
	abi_builder_free(next);
	arena_release(&arena);
	return 0;
}

static inline void put_record(struct abi_builder *doc, const char *name, const char *of, uint64_t size,
			      bool is_union, const struct abi_field *fields, size_t count)
{
	struct abi_record record = { .name = name, .size_bytes = size, .align_bytes = 4, .is_union = is_union,
				     .field_count = count };

	record.source = arena_printf(&arena, "a.h:1:%s", of);
	record.fields = arena_memdup(&arena, fields, count * sizeof(*fields));
	abi_builder_record(doc, &record);
}

/*
 * Structs and unions as text: "struct R 16 { NvU32 a@0; NvU64 b@4+8; NvHandle h@12 handle; NvU32 lo:3@0 }".
 * A field has a type, a name, an offset, a size unless that is 4 bytes, and perhaps a role. A bit-field has its
 * width, and its offset in bits.
 */
static inline void put_text(struct abi_builder *doc, const char *text)
{
	struct abi_field fields[16];
	char word[16], name[64], type[64];
	unsigned long long bytes, at;
	int length;

	while (sscanf(text, " %15s %63s %llu {%n", word, name, &bytes, &length) == 3) {
		size_t count = 0;

		for (text += length; sscanf(text, " %63s %n", type, &length) == 1 && *type != '}'; count++) {
			struct abi_field *field = &fields[count];
			unsigned long long size = 4;
			char path[64], role[32];

			text += length;
			assert_true(count < 16 && sscanf(text, "%63[^:@;} ]%n", path, &length) == 1);
			text += length;
			*field = (struct abi_field){ .type = arena_strdup(&arena, type),
						     .name = arena_strdup(&arena, path),
						     .is_bitfield = *text == ':' };
			if (sscanf(text, ":%llu%n", &size, &length) == 1)
				text += length;
			assert_int_equal(sscanf(text, "@%llu%n", &at, &length), 1);
			text += length;
			if (sscanf(text, "+%llu%n", &size, &length) == 1)
				text += length;
			field->offset_bits = at * (field->is_bitfield ? 1 : 8);
			field->size_bits = size * (field->is_bitfield ? 1 : 8);
			if (sscanf(text, " %31[a-z-]%n", role, &length) == 1) {
				assert_int_equal(abi_role_parse(&field->role, role, NULL), 0);
				text += length;
			}
			text += strspn(text, "; ");
		}
		text = strchr(text, '}') + 1;
		put_record(doc, arena_strdup(&arena, name), name, bytes, !strcmp(word, "union"), fields, count);
	}
	assert_string_equal(text, "");
}

static inline void put_enum(struct abi_builder *doc, const char *name, const struct abi_enumerator *values,
			    size_t count)
{
	struct abi_enum one = { .name = name, .type = "unsigned int", .size_bytes = 4, .value_count = count };

	one.source = arena_printf(&arena, "a.h:1:%s", name);
	one.values = arena_memdup(&arena, values, count * sizeof(*values));
	abi_builder_enum(doc, &one);
}

static inline void put_constant(struct abi_builder *doc, const char *name, uint64_t value)
{
	const struct abi_constant constant = { name, { value, false } };

	abi_builder_constant(doc, &constant);
}

static inline void put_ioctl(struct abi_builder *doc, const char *name, uint64_t number, const char *params)
{
	const struct abi_ioctl ioctl = {
		.family = "control", .name = name, .number = number, .params = params, .source = ""
	};

	abi_builder_ioctl(doc, &ioctl);
}

/* One of <linux/ioctl.h>: _IOWR('K', @nr, @params), of @size bytes. */
static inline void put_encoded(struct abi_builder *doc, const char *name, unsigned nr, unsigned size,
			       enum abi_encoding encoding)
{
	const struct abi_ioctl ioctl = {
		.family = "control",
		.name = name,
		.number = UINT64_C(0xc0000000) | size << 16 | 'K' << 8 | nr,
		.source = "",
		.encoding = encoding,
	};

	abi_builder_ioctl(doc, &ioctl);
}

static inline const struct abi *sealed(struct abi_builder *doc, const char *version)
{
	const struct abi head = {
		.driver = "d", .version = version, .commit = "", .target = "x86_64-linux-gnu"
	};
	struct abi *abi = arena_alloc(&arena, sizeof(*abi));

	abi_builder_seal(abi, doc, &head);
	return abi;
}

/* Both documents as they are now, compared. */
static inline const struct diff *compared(void)
{
	struct diff *diff = arena_alloc(&arena, sizeof(*diff));
	const struct abi *was = sealed(base, "1"), *is = sealed(next, "2");
	struct err err = { "" };

	if (diff_documents(diff, was, is, &options, &arena, &err))
		fail_msg("%s", err.text);
	return diff;
}

static inline const struct diff_change *find_change(const struct diff *diff, enum abi_kind kind,
						    const char *name)
{
	for (size_t i = 0; i < diff->change_count; i++)
		if (diff->changes[i].kind == kind && !strcmp(diff->changes[i].name, name))
			return &diff->changes[i];
	return NULL;
}

/* The one change of that kind that there is. */
static inline const struct diff_change *only_change(enum abi_kind kind)
{
	const struct diff *diff = compared();
	const struct diff_change *found = NULL;

	for (size_t i = 0; i < diff->change_count; i++) {
		if (diff->changes[i].kind != kind)
			continue;
		assert_null(found);
		found = &diff->changes[i];
	}
	assert_non_null(found);
	return found;
}

static inline const struct diff_field *find_field(const struct diff_change *change, const char *path)
{
	for (size_t i = 0; i < change->field_count; i++) {
		const struct diff_field *field = &change->fields[i];

		if (!strcmp((field->after ? field->after : field->before)->path, path))
			return field;
	}
	fail_msg("no change of %s in %s", path, change->name);
	return NULL;
}

static inline void assert_field(const struct diff_change *change, const char *path, enum diff_op op,
				unsigned classes)
{
	const struct diff_field *field = find_field(change, path);

	assert_string_equal(diff_op_name(field->op), diff_op_name(op));
	assert_int_equal(field->classes, classes);
}

#endif
