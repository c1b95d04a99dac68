/* report/diff_words.c - words that all formats of a diff share: flags, new names, sections, the verdict */
#include "report/internal.h"

/* Returns the only access level that was added (or removed); NULL if there are none or several. */
static const struct diff_flag *only_level(const struct diff_change *change, bool is_added)
{
	const struct diff_flag *found = NULL;

	for (size_t i = 0; i < change->flag_count; i++) {
		if (change->flags[i].kind != DIFF_FLAG_LEVEL || change->flags[i].is_added != is_added)
			continue;
		if (found)
			return NULL;
		found = &change->flags[i];
	}
	return found;
}

static void signed_word(struct strbuf *out, const struct diff_flag *flag, const char *separator)
{
	strbuf_addf(out, "%s%c%s%s", separator, flag->is_added ? '+' : '-',
		    flag->kind == DIFF_FLAG_RIGHT ? "right " : "", flag->word);
}

void report_access_words(struct strbuf *out, const struct diff_change *change)
{
	const struct diff_flag *was = only_level(change, false), *is = only_level(change, true);
	const char *separator = "";

	if (was && is) {
		strbuf_addf(out, "%s -> %s", was->word, is->word);
		separator = " ";
	}
	for (size_t i = 0; i < change->flag_count; i++) {
		const struct diff_flag *flag = &change->flags[i];

		if (flag->kind == DIFF_FLAG_OTHER || (flag->kind == DIFF_FLAG_LEVEL && was && is))
			continue;
		signed_word(out, flag, separator);
		separator = " ";
	}
}

void report_flags_words(struct strbuf *out, const struct diff_change *change)
{
	const char *separator = "";

	for (size_t i = 0; i < change->flag_count; i++) {
		if (change->flags[i].kind != DIFF_FLAG_OTHER)
			continue;
		signed_word(out, &change->flags[i], separator);
		separator = " ";
	}
}

const char *report_params(const struct abi_ioctl *ioctl)
{
	return ioctl->argument			 ? ioctl->argument
	       : ioctl->params			 ? ioctl->params
	       : abi_ioctl_params_unknown(ioctl) ? "parameters not known"
						 : "no parameters";
}

/* Appends the parts of a call's request that the driver compares with the number: "type and nr, any size". */
static void match_words(struct strbuf *out, const struct abi_ioctl *ioctl)
{
	static const char *const known_by[] = {
		[ABI_NUMBER_PLAIN] = "the whole number, without _IOC()",
		[ABI_NUMBER_IOC] = "the whole number",
		[ABI_NUMBER_IOC_BY_NR] = "type and nr",
	};

	strbuf_adds(out, known_by[ioctl->encoding]);
	for (int i = 0; i < ABI_IOC_FIELD_COUNT; i++)
		if (ioctl->varies >> i & 1)
			strbuf_addf(out, ", any %s", abi_ioc_field_name((enum abi_ioc_field)i));
}

/* Appends the parts of the number that the driver compares, if they changed: "the whole number -> type and
 * nr". */
static void new_match_words(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_ioctl *before = change->base_ioctl, *after = change->next_ioctl;

	if (!before || !after || (before->encoding == after->encoding && before->varies == after->varies))
		return;
	match_words(out, before);
	strbuf_adds(out, " -> ");
	match_words(out, after);
}

/* Writes a line with @label and the words of @words_of; nothing if there are no words. */
static void flags_line(struct strbuf *out, const char *label, const struct diff_change *change,
		       void (*words_of)(struct strbuf *, const struct diff_change *),
		       const struct report_style *style)
{
	struct line line;

	line_begin(&line, out, style, strlen(label));
	words_of(&line.plain, change);
	line_end_with(&line, INK_NONE, label);
}

void report_flags_text(struct strbuf *out, const struct diff_change *change, const struct report_style *style)
{
	flags_line(out, "    matched by: ", change, new_match_words, style);
	flags_line(out, "    access: ", change, report_access_words, style);
	flags_line(out, "    flags: ", change, report_flags_words, style);
}

bool report_only_flags(const struct diff_change *change)
{
	if (change->classes != DIFF_FLAGS)
		return false;
	for (size_t i = 0; i < change->flag_count; i++)
		if (!strcmp(change->flags[i].word, ABI_FLAG_EMBEDDED_POINTERS))
			return false;
	return true;
}

void report_flags_fold(struct strbuf *out, size_t count, const char *what, const char *hint)
{
	if (!count)
		return;
	strbuf_plural(out, count, what);
	strbuf_addf(out, " changed only in flags that are not privileges%s\n", hint);
}

void report_renamed_with_words(struct strbuf *out, const struct diff_change *one, const char *separator)
{
	if (one->kind == ABI_CONSTANT)
		strbuf_addf(out, "%sconstant %s was %s", separator, one->name, one->base_name);
	else if (!one->with)
		strbuf_addf(out, "%s%s %s %s", separator, report_unit(one), one->name,
			    one->next_record ? "added" : "removed");
	for (size_t i = 0; one->with && i < one->field_count; i++)
		if (one->fields[i].before && one->fields[i].after) {
			strbuf_addf(out, "%s%s ", separator, one->fields[i].after->path);
			report_field_note(out, &one->fields[i]);
		}
}

void report_former_owner(struct strbuf *out, const struct diff_change *change)
{
	char number[ABI_NOTATION_BYTES];

	if (change->number_was_is_gone)
		strbuf_adds(out, "(removed)");
	else
		strbuf_addf(out, "(now %s)",
			    abi_ioctl_number(change->family, change->number_was_now, number));
}

void report_passed_words(struct strbuf *out, const struct diff_change *change)
{
	if (change->entry_count || !change->base_ioctl || !change->next_ioctl)
		return;
	if (change->passed_was && !change->passed_as)
		strbuf_addf(out, "no longer passed through by number (%s), so it needs an entry",
			    change->passed_was);
	else if (!change->passed_was && change->passed_as)
		strbuf_addf(out, "now passed through by number (%s)", change->passed_as);
}

const char *report_former_number(const struct diff_change *change, char buffer[16])
{
	if (!change->next_ioctl || !abi_ioctl_is_by_nr(change->next_ioctl))
		return "the number";
	snprintf(buffer, 16, "nr 0x%02x", abi_ioc_get(change->next_ioctl->number, ABI_IOC_NR));
	return buffer;
}

void report_size(struct strbuf *out, const struct diff_change *change, const char *arrow)
{
	const struct abi_record *before = change->base_record, *after = change->next_record;

	report_resized(out, (before ? before : after)->size_bytes, (after ? after : before)->size_bytes,
		       arrow, "byte");
	if (before && after && before->align_bytes != after->align_bytes)
		strbuf_addf(out, ", align %" PRIu64 " %s %" PRIu64, before->align_bytes, arrow,
			    after->align_bytes);
}

/* Appends the size and the changed fields: "24 -> 32 bytes: +flags, ~status". */
static void record_words(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_record *before = change->base_record, *after = change->next_record;

	report_size(out, change, "->");
	for (size_t i = 0; before && after && i < change->field_count; i++) {
		const struct diff_field *field = &change->fields[i];

		strbuf_addf(out, "%s%c%s", i ? ", " : ": ", !field->before ? '+' : !field->after ? '-' : '~',
			    (field->after ? field->after : field->before)->path);
	}
}

/* Appends @label and the words of @words_of; nothing if there are no words. */
static void labelled_words(struct strbuf *out, const char *label, const struct diff_change *change,
		       void (*words_of)(struct strbuf *, const struct diff_change *))
{
	struct strbuf words = { 0 };

	words_of(&words, change);
	if (words.length)
		strbuf_addf(out, "%s%s", label, words.text);
	strbuf_release(&words);
}

/* Appends ", formerly NAME's (removed)" if the number of an ioctl or constant had a different owner. */
static void former_owner_words(struct strbuf *out, const struct diff_change *change)
{
	const bool by_nr = change->next_ioctl && abi_ioctl_is_by_nr(change->next_ioctl);
	char number[16];

	if (!change->number_was || (!change->next_ioctl && !change->next_constant))
		return;
	strbuf_addf(out, ", %s%sformerly %s's ", by_nr ? report_former_number(change, number) : "",
		    by_nr ? " " : "", change->number_was);
	report_former_owner(out, change);
}

/*
 * Appends the number, what changed, and whether the proxy passes the ioctl without an entry: "0x20801358 ->
 * 0x20801359, access: +privileged".
 */
static void ioctl_words(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_ioctl *before = change->base_ioctl, *after = change->next_ioctl;
	const struct abi_ioctl *one = after ? after : before;
	char was[ABI_NOTATION_BYTES], is[ABI_NOTATION_BYTES];

	if (before && after && before->number != after->number)
		strbuf_addf(out, "%s -> %s", abi_ioctl_number(before->family, before->number, was),
			    abi_ioctl_number(after->family, after->number, is));
	else
		strbuf_adds(out, abi_ioctl_number(one->family, one->number, is));
	labelled_words(out, ", ", change, report_passed_words);
	former_owner_words(out, change);
	if (before && after && strcmp(report_params(before), report_params(after)))
		strbuf_addf(out, ", %s -> %s", report_params(before), report_params(after));
	labelled_words(out, ", matched by: ", change, new_match_words);
	labelled_words(out, ", access: ", change, report_access_words);
	labelled_words(out, ", flags: ", change, report_flags_words);
}

void report_change_words(struct strbuf *out, const struct diff_change *change)
{
	char number[ABI_NOTATION_BYTES];
	size_t start;

	if (change->same_as) {
		strbuf_addf(out, "another name of %s", change->same_as);
		return;
	}
	if (change->base_name)
		strbuf_addf(out, "was %s, ", change->base_name);
	start = out->length;
	switch (change->kind) {
	case ABI_RECORD: record_words(out, change); return;
	case ABI_IOCTL: ioctl_words(out, change); return;
	case ABI_ALIAS:
		if (change->base_alias)
			strbuf_adds(out, change->base_alias->type);
		if (change->next_alias)
			strbuf_addf(out, "%s%s", change->base_alias ? " -> " : "", change->next_alias->type);
		return;
	case ABI_ENUM:
		report_enum_type(out, change, "->");
		for (size_t i = 0; change->base_enum && change->next_enum && i < change->value_count; i++) {
			const struct diff_value *value = &change->values[i];

			strbuf_addf(out, "%s%c%s", out->length > start ? ", " : "",
				    !value->before ? '+' : !value->after ? '-' : '~', value->name);
		}
		return;
	case ABI_CONSTANT:
		if (change->base_constant && !change->base_name)
			strbuf_adds(out, abi_constant_number(change->base_constant, number));
		if (change->next_constant)
			strbuf_addf(out, "%s%s", out->length > start ? " -> " : "",
				    abi_constant_number(change->next_constant, number));
		former_owner_words(out, change);
		return;
	}
}

/*
 * The parts of a diff with a table that do not describe a change: the verdict, the titles of the sections,
 * the reasons for handlers, and the records that are reported under a different record.
 */

void report_section_title(struct strbuf *out, const struct diff *diff, enum diff_section section,
			  const char *proxy)
{
	static const char *const titles[] = {
		[DIFF_SECTION_READ] = "names or reads, and may have to adapt to",
		[DIFF_SECTION_HANDLER] =
			"passes through unread, and must now handle because of a new pointer, fd or pid",
		[DIFF_SECTION_UNREAD] = "passes through unread, with nothing to do",
		[DIFF_SECTION_NONE] = "does not forward",
	};
	size_t count = 0;

	/*
	 * A record that was added or removed inside a different record is not counted. Changes of flags alone
	 * are counted in the line that folds them.
	 */
	for (size_t i = 0; i < diff->change_count; i++)
		count += diff->changes[i].section == section && !diff->changes[i].inside &&
			 !(diff->changes[i].proxied && report_only_flags(&diff->changes[i]));
	strbuf_addf(out, "What %s %s: ", proxy, titles[section]);
	strbuf_plural(out, count, "change");
}

void report_new_roles(struct strbuf *out, const struct diff_change *change)
{
	for (size_t i = 0; i < change->new_role_count; i++) {
		const struct diff_new_role *role = &change->new_roles[i];

		strbuf_addf(out, "%s%s %s", i ? ", " : "", abi_role_name(role->role),
			    *role->path ? role->path : "in its parameters, which the driver follows");
	}
}

void report_enum_type(struct strbuf *out, const struct diff_change *change, const char *arrow)
{
	const struct abi_enum *before = change->base_enum, *after = change->next_enum;

	if (before && after && (before->size_bytes != after->size_bytes || strcmp(before->type, after->type)))
		strbuf_addf(out, "%s %s %s", before->type, arrow, after->type);
}

void report_sizes(struct strbuf *out, const struct diff_change *change, const char *arrow)
{
	report_size(out, change, arrow);
	if (!change->base_record || !change->next_record)
		strbuf_adds(out, change->next_record ? ", added" : ", removed");
}

/* Appends which node a version whose ancestors have no node can use, or that the nearest does not fit. */
static void add_older(struct strbuf *out, const struct ranges_choice *choice, const struct table *table)
{
	bool is_older = !table_nearest_node(table, choice->version);

	if (choice->node)
		strbuf_addf(out, "%s can use the node of %s, although %s", choice->version,
			    choice->node->version,
			    is_older ? "it is older than the table" : "none of its ancestors has a node");
	else if (is_older)
		strbuf_addf(out, "%s is older than the table's first node, %s, which does not fit",
			    choice->version, choice->follows->version);
	else
		strbuf_addf(out, "%s has no ancestor with a node, and the nearest node, %s, does not fit",
			    choice->version, choice->follows->version);
}

/* Appends which node of the table the newer version can use. */
static void add_choice(struct strbuf *out, const struct ranges_choice *choice, const struct table *table)
{
	if (!choice->is_known)
		strbuf_addf(out, "It is unknown which node %s can use (%s)", choice->version, choice->why);
	else if (choice->follows_none)
		add_older(out, choice, table);
	else if (choice->is_own)
		strbuf_addf(out, "%s has a node for %s", table->proxy, choice->version);
	else if (choice->fit == RANGES_OTHER)
		strbuf_addf(out, "%1$s follows the node of %3$s, but can also use that of %2$s", choice->version,
			    choice->node->version, choice->follows->version);
	else if (choice->node)
		strbuf_addf(out, "%s can use the node of %s", choice->version, choice->node->version);
	else
		strbuf_addf(out, "%s needs a new node", choice->version);
}

/* Appends "14 forwarded records changed, and P reads 4 of them", or that none, or nothing at all, changed. */
static void add_records(struct strbuf *out, const struct diff_totals *totals, const char *proxy)
{
	if (!totals->changes) {
		strbuf_addf(out, "nothing that %s forwards changed", proxy);
	} else if (!totals->records) {
		strbuf_adds(out, "no forwarded record changed");
	} else {
		strbuf_plural(out, totals->records, "forwarded record");
		strbuf_addf(out, " changed, and %s ", proxy);
		if (totals->records == 1)
			strbuf_adds(out, totals->read ? "reads it" : "does not read it");
		else if (!totals->read)
			strbuf_adds(out, "reads none of them");
		else if (totals->read == totals->records)
			strbuf_adds(out, "reads all of them");
		else
			strbuf_addf(out, "reads %zu of them", totals->read);
	}
}

/* Appends "; 3 forwarded ioctls are removed"; nothing if @count is 0. @what: the words after the count */
static void add_ioctl_count(struct strbuf *out, size_t count, const char *what)
{
	if (!count)
		return;
	strbuf_adds(out, "; ");
	strbuf_plural(out, count, "forwarded ioctl");
	strbuf_addf(out, " %s", what);
}

void report_verdict(struct strbuf *out, const struct diff_report *report)
{
	const struct diff_totals *totals = &report->diff->totals;
	const struct table *table = report->diff->view->table;

	if (report->choice) {
		if (strcmp(report->diff->next->version,
			   report->choice->version)) /* next is a branch or commit that has a tag */
			strbuf_addf(out, "%s is %s; ", report->diff->next->version, report->choice->version);
		add_choice(out, report->choice, table);
		strbuf_adds(out, ": ");
	}
	add_records(out, totals, table->proxy);
	if (totals->handlers) {
		strbuf_adds(out, "; ");
		strbuf_plural(out, totals->handlers, "unread record");
		strbuf_addf(out, " need%s a handler", totals->handlers == 1 ? "s" : "");
	}
	add_ioctl_count(out, totals->removed, totals->removed == 1 ? "is removed" : "are removed");
	add_ioctl_count(out, totals->renumbered,
			totals->renumbered == 1 ? "has a different number, parameter record or argument"
						: "have a different number, parameter record or argument");
	add_ioctl_count(out, totals->renamed,
			totals->renamed == 1 ? "has a different name or parameter record name"
					     : "have different names or parameter record names");
}

/*
 * The sentences above a diff with a table: which node the new version can use, or why it can use none.
 *
 * They are plain text, which each format escapes.
 */

enum { ENTRIES_SHOWN = 6 };

void report_verdict_proof(struct strbuf *out, const struct diff_report *report)
{
	const struct ranges_choice *choice = report->choice;
	const char *last = "";
	size_t entries = 0;

	if (!choice || !choice->fresh_count)
		return;
	strbuf_addf(out, "With node %s, verify has ", choice->follows->version);
	strbuf_plural(out, choice->fresh_count, "finding");
	strbuf_addf(out, " that it does not have at %s, in", choice->follows->version);
	for (size_t i = 0; i < choice->fresh_count; i++) { /* each entry once, in the order of the findings */
		if (!strcmp(choice->fresh[i].entry, last))
			continue;
		last = choice->fresh[i].entry;
		if (entries++ < ENTRIES_SHOWN)
			strbuf_addf(out, "%s%s", entries > 1 ? ", " : " ", last);
	}
	if (entries > ENTRIES_SHOWN)
		strbuf_addf(out, " and %zu more", entries - ENTRIES_SHOWN);
}
