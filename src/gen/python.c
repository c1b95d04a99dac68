/*
 * gen/python.c - write a file in Python, with ctypes
 *
 * Each record is declared according to its plan. When the file is imported, also with -O, it compares each
 * class with the driver's size and offsets. Bit-fields are properties over the bytes that they share, because
 * ctypes lays out some bit-fields differently from C. All pointers are c_void_p, because they refer to memory
 * of the application or the kernel.
 */
#include "gen/internal.h"

enum { COLUMNS = 100, ANONYMOUS_MAX = 4096 };

struct python_file {
	struct strbuf *out;
	struct arena arena;
	size_t anonymous; /* unnamed records visited so far inside the current record */
	struct err *err;
};

EMBED(gen_python_check, GEN_DIR "/python_check.in");
EMBED(gen_python_bits, GEN_DIR "/python_bits.in");
EMBED(gen_python_layout, GEN_DIR "/python_layout.in");

/* Ends a line, with @comment unless it is "". */
static void add_line_end(struct strbuf *out, const char *comment)
{
	if (*comment) {
		strbuf_adds(out, "  # ");
		comment_text(out, comment);
	}
	strbuf_addch(out, '\n');
}

/* --- bit-fields --------------------------------------------------------------------- */

/*
 * Writes the properties for the bit-fields of @definition and of the unnamed records inside it. They belong
 * to the class @owner, but follow it, because Python renames names with two leading underscores inside a
 * class. Return: 0; ERR_LIMIT if there are too many unnamed records.
 * @path: from the class to the record, "\"anon_0\", "
 */
static int add_properties(struct python_file *with, const char *owner, const struct definition *definition,
			  const char *path)
{
	const struct plan *plan = definition->plan;
	const char *name;
	int rc = 0;

	if (++with->anonymous > ANONYMOUS_MAX)
		return err_set(with->err, ERR_LIMIT,
			       "%s contains more than %d unnamed records; fix the document",
			       definition->driver_name, ANONYMOUS_MAX);
	for (size_t i = 0; i < plan->count && !rc; i++) {
		const struct plan_item *item = &plan->items[i];

		for (size_t k = 0; item->kind == PLAN_BITS && k < item->member_count; k++) {
			const struct abi_field *field = item->members[k].field;
			enum abi_scalar_kind scalar = item->members[k].type.scalar;

			if (!*field->name)
				continue;
			name = plan_field_name(GEN_PYTHON, definition->record, field->name, &with->arena);
			strbuf_addf(with->out, "%s.%s = _bits((%s\"%s\",), %" PRIu64 ", %" PRIu64 "%s)\n",
				    owner, name, path, item->name,
				    field->offset_bits - item->offset_bytes * 8, field->size_bits,
				    scalar >= ABI_I8 && scalar <= ABI_I64 ? ", signed=True"
				    : scalar == ABI_BOOL                  ? ", boolean=True"
									  : "");
		}
		if (item->is_anonymous && item->kind == PLAN_FIELD && item->members->type.record)
			rc = add_properties(with, owner, item->members->type.record,
					    arena_printf(&with->arena, "%s\"%s\", ", path, item->name));
	}
	return rc;
}

/* --- records ------------------------------------------------------------------------ */

/* Writes the check of a class on import, "_check(NAME, 16, base=0, rmStatus=8)", on several lines if long. */
static void add_check(struct strbuf *out, const struct definition *definition, const struct plan *plan)
{
	size_t line = out->length;

	strbuf_addf(out, "_check(%s, %" PRIu64, definition->name, definition->size_bytes);
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_item *item = &plan->items[i];

		if (item->kind == PLAN_PADDING)
			continue;
		strbuf_addch(out, ',');
		if (out->length - line + strlen(item->name) + 23 > COLUMNS) {
			strbuf_adds(out, "\n      ");
			line = out->length - strlen("      ");
		}
		strbuf_addf(out, " %s=%" PRIu64, item->name, item->offset_bytes);
	}
	strbuf_adds(out, ")\n");
}

/* Writes a class of ctypes, the properties of its bit-fields, and checks of its layout. */
static int add_record(struct python_file *with, const struct definition *definition)
{
	struct strbuf *out = with->out;
	const char *separator = "    _anonymous_ = (";
	const struct plan *plan = definition->plan;
	const char *source = definition->record->source, *origin = "";
	int rc;

	strbuf_addf(out, "\n\nclass %s(ctypes.%s):\n", definition->name,
		    definition->record->is_union ? "Union" : "Structure");
	if (strcmp(definition->name, definition->driver_name) != 0)
		origin = arena_printf(&with->arena, "%s%s%s", definition->driver_name,
				      definition->older ? " as of " : "",
				      definition->older ? definition->abi->version : "");
	if (*source)
		origin = arena_printf(&with->arena, "%s%s%.*s", origin, *origin ? ", " : "",
				      (int)strcspn(source, ":"), source);
	if (*origin) {
		strbuf_adds(out, "  ");
		add_line_end(out, origin);
	}
	if (plan->pack_bytes) /* _pack_ alone also selects "ms", but Python 3.14 warns about that */
		strbuf_addf(out, "    _pack_ = %" PRIu64 "\n    _layout_ = \"ms\"\n", plan->pack_bytes);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->items[i].is_anonymous && plan->items[i].kind == PLAN_FIELD) {
			strbuf_addf(out, "%s\"%s\",", separator, plan->items[i].name);
			separator = " ";
		}
	strbuf_adds(out, *separator && !separator[1] ? ")\n" : "");
	strbuf_adds(out, plan->count ? "    _fields_ = [\n" : "    _fields_ = []\n");
	for (size_t i = 0; i < plan->count; i++) {
		strbuf_addf(out, "        (\"%s\", %s),", plan->items[i].name,
			    plan_item_text(GEN_PYTHON, &plan->items[i], &with->arena));
		add_line_end(out, plan_remark(&plan->items[i], &with->arena));
	}
	strbuf_adds(out, plan->count ? "    ]\n\n\n" : "\n\n");
	with->anonymous = 0;
	if ((rc = add_properties(with, definition->name, definition, "")))
		return rc;
	add_check(out, definition, plan);
	return 0;
}

/* --- the file ----------------------------------------------------------------------- */

/* Writes the table that lists the classes of each record, with their versions. */
static void add_layouts(struct strbuf *out, const struct gen_file *file)
{
	strbuf_addch(out, '\n');
	comment_versions(out, file, "\n# The versions, oldest first.\nVERSIONS = [\n", "    ", "]\n");
	strbuf_adds(
		out,
		"\n# By the name of a record in the driver: "
		"the first and the last version that have a layout, and its class.\n"
		"LAYOUTS = {\n");
	for (size_t i = 0; i < file->span_count; i++) {
		const struct gen_span *span = &file->spans[i];

		if (!i || strcmp(span->record, span[-1].record))
			strbuf_addf(out, "%s    \"%s\": [\n", i ? "    ],\n" : "", span->record);
		strbuf_adds(out, "        (");
		comment_quoted(out, span->first);
		strbuf_adds(out, ", ");
		comment_quoted(out, span->last);
		strbuf_addf(out, ", %s),\n", span->type);
	}
	strbuf_addf(out, "    ],\n}\n%s", gen_python_layout);
}

/* Writes the first comment, the import of ctypes, and the functions that the classes of the file use. */
static void add_head(struct strbuf *out, const struct gen_file *file)
{
	bool has_records = false, has_bits = false;

	for (size_t i = 0; i < file->definition_count; i++) {
		const struct abi_record *record = file->definitions[i]->record;

		has_records = has_records || record;
		for (size_t k = 0; record && k < record->field_count; k++)
			has_bits = has_bits || record->fields[k].is_bitfield;
	}
	strbuf_adds(out, "# Generated by drvabi gen. Do not edit.\n#\n");
	comment_add(out, "#", file->origin);
	strbuf_adds(out, file->definition_count ? "\nimport ctypes\n" : "");
	strbuf_adds(out, has_records ? gen_python_check : "");
	strbuf_adds(out, has_bits ? gen_python_bits : "");
	strbuf_adds(out, has_records ? "\n" : "");
}

int gen_python(struct strbuf *out, const struct gen_file *file, struct err *err)
{
	struct python_file with = { .out = out, .err = err };
	int rc = 0;

	add_head(out, file);
	for (size_t i = 0; i < file->constants_count; i++) {
		const struct gen_constants *constants = &file->constants[i];

		strbuf_addch(out, '\n');
		comment_add(out, "#", constants->title);
		for (size_t k = 0; k < constants->count; k++)
			strbuf_addf(out, "%s = %s\n", constants->items[k].name, constants->items[k].value);
	}
	for (size_t i = 0; i < file->definition_count && !rc; i++) {
		const struct definition *definition = file->definitions[i], *same = definition->same_as;
		const struct definition_type *target = &definition->target;

		if (definition->record && !same) {
			rc = add_record(&with, definition);
			continue;
		}
		strbuf_addf(out, "\n%s = %s", definition->name,
			    same ? same->name : plan_type_text(GEN_PYTHON, target, &with.arena));
		add_line_end(out, definition->is_enum ? "an enum" : target->remark ? target->remark : "");
	}
	if (!rc && file->span_count)
		add_layouts(out, file);
	arena_release(&with.arena);
	return rc;
}
