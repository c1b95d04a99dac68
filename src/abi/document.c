#include "abi/document.h"

#include "abi/ioc.h"
#include "abi/order.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FIND(array, count, name) abi_search_named((array), (count), sizeof(*(array)), (name), strlen(name))

const struct abi_record *abi_find_record(const struct abi *abi, const char *name)
{
	return FIND(abi->records, abi->record_count, name);
}

const struct abi_alias *abi_find_alias(const struct abi *abi, const char *name)
{
	return FIND(abi->aliases, abi->alias_count, name);
}

const struct abi_enum *abi_find_enum(const struct abi *abi, const char *name)
{
	return FIND(abi->enums, abi->enum_count, name);
}

const struct abi_constant *abi_find_constant(const struct abi *abi, const char *name)
{
	return FIND(abi->constants, abi->constant_count, name);
}

size_t abi_constants_from(const struct abi *abi, const char *prefix)
{
	size_t low = 0, high = abi->constant_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcmp(abi->constants[middle].name, prefix) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t abi_ioctls_from(const struct abi *abi, const char *family, uint64_t number)
{
	size_t low = 0, high = abi->ioctl_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct abi_ioctl *ioctl = &abi->ioctls[middle];
		int order = strcmp(ioctl->family, family);

		if (order < 0 || (!order && ioctl->number < number))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Within a family the order is by number, so a name is found by walking. */
const struct abi_ioctl *abi_find_ioctl(const struct abi *abi, const char *family, const char *name)
{
	for (size_t i = family ? abi_ioctls_from(abi, family, 0) : 0; i < abi->ioctl_count; i++)
		if (!strcmp(abi->ioctls[i].name, name) && (!family || !strcmp(abi->ioctls[i].family, family)))
			return &abi->ioctls[i];
	return NULL;
}

bool abi_ioctl_has_flag(const struct abi_ioctl *ioctl, const char *flag)
{
	for (size_t i = 0; ioctl && i < ioctl->flag_count; i++)
		if (!strcmp(ioctl->flags[i], flag))
			return true;
	return false;
}

static const char *const role_names[ABI_ROLE_LAST + 1] = {
	[ABI_ROLE_NONE] = "",
	[ABI_ROLE_POINTER] = "pointer",
	[ABI_ROLE_FD] = "fd",
	[ABI_ROLE_HANDLE] = "handle",
	[ABI_ROLE_PID] = "pid",
	[ABI_ROLE_STATUS] = "status",
	[ABI_ROLE_SIZE] = "size",
	[ABI_ROLE_COUNT] = "count",
	[ABI_ROLE_KERNEL_POINTER] = "kernel-pointer",
};

const char *abi_role_name(enum abi_role role)
{
	return role_names[role];
}

int abi_role_parse(enum abi_role *role, const char *name, struct err *err)
{
	for (int i = ABI_ROLE_NONE + 1; i <= ABI_ROLE_LAST; i++) {
		if (strcmp(role_names[i], name))
			continue;
		*role = (enum abi_role)i;
		return 0;
	}
	return err_set(err, ERR_FORMAT,
		       "\"%.60s\" is no role; the roles are pointer, fd, handle, pid, status, size, count and kernel-pointer", name);
}

const char *abi_kind_name(enum abi_kind kind)
{
	static const char *const names[ABI_KIND_COUNT] = {
		[ABI_RECORD] = "record",
		[ABI_ALIAS] = "alias",
		[ABI_ENUM] = "enum",
		[ABI_CONSTANT] = "constant",
		[ABI_IOCTL] = "ioctl",
	};

	return names[kind];
}

struct abi_number abi_number_signed(int64_t value)
{
	if (value < 0)
		return (struct abi_number){ -(uint64_t)value, true };
	return (struct abi_number){ (uint64_t)value, false };
}

struct abi_number abi_number_unsigned(uint64_t value)
{
	return (struct abi_number){ value, false };
}

bool abi_number_equal(struct abi_number a, struct abi_number b)
{
	return a.magnitude == b.magnitude && a.negative == b.negative;
}

const char *abi_number_text(struct abi_number number, char buffer[24])
{
	const uint64_t double_is_exact_to = UINT64_C(1) << 53;
	const char *sign = number.negative ? "-" : "";

	if (number.magnitude <= double_is_exact_to)
		snprintf(buffer, 24, "%s%" PRIu64, sign, number.magnitude);
	else
		snprintf(buffer, 24, "%s0x%" PRIx64, sign, number.magnitude);
	return buffer;
}

static bool same_field(const struct abi_field *a, const struct abi_field *b)
{
	return a->offset_bits == b->offset_bits && a->size_bits == b->size_bits &&
	       a->is_bitfield == b->is_bitfield && a->role == b->role &&
	       !strcmp(a->name, b->name) && !strcmp(a->type, b->type);
}

bool abi_same_record(const struct abi_record *a, const struct abi_record *b)
{
	if (a->size_bytes != b->size_bytes || a->align_bytes != b->align_bytes ||
	    a->is_union != b->is_union || a->field_count != b->field_count)
		return false;
	if (a->fields == b->fields)
		return true;
	for (size_t i = 0; i < a->field_count; i++)
		if (!same_field(&a->fields[i], &b->fields[i]))
			return false;
	return true;
}

bool abi_same_alias(const struct abi_alias *a, const struct abi_alias *b)
{
	return a->size_bytes == b->size_bytes && !strcmp(a->type, b->type);
}

bool abi_same_enum(const struct abi_enum *a, const struct abi_enum *b)
{
	if (a->size_bytes != b->size_bytes || a->value_count != b->value_count || strcmp(a->type, b->type))
		return false;
	if (a->values == b->values)
		return true;
	for (size_t i = 0; i < a->value_count; i++)
		if (strcmp(a->values[i].name, b->values[i].name) || !abi_number_equal(a->values[i].value, b->values[i].value))
			return false;
	return true;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool abi_same_ioctl(const struct abi_ioctl *a, const struct abi_ioctl *b)
{
	if (strcmp(a->family, b->family) || strcmp(a->name, b->name) || a->number != b->number ||
	    !same_text(a->params, b->params) || !same_text(a->access, b->access) || a->flag_count != b->flag_count ||
	    !abi_ioctl_same_encoding(a, b))
		return false;
	for (size_t i = 0; i < a->flag_count; i++)
		if (strcmp(a->flags[i], b->flags[i]))
			return false;
	return true;
}
