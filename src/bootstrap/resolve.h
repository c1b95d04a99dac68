/*
 * bootstrap/resolve.h - what an entry of the table is in a later version
 *
 * Inside the room. resolve.c says how a renamed or renumbered ioctl is found again.
 */
#ifndef BOOTSTRAP_RESOLVE_H
#define BOOTSTRAP_RESOLVE_H

#include "abi/abi.h"

/* A record of an entry, as a version has it. */
struct resolved_struct {
	const char *record;       /* its name there; NULL: there is none */
	bool has_layout;          /* false for an alias ("NvHandle") and for none */
	struct abi_layout layout;
	uint64_t size_bytes;
};

struct resolved {
	bool is_gone;             /* the version has no such ioctl */
	const char *constant;     /* NULL: it has no macro there */
	uint64_t number;
	const struct abi_ioctl *ioctl; /* NULL: no table of the driver lists it */
	const struct resolved_struct *structs; /* beside those of the entry */
};

/* @entry is right for @base; @next is the same version or a later one. */
struct resolver {
	const struct abi *base, *next;
	struct arena *arena;
	struct err *err;
};

/* resolve_entry - Return: 0; what flatten_record() returns. */
int resolve_entry(struct resolved *out, const struct resolver *resolver, const struct table_entry *entry);

/* resolve_ioctl - the ioctl of a family and number, of several the one called @name; NULL if there is none. */
const struct abi_ioctl *resolve_ioctl(const struct abi *abi, const char *family, uint64_t number, const char *name);

/* resolve_is_command - is @name that of a command's macro, "NV2080_CTRL_CMD_X"? */
bool resolve_is_command(const char *name);

/* resolve_params_by_name - by the driver's custom NV2080_CTRL_CMD_X takes NV2080_CTRL_X_PARAMS; NULL if there is no such record. */
const char *resolve_params_by_name(const struct abi *abi, const char *name, struct arena *arena);

/* resolve_same_type - two spellings of one thing: the same name, or a tag and its typedefs. */
bool resolve_same_type(const struct abi *abi, const char *a, const char *b);

/* resolve_layout - the layout of a record or the size of an alias; nothing if @abi has neither. */
int resolve_layout(struct resolved_struct *out, const struct abi *abi, const char *name, struct arena *arena, struct err *err);

#endif
