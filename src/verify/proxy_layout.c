/*
 * verify/proxy_layout.c - flatten a type of the proxy, and compare two scalars or names; match_record.c
 * compares whole records with these functions
 *
 * A proxy's type is a struct with fields, or an alias of another type. It can have a role (Handle, P64). The
 * type is flattened to scalars:
 *
 * 1. The type of a field is parsed into a name and dimensions. The name is that of a basic type ("uint32",
 *    struct table_word) or of a type in the table.
 * 2. An alias is replaced by the type that it names, until the type is basic, has a role, or is a struct. If
 *    the type is basic or has a role, the field is one scalar, or one array of scalars with the field's
 *    dimensions. An alias of an array is not replaced.
 * 3. All other types are expanded element by element, and each element field by field. A scalar is padding
 *    according to its name, or to the name of a field around it.
 * 4. The scalars are sorted by offset.
 *
 * A table may be written by hand, so the numbers of scalars and elements, and the depth, are limited. The
 * second half of the file compares a scalar of the proxy with a scalar of the driver: kind, dimensions and
 * name.
 */
#include "verify/internal.h"

enum { SCALARS_MAX = 1 << 16, DEPTH_MAX = 80 }; /* json_read_table() allows 64 levels of nested types */

struct proxy_walk {
	const struct proxy_types *types;
	struct arena *arena;
	struct proxy_scalar *scalars;
	size_t count, capacity;
	size_t elements; /* number of array elements so far, including elements without scalars */
	struct err *err;
};

/* The type of a field, parsed and looked up in the table. */
struct spelled {
	const struct table_word *word; /* NULL for a type of the proxy */
	const struct table_type *type;
	struct abi_spelling array;
	uint64_t count;                /* product of the dimensions */
};

const char *match_index(uint64_t index, const uint64_t *dimension, size_t dimension_count,
			struct arena *arena)
{
	const char *text = "";

	for (size_t i = dimension_count; i-- > 0; index /= dimension[i])
		text = arena_printf(arena, "[%" PRIu64 "]%s", index % dimension[i], text);
	return text;
}

static int fail_too_many(const struct proxy_walk *walk, const char *type)
{
	return err_set(walk->err, ERR_LIMIT,
		       "%s: type %s has more than %d fields, counting each array element",
		       walk->types->path, type, SCALARS_MAX);
}

/* Appends a copy of @scalar with the dimensions of @spelled, unless it has no bytes. Return: 0; ERR_LIMIT. */
static int add_proxy_scalar(struct proxy_walk *walk, struct proxy_scalar scalar,
			    const struct spelled *spelled)
{
	scalar.count = spelled->count;
	scalar.dimension_count = spelled->array.dimension_count;
	memcpy(scalar.dimension, spelled->array.dimension, sizeof(scalar.dimension));
	if (!scalar.count || !scalar.element_bytes)
		return 0;
	if (walk->count == SCALARS_MAX)
		return fail_too_many(walk, scalar.type);
	ARRAY_GROW(walk->scalars, walk->count, walk->capacity);
	walk->scalars[walk->count++] = scalar;
	return 0;
}

static bool is_bool_spelling(const char *type)
{
	return !strncmp(type, "bool", 4) && (!type[4] || type[4] == '[');
}

/*
 * Checks whether the type has a bool among its own fields, or is an alias of a bool or an array of bools, and
 * so cannot hold every value that an application can pass.
 */
static bool holds_bool(const struct table_type *type)
{
	for (size_t i = 0; i < type->field_count; i++)
		if (is_bool_spelling(type->fields[i].type))
			return true;
	return type->alias && is_bool_spelling(type->alias);
}

/*
 * Checks whether a proxy treats the type as one scalar, and if so, sets its size, role, is_signed and
 * is_bool. A type is one scalar if it has a role, whatever its fields are (Handle, P64), if it is a basic
 * type, or if it is an alias of such a type and not of an array.
 */
static bool set_scalar(struct proxy_scalar *scalar, const struct proxy_types *types,
		       const struct spelled *spelled)
{
	const struct table_word *word = spelled->word;
	const struct table_type *type = spelled->type;

	for (unsigned depth = 0; !word && type && depth < DEPTH_MAX; depth++) {
		if (type->role != ABI_ROLE_NONE) {
			scalar->role = type->role;
			scalar->is_bool = holds_bool(type);
			scalar->element_bytes = type->size_bytes;
			return true;
		}
		word = type->alias ? table_word_find(type->alias, strlen(type->alias)) : NULL;
		type = type->alias ? types->find(types->from, type->alias) : NULL;
	}
	if (!word)
		return false;
	scalar->element_bytes = word->size_bytes;
	scalar->is_signed = word->is_signed;
	scalar->is_bool = !strcmp(word->name, "bool");
	return true;
}

static int walk_spelling(struct proxy_walk *walk, struct proxy_scalar here, const char *spelling,
			 unsigned depth);

/*
 * Appends the scalars of every element of an array of structs or aliases. A type without dimensions is one
 * element. @here: path, offset and padding of the array. Return: 0; ERR_LIMIT; an error of walk_spelling().
 */
static int walk_elements(struct proxy_walk *walk, const struct spelled *spelled, struct proxy_scalar here,
			 unsigned depth)
{
	const struct table_type *type = spelled->type;
	int rc = 0;

	for (uint64_t i = 0; i < spelled->count && !rc; i++) {
		struct proxy_scalar element = here;

		if (++walk->elements > SCALARS_MAX)
			return fail_too_many(walk, here.type);
		if (spelled->array.dimension_count)
			element.path = arena_printf(walk->arena, "%s%s", here.path,
						    match_index(i, spelled->array.dimension,
								spelled->array.dimension_count, walk->arena));
		element.offset_bytes += i * type->size_bytes;
		if (type->alias)
			rc = walk_spelling(walk, element, type->alias, depth + 1);
		for (size_t f = 0; !type->alias && f < type->field_count && !rc; f++) {
			const struct table_field *field = &type->fields[f];
			struct proxy_scalar inner = element;

			if (*element.path)
				inner.path = arena_printf(walk->arena, "%s.%s", element.path, field->name);
			else
				inner.path = field->name;
			inner.type = field->type;
			inner.offset_bytes += field->offset_bytes;
			inner.is_padding |= padding_of_proxy(field->name);
			rc = walk_spelling(walk, inner, field->type, depth + 1);
		}
	}
	return rc;
}

/*
 * Appends the scalars of a field or element whose type is @spelling. @here: its path, offset and padding.
 * @depth: the number of types around it. Return: as proxy_flatten().
 */
static int walk_spelling(struct proxy_walk *walk, struct proxy_scalar here, const char *spelling,
			 unsigned depth)
{
	const char *path = walk->types->path;
	struct spelled spelled = { .count = 1 };
	const char *base;
	int rc;

	if ((rc = abi_spelling_parse(&spelled.array, spelling, walk->err))) {
		err_prefix(walk->err, "%s", path);
		return rc;
	}
	base = arena_strndup(walk->arena, spelled.array.base, spelled.array.base_length);
	spelled.word = table_word_find(base, spelled.array.base_length);
	spelled.type = spelled.word ? NULL : walk->types->find(walk->types->from, base);
	for (size_t i = 0; i < spelled.array.dimension_count; i++)
		if (__builtin_mul_overflow(spelled.count, spelled.array.dimension[i], &spelled.count))
			return err_set(walk->err, ERR_LIMIT,
				       "%s: the number of elements of type %s exceeds 64 bits", path,
				       spelling);
	if (!spelled.type && !spelled.word)
		return err_set(walk->err, ERR_FORMAT, "%s: the type '%s' is not defined", path, base);
	if (depth > DEPTH_MAX)
		return err_set(walk->err, ERR_LIMIT, "%s: type %s is nested deeper than %d types", path,
			       base, DEPTH_MAX);
	if (set_scalar(&here, walk->types, &spelled))
		return add_proxy_scalar(walk, here, &spelled);
	return walk_elements(walk, &spelled, here, depth);
}

/* Orders scalars by offset, by which proxy_scalar_at() and proxy_scalar_over() search. */
static int compare_scalars(const void *a, const void *b)
{
	const struct proxy_scalar *x = a, *y = b;

	return compare_numbers(x->offset_bytes, y->offset_bytes);
}

int proxy_flatten(struct proxy_layout *out, const struct proxy_types *types, const struct table_type *type,
		  struct arena *arena, struct err *err)
{
	struct proxy_walk walk = { .types = types, .arena = arena, .err = err };
	const struct spelled whole = { .type = type, .count = 1 };
	struct proxy_scalar here = { .path = "", .type = type->name };
	int rc = set_scalar(&here, types, &whole) ? add_proxy_scalar(&walk, here, &whole)
						  : walk_elements(&walk, &whole, here, 0);

	if (!rc) {
		sort_items(walk.scalars, walk.count, sizeof(*walk.scalars), compare_scalars);
		*out = (struct proxy_layout){
			.type = type,
			.scalars = arena_memdup(arena, walk.scalars, walk.count * sizeof(*walk.scalars)),
			.scalar_count = walk.count,
		};
	}
	free(walk.scalars);
	return rc;
}

uint64_t proxy_scalar_bytes(const struct proxy_scalar *scalar)
{
	return scalar->element_bytes * scalar->count;
}

const struct proxy_scalar *proxy_scalar_at(const struct proxy_layout *layout, uint64_t offset_bytes)
{
	struct proxy_scalar key = { .offset_bytes = offset_bytes };

	return bsearch(&key, layout->scalars, layout->scalar_count, sizeof(key), compare_scalars);
}

const struct proxy_scalar *proxy_scalar_over(const struct proxy_layout *layout, uint64_t offset_bytes,
					 uint64_t size_bytes)
{
	size_t low = 0, high = layout->scalar_count;

	/*
	 * Search for the first scalar that ends after @offset_bytes. Scalars do not overlap, so their ends
	 * are in the same order as their offsets.
	 */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct proxy_scalar *scalar = &layout->scalars[middle];

		if (scalar->offset_bytes + proxy_scalar_bytes(scalar) > offset_bytes)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == layout->scalar_count || layout->scalars[low].offset_bytes >= offset_bytes + size_bytes)
		return NULL;
	return &layout->scalars[low];
}

/* --- one scalar of the driver and one of the proxy ------------------------------------------ */

enum { HANDLE_TYPES_MAX = 64 };

/* The number of fields with one type, and how many of these fields are handles. */
struct type_use {
	const char *base; /* not terminated */
	size_t length;
	size_t fields, handles;
};

/*
 * Checks whether @type is @base, or an array of @base. Compares text, because parsing the type of every field
 * would be too slow.
 */
static bool has_base(const char *type, const char *base, size_t length)
{
	return !strncmp(type, base, length) && (!type[length] || type[length] == '[');
}

static struct type_use *find_type_use(struct type_use *uses, size_t count, const char *type)
{
	for (size_t i = 0; i < count; i++)
		if (has_base(type, uses[i].base, uses[i].length))
			return &uses[i];
	return NULL;
}

void match_driver_init(struct match_driver *out, const struct abi *abi, struct arena *arena)
{
	struct type_use uses[HANDLE_TYPES_MAX], *one; /* the types of all fields that have the handle role */
	const char **handles;
	size_t count = 0;

	for (size_t r = 0; r < abi->record_count; r++) {
		for (size_t f = 0; f < abi->records[r].field_count; f++) {
			const struct abi_field *field = &abi->records[r].fields[f];
			struct abi_spelling type;

			if (field->role != ABI_ROLE_HANDLE || count == HANDLE_TYPES_MAX ||
			    find_type_use(uses, count, field->type) ||
			    abi_spelling_parse(&type, field->type, NULL))
				continue;
			uses[count++] = (struct type_use){ .base = type.base, .length = type.base_length };
		}
	}
	handles = arena_array(arena, count + 1, sizeof(*handles));
	*out = (struct match_driver){ .abi = abi, .handles = handles };
	for (size_t r = 0; count && r < abi->record_count; r++)
		for (size_t f = 0; f < abi->records[r].field_count; f++)
			if ((one = find_type_use(uses, count, abi->records[r].fields[f].type))) {
				one->fields++;
				one->handles += abi->records[r].fields[f].role == ABI_ROLE_HANDLE;
			}
	for (size_t i = 0; i < count; i++)
		if (2 * uses[i].handles > uses[i].fields)
			handles[out->handle_count++] = arena_strndup(arena, uses[i].base, uses[i].length);
}

static bool is_handle_type(const struct match_driver *driver, const char *type)
{
	for (size_t i = 0; i < driver->handle_count; i++)
		if (has_base(type, driver->handles[i], strlen(driver->handles[i])))
			return true;
	return false;
}

bool verify_is_pointer(enum abi_scalar_kind kind, enum abi_role role)
{
	return role == ABI_ROLE_POINTER ||
	       (kind == ABI_POINTER && role != ABI_ROLE_KERNEL_POINTER && role != ABI_ROLE_FD);
}

bool verify_is_fd(const char *path, enum abi_role role)
{
	size_t length = strlen(path);

	return role == ABI_ROLE_FD || (length >= 2 && !strcasecmp(path + length - 2, "fd"));
}

/* An enum counts as unsigned, as in the compilers that build the driver. */
static bool is_signed(enum abi_scalar_kind kind)
{
	return kind == ABI_I8 || kind == ABI_I16 || kind == ABI_I32 || kind == ABI_I64;
}

const char *match_fault(const struct match_driver *driver, const struct abi_field *field,
			const struct abi_type *type, const struct proxy_scalar *scalar)
{
	bool pointer = verify_is_pointer(type->scalar, field->role);
	bool handle_type = is_handle_type(driver, field->type);
	/* the driver does not follow it, so the proxy may declare it as a pointer or as a number */
	bool copied = field->role == ABI_ROLE_KERNEL_POINTER ||
		      (field->role == ABI_ROLE_FD && type->scalar == ABI_POINTER);

	if (!copied && pointer != (scalar->role == ABI_ROLE_POINTER))
		return pointer ? "the driver follows it as a pointer, the proxy does not"
			       : "the proxy treats it as a pointer";
	if (scalar->element_bytes != type->element_bytes)
		return "the widths differ";
	if (type->dimension_count != scalar->dimension_count ||
	    memcmp(type->dimension, scalar->dimension, scalar->dimension_count * sizeof(*scalar->dimension)))
		return "the lengths differ";
	if (handle_type && scalar->role != ABI_ROLE_HANDLE)
		return "a handle that the proxy treats as a number";
	/* An alias has no field name, and so no role that comes from the name. */
	if (scalar->role == ABI_ROLE_HANDLE && !handle_type && field->role != ABI_ROLE_HANDLE && *field->name)
		return "the proxy treats it as a handle";
	if (scalar->role == ABI_ROLE_NONE && !scalar->is_bool && type->scalar != ABI_BYTES &&
	    scalar->is_signed != is_signed(type->scalar))
		return "only one of them is signed";
	return NULL;
}

/* --- names in two languages ----------------------------------------------------------------- */

static bool ends_name(char ch, const char *ends)
{
	return !ch || strchr(ends, ch);
}

/*
 * Skips the part at the start of both names that is equal, ignoring case and underscores, but no character
 * that is in @ends.
 */
static void skip_equal(const char **a, const char **b, const char *ends)
{
	for (;; ++*a, ++*b) {
		while (**a == '_')
			++*a;
		while (**b == '_')
			++*b;
		if (ends_name(**a, ends) || tolower((unsigned char)**a) != tolower((unsigned char)**b))
			return;
	}
}

const char *match_after(const char *text, const char *word)
{
	skip_equal(&text, &word, "");
	return *word ? NULL : text;
}

const char *match_component(const char *path, unsigned up)
{
	const char *at = path + strlen(path);

	while (at > path && (at[-1] != '.' || up--))
		at--;
	return at;
}

/* Compares two components of paths without indices. */
static bool same_component(const char *driver, const char *proxy)
{
	skip_equal(&driver, &proxy, ".[");
	return ends_name(*driver, ".[") && ends_name(*proxy, ".[");
}

bool match_same_name(const char *driver, const char *proxy, unsigned up)
{
	size_t letters;

	driver = match_component(driver, up);
	proxy = match_component(proxy, up);
	letters = driver[0] == 'p' && islower((unsigned char)driver[1]) ? 2 : 1;
	return same_component(driver, proxy) ||
	       (islower((unsigned char)driver[0]) && isupper((unsigned char)driver[letters]) &&
		same_component(driver + letters, proxy));
}

int match_compare_paths(const char *a, const char *b)
{
	skip_equal(&a, &b, "");
	return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}

bool match_same_indices(const char *driver, const char *proxy)
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
