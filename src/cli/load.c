#include "cli/load.h"

#include "cli/extra_constants.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "abi/abi.h"
#include "extract/profile.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

enum { INPUT_LIMIT_BYTES = 256 * 1024 * 1024 };

int load_profile(struct profile *out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	const char *builtin = profile_builtin(args->profile);
	struct strbuf file = { 0 };
	int rc;

	if (builtin)
		return json_read_profile(out, builtin, strlen(builtin), args->profile, arena, err);
	if (!strchr(args->profile, '/') && !strchr(args->profile, '.')) {
		struct strbuf names = { 0 };

		for (const char *const *name = profile_builtin_names(); *name; name++)
			strbuf_addf(&names, "%s%s", names.length ? ", " : "", *name);
		rc = err_set(err, ERR_NOT_FOUND, "no profile '%s'; built in are %s; a file is named with a dot or a slash",
			     args->profile, strbuf_text(&names));
		strbuf_release(&names);
		return rc;
	}
	rc = file_read(&file, args->profile, INPUT_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_profile(out, strbuf_text(&file), file.length, args->profile, arena, err);
	strbuf_release(&file);
	return rc;
}

/* The stores that the options name, while they are open. */
struct load {
	const struct cli_args *args;
	struct arena arena;
	struct profile profile;
	struct progress progress;
	struct stores *store;
};

static void remark(void *data, enum store_remark kind, const char *sentence)
{
	struct load *load = data;
	const struct cli_args *args = load->args;

	if ((kind == STORE_WARNING && args->quiet) || (kind == STORE_DETAIL && !args->verbose))
		return;
	progress_done(&load->progress);
	output_say(sentence);
}

static void show_progress(void *data, const char *what, size_t done, size_t total)
{
	struct load *load = data;

	progress_show(&load->progress, what, done, total);
}

/* The command line overrides the environment. */
static const char *named_in(const char *option, const char *variable)
{
	const char *value = option ? option : getenv(variable);

	return value && *value ? value : NULL;
}

static int want_constants(struct load *load, const char *list, struct err *err)
{
	struct profile_strings globs;
	int rc;

	if (!(rc = extra_constants_read(&globs, list, &load->arena, err)))
		profile_want_constants(&load->profile, &globs, &load->arena);
	return rc;
}

static int load_begin(struct load *load, const struct cli_args *args, struct arena *documents, struct err *err)
{
	struct store_options options = {
		.profile = &load->profile,
		.target = args->target,
		.archive = args->archive,
		.repo = args->archive ? NULL : named_in(args->repo, "DRVABI_REPO"),
		.dir = args->dir,
		.first_archive = named_in(args->add, "DRVABI_ARCHIVE"),
		.of_repository = args->of_repository,
		.no_archive = args->no_archive || args->constants,
		.no_cache = args->no_cache,
		.jobs = args->jobs,
		.remark = remark,
		.progress = show_progress,
		.data = load,
	};
	int rc;

	*load = (struct load){ .args = args };
	progress_init(&load->progress, args->quiet);
	if ((rc = load_profile(&load->profile, args, &load->arena, err)) ||
	    (args->constants && (rc = want_constants(load, args->constants, err))))
		return rc;
	stores_open(&load->store, &options, documents);
	return 0;
}

static void load_end(struct load *load)
{
	progress_done(&load->progress);
	stores_free(load->store);
	arena_release(&load->arena);
}

void load_warn_each(const struct abi *abi, const char *name)
{
	struct err line; /* makes it one line, whatever an input put into its warnings */

	for (size_t w = 0; w < abi->warning_count; w++) {
		const struct abi_warning *warning = &abi->warnings[w];

		err_set(&line, 0, "%s%s%s%s%s", name ? name : "", name ? ": " : "", warning->place, *warning->place ? ": " : "",
			warning->text);
		output_say(line.text);
	}
}

void load_warn(const struct abi *abi, const char *name, const struct cli_args *args)
{
	struct strbuf count = { 0 };
	struct err line;

	if (!abi->warning_count || args->quiet)
		return;
	if (args->verbose) {
		load_warn_each(abi, name);
		return;
	}
	strbuf_plural(&count, abi->warning_count, "warning");
	err_set(&line, 0, "%s: %s from extraction; details with -v", name, count.text);
	strbuf_release(&count);
	output_say(line.text);
}

static void warn_all(struct load *load, const struct store_request *requests, size_t count)
{
	progress_done(&load->progress);
	for (size_t i = 0; i < count; i++)
		load_warn(&requests[i].abi, requests[i].abi.version, load->args);
}

/* A glob that matches nothing is an error; the names that resemble it come from a document with all constants that there are. */
static int check_constants(const struct store_request *requests, size_t count, const struct cli_args *args, struct err *err)
{
	struct store_request all = { .version = requests[count - 1].version };
	struct cli_args all_args = *args;
	struct arena arena = { 0 };
	const char *glob;
	int rc = 0;

	if (args->constants && (glob = extra_constants_unmatched(requests, count, args, &arena))) {
		all_args.constants = "*";
		all_args.quiet = true;
		if (!strcmp(args->constants, "*"))
			rc = extra_constants_none(glob, &requests[count - 1].abi, err);
		else if (!(rc = load_documents(&all, 1, &all_args, err)))
			rc = extra_constants_none(glob, &all.abi, err);
	}
	arena_release(&all.arena);
	arena_release(&arena);
	return rc;
}

/* --json and a version exclude each other. */
static int check_requests(const struct store_request *requests, size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++)
		if (requests[i].json && requests[i].version)
			return err_set(err, ERR_USAGE, "%s is the document of one version; leave '%s' out", requests[i].json,
				       requests[i].version);
	return 0;
}

int load_documents(struct store_request *requests, size_t count, const struct cli_args *args, struct err *err)
{
	struct load load;
	int rc;

	if ((rc = check_requests(requests, count, err)))
		return rc;
	if (!(rc = load_begin(&load, args, &requests[0].arena, err)) &&
	    !(rc = stores_documents(requests, count, load.store, err)))
		warn_all(&load, requests, count);
	load_end(&load);
	return rc ? rc : check_constants(requests, count, args, err);
}

void load_documents_release(struct store_request *requests, size_t count)
{
	for (size_t i = 0; i < count; i++)
		arena_release(&requests[i].arena);
}

int load_history(struct store_history *out, const struct store_choice *choice, const struct cli_args *args, struct arena *arena,
		 struct err *err)
{
	struct load load;
	int rc;

	if (!(rc = load_begin(&load, args, arena, err)) &&
	    !(rc = stores_history(out, load.store, choice, err)))
		warn_all(&load, out->requests, out->graph.count);
	load_end(&load);
	return rc;
}

int load_around(struct store_around *out, struct store_request *request, const struct cli_args *args, struct err *err)
{
	struct load load;
	int rc;

	if ((rc = check_requests(request, 1, err)))
		return rc;
	if (!(rc = load_begin(&load, args, &request->arena, err)) &&
	    !(rc = stores_around(out, request, load.store, err)))
		warn_all(&load, request, 1);
	load_end(&load);
	return rc ? rc : check_constants(request, 1, args, err);
}

int load_archive(const struct archive **out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct load load;
	int rc;

	if (!(rc = load_begin(&load, args, arena, err)))
		rc = stores_archive(out, load.store, err);
	load_end(&load);
	return rc;
}

int load_tags(const char *const **names, size_t *count, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct load load;
	int rc;

	if (!(rc = load_begin(&load, args, arena, err)))
		rc = stores_tags(names, count, load.store, err);
	load_end(&load);
	return rc;
}
