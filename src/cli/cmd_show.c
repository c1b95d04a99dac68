#include "cli/commands.h"
#include "cli/load.h"
#include "cli/nearby.h"
#include "cli/output.h"

#include "diff/diff.h"
#include "flatten/flatten.h"
#include "report/report.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* What the words of one run of show name, kind by kind. */
struct shown {
	const struct abi *abi;
	const struct cli_args *args;
	struct arena *arena;
	struct strbuf out;
	size_t count;
};

static bool parse_number(uint64_t *out, const char *word)
{
	char *end;

	errno = 0;
	*out = strtoull(word, &end, 0);
	return *word >= '0' && *word <= '9' && !*end && !errno;
}

static void separate(struct shown *shown)
{
	if (!shown->count++)
		report_origin_text(&shown->out, shown->abi);
	else
		strbuf_addch(&shown->out, '\n');
}

static int show_record(struct shown *shown, const struct abi_record *record, struct err *err)
{
	struct report_style style = output_style(shown->args);
	const struct diff_reach *users;
	struct abi_layout layout;
	size_t count;
	int rc;

	if ((rc = flatten_record(&layout, shown->abi, record->name, shown->arena, err)) ||
	    (rc = diff_users(&users, &count, shown->abi, record, shown->arena, err)))
		return rc;
	separate(shown);
	report_record_text(&shown->out, shown->abi, record, &layout, users, count, &style);
	return 0;
}

/* A NAME may be a glob: everything of every kind that it matches. */
static int show_name(struct shown *shown, const char *word, struct err *err)
{
	struct report_style style = output_style(shown->args);
	const struct abi *abi = shown->abi;
	int rc;

	for (size_t i = 0; i < abi->record_count; i++)
		if (!fnmatch(word, abi->records[i].name, 0) && (rc = show_record(shown, &abi->records[i], err)))
			return rc;
	for (size_t i = 0; i < abi->enum_count; i++)
		if (!fnmatch(word, abi->enums[i].name, 0)) {
			separate(shown);
			report_enum_text(&shown->out, &abi->enums[i], &style);
		}
	for (size_t i = 0; i < abi->alias_count; i++)
		if (!fnmatch(word, abi->aliases[i].name, 0) && !abi_find_enum(abi, abi->aliases[i].name)) {
			separate(shown);
			report_alias_text(&shown->out, &abi->aliases[i], &style);
		}
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (!fnmatch(word, abi->ioctls[i].name, 0)) {
			separate(shown);
			report_ioctl_text(&shown->out, &abi->ioctls[i], &style);
		}
	for (size_t i = 0; i < abi->constant_count; i++)
		if (!fnmatch(word, abi->constants[i].name, 0) && !abi_find_ioctl(abi, NULL, abi->constants[i].name)) {
			separate(shown);
			report_constant_text(&shown->out, &abi->constants[i], &style);
		}
	return 0;
}

static int show_number(struct shown *shown, uint64_t number, struct err *err)
{
	struct report_style style = output_style(shown->args);
	const struct abi *abi = shown->abi;
	int rc;

	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];
		const struct abi_record *record = ioctl->params ? abi_find_record(abi, ioctl->params) : NULL;

		if (ioctl->number != number)
			continue;
		separate(shown);
		report_ioctl_text(&shown->out, ioctl, &style);
		if (record && (rc = show_record(shown, record, err)))
			return rc;
	}
	return 0;
}

/* What the user may have meant: names like the word, or the number without its "0x". */
static int not_found(const struct abi *abi, const char *word, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	if (nearby_number(abi, word)) {
		strbuf_addf(&near, " (did you mean 0x%s?)", word);
	} else {
		nearby_names(&nearest, abi, word);
		abi_nearest_list(&near, &nearest);
	}
	rc = err_set(err, ERR_NOT_FOUND, "%s %s has nothing called '%s'%s", abi->driver, abi->version, word, strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

static int show_word(struct shown *shown, const char *word, struct err *err)
{
	size_t before = shown->count;
	uint64_t number;
	int rc;

	rc = parse_number(&number, word) ? show_number(shown, number, err) : show_name(shown, word, err);
	if (!rc && shown->count == before)
		rc = not_found(shown->abi, word, err);
	return rc;
}

static int show_request(struct store_request *request, const struct cli_args *args, struct err *err)
{
	if (!args->word_count)
		return err_set(err, ERR_USAGE, "what should be shown? drvabi show NAME, or a number");
	request->json = args->json;
	request->version = args->version;
	if (args->dir && args->version)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; leave --version out");
	return 0;
}

int cmd_show(const struct cli_args *args, struct err *err)
{
	struct store_request request = { 0 };
	struct shown shown = { .abi = &request.abi, .args = args, .arena = &request.arena };
	int rc;

	if (!(rc = show_request(&request, args, err)))
		rc = load_documents(&request, 1, args, err);
	for (size_t i = 0; i < args->word_count && !rc; i++)
		rc = show_word(&shown, args->words[i], err);
	if (!rc)
		rc = output_write(&shown.out, args, err);
	strbuf_release(&shown.out);
	load_documents_release(&request, 1);
	return rc;
}
