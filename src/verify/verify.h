/*
 * verify/verify.h - compare a proxy's table with the driver: the parity test
 *
 * It compares the document of one version with the table's entries for that version, and prints nothing.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "abi/abi.h"

#define VERIFY_FORMAT "drvabi-verify/1"

/* What can be wrong with an entry, in the order of reports. "drvabi explain" describes each rule. */
enum verify_rule {
	VERIFY_NUMBER,          /* the number differs from that of the driver's macro or method, or the driver
				   does not have the macro */
	VERIFY_REUSED_NUMBER,   /* the number belongs to a different command in this version */
	VERIFY_MISSING_RECORD,  /* the driver has no such struct or alias */
	VERIFY_SIZE,            /* the proxy's type and the driver's have different sizes */
	VERIFY_FIELD_OFFSET,    /* a field has different offsets in the proxy and the driver */
	VERIFY_FIELD_TYPE,      /* different width, sign or array length; or only one of the two treats the
				   field as a pointer or handle */
	VERIFY_FIELD_MISSING,   /* a driver field without a proxy field, or the reverse */
	VERIFY_PADDING_OVERLAP, /* padding of the proxy covers bytes that the driver uses */
	VERIFY_NOT_SIMPLE,      /* a struct passed through unread has a pointer or a file descriptor */
	VERIFY_AS_IS,           /* the proxy unmarshals the struct, but passes on a pointer or file descriptor
				   unchanged */
	VERIFY_SURFACE,         /* the driver's own tables name a different parameter record or size */
	VERIFY_HANDLER,         /* the proxy's code unmarshals a type that the table does not list */
	VERIFY_CODE,            /* the proxy's code itself has a fault */
	VERIFY_CAPS,            /* the entry lists an unknown capability */
	VERIFY_KERNEL_POINTER,  /* a forwarded record may hold a kernel address: a warning */
	VERIFY_LACKING,         /* the proxy supports the version, but drvabi could not get the version's
				   document */
};

enum { VERIFY_RULE_COUNT = VERIFY_LACKING + 1 };

/*
 * verify_rule_name - return the rule's name, "field-offset". verify_rule_parse is the inverse; for a
 * different name, it returns ERR_FORMAT with a message that lists the names.
 */
const char *verify_rule_name(enum verify_rule rule);
int verify_rule_parse(enum verify_rule *rule, const char *name, struct err *err);
/*
 * verify_rule_warns - check whether the rule's findings are only warnings. They make a version fail only if
 * --fail-on names the rule, or, for VERIFY_LACKING, with --strict.
 */
bool verify_rule_warns(enum verify_rule rule);

/**
 * verify_rules_parse - choose the rules whose findings make a version fail
 * @fails: indexed by rule
 * @list:  "size,field-offset"; NULL selects every rule whose findings are not only warnings; "" selects none
 *
 * Return: 0; ERR_FORMAT if a name in @list is not a rule.
 */
int verify_rules_parse(bool fails[VERIFY_RULE_COUNT], const char *list, struct err *err);

/* A field, record or number as the driver or the proxy declares it. */
struct verify_side {
	bool present;
	uint64_t offset_bytes; /* for a field: from the start of the outermost record */
	uint64_t size_bytes;
	const char *type;      /* as the driver or the proxy spells it; "" for a number */
	bool has_number;
	uint64_t number;
};

struct verify_finding {
	enum verify_rule rule;
	const char *family;
	const char *entry;
	const char *record; /* as the driver spells it; "" if the finding is about the whole entry */
	const char *path;   /* the driver's field, or the proxy's field if the driver has none; "" if the
			       finding is about the whole record */
	struct verify_side driver, proxy;
	const char *message; /* one sentence */
	bool unseen;         /* neither the document nor the table shows whether this is a fault, so the
				finding counts as not checked and never makes a version fail */
};

struct verify_result {
	const struct table_view *view;
	const struct abi *abi;
	const struct verify_finding *findings; /* sorted by family, entry, record, offset, rule */
	size_t finding_count;
	const struct verify_finding *unseen; /* the findings that are @unseen, in the same order, directly
						after @findings in memory */
	size_t unseen_count;
	size_t entry_count;   /* entries that were compared */
	size_t struct_count;  /* (entry, struct) pairs that were compared */
	size_t scalar_count;  /* scalars of the driver that were compared */
};

/**
 * verify_view - apply every rule to every entry of one version
 * @out: lives in @arena; @abi and @view must outlive it
 *
 * Return: 0, with or without findings; ERR_FORMAT if no field of @abi has the pointer role, because then
 * every struct would pass as simple; an error of flatten_record(), proxy_flatten() or match_type() if the
 * document or the table contradicts itself.
 */
int verify_view(struct verify_result *out, const struct abi *abi, const struct table_view *view,
		struct arena *arena, struct err *err);

/**
 * verify_lacking - make the result of a supported version that could not be checked: a single finding
 * @view: the entries that the proxy forwards at @version
 * @why:  the message of the finding; @why and @version must outlive @out
 *
 * The finding's family is "version", and its entry is the version's name.
 */
void verify_lacking(struct verify_result *out, const struct table_view *view, const char *version,
		    const char *why, struct arena *arena);

/**
 * verify_unknown_family - find a family that the table forwards and the driver does not have, so that a
 * misspelled family is an error
 * @results: one for each version that was compared
 *
 * Return: the first family among the table's entries in which no version has an ioctl; NULL if there is no
 * such family, or if no version has any ioctl.
 */
const char *verify_unknown_family(const struct verify_result *const *results, size_t count);

/* verify_same_type - check whether @a and @b name one type: they are equal, or are a tag and its typedef */
bool verify_same_type(const struct abi *abi, const char *a, const char *b);

/*
 * verify_params_by_name - derive a command's parameter record from the driver's naming convention:
 * "NV2080_CTRL_CMD_X" takes "NV2080_CTRL_X_PARAMS". Return: NULL if @abi has no such record.
 */
const char *verify_params_by_name(const struct abi *abi, const char *constant, struct arena *arena);

/*
 * verify_is_pointer - check whether the field is a pointer with which the driver accesses the caller's
 * memory. A kernel address is not such a pointer, and neither is a file descriptor in a field of type NvP64.
 */
bool verify_is_pointer(enum abi_scalar_kind kind, enum abi_role role);

/*
 * verify_is_fd - check whether the field is a file descriptor: it has that role, or its name ends in "fd".
 * The rule about names is that of gVisor's parity test, which ignores the type.
 */
bool verify_is_fd(const char *path, enum abi_role role);

/* --- the scalars of a proxy's type -------------------------------------------------- */

/* A scalar of a proxy's type: the counterpart of struct abi_scalar. */
struct proxy_scalar {
	const char *path;      /* "PCIInfo.Domain", "Handles", "Ops[2].Value"; "" if the type itself is a
				  scalar */
	const char *type;      /* as the table spells it: "P64", "uint8[16]" */
	uint64_t offset_bytes; /* from the start of the outermost type */
	uint64_t element_bytes;
	uint64_t count;        /* elements; 1 if not an array; an array without elements is left out */
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* outermost first */
	size_t dimension_count; /* 0 if not an array */
	bool is_signed;
	bool is_bool;
	bool is_padding; /* according to its name or the name of a field around it: "Pad0", "__pad", "_"; not
			    "Reserved" */
	enum abi_role role;    /* given by its type: pointer, handle or none */
};

struct proxy_layout {
	const struct table_type *type;
	const struct proxy_scalar *scalars; /* sorted by offset; they do not overlap */
	size_t scalar_count;
};

/* Looks up the types of a proxy by name. */
struct proxy_types {
	const struct table_type *(*find)(const void *from, const char *name); /* NULL if not found */
	const void *from;
	const char *path; /* for error messages */
};

/**
 * proxy_flatten - list the scalars of a proxy's type, with each element of an array of structs
 *
 * Return: 0; ERR_FORMAT if @type uses a type that is invalid or not in @types; ERR_LIMIT if there are more
 * than 65536 scalars or array elements, or if types are nested deeper than 80 levels.
 */
int proxy_flatten(struct proxy_layout *out, const struct proxy_types *types, const struct table_type *type,
		  struct arena *arena, struct err *err);

/* proxy_scalar_bytes - return the size of all elements together. */
uint64_t proxy_scalar_bytes(const struct proxy_scalar *scalar);

/* --- findings that were reviewed and accepted ------------------------------------------ */

/*
 * The file has one line for each suppression; '#' begins a comment:
 *
 *   RULE ENTRY[:FIELD,...] VERSIONS EXPIRES REASON...
 *   not-simple NV2080_CTRL_CMD_X 550.40.07..570.86.15 2027-01-31 fd is an index
 *
 * RULE is a rule or '*' (every rule except "unavailable"). ENTRY is a glob that the entry's name must match.
 * VERSIONS is '*', one version, or a range FIRST..LAST in which either end may be left out. EXPIRES is a date
 * or 'never'. REASON is required. A line for the rule "unavailable" needs both ends of its range, and a date.
 * A line is itself reported if it suppresses nothing, if its date has passed, or if its reason is a TODO, as
 * written by verify --write-suppress.
 */

struct suppression {
	const char *path;    /* of the file */
	unsigned line;       /* in the file, from 1 */
	unsigned rules;      /* bits: 1u << enum verify_rule; in a file for diff, of enum diff_class */
	const char *rule_text, *versions, *expires_text; /* as written in the file, for reports */
	const char *entry;   /* a glob, as written; in a file for verify, "ENTRY:FIELD,FIELD" too */
	const char *name;    /* the part of @entry that matches the entry's name */
	const char *fields;  /* globs of the paths of fields, separated by commas; NULL for all findings */
	const char *first, *last; /* the ends of the range of versions; "" if an end is open */
	unsigned expires;    /* the last day on which the line applies, year * 10000 + month * 100 + day; 0:
				never */
	const char *reason;
	bool unexplained;    /* the reason begins with the word TODO */
	bool expired;        /* @expires was before the day on which the file was read */
	size_t used;         /* number of findings that the line suppressed */
	bool untried;        /* the table has versions in its range, but this run compared none of them */
};

struct suppressions {
	const char *path;
	struct suppression *item;
	size_t count;
};

/*
 * Parses a word of the first column, or '*', to the bits of struct suppression. Return: 0; ERR_FORMAT, with a
 * message that lists the valid words.
 */
typedef int (*suppress_word)(unsigned *bits, const char *text, struct err *err);

/**
 * suppressions_parse - read the text of a suppression file
 * @today: encoded like @expires of struct suppression; a line that expired before @today suppresses nothing
 * @parse_rule: parses the first column; if NULL, it has the rules of verify
 *
 * Return: 0; ERR_FORMAT naming path and line.
 */
int suppressions_parse(struct suppressions *out, const char *text, const char *path, unsigned today,
		       suppress_word parse_rule, struct arena *arena, struct err *err);

/**
 * suppressions_find - find the first line that covers a finding
 * @rule_bit: one of the bits of struct suppression
 * @entry: the name of the finding's entry
 * @path:  the finding's field; NULL for a file for diff
 *
 * Return: NULL if no line covers it; an expired line covers nothing. The caller increments the line's @used.
 */
struct suppression *suppressions_find(const struct suppressions *suppressions, unsigned rule_bit,
				      const char *entry, const char *path, const char *version);

/**
 * suppressions_try - set @untried of each line; call this when all versions have been compared
 * @compared: the names of the compared versions
 *
 * A line that suppressed nothing is untried if its range contains none of @compared, but contains a node of
 * @table. If its range contains neither, the line is unused. Without a @table, every line whose range
 * contains none of @compared is untried. A line whose last version abbreviates one of @compared is unused,
 * not untried: "590.48" does not suppress anything in 590.48.01.
 */
void suppressions_try(struct suppressions *suppressions, const struct table *table,
		      const char *const *compared, size_t count);

/* A finding and the line that suppressed it. */
struct suppressed {
	const struct verify_finding *finding;
	const struct suppression *by;
};

/**
 * suppressions_apply - remove the accepted findings
 * @suppressed: set to the removed findings, in the same order, the unseen ones last; lives in @arena
 * @result: its two lists of findings are replaced with what is left, in the same order
 *
 * Each finding is suppressed by the first line that covers it, whose @used is incremented.
 * Return: the number of findings that were removed.
 */
size_t suppressions_apply(const struct suppressed **suppressed, struct verify_result *result,
			  struct suppressions *suppressions, const char *version, struct arena *arena);

/* --- a suppression file that covers every finding of a run -------------------------------- */

/* The reason in a new line, until its author replaces it. */
#define ACCEPT_TODO "TODO: say why this is accepted"

/* One version: the findings that remain, and those that suppression lines removed. */
struct accept_version {
	const char *version;
	bool unavailable; /* the version was not compared. It does not interrupt a range, and gets no new
			     lines */
	const struct verify_result *result;
	const struct suppressed *suppressed;
	size_t suppressed_count;
};

/* One line of a suppression file. */
struct acceptance {
	const char *rule, *entry, *versions, *expires, *reason; /* the first four are printable ASCII */
	const struct verify_finding *const *findings;           /* covered by the line: one for each distinct
								   message */
	size_t finding_count;
};

struct acceptances {
	const struct acceptance *item;
	size_t count;
	size_t unexplained; /* lines whose reason is a TODO */
};

/**
 * accept_findings - make lines that cover every finding, unseen or not, grouped by rule, entry and range
 * @out: lives in @arena and points into @versions; the order of @versions does not matter
 *
 * An unavailable version gets no new line, because the user must decide until when to accept it. Existing
 * lines that suppressed something come first, unchanged and in the order of the file. A new line is exact: it
 * names one rule, one entry and its fields, and every compared version in its range has such a finding.
 *
 * Return: 0; ERR_FORMAT if a line cannot contain the name of a version or an entry.
 */
int accept_findings(struct acceptances *out, const struct accept_version *versions, size_t count,
		    struct arena *arena, struct err *err);

/* --- the attack surface in numbers: what each capability of a proxy exposes --------------- */

/* This pass needs only a table, so it works for unavailable versions as well. */

/* The ioctls that one capability exposes. */
struct caps_one {
	const char *name;
	bool is_known;           /* it is one of table_caps */
	size_t entries;          /* entries that list it */
	size_t adds;             /* entries that list it, and no capability that is before it in @caps of
				    struct caps */
	size_t own;              /* entries that list only this capability */
	const size_t *by_family; /* @entries per family, indexed like @families of struct caps */
};

/* Entries that list exactly the same capabilities. */
struct caps_set {
	const char *const *caps; /* sorted */
	size_t cap_count;
	const struct table_entry *const *entries; /* sorted by family, then name */
	size_t entry_count;
};

struct caps {
	const struct table_view *view;
	const char *const *families; /* all families of the view, sorted */
	size_t family_count;
	const struct caps_one *caps; /* the requested ones in their order, or all: table_caps in its order,
					then others by name */
	size_t cap_count;
	const struct caps_set *sets; /* with at least one of @caps; the largest first */
	size_t set_count;
	size_t reached;              /* entries that list at least one of @caps: the sum of all @adds */
	const struct table_entry *const *unreached; /* entries that list no capability */
	size_t unreached_count;
};

/* --- the ioctls that a version offers, and which of them a proxy forwards ------------------ */

struct surface_filter {
	const char *family; /* glob; NULL matches all */
	const char *flag;   /* a word that must be among the flags; NULL matches all */
	const char *name;   /* glob; NULL matches all */
	unsigned roles; /* bits of 1u << enum abi_role: only ioctls with such a field; 0 matches all */
	const struct profile_strings *caps; /* only ioctls that one of @caps exposes; NULL: all */
	bool not_forwarded; /* only ioctls that the table's proxy does not forward */
};

struct surface_row {
	const struct abi_ioctl *ioctl; /* NULL if it is forwarded, but not in the driver's tables */
	const struct table_entry *entry; /* NULL if the ioctl is not forwarded, or without a table */
	const char *passed_as;         /* if the proxy passes the ioctl through because of its number, without
					  an entry: the proxy's name for it; otherwise NULL */
	const char *params;            /* the parameter record or scalar, or else the C type in the definition
					  of the number, "x[2]"; NULL if there are no parameters */
	uint64_t params_bytes; /* size of @params; 0 if unknown, or if the macro's arguments determine it */
	const struct abi_scalar *fields; /* fields of the parameters that have one of the filter's roles */
	size_t field_count;
};

struct surface {
	const struct abi *abi;
	const struct table_view *view;  /* NULL without a table */
	const struct surface_row *rows; /* sorted by family, number, name */
	size_t row_count;
	unsigned roles;                 /* the filter's */
	bool not_forwarded;             /* the filter's */
	size_t forwarded;               /* rows with both an ioctl and an entry */
	size_t unknown;                 /* rows with an entry only */
	size_t passed;                  /* rows without an entry that the proxy passes through by number */
};

/**
 * surface_select - list the ioctls of the driver, and the forwarded entries whose number no ioctl of the
 * driver has, that match @filter
 * @view: the proxy's entries; NULL without a table
 * @out: set on success, untouched on failure; lives in @arena; @abi and @view must outlive it
 *
 * Return: 0; an error of flatten_record() for a parameter record, if the filter has roles.
 */
int surface_select(struct surface *out, const struct abi *abi, const struct table_view *view,
		   const struct surface_filter *filter, struct arena *arena, struct err *err);

/* --- the ioctls of a version that carry process ids, and where ----------------------------- */

/*
 * A field is a pid if it has the role pid, or if a rule says that it is the pid of a process in a virtual
 * machine. A fact that no rule states is reported as unknown.
 */

/* Whether the driver itself converts a field to the caller's pid namespace, in one version. */
enum pids_converts {
	PIDS_UNKNOWN, /* the version is not a release, or no rule matches the field */
	PIDS_NO,
	PIDS_YES,
};

/*
 * pids_converted - look up in @rules whether the driver converts a pid, so that a proxy need not;
 * PIDS_UNKNOWN for the pid of a process in a virtual machine, and for a pid that the driver converts only
 * when it reads it
 */
enum pids_converts pids_converted(const struct use_rules *rules, const char *record,
				  const struct abi_scalar *scalar, const char *version);

/* A pid, or an array of pids. Offsets and sizes are in bytes. */
struct pids_field {
	const char *path;  /* "pidTbl[]", "ProcessID" */
	const char *type;
	uint64_t offset;   /* of the first pid, from the start of the parameters, or of the memory that
			      @pointer points to */
	uint64_t width;    /* of one pid */
	uint64_t stride;   /* from one pid to the next; 0 if there is only one */
	uint64_t max;      /* the most pids that fit; 0 if only @count limits them */
	const struct abi_scalar *count; /* the field that holds the number of pids; NULL if there is none */
	const struct abi_scalar *pointer; /* the pid is in the memory that this field points to; NULL if it is
					   in the parameters */
	const char *union_path;       /* the union around the field, which is a pid only in some calls;
					 NULL if there is none */
	const struct pid_rule *rule;  /* NULL if no rule matches */
	enum pids_converts converts;
};

struct pids_row {
	const struct surface_row *ioctl; /* the ioctl whose parameters are @record; NULL if no ioctl carries
					    @record */
	const char *record;
	uint64_t size_bytes;             /* of the record */
	const struct pids_field *fields; /* sorted by offset */
	size_t field_count;
};

struct pids {
	const struct surface *surface;
	const struct pids_row *rows; /* sorted by family, number, name */
	size_t row_count;
	size_t forwarded;            /* rows with an entry */
	const struct pids_row *records; /* records with pids that no ioctl carries, sorted by name. The
					   headers do not say whether programs can see them in shared memory,
					   or not at all */
	size_t record_count;
};

/**
 * pids_select - list the ioctls of @surface that carry a pid, and the records with pids that no ioctl carries
 * @out:   set on success, untouched on failure; lives in @arena; @surface and @rules must outlive it
 * @rules: may be empty; a rule for memory that a pointer points to has a path like "list->[].pid"
 *
 * An array of arrays gives one field for each inner element, because a field has only one stride.
 * Return: 0; an error of flatten_record(); ERR_LIMIT if a record has more than 4096 fields that are pids.
 */
int pids_select(struct pids *out, const struct surface *surface, const struct use_rules *rules,
		struct arena *arena, struct err *err);

/* pids_direction - return "in", "out" or "inout"; NULL if the direction is unknown. */
const char *pids_direction(const struct pids_field *field);

/*
 * pids_of_guest - check whether @field is the pid of a process in a virtual machine. A proxy must not
 * translate it.
 */
bool pids_of_guest(const struct pids_field *field);

/**
 * caps_count - count the ioctls that each capability exposes, at one version of the table
 * @out: lives in @arena; @view must outlive it
 * @wanted: count only these capabilities, in this order, without duplicates; NULL: all
 */
void caps_count(struct caps *out, const struct table_view *view, const struct profile_strings *wanted,
		struct arena *arena);

/* The ioctls that a capability exposes in the newer view but not in the older one, and the reverse. */
struct caps_change {
	const char *name;
	const struct table_entry *const *gained; /* entries of the newer view */
	size_t gained_count;
	const struct table_entry *const *lost;   /* entries of the older view */
	size_t lost_count;
};

struct caps_since {
	const struct table_view *base;
	const struct caps_change *changes; /* one for each capability of @next, in the same order */
	size_t change_count;
};

/*
 * caps_compare - list, for each capability of @next, the entries that it exposes in only one of @next and the
 * older view @base; both must outlive @out, which lives in @arena
 */
void caps_compare(struct caps_since *out, const struct caps *next, const struct table_view *base,
		  struct arena *arena);

/**
 * caps_cover - find the smallest set of capabilities that includes at least one capability of each entry, so
 * that a container with these capabilities can use all entries
 * @out: NULL-terminated, in @arena
 *
 * Among sets of the same size, the first in the order of table_caps is returned. Capabilities that are not in
 * table_caps follow those that are, sorted by name. Entries without capabilities are ignored. If the entries
 * list more than 20 capabilities, the set also covers all entries, but a smaller set may exist.
 */
void caps_cover(const char *const **out, const struct table_entry *const *entries, size_t count,
		struct arena *arena);

/* caps_lists - check whether @entry lists @cap */
bool caps_lists(const struct table_entry *entry, const char *cap);

/* caps_is_known - check whether @cap is one of table_caps */
bool caps_is_known(const char *cap);

/* caps_same - check whether two sorted lists have the same capabilities */
bool caps_same(const char *const *a, size_t a_count, const char *const *b, size_t b_count);

/* --- the table of a proxy that is written in C --------------------------------------------- */

/*
 * Input: the proxy's header as a document, and lines that map structs of the proxy to those of the driver.
 * Output: a proxy table of one version.
 *
 * A line is
 *
 * 	FAMILY CONSTANT[=NUMBER] DRIVER_STRUCT PROXY_STRUCT [CAP,CAP...]
 * 	type NAME pointer|handle
 *
 * either in a comment of the header, after "drvabi:", or in a map file. "-" for PROXY_STRUCT means that the
 * struct is passed through unread; "-" for both means that the ioctl has no parameters. docs/proxy-in-c.md
 * explains each word.
 */

/* One struct of one ioctl, and the type with which the proxy reads it. */
struct ctable_line {
	const char *source;      /* "proxy.h:12" */
	const char *file;        /* "proxy.h" */
	unsigned line;           /* 12 */
	size_t order;            /* the line's position among all lines */
	const char *family;
	const char *constant;    /* the driver's macro */
	const char *number_name; /* a macro or enumerator of the proxy's header; NULL if @number is set */
	uint64_t number;
	const char *driver;      /* NULL for "-" */
	const char *proxy;       /* NULL for "-" */
	const char *const *caps; /* sorted */
	size_t cap_count;
};

/* The role that a "type" line gives to a type of the proxy. */
struct ctable_role {
	const char *source;
	const char *type;
	enum abi_role role;
};

/* The lines of a header, a map file, or both. Initialize with { 0 }. */
struct ctable_map {
	struct ctable_line *line;
	size_t line_count;
	struct ctable_role *role;
	size_t role_count;
};

enum ctable_kind {
	CTABLE_HEADER, /* reads only what follows "drvabi:" on a line, up to the end of the comment */
	CTABLE_MAP,    /* reads every line, up to a '#' */
};

/**
 * ctable_read - parse the lines for drvabi of a text, and add them to @map
 * @map:  its lines and their strings are in @arena, which must be the same in all calls
 * @name: the name of the text, for "source" of its lines
 *
 * Return: 0; ERR_FORMAT if a line is invalid; @err names it.
 */
int ctable_read(struct ctable_map *map, const char *text, enum ctable_kind kind, const char *name,
		struct arena *arena, struct err *err);

/*
 * ctable_wanted - list the proxy's types, and its macros or enumerators with numbers, that the lines name, so
 * that the caller can read them from the header. Both lists are sorted, without duplicates, and in @arena.
 */
void ctable_wanted(struct profile_strings *types, struct profile_strings *numbers,
		   const struct ctable_map *map, struct arena *arena);

/* Describes the table to build. */
struct ctable_head {
	const char *path;    /* of the header */
	const char *version; /* of the driver that the header is for */
	const struct profile *profile; /* of the driver: gives the families, and the roles of types */
};

/**
 * ctable_build - make the table of a proxy that is written in C, from its header and the lines of @map
 * @out: has one node, which is supported, for head->version; lives in @arena and may share strings of @abi
 * @abi: the proxy's header as a document, with the items of ctable_wanted() and all types that they use
 *
 * How a table represents C types that it has no equivalent for:
 * - A union is an array of bytes. So is the storage of bit-fields, unless they fill exactly one integer.
 * - A pointer has the pointer role. Other types have the role that a "type" line or a type-only rule of the
 *   profile gives them.
 * - The members of an unnamed struct become members of the enclosing struct.
 * - A flexible or zero-length array has no bytes and is left out.
 *
 * Return: 0; ERR_FORMAT, naming the line, if its family is not in the profile, if its type or number is not
 * in the header, or if two lines contradict each other; ERR_FORMAT if @map has no line; an error of
 * abi_resolve_type() for a type of @abi.
 */
int ctable_build(struct table *out, const struct ctable_map *map, const struct abi *abi,
		 const struct ctable_head *head, struct arena *arena, struct err *err);

#endif
