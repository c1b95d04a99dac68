/*
 * history/lookup.c - find the items that a name or a number refers to
 *
 * 1. The items of the document that match the word are listed, kind by kind.
 * 2. The index has the items of all versions. Matching items are collected by kind, family and name, each
 *    with the versions that have it. In versions that have an ioctl with its name, a command's macro is
 *    ignored, unless the macro is an item of the document.
 * 3. Each collected item becomes a span. The span begins at a version that has the item while its parent does
 *    not, and ends at a version that does not have the item while its parent does. Here, the item counts
 *    under any number. If its number differs between versions, the versions in which it got and lost the
 *    requested number are listed as well.
 * 4. If the document has no match, or only constants for a number that belongs to an ioctl or a command in
 *    other versions, the nearest version with such an item is found.
 * 5. Items get their spans. For a number, the remaining spans are ioctls and commands of other versions. For
 *    the name of an item, they are ioctls.
 */
#include "history/internal.h"

#include <fnmatch.h>

/* --- commands that only a macro names ------------------------------------------------------- */

/* Finds "_CTRL_CMD_" in "NV2080_CTRL_CMD_X": CMD and the word before it, which mark a command; or NULL. */
static const char *find_infix(const char *name, size_t *length)
{
	const char *cmd = strstr(name, "_CMD_"), *start = cmd;

	if (!cmd)
		return NULL;
	while (start > name && start[-1] != '_')
		start--;
	if (start == name)
		return NULL;
	start--;
	*length = (size_t)(cmd - start) + strlen("_CMD_");
	return start;
}

struct command_form command_form_of(const struct abi *abi)
{
	struct command_form form = { .family = NULL };

	for (size_t i = 0; i < abi->ioctl_count && !form.family; i++) {
		form.infix = find_infix(abi->ioctls[i].name, &form.infix_length);
		if (form.infix)
			form.family = abi->ioctls[i].family;
	}
	return form;
}

bool macro_is_command(const struct command_form *form, const struct abi_constant *constant)
{
	return form->family && !constant->value.negative &&
	       memmem(constant->name, strlen(constant->name), form->infix, form->infix_length);
}

/*
 * Gets the number and the name of a changed ioctl or command in one version. Return: false if the item does
 * not exist there, or is neither an ioctl of the form's family nor the macro of a command.
 */
static bool side_of(uint64_t *number, const char **name, const struct command_form *form,
		    const struct abi_ioctl *ioctl, const struct abi_constant *constant)
{
	bool is_ioctl = ioctl && !strcmp(ioctl->family, form->family);

	if (!is_ioctl && !(constant && macro_is_command(form, constant)))
		return false;
	*number = is_ioctl ? ioctl->number : constant->value.magnitude;
	*name = is_ioctl ? ioctl->name : constant->name;
	return true;
}

/*
 * The numbers to look up in one version, and the macro that has each of them in this version, but not in
 * @other.
 */
struct owners {
	const struct command_form *form;
	const struct abi *abi, *other;
	uint64_t *number; /* sorted; only the first of equal numbers gets a name */
	const char **name; /* the macros, indexed like @number; NULL if there is none */
	size_t count;
};

/* Orders the numbers in which find_number() searches. */
static int compare_uint64(const void *a, const void *b)
{
	return compare_numbers(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Returns the index of the first number that is not less than @number. */
static size_t find_number(const struct owners *owners, uint64_t number)
{
	size_t low = 0, high = owners->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (owners->number[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Sorts the numbers, and sets the name of each number to the macro of a command that has the number in
 * owners->abi, but not in owners->other. Needs only one pass over the constants.
 */
static void find_owners(struct owners *owners)
{
	sort_items(owners->number, owners->count, sizeof(*owners->number), compare_uint64);
	for (size_t i = 0; owners->count && i < owners->abi->constant_count; i++) {
		const struct abi_constant *constant = &owners->abi->constants[i], *other;
		size_t at = find_number(owners, constant->value.magnitude);

		if (at == owners->count || owners->number[at] != constant->value.magnitude ||
		    owners->name[at] || !macro_is_command(owners->form, constant))
			continue;
		other = abi_find_constant(owners->other, constant->name);
		if (!other || !abi_number_equal(other->value, constant->value))
			owners->name[at] = constant->name;
	}
}

/*
 * Must the macro that had the number of a changed ioctl or command be looked up? Sets the number, and the
 * name of the item. If the item was removed (@is_removed), the macro that has the number now is looked up.
 */
static bool needs_owner(uint64_t *number, const char **name, bool *is_removed,
			const struct diff_change *change, const struct command_form *form)
{
	if (change->number_was || change->base_name)
		return false;
	*is_removed = !side_of(number, name, form, change->next_ioctl, change->next_constant);
	return !*is_removed || side_of(number, name, form, change->base_ioctl, change->base_constant);
}

void command_name_owners(struct diff_change *changes, size_t count, const struct abi *base,
			 const struct abi *next, struct arena *arena)
{
	const struct command_form form = command_form_of(next);
	struct owners owners[] = { { .form = &form, .abi = base, .other = next },
				   { .form = &form, .abi = next, .other = base } };
	const char *name;
	uint64_t number;
	bool is_removed;

	if (!form.family || !count)
		return;
	for (int side = 0; side < 2; side++) {
		owners[side].number = arena_array(arena, count, sizeof(*owners->number));
		owners[side].name = arena_array(arena, count + 1, sizeof(const char *));
		for (size_t i = 0; i < count; i++)
			if (needs_owner(&number, &name, &is_removed, &changes[i], &form) &&
			    is_removed == side)
				owners[side].number[owners[side].count++] = number;
		find_owners(&owners[side]);
	}
	for (size_t i = 0; i < count; i++) {
		struct diff_change *change = &changes[i];
		const struct abi_constant *own, *constant;
		const struct abi_ioctl *ioctl;

		if (!needs_owner(&number, &name, &is_removed, change, &form))
			continue;
		/* A macro with the same name as the item, and the same number, is not a different owner. */
		own = abi_find_constant(owners[is_removed].abi, name);
		if (!own || own->value.magnitude != number || !macro_is_command(&form, own))
			change->number_was =
				owners[is_removed].name[find_number(&owners[is_removed], number)];
		if (is_removed || !change->number_was)
			continue;
		ioctl = abi_find_ioctl(next, NULL, change->number_was);
		constant = abi_find_constant(next, change->number_was);
		change->number_was_is_gone = !ioctl && !constant;
		change->number_was_now = ioctl ? ioctl->number : constant ? constant->value.magnitude : 0;
	}
}

bool command_renumbered(const struct diff_change *change, const struct abi *next)
{
	struct command_form form;

	if (change->base_ioctl && change->next_ioctl)
		return change->base_ioctl->number != change->next_ioctl->number;
	if (!change->base_constant || !change->next_constant ||
	    abi_number_equal(change->base_constant->value, change->next_constant->value))
		return false;
	form = command_form_of(next);
	return macro_is_command(&form, change->base_constant);
}

/* --- the bit fields of a number, and its neighbours ----------------------------------------- */

enum { NEAR_BITS = 8 }; /* without bit fields, neighbours differ only in these low bits */

static uint64_t low_bits(unsigned width)
{
	return width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
}

static uint64_t bits_value(const struct profile_bits *bits, uint64_t number)
{
	return number >> bits->low_bit & low_bits(bits->width);
}

static void mark_item_versions(bool *has, const struct abi_index_item *item, bool value)
{
	for (size_t i = 0; i < item->span_count; i++)
		for (uint32_t version = item->spans[i].from; version < item->spans[i].until; version++)
			has[version] = value;
}

/*
 * Finds the macro that begins with @prefix and has the value. Return: the rest of its name; NULL if there is
 * no such macro, or more than one.
 */
static const char *name_of_macro(const struct abi *abi, const char *prefix, uint64_t value)
{
	size_t length = strlen(prefix);
	const char *found = NULL;

	for (size_t i = 0; i < abi->constant_count; i++) {
		const struct abi_constant *constant = &abi->constants[i];

		if (constant->value.negative || constant->value.magnitude != value ||
		    strncmp(constant->name, prefix, length))
			continue;
		if (found)
			return NULL;
		found = constant->name + length;
	}
	return found;
}

/*
 * Finds the name of a bit field's value in the newest version that has one; NULL if no version has one, or
 * that version has several. @prefix: of the macros; NULL: none
 */
static const char *name_in_index(const struct abi_index *index, const struct profile_bits *bits,
				 const char *prefix, uint64_t value)
{
	const struct abi_index_item *newest = NULL;
	uint32_t newest_until = 0;
	bool is_single = true;

	for (size_t i = 0; i < index->count; i++) {
		const struct abi_index_item *item = &index->items[i];
		uint32_t until = item->spans[item->span_count - 1].until;

		if (item->number.negative || item->number.magnitude != value || until < newest_until ||
		    !(item->kind == ABI_IOCTL ? bits->family && !strcmp(item->family, bits->family)
					      : item->kind == ABI_CONSTANT && prefix &&
							begins(item->name, prefix)))
			continue;
		is_single = until > newest_until || !strcmp(item->name, newest->name);
		newest = item;
		newest_until = until;
	}
	if (!newest || !is_single)
		return NULL;
	return newest->kind == ABI_CONSTANT ? newest->name + strlen(prefix) : newest->name;
}

/*
 * Gets the driver's name for the value of one bit field; NULL if it has none. @first: the number's first bit
 * field
 */
static const char *name_of_bits(const struct lookup_scope *scope, const struct profile_bits *bits,
				const struct profile_bits *first, uint64_t number, struct arena *arena)
{
	const char *prefix = bits->macros, *mark = prefix ? strstr(prefix, "\\1") : NULL, *name = NULL;
	uint64_t value = bits_value(bits, number);

	if (mark) /* "NV\1_CTRL_" becomes "NV208F_CTRL_" if the first bit field is 0x208f */
		prefix = arena_printf(arena, "%.*s%0*llX%s", (int)(mark - prefix), prefix,
				      (int)(first->width + 3) / 4,
				      (unsigned long long)bits_value(first, number), mark + 2);
	for (size_t i = 0; bits->family && !name && i < scope->abi->ioctl_count; i++)
		if (scope->abi->ioctls[i].number == value &&
		    !strcmp(scope->abi->ioctls[i].family, bits->family))
			name = scope->abi->ioctls[i].name;
	if (!name && prefix)
		name = name_of_macro(scope->abi, prefix, value);
	if (!name && (bits->family || prefix))
		name = name_in_index(scope->index, bits, prefix, value);
	return name;
}

/* Finds the first family whose bit fields, two or more, cover all bits of @number; NULL if there is none. */
static const struct profile_family *family_with_bits(const struct profile *profile, uint64_t number)
{
	for (size_t i = 0; i < profile->family_count; i++) {
		const struct profile_family *family = &profile->families[i];
		uint64_t all = 0;

		for (size_t b = 0; b < family->bits_count; b++)
			all |= low_bits(family->bits[b].width) << family->bits[b].low_bit;
		if (family->bits_count > 1 && !(number & ~all))
			return family;
	}
	return NULL;
}

void lookup_parse(struct lookup_parse *out, const struct profile *profile, const struct lookup_scope *scope,
		  uint64_t number, struct arena *arena)
{
	const struct profile_family *family = family_with_bits(profile, number);
	struct lookup_bits *bits;

	*out = (struct lookup_parse){ .bits_count = 0 };
	if (!family)
		return;
	bits = arena_array(arena, family->bits_count, sizeof(*bits));
	for (size_t i = 0; i < family->bits_count; i++)
		bits[i] = (struct lookup_bits){
			.bits = &family->bits[i],
			.value = bits_value(&family->bits[i], number),
			.name = name_of_bits(scope, &family->bits[i], &family->bits[0], number, arena),
		};
	/* A small number, such as 0x1b, does not mean method 0x1b of class 0. */
	if (bits[0].value || (bits[1].value && bits[1].name))
		*out = (struct lookup_parse){ .family = family->name,
					      .bits = bits,
					      .bits_count = family->bits_count };
}

/* Keeps @candidate if it is the nearest below or above @number with the same high bits. */
static void note_neighbour(struct lookup_neighbour neighbour[2], const char *name, uint64_t candidate,
			   uint64_t number, uint64_t high_bits)
{
	struct lookup_neighbour *side = &neighbour[candidate > number];
	bool nearer = !side->name || (candidate > number ? candidate < side->number :
				      candidate > side->number);

	if (candidate != number && (candidate & high_bits) == (number & high_bits) && nearer)
		*side = (struct lookup_neighbour){ name, candidate };
}

void lookup_neighbours(struct lookup_neighbour out[2], const struct abi *abi,
		       const struct lookup_parse *parse, uint64_t number)
{
	uint64_t high_bits = ~low_bits(parse->bits_count ? parse->bits[parse->bits_count - 1].bits->width :
				       NEAR_BITS);
	struct command_form form = command_form_of(abi);

	out[0].name = out[1].name = NULL;
	if (!(number & high_bits))
		return;
	for (size_t i = 0; i < abi->ioctl_count; i++)
		note_neighbour(out, abi->ioctls[i].name, abi->ioctls[i].number, number, high_bits);
	for (size_t i = 0; i < abi->constant_count; i++)
		if (macro_is_command(&form, &abi->constants[i]))
			note_neighbour(out, abi->constants[i].name, abi->constants[i].value.magnitude, number,
				       high_bits);
}

/* --- the items of the document -------------------------------------------------------------- */

/*
 * Finds the items of the document that match the word; the caller frees *@out. An enum is also an alias, and
 * an ioctl can also be a constant; both are listed only once. Return: the number of items.
 */
static size_t find_items(struct lookup_item **out, const struct abi *abi, const struct lookup_word *word)
{
	static const enum abi_kind order[] = { ABI_RECORD, ABI_ENUM, ABI_ALIAS, ABI_IOCTL, ABI_CONSTANT };
	const struct command_form form = command_form_of(abi);
	size_t count = 0, capacity = 0;

	*out = NULL;
	for (size_t k = 0; k < ABI_KIND_COUNT; k++) {
		const struct abi_items items = abi_items(abi, order[k]);

		for (size_t i = 0; i < items.count; i++) {
			struct lookup_item item = { .kind = order[k],
						    .any = items.first + i * items.size_bytes };
			const char *name = abi_item_name(item.kind, item.any);
			const struct abi_number number =
				item.kind == ABI_IOCTL	    ? abi_number_unsigned(item.ioctl->number)
				: item.kind == ABI_CONSTANT ? item.constant->value
							    : (struct abi_number){ 0, true };

			if (word->is_number ? number.negative || number.magnitude != word->number
					    : fnmatch(word->text, name, 0))
				continue;
			if ((item.kind == ABI_ALIAS && abi_find_enum(abi, name)) ||
			    (item.kind == ABI_CONSTANT && abi_find_ioctl(abi, NULL, name)))
				continue;
			item.is_command = item.kind == ABI_CONSTANT && macro_is_command(&form, item.constant);
			ARRAY_GROW(*out, count, capacity);
			(*out)[count++] = item;
		}
	}
	return count;
}

/* --- the items of all versions -------------------------------------------------------------- */

bool span_is_of(const struct history_span *span, enum abi_kind kind, const char *family, const char *name)
{
	return span->kind == kind && !strcmp(span->name, name) && (!family || !strcmp(span->family, family));
}

/* Items of the index that match the word, sorted by kind, family and name. */
struct collected {
	const struct lookup_scope *scope;
	const struct lookup_word *word;
	struct command_form form;  /* of the scope's document */
	struct arena *arena;
	struct history_span *span; /* malloc'd */
	bool **has;                /* indexed by span, then by version; malloc'd, its elements are in
				      @arena */
	bool **exists;             /* the same, but under any number; for a name, equal to @has */
	size_t count, capacity, has_capacity, exists_capacity;
	bool any_numbered;         /* the word is the number of an ioctl or a command in some version */
};

bool lookup_named(const struct abi_index_item *item, const struct lookup_word *word)
{
	if (!word->is_number)
		return !fnmatch(word->text, item->name, 0);
	return (item->kind == ABI_IOCTL || item->kind == ABI_CONSTANT) && !item->number.negative &&
	       item->number.magnitude == word->number;
}

/*
 * Finds the span of an index item, or makes it. Return: one bool for each version, which the caller sets:
 * does the version have the item under the number?
 */
static bool *versions_of(struct collected *collected, const struct abi_index_item *item)
{
	size_t count = collected->count, versions = collected->scope->graph->version_count + 1;

	for (size_t i = 0; i < count; i++)
		if (span_is_of(&collected->span[i], item->kind, item->family, item->name))
			return collected->has[i];
	ARRAY_GROW(collected->span, count, collected->capacity);
	ARRAY_GROW(collected->has, count, collected->has_capacity);
	ARRAY_GROW(collected->exists, count, collected->exists_capacity);
	collected->span[count] =
		(struct history_span){ .kind = item->kind, .family = item->family, .name = item->name };
	collected->has[count] = collected->exists[count] =
		arena_array(collected->arena, versions, sizeof(bool));
	if (collected->word->is_number)
		collected->exists[count] = arena_array(collected->arena, versions, sizeof(bool));
	return collected->has[collected->count++];
}

size_t span_ends(const size_t **out, const struct history_graph *graph, const bool *has, bool wanted,
		 const bool *within, struct arena *arena)
{
	size_t *list = arena_array(arena, graph->version_count + 1, sizeof(*list)), count = 0;

	for (size_t i = 0; i < graph->version_count; i++) {
		const long parent = graph->versions[i].parent;

		if ((!within || within[i]) && has[i] == wanted &&
		    (parent != HISTORY_NO_PARENT && has[parent]) != wanted)
			list[count++] = i;
	}
	*out = list;
	return count;
}

/* Does the span belong to an ioctl or a command? For a number, other items do not count in other versions. */
static bool has_ioctl_number(const struct collected *collected, const struct history_span *span)
{
	struct abi_constant constant = { .name = span->name };

	return span->kind == ABI_IOCTL ||
	       (span->kind == ABI_CONSTANT && macro_is_command(&collected->form, &constant));
}

/*
 * For a name: finds the versions in which the item has the same number as in the scope's document. Return:
 * NULL if the item has no number there, or has several, because a family can list a name twice.
 */
static const bool *with_number_of_document(const struct collected *collected, const struct history_span *span)
{
	const struct abi_index *index = collected->scope->index;
	const struct abi *abi = collected->scope->abi;
	const struct abi_constant *constant =
		span->kind == ABI_CONSTANT ? abi_find_constant(abi, span->name) : NULL;
	struct abi_number number = constant ? constant->value : (struct abi_number){ 0 };
	bool *with = arena_array(collected->arena, collected->scope->graph->version_count + 1, sizeof(*with));
	size_t found = constant != NULL;

	for (size_t i = 0; span->kind == ABI_IOCTL && i < abi->ioctl_count; i++)
		if (span_is_of(span, ABI_IOCTL, abi->ioctls[i].family, abi->ioctls[i].name)) {
			number = abi_number_unsigned(abi->ioctls[i].number);
			found++;
		}
	for (size_t i = 0; found == 1 && i < index->count; i++)
		if (span_is_of(span, index->items[i].kind, index->items[i].family, index->items[i].name) &&
		    index->items[i].number.magnitude == number.magnitude &&
		    index->items[i].number.negative == number.negative)
			mark_item_versions(with, &index->items[i], true);
	return found == 1 ? with : NULL;
}

/* Sets the counts and ends of a span, under any number and, if this differs, under its number. */
static void finish_span(struct collected *collected, size_t index)
{
	const struct history_graph *graph = collected->scope->graph;
	struct history_span *span = &collected->span[index];
	const bool *has = collected->has[index], *exists = collected->exists[index];
	struct arena *arena = collected->arena;

	if (!collected->word->is_number && has_ioctl_number(collected, span))
		has = with_number_of_document(collected, span);
	has = has ? has : exists;
	for (size_t i = 0; i < graph->version_count; i++) {
		span->version_count += exists[i];
		span->number_count += has[i] && exists[i];
	}
	span->since_count = span_ends(&span->since, graph, exists, true, NULL, arena);
	span->until_count = span_ends(&span->until, graph, exists, false, NULL, arena);
	if (span->number_count == span->version_count)
		return;
	span->number_since_count = span_ends(&span->number_since, graph, has, true, NULL, arena);
	span->number_until_count = span_ends(&span->number_until, graph, has, false, exists, arena);
}

/* Steps 2 and 3: makes a span for each item of the index that the word names. */
static void collect_spans(struct collected *collected, const struct lookup_scope *scope,
			  const struct lookup_word *word, struct arena *arena)
{
	const struct abi_index *index = scope->index;

	*collected = (struct collected){
		.scope = scope, .word = word, .form = command_form_of(scope->abi), .arena = arena
	};
	for (size_t i = 0; i < index->count; i++)
		if (lookup_named(&index->items[i], word))
			mark_item_versions(versions_of(collected, &index->items[i]), &index->items[i], true);
	for (size_t s = 0; s < collected->count; s++) {
		struct history_span *span = &collected->span[s];
		/*
		 * A macro is ignored in versions that have an ioctl with its name, unless it is an item of
		 * the document: the driver has not removed a macro that is also an ioctl.
		 */
		const bool is_ignored = span->kind == ABI_CONSTANT &&
					(!abi_find_constant(scope->abi, span->name) ||
					 abi_find_ioctl(scope->abi, NULL, span->name));

		/* For a number: find the versions that have the item under any number. */
		for (size_t i = 0; word->is_number && i < index->count; i++)
			if (span_is_of(span, index->items[i].kind, index->items[i].family,
				       index->items[i].name))
				mark_item_versions(collected->exists[s], &index->items[i], true);
		for (size_t i = 0; is_ignored && i < index->count; i++)
			if (index->items[i].kind == ABI_IOCTL && !strcmp(index->items[i].name, span->name)) {
				mark_item_versions(collected->has[s], &index->items[i], false);
				mark_item_versions(collected->exists[s], &index->items[i], false);
			}
		finish_span(collected, s);
		collected->any_numbered |=
			word->is_number && span->number_count && has_ioctl_number(collected, span);
	}
}

/*
 * Returns the index of the first span that has the version, or the number of spans. For a number, constants
 * that are not commands count only if there is nothing else.
 */
static size_t first_span_at(const struct collected *collected, size_t version)
{
	size_t i = 0;

	while (i < collected->count &&
	       !(collected->has[i][version] &&
		 (!collected->any_numbered || has_ioctl_number(collected, &collected->span[i]))))
		i++;
	return i;
}

/*
 * Finds the version to suggest if the scope's version does not have the item: the nearest ancestor with the
 * item, or else the next later version, or else the newest. Return: its index; version_count if none.
 */
static size_t nearest_version(const struct collected *collected)
{
	const struct history_graph *graph = collected->scope->graph;
	size_t count = graph->version_count, asked = collected->scope->version;

	for (long i = asked < count ? graph->versions[asked].parent : HISTORY_NO_PARENT;
	     i != HISTORY_NO_PARENT; i = graph->versions[i].parent)
		if (first_span_at(collected, (size_t)i) < collected->count)
			return (size_t)i;
	for (size_t i = asked + 1; i < count; i++)
		if (first_span_at(collected, i) < collected->count)
			return i;
	for (size_t i = count; i--;)
		if (first_span_at(collected, i) < collected->count)
			return i;
	return count;
}

/* The order of a list: oldest first. A span of a number begins when its item got the number. */
static int compare_spans_by_age(const void *a, const void *b)
{
	const struct history_span *x = a, *y = b;

	const size_t first_x = x->number_since_count ? x->number_since[0] : x->since[0];
	const size_t first_y = y->number_since_count ? y->number_since[0] : y->since[0];

	return compare_numbers(first_x, first_y) ?: compare_numbers(x->kind, y->kind)
		?: strcmp(x->name, y->name);
}

/*
 * Sets the spans of the items. Lists the other spans of ioctls and, for a number, of commands in out->others;
 * for a name, only if there are items.
 */
static void assign_spans(struct lookup *out, struct lookup_item *items, const struct collected *collected)
{
	const struct history_span **others =
		arena_array(collected->arena, out->span_count + 1, sizeof(*others));

	for (size_t s = 0; s < out->span_count; s++) {
		const struct history_span *span = &out->spans[s];
		bool is_other = collected->word->is_number ? has_ioctl_number(collected, span)
							   : span->kind == ABI_IOCTL && out->item_count;

		for (size_t i = 0; i < out->item_count; i++) {
			const char *family = items[i].kind == ABI_IOCTL ? items[i].ioctl->family : NULL;

			if (!span_is_of(span, items[i].kind, family,
					abi_item_name(items[i].kind, items[i].any)))
				continue;
			items[i].span = span;
			is_other = false;
		}
		if (is_other)
			others[out->other_count++] = span;
	}
	out->others = others;
}

void lookup_find(struct lookup *out, const struct lookup_scope *scope, const struct lookup_word *word,
		 struct arena *arena)
{
	const size_t version_count = scope->graph->version_count;
	struct lookup lookup = { .nearest = version_count };
	struct collected collected = { .count = 0 };
	struct history_span *spans;
	struct lookup_item *found, *items;
	const size_t count = find_items(&found, scope->abi, word);
	bool is_complete = false; /* the document has all items that the word refers to */

	lookup.items = items = arena_memdup(arena, found, count * sizeof(*items));
	lookup.item_count = count;
	if (version_count && (word->is_number || !history_is_glob(word->text) || !count)) {
		collect_spans(&collected, scope, word, arena);
		for (size_t i = 0; i < count; i++)
			is_complete |=
				!collected.any_numbered || items[i].kind == ABI_IOCTL || items[i].is_command;
		if (!is_complete)
			lookup.nearest = nearest_version(&collected);
		if (lookup.nearest < version_count)
			lookup.nearest_span =
				arena_memdup(arena,
					     &collected.span[first_span_at(&collected, lookup.nearest)],
					     sizeof(*lookup.nearest_span));
		lookup.spans = spans = arena_array(arena, collected.count + 1, sizeof(*spans));
		for (size_t i = 0; i < collected.count; i++)
			if (collected.span[i].number_count)
				spans[lookup.span_count++] = collected.span[i];
		sort_items(spans, lookup.span_count, sizeof(*spans), compare_spans_by_age);
		assign_spans(&lookup, items, &collected);
	}
	free(found);
	free(collected.span);
	free(collected.has);
	free(collected.exists);
	*out = lookup;
}

const struct abi_record *lookup_record(const struct abi *abi, const struct abi_ioctl *ioctl)
{
	return ioctl->params ? abi_find_record(abi, ioctl->params) : NULL;
}
