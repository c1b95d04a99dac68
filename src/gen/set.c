#include "gen/set.h"

#include <stdlib.h>
#include <string.h>

struct set_base {
	const char *base;
	const struct set_type **types;
	size_t count, capacity;
	const struct set_type *latest;
	UT_hash_handle by_base;
};

struct proxytype_set *proxytype_set_new(const struct table *known, struct arena *arena)
{
	struct proxytype_set *set = xmalloc(sizeof(*set));

	*set = (struct proxytype_set){ .known = known, .arena = arena };
	return set;
}

/* The types are in the arena, and outlive the set. */
void proxytype_set_free(struct proxytype_set *set)
{
	struct set_base *base, *next;

	if (!set)
		return;
	HASH_CLEAR(by_name, set->by_name);
	HASH_ITER(by_base, set->by_base, base, next) {
		HASH_DELETE(by_base, set->by_base, base);
		free(base->types);
	}
	free(set->new_types);
	free(set);
}

static struct set_type *find(const struct proxytype_set *set, const char *name)
{
	struct set_type *found;

	HASH_FIND(by_name, set->by_name, name, strlen(name), found);
	return found;
}

static struct set_type *insert(struct proxytype_set *set, struct proxytype type, const struct table_type *flat)
{
	struct set_type *entry = arena_alloc(set->arena, sizeof(*entry));

	entry->type = type;
	entry->flat = flat;
	HASH_ADD_KEYPTR(by_name, set->by_name, type.type->name, strlen(type.type->name), entry);
	return entry;
}

struct set_type *set_find(struct proxytype_set *set, const char *name)
{
	struct set_type *found = find(set, name);
	const struct table_type *known = found ? NULL : table_find_type(set->known, name);

	return known ? insert(set, (struct proxytype){ .type = known }, NULL) : found;
}

const struct table_type *proxytype_find(const struct proxytype_set *set, const char *name)
{
	struct set_type *found = find(set, name);

	return found ? found->type.type : table_find_type(set->known, name);
}

static struct set_base *find_base(const struct proxytype_set *set, const char *base)
{
	struct set_base *found;

	HASH_FIND(by_base, set->by_base, base, strlen(base), found);
	return found;
}

const struct set_type *const *set_versions(size_t *count, const struct proxytype_set *set, const char *base)
{
	struct set_base *found = find_base(set, base);

	*count = found ? found->count : 0;
	return found ? found->types : NULL;
}

static struct set_base *base_of(struct proxytype_set *set, const char *base)
{
	struct set_base *found = find_base(set, base);

	if (!found) {
		found = arena_alloc(set->arena, sizeof(*found));
		found->base = arena_strdup(set->arena, base);
		HASH_ADD_KEYPTR(by_base, set->by_base, found->base, strlen(found->base), found);
	}
	return found;
}

const struct set_type *set_latest(const struct proxytype_set *set, const char *base)
{
	struct set_base *found = find_base(set, base);

	return found ? found->latest : NULL;
}

void set_latest_is(struct proxytype_set *set, const char *base, const struct set_type *type)
{
	base_of(set, base)->latest = type;
}

static const char *copied(struct arena *arena, const char *text)
{
	return text ? arena_strdup(arena, text) : NULL;
}

static struct proxytype_selector copied_selector(struct arena *arena, struct proxytype_selector from)
{
	return (struct proxytype_selector){ copied(arena, from.path), copied(arena, from.type), from.is_promoted };
}

static const struct table_type *copied_table_type(struct arena *arena, const struct table_type *from)
{
	struct table_type *type = arena_memdup(arena, from, sizeof(*from));
	struct table_field *fields = arena_memdup(arena, from->fields, from->field_count * sizeof(*fields));

	type->name = copied(arena, from->name);
	type->alias = copied(arena, from->alias);
	for (size_t i = 0; i < from->field_count; i++) {
		fields[i].name = copied(arena, from->fields[i].name);
		fields[i].type = copied(arena, from->fields[i].type);
	}
	type->fields = fields;
	return type;
}

static struct proxytype copied_type(struct arena *arena, const struct proxytype *from)
{
	size_t count = from->type->field_count;
	struct proxytype_field *fields = arena_memdup(arena, from->fields, count * sizeof(*fields));
	struct proxytype type = *from;

	for (size_t i = 0; i < count; i++) {
		fields[i].driver = copied(arena, fields[i].driver);
		fields[i].driver_type = copied(arena, fields[i].driver_type);
		fields[i].remark = copied(arena, fields[i].remark);
	}
	type.type = copied_table_type(arena, from->type);
	type.record = copied(arena, from->record);
	type.version = copied(arena, from->version);
	type.header = copied(arena, from->header);
	type.updates = copied(arena, from->updates);
	type.beyond = copied(arena, from->beyond);
	type.fields = fields;
	type.status = copied_selector(arena, from->status);
	type.fd = copied_selector(arena, from->fd);
	type.os_event = copied_selector(arena, from->os_event);
	return type;
}

const struct set_type *set_add(struct proxytype_set *set, const char *base, const struct proxytype *type, const struct table_type *flat)
{
	struct proxytype copy = copied_type(set->arena, type);
	struct set_base *versions = base_of(set, base);
	struct set_type *added;

	copy.is_new = true;
	added = insert(set, copy, copied_table_type(set->arena, flat));
	added->base = versions->base;
	ARRAY_GROW(versions->types, versions->count, versions->capacity);
	versions->types[versions->count++] = added;
	ARRAY_GROW(set->new_types, set->new_count, set->new_capacity);
	set->new_types[set->new_count++] = &added->type;
	return added;
}

const struct proxytype *const *proxytype_new_types(size_t *count, const struct proxytype_set *set)
{
	*count = set->new_count;
	return set->new_types;
}
