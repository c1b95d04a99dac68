/* cli/cmd_gen.c - drvabi gen, and the pid shim */
#include "cli/cli.h"

#include <fnmatch.h>

/* The state of one run of gen. */
struct gen_run {
	const struct cli_args *args;
	enum gen_language language;
	const struct abi **versions;    /* oldest first */
	size_t version_count;
};

static enum gen_style style_of(const struct cli_args *args)
{
	return args->gen_style && !strcmp(args->gen_style, "nvproxy") ? GEN_NVPROXY : GEN_PLAIN;
}

/* Checks the arguments, and sets @language to that of --lang. */
static int check_words(enum gen_language *language, const struct cli_args *args, struct err *err)
{
	const char *other;
	int rc;

	if (!args->lang)
		return usage_error(err, "gen needs --lang " GEN_LANGUAGES);
	if ((rc = gen_language_parse(language, args->lang, err)))
		return rc;
	if (*language != GEN_GO && (other = cli_given(args, "style package table")))
		return usage_error(err, "--%s is for --lang go; leave it out", other);
	if (!args->word_count && !args->table && !args->constants)
		return usage_error(err,
				   "what should be generated? drvabi gen --lang %s NAME..., or '*' for all",
				   args->lang);
	return 0;
}

/* Sets run->versions to the document of one version, or to those of all versions of --versions. */
static int load_versions(struct gen_run *run, struct err *err)
{
	struct version_range range = { 0 };
	int rc;

	if ((rc = version_range_load(&range, run->args->version, run->args, err)))
		return rc;
	run->version_count = range.count;
	run->versions = arena_array(run->args->arena, run->version_count, sizeof(*run->versions));
	for (size_t i = 0; i < run->version_count; i++)
		run->versions[i] = &range.requests[i].abi;
	return 0;
}

/* Appends the source text of @file in @language. Return: 0; what gen_c() or gen_python() returns. */
static int add_source(struct strbuf *out, enum gen_language language, const struct gen_file *file,
		      struct err *err)
{
	switch (language) {
	case GEN_GO: gen_go(out, file); return 0;
	case GEN_C: return gen_c(out, file, err);
	case GEN_RUST: gen_rust(out, file); return 0;
	case GEN_PYTHON: return gen_python(out, file, err);
	}
	return 0;
}

/*
 * Appends source text for the names of the words and of --constants, from the documents of the versions.
 * Prints a note if gVisor's Go package already has all. Fails, with similar names, if no version has a name.
 */
static int gen_documents(struct strbuf *out, struct gen_run *run, struct err *err)
{
	static const struct table nothing;
	const struct cli_args *args = run->args;
	struct gen_request request = { .language = run->language,
				       .style = style_of(args),
				       .package = args->package,
				       .is_range = args->versions };
	struct profile_strings constants = { NULL, 0 };
	struct abi_nearest nearest = { .count = 0 };
	struct proxytype_set *set = NULL;
	const struct abi *first, *last;
	const char *lost = NULL, **globs;
	struct gen_file file;
	int rc;

	if (args->constants && (rc = extra_constants_read(&constants, args, err)))
		return rc;
	globs = arena_array(args->arena, args->word_count + constants.count, sizeof(*globs));
	for (size_t i = 0; i < args->word_count; i++)
		globs[request.glob_count++] = args->words[i];
	for (size_t i = 0; i < constants.count; i++)
		globs[request.glob_count++] = constants.item[i];
	if ((rc = load_versions(run, err)))
		return rc;
	request.globs = globs;
	request.versions = run->versions;
	request.version_count = run->version_count;
	if (run->language == GEN_GO)
		set = proxytype_set_new(request.style == GEN_NVPROXY ? &gen_nvproxy_types : &nothing,
					args->arena);
	rc = gen_collect(&file, &request, set, &lost, args->arena, err);
	if (!rc && !file.type_count && !file.definition_count && !file.constants_count)
		output_note(args, "gVisor's package nvgpu already declares the requested types");
	if (!rc) {
		rc = add_source(out, run->language, &file, err);
	} else if (lost) {
		first = run->versions[0];
		last = run->versions[run->version_count - 1];
		nearby_names(&nearest, last, lost);
		rc = nearby_fail(err, &nearest, "no record, ioctl, enum or constant of %s %s%s%s is called '%s'",
				 last->driver, first->version, first != last ? ".." : "",
				 first != last ? last->version : "", lost);
	}
	proxytype_set_free(set);
	return rc;
}

/* --- the types of a table ----------------------------------------------------------- */

/* Appends to @out the types that the words match, or all. Return: 0; ERR_NOT_FOUND if a word matches none. */
static int choose_types(struct table_type *out, size_t *count, const struct table *table,
			const struct cli_args *args, struct err *err)
{
	bool *chosen = arena_array(args->arena, table->type_count + 1, sizeof(*chosen));

	for (size_t w = 0; w < args->word_count; w++) {
		struct abi_nearest nearest = { .count = 0 };
		bool found = false;

		for (size_t i = 0; i < table->type_count; i++) {
			abi_nearest_name(&nearest, args->words[w], table->types[i].name);
			if (!fnmatch(args->words[w], table->types[i].name, 0))
				found = chosen[i] = true;
		}
		if (!found)
			return nearby_fail(err, &nearest, "%s has no type called '%s'", table->path,
					   args->words[w]);
	}
	for (size_t i = 0; i < table->type_count; i++)
		if (!args->word_count || chosen[i])
			out[(*count)++] = table->types[i];
	return 0;
}

/* Appends Go source text of the types of --table that the arguments name. */
static int gen_table(struct strbuf *out, struct gen_run *run, struct err *err)
{
	struct table_type *types;
	struct table table;
	struct gen_file file;
	size_t count = 0;
	int rc;

	if ((rc = load_table(&table, run->args, err)))
		return rc;
	types = arena_array(run->args->arena, table.type_count, sizeof(*types));
	if ((rc = choose_types(types, &count, &table, run->args, err)) ||
	    (rc = gen_collect_types(&file, style_of(run->args), run->args->package, types, count,
				    run->args->arena, err)))
		return rc;
	file.origin = arena_printf(run->args->arena, "Types of %s, %s.", table.proxy, table.revision);
	gen_go(out, &file);
	return 0;
}

/* --- gen --pid-shim ------------------------------------------------------------------ */

/*
 * Appends C code that maps the process ids (pids) in the ioctls of the versions that the options name. Fails
 * with ERR_USAGE if there are words, or if the profile has no rules about process ids.
 */
static int gen_pid_shim(struct strbuf *out, struct gen_run *run, struct err *err)
{
	static const struct surface_filter all;
	const struct cli_args *args = run->args;
	struct arena *arena = args->arena;
	const struct abi *first, *last;
	const struct pids **versions;
	struct use_rules rules;
	const char *origin;
	int rc;

	if (args->word_count)
		return usage_error(err, "--pid-shim takes no names; leave '%s' out", args->words[0]);
	if ((rc = load_versions(run, err)) || (rc = load_use(&rules, args, err)))
		return rc;
	if (!rules.pids.count)
		return usage_error(err,
			"profile %s does not say how its driver uses process ids, so nothing can be "
			"generated",
			args->profile);
	versions = arena_array(arena, run->version_count, sizeof(*versions));
	for (size_t i = 0; i < run->version_count; i++) {
		struct surface *surface = arena_array(arena, 1, sizeof(*surface));
		struct pids *pids = arena_array(arena, 1, sizeof(*pids));

		if ((rc = surface_select(surface, run->versions[i], NULL, &all, arena, err)) ||
		    (rc = pids_select(pids, surface, &rules, arena, err)))
			return rc;
		versions[i] = pids;
	}
	first = run->versions[0];
	last = run->versions[run->version_count - 1];
	origin = arena_printf(arena, "%s %s%s%s, %s", first->driver, first->version,
			      first != last ? ".." : "", first != last ? last->version : "", first->target);
	return gen_pid_shim_c(out, versions, run->version_count, origin, arena, err);
}

int cmd_gen(struct cli_args *args, struct err *err)
{
	struct gen_run run = { .args = args };
	int rc;

	if (args->pid_shim)
		return gen_pid_shim(args->out, &run, err);
	if ((rc = check_words(&run.language, args, err)))
		return rc;
	return args->table ? gen_table(args->out, &run, err) : gen_documents(args->out, &run, err);
}
