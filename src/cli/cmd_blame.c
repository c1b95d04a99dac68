#include "cli/commands.h"
#include "cli/nearby.h"
#include "cli/output.h"
#include "cli/trace.h"

#include "report/report.h"

#include <string.h>

/* "NAME.FIELD": no name of C has a dot. */
static int blame_words(const char **name, const char **field, const struct cli_args *args, struct arena *arena, struct err *err)
{
	const char *word = args->word_count ? args->words[0] : "";
	const char *dot = strchr(word, '.');

	if (args->word_count != 1)
		return err_set(err, ERR_USAGE, "blame takes one record, NAME or NAME.FIELD%s",
			       args->word_count ? "; --version says which version" : "");
	*name = dot ? arena_strndup(arena, word, (size_t)(dot - word)) : word;
	*field = dot ? dot + 1 : NULL;
	return 0;
}

static bool is_known(const struct abi *abi, const char *name)
{
	const struct abi_ioctl *ioctl = abi_find_ioctl(abi, NULL, name);

	return abi_find_record(abi, name) || (ioctl && ioctl->params);
}

static int no_record(const struct abi *abi, const char *name, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	nearby_records(&nearest, abi, name);
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (abi->ioctls[i].params)
			abi_nearest_name(&nearest, name, abi->ioctls[i].name);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "%s %s has no record called '%s', and no ioctl of that name with parameters%s", abi->driver,
		     abi->version, name, strbuf_text(&near));
	strbuf_release(&near);
	return rc;
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

static void blame_render(struct strbuf *out, const struct blame *blame, const struct trace *trace, const char *field)
{
	struct report_style style = output_style(trace->args);

	if (!strcmp(output_format(trace->args, cli_find_command("blame")), "json"))
		report_blame_json(out, blame, &trace->graph, field);
	else
		report_blame_text(out, blame, &trace->graph, field, &style);
}

int cmd_blame(const struct cli_args *args, struct err *err)
{
	const char *name = NULL, *field = NULL, *version = args->version ? args->version : "";
	struct trace trace = { .args = args };
	struct arena arena = { 0 };
	struct strbuf out = { 0 };
	const struct abi *abi;
	struct blame blame;
	int rc;

	if ((rc = blame_words(&name, &field, args, &arena, err)) ||
	    (rc = trace_load(&trace, version, args, err)))
		goto out;
	if (!trace.graph.versions[trace.loaded.newest].abi) {
		*err = trace.loaded.requests[trace.loaded.newest].err;
		rc = trace.loaded.requests[trace.loaded.newest].rc;
		goto out;
	}
	abi = trace.graph.versions[trace.loaded.newest].abi;
	if (!is_known(abi, name)) {
		rc = no_record(abi, name, err);
		goto out;
	}
	if ((rc = history_blame(&blame, &trace.graph, trace.loaded.newest, name, &arena, err)))
		goto out;
	if (field && !report_blame_has(&blame, field)) {
		rc = no_field(&blame, field, trace.graph.versions[trace.loaded.newest].version, err);
		goto out;
	}
	blame_render(&out, &blame, &trace, field);
	rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	arena_release(&arena);
	trace_release(&trace);
	return rc;
}
