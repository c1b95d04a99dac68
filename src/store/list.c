#include "store/list.h"

#include "abi/abi.h"

#include <stdlib.h>
#include <string.h>

bool wanted_same_key(const struct wanted *a, const struct wanted *b)
{
	return a->has_key && b->has_key && !strcmp(a->key.hex, b->key.hex);
}

void wanted_share(struct wanted *wanted, const struct wanted *owner)
{
	wanted->request->abi = owner->request->abi;
	wanted->request->abi.version = wanted->version.name;
	wanted->request->abi.commit = wanted->version.commit;
	wanted->key_decides = true;
	wanted->done = true;
}

void list_add(struct list *list, const struct store_ops *ops, void *self, bool is_silent)
{
	list->stores[list->count++] = (struct store){ ops, self, is_silent };
}

static bool names_versions(const struct store *store)
{
	return store->ops->find && !store->is_silent;
}

int list_versions(struct source_graph *out, const struct list *list, struct arena *arena, struct err *err)
{
	int rc = err_set(err, ERR_NOT_FOUND, "there is nothing that names versions");

	for (size_t i = 0; rc == ERR_NOT_FOUND && i < list->count; i++)
		if (names_versions(&list->stores[i]))
			rc = list->stores[i].ops->versions(out, list->stores[i].self, arena, err);
	return rc;
}

/* The version that begins with @version, if there is one; what the stores said before is in @err. */
static int find_abbreviated(struct found_version *out, const struct list *list, const char *version, struct arena *arena, struct err *err)
{
	struct source_graph graph;
	struct err ignored;
	struct abi_version_run run;
	const char **names;

	if (!strpbrk(version, "0123456789") || list_versions(&graph, list, arena, &ignored))
		return ERR_NOT_FOUND;
	names = arena_array(arena, graph.count + 1, sizeof(*names));
	for (size_t i = 0; i < graph.count; i++)
		names[i] = graph.versions[i].name;
	run = abi_version_run(version, names, graph.count);
	if (!run.count || !strcmp(names[run.first], version))
		return ERR_NOT_FOUND;
	if (run.count > 1)
		return abi_version_ambiguous(version, names, run, err);
	*out = (struct found_version){ names[run.first], graph.versions[run.first].commit };
	return 0;
}

int list_find(struct found_version *out, const struct list *list, const char *version, bool by_user, struct arena *arena,
	      struct err *err)
{
	int rc = err_set(err, ERR_NOT_FOUND, "there is nothing that names versions");

	for (size_t i = 0; i < list->count; i++) {
		const struct store *store = &list->stores[i];

		if (!names_versions(store))
			continue;
		rc = store->ops->find(out, store->self, version, arena, err);
		if (rc != ERR_NOT_FOUND || (store->ops->leaves_open && !store->ops->leaves_open(store->self, version, by_user)))
			break;
	}
	return rc == ERR_NOT_FOUND && version && by_user ? find_abbreviated(out, list, version, arena, err) : rc;
}

/* Those of @wanted that are not done. Return: how many. */
static size_t still_wanted(struct wanted **out, struct wanted *wanted, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		if (!wanted[i].done)
			out[left++] = &wanted[i];
	return left;
}

/* The first @before stores lacked @wanted. */
static void offer(const struct list *list, size_t before, const struct wanted *wanted)
{
	for (size_t i = 0; i < before; i++)
		if (list->stores[i].ops->offer)
			list->stores[i].ops->offer(list->stores[i].self, wanted);
}

int list_documents(const struct list *list, struct wanted *wanted, size_t count, struct arena *arena, struct err *err)
{
	struct wanted **left = xmalloc((count + 1) * sizeof(struct wanted *));
	size_t left_count = still_wanted(left, wanted, count);
	int rc = 0;

	for (size_t i = 0; !rc && left_count && i < list->count; i++) {
		const struct store *store = &list->stores[i];

		rc = store->ops->documents(store->self, left, left_count, arena, err);
		for (size_t k = 0; !rc && k < left_count; k++)
			if (left[k]->done && !left[k]->request->rc)
				offer(list, i, left[k]);
		left_count = still_wanted(left, wanted, count);
	}
	if (!rc && left_count)
		rc = err_set(err, ERR_NOT_FOUND, "there is no document of %s", left[0]->version.name);
	free(left);
	return rc;
}
