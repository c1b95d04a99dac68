/* cli/suppress.c - reads the suppression files of verify, diff and bootstrap */
#include "cli/cli.h"

#include <unistd.h>

enum { LIMIT_BYTES = 16 * 1024 * 1024 };

/*
 * Sets @out to today's date in UTC, as the number YYYYMMDD. SOURCE_DATE_EPOCH replaces the clock, as
 * reproducible-builds.org specifies. Return: 0; ERR_USAGE if SOURCE_DATE_EPOCH is not a time.
 */
static int today(unsigned *out, struct err *err)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = time(NULL);
	struct tm day;
	char *end;

	if (epoch && *epoch) {
		errno = 0;
		now = (time_t)strtoll(epoch, &end, 10);
		if (errno || *end)
			return usage_error(err,
				"SOURCE_DATE_EPOCH is '%s'; it must be a number of seconds since 1970",
				epoch);
	}
	if (!gmtime_r(&now, &day))
		return usage_error(err, "SOURCE_DATE_EPOCH is '%s', which is not a time", epoch ? epoch : "");
	*out = (unsigned)(day.tm_year + 1900) * 10000 + (unsigned)(day.tm_mon + 1) * 100 +
	       (unsigned)day.tm_mday;
	return 0;
}

const char *suppress_path(const struct cli_args *args)
{
	return args->suppress ? args->suppress : args->accepted;
}

void suppress_note_unused(const struct table *table, const struct cli_args *args)
{
	const struct data_surroundings surroundings = data_surroundings(args->arena);
	/* For the proxy "gvisor nvproxy", the file of accepted findings is nvproxy-accepted.txt. */
	const char *space = strrchr(table->proxy, ' ');
	const char *name = arena_printf(args->arena, "%s-accepted", space ? space + 1 : table->proxy);
	struct data_paths paths;
	size_t i = 0;

	if (suppress_path(args))
		return;
	data_paths(&paths, name, ".txt", &surroundings, args->arena);
	while (i < paths.count && access(paths.path[i], R_OK))
		i++;
	if (i < paths.count)
		output_note(args,
			"findings that are accepted for the included table are not accepted here; to accept them, add --suppress %s",
			paths.path[i]);
}

int suppress_file_read(struct suppressions *out, const char *path, suppress_word parse_rule,
		       const struct cli_args *args, struct err *err)
{
	struct strbuf file = { 0 };
	unsigned day = 0;
	int rc;

	if ((rc = today(&day, err)) || (rc = file_read(&file, path, LIMIT_BYTES, err)))
		goto out;
	if (strlen(strbuf_text(&file)) != file.length)
		rc = err_set(err, ERR_FORMAT, "%s: this is not a text file: it has a NUL byte at offset %zu", path,
			     strlen(strbuf_text(&file)));
	else
		rc = suppressions_parse(out, strbuf_text(&file), path, day, parse_rule, args->arena, err);
out:
	strbuf_release(&file);
	return rc;
}
