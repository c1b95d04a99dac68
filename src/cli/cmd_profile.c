/* cli/cmd_profile.c - drvabi profile: proposes a profile for a driver, and shows the built-in profiles */
#include "cli/cli.h"

#include "extract/extract.h"

/* --- the proposed profile --- */

/*
 * Returns true if the tree need not contain @header, because clang or the profile's "basics" provides it.
 * extract_propose() lists other headers that the tree does not contain as missing.
 */
static bool is_provided_header(const char *header)
{
	static const char *const of_clang[] = { "stdint.h", "stddef.h", "stdbool.h",  "stdarg.h",
						"limits.h", "float.h",  "stdalign.h", "iso646.h" };

	return texts_have(of_clang, sizeof(of_clang) / sizeof(*of_clang), header) ||
	       json_has_linux_stand_in(header);
}

/* Formats a list as "a, b, c and 4 more", for a note. */
static const char *list_of(const struct profile_strings *list, struct arena *arena)
{
	enum { SHOWN = 6 };
	struct strbuf text = { 0 };

	for (size_t i = 0; i < list->count && i < SHOWN; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : "", list->item[i]);
	if (list->count > SHOWN)
		strbuf_addf(&text, " and %zu more", list->count - SHOWN);
	return strbuf_take(&text, arena);
}

/*
 * Appends notes: what profile init could not find out, so that the user must check or add it. Each ends with
 * a NUL, so that profile_init_command() can print them one by one.
 */
static void add_notes(struct strbuf *out, const struct proposal *proposal, const struct cli_args *args)
{
	struct arena *arena = args->arena;

	text_put(out, arena_printf(arena, "%zu ioctl%s found in the text of %zu header%s; try: drvabi surface -v --profile %s",
				   proposal->ioctl_count, proposal->ioctl_count == 1 ? " was" : "s were",
				   proposal->header_count, proposal->header_count == 1 ? "" : "s",
				   args->output ? args->output : "FILE"));
	if (proposal->enumerators.count)
		text_put(out, arena_printf(arena,
			"not in the profile: enumerators with numbers of ioctls (%s); such ioctls need a family with \"source\": \"enum\" and the name of their enum",
			list_of(&proposal->enumerators, arena)));
	if (proposal->missing.count)
		text_put(out, arena_printf(arena,
			"missing: %s, which the headers include; put the declarations that they use into \"stand_ins\" or \"prologue\"",
			list_of(&proposal->missing, arena)));
	if (proposal->has_unknown_types)
		text_put(out, "unknown: the types of some ioctls, so \"types\" is left out");
	else if (proposal->type_count > 1)
		text_put(out, arena_printf(arena,
			"unknown: whether the ioctls of %zu type characters belong to one device or to several; each device needs a family",
			proposal->type_count));
	if (proposal->by_nr.count)
		text_put(out, arena_printf(arena,
			"unknown: _IOC_NR() is in %s; if the driver compares type and nr only, set \"known_by\" to \"nr\"",
			list_of(&proposal->by_nr, arena)));
	else
		text_put(out, "unknown: whether the driver compares the whole number or only type and nr (\"known_by\": \"nr\")");
	text_put(out, "unknown: the roles of fields that do not have a usual name");
}

/*
 * The job of profile init in a worker: appends the proposed profile and then the notes, each with its NUL,
 * for profile_init_command(). Return: 0; what extract_propose() returns.
 */
static int propose(void *data, struct tree *tree, struct strbuf *out, struct err *err)
{
	const struct cli_args *args = data;
	struct proposal proposal;
	int rc = extract_propose(&proposal, tree, is_provided_header, args->arena, err);

	if (rc)
		return rc;
	extract_write_proposal(out, &proposal, args->arena);
	strbuf_addch(out, '\0');
	add_notes(out, &proposal, args);
	return 0;
}

/* Appends a profile that is proposed for the headers of a tree, and prints the notes about the profile. */
static int profile_init_command(const struct cli_args *args, struct err *err)
{
	const struct tree_job job = { propose, (void *)args };
	struct byte_reader in;
	int rc;

	if (!args->dir && !args->repo)
		return usage_error(err, "profile init needs a tree: --dir PATH or --repo PATH");
	if ((rc = load_run_job(&in, &job, args, err)))
		return rc;
	strbuf_adds(args->out, byte_reader_text(&in));
	while (in.at < in.end)
		output_note(args, "%s", byte_reader_text(&in));
	return 0;
}

/* --- the built-in profiles --- */

/* drvabi profile: proposes a profile for a tree, or appends a built-in profile or the list of them. */
int cmd_profile(struct cli_args *args, struct err *err)
{
	const char *verb = args->word_count ? args->words[0] : "";
	size_t expected = strcmp(verb, "show") ? 1 : 2;
	struct profile profile;
	const char *text;
	int rc = 0;

	if (strcmp(verb, "init") && strcmp(verb, "list") && strcmp(verb, "show"))
		return usage_verb(args, "profile", "init, list or show", err);
	if (args->word_count > expected)
		return usage_error(err, "profile %s does not take '%s'; see drvabi profile --help", verb,
				   args->words[expected]);
	if (args->word_count < expected)
		return usage_error(err, "profile show prints one profile; name it");
	if (!strcmp(verb, "init")) {
		rc = profile_init_command(args, err);
	} else if (!strcmp(verb, "show")) {
		if (!(text = profile_builtin(args->words[1])))
			return err_set(err, ERR_NOT_FOUND,
				       "no profile '%s' is built in; drvabi profile list lists the built-in profiles",
				       args->words[1]);
		strbuf_adds(args->out, text);
	} else {
		for (const char *const *name = profile_builtin_names(); *name && !rc; name++) {
			text = profile_builtin(*name);
			rc = json_read_profile(&profile, text, strlen(text), *name, args->arena, err);
			if (!rc)
				strbuf_addf(args->out, "%-14s %s\n", *name, profile.description);
		}
	}
	return rc;
}
