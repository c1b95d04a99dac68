/*
 * The same as share_test.c, of histories that are made by chance.
 */
#include "extract/share_fake.h"

enum { NUMBERS = 6 };

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Lines that get on badly with each other; %u is one of a few numbers. */
static const char *const lines[] = {
	"#define T%u unsigned",
	"#define T%u short",
	"struct S%u { char c; long x; };",
	"typedef struct { B x; } R%u;",
	"struct U%u { char c; B x; };",
	"struct V%u { B s[M%u + 1]; };",
	"struct X%u { struct S%u *s; char c[sizeof(B)]; };",
	"#define M%u 1",
	"#define M%u 2",
	"#undef M%u",
	"#define K_%u M%u",
	"#define K_%u 7",
	"#define K_%u (E%u + 1)",
	"enum { E%u = 3 };",
	"enum named%u { E%u = M%u };",
	"#ifdef M%u\nstruct Y%u { long x; };\n#else\nstruct Y%u { int x; };\n#endif",
	"#ifndef M%u\n#include \"i0.h\"\n#endif",
	"#include \"i0.h\"",
	"#include \"i1.h\"",
	"#include \"i1.h\"",
	"#include <j0.h>",
	"#undef GUARD_A",
	"#pragma pack(push, 2)\nstruct P%u { char c; B x; };\n#pragma pack(pop)",
	"typedef B *B%u_pointer;",
	"#ifdef M%u\ntypedef T%u D%u;\n#endif",
	"union N%u { struct { B a; }; enum { F%u } b; };",
	"typedef struct S%u O%u;",
	"struct W%u { volatile struct S%u s; O%u o; };",
	"static inline int f%u(void)\n{\n\treturn M%u;\n}",
	"/* a\n   comment */",
	"#if !defined(M%u)\n#include \"i1.h\"\ntypedef R%u Z%u;\n#endif",
	"#define OPEN%u struct {",
	"typedef struct { OPEN%u B a; } b; } L%u;",
	"#ifdef INT16_MAX\ntypedef long H%u;\n#else\ntypedef char H%u;\n#endif",
	"#include <stdint.h>",
	"#define K_%u sizeof(H%u)",
};

static char *random_text(unsigned *seed, const char *guard)
{
	struct strbuf text = { 0 };
	bool guarded = next_random(seed) % 4;

	if (guarded)
		strbuf_addf(&text, "#ifndef %s\n#define %s\n", guard, guard);
	for (unsigned count = next_random(seed) % 4; count; count--) {
		const char *line = lines[next_random(seed) % (sizeof(lines) / sizeof(lines[0]))];

		for (; *line; line++)
			if (line[0] == '%' && line[1] == 'u') {
				strbuf_addf(&text, "%u", next_random(seed) % NUMBERS);
				line++;
			} else {
				strbuf_addch(&text, *line);
			}
		strbuf_addch(&text, '\n');
	}
	strbuf_adds(&text, guarded ? "#endif\n" : "\n");
	return text.text;
}

static void histories_by_chance(void **state)
{
	static const char *const paths[] = {
		"h/a.h", "h/b.h", "h/c.h", "h/d.h", "inc/i0.h", "inc/i1.h", "more/i1.h", "more/j2.h", "inc/j0.h",
	};
	enum { PATHS = sizeof(paths) / sizeof(paths[0]), HISTORIES = 120, VERSIONS = 6 };
	unsigned good = 0;

	(void)state;
	for (unsigned history = 0; history < HISTORIES; history++) {
		struct extract_share *share = new_share();
		struct version version = new_version();
		char *texts[VERSIONS * PATHS];
		size_t text_count = 0;
		unsigned seed = history;

		put(&version, "h/a.h", "\n");
		put(&version, "h/0.h", "typedef unsigned B;\n");
		for (unsigned v = 0; v < VERSIONS; v++) {
			struct strbuf ignored = { 0 };

			if (!(next_random(&seed) % 8))
				put(&version, "h/0.h", next_random(&seed) % 2 ? "typedef long B;\n" : "#define B short\n");
			for (unsigned p = 0; p < PATHS; p++) {
				if (v && next_random(&seed) % 5)
					continue;
				if (p && !(next_random(&seed) % 8)) {
					drop(&version, paths[p]);
					continue;
				}
				texts[text_count] = random_text(&seed, p % 2 ? "GUARD_A" : paths[p][0] == 'h' ? "GUARD_B" : "GUARD_C");
				put(&version, paths[p], texts[text_count++]);
			}
			check(&version, share);
			good += !read_version(&ignored, &version, share);
			strbuf_release(&ignored);
		}
		extract_share_free(share);
		while (text_count)
			free(texts[--text_count]);
	}
	/* If hardly one parses, nothing was tried. */
	print_message("# %u of %u versions parse\n", good, HISTORIES * VERSIONS);
	assert_true(good > HISTORIES * VERSIONS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histories_by_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
