/*
 * gen/gen.h - write source text from documents and tables
 *
 * gen_collect() and gen_collect_types() decide what a file contains, and one printer for each language writes
 * it. Files in C, Rust and Python have the driver's records. Files in Go have them as a proxy declares them
 * (struct proxytype). A file checks itself: it does not compile, or cannot be imported, if a size or an
 * offset differs from the driver's. gofmt and rustfmt do not change it, and the same input gives the same
 * bytes. cdecl_*() writes single declarations in C.
 */
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include "abi/abi.h"
#include "verify/verify.h"

/* --- a record as a proxy that is written in Go declares it ------------------------------ */

/*
 * A set collects types over many documents. Each type has a unique name, and each distinct layout of a record
 * has one type: the first is called NAME, later ones NAME_V590, after the version that introduced them. A set
 * for a proxy's table adds only types that the table does not have.
 *
 * 	struct proxytype_set *set = proxytype_set_new(&table, &arena);
 * 	struct proxytype_request request = {
 * 		.abi = &next, .record = "UVM_FREE_PARAMS",
 * 		.parent = table_find_type(&table, "UVM_FREE_PARAMS"), .parent_abi = &base,
 * 	};
 * 	const struct proxytype *got;
 *
 * 	rc = proxytype_declare(&got, set, &request, &err);   // got->type->name: "UVM_FREE_PARAMS_V590"
 *
 * How a field is declared:
 *
 *   driver                     Go
 *   NvHandle                   Handle
 *   NvP64, any pointer         P64
 *   NvProcessorUuid            NvUUID
 *   integers, _Bool, enums     uint8 … int64, of the same width; _Bool is uint8
 *   char                       uint8, with is_char
 *   union                      uint8[SIZE], with a remark
 *   bit-fields                 the bytes that they cover, as one integer if possible; the remark names them
 *   record                     a type of its own, which precedes the type that uses it
 *   anything else              uint8[SIZE], with a remark: float, and fields of packed records that Go cannot
 *                              align in the same way
 *
 * Bytes between fields, and after the last one, are explicit fields Pad0, Pad1, …
 * So a type has the driver's layout in Go: the compiler adds no padding.
 */
enum proxytype_kind {
	PROXYTYPE_FIELD,    /* a field of the driver, or a run of its bit-fields */
	PROXYTYPE_PADDING,  /* bytes that no field of the driver covers */
	PROXYTYPE_EMBEDDED, /* the parent type, embedded as the first field */
};

/* Facts about a field that struct table_field does not have. */
struct proxytype_field {
	enum proxytype_kind kind;
	const char *driver;      /* the driver's name; "" for padding, an embedded type and bit-fields */
	enum abi_role role;
	bool is_char;            /* an array of char, which Go declares as bytes */
	const char *remark;      /* for a comment: "union", "enum NV_MODE", "bit-fields lo:3, hi:5"; NULL */
};

/* The pairs of accessors that a type can have. */
enum proxytype_access {
	PROXYTYPE_STATUS,   /* Get/SetStatus: the only 32-bit field with role status */
	PROXYTYPE_FD,       /* Get/SetFrontendFD: the only 32-bit fd */
	PROXYTYPE_OS_EVENT, /* Get/SetPOsEvent: the P64 that the driver calls pOsEvent */
};

enum { PROXYTYPE_ACCESSES = PROXYTYPE_OS_EVENT + 1 };

/* The field that a pair of accessors reads and writes. */
struct proxytype_selector {
	const char *path; /* in Go, relative to the type: "RMStatus", "Params.Status"; NULL unless exactly
			     one field qualifies */
	const char *type; /* as the table spells it: "uint32" */
	bool is_promoted; /* a field of the embedded type, whose accessors Go promotes */
};

struct proxytype {
	const struct table_type *type; /* name, size, fields by offset; an alias ("uint8[16]") for a union,
					  P64 and similar types */
	const char *record;            /* the driver's spelling; NULL for P64 and similar types */
	const char *version;           /* of the document from which the type was first declared */
	const char *header;            /* with the declaration: "…/nvidia-uvm/uvm_ioctl.h"; "" if unknown */
	const char *updates;           /* the first type of the same record; NULL if this is the first */
	const struct proxytype_field *fields; /* one for each of type->fields; NULL if not is_new */
	struct proxytype_selector selectors[PROXYTYPE_ACCESSES];
	const char *beyond; /* a flexible array after the record, which Go cannot express: "NvU32[] data" */
	bool is_new;                   /* declared by this set; otherwise only @type and the selectors are
					  set */
};

struct proxytype_set;

/**
 * proxytype_set_new - make a set for a proxy's table
 * @known: the table, which must outlive the set; { 0 } if the proxy has no types yet
 * @arena: holds the types, which can outlive the set
 */
struct proxytype_set *proxytype_set_new(const struct table *known, struct arena *arena);
void proxytype_set_free(struct proxytype_set *set); /* NULL is fine */

struct proxytype_request {
	const struct abi *abi;     /* sealed; must outlive the call */
	const char *record;        /* the driver's spelling: a record, or a typedef of a scalar (NvHandle) */
	const struct table_type *parent; /* the last declared type for the record; NULL if there is none */
	const struct abi *parent_abi; /* the document whose record has the layout of @parent. Members that
					 did not change keep their names and types from @parent. NULL:
					 members are matched by name only */
	const char *parent_record; /* the record's name in @parent_abi; NULL if it is the same */
};

/**
 * proxytype_declare - declare the type for one record of one document, and all types that it uses
 * @out: a type with the record's layout: @parent, one of the set, or a new one; lives in the set's arena
 * @set: gets the new types. A type of the table is reused only if each scalar has the same offset and width
 *
 * Return: 0; ERR_NOT_FOUND if the document does not have the record; ERR_LAYOUT if a member overlaps a
 * different member or the record's end; ERR_LIMIT if records nest deeper than 64 levels, contain themselves,
 * or have too many members; ERR_FORMAT if a name is not a C identifier; an error of abi_resolve_type(). After
 * an error, the set can have types that nothing uses.
 */
int proxytype_declare(const struct proxytype **out, struct proxytype_set *set,
		      const struct proxytype_request *request, struct err *err);

/*
 * proxytype_new_types - list the types that the set has declared; each follows the types that it uses. Valid
 * until the next call for @set.
 */
const struct proxytype *const *proxytype_new_types(size_t *count, const struct proxytype_set *set);

/* proxytype_find - find a type of the set or of its table by name; NULL if there is none. */
const struct table_type *proxytype_find(const struct proxytype_set *set, const char *name);

/*
 * proxytype_field_name - make a field's name in Go: "rmCtrlFd" becomes "RMCtrlFD", "gpu_uuid" "GPUUUID".
 * proxytype_type_name - make a record's name in Go: unchanged if it begins with a capital;
 * "nv_ioctl_card_info_t" becomes "IoctlCardInfo", "PARENT::mode_t" "PARENT_mode_t". Both live in @arena, and
 * begin with "X" if they would not begin with a capital.
 */
const char *proxytype_field_name(const char *driver, struct arena *arena);
const char *proxytype_type_name(const char *record, struct arena *arena);

/*
 * gen_versioned_name - make "NAME_V590" or, if @whole, "NAME_V590_44_01" for version 590.44.01 or v590.44.01.
 * '_' replaces characters that a name cannot have. Lives in @arena.
 */
char *gen_versioned_name(const char *name, const char *version, bool whole, struct arena *arena);

/* --- declarations in C from a document ---------------------------------------------------- */

/*
 * Writes records, enums and aliases, with offsets and sizes in comments. Like pahole, it writes an unnamed
 * record inside the record that contains it. Attributes move fields to their offsets.
 */
struct cdecl {
	struct strbuf *out;
	const struct abi *abi;
	bool expand;               /* first write the types that a declaration uses */
	struct cdecl_seen *seen;   /* hash: the types and enumerators that were written */
	struct arena arena;
	size_t depth, entered;     /* current nesting of records; how many records were entered */
	size_t bodies;             /* record bodies begun so far, with the outermost one */
	struct err *err;
};

/* cdecl_release - free the memory; call it also after an error */
void cdecl_release(struct cdecl *writer);

/*
 * Write one declaration, unless @writer has already written it; with writer->expand, after the declarations
 * that it uses. An alias that is a type of C itself is not written. After an error, the output can have part
 * of it. A document written by hand can have invalid names and layouts.
 * Return: 0; ERR_FORMAT if C does not allow a name; ERR_LAYOUT if no declaration has the layout; ERR_LIMIT if
 * records nest too deep or are too many; an error of abi_resolve_type().
 */
int cdecl_record(struct cdecl *writer, const struct abi_record *record);
int cdecl_enum(struct cdecl *writer, const struct abi_enum *one);
int cdecl_alias(struct cdecl *writer, const struct abi_alias *alias);
/* cdecl_define - write "#define NAME NUMBER", and @comment unless it is "". ERR_FORMAT if C forbids @name. */
int cdecl_define(struct cdecl *writer, const char *name, const char *number, const char *comment);
/*
 * cdecl_negative - write the negative number -@magnitude as C into @buffer, and return it: "-5". C has no
 * literal for the lowest 64-bit number, so that is a difference.
 */
enum { CDECL_NEGATIVE_BYTES = sizeof("-9223372036854775807LL - 1") };
const char *cdecl_negative(uint64_t magnitude, char buffer[CDECL_NEGATIVE_BYTES]);
/*
 * cdecl_comment - write untrusted text as a comment, without a line end. Control characters are escaped, and
 * a space separates "/" from "*".
 */
void cdecl_comment(struct strbuf *out, const char *text);

/* --- files ------------------------------------------------------------------------------- */

enum gen_language {
	GEN_GO,
	GEN_C,
	GEN_RUST,
	GEN_PYTHON,
};

#define GEN_LANGUAGES "go|c|rust|python"

/* gen_language_parse - parse a language's name, "rust". Return: 0; ERR_USAGE if @word is not a language. */
int gen_language_parse(enum gen_language *out, const char *word, struct err *err);

enum gen_style {
	GEN_PLAIN,   /* needs nothing but the compiler */
	GEN_NVPROXY, /* for gVisor's package nvgpu, which defines Handle, P64 and NvUUID: with HostLayout,
			+marshal and accessors */
};

struct gen_constant {
	const char *name;  /* in the file's language */
	const char *value; /* "0x2080018d", "34", "-1" */
	struct abi_number number; /* the same value */
};

struct gen_constants {
	const char *title; /* "Numbers of uvm ioctls.", "Values of enum NV_MODE." */
	const struct gen_constant *items;
	size_t count;
	bool is_enum;
};

/* Consecutive versions, from @first to @last, in which the type of @record is @type. */
struct gen_span {
	const char *record;
	const char *type;
	const char *first, *last;
	uint64_t size_bytes;
	size_t first_index, last_index; /* indices of the versions in the request */
};

struct definition;

/* The contents of one file of source text. */
struct gen_file {
	enum gen_style style;
	const char *package; /* of Go; in C, the prefix of the file's own names */
	const char *origin; /* "nvidia 590.48.01, x86_64-linux-gnu" */
	const struct gen_constants *constants;
	size_t constants_count;
	const struct proxytype *const *types; /* for Go; each follows the types that it uses */
	size_t type_count;
	const struct definition *const *definitions; /* for other languages; sorted like @types */
	size_t definition_count;
	const struct abi *const *versions; /* for a range of versions; otherwise empty */
	size_t version_count;
	const struct gen_span *spans; /* sorted by record, then by version; empty if the file is not for a
					 range */
	size_t span_count;
};

/*
 * gen_go, gen_c, gen_rust, gen_python - append the file in that language
 *
 * gen_go() also accepts the types that proxytype_new_types() lists. They have more facts than the types of a
 * table, so the file has comments and accessors. gen_go() and gen_rust() cannot fail, because their input was
 * checked when it was collected. After an error, the output of gen_python() can be incomplete.
 * Return: 0; ERR_FORMAT if the language does not allow a name; ERR_LAYOUT if it cannot declare a record;
 * ERR_LIMIT if records nest too deep or are too many (@err names the item). A document written by hand can
 * have such names and records.
 */
void gen_go(struct strbuf *out, const struct gen_file *file);
int gen_c(struct strbuf *out, const struct gen_file *file, struct err *err);
void gen_rust(struct strbuf *out, const struct gen_file *file);
int gen_python(struct strbuf *out, const struct gen_file *file, struct err *err);

struct gen_request {
	enum gen_language language;
	enum gen_style style; /* for Go */
	const char *package;  /* for Go; NULL: nvgpu, or the driver's name */
	const struct abi *const *versions; /* oldest first, at least one */
	size_t version_count;
	bool is_range;        /* the file has a table of the types of each record by version */
	const char *const *globs; /* names of records, ioctls, enums and constants */
	size_t glob_count;
};

/* The types that package nvgpu has for basic types of the driver: a set for GEN_NVPROXY starts with them. */
extern const struct table gen_nvproxy_types;

/**
 * gen_collect - collect records, the types that they use, numbers and constants; each distinct definition
 * once
 * @out:  lives in @arena; @set and all documents must outlive it
 * @set:  for Go: has only the types of the style; otherwise NULL
 * @lost: set to a glob that matches nothing in any version
 *
 * A glob that matches an ioctl selects its number and its parameter record. A glob that matches a record also
 * selects the numbers of the ioctls that carry it, except in style nvproxy. If an item changes between
 * versions, its later names contain the first version with the changed definition: UVM_FREE_PARAMS_V590.
 * Return: 0; ERR_NOT_FOUND with @lost; ERR_USAGE if the package name is invalid; an error of
 * proxytype_declare() or definitions_declare().
 */
int gen_collect(struct gen_file *out, const struct gen_request *request, struct proxytype_set *set,
		const char **lost, struct arena *arena, struct err *err);

/**
 * gen_collect_types - collect types of a proxy's table, such as those of a table's patch
 * @types:   in any order
 * @package: NULL for nvgpu
 *
 * Only @types are written; other types that they use must be in the package.
 * Return: 0; ERR_FORMAT if Go does not allow a name (@err names it); ERR_USAGE if the package name is
 * invalid.
 */
int gen_collect_types(struct gen_file *out, enum gen_style style, const char *package,
		      const struct table_type *types, size_t count, struct arena *arena, struct err *err);

/**
 * gen_pid_shim_c - append a C file with tables of the pids in ioctls, and a function that maps pids with a
 * callback
 * @versions: sorted by abi_version_compare(), at least one; each a release
 * @origin:   "nvidia 515.43.04..595.45.04, x86_64-linux-gnu"
 *
 * A pid is omitted, and named in a comment, if it is of a virtual machine's guest, in a union, in memory at
 * a pointer, of unknown direction, not 32 bits wide, or if the table cannot describe it.
 * Return: 0; ERR_NOT_FOUND if no ioctl has a pid that can be translated; ERR_USAGE if a version is not a
 * release, because it is then unknown whether its driver converts pids.
 */
int gen_pid_shim_c(struct strbuf *out, const struct pids *const *versions, size_t count, const char *origin,
		   struct arena *arena, struct err *err);

#endif
