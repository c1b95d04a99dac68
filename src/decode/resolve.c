/*
 * 1. The names that the number has had, and the versions of each in which the parameters have the call's size, are listed.
 * 2. The version is chosen: the one that was asked for, if the size is right there; else the newest that fits. All names that
 *    fit are told with their versions, and where others have the same size and other fields.
 * 3. The record of that version is the one of the bytes. A size that no version has is refused.
 * All of it is the same for every call of the same ioctl and size: decode/memo.c remembers it.
 */
#include "decode/resolve.h"

#include "flatten/flatten.h"

#include <stdlib.h>
#include <string.h>

enum { NOTES_MAX = 8 };

/* One name of the number, and where it fits. */
struct fit {
	const struct decode_owner *owner;
	bool *has;     /* by version of the graph: it has the name, and the parameters have the call's size; malloc'd */
	size_t newest; /* the last of these, plus 1; 0: there is none */
};

/* One ioctl while it is being decoded. */
struct pass {
	const struct decode_scope *scope;
	const struct history_graph *graph;
	struct decode_ioctl *ioctl;
	const struct decode_number *number; /* NULL: no version has it */
	struct fit *fits;                   /* by owner; then sorted: ioctls first, those that fit a newer version before others */
	size_t fit_count;
	const char **notes;
	bool by_size;                       /* versions of another size do not fit */
	struct arena *arena;
};

static void note(struct pass *pass, struct strbuf *text)
{
	if (pass->ioctl->note_count < NOTES_MAX)
		pass->notes[pass->ioctl->note_count++] = arena_strdup(pass->arena, strbuf_text(text));
	strbuf_release(text);
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

/* Do the headers describe no parameters, under any name? */
static bool has_no_record(const struct pass *pass)
{
	for (size_t i = 0; i < pass->fit_count; i++)
		for (size_t r = 0; r < pass->fits[i].owner->run_count; r++)
			if (pass->fits[i].owner->runs[r].size_bytes)
				return false;
	return true;
}

/* The size of a command that only a macro names is not known: it may have any. */
static void find_fit(struct fit *fit, const struct pass *pass)
{
	const struct decode_ioctl *ioctl = pass->ioctl;
	const struct decode_size *runs;
	size_t count;

	if (fit->owner->is_macro)
		memcpy(fit->has, fit->owner->has, pass->graph->version_count * sizeof(*fit->has));
	runs = decode_number_runs(&count, fit->owner, pass->number, pass->graph, ioctl->family, ioctl->number, ioctl->size_bytes, pass->arena);
	for (size_t r = 0; r < count; r++)
		for (size_t v = runs[r].first; v <= runs[r].last; v++)
			fit->has[v] = fit->owner->has[v] && (!pass->by_size || runs[r].size_bytes == ioctl->size_bytes);
	for (size_t v = 0; v < pass->graph->version_count; v++)
		fit->newest = fit->has[v] ? v + 1 : fit->newest;
}

static int order_fits(const void *a, const void *b)
{
	const struct fit *x = a, *y = b;

	if (x->owner->is_macro != y->owner->is_macro)
		return x->owner->is_macro ? 1 : -1;
	if (x->newest != y->newest)
		return x->newest > y->newest ? -1 : 1;
	return x->owner < y->owner ? -1 : x->owner > y->owner;
}

static void note_no_parameters(struct pass *pass)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%llu bytes; the driver's headers describe no parameters", (unsigned long long)pass->ioctl->size_bytes);
	note(pass, &text);
}

static void find_fits(struct pass *pass)
{
	pass->fit_count = pass->number ? pass->number->owner_count : 0;
	pass->fits = arena_array(pass->arena, pass->fit_count, sizeof(*pass->fits));
	for (size_t i = 0; i < pass->fit_count; i++)
		pass->fits[i].owner = &pass->number->owners[i];
	if (pass->by_size && has_no_record(pass)) {
		if (pass->fit_count && !pass->fits[0].owner->is_macro)
			note_no_parameters(pass);
		pass->by_size = false;
	}
	for (size_t i = 0; i < pass->fit_count; i++) {
		pass->fits[i].has = xmalloc(pass->graph->version_count * sizeof(bool));
		memset(pass->fits[i].has, 0, pass->graph->version_count * sizeof(bool));
		find_fit(&pass->fits[i], pass);
	}
	if (pass->fit_count > 1)
		qsort(pass->fits, pass->fit_count, sizeof(*pass->fits), order_fits);
}

/* --- the names --------------------------------------------------------------------------- */

static void put_name(struct pass *pass, struct decode_name *out, const struct fit *fit)
{
	const struct abi *abi = fit->newest ? pass->graph->versions[fit->newest - 1].abi : NULL;
	const struct abi_ioctl *found = abi && !fit->owner->is_macro ? call_find(abi, pass->ioctl->family, pass->ioctl->number) : NULL;

	*out = (struct decode_name){ .name = fit->owner->name, .is_macro = fit->owner->is_macro, .lifetime = fit->owner->lifetime };
	out->version_count = decode_versions_list(&out->versions, fit->has, pass->graph, pass->arena);
	if (found)
		out->record = record_of(abi, found, pass->ioctl->has_size ? pass->ioctl->size_bytes : 0, pass->arena);
}

/* All that fit; if none does, what the number is with other sizes. @only: this one alone; NULL: all */
static void list_names(struct pass *pass, const char *only)
{
	struct decode_name *names = arena_array(pass->arena, pass->fit_count + 1, sizeof(*names));
	const bool any = pass->fit_count && (pass->fits[0].newest || pass->fits[0].owner->is_macro);

	pass->ioctl->names = names;
	for (size_t i = 0; i < pass->fit_count; i++)
		if (only ? !strcmp(pass->fits[i].owner->name, only) : pass->fits[i].newest || !any)
			put_name(pass, &names[pass->ioctl->name_count++], &pass->fits[i]);
	if (only && !pass->ioctl->name_count)
		names[pass->ioctl->name_count++] = (struct decode_name){ .name = only, .lifetime = "" }; /* of a version outside of the graph */
}

/* Those of all ioctls that are told; a macro is no ioctl. */
static void list_versions(struct pass *pass, const char *only)
{
	bool *has = xmalloc(pass->graph->version_count + 1);

	memset(has, 0, pass->graph->version_count);
	for (size_t i = 0; i < pass->fit_count; i++)
		for (size_t v = 0; v < pass->graph->version_count; v++)
			has[v] |= pass->fits[i].has[v] && !pass->fits[i].owner->is_macro && (!only || !strcmp(pass->fits[i].owner->name, only));
	pass->ioctl->version_count = decode_versions_list(&pass->ioctl->versions, has, pass->graph, pass->arena);
	free(has);
}

/* --- the version -------------------------------------------------------------------------- */

/* "132 bytes; the record has 68 in 595.44.02..595.45.04, 132 in 515.43.04..590.48.01" */
static void note_sizes(struct pass *pass)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%llu bytes; ", (unsigned long long)pass->ioctl->size_bytes);
	decode_number_sizes(&text, pass->number, "the record", pass->graph);
	note(pass, &text);
}

/* Why the call is not decoded as in the version that was asked for. */
static void note_asked(struct pass *pass, const struct abi_ioctl *found)
{
	const struct abi *asked = pass->scope->asked, *abi = pass->ioctl->abi;
	const char *record = found ? record_of(asked, found, pass->ioctl->size_bytes, pass->arena) : NULL;
	struct strbuf text = { 0 };

	if (!found)
		strbuf_addf(&text, "%s has no such ioctl", asked->version);
	else
		strbuf_addf(&text, "%llu bytes; in %s, %s has %llu", (unsigned long long)pass->ioctl->size_bytes, asked->version,
			    record ? "the record" : found->name, (unsigned long long)(record ? call_record_size(asked, record) : 0));
	if (abi)
		strbuf_addf(&text, "; decoded as in %s", abi->version);
	note(pass, &text);
}

/* Of a command that only macros name in the version that was asked for, these are the names. */
static bool choose_macros(struct pass *pass)
{
	const size_t version = pass->scope->asked_index;
	struct decode_ioctl *ioctl = pass->ioctl;
	struct decode_name *names;

	if (!pass->scope->asked || version >= pass->graph->version_count)
		return false;
	ioctl->names = names = arena_array(pass->arena, pass->fit_count, sizeof(*names));
	for (size_t i = 0; i < pass->fit_count; i++)
		if (pass->fits[i].owner->is_macro && pass->fits[i].has[version])
			put_name(pass, &names[ioctl->name_count++], &pass->fits[i]);
	if (!ioctl->name_count)
		return false;
	ioctl->is_asked = true;
	ioctl->abi = pass->scope->asked;
	return true;
}

/* Does the version that was asked for have the ioctl, with this size? */
static bool asked_fits(const struct pass *pass, const struct abi_ioctl *found)
{
	const char *record = found ? record_of(pass->scope->asked, found, pass->by_size ? pass->ioctl->size_bytes : 0, pass->arena) : NULL;

	return found && (!pass->by_size || (record ? call_record_size(pass->scope->asked, record) : 0) == pass->ioctl->size_bytes);
}

/* Sets the document to decode with, and the names. */
static void choose_version(struct pass *pass)
{
	const struct abi *asked = pass->scope->asked;
	struct decode_ioctl *ioctl = pass->ioctl;
	const struct abi_ioctl *found = asked ? call_find(asked, ioctl->family, ioctl->number) : NULL;
	const struct fit *first = pass->fit_count ? &pass->fits[0] : NULL;

	if (asked_fits(pass, found)) {
		ioctl->is_asked = true;
		ioctl->abi = asked;
		list_names(pass, found->name);
		list_versions(pass, found->name);
		return;
	}
	if (!found && choose_macros(pass))
		return;
	list_names(pass, found && first && !first->newest ? found->name : NULL);
	list_versions(pass, NULL);
	if (first && first->newest)
		ioctl->abi = pass->graph->versions[first->newest - 1].abi;
	if (asked && (!found || (first && first->newest)))
		note_asked(pass, found);
	if (first && !first->newest) {
		note_sizes(pass);
		ioctl->abi = found ? asked : pass->graph->versions[first->owner->runs[first->owner->run_count - 1].last].abi;
	}
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
	arena_release(&scratch);
}

/* --- one ioctl -------------------------------------------------------------------------------- */

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
	struct pass pass = { .scope = scope, .graph = scope->graph, .ioctl = out, .by_size = subject->has_size, .arena = arena };
	const struct abi_ioctl *found;

	*out = (struct decode_ioctl){ .family = arena_strdup(arena, subject->family), .number = subject->number, .size_bytes = subject->size_bytes,
				      .has_size = subject->has_size };
	pass.notes = arena_array(arena, NOTES_MAX, sizeof(*pass.notes));
	out->notes = pass.notes;
	pass.number = decode_numbers_find(scope->numbers, out->family, out->number);
	find_fits(&pass);
	choose_version(&pass);
	found = out->abi ? call_find(out->abi, out->family, out->number) : NULL;
	out->name = found ? found->name : out->name_count ? out->names[0].name : NULL;
	out->is_command = !found && out->name;
	if (found) {
		out->record = record_of(out->abi, found, out->has_size ? out->size_bytes : 0, arena);
		find_record(&pass, subject->has_bytes);
	}
	for (size_t i = 0; i < pass.fit_count; i++)
		free(pass.fits[i].has);
}
