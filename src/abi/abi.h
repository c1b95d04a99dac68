/*
 * abi/abi.h - the model of a driver's ABI, of a profile and of a proxy's table, and their JSON
 *
 * Includes only base/. The order is: the document (struct abi: records, aliases, enums, constants, ioctls),
 * sets of documents, ioctl numbers of Linux, types as a document spells them, flat layouts, driver trees,
 * macros, the spelling of numbers, how a driver uses fields, names of padding, versions, similar names,
 * profiles, proxy tables, and the functions that read and write all of these as JSON.
 *
 * A document is built with a struct abi_builder. After abi_builder_seal(), it is const. All strings and
 * arrays of a document are in one arena. Names are sorted by strcmp(), so every output has the same order.
 */
#ifndef ABI_ABI_H
#define ABI_ABI_H

#include "base/base.h"

/*
 * everything extracted from one driver tree for one target
 *
 * The in-memory form of "drvabi-abi/1".
 */

#define ABI_FORMAT "drvabi-abi/1"

/*
 * The generation of documents. Increment it with every change that makes extraction produce a different
 * document for the same tree, profile and target. Archives with an older generation are rejected and must be
 * written again (docs/howto-new-release.md). `make check` fails if such a change did not increment it.
 */
enum { ABI_GENERATION = 2 };

/* The kinds of items in a document. The set is closed: switches over it have no default. */
enum abi_kind {
	ABI_RECORD,
	ABI_ALIAS,
	ABI_ENUM,
	ABI_CONSTANT,
	ABI_IOCTL,
};

enum { ABI_KIND_COUNT = ABI_IOCTL + 1 };

/*
 * What a proxy must do with a field. Archives contain these numbers, so add a new role
 * at the end, before ABI_ROLE_LAST.
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
	ABI_ROLE_KERNEL_POINTER, /* a kernel address that the driver leaks to the application, or
				    dereferences; a proxy does not translate it */
	ABI_ROLE_LAST = ABI_ROLE_KERNEL_POINTER,
};

/* A C integer of up to 64 bits and a sign. */
struct abi_number {
	uint64_t magnitude; /* absolute value */
	bool negative;      /* never set with magnitude 0 */
};

struct abi_field {
	const char *name;     /* "" for an unnamed member */
	const char *type;     /* spelled as by gVisor's tool: "NvU32", "P::e_t[4][2]", "T[]", "T[0]" */
	uint64_t offset_bits; /* from the start of the record */
	uint64_t size_bits;   /* size of the whole member; width of a bit-field; 0 for T[] and T[0] */
	bool is_bitfield;
	enum abi_role role;
};

struct abi_record {
	const char *name; /* tag, typedef, or PARENT::FIELD_t for an unnamed record */
	const struct abi_field *fields; /* in declaration order */
	size_t field_count;
	uint64_t size_bytes;
	uint64_t align_bytes;
	bool is_union;
	const char *source; /* "path/in/tree.h:LINE:COLUMN"; the same for all names of one declaration */
};

/* A type that is not a record, as a field spells it, without array dimensions at the end. */
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

/* Flags that drvabi itself defines. docs/formats.md explains each. */
#define ABI_FLAG_CONDITIONAL "conditional"
#define ABI_FLAG_DEPRECATED "deprecated"
#define ABI_FLAG_EMBEDDED_POINTERS "embedded-pointers"
#define ABI_FLAG_NOT_DISPATCHED "not-dispatched"
#define ABI_FLAG_RETURNS_FD "returns-fd"

/* How an ioctl's number is encoded. Archives contain these numbers. */
enum abi_encoding {
	ABI_NUMBER_PLAIN,     /* the number has no parts */
	ABI_NUMBER_IOC,       /* the number is encoded as in <linux/ioctl.h> */
	ABI_NUMBER_IOC_BY_NR, /* the same, but the driver compares only the type and the nr */
	ABI_ENCODING_LAST = ABI_NUMBER_IOC_BY_NR,
};

struct abi_ioctl {
	const char *family; /* "control", "alloc", "frontend", "uvm", or a family of a different profile */
	const char *name;   /* the driver's macro for the number, or the method's name if no macro exists */
	uint64_t number;
	const char *params; /* the parameter record, as the driver spells it; NULL if none is known */
	const char *const *flags; /* sorted words, such as "privileged"; NULL if flag_count is 0 */
	size_t flag_count;
	const char *access; /* the rights that the caller needs; NULL if the driver states none */
	const char *source; /* the place of the ioctl in the driver's source; "" if unknown */
	enum abi_encoding encoding;
	unsigned varies;      /* the parts of the number that depend on macro parameters, as bits
				 1 << enum abi_ioc_field; in number, these parts are 0 */
	const char *argument; /* the C type whose size is in the number, "x[2]", "x *"; NULL if the type is
				 equal to params or unknown */
};

/* A declaration that extraction could not use, or that it found twice with different contents. */
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
	/*
	 * Top-level directories ("src") in which the tree has no header of the profile. Items that the
	 * document does not have may be defined there.
	 */
	const char *const *absent;
	size_t absent_count;
};

/* abi_find_field - find a field of @record by name. Return: NULL if not found. */
const struct abi_field *abi_find_field(const struct abi_record *record, const char *name);

/* Find an item by name, with a binary search. Return: the item, owned by @abi; NULL if not found. */
const struct abi_record *abi_find_record(const struct abi *abi, const char *name);
const struct abi_alias *abi_find_alias(const struct abi *abi, const char *name);
const struct abi_enum *abi_find_enum(const struct abi *abi, const char *name);
const struct abi_constant *abi_find_constant(const struct abi *abi, const char *name);

/* abi_constants_from - find the first constant whose name sorts at or after @prefix. Return: its index. */
size_t abi_constants_from(const struct abi *abi, const char *prefix);

/* abi_find_ioctl - find an ioctl by name; if @family is NULL, the first with that name in any family */
const struct abi_ioctl *abi_find_ioctl(const struct abi *abi, const char *family, const char *name);

/**
 * abi_ioctls_from - find the first ioctl of @family whose number is at least @number
 *
 * Return: its index, or the index after the family's last ioctl. Ioctls are sorted by family and number.
 */
size_t abi_ioctls_from(const struct abi *abi, const char *family, uint64_t number);

/* abi_ioctls_numbered - find the *@count ioctls of @family that have the number; NULL if there is none */
const struct abi_ioctl *abi_ioctls_numbered(size_t *count, const struct abi *abi, const char *family,
					    uint64_t number);

/* abi_ioctl_has_flag - return whether @ioctl has @flag; false if @ioctl is NULL */
bool abi_ioctl_has_flag(const struct abi_ioctl *ioctl, const char *flag);

/*
 * abi_ioctl_params_unknown - return whether the parameters of @ioctl are unknown: in the family frontend, the
 * headers do not state the parameters, so they are known only if the profile names the record. They are also
 * unknown if the number has a size, but not a type, or if the number has no size and the driver does not
 * dispatch the ioctl, because only the code that handles an ioctl shows that it has no parameters. All other
 * ioctls with NULL params have no parameters.
 */
bool abi_ioctl_params_unknown(const struct abi_ioctl *ioctl);

/* abi_role_name - get the name of a role, "pointer"; "" for ABI_ROLE_NONE */
const char *abi_role_name(enum abi_role role);
/* abi_role_parse - find a role by name. Return: false, with @role untouched, if @name is not a role. */
bool abi_role_parse(enum abi_role *role, const char *name);
/* abi_kind_name - get the name of a kind: "record", "alias", "enum", "constant" or "ioctl" */
const char *abi_kind_name(enum abi_kind kind);

/* A double represents all integers up to this one exactly. In JSON, larger integers are strings, "0x…". */
#define ABI_DOUBLE_EXACT_MAX (UINT64_C(1) << 53)

struct abi_number abi_number_signed(int64_t value);
struct abi_number abi_number_unsigned(uint64_t value);
bool abi_number_equal(struct abi_number a, struct abi_number b);
/* abi_number_compare - order two numbers by value, as compare_numbers() */
int abi_number_compare(struct abi_number a, struct abi_number b);
/*
 * abi_number_text - write a number into @buffer: in decimal, "-12", or in hexadecimal, "-0x…", if its
 * magnitude is above ABI_DOUBLE_EXACT_MAX. Return: the text, which can begin after the start of @buffer.
 */
const char *abi_number_text(struct abi_number number, char buffer[24]);

/* All items of a kind (abi_items()), for code that handles all kinds alike. Item i: first + i * size_bytes */
struct abi_items {
	const char *first;
	size_t count, size_bytes;
};

struct abi_items abi_items(const struct abi *abi, enum abi_kind kind);
/* abi_set_items - set the items of one kind. @items: an array of the kind's structs, sorted */
void abi_set_items(struct abi *abi, enum abi_kind kind, const void *items, size_t count);
/* abi_item_bytes - the size of the struct for items of @kind */
size_t abi_item_bytes(enum abi_kind kind);
const char *abi_item_name(enum abi_kind kind, const void *item);
/* abi_item_source - where @item has its source; NULL if items of this kind have no source */
const char **abi_item_source(enum abi_kind kind, const void *item);
/* abi_find_item - find an item by name; of several ioctls, the first. Return: NULL if not found. */
const void *abi_find_item(const struct abi *abi, enum abi_kind kind, const char *name);
/* abi_order_items - compare two items by their order in a document: ioctls by family, number and name */
int abi_order_items(enum abi_kind kind, const void *a, const void *b);
/*
 * abi_same_item - return whether two items have the same contents. Their sources are not compared. Neither
 * are their names, except an ioctl's name and family. The builder, diff/ and history/ use this function, so
 * that they agree on which items are equal.
 */
bool abi_same_item(enum abi_kind kind, const void *a, const void *b);

/* A builder collects the items (records, aliases, enums, constants and ioctls) of a document. */
struct abi_builder;

struct abi_builder *abi_builder_new(struct arena *arena);
void abi_builder_free(struct abi_builder *builder); /* NULL is fine */
/*
 * Each function copies the struct of an item, but not its strings and arrays, which must be in the document's
 * arena. If an item of this kind and name (of an ioctl, also the family) was added before, that item is kept,
 * with a warning in the document if the two differ. Enumerators and flags need not be sorted.
 */
void abi_builder_record(struct abi_builder *builder, const struct abi_record *record);
void abi_builder_alias(struct abi_builder *builder, const struct abi_alias *alias);
void abi_builder_enum(struct abi_builder *builder, const struct abi_enum *one);
void abi_builder_constant(struct abi_builder *builder, const struct abi_constant *constant);
void abi_builder_ioctl(struct abi_builder *builder, const struct abi_ioctl *ioctl);
/* abi_builder_warning - add a warning; @place: "path:line", in the document's arena; "" or NULL if unknown */
void abi_builder_warning(struct abi_builder *builder, const char *place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* abi_builder_find - find an added item, or NULL. Valid until another item of the same @kind is added. */
const void *abi_builder_find(const struct abi_builder *builder, enum abi_kind kind, const char *name);
/*
 * abi_builder_has_other - return whether the builder has a type @name of a kind other than @kind, so that a
 * new item @name of @kind would conflict with that type. An enum does not conflict with its own alias.
 */
bool abi_builder_has_other(const struct abi_builder *builder, enum abi_kind kind, const char *name);

/**
 * abi_builder_seal - make a document of all items and warnings, sorted and without duplicates
 * @out: all arrays are set; driver, version, commit, target (NULL becomes "") and absent are those of @head
 *
 * The builder is empty afterwards. The caller still has to free it.
 */
void abi_builder_seal(struct abi *out, struct abi_builder *builder, const struct abi *head);

/*
 * all items of a set of versions, and the versions that have each item
 *
 * store/ makes the index from its stored documents, and history/ reads it. The index shows in which versions
 * an item exists, so that the documents of these versions need not be loaded.
 */

/* Versions by index, from @from up to but not including @until. */
struct abi_span {
	uint32_t from, until;
};

/* An item with the same contents in all its versions. If the contents change, each variant is an item. */
struct abi_index_item {
	enum abi_kind kind;
	const char *family;        /* an ioctl's family; NULL for other kinds */
	const char *name;
	struct abi_number number;  /* for an ioctl or a constant */
	const struct abi_span *spans; /* in order; at least one */
	size_t span_count;
};

struct abi_index {
	const struct abi_index_item *items;
	size_t count;
};

/*
 * an ioctl's number as Linux encodes it
 *
 * _IO(), _IOR(), _IOW() and _IOWR() of <linux/ioctl.h> put four parts into 32 bits: the nr in bits 0 to 7,
 * the type in 8 to 15, the size of the argument in 16 to 29, the direction in 30 and 31. This layout applies
 * to x86, arm64 and all but a few old architectures.
 */

/* The direction, as seen by the caller. If both bits are set, the driver reads and writes the argument. */
enum {
	ABI_IOC_WRITE = 1, /* the caller writes the argument, the driver reads it */
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

/* abi_ioc_get - get the value of @field in @number. */
unsigned abi_ioc_get(uint64_t number, enum abi_ioc_field field);
/* abi_ioc_mask - get the mask of the bits of @field in a number. */
uint64_t abi_ioc_mask(enum abi_ioc_field field);
/* abi_ioc_field_name - "nr", "type", "size", "direction". */
const char *abi_ioc_field_name(enum abi_ioc_field field);
/* abi_ioc_direction_name - "none", "read", "write" or "read-write". */
const char *abi_ioc_direction_name(unsigned direction);

/* abi_ioctl_is_plain - return whether the number of a struct abi_ioctl has no parts: ABI_NUMBER_PLAIN */
bool abi_ioctl_is_plain(const void *ioctl);

/*
 * abi_ioctl_is_by_nr - return whether the driver compares only the type and the nr of the number
 *
 * True for ABI_NUMBER_IOC_BY_NR, and for the ioctls of every DRM driver, which go through Linux's
 * drm_ioctl(). In documents of nvidia, their encoding is ABI_NUMBER_PLAIN.
 */
bool abi_ioctl_is_by_nr(const struct abi_ioctl *ioctl);

/**
 * abi_ioctl_identity - get the bits of the number by which the driver identifies an ioctl
 *
 * This is the whole number, or only type and nr if the driver compares only these. In the latter case, an
 * ioctl keeps its identity if the size in its number changes.
 */
uint64_t abi_ioctl_identity(const struct abi_ioctl *ioctl);

/*
 * reading a type as a document spells it
 *
 * A field's type is a string: a base ("NvU32", "P::e_t", "void *",
 * "void (*)(int)") followed by dimensions in C order ("[4][2]", "[]", "[0]"). The base is looked up in the
 * same document as the field, so a document needs no other file.
 */

enum { ABI_DIMENSIONS_MAX = 16 };

/* The spelling of a type, split into base and dimensions. The base was not looked up. */
struct abi_spelling {
	const char *base;    /* points into the given string; has base_length bytes */
	size_t base_length;
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* outermost first; 0 for [] and [0] */
	size_t dimension_count;
	bool flexible;       /* the outermost dimension is [] */
};

/* abi_spelling_parse - split a spelling. Return: 0; ERR_FORMAT if brackets or dimensions are invalid. */
int abi_spelling_parse(struct abi_spelling *out, const char *type, struct err *err);

/* The kinds of scalar that a proxy can distinguish. The set is closed. */
enum abi_scalar_kind {
	ABI_U8, ABI_U16, ABI_U32, ABI_U64,
	ABI_I8, ABI_I16, ABI_I32, ABI_I64,
	ABI_CHAR,    /* plain char, whose signedness depends on the target */
	ABI_BOOL,    /* _Bool */
	ABI_POINTER,
	ABI_ENUMERATION,
	ABI_BYTES,   /* any other type with a size: float, __int128, opaque types */
};

/* abi_scalar_kind_name - "u8" to "i64", "char", "bool", "pointer", "enum" or "bytes" */
const char *abi_scalar_kind_name(enum abi_scalar_kind kind);

/* A resolved type: the record or scalar to which its aliases lead. */
struct abi_type {
	const struct abi_record *record;   /* NULL for a scalar */
	const struct abi_enum *enumeration; /* for ABI_ENUMERATION, if the document has the enum */
	enum abi_scalar_kind scalar;       /* if record is NULL */
	uint64_t element_bytes;            /* size of one element */
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* outermost first: those of the spelling, then those of
						   the array typedefs to which its base leads */
	size_t dimension_count;            /* 0 if not an array */
	uint64_t count;                    /* product of the dimensions; 1 if not an array */
	bool flexible;
	/*
	 * The C spelling of a pointer ("foo *") or of ABI_BYTES ("float"), which @scalar does not describe
	 * fully. Not NUL-terminated; NULL for all other kinds.
	 */
	const char *c_name;
	size_t c_length;
};

/* abi_same_dimensions - compare dimension by dimension: [2][3], [3][2] and [6] are all different. */
bool abi_same_dimensions(const struct abi_type *a, const struct abi_type *b);

/* abi_same_c_name - compare the C spellings of pointers or opaque bytes; always true for other kinds. */
bool abi_same_c_name(const struct abi_type *a, const struct abi_type *b);

/**
 * abi_resolve_target - resolve the type that a pointer points to
 *
 * Return: false if @pointer is not a pointer, or if @abi does not describe its target (void, a function, an
 * incomplete struct).
 */
bool abi_resolve_target(struct abi_type *out, const struct abi *abi, const struct abi_type *pointer);

/**
 * abi_resolve_type - resolve the spelling @type in @abi
 *
 * Return: 0; ERR_NOT_FOUND if a name is not a record, alias or
 * enum of @abi; ERR_FORMAT if the spelling is malformed; ERR_LIMIT if the array's
 * size does not fit 64 bits or aliases form a cycle.
 */
int abi_resolve_type(struct abi_type *out, const struct abi *abi, const char *type, struct err *err);

enum { ABI_KNOWN_TYPES = 32 };

/*
 * A cache of resolved types of one document, indexed by the address of their spelling. Most fields share a
 * few types, and a document that was not read from JSON stores each spelling once. { 0 } is an empty cache.
 */
struct abi_known_types {
	const char *spelling[ABI_KNOWN_TYPES];
	struct abi_type type[ABI_KNOWN_TYPES];
};

/*
 * abi_resolve_known - resolve @type, which @abi owns, with a cache; *@out is valid until the next call.
 * Return: as abi_resolve_type().
 */
int abi_resolve_known(const struct abi_type **out, struct abi_known_types *known, const struct abi *abi,
		      const char *type, struct err *err);

/*
 * the scalars of one record, in memory order
 *
 * flatten/ makes layouts; diff/, verify/ and report/ read them.
 */

enum { ABI_REPEATS_MAX = 16 };

/* An array of @count records that encloses a scalar. The records are @stride_bits apart. */
struct abi_repeat {
	uint64_t count;
	uint64_t stride_bits;
};

/* A scalar of a record, or of a record inside it. */
struct abi_scalar {
	const char *path;     /* "params.hRoot"; "e[].c" in an array of records; "m[][].x" if it is 2D */
	const char *type;     /* as declared: "NvU32", "NvU8[16]" */
	uint64_t offset_bits; /* from the start of the outermost record, in the first element of each array */
	uint64_t size_bits;   /* size of all elements of an array of scalars; width of a bit-field */
	enum abi_scalar_kind kind; /* the kind of an element */
	uint64_t element_bits;
	uint64_t count;       /* number of elements: 1 if not an array, 0 if flexible or zero-length */
	const uint64_t *dimension; /* dimensions of an array of scalars, outermost first; also set for an
				      array of one element */
	size_t dimension_count;    /* 0 if not an array */
	const char *c_name;   /* the C spelling of a pointer or opaque bytes, as in struct abi_type; NULL for
				 all other kinds */
	bool is_bitfield;
	bool flexible;
	enum abi_role role;
	struct abi_repeat repeat[ABI_REPEATS_MAX]; /* the enclosing arrays, outermost first */
	size_t repeat_count;
	const char *union_path; /* path of the innermost enclosing union; "" if that is the record itself;
				   NULL if the scalar is not in a union */
	size_t alternative;     /* index of the member of that union, from 0 */
};

/* abi_scalar_same_dimensions - return whether the dimensions and the enclosing arrays are the same */
bool abi_scalar_same_dimensions(const struct abi_scalar *a, const struct abi_scalar *b);

/* abi_scalar_same_bits - return whether offset, size, dimensions and enclosing arrays are the same */
bool abi_scalar_same_bits(const struct abi_scalar *a, const struct abi_scalar *b);

/* abi_scalar_same - return whether abi_scalar_same_bits() is true, and kind, role and c_name are the same */
bool abi_scalar_same(const struct abi_scalar *a, const struct abi_scalar *b);

/* Bits of a record that no scalar covers. */
struct abi_hole {
	uint64_t offset_bits;
	uint64_t size_bits;
	const char *after; /* path of the scalar before the hole; "" at the start */
	bool is_tail;
	struct abi_repeat repeat[ABI_REPEATS_MAX]; /* the enclosing arrays, outermost first */
	size_t repeat_count;
};

struct abi_layout {
	const char *record;
	const char *source;
	uint64_t size_bytes;
	uint64_t align_bytes;
	bool is_union;
	const struct abi_scalar *scalar; /* sorted by offset_bits, then in declaration order */
	size_t scalar_count;
	const struct abi_hole *hole; /* in the order of their offsets */
	size_t hole_count;
};

/* abi_find_scalar - find a scalar by its path. Return: NULL if not found. */
const struct abi_scalar *abi_find_scalar(const struct abi_layout *layout, const char *path);

/*
 * the files of one driver version
 *
 * source/ makes trees from git and from directories; extract/ reads both kinds in the same way.
 * Paths are relative to the tree's root. They have the separator "/" and no component "." or "..".
 *
 * Only one thread at a time can use a tree. Different threads can use different trees.
 */

struct tree {
	const struct tree_ops *ops;
	const char *version; /* as the user should see it: "550.54.14", a short commit, a directory */
	const char *commit;  /* 40 hex digits; "" for a directory */
};

struct tree_ops {
	/*
	 * Appends the files that match @pattern, sorted by strcmp(), to the array @paths of *count elements,
	 * which is reallocated. '*' and '?' do not match '/'. A pattern without wildcards matches the file
	 * with this path, if it exists. The strings belong to the tree.
	 */
	int (*glob)(struct tree *tree, const char *pattern, const char ***paths, size_t *count,
		    struct err *err);
	/*
	 * Reads a file. The text is NUL-terminated, and valid until forget() is called for @path or the tree
	 * is freed. Reading the same path again costs nothing. ERR_NOT_FOUND if the file does not exist.
	 */
	int (*read)(struct tree *tree, const char *path, const char **text, size_t *size, struct err *err);
	/*
	 * Gets the content id (git object id, 40 hex digits) of a file or directory
	 * without reading it. ERR_NOT_FOUND if it does not exist or the tree has no ids.
	 */
	int (*id)(struct tree *tree, const char *path, char hex[41], struct err *err);
	/*
	 * Resolves all links in @path: two paths with the same result are the same file. @real belongs to
	 * the tree. ERR_NOT_FOUND if @path does not exist. The hook is NULL if the tree has no
	 * links.
	 */
	int (*real)(struct tree *tree, const char *path, const char **real, struct err *err);
	/* Drops the text of @path from memory; a later read loads it again. May be NULL. */
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
 * extract/ finds these macros in all translation units. Their values are numbers of ioctls and classes.
 */

/* A macro of a translation unit. Only a family with "source": "ioc" can request function-like macros. */
struct macro {
	const char *name;
	struct abi_number value; /* valid if evaluated */
	bool evaluated;          /* the macro expands to an integer, and is defined at the end of the unit */
	bool has_failed;         /* clang found an error: the macro expands to neither a value nor a type */
	bool is_constant;        /* requested by "constants" of the profile, not only by a family */
	const char *unit;        /* profile_unit's name */
	const char *file;        /* path in the tree */
	unsigned line;           /* line of the #define, from 1 */
	const char *call;        /* call of a function-like macro: "EVIOCGBIT(ev,len)"; the value is computed
				    with 0 for all parameters. NULL for an object-like macro */
	/* How the number is encoded, if a family requests that: */
	bool is_ioc;             /* the macro uses _IO(), _IOR(), _IOW(), _IOWR() or _IOC(), maybe through
				    other macros */
	uint64_t varying;        /* bits of the value that depend on the arguments of a function-like macro */
	const char *argument;    /* the C type whose size is in the number, "x", "x[2]", "x *"; NULL if there
				    is no such type */
	const char *params;      /* the record "x" of an argument "x", "x[2]" or "x *"; equal to argument if
				    argument is a scalar; NULL if argument is NULL or has no record */
	uint64_t elements;       /* the number of records in the argument; 0 if there is no argument */
	const char *body;        /* the text after the name, with continued lines joined; has the comments
				    on these lines */
};

/*
 * All macros that "constants" of the profile or "match" of a family request. Macros that only
 * profile_want_constants() requests are not included.
 */
struct macro_index {
	const struct macro *items; /* sorted by name, then by the profile's units; unique in each unit */
	size_t count;
};

/*
 * macro_find - find a macro of @unit. If @unit is NULL, use the first unit that evaluated the macro, or else
 * the first unit that has it. Return: NULL if not found.
 */
const struct macro *macro_find(const struct macro_index *macros, const char *name, const char *unit);

/*
 * a number as the driver's headers write it
 *
 * All reports and messages write the numbers of ioctls and the values of constants with these two functions,
 * so that users can search the headers for the numbers. JSON has plain numbers.
 */

enum { ABI_NOTATION_BYTES = 48 };

/**
 * abi_ioctl_number - write the number of an ioctl, command or class
 * @family: NULL if it is not known
 *
 * The number is in lower-case hexadecimal, "0x2080018d", unless the headers count it in decimal
 * (abi_counted_numbers): "34" for UVM_FREE, but "0x30000001" for UVM_INITIALIZE.
 * Return: @buffer.
 */
const char *abi_ioctl_number(const char *family, uint64_t number, char buffer[ABI_NOTATION_BYTES]);

/**
 * abi_constant_number - write the value of a constant
 *
 * If the name has _CMD_, the macro is a command, and its value is written like an ioctl's number. For other
 * macros, a document does not know the form in the header, so both forms are written: "0xa097 (41111)".
 * Only the decimal form is written for a value below 10 ("7") or a negative value ("-12").
 * Return: the text, which can begin after the start of @buffer.
 */
const char *abi_constant_number(const struct abi_constant *constant, char buffer[ABI_NOTATION_BYTES]);

/* Numbers from @first to @last that the headers count in decimal. */
struct abi_counted {
	const char *family;
	uint64_t first, last;
};

/* The ranges of numbers that the headers count in decimal. The last element has a NULL family. */
extern const struct abi_counted abi_counted_numbers[];

/*
 * how a driver uses the fields in its ioctls
 *
 * A type does not show how the driver uses a field: whether the driver reads or writes it, which other field
 * has the number of its elements, whether the driver converts a process id to the caller's pid namespace, how
 * much memory the driver copies at a pointer, and which member of a union is valid. Nor do headers show which
 * device files accept an ioctl. People find these facts in the driver's source and write them into a file
 * ("drvabi-use/1", docs/profile.md). read_use.c reads the file. verify/ and decode/ apply the facts.
 */

/* The set is closed; abi/read_use.c and verify/pids.c have the names. */
enum use_direction {
	USE_UNKNOWN, /* no rule applies */
	USE_IN,      /* the driver reads the field */
	USE_OUT,
	USE_INOUT,
};

/* use_direction_name - get the name of a direction: "in", "out" or "inout"; NULL for USE_UNKNOWN */
const char *use_direction_name(enum use_direction direction);

/* A range of versions in the order of abi_version_compare(). */
struct use_span {
	const char *since; /* the first version of the range */
	const char *until; /* the first version after the range; NULL if the range has no end */
};

/* use_holds_in - return whether @version is in one of @spans; an empty list has all versions */
bool use_holds_in(const struct use_span *spans, size_t count, const char *version);

/* The use of a field that has process ids. */
struct pid_rule {
	const char *record; /* glob for the name of the parameter record */
	const char *path;   /* glob for the path of the field, "pidInfoList[].pid" */
	enum use_direction direction;
	bool of_guest;      /* the process is in a virtual machine, so the pid is not a pid of the host */
	const char *count;  /* path of the field with the number of elements; NULL if no field has it */
	const struct use_span *converts; /* versions in which the driver converts the pid, sorted by since. Of
					    a pid with USE_INOUT, it converts only the value that it reads */
	size_t convert_count;
	const char *evidence; /* for people: the place in the driver's source */
};

/* The first rule that matches a field decides. */
struct pid_rules {
	const struct pid_rule *rules;
	size_t count;
};

/*
 * A pointer in a parameter record, and how much memory the driver copies from or to its target. Paths name
 * fields of the record, "transData.edidData.pMessage".
 */
struct pointer_rule {
	const char *record; /* the parameter record's name */
	const char *ioctl;  /* the only ioctl to which the rule applies; NULL: all ioctls with the record */
	const char *path;   /* path of the pointer */
	const char *count;  /* path of the number of elements; NULL: one element */
	const char *times;  /* path of a number by which count is multiplied; NULL: 1 */
	const char *element; /* type of an element, spelled as in a document */
	enum use_direction direction;
	uint64_t limit_bytes; /* the driver does not copy more than this; 0 if no limit is known */
	const char *converted; /* "RECORD.FIELD", the field to which the driver copies the target in versions
				  where the ioctl is deprecated; NULL if there is no such version */
	const char *when;   /* path of a field on which the rule depends; NULL if it always applies */
	uint64_t mask;      /* the bits of that field to compare */
	uint64_t equals;    /* the value that these bits must have */
	const struct use_span *versions; /* the versions to which the rule applies, by since; empty: all */
	size_t version_count;
	const char *evidence; /* for people */
};

/* All rules that match a record apply, because a record can have several pointers. */
struct pointer_rules {
	const struct pointer_rule *rules;
	size_t count;
};

/* A value of the field that says which member of a union is valid. */
struct union_choice {
	uint64_t value;
	const char *name;   /* the driver's name for the value; NULL if it has none */
	const char *member; /* the union's member that is valid */
};

/*
 * A union, and the field that says which of its members is valid. If the field's value is not in @choices,
 * any member can be valid.
 */
struct union_rule {
	const char *record; /* the record that contains the union and the field */
	const char *field;  /* name of the union; "" if it has none */
	const char *by;     /* path of the field; it can be in the union if all members begin with it */
	const struct union_choice *choices; /* sorted by value */
	size_t choice_count;
	const struct use_span *versions; /* the versions to which the rule applies, by since; empty: all */
	size_t version_count;
	const char *evidence; /* for people */
};

/* The first rule that matches a union decides. */
struct union_rules {
	const struct union_rule *rules;
	size_t count;
};

/* A device of the driver. The struct has no pointers, so it can be copied into another process. */
struct device_rule {
	char path[64];   /* "/dev/nvidia#"; "#" is the minor number, a final "*" matches anything */
	char family[16]; /* family of the device's ioctls; "" if no document has them */
	char driver[32]; /* name in /proc/devices of a device without a fixed number; a final "*" matches
			    anything; "" if the device is identified by number or path */
	char module[16]; /* kernel module that must drive the device, if drivers share the number; "": any */
	uint32_t major;  /* 0 if it is not fixed */
	uint32_t first_minor, last_minor;
};

/*
 * Files in /dev, /proc and /sys that the driver creates, or some of whose lines are about the driver. The
 * struct has no pointers, like struct device_rule.
 */
struct file_rule {
	char path[64]; /* a path; with a final "*", all paths that begin with the text before it:
			  "/proc/driver/nvidia*" */
	char line[16]; /* the start of the lines about the driver, after blanks and digits; "": all lines */
	char module[16]; /* kernel module that must drive the file's device, if other drivers have such files,
			    too; "": any */
};

/* The first rule that matches a device decides. */
struct device_rules {
	const struct device_rule *rules;
	size_t count;
	const struct file_rule *files;
	size_t file_count;
};

/* An ioctl whose argument is an array. The size in the ioctl's number shows how many elements it has. */
struct array_rule {
	const char *ioctl;
	const char *element;
	const char *evidence;
};

/* The kind of file that a file descriptor in an ioctl's parameters must refer to. */
struct fd_rule {
	const char *record;
	const char *path;
	const char *kind; /* "frontend": /dev/nvidiactl or a GPU; "event": the same, with an event allocated
			     on it; "capability": a device that needs only to be opened; "uvm":
			     nvidia-uvm */
	bool optional;        /* 0, or a negative number in a signed field, means no file descriptor */
	const char *evidence;
};

struct use_rules {
	const char *read_until; /* last version whose source was compared with the rules; NULL if unknown */
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
 * names of unused bytes
 *
 * Three functions decide whether a name is one for padding:
 *
 *   padding_in_diff()   accepts many names: a mistake only makes a report say "taken from padding"
 *   padding_of_driver() accepts few names: after a mistake, a proxy would omit a field that is in use
 *   padding_of_proxy()  accepts the names that proxies in Go or C give to padding: "Pad0", "_"
 */

/*
 * padding_in_diff - return whether the path's last component begins with a word for padding, as in
 * "reserved", "pad2", "params.rsvd_0" and "reserved_flags"
 *
 * A letter must not follow the word: NVIDIA's driver uses the fields "padlinkMask" and "reservedSorMask".
 */
bool padding_in_diff(const char *path);

/* padding_of_driver - return whether the last component is a word for padding: "reserved", "pad0" */
bool padding_of_driver(const char *path);

/* padding_of_proxy - return whether the whole name is one for padding: "Pad0", "_", "padding_1" */
bool padding_of_proxy(const char *name);

/*
 * versions, which can be abbreviated
 *
 * "590" matches 590.44.01 and 590.48.01; "590.48" matches only the latter. As with git's abbreviated
 * commits, a match must be unique.
 */

/*
 * abi_version_compare - compare runs of digits as numbers, the rest as text: "535.54.03" < "535.104.05". A
 * pre-release is lower than its release: "v6.1-rc2" < "v6.1-rc10" < "v6.1". Return: as strcmp(); 0 only if
 * the texts are equal.
 */
int abi_version_compare(const char *a, const char *b);
/* abi_order_versions - compare two elements that begin with a version, a const char *, for qsort() */
int abi_order_versions(const void *a, const void *b);

/* abi_version_begins - return whether @word is @version, or the part of @version before one of its dots */
bool abi_version_begins(const char *version, const char *word);

/* Consecutive elements of a list of versions. */
struct abi_version_run {
	size_t first, count;
};

/*
 * abi_version_run - find the versions that begin with @word. If @word itself is a version, find only that
 * version. @names is sorted by abi_version_compare(). If nothing is found, the run has a count of 0.
 */
struct abi_version_run abi_version_run(const char *word, const char *const *names, size_t count);

/* abi_version_ambiguous - report in @err that @word matches all versions of @run. Return: ERR_NOT_FOUND. */
int abi_version_ambiguous(const char *word, const char *const *names, struct abi_version_run run,
			  struct err *err);

/*
 * existing names that are similar to a name that does not exist
 *
 * Used for the messages "no version X in REPO; nearest: …" and "… has nothing called X; nearest: …".
 */

enum { ABI_NEAREST_MAX = 3 };

/* { 0 } is empty. The caller owns the names. */
struct abi_nearest {
	const char *name[ABI_NEAREST_MAX];
	size_t distance[ABI_NEAREST_MAX];
	size_t count;
};

/*
 * abi_nearest_typos - add the names for which @version is an abbreviation ("550.54") or a likely misspelling
 *
 * If several names are equally similar, the last one in @names is preferred.
 */
void abi_nearest_typos(struct abi_nearest *nearest, const char *version, const char *const *names,
		       size_t count);

/*
 * abi_nearest_neighbours - add the last name before @version, the first name after it, and the name with the
 * most similar spelling
 *
 * @names is sorted by abi_version_compare().
 */
void abi_nearest_neighbours(struct abi_nearest *nearest, const char *version, const char *const *names,
			    size_t count);

/*
 * abi_nearest_name - add @name (of a record, field, ioctl etc.) if it resembles @word, a name or a glob
 *
 * There are four groups of names, from nearest to farthest: names that begin with the word, likely
 * misspellings, names that contain the word, and names that contain at least its first half. Only names of
 * the nearest group are kept. Case is ignored.
 */
void abi_nearest_name(struct abi_nearest *nearest, const char *word, const char *name);

/*
 * abi_nearest_list - append "; nearest: A, B, C" to a message: the nearest first, equally near names by
 * version; append nothing if @nearest is empty. Sorts @nearest in the same way.
 */
void abi_nearest_list(struct strbuf *out, struct abi_nearest *nearest);

/*
 * profiles: what to read in a driver tree
 *
 * read_profile.c reads a profile from JSON. extract/ has the built-in profiles, and applies profiles.
 * Patterns are shell globs as in fnmatch(3). See docs/profile.md.
 */

#define PROFILE_FORMAT "drvabi-profile/1"
#define USE_FORMAT "drvabi-use/1"

struct profile_strings {
	const char *const *item;
	size_t count;
};

/* A text that replaces a header which other headers include, but which is not in the tree. */
struct profile_stand_in {
	const char *path; /* in the tree */
	const char *text;
	bool is_expected; /* no driver tree has the file, so using the text causes no warning */
};

/* A translation unit, which includes the headers in the order given. */
struct profile_unit {
	const char *name;               /* "rm", "uvm" */
	struct profile_strings headers; /* globs for files in the tree; one glob of each group of alternatives
					   must match a file */
	const bool *is_alternative;     /* indexed by header: true if the header belongs to the same group of
					   alternatives as the header before it */
	bool skips_unreadable;          /* a header that clang cannot read is left out with a warning */
	struct profile_strings optional_headers; /* globs that need not match a file */
	struct profile_strings context; /* paths of files whose declarations a document has only if other
					   files use them */
	struct profile_strings include; /* directories of the tree, searched in this order */
	const char *const *include_target; /* indexed by directory: the only target that uses the directory,
					      or NULL for all targets; NULL if all targets use all
					      directories */
	struct profile_strings define;  /* "NAME" or "NAME=VALUE" */
	struct profile_strings prologue; /* lines before the first #include: "typedef unsigned int __u32;" */
	const struct profile_stand_in *stand_ins; /* ignored for headers that the tree has */
	size_t stand_in_count;
};

/* A rule that selects macros or enumerators as constants of the document. */
struct profile_constant {
	const char *name; /* glob for the name of the macro or enumerator */
	const char *file; /* glob for the path of the file that defines the macro or enum; NULL: any */
	const char *value; /* POSIX extended regex for the macro's body without comments; NULL: any */
	struct profile_strings except; /* globs for names that this rule does not match */
	const char *enumeration; /* glob for the names of enums, as a document has them; NULL if the rule
				    selects macros */
	bool is_extra; /* added by profile_want_constants() */
};

/* The first rule that matches decides a field's role. */
struct profile_role {
	enum abi_role role;
	const char *type; /* glob for the field's type as spelled, without dimensions; NULL: any */
	const char *name; /* glob for the field's name, case ignored; NULL: any */
	const char *record; /* glob for the record's name; NULL: any */
	const char *evidence; /* for people: the place in the driver's source; NULL if none is needed */
};

/*
 * A rule that derives the name of an ioctl's parameter record. Rules are tried in order. The first rule that
 * gives the name of an existing record or alias decides.
 */
struct profile_params {
	const char *ioctl; /* glob for the names of the ioctls to which the rule applies; NULL: all */
	const char *record; /* the record's name; "\\0" is the ioctl's name, "\\1" the first group of the
			       regex; "\\l0" and "\\l1" are the same in lower case */
	const char *regex; /* POSIX extended, matched against the macro's body and the comment after it on
			      the same line; NULL: any */
	const char *name_regex; /* POSIX extended, matched against the ioctl's name; NULL: any */
};

/* Where a family of ioctls is read. The set is closed. */
enum profile_source {
	PROFILE_FROM_CONSTANTS, /* macros of the headers */
	PROFILE_FROM_ENUM,      /* enumerators of the headers */
	PROFILE_FROM_NVOC,      /* exported method tables that NVOC generates */
	PROFILE_FROM_RS_ENTRY,  /* resource_list.h */
	PROFILE_FROM_IOC,       /* macros of the headers that use _IO(), _IOR(), _IOW(), _IOWR() or _IOC(),
				   directly or through other macros */
};

/* How the numbers of a family are encoded. */
struct profile_ioc {
	bool is_encoded; /* as in <linux/ioctl.h>; always true with FROM_IOC */
	bool by_nr;      /* the driver compares only type and nr */
	const unsigned *types; /* only numbers with these types belong to the family; empty: all numbers */
	size_t type_count;
};

/*
 * How to find words for the bits of a mask (flags or access rights). The words are names of macros in the
 * driver tree, because the meaning of a bit depends on the version. A word is the macro's name without its
 * prefix, in lower case, with '-' for '_'.
 */
struct profile_words {
	struct profile_strings files;  /* globs for the files with the macros; at least one file must
					  exist */
	struct profile_strings prefix; /* prefixes of the macros' names; the first that matches is cut off:
					  "RS_FLAGS_ALLOC_", "RS_FLAGS_" */
	struct profile_strings except; /* globs for names of macros that are not words */
	const char *fallback;          /* macro whose word is used if no bit of the macros in unless is set;
					  NULL: no word is used */
	struct profile_strings unless; /* macro names */
};

/* The driver's source files that dispatch a family's ioctls to functions. */
struct profile_dispatch {
	struct profile_strings files;  /* globs for files in the tree; empty: the dispatch is not read */
	struct profile_strings macros; /* globs for the names of macros that expand to a case label and code:
					  "UVM_ROUTE_CMD_*" */
};

/* A table of commands that the driver searches before the method tables. */
struct profile_deprecated {
	struct profile_strings files; /* globs for files in the tree; empty if there is no such table */
	const char *table;            /* the array's name: "rmDeprecatedControlTable" */
};

/*
 * A macro call in the driver's sources that defines an ioctl. In the patterns, "\\1" to "\\9" are replaced
 * with the arguments of the call.
 */
struct profile_route {
	const char *name;   /* glob for the macro's name */
	const char *ioctl;  /* pattern for the ioctl's name */
	const char *record; /* pattern for its parameter record; NULL if the call does not state a record */
	struct profile_strings flags; /* every ioctl that one of these calls defines gets these flags */
	const char *words;  /* pattern for names joined with "|", each of which is a flag; NULL: no flags */
	const char *prefix; /* the prefix to remove from each name; can be "" */
};

/* The macro calls that define which ioctls of a family the driver handles. */
struct profile_routes {
	struct profile_strings files; /* globs for files in the tree */
	const struct profile_route *calls;
	size_t call_count;
};

/* A range of bits in a family's numbers, and the source of names for their values. */
struct profile_bits {
	const char *name;      /* "class" */
	unsigned low_bit, width;
	const char *family;    /* the family whose numbers are the values of these bits; NULL: none */
	const char *macros;    /* prefix of the macros with the values, "NV\\1_CTRL_"; "\\1" is the value, in
				  hex, of the family's first range of bits; NULL if there are no macros */
};

struct profile_family {
	const char *name; /* "control" */
	enum profile_source source;
	struct profile_strings match;  /* FROM_CONSTANTS: globs for macro names; other sources: globs for
					  the constants that can name a number */
	struct profile_strings except; /* globs for names of macros that are not ioctls */
	struct profile_ioc ioc;        /* FROM_CONSTANTS, FROM_ENUM, FROM_IOC */
	const char *enumeration;       /* FROM_ENUM: the enum, as a document names it; match and except
					  apply to its enumerators */
	struct profile_strings flags;  /* FROM_CONSTANTS, FROM_ENUM: flags of every ioctl of the family */
	/* not for tables: globs for ioctls whose result can be a file descriptor (ABI_FLAG_RETURNS_FD) */
	struct profile_strings returns_fd;
	struct profile_routes routes; /* FROM_CONSTANTS, FROM_ENUM */
	struct profile_strings files;  /* FROM_NVOC, FROM_RS_ENTRY: globs for the files with the tables;
					  FROM_IOC, FROM_CONSTANTS: for the files with the macros; empty:
					  any */
	struct profile_strings embedded; /* files that list the commands with embedded pointers */
	struct profile_words flag_words;   /* FROM_NVOC, FROM_RS_ENTRY: macros that are masks of bits */
	struct profile_words access_words; /* FROM_NVOC, FROM_RS_ENTRY: macros that are bit numbers */
	const char *unit; /* FROM_CONSTANTS: the only unit whose macros are read; NULL: any */
	struct profile_dispatch dispatch;     /* FROM_CONSTANTS */
	struct profile_deprecated deprecated; /* FROM_NVOC */
	const struct profile_params *params;  /* FROM_CONSTANTS; FROM_NVOC: for the deprecated commands */
	size_t param_count;
	const struct profile_bits *bits; /* the parts of a number, highest bits first */
	size_t bits_count;
};

struct profile {
	const char *name;
	const char *hash; /* profile_hash() of the profile's text; NULL if it was not read from a text */
	const char *description;
	const char *repository; /* URL of the public repository; NULL if unknown */
	const struct profile_unit *units;
	size_t unit_count;
	const struct profile_constant *constants;
	size_t constant_count;
	const struct profile_role *roles;
	size_t role_count;
	const struct profile_family *families;
	size_t family_count;
};

/* profile_hash - hash a profile's text (XXH3, 128 bits). Return: 32 hex digits in @arena. */
const char *profile_hash(const char *text, size_t size, struct arena *arena);

/**
 * profile_want_constants - request macros and enumerators besides those of the profile
 * @globs: globs for their names; must outlive @profile
 *
 * The rules of the profile take precedence. The added constants are not used to find or name ioctls. The
 * profile gets a different hash, so its documents are cached separately. All memory is in @arena.
 */
void profile_want_constants(struct profile *profile, const struct profile_strings *globs,
			    struct arena *arena);

/*
 * profile_matches - return whether one of the globs matches the whole @text. As in fnmatch(3) without flags,
 * '*' also matches '/'.
 */
bool profile_matches(const struct profile_strings *globs, const char *text);

/*
 * profile_role_of - find the role of a field; @record and @name can be ""
 * @types: the field's type, then the types to which its typedefs lead, one by one; ends with NULL
 *
 * Return: the role of the first rule that matches; ABI_ROLE_NONE if no rule does.
 */
enum abi_role profile_role_of(const struct profile *profile, const char *record, const char *name,
			      const char *const *types);

/*
 * profile_roots - list the files and directories of a tree on which a document can depend
 *
 * The list has the include directories, the directories of headers and globs, and files, sorted and unique.
 * Their ids make a cache key. "" is the root of the tree: for a glob without "/", and for the include
 * directory ".". json_read_profile() has checked that all paths are inside the tree.
 */
void profile_roots(struct profile_strings *out, const struct profile *profile, struct arena *arena);

/*
 * the assumptions of a proxy about the ABI ("drvabi-proxy/1")
 *
 * table_json.c reads and checks tables; diff/, verify/ and report/ use them.
 * The version tree is sparse: a node has only its differences from its parent.
 */

#define TABLE_FORMAT "drvabi-proxy/1"
#define TABLE_PATCH_FORMAT "drvabi-proxy-patch/1"

/* A basic type, spelled as in Go. All types of a proxy table consist of basic types. */
struct table_word {
	const char *name; /* "uint16", "bool" */
	uint64_t size_bytes;
	bool is_signed;
};

/* table_word_find - find the basic type with the name @name, of @length bytes; NULL if not found */
const struct table_word *table_word_find(const char *name, size_t length);

struct table_field {
	const char *name;
	const char *type; /* a type of the table, "uint32", "uint8[16]" */
	uint64_t offset_bytes;
};

struct table_type {
	const char *name;
	uint64_t size_bytes;
	const char *alias; /* "uint32", "uint8[16]"; NULL for a struct */
	enum abi_role role;
	const struct table_field *fields; /* sorted by offset */
	size_t field_count;
};

struct table_struct {
	const char *driver; /* the type's name in the driver */
	const char *proxy;  /* the type's name in the proxy; NULL if the proxy does not read the parameters */
};

/* The proxy's code that handles the parameters of an entry. */
struct table_handler {
	const char *kind; /* the name of its function; NULL if the table does not have it */
	const char *type; /* the proxy's type that the handler unmarshals; NULL if it unmarshals none */
	bool type_known;  /* false if the table does not say what @type is */
	struct profile_strings fields; /* fields of @type that the handler uses, "Params.FD"; it forwards all
					  other fields unchanged */
	bool fields_known;
	struct profile_strings faults; /* faults in its code: "compares a product that may have overflowed: n
					  * 4 > MAX" */
};

struct table_entry {
	const char *family;
	const char *name;
	bool removed;         /* JSON null: the parent's entry is removed, and all members below are 0 */
	uint64_t number;
	const char *constant; /* the driver's macro; NULL if it has none */
	const char *const *caps; /* sorted */
	size_t cap_count;
	const struct table_struct *structs;
	size_t struct_count;
	const char *file;     /* the file that contains the entry; NULL for the table's file */
	unsigned line;        /* line in that file, from 1; 0 if unknown */
	struct table_handler handler;
};

/* The checksum of the driver's package for a machine. */
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
	unsigned line; /* line in the table's file, from 1; 0 if unknown */
};

/* Ioctls that the proxy forwards without an entry if number & mask == value. */
struct table_passed {
	const char *family;
	uint64_t mask, value;
	const char *name; /* the proxy's name for these ioctls: "NV2081_BINAPI" */
};

struct table {
	const char *path;     /* the table's file, for messages */
	const char *proxy;    /* "gvisor nvproxy" */
	const char *revision;
	const char *driver;   /* the name of the profile */
	const struct table_type *types; /* sorted by name */
	size_t type_count;
	const struct table_node *nodes; /* in the file's order: parents first */
	size_t node_count;
	const struct table_passed *passed;
	size_t passed_count;
};

/* All entries that the proxy forwards at a version, whether from the version's node or from a parent. */
struct table_view {
	const struct table *table;
	const struct table_node *node;
	const struct table_entry *const *entries; /* sorted by family, then name */
	size_t entry_count;
};

/*
 * table_passes - check whether the proxy forwards an ioctl without an entry, by number. Return: the proxy's
 * name for such ioctls (struct table_passed); NULL if not.
 */
const char *table_passes(const struct table *table, const char *family, uint64_t number);

/* table_has_family - check whether any node has an entry of the family, even if it only removes that entry */
bool table_has_family(const struct table *table, const char *family);

/* table_entry_is_read - check whether the proxy has a type of its own for one of the entry's structs */
bool table_entry_is_read(const struct table_entry *entry);

const struct table_type *table_find_type(const struct table *table, const char *name);
const struct table_node *table_find_node(const struct table *table, const char *version);

/* table_entry_order - compare by family, then name: the order of a node's entries. */
int table_entry_order(const void *a, const void *b);
/* table_entry_pointer_order - compare two pointers to entries in the same order */
int table_entry_pointer_order(const void *a, const void *b);

/* table_own_entry - find the entry or removal of @node itself for the family and name of @key, or NULL. */
const struct table_entry *table_own_entry(const struct table_node *node, const struct table_entry *key);

/*
 * table_entry_at - find the entry for the family and name of @key that is valid at @node, from @node itself
 * or its nearest ancestor with one. Return: NULL if no entry is valid at @node, or if the entry was removed.
 */
const struct table_entry *table_entry_at(const struct table_node *node, const struct table_entry *key);

/* Return whether both have the same name and contents. Removals of the same entry are equal. */
bool table_type_same(const struct table_type *a, const struct table_type *b);
bool table_entry_same(const struct table_entry *a, const struct table_entry *b);

/**
 * table_nearest_node - find the node to use for @version
 *
 * This is the node of that version, or else the newest older node (by abi_version_compare()). A node of the
 * same branch (first number) is preferred. Return: NULL if all nodes are newer.
 */
const struct table_node *table_nearest_node(const struct table *table, const char *version);

/* table_view_has_family - check whether the view has an entry of the family */
bool table_view_has_family(const struct table_view *view, const char *family);

/* table_view_at - collect the entries that are valid at @node, as table_entry_at() finds them; in @arena */
void table_view_at(struct table_view *out, const struct table *table, const struct table_node *node,
		   struct arena *arena);

/*
 * table_caps - the capabilities that an entry can require, NULL-terminated
 *
 * These are the driver capabilities of nvidia-container-toolkit and the additional ones of nvproxy (nvconf's
 * DriverCap). Those that a container gets by default are first.
 */
extern const char *const table_caps[];

/*
 * writing JSON as a stream
 *
 * The writer handles only commas, indentation and escapes. It appends to the caller's strbuf, owns nothing
 * and cannot fail. Invalid UTF-8 is written as U+FFFD. Each level is indented by one space, and the output
 * ends with a newline. Initialize a writer with { .out = &buffer }.
 */

struct json_writer {
	struct strbuf *out; /* the caller's */
	bool compact;       /* writes everything on one line */
	unsigned depth;
	bool comma;         /* the next item needs a comma before it */
	bool after_key;
	unsigned inline_depth; /* depth of the container that is being written on one line; 0 if none is */
	void *context;         /* for hooks that need more than the struct that they write; else NULL */
};

/* Open or close an object or array. An inline object or array is written on one line, with its contents. */
void json_open_object(struct json_writer *writer);
void json_open_inline_object(struct json_writer *writer);
void json_close_object(struct json_writer *writer);
void json_open_array(struct json_writer *writer);
void json_open_inline_array(struct json_writer *writer);
void json_close_array(struct json_writer *writer);
/* Write a key or a value, with the comma, the line break and the escapes that JSON needs there. */
void json_key(struct json_writer *writer, const char *key);
void json_string(struct json_writer *writer, const char *text); /* NULL: null */
void json_unsigned(struct json_writer *writer, uint64_t value); /* above 2^53: "0x…" */
void json_number(struct json_writer *writer, struct abi_number value); /* as json_unsigned() */
void json_bool(struct json_writer *writer, bool value);
void json_null(struct json_writer *writer);
/* json_end - write the newline after the outermost value. */
void json_end(struct json_writer *writer);

/*
 * json_key_open - write a key and open its value: json_key_open(writer, "runs", json_open_array). If the key
 * is "", the value is not a member of an object.
 */
void json_key_open(struct json_writer *writer, const char *key, void (*open)(struct json_writer *));
/* Each writes a key and its value. */
void json_key_string(struct json_writer *writer, const char *key, const char *text);
void json_key_unsigned(struct json_writer *writer, const char *key, uint64_t value);
void json_key_bool(struct json_writer *writer, const char *key, bool value);
void json_key_strings(struct json_writer *writer, const char *key, const char *const *texts,
		      size_t count); /* on one line */

/* The kinds of a value, to be combined with |. */
enum json_want {
	JSON_WANT_OBJECT = 1,
	JSON_WANT_ARRAY = 2,
	JSON_WANT_STRING = 4,
	JSON_WANT_INTEGER = 8, /* a JSON number, or a string "0x…" or "-0x…" */
	JSON_WANT_BOOL = 16,
	JSON_WANT_NULL = 32,
	JSON_WANT_OPTIONAL = 64, /* the member can be absent */
};

/*
 * fields of a struct as the members of an object
 *
 * A struct json_struct lists the fields of a C struct once, each with its key, kind and offset. The functions
 * that read, write and compare JSON follow this list.
 */

/*
 * The form of a field in C, and of its value in JSON. A field whose form is not listed here has only
 * JSON_WANT_*, and its .read stores the value. Without .read, the value is accepted but not stored.
 */
enum json_kind {
	JSON_TEXT = JSON_WANT_STRING | 1 << 8,		/* const char *; NULL if null or absent */
	JSON_TEXT_OR_EMPTY = JSON_WANT_STRING | 2 << 8, /* const char *; "" if absent */
	JSON_FORMAT = JSON_WANT_STRING | 3 << 8,	/* must be equal to .text; not stored */
	JSON_BOOL = JSON_WANT_BOOL | 4 << 8,		/* bool */
	JSON_U32 = JSON_WANT_INTEGER | 5 << 8,		/* uint32_t, at most .max unless that is 0 */
	JSON_U64 = JSON_WANT_INTEGER | 6 << 8,		/* uint64_t, at most .max unless that is 0 */
	JSON_NUMBER = JSON_WANT_INTEGER | 7 << 8,	/* struct abi_number */
	JSON_TEXTS = JSON_WANT_ARRAY | 8 << 8,		/* const char *const *, with a size_t at .count */
	JSON_OBJECT = JSON_WANT_OBJECT | 9 << 8,	/* the struct .of, embedded in this struct */
	JSON_LIST = JSON_WANT_ARRAY | 10 << 8,		/* pointer to structs .of, with a size_t at .count */
	JSON_MAP = JSON_WANT_OBJECT | 11 << 8,		/* as JSON_LIST; each struct begins with its key */
	JSON_BITS = JSON_WANT_INTEGER | 12 << 8,	/* uint64_t in bits; bytes in JSON, at most .max */
	JSON_NAMED = JSON_WANT_STRING | 15 << 8,	/* an enum of .max constants, named by .name_of;
							   constants without a name are not in JSON */
	JSON_NAMED_BOOL = JSON_WANT_STRING | 17 << 8,	/* a bool with names for false and true */
	JSON_NAMED_BITS = JSON_WANT_ARRAY | 13 << 8,	/* unsigned, a set of bits 1u << constant: the names
							   of these constants, as for JSON_NAMED */
	JSON_SIZE = JSON_U64,				/* size_t, which is as large as uint64_t */
	/* Only for writing: */
	JSON_I64 = JSON_WANT_INTEGER | 14 << 8, /* int64_t */
	JSON_MEMBERS = 16 << 8, /* writes the fields of the struct .of into this object */
	/* Modifiers, to be combined with a kind: */
	JSON_OPTIONAL = JSON_WANT_OPTIONAL,
	JSON_SPARSE = JSON_WANT_OPTIONAL | 1 << 7,  /* can be absent; not written if empty, NULL or 0 */
	JSON_OR_NULL = JSON_WANT_NULL,		    /* can be null; a JSON_U64 of 0 is written as null */
	JSON_HIDDEN = JSON_WANT_OPTIONAL | 1 << 14, /* not in JSON, because other members imply the value */
	JSON_PLACE = 1 << 15, /* a place in the driver's source; json_same_struct() ignores it */
	/* Only for writing: the field, or each element of the list, is a pointer to the struct. NULL is
	   written as null. */
	JSON_BY_POINTER = 1 << 16,
	JSON_ON_ONE_LINE = 1 << 17, /* only for writing a list */
	JSON_MODIFIERS =
		JSON_SPARSE | JSON_OR_NULL | JSON_HIDDEN | JSON_PLACE | JSON_BY_POINTER | JSON_ON_ONE_LINE,
};

enum { JSON_FIELDS_MAX = 30 };

struct json_value;  /* abi/internal.h, for readers */
struct json_reader;

struct json_field {
	const char *key; /* "" if the struct has only this field, and its JSON is the field's value */
	unsigned kind;
	size_t offset, count;
	const struct json_struct *of;
	uint64_t max;
	const char *text; /* of a string: the required text; JSON_NAMED: "a direction", for error messages */
	const char *(*name_of)(unsigned constant);
	/* For a value that is computed, not a member of the struct. Reading does not store the value of a
	   .get_text or .get_number; the others are only for writing. */
	const char *(*get_text)(const void *object);
	uint64_t (*get_number)(const void *object); /* JSON_U64, JSON_BOOL; JSON_I64, cast */
	const void *(*get_struct)(const void *object); /* JSON_OBJECT or JSON_MEMBERS, with JSON_BY_POINTER */
	const void *(*get_list)(size_t *count, const void *object); /* JSON_LIST or JSON_TEXTS */
	/* Checks the value alone. Like .read, called only if the value is present. */
	int (*check)(const struct json_value *at, struct err *err);
	/* Reads a form that no kind covers. In the struct @object, all fields before this one are set. */
	int (*read)(void *object, const struct json_field *field, const struct json_value *at,
		    struct json_reader *reader);
	/* Writes a form that no kind covers: the key and the value, or nothing. */
	void (*write)(struct json_writer *writer, const struct json_field *field, const void *object);
	/* If this returns true for the struct, the field is not written. NULL: always written. */
	bool (*is_left_out)(const void *object);
	/* As is_left_out, but for the writer's context. */
	bool (*context_omits)(const void *context);
	/* If this returns true for the struct, null is written; else also 0. NULL: JSON_OR_NULL decides. */
	bool (*is_null)(const void *object);
};

struct json_struct {
	size_t size;
	/*
	 * Called after the last field is read, unless it is NULL.
	 * @found has the JSON member of each field, with the JSON object as its parent. If @object is in an
	 * array, the elements before it have been read and are directly before it in memory.
	 */
	int (*check)(void *object, const struct json_value *found, struct json_reader *reader);
	struct json_field field[JSON_FIELDS_MAX]; /* ends with a field whose key is NULL */
	bool is_inline; /* written on one line */
};

/* The size of a member of a kind, in bytes; 0 if the kind does not determine it. */
#define JSON_WIDTH(kind) \
	(((kind) & ~JSON_MODIFIERS) == JSON_U32 || ((kind) & ~JSON_MODIFIERS) == JSON_NAMED || \
			 ((kind) & ~JSON_MODIFIERS) == JSON_NAMED_BITS \
		 ? 4 \
	 : ((kind) & ~JSON_MODIFIERS) == JSON_U64 || ((kind) & ~JSON_MODIFIERS) == JSON_I64 ? 8 : 0)

/* Returns 0 for .offset. The compiler rejects the array if @member has a different size than its kind. */
#define JSON_CHECK_WIDTH(kind, type, member) \
	(0 * sizeof(char[JSON_WIDTH(kind) && \
			 JSON_WIDTH(kind) != sizeof(((struct type *)0)->member) ? -1 : 1]))

/* Elements of a field list, for @member of struct @type: any field, an array of structs, strings. */
#define JSON_FIELD(key_, kind_, type, member, ...) \
	{ .key = (key_), .kind = (kind_), \
	  .offset = offsetof(struct type, member) + JSON_CHECK_WIDTH(kind_, type, member), __VA_ARGS__ }
#define JSON_ARRAY(key_, kind_, type, array, counter, of_, ...) \
	JSON_FIELD(key_, kind_, type, array, .count = offsetof(struct type, counter), .of = of_, __VA_ARGS__)
#define JSON_STRINGS(key_, modifiers, type, member, ...) \
	JSON_ARRAY(key_, JSON_TEXTS | (modifiers), type, member.item, member.count, NULL, __VA_ARGS__)

/* A role. ABI_ROLE_NONE is not in JSON. */
#define JSON_ROLE(modifiers, type, member) \
	JSON_FIELD("role", JSON_NAMED | (modifiers), type, member, .name_of = abi_role_name, \
		   .max = ABI_ROLE_LAST + 1, .text = "a role")

/* Elements that write the fields of @member, a struct or a pointer to one, into the same JSON object. */
#define JSON_INTO(type, member, of_, ...) \
	JSON_FIELD("*", JSON_MEMBERS, type, member, .of = (of_), __VA_ARGS__)
#define JSON_INTO_BY_POINTER(type, member, of_, ...) \
	JSON_FIELD("*", JSON_MEMBERS | JSON_BY_POINTER, type, member, .of = (of_), __VA_ARGS__)

/* Define functions for .get_*(), .is_left_out and .is_null. In an expression, @it is the struct @type. */
#define JSON_GETTER(returned, name, type, expression) \
	static returned name(const void *object) \
	{ \
		const struct type *it = object; \
		return (expression); \
	}
#define JSON_GET_TEXT(name, type, expression) JSON_GETTER(const char *, name, type, expression)
#define JSON_GET_NUMBER(name, type, expression) JSON_GETTER(uint64_t, name, type, expression)
#define JSON_GET_STRUCT(name, type, expression) JSON_GETTER(const void *, name, type, expression)
#define JSON_GET_LIST(name, type, list, length) \
	static const void *name(size_t *count, const void *object) \
	{ \
		const struct type *it = object; \
		*count = (length); \
		return (list); \
	}
#define JSON_IS(name, type, expression) JSON_GETTER(bool, name, type, expression)

/*
 * The fields of a scalar and a layout (without its name) in "drvabi-flat/1", a warning in "drvabi/1", and the
 * number of a struct abi_ioctl, decoded.
 */
extern const struct json_struct abi_scalar_fields, abi_layout_fields, abi_warning_fields, abi_ioc_fields;

/* The member "ioc" of a struct abi_ioctl, which it does not have if its number is plain. */
#define ABI_IOC_FIELD \
	{ .key = "ioc", .kind = JSON_OBJECT | JSON_OPTIONAL, .of = &abi_ioc_fields, \
	  .is_left_out = abi_ioctl_is_plain }

/*
 * json_write_struct - write a struct as a JSON value that json_read_struct() can read
 * json_write_members - write only its members, into the open object
 */
void json_write_members(struct json_writer *writer, const void *object, const struct json_struct *of);
void json_write_struct(struct json_writer *writer, const void *object, const struct json_struct *of);

/*
 * JSON in and out
 *
 * Reading is strict: trailing garbage, duplicate keys, wrong types, numbers that a double would change,
 * nesting deeper than JSON_DEPTH_MAX and unknown formats are errors. Messages have the path ("table.json:
 * versions[3].ioctls.control.X.number: …"), or for a syntax error the line and the column. Values are written
 * one by one, so that the same code can write text or JSON.
 */

enum { JSON_DEPTH_MAX = 64 };

/*
 * Readers. @name is the name of the input in error messages ("table.json", "standard input"); the result is
 * in @arena, and the output is untouched on failure. Return: 0; ERR_FORMAT or ERR_LIMIT.
 *
 * json_read_abi - read "drvabi-abi/1", or the output of gVisor's driver_ast_parser. In the latter case,
 * alignment, driver, version and target are unknown (0, "").
 */
int json_read_abi(struct abi *out, const char *text, size_t size, const char *name, struct arena *arena,
		  struct err *err);
/* A JSON format ("drvabi-abi/1") and its fields. The last element of a list has the name NULL. */
struct json_format {
	const char *name;
	const struct json_struct *of;
	bool is_list_of_versions; /* with --versions, the text is an array with an object for each version */
};

/* The formats that the functions of abi/ read. */
extern const struct json_format abi_formats[];

/*
 * json_write_schema - write a format's JSON Schema
 *
 * The schema accepts every text that the reader accepts, and more, because it cannot express every rule.
 */
void json_write_schema(struct strbuf *out, const struct json_format *format);

/*
 * json_read_profile - read "drvabi-profile/1" (docs/profile.md); parameters and errors as for the other
 * readers. @out has a hash of the text, for the cache.
 */
int json_read_profile(struct profile *out, const char *text, size_t size, const char *name,
		      struct arena *arena, struct err *err);

/* The values of .drvabi.json, each a path or a name; NULL if the file does not set the value. */
struct project_config {
	const char *table, *profile, *repo, *suppressions;
};

/* json_read_config - read a file .drvabi.json; a key that is not a member of the struct is an error */
int json_read_config(struct project_config *out, const char *text, size_t size, const char *name,
		     struct arena *arena, struct err *err);
/* json_has_linux_stand_in - return whether "basics": "linux" provides the header @path, "linux/types.h" */
bool json_has_linux_stand_in(const char *path);
/* json_read_use - read "drvabi-use/1", the facts about how a driver uses fields; see docs/profile.md */
int json_read_use(struct use_rules *out, const char *text, size_t size, const char *name, struct arena *arena,
		  struct err *err);
/*
 * json_read_table - read and check a table: parents exist and form no cycle, types exist, fields do not
 * overlap and are inside their type, numbers fit 32 bits, versions are unique, the proxy's types are in
 * "types", removed entries exist.
 * @base: NULL; or a table to which the text, "drvabi-proxy-patch/1", is applied. In that case, the function
 *        also checks that the patch changes nothing that @base has. @out borrows from @base.
 */
int json_read_table(struct table *out, const struct table *base, const char *text, size_t size,
		    const char *name, struct arena *arena, struct err *err);
/*
 * json_read_wanted - read the input of gVisor's driver_ast_parser, the names of the records and constants
 * that it extracts: {"structs": […], "constants": […]}. A list that is null, or absent "constants", is empty.
 */
int json_read_wanted(struct profile_strings *structs, struct profile_strings *constants, const char *text,
		     size_t size, const char *name, struct arena *arena, struct err *err);

/*
 * json_write_abi - write a document as "drvabi-abi/1"
 *
 * Names are sorted, and the members of an object have a fixed order. Each field or other small object is on
 * one line. A bit-field has "bit_offset" and "bit_width" but no "size"; its "offset" is the byte of its first
 * bit. An array has "dims" (docs/formats.md). An ioctl without flags or access rights has no "flags" or
 * "access"; without parameters, its "params" is null. Reading and writing a document preserves its bytes.
 */
void json_write_abi(struct json_writer *writer, const struct abi *abi);
/*
 * json_write_table - write a table, sorted, so that the output does not depend on the order of the text that
 * was read.
 * @format: TABLE_FORMAT; or TABLE_PATCH_FORMAT, for a patch, in which a node's parent can be a node of the
 *          table that the patch is for
 */
void json_write_table(struct json_writer *writer, const struct table *table, const char *format);
/*
 * json_write_layouts - write {"format": "drvabi-flat/1", "version", "commit", "target", "records": {…}}
 *
 * @roles: 0 if the layouts have all scalars; else the roles of the scalars that they have, as bits 1u << enum
 *         abi_role, written as "roles"
 */
void json_write_layouts(struct json_writer *writer, const struct abi *abi, const struct abi_layout *layouts,
			size_t count, unsigned roles);

/* json_library - the JSON library that is loaded at run time, "cJSON 1.7.15", in @arena. */
const char *json_library(struct arena *arena);

#endif
