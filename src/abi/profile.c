#include "abi/profile.h"

#include "abi/order.h"
#include "abi/type.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const char *profile_hash(const char *text, size_t size, struct arena *arena)
{
	XXH128_hash_t hash = XXH3_128bits(text, size);

	return arena_printf(arena, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

void profile_want_constants(struct profile *profile, const struct profile_strings *globs, struct arena *arena)
{
	struct profile_constant *rules = arena_array(arena, profile->constant_count + 2 * globs->count, sizeof(*rules));
	struct strbuf text = { 0 };
	size_t count = profile->constant_count;

	if (count)
		memcpy(rules, profile->constants, count * sizeof(*rules));
	strbuf_adds(&text, profile->hash ? profile->hash : "");
	for (size_t i = 0; i < globs->count; i++) {
		rules[count++] = (struct profile_constant){ .name = globs->item[i], .is_extra = true };
		rules[count++] = (struct profile_constant){ .name = globs->item[i], .enumeration = "*", .is_extra = true };
		strbuf_addf(&text, "\n%s", globs->item[i]);
	}
	profile->constants = rules;
	profile->constant_count = count;
	if (profile->hash)
		profile->hash = profile_hash(text.text, text.length, arena);
	strbuf_release(&text);
}

/*
 * Most patterns hold no wildcard but '*', and they are tried on tens of
 * thousands of names: those are matched here, the others by fnmatch().
 */
static bool is_plain_glob(const char *glob)
{
	return !strpbrk(glob, "?[\\");
}

static char folded(char ch)
{
	return ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch;
}

/* '*' matches any text; on a mismatch the latest '*' matches one more character. */
static bool plain_glob_matches(const char *glob, const char *text, bool fold_case)
{
	const char *star = NULL, *resume = NULL;

	while (*text) {
		if (*glob == '*') {
			star = glob++;
			resume = text;
		} else if (*glob == *text || (fold_case && folded(*glob) == folded(*text))) {
			glob++;
			text++;
		} else if (star) {
			glob = star + 1;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}

static bool glob_matches(const char *glob, const char *text, bool fold_case)
{
	if (is_plain_glob(glob))
		return plain_glob_matches(glob, text, fold_case);
	return !fnmatch(glob, text, fold_case ? FNM_CASEFOLD : 0);
}

bool profile_matches(const struct profile_strings *globs, const char *text)
{
	for (size_t i = 0; i < globs->count; i++)
		if (glob_matches(globs->item[i], text, false))
			return true;
	return false;
}

/* @type without the dimensions behind it. Return: @type itself, or a copy in @copy, which the caller frees. */
static const char *without_dimensions(const char *type, char **copy)
{
	struct abi_spelling spelling;

	if (!strchr(type, '[') || abi_spelling_parse(&spelling, type, NULL) || !spelling.dimension_count)
		return type;
	*copy = xmalloc(spelling.base_length + 1);
	memcpy(*copy, spelling.base, spelling.base_length);
	(*copy)[spelling.base_length] = '\0';
	return *copy;
}

static bool is_qualifier(const char *word, size_t length)
{
	static const char *const words[] = { "const", "volatile", "restrict", "__restrict", "_Atomic" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (length == strlen(words[i]) && !memcmp(word, words[i], length))
			return true;
	return false;
}

/* "void *const" is "void *", "const NvU32" is "NvU32", "_Atomic(int *)" is "int *", "void (*const)(int)" is "void (*)(int)". The caller frees it. */
static char *without_qualifiers(const char *type)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	const char *atomic = "_Atomic(";
	size_t length = strlen(type), count = 0;
	char *out = xmalloc(length + 1);

	if (!strncmp(type, atomic, strlen(atomic)) && type[length - 1] == ')') {
		type += strlen(atomic);
		length -= strlen(atomic) + 1;
	}
	for (const char *end = type + length; type < end;) {
		size_t word = strspn(type, letters);

		if (!word) {
			out[count++] = *type++;
		} else if (is_qualifier(type, word)) {
			type += word + (type[word] == ' ');
		} else {
			memcpy(out + count, type, word);
			count += word;
			type += word;
		}
	}
	while (count && out[count - 1] == ' ')
		count--;
	out[count] = '\0';
	return out;
}

enum abi_role profile_role_of(const struct profile *profile, const char *record, const char *name, const char *type)
{
	enum abi_role role = ABI_ROLE_NONE;
	char *copy = NULL;
	const char *base = without_dimensions(type, &copy);
	char *bare = without_qualifiers(base);

	for (size_t i = 0; i < profile->role_count; i++) {
		const struct profile_role *rule = &profile->roles[i];

		if ((rule->type && !glob_matches(rule->type, base, false) && !glob_matches(rule->type, bare, false)) ||
		    (rule->name && !glob_matches(rule->name, name, true)) ||
		    (rule->record && !glob_matches(rule->record, record, false)))
			continue;
		role = rule->role;
		break;
	}
	free(bare);
	free(copy);
	return role;
}

/* A growing list of paths; its array is malloced, its strings are not its own. */
struct root_list {
	const char **item;
	size_t count;
	size_t capacity;
};

/* Length of the prefix of @glob that names a directory or file without a wildcard. */
static size_t literal_length(const char *glob)
{
	size_t length = strcspn(glob, "*?[\\");

	if (!glob[length])
		return length;
	while (length && glob[length - 1] != '/')
		length--;
	return length;
}

static bool leaves_tree(const char *path)
{
	size_t length;

	if (*path == '/')
		return true;
	for (; *path; path += length + (path[length] == '/')) {
		length = strcspn(path, "/");
		if (length == 2 && !memcmp(path, "..", 2))
			return true;
	}
	return false;
}

static int root_add(struct root_list *list, const char *pattern, struct arena *arena, struct err *err)
{
	size_t length = literal_length(pattern);
	const char *path;

	while (length && pattern[length - 1] == '/')
		length--;
	path = length == 1 && pattern[0] == '.' ? "" : arena_strndup(arena, pattern, length);
	if (leaves_tree(pattern))
		return err_set(err, ERR_FORMAT, "the path \"%.200s\" leaves the driver tree; paths are relative to its root",
			       pattern);
	ARRAY_GROW(list->item, list->count, list->capacity);
	list->item[list->count++] = path;
	return 0;
}

static int roots_add(struct root_list *list, const struct profile_strings *patterns, struct arena *arena, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < patterns->count; i++)
		rc = root_add(list, patterns->item[i], arena, err);
	return rc;
}

/* A header's own directory is searched for what it includes in quotes. */
static int roots_add_beside(struct root_list *list, const struct profile_strings *patterns, struct arena *arena, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < patterns->count && !rc; i++) {
		const char *slash = strrchr(patterns->item[i], '/');
		const char *beside = slash ? arena_strndup(arena, patterns->item[i], (size_t)(slash - patterns->item[i])) : ".";
		struct profile_strings one = { &beside, 1 };

		rc = roots_add(list, &one, arena, err);
	}
	return rc;
}

static int profile_roots_collect(struct root_list *list, const struct profile *profile, struct arena *arena, struct err *err)
{
	int rc;

	for (size_t i = 0; i < profile->unit_count; i++) {
		const struct profile_unit *unit = &profile->units[i];

		if ((rc = roots_add(list, &unit->headers, arena, err)) ||
		    (rc = roots_add(list, &unit->optional_headers, arena, err)) ||
		    (rc = roots_add_beside(list, &unit->headers, arena, err)) ||
		    (rc = roots_add_beside(list, &unit->optional_headers, arena, err)) ||
		    (rc = roots_add(list, &unit->include, arena, err))) {
			err_prefix(err, "profile %s, unit %s", profile->name, unit->name);
			return rc;
		}
	}
	for (size_t i = 0; i < profile->family_count; i++) {
		const struct profile_family *family = &profile->families[i];

		if ((rc = roots_add(list, &family->files, arena, err)) ||
		    (rc = roots_add(list, &family->routes.files, arena, err)) ||
		    (rc = roots_add(list, &family->embedded, arena, err)) ||
		    (rc = roots_add(list, &family->dispatch.files, arena, err)) ||
		    (rc = roots_add(list, &family->deprecated.files, arena, err)) ||
		    (rc = roots_add(list, &family->flag_words.files, arena, err)) ||
		    (rc = roots_add(list, &family->access_words.files, arena, err))) {
			err_prefix(err, "profile %s, family %s", profile->name, family->name);
			return rc;
		}
	}
	return 0;
}

int profile_roots(struct profile_strings *out, const struct profile *profile, struct arena *arena, struct err *err)
{
	struct root_list list = { 0 };
	size_t unique = 0;
	int rc;

	if ((rc = profile_roots_collect(&list, profile, arena, err)))
		goto out;
	if (list.count)
		qsort(list.item, list.count, sizeof(*list.item), abi_order_string);
	for (size_t i = 0; i < list.count; i++)
		if (!unique || strcmp(list.item[unique - 1], list.item[i]))
			list.item[unique++] = list.item[i];
	out->item = unique ? arena_memdup(arena, list.item, unique * sizeof(*list.item)) : NULL;
	out->count = unique;
out:
	free(list.item);
	return rc;
}
