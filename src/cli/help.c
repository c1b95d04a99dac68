/*
 * The text of the tables in two forms: as --help for a terminal, and as scdoc(5) for man(1).
 */
#include "cli/cli.h"
#include "cli/program.h"

#include <string.h>

static void exit_status(struct strbuf *out, const struct cli_command *command)
{
	const char *all = "diff and verify: 0 if there is nothing to report, 1 if there is something. All other commands: 0 if it could be done; history and "
			  "ranges, with --exit-code, 1 if there is something";

	if (command)
		all = command->exit_status ? command->exit_status : "0 if it could be done";
	strbuf_addf(out, "%s. 2 if it could not: then there is one line on standard error that says what, where, and what to do.",
		    all);
}

static const char environment[] =
	"DRVABI_REPO is the repository when --repo is not given, DRVABI_ARCHIVE the archive when --archive is not. With neither, the archive "
	"that comes with drvabi answers about every released version: drvabi/PROFILE.drvabi in XDG_DATA_HOME (default ~/.local/share), in "
	"../share beside the program, or in one of XDG_DATA_DIRS, whichever is first to fit; the driver's public repository is cloned only for a "
	"branch, a commit or a version newer than that. XDG_CACHE_HOME (default ~/.cache) holds drvabi/, the clones of repositories named by "
	"URL and the documents extracted before; removing it is always safe. DRVABI_PARSE_MB (default 2048) and DRVABI_PARSE_SECONDS (default 60) "
	"are what reading one version's headers may take of memory and of processor time. NO_COLOR, if set, turns colour off.";

#define MAN_FOOTER " \"drvabi " DRVABI_VERSION "\" \"drvabi manual\""

enum { HELP_WIDTH = 78, HELP_COLUMN = 24 };

/* Break @text at spaces so that no line passes HELP_WIDTH; @indent spaces before each. */
static void help_wrap(struct strbuf *out, const char *text, size_t indent)
{
	size_t column = 0;

	while (*text) {
		size_t word = strcspn(text, " \n");

		if (column && column + 1 + word > HELP_WIDTH) {
			strbuf_addch(out, '\n');
			column = 0;
		}
		if (column) {
			strbuf_addch(out, ' ');
			column++;
		} else {
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

/* "--output FILE, -o FILE" with the value as the caller wants it written. */
static void option_heading(struct strbuf *out, const struct cli_option *option, const char *emphasis)
{
	if (option->letter)
		strbuf_addf(out, "%s-%c%s, ", emphasis, option->letter, emphasis);
	strbuf_addf(out, "%s--%s%s", emphasis, option->name, emphasis);
	if (option->value)
		strbuf_addf(out, " %s", option->value);
}

static void help_option(struct strbuf *out, const struct cli_command *command, const struct cli_option *option)
{
	struct strbuf heading = { 0 };
	const char *line = option->help ? option->help : command->formats;

	strbuf_adds(&heading, "  ");
	option_heading(&heading, option, "");
	strbuf_adds(out, heading.text);
	if (heading.length + 2 > HELP_COLUMN) {
		strbuf_addf(out, "\n%*s", HELP_COLUMN, "");
	} else {
		strbuf_addf(out, "%*s", (int)(HELP_COLUMN - heading.length), "");
	}
	while (line) {
		size_t length = strcspn(line, "\n");

		strbuf_add(out, line, length);
		line = line[length] ? line + length + 1 : NULL;
		if (line)
			strbuf_addf(out, "\n%*s", HELP_COLUMN, "");
	}
	strbuf_addch(out, '\n');
	strbuf_release(&heading);
}

static void help_program(struct strbuf *out)
{
	strbuf_adds(out, "drvabi reads a kernel driver's ioctl ABI out of its source, and tells what\n"
			 "changed, since when, and what that does to a proxy.\n\nUsage: drvabi COMMAND [OPTIONS]\n\nCommands:\n");
	for (const struct cli_command *command = cli_commands; command->name; command++)
		strbuf_addf(out, "  %-10s %s\n", command->name, command->summary);
	strbuf_adds(out, "\nrun_differ --base X --next Y is drvabi diff under its own name.\n"
			 "drvabi COMMAND --help teaches one command; drvabi --version says which this is.\n\nStart with:\n"
			 "  run_differ --base 550.54.14 --next 590.48.01\n"
			 "  drvabi show NV_CHANNEL_ALLOC_PARAMS\n");
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
	strbuf_addf(out, "%s - %s\n\nUsage: %s %s\n\n", called.text, command->summary, called.text, command->synopsis);
	strbuf_release(&called);
	help_wrap(out, command->description, 0);
	strbuf_adds(out, "\nOptions:\n");
	for (const char *const *name = command->options; *name; name++)
		help_option(out, command, cli_find_option(*name));
	if (command->examples && command->examples->command)
		strbuf_adds(out, "\nExamples:\n");
	for (const struct cli_example *example = command->examples; example && example->command; example++)
		help_example(out, example);
	strbuf_adds(out, "\nExit status:\n");
	exit_status(&status, command);
	help_wrap(out, status.text, 2);
	strbuf_release(&status);
}

/* Escapes the characters that scdoc interprets. */
static void man_text(struct strbuf *out, const char *text)
{
	bool line_start = true;

	for (; *text; text++) {
		if (strchr("_*\\<>", *text) || (line_start && strchr("#-|[].", *text)))
			strbuf_addch(out, '\\');
		strbuf_addch(out, *text);
		line_start = *text == '\n';
	}
}

static void man_option(struct strbuf *out, const struct cli_command *command, const struct cli_option *option)
{
	option_heading(out, option, "*");
	strbuf_adds(out, "\n\t");
	for (const char *at = option->help ? option->help : command->formats; *at; at++) {
		if (strchr("_*\\<>", *at))
			strbuf_addch(out, '\\');
		strbuf_addch(out, *at == '\n' ? ' ' : *at);
	}
	strbuf_adds(out, "\n\n");
}

static void man_program(struct strbuf *out)
{
	strbuf_adds(out, "drvabi(1)" MAN_FOOTER "\n\n# NAME\n\ndrvabi - a kernel driver's ioctl ABI, version by version\n\n# SYNOPSIS\n\n"
			 "*drvabi* COMMAND [OPTIONS]\n\n*run\\_differ* --base VERSION --next VERSION\n\n# COMMANDS\n\n");
	for (const struct cli_command *command = cli_commands; command->name; command++) {
		strbuf_addf(out, "*drvabi-%s*(1)\n\t", command->name);
		man_text(out, command->summary);
		strbuf_adds(out, "\n\n");
	}
}

static bool has_own_name(const struct cli_command *command)
{
	return !strcmp(command->name, "diff");
}

static void man_title(struct strbuf *out, const struct cli_command *command)
{
	strbuf_addf(out, "drvabi-%s(1)" MAN_FOOTER "\n\n# NAME\n\ndrvabi-%s%s - ", command->name, command->name,
		    has_own_name(command) ? ", run\\_differ" : "");
}

static void man_synopsis(struct strbuf *out, const struct cli_command *command)
{
	strbuf_adds(out, "\n\n# SYNOPSIS\n\n");
	if (has_own_name(command)) {
		strbuf_adds(out, "*run\\_differ* ");
		man_text(out, command->synopsis);
		strbuf_adds(out, "\n\n");
	}
	strbuf_addf(out, "*drvabi %s* ", command->name);
	man_text(out, command->synopsis);
}

void cli_print_man(struct strbuf *out, const struct cli_command *command)
{
	struct strbuf status = { 0 };

	if (!command) {
		man_program(out);
	} else {
		man_title(out, command);
		man_text(out, command->summary);
		man_synopsis(out, command);
		strbuf_adds(out, "\n\n# DESCRIPTION\n\n");
		man_text(out, command->description);
		strbuf_adds(out, "\n\n# OPTIONS\n\n");
		for (const char *const *name = command->options; *name; name++)
			man_option(out, command, cli_find_option(*name));
		if (command->examples && command->examples->command)
			strbuf_adds(out, "# EXAMPLES\n\n");
		for (const struct cli_example *example = command->examples; example && example->command; example++) {
			man_text(out, example->purpose);
			strbuf_addf(out, ":\n\n```\n%s\n```\n\n", example->command);
		}
	}
	strbuf_adds(out, "# EXIT STATUS\n\n");
	exit_status(&status, command);
	man_text(out, status.text);
	strbuf_release(&status);
	strbuf_adds(out, "\n\n# ENVIRONMENT\n\n");
	man_text(out, environment);
	strbuf_adds(out, "\n");
}
