#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"

#include "report/surface.h"

#include <string.h>

/* "graphics,video" as a list. */
static void split_caps(struct profile_strings *out, const char *text, struct arena *arena)
{
	const char **item = arena_array(arena, strlen(text) + 1, sizeof(*item));

	*out = (struct profile_strings){ item, 0 };
	while (*text) {
		size_t length = strcspn(text, ",");

		if (length)
			item[out->count++] = arena_strndup(arena, text, length);
		text += length + (text[length] == ',');
	}
}

static int surface_request(struct load_request *request, const struct cli_args *args, struct err *err)
{
	if (args->word_count > 1 || (args->word_count && args->version))
		return err_set(err, ERR_USAGE, "surface is about one version at a time");
	if (args->caps && !args->table)
		return err_set(err, ERR_USAGE, "--caps are a proxy's capabilities; give its table with --table FILE");
	request->version = args->word_count ? args->words[0] : args->version;
	if (args->dir && request->version)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; leave '%s' out", request->version);
	if (!args->dir && !request->version)
		return load_newest_version(&request->version, args, &request->arena, err);
	return 0;
}

static void surface_render(struct strbuf *out, const struct surface *surface, const struct cli_args *args)
{
	const char *format = output_format(args, cli_find_command("surface"));
	struct report_style style = output_style(args);

	if (!strcmp(format, "json")) {
		report_surface_json(out, surface);
	} else if (!strcmp(format, "csv")) {
		report_surface_csv(out, surface);
	} else {
		if (args->caps)
			report_caps_text(out, surface, &style);
		if (args->caps)
			strbuf_addch(out, '\n');
		report_surface_text(out, surface, &style);
	}
}

int cmd_surface(const struct cli_args *args, struct err *err)
{
	struct load_request request = { 0 };
	struct surface_filter filter = { .family = args->family, .flag = args->caller, .name = args->class_glob };
	struct profile_strings caps;
	struct strbuf out = { 0 };
	struct table_view view;
	struct table table;
	struct surface surface;
	int rc;

	if ((rc = surface_request(&request, args, err)) ||
	    (rc = load_documents(&request, 1, args, err)) ||
	    (args->table && (rc = load_table_view(&view, &table, &request.abi, args, &request.arena, err))))
		goto out;
	if (args->caps) {
		split_caps(&caps, args->caps, &request.arena);
		filter.caps = caps.count ? &caps : NULL;
	}
	surface_select(&surface, &request.abi, args->table ? &view : NULL, &filter, &request.arena);
	surface_render(&out, &surface, args);
	rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	arena_release(&request.arena);
	return rc;
}
