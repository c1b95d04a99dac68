/*
 * gen/declare.c - one record, as the type that stands for it
 *
 * 1. The members of the record become fields (record.c); a record inside it
 *    is declared first, in the same way. A field that the parent type has is
 *    named and typed as there (ancestor.c).
 * 2. What no field covers becomes padding. The result is "flat": it embeds nothing.
 * 3. Is it the parent, or another type that the set has under this name? Then
 *    that is the answer. A type of the table is compared by its scalars, since
 *    people name as they like; one of the set by its fields (answer.c).
 * 4. Else it is new. If the parent is a prefix of it, it embeds the parent
 *    (embed.c). It is named after the record, or the version if that name is in use.
 */
#include "gen/draft.h"

/* A typedef of a scalar: NvHandle is Handle, any other is a type of its own name. */
static int declare_alias(const struct proxytype **out, struct declaring *with, const struct table_type *parent)
{
	const char *name = with->request->record;
	struct abi_record record = { .name = name };
	struct draft draft = { .with = with, .record = &record, .ancestor = { .type = parent } };
	const char *base = parent ? draft_base(with, parent) : proxytype_type_name(name, &with->scratch);
	struct table_type type = { .name = "" };
	struct proxytype flat = { .type = &type };
	struct abi_type scalar;
	int rc;

	if ((rc = abi_resolve_type(&scalar, with->request->abi, name, with->err)) || (rc = draft_check_name(base, &draft)))
		return rc;
	type.alias = draft_scalar(&draft, &scalar, name);
	type.size_bytes = scalar.count * scalar.element_bytes;
	if (proxytype_find(with->set, type.alias))
		*out = &set_find(with->set, type.alias)->type;
	else
		*out = draft_answer(&draft, &flat, base);
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
