/* report/ranges.c - the versions that have the same ABI for a table, as text, Markdown and JSON */
#include "report/internal.h"

/*
 * Would @version use the new node that is made for the version @first? Both are indexes in the graph; a new
 * node serves the version for which it is made, and later ones.
 */
static bool is_served(const struct ranges *ranges, size_t version, size_t first)
{
	return ranges->graph->versions[version].abi && ranges->versions[version].fit == RANGES_NEEDS &&
	       ranges->versions[version].served_by == (long)first;
}

static bool same_release(const struct ranges *ranges, size_t a, size_t b)
{
	return history_same_release(ranges->graph->versions[a].version, ranges->graph->versions[b].version);
}

/* Returns true if a node for @first serves all versions of @version's release, and it has two or more. */
static bool serves_release(const struct ranges *ranges, size_t version, size_t first)
{
	size_t count = 0;

	for (size_t i = 0; i < ranges->graph->version_count; i++) {
		if (!same_release(ranges, version, i))
			continue;
		if (!is_served(ranges, i, first))
			return false;
		count++;
	}
	return count > 1;
}

/* Returns true if @version is the first version of its release that a node for @first serves. */
static bool is_first_of_release(const struct ranges *ranges, size_t version, size_t first)
{
	for (size_t i = 0; i < version; i++)
		if (is_served(ranges, i, first) && same_release(ranges, version, i))
			return false;
	return true;
}

/**
 * ranges_served - append the versions that a new node for @first would serve, such as "590.* and 595.*"
 *
 * The versions include @first. "590.*" means all versions of release 590, if it has two or more. Return: the
 * number of versions.
 */
static size_t ranges_served(struct strbuf *out, const struct ranges *ranges, size_t first)
{
	struct strbuf item = { 0 }; /* is written after the next item is known, which may be the last */
	size_t served = 0, written = 0;

	for (size_t i = 0; i < ranges->graph->version_count; i++) {
		const char *name = ranges->graph->versions[i].version;
		bool whole;

		if (!is_served(ranges, i, first))
			continue;
		served++;
		whole = serves_release(ranges, i, first);
		if (whole && !is_first_of_release(ranges, i, first))
			continue;
		if (item.length)
			strbuf_addf(out, "%s%s", written++ ? ", " : "", item.text);
		strbuf_reset(&item);
		strbuf_addf(&item, "%.*s%s", (int)(whole ? strcspn(name, ".") : strlen(name)), name,
			    whole ? ".*" : "");
	}
	strbuf_addf(out, "%s%s", written ? " and " : "", strbuf_text(&item));
	strbuf_release(&item);
	return served;
}

/*
 * ranges_needs - group the new findings of the versions that a new node for @first would serve, which show
 * the entries that the node must change. @fold, @arena: as in findings_group()
 */
static void ranges_needs(struct finding_blocks *out, const struct ranges *ranges, size_t first, bool fold,
			 struct arena *arena)
{
	struct finding_at *items = NULL;
	size_t count = 0;

	for (size_t i = 0; i < ranges->graph->version_count; i++)
		for (size_t f = 0; is_served(ranges, i, first) && f < ranges->versions[i].fresh_count; f++) {
			items = arena_room(arena, items, count, sizeof(*items));
			items[count++] = (struct finding_at){ &ranges->versions[i].fresh[f], i };
		}
	findings_group(out, items, count, fold, arena);
}

/*
 * Appends the change that a finding shows: a different size or number, a missing record, or the rule.
 * @start: the length of @out before the first change; a comma precedes the others
 */
static void add_change(struct strbuf *out, size_t start, const struct verify_finding *finding)
{
	const struct verify_side *driver = &finding->driver, *proxy = &finding->proxy;

	strbuf_adds(out, out->length > start ? ", " : "");
	if (finding->rule == VERIFY_SIZE)
		report_resized(out, proxy->size_bytes, driver->size_bytes, "to", "byte");
	else if (finding->rule == VERIFY_NUMBER && driver->has_number && proxy->has_number)
		strbuf_addf(out, "0x%" PRIx64 " to 0x%" PRIx64, proxy->number, driver->number);
	else if (finding->rule == VERIFY_MISSING_RECORD)
		strbuf_addf(out, "no %s", finding->record);
	else
		strbuf_adds(out, verify_rule_name(finding->rule));
}

static bool is_of_field(const struct verify_finding *finding)
{
	return finding->rule == VERIFY_FIELD_OFFSET || finding->rule == VERIFY_FIELD_TYPE ||
	       finding->rule == VERIFY_FIELD_MISSING || finding->rule == VERIFY_PADDING_OVERLAP ||
	       finding->rule == VERIFY_NOT_SIMPLE;
}

/* ranges_entry_note - append how the entries of a block changed: "72 to 88 bytes, 2 fields" */
static void ranges_entry_note(struct strbuf *out, const struct finding_block *block)
{
	const struct verify_finding *field = NULL;
	size_t start = out->length, fields = 0;

	for (size_t i = 0; i < block->line_count; i++) {
		const struct finding_line *line = &block->lines[i];

		if (is_of_field(line->first) && *line->first->path) {
			fields += line->finding_count;
			field = line->first;
		} else {
			add_change(out, start, line->first);
		}
	}
	if (!field)
		return;
	strbuf_adds(out, out->length > start ? ", " : "");
	if (fields == 1)
		strbuf_adds(out, field->path);
	else
		strbuf_plural(out, fields, "field");
}

static bool is_removable(const struct ranges_node *node)
{
	return node->verdict == RANGES_MERGE || (node->verdict == RANGES_EMPTY && !node->node->supported);
}

/* removal_words - append why the node could be removed, as a clause: "forwards the same as 1.0, and …" */
static void removal_words(struct strbuf *out, const struct ranges_node *node)
{
	const char *parent =
		node->node->parent ? node->node->parent->version : "its parent"; /* never the root */

	if (node->verdict == RANGES_EMPTY)
		strbuf_addf(out, "forwards the same as %s, and is not a supported version%s", parent,
			    node->version < 0 ? "; the driver of that version was not examined" : "");
	else
		strbuf_addf(out, "its changes apply to every version that follows %s: merge the two nodes",
			    parent);
}

/* Appends how many more nodes only repeat their parents, or were not checked; nothing for 0. */
static void not_removable_words(struct strbuf *out, const struct ranges *ranges)
{
	size_t empty = 0, unknown = 0;

	for (size_t i = 0; i < ranges->table->node_count; i++) {
		empty += ranges->nodes[i].verdict == RANGES_EMPTY && ranges->nodes[i].node->supported;
		unknown += ranges->nodes[i].verdict == RANGES_UNKNOWN;
	}
	if (empty)
		strbuf_addf(out, "%zu more %s, but %s supported.", empty,
			    empty == 1 ? "node forwards the same as its parent"
				       : "nodes forward the same as their parents",
			    empty == 1 ? "its version is" : "their versions are");
	if (unknown)
		strbuf_addf(out, "%s%zu %s not checked: neither the data nor a named repository has %s.",
			    empty ? " " : "", unknown, unknown == 1 ? "is" : "are",
			    unknown == 1 ? "it or its parent" : "them or their parents");
}

/* ranges_fit_words - append which node versions like this one can use: "need a new node after 1.0" */
static void ranges_fit_words(struct strbuf *out, const struct ranges_version *version)
{
	switch (version->fit) {
	case RANGES_FITS:
		strbuf_addf(out, "may use %s%s", version->safe->version,
			    version->follows_none ? ", though older than the table" : "");
		break;
	case RANGES_OTHER:
		strbuf_addf(out, "may use %s instead of %s, which they follow", version->safe->version,
			    version->node->version);
		break;
	case RANGES_NEEDS:
		strbuf_addf(out, "need a new node after %s", version->node->version);
		break;
	case RANGES_OLDER:
		strbuf_addf(out, "older than the table: with %s, verify has ", version->node->version);
		strbuf_plural(out, version->fresh_count, "finding");
		break;
	}
}

/*
 * ranges_same_fit - return true if two versions can be in one list of a set: both can use the same node, or
 * neither can use one
 */
static bool ranges_same_fit(const struct ranges_version *a, const struct ranges_version *b)
{
	return a->fit == b->fit && a->safe == b->safe && a->follows_none == b->follows_none;
}

/* --- text and Markdown --------------------------------------------------------------- */

static const char *version_name(const struct ranges *ranges, size_t version)
{
	return ranges->graph->versions[version].version;
}

/* Writes the title, how many versions can use which kind of node, and which facts are compared. */
static void write_title(struct sheet *sheet, const struct ranges_report *report)
{
	const struct ranges *ranges = report->ranges;
	char versions[PLURAL_BYTES], sets[PLURAL_BYTES];

	sheet_heading(sheet, SHEET_TITLE, "%s on %s of %s (%s)", ranges->table->proxy,
		      report_plural(ranges->graph->version_count, "version", versions), report->driver,
		      report->target);
	sheet_paragraph(
		sheet, SHEET_STRONG,
		"%zu can use the node that they follow, %zu a different one, %zu need a new one, %zu are older than the table; %s of versions with the same ABI for the proxy",
		ranges->fitting, ranges->other, ranges->needing, ranges->older,
		report_plural(ranges->set_count, "set", sets));
	sheet_paragraph(
		sheet, SHEET_PLAIN, "table: " NAME "; criterion '%s': %s",
		sheet->style->markdown && *ranges->table->revision ? ranges->table->revision
								   : ranges->table->path,
		ranges_criterion_name(ranges->criterion),
		ranges->criterion == RANGES_STRICT
			? "every scalar of every record that the table names, with name and type"
			: "numbers, the scalars of records that the proxy reads, and the size, pointers and "
			  "fds of records that it passes through unread");
}

/* Writes a version that needs a new node, the versions that the node would serve, and the changed entries. */
static void write_need(struct sheet *sheet, const struct ranges *ranges, size_t first)
{
	static const struct sheet_column columns[] = {
		{ .title = "entry" }, { .title = "what differs", .is_below = true },
		{ .title = "findings", .is_below = true }, { 0 }
	};
	char entries[PLURAL_BYTES];
	struct finding_blocks blocks;
	struct arena arena = { 0 };
	size_t count;

	ranges_needs(&blocks, ranges, first, !sheet->style->verbose, &arena);
	sheet_heading(sheet, SHEET_SECTION, "%s needs a new node after %s", version_name(ranges, first),
		      ranges->versions[first].node->version);
	count = ranges_served(&sheet->plain, ranges, first);
	sheet_paragraph(sheet, SHEET_PLAIN, "%s; %s%s", report_plural(blocks.entry_count, "entry", entries),
			count > 1 ? "one node would serve " : "a node would serve this version alone",
			count > 1 ? sheet->plain.text : "");
	sheet_table(sheet, columns);
	for (size_t i = 0; i < blocks.count; i++) {
		const struct finding_block *block = &blocks.block[i];
		struct strbuf *row = sheet_begin_row(sheet);

		report_textf(row, "%s", block->family);
		for (size_t e = 0; e < block->entry_count; e++)
			report_textf(row, "%s" NAME, e ? ", " : " ", block->entries[e]);
		ranges_entry_note(&sheet->plain, block);
		sheet_add_cell(sheet);
		strbuf_addch(row, '\t');
		for (size_t n = 0; n < block->line_count && !sheet_is_brief(sheet); n++)
			report_textf(row, "%s%s: %s", n ? "; " : "",
				     verify_rule_name(block->lines[n].first->rule), block->lines[n].message);
		sheet_end_row(sheet);
	}
	arena_release(&arena);
}

/* Writes the ioctls without an entry that the proxy passes through by only the old or the new number. */
static void write_passed(struct sheet *sheet, const struct ranges *ranges)
{
	char was[ABI_NOTATION_BYTES], is[ABI_NOTATION_BYTES];
	size_t listed = 0;

	for (size_t i = 0; i < ranges->graph->version_count; i++) {
		const struct ranges_version *version = &ranges->versions[i];

		for (size_t c = 0; c < version->passed_count; c++) {
			const struct diff_change *change = &version->passed[c];

			if (!listed++)
				sheet_heading(sheet, SHEET_SECTION,
					      "Renumbered ioctls that the table passes through by only one number");
			report_passed_words(&sheet->plain, change);
			sheet_item(sheet, SHEET_ITEM, "%s after %s: %s " NAME " %s (was %s), %s",
				   version_name(ranges, i),
				   version_name(ranges, (size_t)version->passed_since), change->family,
				   change->name,
				   abi_ioctl_number(change->family, change->next_ioctl->number, is),
				   abi_ioctl_number(change->family, change->base_ioctl->number, was),
				   strbuf_text(&sheet->plain));
		}
	}
}

static void write_removable_nodes(struct sheet *sheet, const struct ranges *ranges)
{
	size_t listed = 0;

	sheet_heading(sheet, SHEET_SECTION, "Nodes that could be removed");
	for (size_t i = 0; i < ranges->table->node_count; i++) {
		if (!is_removable(&ranges->nodes[i]))
			continue;
		removal_words(&sheet->plain, &ranges->nodes[i]);
		sheet_item(sheet, SHEET_ITEM, "%s %s", ranges->nodes[i].node->version, sheet->plain.text);
		listed++;
	}
	if (!listed)
		sheet_paragraph(sheet, SHEET_PLAIN, "none");
	not_removable_words(&sheet->plain, ranges);
	sheet_words(sheet);
}

static void write_misplaced(struct sheet *sheet, const struct ranges *ranges)
{
	size_t listed = 0;

	for (size_t i = 0; i < ranges->table->node_count; i++) {
		const struct ranges_node *node = &ranges->nodes[i];

		if (!node->is_misplaced)
			continue;
		if (!listed++)
			sheet_heading(sheet, SHEET_SECTION,
				      "Nodes with a different parent in the driver's graph");
		sheet_item(sheet, SHEET_ITEM,
			   "%s is a child of %s in the table; in the driver's graph it follows %s",
			   node->node->version, node->node->parent ? node->node->parent->version : "none",
			   node->follows ? node->follows->version : "none");
	}
}

/* Writes how many versions were compared, and each change that contradicts its set of versions. */
static void write_proofs(struct sheet *sheet, const struct ranges *ranges, const struct ranges_proof *proofs)
{
	size_t compared = 0, unread = 0, against = 0;
	struct strbuf *words = &sheet->plain;

	for (size_t i = 0; i < ranges->graph->version_count; i++) {
		compared += proofs[i].compared;
		unread += proofs[i].unread;
		against += proofs[i].against_count;
	}
	sheet_heading(sheet, SHEET_SECTION, "Proof");
	strbuf_plural(words, compared, "version");
	strbuf_adds(words, " compared with the first version of their set (all others have the "
			   "same document): ");
	strbuf_plural(words, unread, "change");
	strbuf_adds(words, " of forwarded items that the table does not read, ");
	strbuf_plural(words, against, "change");
	strbuf_adds(words, " of items that it reads");
	sheet_paragraph(sheet, SHEET_PLAIN, "%s", words->text);
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		for (size_t c = 0; c < proofs[i].against_count; c++)
			sheet_item(sheet, SHEET_ITEM, "%s: " ALARM("%s") " differs", version_name(ranges, i),
				   proofs[i].against[c]);
}

/* Writes, for each set, a row for each node that some of its versions can use or need, with the versions. */
static void write_sets_of(struct sheet *sheet, const struct ranges *ranges)
{
	static const struct sheet_column columns[] = {
		{ .title = "set", .width = 3 }, { .title = "node" },
		{ .title = "versions", .is_below = true }, { 0 }
	};

	sheet_heading(sheet, SHEET_DETAILS,
		      "Sets of versions with the same ABI, and the node that they may use");
	sheet_table(sheet, columns);
	for (size_t s = 0; s < ranges->set_count; s++) {
		const struct ranges_set *set = &ranges->sets[s];

		for (size_t i = 0; i < set->count; i++) {
			const struct ranges_version *first = &ranges->versions[set->versions[i]];
			bool is_repeated = false;
			struct strbuf *row;

			for (size_t before = 0; before < i && !is_repeated; before++)
				is_repeated =
					ranges_same_fit(first, &ranges->versions[set->versions[before]]);
			if (is_repeated)
				continue;
			row = sheet_begin_row(sheet);
			ranges_fit_words(&sheet->plain, first);
			report_textf(row, first->fit == RANGES_NEEDS ? "%zu\t" ALARM("%s") "\t" : "%zu\t%s\t",
				     s + 1, sheet->plain.text);
			for (size_t j = i; j < set->count; j++)
				if (ranges_same_fit(first, &ranges->versions[set->versions[j]]))
					report_textf(row, "%s%s", j > i ? " " : "",
						     version_name(ranges, set->versions[j]));
			sheet_end_row(sheet);
		}
	}
	sheet_details_end(sheet);
}

void report_ranges(struct strbuf *out, const struct ranges_report *report, const struct report_style *style)
{
	const struct ranges *ranges = report->ranges;
	struct sheet sheet;

	sheet_init(&sheet, out, style);
	write_title(&sheet, report);
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		if (is_served(ranges, i, i)) /* the version needs a new node, which others may use, too */
			write_need(&sheet, ranges, i);
	write_passed(&sheet, ranges);
	write_removable_nodes(&sheet, ranges);
	write_misplaced(&sheet, ranges);
	if (report->proofs)
		write_proofs(&sheet, ranges, report->proofs);
	write_sets_of(&sheet, ranges);
	sheet_release(&sheet);
}

/* Ranges as JSON: "drvabi-ranges/1". */

const char *report_fit_name(enum ranges_fit fit)
{
	static const char *const names[] = { [RANGES_FITS] = "fits", [RANGES_OTHER] = "other",
					     [RANGES_NEEDS] = "needs-new-node", [RANGES_OLDER] = "older" };

	return names[fit];
}

static const char *verdict_name(enum ranges_verdict verdict)
{
	static const char *const names[] = { [RANGES_KEEP] = "keep", [RANGES_EMPTY] = "empty",
					     [RANGES_MERGE] = "merge", [RANGES_UNKNOWN] = "unknown" };

	return names[verdict];
}

static const char *node_version(const struct table_node *node)
{
	return node ? node->version : NULL;
}

/* --- JSON; the context of the writer is a struct ranges_context -------------------------- */

struct ranges_context {
	const struct history_graph *graph;
	const struct ranges_report *report;
};

static const struct json_struct finding_fields = {
	.size = sizeof(struct verify_finding),
	.is_inline = true,
	.field = { { .key = "*", .kind = JSON_MEMBERS, .of = &report_finding_place_fields },
		   JSON_FIELD("message", JSON_TEXT, verify_finding, message) },
};

static size_t version_index(const struct ranges_report *report, const void *object)
{
	return (size_t)((const struct ranges_version *)object - report->ranges->versions);
}

static void write_name(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct ranges_context *context = writer->context;

	json_key_string(writer, field->key,
			context->graph->versions[version_index(context->report, object)].version);
}

/* Writes how a version was compared with the first of its set; nothing if no proof was requested. */
static void write_proof(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct ranges_report *report = ((const struct ranges_context *)writer->context)->report;

	if (!report->proofs)
		return;
	json_key(writer, field->key);
	json_write_struct(writer, &report->proofs[version_index(report, object)], field->of);
}

static const struct json_struct renumbered_fields = {
	.size = sizeof(struct diff_change),
	.is_inline = true,
	.field = {
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_change_name_fields },
		{ .key = "before", .kind = JSON_WANT_INTEGER, .write = report_write_side },
		{ .key = "after", .kind = JSON_WANT_INTEGER, .write = report_write_side },
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_change_passed_fields },
	},
};

JSON_IS(needs_no_node, ranges_version, it->fit != RANGES_NEEDS)
JSON_IS(has_no_renumbered, ranges_version, !it->passed_count)
JSON_GET_TEXT(version_follows, ranges_version, it->follows_none ? NULL : it->node->version)
JSON_GET_TEXT(version_safe, ranges_version, node_version(it->safe))

static const struct json_struct version_fields = {
	.size = sizeof(struct ranges_version),
	.field = {
		{ .key = "version", .kind = JSON_TEXT, .write = write_name },
		JSON_FIELD("set", JSON_SIZE, ranges_version, set),
		{ .key = "follows", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = version_follows },
		JSON_FIELD("fit", JSON_NAMED, ranges_version, fit, .name_of = report_fit_name,
			   .max = RANGES_OLDER + 1),
		{ .key = "node", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = version_safe },
		JSON_FIELD("served_by", JSON_TEXT | JSON_OPTIONAL, ranges_version, served_by,
			   .write = report_write_version, .is_left_out = needs_no_node),
		JSON_ARRAY("findings", JSON_LIST | JSON_SPARSE, ranges_version, fresh, fresh_count,
			   &finding_fields),
		JSON_FIELD("renumbered_since", JSON_TEXT | JSON_OPTIONAL, ranges_version, passed_since,
			   .write = report_write_version, .is_left_out = has_no_renumbered),
		JSON_ARRAY("renumbered", JSON_LIST | JSON_SPARSE, ranges_version, passed, passed_count,
			   &renumbered_fields),
		{ .key = "proof", .kind = JSON_OBJECT | JSON_OPTIONAL, .write = write_proof,
		  .of = JSON_LINE(ranges_proof,
			JSON_FIELD("compared", JSON_BOOL, ranges_proof, compared),
			JSON_FIELD("unread_changes", JSON_SIZE, ranges_proof, unread),
			JSON_ARRAY("against", JSON_TEXTS, ranges_proof, against, against_count, NULL)) },
	},
};

/* Writes the versions that have a document. */
static void write_versions(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct ranges *ranges = object;

	json_key_open(writer, field->key, json_open_array);
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		if (ranges->graph->versions[i].abi)
			json_write_struct(writer, &ranges->versions[i], field->of);
	json_close_array(writer);
}

JSON_GET_TEXT(node_parent, ranges_node, node_version(it->node->parent))
JSON_GET_TEXT(node_follows, ranges_node, node_version(it->follows))
JSON_GET_NUMBER(node_is_available, ranges_node, it->version >= 0)

static const struct json_struct node_fields = {
	.size = sizeof(struct ranges_node),
	.field = {
		JSON_INTO_BY_POINTER(ranges_node, node, JSON_STRUCT(table_node,
			JSON_FIELD("version", JSON_TEXT, table_node, version))),
		{ .key = "parent", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = node_parent },
		JSON_INTO_BY_POINTER(ranges_node, node, JSON_STRUCT(table_node,
			JSON_FIELD("supported", JSON_BOOL, table_node, supported))),
		{ .key = "available", .kind = JSON_BOOL, .get_number = node_is_available },
		{ .key = "follows", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = node_follows },
		JSON_FIELD("misplaced", JSON_BOOL, ranges_node, is_misplaced),
		JSON_FIELD("verdict", JSON_NAMED, ranges_node, verdict, .name_of = verdict_name,
			   .max = RANGES_UNKNOWN + 1),
		JSON_ARRAY("known", JSON_LIST, ranges_node, known, known_count, &finding_fields),
	},
};

JSON_GET_LIST(table_nodes, ranges, it->nodes, it->table->node_count)
JSON_GET_TEXT(ranges_proxy, ranges, it->table->proxy)

const struct json_struct report_ranges_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = RANGES_FORMAT },
		JSON_FIELD("driver", JSON_TEXT, ranges_report, driver),
		JSON_FIELD("target", JSON_TEXT, ranges_report, target),
		JSON_INTO_BY_POINTER(ranges_report, ranges, JSON_STRUCT(ranges,
			{ .key = "table", .kind = JSON_TEXT, .get_text = ranges_proxy },
			JSON_FIELD("criterion", JSON_NAMED, ranges, criterion,
				   .name_of = ranges_criterion_name, .max = RANGES_STRICT + 1),
			JSON_ARRAY("sets", JSON_LIST, ranges, sets, set_count, JSON_STRUCT(ranges_set,
				JSON_ARRAY("", JSON_TEXTS, ranges_set, versions, count, NULL,
					   .write = report_write_versions))),
			{ .key = "versions", .kind = JSON_LIST, .of = &version_fields,
			  .write = write_versions },
			{ .key = "nodes", .kind = JSON_LIST, .of = &node_fields, .get_list = table_nodes },
			{ .key = "summary", .kind = JSON_OBJECT, .of = JSON_LINE(ranges,
				JSON_FIELD("sets", JSON_SIZE, ranges, set_count),
				JSON_FIELD("fits", JSON_SIZE, ranges, fitting),
				JSON_FIELD("other", JSON_SIZE, ranges, other),
				JSON_FIELD("needs_new_node", JSON_SIZE, ranges, needing),
				JSON_FIELD("older", JSON_SIZE, ranges, older),
				JSON_FIELD("new_nodes", JSON_SIZE, ranges, new_nodes)) })),
	},
};

void report_ranges_json(struct strbuf *out, const struct ranges_report *report)
{
	report_write_json(out, report, &report_ranges_fields,
			  &(struct ranges_context){ report->ranges->graph, report });
}
