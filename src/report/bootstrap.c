/*
 * report/bootstrap.c - the work to support a version, as text and as Markdown
 *
 * The work comes first, as a checklist with the lines to write. The examined changes and the proof for the
 * commit message follow. The new ioctls come last. In Markdown, ioctls that would exceed GitHub's 65,536
 * characters are left out and counted.
 */
#include "report/internal.h"

enum { GITHUB_CHARACTERS = 65536, ROOM_FOR_END = 1024, CANDIDATES_SHOWN = 12, FIELDS_SHOWN = 8 };

/* Returns the entry from its node on, or, if it is removed there, the entry before. */
static const struct table_entry *entry_now(const struct bootstrap_entry *entry)
{
	return entry->now ? entry->now : entry->was;
}

static bool needs_edit(const struct bootstrap_entry *entry, const char *node)
{
	return entry->action != BOOTSTRAP_NONE && !strcmp(entry->node, node);
}

/* --- the verdict --------------------------------------------------------------------- */

/* Appends ": 2 entries to replace, 1 entry to add"; nothing if no entry needs an edit. */
static void action_words(struct strbuf *out, const struct bootstrap *bootstrap)
{
	size_t counts[BOOTSTRAP_ADD + 1] = { 0 };
	const char *separator = ": ";

	for (size_t i = 0; i < bootstrap->entry_count; i++)
		counts[bootstrap->entries[i].action]++;
	for (size_t action = BOOTSTRAP_REPLACE; action <= BOOTSTRAP_ADD; action++) {
		if (!counts[action])
			continue;
		strbuf_adds(out, separator);
		strbuf_plural(out, counts[action], "entry");
		strbuf_addf(out, " to %s", bootstrap_action_name((enum bootstrap_action)action));
		separator = ", ";
	}
}

/* Appends what the table needs to support the version: "add 1 node below 580.95.05: 2 entries to replace". */
static void needed_words(struct strbuf *out, const struct bootstrap *bootstrap)
{
	const struct bootstrap_node *first = NULL; /* the first new node */
	size_t fresh = 0;

	for (size_t i = 0; i < bootstrap->node_count; i++)
		if (!bootstrap->nodes[i].exists && !fresh++)
			first = &bootstrap->nodes[i];
	if (bootstrap->verdict != BOOTSTRAP_NOTHING && !first) {
		/* the table already has the version, as an unsupported node or with faults */
		strbuf_addf(out, "%s: the table has %s%s", bootstrap_verdict_name(bootstrap->verdict),
			    bootstrap->version, bootstrap->node_count ? ", but does not support it" : "");
		if (!bootstrap->fault_count)
			return;
		strbuf_adds(out, "; ");
		strbuf_plural(out, bootstrap->fault_count, "fault");
		strbuf_adds(out, " of the table to fix");
		return;
	}
	switch (bootstrap->verdict) {
	case BOOTSTRAP_NOTHING:
		strbuf_addf(out, "nothing to do: the table supports %s", bootstrap->version);
		return;
	case BOOTSTRAP_NODE_ONLY:
	case BOOTSTRAP_UNVERIFIED:
		strbuf_addf(out, "add one node: %s, child of %s%s", bootstrap->version, first->parent,
			    bootstrap->verdict == BOOTSTRAP_NODE_ONLY ? "; no entry changes"
			    : bootstrap->proof.entries ? ", unverified; none of the compared entries changes"
						       : ", unverified");
		return;
	case BOOTSTRAP_CHANGES:
		break;
	}
	strbuf_adds(out, "add ");
	strbuf_plural(out, fresh, "node");
	strbuf_addf(out, " below %s", first->parent);
	action_words(out, bootstrap);
}

/*
 * Writes the title, and in one sentence what the table needs, how many ioctls to review, and how many entries
 * could be compared. The result of bootstrap_add() has no parent: the sentence counts its changed nodes and
 * entries. A second paragraph says why the parent was chosen, unless it is the version itself.
 */
static void write_verdict(struct sheet *sheet, const struct bootstrap *bootstrap)
{
	struct strbuf *words = &sheet->plain;
	size_t review = 0;

	sheet_heading(sheet, SHEET_TITLE, "%s and %s %s, %s", bootstrap->table->proxy, bootstrap->driver,
		      bootstrap->version, bootstrap->target);
	for (size_t i = 0; bootstrap->parent && i < bootstrap->todo_count; i++)
		review += !strcmp(bootstrap->todo[i].what, "ioctl");
	if (bootstrap->parent) {
		needed_words(words, bootstrap);
	} else {
		strbuf_plural(words, bootstrap->node_count, "node");
		strbuf_adds(words,
			    bootstrap->node_count == 1 ? " of the table changes" : " of the table change");
		action_words(words, bootstrap);
	}
	if (review) {
		strbuf_adds(words, bootstrap->verdict == BOOTSTRAP_NODE_ONLY ? ", but " : "; ");
		strbuf_plural(words, review, "ioctl");
		strbuf_adds(words, " to review (see TODO)");
		if (bootstrap->unlisted_count)
			strbuf_addf(words, ", %zu of which no table of the driver lists any longer",
				    bootstrap->unlisted_count);
	}
	if (bootstrap->parent && bootstrap->not_compared_count)
		strbuf_addf(words, "; %zu of %zu entries were compared", bootstrap->proof.entries,
			    bootstrap->proof.entries + bootstrap->not_compared_count);
	sheet_paragraph(sheet, SHEET_STRONG, "%s", strbuf_text(words));
	if (bootstrap->parent && strcmp(bootstrap->parent, bootstrap->version))
		sheet_paragraph(sheet, SHEET_PLAIN, "%s.", bootstrap->why);
}

/* Writes all findings of verify at the parent's version, where there should be none. */
static void write_faults(struct sheet *sheet, const struct bootstrap *bootstrap)
{
	static const struct sheet_column columns[] = {
		{ .title = "node", .width = 10 }, { .title = "rule", .width = 12 }, { .title = "entry" },
		{ .title = "fault", .is_below = true }, { 0 }
	};

	if (!bootstrap->fault_count)
		return;
	sheet_heading(sheet, SHEET_SECTION, "Faults that the table already has");
	sheet_table(sheet, columns);
	for (size_t i = 0; i < bootstrap->fault_count; i++) {
		const struct verify_finding *finding = bootstrap->faults[i].finding;

		sheet_row(sheet, "%s\t%s\t%s " NAME "\t%s", bootstrap->faults[i].version,
			 verify_rule_name(finding->rule), finding->family, finding->entry, finding->message);
	}
}

/* --- what to write ------------------------------------------------------------------- */

static const char *changed_type(const struct bootstrap_entry *entry)
{
	return entry->now && entry->changed < entry->now->struct_count
		       ? entry->now->structs[entry->changed].proxy
		       : NULL;
}

/*
 * Finds an entry before @index, at the same node, whose record changed in the same way, so that its fields
 * and type are not listed again. Return: NULL if there is no such entry.
 */
static const struct bootstrap_entry *same_entry_before(const struct bootstrap *bootstrap, size_t index)
{
	const struct bootstrap_entry *entry = &bootstrap->entries[index];
	const char *type = changed_type(entry);

	for (size_t i = 0; i < index && type; i++) {
		const struct bootstrap_entry *one = &bootstrap->entries[i];

		if (one->action == entry->action && changed_type(one) && !strcmp(changed_type(one), type) &&
		    !strcmp(one->node, entry->node) && !strcmp(one->why, entry->why))
			return one;
	}
	return NULL;
}

static bool has_todo(const struct bootstrap_entry *entry)
{
	for (size_t i = 0; i < entry->edit_count; i++)
		if (entry->edits[i].is_todo)
			return true;
	return false;
}

/* Writes an entry's task with its changes, or only the earlier entry that has the same task. */
static void write_entry_task(struct sheet *sheet, const struct bootstrap *bootstrap, size_t index)
{
	const struct bootstrap_entry *entry = &bootstrap->entries[index],
				     *same = same_entry_before(bootstrap, index);
	const char *action = bootstrap_action_name(entry->action), *todo = has_todo(entry) ? " (TODO)" : "";
	size_t shown = sheet_is_brief(sheet) && entry->change_count > FIELDS_SHOWN + 1 ? FIELDS_SHOWN
										     : entry->change_count;

	if (same) {
		sheet_item(sheet, SHEET_TASK, "%s " NAME ": %s%s, as " NAME, entry_now(entry)->family,
			   entry_now(entry)->name, action, todo, entry_now(same)->name);
		return;
	}
	sheet_item(sheet, SHEET_TASK, "%s " NAME ": %s%s; %s", entry_now(entry)->family,
		   entry_now(entry)->name, action, todo, entry->why);
	for (size_t i = 0; i < shown; i++)
		sheet_item(sheet, SHEET_SUBITEM, "%s", entry->changes[i]);
	if (shown < entry->change_count)
		sheet_item(sheet, SHEET_SUBITEM, "and %zu more; -v lists them", entry->change_count - shown);
}

/* Returns true if an earlier entry at the node has an equal edit. Shared types are written once. */
static bool is_repeated(const struct bootstrap *bootstrap, size_t index, const struct bootstrap_edit *edit)
{
	for (size_t i = 0; i < index; i++)
		for (size_t e = 0; e < bootstrap->entries[i].edit_count; e++) {
			const struct bootstrap_edit *other = &bootstrap->entries[i].edits[e];

			if (other->site == edit->site && other->text && edit->text &&
			    !strcmp(other->text, edit->text) &&
			    !strcmp(bootstrap->entries[i].node, bootstrap->entries[index].node))
				return true;
		}
	return false;
}

/* Writes the Go lines to remove and to add for a node's entries, by place in the source; equal ones once. */
static void write_edits(struct sheet *sheet, const struct bootstrap *bootstrap, const char *node)
{
	sheet_code(sheet, "go");
	for (int site = 0; site < BOOTSTRAP_SITES; site++) {
		size_t listed = 0;

		for (size_t i = 0; i < bootstrap->entry_count; i++) {
			const struct bootstrap_entry *entry = &bootstrap->entries[i];

			for (size_t e = 0; e < entry->edit_count && needs_edit(entry, node); e++) {
				const struct bootstrap_edit *edit = &entry->edits[e];

				if (edit->site != (enum bootstrap_site)site ||
				    is_repeated(bootstrap, i, edit))
					continue;
				if (!listed++)
					sheet_code_line(sheet, INK_DIM, "// %s",
							bootstrap_site_name(edit->site));
				if (edit->remove)
					sheet_code_line(sheet, INK_NONE, "%s", edit->remove);
				if (edit->text)
					sheet_code_line(sheet, edit->is_todo ? INK_ALARM : INK_NONE, "%s",
							edit->text);
			}
		}
	}
	sheet_code_end(sheet);
}

/*
 * Writes the section of a node: its place in the table and its checksums, as "after 580.105.08, an
 * intermediate node, not supported" or "after 590.44.01; SHA-256: …"; then its entries' tasks and edits.
 */
static void write_node(struct sheet *sheet, const struct bootstrap *bootstrap,
		       const struct bootstrap_node *node)
{
	const bool has_sums = node->sha256_x86_64 || node->sha256_arm64;
	struct strbuf *words = &sheet->plain;
	bool any = false;

	sheet_heading(sheet, SHEET_SECTION, "Node %s", node->version);
	if (node->parent)
		strbuf_addf(words, "after %s", node->parent);
	if (node->was_parent)
		strbuf_addf(words, " in place of %s", node->was_parent);
	if (node->exists)
		strbuf_adds(words, node->parent ? ", is in the table" : "is in the table");
	else if (!node->supported)
		strbuf_adds(words, ", an intermediate node, not supported");
	if (node->supported && !node->was_parent && (!node->exists || has_sums))
		strbuf_addf(words, "; SHA-256: x86_64 %s, arm64 %s",
			    node->sha256_x86_64 ? node->sha256_x86_64 : BOOTSTRAP_TODO,
			    node->sha256_arm64 ? node->sha256_arm64 : BOOTSTRAP_TODO);
	if (words->length)
		sheet_item(sheet, node->exists && !node->was_parent ? SHEET_ITEM : SHEET_TASK, "%s",
			   words->text);
	for (size_t i = 0; i < bootstrap->entry_count; i++) {
		if (!needs_edit(&bootstrap->entries[i], node->version))
			continue;
		write_entry_task(sheet, bootstrap, i);
		any = true;
	}
	if (any)
		write_edits(sheet, bootstrap, node->version);
}

/* Returns true if an earlier TODO is equal: a TODO that several entries share is listed once. */
static bool is_listed_todo(const struct bootstrap *bootstrap, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(bootstrap->todo[i].what, bootstrap->todo[index].what) &&
		    !strcmp(bootstrap->todo[i].why, bootstrap->todo[index].why))
			return true;
	return false;
}

static void write_todo(struct sheet *sheet, const struct bootstrap *bootstrap)
{
	if (bootstrap->todo_count)
		sheet_heading(sheet, SHEET_SECTION, "TODO");
	for (size_t i = 0; i < bootstrap->todo_count; i++)
		if (!is_listed_todo(bootstrap, i))
			sheet_item(sheet, SHEET_TASK, "%s: %s", bootstrap->todo[i].what,
				   bootstrap->todo[i].why);
}

/* --- the examined changes --------------------------------------------------------------- */

/* Returns true if no struct of the entry changed, and a TODO already requests a review of its ioctl. */
static bool is_in_todo(const struct bootstrap *bootstrap, const struct bootstrap_entry *entry)
{
	for (size_t i = 0; i < bootstrap->todo_count && entry->changed == entry->was->struct_count; i++)
		if (!strcmp(bootstrap->todo[i].what, "ioctl") &&
		    !strcmp(bootstrap->todo[i].name, entry->was->name))
			return true;
	return false;
}

/* Writes the entries whose changes need no edit of the table, and the changes that were reverted. */
static void write_unchanged(struct sheet *sheet, const struct bootstrap *bootstrap)
{
	size_t listed = 0;

	for (size_t i = 0; i < bootstrap->entry_count; i++) {
		const struct bootstrap_entry *entry = &bootstrap->entries[i];

		if (entry->action != BOOTSTRAP_NONE || is_in_todo(bootstrap, entry))
			continue;
		if (!listed++)
			sheet_heading(sheet, SHEET_SECTION, "Changed entries that need no edit");
		sheet_item(sheet, SHEET_ITEM, "%s " NAME ": %s", entry_now(entry)->family,
			   entry_now(entry)->name, entry->why);
	}
	if (bootstrap->passed_count)
		sheet_heading(sheet, SHEET_SECTION, "Changed between the two versions, and changed back");
	for (size_t i = 0; i < bootstrap->passed_count; i++)
		sheet_item(sheet, SHEET_ITEM, "%s", bootstrap->passed[i].text);
}

/* Writes the fields whose meaning a person must examine, because their roles are in doubt. */
static void write_audit(struct sheet *sheet, const struct bootstrap *bootstrap)
{
	static const struct sheet_column columns[] = {
		{ .title = "doubt", .width = 14 }, { .title = "ioctl" },
		{ .title = "field", .is_below = true }, { 0 }
	};

	if (!bootstrap->audit_count)
		return;
	sheet_heading(sheet, SHEET_SECTION, "Fields to examine before a handler passes their record through");
	sheet_table(sheet, columns);
	for (size_t i = 0; i < bootstrap->audit_count; i++)
		sheet_row(sheet, "%s\t%s " NAME "\t%s", bootstrap_doubt_name(bootstrap->audit[i].what),
			 bootstrap->audit[i].family, bootstrap->audit[i].name, bootstrap->audit[i].text);
}

static void write_misplaced(struct sheet *sheet, const struct bootstrap *bootstrap)
{
	if (bootstrap->misplaced_count)
		sheet_heading(sheet, SHEET_SECTION, "Nodes of the table on the wrong branch");
	for (size_t i = 0; i < bootstrap->misplaced_count; i++) {
		const struct bootstrap_misplaced *one = &bootstrap->misplaced[i];

		sheet_item(sheet, SHEET_ITEM, "%s follows %s, but its nearest node in the driver's graph is %s",
			   one->version, one->parent, one->should_be ? one->should_be : "none");
	}
}

/* Writes the sentences for a commit message, and what was not checked. */
static void write_proof(struct sheet *sheet, const struct bootstrap *bootstrap)
{
	if (bootstrap->proof.text_count) {
		sheet_heading(sheet, SHEET_SECTION, "Proof, for the commit message");
		if (sheet->style->markdown)
			sheet_code(sheet, "text");
	}
	for (size_t i = 0; i < bootstrap->proof.text_count; i++)
		if (sheet->style->markdown)
			sheet_code_line(sheet, INK_NONE, "%s", bootstrap->proof.text[i]);
		else
			sheet_paragraph(sheet, SHEET_PLAIN, "%s", bootstrap->proof.text[i]);
	if (bootstrap->proof.text_count && sheet->style->markdown)
		sheet_code_end(sheet);
	sheet_heading(sheet, SHEET_SECTION, "Not checked");
	for (size_t i = 0; i < bootstrap->not_checked_count; i++)
		sheet_item(sheet, SHEET_ITEM, "%s", bootstrap->not_checked[i]);
}

/* --- new ioctls ---------------------------------------------------------------------- */

/* Returns which callers the driver accepts for a new ioctl: "kernel-privileged"; "" if all or unknown. */
static const char *candidate_caller(const struct bootstrap_candidate *candidate)
{
	static const char *const callers[] = { "internal", "internal-only", "kernel-privileged",
					       "privileged" };

	for (size_t i = 0; i < sizeof(callers) / sizeof(*callers); i++)
		if (abi_ioctl_has_flag(candidate->ioctl, callers[i]))
			return callers[i];
	return "";
}

/* Writes a new ioctl; unknown capabilities are a TODO. Return: false if the row exceeds limit_bytes. */
static bool write_candidate(struct sheet *sheet, const struct bootstrap_candidate *one)
{
	const struct bootstrap_caps *caps = &one->caps;
	const char *const *names = caps->count ? caps->caps : caps->likely;
	const size_t count = caps->count ? caps->count : caps->likely_count;
	char number[ABI_NOTATION_BYTES], bytes[24] = "";

	if (!caps->count)
		strbuf_adds(&sheet->plain, count ? BOOTSTRAP_TODO ", likely " : BOOTSTRAP_TODO);
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&sheet->plain, "%s%s", i ? "+" : "", names[i]);
	strbuf_addf(&sheet->plain, " (%s)", caps->evidence);
	if (one->record)
		snprintf(bytes, sizeof(bytes), "%llu", (unsigned long long)one->size_bytes);
	return sheet_row(sheet, "%s\t%s\t" NAME "\t%s\t%s\t%s\t%s: %s\t%s", one->family,
			abi_ioctl_number(one->family, one->number, number), one->name, one->first,
			candidate_caller(one), bytes, one->is_simple ? "simple" : "not simple", one->why,
			sheet->plain.text);
}

/* Writes as many new ioctls as brief text or GitHub's limit allows, and how many more there are. */
static void write_candidates(struct sheet *sheet, const struct bootstrap *bootstrap)
{
	const struct sheet_column columns[] = {
		{ .title = "family", .width = 8 },
		{ .title = "number", .width = 10 },
		{ .title = "name" },
		{ .title = bootstrap->parent ? "new in" : "node", .is_below = true,
		  .before = bootstrap->parent ? "new in " : "node " },
		{ .title = "caller", .is_below = true },
		{ .title = "bytes", .is_below = true, .is_number = true, .after = " bytes" },
		{ .title = "handler", .is_below = true },
		{ .title = "capabilities", .is_below = true, .before = "caps " },
		{ 0 }
	};
	size_t count = bootstrap->candidate_count, shown = 0;
	size_t most = sheet_is_brief(sheet) && count > CANDIDATES_SHOWN ? CANDIDATES_SHOWN : count;
	char ioctls[PLURAL_BYTES];

	if (!count)
		return;
	sheet_heading(sheet, SHEET_DETAILS, "%s that %s does not have", report_plural(count, "ioctl", ioctls),
		      bootstrap->parent ? bootstrap->parent : "the table");
	sheet_table(sheet, columns);
	sheet->limit_bytes = sheet->start + GITHUB_CHARACTERS - ROOM_FOR_END;
	while (shown < most && write_candidate(sheet, &bootstrap->candidates[shown]))
		shown++;
	sheet->limit_bytes = 0;
	if (shown < count && sheet->style->markdown)
		sheet_paragraph(sheet, SHEET_PLAIN,
				"%zu more are in bootstrap.json: GitHub allows %d characters.", count - shown,
				GITHUB_CHARACTERS);
	else if (shown < count)
		sheet_paragraph(sheet, SHEET_PLAIN, "and %zu more; -v lists them", count - shown);
	sheet_details_end(sheet);
}

/* --- the report ----------------------------------------------------------------------- */

void report_bootstrap_counts(struct strbuf *out, const struct bootstrap *bootstrap,
			     const struct report_style *style)
{
	size_t nodes = 0, read = 0, unread = 0;
	struct sheet sheet;

	for (size_t i = 0; i < bootstrap->node_count; i++)
		nodes += !bootstrap->nodes[i].exists;
	for (size_t i = 0; i < bootstrap->entry_count; i++) {
		read += bootstrap->entries[i].action && bootstrap->entries[i].is_read;
		unread += bootstrap->entries[i].action && !bootstrap->entries[i].is_read;
	}
	sheet_init(&sheet, out, style);
	write_verdict(&sheet, bootstrap);
	report_textf(out, "  %-18s %5zu\n", "new nodes", nodes);
	report_textf(out, "  %-18s %5zu that the proxy reads, %zu unread\n", "entries to change", read,
		     unread);
	report_textf(out, "  %-18s %5zu\n", "faults of the table", bootstrap->fault_count);
	report_textf(out, "  %-18s %5zu\n", "new ioctls", bootstrap->candidate_count);
	report_textf(out, "  %-18s %5zu\n", "TODO", bootstrap->todo_count);
	sheet_release(&sheet);
}

void report_bootstrap(struct strbuf *out, const struct bootstrap *bootstrap, const struct report_style *style)
{
	struct sheet sheet;

	sheet_init(&sheet, out, style);
	write_verdict(&sheet, bootstrap);
	for (size_t i = 0; i < bootstrap->node_count; i++)
		write_node(&sheet, bootstrap, &bootstrap->nodes[i]);
	write_todo(&sheet, bootstrap);
	write_faults(&sheet, bootstrap);
	write_unchanged(&sheet, bootstrap);
	write_audit(&sheet, bootstrap);
	write_misplaced(&sheet, bootstrap);
	write_proof(&sheet, bootstrap);
	write_candidates(&sheet, bootstrap);
	sheet_release(&sheet);
}
