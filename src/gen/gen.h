/*
 * gen/gen.h - source text from documents and tables
 *
 * gen_collect() and gen_collect_types() decide what a file contains, and one printer for each language
 * writes it. C, Rust and Python have the driver's own records; Go has them as a proxy declares them (struct
 * proxytype). A file checks itself: it does not compile, or cannot be imported, where a size or an offset is
 * not the driver's. gofmt and rustfmt leave it as it is, and the same input gives the same bytes. cdecl_*()
 * writes single declarations of C.
 */
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include "abi/abi.h"
#include "verify/verify.h"

/* --- a record as a proxy that is written in Go declares it ------------------------------ */

/*
 * A set collects types over many documents. Each has one name, and there is one type for each distinct layout
 * of a record: NAME for the first, then NAME_V590, after the version that brought it. To the types that a
 * proxy's table has already, a set adds those that are new.
 *
 * 	struct proxytype_set *set = proxytype_set_new(&table, &arena);
 * 	struct proxytype_request request = {
 * 		.abi = &next, .record = "UVM_FREE_PARAMS",
 * 		.parent = table_find_type(&table, "UVM_FREE_PARAMS"), .parent_abi = &base,
 * 	};
 * 	const struct proxytype *got;
 *
 * 	rc = proxytype_declare(&got, set, &request, &err);   // got->type->name is "UVM_FREE_PARAMS_V590",
 * got->is_new
 *
 * How a field is declared:
 *
 *   NvHandle                   Handle
 *   NvP64, any pointer         P64
 *   NvProcessorUuid            NvUUID
 *   integers, _Bool, enums     uint8 … int64, of the same width; _Bool is uint8
 *   char                       uint8, with is_char
 *   union                      uint8[SIZE], with a remark
 *   bit-fields                 the bytes that they cover, as one integer if that fits; the remark names them
 *   record                     a type of its own, in the set before the one that uses it
 *   anything else              uint8[SIZE], with a remark: float, and what Go cannot align as a packed record
 * has it
 *
 * Bytes between fields, and after the last one, are explicit fields Pad0, Pad1, …
 * The layout of a type is the driver's with Go's rules for alignment: no padding is left to the compiler.
 */
enum proxytype_kind {
	PROXYTYPE_FIELD,    /* one of the driver's, or a run of its bit-fields */
	PROXYTYPE_PADDING,  /* bytes that no field of the driver covers */
	PROXYTYPE_EMBEDDED, /* the parent type, a prefix of this one, which Go declares by its type alone */
};

/* Facts about a struct table_field. */
struct proxytype_field {
	enum proxytype_kind kind;
	const char *driver;      /* the driver's name; "" for padding, an embedded type and bit-fields */
	const char *driver_type; /* as the document spells it; "" where @driver is */
	enum abi_role role;
	bool is_char;            /* an array of char: text, which Go declares as bytes */
	const char *remark;      /* for a comment: "union", "enum NV_MODE", "bit-fields lo:3, hi:5"; NULL */
};

/* The fields that a proxy's code accesses by their role. */
struct proxytype_selector {
	const char *path; /* in Go, from the type itself: "RMStatus", "Params.Status"; NULL unless there is
			     exactly one */
	const char *type; /* as the table spells it: "uint32" */
	bool is_promoted; /* a field of the embedded type, whose accessors Go promotes */
};

struct proxytype {
	const struct table_type *type; /* name, size, fields by offset; an alias ("uint8[16]") for a union,
					  P64 etc. */
	const char *record;            /* the driver's spelling; NULL for P64 and similar types */
	const char *version;           /* of the document that it was first declared from */
	const char *header;            /* with the declaration: "…/nvidia-uvm/uvm_ioctl.h"; "" if unknown */
	const char *updates;           /* the type that it is the updated version of; NULL if none */
	const struct proxytype_field *fields; /* one for each of type->fields; NULL if not is_new */
	struct proxytype_selector status;   /* the one field with role status: Get/SetStatus */
	struct proxytype_selector fd;       /* the one of 32 bits with role fd: Get/SetFrontendFD */
	struct proxytype_selector os_event; /* the one P64 with role fd: Get/SetPOsEvent, after gVisor's one
					       user of it */
	const char *beyond; /* a flexible array after the record, which Go cannot express: "NvU32[] data" */
	bool is_new;                   /* declared by this set; else only @type and the selectors are set */
};

struct proxytype_set;

/**
 * proxytype_set_new - a set with the types of a proxy's table
 * @known: not NULL; { 0 } for a proxy that has none yet. It must outlive the set
 * @arena: for the types, which may outlive the set
 */
struct proxytype_set *proxytype_set_new(const struct table *known, struct arena *arena);
void proxytype_set_free(struct proxytype_set *set); /* NULL is fine */

struct proxytype_request {
	const struct abi *abi;     /* sealed; must outlive the call */
	const char *record;        /* the driver's spelling: a record, or a typedef of a scalar (NvHandle) */
	const struct table_type *parent; /* the last declared type for the record; NULL: none */
	const struct abi *parent_abi; /* a version that @parent is right for: its fields are named and typed
					 as in @parent. NULL: by the rule for names alone */
	const char *parent_record; /* the record's name in @parent_abi; NULL: the same */
	const char *suffix;        /* of a new name, if the name is in use: "_V590"; NULL: of the version */
};

/**
 * proxytype_declare - the type for one record of one document, and all types that it uses
 * @out: a type whose layout is the record's: @parent, one that the set had, or a new one; in the set's arena
 * @set: gets the new types; a type of the table is used again only if each scalar has the same offset and
 * width
 *
 * Return: 0; ERR_NOT_FOUND if the document does not have the record, or a type that it uses; ERR_LAYOUT if
 * a member overlaps another one or the record's end; ERR_LIMIT if records nest deeper than 64 levels or
 * contain themselves; ERR_FORMAT for a name that is not a C identifier. After an error, the set may have
 * types that nothing uses.
 */
int proxytype_declare(const struct proxytype **out, struct proxytype_set *set,
		      const struct proxytype_request *request, struct err *err);

/*
 * proxytype_new_types - those that the set has declared, each after those that it uses. Valid until the next
 * call for @set.
 */
const struct proxytype *const *proxytype_new_types(size_t *count, const struct proxytype_set *set);

/* proxytype_find - a type of the set or of its table, by name; NULL if there is none. */
const struct table_type *proxytype_find(const struct proxytype_set *set, const char *name);

/*
 * proxytype_field_name - a field's name in Go: "rmCtrlFd" is "RMCtrlFD", "gpu_uuid" is "GPUUUID". In @arena.
 * proxytype_type_name - a record's: as it is, if it begins with a capital; "nv_ioctl_card_info_t" is
 * "IoctlCardInfo", "PARENT::mode_t" is "PARENT_mode_t". In @arena.
 */
const char *proxytype_field_name(const char *driver, struct arena *arena);
const char *proxytype_type_name(const char *record, struct arena *arena);

/*
 * gen_versioned_name - "NAME_V590" or, if @whole, "NAME_V590_44_01" of version 590.44.01 or v590.44.01, with
 * '_' for characters that a name cannot have. In @arena.
 */
char *gen_versioned_name(const char *name, const char *version, bool whole, struct arena *arena);

/* --- declarations of C from a document --------------------------------------------------- */

struct definition;

/*
 * Records, enums and aliases are written with offsets and sizes in comments, and unnamed ones inside the
 * record that has them, as pahole prints them. Attributes bring fields to their offsets.
 */
struct cdecl {
	struct strbuf *out;
	const struct abi *abi;
	const struct definition *as; /* the record's, whose members name the types; only unnamed records are
					declared in place. NULL: types are called as the document calls them
				      */
	bool expand;               /* the types that a declaration uses are written before it */
	struct cdecl_seen *printed;     /* types that are on @out, each once */
	struct cdecl_seen *enumerators; /* that are on @out */
	struct arena arena;
	size_t depth, entered;     /* of records inside others; how many there were */
	size_t bodies;             /* that were begun of the outermost record, itself among them */
	struct err *err;           /* of the call at hand */
};

/* cdecl_release - also after an error */
void cdecl_release(struct cdecl *writer);

/*
 * Each returns 0; ERR_FORMAT for a name that C does not allow, and ERR_LAYOUT for what no declaration can
 * say: a document written by hand may hold both. ERR_LIMIT if records nest too deep; what abi_resolve_type()
 * returns.
 */
int cdecl_record(struct cdecl *writer, const struct abi_record *record, struct err *err);
int cdecl_enum(struct cdecl *writer, const struct abi_enum *one, struct err *err);
int cdecl_alias(struct cdecl *writer, const struct abi_alias *alias, struct err *err);
/* cdecl_record_as - the record alone, with the tag @tag, even if it was printed before */
int cdecl_record_as(struct cdecl *writer, const struct abi_record *record, const char *tag, struct err *err);
/* "#define NAME NUMBER" and a comment, which may be empty */
int cdecl_define(struct cdecl *writer, const char *name, const char *number, const char *comment,
		 struct err *err);
/* cdecl_comment - text from outside as a comment, without a line's end */
void cdecl_comment(struct strbuf *out, const char *text);

/* cdecl_is_name - may a declaration of C have that name? No keyword. */
bool cdecl_is_name(const char *name);
/* cdecl_is_builtin - are all words of @type C's own? "unsigned int" */
bool cdecl_is_builtin(const char *type);

/* --- files ------------------------------------------------------------------------------- */

enum gen_language {
	GEN_GO,
	GEN_C,
	GEN_RUST,
	GEN_PYTHON,
};

#define GEN_LANGUAGES "go|c|rust|python"

/* gen_language_parse - Return: 0; ERR_USAGE, @out untouched, for another word. */
int gen_language_parse(enum gen_language *out, const char *word, struct err *err);

enum gen_style {
	GEN_PLAIN,   /* needs nothing but the compiler */
	GEN_NVPROXY, /* for package nvgpu of gVisor: HostLayout, +marshal, accessors; Handle, P64 and NvUUID
			are there */
};

struct gen_constant {
	const char *name;  /* in the file's language */
	const char *value; /* "0x2080018d", "34", "-1" */
	struct abi_number number; /* the same */
};

struct gen_constants {
	const char *title; /* "Numbers of uvm ioctls.", "Values of enum NV_MODE." */
	const struct gen_constant *items;
	size_t count;
	bool is_enum;
};

/* The versions from @first to @last, in their order, in which @record is @type. */
struct gen_span {
	const char *record;
	const char *type;
	const char *first, *last;
	uint64_t size_bytes;
	size_t first_index, last_index; /* of the versions in the request */
};

/* The contents of one file of source text. */
struct gen_file {
	enum gen_style style;
	const char *package; /* in C, the beginning of its own names */
	const char *origin; /* "nvidia 590.48.01, x86_64-linux-gnu" */
	const struct gen_constants *constants;
	size_t constants_count;
	const struct proxytype *const *types; /* of Go; each after those that it uses */
	size_t type_count;
	const struct definition *const *definitions; /* of the other languages; in the same order */
	size_t definition_count;
	const struct abi *const *versions; /* of a range; else none */
	size_t version_count;
	const struct gen_span *spans; /* by record, then version; none if the file is not of a range */
	size_t span_count;
};

/*
 * gen_go, gen_c, gen_rust, gen_python - append the file in that language
 *
 * For gen_go(), a file may also be filled with proxytype_new_types() of a set: these say more than the types
 * of a table, and so have comments and accessors. Return: 0; ERR_FORMAT for a name that the language cannot
 * have, ERR_LAYOUT for a record that it cannot declare (@err names it): a document written by hand may hold
 * both. The input of gen_go() was checked by the function that collected it.
 */
void gen_go(struct strbuf *out, const struct gen_file *file);
int gen_c(struct strbuf *out, const struct gen_file *file, struct err *err);
void gen_rust(struct strbuf *out, const struct gen_file *file);
int gen_python(struct strbuf *out, const struct gen_file *file, struct err *err);

struct gen_request {
	enum gen_language language;
	enum gen_style style; /* of Go */
	const char *package;  /* of Go; NULL: nvgpu, or the driver's name */
	const struct abi *const *versions; /* oldest first, at least one */
	size_t version_count;
	bool is_range;        /* the file says which type a record is in which version */
	const char *const *globs; /* names of records, ioctls, enums and constants */
	size_t glob_count;
};

/* The types of package nvgpu for the driver's own: the first types of a set of GEN_NVPROXY. */
extern const struct table gen_nvproxy_types;

/**
 * gen_collect - records with all that they need, numbers and constants, each distinct definition once
 * @out:  in @arena; @set and all documents must outlive it
 * @set: for Go, empty except for the types of the style; else NULL
 * @lost: set to a glob that matches nothing in any version
 *
 * An ioctl's glob requests its number and its parameter record; a record's, but in style nvproxy, also the
 * numbers of the ioctls that carry it. An item that changes between versions has the first version with
 * another definition in its name: UVM_FREE_PARAMS_V590. Return: 0; ERR_NOT_FOUND with @lost; ERR_USAGE for
 * an invalid package name; the error of proxytype_declare() or definitions_declare().
 */
int gen_collect(struct gen_file *out, const struct gen_request *request, struct proxytype_set *set,
		const char **lost, struct arena *arena, struct err *err);

/**
 * gen_collect_types - types of a proxy's table, such as those that a table's patch brings
 * @types:   any order
 * @package: NULL: nvgpu
 *
 * Only @types are written; others that they use are expected in the package.
 * Return: 0; ERR_FORMAT if Go does not allow a name, naming it; ERR_USAGE for an invalid package name.
 */
int gen_collect_types(struct gen_file *out, enum gen_style style, const char *package,
		      const struct table_type *types, size_t count, struct arena *arena, struct err *err);

/**
 * gen_pid_shim_c - append one file of C: tables of the pids in ioctls, and a function that maps them by a
 * callback
 * @versions: by abi_version_compare(), at least one; each a release
 * @origin:   "nvidia 515.43.04..595.45.04, x86_64-linux-gnu"
 *
 * Pids of a guest, those in a union, of unknown direction, or not of 32 bits are left out; a comment names
 * them. Return: 0; ERR_USAGE if a version is not a release, because it is then unknown whether its driver
 * converts pids.
 */
int gen_pid_shim_c(struct strbuf *out, const struct pids *const *versions, size_t count, const char *origin,
		   struct arena *arena, struct err *err);

#endif
