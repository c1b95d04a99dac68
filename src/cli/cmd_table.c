/* cli/cmd_table.c - drvabi table: a patch merged into a table */
#include "cli/cli.h"
#include "abi/abi.h"

#include <string.h>

static int write_table(const struct table *table, const struct cli_args *args, struct err *err)
{
	struct strbuf out = { 0 };
	struct json_writer writer = { .out = &out };
	int rc;

	json_write_table(&writer, table);
	rc = output_write(&out, args, err);
	strbuf_release(&out);
	return rc;
}

/*
 * The result may replace the table, for all that the table says is in it; the patch is an input like any
 * other.
 */
static int merge(const struct cli_args *args, struct arena *arena, struct err *err)
{
	const char *patch = args->words[2], *path;
	struct table base, merged;
	struct strbuf text = { 0 };
	int rc;

	if ((rc = load_table_find(&path, args->words[1], args, arena, err)) ||
	    (rc = load_table_file(&base, path, arena, err)))
		return rc;
	file_forget_input(path);
	rc = file_read(&text, patch, TABLE_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_table_patch(&merged, &base, strbuf_text(&text), text.length, patch, arena,
					   err);
	strbuf_release(&text);
	return rc ? rc : write_table(&merged, args, err);
}

int cmd_table(const struct cli_args *args, struct err *err)
{
	const char *verb = args->word_count ? args->words[0] : "";
	struct arena arena = { 0 };
	int rc;

	if (strcmp(verb, "merge"))
		return err_set(err, ERR_USAGE,
			       "the only subcommand of table is merge%s%s%s; see drvabi table --help",
			       *verb ? ", not '" : "", verb, *verb ? "'" : "");
	if (args->word_count != 3)
		return err_set(err, ERR_USAGE, "table merge takes two files, TABLE and PATCH, not %zu",
			       args->word_count - 1);
	if (!strcmp(args->words[1], "-") && !strcmp(args->words[2], "-"))
		return err_set(err, ERR_USAGE,
			       "TABLE and PATCH cannot both be standard input; name a file for one");
	rc = merge(args, &arena, err);
	arena_release(&arena);
	return rc;
}
