/*
 * abi/find_in_document.c - the sort order of a document's items, and lookups in a sealed document
 *
 * The builder sorts the lists of a document in these orders, and the lookups use binary search. Also here:
 * the names of roles and kinds, and numbers that JSON readers must not round.
 */
#include "abi/internal.h"

#include <cjson/cJSON.h>

/* order_named() and abi_search_named() read the name at the start of each struct. */
_Static_assert(!offsetof(struct abi_record, name), "the first member of struct abi_record must be its name");
_Static_assert(!offsetof(struct abi_alias, name), "the first member of struct abi_alias must be its name");
_Static_assert(!offsetof(struct abi_enum, name), "the first member of struct abi_enum must be its name");
_Static_assert(!offsetof(struct abi_enumerator, name), "the first member of struct abi_enumerator must be its name");
_Static_assert(!offsetof(struct abi_constant, name), "the first member of struct abi_constant must be its name");
_Static_assert(!offsetof(struct macro, name), "the first member of struct macro must be its name");

static const char *element_name(const void *element)
{
	return *(const char *const *)element;
}

int abi_order_ioctl(const void *a, const void *b)
{
	const struct abi_ioctl *x = a, *y = b;

	return strcmp(x->family, y->family)
		?: compare_numbers(x->number, y->number) ?: strcmp(x->name, y->name);
}

/* Counts the elements before @key in a sorted array. */
static inline size_t count_before(const void *array, size_t count, size_t size, const void *key,
				  bool (*is_before)(const void *element, const void *key))
{
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (is_before((const char *)array + middle * size, key))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_named_before(const void *element, const void *key)
{
	const struct view *name = key;

	return strncmp(element_name(element), name->at, name->length) < 0;
}

const void *abi_search_named(const void *array, size_t count, size_t size, struct view name)
{
	const size_t at = count_before(array, count, size, &name, is_named_before);
	const void *element = at < count ? (const char *)array + at * size : NULL;

	return element && view_is(name, element_name(element)) ? element : NULL;
}

const struct abi_field *abi_find_field(const struct abi_record *record, const char *name)
{
	for (size_t i = 0; i < record->field_count; i++)
		if (!strcmp(record->fields[i].name, name))
			return &record->fields[i];
	return NULL;
}

const struct abi_record *abi_find_record(const struct abi *abi, const char *name)
{
	return FIND_NAMED(abi->records, abi->record_count, view_of(name));
}

const struct abi_alias *abi_find_alias(const struct abi *abi, const char *name)
{
	return FIND_NAMED(abi->aliases, abi->alias_count, view_of(name));
}

const struct abi_enum *abi_find_enum(const struct abi *abi, const char *name)
{
	return FIND_NAMED(abi->enums, abi->enum_count, view_of(name));
}

const struct abi_constant *abi_find_constant(const struct abi *abi, const char *name)
{
	return FIND_NAMED(abi->constants, abi->constant_count, view_of(name));
}

size_t abi_constants_from(const struct abi *abi, const char *prefix)
{
	const struct view key = view_of(prefix);

	return count_before(abi->constants, abi->constant_count, sizeof(*abi->constants), &key,
			    is_named_before);
}

static bool is_numbered_before(const void *element, const void *key)
{
	const struct abi_ioctl *ioctl = element, *wanted = key;
	const int order = strcmp(ioctl->family, wanted->family);

	return order < 0 || (!order && ioctl->number < wanted->number);
}

size_t abi_ioctls_from(const struct abi *abi, const char *family, uint64_t number)
{
	const struct abi_ioctl key = { .family = family, .number = number };

	return count_before(abi->ioctls, abi->ioctl_count, sizeof(*abi->ioctls), &key, is_numbered_before);
}

const struct abi_ioctl *abi_ioctls_numbered(size_t *count, const struct abi *abi, const char *family,
					    uint64_t number)
{
	const size_t first = abi_ioctls_from(abi, family, number);
	size_t end = first;

	while (end < abi->ioctl_count && abi->ioctls[end].number == number &&
	       !strcmp(abi->ioctls[end].family, family))
		end++;
	*count = end - first;
	return *count ? &abi->ioctls[first] : NULL;
}

/* The search is linear, because the ioctls of a family are sorted by number, not by name. */
const struct abi_ioctl *abi_find_ioctl(const struct abi *abi, const char *family, const char *name)
{
	for (size_t i = family ? abi_ioctls_from(abi, family, 0) : 0; i < abi->ioctl_count; i++)
		if (!strcmp(abi->ioctls[i].name, name) && (!family || !strcmp(abi->ioctls[i].family, family)))
			return &abi->ioctls[i];
	return NULL;
}

bool abi_ioctl_params_unknown(const struct abi_ioctl *ioctl)
{
	const bool has_size = !abi_ioctl_is_plain(ioctl) && (abi_ioc_get(ioctl->number, ABI_IOC_SIZE) ||
							     ioctl->varies & 1u << ABI_IOC_SIZE);

	return !ioctl->params && !ioctl->argument &&
	       (has_size || !strcmp(ioctl->family, "frontend") ||
		(abi_ioctl_is_plain(ioctl) && abi_ioctl_has_flag(ioctl, ABI_FLAG_NOT_DISPATCHED)));
}

bool abi_ioctl_has_flag(const struct abi_ioctl *ioctl, const char *flag)
{
	return ioctl && texts_have(ioctl->flags, ioctl->flag_count, flag);
}

static const char *const role_names[ABI_ROLE_LAST + 1] = {
	[ABI_ROLE_NONE] = "",
	[ABI_ROLE_POINTER] = "pointer",
	[ABI_ROLE_FD] = "fd",
	[ABI_ROLE_HANDLE] = "handle",
	[ABI_ROLE_PID] = "pid",
	[ABI_ROLE_STATUS] = "status",
	[ABI_ROLE_SIZE] = "size",
	[ABI_ROLE_COUNT] = "count",
	[ABI_ROLE_KERNEL_POINTER] = "kernel-pointer",
};

const char *abi_role_name(enum abi_role role)
{
	return role_names[role];
}

bool abi_role_parse(enum abi_role *role, const char *name)
{
	for (int i = ABI_ROLE_NONE + 1; i <= ABI_ROLE_LAST; i++)
		if (!strcmp(role_names[i], name)) {
			*role = (enum abi_role)i;
			return true;
		}
	return false;
}

/* An element of kinds: the word for a kind, and the places of its items in struct abi. */
#define KIND(word, type, list, count, source) \
	{ word, sizeof(struct type), offsetof(struct type, name), source, offsetof(struct abi, list), \
	  offsetof(struct abi, count) }
#define SOURCE(type) offsetof(struct type, source)
#define NO_SOURCE 0

static const struct {
	const char *word;
	size_t size_bytes, name, source; /* the size of an item, and the offsets of its name and source */
	size_t list, count;              /* the offsets of the array and its count in struct abi */
} kinds[ABI_KIND_COUNT] = {
	[ABI_RECORD] = KIND("record", abi_record, records, record_count, SOURCE(abi_record)),
	[ABI_ALIAS] = KIND("alias", abi_alias, aliases, alias_count, NO_SOURCE),
	[ABI_ENUM] = KIND("enum", abi_enum, enums, enum_count, SOURCE(abi_enum)),
	[ABI_CONSTANT] = KIND("constant", abi_constant, constants, constant_count, NO_SOURCE),
	[ABI_IOCTL] = KIND("ioctl", abi_ioctl, ioctls, ioctl_count, SOURCE(abi_ioctl)),
};

const char *abi_kind_name(enum abi_kind kind)
{
	return kinds[kind].word;
}

size_t abi_item_bytes(enum abi_kind kind)
{
	return kinds[kind].size_bytes;
}

struct abi_items abi_items(const struct abi *abi, enum abi_kind kind)
{
	const char *at = (const char *)abi;

	return (struct abi_items){ *(const char *const *)(at + kinds[kind].list),
				   *(const size_t *)(at + kinds[kind].count), kinds[kind].size_bytes };
}

void abi_set_items(struct abi *abi, enum abi_kind kind, const void *items, size_t count)
{
	*(const void **)((char *)abi + kinds[kind].list) = items;
	*(size_t *)((char *)abi + kinds[kind].count) = count;
}

const char *abi_item_name(enum abi_kind kind, const void *item)
{
	return *(const char *const *)((const char *)item + kinds[kind].name);
}

const char **abi_item_source(enum abi_kind kind, const void *item)
{
	return kinds[kind].source == NO_SOURCE ? NULL : (const char **)((char *)item + kinds[kind].source);
}

int abi_order_items(enum abi_kind kind, const void *a, const void *b)
{
	return kind == ABI_IOCTL ? abi_order_ioctl(a, b) : order_named(a, b);
}

const void *abi_find_item(const struct abi *abi, enum abi_kind kind, const char *name)
{
	struct abi_items items = abi_items(abi, kind);

	if (kind == ABI_IOCTL)
		return abi_find_ioctl(abi, NULL, name);
	return abi_search_named(items.first, items.count, items.size_bytes, view_of(name));
}

struct abi_number abi_number_signed(int64_t value)
{
	if (value < 0)
		return (struct abi_number){ -(uint64_t)value, true };
	return (struct abi_number){ (uint64_t)value, false };
}

struct abi_number abi_number_unsigned(uint64_t value)
{
	return (struct abi_number){ value, false };
}

bool abi_number_equal(struct abi_number a, struct abi_number b)
{
	return a.magnitude == b.magnitude && a.negative == b.negative;
}

int abi_number_compare(struct abi_number a, struct abi_number b)
{
	const int order = compare_numbers(a.magnitude, b.magnitude);

	return b.negative - a.negative ?: (a.negative ? -order : order);
}

const char *abi_number_text(struct abi_number number, char buffer[24])
{
	const unsigned base = number.magnitude <= ABI_DOUBLE_EXACT_MAX ? 10 : 16;
	uint64_t rest = number.magnitude;
	char *at = buffer + 23;

	/* With snprintf(), this function would take an eighth of the time for writing a document. */
	*at = '\0';
	do
		*--at = "0123456789abcdef"[rest % base];
	while (rest /= base);
	if (base == 16) {
		*--at = 'x';
		*--at = '0';
	}
	if (number.negative)
		*--at = '-';
	return at;
}

const struct macro *macro_find(const struct macro_index *macros, const char *name, const char *unit)
{
	const struct view key = view_of(name);
	const struct macro *first = NULL;
	size_t i = count_before(macros->items, macros->count, sizeof(*macros->items), &key, is_named_before);

	for (; i < macros->count && !strcmp(macros->items[i].name, name); i++) {
		const struct macro *macro = &macros->items[i];

		if (unit ? !strcmp(macro->unit, unit) : macro->evaluated)
			return macro;
		if (!first && !unit)
			first = macro;
	}
	return first;
}

const char *json_library(struct arena *arena)
{
	return arena_printf(arena, "cJSON %s", cJSON_Version());
}
