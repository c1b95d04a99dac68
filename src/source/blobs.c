#include "source/blobs.h"

#include "base/base.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct blobs {
	pthread_mutex_t lock;
	unsigned owners;
	unsigned long age;   /* trees that were freed */
	void *by_id;         /* tsearch(3) tree of struct blob */
	struct blob **items; /* the same */
	size_t count, capacity;
};

static int compare_ids(const void *a, const void *b)
{
	return git_oid_cmp(&((const struct blob *)a)->id, &((const struct blob *)b)->id);
}

struct blobs *blobs_new(void)
{
	struct blobs *blobs = xmalloc(sizeof(*blobs));

	*blobs = (struct blobs){ .owners = 1 };
	pthread_mutex_init(&blobs->lock, NULL);
	return blobs;
}

struct blobs *blobs_hold(struct blobs *blobs)
{
	pthread_mutex_lock(&blobs->lock);
	blobs->owners++;
	pthread_mutex_unlock(&blobs->lock);
	return blobs;
}

static void free_blob(void *node)
{
	struct blob *blob = node;

	free(blob->text);
	free(blob);
}

void blobs_drop(struct blobs *blobs)
{
	bool is_last;

	if (!blobs)
		return;
	pthread_mutex_lock(&blobs->lock);
	is_last = !--blobs->owners;
	pthread_mutex_unlock(&blobs->lock);
	if (!is_last)
		return;
	tdestroy(blobs->by_id, free_blob);
	pthread_mutex_destroy(&blobs->lock);
	free(blobs->items);
	free(blobs);
}

struct blob *blobs_find(struct blobs *blobs, const git_oid *id)
{
	const struct blob key = { .id = *id };
	struct blob *found = NULL;
	void *const *node;

	pthread_mutex_lock(&blobs->lock);
	if ((node = tfind(&key, &blobs->by_id, compare_ids))) {
		found = *node;
		found->users++;
		found->used = blobs->age;
	}
	pthread_mutex_unlock(&blobs->lock);
	return found;
}

struct blob *blobs_add(struct blobs *blobs, const git_oid *id, const void *data, size_t size)
{
	struct blob *blob = blobs_find(blobs, id); /* another thread may have added it meanwhile */

	if (blob)
		return blob;
	blob = xmalloc(sizeof(*blob));
	*blob = (struct blob){ .id = *id, .text = xmalloc(size + 1), .size = size, .users = 1 };
	if (size)
		memcpy(blob->text, data, size);
	blob->text[size] = '\0';
	pthread_mutex_lock(&blobs->lock);
	blob->used = blobs->age;
	tsearch(blob, &blobs->by_id, compare_ids);
	ARRAY_GROW(blobs->items, blobs->count, blobs->capacity);
	blobs->items[blobs->count++] = blob;
	pthread_mutex_unlock(&blobs->lock);
	return blob;
}

void blobs_return(struct blobs *blobs, struct blob *blob)
{
	pthread_mutex_lock(&blobs->lock);
	blob->users--;
	pthread_mutex_unlock(&blobs->lock);
}

void blobs_age(struct blobs *blobs)
{
	size_t left = 0;

	pthread_mutex_lock(&blobs->lock);
	for (size_t i = 0; i < blobs->count; i++) {
		struct blob *blob = blobs->items[i];

		if (blob->users || blob->used == blobs->age) {
			blobs->items[left++] = blob;
			continue;
		}
		tdelete(blob, &blobs->by_id, compare_ids);
		free_blob(blob);
	}
	blobs->count = left;
	blobs->age++;
	pthread_mutex_unlock(&blobs->lock);
}
