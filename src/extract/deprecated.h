/*
 * extract/deprecated.h - the commands that a table turns over to converters
 *
 * Layer L2, inside ioctls/. rmapi_deprecated_control.c has an array of rows, one a command:
 *
 *     typedef struct { NvU32 cmd; RmDeprecatedControlHandler func; NvBool bSkipVGPU; } RmDeprecatedControlEntry;
 *     static const RmDeprecatedControlEntry rmDeprecatedControlTable[] =
 *     {
 *         { NV2080_CTRL_CMD_BIOS_GET_INFO, V2_CONVERTER(_NV2080_CTRL_CMD_BIOS_GET_INFO), NV_FALSE },
 *         { 0, NULL, NV_FALSE }
 *     };
 *
 * That form is the same in all tags from 515.43.04 to 595.45.04; bSkipVGPU is gone since
 * 555.42.02. The driver asks this table before the methods (RmDeprecatedGetControlHandler() in
 * _nv04ControlWithSecInfo()), if the flags of the call are 0. In steps:
 *
 * 1. The array of that name is looked for, and the definition of the type of its rows: how
 *    many members a row has, and which is which, is its to say.
 * 2. A row is a macro, a function or a macro's call that names one, and a constant for every
 *    NvBool: one that is NV_TRUE is a flag, "skip-vgpu". A row of another form is left
 *    out with a warning. The row with 0 ends the table.
 * 3. The table does not say which record a command has. The body of its function names
 *    the record. deprecated_names() says whether it does.
 */
#ifndef EXTRACT_DEPRECATED_H
#define EXTRACT_DEPRECATED_H

#include "extract/table_file.h"

struct deprecated_command {
	const char *macro;        /* "NV2080_CTRL_CMD_BIOS_GET_INFO" */
	const char *const *flags; /* words of the members that are NV_TRUE, in their order */
	size_t flag_count;
	struct view body; /* of its function; empty if the file does not define it */
	bool conditional;         /* it is under an #if */
	const char *source;       /* "path:line" */
};

struct deprecated_commands {
	struct deprecated_command *items; /* in the order of the table; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/* deprecated_scan - append the commands of one file; strings are in the file's arena. @table: the array's name */
void deprecated_scan(struct deprecated_commands *out, const struct table_file *file, const char *table);

/* deprecated_names - does the function of @command name @record? */
bool deprecated_names(const struct deprecated_command *command, const char *record);

#endif
