/*
 * abi/table_test.h - proxy tables written as text, for the tests of every room
 *
 *   T 16 { Handle HClient@0; uint32 Flags@4 }   a struct; the types Handle and P64 are always defined
 *   Class=uint32 4                              an alias
 *   passed 0x8000                               commands with this bit are passed through by number
 *   node 2.0<1.0 { ENTRY; ENTRY }               a node, with its parent
 *
 * An entry is a name, a number and optional words:
 *
 *   uvm/NAME 0x1 R:T S:- macro=M caps=a,b handler=kind:T fields=a,b faults=a,b
 *
 * The default family is control. The proxy reads the driver's R as T, and passes S through unread. The
 * default macro is NAME; "macro=-" means that there is none. "handler=kind:" unmarshals nothing. Without the
 * colon, the table does not say what the handler unmarshals.
 */
#ifndef ABI_TABLE_TEST_H
#define ABI_TABLE_TEST_H

#include "abi/document_test.h"

enum { TABLE_LIST_MAX = 32 };

/* Splits "a,b" at its commas; changes @text. */
static inline struct profile_strings table_list(char *text, struct arena *arena)
{
	const char **items = arena_array(arena, strlen(text) + 1, sizeof(*items));
	size_t count = 0;

	for (char *comma; *text; text = comma) {
		comma = text + strcspn(text, ",");
		if (*comma)
			*comma++ = '\0';
		items[count++] = text;
	}
	return (struct profile_strings){ items, count };
}

/* Reads an entry up to ";", "}" or the end of the text; a "}" is left in the text. */
static inline struct table_entry table_entry_of(const char **text, struct arena *arena)
{
	struct table_struct structs[TABLE_LIST_MAX];
	char *name = document_word(text, arena), *slash = strchr(name, '/'), *word;
	struct table_entry entry = { .family = "control", .name = name };
	struct profile_strings caps;
	bool is_last = false;

	if (slash) {
		*slash++ = '\0';
		entry.family = name;
		entry.name = slash;
	}
	entry.constant = entry.name;
	word = document_word(text, arena);
	is_last = strchr(word, ';');
	entry.number = strtoull(word, NULL, 0);
	while (!is_last && *(word = document_word(text, arena)) && *word != '}') {
		char *value, *end = strchr(word, ';');

		is_last = end;
		if (end)
			*end = '\0';
		if (!*word)
			break;
		value = word + strcspn(word, ":=");
		*value++ = '\0';
		if (!strcmp(word, "macro")) {
			entry.constant = *value == '-' ? NULL : value;
		} else if (!strcmp(word, "caps")) {
			caps = table_list(value, arena);
			entry.caps = caps.item;
			entry.cap_count = caps.count;
		} else if (!strcmp(word, "handler")) {
			char *type = strchr(value, ':');

			entry.handler.kind = value;
			entry.handler.type_known = type;
			if (type)
				*type++ = '\0';
			entry.handler.type = type && *type ? type : NULL;
		} else if (!strcmp(word, "fields")) {
			entry.handler.fields = table_list(value, arena);
			entry.handler.fields_known = true;
		} else if (!strcmp(word, "faults")) {
			entry.handler.faults = table_list(value, arena);
		} else {
			assert_true(entry.struct_count < TABLE_LIST_MAX);
			structs[entry.struct_count++] =
				(struct table_struct){ word, *value == '-' ? NULL : value };
		}
	}
	if (*word == '}')
		*text -= 1;
	entry.structs = arena_memdup(arena, structs, entry.struct_count * sizeof(*structs));
	return entry;
}

static inline int table_compare_types(const void *a, const void *b)
{
	return strcmp(((const struct table_type *)a)->name, ((const struct table_type *)b)->name);
}

/* table_of - make a table from the text. Callers may change its path, proxy and driver. */
static inline struct table *table_of(const char *text, struct arena *arena)
{
	static const struct table_field handle[] = { { "Val", "uint32", 0 } };
	struct table_type types[TABLE_LIST_MAX] = {
		{ "Handle", .size_bytes = 4, .fields = handle, .field_count = 1, .role = ABI_ROLE_HANDLE },
		{ "P64", .size_bytes = 8, .alias = "uint64", .role = ABI_ROLE_POINTER },
	};
	struct table_node *nodes = arena_array(arena, TABLE_LIST_MAX, sizeof(*nodes));
	struct table *table = arena_alloc(arena, sizeof(*table));
	char *name;

	*table = (struct table){ .path = "table.json", .proxy = "test", .driver = "d", .revision = "",
				 .type_count = 2, .nodes = nodes };
	while (*(name = document_word(&text, arena))) {
		struct table_entry entries[TABLE_LIST_MAX];
		struct table_field fields[TABLE_LIST_MAX];
		struct table_type *type = &types[table->type_count];
		struct table_node *node = &nodes[table->node_count];
		char *second = document_word(&text, arena), *mark, *word;
		size_t count = 0;

		assert_true(table->type_count < TABLE_LIST_MAX && table->node_count < TABLE_LIST_MAX);
		if (!strcmp(name, "passed")) {
			const uint64_t mask = strtoull(second, NULL, 0);
			const struct table_passed passed = { "control", mask, mask, "passed" };

			table->passed = arena_memdup(arena, &passed, sizeof(passed));
			table->passed_count = 1;
			continue;
		}
		if (strcmp(name, "node") != 0) {
			if ((mark = strchr(name, '=')))
				*mark++ = '\0';
			else
				assert_string_equal(document_word(&text, arena), "{");
			while (!mark && *(word = document_word(&text, arena)) != '}') {
				char *field = document_word(&text, arena), *at = strchr(field, '@');

				*at++ = '\0';
				assert_true(count < TABLE_LIST_MAX);
				fields[count++] = (struct table_field){ field, word, strtoull(at, NULL, 10) };
			}
			*type = (struct table_type){ name, .size_bytes = strtoull(second, NULL, 10),
						     .alias = mark, .field_count = count };
			type->fields = arena_memdup(arena, fields, count * sizeof(*fields));
			table->type_count++;
			continue;
		}
		if ((mark = strchr(second, '<')))
			*mark++ = '\0';
		assert_string_equal(document_word(&text, arena), "{");
		for (const char *at = text; *(word = document_word(&at, arena)) != '}'; at = text) {
			assert_true(*word && count < TABLE_LIST_MAX);
			entries[count++] = table_entry_of(&text, arena);
		}
		document_word(&text, arena); /* } */
		qsort(entries, count, sizeof(*entries), table_entry_order);
		*node = (struct table_node){ .version = second, .supported = true, .entry_count = count };
		node->parent = mark ? table_find_node(table, mark) : NULL;
		node->entries = arena_memdup(arena, entries, count * sizeof(*entries));
		table->node_count++;
	}
	qsort(types, table->type_count, sizeof(*types), table_compare_types);
	table->types = arena_memdup(arena, types, table->type_count * sizeof(*types));
	return table;
}

/* table_view_of - make a table with one node, and return the entries at that node */
static inline const struct table_view *table_view_of(const char *types, const char *entries,
						     struct arena *arena)
{
	const struct table *table = table_of(arena_printf(arena, "%s node 1 { %s }", types, entries), arena);
	struct table_view *view = arena_alloc(arena, sizeof(*view));

	table_view_at(view, table, table->nodes, arena);
	return view;
}

#endif
