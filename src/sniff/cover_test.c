#include "sniff/sniff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Up to three capabilities, sorted. */
static struct table_entry entry(const char *const *caps, size_t count)
{
	return (struct table_entry){ .family = "control", .name = "X", .caps = caps, .cap_count = count };
}

#define ENTRY(...) entry((const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

static void expect_cover(const struct table_entry *const *entries, size_t count, const char *wanted)
{
	struct arena arena = { 0 };
	struct strbuf text = { 0 };
	const char *const *caps;

	sniff_cover(&caps, entries, count, &arena);
	for (; *caps; caps++)
		strbuf_addf(&text, "%s%s", text.length ? " " : "", *caps);
	assert_string_equal(strbuf_text(&text), wanted);
	strbuf_release(&text);
	arena_release(&arena);
}

static void one_capability_that_all_list_is_enough(void **state)
{
	const struct table_entry a = ENTRY("compute", "utility"), b = ENTRY("graphics", "utility");

	(void)state;
	expect_cover((const struct table_entry *const[]){ &a, &b }, 2, "utility");
}

static void of_two_that_do_the_first_of_table_caps_is_told(void **state)
{
	const struct table_entry a = ENTRY("compute", "utility");

	(void)state;
	expect_cover((const struct table_entry *const[]){ &a }, 1, "compute");
}

static void greed_would_need_three_where_two_are_enough(void **state)
{
	const struct table_entry a = ENTRY("a", "c"), b = ENTRY("a", "d"), c = ENTRY("b", "c"), d = ENTRY("b", "d"), e = ENTRY("a", "c"), f = ENTRY("b", "c");

	(void)state;
	expect_cover((const struct table_entry *const[]){ &a, &b, &c, &d, &e, &f }, 6, "a b");
}

static void entries_without_capabilities_do_not_count(void **state)
{
	const struct table_entry none = entry(NULL, 0), video = ENTRY("video");

	(void)state;
	expect_cover((const struct table_entry *const[]){ &none }, 1, "");
	expect_cover((const struct table_entry *const[]){ &none, &video }, 2, "video");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_capability_that_all_list_is_enough),
		cmocka_unit_test(of_two_that_do_the_first_of_table_caps_is_told),
		cmocka_unit_test(greed_would_need_three_where_two_are_enough),
		cmocka_unit_test(entries_without_capabilities_do_not_count),
	};

	return cmocka_run_group_tests_name("sniff cover", tests, NULL, NULL);
}
