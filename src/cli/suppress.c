/* cli/suppress.c - the suppression files of verify and diff: reading, and writing them again */
#include "cli/cli.h"
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_BYTES = 16 * 1024 * 1024 };

/*
 * Today in UTC as the number YYYYMMDD. SOURCE_DATE_EPOCH replaces the clock, as reproducible-builds.org
 * specifies.
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
			return err_set(err, ERR_USAGE,
				       "SOURCE_DATE_EPOCH is '%s'; it takes seconds since 1970", epoch);
	}
	if (!gmtime_r(&now, &day))
		return err_set(err, ERR_USAGE, "SOURCE_DATE_EPOCH is '%s', which is not a time",
			       epoch ? epoch : "");
	*out = (unsigned)(day.tm_year + 1900) * 10000 + (unsigned)(day.tm_mon + 1) * 100 +
	       (unsigned)day.tm_mday;
	return 0;
}

const char *suppress_path(const struct cli_args *args)
{
	return args->suppress ? args->suppress : args->accepted;
}

/* The included table of "gvisor nvproxy" is "nvproxy", and its accepted findings are in nvproxy-accepted.txt.
 */
void suppress_note_included(const struct table *table, const struct cli_args *args)
{
	const struct data_surroundings surroundings = data_surroundings(args->arena);
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
		output_note(
			args,
			
			"findings that are accepted for the included table count here; to accept them, add --suppress %s",
			paths.path[i]);
}

int suppress_file_read(struct suppressions *out, const char *path, suppress_word word,
		       const struct cli_args *args, struct err *err)
{
	struct strbuf file = { 0 };
	unsigned day = 0;
	int rc;

	if ((rc = today(&day, err)) || (rc = file_read(&file, path, LIMIT_BYTES, err)))
		goto out;
	if (strlen(strbuf_text(&file)) != file.length)
		rc = err_set(err, ERR_FORMAT, "%s: this is not a text file: it has a NUL byte at %zu", path,
			     strlen(strbuf_text(&file)));
	else if (word)
		rc = suppressions_parse_words(out, strbuf_text(&file), path, day, word, args->arena, err);
	else
		rc = suppressions_parse(out, strbuf_text(&file), path, day, args->arena, err);
out:
	strbuf_release(&file);
	return rc;
}

/* How many lines were written, and how many of them still need a reason. */
static void say_accepted(const struct cli_args *args, const struct acceptances *accepted)
{
	struct strbuf sentence = { 0 };

	if (args->quiet)
		return;
	strbuf_adds(&sentence, "wrote ");
	strbuf_plural(&sentence, accepted->count, "suppression");
	strbuf_addf(&sentence, " to %s", args->write_suppress);
	if (accepted->unexplained)
		strbuf_addf(&sentence, "; %zu of them need%s a reason instead of TODO", accepted->unexplained,
			    accepted->unexplained == 1 ? "s" : "");
	output_say(strbuf_text(&sentence));
	strbuf_release(&sentence);
}

static int accept_run(struct acceptances *out, const struct verify_run *run, struct err *err)
{
	struct accept_version *versions = arena_array(run->args->arena, run->count, sizeof(*versions));
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++) {
		const struct verify_version *version = &run->versions[i];

		versions[count++] =
			(struct accept_version){ version->version, version->status == VERIFY_UNAVAILABLE,
						 &version->result, version->suppressed,
						 version->suppressed_count };
	}
	return accept_findings(out, versions, count, run->args->arena, err);
}

int suppress_file_write(const struct verify_run *run, struct err *err)
{
	struct acceptances accepted;
	struct strbuf out = { 0 };
	struct stat old, new;
	int rc;

	if ((rc = accept_run(&accepted, run, err)))
		return rc;
	report_acceptances(&out, &run->table, &accepted);
	if (run->args->suppress && !stat(run->args->suppress, &old) &&
	    !stat(run->args->write_suppress, &new) && old.st_dev == new.st_dev && old.st_ino == new.st_ino)
		file_forget_input(run->args->suppress);
	if (!(rc = file_check_output(run->args->write_suppress, err)) &&
	    !(rc = file_write_atomic(run->args->write_suppress, strbuf_text(&out), out.length, err)))
		say_accepted(run->args, &accepted);
	strbuf_release(&out);
	return rc;
}

int diff_accepted_read(struct diff_accepted *out, const struct cli_args *args, struct err *err)
{
	struct diff_accepted accepted = { .fails = ~0u };
	int rc;

	if ((args->fail_on && (rc = fail_list_read(&accepted.fails, args->fail_on, err))) ||
	    (args->suppress &&
	     (rc = suppress_file_read(&accepted.suppressions, args->suppress, class_list_word, args, err))))
		return rc;
	*out = accepted;
	return 0;
}

/* The line that covers a class of a change, under whichever of its names. */
static struct suppression *line_for(const struct suppressions *suppressions, const struct diff_change *change,
				    unsigned class_bit, const char *version)
{
	struct suppression *line = suppressions_find(suppressions, class_bit, change->name, version);

	if (!line && change->base_name)
		line = suppressions_find(suppressions, class_bit, change->base_name, version);
	for (size_t i = 0; !line && i < change->also_count; i++)
		line = suppressions_find(suppressions, class_bit, change->also[i], version);
	return line;
}

/* The classes of a change that no line covers. */
static unsigned classes_left(struct suppressions *suppressions, const struct diff_change *change,
			     const char *version)
{
	unsigned left = change->classes;

	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++) {
		struct suppression *line = change->classes & 1u << bit
						   ? line_for(suppressions, change, 1u << bit, version)
						   : NULL;

		if (!line)
			continue;
		line->used++;
		left &= ~(1u << bit);
	}
	return left;
}

size_t diff_accept(struct diff *diff, struct diff_accepted *accepted, struct arena *arena)
{
	bool *dropped = arena_array(arena, diff->change_count + 1, sizeof(*dropped));
	size_t left = 0, before = diff->change_count;

	accepted->left = arena_array(arena, before + 1, sizeof(*accepted->left));
	for (size_t i = 0; i < before; i++) {
		unsigned classes =
			classes_left(&accepted->suppressions, &diff->changes[i], diff->next->version);

		dropped[i] = !classes;
		if (classes)
			accepted->left[left++] = classes;
	}
	if (!accepted->suppressions.path)
		return 0;
	suppressions_try(&accepted->suppressions, NULL, &diff->next->version, 1);
	diff_drop(diff, dropped, arena);
	return before - left;
}

bool diff_fails(const struct diff *diff, const struct diff_accepted *accepted)
{
	for (size_t i = 0; i < diff->change_count; i++)
		if (accepted->left[i] & accepted->fails ||
		    (accepted->left[i] && accepted->fails & FAIL_SECTION(diff->changes[i].section)))
			return true;
	return false;
}
