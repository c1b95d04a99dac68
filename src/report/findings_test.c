/* Tests of grouping the findings of several versions. */
#include "report/fixture_test.h"
#include "report/internal.h"

/*
 * A row has findings and the blocks that they become. A finding is "VERSION ENTRY PATH: SENTENCE". A block is
 * "ENTRIES" and its lines: "VERSIONS; COUNT: MESSAGE", where COUNT is the number of findings.
 */
static const struct {
	const char *fact, *findings[4], *blocks;
	bool is_unfolded;
} rows[] = {
	{ "a finding of several versions is one line",
	  { "2 E a: R.a is gone", "0 E a: R.a is gone", "1 E a: R.a is gone" },
	    .blocks = "E\n 0 1 2; 1: R.a is gone\n" },
	{ "lines that differ in one name and its offset are joined",
	  { "0 E s[].fb.pid: R.s[].fb.pid (NvU32 at 8) is gone",
	    "0 E s[].gr.pid: R.s[].gr.pid (NvU32 at 72) is gone" },
	  .blocks = "E\n 0; 2: R.s[].{fb,gr}.pid (NvU32 at 8, 72) is gone\n" },
	{ "an equal offset is written once",
	  { "0 E u.x: R.u.x (NvU32 at 8) is gone", "0 E u.y: R.u.y (NvU32 at 8) is gone" },
	  .blocks = "E\n 0; 2: R.u.{x,y} (NvU32 at 8) is gone\n" },
	{ "lines with different types stay apart",
	  { "0 E a: R.a (NvU32 at 8) is gone", "0 E b: R.b (NvU64 at 16) is gone" },
	  .blocks = "E\n 0; 1: R.a (NvU32 at 8) is gone\n 0; 1: R.b (NvU64 at 16) is gone\n" },
	{ "lines of different versions stay apart",
	  { "0 E a: R.a is gone", "0 E b: R.b is gone", "1 E b: R.b is gone" },
	  .blocks = "E\n 0; 1: R.a is gone\n 0 1; 1: R.b is gone\n" },
	{ "lines that differ in two names stay apart", { "0 E x.a: R.x.a is gone", "0 E y.b: R.y.b is gone" },
	  .blocks = "E\n 0; 1: R.x.a is gone\n 0; 1: R.y.b is gone\n" },
	{ "a line is joined with the most others",
	  { "0 E y.a: R.y.a is gone", "0 E x.a: R.x.a is gone", "0 E x.b: R.x.b is gone",
	    "0 E x.c: R.x.c is gone" },
	  .blocks = "E\n 0; 3: R.x.{a,b,c} is gone\n 0; 1: R.y.a is gone\n" },
	{ "entries with the same lines are one block",
	  { "0 F b: R.b is gone", "0 E a: R.a is gone", "0 D a: R.a is gone" },
	  .blocks = "D E\n 0; 1: R.a is gone\nF\n 0; 1: R.b is gone\n" },
	{ "without folding, each finding has its line, and each entry its block",
	  { "0 D a: R.a is gone", "0 E a: R.a is gone", "0 E b: R.b is gone" },
	  .blocks = "D\n 0; 1: R.a is gone\nE\n 0; 1: R.a is gone\n 0; 1: R.b is gone\n",
	  .is_unfolded = true },
	{ "of two sentences on one field, that of the older version is first",
	  { "1 E a: R.a is b", "0 E a: R.a is z" }, .blocks = "E\n 0; 1: R.a is z\n 1; 1: R.a is b\n" },
	{ "a path inside a different word is not joined",
	  { "0 E d: moved, and d (NvU32 at 8) is gone", "0 E e: moved, and e (NvU32 at 12) is gone" },
	  .blocks = "E\n 0; 2: moved, and {d,e} (NvU32 at 8, 12) is gone\n" },
};

static struct finding_at finding_at(const char *text, struct arena *arena)
{
	struct verify_finding *finding = arena_alloc(arena, sizeof(*finding));
	const char *colon = strchr(text, ':'), *path = strchr(text + 2, ' ') + 1;

	*finding = (struct verify_finding){ .rule = VERIFY_FIELD_MISSING, .family = "control", .record = "R",
					    .entry = arena_strndup(arena, text + 2,
					    (size_t)(path - text) - 3),
					    .path = arena_strndup(arena, path, (size_t)(colon - path)),
					    .message = colon + 2 };
	return (struct finding_at){ finding, (size_t)(*text - '0') };
}

static void write_block(const struct finding_block *block)
{
	for (size_t i = 0; i < block->entry_count; i++)
		strbuf_addf(&out, "%s%s", i ? " " : "", block->entries[i]);
	strbuf_addch(&out, '\n');
	for (size_t i = 0; i < block->line_count; i++) {
		for (size_t v = 0; v < block->lines[i].version_count; v++)
			strbuf_addf(&out, " %zu", block->lines[i].versions[v]);
		strbuf_addf(&out, "; %zu: %s\n", block->lines[i].finding_count, block->lines[i].message);
	}
}

REPORT_TEST(findings_become_blocks)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct finding_at items[COUNT(rows[i].findings)];
		struct finding_blocks blocks;
		struct arena arena = { 0 };
		size_t count = 0, entries_of_blocks = 0;

		fact = rows[i].fact;
		strbuf_reset(&out);
		for (; count < COUNT(items) && rows[i].findings[count]; count++)
			items[count] = finding_at(rows[i].findings[count], &arena);
		findings_group(&blocks, items, count, !rows[i].is_unfolded, &arena);
		for (size_t b = 0; b < blocks.count; b++) {
			write_block(&blocks.block[b]);
			entries_of_blocks += blocks.block[b].entry_count;
		}
		assert_rendered(rows[i].blocks);
		assert_int_equal(blocks.entry_count, entries_of_blocks);
		arena_release(&arena);
	}
}

REPORT_TEST(a_run_of_versions_names_its_ends)
{
	static const char *const names[] = { "1", "2", "3", "4", "5", "6", "7" };
	static const size_t some[] = { 0, 1, 2, 4, 6 }, two[] = { 0, 1 };

	findings_runs(&out, names, some, COUNT(some));
	assert_rendered("1..3, 5, 7");
	strbuf_reset(&out);
	findings_runs(&out, names, two, COUNT(two));
	assert_rendered("1, 2");
}
