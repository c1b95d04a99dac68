/* Run the passes on documents, and check their results. */
#include "lib/fuzz.h"

#include "flatten/flatten.h"
#include "abi/internal.h"
#include "report/report.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

/* The maximum number of pairs of a scalar and a hole; larger layouts are not checked for overlaps. */
enum { PAIRS_MAX = 1 << 20 };

/* must_be_json - assert that @text is valid JSON */
static void must_be_json(const struct strbuf *text)
{
	struct err err;

	MUST_SAY(!json_scan(strbuf_text(text), text->length, "output", NULL, &err), &err);
}

/* must_be_text - assert that @text contains no NUL, and release it */
static void must_be_text(struct strbuf *text)
{
	MUST(strlen(strbuf_text(text)) == text->length);
	strbuf_release(text);
}

/* is_beyond - check if a scalar is in an array without elements */
static bool is_beyond(const struct abi_scalar *scalar)
{
	for (size_t i = 0; i < scalar->repeat_count; i++)
		if (!scalar->repeat[i].count)
			return true;
	return false;
}

static void check_scalars(const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->scalar_count; i++) {
		const struct abi_scalar *scalar = &layout->scalar[i];

		MUST(!i || layout->scalar[i - 1].offset_bits <= scalar->offset_bits);
		MUST(scalar->path && scalar->type);
		if (!is_beyond(scalar))
			MUST(scalar->offset_bits + scalar->size_bits <= layout->size_bytes * 8);
	}
}

static void check_holes(const struct abi_layout *layout)
{
	uint64_t end = 0;

	for (size_t i = 0; i < layout->hole_count; i++) {
		const struct abi_hole *hole = &layout->hole[i];

		MUST(hole->size_bits > 0);
		MUST(!i || hole->offset_bits > end);
		end = hole->offset_bits + hole->size_bits;
		MUST(end <= layout->size_bytes * 8);
		MUST(hole->is_tail == (end == layout->size_bytes * 8));
		for (size_t k = 0; k < layout->scalar_count &&
		     layout->scalar_count * layout->hole_count < PAIRS_MAX; k++) {
			const struct abi_scalar *scalar = &layout->scalar[k];

			MUST(is_beyond(scalar) || !scalar->size_bits || scalar->offset_bits >= end ||
			     scalar->offset_bits + scalar->size_bits <= hole->offset_bits);
		}
	}
}

void fuzz_flatten_all(const struct abi *abi)
{
	const struct report_style style = { .verbose = true };
	struct abi_layout *layouts = xmalloc((abi->record_count + 1) * sizeof(*layouts));
	struct arena arena = { 0 };
	struct strbuf out = { 0 };
	struct json_writer writer = { .out = &out };
	size_t count = 0;
	struct err err;

	for (size_t i = 0; i < abi->record_count; i++) {
		err.text[0] = '\0';
		if (flatten_record(&layouts[count], abi, abi->records[i].name, &arena, &err)) {
			fuzz_sentence(&err);
			continue;
		}
		check_scalars(&layouts[count]);
		check_holes(&layouts[count]);
		report_layout_text(&out, &layouts[count], &style);
		count++;
	}
	must_be_text(&out);
	json_write_layouts(&writer, abi, layouts, count, 0);
	must_be_json(&out);
	strbuf_release(&out);
	arena_release(&arena);
	free(layouts);
}

static void write_document(struct strbuf *out, const struct abi *abi)
{
	struct json_writer writer = { .out = out };

	json_write_abi(&writer, abi);
	must_be_json(out);
}

static void must_be_same(const struct strbuf *a, const struct strbuf *b)
{
	MUST(a->length == b->length && !memcmp(strbuf_text(a), strbuf_text(b), a->length));
}

void fuzz_round_trip(const struct abi *abi)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct arena arena = { 0 };
	struct abi back;
	struct err err;

	write_document(&first, abi);
	MUST_SAY(!json_read_abi(&back, first.text, first.length, "our own", &arena, &err), &err);
	write_document(&second, &back);
	must_be_same(&first, &second);
	strbuf_release(&first);
	strbuf_release(&second);
	arena_release(&arena);
}

void fuzz_pack_trip(const struct abi *abi)
{
	struct strbuf first = { 0 }, second = { 0 }, packed = { 0 };
	struct arena arena = { 0 };
	struct abi back;
	struct err err;

	write_document(&first, abi);
	MUST_SAY(!archive_pack(&packed, abi, &err), &err);
	MUST_SAY(!archive_unpack(&back, packed.text, packed.length, &arena, &err), &err);
	write_document(&second, &back);
	must_be_same(&first, &second);
	strbuf_release(&first);
	strbuf_release(&second);
	strbuf_release(&packed);
	arena_release(&arena);
}

/* check_changes - check that each change has classes, and that the summary counts the changes correctly */
static void check_changes(const struct diff *diff)
{
	struct diff_count count[ABI_KIND_COUNT] = { 0 };

	for (size_t i = 0; i < diff->change_count; i++) {
		const struct diff_change *change = &diff->changes[i];

		MUST(change->classes);
		MUST(!(change->classes & ~((1u << DIFF_CLASS_COUNT) - 1)));
		MUST(change->name);
		MUST((change->kind == ABI_IOCTL) == (change->family != NULL));
		MUST(!change->proxied || diff->view);
		if (change->classes & DIFF_ADDED)
			count[change->kind].added++;
		else if (change->classes & DIFF_REMOVED)
			count[change->kind].removed++;
		else
			count[change->kind].changed++;
	}
	for (size_t i = 0; i < ABI_KIND_COUNT; i++) {
		MUST(diff->summary[i].added == count[i].added);
		MUST(diff->summary[i].removed == count[i].removed);
		MUST(diff->summary[i].changed == count[i].changed);
	}
}

static void report_all(const struct diff *diff)
{
	const struct report_style style = { .verbose = true }, colors = { .color = true },
				  markdown = { .markdown = true };
	const struct diff_report report = { .diff = diff };
	struct strbuf out = { 0 };

	report_diff(&out, &report, &style);
	must_be_text(&out);
	report_diff(&out, &report, &colors);
	must_be_text(&out);
	report_diff(&out, &report, &markdown);
	must_be_text(&out);
	report_diff_json(&out, &report);
	must_be_json(&out);
	strbuf_release(&out);
}

void fuzz_diff(const struct abi *base, const struct abi *next, const struct table_view *view)
{
	const struct diff_options options = { .view = view };
	struct arena arena = { 0 };
	struct err err = { "" };
	struct diff diff;

	if (diff_documents(&diff, base, next, &options, &arena, &err)) {
		fuzz_sentence(&err);
	} else {
		MUST(base != next || !diff.change_count);
		check_changes(&diff);
		report_all(&diff);
	}
	arena_release(&arena);
}

/* Shows one item of @abi, as drvabi show does. @any: of the type for @kind */
static void show_item(struct strbuf *out, const struct abi *abi, enum abi_kind kind, const void *any, struct arena *arena)
{
	const struct report_style style = { .verbose = true };
	const struct history_graph graph = { 0 };
	const struct lookup_item item = { .kind = kind, .any = any };
	const struct lookup lookup = { .items = &item, .item_count = 1 };
	const struct lookup_word word = { .text = "name" };
	struct show_item shown = { .item = &item, .abi = abi };
	const struct show_word words = { &word, abi, false, &lookup, &shown };
	struct abi_layout layout;
	struct err err = { "" };

	if (kind == ABI_RECORD) {
		shown.record = any;
		shown.layout = &layout;
		if (flatten_record(&layout, abi, shown.record->name, arena, &err) ||
		    diff_users(&shown.users, &shown.user_count, abi, any, arena, &err)) {
			fuzz_sentence(&err);
			return;
		}
	}
	report_show_text(out, &(struct show_report){ abi, &graph, &words, 1 }, &style);
}

static void show_surface(const struct abi *abi)
{
	const struct report_style style = { .verbose = true };
	const struct table *table = fuzz_demo_table();
	const struct surface_filter some = { .roles = 1u << ABI_ROLE_POINTER | 1u << ABI_ROLE_SIZE }, all = { 0 };
	struct arena arena = { 0 };
	struct table_view view;
	struct surface surface;
	struct caps caps;
	struct strbuf out = { 0 };
	struct err err = { "" };

	table_view_at(&view, table, &table->nodes[0], &arena);
	if (surface_select(&surface, abi, &view, &some, &arena, &err)) {
		fuzz_sentence(&err);
		MUST(!surface_select(&surface, abi, &view, &all, &arena, &err));
	}
	caps_count(&caps, &view, NULL, &arena);
	report_surface_text(&out, &surface, &style);
	must_be_text(&out);
	report_surface_json(&out, &surface, &caps, NULL);
	must_be_json(&out);
	strbuf_release(&out);
	arena_release(&arena);
}

void fuzz_show_all(const struct abi *abi)
{
	struct arena arena = { 0 };
	struct strbuf out = { 0 };

	for (size_t i = 0; i < abi->record_count; i++)
		show_item(&out, abi, ABI_RECORD, &abi->records[i], &arena);
	for (size_t i = 0; i < abi->alias_count; i++)
		show_item(&out, abi, ABI_ALIAS, &abi->aliases[i], &arena);
	for (size_t i = 0; i < abi->enum_count; i++)
		show_item(&out, abi, ABI_ENUM, &abi->enums[i], &arena);
	for (size_t i = 0; i < abi->constant_count; i++)
		show_item(&out, abi, ABI_CONSTANT, &abi->constants[i], &arena);
	for (size_t i = 0; i < abi->ioctl_count; i++)
		show_item(&out, abi, ABI_IOCTL, &abi->ioctls[i], &arena);
	must_be_text(&out);
	arena_release(&arena);
	show_surface(abi);
}

static void report_findings(const struct verify_report *report)
{
	const struct report_style style = { .verbose = true };
	struct strbuf out = { 0 };

	for (int format = VERIFY_TEXT; format <= VERIFY_SARIF; format++) {
		report_verify(&out, report, (enum verify_format)format, &style);
		if (format == VERIFY_JSON || format == VERIFY_SARIF)
			must_be_json(&out);
		must_be_text(&out);
		out = (struct strbuf){ 0 };
	}
}

/* suppress - apply suppressions, and check that each finding remains or is suppressed by one line */
static void suppress(struct verify_version *version, struct suppressions *suppressions, struct arena *arena)
{
	const struct verify_result *result = &version->result;
	size_t found = result->finding_count + result->unseen_count, used = 0;

	version->suppressed_count =
		suppressions_apply(&version->suppressed, &version->result, suppressions, version->version, arena);
	MUST(result->finding_count + result->unseen_count + version->suppressed_count == found);
	for (size_t i = 0; i < suppressions->count; i++)
		used += suppressions->item[i].used;
	MUST(used == version->suppressed_count);
}

/* accept - write suppression lines for all findings, and check that they suppress all of them */
static void accept(const struct verify_version *version, const struct table *table, struct arena *arena)
{
	const struct accept_version found = { version->version, false, &version->result, version->suppressed, version->suppressed_count };
	struct verify_result left = version->result;
	struct acceptances accepted;
	struct suppressions lines;
	const struct suppressed *taken;
	struct strbuf out = { 0 };
	struct err err = { "" };

	if (accept_findings(&accepted, &found, 1, arena, &err)) {
		fuzz_sentence(&err);
		return;
	}
	report_acceptances(&out, table, &accepted);
	MUST(!suppressions_parse(&lines, strbuf_text(&out), "accepted", 20260101, NULL, arena, &err));
	MUST(lines.count == accepted.count);
	suppressions_apply(&taken, &left, &lines, version->version, arena);
	MUST(!left.finding_count && !left.unseen_count);
	must_be_text(&out);
}

/* count_caps - count the capabilities in a view of a table, and compare them with those of the root node */
static void count_caps(const struct table_view *view, struct arena *arena)
{
	struct caps_since since;
	struct table_view root;
	struct caps caps;

	caps_count(&caps, view, NULL, arena);
	table_view_at(&root, view->table, &view->table->nodes[0], arena);
	caps_compare(&since, &caps, &root, arena);
}

void fuzz_verify(const struct abi *abi, const struct table_view *view, const char *text)
{
	struct suppressions suppressions = { 0 };
	struct verify_version version = { .version = view->node->version, .supported = view->node->supported };
	struct verify_report report = { .table = view->table, .versions = &version, .version_count = 1 };
	struct arena arena = { 0 };
	struct err err = { "" };

	if (verify_view(&version.result, abi, view, &arena, &err)) {
		fuzz_sentence(&err);
		goto out;
	}
	if (text && !suppressions_parse(&suppressions, text, "suppress", 20260101, NULL, &arena, &err)) {
		report.suppressions = &suppressions;
		suppress(&version, &suppressions, &arena);
	}
	memset(report.fails, true, sizeof(report.fails));
	version.failing = version.result.finding_count;
	version.status = version.failing ? VERIFY_FAIL : VERIFY_PASS;
	count_caps(view, &arena);
	report_findings(&report);
	accept(&version, view->table, &arena);
out:
	arena_release(&arena);
}
