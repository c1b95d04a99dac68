/* The calls in a driver's source that say which ioctls it answers. */
#include "extract/internal.h"

#include "extract/ioctls_fake.h"

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

struct scanned {
	struct fake_document document;
	struct routes routes;
};

static void scan(struct scanned *scanned, const char *text)
{
	struct table_file file;

	fake_begin(&scanned->document);
	scanned->routes = (struct routes){ 0 };
	file = fake_table_file(&scanned->document, text);
	routes_scan(&scanned->routes, &file, &rules);
}

static void done(struct scanned *scanned)
{
	routes_release(&scanned->routes);
	fake_end(&scanned->document);
}

static void a_call_names_ioctl_and_record(void **state)
{
	struct scanned scanned;
	const struct route *route = NULL;

	(void)state;
	scan(&scanned,
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
	done(&scanned);
}

static void what_the_caller_needs_are_words(void **state)
{
	struct scanned scanned;
	const struct route *route;

	(void)state;
	scan(&scanned, "DEF_DRV(A, f(1, 2), DRM_RENDER_ALLOW|DRM_UNLOCKED)\nDEF_DRV(B, f, 0)\n");
	fake_warns_nothing(&scanned.document);
	route = scanned.routes.items;
	assert_string_equal(route[0].ioctl, "DRM_A");
	assert_null(route[0].record);
	assert_int_equal(route[0].flags.count, 2);
	assert_string_equal(route[0].flags.items[0], "render-allow");
	assert_string_equal(route[0].flags.items[1], "unlocked");
	assert_int_equal(route[1].flags.count, 0);
	done(&scanned);
}

static void definitions_and_other_names_are_no_calls(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     "#define ENTRY(cmd, f) \\\n\tOTHER(cmd) ENTRY(cmd, g)\nREENTRY(A, B) ENTRY_2(A, B) 0ENTRY(A, B) ENTRY;\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.routes.count, 0);
	done(&scanned);
}

static void what_is_never_compiled_does_not_count(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     "#if 0\nENTRY(OLD, Old)\n#else\nENTRY(NEW, New)\n#endif\n#if defined(X)\nENTRY(MAYBE, Maybe)\n#endif\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.routes.count, 2);
	assert_string_equal(scanned.routes.items[0].ioctl, "NEW");
	assert_string_equal(scanned.routes.items[1].ioctl, "MAYBE");
	done(&scanned);
}

static void a_call_of_another_form_is_named(void **state)
{
	static const struct {
		const char *text, *source, *says;
	} cases[] = {
		{ "\nENTRY(A + 1, F)", "t.c:2", "This ENTRY is left out: its argument 1 is not one name." },
		{ "ENTRY(A)", "t.c:1", "its argument 2 is not one name" },
		{ "ENTRY(, F)", "t.c:1", "its argument 1 is not one name" },
		{ "ENTRY(A,\nF", "t.c:1", "This ENTRY is left out: its parentheses do not close." },
		{ "ENTRY(A,\n#if X\nF\n#endif\n)", "t.c:1", "its parentheses do not close" },
		{ "DEF_DRV(A, f, X & Y)", "t.c:1", "its argument 3 is not a list of names" },
		{ "DEF_DRV(A, f, | X)", "t.c:1", "its argument 3 is not a list of names" },
		{ "DEF_DRV(A, f)", "t.c:1", "its argument 3 is not a list of names" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scanned scanned;

		scan(&scanned, cases[i].text);
		fake_warns_only(&scanned.document, cases[i].source, cases[i].says);
		assert_int_equal(scanned.routes.count, 0);
		done(&scanned);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_names_ioctl_and_record),
		cmocka_unit_test(what_the_caller_needs_are_words),
		cmocka_unit_test(definitions_and_other_names_are_no_calls),
		cmocka_unit_test(what_is_never_compiled_does_not_count),
		cmocka_unit_test(a_call_of_another_form_is_named),
	};

	return cmocka_run_group_tests_name("routes", tests, NULL, NULL);
}
