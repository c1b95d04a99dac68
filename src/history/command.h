/*
 * history/command.h - command numbers that only a macro has
 *
 * Private to history/. A macro such as NV2080_CTRL_CMD_X is a command's
 * number whether or not the driver's tables offer the command: a proxy that
 * forwards numbers forwards those, too. The differ knows such a macro only
 * as a constant.
 */
#ifndef HISTORY_COMMAND_H
#define HISTORY_COMMAND_H

#include "diff/diff.h"

/* How the macros of a family's ioctls are named. */
struct command_form {
	const char *family;  /* "control"; NULL: no ioctl has a name of that form, and no macro counts as a command */
	const char *infix;   /* "_CTRL_CMD_", in the name of the first ioctl that has it; not NUL-terminated */
	size_t infix_length;
};

/* command_form_of - derived from the ioctls of @abi; points into @abi. */
struct command_form command_form_of(const struct abi *abi);

/* command_is_macro - is @constant the number of a command, by its name? */
bool command_is_macro(const struct command_form *form, const struct abi_constant *constant);

/*
 * command_name_owners - set number_was of the changes where only a macro tells whose number it was
 * @arena: for what only this call needs
 *
 * Of an ioctl or command that is new to its number: the macro that had the
 * number in @base and has it no more in @next. Of one that went: the macro
 * that has it now. What the differ has set stays.
 */
void command_name_owners(struct diff_change *changes, size_t count, const struct abi *base, const struct abi *next, struct arena *arena);

/*
 * command_renumbered - an ioctl with another number, under the same or a new name; or a command's macro with another value
 * @next: the document that the change led to
 */
bool command_renumbered(const struct diff_change *change, const struct abi *next);
/* command_reused - this ioctl or command has a number that was another one's. */
bool command_reused(const struct diff_change *change);

#endif
