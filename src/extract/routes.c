#include "extract/routes.h"

#include "extract/rs_entry.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "\1" to "\9" in the patterns of a profile_call. */
enum { ROUTE_ARGUMENTS = 9 };

struct route_scan {
	struct routes *out;
	const struct surface_file *file;
	const struct profile_routes *rules;
	const char *at;
	const char *end;
	unsigned line; /* that *at is on */
	struct surface_conditions conditions;
};

struct route_call {
	const struct profile_route *rule;
	struct surface_span name;
	struct surface_span argument[ROUTE_ARGUMENTS];
	size_t count; /* of all arguments, also of those that have no room */
	unsigned line;
};

/* @scan stands behind "(" and is moved behind its ")". Return: false if the text ends, or a directive stands inside. */
static bool routes_take_arguments(struct route_call *call, struct route_scan *scan)
{
	const char *start = scan->at;
	unsigned depth = 0;

	for (; scan->at < scan->end && *scan->at != '#'; scan->at++) {
		char ch = *scan->at;
		bool closes = ch == ')' && !depth;

		scan->line += ch == '\n';
		if (closes || (ch == ',' && !depth)) {
			if (call->count < ROUTE_ARGUMENTS)
				call->argument[call->count] = surface_trim((struct surface_span){ start, (size_t)(scan->at - start) });
			call->count++;
			start = scan->at + 1;
		}
		if (closes) {
			scan->at++;
			return true;
		}
		depth += ch == '(';
		depth -= ch == ')';
	}
	return false;
}

/* A pattern with the arguments put in; NULL, with a warning, if one of them is not a name. */
static const char *routes_expand(const char *pattern, const struct route_call *call, const struct surface_file *file)
{
	struct strbuf out = { 0 };
	const char *expanded = NULL;

	for (; *pattern; pattern++) {
		struct surface_span name, rest = { "", 0 };
		size_t index;

		if (*pattern != '\\') {
			strbuf_addch(&out, *pattern);
			continue;
		}
		index = (size_t)(*++pattern - '1');
		if (index < call->count)
			rest = call->argument[index];
		if (!surface_cut_name(&name, &rest) || rest.length) {
			surface_warn(file, call->line, "This %.*s is left out: its argument %zu is not one name.",
				     (int)(call->name.length < 100 ? call->name.length : 100), call->name.at, index + 1);
			goto out;
		}
		strbuf_add(&out, name.at, name.length);
	}
	expanded = arena_strdup(file->arena, strbuf_text(&out));
out:
	strbuf_release(&out);
	return expanded;
}

/* DRM_RENDER_ALLOW, less its prefix, is "render-allow". */
static const char *routes_word(struct surface_span name, const char *prefix, struct arena *arena)
{
	size_t cut = strlen(prefix);
	char *word;

	if (name.length > cut && !memcmp(name.at, prefix, cut))
		name = (struct surface_span){ name.at + cut, name.length - cut };
	word = arena_strndup(arena, name.at, name.length);
	for (char *at = word; *at; at++)
		*at = *at == '_' ? '-' : (char)tolower((unsigned char)*at);
	return word;
}

/* The words of "A | B", or of "0". Return: false, with a warning, if it is neither. */
static bool routes_words(struct surface_word_set *flags, const struct route_call *call, const struct surface_file *file)
{
	size_t index = (size_t)(call->rule->words[1] - '1');
	struct surface_span list = index < call->count ? call->argument[index] : (struct surface_span){ "", 0 }, name;
	bool malformed = !list.length;

	if (surface_is(list, "0"))
		return true;
	while (rs_entry_next_name(&name, &list, &malformed))
		surface_word_set_add(flags, routes_word(name, call->rule->prefix, file->arena));
	if (malformed)
		surface_warn(file, call->line, "This %.*s is left out: its argument %zu is not a list of names.",
			     (int)(call->name.length < 100 ? call->name.length : 100), call->name.at, index + 1);
	return !malformed;
}

static void routes_add(struct routes *out, const struct route_call *call, const struct surface_file *file)
{
	struct route entry = { .source = surface_source(file, call->line) };

	entry.ioctl = routes_expand(call->rule->ioctl, call, file);
	if (!entry.ioctl)
		return;
	entry.record = call->rule->record ? routes_expand(call->rule->record, call, file) : NULL;
	if (call->rule->record && !entry.record)
		return;
	for (size_t i = 0; i < call->rule->flags.count; i++)
		surface_word_set_add(&entry.flags, arena_strdup(file->arena, call->rule->flags.item[i]));
	if (call->rule->words && !routes_words(&entry.flags, call, file)) {
		free(entry.flags.items);
		return;
	}
	ARRAY_GROW(out->items, out->count, out->capacity);
	out->items[out->count++] = entry;
}

static const struct profile_route *route_rule(const struct profile_routes *rules, struct surface_span name)
{
	char text[128];

	if (name.length >= sizeof(text))
		return NULL;
	memcpy(text, name.at, name.length);
	text[name.length] = '\0';
	for (size_t i = 0; i < rules->call_count; i++)
		if (profile_matches(&(struct profile_strings){ &rules->calls[i].name, 1 }, text))
			return &rules->calls[i];
	return NULL;
}

/* A name in the text: a call, or nothing that is of interest. */
static void routes_take_name(struct route_scan *scan)
{
	struct surface_span rest = { scan->at, (size_t)(scan->end - scan->at) };
	struct route_call call = { .line = scan->line };

	while (rest.length && surface_is_name_char(rest.at[0])) {
		rest.at++;
		rest.length--;
	}
	call.name = (struct surface_span){ scan->at, (size_t)(rest.at - scan->at) };
	scan->at = rest.at;
	while (rest.length && surface_is_space(rest.at[0])) {
		rest.at++;
		rest.length--;
	}
	if (!rest.length || rest.at[0] != '(' || surface_branch_of(&scan->conditions) == SURFACE_SKIPPED)
		return;
	call.rule = route_rule(scan->rules, call.name);
	if (!call.rule)
		return;
	for (; scan->at <= rest.at; scan->at++)
		scan->line += *scan->at == '\n';
	if (routes_take_arguments(&call, scan))
		routes_add(scan->out, &call, scan->file);
	else
		surface_warn(scan->file, call.line, "This %.*s is left out: its parentheses do not close.", (int)call.name.length,
			     call.name.at);
}

static bool routes_is_if_0(struct surface_span line)
{
	return surface_cut(&line, "#") && surface_cut(&line, "if") && surface_is(line, "0");
}

/* A whole preprocessor line, with the lines that continue it: what a macro is defined as is no call. */
static void routes_take_directive(struct route_scan *scan)
{
	struct surface_lines lines = { scan->at, scan->end, scan->line };
	struct surface_span line;
	bool continued, first = true;

	do {
		if (!surface_next_line(&line, &lines))
			break;
		if (first)
			surface_condition(&scan->conditions, line, routes_is_if_0(line) ? SURFACE_SKIPPED : SURFACE_UNKNOWN);
		first = false;
		continued = line.length && line.at[line.length - 1] == '\\';
	} while (continued);
	scan->at = lines.at;
	scan->line = lines.number;
}

void routes_scan(struct routes *out, const struct surface_file *file, const struct profile_routes *rules)
{
	const char *text = surface_blank(file);
	struct route_scan scan = { .out = out, .file = file, .rules = rules, .at = text, .end = text + file->size, .line = 1 };

	while (scan.at < scan.end) {
		if (surface_is_name_char(*scan.at)) {
			routes_take_name(&scan);
		} else if (*scan.at == '#') {
			routes_take_directive(&scan);
		} else {
			scan.line += *scan.at == '\n';
			scan.at++;
		}
	}
}

/* The file that is read, and for whom. */
struct route_reading {
	struct routes *out;
	const struct profile_routes *rules;
};

static void routes_take_file(void *data, const struct surface_file *file)
{
	struct route_reading *reading = data;

	routes_scan(reading->out, file, reading->rules);
}

/* By ioctl; of one ioctl, in the order of the files. */
static int routes_compare(const void *a, const void *b)
{
	const struct route *left = a, *right = b;
	int order = strcmp(left->ioctl, right->ioctl);

	return order ? order : strcmp(left->source, right->source);
}

static bool routes_same_record(const struct route *a, const struct route *b)
{
	return a->record == b->record || (a->record && b->record && !strcmp(a->record, b->record));
}

static void routes_join(struct route *first, struct route *next, const struct surface_table *table)
{
	for (size_t i = 0; i < next->flags.count; i++)
		surface_word_set_add(&first->flags, next->flags.items[i]);
	if (!routes_same_record(first, next))
		abi_builder_warning(table->builder, next->source, arena_printf(table->arena,
			"%s takes a %s here and a %s at %s, which stands.", next->ioctl, next->record ? next->record : "record that is not named",
			first->record ? first->record : "record that is not named", first->source));
	free(next->flags.items);
}

static void routes_unite(struct routes *out, const struct surface_table *table)
{
	size_t count = 0;

	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), routes_compare);
	for (size_t i = 0; i < out->count; i++) {
		if (count && !strcmp(out->items[count - 1].ioctl, out->items[i].ioctl))
			routes_join(&out->items[count - 1], &out->items[i], table);
		else
			out->items[count++] = out->items[i];
	}
	out->count = count;
}

int routes_read(struct routes *out, const struct surface_table *table, struct err *err)
{
	const struct profile_routes *rules = &table->family->routes;
	struct route_reading reading = { out, rules };
	int files;

	if (!rules->call_count)
		return 0;
	files = surface_read_files(table->tree, &rules->files, table->builder, table->arena, routes_take_file, &reading, err);
	if (files < 0)
		return files;
	if (!out->count)
		abi_builder_warning(table->builder, arena_strdup(table->arena, rules->files.item[0]), arena_printf(table->arena,
			"%s, so it is not known which ioctls of family %s the driver answers.",
			files ? "No call that the profile names stands here" : "There is no such file", table->name));
	routes_unite(out, table);
	return 0;
}

void routes_release(struct routes *routes)
{
	for (size_t i = 0; i < routes->count; i++)
		free(routes->items[i].flags.items);
	free(routes->items);
	*routes = (struct routes){ 0 };
}

static int routes_compare_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct route *)entry)->ioctl);
}

struct route *routes_find(struct routes *routes, const char *ioctl)
{
	struct route *found = NULL;

	if (routes->count)
		found = bsearch(ioctl, routes->items, routes->count, sizeof(*routes->items), routes_compare_name);
	if (found)
		found->is_used = true;
	return found;
}

void routes_warn_unused(const struct routes *routes, const struct surface_table *table)
{
	for (size_t i = 0; i < routes->count; i++)
		if (!routes->items[i].is_used)
			abi_builder_warning(table->builder, routes->items[i].source, arena_printf(table->arena,
				"The driver answers %s, which is no ioctl of family %s in its headers.", routes->items[i].ioctl, table->name));
}
