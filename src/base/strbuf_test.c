#include "base/base.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void an_empty_strbuf_reads_as_no_text(void **state)
{
	const struct strbuf buf = { 0 };

	(void)state;
	assert_string_equal(strbuf_text(&buf), "");
}

static void text_is_appended_and_ended(void **state)
{
	struct strbuf buf = { 0 };

	(void)state;
	strbuf_adds(&buf, "NvU");
	strbuf_addch(&buf, '3');
	strbuf_addf(&buf, "%d[%s]", 2, "4");
	assert_string_equal(buf.text, "NvU32[4]");
	assert_int_equal(buf.length, 8);
	strbuf_release(&buf);
}

static void bytes_may_be_anything(void **state)
{
	struct strbuf buf = { 0 };

	(void)state;
	strbuf_add(&buf, "a\0b", 3);
	assert_int_equal(buf.length, 3);
	assert_memory_equal(buf.text, "a\0b", 4);
	strbuf_release(&buf);
}

static void adding_nothing_still_ends_the_text(void **state)
{
	struct strbuf buf = { 0 };

	(void)state;
	strbuf_add(&buf, NULL, 0);
	assert_string_equal(buf.text, "");
	strbuf_release(&buf);
}

static void a_strbuf_grows_as_it_must(void **state)
{
	struct strbuf buf = { 0 };

	(void)state;
	for (int i = 0; i < 10000; i++)
		strbuf_addf(&buf, "%04d", i);
	assert_int_equal(buf.length, 40000);
	assert_memory_equal(buf.text + 4 * 9999, "9999", 5);
	strbuf_release(&buf);
}

static void reserving_changes_no_text(void **state)
{
	struct strbuf buf = { 0 };

	(void)state;
	strbuf_adds(&buf, "x");
	strbuf_reserve(&buf, 5000);
	assert_true(buf.capacity > 5000);
	assert_string_equal(buf.text, "x");
	strbuf_release(&buf);
}

static void a_reset_strbuf_is_empty_and_keeps_its_memory(void **state)
{
	struct strbuf buf = { 0 };
	size_t capacity;

	(void)state;
	strbuf_adds(&buf, "something");
	capacity = buf.capacity;
	strbuf_reset(&buf);
	assert_string_equal(strbuf_text(&buf), "");
	assert_int_equal(buf.length, 0);
	assert_int_equal(buf.capacity, capacity);
	strbuf_release(&buf);
}

static void a_released_strbuf_is_usable(void **state)
{
	struct strbuf buf = { 0 };

	(void)state;
	strbuf_adds(&buf, "a");
	strbuf_release(&buf);
	strbuf_release(&buf);
	strbuf_adds(&buf, "b");
	assert_string_equal(buf.text, "b");
	strbuf_release(&buf);
}

static void one_is_singular_and_others_are_plural(void **state)
{
	struct strbuf buf = { 0 };

	(void)state;
	strbuf_plural(&buf, 1, "record");
	strbuf_addch(&buf, ' ');
	strbuf_plural(&buf, 0, "entry");
	strbuf_addch(&buf, ' ');
	strbuf_plural(&buf, 2, "alias");
	assert_string_equal(buf.text, "1 record 0 entries 2 aliases");
	strbuf_release(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_strbuf_reads_as_no_text),
		cmocka_unit_test(text_is_appended_and_ended),
		cmocka_unit_test(bytes_may_be_anything),
		cmocka_unit_test(adding_nothing_still_ends_the_text),
		cmocka_unit_test(a_strbuf_grows_as_it_must),
		cmocka_unit_test(one_is_singular_and_others_are_plural),
		cmocka_unit_test(reserving_changes_no_text),
		cmocka_unit_test(a_reset_strbuf_is_empty_and_keeps_its_memory),
		cmocka_unit_test(a_released_strbuf_is_usable),
	};

	return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
