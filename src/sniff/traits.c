#include "sniff/traits.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 16 };

static bool has_fds(const struct abi *abi, const struct abi_record *record, unsigned depth)
{
	struct abi_type type;

	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		if (field->role == ABI_ROLE_FD)
			return true;
		if (depth < DEPTH_MAX && !abi_resolve_type(&type, abi, field->type, NULL) && type.record && has_fds(abi, type.record, depth + 1))
			return true;
	}
	return false;
}

static bool has_pointers(const struct pointer_rules *rules, const char *record)
{
	for (size_t i = 0; i < rules->count; i++)
		if (!strcmp(rules->rules[i].record, record))
			return true;
	return false;
}

static bool find_inner_pointer(struct call_field *out, const struct abi *abi, const struct call *call)
{
	const struct call_rule *rule = call->ioctl ? call_rule_of(call->ioctl, call->record) : NULL;

	return rule && call_field_find(out, abi, call->record, rule->pointer);
}

const struct trait *traits_of(struct traits *traits, const struct call *call)
{
	const struct trait wanted = { .key = { call->ioctl, call->record } };
	const struct abi_record *found;
	struct trait *trait;

	HASH_FIND(hh, traits->found, &wanted.key, sizeof(wanted.key), trait);
	if (trait)
		return trait;
	trait = xmalloc(sizeof(*trait));
	found = abi_find_record(traits->abi, call->record);
	*trait = (struct trait){ .key = wanted.key, .has_fds = found && has_fds(traits->abi, found, 0),
				 .has_pointers = has_pointers(traits->rules, call->record) };
	trait->is_envelope = find_inner_pointer(&trait->inner_pointer, traits->abi, call);
	HASH_ADD(hh, traits->found, key, sizeof(trait->key), trait);
	return trait;
}

void traits_release(struct traits *traits)
{
	struct trait *trait, *next;

	HASH_ITER(hh, traits->found, trait, next) {
		HASH_DEL(traits->found, trait);
		free(trait);
	}
}
