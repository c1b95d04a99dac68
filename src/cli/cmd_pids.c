#include "cli/commands.h"
#include "cli/load.h"
#include "cli/load_table.h"
#include "cli/load_use.h"
#include "cli/output.h"

#include "report/report.h"

#include <string.h>

struct pids_run {
	const struct cli_args *args;
	struct store_request request;
	struct table table;
	struct table_view view;
	struct use_rules rules;
	struct surface surface;
	struct pids pids;
};

static int pids_request(struct store_request *request, const struct cli_args *args, struct err *err)
{
	if (args->word_count > 1 || (args->word_count && args->version))
		return err_set(err, ERR_USAGE, "pids is about one version at a time");
	request->version = args->word_count ? args->words[0] : args->version;
	request->json = args->json;
	if ((args->dir || args->json) && request->version)
		return err_set(err, ERR_USAGE, "--%s names one tree or document; leave '%s' out", args->dir ? "dir" : "json", request->version);
	return 0;
}

static void render(struct strbuf *out, const struct pids_run *run)
{
	struct report_style style = output_style(run->args);
	const char *format = run->args->format;

	if (!strcmp(format, "json"))
		report_pids_json(out, &run->pids);
	else if (!strcmp(format, "markdown"))
		report_pids_markdown(out, &run->pids);
	else
		report_pids_text(out, &run->pids, &style);
}

int cmd_pids(const struct cli_args *args, struct err *err)
{
	static const struct surface_filter all;
	struct pids_run run = { .args = args };
	struct store_request *request = &run.request;
	struct strbuf out = { 0 };
	int rc;

	if ((rc = pids_request(request, args, err)) ||
	    (rc = load_documents(request, 1, args, err)) ||
	    (args->table && (rc = load_table_view(&run.view, &run.table, &request->abi, args, &request->arena, err))) ||
	    (rc = load_use(&run.rules, args, &request->arena, err)) ||
	    (rc = surface_select(&run.surface, &request->abi, args->table ? &run.view : NULL, &all, &request->arena, err)) ||
	    (rc = pids_select(&run.pids, &run.surface, &run.rules, &request->arena, err)))
		goto out;
	if (!run.rules.pids.count)
		output_note(args, "profile %s does not say how its driver uses process ids: no directions, no counts", args->profile);
	render(&out, &run);
	rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	load_documents_release(request, 1);
	return rc;
}
