/*
 * gen/rust.c - a file as Rust, formatted as rustfmt does
 *
 * Each record is laid out by its plan (plan.h), with all padding as fields, and
 * stands beside a layout! that compares its size, alignment and offsets with the
 * driver's while the compiler evaluates constants, and beside functions for its bit-fields (rust_bits.h). rustfmt aligns comments behind fields, so they stand
 * above; it leaves what stands in the braces of a macro, and lists that say so, as they are.
 */
#include "gen/gen.h"

#include "gen/comment.h"
#include "gen/plan.h"
#include "gen/rust_bits.h"
#include "gen/rust_type.h"

#include <inttypes.h>
#include <string.h>

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
