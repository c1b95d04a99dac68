/* cli/help.c - writes the tables of commands and options as the text of --help, and as manual pages */
#include "cli/cli.h"
#include "abi/abi.h"
#include "diff/diff.h"
#include "extract/extract.h"
#include "source/source.h"
#include "store/archive.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define TEXT_OF(number) #number
#define TEXT(macro) TEXT_OF(macro)
#ifdef __clang__
#define COMPILER "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__)
#else
#define COMPILER "gcc " __VERSION__
#endif

/* A copy of the array environ, made before unsetenv(3) changes it. The strings are not copied. */
static char **remembered;

void program_remember_environment(void)
{
	size_t count = 0;

	while (environ[count])
		count++;
	remembered = xmalloc((count + 1) * sizeof(*remembered));
	memcpy(remembered, environ, (count + 1) * sizeof(*remembered));
}

char *const *program_environment(void)
{
	return remembered;
}

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

/* A term and its explanation. A table of terms ends with a NULL term. */
struct manual_term {
	const char *term;
	const char *text;
};

/* Every environment variable that the program reads. A test compares this table with the code. */
static const struct manual_term environment[] = {
	{ "DRVABI_REPO", "The default of --repo." },
	{ "DRVABI_ARCHIVE",
	  "The default of --archive." },
	{ "DRVABI_TABLE",
	  "The default of --table." },
	{ "DRVABI_PAGER",
	  "The pager on a terminal. sh runs it if it has more than one word. \"cat\" or an "
	  "empty value means no pager." },
	{ "PAGER", "The pager if DRVABI_PAGER is not set. Default: less." },
	{ "LESS", "The options of less. Default: FRX." },
	{ "LV", "The options of lv. Default: -c." },
	{ "DRVABI_PARSE_MB",
	  "The memory limit, in MB, of a process that reads the headers of a version. Default: 2048. Minimum: 64." },
	{ "DRVABI_PARSE_SECONDS",
	  "The CPU time limit, in seconds, of this process. Default: 60." },
	{ "NO_COLOR", "If it is not empty, there are no colors, except with --color always." },
	{ "TERM", "If it is \"dumb\", there are no colors, and no pager unless one is named." },
	{ "HOME", "The parent directory of the defaults of XDG_CACHE_HOME and XDG_DATA_HOME." },
	{ "XDG_CACHE_HOME",
	  "The parent directory of the cache, drvabi/. Default: ~/.cache." },
	{ "XDG_DATA_HOME",
	  "The first directory that is searched for drvabi/PROFILE.drvabi. Default: ~/.local/share." },
	{ "XDG_DATA_DIRS",
	  "The directories searched after XDG_DATA_HOME. Default: /usr/local/share:/usr/share." },
	{ "SOURCE_DATE_EPOCH",
	  "The time to compare with the dates in a --suppress file, in seconds since 1970. Default: now." },
	{ NULL, NULL },
};

/* The files that are included in drvabi or that it writes. */
static const struct manual_term files[] = {
	{ ".drvabi.json",
	  "The defaults of a project for table, profile, repo (a path) and suppressions. The "
	  "file is in the working directory or a parent of it, up to the root of a git "
	  "repository. Paths are relative to the file. Options and environment variables take "
	  "precedence. The file is ignored unless you or root own it." },
	{ "$XDG_DATA_HOME/drvabi/PROFILE.drvabi",
	  "Your own archive for PROFILE, used instead of the installed one." },
	{ "PREFIX/share/drvabi/nvidia.drvabi",
	  "The included archive of NVIDIA's driver. PREFIX/share is ../share relative to the program's directory, "
	  "or one of XDG_DATA_DIRS." },
	{ "PREFIX/share/drvabi/nvproxy.json", "The table that --table nvproxy reads." },
	{ "PREFIX/share/drvabi/nvproxy-accepted.txt",
	  "The default of --suppress for --table nvproxy." },
	{ "$XDG_CACHE_HOME/drvabi/documents/",
	  "Extracted documents, which may be removed at any time." },
	{ "$XDG_CACHE_HOME/drvabi/repos/",
	  "Clones of repositories." },
	{ NULL, NULL },
};

static const struct {
	const char *command;
	const char *related[5];
} see_also[] = {
	{ "archive", { "cache", "extract", NULL } },
	{ "blame", { "history", "show", NULL } },
	{ "cache", { "archive", NULL } },
	{ "decode", { "bootstrap", "show", "surface", NULL } },
	{ "diff", { "explain", "history", "ranges", "verify", NULL } },
	{ "explain", { "diff", "verify", NULL } },
	{ "extract", { "archive", "show", NULL } },
	{ "flatten", { "show", NULL } },
	{ "history", { "blame", "diff", "ranges", NULL } },
	{ "pids", { "surface", NULL } },
	{ "ranges", { "history", "verify", NULL } },
	{ "show", { "blame", "surface", NULL } },
	{ "surface", { "pids", "show", "verify", NULL } },
	{ "sniff", { "bootstrap", "decode", NULL } },
	{ "table", { "verify", NULL } },
	{ "verify", { "diff", "explain", "ranges", "table", NULL } },
};

/* manual_related - return the names of the commands that the help of @command refers to, NULL-terminated. */
static const char *const *manual_related(const struct cli_command *command)
{
	static const char *const none[] = { NULL };

	for (size_t i = 0; i < sizeof(see_also) / sizeof(*see_also); i++)
		if (!strcmp(see_also[i].command, command->name))
			return see_also[i].related;
	return none;
}

const char *const manual_topics[] = { "environment", "files", "classes", NULL };

/*
 * A page of help, written in one of two formats: the text of --help, or the scdoc(5) source of a manual page.
 * The functions page_*() write a heading, a paragraph or a term in the format of the page.
 */
struct page {
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

/* Writes a heading, such as "Exit status". */
static void page_heading(const struct page *page, const char *title)
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

static void page_text(const struct page *page, const char *text, size_t indent)
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
static void page_entry(const struct page *page, const char *heading, const char *text, size_t column)
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

static void page_term(const struct page *page, const char *term, const char *text, size_t column)
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

static void page_terms(const struct page *page, const struct manual_term *terms)
{
	for (; terms->term; terms++)
		page_term(page, terms->term, terms->text, HELP_COLUMN);
}

static void page_classes(const struct page *page)
{
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		page_term(page, diff_class_name(1 << i), rule_text(RULE_OF_CLASS(1 << i))->what,
			  CLASS_COLUMN);
}

/* Writes an option, such as "-o, --output FILE", and its description. */
static void page_option(const struct page *page, const struct cli_command *command,
			const struct cli_option *option)
{
	const char *emphasis = page->is_man ? "*" : "";
	struct strbuf heading = { 0 };

	if (option->letter)
		strbuf_addf(&heading, "%s-%c%s, ", emphasis, option->letter, emphasis);
	strbuf_addf(&heading, "%s--%s%s", emphasis, option->name, emphasis);
	if (option->value)
		strbuf_addf(&heading, " %s", option->value);
	page_entry(page, heading.text, option->help ? option->help : command->formats, HELP_COLUMN);
	strbuf_release(&heading);
}

/* Writes one line or paragraph for each form of @synopsis. The forms are separated by " | ". */
static void page_usage(const struct page *page, const char *called, const char *synopsis)
{
	const char *label = "Usage:";
	struct strbuf form = { 0 };

	while (synopsis) {
		const char *bar = strstr(synopsis, " | ");

		strbuf_reset(&form);
		strbuf_add(&form, synopsis, bar ? (size_t)(bar - synopsis) : strlen(synopsis));
		if (page->is_man) {
			strbuf_addf(page->out, "*%s* ", called);
			page_text(page, form.text, 0);
		} else {
			strbuf_addf(page->out, "%6s %s %s\n", label, called, form.text);
		}
		synopsis = bar ? bar + strlen(" | ") : NULL;
		label = "or:";
	}
	if (!page->is_man)
		strbuf_addch(page->out, '\n');
	strbuf_release(&form);
}

/* Writes an example. In the help of run_differ, "drvabi diff" is replaced by "run_differ". */
static void page_example(const struct page *page, const struct cli_example *example)
{
	static const char diff[] = "drvabi diff ";
	const bool is_ours = program_is_differ() && !strncmp(example->command, diff, strlen(diff));

	if (page->is_man) {
		man_text(page->out, example->purpose);
		strbuf_addf(page->out, ":\n\n```\n%s\n```\n\n", example->command);
	} else {
		strbuf_addf(page->out, "  # %s\n  %s%s\n", example->purpose, is_ours ? "run_differ " : "",
			    example->command + (is_ours ? strlen(diff) : 0));
	}
}

/* Writes the exit status of @command, or of all commands if @command is NULL. */
static void page_exit_status(const struct page *page, const struct cli_command *command)
{
	const char *some =
		"0 on success, 1 if diff, verify, or a command with --exit-code has something to report";
	struct strbuf text = { 0 };

	if (command)
		some = command->exit_status ? command->exit_status : "0 on success";
	strbuf_addf(&text, "%s, 2 on an error.", some);
	page_heading(page, "Exit status");
	page_text(page, text.text, 2);
	strbuf_release(&text);
}

static void page_begin(const struct page *page, const struct cli_command *command)
{
	const bool has_own_name = !strcmp(command->name, "diff");
	struct strbuf called = { 0 };

	if (page->is_man) {
		strbuf_addf(page->out, "drvabi-%s(1)" MAN_FOOTER "\n\n# NAME\n\ndrvabi-%s%s - ",
			    command->name, command->name, has_own_name ? ", run\\_differ" : "");
		page_text(page, command->summary, 0);
		page_heading(page, "Synopsis");
		if (has_own_name)
			page_usage(page, "run\\_differ", command->synopsis);
		strbuf_addf(&called, "drvabi %s", command->name);
	} else {
		program_command(&called, command);
		strbuf_addf(page->out, "%s - %s\n\n", called.text, command->summary);
	}
	page_usage(page, called.text, command->synopsis);
	if (page->is_man)
		page_heading(page, "Description");
	page_text(page, command->description, 0);
	strbuf_release(&called);
}

/*
 * Returns true if the option @id means the same for many commands: it selects the source of documents or the
 * form of the output.
 */
static bool is_common(const char *id)
{
	static const char *const common[] = { "repo",	  "archive",	"dir",	    "profile", "target",
					      "jobs",	  "no-archive", "no-cache", "output",  "color",
					      "no-pager", "quiet",	"verbose",  "help" };

	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (!strcmp(common[i], id))
			return true;
	return false;
}

/*
 * Writes the options. In --help, the options that is_common() excludes come first, under their own heading. A
 * manual page has one list.
 */
static void page_options(const struct page *page, const struct cli_command *command)
{
	bool has_heading = false;

	for (int common = 0; common < 2; common++) {
		for (const char *const *id = command->options; *id; id++) {
			if (is_common(*id) != common)
				continue;
			if (!has_heading)
				page_heading(page, common && !page->is_man ? "Common options" : "Options");
			has_heading = true;
			page_option(page, command, cli_find_option(*id));
		}
		has_heading = has_heading && page->is_man;
	}
}

/* Writes the examples. A manual page has all examples, --help only the first HELP_EXAMPLES. */
static void page_examples(const struct page *page, const struct cli_command *command)
{
	size_t count = page->is_man ? SIZE_MAX : HELP_EXAMPLES;

	if (command->examples && command->examples->command)
		page_heading(page, "Examples");
	for (const struct cli_example *example = command->examples; example && example->command && count--;
	     example++)
		page_example(page, example);
}

/* Writes "See also: drvabi blame, drvabi diff". In a manual page, man_see_also() writes a section instead. */
static void page_related(const struct page *page, const struct cli_command *command)
{
	const char *separator = "\nSee also: ";

	for (const char *const *name = manual_related(command); *name; name++) {
		strbuf_addf(page->out, "%sdrvabi %s", separator, *name);
		separator = ", ";
	}
	strbuf_adds(page->out, *manual_related(command) ? "\n" : "");
}

static void page_command(const struct page *page, const struct cli_command *command)
{
	page_begin(page, command);
	if (!page->is_man)
		page_examples(page, command);
	if (!strcmp(command->name, "diff") || !strcmp(command->name, "history")) {
		page_heading(page, "Classes of change");
		page_classes(page);
	}
	page_options(page, command);
	if (page->is_man)
		page_examples(page, command);
	page_exit_status(page, command);
	if (!page->is_man)
		page_related(page, command);
}

static void help_program(const struct page *page)
{
	static const char *const groups[CLI_GROUP_COUNT] = {
		[CLI_COMPARE] = "Compare",
		[CLI_LOOK_UP] = "Look up",
		[CLI_PROXY] = "Proxy",
		[CLI_PRODUCE] = "Produce",
		[CLI_HOUSEKEEPING] = "Housekeeping",
	};

	strbuf_adds(page->out,
		    "drvabi reads the ioctl ABI of a kernel driver from the driver's source. It reports\n"
		    "what changed between versions, and what that means for a proxy.\n\n"
		    "Usage: drvabi COMMAND [OPTIONS]\n");
	for (int group = 0; group < CLI_GROUP_COUNT; group++) {
		page_heading(page, groups[group]);
		for (const struct cli_command *command = cli_commands; command->name; command++)
			if (command->group == (enum cli_group)group)
				page_entry(page, command->name, command->summary, COMMAND_COLUMN);
	}
	strbuf_adds(page->out,
		    "\nrun_differ is another name of drvabi diff.\n"
		    "drvabi COMMAND --help explains a command. drvabi --version prints the version.\n"
		    "See also drvabi help environment, drvabi help files and drvabi help classes.\n\n"
		    "Start with:\n"
		    "  run_differ --base 550.54.14 --next 590.48.01\n"
		    "  drvabi show NV_CHANNEL_ALLOC_PARAMS\n");
}

static void man_program(const struct page *page)
{
	strbuf_adds(page->out,
		"drvabi(1)" MAN_FOOTER "\n\n# NAME\n\ndrvabi - a kernel driver's ioctl ABI, version by version\n\n# SYNOPSIS\n\n"
		"*drvabi* COMMAND [OPTIONS]\n\n*run\\_differ* --base VERSION --next VERSION\n\n# COMMANDS\n\n");
	for (const struct cli_command *command = cli_commands; command->name; command++) {
		strbuf_addf(page->out, "*drvabi-%s*(1)\n\t", command->name);
		page_text(page, command->summary, 0);
	}
	page_exit_status(page, NULL);
}

/*
 * Writes the section SEE ALSO. The page of drvabi names the page of every command. The page of a command
 * names the page of drvabi, and those of related commands.
 */
static void man_see_also(const struct page *page, const struct cli_command *command)
{
	page_heading(page, "See also");
	if (command) {
		strbuf_adds(page->out, "*drvabi*(1)");
		for (const char *const *name = manual_related(command); *name; name++)
			strbuf_addf(page->out, ", *drvabi-%s*(1)", *name);
	} else {
		for (command = cli_commands; command->name; command++)
			strbuf_addf(page->out, "%s*drvabi-%s*(1)", command == cli_commands ? "" : ", ",
				    command->name);
	}
	strbuf_adds(page->out, "\n");
}

void cli_print_help(struct strbuf *out, const struct cli_command *command)
{
	const struct page page = { .out = out };

	if (command)
		page_command(&page, command);
	else
		help_program(&page);
}

void cli_print_man(struct strbuf *out, const struct cli_command *command)
{
	const struct page page = { .out = out, .is_man = true };

	if (command)
		page_command(&page, command);
	else
		man_program(&page);
	page_heading(&page, "Environment");
	page_terms(&page, environment);
	page_heading(&page, "Files");
	page_terms(&page, files);
	man_see_also(&page, command);
}

/* Prints a topic of manual_topics. Return: false if @topic is not in manual_topics. */
static bool print_topic(struct strbuf *out, const char *topic)
{
	const struct page page = { .out = out };

	if (!strcmp(topic, "environment"))
		page_terms(&page, environment);
	else if (!strcmp(topic, "files"))
		page_terms(&page, files);
	else if (!strcmp(topic, "classes"))
		page_classes(&page);
	else
		return false;
	return true;
}

/* Prints the completion script of a shell, or the completions of a word. */
static int help_complete(const struct cli_args *args, struct err *err)
{
	if (args->completion)
		strbuf_adds(args->out, completion_script(args->completion));
	else
		completion_candidates(args);
	return output_write(args->out, args, err);
}

static int help_schema(const struct cli_args *args, struct err *err)
{
	static const struct json_format *const lists[] = { abi_formats, report_formats };
	struct strbuf *out = args->out, known = { 0 };
	int rc = ERR_USAGE;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists) && !out->length; i++)
		for (const struct json_format *format = lists[i]; format->name && !out->length; format++) {
			strbuf_addf(&known, "%s%s", known.length ? ", " : "", format->name);
			if (!strcmp(format->name, args->schema))
				json_write_schema(out, format);
		}
	if (out->length)
		rc = output_write(out, args, err);
	else
		usage_error(err, "no format '%s'; there are %s", args->schema, known.text);
	strbuf_release(&known);
	return rc;
}

int cmd_help(const struct cli_args *args, struct err *err)
{
	const char *word = args->word_count ? args->words[0] : NULL;
	const struct cli_command *command = word ? cli_find_command(word) : NULL;
	struct strbuf *out = args->out;

	if (args->completion || args->complete)
		return help_complete(args, err);
	if (args->schema)
		return help_schema(args, err);
	if (args->word_count > 1)
		return usage_error(err, "help explains one command at a time");
	if (word && !command && (args->man || !print_topic(out, word)))
		return cli_unknown_command(word, err);
	if (!out->length && args->man)
		cli_print_man(out, command);
	else if (!out->length)
		cli_print_help(out, command);
	return output_write(out, args, err);
}
