/*
 * cdecl/cdecl.c - a declaration, and before it what it needs
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
#include "cdecl/cdecl.h"

#include "cdecl/layout.h"
#include "cdecl/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

enum { DEPTH_MAX = 64, UNNAMED_MAX = 1 << 16, FILLED_BITS = 64 };

struct cdecl_printed {
	const void *type; /* of the document */
	UT_hash_handle hh;
};

struct cdecl_enumerator {
	const char *name;
	UT_hash_handle hh;
};

void cdecl_release(struct cdecl *writer)
{
	struct cdecl_enumerator *enumerator, *following;
	struct cdecl_printed *one, *next;

	HASH_ITER(hh, writer->enumerators, enumerator, following) {
		HASH_DEL(writer->enumerators, enumerator);
		free(enumerator);
	}

	HASH_ITER(hh, writer->printed, one, next) {
		HASH_DEL(writer->printed, one);
		free(one);
	}
	arena_release(&writer->arena);
}

/* Return: was it not printed before? */
static bool is_new(struct cdecl *writer, const void *type)
{
	struct cdecl_printed *found;

	HASH_FIND_PTR(writer->printed, &type, found);
	if (found)
		return false;
	found = xmalloc(sizeof(*found));
	*found = (struct cdecl_printed){ .type = type };
	HASH_ADD_PTR(writer->printed, type, found);
	return true;
}

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
		if (is_new(writer, one))
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
	struct cdecl_name name = { NULL, NULL };

	if (!writer->names->find(&name, writer->names->of, base))
		return err_set(err, ERR_NOT_FOUND, "%s %s has no type '%s'", writer->abi->driver, writer->abi->version, base);
	strbuf_adds(&out->base, name.text);
	out->remark = name.remark;
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

/* @type as a base and dimensions. @empty_bounds: [0] for [] */
static int declare(struct declarator *out, struct cdecl *writer, const char *type, bool empty_bounds, struct err *err)
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
	if (rc)
		declarator_release(out);
	return rc;
}

/* A hole, and what fills it where the compiler would leave none. @at_bits: where it begins, for the names of what fills it */
static void write_hole(struct strbuf *out, size_t depth, uint64_t at_bits, uint64_t bits, uint64_t fill_bytes, const char *what)
{
	if (!bits)
		return;
	text_indent(out, depth);
	if (fill_bytes) {
		strbuf_addf(out, "unsigned char hole_at_%" PRIu64 "[%" PRIu64 "];", (at_bits + 7) / 8, fill_bytes);
		text_to_comment(out, strlen("/* tail padding: 65535 bytes */"));
	}
	strbuf_addf(out, "/* %s: ", what);
	if (bits % 8)
		strbuf_plural(out, bits, "bit");
	else
		strbuf_plural(out, bits / 8, "byte");
	strbuf_adds(out, " */\n");
}

/* Bits before a bit-field: unnamed ones, of a type that never straddles, or bytes if they are many. */
static void fill_bits(struct strbuf *out, size_t depth, uint64_t at_bits, uint64_t bits)
{
	write_hole(out, depth, at_bits, bits, 0, "hole");
	while (bits) {
		uint64_t width = 8 - at_bits % 8 < bits ? 8 - at_bits % 8 : bits;

		if (at_bits % 8 == 0 && bits >= FILLED_BITS) {
			width = bits / 8 * 8;
			write_hole(out, depth, at_bits, width, width / 8, "hole");
		} else {
			text_indent(out, depth);
			strbuf_addf(out, "unsigned char : %" PRIu64 ";\n", width);
		}
		at_bits += width;
		bits -= width;
	}
}

/* Where a field is. @base_bits: where its record begins in the outermost one */
static void write_offset(struct strbuf *out, const struct abi_field *field, uint64_t base_bits, const char *remark)
{
	uint64_t at = base_bits + field->offset_bits;
	struct strbuf text = { 0 };

	if (field->is_bitfield)
		strbuf_addf(&text, "%5" PRIu64 ":%" PRIu64 " %3" PRIu64 "b", at / 8, at % 8, field->size_bits);
	else
		strbuf_addf(&text, "%5" PRIu64 " %5" PRIu64, at / 8, field->size_bits / 8);
	if (field->role != ABI_ROLE_NONE)
		strbuf_addf(&text, "  %s", abi_role_name(field->role));
	if (remark)
		strbuf_addf(&text, "  %s", remark);
	text_add_comment(out, strbuf_text(&text));
	strbuf_addch(out, '\n');
	strbuf_release(&text);
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

/* Return: has no enum on the output an enumerator of that name yet? Two units of a driver may both have one. */
static bool is_new_enumerator(struct cdecl *writer, const char *name)
{
	struct cdecl_enumerator *found;

	HASH_FIND_STR(writer->enumerators, name, found);
	if (found)
		return false;
	found = xmalloc(sizeof(*found));
	*found = (struct cdecl_enumerator){ .name = name };
	HASH_ADD_KEYPTR(hh, writer->enumerators, found->name, strlen(found->name), found);
	return true;
}

static void write_enumerators(struct cdecl *writer, const struct abi_enum *one, size_t depth)
{
	struct strbuf *out = writer->out;

	for (size_t i = 0; i < one->value_count; i++) {
		const struct abi_number value = one->values[i].value;
		bool is_new = is_new_enumerator(writer, one->values[i].name);

		text_indent(out, depth);
		if (!is_new)
			strbuf_addf(out, "%s__", cdecl_is_name(one->name) ? one->name : "again");
		strbuf_addf(out, value.magnitude > INT64_MAX && !value.negative ? "%s = %s%" PRIu64 "ULL," : "%s = %s%" PRIu64 ",",
			    one->values[i].name, value.negative ? "-" : "", value.magnitude);
		strbuf_adds(out, is_new ? "\n" : " /* an enum above has one of this name */\n");
	}
}

static const char *enum_attributes(const struct abi_enum *one)
{
	return one->size_bytes < 4 ? " __attribute__((packed))" : "";
}

static int check_enumerators(const struct abi_enum *one, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < one->value_count; i++)
		rc = cdecl_check_name(one->values[i].name, err);
	return rc;
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
		if ((rc = check_enumerators(declarator->inside_enum, err)))
			return rc;
		strbuf_adds(out, "enum {\n");
		write_enumerators(writer, declarator->inside_enum, depth + 1);
		text_indent(out, depth);
		strbuf_addf(out, "}%s", enum_attributes(declarator->inside_enum));
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

	if ((rc = declare(&declarator, writer, field->type, layout->empty_bounds, err)))
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
	write_offset(out, field, base_bits, declarator.remark);
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
	int rc;

	if ((rc = enter(writer, record, err)) ||
	    (rc = cdecl_layout_of(&layout, writer->abi, record, &writer->arena, err)))
		return rc;
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];
		const struct cdecl_field *one = &layout.fields[i];

		if (field->is_bitfield)
			fill_bits(out, depth, field->offset_bits - one->hole_bits, one->hole_bits);
		else if (!record->is_union)
			write_hole(out, depth, end_bits, one->hole_bits, one->fill_bytes, "hole");
		if ((rc = write_field(writer, field, one, depth, base_bits, err)))
			return rc;
		end_bits = field->offset_bits + field->size_bits;
	}
	write_hole(out, depth, (record->size_bytes - layout.tail_bytes) * 8, layout.tail_bytes * 8, layout.fill_bytes, "tail padding");
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

	if (!is_new(writer, record))
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

	if (!is_new(writer, one))
		return 0;
	if ((!is_nested && (rc = cdecl_check_name(one->name, err))) || (rc = check_enumerators(one, err)))
		return rc;
	if (*one->source) {
		cdecl_comment(writer->out, one->source);
		strbuf_addch(writer->out, '\n');
	}
	strbuf_addf(writer->out, "enum%s%s {\n", is_nested ? "" : " ", is_nested ? "" : one->name);
	write_enumerators(writer, one, 1);
	strbuf_addf(writer->out, "}%s; /* size %" PRIu64 ", %s */\n\n", enum_attributes(one), one->size_bytes, one->type);
	return 0;
}

int cdecl_alias(struct cdecl *writer, const struct abi_alias *alias, struct err *err)
{
	struct declarator declarator;
	const char *base;
	int rc;

	if (cdecl_is_builtin(alias->name) || !is_new(writer, alias))
		return 0;
	if ((rc = cdecl_check_name(alias->name, err)) || (rc = declare(&declarator, writer, alias->type, true, err)))
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
