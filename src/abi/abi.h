/*
 * abi/abi.h - the model of a driver's ABI, of a profile and of a proxy's table, and their JSON
 *
 * Includes base/ only. In this order: the document (struct abi: records, aliases, enums, constants, ioctls),
 * sets of documents, ioctl numbers of Linux, types as a document spells them, flat layouts, driver trees,
 * macros, the spelling of numbers and versions, what a driver does with its fields, profiles, proxy tables,
 * and reading and writing all of these as JSON.
 *
 * A document is built with a struct abi_builder, sealed once, and const from then on. All its strings and
 * arrays are in one arena. Names are sorted by strcmp(), so that every output has one order by construction.
 */
#ifndef ABI_ABI_H
#define ABI_ABI_H

#include "base/base.h"

/*
 * Building. The builder owns only its own tables: added items are copied by value, and the strings and
 * arrays inside must already be in the arena of the document. The same thing added twice is one thing; if a
 * name is added again with another definition, the first definition counts, and the document gets a warning
 * that names both sources.
 */
struct abi_builder;

/*
 * the files of one driver version
 *
 * source/ makes trees from git and from directories; extract/ reads them and does not know which it was.
 * Paths are relative to the tree's root, with "/" and without "." or "..".
 *
 * A tree is used by one thread at a time; two trees may be used by two.
 */

struct tree;

/*
 * everything extracted from one driver tree for one target
 *
 * The in-memory form of "drvabi-abi/1".
 */

#define ABI_FORMAT "drvabi-abi/1"

/*
 * The generation of documents. Raise it by one with every change after which extraction gives another
 * document for the same tree, profile and target: archives that were written before are then refused, and are
 * to be written again (docs/howto-new-release.md). `make check` finds a change that forgot to.
 */
enum { ABI_GENERATION = 2 };

/* The kinds of items of a change, a lookup or a report line. Closed: switches over it have no default. */
enum abi_kind {
	ABI_RECORD,
	ABI_ALIAS,
	ABI_ENUM,
	ABI_CONSTANT,
	ABI_IOCTL,
};

enum { ABI_KIND_COUNT = ABI_IOCTL + 1 };

/*
 * The task of a proxy with a field. Archives hold these numbers: a new role goes
 * to the end, before ABI_ROLE_LAST.
 */
enum abi_role {
	ABI_ROLE_NONE,
	ABI_ROLE_POINTER,
	ABI_ROLE_FD,
	ABI_ROLE_HANDLE,
	ABI_ROLE_PID,
	ABI_ROLE_STATUS,
	ABI_ROLE_SIZE,
	ABI_ROLE_COUNT,
	ABI_ROLE_KERNEL_POINTER, /* an address of the kernel that the driver writes or follows: a leak, not
				    for a proxy to translate */
	ABI_ROLE_LAST = ABI_ROLE_KERNEL_POINTER,
};

/* An integer of C, up to 64 bits, with its sign. */
struct abi_number {
	uint64_t magnitude; /* absolute value */
	bool negative;      /* never set with magnitude 0 */
};

struct abi_field {
	const char *name;     /* "" for an unnamed member */
	const char *type;     /* as gVisor's tool spells it: "NvU32", "P::e_t[4][2]", "T[]", "T[0]" */
	uint64_t offset_bits; /* from the start of the record */
	uint64_t size_bits;   /* of the whole member; the width for a bit-field; 0 for T[] and T[0] */
	bool is_bitfield;
	enum abi_role role;
};

struct abi_record {
	const char *name; /* tag, typedef, or PARENT::FIELD_t for an unnamed one */
	const struct abi_field *fields; /* in the order of declaration */
	size_t field_count;
	uint64_t size_bytes;
	uint64_t align_bytes;
	bool is_union;
	const char *source; /* "path/in/tree.h:LINE:COLUMN"; equal for all names of one declaration */
};

/* A spelling of a type that is neither a record nor itself made of brackets. */
struct abi_alias {
	const char *name; /* as fields spell it: "NvU32", "int", "void *", "const char *" */
	const char *type; /* canonical C: "unsigned int", "unsigned char[16]", "SOME_ENUM" */
	uint64_t size_bytes;
};

struct abi_enumerator {
	const char *name;
	struct abi_number value;
};

struct abi_enum {
	const char *name;
	const char *type; /* canonical underlying integer type: "unsigned int" */
	uint64_t size_bytes;
	const struct abi_enumerator *values; /* sorted by name */
	size_t value_count;
	const char *source;
};

struct abi_constant {
	const char *name;
	struct abi_number value;
};

/* Flags that are not the driver's own words. docs/formats.md explains each. */
#define ABI_FLAG_CONDITIONAL "conditional"
#define ABI_FLAG_DEPRECATED "deprecated"
#define ABI_FLAG_EMBEDDED_POINTERS "embedded-pointers"
#define ABI_FLAG_NOT_DISPATCHED "not-dispatched"

/* Facts about an ioctl's number. Archives hold these numbers. */
enum abi_encoding {
	ABI_NUMBER_PLAIN,     /* nothing */
	ABI_NUMBER_IOC,       /* it is one of <linux/ioctl.h> (abi/abi.h) */
	ABI_NUMBER_IOC_BY_NR, /* the same, and the driver looks at its type and nr only */
	ABI_ENCODING_LAST = ABI_NUMBER_IOC_BY_NR,
};

struct abi_ioctl {
	const char *family; /* "control", "alloc", "frontend", "uvm", or another name in a profile */
	const char *name;   /* the driver's macro for the number, or its method's name without one */
	uint64_t number;
	const char *params; /* the parameter record, as the driver spells it; NULL if there is none */
	const char *const *flags; /* sorted words, such as "privileged"; NULL if flag_count is 0 */
	size_t flag_count;
	const char *access; /* the rights that it requires; NULL if the driver states none */
	const char *source; /* where the driver's table states it; "" if unknown */
	enum abi_encoding encoding;
	unsigned varies;      /* bits 1 << enum abi_ioc_field: the parts that macro parameters decide;
				 the number has 0 for them */
	const char *argument; /* the C type that the number's size is of, "x[2]", "x *"; NULL if it is params,
				 or not known */
};

/* A declaration that extraction could not use, or found twice and different. */
struct abi_warning {
	const char *place; /* "path:LINE:COLUMN", "path:LINE", "path" or "" */
	const char *text;  /* one finished sentence */
};

struct abi {
	const char *driver;  /* the profile's name: "nvidia" */
	const char *version; /* as the user named it, or the tag */
	const char *commit;  /* 40 hex digits; "" for a directory */
	const char *target;  /* "x86_64-linux-gnu" */
	const struct abi_record *records;     /* sorted by name, unique */
	size_t record_count;
	const struct abi_alias *aliases;      /* sorted by name, unique */
	size_t alias_count;
	const struct abi_enum *enums;         /* sorted by name, unique */
	size_t enum_count;
	const struct abi_constant *constants; /* sorted by name, unique */
	size_t constant_count;
	const struct abi_ioctl *ioctls;       /* sorted by family, number, name */
	size_t ioctl_count;
	const struct abi_warning *warnings;   /* sorted by path, line and column (as numbers), then text;
						 unique */
	size_t warning_count;
	/* Directories of the profile that the tree does not have ("src"): missing items may be in there. */
	const char *const *absent;
	size_t absent_count;
};

/* Binary searches. Return: the element, owned by @abi, or NULL. */
const struct abi_record *abi_find_record(const struct abi *abi, const char *name);
const struct abi_alias *abi_find_alias(const struct abi *abi, const char *name);
const struct abi_enum *abi_find_enum(const struct abi *abi, const char *name);
const struct abi_constant *abi_find_constant(const struct abi *abi, const char *name);

/* abi_constants_from - the index of the first constant whose name is not before @prefix. */
size_t abi_constants_from(const struct abi *abi, const char *prefix);

/* abi_find_ioctl - @family: NULL for the first of that name in any family */
const struct abi_ioctl *abi_find_ioctl(const struct abi *abi, const char *family, const char *name);

/**
 * abi_ioctls_from - the first ioctl of @family whose number is not below @number
 *
 * Return: its index, or that of what follows the family; ioctls are sorted by family and number.
 */
size_t abi_ioctls_from(const struct abi *abi, const char *family, uint64_t number);

/* abi_ioctl_has_flag - @ioctl may be NULL */
bool abi_ioctl_has_flag(const struct abi_ioctl *ioctl, const char *flag);

/*
 * abi_ioctl_params_unknown - is it an escape of the frontend for which the profile names no record? Nothing
 * in the headers says what these take. An ioctl of another family without params has none.
 */
bool abi_ioctl_params_unknown(const struct abi_ioctl *ioctl);

/* abi_role_name - "pointer"; "" for ABI_ROLE_NONE. */
const char *abi_role_name(enum abi_role role);
/* abi_role_parse - Return: 0; ERR_FORMAT, @role untouched, if @name is not a role. */
int abi_role_parse(enum abi_role *role, const char *name, struct err *err);
/* abi_kind_name - "record", "alias", "enum", "constant", "ioctl". */
const char *abi_kind_name(enum abi_kind kind);

/* Every integer up to this one is a double: JSON has a larger one as a string, "0x…". */
#define ABI_DOUBLE_EXACT_MAX (UINT64_C(1) << 53)

struct abi_number abi_number_signed(int64_t value);
struct abi_number abi_number_unsigned(uint64_t value);
bool abi_number_equal(struct abi_number a, struct abi_number b);
/* abi_number_text - "-12", "42"; above ABI_DOUBLE_EXACT_MAX "0x…" or "-0x…". It is in @buffer. */
const char *abi_number_text(struct abi_number number, char buffer[24]);

/*
 * Is all that the driver says of two things the same? Their own names and sources are not compared, except
 * for an ioctl's name and family. The builder, diff and history have no comparison of their own, so they
 * agree on equality.
 */
bool abi_same_record(const struct abi_record *a, const struct abi_record *b);
bool abi_same_alias(const struct abi_alias *a, const struct abi_alias *b);
bool abi_same_enum(const struct abi_enum *a, const struct abi_enum *b);
bool abi_same_ioctl(const struct abi_ioctl *a, const struct abi_ioctl *b);

/*
 * An item, a struct of one of the five kinds, for code that does the same with all of them. abi_items: those
 * of one kind; item i is at first + i * size_bytes. abi_find_item: the first one of that name, or NULL.
 */
struct abi_items {
	const char *first;
	size_t count, size_bytes;
};

struct abi_items abi_items(const struct abi *abi, enum abi_kind kind);
const char *abi_item_name(enum abi_kind kind, const void *item);
const void *abi_find_item(const struct abi *abi, enum abi_kind kind, const char *name);
bool abi_same_item(enum abi_kind kind, const void *a, const void *b);

struct abi_builder *abi_builder_new(struct arena *arena);
void abi_builder_free(struct abi_builder *builder); /* NULL is fine */
void abi_builder_record(struct abi_builder *builder, const struct abi_record *record);
void abi_builder_alias(struct abi_builder *builder, const struct abi_alias *alias);
void abi_builder_enum(struct abi_builder *builder, const struct abi_enum *one);
void abi_builder_constant(struct abi_builder *builder, const struct abi_constant *constant);
void abi_builder_ioctl(struct abi_builder *builder, const struct abi_ioctl *ioctl);
/* abi_builder_warning - @place: "path:line", in the document's arena; "" or NULL: none */
void abi_builder_warning(struct abi_builder *builder, const char *place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* abi_builder_find - the item of that name that was added, until another of its @kind is; NULL: none. */
const void *abi_builder_find(const struct abi_builder *builder, enum abi_kind kind, const char *name);
/*
 * abi_builder_has_other - is @name a record, enum or alias already, and not one that a @kind of that name may
 * be? An enum is an alias, too.
 */
bool abi_builder_has_other(const struct abi_builder *builder, enum abi_kind kind, const char *name);

/**
 * abi_builder_seal - sort, freeze and hand over
 * @out: every array filled; driver, version, commit and target are set from @head
 *
 * The builder is empty afterwards and still to be freed.
 */
void abi_builder_seal(struct abi *out, struct abi_builder *builder, const struct abi *head);

/*
 * everything that a set of versions has, and which of them have it
 *
 * Made by store/, which stores documents so, and read by history/. It answers "since when" without a
 * document in memory for each version.
 */

/* Versions by index, from @from up to but not including @until. */
struct abi_span {
	uint32_t from, until;
};

/* A thing whose contents changed is there more than once. */
struct abi_index_item {
	enum abi_kind kind;
	const char *family;        /* of an ioctl; else NULL */
	const char *name;
	struct abi_number number;  /* of an ioctl or a constant */
	const struct abi_span *spans; /* in order; never none */
	size_t span_count;
};

struct abi_index {
	const struct abi_index_item *items;
	size_t count;
};

/*
 * an ioctl's number as Linux encodes it
 *
 * _IO(), _IOR(), _IOW() and _IOWR() of <linux/ioctl.h> put four things into 32 bits: nr in bits 0 to 7, the
 * type in 8 to 15, the size of the argument in 16 to 29, the direction in 30 and 31. So it is for
 * x86 and arm64, and for all but a few old machines.
 */

/* The direction, as seen by the caller; both bits: the driver reads the argument and writes it. */
enum {
	ABI_IOC_WRITE = 1, /* the caller writes it, the driver reads it */
	ABI_IOC_READ = 2,
};

/* The parts of an encoded number. */
enum abi_ioc_field {
	ABI_IOC_NR,
	ABI_IOC_TYPE,
	ABI_IOC_SIZE,
	ABI_IOC_DIRECTION,
};

enum { ABI_IOC_FIELD_COUNT = ABI_IOC_DIRECTION + 1 };

/* abi_ioc_get - one field of @number. */
unsigned abi_ioc_get(uint64_t number, enum abi_ioc_field field);
/* abi_ioc_mask - the bits that @field has in a number. */
uint64_t abi_ioc_mask(enum abi_ioc_field field);
/* abi_ioc_field_name - "nr", "type", "size", "direction". */
const char *abi_ioc_field_name(enum abi_ioc_field field);
/* abi_ioc_direction_name - "none", "read", "write" or "read-write". */
const char *abi_ioc_direction_name(unsigned direction);

/* abi_ioctl_is_encoded - is the number one of <linux/ioctl.h>? */
bool abi_ioctl_is_encoded(const struct abi_ioctl *ioctl);

/**
 * abi_ioctl_identity - what of its number the driver knows an ioctl by
 *
 * The whole number, or type and nr, where the driver looks at nothing else: then an ioctl may get another
 * size, and so another number, and is the same.
 */
uint64_t abi_ioctl_identity(const struct abi_ioctl *ioctl);

/* abi_ioctl_same_encoding - are the encoding, what varies, and the argument the same? Not the numbers. */
bool abi_ioctl_same_encoding(const struct abi_ioctl *a, const struct abi_ioctl *b);

/*
 * abi_ioctl_head - the flag count and the encoding as one number, for files
 *
 * For an ioctl with a plain number it is only the flag count, as in files from before there were encodings.
 */
uint64_t abi_ioctl_head(const struct abi_ioctl *ioctl);

/**
 * abi_ioctl_set_head - the reverse
 * @out: flag_count, encoding and varies are set
 * @has_argument: is there an argument to be read?
 *
 * Return: false, nothing set, if @head is not a value of abi_ioctl_head().
 */
bool abi_ioctl_set_head(struct abi_ioctl *out, bool *has_argument, uint64_t head);

/*
 * reading a type as a document spells it
 *
 * A field's type is a string: a base ("NvU32", "P::e_t", "void *",
 * "void (*)(int)") followed by dimensions in C order ("[4][2]", "[]", "[0]"). The base is looked up in the
 * same document, so that a document from JSON is complete.
 */

enum { ABI_DIMENSIONS_MAX = 16 };

/* A spelled type, parsed but not looked up. */
struct abi_spelling {
	const char *base;    /* points into the given string, base_length bytes */
	size_t base_length;
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* outermost first; 0 for [] and [0] */
	size_t dimension_count;
	bool flexible;       /* the outermost is [] */
};

/* abi_spelling_parse - Return: 0, or ERR_FORMAT for brackets that do not pair or are too deep. */
int abi_spelling_parse(struct abi_spelling *out, const char *type, struct err *err);

/* The kinds of scalar that a proxy can distinguish. Closed. */
enum abi_scalar {
	ABI_U8, ABI_U16, ABI_U32, ABI_U64,
	ABI_I8, ABI_I16, ABI_I32, ABI_I64,
	ABI_CHAR,    /* plain char, whose sign is the target's affair */
	ABI_BOOL,    /* _Bool */
	ABI_POINTER,
	ABI_ENUMERATION,
	ABI_BYTES,   /* anything else that has a size: float, __int128, opaque */
};

/* "u8" … "i64", "char", "bool", "pointer", "enum", "bytes" */
const char *abi_scalar_name(enum abi_scalar kind);

/* A type after following aliases down to a record or a scalar. */
struct abi_type {
	const struct abi_record *record;   /* NULL for a scalar */
	const struct abi_enum *enumeration; /* for ABI_ENUMERATION, if the document has it */
	enum abi_scalar scalar;            /* if record is NULL */
	uint64_t element_bytes;            /* size of one element */
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* of the spelling and of array typedefs below it, outermost
						   first */
	size_t dimension_count;            /* 0: not an array */
	uint64_t count;                    /* product of the dimensions, 1 if none */
	bool flexible;
	/*
	 * A pointer of C ("foo *") or ABI_BYTES ("float"), whose kind does not describe them fully; not
	 * NUL-terminated.
	 */
	const char *c_name;
	size_t c_length;
};

/* abi_same_dimensions - [2][3] is neither [3][2] nor [6], though all of them have as many elements. */
bool abi_same_dimensions(const struct abi_type *a, const struct abi_type *b);

/* abi_same_c_name - pointers spelled alike in C, or the same opaque bytes; true of all other kinds. */
bool abi_same_c_name(const struct abi_type *a, const struct abi_type *b);

/**
 * abi_resolve_target - the type that a pointer points to
 *
 * Return: false if @pointer is not a pointer, or if @abi does not have its target: void, a function, a
 * struct that is only named.
 */
bool abi_resolve_target(struct abi_type *out, const struct abi *abi, const struct abi_type *pointer);

/**
 * abi_resolve_type - what @type means in @abi
 *
 * Return: 0; ERR_NOT_FOUND if a name is in neither records, aliases nor
 * enums; ERR_FORMAT if the spelling is malformed; ERR_LIMIT if the array's
 * size does not fit 64 bits or aliases form a ring.
 */
int abi_resolve_type(struct abi_type *out, const struct abi *abi, const char *type, struct err *err);

enum { ABI_KNOWN_TYPES = 32 };

/*
 * Types of one document that were resolved before, by the address of their spelling. Most fields have few
 * types, and a document that was not read from JSON has each spelling once. { 0 } is empty.
 */
struct abi_known_types {
	const char *spelling[ABI_KNOWN_TYPES];
	struct abi_type type[ABI_KNOWN_TYPES];
};

/* abi_resolve_known - the same, of a @type that @abi itself holds; *@out is good until the next call. */
int abi_resolve_known(const struct abi_type **out, struct abi_known_types *known, const struct abi *abi,
		      const char *type, struct err *err);

/*
 * the scalars of one record, in memory order
 *
 * The result of flatten/, read by diff/, verify/ and report/.
 */

enum { ABI_REPEATS_MAX = 16 };

/* One enclosing array of records: the group repeats @count times, @stride_bits apart. */
struct abi_repeat {
	uint64_t count;
	uint64_t stride_bits;
};

struct abi_leaf {
	const char *path;     /* "params.hRoot"; "e[].c" in a repeated group; "m[][].x" for two dimensions */
	const char *type;     /* as declared: "NvU32", "NvU8[16]" */
	uint64_t offset_bits; /* from the start of the outermost record, in the first repetition */
	uint64_t size_bits;   /* of the whole leaf: all elements of an array of scalars; the width of a
				 bit-field */
	enum abi_scalar kind; /* of one element */
	uint64_t element_bits;
	uint64_t count;       /* elements, 1 if not an array; 0 if flexible or zero-length */
	const uint64_t *dimension; /* of an array of scalars, even of one element; outermost first */
	size_t dimension_count;    /* 0: it is not one */
	const char *c_name;   /* what C calls a pointer or opaque bytes, as in struct abi_type; NULL for all
				 other kinds */
	bool is_bitfield;
	bool flexible;
	enum abi_role role;
	struct abi_repeat repeat[ABI_REPEATS_MAX]; /* outermost first */
	size_t repeat_count;
	const char *union_path; /* innermost enclosing union: its path, "" for the record itself; NULL if in
				   none */
	size_t alternative;     /* which member of that union, from 0 */
};

/* abi_leaf_same_dimensions - arrays of the same dimensions, in groups that repeat as often, as far apart? */
bool abi_leaf_same_dimensions(const struct abi_leaf *a, const struct abi_leaf *b);

/* abi_leaf_same_bits - the same bits, and as many of each, whatever their kind, name and role. */
bool abi_leaf_same_bits(const struct abi_leaf *a, const struct abi_leaf *b);

/* abi_leaf_same - the same bits of the same kind and role, whatever their name and spelling of the type. */
bool abi_leaf_same(const struct abi_leaf *a, const struct abi_leaf *b);

struct abi_hole {
	uint64_t offset_bits;
	uint64_t size_bits;
	const char *after; /* path of the leaf before it; "" at the start */
	bool is_tail;
	struct abi_repeat repeat[ABI_REPEATS_MAX]; /* as of a leaf: it is in each of these elements */
	size_t repeat_count;
};

struct abi_layout {
	const char *record;
	const char *source;
	uint64_t size_bytes;
	uint64_t align_bytes;
	bool is_union;
	const struct abi_leaf *leaf; /* by offset_bits, then order of declaration */
	size_t leaf_count;
	const struct abi_hole *hole; /* bits of the record that no leaf covers */
	size_t hole_count;
};

struct tree {
	const struct tree_ops *ops;
	const char *version; /* as the user should see it: "550.54.14", a short commit, a directory */
	const char *commit;  /* 40 hex digits; "" for a directory */
};

struct tree_ops {
	/*
	 * Appends to @paths (growing, *count of them) every file that matches
	 * @pattern, sorted by strcmp(). '*' and '?' do not match '/'. A pattern without
	 * wildcards yields that file, if it exists. The strings belong to the tree.
	 */
	int (*glob)(struct tree *tree, const char *pattern, const char ***paths, size_t *count,
		    struct err *err);
	/*
	 * The text of a file, NUL-terminated, valid until it is forgotten or the tree is freed; a
	 * second read of the same path costs nothing. ERR_NOT_FOUND if there is none.
	 */
	int (*read)(struct tree *tree, const char *path, const char **text, size_t *size, struct err *err);
	/*
	 * The content id (git object id, 40 hex digits) of a file or directory,
	 * without reading it. ERR_NOT_FOUND if absent or if the tree has no ids.
	 */
	int (*id)(struct tree *tree, const char *path, char hex[41], struct err *err);
	/*
	 * The path of the file or directory at @path after all links: two paths with one are one file. @real
	 * belongs to the tree. ERR_NOT_FOUND if there is nothing at @path. May be NULL: the tree has no
	 * links.
	 */
	int (*real)(struct tree *tree, const char *path, const char **real, struct err *err);
	/* The text of @path is not needed any more; a later read loads it again. May be NULL. */
	void (*forget)(struct tree *tree, const char *path);
	void (*free)(struct tree *tree);
};

static inline void tree_forget(struct tree *tree, const char *path)
{
	if (tree->ops->forget)
		tree->ops->forget(tree, path);
}

static inline int tree_real(struct tree *tree, const char *path, const char **real, struct err *err)
{
	if (tree->ops->real)
		return tree->ops->real(tree, path, real, err);
	*real = path;
	return 0;
}

static inline void tree_free(struct tree *tree)
{
	if (tree)
		tree->ops->free(tree);
}

/*
 * the macros that a profile requests, and their values
 *
 * extract/ finds them in all units, and reads the numbers of ioctls and classes from them.
 */

/* One macro of one unit: object-like, except for those that families with the source ioc request. */
struct macro {
	const char *name;
	struct abi_number value; /* if evaluated */
	bool evaluated;          /* it is defined at the end of the unit, and an integer */
	bool has_failed;         /* neither a value nor a type: clang found an error */
	bool is_constant;        /* a constant of the profile's own, not only a family's */
	const char *unit;        /* profile_unit's name */
	const char *file;        /* path in the tree */
	unsigned line;           /* of the #define, from 1 */
	const char *call;        /* of a function-like one, whose value is that of 0 for all parameters:
				    "EVIOCGBIT(ev,len)"; else NULL */
	/* How it is made, if a family requests that: */
	bool is_ioc;             /* by _IO(), _IOR(), _IOW(), _IOWR() or _IOC(), be it through other macros */
	uint64_t varying;        /* of a function-like one: bits of the value that its arguments change */
	const char *argument;    /* the C type whose size is in the number, "x", "x[2]", "x *"; NULL if there
				    is none */
	const char *params;      /* the record that it is, consists of, or points to; of a scalar, the same as
				    argument; NULL: none */
	const char *body;        /* continued lines joined; the comments on these lines are in it */
};

/*
 * All macros that the profile's own constants or a family's match ask for; none that only
 * profile_want_constants() does.
 */
struct macro_index {
	const struct macro *items; /* sorted by name, then by the profile's units; unique in each unit */
	size_t count;
};

/* macro_find - @unit: NULL for the first that evaluated it, or else the first that has it. NULL: none. */
const struct macro *macro_find(const struct macro_index *macros, const char *name, const char *unit);

/*
 * a number as the driver's headers write it
 *
 * Every report and message writes the numbers of ioctls and the values of constants with these two,
 * so that a reader sees the same text as in the headers, and can grep for it. In JSON numbers are numbers.
 */

enum { ABI_NOTATION_BYTES = 48 };

/**
 * abi_ioctl_number - the number of an ioctl, command or class
 * @family: NULL if it is not known
 *
 * Hexadecimal, lower case: "0x2080018d", "0x3e". Decimal where a header counts
 * (abi_counted_numbers): "34" of UVM_FREE; but 0x30000001 of UVM_INITIALIZE.
 * Return: @buffer.
 */
const char *abi_ioctl_number(const char *family, uint64_t number, char buffer[ABI_NOTATION_BYTES]);

/**
 * abi_constant_number - the value of a constant
 *
 * The macro of a command (_CMD_ in its name) is written as an ioctl's. For all others a document does not
 * know the form in the header, so both are written: "0xa097 (41111)"; but "7" and "-12", which are the same
 * or have no other form.
 * Return: @buffer.
 */
const char *abi_constant_number(const struct abi_constant *constant, char buffer[ABI_NOTATION_BYTES]);

/* Numbers that a header counts, from @first to @last. */
struct abi_counted {
	const char *family;
	uint64_t first, last;
};

/* abi_counted_numbers - all there are; ended by a NULL family. */
extern const struct abi_counted abi_counted_numbers[];

/*
 * how a driver uses the fields in its ioctls
 *
 * A field's type does not show whether the driver reads it or writes it, which other field counts it,
 * whether the driver converts a process id to the caller's pid namespace, how much memory it copies at a
 * pointer, which member of a union is valid, or under which device files its ioctls are. People read that
 * in the driver's source; read_use.c reads the file with these facts ("drvabi-use/1", docs/profile.md), and
 * verify/ and decode/ apply them.
 */

/* Closed; names in abi/read_use.c and verify/pids.c. */
enum use_direction {
	USE_UNKNOWN, /* no rule says */
	USE_IN,      /* the driver reads it */
	USE_OUT,
	USE_INOUT,
};

/* use_direction_name - "in", "out", "inout"; NULL if it is unknown. */
const char *use_direction_name(enum use_direction direction);

/* Versions, by abi_version_compare(). */
struct use_span {
	const char *since; /* the first one */
	const char *until; /* the first one after it that is not one of them; NULL: none */
};

/* use_holds_in - is @version in one of @spans, or are there none? */
bool use_holds_in(const struct use_span *spans, size_t count, const char *version);

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
 * A pointer in a parameter record, and how much memory the driver copies from or to its target. Paths are
 * those of fields, "transData.edidData.pMessage".
 */
struct pointer_rule {
	const char *record; /* the parameter record's name */
	const char *ioctl;  /* the only one that it is true of; NULL: all that have the record */
	const char *path;   /* of the pointer */
	const char *count;  /* of the number of elements; NULL: one */
	const char *times;  /* of another number that they are multiplied by; NULL: none */
	const char *element; /* a type, as in a document */
	enum use_direction direction;
	uint64_t limit_bytes; /* the driver refuses to copy more; 0: no limit is known */
	const char *converted; /* "RECORD.FIELD" into which it copies in versions where the ioctl is
				  deprecated; NULL if there are none */
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

/*
 * A union, and the field that says which of its members is valid. With another value than those of @choices,
 * any may be.
 */
struct union_rule {
	const char *record; /* that has both */
	const char *field;  /* the union; "" if it has no name */
	const char *by;     /* path of the other field; may be in the union, if all members begin with it */
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
	char driver[32]; /* its name in /proc/devices, where it has no fixed number; "*" at the end: anything.
			    "": it is known by number or path */
	char module[16]; /* the kernel's module that must drive it, where drivers share a number; "": any */
	uint32_t major;  /* 0: none is fixed */
	uint32_t first_minor, last_minor;
};

/* Files of /dev, /proc and /sys that the driver makes, or has lines in. Without pointers, as device_rule. */
struct file_rule {
	char path[64]; /* "/proc/driver/nvidia*": each that begins so, and everything in it; without "*": one
			  file */
	char line[16]; /* the driver's lines begin so, after blanks and digits; "": all lines are its own */
	char module[16]; /* the kernel's module that must drive the device that the file is of, where other
			    drivers have such files, too; "": any */
};

/* The first rule that matches a device decides. */
struct device_rules {
	const struct device_rule *rules;
	size_t count;
	const struct file_rule *files;
	size_t file_count;
};

/* An ioctl whose argument is as many elements as the size in its request says. */
struct array_rule {
	const char *ioctl;
	const char *element;
	const char *evidence;
};

/* What a file descriptor in an ioctl's parameters is of, for the driver to read. */
struct fd_rule {
	const char *record;
	const char *path;
	const char *kind; /* "frontend": of /dev/nvidiactl or a GPU; "event": of the same, on which an event
			     was allocated; "capability": of a device that is only opened; "uvm": of
			     nvidia-uvm */
	bool optional;        /* 0, or a negative number in a signed field: no file descriptor */
	const char *evidence;
};

struct use_rules {
	const char *read_until; /* the last version whose source they were compared with; NULL: unknown */
	struct pid_rules pids;
	struct pointer_rules pointers;
	struct union_rules unions;
	struct device_rules devices;
	const struct array_rule *arrays;
	size_t array_count;
	const struct fd_rule *fds;
	size_t fd_count;
};

/*
 * names that say that bytes are unused
 *
 * There are three rules, since a wrong answer costs something else in each case:
 *
 *   padding_in_diff()   a report says "taken from padding" in place of "layout changed": generous
 *   padding_of_driver() the proxy need not have such a field: strict
 *   padding_of_proxy()  what a proxy written in Go or C calls padding: "Pad0", "_"
 */

/*
 * padding_in_diff - "reserved", "pad2", "params.rsvd_0", "reserved_flags": the last component begins with
 * such a word
 *
 * A letter may not follow the word: "padlinkMask" and "reservedSorMask" of the real driver are in use.
 */
bool padding_in_diff(const char *path);

/* A word that every table knows, as Go spells it: the other types of a table are made of these. */
struct table_word {
	const char *name; /* "uint16", "bool" */
	uint64_t size_bytes;
	bool is_signed;
};

/* table_word_find - the word of @length bytes at @name; NULL if it is not one */
const struct table_word *table_word_find(const char *name, size_t length);

/* padding_of_driver - "pad0", "reserved", "rsvd2": the last component is such a word, and a number. */
bool padding_of_driver(const char *path);

/* padding_of_proxy - "Pad0", "_", "padding_1": the whole name. */
bool padding_of_proxy(const char *name);

/*
 * the first numbers of a version, for the versions that begin with them
 *
 * "590" matches 590.44.01 and 590.48.01, "590.48" the second of them. As with git's abbreviated commits, a
 * match must be unique.
 */

/* abi_version_begins - is @word @version, or the part of it before one of its dots? */
bool abi_version_begins(const char *version, const char *word);

/* Versions in a row. */
struct abi_version_run {
	size_t first, count;
};

/*
 * abi_version_run - those of @names, sorted by abi_version_compare(), that begin with @word; the one of that
 * name, if there is one.
 */
struct abi_version_run abi_version_run(const char *word, const char *const *names, size_t count);

/* abi_version_ambiguous - says in @err that @word may be each of the @run. Return: ERR_NOT_FOUND. */
int abi_version_ambiguous(const char *word, const char *const *names, struct abi_version_run run,
			  struct err *err);

/*
 * names that exist, for one that does not
 *
 * For the sentences "no version X in REPO; nearest: …" and "… has nothing called X; nearest: …".
 */

enum { ABI_NEAREST_MAX = 3 };

/* { 0 } is empty. Names are the caller's. */
struct abi_nearest {
	const char *name[ABI_NEAREST_MAX];
	size_t distance[ABI_NEAREST_MAX];
	size_t count;
};

/*
 * abi_nearest_typos - add names that were cut short ("550.54"), or that a slip of the fingers can have turned
 * into @version
 *
 * If several are equally near, the last of @names.
 */
void abi_nearest_typos(struct abi_nearest *nearest, const char *version, const char *const *names,
		       size_t count);

/*
 * abi_nearest_neighbours - add the last one before @version, the first one after it, and the one spelled most
 * like it
 *
 * @names are sorted by abi_version_compare().
 */
void abi_nearest_neighbours(struct abi_nearest *nearest, const char *version, const char *const *names,
			    size_t count);

/*
 * abi_nearest_name - adds @name, of a record, field, ioctl etc., if it resembles @word, a name or a glob
 *
 * Nearest is a name that begins with the word, then a slip of the fingers, then a name that holds the word,
 * then one that holds at least half of it, from its beginning; a more similar one drops the others. Case
 * does not matter.
 */
void abi_nearest_name(struct abi_nearest *nearest, const char *word, const char *name);

/* abi_nearest_list - append "; nearest: A, B, C", the closest first; nothing if there are none. */
void abi_nearest_list(struct strbuf *out, struct abi_nearest *nearest);

/*
 * what to read in a driver tree
 *
 * read_profile.c reads it from JSON; extract/ has the built-in ones, and obeys it. Patterns are shell globs
 * as of fnmatch(3). See docs/profile.md.
 */

#define PROFILE_FORMAT "drvabi-profile/1"
#define USE_FORMAT "drvabi-use/1"

struct profile_strings {
	const char *const *item;
	size_t count;
};

/* The text for a header that others include and the tree does not have. */
struct profile_stand_in {
	const char *path; /* in the tree */
	const char *text;
	bool is_expected; /* the driver never has the file: reading the text is worth no warning */
};

/* One translation unit: these headers, in this order, with these directories. */
struct profile_unit {
	const char *name;               /* "rm", "uvm" */
	struct profile_strings headers; /* globs over the tree; each must match in at least one unit's tree
					   unless optional */
	const bool *is_alternative;     /* by header: to be read only if the one before it, and those that
					   that is an alternative to, match nothing */
	bool skips_unreadable;          /* a header that clang cannot read is left out with a warning */
	struct profile_strings optional_headers; /* globs that may match nothing */
	struct profile_strings context; /* paths: what these files declare is recorded only where other files
					   use it */
	struct profile_strings include; /* directories of the tree, searched in this order */
	const char *const *include_target; /* by directory: the only target that it is for, NULL for all;
					      NULL: none is for one */
	struct profile_strings define;  /* "NAME" or "NAME=VALUE" */
	struct profile_strings prologue; /* lines before the first #include: "typedef unsigned int __u32;" */
	const struct profile_stand_in *stand_ins; /* not for a header that the tree has */
	size_t stand_in_count;
};

/* Which macros, or enumerators, are wanted as constants. */
struct profile_constant {
	const char *name; /* glob over its name */
	const char *file; /* glob over the path of the file that defines it, or begins the enum; NULL: any */
	const char *value; /* POSIX extended regex over the macro's body, comments removed; NULL: any */
	struct profile_strings except; /* globs over names that this rule does not match */
	const char *enumeration; /* glob over the names of enums, as a document has them; NULL: the rule is
				    about macros */
	bool is_extra; /* of profile_want_constants() */
};

/* The first rule that matches decides a field's role. */
struct profile_role {
	enum abi_role role;
	const char *type; /* glob over the field's spelled type without dimensions; NULL: any */
	const char *name; /* glob over the field's name, case ignored; NULL: any */
	const char *record; /* glob over the record's name; NULL: any */
	const char *evidence; /* for people: where the driver says so; NULL if type and name say it */
};

/*
 * How the parameter record of an ioctl is found. Tried in order; the first that names an existing record or
 * alias wins.
 */
struct profile_params {
	const char *ioctl; /* glob over the ioctl's name that this rule is for; NULL: all */
	const char *record; /* the record; "\\0": the whole ioctl name, "\\1": the group, "\\l0", "\\l1": in
			       lower case */
	const char *regex; /* POSIX extended, over the macro's body with its trailing comment on the same
			      line; NULL: none */
	const char *name_regex; /* POSIX extended, over the ioctl's name; NULL: none */
};

/* The source of a family of ioctls. Closed. */
enum profile_source {
	PROFILE_FROM_CONSTANTS, /* macros of the headers */
	PROFILE_FROM_ENUM,      /* enumerators of the headers */
	PROFILE_FROM_NVOC,      /* NVOC exported method tables */
	PROFILE_FROM_RS_ENTRY,  /* resource_list.h */
	PROFILE_FROM_IOC,       /* macros of the headers that _IO(), _IOR(), _IOW(), _IOWR() or _IOC() makes,
				   be it through others */
};

/* How the numbers of a family are encoded. */
struct profile_ioc {
	bool is_encoded; /* as of abi/abi.h; always, FROM_IOC */
	bool by_nr;      /* the driver looks at type and nr only */
	const unsigned *types; /* only those of these types; all, if there are none */
	size_t type_count;
};

/*
 * Words for the bits of a number, read from the macros that the same driver tree defines for them: bits move
 * between versions. The word is what follows the prefix, in lower case with '-' for '_'.
 */
struct profile_words {
	struct profile_strings files;  /* globs over the tree: where the macros are; none of them need exist
					  but one */
	struct profile_strings prefix; /* of the macros' names; the first that fits is cut off:
					  "RS_FLAGS_ALLOC_", "RS_FLAGS_" */
	struct profile_strings except; /* globs over macro names that are not words */
	const char *fallback;          /* macro whose word is used if no bit of those in unless is set;
					  NULL: none */
	struct profile_strings unless; /* macro names */
};

/* Where the driver's source sends a family's ioctls on to functions. */
struct profile_dispatch {
	struct profile_strings files;  /* globs over the tree; none: it is not asked */
	struct profile_strings macros; /* globs over the names of macros that are a case label and more:
					  "UVM_ROUTE_CMD_*" */
};

struct table_field {
	const char *name;
	const char *type; /* another type, "uint32", "uint8[16]" */
	uint64_t offset_bytes;
};

struct table_type {
	const char *name;
	uint64_t size_bytes;
	const char *alias; /* "uint32", "uint8[16]"; NULL for a struct */
	enum abi_role role;
	const struct table_field *fields; /* by offset */
	size_t field_count;
};

struct table_struct {
	const char *driver; /* the driver's spelling */
	const char *proxy;  /* the proxy's own type; NULL: passed through unread (simple) */
};

/* The proxy's code for the parameters of an entry. */
struct table_handler {
	const char *kind; /* the name of its function; NULL: the table does not say */
	const char *type; /* the proxy's type that it unmarshals; NULL: none */
	bool type_known;
	struct profile_strings fields; /* of @type, "Params.FD", that its code names: it passes others on */
	bool fields_known;
	struct profile_strings faults; /* of its code: "compares a product that may have overflowed: n * 4 >
					  MAX" */
};

struct table_entry {
	const char *family;
	const char *name;
	bool removed;         /* JSON null: the parent's entry is removed; nothing below is set */
	uint64_t number;
	const char *constant; /* the driver's macro; NULL: it has none */
	const char *const *caps; /* sorted */
	size_t cap_count;
	const struct table_struct *structs;
	size_t struct_count;
	const char *file;     /* the file that holds it; NULL: the table's own */
	unsigned line;        /* in that file, from 1; 0: not known */
	struct table_handler handler;
};

/* Checksum of the driver's package for one machine. */
struct table_sha256 {
	const char *machine; /* "x86_64", "arm64" */
	const char *hex;     /* 64 digits */
};

struct table_node {
	const char *version;
	const struct table_node *parent; /* NULL for the root */
	bool supported;
	const struct table_entry *entries; /* sorted by family, then name */
	size_t entry_count;
	const struct table_sha256 *sha256; /* sorted by machine */
	size_t sha256_count;
	unsigned line; /* its line in the table's file, from 1; 0: not known */
};

/* Ioctls that the proxy passes through by their number, without an entry: number & mask == value. */
struct table_passed {
	const char *family;
	uint64_t mask, value;
	const char *name; /* the proxy's name for them: "NV2081_BINAPI" */
};

struct table {
	const char *path;     /* where it was read, for messages */
	const char *proxy;    /* "gvisor nvproxy" */
	const char *revision;
	const char *driver;   /* the profile it is for */
	const struct table_type *types; /* sorted by name */
	size_t type_count;
	const struct table_node *nodes; /* in the file's order: parents first */
	size_t node_count;
	const struct table_passed *passed;
	size_t passed_count;
};

/* A table of commands that is asked before the methods are. */
struct profile_deprecated {
	struct profile_strings files; /* globs over the tree; NULL if there is no such table */
	const char *table;            /* the array's name: "rmDeprecatedControlTable" */
};

/*
 * A call in the driver's sources that states one ioctl. In the patterns "\\1" is replaced by the first
 * argument, up to "\\9".
 */
struct profile_route {
	const char *name;   /* glob over the name of the macro that is called */
	const char *ioctl;  /* pattern: the ioctl's name */
	const char *record; /* pattern: its parameter record; NULL: the call states none */
	struct profile_strings flags; /* words that it gives the ioctl */
	const char *words;  /* pattern: names joined with "|", each a word; NULL: none */
	const char *prefix; /* that is cut off such a name; "" if nothing is */
};

/* Which ioctls of a family the driver answers. No calls: it is not asked. */
struct profile_routes {
	struct profile_strings files; /* globs over the tree */
	const struct profile_route *calls;
	size_t call_count;
};

/* Some bits of a family's numbers, and the source of names for them. */
struct profile_bits {
	const char *name;      /* "class" */
	unsigned low_bit, width;
	const char *family;    /* whose numbers these bits are; NULL: nobody's */
	const char *macros;    /* prefix of macros whose value they are, "NV\\1_CTRL_"; "\\1" is the family's
				  first bits in hex; NULL if there are none */
};

struct profile_family {
	const char *name; /* "control" */
	enum profile_source source;
	struct profile_strings match;  /* FROM_CONSTANTS: globs over macro names; others: which of the
					  constants may name a number */
	struct profile_strings except; /* globs over macro names that are not ioctls */
	struct profile_ioc ioc;        /* FROM_CONSTANTS, FROM_ENUM, FROM_IOC */
	const char *enumeration;       /* FROM_ENUM: the enum, as a document names it; its match and except
					  are over its enumerators */
	struct profile_strings flags;  /* FROM_CONSTANTS, FROM_ENUM: words that every ioctl of it has */
	struct profile_routes routes; /* FROM_CONSTANTS, FROM_ENUM */
	struct profile_strings files;  /* FROM_NVOC, FROM_RS_ENTRY: globs over the tree; FROM_IOC,
					  FROM_CONSTANTS: over the files of macros; any, if there are none */
	struct profile_strings embedded; /* files that list which commands carry embedded pointers */
	struct profile_words flag_words;   /* FROM_NVOC, FROM_RS_ENTRY: macros of one or several bits */
	struct profile_words access_words; /* the same: macros whose values are numbers of bits */
	const char *unit; /* FROM_CONSTANTS: only macros of this unit; NULL: any */
	struct profile_dispatch dispatch;     /* FROM_CONSTANTS */
	struct profile_deprecated deprecated; /* FROM_NVOC */
	const struct profile_params *params;  /* FROM_CONSTANTS; FROM_NVOC: of the deprecated commands */
	size_t param_count;
	const struct profile_bits *bits; /* the parts of a number, highest bits first */
	size_t bits_count;
};

struct profile {
	const char *name;
	const char *hash; /* profile_hash() of the text that it was read from; NULL if it was not read */
	const char *description;
	const char *repository; /* URL of the public repository, NULL if there is none */
	const struct profile_unit *units;
	size_t unit_count;
	const struct profile_constant *constants;
	size_t constant_count;
	const struct profile_role *roles;
	size_t role_count;
	const struct profile_family *families;
	size_t family_count;
};

/* profile_hash - 32 hex digits that name a profile's text (XXH3, 128 bits); in @arena. */
const char *profile_hash(const char *text, size_t size, struct arena *arena);

/**
 * profile_want_constants - request macros and enumerators besides those of the profile
 * @globs: over their names; outlive @profile
 *
 * The rules of the profile are first, and these constants are not used to find or name ioctls. The profile
 * gets another hash, so its documents are separate. All in @arena.
 */
void profile_want_constants(struct profile *profile, const struct profile_strings *globs,
			    struct arena *arena);

/*
 * profile_matches - does any of the globs match @text whole? As in fnmatch(3) without flags: '*' matches
 * '/' too.
 */
bool profile_matches(const struct profile_strings *globs, const char *text);

/*
 * profile_role_of - the role of a field; @record and @name may be ""
 * @types: its type, what that is a typedef of, and so on; NULL at the end
 */
enum abi_role profile_role_of(const struct profile *profile, const char *record, const char *name,
			      const char *const *types);

/**
 * profile_roots - the files and directories of a tree that a document can depend on
 *
 * Sorted, unique: include directories, the directories of headers and of globs, files. The ids of these make
 * a cache key. "" is the root of the tree (a glob or an include directory that lies directly in it).
 *
 * Return: 0; ERR_FORMAT if a path is absolute or has a "..".
 */
int profile_roots(struct profile_strings *out, const struct profile *profile, struct arena *arena,
		  struct err *err);

/*
 * the assumptions of a proxy about the ABI ("drvabi-proxy/1")
 *
 * Read and checked by table_json.c; used by diff/, verify/ and report/.
 * The version tree is sparse: a node holds only what differs from its parent.
 */

#define TABLE_FORMAT "drvabi-proxy/1"
#define TABLE_PATCH_FORMAT "drvabi-proxy-patch/1"

/* Everything the proxy forwards at one version, with no sparseness left. */
struct table_view {
	const struct table *table;
	const struct table_node *node;
	const struct table_entry *const *entries; /* sorted by family, then name */
	size_t entry_count;
};

/* table_passes - by what name an ioctl is passed through without an entry; NULL: it is not. */
const char *table_passes(const struct table *table, const char *family, uint64_t number);

const struct table_type *table_find_type(const struct table *table, const char *name);
const struct table_node *table_find_node(const struct table *table, const char *version);

/* table_entry_order - by family, then name: the order of a node's entries. */
int table_entry_order(const void *a, const void *b);

/* table_own_entry - what @node itself has for the family and name of @key, also a removal; NULL: nothing. */
const struct table_entry *table_own_entry(const struct table_node *node, const struct table_entry *key);

/*
 * table_entry_at - the entry for the family and name of @key that the proxy forwards at @node, its own or a
 * parent's; NULL if nothing.
 */
const struct table_entry *table_entry_at(const struct table_node *node, const struct table_entry *key);

/* Do both say the same, word for word? A removed entry is the same as another removed one. */
bool table_type_same(const struct table_type *a, const struct table_type *b);
bool table_entry_same(const struct table_entry *a, const struct table_entry *b);

/**
 * table_nearest_node - the node that is used for @version
 *
 * The node of that version; else the newest node not newer than it (by abi_version_compare()), preferring one
 * of the same branch (first number); NULL if all nodes are newer.
 */
const struct table_node *table_nearest_node(const struct table *table, const char *version);

/* table_view_at - walk from the root to @node; the view is in @arena. */
void table_view_at(struct table_view *out, const struct table *table, const struct table_node *node,
		   struct arena *arena);

/*
 * table_caps - the capabilities that a proxy may list, NULL-terminated
 *
 * nvidia-container-toolkit's driver capabilities and those that nvproxy splits further (nvconf's DriverCap),
 * the ones that a container gets by default first.
 */
extern const char *const table_caps[];

/* abi_version_compare - "535.54.03" < "535.104.05": numbers between dots as numbers, the rest as text. */
int abi_version_compare(const char *a, const char *b);

/*
 * writing JSON as a stream
 *
 * The writer knows about commas, indentation and escapes, and nothing else. It appends to the caller's strbuf
 * and owns nothing; nothing here fails. Invalid UTF-8 is written as U+FFFD. Indented by one space a level, a
 * newline at the end. A writer starts as { .out = &buffer }.
 */

struct json_writer {
	struct strbuf *out; /* the caller's */
	bool compact;       /* all on one line */
	unsigned depth;
	bool comma;         /* the next item needs one before it */
	bool after_key;
	unsigned inline_depth; /* depth of the object that is written on one line; 0: none */
	void *context;         /* of who writes fields that take more than their struct; else NULL */
};

/*
 * json_write_ioc - the member "ioc", the decoded number, into the open object of an ioctl; nothing
 * if the number is plain.
 */
void json_write_ioc(struct json_writer *writer, const struct abi_ioctl *ioctl);

void json_open_object(struct json_writer *writer);
/* json_open_inline_object, json_open_inline_array - that stays on one line, with all in it. */
void json_open_inline_object(struct json_writer *writer);
void json_close_object(struct json_writer *writer);
void json_open_array(struct json_writer *writer);
void json_open_inline_array(struct json_writer *writer);
void json_close_array(struct json_writer *writer);
void json_key(struct json_writer *writer, const char *key);
void json_string(struct json_writer *writer, const char *text); /* NULL: null */
void json_unsigned(struct json_writer *writer, uint64_t value); /* above 2^53: "0x…" */
void json_number(struct json_writer *writer, struct abi_number value);
void json_bool(struct json_writer *writer, bool value);
void json_null(struct json_writer *writer);
/* json_end - the newline after the outermost value. */
void json_end(struct json_writer *writer);

/* Key and value in one: the common case. */
void json_key_string(struct json_writer *writer, const char *key, const char *text);
void json_key_unsigned(struct json_writer *writer, const char *key, uint64_t value);
void json_key_bool(struct json_writer *writer, const char *key, bool value);
void json_key_strings(struct json_writer *writer, const char *key, const char *const *texts,
		      size_t count); /* on one line */

/* The kinds of a value. Several may be joined with |. */
enum json_want {
	JSON_WANT_OBJECT = 1,
	JSON_WANT_ARRAY = 2,
	JSON_WANT_STRING = 4,
	JSON_WANT_INTEGER = 8, /* a JSON number, or a string "0x…" or "-0x…" */
	JSON_WANT_BOOL = 16,
	JSON_WANT_NULL = 32,
	JSON_WANT_OPTIONAL = 64, /* of a member: it may be absent */
};

/*
 * fields of a struct as the members of an object
 *
 * A struct json_struct lists the fields of a C struct once: the key of each, its kind, and where it is.
 * Reading, writing and comparing JSON follow this list.
 */

/*
 * The form of a field in C, and of its value in JSON. A field of no such kind has JSON_WANT_* alone: its
 * .read stores the value. Without .read the value is accepted and not stored.
 */
enum json_kind {
	JSON_TEXT = JSON_WANT_STRING | 1 << 8,		/* const char *; NULL if null or absent */
	JSON_TEXT_OR_EMPTY = JSON_WANT_STRING | 2 << 8, /* the same; "" if absent */
	JSON_FORMAT = JSON_WANT_STRING | 3 << 8,	/* is not in the struct: must be .text */
	JSON_BOOL = JSON_WANT_BOOL | 4 << 8,		/* bool */
	JSON_U32 = JSON_WANT_INTEGER | 5 << 8,		/* uint32_t of at most .max; 0: any */
	JSON_U64 = JSON_WANT_INTEGER | 6 << 8,		/* uint64_t of at most .max; 0: any */
	JSON_NUMBER = JSON_WANT_INTEGER | 7 << 8,	/* struct abi_number */
	JSON_TEXTS = JSON_WANT_ARRAY | 8 << 8,		/* const char *const *, with a size_t at .count */
	JSON_OBJECT = JSON_WANT_OBJECT | 9 << 8,	/* the struct .of, inside of this one */
	JSON_LIST = JSON_WANT_ARRAY | 10 << 8,		/* pointer to structs .of, with a size_t at .count */
	JSON_MAP = JSON_WANT_OBJECT | 11 << 8,		/* the same; each begins with its name, the key */
	JSON_BITS = JSON_WANT_INTEGER | 12 << 8,	/* uint64_t; JSON has bytes, at most .max */
	JSON_ROLE = JSON_WANT_STRING | 13 << 8,		/* enum abi_role; ABI_ROLE_NONE is never written */
	JSON_NAMED = JSON_WANT_STRING | 15 << 8,	/* an enum of .max constants, each with its .name_of;
							   NULL, "": it is not in JSON */
	JSON_NAMED_BOOL = JSON_WANT_STRING | 17 << 8,	/* likewise, bool */
	/* Only for writing: */
	JSON_SIZE = JSON_WANT_INTEGER | 14 << 8, /* size_t */
	JSON_MEMBERS = 16 << 8,			 /* the fields of the struct .of, into the same object */
	/* may be joined with a kind: */
	JSON_OPTIONAL = JSON_WANT_OPTIONAL,
	JSON_SPARSE = JSON_WANT_OPTIONAL | 1 << 7,  /* may be absent, and is not written if it is empty, NULL
						       or 0 */
	JSON_OR_NULL = JSON_WANT_NULL,		    /* of a JSON_U64 that is written: 0 is null */
	JSON_HIDDEN = JSON_WANT_OPTIONAL | 1 << 14, /* not in JSON, where other members say the same */
	JSON_PLACE = 1 << 15, /* a place in the driver, which json_same_struct() ignores */
	/* Only for writing: the struct, or each one of the list, is behind a pointer; NULL is written as
	   null. */
	JSON_BY_POINTER = 1 << 16,
	JSON_ON_ONE_LINE = 1 << 17, /* only for writing, and a list */
	JSON_MODIFIERS =
		JSON_SPARSE | JSON_OR_NULL | JSON_HIDDEN | JSON_PLACE | JSON_BY_POINTER | JSON_ON_ONE_LINE,
};

enum { JSON_FIELDS_MAX = 30 };

struct json_value;  /* abi/internal.h, for readers */
struct json_reader;

struct json_field {
	const char *key; /* "": the struct has only this field, and in JSON it is that value */
	unsigned kind;
	size_t offset, count;
	const struct json_struct *of;
	uint64_t max;
	const char *text; /* JSON_FORMAT: the required text; JSON_NAMED, if it is read: "a direction" */
	const char *(*name_of)(unsigned constant);
	/* For writing, the value of a JSON_TEXT or JSON_U64 that is not a member of the struct: */
	const char *(*get_text)(const void *object);
	uint64_t (*get_number)(const void *object);
	/* Both are called if the value is there. Is it valid by itself? */
	int (*check)(const struct json_value *at, struct err *err);
	/* Reads what no kind does; @object: the struct, with all fields before this one. */
	int (*read)(void *object, const struct json_field *field, const struct json_value *at,
		    struct json_reader *reader);
	/* Writes what no kind does, the key and the value, or nothing. */
	void (*write)(struct json_writer *writer, const struct json_field *field, const void *object);
	/* A struct for which this is true is not written; NULL: always something. */
	bool (*is_left_out)(const void *object);
};

struct json_struct {
	size_t size;
	/*
	 * @prepare is called before the first field is read, @check after the last one; both may be NULL.
	 * @found: the member of each field, its parent the object. @object follows those before it in an
	 * array.
	 */
	int (*check)(void *object, const struct json_value *found, struct json_reader *reader);
	struct json_field field[JSON_FIELDS_MAX]; /* up to one without a key */
	int (*prepare)(void *object, const struct json_value *found, struct json_reader *reader);
	bool is_inline; /* written on one line */
};

/* A field that is @member of struct @type; an array of structs @of_; an array of texts, a profile_strings. */
#define JSON_FIELD(key_, kind_, type, member, ...) \
	{ .key = (key_), .kind = (kind_), .offset = offsetof(struct type, member), __VA_ARGS__ }
#define JSON_ARRAY(key_, kind_, type, array, counter, of_, ...) \
	JSON_FIELD(key_, kind_, type, array, .count = offsetof(struct type, counter), .of = of_, __VA_ARGS__)
#define JSON_STRINGS(key_, modifiers, type, member, ...) \
	JSON_ARRAY(key_, JSON_TEXTS | (modifiers), type, member.item, member.count, NULL, __VA_ARGS__)

/* The members of a struct @of_, in the same object: of one inside of this one, or behind a pointer in it. */
#define JSON_INTO(type, member, of_, ...) \
	JSON_FIELD("*", JSON_MEMBERS, type, member, .of = (of_), __VA_ARGS__)
#define JSON_INTO_BY_POINTER(type, member, of_, ...) \
	JSON_FIELD("*", JSON_MEMBERS | JSON_BY_POINTER, type, member, .of = (of_), __VA_ARGS__)

/* Functions for .get_text, .get_number and .is_left_out: an expression with @it, a struct @type. */
#define JSON_GETTER(returned, name, type, expression) \
	static returned name(const void *object) \
	{ \
		const struct type *it = object; \
		return (expression); \
	}
#define JSON_GET_TEXT(name, type, expression) JSON_GETTER(const char *, name, type, expression)
#define JSON_GET_NUMBER(name, type, expression) JSON_GETTER(uint64_t, name, type, expression)
#define JSON_IS(name, type, expression) JSON_GETTER(bool, name, type, expression)

/* A leaf and a layout without its name, as "drvabi-flat/1" has them; a warning, as "drvabi/1" does. */
extern const struct json_struct abi_leaf_fields, abi_layout_fields, abi_warning_fields;

/* json_write_struct - as json_read_struct() reads it; json_write_members - the fields, into an open object */
void json_write_members(struct json_writer *writer, const void *object, const struct json_struct *of);
void json_write_struct(struct json_writer *writer, const void *object, const struct json_struct *of);

/*
 * JSON in and out
 *
 * Reading is strict: trailing garbage, duplicate keys, wrong types, numbers that a double would change,
 * nesting deeper than JSON_DEPTH_MAX and unknown formats are errors that name the path ("table.json:
 * versions[3].ioctls.control.X.number: …", and line and column for a syntax error). Writing is a stream, so
 * that text and JSON can come from the same pass over the same data.
 */

enum { JSON_DEPTH_MAX = 64 };

/*
 * Readers. @name is the name of the input in error messages ("table.json", "standard input"); the result is
 * in @arena, and the output is untouched on failure.
 *
 * json_read_abi - also accepts what gVisor's driver_ast_parser prints; alignment, driver, version and target
 * are unknown then (0, "").
 */
int json_read_abi(struct abi *out, const char *text, size_t size, const char *name, struct arena *arena,
		  struct err *err);
/* A format of JSON, "drvabi-abi/1", and its content. Lists of them end with a name of NULL. */
struct json_format {
	const char *name;
	const struct json_struct *of;
};

/* The formats that readers here follow. */
extern const struct json_format abi_formats[];

/*
 * json_write_schema - a format's JSON Schema
 *
 * It accepts all that the reader does, and more: a schema cannot express every rule of a reader.
 */
void json_write_schema(struct strbuf *out, const struct json_format *format);

/* json_read_profile - see docs/profile.md. */
int json_read_profile(struct profile *out, const char *text, size_t size, const char *name,
		      struct arena *arena, struct err *err);

/* The values of .drvabi.json, each a path or a name; NULL: it does not. */
struct project_config {
	const char *table, *profile, *repo, *suppressions;
};

/* json_read_config - a file .drvabi.json, an object without other keys */
int json_read_config(struct project_config *out, const char *text, size_t size, const char *name,
		     struct arena *arena, struct err *err);
/* json_has_linux_basic - has "basics": "linux" of a profile the header "linux/types.h", @path? */
bool json_has_linux_basic(const char *path);
/* json_read_use - "drvabi-use/1", how a driver uses process ids and pointers; see docs/profile.md. */
int json_read_use(struct use_rules *out, const char *text, size_t size, const char *name, struct arena *arena,
		  struct err *err);
/*
 * json_read_table - also checks it: parents exist without a cycle, types exist, fields neither overlap nor
 * leave their type, numbers fit 32 bits, versions are unique, proxies exist among types, removed entries
 * exist.
 */
int json_read_table(struct table *out, const char *text, size_t size, const char *name, struct arena *arena,
		    struct err *err);
/*
 * json_read_table_patch - "drvabi-proxy-patch/1": @base with the patch. Checks what json_read_table() does,
 * and that the patch changes nothing of @base; @out borrows from @base.
 */
int json_read_table_patch(struct table *out, const struct table *base, const char *text, size_t size,
			  const char *name, struct arena *arena, struct err *err);
/* json_read_wanted - gVisor's driver_ast_parser input: {"structs": […], "constants": […]}. */
int json_read_wanted(struct profile_strings *structs, struct profile_strings *constants, const char *text,
		     size_t size, const char *name, struct arena *arena, struct err *err);

/*
 * json_write_abi - a whole "drvabi-abi/1" document
 *
 * Names are sorted, the members of an object have a fixed order, a field or other small object has a line. A
 * bit-field has "bit_offset" and "bit_width" and no "size"; its "offset" is the byte of its first bit. An
 * array has "dims", see docs/formats.md. "flags" and "access" are left out where there are none; "params" is
 * null. Reading this and writing it again gives the same bytes.
 */
void json_write_abi(struct json_writer *writer, const struct abi *abi);
/*
 * json_write_table - "drvabi-proxy/1", sorted: the same table gives the same bytes, however its text was
 * ordered.
 */
void json_write_table(struct json_writer *writer, const struct table *table);
/*
 * json_write_table_patch - "drvabi-proxy-patch/1": types and nodes as in a table; a node's parent may be one
 * of another table.
 */
void json_write_table_patch(struct json_writer *writer, const struct table *patch);
/*
 * json_write_layouts - "drvabi-flat/1": {"format", "version", "commit", "target", "records": {NAME: {…}}}
 *
 * @roles: bits of 1u << enum abi_role, if the layouts have only leaves of these: the key "roles" says so; 0:
 *         they are whole
 */
void json_write_layouts(struct json_writer *writer, const struct abi *abi, const struct abi_layout *layouts,
			size_t count, unsigned roles);

/* json_library - "cJSON 1.7.15": the library that is loaded at run time. In @arena. */
const char *json_library(struct arena *arena);

#endif
