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
	const struct archive_head *head = &archive->head;
	const char *name = archive->name;

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

/*
 * Reads the head of the archive @path, and sets self->archive and self->target. Return: 0; the errors of
 * store_read_archive(); ERR_USAGE if the archive does not have the target.
 */
static int use_archive(struct archive_store *self, const char *path, struct err *err)
{
	const char *target = self->options->target, *list = "none";
	const struct archive *archive;
	int rc;

	if ((rc = store_read_archive(&archive, path, self->options->profile, self->arena, err)))
		return rc;
	if (!archive_target(&self->target, archive, target)) {
		for (size_t i = 0; i < archive->head.target_count; i++)
			list = i ? arena_printf(self->arena, "%s, %s", list, archive->head.targets[i])
				 : archive->head.targets[i];
		return err_set(err, ERR_USAGE, "%s has no documents for %s, only for: %s",
			       archive->name, target, list);
	}
	self->archive = archive;
	return 0;
}

/*
 * Uses the archive @path, which the user did not name, if it exists and is suitable. Otherwise, tells the
 * user why not, unless the file does not exist. Return: true if the archive is used.
 */
static bool try_archive(struct archive_store *self, const char *path)
{
	struct err err = { "" };
	int rc;

	if (access(path, F_OK))
		return false;
	rc = use_archive(self, path, &err);
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
		return use_archive(self, options->archive, err);
	/* The first usable archive: that of --add or DRVABI_ARCHIVE, then one in the data directories. */
	if (options->no_archive || (options->first_archive && try_archive(self, options->first_archive)))
		return 0;
	surroundings = data_surroundings(self->arena);
	data_paths(&paths, options->profile->name, ".drvabi", &surroundings, self->arena);
	for (size_t i = 0; i < paths.count; i++)
		if (try_archive(self, paths.path[i]))
			break;
	return 0;
}

/* As archive_store_look(), but ERR_NOT_FOUND if there is no archive, so that the next store is searched. */
static int need_archive(struct archive_store *self, struct err *err)
{
	int rc = archive_store_look(self, err);

	if (!rc && !self->archive)
		rc = err_set(err, ERR_NOT_FOUND, "there is no archive of the driver %s",
			     self->options->profile->name);
	return rc;
}

/* True if @version is probably a misspelled name of the main branch. */
static bool resembles_main(const struct source_graph *graph, const char *version)
{
	struct abi_nearest nearest = { .count = 0 };

	if (graph->main && strcmp(graph->main, version))
		abi_nearest_typos(&nearest, version, &graph->main, 1);
	return nearest.count;
}

/*
 * The function `find` of this store: finds a version by its name or commit id. @version: NULL means the
 * newest. Return: 0; ERR_NOT_FOUND, and @err has the most similar names; the error of options->archive.
 */
static int find_archived(struct found_version *out, void *data, const char *version, struct arena *arena,
		struct err *err)
{
	struct archive_store *self = data;
	const struct source_graph *graph;
	size_t index;
	int rc;

	(void)arena; /* names point into the archive */
	if ((rc = need_archive(self, err)))
		return rc;
	graph = &self->archive->head.graph;
	index = graph->count - 1;
	if (!version && !graph->count)
		return err_set(err, ERR_NOT_FOUND, "%s has no versions", self->archive->name);
	if (version && (rc = archive_find(&index, self->archive, version, err))) {
		if (!self->options->archive && resembles_main(graph, version))
			err_set(err, rc, "no version %s; nearest: %s", version, graph->main);
		return rc;
	}
	*out = (struct found_version){ graph->versions[index].name, graph->versions[index].commit };
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

/*
 * Returns whether later stores may be searched for @version, which find() did not find. Without versions in
 * an archive, always. Otherwise, only if the user named @version, and it can be a commit id, a version newer
 * than the archive, or a branch, that is, not a probable typo.
 */
static bool leaves_open(void *data, const char *version, bool by_user)
{
	const struct archive_store *self = data;
	struct abi_nearest nearest = { .count = 0 };
	const struct source_graph *graph;
	const char *newest;

	if (!self->archive || !self->archive->head.graph.count)
		return true;
	graph = &self->archive->head.graph;
	newest = graph->versions[graph->count - 1].name;
	if (!version || !by_user || !is_ref_name(version))
		return false;
	if (is_commit_id(version, COMMIT_DIGITS_MIN))
		return true;
	if (is_release_name(version, newest))
		return abi_version_compare(version, newest) > 0;
	for (size_t i = 0; i < graph->count && !nearest.count; i++)
		abi_nearest_typos(&nearest, version, &graph->versions[i].name, 1);
	return !nearest.count && !resembles_main(graph, version);
}

/*
 * The function `versions` of this store: lists the versions of the archive, and warns if it was made from a
 * shallow clone. Return: 0; ERR_NOT_FOUND if there is no archive; the error of options->archive.
 */
static int list_archived(struct source_graph *out, void *data, struct arena *arena, struct err *err)
{
	struct archive_store *self = data;
	int rc;

	(void)arena;
	if ((rc = need_archive(self, err)))
		return rc;
	*out = self->archive->head.graph;
	if (out->shallow)
		store_say(self->options, STORE_WARNING,
			  "%s was made from a shallow clone, so older commits are unknown",
			  self->archive->name);
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

/*
 * The function `documents` of this store: reads the documents of all wanted commits that are in the archive,
 * and sets done for them. The others are left to the next store.
 */
static int read_archived(void *data, struct wanted *const *wanted, size_t count, struct arena *arena,
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
	chosen = arena_array(&scratch, self->archive->head.graph.count + 1, sizeof(struct abi *));
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
		rc = archive_documents(chosen, NULL, self->archive, self->target, arena, err);
	for (size_t i = 0; !rc && i < count; i++)
		if (index[i] != SIZE_MAX)
			wanted_set(wanted[i], chosen[index[i]]);
	arena_release(&scratch);
	return rc;
}

int archive_store_around(struct abi_index *index, struct archive_store *self, struct wanted *wanted,
			 struct arena *arena, struct err *err)
{
	size_t count = self->archive->head.graph.count, at;
	struct abi **chosen = arena_array(arena, count + 1, sizeof(struct abi *));
	bool has = !wanted->done && archive_find_commit(&at, self->archive, wanted->version.commit);
	int rc;

	if (has)
		chosen[at] = &wanted->request->abi;
	rc = archive_documents(chosen, index, self->archive, self->target, arena, err);
	if (!rc && has)
		wanted_set(wanted, chosen[at]);
	return rc;
}

const struct store_ops archive_store_ops = {
	.find = find_archived,
	.leaves_open = leaves_open,
	.versions = list_archived,
	.documents = read_archived,
};

/* --- packing --------------------------------------------------------------------- */

/* A version of the new archive. */
struct packed_version {
	struct source_version version; /* the first member, for abi_order_versions() */
	const char *parent; /* name of the nearest ancestor in the new archive; NULL: none */
	bool is_old;        /* only the old archive has the version */
	size_t at;          /* its index in the graph, or in the old archive */
};

/* Checks whether a version was read for every target. */
static bool is_read(const struct store_packing *packing, size_t version)
{
	for (size_t i = 0; i < packing->target_count; i++)
		if (packing->loaded[i].requests[version].skipped || packing->loaded[i].requests[version].rc)
			return false;
	return true;
}

/* Returns the name of the nearest ancestor that was read, a version's parent in the archive; NULL if none. */
static const char *find_read_parent(const struct store_packing *packing, size_t version)
{
	const struct source_version *versions = packing->loaded[0].graph.versions;
	long parent = versions[version].parent;

	while (parent != SOURCE_NO_PARENT && !is_read(packing, (size_t)parent))
		parent = versions[parent].parent;
	return parent == SOURCE_NO_PARENT ? NULL : versions[parent].name;
}

/*
 * Lists the versions of the new archive, in order: those that were read for every target, and the other ones
 * of the old archive. So an extended archive has the same bytes as a new archive of the same versions.
 * @added: see store_pack_archive(). Return: the number of versions.
 */
static size_t merge_versions(struct packed_version *out, const char **added,
			     const struct store_packing *packing)
{
	const struct source_graph none = { .count = 0 }, *graph = &packing->loaded[0].graph;
	const struct source_graph *old = packing->old ? &packing->old->head.graph : &none;
	size_t count = 0;

	for (size_t i = 0, k = 0; i < graph->count || k < old->count;) {
		const int order = i == graph->count ? 1
				  : k == old->count ? -1
						    : abi_version_compare(graph->versions[i].name,
									  old->versions[k].name);
		const struct source_version *read =
			order <= 0 && is_read(packing, i) ? &graph->versions[i] : NULL;
		const struct source_version *kept = order >= 0 ? &old->versions[k] : NULL;

		if (read) {
			out[count++] =
				(struct packed_version){ *read, find_read_parent(packing, i), false, i };
			if (!kept || strcmp(read->commit, kept->commit))
				*added++ = read->name;
		} else if (kept) {
			out[count++] = (struct packed_version){
				*kept,
				kept->parent == SOURCE_NO_PARENT ? NULL : old->versions[kept->parent].name,
				true, k
			};
		}
		i += order <= 0;
		k += order >= 0;
	}
	return count;
}

/*
 * Lists the documents of @versions for all targets in @out, first those of the first target. Reads those of
 * the old archive. Return: 0; the error of archive_documents().
 */
static int collect_packed(const struct abi **out, const struct packed_version *versions, size_t count,
			     const struct store_packing *packing, struct arena *arena, struct err *err)
{
	const size_t old_count = packing->old ? packing->old->head.graph.count : 0;
	int rc = 0;

	for (size_t target = 0; !rc && target < packing->target_count; target++) {
		struct abi **wanted = arena_array(arena, old_count + 1, sizeof(struct abi *));
		bool is_any_old = false;

		for (size_t i = 0; i < count; i++) {
			const size_t at = versions[i].at;

			is_any_old |= versions[i].is_old;
			if (versions[i].is_old)
				*out++ = wanted[at] = arena_alloc(arena, sizeof(struct abi));
			else
				*out++ = &packing->loaded[target].requests[at].abi;
		}
		if (is_any_old)
			rc = archive_documents(wanted, NULL, packing->old, target, arena, err);
	}
	return rc;
}

int store_pack_archive(struct strbuf *out, const char *const **added, const struct store_packing *packing,
		       struct arena *arena, struct err *err)
{
	const struct source_graph *graph = &packing->loaded[0].graph;
	const size_t most = graph->count + (packing->old ? packing->old->head.graph.count : 0);
	struct packed_version *packed = arena_array(arena, most + 1, sizeof(*packed));
	struct source_version *versions = arena_array(arena, most + 1, sizeof(*versions));
	const struct abi **documents =
		arena_array(arena, most * packing->target_count + 1, sizeof(struct abi *));
	const char **names = arena_array(arena, most + 1, sizeof(*names));
	const size_t count = merge_versions(packed, names, packing);
	const struct archive_head head = {
		.driver = packing->profile->name,
		.profile = packing->profile->hash,
		.generation = ABI_GENERATION,
		.targets = packing->targets,
		.target_count = packing->target_count,
		.graph = { .versions = versions, .count = count, .main = graph->main,
			   .shallow = graph->shallow },
	};
	int rc;

	if (!count)
		return err_set(err, ERR_NOT_FOUND,
			       "none of the versions could be read, so there is nothing to archive");
	for (size_t i = 0; i < count; i++) {
		const struct packed_version *parent =
			packed[i].parent ? bsearch(&packed[i].parent, packed, count, sizeof(*packed),
						   abi_order_versions)
					 : NULL;

		versions[i] = packed[i].version;
		versions[i].parent = parent ? parent - packed : SOURCE_NO_PARENT;
	}
	if (!(rc = collect_packed(documents, packed, count, packing, arena, err)) &&
	    !(rc = archive_write(out, &head, documents, err)))
		*added = names;
	return rc;
}
