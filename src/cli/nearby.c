#include "cli/nearby.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_WORDS = 16 };

/* Calls @visit with every name of @abi until it returns true. Return: did it? */
static bool each_name(const struct abi *abi, bool (*visit)(void *data, const char *name), void *data)
{
	for (size_t i = 0; i < abi->record_count; i++)
		if (visit(data, abi->records[i].name))
			return true;
	for (size_t i = 0; i < abi->enum_count; i++)
		if (visit(data, abi->enums[i].name))
			return true;
	for (size_t i = 0; i < abi->alias_count; i++)
		if (visit(data, abi->aliases[i].name))
			return true;
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (visit(data, abi->ioctls[i].name))
			return true;
	for (size_t i = 0; i < abi->constant_count; i++)
		if (visit(data, abi->constants[i].name))
			return true;
	return false;
}

static bool is_match(void *glob, const char *name)
{
	return !fnmatch(glob, name, 0);
}

bool nearby_matches(const struct abi *abi, const char *glob)
{
	return each_name(abi, is_match, (void *)(uintptr_t)glob);
}

/* What add_name() needs. */
struct likeness {
	struct abi_nearest *nearest;
	const char *word;
};

static bool add_name(void *data, const char *name)
{
	const struct likeness *likeness = data;

	abi_nearest_name(likeness->nearest, likeness->word, name);
	return false;
}

void nearby_names(struct abi_nearest *nearest, const struct abi *abi, const char *word)
{
	struct likeness likeness = { nearest, word };

	each_name(abi, add_name, &likeness);
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
	if (*end || errno || !strncmp(word, "0x", 2))
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
	       !a[letters + strspn(a + letters, "0123456789.")] && !b[letters + strspn(b + letters, "0123456789.")];
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

static int order_words(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void nearby_list(struct strbuf *out, const struct nearby_words *words, const char *word)
{
	struct abi_nearest nearest = { .count = 0 };

	if (words->count > FEW_WORDS)
		for (size_t i = 0; i < words->count; i++)
			abi_nearest_name(&nearest, word, words->item[i]);
	if (nearest.count) {
		abi_nearest_list(out, &nearest);
		return;
	}
	if (words->count)
		qsort(words->item, words->count, sizeof(*words->item), order_words);
	else
		strbuf_adds(out, "; there are none");
	for (size_t i = 0; i < words->count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : words->count == 1 ? "; there is only " : "; there are ", words->item[i]);
}
