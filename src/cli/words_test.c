/*
 * Tests of the names and numbers that are looked up, and of the suggestions for a name, glob or word of the
 * command line that matches nothing.
 */
#include "cli/cli.h"
#include "abi/document_test.h"

static const struct abi_record record = { .name = "NVOS21_PARAMETERS" };
static const struct abi_constant constant = { "NV_ESC_RM_ALLOC", { 43, false } };
static const struct abi_ioctl ioctl = {
	.family = "control", .name = "CMD_GET_INFO", .number = 0x801, .source = ""
};
static const struct abi abi = { .driver = "toy",
				.version = "1.0",
				.commit = "",
				.target = "x86_64-linux-gnu",
				.records = &record,
				.record_count = 1,
				.constants = &constant,
				.constant_count = 1,
				.ioctls = &ioctl,
				.ioctl_count = 1 };

TEST(words_match_or_resemble_names_and_numbers)
{
	static const struct {
		const char *word;
		bool matches, is_number;   /* as a glob; as a number without 0x */
		const char *name, *record; /* the nearest name of any kind, and of a record; NULL: none */
	} rows[] = {
		{ "NVOS21*", true, false, "NVOS21_PARAMETERS", "NVOS21_PARAMETERS" },
		{ "NV_ESC_*", true, false, "NV_ESC_RM_ALLOC", NULL },
		{ "CMD_*_INFO", true, false, "CMD_GET_INFO", NULL },
		{ "NVOS21", false, false, "NVOS21_PARAMETERS", "NVOS21_PARAMETERS" },
		{ "NV_ESC_RM_ALOC", false, false, "NV_ESC_RM_ALLOC", NULL },
		{ "NVOS21_PARAMETER", false, false, "NVOS21_PARAMETERS", "NVOS21_PARAMETERS" },
		{ "801", false, true, NULL, NULL },
		{ "0x801", false, false, NULL, NULL },
		{ "802", false, false, NULL, NULL },
		{ "8", false, false, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *word = rows[i].word;
		struct abi_nearest names = { .count = 0 }, records = { .count = 0 };

		nearby_names(&names, &abi, word);
		nearby_records(&records, &abi, word);
		if (nearby_matches(&abi, word) != rows[i].matches ||
		    nearby_number(&abi, word) != rows[i].is_number ||
		    !same_text(names.count ? names.name[0] : NULL, rows[i].name) || names.count > 1 ||
		    !same_text(records.count ? records.name[0] : NULL, rows[i].record) || records.count > 1)
			fail_msg("%s: %zu names, %s; %zu records, %s", word, names.count,
				 names.count ? names.name[0] : "none", records.count,
				 records.count ? records.name[0] : "none");
	}
}

TEST(releases_are_of_digits_and_dots)
{
	assert_true(nearby_are_releases("535.54.03", "590.48.01"));
	assert_true(nearby_are_releases("v1.0", "v2.0"));
	assert_false(nearby_are_releases("v1.0", "2.0"));
	assert_false(nearby_are_releases("535.54.03", "main"));
	assert_false(nearby_are_releases("535.54.03", "./tree"));
}

TEST(an_unknown_word_is_answered_with_the_known_ones)
{
	static const struct {
		const char *fact, *words, *unknown, *expected;
	} rows[] = {
		{ "a few words are all listed, sorted", "uvm control uvm alloc", "x",
		  "no x; known: alloc, control, uvm" },
		{ "one word is the only one", "uvm", "x", "no x; the only one is uvm" },
		{ "no words are known", "", "x", "no x; none are known" },
		{ "of many words, the nearest is named",
		  "aa bb cc dd ee ff gg hh ii jj kk ll mm nn oo pp privileged", "priviliged",
		  "no priviliged; nearest: privileged" },
	};
	size_t failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct nearby_words words = { 0 };
		const char *at = rows[i].words, *unknown = rows[i].unknown;
		struct arena arena = { 0 };
		struct strbuf got = { 0 };
		struct err err = { "" };

		for (char *word; *(word = document_word(&at, &arena));)
			nearby_word(&words, word, &arena);
		assert_int_equal(nearby_words_fail(&err, &words, unknown, "no %s", unknown), ERR_NOT_FOUND);
		strbuf_adds(&got, err.text);
		failed += text_differs(rows[i].fact, &got, rows[i].expected);
		arena_release(&arena);
	}
	assert_int_equal(failed, 0);
}

TEST(a_word_is_a_number_or_a_name)
{
	static const struct {
		const char *text;
		bool is_number;
		uint64_t number;
	} rows[] = {
		{ "27", true, 27 },
		{ "010", true, 10 },
		{ "0x20801358", true, 0x20801358 },
		{ "18446744073709551615", true, UINT64_MAX },
		{ "27x", false, 0 },
		{ "-27", false, 0 },
		{ "NVOS21_*", false, 0 },
		{ "", false, 0 },
		{ "18446744073709551616", false, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct lookup_word word;

		word_read(&word, rows[i].text);
		assert_string_equal(word.text, rows[i].text);
		if (word.is_number != rows[i].is_number || (word.is_number && word.number != rows[i].number))
			fail_msg("'%s' is a number: %d", rows[i].text, word.is_number);
	}
}

TEST(an_unknown_word_is_answered_with_a_suggestion)
{
	static const struct {
		const char *text, *sentence;
	} rows[] = {
		{ "CMD_GET_INFOS",
		  "the document of toy 1.0 has nothing called 'CMD_GET_INFOS'; nearest: CMD_GET_INFO; "
		  "--constants 'CMD_GET_INFOS' searches the driver's other macros" },
		{ "801", "the document of toy 1.0 does not have the number 801 (did you mean 0x801?)" },
		{ "0x123456", "the document of toy 1.0 does not have the number 0x123456" },
	};
	struct arena arena = { 0 };
	const struct cli_args args = { .arena = &arena };
	struct word_scope words = { .args = &args, .scope = { .abi = &abi } };
	const struct lookup nothing = { .nearest = 0 };

	words.scope.graph = &words.graph;
	words.scope.index = &words.around.index;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct lookup_word word;
		struct err err;

		word_read(&word, rows[i].text);
		assert_int_equal(word_check(&nothing, &word, &words, &err), ERR_NOT_FOUND);
		assert_string_equal(err.text, rows[i].sentence);
	}
	arena_release(&arena);
}

TEST(a_word_that_the_version_has_is_not_an_error)
{
	static const struct lookup_item item = { .kind = ABI_IOCTL, .ioctl = &ioctl };
	const struct lookup found = { .items = &item, .item_count = 1 };
	const struct lookup_word word = { .text = "CMD_GET_INFO" };
	struct word_scope words = { .args = NULL };
	struct err err;

	assert_int_equal(word_check(&found, &word, &words, &err), 0);
}
