#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "cli/cli.h"

#include <string.h>

static struct arena arena;
static struct err err;

static int release(void **state)
{
	(void)state;
	arena_release(&arena);
	err = (struct err){ "" };
	return 0;
}

/* Parses up to seven words after "drvabi NAME". */
static int parsed(struct cli_args *args, const char *command, const char *const *words)
{
	char *argv[8] = { NULL };
	int argc = 0;

	while (words[argc]) {
		argv[argc] = arena_strdup(&arena, words[argc]);
		argc++;
	}
	return cli_parse(args, cli_find_command(command), argc, argv, &arena, &err);
}

#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }

static void a_value_may_follow_an_equals_sign_or_a_space(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "diff", WORDS("--base=1", "--next", "2")), 0);
	assert_string_equal(args.base, "1");
	assert_string_equal(args.next, "2");
}

static void a_name_may_be_cut_short_while_it_is_unique(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "diff", WORDS("--verb")), 0);
	assert_true(args.verbose);
}

static void the_first_format_of_a_command_is_the_default(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "surface", WORDS("--family", "uvm")), 0);
	assert_string_equal(args.format, "text");
	assert_int_equal(parsed(&args, "surface", WORDS("--format", "json")), 0);
	assert_string_equal(args.format, "json");
}

static void a_whole_name_wins_over_a_longer_one(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "diff", WORDS("--base", "1")), 0);
	assert_string_equal(args.base, "1");
}

static void an_ambiguous_name_is_refused_with_both_candidates(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "diff", WORDS("--bas", "1")), ERR_USAGE);
	assert_string_equal(err.text, "--bas is ambiguous: --base or --base-json");
}

static void an_unknown_option_points_to_the_help(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "show", WORDS("--frobnicate")), ERR_USAGE);
	assert_string_equal(err.text, "show has no option --frobnicate; see drvabi show --help");
}

static void a_missing_value_is_named(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "diff", WORDS("--base")), ERR_USAGE);
	assert_string_equal(err.text, "--base needs a value: VERSION");
}

static void a_value_that_is_given_twice_is_refused(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "gen", WORDS("--version", "1", "--version=2")), ERR_USAGE);
	assert_string_equal(err.text, "--version is given twice, as 1 and as 2; give it once");
	assert_int_equal(parsed(&args, "diff", WORDS("--class", "layout", "--class", "name")), ERR_USAGE);
	assert_string_equal(err.text,
			    "--class is given twice; join the values with a comma: --class layout,name");
	assert_int_equal(parsed(&args, "diff", WORDS("--jobs", "1", "--jobs", "2")), ERR_USAGE);
	assert_string_equal(err.text, "--jobs is given twice; give it once");
	assert_int_equal(parsed(&args, "bootstrap", WORDS("--trace", "a=1", "--trace", "b=2", "-v", "-v")),
			 0);
	assert_int_equal(args.traces.count, 2);
}

static void an_option_that_was_removed_says_what_to_use(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "gen", WORDS("--lang", "c", "--client", "x.trace")), ERR_USAGE);
	assert_non_null(strstr(err.text, "no option --client: it was removed"));
	assert_non_null(strstr(err.text, "drvabi sniff --replay TRACE"));
}

static void a_format_of_another_command_is_refused(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "extract", WORDS("--format", "markdown")), ERR_USAGE);
}

static void without_a_format_it_is_the_first_of_the_command(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "extract", WORDS("550.54.14")), 0);
	assert_string_equal(args.format, "json");
	assert_false(args.format_given);
	assert_int_equal(parsed(&args, "diff", WORDS("--format", "json")), 0);
	assert_string_equal(args.format, "json");
	assert_true(args.format_given);
}

static void jobs_must_be_a_positive_number(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "diff", WORDS("--jobs", "0")), ERR_USAGE);
	assert_int_equal(parsed(&args, "diff", WORDS("--jobs", "-1")), ERR_USAGE);
	assert_int_equal(parsed(&args, "diff", WORDS("--jobs", "4x")), ERR_USAGE);
	assert_int_equal(parsed(&args, "diff", WORDS("--jobs", "4")), 0);
	assert_int_equal(args.jobs, 4);
}

static void words_after_a_double_dash_are_left_alone(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "extract", WORDS("a.h", "--", "-I", "--base")), 0);
	assert_int_equal(args.word_count, 1);
	assert_int_equal(args.rest_count, 2);
	assert_string_equal(args.rest[1], "--base");
}

static void after_a_double_dash_all_are_words_where_no_other_program_has_them(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "show", WORDS("A", "--", "--version", "--", "B")), 0);
	assert_false(args.has_rest);
	assert_int_equal(args.word_count, 4);
	assert_string_equal(args.words[1], "--version");
	assert_string_equal(args.words[2], "--");
	assert_null(args.version);
	assert_int_equal(parsed(&args, "show", WORDS("A", "--", "")), ERR_USAGE);
}

static void a_lone_dash_is_a_word(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "flatten", WORDS("-")), 0);
	assert_string_equal(args.words[0], "-");
}

static void two_sources_to_read_from_are_refused(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "diff", WORDS("--repo", "a", "--dir", "b")), ERR_USAGE);
	assert_int_equal(parsed(&args, "show", WORDS("x", "--json", "a", "--dir", "b")), ERR_USAGE);
	assert_string_equal(err.text, "--json and --dir name two places to read from; give one");
}

static void an_empty_value_is_a_variable_that_was_not_set(void **state)
{
	struct cli_args args;

	(void)state;
	assert_int_equal(parsed(&args, "diff", WORDS("--repo=", "1", "2")), ERR_USAGE);
	assert_string_equal(err.text, "--repo is empty; it takes PATH|URL");
	assert_int_equal(parsed(&args, "diff", WORDS("1", "")), ERR_USAGE);
	assert_string_equal(err.text, "argument 2 is empty; is it a variable that is not set?");
}

static void every_option_of_every_command_stands_in_the_table(void **state)
{
	(void)state;
	for (const struct cli_command *command = cli_commands; command->name; command++)
		for (const char *const *name = command->options; *name; name++)
			assert_non_null(cli_find_option(*name));
}

static void help_and_manual_name_every_option(void **state)
{
	(void)state;
	for (const struct cli_command *command = cli_commands; command->name; command++) {
		struct strbuf help = { 0 }, man = { 0 };

		cli_print_help(&help, command);
		cli_print_man(&man, command);
		for (const char *const *name = command->options; *name; name++) {
			assert_non_null(strstr(help.text, cli_find_option(*name)->name));
			assert_non_null(strstr(man.text, cli_find_option(*name)->name));
		}
		strbuf_release(&help);
		strbuf_release(&man);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_value_may_follow_an_equals_sign_or_a_space, release),
		cmocka_unit_test_teardown(a_name_may_be_cut_short_while_it_is_unique, release),
		cmocka_unit_test_teardown(a_whole_name_wins_over_a_longer_one, release),
		cmocka_unit_test_teardown(an_ambiguous_name_is_refused_with_both_candidates, release),
		cmocka_unit_test_teardown(an_unknown_option_points_to_the_help, release),
		cmocka_unit_test_teardown(a_missing_value_is_named, release),
		cmocka_unit_test_teardown(a_value_that_is_given_twice_is_refused, release),
		cmocka_unit_test_teardown(an_option_that_was_removed_says_what_to_use, release),
		cmocka_unit_test_teardown(a_format_of_another_command_is_refused, release),
		cmocka_unit_test_teardown(without_a_format_it_is_the_first_of_the_command, release),
		cmocka_unit_test_teardown(jobs_must_be_a_positive_number, release),
		cmocka_unit_test_teardown(words_after_a_double_dash_are_left_alone, release),
		cmocka_unit_test_teardown(after_a_double_dash_all_are_words_where_no_other_program_has_them,
					  release),
		cmocka_unit_test_teardown(a_lone_dash_is_a_word, release),
		cmocka_unit_test_teardown(two_sources_to_read_from_are_refused, release),
		cmocka_unit_test_teardown(the_first_format_of_a_command_is_the_default, release),
		cmocka_unit_test_teardown(an_empty_value_is_a_variable_that_was_not_set, release),
		cmocka_unit_test_teardown(every_option_of_every_command_stands_in_the_table, release),
		cmocka_unit_test_teardown(help_and_manual_name_every_option, release),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
