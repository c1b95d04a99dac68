/* cli/cmd_archive.c - drvabi archive: what an archive has, and writing or extending one */
#include "cli/cli.h"
#include "abi/abi.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* what an archive has, and what the repository has beyond it */

enum { ARCHIVE_LIMIT_BYTES = 256 * 1024 * 1024 };

static const char *parent_name(const struct archive_head *head, size_t index)
{
	long parent = head->versions[index].parent;

	return parent == ARCHIVE_NO_PARENT ? NULL : head->versions[parent].name;
}

/* What archive list prints. */
struct listing {
	const char *name;      /* the file's */
	const struct archive_head *head;
	const char **beyond;   /* tags of the repository that the archive lacks */
	size_t beyond_count;
	bool has_repository;   /* it was looked at */
};

static void list_text(struct strbuf *out, const struct listing *listing)
{
	const struct archive_head *head = listing->head;

	escape_addf(out, escape_terminal, "%s: ", head->driver);
	strbuf_plural(out, head->count, "version");
	for (size_t i = 0; i < head->target_count; i++)
		escape_addf(out, escape_terminal, i ? ", %s" : " for %s", head->targets[i]);
	escape_addf(out, escape_terminal, "\n  %s\n\n%-16s %-12s %-12s %s\n", listing->name, "version",
		    "committed", "commit", "follows");
	for (size_t i = 0; i < head->count; i++) {
		const struct archive_version *version = &head->versions[i];
		const char *parent = parent_name(head, i);
		char day[32];

		escape_addf(out, escape_terminal, "%-16s %-12s %-12.12s %s%s\n", version->name,
			    text_of_day(version->time, day), version->commit, parent ? parent : "-",
			    version->on_main || !head->main ? "" : "  (not on the main branch)");
	}
	if (!listing->beyond_count)
		return;
	escape_addf(out, escape_terminal,
		    "\nThe repository has %zu more; drvabi archive write --add FILE adds them:\n",
		    listing->beyond_count);
	for (size_t i = 0; i < listing->beyond_count; i++)
		escape_addf(out, escape_terminal, "%s\n", listing->beyond[i]);
}

static void list_json_beyond(struct json_writer *writer, const struct listing *listing)
{
	json_key(writer, "beyond");
	if (!listing->has_repository) {
		json_string(writer, NULL);
		return;
	}
	json_open_array(writer);
	for (size_t i = 0; i < listing->beyond_count; i++)
		json_string(writer, listing->beyond[i]);
	json_close_array(writer);
}

static void list_json_versions(struct json_writer *writer, const struct archive_head *head)
{
	json_key(writer, "versions");
	json_open_array(writer);
	for (size_t i = 0; i < head->count; i++) {
		const struct archive_version *version = &head->versions[i];

		json_open_inline_object(writer);
		json_key_string(writer, "version", version->name);
		json_key_string(writer, "commit", version->commit);
		json_key(writer, "time");
		json_number(writer, abi_number_signed(version->time));
		json_key_string(writer, "parent", parent_name(head, i));
		json_key_bool(writer, "on_main", version->on_main);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void list_json(struct strbuf *out, const struct listing *listing)
{
	const struct archive_head *head = listing->head;
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "format", "drvabi-archive/2");
	json_key_string(&writer, "driver", head->driver);
	json_key_string(&writer, "profile", head->profile);
	json_key(&writer, "generation");
	json_number(&writer, abi_number_unsigned(head->generation));
	json_key(&writer, "targets");
	json_open_array(&writer);
	for (size_t i = 0; i < head->target_count; i++)
		json_string(&writer, head->targets[i]);
	json_close_array(&writer);
	json_key_string(&writer, "main", head->main);
	json_key_bool(&writer, "shallow", head->shallow);
	list_json_versions(&writer, head);
	list_json_beyond(&writer, listing);
	json_close_object(&writer);
	json_end(&writer);
}

/* The file that was named, whatever it was made with, or the one that other commands use. */
static int find_archive(const struct archive **out, const struct cli_args *args, struct arena *arena,
			struct err *err)
{
	struct strbuf bytes = { 0 };
	int rc;

	if (args->word_count == 1) {
		*out = NULL;
		rc = load_archive(out, args, arena, err);
		return rc || *out
			       ? rc
			       : err_set(err, ERR_NOT_FOUND,
					 "no archive comes with this drvabi; name one: drvabi archive list FILE");
	}
	if (!(rc = file_read(&bytes, args->words[1], ARCHIVE_LIMIT_BYTES, err)))
		rc = archive_open(out, strbuf_text(&bytes), bytes.length, args->words[1], arena, err);
	strbuf_release(&bytes);
	return rc;
}

static bool holds(const struct archive_head *head, const char *version)
{
	for (size_t i = 0; i < head->count; i++)
		if (!strcmp(head->versions[i].name, version))
			return true;
	return false;
}

static int look_beyond(struct listing *listing, const struct cli_args *args, struct arena *arena,
		       struct err *err)
{
	const char *const *tags;
	size_t count;
	int rc;

	rc = load_tags(&tags, &count, args, arena, err);
	if (rc && args->repo)
		return rc;
	if (rc) { /* a repository that only the environment names need not be that of the archive */
		if (!args->quiet)
			output_say(err->text);
		return 0;
	}
	listing->has_repository = tags;
	listing->beyond = arena_array(arena, count + 1, sizeof(*listing->beyond));
	for (size_t i = 0; i < count; i++)
		if (!holds(listing->head, tags[i]))
			listing->beyond[listing->beyond_count++] = tags[i];
	return 0;
}

static int archive_list_command(const struct cli_args *args, struct err *err)
{
	struct listing listing = { .beyond_count = 0 };
	const struct archive *archive;
	struct arena arena = { 0 };
	struct strbuf out = { 0 };
	int rc;

	if (args->word_count > 2)
		return err_set(err, ERR_USAGE, "archive list takes one file: drvabi archive list FILE");
	if (args->add)
		return err_set(err, ERR_USAGE, "--add is for archive write");
	if (args->target_given && args->word_count == 2)
		return err_set(err, ERR_USAGE, "archive list shows all targets of %s; leave --target out",
			       args->words[1]);
	if ((rc = find_archive(&archive, args, &arena, err)))
		goto out;
	listing.name = archive_name(archive);
	listing.head = archive_head(archive);
	if ((rc = look_beyond(&listing, args, &arena, err)))
		goto out;
	if (!strcmp(args->format, "json"))
		list_json(&out, &listing);
	else
		list_text(&out, &listing);
	rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	arena_release(&arena);
	return rc;
}

/*
 * An archive is written in these steps:
 *
 *   1. the versions of the repository are read for every target, or only those that were named. With --add,
 *      the archive that is extended is the first to be asked, so that only what it lacks is extracted
 *   2. a version that was read for every target becomes an entry. One that could not be read is left out,
 *      with a warning
 *   3. with --add, what only the old archive has stays
 *   4. the entries are sorted, each gets its nearest ancestor among them, and all are written
 *
 * So an archive that is extended is, byte for byte, what writing it anew would give.
 */

/* The targets that an archive is for unless --target names one. */
static const char *const all_targets[] = { "aarch64-linux-gnu", "x86_64-linux-gnu" };

enum { TARGETS_MAX = sizeof(all_targets) / sizeof(*all_targets) };

/* A version that will be written. */
struct entry {
	struct archive_version version; /* without parent */
	const char *parent;             /* name of the nearest ancestor that is an entry; NULL: none */
	const struct abi *documents[TARGETS_MAX];
};

struct writing {
	const struct cli_args *args;
	struct profile profile;
	const char *const *targets;
	size_t target_count;
	const struct archive *old;               /* that --add extends; or NULL */
	struct store_history loaded[TARGETS_MAX]; /* by target; of the same versions */
	struct entry *entries;
	size_t count;
	struct arena arena;
};

static int check_args(const struct cli_args *args, struct err *err)
{
	if (args->format_given)
		return err_set(err, ERR_USAGE, "--format is for archive list; an archive has one format only");
	if (!args->output && !args->add)
		return err_set(err, ERR_USAGE, "archive write needs a file to write to: -o FILE");
	if (args->add && args->word_count > 1)
		return err_set(err, ERR_USAGE,
			       "--add extends an archive by every tag that it lacks; leave '%s' out",
			       args->words[1]);
	if (args->add && args->target_given)
		return err_set(err, ERR_USAGE,
			       "--add extends an archive for the targets that it has; leave --target out");
	if (args->add && args->no_archive)
		return err_set(err, ERR_USAGE, "--add and --no-archive contradict each other");
	return 0;
}

static int choose_targets(struct writing *writing, struct err *err)
{
	const struct cli_args *args = writing->args;
	int rc;

	writing->targets = args->target_given ? &args->target : all_targets;
	writing->target_count = args->target_given ? 1 : TARGETS_MAX;
	if (!args->add)
		return 0;
	rc = store_read_archive(&writing->old, args->add, &writing->profile, &writing->arena, err);
	if (rc)
		return rc;
	writing->targets = archive_head(writing->old)->targets;
	writing->target_count = archive_head(writing->old)->target_count;
	if (writing->target_count > TARGETS_MAX)
		return err_set(err, ERR_LIMIT, "%s has %zu targets, more than drvabi knows", args->add,
			       writing->target_count);
	return 0;
}

/* --- versions of the repository ------------------------------------------------------- */

static int read_targets(struct writing *writing, struct err *err)
{
	size_t count = writing->args->word_count - 1;
	const struct store_choice choice = { .names = count ? writing->args->words + 1 : NULL,
					     .count = count };
	int rc = 0;

	for (size_t i = 0; !rc && i < writing->target_count; i++) {
		struct cli_args args = *writing->args;

		args.target = writing->targets[i];
		args.of_repository = true;
		rc = load_history(&writing->loaded[i], &choice, &args, &writing->arena, err);
	}
	return rc;
}

/* Has a version been read for every target? */
static bool is_read(const struct writing *writing, size_t version)
{
	for (size_t i = 0; i < writing->target_count; i++) {
		const struct store_request *request = &writing->loaded[i].requests[version];

		if (request->skipped || request->rc)
			return false;
	}
	return true;
}

/* A version that the user named must be readable. */
static int check_named(const struct writing *writing, struct err *err)
{
	for (size_t target = 0; writing->args->word_count > 1 && target < writing->target_count; target++)
		for (size_t i = 0; i < writing->loaded[target].graph.count; i++) {
			const struct store_request *request = &writing->loaded[target].requests[i];

			if (request->skipped || !request->rc)
				continue;
			*err = request->err;
			return request->rc;
		}
	return 0;
}

/* The nearest ancestor of @version that was read. */
static const char *parent_of(const struct writing *writing, size_t version)
{
	const struct source_graph *graph = &writing->loaded[0].graph;
	long parent = graph->versions[version].parent;

	while (parent != SOURCE_NO_PARENT && !is_read(writing, (size_t)parent))
		parent = graph->versions[parent].parent;
	return parent == SOURCE_NO_PARENT ? NULL : graph->versions[parent].name;
}

static void add_read(struct writing *writing)
{
	const struct source_graph *graph = &writing->loaded[0].graph;

	for (size_t i = 0; i < graph->count; i++) {
		const struct source_version *version = &graph->versions[i];
		struct entry *entry = &writing->entries[writing->count];

		if (!is_read(writing, i))
			continue;
		*entry = (struct entry){
			.version = { .name = version->name,
				     .commit = version->commit,
				     .time = version->time,
				     .on_main = version->on_main },
			.parent = parent_of(writing, i),
		};
		for (size_t target = 0; target < writing->target_count; target++)
			entry->documents[target] = &writing->loaded[target].requests[i].abi;
		writing->count++;
	}
}

/* --- what only the old archive has ------------------------------------------------------ */

static const struct entry *find_entry(const struct entry *entries, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(entries[i].version.name, name))
			return &entries[i];
	return NULL;
}

static int add_old(struct writing *writing, struct err *err)
{
	const struct archive_head *head = archive_head(writing->old);
	struct abi **wanted = arena_array(&writing->arena, head->count + 1, sizeof(struct abi *));
	size_t read_count = writing->count;
	int rc = 0;

	for (size_t i = 0; i < head->count; i++) {
		const struct archive_version *version = &head->versions[i];

		if (find_entry(writing->entries, read_count, version->name))
			continue;
		wanted[i] = arena_array(&writing->arena, TARGETS_MAX, sizeof(struct abi));
		writing->entries[writing->count++] = (struct entry){
			.version = *version,
			.parent = version->parent == ARCHIVE_NO_PARENT ? NULL
								       : head->versions[version->parent].name,
			.documents = { wanted[i], wanted[i] + 1 },
		};
	}
	for (size_t target = 0; !rc && target < writing->target_count && writing->count > read_count;
	     target++) {
		rc = archive_documents(wanted, writing->old, target, &writing->arena, err);
		for (size_t i = 0; i < head->count; i++)
			wanted[i] += wanted[i] ? 1 : 0;
	}
	return rc;
}

/* --- the file ----------------------------------------------------------------------------- */

static int compare_entries(const void *a, const void *b)
{
	return abi_version_compare(((const struct entry *)a)->version.name,
				   ((const struct entry *)b)->version.name);
}

static int pack(struct strbuf *out, struct writing *writing, struct err *err)
{
	const struct source_graph *graph = &writing->loaded[0].graph;
	struct archive_version *versions = arena_array(&writing->arena, writing->count, sizeof(*versions));
	const struct abi **documents =
		arena_array(&writing->arena, writing->count * writing->target_count, sizeof(struct abi *));
	const struct archive_head head = {
		.driver = writing->profile.name,
		.profile = writing->profile.hash,
		.generation = ABI_GENERATION,
		.targets = writing->targets,
		.target_count = writing->target_count,
		.versions = versions,
		.count = writing->count,
		.main = graph->main,
		.shallow = graph->shallow,
	};

	qsort(writing->entries, writing->count, sizeof(*writing->entries), compare_entries);
	for (size_t i = 0; i < writing->count; i++) {
		const struct entry *entry = &writing->entries[i];
		const struct entry *parent =
			entry->parent ? find_entry(writing->entries, writing->count, entry->parent) : NULL;

		versions[i] = entry->version;
		versions[i].parent = parent ? (long)(parent - writing->entries) : ARCHIVE_NO_PARENT;
		for (size_t target = 0; target < writing->target_count; target++)
			documents[target * writing->count + i] = entry->documents[target];
	}
	return archive_write(out, &head, documents, err);
}

static bool is_in(const struct archive_head *head, const struct archive_version *version)
{
	for (size_t i = 0; i < head->count; i++)
		if (!strcmp(head->versions[i].name, version->name))
			return !strcmp(head->versions[i].commit, version->commit);
	return false;
}

/* What an extended archive has now and had not before, one version a line. */
static void list_added(struct strbuf *out, const struct writing *writing)
{
	for (size_t i = 0; i < writing->count; i++)
		if (!is_in(archive_head(writing->old), &writing->entries[i].version))
			escape_addf(out, escape_terminal, "added %s\n", writing->entries[i].version.name);
}

static int write_file(struct writing *writing, struct err *err)
{
	struct cli_args to_file = *writing->args, to_user = *writing->args;
	struct strbuf out = { 0 }, said = { 0 };
	int rc;

	to_file.output = to_file.output ? to_file.output : to_file.add;
	to_user.output = NULL;
	if (to_file.add)
		file_forget_input(to_file.add);
	if (!(rc = pack(&out, writing, err)) && !(rc = output_write(&out, &to_file, err)) && writing->old) {
		list_added(&said, writing);
		if (!said.length)
			output_note(writing->args, "%s has every tag of the repository; nothing was added",
				    archive_name(writing->old));
		rc = output_write(&said, &to_user, err);
	}
	strbuf_release(&said);
	strbuf_release(&out);
	return rc;
}

/* archive_write_command - Return: CLI_NOTHING, or a negative ERR_* with its sentence in @err. */
static int archive_write_command(const struct cli_args *args, struct err *err)
{
	struct writing writing = { .args = args };
	size_t most;
	int rc;

	if ((rc = check_args(args, err)) ||
	    (rc = load_profile(&writing.profile, args, &writing.arena, err)) ||
	    (rc = choose_targets(&writing, err)) ||
	    (rc = read_targets(&writing, err)) ||
	    (rc = check_named(&writing, err)))
		goto out;
	most = writing.loaded[0].graph.count + (writing.old ? archive_head(writing.old)->count : 0);
	writing.entries = arena_array(&writing.arena, most + 1, sizeof(*writing.entries));
	add_read(&writing);
	if (writing.old && (rc = add_old(&writing, err)))
		goto out;
	rc = writing.count ? write_file(&writing, err)
			   : err_set(err, ERR_NOT_FOUND,
				     "none of the versions could be read, so there is nothing to archive");
out:
	arena_release(&writing.arena);
	return rc;
}

int cmd_archive(const struct cli_args *args, struct err *err)
{
	const char *verb = args->word_count ? args->words[0] : "";

	if (!strcmp(verb, "write"))
		return archive_write_command(args, err);
	if (!strcmp(verb, "list"))
		return archive_list_command(args, err);
	return err_set(err, ERR_USAGE, "archive can write or list%s%s%s; see drvabi archive --help",
		       *verb ? ", not '" : "", verb, *verb ? "'" : "");
}
