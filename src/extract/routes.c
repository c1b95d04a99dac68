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
 *    that case, there is a warning, and sources.is_known is false.
 * 3. An ioctl gets the flag not-dispatched only if the files do not mention it at all (sources_mention()),
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

struct dispatch_scan {
	struct dispatch *out;
	struct statements stream;
};

static void dispatch_unknown(struct dispatch_scan *scan, unsigned line, const char *what)
{
	table_file_warn(scan->stream.file, line, "%s, so it is unknown which %s.", what,
			scan->out->headers ? "commands carry embedded pointers" : "ioctls are dispatched");
	scan->out->sources.is_known = false;
}

/* Appends the label @name, at @line, to scan->out, unless the text there is not compiled. */
static void dispatch_add(struct dispatch_scan *scan, struct view name, unsigned line, bool is_macro)
{
	const struct table_file *file = scan->stream.file;
	enum branch branch = conditions_branch(&scan->stream.conditions);
	struct dispatch *out = scan->out;

	if (branch == BRANCH_SKIPPED || branch == BRANCH_PASSED)
		return;
	out->labels = arena_room(file->arena, out->labels, out->label_count, sizeof(*out->labels));
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

	return view_copy(name, sizeof(name), word) && profile_matches(scan->out->macros, name);
}

/*
 * Reads a label, and adds it if it is a single name; otherwise warns, and the labels are not completely
 * known. Skips any other statement. Return: false if the text ends inside the statement.
 */
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

/*
 * Adds the labels in the body of a switch. If the body has an #include or no end, warns, and the labels are
 * not completely known. The stream is after the "{". @line: the line on which the switch begins
 */
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

/* Checks whether @rest, the text after "switch", begins with "(... cmd)", so that the labels are ioctls. */
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

/* Begins to read @file, and keeps its text for sources_mention(). */
static void sources_add(struct dispatch_sources *out, struct statements *stream,
			const struct table_file *file)
{
	statements_init(stream, file);
	out->items = arena_room(file->arena, out->items, out->count, sizeof(*out->items));
	out->items[out->count++] = (struct dispatch_source){ arena_strdup(file->arena, file->path),
							     { stream->start, file->size } };
}

void dispatch_scan(void *data, const struct table_file *file)
{
	struct dispatch_scan scan = { .out = data };
	struct statements *stream = &scan.stream;
	struct view word;

	sources_add(&scan.out->sources, stream, file);
	stream->headers = scan.out->headers;
	while (statements_next_name(&word, stream)) {
		unsigned line = stream->line;

		if (!view_is(word, "switch") || !statements_is_at(stream, '(') ||
		    !dispatch_is_over_command(statements_rest(stream)) || !statements_cut_group(NULL, stream))
			continue;
		scan.out->sources.found_count++;
		if (statements_cut(stream, '{'))
			dispatch_body(&scan, line);
		else
			dispatch_unknown(&scan, line, "No block follows this switch over a command");
	}
}

const char *sources_mention(const struct dispatch_sources *sources, const char *name, struct arena *arena)
{
	for (size_t i = 0; i < sources->count; i++) {
		const struct dispatch_source *file = &sources->items[i];
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

int sources_read(struct dispatch_sources *sources, const struct family_context *context,
		 const struct profile_strings *globs,
		 void (*read)(void *data, const struct table_file *file), void *data, const char *what,
		 struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < globs->count && !rc; i++) {
		const struct profile_strings glob = { &globs->item[i], 1 };
		const size_t before = sources->found_count;
		size_t count;

		rc = tables_read(&count, context, &glob, read, data, err);
		if (rc || sources->found_count > before)
			continue;
		abi_builder_warning(context->builder, globs->item[i],
				    "%s%s, so it is unknown which ioctls of family %s are dispatched.",
				    count ? "This file has no " : "The tree does not have this file",
				    count ? what : "", context->family->name);
		sources->is_known = false;
	}
	return rc;
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

/* Warns that a call is left out, because its argument @index is not @what. */
static void route_malformed(const struct route_call *call, const struct table_file *file, size_t index,
			    const char *what)
{
	table_file_warn(file, call->line, "This %.*s is left out: its argument %zu is not %s.",
			(int)(call->name.length < 100 ? call->name.length : 100), call->name.at, index + 1,
			what);
}

/*
 * Inserts the arguments of a call into @pattern. Return: the result; NULL, with a warning, if an argument
 * that @pattern uses is not a name.
 */
static const char *routes_expand(const char *pattern, const struct route_call *call,
				 const struct table_file *file)
{
	struct strbuf out = { 0 };

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
			route_malformed(call, file, index, "a single name");
			strbuf_release(&out);
			return NULL;
		}
		strbuf_add(&out, name.at, name.length);
	}
	return strbuf_take(&out, file->arena);
}

/*
 * Adds a word for each name of the argument that has flags: "A | B", or "0" for no flags. Return: false, with
 * a warning, if the argument is not such a list.
 */
static bool routes_words(struct profile_strings *flags, const struct route_call *call,
			 const struct table_file *file)
{
	size_t index = (size_t)(call->rule->words[1] - '1');
	struct view list = index < call->count ? call->argument[index] : (struct view){ "", 0 }, name;
	bool malformed = !list.length;

	if (view_is(list, "0"))
		return true;
	while (view_cut_names(&name, &list, &malformed)) {
		if (name.length > strlen(call->rule->prefix))
			view_cut(&name, call->rule->prefix);
		words_add(flags, flag_word_of(name, file->arena), file->arena);
	}
	if (malformed)
		route_malformed(call, file, index, "a list of names");
	return !malformed;
}

/*
 * Adds the route of a call. Leaves a malformed call out, with a warning. If the ioctl already has a route,
 * that route gets the flags and keeps its record, with a warning if the records differ.
 */
static void routes_add(struct routes *out, const struct route_call *call, const struct table_file *file)
{
	struct route route = { .source = table_file_source(file, call->line) }, *first;

	route.ioctl = routes_expand(call->rule->ioctl, call, file);
	if (!route.ioctl)
		return;
	route.record = call->rule->record ? routes_expand(call->rule->record, call, file) : NULL;
	if (call->rule->record && !route.record)
		return;
	for (size_t i = 0; i < call->rule->flags.count; i++)
		words_add(&route.flags, call->rule->flags.item[i], file->arena);
	if (call->rule->words && !routes_words(&route.flags, call, file))
		return;
	out->sources.found_count++;
	HASH_FIND_STR(out->by_ioctl, route.ioctl, first);
	if (!first) {
		first = arena_memdup(file->arena, &route, sizeof(route));
		HASH_ADD_KEYPTR(hh, out->by_ioctl, first->ioctl, strlen(first->ioctl), first);
		return;
	}
	for (size_t i = 0; i < route.flags.count; i++)
		words_add(&first->flags, route.flags.item[i], file->arena);
	if (!same_text(first->record, route.record))
		abi_builder_warning(file->builder, route.source,
				    "%s takes a %s here, but a %s at %s; the latter is used.", route.ioctl,
				    route.record ? route.record : "record without a name",
				    first->record ? first->record : "record without a name", first->source);
}

/* Returns the first rule for calls of the macro @name; NULL if there is no such rule. */
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

void routes_scan(void *data, const struct table_file *file)
{
	struct routes *out = data;
	struct statements stream;
	struct view name;

	sources_add(&out->sources, &stream, file);
	stream.is_silent = true; /* only the calls are read, so faulty #ifs need no warning */
	while (statements_next_name(&name, &stream)) {
		struct route_call call = { .name = name, .line = stream.line };

		if (!statements_is_at(&stream, '(') ||
		    conditions_branch(&stream.conditions) == BRANCH_SKIPPED ||
		    !(call.rule = route_rule(out->rules, name)))
			continue;
		call.count = statements_cut_arguments(call.argument, ROUTE_ARGUMENTS, &stream);
		if (call.count)
			routes_add(out, &call, file);
		else
			table_file_warn(file, call.line,
					"This %.*s is left out: its parentheses do not close, or enclose a "
					"directive.",
					(int)name.length, name.at);
	}
}
