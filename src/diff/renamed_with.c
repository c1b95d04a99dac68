/*
 * diff/renamed_with.c - what was renamed together with an ioctl
 *
 * 1. The parameter record of a renamed ioctl, if nothing of it changed but names.
 * 2. Constants. Where COVERAGE became INSTRUMENTATION in the ioctl's name, a
 *    constant that went and has the word COVERAGE, and one that came with
 *    INSTRUMENTATION in its stead and has the same value, are one: the
 *    interface's number, a message's number. Both names begin as the ioctl's do.
 *
 * Each is told with the ioctl; a record with the first of several.
 */
#include "diff/name_index.h"
#include "diff/pass.h"

#include <stdlib.h>
#include <string.h>

/* The most ioctls of which words are looked for in constants. NVIDIA renamed 18 at once (610.43.02). */
enum { WORDS_MAX = 256 };

/* In the name of an ioctl, whole words that became others. Not NUL-terminated. */
struct word_change {
	const char *ioctl; /* its name in next */
	const char *from, *to;
	size_t from_length, to_length;
};

/* A constant that came, and where it stands in the list of changes. */
struct added_name {
	const char *name;
	size_t change;
};

struct constant_search {
	const struct word_change *words;
	size_t word_count;
	const struct added_name *added; /* by name */
	size_t added_count;
};

static bool is_renamed_ioctl(const struct diff_change *change)
{
	return change->kind == ABI_IOCTL && change->base_name;
}

static bool has_name(const struct diff_change *change, const char *first, const char *name)
{
	if (!name || !first)
		return false;
	if (!strcmp(first, name))
		return true;
	for (size_t i = 0; i < change->also_count; i++)
		if (!strcmp(change->also[i], name))
			return true;
	return false;
}

/* The first renamed ioctl whose parameters are called @name; NULL if there is none. */
static const struct diff_change *ioctl_of_params(const struct diff_pass *pass, const struct diff_name_index *by_params, const char *name)
{
	size_t index;

	return diff_name_index_find(&index, by_params, name, strlen(name)) ? &pass->changes[index] : NULL;
}

/* The first renamed ioctl that had the record as its parameters, and has it, by one of its names. */
static const char *ioctl_of_record(const struct diff_pass *pass, const struct diff_name_index *by_params, const struct diff_change *record)
{
	const struct diff_change *first = ioctl_of_params(pass, by_params, record->name);

	for (size_t i = 0; i < record->also_count; i++) {
		const struct diff_change *other = ioctl_of_params(pass, by_params, record->also[i]);

		if (other && (!first || other < first))
			first = other;
	}
	return first && has_name(record, record->base_name, first->base_ioctl->params) ? first->name : NULL;
}

static void rename_records(struct diff_pass *pass)
{
	struct diff_name_index by_params = { 0 };
	size_t index;

	for (size_t i = 0; i < pass->change_count; i++) {
		const char *params = is_renamed_ioctl(&pass->changes[i]) ? pass->changes[i].next_ioctl->params : NULL;

		if (params && !diff_name_index_find(&index, &by_params, params, strlen(params)))
			diff_name_index_add(&by_params, params, i, pass->arena);
	}
	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];

		if (change->kind == ABI_RECORD && change->base_name && change->classes == DIFF_NAME)
			change->with = ioctl_of_record(pass, &by_params, change);
	}
	diff_name_index_release(&by_params);
}

static size_t shared_head(const char *a, const char *b)
{
	size_t end = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '_')
			end = i + 1;
	return end;
}

/* Of what is left behind @start, how many bytes at the end are whole words that both have. */
static size_t shared_tail(const char *a, const char *b, size_t start)
{
	size_t a_length = strlen(a) - start, b_length = strlen(b) - start, end = 0;

	for (size_t i = 1; i <= a_length && i <= b_length && a[start + a_length - i] == b[start + b_length - i]; i++)
		if (a[start + a_length - i] == '_')
			end = i;
	return end;
}

/* Return: false if no word went, or none came: FENCE_ATTACH and PRIME_FENCE_ATTACH. */
static bool word_change_of(struct word_change *out, const struct diff_change *ioctl)
{
	size_t head = shared_head(ioctl->base_name, ioctl->name), tail = shared_tail(ioctl->base_name, ioctl->name, head);
	size_t from_length = strlen(ioctl->base_name) - head - tail, to_length = strlen(ioctl->name) - head - tail;

	*out = (struct word_change){ ioctl->name, ioctl->base_name + head, ioctl->name + head, from_length, to_length };
	return head && from_length && to_length;
}

static bool is_word_at(const char *name, const char *at, size_t length)
{
	return (at == name || at[-1] == '_') && (!at[length] || at[length] == '_');
}

/* @name with the other words; NULL if it has not those that went, or begins otherwise than the ioctl. */
static const char *renamed_by(const struct word_change *words, const char *name, struct arena *arena)
{
	size_t first = strcspn(words->ioctl, "_") + 1;

	if (strncmp(name, words->ioctl, first))
		return NULL;
	for (const char *at = name; (at = memmem(at, strlen(at), words->from, words->from_length)); at++)
		if (is_word_at(name, at, words->from_length))
			return arena_printf(arena, "%.*s%.*s%s", (int)(at - name), name, (int)words->to_length, words->to,
					    at + words->from_length);
	return NULL;
}

static int compare_added(const void *a, const void *b)
{
	return strcmp(((const struct added_name *)a)->name, ((const struct added_name *)b)->name);
}

static struct added_name *list_added(size_t *count, const struct diff_pass *pass)
{
	struct added_name *list = arena_array(pass->arena, pass->change_count + 1, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < pass->change_count; i++)
		if (pass->changes[i].kind == ABI_CONSTANT && pass->changes[i].classes == DIFF_ADDED)
			list[(*count)++] = (struct added_name){ pass->changes[i].name, i };
	if (*count > 1)
		qsort(list, *count, sizeof(*list), compare_added);
	return list;
}

/* The constant that came under the other name, with the same value and not yet told with another; NULL if none did. */
static struct diff_change *find_renamed(struct diff_pass *pass, const struct added_name *added, size_t count,
					const struct diff_change *went, const struct word_change *words)
{
	const struct added_name wanted = { .name = renamed_by(words, went->name, pass->arena) };
	const struct added_name *found = wanted.name ? bsearch(&wanted, added, count, sizeof(*added), compare_added) : NULL;
	struct diff_change *came = found ? &pass->changes[found->change] : NULL;

	return came && !came->with && abi_number_equal(came->next_constant->value, went->base_constant->value) ? came : NULL;
}

/* @went is told by the one that came, and is empty from now on. */
static void join_constants(struct diff_change *came, struct diff_change *went, const char *ioctl)
{
	came->classes = DIFF_NAME;
	came->base_name = went->name;
	came->base_constant = went->base_constant;
	came->with = ioctl;
	went->classes = 0;
}

/* Of several ioctls that agree, it is told with the one whose name is closest. */
static void rename_constant(struct diff_pass *pass, const struct constant_search *search, struct diff_change *went)
{
	const struct word_change *best = NULL;
	struct diff_change *renamed = NULL;

	for (size_t i = 0; i < search->word_count; i++) {
		const struct word_change *words = &search->words[i];
		struct diff_change *came = find_renamed(pass, search->added, search->added_count, went, words);

		if (!came || (best && diff_closeness(came->name, words->ioctl) <= diff_closeness(renamed->name, best->ioctl)))
			continue;
		best = words;
		renamed = came;
	}
	if (renamed)
		join_constants(renamed, went, best->ioctl);
}

static void rename_constants(struct diff_pass *pass, const struct word_change *words, size_t word_count)
{
	struct constant_search search = { .words = words, .word_count = word_count };

	search.added = list_added(&search.added_count, pass);
	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *went = &pass->changes[i];

		if (went->kind == ABI_CONSTANT && went->classes == DIFF_REMOVED)
			rename_constant(pass, &search, went);
	}
}

static void drop_empty(struct diff_pass *pass)
{
	size_t left = 0;

	for (size_t i = 0; i < pass->change_count; i++)
		if (pass->changes[i].classes)
			pass->changes[left++] = pass->changes[i];
	pass->change_count = left;
}

void diff_renamed_with(struct diff_pass *pass)
{
	struct word_change *words = NULL;
	size_t word_count = 0;

	for (size_t i = 0; i < pass->change_count && word_count < WORDS_MAX; i++) {
		if (!is_renamed_ioctl(&pass->changes[i]))
			continue;
		if (!words)
			words = arena_array(pass->arena, WORDS_MAX, sizeof(*words));
		word_count += word_change_of(&words[word_count], &pass->changes[i]);
	}
	if (!words)
		return;
	rename_records(pass);
	rename_constants(pass, words, word_count);
	drop_empty(pass);
}
