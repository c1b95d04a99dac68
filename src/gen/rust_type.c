#include "gen/rust_type.h"

#include "gen/plan.h"

#include <inttypes.h>

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

const char *rust_type_text(const struct definition_type *type, struct arena *arena)
{
	const char *text = type->definition ? type->definition->name : scalar_text(type, arena);

	for (size_t i = type->dimension_count; i; i--)
		text = arena_printf(arena, "[%s; %" PRIu64 "]", text, type->dimension[i - 1]);
	return text;
}
