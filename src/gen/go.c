/*
 * gen/go.c - a file as Go, formatted as gofmt does
 *
 * Head, spans, constants, types (go_type.c). The file ends with what checks it: x[unsafe.Sizeof(T{})-24] is an index of
 * an array of one element, so any other size does not compile.
 */
#include "gen/gen.h"
#include "gen/internal.h"

#include <inttypes.h>
#include <string.h>

/*
 * one type as Go, with its comment and accessors
 *
 * gofmt aligns what follows a field's name over consecutive lines, and so the
 * comments behind fields; a line without the column, such as an embedded type,
 * ends a block. struct cells holds one line of a struct, add_cells() aligns them.
 */

/* One line of a struct. */
struct cells {
	char *name;    /* of an embedded type, all there is */
	char *type;    /* NULL: embedded */
	char *comment; /* NULL: none */
};

struct lines {
	struct arena arena;
	struct cells *items;
	size_t count;
};

/* --- types ---------------------------------------------------------------------- */

static bool is_bytes(const struct table_field *field, const struct proxytype_field *note)
{
	return !strncmp(field->type, "uint8[", 6) && ((note && note->is_char) || padding_of_proxy(field->name) ||
						      (note && note->remark));
}

/* "uint32[4][2]" as Go has it; go_marshal knows arrays of one dimension only. */
static char *type_text(struct arena *arena, const char *spelling, bool is_flat, bool as_bytes)
{
	struct abi_spelling parsed;
	struct strbuf text = { 0 };
	char *out;

	if (abi_spelling_parse(&parsed, spelling, NULL))
		return arena_strdup(arena, spelling);
	for (size_t i = 0; i < parsed.dimension_count; i++)
		strbuf_addf(&text, "%s%" PRIu64, !i ? "[" : is_flat ? " * " : "][", parsed.dimension[i]);
	if (parsed.dimension_count)
		strbuf_addch(&text, ']');
	if (as_bytes)
		strbuf_adds(&text, "byte");
	else
		strbuf_add(&text, parsed.base, parsed.base_length);
	out = arena_strdup(arena, text.text);
	strbuf_release(&text);
	return out;
}

static bool has_dimensions(const char *spelling)
{
	struct abi_spelling parsed;

	return !abi_spelling_parse(&parsed, spelling, NULL) && parsed.dimension_count > 1;
}

/* What the type does not say. */
static char *field_comment(struct arena *arena, const struct table_field *field, const struct proxytype_field *note, bool is_flat)
{
	struct strbuf text = { 0 };
	char *out;

	if (is_flat && has_dimensions(field->type))
		strbuf_addf(&text, "%s", strchr(field->type, '['));
	if (note && note->remark)
		strbuf_addf(&text, "%s%s", text.length ? "; " : "", note->remark);
	if (note && (note->role == ABI_ROLE_PID || note->role == ABI_ROLE_KERNEL_POINTER ||
		     (note->role == ABI_ROLE_FD && !strcmp(field->type, "P64"))))
		strbuf_addf(&text, "%s%s", text.length ? "; " : "", abi_role_name(note->role));
	out = text.length ? arena_strdup(arena, text.text) : NULL;
	strbuf_release(&text);
	return out;
}

static struct cells field_cells(struct arena *arena, const struct proxytype *type, size_t i, enum gen_style style)
{
	const struct table_field *field = &type->type->fields[i];
	const struct proxytype_field *note = type->fields ? &type->fields[i] : NULL;
	bool is_flat = style == GEN_NVPROXY;

	if (note ? note->kind == PROXYTYPE_EMBEDDED : !strcmp(field->name, field->type))
		return (struct cells){ .name = arena_strdup(arena, field->name) };
	return (struct cells){
		.name = arena_strdup(arena, field->name),
		.type = type_text(arena, field->type, is_flat, is_bytes(field, note)),
		.comment = field_comment(arena, field, note, is_flat),
	};
}

static size_t name_width(const struct lines *lines, size_t from)
{
	size_t width = 0;

	for (size_t i = from; i < lines->count && lines->items[i].type; i++)
		if (strlen(lines->items[i].name) > width)
			width = strlen(lines->items[i].name);
	return width;
}

static size_t type_width(const struct lines *lines, size_t from)
{
	size_t width = 0;

	for (size_t i = from; i < lines->count && lines->items[i].comment; i++)
		if (strlen(lines->items[i].type) > width)
			width = strlen(lines->items[i].type);
	return width;
}

static void add_cells(struct strbuf *out, const struct lines *lines)
{
	size_t names = 0, types = 0;

	for (size_t i = 0; i < lines->count; i++) {
		const struct cells *line = &lines->items[i];

		if (!line->type) {
			strbuf_addf(out, "\t%s\n", line->name);
			continue;
		}
		if (!i || !line[-1].type)
			names = name_width(lines, i);
		if (line->comment && (!i || !line[-1].comment))
			types = type_width(lines, i);
		strbuf_addf(out, "\t%-*s %s", (int)names, line->name, line->type);
		if (line->comment) {
			strbuf_addf(out, "%*s // ", (int)(types - strlen(line->type)), "");
			comment_text(out, line->comment);
		}
		strbuf_addch(out, '\n');
	}
}

static void add_struct(struct strbuf *out, const struct proxytype *type, enum gen_style style)
{
	struct lines lines = { 0 };

	lines.items = arena_array(&lines.arena, type->type->field_count + 1, sizeof(*lines.items));
	if (style == GEN_NVPROXY)
		lines.items[lines.count++] = (struct cells){ .name = arena_strdup(&lines.arena, "_"),
							     .type = arena_strdup(&lines.arena, "structs.HostLayout") };
	for (size_t i = 0; i < type->type->field_count; i++)
		lines.items[lines.count++] = field_cells(&lines.arena, type, i, style);
	strbuf_addf(out, lines.count ? "type %s struct {\n" : "type %s struct{", type->type->name);
	add_cells(out, &lines);
	strbuf_adds(out, "}\n");
	arena_release(&lines.arena);
}

static void add_alias(struct strbuf *out, const struct proxytype *type)
{
	struct arena arena = { 0 };

	strbuf_addf(out, "type %s %s\n", type->type->name, type_text(&arena, type->type->alias, false, false));
	arena_release(&arena);
}

/* What the proxy has for the driver's own types. */
static const char *own_comment(const char *name)
{
	static const char *const comments[][2] = {
		{ "Handle", "Handle is NvHandle, the number of an object." },
		{ "P64", "P64 is NvP64, a pointer of the application." },
		{ "NvUUID", "NvUUID is NvProcessorUuid." },
	};

	for (size_t i = 0; i < sizeof(comments) / sizeof(*comments); i++)
		if (!strcmp(name, comments[i][0]))
			return comments[i][1];
	return "";
}

/* What the type is, and from where; nothing for a type of a table. */
static void type_comment(struct strbuf *out, const struct proxytype *type)
{
	const char *name = type->type->name;
	bool is_renamed = type->record && strcmp(type->record, name) && !type->updates;

	if (!type->record && type->is_new)
		strbuf_adds(out, own_comment(name));
	else if (type->updates)
		strbuf_addf(out, "%s is the updated version of %s since %s.", name, type->updates, type->version);
	else if (is_renamed)
		strbuf_addf(out, "%s is %s, from %s.", name, type->record, type->header && *type->header ? type->header : "the driver");
	else if (type->record && type->header && *type->header)
		strbuf_addf(out, "%s is from %s.", name, type->header);
	if (type->beyond)
		strbuf_addf(out, "%sBehind it stands %s.", out->length ? " " : "", type->beyond);
}

static void add_type(struct strbuf *out, const struct proxytype *type, enum gen_style style)
{
	struct strbuf comment = { 0 };

	type_comment(&comment, type);
	if (comment.length)
		comment_add(out, "//", strbuf_text(&comment));
	if (style == GEN_NVPROXY)
		strbuf_addf(out, "%s// +marshal\n", comment.length ? "//\n" : "");
	strbuf_release(&comment);
	if (type->type->alias)
		add_alias(out, type);
	else
		add_struct(out, type, style);
}

/* --- accessors -------------------------------------------------------------------- */

/* One Get and Set of gVisor's interfaces. */
struct accessor {
	const char *interface, *what, *type, *argument;
	const struct proxytype_selector *field;
};

/* p.FD as an int32, whatever it is in the struct. */
static void add_converted(struct strbuf *out, const char *expression, const char *from, const char *to)
{
	if (strcmp(from, to))
		strbuf_addf(out, "%s(%s)", to, expression);
	else
		strbuf_adds(out, expression);
}

static void add_accessor(struct strbuf *out, const char *receiver, const struct accessor *accessor)
{
	const struct proxytype_selector *field = accessor->field;
	struct strbuf path = { 0 };

	strbuf_addf(&path, "p.%s", field->path);
	strbuf_addf(out, "\n// Get%s implements %s.Get%s.\nfunc (p *%s) Get%s() %s {\n\treturn ", accessor->what, accessor->interface,
		    accessor->what, receiver, accessor->what, accessor->type);
	add_converted(out, strbuf_text(&path), field->type, accessor->type);
	strbuf_addf(out, "\n}\n\n// Set%s implements %s.Set%s.\nfunc (p *%s) Set%s(%s %s) {\n\t%s = ", accessor->what, accessor->interface,
		    accessor->what, receiver, accessor->what, accessor->argument, accessor->type, strbuf_text(&path));
	add_converted(out, accessor->argument, accessor->type, field->type);
	strbuf_adds(out, "\n}\n");
	strbuf_release(&path);
}

static bool has_name(const struct proxytype *type, const char *prefix, const char *name)
{
	for (size_t i = 0; i < type->type->field_count; i++)
		if (!strncmp(type->type->fields[i].name, prefix, 3) && !strcmp(type->type->fields[i].name + 3, name))
			return true;
	return false;
}

static void add_accessors(struct strbuf *out, const struct proxytype *type)
{
	const struct accessor accessors[] = {
		{ "HasFrontendFD", "FrontendFD", "int32", "fd", &type->fd },
		{ "HasPOsEvent", "POsEvent", "P64", "posEvent", &type->os_event },
		{ "HasStatus", "Status", "uint32", "status", &type->status },
	};

	for (size_t i = 0; i < sizeof(accessors) / sizeof(*accessors); i++)
		if (accessors[i].field->path && !accessors[i].field->is_promoted && !has_name(type, "Get", accessors[i].what) &&
		    !has_name(type, "Set", accessors[i].what))
			add_accessor(out, type->type->name, &accessors[i]);
}

/* go_type_add - append an empty line and @type, in style nvproxy with its accessors. */
static void go_type_add(struct strbuf *out, const struct proxytype *type, enum gen_style style)
{
	strbuf_addch(out, '\n');
	add_type(out, type, style);
	if (style == GEN_NVPROXY)
		add_accessors(out, type);
}

/* --- constants -------------------------------------------------------------------- */

static void add_constants(struct strbuf *out, const struct gen_constants *constants)
{
	size_t width = 0;

	for (size_t i = 0; i < constants->count; i++)
		if (strlen(constants->items[i].name) > width)
			width = strlen(constants->items[i].name);
	strbuf_addch(out, '\n');
	comment_add(out, "//", constants->title);
	strbuf_adds(out, "const (\n");
	for (size_t i = 0; i < constants->count; i++)
		strbuf_addf(out, "\t%-*s = %s\n", (int)width, constants->items[i].name, constants->items[i].value);
	strbuf_adds(out, ")\n");
}

/* --- spans ------------------------------------------------------------------------ */

static void add_spans_table(struct strbuf *out, const struct gen_file *file)
{
	strbuf_addch(out, '\n');
	comment_add(out, "//", "Layouts says which type a record is in which versions: from First to Last, in the order of versions.");
	strbuf_adds(out, "var Layouts = []struct{ Record, Type, First, Last string }{\n");
	for (size_t i = 0; i < file->span_count; i++) {
		strbuf_addf(out, "\t{\"%s\", \"%s\", ", file->spans[i].record, file->spans[i].type);
		comment_quoted(out, file->spans[i].first);
		strbuf_adds(out, ", ");
		comment_quoted(out, file->spans[i].last);
		strbuf_adds(out, "},\n");
	}
	strbuf_adds(out, "}\n");
}

static size_t span_width(const struct gen_file *file, size_t from)
{
	size_t width = 0;

	for (size_t i = from; i < file->span_count && !strcmp(file->spans[i].record, file->spans[from].record); i++)
		if (strlen(file->spans[i].type) > width)
			width = strlen(file->spans[i].type);
	return width;
}

static void add_spans_comment(struct strbuf *out, const struct gen_file *file)
{
	size_t width = 0;

	strbuf_adds(out, "\n// Which type a record is in which versions:\n");
	for (size_t i = 0; i < file->span_count; i++) {
		const struct gen_span *span = &file->spans[i];

		if (!i || strcmp(span->record, span[-1].record)) {
			width = span_width(file, i);
			strbuf_addf(out, "//\n// %s\n", span->record);
		}
		strbuf_addf(out, "//\t%-*s  ", (int)width, span->type);
		comment_text(out, span->first);
		strbuf_adds(out, strcmp(span->first, span->last) ? ".." : "");
		comment_text(out, strcmp(span->first, span->last) ? span->last : "");
		strbuf_addch(out, '\n');
	}
}

/* --- checks ------------------------------------------------------------------------ */

static void add_type_check(struct strbuf *out, const struct proxytype *type)
{
	const struct table_type *table = type->type;

	if (table->alias) {
		strbuf_addf(out, "\t_ = x[unsafe.Sizeof(*new(%s))-%" PRIu64 "]\n", table->name, table->size_bytes);
		return;
	}
	strbuf_addf(out, "\t_ = x[unsafe.Sizeof(%s{})-%" PRIu64 "]\n", table->name, table->size_bytes);
	for (size_t i = 0; i < table->field_count; i++)
		if (table->fields[i].name[strspn(table->fields[i].name, "_")])
			strbuf_addf(out, "\t_ = x[unsafe.Offsetof(%s{}.%s)-%" PRIu64 "]\n", table->name, table->fields[i].name,
				    table->fields[i].offset_bytes);
}

static void add_checks(struct strbuf *out, const struct gen_file *file)
{
	strbuf_addch(out, '\n');
	comment_add(out, "//", "The driver's sizes and offsets. Where the compiler has another one, the index is not 0, and this does not compile.");
	strbuf_adds(out, "func _() {\n\tvar x [1]struct{}\n");
	for (size_t i = 0; i < file->type_count; i++)
		add_type_check(out, file->types[i]);
	strbuf_adds(out, "}\n");
}

static void add_head(struct strbuf *out, const struct gen_file *file)
{
	if (file->style == GEN_PLAIN)
		strbuf_adds(out, "// Code generated by drvabi gen. DO NOT EDIT.\n//\n");
	comment_add(out, "//", file->origin);
	strbuf_addf(out, "\npackage %s\n", file->package);
	if (!file->type_count)
		return;
	if (file->style == GEN_PLAIN)
		strbuf_adds(out, "\nimport \"unsafe\"\n");
	else
		strbuf_adds(out, "\nimport (\n\t\"structs\"\n\t\"unsafe\"\n)\n");
}

static const struct proxytype *find_type(const struct gen_file *file, const char *name)
{
	for (size_t i = 0; i < file->type_count; i++)
		if (!strcmp(file->types[i]->type->name, name))
			return file->types[i];
	return NULL;
}

/* Each type with its updated versions behind it. */
static void add_types(struct strbuf *out, const struct gen_file *file)
{
	for (size_t i = 0; i < file->type_count; i++) {
		const struct proxytype *type = file->types[i];

		if (type->updates && find_type(file, type->updates))
			continue;
		go_type_add(out, type, file->style);
		for (size_t j = i + 1; j < file->type_count; j++)
			if (file->types[j]->updates && !strcmp(file->types[j]->updates, type->type->name))
				go_type_add(out, file->types[j], file->style);
	}
}

void gen_go(struct strbuf *out, const struct gen_file *file)
{
	add_head(out, file);
	if (file->span_count && file->style == GEN_NVPROXY)
		add_spans_comment(out, file);
	else if (file->span_count)
		add_spans_table(out, file);
	for (size_t i = 0; i < file->constants_count; i++)
		add_constants(out, &file->constants[i]);
	add_types(out, file);
	if (file->type_count)
		add_checks(out, file);
}
