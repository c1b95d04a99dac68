/*
 * bootstrap/caps.c - the capabilities under which a proxy exposes an ioctl: given, observed, or only likely
 *
 * The driver does not say it. Capabilities of the user (--caps), or of recorded workloads (--trace), are
 * written. Everything else is at most likely, and the capabilities are a TODO. Likely is what these have,
 * the first that there is:
 *
 * 1. the entry that the ioctl supersedes: the same name without "_V2" at the end;
 * 2. the capability of a word in the name (opt_in_words);
 * 3. the entries with one of the words of its name, if at least two have it, and four of five have the same
 *    capabilities, which are not those of most entries;
 * 4. all of its neighbours: the commands of the same class and category (number without its last byte), the
 *    classes of the same kind (last byte), or all of a family. Of the entries that gVisor's maintainers added since
 *    2024, most neighbours were right for 7 of 30, and all for 21 of 26.
 *
 * Nothing is likely for an ioctl that is privileged, internal, for tests, or in no table of the driver.
 */
#include "bootstrap/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int bootstrap_use_order(const void *a, const void *b)
{
	const struct bootstrap_use *x = a, *y = b;
	int order = strcmp(x->family, y->family);

	if (!order)
		order = strcmp(x->name, y->name);
	if (!order)
		order = x->number < y->number ? -1 : x->number > y->number;
	if (!order)
		order = strcmp(x->cap, y->cap);
	return order ? order : strcmp(x->trace, y->trace);
}

/* By name; by number only if it has no name. */
static bool is_of(const struct bootstrap_use *use, const char *family, const char *name, uint64_t number)
{
	return !strcmp(use->family, family) && !strcmp(use->name, name) && (*name || use->number == number);
}

/* The first use of an ioctl; the count of all if there is none. */
static size_t find_use(const struct bootstrap_observed *observed, const char *family, const char *name,
		       uint64_t number)
{
	const struct bootstrap_use wanted = { family, name, *name ? 0 : number, "", "", NULL };
	size_t low = 0, high = observed->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (bootstrap_use_order(&observed->uses[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < observed->count && is_of(&observed->uses[low], family, name, number) ? low
											  : observed->count;
}

/* "observed in a.trace (called by libcuda.so.1 cuInit), b.trace": each once, in the order of capabilities. */
static const char *seen_in(const struct bootstrap_use *uses, size_t count, struct arena *arena)
{
	const char *text = "observed in ";

	for (size_t i = 0; i < count; i++) {
		size_t same = 0;

		while (strcmp(uses[same].trace, uses[i].trace))
			same++;
		if (same == i)
			text = arena_printf(arena, uses[i].callers ? "%s%s%s (called by %s)" : "%s%s%s", text,
					    i ? ", " : "", uses[i].trace, uses[i].callers);
	}
	return text;
}

/*
 * The capabilities of the workloads that used the subject, each once, and "observed in compute.trace". Nothing
 * if none used it. The number counts where no driver that was observed lists it; names stay when numbers move.
 */
static void put_observed(struct bootstrap_caps *out, const struct bootstrap_subject *subject, struct arena *arena)
{
	const struct bootstrap_observed *observed = subject->observed;
	const char *family = subject->family, *name = subject->name, **found;
	size_t first = find_use(observed, family, name, subject->number), end;

	if (first == observed->count)
		first = find_use(observed, family, name = "", subject->number);
	for (end = first; end < observed->count && is_of(&observed->uses[end], family, name, subject->number);)
		end++;
	if (first == end)
		return;
	found = arena_array(arena, end - first, sizeof(*found));
	for (size_t i = first; i < end; i++)
		if (!out->count || strcmp(found[out->count - 1], observed->uses[i].cap) != 0)
			found[out->count++] = observed->uses[i].cap;
	out->caps = found;
	out->evidence = seen_in(&observed->uses[first], end - first, arena);
}

/* --- likely capabilities: the words and entries that they are based on ------------------ */

enum {
	WORD_ENTRIES = 2, /* with a word, before it counts */
	WORD_PERCENT = 80,
};

/* Words for capabilities that a user has to request. */
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
	const struct bootstrap_subject *subject;
	const struct table_entry *usual; /* one that has what most entries of the view have */
	struct arena *arena;
	struct bootstrap_caps *out;
};

static bool is_self(const struct guess *guess, const struct table_entry *entry)
{
	return !strcmp(entry->family, guess->subject->family) && !strcmp(entry->name, guess->subject->name);
}

static bool same_caps(const struct table_entry *a, const struct table_entry *b)
{
	return caps_same(a->caps, a->cap_count, b->caps, b->cap_count);
}

/* --- words -------------------------------------------------------------------------- */

/* Cuts the next word off: "GR" of "NV2080_CTRL_CMD_GR_GET_INFO". Return: false if there is none. */
static bool cut_word(struct view *word, const char **name)
{
	*name += strspn(*name, "_");
	*word = (struct view){ *name, strcspn(*name, "_") };
	*name += word->length;
	return word->length;
}

static bool has_word(const char *name, struct view word)
{
	struct view one;

	while (cut_word(&one, &name))
		if (view_equal(one, word))
			return true;
	return false;
}

/* A word of one letter, a number, or a class ("NV2080") says nothing of what an ioctl is for. */
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

typedef bool counted_fn(const struct guess *guess, struct view word, const struct table_entry *entry);

/* The largest set of alike entries among those that @is_counted; *@total is the number of all these. */
static struct alike count_alike(size_t *total, const struct guess *guess, counted_fn *is_counted, struct view word)
{
	struct alike *all = xmalloc((guess->view->entry_count + 1) * sizeof(*all)), best = { .count = 0 };
	size_t count = 0;

	*total = 0;
	for (size_t i = 0; i < guess->view->entry_count; i++) {
		const struct table_entry *entry = guess->view->entries[i];
		size_t same = 0;

		if (is_self(guess, entry) || !is_counted(guess, word, entry))
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
	guess->out->likely = like->caps;
	guess->out->likely_count = like->cap_count;
	guess->out->evidence = evidence;
}

static bool same_stem(const char *a, const char *b)
{
	size_t length = naming_stem(a);

	return length == naming_stem(b) && !memcmp(a, b, length);
}

static bool by_superseded(struct guess *guess)
{
	for (size_t i = 0; i < guess->view->entry_count; i++) {
		const struct table_entry *entry = guess->view->entries[i];

		if (is_self(guess, entry) || strcmp(entry->family, guess->subject->family) ||
		    !same_stem(entry->name, guess->subject->name))
			continue;
		set_likely(guess, entry, arena_printf(guess->arena, "as %s, which it supersedes", entry->name));
		guess->out->from = entry;
		return true;
	}
	return false;
}

static bool by_opt_in_word(struct guess *guess)
{
	for (size_t i = 0; i < sizeof(opt_in_words) / sizeof(*opt_in_words); i++) {
		const char **caps;

		if (!has_word(guess->subject->name, view_of(opt_in_words[i].word)))
			continue;
		caps = arena_array(guess->arena, 1, sizeof(*caps));
		caps[0] = opt_in_words[i].cap;
		guess->out->likely = caps;
		guess->out->likely_count = 1;
		guess->out->evidence = arena_printf(guess->arena, "the word %s", opt_in_words[i].word);
		return true;
	}
	return false;
}

static bool has_that_word(const struct guess *guess, struct view word, const struct table_entry *entry)
{
	(void)guess;
	return has_word(entry->name, word);
}

/* If there are several words, the one on which the most entries agree. */
static bool by_word(struct guess *guess)
{
	const char *name = guess->subject->name;
	struct alike best = { .count = 0 };
	struct view word, best_word;
	size_t total, best_total;

	while (cut_word(&word, &name)) {
		struct alike alike;

		if (!is_telling(word))
			continue;
		alike = count_alike(&total, guess, has_that_word, word);
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
		   arena_printf(guess->arena, "%zu of %zu with the word %.*s", best.count, best_total,
				(int)best_word.length, best_word.at));
	return true;
}

static bool is_neighbour(const struct guess *guess, struct view word, const struct table_entry *entry)
{
	const struct bootstrap_subject *subject = guess->subject;
	bool is_class = !strcmp(subject->family, "alloc");

	(void)word;
	if (strcmp(entry->family, subject->family))
		return false;
	if (!strcmp(subject->family, "control"))
		return entry->number >> 8 == subject->number >> 8;
	if (is_class && subject->number >= 0x8000)
		return entry->number >= 0x8000 && (entry->number & 0xff) == (subject->number & 0xff);
	return !is_class || entry->number < 0x8000;
}

/* "2080.12", "classes that end in c0", "small classes", "uvm". */
static const char *neighbourhood(const struct guess *guess)
{
	const struct bootstrap_subject *subject = guess->subject;

	if (!strcmp(subject->family, "control"))
		return arena_printf(guess->arena, "%04llx.%02llx",
				    (unsigned long long)(subject->number >> 16),
				    (unsigned long long)(subject->number >> 8 & 0xff));
	if (strcmp(subject->family, "alloc"))
		return subject->family;
	if (subject->number < 0x8000)
		return "classes below 0x8000";
	return arena_printf(guess->arena, "classes 0x??%02llx", (unsigned long long)(subject->number & 0xff));
}

/* "compute+utility" */
static const char *joined_caps(const struct table_entry *entry, struct arena *arena)
{
	const char *text = "";

	for (size_t i = 0; i < entry->cap_count; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? "+" : "", entry->caps[i]);
	return text;
}

static void by_neighbours(struct guess *guess)
{
	size_t total;
	struct alike alike = count_alike(&total, guess, is_neighbour, (struct view){ 0 });

	const char *evidence = arena_printf(guess->arena, "%zu of %zu in %s", alike.count, total, neighbourhood(guess));

	if (!alike.first)
		guess->out->evidence = arena_printf(guess->arena, "no entry in %s", neighbourhood(guess));
	else if (alike.count == total)
		set_likely(guess, alike.first, evidence);
	else
		guess->out->evidence = arena_printf(guess->arena, "only %s have %s", evidence,
						    joined_caps(alike.first, guess->arena));
}

static bool is_any(const struct guess *guess, struct view word, const struct table_entry *entry)
{
	(void)guess;
	(void)word;
	(void)entry;
	return true;
}

bool caps_is_guarded(const struct abi_ioctl *ioctl)
{
	static const char *const flags[] = { "privileged", "kernel-privileged", "internal", "internal-only",
					     "test",       "rm-test-only-code" };

	for (size_t i = 0; ioctl && i < sizeof(flags) / sizeof(*flags); i++)
		if (abi_ioctl_has_flag(ioctl, flags[i]))
			return true;
	return !ioctl;
}

void bootstrap_guess(struct bootstrap_caps *out, const struct table_view *view,
		     const struct bootstrap_subject *subject, struct arena *arena)
{
	const struct bootstrap_observed *observed = subject->observed;
	struct bootstrap_caps caps = { .evidence = "the table is empty" };
	struct guess guess = { .view = view, .subject = subject, .arena = arena, .out = &caps };
	size_t total;

	guess.usual = count_alike(&total, &guess, is_any, (struct view){ 0 }).first;
	if (guess.usual && !by_superseded(&guess) && !by_opt_in_word(&guess) && !by_word(&guess))
		by_neighbours(&guess);
	if (subject->is_guarded) {
		caps.likely_count = 0;
		caps.evidence = "privileged, internal, for tests, or in no table of the driver";
	}
	/* Facts, instead of likely ones. The capabilities of the superseded entry stay. */
	if (observed && observed->given_count) {
		caps.caps = observed->given;
		caps.count = observed->given_count;
		caps.evidence = "given with --caps";
	} else if (observed) {
		put_observed(&caps, subject, arena);
	}
	*out = caps;
}
