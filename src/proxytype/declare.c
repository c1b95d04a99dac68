/*
 * proxytype/declare.c - one record, as the type that stands for it
 *
 * 1. The members of the record become fields (member.c); a record inside it
 *    is declared first, in the same way. A field that the parent type has is
 *    named and typed as there (ancestor.c).
 * 2. What no field covers becomes padding. The result is "flat": it embeds nothing.
 * 3. Is it the parent, or another type that the set has under this name? Then
 *    that is the answer. A type of the table is compared by its scalars, since
 *    people name as they like; one of the set by its fields.
 * 4. Else it is new. If the parent is a prefix of it, it embeds the parent
 *    (embed.c). It is named after the record, or the version if that name is taken.
 */
#include "proxytype/draft.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

/* "X" of "X_V590" and "X_V590_44_01"; the driver's own "X_V2" is a name of its own. */
static const char *base_name(const char *name, struct arena *arena)
{
	const char *at = NULL;

	for (const char *next = strstr(name, "_V"); next; next = strstr(next + 1, "_V"))
		at = next;
	if (!at || strspn(at + 2, "0123456789") < 3 || at[2 + strspn(at + 2, "0123456789_")])
		return name;
	return arena_strndup(arena, name, (size_t)(at - name));
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

		if (!strncmp(known->name, base, strlen(base)) && !strcmp(base_name(known->name, &draft->with->scratch), base) &&
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

static const struct set_type *add_new(const struct draft *draft, const struct proxytype *flat, const char *base)
{
	struct proxytype type = *flat;
	struct table_type named;

	type.version = draft->with->request->abi->version ? draft->with->request->abi->version : "";
	type.record = draft->record->name;
	draft_embed(&type, draft);
	draft_select(&type, draft);
	named = *type.type;
	named.name = free_name(draft, base);
	type.type = &named;
	type.updates = strcmp(named.name, base) ? base : NULL;
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

static const struct proxytype *finish(const struct draft *draft, const struct proxytype *flat, const char *base)
{
	const struct set_type *same = same_in_set(draft, flat->type, base);

	if (!same)
		same = add_new(draft, flat, base);
	else if (!same->type.is_new)
		set_selectors(set_find(draft->with->set, same->type.type->name), draft, flat);
	set_latest_is(draft->with->set, base, same);
	return &same->type;
}

static bool is_identifier(const char *name)
{
	return *name && !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] && !isdigit((unsigned char)*name);
}

static int check_type_name(const char *name, const struct draft *draft)
{
	if (is_identifier(name))
		return 0;
	return err_set(draft->with->err, ERR_FORMAT, "record \"%.200s\" of %s cannot be named in Go; mend the document", draft->record->name,
		       draft->with->request->abi->version ? draft->with->request->abi->version : "the document");
}

static int check_nesting(const struct draft *draft)
{
	size_t depth = 0;

	for (const struct draft *outer = draft->outer; outer; outer = outer->outer) {
		if (outer->record == draft->record)
			return err_set(draft->with->err, ERR_LIMIT, "record %s contains itself", draft->record->name);
		if (++depth == DEPTH_MAX)
			return err_set(draft->with->err, ERR_LIMIT, "record %s is nested deeper than %d records", draft->record->name, DEPTH_MAX);
	}
	return 0;
}

/* The fields of the draft, as a type without a name. */
static void draft_type(struct proxytype *out, struct table_type *type, const struct draft *draft)
{
	struct table_field *fields = arena_array(&draft->with->scratch, draft->count, sizeof(*fields));
	struct proxytype_field *notes = arena_array(&draft->with->scratch, draft->count, sizeof(*notes));

	for (size_t i = 0; i < draft->count; i++) {
		fields[i] = draft->fields[i].field;
		notes[i] = draft->fields[i].note;
	}
	*type = (struct table_type){ .name = "", .size_bytes = draft->record->size_bytes, .fields = fields, .field_count = draft->count };
	if (draft->record->is_union)
		type->alias = arena_printf(&draft->with->scratch, "uint8[%" PRIu64 "]", draft->record->size_bytes);
	*out = (struct proxytype){ .type = type, .fields = notes, .beyond = draft->beyond };
}

int declare_record(const struct proxytype **out, struct declaring *with, const struct draft *outer, const struct abi_record *record,
		   const struct ancestor *ancestor)
{
	struct draft draft = { .with = with, .outer = outer, .record = record, .ancestor = *ancestor };
	const char *base = ancestor->type ? base_name(ancestor->type->name, &with->scratch) : proxytype_type_name(record->name, &with->scratch);
	struct table_type type;
	struct proxytype flat;
	int rc;

	if ((rc = check_nesting(&draft)) || (rc = check_type_name(base, &draft)) ||
	    (!record->is_union && (rc = draft_members(&draft))))
		goto out;
	draft_type(&flat, &type, &draft);
	*out = finish(&draft, &flat, base);
out:
	free(draft.fields);
	return rc;
}

/* A typedef of a scalar: NvHandle is Handle, any other is a type of its own name. */
static int declare_alias(const struct proxytype **out, struct declaring *with, const struct table_type *parent)
{
	const char *name = with->request->record;
	struct abi_record record = { .name = name };
	struct draft draft = { .with = with, .record = &record, .ancestor = { .type = parent } };
	const char *base = parent ? base_name(parent->name, &with->scratch) : proxytype_type_name(name, &with->scratch);
	struct table_type type = { .name = "" };
	struct proxytype flat = { .type = &type };
	struct abi_type scalar;
	int rc;

	if ((rc = abi_resolve_type(&scalar, with->request->abi, name, with->err)) || (rc = check_type_name(base, &draft)))
		return rc;
	type.alias = draft_scalar(&draft, &scalar, name);
	type.size_bytes = scalar.count * scalar.element_bytes;
	if (proxytype_find(with->set, type.alias))
		*out = &set_find(with->set, type.alias)->type;
	else
		*out = finish(&draft, &flat, base);
	return 0;
}

int proxytype_declare(const struct proxytype **out, struct proxytype_set *set, const struct proxytype_request *request, struct err *err)
{
	struct declaring with = { .set = set, .request = request, .err = err };
	const struct abi_record *record = abi_find_record(request->abi, request->record);
	struct ancestor ancestor = { .type = request->parent, .abi = request->parent_abi };
	int rc;

	if (!record && !abi_find_alias(request->abi, request->record))
		return err_set(err, ERR_NOT_FOUND, "there is no record %s in %s", request->record,
			       request->abi->version ? request->abi->version : "the document");
	if (ancestor.abi)
		ancestor.record = abi_find_record(ancestor.abi, request->parent_record ? request->parent_record : request->record);
	rc = record ? declare_record(out, &with, NULL, record, &ancestor) : declare_alias(out, &with, request->parent);
	arena_release(&with.scratch);
	return rc;
}
