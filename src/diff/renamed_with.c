/*
 * diff/renamed_with.c - what was renamed together with an ioctl
 *
 * 1. The parameter record of a renamed ioctl, if nothing of it changed but names.
 * 2. Constants. Where COVERAGE became INSTRUMENTATION in the ioctl's name, a
 *    constant that went and has the word COVERAGE, and one that came with
 *    INSTRUMENTATION in its stead and has the same value, are one: the
 *    interface's number, a message's number. Both names begin as the ioctl's do.
 *
 * Each is told with the ioctl. If several ioctls tell it, the first does.
 */
#include "diff/pass.h"

#include <stdlib.h>
#include <string.h>

/* In the name of an ioctl, whole words that became others. Not NUL-terminated. */
struct word_change {
	const char *ioctl; /* its name in next */
	const char *from, *to;
	size_t from_length, to_length;
};

/* Where a name stands in the list of changes. */
struct added_name {
	const char *name;
	size_t change;
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

/* The first renamed ioctl that had the record as its parameters, and has it. */
static const char *ioctl_of_record(const struct diff_pass *pass, const struct diff_change *record)
{
	for (size_t i = 0; i < pass->change_count; i++) {
		const struct diff_change *change = &pass->changes[i];

		if (is_renamed_ioctl(change) && has_name(record, record->name, change->next_ioctl->params) &&
		    has_name(record, record->base_name, change->base_ioctl->params))
			return change->name;
	}
	return NULL;
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

static void rename_constants(struct diff_pass *pass, const struct word_change *words, size_t word_count)
{
	size_t added_count;
	const struct added_name *added = list_added(&added_count, pass);

	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *went = &pass->changes[i];

		for (size_t w = 0; w < word_count && went->kind == ABI_CONSTANT && went->classes == DIFF_REMOVED; w++) {
			struct diff_change *came = find_renamed(pass, added, added_count, went, &words[w]);

			if (came)
				join_constants(came, went, words[w].ioctl);
		}
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
	struct word_change *words;
	size_t renamed = 0, word_count = 0;

	for (size_t i = 0; i < pass->change_count; i++)
		renamed += is_renamed_ioctl(&pass->changes[i]);
	if (!renamed)
		return;
	words = arena_array(pass->arena, renamed, sizeof(*words));
	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];

		if (is_renamed_ioctl(change) && word_change_of(&words[word_count], change))
			word_count++;
		if (change->kind == ABI_RECORD && change->base_name && change->classes == DIFF_NAME)
			change->with = ioctl_of_record(pass, change);
	}
	rename_constants(pass, words, word_count);
	drop_empty(pass);
}
