/*
 * Tests of the lists of words that options accept, and of the suggestions for a name, glob or word of the
 * command line that matches nothing.
 */
#include "cli/cli.h"
#include "abi/document_test.h"

#define CLASSES "translation, layout, number, growth, value, access, flags, name, added, removed"
#define ROLES "pointer, fd, handle, pid, status, size, count, kernel-pointer"

static void words_of_a_list_become_bits(void **state)
{
	enum { UNTOUCHED = 0xffff };
	static const struct {
		enum word_list list;
		const char *text;
		unsigned bits;
		const char *error; /* NULL: none */
	} rows[] = {
		{ WORDS_CLASS, "layout,translation,layout", DIFF_TRANSLATION | DIFF_LAYOUT, NULL },
		{ WORDS_ROLE, "fd,pid,fd", 1u << ABI_ROLE_PID | 1u << ABI_ROLE_FD, NULL },
		{ WORDS_FAIL, "layout,handler", DIFF_LAYOUT | FAIL_SECTION(DIFF_SECTION_HANDLER), NULL },
		{ WORDS_WORK, "node,unread", WORK_NODE | WORK_UNREAD, NULL },
		/* the option was not given */
		{ WORDS_CLASS, NULL, 0, NULL },
		{ WORDS_ROLE, NULL, 0, NULL },
		/* a different word, or a part of a word */
		{ WORDS_CLASS, "layout,size", UNTOUCHED,
		  "--class: 'size' is not a class of changes; use " CLASSES },
		{ WORDS_CLASS, "lay", UNTOUCHED, "--class: 'lay' is not a class of changes; use " CLASSES },
		{ WORDS_ROLE, "fd,sz", UNTOUCHED, "--role: 'sz' is not a role of fields; use " ROLES },
		{ WORDS_ROLE, "poin", UNTOUCHED, "--role: 'poin' is not a role of fields; use " ROLES },
		/* a comma without a word */
		{ WORDS_CLASS, "layout,", UNTOUCHED, "--class: '' is not a class of changes; use " CLASSES },
		{ WORDS_CLASS, ",layout", UNTOUCHED, "--class: '' is not a class of changes; use " CLASSES },
		{ WORDS_ROLE, "fd,", UNTOUCHED, "--role: '' is not a role of fields; use " ROLES },
		{ WORDS_ROLE, ",fd", UNTOUCHED, "--role: '' is not a role of fields; use " ROLES },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		unsigned bits = UNTOUCHED;
		struct err err = { "" };
		const int rc = word_list_read(&bits, rows[i].list, rows[i].text, &err);

		if (rc != (rows[i].error ? ERR_USAGE : 0) || bits != rows[i].bits)
			fail_msg("%s: %d, bits 0x%x", rows[i].text ? rows[i].text : "none", rc, bits);
		assert_string_equal(err.text, rows[i].error ? rows[i].error : "");
	}
}

static const struct abi_record record = { .name = "NVOS21_PARAMETERS" };
static const struct abi_constant constant = { "NV_ESC_RM_ALLOC", { 43, false } };
static const struct abi_ioctl ioctl = { .family = "control", .name = "CMD_GET_INFO", .number = 0x801 };
static const struct abi abi = { .records = &record,
				.record_count = 1,
				.constants = &constant,
				.constant_count = 1,
				.ioctls = &ioctl,
				.ioctl_count = 1 };

static void words_match_or_resemble_names_and_numbers(void **state)
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

static void releases_are_of_digits_and_dots(void **state)
{
	assert_true(nearby_are_releases("535.54.03", "590.48.01"));
	assert_true(nearby_are_releases("v1.0", "v2.0"));
	assert_false(nearby_are_releases("v1.0", "2.0"));
	assert_false(nearby_are_releases("535.54.03", "main"));
	assert_false(nearby_are_releases("535.54.03", "./tree"));
}

static void an_unknown_word_is_answered_with_the_known_ones(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_a_list_become_bits),
		cmocka_unit_test(words_match_or_resemble_names_and_numbers),
		cmocka_unit_test(releases_are_of_digits_and_dots),
		cmocka_unit_test(an_unknown_word_is_answered_with_the_known_ones),
	};

	return cmocka_run_group_tests_name("choices", tests, NULL, NULL);
}
