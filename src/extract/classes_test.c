#include "extract/internal.h"

#include "extract/ioctls_fake.h"

#include <stdlib.h>

#define ENTRY(name, params, flags, access) \
	"RS_ENTRY(\n" \
	"    /* External Class */ " name ",\n" \
	"    /* Internal Class */ Thing,\n" \
	"    /* Multi-Instance */ NV_TRUE,\n" \
	"    /* Parents        */ RS_LIST(classId(Device), classId(Subdevice)),\n" \
	"    /* Alloc Param    */ " params ",\n" \
	"    /* Priority       */ RS_FREE_PRIORITY_DEFAULT,\n" \
	"    /* Flags          */ " flags ",\n" \
	"    /* Access         */ " access "\n" \
	")\n"
#define USUAL ENTRY("THING_A", "RS_REQUIRED(THING_PARAMS)", "RS_FLAGS_A | RS_FLAGS_B", "RS_ACCESS_NONE")

struct scanned {
	struct fake_document document;
	struct rs_entries entries;
};

static void scan(struct scanned *scanned, const char *text)
{
	struct table_file file;

	fake_begin(&scanned->document);
	scanned->entries = (struct rs_entries){ 0 };
	file = fake_table_file(&scanned->document, text);
	rs_entry_scan(&scanned->entries, &file);
}

static void done(struct scanned *scanned)
{
	free(scanned->entries.items);
	fake_end(&scanned->document);
}

static void an_entry_has_name_parameters_and_flags(void **state)
{
	struct scanned scanned;
	const struct rs_entry *entry;

	(void)state;
	scan(&scanned, "// RS_ENTRY(in, a, comment)\n" USUAL "#undef RS_ENTRY\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.entries.count, 1);
	entry = scanned.entries.items;
	assert_string_equal(entry->name, "THING_A");
	assert_string_equal(entry->params, "THING_PARAMS");
	assert_true(entry->required);
	assert_false(entry->conditional);
	assert_true(view_is(entry->flags, "RS_FLAGS_A | RS_FLAGS_B"));
	assert_true(view_is(entry->access, "RS_ACCESS_NONE"));
	assert_int_equal(entry->line, 2);
	done(&scanned);
}

static void an_entry_on_one_line_is_read(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, USUAL
	     "  RS_ENTRY( THING_B, Thing, NV_TRUE, RS_ANY_PARENT, RS_OPTIONAL(NvHandle), P, RS_FLAGS_NONE, RS_ACCESS_NONE )\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.entries.count, 2);
	assert_string_equal(scanned.entries.items[1].name, "THING_B");
	assert_string_equal(scanned.entries.items[1].params, "NvHandle");
	assert_false(scanned.entries.items[1].required);
	assert_int_equal(scanned.entries.items[1].line, 11);
	done(&scanned);
}

static void a_class_may_have_no_parameters(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, ENTRY("THING_A", "RS_NONE", "0", "RS_ACCESS_NICE"));
	fake_warns_nothing(&scanned.document);
	assert_null(scanned.entries.items[0].params);
	done(&scanned);
}

static void an_entry_under_an_if_is_conditional(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "#if A && \\\n  B\n" USUAL "#endif\n" USUAL);
	fake_warns_nothing(&scanned.document);
	assert_true(scanned.entries.items[0].conditional);
	assert_false(scanned.entries.items[1].conditional);
	assert_int_equal(scanned.entries.items[0].line, 3);
	done(&scanned);
}

static void strange_entries_are_left_out(void **state)
{
	static const char *const texts[] = {
		"RS_ENTRY(A, B, C)\n",
		ENTRY("THING A", "RS_NONE", "RS_FLAGS_NONE", "RS_ACCESS_NONE"),
		ENTRY("THING_A", "RS_MAYBE(T)", "RS_FLAGS_NONE", "RS_ACCESS_NONE"),
		ENTRY("THING_A", "RS_REQUIRED(T[2])", "RS_FLAGS_NONE", "RS_ACCESS_NONE"),
		ENTRY("THING_A", "RS_NONE", "RS_FLAGS_A + RS_FLAGS_B", "RS_ACCESS_NONE"),
		ENTRY("THING_A", "RS_NONE", "RS_FREE_PRIORITY_HIGH", "RS_ACCESS_NONE"),
		ENTRY("THING_A", "RS_NONE", "", "RS_ACCESS_NONE"),
		ENTRY("THING_A", "RS_NONE", "RS_FLAGS_NONE", "RS_FLAGS_NONE"),
		"RS_ENTRY(A,\n",
		"RS_ENTRY_2(A, B, C, D, RS_NONE, P, RS_FLAGS_NONE, RS_ACCESS_NONE)\n",
	};
	struct scanned scanned;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		scan(&scanned, texts[i]);
		assert_int_equal(scanned.entries.count, 0);
		fake_seal(&scanned.document);
		assert_int_equal(scanned.document.abi.warning_count, 1);
		done(&scanned);
	}
}

static void a_directive_inside_an_entry_is_not_believed(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "RS_ENTRY(A, B,\n#if X\nC\n#endif\n)\n" USUAL);
	fake_seal(&scanned.document);
	assert_true(scanned.document.abi.warning_count > 0);
	assert_int_equal(scanned.entries.count, 1);
	assert_string_equal(scanned.entries.items[0].name, "THING_A");
	done(&scanned);
}

static void an_endif_without_an_if_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, USUAL "#endif\n");
	fake_warns_only(&scanned.document, "t.c:11", "was not opened");
	done(&scanned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_has_name_parameters_and_flags),
		cmocka_unit_test(an_entry_on_one_line_is_read),
		cmocka_unit_test(a_class_may_have_no_parameters),
		cmocka_unit_test(an_entry_under_an_if_is_conditional),
		cmocka_unit_test(strange_entries_are_left_out),
		cmocka_unit_test(a_directive_inside_an_entry_is_not_believed),
		cmocka_unit_test(an_endif_without_an_if_is_named),
	};

	return cmocka_run_group_tests_name("rs_entry", tests, NULL, NULL);
}
