/* Tests of versions, numbers and names as people write them: abbreviations, suggestions, padding. */
#include "abi/fixture_test.h"

static const char *const known[] = { "550.54.14", "550.90.07", "550.90.12", "550.107.02",
				     "590.48.01", "595",       "595.45.04" };
enum { COUNT = sizeof(known) / sizeof(*known) };

TEST(whole_numbers_are_the_beginning_of_versions)
{
	static const struct {
		const char *fact, *word;
		struct abi_version_run run;
	} rows[] = {
		{ "the first number begins a version", "550", { 0, 4 } },
		{ "two numbers begin a version", "550.90", { 1, 2 } },
		{ "one version begins with the number", "590", { 4, 1 } },
		{ "a version of that name is meant before those that begin with it", "595", { 5, 1 } },
		{ "digits of the first number are not its beginning", "55", { 0, 0 } },
		{ "digits of the second number are not its beginning", "550.1", { 0, 0 } },
		{ "a dot is not a beginning", "550.", { 0, 0 } },
		{ "no text is not a beginning", "", { 0, 0 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct abi_version_run run = abi_version_run(rows[i].word, known, COUNT);

		if (run.count != rows[i].run.count || (run.count && run.first != rows[i].run.first))
			fail_msg("%s", rows[i].fact);
	}
}

TEST(all_that_may_be_meant_are_named)
{
	struct err err = { "" };

	assert_int_equal(
		abi_version_ambiguous("550.90", known, abi_version_run("550.90", known, COUNT), &err),
		ERR_NOT_FOUND);
	assert_string_equal(err.text, "550.90 is ambiguous: 2 versions begin with it: 550.90.07, 550.90.12; "
				      "choose one of them");
}

TEST(many_are_cut_short_and_the_last_one_is_named)
{
	static const char *const many[] = { "1.0", "1.1", "1.2", "1.3", "1.4",
					    "1.5", "1.6", "1.7", "1.8", "1.9" };
	struct err err = { "" };

	abi_version_ambiguous("1", many, abi_version_run("1", many, 10), &err);
	assert_string_equal(err.text,
			    "1 is ambiguous: 10 versions begin with it: 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, "
			    "1.7 and 2 more up to 1.9; choose one of them");
}

TEST(the_names_of_the_nearest_group_are_listed)
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

TEST(of_versions_that_were_cut_short_the_newest_are_named)
{
	static const char *const versions[] = { "575.51", "580.1", "580.2", "580.3", "580.10", "590.1" };
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf list = { 0 };

	abi_nearest_typos(&nearest, "580", versions, 6);
	abi_nearest_list(&list, &nearest);
	assert_false(text_differs("580", &list, "; nearest: 580.2, 580.3, 580.10"));
}

TEST(commands_and_classes_are_hexadecimal_and_what_a_header_counts_is_decimal)
{
	static const struct {
		const char *family;
		uint64_t number;
		const char *text;
	} rows[] = {
		{ "control", 0x2080018d, "0x2080018d" },
		{ "control", 0x101, "0x101" },
		{ "alloc", 0x3e, "0x3e" },
		{ "alloc", 0, "0x0" },
		{ "frontend", 0x2a, "0x2a" },
		{ "drm", 0xc0206440, "0xc0206440" },
		{ NULL, 34, "0x22" },
		{ "control", UINT64_MAX, "0xffffffffffffffff" },
		{ "uvm", 34, "34" },
		{ "uvm", 0, "0" },
		{ "frontend", 212, "212" },
		{ "frontend", 199, "0xc7" },
		{ "frontend", 256, "0x100" },
		{ "uvm", 0x30000001, "0x30000001" },
		{ "uvm_other", 34, "0x22" },
	};
	char buffer[ABI_NOTATION_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(abi_ioctl_number(rows[i].family, rows[i].number, buffer), rows[i].text);
}

/* The macro of a command is a number of one. Any other constant has both forms. */
TEST(a_constant_is_written_as_its_name_suggests)
{
	const struct {
		struct abi_constant constant;
		const char *text;
	} rows[] = {
		{ { "NV2080_CTRL_CMD_X", { 0x20801361, false } }, "0x20801361" },
		{ { "NV0000_CTRL_CMD_NULL", { 0, false } }, "0x0" },
		{ { "X_CMD_NONE", { 1, true } }, "-1" },
		{ { "KEPLER_A", { 0xa097, false } }, "0xa097 (41111)" },
		{ { "NV04_MEMORY", { 65, false } }, "0x41 (65)" },
		{ { "FLAG", { 9, false } }, "9" },
		{ { "LIMIT", { 10, false } }, "0xa (10)" },
		{ { "LOW", { 12, true } }, "-12" },
		{ { "LOWEST", abi_number_signed(INT64_MIN) }, "-0x8000000000000000" },
		{ { "ALL", { UINT64_MAX, false } }, "0xffffffffffffffff" },
		{ { "LAST_DECIMAL", { UINT64_C(1) << 53, false } }, "0x20000000000000 (9007199254740992)" },
	};
	char buffer[ABI_NOTATION_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(abi_constant_number(&rows[i].constant, buffer), rows[i].text);
}

TEST(a_name_is_one_for_padding)
{
	static const struct {
		const char *fact;
		bool (*is_padding)(const char *name);
		const char *names[5], *others[5];
	} rows[] = {
		{ "a word in front is enough for diff", padding_in_diff,
		  { "reserved", "params.rsvd_0", "__reserved_flags", "e[].Reserved_0x960", "Dummy[2]" },
		  { "padlinkMask", "reservedSorMask", "reserved.size" } },
		{ "a field of the driver is padding by its whole name", padding_of_driver,
		  { "pad0", "s.Reserved_1", "__rsvd" }, { "reserved_flags", "dummy", "padlink" } },
		{ "a proxy has its own words", padding_of_proxy,
		  { "_", "Pad0", "padding_1" }, { "Reserved", "Padlock" } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (size_t k = 0; k < 5 && rows[i].names[k]; k++)
			if (!rows[i].is_padding(rows[i].names[k]))
				fail_msg("%s: %s", rows[i].fact, rows[i].names[k]);
		for (size_t k = 0; k < 5 && rows[i].others[k]; k++)
			if (rows[i].is_padding(rows[i].others[k]))
				fail_msg("%s: not %s", rows[i].fact, rows[i].others[k]);
	}
}

TEST_GROUP(NULL, release_arena)
