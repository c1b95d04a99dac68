#include "extract/macro_rules.h"

#include "ctext/ctext.h"

#include <regex.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One glob over names, and the conditions under which it wants a name. */
struct rule {
	uint64_t head, head_mask; /* what a name must begin with, as far as it fits */
	struct name_glob name, file;
	struct name_glob *except; /* names that it does not want */
	size_t except_count;
	const struct profile_constant *constant; /* or */
	const struct profile_family *family;
	regex_t value;
	bool has_file, has_value;
};

struct macro_rules {
	struct rule *rules;
	size_t count;
	const struct rule **active; /* those that can match in the current file */
	size_t active_count;
	const char *file, *unit;    /* for which they are active */
};

static size_t count_rules(const struct profile *profile)
{
	size_t count = profile->constant_count, i; /* more than there are, where some are about enumerators */

	for (i = 0; i < profile->family_count; i++)
		if (profile->families[i].source != PROFILE_FROM_ENUM)
			count += profile->families[i].match.count;
	return count;
}

/* The first bytes of a name as one number; a shorter one is filled up with zeros. */
static uint64_t head_of(const char *text, size_t length)
{
	uint64_t head = 0;

	memcpy(&head, text, length < sizeof(head) ? length : sizeof(head));
	return head;
}

static void set_names(struct rule *rule, const char *glob, const struct profile_strings *except, struct arena *arena)
{
	const uint64_t ones = UINT64_MAX;

	name_glob_init(&rule->name, glob, arena);
	rule->head = head_of(glob, rule->name.literal);
	rule->head_mask = head_of((const char *)&ones, rule->name.literal);
	rule->except = arena_array(arena, except->count, sizeof(*rule->except));
	for (; rule->except_count < except->count; rule->except_count++)
		name_glob_init(&rule->except[rule->except_count], except->item[rule->except_count], arena);
}

static int add_constant(struct macro_rules *rules, const struct profile_constant *constant, struct arena *arena, struct err *err)
{
	struct rule *rule = &rules->rules[rules->count];
	char text[256];
	int code;

	rule->constant = constant;
	set_names(rule, constant->name, &constant->except, arena);
	rule->has_file = constant->file != NULL;
	if (rule->has_file)
		name_glob_init(&rule->file, constant->file, arena);
	if (constant->value && (code = regcomp(&rule->value, constant->value, REG_EXTENDED | REG_NOSUB))) {
		regerror(code, &rule->value, text, sizeof(text));
		return err_set(err, ERR_FORMAT, "the value pattern \"%s\" of the profile's rule for constants %s is no regular expression: %s",
			       constant->value, constant->name, text);
	}
	rule->has_value = constant->value != NULL;
	rules->count++;
	return 0;
}

static void add_family(struct macro_rules *rules, const struct profile_family *family, struct arena *arena)
{
	size_t i;

	for (i = 0; i < family->match.count; i++) {
		struct rule *rule = &rules->rules[rules->count++];

		rule->family = family;
		set_names(rule, family->match.item[i], &family->except, arena);
	}
}

int macro_rules_new(struct macro_rules **out, const struct profile *profile, struct arena *arena, struct err *err)
{
	struct macro_rules *rules = arena_alloc(arena, sizeof(*rules));
	size_t i;
	int rc;

	rules->rules = arena_array(arena, count_rules(profile), sizeof(*rules->rules));
	rules->active = arena_array(arena, count_rules(profile), sizeof(struct rule *));
	for (i = 0; i < profile->family_count; i++)
		if (profile->families[i].source != PROFILE_FROM_ENUM)
			add_family(rules, &profile->families[i], arena);
	for (i = 0; i < profile->constant_count; i++) {
		if (profile->constants[i].enumeration)
			continue;
		if ((rc = add_constant(rules, &profile->constants[i], arena, err))) {
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

	for (i = 0; rules && i < rules->count; i++)
		if (rules->rules[i].has_value)
			regfree(&rules->rules[i].value);
}

void macro_rules_enter(struct macro_rules *rules, const char *file, const char *unit)
{
	const struct view path = { file, strlen(file) };
	size_t i;

	if (file == rules->file && unit == rules->unit)
		return;
	rules->file = file;
	rules->unit = unit;
	rules->active_count = 0;
	for (i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->rules[i];

		if ((rule->has_file && !name_glob_matches(&rule->file, path)) ||
		    (rule->family && rule->family->unit && strcmp(rule->family->unit, unit)))
			continue;
		rules->active[rules->active_count++] = rule;
	}
}

/* @head: the first bytes of @name. */
static bool matches(const struct rule *rule, struct view name, uint64_t head)
{
	size_t i;

	if ((head & rule->head_mask) != rule->head)
		return false;
	if (rule->name.literal <= sizeof(head) ? name.length < rule->name.literal || !name_glob_matches_rest(&rule->name, name) :
						 !name_glob_matches(&rule->name, name))
		return false;
	for (i = 0; i < rule->except_count; i++)
		if (name_glob_matches(&rule->except[i], name))
			return false;
	return true;
}

/* Who wants @define? @arena: for its readable form, if a rule looks at it. */
static enum macro_verdict wish_for(struct macro_wish *out, const struct macro_rules *rules, const struct define *define,
				   struct arena *arena)
{
	const uint64_t head = head_of(define->name.at, define->name.length);
	enum macro_verdict verdict = MACRO_UNKNOWN;
	struct macro_wish wish = { 0 };
	const char *text = NULL;
	size_t i;

	for (i = 0; i < rules->active_count && !wish.constant; i++) {
		const struct rule *rule = rules->active[i];

		if (!matches(rule, define->name, head))
			continue;
		verdict = MACRO_REJECTED;
		if (rule->family) {
			wish.family = true;
			wish.number = wish.number || rule->family->source == PROFILE_FROM_CONSTANTS;
			continue;
		}
		if (rule->has_value && !text)
			text = lexer_join(define->body, false, arena);
		wish.constant = !rule->has_value || !regexec(&rule->value, text, 0, NULL, 0);
	}
	*out = wish;
	return wish.constant || wish.family || wish.number ? MACRO_WANTED : verdict;
}

enum macro_verdict macro_rules_apply(struct macro_definition *out, struct macro_rules *rules, const struct define *define,
		      struct arena *arena)
{
	struct macro_wish wish;
	enum macro_verdict verdict = wish_for(&wish, rules, define, arena);

	if (verdict != MACRO_WANTED)
		return verdict;
	*out = (struct macro_definition){
		.name = arena_strndup(arena, define->name.at, define->name.length),
		.text = lexer_join(define->body, false, arena),
		.shown = lexer_join(define->body, true, arena),
		.line = define->line,
		.wish = wish,
	};
	return MACRO_WANTED;
}
