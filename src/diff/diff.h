/*
 * diff/diff.h - the changes between two documents, and their meaning for a proxy
 *
 * Layer L3, a pure pass: compares, never prints.
 */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "abi/abi.h"

#define DIFF_FORMAT "drvabi-diff/1"

/* The meaning of a change for a proxy; a change may be of several classes. */
enum diff_class {
	DIFF_TRANSLATION = 1 << 0, /* a pointer, fd, handle or pid was added, removed or moved */
	DIFF_LAYOUT = 1 << 1,      /* offset, size, type or length of existing bytes */
	DIFF_NUMBER = 1 << 2,      /* an ioctl or class number, or an ioctl's parameter record */
	DIFF_GROWTH = 1 << 3,      /* bytes appended, or in former padding */
	DIFF_VALUE = 1 << 4,       /* enumerator or constant */
	DIFF_ACCESS = 1 << 5,      /* who may call an ioctl: its privileges and rights */
	DIFF_FLAGS = 1 << 6,       /* an ioctl's other flags */
	DIFF_NAME = 1 << 7,        /* renamed, same bytes */
	DIFF_ADDED = 1 << 8,
	DIFF_REMOVED = 1 << 9,
};
enum { DIFF_CLASS_COUNT = 10 };
/* diff_class_name - of one bit: "translation"; in the order above, which is the order of weight. */
const char *diff_class_name(enum diff_class one);

/* The change of one field, enumerator or attribute. Closed. */
enum diff_op {
	DIFF_OP_ADDED,
	DIFF_OP_REMOVED,
	DIFF_OP_MOVED,
	DIFF_OP_RENAMED,
	DIFF_OP_RETYPED,
	DIFF_OP_RESIZED
};
const char *diff_op_name(enum diff_op op);

/* What the proxy does with the changed item. */
enum diff_use {
	DIFF_USE_NONE,	 /* it does not forward it; or it was added or removed inside another record that
			    changed */
	DIFF_USE_UNREAD, /* it passes the parameters through */
	DIFF_USE_READ,	 /* it has a type of its own for them, or for the record around them */
};
/* diff_use_name - "none", "unread", "read" */
const char *diff_use_name(enum diff_use use);

/* The work that a change means for the proxy, by weight. Closed. */
enum diff_section {
	DIFF_SECTION_NONE,    /* it does not forward it; the last one of a report */
	DIFF_SECTION_READ,    /* a record that it reads, or a number or name by which it knows an ioctl */
	DIFF_SECTION_HANDLER, /* it passes the record through unread, and a pointer, fd or pid was added */
	DIFF_SECTION_UNREAD,  /* it forwards it, and has nothing to do */
};
/* diff_section_name - "read", "handler", "unread", "none" */
const char *diff_section_name(enum diff_section section);

/* An added scalar that a proxy must translate: a pointer, an fd or a pid. */
struct diff_new_role {
	const char *path; /* in next; "" for an ioctl of whose parameters the driver now follows a pointer */
	enum abi_role role;
};

/* A field as it is on one side. */
struct diff_field_side {
	const char *path; /* "tpcConfigID", "e[].c" */
	const char *type; /* as declared */
	uint64_t offset_bits;
	uint64_t size_bits;
	bool is_bitfield;
	enum abi_role role;
};

struct diff_field {
	enum diff_op op;                   /* the most important one of its changes */
	bool moved, renamed, retyped, resized; /* all that happened to a field present on both sides */
	unsigned classes;                  /* of this field alone */
	const struct diff_field_side *before; /* NULL if added */
	const struct diff_field_side *after;  /* NULL if removed */
};

/* An enumerator that was added or removed, or has another value. */
struct diff_value {
	const char *name;
	const char *base_name;           /* of one that has another name and the same value; else NULL */
	const struct abi_number *before; /* NULL if added */
	const struct abi_number *after;  /* NULL if removed */
};

/*
 * The effect of a flag: who may call (the privilege, another condition, a right), or nothing about the
 * caller. Closed; in the order of reports.
 */
enum diff_flag_kind { DIFF_FLAG_LEVEL, DIFF_FLAG_CALLER, DIFF_FLAG_RIGHT, DIFF_FLAG_OTHER };

/* A flag or right that an ioctl has in one version only. */
struct diff_flag {
	const char *word; /* "privileged" */
	enum diff_flag_kind kind;
	bool is_added;    /* else it was removed */
};

/*
 * How an ioctl reaches a record: family, name, and the records in between, the ioctl's own parameters first,
 * the record itself last.
 */
struct diff_reach {
	const struct abi_ioctl *ioctl; /* in next, or in base if it was removed */
	const char *const *through;
	size_t through_count;
};

struct diff_change {
	enum abi_kind kind;
	const char *name;          /* in next, or in base if removed */
	const char *base_name;     /* if it was renamed; else NULL */
	const char *family;        /* of an ioctl; else NULL */
	unsigned classes;          /* enum diff_class bits; never 0 */
	bool proxied;              /* the table forwards it, or an ioctl that carries it */
	const char *const *also;   /* other names of the record, sorted; with same_as: other added or removed
				      ones */
	size_t also_count;
	const char *same_as; /* only a name was added or removed: the name that both versions have; else NULL
			      */
	/* The two sides; NULL where absent. Which one is set goes by kind. */
	const struct abi_record *base_record, *next_record;
	const struct abi_alias *base_alias, *next_alias;
	const struct abi_enum *base_enum, *next_enum;
	const struct abi_constant *base_constant, *next_constant;
	const struct abi_ioctl *base_ioctl, *next_ioctl;
	/*
	 * An ioctl whose number, in the other version, is another one's: that one's name; else NULL. For an
	 * ioctl that is in next, even if the other one was removed: the number of the other one there, or
	 * that it was removed.
	 */
	const char *number_was;
	uint64_t number_was_now;
	bool number_was_is_gone;
	const struct diff_field *fields; /* of a record, by offset in next (removed ones by offset in base) */
	size_t field_count;
	const struct diff_value *values; /* of an enum */
	size_t value_count;
	const struct diff_flag *flags; /* for an ioctl: the added or removed ones, by kind; added ones first
					*/
	size_t flag_count;
	const struct diff_reach *reached_by; /* ioctls that carry the record or are named by the constant; by
						family, name */
	size_t reach_count;
	const struct table_entry *const *entries; /* the table's entries that it touches */
	size_t entry_count;
	enum diff_use use;         /* NONE without a table; proxied.c has the rules */
	enum diff_section section;     /* NONE without a table */
	const struct diff_new_role *new_roles; /* for DIFF_SECTION_HANDLER only */
	size_t new_role_count;
	const char *const *because; /* a record that changed only through records inside it: the names of
				       these, by offset */
	size_t because_count;
	const char *inside;        /* the changed record inside which it was added or removed; else NULL */
	const char *with;          /* a record or constant that was renamed together with an ioctl: the name
				      of that ioctl in next; else NULL */
	const struct diff_change *under; /* the change below which it is reported; NULL: reported by itself */
	const struct diff_change *const *reported; /* those that are reported below it, in the order of the
						      diff */
	size_t reported_count;
};

/* The changes of forwarded items; all 0 without a table. */
struct diff_totals {
	size_t changes;   /* that are proxied, of any kind */
	size_t records;   /* that changed or were removed, except those inside others */
	size_t read;      /* of these, those that the proxy reads */
	size_t handlers;  /* of these, those to which a pointer, fd or pid was added */
	size_t removed, renumbered, renamed; /* ioctls; renumbered: or with another parameter record or
						argument */
	size_t entries;   /* of the table that records or ioctls of the above touch */
	size_t read_entries; /* of these, those for which the proxy has to read something else, or by another
				number or name */
};

struct diff_count {
	size_t added, removed, changed;
};

struct diff {
	const struct abi *base, *next;
	const struct table_view *view;     /* NULL without a table */
	const struct diff_change *changes; /* proxied first, and these by section; ioctls and records, enums,
					      aliases, constants; then weight of class, kind, name */
	size_t change_count;
	struct diff_count summary[ABI_KIND_COUNT]; /* by enum abi_kind */
	size_t class_total[DIFF_CLASS_COUNT];      /* changes that have the class */
	struct diff_totals totals;                   /* of all changes, even if options.record selects some */
};

struct diff_options {
	const struct table_view *view; /* or NULL; with it, an added ioctl that is not dispatched is not a
					  change */
	unsigned classes;              /* only changes of one of these classes; 0: all */
	const char *record;            /* glob: only changes whose name, or a name in also, through, or of an
					  ioctl in reached_by, matches; NULL: all */
};

/**
 * diff_documents - compare
 * @out: in @arena; base and next must outlive it
 *
 * Return: 0, also when nothing differs; ERR_USAGE if the targets or drivers differ; the error of
 * flatten_record() for a document that contradicts itself.
 */
int diff_documents(struct diff *out, const struct abi *base, const struct abi *next,
		   const struct diff_options *options, struct arena *arena, struct err *err);

/* diff_item - the changed item in next or in base, of the change's kind; NULL if it is not there. */
const void *diff_item(const struct diff_change *change, bool of_next);

/* diff_count_change - add @change to @summary, by kind, and to @class_total, by class. */
void diff_count_change(struct diff_count summary[ABI_KIND_COUNT], size_t class_total[DIFF_CLASS_COUNT],
		       const struct diff_change *change);

/**
 * diff_drop - leave changes out
 * @dropped: by change
 *
 * The list is built again in @arena, and the numbers are counted again, except for the totals.
 */
void diff_drop(struct diff *diff, const bool *dropped, struct arena *arena);

/**
 * diff_users - the ioctls of one document that carry a record
 * @users: set on success, by family and name; in @arena
 * @record: one of @abi's own
 *
 * Return: 0; the error of diff_documents() for a document that contradicts itself.
 */
int diff_users(const struct diff_reach **users, size_t *count, const struct abi *abi,
	       const struct abi_record *record, struct arena *arena, struct err *err);

#endif
