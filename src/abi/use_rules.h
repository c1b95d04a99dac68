/*
 * abi/use_rules.h - what a driver does with the fields in its ioctls
 *
 * Layer L1. A field's type does not tell whether the driver reads it or writes it, which other field counts it, whether
 * the driver converts a process id to the caller's pid namespace, how much memory it copies from behind a pointer, which
 * member of a union is valid, or under which device files its ioctls are.
 * People read that in the driver's source; json/ reads what they wrote ("drvabi-use/1", docs/profile.md), pids/ and
 * call/ apply it.
 */
#ifndef ABI_USE_RULES_H
#define ABI_USE_RULES_H

#include "abi/document.h"

/* Closed; names in abi/read_use.c, decode/pointers.c and verify/pids.c. */
enum use_direction {
	USE_UNKNOWN, /* no rule says */
	USE_IN,      /* the driver reads it */
	USE_OUT,
	USE_INOUT,
};

/* Versions, by abi_version_compare(). */
struct use_span {
	const char *since; /* the first one */
	const char *until; /* the first one after it that is none of them; NULL: none */
};

struct pid_rule {
	const char *record; /* glob over the parameter record's name */
	const char *path;   /* glob over the field's path, "pidInfoList[].pid" */
	enum use_direction direction;
	bool of_guest;      /* a process of a virtual machine: no pid of the host */
	const char *count;  /* path of the field in the record that counts the elements; NULL: none */
	const struct use_span *converts; /* versions in which the driver converts it, by since */
	size_t convert_count;
	const char *evidence; /* for people: where the driver's source says so */
};

/* The first rule that matches a field decides. */
struct pid_rules {
	const struct pid_rule *rules;
	size_t count;
};

/*
 * A pointer in a parameter record, and how much memory the driver copies from
 * or to what it points to. Paths are those of fields, "transData.edidData.pMessage".
 */
struct pointer_rule {
	const char *record; /* the parameter record's name */
	const char *ioctl;  /* the only one that it is true of; NULL: all that have the record */
	const char *path;   /* of the pointer */
	const char *count;  /* of the number of elements; NULL: one */
	const char *times;  /* of another number that they are multiplied by; NULL: none */
	const char *element; /* a type, as in a document */
	enum use_direction direction;
	const char *when;   /* of a field that must have a value; NULL: always */
	uint64_t mask;      /* the bits of it that count */
	uint64_t equals;    /* their value */
	const struct use_span *versions; /* in which this is so, by since; none: in all */
	size_t version_count;
	const char *evidence; /* for people */
};

/* All rules that match a record hold: one may have several pointers. */
struct pointer_rules {
	const struct pointer_rule *rules;
	size_t count;
};

/* A value of the field that says which member of a union is valid. */
struct union_choice {
	uint64_t value;
	const char *name;   /* the driver's word for it; NULL: it has none */
	const char *member; /* of the union */
};

/* A union, and the field that says which of its members is valid. With another value than those of @choices, any may be. */
struct union_rule {
	const char *record; /* that has both */
	const char *field;  /* the union; "" if it has no name */
	const char *by;     /* path of the other field; it may be in the union, if all members begin with it */
	const struct union_choice *choices; /* by value */
	size_t choice_count;
	const struct use_span *versions; /* in which this is so, by since; none: in all */
	size_t version_count;
	const char *evidence; /* for people */
};

/* The first that matches a union decides. */
struct union_rules {
	const struct union_rule *rules;
	size_t count;
};

/* A device of the driver. Without pointers: it goes into a workload's process as it is. */
struct device_rule {
	char path[64];   /* "/dev/nvidia#": "#" is its minor number; "*" at the end: anything */
	char family[16]; /* of its ioctls; "": no document has them */
	char driver[32]; /* its name in /proc/devices, where it has no fixed number; "*" at the end: anything. "": it is known by number or path */
	char module[16]; /* the kernel's module that must drive it, where drivers share a number; "": any */
	uint32_t major;  /* 0: none is fixed */
	uint32_t first_minor, last_minor;
};

/* The first that matches a device decides. */
struct device_rules {
	const struct device_rule *rules;
	size_t count;
};

struct use_rules {
	struct pid_rules pids;
	struct pointer_rules pointers;
	struct union_rules unions;
	struct device_rules devices;
};

#endif
