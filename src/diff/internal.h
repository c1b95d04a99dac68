/*
 * diff/internal.h - the state of a comparison, and declarations that its steps share
 *
 * diff_documents() runs the steps in this order:
 *
 *   step             finds
 *   pair_records     records that share a name
 *   match_ioctls     ioctls that are the same, or were renamed; compares the content of their records
 *   records          records that changed, or were renamed with the ioctls that use them
 *   enums, aliases   enums and aliases that changed
 *   ioctls           ioctls that changed; uses the result of `records`
 *   constants        constants that changed and are not reported with their ioctl
 *   renamed_with     records and constants that were renamed together with an ioctl
 *   reach            the ioctls that carry each changed record
 *   touch            the entries of the table that each change concerns
 *   through          records that changed only because of records inside them, or are inside changed records
 *   use              what the proxy does with each changed item, and what must be done
 */
#ifndef DIFF_INTERNAL_H
#define DIFF_INTERNAL_H

#include "diff/diff.h"

/* --- side.c: bins, a bucket sort in linear time ----------------------------------------- */

/*
 * Bins group equal items faster than a sort, because no items are compared. Bin b has the items
 * item[first[b]] up to, but not including, item[first[b + 1]].
 */
struct diff_bins {
	size_t *first;
	size_t *item; /* indices of items; ascending within a bin */
};

#define DIFF_NO_BIN SIZE_MAX
/*
 * diff_bins_fill - put @count items into bins
 * @out: lives in @arena
 * @bin: the bin of each item, less than @bin_count, or DIFF_NO_BIN
 */
void diff_bins_fill(struct diff_bins *out, size_t bin_count, const size_t *bin, size_t count,
		    struct arena *arena);

/* diff_no_indices - return an array of @count elements that are all SIZE_MAX, in @arena */
size_t *diff_no_indices(size_t count, struct arena *arena);

/* --- side.c: indices of items by name --------------------------------------------------- */

/* The names of an array, which is not copied. */
struct diff_name_index {
	const char *const *names;
	struct diff_bins bins;
	size_t bin_count;
};

/* diff_index_names - index @count names, in @arena. A name that is NULL is left out. */
void diff_index_names(struct diff_name_index *out, const char *const *names, size_t count,
		      struct arena *arena);

/*
 * diff_index_of - return the index of the first name that is @name, with @length bytes; SIZE_MAX if no name
 * is
 */
size_t diff_index_of(const struct diff_name_index *index, const char *name, size_t length);

/* --- side.c: the names of each declaration, and names that both versions have ----------- */

/*
 * A document has a full copy of a declaration for its tag and for each of its typedefs. All copies have the
 * same source. Their names form a group, because the declaration is compared and reported only once.
 */

/* The names of one kind in one document, sorted. */
struct diff_names {
	const char *const *name;
	const char *const *source;
	const bool *skipped; /* true for a record that is compared only as part of its parent; NULL if
				there are none */
	size_t count;
	/* Orders the content of two items, without names and sources; 0 if the content is equal. */
	int (*compare)(const struct abi *abi, size_t a, size_t b);
	const struct abi *abi;
};

struct diff_group {
	const size_t *index; /* indices of its names, sorted */
	size_t count;
};

struct diff_grouping {
	struct diff_names names;
	struct diff_group *group; /* sorted by first name */
	size_t group_count;
	size_t *of; /* the group of each name; SIZE_MAX if skipped */
};

/* diff_group_order - compare two groups by source, then by content, with a result like that of strcmp() */
int diff_group_order(const struct diff_grouping *grouping, size_t a, size_t b);

/* A declaration of base and a declaration of next that have a name in common. */
struct diff_pair {
	size_t base, next;               /* groups */
	const size_t *in_base, *in_next; /* indices of the common names in each version, sorted by name */
	size_t name_count;
};

struct diff_pairing {
	const struct diff_pair *pair; /* sorted by base, then next */
	size_t pair_count;
	/* Indexed by group: the number of its pairs; 0 if the whole declaration was added or removed. */
	const size_t *base_pairs, *next_pairs;
	/* Indexed by name: true if the other version does not have it. */
	const bool *base_lost, *next_gained;
};

/*
 * diff_pair_names - pair the groups of names of both versions that have a name in common, and find the names
 * that only one version has. The result lives in @arena.
 */
void diff_pair_names(struct diff_pairing *out, const struct diff_grouping *base,
		     const struct diff_grouping *next, struct arena *arena);

/* diff_set_also - set change->also to the names of @group, except for the change's own name; in @arena */
void diff_set_also(struct diff_change *change, const struct diff_grouping *grouping, size_t group,
		   struct arena *arena);

/**
 * diff_alike - are two names so similar that one is probably a new spelling of the other?
 *
 * Common words at the start and at the end are ignored ("NV2080_CTRL_CMD_…", "…_PARAMS"). The names are
 * similar if they have at least half of the longer remaining text in common at the two ends, ignoring case,
 * or if one name has no remaining text.
 */
bool diff_alike(const char *a, const char *b);

/* diff_closeness - return how many characters two names have in common at their two ends, ignoring case */
size_t diff_closeness(const char *a, const char *b);

/* diff_shared_words - return the length of the common words at the start of both names, with their '_' */
size_t diff_shared_words(const char *a, const char *b);

/* --- side.c: one of the two documents, indexed for comparison --------------------------- */

struct diff_side {
	const struct abi *abi;
	struct arena *arena;              /* the result's arena, also for layouts and paths */
	struct diff_grouping records, enums;
	const bool *has_unnamed;          /* indexed by record: true if a field has an unnamed type */
	struct abi_known_types known;
	const struct abi_layout **layout; /* indexed by record; NULL until diff_side_layout() computes it */
	/*
	 * Indexed by kind. The first diff_side_find() for a kind builds its index, because most comparisons
	 * need none.
	 */
	struct diff_name_index by_name[ABI_KIND_COUNT];
};

/* diff_side_init - group one document's names by declaration. Return: 0; an error of abi_resolve_type(). */
int diff_side_init(struct diff_side *side, const struct abi *abi, struct arena *arena, struct err *err);

/*
 * diff_side_is_unnamed - is @record the unnamed type of a field? It is compared only as part of its parent.
 */
bool diff_side_is_unnamed(const struct diff_side *side, const struct abi_record *record);

/*
 * diff_side_layout - get the layout of @record, computed at the first call; it lives as long as @side's
 * arena. Return: 0; an error of flatten_record(), prefixed with the version.
 */
int diff_side_layout(const struct abi_layout **out, struct diff_side *side, const struct abi_record *record,
		     struct err *err);

/* diff_side_record, diff_side_enum - return the record or enum with the first name of a group. */
const struct abi_record *diff_side_record(const struct diff_side *side, size_t group);
const struct abi_enum *diff_side_enum(const struct diff_side *side, size_t group);

/*
 * diff_side_find - find an item by a name with @length bytes; NULL if there is none. The first lookup for a
 * kind builds an index, so this is faster than abi_find_item() for callers with thousands of names.
 */
const void *diff_side_find(struct diff_side *side, enum abi_kind kind, const char *name, size_t length);

/* --- types.c: changes of a type, and the scalars of records ----------------------------- */

/* The type of a member, an alias, or an ioctl's argument in one version. */
struct diff_typed {
	struct diff_side *side;
	const struct abi_type *type;
	const char *spelling;
};

/* diff_same_values - do both enums have the same enumerators with the same values? */
bool diff_same_values(const struct abi_enum *a, const struct abi_enum *b);

/* diff_same_spelling - are the type names equal, apart from dimensions? */
bool diff_same_spelling(const char *a, const char *b);

/* diff_integer_kind - return the scalar kind of a type; for an enum, the kind of its integer */
enum abi_scalar_kind diff_integer_kind(const struct abi_type *type);

/* diff_same_element - are the element types equal, apart from their spelling and the content of a record? */
bool diff_same_element(const struct abi_type *base, const struct abi_type *next);

/**
 * diff_type_classes - find the classes of a type's change
 *
 * DIFF_LAYOUT if size, dimensions, kind or content differ; DIFF_TRANSLATION if pointers point to different
 * types; DIFF_NAME if only the name differs. For two records with the same scalars, it is DIFF_NAME even if
 * the name is also the same; for scalars, it is then 0.
 *
 * Return: 0; an error of flatten_record().
 */
int diff_type_classes(unsigned *classes, const struct diff_typed *base, const struct diff_typed *next,
		      struct err *err);

/*
 * diff_scalars_contained - does @next have every scalar of @base, with the same name, and the same as for
 * abi_scalar_same()?
 */
bool diff_scalars_contained(const struct abi_layout *base, const struct abi_layout *next);

/* diff_scalars_equal - do both layouts have the same scalars and the same size? */
bool diff_scalars_equal(const struct abi_layout *a, const struct abi_layout *b);

/*
 * diff_acted_on - return @role if a proxy must translate it (pointer, fd, handle or pid); ABI_ROLE_POINTER
 * for a C pointer with a different role or none, but not for a kernel pointer; otherwise ABI_ROLE_NONE
 */
enum abi_role diff_acted_on(enum abi_role role, enum abi_scalar_kind kind);

/* The parts of a member that a proxy must translate. */
struct diff_acted {
	const struct abi_layout *layout; /* layout of the member's record; NULL for a scalar */
	const struct abi_type *type;
	enum abi_role role;              /* role of a scalar */
	uint64_t offset_bits;
};

/* diff_acted_any - does the member have a pointer, fd, handle or pid? */
bool diff_acted_any(const struct diff_acted *acted);
/* diff_acted_equal - do both members have the same pointers, fds, handles and pids, at the same offsets? */
bool diff_acted_equal(const struct diff_acted *a, const struct diff_acted *b);

/* --- members.c: the members of a record, and their partners in the other version -------- */

#define DIFF_NO_PARTNER SIZE_MAX

struct diff_member {
	struct diff_field_side side;
	struct abi_type type;
	bool is_group; /* a field whose type is an unnamed record, "e[4]". The members of that record
			  follow in the list */
	bool is_padding; /* its name says that it is unused */
	size_t partner;  /* index of the same member in the other version's list, or DIFF_NO_PARTNER */
	bool renamed;    /* the partner has a different path */
};

/*
 * The members of a record and of the unnamed records inside it. A named record inside it is reported
 * separately, so it is a single member.
 */
struct diff_members {
	struct diff_member *member; /* in the order of declaration */
	size_t count, capacity;     /* member is malloc'd */
	struct diff_side *side;
};

void diff_members_release(struct diff_members *members);

/**
 * diff_members_match - list the members of a record in both versions, and find partners
 *
 * The caller must release both lists, also after an error. Both records must have been flattened before,
 * because this validates them.
 *
 * Return: 0; an error of abi_resolve_known().
 */
int diff_members_match(struct diff_members *base, const struct abi_record *base_record,
		       struct diff_members *next, const struct abi_record *next_record, struct err *err);

/* --- classify.c: the change of each member of a record, and its classes ------------------ */

struct diff_record_pair {
	const struct abi_record *base, *next;
	struct diff_side *base_side, *next_side;
};

/**
 * diff_compare_records - set fields and field_count of @change, and add to its classes
 *
 * The fields live in @arena, sorted by offset. Equal records have no fields, and no class is added.
 *
 * Return: 0; an error of flatten_record().
 */
int diff_compare_records(struct diff_change *change, const struct diff_record_pair *pair, struct arena *arena,
			 struct err *err);

/* --- the steps ---------------------------------------------------------------------------- */

/* The ioctls of one version. */
struct diff_numbers {
	const struct abi *abi;
	const struct abi_ioctl **partner; /* indexed like abi->ioctls: the same ioctl in the other version,
					     or NULL */
	const struct abi_ioctl **by_identity; /* sorted by family, abi_ioctl_identity() and name */
	/*
	 * Indexed like by_identity. For the first ioctl of each identity: the first ioctl in the document
	 * that has this identity here, but a different identity or none in the other version; NULL if there
	 * is no such ioctl. For all other ioctls: NULL.
	 */
	const struct abi_ioctl **leaver;
};

struct diff_pass {
	struct diff_side base, next;
	const struct diff_options *options;
	struct arena *arena;          /* the result's arena, also for temporary memory */
	struct diff_change *changes;  /* malloc'd */
	size_t change_count, change_capacity;
	struct diff_pairing records;  /* the pairs of record declarations */
	size_t *record_partner; /* indexed by group of base: the same record's group of next, or SIZE_MAX */
	struct diff_numbers base_numbers, next_numbers;
};

/*
 * diff_add_change - append a change with only its kind, its name and its items in the two versions
 * @base, @next: the items; NULL if the version does not have the item
 *
 * Return: the change, valid until the next change is added.
 */
struct diff_change *diff_add_change(struct diff_pass *pass, enum abi_kind kind, const void *base,
				    const void *next);

struct records;

/**
 * diff_one_sided - add changes for names of records or enums that only one version has
 * @kind:    ABI_RECORD or ABI_ENUM
 * @partner: indexed by group of the version that has the names; groups with a partner are skipped
 * @records: the state of records.c, which chooses the name to report; NULL to report the first name
 *
 * All names of a declaration are one change. If the other version has the declaration under other names,
 * same_as is set to one of them.
 */
void diff_one_sided(struct diff_pass *pass, enum abi_kind kind, bool is_added,
		    const struct diff_pairing *pairing, const size_t *partner, struct records *records);

/* The steps that can fail return 0, or an error of flatten_record() or abi_resolve_type(). */

/* diff_pair_records - set pass->records, and record_partner of records that have a name in both versions */
void diff_pair_records(struct diff_pass *pass);
/* diff_match_ioctls - set each ioctl's partner: the same ioctl, perhaps renamed, in the other version */
int diff_match_ioctls(struct diff_pass *pass, struct err *err);
/* diff_records - add the changes of records, and set record_partner of renamed records */
int diff_records(struct diff_pass *pass, struct err *err);
/* diff_enums, diff_aliases, diff_constants - add the changes of one kind of items */
void diff_enums(struct diff_pass *pass);
int diff_aliases(struct diff_pass *pass, struct err *err);
void diff_constants(struct diff_pass *pass);
/* diff_ioctls - add the changes of ioctls, with the other owners of their numbers */
int diff_ioctls(struct diff_pass *pass, struct err *err);
/*
 * diff_renamed_with - set `with` of records that were renamed together with an ioctl, and merge the removal
 * and the addition of a constant that was renamed in the same way into one change
 */
void diff_renamed_with(struct diff_pass *pass);
/* diff_reach - set reached_by of each change: the ioctls that carry the item, or whose number it is */
void diff_reach(struct diff_pass *pass);
/*
 * diff_touch - set entries, passed_was, passed_as and proxied of each change. Does nothing without a table.
 */
void diff_touch(struct diff_pass *pass);
/* diff_through - set `because` and `inside` of the changes of records */
void diff_through(struct diff_pass *pass);
/*
 * diff_set_uses - set use, new_roles and section of each change, and clear `inside` of a record that an entry
 * of the table names. Does nothing without a table.
 */
int diff_set_uses(struct diff_pass *pass, struct err *err);
/* diff_count_totals - count the changes of items that the proxy forwards; all are 0 without a table */
void diff_count_totals(struct diff_totals *out, const struct diff_pass *pass);

/* diff_set_under - set `under` and `reported` of the changes of a finished list */
void diff_set_under(struct diff_change *changes, size_t count, struct arena *arena);

/*
 * diff_same_params - is the parameter record @base of base the same as @next of next: do they have the same
 * name, or were they paired or renamed? NULL means no record, which is the same as NULL only.
 */
bool diff_same_params(const struct diff_pass *pass, const char *base, const char *next);

#endif
