/* Tests of types as a document spells them: parsing the spellings, and resolving them. */
#include "abi/fixture_test.h"

static const struct abi *document;

static int make_document(void **state)
{
	document = document_of(
		"struct P::e_t 8 { NvU32 x@0; NvU32 y@4 } struct POINT 8 { NvU32 x@0; NvU32 y@4 } "
		"enum MODE { MODE_A=0 } alias BAD_ARRAY unsigned~int[3] 16 alias BAD_POINT POINT 12 "
		"alias DEEP NvUuidPair[2] 64 alias EMPTY unsigned~int[0] 0 alias FUNCTION void~(*)(int) 8 "
		"alias FUNCTIONS void~(*[4])(int) 32 alias LOST_ENUM enum~LOST_ENUM 4 alias MODE MODE 4 "
		"alias NvS16 short 2 alias NvUuidPair unsigned~char[2][16] 32 alias OPAQUE OPAQUE 24 "
		"alias POINTS POINT[3] 24 alias RING_A RING_B 4 alias RING_B RING_A 4 alias NvId NvU32 4 "
		"alias _Bool _Bool 1 alias char char 1 alias const~char~* const~char~* 8 "
		"alias const~int const~int 4 alias double double 8 alias int int 4 "
		"alias int~(*)[4] int~(*)[4] 8 alias long long 8 alias signed~char signed~char 1 "
		"alias ulong32 unsigned~long 4 alias unsigned~__int128 unsigned~__int128 16 "
		"alias unsigned~short unsigned~short 2 alias void~(*)(int) void~(*)(int) 8 "
		"alias void~* void~* 8 alias void~*const void~*const 8 "
		"alias volatile~const~POINT const~volatile~POINT 8",
		&arena);
	return 0;
}

TEST(a_spelling_is_a_base_and_dimensions)
{
	static const struct {
		const char *type, *base;
		size_t dimension_count;
		uint64_t dimension[2];
		bool flexible;
	} rows[] = {
		{ "NvU32", "NvU32", 0, { 0 }, false },
		{ "NvU32[4][2]", "NvU32", 2, { 4, 2 }, false },
		{ "T[]", "T", 1, { 0 }, true },
		{ "T[][8]", "T", 2, { 0, 8 }, true },
		{ "T[0]", "T", 1, { 0 }, false },
		{ "T[18446744073709551615]", "T", 1, { UINT64_MAX }, false },
		/* The brackets of a pointer to an array are part of the base. */
		{ "int (*)[4]", "int (*)[4]", 0, { 0 }, false },
		{ "int (*const)[4]", "int (*const)[4]", 0, { 0 }, false },
		{ "int (*[3])[4]", "int (*[3])[4]", 0, { 0 }, false },
		/* Dimensions after a parameter list are those of the function pointer. */
		{ "void (*)(int)[4]", "void (*)(int)", 1, { 4 }, false },
		{ "void (*)(int[4])", "void (*)(int[4])", 0, { 0 }, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct abi_spelling got = { 0 };
		struct err err = { "" };

		if (abi_spelling_parse(&got, rows[i].type, &err) || got.base_length != strlen(rows[i].base) ||
		    memcmp(got.base, rows[i].base, got.base_length) ||
		    got.dimension_count != rows[i].dimension_count || got.flexible != rows[i].flexible)
			fail_msg("%s: %s%.*s", rows[i].type, err.text, (int)got.base_length, got.base);
		for (size_t d = 0; d < got.dimension_count; d++)
			assert_true(got.dimension[d] == rows[i].dimension[d]);
	}
}

TEST(malformed_spellings_are_refused)
{
	static const char *const bad[] = {
		"", " ", "[4]", "T[", "T]", "T[4", "T4]", "T[[4]]", "T[x]", "T[-1]", "T[4][]", "T[][]",
		"T]4[", "T[ 4 ]", "T[18446744073709551616]",
		"T[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct abi_spelling got = { .base_length = 77 };
		struct err err = { "" };

		if (abi_spelling_parse(&got, bad[i], &err) != ERR_FORMAT || !*err.text ||
		    got.base_length != 77)
			fail_msg("\"%s\" was taken", bad[i]);
	}
}

/* Writes "u32 4", "struct POINT" or "enum 4 MODE", then the dimensions, then "=" and their product. */
static void add_type(struct strbuf *out, const struct abi_type *type)
{
	if (type->record)
		strbuf_addf(out, "struct %s", type->record->name);
	else
		strbuf_addf(out, "%s", abi_scalar_kind_name(type->scalar));
	strbuf_addf(out, " %llu", (unsigned long long)type->element_bytes);
	if (type->enumeration)
		strbuf_addf(out, " %s", type->enumeration->name);
	for (size_t i = 0; i < type->dimension_count; i++)
		strbuf_addf(out, type->flexible && !i ? " []" : " [%llu]",
			    (unsigned long long)type->dimension[i]);
	if (type->dimension_count || type->count != 1)
		strbuf_addf(out, " = %llu", (unsigned long long)type->count);
}

TEST(a_type_is_a_record_or_a_scalar)
{
	static const struct {
		const char *type, *meaning;
	} rows[] = {
		/* The spelling decides the sign, and the alias the width. */
		{ "NvU32", "u32 4" }, { "NvS32", "i32 4" }, { "NvS16", "i16 2" }, { "NvU64", "u64 8" },
		{ "unsigned short", "u16 2" }, { "long", "i64 8" }, { "ulong32", "u32 4" },
		{ "char", "char 1" }, { "signed char", "i8 1" }, { "NvBool", "u8 1" }, { "_Bool", "bool 1" },
		/* Types with a size that proxies do not distinguish. */
		{ "double", "bytes 8" }, { "unsigned __int128", "bytes 16" }, { "OPAQUE", "bytes 24" },
		{ "void *", "pointer 8" }, { "void *const", "pointer 8" }, { "const char *", "pointer 8" },
		{ "NvP64", "pointer 8" }, { "FUNCTION", "pointer 8" }, { "void (*)(int)", "pointer 8" },
		{ "int (*)[4]", "pointer 8" },
		{ "NvId", "u32 4" },
		/* A name is found with and without qualifiers. */
		{ "const NvU32", "u32 4" }, { "volatile const NvId", "u32 4" }, { "const int", "i32 4" },
		{ "const POINT", "struct POINT 8" }, { "const struct POINT", "struct POINT 8" },
		{ "volatile const POINT", "struct POINT 8" },
		{ "MODE", "enum 4 MODE" }, { "enum MODE", "enum 4 MODE" },
		{ "LOST_ENUM", "enum 4" }, /* the document does not have the enum */
		{ "P::e_t[2]", "struct P::e_t 8 [2] = 2" },
		/* The dimensions of an array typedef follow those of the spelling. */
		{ "DEEP[5]", "u8 1 [5] [2] [2] [16] = 320" }, { "POINTS", "struct POINT 8 [3] = 3" },
		{ "FUNCTIONS", "pointer 8 [4] = 4" },
		{ "int (*)[4][3]", "pointer 8 [3] = 3" }, { "int (*[3])[4]", "pointer 8 [3] = 3" },
		{ "int (*[3][2])[4]", "pointer 8 [3] [2] = 6" }, { "void (*[3])(int)", "pointer 8 [3] = 3" },
		/* An array without elements keeps the width of its element type. */
		{ "EMPTY", "u32 4 [0] = 0" }, { "NvU32[]", "u32 4 [] = 0" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct abi_type got = { 0 };
		struct strbuf text = { 0 };
		struct err err = { "" };

		if (abi_resolve_type(&got, document, rows[i].type, &err))
			fail_msg("%s: %s", rows[i].type, err.text);
		add_type(&text, &got);
		if (strcmp(text.text, rows[i].meaning))
			fail_msg("%s is %s, expected %s", rows[i].type, text.text, rows[i].meaning);
		strbuf_release(&text);
	}
}

TEST(a_type_that_cannot_be_is_refused)
{
	static const struct {
		const char *type;
		int code;
	} rows[] = {
		{ "NvU128", ERR_NOT_FOUND },
		{ "const NvU128[2]", ERR_NOT_FOUND },
		{ "POIN", ERR_NOT_FOUND },
		{ "POINTE", ERR_NOT_FOUND },
		{ "int (*[3])[5]", ERR_NOT_FOUND },
		{ "int (*[3]", ERR_NOT_FOUND },
		{ "int (*[3)[4]", ERR_FORMAT },
		{ "int (*[4294967296][4294967296])[4]", ERR_LIMIT },
		{ "RING_A", ERR_LIMIT },
		{ "NvU32[4294967296][4294967296]", ERR_LIMIT },
		{ "NvU32[9223372036854775807]", ERR_LIMIT },
		{ "BAD_ARRAY", ERR_FORMAT },
		{ "BAD_POINT", ERR_FORMAT }, /* the size of each contradicts its type */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct abi_type got = { .count = 77 };
		struct err err = { "" };
		int rc = abi_resolve_type(&got, document, rows[i].type, &err);

		if (rc != rows[i].code || !*err.text || got.count != 77)
			fail_msg("%s: %d, expected %d: %s", rows[i].type, rc, rows[i].code, err.text);
	}
}

TEST(a_known_type_is_what_it_was)
{
	struct abi_known_types known = { .spelling = { NULL } };
	const char *type = document->records[0].fields[0].type;
	const struct abi_type *first, *again;

	assert_int_equal(abi_resolve_known(&first, &known, document, type, NULL), 0);
	assert_int_equal(first->scalar, ABI_U32);
	assert_int_equal(abi_resolve_known(&again, &known, document, type, NULL), 0);
	assert_ptr_equal(first, again);
}

TEST(a_type_that_cannot_be_resolved_is_never_known)
{
	static const char type[] = "NOWHERE";
	struct abi_known_types known = { .spelling = { NULL } };
	const struct abi_type *untouched = NULL;

	for (int i = 0; i < 2; i++) {
		assert_int_equal(abi_resolve_known(&untouched, &known, document, type, NULL), ERR_NOT_FOUND);
		assert_null(untouched);
	}
}

TEST_GROUP(make_document, release_arena)
