/*
 * bootstrap/caps.c - the capabilities under which a proxy exposes an ioctl: given, observed, or only likely
 *
 * The driver does not say it. What the user gives (--caps), or what workloads of a capability were seen to
 * use (--trace), is written down. Everything else is at most likely, and the capabilities are a TODO. Likely
 * is what these have, the first that there is:
 *
 * 1. the entry that the ioctl supersedes: the same name but for "_V2" at the end;
 * 2. the capability that a word of the name stands for (opt_in_words);
 * 3. the entries with one of the words of its name, if at least two have it, and four of five have the same
 *    capabilities, which are not those of most entries;
 * 4. most of its neighbours: the commands of the same class and category (number without its last byte), the
 *    classes of the same kind (last byte), or all of a family.
 *
 * Nothing is likely for an ioctl that is privileged, internal, for tests, or in no table of the driver.
 */
#include "bootstrap/bootstrap.h"
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
static size_t find(const struct bootstrap_observed *observed, const char *family, const char *name,
		   uint64_t number)
{
	const struct bootstrap_use wanted = { family, name, *name ? 0 : number, "", "" };
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

/* "observed in a.trace, b.trace": each once, in the order of capabilities. */
static const char *seen_in(const struct bootstrap_use *uses, size_t count, struct arena *arena)
{
	struct strbuf text = { 0 };
	const char *told;

	strbuf_adds(&text, "observed in ");
	for (size_t i = 0; i < count; i++) {
		bool is_new = true;

		for (size_t j = 0; j < i && is_new; j++)
			is_new = strcmp(uses[j].trace, uses[i].trace) != 0;
		if (is_new)
			strbuf_addf(&text, "%s%s", i ? ", " : "", uses[i].trace);
	}
	told = arena_strdup(arena, text.text);
	strbuf_release(&text);
	return told;
}

/**
 * bootstrap_observed_caps - the capabilities of the workloads that used an ioctl
 * @number:   by which it is known where no driver that was observed lists it; names stay when numbers move
 * @caps:     sorted, each once; in @arena
 * @evidence: "observed in compute.trace"; in @arena
 *
 * Return: how many; 0 if none used it, then nothing is set.
 */
static size_t bootstrap_observed_caps(const char *const **caps, const char **evidence,
				      const struct bootstrap_observed *observed, const char *family,
				      const char *name, uint64_t number, struct arena *arena)
{
	const char **found;
	size_t first, end, count = 0;

	if (!observed || !observed->count)
		return 0;
	if ((first = find(observed, family, name, number)) == observed->count &&
	    (first = find(observed, family, name = "", number)) == observed->count)
		return 0;
	for (end = first; end < observed->count && is_of(&observed->uses[end], family, name, number);)
		end++;
	found = arena_array(arena, end - first, sizeof(*found));
	for (size_t i = first; i < end; i++)
		if (!count || strcmp(found[count - 1], observed->uses[i].cap) != 0)
			found[count++] = observed->uses[i].cap;
	*caps = found;
	*evidence = seen_in(&observed->uses[first], end - first, arena);
	return count;
}

enum {
	WORD_ENTRIES = 2, /* with a word, before it counts */
	WORD_PERCENT = 80,
};

/* Words for what a user has to ask for. */
static const struct {
	const char *word, *cap;
} opt_in_words[] = {
	{ "FABRIC", "fabric-imex-mgmt" },
	{ "IMEX", "fabric-imex-mgmt" },
	{ "DMABUF", "rdma" },
	{ "RDMA", "rdma" },
};

/* What entries have the same capabilities. */
struct tally {
	const struct table_entry *first; /* one that has what most have */
	size_t count, total;
};

struct guess {
	const struct table_view *view;
	const struct bootstrap_subject *subject;
	const struct table_entry *usual; /* one that has what most entries of the view have */
	struct arena *arena;
	struct bootstrap_caps *out;
};

static bool same_caps(const struct table_entry *a, const struct table_entry *b)
{
	if (a->cap_count != b->cap_count)
		return false;
	for (size_t i = 0; i < a->cap_count; i++)
		if (strcmp(a->caps[i], b->caps[i]))
			return false;
	return true;
}

static bool is_self(const struct guess *guess, const struct table_entry *entry)
{
	return !strcmp(entry->family, guess->subject->family) && !strcmp(entry->name, guess->subject->name);
}

/* --- words -------------------------------------------------------------------------- */

/*
 * The next word of a name: "GR" of "NV2080_CTRL_CMD_GR_GET_INFO"; @at: behind the one before. Return: false
 * if there is none.
 */
static bool next_word(const char **word, size_t *length, const char **at)
{
	while (**at == '_')
		(*at)++;
	*word = *at;
	*length = strcspn(*at, "_");
	*at += *length;
	return *length;
}

static bool has_word(const char *name, const char *word, size_t length)
{
	const char *one;
	size_t one_length;

	while (next_word(&one, &one_length, &name))
		if (one_length == length && !memcmp(one, word, length))
			return true;
	return false;
}

/* A word of one letter, a number, or a class ("NV2080") says nothing of what an ioctl is for. */
static bool is_telling(const char *word, size_t length)
{
	size_t digits = 0;

	for (size_t i = 0; i < length; i++)
		digits += isxdigit((unsigned char)word[i]) != 0;
	return length > 1 && digits < length && !(length == 6 && !memcmp(word, "NV", 2) && digits >= 4);
}

/* --- counting ----------------------------------------------------------------------------- */

struct group {
	bool (*wanted)(const struct guess *guess, const struct group *group, const struct table_entry *entry);
	const char *word;
	size_t length;
};

/* Entries of one group with the same capabilities. */
struct alike {
	const struct table_entry *first;
	size_t count;
};

static void count_alike(struct alike *all, size_t *count, const struct table_entry *entry)
{
	for (size_t i = 0; i < *count; i++)
		if (same_caps(all[i].first, entry)) {
			all[i].count++;
			return;
		}
	all[(*count)++] = (struct alike){ entry, 1 };
}

static void tally_group(struct tally *out, const struct guess *guess, const struct group *group)
{
	struct alike *all = xmalloc((guess->view->entry_count + 1) * sizeof(*all));
	size_t count = 0;

	*out = (struct tally){ .total = 0 };
	for (size_t i = 0; i < guess->view->entry_count; i++) {
		const struct table_entry *entry = guess->view->entries[i];

		if (is_self(guess, entry) || !group->wanted(guess, group, entry))
			continue;
		out->total++;
		count_alike(all, &count, entry);
	}
	for (size_t i = 0; i < count; i++)
		if (all[i].count > out->count) {
			out->first = all[i].first;
			out->count = all[i].count;
		}
	free(all);
}

/* --- what is likely ------------------------------------------------------------------------ */

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
	const struct table_entry *found = guess->subject->superseded;

	for (size_t i = 0; i < guess->view->entry_count && !found; i++) {
		const struct table_entry *entry = guess->view->entries[i];

		if (!is_self(guess, entry) && !strcmp(entry->family, guess->subject->family) &&
		    same_stem(entry->name, guess->subject->name))
			found = entry;
	}
	if (!found)
		return false;
	set_likely(guess, found, arena_printf(guess->arena, "as %s, which it supersedes", found->name));
	guess->out->from = found;
	return true;
}

static bool by_opt_in_word(struct guess *guess)
{
	for (size_t i = 0; i < sizeof(opt_in_words) / sizeof(*opt_in_words); i++) {
		const char **caps;

		if (!has_word(guess->subject->name, opt_in_words[i].word, strlen(opt_in_words[i].word)))
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

static bool has_group_word(const struct guess *guess, const struct group *group,
			   const struct table_entry *entry)
{
	(void)guess;
	return has_word(entry->name, group->word, group->length);
}

/* Of several words, the one of which the most entries agree. */
static bool by_word(struct guess *guess)
{
	const char *at = guess->subject->name;
	struct group group = { .wanted = has_group_word }, best_group;
	struct tally best = { .count = 0 };

	while (next_word(&group.word, &group.length, &at)) {
		struct tally tally;

		if (!is_telling(group.word, group.length))
			continue;
		tally_group(&tally, guess, &group);
		if (tally.total < WORD_ENTRIES || tally.count * 100 < tally.total * WORD_PERCENT ||
		    same_caps(tally.first, guess->usual) || tally.count <= best.count)
			continue;
		best = tally;
		best_group = group;
	}
	if (!best.count)
		return false;
	set_likely(guess, best.first,
		   arena_printf(guess->arena, "%zu of %zu with the word %.*s", best.count, best.total,
				(int)best_group.length, best_group.word));
	return true;
}

static bool is_neighbour(const struct guess *guess, const struct group *group, const struct table_entry *entry)
{
	const struct bootstrap_subject *subject = guess->subject;
	bool is_class = !strcmp(subject->family, "alloc");

	(void)group;
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

static void by_neighbours(struct guess *guess)
{
	const struct group group = { .wanted = is_neighbour };
	struct tally tally;

	tally_group(&tally, guess, &group);
	if (tally.first)
		set_likely(guess, tally.first,
			   arena_printf(guess->arena, "%zu of %zu in %s", tally.count, tally.total,
					neighbourhood(guess)));
	else
		guess->out->evidence = arena_printf(guess->arena, "no entry in %s", neighbourhood(guess));
}

static bool any_entry(const struct guess *guess, const struct group *group, const struct table_entry *entry)
{
	(void)guess;
	(void)group;
	(void)entry;
	return true;
}

/* Facts in place of what is likely. What the ioctl supersedes stays. */
static void put_facts(struct guess *guess)
{
	const struct bootstrap_observed *known = guess->subject->observed;
	const struct bootstrap_subject *subject = guess->subject;
	struct bootstrap_caps *out = guess->out;

	if (known && known->given_count) {
		out->caps = known->given;
		out->count = known->given_count;
		out->evidence = "given with --caps";
	} else {
		out->count = bootstrap_observed_caps(&out->caps, &out->evidence, known, subject->family,
						     subject->name, subject->number, guess->arena);
	}
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
	struct bootstrap_caps caps = { .evidence = "the table is empty" };
	struct guess guess = { .view = view, .subject = subject, .arena = arena, .out = &caps };
	const struct group all = { .wanted = any_entry };
	struct tally tally;

	tally_group(&tally, &guess, &all);
	guess.usual = tally.first;
	if (guess.usual && !by_superseded(&guess) && !by_opt_in_word(&guess) && !by_word(&guess))
		by_neighbours(&guess);
	if (subject->is_guarded) {
		caps.likely_count = 0;
		caps.evidence = "privileged, internal, for tests, or in no table of the driver";
	}
	put_facts(&guess);
	*out = caps;
}
