#include "history/command.h"

#include <stdlib.h>
#include <string.h>

/* "NV2080_CTRL_CMD_X" has "_CTRL_CMD_": the word before CMD belongs to it. Return: its start, or NULL. */
static const char *find_infix(const char *name, size_t *length)
{
	const char *cmd = strstr(name, "_CMD_"), *start = cmd;

	if (!cmd)
		return NULL;
	while (start > name && start[-1] != '_')
		start--;
	if (start == name)
		return NULL;
	start--;
	*length = (size_t)(cmd - start) + strlen("_CMD_");
	return start;
}

struct command_form command_form_of(const struct abi *abi)
{
	struct command_form form = { .family = NULL };

	for (size_t i = 0; i < abi->ioctl_count && !form.family; i++) {
		form.infix = find_infix(abi->ioctls[i].name, &form.infix_length);
		if (form.infix)
			form.family = abi->ioctls[i].family;
	}
	return form;
}

bool command_is_macro(const struct command_form *form, const struct abi_constant *constant)
{
	return form->family && !constant->value.negative &&
	       memmem(constant->name, strlen(constant->name), form->infix, form->infix_length);
}

/* Has @name the number in @abi, as a macro or as an ioctl's name? */
static bool has_number(const struct abi *abi, const char *name, uint64_t number)
{
	const struct abi_constant *constant = abi_find_constant(abi, name);

	return constant && !constant->value.negative && constant->value.magnitude == number;
}

/* What a change is about on one side; false if it is not there, or no command. */
static bool side_of(uint64_t *number, const char **name, const struct command_form *form, const struct abi_ioctl *ioctl,
		    const struct abi_constant *constant)
{
	if (ioctl && !strcmp(ioctl->family, form->family)) {
		*number = ioctl->number;
		*name = ioctl->name;
		return true;
	}
	if (constant && command_is_macro(form, constant)) {
		*number = constant->value.magnitude;
		*name = constant->name;
		return true;
	}
	return false;
}

/* Where the macro that had the number went. */
static void set_owner_now(struct diff_change *change, const struct abi *next)
{
	const struct abi_ioctl *ioctl = change->number_was ? abi_find_ioctl(next, NULL, change->number_was) : NULL;
	const struct abi_constant *constant = change->number_was ? abi_find_constant(next, change->number_was) : NULL;

	change->number_was_is_gone = change->number_was && !ioctl && !constant;
	change->number_was_now = ioctl ? ioctl->number : constant ? constant->value.magnitude : 0;
}

/* The numbers that changes ask for in one version, and who had each there and has it no more in the other. */
struct owners {
	const struct command_form *form;
	const struct abi *abi, *other;
	uint64_t *number; /* sorted; each may stand more than once, and then the first one counts */
	const char **name; /* by number; NULL: nobody */
	size_t count;
};

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The first of the numbers that is not below @number. */
static size_t find_number(const struct owners *owners, uint64_t number)
{
	size_t low = 0, high = owners->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (owners->number[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* One pass over the constants, however many numbers there are. */
static void find_owners(struct owners *owners)
{
	if (owners->count > 1)
		qsort(owners->number, owners->count, sizeof(*owners->number), compare_numbers);
	for (size_t i = 0; owners->count && i < owners->abi->constant_count; i++) {
		const struct abi_constant *constant = &owners->abi->constants[i];
		size_t at = find_number(owners, constant->value.magnitude);

		if (at < owners->count && owners->number[at] == constant->value.magnitude && !owners->name[at] &&
		    command_is_macro(owners->form, constant) && !has_number(owners->other, constant->name, constant->value.magnitude))
			owners->name[at] = constant->name;
	}
}

/* The first command that has the number in the one version, but neither there as @self nor any more in the other. */
static const char *former_owner(const struct owners *owners, uint64_t number, const char *self)
{
	const struct abi_constant *own = abi_find_constant(owners->abi, self);

	return own && own->value.magnitude == number && command_is_macro(owners->form, own) ? NULL : owners->name[find_number(owners, number)];
}

/* Is it to be asked whose number it was? Then in base, or @went: in next. */
static bool is_asked(uint64_t *number, const char **name, bool *went, const struct diff_change *change, const struct command_form *form)
{
	if (change->number_was || change->base_name)
		return false;
	*went = !side_of(number, name, form, change->next_ioctl, change->next_constant);
	return !*went || side_of(number, name, form, change->base_ioctl, change->base_constant);
}

void command_name_owners(struct diff_change *changes, size_t count, const struct abi *base, const struct abi *next, struct arena *arena)
{
	const struct command_form form = command_form_of(next);
	struct owners in_base = { &form, base, next, NULL, NULL, 0 }, in_next = { &form, next, base, NULL, NULL, 0 };
	const char *name;
	uint64_t number;
	bool went;

	if (!form.family || !count)
		return;
	for (int side = 0; side < 2; side++) {
		struct owners *owners = side ? &in_next : &in_base;

		owners->number = arena_array(arena, count, sizeof(*owners->number));
		owners->name = arena_array(arena, count + 1, sizeof(const char *));
		for (size_t i = 0; i < count; i++)
			if (is_asked(&number, &name, &went, &changes[i], &form) && went == side)
				owners->number[owners->count++] = number;
		find_owners(owners);
	}
	for (size_t i = 0; i < count; i++) {
		if (!is_asked(&number, &name, &went, &changes[i], &form))
			continue;
		changes[i].number_was = former_owner(went ? &in_next : &in_base, number, name);
		if (!went)
			set_owner_now(&changes[i], next);
	}
}

bool command_renumbered(const struct diff_change *change, const struct abi *next)
{
	struct command_form form;

	if (change->base_ioctl && change->next_ioctl)
		return change->base_ioctl->number != change->next_ioctl->number;
	if (!change->base_constant || !change->next_constant ||
	    abi_number_equal(change->base_constant->value, change->next_constant->value))
		return false;
	form = command_form_of(next);
	return command_is_macro(&form, change->base_constant);
}

bool command_reused(const struct diff_change *change)
{
	return change->number_was && (change->next_ioctl || change->next_constant);
}
