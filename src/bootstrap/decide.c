/*
 * bootstrap/decide.c - what has to be done about each entry that changed
 *
 * 1. Every entry is written as the version calls it: macro, number, records. Verify
 *    holds this against the version's document, with the types that the proxy has.
 * 2. An entry that it finds nothing new of needs a new number or name, or nothing.
 * 3. Of a record that the proxy reads, a finding means that its type has to be
 *    replaced. Of one that it passes through unread, a pointer, fd or pid that came
 *    means that it has to be read from now on. Where one came into a record that is
 *    read, the handler of before does not translate it.
 * 4. The new type is declared from the first version that has the record as it is
 *    in the version (compare.c).
 * 5. With the new entries and types verify must find nothing new; what it does is a TODO.
 */
#include "bootstrap/decide.h"

#include "bootstrap/compare.h"
#include "bootstrap/layouts.h"
#include "bootstrap/naming.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Rules whose finding says that a type of the proxy does not meet the record. */
static bool is_misfit(enum verify_rule rule)
{
	switch (rule) {
	case VERIFY_SIZE:
	case VERIFY_FIELD_OFFSET:
	case VERIFY_FIELD_TYPE:
	case VERIFY_FIELD_MISSING:
	case VERIFY_PADDING_OVERLAP:
		return true;
	default:
		return false;
	}
}

/* --- entries as the version calls them ------------------------------------------ */

static void begin_change(struct boot *boot, struct boot_change *change)
{
	size_t count = change->was->struct_count;

	change->record = arena_array(boot->arena, count + 1, sizeof(const char *));
	change->type = arena_array(boot->arena, count + 1, sizeof(const char *));
	change->needs_type = arena_array(boot->arena, count + 1, sizeof(*change->needs_type));
	for (size_t i = 0; i < count; i++) {
		change->record[i] = change->next.structs[i].record;
		change->type[i] = change->was->structs[i].proxy;
	}
}

/* The entry with what is known of it now; under its old name, or the new one. */
static struct table_entry *entry_now(struct boot *boot, const struct boot_change *change, const char *name)
{
	struct table_entry *entry = arena_memdup(boot->arena, change->was, sizeof(*entry));
	struct table_struct *structs = arena_array(boot->arena, change->was->struct_count + 1, sizeof(*structs));

	for (size_t i = 0; i < entry->struct_count; i++)
		structs[i] = (struct table_struct){ change->record[i] ? change->record[i] : change->was->structs[i].driver, change->type[i] };
	entry->name = name;
	entry->number = change->next.number;
	entry->constant = change->next.constant;
	entry->structs = structs;
	return entry;
}

static struct boot_change *change_of(const struct boot *boot, const struct table_entry *entry)
{
	for (size_t i = 0; i < boot->change_count; i++)
		if (boot->changes[i].was == entry)
			return &boot->changes[i];
	return NULL;
}

/* A changed entry as the version calls it, under its old name; if that is @settled, with its new types and handler. */
static const struct table_entry *updated_entry(struct boot *boot, const struct boot_change *change, bool settled)
{
	struct table_entry *entry = entry_now(boot, change, change->was->name);

	if (settled && change->now)
		entry->handler = change->now->handler;
	return entry;
}

/* The view of the version: unchanged entries, and changed ones. */
static size_t updated_entries(const struct table_entry ***out, struct boot *boot, bool settled)
{
	const struct table_entry **entries = arena_array(boot->arena, boot->view.entry_count + 1, sizeof(const struct table_entry *));
	size_t count = 0;

	for (size_t i = 0; i < boot->view.entry_count; i++) {
		const struct table_entry *entry = boot->view.entries[i];
		const struct boot_change *change = change_of(boot, entry);

		if (!change)
			entries[count++] = entry;
		else if (!change->next.is_gone)
			entries[count++] = updated_entry(boot, change, settled);
	}
	*out = entries;
	return count;
}

/* --- what has to be done -------------------------------------------------------------- */

/* A finding that the proxy's type does not meet a record; NULL if there is none. */
static const struct verify_finding *misfit_of(const struct boot_findings *fresh, const struct boot_change *change, size_t index)
{
	for (size_t i = 0; i < fresh->count; i++)
		if (findings_about(&fresh->items[i], change->was) && is_misfit(fresh->items[i].rule) && change->record[index] &&
		    !strcmp(fresh->items[i].record, change->record[index]))
			return &fresh->items[i];
	return NULL;
}

/* Of an unread record: what came that somebody has to translate. A pointer that was there already is the table's affair. */
static void decide_unread(struct boot *boot, struct boot_change *change, size_t index)
{
	const struct resolved_struct *was = &change->base.structs[index], *now = &change->next.structs[index];
	const struct abi_leaf *leaf = was->has_layout ? layouts_new_translated(&was->layout, &now->layout) : NULL;

	change->needs_type[index] = leaf;
	if (leaf && !change->why)
		change->why = arena_printf(boot->arena, "%s is passed through unread, and %s (%s at %" PRIu64 ") is a %s", now->record, leaf->path, leaf->type,
					   leaf->offset_bits / 8, layouts_translated_words(leaf));
}

static void decide_struct(struct boot *boot, struct boot_change *change, size_t index, const struct boot_findings *fresh)
{
	const struct verify_finding *finding;

	if (!change->next.structs[index].has_layout)
		return;
	if (!change->was->structs[index].proxy) {
		decide_unread(boot, change, index);
		return;
	}
	finding = misfit_of(fresh, change, index);
	change->needs_type[index] = finding;
	if (finding && !change->why)
		change->why = finding->message;
}

static bool differs(const char *a, const char *b)
{
	return !a ? b != NULL : !b || strcmp(a, b);
}

static bool is_renamed(const struct boot_change *change)
{
	if (differs(change->base.constant, change->next.constant))
		return true;
	for (size_t i = 0; i < change->was->struct_count; i++)
		if (change->record[i] && strcmp(change->record[i], change->was->structs[i].driver))
			return true;
	return false;
}

/* The record is gone, and nothing of the driver says what stands for it: somebody has to find out. */
static bool lost_record(const struct boot_change *change)
{
	for (size_t i = 0; i < change->was->struct_count; i++)
		if (!change->record[i] && change->base.structs[i].record)
			return true;
	return false;
}

static enum bootstrap_action action_of(const struct boot_change *change)
{
	if (change->next.is_gone)
		return BOOTSTRAP_REMOVE;
	if (change->next.number != change->base.number)
		return BOOTSTRAP_RENUMBER;
	for (size_t i = 0; i < change->was->struct_count; i++)
		if (change->needs_type[i])
			return BOOTSTRAP_REPLACE;
	if (lost_record(change))
		return BOOTSTRAP_REPLACE;
	return is_renamed(change) ? BOOTSTRAP_RENAME : BOOTSTRAP_NONE;
}

static void decide_change(struct boot *boot, struct boot_change *change, const struct boot_findings *fresh)
{
	for (size_t i = 0; i < change->was->struct_count && !change->next.is_gone; i++)
		decide_struct(boot, change, i, fresh);
	change->action = action_of(change);
}

/* --- new types and entries ------------------------------------------------------------------ */

static int declare_type(struct boot *boot, struct boot_change *change, size_t index)
{
	const char *was = change->was->structs[index].proxy;
	const struct proxytype_request request = {
		.abi = boot_document(boot, change->since),
		.record = change->record[index],
		.parent = was ? table_find_type(boot->table, was) : NULL,
		.parent_abi = boot->base,
		.parent_record = change->was->structs[index].driver,
	};
	const struct proxytype *type;
	int rc;

	if ((rc = proxytype_declare(&type, boot->types, &request, boot->err))) {
		err_prefix(boot->err, "%s %s", change->was->family, change->was->name);
		return rc;
	}
	change->type[index] = type->type->name;
	return 0;
}

static int declare_types(struct boot *boot, struct boot_change *change)
{
	int rc = 0;

	for (size_t i = 0; i < change->was->struct_count && !rc; i++)
		if (change->needs_type[i])
			rc = declare_type(boot, change, i);
	return rc;
}

/* What came into a record that is read, and no handler translates yet; NULL if nothing did. */
static const struct abi_leaf *came(const struct boot_change *change, size_t index)
{
	const struct resolved_struct *was = &change->base.structs[index], *now = &change->next.structs[index];

	return was->has_layout && now->has_layout ? layouts_new_translated(&was->layout, &now->layout) : NULL;
}

/*
 * The handler is that of before, with the new type, if it is one that takes any type and nothing came that it would have to
 * translate; else the table cannot say what it will be.
 */
static struct table_handler handler_now(const struct boot *boot, const struct boot_change *change)
{
	struct table_handler handler = change->was->handler;

	for (size_t i = 0; i < change->was->struct_count; i++) {
		const char *was = change->was->structs[i].proxy;

		if (!change->needs_type[i] || !differs(was, change->type[i]))
			continue;
		if (!naming_is_generic(boot->table, &handler) || !was || differs(handler.type, was) || came(change, i))
			return (struct table_handler){ .kind = NULL };
		handler.type = change->type[i];
	}
	return handler;
}

static void finish_change(struct boot *boot, struct boot_change *change)
{
	const char *name = change->was->name;
	struct table_entry *entry;

	if (change->action == BOOTSTRAP_REMOVE || change->action == BOOTSTRAP_NONE)
		return;
	if (change->action == BOOTSTRAP_RENUMBER)
		name = naming_free_entry(boot->table, change->was, boot_version(boot, change->since), boot->arena);
	entry = entry_now(boot, change, name);
	entry->handler = handler_now(boot, change);
	for (size_t i = 0; i < change->was->struct_count && !change->came; i++)
		change->came = change->was->structs[i].proxy ? came(change, i) : NULL;
	change->now = entry;
}

int decide_actions(struct boot *boot)
{
	const struct table_entry **entries;
	struct boot_findings fresh;
	size_t count;
	int rc;

	for (size_t i = 0; i < boot->change_count; i++)
		begin_change(boot, &boot->changes[i]);
	count = updated_entries(&entries, boot, false);
	if ((rc = findings_fresh(&fresh, boot, boot->table, entries, count)))
		return rc;
	for (size_t i = 0; i < boot->change_count; i++) {
		struct boot_change *change = &boot->changes[i];

		decide_change(boot, change, &fresh);
		if ((rc = compare_find_since(boot, change)) ||
		    (rc = declare_types(boot, change)))
			return rc;
		finish_change(boot, change);
	}
	return 0;
}

static int compare_types(const void *a, const void *b)
{
	return strcmp(((const struct table_type *)a)->name, ((const struct table_type *)b)->name);
}

struct table decide_types(const struct boot *boot)
{
	size_t count;
	const struct proxytype *const *added = proxytype_new_types(&count, boot->types);
	struct table_type *types = arena_array(boot->arena, boot->table->type_count + count + 1, sizeof(*types));
	struct table table = *boot->table;

	for (size_t i = 0; i < table.type_count; i++)
		types[i] = table.types[i];
	for (size_t i = 0; i < count; i++)
		types[table.type_count + i] = *added[i]->type;
	table.type_count += count;
	qsort(types, table.type_count, sizeof(*types), compare_types);
	table.types = types;
	return table;
}

int decide_unsettled(struct boot_findings *out, struct boot *boot)
{
	const struct table_entry **entries;
	size_t count = updated_entries(&entries, boot, true);
	const struct table types = decide_types(boot);

	return findings_fresh(out, boot, &types, entries, count);
}
