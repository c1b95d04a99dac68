#include "extract/encoding.h"

#include <inttypes.h>
#include <string.h>

bool encoding_number(uint64_t *out, const struct family_context *context, const struct ioctl_candidate *member)
{
	const struct abi_number value = member->value;
	const char *why = NULL;

	if (!context->family->ioc.is_encoded)
		why = value.negative ? "is negative" : NULL;
	else if (value.magnitude > (value.negative ? (uint64_t)INT32_MAX + 1 : UINT32_MAX))
		why = "has more than 32 bits";
	if (why) {
		abi_builder_warning(context->builder, member->source,
			arena_printf(context->arena, "The value of %s %s, so it is no ioctl's number.", member->name, why));
		return false;
	}
	*out = value.negative ? (UINT64_C(1) << 32) - value.magnitude : value.magnitude;
	return true;
}

bool encoding_wants(const struct profile_family *family, uint64_t number)
{
	const struct profile_ioc *ioc = &family->ioc;

	for (size_t i = 0; i < ioc->type_count; i++)
		if (ioc->types[i] == abi_ioc_get(number, ABI_IOC_TYPE))
			return true;
	return !ioc->type_count;
}

static unsigned varying_fields(uint64_t varying)
{
	unsigned fields = 0;

	for (int i = 0; i < ABI_IOC_FIELD_COUNT; i++)
		if (varying & abi_ioc_mask((enum abi_ioc_field)i))
			fields |= 1u << i;
	return fields;
}

/* The size in the number is what the driver may copy, whatever its record has. */
static void warn_of_size(const struct family_context *context, const struct abi_ioctl *ioctl)
{
	const struct abi_record *record = ioctl->params ? abi_builder_find_record(context->builder, ioctl->params) : NULL;
	unsigned size_bytes = abi_ioc_get(ioctl->number, ABI_IOC_SIZE);

	if (!record || !size_bytes || record->size_bytes == size_bytes || ioctl->varies & 1u << ABI_IOC_SIZE)
		return;
	abi_builder_warning(context->builder, ioctl->source, arena_printf(context->arena,
		"The number of %s says %u bytes%s%s, and %s has %" PRIu64 ".", ioctl->name, size_bytes,
		ioctl->argument ? ", which is a " : "", ioctl->argument ? ioctl->argument : "", ioctl->params, record->size_bytes));
}

/* "char[8]" as "char[]": the macro's parameter decides how many. */
static const char *without_length(const char *argument, struct arena *arena)
{
	const char *bracket = strchr(argument, '[');

	return bracket ? arena_printf(arena, "%.*s[]", (int)(bracket - argument), argument) : argument;
}

void encoding_set(struct abi_ioctl *ioctl, const struct family_context *context, const struct ioctl_candidate *member)
{
	const struct macro *macro = member->macro;

	if (!context->family->ioc.is_encoded)
		return;
	ioctl->encoding = context->family->ioc.by_nr ? ABI_NUMBER_IOC_BY_NR : ABI_NUMBER_IOC;
	if (macro) {
		ioctl->params = ioctl->params ? ioctl->params : macro->params;
		ioctl->varies = varying_fields(macro->varying);
		if (macro->argument && (!ioctl->params || strcmp(macro->argument, ioctl->params)))
			ioctl->argument = ioctl->varies & 1u << ABI_IOC_SIZE ? without_length(macro->argument, context->arena) : macro->argument;
	}
	warn_of_size(context, ioctl);
}
