/*
 * diff/ioctls.c - find the ioctls that are the same in two versions, and their changes
 *
 * Ioctls with the same name are the same ioctl, even if its number changed. If a name was removed, the ioctl
 * that now has its number is either the old ioctl with a new name, or a different ioctl that got the number.
 * Here, "number" means abi_ioctl_identity(), the part that the driver compares: if the driver compares only
 * type and nr, the size does not count. The ioctl was renamed if neither version has the other version's
 * name, no other ioctl has the number, and is_renamed() returns true. In all other cases, the old ioctl was
 * removed and a new one was added, and number_was of the new ioctl is the name of the old one.
 */
#include "diff/internal.h"

#include <fnmatch.h>

/* --- flags and rights ----------------------------------------------------------------------- */

/*
 * Most flags are about locks, caches and routes to firmware or to a host, and do not affect a caller. The
 * table has the flags that decide who may call, and names the code in NVIDIA's driver that refuses a call.
 *
 * A level is the privilege that a caller needs. An ioctl without a level is open to everybody: before
 * 530.30.02, the driver checked no privilege when a class was allocated (there was no
 * RS_FLAGS_ALLOC_*PRIVILEGED). Since then, many classes have the flag "non-privileged", which does not change
 * who may call. So the flag counts as DIFF_FLAG_OTHER if the other version has no level. A command that is
 * only in the table of deprecated commands has no level: the driver checks the level of the successor. So its
 * privileges also count as DIFF_FLAG_OTHER.
 *
 * cpu-plugin-for-* and gsp-plugin-for-* allow the plugin of a virtual GPU to call although its level would
 * not (control.h). The plugin is part of the host or of firmware. For every other process, and so for a
 * proxy, nothing changes, so these flags are DIFF_FLAG_OTHER. In 580.65.06, the only change of 149 commands
 * that nvproxy forwards was such a flag.
 */
#define NON_PRIVILEGED "non-privileged"

static const struct {
	const char *glob;
	enum diff_flag_kind kind;
} access_words[] = {
	/*
	 * rmControlValidateClientPrivilegeAccess() in control.c requires an administrator (privileged), a
	 * kernel client (kernel-privileged: a command that is not privileged, non-privileged or internal), or
	 * nothing. For classes, _serverAllocValidatePrivilege() in alloc_free.c does the same. For nvswitch's
	 * ioctls, "privileged" requires the fabric manager's capability.
	 */
	{ NON_PRIVILEGED, DIFF_FLAG_LEVEL },
	{ "privileged", DIFF_FLAG_LEVEL },
	{ "kernel-privileged", DIFF_FLAG_LEVEL },
	/* serverControl_ValidateCookie() returns NV_ERR_NOT_SUPPORTED unless the driver is the caller. */
	{ "internal", DIFF_FLAG_LEVEL },
	/*
	 * serverAllocResourceUnderLock() returns NV_ERR_INVALID_CLASS unless the driver itself allocates.
	 * Classes also have a level.
	 */
	{ "internal-only", DIFF_FLAG_CALLER },
	/* serverControl_ValidateCookie() requires privilege if access rights are disabled. */
	{ "privileged-if-rs-access-disabled", DIFF_FLAG_CALLER },
	/*
	 * serverControl_ValidateCookie() returns NV_ERR_TEST_ONLY_CODE_NOT_ENABLED to every caller, unless a
	 * registry key is set.
	 */
	{ "rm-test-only-code", DIFF_FLAG_CALLER },
	/*
	 * UVM handles these ioctls only if the driver was loaded with its built-in tests
	 * (uvm_enable_builtin_tests).
	 */
	{ "test", DIFF_FLAG_CALLER },
	/* An ioctl that no code handles fails for every caller. */
	{ ABI_FLAG_NOT_DISPATCHED, DIFF_FLAG_CALLER },
	/* The kernel's drm_ioctl_permit() checks these. "unlocked" is about locks. */
	{ "master", DIFF_FLAG_CALLER },
	{ "render-allow", DIFF_FLAG_CALLER },
	{ "auth", DIFF_FLAG_CALLER },
	{ "root-only", DIFF_FLAG_CALLER },
	/* For flags that a later driver may add. */
	{ "*privileged*", DIFF_FLAG_CALLER },
};

struct flag_lists {
	struct diff_flag *list;
	size_t count;
	bool is_unknown; /* one of the two ioctls is only deprecated, so its required privilege is unknown */
	bool base_is_open, next_is_open; /* the ioctl has no level in that version */
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

/* Adds a flag or right; as DIFF_FLAG_OTHER if the flag does not change who may call (see access_words). */
static void add_flag(struct flag_lists *lists, const char *word, enum diff_flag_kind kind, bool is_added)
{
	bool other_is_open = is_added ? lists->base_is_open : lists->next_is_open;

	if (lists->is_unknown || (other_is_open && !strcmp(word, NON_PRIVILEGED)))
		kind = kind == DIFF_FLAG_RIGHT ? kind : DIFF_FLAG_OTHER;
	lists->list[lists->count++] = (struct diff_flag){ word, kind, is_added };
}

/* Adds the flags that @ioctl has and @other does not have. */
static void add_flags(struct flag_lists *lists, const struct abi_ioctl *ioctl, const struct abi_ioctl *other,
		      bool is_added)
{
	for (size_t i = 0; i < ioctl->flag_count; i++)
		if (!abi_ioctl_has_flag(other, ioctl->flags[i]))
			add_flag(lists, ioctl->flags[i], kind_by_name(ioctl->flags[i]), is_added);
}

/* Is @right, with @length bytes, in the list @rights, "a,b"? @rights can be NULL. */
static bool has_right(const char *rights, const char *right, size_t length)
{
	for (const char *at = rights; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strcspn(at, ",") == length && !memcmp(at, right, length))
			return true;
	}
	return false;
}

/* Adds the rights that are in @rights and not in @other to the flags. Either list can be NULL. */
static void add_rights(struct flag_lists *lists, const char *rights, const char *other, bool is_added,
		       struct arena *arena)
{
	for (const char *at = rights; at; at = strchr(at, ',')) {
		size_t length = strcspn(at += *at == ',', ",");

		if (length && !has_right(other, at, length))
			add_flag(lists, arena_strndup(arena, at, length), DIFF_FLAG_RIGHT, is_added);
	}
}

/* Orders flags by kind, then added flags before removed flags, then by name. */
static int compare_flags(const void *a, const void *b)
{
	const struct diff_flag *x = a, *y = b;

	return compare_numbers(x->kind, y->kind) ?: y->is_added - x->is_added ?: strcmp(x->word, y->word);
}

/* Are the flags and rights equal, in the same order? For most ioctls, they are, so no list is made. */
static bool same_flags(const struct abi_ioctl *base, const struct abi_ioctl *next)
{
	if (base->flag_count != next->flag_count || !base->access != !next->access)
		return false;
	for (size_t i = 0; base->flags != next->flags && i < base->flag_count; i++)
		if (strcmp(base->flags[i], next->flags[i]))
			return false;
	return !base->access || !strcmp(base->access, next->access);
}

/*
 * Lists the flags and rights that only one of two ioctls has, sorted for a report, in @arena. Return:
 * DIFF_ACCESS if one of them decides who may call, DIFF_FLAGS if one does not, both, or 0 if there are none.
 */
static unsigned compare_flag_lists(const struct diff_flag **flags, size_t *count,
				   const struct abi_ioctl *base, const struct abi_ioctl *next,
				   struct arena *arena)
{
	const size_t most = base->flag_count + next->flag_count + /* a right has at least one character */
			    (base->access ? strlen(base->access) : 0) +
			    (next->access ? strlen(next->access) : 0);
	struct flag_lists lists;
	unsigned classes = 0;

	*flags = NULL;
	*count = 0;
	if (same_flags(base, next))
		return 0;
	lists = (struct flag_lists){
		.list = arena_array(arena, most + 1, sizeof(*lists.list)),
		.is_unknown = is_only_deprecated(base) || is_only_deprecated(next),
		.base_is_open = !states_level(base),
		.next_is_open = !states_level(next),
	};
	add_flags(&lists, base, next, false);
	add_flags(&lists, next, base, true);
	add_rights(&lists, base->access, next->access, false, arena);
	add_rights(&lists, next->access, base->access, true, arena);
	sort_items(lists.list, lists.count, sizeof(*lists.list), compare_flags);
	for (size_t i = 0; i < lists.count; i++)
		classes |= lists.list[i].kind == DIFF_FLAG_OTHER ? DIFF_FLAGS : DIFF_ACCESS;
	*flags = lists.list;
	*count = lists.count;
	return classes;
}

/* --- renamed or replaced? -------------------------------------------------------------------- */

enum { SCALARS_THAT_PROVE = 4 };

/*
 * Counts the words of @name, separated by '_', that @other does not have, ignoring case. Sets @shared to true
 * if @other has at least one of the words.
 */
static size_t count_lone_words(bool *shared, const char *name, const char *other)
{
	size_t lone = 0;

	for (bool is_last = false; !is_last; name++) {
		size_t length = strcspn(name, "_"), here = 0;
		bool found = false;

		for (const char *at = other; !found; at += here + 1) {
			here = strcspn(at, "_");
			found = here == length && !strncasecmp(at, name, length);
			if (!at[here])
				break;
		}
		lone += !found;
		*shared = *shared || found;
		name += length;
		is_last = !*name;
	}
	return lone;
}

/*
 * Can one name be the new name of an ioctl with the other name? Yes if diff_alike() is true, or if, after the
 * common words at the start, they share a word, and each has at most one word that the other does not have.
 */
static bool have_similar_names(const char *base, const char *next)
{
	size_t start = diff_shared_words(base, next);
	bool shared = false;

	return diff_alike(base, next) ||
	       (count_lone_words(&shared, base + start, next + start) <= 1 && shared &&
		count_lone_words(&shared, next + start, base + start) <= 1);
}

/*
 * Do the parameters prove a rename: the same bytes, and enough scalars with the same names? @close: the
 * ioctls have similar names
 */
static bool params_prove_rename(const struct abi_layout *base, const struct abi_layout *next, bool close)
{
	size_t equal = 0;

	if (!base->scalar_count || base->size_bytes != next->size_bytes || base->is_union != next->is_union ||
	    base->scalar_count != next->scalar_count)
		return false;
	for (size_t i = 0; i < base->scalar_count; i++) {
		if (!abi_scalar_same(&base->scalar[i], &next->scalar[i]))
			return false;
		equal += !strcmp(base->scalar[i].path, next->scalar[i].path);
	}
	return (equal == base->scalar_count && equal >= SCALARS_THAT_PROVE) ||
	       (close && equal * 2 >= base->scalar_count);
}

/*
 * Was @base renamed to @next? Both have the same family and number, each is the only such ioctl in its
 * version, and neither name is in the other version. Drivers give the number of a removed ioctl to a new one,
 * so the number alone proves nothing. A wrong rename is worse than a missed rename, which is reported as a
 * removal and an addition. The ioctl was renamed if
 *
 * 1. both have the same parameter record; or
 * 2. neither has parameters, and the names are similar; or
 * 3. the parameters have the same bytes (size, and for each scalar the offset, kind, length and role), and
 *    a. all scalars have the same names, and there are at least SCALARS_THAT_PROVE of them or the names of
 *    the ioctls are similar; or
 *    b. the names of the ioctls are similar, and at least half of the scalars have the same names.
 *
 * The names UCODE_COVERAGE_GET_DATA and UCODE_INSTRUMENTATION_GET_DATA are similar. PERF_CUDA_LIMIT_DISABLE
 * and PERF_PFM_REQ_HNDLR_DEPENDENCY_CHECK are not.
 *
 * Return: 0, with the answer in @out; an error of flatten_record().
 */
static int is_renamed(bool *out, struct diff_pass *pass, const struct abi_ioctl *base,
		      const struct abi_ioctl *next, struct err *err)
{
	const struct abi_record *was = base->params ? abi_find_record(pass->base.abi, base->params) : NULL;
	const struct abi_record *is = next->params ? abi_find_record(pass->next.abi, next->params) : NULL;
	const struct abi_layout *before, *after;
	int rc;

	*out = false;
	if (base->params && diff_same_params(pass, base->params, next->params)) {
		*out = true;
	} else if (!base->params && !next->params) {
		*out = have_similar_names(base->name, next->name);
	} else if (was && is) {
		if ((rc = diff_side_layout(&before, &pass->base, was, err)) ||
		    (rc = diff_side_layout(&after, &pass->next, is, err)))
			return rc;
		*out = params_prove_rename(before, after, have_similar_names(base->name, next->name));
	}
	return 0;
}

/* --- ioctls that are the same -------------------------------------------------------------- */

static void pair_up(struct diff_pass *pass, const struct abi_ioctl *base, const struct abi_ioctl *next)
{
	pass->base_numbers.partner[base - pass->base.abi->ioctls] = next;
	pass->next_numbers.partner[next - pass->next.abi->ioctls] = base;
}

/* Orders pointers to ioctls by name, family and number, for sort_items(). */
static int compare_by_name(const void *a, const void *b)
{
	const struct abi_ioctl *x = *(const struct abi_ioctl *const *)a,
			       *y = *(const struct abi_ioctl *const *)b;

	return strcmp(x->name, y->name) ?: strcmp(x->family, y->family)
		?: compare_numbers(x->number, y->number);
}

/* Lists the ioctls without a partner, sorted by name, family, number. Return: their number. */
static size_t list_single(const struct abi_ioctl ***out, const struct abi *abi,
			  const struct abi_ioctl *const *partner, struct arena *arena)
{
	const struct abi_ioctl **list = arena_array(arena, abi->ioctl_count + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (!partner[i])
			list[count++] = &abi->ioctls[i];
	sort_items(list, count, sizeof(*list), compare_by_name);
	*out = list;
	return count;
}

/*
 * Pairs ioctls with the same family and name, even if the number changed. If a version has a name several
 * times, ioctls with the same number are paired first, and then the remaining ones from the lowest number on.
 */
static void match_names(struct diff_pass *pass)
{
	const struct abi *was = pass->base.abi, *is = pass->next.abi;
	const struct abi_ioctl **base, **next;
	size_t base_count, next_count, i = 0, j = 0;

	/* Almost all ioctls keep family, number and name, by which both documents are sorted. */
	while (i < was->ioctl_count && j < is->ioctl_count) {
		const struct abi_ioctl *x = &was->ioctls[i], *y = &is->ioctls[j];
		int order = compare_texts(x->family, y->family) ?: compare_numbers(x->number, y->number)
			?: compare_texts(x->name, y->name);

		if (!order)
			pair_up(pass, x, y);
		i += order <= 0;
		j += order >= 0;
	}
	base_count = list_single(&base, was, pass->base_numbers.partner, pass->arena);
	next_count = list_single(&next, is, pass->next_numbers.partner, pass->arena);
	for (i = j = 0; i < base_count && j < next_count;) {
		int order = strcmp(base[i]->name, next[j]->name);

		if (!order)
			order = strcmp(base[i]->family, next[j]->family);
		if (!order)
			pair_up(pass, base[i], next[j]);
		i += order <= 0;
		j += order >= 0;
	}
}

static int compare_identities(const struct abi_ioctl *a, const char *family, uint64_t identity)
{
	return compare_texts(a->family, family) ?: compare_numbers(abi_ioctl_identity(a), identity);
}

/* Orders pointers to ioctls by family, identity and name, then as in the document, for sort_items(). */
static int compare_by_identity(const void *a, const void *b)
{
	const struct abi_ioctl *x = *(const struct abi_ioctl *const *)a,
			       *y = *(const struct abi_ioctl *const *)b;

	return compare_identities(x, y->family, abi_ioctl_identity(y)) ?: compare_texts(x->name, y->name)
		?: compare_numbers((uintptr_t)x, (uintptr_t)y);
}

/* Prepares the lists of one version, in @arena: by_identity is complete, the other lists have only NULLs. */
static void init_numbers(struct diff_numbers *out, const struct abi *abi, struct arena *arena)
{
	out->abi = abi;
	out->partner = arena_array(arena, abi->ioctl_count + 1, sizeof(const struct abi_ioctl *));
	out->by_identity = arena_array(arena, abi->ioctl_count + 1, sizeof(const struct abi_ioctl *));
	out->leaver = arena_array(arena, abi->ioctl_count + 1, sizeof(const struct abi_ioctl *));
	for (size_t i = 0; i < abi->ioctl_count; i++)
		out->by_identity[i] = &abi->ioctls[i];
	sort_items(out->by_identity, abi->ioctl_count, sizeof(*out->by_identity), compare_by_identity);
}

/*
 * Returns the index of the first ioctl with the family and identity of @ioctl and, unless @name is NULL, with
 * that name. With @after, returns the index after the last such ioctl.
 */
static size_t identity_bound(const struct diff_numbers *numbers, const struct abi_ioctl *ioctl,
			     const char *name, bool after)
{
	const uint64_t identity = abi_ioctl_identity(ioctl);
	size_t low = 0, high = numbers->abi->ioctl_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_identities(numbers->by_identity[middle], ioctl->family, identity);

		if (!order && name)
			order = compare_texts(numbers->by_identity[middle]->name, name);
		if (order < after)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Returns the number of ioctls with the family and abi_ioctl_identity() of @ioctl, and with @name if that is
 * not NULL. Sets @first to the index of the first one.
 */
static size_t with_identity(size_t *first, const struct diff_numbers *numbers, const struct abi_ioctl *ioctl,
			    const char *name)
{
	*first = identity_bound(numbers, ioctl, name, false);
	return identity_bound(numbers, ioctl, name, true) - *first;
}

int diff_match_ioctls(struct diff_pass *pass, struct err *err)
{
	const struct abi *base = pass->base.abi;
	int rc;

	init_numbers(&pass->base_numbers, base, pass->arena);
	init_numbers(&pass->next_numbers, pass->next.abi, pass->arena);
	match_names(pass);
	for (size_t i = 0; i < base->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &base->ioctls[i], *next;
		size_t first, rival;
		bool renamed;

		if (pass->base_numbers.partner[i] ||
		    with_identity(&first, &pass->next_numbers, ioctl, NULL) != 1 ||
		    with_identity(&rival, &pass->base_numbers, ioctl, NULL) != 1)
			continue;
		next = pass->next_numbers.by_identity[first];
		if (pass->next_numbers.partner[next - pass->next.abi->ioctls])
			continue;
		if ((rc = is_renamed(&renamed, pass, ioctl, next, err)))
			return rc;
		if (renamed)
			pair_up(pass, ioctl, next);
	}
	return 0;
}

/* --- the former owner of a number ------------------------------------------------------------- */

/* Sets `leaver` of one version. The walk is by identity, so that the ioctls of one identity are adjacent. */
static void list_leavers(struct diff_numbers *numbers)
{
	for (size_t i = 0, start = 0; i < numbers->abi->ioctl_count; i++) {
		const struct abi_ioctl *one = numbers->by_identity[i], *first = numbers->by_identity[start];
		const struct abi_ioctl *there = numbers->partner[one - numbers->abi->ioctls];

		if (compare_identities(one, first->family, abi_ioctl_identity(first)))
			start = i;
		if ((!there || abi_ioctl_identity(there) != abi_ioctl_identity(one)) &&
		    (!numbers->leaver[start] || one < numbers->leaver[start]))
			numbers->leaver[start] = one;
	}
}

/*
 * Finds the former or later owner of the number of @ioctl: the ioctl that has the number in @other, the other
 * version, but a different number or none in @own, the version of @ioctl. NULL if there is none, or if @ioctl
 * itself has this number in @other.
 */
static const struct abi_ioctl *other_owner(const struct diff_numbers *other, const struct diff_numbers *own,
					   const struct abi_ioctl *ioctl)
{
	const struct abi_ioctl *partner = own->partner[ioctl - own->abi->ioctls];
	size_t first, named;

	if (!with_identity(&first, other, ioctl, NULL) || with_identity(&named, other, ioctl, ioctl->name) ||
	    (partner && !compare_identities(partner, ioctl->family, abi_ioctl_identity(ioctl))))
		return NULL;
	return other->leaver[first];
}

/* --- changes of ioctls ------------------------------------------------------------------------ */

/* Returns the type whose size is in the number, or NULL. */
static const char *argument_of(const struct abi_ioctl *ioctl)
{
	return ioctl->argument ? ioctl->argument : ioctl->params;
}

static bool names_record(struct diff_side *side, const char *type)
{
	return type && diff_side_find(side, ABI_RECORD, type, strlen(type));
}

/*
 * Sets @classes to those of a change of the argument's type; 0 if it did not change. If a version does not
 * know the type, only the spellings are compared. A change inside a record is reported with the record, and a
 * different parameter record is DIFF_NUMBER, so two records with the same dimensions also give 0. Return: 0;
 * an error of flatten_record().
 */
static int argument_classes(unsigned *classes, struct diff_pass *pass, const struct abi_ioctl *base,
			    const struct abi_ioctl *next, struct err *err)
{
	const char *before = argument_of(base), *after = argument_of(next);
	struct abi_type was, is;
	const struct diff_typed a = { &pass->base, &was, before }, b = { &pass->next, &is, after };
	bool knew, knows;
	int rc;

	*classes = 0;
	if (names_record(&pass->base, before) && names_record(&pass->next, after))
		return 0;
	knew = before && !abi_resolve_type(&was, pass->base.abi, before, NULL);
	knows = after && !abi_resolve_type(&is, pass->next.abi, after, NULL);
	if (!knew || !knows) {
		*classes = (base->argument || next->argument) &&
					   compare_texts(before ? before : "", after ? after : "")
				   ? DIFF_LAYOUT
				   : 0;
		return 0;
	}
	if (was.record && is.record && abi_same_dimensions(&was, &is))
		return 0;
	if (diff_same_element(&was, &is) && abi_same_dimensions(&was, &is) &&
	    !compare_texts(before, after))
		return 0;
	if ((rc = diff_type_classes(classes, &a, &b, err)))
		return rc;
	if ((!was.record && was.scalar == ABI_POINTER) != (!is.record && is.scalar == ABI_POINTER))
		*classes |= DIFF_TRANSLATION;
	return 0;
}

/* Adds the change of an ioctl with its flags and the other owner of its number, unless it has no class. */
static void add_ioctl_change(struct diff_pass *pass, const struct abi_ioctl *base,
			     const struct abi_ioctl *next, unsigned classes)
{
	const struct diff_numbers *base_numbers = &pass->base_numbers, *next_numbers = &pass->next_numbers;
	struct diff_change seen = { .classes = classes }, *change;
	const struct abi_ioctl *owner, *now;

	if (base && next)
		seen.classes |= compare_flag_lists(&seen.flags, &seen.flag_count, base, next, pass->arena);
	if (!seen.classes)
		return;
	change = diff_add_change(pass, ABI_IOCTL, base, next);
	change->base_name = base && next && strcmp(base->name, next->name) ? base->name : NULL;
	change->family = next ? next->family : base->family;
	change->classes = seen.classes;
	change->flags = seen.flags;
	change->flag_count = seen.flag_count;
	owner = next ? other_owner(base_numbers, next_numbers, next)
		     : other_owner(next_numbers, base_numbers, base);
	if (!owner)
		return;
	change->number_was = owner->name;
	if (!next)
		return;
	now = base_numbers->partner[owner - base_numbers->abi->ioctls];
	change->number_was_is_gone = !now;
	change->number_was_now = now ? now->number : 0;
}

int diff_ioctls(struct diff_pass *pass, struct err *err)
{
	list_leavers(&pass->base_numbers);
	list_leavers(&pass->next_numbers);
	for (size_t i = 0; i < pass->base.abi->ioctl_count; i++) {
		const struct abi_ioctl *base = &pass->base.abi->ioctls[i],
				       *next = pass->base_numbers.partner[i];
		unsigned classes;
		int rc;

		if (!next) {
			add_ioctl_change(pass, base, NULL, DIFF_REMOVED);
			continue;
		}
		if ((rc = argument_classes(&classes, pass, base, next, err)))
			return rc;
		if (base->number != next->number || base->encoding != next->encoding ||
		    base->varies != next->varies || !diff_same_params(pass, base->params, next->params))
			classes |= DIFF_NUMBER;
		else if (base->params && compare_texts(base->params, next->params))
			classes |= DIFF_NAME;
		if (compare_texts(base->name, next->name))
			classes |= DIFF_NAME;
		add_ioctl_change(pass, base, next, classes);
	}
	for (size_t j = 0; j < pass->next.abi->ioctl_count; j++)
		if (!pass->next_numbers.partner[j])
			add_ioctl_change(pass, NULL, &pass->next.abi->ioctls[j], DIFF_ADDED);
	return 0;
}
