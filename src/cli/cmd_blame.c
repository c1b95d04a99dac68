#include "cli/commands.h"
#include "cli/load_table.h"
#include "cli/nearby.h"
#include "cli/output.h"
#include "cli/trace.h"
#include "cli/word.h"

#include "report/show.h"

#include <string.h>

/* One run of blame. */
struct blamed {
	const struct cli_args *args;
	const char *name;              /* of the command line, without the field */
	const char *field;             /* NULL: all */
	struct lookup_word word;
	struct trace traces[2];        /* the version that was asked for with its ancestors, and the nearest that has it with its */
	struct trace *trace;           /* the one of them that is told */
	struct store_request request;  /* of the version that was asked for; its document is the first trace's */
	struct word_scope words;
	struct lookup lookup;
	size_t nearest;                /* the version that is told, if it is not the one that was asked for; in the words' graph */
	struct table table;
	const char *record;            /* whose fields they are */
	struct show_item ioctl;        /* whose parameters they are; its item is NULL if none was asked for */
	struct arena arena;
};

/* "NAME.FIELD": no name of C has a dot, and no number. */
static int blame_words(struct blamed *blamed, struct err *err)
{
	const struct cli_args *args = blamed->args;
	const char *word = args->word_count ? args->words[0] : "";
	const char *dot = strchr(word, '.');

	if (args->word_count != 1)
		return err_set(err, ERR_USAGE, "blame takes one record or ioctl, NAME, NUMBER or NAME.FIELD%s",
			       args->word_count ? "; --version says which version" : "");
	blamed->name = dot ? arena_strndup(&blamed->arena, word, (size_t)(dot - word)) : word;
	blamed->field = dot ? dot + 1 : NULL;
	word_read(&blamed->word, blamed->name);
	return 0;
}

static const struct history_version *told_version(const struct blamed *blamed)
{
	return &blamed->trace->graph.versions[blamed->trace->loaded.newest];
}

/* Is it another version than the one that was asked for? */
static bool is_elsewhere(const struct blamed *blamed)
{
	return blamed->trace != &blamed->traces[0];
}

/* All ancestors of @version, and the reason if it cannot be read itself. */
static int blame_trace(struct blamed *blamed, const char *version, struct err *err)
{
	const struct store_request *request;
	int rc;

	if ((rc = trace_load(blamed->trace, version, blamed->args, err)))
		return rc;
	request = &blamed->trace->loaded.requests[blamed->trace->loaded.newest];
	if (request->rc)
		*err = request->err;
	return request->rc;
}

static int no_record(const struct blamed *blamed, struct err *err)
{
	const struct abi *abi = told_version(blamed)->abi;
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	nearby_records(&nearest, abi, blamed->name);
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (abi->ioctls[i].params)
			abi_nearest_name(&nearest, blamed->name, abi->ioctls[i].name);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "%s %s has no record called '%s', and no ioctl of that name with parameters%s", abi->driver,
		     abi->version, blamed->name, strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

static int no_parameters(const struct blamed *blamed, const struct lookup_item *item, struct err *err)
{
	const struct abi *abi = told_version(blamed)->abi;

	if (item->is_command)
		return err_set(err, ERR_NOT_FOUND, "%s is %s at %s, a command macro, which no exported method serves: its parameters are not known",
			       blamed->name, item->constant->name, abi->version);
	if (item->ioctl)
		return err_set(err, ERR_NOT_FOUND, "%s is %s %s at %s, which has no parameter record", blamed->name, item->ioctl->family,
			       item->ioctl->name, abi->version);
	return no_record(blamed, err);
}

static int several(const struct blamed *blamed, struct err *err)
{
	struct strbuf names = { 0 };
	int rc;

	for (size_t i = 0; i < blamed->lookup.item_count; i++)
		if (blamed->lookup.items[i].ioctl)
			strbuf_addf(&names, "%s%s %s", names.length ? ", " : "", blamed->lookup.items[i].ioctl->family,
				    blamed->lookup.items[i].ioctl->name);
	rc = err_set(err, ERR_USAGE, "%s is several ioctls: %s; give one by its name", blamed->name, strbuf_text(&names));
	strbuf_release(&names);
	return rc;
}

/* The record of that name, or the parameters of the one ioctl that has some. */
static int choose_record(struct blamed *blamed, struct err *err)
{
	const struct abi *abi = told_version(blamed)->abi;

	for (size_t i = 0; i < blamed->lookup.item_count; i++) {
		const struct lookup_item *item = &blamed->lookup.items[i];

		if (item->record) {
			blamed->record = item->record->name;
			return 0;
		}
		if (!item->ioctl || !lookup_record(abi, item->ioctl))
			continue;
		if (blamed->record)
			return several(blamed, err);
		blamed->record = item->ioctl->params;
		blamed->ioctl.item = item;
	}
	return blamed->record ? 0 : no_parameters(blamed, &blamed->lookup.items[0], err);
}

/* Goes on with the nearest version that has it. */
static int tell_nearest(struct blamed *blamed, struct err *err)
{
	size_t nearest = blamed->nearest = blamed->lookup.nearest;
	int rc;

	blamed->trace = &blamed->traces[1];
	if ((rc = blame_trace(blamed, blamed->words.graph.versions[nearest].version, err)))
		return rc;
	word_lookup_at(&blamed->lookup, &blamed->word, &blamed->words, told_version(blamed)->abi, nearest, &blamed->arena);
	return 0;
}

static int blame_find(struct blamed *blamed, struct err *err)
{
	const struct history_version *version = told_version(blamed);
	int rc;

	blamed->request = (struct store_request){ .version = version->version, .skipped = true, .abi = *version->abi };
	if ((rc = word_load(&blamed->words, &blamed->request, blamed->args, err)) ||
	    (blamed->args->table && (rc = load_table_for(&blamed->table, version->abi->driver, blamed->args, &blamed->arena, err))))
		return rc;
	blamed->words.table = blamed->args->table ? &blamed->table : NULL;
	lookup_find(&blamed->lookup, &blamed->words.scope, &blamed->word, &blamed->arena);
	if (!blamed->word.is_number && (history_is_glob(blamed->name) ||
	    (!blamed->lookup.item_count && blamed->lookup.nearest == blamed->words.graph.version_count)))
		return no_record(blamed, err);
	if ((rc = word_check(&blamed->lookup, &blamed->word, &blamed->words, err)) ||
	    (word_is_elsewhere(&blamed->lookup, &blamed->words) && (rc = tell_nearest(blamed, err))))
		return rc;
	return choose_record(blamed, err);
}

static void blame_describe(struct blamed *blamed)
{
	size_t version = is_elsewhere(blamed) ? blamed->nearest : blamed->words.scope.version;

	if (blamed->ioctl.item)
		word_describe(&blamed->ioctl, &blamed->words, told_version(blamed)->abi, version, &blamed->arena);
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

static void render_text(struct strbuf *out, const struct blame *blame, const struct blamed *blamed)
{
	struct report_style style = output_style(blamed->args);

	if (is_elsewhere(blamed))
		report_elsewhere_text(out, &blamed->word, blamed->request.abi.version, told_version(blamed)->version, &style);
	if (blamed->ioctl.item) {
		report_described_text(out, &blamed->words.graph, &blamed->ioctl, &style);
		strbuf_addch(out, '\n');
	}
	report_blame_text(out, blame, &blamed->trace->graph, blamed->field, &style);
}

static void blame_render(struct strbuf *out, const struct blame *blame, const struct blamed *blamed)
{
	struct blame_ioctl ioctl = { &blamed->ioctl, &blamed->words.graph };

	if (!strcmp(blamed->args->format, "json"))
		report_blame_ioctl_json(out, blame, &blamed->trace->graph, blamed->field, blamed->ioctl.item ? &ioctl : NULL);
	else
		render_text(out, blame, blamed);
}

int cmd_blame(const struct cli_args *args, struct err *err)
{
	struct blamed blamed = { .args = args, .trace = &blamed.traces[0] };
	struct strbuf out = { 0 };
	struct blame blame;
	int rc;

	if ((rc = blame_words(&blamed, err)) ||
	    (rc = blame_trace(&blamed, args->version ? args->version : "", err)) ||
	    (rc = blame_find(&blamed, err)) ||
	    (rc = history_blame(&blame, &blamed.trace->graph, blamed.trace->loaded.newest, blamed.record, &blamed.arena, err)))
		goto out;
	if (blamed.field && !report_blame_has(&blame, blamed.field)) {
		rc = no_field(&blame, blamed.field, told_version(&blamed)->version, err);
		goto out;
	}
	blame_describe(&blamed);
	blame_render(&out, &blame, &blamed);
	rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	trace_release(&blamed.traces[0]);
	trace_release(&blamed.traces[1]);
	load_documents_release(&blamed.request, 1);
	arena_release(&blamed.arena);
	return rc;
}
