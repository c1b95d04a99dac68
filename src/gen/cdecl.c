/*
 * gen/cdecl.c - write a declaration in C, after the types that it uses
 *
 * The type of a field consists of a base and dimensions (struct abi_spelling). The base is the first of these
 * that applies:
 *
 * 1. an unnamed record or enum, "PARENT::FIELD_t": it is declared in place;
 * 2. a record or an enum: "struct NAME", "enum NAME". An enum with several names is always written with the
 *    first, because C allows its enumerators only once;
 * 3. words of C, such as "unsigned int";
 * 4. an alias: its name, with a typedef before it;
 * 5. a pointer to a record, an alias or words of C; any other pointer is void *, with its type in a comment.
 *
 * In the declaration of a struct definition, its members have the types of the fields. layout_record()
 * explains how attributes move fields to their offsets.
 */
#include "gen/internal.h"

/* --- comments ------------------------------------------------------------------------------ */

enum { COMMENT_COLUMN = 48, LINE_COLUMNS = 80 };

static int check_c_name(const struct cdecl *writer, const char *name)
{
	if (words_is_c_name(name))
		return 0;
	return err_set(writer->err, ERR_FORMAT,
		       "'%s' is not a valid identifier in C, so it cannot be declared; use --format text",
		       name);
}

const char *cdecl_negative(uint64_t magnitude, char buffer[CDECL_NEGATIVE_BYTES])
{
	const bool is_lowest = magnitude > INT64_MAX;

	snprintf(buffer, CDECL_NEGATIVE_BYTES, "-%" PRIu64 "%s", magnitude - is_lowest,
		 is_lowest ? "LL - 1" : "");
	return buffer;
}

void cdecl_comment(struct strbuf *out, const char *text)
{
	struct strbuf escaped = { 0 };

	escape_terminal(&escaped, text);
	strbuf_adds(out, "/* ");
	for (const char *at = strbuf_text(&escaped); *at; at++) {
		strbuf_addch(out, *at);
		if ((*at == '*' && at[1] == '/') || (*at == '/' && at[1] == '*'))
			strbuf_addch(out, ' ');
	}
	strbuf_adds(out, " */");
	strbuf_release(&escaped);
}

static void add_indent(struct strbuf *out, size_t depth)
{
	for (size_t i = 0; i < depth; i++)
		strbuf_addch(out, '\t');
}

/*
 * Writes the white space before a comment of @width columns. The comment begins at COMMENT_COLUMN if the line
 * is not longer yet, or else after one space. If it does not fit on the line, it begins on the next.
 */
static void add_space_to_comment(struct strbuf *out, size_t width)
{
	const char *end = memrchr(out->text, '\n', out->length);
	size_t column = 0;

	for (const char *at = end ? end + 1 : out->text; *at; at++)
		column = *at == '\t' ? (column / 8 + 1) * 8 : column + 1;
	if (column < COMMENT_COLUMN && COMMENT_COLUMN + width <= LINE_COLUMNS) {
		strbuf_addf(out, "%*s", (int)(COMMENT_COLUMN - column), "");
	} else if (column + 1 + width <= LINE_COLUMNS) {
		strbuf_addch(out, ' ');
	} else {
		strbuf_addch(out, '\n');
		add_indent(out, COMMENT_COLUMN + width <= LINE_COLUMNS ? COMMENT_COLUMN / 8 : 1);
	}
}

/* Writes a comment at the end of the current line, or on the next line if it does not fit. */
static void add_trailing_comment(struct strbuf *out, const char *text)
{
	struct strbuf comment = { 0 };

	cdecl_comment(&comment, text);
	add_space_to_comment(out, comment.length);
	strbuf_adds(out, strbuf_text(&comment));
	strbuf_release(&comment);
}

static void add_comment_line(struct strbuf *out, const char *text)
{
	cdecl_comment(out, text);
	strbuf_addch(out, '\n');
}

/* --- what a writer has already declared ---------------------------------------------------- */

/* The key is an enumerator's name, or the bytes of a type's address, which no name has. */
struct cdecl_seen {
	UT_hash_handle hh;
};

void cdecl_release(struct cdecl *writer)
{
	HASH_CLEAR(hh, writer->seen);
	arena_release(&writer->arena);
}

/* Notes that a type or enumerator is declared. Return: false if it was before: C allows it only once. */
static bool note_declared(struct cdecl *writer, const void *key, size_t length)
{
	struct cdecl_seen *found;

	HASH_FIND(hh, writer->seen, key, length, found);
	if (found)
		return false;
	found = arena_alloc(&writer->arena, sizeof(*found));
	key = arena_memdup(&writer->arena, key, length);
	HASH_ADD_KEYPTR(hh, writer->seen, key, length, found);
	return true;
}

static bool is_new_type(struct cdecl *writer, const void *type)
{
	return note_declared(writer, &type, sizeof(type));
}

/* --- enumerators --------------------------------------------------------------------------- */

static int check_enumerator_names(const struct cdecl *writer, const struct abi_enum *one)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < one->value_count; i++)
		rc = check_c_name(writer, one->values[i].name);
	return rc;
}

/*
 * Writes one enumerator per line, and the closing brace; the enum is packed if it is smaller than int. A name
 * that an earlier enum has gets a prefix, because two translation units can have the same enumerator.
 */
static void write_enumerators(struct cdecl *writer, const struct abi_enum *one, size_t depth)
{
	struct strbuf *out = writer->out;
	char number[CDECL_NEGATIVE_BYTES];

	for (size_t i = 0; i < one->value_count; i++) {
		const struct abi_number value = one->values[i].value;
		bool is_first = note_declared(writer, one->values[i].name, strlen(one->values[i].name));

		add_indent(out, depth + 1);
		if (!is_first)
			strbuf_addf(out, "%s__", words_is_c_name(one->name) ? one->name : "again");
		strbuf_addf(out, "%s = ", one->values[i].name);
		if (value.negative)
			strbuf_adds(out, cdecl_negative(value.magnitude, number));
		else
			strbuf_addf(out, "%" PRIu64 "%s", value.magnitude,
				    value.magnitude > INT64_MAX ? "ULL" : "");
		strbuf_addf(out, ",%s\n", is_first ? "" : " /* an enum above has this enumerator */");
	}
	add_indent(out, depth);
	strbuf_adds(out, one->size_bytes < 4 ? "} __attribute__((packed))" : "}");
}

/* --- from offsets to attributes ------------------------------------------------------------ */

/* The attributes and padding of one field, so that a compiler (x86_64, System V) puts it at its offset. */
struct field_layout {
	uint64_t hole_bits;      /* unused bits before it */
	uint64_t fill_bytes;     /* bytes of the hole that a member must fill */
	unsigned aligned_bytes;  /* the alignment attribute of the field; 0: none */
	bool zero_bound;         /* a flexible array where C does not allow one: [0] has the same layout */
};

struct record_layout {
	const struct abi *abi;   /* has @record and the types of its fields */
	const struct abi_record *record;
	bool packed;
	struct field_layout *fields;
	uint64_t end_bits;       /* the end of the fields so far */
	uint64_t align_bytes;    /* the alignment that the fields so far give */
	uint64_t aligned_bytes;  /* the alignment attribute of the record; 0: none */
	uint64_t tail_bytes;     /* bytes after the last field */
	uint64_t fill_bytes;     /* @tail_bytes if a member must fill them; otherwise 0 */
};

/*
 * No compiler aligns a scalar to more than SCALAR_ALIGN_MAX. clang aligns large vectors to their size, gcc
 * does not.
 */
enum { ALIGN_MAX = 4096, SCALAR_ALIGN_MAX = 16 };

/*
 * Returns a type's alignment: a record's own; for a scalar its size, or half of it for a complex number (two
 * scalars), but at most SCALAR_ALIGN_MAX; 1 if this is not a power of two.
 */
static uint64_t natural_align(const struct abi_type *type)
{
	static const char complex_word[] = "_Complex";
	uint64_t bytes = type->record ? type->record->align_bytes : type->element_bytes;

	if (type->c_name && type->scalar == ABI_BYTES &&
	    memmem(type->c_name, type->c_length, complex_word, strlen(complex_word)))
		bytes /= 2;
	if (!type->record && bytes > SCALAR_ALIGN_MAX)
		return SCALAR_ALIGN_MAX;
	return bytes && !(bytes & (bytes - 1)) ? bytes : 1;
}

/* Lays out a bit-field. Return: false if it cannot be at its offset unless the record is packed. */
static bool place_bits(struct record_layout *layout, struct field_layout *out, const struct abi_field *field,
		       const struct abi_type *type)
{
	uint64_t unit = type->element_bytes * 8, first = field->offset_bits,
		 last = first + field->size_bits - 1;

	if (!layout->packed && unit && first / unit != last / unit)
		return false;
	/* The hole is always filled with unnamed bits, even if the compiler would leave it anyway. */
	out->hole_bits = first - layout->end_bits;
	if (!layout->packed && type->element_bytes > layout->align_bytes)
		layout->align_bytes = type->element_bytes;
	layout->end_bits = last + 1;
	return true;
}

/* Lays out a field: finds the attribute or padding that puts it at its offset. Return: false if none does. */
static bool place_field(struct record_layout *layout, struct field_layout *out, const struct abi_field *field,
			const struct abi_type *type)
{
	uint64_t align = layout->packed ? 1 : natural_align(type), from = round_up(layout->end_bits, 8) / 8,
		 at = field->offset_bits / 8;

	out->hole_bits = field->offset_bits - layout->end_bits;
	if (round_up(from, align) != at) {
		uint64_t most = *field->name ? layout->record->align_bytes : 0, wider = align * 2;

		while (wider <= most && wider <= ALIGN_MAX && round_up(from, wider) != at)
			wider *= 2;
		if (wider <= most && wider <= ALIGN_MAX)
			out->aligned_bytes = (unsigned)(align = wider);
		else if (layout->packed || (!*field->name && at % align == 0))
			out->fill_bytes = at - from;
		else
			return false;
	}
	if (align > layout->align_bytes)
		layout->align_bytes = align;
	layout->end_bits = field->offset_bits + field->size_bits;
	return true;
}

/*
 * Places all fields as a compiler does, with attributes where their offsets need them. Sets @fits: are all at
 * their offsets? Return: 0, also if they are not; an error of abi_resolve_type().
 */
static int place_fields(struct record_layout *layout, bool *fits, struct err *err)
{
	const struct abi_record *record = layout->record;

	memset(layout->fields, 0, record->field_count * sizeof(*layout->fields));
	layout->end_bits = 0;
	layout->align_bytes = 1;
	*fits = true;
	for (size_t i = 0; *fits && i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];
		uint64_t end_bits = layout->end_bits;
		struct abi_type type;
		int rc;

		if ((rc = abi_resolve_type(&type, layout->abi, field->type, err)))
			return rc;
		if (record->is_union)
			layout->end_bits = 0;
		/*
		 * C allows a flexible array only as the last member of a struct with at least one other
		 * member.
		 */
		layout->fields[i].zero_bound =
			type.flexible && (record->is_union || !i || i + 1 < record->field_count);
		if (field->offset_bits < layout->end_bits || (!field->is_bitfield && field->offset_bits % 8))
			*fits = false;
		else if (field->is_bitfield)
			*fits = place_bits(layout, &layout->fields[i], field, &type);
		else
			*fits = place_field(layout, &layout->fields[i], field, &type);
		if (record->is_union && end_bits > layout->end_bits)
			layout->end_bits = end_bits;
	}
	if (layout->align_bytes > record->align_bytes)
		*fits = false;
	return 0;
}

/*
 * Finds the attributes and filling members with which a declaration of @record in C has the document's
 * offsets, size and alignment. Return: 0; ERR_LAYOUT if there are none; an error of abi_resolve_type().
 *
 * 1. The fields are laid out by the compiler's rules. If a field's offset is larger than the rules give, the
 *    field gets an alignment attribute that moves it there.
 * 2. If an offset is smaller than the rules give, or no alignment fits, the layout is repeated with the
 *    record packed. Then a field can begin at any byte, and members fill the holes.
 * 3. The alignment and size of the whole record are compared with the document's.
 *
 * An unnamed record gets no alignment attribute, because the attribute after its brace would apply to its
 * type: the type would grow, and a packed record would ignore the attribute. So members fill the hole before
 * it in both layouts. A union is laid out in the same way, with each field at offset 0.
 */
static int layout_record(struct record_layout *out, struct cdecl *writer, const struct abi *abi,
			 const struct abi_record *record)
{
	const char *what = NULL;
	uint64_t end, size;
	bool fits;
	int rc;

	*out = (struct record_layout){ .abi = abi, .record = record,
				       .fields = arena_array(&writer->arena, record->field_count + 1,
							     sizeof(*out->fields)) };
	if ((rc = place_fields(out, &fits, writer->err)))
		return rc;
	out->packed = !fits;
	if (!fits && (rc = place_fields(out, &fits, writer->err)))
		return rc;
	end = round_up(out->end_bits, 8) / 8;
	size = round_up(end, record->align_bytes);
	if (!fits)
		what = "its fields overlap, so it cannot be declared in C; fix the document";
	else if (end > record->size_bytes)
		what = "its fields end after the record, so it cannot be declared in C; fix the document";
	else if (size > record->size_bytes)
		what = "its size is not a multiple of its alignment; fix the document";
	out->tail_bytes = record->size_bytes - end;
	if (out->align_bytes < record->align_bytes)
		out->aligned_bytes = record->align_bytes;
	if (size < record->size_bytes)
		out->fill_bytes = record->size_bytes - end;
	return what ? err_set(writer->err, ERR_LAYOUT, "%s: %s", record->name, what) : 0;
}

/* --- the type of a field ------------------------------------------------------------------- */

enum { DEPTH_MAX = 64, ENTERED_MAX = 1 << 16 };

/* A declaration that is being written. Its texts are in the writer's arena. */
struct declarator {
	const char *base;        /* "struct X", "NvU32", "void *"; NULL if the type is declared in place */
	const char *dims;        /* "[4][2]" */
	const char *remark;      /* a fact that @base does not show, such as the target of a void *; NULL */
	const struct abi_record *inside; /* an unnamed record, declared in place */
	const struct definition *as;     /* of @inside; NULL if types have the document's names */
	const struct abi_enum *inside_enum;
};

const char *cdecl_record_word(const struct abi_record *record)
{
	return record->is_union ? "union" : "struct";
}

static int name_base(struct declarator *out, struct cdecl *writer, const char *base);

/* Sets the base to a pointer type, such as "const NvU32 *", or "void *" if C cannot express the target. */
static int name_pointer(struct declarator *out, struct cdecl *writer, const char *base)
{
	size_t length = strcspn(base, "*("), qualifiers;
	const char *stars = base + length, *words, *pointee;
	const struct abi_record *record;
	int rc;

	while (length && base[length - 1] == ' ')
		length--;
	words = arena_strndup(&writer->arena, base, length);
	qualifiers = words_qualifiers(words);
	pointee = words + qualifiers;
	record = abi_find_record(writer->abi, pointee);
	if (stars[strspn(stars, "*")] || !*pointee || strstr(pointee, "::") ||
	    !(record || words_is_c_type(pointee) || abi_find_alias(writer->abi, pointee))) {
		out->base = "void *";
		out->remark = base;
		return 0;
	}
	if ((rc = record ? check_c_name(writer, pointee) : name_base(out, writer, words)))
		return rc;
	if (record) /* a pointer needs only the tag */
		out->base = arena_printf(&writer->arena, "%.*s%s %s", (int)qualifiers, words,
					 cdecl_record_word(record), pointee);
	out->base = arena_printf(&writer->arena, "%s %s", out->base, stars);
	return 0;
}

static int fail_unknown_type(const struct cdecl *writer, const char *base)
{
	return err_set(writer->err, ERR_NOT_FOUND, "%s %s has no type '%s'", writer->abi->driver,
		       writer->abi->version, base);
}

/* Sets the base to the tag of @record, first written if the writer expands; or `inside` if it is unnamed. */
static int name_record(struct declarator *out, struct cdecl *writer, const struct abi_record *record)
{
	int rc;

	if (strstr(record->name, "::")) {
		out->inside = record;
		return 0;
	}
	if ((rc = check_c_name(writer, record->name)))
		return rc;
	out->base = arena_printf(&writer->arena, "%s %s", cdecl_record_word(record), record->name);
	return writer->expand ? cdecl_record(writer, record) : 0;
}

/*
 * Sets the base to the tag of @one, which is first written if the writer expands. An unnamed enum is declared
 * inside the first field that has it; later fields have its integer type.
 */
static int name_enum(struct declarator *out, struct cdecl *writer, const struct abi_enum *one)
{
	const struct abi *abi = writer->abi;
	int rc;

	for (size_t i = 0; *one->source && i < abi->enum_count; i++)
		if (!strcmp(abi->enums[i].source, one->source) && words_is_c_name(abi->enums[i].name)) {
			one = &abi->enums[i]; /* the first name of the same enum */
			break;
		}
	if (strstr(one->name, "::")) {
		if (is_new_type(writer, one))
			out->inside_enum = one;
		else if (words_is_c_type(one->type))
			out->base = one->type; /* its enumerators were already written */
		else
			return fail_unknown_type(writer, one->type);
		return 0;
	}
	if ((rc = check_c_name(writer, one->name)))
		return rc;
	out->base = arena_printf(&writer->arena, "enum %s", one->name);
	return writer->expand ? cdecl_enum(writer, one) : 0;
}

static void add_dimensions(struct declarator *out, struct cdecl *writer, const uint64_t *dimension,
			   size_t count)
{
	for (size_t i = 0; i < count; i++)
		out->dims = arena_printf(&writer->arena, "%s[%" PRIu64 "]", out->dims, dimension[i]);
}

/*
 * Sets the base of "_Atomic(x_t)": the type itself if x_t is a type of C, or else a vector of bytes with the
 * same size and alignment. Return: 0; ERR_LAYOUT if there is none; an error of abi_resolve_type().
 */
static int name_atomic(struct declarator *out, struct cdecl *writer, const char *base)
{
	const size_t open = strlen("_Atomic(");
	struct abi_type type;
	int rc;

	if (words_is_c_type(arena_strndup(&writer->arena, base + open, strlen(base) - open - 1))) {
		out->base = base;
		return 0;
	}
	if ((rc = abi_resolve_type(&type, writer->abi, base, writer->err)))
		return rc;
	out->remark = base;
	if (type.element_bytes & (type.element_bytes - 1))
		return err_set(writer->err, ERR_LAYOUT,
			       "%s has %" PRIu64
			       " bytes, which is not a power of two, so C cannot declare it",
			       base, type.element_bytes);
	out->base = arena_printf(&writer->arena, "unsigned char __attribute__((vector_size(%" PRIu64 ")))",
				 type.element_bytes);
	return 0;
}

const char *cdecl_type_text(const struct definition_type *type, struct arena *arena)
{
	const struct definition *named = type->definition;

	if (!named)
		return type->words;
	if (!named->record)
		return named->name;
	if (named->same_as)
		named = named->same_as;
	return arena_printf(arena, "%s %s", cdecl_record_word(named->record), named->name);
}

/* Sets the declarator of a field to the name of its type's definition, or to an unnamed record in place. */
static void set_defined_declarator(struct declarator *out, struct cdecl *writer,
				   const struct definition_type *type, bool zero_bound)
{
	bool open = type->dimension_count && type->flexible && !zero_bound; /* write the first one as [] */

	*out = (struct declarator){ .dims = open ? "[]" : "", .as = definition_in_place(type) };
	add_dimensions(out, writer, type->dimension + open, type->dimension_count - open);
	if (out->as) {
		out->inside = out->as->record;
	} else {
		out->base = cdecl_type_text(type, &writer->arena);
		out->remark = type->remark;
	}
}

/*
 * Sets the base for a type without dimensions, or the unnamed type that is declared in place. If the writer
 * expands, first writes the declarations that are needed. Return: as cdecl_record().
 */
static int name_base(struct declarator *out, struct cdecl *writer, const char *base)
{
	const struct abi_record *record = abi_find_record(writer->abi, base);
	const struct abi_enum *one = abi_find_enum(writer->abi, base);
	const struct abi_alias *alias = abi_find_alias(writer->abi, base);
	size_t qualifiers = words_qualifiers(base);
	int rc;

	if (record)
		return name_record(out, writer, record);
	if (one)
		return name_enum(out, writer, one);
	if (begins(base, "_Atomic(") && base[strlen(base) - 1] == ')')
		return name_atomic(out, writer, base);
	if (strpbrk(base, "*("))
		return name_pointer(out, writer, base);
	if (qualifiers) {
		if ((rc = name_base(out, writer, base + qualifiers)) || !out->base)
			return rc;
		out->base = arena_printf(&writer->arena, "%.*s%s", (int)qualifiers, base, out->base);
		return 0;
	}
	if (!words_is_c_type(base)) {
		if (!alias)
			return fail_unknown_type(writer, base);
		if ((rc = check_c_name(writer, base)) ||
		    (writer->expand && (rc = cdecl_alias(writer, alias))))
			return rc;
	}
	out->base = base;
	return 0;
}

/*
 * Splits @type into a base and dimensions. If the writer expands, the declarations that the base needs are
 * written first. Return: as cdecl_record().
 * @known: a name of the document for @type, or @type itself
 * @zero_bound: write [0] instead of []
 */
static int make_declarator(struct declarator *out, struct cdecl *writer, const char *type, const char *known,
			   bool zero_bound)
{
	struct abi_spelling spelling;
	struct abi_type resolved;
	size_t open; /* 1 if the first dimension has no number */
	int rc;

	if ((rc = abi_spelling_parse(&spelling, type, writer->err)))
		return rc;
	open = spelling.dimension_count && spelling.flexible && !zero_bound;
	*out = (struct declarator){ .dims = open ? "[]" : "" };
	add_dimensions(out, writer, spelling.dimension + open, spelling.dimension_count - open);
	rc = name_base(out, writer, arena_strndup(&writer->arena, spelling.base, spelling.base_length));
	/* Dimensions inside the declarator come last: "int (*[3])(int)" is void * with [3]. */
	if (!rc && memchr(spelling.base, '(', spelling.base_length) &&
	    !(rc = abi_resolve_type(&resolved, writer->abi, known, writer->err)) &&
	    resolved.dimension_count > spelling.dimension_count)
		add_dimensions(out, writer, resolved.dimension + spelling.dimension_count,
			       resolved.dimension_count - spelling.dimension_count);
	return rc;
}

/* --- records ------------------------------------------------------------------------------- */

/*
 * Counts a record, and increments the depth, which the caller decrements. Return: 0; ERR_LIMIT: a document
 * written by hand can nest records without end, or double their number at each level.
 */
static int enter_record(struct cdecl *writer, const struct abi_record *record)
{
	if (writer->depth == DEPTH_MAX)
		return err_set(writer->err, ERR_LIMIT,
			       "%s: records nest deeper than %d levels, or contain themselves", record->name,
			       DEPTH_MAX);
	if (++writer->entered > ENTERED_MAX)
		return err_set(writer->err, ERR_LIMIT,
			       "%s: more than %d records are declared; give fewer names", record->name,
			       ENTERED_MAX);
	writer->depth++;
	return 0;
}

/*
 * Writes a comment for a hole of @bits, and a member that fills it if the compiler would leave no hole.
 * @depth: levels of indentation
 * @body: the number of the record's body in the declaration, from 1
 * @at_bits: the hole's offset in that body; @body and @at_bits are in the member's name
 * @fill_bytes: size of the member; 0: none
 */
static void write_hole(struct strbuf *out, size_t depth, size_t body, uint64_t at_bits, uint64_t bits,
		       uint64_t fill_bytes, const char *what)
{
	if (!bits)
		return;
	add_indent(out, depth);
	if (fill_bytes) {
		strbuf_adds(out, "unsigned char hole_");
		if (body > 1) /* members of an unnamed record are also members of the record around it */
			strbuf_addf(out, "%zu_", body);
		strbuf_addf(out, "at_%" PRIu64 "[%" PRIu64 "];", (at_bits + 7) / 8, fill_bytes);
		add_space_to_comment(out, strlen("/* tail padding: 65535 bytes */"));
	}
	strbuf_addf(out, "/* %s: ", what);
	strbuf_plural(out, bits % 8 ? bits : bits / 8, bits % 8 ? "bit" : "byte");
	strbuf_adds(out, " */\n");
}

/*
 * Fills the bits before a bit-field with unnamed bit-fields of one byte, or with an array if there are many
 * bits.
 */
static void write_bits_hole(struct strbuf *out, size_t depth, size_t body, uint64_t at_bits, uint64_t bits)
{
	enum { FILLED_BITS = 64 };

	write_hole(out, depth, body, at_bits, bits, 0, "hole");
	while (bits) {
		uint64_t width = 8 - at_bits % 8 < bits ? 8 - at_bits % 8 : bits;

		if (at_bits % 8 == 0 && bits >= FILLED_BITS) {
			width = bits / 8 * 8;
			write_hole(out, depth, body, at_bits, width, width / 8, "hole");
		} else {
			add_indent(out, depth);
			strbuf_addf(out, "unsigned char : %" PRIu64 ";\n", width);
		}
		at_bits += width;
		bits -= width;
	}
}

static int write_body(struct cdecl *writer, const struct abi_record *record, const struct definition *as,
		      size_t depth, uint64_t base_bits);

/* Writes the type of a field, up to its name. An unnamed type is declared in place. */
static int write_base(struct cdecl *writer, const struct declarator *declarator, size_t depth,
		      uint64_t base_bits)
{
	struct strbuf *out = writer->out;
	int rc;

	if (declarator->inside_enum && (rc = check_enumerator_names(writer, declarator->inside_enum)))
		return rc;
	add_indent(out, depth);
	if (declarator->inside) {
		strbuf_addf(out, "%s {\n", cdecl_record_word(declarator->inside));
		return write_body(writer, declarator->inside, declarator->as, depth + 1, base_bits);
	}
	if (declarator->inside_enum) {
		strbuf_adds(out, "enum {\n");
		write_enumerators(writer, declarator->inside_enum, depth);
		return 0;
	}
	strbuf_adds(out, declarator->base);
	return 0;
}

static void write_name(struct strbuf *out, const struct declarator *declarator, const char *name)
{
	const char *base = declarator->base;

	strbuf_addf(out, "%s%s%s", base && base[strlen(base) - 1] == '*' ? "" : " ", name, declarator->dims);
}

/*
 * Writes a field, with its offset and size in a comment.
 * @as: the definition of its type; NULL if types have the document's names
 * @base_bits: of its record in the outermost record
 */
static int write_field(struct cdecl *writer, const struct abi_field *field, const struct definition_type *as,
		       const struct field_layout *layout, size_t depth, uint64_t base_bits)
{
	struct strbuf *out = writer->out;
	uint64_t at = base_bits + field->offset_bits; /* in the outermost record */
	struct arena *arena = &writer->arena;
	struct declarator declarator;
	const char *comment;
	int rc;

	if (as)
		set_defined_declarator(&declarator, writer, as, layout->zero_bound);
	else if ((rc = make_declarator(&declarator, writer, field->type, field->type, layout->zero_bound)))
		return rc;
	if ((*field->name && (rc = check_c_name(writer, field->name))) ||
	    (rc = write_base(writer, &declarator, depth, at)))
		return rc;
	if (*field->name)
		write_name(out, &declarator, field->name);
	if (field->is_bitfield)
		strbuf_addf(out, " : %" PRIu64, field->size_bits);
	if (layout->aligned_bytes)
		strbuf_addf(out, " __attribute__((aligned(%u)))", layout->aligned_bytes);
	strbuf_addch(out, ';');
	if (field->is_bitfield)
		comment = arena_printf(arena, "%5" PRIu64 ":%" PRIu64 " %3" PRIu64 "b", at / 8, at % 8,
				       field->size_bits);
	else
		comment = arena_printf(arena, "%5" PRIu64 " %5" PRIu64, at / 8, field->size_bits / 8);
	if (field->role != ABI_ROLE_NONE)
		comment = arena_printf(arena, "%s  %s", comment, abi_role_name(field->role));
	if (declarator.remark)
		comment = arena_printf(arena, "%s  %s", comment, declarator.remark);
	add_trailing_comment(out, comment);
	strbuf_addch(out, '\n');
	return 0;
}

/* Writes the fields, the closing brace, and the record's attributes. @as: its definition, or NULL */
static int write_body(struct cdecl *writer, const struct abi_record *record, const struct definition *as,
		      size_t depth, uint64_t base_bits)
{
	struct strbuf *out = writer->out;
	struct record_layout layout = { .packed = false };
	uint64_t end_bits = 0;
	size_t body;
	int rc;

	/* The outermost record's body is number 1. The names of members that fill holes have the number. */
	body = writer->bodies = depth == 1 ? 1 : writer->bodies + 1;
	if ((rc = enter_record(writer, record)) ||
	    (rc = layout_record(&layout, writer, as ? as->abi : writer->abi, record)))
		return rc;
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];
		const struct field_layout *one = &layout.fields[i];

		if (field->is_bitfield)
			write_bits_hole(out, depth, body, field->offset_bits - one->hole_bits,
					one->hole_bits);
		else if (!record->is_union)
			write_hole(out, depth, body, end_bits, one->hole_bits, one->fill_bytes, "hole");
		rc = write_field(writer, field, as ? &as->members[i].type : NULL, one, depth, base_bits);
		if (rc)
			return rc;
		end_bits = field->offset_bits + field->size_bits;
	}
	write_hole(out, depth, body, (record->size_bytes - layout.tail_bytes) * 8, layout.tail_bytes * 8,
		   layout.fill_bytes, "tail padding");
	add_indent(out, depth - 1);
	strbuf_addch(out, '}');
	if (layout.packed && layout.aligned_bytes)
		strbuf_addf(out, " __attribute__((packed, aligned(%" PRIu64 ")))", layout.aligned_bytes);
	else if (layout.packed)
		strbuf_adds(out, " __attribute__((packed))");
	else if (layout.aligned_bytes)
		strbuf_addf(out, " __attribute__((aligned(%" PRIu64 ")))", layout.aligned_bytes);
	writer->depth--;
	return 0;
}

/*
 * Writes the declarations that the record's fields need, with those of unnamed records inside it, unless they
 * were already written. Return: as cdecl_record().
 */
static int write_needs(struct cdecl *writer, const struct abi_record *record)
{
	int rc;

	if ((rc = enter_record(writer, record)))
		return rc;
	for (size_t i = 0; !rc && i < record->field_count; i++) {
		struct abi_spelling spelling;
		const struct abi_record *inside;
		struct declarator unused = { .dims = "" };
		const char *base;

		if ((rc = abi_spelling_parse(&spelling, record->fields[i].type, writer->err)))
			break;
		base = arena_strndup(&writer->arena, spelling.base, spelling.base_length);
		inside = strstr(base, "::") ? abi_find_record(writer->abi, base) : NULL;
		if (inside)
			rc = write_needs(writer, inside);
		else if (!strstr(base, "::"))
			rc = name_base(&unused, writer, base);
	}
	writer->depth--;
	return rc;
}

/* Writes a record, with its size and alignment. @as: its definition, or NULL; @tag: "" if it is unnamed */
static int write_record(struct cdecl *writer, const struct abi_record *record, const struct definition *as,
			const char *tag)
{
	int rc;

	if (*record->source)
		add_comment_line(writer->out, record->source);
	if (strcmp(record->name, tag) != 0)
		add_comment_line(writer->out, record->name);
	strbuf_addf(writer->out, "%s%s%s {\n", cdecl_record_word(record), *tag ? " " : "", tag);
	if ((rc = write_body(writer, record, as, 1, 0)))
		return rc;
	strbuf_addf(writer->out, "; /* size %" PRIu64 ", align %" PRIu64 " */\n\n", record->size_bytes,
		    record->align_bytes);
	return 0;
}

/* --- declarations -------------------------------------------------------------------------- */

int cdecl_record(struct cdecl *writer, const struct abi_record *record)
{
	bool is_nested = strstr(record->name, "::");
	int rc;

	if (!is_new_type(writer, record))
		return 0;
	if ((!is_nested && (rc = check_c_name(writer, record->name))) ||
	    (writer->expand && (rc = write_needs(writer, record))))
		return rc;
	return write_record(writer, record, NULL, is_nested ? "" : record->name);
}

int cdecl_definition(struct cdecl *writer, const struct definition *definition)
{
	int rc = check_c_name(writer, definition->name);

	return rc ? rc : write_record(writer, definition->record, definition, definition->name);
}

int cdecl_enum(struct cdecl *writer, const struct abi_enum *one)
{
	bool is_nested = strstr(one->name, "::");
	int rc;

	if (!is_new_type(writer, one))
		return 0;
	if ((!is_nested && (rc = check_c_name(writer, one->name))) ||
	    (rc = check_enumerator_names(writer, one)))
		return rc;
	if (*one->source)
		add_comment_line(writer->out, one->source);
	strbuf_addf(writer->out, "enum%s%s {\n", is_nested ? "" : " ", is_nested ? "" : one->name);
	write_enumerators(writer, one, 0);
	strbuf_adds(writer->out, "; ");
	cdecl_comment(writer->out,
		      arena_printf(&writer->arena, "size %" PRIu64 ", %s", one->size_bytes, one->type));
	strbuf_adds(writer->out, "\n\n");
	return 0;
}

int cdecl_alias(struct cdecl *writer, const struct abi_alias *alias)
{
	struct declarator declarator;
	int rc;

	if (words_is_c_type(alias->name) || !is_new_type(writer, alias))
		return 0;
	if ((rc = check_c_name(writer, alias->name)) ||
	    (rc = make_declarator(&declarator, writer, alias->type, alias->name, true)))
		return rc;
	strbuf_adds(writer->out, "typedef ");
	if (!(rc = write_base(writer, &declarator, 0, 0))) {
		write_name(writer->out, &declarator, alias->name);
		strbuf_addf(writer->out, "; /* size %" PRIu64 " */\n\n", alias->size_bytes);
	}
	return rc;
}

int cdecl_define(struct cdecl *writer, const char *name, const char *number, const char *comment)
{
	int rc;

	if ((rc = check_c_name(writer, name)))
		return rc;
	strbuf_addf(writer->out, "#define %s %s", name, number);
	if (*comment)
		add_trailing_comment(writer->out, comment);
	strbuf_addch(writer->out, '\n');
	return 0;
}
