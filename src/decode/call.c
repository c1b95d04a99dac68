/*
 * 1. The request is followed (call/): envelopes, and what is inside. Which record an envelope is, the newest version
 *    whose record has its size says.
 * 2. For each of them, the version is chosen: the one that was asked for, if the size is right there; else the newest
 *    of those in which it is. All that fit are told, and where others have the same size and other fields.
 * 3. Its bytes become fields. A size that no version has is refused.
 * 4. With a table, what the proxy does with the innermost one.
 */
#include "decode/decode.h"

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
	const char *record = found ? call_record(abi, found, pass->by_size ? pass->ioctl->size_bytes : 0) : NULL;
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

		for (size_t i = 0; abi && i < abi->constant_count; i++) {
			const struct abi_constant *at = &abi->constants[i];

			if (at->value.magnitude != pass->ioctl->number || at->value.negative || strncmp(at->name, prefix, strlen(prefix)))
				continue;
			pass->ioctl->name = at->name;
			pass->ioctl->is_command = true;
			pass->ioctl->abi = abi;
			return;
		}
	}
}

static int read_fields(struct pass *pass, const uint8_t *bytes, struct err *err)
{
	struct decode_ioctl *ioctl = pass->ioctl;

	ioctl->fields.bytes = bytes;
	if (!bytes || !ioctl->record)
		return 0;
	if (call_record_size(ioctl->abi, ioctl->record) != ioctl->size_bytes) {
		ioctl->is_refused = true;
		return 0;
	}
	if (!pass->scope->asked)
		note_other_fields(pass);
	return decode_fields(&ioctl->fields, ioctl->abi, ioctl->record, bytes, ioctl->size_bytes, pass->arena, err);
}

static int decode_one(struct decode_ioctl *out, const struct call *call, const struct decode_scope *scope, struct arena *arena, struct err *err)
{
	struct pass pass = { .scope = scope, .ioctl = out, .arena = arena };
	const struct abi_ioctl *found;

	*out = (struct decode_ioctl){ .family = call->family, .number = call->number, .size_bytes = call->size_bytes,
				      .has_size = call->has_size || call->bytes };
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
	found = out->abi ? call_find(out->abi, out->family, out->number) : NULL;
	if (!found) {
		name_by_macro(&pass);
		return 0;
	}
	out->name = found->name;
	out->record = call_record(out->abi, found, out->has_size ? out->size_bytes : 0);
	return read_fields(&pass, call->bytes, err);
}

/* --- the chain ----------------------------------------------------------------------------------- */

/* The version in which an envelope is looked at. */
static const struct abi *envelope_document(const struct call *call, const struct decode_scope *scope, struct arena *arena)
{
	struct decode_sizes sizes;

	if (scope->asked && call_find(scope->asked, call->family, call->number))
		return scope->asked;
	decode_sizes(&sizes, scope->graph, call->family, call->number, call->size_bytes, arena);
	for (size_t i = sizes.count; i-- > 0;)
		if (sizes.runs[i].size_bytes == call->size_bytes)
			return scope->graph->versions[sizes.runs[i].last].abi;
	return sizes.newest < scope->graph->version_count ? scope->graph->versions[sizes.newest].abi : NULL;
}

/* What the driver answered: the status that was recorded, or the one in an envelope. A status has one number in all versions. */
static void find_status(struct decode_call *out, const struct decode_input *input, const struct decode_scope *scope)
{
	const struct history_graph *graph = scope->graph;

	out->has_status = input->has_status;
	out->status = input->status;
	for (size_t i = 0; i < out->count && !out->has_status; i++)
		for (size_t f = 0; f < out->ioctls[i].fields.count; f++) {
			const struct decode_field *field = &out->ioctls[i].fields.fields[f];

			if (field->role != ABI_ROLE_STATUS || field->is_array || strchr(field->path, '.'))
				continue;
			out->has_status = true;
			out->status = decode_field_value(field, 0).magnitude;
		}
	if (out->has_status && scope->asked)
		out->status_name = decode_status_name(scope->asked, out->status);
	for (size_t v = graph->version_count; out->has_status && !out->status_name && v-- > 0;)
		out->status_name = graph->versions[v].abi ? decode_status_name(graph->versions[v].abi, out->status) : NULL;
}

/* --- the proxy ------------------------------------------------------------------------------------- */

/* Without a version, the newest one that the proxy supports. */
static const struct table_node *node_of(const struct decode_scope *scope)
{
	const struct table_node *newest = NULL;

	if (scope->asked)
		return forwarded_node(scope->table, scope->graph, scope->asked_index, scope->asked->version);
	for (size_t i = 0; i < scope->table->node_count; i++) {
		const struct table_node *node = &scope->table->nodes[i];

		if (node->supported && (!newest || abi_version_compare(node->version, newest->version) > 0))
			newest = node;
	}
	return newest;
}

static bool table_has_family(const struct table *table, const char *family)
{
	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++)
			if (!strcmp(table->nodes[i].entries[e].family, family))
				return true;
	return false;
}

static void find_forwarded(struct decode_call *out, const struct decode_scope *scope, struct arena *arena)
{
	const struct decode_ioctl *last = &out->ioctls[out->count - 1];

	out->has_table = true;
	forwarded_find(&out->forwarded, scope->table, node_of(scope), last->family, last->number);
	if (out->forwarded.use == FORWARDED_NONE && last->name && !last->is_command && table_has_family(scope->table, last->family))
		out->add = arena_printf(arena, "drvabi bootstrap --add %s --table %s", last->name, scope->table_name);
}

int decode_call(struct decode_call *out, const struct decode_input *input, const struct decode_scope *scope, struct arena *arena,
		struct err *err)
{
	const struct call first = { .family = input->family, .number = input->number, .has_size = input->has_size,
				    .size_bytes = input->size_bytes, .bytes = input->bytes };
	const struct abi *abi = envelope_document(&first, scope, arena);
	struct decode_call call = { .count = 1, .has_ret = input->has_ret, .ret = input->ret };
	struct decode_ioctl *ioctls = arena_array(arena, CALL_DEPTH_MAX, sizeof(*ioctls));
	struct call chain[CALL_DEPTH_MAX] = { first };
	int rc;

	if (abi && first.bytes)
		call.count = call_follow(chain, &first, abi, input->memory);
	for (size_t i = 0; i < call.count; i++)
		if ((rc = decode_one(&ioctls[i], &chain[i], scope, arena, err)))
			return rc;
	call.ioctls = ioctls;
	if (ioctls[call.count - 1].abi) {
		const struct decode_ioctl *last = &ioctls[call.count - 1];

		if (scope->asked == last->abi || (last->version_count == 1 && !strstr(last->versions[0], "..")))
			call.version = last->abi->version;
	}
	find_status(&call, input, scope);
	if (scope->table)
		find_forwarded(&call, scope, arena);
	*out = call;
	return 0;
}
