/*
 * Tests that declarations in C have the layouts of a document.
 *
 * A row has a document, the types to declare, and the output or the error. With "+", the types that they use
 * are declared first.
 */
#include "gen/fixture_test.h"

struct declaration_row {
	const char *fact, *document, *asked, *expected;
};

static void add_declared(struct strbuf *out, const struct declaration_row *row)
{
	struct cdecl writer = { .out = out, .abi = document_at(row->document, "1.0"), .err = &err };
	const char *asked = row->asked;
	char *name;

	while (*(name = document_word(&asked, &arena))) {
		const struct abi_record *record = abi_find_record(writer.abi, name + (*name == '+'));
		int rc;

		writer.expand = *name == '+';
		rc = record ? cdecl_record(&writer, record)
			    : cdecl_alias(&writer, abi_find_alias(writer.abi, name));
		if (rc) {
			strbuf_reset(out);
			add_error(out, rc);
		}
	}
	cdecl_release(&writer);
}

static void check_declarations(const struct declaration_row *rows, size_t count)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct strbuf text = { 0 };

		add_declared(&text, &rows[i]);
		wrong += text_differs(rows[i].fact, &text, rows[i].expected);
		arena_release(&arena);
	}
	assert_int_equal(wrong, 0);
}

TEST(a_declaration_has_the_layout)
{
	static const struct declaration_row rows[] = {
		{ "holes are comments", "struct R 24/8 { NvU8 a@0; NvU64[2] b@8 }", "R",
		  "/* a.h:1:R */\nstruct R {\n"
		  "\tNvU8 a;                                 /*     0     1 */\n"
		  "\t/* hole: 7 bytes */\n"
		  "\tNvU64 b[2];                             /*     8    16 */\n"
		  "}; /* size 24, align 8 */\n\n" },
		{ "a complex number is aligned to its part",
		  "alias _Complex~double _Complex~double 16 struct R 32/16 { NvU32 a@0; "
		  "_Complex~double b@16+16 }", "R",
		  "/* a.h:1:R */\nstruct R {\n"
		  "\tNvU32 a;                                /*     0     4 */\n"
		  "\t/* hole: 12 bytes */\n"
		  "\t_Complex double b __attribute__((aligned(16))); /*    16    16 */\n"
		  "}; /* size 32, align 16 */\n\n" },
		{ "without a source, there is no comment", "struct R@ 4 { NvU32 a@0 }", "R",
		  "struct R {\n"
		  "\tNvU32 a;                                /*     0     4 */\n"
		  "}; /* size 4, align 4 */\n\n" },
		{ "a field before its natural offset is packed", "struct R 9/1 { NvU8 a@0; NvU64 b@1 }", "R",
		  "/* a.h:1:R */\nstruct R {\n"
		  "\tNvU8 a;                                 /*     0     1 */\n"
		  "\tNvU64 b;                                /*     1     8 */\n"
		  "} __attribute__((packed)); /* size 9, align 1 */\n\n" },
		{ "a field after its natural offset is aligned", "struct R 32/16 { NvU8 a@0; NvU8 b@16 }",
		  "R",
		  "/* a.h:1:R */\nstruct R {\n"
		  "\tNvU8 a;                                 /*     0     1 */\n"
		  "\t/* hole: 15 bytes */\n"
		  "\tNvU8 b __attribute__((aligned(16)));    /*    16     1 */\n"
		  "\t/* tail padding: 15 bytes */\n"
		  "}; /* size 32, align 16 */\n\n" },
		{ "a hole that no alignment leaves is filled", "struct R 4/1 { NvU8 a@0; NvU8 b@3 }", "R",
		  "/* a.h:1:R */\nstruct R {\n"
		  "\tNvU8 a;                                 /*     0     1 */\n"
		  "\tunsigned char hole_at_1[2];             /* hole: 2 bytes */\n"
		  "\tNvU8 b;                                 /*     3     1 */\n"
		  "} __attribute__((packed)); /* size 4, align 1 */\n\n" },
		{ "omitted bits are filled", "struct R 4 { NvU32 a:3@0; NvU32 b:2@5 }", "R",
		  "/* a.h:1:R */\nstruct R {\n"
		  "\tNvU32 a : 3;                            /*     0:0   3b */\n"
		  "\t/* hole: 2 bits */\n\tunsigned char : 2;\n"
		  "\tNvU32 b : 2;                            /*     0:5   2b */\n"
		  "\t/* tail padding: 3 bytes */\n"
		  "}; /* size 4, align 4 */\n\n" },
		{ "an unnamed record is declared inside",
		  "struct R 16/8 { R::_t _@0+8; R::n_t[2] n@8 } union R::_t 8/8 { NvP64 p@0; NvU64 v@0 } "
		  "struct R::n_t 4 { NvU32 x@0 }",
		  "R",
		  "/* a.h:1:R */\nstruct R {\n"
		  "\tunion {\n"
		  "\t\tNvP64 p;                        /*     0     8 */\n"
		  "\t\tNvU64 v;                        /*     0     8 */\n"
		  "\t};                                      /*     0     8 */\n"
		  "\tstruct {\n"
		  "\t\tNvU32 x;                        /*     8     4 */\n"
		  "\t} n[2];                                 /*     8     8 */\n"
		  "}; /* size 16, align 8 */\n\n" },
		{ "the types that it uses come first, and once",
		  "struct R 12 { S a@0; S b@4; NvU32 c@8 } struct S 4 { NvU32 x@0 }", "+R",
		  "typedef unsigned int NvU32; /* size 4 */\n\n"
		  "/* a.h:1:S */\nstruct S {\n"
		  "\tNvU32 x;                                /*     0     4 */\n"
		  "}; /* size 4, align 4 */\n\n"
		  "/* a.h:1:R */\nstruct R {\n"
		  "\tstruct S a;                             /*     0     4 */\n"
		  "\tstruct S b;                             /*     4     4 */\n"
		  "\tNvU32 c;                                /*     8     4 */\n"
		  "}; /* size 12, align 4 */\n\n" },
		{ "a flexible array that C does not allow has no elements", "struct R 0/1 { NvU8[] a@0+0 }",
		  "R",
		  "/* a.h:1:R */\nstruct R {\n"
		  "\tNvU8 a[0];                              /*     0     0 */\n"
		  "}; /* size 0, align 1 */\n\n" },
		{ "dimensions inside a declarator are the field's",
		  "alias cb_t int~(*[3])(int) 24 alias int~*(*)[3] int~*(*)[3] 8 struct R 24/8 { "
		  "int~*(*)[3][2] a@0+16; int~*(*)[3] b@16+8 }",
		  "R cb_t",
		  "/* a.h:1:R */\nstruct R {\n"
		  "\tvoid *a[2]; /*     0    16  int *(*)[3][2] */\n"
		  "\tvoid *b;                                /*    16     8  int *(*)[3] */\n"
		  "}; /* size 24, align 8 */\n\n"
		  "typedef void *cb_t[3]; /* size 24 */\n\n" },
	};

	check_declarations(rows, sizeof(rows) / sizeof(*rows));
}

TEST(what_c_cannot_declare_is_refused)
{
	static const char itself[] = "struct R 4 { R::a_t a@0 } struct R::a_t 4 { R::a_t a@0 }";
	static const struct declaration_row rows[] = {
		{ "fields that overlap", "struct R 8 { NvU32 a@0; NvU32 b@2 }", "R",
		  "ERR_LAYOUT: R: its fields overlap, so it cannot be declared in C; fix the document" },
		{ "a field after the end", "struct R 4 { NvU32 a@4 }", "R",
		  "ERR_LAYOUT: R: its fields end after the record, so it cannot be declared in C; "
		  "fix the document" },
		{ "a name that is not an identifier", "struct R 4 { NvU32 a;int~b@0 }", "R",
		  "ERR_FORMAT: 'a;int~b' is not a valid identifier in C, so it cannot be declared; "
		  "use --format text" },
		{ "a type that the document does not have", "struct R 4 { Nv a@0 }", "R",
		  "ERR_NOT_FOUND: type \"Nv\" is not a record, alias or enum of the document" },
		{ "an unnamed record that contains itself", itself, "R",
		  "ERR_LIMIT: R::a_t: records nest deeper than 64 levels, or contain themselves" },
		{ "an unnamed record that contains itself, with the types that it uses", itself, "+R",
		  "ERR_LIMIT: R::a_t: records nest deeper than 64 levels, or contain themselves" },
	};

	check_declarations(rows, sizeof(rows) / sizeof(*rows));
}

TEST(unnamed_records_that_double_at_every_level_are_refused)
{
	const char *text = "struct R 0/1 { R::01 a@0+0; R::01 b@0+0 } "
			   "struct R::31 0/1 { NvU8[0] a@0; NvU8[0] b@0 }";

	for (unsigned i = 1; i < 31; i++)
		text = arena_printf(&arena, "%s struct R::%02u 0/1 { R::%02u a@0+0; R::%02u b@0+0 }", text, i,
				    i + 1, i + 1);
	check_declarations(&(const struct declaration_row){ "too many records", text, "R",
							  "ERR_LIMIT: R::28: more than 65536 records are "
							  "declared; give fewer names" },
			   1);
}

TEST(a_definition_names_the_types_of_its_members)
{
	static const struct abi_record any = { .name = "S" };
	static const struct definition s_v590 = { .name = "S_V590", .driver_name = "S", .record = &any };
	static const struct definition_member mode[] = {
		{ .type = { .words = "NvU32", .remark = "enum NV_MODE" } },
	};
	const struct abi *abi = document_at(
		"alias NV_MODE unsigned~int 4 struct R 12 { S[2] s@0; R::_t _@8 } "
		"struct R::_t 4 { NV_MODE mode@0 } struct S 4 { unsigned~int x@0 } "
		"struct Q 4 { const~R::_t q@0 }", "1.0");
	const struct definition in_place = { .driver_name = "R::_t", .abi = abi, .members = mode,
					     .record = abi_find_record(abi, "R::_t") };
	const struct definition_member members[] = {
		{ .type = { .definition = &s_v590, .dimension = { 2 }, .dimension_count = 1 } },
		{ .type = { .definition = &in_place } },
	};
	struct definition as = { .name = "R_V590", .abi = abi, .members = members,
				 .record = abi_find_record(abi, "R") };
	struct strbuf out = { 0 };
	struct cdecl writer = { .out = &out, .err = &err };

	assert_int_equal(cdecl_definition(&writer, &as), 0);
	assert_false(text_differs("a definition", &out,
				  "/* a.h:1:R */\n/* R */\nstruct R_V590 {\n"
				  "\tstruct S_V590 s[2];                     /*     0     8 */\n"
				  "\tstruct {\n"
				  "\t\tNvU32 mode;                     /*     8     4  enum NV_MODE */\n"
				  "\t};                                      /*     8     4 */\n"
				  "}; /* size 12, align 4 */\n\n"));
	as = (struct definition){ .name = "Q", .abi = abi, .members = &members[1],
				  .record = abi_find_record(abi, "Q") };
	assert_int_equal(cdecl_definition(&writer, &as), 0);
	assert_false(text_differs("a qualified unnamed record", &out,
				  "/* a.h:1:Q */\nstruct Q {\n\tstruct {\n"
				  "\t\tNvU32 mode;                     /*     0     4  enum NV_MODE */\n"
				  "\t} q;                                    /*     0     4 */\n"
				  "}; /* size 4, align 4 */\n\n"));
	as.name = "Q-1";
	assert_int_equal(cdecl_definition(&writer, &as), ERR_FORMAT);
	strbuf_release(&out);
	cdecl_release(&writer);
	arena_release(&arena);
}

TEST(a_comment_cannot_end_early)
{
	struct strbuf out = { 0 };

	cdecl_comment(&out, "a*/ b /* c\n**/");
	assert_false(text_differs("a comment", &out, "/* a* / b / * c\\x0a** / */"));
}
