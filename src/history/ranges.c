/*
 * history/ranges.c - find the versions that share a node or need one: the first and last steps
 *
 * ranges_assign.c has the step for each version. First, ranges_plan() finds the node that each version
 * follows: its own, or that of its nearest ancestor with a node, or else the newest node that is not newer
 * than the version. It lists the entries that the table forwards at each such node, and finds the nodes that
 * forward exactly what their parents forward. Last, ranges_finish():
 *
 * 1. Versions that share a document get the results of the first of them.
 * 2. Versions become a set if all items that the table refers to are equal in them.
 * 3. Among versions that can use no node, the first of each line of descendants needs a new node. A
 *    descendant can use the same new node if the driver has the same facts in both, for each entry that has a
 *    finding in either version.
 * 4. Each node gets a verdict: is it needed, is it empty, or can it be merged with its parent?
 */
#include "history/internal.h"
#include "flatten/flatten.h"

#include <uthash.h>

/* --- the facts of a document that a proxy's table reads, as text ---------------------------- */

/*
 * The text has a line for each fact, in the order of the view's entries. The facts of an entry are:
 *
 *   its number, and the macro's value in the driver;
 *   other items of the driver with that number;
 *   the parameter record that the driver's tables name for it, and its size;
 *   for each struct: whether it exists, its size, and its scalars.
 *
 * The criterion decides which scalars count, and which of their properties; see enum ranges_criterion.
 */

struct facts_writer {
	struct strbuf *out;
	const struct abi *abi;
	enum ranges_criterion criterion;
	struct arena arena; /* for layouts */
	struct err *err;
};

/* Adds a line for the entry's ioctl if it has the entry's number, or else for each ioctl with this number. */
static void write_owners(struct facts_writer *facts, const struct table_entry *entry)
{
	const struct abi *abi = facts->abi;
	size_t count;
	const struct abi_ioctl *owners = abi_ioctls_numbered(&count, abi, entry->family, entry->number);
	bool own = false;

	for (size_t i = 0; i < count; i++)
		own |= entry->constant && !strcmp(owners[i].name, entry->constant);
	for (size_t i = 0; i < count; i++) {
		const struct abi_ioctl *ioctl = &owners[i];
		const struct abi_record *params = ioctl->params ? abi_find_record(abi, ioctl->params) : NULL;

		if (own && strcmp(ioctl->name, entry->constant))
			continue;
		strbuf_addf(facts->out, "  is %s(%s %" PRIu64 ")\n", own ? "it" : ioctl->name,
			    ioctl->params ? ioctl->params : "-",
			    params ? params->size_bytes : 0);
	}
}

/* Adds a line about a scalar. @whole: if false, leaves out a scalar that a proxy need not translate */
static void write_scalar_facts(struct facts_writer *facts, const struct abi_scalar *scalar, bool whole)
{
	const bool is_acted_on = ranges_is_acted_on(scalar->path, scalar->kind, scalar->role);
	struct strbuf *out = facts->out;

	if (!whole && !is_acted_on)
		return;
	strbuf_addf(out, "    %" PRIu64 " +%" PRIu64 " %s %" PRIu64 " x%" PRIu64 "%s%s%s %s",
		    scalar->offset_bits, scalar->size_bits, abi_scalar_kind_name(scalar->kind),
		    scalar->element_bits, scalar->count, scalar->dimension_count ? " array" : "",
		    scalar->is_bitfield ? " bits" : "", scalar->flexible ? " flexible" : "",
		    abi_role_name(scalar->role));
	for (size_t i = 0; i < scalar->dimension_count; i++)
		strbuf_addf(out, "[%" PRIu64 "]", scalar->dimension[i]);
	for (size_t i = 0; i < scalar->repeat_count; i++)
		strbuf_addf(out, " %" PRIu64 "/%" PRIu64, scalar->repeat[i].count,
			    scalar->repeat[i].stride_bits);
	if (is_acted_on)
		strbuf_adds(out, " acted on");
	if (facts->criterion == RANGES_STRICT)
		strbuf_addf(out, " %s %s", scalar->path, scalar->type);
	strbuf_addch(out, '\n');
}

/*
 * Adds facts about a struct of an entry: the size and the scalars of a record, the type of an alias, or
 * "none" if the document has neither. Return: 0; an error of flatten_record().
 */
static int write_struct_facts(struct facts_writer *facts, const struct table_struct *one)
{
	const struct abi_record *record = abi_find_record(facts->abi, one->driver);
	const struct abi_alias *alias = record ? NULL : abi_find_alias(facts->abi, one->driver);
	const bool whole = one->proxy || facts->criterion == RANGES_STRICT;
	struct abi_layout layout;
	int rc;

	strbuf_addf(facts->out, "  %s as %s:", one->driver, one->proxy ? one->proxy : "-");
	if (record) {
		if ((rc = flatten_record(&layout, facts->abi, record->name, &facts->arena, facts->err)))
			return rc;
		strbuf_addf(facts->out, " %" PRIu64 " bytes\n", layout.size_bytes);
		for (size_t i = 0; i < layout.scalar_count; i++)
			write_scalar_facts(facts, &layout.scalar[i], whole);
	} else if (alias) {
		strbuf_addf(facts->out, " %s %" PRIu64 "\n", alias->type, alias->size_bytes);
	} else {
		strbuf_adds(facts->out, " none\n");
	}
	return 0;
}

/*
 * Adds facts that a new node would read: number, parameter record and all scalars of the record, for each
 * ioctl with the entry's constant, or its number if it has no constant. Return: as write_struct_facts().
 */
static int write_own_record(struct facts_writer *facts, const struct table_entry *entry)
{
	for (size_t i = 0; i < facts->abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &facts->abi->ioctls[i];
		const struct table_struct whole = { ioctl->params, "anew" };
		int rc;

		if (strcmp(ioctl->family, entry->family) ||
		    (entry->constant ? strcmp(ioctl->name, entry->constant) : ioctl->number != entry->number))
			continue;
		strbuf_addf(facts->out, "  own 0x%" PRIx64 "\n", ioctl->number);
		if (ioctl->params && (rc = write_struct_facts(facts, &whole)))
			return rc;
	}
	return 0;
}

int ranges_write_facts(struct strbuf *out, const struct abi *abi, const struct table_view *view,
		       enum ranges_criterion criterion, bool anew, struct err *err)
{
	struct facts_writer facts = { .out = out, .abi = abi, .criterion = criterion, .err = err };
	int rc = 0;

	for (size_t i = 0; i < view->entry_count && !rc; i++) {
		const struct table_entry *entry = view->entries[i];
		const struct abi_constant *constant =
			entry->constant ? abi_find_constant(abi, entry->constant) : NULL;
		char value[24];

		strbuf_addf(out, "%s %s 0x%" PRIx64 " %s = %s\n", entry->family, entry->name, entry->number,
			    entry->constant ? entry->constant : "-",
			    constant ? abi_number_text(constant->value, value) : "-");
		write_owners(&facts, entry);
		for (size_t s = 0; s < entry->struct_count && !rc; s++)
			rc = write_struct_facts(&facts, &entry->structs[s]);
		if (!rc && anew)
			rc = write_own_record(&facts, entry);
	}
	arena_release(&facts.arena);
	return rc;
}

/* --- the node that each version follows, and its entries ------------------------------ */

/* Does the node forward exactly what its parent forwards? False without a parent. */
static bool forwards_as_parent(const struct table_node *node)
{
	for (size_t e = 0; e < node->entry_count; e++) {
		const struct table_entry *entry = &node->entries[e],
					 *before = table_entry_at(node->parent, entry);

		if (entry->removed ? before != NULL : !before || !table_entry_same(entry, before))
			return false;
	}
	return node->parent;
}

void ranges_plan(struct ranges *out, const struct history_graph *graph, const struct table *table,
		 enum ranges_criterion criterion, struct arena *arena)
{
	struct ranges ranges = { .graph = graph, .table = table, .criterion = criterion };
	bool *wanted = arena_array(arena, table->node_count + 1, sizeof(*wanted));
	struct table_view *views = arena_array(arena, table->node_count + 1, sizeof(*views));

	ranges.versions = arena_array(arena, graph->version_count + 1, sizeof(*ranges.versions));
	ranges.nodes = arena_array(arena, table->node_count + 1, sizeof(*ranges.nodes));
	ranges.views = views;
	for (size_t i = 0; i < table->node_count; i++) {
		struct ranges_node *node = &ranges.nodes[i];
		size_t version = history_graph_index(graph, table->nodes[i].version);

		*node = (struct ranges_node){ .node = &table->nodes[i], .version = -1,
					      .is_empty = forwards_as_parent(&table->nodes[i]) };
		if (version == graph->version_count)
			continue;
		node->follows = forwarded_node_along(table, graph, graph->versions[version].parent);
		node->is_misplaced = node->follows != node->node->parent;
		wanted[i] = graph->versions[version].abi;
		if (wanted[i])
			node->version = (long)version;
	}
	for (size_t i = 0; i < graph->version_count; i++) {
		struct ranges_version *version = &ranges.versions[i];

		*version = (struct ranges_version){ .node = forwarded_node_along(table, graph, (long)i),
						    .served_by = -1 };
		if (!version->node) {
			version->follows_none = true;
			version->node = table_nearest_node(table, graph->versions[i].version);
		}
		if (!version->node)
			version->node = &table->nodes[0];
		wanted[version->node - table->nodes] = true;
	}
	for (size_t i = 0; i < table->node_count; i++)
		if (wanted[i])
			table_view_at(&views[i], table, &table->nodes[i], arena);
	*out = ranges;
}

int ranges_choose(struct ranges_choice *out, const struct history_graph *graph, const struct table *table,
		  size_t version, struct arena *arena, struct err *err)
{
	const struct ranges_version *found;
	struct ranges ranges;
	int rc = 0;

	ranges_plan(&ranges, graph, table, RANGES_TABLE, arena);
	/* Run verify at the version of each node that has a document. */
	for (size_t i = 0; !rc && i < table->node_count; i++)
		if (ranges.nodes[i].version >= 0)
			rc = ranges_baseline(&ranges, i, arena, err);
	if (rc || (rc = ranges_fit_version(&ranges, version, arena, err)))
		return rc;
	found = &ranges.versions[version];
	*out = (struct ranges_choice){
		.version = graph->versions[version].version,
		.is_known = true,
		.fit = found->fit,
		.is_own = !strcmp(found->node->version, graph->versions[version].version),
		.follows_none = found->follows_none,
		.node = found->safe,
		.follows = found->node,
		.fresh = found->fresh,
		.fresh_count = found->fresh_count,
	};
	return 0;
}

const struct table_node *ranges_followed(const struct history_graph *graph, const struct table *table,
					 size_t version)
{
	const struct table_node *node = forwarded_node(table, graph, version, NULL);

	if (!node)
		node = table_nearest_node(table, graph->versions[version].version);
	return node ? node : &table->nodes[0];
}

const char *ranges_criterion_name(enum ranges_criterion criterion)
{
	return criterion == RANGES_STRICT ? "strict" : "table";
}

/* --- the results, version by version ---------------------------------------------- */

/* The versions of one set, while they are collected. */
struct range_versions {
	const char *facts_hash; /* the key: all facts that the table reads, from ranges_write_facts() */
	size_t set;
	size_t *versions;    /* has room for all versions */
	size_t count;
	UT_hash_handle hh;
};

/* Makes a set of all versions with the same facts, and sets @set of each version; SIZE_MAX: no document. */
static void finish_sets(struct ranges *ranges, struct arena *arena)
{
	const struct history_graph *graph = ranges->graph;
	struct range_versions *all = NULL, *found;
	struct arena scratch = { 0 };
	struct ranges_set *sets;

	for (size_t i = 0; i < graph->version_count; i++) {
		struct ranges_version *version = &ranges->versions[i];

		version->set = SIZE_MAX;
		if (!graph->versions[i].abi)
			continue;
		HASH_FIND_STR(all, version->facts_hash, found);
		if (!found) {
			found = arena_alloc(&scratch, sizeof(*found));
			found->facts_hash = version->facts_hash;
			found->set = HASH_COUNT(all);
			found->versions = arena_array(&scratch, graph->version_count, sizeof(size_t));
			HASH_ADD_KEYPTR(hh, all, found->facts_hash, strlen(found->facts_hash), found);
		}
		found->versions[found->count++] = i;
		version->set = found->set;
	}
	sets = arena_array(arena, HASH_COUNT(all) + 1, sizeof(*sets));
	for (const struct range_versions *one = all; one; one = one->hh.next)
		sets[one->set] = (struct ranges_set){
			arena_memdup(arena, one->versions, one->count * sizeof(size_t)), one->count,
		};
	ranges->sets = sets;
	ranges->set_count = HASH_COUNT(all);
	HASH_CLEAR(hh, all);
	arena_release(&scratch);
}

/* Does the node that the version follows have a finding for @entry? */
static bool has_finding(const struct ranges_version *version, const struct table_entry *entry)
{
	for (size_t i = 0; i < version->fresh_count; i++)
		if (!strcmp(version->fresh[i].family, entry->family) &&
		    !strcmp(version->fresh[i].entry, entry->name))
			return true;
	return false;
}

/*
 * Sets @out to true if @version can use a new node that is made for @first. Both must follow the same node.
 * Entries without a finding in either version stay as that node has them. All other entries must be equal in
 * both versions. Return: 0; an error of flatten_record().
 */
static int new_node_serves(bool *out, const struct ranges *ranges, size_t first, size_t version,
			   struct err *err)
{
	const struct ranges_version *a = &ranges->versions[first], *b = &ranges->versions[version];
	const struct history_version *all = ranges->graph->versions;
	struct strbuf one = { 0 }, other = { 0 };
	struct table_view view = *ranges_view(ranges, b->node);
	const struct table_entry **entries;
	size_t count = 0;
	int rc = 0;

	*out = a->set == b->set;
	if (*out || a->node != b->node)
		return 0;
	entries = xmalloc((view.entry_count + 1) * sizeof(*entries));
	for (size_t i = 0; i < view.entry_count; i++)
		if (has_finding(a, view.entries[i]) || has_finding(b, view.entries[i]))
			entries[count++] = view.entries[i];
	view.entries = entries;
	view.entry_count = count;
	if (!(rc = ranges_write_facts(&one, all[first].abi, &view, ranges->criterion, true, err)) &&
	    !(rc = ranges_write_facts(&other, all[version].abi, &view, ranges->criterion, true, err)))
		*out = !strcmp(strbuf_text(&one), strbuf_text(&other));
	strbuf_release(&one);
	strbuf_release(&other);
	free(entries);
	return rc;
}

/*
 * Sets served_by of @version and of its ancestors that need a node, oldest first, and counts new_nodes. @way:
 * temporary memory with room for all versions
 */
static int set_servers(struct ranges *ranges, long version, long *way, struct err *err)
{
	struct ranges_version *all = ranges->versions;
	long parent = version;
	size_t length = 0;
	int rc = 0;

	for (; parent != HISTORY_NO_PARENT && all[parent].fit == RANGES_NEEDS && all[parent].served_by < 0;
	     parent = history_known_parent(ranges->graph->versions, parent))
		way[length++] = parent;
	for (; length && !rc; parent = version) {
		bool served = false;

		version = way[--length];
		if (parent != HISTORY_NO_PARENT && all[parent].fit == RANGES_NEEDS)
			rc = new_node_serves(&served, ranges, (size_t)all[parent].served_by, (size_t)version,
					     err);
		all[version].served_by = served ? all[parent].served_by : version;
		ranges->new_nodes += !served;
	}
	return rc;
}

/* Decides from the versions that were examined whether the table needs the node besides its parent. */
static enum ranges_verdict verdict_of(const struct ranges *ranges, const struct ranges_node *node)
{
	const struct table_node *parent = node->node->parent;

	if (!parent)
		return RANGES_KEEP;
	if (node->is_empty)
		return RANGES_EMPTY;
	if (node->version < 0 || ranges->nodes[parent - ranges->table->nodes].version < 0)
		return RANGES_UNKNOWN;
	return node->fits_parent ? RANGES_MERGE : RANGES_KEEP;
}

int ranges_finish(struct ranges *ranges, struct arena *arena, struct err *err)
{
	const struct history_graph *graph = ranges->graph;
	long *way = arena_array(arena, graph->version_count + 1, sizeof(*way));
	int rc = 0;

	for (size_t i = 0; i < graph->version_count; i++)
		if (graph->versions[i].abi)
			ranges->versions[i] = ranges->versions[ranges_first_equal(ranges, i)];
	finish_sets(ranges, arena);
	for (size_t i = 0; i < graph->version_count; i++) {
		const enum ranges_fit fit = ranges->versions[i].fit;

		if (!graph->versions[i].abi)
			continue;
		ranges->fitting += fit == RANGES_FITS;
		ranges->other += fit == RANGES_OTHER;
		ranges->needing += fit == RANGES_NEEDS;
		ranges->older += fit == RANGES_OLDER;
	}
	for (size_t i = 0; i < graph->version_count && !rc; i++)
		if (graph->versions[i].abi)
			rc = set_servers(ranges, (long)i, way, err);
	for (size_t i = 0; i < ranges->table->node_count; i++)
		ranges->nodes[i].verdict = verdict_of(ranges, &ranges->nodes[i]);
	return rc;
}
