/*
 * gen/rust.c - a file as Rust, formatted as rustfmt does
 *
 * Each record is laid out by its plan (plan.h), with all padding as fields, and
 * stands beside a layout! that compares its size, alignment and offsets with the
 * driver's while the compiler evaluates constants, and beside functions for its bit-fields (rust_bits.h). rustfmt aligns comments behind fields, so they stand
 * above; it leaves what stands in the braces of a macro, and lists that say so, as they are.
 */
#include "gen/gen.h"
#include "gen/internal.h"

#include <inttypes.h>
#include <string.h>

/*
 * one type as Rust
 *
 * Inside the room.
 */

static const char *scalar_text(const struct definition_type *type, struct arena *arena)
{
	static const char *const names[] = {
		[ABI_U8] = "u8", [ABI_U16] = "u16", [ABI_U32] = "u32", [ABI_U64] = "u64", [ABI_I8] = "i8", [ABI_I16] = "i16", [ABI_I32] = "i32",
		[ABI_I64] = "i64", [ABI_CHAR] = "u8", [ABI_BOOL] = "u8", [ABI_POINTER] = "*mut core::ffi::c_void", [ABI_ENUMERATION] = "",
		[ABI_BYTES] = "",
	};

	if (type->scalar != ABI_BYTES)
		return names[type->scalar];
	if (plan_has_type(type))
		return type->element_bytes == 4 ? "f32" : "f64";
	return arena_printf(arena, "[u8; %" PRIu64 "]", type->element_bytes);
}

/* rust_type_text - what a declaration calls @type: "[NvU32; 4]". In @arena, or constant. */
static const char *rust_type_text(const struct definition_type *type, struct arena *arena)
{
	const char *text = type->definition ? type->definition->name : scalar_text(type, arena);

	for (size_t i = type->dimension_count; i; i--)
		text = arena_printf(arena, "[%s; %" PRIu64 "]", text, type->dimension[i - 1]);
	return text;
}

/*
 * functions that read and write bit-fields in Rust, which has none
 *
 * Inside the room. A bit-field `mode` of a record is `mode()` and `set_mode(value)`, as bindgen has it: of the driver's type,
 * signed if that is. A value is cut to the field's width. What is wider than 64 bits, or has no name, has no functions.
 */

/* rustfmt leaves a macro's arguments as they are, so names may have any length. */
const char rust_bits_macro[] =
	"\n"
	"macro_rules! bit_fields {\n"
	"    ($record:ident, { $($get:ident: $type:ty, $set:ident, $bytes:ident, $first:literal, $width:literal;)* }) => {\n"
	"        #[allow(unused_unsafe)] // of a struct; a union needs it\n"
	"        impl $record {\n"
	"            $(\n"
	"                pub fn $get(&self) -> $type {\n"
	"                    let (bytes, mut value) = (unsafe { &self.$bytes }, 0 as $type);\n"
	"                    for bit in ($first..$first + $width).rev() {\n"
	"                        value = (value << 1) | (bytes[bit / 8] >> (bit % 8) & 1) as $type;\n"
	"                    }\n"
	"                    (value << (<$type>::BITS - $width)) >> (<$type>::BITS - $width)\n"
	"                }\n"
	"                pub fn $set(&mut self, value: $type) {\n"
	"                    let bytes = unsafe { &mut self.$bytes };\n"
	"                    for bit in 0..$width {\n"
	"                        let (byte, shift) = (($first + bit) / 8, ($first + bit) % 8);\n"
	"                        bytes[byte] = bytes[byte] & !(1 << shift) | ((value >> bit & 1) as u8) << shift;\n"
	"                    }\n"
	"                }\n"
	"            )*\n"
	"        }\n"
	"    };\n"
	"}\n";

/* May a bit-field be an integer of Rust? A document may be made by hand. */
static bool is_integer(const struct definition_member *member)
{
	uint64_t width_bits = member->field->size_bits;

	return member->field->is_bitfield && *member->field->name && member->type.scalar != ABI_BYTES && member->type.scalar != ABI_POINTER &&
	       !member->type.record && !member->type.all_dimension_count && width_bits && width_bits <= member->type.element_bytes * 8;
}

/* What rust_bits_add() uses, once in a file: macro_rules! bit_fields. */

/* rust_bits_has - does rust_bits_add() write something for it? */
static bool rust_bits_has(const struct definition *definition)
{
	if (!definition->record || definition->same_as)
		return false;
	for (size_t i = 0; i < definition->record->field_count; i++)
		if (is_integer(&definition->members[i]))
			return true;
	return false;
}

static bool has_field(const struct abi_record *record, const char *name)
{
	for (size_t i = 0; i < record->field_count; i++)
		if (!strcmp(record->fields[i].name, name))
			return true;
	return false;
}

/* "set_NAME"; with underscores behind it where that is what reads, or sets, another field. */
static const char *setter(const struct abi_record *record, const char *field, struct arena *arena)
{
	const char *name = arena_printf(arena, "set_%s", field), *of = field;

	while (has_field(record, name) || (of != field && has_field(record, of))) {
		name = arena_printf(arena, "%s_", name);
		of = name + strlen("set_");
	}
	return name;
}

static void add_field(struct strbuf *out, const struct abi_record *record, const struct plan_item *item, const struct definition_member *member,
		      struct arena *arena)
{
	strbuf_addf(out, "\n    %s: %s, %s, %s, %" PRIu64 ", %" PRIu64 ";", plan_field_name(GEN_RUST, record, member->field->name, arena),
		    rust_type_text(&member->type, arena), setter(record, member->field->name, arena), item->name,
		    member->field->offset_bits - item->offset_bytes * 8, member->field->size_bits);
}

/* rust_bits_add - append an empty line and the functions of a record, if it has bit-fields. @arena: for names */
static void rust_bits_add(struct strbuf *out, const struct definition *definition, const struct plan *plan, struct arena *arena)
{
	if (!rust_bits_has(definition))
		return;
	strbuf_addf(out, "\nbit_fields! { %s, {", definition->name);
	for (size_t i = 0; i < plan->count; i++)
		for (size_t j = 0; j < plan->items[i].member_count; j++)
			if (plan->items[i].kind == PLAN_BITS && is_integer(&plan->items[i].members[j]))
				add_field(out, definition->record, &plan->items[i], &plan->items[i].members[j], arena);
	strbuf_adds(out, "\n} }\n");
}

enum { COLUMNS = 100 };

struct rust_file {
	struct strbuf *out;
	const struct gen_file *file;
	struct plans *plans;
	struct arena arena;
	struct err *err;
};

/*
 * What proves the layout of a record. A pointer to a field may go back to the
 * record's start and on to its end, and not a byte further: that the compiler
 * checks, of constants, since Rust 1.61.
 */
static const char layout_macro[] =
	"\n"
	"macro_rules! layout {\n"
	"    ($record:ident, $size:literal, $align:literal, { $($field:ident: $offset:literal,)* }) => {\n"
	"        const _: () = {\n"
	"            assert!(core::mem::size_of::<$record>() == $size);\n"
	"            assert!(core::mem::align_of::<$record>() == $align);\n"
	"            let _record = core::mem::MaybeUninit::<$record>::uninit();\n"
	"            $(unsafe {\n"
	"                // Does not compile if the field begins elsewhere: one of these is outside of the record.\n"
	"                let field = core::ptr::addr_of!((*_record.as_ptr()).$field) as *const u8;\n"
	"                let _ = (field.sub($offset), field.add($size - $offset));\n"
	"            })*\n"
	"        };\n"
	"    };\n"
	"}\n";

/* --- items -------------------------------------------------------------------------- */

static const char *item_type(const struct plan_item *item, struct arena *arena)
{
	if (item->kind == PLAN_FIELD)
		return rust_type_text(&item->members->type, arena);
	return arena_printf(arena, "[u8; %" PRIu64 "]", item->size_bytes);
}

/* "@head @tail", on two lines if that is too long for one. @depth: of indents */
static void add_broken(struct strbuf *out, size_t depth, const char *head, const char *tail)
{
	size_t width = depth * 4 + strlen(head) + 1 + strlen(tail);

	strbuf_addf(out, "%*s%s", (int)depth * 4, "", head);
	if (width > COLUMNS)
		strbuf_addf(out, "\n%*s%s\n", (int)(depth + 1) * 4, "", tail);
	else
		strbuf_addf(out, " %s\n", tail);
}

/* What C says of it, which the type does not. */
static const char *lost_word(const struct plan_item *item)
{
	const struct definition_type *type = &item->members->type;

	if (item->kind != PLAN_FIELD || type->definition || (type->scalar != ABI_CHAR && type->scalar != ABI_BOOL))
		return NULL;
	return type->words;
}

static void add_item(struct rust_file *with, const struct plan_item *item)
{
	struct strbuf remark = { 0 };
	const char *lost = item->kind == PLAN_PADDING ? NULL : lost_word(item);

	plan_remark(&remark, item);
	if (lost)
		strbuf_addf(&remark, "%s%s", remark.length ? "; " : "", lost);
	if (remark.length) {
		strbuf_adds(with->out, "    // ");
		comment_text(with->out, strbuf_text(&remark));
		strbuf_addch(with->out, '\n');
	}
	strbuf_release(&remark);
	add_broken(with->out, 1, arena_printf(&with->arena, "pub %s:", item->name), arena_printf(&with->arena, "%s,", item_type(item, &with->arena)));
}

static void add_representation(struct strbuf *out, const struct plan *plan)
{
	strbuf_adds(out, "#[derive(Clone, Copy)]\n");
	if (plan->pack_bytes == 1)
		strbuf_adds(out, "#[repr(C, packed)]\n");
	else if (plan->pack_bytes)
		strbuf_addf(out, "#[repr(C, packed(%" PRIu64 "))]\n", plan->pack_bytes);
	else if (plan->align_bytes)
		strbuf_addf(out, "#[repr(C, align(%" PRIu64 "))]\n", plan->align_bytes);
	else
		strbuf_adds(out, "#[repr(C)]\n");
}

/* Where the type is from, and as in which version; nothing for a name that says it all. */
static void add_origin(struct rust_file *with, const struct definition *definition)
{
	const char *source = definition->record ? definition->record->source : "";
	struct strbuf text = { 0 };

	if (strcmp(definition->name, definition->driver_name) != 0)
		strbuf_addf(&text, "%s in the driver%s%s", definition->driver_name, definition->older ? " as in " : "",
			    definition->older ? definition->version : "");
	if (*source)
		strbuf_addf(&text, "%s%.*s", text.length ? ", from " : "From ", (int)strcspn(source, ":"), source);
	if (definition->is_enum)
		strbuf_adds(&text, text.length ? ", an enum" : "An enum");
	if (!definition->record && definition->target.remark)
		strbuf_addf(&text, "%s%s", text.length ? ": " : "", definition->target.remark);
	if (text.length)
		comment_add(with->out, "///", arena_printf(&with->arena, "%s.", strbuf_text(&text)));
	strbuf_release(&text);
}

static void add_check(struct rust_file *with, const struct definition *definition, const struct plan *plan)
{
	strbuf_addf(with->out, "\nlayout! { %s, %" PRIu64 ", %" PRIu64 ", {", definition->name, definition->size_bytes, plan->effective_bytes);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->items[i].kind != PLAN_PADDING)
			strbuf_addf(with->out, "\n    %s: %" PRIu64 ",", plan->items[i].name, plan->items[i].offset_bytes);
	strbuf_adds(with->out, plan->count ? "\n} }\n" : "} }\n");
}

static int add_record(struct rust_file *with, const struct definition *definition)
{
	const struct plan *plan;
	int rc;

	if ((rc = plan_of(&plan, with->plans, definition, with->err)))
		return rc;
	add_representation(with->out, plan);
	strbuf_addf(with->out, "pub %s %s {", definition->record->is_union && plan->count ? "union" : "struct", definition->name); /* no union is empty */
	if (plan->count)
		strbuf_addch(with->out, '\n');
	for (size_t i = 0; i < plan->count; i++)
		add_item(with, &plan->items[i]);
	strbuf_adds(with->out, "}\n");
	add_check(with, definition, plan);
	rust_bits_add(with->out, definition, plan, &with->arena);
	return 0;
}

static void add_name(struct rust_file *with, const struct definition *definition, const char *type)
{
	add_broken(with->out, 0, arena_printf(&with->arena, "pub type %s =", definition->name), arena_printf(&with->arena, "%s;", type));
}

static int add_types(struct rust_file *with)
{
	int rc = 0;

	for (size_t i = 0; i < with->file->definition_count && !rc; i++) {
		const struct definition *definition = with->file->definitions[i];

		strbuf_addch(with->out, '\n');
		add_origin(with, definition);
		if (definition->same_as)
			add_name(with, definition, definition->same_as->name);
		else if (definition->record)
			rc = add_record(with, definition);
		else
			add_name(with, definition, rust_type_text(&definition->target, &with->arena));
	}
	return rc;
}

/* --- numbers and versions ----------------------------------------------------------- */

/* The integer that holds all of @constants from @first on. @count: how many of them */
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

static void add_constants(struct rust_file *with, const struct gen_constants *constants)
{
	strbuf_addch(with->out, '\n');
	comment_add(with->out, "//", constants->title);
	for (size_t i = 0; i < constants->count; i++) {
		const struct gen_constant *one = &constants->items[i];
		const char *type = constants->is_enum ? integer_for(constants->items, constants->count) : integer_for(one, 1);

		add_broken(with->out, 0, arena_printf(&with->arena, "pub const %s: %s =", one->name, type),
			   arena_printf(&with->arena, "%s;", one->value));
	}
}

static void add_versions(struct strbuf *out, const struct gen_file *file)
{
	strbuf_adds(out, "\n/// The versions, in their order.\n#[rustfmt::skip]\npub const VERSIONS: &[&str] = &[\n");
	for (size_t i = 0; i < file->version_count; i++) {
		strbuf_adds(out, "    ");
		comment_quoted(out, file->versions[i]->version);
		strbuf_adds(out, ",\n");
	}
	strbuf_adds(out, "];\n");
}

static void add_layouts(struct strbuf *out, const struct gen_file *file)
{
	strbuf_adds(out, "\n/// The definition that a record has from one version to another.\n"
			 "pub struct Layout {\n"
			 "    /// As the driver calls it.\n"
			 "    pub record: &'static str,\n"
			 "    /// As this file does.\n"
			 "    pub definition: &'static str,\n"
			 "    pub size: usize,\n"
			 "    /// Indices of VERSIONS, both included.\n"
			 "    pub first: usize,\n"
			 "    pub last: usize,\n"
			 "}\n"
			 "\n#[rustfmt::skip]\npub const LAYOUTS: &[Layout] = &[\n");
	for (size_t i = 0; i < file->span_count; i++) {
		const struct gen_span *span = &file->spans[i];

		strbuf_addf(out, "    Layout { record: \"%s\", definition: \"%s\", size: %" PRIu64 ", first: %zu, last: %zu },\n", span->record,
			    span->type, span->size_bytes, span->first_index, span->last_index);
	}
	strbuf_adds(out, "];\n");
}

/* --- the file --------------------------------------------------------------------------- */

/* The macros that the records of @file need. */
static void add_macros(struct strbuf *out, const struct gen_file *file)
{
	bool has_records = false, has_bits = false;

	for (size_t i = 0; i < file->definition_count; i++) {
		has_records = has_records || file->definitions[i]->record;
		has_bits = has_bits || rust_bits_has(file->definitions[i]);
	}
	if (has_records)
		strbuf_adds(out, layout_macro);
	if (has_bits)
		strbuf_adds(out, rust_bits_macro);
}

static void add_head(struct strbuf *out, const struct gen_file *file)
{
	strbuf_adds(out, "// Generated by drvabi gen. Do not edit.\n//\n");
	comment_add(out, "//", file->origin);
	strbuf_adds(out, "\n#![allow(dead_code, non_camel_case_types)]\n#![allow(non_snake_case, non_upper_case_globals)]\n");
	add_macros(out, file);
}

int gen_rust(struct strbuf *out, const struct gen_file *file, struct err *err)
{
	struct rust_file with = { .out = out, .file = file, .err = err };
	int rc;

	with.plans = plans_new(GEN_RUST, &with.arena);
	add_head(out, file);
	if (file->span_count) {
		add_versions(out, file);
		add_layouts(out, file);
	}
	for (size_t i = 0; i < file->constants_count; i++)
		add_constants(&with, &file->constants[i]);
	rc = add_types(&with);
	plans_free(with.plans);
	arena_release(&with.arena);
	return rc;
}
