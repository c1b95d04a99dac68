/*
 * The work that supporting a version takes, for a pull request: a checklist, the evidence, and a commit
 * message. GitHub takes 65,536 characters: the candidates come last, and are cut if they would not fit.
 */
#include "report/internal.h"

#include <string.h>

enum { GITHUB_CHARACTERS = 65536, ROOM_FOR_END = 1024 };

struct sheet {
	struct strbuf *out;
	const struct bootstrap *bootstrap;
};

static void add_text(struct strbuf *out, const char *text)
{
	escape_markdown(out, text);
}

static void add_name(struct strbuf *out, const char *family, const char *name)
{
	add_text(out, family);
	strbuf_addch(out, ' ');
	escape_markdown_code(out, name);
}

static void head(const struct sheet *sheet, const char *title)
{
	strbuf_addf(sheet->out, "\n## %s\n\n", title);
}

static void add_head(const struct sheet *sheet)
{
	const struct bootstrap *bootstrap = sheet->bootstrap;
	struct strbuf words = { 0 };

	strbuf_adds(sheet->out, "# ");
	add_text(sheet->out, bootstrap->table->proxy);
	strbuf_adds(sheet->out, " and ");
	add_text(sheet->out, bootstrap->driver);
	strbuf_addch(sheet->out, ' ');
	add_text(sheet->out, bootstrap->version);
	bootstrap_headline(&words, bootstrap);
	strbuf_adds(sheet->out, "\n\n**");
	add_text(sheet->out, strbuf_text(&words));
	strbuf_adds(sheet->out, "**\n");
	strbuf_release(&words);
	if (!bootstrap->parent || !strcmp(bootstrap->parent, bootstrap->version))
		return;
	strbuf_addch(sheet->out, '\n');
	add_text(sheet->out, bootstrap->why);
	strbuf_adds(sheet->out, ".\n");
}

static void add_faults(const struct sheet *sheet)
{
	const struct bootstrap *bootstrap = sheet->bootstrap;

	if (!bootstrap->fault_count)
		return;
	head(sheet, "Faults of the table, found before anything is added");
	strbuf_adds(sheet->out, "| at | rule | entry | what |\n|---|---|---|---|\n");
	for (size_t i = 0; i < bootstrap->fault_count; i++) {
		const struct verify_finding *finding = bootstrap->faults[i].finding;

		escape_addf(sheet->out, escape_markdown, "| %s | %s | ", bootstrap->faults[i].version,
			    verify_rule_name(finding->rule));
		escape_markdown_code(sheet->out, finding->entry);
		strbuf_adds(sheet->out, " | ");
		add_text(sheet->out, finding->message);
		strbuf_adds(sheet->out, " |\n");
	}
}

/* --- the work to do ---------------------------------------------------------------- */

static bool has_todo(const struct bootstrap_entry *entry)
{
	for (size_t i = 0; i < entry->edit_count; i++)
		if (entry->edits[i].is_todo)
			return true;
	return false;
}

/* An item of the checklist, and below it the changes. */
static void add_entry(const struct sheet *sheet, size_t index)
{
	const struct bootstrap_entry *entry = &sheet->bootstrap->entries[index],
				     *same = bootstrap_same_before(sheet->bootstrap, index);

	strbuf_adds(sheet->out, "- [ ] ");
	add_name(sheet->out, bootstrap_family(entry), bootstrap_name(entry));
	strbuf_addf(sheet->out, ": %s%s%s", bootstrap_action_name(entry->action),
		    has_todo(entry) ? " (**TODO**)" : "", same ? ", as " : "; ");
	if (same)
		escape_markdown_code(sheet->out, bootstrap_name(same));
	else
		add_text(sheet->out, entry->why);
	strbuf_addch(sheet->out, '\n');
	for (size_t i = 0; i < entry->change_count && !same; i++) {
		strbuf_adds(sheet->out, "  - ");
		add_text(sheet->out, entry->changes[i]);
		strbuf_addch(sheet->out, '\n');
	}
}

/* Nothing in a fence is markup, but the end of the fence; a name may hold anything. */
static void add_code_line(struct strbuf *out, const char *text)
{
	struct strbuf escaped = { 0 };

	escape_terminal(&escaped, text);
	for (const char *at = strbuf_text(&escaped); *at; at++)
		strbuf_addch(out, *at == '`' ? '\'' : *at);
	strbuf_addch(out, '\n');
	strbuf_release(&escaped);
}

/* A type that several entries of a node share is written once. */
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

/* The edits of one kind, for all entries of a node. */
static void add_site(const struct sheet *sheet, const char *node, enum bootstrap_site site)
{
	const struct bootstrap *bootstrap = sheet->bootstrap;
	bool any = false;

	for (size_t i = 0; i < bootstrap->entry_count; i++) {
		const struct bootstrap_entry *entry = &bootstrap->entries[i];

		for (size_t e = 0; e < entry->edit_count && bootstrap_is_work(entry, node); e++) {
			if (entry->edits[e].site != site || is_repeated(bootstrap, i, &entry->edits[e]))
				continue;
			if (!any)
				strbuf_addf(sheet->out, "// %s\n", bootstrap_site_name(site));
			any = true;
			if (entry->edits[e].remove)
				add_code_line(sheet->out, entry->edits[e].remove);
			if (entry->edits[e].text)
				add_code_line(sheet->out, entry->edits[e].text);
		}
	}
}

static void add_code(const struct sheet *sheet, const char *node)
{
	strbuf_adds(sheet->out, "\n```go\n");
	for (int site = 0; site < BOOTSTRAP_SITES; site++)
		add_site(sheet, node, (enum bootstrap_site)site);
	strbuf_adds(sheet->out, "```\n");
}

static void add_node(const struct sheet *sheet, const struct bootstrap_node *node)
{
	const struct bootstrap *bootstrap = sheet->bootstrap;
	struct strbuf words = { 0 };
	bool any = false;

	strbuf_adds(sheet->out, "\n## Node ");
	add_text(sheet->out, node->version);
	strbuf_adds(sheet->out, "\n\n");
	bootstrap_node_words(&words, node);
	if (!node->exists || words.length) {
		strbuf_adds(sheet->out, node->exists && !node->was_parent ? "- " : "- [ ] ");
		add_text(sheet->out, strbuf_text(&words));
		strbuf_addch(sheet->out, '\n');
	}
	strbuf_release(&words);
	for (size_t i = 0; i < bootstrap->entry_count; i++) {
		if (!bootstrap_is_work(&bootstrap->entries[i], node->version))
			continue;
		add_entry(sheet, i);
		any = true;
	}
	if (any)
		add_code(sheet, node->version);
}

static void add_todo(const struct sheet *sheet)
{
	const struct bootstrap *bootstrap = sheet->bootstrap;

	if (bootstrap->todo_count)
		head(sheet, "TODO");
	for (size_t i = 0; i < bootstrap->todo_count; i++) {
		if (bootstrap_is_told_todo(bootstrap, i))
			continue;
		strbuf_addf(sheet->out, "- [ ] %s: ", bootstrap->todo[i].what);
		add_text(sheet->out, bootstrap->todo[i].why);
		strbuf_addch(sheet->out, '\n');
	}
}

/* --- what was examined ------------------------------------------------------------------- */

static void add_unchanged(const struct sheet *sheet)
{
	const struct bootstrap *bootstrap = sheet->bootstrap;
	bool any = false;

	for (size_t i = 0; i < bootstrap->entry_count; i++) {
		if (bootstrap->entries[i].action != BOOTSTRAP_NONE)
			continue;
		if (!any)
			head(sheet, "Changed, and nothing has to be written");
		any = true;
		strbuf_adds(sheet->out, "- ");
		add_name(sheet->out, bootstrap_family(&bootstrap->entries[i]),
			 bootstrap_name(&bootstrap->entries[i]));
		strbuf_adds(sheet->out, ": ");
		add_text(sheet->out, bootstrap->entries[i].why);
		strbuf_addch(sheet->out, '\n');
	}
	for (size_t i = 0; i < bootstrap->passed_count; i++) {
		if (!i)
			head(sheet, "Changed between, and back");
		strbuf_adds(sheet->out, "- ");
		add_text(sheet->out, bootstrap->passed[i].text);
		strbuf_addch(sheet->out, '\n');
	}
}

static void add_audit(const struct sheet *sheet)
{
	const struct bootstrap *bootstrap = sheet->bootstrap;

	if (!bootstrap->audit_count)
		return;
	head(sheet, "Fields to examine before a handler passes their record through");
	strbuf_adds(sheet->out, "| ioctl | what | field |\n|---|---|---|\n");
	for (size_t i = 0; i < bootstrap->audit_count; i++) {
		const struct bootstrap_audit *one = &bootstrap->audit[i];

		strbuf_adds(sheet->out, "| ");
		add_name(sheet->out, one->family, one->name);
		strbuf_addf(sheet->out, " | %s | ", bootstrap_doubt_name(one->what));
		add_text(sheet->out, one->text);
		strbuf_adds(sheet->out, " |\n");
	}
}

static void add_misplaced(const struct sheet *sheet)
{
	const struct bootstrap *bootstrap = sheet->bootstrap;

	if (bootstrap->misplaced_count)
		head(sheet, "Nodes of the table at the wrong branch");
	for (size_t i = 0; i < bootstrap->misplaced_count; i++) {
		const struct bootstrap_misplaced *one = &bootstrap->misplaced[i];

		escape_addf(sheet->out, escape_markdown,
			    "- %s follows %s; in the driver's graph its nearest node is %s\n", one->version,
			    one->parent, one->should_be ? one->should_be : "none");
	}
}

static void add_proof(const struct sheet *sheet)
{
	const struct bootstrap *bootstrap = sheet->bootstrap;

	if (bootstrap->proof.text_count)
		head(sheet, "Proof, for the commit message");
	if (bootstrap->proof.text_count)
		strbuf_adds(sheet->out, "```text\n");
	for (size_t i = 0; i < bootstrap->proof.text_count; i++)
		add_code_line(sheet->out, bootstrap->proof.text[i]);
	strbuf_adds(sheet->out,
		    bootstrap->proof.text_count ? "```\n\nNot checked:\n\n" : "\nNot checked:\n\n");
	for (size_t i = 0; i < bootstrap->not_checked_count; i++) {
		strbuf_adds(sheet->out, "- ");
		add_text(sheet->out, bootstrap->not_checked[i]);
		strbuf_addch(sheet->out, '\n');
	}
}

/* --- candidates ------------------------------------------------------------------------------ */

static void add_candidate(struct strbuf *out, const struct bootstrap_candidate *one)
{
	char number[ABI_NOTATION_BYTES];
	struct strbuf words = { 0 };

	strbuf_adds(out, "| ");
	add_text(out, one->family);
	strbuf_addf(out, " | %s | ", abi_ioctl_number(one->family, one->number, number));
	escape_markdown_code(out, one->name);
	escape_addf(out, escape_markdown, " | %s | %s | ", one->first,
		    bootstrap_caller(one) ? bootstrap_caller(one) : "");
	if (one->record)
		strbuf_addf(out, "%llu", (unsigned long long)one->size_bytes);
	strbuf_addf(out, " | %s: ", one->is_simple ? "yes" : "no");
	add_text(out, one->why);
	strbuf_adds(out, " | ");
	bootstrap_guess_words(&words, &one->caps);
	add_text(out, strbuf_text(&words));
	strbuf_adds(out, " |\n");
	strbuf_release(&words);
}

static void add_candidates(const struct sheet *sheet)
{
	const struct bootstrap *bootstrap = sheet->bootstrap;
	struct strbuf line = { 0 };
	size_t i;

	if (!bootstrap->candidate_count)
		return;
	strbuf_adds(sheet->out, "\n<details><summary>");
	strbuf_plural(sheet->out, bootstrap->candidate_count, "ioctl");
	strbuf_adds(sheet->out, " that ");
	add_text(sheet->out, bootstrap->parent ? bootstrap->parent : "the table");
	strbuf_adds(sheet->out, bootstrap->parent ? " did not offer" : " lacks");
	strbuf_addf(sheet->out,
		    "</summary>\n\n| family | number | name | %s | caller | bytes | simple | capabilities |\n|---|---|---|---|---|---:|---|---|\n",
		    bootstrap->parent ? "new in" : "node");
	for (i = 0; i < bootstrap->candidate_count; i++) {
		strbuf_reset(&line);
		add_candidate(&line, &bootstrap->candidates[i]);
		if (sheet->out->length + line.length + ROOM_FOR_END > GITHUB_CHARACTERS)
			break;
		strbuf_adds(sheet->out, strbuf_text(&line));
	}
	strbuf_adds(sheet->out, "\n");
	if (i < bootstrap->candidate_count)
		strbuf_addf(sheet->out, "%zu more are in bootstrap.json: GitHub takes %d characters.\n\n",
			    bootstrap->candidate_count - i, GITHUB_CHARACTERS);
	strbuf_adds(sheet->out, "</details>\n");
	strbuf_release(&line);
}

void report_bootstrap_markdown(struct strbuf *out, const struct bootstrap *bootstrap)
{
	const struct sheet sheet = { out, bootstrap };

	add_head(&sheet);
	add_faults(&sheet);
	for (size_t i = 0; i < bootstrap->node_count; i++)
		add_node(&sheet, &bootstrap->nodes[i]);
	add_todo(&sheet);
	add_unchanged(&sheet);
	add_audit(&sheet);
	add_misplaced(&sheet);
	add_proof(&sheet);
	add_candidates(&sheet);
}
