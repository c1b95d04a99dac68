#include "cli/commands.h"
#include "cli/load_table.h"
#include "cli/nearby.h"
#include "cli/output.h"
#include "cli/lineage.h"
#include "cli/word.h"

#include "report/report.h"

#include <string.h>

/* One run of blame. */
struct blame_run {
	const struct cli_args *args;
	const char *name;              /* of the command line, without the field */
	const char *field;             /* NULL: all */
	struct lookup_word word;
	struct lineage lineages[2];    /* the version that was asked for with its ancestors, and the nearest that has it with its */
	struct lineage *lineage;       /* the one of them that is shown */
	struct store_request request;  /* of the version that was asked for; its document is the first lineage's */
	struct word_scope words;
	struct lookup lookup;
	size_t nearest;                /* the version that is shown, if it is not the one that was asked for; index in the words' graph */
	struct table table;
	const char *record;            /* whose fields they are */
	struct show_item ioctl;        /* whose parameters they are; its item is NULL if none was asked for */
	struct arena arena;
};

/* "NAME.FIELD": no name of C has a dot, and no number. */
static int blame_words(struct blame_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const char *word = args->word_count ? args->words[0] : "";
	const char *dot = strchr(word, '.');

	if (args->word_count != 1)
		return err_set(err, ERR_USAGE, "blame takes one record or ioctl, NAME, NUMBER or NAME.FIELD%s",
			       args->word_count ? "; a version goes to --version" : "");
	run->name = dot ? arena_strndup(&run->arena, word, (size_t)(dot - word)) : word;
	run->field = dot ? dot + 1 : NULL;
	word_read(&run->word, run->name);
	return 0;
}

static const struct history_version *shown_version(const struct blame_run *run)
{
	return &run->lineage->graph.versions[run->lineage->loaded.newest];
}

/* Is it another version than the one that was asked for? */
static bool is_elsewhere(const struct blame_run *run)
{
	return run->lineage != &run->lineages[0];
}

/* All ancestors of @version, and the reason if it cannot be read itself. */
static int blame_lineage(struct blame_run *run, const char *version, struct err *err)
{
	const struct store_request *request;
	int rc;

	if ((rc = lineage_load(run->lineage, version, run->args, err)))
		return rc;
	request = &run->lineage->loaded.requests[run->lineage->loaded.newest];
	if (request->rc)
		*err = request->err;
	return request->rc;
}

static int no_record(const struct blame_run *run, struct err *err)
{
	const struct abi *abi = shown_version(run)->abi;
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	if (nearby_number(abi, run->name))
		return err_set(err, ERR_NOT_FOUND, "%s %s has no record called '%s' (did you mean 0x%s?)", abi->driver, abi->version, run->name,
			       run->name);
	nearby_records(&nearest, abi, run->name);
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (abi->ioctls[i].params)
			abi_nearest_name(&nearest, run->name, abi->ioctls[i].name);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "%s %s has no record called '%s', and no ioctl of that name with parameters%s", abi->driver,
		     abi->version, run->name, strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

static int no_parameters(const struct blame_run *run, const struct lookup_item *item, struct err *err)
{
	const struct abi *abi = shown_version(run)->abi;

	if (item->is_command)
		return err_set(err, ERR_NOT_FOUND, "%s is %s at %s, a command macro without an exported method: its parameters are not known",
			       run->name, item->constant->name, abi->version);
	if (item->ioctl)
		return err_set(err, ERR_NOT_FOUND, "%s is %s %s at %s, which has no parameter record", run->name, item->ioctl->family,
			       item->ioctl->name, abi->version);
	return no_record(run, err);
}

static int fail_several(const struct blame_run *run, struct err *err)
{
	struct strbuf names = { 0 };
	int rc;

	for (size_t i = 0; i < run->lookup.item_count; i++)
		if (run->lookup.items[i].ioctl)
			strbuf_addf(&names, "%s%s %s", names.length ? ", " : "", run->lookup.items[i].ioctl->family,
				    run->lookup.items[i].ioctl->name);
	rc = err_set(err, ERR_USAGE, "%s is several ioctls: %s; name one of them", run->name, strbuf_text(&names));
	strbuf_release(&names);
	return rc;
}

/* The record of that name, or the parameters of the one ioctl that has some. */
static int choose_record(struct blame_run *run, struct err *err)
{
	const struct abi *abi = shown_version(run)->abi;

	for (size_t i = 0; i < run->lookup.item_count; i++) {
		const struct lookup_item *item = &run->lookup.items[i];

		if (item->record) {
			run->record = item->record->name;
			return 0;
		}
		if (!item->ioctl || !lookup_record(abi, item->ioctl))
			continue;
		if (run->record)
			return fail_several(run, err);
		run->record = item->ioctl->params;
		run->ioctl.item = item;
	}
	return run->record ? 0 : no_parameters(run, &run->lookup.items[0], err);
}

/* Goes on with the nearest version that has it. */
static int use_nearest(struct blame_run *run, struct err *err)
{
	size_t nearest = run->nearest = run->lookup.nearest;
	int rc;

	run->lineage = &run->lineages[1];
	if ((rc = blame_lineage(run, run->words.graph.versions[nearest].version, err)))
		return rc;
	word_lookup_at(&run->lookup, &run->word, &run->words, shown_version(run)->abi, nearest, &run->arena);
	return 0;
}

static int blame_find(struct blame_run *run, struct err *err)
{
	const struct history_version *version = shown_version(run);
	int rc;

	run->request = (struct store_request){ .version = version->version, .skipped = true, .abi = *version->abi };
	if ((rc = word_load(&run->words, &run->request, run->args, err)) ||
	    (run->args->table && (rc = load_table_for(&run->table, version->abi->driver, run->args, &run->arena, err))))
		return rc;
	run->words.table = run->args->table ? &run->table : NULL;
	lookup_find(&run->lookup, &run->words.scope, &run->word, &run->arena);
	if (!run->word.is_number && (history_is_glob(run->name) ||
	    (!run->lookup.item_count && run->lookup.nearest == run->words.graph.version_count)))
		return no_record(run, err);
	if ((rc = word_check(&run->lookup, &run->word, &run->words, err)) ||
	    (word_is_elsewhere(&run->lookup, &run->words) && (rc = use_nearest(run, err))))
		return rc;
	return choose_record(run, err);
}

static void blame_describe(struct blame_run *run)
{
	size_t version = is_elsewhere(run) ? run->nearest : run->words.scope.version;

	if (run->ioctl.item)
		word_describe(&run->ioctl, &run->words, shown_version(run)->abi, version, &run->arena);
}

static int no_field(const struct blame *blame, const char *field, const char *version, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	for (size_t i = 0; i < blame->layout->leaf_count; i++)
		abi_nearest_name(&nearest, field, blame->layout->leaf[i].path);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "%s has no field '%s' at %s%s", blame->name, field, version, strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

static void render_text(struct strbuf *out, const struct blame *blame, const struct blame_run *run)
{
	struct report_style style = output_style(run->args);

	if (is_elsewhere(run))
		report_elsewhere_text(out, &run->word, run->request.abi.version, shown_version(run)->version, &style);
	if (run->ioctl.item) {
		report_described_text(out, &run->words.graph, &run->ioctl, &style);
		strbuf_addch(out, '\n');
	}
	report_blame_text(out, blame, &run->lineage->graph, run->field, &style);
}

static void blame_render(struct strbuf *out, const struct blame *blame, const struct blame_run *run)
{
	struct blame_ioctl ioctl = { &run->ioctl, &run->words.graph };

	if (!strcmp(run->args->format, "json"))
		report_blame_ioctl_json(out, blame, &run->lineage->graph, run->field, run->ioctl.item ? &ioctl : NULL);
	else
		render_text(out, blame, run);
}

int cmd_blame(const struct cli_args *args, struct err *err)
{
	struct blame_run run = { .args = args, .lineage = &run.lineages[0] };
	struct strbuf out = { 0 };
	struct blame blame;
	int rc;

	if ((rc = blame_words(&run, err)) ||
	    (rc = blame_lineage(&run, args->version ? args->version : "", err)) ||
	    (rc = blame_find(&run, err)) ||
	    (rc = history_blame(&blame, &run.lineage->graph, run.lineage->loaded.newest, run.record, &run.arena, err)))
		goto out;
	if (run.field && !report_blame_has(&blame, run.field)) {
		rc = no_field(&blame, run.field, shown_version(&run)->version, err);
		goto out;
	}
	blame_describe(&run);
	blame_render(&out, &blame, &run);
	rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	lineage_release(&run.lineages[0]);
	lineage_release(&run.lineages[1]);
	load_documents_release(&run.request, 1);
	arena_release(&run.arena);
	return rc;
}
