/*
 * bootstrap/caps.c - find the capabilities under which a proxy exposes an ioctl
 *
 * The driver does not define capabilities. Capabilities that the user gave (--caps), or that recorded
 * workloads had (--trace), are written into the table. Otherwise the entry gets a TODO, which names likely
 * capabilities. They come from the first of these rules that applies:
 *
 * 1. the capabilities of the entry that the ioctl supersedes: the same name without "_V2" at the end;
 * 2. the capability that belongs to a word in the name (opt_in_words);
 * 3. the capabilities of the entries that share a word of its name, if at least two entries have the word,
 *    80% of them have the same capabilities, and most entries of the table have different ones;
 * 4. the capabilities of its neighbours, if all of them have the same. Neighbours are commands of the same
 *    class and category (the number without its last byte), classes of the same kind (last byte), or in any
 *    other family, all ioctls of the family. Of the entries that gVisor's maintainers added since 2024, 26
 *    had neighbours that all agreed, and the neighbours were right for 21 of them. For the 30 entries whose
 *    neighbours did not agree, the majority was right for only 7.
 *
 * No capability is likely for an ioctl that is privileged, internal, for tests, or in no table of the driver.
 */
#include "bootstrap/internal.h"

int bootstrap_use_order(const void *a, const void *b)
{
	const struct bootstrap_use *x = a, *y = b;

	return strcmp(x->family, y->family) ?: strcmp(x->name, y->name)
		?: compare_numbers(x->number, y->number) ?: strcmp(x->cap, y->cap)
		?: strcmp(x->trace, y->trace);
}

/* Checks whether a use is of the ioctl. Compares the name, and the number only if the name is empty. */
static bool is_of(const struct bootstrap_use *use, const char *family, const char *name, uint64_t number)
{
	return !strcmp(use->family, family) && !strcmp(use->name, name) && (*name || use->number == number);
}

/* Finds the first use of an ioctl; returns observed->count if there is none. */
static size_t find_use(const struct bootstrap_observed *observed, const char *family, const char *name,
		       uint64_t number)
{
	size_t first = 0;

	while (first < observed->count && !is_of(&observed->uses[first], family, name, number))
		first++;
	return first;
}

/*
 * Sets the capabilities of the workloads that used the ioctl, without duplicates, and the evidence, "observed
 * in a.trace (called by libcuda.so.1 cuInit), b.trace", which names each trace once. Sets nothing if no
 * workload used the ioctl. The name is compared first, because a number can change between driver versions.
 * The number is compared only if no use has the name.
 */
static void put_observed(struct bootstrap_candidate *one, const struct bootstrap_observed *observed,
			 struct arena *arena)
{
	struct bootstrap_caps *out = &one->caps;
	const char *family = one->family, *name = one->name, **found;
	size_t first = find_use(observed, family, name, one->number), end;

	if (first == observed->count)
		first = find_use(observed, family, name = "", one->number);
	for (end = first; end < observed->count && is_of(&observed->uses[end], family, name, one->number);)
		end++;
	if (first == end)
		return;
	found = arena_array(arena, end - first, sizeof(*found));
	for (size_t i = first; i < end; i++)
		if (!out->count || strcmp(found[out->count - 1], observed->uses[i].cap) != 0)
			found[out->count++] = observed->uses[i].cap;
	out->caps = found;
	out->evidence = "observed in ";
	for (size_t i = first; i < end; i++) {
		const struct bootstrap_use *use = &observed->uses[i];
		size_t same = first;

		while (strcmp(observed->uses[same].trace, use->trace))
			same++;
		if (same == i)
			out->evidence = arena_printf(arena, use->callers ? "%s%s%s (called by %s)" : "%s%s%s",
						     out->evidence, i > first ? ", " : "", use->trace,
						     use->callers);
	}
}

/* --- likely capabilities: words and entries that show them ------------------------------ */

enum {
	WORD_ENTRIES = 2, /* number of entries that must have a word */
	WORD_PERCENT = 80,
};

/* Words that belong to capabilities that a user has to request. */
static const struct {
	const char *word, *cap;
} opt_in_words[] = {
	{ "FABRIC", "fabric-imex-mgmt" },
	{ "IMEX", "fabric-imex-mgmt" },
	{ "DMABUF", "rdma" },
	{ "RDMA", "rdma" },
};

struct guess {
	const struct table_view *view;
	struct bootstrap_candidate *one;
	const struct table_entry *usual; /* an entry with the most frequent capabilities of the view */
	struct arena *arena;
};

static bool is_self(const struct guess *guess, const struct table_entry *entry)
{
	return !strcmp(entry->family, guess->one->family) && !strcmp(entry->name, guess->one->name);
}

static bool same_caps(const struct table_entry *a, const struct table_entry *b)
{
	return caps_same(a->caps, a->cap_count, b->caps, b->cap_count);
}

/* --- words -------------------------------------------------------------------------- */

/* Reads the next word of a name, such as "GR" of "NV2080_CTRL_CMD_GR_GET_INFO". Return: false at the end. */
static bool cut_word(struct view *word, const char **name)
{
	*name += strspn(*name, "_");
	*word = (struct view){ *name, strcspn(*name, "_") };
	*name += word->length;
	return word->length;
}

static bool has_name_word(const char *name, struct view word)
{
	struct view one;

	while (cut_word(&one, &name))
		if (view_equal(one, word))
			return true;
	return false;
}

/* Checks whether the word can describe an ioctl. A letter, a number, or a class ("NV2080") cannot. */
static bool is_telling(struct view word)
{
	size_t digits = 0;

	for (size_t i = 0; i < word.length; i++)
		digits += isxdigit((unsigned char)word.at[i]) != 0;
	return word.length > 1 && digits < word.length &&
	       !(word.length == 6 && !memcmp(word.at, "NV", 2) && digits >= 4);
}

/* --- counting ----------------------------------------------------------------------------- */

/* Entries with the same capabilities. */
struct alike {
	const struct table_entry *first;
	size_t count;
};

/*
 * Checks whether the entry has the same category (for commands), kind (for classes) or family as the ioctl.
 */
static bool is_neighbour(const struct guess *guess, const struct table_entry *entry)
{
	const struct bootstrap_candidate *one = guess->one;
	bool is_class = !strcmp(one->family, "alloc");

	if (strcmp(entry->family, one->family))
		return false;
	if (!strcmp(one->family, "control"))
		return entry->number >> 8 == one->number >> 8;
	if (is_class && one->number >= 0x8000)
		return entry->number >= 0x8000 && (entry->number & 0xff) == (one->number & 0xff);
	return !is_class || entry->number < 0x8000;
}

enum counted { ALL, WITH_WORD, NEIGHBOURS };

/*
 * Finds the largest set of entries with equal capabilities among the entries that @which selects. @total:
 * set to the number of selected entries. Return: an entry of the set, and its size; NULL and 0 if none.
 */
static struct alike count_alike(size_t *total, const struct guess *guess, enum counted which,
				struct view word)
{
	struct alike *all = xmalloc((guess->view->entry_count + 1) * sizeof(*all)), best = { .count = 0 };
	size_t count = 0;

	*total = 0;
	for (size_t i = 0; i < guess->view->entry_count; i++) {
		const struct table_entry *entry = guess->view->entries[i];
		size_t same = 0;

		if (is_self(guess, entry) || (which == WITH_WORD && !has_name_word(entry->name, word)) ||
		    (which == NEIGHBOURS && !is_neighbour(guess, entry)))
			continue;
		++*total;
		while (same < count && !same_caps(all[same].first, entry))
			same++;
		if (same == count)
			all[count++] = (struct alike){ entry, 0 };
		all[same].count++;
	}
	for (size_t i = 0; i < count; i++)
		if (all[i].count > best.count)
			best = all[i];
	free(all);
	return best;
}

/* --- likely capabilities ------------------------------------------------------------------- */

static void set_likely(struct guess *guess, const struct table_entry *like, const char *evidence)
{
	guess->one->caps.likely = like->caps;
	guess->one->caps.likely_count = like->cap_count;
	guess->one->caps.evidence = evidence;
}

/*
 * Guesses the capabilities of the entry whose name differs only in a suffix such as "_V2", and sets
 * `supersedes`. Return: false if there is no such entry.
 */
static bool guess_by_superseded(struct guess *guess)
{
	const char *name = guess->one->name;
	size_t length = naming_stem(name);

	for (size_t i = 0; i < guess->view->entry_count; i++) {
		const struct table_entry *entry = guess->view->entries[i];

		if (is_self(guess, entry) || strcmp(entry->family, guess->one->family) ||
		    naming_stem(entry->name) != length || memcmp(entry->name, name, length))
			continue;
		set_likely(guess, entry,
			   arena_printf(guess->arena, "like %s, which it supersedes", entry->name));
		guess->one->supersedes = entry->name;
		return true;
	}
	return false;
}

/* Guesses the capability of a word of opt_in_words. Return: false if the name has no such word. */
static bool guess_by_opt_in_word(struct guess *guess)
{
	struct bootstrap_caps *caps = &guess->one->caps;

	for (size_t i = 0; i < sizeof(opt_in_words) / sizeof(*opt_in_words); i++) {
		if (!has_name_word(guess->one->name, view_of(opt_in_words[i].word)))
			continue;
		caps->likely = &opt_in_words[i].cap;
		caps->likely_count = 1;
		caps->evidence = arena_printf(guess->arena, "the word %s", opt_in_words[i].word);
		return true;
	}
	return false;
}

/*
 * Guesses the capabilities from the table's entries that share a word with the ioctl's name. A word qualifies
 * if WORD_ENTRIES or more entries have it, and WORD_PERCENT or more of these have the same capabilities, but
 * not the usual ones. The word for which the most entries agree is used. Return: false if no word qualifies.
 */
static bool guess_by_word(struct guess *guess)
{
	const char *name = guess->one->name;
	struct alike best = { .count = 0 };
	struct view word, best_word;
	size_t total, best_total;

	while (cut_word(&word, &name)) {
		struct alike alike;

		if (!is_telling(word))
			continue;
		alike = count_alike(&total, guess, WITH_WORD, word);
		if (total < WORD_ENTRIES || alike.count * 100 < total * WORD_PERCENT ||
		    same_caps(alike.first, guess->usual) || alike.count <= best.count)
			continue;
		best = alike;
		best_total = total;
		best_word = word;
	}
	if (!best.count)
		return false;
	set_likely(guess, best.first,
		   arena_printf(guess->arena, "%zu of %zu entries with the word %.*s", best.count, best_total,
				(int)best_word.length, best_word.at));
	return true;
}

/* Names the neighbours for the evidence: "2080.12", "classes 0x??c0", "classes below 0x8000", "uvm". */
static const char *neighbours_name(const struct guess *guess)
{
	unsigned long long number = guess->one->number;

	if (!strcmp(guess->one->family, "control"))
		return arena_printf(guess->arena, "%04llx.%02llx", number >> 16, number >> 8 & 0xff);
	if (strcmp(guess->one->family, "alloc"))
		return guess->one->family;
	return number < 0x8000 ? "classes below 0x8000"
			       : arena_printf(guess->arena, "classes 0x??%02llx", number & 0xff);
}

/*
 * Guesses the capabilities of the entries with neighbouring numbers if all have the same. Otherwise, only
 * sets the evidence, which says how many have the same.
 */
static void guess_by_neighbours(struct guess *guess)
{
	size_t total;
	struct alike alike = count_alike(&total, guess, NEIGHBOURS, (struct view){ 0 });
	const char *where = neighbours_name(guess),
		   *evidence = arena_printf(guess->arena, "%zu of %zu in %s", alike.count, total, where),
		   *joined = ""; /* "compute+utility" */

	if (alike.first && alike.count == total) {
		set_likely(guess, alike.first, evidence);
		return;
	}
	for (size_t i = 0; alike.first && i < alike.first->cap_count; i++)
		joined = arena_printf(guess->arena, "%s%s%s", joined, i ? "+" : "", alike.first->caps[i]);
	guess->one->caps.evidence = alike.first
					    ? arena_printf(guess->arena, "only %s have %s", evidence, joined)
					    : arena_printf(guess->arena, "no entry in %s", where);
}

/* Returns why no capability is likely: a sandboxed application should not need the ioctl; or NULL. */
static const char *guarded_because(const struct abi_ioctl *ioctl)
{
	static const char *const reasons[][2] = { { "privileged", "it is privileged" },
						  { "kernel-privileged", "only the kernel may use it" },
						  { "not-dispatched", "no code of the driver handles it" },
						  { "internal", "it is internal" },
						  { "internal-only", "it is internal" },
						  { "test", "it is for tests" },
						  { "rm-test-only-code", "it is for tests" } };

	for (size_t i = 0; ioctl && i < sizeof(reasons) / sizeof(*reasons); i++)
		if (abi_ioctl_has_flag(ioctl, reasons[i][0]))
			return reasons[i][1];
	return ioctl ? NULL : "no table of the driver lists it in this version";
}

void bootstrap_guess(struct bootstrap_candidate *one, const struct table_view *view,
		     const struct bootstrap_observed *observed, struct arena *arena)
{
	struct guess guess = { .view = view, .one = one, .arena = arena };
	const char *reason;
	size_t total;

	one->caps = (struct bootstrap_caps){ .evidence = "the table is empty" };
	guess.usual = count_alike(&total, &guess, ALL, (struct view){ 0 }).first;
	if (guess.usual && !guess_by_superseded(&guess) && !guess_by_opt_in_word(&guess) &&
	    !guess_by_word(&guess))
		guess_by_neighbours(&guess);
	if ((reason = guarded_because(one->ioctl))) {
		one->caps.likely_count = 0;
		one->caps.evidence = reason;
	}
	/* Known capabilities replace the guess. `supersedes` stays set. */
	if (observed && observed->given_count) {
		one->caps.caps = observed->given;
		one->caps.count = observed->given_count;
		one->caps.evidence = "given with --caps";
	} else if (observed) {
		put_observed(one, observed, arena);
	}
}
