/*
 * store/archive_store.c - the archive as a store, and packing a new archive from extracted documents
 *
 * If the user named an archive with the wrong profile, generation or file format, this is an error. Of the
 * included archives, the first suitable one is used. Damaged archives are skipped with a warning.
 */
#include "store/internal.h"

#include <unistd.h>

enum {
	FILE_LIMIT_BYTES = 256 * 1024 * 1024,
	COMMIT_DIGITS_MIN = 7, /* git abbreviates a commit to at least 7 digits */
};

/* Checks that this drvabi would extract the same documents with @profile. Return: 0; ERR_USAGE. */
static int check_origin(const struct archive *archive, const struct profile *profile, struct err *err)
{
	const struct archive_head *head = archive_head(archive);
	const char *name = archive_name(archive);

	if (strcmp(head->driver, profile->name))
		return err_set(err, ERR_USAGE,
			       "%s is for the driver %s, not for %s; give --profile %s, or a different archive",
			       name, head->driver, profile->name, head->driver);
	if (!profile->hash || strcmp(head->profile, profile->hash))
		return err_set(err, ERR_USAGE,
			       "%s was made with a different text of the profile %s; give the profile with that "
			       "text (--profile), or write the archive again",
			       name, profile->name);
	if (head->generation != ABI_GENERATION)
		return err_set(err, ERR_USAGE,
			       "%s has documents of generation %llu, but this drvabi makes generation %d; "
			       "write the archive again with 'drvabi archive write'",
			       name, (unsigned long long)head->generation, ABI_GENERATION);
	return 0;
}

int store_read_archive(const struct archive **out, const char *path, const struct profile *profile,
		       struct arena *arena, struct err *err)
{
	const struct archive *archive;
	struct strbuf bytes = { 0 };
	int rc;

	if (!(rc = file_read(&bytes, path, FILE_LIMIT_BYTES, err)) &&
	    !(rc = archive_open(&archive, strbuf_text(&bytes), bytes.length, path, arena, err)) &&
	    !(rc = check_origin(archive, profile, err)))
		*out = archive;
	strbuf_release(&bytes);
	return rc;
}

/* Reads the head of the archive @path, and uses the archive if it has the target. */
static int look_into(struct archive_store *self, const char *path, struct err *err)
{
	const char *target = self->options->target, *list = "none";
	const struct archive_head *head;
	const struct archive *archive;
	int rc;

	if ((rc = store_read_archive(&archive, path, self->options->profile, self->arena, err)))
		return rc;
	if (!archive_target(&self->target, archive, target)) {
		head = archive_head(archive);
		for (size_t i = 0; i < head->target_count; i++)
			list = i ? arena_printf(self->arena, "%s, %s", list, head->targets[i])
				 : head->targets[i];
		return err_set(err, ERR_USAGE, "%s has no documents for %s, only for: %s",
			       archive_name(archive), target, list);
	}
	self->archive = archive;
	return 0;
}

/* Uses the archive at @path if it exists and is suitable. Return: false if it is not used. */
static bool look_at(struct archive_store *self, const char *path)
{
	struct err err = { "" };
	int rc;

	if (access(path, F_OK))
		return false;
	rc = look_into(self, path, &err);
	if (rc == ERR_USAGE || rc == ERR_NOT_FOUND) /* a different profile, generation or file format */
		store_say(self->options, STORE_DETAIL, "not used: %s", err.text);
	else if (rc)
		store_say(self->options, STORE_WARNING, "%s; it is not used", err.text);
	return !rc;
}

int archive_store_look(struct archive_store *self, struct err *err)
{
	const struct store_options *options = self->options;
	struct data_surroundings surroundings;
	struct data_paths paths;

	if (self->looked)
		return 0;
	self->looked = true;
	if (options->archive)
		return look_into(self, options->archive, err);
	/* The first usable archive: that of --add or DRVABI_ARCHIVE, then one in the data directories. */
	if (options->no_archive || (options->first_archive && look_at(self, options->first_archive)))
		return 0;
	surroundings = data_surroundings(self->arena);
	data_paths(&paths, options->profile->name, ".drvabi", &surroundings, self->arena);
	for (size_t i = 0; i < paths.count; i++)
		if (look_at(self, paths.path[i]))
			break;
	return 0;
}

static int need_archive(struct archive_store *self, struct err *err)
{
	int rc = archive_store_look(self, err);

	if (!rc && !self->archive)
		rc = err_set(err, ERR_NOT_FOUND, "there is no archive of the driver %s",
			     self->options->profile->name);
	return rc;
}

/* True if @version is probably a misspelled name of the main branch. */
static bool resembles_main(const struct archive_head *head, const char *version)
{
	struct abi_nearest nearest = { .count = 0 };

	if (head->main && strcmp(head->main, version))
		abi_nearest_typos(&nearest, version, &head->main, 1);
	return nearest.count;
}

static int find_archived(struct found_version *out, void *data, const char *version, struct arena *arena,
		struct err *err)
{
	struct archive_store *self = data;
	const struct source_version *versions;
	size_t index;
	int rc;

	(void)arena; /* names point into the archive */
	if ((rc = need_archive(self, err)))
		return rc;
	versions = archive_head(self->archive)->versions;
	index = archive_head(self->archive)->count - 1;
	if (!version && !archive_head(self->archive)->count)
		return err_set(err, ERR_NOT_FOUND, "%s has no versions", archive_name(self->archive));
	if (version && (rc = archive_find(&index, self->archive, version, err))) {
		if (!self->options->archive && resembles_main(archive_head(self->archive), version))
			err_set(err, rc, "no version %s; nearest: %s", version,
				archive_head(self->archive)->main);
		return rc;
	}
	*out = (struct found_version){ versions[index].name, versions[index].commit };
	return 0;
}

/* True if @version begins with the text before the first digit of @release, and then has a digit. */
static bool is_release_name(const char *version, const char *release)
{
	size_t letters = strcspn(release, "0123456789");

	return !strncmp(version, release, letters) && isdigit((unsigned char)version[letters]);
}

/* True if @version can be the name of a branch, according to git-check-ref-format(1). */
static bool is_ref_name(const char *version)
{
	for (const char *at = version; *at; at++)
		if ((unsigned char)*at <= ' ' || *at == 0x7f || strchr("~^:?*[\\", *at))
			return false;
	return *version && !strstr(version, "..") && !strstr(version, "@{");
}

/* Only a commit, a branch, or a version newer than the archive's newest can be in a later store. */
static bool leaves_open(void *data, const char *version, bool by_user)
{
	const struct archive_store *self = data;
	struct abi_nearest nearest = { .count = 0 };
	const struct archive_head *head;
	const char *newest;

	if (!self->archive || !archive_head(self->archive)->count)
		return true;
	head = archive_head(self->archive);
	newest = head->versions[head->count - 1].name;
	if (!version || !by_user || !is_ref_name(version))
		return false;
	if (is_commit_id(version, COMMIT_DIGITS_MIN))
		return true;
	if (is_release_name(version, newest))
		return abi_version_compare(version, newest) > 0;
	for (size_t i = 0; i < head->count && !nearest.count; i++)
		abi_nearest_typos(&nearest, version, &head->versions[i].name, 1);
	return !nearest.count && !resembles_main(head, version);
}

static int list_archived(struct source_graph *out, void *data, struct arena *arena, struct err *err)
{
	struct archive_store *self = data;
	const struct archive_head *head;
	int rc;

	(void)arena;
	if ((rc = need_archive(self, err)))
		return rc;
	head = archive_head(self->archive);
	*out = (struct source_graph){ .versions = head->versions, .count = head->count, .main = head->main,
				      .shallow = head->shallow };
	if (head->shallow)
		store_say(self->options, STORE_WARNING,
			  "%s was made from a shallow clone, so older commits are unknown",
			  archive_name(self->archive));
	return 0;
}

/* True if one of the versions has a commit. An archive has only versions with a commit. */
static bool has_commit(struct wanted *const *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (*wanted[i]->version.commit)
			return true;
	return false;
}

/* Sets the documents of all wanted commits that are in the archive. The others are left to the next store. */
static int documents(void *data, struct wanted *const *wanted, size_t count, struct arena *arena,
		     struct err *err)
{
	struct archive_store *self = data;
	struct arena scratch = { 0 };
	struct abi **chosen; /* indexed by version of the archive: the abi of the first request for it */
	size_t *index; /* indexed like @wanted: the version's index in the archive; SIZE_MAX: not there */
	bool any = false;
	int rc;

	if (!has_commit(wanted, count))
		return 0;
	if ((rc = archive_store_look(self, err)) || !self->archive)
		return rc;
	chosen = arena_array(&scratch, archive_head(self->archive)->count + 1, sizeof(struct abi *));
	index = arena_array(&scratch, count, sizeof(*index));
	for (size_t i = 0; i < count; i++) {
		index[i] = SIZE_MAX;
		if (!archive_find_commit(&index[i], self->archive, wanted[i]->version.commit))
			continue;
		any = true;
		if (!chosen[index[i]])
			chosen[index[i]] = &wanted[i]->request->abi;
	}
	if (any)
		rc = archive_documents(chosen, self->archive, self->target, arena, err);
	for (size_t i = 0; !rc && i < count; i++)
		if (index[i] != SIZE_MAX)
			wanted_set(wanted[i], chosen[index[i]]);
	arena_release(&scratch);
	return rc;
}

int archive_store_around(struct abi_index *index, struct archive_store *self, struct wanted *wanted,
			 struct arena *arena, struct err *err)
{
	size_t count = archive_head(self->archive)->count, at;
	struct abi **chosen = arena_array(arena, count + 1, sizeof(struct abi *));
	bool has = !wanted->done && archive_find_commit(&at, self->archive, wanted->version.commit);
	int rc;

	if (has)
		chosen[at] = &wanted->request->abi;
	rc = archive_indexed(chosen, index, self->archive, self->target, arena, err);
	if (!rc && has)
		wanted_set(wanted, chosen[at]);
	return rc;
}

const struct store_ops archive_store_ops = {
	.find = find_archived,
	.leaves_open = leaves_open,
	.versions = list_archived,
	.documents = documents,
};

/*
 * An archive is packed in these steps:
 *
 *   1. Each version that was read for every target becomes an entry. Other versions are left out.
 *   2. Each version that only the old archive has also becomes an entry.
 *   3. The entries are sorted. Each entry gets its nearest ancestor among the entries as its parent. All
 *      entries are written.
 *
 * So an extended archive has the same bytes as a new archive of the same versions.
 */

struct archive_entry {
	struct source_version version; /* the first member, for abi_order_versions(); without parent */
	const char *parent;             /* name of the nearest ancestor that is an entry; NULL: none */
	const struct abi **documents;   /* indexed by target */
};

struct packing_run {
	const struct store_packing *packing;
	const struct source_graph *graph; /* the versions that were read */
	struct archive_entry *entries;
	size_t count;
	struct arena *arena;
};

static struct archive_entry *add_entry(struct packing_run *run, const struct source_version *version,
			       const char *parent)
{
	struct archive_entry *entry = &run->entries[run->count++];

	*entry = (struct archive_entry){ *version, parent,
				 arena_array(run->arena, run->packing->target_count, sizeof(struct abi *)) };
	return entry;
}

static bool is_read(const struct store_packing *packing, size_t version)
{
	for (size_t i = 0; i < packing->target_count; i++)
		if (packing->loaded[i].requests[version].skipped || packing->loaded[i].requests[version].rc)
			return false;
	return true;
}

/*
 * Adds the versions that were read for all targets. If a parent was not read, its nearest ancestor that was
 * read is the parent.
 */
static void add_read_entries(struct packing_run *run)
{
	for (size_t i = 0; i < run->graph->count; i++) {
		const struct source_version *versions = run->graph->versions;
		long parent = versions[i].parent;
		struct archive_entry *entry;

		if (!is_read(run->packing, i))
			continue;
		while (parent != SOURCE_NO_PARENT && !is_read(run->packing, (size_t)parent))
			parent = versions[parent].parent;
		entry = add_entry(run, &versions[i],
				  parent == SOURCE_NO_PARENT ? NULL : versions[parent].name);
		for (size_t target = 0; target < run->packing->target_count; target++)
			entry->documents[target] = &run->packing->loaded[target].requests[i].abi;
	}
}

static const struct archive_entry *find_entry(const struct archive_entry *entries, size_t count,
					      const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(entries[i].version.name, name))
			return &entries[i];
	return NULL;
}

/* Adds the versions of the old archive that were not read again, with their documents. */
static int add_old_entries(struct packing_run *run, struct err *err)
{
	const struct archive_head *head = archive_head(run->packing->old);
	const size_t read_count = run->count;
	struct abi **wanted = arena_array(run->arena, head->count + 1, sizeof(struct abi *));
	int rc = 0;

	for (size_t i = 0; i < head->count; i++) {
		const struct source_version *version = &head->versions[i];

		if (!find_entry(run->entries, read_count, version->name))
			add_entry(run, version, version->parent == SOURCE_NO_PARENT
							? NULL
							: head->versions[version->parent].name);
	}
	for (size_t target = 0; !rc && run->count > read_count && target < run->packing->target_count;
	     target++) {
		for (size_t i = 0, next = read_count; i < head->count; i++) {
			if (find_entry(run->entries, read_count, head->versions[i].name))
				continue;
			wanted[i] = arena_alloc(run->arena, sizeof(struct abi));
			run->entries[next++].documents[target] = wanted[i];
		}
		rc = archive_documents(wanted, run->packing->old, target, run->arena, err);
	}
	return rc;
}

/* Sorts the entries by version, and writes them as an archive. Parents, which are names, become indexes. */
static int write_entries(struct strbuf *out, struct packing_run *run, struct err *err)
{
	const struct store_packing *packing = run->packing;
	struct source_version *versions = arena_array(run->arena, run->count, sizeof(*versions));
	const struct abi **documents =
		arena_array(run->arena, run->count * packing->target_count, sizeof(struct abi *));
	const struct archive_head head = {
		.driver = packing->profile->name,
		.profile = packing->profile->hash,
		.generation = ABI_GENERATION,
		.targets = packing->targets,
		.target_count = packing->target_count,
		.versions = versions,
		.count = run->count,
		.main = run->graph->main,
		.shallow = run->graph->shallow,
	};

	sort_items(run->entries, run->count, sizeof(*run->entries), abi_order_versions);
	for (size_t i = 0; i < run->count; i++) {
		const struct archive_entry *entry = &run->entries[i];
		const struct archive_entry *parent =
			entry->parent ? find_entry(run->entries, run->count, entry->parent) : NULL;

		versions[i] = entry->version;
		versions[i].parent = parent ? (long)(parent - run->entries) : SOURCE_NO_PARENT;
		for (size_t target = 0; target < packing->target_count; target++)
			documents[target * run->count + i] = entry->documents[target];
	}
	return archive_write(out, &head, documents, err);
}

/* Lists the versions that the old archive does not have, for the message of archive write. */
static const char *const *list_added(const struct packing_run *run)
{
	const struct archive_head *old = run->packing->old ? archive_head(run->packing->old) : NULL;
	const char **added = arena_array(run->arena, run->count + 1, sizeof(*added));
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++) {
		const struct source_version *version = &run->entries[i].version;
		size_t at = 0;

		while (old && at < old->count && strcmp(old->versions[at].name, version->name))
			at++;
		if (!old || at == old->count || strcmp(old->versions[at].commit, version->commit))
			added[count++] = version->name;
	}
	return added;
}

int store_pack_archive(struct strbuf *out, const char *const **added, const struct store_packing *packing,
		       struct arena *arena, struct err *err)
{
	struct packing_run run = { .packing = packing, .graph = &packing->loaded[0].graph, .arena = arena };
	const size_t old_count = packing->old ? archive_head(packing->old)->count : 0;
	int rc;

	run.entries = arena_array(arena, run.graph->count + old_count + 1, sizeof(*run.entries));
	add_read_entries(&run);
	if (packing->old && (rc = add_old_entries(&run, err)))
		return rc;
	if (!run.count)
		return err_set(err, ERR_NOT_FOUND,
			       "none of the versions could be read, so there is nothing to archive");
	if (!(rc = write_entries(out, &run, err)))
		*added = list_added(&run);
	return rc;
}
