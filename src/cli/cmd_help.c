#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/output.h"

/* For the shells: a script, or what may follow. */
static int help_complete(const struct cli_args *args, struct err *err)
{
	struct strbuf out = { 0 };
	const char *script;
	int rc = 0;

	if (args->completion && !(rc = completion_script(&script, args->completion, err)))
		strbuf_adds(&out, script);
	if (!args->completion)
		completion_candidates(&out, args->rest, args->rest_count);
	if (!rc)
		rc = output_write(&out, args, err);
	strbuf_release(&out);
	return rc;
}

int cmd_help(const struct cli_args *args, struct err *err)
{
	const char *word = args->word_count ? args->words[0] : NULL;
	const struct cli_command *command = word ? cli_find_command(word) : NULL;
	struct strbuf out = { 0 };
	int rc;

	if (args->completion || args->complete)
		return help_complete(args, err);
	if (args->word_count > 1)
		return err_set(err, ERR_USAGE, "help is about one command at a time");
	if (word && !command && (args->man || !cli_print_topic(&out, word)))
		return cli_unknown_command(word, err);
	if (out.length)
		;
	else if (args->man)
		cli_print_man(&out, command);
	else
		cli_print_help(&out, command);
	rc = output_write(&out, args, err);
	strbuf_release(&out);
	return rc;
}
