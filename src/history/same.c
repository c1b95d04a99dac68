#include "history/same.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_records(const struct abi *a, const struct abi *b)
{
	if (a->record_count != b->record_count)
		return false;
	for (size_t i = 0; i < a->record_count; i++)
		if (strcmp(a->records[i].name, b->records[i].name) || !abi_same_record(&a->records[i], &b->records[i]))
			return false;
	return true;
}

static bool same_aliases(const struct abi *a, const struct abi *b)
{
	if (a->alias_count != b->alias_count)
		return false;
	for (size_t i = 0; i < a->alias_count; i++)
		if (strcmp(a->aliases[i].name, b->aliases[i].name) || !abi_same_alias(&a->aliases[i], &b->aliases[i]))
			return false;
	return true;
}

static bool same_enums(const struct abi *a, const struct abi *b)
{
	if (a->enum_count != b->enum_count)
		return false;
	for (size_t i = 0; i < a->enum_count; i++)
		if (strcmp(a->enums[i].name, b->enums[i].name) || !abi_same_enum(&a->enums[i], &b->enums[i]))
			return false;
	return true;
}

static bool same_constants(const struct abi *a, const struct abi *b)
{
	if (a->constant_count != b->constant_count)
		return false;
	for (size_t i = 0; i < a->constant_count; i++)
		if (strcmp(a->constants[i].name, b->constants[i].name) ||
		    !abi_number_equal(a->constants[i].value, b->constants[i].value))
			return false;
	return true;
}

static bool same_ioctls(const struct abi *a, const struct abi *b)
{
	if (a->ioctl_count != b->ioctl_count)
		return false;
	for (size_t i = 0; i < a->ioctl_count; i++)
		if (!abi_same_ioctl(&a->ioctls[i], &b->ioctls[i]))
			return false;
	return true;
}

/* Are both the same arrays? Two versions with equal trees share one document. Empty arrays prove nothing, so counts are compared as well. */
static bool is_one_document(const struct abi *a, const struct abi *b)
{
	return a->records == b->records && a->aliases == b->aliases && a->enums == b->enums && a->constants == b->constants &&
	       a->ioctls == b->ioctls && a->record_count == b->record_count && a->ioctl_count == b->ioctl_count;
}

bool history_same(const struct abi *a, const struct abi *b)
{
	if (!same_text(a->driver, b->driver) || !same_text(a->target, b->target))
		return false;
	return is_one_document(a, b) || (same_ioctls(a, b) && same_constants(a, b) && same_aliases(a, b) && same_enums(a, b) &&
					 same_records(a, b));
}
