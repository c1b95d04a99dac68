#include "extract/internal.h"

#include "extract/ioctls_fake.h"

#include <stdlib.h>

static const struct macro macros[] = {
	{ .name = "CMD_A", .value = { 0x101, false }, .evaluated = true, .unit = "rm" },
	{ .name = "CMD_B", .value = { 0x102, false }, .evaluated = true, .unit = "rm" },
	{ .name = "CMD_C", .value = { 0x103, false }, .evaluated = true, .unit = "rm" },
	{ .name = "CMD_UNKNOWN", .unit = "rm" },
};
static const struct macro_index index_of_macros = { macros, sizeof(macros) / sizeof(macros[0]) };

struct scanned {
	struct fake_document document;
	struct embedded_commands commands;
};

static void scan(struct scanned *scanned, const char *text)
{
	struct table_file file;

	fake_begin(&scanned->document);
	scanned->commands = (struct embedded_commands){ 0 };
	file = fake_table_file(&scanned->document, text);
	embedded_scan(&scanned->commands, &file, &index_of_macros);
	embedded_sort(&scanned->commands);
}

static void done(struct scanned *scanned)
{
	free(scanned->commands.items);
	fake_end(&scanned->document);
}

static void the_labels_of_a_switch_over_the_command_count(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     "int in(struct c *c)\n{\n  switch (c->cmd)\n  {\n    case CMD_B:\n    {\n      copy(\"}\");\n      break;\n    }\n"
	     "    case CMD_A: break;\n    default:\n      ;\n  }\n}\n"
	     "int out(struct c *c)\n{\n  switch (c->cmd) {\n    case CMD_B:\n      break;\n  }\n}\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.commands.count, 2);
	assert_true(embedded_has(&scanned.commands, 0x101));
	assert_true(embedded_has(&scanned.commands, 0x102));
	assert_false(embedded_has(&scanned.commands, 0x103));
	done(&scanned);
}

static void other_switches_do_not_count(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     "switch (p->type)\n{\n  case CMD_A:\n}\nswitch (p->cmd)\n{\n  case CMD_B:\n    switch (p->type) {\n"
	     "    case CMD_C:\n    }\n    /* case CMD_C: */\n}\ncase CMD_C:\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.commands.count, 1);
	assert_true(embedded_has(&scanned.commands, 0x102));
	done(&scanned);
}

static void a_label_under_a_macro_that_is_not_defined_does_not_count(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     "switch (p->cmd)\n{\n#ifdef CMD_UNKNOWN\n  case CMD_UNKNOWN:\n#else\n  case CMD_A:\n#endif\n"
	     "#ifndef CMD_B\n  case CMD_C:\n#endif\n#ifdef CMD_B\n  case CMD_B:\n#endif\n}\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.commands.count, 2);
	assert_true(embedded_has(&scanned.commands, 0x101));
	assert_true(embedded_has(&scanned.commands, 0x102));
	done(&scanned);
}

static void a_label_under_an_unknown_condition_counts_and_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "switch (p->cmd)\n{\n#if X > 3\n  case CMD_A:\n#endif\n}\n");
	assert_true(embedded_has(&scanned.commands, 0x101));
	fake_warns_only(&scanned.document, "t.c:4", "depends on how the driver is built");
	done(&scanned);
}

static void a_label_without_a_value_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "switch (p->cmd)\n{\n  case CMD_UNKNOWN:\n}\n");
	assert_int_equal(scanned.commands.count, 0);
	fake_warns_only(&scanned.document, "t.c:3", "CMD_UNKNOWN");
	done(&scanned);
}

static void a_label_that_is_no_name_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "switch (p->cmd)\n{\n  case CMD_A + 1:\n}\n");
	fake_warns_only(&scanned.document, "t.c:3", "not one name");
	done(&scanned);
}

static void a_file_that_ends_inside_a_switch_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "switch (p->cmd)\n{\n  case CMD_A:\n");
	fake_warns_only(&scanned.document, "t.c:3", "ends inside a function");
	done(&scanned);
}

static void a_file_without_such_a_switch_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "static const int table[] = { CMD_A };\n");
	fake_warns_only(&scanned.document, "t.c", "No switch");
	done(&scanned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_labels_of_a_switch_over_the_command_count),
		cmocka_unit_test(other_switches_do_not_count),
		cmocka_unit_test(a_label_under_a_macro_that_is_not_defined_does_not_count),
		cmocka_unit_test(a_label_under_an_unknown_condition_counts_and_is_named),
		cmocka_unit_test(a_label_without_a_value_is_named),
		cmocka_unit_test(a_label_that_is_no_name_is_named),
		cmocka_unit_test(a_file_that_ends_inside_a_switch_is_named),
		cmocka_unit_test(a_file_without_such_a_switch_is_named),
	};

	return cmocka_run_group_tests_name("embedded", tests, NULL, NULL);
}
