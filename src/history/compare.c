/* history/compare.c - select versions, and the changes of an edge that a filter selects */
#include "history/internal.h"

/* --- the entries that a proxy forwards at a version ----------------------------------------- */

const char *forwarded_use_name(enum forwarded_use use)
{
	switch (use) {
	case FORWARDED_NONE: return "none";
	case FORWARDED_UNREAD: return "unread";
	case FORWARDED_READ: return "read";
	}
	return "";
}

const struct table_node *forwarded_node_outside(const struct table *table, const struct history_graph *graph,
						const char *version)
{
	const struct table_node *node = table_nearest_node(table, version);

	return node && history_graph_index(graph, node->version) == graph->version_count ? node : NULL;
}

long forwarded_along(const struct table *table, const struct history_graph *graph, long version)
{
	while (version != HISTORY_NO_PARENT && !table_find_node(table, graph->versions[version].version))
		version = graph->versions[version].parent;
	return version;
}

const struct table_node *forwarded_node_along(const struct table *table, const struct history_graph *graph,
					      long version)
{
	version = forwarded_along(table, graph, version);
	return version == HISTORY_NO_PARENT ? NULL : table_find_node(table, graph->versions[version].version);
}

const struct table_node *forwarded_node(const struct table *table, const struct history_graph *graph,
					size_t version, const char *name)
{
	const struct table_node *node;

	if (version >= graph->version_count)
		return table_nearest_node(table, name);
	node = forwarded_node_outside(table, graph, graph->versions[version].version);
	return node ? node : forwarded_node_along(table, graph, (long)version);
}

/*
 * Finds the entry with a number at @node, and sets *@owner to the node that defines it. If several entries
 * have the number, the result is the first by name that no nearer node replaces or removes. No view is built,
 * because that would take too long for the many calls of a log.
 */
static const struct table_entry *find_entry_by_number(const struct table_node **owner,
						      const struct table_node *node,
						      const char *family, uint64_t number)
{
	const struct table_entry *found = NULL;

	for (const struct table_node *one = node; one; one = one->parent)
		for (size_t i = 0; i < one->entry_count; i++) {
			const struct table_entry *entry = &one->entries[i];

			if (entry->removed || entry->number != number || strcmp(entry->family, family) ||
			    (found && table_entry_order(found, entry) <= 0) ||
			    table_entry_at(node, entry) != entry)
				continue;
			found = entry;
			*owner = one;
		}
	return found;
}

void forwarded_find(struct forwarded *out, const struct table *table, const struct table_node *node,
		    const char *family, uint64_t number)
{
	struct forwarded forwarded = { .table = table, .node = node };

	forwarded.entry = find_entry_by_number(&forwarded.since, node, family, number);
	if (forwarded.entry)
		forwarded.use = table_entry_is_read(forwarded.entry) ? FORWARDED_READ : FORWARDED_UNREAD;
	else if (node && (forwarded.passed_as = table_passes(table, family, number)))
		forwarded.use = FORWARDED_UNREAD;
	*out = forwarded;
}

/* --- the versions that a word names --------------------------------------------------------- */

bool select_is_versions(const char *word)
{
	return strchr(word, '.') && !history_is_glob(word);
}

/* Is @word "RECORD.FIELD" for a record of some version, so that the error can say so? */
static bool is_field(const struct history_graph *graph, const char *word, struct arena *arena)
{
	const char *record = arena_strndup(arena, word, strcspn(word, "."));

	for (size_t i = 0; i < graph->version_count; i++)
		if (graph->versions[i].abi && abi_find_record(graph->versions[i].abi, record))
			return true;
	return false;
}

/*
 * Finds the versions that are @word or begin with it: at least one, and exactly one if @is_one. Return: 0;
 * ERR_NOT_FOUND, with similar names; an error of abi_version_ambiguous().
 */
static int find_run(struct abi_version_run *out, const struct history_graph *graph, const char *word,
		    bool is_one, struct err *err)
{
	struct arena arena = { 0 };
	const size_t count = graph->version_count;
	const char **names = arena_array(&arena, count + 1, sizeof(*names));
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf hint = { 0 };
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		names[i] = graph->versions[i].version;
	*out = abi_version_run(word, names, count);
	if (!out->count && is_field(graph, word, &arena)) {
		rc = err_set(err, ERR_NOT_FOUND,
			     "%s is a field, not a version; drvabi blame %s says which version "
			     "last changed it", word, word);
	} else if (!out->count) {
		abi_nearest_typos(&nearest, word, names, count);
		if (!nearest.count)
			abi_nearest_neighbours(&nearest, word, names, count);
		abi_nearest_list(&hint, &nearest);
		rc = err_set(err, ERR_NOT_FOUND, "none of the %zu versions is or begins with '%s'%s", count,
			     word, strbuf_text(&hint));
	} else if (is_one && out->count > 1) {
		rc = abi_version_ambiguous(word, names, *out, err);
	}
	strbuf_release(&hint);
	arena_release(&arena);
	return rc;
}

/*
 * Adds @last and its ancestors, without @first and its ancestors. @first: "": excludes no version. @last: "":
 * the newest version. Return: 0; ERR_NOT_FOUND if no version is left.
 */
static int add_lineage(bool *wanted, const struct history_graph *graph, const char *first, const char *last,
		       struct err *err)
{
	bool *marked = xmalloc((graph->version_count + 1) * sizeof(*marked));
	const char *const ends[] = { last, first };
	size_t count = 0;
	int rc = 0;

	memset(marked, 0, (graph->version_count + 1) * sizeof(*marked));
	for (int end = 0; end < 2 && !rc; end++) {
		struct abi_version_run run = { graph->version_count - 1, 1 };

		if ((end && !*first) || (*ends[end] && (rc = find_run(&run, graph, ends[end], true, err))))
			continue;
		for (long at = (long)run.first; at != HISTORY_NO_PARENT; at = graph->versions[at].parent)
			marked[at] = !end;
	}
	for (size_t i = 0; !rc && i < graph->version_count; i++) {
		count += marked[i];
		wanted[i] = wanted[i] || marked[i];
	}
	if (!rc && !count)
		rc = err_set(err, ERR_NOT_FOUND,
			     "%s..%s is empty, because %s includes all of %s; give the older "
			     "version first", first,
			     last, first, *last ? last : "the newest version");
	free(marked);
	return rc;
}

/*
 * Adds all versions from the first that begins with @first to the last that begins with @last. "" is an open
 * end. Return: 0; ERR_NOT_FOUND if an end is unknown, or @last is before @first.
 */
static int add_order(bool *wanted, const struct history_graph *graph, const char *first, const char *last,
		     struct err *err)
{
	struct abi_version_run from = { 0, 1 }, to = { graph->version_count - 1, 1 };
	int rc;

	if ((*first && (rc = find_run(&from, graph, first, false, err))) ||
	    (*last && (rc = find_run(&to, graph, last, false, err))))
		return rc;
	if (from.first >= to.first + to.count)
		return err_set(err, ERR_NOT_FOUND, "%s..%s is empty; give the older version first: %s..%s",
			       first, last, last, first);
	for (size_t i = from.first; i < to.first + to.count; i++)
		wanted[i] = true;
	return 0;
}

int select_add(bool *wanted, const struct history_graph *graph, const char *word, struct err *err)
{
	const char *dots = strstr(word, "..");
	struct arena arena = { 0 };
	struct abi_version_run run;
	const char *first, *last;
	int rc;

	if (!dots) {
		if (!(rc = find_run(&run, graph, word, true, err)))
			wanted[run.first] = true;
		return rc;
	}
	first = arena_strndup(&arena, word, (size_t)(dots - word));
	last = dots + 2;
	if (*last == '.')
		rc = err_set(err, ERR_USAGE, "'%s' is not a range of versions; give it as A..B", word);
	else if (!*first && !*last)
		rc = err_set(err, ERR_USAGE, "'%s' is not a range of versions; give at least one of its ends",
			     word);
	else if ((!*first || history_graph_index(graph, first) < graph->version_count) &&
		 (!*last || history_graph_index(graph, last) < graph->version_count))
		rc = add_lineage(wanted, graph, first, last, err);
	else
		rc = add_order(wanted, graph, first, last, err);
	arena_release(&arena);
	return rc;
}

int select_clip(bool *wanted, const struct history_graph *graph, const char *since, const char *until,
		struct err *err)
{
	struct abi_version_run run;
	int rc;

	if (since && (rc = find_run(&run, graph, since, false, err))) {
		err_prefix(err, "--since");
		return rc;
	}
	for (size_t i = 0; since && i < run.first; i++)
		wanted[i] = false;
	if (until && (rc = find_run(&run, graph, until, false, err))) {
		err_prefix(err, "--until");
		return rc;
	}
	for (size_t i = until ? run.first + run.count : graph->version_count; i < graph->version_count; i++)
		wanted[i] = false;
	return 0;
}

/* --- the changes that a filter selects ------------------------------------------------------ */

bool select_edge(const struct history_filter *filter, const struct history_graph *graph, size_t edge)
{
	return !filter->versions || filter->versions[graph->edges[edge].version];
}

void select_changes(struct history_changes *changes, const struct history_graph *graph,
		    const struct history_filter *filter, struct arena *arena)
{
	for (size_t edge = 0; edge < graph->edge_count; edge++) {
		struct history_changes all = changes[edge], *left = &changes[edge];
		struct diff_change *kept;
		size_t *carriers;

		if (!select_edge(filter, graph, edge))
			*left = (struct history_changes){ .count = 0 };
		if (!select_edge(filter, graph, edge) || !filter->classes)
			continue;
		kept = arena_array(arena, all.count + 1, sizeof(*kept));
		carriers = arena_array(arena, all.count + 1, sizeof(*carriers));
		*left = (struct history_changes){ .changes = kept,
						  .carriers = carriers,
						  .left_out = all.left_out };
		for (size_t i = 0; i < all.count; i++) {
			if (!(all.changes[i].classes & filter->classes))
				continue;
			kept[left->count] = all.changes[i];
			carriers[left->count++] = all.carriers[i];
			diff_count_change(left->summary, left->class_total, &all.changes[i]);
		}
	}
}

/* --- the items with a name or a number, compared with the other version of an edge ------------- */

/*
 * 1. All items with one of the filter's names or numbers are compared at once, except records. Records, and
 *    the parameter records of the ioctls, are pushed onto a list, each name once.
 * 2. The records on the list are compared. The records that their fields contain or point to are pushed,
 *    until the whole list is compared.
 *
 * The first difference ends the comparison.
 */

/* The records to compare, of which the first @done have been compared. */
struct pending_records {
	const struct abi *base, *next;
	const char **name; /* malloc'd */
	size_t count, capacity;
	size_t done;
};

/* Adds a record that is still to be compared, unless it is on the list. */
static void push_record(struct pending_records *pending, const char *name)
{
	for (size_t i = 0; i < pending->count; i++)
		if (!strcmp(pending->name[i], name))
			return;
	ARRAY_GROW(pending->name, pending->count, pending->capacity);
	pending->name[pending->count++] = name;
}

/* Pushes every record that a spelling names: "T *", "void (*)(struct T *)". */
static void push_named(struct pending_records *pending, const char *spelling)
{
	static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:";

	while (*(spelling += strcspn(spelling, word))) {
		size_t length = strspn(spelling, word);
		char *name = xmalloc(length + 1);
		const struct abi_record *base, *next;

		memcpy(name, spelling, length);
		name[length] = '\0';
		base = abi_find_record(pending->base, name);
		next = abi_find_record(pending->next, name);
		if (base || next)
			push_record(pending, (base ? base : next)->name);
		free(name);
		spelling += length;
	}
}

/*
 * Is the type the same scalar in both versions, or a record with the same name? Such a record is pushed, as
 * are the records that a pointer points to.
 */
static bool same_type(struct pending_records *pending, const char *type)
{
	const struct abi_alias *alias;
	struct abi_type base, next;

	if (abi_resolve_type(&base, pending->base, type, NULL) ||
	    abi_resolve_type(&next, pending->next, type, NULL))
		return false;
	if (base.element_bytes != next.element_bytes || !abi_same_dimensions(&base, &next) ||
	    !base.record != !next.record)
		return false;
	if (!base.record) {
		if (base.scalar == ABI_POINTER || next.scalar == ABI_POINTER) {
			push_named(pending, type);
			if ((alias = abi_find_alias(pending->base, type)))
				push_named(pending, alias->type);
			if ((alias = abi_find_alias(pending->next, type)))
				push_named(pending, alias->type);
		}
		return base.scalar == next.scalar && abi_same_c_name(&base, &next);
	}
	push_record(pending, base.record->name);
	return !strcmp(base.record->name, next.record->name);
}

/* Is the record equal in both documents? The records of its fields are only pushed, to be compared later. */
static bool same_record(struct pending_records *pending, const char *name)
{
	const struct abi_record *base = abi_find_record(pending->base, name),
				*next = abi_find_record(pending->next, name);

	if (!base || !next)
		return !base && !next;
	if (!abi_same_item(ABI_RECORD, base, next))
		return false;
	for (size_t i = 0; i < base->field_count; i++)
		if (!same_type(pending, base->fields[i].type))
			return false;
	return true;
}

static bool same_item(const struct abi *base, const struct abi *next, enum abi_kind kind, const char *name)
{
	const void *a = abi_find_item(base, kind, name), *b = abi_find_item(next, kind, name);

	return a && b ? abi_same_item(kind, a, b) : !a && !b;
}

/*
 * Finds the next ioctl from @index on with @name, or with @number if @name is NULL; NULL after the last one.
 */
static const struct abi_ioctl *next_ioctl(const struct abi *abi, size_t *index, const char *name,
					  uint64_t number)
{
	while (*index < abi->ioctl_count) {
		const struct abi_ioctl *ioctl = &abi->ioctls[(*index)++];

		if (name ? !strcmp(ioctl->name, name) : ioctl->number == number)
			return ioctl;
	}
	return NULL;
}

/*
 * Checks whether both documents have the same ioctls called @name, or with @number if @name is NULL. Their
 * records have yet to be compared.
 */
static bool same_ioctls(struct pending_records *pending, const char *name, uint64_t number)
{
	size_t i = 0, j = 0;

	for (;;) {
		const struct abi_ioctl *base = next_ioctl(pending->base, &i, name, number);
		const struct abi_ioctl *next = next_ioctl(pending->next, &j, name, number);

		if (!base || !next)
			return !base && !next;
		if (!abi_same_item(ABI_IOCTL, base, next))
			return false;
		if (base->params)
			push_record(pending, base->params);
	}
}

/* Do the same constants, which can be macros of commands, have the number in both versions? */
static bool same_macros(const struct abi *base, const struct abi *next, uint64_t number)
{
	size_t i = 0, j = 0;

	for (;;) {
		while (i < base->constant_count && base->constants[i].value.magnitude != number)
			i++;
		while (j < next->constant_count && next->constants[j].value.magnitude != number)
			j++;
		if (i == base->constant_count || j == next->constant_count)
			return i == base->constant_count && j == next->constant_count;
		if (strcmp(base->constants[i++].name, next->constants[j++].name))
			return false;
	}
}

/* Compares all pending records, and the records that they use. Return: false if one differs. */
static bool same_pending(struct pending_records *pending)
{
	bool same = true;

	while (same && pending->done < pending->count)
		same = same_record(pending, pending->name[pending->done++]);
	return same;
}

bool history_same_record(const struct abi *base, const struct abi *next, const char *name)
{
	struct pending_records pending = { .base = base, .next = next };
	bool same;

	push_record(&pending, name);
	same = abi_find_record(base, name) && same_pending(&pending);
	free(pending.name);
	return same;
}

bool history_untouched(const struct abi *base, const struct abi *next, const struct history_filter *filter)
{
	struct pending_records pending = { .base = base, .next = next };
	bool same = filter->name_count || filter->number_count;

	for (size_t i = 0; i < filter->name_count && same; i++) {
		const char *name = filter->names[i];

		push_record(&pending, name);
		same = !history_is_glob(name) && same_ioctls(&pending, name, 0) &&
		       same_item(base, next, ABI_ALIAS, name) && same_item(base, next, ABI_ENUM, name) &&
		       same_item(base, next, ABI_CONSTANT, name);
	}
	for (size_t i = 0; i < filter->number_count && same; i++)
		same = same_ioctls(&pending, NULL, filter->numbers[i]) &&
		       same_macros(base, next, filter->numbers[i]);
	same = same && same_pending(&pending);
	free(pending.name);
	return same;
}

/* --- the changes of an edge ----------------------------------------------------------------- */

/*
 * Makes a view of the entries that the table forwards in either version of an edge, because a new ioctl can
 * have an entry only at the node of the newer version.
 */
static void view_of_edge(struct table_view *out, const struct table *table, const struct history_graph *graph,
			 const struct history_edge *edge, struct arena *arena)
{
	const struct table_entry **entries;
	struct table_view was, is;
	size_t count = 0, i = 0, j = 0;

	table_view_at(&was, table, ranges_followed(graph, table, edge->parent), arena);
	table_view_at(&is, table, ranges_followed(graph, table, edge->version), arena);
	*out = is;
	if (was.node == is.node)
		return;
	entries = arena_array(arena, was.entry_count + is.entry_count + 1,
			      sizeof(const struct table_entry *));
	while (i < was.entry_count || j < is.entry_count) {
		int order = i == was.entry_count ? 1 : j == is.entry_count ? -1 :
			    table_entry_order(was.entries[i], is.entries[j]);

		if (!order && was.entries[i] == is.entries[j])
			i++;
		entries[count++] = order < 0 ? was.entries[i++] : is.entries[j++];
	}
	out->entries = entries;
	out->entry_count = count;
}

static bool is_wanted_change(const struct asked *asked, const struct diff_change *change)
{
	return asked_is(asked, change) && (!asked->filter->table || change->proxied);
}

/*
 * Copies the selected changes into @arena, counts them, and completes their number_was. Selected changes
 * whose items the table does not forward are counted in left_out. @scratch: for temporary memory
 */
static void copy_wanted(struct history_changes *out, const struct diff *diff,
			const struct history_filter *filter, struct arena *scratch, struct arena *arena)
{
	struct history_changes copied = { 0 };
	struct diff_change *changes;
	size_t *carriers, wanted = 0;
	struct asked asked;

	asked_of(&asked, filter, diff, scratch);
	for (size_t i = 0; i < diff->change_count; i++)
		wanted += is_wanted_change(&asked, &diff->changes[i]);
	changes = arena_array(arena, wanted + 1, sizeof(*changes));
	carriers = arena_array(arena, wanted + 1, sizeof(*carriers));
	for (size_t i = 0; i < diff->change_count; i++) {
		struct diff_change *change = &changes[copied.count];

		if (!is_wanted_change(&asked, &diff->changes[i])) {
			copied.left_out += asked_is(&asked, &diff->changes[i]);
			continue;
		}
		diff_count_change(copied.summary, copied.class_total, &diff->changes[i]);
		history_copy_change(change, &diff->changes[i], arena);
		carriers[copied.count++] = asked_carriers(change, &asked, arena);
	}
	command_name_owners(changes, copied.count, diff->base, diff->next, scratch);
	copied.changes = changes;
	copied.carriers = carriers;
	*out = copied;
}

int history_compare(struct history_changes *out, const struct history_graph *graph,
		    const struct history_edge *edge, const struct history_filter *filter, struct arena *arena,
		    struct err *err)
{
	const struct abi *base = graph->versions[edge->parent].abi,
			 *next = graph->versions[edge->version].abi;
	struct diff_options options = { 0 };
	struct arena scratch = { 0 };
	struct table_view view;
	struct diff diff;
	int rc;

	if (history_untouched(base, next, filter) || history_same(base, next)) {
		*out = (struct history_changes){ 0 };
		return 0;
	}
	if (filter->table) {
		view_of_edge(&view, filter->table, graph, edge, &scratch);
		options.view = &view;
	}
	rc = diff_documents(&diff, base, next, &options, &scratch, err);
	if (!rc)
		copy_wanted(out, &diff, filter, &scratch, arena);
	arena_release(&scratch);
	return rc;
}
