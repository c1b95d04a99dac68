/*
 * extract/nvoc.h - the control commands, from the tables of exported methods
 *
 * Layer L2, inside ioctls/. NVIDIA's object compiler writes one array of
 * struct NVOC_EXPORTED_METHOD_DEF per class into g_*_nvoc.c: a braced entry
 * per method, each member on a line of its own behind its name in a comment.
 * That shape is the same in all tags from 515.43.04 to 595.45.04; an entry
 * that departs from it is left out with a warning.
 */
#ifndef EXTRACT_NVOC_H
#define EXTRACT_NVOC_H

#include "extract/table_file.h"

struct nvoc_method {
	uint64_t id;        /* the command */
	uint64_t flags;     /* RMCTRL_FLAGS_* */
	uint64_t access;    /* one bit for each RS_ACCESS_* */
	const char *params; /* the T of sizeof(T); NULL if the size is 0 */
	const char *func;   /* the method's name */
	bool conditional;   /* it is under an #if that the tables usually do not have */
	const char *source; /* "path:line" of its opening brace */
};

struct nvoc_methods {
	struct nvoc_method *items; /* in the order of the files; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/* nvoc_scan - append the methods of one file; strings are in the file's arena. */
void nvoc_scan(struct nvoc_methods *out, const struct table_file *file);

#endif
