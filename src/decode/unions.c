/* Which member of a union is valid, by another field of the record: the rules of "drvabi-use/1". */
#include "decode/call.h"

#include <string.h>

static bool matches(const struct union_rule *rule, const struct abi *abi, const char *record)
{
	return !strcmp(rule->record, record) && call_holds_in(rule->versions, rule->version_count, abi);
}

const struct union_rule *call_union_rule(const struct union_rules *rules, const struct abi *abi, const char *record, const char *field)
{
	for (size_t i = 0; rules && i < rules->count; i++)
		if (!strcmp(rules->rules[i].field, field) && matches(&rules->rules[i], abi, record))
			return &rules->rules[i];
	return NULL;
}

const struct union_rule *call_selector_rule(const struct union_rules *rules, const struct abi *abi, const char *record, const char *field)
{
	for (size_t i = 0; rules && i < rules->count; i++)
		if (!strcmp(rules->rules[i].by, field) && matches(&rules->rules[i], abi, record))
			return &rules->rules[i];
	return NULL;
}

const struct union_choice *call_choice(const struct union_rule *rule, uint64_t value)
{
	for (size_t i = 0; i < rule->choice_count; i++)
		if (rule->choices[i].value == value)
			return &rule->choices[i];
	return NULL;
}
