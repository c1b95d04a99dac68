#include "source/git.h"

#include <stdlib.h>
#include <string.h>

static int branch_names(const char *const **names, size_t *count, git_repository *repo, struct arena *arena)
{
	git_branch_iterator *branches;
	const char **found = NULL;
	size_t found_count = 0, capacity = 0;
	git_reference *ref;
	git_branch_t type;

	if (git_branch_iterator_new(&branches, repo, GIT_BRANCH_ALL))
		return ERR_GIT;
	while (!git_branch_next(&ref, &type, branches)) {
		const char *name;

		if (!git_branch_name(&name, ref)) {
			ARRAY_GROW(found, found_count, capacity);
			found[found_count++] = arena_strdup(arena, name);
		}
		git_reference_free(ref);
	}
	git_branch_iterator_free(branches);
	*names = arena_memdup(arena, found, found_count * sizeof(*found));
	*count = found_count;
	free(found);
	return 0;
}

int nearest_err(git_repository *repo, const char *version, const char *shown, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct arena arena = { 0 };
	struct strbuf list = { 0 };
	const char *const *tags = NULL, *const *branches = NULL;
	size_t tag_count, branch_count;

	if (version_tags(&tags, &tag_count, repo, &arena, NULL))
		tag_count = 0;
	for (size_t i = 0; i < tag_count; i++)
		if (!strcmp(tags[i], version)) { /* it is there, and was not found */
			arena_release(&arena);
			return err_set(err, ERR_GIT, "cannot read refs/tags/%s in %s; mend or delete it, or fetch the tags again", version, shown);
		}
	if (branch_names(&branches, &branch_count, repo, &arena))
		branch_count = 0;
	if (tag_count)
		abi_nearest_typos(&nearest, version, tags, tag_count);
	if (!nearest.count && branch_count)
		abi_nearest_typos(&nearest, version, branches, branch_count);
	if (!nearest.count && tag_count)
		abi_nearest_neighbours(&nearest, version, tags, tag_count);
	abi_nearest_list(&list, &nearest);
	if (!nearest.count)
		strbuf_adds(&list, ", which has no tags");
	err_set(err, ERR_NOT_FOUND, "no version %s in %s%s", version, shown, list.text);
	strbuf_release(&list);
	arena_release(&arena);
	return ERR_NOT_FOUND;
}
