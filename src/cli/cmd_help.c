#include "cli/commands.h"
#include "cli/output.h"

int cmd_help(const struct cli_args *args, struct err *err)
{
	const struct cli_command *command = NULL;
	struct strbuf out = { 0 };
	int rc;

	if (args->word_count > 1)
		return err_set(err, ERR_USAGE, "help is about one command at a time");
	if (args->word_count && !(command = cli_find_command(args->words[0])))
		return cli_unknown_command(args->words[0], err);
	if (args->man)
		cli_print_man(&out, command);
	else
		cli_print_help(&out, command);
	rc = output_write(&out, args, err);
	strbuf_release(&out);
	return rc;
}
