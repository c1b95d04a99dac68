#include "cli/history_options.h"

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

int history_options_read(struct history_filter *filter, const struct cli_args *args, struct arena *arena, struct err *err)
{
	uint64_t *numbers = arena_array(arena, args->word_count + 1, sizeof(*numbers));
	const char **names = arena_array(arena, args->word_count + 1, sizeof(*names));

	if (args->number && !parse_number(&numbers[filter->number_count++], args->number))
		return err_set(err, ERR_USAGE, "--number takes an ioctl's number, such as 0x20801358, not '%s'%s", args->number,
			       args->number[strspn(args->number, "0123456789abcdefABCDEF")] ? "" : "; in hexadecimal it begins with 0x");
	for (size_t i = 0; i < args->word_count; i++)
		if (parse_number(&numbers[filter->number_count], args->words[i]))
			filter->number_count++;
		else
			names[filter->name_count++] = args->words[i];
	filter->numbers = numbers;
	filter->names = names;
	return 0;
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
