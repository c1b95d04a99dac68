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
#include "gen/collect.h"
#include "gen/definition.h"
#include "gen/words.h"

#include "gen/cdecl.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

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
	const char *package;
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
