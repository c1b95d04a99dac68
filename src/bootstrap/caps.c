/*
 * bootstrap/caps.c - a guess of the capabilities under which a proxy exposes an ioctl
 *
 * The driver does not say it. What workloads of a capability were seen to use is a fact, and is written down. Else a guess
 * goes by what the table has:
 *
 * 1. the entry that the ioctl supersedes: the same name but for "_V2" at the end;
 * 2. a word that stands for a capability which users have to ask for (opt_in_words);
 * 3. a word of its name, if at least three entries with that word, and four of
 *    five, have the same capabilities, which are not those of most entries;
 * 4. the majority of its neighbours: the commands of the same class and category
 *    (number without its last byte), the classes of the same kind (last byte), or all of a family.
 *
 * 4. is written down only if there are at least four neighbours, three of five
 * agree, and none of the others is there for users who ask for it: a guess must not expose
 * an ioctl to more workloads than its neighbours. Otherwise it is told as likely, and the
 * capabilities are a TODO. scripts/reconstruct measures how often this is right.
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
static size_t find(const struct bootstrap_observed *observed, const char *family, const char *name, uint64_t number)
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
	return low < observed->count && is_of(&observed->uses[low], family, name, number) ? low : observed->count;
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
static size_t bootstrap_observed_caps(const char *const **caps, const char **evidence, const struct bootstrap_observed *observed, const char *family,
			       const char *name, uint64_t number, struct arena *arena)
{
	const char **found;
	size_t first, end, count = 0;

	if (!observed || !observed->count)
		return 0;
	if ((first = find(observed, family, name, number)) == observed->count && (first = find(observed, family, name = "", number)) == observed->count)
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
	WORD_ENTRIES = 3,        /* with a word, before it counts */
	WORD_PERCENT = 80,
	NEIGHBOURS = 4,
	NEIGHBOURS_PERCENT = 60,
	NEARLY_ALL_PERCENT = 90, /* outweighs a neighbour that users have to ask for */
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
	const struct table_entry *opt_in; /* one whose capabilities do not hold those; NULL */
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

static bool has_cap(const struct table_entry *entry, const char *cap)
{
	for (size_t i = 0; i < entry->cap_count; i++)
		if (!strcmp(entry->caps[i], cap))
			return true;
	return false;
}

static bool holds(const struct table_entry *all, const struct table_entry *some)
{
	for (size_t i = 0; i < some->cap_count; i++)
		if (!has_cap(all, some->caps[i]))
			return false;
	return true;
}

static bool is_self(const struct guess *guess, const struct table_entry *entry)
{
	return !strcmp(entry->family, guess->subject->family) && !strcmp(entry->name, guess->subject->name);
}

/* Do users have to ask for it? What is only for a management tool, and what is for several kinds of workload. */
static bool is_opt_in(const struct guess *guess, const struct table_entry *entry)
{
	if (has_cap(entry, "rdma") || has_cap(entry, "fabric-imex-mgmt"))
		return true;
	return entry->cap_count > 1 && !same_caps(entry, guess->usual);
}

/* --- words -------------------------------------------------------------------------- */

/* The next word of a name: "GR" of "NV2080_CTRL_CMD_GR_GET_INFO"; @at: behind the one before. Return: false if there is none. */
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

/* Sets @first, @count and @total; @all is as many as the view has entries. */
static size_t tally_alike(struct alike *all, struct tally *out, const struct guess *guess, const struct group *group)
{
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
	return count;
}

static void tally_group(struct tally *out, const struct guess *guess, const struct group *group)
{
	struct alike *all = xmalloc((guess->view->entry_count + 1) * sizeof(*all));
	size_t count = tally_alike(all, out, guess, group);

	for (size_t i = 0; i < count && guess->usual; i++)
		if (is_opt_in(guess, all[i].first) && !holds(all[i].first, out->first))
			out->opt_in = all[i].first;
	free(all);
}

static bool is_share(const struct tally *tally, size_t percent)
{
	return tally->count * 100 >= tally->total * percent;
}

/* --- the four ways ------------------------------------------------------------------------ */

static void write_down(struct guess *guess, const struct table_entry *like, const char *evidence)
{
	guess->out->caps = guess->out->likely = like->caps;
	guess->out->count = guess->out->likely_count = like->cap_count;
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

		if (!is_self(guess, entry) && !strcmp(entry->family, guess->subject->family) && same_stem(entry->name, guess->subject->name))
			found = entry;
	}
	if (!found)
		return false;
	write_down(guess, found, arena_printf(guess->arena, "as %s, which it supersedes", found->name));
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
		guess->out->caps = guess->out->likely = caps;
		guess->out->count = guess->out->likely_count = 1;
		guess->out->evidence = arena_printf(guess->arena, "the word %s", opt_in_words[i].word);
		return true;
	}
	return false;
}

static bool has_group_word(const struct guess *guess, const struct group *group, const struct table_entry *entry)
{
	(void)guess;
	return has_word(entry->name, group->word, group->length);
}

/* What one word of the name says. */
struct word_tally {
	struct tally tally;
	const char *word;
	size_t length;
};

/*
 * Of several words, the one of which the most entries agree. Some entries may say what is likely; to be written down it
 * takes WORD_ENTRIES, and none that users have to ask for.
 */
static bool best_word(struct word_tally *out, const struct guess *guess, size_t entries, bool to_be_written)
{
	const char *at = guess->subject->name;
	struct group group = { .wanted = has_group_word };

	*out = (struct word_tally){ .word = NULL };
	while (next_word(&group.word, &group.length, &at)) {
		struct tally tally;

		if (!is_telling(group.word, group.length))
			continue;
		tally_group(&tally, guess, &group);
		if (tally.total < entries || !is_share(&tally, WORD_PERCENT) || same_caps(tally.first, guess->usual) ||
		    (to_be_written && tally.opt_in) || tally.count <= out->tally.count)
			continue;
		*out = (struct word_tally){ tally, group.word, group.length };
	}
	return out->word;
}

static const char *word_evidence(const struct guess *guess, const struct word_tally *word)
{
	return arena_printf(guess->arena, "%zu of %zu with the word %.*s", word->tally.count, word->tally.total, (int)word->length, word->word);
}

static bool by_word(struct guess *guess)
{
	struct word_tally word;

	if (!best_word(&word, guess, WORD_ENTRIES, true))
		return false;
	write_down(guess, word.tally.first, word_evidence(guess, &word));
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
		return arena_printf(guess->arena, "%04llx.%02llx", (unsigned long long)(subject->number >> 16),
				    (unsigned long long)(subject->number >> 8 & 0xff));
	if (strcmp(subject->family, "alloc"))
		return subject->family;
	if (subject->number < 0x8000)
		return "classes below 0x8000";
	return arena_printf(guess->arena, "classes 0x??%02llx", (unsigned long long)(subject->number & 0xff));
}

/* Sets what is likely, with its evidence, and writes nothing down. */
static void tell(struct guess *guess, const struct table_entry *like, const char *evidence)
{
	write_down(guess, like, evidence);
	guess->out->count = 0;
}

/* Less than it takes to write a guess down: a word that two entries have, the neighbours, or what is usual. */
static void tell_likely(struct guess *guess, const struct tally *neighbours, const char *where)
{
	struct word_tally word;

	if (best_word(&word, guess, WORD_ENTRIES - 1, false))
		tell(guess, word.tally.first, word_evidence(guess, &word));
	else if (neighbours->first && neighbours->opt_in)
		tell(guess, neighbours->first, arena_printf(guess->arena, "%zu of %zu in %s, but not %s", neighbours->count, neighbours->total, where,
							    neighbours->opt_in->name));
	else if (neighbours->first)
		tell(guess, neighbours->first, arena_printf(guess->arena, "%zu of %zu in %s", neighbours->count, neighbours->total, where));
	else
		tell(guess, guess->usual, arena_printf(guess->arena, "no entry in %s", where));
}

static void by_neighbours(struct guess *guess)
{
	const struct group group = { .wanted = is_neighbour };
	const char *where = neighbourhood(guess);
	struct tally tally;

	tally_group(&tally, guess, &group);
	if (tally.total >= NEIGHBOURS && is_share(&tally, tally.opt_in ? NEARLY_ALL_PERCENT : NEIGHBOURS_PERCENT))
		write_down(guess, tally.first, arena_printf(guess->arena, "%zu of %zu in %s", tally.count, tally.total, where));
	else
		tell_likely(guess, &tally, where);
}

static bool any_entry(const struct guess *guess, const struct group *group, const struct table_entry *entry)
{
	(void)guess;
	(void)group;
	(void)entry;
	return true;
}

/* Facts in place of a guess. What the ioctl supersedes stays. */
static void put_observed(struct guess *guess)
{
	const struct bootstrap_subject *subject = guess->subject;
	struct bootstrap_caps *out = guess->out;
	const size_t count = bootstrap_observed_caps(&out->caps, &out->evidence, subject->observed, subject->family, subject->name, subject->number,
						     guess->arena);

	if (!count)
		return;
	out->count = out->likely_count = count;
	out->likely = out->caps;
}

void bootstrap_guess(struct bootstrap_caps *out, const struct table_view *view, const struct bootstrap_subject *subject, struct arena *arena)
{
	struct bootstrap_caps caps = { .evidence = "the table is empty" };
	struct guess guess = { .view = view, .subject = subject, .arena = arena, .out = &caps };
	const struct group all = { .wanted = any_entry };
	struct tally tally;

	tally_group(&tally, &guess, &all);
	guess.usual = tally.first;
	if (guess.usual && !by_superseded(&guess) && !by_opt_in_word(&guess) && !by_word(&guess))
		by_neighbours(&guess);
	put_observed(&guess);
	*out = caps;
}
