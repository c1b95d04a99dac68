/* decode/resolve.c - lists the names of a number in all versions, and finds a call's ioctl and version */
/*
 * 1. All names of the number are listed, each with the versions that fit: those in which the parameters have
 *    the call's size.
 * 2. The version for decoding is the requested version if it fits, else the newest version that fits. All
 *    names for which a version fits are listed. A note reports versions in which the record has the same size
 *    but different fields.
 * 3. The record of that version is used to decode the bytes. If no version fits, the bytes are not decoded.
 *
 * The result depends only on the ioctl and the size, so call.c caches it.
 */
#include "decode/decode.h"
#include "decode/internal.h"
#include "flatten/flatten.h"
#include "history/history.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/*
 * How the list of all numbers is made:
 *
 * 1. The ioctls of each version are merged into a sorted list of all ioctls. This is fast, because the ioctls
 *    of a version have the same order, and few of them are new. The macros of commands are merged in the same
 *    way.
 * 2. The list is sorted by family and number, so that entries with the same number are adjacent.
 * 3. The history of a number is computed when it is first requested, and kept. It has the size of the
 *    parameters in each version, and the versions that added and removed each ioctl.
 */

/* One name of one number. */
struct number_name {
	const char *family;
	uint64_t number;
	const char *name;
	bool is_macro;
	bool *has; /* indexed by version */
};

struct number_names {
	struct number_name *entry; /* malloc'd */
	size_t count;
};

struct decode_numbers {
	const struct history_graph *graph;
	struct number_names known;          /* sorted by family, number, ioctls before macros, name */
	const struct decode_number **found; /* indexed by a number's first entry; NULL before its first use.
					       Itself NULL before the list is made */
	struct arena arena;
};

/* --- all names of all numbers -------------------------------------------------------------------- */

/* Compares the pointers first, because the documents of different versions share most strings. */
static int order_texts(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int order_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* The order of a document's ioctls, and of the list of all ioctls. merge() needs both lists in one order. */
static int order_by_number(const void *a, const void *b)
{
	const struct number_name *x = a, *y = b;
	int order;

	if ((order = order_texts(x->family, y->family)) || (order = order_numbers(x->number, y->number)) ||
	    (order = (int)x->is_macro - (int)y->is_macro))
		return order;
	return order_texts(x->name, y->name);
}

/* The order of a document's constants, in which merge() merges the macros of all versions. */
static int order_by_name(const void *a, const void *b)
{
	const struct number_name *x = a, *y = b;
	const int order = order_texts(x->name, y->name);

	return order ? order : order_numbers(x->number, y->number);
}

/*
 * Merges @now, the entries of @version, into @all. Both lists are sorted by @order, and stay so. @now is then
 * unspecified.
 */
static void merge_version(struct number_names *all, struct number_names *now, size_t version,
			  size_t version_count, int (*order)(const void *, const void *), struct arena *arena)
{
	size_t added = 0, a = 0, end;

	for (size_t n = 0; n < now->count; n++) {
		int which = -1;

		while (a < all->count && (which = order(&all->entry[a], &now->entry[n])) < 0)
			a++;
		if (a < all->count && !which) {
			all->entry[a++].has[version] = true;
			continue;
		}
		now->entry[added] = now->entry[n];
		now->entry[added].has = arena_array(arena, version_count, sizeof(bool));
		now->entry[added++].has[version] = true;
	}
	end = all->count + added;
	all->entry = xrealloc(all->entry, (end + 1) * sizeof(*all->entry));
	a = all->count;
	all->count = end;
	while (added)
		all->entry[--end] = a && order(&all->entry[a - 1], &now->entry[added - 1]) > 0
					    ? all->entry[--a]
					    : now->entry[--added];
}

/*
 * Is @constant, whose name begins with NV, the number of a control command? Its name has the class:
 * NV2080_CTRL_... In class 0, a name without CMD is the number of an interface: NV0000_CTRL_GPU is 2.
 */
static bool is_command_macro(const struct abi_constant *constant)
{
	static const char prefix[] = "_CTRL_CMD_";
	const uint64_t class = constant->value.magnitude >> 16;
	const char *name = constant->name;

	if (constant->value.negative || class > UINT16_MAX)
		return false;
	for (size_t i = 0; i < 4; i++)
		if (rest_digit(name[2 + i]) != (int)(class >> (12 - 4 * i) & 0xf))
			return false;
	return !strncmp(name + 6, prefix, class ? strlen("_CTRL_") : strlen(prefix));
}

static void list_version_entries(struct number_names *ioctls, struct number_names *macros,
				 const struct abi *abi)
{
	const size_t first = abi_constants_from(abi, "NV"), drm = abi_ioctls_from(abi, "drm", 0);
	size_t end;

	*ioctls = (struct number_names){ xmalloc((abi->ioctl_count + 1) * sizeof(*ioctls->entry)),
				    abi->ioctl_count };
	*macros = (struct number_names){ xmalloc((abi->constant_count + 1) * sizeof(*macros->entry)), 0 };
	for (size_t i = 0; i < abi->ioctl_count; i++)
		ioctls->entry[i] = (struct number_name){ abi->ioctls[i].family,
							abi_ioctl_identity(&abi->ioctls[i]),
						   abi->ioctls[i].name, false, NULL };
	/* Only the identities of this family have a different order than the numbers. */
	for (end = drm; end < abi->ioctl_count && !strcmp(abi->ioctls[end].family, "drm");)
		end++;
	if (end > drm)
		qsort(&ioctls->entry[drm], end - drm, sizeof(*ioctls->entry), order_by_number);
	for (size_t i = first; i < abi->constant_count && !strncmp(abi->constants[i].name, "NV", 2); i++)
		if (is_command_macro(&abi->constants[i]))
			macros->entry[macros->count++] =
				(struct number_name){ "control", abi->constants[i].value.magnitude,
						abi->constants[i].name, true, NULL };
}

static void list_numbers(struct decode_numbers *numbers)
{
	const struct history_graph *graph = numbers->graph;
	struct number_names macros = { NULL, 0 }, now[2];

	for (size_t v = 0; v < graph->version_count; v++) {
		if (!graph->versions[v].abi)
			continue;
		list_version_entries(&now[0], &now[1], graph->versions[v].abi);
		merge_version(&numbers->known, &now[0], v, graph->version_count, order_by_number,
			      &numbers->arena);
		merge_version(&macros, &now[1], v, graph->version_count, order_by_name, &numbers->arena);
		free(now[0].entry);
		free(now[1].entry);
	}
	numbers->known.entry = xrealloc(numbers->known.entry,
					(numbers->known.count + macros.count + 1) * sizeof(*macros.entry));
	if (macros.count)
		memcpy(numbers->known.entry + numbers->known.count, macros.entry,
		       macros.count * sizeof(*macros.entry));
	numbers->known.count += macros.count;
	free(macros.entry);
	if (numbers->known.count)
		qsort(numbers->known.entry, numbers->known.count, sizeof(*numbers->known.entry),
		      order_by_number);
	numbers->found = arena_array(&numbers->arena, numbers->known.count + 1, sizeof(*numbers->found));
}

struct decode_numbers *decode_numbers_new(const struct history_graph *graph)
{
	struct decode_numbers *numbers = xmalloc(sizeof(*numbers));

	*numbers = (struct decode_numbers){ .graph = graph };
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

/* --- ranges of consecutive versions ---------------------------------------------------------------- */

/* Finds the last version of the range that begins at @first. A version without a document does not end it. */
static size_t row_end(const bool *has, const struct history_graph *graph, size_t first)
{
	size_t last = first;

	for (size_t v = first + 1; v < graph->version_count && (has[v] || !graph->versions[v].abi); v++)
		last = has[v] ? v : last;
	return last;
}

/*
 * decode_versions_list - write each range of consecutive versions in @has as "A..B". Return: the number of
 * ranges; @out lives in @arena.
 */
static size_t decode_versions_list(const char *const **out, const bool *has,
				   const struct history_graph *graph, struct arena *arena)
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

			list[count++] = last == v ? graph->versions[v].version
						  : arena_printf(arena, "%s..%s", graph->versions[v].version,
								 graph->versions[last].version);
			v = last;
		}
	*out = list;
	return count;
}

/* --- sizes -------------------------------------------------------------------------------------------- */

/*
 * Finds the size of an ioctl's parameters in one document. The result is @wanted if the parameters can have
 * that size, because they have several sizes or are an array.
 */
static uint64_t size_in(const struct abi *abi, const struct abi_ioctl *ioctl, uint64_t wanted)
{
	const char *element = call_array_element(ioctl);
	const uint64_t element_bytes = element ? call_record_size(abi, element) : 0;
	const char *record = call_record(abi, ioctl, wanted);

	if (element_bytes)
		return wanted && !(wanted % element_bytes) ? wanted : element_bytes;
	return record ? call_record_size(abi, record) : 0;
}

/* Lists the sizes of an ioctl's parameters, as runs of versions with one size. */
static const struct decode_size *list_size_runs(size_t *count, const struct decode_owner *owner,
						const struct history_graph *graph, const char *family,
						uint64_t number, uint64_t wanted, struct arena *arena)
{
	struct decode_size *runs = xmalloc((graph->version_count + 1) * sizeof(*runs)), *run = NULL;
	const struct decode_size *list;

	*count = 0;
	for (size_t v = 0; v < graph->version_count && !owner->is_macro; v++) {
		const struct abi *abi = graph->versions[v].abi;
		const struct abi_ioctl *ioctl;
		uint64_t size;

		if (!owner->has[v]) {
			run = abi ? NULL : run;
			continue;
		}
		ioctl = &abi->ioctls[abi_ioctls_from(abi, family, number)];
		while (strcmp(ioctl->name, owner->name) != 0)
			ioctl++;
		size = size_in(abi, ioctl, wanted);
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

enum { LISTED_MAX = 3 };

void decode_number_sizes(struct strbuf *out, const struct decode_number *number, const char *record,
			 const struct history_graph *graph)
{
	const bool has_several = number->owner_count > 1 && !number->owners[1].is_macro;

	for (size_t o = 0; o < number->owner_count && !number->owners[o].is_macro; o++) {
		const struct decode_owner *owner = &number->owners[o];
		uint64_t least = UINT64_MAX, most = 0;

		strbuf_addf(out, "%s%s has ", o ? "; " : "", has_several ? owner->name : record);
		for (size_t i = owner->run_count; i-- > 0;) {
			const struct decode_size *run = &owner->runs[i];

			least = run->size_bytes < least ? run->size_bytes : least;
			most = run->size_bytes > most ? run->size_bytes : most;
			if (owner->run_count > LISTED_MAX)
				continue;
			strbuf_addf(out, "%s%llu", i + 1 < owner->run_count ? ", " : "",
				    (unsigned long long)run->size_bytes);
			if (owner->run_count > 1)
				strbuf_addf(out, " in %s", graph->versions[run->first].version);
			if (owner->run_count > 1 && run->last != run->first)
				strbuf_addf(out, "..%s", graph->versions[run->last].version);
		}
		if (owner->run_count > LISTED_MAX)
			strbuf_addf(out, "%llu to %llu", (unsigned long long)least, (unsigned long long)most);
	}
}

/* --- one number ------------------------------------------------------------------------------------- */

/*
 * Does @version have the ioctl, with any number? A version without a document is assumed to have the ioctls
 * of its nearest ancestor with a document.
 */
static bool has_at(const bool *has, const struct history_graph *graph, long version)
{
	while (version >= 0 && !graph->versions[version].abi)
		version = graph->versions[version].parent;
	return version >= 0 && has[version];
}

/* Lists where in the graph an ioctl was added (@wanted) or removed: a parent differs from its child there. */
static void list_lifetime_edges(struct strbuf *out, const bool *has, const struct history_graph *graph,
				bool wanted, const char *first)
{
	const char *before = first;

	for (size_t v = 0; v < graph->version_count; v++) {
		if (has_at(has, graph, (long)v) != wanted ||
		    has_at(has, graph, graph->versions[v].parent) == wanted)
			continue;
		strbuf_addf(out, "%s%s", before, graph->versions[v].version);
		before = ", ";
	}
}

/* Spells since when the name exists, under any number, and where it was removed. */
static const char *lifetime_of(struct decode_numbers *numbers, const struct number_name *entry)
{
	const struct history_graph *graph = numbers->graph;
	bool *has = arena_array(&numbers->arena, graph->version_count, sizeof(*has));
	struct strbuf text = { 0 };

	for (size_t i = 0; i < numbers->known.count; i++) {
		const struct number_name *other = &numbers->known.entry[i];

		if (other->is_macro != entry->is_macro || strcmp(other->name, entry->name) != 0 ||
		    strcmp(other->family, entry->family) != 0)
			continue;
		for (size_t v = 0; v < graph->version_count; v++)
			has[v] |= other->has[v];
	}
	list_lifetime_edges(&text, has, graph, true, "");
	list_lifetime_edges(&text, has, graph, false, "; removed in ");
	return strbuf_take(&text, &numbers->arena);
}

/*
 * Is @macro a name for the number that no ioctl has in any version? Removes the versions in which an ioctl
 * has the number.
 */
static bool is_own_macro(struct number_name *macro, const struct number_name *first, size_t count,
			 const struct history_graph *graph)
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

static const struct decode_number *describe_number(struct decode_numbers *numbers, struct number_name *first,
						   size_t count)
{
	const struct history_graph *graph = numbers->graph;
	struct decode_number *number = arena_alloc(&numbers->arena, sizeof(*number));
	struct decode_owner *owners = arena_array(&numbers->arena, count, sizeof(*owners));

	*number = (struct decode_number){ .owners = owners };
	for (size_t i = 0; i < count; i++) {
		struct decode_owner *owner = &owners[number->owner_count];

		if (first[i].is_macro && !is_own_macro(&first[i], first, count, graph))
			continue;
		*owner = (struct decode_owner){ .name = first[i].name,
						.is_macro = first[i].is_macro,
						.has = first[i].has };
		owner->runs = list_size_runs(&owner->run_count, owner, graph, first->family, first->number, 0,
					     &numbers->arena);
		owner->lifetime = lifetime_of(numbers, &first[i]);
		number->has_sizes |= !owner->is_macro && call_has_sizes(first->family, owner->name);
		number->owner_count++;
	}
	/* Sort by the newest version. Ioctls stay before macros, and equal elements in the order of names. */
	for (size_t i = 1; i < number->owner_count; i++)
		for (size_t j = i; j > 0 && owners[j].is_macro == owners[j - 1].is_macro &&
				   newest_of(&owners[j], graph) > newest_of(&owners[j - 1], graph);
		     j--) {
			const struct decode_owner owner = owners[j];

			owners[j] = owners[j - 1];
			owners[j - 1] = owner;
		}
	return number;
}

const struct decode_number *decode_numbers_find(struct decode_numbers *numbers, const char *family,
						uint64_t number)
{
	const struct number_names *known = &numbers->known;
	size_t low = 0, high, end;

	if (!numbers->found)
		list_numbers(numbers);
	high = known->count;
	number = abi_ioctl_identity(&(struct abi_ioctl){ .family = family, .number = number });
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order = order_texts(known->entry[middle].family, family);

		if (order < 0 || (!order && known->entry[middle].number < number))
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < known->count && known->entry[end].number == number &&
			!strcmp(known->entry[end].family, family);
	     end++)
		;
	if (end == low)
		return NULL;
	if (!numbers->found[low])
		numbers->found[low] = describe_number(numbers, &known->entry[low], end - low);
	return numbers->found[low];
}

enum { NOTES_MAX = 8 };

/* One name of the number, and the versions that fit. */
struct fit {
	const struct decode_owner *owner;
	bool *has;     /* indexed by version: true if the version fits */
	size_t newest; /* 1 + the index of the newest version that fits; 0 if none does */
};

/* One ioctl while it is being decoded. */
struct resolution {
	const struct decode_scope *scope;
	const struct history_graph *graph;
	struct decode_ioctl *ioctl;
	const struct decode_number *number; /* NULL if no version has the number */
	struct fit *fits;                   /* one for each owner: ioctls, then macros; each sorted by newest
					       version that fits */
	size_t fit_count;
	const char **notes;
	bool by_size;                       /* true if versions with a different size do not fit */
	struct arena *arena;
};

static void note(struct resolution *pass, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(struct resolution *pass, const char *format, ...)
{
	va_list args;

	if (pass->ioctl->note_count == NOTES_MAX)
		return;
	va_start(args, format);
	pass->notes[pass->ioctl->note_count++] = arena_vprintf(pass->arena, format, args);
	va_end(args);
}

/* Returns the same as call_record(), or "ELEMENT[COUNT]" if the parameters are an array. */
static const char *record_of(const struct abi *abi, const struct abi_ioctl *ioctl, uint64_t size_bytes,
			     struct arena *arena)
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

/* Is it true that the headers do not describe the parameters of any ioctl with the number? */
static bool has_no_record(const struct resolution *pass)
{
	for (size_t i = 0; i < pass->fit_count; i++)
		for (size_t r = 0; r < pass->fits[i].owner->run_count; r++)
			if (pass->fits[i].owner->runs[r].size_bytes)
				return false;
	return true;
}

/* Finds the versions that fit. For a command that only a macro names, any size fits: its size is unknown. */
static void find_fit(struct fit *fit, const struct resolution *pass)
{
	const struct decode_ioctl *ioctl = pass->ioctl;
	const struct decode_size *runs = fit->owner->runs;
	size_t count = fit->owner->run_count;

	if (fit->owner->is_macro)
		memcpy(fit->has, fit->owner->has, pass->graph->version_count * sizeof(*fit->has));
	if (pass->number->has_sizes && ioctl->size_bytes) /* a version fits if it allows this size */
		runs = list_size_runs(&count, fit->owner, pass->graph, ioctl->family, ioctl->number,
				      ioctl->size_bytes, pass->arena);
	for (size_t r = 0; r < count; r++)
		for (size_t v = runs[r].first; v <= runs[r].last; v++)
			fit->has[v] = fit->owner->has[v] &&
				      (!pass->by_size || runs[r].size_bytes == ioctl->size_bytes);
	for (size_t v = 0; v < pass->graph->version_count; v++)
		fit->newest = fit->has[v] ? v + 1 : fit->newest;
}

/* Orders the names of a number as they are listed: ioctls before macros, the most recent name first. */
static int order_fits(const void *a, const void *b)
{
	const struct fit *x = a, *y = b;

	if (x->owner->is_macro != y->owner->is_macro)
		return x->owner->is_macro ? 1 : -1;
	if (x->newest != y->newest)
		return x->newest > y->newest ? -1 : 1;
	return x->owner < y->owner ? -1 : x->owner > y->owner;
}

static void find_fits(struct resolution *pass)
{
	pass->fit_count = pass->number ? pass->number->owner_count : 0;
	pass->fits = arena_array(pass->arena, pass->fit_count, sizeof(*pass->fits));
	for (size_t i = 0; i < pass->fit_count; i++)
		pass->fits[i].owner = &pass->number->owners[i];
	if (pass->by_size && has_no_record(pass)) {
		if (pass->fit_count && !pass->fits[0].owner->is_macro)
			note(pass, "%llu bytes; the driver's headers describe no parameters",
			     (unsigned long long)pass->ioctl->size_bytes);
		pass->by_size = false;
	}
	for (size_t i = 0; i < pass->fit_count; i++) {
		pass->fits[i].has = arena_array(pass->arena, pass->graph->version_count, sizeof(bool));
		find_fit(&pass->fits[i], pass);
	}
	if (pass->fit_count > 1)
		qsort(pass->fits, pass->fit_count, sizeof(*pass->fits), order_fits);
}

/* --- the names --------------------------------------------------------------------------- */

static void set_name(struct resolution *pass, struct decode_name *out, const struct fit *fit)
{
	const struct abi *abi = fit->newest ? pass->graph->versions[fit->newest - 1].abi : NULL;
	const struct abi_ioctl *found = abi && !fit->owner->is_macro
						? call_find(abi, pass->ioctl->family, pass->ioctl->number)
						: NULL;

	*out = (struct decode_name){ .name = fit->owner->name,
				     .is_macro = fit->owner->is_macro,
				     .lifetime = fit->owner->lifetime };
	out->version_count = decode_versions_list(&out->versions, fit->has, pass->graph, pass->arena);
	if (found)
		out->record = record_of(abi, found, pass->ioctl->has_size ? pass->ioctl->size_bytes : 0,
					pass->arena);
}

/*
 * Lists the names that fit. If no version fits, lists all names of the number. If @only is not NULL, lists
 * only this name.
 */
static void list_fitting_names(struct resolution *pass, const char *only)
{
	struct decode_name *names = arena_array(pass->arena, pass->fit_count + 1, sizeof(*names));
	const bool any = pass->fit_count && (pass->fits[0].newest || pass->fits[0].owner->is_macro);

	pass->ioctl->names = names;
	for (size_t i = 0; i < pass->fit_count; i++)
		if (only ? !strcmp(pass->fits[i].owner->name, only) : pass->fits[i].newest || !any)
			set_name(pass, &names[pass->ioctl->name_count++], &pass->fits[i]);
	if (only && !pass->ioctl->name_count)
		names[pass->ioctl->name_count++] =
			(struct decode_name){ .name = only,
					      .lifetime = "" }; /* the version is not in the graph */
}

/* Sets the versions that were searched in vain, "515.43.04..590.48.01". A newer one may have the number. */
static void note_searched(struct resolution *pass)
{
	const struct history_graph *graph = pass->graph;
	bool *has = arena_array(pass->arena, graph->version_count + 1, sizeof(*has));
	const char *const *ranges;

	for (size_t v = 0; v < graph->version_count; v++)
		has[v] = graph->versions[v].abi;
	if (decode_versions_list(&ranges, has, graph, pass->arena))
		pass->ioctl->searched = ranges[0];
	else
		pass->ioctl->searched = pass->scope->asked->version;
}

/* Lists the versions that fit the listed names. Macros are ignored. */
static void list_versions(struct resolution *pass, const char *only)
{
	bool *has = arena_array(pass->arena, pass->graph->version_count + 1, sizeof(*has));

	for (size_t i = 0; i < pass->fit_count; i++)
		for (size_t v = 0; v < pass->graph->version_count; v++)
			has[v] |= pass->fits[i].has[v] && !pass->fits[i].owner->is_macro &&
				  (!only || !strcmp(pass->fits[i].owner->name, only));
	pass->ioctl->version_count =
		decode_versions_list(&pass->ioctl->versions, has, pass->graph, pass->arena);
}

/* --- the version -------------------------------------------------------------------------- */

static const char *any_size_words(const struct abi_ioctl *ioctl)
{
	return abi_ioctl_is_by_nr(ioctl) ? ", and the driver answers a call of any size" : "";
}

/* "132 bytes; the record has 68 in 595.44.02..595.45.04, 132 in 515.43.04..590.48.01" */
static void note_sizes(struct resolution *pass)
{
	const struct abi_ioctl called = { .family = pass->ioctl->family, .number = pass->ioctl->number };
	struct strbuf sizes = { 0 };

	decode_number_sizes(&sizes, pass->number, "the record", pass->graph);
	note(pass, "%llu bytes; %s%s", (unsigned long long)pass->ioctl->size_bytes, strbuf_text(&sizes),
	     any_size_words(&called));
	strbuf_release(&sizes);
}

/* Notes why the call is not decoded as in the requested version. */
static void note_asked(struct resolution *pass, const struct abi_ioctl *found)
{
	const struct abi *asked = pass->scope->asked, *abi = pass->ioctl->abi;
	const char *record = found ? record_of(asked, found, pass->ioctl->size_bytes, pass->arena) : NULL;
	const char *before = abi ? "; decoded as in " : "", *version = abi ? abi->version : "";

	if (!found)
		note(pass, "%s has no such ioctl%s%s", asked->version, before, version);
	else
		note(pass, "%llu bytes; in %s, %s has %llu%s%s%s",
		     (unsigned long long)pass->ioctl->size_bytes, asked->version,
		     record ? "the record" : found->name,
		     (unsigned long long)(record ? call_record_size(asked, record) : 0),
		     any_size_words(found), before, version);
}

/* Lists the macros with the number in the requested version. Return: false if there are none. */
static bool choose_macros(struct resolution *pass)
{
	const size_t version = pass->scope->asked_index;
	struct decode_ioctl *ioctl = pass->ioctl;
	struct decode_name *names;

	if (!pass->scope->asked || version >= pass->graph->version_count)
		return false;
	ioctl->names = names = arena_array(pass->arena, pass->fit_count, sizeof(*names));
	for (size_t i = 0; i < pass->fit_count; i++)
		if (pass->fits[i].owner->is_macro && pass->fits[i].has[version])
			set_name(pass, &names[ioctl->name_count++], &pass->fits[i]);
	if (!ioctl->name_count)
		return false;
	ioctl->is_asked = true;
	ioctl->abi = pass->scope->asked;
	return true;
}

/* Does the requested version have the ioctl, with the call's size? */
static bool asked_fits(const struct resolution *pass, const struct abi_ioctl *found)
{
	const char *record = found ? record_of(pass->scope->asked, found,
					       pass->by_size ? pass->ioctl->size_bytes : 0, pass->arena)
				   : NULL;

	return found && (!pass->by_size || (record ? call_record_size(pass->scope->asked, record) : 0) ==
						   pass->ioctl->size_bytes);
}

/* Sets the document to decode with, and the names. */
static void choose_version(struct resolution *pass)
{
	const struct abi *asked = pass->scope->asked;
	struct decode_ioctl *ioctl = pass->ioctl;
	const struct abi_ioctl *found = asked ? call_find(asked, ioctl->family, ioctl->number) : NULL;
	const struct fit *first = pass->fit_count ? &pass->fits[0] : NULL;

	if (asked_fits(pass, found)) {
		ioctl->is_asked = true;
		ioctl->abi = asked;
		list_fitting_names(pass, found->name);
		list_versions(pass, found->name);
		return;
	}
	if (!found && choose_macros(pass))
		return;
	list_fitting_names(pass, found && first && !first->newest ? found->name : NULL);
	list_versions(pass, NULL);
	if (!ioctl->name_count)
		note_searched(pass);
	if (first && first->newest)
		ioctl->abi = pass->graph->versions[first->newest - 1].abi;
	if (asked && (!found || (first && first->newest)))
		note_asked(pass, found);
	if (first && !first->newest) {
		note_sizes(pass);
		ioctl->abi =
			found ? asked
			      : pass->graph->versions[first->owner->runs[first->owner->run_count - 1].last]
					.abi;
	}
}

/* --- versions in which the record has the same size but different fields ------------------- */

/* Does @version have a record of the same size with different fields? Then the size alone proves nothing. */
static bool has_other_fields(const struct resolution *pass, const struct abi_layout *chosen, size_t version,
			     struct arena *scratch)
{
	const struct abi *abi = pass->scope->graph->versions[version].abi;
	const struct abi_ioctl *found = abi ? call_find(abi, pass->ioctl->family, pass->ioctl->number) : NULL;
	const char *record = found ? call_record(abi, found, pass->ioctl->size_bytes) : NULL;
	struct abi_layout layout;

	if (!record || call_record_size(abi, record) != pass->ioctl->size_bytes ||
	    flatten_record(&layout, abi, record, scratch, NULL))
		return false;
	if (chosen->scalar_count != layout.scalar_count)
		return true;
	for (size_t i = 0; i < layout.scalar_count; i++) {
		const struct abi_scalar *x = &chosen->scalar[i], *y = &layout.scalar[i];

		if (x->offset_bits != y->offset_bits || x->size_bits != y->size_bits || x->kind != y->kind ||
		    strcmp(x->path, y->path) != 0)
			return true;
	}
	return false;
}

/* Notes the versions in which the record has the same size but different fields. */
static void note_other_fields(struct resolution *pass)
{
	const struct history_graph *graph = pass->scope->graph;
	const char *as_in = pass->ioctl->abi->version;
	struct arena scratch = { 0 };
	struct abi_layout chosen;
	size_t first = graph->version_count, last = 0, count = 0;

	if (!flatten_record(&chosen, pass->ioctl->abi, pass->ioctl->record, &scratch, NULL))
		for (size_t v = 0; v < graph->version_count; v++)
			if (has_other_fields(pass, &chosen, v, &scratch)) {
				first = count++ ? first : v;
				last = v;
			}
	pass->ioctl->is_ambiguous = count;
	if (count == 1)
		note(pass, "decoded as in %s; in %s, the record has the same size but different fields",
		     as_in, graph->versions[first].version);
	else if (count)
		note(pass,
		     "decoded as in %s; in %zu versions from %s to %s, the record has the same size but "
		     "different fields",
		     as_in, count, graph->versions[first].version, graph->versions[last].version);
	arena_release(&scratch);
}

/* --- one ioctl -------------------------------------------------------------------------------- */

void decode_resolve(struct decode_ioctl *out, const struct call *call, bool has_bytes,
		    const struct decode_scope *scope, struct arena *arena)
{
	const bool has_size = call->has_size || call->bytes;
	struct resolution pass = { .scope = scope,
			     .graph = scope->graph,
			     .ioctl = out,
			     .by_size = has_size,
			     .arena = arena };
	const struct abi_ioctl *found;

	*out = (struct decode_ioctl){ .family = arena_strdup(arena, call->family),
				      .number = call->number,
				      .size_bytes = call->size_bytes,
				      .has_size = has_size };
	pass.notes = arena_array(arena, NOTES_MAX, sizeof(*pass.notes));
	out->notes = pass.notes;
	pass.number = decode_numbers_find(scope->numbers, out->family, out->number);
	find_fits(&pass);
	choose_version(&pass);
	found = out->abi ? call_find(out->abi, out->family, out->number) : NULL;
	out->name = found ? found->name : out->name_count ? out->names[0].name : NULL;
	out->is_only_macro = !found && out->name;
	if (found) {
		out->record = record_of(out->abi, found, out->has_size ? out->size_bytes : 0, arena);
		if (has_bytes && out->record) {
			out->is_refused = call_record_size(out->abi, out->record) != out->size_bytes;
			if (!out->is_refused && !out->is_asked)
				note_other_fields(&pass);
		}
	}
}
