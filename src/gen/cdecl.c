/*
 * gen/cdecl.c - a declaration, and before it what it needs
 *
 * A type of a field is a base and dimensions (abi/type.h). The base is one of
 * these, in this order:
 *
 * 1. an unnamed record or enum, "PARENT::FIELD_t": it is declared in place;
 * 2. a record or an enum: "struct NAME", "enum NAME". An enum that has several
 *    names is always called by the first, for C has its enumerators once;
 * 3. words of C, "unsigned int";
 * 4. an alias: its name, with a typedef before it;
 * 5. a pointer to one of these; to anything else it is void *, and the comment
 *    says what it is.
 *
 * Where the writer has names, they decide about all but unnamed records.
 */
#include "gen/cdecl.h"

#include "gen/enumerators.h"
#include "gen/hole.h"
#include "gen/layout.h"
#include "gen/printed.h"
#include "gen/text.h"

#include <inttypes.h>
#include <string.h>

enum { DEPTH_MAX = 64, UNNAMED_MAX = 1 << 16 };

/* The name under which an enum is printed: the first of those that its declaration has. */
static const struct abi_enum *first_name(const struct abi *abi, const struct abi_enum *one)
{
	for (size_t i = 0; *one->source && i < abi->enum_count; i++)
		if (!strcmp(abi->enums[i].source, one->source) && cdecl_is_name(abi->enums[i].name))
			return &abi->enums[i];
	return one;
}

/* A declaration that is being written. */
struct declarator {
	struct strbuf base;      /* "struct X", "NvU32", "void *" */
	struct strbuf dims;      /* "[4][2]" */
	const char *remark;      /* what the base does not say: of a void * what it stands for; NULL */
	const struct abi_record *inside; /* an unnamed record, declared in place */
	const struct abi_enum *inside_enum;
};

static void declarator_release(struct declarator *declarator)
{
	strbuf_release(&declarator->base);
	strbuf_release(&declarator->dims);
}

static int name_base(struct declarator *out, struct cdecl *writer, const char *base, struct err *err);

/* "const NvU32 *": the words before the stars, if all of them can be written. */
static int name_pointer(struct declarator *out, struct cdecl *writer, const char *base, struct err *err)
{
	size_t length = strcspn(base, "*(");
	const char *stars = base + length, *pointee = base;
	struct strbuf qualifiers = { 0 };
	int rc = 0;

	while (length && base[length - 1] == ' ')
		length--;
	while (!strncmp(pointee, "const ", 6) || !strncmp(pointee, "volatile ", 9)) {
		size_t word = strcspn(pointee, " ") + 1;

		strbuf_add(&qualifiers, pointee, word);
		pointee += word;
		length -= word;
	}
	pointee = arena_strndup(&writer->arena, pointee, length);
	if (stars[strspn(stars, "*")] || !(cdecl_is_builtin(pointee) || abi_find_record(writer->abi, pointee) || abi_find_alias(writer->abi, pointee)) ||
	    !*pointee || strstr(pointee, "::")) {
		strbuf_adds(&out->base, "void *");
		out->remark = base;
	} else if (abi_find_record(writer->abi, pointee)) { /* a pointer needs no more than the tag */
		if (!(rc = cdecl_check_name(pointee, err)))
			strbuf_addf(&out->base, "%s%s %s %s", strbuf_text(&qualifiers), abi_find_record(writer->abi, pointee)->is_union ? "union" : "struct",
				    pointee, stars);
	} else {
		strbuf_adds(&out->base, strbuf_text(&qualifiers));
		if (!(rc = name_base(out, writer, pointee, err)))
			strbuf_addf(&out->base, " %s", stars);
	}
	strbuf_release(&qualifiers);
	return rc;
}

static int name_record(struct declarator *out, struct cdecl *writer, const struct abi_record *record, struct err *err)
{
	int rc = 0;

	if (strstr(record->name, "::")) {
		out->inside = record;
		return 0;
	}
	if ((rc = cdecl_check_name(record->name, err)))
		return rc;
	if (writer->expand)
		rc = cdecl_record(writer, record, err);
	strbuf_addf(&out->base, "%s %s", record->is_union ? "union" : "struct", record->name);
	return rc;
}

static int name_enum(struct declarator *out, struct cdecl *writer, const struct abi_enum *one, struct err *err)
{
	int rc;

	one = first_name(writer->abi, one);
	if (strstr(one->name, "::")) {
		if (printed_is_new(writer, one))
			out->inside_enum = one;
		else
			strbuf_adds(&out->base, one->type); /* its enumerators are there already */
		return 0;
	}
	if ((rc = cdecl_check_name(one->name, err)))
		return rc;
	strbuf_addf(&out->base, "enum %s", one->name);
	return writer->expand ? cdecl_enum(writer, one, err) : 0;
}

/* The name that the writer was given for @base. */
static int name_given(struct declarator *out, const struct cdecl *writer, const char *base, struct err *err)
{
	struct cdecl_name name = { .text = NULL };

	if (!writer->names->find(&name, writer->names->of, base))
		return err_set(err, ERR_NOT_FOUND, "%s %s has no type '%s'", writer->abi->driver, writer->abi->version, base);
	strbuf_adds(&out->base, name.text);
	out->remark = name.remark;
	for (size_t i = 0; i < name.dimension_count; i++)
		strbuf_addf(&out->dims, "[%" PRIu64 "]", name.dimension[i]);
	return 0;
}

/* "_Atomic(x_t)": C's own words, or as many bytes that are aligned as it is. */
static int name_atomic(struct declarator *out, struct cdecl *writer, const char *base, struct err *err)
{
	const size_t open = strlen("_Atomic(");
	struct abi_type type;
	int rc;

	if (cdecl_is_builtin(arena_strndup(&writer->arena, base + open, strlen(base) - open - 1))) {
		strbuf_adds(&out->base, base);
		return 0;
	}
	if ((rc = abi_resolve_type(&type, writer->abi, base, err)))
		return rc;
	out->remark = base;
	if (type.element_bytes & (type.element_bytes - 1))
		return err_set(err, ERR_LAYOUT, "%s has %" PRIu64 " bytes, so no declaration of C has its alignment", base, type.element_bytes);
	strbuf_addf(&out->base, "unsigned char __attribute__((vector_size(%" PRIu64 ")))", type.element_bytes);
	return 0;
}

static int name_base(struct declarator *out, struct cdecl *writer, const char *base, struct err *err)
{
	const struct abi_record *record = abi_find_record(writer->abi, base);
	const struct abi_enum *one = abi_find_enum(writer->abi, base);
	const struct abi_alias *alias = abi_find_alias(writer->abi, base);
	int rc;

	if (writer->names && !(record && strstr(base, "::")))
		return name_given(out, writer, base, err);
	if (record)
		return name_record(out, writer, record, err);
	if (one)
		return name_enum(out, writer, one, err);
	if (!strncmp(base, "_Atomic(", strlen("_Atomic(")) && base[strlen(base) - 1] == ')')
		return name_atomic(out, writer, base, err);
	if (strpbrk(base, "*("))
		return name_pointer(out, writer, base, err);
	if (!strncmp(base, "const ", 6) || !strncmp(base, "volatile ", 9)) {
		size_t word = strcspn(base, " ") + 1;

		strbuf_add(&out->base, base, word);
		return name_base(out, writer, base + word, err);
	}
	if (cdecl_is_builtin(base)) {
		strbuf_adds(&out->base, base);
		return 0;
	}
	if (!alias)
		return err_set(err, ERR_NOT_FOUND, "%s %s has no type '%s'", writer->abi->driver, writer->abi->version, base);
	if ((rc = cdecl_check_name(base, err)) || (writer->expand && (rc = cdecl_alias(writer, alias, err))))
		return rc;
	strbuf_adds(&out->base, base);
	return 0;
}

/* The dimensions of @known that are inside its declarator, behind the first @count: "int (*[3])(int)" is void * with [3]. */
static int add_inside(struct declarator *out, const struct cdecl *writer, const char *known, size_t count, struct err *err)
{
	struct abi_type resolved;
	int rc;

	if ((rc = abi_resolve_type(&resolved, writer->abi, known, err)))
		return rc;
	for (size_t i = count; i < resolved.dimension_count; i++)
		strbuf_addf(&out->dims, "[%" PRIu64 "]", resolved.dimension[i]);
	return 0;
}

/* @type as a base and dimensions. @known: a name of the document for @type, or @type itself; @empty_bounds: [0] for [] */
static int declare(struct declarator *out, struct cdecl *writer, const char *type, const char *known, bool empty_bounds, struct err *err)
{
	struct abi_spelling spelling;
	int rc;

	*out = (struct declarator){ .remark = NULL };
	if ((rc = abi_spelling_parse(&spelling, type, err)))
		return rc;
	for (size_t i = 0; i < spelling.dimension_count; i++)
		if (!i && spelling.flexible && !empty_bounds)
			strbuf_adds(&out->dims, "[]");
		else
			strbuf_addf(&out->dims, "[%" PRIu64 "]", spelling.dimension[i]);
	rc = name_base(out, writer, arena_strndup(&writer->arena, spelling.base, spelling.base_length), err);
	if (!rc && !writer->names && memchr(spelling.base, '(', spelling.base_length))
		rc = add_inside(out, writer, known, spelling.dimension_count, err);
	if (rc)
		declarator_release(out);
	return rc;
}

static int write_body(struct cdecl *writer, const struct abi_record *record, size_t depth, uint64_t base_bits, struct err *err);

/* Begins a record inside others. A document written by hand may nest records without end, or double them at every level. */
static int enter(struct cdecl *writer, const struct abi_record *record, struct err *err)
{
	if (writer->depth == DEPTH_MAX)
		return err_set(err, ERR_LIMIT, "%s: records nest deeper than %d levels, or contain themselves", record->name, DEPTH_MAX);
	if (++writer->entered > UNNAMED_MAX)
		return err_set(err, ERR_LIMIT, "%s: more than %d records are declared; ask for fewer names", record->name, UNNAMED_MAX);
	writer->depth++;
	return 0;
}

/* The type of a field, up to its name: declared in place if it has no name of its own. */
static int write_base(struct cdecl *writer, const struct declarator *declarator, size_t depth, uint64_t base_bits, struct err *err)
{
	struct strbuf *out = writer->out;
	int rc;

	text_indent(out, depth);
	if (declarator->inside) {
		strbuf_adds(out, declarator->inside->is_union ? "union {\n" : "struct {\n");
		if ((rc = write_body(writer, declarator->inside, depth + 1, base_bits, err)))
			return rc;
		return 0;
	}
	if (declarator->inside_enum) {
		if ((rc = enumerators_check(declarator->inside_enum, err)))
			return rc;
		strbuf_adds(out, "enum {\n");
		enumerators_write(writer, declarator->inside_enum, depth + 1);
		text_indent(out, depth);
		strbuf_addf(out, "}%s", enumerators_attributes(declarator->inside_enum));
		return 0;
	}
	strbuf_adds(out, strbuf_text(&declarator->base));
	return 0;
}

static int write_field(struct cdecl *writer, const struct abi_field *field, const struct cdecl_field *layout, size_t depth,
		       uint64_t base_bits, struct err *err)
{
	struct strbuf *out = writer->out;
	struct declarator declarator;
	const char *base;
	int rc;

	if ((rc = declare(&declarator, writer, field->type, field->type, layout->empty_bounds, err)))
		return rc;
	if ((*field->name && (rc = cdecl_check_name(field->name, err))) ||
	    (rc = write_base(writer, &declarator, depth, base_bits + field->offset_bits, err)))
		goto out;
	base = strbuf_text(&declarator.base);
	if (*field->name)
		strbuf_addf(out, "%s%s%s", *base && base[strlen(base) - 1] == '*' ? "" : " ", field->name, strbuf_text(&declarator.dims));
	if (field->is_bitfield)
		strbuf_addf(out, " : %" PRIu64, field->size_bits);
	if (layout->aligned_bytes)
		strbuf_addf(out, " __attribute__((aligned(%u)))", layout->aligned_bytes);
	strbuf_addch(out, ';');
	hole_write_offset(out, field, base_bits, declarator.remark);
out:
	declarator_release(&declarator);
	return rc;
}

/* "} __attribute__((packed, aligned(4)))" */
static void write_end(struct strbuf *out, const struct cdecl_layout *layout, size_t depth)
{
	text_indent(out, depth);
	strbuf_addch(out, '}');
	if (layout->packed && layout->aligned_bytes)
		strbuf_addf(out, " __attribute__((packed, aligned(%" PRIu64 ")))", layout->aligned_bytes);
	else if (layout->packed)
		strbuf_adds(out, " __attribute__((packed))");
	else if (layout->aligned_bytes)
		strbuf_addf(out, " __attribute__((aligned(%" PRIu64 ")))", layout->aligned_bytes);
}

/* The fields, and the brace that ends them. */
static int write_body(struct cdecl *writer, const struct abi_record *record, size_t depth, uint64_t base_bits, struct err *err)
{
	struct strbuf *out = writer->out;
	struct cdecl_layout layout;
	uint64_t end_bits = 0;
	size_t body;
	int rc;

	body = writer->bodies = depth == 1 ? 1 : writer->bodies + 1;
	if ((rc = enter(writer, record, err)) ||
	    (rc = cdecl_layout_of(&layout, writer->abi, record, &writer->arena, err)))
		return rc;
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];
		const struct cdecl_field *one = &layout.fields[i];

		if (field->is_bitfield)
			hole_fill_bits(out, depth, body, field->offset_bits - one->hole_bits, one->hole_bits);
		else if (!record->is_union)
			hole_write(out, depth, body, end_bits, one->hole_bits, one->fill_bytes, "hole");
		if ((rc = write_field(writer, field, one, depth, base_bits, err)))
			return rc;
		end_bits = field->offset_bits + field->size_bits;
	}
	hole_write(out, depth, body, (record->size_bytes - layout.tail_bytes) * 8, layout.tail_bytes * 8, layout.fill_bytes, "tail padding");
	write_end(out, &layout, depth - 1);
	writer->depth--;
	return 0;
}

/* What the record's fields need, before the record itself is begun; unnamed records inside it, too. */
static int write_needs(struct cdecl *writer, const struct abi_record *record, struct err *err)
{
	int rc;

	if ((rc = enter(writer, record, err)))
		return rc;
	for (size_t i = 0; !rc && i < record->field_count; i++) {
		struct abi_spelling spelling;
		const struct abi_record *inside;
		struct declarator unused = { .remark = NULL };
		const char *base;

		if ((rc = abi_spelling_parse(&spelling, record->fields[i].type, err)))
			break;
		base = arena_strndup(&writer->arena, spelling.base, spelling.base_length);
		inside = strstr(base, "::") ? abi_find_record(writer->abi, base) : NULL;
		if (inside)
			rc = write_needs(writer, inside, err);
		else if (!strstr(base, "::"))
			rc = name_base(&unused, writer, base, err);
		declarator_release(&unused);
	}
	writer->depth--;
	return rc;
}

/* @tag: "" for none */
static int write_record(struct cdecl *writer, const struct abi_record *record, const char *tag, struct err *err)
{
	int rc;

	if (*record->source) {
		cdecl_comment(writer->out, record->source);
		strbuf_addch(writer->out, '\n');
	}
	if (strcmp(record->name, tag) != 0) {
		cdecl_comment(writer->out, record->name);
		strbuf_addch(writer->out, '\n');
	}
	strbuf_addf(writer->out, "%s%s%s {\n", record->is_union ? "union" : "struct", *tag ? " " : "", tag);
	if ((rc = write_body(writer, record, 1, 0, err)))
		return rc;
	strbuf_addf(writer->out, "; /* size %" PRIu64 ", align %" PRIu64 " */\n\n", record->size_bytes, record->align_bytes);
	return 0;
}

int cdecl_record(struct cdecl *writer, const struct abi_record *record, struct err *err)
{
	bool is_nested = strstr(record->name, "::");
	int rc;

	if (!printed_is_new(writer, record))
		return 0;
	if ((!is_nested && (rc = cdecl_check_name(record->name, err))) || (writer->expand && (rc = write_needs(writer, record, err))))
		return rc;
	return write_record(writer, record, is_nested ? "" : record->name, err);
}

int cdecl_record_as(struct cdecl *writer, const struct abi_record *record, const char *tag, struct err *err)
{
	int rc = cdecl_check_name(tag, err);

	return rc ? rc : write_record(writer, record, tag, err);
}

int cdecl_enum(struct cdecl *writer, const struct abi_enum *one, struct err *err)
{
	bool is_nested = strstr(one->name, "::");
	int rc;

	if (!printed_is_new(writer, one))
		return 0;
	if ((!is_nested && (rc = cdecl_check_name(one->name, err))) || (rc = enumerators_check(one, err)))
		return rc;
	if (*one->source) {
		cdecl_comment(writer->out, one->source);
		strbuf_addch(writer->out, '\n');
	}
	strbuf_addf(writer->out, "enum%s%s {\n", is_nested ? "" : " ", is_nested ? "" : one->name);
	enumerators_write(writer, one, 1);
	strbuf_addf(writer->out, "}%s; /* size %" PRIu64 ", %s */\n\n", enumerators_attributes(one), one->size_bytes, one->type);
	return 0;
}

int cdecl_alias(struct cdecl *writer, const struct abi_alias *alias, struct err *err)
{
	struct declarator declarator;
	const char *base;
	int rc;

	if (cdecl_is_builtin(alias->name) || !printed_is_new(writer, alias))
		return 0;
	if ((rc = cdecl_check_name(alias->name, err)) || (rc = declare(&declarator, writer, alias->type, alias->name, true, err)))
		return rc;
	strbuf_adds(writer->out, "typedef ");
	if (!(rc = write_base(writer, &declarator, 0, 0, err))) {
		base = strbuf_text(&declarator.base);
		strbuf_addf(writer->out, "%s%s%s; /* size %" PRIu64 " */\n\n", *base && base[strlen(base) - 1] == '*' ? "" : " ", alias->name,
			    strbuf_text(&declarator.dims), alias->size_bytes);
	}
	declarator_release(&declarator);
	return rc;
}

int cdecl_define(struct cdecl *writer, const char *name, const char *number, const char *comment, struct err *err)
{
	int rc;

	if ((rc = cdecl_check_name(name, err)))
		return rc;
	strbuf_addf(writer->out, "#define %s %s", name, number);
	if (*comment)
		text_add_comment(writer->out, comment);
	strbuf_addch(writer->out, '\n');
	return 0;
}
