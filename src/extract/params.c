#include "extract/params.h"

#include <ctype.h>
#include <fnmatch.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* A rule with its expressions compiled. */
struct params_rule {
	const struct profile_params *params;
	regex_t body;
	regex_t name;
	bool has_body; /* body is compiled */
	bool has_name;
};

static int params_compile_one(regex_t *out, bool *has, const char *pattern, struct err *err)
{
	char why[256];
	int code;

	if (!pattern)
		return 0;
	code = regcomp(out, pattern, REG_EXTENDED);
	if (code) {
		regerror(code, out, why, sizeof(why));
		return err_set(err, ERR_FORMAT, "the profile's regular expression \"%s\" is malformed: %s", pattern, why);
	}
	*has = true;
	return 0;
}

void params_rules_release(struct params_rules *params)
{
	for (size_t i = 0; i < params->count; i++) {
		if (params->rules[i].has_body)
			regfree(&params->rules[i].body);
		if (params->rules[i].has_name)
			regfree(&params->rules[i].name);
	}
	free(params->rules);
	*params = (struct params_rules){ 0 };
}

int params_rules_compile(struct params_rules *out, const struct profile_family *family, struct err *err)
{
	int rc = 0;

	*out = (struct params_rules){ .rules = xmalloc((family->param_count + 1) * sizeof(*out->rules)) };
	for (size_t i = 0; i < family->param_count && !rc; i++) {
		struct params_rule *rule = &out->rules[out->count++];

		*rule = (struct params_rule){ .params = &family->params[i] };
		rc = params_compile_one(&rule->body, &rule->has_body, rule->params->regex, err);
		if (!rc)
			rc = params_compile_one(&rule->name, &rule->has_name, rule->params->name_regex, err);
	}
	return rc;
}

/* Does the rule apply? @group: what its expression's first group matched, empty if there is none. */
static bool params_applies(const struct params_rule *rule, const struct ioctl_candidate *member, char group[256])
{
	regmatch_t match[2] = { { -1, -1 }, { -1, -1 } };
	const char *text = member->name;
	size_t length;

	group[0] = '\0';
	if (rule->params->ioctl && fnmatch(rule->params->ioctl, member->name, 0))
		return false;
	if (rule->has_name && regexec(&rule->name, member->name, 2, match, 0))
		return false;
	if (rule->has_body) {
		text = member->body;
		if (regexec(&rule->body, text, 2, match, 0))
			return false;
	}
	if (match[1].rm_so < 0)
		return true;
	length = (size_t)(match[1].rm_eo - match[1].rm_so);
	if (length >= 256)
		return false;
	memcpy(group, text + match[1].rm_so, length);
	group[length] = '\0';
	return true;
}

static void params_put(struct strbuf *out, const char *text, bool is_lower)
{
	for (; *text; text++)
		strbuf_addch(out, is_lower ? (char)tolower((unsigned char)*text) : *text);
}

/* @pattern with the ioctl's name in place of "\\0" and the group of the expression in place of "\\1"; "\\l0" and "\\l1" are the same in lower case. */
static const char *params_expand(const char *pattern, const char *name, const char *group, struct arena *arena)
{
	struct strbuf out = { 0 };
	const char *expanded;

	for (; *pattern; pattern++) {
		bool is_lower = pattern[0] == '\\' && pattern[1] == 'l';
		char which = pattern[0] == '\\' ? pattern[1 + is_lower] : '\0';

		if (which != '0' && which != '1') {
			strbuf_addch(&out, *pattern);
			continue;
		}
		params_put(&out, which == '0' ? name : group, is_lower);
		pattern += 1 + is_lower;
	}
	expanded = arena_strdup(arena, strbuf_text(&out));
	strbuf_release(&out);
	return expanded;
}

const char *params_rules_find(const struct params_rules *params, const struct ioctl_candidate *member,
				const struct abi_builder *builder, struct arena *arena)
{
	char group[256];

	for (size_t i = 0; i < params->count; i++) {
		const char *record;

		if (!params_applies(&params->rules[i], member, group))
			continue;
		record = params_expand(params->rules[i].params->record, member->name, group, arena);
		if (!*record)
			return NULL;
		if (abi_builder_has_record(builder, record) || abi_builder_has_alias(builder, record))
			return record;
	}
	return NULL;
}

int params_of_macro(const char **out, const struct family_context *context, const struct macro *macro, struct err *err)
{
	const struct ioctl_candidate member = { .name = macro->name, .body = macro->body ? macro->body : "", .source = "", .value = macro->value };
	struct params_rules params;
	int rc = params_rules_compile(&params, context->family, err);

	if (!rc)
		*out = params_rules_find(&params, &member, context->builder, context->arena);
	params_rules_release(&params);
	return rc;
}
