#include "extract/family.h"

#include "extract/dispatch.h"
#include "extract/encoding.h"
#include "extract/params.h"
#include "extract/routes.h"

#include <stdlib.h>
#include <string.h>

/* Which of the family's numbers the driver's source dispatches. */
struct constants_dispatch {
	const struct family_context *context;
	struct dispatch found;
	uint64_t *numbers; /* of the label of the same index; freed by constants_dispatch_release() */
};

static void constants_scan_dispatch(void *data, const struct table_file *file)
{
	struct constants_dispatch *dispatch = data;

	dispatch_scan(&dispatch->found, file, &dispatch->context->family->dispatch.macros);
}

/* A label whose number is not known may be any ioctl. Then no ioctl of the family gets the flag not-dispatched. */
static void constants_number_labels(struct constants_dispatch *dispatch)
{
	const struct family_context *context = dispatch->context;
	struct dispatch *found = &dispatch->found;

	dispatch->numbers = xmalloc((found->label_count + 1) * sizeof(*dispatch->numbers));
	for (size_t i = 0; i < found->label_count; i++) {
		const struct dispatch_label *label = &found->labels[i];
		const struct macro *macro = macro_find(context->macros, label->name, context->family->unit);

		dispatch->numbers[i] = macro ? macro->value.magnitude : 0;
		if (macro && macro->evaluated && !macro->value.negative)
			continue;
		found->is_known = false;
		abi_builder_warning(context->builder, label->source,
				    arena_printf(context->arena, "%s is dispatched here, but the headers give it no number, so it is not known "
							       "which ioctls are dispatched.", label->name));
	}
}

static int constants_read_dispatch(struct constants_dispatch *out, const struct family_context *context, struct err *err)
{
	const struct profile_strings *files = &context->family->dispatch.files;
	int count;

	out->context = context;
	out->found.is_known = files->count > 0;
	count = table_files_read(context->tree, files, context->builder, context->arena, constants_scan_dispatch, out, err);
	if (count < 0)
		return count;
	if (files->count && !out->found.label_count) {
		abi_builder_warning(context->builder, arena_strdup(context->arena, files->item[0]),
				    count ? "No ioctl is dispatched in this file or those beside it, so it is not known which are." :
					    "There is no such file, so it is not known which ioctls are dispatched.");
		out->found.is_known = false;
	}
	constants_number_labels(out);
	return 0;
}

/* The driver answers what the family's globs leave out: one of them is too narrow, or an "except" too wide. */
static void constants_warn_unused(const struct constants_dispatch *dispatch)
{
	const struct family_context *context = dispatch->context;

	for (size_t i = 0; i < dispatch->found.label_count; i++) {
		const struct dispatch_label *label = &dispatch->found.labels[i];
		const struct macro *macro = macro_find(context->macros, label->name, context->family->unit);

		if (!label->is_used && macro && macro->evaluated)
			abi_builder_warning(context->builder, label->source, arena_printf(context->arena,
				"The driver answers %s, which is no ioctl of family %s in its headers.", label->name, context->name));
	}
}

static void constants_dispatch_release(struct constants_dispatch *dispatch)
{
	dispatch_release(&dispatch->found);
	free(dispatch->numbers);
}

/* What the driver's switches say of an ioctl: a flag, or NULL. The labels of its number count as used. */
static const char *constants_flag(struct constants_dispatch *dispatch, const struct abi_ioctl *ioctl)
{
	const struct family_context *context = dispatch->context;
	bool is_dispatched = false, is_conditional = true;
	const char *mention;

	for (size_t i = 0; i < dispatch->found.label_count; i++) {
		struct dispatch_label *label = &dispatch->found.labels[i];

		if (dispatch->numbers[i] != ioctl->number)
			continue;
		label->is_used = is_dispatched = true;
		is_conditional = is_conditional && label->conditional;
	}
	if (is_dispatched)
		return is_conditional ? ABI_FLAG_CONDITIONAL : NULL;
	if (!dispatch->found.is_known)
		return NULL;
	mention = dispatch_mention(&dispatch->found, ioctl->name, context->arena);
	if (!mention)
		return ABI_FLAG_NOT_DISPATCHED;
	abi_builder_warning(context->builder, mention,
			    arena_printf(context->arena, "%s stands here, but under no label of a switch over commands, so it is not known "
						       "whether it is dispatched.", ioctl->name));
	return NULL;
}

/* What is known before the first member can be added. */
struct constants {
	const struct family_context *context;
	struct params_rules params;
	struct constants_dispatch dispatch;
	struct routes routes;
};

/* @out is to be released with constants_end(), also on failure. */
static int constants_begin(struct constants *out, const struct family_context *context, struct err *err)
{
	int rc;

	*out = (struct constants){ .context = context };
	if ((rc = params_rules_compile(&out->params, context->family, err)) ||
	    (rc = constants_read_dispatch(&out->dispatch, context, err)))
		return rc;
	return routes_read(&out->routes, context, err);
}

static void constants_end(struct constants *constants)
{
	routes_release(&constants->routes);
	constants_dispatch_release(&constants->dispatch);
	params_rules_release(&constants->params);
}

/* @route: of @ioctl; or NULL */
static void constants_set_flags(struct abi_ioctl *ioctl, struct constants *constants, const struct route *route)
{
	const struct family_context *context = constants->context;
	const char *dispatched = constants_flag(&constants->dispatch, ioctl);
	struct word_set flags = { 0 };

	for (size_t i = 0; i < context->family->flags.count; i++)
		word_set_add(&flags, arena_strdup(context->arena, context->family->flags.item[i]));
	for (size_t i = 0; route && i < route->flags.count; i++)
		word_set_add(&flags, route->flags.items[i]);
	if (!route && constants->routes.count)
		word_set_add(&flags, ABI_FLAG_NOT_DISPATCHED);
	if (dispatched)
		word_set_add(&flags, dispatched);
	ioctl->flags = word_set_seal(&ioctl->flag_count, &flags, context->arena);
}

static void constants_add(struct constants *constants, const struct ioctl_candidate *member)
{
	const struct family_context *context = constants->context;
	const struct route *route = routes_find(&constants->routes, member->name);
	struct abi_ioctl ioctl = { .family = context->name, .name = member->name, .source = member->source };

	if (!encoding_number(&ioctl.number, context, member) || !encoding_wants(context->family, ioctl.number))
		return;
	ioctl.params = route && route->record ? route->record :
					       params_rules_find(&constants->params, member, context->builder, context->arena);
	encoding_set(&ioctl, context, member);
	constants_set_flags(&ioctl, constants, route);
	family_add_ioctl(context, &ioctl);
}

/* Of several units, the first that has a value for a name counts. */
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

/* The ioctls of a family. */
struct constants_members {
	struct ioctl_candidate *items; /* freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/* Sets *@data to the first path. */
static int constants_note_path(void *data, const char *path, struct err *err)
{
	const char **first = data;

	(void)err;
	if (!*first)
		*first = path;
	return 0;
}

/* A driver without the device has neither headers nor sources for it. If only the sources are there, the headers have moved: a warning. */
static int constants_none(const struct family_context *context, struct err *err)
{
	const struct profile_family *family = context->family;
	const struct profile_strings *files = family->routes.call_count ? &family->routes.files : &family->dispatch.files;
	const char *first = NULL;
	int count = table_paths_each(context->tree, files, constants_note_path, &first, err);

	if (first)
		abi_builder_warning(context->builder, arena_strdup(context->arena, first), arena_printf(context->arena,
			"This file answers ioctls of family %s, but no header that the profile names has any.", context->name));
	return count < 0 ? count : 0;
}

static int constants_add_all(const struct family_context *context, const struct constants_members *members, struct err *err)
{
	struct constants constants;
	int rc;

	if (!members->count)
		return constants_none(context, err);
	rc = constants_begin(&constants, context, err);
	for (size_t i = 0; i < members->count && !rc; i++)
		constants_add(&constants, &members->items[i]);
	if (!rc) {
		routes_warn_unused(&constants.routes, context);
		constants_warn_unused(&constants.dispatch);
	}
	constants_end(&constants);
	return rc;
}

static void constants_append(struct constants_members *members, struct ioctl_candidate member)
{
	ARRAY_GROW(members->items, members->count, members->capacity);
	members->items[members->count++] = member;
}

int constants_add_family(const struct family_context *context, struct err *err)
{
	const struct macro_index *macros = context->macros;
	struct constants_members members = { 0 };
	int rc;

	for (size_t i = 0; i < macros->count; i++) {
		const struct macro *macro = &macros->items[i];

		if (constants_wanted(context->family, macros, macro))
			constants_append(&members, (struct ioctl_candidate){
				.name = macro->call ? macro->call : macro->name, .body = macro->body ? macro->body : "", .value = macro->value, .macro = macro,
				.source = arena_printf(context->arena, "%s:%u", macro->file, macro->line),
			});
	}
	rc = constants_add_all(context, &members, err);
	free(members.items);
	return rc;
}

static bool constants_wants_enumerator(const struct profile_family *family, const char *name)
{
	return (!family->match.count || profile_matches(&family->match, name)) && !profile_matches(&family->except, name);
}

int enumerators_add_family(const struct family_context *context, struct err *err)
{
	const struct abi_enum *one = abi_builder_find_enum(context->builder, context->family->enumeration);
	struct constants_members members = { 0 };
	int rc;

	for (size_t i = 0; one && i < one->value_count; i++) {
		const struct abi_enumerator *value = &one->values[i];

		if (!constants_wants_enumerator(context->family, value->name))
			continue;
		abi_builder_constant(context->builder, &(struct abi_constant){ value->name, value->value });
		constants_append(&members, (struct ioctl_candidate){ .name = value->name, .body = "", .source = one->source, .value = value->value });
	}
	rc = constants_add_all(context, &members, err);
	free(members.items);
	return rc;
}
