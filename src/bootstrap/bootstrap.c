/*
 * bootstrap/bootstrap.c - list what the table needs for a version
 *
 * 1. bootstrap_find() has found the node that the version follows.
 * 2. Verify compares the table with the parent's document. Its findings are faults that the table already
 *    has. Later steps report only other findings (decide.c).
 * 3. Each entry is looked up in the documents of the parent and the version (compare.c). For changed entries,
 *    decide.c decides what to do, and describe.c says why, and what to write in the proxy's source.
 * 4. A node is added for each version at which an entry changes, and for the version itself (nodes.c).
 * 5. New ioctls are listed, and those that seem simple are examined (candidates.c).
 * 6. With the patch, verify must have no finding that it does not have at the parent. The same is checked for
 *    intermediate nodes (nodes.c).
 */
#include "bootstrap/internal.h"

const char *bootstrap_verdict_name(enum bootstrap_verdict verdict)
{
	static const char *const names[] = { "nothing", "node only", "unverified", "node with changes" };

	return names[verdict];
}

const char *bootstrap_action_name(enum bootstrap_action action)
{
	static const char *const names[] = { "none", "replace", "remove", "renumber", "rename", "add" };

	return names[action];
}

const char *bootstrap_site_name(enum bootstrap_site site)
{
	static const char *const names[BOOTSTRAP_SITES] = { "handler", "info", "struct", "constant",
							    "seccomp" };

	return names[site];
}

const char *bootstrap_doubt_name(enum bootstrap_doubt doubt)
{
	static const char *const names[] = { "pointer", "fd", "pid", "maybe-pointer", "count-times-size" };

	return names[doubt];
}

/* --- lists of the result -------------------------------------------------------------- */

void boot_audit(struct boot *boot, struct bootstrap_audit one)
{
	struct bootstrap *out = &boot->out;
	struct bootstrap_audit *audit = arena_room(boot->arena, out->audit, out->audit_count, sizeof(*audit));

	audit[out->audit_count++] = one;
	out->audit = audit;
}

void boot_todo(struct boot *boot, const char *what, const char *node, const char *name, const char *format,
	       ...)
{
	struct bootstrap *out = &boot->out;
	struct bootstrap_todo *todo = arena_room(boot->arena, out->todo, out->todo_count, sizeof(*todo));
	va_list args;

	va_start(args, format);
	todo[out->todo_count++] =
		(struct bootstrap_todo){ what, node, name, arena_vprintf(boot->arena, format, args) };
	va_end(args);
	out->todo = todo;
}

void boot_not_checked(struct boot *boot, const char *format, ...)
{
	struct bootstrap *out = &boot->out;
	const char **texts =
		arena_room(boot->arena, out->not_checked, out->not_checked_count, sizeof(*texts));
	va_list args;

	va_start(args, format);
	texts[out->not_checked_count++] = arena_vprintf(boot->arena, format, args);
	va_end(args);
	out->not_checked = texts;
}

/* Adds a sentence to the proof, for a commit message. */
__attribute__((format(printf, 2, 3)))
static void add_proof(struct boot *boot, const char *format, ...)
{
	struct bootstrap_proof *proof = &boot->out.proof;
	const char **texts = arena_room(boot->arena, proof->text, proof->text_count, sizeof(*texts));
	va_list args;

	va_start(args, format);
	texts[proof->text_count++] = arena_vprintf(boot->arena, format, args);
	va_end(args);
	proof->text = texts;
}

/* --- the node that a version follows -------------------------------------------------- */

/*
 * Lists nodes that do not follow their nearest ancestor. A node is checked only if the graph has its version
 * and its parent's version, because it is unknown whether a version outside of the graph is an ancestor.
 */
static void find_misplaced(struct bootstrap_position *out, const struct history_graph *graph,
			   const struct table *table, struct arena *arena)
{
	struct bootstrap_misplaced *found = arena_array(arena, table->node_count + 1, sizeof(*found));

	out->misplaced = found;
	for (size_t i = 0; i < table->node_count; i++) {
		const struct table_node *node = &table->nodes[i];
		size_t version = history_graph_index(graph, node->version);
		long follows;

		if (version == graph->version_count || !node->parent ||
		    history_graph_index(graph, node->parent->version) == graph->version_count)
			continue;
		follows = forwarded_along(table, graph, graph->versions[version].parent);
		if (follows != HISTORY_NO_PARENT &&
		    !strcmp(graph->versions[follows].version, node->parent->version))
			continue;
		found[out->misplaced_count++] = (struct bootstrap_misplaced){
			node->version, node->parent->version,
			follows == HISTORY_NO_PARENT ? NULL : graph->versions[follows].version,
		};
	}
}

int bootstrap_find(struct bootstrap_position *out, const struct history_graph *graph,
		   const struct table *table, size_t version, struct arena *arena, struct err *err)
{
	struct bootstrap_position position = { .path_count = 1 };
	size_t *path;
	long from = forwarded_along(table, graph, (long)version);

	if (from == HISTORY_NO_PARENT)
		return err_set(
			err, ERR_NOT_FOUND,
			"no ancestor of %s in the driver's commit graph is a node of %s, whose oldest node is %s; "
			"bootstrap compares a node with a later version",
			graph->versions[version].version, table->path, table->nodes[0].version);
	position.base = table_find_node(table, graph->versions[from].version);
	position.exists = from == (long)version;
	for (long i = (long)version; i != from; i = graph->versions[i].parent)
		position.path_count++;
	position.path = path = arena_array(arena, position.path_count, sizeof(*path));
	for (size_t at = position.path_count, i = version; at; i = (size_t)graph->versions[i].parent)
		path[--at] = i;
	find_misplaced(&position, graph, table, arena);
	*out = position;
	return 0;
}

long bootstrap_assume_parent(const struct history_version *versions, size_t count, const char *version)
{
	const size_t first = strcspn(version, ".");
	long on_main = HISTORY_NO_PARENT;

	for (size_t i = count; i--;) {
		if (abi_version_compare(versions[i].version, version) >= 0)
			continue;
		if (!strncmp(versions[i].version, version, first + 1))
			return (long)i;
		if (on_main == HISTORY_NO_PARENT && versions[i].on_main)
			on_main = (long)i;
	}
	return on_main;
}

/* --- entries that cannot be compared ---------------------------------------------------- */

/*
 * If a version's tree has only some of the directories, its document does not have the declarations in the
 * missing ones. An entry counts as removed only if the version's document has a declaration from the file in
 * which the parent declares the entry. If the document has none, it is unknown whether the entry was removed.
 */

static bool same_file(const char *a, const char *b)
{
	const size_t length = strcspn(a, ":");

	return length && !strncmp(a, b, length) && b[length] == ':';
}

/*
 * Returns true if @abi has an ioctl or record from the file of @source, "FILE:LINE". If not, the tree may be
 * without the file, so it is unknown whether its items were removed.
 */
static bool has_item_of_file(const struct abi *abi, const char *source)
{
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (same_file(abi->ioctls[i].source, source))
			return true;
	for (size_t i = 0; i < abi->record_count; i++)
		if (same_file(abi->records[i].source, source))
			return true;
	return false;
}

/*
 * Does the new version have the files that declare the ioctl and the records of @entry? That version can be a
 * part of a tree.
 */
static bool can_compare(const struct boot *boot, const struct table_entry *entry)
{
	const struct abi *next = boot->next;
	const struct abi_ioctl *ioctl =
		resolve_ioctl(boot->base, entry->family, entry->number, entry->constant);

	if (!(entry->constant && abi_find_constant(next, entry->constant)) &&
	    !resolve_ioctl(next, entry->family, entry->number, entry->constant) &&
	    !(ioctl && has_item_of_file(next, ioctl->source)))
		return false;
	for (size_t i = 0; i < entry->struct_count; i++) {
		const char *name = entry->structs[i].driver;
		const struct abi_record *record = abi_find_record(boot->base, name);

		if (!abi_find_record(next, name) && !abi_find_alias(next, name) &&
		    !(record && has_item_of_file(next, record->source)))
			return false;
	}
	return true;
}

/* Moves entries that cannot be compared, because files are missing, from the view to out.not_compared. */
static void remove_incomparable(struct boot *boot)
{
	const struct table_view *all = &boot->forwarded;
	const size_t count = all->entry_count;
	const struct table_entry **kept = arena_array(boot->arena, count + 1, sizeof(*kept));
	const struct table_entry **apart = arena_array(boot->arena, count + 1, sizeof(*apart));

	if (!boot->next->absent_count)
		return;
	boot->view.entry_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct table_entry *entry = all->entries[i];

		if (can_compare(boot, entry))
			kept[boot->view.entry_count++] = entry;
		else
			apart[boot->out.not_compared_count++] = entry;
	}
	boot->view.entries = kept;
	boot->out.not_compared = apart;
}

/* --- one version ------------------------------------------------------------------------ */

/* Sets the two documents and the entries to compare, and the facts about the versions in the result. */
static void init_boot(struct boot *boot)
{
	const struct bootstrap_position *position = boot->position;
	const struct history_version *from = &boot->graph->versions[position->path[0]];
	const struct history_version *version =
		&boot->graph->versions[position->path[position->path_count - 1]];
	struct bootstrap *out = &boot->out;

	boot->base = from->abi;
	boot->next = version->abi;
	table_view_at(&boot->forwarded, boot->table, position->base, boot->arena);
	boot->view = boot->forwarded;
	remove_incomparable(boot);
	out->table = boot->table;
	out->driver = boot->next->driver;
	out->target = boot->next->target;
	out->version = version->version;
	out->commit = version->commit;
	out->parent = from->version;
	out->parent_commit = from->commit;
	out->misplaced = position->misplaced;
	out->misplaced_count = position->misplaced_count;
	if (!position->exists && boot->options->parent_by_number)
		out->why = arena_printf(
			boot->arena,
			"%s is not in a commit graph; according to its number, it follows %s. %s is the nearest "
			"ancestor of that version in the table",
			out->version, boot->options->parent_by_number, out->parent);
	else if (!position->exists)
		out->why =
			arena_printf(boot->arena,
				     "%s is the nearest ancestor of %s in the driver's commit graph that the "
				     "table has",
				     out->parent, out->version);
	else if (position->base->supported)
		out->why = arena_printf(boot->arena, "the table supports %s", out->version);
	else
		out->why = arena_printf(boot->arena,
					"the table has a node for %s, but does not mark the version as supported",
					out->version);
}

/* Returns "1 entry", "2 entries". */
static const char *counted(const struct boot *boot, size_t count, const char *one, const char *many)
{
	return arena_printf(boot->arena, "%zu %s", count, count == 1 ? one : many);
}

/*
 * Writes the sentences for a commit message: what was compared, and what was found. @unsettled: the findings
 * that remain after the patch, from decide_unsettled()
 */
static void state_proof(struct boot *boot, const struct boot_findings *unsettled)
{
	const struct bootstrap *out = &boot->out;
	const struct bootstrap_proof *proof = &out->proof;
	const char *entries = counted(boot, proof->entries, "entry", "entries");
	const char *source = boot->options->origin ? arena_printf(boot->arena, "(%s)", boot->options->origin)
						   : arena_printf(boot->arena, "(%.12s)", out->commit);

	if (!proof->entries && out->not_compared_count) {
		add_proof(boot, "No entry was compared.");
	} else if (boot->position->exists) {
		add_proof(boot, "Verify compared %s with %s %s, for %s.", entries, out->version, source,
			  out->target);
	} else {
		add_proof(boot,
			  "Compared %s (%s, %s) of %s (%.12s) with %s %s, for %s: number, name, and the "
			  "offset, size, type, name and role of each scalar.",
			  entries, counted(boot, proof->structs, "record", "records"),
			  counted(boot, proof->scalars, "scalar", "scalars"), out->parent, out->parent_commit,
			  out->version, source, out->target);
		add_proof(boot, "%s the same in both.",
			  counted(boot, proof->unchanged, "entry is", "entries are"));
		if (!unsettled->count)
			add_proof(boot, "With %s, every finding of verify in %s is also a finding in %s.",
				  out->verdict == BOOTSTRAP_CHANGES ? "this patch" : "the parent's entries",
				  out->version, out->parent);
	}
	if (boot->accepted_count) {
		const char *path = boot->options->accepted->path, *slash = strrchr(path, '/');

		add_proof(boot, "Of verify's findings at %s, %s accepts %s.", boot->base->version,
			  slash ? slash + 1 : path,
			  counted(boot, boot->accepted_count, "finding", "findings"));
	}
	for (size_t i = 0; i < unsettled->warning_count; i++) {
		const struct verify_finding *warning = &unsettled->warnings[i];

		if (!i || !findings_same_entry(warning, warning - 1))
			add_proof(boot, "New in %s, but only a warning (%s): %s.", out->version,
				  verify_rule_name(warning->rule), warning->message);
	}
}

/* Adds the TODOs about the version itself: findings that remain after the patch, its parent, checksums. */
static void list_todos(struct boot *boot, const struct boot_findings *unsettled)
{
	const struct bootstrap *out = &boot->out;
	const struct bootstrap_node *last =
		out->node_count ? &out->nodes[out->node_count - 1] : NULL; /* the version's own node */
	const struct table_node *outside = forwarded_node_outside(boot->table, boot->graph, out->version);

	for (size_t i = 0; i < unsettled->count; i++)
		boot_todo(boot, "finding", out->version, unsettled->items[i].entry, "%s",
			  unsettled->items[i].message);
	if (boot->options->parent_by_number && !boot->position->exists)
		boot_todo(boot, "parent", out->version, NULL,
			  "confirm that %s descends from %s: only its number says so, because it is not in a "
			  "commit graph",
			  out->version, boot->options->parent_by_number);
	else if (outside && !boot->position->exists)
		boot_todo(boot, "parent", out->version, NULL,
			  "confirm that %s descends from %s and not from %s, which is in the table, but "
			  "neither in the data nor in a named repository",
			  out->version, out->parent, outside->version);
	if (last && !last->sha256_x86_64)
		boot_todo(boot, "checksum", last->version, NULL,
			  "the SHA-256 of NVIDIA-Linux-x86_64-%s.run; give it with --sha256-x86_64",
			  last->version);
	if (last && !last->sha256_arm64)
		boot_todo(boot, "checksum", last->version, NULL,
			  "the SHA-256 of NVIDIA-Linux-aarch64-%s.run, or none if there is no such package; "
			  "give it with --sha256-arm64",
			  last->version);
}

/*
 * Lists the entries and versions that were not compared, and the facts that a comparison cannot show. The
 * entries are counted by family: "240 of 374 entries of the table (control 176, alloc 64)".
 */
static void list_not_checked(struct boot *boot)
{
	const struct bootstrap *out = &boot->out;
	const char *families = "";

	for (size_t i = 0, end; i < out->not_compared_count; i = end) {
		const char *family = out->not_compared[i]->family;

		for (end = i;
		     end < out->not_compared_count && !strcmp(out->not_compared[end]->family, family);)
			end++;
		families = arena_printf(boot->arena, "%s%s%s %zu", families, i ? ", " : "", family, end - i);
	}
	if (out->not_compared_count)
		boot_not_checked(boot,
				 "%zu of %zu entries of the table (%s), which are declared in %s: that "
				 "directory is not in the given part of %s",
				 out->not_compared_count, boot->forwarded.entry_count, families,
				 boot->next->absent[0], out->version);
	for (size_t i = 1; i + 1 < boot->position->path_count; i++)
		if (!boot_document(boot, i))
			boot_not_checked(boot, "%s, an intermediate version, cannot be read",
					 boot_version(boot, i));
	boot_not_checked(boot,
			 "what the driver does with the bytes: a command may act differently with the same "
			 "parameters");
	boot_not_checked(boot, "what the proxy's code does with a field that it reads");
	boot_not_checked(boot,
			 "ioctls that the closed parts of the driver have and its public source does not "
			 "name");
}

int bootstrap_version(struct bootstrap *out, const struct bootstrap_position *position,
		      const struct history_graph *graph, const struct table *table,
		      struct proxytype_set *types, const struct bootstrap_options *options,
		      struct arena *arena, struct err *err)
{
	struct boot boot = {
		.position = position,
		.graph = graph,
		.table = table,
		.options = options,
		.types = types,
		.arena = arena,
		.err = err,
	};
	struct bootstrap_node *nodes =
		arena_array(arena, table->node_count + position->path_count + 1, sizeof(*nodes));
	struct boot_findings unsettled;
	int rc;

	init_boot(&boot);
	if ((rc = findings_known(&boot)) ||
	    (rc = compare_entries(&boot)) ||
	    (rc = decide_actions(&boot)) ||
	    (rc = describe_changes(&boot)) ||
	    (rc = audit_changed(&boot)) ||
	    (rc = candidates_find(&boot)) ||
	    (rc = decide_unsettled(&unsettled, &boot)) ||
	    (rc = add_ioctls(&boot, nodes, options->add, options->add_count)))
		return rc;
	nodes_build(&boot, nodes);
	if ((rc = between_check(&boot)))
		return rc;
	edits_write(&boot);
	state_proof(&boot, &unsettled);
	list_todos(&boot, &unsettled);
	nodes_move(&boot, nodes);
	list_not_checked(&boot);
	nodes_patch(&boot);
	*out = boot.out;
	return 0;
}
