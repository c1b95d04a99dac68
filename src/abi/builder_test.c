/* Tests of the items and warnings of a document after items were added. */
#include "abi/fixture_test.h"

static struct abi_builder *builder;

static int open_builder(void **state)
{
	builder = abi_builder_new(&arena);
	return 0;
}

static int close_builder(void **state)
{
	abi_builder_free(builder);
	return release_arena(state);
}

static const struct abi *sealed(void)
{
	return document_seal(builder, "1.2", &arena);
}

#define BUILDER_TEST(name) TEST_WITH(name, open_builder, close_builder)

BUILDER_TEST(a_document_has_each_item_once_and_sorted)
{
	static const struct {
		const char *fact, *added, *lines;
	} rows[] = {
		{ "names are sorted by byte", "struct b 4 { } struct A 4 { } struct a 4 { }",
		  "struct A 4 { }\nstruct a 4 { }\nstruct b 4 { }\n" },
		{ "the same thing twice is one thing",
		  "struct R 4 { } alias NvU32 unsigned~int 4 const C 7 ioctl I 1 - struct R 4 { } alias "
		  "NvU32 unsigned~int 4 const C 7 ioctl I 1 -",
		  "struct R 4 { }\nalias NvU32 unsigned~int 4\nconst C 7\nioctl control/I 0x1 -\n" },
		{ "the same record at another place is one", "struct R 4 { } struct R@b.h:1:1 4 { }",
		  "struct R 4 { }\n" },
		{ "another record of that name is reported once, with both places",
		  "struct R 4 { } struct R@b.h:2:3 8 { } struct R@b.h:2:3 8 { }",
		  "struct R 4 { }\nb.h:2:3: struct R is defined differently at a.h:1:R (4 bytes, 0 "
		  "fields) and at b.h:2:3 (8 bytes, 0 fields); the first is kept\n" },
		{ "another alias of that name is reported", "alias T unsigned~int 4 alias T unsigned~long 8",
		  "alias T unsigned~int 4\n: T is an alias of \"unsigned int\" (4 bytes) in one "
		  "translation unit and of \"unsigned long\" (8 bytes) in another; the first is kept\n" },
		{ "another value of a constant is reported", "const C 5 const C -6",
		  "const C 5\n: C is defined as 5 and as -6; the first is kept\n" },
		{ "enumerators are sorted, so the order in which they are added does not matter",
		  "enum E { Z=0; A=1 } enum E { A=1; Z=0 }", "enum E { A=1; Z=0; }\n" },
		{ "an enum with another value is reported", "enum E { A=1 } enum E@b.h:2:2 { A=2 }",
		  "enum E { A=1; }\nb.h:2:2: enum E is defined differently at a.h:1:E (4 bytes, 1 values) "
		  "and at b.h:2:2 (4 bytes, 1 values); the first is kept\n" },
		{ "ioctls are sorted by family, number and name",
		  "ioctl control/A 10 - ioctl control/C 2 - ioctl alloc/Z 9 - ioctl control/B 2 -",
		  "ioctl alloc/Z 0x9 -\nioctl control/B 0x2 -\nioctl control/C 0x2 -\nioctl control/A 0xa "
		  "-\n" },
		{ "one name in two families is two ioctls", "ioctl alloc/A 1 - ioctl control/A 1 -",
		  "ioctl alloc/A 0x1 -\nioctl control/A 0x1 -\n" },
		{ "another ioctl of that name is reported with both numbers",
		  "ioctl A@t.c:1 1 - ioctl A@t.c:1 2 -",
		  "ioctl control/A@t.c:1 0x1 -\nt.c:1: control ioctl A is defined differently at t.c:1 "
		  "(number 0x1, parameters none) and at t.c:1 (number 0x2, parameters none); the first is "
		  "kept\n" },
		{ "flags come out sorted and once", "ioctl f/n 1 - +b +a +b", "ioctl f/n 0x1 - +a +b\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf text = { 0 };

		document_put(builder, rows[i].added, &arena);
		document_lines(&text, sealed());
		assert_false(text_differs(rows[i].fact, &text, rows[i].lines));
	}
}

BUILDER_TEST(warnings_are_sorted_by_place_and_text_and_unique)
{
	static const char *const places[] = { "b.h", "a.h:10:2", "a.h:9:30", "a.h:10:1",
					      "",    "a.h",	 "a.h:9",    "b.h" };
	struct strbuf text = { 0 };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		abi_builder_warning(builder, places[i], "text");
	abi_builder_warning(builder, "b.h", "a text");
	document_lines(&text, sealed());
	assert_false(text_differs("warnings", &text,
				  ": text\na.h: text\na.h:9: text\na.h:9:30: text\na.h:10:1: text\n"
				  "a.h:10:2: text\nb.h: a text\nb.h: text\n"));
}

BUILDER_TEST(a_builder_knows_what_it_has)
{
	static const struct {
		const char *name;
		bool is_record, is_alias, other_than_record, other_than_enum, other_than_alias;
	} rows[] = {
		{ "record", true, false, false, true, true },
		{ "alias", false, true, true, true, false },
		{ "one", false, true, true, false, true }, /* an enum, and its alias */
		{ "none", false, false, false, false, false },
	};

	document_put(builder, "struct record 8 { } alias alias int 4 alias one one 4 enum one { }", &arena);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(!!abi_builder_find(builder, ABI_RECORD, rows[i].name), rows[i].is_record);
		assert_int_equal(!!abi_builder_find(builder, ABI_ALIAS, rows[i].name), rows[i].is_alias);
		assert_int_equal(abi_builder_has_other(builder, ABI_RECORD, rows[i].name),
				 rows[i].other_than_record);
		assert_int_equal(abi_builder_has_other(builder, ABI_ENUM, rows[i].name),
				 rows[i].other_than_enum);
		assert_int_equal(abi_builder_has_other(builder, ABI_ALIAS, rows[i].name),
				 rows[i].other_than_alias);
	}
	sealed();
}

BUILDER_TEST(a_sealed_builder_is_empty_and_the_head_is_the_callers)
{
	const struct abi *abi;

	document_put(builder, "struct R 4 { }", &arena);
	abi = sealed();
	assert_int_equal(abi->record_count, 1);
	assert_string_equal(abi->driver, "d");
	assert_string_equal(abi->version, "1.2");
	assert_string_equal(abi->target, "x86_64-linux-gnu");
	assert_null(abi_builder_find(builder, ABI_RECORD, "R"));
	assert_int_equal(sealed()->record_count, 0);
	abi_builder_free(NULL);
}
