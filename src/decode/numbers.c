/*
 * 1. Each version's ioctls are in one order, and two versions in a row differ in few of them: the list of all is merged with
 *    one version after the other. The macros of commands likewise.
 * 2. The list is sorted by family and number; those of one number stand together.
 * 3. What a number has been is found when it is first asked for, and kept: how long the parameters were in each version,
 *    and since when the driver has each ioctl.
 */
#include "decode/numbers.h"

#include "decode/call.h"
#include "history/history.h"

#include <stdlib.h>
#include <string.h>

/* One name of one number. */
struct entry {
	const char *family;
	uint64_t number;
	const char *name;
	bool is_macro;
	bool *has; /* by version */
};

struct entries {
	struct entry *entry; /* malloc'd */
	size_t count;
};

struct decode_numbers {
	const struct history_graph *graph;
	struct entries known;               /* by family, number, ioctls first, name */
	const struct decode_number **found; /* by the first entry of a number; NULL: not asked for yet */
	struct arena arena;
};

/* --- all names of all numbers -------------------------------------------------------------------- */

static int order_texts(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int order_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* As a document has its ioctls, and the list its entries. */
static int order_by_number(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order;

	if ((order = order_texts(x->family, y->family)) || (order = order_numbers(x->number, y->number)) ||
	    (order = (int)x->is_macro - (int)y->is_macro))
		return order;
	return order_texts(x->name, y->name);
}

/* As a document has its constants. */
static int order_by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	const int order = order_texts(x->name, y->name);

	return order ? order : order_numbers(x->number, y->number);
}

/* Both lists are in @order. The entries of @now are those of @version. */
static void merge(struct entries *all, const struct entries *now, size_t version, size_t version_count,
		  int (*order)(const void *, const void *), struct arena *arena)
{
	struct entry *merged = xmalloc((all->count + now->count + 1) * sizeof(*merged));
	size_t count = 0, a = 0;

	for (size_t n = 0; n < now->count; n++) {
		int which = -1;

		while (a < all->count && (which = order(&all->entry[a], &now->entry[n])) < 0)
			merged[count++] = all->entry[a++];
		merged[count] = a < all->count && !which ? all->entry[a++] : now->entry[n];
		if (!merged[count].has)
			merged[count].has = arena_array(arena, version_count, sizeof(bool));
		merged[count++].has[version] = true;
	}
	while (a < all->count)
		merged[count++] = all->entry[a++];
	free(all->entry);
	*all = (struct entries){ merged, count };
}

/*
 * Is it the number of a control command? The macro is named after its class: NV2080_CTRL_... Those of class 0 without CMD
 * number interfaces: NV0000_CTRL_GPU is 2.
 */
static bool is_command_macro(const struct abi_constant *constant)
{
	const char *name = constant->name;
	char *end;
	uint64_t class;

	if (strncmp(name, "NV", 2) != 0 || strnlen(name, 7) < 7 || name[6] != '_' || strncmp(name + 7, "CTRL_", 5) != 0)
		return false;
	class = strtoull(name + 2, &end, 16);
	return end == name + 6 && !constant->value.negative && constant->value.magnitude >> 16 == class &&
	       (class || !strncmp(name + 12, "CMD_", 4));
}

static void list_version(struct entries *ioctls, struct entries *macros, const struct abi *abi)
{
	const size_t first = abi_constants_from(abi, "NV");

	*ioctls = (struct entries){ xmalloc((abi->ioctl_count + 1) * sizeof(*ioctls->entry)), abi->ioctl_count };
	*macros = (struct entries){ xmalloc((abi->constant_count + 1) * sizeof(*macros->entry)), 0 };
	for (size_t i = 0; i < abi->ioctl_count; i++)
		ioctls->entry[i] = (struct entry){ abi->ioctls[i].family, abi->ioctls[i].number, abi->ioctls[i].name, false, NULL };
	for (size_t i = first; i < abi->constant_count && !strncmp(abi->constants[i].name, "NV", 2); i++)
		if (is_command_macro(&abi->constants[i]))
			macros->entry[macros->count++] = (struct entry){ "control", abi->constants[i].value.magnitude, abi->constants[i].name, true, NULL };
}

struct decode_numbers *decode_numbers_new(const struct history_graph *graph)
{
	struct decode_numbers *numbers = xmalloc(sizeof(*numbers));
	struct entries macros = { NULL, 0 }, now[2];

	*numbers = (struct decode_numbers){ .graph = graph };
	for (size_t v = 0; v < graph->version_count; v++) {
		if (!graph->versions[v].abi)
			continue;
		list_version(&now[0], &now[1], graph->versions[v].abi);
		merge(&numbers->known, &now[0], v, graph->version_count, order_by_number, &numbers->arena);
		merge(&macros, &now[1], v, graph->version_count, order_by_name, &numbers->arena);
		free(now[0].entry);
		free(now[1].entry);
	}
	numbers->known.entry = xrealloc(numbers->known.entry, (numbers->known.count + macros.count + 1) * sizeof(*macros.entry));
	if (macros.count)
		memcpy(numbers->known.entry + numbers->known.count, macros.entry, macros.count * sizeof(*macros.entry));
	numbers->known.count += macros.count;
	free(macros.entry);
	if (numbers->known.count)
		qsort(numbers->known.entry, numbers->known.count, sizeof(*numbers->known.entry), order_by_number);
	numbers->found = arena_array(&numbers->arena, numbers->known.count + 1, sizeof(*numbers->found));
	return numbers;
}

void decode_numbers_free(struct decode_numbers *numbers)
{
	if (!numbers)
		return;
	free(numbers->known.entry);
	arena_release(&numbers->arena);
	free(numbers);
}

/* --- rows of versions ------------------------------------------------------------------------------ */

/* The last version of the row that begins at @first. A version that could not be read ends no row. */
static size_t row_end(const bool *has, const struct history_graph *graph, size_t first)
{
	size_t last = first;

	for (size_t v = first + 1; v < graph->version_count && (has[v] || !graph->versions[v].abi); v++)
		last = has[v] ? v : last;
	return last;
}

size_t decode_versions_list(const char *const **out, const bool *has, const struct history_graph *graph, struct arena *arena)
{
	const char **list;
	size_t count = 0;

	for (size_t v = 0; v < graph->version_count; v++)
		if (has[v]) {
			v = row_end(has, graph, v);
			count++;
		}
	list = arena_array(arena, count + 1, sizeof(*list));
	count = 0;
	for (size_t v = 0; v < graph->version_count; v++)
		if (has[v]) {
			const size_t last = row_end(has, graph, v);

			list[count++] = last == v ? graph->versions[v].version :
						    arena_printf(arena, "%s..%s", graph->versions[v].version, graph->versions[last].version);
			v = last;
		}
	*out = list;
	return count;
}

/* --- sizes -------------------------------------------------------------------------------------------- */

/* The size of an ioctl's parameters in one document; the one that is wanted, if the ioctl may have several. Of an array, any number of elements. */
static uint64_t size_in(const struct abi *abi, const struct abi_ioctl *ioctl, uint64_t wanted)
{
	const char *element = call_array_element(ioctl);
	const uint64_t element_bytes = element ? call_record_size(abi, element) : 0;
	const char *record = call_record(abi, ioctl, wanted);

	if (element_bytes)
		return wanted && !(wanted % element_bytes) ? wanted : element_bytes;
	return record ? call_record_size(abi, record) : 0;
}

static const struct abi_ioctl *find_named(const struct abi *abi, const char *family, uint64_t number, const char *name)
{
	size_t i = abi_ioctls_from(abi, family, number);

	while (strcmp(abi->ioctls[i].name, name) != 0)
		i++;
	return &abi->ioctls[i];
}

static const struct decode_size *list_runs(size_t *count, const struct decode_owner *owner, const struct history_graph *graph, const char *family,
					  uint64_t number, uint64_t wanted, struct arena *arena)
{
	struct decode_size *runs = xmalloc((graph->version_count + 1) * sizeof(*runs)), *run = NULL;
	const struct decode_size *list;

	*count = 0;
	for (size_t v = 0; v < graph->version_count && !owner->is_macro; v++) {
		const struct abi *abi = graph->versions[v].abi;
		uint64_t size;

		if (!owner->has[v]) {
			run = abi ? NULL : run;
			continue;
		}
		size = size_in(abi, find_named(abi, family, number, owner->name), wanted);
		if (!run || run->size_bytes != size) {
			run = &runs[(*count)++];
			*run = (struct decode_size){ .first = v, .size_bytes = size };
		}
		run->last = v;
	}
	list = arena_memdup(arena, runs, *count * sizeof(*runs));
	free(runs);
	return list;
}

const struct decode_size *decode_number_runs(size_t *count, const struct decode_owner *owner, const struct decode_number *number,
					    const struct history_graph *graph, const char *family, uint64_t value, uint64_t wanted,
					    struct arena *arena)
{
	*count = owner->run_count;
	return number->has_sizes && wanted ? list_runs(count, owner, graph, family, value, wanted, arena) : owner->runs;
}

enum { LISTED_MAX = 3 };

/* Newest first. */
static void owner_sizes(struct strbuf *out, const struct decode_owner *owner, const struct history_graph *graph)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t i = owner->run_count; i-- > 0;) {
		const struct decode_size *run = &owner->runs[i];

		least = run->size_bytes < least ? run->size_bytes : least;
		most = run->size_bytes > most ? run->size_bytes : most;
		if (owner->run_count > LISTED_MAX)
			continue;
		strbuf_addf(out, "%s%llu", i + 1 < owner->run_count ? ", " : "", (unsigned long long)run->size_bytes);
		if (owner->run_count > 1)
			strbuf_addf(out, " in %s", graph->versions[run->first].version);
		if (owner->run_count > 1 && run->last != run->first)
			strbuf_addf(out, "..%s", graph->versions[run->last].version);
	}
	if (owner->run_count > LISTED_MAX)
		strbuf_addf(out, "%llu to %llu", (unsigned long long)least, (unsigned long long)most);
}

void decode_number_sizes(struct strbuf *out, const struct decode_number *number, const char *record, const struct history_graph *graph)
{
	const bool has_several = number->owner_count > 1 && !number->owners[1].is_macro;

	for (size_t i = 0; i < number->owner_count && !number->owners[i].is_macro; i++) {
		strbuf_addf(out, "%s%s has ", i ? "; " : "", has_several ? number->owners[i].name : record);
		owner_sizes(out, &number->owners[i], graph);
	}
}

/* --- one number ------------------------------------------------------------------------------------------ */

/* Has a version the ioctl, under any number? A version that could not be read has what its nearest readable ancestor has. */
static bool has_at(const bool *has, const struct history_graph *graph, long version)
{
	while (version >= 0 && !graph->versions[version].abi)
		version = graph->versions[version].parent;
	return version >= 0 && has[version];
}

static void list_edges(struct strbuf *out, const bool *has, const struct history_graph *graph, bool wanted, const char *first)
{
	const char *before = first;

	for (size_t v = 0; v < graph->version_count; v++) {
		if (has_at(has, graph, (long)v) != wanted || has_at(has, graph, graph->versions[v].parent) == wanted)
			continue;
		strbuf_addf(out, "%s%s", before, graph->versions[v].version);
		before = ", ";
	}
}

static const char *lifetime_of(struct decode_numbers *numbers, const struct entry *entry)
{
	const struct history_graph *graph = numbers->graph;
	bool *has = arena_array(&numbers->arena, graph->version_count, sizeof(*has));
	struct strbuf text = { 0 };
	const char *lifetime;

	for (size_t i = 0; i < numbers->known.count; i++) {
		const struct entry *other = &numbers->known.entry[i];

		if (other->is_macro != entry->is_macro || strcmp(other->name, entry->name) != 0 || strcmp(other->family, entry->family) != 0)
			continue;
		for (size_t v = 0; v < graph->version_count; v++)
			has[v] |= other->has[v];
	}
	list_edges(&text, has, graph, true, "");
	list_edges(&text, has, graph, false, "; removed in ");
	lifetime = arena_strdup(&numbers->arena, strbuf_text(&text));
	strbuf_release(&text);
	return lifetime;
}

/* A macro names a number only where no ioctl has it; one that an ioctl of the number is named after is the ioctl. */
static bool is_own_macro(struct entry *macro, const struct entry *first, size_t count, const struct history_graph *graph)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (first[i].is_macro)
			continue;
		if (!strcmp(first[i].name, macro->name))
			return false;
		for (size_t v = 0; v < graph->version_count; v++)
			macro->has[v] &= !first[i].has[v];
	}
	for (size_t v = 0; v < graph->version_count; v++)
		any |= macro->has[v];
	return any;
}

static size_t newest_of(const struct decode_owner *owner, const struct history_graph *graph)
{
	size_t v = graph->version_count;

	while (v > 0 && !owner->has[v - 1])
		v--;
	return v;
}

/* Ioctls stay before macros, and by name if the newest version has both. */
static void put_newest_first(struct decode_owner *owners, size_t count, const struct history_graph *graph)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = i; j > 0 && owners[j].is_macro == owners[j - 1].is_macro && newest_of(&owners[j], graph) > newest_of(&owners[j - 1], graph); j--) {
			const struct decode_owner owner = owners[j];

			owners[j] = owners[j - 1];
			owners[j - 1] = owner;
		}
}

static const struct decode_number *describe(struct decode_numbers *numbers, struct entry *first, size_t count)
{
	const struct history_graph *graph = numbers->graph;
	struct decode_number *number = arena_alloc(&numbers->arena, sizeof(*number));
	struct decode_owner *owners = arena_array(&numbers->arena, count, sizeof(*owners));

	*number = (struct decode_number){ .owners = owners };
	for (size_t i = 0; i < count; i++) {
		struct decode_owner *owner = &owners[number->owner_count];

		if (first[i].is_macro && !is_own_macro(&first[i], first, count, graph))
			continue;
		*owner = (struct decode_owner){ .name = first[i].name, .is_macro = first[i].is_macro, .has = first[i].has };
		owner->runs = list_runs(&owner->run_count, owner, graph, first->family, first->number, 0, &numbers->arena);
		owner->lifetime = lifetime_of(numbers, &first[i]);
		number->has_sizes |= !owner->is_macro && call_has_sizes(first->family, owner->name);
		number->owner_count++;
	}
	put_newest_first(owners, number->owner_count, graph);
	return number;
}

const struct decode_number *decode_numbers_find(struct decode_numbers *numbers, const char *family, uint64_t number)
{
	const struct entries *known = &numbers->known;
	size_t low = 0, high = known->count, end;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order = order_texts(known->entry[middle].family, family);

		if (order < 0 || (!order && known->entry[middle].number < number))
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < known->count && known->entry[end].number == number && !strcmp(known->entry[end].family, family); end++)
		;
	if (end == low)
		return NULL;
	if (!numbers->found[low])
		numbers->found[low] = describe(numbers, &known->entry[low], end - low);
	return numbers->found[low];
}
