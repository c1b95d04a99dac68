#include "store/pool.h"

#include <stdlib.h>

struct thing *pool_add(struct pool *pool, const struct strbuf *key)
{
	struct thing *thing;
	unsigned int hash;

	HASH_VALUE(strbuf_text(key), key->length, hash);
	HASH_FIND_BYHASHVALUE(hh, pool->by_key, strbuf_text(key), key->length, hash, thing);
	if (thing)
		return thing;
	thing = arena_alloc(&pool->arena, sizeof(*thing));
	thing->number = pool->count;
	thing->key = arena_memdup(&pool->arena, strbuf_text(key), key->length);
	thing->key_size = key->length;
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, pool->by_key, thing->key, key->length, hash, thing);
	ARRAY_GROW(pool->things, pool->count, pool->capacity);
	pool->things[pool->count++] = thing;
	return thing;
}

bool thing_add_version(struct thing *thing, uint32_t version)
{
	struct abi_span *last = thing->span_count ? &thing->spans[thing->span_count - 1] : NULL;

	if (last && last->until > version)
		return false;
	if (last && last->until == version) {
		last->until++;
		return true;
	}
	ARRAY_GROW(thing->spans, thing->span_count, thing->span_capacity);
	thing->spans[thing->span_count++] = (struct abi_span){ version, version + 1 };
	return true;
}

void pool_sort(struct pool *pool, int (*order)(const void *, const void *))
{
	if (pool->count)
		qsort(pool->things, pool->count, sizeof(*pool->things), order);
}

void pool_release(struct pool *pool)
{
	HASH_CLEAR(hh, pool->by_key);
	for (size_t i = 0; i < pool->count; i++)
		free(pool->things[i]->spans);
	free(pool->things);
	arena_release(&pool->arena);
	*pool = (struct pool){ .things = NULL };
}
