#include "cli/diff_suppress.h"

#include "cli/class_list.h"
#include "cli/suppress_file.h"

#include <string.h>

int diff_accepted_read(struct diff_accepted *out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct diff_accepted accepted = { .fails = ~0u };
	int rc;

	if ((args->fail_on && (rc = class_list_read_as(&accepted.fails, "--fail-on", args->fail_on, err))) ||
	    (args->suppress && (rc = suppress_file_read(&accepted.suppressions, args->suppress, class_list_word, arena, err))))
		return rc;
	*out = accepted;
	return 0;
}

/* The line that covers a class of a change, under whichever of its names. */
static struct suppression *line_for(const struct suppressions *suppressions, const struct diff_change *change, unsigned class_bit,
				    const char *version)
{
	struct suppression *line = suppressions_find(suppressions, class_bit, change->name, version);

	if (!line && change->base_name)
		line = suppressions_find(suppressions, class_bit, change->base_name, version);
	for (size_t i = 0; !line && i < change->also_count; i++)
		line = suppressions_find(suppressions, class_bit, change->also[i], version);
	return line;
}

/* The classes of a change that no line covers. */
static unsigned classes_left(struct suppressions *suppressions, const struct diff_change *change, const char *version)
{
	unsigned left = change->classes;

	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++) {
		struct suppression *line = change->classes & 1u << bit ? line_for(suppressions, change, 1u << bit, version) : NULL;

		if (!line)
			continue;
		line->used++;
		left &= ~(1u << bit);
	}
	return left;
}

size_t diff_accept(struct diff *diff, struct diff_accepted *accepted, struct arena *arena)
{
	bool *dropped = arena_array(arena, diff->change_count + 1, sizeof(*dropped));
	size_t left = 0, before = diff->change_count;

	accepted->left = arena_array(arena, before + 1, sizeof(*accepted->left));
	for (size_t i = 0; i < before; i++) {
		unsigned classes = classes_left(&accepted->suppressions, &diff->changes[i], diff->next->version);

		dropped[i] = !classes;
		if (classes)
			accepted->left[left++] = classes;
	}
	if (!accepted->suppressions.path)
		return 0;
	suppressions_try(&accepted->suppressions, NULL, &diff->next->version, 1);
	diff_drop(diff, dropped, arena);
	return before - left;
}

bool diff_fails(const struct diff *diff, const struct diff_accepted *accepted)
{
	for (size_t i = 0; i < diff->change_count; i++)
		if (accepted->left[i] & accepted->fails)
			return true;
	return false;
}
