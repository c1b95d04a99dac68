/*
 * diff/diff.h - list the changes between two documents, and say what they mean for a proxy
 *
 * Layer L4: these functions compare documents, and do not print.
 */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "abi/abi.h"

#define DIFF_FORMAT "drvabi-diff/1"

/* What a change means for a proxy. A change can have several classes. */
enum diff_class {
	DIFF_TRANSLATION = 1 << 0, /* a pointer, fd, handle or pid was added, removed or moved */
	DIFF_LAYOUT = 1 << 1,      /* the offset, size, type or length of existing bytes changed */
	DIFF_NUMBER = 1 << 2,      /* the number of an ioctl or class changed, or the parameter record of an
				      ioctl */
	DIFF_GROWTH = 1 << 3,      /* bytes were appended, or use former padding */
	DIFF_VALUE = 1 << 4,       /* the value of an enumerator or constant changed */
	DIFF_ACCESS = 1 << 5,      /* the privileges or rights that an ioctl requires changed */
	DIFF_FLAGS = 1 << 6,       /* other flags of an ioctl changed */
	DIFF_NAME = 1 << 7,        /* only names changed, not bytes */
	DIFF_ADDED = 1 << 8,
	DIFF_REMOVED = 1 << 9,
};
enum { DIFF_CLASS_COUNT = 10 };
/*
 * diff_class_name - return the name of one class, such as "translation". The enum lists the most important
 * class first.
 */
const char *diff_class_name(enum diff_class one);

/* The main change of one field. */
enum diff_op {
	DIFF_OP_ADDED,
	DIFF_OP_REMOVED,
	DIFF_OP_MOVED,
	DIFF_OP_RENAMED,
	DIFF_OP_RETYPED,
	DIFF_OP_RESIZED
};
/* diff_op_name - return the name of a field's change, such as "moved" */
const char *diff_op_name(enum diff_op op);

/* What the proxy does with the changed item. */
enum diff_use {
	DIFF_USE_NONE, /* the proxy does not forward the item, or the item was added or removed inside a
			  changed record */
	DIFF_USE_UNREAD, /* the proxy forwards the parameters without reading them */
	DIFF_USE_READ, /* the proxy has its own type for the parameters, or for a record that contains them */
};
/* diff_use_name - return "none", "unread" or "read" */
const char *diff_use_name(enum diff_use use);

/* The work that a change means for the proxy. After NONE, the most important section is first. */
enum diff_section {
	DIFF_SECTION_NONE,    /* the proxy does not forward the item; last in a report */
	DIFF_SECTION_READ,    /* the proxy reads the record, or an ioctl's number or name changed */
	DIFF_SECTION_HANDLER, /* the proxy forwards the record unread, and a pointer, fd or pid was added */
	DIFF_SECTION_UNREAD,  /* the proxy forwards the item, and need not change */
};
/* diff_section_name - return "read", "handler", "unread" or "none" */
const char *diff_section_name(enum diff_section section);

/* An added scalar that a proxy must translate: a pointer, an fd or a pid. */
struct diff_new_role {
	const char *path; /* path in next; "" if the driver now follows a pointer in the parameters */
	enum abi_role role;
};

/* A field in one version. */
struct diff_field_side {
	const char *path; /* "tpcConfigID", "e[].c" */
	const char *type; /* spelled as in the declaration */
	uint64_t offset_bits;
	uint64_t size_bits;
	bool is_bitfield;
	enum abi_role role;
};

struct diff_field {
	enum diff_op op;                   /* the most important change of the field */
	bool moved, renamed, retyped, resized; /* all changes of a field that both versions have */
	unsigned classes;                  /* the classes of this field's change */
	const struct diff_field_side *before; /* NULL if added */
	const struct diff_field_side *after;  /* NULL if removed */
};

/* An enumerator that was added, removed or renamed, or whose value changed. */
struct diff_value {
	const char *name;
	const char *base_name; /* the old name of a renamed enumerator; else NULL */
	const struct abi_number *before; /* NULL if added */
	const struct abi_number *after;  /* NULL if removed */
};

/*
 * What a flag decides: who may call (by privilege, by a different condition, or by a right), or something
 * else. Reports use this order.
 */
enum diff_flag_kind { DIFF_FLAG_LEVEL, DIFF_FLAG_CALLER, DIFF_FLAG_RIGHT, DIFF_FLAG_OTHER };

/* A flag or right that an ioctl has in only one version. */
struct diff_flag {
	const char *word; /* "privileged" */
	enum diff_flag_kind kind;
	bool is_added;    /* false if it was removed */
};

/*
 * How an ioctl contains or points to a record or enum: the names from the ioctl's parameter record to the
 * changed item.
 */
struct diff_reach {
	const struct abi_ioctl *ioctl; /* in next, or in base if no ioctl of next reaches the item */
	const char *const *through;
	size_t through_count;
};

struct diff_change {
	enum abi_kind kind;
	const char *name;          /* name in next, or in base if the item was removed */
	const char *base_name;     /* name in base if it was renamed; else NULL */
	const char *family;        /* family of an ioctl; else NULL */
	unsigned classes;          /* enum diff_class bits; never 0 */
	bool proxied;              /* the table has an entry for the item, or for an ioctl that carries it, or
				      passes that ioctl through by number */
	const char *const *also;   /* other names of the record, sorted. If same_as is set: other names
				      that were also added or removed */
	size_t also_count;
	const char *same_as; /* if only a name was added or removed: a name in both versions; else NULL */
	/*
	 * The item in each version; NULL if the version does not have it. Only the members for `kind` are
	 * set.
	 */
	const struct abi_record *base_record, *next_record;
	const struct abi_alias *base_alias, *next_alias;
	const struct abi_enum *base_enum, *next_enum;
	const struct abi_constant *base_constant, *next_constant;
	const struct abi_ioctl *base_ioctl, *next_ioctl;
	/*
	 * If a different ioctl has this ioctl's number in the other version, number_was is the name of that
	 * ioctl; else NULL. If this ioctl is in next, number_was_now is the number of the different ioctl in
	 * next, and number_was_is_gone is true if that ioctl was removed.
	 */
	const char *number_was;
	uint64_t number_was_now;
	bool number_was_is_gone;
	const struct diff_field *fields; /* changed fields of a record, by offset in next, or in base if
					    removed */
	size_t field_count;
	const struct diff_value *values; /* changed enumerators of an enum */
	size_t value_count;
	const struct diff_flag *flags; /* added or removed flags of an ioctl, by kind; added ones first */
	size_t flag_count;
	const struct diff_reach *reached_by; /* ioctls that carry the record or enum, or whose number is
						the constant; by family, then by name */
	size_t reach_count;
	const struct table_entry *const *entries; /* the table's entries that the change concerns */
	size_t entry_count;
	/* For an ioctl: what table_passes() returns for its old and its new number; else NULL. */
	const char *passed_was, *passed_as;
	enum diff_use use;         /* DIFF_USE_NONE without a table; proxied.c has the rules */
	enum diff_section section; /* DIFF_SECTION_NONE without a table */
	const struct diff_new_role *new_roles; /* only for an unread item: the fields that a handler must
						  translate */
	size_t new_role_count;
	const char *const *because; /* if a record changed only because records inside it changed: the
				       names of those records, by offset */
	size_t because_count;
	const char *inside; /* the changed record inside which this record was added or removed; else NULL */
	const char *with;          /* if a record or constant was renamed together with an ioctl: the
				      ioctl's name in next; else NULL */
	const struct diff_change *under; /* the change with which this change is reported; NULL if it is
					    reported separately */
	const struct diff_change *const *reported; /* the changes that are reported with this change, in
						      the order of the diff */
	size_t reported_count;
};

/* The numbers of changes of forwarded items. All are 0 without a table. */
struct diff_totals {
	size_t changes;   /* proxied changes of any kind */
	size_t records; /* changed or removed records, except those inside other changed records */
	size_t read;      /* those of @records that the proxy reads */
	size_t handlers;  /* those of @records to which a pointer, fd or pid was added */
	size_t removed, renumbered, renamed; /* of ioctls; a changed parameter record or argument counts as
						renumbered */
	size_t entries;   /* the table's entries for these records and ioctls */
	size_t read_entries; /* those of @entries for which the proxy must read a changed record, or use a
				new number or name */
};

struct diff_count {
	size_t added, removed, changed;
};

struct diff {
	const struct abi *base, *next;
	const struct table_view *view;     /* NULL if no table was given */
	/*
	 * sorted: proxied changes first, by section; then by kind (ioctls and records, enums, aliases,
	 * constants); then by most important class, kind and name
	 */
	const struct diff_change *changes;
	size_t change_count;
	struct diff_count summary[ABI_KIND_COUNT]; /* indexed by enum abi_kind */
	size_t class_total[DIFF_CLASS_COUNT];      /* number of changes with the class */
	struct diff_totals totals;                   /* of all changes, even if the options select only
							some of them */
};

struct diff_options {
	const struct table_view *view; /* can be NULL. If it is set, an added ioctl that the driver does
					  not dispatch is not a change */
	unsigned classes;              /* only changes with one of these classes; 0 for all */
	const char *record;            /* a glob that selects changes by their names in base or next, by
					  `also`, by an ioctl or record in reached_by, or by a record around
					  the changed one; NULL selects all */
	const struct use_rules *use;   /* a pid that the driver converts according to these rules needs no
					  handler; NULL if unknown */
};

/**
 * diff_documents - list the changes between two documents
 * @out: in @arena; @base and @next must outlive it
 *
 * Return: 0, also if nothing differs; ERR_USAGE if the targets or drivers differ; an error of
 * flatten_record() if a document is inconsistent.
 */
int diff_documents(struct diff *out, const struct abi *base, const struct abi *next,
		   const struct diff_options *options, struct arena *arena, struct err *err);

/*
 * diff_around_mark - mark all records inside the records of @abi that match @glob
 * @marked: indexed like abi->records; other marks are kept
 *
 * diff_around_has - is the changed record marked in base or next, under any of its names? No if the change is
 * not of a record. The arrays are those of the two versions.
 */
void diff_around_mark(bool *marked, const struct abi *abi, const char *glob);
bool diff_around_has(const bool *base_marked, const bool *next_marked, const struct abi *base,
		     const struct abi *next, const struct diff_change *change);

/* diff_has_also - is @name in change->also? */
bool diff_has_also(const struct diff_change *change, const char *name);

/* diff_item - return the changed item in next or in base; NULL if that version does not have it */
const void *diff_item(const struct diff_change *change, bool of_next);

/* diff_count_change - count @change in @summary under its kind, and in @class_total under its classes. */
void diff_count_change(struct diff_count summary[ABI_KIND_COUNT], size_t class_total[DIFF_CLASS_COUNT],
		       const struct diff_change *change);

/**
 * diff_drop - remove changes from the list
 * @dropped: for each change: true to remove it
 *
 * Makes a new list in @arena, sets `under` and `reported` of its changes again, and counts the summary and
 * the class totals again. `totals` does not change.
 */
void diff_drop(struct diff *diff, const bool *dropped, struct arena *arena);

/**
 * diff_users - list the ioctls of one document whose parameters are, contain or point to a record
 * @users: set on success, sorted by family and name; in @arena
 * @record: a record of @abi
 *
 * Return: 0; an error of abi_resolve_type() if the document is inconsistent.
 */
int diff_users(const struct diff_reach **users, size_t *count, const struct abi *abi,
	       const struct abi_record *record, struct arena *arena, struct err *err);

#endif
