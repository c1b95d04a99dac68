#include "sniff/sniff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_version(const char *text, const char *wanted)
{
	struct arena arena = { 0 };
	const char *version = NULL;

	assert_int_equal(driver_version_find(&version, text, &arena), wanted != NULL);
	if (wanted)
		assert_string_equal(version, wanted);
	arena_release(&arena);
}

static void the_open_modules_name_their_version(void **state)
{
	(void)state;
	expect_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  590.48.01  Release Build  (dvs-builder@U22-I3)  Mon Dec  8 13:13:45 UTC 2025\n"
		       "GCC version:  gcc version 12.3.0\n", "590.48.01");
}

static void so_do_the_closed_ones(void **state)
{
	(void)state;
	expect_version("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023\n", "535.104.05");
}

static void a_version_in_another_line_is_the_compilers(void **state)
{
	(void)state;
	expect_version("NVRM version: none\nGCC version:  gcc version 12.3.0\n", NULL);
	expect_version("", NULL);
	expect_version("NVRM version: 2025 .5", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_open_modules_name_their_version),
		cmocka_unit_test(so_do_the_closed_ones),
		cmocka_unit_test(a_version_in_another_line_is_the_compilers),
	};

	return cmocka_run_group_tests_name("sniff driver version", tests, NULL, NULL);
}
