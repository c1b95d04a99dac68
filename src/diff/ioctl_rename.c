/*
 * diff/ioctl_rename.c - is an ioctl with the same number the same one, renamed?
 *
 * Drivers give the number of an ioctl that is gone to a new one, so the number
 * alone proves nothing. A wrong claim is worse than none: then one was removed
 * and another was added. It is a rename if
 *
 * 1. both have the same parameter record; or
 * 2. neither has parameters, and the names are close; or
 * 3. the parameters have the same bytes (size, and for each leaf the offset,
 *    kind, length and role), and
 *    a. all leaves have the names that they had, and they are at least
 *       LEAVES_THAT_PROVE or the names of the ioctls are close; or
 *    b. the names of the ioctls are close, and half of the leaves or more have
 *       the names that they had.
 *
 * Names are close if diff_alike() says so, or if at most one word went and one
 * came, and another word behind those that both begin with stayed:
 * UCODE_COVERAGE_GET_DATA is UCODE_INSTRUMENTATION_GET_DATA, but
 * PERF_CUDA_LIMIT_DISABLE is not PERF_PFM_REQ_HNDLR_DEPENDENCY_CHECK.
 */
#include "diff/ioctl_rename.h"

#include "diff/leaves.h"

#include <string.h>
#include <strings.h>

enum { LEAVES_THAT_PROVE = 4 };

/* Behind the words that both names begin with. */
static size_t shared_words_end(const char *a, const char *b)
{
	size_t end = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '_')
			end = i + 1;
	return end;
}

/* Is the word that @word begins with one of those that @name is made of? */
static bool has_word(const char *name, const char *word)
{
	size_t length = strcspn(word, "_");

	for (const char *at = name;; at++) {
		size_t here = strcspn(at, "_");

		if (here == length && !strncasecmp(at, word, length))
			return true;
		at += here;
		if (!*at)
			return false;
	}
}

/* How many words of @name are in @other, and how many are not. */
static void count_words(size_t *shared, size_t *lone, const char *name, const char *other)
{
	*shared = *lone = 0;
	for (const char *at = name;; at++) {
		++*(has_word(other, at) ? shared : lone);
		at += strcspn(at, "_");
		if (!*at)
			return;
	}
}

static bool are_close(const char *base, const char *next)
{
	size_t start = shared_words_end(base, next), shared, went, came;

	if (diff_alike(base, next))
		return true;
	count_words(&shared, &went, base + start, next + start);
	count_words(&shared, &came, next + start, base + start);
	return shared && went <= 1 && came <= 1;
}

/* Of parameters with the same bytes, how many leaves have one name. False if the bytes differ. */
static bool count_equal_names(size_t *equal, const struct abi_layout *base, const struct abi_layout *next)
{
	*equal = 0;
	if (base->size_bytes != next->size_bytes || base->is_union != next->is_union || base->leaf_count != next->leaf_count)
		return false;
	for (size_t i = 0; i < base->leaf_count; i++) {
		if (!abi_leaf_same(&base->leaf[i], &next->leaf[i]))
			return false;
		*equal += !strcmp(base->leaf[i].path, next->leaf[i].path);
	}
	return true;
}

static bool proves(const struct abi_layout *base, const struct abi_layout *next, bool close)
{
	size_t equal;

	if (!base->leaf_count || !count_equal_names(&equal, base, next))
		return false;
	if (equal == base->leaf_count && equal >= LEAVES_THAT_PROVE)
		return true;
	return close && equal * 2 >= base->leaf_count;
}

int diff_is_renamed_ioctl(bool *out, struct diff_pass *pass, const struct abi_ioctl *base, const struct abi_ioctl *next, struct err *err)
{
	const struct abi_record *was = base->params ? abi_find_record(pass->base.abi, base->params) : NULL;
	const struct abi_record *is = next->params ? abi_find_record(pass->next.abi, next->params) : NULL;
	const struct abi_layout *before, *after;
	int rc;

	*out = false;
	if (base->params && diff_same_params(pass, base->params, next->params)) {
		*out = true;
	} else if (!base->params && !next->params) {
		*out = are_close(base->name, next->name);
	} else if (was && is) {
		if ((rc = diff_side_layout(&before, &pass->base, was, err)) || (rc = diff_side_layout(&after, &pass->next, is, err)))
			return rc;
		*out = proves(before, after, are_close(base->name, next->name));
	}
	return 0;
}
