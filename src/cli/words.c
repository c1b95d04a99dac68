/*
 * cli/words.c - names and numbers on the command line: their lookup, and suggestions for those that nothing
 * has
 */
#include "cli/cli.h"

#include <fnmatch.h>

enum { FEW_WORDS = 16 };

/*
 * Adds the names of @abi, of any kind, that resemble @word to @nearest. If @nearest is NULL, returns whether
 * a name matches the glob @word.
 */
static bool search_names(struct abi_nearest *nearest, const struct abi *abi, const char *word)
{
	static const enum abi_kind order[] = { ABI_RECORD, ABI_ENUM, ABI_ALIAS, ABI_IOCTL, ABI_CONSTANT };

	for (size_t k = 0; k < ABI_KIND_COUNT; k++) {
		const struct abi_items items = abi_items(abi, order[k]);

		for (size_t i = 0; i < items.count; i++) {
			const char *name = abi_item_name(order[k], items.first + i * items.size_bytes);

			if (nearest)
				abi_nearest_name(nearest, word, name);
			else if (!fnmatch(word, name, 0))
				return true;
		}
	}
	return false;
}

bool nearby_matches(const struct abi *abi, const char *glob)
{
	return search_names(NULL, abi, glob);
}

void nearby_names(struct abi_nearest *nearest, const struct abi *abi, const char *word)
{
	search_names(nearest, abi, word);
}

void nearby_records(struct abi_nearest *nearest, const struct abi *abi, const char *word)
{
	for (size_t i = 0; i < abi->record_count; i++)
		abi_nearest_name(nearest, word, abi->records[i].name);
}

/* Reads a word of two or more hexadecimal digits, without "0x". Return: false if @word is different. */
static bool read_hex(uint64_t *number, const char *word)
{
	char *end;

	errno = 0;
	*number = strtoull(word, &end, 16);
	return isxdigit((unsigned char)word[0]) && isxdigit((unsigned char)word[1]) && !*end && !errno;
}

bool nearby_number(const struct abi *abi, const char *word)
{
	uint64_t number;
	size_t i = 0;

	if (!read_hex(&number, word))
		return false;
	while (i < abi->ioctl_count && abi->ioctls[i].number != number)
		i++;
	return i < abi->ioctl_count;
}

bool nearby_are_releases(const char *a, const char *b)
{
	size_t letters = strcspn(a, "0123456789./");

	return !strncmp(a, b, letters) && strchr(a, '.') && strchr(b, '.') && a[letters] && b[letters] &&
	       !a[letters + strspn(a + letters, "0123456789.")] &&
	       !b[letters + strspn(b + letters, "0123456789.")];
}

void nearby_word(struct nearby_words *words, const char *word, struct arena *arena)
{
	if (texts_have(words->item, words->count, word))
		return;
	words->item = arena_room(arena, words->item, words->count, sizeof(*words->item));
	words->item[words->count++] = word;
}

/* Sets the message, followed by @more, and releases @more. Return: ERR_NOT_FOUND. */
__attribute__((format(printf, 3, 0)))
static int fail_with(struct err *err, struct strbuf *more, const char *format, va_list args)
{
	char sentence[sizeof(err->text)];

	vsnprintf(sentence, sizeof(sentence), format, args);
	err_set(err, ERR_NOT_FOUND, "%s%s", sentence, strbuf_text(more));
	strbuf_release(more);
	return ERR_NOT_FOUND;
}

int nearby_fail(struct err *err, struct abi_nearest *nearest, const char *format, ...)
{
	struct strbuf hint = { 0 };
	va_list args;

	abi_nearest_list(&hint, nearest);
	va_start(args, format);
	fail_with(err, &hint, format, args);
	va_end(args);
	return ERR_NOT_FOUND;
}

int nearby_words_fail(struct err *err, const struct nearby_words *words, const char *word,
		      const char *format, ...)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf more = { 0 };
	va_list args;

	for (size_t i = 0; words->count > FEW_WORDS && i < words->count; i++)
		abi_nearest_name(&nearest, word, words->item[i]);
	abi_nearest_list(&more, &nearest);
	if (!nearest.count) {
		sort_items(words->item, words->count, sizeof(*words->item), order_named);
		strbuf_adds(&more, !words->count       ? "; none are known"
				   : words->count == 1 ? "; the only one is "
						       : "; known: ");
		for (size_t i = 0; i < words->count; i++)
			strbuf_addf(&more, "%s%s", i ? ", " : "", words->item[i]);
	}
	va_start(args, format);
	fail_with(err, &more, format, args);
	va_end(args);
	return ERR_NOT_FOUND;
}

/*
 * lookup of a name or number of the command line
 *
 * 1. word_load() loads the requested document, the graph of all known versions, and the index of their items.
 * 2. The caller looks the word up with lookup_find(). If the document does not have the item, the nearest
 *    version that has it is shown, unless the user named the version.
 * 3. word_check() fails if no version has the item. The message lists similar names. For a number, it
 *    explains the parts of the number, and lists similar numbers and the entries with the number in the
 *    proxy's table.
 */

void word_read(struct lookup_word *out, const char *text)
{
	static const char *const keywords[] = { "struct ", "union ", "enum " };

	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (begins(text, keywords[i]))
			text += strlen(keywords[i]);
	*out = (struct lookup_word){ .text = text };
	out->is_number = hex_number(&out->number, text);
}

int word_load(struct word_scope *out, struct store_request *request, const struct cli_args *args,
	      struct err *err)
{
	const struct table_node *node;
	int rc;

	out->args = args;
	if ((rc = load_around(&out->around, request, args, err)) ||
	    (rc = load_profile(&out->profile, args, err)))
		return rc;
	history_graph_of(&out->graph, lineage_versions(&out->around.graph, args->arena),
			 out->around.graph.count, args->arena);
	out->scope =
		(struct lookup_scope){ &request->abi, &out->graph, &out->around.index, out->around.asked };
	if (!args->table)
		return 0;
	out->nodes = out->graph;
	if ((rc = load_table_for(&out->table, request->abi.driver, args, err)))
		return rc;
	return load_node(&node, &out->nodes, &out->table, request->abi.version, args, err);
}

/* Returns true if @text is a hexadecimal number without "0x", and a version has an ioctl with that number. */
static bool lacks_prefix(const struct word_scope *words, const char *text)
{
	const struct abi_index *index = &words->around.index;
	struct lookup_word word = { .is_number = true };

	if (!read_hex(&word.number, text))
		return false;
	for (size_t i = 0; i < index->count; i++)
		if (index->items[i].kind == ABI_IOCTL && lookup_named(&index->items[i], &word))
			return true;
	return nearby_number(words->scope.abi, text);
}

/*
 * Appends hints for a number that can be a whole request of ioctl(2), such as 0xc08046d4, which consists of a
 * direction, a size, a letter (the type) and the ioctl's number (nr): the ioctls with the same type and nr if
 * the driver ignores direction and size, and how to show the ioctl with the request's nr.
 */
static void add_request(struct strbuf *out, const struct abi *abi, uint64_t number)
{
	unsigned letter = number >> 8 & 0xff, size = number >> 16 & 0x3fff, nr = number & 0xff;
	const char *separator = "; the driver compares only type and nr, as of ";

	for (size_t i = 0; i < abi->ioctl_count && number <= UINT32_MAX; i++)
		if (abi->ioctls[i].encoding == ABI_NUMBER_IOC_BY_NR &&
		    (abi->ioctls[i].number & UINT16_MAX) == (number & UINT16_MAX)) {
			strbuf_addf(out, "%s0x%llx %s", separator, (unsigned long long)abi->ioctls[i].number,
				    abi->ioctls[i].name);
			separator = ", ";
		}

	if (number > UINT32_MAX || !(number >> 30) || !size || !isalpha((int)letter))
		return;
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		if (abi->ioctls[i].number != nr)
			continue;
		strbuf_addf(out,
			    "; as a request of ioctl(2) it is number 0x%x with %u bytes; try drvabi show 0x%x",
			    nr, size, nr);
		return;
	}
}

static const struct table_node *node_of_document(const struct word_scope *words, const struct abi *abi)
{
	return forwarded_node(&words->table, &words->nodes, history_graph_index(&words->nodes, abi->version),
			      abi->version);
}

/*
 * Appends to the message about an unknown number how the table's node forwards it: the rule that passes it
 * through without an entry, and the entries with @number. A proxy can forward ioctls that the driver's
 * sources do not declare.
 * @family: that of a number with these bits; NULL if it is unknown
 */
static void add_forwarded(struct strbuf *out, const struct word_scope *words, const char *family,
			  uint64_t number, struct arena *arena)
{
	const struct table_node *node;
	struct forwarded forwarded;
	struct table_view view;

	if (!words->args->table)
		return;
	node = node_of_document(words, words->scope.abi);
	if (!node)
		return;
	forwarded_find(&forwarded, &words->table, node, family ? family : "", number);
	if (forwarded.passed_as)
		strbuf_addf(out, "; node %s of the table passes it through unread, without an entry (%s)",
			    node->version, forwarded.passed_as);
	table_view_at(&view, &words->table, node, arena);
	for (size_t i = 0; i < view.entry_count; i++)
		if (view.entries[i]->number == number)
			strbuf_addf(out, "; node %s of the table forwards it as %s %s", node->version,
				    view.entries[i]->family, view.entries[i]->name);
}

/* Appends to a message the parts of the number, similar numbers, and the table's entries with it. */
static void add_similar_numbers(struct strbuf *out, const struct word_scope *words, uint64_t number)
{
	const char *separator = "; nearest: ";
	struct arena arena = { 0 };
	struct lookup_neighbour neighbour[2];
	struct lookup_parse parse;

	lookup_parse(&parse, &words->profile, &words->scope, number, &arena);
	if (parse.bits_count)
		strbuf_adds(out, ": ");
	report_parse_words(out, &parse);
	lookup_neighbours(neighbour, words->scope.abi, &parse, number);
	for (size_t i = 0; i < sizeof(neighbour) / sizeof(*neighbour); i++) {
		if (!neighbour[i].name)
			continue;
		strbuf_addf(out, "%s0x%llx %s", separator, (unsigned long long)neighbour[i].number,
			    neighbour[i].name);
		separator = ", ";
	}
	add_request(out, words->scope.abi, number);
	add_forwarded(out, words, parse.family, number, &arena);
	arena_release(&arena);
}

/*
 * Returns the hexadecimal number in @text, if @text is a line of a log that the user gave as a name;
 * otherwise NULL. @length: set to the length of the number
 */
static const char *number_in(const char *text, int *length)
{
	const char *number = strchr(text, ' ') ? strstr(text, "0x") : NULL;

	*length = number ? 2 + (int)strspn(number + 2, "0123456789abcdefABCDEF") : 0;
	return *length > 2 ? number : NULL;
}

/*
 * Returns true for a name without lower-case letters. Such a name may be a macro of the driver that the
 * profile does not select, so that no document has it.
 */
static bool may_be_macro(const char *text)
{
	return isupper((unsigned char)*text) &&
	       !text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*?")];
}

/*
 * Fails because no version has @word. The message lists similar names or numbers, and suggests a missing
 * 0x, the number in a line of a log, or --constants for a macro. Return: ERR_NOT_FOUND.
 */
static int fail_nowhere(const struct lookup_word *word, const struct word_scope *words, struct err *err)
{
	const struct abi_index *index = &words->around.index;
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf who = { 0 }, hint = { 0 };
	const char *number;
	int length;

	if (words->graph.version_count)
		strbuf_addf(&who, "the documents of the %zu versions %s", words->graph.version_count,
			    word->is_number ? "do not have the number" : "have nothing called");
	else
		strbuf_addf(&who, "the document of %s %s %s", words->scope.abi->driver,
			    words->scope.abi->version, word->is_number ? "does not have the number" : "has nothing called");
	if (lacks_prefix(words, word->text))
		strbuf_addf(&hint, " (did you mean 0x%s?)", word->text);
	else if (word->is_number)
		add_similar_numbers(&hint, words, word->number);
	else if ((number = number_in(word->text, &length)))
		strbuf_addf(&hint,
			"; the number alone is %.*s, and drvabi decode reads lines of a log from standard input",
			length, number);
	else if (*word->text && !word->text[strspn(word->text, "0123456789")])
		strbuf_adds(&hint, "; a number has at most 64 bits");
	else {
		nearby_names(&nearest, words->scope.abi, word->text);
		for (size_t i = 0; i < index->count && !words->args->version; i++)
			abi_nearest_name(&nearest, word->text, index->items[i].name);
		abi_nearest_list(&hint, &nearest);
		if (may_be_macro(word->text) && !words->args->json)
			strbuf_addf(&hint, "; --constants '%s' searches the driver's other macros",
				    word->text);
	}
	return err_set(err, ERR_NOT_FOUND, word->is_number ? "%s %s%s" : "%s '%s'%s",
		       strbuf_take(&who, words->args->arena), word->text,
		       strbuf_take(&hint, words->args->arena));
}

int word_check(const struct lookup *lookup, const struct lookup_word *word, const struct word_scope *words,
	       struct err *err)
{
	const struct history_span *span = lookup->nearest_span;
	struct strbuf since = { 0 };

	if (lookup->item_count)
		return 0;
	if (lookup->nearest == words->graph.version_count)
		return fail_nowhere(word, words, err);
	if (!words->args->version)
		return 0;
	/* The version that the user named does not have the item. */
	report_span_words(&since, &words->graph, span);
	return err_set(err, ERR_NOT_FOUND, "%s %s has no %s%s; --version %s has it: %s %s, %s",
		       words->scope.abi->driver, words->scope.abi->version,
		       word->is_number ? "ioctl or command " : "", word->text,
		       words->graph.versions[lookup->nearest].version,
		       span->family ? span->family : abi_kind_name(span->kind), span->name,
		       strbuf_take(&since, words->args->arena));
}

bool word_is_elsewhere(const struct lookup *lookup, const struct word_scope *words)
{
	return lookup->nearest < words->graph.version_count && !(lookup->item_count && words->args->version);
}

void word_lookup_at(struct lookup *out, const struct lookup_word *word, const struct word_scope *words,
		    const struct abi *abi, size_t version)
{
	struct lookup_scope scope = { abi, &words->graph, &words->around.index, version };

	lookup_find(out, &scope, word, words->args->arena);
}

void word_describe(struct show_item *item, const struct word_scope *words, const struct abi *abi)
{
	const struct abi_ioctl *ioctl = item->item->kind == ABI_IOCTL ? item->item->ioctl : NULL;
	uint64_t number = ioctl                    ? ioctl->number
			  : item->item->is_command ? item->item->constant->value.magnitude
						   : 0;
	const char *family = ioctl ? ioctl->family : NULL;
	struct lookup_parse *parse;
	struct forwarded *forwarded;

	if (!ioctl && !item->item->is_command)
		return;
	parse = arena_alloc(words->args->arena, sizeof(*parse));
	lookup_parse(parse, &words->profile, &words->scope, number, words->args->arena);
	if (parse->bits_count && (!family || !strcmp(family, parse->family)))
		item->parse = parse;
	if (!family && item->parse)
		family = item->parse->family;
	if (!words->args->table || !family)
		return;
	forwarded = arena_alloc(words->args->arena, sizeof(*forwarded));
	forwarded_find(forwarded, &words->table, node_of_document(words, abi), family, number);
	item->forwarded = forwarded;
}
