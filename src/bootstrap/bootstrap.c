/*
 * bootstrap/bootstrap.c - what the table needs for a version
 *
 * 1. position.c has found the node that the version follows.
 * 2. Verify holds the table against the parent: what it finds are faults of the
 *    table, and known from here on (findings.c).
 * 3. Each entry is compared in both documents (compare.c). Of those that changed,
 *    decide.c says what has to be done, describe.c why, and edits.c where.
 * 4. Nodes stand where something has to be written, and at the version (nodes.c).
 * 5. What is new is listed (candidates.c), what is called simple is looked at (audit.c).
 * 6. The patch must leave verify with nothing that it did not find at the parent,
 *    and no node between with a fault of its own (between.c).
 */
#include "bootstrap/audit.h"
#include "bootstrap/between.h"
#include "bootstrap/candidates.h"
#include "bootstrap/compare.h"
#include "bootstrap/decide.h"
#include "bootstrap/describe.h"
#include "bootstrap/edits.h"
#include "bootstrap/lists.h"
#include "bootstrap/nodes.h"

#include <string.h>

static void begin(struct boot *boot)
{
	const struct bootstrap_position *position = boot->position;
	const struct history_version *from = &boot->graph->versions[position->path[0]];
	const struct history_version *version = &boot->graph->versions[position->path[position->path_count - 1]];
	struct bootstrap *out = &boot->out;

	boot->base = from->abi;
	boot->next = version->abi;
	table_view_at(&boot->view, boot->table, position->base, boot->arena);
	out->table = boot->table;
	out->driver = boot->next->driver;
	out->target = boot->next->target;
	out->version = version->version;
	out->commit = version->commit;
	out->parent = from->version;
	out->parent_commit = from->commit;
	out->misplaced = position->misplaced;
	out->misplaced_count = position->misplaced_count;
}

static void say_why(struct boot *boot)
{
	const struct bootstrap *out = &boot->out;
	const char *format = "%s is the nearest ancestor of %s in the driver's commit graph that the table has";

	if (!boot->position->exists)
		boot->out.why = arena_printf(boot->arena, format, out->parent, out->version);
	else if (boot->position->base->supported)
		boot->out.why = arena_printf(boot->arena, "the table supports %s", out->version);
	else
		boot->out.why = arena_printf(boot->arena, "the table has %s as a node between, and does not support it", out->version);
}

/* "1 entry", "2 entries". */
static const char *counted(const struct boot *boot, size_t count, const char *one, const char *many)
{
	return arena_printf(boot->arena, "%zu %s", count, count == 1 ? one : many);
}

static void prove(struct boot *boot, const struct boot_findings *unsettled)
{
	const struct bootstrap *out = &boot->out;
	const struct bootstrap_proof *proof = &out->proof;

	if (boot->position->exists)
		lists_proof(boot, arena_printf(boot->arena, "Verify compared %s with %s (%.12s), for %s.",
					       counted(boot, proof->entries, "entry", "entries"), out->version, out->commit, out->target));
	else
		lists_proof(boot, arena_printf(boot->arena, "Compared %s (%s, %s) of %s (%.12s) with %s (%.12s), for %s: number, name, and of each scalar offset, "
							    "size, type, name and role.",
					       counted(boot, proof->entries, "entry", "entries"), counted(boot, proof->structs, "record", "records"),
					       counted(boot, proof->scalars, "scalar", "scalars"), out->parent, out->parent_commit, out->version,
					       out->commit, out->target));
	if (!boot->position->exists)
		lists_proof(boot, arena_printf(boot->arena, "%s the same in both.", proof->unchanged == 1 ? "1 entry is" :
					       arena_printf(boot->arena, "%zu entries are", proof->unchanged)));
	if (!unsettled->count && !boot->position->exists)
		lists_proof(boot, arena_printf(boot->arena, "With %s, verify finds nothing in %s that it does not find in %s.",
					       out->verdict == BOOTSTRAP_CHANGES ? "this patch" : "the parent's entries", out->version, out->parent));
}

/* Of what does not count, the first finding of each entry. */
static void list_warnings(struct boot *boot, const struct boot_findings *unsettled)
{
	for (size_t i = 0; i < unsettled->warning_count; i++) {
		const struct verify_finding *finding = &unsettled->warnings[i];

		if (!i || strcmp(finding->family, finding[-1].family) || strcmp(finding->entry, finding[-1].entry))
			lists_proof(boot, arena_printf(boot->arena, "New in %s, and only a warning (%s): %s.", boot->out.version,
						       verify_rule_name(finding->rule), finding->message));
	}
}

static void list_todos(struct boot *boot, const struct boot_findings *unsettled)
{
	const struct bootstrap *out = &boot->out;
	const struct bootstrap_node *last = out->node_count ? &out->nodes[out->node_count - 1] : NULL;

	for (size_t i = 0; i < unsettled->count; i++)
		lists_todo(boot, (struct bootstrap_todo){ "finding", out->version, unsettled->items[i].entry, unsettled->items[i].message });
	if (last && !last->sha256_x86_64)
		lists_todo(boot, (struct bootstrap_todo){ "checksum", last->version, NULL,
			arena_printf(boot->arena, "the SHA-256 of NVIDIA-Linux-x86_64-%s.run; give it with --sha256-x86_64", last->version) });
	if (last && !last->sha256_arm64)
		lists_todo(boot, (struct bootstrap_todo){ "checksum", last->version, NULL,
			arena_printf(boot->arena, "the SHA-256 of NVIDIA-Linux-aarch64-%s.run, or none if there is no such package; give it with --sha256-arm64", last->version) });
	for (size_t i = 0; i < boot->position->below_count; i++)
		lists_todo(boot, (struct bootstrap_todo){ "parent", boot->position->below[i]->version, NULL,
			arena_printf(boot->arena, "%s descends from %s, and follows %s in the table", boot->position->below[i]->version, out->version, out->parent) });
}

/* What the comparison rests on, and does not see. */
static void list_not_checked(struct boot *boot)
{
	for (size_t i = 1; i + 1 < boot->position->path_count; i++)
		if (!boot_document(boot, i))
			lists_not_checked(boot, arena_printf(boot->arena, "%s, which lies between, cannot be read", boot_version(boot, i)));
	lists_not_checked(boot, "what the driver does with the bytes: a command may act differently with the same parameters");
	lists_not_checked(boot, "what the proxy's code does with a field that it reads");
	lists_not_checked(boot, "ioctls that the closed parts of the driver have and its public source does not name");
}

static void describe_edits(struct boot *boot)
{
	struct bootstrap_entry *entries = (struct bootstrap_entry *)boot->out.entries;

	for (size_t i = 0; i < boot->out.entry_count; i++)
		edits_write(boot, &entries[i]);
}

static int run(struct boot *boot)
{
	struct boot_findings unsettled;
	int rc;

	begin(boot);
	say_why(boot);
	if ((rc = findings_known(boot)) ||
	    (rc = compare_entries(boot)) ||
	    (rc = decide_actions(boot)) ||
	    (rc = describe_changes(boot)) ||
	    (rc = audit_changed(boot)) ||
	    (rc = candidates_find(boot)) ||
	    (rc = decide_unsettled(&unsettled, boot)))
		return rc;
	nodes_build(boot);
	if ((rc = between_check(boot)))
		return rc;
	describe_edits(boot);
	prove(boot, &unsettled);
	list_warnings(boot, &unsettled);
	list_todos(boot, &unsettled);
	list_not_checked(boot);
	lists_finish(boot);
	nodes_patch(&boot->out, boot->table, boot->types, boot->arena);
	return 0;
}

int bootstrap_version(struct bootstrap *out, const struct bootstrap_position *position, const struct history_graph *graph,
		      const struct table *table, struct proxytype_set *types, const struct bootstrap_options *options, struct arena *arena,
		      struct err *err)
{
	struct boot_lists lists = { .audit = NULL };
	struct boot boot = {
		.position = position, .graph = graph, .table = table, .options = options, .types = types, .lists = &lists, .arena = arena, .err = err,
	};
	int rc = run(&boot);

	lists_release(&lists);
	if (!rc)
		*out = boot.out;
	return rc;
}
