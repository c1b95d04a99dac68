/* Tests of flatten_record(). The documents are written as text. */
#include "flatten/flatten.h"
#include "abi/document_test.h"

static struct arena arena;

static int release(void **state)
{
	arena_release(&arena);
	return 0;
}

static void add_place(struct strbuf *out, uint64_t bits)
{
	strbuf_addf(out, "@%llu", (unsigned long long)bits / 8);
	if (bits % 8)
		strbuf_addf(out, ":%llu", (unsigned long long)bits % 8);
}

static void add_repeats(struct strbuf *out, const struct abi_repeat *repeat, size_t count)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, " %llux%llu", (unsigned long long)repeat[i].count,
			    (unsigned long long)repeat[i].stride_bits / 8);
}

/*
 * Appends a text such as "e[].c u32@4 3x8" for each scalar: path, kind, offset, and the count and stride of
 * each repeat. The kind is followed by the number of elements of an array, in brackets, or by the width of a
 * bit-field. A scalar in a union is followed by the union's path and the number of the alternative. A hole is
 * written with its size in bits, and the scalar before it.
 */
static void add_layout(struct strbuf *out, const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->scalar_count; i++) {
		const struct abi_scalar *scalar = &layout->scalar[i];

		strbuf_addf(out, "%s%s %s", i ? "; " : "", scalar->path, abi_scalar_kind_name(scalar->kind));
		if (scalar->is_bitfield)
			strbuf_addf(out, ":%llu", (unsigned long long)scalar->size_bits);
		if (scalar->dimension_count)
			strbuf_addf(out, scalar->flexible ? "[]" : "[%llu]",
				    (unsigned long long)scalar->count);
		if (!scalar->is_bitfield)
			assert_int_equal(scalar->size_bits, scalar->element_bits * scalar->count);
		add_place(out, scalar->offset_bits);
		add_repeats(out, scalar->repeat, scalar->repeat_count);
		if (scalar->union_path)
			strbuf_addf(out, " in '%s' %zu", scalar->union_path, scalar->alternative);
		if (scalar->role)
			strbuf_addf(out, " %s", abi_role_name(scalar->role));
	}
	for (size_t i = 0; i < layout->hole_count; i++) {
		const struct abi_hole *hole = &layout->hole[i];

		strbuf_addf(out, "%s%s of %llu", out->length ? "; " : "", hole->is_tail ? "tail" : "hole",
			    (unsigned long long)hole->size_bits);
		add_place(out, hole->offset_bits);
		add_repeats(out, hole->repeat, hole->repeat_count);
		strbuf_addf(out, " after %s", hole->after);
	}
}

static const struct {
	const char *fact, *document, *record, *layout;
} layouts[] = {
	{ "scalars have kind and offset", "struct R 16 { NvU32 a@0; NvP64 p@8 }", "R",
	  "a u32@0; p pointer@8; hole of 32@4 after a" },
	{ "an array of scalars is one scalar", "struct R 32 { NvU32[4][2] a@0 }", "R", "a u32[8]@0" },
	{ "a typedef of an array is an array", "alias Quad unsigned~char[4] 4 struct R 4 { Quad a@0 }", "R",
	  "a u8[4]@0" },
	{ "a nested record extends the path",
	  "struct I 8 { NvU32 a@0; NvU32 c@4 } struct R 16 { NvU64 d@0; I e@8+8 }", "R",
	  "d u64@0; e.a u32@8; e.c u32@12" },
	{ "an unnamed member adds nothing to the path",
	  "union R::unnamed_t 4 { NvU32 c@0 } struct R 4 { R::unnamed_t _@0 }", "R", "c u32@0 in '' 0" },
	{ "an array of records is a repeated group",
	  "struct I 8 { NvU32 a@0; NvU32 c@4 } struct R 32 { NvU64 d@0; I[3] e@8+24 }", "R",
	  "d u64@0; e[].a u32@8 3x8; e[].c u32@12 3x8" },
	{ "two dimensions have two strides", "struct I 4 { NvU32 x@0 } struct R 24 { I[3][2] m@0 }", "R",
	  "m[][].x u32@0 3x8 2x4" },
	{ "groups inside groups have both repeats",
	  "struct I 4 { NvU32 x@0 } struct M 8 { I[2] i@0 } struct R 40 { M[5] m@0+40 }", "R",
	  "m[].i[].x u32@0 5x8 2x4" },
	{ "members of a union are alternatives", "union U 8 { NvU32 a@0; NvU64 b@0 } struct R 8 { U u@0+8 }",
	  "R", "u.a u32@0 in 'u' 0; u.b u64@0 in 'u' 1" },
	{ "a record that is a union has the empty union path", "union U 8 { NvU32 a@0; NvU64 b@0 }", "U",
	  "a u32@0 in '' 0; b u64@0 in '' 1" },
	{ "scalars are in the order of offsets",
	  "struct I 8 { NvU32 a@0; NvU32 b@4 } union U 8 { I x@0+8; I y@0+8 }", "U",
	  "x.a u32@0 in '' 0; y.a u32@0 in '' 1; x.b u32@4 in '' 0; y.b u32@4 in '' 1" },
	{ "bit-fields have their bits", "struct R 4 { NvU32 lo:3@0; NvU32 hi:5@3 }", "R",
	  "lo u32:3@0; hi u32:5@0:3; tail of 24@1 after hi" },
	{ "an unnamed bit-field is a hole", "struct R 4 { NvU32 lo:3@0; NvU32 _:5@3; NvU32 hi:24@8 }", "R",
	  "lo u32:3@0; hi u32:24@1; hole of 5@0:3 after lo" },
	{ "a flexible array has no bits", "struct R 8 { NvU64 n@0; NvU32[] v@8+0 }", "R",
	  "n u64@0; v u32[]@8" },
	{ "a flexible array of records covers no padding",
	  "struct I 4 { NvU32 c@0 } struct R 8 { NvU32 n@0; I[] e@4+0 }", "R",
	  "n u32@0; e[].c u32@4 0x4; tail of 32@4 after n" },
	{ "holes and tail padding are listed", "struct R 12 { NvU8 a@0; NvU32 b@4; NvU8 c@8 }", "R",
	  "a u8@0; b u32@4; c u8@8; hole of 24@1 after a; tail of 24@9 after c" },
	{ "a hole of a union is what no alternative covers",
	  "struct I 8 { NvU8 a@0; NvU32 b@4 } union U 8 { I x@0+8; NvU8[2] y@0 }", "U",
	  "x.a u8@0 in '' 0; y u8[2]@0 in '' 1; x.b u32@4 in '' 0; hole of 16@2 after y" },
	{ "a repeated hole is listed once", "struct I 8 { NvU8 a@0; NvU32 b@4 } struct R 24 { I[3] e@0+24 }",
	  "R", "e[].a u8@0 3x8; e[].b u32@4 3x8; hole of 24@1 3x8 after e[].a" },
	{ "holes of later elements are found below another alternative",
	  "struct I 8 { NvU8 a@0; NvU32 b@4 } union U 32 { I[2][2] e@0+32; NvU8[10] raw@0 }", "U",
	  "e[][].a u8@0 2x16 2x8 in '' 0; raw u8[10]@0 in '' 1; e[][].b u32@4 2x16 2x8 in '' 0; "
	  "hole of 16@10 after raw; hole of 24@17 2x8 after e[][].a" },
	{ "an empty record has no scalar and no hole", "struct R 0 { }", "R", "" },
	{ "roles come from the fields", "struct R 4 { NvU32 h@0 handle }", "R", "h u32@0 handle" },
};

TEST_WITH(a_record_is_its_scalars_and_holes, NULL, release)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		struct abi_layout layout = { 0 };
		struct strbuf text = { 0 };
		struct err err = { "" };

		if (flatten_record(&layout, document_of(layouts[i].document, &arena), layouts[i].record,
				   &arena, &err))
			fail_msg("%s: %s", layouts[i].fact, err.text);
		add_layout(&text, &layout);
		assert_false(text_differs(layouts[i].fact, &text, layouts[i].layout));
	}
}

TEST_WITH(a_wrong_record_is_refused_with_its_field, NULL, release)
{
	static const struct {
		const char *document, *record;
		int code;
		const char *sentence;
	} wrong[] = {
		{ "", "NONE", ERR_NOT_FOUND, "there is no record NONE in 1" },
		{ "struct A 4 { B b@0 } struct B 4 { A a@0 }", "A", ERR_LIMIT,
		  "record A contains itself, as member b.a" },
		{ "struct R 4 { NvU32 a@4 }", "R", ERR_LAYOUT,
		  "R.a ends after its record, which has 4 bytes" },
		{ "struct R 4 { NvU64 a@0+4 }", "R", ERR_LAYOUT,
		  "R.a has 32 bits, but its type NvU64 has 64" },
		{ "struct R 8 { NvU32[2] a:3@0 }", "R", ERR_LAYOUT,
		  "R.a is a bit-field of the type NvU32[2], which is not an integer" },
		{ "struct R 4 { Mystery a@0 }", "R", ERR_NOT_FOUND,
		  "R.a: type \"Mystery\" is not a record, alias or enum of the document" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct abi_layout layout = { .record = "untouched" };
		struct err err = { "" };

		assert_int_equal(flatten_record(&layout, document_of(wrong[i].document, &arena),
						wrong[i].record, &arena, &err),
				 wrong[i].code);
		assert_string_equal(err.text, wrong[i].sentence);
		assert_string_equal(layout.record, "untouched");
	}
}

TEST_WITH(records_that_double_at_every_level_are_refused, NULL, release)
{
	struct abi_layout layout;
	struct strbuf text = { 0 };
	struct err err = { "" };

	strbuf_adds(&text, "struct R0 0 { }");
	for (int level = 1; level < 60; level++)
		strbuf_addf(&text, " struct R%d 0 { R%d a@0+0; R%d b@0+0 }", level, level - 1, level - 1);
	assert_int_equal(flatten_record(&layout, document_of(text.text, &arena), "R59", &arena, &err),
			 ERR_LIMIT);
	assert_string_equal(err.text, "R1 has more than 262144 members, including those of nested records");
	strbuf_release(&text);
}

TEST_WITH(a_selection_has_only_scalars_of_its_roles_and_no_holes, NULL, release)
{
	const struct abi *abi =
		document_of("struct R 16 { NvU32 a@0 fd; NvU32 b@8; NvU32 c@12 pid }", &arena);
	struct abi_layout got, selected;
	struct strbuf text = { 0 };
	struct err err = { "" };

	assert_int_equal(flatten_record(&got, abi, "R", &arena, &err), 0);
	assert_int_equal(got.hole_count, 1);
	flatten_select(&selected, &got, 1u << ABI_ROLE_PID, &arena);
	add_layout(&text, &selected);
	assert_string_equal(text.text, "c u32@12 pid");
	assert_int_equal(selected.size_bytes, 16);
	strbuf_release(&text);
}
