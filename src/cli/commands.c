/* cli/commands.c - the table of commands; manual.txt has their help */
#include "cli/cli.h"

#define FROM_VERSIONS "repo", "archive", "profile", "target", "jobs", "no-archive", "no-cache"
#define FROM_DRIVER "repo", "archive", "dir", "profile", "target", "jobs", "no-archive", "no-cache"
#define TO_USER "output", "color", "no-pager", "quiet", "verbose", "help"

#define OPTIONS(...) (const char *const[]){ __VA_ARGS__, NULL }

const struct cli_command cli_commands[] = {
	{ .name = "diff", .group = CLI_COMPARE, .formats = "text|json|markdown", .run = cmd_diff,
	  .options = OPTIONS("base", "next", "versions-as-words", "base-json", "next-json", "table",
			     "record", "constants", "class", "diff-fail-on", "diff-suppress", "stat",
			     "format", "report", FROM_DRIVER, TO_USER) },
	{ .name = "extract", .group = CLI_PRODUCE, .formats = "json",
	  .takes_rest = true, .run = cmd_extract,
	  .options = OPTIONS("version", "constants", "input", "format", FROM_DRIVER, TO_USER) },
	{ .name = "show", .group = CLI_LOOK_UP, .formats = "text|json|c", .run = cmd_show,
	  .options = OPTIONS("version", "flat", "role", "constants", "json", "table", "format", "expand",
			     FROM_DRIVER, TO_USER) },
	{ .name = "flatten", .group = CLI_UNLISTED, .formats = "text|json", .run = cmd_flatten,
	  .options = OPTIONS("version", "record", "role", "format", FROM_DRIVER, TO_USER) },
	{ .name = "verify", .group = CLI_PROXY, .formats = "text|json|markdown|junit|sarif|github",
	  .takes_rest = true, .run = cmd_verify,
	  .options = OPTIONS("table", "table-from-header", "map", "verify-version", "versions", "all-nodes",
			     "json", "fail-on", "strict", "suppress", "write-suppress", "format", "report",
			     FROM_DRIVER, TO_USER) },
	{ .name = "surface", .group = CLI_PROXY, .formats = "text|json", .run = cmd_surface,
	  .options = OPTIONS("version", "versions", "not-forwarded", "family", "caller", "name", "role",
			     "table", "caps", "since", "format", FROM_DRIVER, TO_USER) },
	{ .name = "pids", .group = CLI_PROXY, .formats = "text|json|markdown", .run = cmd_pids,
	  .options = OPTIONS("version", "versions", "shim", "json", "table", "format", FROM_DRIVER,
			     TO_USER) },
	{ .name = "history", .group = CLI_COMPARE, .formats = "text|json|markdown|html", .run = cmd_history,
	  .options = OPTIONS("versions-as-words", "since", "until", "class", "table", "number",
			     "exit-code", "format", FROM_VERSIONS, TO_USER) },
	{ .name = "blame", .group = CLI_COMPARE, .formats = "text|json", .run = cmd_blame,
	  .options = OPTIONS("version", "table", "format", FROM_VERSIONS, TO_USER) },
	{ .name = "archive", .group = CLI_PRODUCE, .formats = "text|json", .run = cmd_archive,
	  .options = OPTIONS("add", "format", "repo", "profile", "target", "jobs", "no-archive", "no-cache",
			     TO_USER) },
	{ .name = "cache", .group = CLI_HOUSEKEEPING, .run = cmd_cache,
	  .options = OPTIONS("output", "help") },
	{ .name = "ranges", .group = CLI_PROXY, .formats = "text|json|markdown",
	  .takes_rest = true, .run = cmd_ranges,
	  .options = OPTIONS("table", "table-from-header", "map", "version", "criterion", "prove",
			     "emit", "exit-code", "format", "report", FROM_VERSIONS, TO_USER) },
	{ .name = "bootstrap", .group = CLI_PROXY, .formats = "text|json|markdown", .run = cmd_bootstrap,
	  .options = OPTIONS("table", "version-as-word", "dir", "json", "run", "bootstrap-add",
			     "bootstrap-caps", "trace", "sha256-x86_64", "sha256-arm64", "suppress",
			     "exit-code", "bootstrap-fail-on", "stat", "format", FROM_VERSIONS,
			     "bootstrap-output", "color", "quiet", "verbose", "help") },
	{ .name = "gen", .group = CLI_PRODUCE, .run = cmd_gen,
	  .options = OPTIONS("lang", "pid-shim", "style", "package", "version", "versions", "constants",
			     "json", "gen-table", FROM_DRIVER, TO_USER) },
	{ .name = "decode", .group = CLI_LOOK_UP, .formats = "text|json|summary|markdown",
	  .takes_rest = true, .run = cmd_decode,
	  .options = OPTIONS("version", "control", "alloc", "uvm", "decode-input", "table",
			     "against", "only", "exit-code", "format", FROM_VERSIONS, "output",
			     "color", "quiet", "verbose", "help") },
	{ .name = "profile", .group = CLI_HOUSEKEEPING, .run = cmd_profile,
	  .options = OPTIONS("version", "repo", "dir", "output", "no-pager", "quiet", "help") },
	{ .name = "sniff", .group = CLI_LOOK_UP, .formats = "trace|json",
	  .takes_rest = true, .run = cmd_sniff,
	  .options = OPTIONS("sniff-output", "attach", "all", "preload", "replay", "strict", "listen",
			     "once", "version", "against", "table", "enforce", "max-bytes", "survive",
			     "who", "compress", "wire", "format", FROM_VERSIONS, "quiet", "verbose",
			     "help") },
	{ .name = "table", .group = CLI_PROXY, .run = cmd_table,
	  .options = OPTIONS("output", "no-pager", "help") },
	{ .name = "explain", .group = CLI_LOOK_UP, .formats = "text|markdown", .run = cmd_explain,
	  .options = OPTIONS("format", TO_USER) },
	{ .name = "help", .group = CLI_HOUSEKEEPING, .takes_rest = true, .run = cmd_help,
	  .options = OPTIONS("man", "schema", "completion", "complete", "no-pager", "help") },
	{ .name = NULL },
};

const struct cli_command *cli_find_command(const char *name)
{
	for (const struct cli_command *command = cli_commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

int usage_verb(const struct cli_args *args, const char *command, const char *verbs, struct err *err)
{
	return usage_error(err, "%s can %s%s%s%s; see drvabi %s --help", command, verbs,
			   args->word_count ? ", not '" : "", args->word_count ? args->words[0] : "",
			   args->word_count ? "'" : "", command);
}

int cli_unknown_command(const char *word, struct err *err)
{
	static const char *const options[] = { "--version", "--help", "--no-pager" };
	struct abi_nearest nearest = { .count = 0 };
	const bool is_option = *word == '-';

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (is_option || !strcmp(word, options[i] + 2))
			abi_nearest_name(&nearest, word, options[i]);
	for (const struct cli_command *command = cli_commands; command->name && !is_option; command++)
		abi_nearest_name(&nearest, word, command->name);
	return usage_error(err, "there is no %s '%s'%s%s%s; drvabi --help lists %s",
			   is_option ? "option" : "command", word,
			   nearest.count ? " (did you mean " : "", nearest.count ? nearest.name[0] : "",
			   nearest.count ? "?)" : "",
			   is_option ? "the commands, and their options follow them" : "them");
}
