/*
 * bootstrap/nodes.c - make the new nodes and the patch of the table, and check that each intermediate node
 * matches its version
 */
#include "bootstrap/internal.h"

/* Checks whether an entry changes at @version, so that the version needs a node. */
static bool has_entries_at(const struct boot *boot, const char *version)
{
	for (size_t i = 0; i < boot->out.entry_count; i++)
		if (boot->out.entries[i].action != BOOTSTRAP_NONE &&
		    !strcmp(boot->out.entries[i].node, version))
			return true;
	return false;
}

/*
 * Appends the node of version @index of the path to @nodes. Only the last version is marked as supported,
 * and has checksums. @parent: the version of the node's parent
 */
static void add_node(struct boot *boot, struct bootstrap_node *nodes, size_t index, const char *parent)
{
	const struct history_version *version = &boot->graph->versions[boot->position->path[index]];
	bool is_last = index == boot->position->path_count - 1;

	nodes[boot->out.node_count++] = (struct bootstrap_node){
		.version = version->version,
		.parent = parent,
		.commit = version->commit,
		.supported = is_last,
		.sha256_x86_64 = is_last ? boot->options->sha256_x86_64 : NULL,
		.sha256_arm64 = is_last ? boot->options->sha256_arm64 : NULL,
	};
}

void nodes_build(struct boot *boot, struct bootstrap_node *nodes)
{
	size_t last = boot->position->path_count - 1;
	const char *parent = boot->out.parent;
	bool any = boot->out.node_count > 0;

	boot->out.nodes = nodes;
	for (size_t i = 1; i <= last; i++) {
		bool own = has_entries_at(boot, boot_version(boot, i));

		any |= own;
		if (!own && i != last)
			continue;
		add_node(boot, nodes, i, parent);
		parent = boot_version(boot, i);
	}
	if (boot->position->exists && !boot->position->base->supported) {
		/* The table already has the node. It only has to be marked as supported. */
		const struct table_node *base = boot->position->base->parent;
		size_t at = 0;

		while (at < boot->out.node_count && strcmp(nodes[at].version, boot->out.version))
			at++;
		if (at == boot->out.node_count)
			add_node(boot, nodes, 0, base ? base->version : NULL);
		nodes[at].exists = nodes[at].supported = true;
		nodes[at].sha256_x86_64 = boot->options->sha256_x86_64;
		nodes[at].sha256_arm64 = boot->options->sha256_arm64;
	}
	if (any || (boot->position->exists && boot->out.fault_count))
		boot->out.verdict = BOOTSTRAP_CHANGES;
	else
		boot->out.verdict = !boot->out.node_count            ? BOOTSTRAP_NOTHING
				    : boot->out.not_compared_count ? BOOTSTRAP_UNVERIFIED
								   : BOOTSTRAP_NODE_ONLY;
}

/* --- nodes that follow a new one ------------------------------------------------------ */

/* Finds the node of @version among those that the table does not have; NULL if there is none. */
static const struct bootstrap_node *find_new_node(const struct boot *boot, const char *version)
{
	for (size_t i = 0; i < boot->out.node_count; i++)
		if (!boot->out.nodes[i].exists && !strcmp(boot->out.nodes[i].version, version))
			return &boot->out.nodes[i];
	return NULL;
}

/* Names an entry that would change for @node if the node followed @parent; NULL if there is none. */
static const char *changed_by_move(const struct boot *boot, const struct table_node *node,
				   const struct bootstrap_node *parent)
{
	for (size_t i = 0; i < boot->out.entry_count; i++) {
		const struct bootstrap_entry *entry = &boot->entries[i];
		const struct bootstrap_node *at = find_new_node(boot, entry->node);
		const struct table_entry *own;

		if (entry->action == BOOTSTRAP_NONE || !entry->was || !at || at > parent)
			continue;
		own = table_own_entry(node, entry->was);
		if (!own || (own->removed && (!entry->now || strcmp(entry->now->name, entry->was->name))))
			return entry->was->name;
	}
	return NULL;
}

/*
 * Moves a node of the table below the nearest ancestor of its version that is a new node. If the node would
 * inherit a different entry there, it is not moved, but a TODO is added. The item of a node that is moved
 * becomes the last of the list, so that it comes after its new parent.
 */
static void move_node(struct boot *boot, struct bootstrap_node *nodes, const struct table_node *node,
		      size_t version)
{
	const struct bootstrap_node *parent = NULL;
	struct bootstrap_node row;
	const char *name, *changed;
	size_t kept = 0;

	for (long up = (long)version; up != HISTORY_NO_PARENT && !parent;
	     up = boot->graph->versions[up].parent)
		parent = find_new_node(boot, boot->graph->versions[up].version);
	if (!parent)
		return;
	name = parent->version;
	changed = changed_by_move(boot, node, parent);
	if (changed) {
		boot_todo(boot, "parent", node->version, NULL,
			  "%s descends from %s, but follows %s in the table; as a child of %s, it would "
			  "inherit a different %s, because %s has no entry of its own",
			  node->version, name, boot->out.parent, name, changed, node->version);
		return;
	}
	row = (struct bootstrap_node){ .version = node->version,
				       .commit = "",
				       .supported = node->supported,
				       .exists = true };
	for (size_t i = 0; i < boot->out.node_count; i++) {
		if (!strcmp(nodes[i].version, node->version))
			row = nodes[i];
		else
			nodes[kept++] = nodes[i];
	}
	row.parent = name;
	row.was_parent = boot->out.parent;
	if (!*row.commit)
		row.commit = boot->graph->versions[version].commit;
	nodes[kept++] = row;
	boot->out.node_count = kept;
}

void nodes_move(struct boot *boot, struct bootstrap_node *nodes)
{
	const char *first = boot->position->path_count > 1 ? boot_version(boot, 1) : NULL;

	for (size_t i = 0; i < boot->table->node_count && first; i++) {
		const struct table_node *node = &boot->table->nodes[i];
		size_t version = history_graph_index(boot->graph, node->version);

		if (node->parent != boot->position->base)
			continue;
		if (version < boot->graph->version_count)
			move_node(boot, nodes, node, version);
		else if (abi_version_compare(node->version, first) > 0)
			boot_not_checked(boot,
					 "%s follows %s in the table. Neither the data nor a named "
					 "repository has this version, so drvabi cannot tell whether it "
					 "descends from a new node",
					 node->version, boot->out.parent);
	}
}

/* --- the patch ------------------------------------------------------------------------ */

void nodes_entries(struct table_node *node, const struct bootstrap *from, struct arena *arena)
{
	struct table_entry *entries = arena_array(arena, from->entry_count * 2 + 1, sizeof(*entries));

	for (size_t i = 0; i < from->entry_count; i++) {
		const struct bootstrap_entry *entry = &from->entries[i];

		if (entry->action == BOOTSTRAP_NONE || strcmp(entry->node, node->version))
			continue;
		if (entry->now)
			entries[node->entry_count++] = *entry->now;
		if (entry->was && (!entry->now || strcmp(entry->now->name, entry->was->name)))
			entries[node->entry_count++] = (struct table_entry){ .family = entry->was->family,
									     .name = entry->was->name,
									     .removed = true };
	}
	sort_items(entries, node->entry_count, sizeof(*entries), table_entry_order);
	node->entries = entries;
}

void nodes_patch(struct boot *boot)
{
	const struct table *table = boot->table;
	struct bootstrap *out = &boot->out;
	struct table patch = {
		.path = table->path, .proxy = table->proxy, .revision = "", .driver = table->driver
	};
	struct table_node *nodes = arena_array(boot->arena, out->node_count + 1, sizeof(*nodes));

	out->types = proxytype_new_types(&out->type_count, boot->types);
	patch.types = types_with_new(&patch.type_count, NULL, boot->types, boot->arena);
	patch.nodes = nodes;
	for (size_t i = 0; i < out->node_count; i++) {
		const char *arm64 = out->nodes[i].sha256_arm64, *x86_64 = out->nodes[i].sha256_x86_64,
			   *parent = out->nodes[i].parent;
		struct table_sha256 *sums;

		nodes[i].version = out->nodes[i].version;
		nodes[i].supported = out->nodes[i].supported;
		nodes[i].parent = parent ? table_find_node(table, parent) : NULL;
		for (size_t k = 0; k < i && parent; k++)
			if (!strcmp(nodes[k].version, parent))
				nodes[i].parent = &nodes[k];
		nodes_entries(&nodes[i], out, boot->arena);
		nodes[i].sha256 = sums = arena_array(boot->arena, 2, sizeof(*sums));
		if (arm64 && strcmp(arm64, BOOTSTRAP_NO_PACKAGE))
			sums[nodes[i].sha256_count++] = (struct table_sha256){ "arm64", arm64 };
		if (x86_64 && strcmp(x86_64, BOOTSTRAP_NO_PACKAGE))
			sums[nodes[i].sha256_count++] = (struct table_sha256){ "x86_64", x86_64 };
		patch.node_count++;
	}
	out->patch = patch;
}

/*
 * Checks that the intermediate nodes match their own versions.
 *
 * An entry changes at the first version in which it is as in the last version. It may also differ from both
 * parent and last version at some version in between. If that version gets a node because of another entry,
 * the node has the parent's form of the entry, which is wrong. No supported version uses this node, but a
 * version that follows it later would.
 */

int between_check(struct boot *boot)
{
	size_t last = boot->position->path_count - 1;

	for (size_t i = 1; i < last; i++) {
		const struct abi *abi = boot_document(boot, i);
		const char *version = boot_version(boot, i);
		const struct table_entry **entries;
		struct boot_findings fresh;
		struct table types;
		size_t count = 0, changed = 0;
		int rc;

		if (!abi || !has_entries_at(boot, version))
			continue;
		entries = arena_array(boot->arena, boot->view.entry_count + 1, sizeof(*entries));
		for (size_t k = 0; k < boot->view.entry_count; k++) {
			const struct table_entry *entry = boot->view.entries[k];
			const struct boot_change *change = boot_change_of(boot, entry, &changed);

			if (change && change->action != BOOTSTRAP_NONE && change->since <= i)
				entry = change->now;
			if (entry)
				entries[count++] = entry;
		}
		sort_items(entries, count, sizeof(*entries), table_entry_pointer_order);
		types = table_with_new_types(boot);
		if ((rc = findings_fresh(&fresh, boot, abi, &types, entries, count)))
			return rc;
		for (size_t k = 0; k < fresh.count; k++) {
			const struct verify_finding *finding = &fresh.items[k];

			if (k && findings_same_entry(finding, finding - 1))
				continue; /* one TODO per entry */
			boot_todo(boot, "finding", version, finding->entry,
				  "in %s, %s; bootstrap %s, merge its patch into the table, and then "
				  "bootstrap %s",
				  version, finding->message, version, boot->out.version);
		}
	}
	return 0;
}
