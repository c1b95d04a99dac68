/* Tests of the switches and macro calls in a driver's sources that show which ioctls it handles. */
#include "extract/internal.h"
#include "extract/ioctls_fake.h"

static const struct profile_strings routes = FAKE_STRINGS("ROUTE_*");

struct scanned_dispatch {
	struct fake_document document;
	struct dispatch dispatch;
};

static void scan_dispatch(struct scanned_dispatch *scanned, const char *text)
{
	struct table_file file;

	fake_begin(&scanned->document);
	scanned->dispatch = (struct dispatch){ .is_known = true };
	file = fake_table_file(&scanned->document, text);
	dispatch_scan(&scanned->dispatch, &file, &routes);
}

static void done_dispatch(struct scanned_dispatch *scanned)
{
	dispatch_release(&scanned->dispatch);
	fake_end(&scanned->document);
}

static const char *labels(struct scanned_dispatch *scanned)
{
	struct arena *arena = &scanned->document.arena;
	const char *text = "";

	for (size_t i = 0; i < scanned->dispatch.label_count; i++)
		text = arena_printf(arena, "%s%s%s%s", text, i ? " " : "", scanned->dispatch.labels[i].name,
				    scanned->dispatch.labels[i].conditional ? "?" : "");
	return text;
}

static void dispatches(const char *text, const char *expected)
{
	struct scanned_dispatch scanned;

	scan_dispatch(&scanned, text);
	fake_warns_nothing(&scanned.document);
	assert_true(scanned.dispatch.is_known);
	assert_string_equal(labels(&scanned), expected);
	done_dispatch(&scanned);
}

static void is_not_known(const char *text, const char *source, const char *words)
{
	struct scanned_dispatch scanned;

	scan_dispatch(&scanned, text);
	assert_false(scanned.dispatch.is_known);
	fake_warns_only(&scanned.document, source, words);
	done_dispatch(&scanned);
}

static void labels_and_macros_of_a_switch_over_the_command_count(void **state)
{
	(void)state;
	dispatches(
		"static long f(int cmd)\n{\n  switch (cmd)\n  {\n    case UVM_END:\n      return 0;\n\n"
		"    ROUTE_STACK(UVM_FREE, uvm_api_free);\n    ROUTE_ALLOC(UVM_MAP,\n                uvm_api_map);\n    default:\n      break;\n  }\n"
		"  return g(cmd);\n}\n",
		"UVM_END UVM_FREE UVM_MAP");
}

static void other_switches_and_other_calls_do_not_count(void **state)
{
	(void)state;
	dispatches(
		"switch (type) { case UVM_A: ROUTE_STACK(UVM_B, f); }\nROUTE_STACK(UVM_C, f);\ncase UVM_D:\n"
		"#define ROUTE_STACK(cmd, f) \\\n  case cmd: f();\n"
		"switch (p->cmd) { case UVM_E: PRINT(UVM_F, f); switch (type) { case UVM_G: break; } break; }\n"
		"int switch_cmd = 0x1fu; // switch (cmd) { case UVM_H: }\n",
		"UVM_E");
}

static void blocks_and_statements_of_a_case_are_skipped(void **state)
{
	(void)state;
	dispatches(
		"switch (cmd) { case A: { ROUTE_X(B, f); } case C: if (x) { y(); } else { z(); } ROUTE_X(D, f); "
		"a = (struct s){ 1 }; do { b(); } while (x); ; (c)(); ROUTE_X(E, f) }",
		"A C D E");
}

static void what_is_never_compiled_does_not_count_dispatch(void **state)
{
	(void)state;
	dispatches(
		"switch (cmd) {\n#if 0\n  case A:\n#else\n  case B:\n#endif\n#ifdef X\n  case C:\n#elif Y\n  case D:\n#endif\n  case E:\n}\n",
		"B C? D? E");
}

static void a_switch_without_labels_dispatches_nothing(void **state)
{
	(void)state;
	dispatches("switch (cmd) { }\nswitch (_IOC_NR(cmd)) { }", "");
}

static void what_is_not_one_name_makes_it_unknown(void **state)
{
	(void)state;
	is_not_known("switch (cmd)\n{\n  case A ... B:\n    break;\n}\n", "t.c:3",
		     "The label of this case is not a single name, so it is unknown");
	is_not_known("switch (cmd) { case 34: break; }", "t.c:1", "not a single name");
	is_not_known("switch (cmd) { ROUTE_X(A + 1, f); }", "t.c:1",
		     "The first argument of this macro is not a single name");
	is_not_known("switch (cmd) { ROUTE_X(); }", "t.c:1",
		     "The first argument of this macro is not a single name");
}

static void a_switch_without_an_end_makes_it_unknown(void **state)
{
	(void)state;
	is_not_known("\nswitch (cmd)\n{\n  case A:\n    f();\n", "t.c:2", "that begins here has no end");
	is_not_known("switch (cmd) { case A: f((;", "t.c:1", "has no end");
	is_not_known("switch (cmd) { case A: f([)]; }", "t.c:1", "has no end");
	is_not_known("switch (cmd) return 0;", "t.c:1", "No block follows");
	is_not_known("#include \"a.h\"\nswitch (cmd) { case A:\n# include \"b.h\"\n}", "t.c:3",
		     "The file included here may have more labels");
}

static void a_mention_is_found_outside_comments_and_literals(void **state)
{
	struct scanned_dispatch scanned;

	(void)state;
	scan_dispatch(&scanned,
		      "/* UVM_A */\nint x = UVM_AB + MY_UVM_A;\nputs(\"UVM_A\");\nif (cmd == UVM_A)\n");
	assert_string_equal(dispatch_mention(&scanned.dispatch.texts, "UVM_A", &scanned.document.arena),
			    "t.c:4");
	assert_null(dispatch_mention(&scanned.dispatch.texts, "UVM", &scanned.document.arena));
	done_dispatch(&scanned);
}

static void several_files_add_up(void **state)
{
	struct scanned_dispatch scanned;
	struct table_file file;

	(void)state;
	scan_dispatch(&scanned, "switch (cmd) { case A: }");
	file = fake_table_file(&scanned.document, "\nswitch (cmd) { case B: }\n");
	file.path = "u.c";
	dispatch_scan(&scanned.dispatch, &file, &routes);
	assert_string_equal(labels(&scanned), "A B");
	assert_string_equal(scanned.dispatch.labels[1].source, "u.c:2");
	assert_string_equal(dispatch_mention(&scanned.dispatch.texts, "B", &scanned.document.arena), "u.c:2");
	done_dispatch(&scanned);
}

static const struct profile_route calls[] = {
	{ .name = "ENTRY", .ioctl = "\\1", .record = "Kms\\2Params", .prefix = "" },
	{ .name = "ENTRY_ADMIN",
	  .ioctl = "\\1",
	  .record = "Kms\\2Params",
	  .flags = FAKE_STRINGS("admin"),
	  .prefix = "" },
	{ .name = "DEF_*", .ioctl = "DRM_\\1", .words = "\\3", .prefix = "DRM_" },
};
static const struct profile_routes rules = { .calls = calls, .call_count = 3 };

struct scanned_call {
	struct fake_document document;
	struct routes routes;
};

static void scan_call(struct scanned_call *scanned, const char *text)
{
	struct table_file file;

	fake_begin(&scanned->document);
	scanned->routes = (struct routes){ 0 };
	file = fake_table_file(&scanned->document, text);
	routes_scan(&scanned->routes, &file, &rules);
}

static void done_call(struct scanned_call *scanned)
{
	routes_release(&scanned->routes);
	fake_end(&scanned->document);
}

static void a_call_names_ioctl_and_record(void **state)
{
	struct scanned_call scanned;
	const struct route *route = NULL;

	(void)state;
	scan_call(
		&scanned,
		"// ENTRY(IN_A, Comment)\nchar *s = \"ENTRY(IN_A, Text)\";\n  ENTRY (FLIP,\n\tFlip ),\n  ENTRY_ADMIN(MODE, Mode),\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.routes.count, 2);
	route = scanned.routes.items;
	assert_string_equal(route[0].ioctl, "FLIP");
	assert_string_equal(route[0].record, "KmsFlipParams");
	assert_string_equal(route[0].source, "t.c:3");
	assert_int_equal(route[0].flags.count, 0);
	assert_string_equal(route[1].source, "t.c:5");
	assert_string_equal(route[1].flags.items[0], "admin");
	done_call(&scanned);
}

static void what_the_caller_needs_are_words(void **state)
{
	struct scanned_call scanned;
	const struct route *route;

	(void)state;
	scan_call(&scanned, "DEF_DRV(A, f(1, 2), DRM_RENDER_ALLOW|DRM_UNLOCKED)\nDEF_DRV(B, f, 0)\n");
	fake_warns_nothing(&scanned.document);
	route = scanned.routes.items;
	assert_string_equal(route[0].ioctl, "DRM_A");
	assert_null(route[0].record);
	assert_int_equal(route[0].flags.count, 2);
	assert_string_equal(route[0].flags.items[0], "render-allow");
	assert_string_equal(route[0].flags.items[1], "unlocked");
	assert_int_equal(route[1].flags.count, 0);
	done_call(&scanned);
}

static void definitions_and_other_names_are_no_calls(void **state)
{
	struct scanned_call scanned;

	(void)state;
	scan_call(
		&scanned,
		"#define ENTRY(cmd, f) \\\n\tOTHER(cmd) ENTRY(cmd, g)\nREENTRY(A, B) ENTRY_2(A, B) 0ENTRY(A, B) ENTRY;\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.routes.count, 0);
	done_call(&scanned);
}

static void what_is_never_compiled_does_not_count_call(void **state)
{
	struct scanned_call scanned;

	(void)state;
	scan_call(
		&scanned,
		"#if 0\nENTRY(OLD, Old)\n#else\nENTRY(NEW, New)\n#endif\n#if defined(X)\nENTRY(MAYBE, Maybe)\n#endif\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.routes.count, 2);
	assert_string_equal(scanned.routes.items[0].ioctl, "NEW");
	assert_string_equal(scanned.routes.items[1].ioctl, "MAYBE");
	done_call(&scanned);
}

static void a_call_of_another_form_is_named(void **state)
{
	static const struct {
		const char *text, *source, *says;
	} cases[] = {
		{ "\nENTRY(A + 1, F)", "t.c:2", "This ENTRY is left out: its argument 1 is not a single name." },
		{ "ENTRY(A)", "t.c:1", "its argument 2 is not a single name" },
		{ "ENTRY(, F)", "t.c:1", "its argument 1 is not a single name" },
		{ "ENTRY(A,\nF", "t.c:1", "This ENTRY is left out: its parentheses do not close." },
		{ "ENTRY(A,\n#if X\nF\n#endif\n)", "t.c:1", "its parentheses do not close" },
		{ "DEF_DRV(A, f, X & Y)", "t.c:1", "its argument 3 is not a list of names" },
		{ "DEF_DRV(A, f, | X)", "t.c:1", "its argument 3 is not a list of names" },
		{ "DEF_DRV(A, f)", "t.c:1", "its argument 3 is not a list of names" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scanned_call scanned;

		scan_call(&scanned, cases[i].text);
		fake_warns_only(&scanned.document, cases[i].source, cases[i].says);
		assert_int_equal(scanned.routes.count, 0);
		done_call(&scanned);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_and_macros_of_a_switch_over_the_command_count),
		cmocka_unit_test(other_switches_and_other_calls_do_not_count),
		cmocka_unit_test(blocks_and_statements_of_a_case_are_skipped),
		cmocka_unit_test(what_is_never_compiled_does_not_count_dispatch),
		cmocka_unit_test(a_switch_without_labels_dispatches_nothing),
		cmocka_unit_test(what_is_not_one_name_makes_it_unknown),
		cmocka_unit_test(a_switch_without_an_end_makes_it_unknown),
		cmocka_unit_test(a_mention_is_found_outside_comments_and_literals),
		cmocka_unit_test(several_files_add_up),
		cmocka_unit_test(a_call_names_ioctl_and_record),
		cmocka_unit_test(what_the_caller_needs_are_words),
		cmocka_unit_test(definitions_and_other_names_are_no_calls),
		cmocka_unit_test(what_is_never_compiled_does_not_count_call),
		cmocka_unit_test(a_call_of_another_form_is_named),
	};

	return cmocka_run_group_tests_name("routes", tests, NULL, NULL);
}
