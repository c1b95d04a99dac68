/* Tests of the existing names that a message suggests for a name that does not exist. */
#include "abi/fixture_test.h"

static void the_names_of_the_nearest_group_are_listed(void **state)
{
	static const char *const names[] = {
		"NVOS33_PARAMETERS", "NVOS54_PARAMETERS", "NV_CHANNEL_ALLOC_PARAMS", "ChannelSize",
		"UVM_FREE",	     "UVM_FREE_PARAMS",	  "GPU_GET_NAME_STRING",
	};
	static const struct {
		const char *fact, *word, *list;
	} rows[] = {
		{ "what begins with the word is nearest", "NVOS5", "; nearest: NVOS54_PARAMETERS" },
		{ "two names begin with the word", "UVM_FRE", "; nearest: UVM_FREE, UVM_FREE_PARAMS" },
		{ "case does not matter", "uvm_free", "; nearest: UVM_FREE, UVM_FREE_PARAMS" },
		{ "then a missing letter", "NVOS33_PARAMETER", "; nearest: NVOS33_PARAMETERS" },
		{ "a missing letter of the second name", "UVM_FREE_PARAM", "; nearest: UVM_FREE_PARAMS" },
		{ "then a slip of the fingers", "UMV_FREE", "; nearest: UVM_FREE" },
		{ "then names that hold the word", "channel_alloc", "; nearest: NV_CHANNEL_ALLOC_PARAMS" },
		{ "two names hold the word", "PARAMETERS",
		  "; nearest: NVOS33_PARAMETERS, NVOS54_PARAMETERS" },
		{ "then names that hold its beginning", "GET_NMAE", "; nearest: GPU_GET_NAME_STRING" },
		{ "names that begin with its beginning do not", "UVM_FREELY_CHOSEN", "" },
		{ "of a glob the longest text counts", "*GPU_GET_NMAE*", "; nearest: GPU_GET_NAME_STRING" },
		{ "wildcards do not count", "???UVM_FRE*", "; nearest: UVM_FREE, UVM_FREE_PARAMS" },
		{ "the content of brackets does not count", "NVOS[0123456789]_P",
		  "; nearest: NVOS33_PARAMETERS, NVOS54_PARAMETERS" },
		{ "a bracket that is not closed ends a part", "UVM_FRE[", "; nearest: UVM_FREE, UVM_FREE_PARAMS" },
		{ "no letters resemble nothing", "", "" },
		{ "a wildcard resembles nothing", "*", "" },
		{ "few letters resemble nothing", "UV", "" },
		{ "other letters resemble nothing", "NOTHING", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct abi_nearest nearest = { .count = 0 };
		struct strbuf list = { 0 };

		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
			abi_nearest_name(&nearest, rows[i].word, names[k]);
		abi_nearest_list(&list, &nearest);
		assert_false(text_differs(rows[i].fact, &list, rows[i].list));
	}
}

static void of_versions_that_were_cut_short_the_newest_are_named(void **state)
{
	static const char *const versions[] = { "575.51", "580.1", "580.2", "580.3", "580.10", "590.1" };
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf list = { 0 };

	abi_nearest_typos(&nearest, "580", versions, 6);
	abi_nearest_list(&list, &nearest);
	assert_false(text_differs("580", &list, "; nearest: 580.2, 580.3, 580.10"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_names_of_the_nearest_group_are_listed),
		cmocka_unit_test(of_versions_that_were_cut_short_the_newest_are_named),
	};

	return cmocka_run_group_tests_name("nearest", tests, NULL, release_arena);
}
