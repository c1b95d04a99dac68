/*
 * history/asked.c - which changes of an edge are asked for
 *
 * 1. The ioctls of both versions that have one of the names or numbers are
 *    marked.
 * 2. Each change of an ioctl whose one side is marked marks the other: the
 *    ioctl got a new name or number here, and what it carries still counts.
 * 3. A record is asked for by its own names, or if a marked ioctl carries it.
 */
#include "history/asked.h"

#include "history/untouched.h"

#include <fnmatch.h>
#include <string.h>

bool asked_name(const struct history_filter *filter, const char *name)
{
	for (size_t i = 0; name && i < filter->name_count; i++)
		if (!fnmatch(filter->names[i], name, 0))
			return true;
	return false;
}

bool asked_number(const struct history_filter *filter, uint64_t number)
{
	for (size_t i = 0; i < filter->number_count; i++)
		if (filter->numbers[i] == number)
			return true;
	return false;
}

static bool *mark_ioctls(const struct history_filter *filter, const struct abi *abi, struct arena *arena)
{
	bool *marked = arena_array(arena, abi->ioctl_count + 1, sizeof(*marked));

	for (size_t i = 0; i < abi->ioctl_count; i++)
		marked[i] = asked_number(filter, abi->ioctls[i].number) || asked_name(filter, abi->ioctls[i].name);
	return marked;
}

/* Where the mark of @ioctl is; NULL if it is none of @abi's. */
static bool *mark_of(bool *marked, const struct abi *abi, const struct abi_ioctl *ioctl)
{
	if (!ioctl || !abi->ioctl_count || ioctl < abi->ioctls || ioctl >= abi->ioctls + abi->ioctl_count)
		return NULL;
	return &marked[ioctl - abi->ioctls];
}

/* One ioctl of both versions, marked on one side. */
static void mark_partners(bool *base, bool *next, const struct diff *diff)
{
	for (size_t i = 0; i < diff->change_count; i++) {
		bool *was = mark_of(base, diff->base, diff->changes[i].base_ioctl);
		bool *is = mark_of(next, diff->next, diff->changes[i].next_ioctl);

		if (was && is)
			*was = *is = *was || *is;
	}
}

void asked_of(struct asked *out, const struct history_filter *filter, const struct diff *diff, struct arena *arena)
{
	bool *base = mark_ioctls(filter, diff->base, arena), *next = mark_ioctls(filter, diff->next, arena);

	mark_partners(base, next, diff);
	*out = (struct asked){
		.filter = filter,
		.diff = diff,
		.base_form = command_form_of(diff->base),
		.next_form = command_form_of(diff->next),
		.base = base,
		.next = next,
	};
}

static bool is_marked(const struct asked *asked, const struct abi_ioctl *ioctl)
{
	const bool *was = mark_of((bool *)asked->base, asked->diff->base, ioctl);
	const bool *is = mark_of((bool *)asked->next, asked->diff->next, ioctl);

	return (was && *was) || (is && *is);
}

/*
 * Two records may become two names of one. The change is of one of them, and
 * lists the other as well, although that one did not change.
 */
static bool is_named(const struct asked *asked, const struct diff_change *change)
{
	if (asked_name(asked->filter, change->name) || asked_name(asked->filter, change->base_name))
		return true;
	for (size_t i = 0; i < change->also_count; i++)
		if (asked_name(asked->filter, change->also[i]) &&
		    !history_same_record(asked->diff->base, asked->diff->next, change->also[i]))
			return true;
	return false;
}

static bool is_numbered(const struct asked *asked, const struct command_form *form, const struct abi_constant *constant)
{
	return constant && asked_number(asked->filter, constant->value.magnitude) && command_is_macro(form, constant);
}

static bool is_carried(const struct asked *asked, const struct diff_change *change)
{
	for (size_t i = 0; i < change->reach_count; i++)
		if (is_marked(asked, change->reached_by[i].ioctl))
			return true;
	return false;
}

bool asked_is(const struct asked *asked, const struct diff_change *change)
{
	if (!asked->filter->name_count && !asked->filter->number_count)
		return true;
	if (is_named(asked, change))
		return true;
	switch (change->kind) {
	case ABI_RECORD: return is_carried(asked, change);
	case ABI_IOCTL: return is_marked(asked, change->base_ioctl) || is_marked(asked, change->next_ioctl);
	case ABI_CONSTANT:
		return is_numbered(asked, &asked->base_form, change->base_constant) ||
		       is_numbered(asked, &asked->next_form, change->next_constant);
	case ABI_ALIAS:
	case ABI_ENUM: return false;
	}
	return false;
}

size_t asked_carriers(struct diff_change *change, const struct asked *asked, struct arena *arena)
{
	struct diff_reach *reach;
	size_t count = 0, rest;

	if (change->kind != ABI_RECORD)
		return 0;
	for (size_t i = 0; i < change->reach_count; i++)
		count += is_marked(asked, change->reached_by[i].ioctl);
	if (!count)
		return 0;
	reach = arena_array(arena, change->reach_count, sizeof(*reach));
	rest = count;
	count = 0;
	for (size_t i = 0; i < change->reach_count; i++)
		reach[is_marked(asked, change->reached_by[i].ioctl) ? count++ : rest++] = change->reached_by[i];
	change->reached_by = reach;
	return count;
}
