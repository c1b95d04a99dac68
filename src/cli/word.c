/*
 * cli/word.c - a name or number of the command line
 *
 * 1. word_load() loads the document that was asked for, the graph of all known
 *    versions, and the index of what each of them has.
 * 2. The caller looks the word up (history/lookup.h). If the document lacks
 *    it, the nearest version that has it is shown instead, unless the user
 *    named the version.
 * 3. word_check() turns a word that no version has into an error: with similar
 *    names, or for a number its bits, its neighbours, and the entry of a
 *    proxy's table that has it.
 */
#include "cli/word.h"

#include "cli/lineage.h"
#include "cli/nearby.h"
#include "report/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void word_read(struct lookup_word *out, const char *text)
{
	char *end;

	*out = (struct lookup_word){ .text = text };
	errno = 0;
	out->number = strtoull(text, &end, 0);
	out->is_number = *text >= '0' && *text <= '9' && !*end && !errno;
}

int word_load(struct word_scope *out, struct store_request *request, const struct cli_args *args, struct err *err)
{
	int rc;

	out->args = args;
	if ((rc = load_around(&out->around, request, args, err)) ||
	    (rc = load_profile(&out->profile, args, &request->arena, err)))
		return rc;
	history_graph_of(&out->graph, lineage_versions(&out->around.graph, &request->arena), out->around.graph.count, &request->arena);
	out->scope = (struct lookup_scope){ &request->abi, &out->graph, &out->around.index, out->around.asked };
	return 0;
}

/* Is the word a number in hexadecimal without its "0x", of this version or another? */
static bool lacks_prefix(const struct word_scope *words, const char *text)
{
	const struct abi_index *index = &words->around.index;
	struct lookup_word word = { .is_number = true };
	char *end;

	if (strspn(text, "0123456789abcdefABCDEF") != strlen(text) || strlen(text) < 2)
		return false;
	errno = 0;
	word.number = strtoull(text, &end, 16);
	for (size_t i = 0; i < index->count && !errno; i++)
		if (index->items[i].kind == ABI_IOCTL && lookup_named(&index->items[i], &word))
			return true;
	return nearby_number(words->scope.abi, text);
}

static void add_near_names(struct strbuf *out, const struct word_scope *words, const char *text)
{
	const struct abi_index *index = &words->around.index;
	struct abi_nearest nearest = { .count = 0 };

	nearby_names(&nearest, words->scope.abi, text);
	for (size_t i = 0; i < index->count && !words->args->version; i++)
		abi_nearest_name(&nearest, text, index->items[i].name);
	abi_nearest_list(out, &nearest);
}

static void add_neighbours(struct strbuf *out, const struct abi *abi, const struct lookup_parse *parse, uint64_t number)
{
	const char *separator = "; nearest: ";
	struct lookup_neighbour near[2];

	lookup_neighbours(near, abi, parse, number);
	for (size_t i = 0; i < sizeof(near) / sizeof(*near); i++) {
		if (!near[i].name)
			continue;
		strbuf_addf(out, "%s0x%llx %s", separator, (unsigned long long)near[i].number, near[i].name);
		separator = ", ";
	}
}

/* What a log has beside the command's number, "cmd=0xc08046d4": direction, size, a letter and the number that is asked for. */
static void add_request(struct strbuf *out, const struct abi *abi, uint64_t number)
{
	unsigned letter = number >> 8 & 0xff, size = number >> 16 & 0x3fff, nr = number & 0xff;

	if (number > UINT32_MAX || !(number >> 30) || !size || !isalpha((int)letter))
		return;
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		if (abi->ioctls[i].number != nr)
			continue;
		strbuf_addf(out, "; as a request of ioctl(2) it is number 0x%x with %u bytes: show 0x%x", nr, size, nr);
		return;
	}
}

/* A proxy may forward what the driver's sources do not know. */
static void add_forwarded(struct strbuf *out, const struct word_scope *words, uint64_t number, struct arena *arena)
{
	const struct table_node *node;
	struct table_view view;

	if (!words->table)
		return;
	node = forwarded_node(words->table, &words->graph, words->scope.version, words->scope.abi->version);
	if (!node)
		return;
	table_view_at(&view, words->table, node, arena);
	for (size_t i = 0; i < view.entry_count; i++)
		if (view.entries[i]->number == number)
			strbuf_addf(out, "; node %s of the table forwards it as %s %s", node->version, view.entries[i]->family,
				    view.entries[i]->name);
}

/* What the number is made of, and its neighbours. */
static void add_near_numbers(struct strbuf *out, const struct word_scope *words, uint64_t number)
{
	struct arena arena = { 0 };
	struct lookup_parse parse;

	lookup_parse(&parse, &words->profile, &words->scope, number, &arena);
	if (parse.bits_count)
		strbuf_adds(out, ": ");
	report_parse_words(out, &parse);
	add_neighbours(out, words->scope.abi, &parse, number);
	add_request(out, words->scope.abi, number);
	add_forwarded(out, words, number, &arena);
	arena_release(&arena);
}

static int nowhere(const struct lookup_word *word, const struct word_scope *words, struct err *err)
{
	struct strbuf who = { 0 }, near = { 0 };
	int rc;

	if (words->graph.version_count)
		strbuf_addf(&who, "none of the %zu versions has %s", words->graph.version_count, word->is_number ? "the number" : "anything called");
	else
		strbuf_addf(&who, "%s %s has %s", words->scope.abi->driver, words->scope.abi->version, word->is_number ? "no number" : "nothing called");
	if (lacks_prefix(words, word->text))
		strbuf_addf(&near, " (did you mean 0x%s?)", word->text);
	else if (word->is_number)
		add_near_numbers(&near, words, word->number);
	else
		add_near_names(&near, words, word->text);
	rc = err_set(err, ERR_NOT_FOUND, word->is_number ? "%s %s%s" : "%s '%s'%s", who.text, word->text, strbuf_text(&near));
	strbuf_release(&who);
	strbuf_release(&near);
	return rc;
}

/* The user named a version that lacks it. */
static int elsewhere(const struct lookup *lookup, const struct lookup_word *word, const struct word_scope *words, struct err *err)
{
	const struct history_graph *graph = &words->graph;
	const struct history_span *span = lookup->nearest_span;
	struct strbuf since = { 0 };
	int rc;

	report_span_words(&since, graph, span);
	rc = err_set(err, ERR_NOT_FOUND, "%s %s has no %s%s; --version %s has it: %s %s, %s", words->scope.abi->driver,
		     words->scope.abi->version, word->is_number ? "ioctl or command " : "", word->text, graph->versions[lookup->nearest].version,
		     span->family ? span->family : abi_kind_name(span->kind), span->name, strbuf_text(&since));
	strbuf_release(&since);
	return rc;
}

int word_check(const struct lookup *lookup, const struct lookup_word *word, const struct word_scope *words, struct err *err)
{
	if (lookup->item_count)
		return 0;
	if (lookup->nearest == words->graph.version_count)
		return nowhere(word, words, err);
	return words->args->version ? elsewhere(lookup, word, words, err) : 0;
}

bool word_is_elsewhere(const struct lookup *lookup, const struct word_scope *words)
{
	return lookup->nearest < words->graph.version_count && !(lookup->item_count && words->args->version);
}

void word_lookup_at(struct lookup *out, const struct lookup_word *word, const struct word_scope *words, const struct abi *abi,
		    size_t version, struct arena *arena)
{
	struct lookup_scope scope = { abi, &words->graph, &words->around.index, version };

	lookup_find(out, &scope, word, arena);
}

/* The bits of @number, if it is one of @family, or of any family if that is NULL. NULL: it is not. */
static const struct lookup_parse *parse_of(const struct word_scope *words, const char *family, uint64_t number, struct arena *arena)
{
	struct lookup_parse *parse = arena_alloc(arena, sizeof(*parse));

	lookup_parse(parse, &words->profile, &words->scope, number, arena);
	return parse->bits_count && (!family || !strcmp(family, parse->family)) ? parse : NULL;
}

void word_describe(struct show_item *item, const struct word_scope *words, const struct abi *abi, size_t version, struct arena *arena)
{
	const struct abi_ioctl *ioctl = item->item->ioctl;
	uint64_t number = ioctl ? ioctl->number : item->item->is_command ? item->item->constant->value.magnitude : 0;
	const char *family = ioctl ? ioctl->family : NULL;
	struct forwarded *forwarded;

	if (!ioctl && !item->item->is_command)
		return;
	item->parse = parse_of(words, family, number, arena);
	if (!family && item->parse)
		family = item->parse->family;
	if (!words->table || !family)
		return;
	forwarded = arena_alloc(arena, sizeof(*forwarded));
	forwarded_find(forwarded, words->table, forwarded_node(words->table, &words->graph, version, abi->version), family, number);
	item->forwarded = forwarded;
}
