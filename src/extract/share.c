#include "extract/share.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

#define NONE UINT32_MAX

enum {
	KEPT_BYTES_MAX = 16 * 1024 * 1024, /* of texts */
	/* A driver has a few hundred of the former and some 100,000 of the latter; above these, nothing is gained. */
	PASTING_MAX = 16 * 1024,
	LINKS_MAX = 16 * 1024 * 1024,
};

struct share_arena {
	struct arena arena;
	struct share_arena *next;
};

struct share_node {
	struct share_text text; /* first */
	UT_hash_handle hh;
};

/* Who speaks of a name, and who gives it a meaning: two lists. */
struct share_name {
	uint64_t hash; /* 0: free */
	uint32_t speakers, meaners;
};

/* An element of such a list. */
struct share_user {
	uint32_t text, next;
	uint32_t seen; /* of a speaker, as of a share_link; of a meaner, the chunk, as of a digest_meaning */
};

/* A piece of memory that many point to. */
struct share_bytes {
	uint64_t hash;
	const void *at; /* NULL: free */
	size_t size;
};

struct share_entry {
	struct share_key key;
	enum share_state state;
	struct share_piece piece;
	const uint64_t *paths; /* if it is SHARE_PLACED */
	size_t path_count;
	UT_hash_handle hh;
};

struct share_predefined {
	uint64_t salt;
	struct hashes names;
	struct share_predefined *next;
};

struct share_chunk {
	struct share_key key;
	struct share_part part;
	UT_hash_handle hh;
};

struct share_made {
	uint64_t id[2];
	const void *made;
	UT_hash_handle hh;
};

static void free_tools(struct share_tools *tools)
{
	roles_release(&tools->roles);
	macro_rules_free(tools->rules);
	arena_release(&tools->arena);
	free(tools);
}

/* The lock is held for microseconds, and wanted often: who waits for it had better not go to sleep at once. */
static int init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;
	int failed;

	if (pthread_mutexattr_init(&attributes))
		return -1;
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
	failed = pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return failed;
}

int extract_share_new(struct extract_share **out, struct err *err)
{
	struct extract_share *share = xmalloc(sizeof(*share));

	*share = (struct extract_share){ .distrust = NULL };
	if (init_lock(&share->lock) || init_lock(&share->kept_lock) || pthread_rwlock_init(&share->names_lock, NULL) ||
	    pthread_cond_init(&share->changed, NULL)) {
		free(share);
		return err_set(err, ERR_LIMIT, "the system has no lock left");
	}
	*out = share;
	return 0;
}

void extract_share_free(struct extract_share *share)
{
	struct share_arena *next;

	if (!share)
		return;
	while (share->idle) {
		struct share_tools *tools = share->idle;

		share->idle = tools->next;
		free_tools(tools);
	}
	HASH_CLEAR(hh, share->nodes);
	HASH_CLEAR(hh, share->pieces);
	HASH_CLEAR(hh, share->parts);
	HASH_CLEAR(hh, share->made);
	for (size_t i = 0; i < share->text_count; i++) {
		free(share->texts[i]->links);
		free(share->texts[i]->imports);
	}
	for (struct share_arena *arena = share->arenas; arena; arena = next) {
		next = arena->next;
		arena_release(&arena->arena);
		free(arena);
	}
	for (struct share_predefined *one = share->predefined; one; one = one->next)
		hashes_release(&one->names);
	arena_release(&share->own);
	arena_release(&share->kept);
	free(share->texts);
	free(share->names);
	free(share->users);
	free(share->mentions);
	free(share->pasting.hash);
	hashes_release(&share->pasting_set);
	free(share->bytes);
	pthread_cond_destroy(&share->changed);
	pthread_mutex_destroy(&share->kept_lock);
	pthread_rwlock_destroy(&share->names_lock);
	pthread_mutex_destroy(&share->lock);
	free(share);
}

static struct share_tools *take_idle(struct extract_share *share)
{
	struct share_tools *tools;

	share_lock(share);
	tools = share->idle;
	if (tools)
		share->idle = tools->next;
	share_unlock(share);
	return tools;
}

int share_borrow(struct share_tools **out, struct extract_share *share, const struct profile *profile, struct err *err)
{
	struct share_tools *tools = take_idle(share);
	int rc;

	if (!tools) {
		tools = xmalloc(sizeof(*tools));
		*tools = (struct share_tools){ .next = NULL };
		if ((rc = macro_rules_new(&tools->rules, profile, &tools->arena, err))) {
			free_tools(tools);
			return rc;
		}
		tools->roles = (struct roles){ .profile = profile, .arena = &tools->arena };
	}
	*out = tools;
	return 0;
}

void share_give_back(struct extract_share *share, struct share_tools *tools)
{
	share_lock(share);
	tools->next = share->idle;
	share->idle = tools;
	share_unlock(share);
}

void share_lock(struct extract_share *share)
{
	pthread_mutex_lock(&share->lock);
}

void share_unlock(struct extract_share *share)
{
	pthread_mutex_unlock(&share->lock);
}

struct arena *share_arena(struct extract_share *share)
{
	struct share_arena *arena = xmalloc(sizeof(*arena));

	*arena = (struct share_arena){ .next = NULL };
	share_lock(share);
	arena->next = share->arenas;
	share->arenas = arena;
	share_unlock(share);
	return &arena->arena;
}

void share_distrust(struct extract_share *share, const char *why)
{
	share_lock(share);
	if (!share->distrust)
		share->distrust = why;
	share_unlock(share);
}

void share_text_id(uint64_t id[2], const char *unit, const char *path, const char *content)
{
	struct strbuf text = { 0 };
	XXH128_hash_t hash;

	strbuf_adds(&text, unit);
	strbuf_addch(&text, '\n');
	strbuf_adds(&text, path);
	strbuf_addch(&text, '\n');
	strbuf_adds(&text, content);
	hash = XXH3_128bits(text.text, text.length);
	id[0] = hash.low64;
	id[1] = hash.high64;
	strbuf_release(&text);
}

static struct share_text *find_text(struct extract_share *share, const uint64_t id[2])
{
	struct share_node *node;

	HASH_FIND(hh, share->nodes, id, sizeof(node->text.id), node);
	return node ? &node->text : NULL;
}

struct share_text *share_find_text(struct extract_share *share, const uint64_t id[2])
{
	struct share_text *text;

	share_lock(share);
	text = find_text(share, id);
	share_unlock(share);
	return text;
}

static void grow_names(struct extract_share *share)
{
	size_t mask = share->names ? share->name_mask * 2 + 1 : 4095;
	struct share_name *names = xmalloc((mask + 1) * sizeof(*names));

	memset(names, 0, (mask + 1) * sizeof(*names));
	for (size_t i = 0; share->names && i <= share->name_mask; i++) {
		size_t at = share->names[i].hash & mask;

		if (!share->names[i].hash)
			continue;
		while (names[at].hash)
			at = (at + 1) & mask;
		names[at] = share->names[i];
	}
	free(share->names);
	share->names = names;
	share->name_mask = mask;
}

static struct share_name *name_of(struct extract_share *share, uint64_t hash)
{
	size_t at;

	if (!share->names || share->name_count * 2 > share->name_mask)
		grow_names(share);
	for (at = hash & share->name_mask; share->names[at].hash; at = (at + 1) & share->name_mask)
		if (share->names[at].hash == hash)
			return &share->names[at];
	share->name_count++;
	share->names[at] = (struct share_name){ hash, NONE, NONE };
	return &share->names[at];
}

static void add_user(struct extract_share *share, uint32_t *list, uint32_t text, uint32_t seen)
{
	ARRAY_GROW(share->users, share->user_count, share->user_capacity);
	share->users[share->user_count] = (struct share_user){ text, *list, seen };
	*list = (uint32_t)share->user_count++;
}

static void join_link(struct share_link *link, const struct share_link *other)
{
	if (other->seen < link->seen)
		link->seen = other->seen;
	link->guard |= other->guard;
	link->unguards |= other->unguards;
}

/* Two of one path are never together. */
static bool is_other_path(const struct share_text *a, const struct share_text *b)
{
	return a != b && (a->path_hash != b->path_hash || strcmp(a->path, b->path));
}

/* @from may depend on @to, which @link names. Links to one text come in a row, or are found by its mark. */
static void add_link(struct extract_share *share, struct share_text *from, struct share_text *to, struct share_link link)
{
	struct share_link *last = from->link_count ? &from->links[from->link_count - 1] : NULL;

	if (!is_other_path(from, to))
		return;
	link.text = to->number;
	if (to->stamp == share->stamp && from->link_count > to->place && from->links[to->place].text == to->number) {
		join_link(&from->links[to->place], &link);
	} else if (last && last->text == to->number) {
		join_link(last, &link);
	} else {
		ARRAY_GROW(from->links, from->link_count, from->link_capacity);
		from->links[from->link_count++] = link;
		share->link_count++;
	}
}

/* The same for a text that is being added, which marks whom it is linked to. */
static void add_own_link(struct extract_share *share, struct share_text *from, struct share_text *to, struct share_link link)
{
	if (to->stamp != share->stamp) {
		to->stamp = share->stamp;
		to->place = (uint32_t)from->link_count;
	}
	add_link(share, from, to, link);
}

static bool is_meant_elsewhere(const struct extract_share *share, const struct share_name *name, const struct share_text *text)
{
	for (uint32_t at = name->meaners; at != NONE; at = share->users[at].next)
		if (is_other_path(share->texts[share->users[at].text], text))
			return true;
	return false;
}

static void add_import(struct share_text *text, uint64_t name)
{
	ARRAY_GROW(text->imports, text->import_count, text->import_capacity);
	text->imports[text->import_count++] = name;
}

static void add_spoken(struct extract_share *share, struct share_text *text, uint64_t hash, uint64_t salt, uint32_t seen)
{
	struct share_name *name = name_of(share, share_salted(hash, salt));

	for (uint32_t at = name->meaners; at != NONE && share->link_count <= LINKS_MAX; at = share->users[at].next)
		add_own_link(share, text, share->texts[share->users[at].text], (struct share_link){ .seen = seen });
	if (is_meant_elsewhere(share, name, text))
		add_import(text, share_salted(hash, salt));
	add_user(share, &name->speakers, text->number, seen);
}

static bool undefines(const struct digest *digest, uint64_t hash)
{
	for (size_t i = 0; i < digest->undefined.count; i++)
		if (digest->undefined.hash[i] == hash)
			return true;
	return false;
}

static void add_meant(struct extract_share *share, struct share_text *text, uint64_t hash, uint32_t chunk, uint64_t salt)
{
	struct share_name *name = name_of(share, share_salted(hash, salt));
	bool imports = false;

	for (uint32_t at = name->speakers; at != NONE; at = share->users[at].next) {
		struct share_text *speaker = share->texts[share->users[at].text];

		if (!is_other_path(speaker, text))
			continue;
		if (!is_meant_elsewhere(share, name, speaker))
			add_import(speaker, share_salted(hash, salt));
		add_link(share, speaker, text, (struct share_link){ .seen = share->users[at].seen });
	}
	for (uint32_t at = name->meaners; at != NONE; at = share->users[at].next) {
		struct share_text *other = share->texts[share->users[at].text];
		bool guard = hash == text->digest.guard || hash == other->digest.guard;
		const struct share_link link = {
			.guard = guard, .unguards = guard && (undefines(&text->digest, hash) || undefines(&other->digest, hash)),
		};

		if (!is_other_path(other, text))
			continue;
		add_link(share, other, text, link);
		add_own_link(share, text, other, link);
		imports = true;
		if (!is_meant_elsewhere(share, name, other))
			add_import(other, share_salted(hash, salt));
	}
	if (imports)
		add_import(text, share_salted(hash, salt));
	add_user(share, &name->meaners, text->number, chunk);
}

static void add_pasting(struct extract_share *share, uint64_t hash)
{
	if (share->pasting.count >= PASTING_MAX || !hashes_add(&share->pasting_set, hash))
		return;
	ARRAY_GROW(share->pasting.hash, share->pasting.count, share->pasting_capacity);
	share->pasting.hash[share->pasting.count++] = hash;
}

/* A macro that speaks of one that pastes may paste. From @new_mentions and @new_pasting on they have not been looked at. */
static void spread_pasting(struct extract_share *share, size_t new_mentions, size_t new_pasting)
{
	for (size_t i = new_mentions; i < share->mention_count; i++)
		if (hashes_have(&share->pasting_set, share->mentions[i].word))
			add_pasting(share, share->mentions[i].macro);
	for (; new_pasting < share->pasting.count; new_pasting++) {
		uint64_t word = share->pasting.hash[new_pasting];

		for (size_t i = 0; i < share->mention_count; i++)
			if (share->mentions[i].word == word)
				add_pasting(share, share->mentions[i].macro);
	}
}

static void learn_pasting(struct extract_share *share, const struct digest *digest)
{
	size_t mentions = share->mention_count, pasting = share->pasting.count;

	for (size_t i = 0; i < digest->mention_count; i++) {
		ARRAY_GROW(share->mentions, share->mention_count, share->mention_capacity);
		share->mentions[share->mention_count++] = digest->mentions[i];
	}
	for (size_t i = 0; i < digest->pasting.count; i++)
		add_pasting(share, digest->pasting.hash[i]);
	spread_pasting(share, mentions, pasting);
}

const struct hashes *share_find_predefined(const struct extract_share *share, uint64_t salt)
{
	const struct share_predefined *one = share->predefined;

	while (one && one->salt != salt)
		one = one->next;
	return one ? &one->names : NULL;
}

void share_add_predefined(struct extract_share *share, uint64_t salt, struct hashes names)
{
	struct share_predefined *added;

	share_lock(share);
	added = arena_alloc(&share->own, sizeof(*added));
	*added = (struct share_predefined){ salt, names, share->predefined };
	share->predefined = added;
	share_unlock(share);
}

bool share_look_pasting(struct extract_share *share, struct share_text *text)
{
	const struct digest_names *code = &text->digest.code;

	for (size_t i = 0; i < code->count && !text->speaks_pasting && text->pasting_looked_at < share->pasting.count; i++)
		text->speaks_pasting = hashes_have(&share->pasting_set, code->hash[i]);
	text->pasting_looked_at = share->pasting.count;
	return text->speaks_pasting;
}

static void link_text(struct extract_share *share, struct share_text *text, uint64_t salt)
{
	const struct digest *digest = &text->digest;

	share->stamp++;
	for (size_t i = 0; i < digest->code.count; i++)
		add_spoken(share, text, digest->code.hash[i], salt, digest_seen(digest, digest->code.hash[i]));
	for (size_t i = 0; i < digest->bodies.count; i++)
		add_spoken(share, text, digest->bodies.hash[i], salt, digest_seen(digest, digest->bodies.hash[i]));
	for (size_t i = 0; i < digest->meaning_count; i++)
		add_meant(share, text, digest->meanings[i].name, digest->meanings[i].chunk, salt);
	learn_pasting(share, digest);
}

struct share_text *share_add_text(struct extract_share *share, struct share_text text, uint64_t salt)
{
	struct share_node *node;
	struct share_text *found;

	share_lock(share);
	found = find_text(share, text.id);
	if (!found) {
		pthread_rwlock_wrlock(&share->names_lock);
		node = arena_alloc(&share->own, sizeof(*node));
		node->text = text;
		found = &node->text;
		found->number = (uint32_t)share->text_count;
		ARRAY_GROW(share->texts, share->text_count, share->text_capacity);
		share->texts[share->text_count++] = found;
		HASH_ADD(hh, share->nodes, text.id, sizeof(node->text.id), node);
		if (!share->distrust && (!found->digest.odd || found->own))
			link_text(share, found, salt);
		if (!share->distrust && (share->link_count > LINKS_MAX || share->pasting.count >= PASTING_MAX))
			share->distrust = "the headers have too much to do with each other";
		pthread_rwlock_unlock(&share->names_lock);
	}
	share_unlock(share);
	return found;
}

static struct share_entry *entry_of(struct extract_share *share, const struct share_key *key)
{
	struct share_entry *entry;

	HASH_FIND(hh, share->pieces, key, sizeof(*key), entry);
	if (!entry) {
		entry = arena_alloc(&share->own, sizeof(*entry));
		entry->key = *key;
		HASH_ADD(hh, share->pieces, key, sizeof(*key), entry);
	}
	return entry;
}

enum share_state share_claim(struct extract_share *share, const struct share_key *key)
{
	struct share_entry *entry = entry_of(share, key);
	enum share_state state = entry->state;

	if (state == SHARE_ABSENT)
		entry->state = SHARE_BEING_MADE;
	return state;
}

void share_publish(struct extract_share *share, const struct share_key *key, const struct share_piece *piece)
{
	struct share_entry *entry = entry_of(share, key);

	entry->state = piece ? SHARE_MADE : SHARE_ABSENT;
	if (piece)
		entry->piece = *piece;
	pthread_cond_broadcast(&share->changed);
}

void share_publish_coarse(struct extract_share *share, const struct share_key *key)
{
	entry_of(share, key)->state = SHARE_COARSE;
	pthread_cond_broadcast(&share->changed);
}

void share_publish_placed(struct extract_share *share, const struct share_key *key, const uint64_t *paths, size_t count)
{
	struct share_entry *entry = entry_of(share, key);

	entry->state = SHARE_PLACED;
	entry->paths = arena_memdup(&share->own, paths, count * sizeof(*paths));
	entry->path_count = count;
	pthread_cond_broadcast(&share->changed);
}

const uint64_t *share_places(size_t *count, struct extract_share *share, const struct share_key *key)
{
	const struct share_entry *entry = entry_of(share, key);

	*count = entry->path_count;
	return entry->paths;
}

const struct share_piece *share_wait(enum share_state *state, struct extract_share *share, const struct share_key *key)
{
	struct share_entry *entry;

	HASH_FIND(hh, share->pieces, key, sizeof(*key), entry);
	while (entry && entry->state == SHARE_BEING_MADE)
		pthread_cond_wait(&share->changed, &share->lock);
	*state = entry ? entry->state : SHARE_ABSENT;
	return entry && entry->state == SHARE_MADE ? &entry->piece : NULL;
}

struct share_meaners share_meaners(struct extract_share *share, uint64_t name)
{
	size_t at = name & share->name_mask;

	while (share->names && share->names[at].hash && share->names[at].hash != name)
		at = (at + 1) & share->name_mask;
	return (struct share_meaners){ share, share->names && share->names[at].hash ? share->names[at].meaners : NONE };
}

bool share_next_meaner(struct share_meaner *out, struct share_meaners *meaners)
{
	const struct share_user *user;

	if (meaners->at == NONE)
		return false;
	user = &meaners->share->users[meaners->at];
	*out = (struct share_meaner){ meaners->share->texts[user->text], user->seen };
	meaners->at = user->next;
	return true;
}

const char *share_kept(struct extract_share *share, struct share_text *text, size_t *size)
{
	const char *bytes;

	share_lock(share);
	bytes = text->bytes;
	*size = text->size;
	share_unlock(share);
	return bytes;
}

void share_keep(struct extract_share *share, struct share_text *text, const char *bytes, size_t size)
{
	share_lock(share);
	if (text->was_read && !text->bytes && size <= KEPT_BYTES_MAX - share->kept_bytes) {
		text->bytes = arena_strndup(&share->own, bytes, size);
		text->size = size;
		share->kept_bytes += size;
	}
	text->was_read = true;
	share_unlock(share);
}

static void grow_bytes(struct extract_share *share)
{
	size_t mask = share->bytes ? share->bytes_mask * 2 + 1 : 8191;
	struct share_bytes *bytes = xmalloc((mask + 1) * sizeof(*bytes));

	memset(bytes, 0, (mask + 1) * sizeof(*bytes));
	for (size_t i = 0; share->bytes && i <= share->bytes_mask; i++) {
		size_t at = share->bytes[i].hash & mask;

		if (!share->bytes[i].at)
			continue;
		while (bytes[at].at)
			at = (at + 1) & mask;
		bytes[at] = share->bytes[i];
	}
	free(share->bytes);
	share->bytes = bytes;
	share->bytes_mask = mask;
}

const void *share_bytes(struct extract_share *share, const void *bytes, size_t size)
{
	uint64_t hash = XXH3_64bits(bytes, size);
	size_t at;

	if (!share->bytes || share->bytes_count * 2 > share->bytes_mask)
		grow_bytes(share);
	for (at = hash & share->bytes_mask; share->bytes[at].at; at = (at + 1) & share->bytes_mask) {
		const struct share_bytes *one = &share->bytes[at];

		if (one->hash == hash && one->size == size && !memcmp(one->at, bytes, size))
			return one->at;
	}
	share->bytes_count++;
	share->bytes[at] = (struct share_bytes){ hash, arena_memdup(&share->kept, bytes, size), size };
	return share->bytes[at].at;
}

const char *share_string(struct extract_share *share, const char *text)
{
	return text ? share_bytes(share, text, strlen(text) + 1) : NULL;
}

const struct share_part *share_find_part(struct extract_share *share, const struct share_key *key)
{
	struct share_chunk *found;

	HASH_FIND(hh, share->parts, key, sizeof(*key), found);
	return found ? &found->part : NULL;
}

void share_add_part(struct extract_share *share, const struct share_key *key, const struct share_part *part)
{
	struct share_piece kept;
	struct share_chunk *added;

	share_keep_piece(&kept, share, &part->part, NULL, 0);
	share_lock(share);
	if (!share_find_part(share, key)) {
		added = arena_alloc(&share->own, sizeof(*added));
		added->key = *key;
		added->part = (struct share_part){ kept.part, part->line };
		HASH_ADD(hh, share->parts, key, sizeof(added->key), added);
	}
	share_unlock(share);
}

const void *share_find_made(struct extract_share *share, const uint64_t id[2])
{
	struct share_made *found;

	share_lock(share);
	HASH_FIND(hh, share->made, id, sizeof(found->id), found);
	share_unlock(share);
	return found ? found->made : NULL;
}

void share_add_made(struct extract_share *share, const uint64_t id[2], const void *made)
{
	struct share_made *added;

	share_lock(share);
	HASH_FIND(hh, share->made, id, sizeof(added->id), added);
	if (!added) {
		added = arena_alloc(&share->own, sizeof(*added));
		memcpy(added->id, id, sizeof(added->id));
		added->made = made;
		HASH_ADD(hh, share->made, id, sizeof(added->id), added);
	}
	share_unlock(share);
}
