#include "report/ranges_internal.h"

#include <inttypes.h>
#include <string.h>

bool ranges_is_new_node(const struct ranges *ranges, size_t version)
{
	return ranges->graph->versions[version].abi && ranges->versions[version].fit == RANGES_NEEDS &&
	       ranges->versions[version].served_by == (long)version;
}

static bool is_served(const struct ranges *ranges, size_t version, size_t first)
{
	return ranges->graph->versions[version].abi && ranges->versions[version].fit == RANGES_NEEDS &&
	       ranges->versions[version].served_by == (long)first;
}

static bool same_release(const struct ranges *ranges, size_t a, size_t b)
{
	const char *x = ranges->graph->versions[a].version, *y = ranges->graph->versions[b].version;
	size_t length = strcspn(x, ".");

	return length == strcspn(y, ".") && !strncmp(x, y, length);
}

/* Does @first serve all of the release of @version, and is that more than one? */
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

/* Is @version the first of its release that @first serves? */
static bool is_first_of_release(const struct ranges *ranges, size_t version, size_t first)
{
	for (size_t i = 0; i < version; i++)
		if (is_served(ranges, i, first) && same_release(ranges, version, i))
			return false;
	return true;
}

/* Item @index of @count; before the last of them comes "and". */
static void add_item(struct strbuf *out, size_t index, size_t count, const char *name, size_t length, const char *suffix)
{
	strbuf_addf(out, "%s%.*s%s", !index ? "" : index + 1 < count ? ", " : " and ", (int)length, name, suffix);
}

size_t ranges_served(struct strbuf *out, const struct ranges *ranges, size_t first)
{
	size_t total = ranges->graph->version_count, items = 0, added = 0, served = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < total; i++) {
			const char *name = ranges->graph->versions[i].version;
			bool whole;

			if (!is_served(ranges, i, first))
				continue;
			served += !pass;
			whole = serves_release(ranges, i, first);
			if (whole && !is_first_of_release(ranges, i, first))
				continue;
			if (pass)
				add_item(out, added++, items, name, whole ? strcspn(name, ".") : strlen(name), whole ? ".*" : "");
			else
				items++;
		}
	return served;
}

void ranges_needs(struct finding_blocks *out, const struct ranges *ranges, size_t first, bool fold, struct arena *arena)
{
	struct finding_at *items;
	size_t total = 0, count = 0;

	for (size_t i = 0; i < ranges->graph->version_count; i++)
		total += is_served(ranges, i, first) ? ranges->versions[i].fresh_count : 0;
	items = arena_array(arena, total + 1, sizeof(*items));
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		for (size_t f = 0; is_served(ranges, i, first) && f < ranges->versions[i].fresh_count; f++)
			items[count++] = (struct finding_at){ &ranges->versions[i].fresh[f], i };
	findings_group(out, items, count, fold, arena);
}

static void add_note(struct strbuf *out, size_t start)
{
	if (out->length > start)
		strbuf_adds(out, ", ");
}

/* A number or a size that is another one; the same of a second record is listed once. */
static void add_change(struct strbuf *out, size_t start, const struct verify_finding *finding)
{
	const struct verify_side *driver = &finding->driver, *proxy = &finding->proxy;

	add_note(out, start);
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
	return finding->rule == VERIFY_FIELD_OFFSET || finding->rule == VERIFY_FIELD_TYPE || finding->rule == VERIFY_FIELD_MISSING ||
	       finding->rule == VERIFY_PADDING_OVERLAP || finding->rule == VERIFY_NOT_SIMPLE;
}

void ranges_entry_note(struct strbuf *out, const struct finding_block *block)
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
	add_note(out, start);
	if (fields == 1)
		strbuf_adds(out, field->path);
	else
		strbuf_plural(out, fields, "field");
}

bool ranges_could_go(const struct ranges_node *node)
{
	return node->verdict == RANGES_MERGE || (node->verdict == RANGES_EMPTY && !node->node->supported);
}

void ranges_going(struct strbuf *out, const struct ranges_node *node)
{
	const char *parent = node->node->parent ? node->node->parent->version : "its parent"; /* the root cannot go */

	if (node->verdict == RANGES_EMPTY)
		strbuf_addf(out, "forwards what %s does, and is no supported version%s", parent,
			    node->version < 0 ? "; the driver of that version was not looked at" : "");
	else
		strbuf_addf(out, "its changes are true of every version that follows %s: merge the two", parent);
}

void ranges_staying(struct strbuf *out, const struct ranges *ranges)
{
	size_t empty = 0, unknown = 0;

	for (size_t i = 0; i < ranges->table->node_count; i++) {
		empty += ranges->nodes[i].verdict == RANGES_EMPTY && ranges->nodes[i].node->supported;
		unknown += ranges->nodes[i].verdict == RANGES_UNKNOWN;
	}
	if (empty == 1)
		strbuf_adds(out, "1 more forwards what its parent does; it marks its version as supported.");
	else if (empty)
		strbuf_addf(out, "%zu more forward what their parents do; they mark their versions as supported.", empty);
	if (unknown == 1)
		strbuf_addf(out, "%s1 is not checked: neither the data nor the repository named has it or its parent.", empty ? " " : "");
	else if (unknown)
		strbuf_addf(out, "%s%zu are not checked: neither the data nor the repository named has them or their parents.", empty ? " " : "", unknown);
}

void ranges_fit_words(struct strbuf *out, const struct ranges_version *version)
{
	switch (version->fit) {
	case RANGES_FITS:
		strbuf_addf(out, "may use %s%s", version->safe->version, version->follows_none ? ", though older than the table" : "");
		break;
	case RANGES_OTHER:
		strbuf_addf(out, "may use %s, not %s, which they follow", version->safe->version, version->node->version);
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

bool ranges_same_fit(const struct ranges_version *a, const struct ranges_version *b)
{
	return a->fit == b->fit && a->safe == b->safe && a->follows_none == b->follows_none;
}
