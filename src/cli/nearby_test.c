/* Tests of the suggestions for a name, glob or word of the command line that matches nothing. */
#include "cli/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct abi_record record = { .name = "NVOS21_PARAMETERS" };
static const struct abi_constant constant = { "NV_ESC_RM_ALLOC", { 43, false } };
static const struct abi_ioctl ioctl = { .family = "control", .name = "CMD_GET_INFO", .number = 0x801 };
static const struct abi abi = { .records = &record,
				.record_count = 1,
				.constants = &constant,
				.constant_count = 1,
				.ioctls = &ioctl,
				.ioctl_count = 1 };

static void assert_list(const char *const *item, size_t count, const char *word, const char *expected)
{
	struct nearby_words words = { 0 };
	struct arena arena = { 0 };
	struct err err = { "" };

	for (size_t i = 0; i < count; i++)
		nearby_word(&words, item[i], &arena);
	assert_int_equal(nearby_words_fail(&err, &words, word, "no %s", word), ERR_NOT_FOUND);
	assert_int_equal(strncmp(err.text, "no ", 3), 0);
	assert_string_equal(err.text + strlen("no ") + strlen(word), expected);
	arena_release(&arena);
}

static void a_glob_matches_names_of_every_kind(void **state)
{
	(void)state;
	assert_true(nearby_matches(&abi, "NVOS21*"));
	assert_true(nearby_matches(&abi, "NV_ESC_*"));
	assert_true(nearby_matches(&abi, "CMD_*_INFO"));
	assert_false(nearby_matches(&abi, "NVOS21"));
}

static void a_name_with_a_slip_is_near(void **state)
{
	struct abi_nearest nearest = { .count = 0 };

	(void)state;
	nearby_names(&nearest, &abi, "NV_ESC_RM_ALOC");
	assert_int_equal(nearest.count, 1);
	assert_string_equal(nearest.name[0], "NV_ESC_RM_ALLOC");
}

static void only_records_are_near_a_record(void **state)
{
	struct abi_nearest nearest = { .count = 0 };

	(void)state;
	nearby_records(&nearest, &abi, "NV_ESC_RM_ALOC");
	assert_int_equal(nearest.count, 0);
	nearby_records(&nearest, &abi, "NVOS21_PARAMETER");
	assert_string_equal(nearest.name[0], "NVOS21_PARAMETERS");
}

static void hexadecimal_without_its_prefix_is_a_number(void **state)
{
	(void)state;
	assert_true(nearby_number(&abi, "801"));
	assert_false(nearby_number(&abi, "0x801"));
	assert_false(nearby_number(&abi, "802"));
	assert_false(nearby_number(&abi, "8"));
}

static void releases_are_of_digits_and_dots(void **state)
{
	(void)state;
	assert_true(nearby_are_releases("535.54.03", "590.48.01"));
	assert_true(nearby_are_releases("v1.0", "v2.0"));
	assert_false(nearby_are_releases("v1.0", "2.0"));
	assert_false(nearby_are_releases("535.54.03", "main"));
	assert_false(nearby_are_releases("535.54.03", "./tree"));
}

static void few_words_are_all_told_in_their_order(void **state)
{
	static const char *const words[] = { "uvm", "control", "uvm", "alloc" };

	(void)state;
	assert_list(words, 4, "x", "; known: alloc, control, uvm");
}

static void one_word_is_the_only_one(void **state)
{
	static const char *const words[] = { "uvm" };

	(void)state;
	assert_list(words, 1, "x", "; the only one is uvm");
}

static void no_word_is_told_to_be_none(void **state)
{
	(void)state;
	assert_list(NULL, 0, "x", "; none are known");
}

static void of_many_words_the_nearest_is_told(void **state)
{
	static const char *const words[] = { "aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh",        "ii",
					     "jj", "kk", "ll", "mm", "nn", "oo", "pp", "privileged" };

	(void)state;
	assert_list(words, 17, "priviliged", "; nearest: privileged");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_glob_matches_names_of_every_kind),
		cmocka_unit_test(a_name_with_a_slip_is_near),
		cmocka_unit_test(only_records_are_near_a_record),
		cmocka_unit_test(hexadecimal_without_its_prefix_is_a_number),
		cmocka_unit_test(releases_are_of_digits_and_dots),
		cmocka_unit_test(few_words_are_all_told_in_their_order),
		cmocka_unit_test(one_word_is_the_only_one),
		cmocka_unit_test(no_word_is_told_to_be_none),
		cmocka_unit_test(of_many_words_the_nearest_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
