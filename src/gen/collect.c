/*
 * gen/collect.c - what a file holds: records, numbers and constants of one or many versions
 *
 * Versions are read from the oldest to the newest. In each:
 *
 * 1. Every glob is matched with the names of ioctls, constants, enums and
 *    records (match_glob). An ioctl wants its parameter record.
 * 2. A wanted record is declared, with those that it uses (want_record); the
 *    set answers with a type that it has, or a new one. What it answered before
 *    is the parent, in Go. Consecutive versions with one answer are one span.
 * 3. A number is added to its group unless it has the value that it had before.
 *
 * At last the groups are sorted, and names that a language would not have twice are told apart.
 */
#include "gen/gen.h"
#include "gen/internal.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/*
 * numbers and names while a file is collected
 *
 * Inside the room.
 */

struct definitions;

/*
 * numbers of ioctls, constants and enumerators, in groups
 *
 * A number is known by its group and the driver's name. In a later version it
 * may have another value: then it is one more constant, with that version in its name.
 * First values are named before all others: no later value of TOY_A is called as the driver's own TOY_A_V2.
 */

/* One value of one name. */
struct value {
	const char *text;
	struct abi_number number;
	const char *version; /* the first that has it */
	const char *name; /* in the file; NULL until it is named, or if another constant of that name has the same value */
	struct value *next;
};

struct number {
	const char *name; /* the driver's */
	struct value *values; /* oldest first */
	UT_hash_handle by_name;
};

struct number;

/* Constants in groups, by name; one that has another value in a later version is one more constant. */
struct numbers {
	struct arena *arena;
	struct number_group *groups; /* hash, in the order of their first use */
};

struct number_group {
	const char *title;
	bool is_enum;
	struct number *numbers; /* hash */
	UT_hash_handle by_title;
};

struct number_group;

/* The types of a file while they are collected: of a proxy for Go, else the driver's. */
struct collect_types {
	enum gen_language language;
	struct proxytype_set *proxy;     /* of Go; else NULL */
	struct definitions *definitions; /* of the others */
};

/* types of a proxy's table as a file, and the names that are fixed or taken */

static const struct table_field handle_fields[] = { { "Val", "uint32", 0 } };

static const struct table_type nvproxy_types[] = {
	{ .name = "Handle", .size_bytes = 4, .role = ABI_ROLE_HANDLE, .fields = handle_fields, .field_count = 1 },
	{ .name = "NvUUID", .size_bytes = 16, .alias = "uint8[16]" },
	{ .name = "P64", .size_bytes = 8, .alias = "uint64", .role = ABI_ROLE_POINTER },
};

const struct table gen_nvproxy_types = { .path = "package nvgpu", .proxy = "gvisor nvproxy", .types = nvproxy_types,
					 .type_count = sizeof(nvproxy_types) / sizeof(*nvproxy_types) };

/* collect_is_name - can Go call something by it? */
static bool collect_is_name(const char *name)
{
	return words_is_identifier(name) && !words_is_reserved(GEN_GO, name);
}

/* collect_types_has - is a type called so? */
static bool collect_types_has(const struct collect_types *types, const char *name)
{
	return types->proxy ? proxytype_find(types->proxy, name) != NULL : definitions_has(types->definitions, name);
}

/* The driver's name without what a package's name cannot have: "linux-drm" is linuxdrm. */
static const char *package_of(const char *driver, struct arena *arena)
{
	char *name = arena_strdup(arena, driver && *driver ? driver : "driver");
	char *to = name;

	for (const char *from = name; *from; from++)
		if (isalnum((unsigned char)*from))
			*to++ = (char)tolower((unsigned char)*from);
	*to = '\0';
	return collect_is_name(name) ? name : "driver";
}

/* collect_package - @asked, or what the style calls its package, or the driver's name. Return: 0; ERR_USAGE. */
static int collect_package(const char **out, const char *asked, enum gen_style style, const char *driver, struct arena *arena, struct err *err)
{
	if (asked && (!collect_is_name(asked) || !strcmp(asked, "_")))
		return err_set(err, ERR_USAGE, "a package of Go cannot be called '%s'; it is a word of letters and digits", asked);
	*out = asked ? asked : style == GEN_NVPROXY ? "nvgpu" : package_of(driver, arena);
	return 0;
}

/* "T" of "T[4][2]" is a name, and there is no more to it. */
static bool is_type_name(const char *spelling)
{
	struct abi_spelling parsed;
	char name[256];

	if (abi_spelling_parse(&parsed, spelling, NULL) || parsed.flexible || parsed.base_length >= sizeof(name))
		return false;
	memcpy(name, parsed.base, parsed.base_length);
	name[parsed.base_length] = '\0';
	return collect_is_name(name);
}

static int check_type(const struct table_type *type, struct err *err)
{
	if (!collect_is_name(type->name) || (type->alias && !is_type_name(type->alias)))
		return err_set(err, ERR_FORMAT, "type \"%.200s\" of the table cannot be named in Go; mend the table", type->name);
	for (size_t i = 0; !type->alias && i < type->field_count; i++)
		if (!collect_is_name(type->fields[i].name) || !is_type_name(type->fields[i].type))
			return err_set(err, ERR_FORMAT, "field \"%.200s\" of type %s of the table cannot be declared in Go; mend the table",
				       type->fields[i].name, type->name);
	return 0;
}

int gen_collect_types(struct gen_file *out, enum gen_style style, const char *package, const struct table_type *types, size_t count,
		      struct arena *arena, struct err *err)
{
	const struct proxytype **all = arena_array(arena, count, sizeof(*all));
	struct proxytype *each = arena_array(arena, count, sizeof(*each));
	int rc;

	for (size_t i = 0; i < count; i++) {
		if ((rc = check_type(&types[i], err)))
			return rc;
		each[i].type = &types[i];
		all[i] = &each[i];
	}
	if ((rc = collect_package(&package, package, GEN_NVPROXY, NULL, arena, err)))
		return rc;
	*out = (struct gen_file){ .style = style, .package = package, .origin = "Types of a proxy's table.", .types = all, .type_count = count };
	return 0;
}

static struct number_group *group_of(struct numbers *numbers, const char *title)
{
	struct number_group *group;

	HASH_FIND(by_title, numbers->groups, title, strlen(title), group);
	if (!group) {
		group = arena_alloc(numbers->arena, sizeof(*group));
		group->title = title;
		HASH_ADD_KEYPTR(by_title, numbers->groups, title, strlen(title), group);
	}
	return group;
}

static struct number *number_of(struct numbers *numbers, struct number_group *group, const char *name)
{
	struct number *number;

	HASH_FIND(by_name, group->numbers, name, strlen(name), number);
	if (!number) {
		number = arena_alloc(numbers->arena, sizeof(*number));
		number->name = name;
		HASH_ADD_KEYPTR(by_name, group->numbers, name, strlen(name), number);
	}
	return number;
}

static void add_number(struct numbers *numbers, const char *title, const char *name, const char *text, struct abi_number number, const char *version)
{
	struct number *one = number_of(numbers, group_of(numbers, title), name);
	struct value **end = &one->values;

	for (; *end; end = &(*end)->next)
		if (abi_number_equal((*end)->number, number))
			return;
	*end = arena_alloc(numbers->arena, sizeof(**end));
	**end = (struct value){ arena_strdup(numbers->arena, text), number, version, NULL, NULL };
}

/* numbers_ioctl_name - the ioctl's name; of a macro with parameters, "EVIOCGBIT(ev,len)", what stands before them. It may be in @arena. */
static const char *numbers_ioctl_name(const struct abi_ioctl *ioctl, struct arena *arena)
{
	return ioctl->varies ? arena_strndup(arena, ioctl->name, strcspn(ioctl->name, "(")) : ioctl->name;
}

/* Names are of letters, digits and '_', as collect_is_name() says. */
static void numbers_add_ioctl(struct numbers *numbers, const struct abi_ioctl *ioctl, const char *version)
{
	const char *varies = ioctl->varies ? " whose arguments are bits of the number: with 0 for these" : "";
	char buffer[ABI_NOTATION_BYTES];

	add_number(numbers, arena_printf(numbers->arena, "Numbers of %s ioctls%s.", ioctl->family, varies), numbers_ioctl_name(ioctl, numbers->arena),
	    abi_ioctl_number(ioctl->family, ioctl->number, buffer), abi_number_unsigned(ioctl->number), version);
}

static void numbers_add_constant(struct numbers *numbers, const struct abi_constant *constant, const char *version)
{
	char buffer[ABI_NOTATION_BYTES];
	char *text = arena_strdup(numbers->arena, abi_constant_number(constant, buffer));

	text[strcspn(text, " ")] = '\0'; /* "0xa097 (41111)" */
	add_number(numbers, "Constants.", constant->name, text, constant->value, version);
}

static void numbers_add_enum(struct numbers *numbers, const struct abi_enum *one, const char *version)
{
	const char *title = arena_printf(numbers->arena, "Values of enum %s.", one->name);
	char buffer[24];

	group_of(numbers, title)->is_enum = true;
	for (size_t i = 0; i < one->value_count; i++)
		add_number(numbers, title, one->values[i].name, abi_number_text(one->values[i].value, buffer), one->values[i].value, version);
}

/* --- as a file has them ------------------------------------------------------------- */

/* A name that is in use, and for what. */
struct used {
	const char *name;
	struct abi_number number;
	UT_hash_handle by_name;
};

struct naming {
	const struct collect_types *types;
	struct used *used;
	struct arena *arena;
};

/* The driver's name as the language can have it. */
static const char *constant_name(const struct naming *naming, const char *name)
{
	if (naming->types->language == GEN_GO)
		return proxytype_type_name(name, naming->arena);
	return words_is_reserved(naming->types->language, name) ? arena_printf(naming->arena, "%s_", name) : name;
}

static struct used *find_used(const struct naming *naming, const char *name)
{
	struct used *used;

	HASH_FIND(by_name, naming->used, name, strlen(name), used);
	return used;
}

/* A record that was asked for, over all versions. */
struct wanted {
	const char *record;
	const struct proxytype *type; /* in the last version that has it; NULL but for Go */
	const char *name;             /* of the type, or the definition, there */
	const struct abi *abi;        /* that version's */
	size_t version;               /* of it */
	size_t span;                  /* the last one of it */
	UT_hash_handle by_record;
};

/* A name for @number; NULL if it has one already: a macro and the ioctl that it is the number of. */
static const char *free_name(struct naming *naming, const char *wanted, struct abi_number number)
{
	const char *name = wanted;
	struct used *used = find_used(naming, name);

	for (unsigned i = 2; used || collect_types_has(naming->types, name); i++) {
		if (used && abi_number_equal(used->number, number))
			return NULL;
		name = arena_printf(naming->arena, "%s_%u", wanted, i);
		used = find_used(naming, name);
	}
	used = arena_alloc(naming->arena, sizeof(*used));
	*used = (struct used){ .name = name, .number = number };
	HASH_ADD_KEYPTR(by_name, naming->used, name, strlen(name), used);
	return name;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct number *x = *(const struct number *const *)a, *y = *(const struct number *const *)b;
	struct abi_number v = x->values->number, w = y->values->number;

	if (v.negative != w.negative)
		return v.negative ? -1 : 1;
	if (v.magnitude != w.magnitude)
		return (v.magnitude < w.magnitude) != v.negative ? -1 : 1;
	return strcmp(x->name, y->name);
}

static const struct number **ordered(const struct number_group *group, struct arena *arena)
{
	const struct number **order = arena_array(arena, HASH_CNT(by_name, group->numbers), sizeof(*order));
	size_t count = 0;

	for (const struct number *one = group->numbers; one; one = one->by_name.next)
		order[count++] = one;
	qsort(order, count, sizeof(*order), compare_numbers);
	return order;
}

static void name_first(struct naming *naming, const struct number *one)
{
	one->values->name = free_name(naming, constant_name(naming, one->name), one->values->number);
}

static void name_later(struct naming *naming, const struct number *one)
{
	for (struct value *value = one->values->next; value; value = value->next)
		value->name = free_name(naming, words_versioned(constant_name(naming, one->name), value->version, false, naming->arena), value->number);
}

static void name_all(struct naming *naming, const struct numbers *numbers, void (*name)(struct naming *naming, const struct number *one))
{
	for (const struct number_group *group = numbers->groups; group; group = group->by_title.next) {
		const struct number **order = ordered(group, naming->arena);

		for (size_t i = 0; i < HASH_CNT(by_name, group->numbers); i++)
			name(naming, order[i]);
	}
}

static size_t value_count(const struct number_group *group)
{
	size_t count = 0;

	for (const struct number *one = group->numbers; one; one = one->by_name.next)
		for (const struct value *value = one->values; value; value = value->next)
			count++;
	return count;
}

static void render_group(struct gen_constants *out, const struct number_group *group, struct arena *arena)
{
	struct gen_constant *items = arena_array(arena, value_count(group), sizeof(*items));
	const struct number **order = ordered(group, arena);

	*out = (struct gen_constants){ .title = group->title, .items = items, .is_enum = group->is_enum };
	for (size_t i = 0; i < HASH_CNT(by_name, group->numbers); i++)
		for (const struct value *value = order[i]->values; value; value = value->next)
			if (value->name)
				items[out->count++] = (struct gen_constant){ value->name, value->text, value->number };
}

/* numbers_groups - sets the constants of @out; no name is there twice, nor one that a type of @types has. */
static void numbers_groups(struct gen_file *out, const struct numbers *numbers, const struct collect_types *types)
{
	struct naming naming = { .types = types, .arena = numbers->arena };
	struct gen_constants *groups = arena_array(numbers->arena, HASH_CNT(by_title, numbers->groups), sizeof(*groups));

	name_all(&naming, numbers, name_first);
	name_all(&naming, numbers, name_later);
	for (const struct number_group *group = numbers->groups; group; group = group->by_title.next) {
		render_group(&groups[out->constants_count], group, numbers->arena);
		out->constants_count += groups[out->constants_count].count > 0;
	}
	out->constants = groups;
	HASH_CLEAR(by_name, naming.used);
}

static void numbers_release(struct numbers *numbers)
{
	for (struct number_group *group = numbers->groups; group; group = group->by_title.next)
		HASH_CLEAR(by_name, group->numbers);
	HASH_CLEAR(by_title, numbers->groups);
}

struct collecting {
	const struct gen_request *request;
	struct collect_types types;
	struct arena *arena;
	struct wanted *wanted;        /* hash */
	struct gen_span *spans;
	size_t span_count, span_capacity;
	struct numbers numbers;
	const struct abi *abi;        /* the version at hand */
	size_t version;
	bool *matched;                /* by glob */
	struct err *err;
};

static bool is_glob(const char *text)
{
	return text[strcspn(text, "*?[")];
}

/* --- records ---------------------------------------------------------------------- */

static struct wanted *wanted_of(struct collecting *with, const char *record)
{
	struct wanted *wanted;

	HASH_FIND(by_record, with->wanted, record, strlen(record), wanted);
	if (!wanted) {
		wanted = arena_alloc(with->arena, sizeof(*wanted));
		wanted->record = record;
		HASH_ADD_KEYPTR(by_record, with->wanted, record, strlen(record), wanted);
	}
	return wanted;
}

static void add_span(struct collecting *with, struct wanted *wanted, const char *name, uint64_t size_bytes)
{
	const char *version = with->abi->version;

	if (wanted->name && !strcmp(wanted->name, name) && wanted->version + 1 == with->version) {
		with->spans[wanted->span].last = version;
		with->spans[wanted->span].last_index = with->version;
		return;
	}
	wanted->span = with->span_count;
	ARRAY_GROW(with->spans, with->span_count, with->span_capacity);
	with->spans[with->span_count++] = (struct gen_span){ wanted->record, name, version, version, size_bytes, with->version, with->version };
}

static int want_type(const char **name, uint64_t *size_bytes, struct collecting *with, struct wanted *wanted)
{
	struct proxytype_request request = { .abi = with->abi, .record = wanted->record };
	const struct proxytype *type;
	int rc;

	if (wanted->type && wanted->type->is_new) {
		request.parent = wanted->type->type;
		request.parent_abi = wanted->abi;
	}
	if ((rc = proxytype_declare(&type, with->types.proxy, &request, with->err)))
		return rc;
	wanted->type = type;
	*name = type->type->name;
	*size_bytes = type->type->size_bytes;
	return 0;
}

static int want_definition(const char **name, uint64_t *size_bytes, struct collecting *with, const struct wanted *wanted)
{
	const struct definition *definition;
	int rc;

	if ((rc = definitions_declare(&definition, with->types.definitions, with->abi, wanted->record, with->err)))
		return rc;
	*name = definition->name;
	*size_bytes = definition->size_bytes;
	return 0;
}

static int want_record(struct collecting *with, const char *record)
{
	struct wanted *wanted = wanted_of(with, record);
	uint64_t size_bytes = 0;
	const char *name;
	int rc;

	if (wanted->abi == with->abi)
		return 0;
	if (with->types.proxy)
		rc = want_type(&name, &size_bytes, with, wanted);
	else
		rc = want_definition(&name, &size_bytes, with, wanted);
	if (rc)
		return rc;
	add_span(with, wanted, name, size_bytes);
	wanted->name = name;
	wanted->abi = with->abi;
	wanted->version = with->version;
	return 0;
}

/* A record inside another one comes with it; by a glob, it is not asked for itself. */
static bool is_asked_record(const char *glob, const char *name)
{
	return !fnmatch(glob, name, 0) && (!strstr(name, "::") || strchr(glob, ':'));
}

static int match_records(struct collecting *with, const char *glob, bool *matched)
{
	int rc = 0;

	for (size_t i = 0; i < with->abi->record_count && !rc; i++)
		if (is_asked_record(glob, with->abi->records[i].name)) {
			*matched = true;
			rc = want_record(with, with->abi->records[i].name);
		}
	if (!rc && !is_glob(glob) && !abi_find_record(with->abi, glob) && abi_find_alias(with->abi, glob)) {
		*matched = true;
		rc = want_record(with, glob);
	}
	return rc;
}

/* --- numbers ---------------------------------------------------------------------- */

/* A document may be written by hand. */
static int check_name(const char *name, const struct collecting *with)
{
	if (words_is_identifier(name))
		return 0;
	return err_set(with->err, ERR_FORMAT, "\"%.200s\" cannot be the name of a number; mend the document", name);
}

/* Its name is asked for, or the record that it carries; package nvgpu has the numbers of what it forwards. */
static bool is_asked_ioctl(const struct collecting *with, const char *glob, const struct abi_ioctl *ioctl)
{
	return !fnmatch(glob, ioctl->name, 0) || (ioctl->params && with->request->style == GEN_PLAIN && is_asked_record(glob, ioctl->params));
}

/* Is @name, which an ioctl carries, declared in a file? A scalar that is C's own, or a pointer ("unsigned long", "char *"), has no declaration. */
static bool has_declaration(const struct abi *abi, const char *name)
{
	return abi_find_record(abi, name) || (abi_find_alias(abi, name) && words_is_identifier(name) && !cdecl_is_builtin(name));
}

static int match_ioctls(struct collecting *with, const char *glob, bool *matched)
{
	int rc = 0;

	for (size_t i = 0; i < with->abi->ioctl_count && !rc; i++) {
		const struct abi_ioctl *ioctl = &with->abi->ioctls[i];

		if (!is_asked_ioctl(with, glob, ioctl))
			continue;
		*matched = true;
		if ((rc = check_name(numbers_ioctl_name(ioctl, with->arena), with)))
			return rc;
		numbers_add_ioctl(&with->numbers, ioctl, with->abi->version);
		if (ioctl->params && has_declaration(with->abi, ioctl->params))
			rc = want_record(with, ioctl->params);
	}
	return rc;
}

static int match_enum(struct collecting *with, const struct abi_enum *one)
{
	int rc = 0;

	for (size_t i = 0; i < one->value_count && !rc; i++)
		rc = check_name(one->values[i].name, with);
	if (!rc)
		numbers_add_enum(&with->numbers, one, with->abi->version);
	return rc;
}

static int match_constants(struct collecting *with, const char *glob, bool *matched)
{
	const struct abi *abi = with->abi;
	int rc = 0;

	for (size_t i = 0; i < abi->constant_count && !rc; i++)
		if (!fnmatch(glob, abi->constants[i].name, 0)) {
			*matched = true;
			if (!(rc = check_name(abi->constants[i].name, with)))
				numbers_add_constant(&with->numbers, &abi->constants[i], abi->version);
		}
	for (size_t i = 0; i < abi->enum_count && !rc; i++)
		if (is_asked_record(glob, abi->enums[i].name)) {
			*matched = true;
			rc = match_enum(with, &abi->enums[i]);
		}
	return rc;
}

static int match_version(struct collecting *with)
{
	int rc = 0;

	for (size_t i = 0; i < with->request->glob_count && !rc; i++) {
		const char *glob = with->request->globs[i];

		if (!(rc = match_ioctls(with, glob, &with->matched[i])) &&
		    !(rc = match_records(with, glob, &with->matched[i])))
			rc = match_constants(with, glob, &with->matched[i]);
	}
	if (rc)
		err_prefix(with->err, "%s", with->abi->version);
	return rc;
}

/* --- the file --------------------------------------------------------------------- */

static int compare_spans(const void *a, const void *b)
{
	const struct gen_span *x = a, *y = b;
	int order = strcmp(x->record, y->record);

	return order ? order : abi_version_compare(x->first, y->first);
}

static const char *origin(const struct gen_request *request, struct arena *arena)
{
	const struct abi *first = request->versions[0], *last = request->versions[request->version_count - 1];

	if (request->version_count == 1)
		return arena_printf(arena, "%s %s, %s", last->driver, last->version, last->target);
	return arena_printf(arena, "%s %s..%s (%zu versions), %s", last->driver, first->version, last->version, request->version_count,
			    last->target);
}

static void set_types(struct gen_file *out, const struct collecting *with)
{
	if (with->types.proxy) {
		out->types = proxytype_new_types(&out->type_count, with->types.proxy);
	} else {
		out->definitions = definitions_all(&out->definition_count, with->types.definitions);
		out->definitions = arena_memdup(with->arena, out->definitions, out->definition_count * sizeof(*out->definitions));
	}
}

static void finish(struct gen_file *out, struct collecting *with, const char *package)
{
	if (with->span_count)
		qsort(with->spans, with->span_count, sizeof(*with->spans), compare_spans);
	*out = (struct gen_file){ .style = with->request->style, .package = package, .origin = origin(with->request, with->arena) };
	numbers_groups(out, &with->numbers, &with->types);
	set_types(out, with);
	if (with->request->is_range) {
		out->versions = with->request->versions;
		out->version_count = with->request->version_count;
		out->spans = arena_memdup(with->arena, with->spans, with->span_count * sizeof(*with->spans));
		out->span_count = with->span_count;
	}
}

static int find_lost(const char **lost, const struct collecting *with)
{
	for (size_t i = 0; i < with->request->glob_count; i++)
		if (!with->matched[i]) {
			*lost = with->request->globs[i];
			return err_set(with->err, ERR_NOT_FOUND, "nothing is called '%s'", *lost);
		}
	return 0;
}

int gen_collect(struct gen_file *out, const struct gen_request *request, struct proxytype_set *set, const char **lost, struct arena *arena,
		struct err *err)
{
	struct collecting with = { .request = request, .types = { .language = request->language, .proxy = set }, .arena = arena, .err = err,
				   .numbers = { .arena = arena } };
	const char *package = NULL;
	int rc;

	*lost = NULL;
	with.matched = arena_array(arena, request->glob_count, sizeof(*with.matched));
	if ((rc = collect_package(&package, request->package, request->style, request->versions[0]->driver, arena, err)))
		return rc;
	if (!set)
		with.types.definitions = definitions_new(request->language, arena);
	for (; with.version < request->version_count && !rc; with.version++) {
		with.abi = request->versions[with.version];
		rc = match_version(&with);
	}
	if (!rc && !(rc = find_lost(lost, &with)))
		finish(out, &with, package);
	HASH_CLEAR(by_record, with.wanted);
	numbers_release(&with.numbers);
	definitions_free(with.types.definitions);
	free(with.spans);
	return rc;
}
