/*
 * diff/internal.h - the state of one comparison, and declarations that its steps share
 *
 * diff_documents() runs the steps in this order:
 *
 *   pair_records     which records share a name
 *   match_ioctls     which ioctls are the same, or were renamed; asks what their records hold
 *   records          which records changed; asks the ioctls which were renamed
 *   enums, aliases   what changed, without regard to who uses it
 *   ioctls           which changed, now that it is known which records are the same
 *   constants        which changed and were not reported with their ioctl
 *   renamed_with     which records and constants were renamed together with an ioctl
 *   reach            which ioctls carry a changed record
 *   touch            which entries of the table that concerns
 *   through          which records changed only through one inside them, or were added inside a changed one
 *   use              what the proxy does with each, and what it has to do
 */
#ifndef DIFF_INTERNAL_H
#define DIFF_INTERNAL_H

#include "diff/diff.h"

#include <string.h>

/* --- side.c: bins, a bucket sort: things by bin, in linear time ------------------------ */

/*
 * Where a sort would only bring equal things together, bins do that without comparing. Bin b holds
 * item[first[b]] up to item[first[b + 1]].
 */
struct diff_bins {
	size_t *first;
	size_t *item; /* numbers of things; within a bin ascending */
};

#define DIFF_NO_BIN SIZE_MAX
enum { DIFF_TEXT_BINS = 4096 };

/* diff_bins_fill - @bin: of each of @count things, less than @bin_count, or DIFF_NO_BIN; @out is in @arena */
void diff_bins_fill(struct diff_bins *out, size_t bin_count, const size_t *bin, size_t count,
		    struct arena *arena);

/* diff_text_bin - for @length bytes of text, a number less than DIFF_TEXT_BINS; equal for equal texts */
size_t diff_text_bin(const char *text, size_t length);

/* diff_no_indices - @count times SIZE_MAX, in @arena */
size_t *diff_no_indices(size_t count, struct arena *arena);

/* --- side.c: indices of things by their name -------------------------------------------- */

struct diff_name_entry;

/*
 * { 0 } is empty. Names are borrowed; entries are in the arena, the hash table is freed by
 * diff_name_index_release().
 */
struct diff_name_index {
	struct diff_name_entry *by_name;
};

/* diff_name_index_add - unless the name is there already: then the first number stays */
void diff_name_index_add(struct diff_name_index *index, const char *name, size_t number, struct arena *arena);

/* diff_name_index_find - of a name of @length bytes. Return: SIZE_MAX if it has no number. */
size_t diff_name_index_find(const struct diff_name_index *index, const char *name, size_t length);

void diff_name_index_release(struct diff_name_index *index);

/* --- side.c: which names are one declaration, and which are the same in both versions --- */

/*
 * A declaration is in a document under its tag and under every typedef of it, each a full copy with the same
 * source. The declaration is compared and reported once: it is a group of names.
 */

/* The names of one kind in one document, sorted. */
struct diff_names {
	const char *const *name;
	const char *const *source;
	const bool *skipped; /* not compared on its own, but with its parent; NULL: none is */
	size_t count;
	/* A total order of content, names and sources aside; 0 is equal. */
	int (*compare)(const struct abi *abi, size_t a, size_t b);
	const struct abi *abi;
};

struct diff_group {
	const size_t *index; /* of its names, sorted */
	size_t count;
};

struct diff_grouping {
	struct diff_names names;
	struct diff_group *group; /* by first name */
	size_t group_count;
	size_t *of; /* the group of each name; SIZE_MAX if skipped */
};

/* diff_group_order - of two groups, by declaration, then content; as strcmp(). */
int diff_group_order(const struct diff_grouping *grouping, size_t a, size_t b);

/* A declaration of base and one of next that share at least one name. */
struct diff_pair {
	size_t base, next;               /* groups */
	const size_t *in_base, *in_next; /* the names they share, sorted: their indices on either side */
	size_t name_count;
};

struct diff_pairing {
	const struct diff_pair *pair; /* by base, then next */
	size_t pair_count;
	/* By group: in how many pairs it is. 0: the whole declaration was added or removed. */
	const size_t *base_pairs, *next_pairs;
	/* By name: the other version does not have it. */
	const bool *base_lost, *next_gained;
};

void diff_pair_names(struct diff_pairing *out, const struct diff_grouping *base,
		     const struct diff_grouping *next, struct arena *arena);

/* diff_set_also - the names of @group, except for the change's own */
void diff_set_also(struct diff_change *change, const struct diff_grouping *grouping, size_t group,
		   struct arena *arena);

/* diff_has_also - is @name one of the other names that the change has? */
bool diff_has_also(const struct diff_change *change, const char *name);

/*
 * diff_compare_texts - strcmp(), quick for one text at one address: documents that come from one archive
 * share theirs.
 */
static inline int diff_compare_texts(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

/* diff_order_texts - strcmp() for qsort() of texts */
int diff_order_texts(const void *a, const void *b);

/**
 * diff_alike - are two names so close that one is probably the other, respelled?
 *
 * Words that both begin or end with say nothing ("NV2080_CTRL_CMD_…", "…_PARAMS"). Of the remaining text,
 * half of the longer name or more is shared at the two ends, ignoring case; or one has nothing left.
 */
bool diff_alike(const char *a, const char *b);

/* diff_closeness - how many letters two names share at their ends, case ignored. */
size_t diff_closeness(const char *a, const char *b);

/* diff_shared_words - bytes of the words, each with its '_', that both begin with */
size_t diff_shared_words(const char *a, const char *b);

/* --- side.c: one of the two documents, indexed for comparison --------------------------- */

struct diff_side {
	const struct abi *abi;
	struct arena *arena;              /* layouts and paths; the result's */
	struct diff_grouping records, enums;
	const bool *has_unnamed;          /* by record: a field of it has an unnamed type */
	struct abi_known_types known;
	const struct abi_layout **layout; /* by record; NULL until diff_side_layout() is called for it */
	/* By kind; built by the first diff_side_find(): most comparisons need no index. */
	struct diff_name_index by_name[ABI_KIND_COUNT];
	bool is_indexed[ABI_KIND_COUNT];
};

/* diff_side_init - Return: 0 or the error of abi_resolve_type(). Released in either case. */
int diff_side_init(struct diff_side *side, const struct abi *abi, struct arena *arena, struct err *err);

/* diff_side_release - the arena's memory stays; { 0 } is fine. */
void diff_side_release(struct diff_side *side);

/* diff_side_is_unnamed - is @record the unnamed type of a field, and so not compared on its own? */
bool diff_side_is_unnamed(const struct diff_side *side, const struct abi_record *record);

/*
 * diff_side_layout - the flat layout of @record, computed once. Return: 0 or the error of flatten_record().
 */
int diff_side_layout(const struct abi_layout **out, struct diff_side *side, const struct abi_record *record,
		     struct err *err);

/* diff_side_record, diff_side_enum - the first name of a group. */
const struct abi_record *diff_side_record(const struct diff_side *side, size_t group);
const struct abi_enum *diff_side_enum(const struct diff_side *side, size_t group);

/*
 * diff_side_find - as abi_find_item(), of a name of @length bytes. For callers with thousands of names: the
 * first lookup builds the index.
 */
const void *diff_side_find(struct diff_side *side, enum abi_kind kind, const char *name, size_t length);

/* --- types.c: changes of a type, and the leaves of records ------------------------------ */

/* A type as one of the versions has it: of a member, an alias, or an ioctl's argument. */
struct diff_typed {
	struct diff_side *side;
	const struct abi_type *type;
	const char *spelling;
};

/* diff_same_values - the same enumerators with the same values. */
bool diff_same_values(const struct abi_enum *a, const struct abi_enum *b);

/* diff_same_spelling - equal type names, dimensions aside. */
bool diff_same_spelling(const char *a, const char *b);

/* diff_integer_kind - an enum is the integer that it is stored as. */
enum abi_scalar diff_integer_kind(const struct abi_type *type);

/* diff_same_element - apart from dimensions and spelling, only the content of a record may differ. */
bool diff_same_element(const struct abi_type *base, const struct abi_type *next);

/**
 * diff_type_classes - the classes of another type in the same place; DIFF_NAME if only its name is another, 0
 * if nothing is
 *
 * Return: 0 or the error of flatten_record().
 */
int diff_type_classes(unsigned *classes, const struct diff_typed *base, const struct diff_typed *next,
		      struct err *err);

/* diff_leaves_contained - is every leaf of @base in @next, with its name, offset, kind and role? */
bool diff_leaves_contained(const struct abi_layout *base, const struct abi_layout *next);

/* diff_leaves_equal - contained both ways, and the size is equal. */
bool diff_leaves_equal(const struct abi_layout *a, const struct abi_layout *b);

/*
 * diff_acted_on - a role that a proxy must translate: pointer, fd, handle or pid. A C pointer is one
 * whatever the profile says. Return: ABI_ROLE_NONE for all others.
 */
enum abi_role diff_acted_on(enum abi_role role, enum abi_scalar kind);

/* The role in a member that a proxy must translate. */
struct diff_acted {
	const struct abi_layout *layout; /* of the member's record; NULL for a scalar */
	const struct abi_type *type;
	enum abi_role role;              /* of a scalar */
	uint64_t offset_bits;
};

/* diff_acted_any - a pointer, fd, handle or pid at all? */
bool diff_acted_any(const struct diff_acted *acted);
/* diff_acted_equal - the same ones at the same offsets, and as many? */
bool diff_acted_equal(const struct diff_acted *a, const struct diff_acted *b);

/* --- members.c: the members of a record that are compared, and their partners ----------- */

#define DIFF_NO_PARTNER SIZE_MAX

struct diff_member {
	struct diff_field_side side;
	struct abi_type type;
	bool is_group; /* a field of an unnamed record, "e[4]"; the record's members follow it in the list */
	bool is_padding; /* its name says that it is unused */
	size_t partner;  /* the same member in the other version's list, or DIFF_NO_PARTNER */
	bool renamed;    /* the partner has another path */
};

/*
 * Those of the record itself and of the unnamed records inside it; a named record, reported on its own, is
 * one member.
 */
struct diff_members {
	struct diff_member *member; /* in the order of declaration */
	size_t count, capacity;     /* member is malloc'd */
	struct diff_side *side;
};

void diff_members_release(struct diff_members *members);

/**
 * diff_members_match - list the members of both versions of a record, and find partners
 *
 * Releasing both lists is the caller's, also on failure. The records must have been flattened, which checks
 * them.
 */
int diff_members_match(struct diff_members *base, const struct abi_record *base_record,
		       struct diff_members *next, const struct abi_record *next_record, struct err *err);

/* --- classify.c: the change of each member of a record, and its classes ------------------ */

struct diff_record_pair {
	const struct abi_record *base, *next;
	struct diff_side *base_side, *next_side;
};

/**
 * diff_compare_records - fill in fields, field_count and classes of @change
 *
 * classes gains no bit and fields stay empty if the two are the same.
 *
 * Return: 0 or the error of flatten_record().
 */
int diff_compare_records(struct diff_change *change, const struct diff_record_pair *pair, struct arena *arena,
			 struct err *err);

/* --- the steps ---------------------------------------------------------------------------- */

/* The ioctls of one version. */
struct diff_numbers {
	const struct abi *abi;
	const struct abi_ioctl **partner; /* by index in @abi: the same ioctl in the other version, or NULL */
	const struct abi_ioctl **by_identity; /* by family and abi_ioctl_identity(), then name */
	/*
	 * By index in @by_identity, for the first ioctl of one identity: the first of them, in the
	 * document's order, whose number belongs to another ioctl in the other version, or to none.
	 */
	const struct abi_ioctl **leaver;
};

struct diff_pass {
	struct diff_side base, next;
	const struct diff_options *options;
	struct arena *arena;          /* the result's; also for memory that only the pass needs */
	struct diff_change *changes;  /* malloc'd */
	size_t change_count, change_capacity;
	struct diff_pairing records;  /* of record names */
	size_t *record_partner;       /* by group of base: the group of next that it became, or SIZE_MAX */
	struct diff_numbers base_numbers, next_numbers;
};

/*
 * diff_add_change - a change at the end of the list, with nothing but its kind, its name and its two sides
 * @base, @next: the item in the two versions; NULL if a version does not have it
 *
 * The pointer holds until the next one is added.
 */
struct diff_change *diff_add_change(struct diff_pass *pass, enum abi_kind kind, const void *base,
				    const void *next);

/**
 * diff_one_sided - add the declarations of one kind that only one version has
 * @kind:    ABI_RECORD or ABI_ENUM
 * @partner: by group of that version; groups that have one are left out
 * @best:    the index in a list of names of the one to report; NULL: the first
 *
 * Names that only one version has are one change for all that a declaration has of them. If the other version
 * has some of its names, the change says so in same_as.
 */
void diff_one_sided(struct diff_pass *pass, enum abi_kind kind, bool is_added,
		    const struct diff_pairing *pairing, const size_t *partner,
		    size_t (*best)(void *context, struct diff_side *side, const size_t *index, size_t count),
		    void *context);

void diff_pair_records(struct diff_pass *pass);
int diff_match_ioctls(struct diff_pass *pass, struct err *err);
int diff_records(struct diff_pass *pass, struct err *err);
void diff_enums(struct diff_pass *pass);
int diff_aliases(struct diff_pass *pass, struct err *err);
int diff_ioctls(struct diff_pass *pass, struct err *err);
void diff_constants(struct diff_pass *pass);
void diff_renamed_with(struct diff_pass *pass);
void diff_reach(struct diff_pass *pass);
void diff_touch(struct diff_pass *pass);
void diff_through(struct diff_pass *pass);
int diff_set_uses(struct diff_pass *pass, struct err *err);
void diff_count_totals(struct diff_totals *out, const struct diff_pass *pass);

/* diff_set_under - which changes of the finished list are reported under another one of it */
void diff_set_under(struct diff_change *changes, size_t count, struct arena *arena);

/*
 * diff_same_params - are two parameter records, one of base and one of next, the same one? NULL is
 * none.
 */
bool diff_same_params(const struct diff_pass *pass, const char *base, const char *next);

#endif
