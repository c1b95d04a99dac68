/*
 * share - versions of a few headers, made of choices: read with a share, each is as it is alone
 *
 * The first version is lines picked from a list, with names from a small
 * pool, so that headers speak of each other; each further version has one to
 * three lines that are others, as releases of a driver do. What extract_tree()
 * says of each, through one share in this order, must be what it says without:
 * the same document, or the same error. The choices come out of a generator
 * that the input seeds, since a mutation of one would shift all that follow.
 */
#include "lib/source.h"

#include "extract/extract.h"
#include "json/writer.h"

#include <stdlib.h>
#include <string.h>

enum { HEADERS = 4, LINES = 5, VERSIONS = 4, NAMES = HEADERS * LINES };

static const char *const header = "*.h", *const dir = ".", *const match = "NV_ESC_*";
static const struct profile_unit unit = { .name = "one", .headers = { &header, 1 }, .include = { &dir, 1 } };
static const struct profile_constant constant = { .name = "NV_*" };
static const struct profile_role role = { .role = ABI_ROLE_FD, .name = "*fd" };
static const struct profile_params params = { .record = "\\1", .regex = "struct +([A-Za-z_0-9]+)" };
static const struct profile_family family = {
	.name = "frontend", .source = PROFILE_FROM_CONSTANTS, .match = { &match, 1 }, .params = &params, .param_count = 1,
};
static const struct profile profile = {
	.name = "fuzz", .units = &unit, .unit_count = 1, .constants = &constant, .constant_count = 1, .roles = &role, .role_count = 1,
	.families = &family, .family_count = 1,
};

/*
 * '%' is a number that is the line's own, '@' that of any line up to it, '&' a
 * header up to it. Where nothing is wild, all of the first part is sound.
 */
static const char *const lines[] = {
	"",
	"typedef T@ Q%;",
	"typedef T@ Q%;\ntypedef Q% Z%;",
	"struct S% { int a; char b[4]; };",
	"struct S% { T@ a; struct S@ *p; };",
	"struct S% { int a; int fd; T@ b; };",
	"struct S% { char a[M@]; T@ b; };",
	"typedef struct N% { T@ a; T@ b; } N%;",
	"typedef struct R%_tag { union { T@ a; char b; } u; int c : 3, d : 5; } R%;",
	"typedef struct { int a; T@ b[M@]; struct S@ *p; } V%;",
	"union U% { T@ a; T@ b; struct { char c, d; } e; };",
	"struct S@;",
	"typedef struct S@ *P%;",
	"enum E% { E%_A = M@, E%_B };",
	"enum { G% = M@ };",
	"#define NV_C% 0x10",
	"#define NV_C% (M@ << 2)",
	"#define NV_C% M@",
	"#define NV_C% NV_C@ + 1",
	"#define NV_C% sizeof(T@)",
	"#define NV_ESC_% M@ /* struct S@ */",
	"#define NV_ESC_% 5 /* struct S@ */",
	"#include \"&.h\"",
	"#include \"&.h\"",
	"extern struct S@ x%;",
	"T@ f%(struct S@ *p);",
	"#define FIELDS% int a; T@ b;\nstruct F% { FIELDS% char c; };",
	"#define DECLARE%(x) struct D##x { int a; T@ b; };\nDECLARE%(%)",
	"_Static_assert(sizeof(T@) >= 2, \"\");",
	"static inline int g%(void) { return sizeof(T@) + M@; }",
	"#ifdef NV_C@\nstruct K% { T@ a; };\n#endif",
	"#if M@ > 3\ntypedef struct K% { T@ a; } K%;\n#else\nstruct K% { int b; };\n#endif",
	"#pragma pack(push, 1)\nstruct K% { char a; T@ b; };\n#pragma pack(pop)",
	"#pragma pack(1)\nstruct K% { char a; T@ b; };\n#pragma pack()",
	"#ifndef M%00\n#define M%00 7\n#endif\nstruct K% { char a[M%00]; };",
	"#if defined(NV_C@) || !defined(NV_C@)\nstruct S@;\n#endif",
	/* What may not be sound where it comes to stand. */
	"struct I% { struct S@ inner; T@ after; };",
	"struct I% { Q@ inner; N@ after; U@ *no; };",
	"typedef struct S% { char a[NV_C@]; } S%_T;",
	"#define T@ unsigned long",
	"#define S@ S@",
	"#define struct union",
	"#define int short",
	"#ifdef M@",
	"#ifndef M@",
	"#if M@ > 3",
	"#if defined(NV_C@) && M@",
	"#else",
	"#endif",
	"#endif",
	"#endif",
	"#pragma pack(1)",
	"#pragma pack(push, 2)",
	"#pragma pack(pop)",
	"#pragma pack()",
	"#pragma once",
	"#pragma push_macro(\"M@\")",
	"#pragma pop_macro(\"M@\")",
	"_Pragma(\"pack(1)\")",
	"struct A% { char a; int b; } __attribute__((packed));",
	"#define M@ 9",
	"#undef M@",
	"#define M@ (M@ + 1)",
	"#ifndef H&_H",
	"#define H&_H",
	"/* a comment that speaks of M@ and does not end",
	"*/",
	"struct S@ {",
	"};",
	"#line 7 \"other.h\"",
	"#error M@",
	"enum { COUNT% = __COUNTER__ };",
	"#define M@ \\",
	"typedef __typeof__(((struct S@ *)0)->a) Y%;",
	"#if __has_include(\"&.h\")",
	"#include \"none.h\"",
	"#include M@",
	"#define M@ \"&.h\"",
};

enum { LINE_COUNT = sizeof(lines) / sizeof(*lines), SOUND_COUNT = 36 };

static const char *const types[] = { "unsigned int", "unsigned long long", "short", "struct S0 *" };

struct line {
	unsigned text; /* index in lines */
	unsigned own;
	unsigned others[4];
};

/* 0.h, which all others include, says what T0 and M0 and their like are. */
struct version {
	unsigned types[NAMES], values[NAMES];
	bool guarded[HEADERS];
	struct line lines[HEADERS][LINES];
	bool wild; /* some lines are not sound */
};

/* splitmix64 */
static unsigned pick(uint64_t *state, unsigned count)
{
	uint64_t number = *state += 0x9e3779b97f4a7c15;

	number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
	number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
	return (unsigned)((number ^ (number >> 31)) % count);
}

static void pick_line(struct version *version, unsigned in, unsigned at, uint64_t *state)
{
	struct line *line = &version->lines[in][at];
	bool wild = version->wild && !pick(state, 12);

	line->text = pick(state, wild ? LINE_COUNT : SOUND_COUNT);
	line->own = in * LINES + at;
	for (size_t i = 0; i < 4; i++)
		line->others[i] = pick(state, wild ? NAMES : line->own + 1);
}

static void pick_change(struct version *version, uint64_t *state)
{
	unsigned in = pick(state, HEADERS);

	switch (pick(state, 6)) {
	case 0: version->types[pick(state, NAMES)] = pick(state, 4); break;
	case 1: version->values[pick(state, NAMES)] = 1 + pick(state, 9); break;
	default: pick_line(version, in, pick(state, LINES), state);
	}
}

static void pick_version(struct version *version, uint64_t *state)
{
	version->wild = pick(state, 2);
	for (unsigned i = 0; i < NAMES; i++) {
		version->types[i] = pick(state, 3);
		version->values[i] = 1 + pick(state, 9);
	}
	for (unsigned h = 0; h < HEADERS; h++) {
		version->guarded[h] = !version->wild || pick(state, 8);
		for (unsigned i = 0; i < LINES; i++)
			pick_line(version, h, i, state);
	}
}

static void add_base(struct strbuf *out, const struct version *version)
{
	strbuf_adds(out, "#ifndef BASE_H\n#define BASE_H\nstruct S0;\n");
	for (unsigned i = 0; i < NAMES; i++)
		strbuf_addf(out, "typedef %s T%u;\n#define M%u %u\n", types[version->types[i]], i, i, version->values[i]);
	strbuf_adds(out, "#endif\n");
}

static void add_line(struct strbuf *out, const struct line *line)
{
	size_t other = 0;

	for (const char *p = lines[line->text]; *p; p++)
		if (*p == '%')
			strbuf_addf(out, "%u", line->own);
		else if (*p == '@')
			strbuf_addf(out, "%u", line->others[other++ % 4]);
		else if (*p == '&')
			strbuf_addch(out, (char)('a' + line->others[other++ % 4] / LINES));
		else
			strbuf_addch(out, *p);
	strbuf_addch(out, '\n');
}

/* The texts of 0.h and a.h to d.h. */
static void write_headers(struct strbuf *texts, const struct version *version)
{
	add_base(&texts[0], version);
	for (size_t h = 0; h < HEADERS; h++) {
		struct strbuf *text = &texts[h + 1];

		if (version->guarded[h])
			strbuf_addf(text, "#ifndef GUARD_%zu\n#define GUARD_%zu\n", h, h);
		strbuf_adds(text, "#include \"0.h\"\n");
		for (size_t i = 0; i < LINES; i++)
			add_line(text, &version->lines[h][i]);
		if (version->guarded[h])
			strbuf_adds(text, "#endif\n");
	}
}

/* What is said of a version: its document as JSON, or the error. */
static void say(struct strbuf *out, struct strbuf *texts, struct extract_share *share, struct arena *arena)
{
	static const char *const names[HEADERS + 1] = { "0.h", "a.h", "b.h", "c.h", "d.h" };
	const struct extract_options options = { .target = "x86_64-linux-gnu", .share = share };
	struct json_writer writer = { .out = out };
	struct fuzz_tree_file files[HEADERS + 1];
	struct extract_result result;
	struct fuzz_tree tree;
	struct err err = { "" };
	int rc;

	for (size_t h = 0; h <= HEADERS; h++)
		files[h] = (struct fuzz_tree_file){ names[h], strbuf_text(&texts[h]), texts[h].length };
	tree = fuzz_tree_of(files, HEADERS + 1);
	rc = extract_tree(&result, &tree.tree, &profile, &options, arena, &err);
	if (rc)
		strbuf_addf(out, "%d: %s\n", rc, err.text);
	else
		json_write_abi(&writer, &result.abi);
}

static void check_version(const struct version *version, struct extract_share *share, struct arena *arena)
{
	struct strbuf alone = { 0 }, shared = { 0 }, texts[HEADERS + 1] = { 0 };
	bool same;

	write_headers(texts, version);
	say(&alone, texts, NULL, arena);
	say(&shared, texts, share, arena);
	same = !strcmp(strbuf_text(&alone), strbuf_text(&shared));
	if (!same)
		fprintf(stderr, "--- alone\n%s\n--- shared\n%s\n", strbuf_text(&alone), strbuf_text(&shared));
	for (size_t h = 0; h <= HEADERS; h++) {
		if (!same)
			fprintf(stderr, "--- %zu\n%s", h, strbuf_text(&texts[h]));
		strbuf_release(&texts[h]);
	}
	MUST(same && "with a share as without");
	strbuf_release(&alone);
	strbuf_release(&shared);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct extract_share *share;
	struct version version;
	struct arena arena = { 0 };
	struct err err = { "" };
	uint64_t state = size;

	for (size_t i = 0; i < size; i++)
		state = state * 257 + data[i] + 1;
	MUST_SAY(!extract_share_new(&share, &err), &err);
	pick_version(&version, &state);
	check_version(&version, share, &arena);
	for (size_t v = 1; v < VERSIONS; v++) {
		for (unsigned left = 1 + pick(&state, 3); left; left--)
			pick_change(&version, &state);
		check_version(&version, share, &arena);
	}
	extract_share_free(share);
	arena_release(&arena);
	return 0;
}
