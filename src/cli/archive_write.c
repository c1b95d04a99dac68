/*
 * An archive is written in these steps:
 *
 *   1. the versions of the repository are read for every target, or only those that were named. With --add, the
 *      archive that is extended is the first to be asked, so that only what it lacks is extracted
 *   2. a version that was read for every target becomes an entry. One that could not be read is left out, with a warning
 *   3. with --add, what only the old archive has stays
 *   4. the entries are sorted, each gets its nearest ancestor among them, and all are written
 *
 * So an archive that is extended is, byte for byte, what writing it anew would give.
 */
#include "cli/archive_write.h"

#include "cli/load.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

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
		return err_set(err, ERR_USAGE, "--add extends an archive by every tag that it lacks; leave '%s' out", args->words[1]);
	if (args->add && args->target_given)
		return err_set(err, ERR_USAGE, "--add extends an archive for the targets that it has; leave --target out");
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
		return err_set(err, ERR_LIMIT, "%s has %zu targets, more than drvabi knows", args->add, writing->target_count);
	return 0;
}

/* --- versions of the repository ------------------------------------------------------- */

static int read_targets(struct writing *writing, struct err *err)
{
	size_t count = writing->args->word_count - 1;
	const struct store_choice choice = { .names = count ? writing->args->words + 1 : NULL, .count = count };
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
			.version = { .name = version->name, .commit = version->commit, .time = version->time, .on_main = version->on_main },
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
			.parent = version->parent == ARCHIVE_NO_PARENT ? NULL : head->versions[version->parent].name,
			.documents = { wanted[i], wanted[i] + 1 },
		};
	}
	for (size_t target = 0; !rc && target < writing->target_count && writing->count > read_count; target++) {
		rc = archive_documents(wanted, writing->old, target, &writing->arena, err);
		for (size_t i = 0; i < head->count; i++)
			wanted[i] += wanted[i] ? 1 : 0;
	}
	return rc;
}

/* --- the file ----------------------------------------------------------------------------- */

static int compare_entries(const void *a, const void *b)
{
	return abi_version_compare(((const struct entry *)a)->version.name, ((const struct entry *)b)->version.name);
}

static int pack(struct strbuf *out, struct writing *writing, struct err *err)
{
	const struct source_graph *graph = &writing->loaded[0].graph;
	struct archive_version *versions = arena_array(&writing->arena, writing->count, sizeof(*versions));
	const struct abi **documents = arena_array(&writing->arena, writing->count * writing->target_count, sizeof(struct abi *));
	const struct archive_head head = {
		.driver = writing->profile.name, .profile = writing->profile.hash, .generation = ABI_GENERATION,
		.targets = writing->targets, .target_count = writing->target_count,
		.versions = versions, .count = writing->count, .main = graph->main, .shallow = graph->shallow,
	};

	qsort(writing->entries, writing->count, sizeof(*writing->entries), compare_entries);
	for (size_t i = 0; i < writing->count; i++) {
		const struct entry *entry = &writing->entries[i];
		const struct entry *parent = entry->parent ? find_entry(writing->entries, writing->count, entry->parent) : NULL;

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
			output_note(writing->args, "%s has every tag of the repository; nothing was added", archive_name(writing->old));
		rc = output_write(&said, &to_user, err);
	}
	strbuf_release(&said);
	strbuf_release(&out);
	return rc;
}

int archive_write_command(const struct cli_args *args, struct err *err)
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
	rc = writing.count ? write_file(&writing, err) :
			     err_set(err, ERR_NOT_FOUND, "none of the versions could be read, so there is nothing to archive");
out:
	arena_release(&writing.arena);
	return rc;
}
