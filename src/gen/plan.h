/*
 * gen/plan.h - a record in a language whose fields have no attributes of their own: Rust and Python
 *
 * Inside the room. Both lay out as C does, may pack a record, and have no bit-fields that are exact. What they
 * cannot declare as it is becomes bytes:
 *
 *   bit-fields that share bytes                             those bytes
 *   a field that stands where the language cannot put it    bytes, with the driver's type in a comment
 *   a type that the language lacks                          bytes, the same
 *   padding that the language would not leave               a field of its own; in Rust all padding is one
 */
#ifndef GEN_PLAN_H
#define GEN_PLAN_H

#include "gen/definition.h"

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
	uint64_t align_bytes;    /* the record is aligned to this, which its fields are not; 0: as its fields are */
	uint64_t effective_bytes; /* what it is aligned to in the language; the driver's may be more */
	bool has_align;          /* it, or a record inside it, has align_bytes: Rust packs no such record */
};

struct plans;

struct plans *plans_new(enum gen_language language, struct arena *arena);
void plans_free(struct plans *plans); /* NULL is fine */

/**
 * plan_of - how to declare a record
 * @definition: of a record that is no other one's name; those that it uses have been asked for before it
 *
 * Return: 0; ERR_LAYOUT if its fields overlap, or reach beyond its end (@err names it).
 */
int plan_of(const struct plan **out, struct plans *plans, const struct definition *definition, struct err *err);

/* plan_has_type - have both languages such a scalar, with the same size and alignment? Else it is bytes: __int128, long double. */
bool plan_has_type(const struct definition_type *type);

/* plan_field_name - how a language spells a field of @record: "r#type"; "in_", and "in__" if another field is "in_". @name, or in @arena. */
const char *plan_field_name(enum gen_language language, const struct abi_record *record, const char *name, struct arena *arena);

/* plan_remark - what the type of an item does not say, for a comment: its role, the driver's type, bit-fields; "" if nothing. */
void plan_remark(struct strbuf *out, const struct plan_item *item);

#endif
