#include "gen/rust_bits.h"

#include "gen/rust_type.h"

#include <inttypes.h>
#include <string.h>

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

bool rust_bits_has(const struct definition *definition)
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

void rust_bits_add(struct strbuf *out, const struct definition *definition, const struct plan *plan, struct arena *arena)
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
