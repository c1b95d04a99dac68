/* cli/help.c - writes manual.txt as the text of --help, and as manual pages */
#include "cli/cli.h"
#include "extract/extract.h"

#include <unistd.h>

#define TEXT_OF(number) #number
#define TEXT(macro) TEXT_OF(macro)
#ifdef __clang__
#define COMPILER "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__)
#else
#define COMPILER "gcc " __VERSION__
#endif

bool program_is_differ(void)
{
	return !strcmp(program_invocation_short_name, "run_differ");
}

bool program_is_parser(void)
{
	/* gVisor's run_differ runs the program under the name driver_ast_parser_ followed by a number. */
	return !strncmp(program_invocation_short_name, parser_command.name, strlen(parser_command.name));
}

bool program_is_command(void)
{
	return program_is_differ() || program_is_parser();
}

const char *program_name(void)
{
	return program_is_differ() ? "run_differ" : program_is_parser() ? parser_command.name : "drvabi";
}

void program_command(struct strbuf *out, const struct cli_command *command)
{
	strbuf_adds(out, program_name());
	if (!program_is_command())
		strbuf_addf(out, " %s", command->name);
}

void program_version(struct strbuf *out)
{
	struct arena arena = { 0 };

	strbuf_addf(out, "%s%s " DRVABI_VERSION "\n", program_name(),
		    program_is_command() ? " (drvabi)" : "");
	strbuf_adds(out, "built by   " COMPILER "\n");
	strbuf_addf(out, "libraries  %s,\n", extract_compiler(&arena));
	strbuf_addf(out, "           %s, %s, %s\n", source_libraries(&arena), json_library(&arena),
		    archive_libraries(&arena));
	arena_release(&arena);
}

const char *const manual_topics[] = { "environment", "files", "classes", NULL };

#ifndef CLI_DIR
#error "CLI_DIR is the directory of manual.txt; the Makefile sets it"
#endif

EMBED(manual_text, CLI_DIR "/manual.txt");

/* Returns a copy of the section @name of manual.txt, without its first line. The section must exist. */
static char *manual_section(const char *name, struct arena *arena)
{
	const char *title = arena_printf(arena, "\n= %s\n", name);
	const char *start = strstr(manual_text, title) + strlen(title);
	const char *end = strstr(start, "\n= ");

	return arena_strndup(arena, start, end ? (size_t)(end - start) : strlen(start));
}

/* Returns the rest of @line if it begins with @key; otherwise NULL. */
static const char *value_after_key(const char *line, const char *key)
{
	return begins(line, key) ? line + strlen(key) : NULL;
}

void manual_read(struct manual *out, const struct cli_command *command, struct arena *arena)
{
	char *text = manual_section(command->name, arena), *line;
	size_t usages = 0, examples = 0, related = 0;
	struct strbuf description = { 0 };
	bool is_new = false;
	const char *value;

	*out = (struct manual){ .summary = NULL };
	while ((line = strsep(&text, "\n"))) {
		if ((value = value_after_key(line, "summary: ")))
			out->summary = value;
		else if ((value = value_after_key(line, "usage: ")))
			out->usage[usages++] = value;
		else if ((value = value_after_key(line, "exit status: ")))
			out->exit_status = value;
		else if ((value = value_after_key(line, "see also: ")))
			for (char *names = line + strlen("see also: "); names;)
				out->related[related++] = strsep(&names, " ");
		else if ((value = value_after_key(line, "# "))) {
			out->examples[examples].purpose = value;
			out->examples[examples++].command = strsep(&text, "\n");
		} else if (*line) {
			strbuf_adds(&description, !description.length ? "" : is_new ? "\n\n" : " ");
			strbuf_adds(&description, line);
		}
		is_new = !*line;
	}
	out->description = strbuf_take(&description, arena);
}

/*
 * Returns the next term of a topic, and moves @text past it; NULL at the end. @explanation: set to the lines
 * after the term, without their tabs
 */
static const char *next_term(struct strbuf *explanation, char **text)
{
	const char *term;

	while ((term = strsep(text, "\n")) && !*term)
		;
	strbuf_reset(explanation);
	while (term && *text && **text == '\t')
		strbuf_addf(explanation, "%s%s", explanation->length ? "\n" : "", strsep(text, "\n") + 1);
	return term;
}

const char *manual_option(const struct cli_command *command, const struct cli_option *option,
			  struct arena *arena)
{
	const char *id = option->id ? option->id : option->name, *term, *found;
	const char *of_command = arena_printf(arena, "%s %s", command->name, id);
	char *text = manual_section("options", arena);
	struct strbuf help = { 0 };

	while ((term = next_term(&help, &text)) && strcmp(term, id) && strcmp(term, of_command))
		;
	found = term ? arena_strdup(arena, strbuf_text(&help)) : NULL;
	strbuf_release(&help);
	return found;
}

/*
 * A page of help, written in one of two formats: the text of --help, or the scdoc(5) source of a manual page.
 * The functions page_*() write a heading, a paragraph or a term in the format of the page.
 */
struct help_page {
	struct strbuf *out;
	bool is_man;
};

enum { HELP_WIDTH = 78, HELP_COLUMN = 24, CLASS_COLUMN = 15, COMMAND_COLUMN = 13, HELP_EXAMPLES = 3 };

#define MAN_FOOTER " \"drvabi " DRVABI_VERSION "\" \"drvabi manual\""

/*
 * Appends @text, wrapped at spaces to HELP_WIDTH columns. Each line after the first is indented by @indent
 * spaces. @column: the column where the first line begins
 */
static void help_wrap(struct strbuf *out, const char *text, size_t indent, size_t column)
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

/* Appends @text with a backslash before each character that scdoc interprets. */
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

/* Writes the heading of a section, such as "Exit status". */
static void page_heading(const struct help_page *page, const char *title)
{
	if (!page->is_man) {
		strbuf_addf(page->out, "\n%s:\n", title);
		return;
	}
	strbuf_adds(page->out, "# ");
	for (; *title; title++)
		strbuf_addch(page->out, (char)toupper((unsigned char)*title));
	strbuf_adds(page->out, "\n\n");
}

/* Writes a paragraph. In --help, it is wrapped, and each line is indented by @indent spaces. */
static void page_text(const struct help_page *page, const char *text, size_t indent)
{
	if (!page->is_man) {
		help_wrap(page->out, text, indent, 0);
		return;
	}
	man_text(page->out, text);
	strbuf_adds(page->out, "\n\n");
}

/*
 * Writes @heading and @text, with the text at @column. If @heading is too long for that, the text begins on
 * the next line. In a manual page, @heading is already scdoc(5) source.
 */
static void page_entry(const struct help_page *page, const char *heading, const char *text, size_t column)
{
	const size_t length = strlen(heading) + 2;

	if (page->is_man) {
		strbuf_addf(page->out, "%s\n\t", heading);
		for (; *text; text++)
			strbuf_addf(page->out, "%s%c", strchr("_*\\<>", *text) ? "\\" : "",
				    *text == '\n' ? ' ' : *text);
		strbuf_adds(page->out, "\n\n");
		return;
	}
	strbuf_addf(page->out, "  %s", heading);
	if (length + 2 > column)
		strbuf_addf(page->out, "\n%*s", (int)column, "");
	else
		strbuf_addf(page->out, "%*s", (int)(column - length), "");
	help_wrap(page->out, text, column, column);
}

/* Writes a term, such as an environment variable or a class of change, and its explanation. */
static void page_term(const struct help_page *page, const char *term, const char *text, size_t column)
{
	struct strbuf heading = { 0 };

	if (page->is_man) {
		strbuf_addch(&heading, '*');
		man_text(&heading, term);
		strbuf_addch(&heading, '*');
	}
	page_entry(page, page->is_man ? heading.text : term, text, column);
	strbuf_release(&heading);
}

/* Writes the terms of a topic of manual.txt, such as "environment", with their explanations. */
static void page_terms(const struct help_page *page, const char *topic)
{
	struct arena arena = { 0 };
	char *text = manual_section(topic, &arena);
	struct strbuf explanation = { 0 };
	const char *term;

	while ((term = next_term(&explanation, &text)))
		page_term(page, term, explanation.text, HELP_COLUMN);
	strbuf_release(&explanation);
	arena_release(&arena);
}

static void page_classes(const struct help_page *page)
{
	struct arena arena = { 0 };

	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		page_term(page, diff_class_name(1 << i), rule_text(RULE_OF_CLASS(1 << i), &arena).what,
			  CLASS_COLUMN);
	arena_release(&arena);
}

/* Writes each form of the command line. @called: the words before a form, such as "drvabi diff" */
static void page_usage(const struct help_page *page, const char *called, const char *const *forms)
{
	for (const char *const *form = forms; *form; form++) {
		if (page->is_man) {
			strbuf_addf(page->out, "*%s* ", called);
			page_text(page, *form, 0);
		} else {
			strbuf_addf(page->out, "%6s %s %s\n", form == forms ? "Usage:" : "or:", called,
				    *form);
		}
	}
	if (!page->is_man)
		strbuf_addch(page->out, '\n');
}

/* Writes the section about the exit status of a command, or of all commands if @manual is NULL. */
static void page_exit_status(const struct help_page *page, const struct manual *manual)
{
	const char *some =
		"0 on success, 1 if diff, verify, or a command with --exit-code has something to report";
	struct strbuf text = { 0 };

	if (manual)
		some = manual->exit_status ? manual->exit_status : "0 on success";
	strbuf_addf(&text, "%s, 2 on an error.", some);
	page_heading(page, "Exit status");
	page_text(page, text.text, 2);
	strbuf_release(&text);
}

/*
 * Returns true if the option @id means the same for many commands: it selects the source of documents or
 * the form of the output. --help lists such options last.
 */
static bool is_common(const char *id)
{
	static const char *const common[] = { "repo",	  "archive",	"dir",	    "profile", "target",
					      "jobs",	  "no-archive", "no-cache", "output",  "color",
					      "no-pager", "quiet",	"verbose",  "help" };

	return texts_have(common, sizeof(common) / sizeof(*common), id);
}

/*
 * Writes the options, such as "-o, --output FILE", and their descriptions. In --help, the options that
 * is_common() excludes come first, under their own heading. A manual page has one list.
 */
static void page_options(const struct help_page *page, const struct cli_command *command)
{
	const char *emphasis = page->is_man ? "*" : "";
	struct strbuf heading = { 0 };
	struct arena arena = { 0 };
	bool has_heading = false;

	for (int common = 0; common < 2; common++) {
		for (const char *const *id = command->options; *id; id++) {
			const struct cli_option *option = cli_find_option(*id);
			const char *help;

			if (is_common(*id) != common)
				continue;
			if (!has_heading)
				page_heading(page, common && !page->is_man ? "Common options" : "Options");
			has_heading = true;
			strbuf_reset(&heading);
			if (option->letter)
				strbuf_addf(&heading, "%s-%c%s, ", emphasis, option->letter, emphasis);
			strbuf_addf(&heading, "%s--%s%s%s%s", emphasis, option->name, emphasis,
				    option->value ? " " : "", option->value ? option->value : "");
			help = manual_option(command, option, &arena);
			page_entry(page, heading.text, help ? help : command->formats, HELP_COLUMN);
		}
		has_heading = has_heading && page->is_man;
	}
	strbuf_release(&heading);
	arena_release(&arena);
}

/*
 * Writes the examples. A manual page has all examples, --help only the first HELP_EXAMPLES. In the help of
 * run_differ, "drvabi diff" is replaced by "run_differ".
 */
static void page_examples(const struct help_page *page, const struct manual *manual)
{
	static const char diff[] = "drvabi diff ";
	size_t count = page->is_man ? MANUAL_ROWS_MAX : HELP_EXAMPLES;

	if (manual->examples[0].command)
		page_heading(page, "Examples");
	for (size_t i = 0; i < count && manual->examples[i].command; i++) {
		const char *purpose = manual->examples[i].purpose, *command = manual->examples[i].command;
		const bool is_ours = program_is_differ() && begins(command, diff);

		if (page->is_man) {
			man_text(page->out, purpose);
			strbuf_addf(page->out, ":\n\n```\n%s\n```\n\n", command);
		} else {
			strbuf_addf(page->out, "  # %s\n  %s%s\n", purpose, is_ours ? "run_differ " : "",
				    command + (is_ours ? strlen(diff) : 0));
		}
	}
}

/* Writes the help of a command, or the source of its manual page. */
static void page_command(const struct help_page *page, const struct cli_command *command,
			 const struct manual *manual)
{
	const bool has_own_name = !strcmp(command->name, "diff");
	const char *separator = "\nSee also: ";
	struct strbuf called = { 0 };

	if (page->is_man) {
		strbuf_addf(page->out, "drvabi-%s(1)" MAN_FOOTER "\n\n# NAME\n\ndrvabi-%s%s - ",
			    command->name, command->name, has_own_name ? ", run\\_differ" : "");
		page_text(page, manual->summary, 0);
		page_heading(page, "Synopsis");
		if (has_own_name)
			page_usage(page, "run\\_differ", manual->usage);
		strbuf_addf(&called, "drvabi %s", command->name);
	} else {
		program_command(&called, command);
		strbuf_addf(page->out, "%s - %s\n\n", called.text, manual->summary);
	}
	page_usage(page, called.text, manual->usage);
	strbuf_release(&called);
	if (page->is_man)
		page_heading(page, "Description");
	page_text(page, manual->description, 0);
	if (!page->is_man)
		page_examples(page, manual);
	if (!strcmp(command->name, "diff") || !strcmp(command->name, "history")) {
		page_heading(page, "Classes of change");
		page_classes(page);
	}
	page_options(page, command);
	if (page->is_man)
		page_examples(page, manual);
	page_exit_status(page, manual);
	if (page->is_man) /* man_see_also() writes the related commands */
		return;
	for (const char *const *name = manual->related; *name; name++) {
		strbuf_addf(page->out, "%sdrvabi %s", separator, *name);
		separator = ", ";
	}
	strbuf_adds(page->out, manual->related[0] ? "\n" : "");
}

/* Writes the output of drvabi --help: the commands by group, each with its summary. */
static void help_program(const struct help_page *page)
{
	static const char *const groups[CLI_GROUP_COUNT] = {
		[CLI_COMPARE] = "Compare",
		[CLI_LOOK_UP] = "Look up",
		[CLI_PROXY] = "Proxy",
		[CLI_PRODUCE] = "Produce",
		[CLI_HOUSEKEEPING] = "Housekeeping",
	};
	struct arena arena = { 0 };
	struct manual manual;

	strbuf_adds(page->out,
		    "drvabi reads the ioctl ABI of a kernel driver from the driver's source. It reports\n"
		    "what changed between versions, and what that means for a proxy.\n\n"
		    "Usage: drvabi COMMAND [OPTIONS]\n");
	for (int group = 0; group < CLI_GROUP_COUNT; group++) {
		page_heading(page, groups[group]);
		for (const struct cli_command *command = cli_commands; command->name; command++)
			if (command->group == (enum cli_group)group) {
				manual_read(&manual, command, &arena);
				page_entry(page, command->name, manual.summary, COMMAND_COLUMN);
			}
	}
	strbuf_adds(page->out,
		    "\nrun_differ is another name of drvabi diff.\n"
		    "drvabi COMMAND --help explains a command. drvabi --version prints the version.\n"
		    "See also drvabi help environment, drvabi help files and drvabi help classes.\n\n"
		    "Start with:\n"
		    "  run_differ --base 550.54.14 --next 590.48.01\n"
		    "  drvabi show NV_CHANNEL_ALLOC_PARAMS\n");
	arena_release(&arena);
}

/* Writes the first sections of the manual page drvabi(1). Its commands include those that --help omits. */
static void man_program(const struct help_page *page)
{
	struct arena arena = { 0 };
	struct manual manual;

	strbuf_adds(page->out,
		"drvabi(1)" MAN_FOOTER "\n\n# NAME\n\ndrvabi - a kernel driver's ioctl ABI, version by version\n\n# SYNOPSIS\n\n"
		"*drvabi* COMMAND [OPTIONS]\n\n*run\\_differ* --base VERSION --next VERSION\n\n# COMMANDS\n\n");
	for (const struct cli_command *command = cli_commands; command->name; command++) {
		strbuf_addf(page->out, "*drvabi-%s*(1)\n\t", command->name);
		manual_read(&manual, command, &arena);
		page_text(page, manual.summary, 0);
	}
	page_exit_status(page, NULL);
	arena_release(&arena);
}

/*
 * Writes the section SEE ALSO. The page of drvabi names the page of every command. The page of a command
 * names the page of drvabi, and those of related commands.
 */
static void man_see_also(const struct help_page *page, const struct manual *manual)
{
	page_heading(page, "See also");
	if (manual) {
		strbuf_adds(page->out, "*drvabi*(1)");
		for (const char *const *name = manual->related; *name; name++)
			strbuf_addf(page->out, ", *drvabi-%s*(1)", *name);
	} else {
		for (const struct cli_command *command = cli_commands; command->name; command++)
			strbuf_addf(page->out, "%s*drvabi-%s*(1)", command == cli_commands ? "" : ", ",
				    command->name);
	}
	strbuf_adds(page->out, "\n");
}

void cli_print_help(struct strbuf *out, const struct cli_command *command, bool is_man)
{
	const struct help_page page = { .out = out, .is_man = is_man };
	struct arena arena = { 0 };
	struct manual manual;

	if (command) {
		manual_read(&manual, command, &arena);
		page_command(&page, command, &manual);
	} else if (is_man) {
		man_program(&page);
	} else {
		help_program(&page);
	}
	if (is_man) {
		page_heading(&page, "Environment");
		page_terms(&page, "environment");
		page_heading(&page, "Files");
		page_terms(&page, "files");
		man_see_also(&page, command ? &manual : NULL);
	}
	arena_release(&arena);
}

/* Appends the JSON schema of --schema FORMAT. Return: 0; ERR_USAGE, with all formats in the message. */
static int help_schema(const struct cli_args *args, struct err *err)
{
	static const struct json_format *const lists[] = { abi_formats, report_formats };
	struct strbuf *out = args->out, known = { 0 };
	const char *names;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists) && !out->length; i++)
		for (const struct json_format *format = lists[i]; format->name && !out->length; format++) {
			strbuf_addf(&known, "%s%s", known.length ? ", " : "", format->name);
			if (!strcmp(format->name, args->schema))
				json_write_schema(out, format);
		}
	names = strbuf_take(&known, args->arena);
	return out->length ? 0 : usage_error(err, "no format '%s'; there are %s", args->schema, names);
}

/* drvabi help: appends the help of a command or a topic, or the text that another option requests. */
int cmd_help(struct cli_args *args, struct err *err)
{
	const char *word = args->word_count ? args->words[0] : NULL;
	const struct cli_command *command = word ? cli_find_command(word) : NULL;
	struct strbuf *out = args->out;
	const struct help_page page = { .out = out };

	if (args->schema && !args->completion && !args->complete)
		return help_schema(args, err);
	if (args->completion)
		strbuf_adds(out, completion_script(args->completion));
	else if (args->complete)
		completion_candidates(args);
	else if (args->word_count > 1)
		return usage_error(err, "help explains one command at a time");
	else if (command || !word)
		cli_print_help(out, command, args->man);
	else if (!args->man && (!strcmp(word, "environment") || !strcmp(word, "files")))
		page_terms(&page, word);
	else if (!args->man && !strcmp(word, "classes"))
		page_classes(&page);
	else
		return cli_unknown_command(word, err);
	return 0;
}
