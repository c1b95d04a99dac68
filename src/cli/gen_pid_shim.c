#include "cli/gen_pid_shim.h"

#include "cli/load.h"
#include "cli/load_use.h"
#include "cli/version_range.h"

#include "gen/gen.h"

#include <string.h>

/* What one run has read. */
struct shim_run {
	struct version_range range; /* with --versions */
	struct store_request one;   /* else */
	struct arena arena;
};

static int check_words(const struct cli_args *args, struct err *err)
{
	const char *other = args->lang ? "lang" : args->style ? "style" : args->package ? "package" : args->constants ? "constants" : NULL;

	if (strcmp(args->pid_shim, "c") != 0)
		return err_set(err, ERR_USAGE, "--pid-shim takes c, not '%s'", args->pid_shim);
	if (other)
		return err_set(err, ERR_USAGE, "--pid-shim has nothing to do with --%s; leave it out", other);
	if (args->word_count)
		return err_set(err, ERR_USAGE, "--pid-shim is about all pids; leave '%s' out", args->words[0]);
	if (args->versions && (args->version || args->json || args->dir))
		return err_set(err, ERR_USAGE, "--versions and --%s both say what to read; give one",
			       args->version ? "version" : args->json ? "json" : "dir");
	return 0;
}

static int load(struct shim_run *run, const struct cli_args *args, struct err *err)
{
	if (args->versions)
		return version_range_load(&run->range, args->versions, args, err);
	run->one.version = args->version;
	run->one.json = args->json;
	return load_documents(&run->one, 1, args, err);
}

/* The pids of one document. */
static int select_pids(const struct pids **out, const struct abi *abi, const struct use_rules *rules, struct arena *arena, struct err *err)
{
	static const struct surface_filter all;
	struct surface *surface = arena_array(arena, 1, sizeof(*surface));
	struct pids *pids = arena_array(arena, 1, sizeof(*pids));
	int rc;

	if ((rc = surface_select(surface, abi, NULL, &all, arena, err)) ||
	    (rc = pids_select(pids, surface, rules, arena, err)))
		return rc;
	*out = pids;
	return 0;
}

static int generate(struct strbuf *out, struct shim_run *run, const struct cli_args *args, struct err *err)
{
	size_t count = args->versions ? run->range.count : 1;
	struct store_request *requests = args->versions ? run->range.requests : &run->one;
	const struct pids **versions = arena_array(&run->arena, count, sizeof(*versions));
	const struct abi *first = &requests[0].abi, *last = &requests[count - 1].abi;
	struct use_rules rules;
	const char *origin;
	int rc;

	if ((rc = load_use(&rules, args, &run->arena, err)))
		return rc;
	if (!rules.pids.count)
		return err_set(err, ERR_USAGE, "profile %s does not say how its driver uses process ids, so nothing can be generated", args->profile);
	for (size_t i = 0; i < count; i++)
		if ((rc = select_pids(&versions[i], &requests[i].abi, &rules, &run->arena, err)))
			return rc;
	origin = arena_printf(&run->arena, "%s %s%s%s, %s", first->driver, first->version, count > 1 ? ".." : "", count > 1 ? last->version : "",
			      first->target);
	return gen_pid_shim_c(out, versions, count, origin, &run->arena, err);
}

int gen_pid_shim(struct strbuf *out, const struct cli_args *args, struct err *err)
{
	struct shim_run run = { .one = { 0 } };
	int rc;

	if (!(rc = check_words(args, err)) && !(rc = load(&run, args, err)))
		rc = generate(out, &run, args, err);
	load_documents_release(&run.one, 1);
	version_range_release(&run.range);
	arena_release(&run.arena);
	return rc;
}
