#include "cli/archive_list.h"
#include "cli/archive_write.h"
#include "cli/commands.h"

#include <string.h>

int cmd_archive(const struct cli_args *args, struct err *err)
{
	const char *verb = args->word_count ? args->words[0] : "";

	if (!strcmp(verb, "write"))
		return archive_write_command(args, err);
	if (!strcmp(verb, "list"))
		return archive_list_command(args, err);
	return err_set(err, ERR_USAGE, "archive can write or list%s%s%s; see drvabi archive --help", *verb ? ", not '" : "", verb,
		       *verb ? "'" : "");
}
