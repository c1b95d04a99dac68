#include "extract/macro_rules.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* How a glob begins: what stands before its first wildcard. */
struct prefix {
	const char *text;
	size_t length;
};

struct rule {
	const struct profile_constant *constant;
	struct profile_strings name, file; /* one glob each, for profile_matches() */
	regex_t value;
	bool has_value;
};

struct macro_rules {
	const struct profile *profile;
	struct prefix *prefixes;
	size_t prefix_count;
	struct rule *rules;
	size_t rule_count;
};

static void add_prefix(struct macro_rules *rules, const char *glob)
{
	rules->prefixes[rules->prefix_count++] = (struct prefix){ glob, strcspn(glob, "*?[\\") };
}

static void collect_prefixes(struct macro_rules *rules, struct arena *arena)
{
	const struct profile *profile = rules->profile;
	size_t count = profile->constant_count, i, j;

	for (i = 0; i < profile->family_count; i++)
		count += profile->families[i].match.count;
	rules->prefixes = arena_array(arena, count, sizeof(*rules->prefixes));
	for (i = 0; i < profile->constant_count; i++)
		add_prefix(rules, profile->constants[i].name);
	for (i = 0; i < profile->family_count; i++)
		for (j = 0; j < profile->families[i].match.count; j++)
			add_prefix(rules, profile->families[i].match.item[j]);
}

static int compile_rule(struct rule *rule, const struct profile_constant *constant, struct err *err)
{
	char text[256];
	int code;

	rule->constant = constant;
	rule->name = (struct profile_strings){ &constant->name, 1 };
	rule->file = (struct profile_strings){ &constant->file, constant->file ? 1 : 0 };
	if (!constant->value)
		return 0;
	code = regcomp(&rule->value, constant->value, REG_EXTENDED | REG_NOSUB);
	if (code) {
		regerror(code, &rule->value, text, sizeof(text));
		return err_set(err, ERR_FORMAT, "the value pattern \"%s\" of the profile's rule for constants %s is no regular expression: %s",
			       constant->value, constant->name, text);
	}
	rule->has_value = true;
	return 0;
}

int macro_rules_new(struct macro_rules **out, const struct profile *profile, struct arena *arena, struct err *err)
{
	struct macro_rules *rules = arena_alloc(arena, sizeof(*rules));
	int rc;

	rules->profile = profile;
	rules->rules = arena_array(arena, profile->constant_count, sizeof(*rules->rules));
	collect_prefixes(rules, arena);
	for (; rules->rule_count < profile->constant_count; rules->rule_count++) {
		rc = compile_rule(&rules->rules[rules->rule_count], &profile->constants[rules->rule_count], err);
		if (rc) {
			macro_rules_free(rules);
			return rc;
		}
	}
	*out = rules;
	return 0;
}

void macro_rules_free(struct macro_rules *rules)
{
	size_t i;

	for (i = 0; rules && i < rules->rule_count; i++)
		if (rules->rules[i].has_value)
			regfree(&rules->rules[i].value);
}

bool macro_rules_may_match(const struct macro_rules *rules, struct view name)
{
	size_t i;

	for (i = 0; i < rules->prefix_count; i++) {
		const struct prefix *prefix = &rules->prefixes[i];

		if (prefix->length <= name.length && !memcmp(prefix->text, name.at, prefix->length))
			return true;
	}
	return false;
}

static bool rule_matches(const struct rule *rule, const char *name, const char *file)
{
	return profile_matches(&rule->name, name) && (!rule->file.count || profile_matches(&rule->file, file)) &&
	       !profile_matches(&rule->constant->except, name);
}

bool macro_rules_is_constant(const struct macro_rules *rules, const char *name, const char *file, struct view body,
			     struct arena *arena)
{
	const char *text = NULL;
	size_t i;

	for (i = 0; i < rules->rule_count; i++) {
		const struct rule *rule = &rules->rules[i];

		if (!rule_matches(rule, name, file))
			continue;
		if (rule->has_value && !text)
			text = scan_join(body, false, arena);
		if (!rule->has_value || !regexec(&rule->value, text, 0, NULL, 0))
			return true;
	}
	return false;
}

bool macro_rules_in_family(const struct macro_rules *rules, const char *name, const char *unit)
{
	size_t i;

	for (i = 0; i < rules->profile->family_count; i++) {
		const struct profile_family *family = &rules->profile->families[i];

		if ((!family->unit || !strcmp(family->unit, unit)) && profile_matches(&family->match, name) &&
		    !profile_matches(&family->except, name))
			return true;
	}
	return false;
}
