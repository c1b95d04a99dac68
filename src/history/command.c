#include "history/command.h"

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

/* The first command that has the number in @abi, but neither there as @self nor any more in @other. */
static const char *former_owner(const struct command_form *form, const struct abi *abi, const struct abi *other, uint64_t number,
				const char *self)
{
	const char *found = NULL;

	for (size_t i = 0; i < abi->constant_count; i++) {
		const struct abi_constant *constant = &abi->constants[i];

		if (constant->value.magnitude != number || !command_is_macro(form, constant))
			continue;
		if (!strcmp(constant->name, self))
			return NULL;
		if (!found && !has_number(other, constant->name, number))
			found = constant->name;
	}
	return found;
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

void command_name_owner(struct diff_change *change, const struct command_form *form, const struct abi *base, const struct abi *next)
{
	const char *name;
	uint64_t number;

	if (change->number_was || change->base_name || !form->family)
		return;
	if (side_of(&number, &name, form, change->next_ioctl, change->next_constant)) {
		change->number_was = former_owner(form, base, next, number, name);
		set_owner_now(change, next);
	} else if (side_of(&number, &name, form, change->base_ioctl, change->base_constant)) {
		change->number_was = former_owner(form, next, base, number, name);
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
