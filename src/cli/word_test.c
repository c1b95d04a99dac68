/* Tests of names and numbers on the command line, and of the messages about unknown names and numbers. */
#include "cli/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void assert_word(const char *text, bool is_number, uint64_t number)
{
	struct lookup_word word;

	word_read(&word, text);
	assert_string_equal(word.text, text);
	assert_int_equal(word.is_number, is_number);
	if (is_number)
		assert_int_equal(word.number, number);
}

static void a_number_is_decimal_or_hexadecimal(void **state)
{
	(void)state;
	assert_word("27", true, 27);
	assert_word("0x20801358", true, 0x20801358);
	assert_word("18446744073709551615", true, UINT64_MAX);
}

static void what_is_no_whole_number_is_a_name(void **state)
{
	(void)state;
	assert_word("27x", false, 0);
	assert_word("-27", false, 0);
	assert_word("NVOS21_*", false, 0);
	assert_word("", false, 0);
	assert_word("18446744073709551616", false, 0);
}

/* One version, 1.0, with one ioctl. There are no other versions. */
static const struct abi_ioctl ioctl = { .family = "control",
					.name = "CMD_GET_INFO",
					.number = 0x801,
					.source = "" };
static const struct abi abi = { .driver = "toy",
				.version = "1.0",
				.commit = "",
				.target = "x86_64-linux-gnu",
				.ioctls = &ioctl,
				.ioctl_count = 1 };

static void assert_unknown(const char *text, const char *sentence)
{
	static const struct cli_args args;
	struct word_scope words = { .args = &args, .scope = { .abi = &abi } };
	const struct lookup nothing = { .nearest = 0 };
	struct lookup_word word;
	struct err err;

	words.scope.graph = &words.graph;
	words.scope.index = &words.around.index;
	word_read(&word, text);
	assert_int_equal(word_check(&nothing, &word, &words, &err), ERR_NOT_FOUND);
	assert_string_equal(err.text, sentence);
}

static void a_name_that_nothing_has_is_answered_with_the_nearest(void **state)
{
	(void)state;
	assert_unknown("CMD_GET_INFOS", "toy 1.0 has nothing called 'CMD_GET_INFOS'; nearest: CMD_GET_INFO");
}

static void a_number_without_its_prefix_is_asked_back(void **state)
{
	(void)state;
	assert_unknown("801", "toy 1.0 has no number 801 (did you mean 0x801?)");
}

static void a_number_that_nothing_has_is_no_number_of_the_version(void **state)
{
	(void)state;
	assert_unknown("0x123456", "toy 1.0 has no number 0x123456");
}

static void what_the_version_has_is_no_error(void **state)
{
	static const struct lookup_item item = { .kind = ABI_IOCTL, .ioctl = &ioctl };
	const struct lookup found = { .items = &item, .item_count = 1 };
	const struct lookup_word word = { .text = "CMD_GET_INFO" };
	struct word_scope words = { .args = NULL };
	struct err err;

	(void)state;
	assert_int_equal(word_check(&found, &word, &words, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_decimal_or_hexadecimal),
		cmocka_unit_test(what_is_no_whole_number_is_a_name),
		cmocka_unit_test(a_name_that_nothing_has_is_answered_with_the_nearest),
		cmocka_unit_test(a_number_without_its_prefix_is_asked_back),
		cmocka_unit_test(a_number_that_nothing_has_is_no_number_of_the_version),
		cmocka_unit_test(what_the_version_has_is_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
