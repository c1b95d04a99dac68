/*
 * gen/collect.c - collect the contents of a file: records, numbers and constants of one or more versions
 *
 * Versions are read from the oldest to the newest. In each:
 *
 * 1. Every glob is matched with the names of ioctls, constants, enums and records. A matching ioctl also
 *    selects its parameter record.
 * 2. A selected record is declared, with all records that it uses; the set returns an existing type or a new
 *    one. In Go, the previous result is the parent. Consecutive versions with the same result are one span.
 * 3. A number is added to its group if it is new or its value has changed.
 *
 * Finally the groups are sorted, and names that would clash in a language are changed.
 */
#include "gen/internal.h"

#include <fnmatch.h>

/* The state of one requested record. */
struct wanted_record {
	const char *record;
	const struct proxytype *type; /* for Go: the type in the last version that has the record;
					 otherwise NULL */
	const struct abi *abi;        /* the document of that version; NULL if there is none yet */
	size_t span;                  /* the index of the record's last span, if @abi is set */
	UT_hash_handle by_record;
};

/*
 * One value of a number, which is identified by its group and the driver's name. If the value changes in a
 * later version, the new value gets a constant of its own.
 */
struct number {
	const char *driver_name;
	const char *version;    /* the first version that has the value */
	struct gen_constant constant; /* its name is NULL until it is set, or if a constant with the same
					 name has this value */
	struct number *next;    /* a later value */
	UT_hash_handle by_name; /* of the first value */
};

struct number_group {
	const char *title;
	bool is_enum;
	struct number *numbers; /* hash of the first values; sorted after the last number was added */
	size_t value_count;
	UT_hash_handle by_title;
};

/* A constant's name that is in use, and the constant's value. */
struct used {
	const char *name;
	struct abi_number number;
	UT_hash_handle by_name;
};

struct collecting {
	const struct gen_request *request;
	struct proxytype_set *proxy;     /* the types for Go; otherwise NULL */
	struct definitions *definitions; /* the types for other languages */
	struct arena *arena;
	struct wanted_record *wanted; /* hash */
	struct gen_span *spans;
	size_t span_count;
	struct number_group *groups;  /* hash, in the order of their first use */
	struct used *used;            /* hash */
	const struct abi *abi;        /* the current version */
	size_t version;
	bool *matched;                /* one per glob */
	struct err *err;
};

/* --- numbers ------------------------------------------------------------------------------- */

/* Finds the group of constants with this title, or adds it. */
static struct number_group *find_group(struct collecting *with, const char *title)
{
	struct number_group *group;

	HASH_FIND(by_title, with->groups, title, strlen(title), group);
	if (!group) {
		group = arena_alloc(with->arena, sizeof(*group));
		group->title = title;
		HASH_ADD_KEYPTR(by_title, with->groups, title, strlen(title), group);
	}
	return group;
}

/*
 * Adds a constant to the group @title, unless @name already has this value there; it can have several.
 * Return: 0; ERR_FORMAT if @name is not an identifier. @text: the value in the file
 */
static int add_number(struct collecting *with, const char *title, const char *name, const char *text,
		      struct abi_number number)
{
	struct number_group *group = find_group(with, title);
	struct number *first, *one, **end;

	if (!words_is_identifier(name)) /* a document can be written by hand */
		return err_set(with->err, ERR_FORMAT,
			       "\"%.200s\" is not a valid name for a constant; fix the document", name);
	HASH_FIND(by_name, group->numbers, name, strlen(name), first);
	for (end = &first; *end; end = &(*end)->next)
		if (abi_number_equal((*end)->constant.number, number))
			return 0;
	*end = one = arena_alloc(with->arena, sizeof(*one));
	*one = (struct number){ .driver_name = name, .version = with->abi->version,
				.constant = { NULL, arena_strdup(with->arena, text), number } };
	if (first == one)
		HASH_ADD_KEYPTR(by_name, group->numbers, name, strlen(name), one);
	group->value_count++;
	return 0;
}

/* Adds the number of an ioctl. The name of a macro with parameters, "EVIOCGBIT(ev,len)", ends before them. */
static int add_ioctl_number(struct collecting *with, const struct abi_ioctl *ioctl)
{
	const char *varies = ioctl->varies ? " whose macros have parameters, with 0 for the "
					     "parameters' bits"
					   : "",
		   *name = ioctl->name;
	char buffer[ABI_NOTATION_BYTES];

	if (ioctl->varies)
		name = arena_strndup(with->arena, name, strcspn(name, "("));
	return add_number(with, arena_printf(with->arena, "Numbers of %s ioctls%s.", ioctl->family, varies),
			  name, abi_ioctl_number(ioctl->family, ioctl->number, buffer),
			  abi_number_unsigned(ioctl->number));
}

/* Adds the values of an enum, as a group of their own. Return: as add_number(). */
static int add_enum(struct collecting *with, const struct abi_enum *one)
{
	const char *title = arena_printf(with->arena, "Values of enum %s.", one->name);
	char buffer[24];
	int rc = 0;

	find_group(with, title)->is_enum = true;
	for (size_t i = 0; i < one->value_count && !rc; i++)
		rc = add_number(with, title, one->values[i].name,
				abi_number_text(one->values[i].value, buffer), one->values[i].value);
	return rc;
}

/* Orders constants by value for the generated file. The hash table has them in the order of insertion. */
static int compare_numbered(const struct number *x, const struct number *y)
{
	return abi_number_compare(x->constant.number, y->constant.number)
		?: strcmp(x->driver_name, y->driver_name);
}

/*
 * Returns @wanted, or @wanted with a number if a type or another value has that name, and reserves the name
 * for @number. NULL if the name already has this value (a macro and its ioctl).
 */
static const char *unused_constant_name(struct collecting *with, const char *wanted, struct abi_number number)
{
	const char *name = wanted;
	struct used *used;

	for (unsigned i = 2;; i++) {
		HASH_FIND(by_name, with->used, name, strlen(name), used);
		if (used && abi_number_equal(used->number, number))
			return NULL;
		if (!used && !(with->proxy ? proxytype_find(with->proxy, name) != NULL
					   : definitions_has(with->definitions, name)))
			break;
		name = arena_printf(with->arena, "%s_%u", wanted, i);
	}
	used = arena_alloc(with->arena, sizeof(*used));
	*used = (struct used){ .name = name, .number = number };
	HASH_ADD_KEYPTR(by_name, with->used, name, strlen(name), used);
	return name;
}

/*
 * Names the constants for the first value of each number or, if @is_later, those for later values, whose
 * names contain the version. The first values of all numbers are named before later values. Otherwise a later
 * value of TOY_A could take the name TOY_A_V2 from a number that the driver calls TOY_A_V2.
 */
static void name_values(struct collecting *with, bool is_later)
{
	enum gen_language language = with->request->language;

	for (struct number_group *group = with->groups; group; group = group->by_title.next)
		for (struct number *first = group->numbers; first; first = first->by_name.next) {
			const char *name = first->driver_name;

			if (language == GEN_GO)
				name = proxytype_type_name(name, with->arena);
			else if (words_is_reserved(language, name))
				name = arena_printf(with->arena, "%s_", name);
			if (!is_later)
				first->constant.name =
					unused_constant_name(with, name, first->constant.number);
			for (struct number *one = is_later ? first->next : NULL; one; one = one->next)
				one->constant.name = unused_constant_name(
					with, gen_versioned_name(name, one->version, false, with->arena),
					one->constant.number);
		}
}

/* Names the constants, sorts each group by value, and sets those of the file: all that have a name. */
static void set_constants(struct gen_file *out, struct collecting *with)
{
	struct gen_constants *groups =
		arena_array(with->arena, HASH_CNT(by_title, with->groups), sizeof(*groups));

	for (struct number_group *group = with->groups; group; group = group->by_title.next)
		HASH_SRT(by_name, group->numbers, compare_numbered);
	name_values(with, false);
	name_values(with, true);
	out->constants = groups;
	for (const struct number_group *group = with->groups; group; group = group->by_title.next) {
		struct gen_constant *items = arena_array(with->arena, group->value_count, sizeof(*items));
		struct gen_constants *one = &groups[out->constants_count];

		*one = (struct gen_constants){ .title = group->title, .items = items,
					       .is_enum = group->is_enum };
		for (const struct number *first = group->numbers; first; first = first->by_name.next)
			for (const struct number *number = first; number; number = number->next)
				if (number->constant.name)
					items[one->count++] = number->constant;
		out->constants_count += one->count > 0;
	}
}

/* --- records --------------------------------------------------------------------------------- */

/*
 * Declares a record as the current version has it. Extends the record's last span of versions if its type is
 * the same, or adds a span.
 */
static int want_record(struct collecting *with, const char *record)
{
	struct proxytype_request request = { .abi = with->abi, .record = record };
	struct gen_span now = { .record = record, .first = with->abi->version, .last = with->abi->version,
				.first_index = with->version, .last_index = with->version };
	const struct definition *definition;
	struct wanted_record *wanted;
	struct gen_span *last;
	int rc;

	HASH_FIND(by_record, with->wanted, record, strlen(record), wanted);
	if (!wanted) {
		wanted = arena_alloc(with->arena, sizeof(*wanted));
		wanted->record = record;
		HASH_ADD_KEYPTR(by_record, with->wanted, record, strlen(record), wanted);
	}
	if (wanted->abi == with->abi)
		return 0;
	if (with->proxy) {
		if (wanted->type && wanted->type->is_new) {
			request.parent = wanted->type->type;
			request.parent_abi = wanted->abi;
		}
		if ((rc = proxytype_declare(&wanted->type, with->proxy, &request, with->err)))
			return rc;
		now.type = wanted->type->type->name;
		now.size_bytes = wanted->type->type->size_bytes;
	} else {
		if ((rc = definitions_declare(&definition, with->definitions, with->abi, record, with->err)))
			return rc;
		now.type = definition->name;
		now.size_bytes = definition->size_bytes;
	}
	last = wanted->abi ? &with->spans[wanted->span] : NULL;
	if (last && !strcmp(last->type, now.type) && last->last_index + 1 == with->version) {
		last->last = now.last;
		last->last_index = now.last_index;
	} else {
		wanted->span = with->span_count;
		with->spans = arena_room(with->arena, with->spans, with->span_count, sizeof(now));
		with->spans[with->span_count++] = now;
	}
	wanted->abi = with->abi;
	return 0;
}

/* --- globs ----------------------------------------------------------------------------------- */

/*
 * Does the glob select the type? An unnamed type is written with its parent, so only a glob with ":" selects
 * it.
 */
static bool is_asked_type(const char *glob, const char *name)
{
	return !fnmatch(glob, name, 0) && (!strstr(name, "::") || strchr(glob, ':'));
}

/*
 * Can a file declare @name, the type of an ioctl's parameters? A scalar of C itself, or a pointer ("unsigned
 * long", "char *"), has no declaration.
 */
static bool has_declaration(const struct abi *abi, const char *name)
{
	return abi_find_record(abi, name) ||
	       (abi_find_alias(abi, name) && words_is_identifier(name) && !words_is_c_type(name));
}

/* Adds all items of the current version that @glob matches. Sets @matched to true if there are any. */
static int match_glob(struct collecting *with, const char *glob, bool *matched)
{
	const struct abi *abi = with->abi;
	bool is_name = !glob[strcspn(glob, "*?[")];
	int rc = 0;

	for (size_t i = 0; i < abi->ioctl_count && !rc; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];

		/*
		 * A glob for the record also selects the ioctl, but not in package nvgpu, which already has
		 * the numbers of the ioctls that it forwards.
		 */
		if (fnmatch(glob, ioctl->name, 0) && !(ioctl->params && with->request->style == GEN_PLAIN &&
						       is_asked_type(glob, ioctl->params)))
			continue;
		*matched = true;
		if (!(rc = add_ioctl_number(with, ioctl)) && ioctl->params &&
		    has_declaration(abi, ioctl->params))
			rc = want_record(with, ioctl->params);
	}
	for (size_t i = 0; i < abi->record_count && !rc; i++)
		if (is_asked_type(glob, abi->records[i].name)) {
			*matched = true;
			rc = want_record(with, abi->records[i].name);
		}
	if (!rc && is_name && !abi_find_record(abi, glob) && abi_find_alias(abi, glob)) {
		*matched = true;
		rc = want_record(with, glob);
	}
	for (size_t i = 0; i < abi->constant_count && !rc; i++)
		if (!fnmatch(glob, abi->constants[i].name, 0)) {
			const struct abi_constant *one = &abi->constants[i];
			char buffer[ABI_NOTATION_BYTES];
			char *text = arena_strdup(with->arena, abi_constant_number(one, buffer));

			*matched = true;
			text[strcspn(text, " ")] = '\0'; /* "0xa097 (41111)" */
			rc = add_number(with, "Constants.", one->name, text, one->value);
		}
	for (size_t i = 0; i < abi->enum_count && !rc; i++)
		if (is_asked_type(glob, abi->enums[i].name)) {
			*matched = true;
			rc = add_enum(with, &abi->enums[i]);
		}
	return rc;
}

/* --- the file -------------------------------------------------------------------------------- */

static bool is_go_name(const char *name)
{
	return words_is_identifier(name) && !words_is_reserved(GEN_GO, name);
}

/*
 * Sets @out to @asked, or to the style's package, or to a name made from the driver's: linuxdrm for
 * "linux-drm". Return: 0; ERR_USAGE if @asked is not a valid package name.
 */
static int set_package(const char **out, const char *asked, enum gen_style style, const char *driver,
		       struct arena *arena, struct err *err)
{
	char *name = arena_strdup(arena, driver && *driver ? driver : "driver"), *to = name;

	if (asked && (!is_go_name(asked) || !strcmp(asked, "_")))
		return err_set(err, ERR_USAGE,
			       "'%s' is not a valid package name in Go; use lower-case letters and digits",
			       asked);
	for (const char *from = name; *from; from++)
		if (isalnum((unsigned char)*from))
			*to++ = (char)tolower((unsigned char)*from);
	*to = '\0';
	*out = asked ? asked : style == GEN_NVPROXY ? "nvgpu" : is_go_name(name) ? name : "driver";
	return 0;
}

/* Orders spans by record, oldest first, for the generated table of versions. */
static int compare_gen_spans(const void *a, const void *b)
{
	const struct gen_span *x = a, *y = b;

	return strcmp(x->record, y->record) ?: abi_version_compare(x->first, y->first);
}

/* Sets the content of the file. Versions and spans are set only for a range of versions. */
static void set_file(struct gen_file *out, struct collecting *with, const char *package)
{
	const struct gen_request *request = with->request;
	const struct abi *first = request->versions[0], *last = request->versions[request->version_count - 1];
	struct arena *arena = with->arena;
	const char *versions = last->version;

	*out = (struct gen_file){ .style = request->style, .package = package };
	if (request->version_count > 1)
		versions = arena_printf(arena, "%s..%s (%zu versions)", first->version, last->version,
					request->version_count);
	out->origin = arena_printf(arena, "%s %s, %s", last->driver, versions, last->target);
	set_constants(out, with);
	if (with->proxy)
		out->types = proxytype_new_types(&out->type_count, with->proxy);
	else
		out->definitions = definitions_all(&out->definition_count, with->definitions);
	if (!request->is_range)
		return;
	sort_items(with->spans, with->span_count, sizeof(*with->spans), compare_gen_spans);
	out->versions = request->versions;
	out->version_count = request->version_count;
	out->spans = with->spans;
	out->span_count = with->span_count;
}

int gen_collect(struct gen_file *out, const struct gen_request *request, struct proxytype_set *set,
		const char **lost, struct arena *arena, struct err *err)
{
	struct collecting with = { .request = request, .proxy = set, .arena = arena, .err = err };
	const char *package = NULL;
	int rc;

	*lost = NULL;
	with.matched = arena_array(arena, request->glob_count, sizeof(*with.matched));
	if ((rc = set_package(&package, request->package, request->style, request->versions[0]->driver, arena,
			      err)))
		return rc;
	if (!set)
		with.definitions = definitions_new(request->language, arena);
	for (; with.version < request->version_count && !rc; with.version++) {
		with.abi = request->versions[with.version];
		for (size_t i = 0; i < request->glob_count && !rc; i++)
			rc = match_glob(&with, request->globs[i], &with.matched[i]);
		if (rc)
			err_prefix(err, "%s", with.abi->version);
	}
	for (size_t i = 0; i < request->glob_count && !rc; i++)
		if (!with.matched[i]) {
			*lost = request->globs[i];
			rc = err_set(err, ERR_NOT_FOUND,
				     "no record, ioctl, enum or constant matches '%s'", *lost);
		}
	if (!rc)
		set_file(out, &with, package);
	HASH_CLEAR(by_record, with.wanted);
	for (struct number_group *group = with.groups; group; group = group->by_title.next)
		HASH_CLEAR(by_name, group->numbers);
	HASH_CLEAR(by_title, with.groups);
	HASH_CLEAR(by_name, with.used);
	definitions_free(with.definitions);
	return rc;
}

/* --- types of a proxy's table ---------------------------------------------------------------- */

static const struct table_field handle_fields[] = { { "Val", "uint32", 0 } };

static const struct table_type nvproxy_types[] = {
	{ .name = "Handle", .size_bytes = 4, .role = ABI_ROLE_HANDLE, .fields = handle_fields,
	  .field_count = 1 },
	{ .name = "NvUUID", .size_bytes = 16, .alias = "uint8[16]" },
	{ .name = "P64", .size_bytes = 8, .alias = "uint64", .role = ABI_ROLE_POINTER },
};

const struct table gen_nvproxy_types = {
	.path = "package nvgpu", .proxy = "gvisor nvproxy", .types = nvproxy_types,
	.type_count = sizeof(nvproxy_types) / sizeof(*nvproxy_types),
};

/* Is the base of a spelling, such as "T" of "T[4][2]", a valid name in Go? */
static bool is_type_name(const char *spelling, struct arena *arena)
{
	struct abi_spelling parsed;

	return !abi_spelling_parse(&parsed, spelling, NULL) && !parsed.flexible &&
	       is_go_name(arena_strndup(arena, parsed.base, parsed.base_length));
}

int gen_collect_types(struct gen_file *out, enum gen_style style, const char *package,
		      const struct table_type *types, size_t count, struct arena *arena, struct err *err)
{
	const struct proxytype **all = arena_array(arena, count, sizeof(*all));
	struct proxytype *each = arena_array(arena, count, sizeof(*each));
	int rc;

	for (size_t i = 0; i < count; i++) {
		const struct table_type *type = &types[i];

		if (!is_go_name(type->name) || (type->alias && !is_type_name(type->alias, arena)))
			return err_set(err, ERR_FORMAT,
				       "type \"%.200s\" of the table does not have a valid name in Go; "
				       "fix the table",
				       type->name);
		for (size_t f = 0; !type->alias && f < type->field_count; f++)
			if (!is_go_name(type->fields[f].name) || !is_type_name(type->fields[f].type, arena))
				return err_set(
					err, ERR_FORMAT,
					"field \"%.200s\" of type %s of the table cannot be declared in Go; "
					"fix the table",
					type->fields[f].name, type->name);
		each[i].type = type;
		all[i] = &each[i];
	}
	if ((rc = set_package(&package, package, GEN_NVPROXY, NULL, arena, err)))
		return rc;
	*out = (struct gen_file){ .style = style, .package = package, .origin = "Types of a proxy's table.",
				  .types = all, .type_count = count };
	return 0;
}
