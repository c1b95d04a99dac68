#include "extract/surface_tables.h"

#include "extract/dispatch.h"

#include <fnmatch.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* A rule with its expressions compiled. */
struct constants_rule {
	const struct profile_params *params;
	regex_t body;
	regex_t name;
	bool has_body; /* body is compiled */
	bool has_name;
};

struct constants_rules {
	struct constants_rule *items;
	size_t count;
};

static int constants_compile_one(regex_t *out, bool *has, const char *pattern, struct err *err)
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

static void constants_free_rules(struct constants_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		if (rules->items[i].has_body)
			regfree(&rules->items[i].body);
		if (rules->items[i].has_name)
			regfree(&rules->items[i].name);
	}
	free(rules->items);
	*rules = (struct constants_rules){ 0 };
}

/* @out is to be freed, also on failure. */
static int constants_compile(struct constants_rules *out, const struct profile_family *family, struct err *err)
{
	int rc = 0;

	*out = (struct constants_rules){ .items = xmalloc((family->param_count + 1) * sizeof(*out->items)) };
	for (size_t i = 0; i < family->param_count && !rc; i++) {
		struct constants_rule *rule = &out->items[out->count++];

		*rule = (struct constants_rule){ .params = &family->params[i] };
		rc = constants_compile_one(&rule->body, &rule->has_body, rule->params->regex, err);
		if (!rc)
			rc = constants_compile_one(&rule->name, &rule->has_name, rule->params->name_regex, err);
	}
	return rc;
}

/* Does the rule apply? @group: what its expression's first group matched, empty if there is none. */
static bool constants_applies(const struct constants_rule *rule, const struct macro *macro, char group[256])
{
	regmatch_t match[2] = { { -1, -1 }, { -1, -1 } };
	const char *text = macro->name;
	size_t length;

	group[0] = '\0';
	if (rule->params->ioctl && fnmatch(rule->params->ioctl, macro->name, 0))
		return false;
	if (rule->has_name && regexec(&rule->name, macro->name, 2, match, 0))
		return false;
	if (rule->has_body) {
		text = macro->body ? macro->body : "";
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

/* "\\0_PARAMS" and its kin with the macro's name and the group put in. */
static const char *constants_expand(const char *pattern, const struct macro *macro, const char *group,
				    struct arena *arena)
{
	struct strbuf out = { 0 };
	const char *expanded;

	for (; *pattern; pattern++) {
		if (pattern[0] == '\\' && pattern[1] == '0')
			strbuf_adds(&out, macro->name);
		else if (pattern[0] == '\\' && pattern[1] == '1')
			strbuf_adds(&out, group);
		else
			strbuf_addch(&out, *pattern);
		if (pattern[0] == '\\' && (pattern[1] == '0' || pattern[1] == '1'))
			pattern++;
	}
	expanded = arena_strdup(arena, strbuf_text(&out));
	strbuf_release(&out);
	return expanded;
}

/* NULL if no rule gives a record or alias that exists, or a rule says that there is none (""). */
static const char *constants_params(const struct constants_rules *rules, const struct macro *macro,
				    const struct abi_builder *builder, struct arena *arena)
{
	char group[256];

	for (size_t i = 0; i < rules->count; i++) {
		const char *record;

		if (!constants_applies(&rules->items[i], macro, group))
			continue;
		record = constants_expand(rules->items[i].params->record, macro, group, arena);
		if (!*record)
			return NULL;
		if (abi_builder_has_record(builder, record) || abi_builder_has_alias(builder, record))
			return record;
	}
	return NULL;
}

/* The first unit that has a value for a name speaks for it. */
static bool constants_wanted(const struct profile_family *family, const struct macro_index *macros,
			     const struct macro *macro)
{
	if (!macro->evaluated || (family->unit && strcmp(family->unit, macro->unit)))
		return false;
	if (!profile_matches(&family->match, macro->name) || profile_matches(&family->except, macro->name))
		return false;
	return macro_find(macros, macro->name, family->unit) == macro;
}

/* Which of the family's numbers the driver's source dispatches. */
struct constants_dispatch {
	const struct surface_table *table;
	struct dispatch found;
	uint64_t *numbers; /* of the label of the same index; freed by constants_dispatch_release() */
};

static void constants_take_dispatch(void *data, const struct surface_file *file)
{
	struct constants_dispatch *dispatch = data;

	dispatch_scan(&dispatch->found, file, &dispatch->table->family->dispatch.macros);
}

/* A label without a number may be any ioctl: then of none it is known that it is not dispatched. */
static void constants_number_labels(struct constants_dispatch *dispatch)
{
	const struct surface_table *table = dispatch->table;
	struct dispatch *found = &dispatch->found;

	dispatch->numbers = xmalloc((found->label_count + 1) * sizeof(*dispatch->numbers));
	for (size_t i = 0; i < found->label_count; i++) {
		const struct dispatch_label *label = &found->labels[i];
		const struct macro *macro = macro_find(table->macros, label->name, table->family->unit);

		dispatch->numbers[i] = macro ? macro->value.magnitude : 0;
		if (macro && macro->evaluated && !macro->value.negative)
			continue;
		found->is_known = false;
		abi_builder_warning(table->builder, label->source,
				    arena_printf(table->arena, "%s is dispatched here, but the headers give it no number, so it is not known "
							       "which ioctls are dispatched.", label->name));
	}
}

static int constants_read_dispatch(struct constants_dispatch *out, const struct surface_table *table, struct err *err)
{
	const struct profile_strings *files = &table->family->dispatch.files;
	int count;

	out->table = table;
	out->found.is_known = files->count > 0;
	count = surface_read_files(table->tree, files, table->builder, table->arena, constants_take_dispatch, out, err);
	if (count < 0)
		return count;
	if (files->count && !out->found.label_count) {
		abi_builder_warning(table->builder, arena_strdup(table->arena, files->item[0]),
				    count ? "No ioctl is dispatched in this file or those beside it, so it is not known which are." :
					    "There is no such file, so it is not known which ioctls are dispatched.");
		out->found.is_known = false;
	}
	constants_number_labels(out);
	return 0;
}

static void constants_dispatch_release(struct constants_dispatch *dispatch)
{
	dispatch_release(&dispatch->found);
	free(dispatch->numbers);
}

/* The only flag that an ioctl from a macro has, or NULL. */
static const char *constants_flag(const struct constants_dispatch *dispatch, const struct abi_ioctl *ioctl)
{
	const struct surface_table *table = dispatch->table;
	bool is_dispatched = false;
	const char *mention;

	for (size_t i = 0; i < dispatch->found.label_count; i++) {
		if (dispatch->numbers[i] != ioctl->number)
			continue;
		if (!dispatch->found.labels[i].conditional)
			return NULL;
		is_dispatched = true;
	}
	if (is_dispatched)
		return ABI_FLAG_CONDITIONAL;
	if (!dispatch->found.is_known)
		return NULL;
	mention = dispatch_mention(&dispatch->found, ioctl->name, table->arena);
	if (!mention)
		return ABI_FLAG_NOT_DISPATCHED;
	abi_builder_warning(table->builder, mention,
			    arena_printf(table->arena, "%s stands here, but under no label of a switch over commands, so it is not known "
						       "whether it is dispatched.", ioctl->name));
	return NULL;
}

static void constants_set_flag(struct abi_ioctl *ioctl, const struct constants_dispatch *dispatch)
{
	const char *flag = constants_flag(dispatch, ioctl);

	if (!flag)
		return;
	ioctl->flags = arena_memdup(dispatch->table->arena, &flag, sizeof(flag));
	ioctl->flag_count = 1;
}

int surface_add_constants(const struct surface_table *table, struct err *err)
{
	const struct macro_index *macros = table->macros;
	struct arena *arena = table->arena;
	struct constants_dispatch dispatch = { 0 };
	struct constants_rules rules;
	int rc = constants_compile(&rules, table->family, err);

	if (!rc)
		rc = constants_read_dispatch(&dispatch, table, err);

	for (size_t i = 0; i < macros->count && !rc; i++) {
		const struct macro *macro = &macros->items[i];
		struct abi_ioctl ioctl = { .family = table->name, .name = macro->name };

		if (!constants_wanted(table->family, macros, macro))
			continue;
		ioctl.source = arena_printf(arena, "%s:%u", macro->file, macro->line);
		if (macro->value.negative) {
			abi_builder_warning(table->builder, ioctl.source,
				arena_printf(arena, "The value of %s is negative, so it is no ioctl's number.", macro->name));
			continue;
		}
		ioctl.number = macro->value.magnitude;
		ioctl.params = constants_params(&rules, macro, table->builder, arena);
		constants_set_flag(&ioctl, &dispatch);
		abi_builder_ioctl(table->builder, &ioctl);
	}
	constants_dispatch_release(&dispatch);
	constants_free_rules(&rules);
	return rc;
}

int surface_params_by_rules(const char **out, const struct surface_table *table, const struct macro *macro, struct err *err)
{
	struct constants_rules rules;
	int rc = constants_compile(&rules, table->family, err);

	if (!rc)
		*out = constants_params(&rules, macro, table->builder, table->arena);
	constants_free_rules(&rules);
	return rc;
}
