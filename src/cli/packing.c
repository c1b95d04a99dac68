#include "cli/packing.h"

#include <stdlib.h>
#include <string.h>

bool packed_read(struct packed *out, const char *dir, const char *salt, struct arena *arena)
{
	struct packed packed;

	if (cache_pack_get(&packed.pack, dir, salt, arena, NULL) ||
	    archive_open(&packed.archive, packed.pack.documents, packed.pack.size, "a pack of the cache", arena, NULL) ||
	    archive_head(packed.archive)->count != packed.pack.document_count)
		return false;
	*out = packed;
	return true;
}

static size_t append(struct packing *packing, const struct packing_document *document)
{
	ARRAY_GROW(packing->documents, packing->count, packing->capacity);
	packing->documents[packing->count] = *document;
	return packing->count++;
}

void packing_keep(struct packing *packing, const struct packed *old, const bool *used)
{
	const struct archive_head *head = archive_head(old->archive);
	size_t *index = arena_array(&packing->arena, head->count + 1, sizeof(*index));

	packing->old = old;
	for (size_t i = 0; i < head->count; i++) {
		const struct packing_document document = { .order = head->versions[i].name, .old = i, .number = i };

		if (!used || used[i])
			index[i] = append(packing, &document);
	}
	for (size_t i = 0; i < old->pack.name_count; i++) {
		const struct cache_name *name = &old->pack.names[i];

		if (!used || used[name->document])
			packing_name(packing, name->name, index[name->document]);
	}
	packing->as_before = packing->count == head->count;
}

bool packing_find(size_t *document, const struct packing *packing, const char *name)
{
	for (size_t i = 0; i < packing->name_count; i++) {
		if (strcmp(packing->names[i].name, name))
			continue;
		*document = packing->names[i].document;
		return true;
	}
	return false;
}

/* Documents of versions that follow each other have most in common; the key tells those of two repositories apart. */
size_t packing_add(struct packing *packing, const char *key, const char *version, const struct abi *abi)
{
	const struct packing_document document = { .order = arena_printf(&packing->arena, "%s %s", version, key), .abi = abi };
	size_t index = append(packing, &document);

	packing_name(packing, key, index);
	packing->as_before = false;
	return index;
}

void packing_name(struct packing *packing, const char *name, size_t document)
{
	ARRAY_GROW(packing->names, packing->name_count, packing->name_capacity);
	packing->names[packing->name_count++] = (struct cache_name){ arena_strdup(&packing->arena, name), (uint32_t)document };
}

static int compare_order(const void *a, const void *b)
{
	return abi_version_compare((*(const struct packing_document *const *)a)->order, (*(const struct packing_document *const *)b)->order);
}

/* Numbers the documents, and puts them into one archive. */
static int pack_documents(struct strbuf *out, struct packing *packing, struct err *err)
{
	struct arena *arena = &packing->arena;
	struct packing_document **sorted = arena_array(arena, packing->count + 1, sizeof(*sorted));
	struct archive_version *versions = arena_array(arena, packing->count + 1, sizeof(*versions));
	const struct abi **documents = arena_array(arena, packing->count + 1, sizeof(*documents));
	struct archive_head head = { .versions = versions, .count = packing->count };
	int rc = 0;

	for (size_t i = 0; i < packing->count; i++)
		sorted[i] = &packing->documents[i];
	qsort(sorted, packing->count, sizeof(struct packing_document *), compare_order);
	for (size_t i = 0; !rc && i < packing->count; i++) {
		struct packing_document *document = sorted[i];
		struct abi *kept;

		document->number = i;
		versions[i] = (struct archive_version){ .name = document->order, .commit = "", .parent = ARCHIVE_NO_PARENT };
		documents[i] = document->abi;
		if (!document->abi) {
			documents[i] = kept = arena_alloc(arena, sizeof(*kept));
			rc = archive_document(kept, packing->old->archive, document->old, arena, err);
		}
	}
	if (rc)
		return rc;
	head.driver = packing->count ? documents[0]->driver : "";
	head.target = packing->count ? documents[0]->target : "";
	return archive_write(out, &head, documents, ARCHIVE_QUICK, err);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct cache_name *)a)->name, ((const struct cache_name *)b)->name);
}

int packing_write(struct packing *packing, const char *dir, const char *salt, struct err *err)
{
	struct cache_pack pack = { .name_count = packing->name_count, .document_count = packing->count };
	struct cache_name *names = arena_array(&packing->arena, packing->name_count + 1, sizeof(*names));
	struct strbuf documents = { 0 };
	int rc = 0;

	if (packing->as_before) {
		pack.documents = packing->old->pack.documents;
		pack.size = packing->old->pack.size;
	} else if (!(rc = pack_documents(&documents, packing, err))) {
		pack.documents = strbuf_text(&documents);
		pack.size = documents.length;
	}
	for (size_t i = 0; i < packing->name_count; i++)
		names[i] = (struct cache_name){ packing->names[i].name, (uint32_t)packing->documents[packing->names[i].document].number };
	qsort(names, packing->name_count, sizeof(*names), compare_names);
	pack.names = names;
	if (!rc)
		rc = cache_pack_put(&pack, dir, salt, err);
	strbuf_release(&documents);
	return rc;
}

void packing_release(struct packing *packing)
{
	free(packing->documents);
	free(packing->names);
	arena_release(&packing->arena);
}
