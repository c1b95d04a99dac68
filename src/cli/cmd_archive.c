#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"

#include "archive/archive.h"
#include "json/writer.h"

#include <string.h>
#include <time.h>

enum { ARCHIVE_LIMIT_BYTES = 256 * 1024 * 1024 };

/* The targets that an archive is for unless --target names one. */
static const char *const all_targets[] = { "aarch64-linux-gnu", "x86_64-linux-gnu" };
enum { TARGETS_MAX = sizeof(all_targets) / sizeof(*all_targets) };

/* What goes into one archive. */
struct contents {
	const struct cli_args *args;
	const char *const *targets;
	size_t target_count;
	struct store_history loaded[TARGETS_MAX]; /* by target; of the same versions */
	struct archive_head head;
	const struct abi **documents; /* as for archive_write() */
	struct arena arena;
};

/* Has a version been read for every target? */
static bool is_read(const struct contents *contents, size_t version)
{
	for (size_t i = 0; i < contents->target_count; i++) {
		const struct store_request *request = &contents->loaded[i].requests[version];

		if (request->skipped || request->rc)
			return false;
	}
	return true;
}

/* The nearest ancestor of @version that is in the archive too. @place: by the graph's index, where in the archive. */
static long archive_parent(const struct contents *contents, size_t version, const size_t *place)
{
	const struct source_graph *graph = &contents->loaded[0].graph;
	long parent = graph->versions[version].parent;

	while (parent != SOURCE_NO_PARENT && !is_read(contents, (size_t)parent))
		parent = graph->versions[parent].parent;
	return parent == SOURCE_NO_PARENT ? ARCHIVE_NO_PARENT : (long)place[parent];
}

static void fill_contents(struct contents *contents)
{
	const struct source_graph *graph = &contents->loaded[0].graph;
	struct archive_version *versions = arena_array(&contents->arena, graph->count + 1, sizeof(*versions));
	size_t *place = arena_array(&contents->arena, graph->count + 1, sizeof(*place));
	size_t count = 0, filled = 0;

	for (size_t i = 0; i < graph->count; i++)
		if (is_read(contents, i))
			place[i] = count++;
	contents->documents = arena_array(&contents->arena, contents->target_count * count + 1, sizeof(struct abi *));
	for (size_t i = 0; i < graph->count; i++)
		if (is_read(contents, i))
			versions[place[i]] = (struct archive_version){
				.name = graph->versions[i].name,
				.commit = graph->versions[i].commit,
				.time = graph->versions[i].time,
				.parent = archive_parent(contents, i, place),
				.on_main = graph->versions[i].on_main,
			};
	for (size_t target = 0; target < contents->target_count; target++)
		for (size_t i = 0; i < graph->count; i++)
			if (is_read(contents, i))
				contents->documents[filled++] = &contents->loaded[target].requests[i].abi;
	contents->head.versions = versions;
	contents->head.count = count;
	contents->head.main = graph->main;
	contents->head.shallow = graph->shallow;
}

/* A version that was asked for by its name is not left out. */
static int check_read(const struct contents *contents, bool named, struct err *err)
{
	const struct store_history *loaded = &contents->loaded[0];
	bool any = false;

	for (size_t i = 0; i < loaded->graph.count; i++) {
		const struct store_request *request = &loaded->requests[i];

		if (named && !request->skipped && request->rc) {
			*err = request->err;
			return request->rc;
		}
		any |= is_read(contents, i);
	}
	return any ? 0 : err_set(err, ERR_NOT_FOUND, "none of the versions could be read, so there is nothing to archive");
}

static int load_targets(struct contents *contents, struct err *err)
{
	size_t count = contents->args->word_count - 1;
	const struct store_choice choice = { .names = count ? contents->args->words + 1 : NULL, .count = count };
	int rc = 0;

	for (size_t i = 0; !rc && i < contents->target_count; i++) {
		struct cli_args args = *contents->args;

		args.target = contents->targets[i];
		args.of_repository = true;
		rc = load_history(&contents->loaded[i], &choice, &args, &contents->arena, err);
	}
	return rc ? rc : check_read(contents, count, err);
}

static int contents_head(struct contents *contents, struct err *err)
{
	struct profile profile;
	int rc;

	if ((rc = load_profile(&profile, contents->args, &contents->arena, err)))
		return rc;
	contents->head.driver = profile.name;
	contents->head.profile = profile.hash;
	contents->head.generation = ABI_GENERATION;
	contents->head.targets = contents->targets;
	contents->head.target_count = contents->target_count;
	return 0;
}

static int archive_make(const struct cli_args *args, struct err *err)
{
	struct contents contents = { .args = args, .targets = all_targets, .target_count = TARGETS_MAX };
	struct strbuf out = { 0 };
	int rc;

	if (!args->output)
		return err_set(err, ERR_USAGE, "archive write needs a file to write to: -o FILE");
	if (args->format)
		return err_set(err, ERR_USAGE, "--format is for archive list; an archive has one format only");
	if (args->target_given) {
		contents.targets = &args->target;
		contents.target_count = 1;
	}
	if ((rc = contents_head(&contents, err)) || (rc = load_targets(&contents, err)))
		goto out;
	fill_contents(&contents);
	if (!(rc = archive_write(&out, &contents.head, contents.documents, err)))
		rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	arena_release(&contents.arena);
	return rc;
}

static const char *parent_name(const struct archive_head *head, size_t index)
{
	long parent = head->versions[index].parent;

	return parent == ARCHIVE_NO_PARENT ? NULL : head->versions[parent].name;
}

/* "2023-07-14", in UTC. */
static const char *day_of(int64_t time, char buffer[32])
{
	time_t seconds = (time_t)time;
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(buffer, 32, "%Y-%m-%d", &tm))
		return "?";
	return buffer;
}

static void list_text(struct strbuf *out, const struct archive_head *head, size_t size)
{
	strbuf_adds(out, head->driver);
	for (size_t i = 0; i < head->target_count; i++)
		strbuf_addf(out, ", %s", head->targets[i]);
	strbuf_addf(out, ": %zu version%s in %zu bytes\n\n%-16s %-12s %-12s %s\n", head->count, head->count == 1 ? "" : "s", size,
		    "version", "committed", "commit", "follows");
	for (size_t i = 0; i < head->count; i++) {
		const struct archive_version *version = &head->versions[i];
		const char *parent = parent_name(head, i);
		char day[32];

		strbuf_addf(out, "%-16s %-12s %-12.12s %s%s\n", version->name, day_of(version->time, day), version->commit,
			    parent ? parent : "-", version->on_main || !head->main ? "" : "  (not on the main branch)");
	}
}

static void list_json(struct strbuf *out, const struct archive_head *head)
{
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
	json_key(&writer, "versions");
	json_open_array(&writer);
	for (size_t i = 0; i < head->count; i++) {
		const struct archive_version *version = &head->versions[i];

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
	json_close_object(&writer);
	json_end(&writer);
}

static int archive_list(const struct cli_args *args, struct err *err)
{
	const char *format = output_format(args, cli_find_command("archive"));
	const struct archive *archive;
	struct arena arena = { 0 };
	struct strbuf bytes = { 0 };
	struct strbuf out = { 0 };
	int rc;

	if (args->word_count != 2)
		return err_set(err, ERR_USAGE, "archive list takes one file: drvabi archive list FILE");
	if (!(rc = file_read(&bytes, args->words[1], ARCHIVE_LIMIT_BYTES, err)) &&
	    !(rc = archive_open(&archive, strbuf_text(&bytes), bytes.length, args->words[1], &arena, err))) {
		if (!strcmp(format, "json"))
			list_json(&out, archive_head(archive));
		else
			list_text(&out, archive_head(archive), bytes.length);
		rc = output_write(&out, args, err);
	}
	strbuf_release(&out);
	strbuf_release(&bytes);
	arena_release(&arena);
	return rc;
}

int cmd_archive(const struct cli_args *args, struct err *err)
{
	const char *verb = args->word_count ? args->words[0] : "";

	if (!strcmp(verb, "write"))
		return archive_make(args, err);
	if (!strcmp(verb, "list"))
		return archive_list(args, err);
	return err_set(err, ERR_USAGE, "archive does write or list%s%s%s; see drvabi archive --help", *verb ? ", not '" : "", verb,
		       *verb ? "'" : "");
}
