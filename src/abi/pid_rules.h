/*
 * abi/pid_rules.h - how a driver uses the process ids in its ioctls
 *
 * Layer L1. A field's type does not tell whether the driver reads it or writes it, which other field counts it, or whether
 * the driver converts it to the caller's pid namespace. People read that in the driver's source; json/ reads what they
 * wrote ("drvabi-use/1", src/profile/FORMAT.md), pids/ applies it.
 */
#ifndef ABI_PID_RULES_H
#define ABI_PID_RULES_H

#include "abi/document.h"

/* Closed; names in json/read_use.c and pids/pids.c. */
enum pid_direction {
	PID_UNKNOWN, /* no rule says */
	PID_IN,
	PID_OUT,
	PID_INOUT,
};

/* Versions that convert, by abi_version_compare(). */
struct pid_span {
	const char *since; /* the first one that does */
	const char *until; /* the first one after it that does not; NULL: none */
};

struct pid_rule {
	const char *record; /* glob over the parameter record's name */
	const char *path;   /* glob over the field's path, "pidInfoList[].pid" */
	enum pid_direction direction;
	bool of_guest;      /* a process of a virtual machine: no pid of the host */
	const char *count;  /* path of the field in the record that counts the elements; NULL: none */
	const struct pid_span *converts; /* by since */
	size_t convert_count;
	const char *evidence; /* for people: where the driver's source says so */
};

/* The first rule that matches a field decides. */
struct pid_rules {
	const struct pid_rule *rules;
	size_t count;
};

#endif
