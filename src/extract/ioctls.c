/*
 * extract/ioctls.c - adds the ioctls of all families, and reads the families whose ioctls are macros or
 * enumerators
 *
 * In these families, a macro or enumerator that is an ioctl is called a member. A struct macro describes
 * both: that of an enumerator has a name, a value, and "" as its body. The number of a member can be encoded
 * as in Linux (encoding_set()). Its record comes from the driver's sources (routes.c), or otherwise from the
 * first rule of the profile that applies (params_find()). A member gets a flag if the driver's sources do not
 * handle it.
 *
 * methods.c reads the control commands, and classes.c the classes.
 */
#include "extract/extract.h"
#include "extract/internal.h"

#include <fnmatch.h>

/* A rule with its compiled regular expressions. */
struct params_rule {
	const struct profile_params *params;
	regex_t body;
	regex_t name;
	bool has_body; /* `body` is compiled */
	bool has_name;
};

/* The rules by which a family finds parameter records, with compiled regular expressions. */
struct params_rules {
	struct params_rule *rules;
	size_t count;
};

void family_add_ioctl(const struct family_context *context, const struct abi_ioctl *ioctl)
{
	if (ioctl->params && !abi_builder_find(context->builder, ABI_RECORD, ioctl->params) &&
	    !abi_builder_find(context->builder, ABI_ALIAS, ioctl->params))
		abi_builder_warning(context->builder, ioctl->source,
				    "%s takes a %s, which no header of the profile declares.", ioctl->name,
				    ioctl->params);
	abi_builder_ioctl(context->builder, ioctl);
}

void family_warn_no_table(const struct family_context *context, size_t files)
{
	const struct profile_family *family = context->family;

	abi_builder_warning(context->builder, family->files.count ? family->files.item[0] : "",
			    "%s, so the ioctls of family %s are unknown.",
			    files ? arena_printf(context->arena,
						 "The %zu files here have no entry in a known format", files)
				  : "The tree does not have this file",
			    family->name);
}

/*
 * Sets the number of @ioctl to the @value of its member. If the numbers of the family are encoded as in
 * Linux, a negative value is converted to 32 unsigned bits: "2 << 30" is negative in C. Return: false, with a
 * warning, if the value is not a valid ioctl number.
 */
static bool encoding_number(struct abi_ioctl *ioctl, const struct family_context *context,
			    struct abi_number value)
{
	const char *why = NULL;

	if (!context->family->ioc.is_encoded)
		why = value.negative ? "is negative" : NULL;
	else if (value.magnitude > (value.negative ? (uint64_t)INT32_MAX + 1 : UINT32_MAX))
		why = "has more than 32 bits";
	if (why) {
		abi_builder_warning(context->builder, ioctl->source,
				    "The value of %s %s, so it is not the number of an ioctl.", ioctl->name,
				    why);
		return false;
	}
	ioctl->number = value.negative ? (UINT64_C(1) << 32) - value.magnitude : value.magnitude;
	return true;
}

/* Checks whether the type in @number is one of the family's types, or the family has no list of types. */
static bool encoding_wants(const struct profile_family *family, uint64_t number)
{
	const struct profile_ioc *ioc = &family->ioc;

	for (size_t i = 0; i < ioc->type_count; i++)
		if (ioc->types[i] == abi_ioc_get(number, ABI_IOC_TYPE))
			return true;
	return !ioc->type_count;
}

/*
 * Warns if the size in the ioctl's number differs from the size of its @elements records, or if the type is
 * unknown. The driver may copy only as many bytes as the number says.
 */
static void warn_of_size(const struct family_context *context, const struct abi_ioctl *ioctl,
			 uint64_t elements)
{
	const struct abi_record *record =
		ioctl->params ? abi_builder_find(context->builder, ABI_RECORD, ioctl->params) : NULL;
	unsigned size_bytes = abi_ioc_get(ioctl->number, ABI_IOC_SIZE);

	if (ioctl->varies & 1u << ABI_IOC_SIZE || !size_bytes)
		return;
	if (abi_ioctl_params_unknown(ioctl))
		abi_builder_warning(context->builder, ioctl->source,
				    "The number of %s encodes a size of %u bytes without the name of a type, so "
				    "its parameters are unknown.",
				    ioctl->name, size_bytes);
	if (!record || record->size_bytes * elements == size_bytes)
		return;
	abi_builder_warning(context->builder, ioctl->source,
			    "The number of %s encodes a size of %u bytes%s%s, but %s has %" PRIu64 ".",
			    ioctl->name, size_bytes, ioctl->argument ? ", that of " : "",
			    ioctl->argument ? ioctl->argument : "", ioctl->params, record->size_bytes);
}

/*
 * Sets the encoding of @ioctl, the parts of its number that vary, and the type in the macro's _IO() call if
 * it differs from the params; NULL params are set to that type. Warns if the number has a different size than
 * the record. Does nothing if the numbers of the family are not encoded as in Linux.
 */
static void encoding_set(struct abi_ioctl *ioctl, const struct family_context *context,
			 const struct macro *member)
{
	const char *bracket;

	if (!context->family->ioc.is_encoded)
		return;
	ioctl->encoding = context->family->ioc.by_nr ? ABI_NUMBER_IOC_BY_NR : ABI_NUMBER_IOC;
	ioctl->params = ioctl->params ? ioctl->params : member->params;
	for (int i = 0; i < ABI_IOC_FIELD_COUNT; i++)
		if (member->varying & abi_ioc_mask((enum abi_ioc_field)i))
			ioctl->varies |= 1u << i;
	if (!same_text(member->argument, ioctl->params))
		ioctl->argument = member->argument;
	/* If a parameter of the macro determines the length of an array, the type is "char[]". */
	if (ioctl->argument && ioctl->varies & 1u << ABI_IOC_SIZE &&
	    (bracket = strchr(ioctl->argument, '[')))
		ioctl->argument = arena_printf(context->arena, "%.*s[]",
					       (int)(bracket - ioctl->argument), ioctl->argument);
	warn_of_size(context, ioctl, member->elements ? member->elements : 1);
}

int pattern_compile(regex_t *out, bool *is_compiled, const char *pattern, struct err *err)
{
	char why[256];
	int code = pattern ? regcomp(out, pattern, REG_EXTENDED) : 0;

	if (code) {
		regerror(code, out, why, sizeof(why));
		return err_set(err, ERR_FORMAT, "the profile's regular expression \"%s\" is malformed: %s",
			       pattern, why);
	}
	*is_compiled = pattern;
	return 0;
}

static void params_rules_release(struct params_rules *params)
{
	for (size_t i = 0; i < params->count; i++) {
		if (params->rules[i].has_body)
			regfree(&params->rules[i].body);
		if (params->rules[i].has_name)
			regfree(&params->rules[i].name);
	}
}

/*
 * params_rules_compile - compile the regular expressions of a family's rules. @out must be released, also on
 * failure. Return: 0; ERR_FORMAT if an expression is malformed.
 */
static int params_rules_compile(struct params_rules *out, const struct profile_family *family,
				struct arena *arena, struct err *err)
{
	int rc = 0;

	*out = (struct params_rules){ .rules = arena_array(arena, family->param_count, sizeof(*out->rules)) };
	for (size_t i = 0; i < family->param_count && !rc; i++) {
		struct params_rule *rule = &out->rules[out->count++];

		rule->params = &family->params[i];
		rc = pattern_compile(&rule->body, &rule->has_body, rule->params->regex, err);
		if (!rc)
			rc = pattern_compile(&rule->name, &rule->has_name, rule->params->name_regex, err);
	}
	return rc;
}

/*
 * Checks whether the rule applies to the ioctl @name, whose member has this @body. @group is set to the text
 * that the first group of the rule's regular expression matched; "" if the expression has no group.
 */
static bool params_applies(const struct params_rule *rule, const char *name, const char *body,
			   char group[256])
{
	regmatch_t match[2] = { { -1, -1 }, { -1, -1 } };
	const char *text = rule->has_body ? body : name;
	size_t length;

	group[0] = '\0';
	if ((rule->params->ioctl && fnmatch(rule->params->ioctl, name, 0)) ||
	    (rule->has_name && regexec(&rule->name, name, 2, match, 0)) ||
	    (rule->has_body && regexec(&rule->body, body, 2, match, 0)))
		return false;
	if (match[1].rm_so < 0)
		return true;
	length = (size_t)(match[1].rm_eo - match[1].rm_so);
	if (length >= 256)
		return false;
	memcpy(group, text + match[1].rm_so, length);
	group[length] = '\0';
	return true;
}

/* Returns a rule's @pattern with @name for "\0", @group for "\1", and lower case for "\l0" and "\l1". */
static const char *params_expand(const char *pattern, const char *name, const char *group,
				 struct arena *arena)
{
	struct strbuf out = { 0 };

	for (; *pattern; pattern++) {
		bool is_lower = pattern[0] == '\\' && pattern[1] == 'l';
		char which = pattern[0] == '\\' ? pattern[1 + is_lower] : '\0';

		if (which != '0' && which != '1') {
			strbuf_addch(&out, *pattern);
			continue;
		}
		for (const char *at = which == '0' ? name : group; *at; at++)
			strbuf_addch(&out, is_lower ? (char)tolower((unsigned char)*at) : *at);
		pattern += 1 + is_lower;
	}
	return strbuf_take(&out, arena);
}

/*
 * Finds the parameter record of the ioctl @name, whose member has this @body, by the rules. Return: the first
 * result of a rule that is a record or alias of the document; NULL if a rule with the result "" comes first.
 * If there is no such result: the first result if the ioctl @has_params for certain, otherwise NULL.
 */
static const char *params_find(const struct family_context *context, const char *name, const char *body,
			       bool has_params)
{
	const char *first = NULL;
	char group[256];

	for (size_t i = 0; i < context->params->count; i++) {
		const struct params_rule *rule = &context->params->rules[i];
		const char *record;

		if (!params_applies(rule, name, body, group))
			continue;
		record = params_expand(rule->params->record, name, group, context->arena);
		if (!*record)
			return NULL;
		if (abi_builder_find(context->builder, ABI_RECORD, record) ||
		    abi_builder_find(context->builder, ABI_ALIAS, record))
			return record;
		if (!first)
			first = record;
	}
	return has_params ? first : NULL;
}

const char *params_of_macro(const struct family_context *context, const struct macro *macro)
{
	return params_find(context, macro->name, macro->body, false);
}

/* The state of adding the members of a family. */
struct constants {
	const struct family_context *context;
	bool has_members; /* a member was found, so the driver's sources were read */
	struct dispatch dispatch;
	struct routes routes;
};

/*
 * Reads the driver's sources into constants->dispatch and constants->routes, and finds the numbers of the
 * labels. A label with an unknown number can be that of any ioctl, so there is a warning, and no ioctl of the
 * family gets the flag not-dispatched. Return: 0; an error from reading the tree.
 */
static int constants_read_sources(struct constants *constants, struct err *err)
{
	const struct family_context *context = constants->context;
	const struct profile_dispatch *switches = &context->family->dispatch;
	const struct profile_routes *calls = &context->family->routes;
	struct dispatch *dispatch = &constants->dispatch;
	struct routes *routes = &constants->routes;
	int rc;

	dispatch->macros = &switches->macros;
	dispatch->sources.is_known = switches->files.count > 0;
	routes->rules = calls;
	routes->sources.is_known = calls->call_count > 0;
	if ((rc = sources_read(&dispatch->sources, context, &switches->files, dispatch_scan, dispatch,
			       "switch over a command", err)) ||
	    (calls->call_count && (rc = sources_read(&routes->sources, context, &calls->files, routes_scan,
						     routes, "call that the profile names", err))))
		return rc;
	for (size_t i = 0; i < dispatch->label_count; i++) {
		struct dispatch_label *label = &dispatch->labels[i];
		const struct macro *macro = macro_find(context->macros, label->name, context->family->unit);

		label->is_evaluated = macro && macro->evaluated;
		label->number = macro ? macro->value.magnitude : 0;
		if (label->is_evaluated && !macro->value.negative)
			continue;
		dispatch->sources.is_known = false;
		abi_builder_warning(
			context->builder, label->source,
			"%s is dispatched here, but the headers give it no number, so it is unknown "
			"which ioctls are dispatched.",
			label->name);
	}
	return 0;
}

/*
 * Checks whether @sources mention @spelled. If so, they may handle @ioctl in a way that is not understood, so
 * there is a warning. @expected: the place in which the mention was expected
 */
static bool constants_is_mentioned(const struct constants *constants, const struct dispatch_sources *sources,
				   const char *spelled, const char *ioctl, const char *expected)
{
	const char *mention = sources_mention(sources, spelled, constants->context->arena);

	if (mention)
		abi_builder_warning(
			constants->context->builder, mention,
			"%s is mentioned here, but not in %s, so it is unknown whether it is dispatched.",
			ioctl, expected);
	return mention;
}

/*
 * Returns the flag that an ioctl gets because of the driver's switches, and marks its labels as used:
 * conditional if all its labels are inside an #if; not-dispatched if it has no label, and the sources, which
 * are fully understood, do not mention it; otherwise NULL. Warns if they mention an ioctl without a label.
 */
static const char *constants_dispatch_flag(struct constants *constants, const struct abi_ioctl *ioctl)
{
	struct dispatch *found = &constants->dispatch;
	bool is_dispatched = false, is_conditional = true;

	for (size_t i = 0; i < found->label_count; i++) {
		struct dispatch_label *label = &found->labels[i];

		if (label->number != ioctl->number)
			continue;
		label->is_used = is_dispatched = true;
		is_conditional = is_conditional && label->conditional;
	}
	if (is_dispatched)
		return is_conditional ? ABI_FLAG_CONDITIONAL : NULL;
	return found->sources.is_known &&
			       !constants_is_mentioned(constants, &found->sources, ioctl->name, ioctl->name,
						       "a label of a switch over commands")
		       ? ABI_FLAG_NOT_DISPATCHED
		       : NULL;
}

/* Checks whether a macro dispatches the ioctl @name. Such a macro reads a parameter record. */
static bool constants_have_macro(const struct dispatch *found, const char *name)
{
	for (size_t i = 0; i < found->label_count; i++)
		if (found->labels[i].is_macro && !strcmp(found->labels[i].name, name))
			return true;
	return false;
}

/*
 * Checks whether the sources really do not handle an ioctl that has no route: they do not mention its name;
 * for the profile's pattern "DRM_IOCTL_\1", the name without "DRM_IOCTL_". If they do, there is a warning.
 */
static bool constants_has_no_route(const struct constants *constants, const char *ioctl)
{
	const struct profile_routes *rules = constants->routes.rules;

	for (size_t i = 0; i < rules->call_count; i++) {
		const size_t prefix = strcspn(rules->calls[i].ioctl, "\\");

		if (!strncmp(ioctl, rules->calls[i].ioctl, prefix) &&
		    constants_is_mentioned(constants, &constants->routes.sources, ioctl + prefix, ioctl,
					   "a call that the profile lists"))
			return false;
	}
	return true;
}

/*
 * Adds @member as an ioctl, with the record and flags that the driver's sources and the profile give it,
 * unless its value is not an ioctl number of the family. The first call reads the sources. @source: the place
 * of @member. Return: 0; an error from reading the tree.
 */
static int constants_add(struct constants *constants, const struct macro *member, const char *source,
			 struct err *err)
{
	const struct family_context *context = constants->context;
	const struct profile_family *family = context->family;
	struct abi_ioctl ioctl = { .family = family->name, .source = source,
				   .name = member->call ? member->call : member->name };
	struct profile_strings flags = { 0 };
	const char *dispatched;
	struct route *route;
	int rc;

	if (!constants->has_members && (rc = constants_read_sources(constants, err)))
		return rc;
	constants->has_members = true;
	HASH_FIND_STR(constants->routes.by_ioctl, ioctl.name, route);
	if (route)
		route->is_used = true;
	if (!encoding_number(&ioctl, context, member->value) || !encoding_wants(family, ioctl.number))
		return 0;
	ioctl.params = route && route->record
			       ? route->record
			       : params_find(context, ioctl.name, member->body,
					     constants_have_macro(&constants->dispatch, ioctl.name));
	encoding_set(&ioctl, context, member);
	for (size_t i = 0; i < family->flags.count; i++)
		words_add(&flags, family->flags.item[i], context->arena);
	if (profile_matches(&family->returns_fd, ioctl.name))
		words_add(&flags, ABI_FLAG_RETURNS_FD, context->arena);
	for (size_t i = 0; route && i < route->flags.count; i++)
		words_add(&flags, route->flags.item[i], context->arena);
	if ((dispatched = constants_dispatch_flag(constants, &ioctl)))
		words_add(&flags, dispatched, context->arena);
	if (!route && constants->routes.sources.is_known && constants_has_no_route(constants, ioctl.name))
		words_add(&flags, ABI_FLAG_NOT_DISPATCHED, context->arena);
	ioctl.flags = flags.item;
	ioctl.flag_count = flags.count;
	family_add_ioctl(context, &ioctl);
	return 0;
}

/*
 * Checks whether @macro is an ioctl of the family. If several units have a macro of this name, only the first
 * macro with a value is an ioctl.
 */
static bool constants_wanted(const struct profile_family *family, const struct macro_index *macros,
			     const struct macro *macro)
{
	bool is_ioc = family->source == PROFILE_FROM_IOC;

	if (!macro->evaluated || (family->unit && strcmp(family->unit, macro->unit)))
		return false;
	if (is_ioc ? !macro->is_ioc : macro->call != NULL)
		return false;
	if (family->files.count && !profile_matches(&family->files, macro->file))
		return false;
	if ((!is_ioc || family->match.count) && !profile_matches(&family->match, macro->name))
		return false;
	if (profile_matches(&family->except, macro->name))
		return false;
	return macro_find(macros, macro->name, family->unit) == macro;
}

static void note_text(void *data, const struct table_file *file)
{
	bool *has_text = data;

	*has_text = *has_text || view_trim((struct view){ file->text, file->size }).length;
}

/*
 * Warns of headers of the family's unit that are missing or empty if the tree has others of them. A version
 * that does not support a device has none of them. Return: 0; an error from reading the tree.
 */
static int constants_check_headers(const struct family_context *context, struct err *err)
{
	const struct profile *profile = context->profile;
	struct profile_strings headers = { 0 };
	size_t absent_count = 0, count;
	const char **absent;
	int rc = 0;

	for (size_t i = 0; context->family->unit && i < profile->unit_count; i++)
		if (!strcmp(profile->units[i].name, context->family->unit))
			headers = profile->units[i].optional_headers;
	absent = arena_array(context->arena, headers.count, sizeof(*absent));
	for (size_t i = 0; i < headers.count && !rc; i++) {
		bool has_text = false;

		rc = tables_read(&count, context, &(struct profile_strings){ &headers.item[i], 1 }, note_text,
				 &has_text, err);
		if (!has_text)
			absent[absent_count++] = headers.item[i];
	}
	for (size_t i = 0; i < absent_count && absent_count < headers.count && !rc; i++)
		abi_builder_warning(context->builder, absent[i],
				    "This file is missing or empty, but the tree has other headers of unit %s; ioctls "
				    "of family %s may be missing.",
				    context->family->unit, context->family->name);
	return rc;
}

/*
 * Warns if a family without ioctls should have some, because the tree has its sources, or some of its
 * headers. A version without support for a device has neither. Return: 0; an error from reading the tree.
 */
static int constants_check_none(const struct family_context *context, struct err *err)
{
	const struct profile_family *family = context->family;
	const struct profile_strings *globs = family->routes.call_count ? &family->routes.files :
									  &family->dispatch.files;
	const char **paths = NULL;
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; i < globs->count && !rc; i++)
		rc = context->tree->ops->glob(context->tree, globs->item[i], &paths, &count, err);
	if (!rc && count)
		abi_builder_warning(
			context->builder, arena_strdup(context->arena, paths[0]),
			"This file answers ioctls of family %s, but the headers that the profile lists "
			"define no ioctls of this family.",
			family->name);
	else if (!rc)
		rc = constants_check_headers(context, err);
	free(paths);
	return rc;
}

/*
 * Warns if the driver handles an ioctl that the family does not have. In that case, the globs of the family
 * match too little, or its "except" matches too much.
 */
static void constants_warn_unused(const struct family_context *context, const char *ioctl, const char *source)
{
	abi_builder_warning(
		context->builder, source,
		"The driver handles %s, but its headers do not define it as an ioctl of family %s.", ioctl,
		context->family->name);
}

/*
 * Warns if the family has no members, or if the driver handles an ioctl that is not one of its members.
 * Releases @constants. @rc: the result so far, which is returned if it is an error
 */
static int constants_finish(struct constants *constants, int rc, struct err *err)
{
	const struct family_context *context = constants->context;
	const struct dispatch *dispatch = &constants->dispatch;

	if (!rc && !constants->has_members)
		rc = constants_check_none(context, err);
	for (const struct route *one = constants->routes.by_ioctl; one && !rc; one = one->hh.next)
		if (!one->is_used)
			constants_warn_unused(context, one->ioctl, one->source);
	for (size_t i = 0; i < dispatch->label_count && !rc; i++)
		if (!dispatch->labels[i].is_used && dispatch->labels[i].is_evaluated)
			constants_warn_unused(context, dispatch->labels[i].name, dispatch->labels[i].source);
	HASH_CLEAR(hh, constants->routes.by_ioctl);
	return rc;
}

/**
 * constants_add_family - add the ioctls of a PROFILE_FROM_CONSTANTS or PROFILE_FROM_IOC family
 *
 * The ioctls of a PROFILE_FROM_CONSTANTS family are all macros that the family's globs match. Those of a
 * PROFILE_FROM_IOC family must also be defined with an _IO() macro.
 * Return: 0; an error from reading the tree.
 */
static int constants_add_family(const struct family_context *context, struct err *err)
{
	const struct macro_index *macros = context->macros;
	struct constants constants = { .context = context };
	int rc = 0;

	for (size_t i = 0; i < macros->count && !rc; i++) {
		const struct macro *macro = &macros->items[i];

		if (constants_wanted(context->family, macros, macro))
			rc = constants_add(&constants, macro,
					   arena_printf(context->arena, "%s:%u", macro->file, macro->line),
					   err);
	}
	return constants_finish(&constants, rc, err);
}

/**
 * enumerators_add_family - add the ioctls of a PROFILE_FROM_ENUM family
 *
 * The ioctls are the enumerators of the family's enum that its globs match. They become constants too. If the
 * headers do not declare the enum, but the tree has the sources that handle its ioctls, there is a warning.
 * Return: as constants_add_family().
 */
static int enumerators_add_family(const struct family_context *context, struct err *err)
{
	const struct profile_family *family = context->family;
	const struct abi_enum *one = abi_builder_find(context->builder, ABI_ENUM, family->enumeration);
	struct constants constants = { .context = context };
	int rc = 0;

	for (size_t i = 0; one && i < one->value_count && !rc; i++) {
		const struct abi_enumerator *value = &one->values[i];
		const struct macro member = { .name = value->name, .body = "", .value = value->value };

		if ((family->match.count && !profile_matches(&family->match, value->name)) ||
		    profile_matches(&family->except, value->name))
			continue;
		abi_builder_constant(context->builder, &(struct abi_constant){ value->name, value->value });
		rc = constants_add(&constants, &member, one->source, err);
	}
	return constants_finish(&constants, rc, err);
}

static int family_add(const struct family_context *context, struct err *err)
{
	switch (context->family->source) {
	case PROFILE_FROM_CONSTANTS:
	case PROFILE_FROM_IOC:
		return constants_add_family(context, err);
	case PROFILE_FROM_ENUM:
		return enumerators_add_family(context, err);
	case PROFILE_FROM_NVOC:
		return methods_add_family(context, err);
	case PROFILE_FROM_RS_ENTRY:
		return classes_add_family(context, err);
	}
	return 0;
}

int ioctls_add(struct abi_builder *builder, struct tree *tree, const struct profile *profile,
	       const struct macro_index *macros, struct arena *arena, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < profile->family_count && !rc; i++) {
		const struct profile_family *family = &profile->families[i];
		struct params_rules params;
		const struct family_context context = { builder, tree,	  family, macros,
							arena,	 profile, &params };

		if (!(rc = params_rules_compile(&params, family, arena, err)))
			rc = family_add(&context, err);
		params_rules_release(&params);
	}
	return rc;
}
