/*
 * history/lookup.c - the items that a name or a number refers to
 *
 * 1. The items of the document that match the word are listed, kind by kind.
 * 2. The index has the items of all versions. Those that match are collected
 *    by kind, family and name, each with the versions that have it. A command's
 *    macro is left out where a version has an ioctl of that name.
 * 3. Each becomes a span: it begins where a version has it and its parent does
 *    not, and ends where the reverse holds. For a number, these are those of the item under any number, and
 *    also where the item got the number.
 * 4. If the document has no match, or only constants of a number that is an
 *    ioctl or a command elsewhere, the nearest version that has more is found.
 * 5. Items get their spans. The other spans of a number are ioctls and
 *    commands of other versions.
 */
#include "history/history.h"
#include "history/internal.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* --- commands that only a macro names ------------------------------------------------------- */

/* "NV2080_CTRL_CMD_X" has "_CTRL_CMD_": the word before CMD belongs to it. Return: its start, or NULL. */
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

bool command_is_macro(const struct command_form *form, const struct abi_constant *constant)
{
	return form->family && !constant->value.negative &&
	       memmem(constant->name, strlen(constant->name), form->infix, form->infix_length);
}

/* Has @name the number in @abi, as a macro or as an ioctl's name? */
static bool has_number(const struct abi *abi, const char *name, uint64_t number)
{
	const struct abi_constant *constant = abi_find_constant(abi, name);

	return constant && !constant->value.negative && constant->value.magnitude == number;
}

/* The item of a change on one side; false if it is not there, or no command. */
static bool side_of(uint64_t *number, const char **name, const struct command_form *form,
		    const struct abi_ioctl *ioctl,
		    const struct abi_constant *constant)
{
	if (ioctl && !strcmp(ioctl->family, form->family)) {
		*number = ioctl->number;
		*name = ioctl->name;
		return true;
	}
	if (constant && command_is_macro(form, constant)) {
		*number = constant->value.magnitude;
		*name = constant->name;
		return true;
	}
	return false;
}

/* The new owner of the number that a macro had. */
static void set_owner_now(struct diff_change *change, const struct abi *next)
{
	const struct abi_ioctl *ioctl = change->number_was ? abi_find_ioctl(next, NULL, change->number_was) :
					NULL;
	const struct abi_constant *constant = change->number_was ?
					      abi_find_constant(next, change->number_was) : NULL;

	change->number_was_is_gone = change->number_was && !ioctl && !constant;
	change->number_was_now = ioctl ? ioctl->number : constant ? constant->value.magnitude : 0;
}

/* The numbers that changes ask for in one version, and who had each there and has it no more in the other. */
struct owners {
	const struct command_form *form;
	const struct abi *abi, *other;
	uint64_t *number; /* sorted; each may occur more than once, and then the first one counts */
	const char **name; /* by number; NULL: nobody */
	size_t count;
};

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The first of the numbers that is not below @number. */
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

/* One pass over the constants, however many numbers there are. */
static void find_owners(struct owners *owners)
{
	if (owners->count > 1)
		qsort(owners->number, owners->count, sizeof(*owners->number), compare_numbers);
	for (size_t i = 0; owners->count && i < owners->abi->constant_count; i++) {
		const struct abi_constant *constant = &owners->abi->constants[i];
		size_t at = find_number(owners, constant->value.magnitude);

		if (at < owners->count && owners->number[at] == constant->value.magnitude &&
		    !owners->name[at] &&
		    command_is_macro(owners->form, constant) &&
		    !has_number(owners->other, constant->name, constant->value.magnitude))
			owners->name[at] = constant->name;
	}
}

/*
 * The first command that has the number in the one version, but neither there as @self nor any more in the
 * other.
 */
static const char *former_owner(const struct owners *owners, uint64_t number, const char *self)
{
	const struct abi_constant *own = abi_find_constant(owners->abi, self);

	return own && own->value.magnitude == number && command_is_macro(owners->form, own) ? NULL :
	       owners->name[find_number(owners, number)];
}

/* Is the former owner of the number unknown? It is looked up in base; for a removed item, in next. */
static bool is_asked(uint64_t *number, const char **name, bool *is_removed, const struct diff_change *change,
		     const struct command_form *form)
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
	struct owners in_base = { &form, base, next, NULL, NULL, 0 },
		      in_next = { &form, next, base, NULL, NULL, 0 };
	const char *name;
	uint64_t number;
	bool is_removed;

	if (!form.family || !count)
		return;
	for (int side = 0; side < 2; side++) {
		struct owners *owners = side ? &in_next : &in_base;

		owners->number = arena_array(arena, count, sizeof(*owners->number));
		owners->name = arena_array(arena, count + 1, sizeof(const char *));
		for (size_t i = 0; i < count; i++)
			if (is_asked(&number, &name, &is_removed, &changes[i], &form) && is_removed == side)
				owners->number[owners->count++] = number;
		find_owners(owners);
	}
	for (size_t i = 0; i < count; i++) {
		if (!is_asked(&number, &name, &is_removed, &changes[i], &form))
			continue;
		changes[i].number_was = former_owner(is_removed ? &in_next : &in_base, number, name);
		if (!is_removed)
			set_owner_now(&changes[i], next);
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
	return command_is_macro(&form, change->base_constant);
}

bool command_reused(const struct diff_change *change)
{
	return change->number_was && (change->next_ioctl || change->next_constant);
}

/* --- the bit fields of a number, and its neighbours ----------------------------------------- */

enum { NEAR_BITS = 8 }; /* of a number without bit fields: so many low bits may differ */

static uint64_t mask(unsigned width)
{
	return width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
}

static uint64_t value_of(const struct profile_bits *bits, uint64_t number)
{
	return number >> bits->low_bit & mask(bits->width);
}

/* The ioctl of @family that has the number @value. */
static const char *name_of_ioctl(const struct abi *abi, const char *family, uint64_t value)
{
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (abi->ioctls[i].number == value && !strcmp(abi->ioctls[i].family, family))
			return abi->ioctls[i].name;
	return NULL;
}

static void mark(bool *has, const struct abi_index_item *item, bool value)
{
	for (size_t i = 0; i < item->span_count; i++)
		for (uint32_t version = item->spans[i].from; version < item->spans[i].until; version++)
			has[version] = value;
}

/* "NV\1_CTRL_" with the first bits, 0x208f, is "NV208F_CTRL_". */
static const char *prefix_of(const struct profile_bits *bits, const struct profile_bits *first,
			     uint64_t number, struct arena *arena)
{
	const char *mark = strstr(bits->macros, "\\1");

	if (!mark)
		return bits->macros;
	return arena_printf(arena, "%.*s%0*llX%s", (int)(mark - bits->macros), bits->macros,
			    (int)(first->width + 3) / 4,
			    (unsigned long long)value_of(first, number), mark + 2);
}

/* The items of the document that match. */
struct found {
	const struct abi *abi;
	const struct lookup_word *word;
	struct lookup_item *item; /* malloc'd */
	size_t count, capacity;
};

/*
 * The rest of the one macro that begins with @prefix and has the value; NULL if there is none, or more than
 * one.
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

static bool is_name(const struct abi_index_item *item, const struct profile_bits *bits, const char *prefix,
		    uint64_t value)
{
	if (item->number.negative || item->number.magnitude != value)
		return false;
	if (item->kind == ABI_IOCTL)
		return bits->family && !strcmp(item->family, bits->family);
	return item->kind == ABI_CONSTANT && prefix && !strncmp(item->name, prefix, strlen(prefix));
}

static uint32_t last_of(const struct abi_index_item *item)
{
	return item->spans[item->span_count - 1].until;
}

/* The name in the newest version that has one; NULL if that has several. */
static const char *name_in_index(const struct abi_index *index, const struct profile_bits *bits,
				 const char *prefix, uint64_t value)
{
	const struct abi_index_item *newest = NULL;
	bool is_single = true;

	for (size_t i = 0; i < index->count; i++) {
		const struct abi_index_item *item = &index->items[i];

		if (!is_name(item, bits, prefix, value) || (newest && last_of(item) < last_of(newest)))
			continue;
		is_single = !newest || last_of(item) > last_of(newest) || !strcmp(item->name, newest->name);
		newest = item;
	}
	if (!newest || !is_single)
		return NULL;
	return newest->kind == ABI_CONSTANT ? newest->name + strlen(prefix) : newest->name;
}

static const char *name_of(const struct lookup_scope *scope, const struct profile_bits *bits,
			   const struct profile_bits *first,
			   uint64_t number, struct arena *arena)
{
	const char *prefix = bits->macros ? prefix_of(bits, first, number, arena) : NULL;
	uint64_t value = value_of(bits, number);
	const char *name = NULL;

	if (bits->family)
		name = name_of_ioctl(scope->abi, bits->family, value);
	if (!name && prefix)
		name = name_of_macro(scope->abi, prefix, value);
	if (!name && (bits->family || prefix))
		name = name_in_index(scope->index, bits, prefix, value);
	return name;
}

/* The first family whose numbers have bit fields that cover all of @number. */
static const struct profile_family *family_of(const struct profile *profile, uint64_t number)
{
	for (size_t i = 0; i < profile->family_count; i++) {
		const struct profile_family *family = &profile->families[i];
		uint64_t all = 0;

		for (size_t b = 0; b < family->bits_count; b++)
			all |= mask(family->bits[b].width) << family->bits[b].low_bit;
		if (family->bits_count > 1 && !(number & ~all))
			return family;
	}
	return NULL;
}

void lookup_parse(struct lookup_parse *out, const struct profile *profile, const struct lookup_scope *scope,
		  uint64_t number,
		  struct arena *arena)
{
	const struct profile_family *family = family_of(profile, number);
	struct lookup_bits *bits;

	*out = (struct lookup_parse){ .bits_count = 0 };
	if (!family)
		return;
	bits = arena_array(arena, family->bits_count, sizeof(*bits));
	for (size_t i = 0; i < family->bits_count; i++)
		bits[i] = (struct lookup_bits){
			.bits = &family->bits[i],
			.value = value_of(&family->bits[i], number),
			.name = name_of(scope, &family->bits[i], &family->bits[0], number, arena),
		};
	/* 0x1b is not method 0x1b of class 0. */
	if (bits[0].value || (bits[1].value && bits[1].name))
		*out = (struct lookup_parse){ .family = family->name,
					      .bits = bits,
					      .bits_count = family->bits_count };
}

static void note_neighbour(struct lookup_neighbour near[2], const char *name, uint64_t candidate,
			   uint64_t number, uint64_t high_bits)
{
	struct lookup_neighbour *side = &near[candidate > number];
	bool nearer = !side->name || (candidate > number ? candidate < side->number :
				      candidate > side->number);

	if (candidate != number && (candidate & high_bits) == (number & high_bits) && nearer)
		*side = (struct lookup_neighbour){ name, candidate };
}

void lookup_neighbours(struct lookup_neighbour out[2], const struct abi *abi,
		       const struct lookup_parse *parse, uint64_t number)
{
	uint64_t high_bits = ~mask(parse->bits_count ? parse->bits[parse->bits_count - 1].bits->width :
				   NEAR_BITS);
	struct command_form form = command_form_of(abi);

	out[0].name = out[1].name = NULL;
	if (!(number & high_bits))
		return;
	for (size_t i = 0; i < abi->ioctl_count; i++)
		note_neighbour(out, abi->ioctls[i].name, abi->ioctls[i].number, number, high_bits);
	for (size_t i = 0; i < abi->constant_count; i++)
		if (command_is_macro(&form, &abi->constants[i]))
			note_neighbour(out, abi->constants[i].name, abi->constants[i].value.magnitude, number,
				       high_bits);
}

/* --- the items of the document -------------------------------------------------------------- */

static bool item_has_number(const struct lookup_item *item, uint64_t number)
{
	if (item->kind == ABI_CONSTANT)
		return !item->constant->value.negative && item->constant->value.magnitude == number;
	return item->kind == ABI_IOCTL && item->ioctl->number == number;
}

/* An enum is an alias, too, and an ioctl may be a constant: then these are not listed again. */
static void find_items(struct found *found, enum abi_kind kind)
{
	const struct lookup_word *word = found->word;
	const struct abi *abi = found->abi;
	struct command_form form = command_form_of(abi);
	struct abi_items items = abi_items(abi, kind);

	for (size_t i = 0; i < items.count; i++) {
		struct lookup_item item = { .kind = kind, .any = items.first + i * items.size_bytes };
		const char *name = abi_item_name(kind, item.any);

		if (word->is_number ? !item_has_number(&item, word->number) : fnmatch(word->text, name, 0))
			continue;
		if ((kind == ABI_ALIAS && abi_find_enum(abi, name)) ||
		    (kind == ABI_CONSTANT && abi_find_ioctl(abi, NULL, name)))
			continue;
		item.is_command = kind == ABI_CONSTANT && command_is_macro(&form, item.constant);
		ARRAY_GROW(found->item, found->count, found->capacity);
		found->item[found->count++] = item;
	}
}

static void find_all(struct found *found)
{
	static const enum abi_kind order[] = { ABI_RECORD, ABI_ENUM, ABI_ALIAS, ABI_IOCTL, ABI_CONSTANT };

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		find_items(found, order[i]);
}

/* --- the items of all versions -------------------------------------------------------------- */

bool span_is_of(const struct history_span *span, enum abi_kind kind, const char *family, const char *name)
{
	return span->kind == kind && !strcmp(span->name, name) && (!family || !strcmp(span->family, family));
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
	return (item->kind == ABI_IOCTL || item->kind == ABI_CONSTANT) && !item->number.negative &&
	       item->number.magnitude == word->number;
}

static bool *versions_of(struct collected *collected, const struct abi_index_item *item)
{
	size_t count = collected->count;

	for (size_t i = 0; i < count; i++)
		if (span_is_of(&collected->span[i], item->kind, item->family, item->name))
			return collected->has[i];
	ARRAY_GROW(collected->span, count, collected->capacity);
	ARRAY_GROW(collected->has, count, collected->has_capacity);
	ARRAY_GROW(collected->exists, count, collected->exists_capacity);
	collected->span[count] =
		(struct history_span){ .kind = item->kind, .family = item->family, .name = item->name };
	collected->has[count] = arena_array(collected->arena, collected->scope->graph->version_count + 1,
					    sizeof(bool));
	collected->exists[count] = collected->word->is_number ?
				   arena_array(collected->arena, collected->scope->graph->version_count + 1,
					       sizeof(bool)) :
								collected->has[count];
	return collected->has[collected->count++];
}

/* For a number: the versions that have its items under any number. */
static void mark_existing(struct collected *collected)
{
	const struct abi_index *index = collected->scope->index;

	for (size_t t = 0; t < collected->count; t++)
		for (size_t i = 0; collected->word->is_number && i < index->count; i++) {
			const struct abi_index_item *item = &index->items[i];

			if (span_is_of(&collected->span[t], item->kind, item->family, item->name))
				mark(collected->exists[t], item, true);
		}
}

/* Step 2: unmarks a macro in the versions that have an ioctl of its name. */
static void unmark_macros(struct collected *collected)
{
	const struct abi_index *index = collected->scope->index;

	for (size_t t = 0; t < collected->count; t++)
		for (size_t i = 0; collected->span[t].kind == ABI_CONSTANT && i < index->count; i++)
			if (index->items[i].kind == ABI_IOCTL &&
			    !strcmp(index->items[i].name, collected->span[t].name)) {
				mark(collected->has[t], &index->items[i], false);
				mark(collected->exists[t], &index->items[i], false);
			}
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

static void finish_span(struct collected *collected, size_t index)
{
	const struct history_graph *graph = collected->scope->graph;
	struct history_span *span = &collected->span[index];
	const bool *has = collected->has[index], *exists = collected->exists[index];
	struct arena *arena = collected->arena;

	for (size_t i = 0; i < graph->version_count; i++)
		span->version_count += has[i];
	span->since_count = span_ends(&span->since, graph, exists, true, NULL, arena);
	span->until_count = span_ends(&span->until, graph, exists, false, NULL, arena);
	if (!memcmp(has, exists, graph->version_count * sizeof(*has)))
		return;
	span->number_since_count = span_ends(&span->number_since, graph, has, true, NULL, arena);
	span->number_until_count = span_ends(&span->number_until, graph, has, false, exists, arena);
}

/* Is it an ioctl or a command? For a number, only these count in other versions. */
static bool is_numbered(const struct collected *collected, const struct history_span *span)
{
	struct abi_constant constant = { .name = span->name };

	return span->kind == ABI_IOCTL ||
	       (span->kind == ABI_CONSTANT && command_is_macro(&collected->form, &constant));
}

static void collect(struct collected *collected, const struct lookup_scope *scope,
		    const struct lookup_word *word, struct arena *arena)
{
	*collected = (struct collected){
		.scope = scope, .word = word, .form = command_form_of(scope->abi), .arena = arena
	};
	for (size_t i = 0; i < scope->index->count; i++)
		if (lookup_named(&scope->index->items[i], word))
			mark(versions_of(collected, &scope->index->items[i]), &scope->index->items[i], true);
	mark_existing(collected);
	unmark_macros(collected);
	for (size_t i = 0; i < collected->count; i++) {
		finish_span(collected, i);
		collected->any_numbered |= word->is_number && collected->span[i].version_count &&
					   is_numbered(collected, &collected->span[i]);
	}
}

/*
 * The first span that the version has; the count of spans if none. For a number, other constants count only
 * if nothing else has it.
 */
static size_t one_at(const struct collected *collected, size_t version)
{
	size_t i = 0;

	while (i < collected->count &&
	       !(collected->has[i][version] &&
		 (!collected->any_numbered || is_numbered(collected, &collected->span[i]))))
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
		for (long i = graph->versions[asked].parent; i != HISTORY_NO_PARENT;
		     i = graph->versions[i].parent)
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
		out->nearest_span =
			arena_memdup(collected->arena, &collected->span[one_at(collected, out->nearest)],
				     sizeof(*out->nearest_span));
}

/* Step 5. */
static void assign_spans(struct lookup *out, struct lookup_item *items, const struct collected *collected)
{
	const struct history_span **others = arena_array(collected->arena, out->span_count + 1,
							 sizeof(*others));

	for (size_t s = 0; s < out->span_count; s++) {
		const struct history_span *span = &out->spans[s];
		bool is_other = collected->word->is_number && is_numbered(collected, span);

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
	struct lookup lookup = { .nearest = scope->graph->version_count };
	struct found found = { .abi = scope->abi, .word = word };
	struct lookup_item *items;
	struct collected collected = { .count = 0 };

	find_all(&found);
	items = arena_memdup(arena, found.item, found.count * sizeof(*items));
	lookup.items = items;
	lookup.item_count = found.count;
	if (scope->graph->version_count &&
	    (word->is_number || !history_is_glob(word->text) || !found.count)) {
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
