/*
 * gen/layout.c - from offsets to attributes
 *
 * 1. The fields are laid out by the compiler's rules. A field that should
 *    stand further on gets an alignment that brings it there.
 * 2. If a field should stand before where the rules have it, or none of the
 *    alignments fits, all is done again with the record packed, where every
 *    field may stand at any byte. What is still missing is filled.
 *    An unnamed record gets no alignment of its own: behind its brace the
 *    attribute would be one of its type, which grows by it, and which a packed
 *    record ignores. What is missing before it is filled in both attempts.
 * 3. Alignment and size of the whole are compared with the document's.
 *
 * A union is the same with every field at 0.
 */
#include "gen/layout.h"

#include <string.h>

/* What every compiler aligns a scalar to is no more than SCALAR_ALIGN_MAX; clang aligns large vectors to their size, gcc does not. */
enum { ALIGN_MAX = 4096, SCALAR_ALIGN_MAX = 16 };

struct pass {
	const struct abi *abi;
	const struct abi_record *record;
	struct cdecl_field *fields;
	bool packed;
	uint64_t end_bits;    /* of the fields so far */
	uint64_t align_bytes; /* that follows from them */
};

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return to ? (value + to - 1) / to * to : value;
}

static uint64_t align_of(const struct abi_type *type)
{
	uint64_t bytes = type->record ? type->record->align_bytes : type->element_bytes;

	if (!type->record && bytes > SCALAR_ALIGN_MAX)
		return SCALAR_ALIGN_MAX;
	return bytes && !(bytes & (bytes - 1)) ? bytes : 1;
}

/* The alignment, above @least, that brings a field from @from to @to. 0: none does. */
static uint64_t aligned_to(uint64_t from, uint64_t to, uint64_t least, uint64_t most)
{
	for (uint64_t bytes = least * 2; bytes <= most && bytes <= ALIGN_MAX; bytes *= 2)
		if (round_up(from, bytes) == to)
			return bytes;
	return 0;
}

/* Return: false if it cannot stand there unless the record is packed. */
static bool put_bits(struct pass *pass, struct cdecl_field *out, const struct abi_field *field, const struct abi_type *type)
{
	uint64_t unit = type->element_bytes * 8, first = field->offset_bits, last = first + field->size_bits - 1;

	if (!pass->packed && unit && first / unit != last / unit)
		return false;
	/* What the rules leave out on their own, they leave out behind bits that fill, too. */
	out->hole_bits = first - pass->end_bits;
	if (!pass->packed && type->element_bytes > pass->align_bytes)
		pass->align_bytes = type->element_bytes;
	pass->end_bits = last + 1;
	return true;
}

static bool put_field(struct pass *pass, struct cdecl_field *out, const struct abi_field *field, const struct abi_type *type)
{
	uint64_t natural = pass->packed ? 1 : align_of(type), from = round_up(pass->end_bits, 8) / 8, at = field->offset_bits / 8;

	out->hole_bits = field->offset_bits - pass->end_bits;
	if (round_up(from, natural) != at) {
		bool can_fill = pass->packed || (!*field->name && at % natural == 0);

		if (*field->name)
			out->aligned_bytes = (unsigned)aligned_to(from, at, natural, pass->record->align_bytes);
		if (!out->aligned_bytes && !can_fill)
			return false;
		out->fill_bytes = out->aligned_bytes ? 0 : at - from;
	}
	natural = out->aligned_bytes ? out->aligned_bytes : natural;
	if (natural > pass->align_bytes)
		pass->align_bytes = natural;
	pass->end_bits = field->offset_bits + field->size_bits;
	return true;
}

/* C has a flexible array only as the last member of a struct that has another one. */
static bool needs_bounds(const struct abi_record *record, size_t field)
{
	return record->is_union || !field || field + 1 < record->field_count;
}

static int put_fields(struct pass *pass, bool *fits, struct err *err)
{
	const struct abi_record *record = pass->record;

	memset(pass->fields, 0, record->field_count * sizeof(*pass->fields));
	pass->end_bits = 0;
	pass->align_bytes = 1;
	*fits = true;
	for (size_t i = 0; *fits && i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];
		uint64_t end_bits = pass->end_bits;
		struct abi_type type;
		int rc;

		if ((rc = abi_resolve_type(&type, pass->abi, field->type, err)))
			return rc;
		if (record->is_union)
			pass->end_bits = 0;
		pass->fields[i].empty_bounds = type.flexible && needs_bounds(record, i);
		if (field->offset_bits < pass->end_bits || (!field->is_bitfield && field->offset_bits % 8))
			*fits = false;
		else if (field->is_bitfield)
			*fits = put_bits(pass, &pass->fields[i], field, &type);
		else
			*fits = put_field(pass, &pass->fields[i], field, &type);
		if (record->is_union && end_bits > pass->end_bits)
			pass->end_bits = end_bits;
	}
	if (pass->align_bytes > record->align_bytes)
		*fits = false;
	return 0;
}

int cdecl_layout_of(struct cdecl_layout *out, const struct abi *abi, const struct abi_record *record, struct arena *arena, struct err *err)
{
	struct pass pass = { .abi = abi, .record = record, .fields = arena_array(arena, record->field_count + 1, sizeof(*pass.fields)) };
	uint64_t end, size;
	bool fits;
	int rc;

	if ((rc = put_fields(&pass, &fits, err)))
		return rc;
	pass.packed = !fits;
	if (!fits && (rc = put_fields(&pass, &fits, err)))
		return rc;
	if (!fits)
		return err_set(err, ERR_LAYOUT, "%s: its fields overlap, so no declaration of C has their offsets", record->name);
	end = round_up(pass.end_bits, 8) / 8;
	if (end > record->size_bytes)
		return err_set(err, ERR_LAYOUT, "%s: its fields reach beyond its end, so no declaration of C has their offsets", record->name);
	size = round_up(end, record->align_bytes);
	*out = (struct cdecl_layout){ .packed = pass.packed, .fields = pass.fields, .tail_bytes = record->size_bytes - end };
	if (pass.align_bytes < record->align_bytes)
		out->aligned_bytes = record->align_bytes;
	if (size > record->size_bytes)
		return err_set(err, ERR_LAYOUT, "%s: its size is no multiple of its alignment, so no declaration of C has it", record->name);
	if (size < record->size_bytes)
		out->fill_bytes = record->size_bytes - end;
	return 0;
}
