/*
 * gen/go.c - write a file in Go, formatted like gofmt
 *
 * The order is: head, spans, constants, types, checks. A check x[unsafe.Sizeof(T{})-24] indexes an array with
 * one element, so it does not compile if the size differs.
 *
 * gofmt aligns the types after field names over consecutive lines, and also the comments after fields. A line
 * without a type or a comment, such as an embedded type, ends such a block. add_aligned_lines() aligns the
 * lines of a struct (struct go_line).
 */
#include "gen/internal.h"

/* One line of a struct. */
struct go_line {
	const char *name;    /* for an embedded type, the whole line */
	const char *type;    /* NULL if embedded */
	const char *comment; /* NULL if there is none */
};

/* --- types ---------------------------------------------------------------------- */

/*
 * Returns the Go type for a spelling such as "uint32[4][2]".
 * @is_flat: make all arrays one-dimensional, because go_marshal supports no others
 * @as_bytes: name the elements byte
 */
static const char *type_text(struct arena *arena, const char *spelling, bool is_flat, bool as_bytes)
{
	struct abi_spelling parsed;
	const char *dimensions = "";

	if (abi_spelling_parse(&parsed, spelling, NULL))
		return arena_strdup(arena, spelling);
	for (size_t i = 0; i < parsed.dimension_count; i++)
		dimensions = arena_printf(arena, "%s%s%" PRIu64, dimensions,
					  !i        ? "["
					  : is_flat ? " * "
						    : "][",
					  parsed.dimension[i]);
	return arena_printf(arena, "%s%s%.*s", dimensions, *dimensions ? "]" : "",
			    as_bytes ? 4 : (int)parsed.base_length, as_bytes ? "byte" : parsed.base);
}

/* Returns the line of the type's field @i. Its comment has the facts that the Go type does not show. */
static struct go_line field_line(struct arena *arena, const struct proxytype *type, size_t i,
			      enum gen_style style)
{
	const struct table_field *field = &type->type->fields[i];
	const struct proxytype_field *note = type->fields ? &type->fields[i] : NULL;
	bool is_flat = style == GEN_NVPROXY, as_bytes;
	struct abi_spelling parsed;
	const char *facts[3] = { NULL }; /* those that the type does not show */
	size_t count = 0;

	if (note ? note->kind == PROXYTYPE_EMBEDDED : !strcmp(field->name, field->type))
		return (struct go_line){ .name = field->name };
	as_bytes = begins(field->type, "uint8[") &&
		   (padding_of_proxy(field->name) || (note && (note->is_char || note->remark)));
	if (is_flat && !abi_spelling_parse(&parsed, field->type, NULL) && parsed.dimension_count > 1)
		facts[count++] = strchr(field->type, '[');
	if (note && note->remark)
		facts[count++] = note->remark;
	if (note && (note->role == ABI_ROLE_PID || note->role == ABI_ROLE_KERNEL_POINTER ||
		     (note->role == ABI_ROLE_FD && !strcmp(field->type, "P64"))))
		facts[count++] = abi_role_name(note->role);
	for (size_t k = 1; k < count; k++)
		facts[0] = arena_printf(arena, "%s; %s", facts[0], facts[k]);
	return (struct go_line){ field->name, type_text(arena, field->type, is_flat, as_bytes), facts[0] };
}

/*
 * Writes lines in the columns of gofmt: types are aligned in adjacent lines with a type, comments in
 * adjacent lines with a comment.
 */
static void add_aligned_lines(struct strbuf *out, const struct go_line *lines, size_t count)
{
	size_t names = 0, types = 0;

	for (size_t i = 0; i < count; i++) {
		const struct go_line *line = &lines[i];

		if (!line->type) {
			strbuf_addf(out, "\t%s\n", line->name);
			continue;
		}
		if (!i || !line[-1].type) {
			names = 0;
			for (size_t k = i; k < count && lines[k].type; k++)
				names = strlen(lines[k].name) > names ? strlen(lines[k].name) : names;
		}
		if (line->comment && (!i || !line[-1].comment)) {
			types = 0;
			for (size_t k = i; k < count && lines[k].comment; k++)
				types = strlen(lines[k].type) > types ? strlen(lines[k].type) : types;
		}
		strbuf_addf(out, "\t%-*s %s", (int)names, line->name, line->type);
		if (line->comment) {
			strbuf_addf(out, "%*s // ", (int)(types - strlen(line->type)), "");
			comment_text(out, line->comment);
		}
		strbuf_addch(out, '\n');
	}
}

/* Returns what the type is and where it comes from; "" for a type of a table. */
static const char *type_comment(struct arena *arena, const struct proxytype *type)
{
	const char *name = type->type->name, *header = type->header && *type->header ? type->header : NULL;
	const char *text = "";

	if (!type->record && type->is_new) /* Handle, P64 or NvUUID */
		text = !strcmp(name, "Handle") ? "Handle is NvHandle, the number of an object."
		       : !strcmp(name, "P64")  ? "P64 is NvP64, a pointer of the application."
					       : "NvUUID is NvProcessorUuid.";
	else if (type->updates)
		text = arena_printf(arena, "%s is the updated version of %s since %s.", name, type->updates,
				    type->version);
	else if (type->record && strcmp(type->record, name))
		text = arena_printf(arena, "%s is %s, from %s.", name, type->record,
				    header ? header : "the driver");
	else if (type->record && header)
		text = arena_printf(arena, "%s is from %s.", name, header);
	if (type->beyond)
		text = arena_printf(arena, "%s%sIt is followed by %s.", text, *text ? " " : "", type->beyond);
	return text;
}

/* --- accessors -------------------------------------------------------------------- */

/* Does a field have the name of the accessor's Get or Set method? Go allows a name only once in a type. */
static bool has_accessor_name(const struct proxytype *type, const char *what)
{
	for (size_t i = 0; i < type->type->field_count; i++) {
		const char *name = type->type->fields[i].name;

		if ((begins(name, "Get") || begins(name, "Set")) && !strcmp(name + 3, what))
			return true;
	}
	return false;
}

/*
 * Writes the Get and Set methods of gVisor's interfaces that the type does not get from its embedded type.
 * They convert a value if the types differ.
 */
static void add_accessors(struct strbuf *out, const struct proxytype *type)
{
	static const struct {
		const char *interface, *what, *type, *argument;
		enum proxytype_access access;
	} accessors[PROXYTYPE_ACCESSES] = {
		{ "HasFrontendFD", "FrontendFD", "int32", "fd", PROXYTYPE_FD },
		{ "HasPOsEvent", "POsEvent", "P64", "posEvent", PROXYTYPE_OS_EVENT },
		{ "HasStatus", "Status", "uint32", "status", PROXYTYPE_STATUS },
	};
	const char *receiver = type->type->name;

	for (size_t i = 0; i < PROXYTYPE_ACCESSES; i++) {
		const struct proxytype_selector *field = &type->selectors[accessors[i].access];
		const char *interface = accessors[i].interface, *what = accessors[i].what,
			   *own = accessors[i].type, *argument = accessors[i].argument;
		bool same;

		if (!field->path || field->is_promoted || has_accessor_name(type, what))
			continue;
		same = !strcmp(field->type, own);
		strbuf_addf(out,
			    "\n// Get%s implements %s.Get%s.\nfunc (p *%s) Get%s() %s {\n"
			    "\treturn %s%sp.%s%s\n}\n",
			    what, interface, what, receiver, what, own, same ? "" : own, same ? "" : "(",
			    field->path, same ? "" : ")");
		strbuf_addf(out,
			    "\n// Set%s implements %s.Set%s.\nfunc (p *%s) Set%s(%s %s) {\n"
			    "\tp.%s = %s%s%s%s\n}\n",
			    what, interface, what, receiver, what, argument, own, field->path,
			    same ? "" : field->type, same ? "" : "(", argument, same ? "" : ")");
	}
}

/* Writes a type and, for nvproxy, its accessors. */
static void add_type(struct strbuf *out, const struct proxytype *type, enum gen_style style)
{
	struct arena arena = { 0 };
	struct go_line *lines = arena_array(&arena, type->type->field_count + 1, sizeof(*lines));
	const char *comment = type_comment(&arena, type);
	size_t count = 0;

	strbuf_addch(out, '\n');
	if (*comment)
		comment_add(out, "//", comment);
	if (style == GEN_NVPROXY)
		strbuf_addf(out, "%s// +marshal\n", *comment ? "//\n" : "");
	if (type->type->alias) {
		strbuf_addf(out, "type %s %s\n", type->type->name,
			    type_text(&arena, type->type->alias, false, false));
	} else {
		if (style == GEN_NVPROXY)
			lines[count++] = (struct go_line){ .name = "_", .type = "structs.HostLayout" };
		for (size_t i = 0; i < type->type->field_count; i++)
			lines[count++] = field_line(&arena, type, i, style);
		strbuf_addf(out, count ? "type %s struct {\n" : "type %s struct{", type->type->name);
		add_aligned_lines(out, lines, count);
		strbuf_adds(out, "}\n");
	}
	if (style == GEN_NVPROXY)
		add_accessors(out, type);
	arena_release(&arena);
}

/* --- constants and spans ------------------------------------------------------------ */

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
		strbuf_addf(out, "\t%-*s = %s\n", (int)width, constants->items[i].name,
			    constants->items[i].value);
	strbuf_adds(out, ")\n");
}

/* Writes a variable that lists the types of each record, with the versions that have them. */
static void add_spans_table(struct strbuf *out, const struct gen_file *file)
{
	strbuf_addch(out, '\n');
	comment_add(
		out, "//",
		"Layouts lists the types of each record: "
		"Type has its layout in the versions from First to Last.");
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

/* Writes the facts of add_spans_table() as a comment, for package nvgpu. */
static void add_spans_comment(struct strbuf *out, const struct gen_file *file)
{
	size_t width = 0;

	strbuf_adds(out, "\n// The types of each record, by version:\n");
	for (size_t i = 0; i < file->span_count; i++) {
		const struct gen_span *span = &file->spans[i];
		bool is_one = !strcmp(span->first, span->last);

		if (!i || strcmp(span->record, span[-1].record)) {
			width = 0;
			for (size_t k = i;
			     k < file->span_count && !strcmp(file->spans[k].record, span->record); k++)
				width = strlen(file->spans[k].type) > width ? strlen(file->spans[k].type)
									    : width;
			strbuf_addf(out, "//\n// %s\n", span->record);
		}
		strbuf_addf(out, "//\t%-*s  ", (int)width, span->type);
		comment_text(out, span->first);
		strbuf_adds(out, is_one ? "" : "..");
		comment_text(out, is_one ? "" : span->last);
		strbuf_addch(out, '\n');
	}
}

/* --- the file ------------------------------------------------------------------------ */

static const struct proxytype *find_type(const struct gen_file *file, const char *name)
{
	for (size_t i = 0; i < file->type_count; i++)
		if (!strcmp(file->types[i]->type->name, name))
			return file->types[i];
	return NULL;
}

/* Writes each type, followed by its newer versions. */
static void add_types(struct strbuf *out, const struct gen_file *file)
{
	for (size_t i = 0; i < file->type_count; i++) {
		const struct proxytype *type = file->types[i];

		if (type->updates && find_type(file, type->updates))
			continue;
		add_type(out, type, file->style);
		for (size_t j = i + 1; j < file->type_count; j++)
			if (file->types[j]->updates && !strcmp(file->types[j]->updates, type->type->name))
				add_type(out, file->types[j], file->style);
	}
}

void gen_go(struct strbuf *out, const struct gen_file *file)
{
	bool has_struct = false;

	for (size_t i = 0; i < file->type_count; i++)
		has_struct |= !file->types[i]->type->alias;
	if (file->style == GEN_PLAIN)
		strbuf_adds(out, "// Code generated by drvabi gen. DO NOT EDIT.\n//\n");
	comment_add(out, "//", file->origin);
	strbuf_addf(out, "\npackage %s\n", file->package);
	if (file->type_count)
		strbuf_adds(out, file->style == GEN_NVPROXY && has_struct
					 ? "\nimport (\n\t\"structs\"\n\t\"unsafe\"\n)\n"
					 : "\nimport \"unsafe\"\n");
	if (file->span_count && file->style == GEN_NVPROXY)
		add_spans_comment(out, file);
	else if (file->span_count)
		add_spans_table(out, file);
	for (size_t i = 0; i < file->constants_count; i++)
		add_constants(out, &file->constants[i]);
	add_types(out, file);
	if (!file->type_count)
		return;
	strbuf_addch(out, '\n');
	comment_add(
		out, "//",
		"These are the driver's sizes and offsets. "
		"If the compiler's differ, an index is not 0, and the file does not compile.");
	strbuf_adds(out, "func _() {\n\tvar x [1]struct{}\n");
	for (size_t i = 0; i < file->type_count; i++) {
		const struct table_type *table = file->types[i]->type;

		strbuf_addf(out, table->alias ? "\t_ = x[unsafe.Sizeof(*new(%s))-%" PRIu64 "]\n"
					      : "\t_ = x[unsafe.Sizeof(%s{})-%" PRIu64 "]\n",
			    table->name, table->size_bytes);
		for (size_t f = 0; !table->alias && f < table->field_count; f++)
			if (table->fields[f].name[strspn(table->fields[f].name, "_")])
				strbuf_addf(out, "\t_ = x[unsafe.Offsetof(%s{}.%s)-%" PRIu64 "]\n",
					    table->name, table->fields[f].name,
					    table->fields[f].offset_bytes);
	}
	strbuf_adds(out, "}\n");
}
