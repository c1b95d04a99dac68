/*
 * What a comparison costs: twice the input, twice the work, also where all that is compared has one number,
 * value or content.
 *
 * Work is counted, not timed: how often names and bytes are looked at (testdata/test_main.c).
 */
#include "history/fixture_test.h"

enum { FEW = 400 };

extern size_t looked;

/*
 * A thing of a version: @letter tells one version's from another's. Each name is a text of its own, as from a
 * JSON document.
 */
static void put_one_number(struct abi_builder *doc, char letter, size_t i)
{
	const struct abi_ioctl ioctl = { .family = arena_strdup(&arena, "toy"),
					 .name = arena_printf(&arena, "%c%zu", letter, i),
					 .number = 7,
					 .source = "" };

	abi_builder_ioctl(doc, &ioctl);
}

static void put_one_value(struct abi_builder *doc, char letter, size_t i)
{
	put_constant(doc, arena_printf(&arena, "X_CTRL_CMD_%c%zu", letter, i), 7);
}

static void put_one_content(struct abi_builder *doc, char letter, size_t i)
{
	const struct abi_field field = U32("a", 0);

	put_record(doc, arena_printf(&arena, "%c%zu", letter, i), 4, &field, 1);
}

static void put_renamed_parameters(struct abi_builder *doc, char letter, size_t i)
{
	const char *params = arena_printf(&arena, "X_CTRL_%cRENAMED_%zu_PARAMS", letter, i);
	const struct abi_field fields[] = { U32("a", 0), U32("b", 4), U32("c", 8),
					    U32(arena_printf(&arena, "f%zu", i), 12) };

	put_record(doc, params, 16, fields, 4);
	put_ioctl(doc, arena_printf(&arena, "X_CTRL_CMD_%cRENAMED_%zu", letter, i), i + 1, params);
}

static void put_enum_of_one_value(struct abi_builder *doc, char letter, size_t i)
{
	const struct abi_enumerator values[] = { { arena_printf(&arena, "V%c%zu", letter, i), { 7, false } } };
	struct abi_enum one = { .name = arena_printf(&arena, "%c%zu", letter, i),
				.type = "unsigned int",
				.size_bytes = 4,
				.value_count = 1,
				.source = "" };

	one.values = arena_memdup(&arena, values, sizeof(values));
	abi_builder_enum(doc, &one);
}

static size_t work(void (*put)(struct abi_builder *doc, char letter, size_t i), size_t count)
{
	struct history_graph graph;
	struct history_changes changes;
	struct err err = { "" };

	begin_test(NULL);
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = put_version(i ? "2.0" : "1.0", i ? "1.0" : NULL, true);

		put_ioctl(doc, "X_CTRL_CMD_FIRST", 1 << 20,
			  NULL); /* by its name macros are told to be commands */
		for (size_t k = 0; k < count; k++)
			put(doc, i ? 'B' : 'A', k);
	}
	graph = graph_of_all();
	looked = 0;
	if (history_compare(&changes, &graph, &graph.edges[0], &filter, &arena, &err))
		fail_msg("%s", err.text);
	assert_true(changes.count);
	end_test(NULL);
	return looked;
}

static void twice_as_much_is_twice_the_work(void **state)
{
	static const struct {
		const char *what;
		void (*put)(struct abi_builder *doc, char letter, size_t i);
	} rows[] = {
		{ "ioctls of one number", put_one_number },
		{ "macros of one value", put_one_value },
		{ "records of one content", put_one_content },
		{ "renamed ioctls with their parameters", put_renamed_parameters },
		{ "enums of one value", put_enum_of_one_value },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t once = work(rows[i].put, FEW), twice = work(rows[i].put, 2 * FEW);

		if (!once || twice * 2 > once * 5)
			fail_msg("%s: %zu comparisons of %d, %zu of twice as many", rows[i].what, once, FEW,
				 twice);
	}
	version_count = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(twice_as_much_is_twice_the_work),
	};

	return cmocka_run_group_tests_name("history/growth", tests, NULL, NULL);
}
