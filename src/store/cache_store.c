/*
 * The cache is asked for trees that have a key, each key once: versions whose
 * sources are equal share one document. What it lacks is offered to it later. A
 * cache that cannot be written is said once, and changes nothing else.
 */
#include "store/stores.h"

static void get(const struct cache_store *self, struct wanted *wanted, struct arena *arena)
{
	struct abi *abi = &wanted->request->abi;

	if (cache_get(abi, self->dir, &wanted->key, arena, NULL))
		return;
	abi->version = wanted->version.name;
	abi->commit = wanted->version.commit;
	wanted->key_decides = true;
	wanted->done = true;
}

static int documents(void *data, struct wanted *const *wanted, size_t count, struct arena *arena, struct err *err)
{
	struct cache_store *self = data;

	(void)err; /* whatever cannot be read is as good as absent */
	if (!*self->dir)
		return 0;
	for (size_t i = 0; i < count; i++) {
		size_t owner = 0;

		tree_store_key(self->trees, wanted[i]);
		if (!wanted[i]->has_key)
			continue;
		while (!wanted_same_key(wanted[owner], wanted[i]))
			owner++;
		if (owner < i && wanted[owner]->done)
			wanted_share(wanted[i], wanted[owner]);
		else if (owner == i)
			get(self, wanted[i], arena);
	}
	return 0;
}

static void offer(void *data, const struct wanted *wanted)
{
	struct cache_store *self = data;
	struct err err = { "" };

	if (!wanted->has_key || !wanted->key_decides || self->warned)
		return;
	if (!*self->dir)
		err_set(&err, ERR_NOT_FOUND, "there is nowhere to put it: neither XDG_CACHE_HOME nor HOME is set");
	else if (!cache_put(&wanted->request->abi, self->dir, &wanted->key, &err))
		return;
	self->warned = true;
	store_say(self->options, STORE_WARNING, "the cache cannot be written (set XDG_CACHE_HOME, or give --no-cache): %s", err.text);
}

const struct store_ops cache_store_ops = { .documents = documents, .offer = offer };
