/*
 * history/lookup.c - what a name or a number is
 *
 * 1. The items of the document that match the word are listed, kind by kind.
 * 2. The index has the items of all versions. Those that match are collected
 *    by kind, family and name, each with the versions that have it. A command's
 *    macro is left out where a version has an ioctl of that name.
 * 3. Each becomes a span: it begins where a version has it and its parent does
 *    not, and ends where the reverse holds. Of a number, that is told of the
 *    item under any number, and beside it where the item got the number.
 * 4. If the document has no match, or only constants of a number that is an
 *    ioctl or a command elsewhere, the nearest version that has more is found.
 * 5. Items get their spans. The other spans of a number are ioctls and
 *    commands of other versions.
 */
#include "history/history.h"
#include "history/command.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* The items of the document that match. */
struct found {
	const struct abi *abi;
	const struct lookup_word *word;
	struct lookup_item *item; /* malloc'd */
	size_t count, capacity;
};

static struct lookup_item *add(struct found *found, enum abi_kind kind)
{
	ARRAY_GROW(found->item, found->count, found->capacity);
	found->item[found->count] = (struct lookup_item){ .kind = kind };
	return &found->item[found->count++];
}

static bool is_named(const struct found *found, const char *name)
{
	return !fnmatch(found->word->text, name, 0);
}

static void find_records(struct found *found)
{
	for (size_t i = 0; i < found->abi->record_count; i++)
		if (is_named(found, found->abi->records[i].name))
			add(found, ABI_RECORD)->record = &found->abi->records[i];
}

static void find_enums(struct found *found)
{
	for (size_t i = 0; i < found->abi->enum_count; i++)
		if (is_named(found, found->abi->enums[i].name))
			add(found, ABI_ENUM)->one = &found->abi->enums[i];
}

static void find_aliases(struct found *found)
{
	const struct abi *abi = found->abi;

	for (size_t i = 0; i < abi->alias_count; i++)
		if (is_named(found, abi->aliases[i].name) && !abi_find_enum(abi, abi->aliases[i].name))
			add(found, ABI_ALIAS)->alias = &abi->aliases[i];
}

static void find_ioctls(struct found *found)
{
	const struct lookup_word *word = found->word;
	const struct abi *abi = found->abi;

	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (word->is_number ? abi->ioctls[i].number == word->number : is_named(found, abi->ioctls[i].name))
			add(found, ABI_IOCTL)->ioctl = &abi->ioctls[i];
}

static void find_constants(struct found *found)
{
	const struct lookup_word *word = found->word;
	const struct abi *abi = found->abi;
	struct command_form form = command_form_of(abi);

	for (size_t i = 0; i < abi->constant_count; i++) {
		const struct abi_constant *constant = &abi->constants[i];
		struct lookup_item *item;

		if (word->is_number ? constant->value.negative || constant->value.magnitude != word->number : !is_named(found, constant->name))
			continue;
		if (abi_find_ioctl(abi, NULL, constant->name))
			continue;
		item = add(found, ABI_CONSTANT);
		item->constant = constant;
		item->is_command = command_is_macro(&form, constant);
	}
}

/* Return: how many things of @abi the word names; they are in @found. */
static size_t find_in(struct found *found, const struct abi *abi, const struct lookup_word *word)
{
	found->abi = abi;
	found->word = word;
	found->count = 0;
	if (!word->is_number) {
		find_records(found);
		find_enums(found);
		find_aliases(found);
	}
	find_ioctls(found);
	find_constants(found);
	return found->count;
}

static const char *item_name(const struct lookup_item *item)
{
	switch (item->kind) {
	case ABI_RECORD: return item->record->name;
	case ABI_ALIAS: return item->alias->name;
	case ABI_ENUM: return item->one->name;
	case ABI_CONSTANT: return item->constant->name;
	case ABI_IOCTL: return item->ioctl->name;
	}
	return "";
}

static bool is_of(const struct history_span *span, const struct lookup_item *item)
{
	return span->kind == item->kind && !strcmp(span->name, item_name(item)) &&
	       (span->kind != ABI_IOCTL || !strcmp(span->family, item->ioctl->family));
}

/* Items of the index that match the word, by kind, family and name. */
struct collected {
	const struct lookup_scope *scope;
	const struct lookup_word *word;
	struct command_form form;  /* of the scope's document */
	struct arena *arena;
	struct history_span *span; /* malloc'd */
	bool **has;                /* by span, then by version; malloc'd, its elements live in @arena */
	bool **exists;             /* likewise: under any number; of a name, the same as @has */
	size_t count, capacity, has_capacity, exists_capacity;
	bool any_numbered;         /* the word is a number that some version has as an ioctl or a command */
};

bool lookup_named(const struct abi_index_item *item, const struct lookup_word *word)
{
	if (!word->is_number)
		return !fnmatch(word->text, item->name, 0);
	return (item->kind == ABI_IOCTL || item->kind == ABI_CONSTANT) && !item->number.negative && item->number.magnitude == word->number;
}

static void mark(bool *has, const struct abi_index_item *item, bool value)
{
	for (size_t i = 0; i < item->span_count; i++)
		for (uint32_t version = item->spans[i].from; version < item->spans[i].until; version++)
			has[version] = value;
}

static bool *versions_of(struct collected *collected, const struct abi_index_item *item)
{
	size_t count = collected->count;

	for (size_t i = 0; i < count; i++) {
		const struct history_span *span = &collected->span[i];

		if (span->kind == item->kind && !strcmp(span->name, item->name) && (!item->family || !strcmp(span->family, item->family)))
			return collected->has[i];
	}
	ARRAY_GROW(collected->span, count, collected->capacity);
	ARRAY_GROW(collected->has, count, collected->has_capacity);
	ARRAY_GROW(collected->exists, count, collected->exists_capacity);
	collected->span[count] = (struct history_span){ .kind = item->kind, .family = item->family, .name = item->name };
	collected->has[count] = arena_array(collected->arena, collected->scope->graph->version_count + 1, sizeof(bool));
	collected->exists[count] = collected->word->is_number ? arena_array(collected->arena, collected->scope->graph->version_count + 1, sizeof(bool)) :
								collected->has[count];
	return collected->has[collected->count++];
}

/* Of a number: in which versions its items are under any number. */
static void mark_existing(struct collected *collected)
{
	const struct abi_index *index = collected->scope->index;

	for (size_t t = 0; t < collected->count; t++)
		for (size_t i = 0; collected->word->is_number && i < index->count; i++) {
			const struct history_span *span = &collected->span[t];
			const struct abi_index_item *item = &index->items[i];

			if (span->kind == item->kind && !strcmp(span->name, item->name) && (!item->family || !strcmp(span->family, item->family)))
				mark(collected->exists[t], item, true);
		}
}

/* Step 2: unmarks a macro in the versions that have an ioctl of its name. */
static void unmark_macros(struct collected *collected)
{
	const struct abi_index *index = collected->scope->index;

	for (size_t t = 0; t < collected->count; t++)
		for (size_t i = 0; collected->span[t].kind == ABI_CONSTANT && i < index->count; i++)
			if (index->items[i].kind == ABI_IOCTL && !strcmp(index->items[i].name, collected->span[t].name)) {
				mark(collected->has[t], &index->items[i], false);
				mark(collected->exists[t], &index->items[i], false);
			}
}

/* Versions of those @within (NULL: all) where @has is @wanted, and their parents' is not. Return: how many. */
static size_t list_edges(const size_t **out, const bool *has, bool wanted, const bool *within, const struct collected *collected)
{
	const struct history_graph *graph = collected->scope->graph;
	size_t *list = arena_array(collected->arena, graph->version_count + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < graph->version_count; i++) {
		const long parent = graph->versions[i].parent;

		if ((!within || within[i]) && has[i] == wanted && (parent != HISTORY_NO_PARENT && has[parent]) != wanted)
			list[count++] = i;
	}
	*out = list;
	return count;
}

static void finish_span(struct collected *collected, size_t index)
{
	const size_t version_count = collected->scope->graph->version_count;
	struct history_span *span = &collected->span[index];
	const bool *has = collected->has[index], *exists = collected->exists[index];

	for (size_t i = 0; i < version_count; i++)
		span->version_count += has[i];
	span->since_count = list_edges(&span->since, exists, true, NULL, collected);
	span->until_count = list_edges(&span->until, exists, false, NULL, collected);
	if (!memcmp(has, exists, version_count * sizeof(*has)))
		return;
	span->number_since_count = list_edges(&span->number_since, has, true, NULL, collected);
	span->number_until_count = list_edges(&span->number_until, has, false, exists, collected);
}

/* Is it an ioctl or a command? For a number, only these count in other versions. */
static bool is_numbered(const struct collected *collected, const struct history_span *span)
{
	struct abi_constant constant = { .name = span->name };

	return span->kind == ABI_IOCTL || (span->kind == ABI_CONSTANT && command_is_macro(&collected->form, &constant));
}

static void collect(struct collected *collected, const struct lookup_scope *scope, const struct lookup_word *word, struct arena *arena)
{
	*collected = (struct collected){ .scope = scope, .word = word, .form = command_form_of(scope->abi), .arena = arena };
	for (size_t i = 0; i < scope->index->count; i++)
		if (lookup_named(&scope->index->items[i], word))
			mark(versions_of(collected, &scope->index->items[i]), &scope->index->items[i], true);
	mark_existing(collected);
	unmark_macros(collected);
	for (size_t i = 0; i < collected->count; i++) {
		finish_span(collected, i);
		collected->any_numbered |= word->is_number && collected->span[i].version_count && is_numbered(collected, &collected->span[i]);
	}
}

/* The first span that the version has; the count of spans if none. For a number, other constants count only if nothing else has it. */
static size_t one_at(const struct collected *collected, size_t version)
{
	size_t i = 0;

	while (i < collected->count && !(collected->has[i][version] && (!collected->any_numbered || is_numbered(collected, &collected->span[i]))))
		i++;
	return i;
}

static bool any_has(const struct collected *collected, size_t version)
{
	return one_at(collected, version) < collected->count;
}

static size_t nearest_version(const struct collected *collected)
{
	const struct history_graph *graph = collected->scope->graph;
	size_t count = graph->version_count, asked = collected->scope->version;

	if (asked < count)
		for (long i = graph->versions[asked].parent; i != HISTORY_NO_PARENT; i = graph->versions[i].parent)
			if (any_has(collected, (size_t)i))
				return (size_t)i;
	for (size_t i = asked + 1; i < count; i++)
		if (any_has(collected, i))
			return i;
	for (size_t i = count; i--;)
		if (any_has(collected, i))
			return i;
	return count;
}

static int compare_spans(const void *a, const void *b)
{
	const struct history_span *x = a, *y = b;

	const size_t first_x = x->number_since_count ? x->number_since[0] : x->since[0];
	const size_t first_y = y->number_since_count ? y->number_since[0] : y->since[0];

	if (first_x != first_y)
		return first_x < first_y ? -1 : 1;
	return x->kind != y->kind ? (int)x->kind - (int)y->kind : strcmp(x->name, y->name);
}

/* The spans that some version has, by first version. */
static void set_spans(struct lookup *out, const struct collected *collected)
{
	struct history_span *spans = arena_array(collected->arena, collected->count + 1, sizeof(*spans));

	for (size_t i = 0; i < collected->count; i++)
		if (collected->span[i].version_count)
			spans[out->span_count++] = collected->span[i];
	if (out->span_count > 1)
		qsort(spans, out->span_count, sizeof(*spans), compare_spans);
	out->spans = spans;
}

/* Does the document have a match, so that no other version is needed? */
static bool is_complete(const struct found *found, const struct collected *collected)
{
	for (size_t i = 0; i < found->count; i++)
		if (!collected->any_numbered || found->item[i].kind == ABI_IOCTL || found->item[i].is_command)
			return true;
	return false;
}

static void set_nearest(struct lookup *out, const struct collected *collected)
{
	out->nearest = nearest_version(collected);
	if (out->nearest < collected->scope->graph->version_count)
		out->nearest_span = arena_memdup(collected->arena, &collected->span[one_at(collected, out->nearest)], sizeof(*out->nearest_span));
}

/* Step 5. */
static void assign_spans(struct lookup *out, struct lookup_item *items, const struct collected *collected)
{
	const struct history_span **others = arena_array(collected->arena, out->span_count + 1, sizeof(*others));

	for (size_t s = 0; s < out->span_count; s++) {
		const struct history_span *span = &out->spans[s];
		bool is_other = collected->word->is_number && is_numbered(collected, span);

		for (size_t i = 0; i < out->item_count; i++) {
			if (!is_of(span, &items[i]))
				continue;
			items[i].span = span;
			is_other = false;
		}
		if (is_other)
			others[out->other_count++] = span;
	}
	out->others = others;
}

void lookup_find(struct lookup *out, const struct lookup_scope *scope, const struct lookup_word *word, struct arena *arena)
{
	struct lookup lookup = { .nearest = scope->graph->version_count };
	struct found found = { .count = 0 };
	struct lookup_item *items;
	struct collected collected = { .count = 0 };

	find_in(&found, scope->abi, word);
	items = arena_memdup(arena, found.item, found.count * sizeof(*items));
	lookup.items = items;
	lookup.item_count = found.count;
	if (scope->graph->version_count && (word->is_number || !history_is_glob(word->text) || !found.count)) {
		collect(&collected, scope, word, arena);
		if (!is_complete(&found, &collected))
			set_nearest(&lookup, &collected);
		set_spans(&lookup, &collected);
		assign_spans(&lookup, items, &collected);
	}
	free(found.item);
	free(collected.span);
	free(collected.has);
	free(collected.exists);
	*out = lookup;
}

const struct abi_record *lookup_record(const struct abi *abi, const struct abi_ioctl *ioctl)
{
	return ioctl->params ? abi_find_record(abi, ioctl->params) : NULL;
}
