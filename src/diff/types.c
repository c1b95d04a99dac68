/* diff/types.c - find changes of a type, and compare the scalars of two records */
#include "diff/internal.h"

bool diff_scalars_contained(const struct abi_layout *base, const struct abi_layout *next)
{
	size_t first = 0;

	if (base->is_union != next->is_union)
		return false;
	for (size_t i = 0; i < base->scalar_count; i++) {
		const struct abi_scalar *scalar = &base->scalar[i];
		size_t j;

		/* Both layouts are sorted by offset: search from the offset of the previous scalar. */
		while (first < next->scalar_count && next->scalar[first].offset_bits < scalar->offset_bits)
			first++;
		for (j = first; j < next->scalar_count &&
		     next->scalar[j].offset_bits == scalar->offset_bits; j++)
			if (abi_scalar_same(scalar, &next->scalar[j]) &&
			    !strcmp(scalar->path, next->scalar[j].path))
				break;
		if (j == next->scalar_count || next->scalar[j].offset_bits != scalar->offset_bits)
			return false;
	}
	return true;
}

bool diff_scalars_equal(const struct abi_layout *a, const struct abi_layout *b)
{
	return a->size_bytes == b->size_bytes && a->scalar_count == b->scalar_count &&
	       diff_scalars_contained(a, b);
}

enum abi_role diff_acted_on(enum abi_role role, enum abi_scalar_kind kind)
{
	switch (role) {
	case ABI_ROLE_POINTER:
	case ABI_ROLE_FD:
	case ABI_ROLE_HANDLE:
	case ABI_ROLE_PID:
		return role;
	case ABI_ROLE_KERNEL_POINTER: /* no proxy translates it, even if it is a C pointer */
		return ABI_ROLE_NONE;
	case ABI_ROLE_NONE:
	case ABI_ROLE_STATUS:
	case ABI_ROLE_SIZE:
	case ABI_ROLE_COUNT:
		break;
	}
	return kind == ABI_POINTER ? ABI_ROLE_POINTER : ABI_ROLE_NONE;
}

/* Returns the next scalar from @i on that a proxy must translate, and moves @i past it; NULL at the end. */
static const struct abi_scalar *next_acted(const struct abi_layout *layout, size_t *i)
{
	while (*i < layout->scalar_count) {
		const struct abi_scalar *scalar = &layout->scalar[(*i)++];

		if (diff_acted_on(scalar->role, scalar->kind) != ABI_ROLE_NONE)
			return scalar;
	}
	return NULL;
}

bool diff_acted_any(const struct diff_acted *acted)
{
	size_t i = 0;

	if (acted->layout)
		return next_acted(acted->layout, &i) != NULL;
	return diff_acted_on(acted->role, acted->type->scalar) != ABI_ROLE_NONE;
}

bool diff_acted_equal(const struct diff_acted *a, const struct diff_acted *b)
{
	const struct abi_type *p = a->type, *q = b->type;

	if (!diff_acted_any(a) && !diff_acted_any(b))
		return true;
	if (a->offset_bits != b->offset_bits || p->count != q->count ||
	    (p->count != 1 && p->element_bytes != q->element_bytes) || p->flexible != q->flexible ||
	    !a->layout != !b->layout)
		return false;
	if (!a->layout)
		return p->element_bytes == q->element_bytes &&
		       diff_acted_on(a->role, p->scalar) == diff_acted_on(b->role, q->scalar);
	for (size_t i = 0, j = 0;;) {
		const struct abi_scalar *x = next_acted(a->layout, &i), *y = next_acted(b->layout, &j);

		if (!x || !y)
			return !x && !y;
		if (x->offset_bits != y->offset_bits || x->size_bits != y->size_bits ||
		    x->count != y->count || !abi_scalar_same_dimensions(x, y) ||
		    diff_acted_on(x->role, x->kind) != diff_acted_on(y->role, y->kind))
			return false;
	}
}

/* Returns a type without its dimensions. */
static struct view spelling_base(const char *type)
{
	struct abi_spelling spelling;

	if (abi_spelling_parse(&spelling, type, NULL))
		return view_of(type);
	return (struct view){ spelling.base, spelling.base_length };
}

bool diff_same_spelling(const char *a, const char *b)
{
	return view_equal(spelling_base(a), spelling_base(b));
}

enum abi_scalar_kind diff_integer_kind(const struct abi_type *type)
{
	static const enum abi_scalar_kind is_unsigned[] = {
		[1] = ABI_U8, [2] = ABI_U16, [4] = ABI_U32, [8] = ABI_U64
	};
	static const enum abi_scalar_kind is_signed[] = {
		[1] = ABI_I8, [2] = ABI_I16, [4] = ABI_I32, [8] = ABI_I64
	};
	uint64_t size = type->element_bytes;

	if (type->scalar != ABI_ENUMERATION || !type->enumeration ||
	    (size != 1 && size != 2 && size != 4 && size != 8))
		return type->scalar;
	return strstr(type->enumeration->type, "unsigned") ? is_unsigned[size] : is_signed[size];
}

bool diff_same_element(const struct abi_type *base, const struct abi_type *next)
{
	if (!base->record != !next->record || base->element_bytes != next->element_bytes)
		return false;
	return base->record ||
	       (diff_integer_kind(base) == diff_integer_kind(next) && abi_same_c_name(base, next));
}

/* Sets @out: do both records have the same scalars and size? Return: 0; an error of flatten_record(). */
static int same_records(bool *out, const struct diff_typed *base, const struct diff_typed *next,
			struct err *err)
{
	const struct abi_layout *a, *b;
	int rc;

	if ((rc = diff_side_layout(&a, base->side, base->type->record, err)) ||
	    (rc = diff_side_layout(&b, next->side, next->type->record, err)))
		return rc;
	*out = diff_scalars_equal(a, b);
	return 0;
}

/*
 * Sets @out: do both pointers point to the same type? A record with a different name is the same if its
 * scalars are the same. Targets that neither version defines count as the same: "void *" may have become a
 * pointer to a struct that is declared, but not defined. Return: 0; an error of flatten_record().
 */
static int same_targets(bool *out, const struct diff_typed *base, const struct diff_typed *next,
			struct err *err)
{
	struct abi_type was = *base->type, is = *next->type, was_target, is_target;

	while (!abi_same_c_name(&was, &is)) {
		bool knew = abi_resolve_target(&was_target, base->side->abi, &was);
		bool knows = abi_resolve_target(&is_target, next->side->abi, &is);

		*out = !knew && !knows;
		if (!knew || !knows)
			return 0;
		was = was_target;
		is = is_target;
		if (was.record && is.record && abi_same_dimensions(&was, &is)) {
			const struct diff_typed a = { base->side, &was, "" }, b = { next->side, &is, "" };

			*out = !strcmp(was.record->name, is.record->name);
			return *out ? 0 : same_records(out, &a, &b, err);
		}
		if (was.scalar != ABI_POINTER || is.scalar != ABI_POINTER || was.record || is.record ||
		    !abi_same_dimensions(&was, &is)) {
			*out = diff_same_element(&was, &is) && abi_same_dimensions(&was, &is);
			return 0;
		}
	}
	*out = true;
	return 0;
}

static bool is_pointer(const struct abi_type *type)
{
	return !type->record && type->scalar == ABI_POINTER;
}

/* Returns DIFF_LAYOUT, DIFF_NAME or 0 for a change of a scalar's type that keeps size and dimensions. */
static unsigned scalar_classes(const struct diff_typed *base, const struct diff_typed *next)
{
	const struct abi_type *a = base->type, *b = next->type;

	if (diff_integer_kind(a) != diff_integer_kind(b) ||
	    (a->scalar == ABI_BYTES && !abi_same_c_name(a, b)))
		return DIFF_LAYOUT;
	if (a->enumeration && b->enumeration && !diff_same_spelling(base->spelling, next->spelling) &&
	    !diff_same_values(a->enumeration, b->enumeration))
		return DIFF_LAYOUT;
	return diff_same_spelling(base->spelling, next->spelling) && abi_same_c_name(a, b) ? 0 : DIFF_NAME;
}

int diff_type_classes(unsigned *classes, const struct diff_typed *base, const struct diff_typed *next,
		      struct err *err)
{
	const struct abi_type *a = base->type, *b = next->type;
	unsigned got = 0;
	bool same;
	int rc;

	if (!a->record != !b->record || a->element_bytes != b->element_bytes || !abi_same_dimensions(a, b)) {
		got = DIFF_LAYOUT;
	} else if (a->record) {
		if ((rc = same_records(&same, base, next, err)))
			return rc;
		got = same ? DIFF_NAME : DIFF_LAYOUT;
	} else {
		got = scalar_classes(base, next);
	}
	if (is_pointer(a) && is_pointer(b)) {
		if ((rc = same_targets(&same, base, next, err)))
			return rc;
		got |= same ? 0u : DIFF_TRANSLATION;
	}
	*classes = got & DIFF_TRANSLATION ? got & ~(unsigned)DIFF_NAME : got;
	return 0;
}
