/*
 * Tests of the options of commands, and of the names and numbers that are looked up.
 *
 * A row of options has a command line, in which '' is an empty word, and the result: the format ("given": by
 * the user), the options that differ from their defaults, the words after ":", and those of a different
 * program after "--". If the command line is refused, the result is the error.
 */
#include "cli/cli.h"
#include "abi/document_test.h"

static void put_option(struct strbuf *out, const struct cli_option *option, const struct cli_args *args,
		       const struct cli_args *defaults)
{
	const void *value = (const char *)args + option->offset,
		   *usual = (const char *)defaults + option->offset;
	const char *text = NULL;

	switch (option->kind) {
	case CLI_FLAG:
		if (*(const bool *)value)
			strbuf_addf(out, " %s", option->name);
		break;
	case CLI_COUNT:
		if (*(const unsigned *)value)
			strbuf_addf(out, " %s=%u", option->name, *(const unsigned *)value);
		break;
	case CLI_LIST:
		for (size_t i = 0; i < ((const struct cli_list *)value)->count; i++)
			strbuf_addf(out, " %s=%s", option->name, ((const struct cli_list *)value)->items[i]);
		break;
	case CLI_TEXT:
		text = *(const char *const *)value;
		if (text && text != *(const char *const *)usual && strcmp(option->name, "format") != 0)
			strbuf_addf(out, " %s=%s", option->name, text);
		break;
	case CLI_WORDS:
		break;
	}
}

static void put_result(struct strbuf *out, const char *line, struct arena *arena)
{
	const struct cli_command *command = cli_find_command(document_word(&line, arena));
	struct cli_args args, defaults;
	struct err err = { "" };
	char *argv[8] = { NULL };
	int argc = 0;

	for (char *word; *(word = document_word(&line, arena));)
		argv[argc++] = word + (strcmp(word, "''") ? 0 : 2);
	assert_int_equal(cli_parse(&defaults, command, 0, argv + argc, arena, &err), 0);
	if (cli_parse(&args, command, argc, argv, arena, &err)) {
		strbuf_adds(out, err.text);
		return;
	}
	strbuf_addf(out, "%s%s", args.format ? args.format : "-", args.format_given ? " given" : "");
	for (const char *const *name = command->options; *name; name++)
		put_option(out, cli_find_option(*name), &args, &defaults);
	for (size_t i = 0; i < args.word_count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : " : ", args.words[i]);
	for (size_t i = 0; args.has_rest && i < args.rest_count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : " -- ", args.rest[i]);
}

static void options_are_read(void **state)
{
	static const struct {
		const char *fact, *line, *result;
	} rows[] = {
		{ "a value may follow an equals sign or a space", "diff --base=1 --next 2",
		  "text base=1 next=2" },
		{ "a name may be abbreviated while it is unique", "diff --verb", "text verbose" },
		{ "a whole name is preferred to a longer name", "diff --base 1", "text base=1" },
		{ "an ambiguous name is refused with both candidates", "diff --bas 1",
		  "--bas is ambiguous: --base or --base-json" },
		{ "an unknown option points to the help", "show --frobnicate",
		  "show has no option --frobnicate; see drvabi show --help" },
		{ "a missing value is named", "diff --base", "--base needs a value: VERSION" },
		{ "a value must not be given twice", "gen --version 1 --version=2",
		  "--version is given twice, as 1 and as 2; give it once" },
		{ "classes can be joined", "diff --class layout --class name",
		  "--class is given twice; join the values with a comma: --class layout,name" },
		{ "a number must not be given twice", "diff --jobs 1 --jobs 2",
		  "--jobs is given twice; give it once" },
		{ "some options can be given twice", "bootstrap --trace a=1 --trace b=2 -v -v",
		  "text trace=a=1 trace=b=2 verbose" },
		{ "an option that was removed points to its replacement", "gen --lang c --client x.trace",
		  "gen has no option --client: it was removed, because its programs opened any device that a "
		  "trace named; drvabi sniff --replay TRACE -- COMMAND answers a workload from a trace" },
		{ "the first format of a command is the default", "surface --family uvm", "text family=uvm" },
		{ "a format may be given", "surface --format json", "json given" },
		{ "the first format may be given", "diff --format text", "text given" },
		{ "text is not always the first format", "extract 550.54.14", "json : 550.54.14" },
		{ "a format of a different command is refused", "extract --format markdown",
		  "--format takes json, not 'markdown'" },
		{ "the number of jobs is positive", "diff --jobs 4", "text jobs=4" },
		{ "0 jobs are refused", "diff --jobs 0",
		  "--jobs takes a whole number from 1 to 1024, not '0'" },
		{ "-1 jobs are refused", "diff --jobs -1",
		  "--jobs takes a whole number from 1 to 1024, not '-1'" },
		{ "4x jobs are refused", "diff --jobs 4x",
		  "--jobs takes a whole number from 1 to 1024, not '4x'" },
		{ "words after -- are those of a different program", "extract a.h -- -I --base",
		  "json : a.h -- -I, --base" },
		{ "without such a program, all words after -- are ordinary", "show A -- --version -- B",
		  "text : A, --version, --, B" },
		{ "- is a word", "flatten -", "text : -" },
		{ "a repository and a directory are refused", "diff --repo a --dir b",
		  "--repo and --dir name two places to read from; give one" },
		{ "a document and a directory are refused", "show x --json a --dir b",
		  "--json and --dir name two places to read from; give one" },
		{ "an empty value is refused", "diff --repo= 1 2", "--repo is empty; it takes PATH|URL" },
		{ "an empty word is refused", "diff 1 ''",
		  "argument 2 is empty; is it a variable that is not set?" },
		{ "an empty word after -- is refused", "show A -- ''",
		  "argument 3 is empty; is it a variable that is not set?" },
	};
	size_t failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena arena = { 0 };
		struct strbuf got = { 0 };

		put_result(&got, rows[i].line, &arena);
		failed += text_differs(rows[i].fact, &got, rows[i].result);
		arena_release(&arena);
	}
	assert_int_equal(failed, 0);
}

static void every_command_has_a_manual(void **state)
{
	const struct cli_command *command = cli_commands;
	struct arena arena = { 0 };
	struct manual manual;

	do {
		manual_read(&manual, command->name ? command : &parser_command, &arena);
		assert_non_null(manual.summary);
		assert_non_null(manual.usage[0]);
		assert_true(strlen(manual.description) > 50);
		assert_true(!command->name || manual.examples[0].command);
		for (const char *const *name = manual.related; *name; name++)
			assert_non_null(cli_find_command(*name));
		assert_null(manual.examples[MANUAL_ROWS_MAX - 1].command);
	} while ((command++)->name);
	arena_release(&arena);
}

static void help_and_manual_name_every_option(void **state)
{
	struct arena arena = { 0 };

	for (const struct cli_command *command = cli_commands; command->name; command++) {
		struct strbuf help = { 0 }, man = { 0 };

		cli_print_help(&help, command, false);
		cli_print_help(&man, command, true);
		for (const char *const *name = command->options; *name; name++) {
			const struct cli_option *option = cli_find_option(*name);

			assert_non_null(option);
			assert_true(manual_option(option, &arena) || !strcmp(option->name, "format"));
			assert_non_null(strstr(help.text, option->name));
			assert_non_null(strstr(man.text, option->name));
		}
		strbuf_release(&help);
		strbuf_release(&man);
	}
	arena_release(&arena);
}

static void a_word_is_a_number_or_a_name(void **state)
{
	static const struct {
		const char *text;
		bool is_number;
		uint64_t number;
	} rows[] = {
		{ "27", true, 27 },
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

/* The only version has one ioctl. */
static const struct abi_ioctl ioctl = {
	.family = "control", .name = "CMD_GET_INFO", .number = 0x801, .source = ""
};
static const struct abi abi = { .driver = "toy",
				.version = "1.0",
				.commit = "",
				.target = "x86_64-linux-gnu",
				.ioctls = &ioctl,
				.ioctl_count = 1 };

static void an_unknown_word_is_answered_with_a_suggestion(void **state)
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
	static const struct cli_args args;
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
}

static void a_word_that_the_version_has_is_not_an_error(void **state)
{
	static const struct lookup_item item = { .kind = ABI_IOCTL, .ioctl = &ioctl };
	const struct lookup found = { .items = &item, .item_count = 1 };
	const struct lookup_word word = { .text = "CMD_GET_INFO" };
	struct word_scope words = { .args = NULL };
	struct err err;

	assert_int_equal(word_check(&found, &word, &words, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_read),
		cmocka_unit_test(every_command_has_a_manual),
		cmocka_unit_test(help_and_manual_name_every_option),
		cmocka_unit_test(a_word_is_a_number_or_a_name),
		cmocka_unit_test(an_unknown_word_is_answered_with_a_suggestion),
		cmocka_unit_test(a_word_that_the_version_has_is_not_an_error),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
