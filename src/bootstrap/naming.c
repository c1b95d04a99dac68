#include "bootstrap/naming.h"

#include <ctype.h>
#include <string.h>

size_t naming_stem(const char *name)
{
	size_t length = strlen(name), digits = length;

	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	return digits > 2 && digits < length && !memcmp(name + digits - 2, "_V", 2) ? digits - 2 : length;
}

static bool is_entry(const struct table *table, const char *family, const char *name)
{
	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++)
			if (!strcmp(table->nodes[i].entries[e].name, name) && !strcmp(table->nodes[i].entries[e].family, family))
				return true;
	return false;
}

/* "575.51.02" as the end of a name: "_V575", or "_V575_51_02". */
static const char *suffixed(const char *name, const char *version, bool whole, struct arena *arena)
{
	int length = (int)(whole ? strlen(version) : strcspn(version, "."));
	char *text = arena_printf(arena, "%.*s_V%.*s", (int)naming_stem(name), name, length, version);

	for (char *at = text + naming_stem(name); *at; at++)
		if (!isalnum((unsigned char)*at))
			*at = '_';
	return text;
}

const char *naming_free_entry(const struct table *table, const struct table_entry *entry, const char *version, struct arena *arena)
{
	const char *name = suffixed(entry->name, version, false, arena);

	return is_entry(table, entry->family, name) ? suffixed(entry->name, version, true, arena) : name;
}

bool naming_is_generic(const struct table *table, const struct table_handler *handler)
{
	if (!handler->kind || !handler->type_known || !handler->type)
		return false;
	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++) {
			const struct table_handler *one = &table->nodes[i].entries[e].handler;

			if (one->kind && one->type && !strcmp(one->kind, handler->kind) && strcmp(one->type, handler->type))
				return true;
		}
	return false;
}
