/*
 * extract/dispatch.h - which ioctls the driver's source sends on to a function
 *
 * Layer L2, inside ioctls/. A header may define numbers that no code answers. What is
 * answered is in a "switch (cmd)": plain labels, "case UVM_DEINITIALIZE:", and macros that
 * are a label with its code, "UVM_ROUTE_CMD_STACK_INIT_CHECK(UVM_FREE, uvm_api_free);", of
 * which a profile names the globs. That form is the same in all tags from 515.43.04 to
 * 595.45.04. In steps:
 *
 * 1. Every switch over a command in the files is read, one statement at a time; a block or
 *    another statement of a case is skipped.
 * 2. A label that is not one name makes it unknown what is dispatched: there is a warning, and
 *    `is_known` is false. So does a switch without an end.
 * 3. Before an ioctl counts as dispatched nowhere, the files must not mention it at all:
 *    dispatch_mention() finds what another form may dispatch.
 */
#ifndef EXTRACT_DISPATCH_H
#define EXTRACT_DISPATCH_H

#include "extract/table_file.h"

struct dispatch_label {
	const char *name;   /* of the macro */
	const char *source; /* "path:line" */
	bool conditional;   /* it is under an #if */
	bool is_used;       /* an ioctl of the family has its number */
};

/* A file that was read: its text without comments and literals. */
struct dispatch_text {
	const char *path;
	struct view text;
};

struct dispatch {
	struct dispatch_label *labels; /* in the order of the files; freed by dispatch_release() */
	size_t label_count;
	size_t label_capacity;
	struct dispatch_text *texts;
	size_t text_count;
	size_t text_capacity;
	bool is_known; /* nothing was met that is not understood. Set it before the first file */
};

/* dispatch_scan - append what one file dispatches; strings are in the file's arena. @macros: globs */
void dispatch_scan(struct dispatch *out, const struct table_file *file, const struct profile_strings *macros);
void dispatch_release(struct dispatch *dispatch);

/* dispatch_mention - "path:line" of the first mention of @name in any file, in @arena; NULL if there is none. */
const char *dispatch_mention(const struct dispatch *dispatch, const char *name, struct arena *arena);

#endif
