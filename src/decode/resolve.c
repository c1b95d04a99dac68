/*
 * 1. The version is chosen: the one that was asked for, if the size is right there; else the newest of those in which
 *    it is. All that fit are told, and where others have the same size and other fields.
 * 2. The record of that version is the one of the bytes. A size that no version has is refused.
 * All of it is the same for every call of the same ioctl and size: decode/memo.c remembers it.
 */
#include "decode/resolve.h"

#include "flatten/flatten.h"

#include <string.h>

enum { NOTES_MAX = 8 };

/* One ioctl while it is being decoded. */
struct pass {
	const struct decode_scope *scope;
	struct decode_ioctl *ioctl;
	struct decode_sizes sizes;
	const char **notes;
	size_t chosen; /* version; the graph's count: the one that was asked for, or none */
	bool by_size;  /* versions of another size do not fit */
	struct arena *arena;
};

static void note(struct pass *pass, const struct strbuf *text)
{
	if (pass->ioctl->note_count < NOTES_MAX)
		pass->notes[pass->ioctl->note_count++] = arena_strdup(pass->arena, strbuf_text(text));
}

static bool run_fits(const struct pass *pass, const struct decode_size *run)
{
	return !pass->by_size || run->size_bytes == pass->ioctl->size_bytes;
}

/* As call_record(); an array of its elements, if that is what it is. */
static const char *record_of(const struct abi *abi, const struct abi_ioctl *ioctl, uint64_t size_bytes, struct arena *arena)
{
	const char *element = call_array_element(ioctl);
	const uint64_t element_bytes = element ? call_record_size(abi, element) : 0;

	if (!element_bytes || !size_bytes)
		return call_record(abi, ioctl, size_bytes);
	if (size_bytes % element_bytes || size_bytes == element_bytes)
		return element;
	return arena_printf(arena, "%s[%llu]", element, (unsigned long long)(size_bytes / element_bytes));
}

/* --- which versions fit ----------------------------------------------------------------- */

/* "A..B" for each run of versions that fit; runs that differ in a size that does not matter are joined. */
static void list_versions(struct pass *pass)
{
	const struct history_graph *graph = pass->scope->graph;
	const char **list = arena_array(pass->arena, pass->sizes.count + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < pass->sizes.count; i++) {
		const struct decode_size *first = &pass->sizes.runs[i];
		const struct decode_size *last = first;

		if (!run_fits(pass, first))
			continue;
		while (i + 1 < pass->sizes.count && pass->sizes.runs[i + 1].first == last->last + 1 && run_fits(pass, &pass->sizes.runs[i + 1]))
			last = &pass->sizes.runs[++i];
		list[count++] = first->first == last->last ? graph->versions[first->first].version
							  : arena_printf(pass->arena, "%s..%s", graph->versions[first->first].version,
									 graph->versions[last->last].version);
	}
	pass->ioctl->versions = list;
	pass->ioctl->version_count = count;
}

static size_t newest_fit(const struct pass *pass)
{
	for (size_t i = pass->sizes.count; i-- > 0;)
		if (run_fits(pass, &pass->sizes.runs[i]))
			return pass->sizes.runs[i].last;
	return pass->scope->graph->version_count;
}

/* "132 bytes; the record has 68 since 595.44.02, 132 before" */
static void note_sizes(struct pass *pass)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%llu bytes; ", (unsigned long long)pass->ioctl->size_bytes);
	if (pass->sizes.count == 1 && !pass->sizes.runs[0].size_bytes) {
		strbuf_adds(&text, "the driver's headers describe no parameters");
	} else {
		strbuf_adds(&text, "the record has ");
		decode_sizes_text(&text, &pass->sizes, pass->scope->graph);
	}
	note(pass, &text);
	strbuf_release(&text);
}

static bool has_no_record(const struct pass *pass)
{
	for (size_t i = 0; i < pass->sizes.count; i++)
		if (pass->sizes.runs[i].size_bytes)
			return false;
	return true;
}

/* Does the version that was asked for have the ioctl, with this size? */
static bool asked_fits(struct pass *pass)
{
	const struct abi *abi = pass->scope->asked;
	const struct abi_ioctl *found = abi ? call_find(abi, pass->ioctl->family, pass->ioctl->number) : NULL;
	const char *record = found ? record_of(abi, found, pass->by_size ? pass->ioctl->size_bytes : 0, pass->arena) : NULL;
	struct strbuf text = { 0 };

	if (!abi)
		return false;
	if (!found) {
		strbuf_addf(&text, "%s has no such ioctl", abi->version);
		note(pass, &text);
		strbuf_release(&text);
	}
	return found && (!pass->by_size || (record ? call_record_size(abi, record) : 0) == pass->ioctl->size_bytes);
}

/* Sets the document to decode with. */
static void choose_version(struct pass *pass)
{
	const struct history_graph *graph = pass->scope->graph;
	struct decode_ioctl *ioctl = pass->ioctl;

	pass->chosen = graph->version_count;
	if (asked_fits(pass)) {
		ioctl->is_asked = true;
		ioctl->abi = pass->scope->asked;
		pass->chosen = pass->scope->asked_index;
		return;
	}
	pass->chosen = newest_fit(pass);
	if (pass->by_size && pass->sizes.count && (pass->chosen == graph->version_count || pass->scope->asked))
		note_sizes(pass);
	if (pass->chosen < graph->version_count)
		ioctl->abi = graph->versions[pass->chosen].abi;
	else if (pass->sizes.newest < graph->version_count)
		ioctl->abi = graph->versions[pass->sizes.newest].abi;
}

/* --- versions of one size that have other fields ------------------------------------------- */

static bool same_fields(const struct abi_layout *a, const struct abi_layout *b)
{
	if (a->leaf_count != b->leaf_count)
		return false;
	for (size_t i = 0; i < a->leaf_count; i++) {
		const struct abi_leaf *x = &a->leaf[i], *y = &b->leaf[i];

		if (x->offset_bits != y->offset_bits || x->size_bits != y->size_bits || x->kind != y->kind || strcmp(x->path, y->path))
			return false;
	}
	return true;
}

static bool differs(const struct pass *pass, const struct abi_layout *chosen, size_t version, struct arena *scratch)
{
	const struct abi *abi = pass->scope->graph->versions[version].abi;
	const struct abi_ioctl *found = abi ? call_find(abi, pass->ioctl->family, pass->ioctl->number) : NULL;
	const char *record = found ? call_record(abi, found, pass->ioctl->size_bytes) : NULL;
	struct abi_layout layout;

	if (!record || call_record_size(abi, record) != pass->ioctl->size_bytes || flatten_record(&layout, abi, record, scratch, NULL))
		return false;
	return !same_fields(chosen, &layout);
}

/* "as in 590.48.01; other fields in 515.43.04..530.30.02" */
static void note_other_fields(struct pass *pass)
{
	const struct history_graph *graph = pass->scope->graph;
	struct strbuf text = { 0 };
	struct arena scratch = { 0 };
	struct abi_layout chosen;
	size_t first = graph->version_count, last = 0, count = 0;

	if (!flatten_record(&chosen, pass->ioctl->abi, pass->ioctl->record, &scratch, NULL))
		for (size_t v = 0; v < graph->version_count; v++)
			if (differs(pass, &chosen, v, &scratch)) {
				first = count++ ? first : v;
				last = v;
			}
	if (count) {
		strbuf_addf(&text, "decoded as in %s; ", pass->ioctl->abi->version);
		if (count == 1)
			strbuf_addf(&text, "%s has other fields of this size", graph->versions[first].version);
		else
			strbuf_addf(&text, "%zu versions from %s to %s have other fields of this size", count, graph->versions[first].version,
				    graph->versions[last].version);
		note(pass, &text);
	}
	strbuf_release(&text);
	arena_release(&scratch);
}

/* --- one ioctl -------------------------------------------------------------------------------- */

/* A control command that no method table lists may still have a macro, which is named after its class: NV2080_CTRL_... */
static void name_by_macro(struct pass *pass)
{
	const struct history_graph *graph = pass->scope->graph;
	const char *prefix = arena_printf(pass->arena, "NV%04llX_CTRL_", (unsigned long long)pass->ioctl->number >> 16);

	for (size_t v = graph->version_count; v-- > 0 && !strcmp(pass->ioctl->family, "control");) {
		const struct abi *abi = graph->versions[v].abi;

		for (size_t i = abi ? abi_constants_from(abi, prefix) : 0; abi && i < abi->constant_count; i++) {
			const struct abi_constant *at = &abi->constants[i];

			if (strncmp(at->name, prefix, strlen(prefix)) != 0)
				break;
			if (at->value.magnitude != pass->ioctl->number || at->value.negative)
				continue;
			pass->ioctl->name = at->name;
			pass->ioctl->is_command = true;
			pass->ioctl->abi = abi;
			return;
		}
	}
}

static void find_lifetime(struct pass *pass)
{
	struct strbuf text = { 0 };

	decode_lifetime_text(&text, pass->scope->graph, pass->ioctl->family, pass->ioctl->number);
	pass->ioctl->lifetime = arena_strdup(pass->arena, strbuf_text(&text));
	strbuf_release(&text);
}

static void find_record(struct pass *pass, bool has_bytes)
{
	struct decode_ioctl *ioctl = pass->ioctl;

	if (!has_bytes || !ioctl->record)
		return;
	if (call_record_size(ioctl->abi, ioctl->record) != ioctl->size_bytes)
		ioctl->is_refused = true;
	else if (!pass->scope->asked)
		note_other_fields(pass);
}

void decode_resolve(struct decode_ioctl *out, const struct decode_subject *subject, const struct decode_scope *scope, struct arena *arena)
{
	struct pass pass = { .scope = scope, .ioctl = out, .arena = arena };
	const struct abi_ioctl *found;

	*out = (struct decode_ioctl){ .family = arena_strdup(arena, subject->family), .number = subject->number, .size_bytes = subject->size_bytes,
				      .has_size = subject->has_size };
	pass.notes = arena_array(arena, NOTES_MAX, sizeof(*pass.notes));
	out->notes = pass.notes;
	pass.by_size = out->has_size;
	decode_sizes(&pass.sizes, scope->graph, out->family, out->number, out->has_size ? out->size_bytes : 0, arena);
	if (pass.by_size && has_no_record(&pass)) {
		if (pass.sizes.count)
			note_sizes(&pass);
		pass.by_size = false;
	}
	choose_version(&pass);
	list_versions(&pass);
	find_lifetime(&pass);
	found = out->abi ? call_find(out->abi, out->family, out->number) : NULL;
	if (!found) {
		name_by_macro(&pass);
		return;
	}
	out->name = found->name;
	out->record = record_of(out->abi, found, out->has_size ? out->size_bytes : 0, arena);
	find_record(&pass, subject->has_bytes);
}
