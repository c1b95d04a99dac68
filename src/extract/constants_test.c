/*
 * Tests of the macros and enumerators that become constants. Each row of a table has the headers of a driver
 * and the document that is extracted from them (extract/fixture_test.h).
 */
#include "extract/fixture_test.h"

TEST(macros_are_constants)
{
	static const struct extraction_row rows[] = {
		{ "a macro is a constant only if clang read the text of its file",
		  "#include <guarded.h>\n#if 0\n#include <unread.h>\n#endif\n"
		  "#define TWICE_H\n#include <twice.h>\n"
		  "@ inc/guarded.h\n#ifndef G_H\n#define G_H\n#define K_ONE 1\n#define K_TWO 2\n#endif\n"
		  "@ inc/twice.h\n"
		  "#ifndef TWICE_H\n#define TWICE_H\n#define K_THREE 3\n#define K_FOUR 4\n#endif\n"
		  "@ inc/unread.h\n#define K_FIVE 5\n#define K_SIX 6\n",
		  .expected = "const K_ONE 1\nconst K_TWO 2\n" },
		{ "a macro is a constant if it is defined at the end",
		  "#define K_A 1\n#define K_B 2\n#undef K_B\n#define K_C 3\n"
		  "#pragma push_macro(\"K_C\")\n#undef K_C\n#define K_C 4\n#pragma pop_macro(\"K_C\")\n",
		  .expected = "const K_A 1\nconst K_C 3\n"
			      "a.h:7: K_C is defined again here, with a different text; its value "
			      "after all headers counts.\n" },
		{ "the value of a macro is that at the end",
		  "#define K_A 1\n#undef K_A\n#define K_B 1\n#undef K_B\n#define K_B 2\n",
		  .expected = "const K_B 2\n"
			      "a.h:5: K_B is defined again here, with a different text; its value "
			      "after all headers counts.\n" },
		{ "pop_macro brings a value back",
		  "#define K_A 1\n#pragma push_macro(\"K_A\")\n#undef K_A\n#define K_A 2\n"
		  "#pragma pop_macro(\"K_A\")\n",
		  .expected = "const K_A 1\n"
			      "a.h:4: K_A is defined again here, with a different text; its value "
			      "after all headers counts.\n" },
		{ "a definition that pop_macro brings back is not guessed",
		  "#define K_A 1\n#pragma push_macro(\"K_A\")\n#undef K_A\n#define K_A \"s\"\n"
		  "#pragma pop_macro(\"K_A\")\n#define K_B 2\n",
		  .expected = "const K_B 2\n"
			      "a.h:4: K_A is left out: it is unknown which of its definitions pop_macro "
			      "restored\n",
		  .profile = "'constants': [{'name': 'K_*', 'value': '^[0-9]'}]" },
		{ "a definition with parameters has a line",
		  "#define K_A 1\n#undef K_A\n#define K_A(x) x\nint pop_macro;\n",
		  .expected = "a.h:3: K_A is left out: it is unknown which of its definitions pop_macro "
			      "restored\n" },
		{ "an earlier definition keeps its kind if the last one has parameters",
		  "#define K_A 5/2\n#undef K_A\n#define K_A(x) x\n"
		  "#define K_B 'b'\n#undef K_B\n#define K_B(x) x\nint pop_macro;\n",
		  .expected = "a.h:3: K_A is left out: it is unknown which of its definitions pop_macro "
			      "restored\n"
			      "a.h:6: K_B is left out: it is unknown which of its definitions pop_macro "
			      "restored\n" },
		{ "a definition with parameters is not another text of a constant",
		  "#define K_A(x) x\n#undef K_A\n#define K_A 3\n", .expected = "const K_A 3\n" },
		{ "the line of a definition is that of the name",
		  "#define \\\n K_A here\n", .expected = "a.h:2: K_A is not an integer constant and is left "
								"out: here\n" },
		{ "clang may read a trigraph's first character as part of a name",
		  "#define K_A?\?/\nint x;\n#define K_B 1\n", .expected = "const K_B 1\n" },
		{ "a no-break space ends a macro's name, and is white space in its text",
		  "#define K_A\302\240 2\n#define K_B 1\n#define K_C x\302\240\n",
		  .expected = "const K_A 2\nconst K_B 1\n"
			      "a.h:3: K_C is not an integer constant and is left out: x\n" },
		{ "a literal with a continued escape, or without an end, has the text that clang reads",
		  "#define K_A F(\"\\\\\n\" 1)\n#define K_B don't\r\n",
		  .expected = "a.h:1: K_A could not be evaluated and is left out: F(\"\\\\ \" 1)\n"
			      "a.h:3: K_B is not an integer constant and is left out: don't\n" },
		{ "a macro that gets parameters is not a constant",
		  "#define K_A 1\n#undef K_A\n#define K_A(x) x\n", .expected = "" },
		{ "a macro whose value changes is not a constant",
		  "#define K_A __LINE__\n#define K_B __COUNTER__\n#define K_C 3\n",
		  .expected = "const K_C 3\n"
			      "a.h:1: K_A has a different value on each line and is left out: __LINE__\n"
			      "a.h:2: K_B has a different value on each line and is left out: "
			      "__COUNTER__\n" },
		{ "a macro that is not an integer is a warning, unless it is empty",
		  "#define K_A (nowhere + 1)\n#define K_B 7:0\n#define K_C 5\n#define K_D\n",
		  .expected = "const K_C 5\n"
			      "a.h:1: K_A is not an integer constant and is left out: (nowhere + 1)\n"
			      "a.h:2: K_B is not an integer constant and is left out: 7:0\n" },
		{ "a macro that closes a parenthesis or a brace spoils no other macro",
		  "#define K_A 1) x (2\n#define K_B sizeof(struct { int a; })\n#define K_C }; int x = {\n"
		  "#define K_D 4\n",
		  .expected = "const K_B 4\nconst K_D 4\n"
			      "a.h:1: K_A could not be evaluated and is left out: 1) x (2\n"
			      "a.h:3: K_C could not be evaluated and is left out: }; int x = {\n" },
		{ "a macro that opens a parenthesis or has a comma spoils no other macro",
		  "#define K_A (1\n#define K_B 1, 2\n#define K_C sizeof(\"abc\")\n"
		  "#define K_D _Generic(1, int: 5)\n",
		  .expected = "const K_C 4\nconst K_D 5\n"
			      "a.h:1: K_A could not be evaluated and is left out: (1\n"
			      "a.h:2: K_B is not an integer constant and is left out: 1, 2\n" },
		{ 0 },
	};

	check_extractions(rows);
}

/* Clang, not a scan of the text, decides which lines of a header define macros. */
TEST(clang_says_which_macros_there_are)
{
	static const struct extraction_row rows[] = {
		{ "continued lines and digraphs", "#define K_\\\nA 1\n%:define K_B 2\n#def\\\nine K_C 3\n",
		  .expected = "const K_A 1\nconst K_B 2\nconst K_C 3\n" },
		{ "a comment whose mark is continued",
		  "#define K_A F(1) /\\\n/ 2\n#define K_B 7:0 /\\\n* 3 */\n",
		  .expected = "a.h:1: K_A is not an integer constant and is left out: F(1)\n"
			      "a.h:3: K_B is not an integer constant and is left out: 7:0\n" },
		{ "lines that end with a carriage return", "#define K_A 1\r#define K_B 2\r",
		  .expected = "const K_A 1\nconst K_B 2\n" },
		{ "a byte order mark", "\xef\xbb\xbf#define K_A 1\n", .expected = "const K_A 1\n" },
		{ "names outside of ASCII", "#define K_\\u00e9 1\n#define K_\xc3\xa8 2\n",
		  .expected = "const K_\xc3\xa8 2\nconst K_\xc3\xa9 1\n" },
		{ "definitions in comments and under #if 0",
		  "#if 0\n#define K_A 1\n#endif\n/*\n#define K_B 2\n*/\n", .expected = "" },
		{ 0 },
	};

	check_extractions(rows);
}

/* However a header uses a macro, clang must read the macro's definition. */
TEST(every_use_of_a_macro_is_found)
{
	static const struct extraction_row rows[] = {
		{ "a use on two lines", "#define FOO bar\nstruct s { int FO\\\nO; };\n",
		  .expected = "struct s@a.h:2:8 4 { int bar@0; }\n" },
		{ "a definition on two lines", "#define F\\\nOO bar\nstruct s { int FOO; };\n",
		  .expected = "struct s@a.h:3:8 4 { int bar@0; }\n" },
		{ "a name made by ##",
		  "#define FOO bar\n#define CAT(a, b) a##b\nstruct s { int CAT(F, OO); };\n",
		  .expected = "struct s@a.h:3:8 4 { int bar@0; }\n" },
		{ "a use by another macro", "#define FOO BAR\n#define BAR baz\nstruct s { int FOO; };\n",
		  .expected = "struct s@a.h:3:8 4 { int baz@0; }\n" },
		{ "#ifdef", "#define FOO\n#ifdef FOO\nstruct s { int a; };\n#endif\n",
		  .expected = "struct s@a.h:3:8 4 { int a@0; }\n" },
		{ "#if", "#define A B\n#define B 1\n#if A\nstruct s { int a; };\n#endif\n",
		  .expected = "struct s@a.h:4:8 4 { int a@0; }\n" },
		{ "a use outside of declarations",
		  "#define STDC_OPEN struct s {\n#define STDC_CLOSE };\nSTDC_OPEN int x; STDC_CLOSE\n",
		  .expected = "struct s@a.h:3:1 4 { int x@0; }\n" },
		{ 0 },
	};

	check_extractions(rows);
}

TEST(a_header_that_depends_on_more_than_the_tree_is_refused)
{
	static const struct extraction_row rows[] = {
		{ "a name that __has_include gets from a macro",
		  "#define NAME \"b.h\"\n#if __has_include(NAME)\n#endif\n@ b.h\n",
		  .expected = "ERR_PARSE: a.h:2\n" },
		{ "a macro that uses __has_include",
		  "int x;\n#define HAS(x) __has_include(x)\n#if HAS(\"b.inc\")\n#endif\n@ b.inc\n",
		  .expected = "ERR_PARSE: a.h:2\n" },
		{ "the clock", "struct s { char a[__TIME__[7]]; };\n", .expected = "ERR_PARSE: a.h:1:19\n" },
		{ 0 },
	};

	check_extractions(rows);
}

#define BOTH "'constants': [{'name': 'K_*'}, {'name': 'K_*', 'enum': '*'}]"

TEST(enumerators_are_constants_if_the_profile_says_so)
{
	static const struct extraction_row rows[] = {
		{ "rules select enumerators by name, enum and file",
		  "#define CODE(name, value) name = (value),\n"
		  "enum {\nCODE(K_OK, 0)\nCODE(K_BAD, 0x22)\nCODE(K_END, 3)\nOTHER\n};\n"
		  "enum named { K_B = 7, K_C = -8 };\n"
		  "typedef enum { K_D = 0xffffffffu } typed;\n"
		  "struct s { enum { K_E = 5 } e; };\n"
		  "enum elsewhere { K_F };\n"
		  "#define K_MACRO 1\n",
		  .expected = "struct s@a.h:10:8 4 { s::e_t e@0; }\n"
			      "enum ::K_OK_t@a.h:2:1 { K_BAD=34; K_END=3; K_OK=0; OTHER=4; }\n"
			      "enum elsewhere@a.h:11:6 { K_F=0; }\n"
			      "enum named@a.h:8:6 int 4 { K_B=7; K_C=-8; }\n"
			      "enum s::e_t@a.h:10:12 { K_E=5; }\n"
			      "enum typed@a.h:9:9 { K_D=4294967295; }\n"
			      "const K_BAD 34\nconst K_C -8\nconst K_D 4294967295\nconst K_E 5\n"
			      "const K_OK 0\n",
		  .profile = "'constants': ["
			     "{'name': 'K_*', 'enum': '::K_OK_t', 'file': 'a.h', 'except': ['K_END']},"
			     "{'name': 'K_C', 'enum': 'named'}, {'name': 'K_*', 'enum': 'typed'},"
			     "{'name': 'K_*', 'enum': 's::e_t'},"
			     "{'name': 'K_*', 'enum': 'elsewhere', 'file': 'b.h'}]" },
		{ "a macro and an enumerator with the same name and value cause no warning",
		  "enum { K_A = 1, K_B = 2 };\n#define K_A K_A\n",
		  .expected = "enum ::K_A_t@a.h:1:1 { K_A=1; K_B=2; }\nconst K_A 1\nconst K_B 2\n",
		  .profile = BOTH },
		{ "a macro and an enumerator with the same name and different values cause a warning",
		  "enum { K_A = 1 };\n#define K_A 2\n",
		  .expected = "enum ::K_A_t@a.h:1:1 { K_A=1; }\nconst K_A 1\n"
			      ": K_A is defined as 1 and as 2; the first is kept\n",
		  .profile = BOTH },
		{ 0 },
	};

	check_extractions(rows);
}

/* The macros that match `wanted` are requested in addition to those of the profile. */
TEST(macros_can_be_requested_in_addition)
{
	static const struct extraction_row rows[] = {
		{ "macros and enumerators that are requested in addition are constants",
		  "#define K_A 1\n#define F_LOW (-2)\n#define F_SUM (K_A + 8)\n#define G 3\n"
		  "enum { F_ONE = 5, G_ONE };\ntypedef struct { enum { F_TWO = 6 } e; } s;\n",
		  .expected = "struct s@a.h:6:9 4 { s::e_t e@0; }\n"
			      "enum ::F_ONE_t@a.h:5:1 { F_ONE=5; G_ONE=6; }\n"
			      "enum s::e_t@a.h:6:18 { F_TWO=6; }\nconst F_LOW -2\nconst F_ONE 5\n"
			      "const F_SUM 9\nconst F_TWO 6\nconst K_A 1\nmacro K_A\n",
		  .wanted = "F_*" },
		/* It must not become an ioctl, or name a command. */
		{ "a macro that is requested in addition is not a macro of the profile",
		  "#define K_A 1\n#define F_A 1\n", .expected = "const F_A 1\nconst K_A 1\nmacro K_A\n",
		  .wanted = "*" },
		{ "the rules of the profile for a macro's text do not apply to additional requests",
		  "#define K_A 0x1\n#define K_B 2\n", .expected = "const K_A 1\nconst K_B 2\nmacro K_A\n",
		  .profile = "'constants': [{'name': 'K_*', 'value': '^0x'}]", .wanted = "K_*" },
		{ "all additional macros that are not integers are one warning",
		  "#define F_BITS 7:0\n#define F_TEXT \"a\"\n#define F_GUARD\n#define F_TYPE struct s\n"
		  "#define F_D d\n#define F_OPEN (\n#define F_CALL(x) x\n#define F_ONE 1\n",
		  .expected = "const F_ONE 1\n"
			      ": Left out of the requested constants, because they are not integers: 5 "
			      "macros, the first ones F_BITS (7:0), F_D (d), F_OPEN (()\n",
		  .wanted = "F_*" },
		{ "an additional macro that is an integer in one unit causes no warning",
		  "#define F_A X\n@ b.h\nenum { X = 4 };\n#define F_A X\n",
		  .expected = "enum ::X_t@b.h:1:1 { X=4; }\nconst F_A 4\n",
		  .profile = "'units': [{'name': 'a', 'headers': ['a.h']},"
			     " {'name': 'b', 'headers': ['b.h']}]",
		  .wanted = "F_*" },
		{ "an enumerator of its name does not make a macro an integer",
		  "enum e { F_A = 4 };\n#define F_A \"a\"\n",
		  .expected = "enum e@a.h:1:6 { F_A=4; }\nconst F_A 4\n"
			      ": Left out of the requested constants, because they are not integers: 1 "
			      "macro, F_A (\"a\")\n",
		  .wanted = "F_*" },
		{ 0 },
	};

	check_extractions(rows);
}

/* The JSON reader refuses such a profile, so the test changes the pattern afterwards. */
TEST(a_pattern_that_is_not_a_regular_expression_is_refused)
{
	static const struct extraction_row row = {
		"a pattern of a rule", "",
		.expected = "ERR_FORMAT: the profile's regular expression \"(\" is malformed\n"
	};
	static const struct profile_constant rule = { .name = "K_*", .value = "(" };
	struct arena arena = { 0 };
	struct profile profile = profile_of(NULL, NULL, &arena);

	profile.constants = &rule;
	assert_false(extraction_differs(&row, &profile, &arena));
	arena_release(&arena);
}
