/*
 * report/bootstrap_text.c - what a version takes, as text; and the words that Markdown has, too
 */
/* What supporting a version takes, for a person: what to write first, then what was looked at. */
#include "report/internal.h"

#include <string.h>

const char *bootstrap_family(const struct bootstrap_entry *entry)
{
	return entry->now ? entry->now->family : entry->was->family;
}

const char *bootstrap_name(const struct bootstrap_entry *entry)
{
	return entry->now ? entry->now->name : entry->was->name;
}

bool bootstrap_is_work(const struct bootstrap_entry *entry, const char *node)
{
	return entry->action != BOOTSTRAP_NONE && !strcmp(entry->node, node);
}

static const char *type_of(const struct bootstrap_entry *entry)
{
	return entry->now && entry->changed < entry->now->struct_count
		       ? entry->now->structs[entry->changed].proxy
		       : NULL;
}

const struct bootstrap_entry *bootstrap_same_before(const struct bootstrap *bootstrap, size_t index)
{
	const struct bootstrap_entry *entry = &bootstrap->entries[index];
	const char *type = type_of(entry);

	for (size_t i = 0; i < index && type; i++) {
		const struct bootstrap_entry *one = &bootstrap->entries[i];

		if (one->action == entry->action && type_of(one) && !strcmp(type_of(one), type) &&
		    !strcmp(one->node, entry->node) && !strcmp(one->why, entry->why))
			return one;
	}
	return NULL;
}

bool bootstrap_is_told_todo(const struct bootstrap *bootstrap, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(bootstrap->todo[i].what, bootstrap->todo[index].what) &&
		    !strcmp(bootstrap->todo[i].why, bootstrap->todo[index].why))
			return true;
	return false;
}

static void add_actions(struct strbuf *out, const struct bootstrap *bootstrap)
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

/* The table has the version: as a node between, or supported and with faults. */
static void add_existing(struct strbuf *out, const struct bootstrap *bootstrap)
{
	strbuf_addf(out, "%s: the table has %s%s", bootstrap_verdict_name(bootstrap->verdict),
		    bootstrap->version, bootstrap->node_count ? ", and does not support it" : "");
	if (!bootstrap->fault_count)
		return;
	strbuf_adds(out, "; ");
	strbuf_plural(out, bootstrap->fault_count, "fault");
	strbuf_adds(out, " of the table to fix");
}

static void add_version(struct strbuf *out, const struct bootstrap *bootstrap)
{
	const struct bootstrap_node *first = NULL; /* of the new ones */
	size_t fresh = 0;

	for (size_t i = 0; i < bootstrap->node_count; i++)
		if (!bootstrap->nodes[i].exists && !fresh++)
			first = &bootstrap->nodes[i];
	if (bootstrap->verdict != BOOTSTRAP_NOTHING && !first) {
		add_existing(out, bootstrap);
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
			    : bootstrap->proof.entries	      ? ", unverified; no entry that was compared changes"
							      : ", unverified");
		return;
	case BOOTSTRAP_CHANGES:
		break;
	}
	strbuf_adds(out, "add ");
	strbuf_plural(out, fresh, "node");
	strbuf_addf(out, " below %s", first->parent);
	add_actions(out, bootstrap);
}

static void add_ioctls(struct strbuf *out, const struct bootstrap *bootstrap)
{
	strbuf_plural(out, bootstrap->node_count, "node");
	strbuf_adds(out, bootstrap->node_count == 1 ? " of the table changes" : " of the table change");
	add_actions(out, bootstrap);
}

void bootstrap_headline(struct strbuf *out, const struct bootstrap *bootstrap)
{
	if (!bootstrap->parent) {
		add_ioctls(out, bootstrap);
		return;
	}
	add_version(out, bootstrap);
	if (bootstrap->not_compared_count)
		strbuf_addf(out, "; %zu of %zu entries were compared", bootstrap->proof.entries,
			    bootstrap->proof.entries + bootstrap->not_compared_count);
}

static void add_caps(struct strbuf *out, const char *const *caps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%s%s", i ? "+" : "", caps[i]);
}

void bootstrap_guess_words(struct strbuf *out, const struct bootstrap_caps *caps)
{
	if (caps->count) {
		add_caps(out, caps->caps, caps->count);
	} else {
		strbuf_adds(out, BOOTSTRAP_TODO);
		if (caps->likely_count)
			strbuf_adds(out, ", likely ");
		add_caps(out, caps->likely, caps->likely_count);
	}
	strbuf_addf(out, " (%s)", caps->evidence);
}

const char *bootstrap_caller(const struct bootstrap_candidate *candidate)
{
	static const char *const callers[] = { "internal", "internal-only", "kernel-privileged", "privileged",
					       NULL };

	for (const char *const *caller = callers; *caller; caller++)
		if (abi_ioctl_has_flag(candidate->ioctl, *caller))
			return *caller;
	return NULL;
}

void bootstrap_node_words(struct strbuf *out, const struct bootstrap_node *node)
{
	if (node->parent)
		strbuf_addf(out, "after %s", node->parent);
	if (node->was_parent)
		strbuf_addf(out, " in place of %s", node->was_parent);
	if (node->exists)
		strbuf_adds(out, node->parent ? ", is in the table" : "is in the table");
	else if (!node->supported)
		strbuf_adds(out, ", a node between, not supported");
	if (!node->supported || node->was_parent || (node->exists && !node->sha256_x86_64 && !node->sha256_arm64))
		return;
	strbuf_addf(out, "; SHA-256: x86_64 %s, arm64 %s",
		    node->sha256_x86_64 ? node->sha256_x86_64 : BOOTSTRAP_TODO,
		    node->sha256_arm64 ? node->sha256_arm64 : BOOTSTRAP_TODO);
}

enum { LINE_COLUMNS = 80, CANDIDATES_SHOWN = 12, FIELDS_SHOWN = 8 };

struct page {
	struct strbuf *out;
	const struct bootstrap *bootstrap;
	const struct report_style *style;
};

/* Words of @text, in lines that begin at @indent; the first one follows what its line has. */
static void add_words(struct strbuf *out, const char *text, size_t indent)
{
	static const struct report_style style = { .columns = LINE_COLUMNS };
	struct wrap wrap;

	wrap_continue(&wrap, out, &style, indent);
	wrap_text(&wrap, INK_NONE, 0, text);
	wrap_end(&wrap);
}

static void add_paragraph(struct strbuf *out, const char *text, size_t indent)
{
	strbuf_addf(out, "%*s", (int)indent, "");
	add_words(out, text, indent);
}

/* "  - text", with what follows the dash. */
static void add_item(struct strbuf *out, const char *text)
{
	strbuf_adds(out, "  - ");
	add_words(out, text, 4);
}

static void head(const struct page *page, const char *title)
{
	strbuf_addch(page->out, '\n');
	report_ink(page->out, page->style, INK_HEAD, "%s", title);
	strbuf_addch(page->out, '\n');
}

static void add_head(const struct page *page)
{
	const struct bootstrap *bootstrap = page->bootstrap;
	struct strbuf words = { 0 };

	report_ink(page->out, page->style, INK_NAME, "%s", bootstrap->table->proxy);
	report_textf(page->out, " and %s %s, %s\n", bootstrap->driver, bootstrap->version, bootstrap->target);
	bootstrap_headline(&words, bootstrap);
	add_paragraph(page->out, strbuf_text(&words), 2);
	strbuf_release(&words);
	if (bootstrap->parent && strcmp(bootstrap->parent, bootstrap->version))
		add_paragraph(page->out, bootstrap->why, 2);
}

static void add_faults(const struct page *page)
{
	const struct bootstrap *bootstrap = page->bootstrap;

	if (!bootstrap->fault_count)
		return;
	head(page, "Faults of the table, found before anything is added");
	for (size_t i = 0; i < bootstrap->fault_count; i++) {
		const struct verify_finding *finding = bootstrap->faults[i].finding;

		report_textf(page->out, "  %s  %s %s: %s\n", bootstrap->faults[i].version, finding->family,
			     finding->entry, verify_rule_name(finding->rule));
		add_paragraph(page->out, finding->message, 6);
	}
}

/* --- what to write ------------------------------------------------------------------ */

/* Source text is not wrapped: it is to be copied. */
static void add_line(const struct page *page, const char *label, const char *text, enum report_ink ink)
{
	strbuf_adds(page->out, "    ");
	report_ink(page->out, page->style, INK_DIM, "%-9s", label);
	strbuf_addch(page->out, ' ');
	report_ink(page->out, page->style, ink, "%s", text);
	strbuf_addch(page->out, '\n');
}

static void add_edit(const struct page *page, const struct bootstrap_edit *edit)
{
	const char *label = bootstrap_site_name(edit->site);

	if (edit->remove)
		add_line(page, label, edit->remove, INK_NONE);
	if (edit->text)
		add_line(page, edit->remove ? "" : label, edit->text, edit->is_todo ? INK_ALARM : INK_NONE);
}

static void add_fields(const struct page *page, const struct bootstrap_entry *entry)
{
	size_t shown = page->style->verbose || entry->change_count <= FIELDS_SHOWN + 1 ? entry->change_count
										       : FIELDS_SHOWN;

	for (size_t i = 0; i < shown; i++)
		add_paragraph(page->out, entry->changes[i], 6);
	if (shown < entry->change_count)
		strbuf_addf(page->out, "      and %zu more; -v lists them\n", entry->change_count - shown);
}

static void add_entry(const struct page *page, size_t index)
{
	const struct bootstrap_entry *entry = &page->bootstrap->entries[index],
				     *same = bootstrap_same_before(page->bootstrap, index);

	strbuf_adds(page->out, "  ");
	report_ink(page->out, page->style, INK_NAME, "%s %s", bootstrap_family(entry), bootstrap_name(entry));
	report_textf(page->out, ": %s%s%s\n", bootstrap_action_name(entry->action), same ? ", as " : "",
		     same ? bootstrap_name(same) : "");
	if (!same) {
		add_paragraph(page->out, entry->why, 4);
		add_fields(page, entry);
	}
	for (size_t i = 0; i < entry->edit_count; i++)
		if (!same || entry->edits[i].site != BOOTSTRAP_STRUCT)
			add_edit(page, &entry->edits[i]);
}

static void add_nodes(const struct page *page)
{
	const struct bootstrap *bootstrap = page->bootstrap;
	struct strbuf words = { 0 };

	for (size_t i = 0; i < bootstrap->node_count; i++) {
		const struct bootstrap_node *node = &bootstrap->nodes[i];

		strbuf_addf(&words, "Node %s", node->version);
		head(page, strbuf_text(&words));
		strbuf_reset(&words);
		bootstrap_node_words(&words, node);
		if (words.length)
			add_paragraph(page->out, strbuf_text(&words), 2);
		strbuf_reset(&words);
		for (size_t e = 0; e < bootstrap->entry_count; e++)
			if (bootstrap_is_work(&bootstrap->entries[e], node->version))
				add_entry(page, e);
	}
	strbuf_release(&words);
}

static void add_unchanged(const struct page *page)
{
	const struct bootstrap *bootstrap = page->bootstrap;
	bool any = false;

	for (size_t i = 0; i < bootstrap->entry_count; i++) {
		const struct bootstrap_entry *entry = &bootstrap->entries[i];

		if (entry->action != BOOTSTRAP_NONE)
			continue;
		if (!any)
			head(page, "Changed, and nothing has to be written");
		any = true;
		report_textf(page->out, "  %s %s\n", bootstrap_family(entry), bootstrap_name(entry));
		add_paragraph(page->out, entry->why, 6);
	}
	for (size_t i = 0; i < bootstrap->passed_count; i++) {
		if (!i)
			head(page, "Changed between, and back");
		add_item(page->out, bootstrap->passed[i].text);
	}
}

/* --- what to look at -------------------------------------------------------------------- */

static void add_candidate(const struct page *page, const struct bootstrap_candidate *one)
{
	char number[ABI_NOTATION_BYTES];
	struct strbuf words = { 0 };

	report_textf(page->out, "  %-8s %-10s %s\n", one->family,
		     abi_ioctl_number(one->family, one->number, number), one->name);
	strbuf_addf(&words, "%s %s; ", page->bootstrap->parent ? "new in" : "node", one->first);
	if (bootstrap_caller(one))
		strbuf_addf(&words, "%s; ", bootstrap_caller(one));
	if (one->record)
		strbuf_addf(&words, "%llu bytes, ", (unsigned long long)one->size_bytes);
	strbuf_addf(&words, "%s: %s; caps ", one->is_simple ? "simple" : "not simple", one->why);
	bootstrap_guess_words(&words, &one->caps);
	add_paragraph(page->out, strbuf_text(&words), 11);
	strbuf_release(&words);
}

static void add_candidates(const struct page *page)
{
	const struct bootstrap *bootstrap = page->bootstrap;
	size_t count = bootstrap->candidate_count;
	size_t shown = page->style->verbose || count <= CANDIDATES_SHOWN ? count : CANDIDATES_SHOWN;
	struct strbuf title = { 0 };

	if (!count)
		return;
	strbuf_plural(&title, count, "ioctl");
	if (bootstrap->parent)
		strbuf_addf(&title, " that %s did not offer", bootstrap->parent);
	else
		strbuf_adds(&title, " that the table lacks");
	head(page, strbuf_text(&title));
	strbuf_release(&title);
	for (size_t i = 0; i < shown; i++)
		add_candidate(page, &bootstrap->candidates[i]);
	if (shown < count)
		strbuf_addf(page->out, "  and %zu more; -v lists them\n", count - shown);
}

static void add_audit(const struct page *page)
{
	const struct bootstrap *bootstrap = page->bootstrap;

	if (bootstrap->audit_count)
		head(page, "Examine these fields before a handler passes their record through");
	for (size_t i = 0; i < bootstrap->audit_count; i++) {
		const struct bootstrap_audit *one = &bootstrap->audit[i];

		if (!i || strcmp(one->name, one[-1].name))
			report_textf(page->out, "  %s %s\n", one->family, one->name);
		add_paragraph(page->out, one->text, 6);
	}
}

static void add_misplaced(const struct page *page)
{
	const struct bootstrap *bootstrap = page->bootstrap;

	if (bootstrap->misplaced_count)
		head(page, "Nodes of the table at the wrong branch");
	for (size_t i = 0; i < bootstrap->misplaced_count; i++) {
		const struct bootstrap_misplaced *one = &bootstrap->misplaced[i];

		report_textf(page->out, "  %s follows %s; in the driver's graph its nearest node is %s\n",
			     one->version, one->parent, one->should_be ? one->should_be : "none");
	}
}

static void add_todo(const struct page *page)
{
	const struct bootstrap *bootstrap = page->bootstrap;
	struct strbuf words = { 0 };

	if (bootstrap->todo_count)
		head(page, "TODO");
	for (size_t i = 0; i < bootstrap->todo_count; i++) {
		if (bootstrap_is_told_todo(bootstrap, i))
			continue;
		strbuf_addf(&words, "%s: %s", bootstrap->todo[i].what, bootstrap->todo[i].why);
		add_item(page->out, strbuf_text(&words));
		strbuf_reset(&words);
	}
	strbuf_release(&words);
}

static void add_proof(const struct page *page)
{
	const struct bootstrap *bootstrap = page->bootstrap;

	if (bootstrap->proof.text_count)
		head(page, "Proof");
	for (size_t i = 0; i < bootstrap->proof.text_count; i++)
		add_paragraph(page->out, bootstrap->proof.text[i], 2);
	head(page, "Not checked");
	for (size_t i = 0; i < bootstrap->not_checked_count; i++)
		add_item(page->out, bootstrap->not_checked[i]);
}

/* "  entries to change   4 read, 0 unread" and so on; what there is none of, too. */
static void add_counts(const struct page *page)
{
	const struct bootstrap *bootstrap = page->bootstrap;
	size_t nodes = 0, read = 0, unread = 0;

	for (size_t i = 0; i < bootstrap->node_count; i++)
		nodes += !bootstrap->nodes[i].exists;
	for (size_t i = 0; i < bootstrap->entry_count; i++) {
		read += bootstrap->entries[i].action && bootstrap->entries[i].is_read;
		unread += bootstrap->entries[i].action && !bootstrap->entries[i].is_read;
	}
	report_textf(page->out, "  %-18s %5zu\n", "new nodes", nodes);
	report_textf(page->out, "  %-18s %5zu that the proxy reads, %zu unread\n", "entries to change", read,
		     unread);
	report_textf(page->out, "  %-18s %5zu\n", "faults of the table", bootstrap->fault_count);
	report_textf(page->out, "  %-18s %5zu\n", "new ioctls", bootstrap->candidate_count);
	report_textf(page->out, "  %-18s %5zu\n", "TODO", bootstrap->todo_count);
}

void report_bootstrap_counts(struct strbuf *out, const struct bootstrap *bootstrap,
			     const struct report_style *style)
{
	const struct page page = { out, bootstrap, style };

	add_head(&page);
	add_counts(&page);
}

void report_bootstrap_text(struct strbuf *out, const struct bootstrap *bootstrap,
			   const struct report_style *style)
{
	const struct page page = { out, bootstrap, style };

	add_head(&page);
	add_faults(&page);
	add_nodes(&page);
	add_unchanged(&page);
	add_audit(&page);
	add_candidates(&page);
	add_misplaced(&page);
	add_todo(&page);
	add_proof(&page);
}
