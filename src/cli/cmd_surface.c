#include "cli/commands.h"
#include "cli/load.h"
#include "cli/load_table.h"
#include "cli/output.h"
#include "cli/role_list.h"
#include "cli/surface_options.h"

#include "report/report.h"

#include <string.h>

static int surface_request(struct store_request *request, const struct cli_args *args, struct err *err)
{
	if (args->word_count > 1 || (args->word_count && args->version))
		return err_set(err, ERR_USAGE, "surface is about one version at a time");
	if (args->caps && !args->table)
		return err_set(err, ERR_USAGE, "--caps are a proxy's capabilities; give its table with --table FILE");
	if (args->since && !args->caps)
		return err_set(err, ERR_USAGE, "--since is about what capabilities expose; give --caps as well");
	request->version = args->word_count ? args->words[0] : args->version;
	if (args->dir && request->version)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; leave '%s' out", request->version);
	return 0;
}

static void surface_render(struct strbuf *out, const struct surface_run *run)
{
	const struct cli_args *args = run->args;
	const struct caps *caps = args->caps ? &run->caps : NULL;
	const struct caps_since *since = args->since ? &run->since : NULL;
	struct report_style style = output_style(args);

	if (!strcmp(args->format, "json")) {
		report_surface_json(out, &run->surface, caps, since);
	} else {
		if (caps)
			report_caps_text(out, caps, since, &style);
		if (caps)
			strbuf_addch(out, '\n');
		report_surface_text(out, &run->surface, &style);
	}
}

int cmd_surface(const struct cli_args *args, struct err *err)
{
	struct surface_run run = { .args = args };
	struct store_request *request = &run.request;
	struct surface_filter filter = { .family = args->family, .flag = args->caller, .name = args->name };
	struct strbuf out = { 0 };
	int rc;

	if ((rc = surface_request(request, args, err)) ||
	    (rc = role_list_read(&run.roles, args->role, err)) ||
	    (rc = load_documents(request, 1, args, err)) ||
	    (args->table && (rc = load_table_view(&run.view, &run.table, &request->abi, args, &request->arena, err))) ||
	    (rc = surface_options_read(&run, err)))
		goto out;
	filter.caps = args->caps ? &run.wanted : NULL;
	filter.roles = run.roles;
	if ((rc = surface_select(&run.surface, &request->abi, args->table ? &run.view : NULL, &filter, &request->arena, err)) ||
	    (rc = surface_options_check(&run, err)))
		goto out;
	surface_render(&out, &run);
	rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	load_documents_release(request, 1);
	return rc;
}
