#include "cli/load_pack.h"

#include "cli/packing.h"

#include <string.h>

enum {
	PACKED_AT_LEAST = 9,       /* versions: a pack is for whole histories */
	PACKED_DOCUMENTS_MAX = 1024, /* above that, those that a run does not use go */
};

bool load_pack_begins(const struct load *load)
{
	size_t wanted = 0;

	for (size_t i = 0; i < load->count; i++)
		wanted += !load->requests[i].skipped;
	return wanted >= PACKED_AT_LEAST && load->cache_dir.length && !load->args->no_cache;
}

/* The pack, read when it is first asked for. NULL: there is none. */
static const struct packed *pack_of(struct load *load, struct arena *arena)
{
	const struct packed *packed;

	pthread_mutex_lock(&load->lock);
	if (!load->looked_for_pack) {
		struct packed *found = arena_alloc(arena, sizeof(*found));

		load->looked_for_pack = true;
		if (packed_read(found, load->cache_dir.text, strbuf_text(&load->salt), arena))
			load->packed = found;
	}
	packed = load->packed;
	pthread_mutex_unlock(&load->lock);
	return packed;
}

/* The first of the documents that are all equal to the one of @number. */
static size_t first_equal(const struct packed *packed, size_t number)
{
	while (archive_same_as_before(packed->archive, number))
		number--;
	return number;
}

/* Which documents of the pack are wanted, and by whom: the first that has one takes it, the others get it of that. */
static bool want_packed(struct abi **wanted, struct load *load, const struct source_graph *graph)
{
	const struct packed *packed = load->packed;
	const struct load_request **owners = arena_array(&load->arena, packed->pack.document_count + 1, sizeof(struct load_request *));
	bool any = false;

	for (size_t i = 0; i < load->count; i++) {
		struct load_shared *shared = &load->shared[i];
		size_t document;

		if (load->requests[i].skipped || !cache_pack_find(&document, &packed->pack, graph->versions[i].commit))
			continue;
		document = first_equal(packed, document);
		any = shared->packed = shared->inside_roots = true;
		shared->commit = graph->versions[i].commit;
		shared->owner = owners[document];
		if (!shared->owner) {
			owners[document] = &load->requests[i];
			wanted[document] = &load->requests[i].abi;
		}
	}
	return any;
}

void load_pack_look(struct load *load, const struct source_graph *graph, struct arena *arena)
{
	struct abi **wanted;

	if (!load->cache_dir.length || load->args->no_cache || !pack_of(load, arena))
		return;
	wanted = arena_array(&load->arena, load->packed->pack.document_count + 1, sizeof(struct abi *));
	if (!want_packed(wanted, load, graph) || !archive_documents(wanted, load->packed->archive, arena, NULL))
		return;
	load->packed = NULL; /* it contradicts itself */
	memset(load->shared, 0, load->count * sizeof(*load->shared));
}

bool load_pack_serve(const struct load *load, struct load_request *request)
{
	const struct load_shared *shared = load_shared_of(load, request);

	if (!shared || !shared->packed)
		return false;
	load_name_document(request, request->version, shared->commit);
	return true;
}

bool load_pack_get(struct load *load, struct load_request *request, const struct cache_key *key)
{
	const struct packed *packed = pack_of(load, &request->arena);
	size_t document;

	return packed && cache_pack_find(&document, &packed->pack, key->hex) &&
	       !archive_document(&request->abi, packed->archive, document, &request->arena, NULL);
}

/* Is the document of a version decided by its key and its commit? */
static bool may_pack(const struct load *load, size_t version)
{
	const struct load_shared *shared = &load->shared[version];

	return !load->requests[version].skipped && !load->requests[version].rc && shared->inside_roots &&
	       (shared->packed || shared->keyed);
}

/* Which documents of @packed are those of a version. */
static const bool *used_of(struct load *load, const struct source_graph *graph, const struct packed *packed)
{
	bool *used = arena_array(&load->arena, packed->pack.document_count + 1, sizeof(*used));
	size_t document;

	for (size_t i = 0; i < load->count; i++)
		if (may_pack(load, i) && (cache_pack_find(&document, &packed->pack, graph->versions[i].commit) ||
					  (load->shared[i].keyed && cache_pack_find(&document, &packed->pack, load->shared[i].key.hex))))
			used[document] = true;
	return used;
}

/* Adds what @packing lacks. Return: whether there was anything. */
static bool add_versions(struct packing *packing, const struct load *load, const struct source_graph *graph)
{
	bool any = false;

	for (size_t i = 0; i < load->count; i++) {
		const struct load_shared *shared = &load->shared[i];
		const char *commit = graph->versions[i].commit;
		size_t document;

		if (!may_pack(load, i) || packing_find(&document, packing, commit) || !shared->keyed)
			continue;
		if (!packing_find(&document, packing, shared->key.hex))
			document = packing_add(packing, shared->key.hex, graph->versions[i].name, &load->requests[i].abi);
		packing_name(packing, commit, document);
		any = true;
	}
	return any;
}

/* What does not go into a pack, since it would be too large, goes into a file for each document. */
static int put_singly(const struct load *load, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < load->count; i++)
		if (may_pack(load, i) && load->shared[i].keyed && !load->shared[i].owner)
			rc = cache_put(&load->requests[i].abi, load->cache_dir.text, &load->shared[i].key, err);
	return rc;
}

/* Does the pack lack a version? Nothing is written if not. */
static bool lacks_any(const struct load *load)
{
	for (size_t i = 0; i < load->count; i++)
		if (may_pack(load, i) && !load->shared[i].packed)
			return true;
	return false;
}

int load_pack_put(struct load *load, const struct source_graph *graph, struct err *err)
{
	const char *dir = strbuf_text(&load->cache_dir), *salt = strbuf_text(&load->salt);
	const struct packed *old = load->packed;
	struct packing packing = { .count = 0 };
	struct packed now; /* others may have written meanwhile */
	int rc = 0;

	if (!load->packs || !lacks_any(load))
		return 0;
	if (packed_read(&now, dir, salt, &load->arena))
		old = &now;
	if (old)
		packing_keep(&packing, old, old->pack.document_count > PACKED_DOCUMENTS_MAX ? used_of(load, graph, old) : NULL);
	if (add_versions(&packing, load, graph))
		rc = packing_write(&packing, dir, salt, err);
	if (rc && rc != ERR_IO)
		rc = put_singly(load, err);
	if (rc)
		load_cannot_write(err);
	packing_release(&packing);
	return rc;
}
