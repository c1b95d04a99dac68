/*
 * Every renderer, with each hostile name in every field that comes from
 * outside: what is written reads as text, and acts as nothing.
 */
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Tags that git allows, and what documents, tables and suppressions can hold besides. */
static const char *const hostile[] = {
	"110.05<img/src=x/onerror=alert(1)><!--",
	"</script><script>alert(1)</script>",
	"![a](http://x.org/a.png)",
	"[a](http://x.org) https://x.org www.x.org",
	"@everyone",
	"a @everyone b",
	"`@everyone <img/src=x> ``",
	"a|b\\|@everyone|<img/src=x>",
	"*a* _b_ ~~c~~ **d**",
	"a\n# b\n- c\n```\n<!--",
	"a\r\nnot ok 1 - b # SKIP\r\n",
	"a\033[2J\033]0;title\a\b\x7f",
	"a\xc2\x9b" "2J\xc2\x85",
	"a\xe2\x80\xae" "b\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c",
	"a\xe2\x80\xa8" "b\xe2\x80\xa9",
	"a\xff\xc3\xed\xa0\x80",
	"=HYPERLINK(\"http://x.org\")",
	"+1", "-1", "@SUM(A1)", "\t=1", "\r=1",
	"\",=1,\"",
	"]]>&lt;&#60;\"'",
	"#17 a/b#17", "GH-17 gh-17",
	"49a54ca0123456789abcdef0123456789abcdef0 deadbeef",
	":tada: a::b::c",
	"{0} {a}",
	"[a](1)",
	"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", /* letters that are written from right to left */
};
enum { HOSTILE_COUNT = sizeof(hostile) / sizeof(*hostile) };

/* Everything that can be reported, with one name everywhere. */
struct world {
	const char *name;
	const char *names[2];
	struct abi_field field;
	struct abi_record record, record_before;
	struct abi_alias alias, alias_before;
	struct abi_enumerator value;
	struct abi_enum one;
	struct abi_constant constant;
	struct abi_ioctl ioctl, ioctl_before;
	struct abi abi;
	struct abi_leaf leaf, leaf_before;
	struct abi_layout layout;
	struct table_entry entry;
	const struct table_entry *entries[1];
	struct table_node node;
	struct table table;
	struct table_view view;
	struct diff_field_side side, side_before;
	struct diff_field fields[3];
	struct abi_number number, number_before;
	struct diff_value values[3];
	struct diff_reach reach;
	struct diff_change changes[ABI_KIND_COUNT + 1];
	struct diff diff;
	struct history_version versions[2];
	struct history_edge edge;
	struct history_graph graph;
	struct history_filter filter;
	struct history_changes edge_changes;
	size_t edges[2];
	struct history_event events[ABI_KIND_COUNT + 1];
	struct history history;
	size_t span_versions[1];
	struct history_move move;
	struct history_span span[2];
	struct history_spans spans;
	struct history_report history_report;
	struct history_timelines timelines;
	struct blame_line line;
	struct blame blame;
	struct verify_finding finding;
	struct verify_finding unseen;
	const struct verify_finding *found[2];
	struct acceptance acceptance;
	struct acceptances acceptances;
	struct suppression suppression;
	struct suppressions suppressions;
	struct suppressed suppressed;
	struct verify_version verified[2];
	struct verify_report verify;
	size_t by_family[1];
	struct caps_one cap;
	struct caps_set set;
	struct caps caps;
	struct caps_change caps_change;
	struct caps_since since;
	struct surface_row rows[2];
	struct surface surface;
	struct ranges_version range_versions[2];
	struct ranges_node range_node;
	size_t set_versions[2];
	struct ranges_set range_set;
	struct ranges_proof proofs[2];
	struct ranges ranges;
	struct ranges_report ranges_report;
	struct abi other_abi;
	struct table_struct table_struct;
	struct table_entry read_entry;
	struct profile_bits bits;
	struct lookup_bits parsed;
	struct lookup_parse parse;
	struct forwarded forwarded[2];
	struct lookup_word word;
	struct lookup_item items[ABI_KIND_COUNT];
	struct lookup lookup;
	const struct history_span *others[1];
	struct show_item show_items[ABI_KIND_COUNT];
	struct show_word show_word;
	struct show_report show;
	struct blame_ioctl blame_ioctl;
};

static void fill_abi(struct world *w)
{
	const char *name = w->name;

	w->names[0] = w->names[1] = name;
	w->field = (struct abi_field){ .name = name, .type = name, .size_bits = 32 };
	w->record = (struct abi_record){ name, &w->field, 1, 8, 4, false, name };
	w->record_before = (struct abi_record){ name, &w->field, 1, 4, 4, false, name };
	w->alias = (struct abi_alias){ name, name, 4 };
	w->alias_before = (struct abi_alias){ name, "int", 4 };
	w->value = (struct abi_enumerator){ name, { 1, false } };
	w->one = (struct abi_enum){ name, name, 4, &w->value, 1, name };
	w->constant = (struct abi_constant){ name, { 1, false } };
	w->ioctl = (struct abi_ioctl){ name, name, 0x2080, name, w->names, 2, name, name };
	w->ioctl_before = (struct abi_ioctl){ name, name, 0x2081, "x", w->names, 1, name, name };
	w->abi = (struct abi){ .driver = name, .version = name, .commit = name, .target = name, .records = &w->record, .record_count = 1 };
	w->leaf = (struct abi_leaf){ .path = name, .type = name, .size_bits = 32, .union_path = name };
	w->leaf_before = (struct abi_leaf){ .path = name, .type = "x", .size_bits = 32, .offset_bits = 32 };
	w->layout = (struct abi_layout){ .record = name, .source = name, .size_bytes = 8, .align_bytes = 4, .leaf = &w->leaf, .leaf_count = 1 };
	w->entry = (struct table_entry){ .family = name, .name = name, .caps = w->names, .cap_count = 2 };
	w->entries[0] = &w->entry;
	w->node = (struct table_node){ .version = name, .entries = &w->entry, .entry_count = 1 };
	w->table = (struct table){ .path = name, .proxy = name, .revision = name, .driver = name, .nodes = &w->node, .node_count = 1 };
	w->view = (struct table_view){ &w->table, &w->node, w->entries, 1 };
}

static void fill_diff(struct world *w)
{
	const char *name = w->name;

	w->side = (struct diff_field_side){ name, name, 0, 32, false, ABI_ROLE_HANDLE };
	w->side_before = (struct diff_field_side){ name, "x", 32, 32, false, ABI_ROLE_NONE };
	w->fields[0] = (struct diff_field){ .after = &w->side };
	w->fields[1] = (struct diff_field){ .before = &w->side };
	w->fields[2] = (struct diff_field){ .before = &w->side_before, .after = &w->side, .renamed = true, .moved = true };
	w->values[0] = (struct diff_value){ name, NULL, NULL, &w->number };
	w->values[1] = (struct diff_value){ name, NULL, &w->number, NULL };
	w->values[2] = (struct diff_value){ name, name, &w->number_before, &w->number };
	w->reach = (struct diff_reach){ &w->ioctl, w->names, 2 };
	for (int kind = 0; kind <= ABI_KIND_COUNT; kind++)
		w->changes[kind] = (struct diff_change){ .kind = (enum abi_kind)(kind % ABI_KIND_COUNT), .name = name, .base_name = name,
			.classes = DIFF_LAYOUT, .proxied = kind % 2, .also = w->names, .also_count = 2, .entries = w->entries,
			.entry_count = 1 };
	w->changes[ABI_RECORD].base_record = &w->record_before;
	w->changes[ABI_RECORD].next_record = &w->record;
	w->changes[ABI_RECORD].fields = w->fields;
	w->changes[ABI_RECORD].field_count = 3;
	w->changes[ABI_RECORD].reached_by = &w->reach;
	w->changes[ABI_RECORD].reach_count = 1;
	w->changes[ABI_ALIAS].base_alias = &w->alias_before;
	w->changes[ABI_ALIAS].next_alias = &w->alias;
	w->changes[ABI_ENUM].base_enum = w->changes[ABI_ENUM].next_enum = &w->one;
	w->changes[ABI_ENUM].values = w->values;
	w->changes[ABI_ENUM].value_count = 3;
	w->changes[ABI_CONSTANT].next_constant = &w->constant;
	w->changes[ABI_CONSTANT].number_was = name;
	w->changes[ABI_IOCTL].family = w->changes[ABI_IOCTL].number_was = name;
	w->changes[ABI_IOCTL].base_ioctl = &w->ioctl_before;
	w->changes[ABI_IOCTL].next_ioctl = &w->ioctl;
	w->changes[ABI_KIND_COUNT].same_as = name;
	w->changes[ABI_KIND_COUNT].next_record = &w->record;
	w->diff = (struct diff){ .base = &w->abi, .next = &w->abi, .view = &w->view, .changes = w->changes, .change_count = ABI_KIND_COUNT + 1 };
}

static void fill_history(struct world *w)
{
	const char *name = w->name;

	for (int i = 0; i < 2; i++)
		w->versions[i] = (struct history_version){ name, name, 0, i - 1, true, &w->abi };
	w->edge = (struct history_edge){ 1, 0, true };
	w->graph = (struct history_graph){ w->versions, 2, &w->edge, 1 };
	w->filter = (struct history_filter){ .names = w->names, .name_count = 2, .table = &w->table };
	w->edge_changes = (struct history_changes){ .changes = w->changes, .count = ABI_KIND_COUNT + 1 };
	for (int i = 0; i <= ABI_KIND_COUNT; i++)
		w->events[i] = (struct history_event){ .change = &w->changes[i], .carrier_count = i == ABI_RECORD, .edges = w->edges,
			.edge_count = 2, .inside_release = true, .renumbered = true, .reused = true };
	w->history = (struct history){ .graph = &w->graph, .filter = &w->filter, .changes = &w->edge_changes, .events = w->events,
		.event_count = ABI_KIND_COUNT + 1, .changed_edges = 1 };
	w->move = (struct history_move){ .kind = ABI_CONSTANT, .name = name, .number = 1 };
	w->span[0] = (struct history_span){ .kind = ABI_IOCTL, .family = name, .name = name, .since = w->span_versions, .since_count = 1,
		.until = w->span_versions, .until_count = 1, .was = &w->move, .now = &w->move };
	w->span[1] = w->span[0];
	w->span[1].name = "x";
	w->spans = (struct history_spans){ .spans = w->span, .count = 2 };
	w->history_report = (struct history_report){ name, name, name, &w->history, &w->spans };
	w->line = (struct blame_line){ &w->leaf, 1, false, DIFF_OP_RENAMED, &w->leaf_before };
	w->blame = (struct blame){ .name = name, .layout = &w->layout, .lines = &w->line, .line_count = 1 };
}

static void fill_verify(struct world *w)
{
	const char *name = w->name;

	w->finding = (struct verify_finding){ VERIFY_SIZE, name, name, name, name, { .type = name }, { .type = name }, name, false };
	w->unseen = w->finding;
	w->unseen.unseen = true;
	w->suppression = (struct suppression){ .line = 1, .rule_text = name, .versions = name, .expires_text = name, .entry = name,
		.first = "", .last = "", .reason = name, .expired = true };
	w->suppressions = (struct suppressions){ name, &w->suppression, 1 };
	w->suppressed = (struct suppressed){ &w->finding, &w->suppression };
	w->found[0] = &w->finding;
	w->found[1] = &w->unseen;
	w->acceptance = (struct acceptance){ "size", "CMD", "1.0", "never", name, w->found, 2 };
	w->acceptances = (struct acceptances){ &w->acceptance, 1, 1 };
	w->verified[0] = (struct verify_version){ .version = name, .status = VERIFY_FAIL, .failing = 1, .suppressed = &w->suppressed,
		.suppressed_count = 1, .caps = &w->caps, .since = &w->since,
		.result = { .view = &w->view, .abi = &w->abi, .findings = &w->finding, .finding_count = 1, .unseen = &w->unseen,
			    .unseen_count = 1, .entry_count = 1 } };
	w->verified[1] = (struct verify_version){ .version = name, .status = VERIFY_UNAVAILABLE, .reason = name, .caps = &w->caps };
	w->verify = (struct verify_report){ .table = &w->table, .versions = w->verified, .version_count = 2, .suppressions = &w->suppressions };
	w->verify.fails[VERIFY_SIZE] = true;
	w->cap = (struct caps_one){ .name = name, .entries = 1, .by_family = w->by_family };
	w->set = (struct caps_set){ w->names, 2, w->entries, 1 };
	w->caps = (struct caps){ .view = &w->view, .families = w->names, .family_count = 1, .caps = &w->cap, .cap_count = 1, .sets = &w->set,
		.set_count = 1, .unreached = w->entries, .unreached_count = 1 };
	w->caps_change = (struct caps_change){ name, w->entries, 1, w->entries, 1 };
	w->since = (struct caps_since){ &w->view, &w->caps_change, 1 };
	w->rows[0] = (struct surface_row){ &w->ioctl, &w->entry, 8 };
	w->rows[1] = (struct surface_row){ NULL, &w->entry, 0 };
	w->surface = (struct surface){ &w->abi, &w->view, w->rows, 2, 1, 1 };
}

static void fill_ranges(struct world *w)
{
	for (int i = 0; i < 2; i++) {
		w->range_versions[i] = (struct ranges_version){ .node = &w->node, .fit = RANGES_NEEDS, .fresh = &w->finding, .fresh_count = 1 };
		w->proofs[i] = (struct ranges_proof){ .against = w->names, .against_count = 2 };
		w->set_versions[i] = (size_t)i;
	}
	w->range_node = (struct ranges_node){ .node = &w->node, .follows = &w->node, .is_misplaced = true, .verdict = RANGES_MERGE,
		.known = &w->finding, .known_count = 1 };
	w->range_set = (struct ranges_set){ w->set_versions, 2 };
	w->ranges = (struct ranges){ .graph = &w->graph, .table = &w->table, .versions = w->range_versions, .nodes = &w->range_node,
		.sets = &w->range_set, .set_count = 1, .new_nodes = 1 };
	w->ranges_report = (struct ranges_report){ w->name, w->name, &w->ranges, w->proofs };
}

static void fill_show(struct world *w)
{
	const char *name = w->name;

	w->bits = (struct profile_bits){ .name = name, .width = 8 };
	w->parsed = (struct lookup_bits){ &w->bits, 1, name };
	w->parse = (struct lookup_parse){ name, &w->parsed, 1 };
	w->table_struct = (struct table_struct){ name, name };
	w->read_entry = (struct table_entry){ .family = name, .name = name, .caps = w->names, .cap_count = 2, .structs = &w->table_struct, .struct_count = 1 };
	w->forwarded[0] = (struct forwarded){ &w->table, &w->node, FORWARDED_READ, &w->read_entry, &w->node };
	w->forwarded[1] = (struct forwarded){ &w->table, &w->node, FORWARDED_NONE, NULL, NULL };
	w->word = (struct lookup_word){ .text = name };
	for (int kind = 0; kind < ABI_KIND_COUNT; kind++) {
		w->items[kind] = (struct lookup_item){ .kind = (enum abi_kind)kind, .span = w->span };
		w->show_items[kind] = (struct show_item){ .item = &w->items[kind], .parse = &w->parse, .forwarded = &w->forwarded[kind % 2] };
	}
	w->items[ABI_RECORD].record = w->show_items[ABI_RECORD].record = w->show_items[ABI_IOCTL].record = &w->record;
	w->show_items[ABI_RECORD].layout = w->show_items[ABI_IOCTL].layout = &w->layout;
	w->show_items[ABI_RECORD].users = &w->reach;
	w->show_items[ABI_RECORD].user_count = 1;
	w->items[ABI_ALIAS].alias = &w->alias;
	w->items[ABI_ENUM].one = &w->one;
	w->items[ABI_CONSTANT].constant = &w->constant;
	w->items[ABI_CONSTANT].is_command = true;
	w->items[ABI_IOCTL].ioctl = &w->ioctl;
	w->others[0] = w->span;
	w->lookup = (struct lookup){ .items = w->items, .item_count = ABI_KIND_COUNT, .others = w->others, .other_count = 1 };
	w->show_word = (struct show_word){ &w->word, &w->other_abi, &w->lookup, w->show_items };
	w->other_abi = w->abi;
	w->show = (struct show_report){ &w->abi, &w->graph, &w->show_word, 1 };
	w->blame_ioctl = (struct blame_ioctl){ &w->show_items[ABI_IOCTL], &w->graph };
}

static void fill(struct world *w, const char *name)
{
	*w = (struct world){ .name = name, .number = { 1, false }, .number_before = { 2, false } };
	fill_abi(w);
	fill_diff(w);
	fill_history(w);
	fill_verify(w);
	fill_ranges(w);
	fill_show(w);
}

static const struct report_style plain = { .verbose = true }, folded = { 0 };

static void render_text(struct strbuf *out, const struct world *w)
{
	report_diff_text(out, &w->diff, &plain);
	report_origin_text(out, &w->abi);
	report_record_text(out, &w->abi, &w->record, &w->layout, &w->reach, 1, &plain);
	report_alias_text(out, &w->alias, &plain);
	report_enum_text(out, &w->one, &plain);
	report_constant_text(out, &w->constant, &plain);
	report_ioctl_text(out, &w->ioctl, &plain);
	report_history_text(out, &w->history_report, &plain);
	report_show_text(out, &w->show, &plain);
	report_described_text(out, &w->graph, &w->show_items[ABI_IOCTL], &plain);
	report_blame_text(out, &w->blame, &w->graph, NULL, &plain);
	report_surface_text(out, &w->surface, &plain);
	report_caps_text(out, &w->caps, &w->since, &plain);
	report_verify(out, &w->verify, VERIFY_TEXT, &plain);
	report_acceptances(out, &w->table, &w->acceptances);
}

/* Their lines are broken where they are full. */
static void render_lists(struct strbuf *out, const struct world *w)
{
	report_ranges_text(out, &w->ranges_report, &plain);
	report_ranges_text(out, &w->ranges_report, &folded);
}

static void render_tap(struct strbuf *out, const struct world *w)
{
	report_verify(out, &w->verify, VERIFY_TAP, &plain);
}

static void render_markdown(struct strbuf *out, const struct world *w)
{
	report_diff_markdown(out, &w->diff);
	report_history_markdown(out, &w->history_report);
	report_verify(out, &w->verify, VERIFY_MARKDOWN, &plain);
}

static void render_csv(struct strbuf *out, const struct world *w)
{
	report_history_csv(out, &w->history_report);
	report_surface_csv(out, &w->surface);
}

static void render_junit(struct strbuf *out, const struct world *w)
{
	report_verify(out, &w->verify, VERIFY_JUNIT, &plain);
}

static void render_page(struct strbuf *out, const struct world *w)
{
	report_history_page(out, &w->history_report, &w->timelines);
}

static void render_json(struct strbuf *out, const struct world *w)
{
	report_diff_json(out, &w->diff);
	report_history_json(out, &w->history_report);
	report_show_json(out, &w->show);
	report_blame_json(out, &w->blame, &w->graph, NULL);
	report_blame_ioctl_json(out, &w->blame, &w->graph, NULL, &w->blame_ioctl);
	report_surface_json(out, &w->surface, &w->caps, &w->since);
	report_ranges_json(out, &w->ranges_report);
	report_verify(out, &w->verify, VERIFY_JSON, &plain);
}

static void render_sarif(struct strbuf *out, const struct world *w)
{
	report_verify(out, &w->verify, VERIFY_SARIF, &plain);
}

static void rendered(struct strbuf *out, void (*render)(struct strbuf *, const struct world *), const char *name)
{
	struct world *world = xmalloc(sizeof(*world));

	fill(world, name);
	render(out, world);
	free(world);
}

/* Newlines apart, every character may stand on a terminal. */
static void check_printable(const struct strbuf *out, const char *name)
{
	for (size_t at = 0, length; at < out->length; at += length) {
		length = utf8_length(out->text + at, out->length - at);
		if (!length || (out->text[at] != '\n' && out->text[at] != '\t' && !escape_is_printable(utf8_code(out->text + at, length))))
			fail_msg("'%s': byte 0x%02x in %.60s", name, (unsigned char)out->text[at], out->text + (at > 30 ? at - 30 : 0));
	}
}

static size_t lines_of(const struct strbuf *out)
{
	size_t lines = 0;

	for (size_t i = 0; i < out->length; i++)
		lines += out->text[i] == '\n';
	return lines;
}

static void check_lacks(const char *text, const char *name, const char *word)
{
	const char *found = strstr(text, word);

	if (found)
		fail_msg("'%s': %s in %.60s", name, word, found - text > 30 ? found - 30 : text);
}

/* Every hostile name, as @render writes it: printable, and in as many lines as an ordinary one. */
static void check_all(void (*render)(struct strbuf *, const struct world *), bool same_lines,
		      void (*check)(struct strbuf *, const char *name))
{
	struct strbuf ordinary = { 0 };

	rendered(&ordinary, render, "ordinary");
	for (size_t i = 0; i < HOSTILE_COUNT; i++) {
		struct strbuf out = { 0 };

		rendered(&out, render, hostile[i]);
		check_printable(&out, hostile[i]);
		if (same_lines && lines_of(&out) != lines_of(&ordinary))
			fail_msg("'%s': %zu lines, not %zu", hostile[i], lines_of(&out), lines_of(&ordinary));
		if (check)
			check(&out, hostile[i]);
		strbuf_release(&out);
	}
	strbuf_release(&ordinary);
}

static void text_is_only_text(void **state)
{
	(void)state;
	check_all(render_text, true, NULL);
	check_all(render_lists, false, NULL);
}

static void tap_has_its_own_directives(struct strbuf *out, const char *name)
{
	(void)name;
	for (char *line = out->text; *line; line = strchr(line, '\n') + 1)
		assert_true(!strncmp(line, "TAP", 3) || !strncmp(line, "1..", 3) || *line == '#' || strstr(line, "ok ") <= line + 4);
}

static void tap_is_only_text(void **state)
{
	(void)state;
	check_all(render_tap, true, tap_has_its_own_directives);
}

/* Blocks of code are blanked: only a line of three backticks ends one. */
static void blank_blocks(char *text)
{
	char *begin, *end;

	for (char *at = text; (begin = strstr(at, "\n```diff\n")); at = end) {
		end = strstr(begin + 1, "\n```\n");
		assert_non_null(end);
		end += strlen("\n```\n");
		memset(begin, ' ', (size_t)(end - begin));
	}
}

/* Spans of code are blanked: there, everything is text. A backtick after a backslash begins none. */
static void blank_spans(char *text)
{
	for (char *at = text; *at;) {
		size_t fence = strspn(at, "`"), run;
		char *end = at + fence;

		if (!fence) {
			at += *at == '\\' && at[1] ? 2 : 1;
			continue;
		}
		for (run = 0; *end && run != fence; end += run + !run)
			if ((run = strspn(end, "`")) == fence)
				break;
		if (!*end)
			fail_msg("code has no end: %.60s", at);
		memset(at, ' ', (size_t)(end - at) + fence);
		at = end + fence;
	}
}

static void markdown_has_no_markup(struct strbuf *out, const char *name)
{
	static const char *const words[] = { "<img", "<!--", "<script", "</script", "a](", "@everyone", "@SUM", "http:", "https:", "www.x", "**d",
					     "~~c", "&lt;&#60;", "#17", "H-17", "h-17", "9a54ca0", "deadbee", ":tada:", ":b:" };

	blank_blocks(out->text);
	blank_spans(out->text);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		check_lacks(out->text, name, words[i]);
}

static void markdown_is_only_text(void **state)
{
	(void)state;
	check_all(render_markdown, true, markdown_has_no_markup);
}

static void csv_has_no_formula(struct strbuf *out, const char *name)
{
	bool quoted = false, begins = true;

	for (const char *at = out->text; *at; at++) {
		if (begins && strchr("=+-@", *at))
			fail_msg("'%s': a formula: %.40s", name, at);
		begins = (begins && *at == '"') || (!quoted && strchr(",\n", *at));
		quoted ^= *at == '"';
	}
}

static void csv_is_only_text(void **state)
{
	(void)state;
	check_all(render_csv, true, csv_has_no_formula);
}

static void xml_has_no_foreign_element(struct strbuf *out, const char *name)
{
	static const char *const words[] = { "<img", "<!--", "<script", "</script", "]]>", "&lt;&#60;" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		check_lacks(out->text, name, words[i]);
}

static void junit_is_only_text(void **state)
{
	(void)state;
	check_all(render_junit, true, xml_has_no_foreign_element);
}

/* In the data, names are spelled out before they are JSON: else the script would read, and show, the mark itself. */
static void page_has_no_foreign_element(struct strbuf *out, const char *name)
{
	static const char *const marks[] = { "a\\u20", "b\\u20", "a\\u001", "a\\n", "a\\r" };
	const char *data = strstr(out->text, "<script id=\"data\"");

	check_lacks(out->text, name, "<img");
	check_lacks(out->text, name, "<script>alert");
	assert_non_null(data);
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		check_lacks(data, name, marks[i]);
}

static void the_page_is_only_text(void **state)
{
	(void)state;
	check_all(render_page, true, page_has_no_foreign_element);
}

/* The texts of messages, without what else there is: @out holds nothing but them afterwards. */
static void only_messages(struct strbuf *out)
{
	static const char begin[] = "{\"text\": \"";
	struct strbuf messages = { 0 };

	for (const char *at = out->text; (at = strstr(at, begin)); ) {
		at += strlen(begin);
		for (; *at != '"'; at++) {
			if (*at == '\\')
				strbuf_addch(&messages, *at++);
			strbuf_addch(&messages, *at);
		}
		strbuf_addch(&messages, '\n');
	}
	strbuf_release(out);
	*out = messages;
}

static void messages_have_no_link_and_no_argument(struct strbuf *out, const char *name)
{
	only_messages(out);
	if (strlen(name) > 2)
		assert_true(out->length > 500);
	check_lacks(out->text, name, "](");
	check_lacks(out->text, name, " {0}");
	check_lacks(out->text, name, "a\\u");
	check_lacks(out->text, name, "a\\n");
}

static void sarif_is_only_text(void **state)
{
	(void)state;
	check_all(render_sarif, true, messages_have_no_link_and_no_argument);
}

static void json_is_printable(void **state)
{
	(void)state;
	check_all(render_json, true, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_only_text),
		cmocka_unit_test(tap_is_only_text),
		cmocka_unit_test(markdown_is_only_text),
		cmocka_unit_test(csv_is_only_text),
		cmocka_unit_test(junit_is_only_text),
		cmocka_unit_test(the_page_is_only_text),
		cmocka_unit_test(json_is_printable),
		cmocka_unit_test(sarif_is_only_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
