/*
 * bootstrap/resolve.c - what an entry of the table is in a later version
 *
 * 1. Its macro is there: the ioctl is that macro's, whatever its number is now.
 * 2. It is not, but was in the base: an ioctl with the same family and number
 *    that has a name which is new, and parameters of the same layout, is the same
 *    under another name; so is a new macro of that value which no table lists.
 * 3. Else the ioctl is gone.
 * 4. Each record: the one of that name, unless the driver's table says another
 *    one and said this one in the base. If the name is gone: the record that the
 *    driver's table says, or a new one of which all members have the same names.
 *
 * What the base lacks already is a fault of the table, and stays as the table has it.
 */
#include "bootstrap/resolve.h"

#include "bootstrap/layouts.h"
#include "flatten/flatten.h"

#include <string.h>

bool resolve_is_command(const char *name)
{
	return strstr(name, "_CTRL_CMD_");
}

const char *resolve_params_by_name(const struct abi *abi, const char *name, struct arena *arena)
{
	const char *cmd = strstr(name, "_CMD_"), *record;

	if (!cmd)
		return NULL;
	record = arena_printf(arena, "%.*s_%s_PARAMS", (int)(cmd - name), name, cmd + strlen("_CMD_"));
	return abi_find_record(abi, record) ? record : NULL;
}

bool resolve_same_type(const struct abi *abi, const char *a, const char *b)
{
	const struct abi_record *x = abi_find_record(abi, a), *y = abi_find_record(abi, b);

	return !strcmp(a, b) || (x && y && *x->source && !strcmp(x->source, y->source));
}

/* The first ioctl of a family and number, or where it would be. */
static size_t first_of_number(const struct abi *abi, const char *family, uint64_t number)
{
	size_t low = 0, high = abi->ioctl_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(abi->ioctls[middle].family, family);

		if (order < 0 || (!order && abi->ioctls[middle].number < number))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_number(const struct abi *abi, size_t index, const char *family, uint64_t number)
{
	return index < abi->ioctl_count && abi->ioctls[index].number == number && !strcmp(abi->ioctls[index].family, family);
}

const struct abi_ioctl *resolve_ioctl(const struct abi *abi, const char *family, uint64_t number, const char *name)
{
	size_t first = first_of_number(abi, family, number);

	for (size_t i = first; name && has_number(abi, i, family, number); i++)
		if (!strcmp(abi->ioctls[i].name, name))
			return &abi->ioctls[i];
	return has_number(abi, first, family, number) ? &abi->ioctls[first] : NULL;
}

int resolve_layout(struct resolved_struct *out, const struct abi *abi, const char *name, struct arena *arena, struct err *err)
{
	const struct abi_record *record = abi_find_record(abi, name);
	const struct abi_alias *alias = record ? NULL : abi_find_alias(abi, name);
	int rc;

	*out = (struct resolved_struct){ .record = record || alias ? name : NULL, .has_layout = record };
	if (record && (rc = flatten_record(&out->layout, abi, name, arena, err)))
		return rc;
	out->size_bytes = record ? record->size_bytes : alias ? alias->size_bytes : 0;
	return 0;
}

static bool is_number(const struct abi_constant *constant, uint64_t number)
{
	return constant && !constant->value.negative && constant->value.magnitude == number;
}

/* Does the base know @name? What is new can be the new name of something. */
static bool base_has(const struct resolver *resolver, const char *family, const char *name)
{
	return abi_find_ioctl(resolver->base, family, name) || abi_find_constant(resolver->base, name);
}

/* Could the parameters @record of @next be those of @entry? */
static int same_parameters(bool *out, const struct resolver *resolver, const struct table_entry *entry, const char *record)
{
	struct resolved_struct was, now;
	int rc;

	*out = !record == !entry->struct_count;
	if (!record || !entry->struct_count)
		return 0;
	if ((rc = resolve_layout(&was, resolver->base, entry->structs[0].driver, resolver->arena, resolver->err)) ||
	    (rc = resolve_layout(&now, resolver->next, record, resolver->arena, resolver->err)))
		return rc;
	*out = !strcmp(record, entry->structs[0].driver) ||
	       (was.has_layout && now.has_layout && layouts_same_bytes(&was.layout, &now.layout));
	return 0;
}

/* An ioctl of @next with the entry's number whose name the base does not know. */
static int renamed_ioctl(const struct abi_ioctl **out, const struct resolver *resolver, const struct table_entry *entry)
{
	const struct abi *next = resolver->next;
	bool same;
	int rc;

	*out = NULL;
	for (size_t i = first_of_number(next, entry->family, entry->number); has_number(next, i, entry->family, entry->number); i++) {
		if (base_has(resolver, entry->family, next->ioctls[i].name))
			continue;
		if ((rc = same_parameters(&same, resolver, entry, next->ioctls[i].params)))
			return rc;
		if (same) {
			*out = &next->ioctls[i];
			return 0;
		}
	}
	return 0;
}

/* A macro of @next with the entry's number that no table lists and the base does not have, and that takes, by its name, the same. */
static int renamed_macro(const struct abi_constant **out, const struct resolver *resolver, const struct table_entry *entry)
{
	const struct abi *next = resolver->next;
	bool same;
	int rc;

	*out = NULL;
	for (size_t i = 0; i < next->constant_count && resolve_is_command(entry->constant); i++) {
		const struct abi_constant *constant = &next->constants[i];

		if (!is_number(constant, entry->number) || !resolve_is_command(constant->name) ||
		    base_has(resolver, entry->family, constant->name) || abi_find_ioctl(next, NULL, constant->name))
			continue;
		if ((rc = same_parameters(&same, resolver, entry, resolve_params_by_name(next, constant->name, resolver->arena))))
			return rc;
		if (same) {
			*out = constant;
			return 0;
		}
	}
	return 0;
}

static int find_number(struct resolved *out, const struct resolver *resolver, const struct table_entry *entry)
{
	const struct abi_constant *was = entry->constant ? abi_find_constant(resolver->base, entry->constant) : NULL, *now, *renamed = NULL;
	const struct abi_ioctl *ioctl;
	int rc;

	out->constant = entry->constant;
	out->number = entry->number;
	if (!is_number(was, entry->number))
		return 0;
	now = abi_find_constant(resolver->next, entry->constant);
	if (now && !now->value.negative && now->value.magnitude <= UINT32_MAX) {
		out->number = now->value.magnitude;
		return 0;
	}
	if ((rc = renamed_ioctl(&ioctl, resolver, entry)) || (!ioctl && (rc = renamed_macro(&renamed, resolver, entry))))
		return rc;
	out->is_gone = !ioctl && !renamed;
	if (ioctl)
		out->constant = abi_find_constant(resolver->next, ioctl->name) ? ioctl->name : NULL;
	else if (renamed)
		out->constant = renamed->name;
	return 0;
}

static bool same_members(const struct abi_record *a, const struct abi_record *b)
{
	if (a->size_bytes != b->size_bytes || a->field_count != b->field_count)
		return false;
	for (size_t i = 0; i < a->field_count; i++)
		if (strcmp(a->fields[i].name, b->fields[i].name) || a->fields[i].offset_bits != b->fields[i].offset_bits)
			return false;
	return true;
}

/* A record whose name is new and whose members are those of @was; NULL if there is none, or more than one. */
static const char *renamed_record(const struct resolver *resolver, const char *was)
{
	const struct abi_record *old = abi_find_record(resolver->base, was), *found = NULL;

	for (size_t i = 0; old && i < resolver->next->record_count; i++) {
		const struct abi_record *one = &resolver->next->records[i];

		if (strstr(one->name, "::") || !same_members(old, one) || abi_find_record(resolver->base, one->name))
			continue;
		if (found && strcmp(found->source, one->source))
			return NULL;
		found = one;
	}
	return found ? found->name : NULL;
}

static bool names(const struct abi *abi, const char *record)
{
	return abi_find_record(abi, record) || abi_find_alias(abi, record);
}

/* What the driver's table says that the ioctl takes now, if it said @was in the base; NULL if it says the same, or nothing. */
static const char *other_parameters(const struct resolver *resolver, const struct table_entry *entry, const struct resolved *resolved,
				    const char *was)
{
	const struct abi_ioctl *before = resolve_ioctl(resolver->base, entry->family, entry->number, entry->constant);
	const char *now = resolved->ioctl ? resolved->ioctl->params : NULL;

	if (!before || !before->params || !now || !resolve_same_type(resolver->base, before->params, was) || !names(resolver->next, now))
		return NULL;
	return names(resolver->next, was) && resolve_same_type(resolver->next, now, was) ? NULL : now;
}

static const char *record_of(const struct resolver *resolver, const struct table_entry *entry, const struct resolved *resolved,
			     const char *was)
{
	const char *other = other_parameters(resolver, entry, resolved, was);

	if (other)
		return other;
	if (names(resolver->next, was) || !names(resolver->base, was))
		return was;
	return renamed_record(resolver, was);
}

static int find_structs(struct resolved *out, const struct resolver *resolver, const struct table_entry *entry)
{
	struct resolved_struct *structs = arena_array(resolver->arena, entry->struct_count + 1, sizeof(*structs));
	int rc = 0;

	for (size_t i = 0; i < entry->struct_count && !rc; i++) {
		const char *record = record_of(resolver, entry, out, entry->structs[i].driver);

		if (record)
			rc = resolve_layout(&structs[i], resolver->next, record, resolver->arena, resolver->err);
	}
	out->structs = structs;
	return rc;
}

int resolve_entry(struct resolved *out, const struct resolver *resolver, const struct table_entry *entry)
{
	struct resolved resolved = { .is_gone = false };
	int rc;

	if ((rc = find_number(&resolved, resolver, entry)))
		return rc;
	if (!resolved.is_gone)
		resolved.ioctl = resolve_ioctl(resolver->next, entry->family, resolved.number, resolved.constant);
	if ((rc = find_structs(&resolved, resolver, entry)))
		return rc;
	*out = resolved;
	return 0;
}
