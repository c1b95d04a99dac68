#include "abi/abi.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static const char *const names[] = {
	"NVOS33_PARAMETERS", "NVOS54_PARAMETERS", "NV_CHANNEL_ALLOC_PARAMS", "ChannelSize",
	"UVM_FREE",	     "UVM_FREE_PARAMS",	  "GPU_GET_NAME_STRING",
};

static void assert_near(const char *word, const char *want)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf list = { 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		abi_nearest_name(&nearest, word, names[i]);
	abi_nearest_list(&list, &nearest);
	assert_string_equal(strbuf_text(&list), want);
	strbuf_release(&list);
}

static void what_begins_with_the_word_is_nearest(void **state)
{
	(void)state;
	assert_near("NVOS5", "; nearest: NVOS54_PARAMETERS");
	assert_near("UVM_FRE", "; nearest: UVM_FREE, UVM_FREE_PARAMS");
	assert_near("uvm_free", "; nearest: UVM_FREE, UVM_FREE_PARAMS");
}

static void then_a_slip_of_the_fingers(void **state)
{
	(void)state;
	assert_near("NVOS33_PARAMETER", "; nearest: NVOS33_PARAMETERS");
	assert_near("UVM_FREE_PARAM", "; nearest: UVM_FREE_PARAMS");
	assert_near("UMV_FREE", "; nearest: UVM_FREE");
}

static void then_names_that_hold_the_word(void **state)
{
	(void)state;
	assert_near("channel_alloc", "; nearest: NV_CHANNEL_ALLOC_PARAMS");
	assert_near("PARAMETERS", "; nearest: NVOS33_PARAMETERS, NVOS54_PARAMETERS");
}

static void then_names_that_hold_its_beginning(void **state)
{
	(void)state;
	assert_near("GET_NMAE", "; nearest: GPU_GET_NAME_STRING");
	assert_near("UVM_FREELY_CHOSEN", "");
}

static void of_a_glob_the_longest_text_counts(void **state)
{
	(void)state;
	assert_near("*GPU_GET_NMAE*", "; nearest: GPU_GET_NAME_STRING");
	assert_near("???UVM_FRE*", "; nearest: UVM_FREE, UVM_FREE_PARAMS");
}

static void few_letters_resemble_nothing(void **state)
{
	(void)state;
	assert_near("", "");
	assert_near("*", "");
	assert_near("UV", "");
	assert_near("NOTHING", "");
}

static void of_versions_that_were_cut_short_the_newest_are_named(void **state)
{
	static const char *const versions[] = { "575.51", "580.1", "580.2", "580.3", "580.10", "590.1" };
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf list = { 0 };

	(void)state;
	abi_nearest_typos(&nearest, "580", versions, 6);
	abi_nearest_list(&list, &nearest);
	assert_string_equal(strbuf_text(&list), "; nearest: 580.2, 580.3, 580.10");
	strbuf_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_begins_with_the_word_is_nearest),
		cmocka_unit_test(then_a_slip_of_the_fingers),
		cmocka_unit_test(then_names_that_hold_the_word),
		cmocka_unit_test(then_names_that_hold_its_beginning),
		cmocka_unit_test(of_a_glob_the_longest_text_counts),
		cmocka_unit_test(few_letters_resemble_nothing),
		cmocka_unit_test(of_versions_that_were_cut_short_the_newest_are_named),
	};

	return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
