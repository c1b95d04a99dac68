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
#include "decode/internal.h"
#include "flatten/flatten.h"

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

/* One name of one number. The last three members are set when the number is first searched. */
struct number_name {
	const char *family;
	uint64_t number;
	const char *name;
	bool is_macro;         /* true if no table of the driver lists the command */
	bool *has;             /* indexed by version: true if the number has this name */
	const uint64_t *sizes; /* indexed by version: the size of the parameters; 0 if the headers describe
				  none, and for a macro */
	size_t newest;         /* 1 + the index of the newest version in `has`; 0 if `has` is empty */
	const char *lifetime;  /* as in struct decode_name */
};

struct decode_number {
	struct number_name *names; /* ioctls, then macros; each sorted from newest to oldest */
	size_t count;
	bool has_sizes;            /* true if an ioctl of the number has parameters of several sizes */
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

/* The order of a document's ioctls, and of the list of all ioctls. merge() needs both lists in one order. */
static int order_by_number(const void *a, const void *b)
{
	const struct number_name *x = a, *y = b;

	return compare_texts(x->family, y->family) ?: compare_numbers(x->number, y->number)
		?: x->is_macro - y->is_macro ?: compare_texts(x->name, y->name);
}

/* The order of a document's constants, in which merge() merges the macros of all versions. */
static int order_by_name(const void *a, const void *b)
{
	const struct number_name *x = a, *y = b;

	return compare_texts(x->name, y->name) ?: compare_numbers(x->number, y->number);
}

/*
 * Merges @now, the entries of @version, into @all, and sets `has` of these entries for the version. Both
 * lists are sorted by @order, and @all stays so. @now is then unspecified.
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

/* Lists a document's numbers and their names, in merge_version()'s order. The caller frees both lists. */
static void list_version_entries(struct number_names *ioctls, struct number_names *macros,
				 const struct abi *abi)
{
	const size_t first = abi_constants_from(abi, "NV"), drm = abi_ioctls_from(abi, "drm", 0);
	size_t end;

	*ioctls = (struct number_names){ xmalloc((abi->ioctl_count + 1) * sizeof(*ioctls->entry)),
					 abi->ioctl_count };
	*macros = (struct number_names){ xmalloc((abi->constant_count + 1) * sizeof(*macros->entry)), 0 };
	for (size_t i = 0; i < abi->ioctl_count; i++)
		ioctls->entry[i] = (struct number_name){ .family = abi->ioctls[i].family,
							 .number = abi_ioctl_identity(&abi->ioctls[i]),
							 .name = abi->ioctls[i].name };
	/* Only the identities of this family have a different order than the numbers. */
	for (end = drm; end < abi->ioctl_count && !strcmp(abi->ioctls[end].family, "drm");)
		end++;
	if (end > drm)
		sort_items(&ioctls->entry[drm], end - drm, sizeof(*ioctls->entry), order_by_number);
	for (size_t i = first; i < abi->constant_count && begins(abi->constants[i].name, "NV"); i++)
		if (is_command_macro(&abi->constants[i]))
			macros->entry[macros->count++] =
				(struct number_name){ .family = "control",
						      .number = abi->constants[i].value.magnitude,
						      .name = abi->constants[i].name,
						      .is_macro = true };
}

/* Merges the numbers of all versions into the one sorted list that searches use. */
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
	sort_items(numbers->known.entry, numbers->known.count, sizeof(*numbers->known.entry),
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

/*
 * Finds the last version of the range of versions in @has that begins at @first. With @sizes, all versions of
 * the range have the same size. A version without a document does not end a range.
 */
static size_t range_end(const bool *has, const uint64_t *sizes, const struct history_graph *graph,
			size_t first)
{
	size_t last = first;

	for (size_t v = first + 1; v < graph->version_count; v++) {
		if (has[v] ? sizes && sizes[v] != sizes[first] : graph->versions[v].abi != NULL)
			break;
		last = has[v] ? v : last;
	}
	return last;
}

/* Lists each range of consecutive versions in @has as "A..B", in @arena. Return: the number of ranges. */
static size_t list_ranges(const char *const **out, const bool *has, const struct history_graph *graph,
			  struct arena *arena)
{
	const char **list = NULL;
	size_t count = 0;

	for (size_t v = 0; v < graph->version_count; v++)
		if (has[v]) {
			const char *first = graph->versions[v].version;
			const size_t last = range_end(has, NULL, graph, v);

			list = arena_room(arena, list, count, sizeof(*list));
			list[count++] = last == v ? first
						  : arena_printf(arena, "%s..%s", first,
								 graph->versions[last].version);
			v = last;
		}
	*out = list;
	return count;
}

/* --- one number ------------------------------------------------------------------------------------- */

/*
 * Finds the size of an ioctl's parameters in one document; 0 if the headers describe none. The result is
 * @wanted if the parameters can have that size, because they have several sizes or are an array.
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

/* Lists the size of an ioctl's parameters in each version. @wanted: as in size_in() */
static const uint64_t *list_sizes(const struct number_name *name, const struct history_graph *graph,
				  uint64_t wanted, struct arena *arena)
{
	uint64_t *sizes = arena_array(arena, graph->version_count, sizeof(*sizes));

	for (size_t v = 0; v < graph->version_count && !name->is_macro; v++) {
		const struct abi *abi = graph->versions[v].abi;
		const struct abi_ioctl *ioctl;

		if (!name->has[v])
			continue;
		ioctl = &abi->ioctls[abi_ioctls_from(abi, name->family, name->number)];
		while (strcmp(ioctl->name, name->name) != 0)
			ioctl++;
		sizes[v] = size_in(abi, ioctl, wanted);
	}
	return sizes;
}

enum { LISTED_MAX = 3 };

/* Appends "68 in 595.44.02..595.45.04, 132 in 515.43.04..590.48.01", or "904 to 1664" if there are many. */
static void print_sizes(struct strbuf *out, const struct number_name *name, const struct history_graph *graph)
{
	size_t first[LISTED_MAX], count = 0; /* the first versions of the ranges with one size */
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t v = 0; v < graph->version_count; v++)
		if (name->has[v]) {
			if (count < LISTED_MAX)
				first[count] = v;
			count++;
			least = name->sizes[v] < least ? name->sizes[v] : least;
			most = name->sizes[v] > most ? name->sizes[v] : most;
			v = range_end(name->has, name->sizes, graph, v);
		}
	if (count > LISTED_MAX)
		strbuf_addf(out, "%llu to %llu", (unsigned long long)least, (unsigned long long)most);
	for (size_t i = count; count <= LISTED_MAX && i-- > 0;) {
		const size_t last = range_end(name->has, name->sizes, graph, first[i]);

		strbuf_addf(out, "%s%llu", i + 1 < count ? ", " : "", (unsigned long long)name->sizes[last]);
		if (count > 1)
			strbuf_addf(out, " in %s", graph->versions[first[i]].version);
		if (count > 1 && last != first[i])
			strbuf_addf(out, "..%s", graph->versions[last].version);
	}
}

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

/*
 * Appends the versions that added an ioctl, or with @wanted false removed it: there a child differs from its
 * parent in the graph. @first: the text before the first version
 */
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

/* Returns the versions that added and removed the name, under any number, as in struct decode_name. */
static const char *lifetime_of(struct decode_numbers *numbers, const struct number_name *name)
{
	const struct history_graph *graph = numbers->graph;
	bool *has = arena_array(&numbers->arena, graph->version_count, sizeof(*has));
	struct strbuf text = { 0 };

	for (size_t i = 0; i < numbers->known.count; i++) {
		const struct number_name *other = &numbers->known.entry[i];

		if (other->is_macro != name->is_macro || strcmp(other->name, name->name) != 0 ||
		    strcmp(other->family, name->family) != 0)
			continue;
		for (size_t v = 0; v < graph->version_count; v++)
			has[v] |= other->has[v];
	}
	list_lifetime_edges(&text, has, graph, true, "");
	list_lifetime_edges(&text, has, graph, false, "; removed in ");
	return strbuf_take(&text, &numbers->arena);
}

static void find_newest(struct number_name *name, const struct history_graph *graph)
{
	name->newest = graph->version_count;
	while (name->newest > 0 && !name->has[name->newest - 1])
		name->newest--;
}

/*
 * Removes the versions in which an ioctl has the number from @macro. Return: false if no version is left, or
 * if an ioctl of the number has the macro's name; the macro is not a name of its own then.
 */
static bool keep_own_versions(struct number_name *macro, const struct decode_number *ioctls,
			      size_t version_count)
{
	bool any = false;

	for (size_t i = 0; i < ioctls->count && !ioctls->names[i].is_macro; i++) {
		if (!strcmp(ioctls->names[i].name, macro->name))
			return false;
		for (size_t v = 0; v < version_count; v++)
			macro->has[v] &= !ioctls->names[i].has[v];
	}
	for (size_t v = 0; v < version_count; v++)
		any |= macro->has[v];
	return any;
}

/* Sorts ioctls before macros, and the newest name first. The order of equal names does not change. */
static void sort_names(struct number_name *names, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = i; j > 0 && (names[j].is_macro != names[j - 1].is_macro
						     ? names[j - 1].is_macro
						     : names[j].newest > names[j - 1].newest);
		     j--) {
			const struct number_name name = names[j];

			names[j] = names[j - 1];
			names[j - 1] = name;
		}
}

/*
 * Makes the description of a number from its @count entries in the list of all numbers: the names with their
 * sizes and lifetimes, without the macros that only repeat an ioctl. Lives as long as @numbers.
 */
static const struct decode_number *describe_number(struct decode_numbers *numbers, struct number_name *entry,
						   size_t count)
{
	const struct history_graph *graph = numbers->graph;
	struct decode_number *number = arena_alloc(&numbers->arena, sizeof(*number));

	number->names = arena_array(&numbers->arena, count, sizeof(*number->names));
	for (size_t i = 0; i < count; i++) {
		struct number_name *name = &number->names[number->count];

		if (entry[i].is_macro && !keep_own_versions(&entry[i], number, graph->version_count))
			continue;
		*name = entry[i];
		name->sizes = list_sizes(name, graph, 0, &numbers->arena);
		name->lifetime = lifetime_of(numbers, name);
		find_newest(name, graph);
		number->has_sizes |= !name->is_macro && call_has_sizes(name->family, name->name);
		number->count++;
	}
	sort_names(number->names, number->count);
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
		const int order = compare_texts(known->entry[middle].family, family);

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

bool decode_number_sizes(struct strbuf *out, struct decode_numbers *numbers, const char *family,
			 uint64_t number, const char *record)
{
	const struct decode_number *found = decode_numbers_find(numbers, family, number);
	const bool has_several = found && found->count > 1 && !found->names[1].is_macro;

	for (size_t i = 0; found && i < found->count && !found->names[i].is_macro; i++) {
		strbuf_addf(out, "%s%s has ", i ? "; " : "", has_several ? found->names[i].name : record);
		print_sizes(out, &found->names[i], numbers->graph);
	}
	return found;
}

/* One ioctl while it is being resolved. */
struct resolution {
	const struct decode_scope *scope;
	const struct history_graph *graph;
	struct decode_ioctl *ioctl;
	const struct decode_number *number; /* NULL if no version has the number */
	struct number_name *names;          /* a copy of the number's names, with only the versions that fit,
					       sorted by the newest one */
	size_t name_count;
	bool by_size;                       /* true if versions with a different size do not fit */
	struct arena *arena;
};

void decode_add_note(struct decode_ioctl *ioctl, struct arena *arena, const char *format, ...)
{
	const char **notes = arena_array(arena, ioctl->note_count + 1, sizeof(*notes));
	va_list args;

	if (ioctl->note_count)
		memcpy(notes, ioctl->notes, ioctl->note_count * sizeof(*notes));
	va_start(args, format);
	notes[ioctl->note_count++] = arena_vprintf(arena, format, args);
	va_end(args);
	ioctl->notes = notes;
}

/*
 * Returns the record of the call's parameters in @abi, or "ELEMENT[COUNT]" if they are an array; NULL if the
 * headers describe no parameters.
 */
static const char *record_in(const struct resolution *pass, const struct abi *abi,
			     const struct abi_ioctl *ioctl)
{
	const uint64_t size_bytes = pass->by_size ? pass->ioctl->size_bytes : 0;
	const char *element = call_array_element(ioctl);
	const uint64_t element_bytes = element ? call_record_size(abi, element) : 0;

	if (!element_bytes || !size_bytes)
		return call_record(abi, ioctl, size_bytes);
	if (size_bytes % element_bytes || size_bytes == element_bytes)
		return element;
	return arena_printf(pass->arena, "%s[%llu]", element,
			    (unsigned long long)(size_bytes / element_bytes));
}

/* --- the versions that fit ----------------------------------------------------------------- */

/* Is it true that the headers do not describe the parameters of any ioctl with the number? */
static bool has_no_record(const struct resolution *pass)
{
	for (size_t i = 0; i < pass->name_count; i++)
		for (size_t v = 0; v < pass->graph->version_count; v++)
			if (pass->names[i].sizes[v])
				return false;
	return true;
}

/*
 * Copies the names of the number, removes the versions in which the parameters do not have the call's size,
 * and sorts the names by the newest version that is left. The versions of a macro all fit, because the size
 * of its parameters is unknown. If the headers describe no parameters, any size fits, and a note reports it.
 */
static void find_fitting_versions(struct resolution *pass)
{
	const struct decode_number *number = pass->number;
	const size_t version_count = pass->graph->version_count;
	const uint64_t size_bytes = pass->ioctl->size_bytes;

	pass->name_count = number->count;
	pass->names = arena_memdup(pass->arena, number->names, number->count * sizeof(*pass->names));
	if (pass->by_size && has_no_record(pass)) {
		if (!pass->names[0].is_macro)
			decode_add_note(pass->ioctl, pass->arena,
					"%llu bytes; the driver's headers describe no parameters",
					(unsigned long long)size_bytes);
		pass->by_size = false;
	}
	for (size_t i = 0; i < number->count; i++) {
		struct number_name *name = &pass->names[i];

		if (number->has_sizes && size_bytes) /* a version fits if it allows this size */
			name->sizes = list_sizes(name, pass->graph, size_bytes, pass->arena);
		name->has = arena_memdup(pass->arena, name->has, version_count * sizeof(*name->has));
		for (size_t v = 0; v < version_count && pass->by_size && !name->is_macro; v++)
			name->has[v] &= name->sizes[v] == size_bytes;
		find_newest(name, pass->graph);
	}
	sort_names(pass->names, number->count);
}

/* Does @asked, the ioctl of the requested version or NULL, have parameters of the call's size? */
static bool asked_fits(const struct resolution *pass, const struct abi_ioctl *asked)
{
	const char *record = asked ? record_in(pass, pass->scope->asked, asked) : NULL;

	return asked && (!pass->by_size || (record ? call_record_size(pass->scope->asked, record) : 0) ==
						   pass->ioctl->size_bytes);
}

/* --- what is listed --------------------------------------------------------------------------- */

/* Adds a name to @names, the list of the ioctl, with its versions, and its record in the newest of them. */
static void list_name(struct resolution *pass, struct decode_name *names, const struct number_name *from)
{
	struct decode_ioctl *ioctl = pass->ioctl;
	struct decode_name *name = &names[ioctl->name_count++];
	const struct abi *abi = from->newest ? pass->graph->versions[from->newest - 1].abi : NULL;
	const struct abi_ioctl *found =
		abi && !from->is_macro ? call_find(abi, ioctl->family, ioctl->number) : NULL;

	*name = (struct decode_name){ .name = from->name, .is_macro = from->is_macro,
				      .lifetime = from->lifetime };
	name->version_count = list_ranges(&name->versions, from->has, pass->graph, pass->arena);
	if (found)
		name->record = record_in(pass, abi, found);
}

/* Sets the ioctl's names: those that fit; all if no version fits; with @only, only this name. */
static void list_names(struct resolution *pass, const char *only)
{
	struct decode_name *names = arena_array(pass->arena, pass->name_count + 1, sizeof(*names));
	const bool any_fits = pass->name_count && pass->names[0].newest;

	pass->ioctl->names = names;
	for (size_t i = 0; i < pass->name_count; i++)
		if (only ? !strcmp(pass->names[i].name, only) : pass->names[i].newest || !any_fits)
			list_name(pass, names, &pass->names[i]);
	if (only && !pass->ioctl->name_count) /* the version is not in the graph */
		names[pass->ioctl->name_count++] = (struct decode_name){ .name = only, .lifetime = "" };
}

/* Sets the ioctl's versions: those that fit any name, or with @only, this name. Macros are ignored. */
static void list_versions(struct resolution *pass, const char *only)
{
	bool *has = arena_array(pass->arena, pass->graph->version_count + 1, sizeof(*has));

	for (size_t i = 0; i < pass->name_count; i++)
		for (size_t v = 0; v < pass->graph->version_count; v++)
			has[v] |= pass->names[i].has[v] && !pass->names[i].is_macro &&
				  (!only || !strcmp(pass->names[i].name, only));
	pass->ioctl->version_count = list_ranges(&pass->ioctl->versions, has, pass->graph, pass->arena);
}

/* Sets the versions that were searched in vain, "515.43.04..590.48.01". A newer one may have the number. */
static void set_searched(struct resolution *pass)
{
	const struct history_graph *graph = pass->graph;
	bool *has = arena_array(pass->arena, graph->version_count + 1, sizeof(*has));
	const char *const *ranges;

	for (size_t v = 0; v < graph->version_count; v++)
		has[v] = graph->versions[v].abi;
	pass->ioctl->searched = list_ranges(&ranges, has, graph, pass->arena) ? ranges[0]
									      : pass->scope->asked->version;
}

/*
 * Sets the names of a number that is no ioctl of the requested version to its macros that have the number.
 * Return: false if there are none.
 */
static bool list_asked_macros(struct resolution *pass)
{
	const size_t version = pass->scope->asked_index;
	struct decode_ioctl *ioctl = pass->ioctl;
	struct decode_name *names = arena_array(pass->arena, pass->name_count + 1, sizeof(*names));

	ioctl->names = names;
	for (size_t i = 0; i < pass->name_count && version < pass->graph->version_count; i++)
		if (pass->names[i].is_macro && pass->names[i].has[version])
			list_name(pass, names, &pass->names[i]);
	return ioctl->name_count;
}

/* --- notes ----------------------------------------------------------------------------------- */

static const char *any_size_words(const struct abi_ioctl *ioctl)
{
	return abi_ioctl_is_by_nr(ioctl) ? ", and the driver answers a call of any size" : "";
}

/*
 * Notes the sizes in all versions, because none is the call's: "132 bytes; the record has 68 in
 * 595.44.02..595.45.04, 132 in 515.43.04..590.48.01"
 */
static void note_sizes(struct resolution *pass)
{
	struct decode_ioctl *ioctl = pass->ioctl;
	const struct abi_ioctl called = { .family = ioctl->family, .number = ioctl->number };
	struct strbuf sizes = { 0 };

	decode_number_sizes(&sizes, pass->scope->numbers, ioctl->family, ioctl->number, "the record");
	decode_add_note(ioctl, pass->arena, "%llu bytes; %s%s", (unsigned long long)ioctl->size_bytes,
			strbuf_text(&sizes), any_size_words(&called));
	strbuf_release(&sizes);
}

/* Notes why the call is not decoded as in the requested version, whose ioctl is @found, or NULL. */
static void note_asked(struct resolution *pass, const struct abi_ioctl *found)
{
	const struct abi *asked = pass->scope->asked, *abi = pass->ioctl->abi;
	const char *record = found ? record_in(pass, asked, found) : NULL;
	const char *before = abi ? "; decoded as in " : "", *version = abi ? abi->version : "";

	if (!found)
		decode_add_note(pass->ioctl, pass->arena, "%s has no such ioctl%s%s", asked->version, before,
				version);
	else
		decode_add_note(pass->ioctl, pass->arena, "%llu bytes; in %s, %s has %llu%s%s%s",
				(unsigned long long)pass->ioctl->size_bytes, asked->version,
				record ? "the record" : found->name,
				(unsigned long long)(record ? call_record_size(asked, record) : 0),
				any_size_words(found), before, version);
}

/*
 * Does @version have a record of the call's size with other fields than @chosen? Then the size does not show
 * which version the call is of. The layouts are in @scratch.
 */
static bool has_other_fields(const struct resolution *pass, const struct abi_layout *chosen, size_t version,
			     struct arena *scratch)
{
	const struct abi *abi = pass->graph->versions[version].abi;
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

/* Notes the versions in which a record of the same size has other fields, and if any, sets is_ambiguous. */
static void note_other_fields(struct resolution *pass)
{
	const struct history_graph *graph = pass->graph;
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
		decode_add_note(pass->ioctl, pass->arena,
				"decoded as in %s; in %s, the record has the same size but different fields",
				as_in, graph->versions[first].version);
	else if (count)
		decode_add_note(pass->ioctl, pass->arena,
				"decoded as in %s; in %zu versions from %s to %s, the record has the same size but different fields",
				as_in, count, graph->versions[first].version, graph->versions[last].version);
	arena_release(&scratch);
}

/* --- one call ---------------------------------------------------------------------------------- */

/*
 * Chooses the newest version that fits, lists the names and versions that fit, and notes why it is not the
 * requested version. @asked: the ioctl of the requested version, which does not fit; NULL if there is none.
 * If no version fits, chooses the requested version with @asked, or else the newest version with the number,
 * with all its names. A requested version that is a commit can be the only version with the number.
 */
static void choose_newest(struct resolution *pass, const struct abi_ioctl *asked)
{
	const struct history_version *versions = pass->graph->versions;
	const bool is_known = pass->name_count, any_fits = is_known && pass->names[0].newest;
	struct decode_ioctl *ioctl = pass->ioctl;

	list_names(pass, asked && !any_fits ? asked->name : NULL);
	list_versions(pass, NULL);
	if (!ioctl->name_count)
		set_searched(pass);
	if (any_fits)
		ioctl->abi = versions[pass->names[0].newest - 1].abi;
	if (pass->scope->asked && (!asked || any_fits || !is_known))
		note_asked(pass, asked);
	if (is_known && !any_fits)
		note_sizes(pass);
	if (asked && !any_fits)
		ioctl->abi = pass->scope->asked;
	else if (is_known && !any_fits)
		ioctl->abi = versions[pass->number->names[0].newest - 1].abi;
}

void decode_resolve(struct decode_ioctl *out, const struct call *call, bool has_bytes,
		    const struct decode_scope *scope, struct arena *arena)
{
	struct resolution pass = { .scope = scope,
				   .graph = scope->graph,
				   .ioctl = out,
				   .number = decode_numbers_find(scope->numbers, call->family, call->number),
				   .by_size = call->has_size || call->bytes,
				   .arena = arena };
	const struct abi_ioctl *found =
		scope->asked ? call_find(scope->asked, call->family, call->number) : NULL;

	*out = (struct decode_ioctl){ .family = arena_strdup(arena, call->family),
				      .number = call->number,
				      .size_bytes = call->size_bytes,
				      .has_size = pass.by_size };
	if (pass.number)
		find_fitting_versions(&pass);

	/* Choose the version, and list its names: the requested version is preferred. */
	if (asked_fits(&pass, found)) {
		list_names(&pass, found->name);
		list_versions(&pass, found->name);
		out->is_asked = true;
	} else if (!found && scope->asked && list_asked_macros(&pass)) {
		out->is_asked = true;
	} else {
		choose_newest(&pass, found);
	}
	if (out->is_asked)
		out->abi = scope->asked;

	/* Find the record in that version. */
	found = out->abi ? call_find(out->abi, out->family, out->number) : NULL;
	out->name = found ? found->name : out->name_count ? out->names[0].name : NULL;
	out->is_only_macro = !found && out->name;
	out->record = found ? record_in(&pass, out->abi, found) : NULL;
	if (!has_bytes || !out->record)
		return;
	out->fits_no_record = call_record_size(out->abi, out->record) != out->size_bytes;
	if (!out->fits_no_record && !out->is_asked)
		note_other_fields(&pass);
}
