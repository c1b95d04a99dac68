/* cli/cmd_table.c - drvabi table: merges a patch into a table */
#include "cli/cli.h"
#include "abi/abi.h"

#include <string.h>

/*
 * Merges the patch into the table. The result can overwrite the file of the table, because it contains the
 * whole table. It cannot overwrite the patch.
 */
static int merge_patch(const struct cli_args *args, struct err *err)
{
	struct json_writer writer = { .out = args->out };
	const char *patch = args->words[2], *path;
	struct table base, merged;
	struct strbuf text = { 0 };
	int rc;

	if ((rc = load_table_find(&path, args->words[1], args, err)) ||
	    (rc = load_table_file(&base, path, args->arena, err)))
		return rc;
	file_forget_input(path);
	rc = file_read(&text, patch, TABLE_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_table_patch(&merged, &base, strbuf_text(&text), text.length, patch,
					   args->arena, err);
	strbuf_release(&text);
	if (rc)
		return rc;
	json_write_table(&writer, &merged);
	return output_write(args->out, args, err);
}

int cmd_table(const struct cli_args *args, struct err *err)
{
	const char *verb = args->word_count ? args->words[0] : "";

	if (strcmp(verb, "merge"))
		return usage_error(err,
				   "the only subcommand of table is merge%s%s%s; see drvabi table --help",
				   *verb ? ", not '" : "", verb, *verb ? "'" : "");
	if (args->word_count != 3)
		return usage_error(err, "table merge takes two files, TABLE and PATCH, not %zu",
				   args->word_count - 1);
	if (!strcmp(args->words[1], "-") && !strcmp(args->words[2], "-"))
		return usage_error(err, "TABLE and PATCH cannot both be standard input; name a file for one");
	return merge_patch(args, err);
}
