/* cli/cmd_table.c - drvabi table: merges a patch into a table */
#include "cli/cli.h"

/* drvabi table merge: appends the table with the patch applied. -o can name the table's file. */
int cmd_table(struct cli_args *args, struct err *err)
{
	const char *verb = args->word_count ? args->words[0] : "", *patch, *path;
	struct json_writer writer = { .out = args->out };
	struct table base, merged;
	struct strbuf text = { 0 };
	int rc;

	if (strcmp(verb, "merge"))
		return usage_verb(args, "table", "merge", err);
	if (args->word_count != 3)
		return usage_error(err, "table merge takes two files, TABLE and PATCH, not %zu",
				   args->word_count - 1);
	patch = args->words[2];
	if (!strcmp(args->words[1], "-") && !strcmp(patch, "-"))
		return usage_error(err, "TABLE and PATCH cannot both be standard input; name a file for one");
	if ((rc = load_table_find(&path, args->words[1], args, err)) ||
	    (rc = load_table_file(&base, path, args->arena, err)))
		return rc;
	/*
	 * The result can overwrite the file of the table, because it contains the whole table. It cannot
	 * overwrite the patch.
	 */
	file_forget_input(path);
	rc = file_read(&text, patch, INPUT_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_table(&merged, &base, strbuf_text(&text), text.length, patch, args->arena,
				     err);
	strbuf_release(&text);
	if (!rc)
		json_write_table(&writer, &merged, TABLE_FORMAT);
	return rc;
}
