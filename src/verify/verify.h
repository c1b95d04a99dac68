/*
 * verify/verify.h - a proxy's table against the driver: the parity test
 *
 * A pure pass: it compares one version's document with the entries of the table at that version, and never
 * prints.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "abi/abi.h"

#define VERIFY_FORMAT "drvabi-verify/1"

/* What can be wrong with an entry, in the order of reports. drvabi explain explains each rule. */
enum verify_rule {
	VERIFY_NUMBER,          /* the number is not that of the driver's macro or method, or there is no such
				   macro */
	VERIFY_REUSED_NUMBER,   /* the number is another command's in this version */
	VERIFY_MISSING_RECORD,  /* the driver has no such struct or alias */
	VERIFY_SIZE,            /* the proxy's type has another size than the driver's */
	VERIFY_FIELD_OFFSET,    /* the proxy has a driver's field, at another offset */
	VERIFY_FIELD_TYPE,      /* another width, sign, array length; a pointer or handle read as a number, or
				   the reverse */
	VERIFY_FIELD_MISSING,   /* no proxy field at all for a driver field, or the reverse */
	VERIFY_PADDING_OVERLAP, /* padding of the proxy covers bytes that the driver uses */
	VERIFY_NOT_SIMPLE,      /* passed through unread, but carries a pointer or a file descriptor */
	VERIFY_AS_IS,           /* unmarshalled, and passed on with a pointer or a file descriptor unchanged
				   */
	VERIFY_SURFACE,         /* the driver's own tables name another parameter record, or another size */
	VERIFY_HANDLER,         /* the proxy's code unmarshals another type than the table says */
	VERIFY_CODE,            /* a fault of the proxy's code itself */
	VERIFY_CAPS,            /* a capability outside the known set */
	VERIFY_KERNEL_POINTER,  /* forwarded, and may carry an address of the kernel: a warning */
	VERIFY_LACKING,         /* the proxy supports the version, and no source of documents has it */
};

enum { VERIFY_RULE_COUNT = VERIFY_LACKING + 1 };

/* verify_rule_name - "field-offset"; verify_rule_parse is its inverse (ERR_FORMAT names what is known). */
const char *verify_rule_name(enum verify_rule rule);
int verify_rule_parse(enum verify_rule *rule, const char *name, struct err *err);
/*
 * verify_rule_warns - its findings do not make a version fail unless --fail-on, or for VERIFY_LACKING
 * --strict, says so.
 */
bool verify_rule_warns(enum verify_rule rule);

/**
 * verify_rules_parse - the rules whose findings make a version fail
 * @fails: by rule
 * @list:  "size,field-offset"; NULL: every rule that does more than warn
 *
 * Return: 0; ERR_FORMAT if one of them is not a rule.
 */
int verify_rules_parse(bool fails[VERIFY_RULE_COUNT], const char *list, struct err *err);

/* A field, record or number as one of the two sees it. */
struct verify_side {
	bool present;
	uint64_t offset_bytes; /* of a field, from the start of the outermost record */
	uint64_t size_bytes;
	const char *type;      /* as that side spells it; "" for a number */
	bool has_number;
	uint64_t number;
};

struct verify_finding {
	enum verify_rule rule;
	const char *family;
	const char *entry;
	const char *record; /* the driver's spelling; "" if the finding is about the entry */
	const char *path;   /* of the driver's leaf, or of the proxy's if the driver has none; "" for a whole
			       record */
	struct verify_side driver, proxy;
	const char *message; /* one sentence */
	bool unseen;         /* neither document nor table shows whether this is a fault: it counts as not
				checked, and never fails */
};

struct verify_result {
	const struct table_view *view;
	const struct abi *abi;
	const struct verify_finding *findings; /* by family, entry, record, offset, rule */
	size_t finding_count;
	const struct verify_finding *unseen; /* the findings that are @unseen, in the same order; not among
						@findings */
	size_t unseen_count;
	size_t entry_count;   /* entries that were compared */
	size_t struct_count;  /* (entry, struct) pairs that were compared */
	size_t leaf_count;    /* driver leaves that were compared */
};

/**
 * verify_view - every rule, over every entry of one version
 * @out: lives in @arena; @abi and @view must outlive it
 *
 * Return: 0, also when there are findings; ERR_FORMAT if no field of @abi
 * has the role of a pointer, so that everything would pass as simple; what
 * flatten_record() returns for a document that contradicts itself.
 */
int verify_view(struct verify_result *out, const struct abi *abi, const struct table_view *view,
		struct arena *arena, struct err *err);

/**
 * verify_lacking - the one finding of a supported version that could not be checked
 * @view: the entries that the proxy forwards at it
 * @why:  the finding's message; it and the version's name must outlive @out
 *
 * Its family is "version", and its entry the version's name.
 */
void verify_lacking(struct verify_result *out, const struct table_view *view, const char *version,
		    const char *why, struct arena *arena);

/**
 * verify_unknown_family - a family that the table forwards and the driver does not have
 * @results: of all versions that were compared
 *
 * Return: the first family of an entry of which no version has ioctls; NULL if there is none, or no version
 * has any ioctls.
 */
const char *verify_unknown_family(const struct verify_result *const *results, size_t count);

/* verify_same_type - are @a and @b spellings of one type: the same name, or a tag and its typedefs? */
bool verify_same_type(const struct abi *abi, const char *a, const char *b);

/*
 * verify_params_by_name - the record that a command takes by the driver's naming convention:
 * "NV2080_CTRL_CMD_X" takes "NV2080_CTRL_X_PARAMS". NULL if the document has no record of that name.
 */
const char *verify_params_by_name(const struct abi *abi, const char *constant, struct arena *arena);

/*
 * verify_is_pointer - does the driver follow it in the caller's memory? An address in its own memory is not
 * one.
 */
bool verify_is_pointer(enum abi_scalar kind, enum abi_role role);

/*
 * verify_is_fd - by its role, or because its name ends so, whatever its type: the rule of gVisor's parity
 * test.
 */
bool verify_is_fd(const char *path, enum abi_role role);

/* --- the scalars of a proxy's type -------------------------------------------------- */

/* A scalar of a proxy's type: the counterpart of struct abi_leaf. */
struct proxy_leaf {
	const char *path;      /* "PCIInfo.Domain", "Handles", "Ops[2].Value"; "" for a type that is a scalar
				  itself */
	const char *type;      /* as the table spells it: "P64", "uint8[16]" */
	uint64_t offset_bytes; /* from the start of the outermost type */
	uint64_t element_bytes;
	uint64_t count;        /* elements; 1 if not an array; an array without elements has no leaf */
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* outermost first */
	size_t dimension_count; /* 0: not an array */
	bool is_signed;
	bool is_bool;
	bool is_padding; /* by its name or that of the record around it: "Pad0", "__pad", "_"; not "Reserved"
			  */
	enum abi_role role;    /* of its type: pointer, handle or none */
};

struct proxy_layout {
	const struct table_type *type;
	const struct proxy_leaf *leaves; /* by offset; they do not overlap */
	size_t leaf_count;
};

/* Where the types of a proxy are found by their names. */
struct proxy_types {
	const struct table_type *(*find)(const void *from, const char *name); /* NULL: no such type */
	const void *from;
	const char *path; /* for error messages */
};

/**
 * proxy_flatten - the scalars of a type; arrays of structs are written out, element by element
 *
 * Return: 0; ERR_FORMAT if @types does not have a type that it uses; ERR_LIMIT if there are more than 65536
 * leaves.
 */
int proxy_flatten(struct proxy_layout *out, const struct proxy_types *types, const struct table_type *type,
		  struct arena *arena, struct err *err);

/* proxy_leaf_bytes - all elements of it. */
uint64_t proxy_leaf_bytes(const struct proxy_leaf *leaf);

/* --- findings that were reviewed and accepted ------------------------------------------ */

/*
 * One line each, '#' begins a comment:
 *
 *   RULE ENTRY VERSIONS EXPIRES REASON...
 *   not-simple NV2080_CTRL_CMD_X 550.40.07..570.86.15 2027-01-31 fd is an index
 *
 * RULE is a rule or '*' (every rule but "unavailable"), ENTRY a glob over the entry's name, VERSIONS '*',
 * one version, or a range FIRST..LAST of which either end may be missing, EXPIRES a day or 'never'; the
 * reason is required. A line of the rule "unavailable" names its versions, both ends, and has a day. A line
 * that suppresses nothing, one whose day has passed, and one whose reason is a TODO (verify --write-suppress
 * writes such reasons) are themselves reported.
 */

struct suppression {
	unsigned line;       /* in the file, from 1 */
	bool any_rule;
	unsigned rule;       /* an enum verify_rule; in a file of diff, an enum diff_class */
	const char *rule_text, *versions, *expires_text; /* as the file has them, for reports */
	const char *entry;   /* glob */
	const char *first, *last; /* "" is not a bound */
	unsigned expires;    /* the last day on which it holds: year * 10000 + month * 100 + day; 0: never */
	const char *reason;
	bool unexplained;    /* the reason begins with the word TODO */
	bool expired;        /* as of the day it was read */
	size_t used;         /* findings that it suppressed */
	bool untried;        /* it is for versions of the table that this run compared none of */
};

struct suppressions {
	const char *path;
	struct suppression *item;
	size_t count;
};

/* Reads a word of the first column. Return: 0; ERR_FORMAT, naming the words that there are. */
typedef int (*suppress_word)(unsigned *word, const char *text, struct err *err);

/**
 * suppressions_parse - read a suppression file's text, whose first column has verify's rules
 * @today: as in struct suppression; a line that expired before it suppresses nothing
 *
 * Return: 0; ERR_FORMAT naming path and line.
 */
int suppressions_parse(struct suppressions *out, const char *text, const char *path, unsigned today,
		       struct arena *arena, struct err *err);

/* suppressions_parse_words - the same of a file whose first column has other words. */
int suppressions_parse_words(struct suppressions *out, const char *text, const char *path, unsigned today,
			     suppress_word word, struct arena *arena, struct err *err);

/**
 * suppressions_find - the first line that covers a finding
 * @rule:  as in struct suppression
 * @entry: the name of the entry of the finding
 *
 * Return: NULL if there is none. The caller counts the suppressed ones.
 */
struct suppression *suppressions_find(const struct suppressions *suppressions, unsigned rule,
				      const char *entry, const char *version);

/**
 * suppressions_try - marks the lines that are untried; call it when all versions have been compared
 * @compared: their names
 *
 * A line that suppressed nothing is untried if none of @compared is of its versions,
 * but a node of @table is. A line for versions that do not exist is unused. Without a @table,
 * every line that is for others than @compared is untried.
 */
void suppressions_try(struct suppressions *suppressions, const struct table *table,
		      const char *const *compared, size_t count);

/* A finding and the line that suppressed it. */
struct suppressed {
	const struct verify_finding *finding;
	const struct suppression *by;
};

/**
 * suppressions_apply - remove the findings that are accepted
 * @suppressed: the removed findings, in the same order, the unseen ones last; lives in @arena
 * @result: its findings, and the unseen ones, become those that are left, in the same order
 *
 * The first line that covers a finding suppresses it, and counts it.
 * Return: how many findings were removed.
 */
size_t suppressions_apply(const struct suppressed **suppressed, struct verify_result *result,
			  struct suppressions *suppressions, const char *version, struct arena *arena);

/* --- a suppression file that covers every finding of a run -------------------------------- */

/* The reason of a new line, until its author writes one. */
#define ACCEPT_TODO "TODO: say why this is accepted"

/* One version: the findings that are left, and those that lines suppressed. */
struct accept_version {
	const char *version;
	bool unavailable; /* it was not compared: it splits no run of versions, and has no new lines */
	const struct verify_result *result;
	const struct suppressed *suppressed;
	size_t suppressed_count;
};

struct acceptance {
	const char *rule, *entry, *versions, *expires, *reason; /* of the line; the first four are words of
								   printable ASCII */
	const struct verify_finding *const *findings;           /* that it covers: one for each different
								   sentence */
	size_t finding_count;
};

struct acceptances {
	const struct acceptance *item;
	size_t count;
	size_t unexplained; /* whose reason is a TODO */
};

/**
 * accept_findings - a line for everything that was found, unseen or not, by rule, entry and run of versions
 * @out: lives in @arena and points into @versions; the same for every order of @versions
 *
 * An unavailable version gets no line: for how long it is accepted is its author's to say. Lines that
 * suppressed something come first, in the order of their file and word for word. A new one is exact: it names
 * one rule, one entry, and versions between the ends of which every version of the run has such a finding.
 *
 * Return: 0; ERR_FORMAT for a version or an entry's name that no line can hold.
 */
int accept_findings(struct acceptances *out, const struct accept_version *versions, size_t count,
		    struct arena *arena, struct err *err);

/* --- the attack surface in numbers: what each capability of a proxy exposes --------------- */

/* A pass over a table alone: it works for unavailable versions as well. */

/* The ioctls that one capability exposes. */
struct caps_one {
	const char *name;
	bool is_known;           /* one of table_caps */
	size_t entries;          /* that list it */
	size_t adds;             /* that list it and none of the capabilities before it in struct caps */
	size_t own;              /* that list it and no other at all */
	const size_t *by_family; /* of @entries, for each family of struct caps */
};

/* Entries that list exactly the same capabilities. */
struct caps_set {
	const char *const *caps; /* sorted */
	size_t cap_count;
	const struct table_entry *const *entries; /* by family, then name */
	size_t entry_count;
};

struct caps {
	const struct table_view *view;
	const char *const *families; /* sorted; every one that the view has */
	size_t family_count;
	const struct caps_one *caps; /* as asked for; else in the order of table_caps, then others by name */
	size_t cap_count;
	const struct caps_set *sets; /* with at least one of @caps; most entries first */
	size_t set_count;
	size_t reached;              /* entries that list at least one of @caps: the sum of all @adds */
	const struct table_entry *const *unreached; /* that list no capability at all */
	size_t unreached_count;
};

/* --- the ioctls that a version offers, and which of them a proxy forwards ------------------ */

struct surface_filter {
	const char *family; /* glob; NULL: all */
	const char *flag;   /* a word that the flags must hold; NULL: any */
	const char *name;   /* glob; NULL: all */
	unsigned roles; /* bits of 1u << enum abi_role: only ioctls with a field of one of these; 0: all */
	const struct profile_strings *caps; /* only ioctls that one of these exposes; NULL: all */
	bool not_forwarded; /* only ioctls that the table's proxy does not forward */
};

struct surface_row {
	const struct abi_ioctl *ioctl; /* NULL: forwarded, and not in the driver's tables */
	const struct table_entry *entry; /* NULL: not forwarded, or no table */
	const char *passed_as;         /* passed through by its number, without an entry; NULL: it is not */
	const char *params;            /* the parameter record, or a scalar, or else the C type that the
					  number's size is of, "x[2]"; NULL: none */
	uint64_t params_bytes; /* its size; 0 if it is not a number, or the macro's parameters decide */
	const struct abi_leaf *fields; /* of the parameters, those that have one of the filter's roles */
	size_t field_count;
};

struct surface {
	const struct abi *abi;
	const struct table_view *view;  /* NULL without a table */
	const struct surface_row *rows; /* by family, number, name */
	size_t row_count;
	unsigned roles;                 /* the filter's */
	bool not_forwarded;             /* the filter's */
	size_t forwarded;               /* rows with both an ioctl and an entry */
	size_t unknown;                 /* rows with an entry only */
	size_t passed;                  /* rows without an entry that the proxy passes through by their number
					   */
};

/**
 * surface_select - the ioctls that @filter selects
 * @out: set on success, untouched on failure; lives in @arena; @abi and @view must outlive it
 *
 * Return: 0; what flatten_record() returns of a parameter record, if the filter has roles.
 */
int surface_select(struct surface *out, const struct abi *abi, const struct table_view *view,
		   const struct surface_filter *filter, struct arena *arena, struct err *err);

/* --- the ioctls of a version that carry process ids, and where ----------------------------- */

/*
 * A field is a pid if its role says so, or if a rule says that it is one of a virtual machine's
 * guest. A fact that no rule has is unknown, and stays so.
 */

/* Does the driver itself convert a field to the caller's pid namespace, in one version? */
enum pids_converts {
	PIDS_UNKNOWN, /* the version is not a release, or no rule matches the field */
	PIDS_NO,
	PIDS_YES,
};

/* pids_converted - of a pid in @record, by @rules; PIDS_UNKNOWN for one of a virtual machine's processes, too
 */
enum pids_converts pids_converted(const struct use_rules *rules, const char *record,
				  const struct abi_leaf *leaf, const char *version);

/* A pid, or a row of them. Offsets and sizes in bytes, from the start of the parameters. */
struct pids_field {
	const char *path;  /* "pidTbl[]", "ProcessID" */
	const char *type;
	uint64_t offset;   /* of the first one, from the start of the parameters, or of what @pointer leads to
			      */
	uint64_t width;    /* of one */
	uint64_t stride;   /* from one to the next; 0 if there is one only */
	uint64_t max;      /* how many there may be; 0: as many as @count says, without a bound */
	const struct abi_leaf *count; /* the field that says how many there are; NULL if there is none */
	const struct abi_leaf *pointer; /* the pid is in the memory at this pointer in the parameters; NULL:
					   in them */
	const char *union_path;       /* the union that it is in, so that it is a pid only in some calls;
					 NULL: none */
	const struct pid_rule *rule;  /* NULL: none matches */
	enum pids_converts converts;
};

struct pids_row {
	const struct surface_row *ioctl; /* it has an ioctl and a record; NULL: no ioctl carries the record */
	const char *record;
	uint64_t size_bytes;             /* of the record */
	const struct pids_field *fields; /* by offset */
	size_t field_count;
};

struct pids {
	const struct surface *surface;
	const struct pids_row *rows; /* by family, number, name */
	size_t row_count;
	size_t forwarded;            /* rows with an entry */
	const struct pids_row *records; /* without an ioctl, by name: memory that is shared, or nothing that
					   programs see; the headers do not say which */
	size_t record_count;
};

/**
 * pids_select - the ioctls among @surface that carry a pid
 * @out:   set on success, untouched on failure; lives in @arena; @surface and @rules must outlive it
 * @rules: may be empty; those of pointers name the fields in that memory, "list->[].pid"
 *
 * An array of arrays gives a field for each of the inner elements: one stride says where the others of a
 * field are. Return: 0; what flatten_record() returns of a parameter record; ERR_LIMIT for a record with an
 * absurd number of them.
 */
int pids_select(struct pids *out, const struct surface *surface, const struct use_rules *rules,
		struct arena *arena, struct err *err);

/* pids_direction - "in", "out", "inout"; NULL for unknown facts. */
const char *pids_direction(const struct pids_field *field);

/* pids_of_guest - is it a process of a virtual machine? A proxy must leave it as it is. */
bool pids_of_guest(const struct pids_field *field);

/**
 * caps_count - who exposes what, at one version of the table
 * @out: lives in @arena; @view must outlive it
 * @wanted: only these, in this order, each once; NULL: all
 */
void caps_count(struct caps *out, const struct table_view *view, const struct profile_strings *wanted,
		struct arena *arena);

/* The ioctls that a capability exposes now and did not before, and the reverse. */
struct caps_change {
	const char *name;
	const struct table_entry *const *gained; /* entries of the newer view */
	size_t gained_count;
	const struct table_entry *const *lost;   /* entries of the older view */
	size_t lost_count;
};

struct caps_since {
	const struct table_view *base;
	const struct caps_change *changes; /* one for each of @next's capabilities, in its order */
	size_t change_count;
};

/* caps_compare - @base is the older view; both it and @next must outlive @out, which lives in @arena. */
void caps_compare(struct caps_since *out, const struct caps *next, const struct table_view *base,
		  struct arena *arena);

/* caps_lists - does @entry list @cap? */
bool caps_lists(const struct table_entry *entry, const char *cap);

/* caps_is_known - is @cap one of table_caps? */
bool caps_is_known(const char *cap);

/* caps_same - are two sorted lists the same? */
bool caps_same(const char *const *a, size_t a_count, const char *const *b, size_t b_count);

/* --- the table of a proxy that is written in C --------------------------------------------- */

/*
 * In: the proxy's header as a document, and lines that say which struct of the proxy is which of the
 * driver's. Out: a proxy table of one version.
 *
 * A line is
 *
 * 	FAMILY CONSTANT[=NUMBER] DRIVER_STRUCT PROXY_STRUCT [CAP,CAP...]
 * 	type NAME pointer|handle
 *
 * either in a comment of the header, after "drvabi:", or in a map file. "-" for PROXY_STRUCT is a struct that
 * is passed through unread, "-" for both an ioctl without parameters. docs/proxy-in-c.md explains each word.
 */

/* The use of one struct of one ioctl by a proxy. */
struct ctable_line {
	const char *source;      /* "proxy.h:12" */
	const char *file;        /* "proxy.h" */
	unsigned line;           /* 12 */
	size_t order;            /* among all lines */
	const char *family;
	const char *constant;    /* the driver's macro */
	const char *number_name; /* a macro or enumerator of the proxy's header; NULL: @number says it */
	uint64_t number;
	const char *driver;      /* NULL: "-" */
	const char *proxy;       /* NULL: "-" */
	const char *const *caps; /* sorted */
	size_t cap_count;
};

/* The meaning of a proxy's type, whatever it is made of. */
struct ctable_role {
	const char *source;
	const char *type;
	enum abi_role role;
};

/* The lines of a header, a map file, or both. { 0 } is empty. */
struct ctable_map {
	struct ctable_line *line;
	size_t line_count, line_capacity;
	struct ctable_role *role;
	size_t role_count, role_capacity;
};

enum ctable_kind {
	CTABLE_HEADER, /* only what follows "drvabi:" on a line, up to the end of the comment */
	CTABLE_MAP,    /* every line, up to a '#' */
};

/**
 * ctable_read - add the lines of a text
 * @map:  released by the caller with ctable_release(), also after an error; strings are in @arena
 * @name: of the text: the source of a line begins with it
 *
 * Return: 0; ERR_FORMAT if a line is invalid; @err names it.
 */
int ctable_read(struct ctable_map *map, const char *text, enum ctable_kind kind, const char *name,
		struct arena *arena, struct err *err);
void ctable_release(struct ctable_map *map);

/*
 * ctable_wanted - the types and the numbers that the lines name, each once: what to look for in the header.
 */
void ctable_wanted(struct profile_strings *types, struct profile_strings *numbers,
		   const struct ctable_map *map, struct arena *arena);

/* The table's own description. */
struct ctable_head {
	const char *path;    /* of the header */
	const char *version; /* of the driver that the header is for */
	const struct profile *profile; /* of the driver: its families, and what its types are */
};

/**
 * ctable_build - the table
 * @out: one node, of head->version, supported; in @arena, as far as @abi's strings do not
 * @abi: the proxy's header: what ctable_wanted() named, and what that reaches
 *
 * How a table represents C where the two differ:
 * - A union is bytes, as is a bit-field's storage, unless the bits
 *   fill exactly one integer.
 * - A pointer has the role of one; a type has a role if a "type" line or a
 *   rule of the profile that is for types alone gives it one.
 * - The members of an unnamed struct are members of what that is in.
 * - A flexible or zero-length array has no bytes and is left out.
 *
 * Return: 0; ERR_FORMAT, naming the line, if it names a family that the profile does not have or a type or
 * number that the header does not have, if two lines contradict each other, or if there is no line at all.
 */
int ctable_build(struct table *out, const struct ctable_map *map, const struct abi *abi,
		 const struct ctable_head *head, struct arena *arena, struct err *err);

#endif
