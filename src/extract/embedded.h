/*
 * extract/embedded.h - the commands whose parameter records hold pointers to user memory
 *
 * Layer L2, inside ioctls/. embedded_param_copy.c copies what such pointers
 * point to in and out, in a switch over the command; its case labels are the
 * list. Labels inside an #ifdef of a macro that the headers do not define are
 * not compiled and do not count.
 */
#ifndef EXTRACT_EMBEDDED_H
#define EXTRACT_EMBEDDED_H

#include "abi/abi.h"
#include "extract/table_file.h"

struct embedded_commands {
	uint64_t *items; /* sorted and unique after embedded_sort(); freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/* embedded_scan - append the commands of one file; a label without a value is a warning. */
void embedded_scan(struct embedded_commands *out, const struct table_file *file, const struct macro_index *macros);

void embedded_sort(struct embedded_commands *commands);
/* embedded_has - of sorted commands. */
bool embedded_has(const struct embedded_commands *commands, uint64_t number);

#endif
