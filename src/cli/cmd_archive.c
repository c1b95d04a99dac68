#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"

#include "archive/archive.h"
#include "json/writer.h"

#include <string.h>
#include <time.h>

enum { ARCHIVE_LIMIT_BYTES = 256 * 1024 * 1024 };

/* What is to be written. */
struct archive_contents {
	struct archive_head head;
	const struct abi **documents;
};

static bool is_read(const struct load_request *request)
{
	return !request->skipped && !request->rc;
}

/* The nearest ancestor of @version that is in the archive too. @place: by the graph's index, where in the archive. */
static long archive_parent(const struct load_history *loaded, size_t version, const size_t *place)
{
	long parent = loaded->graph.versions[version].parent;

	while (parent != SOURCE_NO_PARENT && !is_read(&loaded->requests[parent]))
		parent = loaded->graph.versions[parent].parent;
	return parent == SOURCE_NO_PARENT ? ARCHIVE_NO_PARENT : (long)place[parent];
}

static void fill_contents(struct archive_contents *out, const struct load_history *loaded, struct arena *arena)
{
	const struct source_graph *graph = &loaded->graph;
	struct archive_version *versions = arena_array(arena, graph->count + 1, sizeof(*versions));
	const struct abi **documents = arena_array(arena, graph->count + 1, sizeof(*documents));
	size_t *place = arena_array(arena, graph->count + 1, sizeof(*place));
	size_t count = 0;

	for (size_t i = 0; i < graph->count; i++)
		if (is_read(&loaded->requests[i]))
			place[i] = count++;
	for (size_t i = 0; i < graph->count; i++) {
		const struct source_version *version = &graph->versions[i];

		if (!is_read(&loaded->requests[i]))
			continue;
		documents[place[i]] = &loaded->requests[i].abi;
		versions[place[i]] = (struct archive_version){
			.name = version->name,
			.commit = version->commit,
			.time = version->time,
			.parent = archive_parent(loaded, i, place),
			.on_main = version->on_main,
		};
	}
	*out = (struct archive_contents){
		.head = { .versions = versions, .count = count, .main = graph->main, .shallow = graph->shallow },
		.documents = documents,
	};
}

/* A version that was asked for by its name is not left out. */
static int check_read(const struct load_history *loaded, bool named, struct err *err)
{
	bool any = false;

	for (size_t i = 0; i < loaded->graph.count; i++) {
		const struct load_request *request = &loaded->requests[i];

		if (named && !request->skipped && request->rc) {
			*err = request->err;
			return request->rc;
		}
		any |= is_read(request);
	}
	return any ? 0 : err_set(err, ERR_NOT_FOUND, "none of the versions could be read, so there is nothing to archive");
}

static int archive_make(const struct cli_args *args, struct err *err)
{
	const char *const *names = args->words + 1;
	size_t count = args->word_count - 1;
	struct archive_contents contents;
	struct load_history loaded = { .requests = NULL };
	struct arena arena = { 0 };
	struct strbuf out = { 0 };
	int rc;

	if (!args->output)
		return err_set(err, ERR_USAGE, "archive write needs a file to write to: -o FILE");
	if (args->format)
		return err_set(err, ERR_USAGE, "--format is for archive list; an archive has one format only");
	rc = count ? load_tags(&loaded, names, count, args, err) : load_history(&loaded, NULL, args, err);
	if (rc || (rc = check_read(&loaded, count, err)))
		goto out;
	fill_contents(&contents, &loaded, &arena);
	contents.head.driver = contents.documents[0]->driver;
	contents.head.target = contents.documents[0]->target;
	if (!(rc = archive_write(&out, &contents.head, contents.documents, ARCHIVE_SMALL, err)))
		rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	arena_release(&arena);
	load_history_release(&loaded);
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
	strbuf_addf(out, "%s, %s: %zu version%s in %zu bytes\n\n%-16s %-12s %-12s %s\n", head->driver, head->target, head->count,
		    head->count == 1 ? "" : "s", size, "version", "committed", "commit", "follows");
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
	json_key_string(&writer, "format", "drvabi-archive/1");
	json_key_string(&writer, "driver", head->driver);
	json_key_string(&writer, "target", head->target);
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
