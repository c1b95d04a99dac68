#include "report/style.h"
#include "report/surface_internal.h"

#include <string.h>

/* Sets with more entries than this are only counted, unless the style is verbose. */
enum { LISTED_MAX = 12 };

static size_t used_caps(const struct caps *caps)
{
	size_t used = 0;

	for (size_t i = 0; i < caps->cap_count; i++)
		used += caps->caps[i].entries > 0;
	return used;
}

static void text_entries(struct strbuf *out, const char *mark, const struct table_entry *const *entries, size_t count)
{
	for (size_t i = 0; i < count; i++)
		report_textf(out, "%s%-8s %s\n", mark, entries[i]->family, entries[i]->name);
}

static void text_counts(struct strbuf *out, const struct caps *caps, const struct report_style *style)
{
	strbuf_adds(out, "capability          entries    adds  only by it");
	for (size_t f = 0; f < caps->family_count; f++)
		report_textf(out, "  %9s", caps->families[f]);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < caps->cap_count; i++) {
		const struct caps_one *one = &caps->caps[i];

		report_ink(out, style, one->entries ? INK_NAME : INK_DIM, "%-18s", one->name);
		report_textf(out, " %8zu %7zu %11zu", one->entries, one->adds, one->own);
		for (size_t f = 0; f < caps->family_count; f++)
			report_textf(out, "  %9zu", one->by_family[f]);
		strbuf_adds(out, one->is_known ? "\n" : "  no driver capability\n");
	}
}

static void text_sets(struct strbuf *out, const struct caps *caps, const struct report_style *style)
{
	bool any = false;

	for (size_t s = 0; s < caps->set_count; s++) {
		const struct caps_set *set = &caps->sets[s];

		if (set->cap_count < 2)
			continue;
		if (!any)
			strbuf_adds(out, "\nshared, each by all of\n");
		any = true;
		report_textf(out, "  %4zu  ", set->entry_count);
		for (size_t c = 0; c < set->cap_count; c++)
			report_textf(out, "%s%s", c ? ", " : "", set->caps[c]);
		strbuf_addch(out, '\n');
		if (set->entry_count <= LISTED_MAX || style->verbose)
			text_entries(out, "          ", set->entries, set->entry_count);
	}
	if (!any)
		strbuf_adds(out, "\nno entry is shared by two capabilities\n");
}

void report_caps_since_text(struct strbuf *out, const struct caps *caps, const struct caps_since *since, const struct report_style *style)
{
	report_textf(out, "\nfrom node %s, %zu entries, to %s, %zu entries\n", since->base->node->version, since->base->entry_count,
		     caps->view->node->version, caps->view->entry_count);
	for (size_t i = 0; i < since->change_count; i++) {
		const struct caps_change *change = &since->changes[i];

		if (!change->gained_count && !change->lost_count && !style->verbose)
			continue;
		report_ink(out, style, INK_NAME, "  %s", change->name);
		report_textf(out, " +%zu -%zu\n", change->gained_count, change->lost_count);
		text_entries(out, "    + ", change->gained, change->gained_count);
		text_entries(out, "    - ", change->lost, change->lost_count);
	}
}

void report_caps_text(struct strbuf *out, const struct caps *caps, const struct caps_since *since, const struct report_style *style)
{
	const struct table_view *view = caps->view;

	report_ink(out, style, INK_NAME, "%s", view->table->proxy);
	report_textf(out, " at node %s: %zu entries, %zu of them exposed by %zu of %zu capabilities\n\n", view->node->version,
		     view->entry_count, caps->reached, used_caps(caps), caps->cap_count);
	text_counts(out, caps, style);
	text_sets(out, caps, style);
	if (caps->unreached_count) {
		strbuf_adds(out, "\nreached by no capability\n");
		text_entries(out, "  ", caps->unreached, caps->unreached_count);
	} else {
		strbuf_adds(out, "\nevery entry of the node is reached by some capability\n");
	}
	if (since)
		report_caps_since_text(out, caps, since, style);
}

/* "control/NV2080_CTRL_CMD_GPU_GET_PIDS": family and name, which together are unique. */
static void json_entries(struct json_writer *writer, const char *key, const struct table_entry *const *entries, size_t count)
{
	struct strbuf name = { 0 };

	json_key(writer, key);
	json_open_inline_array(writer);
	for (size_t i = 0; i < count; i++) {
		strbuf_reset(&name);
		strbuf_addf(&name, "%s/%s", entries[i]->family, entries[i]->name);
		json_string(writer, strbuf_text(&name));
	}
	json_close_array(writer);
	strbuf_release(&name);
}

static void json_one(struct json_writer *writer, const struct caps *caps, const struct caps_one *one)
{
	json_open_inline_object(writer);
	json_key_string(writer, "name", one->name);
	json_key_bool(writer, "known", one->is_known);
	json_key_unsigned(writer, "entries", one->entries);
	json_key_unsigned(writer, "adds", one->adds);
	json_key_unsigned(writer, "own", one->own);
	json_key_unsigned(writer, "shared", one->entries - one->own);
	json_key(writer, "families");
	json_open_inline_object(writer);
	for (size_t f = 0; f < caps->family_count; f++)
		json_key_unsigned(writer, caps->families[f], one->by_family[f]);
	json_close_object(writer);
	json_close_object(writer);
}

static void json_since(struct json_writer *writer, const struct caps_since *since)
{
	json_key(writer, "changed_from");
	json_open_object(writer);
	json_key_string(writer, "node", since->base->node->version);
	json_key_unsigned(writer, "entries", since->base->entry_count);
	json_key(writer, "changes");
	json_open_array(writer);
	for (size_t i = 0; i < since->change_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "name", since->changes[i].name);
		json_entries(writer, "gained", since->changes[i].gained, since->changes[i].gained_count);
		json_entries(writer, "lost", since->changes[i].lost, since->changes[i].lost_count);
		json_close_object(writer);
	}
	json_close_array(writer);
	json_close_object(writer);
}

void report_caps_json(struct json_writer *writer, const struct caps *caps, const struct caps_since *since)
{
	json_key(writer, "caps");
	json_open_array(writer);
	for (size_t i = 0; i < caps->cap_count; i++)
		json_one(writer, caps, &caps->caps[i]);
	json_close_array(writer);
	json_key(writer, "sets");
	json_open_array(writer);
	for (size_t s = 0; s < caps->set_count; s++) {
		json_open_inline_object(writer);
		json_key_strings(writer, "caps", caps->sets[s].caps, caps->sets[s].cap_count);
		json_entries(writer, "entries", caps->sets[s].entries, caps->sets[s].entry_count);
		json_close_object(writer);
	}
	json_close_array(writer);
	json_entries(writer, "unreached", caps->unreached, caps->unreached_count);
	if (since)
		json_since(writer, since);
}
