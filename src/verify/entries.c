/*
 * verify/entries.c - the parts of an entry: its family and number in a version, and one scalar of the driver
 * beside one of the proxy (kinds, shapes, names)
 */
#include "verify/internal.h"
#include "verify/verify.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int compare_keys(const struct abi_ioctl *x, const struct abi_ioctl *y)
{
	int order = strcmp(x->family, y->family);

	if (order)
		return order;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct abi_ioctl *x = *(const struct abi_ioctl *const *)a,
			       *y = *(const struct abi_ioctl *const *)b;
	int order = compare_keys(x, y);

	return order ? order : strcmp(x->name, y->name);
}

void numbers_init(struct numbers *out, const struct abi *abi, struct arena *arena)
{
	out->abi = abi;
	out->by_number = arena_array(arena, abi->ioctl_count + 1, sizeof(*out->by_number));
	for (size_t i = 0; i < abi->ioctl_count; i++)
		out->by_number[i] = &abi->ioctls[i];
	qsort(out->by_number, abi->ioctl_count, sizeof(*out->by_number), compare_numbers);
}

const struct abi_ioctl *const *numbers_find(const struct numbers *numbers, const char *family,
					    uint64_t number, size_t *count)
{
	const struct abi_ioctl key = { .family = family, .number = number };
	size_t low = 0, high = numbers->abi->ioctl_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_keys(numbers->by_number[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (*count = 0; low + *count < numbers->abi->ioctl_count &&
			 !compare_keys(numbers->by_number[low + *count], &key);)
		(*count)++;
	return *count ? &numbers->by_number[low] : NULL;
}

bool numbers_constant_is(const struct abi *abi, const char *name, uint64_t number)
{
	const struct abi_constant *constant = name ? abi_find_constant(abi, name) : NULL;

	return constant && !constant->value.negative && constant->value.magnitude == number;
}

static const char *skip_underscores(const char *at)
{
	while (*at == '_')
		at++;
	return at;
}

/* Does @text begin with @word but for case and underscores? Return: what follows, or NULL. */
static const char *after(const char *text, const char *word)
{
	for (;; text++, word++) {
		text = skip_underscores(text);
		word = skip_underscores(word);
		if (!*word)
			return text;
		if (tolower((unsigned char)*text) != tolower((unsigned char)*word))
			return NULL;
	}
}

/* What follows CTRL_CMD, or NULL. */
static const char *command_tail(const char *name)
{
	for (const char *tail; *name; name++)
		if ((tail = after(name, "ctrlcmd")))
			return tail;
	return NULL;
}

static bool same_command(const char *entry, const char *method)
{
	const char *a = command_tail(entry), *b = command_tail(method), *rest;

	return a && b && (rest = after(a, b)) && !*rest;
}

bool numbers_is_command(const struct abi *abi, const struct abi_ioctl *ioctl, const char *constant,
			const char *entry)
{
	if (!strcmp(ioctl->name, constant ? constant : entry))
		return true;
	return !constant && !abi_find_constant(abi, ioctl->name) && same_command(entry, ioctl->name);
}

const struct abi_ioctl *numbers_of_command(const struct numbers *numbers, const char *family,
					   const char *constant, const char *entry)
{
	const struct abi *abi = numbers->abi;

	for (size_t i = 0; i < abi->ioctl_count; i++)
		if ((!family || !strcmp(abi->ioctls[i].family, family)) &&
		    numbers_is_command(abi, &abi->ioctls[i], constant, entry))
			return &abi->ioctls[i];
	return NULL;
}

const struct abi_record *numbers_params_by_name(const struct abi *abi, const char *constant,
						struct arena *arena)
{
	const char *cmd = strstr(constant, "_CTRL_CMD_");

	if (!cmd)
		return NULL;
	return abi_find_record(abi, arena_printf(arena, "%.*s_CTRL_%s_PARAMS", (int)(cmd - constant),
						 constant, cmd + strlen("_CTRL_CMD_")));
}

/* does the driver know the families that a table forwards? */

static bool has_family(const struct abi *abi, const char *family)
{
	size_t first = abi_ioctls_from(abi, family, 0);

	return first < abi->ioctl_count && !strcmp(abi->ioctls[first].family, family);
}

/* Does no version have ioctls of that family, though one has ioctls? */
static bool is_unknown(const struct verify_result *const *results, size_t count, const char *family)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (has_family(results[i]->abi, family))
			return false;
		any = any || results[i]->abi->ioctl_count;
	}
	return any;
}

const char *verify_unknown_family(const struct verify_result *const *results, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct table_view *view = results[i]->view;
		const char *before = "";

		for (size_t e = 0; e < view->entry_count; e++) {
			const char *family = view->entries[e]->family; /* entries are sorted by it */

			if (strcmp(family, before) && is_unknown(results, count, family))
				return family;
			before = family;
		}
	}
	return NULL;
}

/* how one scalar of the driver and one of the proxy compare: kinds, shapes and names */

enum { HANDLE_TYPES_MAX = 64 };

/* How often a type stands for a field, and how often that field is a handle. */
struct tally {
	const char *base; /* not terminated */
	size_t length;
	size_t fields, handles;
};

/* Is @type that base, or an array of it? Compares text: parsing every field's type would cost too much. */
static bool has_base(const char *type, const char *base, size_t length)
{
	return !strncmp(type, base, length) && (!type[length] || type[length] == '[');
}

static struct tally *tally_of(struct tally *tally, size_t count, const char *type)
{
	for (size_t i = 0; i < count; i++)
		if (has_base(type, tally[i].base, tally[i].length))
			return &tally[i];
	return NULL;
}

/* The types that some field with the role of a handle has. */
static size_t find_candidates(struct tally tally[HANDLE_TYPES_MAX], const struct abi *abi)
{
	struct abi_spelling type;
	size_t count = 0;

	for (size_t r = 0; r < abi->record_count; r++) {
		for (size_t f = 0; f < abi->records[r].field_count; f++) {
			const struct abi_field *field = &abi->records[r].fields[f];

			if (field->role != ABI_ROLE_HANDLE || count == HANDLE_TYPES_MAX ||
			    tally_of(tally, count, field->type) ||
			    abi_spelling_parse(&type, field->type, NULL))
				continue;
			tally[count++] = (struct tally){ .base = type.base, .length = type.base_length };
		}
	}
	return count;
}

void meet_driver_init(struct meet_driver *out, const struct abi *abi, struct arena *arena)
{
	struct tally tally[HANDLE_TYPES_MAX], *one;
	size_t count = find_candidates(tally, abi);
	const char **handles = arena_array(arena, count + 1, sizeof(*handles));

	*out = (struct meet_driver){ .abi = abi, .handles = handles };
	for (size_t r = 0; count && r < abi->record_count; r++) {
		for (size_t f = 0; f < abi->records[r].field_count; f++) {
			const struct abi_field *field = &abi->records[r].fields[f];

			if (!(one = tally_of(tally, count, field->type)))
				continue;
			one->fields++;
			one->handles += field->role == ABI_ROLE_HANDLE;
		}
	}
	for (size_t i = 0; i < count; i++)
		if (2 * tally[i].handles > tally[i].fields)
			handles[out->handle_count++] = arena_strndup(arena, tally[i].base, tally[i].length);
}

static bool is_handle_type(const struct meet_driver *driver, const char *type)
{
	for (size_t i = 0; i < driver->handle_count; i++)
		if (has_base(type, driver->handles[i], strlen(driver->handles[i])))
			return true;
	return false;
}

bool meet_is_pointer(enum abi_scalar kind, enum abi_role role)
{
	return role == ABI_ROLE_POINTER || (kind == ABI_POINTER && role != ABI_ROLE_KERNEL_POINTER);
}

bool meet_is_fd(const char *path, enum abi_role role)
{
	size_t length = strlen(path);

	return role == ABI_ROLE_FD || (length >= 2 && !strcasecmp(path + length - 2, "fd"));
}

static bool same_shape(const struct abi_type *type, const struct proxy_leaf *leaf)
{
	return type->dimension_count == leaf->dimension_count &&
	       !memcmp(type->dimension, leaf->dimension, leaf->dimension_count * sizeof(*leaf->dimension));
}

/* An enum counts as unsigned, as the compilers of the driver lay it out. */
static bool is_signed(enum abi_scalar kind)
{
	return kind == ABI_I8 || kind == ABI_I16 || kind == ABI_I32 || kind == ABI_I64;
}

const char *meet_fault(const struct meet_driver *driver, const struct abi_field *field,
		       const struct abi_type *type, const struct proxy_leaf *leaf)
{
	bool pointer = meet_is_pointer(type->scalar, field->role);
	bool handle = is_handle_type(driver, field->type);
	bool copied = field->role == ABI_ROLE_KERNEL_POINTER;

	if (!copied && pointer != (leaf->role == ABI_ROLE_POINTER))
		return pointer ? "the driver follows it as a pointer, the proxy does not"
			       : "the proxy treats it as a pointer";
	if (leaf->element_bytes != type->element_bytes)
		return "another width";
	if (!same_shape(type, leaf))
		return "another length";
	if (handle != (leaf->role == ABI_ROLE_HANDLE) &&
	    (handle || *field->name)) /* a typedef of a handle has no field's name */
		return handle ? "a handle that the proxy treats as a number"
			      : "the proxy treats it as a handle";
	if (leaf->role == ABI_ROLE_NONE && !leaf->is_bool && type->scalar != ABI_BYTES &&
	    leaf->is_signed != is_signed(type->scalar))
		return "another sign";
	return NULL;
}

static const char *last_component(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

/* Equal up to where either reaches one of @ends, or its end. */
static bool same_until(const char *driver, const char *proxy, const char *ends)
{
	for (;; driver++, proxy++) {
		bool ended[2];

		driver = skip_underscores(driver);
		proxy = skip_underscores(proxy);
		ended[0] = !*driver || strchr(ends, *driver);
		ended[1] = !*proxy || strchr(ends, *proxy);
		if (ended[0] || ended[1])
			return ended[0] && ended[1];
		if (tolower((unsigned char)*driver) != tolower((unsigned char)*proxy))
			return false;
	}
}

bool meet_same_name(const char *driver, const char *proxy)
{
	return same_until(last_component(driver), last_component(proxy), "[");
}

bool meet_same_member(const char *driver, const char *proxy)
{
	return same_until(driver, proxy, ".[");
}

bool meet_same_path(const char *driver, const char *proxy)
{
	return same_until(driver, proxy, "");
}

bool meet_same_indices(const char *driver, const char *proxy)
{
	driver = strchr(driver, '[');
	proxy = strchr(proxy, '[');
	while (driver && proxy) {
		if (strtoull(driver + 1, NULL, 10) != strtoull(proxy + 1, NULL, 10))
			return false;
		driver = strchr(driver + 1, '[');
		proxy = strchr(proxy + 1, '[');
	}
	return !driver && !proxy;
}

const char *meet_index(uint64_t index, const uint64_t *dimension, size_t dimension_count, struct arena *arena)
{
	const char *text = "";

	for (size_t i = dimension_count; i-- > 0; index /= dimension[i])
		text = arena_printf(arena, "[%" PRIu64 "]%s", index % dimension[i], text);
	return text;
}
