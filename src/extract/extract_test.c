/*
 * Tests of the records, enums and types of a document, of the files that clang reads, and of the errors for
 * files that it cannot read. Each row of a table has the headers of a driver and the document that is
 * extracted from them (extract/fixture_test.h).
 */
#include "extract/fixture_test.h"

TEST(types_become_records_enums_and_aliases)
{
	static const struct extraction_row rows[] = {
		{ "a struct has its fields", "struct s { char a; int b; };\n",
		  .expected = "struct s@a.h:1:8 8 { char a@0+1; int b@4; }\n" },
		{ "two unnamed members have two names",
		  "struct s { struct { int a; }; union { int b; }; };\n",
		  .expected = "struct s@a.h:1:8 8 { s::_t _@0; s::_t2 _@4; }\n"
			      "struct s::_t@a.h:1:12 4 { int a@0; }\n"
			      "union s::_t2@a.h:1:31 4 { int b@0; }\n" },
		{ "a typedef is a copy with names of its own",
		  "typedef struct t { struct { int x; } e[4]; } T; typedef T U;\n",
		  .expected = "struct T@a.h:1:16 16 { T::e_t[4] e@0; }\n"
			      "struct T::e_t@a.h:1:20 4 { int x@0; }\n"
			      "struct U@a.h:1:16 16 { T::e_t[4] e@0; }\n"
			      "struct t@a.h:1:16 16 { t::e_t[4] e@0; }\n"
			      "struct t::e_t@a.h:1:20 4 { int x@0; }\n" },
		{ "a role comes from the profile", "struct s { int ctlFd; int other; };\n",
		  .expected = "struct s@a.h:1:8 8 { int ctlFd@0 fd; int other@4; }\n",
		  .profile = "'roles': [{'role': 'fd', 'name': '*fd'}]" },
		{ "types inside expressions are found",
		  "enum { Q = sizeof(enum { LEN = 5 }) };\n"
		  "struct s { int a[sizeof(struct t { char c; })]; };\n",
		  .expected = "struct s@a.h:2:8 4 { int[1] a@0; }\nstruct t@a.h:2:32 1/1 { char c@0+1; }\n"
			      "enum ::LEN_t@a.h:1:19 { LEN=5; }\nenum ::Q_t@a.h:1:1 { Q=4; }\n" },
		{ "a type that clang declares by itself is not a record",
		  "typedef __builtin_va_list list; struct s { list l; };\n",
		  .expected = "struct s@a.h:1:40 24/8 { __va_list_tag[1] l@0+24; }\n"
			      "alias __builtin_va_list __va_list_tag[1] 24\n"
			      "alias list __va_list_tag[1] 24\n" },
		{ "the target decides: char is signed on x86_64", "#define K_CHAR ((char)0xff)\n",
		  .expected = "const K_CHAR -1\n" },
		{ "the target decides: char is unsigned on aarch64", "#define K_CHAR ((char)0xff)\n",
		  .expected = "const K_CHAR 255\n", .target = "aarch64-linux-gnu" },
		{ "an unknown target is refused", "",
		  .expected = "ERR_USAGE: unknown target vax; use x86_64-linux-gnu or aarch64-linux-gnu\n",
		  .target = "vax" },
		{ 0 },
	};

	check_extractions(rows);
}

/* inner.h declares several types. a.h uses only one of them, by its typedef. */
#define INNER \
	"#include \"inner.h\"\nstruct s { Used u; };\n@ inc/inner.h\n" \
	"typedef struct used_tag { int a; } Used; struct idle { Used u; }; enum idle_e { IDLE_1 };\n" \
	"typedef int idle_t;\n"

#define DIRECTORIES \
	"#include <asm/regs.h>\n@ arm/asm/regs.h\nstruct regs { int a[2]; };\n" \
	"@ x86/asm/regs.h\nstruct regs { int a; };\n"
#define BY_TARGET "'include': [{'x86_64-linux-gnu': 'x86', 'aarch64-linux-gnu': 'arm'}]"

#define STAND_IN_USER "#include <other.h>\nstruct s { t x; };\n"
#define STAND_IN(is_expected) \
	"'stand_ins': [{'path': 'inc/other.h', 'text': 'typedef int t;', 'expected': " is_expected "}]"

TEST(files_are_found_as_a_compiler_finds_them)
{
	static const struct extraction_row rows[] = {
		{ "types of the context are recorded only if another header uses them", INNER,
		  .expected = "struct Used@inc/inner.h:1:16 4 { int a@0; }\n"
			      "struct s@a.h:2:8 4 { Used u@0; }\n"
			      "struct used_tag@inc/inner.h:1:16 4 { int a@0; }\n",
		  .unit = "'context': ['inc/inner.h']" },
		{ "types of a file that is not in the context are all recorded", INNER,
		  .expected = "struct Used@inc/inner.h:1:16 4 { int a@0; }\n"
			      "struct idle@inc/inner.h:1:49 4 { Used u@0; }\n"
			      "struct s@a.h:2:8 4 { Used u@0; }\n"
			      "struct used_tag@inc/inner.h:1:16 4 { int a@0; }\n"
			      "alias idle_t int 4\n"
			      "enum idle_e@inc/inner.h:1:72 { IDLE_1=0; }\n" },
		{ "a missing include that is not reached is not an error",
		  "#if 0\n#include \"gone.h\"\n#endif\n", .expected = "" },
		{ "clang brings its own headers, of which only the used types are recorded",
		  "#include <stdint.h>\n#include <stddef.h>\nstruct s { uint64_t a; size_t b; };\n",
		  .expected = "struct s@a.h:3:8 16/8 { uint64_t a@0+8; size_t b@8+8; }\n"
			      "alias size_t unsigned~long 8\nalias uint64_t unsigned~long 8\n" },
		{ "the directory of the including file comes before the include directories",
		  "#include \"inc/x.h\"\n"
		  "@ inc/x.h\n#include \"y.h\"\n#include \"../z.h\"\n"
		  "@ inc/y.h\nstruct near { int a; };\n"
		  "@ y.h\nstruct far { int a; };\n"
		  "@ z.h\n#pragma once\nstruct up { int a; };\n",
		  .expected = "struct near@inc/y.h:1:8 4 { int a@0; }\n"
			      "struct up@z.h:2:8 4 { int a@0; }\n" },
		{ "include_next finds the next",
		  "#include <x.h>\n@ inc/x.h\n#include_next <x.h>\n@ more/x.h\nstruct next { int a; };\n",
		  .expected = "struct next@more/x.h:1:8 4 { int a@0; }\n",
		  .unit = "'include': ['inc', 'more']" },
		{ "a directory can be that of one target, x86_64", DIRECTORIES,
		  .expected = "struct regs@x86/asm/regs.h:1:8 4 { int a@0; }\n", .unit = BY_TARGET },
		{ "a directory can be that of one target, aarch64", DIRECTORIES,
		  .expected = "struct regs@arm/asm/regs.h:1:8 8 { int[2] a@0; }\n", .unit = BY_TARGET,
		  .target = "aarch64-linux-gnu" },
		{ "prologue and defines come first",
		  "#ifdef WIDE\nstruct s { __u32 a[COUNT]; from_p b; };\n#endif\n"
		  "@ inc/p.h\ntypedef int from_p;\n",
		  .expected = "struct s@a.h:2:8 16 { __u32[3] a@0; from_p b@12; }\n"
			      "alias __u32 unsigned~int 4\nalias from_p int 4\n",
		  .unit = "'define': ['WIDE', 'COUNT=3'],"
			  " 'prologue': ['typedef unsigned int __u32;', '#include <p.h>']" },
		{ "a read inside the roots is not reported", "#include <b.h>\n@ inc/b.h\n", .expected = "" },
		{ "a read outside of the roots is reported", "@ d/b.h\n@ x/a.h\n#include \"../d/b.h\"\n",
		  .expected = "outside of the roots\n", .unit = "'headers': ['x/a.h']" },
		{ "__has_include is answered from the tree",
		  "#if __has_include(\"inc/../b.h\") && __has_include( <c.h> ) && __has_include(<stddef.h>)\n"
		  "#define K_A 1\n#endif\n"
		  "#if __has_include(\"/etc/passwd\") || __has_include(<stdio.h>) || __has_include(\"d.h\")\n"
		  "#define K_B 1\n#endif\n"
		  "#ifdef __has_include\n#define K_C 1\n#endif\n"
		  "@ b.h\n@ inc/c.h\n",
		  .expected = "const K_A 1\nconst K_C 1\n" },
		{ "clang's own headers can include the tree's",
		  "#include <stdatomic.h>\n#ifdef IN_TREE\n#define K_A 1\n#endif\n"
		  "@ inc/stdint.h\n#define IN_TREE\n#include_next <stdint.h>\n",
		  .expected = "const K_A 1\n" },
		{ "every spelling of a path is one file",
		  "#include \"b.h\"\n#include \"./b.h\"\n#include \"inc/../b.h\"\n"
		  "#define NAME <../b.h>\n#include NAME\n"
		  "@ b.h\n#pragma once\nstruct s { int x; };\n",
		  .expected = "struct s@b.h:2:8 4 { int x@0; }\n" },
		{ "a file can be in the middle of a record",
		  "struct s {\n#include \"fields.inc\"\n}\n#include \"end.inc\"\n"
		  "@ end.inc\n__attribute__((packed));\n"
		  "@ fields.inc\nchar c; struct t { int i; } t;\n",
		  .expected = "struct s@a.h:1:8 5/1 { char c@0+1; t t@1; }\n"
			      "struct t@fields.inc:1:16 4 { int i@0; }\n" },
		{ "a stand-in that is expected causes no warning", STAND_IN_USER,
		  .expected = "struct s@a.h:2:8 4 { t x@0; }\nalias t int 4\n", .unit = STAND_IN("true") },
		{ "a stand-in that is not expected causes a warning", STAND_IN_USER,
		  .expected = "struct s@a.h:2:8 4 { t x@0; }\nalias t int 4\n"
			      "inc/other.h: The tree does not have this file; the profile's stand-in was "
			      "read instead.\n",
		  .unit = STAND_IN("false") },
		{ "a unit whose headers are all absent is not read", "@ b.h\nstruct s { int x; };\n",
		  .expected = "", .unit = "'headers': [], 'optional_headers': ['a.h']" },
		{ 0 },
	};

	check_extractions(rows);
}

TEST(a_header_that_cannot_be_read_is_an_error_with_its_place)
{
	static const struct extraction_row rows[] = {
		{ "a header that does not exist is named", "@ b.h\n",
		  .expected = "ERR_NOT_FOUND: version 1.0 has no file a.h, which unit main of the profile "
			      "reads; is this the right tree for the profile?\n" },
		{ "a syntax error names its line", "struct s {\n int a b;\n};\n",
		  .expected = "ERR_PARSE: a.h:2:7\n" },
		{ "a missing include names its line", "\n#include \"gone.h\"\n",
		  .expected = "ERR_PARSE: a.h:2:10\n" },
		{ "an error in an included file names that file",
		  "#include <b.h>\n@ inc/b.h\n#error this one\n", .expected = "ERR_PARSE: inc/b.h:1:2\n" },
		{ "a header of the machine is refused", "#include \"/usr/include/stdlib.h\"\n",
		  .expected = "ERR_PARSE: a.h:1:10\n" },
		{ "the machine is not searched", "#include <stdlib.h>\n",
		  .expected = "ERR_PARSE: a.h:1:10\n" },
		{ "a declaration left open is an error", "struct s {\n int a;\n",
		  .expected = "ERR_PARSE: unit main of version 1.0\n" },
		{ 0 },
	};

	check_extractions(rows);
}

TEST(types_nested_too_deep_are_refused)
{
	static const struct {
		const char *fact, *head;
		const char *repeated; /* a format for the numbers i and i + 1, where i counts from 0 */
		int count;
		const char *expected; /* the error, or the number of records */
	} rows[] = {
		{ "records with two fields of the record before, without end", "struct s0 {};\n",
		  "struct s%2$d { struct s%1$d a, b; };\n", 59, "ERR_LIMIT: a.h:25:8\n" },
		{ "pointers to pointers without end", "typedef int t0;\n", "typedef t%d *t%d;\n", 5000,
		  "ERR_LIMIT: a.h:501:15\n" },
		{ "records of records without end", "struct s0 { int x; };\n",
		  "struct s%2$d { struct s%1$d x; };\n", 5000, "ERR_LIMIT: a.h:502:8\n" },
		{ "a long chain of typedefs is fine", "typedef struct { int x; } t0;\n", "typedef t%d t%d;\n",
		  500, "501 records\n" },
		{ "a long chain of pointers is not a deep one", "", "struct s%d { struct s%d *next; };\n",
		  20000, "20000 records\n" },
	};

	bool differs = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf header = { 0 };
		struct arena arena = { 0 };
		struct profile profile = profile_of(NULL, NULL, &arena);
		struct extraction_row row;

		strbuf_adds(&header, rows[i].head);
		for (int k = 0; k < rows[i].count; k++)
			strbuf_addf(&header, rows[i].repeated, k, k + 1);
		row = (struct extraction_row){ rows[i].fact, header.text, rows[i].expected,
					       .is_counted = true };
		differs |= extraction_differs(&row, &profile, &arena);
		strbuf_release(&header);
		arena_release(&arena);
	}
	assert_false(differs);
}

/* struct profile_unit can have NULL in place of both arrays, but the JSON reader always makes them. */
TEST(a_unit_needs_no_arrays_of_targets_and_alternatives)
{
	static const struct extraction_row row = {
		"headers and include directories are found",
		"#include <b.h>\n@ inc/b.h\nstruct s { int x; };\n",
		.expected = "struct s@inc/b.h:1:8 4 { int x@0; }\n"
	};
	struct arena arena = { 0 };
	struct profile profile = profile_of(NULL, NULL, &arena);
	struct profile_unit unit = profile.units[0];

	unit.include_target = NULL;
	unit.is_alternative = NULL;
	profile.units = &unit;
	assert_false(extraction_differs(&row, &profile, &arena));
	arena_release(&arena);
}
