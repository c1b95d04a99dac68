/* cli/man.c - the text of the tables as scdoc(5), for man(1) */
#include "cli/cli.h"
#include "cli/manual.h"

#include "diff/diff.h"

#include <string.h>

#define MAN_FOOTER " \"drvabi " DRVABI_VERSION "\" \"drvabi manual\""

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
	manual_option_heading(out, option, "*");
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

/* One paragraph for each form of @synopsis, which " | " separates. */
static void man_forms(struct strbuf *out, const char *called, const char *synopsis)
{
	while (synopsis) {
		const char *bar = strstr(synopsis, " | ");
		struct strbuf form = { 0 };

		strbuf_add(&form, synopsis, bar ? (size_t)(bar - synopsis) : strlen(synopsis));
		strbuf_addf(out, "*%s* ", called);
		man_text(out, form.text);
		strbuf_adds(out, "\n\n");
		strbuf_release(&form);
		synopsis = bar ? bar + strlen(" | ") : NULL;
	}
}

static void man_synopsis(struct strbuf *out, const struct cli_command *command)
{
	struct strbuf called = { 0 };

	strbuf_addf(&called, "drvabi %s", command->name);
	strbuf_adds(out, "\n\n# SYNOPSIS\n\n");
	if (has_own_name(command))
		man_forms(out, "run\\_differ", command->synopsis);
	man_forms(out, called.text, command->synopsis);
	strbuf_release(&called);
}

static void man_term(struct strbuf *out, const char *term, const char *text)
{
	strbuf_adds(out, "*");
	man_text(out, term);
	strbuf_adds(out, "*\n\t");
	man_text(out, text);
	strbuf_adds(out, "\n\n");
}

static void man_terms(struct strbuf *out, const char *heading, const struct manual_term *terms)
{
	strbuf_adds(out, heading);
	for (; terms->term; terms++)
		man_term(out, terms->term, terms->text);
}

static void man_classes(struct strbuf *out)
{
	strbuf_adds(out, "\n\n# CLASSES OF CHANGE\n\n");
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		man_term(out, diff_class_name(1 << i), manual_class(diff_class_name(1 << i)));
}

/* Every command's page from that of the program, which every command's page names first. */
static void man_see_also(struct strbuf *out, const struct cli_command *command)
{
	strbuf_adds(out, "# SEE ALSO\n\n");
	if (command) {
		strbuf_adds(out, "*drvabi*(1)");
		for (const char *const *name = manual_related(command); *name; name++)
			strbuf_addf(out, ", *drvabi-%s*(1)", *name);
	} else {
		for (command = cli_commands; command->name; command++)
			strbuf_addf(out, "%s*drvabi-%s*(1)", command == cli_commands ? "" : ", ", command->name);
	}
	strbuf_adds(out, "\n");
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
		strbuf_adds(out, "# DESCRIPTION\n\n");
		man_text(out, command->description);
		if (manual_has_classes(command))
			man_classes(out);
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
	manual_exit_status(&status, command);
	man_text(out, status.text);
	strbuf_release(&status);
	man_terms(out, "\n\n# ENVIRONMENT\n\n", manual_environment);
	man_terms(out, "# FILES\n\n", manual_files);
	man_see_also(out, command);
}
