/*
 * Objects are in a hash by client and handle, in the order in which they came: the oldest is the first. Parents hold
 * lists of their children. An object whose parent is not known is its client's child, and a client that is not known
 * gets an entry that stands for it, so that all that it has is found when it is freed.
 */
#include "decode/handles.h"

#include "base/base.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>
#include <utlist.h>

struct key {
	uint32_t client, handle;
};

struct entry {
	struct key key;
	struct decode_object object;
	bool stands_in;           /* for a client whose allocation is not in the trace */
	struct entry *parent;     /* NULL: it is a client */
	struct entry *children;   /* doubly linked */
	struct entry *prev, *next; /* among the parent's children */
	UT_hash_handle hh;
};

struct decode_handles {
	struct entry *entries;
};

struct decode_handles *decode_handles_new(void)
{
	struct decode_handles *handles = xmalloc(sizeof(*handles));

	*handles = (struct decode_handles){ .entries = NULL };
	return handles;
}

static struct entry *find(const struct decode_handles *handles, uint32_t client, uint32_t handle)
{
	const struct key key = { client, handle };
	struct entry *entry;

	HASH_FIND(hh, handles->entries, &key, sizeof(key), entry);
	return entry;
}

static void orphan(struct entry *entry)
{
	if (entry->parent)
		DL_DELETE(entry->parent->children, entry);
	entry->parent = NULL;
}

/* Alone; what is below it has no parent then. */
static void drop(struct decode_handles *handles, struct entry *entry)
{
	while (entry->children)
		orphan(entry->children);
	orphan(entry);
	HASH_DELETE(hh, handles->entries, entry);
	free(entry);
}

void decode_handles_free(struct decode_handles *handles)
{
	struct entry *entry, *next;

	if (!handles)
		return;
	HASH_ITER(hh, handles->entries, entry, next) {
		HASH_DELETE(hh, handles->entries, entry);
		free(entry);
	}
	free(handles);
}

enum { DEPTH_MAX = 64 };

/* Is @entry one of those above @above, or itself? A trace may say so; the driver would not. What is too deep counts as above. */
static bool is_above(const struct entry *entry, const struct entry *above)
{
	unsigned depth;

	for (depth = 0; above && depth < DEPTH_MAX; depth++, above = above->parent)
		if (above == entry)
			return true;
	return depth == DEPTH_MAX;
}

static struct entry *insert(struct decode_handles *handles, uint32_t client, uint32_t handle)
{
	struct entry *entry;

	if (HASH_COUNT(handles->entries) >= DECODE_HANDLES_MAX)
		drop(handles, handles->entries);
	entry = xmalloc(sizeof(*entry));
	memset(entry, 0, sizeof(*entry));
	entry->key = (struct key){ client, handle };
	HASH_ADD(hh, handles->entries, key, sizeof(entry->key), entry);
	return entry;
}

/* The entry that @object goes with: its parent's, else its client's. NULL: it is the client. */
static struct entry *parent_of(struct decode_handles *handles, const struct decode_object *object)
{
	struct entry *parent = find(handles, object->client, object->parent);

	if (object->handle == object->client)
		return NULL;
	if (!parent)
		parent = find(handles, object->client, object->client);
	if (!parent) {
		parent = insert(handles, object->client, object->client);
		parent->stands_in = true;
	}
	return parent;
}

void decode_handles_add(struct decode_handles *handles, const struct decode_object *object)
{
	struct entry *parent = parent_of(handles, object), *entry = find(handles, object->client, object->handle);

	if (entry) {
		orphan(entry);
	} else {
		entry = insert(handles, object->client, object->handle);
		parent = parent_of(handles, object); /* the oldest entry is gone, if there were too many */
	}
	entry->object = *object;
	entry->stands_in = false;
	if (parent && is_above(entry, parent))
		parent = find(handles, object->client, object->client);
	if (!parent || is_above(entry, parent))
		return;
	entry->parent = parent;
	DL_APPEND(parent->children, entry);
}

/* Leaves first, without recursion. */
static void drop_tree(struct decode_handles *handles, struct entry *top)
{
	while (top->children) {
		struct entry *at = top->children;

		while (at->children)
			at = at->children;
		drop(handles, at);
	}
	drop(handles, top);
}

void decode_handles_remove(struct decode_handles *handles, uint32_t client, uint32_t handle)
{
	struct entry *entry = find(handles, client, handle);

	if (entry)
		drop_tree(handles, entry);
}

const struct decode_object *decode_handles_find(const struct decode_handles *handles, uint32_t client, uint32_t handle)
{
	const struct entry *entry = find(handles, client, handle);

	return entry && !entry->stands_in ? &entry->object : NULL;
}

size_t decode_handles_count(const struct decode_handles *handles)
{
	return HASH_COUNT(handles->entries);
}
