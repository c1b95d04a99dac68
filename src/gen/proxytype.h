/*
 * gen/proxytype.h - a driver's record as a proxy that is written in Go declares it
 *
 * Layer L3, a pure pass: records of a document in, types of a proxy's table
 * out. Bootstrap puts them into a table, gen writes them as source text.
 *
 * A set collects types over many documents. Each has one name, and there is one
 * type for each distinct layout of a record: NAME for the first, then
 * NAME_V590, after the version that brought it. To the types that a proxy's
 * table has already, a set adds those that are new.
 *
 *	struct proxytype_set *set = proxytype_set_new(&table, &arena);
 *	struct proxytype_request request = {
 *		.abi = &next, .record = "UVM_FREE_PARAMS",
 *		.parent = table_find_type(&table, "UVM_FREE_PARAMS"), .parent_abi = &base,
 *	};
 *	const struct proxytype *got;
 *
 *	rc = proxytype_declare(&got, set, &request, &err);   // got->type->name is "UVM_FREE_PARAMS_V590", got->is_new
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
 *   anything else              uint8[SIZE], with a remark: float, and what Go cannot align as a packed record has it
 *
 * Bytes between fields, and after the last one, are explicit fields Pad0, Pad1, …
 * The layout of a type is the driver's with Go's rules for alignment: no
 * padding is left to the compiler, and no field stands elsewhere.
 */
#ifndef GEN_PROXYTYPE_H
#define GEN_PROXYTYPE_H

#include "abi/abi.h"

enum proxytype_kind {
	PROXYTYPE_FIELD,    /* one of the driver's, or a run of its bit-fields */
	PROXYTYPE_PADDING,  /* bytes that no field of the driver covers */
	PROXYTYPE_EMBEDDED, /* the parent type, which is a prefix of this one: Go declares it by its type alone */
};

/* What stands beside a struct table_field. */
struct proxytype_field {
	enum proxytype_kind kind;
	const char *driver;      /* the driver's name for it; "" for padding, an embedded type and bit-fields */
	const char *driver_type; /* as the document spells it; "" where @driver is */
	enum abi_role role;
	bool is_char;            /* an array of char: text, which Go declares as bytes */
	const char *remark;      /* for a comment: "union", "enum NV_MODE", "bit-fields lo:3, hi:5"; NULL */
};

/* How a proxy's code reaches a field by what it is for. */
struct proxytype_selector {
	const char *path; /* in Go, from the type itself: "RMStatus", "Params.Status"; NULL: there is no such field, or more than one */
	const char *type; /* as the table spells it: "uint32" */
	bool is_promoted; /* a field of the embedded type, whose accessors Go promotes */
};

struct proxytype {
	const struct table_type *type; /* name, size, fields by offset; an alias ("uint8[16]") for a union, and for P64 and the like */
	const char *record;            /* the driver's spelling; NULL for P64 and the like */
	const char *version;           /* of the document that it was first declared from */
	const char *header;            /* that declares the record there, "kernel-open/nvidia-uvm/uvm_ioctl.h"; "" if it is not known */
	const char *updates;           /* the type that it is the updated version of; NULL if it is none's */
	const struct proxytype_field *fields; /* beside type->fields, type->field_count; NULL if not is_new */
	struct proxytype_selector status;   /* the one field with role status: Get/SetStatus */
	struct proxytype_selector fd;       /* the one of 32 bits with role fd: Get/SetFrontendFD */
	struct proxytype_selector os_event; /* the one P64 with role fd: Get/SetPOsEvent, after gVisor's one user of it */
	const char *beyond;            /* a flexible array behind the record, "NvU32[] data": Go has no such field; NULL */
	bool is_new;                   /* declared by this set; else the table has had it: only @type and the selectors are set */
};

struct proxytype_set;

/**
 * proxytype_set_new - a set with the types of a proxy's table
 * @known: not NULL; { 0 } for a proxy that has none yet. It must outlive the set
 * @arena: for the types, which may outlive the set
 */
struct proxytype_set *proxytype_set_new(const struct table *known, struct arena *arena);
void proxytype_set_free(struct proxytype_set *set); /* NULL is fine */

/* What is asked of proxytype_declare(). */
struct proxytype_request {
	const struct abi *abi;     /* sealed; must outlive the call */
	const char *record;        /* the driver's spelling: a record, or a typedef of a scalar (NvHandle) */
	const struct table_type *parent; /* what the proxy has declared for the record so far; NULL: nothing */
	const struct abi *parent_abi;    /* a version that @parent is right for: fields that it has are named and typed as @parent does.
					    NULL: by the rule for names alone */
	const char *parent_record; /* the record's name in @parent_abi; NULL: the same */
	const char *suffix;        /* of the new type's name, if its name is in use: "_V590"; NULL: of the document's version */
};

/**
 * proxytype_declare - the type for one record of one document, and all types that it uses
 * @out: a type whose layout is the record's: @parent, one that the set had, or a new one; in the set's arena
 * @set: gets what is new; a type of the table is used again only where each scalar is as far from the start and as wide
 *
 * Return: 0; ERR_NOT_FOUND if the document lacks the record, or a type that it uses; ERR_LAYOUT if a member does not lie
 * where it could; ERR_LIMIT if records nest deeper than 64 levels or contain themselves; ERR_FORMAT for a name that is no
 * C identifier. After an error, the set may have types that are used by none.
 */
int proxytype_declare(const struct proxytype **out, struct proxytype_set *set, const struct proxytype_request *request, struct err *err);

/* proxytype_new_types - those that the set has declared: each stands behind those that it uses. Valid until the next call for @set. */
const struct proxytype *const *proxytype_new_types(size_t *count, const struct proxytype_set *set);

/* proxytype_find - a type of the set or of its table, by name; NULL if there is none. */
const struct table_type *proxytype_find(const struct proxytype_set *set, const char *name);

/**
 * proxytype_field_name - a field's name in Go, by the rule
 *
 * Words begin with a capital, initialisms are capitals: "rmCtrlFd" is
 * "RMCtrlFD", "gpu_uuid" is "GPUUUID". In @arena.
 */
const char *proxytype_field_name(const char *driver, struct arena *arena);

/*
 * proxytype_type_name - a record's name in Go: as it is, if it begins with a capital; "nv_ioctl_card_info_t" is
 * "IoctlCardInfo", "PARENT::mode_t" is "PARENT_mode_t". In @arena.
 */
const char *proxytype_type_name(const char *record, struct arena *arena);

#endif
