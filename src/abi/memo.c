#include "abi/abi.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* The hash node is private to this file. */
struct node {
	struct memo_entry entry; /* first */
	const char *key;         /* kind, path and object id; in the entry's arena */
	unsigned long used;      /* age of the memo */
	UT_hash_handle hh;
};

struct memo {
	struct node *nodes;
	struct strbuf key;
	unsigned long age;
};

struct memo *memo_new(void)
{
	struct memo *memo = xmalloc(sizeof(*memo));

	*memo = (struct memo){ .nodes = NULL };
	return memo;
}

static void drop(struct memo *memo, struct node *node)
{
	HASH_DEL(memo->nodes, node);
	arena_release(&node->entry.arena);
	free(node);
}

void memo_free(struct memo *memo)
{
	struct node *node, *next;

	if (!memo)
		return;
	HASH_ITER(hh, memo->nodes, node, next)
		drop(memo, node);
	strbuf_release(&memo->key);
	free(memo);
}

struct memo_entry *memo_entry(struct memo *memo, const char *kind, struct tree *tree, const char *path)
{
	struct node *node;
	char id[41];

	if (!memo || tree->ops->id(tree, path, id, NULL))
		return NULL;
	strbuf_reset(&memo->key);
	strbuf_addf(&memo->key, "%s\n%s\n%s", kind, path, id);
	HASH_FIND(hh, memo->nodes, memo->key.text, memo->key.length, node);
	if (!node) {
		node = xmalloc(sizeof(*node));
		*node = (struct node){ .entry = { .value = NULL } };
		node->key = arena_strdup(&node->entry.arena, memo->key.text);
		HASH_ADD_KEYPTR(hh, memo->nodes, node->key, memo->key.length, node);
	}
	node->used = memo->age;
	return &node->entry;
}

void memo_forget(struct memo *memo, struct memo_entry *entry)
{
	struct node *node = (struct node *)entry;

	/* The value may be in use until the extraction ends: it goes with the next one. */
	HASH_DEL(memo->nodes, node);
	node->used = 0;
	node->key = arena_printf(&node->entry.arena, "forgotten %p", (void *)node);
	HASH_ADD_KEYPTR(hh, memo->nodes, node->key, strlen(node->key), node);
}

void memo_age(struct memo *memo)
{
	struct node *node, *next;

	if (!memo)
		return;
	HASH_ITER(hh, memo->nodes, node, next)
		if (node->used < memo->age)
			drop(memo, node);
	memo->age++;
}
