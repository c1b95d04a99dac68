/*
 * gen/internal.h - declarations that the files of gen share: definitions, plans, names, comments, and the
 * set of Go's types
 */
#ifndef GEN_INTERNAL_H
#define GEN_INTERNAL_H

#include "gen/gen.h"

#include <uthash.h>

/* --- definition.c: each distinct definition of the types of many versions, once ---------- */

/*
 * A definition is a record, or a name for a scalar or an array: a typedef, or an enum, which is its integer.
 * Two versions of a record are one definition if the fields have the same names, offsets and types, of
 * scalars the same width and sign; the name of a typedef of a scalar does not count. The first definition
 * is called as the driver calls it, each further one NAME_V590 after the first version that has it.
 */

/* The type of a field. */
struct definition_type {
	const struct definition *definition; /* that a declaration names; NULL: @scalar, or @words */
	const struct definition *record;     /* that it resolves to, by one of its names; NULL: a scalar */
	enum abi_scalar scalar;              /* of one element; enums are their integers */
	uint64_t element_bytes;
	const char *words;                   /* C's own, if @definition is NULL: "unsigned int", "void *" */
	const char *remark;                  /* what these do not say: "struct X *", "enum P::mode_t"; NULL */
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* in addition to those of @definition, outermost first */
	size_t dimension_count;
	size_t own_dimension_count; /* how many, the last ones, are inside the alias before the brackets */
	bool flexible;
	uint64_t all_dimensions[ABI_DIMENSIONS_MAX]; /* with those of @definition */
	size_t all_dimension_count;
};

struct definition_member {
	const struct abi_field *field;
	const char *base; /* its type in the document, without dimensions */
	struct definition_type type;
};

struct definition {
	const char *name;              /* each once in a set */
	const char *driver_name;       /* "PARENT::mode_t" */
	const char *version;           /* the first that has it */
	const struct abi *abi;         /* of that version */
	const struct definition *same_as; /* a record that is another name of that one's declaration; NULL */
	const struct abi_record *record;  /* NULL for a name */
	const struct definition_member *members; /* of its fields; then those of unnamed records inside */
	size_t member_count;
	struct definition_type target; /* of a name */
	const struct plan *plan;       /* of a record in Rust and Python; NULL if it is same_as another one */
	bool is_enum;
	bool is_asked;                 /* by definitions_declare(), not only because another one uses it */
	uint64_t size_bytes;
	struct definition *older;      /* with the same driver_name */
	UT_hash_handle by_name;        /* in the set */
};

struct definitions;

struct definitions *definitions_new(enum gen_language language, struct arena *arena);
void definitions_free(struct definitions *set); /* NULL is fine */

/**
 * definitions_declare - the definition of a record, typedef or enum in one version, and of all that it uses
 * @abi: versions come one after the other, each whole
 *
 * Return: 0; ERR_NOT_FOUND if @abi does not have a type; ERR_FORMAT for a name that is not an identifier;
 * ERR_LAYOUT if an element's size is not its type's; ERR_LIMIT for records that nest too deep, or contain
 * themselves; the errors of plan_definition() and abi_resolve_type().
 */
int definitions_declare(const struct definition **out, struct definitions *set, const struct abi *abi,
			const char *name, struct err *err);

/* definitions_has - has a definition that name? */
bool definitions_has(const struct definitions *set, const char *name);

/* definitions_all - each after those that it uses. Valid until the next definitions_declare(). */
const struct definition *const *definitions_all(size_t *count, const struct definitions *set);

/* definition_is_unnamed - a record or enum that the driver gives no name, but the member that it is of. */
bool definition_is_unnamed(const struct definition *definition);

/* --- plan.c: a record in Rust and Python, whose fields have no attributes ----------------- */

/*
 * Both lay out as C does, may pack a record, and have no exact bit-fields. A field that they cannot declare
 * becomes bytes:
 *
 *   bit-fields that share bytes                           those bytes
 *   a field that the language cannot put at its offset    bytes, with the driver's type in a comment
 *   a type that the language does not have                bytes, the same
 *   padding that the language would not leave             a field of its own; in Rust all padding is one
 */
enum plan_kind {
	PLAN_FIELD,   /* as the driver has it */
	PLAN_BYTES,   /* a field, but as bytes */
	PLAN_BITS,    /* the bytes of a run of bit-fields */
	PLAN_PADDING,
};

struct plan_item {
	enum plan_kind kind;
	const char *name;           /* each once in a record, as the language spells it */
	const struct definition_member *members; /* the field; of PLAN_BITS all; of PLAN_PADDING none */
	size_t member_count;
	bool is_anonymous;          /* the driver gives it no name: its members are the record's own */
	uint64_t offset_bytes, size_bytes;
};

struct plan {
	const struct plan_item *items; /* by offset */
	size_t count;
	uint64_t pack_bytes;     /* no field is aligned to more; 0: it is not packed */
	uint64_t align_bytes;    /* of the record, if its fields are aligned to less; else 0 */
	uint64_t effective_bytes; /* the alignment in the language; the driver's may be more */
	bool has_align;          /* it, or a record inside it, has align_bytes: Rust packs no such record */
};

/**
 * plan_definition - set @definition->plan: how to declare a record
 * @definition: not another one's name; the records that it uses have their plans
 *
 * Return: 0; ERR_LAYOUT if its fields overlap, or reach beyond its end (@err names it).
 */
int plan_definition(struct definition *definition, enum gen_language language, struct arena *arena,
		    struct err *err);

/* plan_has_field - has @record a field of that name? */
bool plan_has_field(const struct abi_record *record, const char *name);

/*
 * plan_field_name - how a language spells a field of @record: "r#type"; "in_", and "in__" if another field is
 * "in_". @name, or in @arena.
 */
const char *plan_field_name(enum gen_language language, const struct abi_record *record, const char *name,
			    struct arena *arena);

/* plan_type_text - the name of @type in Rust or Python: "[NvU32; 4]", "NvU32 * 4". In @arena, or constant. */
const char *plan_type_text(enum gen_language language, const struct definition_type *type,
			   struct arena *arena);

/* plan_item_text - the same of an item: its type, or as many bytes */
const char *plan_item_text(enum gen_language language, const struct plan_item *item, struct arena *arena);

/*
 * plan_remark - what the type of an item does not show, for a comment: its role, the driver's type,
 * bit-fields; "" if nothing.
 */
void plan_remark(struct strbuf *out, const struct plan_item *item);

/* --- words.c: names and comments in each language ----------------------------------------- */

/* words_is_identifier - letters, digits and '_', not a digit first. A document may be written by hand. */
bool words_is_identifier(const char *name);

/* words_without_colons - "PARENT_mode_t" of "PARENT::mode_t". In @arena. */
const char *words_without_colons(const char *name, struct arena *arena);

/*
 * words_type - @name for a type; in Python with one underscore instead of two at its beginning, because a
 * class body renames the latter. In @arena.
 */
const char *words_type(enum gen_language language, const char *name, struct arena *arena);

/* words_is_reserved - a keyword, or a name that the file itself uses: no type or constant may have it. */
bool words_is_reserved(enum gen_language language, const char *name);

/*
 * words_field - how the language spells a field of that name: "r#type" in Rust, "in_" in Python; @name if
 * no change is needed. In @arena.
 */
const char *words_field(enum gen_language language, const char *name, struct arena *arena);

/* comment_add - @text as comment lines of 80 columns, cut between words. @mark: what begins a line, "//" */
void comment_add(struct strbuf *out, const char *mark, const char *text);

/* comment_text - @text, with '?' for characters that would end a comment's line or are not text. */
void comment_text(struct strbuf *out, const char *text);

/* comment_versions - a list of the file's versions in the language: @head, "@indent"VERSION",", @tail */
void comment_versions(struct strbuf *out, const struct gen_file *file, const char *head, const char *indent,
		      const char *tail);

/* comment_quoted - the same between double quotes: whatever @text is, it ends no string either. */
void comment_quoted(struct strbuf *out, const char *text);

/* cdecl_type_text - the name of @type, without dimensions: "struct S_V590". In @arena, or constant. */
const char *cdecl_type_text(const struct definition_type *type, struct arena *arena);

/* cdecl_record_word - "struct" or "union" */
const char *cdecl_record_word(const struct abi_record *record);

/* cdecl_qualifiers - bytes of the "const " and "volatile " that @type begins with */
size_t cdecl_qualifiers(const char *type);

/* --- go_types.c: the types of a set, and how Go lays them out ------------------------------ */

/* The state of one name in the set. */
struct set_type {
	struct proxytype type;
	const struct set_base *base;   /* NULL for a type of the table, and so is @flat */
	const struct table_type *flat; /* the type without embedding: all fields are its own */
	uint64_t align_bytes;          /* as go_align() found it; 0: not yet */
	UT_hash_handle by_name;
};

/* The types that the set has declared for one record: "X" of X, X_V550 and X_V590. */
struct set_base {
	const char *name;
	struct set_type **types;       /* oldest first */
	size_t count, capacity;
	const struct set_type *latest; /* the last answer, which need not be the last of @types; NULL: none */
	UT_hash_handle by_base;
};

struct proxytype_set {
	const struct table *known;
	struct arena *arena;
	struct set_type *by_name; /* hash: its own types, and those of the table that were declared again */
	struct set_base *by_base; /* hash */
	const struct proxytype **new_types; /* in the order in which they were declared */
	size_t new_count, new_capacity;
};

/* set_find - the type that was declared, or is in the table, under @name; NULL if there is nothing. */
struct set_type *set_find(struct proxytype_set *set, const char *name);

/* set_base_of - what the set has declared under that name; an empty one if nothing yet */
struct set_base *set_base_of(struct proxytype_set *set, const char *name);

/* set_add - one more type of @base, with a name that is not in use yet. All texts outlive the set. */
struct set_type *set_add(struct proxytype_set *set, struct set_base *base, struct proxytype type,
			 const struct table_type *flat);

/*
 * go_embedded - the type that @field embeds: such a field is called like its type. NULL if it is not an
 * embedded one.
 */
const struct table_type *go_embedded(const struct proxytype_set *set, const struct table_field *field);

/* go_width - bytes of one of Go's own words, "uint32"; 0 for any other name. */
unsigned go_width(const char *word);

/*
 * go_size - bytes of a type as a table spells it, "uint8[16]", "Handle"; UINT64_MAX if the set does not have
 * it.
 */
uint64_t go_size(const struct proxytype_set *set, const char *spelling);

/* go_align - what Go aligns it to: the widest scalar in it. */
uint64_t go_align(struct proxytype_set *set, const char *spelling);

/*
 * go_same - do both types have the same scalars at the same offsets? Width, sign, pointers and handles count;
 * names, and fields that are called padding, do not.
 */
bool go_same(const struct proxytype_set *set, const struct table_type *a, const struct table_type *b);

#endif
