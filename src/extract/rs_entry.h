/*
 * extract/rs_entry.h - the classes that can be allocated, from resource_list.h
 *
 * Layer L2, inside ioctls/. The list is a file of RS_ENTRY(...) invocations
 * with eight arguments, the same in all tags from 515.43.04 to 595.45.04:
 * external class, internal class, several instances, parents, parameters,
 * priority of freeing, flags, access rights.
 */
#ifndef EXTRACT_RS_ENTRY_H
#define EXTRACT_RS_ENTRY_H

#include "extract/table_file.h"

struct rs_entry {
	const char *name;            /* macro of the class: "NV01_ROOT" */
	const char *params;          /* T of RS_REQUIRED(T) or RS_OPTIONAL(T); NULL for RS_NONE */
	bool required;
	bool conditional;            /* it is under an #if */
	struct view flags;   /* "RS_FLAGS_A | RS_FLAGS_B" as written, comments blanked; in the arena */
	struct view access;  /* "RS_ACCESS_NONE" */
	unsigned line;
};

struct rs_entries {
	struct rs_entry *items; /* in the order of the file; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/* rs_entry_scan - append the entries of one file; strings are in the file's arena. */
void rs_entry_scan(struct rs_entries *out, const struct table_file *file);

#endif
