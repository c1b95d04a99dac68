/*
 * Tests that the cost of a comparison is linear: twice the input takes twice the work, even if all items have
 * the same number, value or content.
 *
 * Work is measured as the number of comparisons of names and bytes (testdata/test_main.c), not as time.
 */
#include "history/fixture_test.h"

enum { FEW = 400 };

extern size_t looked;

static size_t work(const char *text, size_t count)
{
	struct history_graph graph;
	struct history_changes changes;

	begin_test(NULL);
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = put_version(i ? "2.0" : "1.0", i ? "1.0" : NULL);

		/* With this ioctl, the macros count as commands. */
		document_put(doc, "ioctl X_CTRL_CMD_FIRST 0x100000 -", &arena);
		for (size_t k = 0; k < count; k++) {
			struct strbuf one = { 0 };

			for (const char *at = text; *at; at++)
				if (*at == '$')
					strbuf_addf(&one, "%c%zu", i ? 'B' : 'A', k);
				else if (*at == '#')
					strbuf_addf(&one, "%zu", k + 1);
				else
					strbuf_addch(&one, *at);
			document_put(doc, strbuf_text(&one), &arena);
			strbuf_release(&one);
		}
	}
	graph = graph_of_all();
	looked = 0;
	if (history_compare(&changes, &graph, &graph.edges[0], &filter, &arena, &err))
		fail_msg("%s", err.text);
	assert_true(changes.count);
	end_test(NULL);
	return looked;
}

HISTORY_TEST(twice_as_much_is_twice_the_work)
{
	static const struct {
		const char *what, *text; /* "$" is a name that differs in each version; "#" a number that
					    is equal in both */
	} rows[] = {
		{ "ioctls with one number", "ioctl toy/$ 7 -" },
		{ "macros with one value", "const X_CTRL_CMD_$ 7" },
		{ "records with one content", "struct $ 4 { NvU32 a@0 }" },
		{ "renamed ioctls with their parameters",
		  "struct X_CTRL_$_PARAMS 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 f#@12 } "
		  "ioctl X_CTRL_CMD_$ # X_CTRL_$_PARAMS" },
		{ "enums with one value", "enum $ { V$=7 }" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t once = work(rows[i].text, FEW), twice = work(rows[i].text, 2 * FEW);

		if (!once || twice * 2 > once * 5)
			fail_msg("%s: %zu comparisons of %d, %zu of twice as many", rows[i].what, once, FEW,
				 twice);
	}
	version_count = 0;
}
