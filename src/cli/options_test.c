/*
 * Tests of the options of commands, and of the lists of words that options accept.
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
		for (size_t i = 0; i < ((const struct profile_strings *)value)->count; i++)
			strbuf_addf(out, " %s=%s", option->name,
				    ((const struct profile_strings *)value)->item[i]);
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

TEST(options_are_read)
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
		  "--dir and --repo cannot be used together: both name a place to read from" },
		{ "a document and a directory are refused", "show x --json a --dir b",
		  "--json and --dir cannot be used together: both name a place to read from" },
		{ "an empty value is refused", "diff --repo= 1 2", "--repo is empty; it takes PATH|URL" },
		{ "versions can be a list", "diff --versions 1,2", "text : 1, 2" },
		{ "an empty version of a list is refused", "history --versions ,1",
		  "--versions takes A..B|A,B, not ',1'" },
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

TEST(every_command_has_a_manual)
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

TEST(help_and_manual_name_every_option)
{
	struct arena arena = { 0 };

	for (const struct cli_command *command = cli_commands; command->name; command++) {
		struct strbuf help = { 0 }, man = { 0 };

		cli_print_help(&help, command, false);
		cli_print_help(&man, command, true);
		for (const char *const *name = command->options; *name; name++) {
			const struct cli_option *option = cli_find_option(*name);

			assert_non_null(option);
			assert_true(manual_option(command, option, &arena) || !strcmp(option->name, "format"));
			assert_non_null(strstr(help.text, option->name));
			assert_non_null(strstr(man.text, option->name));
		}
		strbuf_release(&help);
		strbuf_release(&man);
	}
	arena_release(&arena);
}

#define CLASSES "translation, layout, number, growth, value, access, flags, name, added, removed"
#define ROLES "pointer, fd, handle, pid, status, size, count, kernel-pointer"

TEST(words_of_a_list_become_bits)
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
		struct arena arena = { 0 };
		struct err err = { "" };
		const int rc = word_list_read(&bits, rows[i].list, rows[i].text, &arena, &err);

		if (rc != (rows[i].error ? ERR_USAGE : 0) || bits != rows[i].bits)
			fail_msg("%s: %d, bits 0x%x", rows[i].text ? rows[i].text : "none", rc, bits);
		assert_string_equal(err.text, rows[i].error ? rows[i].error : "");
		arena_release(&arena);
	}
}
