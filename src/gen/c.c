/*
 * gen/c.c - write a file in C, for gcc and clang
 *
 * cdecl writes the declarations, under the names of their definitions. After each come static
 * assertions for its size, its alignment and the offset of each member to which offsetof() applies (all
 * except bit-fields). Numbers are macros at the end, because a macro may have the name of a field. An unnamed
 * record is declared where it is used, unless a different item names it.
 */
#include "gen/internal.h"

/* --- names -------------------------------------------------------------------------- */

/* Does <stdint.h>, <stddef.h> or <stdbool.h> define the name? */
static bool is_of_c(const char *name)
{
	static const char *const names[] = {
		"bool", "int16_t", "int32_t", "int64_t", "int8_t", "intptr_t", "ptrdiff_t", "size_t",
		"uint16_t", "uint32_t", "uint64_t", "uint8_t", "uintptr_t", "wchar_t",
	};

	return texts_have(names, sizeof(names) / sizeof(*names), name);
}

/* --- assertions ----------------------------------------------------------------------- */

/*
 * Writes an assertion for the offset of each member of @inside, a record in place in the record @name.
 * @path: from the outermost record to @inside, "data." or ""; @base_bytes: offset of @inside in the outermost
 * record
 */
static void add_offsets(struct strbuf *out, const char *name, const struct definition *inside,
			const char *path, uint64_t base_bytes, struct arena *arena)
{
	for (size_t i = 0; i < inside->record->field_count; i++) {
		const struct abi_field *field = &inside->record->fields[i];
		const struct definition_type *type = &inside->members[i].type;
		const struct definition *in_place = definition_in_place(type);
		uint64_t at = base_bytes + field->offset_bits / 8;
		const char *inner = path;

		if (field->is_bitfield)
			continue;
		if (*field->name)
			strbuf_addf(out, "_Static_assert(offsetof(%s, %s%s) == %" PRIu64 ", \"%s.%s%s\");\n",
				    name, path, field->name, at, name, path, field->name);
		if (!in_place)
			continue;
		if (*field->name) {
			inner = arena_printf(arena, "%s%s", path, field->name);
			for (size_t d = 0; d < type->dimension_count; d++)
				inner = arena_printf(arena, "%s[0]", inner);
			inner = arena_printf(arena, "%s.", inner);
		}
		add_offsets(out, name, in_place, inner, at, arena);
	}
}

/* --- types ---------------------------------------------------------------------------- */

/* Writes the typedef of an alias or enum, unless C has its name, and checks its size. */
static void add_typedef(struct strbuf *out, const struct definition *definition, struct arena *arena)
{
	const struct definition_type *target = &definition->target;
	const char *base = cdecl_type_text(target, arena);

	if (!is_of_c(definition->name)) {
		strbuf_addf(out, "typedef %s%s%s", base, base[strlen(base) - 1] == '*' ? "" : " ",
			    definition->name);
		for (size_t i = 0; i < target->dimension_count; i++)
			strbuf_addf(out, "[%" PRIu64 "]", target->dimension[i]);
		strbuf_addch(out, ';');
		if (definition->is_enum || target->remark) {
			strbuf_addch(out, ' ');
			cdecl_comment(out, definition->is_enum ? "an enum" : target->remark);
		}
		strbuf_addch(out, '\n');
	}
	strbuf_addf(out, "_Static_assert(sizeof(%s) == %" PRIu64 ", \"%s\");\n\n", definition->name,
		    definition->size_bytes, definition->name);
}

/* Writes a record with its typedef and checks of its layout; for a second name, only the typedef. */
static int add_record(struct strbuf *out, const struct definition *definition, struct arena *arena,
		      struct err *err)
{
	struct cdecl writer = { .out = out, .err = err };
	const struct definition *same = definition->same_as;
	const struct abi_record *record = definition->record;
	const char *name = definition->name;
	int rc;

	if (same) {
		strbuf_addf(out, "typedef %s %s %s;\n\n", cdecl_record_word(same->record), same->name,
			    name);
		return 0;
	}
	rc = cdecl_definition(&writer, definition);
	cdecl_release(&writer);
	if (rc)
		return rc;
	out->text[--out->length] = '\0'; /* remove the empty line: the typedef follows */
	strbuf_addf(out, "typedef %s %s %s;\n", cdecl_record_word(record), name, name);
	strbuf_addf(out,
		    "_Static_assert(sizeof(%s) == %" PRIu64 " && _Alignof(%s) == %" PRIu64 ", \"%s\");\n",
		    name, record->size_bytes, name, record->align_bytes, name);
	add_offsets(out, name, definition, "", 0, arena);
	strbuf_addch(out, '\n');
	return 0;
}

/*
 * Does a typedef, the table of layouts or a second name refer to @definition? If not, an unnamed record is
 * declared inside the record that contains it.
 */
static bool is_declared_by_name(const struct gen_file *file, const struct definition *definition)
{
	for (size_t i = 0; i < file->definition_count; i++) {
		const struct definition *other = file->definitions[i];

		if ((other->same_as == definition && !definition_is_unnamed(other)) ||
		    (!other->record &&
		     (other->target.definition == definition || other->target.record == definition)))
			return true;
	}
	return definition->is_asked;
}

/* --- numbers and versions --------------------------------------------------------------- */

/* Writes macros. */
static void add_constants(struct strbuf *out, const struct gen_constants *constants)
{
	char number[CDECL_NEGATIVE_BYTES];

	cdecl_comment(out, constants->title);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < constants->count; i++) {
		const struct gen_constant *one = &constants->items[i];

		if (one->number.negative)
			strbuf_addf(out, "#define %s (%s)\n", one->name,
				    cdecl_negative(one->number.magnitude, number));
		else
			strbuf_addf(out, "#define %s %s%s\n", one->name, one->value,
				    one->number.magnitude > INT64_MAX ? "ULL" : "");
	}
	strbuf_addch(out, '\n');
}

/* Writes the table that lists the definitions of each record, with their versions. */
static void add_layouts(struct strbuf *out, const struct gen_file *file, struct arena *arena)
{
	const char *versions = arena_printf(
		arena, "static const char *const %s_abi_versions[] __attribute__((unused)) = {\n",
		file->package);

	strbuf_adds(out, "/* The versions, oldest first. */\n");
	comment_versions(out, file, versions, "\t", "};\n\n");
	strbuf_addf(
		out,
		"/* The definitions of each record. "
		"first and last are the indices in %s_abi_versions of the first and the last version. */\n"
		"static const struct %s_abi_layout {\n"
		"\tconst char *record;     /* name in the driver */\n"
		"\tconst char *definition; /* name in this file */\n"
		"\tsize_t size;\n"
		"\tsize_t first, last;\n"
		"} %s_abi_layouts[] __attribute__((unused)) = {\n",
		file->package, file->package, file->package);
	for (size_t i = 0; i < file->span_count; i++) {
		const struct gen_span *span = &file->spans[i];

		strbuf_addf(out, "\t{ \"%s\", \"%s\", sizeof(%s), %zu, %zu }, ", span->record,
			    span->type, span->type, span->first_index, span->last_index);
		cdecl_comment(out, arena_printf(arena, "%s..%s", span->first, span->last));
		strbuf_addch(out, '\n');
	}
	strbuf_adds(out, "};\n\n");
}

/* --- the file --------------------------------------------------------------------------- */

/* Writes an include guard unique for driver, version and content: "DRVABI_NVIDIA_590_48_01_1B873593". */
static void add_guard(struct strbuf *out, const char *origin, const char *body, struct arena *arena)
{
	uint32_t hash = 2166136261u; /* FNV-1a */
	char *name;

	for (const char *at = body; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 16777619u;
	name = arena_printf(arena, "DRVABI_%.*s_%08" PRIx32, (int)strcspn(origin, ",("), origin, hash);
	for (char *at = name; *at; at++)
		*at = (char)(isalnum((unsigned char)*at) ? toupper((unsigned char)*at) : '_');
	strbuf_addf(out, "#ifndef %s\n#define %s\n\n", name, name);
}

/* Writes #include lines if there are types: <stddef.h>, and <stdbool.h> or <stdint.h> if needed. */
static void add_includes(struct strbuf *out, const struct gen_file *file)
{
	bool has_bool = false, has_integers = false;

	if (!file->definition_count)
		return;
	for (size_t i = 0; i < file->definition_count; i++) {
		const char *name = file->definitions[i]->name;

		has_bool = has_bool || !strcmp(name, "bool");
		has_integers = has_integers || (strstr(name, "int") && is_of_c(name));
	}
	strbuf_addf(out, "%s#include <stddef.h>\n%s\n", has_bool ? "#include <stdbool.h>\n" : "",
		    has_integers ? "#include <stdint.h>\n" : "");
}

int gen_c(struct strbuf *out, const struct gen_file *file, struct err *err)
{
	static const char only_gcc[] =
		"#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic ";
	struct strbuf body = { 0 };
	struct arena arena = { 0 };
	int rc = 0;

	for (size_t i = 0; i < file->definition_count && !rc; i++) {
		const struct definition *definition = file->definitions[i];

		if (!definition->record)
			add_typedef(&body, definition, &arena);
		else if (!definition_is_unnamed(definition) || is_declared_by_name(file, definition))
			rc = add_record(&body, definition, &arena, err);
	}
	if (!rc && file->span_count)
		add_layouts(&body, file, &arena);
	for (size_t i = 0; i < file->constants_count && !rc; i++)
		add_constants(&body, &file->constants[i]);
	if (!rc) {
		bool is_packed = strstr(strbuf_text(&body), "__attribute__((packed");

		strbuf_adds(out, "/* Generated by drvabi gen. Do not edit. */\n");
		cdecl_comment(out, file->origin);
		strbuf_addch(out, '\n');
		add_guard(out, file->origin, strbuf_text(&body), &arena);
		add_includes(out, file);
		if (is_packed) /* the driver packs records with aligned members */
			strbuf_addf(
				out,
				"%spush\n#pragma GCC diagnostic ignored \"-Wpacked-not-aligned\"\n#endif\n\n",
				only_gcc);
		strbuf_adds(out, strbuf_text(&body));
		if (is_packed)
			strbuf_addf(out, "%spop\n#endif\n\n", only_gcc);
		strbuf_adds(out, "#endif\n");
	}
	strbuf_release(&body);
	arena_release(&arena);
	return rc;
}
