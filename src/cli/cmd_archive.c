/* cli/cmd_archive.c - drvabi archive: lists the versions of an archive, and writes or extends an archive */
#include "cli/cli.h"

/* archive list: the versions of an archive, and the versions that only the repository has */

static const char *parent_name(const struct archive_head *head, size_t index)
{
	long parent = head->graph.versions[index].parent;

	return parent == SOURCE_NO_PARENT ? NULL : head->graph.versions[parent].name;
}

/* The output of archive list. */
struct listing {
	const char *name;      /* the name of the archive's file */
	const struct archive_head *head;
	const char **beyond;   /* the tags of the repository that the archive does not contain */
	size_t beyond_count;
	bool has_repository;   /* the repository was read */
};

/* Appends the text of archive list: the versions, and the tags that archive write --add would add. */
static void list_text(struct strbuf *out, const struct listing *listing)
{
	const struct archive_head *head = listing->head;

	escape_addf(out, escape_terminal, "%s: ", head->driver);
	strbuf_plural(out, head->graph.count, "version");
	for (size_t i = 0; i < head->target_count; i++)
		escape_addf(out, escape_terminal, i ? ", %s" : " for %s", head->targets[i]);
	escape_addf(out, escape_terminal, "\n  %s\n\n%-16s %-12s %-12s %s\n", listing->name, "version",
		    "committed", "commit", "follows");
	for (size_t i = 0; i < head->graph.count; i++) {
		const struct source_version *version = &head->graph.versions[i];
		const char *parent = parent_name(head, i);
		char day[32];

		escape_addf(out, escape_terminal, "%-16s %-12s %-12.12s %s%s\n", version->name,
			    text_of_day(version->time, day), version->commit, parent ? parent : "-",
			    version->on_main || !head->graph.main ? "" : "  (not on the main branch)");
	}
	if (!listing->beyond_count)
		return;
	escape_addf(out, escape_terminal,
		    "\nThe repository has %zu more; drvabi archive write --add FILE adds them:\n",
		    listing->beyond_count);
	for (size_t i = 0; i < listing->beyond_count; i++)
		escape_addf(out, escape_terminal, "%s\n", listing->beyond[i]);
}

/* Appends the JSON of archive list. "beyond" is null if no repository was read. */
static void list_json(struct strbuf *out, const struct listing *listing)
{
	const struct archive_head *head = listing->head;
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "format", "drvabi-archive/2");
	json_key_string(&writer, "driver", head->driver);
	json_key_string(&writer, "profile", head->profile);
	json_key_unsigned(&writer, "generation", head->generation);
	json_key_open(&writer, "targets", json_open_array);
	for (size_t i = 0; i < head->target_count; i++)
		json_string(&writer, head->targets[i]);
	json_close_array(&writer);
	json_key_string(&writer, "main", head->graph.main);
	json_key_bool(&writer, "shallow", head->graph.shallow);
	json_key_open(&writer, "versions", json_open_array);
	for (size_t i = 0; i < head->graph.count; i++) {
		const struct source_version *version = &head->graph.versions[i];

		json_open_inline_object(&writer);
		json_key_string(&writer, "version", version->name);
		json_key_string(&writer, "commit", version->commit);
		json_key(&writer, "time");
		json_number(&writer, abi_number_signed(version->time));
		json_key_string(&writer, "parent", parent_name(head, i));
		json_key_bool(&writer, "on_main", version->on_main);
		json_close_object(&writer);
	}
	json_close_array(&writer);
	json_key(&writer, "beyond");
	if (listing->has_repository) {
		json_open_array(&writer);
		for (size_t i = 0; i < listing->beyond_count; i++)
			json_string(&writer, listing->beyond[i]);
		json_close_array(&writer);
	} else {
		json_null(&writer);
	}
	json_close_object(&writer);
	json_end(&writer);
}

static bool archive_has(const struct archive_head *head, const char *version)
{
	for (size_t i = 0; i < head->graph.count; i++)
		if (!strcmp(head->graph.versions[i].name, version))
			return true;
	return false;
}

/*
 * Sets listing->beyond to the tags of the repository that the archive does not have yet. If the repository of
 * --repo cannot be read, fails; for that of DRVABI_REPO, prints the reason, and lists no tags.
 */
static int find_missing_tags(struct listing *listing, const struct cli_args *args, struct err *err)
{
	const char *const *tags;
	size_t count;
	int rc;

	rc = load_tags(&tags, &count, args, err);
	if (rc && args->repo)
		return rc;
	if (rc) { /* not an error: the repository in DRVABI_REPO can be a different driver's */
		if (!args->quiet)
			output_say("%s", err->text);
		return 0;
	}
	listing->has_repository = tags;
	listing->beyond = arena_array(args->arena, count + 1, sizeof(*listing->beyond));
	for (size_t i = 0; i < count; i++)
		if (!archive_has(listing->head, tags[i]))
			listing->beyond[listing->beyond_count++] = tags[i];
	return 0;
}

/*
 * Appends the versions of the named archive, or else of the archive that other commands use, and the tags
 * that only the repository has.
 */
static int archive_list_command(const struct cli_args *args, struct err *err)
{
	struct listing listing = { .beyond_count = 0 };
	const struct archive *archive = NULL;
	struct strbuf bytes = { 0 };
	int rc;

	if (args->word_count > 2)
		return usage_error(err, "archive list takes one file: drvabi archive list FILE");
	if (args->add)
		return usage_error(err, "--add is for archive write");
	if (args->target_given && args->word_count == 2)
		return usage_error(err, "archive list shows all targets of %s; leave --target out",
				   args->words[1]);
	/*
	 * The file that the user named is opened whatever its profile and targets are. If the user named no
	 * file, the archive is the one that other commands would use.
	 */
	if (args->word_count == 1)
		rc = load_archive(&archive, args, err);
	else if (!(rc = file_read(&bytes, args->words[1], INPUT_LIMIT_BYTES, err)))
		rc = archive_open(&archive, strbuf_text(&bytes), bytes.length, args->words[1], args->arena,
				  err);
	strbuf_release(&bytes);
	if (rc)
		return rc;
	if (!archive)
		return err_set(err, ERR_NOT_FOUND,
			       "this drvabi includes no archive; name one: drvabi archive list FILE");
	listing.name = archive->name;
	listing.head = &archive->head;
	if ((rc = find_missing_tags(&listing, args, err)))
		return rc;
	if (!strcmp(args->format, "json"))
		list_json(args->out, &listing);
	else
		list_text(args->out, &listing);
	return 0;
}

/*
 * archive write
 *
 * Reads the versions of the repository, or only the named versions, for every target. With --add, the old
 * archive is read first, so that only the versions that it does not contain are extracted.
 * store_pack_archive() packs all documents into one file.
 */

/* The targets of a new archive without --target. */
static const char *const all_targets[] = { "aarch64-linux-gnu", "x86_64-linux-gnu" };

static int check_write_args(const struct cli_args *args, struct err *err)
{
	if (args->format_given)
		return usage_error(err, "--format is for archive list; an archive has one format only");
	if (!args->output && !args->add)
		return usage_error(err, "archive write needs a file to write to: -o FILE");
	if (args->add && args->word_count > 1)
		return usage_error(err,
			"--add extends an archive by every tag that it does not have; leave '%s' out",
			args->words[1]);
	return 0;
}

/*
 * Writes the archive to -o, or else to the file of --add. With --add, args->out then has one line for each
 * added version, which main() prints. If there is none, a note is printed.
 */
static int write_archive(const struct store_packing *packing, struct cli_args *args, struct err *err)
{
	const char *const *added;
	int rc;

	if (args->add)
		file_forget_input(args->add);
	if (!args->output)
		args->output = args->add;
	if ((rc = store_pack_archive(args->out, &added, packing, args->arena, err)) ||
	    (rc = output_write(args, err)) || !packing->old)
		return rc;
	for (const char *const *name = added; *name; name++)
		escape_addf(args->out, escape_terminal, "added %s\n", *name);
	if (!args->out->length)
		output_note(args, "%s has every tag of the repository; nothing was added",
			    packing->old->name);
	return 0;
}

/* Loads the documents for every target, and writes the archive. Fails if a named version is unreadable. */
static int archive_write_command(struct cli_args *args, struct err *err)
{
	const size_t count = args->word_count - 1;
	const struct store_choice choice = { .names = count ? args->words + 1 : NULL, .count = count };
	struct cli_args of_target = *args;
	struct profile profile;
	struct store_packing packing = { .profile = &profile };
	struct store_history *loaded;
	int rc;

	if ((rc = check_write_args(args, err)) || (rc = load_profile(&profile, args, err)))
		return rc;
	packing.targets = args->target_given ? &args->target : all_targets;
	packing.target_count = args->target_given ? 1 : sizeof(all_targets) / sizeof(*all_targets);
	if (args->add) {
		if ((rc = store_read_archive(&packing.old, args->add, &profile, args->arena, err)))
			return rc;
		packing.targets = packing.old->head.targets;
		packing.target_count = packing.old->head.target_count;
	}
	packing.loaded = loaded = arena_array(args->arena, packing.target_count, sizeof(*loaded));
	of_target.of_repository = true; /* its tags are the versions, not those of an archive */
	for (size_t i = 0; i < packing.target_count; i++) {
		of_target.target = packing.targets[i];
		if ((rc = load_history(&loaded[i], &choice, &of_target, err)))
			return rc;
	}
	for (size_t i = 0; count && i < packing.target_count; i++)
		for (size_t v = 0; v < loaded[i].graph.count; v++) {
			const struct store_request *request = &loaded[i].requests[v];

			if (!request->skipped && request->rc) { /* the user named the version */
				*err = request->err;
				return request->rc;
			}
		}
	return write_archive(&packing, args, err);
}

int cmd_archive(struct cli_args *args, struct err *err)
{
	const char *verb = args->word_count ? args->words[0] : "";

	if (!strcmp(verb, "write"))
		return archive_write_command(args, err);
	if (!strcmp(verb, "list"))
		return archive_list_command(args, err);
	return usage_verb(args, "archive", "write or list", err);
}
