#include "cli/history_options.h"

#include "cli/class_list.h"
#include "cli/nearby.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "0x20801358" or decimal; a leading zero does not make it octal. */
static bool parse_number(uint64_t *out, const char *word)
{
	bool is_hex = !strncasecmp(word, "0x", 2);
	const char *digits = is_hex ? word + 2 : word;
	char *end;

	if (!*digits || digits[strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789")])
		return false;
	errno = 0;
	*out = strtoull(digits, &end, is_hex ? 16 : 10);
	return !errno;
}

static bool names_versions(const struct cli_args *args)
{
	for (size_t i = 0; i < args->word_count; i++)
		if (select_is_versions(args->words[i]))
			return true;
	return args->since || args->until;
}

int history_options_read(struct history_filter *filter, const struct cli_args *args, struct arena *arena, struct err *err)
{
	uint64_t *numbers = arena_array(arena, args->word_count + 1, sizeof(*numbers));
	const char **names = arena_array(arena, args->word_count + 1, sizeof(*names));

	if (args->number && !parse_number(&numbers[filter->number_count++], args->number))
		return err_set(err, ERR_USAGE, "--number takes an ioctl's number, such as 0x20801358, not '%s'%s", args->number,
			       args->number[strspn(args->number, "0123456789abcdefABCDEF")] ? "" : "; in hexadecimal it begins with 0x");
	for (size_t i = 0; i < args->word_count; i++)
		if (select_is_versions(args->words[i]))
			continue;
		else if (parse_number(&numbers[filter->number_count], args->words[i]))
			filter->number_count++;
		else
			names[filter->name_count++] = args->words[i];
	filter->numbers = numbers;
	filter->names = names;
	if (!strcmp(args->format, "html") && (args->classes || names_versions(args)))
		return err_set(err, ERR_USAGE, "--format html is a page of all versions and classes; leave out %s",
			       args->classes ? "--class" : args->since ? "--since" : args->until ? "--until" : "the versions");
	return class_list_read(&filter->classes, args->classes, err);
}

static int add_versions(bool *wanted, const struct cli_args *args, const struct history_graph *graph, struct err *err)
{
	bool any = false;
	int rc;

	for (size_t i = 0; i < args->word_count; i++) {
		if (!select_is_versions(args->words[i]))
			continue;
		if ((rc = select_add(wanted, graph, args->words[i], err)))
			return rc;
		any = true;
	}
	for (size_t i = 0; !any && i < graph->version_count; i++)
		wanted[i] = true;
	return select_clip(wanted, graph, args->since, args->until, err);
}

/* Versions that nothing is before, or that could not be read, have nothing to tell. */
static int check_steps(const struct history_filter *filter, const struct history_graph *graph, struct err *err)
{
	size_t first = 0;

	for (size_t i = 0; i < graph->edge_count; i++)
		if (select_edge(filter, graph, i))
			return 0;
	while (first < graph->version_count && !filter->versions[first])
		first++;
	if (first == graph->version_count)
		return err_set(err, ERR_NOT_FOUND, "no version is in all of the ranges that are asked for; leave one of them out");
	return err_set(err, ERR_NOT_FOUND, "%s has no version before it that it could be compared with; drvabi surface and show tell what it has",
		       graph->versions[first].version);
}

int history_options_select(struct history_filter *filter, const struct cli_args *args, const struct history_graph *graph,
			   struct arena *arena, struct err *err)
{
	bool *wanted = arena_array(arena, graph->version_count + 1, sizeof(*wanted));
	int rc;

	if (!names_versions(args))
		return 0;
	if ((rc = add_versions(wanted, args, graph, err)))
		return rc;
	filter->versions = wanted;
	for (size_t i = 0; i < graph->version_count; i++)
		filter->version_count += wanted[i];
	return check_steps(filter, graph, err);
}

/* Is there a version that has @name, or with a glob something that it matches? */
static bool is_known(const char *name, const struct history_spans *spans, const struct history_graph *graph)
{
	for (size_t i = 0; i < spans->count; i++)
		if (!strcmp(spans->spans[i].name, name))
			return true;
	for (size_t i = graph->version_count; i-- && history_is_glob(name);)
		if (graph->versions[i].abi && nearby_matches(graph->versions[i].abi, name))
			return true;
	return false;
}

static int unknown_name(const char *name, const struct history_graph *graph, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	bool is_number = false;
	int rc;

	for (size_t i = graph->version_count; i--;)
		if (graph->versions[i].abi) {
			is_number = is_number || nearby_number(graph->versions[i].abi, name);
			nearby_names(&nearest, graph->versions[i].abi, name);
		}
	if (is_number)
		strbuf_addf(&near, " (did you mean 0x%s?)", name);
	else
		abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "none of the %zu versions has anything called '%s'%s", graph->version_count, name,
		     strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

/* All digits are decimal, but the user may have left out the 0x. */
static int unknown_number(uint64_t number, const struct history_graph *graph, struct err *err)
{
	char decimal[24];
	bool is_hex = false;

	snprintf(decimal, sizeof(decimal), "%" PRIu64, number);
	for (size_t i = graph->version_count; i-- && !is_hex;)
		is_hex = graph->versions[i].abi && nearby_number(graph->versions[i].abi, decimal);
	if (is_hex)
		return err_set(err, ERR_NOT_FOUND, "no ioctl or command of the %zu versions has the number 0x%" PRIx64 " (did you mean 0x%s?)",
			       graph->version_count, number, decimal);
	for (size_t i = 0; i < graph->version_count; i++)
		if (abi_version_begins(graph->versions[i].version, decimal))
			return err_set(err, ERR_NOT_FOUND, "no ioctl or command of the %zu versions has the number %s; %s..%s are the versions that "
				       "begin with it", graph->version_count, decimal, decimal, decimal);
	return err_set(err, ERR_NOT_FOUND, "no ioctl or command of the %zu versions has the number 0x%" PRIx64 "; drvabi show 0x%" PRIx64
		       " says what it is made of", graph->version_count, number, number);
}

static bool is_known_number(uint64_t number, const struct history_spans *spans)
{
	for (size_t i = 0; i < spans->count; i++)
		if (spans->spans[i].has_number && spans->spans[i].number == number)
			return true;
	return false;
}

int history_options_check(const struct history_filter *filter, const struct history_spans *spans, const struct history_graph *graph,
			  struct err *err)
{
	for (size_t i = 0; i < filter->number_count; i++)
		if (!is_known_number(filter->numbers[i], spans))
			return unknown_number(filter->numbers[i], graph, err);
	for (size_t i = 0; i < filter->name_count; i++)
		if (!is_known(filter->names[i], spans, graph))
			return unknown_name(filter->names[i], graph, err);
	return 0;
}
