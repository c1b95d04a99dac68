/* diff/side.c - index one of the two documents: names, groups of names of a declaration, layouts */
#include "diff/internal.h"

#include "flatten/flatten.h"

#include <xxhash.h>

/* --- bins --------------------------------------------------------------------------------- */

void diff_bins_fill(struct diff_bins *out, size_t bin_count, const size_t *bin, size_t count,
		    struct arena *arena)
{
	size_t *first = arena_array(arena, bin_count + 1, sizeof(*first));
	size_t *item = arena_array(arena, count + 1, sizeof(*item));

	/* Count the items of each bin, add up the counts, and then fill each bin from its end. */
	for (size_t i = 0; i < count; i++)
		if (bin[i] != DIFF_NO_BIN)
			first[bin[i]]++;
	for (size_t b = 0; b < bin_count; b++)
		first[b + 1] += first[b];
	for (size_t i = count; i--;)
		if (bin[i] != DIFF_NO_BIN)
			item[--first[bin[i]]] = i;
	*out = (struct diff_bins){ first, item };
}

size_t *diff_no_indices(size_t count, struct arena *arena)
{
	size_t *list = arena_array(arena, count + 1, sizeof(*list));

	memset(list, 0xff, (count + 1) * sizeof(*list));
	return list;
}

/* --- names -------------------------------------------------------------------------------- */

static size_t bin_of_text(const char *text, size_t length, size_t bin_count)
{
	return XXH3_64bits(text, length) % bin_count;
}

void diff_index_names(struct diff_name_index *out, const char *const *names, size_t count,
		      struct arena *arena)
{
	size_t *bin = arena_array(arena, count + 1, sizeof(*bin));

	/* There are twice as many bins as names, so that most bins have at most one name. */
	*out = (struct diff_name_index){ .names = names, .bin_count = 2 * count + 1 };
	for (size_t i = 0; i < count; i++)
		bin[i] = names[i] ? bin_of_text(names[i], strlen(names[i]), out->bin_count) : DIFF_NO_BIN;
	diff_bins_fill(&out->bins, out->bin_count, bin, count, arena);
}

size_t diff_index_of(const struct diff_name_index *index, const char *name, size_t length)
{
	const size_t bin = bin_of_text(name, length, index->bin_count);

	for (size_t i = index->bins.first[bin]; i < index->bins.first[bin + 1]; i++) {
		const char *found = index->names[index->bins.item[i]];

		if (!strncmp(found, name, length) && !found[length])
			return index->bins.item[i];
	}
	return SIZE_MAX;
}

/* A part of a name. */
struct name_span {
	const char *text;
	size_t length;
};

/* Returns the length of the common text at the start of two names or parts of names, ignoring case. */
static size_t shared_head(struct name_span a, struct name_span b)
{
	size_t length = 0;

	while (length < a.length && length < b.length && !strncasecmp(a.text + length, b.text + length, 1))
		length++;
	return length;
}

/* Returns the length of the common text at the end of two names or parts of names, ignoring case. */
static size_t shared_tail(struct name_span a, struct name_span b)
{
	size_t length = 0;

	while (length < a.length && length < b.length &&
	       !strncasecmp(a.text + a.length - length - 1, b.text + b.length - length - 1, 1))
		length++;
	return length;
}

static struct name_span span_behind(const char *text, size_t length)
{
	return (struct name_span){ text + length, strlen(text) - length };
}

size_t diff_closeness(const char *a, const char *b)
{
	size_t head = shared_head(span_behind(a, 0), span_behind(b, 0));

	return head + shared_tail(span_behind(a, head), span_behind(b, head));
}

bool diff_alike(const char *a, const char *b)
{
	struct name_span x = span_behind(a, 0), y = span_behind(b, 0);
	size_t head = shared_head(x, y), tail, longer;

	while (head && a[head - 1] != '_')
		head--;
	x = span_behind(a, head);
	y = span_behind(b, head);
	tail = shared_tail(x, y);
	while (tail && x.text[x.length - tail] != '_')
		tail--;
	x.length -= tail;
	y.length -= tail;
	longer = x.length > y.length ? x.length : y.length;
	if (!x.length || !y.length)
		return true;
	head = shared_head(x, y);
	tail = shared_tail((struct name_span){ x.text + head, x.length - head },
			   (struct name_span){ y.text + head, y.length - head });
	return (head + tail) * 2 >= longer;
}

size_t diff_shared_words(const char *a, const char *b)
{
	size_t end = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '_')
			end = i + 1;
	return end;
}

/* --- declarations ------------------------------------------------------------------------- */

/* Orders names by declaration (source and content), then by name. */
static int compare_declarations(const struct diff_names *names, size_t a, size_t b)
{
	return strcmp(names->source[a], names->source[b]) ?: names->compare(names->abi, a, b)
		?: compare_numbers(a, b);
}

int diff_group_order(const struct diff_grouping *grouping, size_t a, size_t b)
{
	return compare_declarations(&grouping->names, grouping->group[a].index[0],
				    grouping->group[b].index[0]);
}

/* Orders names by declaration, for qsort_r(). */
static int compare_by_declaration(const void *a, const void *b, void *context)
{
	return compare_declarations(context, *(const size_t *)a, *(const size_t *)b);
}

/*
 * Do both names belong to the same declaration? The result is false for names without a source, because the
 * declaration is then unknown.
 */
static bool one_declaration(const struct diff_names *names, size_t a, size_t b)
{
	return *names->source[a] && !strcmp(names->source[a], names->source[b]) &&
	       !names->compare(names->abi, a, b);
}

/*
 * Returns the indices of the *@count names that are not skipped, in @arena. The names of one declaration are
 * adjacent; the order of declarations is arbitrary.
 */
static size_t *list_by_source(size_t *count, const struct diff_names *names, struct arena *arena)
{
	const size_t bin_count = names->count + 1;
	size_t *bin = arena_array(arena, bin_count, sizeof(*bin));
	struct diff_bins bins;

	for (size_t i = 0; i < names->count; i++)
		bin[i] = names->skipped && names->skipped[i]
				 ? DIFF_NO_BIN
				 : bin_of_text(names->source[i], strlen(names->source[i]), bin_count);
	diff_bins_fill(&bins, bin_count, bin, names->count, arena);
	for (size_t b = 0; b < bin_count; b++)
		if (bins.first[b + 1] - bins.first[b] > 1)
			qsort_r(bins.item + bins.first[b], bins.first[b + 1] - bins.first[b],
				sizeof(*bins.item), compare_by_declaration, (void *)names);
	*count = bins.first[bin_count];
	return bins.item;
}

/*
 * Finds the names that both versions have. A skipped name counts as absent.
 * @same: set for each name of base: the index of the same name in next, or SIZE_MAX
 * @lost, @gained: set for each name of base or next: true if the other version does not have it
 */
static void find_shared(size_t *same, bool *lost, bool *gained, const struct diff_grouping *base,
			const struct diff_grouping *next)
{
	const char *const *was = base->names.name, *const *is = next->names.name;
	size_t i = 0, j = 0;

	while (i < base->names.count || j < next->names.count) {
		int order = i == base->names.count   ? 1
			    : j == next->names.count ? -1
						     : compare_texts(was[i], is[j]);
		bool in_base = order <= 0 && base->of[i] != SIZE_MAX,
		     in_next = order >= 0 && next->of[j] != SIZE_MAX;

		if (order <= 0) {
			same[i] = in_base && in_next ? j : SIZE_MAX;
			lost[i++] = in_base && !in_next;
		}
		if (order >= 0)
			gained[j++] = in_next && !in_base;
	}
}

/* Names that both versions have. */
struct sharing {
	const size_t *same; /* indexed by name of base: the index of the same name in next, or SIZE_MAX */
	const struct diff_grouping *next;
};

/* Orders names of base that next has by their group in next, so that the names of a pair are adjacent. */
static int compare_shared(const void *a, const void *b, void *context)
{
	const struct sharing *sharing = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	size_t p = sharing->next->of[sharing->same[x]], q = sharing->next->of[sharing->same[y]];

	return compare_numbers(p, q) ?: compare_numbers(x, y);
}

void diff_pair_names(struct diff_pairing *out, const struct diff_grouping *base,
		     const struct diff_grouping *next, struct arena *arena)
{
	size_t *same = arena_array(arena, base->names.count + 1, sizeof(*same));
	size_t *in_base = arena_array(arena, base->names.count + 1, sizeof(*in_base));
	size_t *in_next = arena_array(arena, base->names.count + 1, sizeof(*in_next));
	bool *lost = arena_array(arena, base->names.count + 1, sizeof(*lost));
	bool *gained = arena_array(arena, next->names.count + 1, sizeof(*gained));
	size_t *base_pairs = arena_array(arena, base->group_count + 1, sizeof(*base_pairs));
	size_t *next_pairs = arena_array(arena, next->group_count + 1, sizeof(*next_pairs));
	struct diff_pair *pair = arena_array(arena, base->names.count + 1, sizeof(*pair));
	struct sharing sharing = { same, next };
	size_t count = 0, pairs = 0;

	find_shared(same, lost, gained, base, next);
	for (size_t g = 0; g < base->group_count; g++) {
		const struct diff_group *group = &base->group[g];
		size_t end = count;

		for (size_t i = 0; i < group->count; i++)
			if (same[group->index[i]] != SIZE_MAX)
				in_base[end++] = group->index[i];
		if (end - count > 1)
			qsort_r(in_base + count, end - count, sizeof(*in_base), compare_shared, &sharing);
		for (size_t h = SIZE_MAX; count < end; count++) {
			in_next[count] = same[in_base[count]];
			if (h != next->of[in_next[count]]) {
				h = next->of[in_next[count]];
				pair[pairs++] =
					(struct diff_pair){ g, h, in_base + count, in_next + count, 0 };
				base_pairs[g]++;
				next_pairs[h]++;
			}
			pair[pairs - 1].name_count++;
		}
	}
	*out = (struct diff_pairing){ pair, pairs, base_pairs, next_pairs, lost, gained };
}

void diff_set_also(struct diff_change *change, const struct diff_grouping *grouping, size_t group,
		   struct arena *arena)
{
	const struct diff_group *names = &grouping->group[group];
	const char **also = arena_array(arena, names->count, sizeof(*also));

	for (size_t i = 0; i < names->count; i++) {
		const char *name = grouping->names.name[names->index[i]];

		if (strcmp(name, change->name))
			also[change->also_count++] = name;
	}
	change->also = also;
}

bool diff_has_also(const struct diff_change *change, const char *name)
{
	return texts_have(change->also, change->also_count, name);
}

/* --- content ------------------------------------------------------------------------------ */

/* Orders records by content. Any total order will do: only equal content makes a group of names. */
static int compare_record_content(const struct abi *abi, size_t a, size_t b)
{
	const struct abi_record *x = &abi->records[a], *y = &abi->records[b];
	int order = compare_numbers(x->size_bytes, y->size_bytes)
		?: compare_numbers(x->align_bytes, y->align_bytes) ?: x->is_union - y->is_union
		?: compare_numbers(x->field_count, y->field_count);

	for (size_t i = 0; !order && x->fields != y->fields && i < x->field_count; i++) {
		const struct abi_field *p = &x->fields[i], *q = &y->fields[i];

		order = compare_numbers(p->offset_bits, q->offset_bits)
			?: compare_numbers(p->size_bits, q->size_bits) ?: p->is_bitfield - q->is_bitfield
			?: compare_numbers(p->role, q->role) ?: strcmp(p->name, q->name)
			?: strcmp(p->type, q->type);
	}
	return order;
}

/* Orders enums by their enumerators, for compare_enum_content(). */
static int compare_values(const struct abi_enum *a, const struct abi_enum *b)
{
	int order = compare_numbers(a->value_count, b->value_count);

	if (a->values == b->values)
		return order;
	for (size_t i = 0; !order && i < a->value_count; i++) {
		const struct abi_enumerator *x = &a->values[i], *y = &b->values[i];

		order = strcmp(x->name, y->name) ?: abi_number_compare(x->value, y->value);
	}
	return order;
}

bool diff_same_values(const struct abi_enum *a, const struct abi_enum *b)
{
	return !compare_values(a, b);
}

/* Compares the content of two enums, as compare_record_content() does for records. */
static int compare_enum_content(const struct abi *abi, size_t a, size_t b)
{
	const struct abi_enum *x = &abi->enums[a], *y = &abi->enums[b];

	return compare_numbers(x->size_bytes, y->size_bytes) ?: strcmp(x->type, y->type)
		?: compare_values(x, y);
}

/* Is @type "PARENT::FIELD_t"? No other type of C has a colon. */
static bool is_unnamed_spelling(const char *type)
{
	const char *colon = strchr(type, ':');

	return colon && strstr(colon, "::");
}

/* Marks every record that is the unnamed type of a field, and every record that has such a field. */
static int mark_unnamed(bool *unnamed, bool *has_unnamed, const struct abi *abi, struct err *err)
{
	for (size_t i = 0; i < abi->record_count; i++) {
		const struct abi_record *record = &abi->records[i];

		for (size_t j = 0; j < record->field_count; j++) {
			struct abi_type type;
			int rc;

			if (!is_unnamed_spelling(record->fields[j].type))
				continue;
			has_unnamed[i] = true;
			if ((rc = abi_resolve_type(&type, abi, record->fields[j].type, err))) {
				err_prefix(err, "%s.%s", record->name, record->fields[j].name);
				return rc;
			}
			if (type.record && strstr(type.record->name, "::"))
				unnamed[type.record - abi->records] = true;
		}
	}
	return 0;
}

static const char *const *list_names(const struct diff_side *side, enum abi_kind kind)
{
	const struct abi_items items = abi_items(side->abi, kind);
	const char **names = arena_array(side->arena, items.count + 1, sizeof(*names));

	for (size_t i = 0; i < items.count; i++)
		names[i] = abi_item_name(kind, items.first + i * items.size_bytes);
	return names;
}

/* Groups the names of one kind by declaration. @skipped: true for a name without a group; can be NULL */
static void group_items(struct diff_grouping *out, const struct diff_side *side, enum abi_kind kind,
			const bool *skipped, int (*compare)(const struct abi *, size_t, size_t))
{
	const struct abi_items items = abi_items(side->abi, kind);
	const char **sources = arena_array(side->arena, items.count + 1, sizeof(*sources));
	/* indexed by the first name of each group: the number of names in the group */
	size_t *length = arena_array(side->arena, items.count + 1, sizeof(*length));
	size_t count, *order;

	for (size_t i = 0; i < items.count; i++) {
		const char *source = *abi_item_source(kind, items.first + i * items.size_bytes);

		sources[i] = source ? source : "";
	}
	out->names = (struct diff_names){ list_names(side, kind), sources, skipped, items.count, compare,
					  side->abi };
	order = list_by_source(&count, &out->names, side->arena);
	out->group = arena_array(side->arena, items.count + 1, sizeof(*out->group));
	out->group_count = 0;
	out->of = diff_no_indices(items.count, side->arena);
	for (size_t i = 0, first = 0; i < count; i++) {
		if (!i || !one_declaration(&out->names, order[i - 1], order[i]))
			first = i;
		length[order[first]]++;
		out->of[order[i]] = first; /* for now, the index in @order at which the group begins */
	}
	for (size_t i = 0; i < items.count; i++) {
		struct diff_group *group = &out->group[out->group_count];

		if (!length[i])
			continue;
		*group = (struct diff_group){ &order[out->of[i]], length[i] };
		for (size_t k = 0; k < group->count; k++)
			out->of[group->index[k]] = out->group_count;
		out->group_count++;
	}
}

/* --- the side ----------------------------------------------------------------------------- */

int diff_side_init(struct diff_side *side, const struct abi *abi, struct arena *arena, struct err *err)
{
	bool *unnamed = arena_array(arena, abi->record_count + 1, sizeof(*unnamed));
	bool *has_unnamed = arena_array(arena, abi->record_count + 1, sizeof(*has_unnamed));
	int rc;

	*side = (struct diff_side){ .abi = abi, .arena = arena, .has_unnamed = has_unnamed };
	if ((rc = mark_unnamed(unnamed, has_unnamed, abi, err)))
		return rc;
	group_items(&side->enums, side, ABI_ENUM, NULL, compare_enum_content);
	group_items(&side->records, side, ABI_RECORD, unnamed, compare_record_content);
	side->layout = arena_array(arena, abi->record_count + 1, sizeof(*side->layout));
	return 0;
}

const void *diff_side_find(struct diff_side *side, enum abi_kind kind, const char *name, size_t length)
{
	const struct abi_items items = abi_items(side->abi, kind);
	struct diff_name_index *index = &side->by_name[kind];
	size_t found;

	if (!index->names)
		diff_index_names(index, list_names(side, kind), items.count, side->arena);
	found = diff_index_of(index, name, length);
	return found == SIZE_MAX ? NULL : items.first + found * items.size_bytes;
}

bool diff_side_is_unnamed(const struct diff_side *side, const struct abi_record *record)
{
	return side->records.names.skipped[record - side->abi->records];
}

int diff_side_layout(const struct abi_layout **out, struct diff_side *side, const struct abi_record *record,
		     struct err *err)
{
	size_t i = (size_t)(record - side->abi->records);

	if (!side->layout[i]) {
		struct abi_layout *layout = arena_alloc(side->arena, sizeof(*layout));
		int rc = flatten_record(layout, side->abi, record->name, side->arena, err);

		if (rc) {
			err_prefix(err, "%s", side->abi->version);
			return rc;
		}
		side->layout[i] = layout;
	}
	*out = side->layout[i];
	return 0;
}

const struct abi_record *diff_side_record(const struct diff_side *side, size_t group)
{
	return &side->abi->records[side->records.group[group].index[0]];
}

const struct abi_enum *diff_side_enum(const struct diff_side *side, size_t group)
{
	return &side->abi->enums[side->enums.group[group].index[0]];
}
