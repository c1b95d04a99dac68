/*
 * diff/ioctl_flags.c - which flags and rights of an ioctl came or went, and whether they decide who may call it
 *
 * Most flags are about locks, caches and routes to firmware or to a host: to a
 * caller nothing changes with them. What decides about the caller is in the
 * table below, with the code of NVIDIA's driver that refuses a call.
 *
 * A level is the privilege that a caller needs. An ioctl of which none is
 * stated is open to everybody, as far as the table says: no privilege was
 * checked when a class was allocated before 530.30.02 (there was no
 * RS_FLAGS_ALLOC_*PRIVILEGED), and the "non-privileged" that many classes have
 * had since then changes nothing for anybody. So "non-privileged" is one of the
 * other flags if the other version states no level. A command that is only
 * deprecated has the level of its successor (docs/formats.md), and states none:
 * then all its privileges are other flags.
 *
 * cpu-plugin-for-* and gsp-plugin-for-* let the plugin of a virtual GPU in although its level would not (control.h). That plugin runs
 * in the host's or in firmware's own code; for every other process, and so for a proxy, nothing changes. They are other flags: at
 * 580.65.06, 149 commands that nvproxy forwards got one, and nothing else.
 */
#include "diff/ioctl_flags.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define NON_PRIVILEGED "non-privileged"

static const struct {
	const char *glob;
	enum diff_flag_kind kind;
} access_words[] = {
	/*
	 * rmControlValidateClientPrivilegeAccess() in control.c asks for an administrator (privileged), a kernel client
	 * (kernel-privileged: none of the other three) or nothing; _serverAllocValidatePrivilege() in alloc_free.c does
	 * it for classes. Of nvswitch's ioctls, "privileged" asks for the fabric manager's capability.
	 */
	{ NON_PRIVILEGED, DIFF_FLAG_LEVEL },
	{ "privileged", DIFF_FLAG_LEVEL },
	{ "kernel-privileged", DIFF_FLAG_LEVEL },
	/* serverControl_ValidateCookie(): NV_ERR_NOT_SUPPORTED unless the driver itself calls. */
	{ "internal", DIFF_FLAG_LEVEL },
	/* serverAllocResourceUnderLock(): NV_ERR_INVALID_CLASS unless the driver itself allocates. Classes have a level besides. */
	{ "internal-only", DIFF_FLAG_CALLER },
	/* serverControl_ValidateCookie(): privileged, where access rights are switched off. */
	{ "privileged-if-rs-access-disabled", DIFF_FLAG_CALLER },
	/* serverControl_ValidateCookie(): NV_ERR_TEST_ONLY_CODE_NOT_ENABLED for all, unless a registry key is set. */
	{ "rm-test-only-code", DIFF_FLAG_CALLER },
	/* UVM: only if the driver was loaded with its built-in tests (uvm_enable_builtin_tests). */
	{ "test", DIFF_FLAG_CALLER },
	/* What no code answers is refused to all. */
	{ ABI_FLAG_NOT_DISPATCHED, DIFF_FLAG_CALLER },
	/* The kernel's drm_ioctl_permit(). "unlocked" is about locks. */
	{ "master", DIFF_FLAG_CALLER },
	{ "render-allow", DIFF_FLAG_CALLER },
	{ "auth", DIFF_FLAG_CALLER },
	{ "root-only", DIFF_FLAG_CALLER },
	/* A word that a later driver may bring. */
	{ "*privileged*", DIFF_FLAG_CALLER },
};

struct flag_lists {
	struct diff_flag *list;
	size_t count;
	bool is_unknown;    /* one of the two is only deprecated: what it asks for is not stated */
	bool base_is_open, next_is_open; /* no level is stated */
};

static enum diff_flag_kind kind_by_name(const char *word)
{
	for (size_t i = 0; i < sizeof(access_words) / sizeof(access_words[0]); i++)
		if (!fnmatch(access_words[i].glob, word, 0))
			return access_words[i].kind;
	return DIFF_FLAG_OTHER;
}

static bool states_level(const struct abi_ioctl *ioctl)
{
	for (size_t i = 0; i < ioctl->flag_count; i++)
		if (kind_by_name(ioctl->flags[i]) == DIFF_FLAG_LEVEL)
			return true;
	return false;
}

static bool is_only_deprecated(const struct abi_ioctl *ioctl)
{
	return abi_ioctl_has_flag(ioctl, ABI_FLAG_DEPRECATED) && !states_level(ioctl);
}

static void add_flag(struct flag_lists *lists, const char *word, enum diff_flag_kind kind, bool came)
{
	bool other_is_open = came ? lists->base_is_open : lists->next_is_open;

	if (lists->is_unknown || (other_is_open && !strcmp(word, NON_PRIVILEGED)))
		kind = kind == DIFF_FLAG_RIGHT ? kind : DIFF_FLAG_OTHER;
	lists->list[lists->count++] = (struct diff_flag){ word, kind, came };
}

/* Both lists of words are sorted. */
static void compare_words(struct flag_lists *lists, const struct abi_ioctl *base, const struct abi_ioctl *next)
{
	size_t i = 0, j = 0;

	while (i < base->flag_count || j < next->flag_count) {
		int order = i == base->flag_count ? 1 : j == next->flag_count ? -1 : strcmp(base->flags[i], next->flags[j]);

		if (order < 0)
			add_flag(lists, base->flags[i], kind_by_name(base->flags[i]), false);
		if (order > 0)
			add_flag(lists, next->flags[j], kind_by_name(next->flags[j]), true);
		i += order <= 0;
		j += order >= 0;
	}
}

/* Is @length bytes of @right one of "a,b"? @rights may be NULL. */
static bool has_right(const char *rights, const char *right, size_t length)
{
	for (const char *at = rights; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strcspn(at, ",") == length && !memcmp(at, right, length))
			return true;
	}
	return false;
}

/* The rights that @rights has and @other has not. */
static void add_rights(struct flag_lists *lists, const char *rights, const char *other, bool came, struct arena *arena)
{
	for (const char *at = rights; at; at = strchr(at, ',')) {
		size_t length = strcspn(at += *at == ',', ",");

		if (length && !has_right(other, at, length))
			add_flag(lists, arena_strndup(arena, at, length), DIFF_FLAG_RIGHT, came);
	}
}

static size_t right_count(const char *rights)
{
	size_t count = rights && *rights;

	for (const char *at = rights; at && *at; at++)
		count += *at == ',';
	return count;
}

/* By kind; what came before what went; by name. */
static int compare_flags(const void *a, const void *b)
{
	const struct diff_flag *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->came != y->came)
		return x->came ? -1 : 1;
	return strcmp(x->word, y->word);
}

/* Most ioctls never change theirs. */
static bool same_flags(const struct abi_ioctl *base, const struct abi_ioctl *next)
{
	if (base->flag_count != next->flag_count || !base->access != !next->access)
		return false;
	for (size_t i = 0; base->flags != next->flags && i < base->flag_count; i++)
		if (strcmp(base->flags[i], next->flags[i]))
			return false;
	return !base->access || !strcmp(base->access, next->access);
}

unsigned diff_compare_flags(const struct diff_flag **flags, size_t *count, const struct abi_ioctl *base,
			    const struct abi_ioctl *next, struct arena *arena)
{
	size_t most = base->flag_count + next->flag_count + right_count(base->access) + right_count(next->access);
	struct flag_lists lists = {
		.is_unknown = is_only_deprecated(base) || is_only_deprecated(next),
		.base_is_open = !states_level(base),
		.next_is_open = !states_level(next),
	};
	unsigned classes = 0;

	*flags = NULL;
	*count = 0;
	if (same_flags(base, next))
		return 0;
	lists.list = arena_array(arena, most + 1, sizeof(*lists.list));
	compare_words(&lists, base, next);
	add_rights(&lists, base->access, next->access, false, arena);
	add_rights(&lists, next->access, base->access, true, arena);
	if (lists.count > 1)
		qsort(lists.list, lists.count, sizeof(*lists.list), compare_flags);
	for (size_t i = 0; i < lists.count; i++)
		classes |= lists.list[i].kind == DIFF_FLAG_OTHER ? DIFF_FLAGS : DIFF_ACCESS;
	*flags = lists.list;
	*count = lists.count;
	return classes;
}
