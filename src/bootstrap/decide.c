/*
 * bootstrap/decide.c - decide what to do for each changed entry
 *
 * 1. Every entry is updated to the macro, number and record names of the version. Verify compares it with the
 *    version's document, using the types that the proxy has.
 * 2. If verify has no new finding for an entry, the entry needs at most a new number or name.
 * 3. If the proxy reads a record, a finding means that the proxy's type has to be replaced. If the proxy
 *    passes the record through unread, an added pointer, fd or pid means that the proxy has to read the
 *    record from now on. If a pointer, fd or pid was added to a record that is read, the old handler does not
 *    translate the field.
 * 4. The new type is declared from the first version that has the record as it is in the last version
 *    (compare.c).
 * 5. With the new entries and types, verify must have no new finding. A new handler that is needed is a TODO.
 */
#include "bootstrap/internal.h"

/* --- findings ------------------------------------------------------------------- */

/*
 * Checks whether @items, such as the findings at the parent, has a finding of the same rule about the same
 * entry and field. The messages and the names of the records may differ.
 */
static bool is_among(const struct verify_finding *items, size_t count, const struct verify_finding *finding)
{
	for (size_t i = 0; i < count; i++)
		if (items[i].rule == finding->rule && findings_same_entry(&items[i], finding) &&
		    !strcmp(items[i].path, finding->path))
			return true;
	return false;
}

int findings_fresh(struct boot_findings *out, struct boot *boot, const struct abi *abi,
		   const struct table *types, const struct table_entry *const *entries, size_t count)
{
	const struct table_view view = { types, boot->view.node, entries, count };
	struct verify_finding *items, *warnings;
	struct verify_result result;
	int rc;

	*out = (struct boot_findings){ .count = 0 };
	if (!count) /* @abi can be NULL then */
		return 0;
	if ((rc = verify_view(&result, abi, &view, boot->arena, boot->err))) {
		err_prefix(boot->err, "%s", abi->version);
		return rc;
	}
	items = arena_array(boot->arena, result.finding_count + result.unseen_count + 1, sizeof(*items));
	warnings = arena_array(boot->arena, result.finding_count + 1, sizeof(*warnings));
	*out = (struct boot_findings){ .items = items, .warnings = warnings };
	for (size_t i = 0; i < result.finding_count + result.unseen_count; i++) {
		const struct verify_finding *one = &result.findings[i];

		/*
		 * Of the unseen findings, only not-simple can show a change between versions: a pointer may
		 * have been added.
		 */
		if (one->unseen && one->rule != VERIFY_NOT_SIMPLE)
			continue;
		if (!verify_rule_warns(one->rule) && !is_among(boot->known.items, boot->known.count, one))
			items[out->count++] = *one;
		else if (verify_rule_warns(one->rule) &&
			 !is_among(boot->known.warnings, boot->known.warning_count, one))
			warnings[out->warning_count++] = *one;
	}
	return 0;
}

int findings_known(struct boot *boot)
{
	const struct suppressions *accepted = boot->options->accepted;
	struct boot_findings found;
	struct bootstrap_fault *faults;
	int rc;

	if ((rc = findings_fresh(&found, boot, boot->base, boot->view.table, boot->view.entries,
				 boot->view.entry_count)))
		return rc;
	boot->known = found;
	boot->out.faults = faults = arena_array(boot->arena, found.count + 1, sizeof(*faults));
	for (size_t i = 0; i < found.count; i++) {
		const struct verify_finding *one = &found.items[i];

		if (one->unseen)
			continue;
		if (accepted &&
		    suppressions_find(accepted, 1u << one->rule, one->entry, one->path, boot->base->version))
			boot->accepted_count++;
		else
			faults[boot->out.fault_count++] =
				(struct bootstrap_fault){ boot->base->version, one };
	}
	return 0;
}

/* --- names ---------------------------------------------------------------------- */

size_t naming_stem(const char *name)
{
	size_t length = strlen(name), digits = length;

	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	return digits > 2 && digits < length && !memcmp(name + digits - 2, "_V", 2) ? digits - 2 : length;
}

/* Checks whether a node of the table has an entry with this family and name. */
static bool is_entry(const struct table *table, const char *family, const char *name)
{
	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++)
			if (!strcmp(table->nodes[i].entries[e].name, name) &&
			    !strcmp(table->nodes[i].entries[e].family, family))
				return true;
	return false;
}

const char *naming_free_entry(const struct table *table, const struct table_entry *entry, const char *version,
			      struct arena *arena)
{
	const char *stem = arena_strndup(arena, entry->name, naming_stem(entry->name)),
		   *name = gen_versioned_name(stem, version, false, arena);

	return is_entry(table, entry->family, name) ? gen_versioned_name(stem, version, true, arena) : name;
}

bool naming_is_generic(const struct table *table, const struct table_handler *handler)
{
	if (!handler->kind || !handler->type_known || !handler->type)
		return false;
	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++) {
			const struct table_handler *one = &table->nodes[i].entries[e].handler;

			if (one->kind && one->type && !strcmp(one->kind, handler->kind) &&
			    strcmp(one->type, handler->type))
				return true;
		}
	return false;
}

/* --- entries with the version's names ----------------------------------------------------- */

/* Copies the old entry, with @name and the number, macro, records and types of the version. */
static struct table_entry *entry_now(struct boot *boot, const struct boot_change *change, const char *name)
{
	struct table_entry *entry = arena_memdup(boot->arena, change->was, sizeof(*entry));
	struct table_struct *structs =
		arena_array(boot->arena, change->was->struct_count + 1, sizeof(*structs));

	for (size_t i = 0; i < entry->struct_count; i++)
		structs[i] = (struct table_struct){ change->next.structs[i].record
							    ? change->next.structs[i].record
							    : change->was->structs[i].driver,
						    change->structs[i].type };
	entry->name = name;
	entry->number = change->next.number;
	entry->constant = change->next.constant;
	entry->structs = structs;
	return entry;
}

/*
 * Lists the entries as they are in the version, without those that were removed. Changed entries have the
 * version's names for macro and records, and the types that were decided so far, but their old entry names.
 * With @with_handlers, they also have their new handlers. Return: the number of entries.
 */
static size_t updated_entries(const struct table_entry ***out, struct boot *boot, bool with_handlers)
{
	const struct table_entry **entries =
		arena_array(boot->arena, boot->view.entry_count + 1, sizeof(const struct table_entry *));
	size_t count = 0;

	for (size_t i = 0, c = 0; i < boot->view.entry_count; i++) {
		const struct boot_change *change = boot_change_of(boot, boot->view.entries[i], &c);
		struct table_entry *entry;

		if (!change) {
			entries[count++] = boot->view.entries[i];
		} else if (!change->next.is_gone) {
			entries[count++] = entry = entry_now(boot, change, change->was->name);
			if (with_handlers && change->now)
				entry->handler = change->now->handler;
		}
	}
	*out = entries;
	return count;
}

/* --- the work to do ------------------------------------------------------------------- */

/* Finds a finding that the proxy's type does not match @record, of the entry @was; NULL if there is none. */
static const struct verify_finding *find_type_mismatch(const struct boot_findings *fresh,
						       const struct table_entry *was, const char *record)
{
	static const bool is_mismatch[VERIFY_RULE_COUNT] = {
		[VERIFY_SIZE] = true, [VERIFY_FIELD_OFFSET] = true, [VERIFY_FIELD_TYPE] = true,
		[VERIFY_FIELD_MISSING] = true, [VERIFY_PADDING_OVERLAP] = true,
	};

	for (size_t i = 0; i < fresh->count; i++) {
		const struct verify_finding *one = &fresh->items[i];

		if (is_mismatch[one->rule] && !strcmp(one->family, was->family) &&
		    !strcmp(one->entry, was->name) && !strcmp(one->record, record))
			return one;
	}
	return NULL;
}

/*
 * Decides whether a struct of the entry needs a new type: sets needs_type, and why of the change, if it has
 * none yet. @fresh: findings that are new in the version
 */
static void decide_struct(struct boot *boot, struct boot_change *change, size_t index,
			  const struct boot_findings *fresh)
{
	const struct resolved_struct *now = &change->next.structs[index];
	const struct verify_finding *finding;
	const struct abi_scalar *scalar;

	if (!now->has_layout)
		return;
	if (change->was->structs[index].proxy) {
		finding = find_type_mismatch(fresh, change->was, now->record);
		change->structs[index].needs_type = finding;
		if (finding && !change->why)
			change->why = finding->message;
		return;
	}
	/*
	 * The record is unread. Find an added field that has to be translated. If an older field needs
	 * translation, this is a fault that the table already has.
	 */
	scalar = layouts_new_translated(boot, &change->base.structs[index], now);
	change->structs[index].needs_type = scalar;
	if (scalar && !change->why)
		change->why = arena_printf(boot->arena, "%s is passed through unread, and %s", now->record,
					   layouts_translated_text(scalar, boot->arena));
}

/* Returns what a change requires. Its structs were decided before. */
static enum bootstrap_action action_of_change(const struct boot_change *change)
{
	const struct table_entry *was = change->was;
	const struct resolved_struct *base = change->base.structs, *next = change->next.structs;

	if (change->next.is_gone)
		return BOOTSTRAP_REMOVE;
	if (change->next.number != change->base.number)
		return BOOTSTRAP_RENUMBER;
	/*
	 * If a record was removed and the driver names no other record, the maintainer has to find the
	 * parameters.
	 */
	for (size_t i = 0; i < was->struct_count; i++)
		if (change->structs[i].needs_type || (!next[i].record && base[i].record))
			return BOOTSTRAP_REPLACE;
	for (size_t i = 0; i < was->struct_count; i++)
		if (next[i].record && strcmp(next[i].record, was->structs[i].driver))
			return BOOTSTRAP_RENAME;
	return same_text(change->base.constant, change->next.constant) ? BOOTSTRAP_NONE : BOOTSTRAP_RENAME;
}

/* --- new types and entries ------------------------------------------------------------------ */

/* Declares and sets the new type of a struct, based on the old one. Return: as proxytype_declare(). */
static int declare_changed_type(struct boot *boot, struct boot_change *change, size_t index)
{
	const char *was = change->was->structs[index].proxy;
	const struct proxytype_request request = {
		.abi = boot_document(boot, change->since),
		.record = change->next.structs[index].record,
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
	change->structs[index].type = type->type->name;
	return 0;
}

/*
 * Returns the handler of the changed entry: the old handler, with the new type, if it accepts any type and
 * no field was added that it would have to translate. Otherwise, the handler is unknown, and has no kind.
 */
static struct table_handler handler_now(const struct boot *boot, const struct boot_change *change)
{
	struct table_handler handler = change->was->handler;

	for (size_t i = 0; i < change->was->struct_count; i++) {
		const char *was = change->was->structs[i].proxy;

		if (!change->structs[i].needs_type || same_text(was, change->structs[i].type))
			continue;
		if (!naming_is_generic(boot->table, &handler) || !was || !same_text(handler.type, was) ||
		    layouts_new_translated(boot, &change->base.structs[i], &change->next.structs[i]))
			return (struct table_handler){ .kind = NULL };
		handler.type = change->structs[i].type;
		handler.fields = (struct profile_strings){ .item = NULL }; /* these are fields of the old
									      type */
		handler.fields_known = false;
	}
	return handler;
}

int decide_actions(struct boot *boot)
{
	const struct table_entry **entries;
	struct boot_findings fresh;
	struct table_entry *entry;
	const char *name;
	size_t count;
	int rc;

	for (size_t i = 0; i < boot->change_count; i++) {
		struct boot_change *change = &boot->changes[i];

		count = change->was->struct_count;
		change->structs = arena_array(boot->arena, count + 1, sizeof(*change->structs));
		for (size_t k = 0; k < count; k++)
			change->structs[k].type = change->was->structs[k].proxy;
	}
	count = updated_entries(&entries, boot, false);
	if ((rc = findings_fresh(&fresh, boot, boot->next, boot->table, entries, count)))
		return rc;
	for (size_t i = 0; i < boot->change_count; i++) {
		struct boot_change *change = &boot->changes[i];

		for (size_t s = 0; s < change->was->struct_count && !change->next.is_gone; s++)
			decide_struct(boot, change, s, &fresh);
		change->action = action_of_change(change);
		if ((rc = compare_find_since(boot, change)))
			return rc;
		for (size_t s = 0; s < change->was->struct_count; s++)
			if (change->structs[s].needs_type && (rc = declare_changed_type(boot, change, s)))
				return rc;
		if (change->action == BOOTSTRAP_REMOVE || change->action == BOOTSTRAP_NONE)
			continue;
		name = change->was->name;
		if (change->action == BOOTSTRAP_RENUMBER)
			name = naming_free_entry(boot->table, change->was, boot_version(boot, change->since),
						 boot->arena);
		change->now = entry = entry_now(boot, change, name);
		entry->handler = handler_now(boot, change);
		for (size_t s = 0; s < change->was->struct_count && !change->new_role; s++)
			if (change->was->structs[s].proxy)
				change->new_role = layouts_new_translated(boot, &change->base.structs[s],
									  &change->next.structs[s]);
	}
	return 0;
}

const struct table_type *types_with_new(size_t *count, const struct table_type *types,
					 struct proxytype_set *set, struct arena *arena)
{
	size_t new_count;
	const struct proxytype *const *added = proxytype_new_types(&new_count, set);
	struct table_type *all = arena_array(arena, *count + new_count + 1, sizeof(*all));

	for (size_t i = 0; i < *count; i++)
		all[i] = types[i];
	for (size_t i = 0; i < new_count; i++)
		all[*count + i] = *added[i]->type;
	*count += new_count;
	sort_items(all, *count, sizeof(*all), order_named);
	return all;
}

struct table table_with_new_types(const struct boot *boot)
{
	struct table table = *boot->table;

	table.types = types_with_new(&table.type_count, table.types, boot->types, boot->arena);
	return table;
}

int decide_unsettled(struct boot_findings *out, struct boot *boot)
{
	const struct table_entry **entries;
	size_t count = updated_entries(&entries, boot, true);
	const struct table types = table_with_new_types(boot);

	return findings_fresh(out, boot, boot->next, &types, entries, count);
}
