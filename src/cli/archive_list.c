/* cli/archive_list.c - what an archive has, and what the repository has beyond it */
#include "cli/archive_list.h"

#include "cli/load.h"
#include "cli/output.h"

#include "abi/abi.h"
#include "report/report.h"

#include <string.h>

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
	escape_addf(out, escape_terminal, "\n  %s\n\n%-16s %-12s %-12s %s\n", listing->name, "version", "committed", "commit", "follows");
	for (size_t i = 0; i < head->count; i++) {
		const struct archive_version *version = &head->versions[i];
		const char *parent = parent_name(head, i);
		char day[32];

		escape_addf(out, escape_terminal, "%-16s %-12s %-12.12s %s%s\n", version->name, text_of_day(version->time, day), version->commit,
			    parent ? parent : "-", version->on_main || !head->main ? "" : "  (not on the main branch)");
	}
	if (!listing->beyond_count)
		return;
	escape_addf(out, escape_terminal, "\nThe repository has %zu more; drvabi archive write --add FILE adds them:\n", listing->beyond_count);
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
static int find_archive(const struct archive **out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct strbuf bytes = { 0 };
	int rc;

	if (args->word_count == 1) {
		*out = NULL;
		rc = load_archive(out, args, arena, err);
		return rc || *out ? rc : err_set(err, ERR_NOT_FOUND, "no archive comes with this drvabi; name one: drvabi archive list FILE");
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

static int look_beyond(struct listing *listing, const struct cli_args *args, struct arena *arena, struct err *err)
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

int archive_list_command(const struct cli_args *args, struct err *err)
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
		return err_set(err, ERR_USAGE, "archive list shows all targets of %s; leave --target out", args->words[1]);
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
