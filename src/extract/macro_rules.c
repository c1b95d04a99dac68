/*
 * extract/macro_rules.c - decides which macros a profile requests
 *
 * A driver defines a hundred thousand macros, and their names are compared with all patterns of the profile.
 * To make this fast, macro_rules_enter() selects the rules that can match in a file, and the first and the
 * last 8 bytes of a name are compared at once before the glob is.
 */
#include "extract/internal.h"

/* A glob for the names of macros, and the other conditions that a macro must meet. */
struct rule {
	const char *name;
	uint64_t head, head_mask; /* head_of() the text before the first wildcard of `name`, and its bits */
	uint64_t tail, tail_mask; /* tail_of() the text after the last wildcard, and its bits */
	struct profile_strings except; /* globs for names to which the rule does not apply */
	struct profile_strings files;  /* globs for the files whose macros the rule wants; empty: all */
	const struct profile_constant *constant; /* the rule in the profile; NULL for a rule of a family */
	const struct profile_family *family;
	regex_t value;
	bool has_value;
};

struct macro_rules {
	struct rule *rules; /* those of families come before those of constants */
	size_t count;
	const struct rule **active; /* the rules that can match in the current file */
	size_t active_count;
	const char *file, *unit;    /* the file and unit for which `active` was selected */
};

static bool matches_any(const struct profile_strings *globs, struct view text)
{
	for (size_t i = 0; i < globs->count; i++)
		if (glob_matches(globs->item[i], text, false))
			return true;
	return false;
}

/* Returns the first 8 bytes of a text as a number. A shorter text is padded with zeros. */
static uint64_t head_of(const char *text, size_t length)
{
	uint64_t head = 0;

	memcpy(&head, text, length < sizeof(head) ? length : sizeof(head));
	return head;
}

/* Returns the last 8 bytes of a text as a number. Zeros are added before a shorter text. */
static uint64_t tail_of(const char *text, size_t length)
{
	const size_t size = length < sizeof(uint64_t) ? length : sizeof(uint64_t);
	uint64_t tail = 0;

	memcpy((char *)&tail + sizeof(tail) - size, text + length - size, size);
	return tail;
}

/*
 * Adds a rule for names that match @glob to the array of @rules, which has room for the rule. @files: globs
 * for the files of the macros; empty: any. Return: the rule; the caller sets its family or constant.
 */
static struct rule *add_rule(struct macro_rules *rules, const char *glob, struct profile_strings except,
			     struct profile_strings files)
{
	static const char ones[] = "\xff\xff\xff\xff\xff\xff\xff\xff";
	struct rule *rule = &rules->rules[rules->count++];
	const size_t first = strcspn(glob, "*?[\\");
	const char *end = glob + strlen(glob), *last = end; /* the text after the last wildcard */
	size_t rest;

	while (last > glob && !strchr("*?[]\\", last[-1]))
		last--;
	rest = (size_t)(end - last);
	*rule = (struct rule){
		.name = glob,
		.head = head_of(glob, first),
		.head_mask = head_of(ones, first),
		.tail = tail_of(last, rest),
		.tail_mask = tail_of(ones, rest < sizeof(rule->tail) ? rest : sizeof(rule->tail)),
		.except = except,
		.files = files,
	};
	return rule;
}

int macro_rules_new(struct macro_rules **out, const struct profile *profile, struct arena *arena,
		    struct err *err)
{
	static const char *const any[] = { "*" };
	static const struct profile_strings all = { any, 1 }, none = { 0 };
	struct macro_rules *rules = arena_alloc(arena, sizeof(*rules));
	size_t capacity = profile->constant_count; /* an upper bound */
	int rc = 0;

	for (size_t i = 0; i < profile->family_count; i++)
		capacity += profile->families[i].match.count + 1;
	rules->rules = arena_array(arena, capacity, sizeof(*rules->rules));
	rules->active = arena_array(arena, capacity, sizeof(struct rule *));
	for (size_t i = 0; i < profile->family_count; i++) {
		const struct profile_family *family = &profile->families[i];
		const bool is_ioc = family->source == PROFILE_FROM_IOC,
			   has_files = is_ioc || family->source == PROFILE_FROM_CONSTANTS;
		const struct profile_strings *match = is_ioc && !family->match.count ? &all : &family->match;

		for (size_t k = 0; k < match->count && family->source != PROFILE_FROM_ENUM; k++)
			add_rule(rules, match->item[k], family->except, has_files ? family->files : none)
				->family = family;
	}
	for (size_t i = 0; i < profile->constant_count && !rc; i++) {
		const struct profile_constant *constant = &profile->constants[i];
		struct rule *rule;

		if (constant->enumeration)
			continue;
		rule = add_rule(rules, constant->name, constant->except,
				(struct profile_strings){ &constant->file, constant->file != NULL });
		rule->constant = constant;
		rc = pattern_compile(&rule->value, &rule->has_value, constant->value, err);
	}
	if (rc)
		macro_rules_free(rules);
	else
		*out = rules;
	return rc;
}

void macro_rules_free(struct macro_rules *rules)
{
	for (size_t i = 0; rules && i < rules->count; i++)
		if (rules->rules[i].has_value)
			regfree(&rules->rules[i].value);
}

void macro_rules_enter(struct macro_rules *rules, const char *file, const char *unit)
{
	const struct view path = view_of(file);

	if (file == rules->file && unit == rules->unit)
		return;
	rules->file = file;
	rules->unit = unit;
	rules->active_count = 0;
	for (size_t i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->rules[i];

		if ((rule->files.count && !matches_any(&rule->files, path)) ||
		    (rule->family && rule->family->unit && strcmp(rule->family->unit, unit)))
			continue;
		rules->active[rules->active_count++] = rule;
	}
}

/* Checks whether @rule is for macros called @name. @head: head_of(@name); @tail: tail_of(@name) */
static bool matches_name(const struct rule *rule, struct view name, uint64_t head, uint64_t tail)
{
	return (head & rule->head_mask) == rule->head && (tail & rule->tail_mask) == rule->tail &&
	       glob_matches(rule->name, name, false) &&
	       !matches_any(&rule->except, name);
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

	return !macro_is_call(text) && macro_can_be_number(text) && macro_next_name(&name, &text);
}

/* Checks whether the text of @define can use an _IO() macro. A definition of an _IO() macro does not. */
static bool may_use_io_macro(const struct define *define, const char *text)
{
	struct view call;

	if (define->parameters.at)
		return macro_is_call(text) && !view_starts_with(define->name, "_IO");
	return macro_is_name(text) || macro_is_call(text) || has_call_inside(&call, text) ||
	       names_macros(text);
}

/*
 * Sets out->purpose to what the current rules want @define for, and out->text to the body without comments,
 * unless no rule matches the name. Return: as macro_rules_apply().
 */
static enum macro_verdict find_purpose(struct macro_definition *out, const struct macro_rules *rules,
				       const struct define *define, struct arena *arena)
{
	const uint64_t head = head_of(define->name.at, define->name.length);
	const uint64_t tail = tail_of(define->name.at, define->name.length);
	struct macro_purpose *purpose = &out->purpose;
	enum macro_verdict verdict = MACRO_UNKNOWN;

	for (size_t i = 0; i < rules->active_count && !purpose->constant; i++) {
		const struct rule *rule = rules->active[i];

		if ((define->parameters.at && !is_from_ioc(rule)) ||
		    !matches_name(rule, define->name, head, tail))
			continue;
		if (!out->text)
			out->text = lexer_join(define->body, false, arena);
		if (is_from_ioc(rule)) { /* clang decides whether the text is the number of an ioctl */
			purpose->ask_ioc = purpose->ask_ioc || may_use_io_macro(define, out->text);
			continue;
		}
		verdict = MACRO_REJECTED;
		if (rule->family) {
			purpose->family = true;
			purpose->number = purpose->number || rule->family->source == PROFILE_FROM_CONSTANTS;
			purpose->ask_ioc = purpose->ask_ioc || rule->family->ioc.is_encoded;
		} else if (rule->constant->is_extra) { /* these rules come after all others */
			purpose->extra = true;
		} else {
			purpose->constant = !rule->has_value || !regexec(&rule->value, out->text, 0, NULL, 0);
		}
	}
	purpose->extra = purpose->extra && !purpose->constant;
	if (purpose->constant || purpose->family || purpose->ask_ioc || purpose->extra)
		verdict = MACRO_WANTED;
	return verdict;
}

/* Sets out->parameters, "ev,len", and out->parameter_count from @list, "ev, len". Return: false if none. */
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
	return out->parameter_count;
}

enum macro_verdict macro_rules_apply(struct macro_definition *out, struct macro_rules *rules,
				     const struct define *define, struct arena *arena)
{
	struct macro_definition definition = { 0 };
	enum macro_verdict verdict = find_purpose(&definition, rules, define, arena);
	const char *text = definition.text, **names, *at;
	struct view view;

	if (verdict != MACRO_WANTED)
		return verdict;
	definition.name = arena_strndup(arena, define->name.at, define->name.length);
	definition.shown = lexer_join(define->body, true, arena);
	if (definition.purpose.ask_ioc && !define->parameters.at && has_call_inside(&view, text))
		definition.call = arena_strndup(arena, view.at, view.length);
	if (definition.purpose.ask_ioc && !define->parameters.at && names_macros(text)) {
		for (at = text; macro_next_name(&view, &at);)
			definition.names.count++;
		definition.names.item = names = arena_array(arena, definition.names.count, sizeof(*names));
		for (at = text; macro_next_name(&view, &at);)
			*names++ = arena_strndup(arena, view.at, view.length);
	}
	if (define->parameters.at && !read_parameters(&definition, define->parameters, arena))
		return MACRO_REJECTED;
	*out = definition;
	return MACRO_WANTED;
}
