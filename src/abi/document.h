/*
 * abi/document.h - everything extracted from one driver tree for one target
 *
 * Layer L1. The in-memory form of DESIGN's "drvabi-abi/1".
 */
#ifndef ABI_DOCUMENT_H
#define ABI_DOCUMENT_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ABI_FORMAT "drvabi-abi/1"

/*
 * The generation of documents. Raise it by one with every change after which
 * extraction gives another document for the same tree, profile and target:
 * archives that were written before are then refused, and are to be written
 * again (docs/howto-new-release.md). `make check` finds a change that forgot to.
 */
enum { ABI_GENERATION = 2 };

/* What a change, a lookup or a report line is about. Closed: switches over it have no default. */
enum abi_kind {
	ABI_RECORD,
	ABI_ALIAS,
	ABI_ENUM,
	ABI_CONSTANT,
	ABI_IOCTL,
};
enum { ABI_KIND_COUNT = ABI_IOCTL + 1 };

/*
 * What a proxy must do with a field. Documents, serialized and archived, hold these
 * numbers: a new role goes to the end, before ABI_ROLE_LAST.
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
	ABI_ROLE_KERNEL_POINTER, /* an address of the kernel that the driver writes or follows: a leak, not for a proxy to translate */
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

/* Flags that are not the driver's own words. docs/formats.md says what each stands for. */
#define ABI_FLAG_CONDITIONAL "conditional"
#define ABI_FLAG_DEPRECATED "deprecated"
#define ABI_FLAG_EMBEDDED_POINTERS "embedded-pointers"
#define ABI_FLAG_NOT_DISPATCHED "not-dispatched"

/* What is known of an ioctl's number. Documents, serialized and archived, hold these numbers. */
enum abi_encoding {
	ABI_NUMBER_PLAIN,     /* nothing */
	ABI_NUMBER_IOC,       /* it is one of <linux/ioctl.h> (abi/ioc.h) */
	ABI_NUMBER_IOC_BY_NR, /* the same, and the driver looks at its type and nr only */
	ABI_ENCODING_LAST = ABI_NUMBER_IOC_BY_NR,
};

struct abi_ioctl {
	const char *family; /* "control", "alloc", "frontend", "uvm", or what a profile calls it */
	const char *name;   /* the driver's macro for the number, or its method's name where there is none */
	uint64_t number;
	const char *params; /* the parameter record, as the driver spells it; NULL if there is none */
	const char *const *flags; /* sorted words, such as "privileged"; NULL if flag_count is 0 */
	size_t flag_count;
	const char *access; /* the rights it asks for; NULL if the driver states none */
	const char *source; /* where the driver's table states it; "" if unknown */
	enum abi_encoding encoding;
	unsigned varies;      /* bits 1 << enum abi_ioc_field: what the parameters of the macro decide, "EVIOCGBIT(ev,len)"; the number is that of 0 for all */
	const char *argument; /* the C type that the number's size is of, "x[2]", "x *"; NULL if it is params, or not known */
};

/* What extraction saw and could not use, or saw twice and differently. */
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
	const struct abi_warning *warnings;   /* sorted by path, line and column (as numbers), then text; unique */
	size_t warning_count;
};

/*
 * Lookups are binary searches over sealed arrays.
 * Return: the element, owned by @abi, or NULL.
 */
const struct abi_record *abi_find_record(const struct abi *abi, const char *name);
const struct abi_alias *abi_find_alias(const struct abi *abi, const char *name);
const struct abi_enum *abi_find_enum(const struct abi *abi, const char *name);
const struct abi_constant *abi_find_constant(const struct abi *abi, const char *name);

/* abi_constants_from - the index of the first constant whose name is not before @prefix: they are in the order of their names. */
size_t abi_constants_from(const struct abi *abi, const char *prefix);

/**
 * abi_find_ioctl - an ioctl by family and name
 * @family: NULL for the first of that name in any family
 */
const struct abi_ioctl *abi_find_ioctl(const struct abi *abi, const char *family, const char *name);

/**
 * abi_ioctls_from - the first ioctl of @family whose number is not below @number
 *
 * Return: its index, or that of what follows the family; ioctls are sorted by family and number.
 */
size_t abi_ioctls_from(const struct abi *abi, const char *family, uint64_t number);

/* abi_ioctl_has_flag - @ioctl may be NULL */
bool abi_ioctl_has_flag(const struct abi_ioctl *ioctl, const char *flag);

/* abi_role_name - "pointer"; "" for ABI_ROLE_NONE. */
const char *abi_role_name(enum abi_role role);
/* abi_role_parse - Return: 0; ERR_FORMAT, @role untouched, if @name is no role. */
int abi_role_parse(enum abi_role *role, const char *name, struct err *err);
/* abi_kind_name - "record", "alias", "enum", "constant", "ioctl". */
const char *abi_kind_name(enum abi_kind kind);

struct abi_number abi_number_signed(int64_t value);
struct abi_number abi_number_unsigned(uint64_t value);
bool abi_number_equal(struct abi_number a, struct abi_number b);
/**
 * abi_number_text - decimal, or hexadecimal when that is how it is written in JSON
 *
 * Up to 2^53 decimal ("-12", "42"); above that "0x…" or "-0x…" without quotes.
 */
const char *abi_number_text(struct abi_number number, char buffer[24]);

/*
 * Is all that the driver says of two things the same? Their own names and sources are not compared, but for an ioctl's name and
 * family. The builder, diff and history have no comparison of their own: what is the same to one of them is so to all.
 */
bool abi_same_record(const struct abi_record *a, const struct abi_record *b);
bool abi_same_alias(const struct abi_alias *a, const struct abi_alias *b);
bool abi_same_enum(const struct abi_enum *a, const struct abi_enum *b);
bool abi_same_ioctl(const struct abi_ioctl *a, const struct abi_ioctl *b);

/*
 * Building. The builder owns nothing but its bookkeeping: what is added is
 * copied by value, the strings and arrays inside must already be in the
 * arena of the document. The same thing added twice is one thing; a name
 * that is added again with another definition stands for the first one, and the
 * document gets a warning that names both sources.
 */
struct abi_builder;

struct abi_builder *abi_builder_new(struct arena *arena);
void abi_builder_free(struct abi_builder *builder); /* NULL is fine */
void abi_builder_record(struct abi_builder *builder, const struct abi_record *record);
void abi_builder_alias(struct abi_builder *builder, const struct abi_alias *alias);
void abi_builder_enum(struct abi_builder *builder, const struct abi_enum *one);
void abi_builder_constant(struct abi_builder *builder, const struct abi_constant *constant);
void abi_builder_ioctl(struct abi_builder *builder, const struct abi_ioctl *ioctl);
void abi_builder_warning(struct abi_builder *builder, const char *place, const char *text);
/* abi_builder_warning_count - how many warnings there are, also those that the builder itself has added. */
size_t abi_builder_warning_count(const struct abi_builder *builder);
/* abi_builder_has_record, abi_builder_has_alias - has one of that name been added? */
bool abi_builder_has_record(const struct abi_builder *builder, const char *name);
bool abi_builder_has_alias(const struct abi_builder *builder, const char *name);
/* abi_builder_has_other - is @name a record, enum or alias already, and not one that a @kind of that name may be? An enum is an alias, too. */
bool abi_builder_has_other(const struct abi_builder *builder, enum abi_kind kind, const char *name);
/* abi_builder_find_record - one that was added, until the next one is; or NULL. */
const struct abi_record *abi_builder_find_record(const struct abi_builder *builder, const char *name);
/* abi_builder_find_enum - the one that has been added; valid until the next enum is; NULL if there is none. */
const struct abi_enum *abi_builder_find_enum(const struct abi_builder *builder, const char *name);

/**
 * abi_builder_seal - sort, freeze and hand over
 * @out: every array filled; driver, version, commit and target are set from @head
 *
 * The builder is empty afterwards and still to be freed.
 */
void abi_builder_seal(struct abi *out, struct abi_builder *builder, const struct abi *head);

#endif
