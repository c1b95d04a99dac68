/*
 * verify/numbers.h - which ioctl has a number in a version, and how commands are named
 *
 * Inside the room.
 */
#ifndef VERIFY_NUMBERS_H
#define VERIFY_NUMBERS_H

#include "abi/abi.h"

/* The ioctls of a document by family and number. */
struct numbers {
	const struct abi *abi;
	const struct abi_ioctl **by_number;
};

void numbers_init(struct numbers *out, const struct abi *abi, struct arena *arena);

/* numbers_find - the first ioctl with that number, and at *@count how many follow it that have it too; NULL if none. */
const struct abi_ioctl *const *numbers_find(const struct numbers *numbers, const char *family, uint64_t number, size_t *count);

/* numbers_constant_is - is @name a macro with the value @number? False for NULL. */
bool numbers_constant_is(const struct abi *abi, const char *name, uint64_t number);

/**
 * numbers_is_command - is @ioctl the command of a table's entry, by its name?
 * @constant: the macro that the entry names; NULL if it names none
 * @entry:    the entry's own name. Without a macro it may be that of the ioctl, or of the same command as a method
 *            without a macro: "NV2080_CTRL_CMD_GPU_RELEASE_X" and "subdeviceCtrlCmdGpuReleaseX", where what follows
 *            CTRL_CMD is the same but for case and underscores
 */
bool numbers_is_command(const struct abi *abi, const struct abi_ioctl *ioctl, const char *constant, const char *entry);

/* numbers_of_command - the first ioctl that is that command, of @family or (NULL) of any; NULL if there is none. */
const struct abi_ioctl *numbers_of_command(const struct numbers *numbers, const char *family, const char *constant, const char *entry);

/**
 * numbers_params_by_name - the record that a command's parameters would have by the driver's naming convention
 *
 * "NV2080_CTRL_CMD_BIOS_GET_INFO" takes "NV2080_CTRL_BIOS_GET_INFO_PARAMS".
 * Return: NULL if the document has no record of that name.
 */
const struct abi_record *numbers_params_by_name(const struct abi *abi, const char *constant, struct arena *arena);

#endif
