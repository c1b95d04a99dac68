/*
 * verify/pids.h - the ioctls of a version that carry process ids, and where
 *
 * Layer L3, a pure pass. A field is a pid if its role says so, or if a rule says that it is one of a virtual machine's
 * guest. What a rule does not say is unknown, and stays so.
 */
#ifndef VERIFY_PIDS_H
#define VERIFY_PIDS_H

#include "verify/surface.h"

/* Does the driver convert a field to the caller's pid namespace by itself, in one version? */
enum pids_converts {
	PIDS_UNKNOWN, /* the version is no release, or no rule matches the field */
	PIDS_NO,
	PIDS_YES,
};

/* A pid, or a row of them. Offsets and sizes in bytes, from the start of the parameters. */
struct pids_field {
	const char *path;  /* "pidTbl[]", "ProcessID" */
	const char *type;
	uint64_t offset;   /* of the first one, from the start of the parameters, or of what @pointer leads to */
	uint64_t width;    /* of one */
	uint64_t stride;   /* from one to the next; 0 if there is one only */
	uint64_t max;      /* how many there may be; 0: as many as @count says, without a bound */
	const struct abi_leaf *count; /* the field that says how many there are; NULL if there is none */
	const struct abi_leaf *pointer; /* the parameters have this pointer, and the pid is behind it; NULL: in them */
	const char *union_path;       /* the union that it is in, so that it is a pid only in some calls; NULL: none */
	const struct pid_rule *rule;  /* NULL: none matches */
	enum pids_converts converts;
};

struct pids_row {
	const struct surface_row *ioctl; /* it has an ioctl and a record */
	const struct pids_field *fields; /* by offset */
	size_t field_count;
};

struct pids {
	const struct surface *surface;
	const struct pids_row *rows; /* by family, number, name */
	size_t row_count;
	size_t forwarded;            /* rows with an entry */
};

/**
 * pids_select - the ioctls among @surface that carry a pid
 * @out:   set on success, untouched on failure; lives in @arena; @surface and @rules must outlive it
 * @rules: may be empty; those of pointers say what is behind one, "list->[].pid"
 *
 * An array of arrays gives a field for each of the inner elements: one stride says where the others of a field are.
 * Return: 0; what flatten_record() returns of a parameter record; ERR_LIMIT for a record with an absurd number of them.
 */
int pids_select(struct pids *out, const struct surface *surface, const struct use_rules *rules, struct arena *arena, struct err *err);

/* pids_direction - "in", "out", "inout"; NULL for what is not known. */
const char *pids_direction(const struct pids_field *field);

/* pids_of_guest - is it a process of a virtual machine? A proxy must leave it as it is. */
bool pids_of_guest(const struct pids_field *field);

#endif
