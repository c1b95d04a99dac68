/*
 * gen/select.c - which fields a proxy's code reaches by what they are for
 *
 * A field of the type itself comes first; only if there is none, those of
 * the records inside it are asked. Of two on one level, neither is it.
 */
#include "gen/draft.h"

#include <string.h>

enum selected { SELECT_STATUS, SELECT_FD, SELECT_OS_EVENT };

static bool is_selected(enum selected what, const struct draft *draft, const struct draft_field *field)
{
	const char *type = field->field.type;

	switch (what) {
	case SELECT_STATUS:
		return field->note.role == ABI_ROLE_STATUS && go_width(type) == 4;
	case SELECT_FD:
		return field->note.role == ABI_ROLE_FD && go_width(type) == 4;
	case SELECT_OS_EVENT:
		return !strcmp(field->note.driver, "pOsEvent") && !strcmp(type, "P64") && proxytype_find(draft->with->set, "P64");
	}
	return false;
}

static const struct proxytype_selector *selector_of(enum selected what, const struct proxytype *type)
{
	switch (what) {
	case SELECT_STATUS:
		return &type->status;
	case SELECT_FD:
		return &type->fd;
	case SELECT_OS_EVENT:
		return &type->os_event;
	}
	return NULL;
}

/* Is the field of the draft one that @type embeds? */
static bool is_embedded(const struct proxytype *type, const struct draft_field *field)
{
	return type->type->field_count && type->fields[0].kind == PROXYTYPE_EMBEDDED &&
	       (type->type->field_count == 1 || field->field.offset_bytes < type->type->fields[1].offset_bytes);
}

static struct proxytype_selector select_own(enum selected what, const struct proxytype *type, const struct draft *draft, size_t *count)
{
	struct proxytype_selector out = { 0 };

	*count = 0;
	for (size_t i = 0; i < draft->count; i++) {
		const struct draft_field *field = &draft->fields[i];

		if (field->note.kind == PROXYTYPE_FIELD && is_selected(what, draft, field) && !(*count)++)
			out = (struct proxytype_selector){ field->field.name, field->field.type, is_embedded(type, field) };
	}
	return out;
}

static struct proxytype_selector select_inner(enum selected what, const struct proxytype *type, const struct draft *draft, size_t *count)
{
	struct proxytype_selector out = { 0 };

	*count = 0;
	for (size_t i = 0; i < draft->count; i++) {
		const struct draft_field *field = &draft->fields[i];
		const struct proxytype_selector *inner = field->inner ? selector_of(what, field->inner) : NULL;

		if (inner && inner->path && !(*count)++)
			out = (struct proxytype_selector){
				.path = arena_printf(&draft->with->scratch, "%s.%s", field->field.name, inner->path),
				.type = inner->type,
				.is_promoted = is_embedded(type, field),
			};
	}
	return out;
}

static struct proxytype_selector select_one(enum selected what, const struct proxytype *type, const struct draft *draft)
{
	size_t count;
	struct proxytype_selector out = select_own(what, type, draft, &count);

	if (!count)
		out = select_inner(what, type, draft, &count);
	return count == 1 ? out : (struct proxytype_selector){ 0 };
}

void draft_select(struct proxytype *type, const struct draft *draft)
{
	type->status = select_one(SELECT_STATUS, type, draft);
	type->fd = select_one(SELECT_FD, type, draft);
	type->os_event = select_one(SELECT_OS_EVENT, type, draft);
}
