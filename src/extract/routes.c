/*
 * extract/routes.c - finds which ioctls the driver's sources handle, and with which record
 *
 * A header can define ioctls that no code handles. nvidia-uvm and nvlink handle their ioctls in a "switch
 * (cmd)". dispatch_scan() reads its labels: "case UVM_DEINITIALIZE:", and macros that expand to a label and
 * its code, "UVM_ROUTE_CMD_STACK_INIT_CHECK(UVM_FREE, uvm_api_free);". Globs of the profile match the names
 * of these macros. This format is the same in all tags from 515.43.04 to 595.45.04.
 *
 * 1. Every switch over a command is read, one statement at a time. The statements and blocks after a label
 *    are skipped.
 * 2. If a label is not a single name, or a switch has no end, it is unknown which ioctls are dispatched. In
 *    that case, there is a warning, and `is_known` is false.
 * 3. An ioctl gets the flag not-dispatched only if the files do not mention it at all (dispatch_mention()),
 *    because they may dispatch it in a way that is not understood.
 *
 * Other kernel modules have a macro call for each ioctl that maps the ioctl to its code, called a route:
 * nvidia-modeset in the elements of an array, nvidia-drm in DRM_IOCTL_DEF_DRV(), and nvswitch in the cases of
 * a switch. The arguments name the ioctl, and often its parameter record and the rights that it requires. The
 * profile lists these macros (struct profile_route). routes_scan() reads the calls of the macros, but not
 * their definitions.
 *
 * 1. Every name that matches a rule of the profile and is followed by "(" is a call, unless it is inside "#if
 *    0".
 * 2. An argument that the patterns of the rule use must be a name. Otherwise the call is left out with a
 *    warning.
 * 3. Several calls for the same ioctl are merged into one route, with the flags of all. If they name
 *    different records, the first record is used, and there is a warning.
 */
#include "extract/internal.h"

#include <stdlib.h>
#include <string.h>

struct dispatch_scan {
	struct dispatch *out;
	const struct profile_strings *macros;
	struct statements stream;
};

static void dispatch_unknown(struct dispatch_scan *scan, unsigned line, const char *what)
{
	table_file_warn(scan->stream.file, line, "%s, so it is unknown which %s.", what,
			scan->out->headers ? "commands carry embedded pointers" : "ioctls are dispatched");
	scan->out->is_known = false;
}

static void dispatch_add(struct dispatch_scan *scan, struct view name, unsigned line, bool is_macro)
{
	const struct table_file *file = scan->stream.file;
	enum branch branch = conditions_branch(&scan->stream.conditions);
	struct dispatch *out = scan->out;

	if (branch == BRANCH_SKIPPED || branch == BRANCH_PASSED)
		return;
	ARRAY_GROW(out->labels, out->label_count, out->label_capacity);
	out->labels[out->label_count++] = (struct dispatch_label){
		.name = arena_strndup(file->arena, name.at, name.length),
		.source = table_file_source(file, line),
		.conditional = branch == BRANCH_UNKNOWN,
		.is_macro = is_macro,
	};
}

static bool dispatch_is_macro(const struct dispatch_scan *scan, struct view word)
{
	char name[256];

	return view_copy(name, sizeof(name), word) && profile_matches(scan->macros, name);
}

/* Reads a label, or skips a statement. Return: false if the text ends inside the statement. */
static bool dispatch_statement(struct dispatch_scan *scan)
{
	struct statements *stream = &scan->stream;
	struct view word, name, arguments;
	unsigned line = stream->line;

	if (!statements_cut_name(&word, stream))
		return statements_skip_statement(stream);
	if (view_is(word, "case")) {
		/* The label must be a single name, so a range "case A ... B:" is not accepted. */
		if (statements_cut_name(&name, stream) && statements_cut(stream, ':'))
			dispatch_add(scan, name, line, false);
		else
			dispatch_unknown(scan, line, "The label of this case is not a single name");
	} else if (view_is(word, "default") && statements_cut(stream, ':')) {
		return true;
	} else if (dispatch_is_macro(scan, word) && statements_is_at(stream, '(')) {
		/* A macro that expands to a label. Its first argument is the ioctl. */
		if (statements_cut_group(&arguments, stream) && view_cut_name(&name, &arguments) &&
		    (!arguments.length || arguments.at[0] == ','))
			dispatch_add(scan, name, line, true);
		else
			dispatch_unknown(scan, line,
					 "The first argument of this macro is not a single name");
		statements_cut(stream, ';');
	} else {
		return statements_skip_statement(stream);
	}
	return true;
}

/* Reads the body of a switch. The stream is after its "{". @line: the line on which the switch begins */
static void dispatch_body(struct dispatch_scan *scan, unsigned line)
{
	scan->stream.include_line = 0;
	while (statements_skip(&scan->stream)) {
		if (*scan->stream.at == '}') {
			scan->stream.at++;
			if (scan->stream.include_line)
				dispatch_unknown(scan, scan->stream.include_line,
						 "The file included here may have more labels");
			return;
		}
		if (!dispatch_statement(scan))
			break;
	}
	dispatch_unknown(scan, line, "The switch over a command that begins here has no end");
}

/* Checks whether @rest, the text after "switch", begins with "(... cmd)". */
static bool dispatch_is_over_command(struct view rest)
{
	const char *close = memchr(rest.at, ')', rest.length);
	struct view inside;

	if (!close || rest.at[0] != '(')
		return false;
	inside = view_trim((struct view){ rest.at + 1, (size_t)(close - rest.at) - 1 });
	return view_ends_with(inside, "cmd") &&
	       (inside.length == 3 || !view_is_word_char(inside.at[inside.length - 4]));
}

static void dispatch_keep(struct dispatch_texts *out, const struct statements *stream,
			  const struct table_file *file)
{
	ARRAY_GROW(out->item, out->count, out->capacity);
	out->item[out->count++] = (struct dispatch_text){ arena_strdup(file->arena, file->path),
							  { stream->start, file->size } };
}

void dispatch_scan(struct dispatch *out, const struct table_file *file, const struct profile_strings *macros)
{
	struct dispatch_scan scan = { .out = out, .macros = macros };
	struct statements *stream = &scan.stream;
	struct view word;

	statements_init(stream, file);
	stream->headers = out->headers;
	dispatch_keep(&out->texts, stream, file);
	while (statements_next_name(&word, stream)) {
		unsigned line = stream->line;

		if (!view_is(word, "switch") || !statements_is_at(stream, '(') ||
		    !dispatch_is_over_command(statements_rest(stream)) || !statements_cut_group(NULL, stream))
			continue;
		out->switch_count++;
		if (statements_cut(stream, '{'))
			dispatch_body(&scan, line);
		else
			dispatch_unknown(&scan, line, "No block follows this switch over a command");
	}
}

void dispatch_release(struct dispatch *dispatch)
{
	free(dispatch->labels);
	free(dispatch->texts.item);
	*dispatch = (struct dispatch){ 0 };
}

const char *dispatch_mention(const struct dispatch_texts *texts, const char *name, struct arena *arena)
{
	for (size_t i = 0; i < texts->count; i++) {
		const struct dispatch_text *file = &texts->item[i];
		const char *found = view_mention(file->text, name);
		unsigned line = 1;

		if (!found)
			continue;
		for (const char *at = file->text.at; at < found; at++)
			line += *at == '\n';
		return arena_printf(arena, "%s:%u", file->path, line);
	}
	return NULL;
}

/* The largest number of an argument in the patterns of a struct profile_route, which use "\1" to "\9". */
enum { ROUTE_ARGUMENTS = 9 };

struct route_call {
	const struct profile_route *rule;
	struct view name;
	struct view argument[ROUTE_ARGUMENTS];
	size_t count; /* number of arguments; can be larger than the size of `argument` */
	unsigned line;
};

/*
 * Inserts the arguments of a call into @pattern. Return: the result; NULL, with a warning, if an argument
 * that @pattern uses is not a name.
 */
static const char *routes_expand(const char *pattern, const struct route_call *call,
				 const struct table_file *file)
{
	struct strbuf out = { 0 };
	const char *expanded = NULL;

	for (; *pattern; pattern++) {
		struct view name, rest = { "", 0 };
		size_t index;

		if (*pattern != '\\') {
			strbuf_addch(&out, *pattern);
			continue;
		}
		index = (size_t)(*++pattern - '1');
		if (index < call->count)
			rest = call->argument[index];
		if (!view_cut_name(&name, &rest) || rest.length) {
			table_file_warn(file, call->line,
					"This %.*s is left out: its argument %zu is not a single name.",
					(int)(call->name.length < 100 ? call->name.length : 100),
					call->name.at, index + 1);
			goto out;
		}
		strbuf_add(&out, name.at, name.length);
	}
	expanded = arena_strdup(file->arena, strbuf_text(&out));
out:
	strbuf_release(&out);
	return expanded;
}

/*
 * Adds a word for each name of the argument that has flags: "A | B", or "0" for no flags. Return: false, with
 * a warning, if the argument is not such a list.
 */
static bool routes_words(struct word_set *flags, const struct route_call *call, const struct table_file *file)
{
	size_t index = (size_t)(call->rule->words[1] - '1');
	struct view list = index < call->count ? call->argument[index] : (struct view){ "", 0 }, name;
	bool malformed = !list.length;

	if (view_is(list, "0"))
		return true;
	while (view_cut_names(&name, &list, &malformed)) {
		if (name.length > strlen(call->rule->prefix))
			view_cut(&name, call->rule->prefix);
		word_set_add(flags, flag_word_of(name, file->arena));
	}
	if (malformed)
		table_file_warn(file, call->line,
				"This %.*s is left out: its argument %zu is not a list of names.",
				(int)(call->name.length < 100 ? call->name.length : 100), call->name.at,
				index + 1);
	return !malformed;
}

static void routes_add(struct routes *out, const struct route_call *call, const struct table_file *file)
{
	struct route entry = { .source = table_file_source(file, call->line) };

	entry.ioctl = routes_expand(call->rule->ioctl, call, file);
	if (!entry.ioctl)
		return;
	entry.record = call->rule->record ? routes_expand(call->rule->record, call, file) : NULL;
	if (call->rule->record && !entry.record)
		return;
	for (size_t i = 0; i < call->rule->flags.count; i++)
		word_set_add(&entry.flags, arena_strdup(file->arena, call->rule->flags.item[i]));
	if (call->rule->words && !routes_words(&entry.flags, call, file)) {
		free(entry.flags.items);
		return;
	}
	ARRAY_GROW(out->items, out->count, out->capacity);
	out->items[out->count++] = entry;
}

static const struct profile_route *route_rule(const struct profile_routes *rules, struct view name)
{
	char text[128];

	if (!view_copy(text, sizeof(text), name))
		return NULL;
	for (size_t i = 0; i < rules->call_count; i++)
		if (profile_matches(&(struct profile_strings){ &rules->calls[i].name, 1 }, text))
			return &rules->calls[i];
	return NULL;
}

void routes_scan(struct routes *out, const struct table_file *file, const struct profile_routes *rules)
{
	struct statements stream;
	struct view name;

	statements_init(&stream, file);
	stream.is_silent = true; /* do not warn of faulty #ifs, because only the calls in these sources are
				    read */
	dispatch_keep(&out->texts, &stream, file);
	while (statements_next_name(&name, &stream)) {
		struct route_call call = { .name = name, .line = stream.line };
		struct view rest = view_trim(statements_rest(&stream));

		if (!rest.length || rest.at[0] != '(' ||
		    conditions_branch(&stream.conditions) == BRANCH_SKIPPED ||
		    !(call.rule = route_rule(rules, name)))
			continue;
		statements_cut(&stream, '(');
		if (statements_cut_arguments(call.argument, ROUTE_ARGUMENTS, &call.count, &stream))
			routes_add(out, &call, file);
		else
			table_file_warn(file, call.line,
					"This %.*s is left out: its parentheses do not close.",
					(int)name.length, name.at);
	}
}

/* Orders routes by ioctl, for searches, and then by source: routes_unite() keeps the first record. */
static int routes_compare(const void *a, const void *b)
{
	const struct route *left = a, *right = b;
	int order = strcmp(left->ioctl, right->ioctl);

	return order ? order : strcmp(left->source, right->source);
}

static void routes_unite(struct routes *out, const struct family_context *context)
{
	size_t count = 0;

	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), routes_compare);
	for (size_t i = 0; i < out->count; i++) {
		struct route *first = count ? &out->items[count - 1] : NULL, *next = &out->items[i];

		if (!first || strcmp(first->ioctl, next->ioctl)) {
			out->items[count++] = *next;
			continue;
		}
		for (size_t k = 0; k < next->flags.count; k++)
			word_set_add(&first->flags, next->flags.items[k]);
		if (!same_text(first->record, next->record))
			abi_builder_warning(context->builder, next->source,
					    "%s takes a %s here, but a %s at %s; the latter is used.",
					    next->ioctl,
					    next->record ? next->record : "record without a name",
					    first->record ? first->record : "record without a name",
					    first->source);
		free(next->flags.items);
	}
	out->count = count;
}

int routes_read(struct routes *out, const struct family_context *context, struct err *err)
{
	const struct profile_routes *rules = &context->family->routes;
	int rc = 0;

	out->is_known = rules->call_count > 0;
	for (size_t i = 0; i < rules->files.count && rules->call_count && !rc; i++) {
		const struct profile_strings glob = { &rules->files.item[i], 1 };
		const size_t count = out->count;
		struct table_files files;

		rc = table_files_find(&files, context, &glob, err);
		while (table_files_next(&files, &rc, err))
			routes_scan(out, &files.file, rules);
		if (!rc && out->count == count) {
			abi_builder_warning(
				context->builder, arena_strdup(context->arena, rules->files.item[i]),
				"%s, so it is unknown which ioctls of family %s the driver answers.",
				files.count ? "This file has no call that the profile names"
					    : "The tree does not have this file",
				context->name);
			out->is_known = false;
		}
		table_files_release(&files);
	}
	if (!rc)
		routes_unite(out, context);
	return rc;
}

void routes_release(struct routes *routes)
{
	for (size_t i = 0; i < routes->count; i++)
		free(routes->items[i].flags.items);
	free(routes->items);
	free(routes->texts.item);
	*routes = (struct routes){ 0 };
}

struct route *routes_find(struct routes *routes, const char *ioctl)
{
	struct route *found = NULL;

	if (routes->count)
		found = bsearch(&ioctl, routes->items, routes->count, sizeof(*routes->items), order_named);
	if (found)
		found->is_used = true;
	return found;
}

void routes_warn_unused(const struct routes *routes, const struct family_context *context)
{
	for (size_t i = 0; i < routes->count; i++)
		if (!routes->items[i].is_used)
			abi_builder_warning(
				context->builder, routes->items[i].source,
				"The driver handles %s, but its headers do not define it as an ioctl of family %s.",
				routes->items[i].ioctl, context->name);
}
