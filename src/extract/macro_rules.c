/*
 * extract/macro_rules.c - decides which macros a profile requests
 *
 * A driver defines a hundred thousand macros, and their names are compared with all patterns of the profile.
 * To make this fast, each pattern is prepared once, and macro_rules_enter() selects the rules that can match
 * in a file.
 */
#include "extract/internal.h"

#include "base/base.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A glob for the names of macros, and the other conditions that a macro must meet. */
struct rule {
	uint64_t head, head_mask; /* the literal text at the beginning of the glob, up to 8 bytes */
	struct name_glob name, file;
	struct name_glob *except; /* globs for names to which the rule does not apply */
	size_t except_count;
	struct name_glob *files;  /* globs for the files whose macros the family uses; if empty, of all
				     files */
	size_t files_count;
	const struct profile_constant *constant; /* the rule in the profile; NULL for a rule of a family */
	const struct profile_family *family;
	regex_t value;
	bool has_file, has_value;
};

struct macro_rules {
	struct rule *rules;
	size_t count;
	const struct rule **active; /* the rules that can match in the current file */
	size_t active_count;
	const char *file, *unit;    /* the file and unit for which `active` was selected */
};

static size_t count_rules(const struct profile *profile)
{
	size_t count = profile->constant_count, i; /* an upper bound, because rules for enumerators are not
						      added */

	for (i = 0; i < profile->family_count; i++)
		if (profile->families[i].source != PROFILE_FROM_ENUM)
			count += profile->families[i].match.count + 1;
	return count;
}

/* Returns the first 8 bytes of a name as one number, padded with zeros. */
static uint64_t head_of(const char *text, size_t length)
{
	uint64_t head = 0;

	memcpy(&head, text, length < sizeof(head) ? length : sizeof(head));
	return head;
}

/* Prepares globs for matching. Return: an array in @arena, with one item for each of @globs. */
static struct name_glob *split_globs(const struct profile_strings *globs, struct arena *arena)
{
	struct name_glob *split = arena_array(arena, globs->count, sizeof(*split));

	for (size_t i = 0; i < globs->count; i++)
		name_glob_init(&split[i], globs->item[i], arena);
	return split;
}

static bool matches_any(const struct name_glob *globs, size_t count, struct view text)
{
	for (size_t i = 0; i < count; i++)
		if (name_glob_matches(&globs[i], text))
			return true;
	return false;
}

static void set_names(struct rule *rule, const char *glob, const struct profile_strings *except,
		      struct arena *arena)
{
	const uint64_t ones = UINT64_MAX;

	name_glob_init(&rule->name, glob, arena);
	rule->head = head_of(glob, rule->name.literal);
	rule->head_mask = head_of((const char *)&ones, rule->name.literal);
	rule->except = split_globs(except, arena);
	rule->except_count = except->count;
}

static int add_constant(struct macro_rules *rules, const struct profile_constant *constant,
			struct arena *arena, struct err *err)
{
	struct rule *rule = &rules->rules[rules->count++];

	rule->constant = constant;
	set_names(rule, constant->name, &constant->except, arena);
	rule->has_file = constant->file != NULL;
	if (rule->has_file)
		name_glob_init(&rule->file, constant->file, arena);
	return pattern_compile(&rule->value, &rule->has_value, constant->value, err);
}

int macro_rules_new(struct macro_rules **out, const struct profile *profile, struct arena *arena,
		    struct err *err)
{
	static const char *const any[] = { "*" };
	const struct profile_strings all = { any, 1 };
	struct macro_rules *rules = arena_alloc(arena, sizeof(*rules));
	int rc;

	rules->rules = arena_array(arena, count_rules(profile), sizeof(*rules->rules));
	rules->active = arena_array(arena, count_rules(profile), sizeof(struct rule *));
	for (size_t i = 0; i < profile->family_count; i++) {
		const struct profile_family *family = &profile->families[i];
		const bool is_ioc = family->source == PROFILE_FROM_IOC;
		const struct profile_strings *match = is_ioc && !family->match.count ? &all : &family->match;

		for (size_t k = 0; k < match->count && family->source != PROFILE_FROM_ENUM; k++) {
			struct rule *rule = &rules->rules[rules->count++];

			rule->family = family;
			set_names(rule, match->item[k], &family->except, arena);
			if (is_ioc || family->source == PROFILE_FROM_CONSTANTS) {
				rule->files = split_globs(&family->files, arena);
				rule->files_count = family->files.count;
			}
		}
	}
	for (size_t i = 0; i < profile->constant_count; i++) {
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
		    (rule->files_count && !matches_any(rule->files, rule->files_count, path)) ||
		    (rule->family && rule->family->unit && strcmp(rule->family->unit, unit)))
			continue;
		rules->active[rules->active_count++] = rule;
	}
}

/* Checks whether @name matches @rule. @head: head_of(@name) */
static bool matches_macro_rule(const struct rule *rule, struct view name, uint64_t head)
{
	if ((head & rule->head_mask) != rule->head)
		return false;
	if (rule->name.literal <= sizeof(head)
		    ? name.length < rule->name.literal || !name_glob_matches_rest(&rule->name, name)
		    : !name_glob_matches(&rule->name, name))
		return false;
	return !matches_any(rule->except, rule->except_count, name);
}

static bool is_from_ioc(const struct rule *rule)
{
	return rule->family && rule->family->source == PROFILE_FROM_IOC;
}

bool macro_rules_want_functions(const struct macro_rules *rules)
{
	for (size_t i = 0; i < rules->active_count; i++)
		if (is_from_ioc(rules->active[i]))
			return true;
	return false;
}

/*
 * Checks whether @text is more than a name or a call, and contains a call. @call is set to the first call in
 * it, whose value is requested separately.
 */
static bool has_call_inside(struct view *call, const char *text)
{
	return !macro_is_name(text) && !macro_is_call(text) && macro_is_balanced(text) &&
	       !strchr(text, '"') && macro_first_call(call, text);
}

/* Checks whether the value of @text can depend on macros that it names outside of calls. */
static bool names_macros(const char *text)
{
	struct view name;

	return !macro_is_call(text) && macro_form_of(text) == MACRO_NAMES && macro_next_name(&name, &text);
}

/* Checks whether the text of @define can use _IO() or a similar macro. */
static bool may_be_made(const struct define *define, const char *text)
{
	struct view call;

	if (define->parameters.at)
		return macro_is_call(text) && !view_starts_with(define->name, "_IO");
	return macro_is_name(text) || macro_is_call(text) || has_call_inside(&call, text) ||
	       names_macros(text);
}

/*
 * Sets @out to the purposes for which the rules want @define. The body without comments is copied to @arena
 * if a rule needs it.
 */
static enum macro_verdict find_purpose(struct macro_purpose *out, const struct macro_rules *rules,
				       const struct define *define, struct arena *arena)
{
	const uint64_t head = head_of(define->name.at, define->name.length);
	enum macro_verdict verdict = MACRO_UNKNOWN;
	struct macro_purpose purpose = { 0 };
	const char *text = NULL;
	size_t i;

	for (i = 0; i < rules->active_count && !purpose.constant; i++) { /* the rules of families come before
									    those of constants */
		const struct rule *rule = rules->active[i];

		if ((define->parameters.at && !is_from_ioc(rule)) ||
		    !matches_macro_rule(rule, define->name, head))
			continue;
		if (!text && (rule->has_value || is_from_ioc(rule)))
			text = lexer_join(define->body, false, arena);
		if (is_from_ioc(rule)) { /* if the text can be an ioctl, clang is asked whether it uses an
					    _IO() macro */
			purpose.kind = purpose.kind || may_be_made(define, text);
			continue;
		}
		verdict = MACRO_REJECTED;
		if (rule->family) {
			purpose.family = true;
			purpose.number = purpose.number || rule->family->source == PROFILE_FROM_CONSTANTS;
			purpose.kind = purpose.kind || rule->family->ioc.is_encoded;
			continue;
		}
		if (rule->constant->is_extra) { /* the rules of profile_want_constants() come after all
						   others */
			purpose.extra = true;
			continue;
		}
		purpose.constant = !rule->has_value || !regexec(&rule->value, text, 0, NULL, 0);
	}
	purpose.extra = purpose.extra && !purpose.constant;
	*out = purpose;
	return purpose.constant || purpose.family || purpose.kind || purpose.extra ? MACRO_WANTED : verdict;
}

/*
 * Sets out->parameters to the parameters in @list, without blanks: "ev,len" for "ev, len". Return: false if
 * @list is not a list of names.
 */
static bool read_parameters(struct macro_definition *out, struct view list, struct arena *arena)
{
	const char *text = lexer_join(list, false, arena);
	struct view rest = view_trim(view_of(text)), name;
	struct strbuf names = { 0 };
	bool goes_on = true;

	while (goes_on && view_cut_name(&name, &rest)) {
		strbuf_addf(&names, "%s%.*s", names.length ? "," : "", (int)name.length, name.at);
		out->parameter_count++;
		goes_on = view_cut(&rest, ",");
	}
	out->parameters = strbuf_take(&names, arena);
	return out->parameter_count && !goes_on && !rest.length;
}

enum macro_verdict macro_rules_apply(struct macro_definition *out, struct macro_rules *rules,
				     const struct define *define, struct arena *arena)
{
	struct macro_purpose purpose;
	enum macro_verdict verdict = find_purpose(&purpose, rules, define, arena);
	struct view view;

	if (verdict != MACRO_WANTED)
		return verdict;
	*out = (struct macro_definition){
		.name = arena_strndup(arena, define->name.at, define->name.length),
		.text = lexer_join(define->body, false, arena),
		.shown = lexer_join(define->body, true, arena),
		.line = define->line,
		.purpose = purpose,
	};
	if (purpose.kind && !define->parameters.at && has_call_inside(&view, out->text))
		out->call = arena_strndup(arena, view.at, view.length);
	if (purpose.kind && !define->parameters.at && names_macros(out->text)) {
		const char **names, *at;

		for (at = out->text; macro_next_name(&view, &at);)
			out->name_count++;
		out->names = names = arena_array(arena, out->name_count, sizeof(*names));
		for (at = out->text; macro_next_name(&view, &at);)
			*names++ = arena_strndup(arena, view.at, view.length);
	}
	if (define->parameters.at && !read_parameters(out, define->parameters, arena))
		return verdict;
	return MACRO_WANTED;
}
