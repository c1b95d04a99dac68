#include "abi/table.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool table_type_same(const struct table_type *a, const struct table_type *b)
{
	size_t i;

	if (strcmp(a->name, b->name) || a->size_bytes != b->size_bytes || !same_text(a->alias, b->alias) || a->role != b->role ||
	    a->field_count != b->field_count)
		return false;
	for (i = 0; i < a->field_count; i++)
		if (strcmp(a->fields[i].name, b->fields[i].name) || strcmp(a->fields[i].type, b->fields[i].type) ||
		    a->fields[i].offset_bytes != b->fields[i].offset_bytes)
			return false;
	return true;
}

static bool same_caps(const struct table_entry *a, const struct table_entry *b)
{
	size_t i;

	for (i = 0; i < a->cap_count && i < b->cap_count; i++)
		if (strcmp(a->caps[i], b->caps[i]))
			return false;
	return a->cap_count == b->cap_count;
}

static bool same_structs(const struct table_entry *a, const struct table_entry *b)
{
	size_t i;

	for (i = 0; i < a->struct_count && i < b->struct_count; i++)
		if (strcmp(a->structs[i].driver, b->structs[i].driver) || !same_text(a->structs[i].proxy, b->structs[i].proxy))
			return false;
	return a->struct_count == b->struct_count;
}

static bool same_handler(const struct table_handler *a, const struct table_handler *b)
{
	return same_text(a->kind, b->kind) && a->type_known == b->type_known && same_text(a->type, b->type);
}

bool table_entry_same(const struct table_entry *a, const struct table_entry *b)
{
	if (table_entry_order(a, b) || a->removed != b->removed)
		return false;
	return a->removed || (a->number == b->number && same_text(a->constant, b->constant) && same_caps(a, b) && same_structs(a, b) &&
			      same_handler(&a->handler, &b->handler));
}
