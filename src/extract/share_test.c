/*
 * A tree that is read with what others have left must give the document that
 * it gives alone: known traps one by one. share_chance_test.c has more.
 */
#include "extract/share_fake.h"

/* The two versions of one trap: the second differs in @path alone (NULL @text: it is gone). */
static unsigned trap(struct version version, const char *path, const char *text)
{
	struct extract_share *share = new_share();
	unsigned reads;

	check(&version, share);
	if (text)
		put(&version, path, text);
	else
		drop(&version, path);
	reads = check(&version, share);
	extract_share_free(share);
	return reads;
}

static void what_did_not_change_is_not_read(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "inc/types.h", "#ifndef T\n#define T\ntypedef unsigned u32;\n#endif\n");
	put(&version, "h/a.h", "#include \"types.h\"\nstruct a { u32 x; };\n#define K_A 1\n");
	put(&version, "h/b.h", "#include \"types.h\"\nstruct b { u32 x; };\n#define K_B 2\n");
	put(&version, "h/c.h", "#include \"types.h\"\nstruct c { u32 x; };\n#define K_C 3\n");
	/* b.h, once for its digest and once for clang, and what it includes. */
	assert_in_range(trap(version, "h/b.h", "#include \"types.h\"\nstruct b { u32 x, y; };\n#define K_B 4\n"), 1, 3);
	assert_in_range(trap(version, "inc/types.h", "#ifndef T\n#define T\ntypedef unsigned long u32;\n#endif\n"), 4, 5);
}

static void what_is_odd_concerns_the_versions_that_have_it(void **state)
{
	struct version version = new_version();
	struct extract_share *share = new_share();

	(void)state;
	put(&version, "h/a.h", "struct a { int x; };\n");
	put(&version, "h/b.h", "struct b { int x; };\n");
	check(&version, share);
	put(&version, "h/c.h", "struct c { int x[__COUNTER__ + 1]; };\n");
	assert_in_range(check(&version, share), 3, 6); /* read whole */
	put(&version, "h/c.h", "struct c { int x; };\n");
	assert_in_range(check(&version, share), 1, 2); /* c.h alone */
	extract_share_free(share);
}

static void a_name_depends_on_who_means_it(void **state)
{
	struct version version = new_version();

	(void)state;
	/* b.h includes nothing, and lives on what a.h leaves behind. */
	put(&version, "h/a.h", "typedef unsigned u32;\n#define LENGTH 4\nenum { COUNT = 3 };\nstruct tag { int x; };\n");
	put(&version, "h/b.h", "struct b { u32 x[LENGTH]; u32 y[COUNT]; struct tag z; };\n#define K_B LENGTH\n");
	trap(version, "h/a.h", "typedef unsigned short u32;\n#define LENGTH 4\nenum { COUNT = 3 };\nstruct tag { int x; };\n");
	trap(version, "h/a.h", "typedef unsigned u32;\n#define LENGTH 5\nenum { COUNT = 3 };\nstruct tag { int x; };\n");
	trap(version, "h/a.h", "typedef unsigned u32;\n#define LENGTH 4\nenum { COUNT = 9 };\nstruct tag { int x; };\n");
	trap(version, "h/a.h", "typedef unsigned u32;\n#define LENGTH 4\nenum { COUNT = 3 };\nstruct tag { int x, y; };\n");
	trap(version, "h/a.h", NULL);
}

static void a_condition_depends_on_who_defines(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "h/a.h", "struct a { int x; };\n");
	put(&version, "h/b.h", "struct b {\n#ifdef WIDE\nlong x;\n#else\nint x;\n#endif\n};\n");
	put(&version, "h/c.h", "struct c { int x; };\n");
	trap(version, "h/a.h", "#define WIDE\nstruct a { int x; };\n");
	trap(version, "h/c.h", "#define WIDE\nstruct c { int x; };\n");
	trap(version, "h/0.h", "#define WIDE\n");
	trap(version, "h/z.h", "#define WIDE\n");
	put(&version, "h/a.h", "#define WIDE\nstruct a { int x; };\n");
	trap(version, "h/aa.h", "#undef WIDE\n");
	trap(version, "h/c.h", "#undef WIDE\nstruct c { int x; };\n");
}

static void order_decides_what_a_header_sees(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "inc/g.h", "#ifndef G\n#define G\nstruct g {\n#ifdef FOO\nlong x;\n#else\nint x;\n#endif\n};\n#endif\n");
	put(&version, "inc/foo.h", "#define FOO\n");
	put(&version, "h/f.h", "#include \"foo.h\"\n#include \"g.h\"\nstruct f { struct g x; };\n");
	/* Another header comes first, and with it g.h before foo.h. */
	trap(version, "h/a.h", "#include \"g.h\"\n");
	trap(version, "h/f.h", "#include \"g.h\"\n#include \"foo.h\"\nstruct f { struct g x; };\n");
}

static void a_path_may_come_to_lead_elsewhere(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "more/x.h", "typedef int x_t;\n");
	put(&version, "h/a.h", "#include \"x.h\"\nstruct a { x_t x; };\n");
	put(&version, "h/b.h", "#include \"../h/a.h\"\nstruct b { int x; };\n");
	trap(version, "inc/x.h", "typedef long x_t;\n");
	trap(version, "h/b.h", "#include \"./b1.h\"\nstruct b { int x; };\n");
}

static void a_guard_may_belong_to_two(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "h/a.h", "#ifndef A_H\n#define A_H\nstruct a { int x; };\n#endif\n");
	put(&version, "h/b.h", "#ifndef B_H\n#define B_H\nstruct b { int x; };\n#define K_B 3\n#endif\n");
	trap(version, "h/a.h", "#ifndef B_H\n#define B_H\nstruct a { int x; };\n#endif\n");
	trap(version, "h/c.h", "#ifndef B_H\n#define B_H\nstruct c { int x; };\n#endif\n");
	/* One that takes its own guard away counts each time. */
	put(&version, "inc/i.h", "#ifndef I_H\n#define I_H\n#undef I_H\nstruct i { int x; };\n#endif\n");
	put(&version, "h/a.h", "#include \"i.h\"\n");
	trap(version, "h/b.h", "#include \"i.h\"\n");
}

static void a_header_may_change_what_follows(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "h/a.h", "struct a { int x; };\n");
	put(&version, "h/b.h", "struct b { char c; long x; };\nstruct w { char c; long double x; };\n");
	trap(version, "h/a.h", "#pragma pack(push, 1)\nstruct a { char c; int x; };\n#pragma pack(pop)\n");
	trap(version, "h/a.h", "#pragma pack(1)\nstruct a { int x; };\n");
	trap(version, "h/a.h", "#pragma pack(8)\nstruct a { int x; };\n");
	trap(version, "h/a.h", "struct a { int x; };\ntypedef\n");
	trap(version, "h/a.h", "struct a { int x; };\nstruct around {\n");
	trap(version, "h/a.h", "struct a { int x; };\n_Pragma(\"pack(1)\")\n");
	trap(version, "h/a.h", "#define long short\nstruct a { int x; };\n");
	trap(version, "h/a.h", "#define struct union\n");
}

static void what_texts_do_not_tell_is_not_shared(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "h/a.h", "#define GLUE(a, b) a##b\n#define DECLARE(n) typedef int n##_t\nstruct a { int x; };\n");
	put(&version, "h/b.h", "DECLARE(some);\nstruct b { some_t x; };\nstruct d { GLUE(un, signed) x; };\n");
	put(&version, "h/c.h", "struct c { some_t x; };\n");
	trap(version, "h/a.h", "#define GLUE(a, b) a##b\n#define DECLARE(n) typedef long n##_t\nstruct a { int x; };\n");
	trap(version, "h/b.h", "typedef char some_t;\nstruct b { some_t x; };\n");
	put(&version, "h/c.h", "struct c { int x[__COUNTER__ + 1]; };\nstruct d2 { int x[__COUNTER__ + 1]; };\n");
	trap(version, "h/a.h", "#define GLUE(a, b) a##b\n#define DECLARE(n) typedef int n##_t\nstruct a { int x[__COUNTER__ + 1]; };\n");
	put(&version, "h/c.h", "#define INC \"x.h\"\n#include INC\n");
	put(&version, "inc/x.h", "struct x { int x; };\n");
	trap(version, "inc/x.h", "struct x { long x; };\n");
	put(&version, "h/c.h", "#if __has_include(\"y.h\")\nstruct c { int x; };\n#endif\n");
	trap(version, "inc/y.h", "\n");
}

static void names_may_go_on_behind_a_line_end(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "h/a.h", "struct a { int x; };\n");
	put(&version, "h/b.h", "#ifdef WIDE\nstruct b { long x; };\n#else\nstruct b { int x; };\n#endif\n#define K_B (WIDE + 0)\n");
	trap(version, "h/a.h", "#define WI\\\nDE 1\n");
	trap(version, "h/a.h", "#def\\\nine WIDE 1\n");
	trap(version, "h/a.h", "%:define WIDE 1\n");
	trap(version, "h/a.h", "#define WIDE \\\n1\n");
	put(&version, "h/a.h", "#define WIDE 1\n");
	trap(version, "h/aa.h", "#undef WI\\\nDE\n");
	trap(version, "h/aa.h", "#ifdef WI\\\nDE\n#undef WIDE\n#endif\n");
	trap(version, "h/aa.h", "#pragma push_macro(\"WIDE\")\n#undef WIDE\n");
}

static void an_included_list_belongs_to_its_includer(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "inc/codes.h", "CODE(OK, 0)\nCODE(BAD, 1)\n");
	put(&version, "h/a.h", "#define CODE(n, v) n = (v),\nenum code {\n#include \"codes.h\"\n};\n#undef CODE\n");
	put(&version, "h/b.h", "struct b { enum code c; int x[BAD + 1]; };\n#define K_BAD BAD\n");
	trap(version, "inc/codes.h", "CODE(OK, 0)\nCODE(BAD, 2)\n");
	trap(version, "h/a.h", "#define CODE(n, v) n = (v) + 1,\nenum code {\n#include \"codes.h\"\n};\n#undef CODE\n");
	trap(version, "h/0.h", "#define CODE(n, v)\n#include \"codes.h\"\n#undef CODE\n");
}

static void a_conditional_include_depends_on_its_includer(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "inc/x.h", "struct x { int x; };\n#define K_X 1\n");
	put(&version, "inc/set.h", "#define WANT\n");
	put(&version, "h/a.h", "#include \"set.h\"\n#ifdef WANT\n#include \"x.h\"\n#endif\nstruct a { int x; };\n");
	put(&version, "h/b.h", "struct b { int x; };\n");
	trap(version, "inc/set.h", "\n");
	trap(version, "h/b.h", "#include \"x.h\"\nstruct b { int x; };\n");
}

static void includes_may_never_end(void **state)
{
	struct version version = new_version();
	struct strbuf deep[2] = { { 0 }, { 0 } };

	(void)state;
	put(&version, "h/a.h", "struct a { int x; };\n");
	put(&version, "h/b.h", "#include \"a.h\"\n");
	trap(version, "h/b.h", "#include \"b.h\"\n");
	trap(version, "h/a.h", "#include \"b.h\"\n");
	trap(version, "h/a.h", "#ifndef A\n#define A\n#include \"b.h\"\n#endif\n");
	/* Two headers that include each other until each has a macro of its own for every time. */
	for (int i = 0; i < 120; i++) {
		strbuf_addf(&deep[0], "#ifndef A%d\n#define A%d\n#include \"deep1.h\"\n#else\n", i, i);
		strbuf_addf(&deep[1], "#ifndef B%d\n#define B%d\n#include \"deep0.h\"\n#else\n", i, i);
	}
	for (int i = 0; i < 120; i++) {
		strbuf_adds(&deep[0], "#endif\n");
		strbuf_adds(&deep[1], "#endif\n");
	}
	put(&version, "inc/deep0.h", deep[0].text);
	put(&version, "inc/deep1.h", deep[1].text);
	trap(version, "h/b.h", "#include \"deep0.h\"\nstruct b { int x; };\n");
	strbuf_release(&deep[0]);
	strbuf_release(&deep[1]);
}

static void a_header_may_be_read_or_not(void **state)
{
	struct version version = new_version();

	(void)state;
	/* d.h never counts, so i.h does only if a.h includes it. */
	put(&version, "h/a.h", "struct a { int x; };\n");
	put(&version, "h/b.h", "#ifndef GUARD\n#define GUARD\n#endif\n");
	put(&version, "h/d.h", "#ifndef GUARD\n#define GUARD\n#include \"i.h\"\n#endif\n");
	put(&version, "inc/i.h", "struct i { int x; };\n#define K_I 1\n");
	trap(version, "h/a.h", "#include \"i.h\"\nstruct a { int x; };\n");
	trap(version, "h/c.h", "#include \"i.h\"\n");
}

static void what_comes_first_may_depend_on_a_condition(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "h/a.h", "#ifndef SET\n#include \"i.h\"\n#endif\n#include \"k.h\"\n");
	put(&version, "inc/i.h", "#ifndef GUARD\n#define GUARD\nstruct i { int x; };\n#endif\n");
	put(&version, "inc/j.h", "#ifndef GUARD\n#define GUARD\nstruct j { int x; };\n#endif\n");
	put(&version, "inc/k.h", "#ifndef K\n#define K\n#ifndef NOT\n#include \"j.h\"\n#endif\n#endif\n");
	put(&version, "h/z.h", "struct z { int x; };\n");
	trap(version, "h/z.h", "struct z { long x; };\n");
	trap(version, "inc/j.h", "#ifndef GUARD\n#define GUARD\nstruct j { long x; };\n#endif\n");
	trap(version, "h/0.h", "#include \"k.h\"\n");
	trap(version, "h/0.h", "#define SET\n");
}

static void a_macro_may_be_given_its_words_later(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "h/a.h", "#define LENGTH WORD\n");
	put(&version, "h/c.h", "#if LENGTH > 3\nstruct c { long x; };\n#else\nstruct c { int x; };\n#endif\n");
	put(&version, "h/m.h", "struct m { int x; };\n");
	put(&version, "h/z.h", "#ifndef Z\n#define Z\n#define WORD 4\n#endif\n");
	trap(version, "h/b.h", "#include \"z.h\"\n");
}

static void packing_may_come_from_another_file(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "inc/push.h", "#pragma pack(push, 1)\n");
	put(&version, "inc/pop.h", "#pragma pack(pop)\n");
	put(&version, "inc/f.h", "#ifndef F\n#define F\nstruct f { char c; long x; };\n#endif\n");
	put(&version, "h/a.h", "#include \"push.h\"\n#include \"f.h\"\n#include \"pop.h\"\n");
	put(&version, "h/b.h", "struct b { int x; };\n");
	trap(version, "h/b.h", "struct b { long x; };\n");
	trap(version, "inc/push.h", "#pragma pack(push, 2)\n");
	trap(version, "h/0.h", "#include \"f.h\"\n");
}

/* What stands where, as far as it does not matter for anything else. */
static void things_may_move(void **state)
{
	static const char *const before[] = { "\n\n", "/* a\n comment */\n", "struct new { int x; };\n", "#define NEW 1\n", "enum { NEW };\n", "/* c */ " };
	struct version version = new_version();

	(void)state;
	put(&version, "inc/t.h", "#ifndef T\n#define T\nstruct t { int x; };\ntypedef struct { char c; } anon;\nenum e { E1, E2 };\n#endif\n");
	put(&version, "h/a.h", "#include \"t.h\"\ntypedef struct t other;\ntypedef anon another;\nstruct a { volatile struct t x; enum e e; anon y; };\n#define K_A E2\n");
	put(&version, "h/b.h", "#include \"t.h\"\nstruct b { other x; another y[E2]; };\nvoid f(struct b *);\nenum { B1, B2 = E2 };\nstruct c { struct { enum { C1 } z; } w; };\n");
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		static const char *const paths[] = { "inc/t.h", "h/a.h", "h/b.h" };
		struct extract_share *share = new_share();
		struct version moved = version;
		char *texts[3];

		check(&moved, share);
		for (size_t p = 0; p < 3; p++) {
			struct strbuf text = { 0 };

			strbuf_addf(&text, "%s%s", p ? before[i] : "", version.texts[find(&version, paths[p])]);
			if (!p) /* behind the guard */
				strbuf_reset(&text), strbuf_addf(&text, "#ifndef T\n#define T\n%s%s", before[i], version.texts[find(&version, paths[p])] + 20);
			texts[p] = text.text;
			put(&moved, paths[p], texts[p]);
			check(&moved, share);
		}
		check(&version, share);
		extract_share_free(share);
		for (size_t p = 0; p < 3; p++)
			free(texts[p]);
	}
}

static void what_clang_brings_along_depends_on_who_includes_it(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "h/a.h", "struct a { int x; };\n");
	put(&version, "h/b.h", "#ifdef INT8_MAX\nstruct b { long x; };\n#else\nstruct b { int x; };\n#endif\n#define K_B sizeof(uint16_t)\n");
	put(&version, "h/c.h", "#ifdef LATER\n#include <stdint.h>\n#endif\nstruct c { int x; };\n");
	trap(version, "h/a.h", "#include <stdint.h>\nstruct a { int x; };\n");
	trap(version, "h/a.h", "#ifndef SOMETHING\n#include <stdint.h>\n#endif\nstruct a { int x; };\n");
	trap(version, "h/a.h", "#define LATER\nstruct a { int x; };\n");
	trap(version, "h/a.h", "typedef char uint16_t;\nstruct a { int x; };\n");
	put(&version, "h/a.h", "#include <stdint.h>\nstruct a { uint8_t x; };\n");
	trap(version, "h/b.h", "struct b { uint16_t x[sizeof(int8_t) + INT8_MAX]; };\n");
	trap(version, "h/a.h", "#include <limits.h>\nstruct a { int x; };\n");
	trap(version, "h/a.h", "#include <no_such_header.h>\nstruct a { int x; };\n");
}

static void chunks_may_belong_together(void **state)
{
	struct version version = new_version();

	(void)state;
	/* Only macros know where these end. */
	put(&version, "h/a.h", "#define BEGIN(n) typedef struct {\n#define END(n) } n;\n#define BOTH(n) struct n { int\n");
	put(&version, "h/b.h", "BEGIN(x)\nint a;\nint b;\nEND(x)\nstruct y { x z; };\n");
	put(&version, "h/c.h", "struct c { x y; };\n");
	trap(version, "h/b.h", "BEGIN(x)\nlong a;\nint b;\nEND(x)\nstruct y { x z; };\n");
	trap(version, "h/a.h", "#define BEGIN(n) typedef union {\n#define END(n) } n;\n#define BOTH(n) struct n { int\n");
	put(&version, "h/b.h", "#define DEFINE(n) typedef struct n\nDEFINE(x) {\nint a;\n}\n#define MORE\nx;\nstruct y { x z; };\n");
	trap(version, "h/b.h", "#define DEFINE(n) typedef struct n\nDEFINE(x) {\nlong a;\n}\n#define MORE\nx;\nstruct y { x z; };\n");
	put(&version, "h/b.h", "static inline int one(void) { return 1; }\ntypedef int x;\nstatic inline int two(void)\n{\n\tint y = 2;\n\treturn y;\n}\nstruct y { x z; };\n");
	trap(version, "h/b.h", "static inline int one(void) { return 1; }\ntypedef long x;\nstatic inline int two(void)\n{\n\tint y = 2;\n\treturn y;\n}\nstruct y { x z; };\n");
	put(&version, "h/b.h", "#ifdef SOME\ntypedef\n#else\nint y;\n#endif\nstruct x { int a; } x;\n");
	trap(version, "h/a.h", "#define SOME\n");
	put(&version, "h/b.h", "#define NOTHING(x)\nNOTHING(typedef int p;\ntypedef int x;)\ntypedef char x;\n");
	trap(version, "h/b.h", "#define NOTHING(x) x\nNOTHING(typedef int p;\ntypedef int q;)\ntypedef char x;\n");
	put(&version, "h/b.h", "#define N <%\ntypedef struct N int a; %> x;\n");
	trap(version, "h/b.h", "#define N <%\ntypedef struct N long a; %> x;\n");
	put(&version, "h/b.h", "enum { LINE = __LINE__ };\ntypedef char x[LINE];\n");
	trap(version, "h/b.h", "\nenum { LINE = __LINE__ };\ntypedef char x[LINE];\n");
	put(&version, "h/b.h", "#define LIST A, B\nenum { LIST };\ntypedef char x[B];\n");
	trap(version, "h/b.h", "#define LIST A, C, B\nenum { LIST };\ntypedef char x[B];\n");
	put(&version, "h/b.h", "#ifndef B_H\n#define B_H 3\ntypedef char x[B_H];\n#endif\n");
	trap(version, "h/b.h", "#ifndef B_H\n#define B_H 4\ntypedef char x[B_H];\n#endif\n");
	put(&version, "h/b.h", "#if !defined(B_H)\n#define B_H\n#include \"i.h\"\n#ifdef B_H\ntypedef i x;\n#endif\n#endif\n");
	put(&version, "inc/i.h", "typedef char i;\n");
	trap(version, "inc/i.h", "typedef long i;\n");
}

static void a_condition_may_be_known(void **state)
{
	struct version version = new_version();

	(void)state;
	/* Nobody defines NEVER, so that a.h includes i.h is certain. */
	put(&version, "inc/i.h", "#ifndef I\n#define I\ntypedef int i;\n#endif\n");
	put(&version, "h/a.h", "#ifndef A\n#define A\n#ifndef NEVER\n#include \"i.h\"\nstruct a { i x; };\n#endif\n#endif\n");
	put(&version, "h/b.h", "#include \"i.h\"\nstruct b { i x; };\n");
	assert_in_range(trap(version, "h/b.h", "#include \"i.h\"\nstruct b { i x, y; };\n"), 1, 3);
	trap(version, "h/0.h", "#define NEVER\n");
	trap(version, "h/z.h", "#define NEVER\n");
	trap(version, "h/a.h", "#ifndef A\n#define A\n#ifndef __x86_64__\n#include \"i.h\"\n#endif\n#endif\n");
	trap(version, "h/a.h", "#ifndef A\n#define A\n#ifndef linux\n#include \"i.h\"\n#else\ntypedef long i;\n#define I\n#endif\n#endif\n");
}

static void an_error_is_told_as_always(void **state)
{
	struct version version = new_version();

	(void)state;
	put(&version, "h/a.h", "struct a { int x; };\n");
	put(&version, "h/b.h", "struct b { int x; };\n");
	trap(version, "h/b.h", "struct a { int y; };\n");
	trap(version, "h/b.h", "struct b { missing_t x; };\n");
	trap(version, "h/b.h", "#include \"missing.h\"\n");
	trap(version, "h/b.h", "#include \"a.h\"\n{\n");
	trap(version, "h/b.h", "extern \"C\" {\n");
	trap(version, "h/b.h", "1\n");
	trap(version, "h/b.h", "\"text\"\n");
	trap(version, "h/b.h", "#ifdef __cplusplus\nextern \"C\" {\n#endif\n#include \"a.h\"\n#ifdef __cplusplus\n}\n#endif\n");
	trap(version, "h/b.h", "#ifdef __cplusplus\n}\n#else\n{\n#endif\n");
	trap(version, "h/b.h", "#include \"a.h\"\n/* no end\n");
	trap(version, "h/b.h", "struct b { int x; };\n/* no end\n");
	trap(version, "h/b.h", "struct b { int x; };\n/* an end */ // none /*\n");
	trap(version, "h/b.h", "struct b { int x; };\n/* no end \n*\n/\n");
	trap(version, "h/b.h", "#include \"a.h\nstruct b { int x; };\n");
	trap(version, "h/b.h", "#include \"\"\nstruct b { int x; };\n");
	trap(version, "h/b.h", "#include <>\nstruct b { int x; };\n");
	trap(version, "h/b.h", "#include\nstruct b { int x; };\n");
	trap(version, "h/b.h", "struct b { int x; };\n#pragma once two\n");
	trap(version, "h/b.h", "struct b { int x; };\n#error no\n");
	trap(version, "h/b.h", "struct b { int x; };\n#nonsense\n");
	trap(version, "h/b.h", "struct b { int x; };\n#define 3 x\n#define A(\n#define defined\n");
	trap(version, "h/b.h", "struct b { int x; };\n#if 1 +\n#endif\n");
	trap(version, "h/b.h", "struct b { int x; };\n'\n");
	trap(version, "h/b.h", "#ifdef __cplusplus\n");
	trap(version, "h/b.h", "#endif\n");
	trap(version, "h/b.h", "#ifndef 3\n#define 3\n#endif\n");
	trap(version, "h/b.h", "#ifndef B\n#define B(a) #b\n#endif\n");
	trap(version, "h/b.h", "#define K_B not_a_number\n#define K_C (1 <<\n");
	trap(version, "h/b.h", "enum { FIRST, SECOND };\ntypedef enum { THIRD } named;\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_did_not_change_is_not_read),
		cmocka_unit_test(what_is_odd_concerns_the_versions_that_have_it),
		cmocka_unit_test(a_name_depends_on_who_means_it),
		cmocka_unit_test(a_condition_depends_on_who_defines),
		cmocka_unit_test(order_decides_what_a_header_sees),
		cmocka_unit_test(a_path_may_come_to_lead_elsewhere),
		cmocka_unit_test(a_guard_may_belong_to_two),
		cmocka_unit_test(a_header_may_change_what_follows),
		cmocka_unit_test(what_texts_do_not_tell_is_not_shared),
		cmocka_unit_test(names_may_go_on_behind_a_line_end),
		cmocka_unit_test(an_included_list_belongs_to_its_includer),
		cmocka_unit_test(a_conditional_include_depends_on_its_includer),
		cmocka_unit_test(includes_may_never_end),
		cmocka_unit_test(a_header_may_be_read_or_not),
		cmocka_unit_test(what_comes_first_may_depend_on_a_condition),
		cmocka_unit_test(a_macro_may_be_given_its_words_later),
		cmocka_unit_test(packing_may_come_from_another_file),
		cmocka_unit_test(things_may_move),
		cmocka_unit_test(what_clang_brings_along_depends_on_who_includes_it),
		cmocka_unit_test(chunks_may_belong_together),
		cmocka_unit_test(a_condition_may_be_known),
		cmocka_unit_test(an_error_is_told_as_always),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
