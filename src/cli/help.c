/* cli/help.c - the text of the tables as --help, for a terminal; man.c has them for man(1) */
#include "cli/cli.h"
#include "cli/manual.h"
#include "cli/program.h"

#include "diff/diff.h"

#include <string.h>

enum { HELP_WIDTH = 78, HELP_COLUMN = 24, CLASS_COLUMN = 15, COMMAND_COLUMN = 13 };

/* Break @text at spaces so that no line passes HELP_WIDTH; @indent spaces before each line but the first, if @column is where that stands. */
static void help_wrap_from(struct strbuf *out, const char *text, size_t indent, size_t column)
{

	while (*text) {
		size_t word = strcspn(text, " \n");

		if (column > indent && column + 1 + word > HELP_WIDTH) {
			strbuf_addch(out, '\n');
			column = 0;
		}
		if (column > indent) {
			strbuf_addch(out, ' ');
			column++;
		} else if (!column) {
			strbuf_addf(out, "%*s", (int)indent, "");
			column = indent;
		}
		strbuf_add(out, text, word);
		column += word;
		text += word;
		if (!strncmp(text, "\n\n", 2)) {
			strbuf_adds(out, "\n\n");
			column = 0;
		}
		text += strspn(text, " \n");
	}
	strbuf_addch(out, '\n');
}

static void help_wrap(struct strbuf *out, const char *text, size_t indent)
{
	help_wrap_from(out, text, indent, 0);
}

/* "  term  what it is", @column wide before the text; a longer term has a line of its own. */
static void help_term(struct strbuf *out, const char *term, const char *text, size_t column)
{
	size_t length = strlen(term) + 2;

	strbuf_addf(out, "  %s", term);
	if (length + 2 > column)
		strbuf_addf(out, "\n%*s", (int)column, "");
	else
		strbuf_addf(out, "%*s", (int)(column - length), "");
	help_wrap_from(out, text, column, column);
}

static void help_terms(struct strbuf *out, const struct manual_term *terms)
{
	for (; terms->term; terms++)
		help_term(out, terms->term, terms->text, HELP_COLUMN);
}

static void help_classes(struct strbuf *out)
{
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		help_term(out, diff_class_name(1 << i), manual_class(diff_class_name(1 << i)), CLASS_COLUMN);
}

bool cli_print_topic(struct strbuf *out, const char *topic)
{
	if (!strcmp(topic, "environment"))
		help_terms(out, manual_environment);
	else if (!strcmp(topic, "files"))
		help_terms(out, manual_files);
	else if (!strcmp(topic, "classes"))
		help_classes(out);
	else
		return false;
	return true;
}

static void help_option(struct strbuf *out, const struct cli_command *command, const struct cli_option *option)
{
	struct strbuf heading = { 0 };

	manual_option_heading(&heading, option, "");
	help_term(out, heading.text, option->help ? option->help : command->formats, HELP_COLUMN);
	strbuf_release(&heading);
}

static void help_program(struct strbuf *out)
{
	strbuf_adds(out, "drvabi reads a kernel driver's ioctl ABI out of its source, and tells what\n"
			 "changed, since when, and what that does to a proxy.\n\nUsage: drvabi COMMAND [OPTIONS]\n\nCommands:\n");
	for (const struct cli_command *command = cli_commands; command->name; command++)
		help_term(out, command->name, command->summary, COMMAND_COLUMN);
	strbuf_adds(out, "\nrun_differ --base X --next Y is drvabi diff under a name of its own.\n"
			 "drvabi COMMAND --help explains one command, drvabi --version prints the version.\n"
			 "drvabi help environment, files or classes lists the variables, the files or the\n"
			 "classes of changes.\n\nStart with:\n"
			 "  run_differ --base 550.54.14 --next 590.48.01\n"
			 "  drvabi show NV_CHANNEL_ALLOC_PARAMS\n");
}

/* One line for each form of @synopsis, which " | " separates. */
static void help_usage(struct strbuf *out, const char *called, const char *synopsis)
{
	const char *label = "Usage:";

	while (synopsis) {
		const char *bar = strstr(synopsis, " | ");

		strbuf_addf(out, "%6s %s %.*s\n", label, called, bar ? (int)(bar - synopsis) : (int)strlen(synopsis), synopsis);
		synopsis = bar ? bar + strlen(" | ") : NULL;
		label = "or:";
	}
	strbuf_addch(out, '\n');
}

/* run_differ's help calls drvabi diff by the name that the user knows. */
static void help_example(struct strbuf *out, const struct cli_example *example)
{
	static const char diff[] = "drvabi diff ";
	const char *line = example->command;

	strbuf_addf(out, "  # %s\n  ", example->purpose);
	if (program_is_differ() && !strncmp(line, diff, strlen(diff))) {
		strbuf_addf(out, "%s ", program_name());
		line += strlen(diff);
	}
	strbuf_addf(out, "%s\n", line);
}

void cli_print_help(struct strbuf *out, const struct cli_command *command)
{
	struct strbuf status = { 0 }, called = { 0 };

	if (!command) {
		help_program(out);
		return;
	}
	program_command(&called, command);
	strbuf_addf(out, "%s - %s\n\n", called.text, command->summary);
	help_usage(out, called.text, command->synopsis);
	strbuf_release(&called);
	help_wrap(out, command->description, 0);
	if (manual_has_classes(command)) {
		strbuf_adds(out, "\nClasses of change:\n");
		help_classes(out);
	}
	strbuf_adds(out, "\nOptions:\n");
	for (const char *const *name = command->options; *name; name++)
		help_option(out, command, cli_find_option(*name));
	if (command->examples && command->examples->command)
		strbuf_adds(out, "\nExamples:\n");
	for (const struct cli_example *example = command->examples; example && example->command; example++)
		help_example(out, example);
	strbuf_adds(out, "\nExit status:\n");
	manual_exit_status(&status, command);
	help_wrap(out, status.text, 2);
	strbuf_release(&status);
}
