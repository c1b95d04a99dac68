/* cli/cmd_profile.c - drvabi profile: proposes a profile for a driver, and shows the built-in profiles */
#include "cli/cli.h"

#include "store/cache.h"
#include "extract/extract.h"
#include "abi/abi.h"
#include "source/source.h"

#include <string.h>

/* --- the tree --- */

static int newest_tag(const char **out, struct source *source, struct arena *arena, struct err *err)
{
	const char *const *names;
	size_t count;
	int rc = source_versions(&names, &count, source, arena, err);

	if (!rc && !count)
		rc = err_set(err, ERR_NOT_FOUND, "%s has no tags; name a version with --version",
			     source_shown(source));
	if (!rc)
		*out = names[count - 1];
	return rc;
}

static int open_repository(struct tree **out, const struct cli_args *args, struct err *err)
{
	struct source *source = NULL;
	const char *version = args->version;
	struct strbuf dir = { 0 };
	int rc;

	if (!(rc = cache_default_dir(&dir, err)))
		rc = source_open(&source, args->repo, &(struct source_options){ .cache_dir = dir.text }, err);
	if (!rc && !version)
		rc = newest_tag(&version, source, args->arena, err);
	if (!rc)
		rc = source_tree(out, source, version, err);
	source_free(source);
	strbuf_release(&dir);
	return rc;
}

static int open_tree(struct tree **out, const struct cli_args *args, struct err *err)
{
	if (args->dir && args->version)
		return usage_error(err, "--dir is a tree without versions; leave --version out");
	if (args->dir)
		return source_directory(out, args->dir, NULL, err);
	if (!args->repo)
		return usage_error(err, "profile init needs a tree: --dir PATH or --repo PATH");
	return open_repository(out, args, err);
}

/* --- the proposed profile --- */

/* Returns true if the tree need not contain @header, because clang or the profile's "basics" provides it. */
static bool is_provided_header(const char *header)
{
	static const char *const of_clang[] = { "stdint.h", "stddef.h", "stdbool.h",  "stdarg.h",
						"limits.h", "float.h",  "stdalign.h", "iso646.h" };

	return texts_have(of_clang, sizeof(of_clang) / sizeof(*of_clang), header) ||
	       json_has_linux_stand_in(header);
}

/* Formats a list as "a, b, c and 4 more". */
static const char *list_of(const struct profile_strings *list, struct arena *arena)
{
	enum { SHOWN = 6 };
	struct strbuf text = { 0 };
	const char *copy;

	for (size_t i = 0; i < list->count && i < SHOWN; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : "", list->item[i]);
	if (list->count > SHOWN)
		strbuf_addf(&text, " and %zu more", list->count - SHOWN);
	copy = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return copy;
}

static void say_unsure(const struct proposal *proposal, const struct cli_args *args)
{
	output_note(args,
		    "%zu ioctl%s found in the text of %zu header%s; try: drvabi surface -v --profile %s",
		    proposal->ioctl_count, proposal->ioctl_count == 1 ? " was" : "s were",
		    proposal->header_count, proposal->header_count == 1 ? "" : "s",
		    args->output ? args->output : "FILE");
	if (proposal->enumerators.count)
		output_note(args,
			"not in the profile: enumerators with numbers of ioctls (%s); such ioctls need a family with \"source\": \"enum\" and the name of their enum",
			list_of(&proposal->enumerators, args->arena));
	if (proposal->missing.count)
		output_note(args,
			"missing: %s, which the headers include; put the declarations that they use into \"stand_ins\" or \"prologue\"",
			list_of(&proposal->missing, args->arena));
	if (proposal->has_unknown_types)
		output_note(args, "unknown: the types of some ioctls, so \"types\" is left out");
	else if (proposal->type_count > 1)
		output_note(args,
			"unknown: whether the ioctls of %zu type characters belong to one device or to several; each device needs a family",
			proposal->type_count);
	if (proposal->by_nr.count)
		output_note(args,
			"unknown: _IOC_NR() is in %s; if the driver compares type and nr only, set \"known_by\" to \"nr\"",
			list_of(&proposal->by_nr, args->arena));
	else
		output_note(args,
			"unknown: whether the driver compares the whole number or only type and nr (\"known_by\": \"nr\")");
	output_note(args, "unknown: the roles of fields that do not have a usual name");
}

static int profile_init(const struct cli_args *args, struct err *err)
{
	struct proposal proposal;
	struct tree *tree = NULL;
	int rc;

	if (!(rc = open_tree(&tree, args, err)) &&
	    !(rc = extract_propose(&proposal, tree, is_provided_header, args->arena, err))) {
		extract_write_proposal(args->out, &proposal, args->arena);
		say_unsure(&proposal, args);
	}
	tree_free(tree);
	return rc;
}

/* --- the built-in profiles --- */

static int profile_list(const struct cli_args *args, struct err *err)
{
	struct profile profile;
	int rc = 0;

	for (const char *const *name = profile_builtin_names(); *name && !rc; name++) {
		const char *text = profile_builtin(*name);

		rc = json_read_profile(&profile, text, strlen(text), *name, args->arena, err);
		if (!rc)
			strbuf_addf(args->out, "%-14s %s\n", *name, profile.description);
	}
	return rc;
}

static int profile_show(const struct cli_args *args, struct err *err)
{
	const char *name = args->words[1], *text = profile_builtin(name);

	if (!text)
		return err_set(err, ERR_NOT_FOUND,
			       "no profile '%s' is built in; drvabi profile list lists the built-in profiles", name);
	strbuf_adds(args->out, text);
	return 0;
}

int cmd_profile(const struct cli_args *args, struct err *err)
{
	const char *verb = args->word_count ? args->words[0] : "";
	size_t expected = strcmp(verb, "show") ? 1 : 2;
	int rc;

	if (strcmp(verb, "init") && strcmp(verb, "list") && strcmp(verb, "show"))
		return usage_error(err, "profile can init, list or show%s%s%s", *verb ? ", not '" : "", verb,
				   *verb ? "'" : "");
	if (args->word_count > expected)
		return usage_error(err, "profile %s does not take '%s'; see drvabi profile --help", verb,
				   args->words[expected]);
	if (args->word_count < expected)
		return usage_error(err, "profile show prints one profile; name it");
	if (!strcmp(verb, "init"))
		rc = profile_init(args, err);
	else
		rc = strcmp(verb, "list") ? profile_show(args, err) : profile_list(args, err);
	return rc ? rc : output_write(args->out, args, err);
}
