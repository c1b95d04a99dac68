/*
 * cli/choices.c - words of the command line: names and similar names, lists of classes and roles, ranges of
 * versions, constants
 */
#include "cli/cli.h"
#include "abi/abi.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_WORDS = 16 };

/*
 * Adds the names of @abi, of any kind, that resemble @word to @nearest. If @nearest is NULL, returns whether
 * a name matches the glob @word.
 */
static bool search_names(struct abi_nearest *nearest, const struct abi *abi, const char *word)
{
	static const enum abi_kind order[] = { ABI_RECORD, ABI_ENUM, ABI_ALIAS, ABI_IOCTL, ABI_CONSTANT };

	for (size_t k = 0; k < ABI_KIND_COUNT; k++) {
		const struct abi_items items = abi_items(abi, order[k]);

		for (size_t i = 0; i < items.count; i++) {
			const char *name = abi_item_name(order[k], items.first + i * items.size_bytes);

			if (nearest)
				abi_nearest_name(nearest, word, name);
			else if (!fnmatch(word, name, 0))
				return true;
		}
	}
	return false;
}

bool nearby_matches(const struct abi *abi, const char *glob)
{
	return search_names(NULL, abi, glob);
}

void nearby_names(struct abi_nearest *nearest, const struct abi *abi, const char *word)
{
	search_names(nearest, abi, word);
}

void nearby_records(struct abi_nearest *nearest, const struct abi *abi, const char *word)
{
	for (size_t i = 0; i < abi->record_count; i++)
		abi_nearest_name(nearest, word, abi->records[i].name);
}

bool nearby_number(const struct abi *abi, const char *word)
{
	unsigned long long number;
	char *end;

	if (!isxdigit((unsigned char)word[0]) || !isxdigit((unsigned char)word[1]))
		return false;
	errno = 0;
	number = strtoull(word, &end, 16);
	if (*end || errno)
		return false;
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (abi->ioctls[i].number == number)
			return true;
	return false;
}

bool nearby_are_releases(const char *a, const char *b)
{
	size_t letters = strcspn(a, "0123456789./");

	return !strncmp(a, b, letters) && strchr(a, '.') && strchr(b, '.') && a[letters] && b[letters] &&
	       !a[letters + strspn(a + letters, "0123456789.")] &&
	       !b[letters + strspn(b + letters, "0123456789.")];
}

void nearby_word(struct nearby_words *words, const char *word, struct arena *arena)
{
	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->item[i], word))
			return;
	if (words->count == words->capacity) {
		const char **item = arena_array(arena, words->capacity * 2 + 8, sizeof(*item));

		if (words->count)
			memcpy(item, words->item, words->count * sizeof(*item));
		words->item = item;
		words->capacity = words->capacity * 2 + 8;
	}
	words->item[words->count++] = word;
}

/* Sets the message, followed by @more, and releases @more. */
__attribute__((format(printf, 3, 0)))
static int fail_with(struct err *err, struct strbuf *more, const char *format, va_list args)
{
	char sentence[sizeof(err->text)];

	vsnprintf(sentence, sizeof(sentence), format, args);
	err_set(err, ERR_NOT_FOUND, "%s%s", sentence, strbuf_text(more));
	strbuf_release(more);
	return ERR_NOT_FOUND;
}

int nearby_fail(struct err *err, struct abi_nearest *nearest, const char *format, ...)
{
	struct strbuf hint = { 0 };
	va_list args;

	abi_nearest_list(&hint, nearest);
	va_start(args, format);
	fail_with(err, &hint, format, args);
	va_end(args);
	return ERR_NOT_FOUND;
}

int nearby_words_fail(struct err *err, const struct nearby_words *words, const char *word,
		      const char *format, ...)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf more = { 0 };
	va_list args;

	for (size_t i = 0; words->count > FEW_WORDS && i < words->count; i++)
		abi_nearest_name(&nearest, word, words->item[i]);
	abi_nearest_list(&more, &nearest);
	if (!nearest.count) {
		if (words->count)
			qsort(words->item, words->count, sizeof(*words->item), order_named);
		strbuf_adds(&more, !words->count       ? "; none are known"
				   : words->count == 1 ? "; the only one is "
						       : "; known: ");
		for (size_t i = 0; i < words->count; i++)
			strbuf_addf(&more, "%s%s", i ? ", " : "", words->item[i]);
	}
	va_start(args, format);
	fail_with(err, &more, format, args);
	va_end(args);
	return ERR_NOT_FOUND;
}

static const char *class_name(unsigned bit)
{
	return diff_class_name((enum diff_class)(1u << bit));
}

static const char *role_name(unsigned bit)
{
	return abi_role_name((enum abi_role)bit);
}

/* Returns the name of a class of change or of a section of the report. */
static const char *fail_name(unsigned bit)
{
	return bit < DIFF_CLASS_COUNT ? class_name(bit)
				      : diff_section_name((enum diff_section)(bit - DIFF_CLASS_COUNT));
}

static const char *work_name(unsigned bit)
{
	static const char *const names[] = { "node", "fault", "read", "handler", "unread" };

	return names[bit];
}

static const struct {
	const char *option, *what;
	const char *(*name_of)(unsigned bit);
	unsigned first, end; /* the range of bits */
} word_lists[] = {
	[WORDS_CLASS] = { "--class", "class of changes", class_name, 0, DIFF_CLASS_COUNT },
	[WORDS_FAIL] = { "--fail-on", "class of changes or group of the report", fail_name, 0,
			 DIFF_CLASS_COUNT + DIFF_SECTION_UNREAD + 1 },
	[WORDS_WORK] = { "--fail-on", "kind of work", work_name, 0, 5 },
	[WORDS_ROLE] = { "--role", "role of fields", role_name, ABI_ROLE_NONE + 1, ABI_ROLE_LAST + 1 },
};

/*
 * Adds the bit of @word, which has @length bytes, to @out. @code: the error if @list does not contain the
 * word.
 */
static int add_bit(unsigned *out, enum word_list list, const char *word, size_t length, int code,
		   struct err *err)
{
	struct strbuf all = { 0 };

	for (unsigned bit = word_lists[list].first; bit < word_lists[list].end; bit++) {
		const char *name = word_lists[list].name_of(bit);

		if (strlen(name) == length && !strncmp(name, word, length)) {
			*out |= 1u << bit;
			strbuf_release(&all);
			return 0;
		}
		strbuf_addf(&all, "%s%s", all.length ? ", " : "", name);
	}
	err_set(err, code, "'%.*s' is not a %s; use %s", (int)length, word, word_lists[list].what,
		all.text);
	strbuf_release(&all);
	return code;
}

int word_list_read(unsigned *out, enum word_list list, const char *text, struct err *err)
{
	unsigned bits = 0;
	int rc = 0;

	while (!rc && text && *text) {
		size_t length = strcspn(text, ",");

		rc = add_bit(&bits, list, text, length, ERR_USAGE, err);
		text += length;
		if (!rc && *text == ',' && !*++text) /* an empty word after a comma is an error */
			rc = add_bit(&bits, list, "", 0, ERR_USAGE, err);
	}
	if (rc)
		err_prefix(err, "%s", word_lists[list].option);
	else
		*out = bits;
	return rc;
}

int class_list_word(unsigned *out, const char *word, struct err *err)
{
	*out = strcmp(word, "*") ? 0 : ~0u;
	return *out ? 0 : add_bit(out, WORDS_CLASS, word, strlen(word), ERR_FORMAT, err);
}

/*
 * Lists the versions of the archive, or the tags of the repository if no archive can be used, sorted by
 * abi_version_compare().
 */
static int all_versions(struct profile_strings *out, const struct cli_args *args, struct err *err)
{
	struct store_request skipped = { .skipped = true };
	struct store_around around;
	const char **names;
	int rc;

	if ((rc = load_around(&around, &skipped, args, err)))
		return rc;
	names = arena_array(args->arena, around.graph.count, sizeof(*names));
	for (size_t i = 0; i < around.graph.count; i++)
		names[i] = around.graph.versions[i].name;
	*out = (struct profile_strings){ names, around.graph.count };
	return out->count ? 0 : load_tags(&out->item, &out->count, args, err);
}

/* Finds the version @word, or all versions that begin with @word. An empty @word means all versions. */
static int find_bound(struct abi_version_run *out, const char *word, const struct profile_strings *names,
		      struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };

	*out = *word ? abi_version_run(word, names->item, names->count)
		     : (struct abi_version_run){ 0, names->count };
	if (out->count)
		return 0;
	abi_nearest_typos(&nearest, word, names->item, names->count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, word, names->item, names->count);
	return nearby_fail(err, &nearest, "none of the %zu versions is or begins with '%s'", names->count,
			   word);
}

/* Marks the versions that @range, "A..B" or "A", contains. */
static int mark_versions(bool *wanted, const char *range, const struct profile_strings *names,
			 struct arena *arena, struct err *err)
{
	const char *dots = strstr(range, "..");
	struct abi_version_run from, to;
	size_t last;
	int rc;

	if (!*range || (dots && dots[2] == '.'))
		return usage_error(err, "--versions takes A..B or A,B, not '%s'", range);
	if ((rc = find_bound(&from, dots ? arena_strndup(arena, range, (size_t)(dots - range)) : range, names,
			     err)))
		return rc;
	to = from;
	if (dots && (rc = find_bound(&to, dots + 2, names, err)))
		return rc;
	last = to.first + to.count - 1;
	if (from.first > last)
		return usage_error(err,
			"--versions %s is an empty range: %s has a higher number than %s; give the lower one first",
			range, names->item[from.first], names->item[last]);
	for (size_t i = from.first; i <= last; i++)
		wanted[i] = true;
	return 0;
}

int version_range_find(struct version_range *out, const struct cli_args *args, struct err *err)
{
	struct profile_strings names = { 0 };
	bool *wanted;
	int rc;

	if ((rc = all_versions(&names, args, err)))
		return rc;
	if (!names.count)
		return err_set(err, ERR_NOT_FOUND,
			       "no version is known here; name a repository with --repo, or an archive");
	wanted = arena_array(args->arena, names.count, sizeof(*wanted));
	for (const char *at = args->versions; at; at = strchr(at, ',')) {
		at += *at == ',';
		if ((rc = mark_versions(wanted, arena_strndup(args->arena, at, strcspn(at, ",")), &names,
					args->arena, err)))
			return rc;
	}
	out->requests = arena_array(args->arena, names.count, sizeof(*out->requests));
	for (size_t i = 0; i < names.count; i++)
		if (wanted[i])
			out->requests[out->count++].version = names.item[i];
	return 0;
}

int version_range_load(struct version_range *out, const char *version, const struct cli_args *args,
		       struct err *err)
{
	int rc;

	if (args->versions && (rc = version_range_find(out, args, err)))
		return rc;
	if (!args->versions) {
		out->requests = arena_array(args->arena, 1, sizeof(*out->requests));
		out->requests[0].version = version;
		out->requests[0].json = args->json;
		out->count = 1;
	}
	return load_documents(out->requests, out->count, args, err);
}

int extra_constants_read(struct profile_strings *out, const struct cli_args *args, struct err *err)
{
	const char *list = args->constants;
	const char **globs = arena_array(args->arena, strlen(list) / 2 + 1, sizeof(*globs));
	size_t count = 0;

	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",");

		if (!length)
			return usage_error(err, "--constants: one of the names in '%s' is empty", list);
		globs[count++] = arena_strndup(args->arena, at, length);
		at += length;
		if (!*at)
			break;
	}
	*out = (struct profile_strings){ globs, count };
	return 0;
}
