/*
 * gen/internal.h - declarations that the files of gen share: definitions, plans, names, comments, and the
 * set of Go's types
 */
#ifndef GEN_INTERNAL_H
#define GEN_INTERNAL_H

#include "gen/gen.h"

#include <uthash.h>

/* --- definition.c: the distinct definitions of the types of several versions -------------- */

/*
 * A definition is a record, a typedef of a scalar or an array, or an enum, which is declared as its integer.
 * A record has the same definition in two versions if the fields have the same names, offsets and types. For
 * scalars, width and sign must be the same; the name of a typedef does not count. The first definition has
 * the driver's name. Later ones have NAME_V590, after the first version that has them.
 */

/* The type of a field. */
struct definition_type {
	const struct definition *definition; /* that a declaration names; NULL: use @words or @scalar */
	const struct definition *record;     /* that the type resolves to; NULL for a scalar */
	enum abi_scalar_kind scalar;         /* of one element; enums are their integers */
	uint64_t element_bytes;
	const char *words;                   /* C's words if @definition is NULL: "unsigned int", "void *" */
	const char *remark;                  /* not shown by @words: "struct X *", "enum P::mode_t";
						NULL */
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* outermost first; those of @definition are the last ones */
	size_t all_dimension_count;
	size_t dimension_count;     /* without those of @definition */
	bool flexible;
};

struct definition_member {
	const struct abi_field *field;
	struct definition_type type;
};

struct definition {
	const char *name;              /* unique in a set */
	const char *driver_name;       /* "PARENT::mode_t" */
	const struct abi *abi;         /* the document of the first version that has it */
	const struct definition *same_as; /* for a further name of a declaration: the declaration's first
					     definition; else NULL */
	const struct abi_record *record;  /* NULL for a typedef or an enum */
	const struct definition_member *members; /* one for each field of @record */
	struct definition_type target; /* of a typedef or an enum */
	const struct plan *plan;       /* for a record in Rust and Python; NULL if same_as is set */
	bool is_enum;
	bool is_asked;                 /* requested with definitions_declare(), not only used by a type */
	uint64_t size_bytes;
	struct definition *older;      /* the previous one with the same driver_name */
	UT_hash_handle by_name;        /* in the set */
};

struct definitions;

/*
 * definitions_new - make an empty set for one file. The definitions live in @arena, and can outlive the set.
 * definitions_free - free the set, but not its definitions
 */
struct definitions *definitions_new(enum gen_language language, struct arena *arena);
void definitions_free(struct definitions *set); /* NULL is fine */

/**
 * definitions_declare - define a record, typedef or enum of one version, and all types that it uses
 * @abi: all calls for one version must come before those for the next version
 *
 * Return: 0; ERR_NOT_FOUND if @abi does not have a type; ERR_FORMAT if a name is not an identifier, or two
 * fields of a record have the same name; ERR_LAYOUT if a size or an alignment is impossible, or a type is not
 * standard in C; ERR_LIMIT if records nest too deep, or contain themselves; an error of plan_definition() or
 * abi_resolve_type().
 */
int definitions_declare(const struct definition **out, struct definitions *set, const struct abi *abi,
			const char *name, struct err *err);

/* definitions_has - does a definition have that name? */
bool definitions_has(const struct definitions *set, const char *name);

/*
 * definitions_all - list all definitions, each after those that it uses. The list lives in the set's arena; a
 * later definition is not in it.
 */
const struct definition *const *definitions_all(size_t *count, const struct definitions *set);

/* definition_is_unnamed - is it an unnamed record or enum, which is named after its member? */
bool definition_is_unnamed(const struct definition *definition);

/* definition_in_place - get the unnamed record that a field of @type declares in C; NULL if it has none */
const struct definition *definition_in_place(const struct definition_type *type);

/* --- plan.c: a record in Rust and Python, whose fields have no attributes ----------------- */

/*
 * Both languages have C's layout, can pack a record, and have no exact bit-fields. A field that they cannot
 * declare becomes bytes:
 *
 *   field                                               declared as
 *   bit-fields that share bytes                         those bytes
 *   a field that the language cannot put at its offset  bytes, with the driver's type in a comment
 *   a field whose type the language does not have       bytes, with the driver's type in a comment
 *   padding that the language would not leave           a separate field; in Rust, for all padding
 */
enum plan_kind {
	PLAN_FIELD,   /* a field, with its type */
	PLAN_BYTES,   /* a field, as bytes */
	PLAN_BITS,    /* the bytes of a run of bit-fields */
	PLAN_PADDING,
};

struct plan_item {
	enum plan_kind kind;
	const char *name;           /* unique in a record, as the language spells it */
	const struct definition_member *members; /* one field; several for PLAN_BITS, none for PLAN_PADDING */
	size_t member_count;
	bool is_anonymous;          /* unnamed in the driver: its members belong to the outer record */
	uint64_t offset_bytes, size_bytes;
};

struct plan {
	const struct plan_item *items; /* by offset */
	size_t count;
	uint64_t pack_bytes;     /* the limit for the alignment of its fields; 0 if it is not packed */
	uint64_t align_bytes;    /* of the record, if it is greater than that of each field; otherwise 0 */
	uint64_t effective_bytes; /* the alignment in the language, which can be less than the driver's */
	bool has_align;          /* the record, or a record inside it, has align_bytes; Rust forbids this in
				    a packed record */
};

/**
 * plan_definition - set @definition->plan, which says how to declare a record
 * @definition: same_as is not set; the records that it uses already have plans
 *
 * Return: 0; ERR_LAYOUT if its fields overlap, or end after the record, or if the language cannot declare it
 * with its offsets, size and alignment (@err names it).
 */
int plan_definition(struct definition *definition, enum gen_language language, struct arena *arena,
		    struct err *err);

/*
 * plan_field_name - spell a field's name in a language: "type" is "r#type" in Rust. "in" is "in_" in Python,
 * or "in__" if @record also has a field "in_". Returns @name, or lives in @arena.
 */
const char *plan_field_name(enum gen_language language, const struct abi_record *record, const char *name,
			    struct arena *arena);

/* plan_type_text - name @type in Rust or Python: "[NvU32; 4]", "NvU32 * 4". Can live in @arena. */
const char *plan_type_text(enum gen_language language, const struct definition_type *type,
			   struct arena *arena);

/* plan_item_text - name the type of an item: the field's type, or an array of bytes */
const char *plan_item_text(enum gen_language language, const struct plan_item *item, struct arena *arena);

/*
 * plan_remark - list facts that the type of an item does not show, for a comment: its role, the driver's
 * type, bit-fields; "" if there are none. Can live in @arena.
 */
const char *plan_remark(const struct plan_item *item, struct arena *arena);

/* --- words.c: names and comments in each language ----------------------------------------- */

/* words_is_identifier - does @name consist of letters, digits and '_', without a digit at the start? */
bool words_is_identifier(const char *name);

/* words_is_c_name - is @name an identifier in C, but not a keyword? */
bool words_is_c_name(const char *name);

/* words_is_c_type - does @type consist only of words that C defines, such as "unsigned int"? */
bool words_is_c_type(const char *type);

/* words_qualifiers - get the length of the "const " and "volatile " at the start of @type */
size_t words_qualifiers(const char *type);

/* words_without_colons - make "PARENT_mode_t" from "PARENT::mode_t". Lives in @arena. */
const char *words_without_colons(const char *name, struct arena *arena);

/*
 * words_type - spell the name of a type. In Python, two or more underscores at its start become one, unless
 * two are also at its end, because a class body would rename such a name. Returns @name, or lives in @arena.
 */
const char *words_type(enum gen_language language, const char *name, struct arena *arena);

/*
 * words_is_reserved - is @name a keyword, or a name that the file uses? No type or constant can have such a
 * name.
 */
bool words_is_reserved(enum gen_language language, const char *name);

/*
 * words_field - spell a field's name in the language: "r#type" in Rust, "in_" in Python. Lives in @arena, or
 * is @name if no change is needed.
 */
const char *words_field(enum gen_language language, const char *name, struct arena *arena);

/*
 * comment_add - write @text like comment_text(), as lines of at most 80 columns that begin with @mark, "//"
 */
void comment_add(struct strbuf *out, const char *mark, const char *text);

/* comment_text - write @text, with '?' for each byte that is not printable ASCII */
void comment_text(struct strbuf *out, const char *text);

/*
 * comment_versions - write @head, a line for each version, and @tail. A line is @indent, the quoted name and
 * a comma.
 */
void comment_versions(struct strbuf *out, const struct gen_file *file, const char *head, const char *indent,
		      const char *tail);

/* comment_quoted - write @text in double quotes, with '?' also for each '"' and backslash */
void comment_quoted(struct strbuf *out, const char *text);

/*
 * cdecl_definition - write the record of @definition with its name as the tag. Types have the names of their
 * definitions, and only unnamed records are declared in place. @writer needs only the members out and err.
 * Return: as cdecl_record().
 */
int cdecl_definition(struct cdecl *writer, const struct definition *definition);

/* cdecl_type_text - name @type without dimensions: "struct S_V590". Can live in @arena. */
const char *cdecl_type_text(const struct definition_type *type, struct arena *arena);

/* cdecl_record_word - get "struct" or "union" */
const char *cdecl_record_word(const struct abi_record *record);

/* --- go_types.c: the types of a set, and how Go lays them out ------------------------------ */

/* The state of one name in the set. */
struct set_type {
	struct proxytype type;
	const struct set_base *base;   /* NULL for a type of the table; then @flat is NULL, too */
	const struct table_type *flat; /* the type without embedded types */
	uint64_t align_bytes;          /* the result of go_align(); 0 if not yet computed */
	UT_hash_handle by_name;
};

/* The types that the set has declared for one record: "X" of X, X_V550 and X_V590. */
struct set_base {
	const char *name;
	struct set_type **types;       /* oldest first */
	size_t count;
	const struct set_type *latest; /* the last result, not always the newest of @types; or NULL */
	UT_hash_handle by_base;
};

struct proxytype_set {
	const struct table *known;
	struct arena *arena;
	struct set_type *by_name; /* hash: the types of the table, and those that were declared */
	struct set_base *by_base; /* hash */
	const struct proxytype **new_types; /* in the order in which they were declared */
	size_t new_count;
};

/* set_find - find a type of the set or its table by name; NULL if there is none */
struct set_type *set_find(const struct proxytype_set *set, const char *name);

/* set_base_of - get the types declared for a base name; adds an empty item if there are none */
struct set_base *set_base_of(struct proxytype_set *set, const char *name);

/*
 * set_add - add a new type to @base and to the set's list of new types; its name must not be in use. All its
 * strings must outlive the set. @flat: the type without embedded types
 */
struct set_type *set_add(struct proxytype_set *set, struct set_base *base, struct proxytype type,
			 const struct table_type *flat);

/*
 * go_embedded - get the type that @field embeds: an embedded field has the name of its type. NULL if @field
 * is not embedded.
 */
const struct table_type *go_embedded(const struct proxytype_set *set, const struct table_field *field);

/* go_width - get the size of a type that Go defines, such as "uint32"; 0 for any other name */
unsigned go_width(const char *word);

/*
 * go_size - get the size of a type as a table spells it, "uint8[16]", "Handle"; UINT64_MAX if the set does
 * not have the type.
 */
uint64_t go_size(const struct proxytype_set *set, const char *spelling);

/* go_align - get the alignment of a type in Go, which is that of its widest scalar */
uint64_t go_align(struct proxytype_set *set, const char *spelling);

/*
 * go_same - do both types have the same size, and the same scalars at the same offsets? Width, sign, pointers
 * and handles count; names and padding do not. No if the scalars of a type cannot be listed.
 */
bool go_same(const struct proxytype_set *set, const struct table_type *a, const struct table_type *b);

#endif
