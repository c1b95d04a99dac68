/*
 * gen/answer.c - the type that a finished draft stands for: one that the set has, or a new one
 *
 * A type of the table is compared by its scalars, since people name fields as
 * they like; one of the set by its fields. What is new is named after the
 * record, or after the version too if that name is in use.
 */
#include "gen/draft.h"

#include <ctype.h>
#include <string.h>

static const char *base_in_table(const char *name, struct arena *arena)
{
	const char *at = NULL;

	for (const char *next = strstr(name, "_V"); next; next = strstr(next + 1, "_V"))
		at = next;
	if (!at || strspn(at + 2, "0123456789") < 3 || at[2 + strspn(at + 2, "0123456789_")])
		return name;
	return arena_strndup(arena, name, (size_t)(at - name));
}

const char *draft_base(struct declaring *with, const struct table_type *type)
{
	const struct set_type *found = set_find(with->set, type->name);

	return found && found->base ? found->base : base_in_table(type->name, &with->scratch);
}

/* "_V590" or, if @whole, "_V590_44_01" of version 590.44.01; '_' for what a name in Go cannot have. */
static const char *version_suffix(const char *version, bool whole, struct arena *arena)
{
	char *suffix = arena_printf(arena, "_V%s", version);

	for (char *at = suffix + 2; *at; at++) {
		if (!whole && *at == '.')
			*at = '\0';
		else if (!isalnum((unsigned char)*at))
			*at = '_';
		if (!*at)
			break;
	}
	return suffix;
}

static const char *free_name(const struct draft *draft, const char *base)
{
	struct arena *arena = &draft->with->scratch;
	const struct proxytype_request *request = draft->with->request;
	const char *version = request->abi->version ? request->abi->version : "";
	const char *name = base;

	if (proxytype_find(draft->with->set, name))
		name = arena_printf(arena, "%s%s", base, request->suffix ? request->suffix : version_suffix(version, false, arena));
	if (proxytype_find(draft->with->set, name))
		name = arena_printf(arena, "%s%s", base, version_suffix(version, true, arena));
	for (unsigned i = 2; proxytype_find(draft->with->set, name); i++)
		name = arena_printf(arena, "%s%s_%u", base, version_suffix(version, true, arena), i);
	return name;
}

bool draft_is_identifier(const char *name)
{
	return *name && !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] && !isdigit((unsigned char)*name);
}

int draft_check_name(const char *name, const struct draft *draft)
{
	if (draft_is_identifier(name))
		return 0;
	return err_set(draft->with->err, ERR_FORMAT, "record \"%.200s\" cannot be named in Go; mend the document", draft->record->name);
}

/* The same fields at the same offsets; what padding is called does not count. Both are flat. */
static bool same_fields(const struct table_type *a, const struct table_type *b)
{
	if (a->size_bytes != b->size_bytes || a->field_count != b->field_count || !a->alias != !b->alias ||
	    (a->alias && strcmp(a->alias, b->alias)))
		return false;
	for (size_t i = 0; i < a->field_count; i++) {
		const struct table_field *x = &a->fields[i], *y = &b->fields[i];

		if (x->offset_bytes != y->offset_bytes || strcmp(x->type, y->type) ||
		    (strcmp(x->name, y->name) && !(padding_of_proxy(x->name) && padding_of_proxy(y->name))))
			return false;
	}
	return true;
}

/* A type of the table with this base name and these scalars. */
static struct set_type *same_in_table(const struct draft *draft, const struct table_type *flat, const char *base)
{
	struct proxytype_set *set = draft->with->set;

	for (size_t i = 0; i < set->known->type_count; i++) {
		const struct table_type *known = &set->known->types[i];

		if (!strncmp(known->name, base, strlen(base)) && !strcmp(base_in_table(known->name, &draft->with->scratch), base) &&
		    go_same(set, known, flat))
			return set_find(set, known->name);
	}
	return NULL;
}

/* A type that the set has already, with the layout of @flat. */
static const struct set_type *same_in_set(const struct draft *draft, const struct table_type *flat, const char *base)
{
	struct proxytype_set *set = draft->with->set;
	const struct table_type *parent = draft->ancestor.type;
	const struct set_type *const *versions;
	size_t count;

	if (parent && table_find_type(set->known, parent->name) && go_same(set, parent, flat))
		return set_find(set, parent->name);
	versions = set_versions(&count, set, base);
	for (size_t i = 0; i < count; i++)
		if (same_fields(versions[i]->flat, flat))
			return versions[i];
	return same_in_table(draft, flat, base);
}

/* "path/in/tree.h" of "path/in/tree.h:LINE:COLUMN". */
static const char *header_of(const struct draft *draft)
{
	const char *source = draft->record->source ? draft->record->source : "";

	return arena_strndup(&draft->with->scratch, source, strcspn(source, ":"));
}

/* The first type of @base, before another one is added; NULL if there is none. Some other record may be called @base. */
static const char *first_of(const struct draft *draft, const char *base)
{
	const struct set_type *const *versions;
	size_t count;

	if (table_find_type(draft->with->set->known, base))
		return base;
	versions = set_versions(&count, draft->with->set, base);
	return count ? versions[0]->type.type->name : NULL;
}

static const struct set_type *add_new(const struct draft *draft, const struct proxytype *flat, const char *base)
{
	struct proxytype type = *flat;
	struct table_type named;

	type.version = draft->with->request->abi->version ? draft->with->request->abi->version : "";
	type.record = draft->record->name;
	type.header = header_of(draft);
	draft_embed(&type, draft);
	draft_select(&type, draft);
	named = *type.type;
	named.name = free_name(draft, base);
	type.type = &named;
	type.updates = first_of(draft, base);
	return set_add(draft->with->set, base, &type, flat->type);
}

/* A type of the table is somebody else's, but its fields are for what the driver says. */
static void set_selectors(struct set_type *known, const struct draft *draft, const struct proxytype *flat)
{
	struct proxytype type = *flat;

	draft_select(&type, draft);
	known->type.status = type.status;
	known->type.fd = type.fd;
	known->type.os_event = type.os_event;
}

const struct proxytype *draft_answer(const struct draft *draft, const struct proxytype *flat, const char *base)
{
	const struct set_type *same = same_in_set(draft, flat->type, base);

	if (!same)
		same = add_new(draft, flat, base);
	else if (!same->type.is_new)
		set_selectors(set_find(draft->with->set, same->type.type->name), draft, flat);
	set_latest_is(draft->with->set, base, same);
	return &same->type;
}
