/*
 * gen/definition.c - turn the types of several versions into definitions
 *
 * 1. The types of a record's members are resolved and defined first. Most were already defined, in this
 *    version or an earlier one: struct known has the definition of each name in the current version.
 * 2. Then the record is compared with the definitions of its name, latest first. Types of members are equal
 *    if step 1 found the same definition for them.
 * 3. A new definition gets a name. If a different name of the same declaration (a tag, a typedef) was already
 *    defined with the same members, the new definition is only a second name for it.
 */
#include "gen/internal.h"

enum { DEPTH_MAX = 64, REMEMBERED = 1024 };

/* What the set knows about one name of the driver. */
struct known {
	const char *driver_name;
	struct definition *latest;        /* the newest definition, which links to the older ones */
	const struct definition *current; /* the definition in @abi */
	const struct abi *abi;            /* the last version that has the name */
	UT_hash_handle by_name;
};

/* The first definition that the current version gives to the declaration at @source. */
struct declared_at {
	const char *source;
	const struct definition *definition;
	UT_hash_handle by_source;
};

/*
 * A cached type of the current version. The key is the address of its spelling, because most fields share a
 * few spellings.
 */
struct remembered {
	const char *spelling; /* NULL if the slot is empty */
	struct definition_type type;
};

struct definitions {
	enum gen_language language;
	struct arena *arena;
	struct arena scratch;      /* memory for one version */
	const struct abi *abi;     /* the current version */
	struct known *known;
	struct definition *by_name;
	struct declared_at *sources;
	struct remembered remembered[REMEMBERED];
	const struct definition **all;
	size_t count;
	size_t depth;
	struct err *err;
};

/* --- equality ------------------------------------------------------------------------- */

/* Returns the integer of @bytes bytes for enum @one, unsigned if it is NULL; ABI_BYTES if there is none. */
static enum abi_scalar_kind integer_of_enum(const struct abi_enum *one, uint64_t bytes)
{
	bool is_signed = one && !begins(one->type, "unsigned") && strcmp(one->type, "_Bool");

	switch (bytes) {
	case 1: return is_signed ? ABI_I8 : ABI_U8;
	case 2: return is_signed ? ABI_I16 : ABI_U16;
	case 4: return is_signed ? ABI_I32 : ABI_U32;
	case 8: return is_signed ? ABI_I64 : ABI_U64;
	default: return ABI_BYTES;
	}
}

/* Gets C's name for a scalar; NULL if the name depends on the scalar's spelling. */
static const char *words_of_scalar(enum abi_scalar_kind scalar)
{
	static const char *const words[] = {
		[ABI_U8] = "unsigned char", [ABI_U16] = "unsigned short", [ABI_U32] = "unsigned int",
		[ABI_U64] = "unsigned long long", [ABI_I8] = "signed char", [ABI_I16] = "short",
		[ABI_I32] = "int", [ABI_I64] = "long long", [ABI_CHAR] = "char", [ABI_BOOL] = "_Bool",
		[ABI_POINTER] = "void *", [ABI_ENUMERATION] = NULL, [ABI_BYTES] = NULL,
	};

	return words[scalar];
}

/* Returns the one definition that all names of a declaration share; NULL for NULL. */
static const struct definition *one_name(const struct definition *definition)
{
	return definition && definition->same_as ? definition->same_as : definition;
}

static uint64_t bits_of_type(const struct definition_type *type)
{
	uint64_t bits = type->element_bytes * 8;

	for (size_t i = 0; i < type->all_dimension_count; i++)
		bits *= type->dimension[i]; /* abi_resolve_type() has checked that the product fits */
	return bits;
}

/* Are both the same scalar, or the same definition of a record, with the same dimensions? */
static bool same_definition_type(const struct definition_type *a, const struct definition_type *b)
{
	return a->record == b->record && (a->record || a->scalar == b->scalar) &&
	       a->element_bytes == b->element_bytes && a->flexible == b->flexible &&
	       a->all_dimension_count == b->all_dimension_count &&
	       !memcmp(a->dimension, b->dimension, a->all_dimension_count * sizeof(*a->dimension));
}

/* Would @record, with the fields @members, be declared in the same way as @definition? */
static bool same_record(const struct definition *definition, const struct abi_record *record,
			const struct definition_member *members)
{
	const struct abi_record *other = definition->record;

	if (!other || other->is_union != record->is_union || other->size_bytes != record->size_bytes ||
	    other->align_bytes != record->align_bytes || other->field_count != record->field_count)
		return false;
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *x = definition->members[i].field, *y = members[i].field;

		if (x->offset_bits != y->offset_bits || x->size_bits != y->size_bits ||
		    x->is_bitfield != y->is_bitfield || strcmp(x->name, y->name) ||
		    !same_definition_type(&definition->members[i].type, &members[i].type))
			return false;
	}
	return true;
}

/*
 * Checks a record before it is declared. Return: 0; ERR_LAYOUT if no compiler uses this size or alignment;
 * ERR_FORMAT if two fields have the same name.
 */
static int check_record(const struct abi_record *record, struct err *err)
{
	uint64_t align_bytes = record->align_bytes;

	if (!align_bytes || align_bytes & (align_bytes - 1))
		return err_set(err, ERR_LAYOUT,
			       "%s: alignment %" PRIu64 " is not a power of two; fix the document",
			       record->name, align_bytes);
	if (record->size_bytes % align_bytes)
		return err_set(err, ERR_LAYOUT,
			       "%s: its size is not a multiple of its alignment; fix the document",
			       record->name);
	for (size_t i = 0; i < record->field_count; i++)
		for (size_t k = 0; k < i && *record->fields[i].name; k++)
			if (!strcmp(record->fields[i].name, record->fields[k].name))
				return err_set(err, ERR_FORMAT,
					       "record %s has field %s twice; fix the document",
					       record->name, record->fields[i].name);
	return 0;
}

struct definitions *definitions_new(enum gen_language language, struct arena *arena)
{
	struct definitions *set = xmalloc(sizeof(*set));

	*set = (struct definitions){ .language = language, .arena = arena };
	return set;
}

static void end_version(struct definitions *set)
{
	HASH_CLEAR(by_source, set->sources);
	memset(set->remembered, 0, sizeof(set->remembered));
	arena_release(&set->scratch);
}

void definitions_free(struct definitions *set)
{
	if (!set)
		return;
	end_version(set);
	HASH_CLEAR(by_name, set->known);
	HASH_CLEAR(by_name, set->by_name);
	free(set);
}

bool definitions_has(const struct definitions *set, const char *name)
{
	struct definition *found;

	HASH_FIND(by_name, set->by_name, name, strlen(name), found);
	return found;
}

const struct definition *const *definitions_all(size_t *count, const struct definitions *set)
{
	*count = set->count;
	return set->all;
}

bool definition_is_unnamed(const struct definition *definition)
{
	return strstr(definition->driver_name, "::");
}

const struct definition *definition_in_place(const struct definition_type *type)
{
	const struct definition *named = type->definition;

	return named && named->record && definition_is_unnamed(named) ? named : NULL;
}

/* Finds or adds what is known about a type. @name: in the driver; it must live as long as the set */
static struct known *known_of(struct definitions *set, const char *name)
{
	struct known *known;

	HASH_FIND(by_name, set->known, name, strlen(name), known);
	if (!known) {
		known = arena_alloc(set->arena, sizeof(*known));
		known->driver_name = name;
		HASH_ADD_KEYPTR(by_name, set->known, known->driver_name, strlen(name), known);
	}
	return known;
}

/* --- names ------------------------------------------------------------------------ */

static bool is_unused_name(const struct definitions *set, const char *name)
{
	return !definitions_has(set, name) && !words_is_reserved(set->language, name);
}

/*
 * Returns an unused name: @name, or @name with "_V590", "_V590_44_01" or "_2". @is_later: @name has an older
 * definition
 */
static const char *unused_definition_name(const struct definitions *set, const char *name, bool is_later)
{
	const char *version = set->abi->version ? set->abi->version : "", *base = name;
	const char *out = is_later ? gen_versioned_name(base, version, false, set->arena) : base;

	if (is_later && !is_unused_name(set, out))
		out = base = gen_versioned_name(base, version, true, set->arena);
	for (unsigned i = 2; !is_unused_name(set, out); i++)
		out = arena_printf(set->arena,
				   words_is_reserved(set->language, base) && i == 2 ? "%s_" : "%s_%u", base,
				   i);
	return out;
}

/*
 * Sets the words and the remark of @out, a type that has no definition: a type of C itself or a pointer.
 * Return: 0; ERR_LAYOUT if C has no such type. @base: its spelling in the document; @own: its spelling in C
 */
static int set_words(struct definition_type *out, struct definitions *set, const char *base, const char *own)
{
	uint64_t bytes = out->element_bytes;

	out->words = words_of_scalar(out->scalar);
	if (out->scalar != ABI_POINTER && words_is_c_type(own))
		out->words = own;
	/*
	 * A type that only some compilers have becomes a vector of bytes, because gcc aligns a vector to its
	 * size. Rust and Python have plain bytes for all such types.
	 */
	if (!out->words && out->scalar == ABI_BYTES && bytes && !(bytes & (bytes - 1)))
		out->words = arena_printf(&set->scratch,
					  "unsigned char __attribute__((vector_size(%" PRIu64 ")))", bytes);
	if (!out->words)
		return err_set(
			set->err, ERR_LAYOUT,
			"type \"%.200s\" is not a standard type of C, so it cannot be declared; leave it out",
			base);
	if (strcmp(base, out->words) != 0)
		out->remark = base;
	return 0;
}

static int define_type(const struct definition **out, struct definitions *set, const char *name);

static int set_base(struct definition_type *out, struct definitions *set, const char *base);

/*
 * Sets @out to @type, and defines the types that it uses. Texts are in @set's scratch memory.
 * @known: a name of the document for @type, or @type itself
 */
static int set_type(struct definition_type *out, struct definitions *set, const char *type, const char *known)
{
	struct abi_spelling spelling;
	struct abi_type resolved;
	int rc;

	*out = (struct definition_type){ .definition = NULL };
	if ((rc = abi_spelling_parse(&spelling, type, set->err)) ||
	    (rc = abi_resolve_type(&resolved, set->abi, known, set->err)))
		return rc;
	out->scalar = resolved.scalar == ABI_ENUMERATION
			      ? integer_of_enum(resolved.enumeration, resolved.element_bytes)
			      : resolved.scalar;
	out->element_bytes = resolved.element_bytes;
	out->flexible = resolved.flexible;
	memcpy(out->dimension, resolved.dimension, sizeof(out->dimension));
	out->all_dimension_count = resolved.dimension_count;
	if (resolved.record && (rc = define_type(&out->record, set, resolved.record->name)))
		return rc;
	out->record = one_name(out->record);
	if ((rc = set_base(out, set, arena_strndup(&set->scratch, spelling.base, spelling.base_length))))
		return rc;
	/*
	 * @words describe one element, without dimensions inside the declarator: "int (*[3])(int)" is "void
	 * *" with [3].
	 */
	out->dimension_count = out->definition ? spelling.dimension_count : out->all_dimension_count;
	return 0;
}

/* Sets @out to a field of @record with its type (cached by spelling), and checks its name and size. */
static int set_member(struct definition_member *out, struct definitions *set, const struct abi_record *record,
		      const struct abi_field *field)
{
	struct remembered *remembered = &set->remembered[(uintptr_t)field->type / 8 % REMEMBERED];
	int rc;

	out->field = field;
	if (remembered->spelling != field->type) {
		if ((rc = set_type(&out->type, set, field->type, field->type)))
			return rc;
		*remembered = (struct remembered){ field->type, out->type };
	}
	out->type = remembered->type;
	if (*field->name && !words_is_identifier(field->name))
		return err_set(
			set->err, ERR_FORMAT,
			"field name \"%.200s\" of record %s is not an identifier; fix the document",
			field->name, record->name);
	if (!field->is_bitfield && field->size_bits != bits_of_type(&out->type))
		return err_set(set->err, ERR_LAYOUT,
			       "field %s of record %s is %" PRIu64 " bytes, but its type %.200s is %" PRIu64
			       "; fix the document",
			       field->name, record->name, field->size_bits / 8, field->type,
			       bits_of_type(&out->type) / 8);
	return 0;
}

/* Copies the strings of a type from this version's scratch memory, for a new definition. */
static void copy_texts(struct definition_type *type, struct arena *arena)
{
	type->words = type->words ? arena_strdup(arena, type->words) : NULL;
	type->remark = type->remark ? arena_strdup(arena, type->remark) : NULL;
}

/* --- definitions -------------------------------------------------------------------- */

/* Finds a definition with the same members and source under a different name; NULL if there is none. */
static const struct definition *another_name(struct definitions *set, const struct abi_record *record,
					     const struct definition_member *members)
{
	struct declared_at *found;

	HASH_FIND(by_source, set->sources, record->source, strlen(record->source), found);
	if (!*record->source || !found || !same_record(found->definition, record, members))
		return NULL;
	return one_name(found->definition);
}

/* Names a new definition, and adds it as the latest of @known. ERR_FORMAT if the name is not valid. */
static int add_definition(const struct definition **out, struct definitions *set, struct known *known,
			  struct definition *definition)
{
	const char *name = words_without_colons(known->driver_name, set->arena);

	if (!words_is_identifier(name))
		return err_set(set->err, ERR_FORMAT,
			       "the type name \"%.200s\" is not an identifier; fix the document",
			       known->driver_name);
	definition->name =
		unused_definition_name(set, words_type(set->language, name, set->arena), known->latest);
	definition->driver_name = known->driver_name;
	definition->abi = set->abi;
	definition->older = known->latest;
	known->latest = definition;
	HASH_ADD_KEYPTR(by_name, set->by_name, definition->name, strlen(definition->name), definition);
	set->all = arena_room(set->arena, set->all, set->count, sizeof(*set->all));
	set->all[set->count++] = definition;
	*out = definition;
	return 0;
}

/* Sets @out to the definition of @record: an older one if it has the same members, or a new one. */
static int define_record(const struct definition **out, struct definitions *set, struct known *known,
			 const struct abi_record *record)
{
	struct definition_member *members = arena_array(&set->scratch, record->field_count, sizeof(*members));
	struct definition *definition;
	struct declared_at *declared;
	int rc;

	for (size_t i = 0; i < record->field_count; i++)
		if ((rc = set_member(&members[i], set, record, &record->fields[i])))
			return rc;
	for (definition = known->latest; definition && !same_record(definition, record, members);
	     definition = definition->older)
		;
	*out = definition;
	if (!definition) {
		if ((rc = check_record(record, set->err)))
			return rc;
		for (size_t i = 0; i < record->field_count; i++)
			copy_texts(&members[i].type, set->arena);
		members = arena_memdup(set->arena, members, record->field_count * sizeof(*members));
		definition = arena_alloc(set->arena, sizeof(*definition));
		*definition = (struct definition){ .record = record, .members = members,
						   .size_bytes = record->size_bytes,
						   .same_as = another_name(set, record, members) };
		if ((rc = add_definition(out, set, known, definition)))
			return rc;
		if (!definition->same_as && (set->language == GEN_RUST || set->language == GEN_PYTHON) &&
		    (rc = plan_definition(definition, set->language, set->arena, set->err)))
			return rc;
	}
	/* Keep the first definition at this place: later names of the declaration become aliases of it. */
	HASH_FIND(by_source, set->sources, record->source, strlen(record->source), declared);
	if (!declared) {
		declared = arena_alloc(&set->scratch, sizeof(*declared));
		*declared = (struct declared_at){ .source = record->source, .definition = *out };
		HASH_ADD_KEYPTR(by_source, set->sources, declared->source, strlen(declared->source),
				declared);
	}
	return 0;
}

/* Sets @out to the definition, an older or a new one, of an enum or of a typedef of a scalar or an array. */
static int define_name(const struct definition **out, struct definitions *set, struct known *known,
		       const struct abi_alias *alias)
{
	const struct abi_enum *one = abi_find_enum(set->abi, known->driver_name);
	struct definition_type target = { .definition = NULL };
	struct definition *definition;
	int rc;

	if (one) {
		target.scalar = integer_of_enum(one, one->size_bytes);
		target.element_bytes = one->size_bytes;
		rc = set_words(&target, set, one->type, one->type);
		target.remark = NULL;
	} else {
		rc = set_type(&target, set, alias->type, alias->name);
	}
	if (rc)
		return rc;
	for (definition = known->latest; definition; definition = definition->older)
		if (!definition->record && same_definition_type(&definition->target, &target))
			break;
	*out = definition;
	if (definition)
		return 0;
	copy_texts(&target, set->arena);
	definition = arena_alloc(set->arena, sizeof(*definition));
	*definition = (struct definition){ .target = target, .is_enum = one,
					   .size_bytes = bits_of_type(&target) / 8 };
	return add_definition(out, set, known, definition);
}

/* Sets @out to the definition of the record, typedef or enum @name in the current version. */
static int define_type(const struct definition **out, struct definitions *set, const char *name)
{
	const struct abi_record *record = abi_find_record(set->abi, name);
	const struct abi_alias *alias = abi_find_alias(set->abi, name);
	struct known *known;
	int rc;

	if (!record && !alias && !abi_find_enum(set->abi, name))
		return err_set(set->err, ERR_NOT_FOUND, "%s %s has no type '%s'", set->abi->driver,
			       set->abi->version, name);
	known = known_of(set, record ? record->name : arena_strdup(set->arena, name));
	if (known->abi == set->abi) {
		*out = known->current;
		return 0;
	}
	if (set->depth == DEPTH_MAX)
		return err_set(set->err, ERR_LIMIT,
			       "%s: types nest deeper than %d levels, or contain themselves", name,
			       DEPTH_MAX);
	set->depth++;
	rc = record ? define_record(out, set, known, record) : define_name(out, set, known, alias);
	set->depth--;
	if (rc)
		return rc;
	known->current = *out;
	known->abi = set->abi;
	return 0;
}

/*
 * Defines the type @base and sets out->definition, if a declaration can use the type's name. Otherwise, sets
 * its words in C. Return: 0; an error of define_type() or set_words().
 */
static int set_base(struct definition_type *out, struct definitions *set, const char *base)
{
	const char *bare = base + words_qualifiers(base);
	const struct abi_enum *one = abi_find_enum(set->abi, bare);
	const struct abi_alias *alias = abi_find_alias(set->abi, bare);
	bool is_record = abi_find_record(set->abi, bare);
	bool is_own = !out->record && (!alias || !words_is_identifier(bare) ||
				       !strcmp(alias->type, bare)); /* the compiler defines "_Atomic(u32)" */

	if (out->scalar == ABI_POINTER && !words_is_identifier(bare))
		return set_words(out, set, base, base);
	if (one && !is_record && strstr(bare, "::"))
		return set_words(out, set, base,
				 words_of_scalar(out->scalar) ? words_of_scalar(out->scalar) : "enum");
	if ((words_is_c_type(bare) || is_own) && !is_record && !one)
		return set_words(out, set, base, bare);
	if (bare != base)
		out->remark = base;
	return define_type(&out->definition, set, bare);
}

int definitions_declare(const struct definition **out, struct definitions *set, const struct abi *abi,
			const char *name, struct err *err)
{
	struct definition *definition;
	int rc;

	if (set->abi != abi)
		end_version(set);
	set->abi = abi;
	set->depth = 0;
	set->err = err;
	if ((rc = define_type(out, set, name)))
		return rc;
	for (definition = known_of(set, (*out)->driver_name)->latest; definition != *out;
	     definition = definition->older)
		;
	definition->is_asked = true;
	return 0;
}
