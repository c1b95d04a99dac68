/*
 * gen/rust.c - write a file in Rust, formatted like rustfmt
 *
 * Each record is declared according to its plan, with all padding as fields. At compile time, the macro
 * layout! compares its size, alignment and offsets with the driver's. rustfmt would align comments after
 * fields, so comments are above the fields. It does not change the arguments of a macro, or an item with
 * #[rustfmt::skip].
 *
 * Rust has no bit-fields. As in bindgen, a bit-field `mode` becomes the functions `mode()` and
 * `set_mode(value)`, whose type has the width and sign of the driver's type. set_mode() cuts the value to the
 * field's width; a _Bool stores 1 for any value but 0. A bit-field that has no name, or is wider than 64
 * bits, has no functions.
 */
#include "gen/internal.h"

enum { COLUMNS = 100 };

/*
 * The macro that checks the layout of a record. In constants, Rust 1.61 and later reject a pointer that
 * leaves the record. So a wrong offset does not compile: it moves one of the two pointers before the record's
 * start or past its end.
 */
EMBED(gen_rust_layout, GEN_DIR "/rust_layout.in");
EMBED(gen_rust_bits, GEN_DIR "/rust_bits.in");

/* Writes "@head @tail", on two lines if one would be too long. @depth: levels of indentation */
static void add_broken(struct strbuf *out, size_t depth, const char *head, const char *tail)
{
	size_t width = depth * 4 + strlen(head) + 1 + strlen(tail);

	strbuf_addf(out, "%*s%s", (int)depth * 4, "", head);
	if (width > COLUMNS)
		strbuf_addf(out, "\n%*s%s\n", (int)(depth + 1) * 4, "", tail);
	else
		strbuf_addf(out, " %s\n", tail);
}

/* --- bit-fields ------------------------------------------------------------------------- */

/*
 * Can functions read and write the field as a Rust integer? A document written by hand can have any type and
 * width.
 */
static bool is_integer(const struct definition_member *member)
{
	uint64_t width_bits = member->field->size_bits;

	return member->field->is_bitfield && *member->field->name && member->type.scalar != ABI_BYTES &&
	       member->type.scalar != ABI_POINTER && !member->type.record &&
	       !member->type.all_dimension_count && width_bits &&
	       width_bits <= member->type.element_bytes * 8;
}

/* Does the record have bit-fields with functions? No for a typedef, an enum or a second name of a record. */
static bool has_integers(const struct definition *definition)
{
	for (size_t i = 0; definition->record && !definition->same_as && i < definition->record->field_count;
	     i++)
		if (is_integer(&definition->members[i]))
			return true;
	return false;
}

/* Returns "set_NAME", with underscores appended if a function for a different field has that name. */
static const char *setter_name(const struct abi_record *record, const char *field, struct arena *arena)
{
	const char *name = arena_printf(arena, "set_%s", field), *of = field;

	while (abi_find_field(record, name) || (of != field && abi_find_field(record, of))) {
		name = arena_printf(arena, "%s_", name);
		of = name + strlen("set_");
	}
	return name;
}

/* Writes a getter and a setter for each bit-field of an integer type. */
static void add_bits(struct strbuf *out, const struct definition *definition, struct arena *arena)
{
	const struct plan *plan = definition->plan;
	const struct abi_record *record = definition->record;

	if (!has_integers(definition))
		return;
	strbuf_addf(out, "\nbit_fields! { %s, {", definition->name);
	for (size_t i = 0; i < plan->count; i++)
		for (size_t j = 0; plan->items[i].kind == PLAN_BITS && j < plan->items[i].member_count; j++) {
			const struct definition_member *member = &plan->items[i].members[j];
			const char *name = member->field->name;

			if (is_integer(member))
				strbuf_addf(out, "\n    %s: %s, %s, %s, %" PRIu64 ", %" PRIu64 "%s;",
					    plan_field_name(GEN_RUST, record, name, arena),
					    plan_type_text(GEN_RUST, &member->type, arena),
					    setter_name(record, name, arena), plan->items[i].name,
					    member->field->offset_bits - plan->items[i].offset_bytes * 8,
					    member->field->size_bits,
					    member->type.scalar == ABI_BOOL ? ", boolean" : "");
		}
	strbuf_adds(out, "\n} }\n");
}

/* --- records ---------------------------------------------------------------------------- */

/*
 * Returns the facts that the type's name does not show, for a comment: the driver's name, the version, the
 * header; "" if there are none.
 */
static const char *origin_text(struct arena *arena, const struct definition *definition)
{
	const char *source = definition->record ? definition->record->source : "", *text = "";

	if (strcmp(definition->name, definition->driver_name) != 0)
		text = arena_printf(arena, "%s in the driver%s%s", definition->driver_name,
				    definition->older ? " as of " : "",
				    definition->older ? definition->abi->version : "");
	if (*source)
		text = arena_printf(arena, "%s%s%.*s", text, *text ? ", from " : "From ",
				    (int)strcspn(source, ":"), source);
	if (definition->is_enum)
		text = arena_printf(arena, "%s%s", text, *text ? ", an enum" : "An enum");
	if (!definition->record && definition->target.remark)
		text = arena_printf(arena, "%s%s%s", text, *text ? ": " : "", definition->target.remark);
	return text;
}

/* Writes a record, checks of its layout, and the methods of its bit-fields. */
static void add_record(struct strbuf *out, const struct definition *definition, struct arena *arena)
{
	const struct plan *plan = definition->plan;
	const char *word;

	strbuf_adds(out, "#[derive(Clone, Copy)]\n#[repr(C");
	if (plan->pack_bytes)
		strbuf_addf(out, plan->pack_bytes == 1 ? ", packed" : ", packed(%" PRIu64 ")",
			    plan->pack_bytes);
	else if (plan->align_bytes)
		strbuf_addf(out, ", align(%" PRIu64 ")", plan->align_bytes);
	/* Rust does not allow an empty union. */
	word = definition->record->is_union && plan->count ? "union" : "struct";
	strbuf_addf(out, ")]\npub %s %s {%s", word, definition->name, plan->count ? "\n" : "");
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_item *item = &plan->items[i];
		const struct definition_type *type = item->kind == PLAN_FIELD ? &item->members->type : NULL;
		const char *remark = plan_remark(item, arena);

		if (type && !type->definition && (type->scalar == ABI_CHAR || type->scalar == ABI_BOOL) &&
		    type->words) /* u8 in Rust */
			remark = arena_printf(arena, "%s%s%s", remark, *remark ? "; " : "", type->words);
		if (*remark) {
			strbuf_adds(out, "    // ");
			comment_text(out, remark);
			strbuf_addch(out, '\n');
		}
		add_broken(out, 1, arena_printf(arena, "pub %s:", item->name),
			   arena_printf(arena, "%s,", plan_item_text(GEN_RUST, item, arena)));
	}
	strbuf_addf(out, "}\n\nlayout! { %s, %" PRIu64 ", %" PRIu64 ", {", definition->name,
		    definition->size_bytes, plan->effective_bytes);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->items[i].kind != PLAN_PADDING)
			strbuf_addf(out, "\n    %s: %" PRIu64 ",", plan->items[i].name,
				    plan->items[i].offset_bytes);
	strbuf_adds(out, plan->count ? "\n} }\n" : "} }\n");
	add_bits(out, definition, arena);
}

/* --- numbers and versions ----------------------------------------------------------------- */

/* Returns the smallest of u32, u64 or, if a value is negative, i32, i64, i128 that holds all @constants. */
static const char *integer_for(const struct gen_constant *constants, size_t count)
{
	uint64_t largest = 0, lowest = 0; /* magnitudes */

	for (size_t i = 0; i < count; i++) {
		uint64_t *extreme = constants[i].number.negative ? &lowest : &largest;

		if (constants[i].number.magnitude > *extreme)
			*extreme = constants[i].number.magnitude;
	}
	if (!lowest)
		return largest <= UINT32_MAX ? "u32" : "u64";
	if (largest <= INT32_MAX && lowest <= (uint64_t)INT32_MAX + 1)
		return "i32";
	return largest <= INT64_MAX && lowest <= (uint64_t)INT64_MAX + 1 ? "i64" : "i128";
}

/* Writes the table that lists the definitions of each record, with their versions. */
static void add_layouts(struct strbuf *out, const struct gen_file *file)
{
	comment_versions(out, file,
			 "\n/// The versions, oldest first.\n"
			 "#[rustfmt::skip]\npub const VERSIONS: &[&str] = &[\n",
			 "    ", "];\n");
	strbuf_adds(out, "\n/// The definition of a record in a range of versions.\n"
			 "pub struct Layout {\n"
			 "    /// The record's name in the driver.\n"
			 "    pub record: &'static str,\n"
			 "    /// Its name in this file.\n"
			 "    pub definition: &'static str,\n"
			 "    pub size: usize,\n"
			 "    /// Indices into VERSIONS. Both versions have the definition.\n"
			 "    pub first: usize,\n"
			 "    pub last: usize,\n"
			 "}\n"
			 "\n#[rustfmt::skip]\npub const LAYOUTS: &[Layout] = &[\n");
	for (size_t i = 0; i < file->span_count; i++) {
		const struct gen_span *span = &file->spans[i];

		strbuf_addf(out,
			    "    Layout { record: \"%s\", definition: \"%s\", size: %" PRIu64
			    ", first: %zu, last: %zu },\n",
			    span->record, span->type, span->size_bytes, span->first_index, span->last_index);
	}
	strbuf_adds(out, "];\n");
}

/* --- the file ------------------------------------------------------------------------------- */

/* Writes the first comment, the attributes of the file, and the macros that the records use. */
static void add_head(struct strbuf *out, const struct gen_file *file)
{
	bool has_records = false, has_bits = false;

	for (size_t i = 0; i < file->definition_count; i++) {
		has_records = has_records || file->definitions[i]->record;
		has_bits = has_bits || has_integers(file->definitions[i]);
	}
	strbuf_adds(out, "// Generated by drvabi gen. Do not edit.\n//\n");
	comment_add(out, "//", file->origin);
	strbuf_adds(
		out,
		"\n#![allow(dead_code, non_camel_case_types)]\n#![allow(non_snake_case, non_upper_case_globals)]\n");
	strbuf_adds(out, has_records ? gen_rust_layout : "");
	strbuf_adds(out, has_bits ? gen_rust_bits : "");
}

void gen_rust(struct strbuf *out, const struct gen_file *file)
{
	struct arena arena = { 0 };

	add_head(out, file);
	if (file->span_count)
		add_layouts(out, file);
	for (size_t i = 0; i < file->constants_count; i++) {
		const struct gen_constants *constants = &file->constants[i];

		strbuf_addch(out, '\n');
		comment_add(out, "//", constants->title);
		for (size_t k = 0; k < constants->count; k++) {
			const struct gen_constant *one = &constants->items[k];
			const char *type = integer_for(constants->is_enum ? constants->items : one,
						       constants->is_enum ? constants->count : 1);

			add_broken(out, 0, arena_printf(&arena, "pub const %s: %s =", one->name, type),
				   arena_printf(&arena, "%s;", one->value));
		}
	}
	for (size_t i = 0; i < file->definition_count; i++) {
		const struct definition *definition = file->definitions[i], *same = definition->same_as;
		const char *origin = origin_text(&arena, definition), *type;

		strbuf_addch(out, '\n');
		if (*origin)
			comment_add(out, "///", arena_printf(&arena, "%s.", origin));
		if (definition->record && !same) {
			add_record(out, definition, &arena);
			continue;
		}
		type = same ? same->name : plan_type_text(GEN_RUST, &definition->target, &arena);
		add_broken(out, 0, arena_printf(&arena, "pub type %s =", definition->name),
			   arena_printf(&arena, "%s;", type));
	}
	arena_release(&arena);
}
