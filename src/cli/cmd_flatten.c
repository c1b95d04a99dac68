#include "cli/commands.h"
#include "cli/load.h"
#include "cli/nearby.h"
#include "cli/output.h"
#include "cli/role_list.h"

#include "flatten/flatten.h"
#include "abi/abi.h"
#include "report/report.h"

#include <fnmatch.h>
#include <string.h>

/* The layouts that are asked for. */
struct flattened {
	unsigned roles; /* bits of 1u << enum abi_role: only scalars of these; 0: all */
	struct abi_layout *layouts;
	size_t count;
};

static int flatten_request(struct store_request *request, const struct cli_args *args, struct err *err)
{
	if (args->word_count > 1)
		return err_set(err, ERR_USAGE, "flatten takes one document, not %zu", args->word_count);
	if (args->word_count && (args->version || args->dir))
		return err_set(err, ERR_USAGE, "'%s' is a document; leave out --version and --dir, or the document", args->words[0]);
	if (args->dir && args->version)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; leave --version out");
	request->version = args->version;
	if (!args->version && !args->dir)
		request->json = args->word_count ? args->words[0] : "-";
	return 0;
}

static int no_record(const struct abi *abi, const char *glob, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	nearby_records(&nearest, abi, glob);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "no record of %s %s matches '%s'%s", abi->driver, abi->version, glob, strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

static int flatten_all(struct flattened *out, const struct abi *abi, const char *glob, struct arena *arena, struct err *err)
{
	struct abi_layout *layouts = arena_array(arena, abi->record_count + 1, sizeof(*layouts));
	size_t count = 0;
	int rc;

	for (size_t i = 0; i < abi->record_count; i++) {
		const char *name = abi->records[i].name;

		if (glob && fnmatch(glob, name, 0))
			continue;
		if ((rc = flatten_record(&layouts[count], abi, name, arena, err)))
			return rc;
		count++;
	}
	if (glob && !count)
		return no_record(abi, glob, err);
	out->layouts = layouts;
	out->count = count;
	return 0;
}

/* Leaves the scalars of the roles that are asked for, and the records that have some. */
static int select_roles(struct flattened *flat, const struct abi *abi, const struct cli_args *args, struct arena *arena, struct err *err)
{
	size_t left = 0;

	for (size_t i = 0; flat->roles && i < flat->count; i++) {
		flatten_select(&flat->layouts[left], &flat->layouts[i], flat->roles, arena);
		left += flat->layouts[left].leaf_count > 0;
	}
	if (!flat->roles)
		return 0;
	if (flat->count && !left)
		return err_set(err, ERR_NOT_FOUND, "no %s of %s %s has a scalar of the role %s", args->record ? "such record" : "record",
			       abi->driver, abi->version, args->role);
	flat->count = left;
	return 0;
}

static void flatten_text(struct strbuf *out, const struct abi_layout *layouts, size_t count, const struct cli_args *args)
{
	struct report_style style = output_style(args);

	for (size_t i = 0; i < count; i++) {
		if (i)
			strbuf_addch(out, '\n');
		report_layout_text(out, &layouts[i], &style);
	}
}

int cmd_flatten(const struct cli_args *args, struct err *err)
{
	struct store_request request = { 0 };
	struct strbuf out = { 0 };
	struct json_writer writer = { .out = &out };
	struct flattened flat = { 0 };
	int rc;

	if ((rc = flatten_request(&request, args, err)) ||
	    (rc = role_list_read(&flat.roles, args->role, err)) ||
	    (rc = load_documents(&request, 1, args, err)) ||
	    (rc = flatten_all(&flat, &request.abi, args->record, &request.arena, err)) ||
	    (rc = select_roles(&flat, &request.abi, args, &request.arena, err)))
		goto out;
	if (!flat.count)
		output_note(args, "%s %s has no records", request.abi.driver, request.abi.version);
	if (!strcmp(args->format, "json"))
		json_write_layouts(&writer, &request.abi, flat.layouts, flat.count, flat.roles);
	else
		flatten_text(&out, flat.layouts, flat.count, args);
	rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	load_documents_release(&request, 1);
	return rc;
}
