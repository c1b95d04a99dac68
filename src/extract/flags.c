/*
 * extract/flags.c - converts flags and access rights to words, and finds the commands with embedded pointers
 *
 * The words come from the #defines of the tree that is extracted, because the meaning of a flag bit changes
 * between versions: RMCTRL_FLAGS_NON_PRIVILEGED is bit 4 in 515 and bit 3 in 590.
 *
 * The driver's embedded_param_copy.c copies the memory that pointers in parameter records point to. It has a
 * switch over the command, and its case labels are the commands with embedded pointers (dispatch_scan()). A
 * label inside an #ifdef of a macro that the headers do not define is ignored.
 */
#include "extract/internal.h"

void embedded_scan(void *data, const struct table_file *file)
{
	static const struct profile_strings none = { 0 };
	struct embedded_commands *out = data;
	struct dispatch found = { .macros = &none, .headers = out->macros };

	dispatch_scan(&found, file);
	for (size_t i = 0; i < found.label_count; i++) {
		const struct dispatch_label *label = &found.labels[i];
		const struct macro *macro = macro_find(out->macros, label->name, NULL);

		if (!macro || !macro->evaluated) {
			abi_builder_warning(
				file->builder, label->source,
				"The command %.200s carries embedded pointers, but the headers give it no value.",
				label->name);
			continue;
		}
		if (label->conditional)
			abi_builder_warning(
				file->builder, label->source,
				"Whether %s carries embedded pointers depends on how the driver is built; the "
				"document has the flag.",
				macro->name);
		out->items = arena_room(file->arena, out->items, out->count, sizeof(*out->items));
		out->items[out->count++] = macro->value.magnitude;
	}
	if (!found.sources.found_count)
		table_file_warn(
			file, 0,
			"This file has no switch over a command, so it is unknown which commands carry embedded pointers.");
}

bool embedded_has(const struct embedded_commands *commands, uint64_t number)
{
	for (size_t i = 0; i < commands->count; i++)
		if (commands->items[i] == number)
			return true;
	return false;
}

/* The largest depth of parentheses in the value of a flag. */
enum { WORDS_DEPTH_MAX = 16 };

struct words_parser {
	const struct flag_words *words;
	struct view rest;
	unsigned depth;
};

const char *flag_word_of(struct view name, struct arena *arena)
{
	char *word = arena_strndup(arena, name.at, name.length);

	for (char *ch = word; *ch; ch++)
		*ch = *ch == '_' ? '-' : *ch >= 'A' && *ch <= 'Z' ? (char)(*ch + ('a' - 'A')) : *ch;
	return word;
}

/*
 * Returns the word for a macro: "privileged" for "RS_FLAGS_ALLOC_PRIVILEGED" if "RS_FLAGS_ALLOC_" is a prefix
 * of @rule; NULL if @macro does not begin with a prefix of @rule.
 */
static const char *words_of_macro(const struct profile_words *rule, struct view macro, struct arena *arena)
{
	for (size_t i = 0; i < rule->prefix.count; i++)
		if (view_cut(&macro, rule->prefix.item[i]) && macro.length)
			return flag_word_of(macro, arena);
	return NULL;
}

static const struct flag_word *words_find(const struct flag_words *words, struct view macro)
{
	for (size_t i = 0; i < words->count; i++)
		if (view_is(macro, words->items[i].macro))
			return &words->items[i];
	return NULL;
}

static bool words_group(uint64_t *out, struct words_parser *parser);

/* Reads a number, NVBIT(n), an evaluated macro, or a value in parentheses. Return: false otherwise. */
static bool words_term(uint64_t *out, struct words_parser *parser)
{
	const struct flag_word *other;
	struct view name, *rest = &parser->rest;

	if (view_cut(rest, "("))
		return words_group(out, parser);
	if (!view_cut_name(&name, rest)) {
		name = view_word(*rest);
		*rest = view_trim((struct view){ rest->at + name.length, rest->length - name.length });
		return name.length && view_number(out, name);
	}
	if (view_is(name, "NVBIT") || view_is(name, "NVBIT32") || view_is(name, "NVBIT64")) {
		if (!view_cut(rest, "(") || !words_group(out, parser) || *out > 63)
			return false;
		*out = (uint64_t)1 << *out;
		return true;
	}
	other = words_find(parser->words, name);
	if (!other || other->value)
		return false;
	*out = other->bits;
	return true;
}

/* Reads terms joined by "|" and "<<", the only operators in values of flags. Return: false otherwise. */
static bool words_value(uint64_t *out, struct words_parser *parser)
{
	uint64_t term, value = 0;

	for (;;) {
		if (!words_term(&term, parser))
			return false;
		while (view_cut(&parser->rest, "<<")) {
			uint64_t distance;

			if (!words_term(&distance, parser) || distance > 63)
				return false;
			term <<= distance;
		}
		value |= term;
		if (!view_cut(&parser->rest, "|"))
			break;
	}
	*out = value;
	return true;
}

/* Reads a value and its ")". The parser is after the "(". Return: false otherwise, or if nested too deep. */
static bool words_group(uint64_t *out, struct words_parser *parser)
{
	bool good;

	if (++parser->depth > WORDS_DEPTH_MAX)
		return false;
	good = words_value(out, parser) && view_cut(&parser->rest, ")");
	parser->depth--;
	return good;
}

/* The state of reading one header. */
struct words_scan {
	struct flag_words *words;
	const struct table_file *file;
};

/*
 * Adds the word for a #define to the words of @data, a struct words_scan, unless the macro has no value, does
 * not begin with a prefix of the rule, is excluded by the rule, or was already added.
 */
static void words_define(void *data, const struct define *define)
{
	const struct words_scan *scan = data;
	struct flag_words *words = scan->words;
	struct arena *arena = scan->file->arena;
	struct flag_word word = {
		.macro = arena_strndup(arena, define->name.at, define->name.length),
		.word = words_of_macro(words->rule, define->name, arena),
		.value = lexer_join(define->body, false, arena),
		.source = table_file_source(scan->file, define->line),
	};

	if (!*word.value || !word.word || words_find(words, define->name) ||
	    profile_matches(&words->rule->except, word.macro))
		return;
	words->items = arena_room(arena, words->items, words->count, sizeof(*words->items));
	words->items[words->count++] = word;
}

static void words_scan(void *data, const struct table_file *file)
{
	directives_scan(file->text, file->size, &(struct directives_sink){
		.data = &(struct words_scan){ data, file }, .define = words_define });
}

/*
 * Sets the bits of all words from the values of their macros, and warns of each value that is not understood.
 * Macros can use macros that are defined later, so this is repeated. @bit_numbers: as in flag_words_read()
 */
static void words_evaluate(struct flag_words *words, bool bit_numbers, struct abi_builder *builder)
{
	for (bool found = true; found;) {
		found = false;
		for (size_t i = 0; i < words->count; i++) {
			struct flag_word *word = &words->items[i];
			struct words_parser parser = { .words = words };
			uint64_t value;

			if (!word->value)
				continue;
			parser.rest = view_of(word->value);
			if (!words_value(&value, &parser) || parser.rest.length ||
			    (bit_numbers && value > 63))
				continue;
			word->bits = bit_numbers ? (uint64_t)1 << value : value;
			word->value = NULL;
			found = true;
		}
	}
	for (size_t i = 0; i < words->count; i++)
		if (words->items[i].value)
			abi_builder_warning(builder, words->items[i].source,
					    "The value of %s is not a set of bits, so no flag is made from "
					    "it.",
					    words->items[i].macro);
}

int flag_words_read(struct flag_words *out, const struct family_context *context,
		    const struct profile_words *rule, bool bit_numbers, struct err *err)
{
	const struct flag_word *word;
	size_t file_count;
	int rc;

	out->rule = rule;
	if ((rc = tables_read(&file_count, context, &rule->files, words_scan, out, err)))
		return rc;
	if (rule->files.count && !out->count)
		abi_builder_warning(
			context->builder, rule->files.item[0],
			"No header here defines names for the flags, so their bits are shown as numbers.");
	words_evaluate(out, bit_numbers, context->builder);
	for (size_t i = 0; i < rule->unless.count; i++)
		if ((word = words_find(out, view_of(rule->unless.item[i]))))
			out->unless_bits |= word->bits;
	if (rule->fallback && (word = words_find(out, view_of(rule->fallback))))
		out->fallback = word->word;
	return 0;
}

/* Returns the word for the first macro whose value is exactly this bit; "bit-0x…" if there is none. */
static const char *words_of_bit(const struct flag_words *words, uint64_t bit, struct arena *arena)
{
	for (size_t i = 0; i < words->count; i++)
		if (words->items[i].bits == bit)
			return words->items[i].word;
	return arena_printf(arena, "bit-0x%llx", (unsigned long long)bit);
}

void words_add(struct profile_strings *words, const char *word, struct arena *arena)
{
	const size_t count = words->count;
	const char **items = (const char **)words->item;
	size_t at = 0;

	while (at < count && strcmp(items[at], word) < 0)
		at++;
	if (at < count && !strcmp(items[at], word))
		return;
	items = arena_room(arena, items, count, sizeof(*items));
	memmove(items + at + 1, items + at, (count - at) * sizeof(*items));
	items[at] = word;
	*words = (struct profile_strings){ items, count + 1 };
}

void flag_words_add_bits(struct profile_strings *out, const struct flag_words *words, uint64_t bits,
			 struct arena *arena)
{
	if (words->fallback && !(bits & words->unless_bits))
		words_add(out, words->fallback, arena);
	for (; bits; bits &= bits - 1)
		words_add(out, words_of_bit(words, bits & -bits, arena), arena);
}

bool flag_words_add_macro(struct profile_strings *out, const struct flag_words *words, struct view macro,
			  struct arena *arena)
{
	const struct flag_word *known = words_find(words, macro);
	const char *word;

	if (known && known->value)
		known = NULL;
	if (known && __builtin_popcountll(known->bits) == 1) {
		words_add(out, known->word, arena);
	} else if (known) {
		for (uint64_t bits = known->bits; bits; bits &= bits - 1)
			words_add(out, words_of_bit(words, bits & -bits, arena), arena);
	} else {
		word = words_of_macro(words->rule, macro, arena);
		words_add(out, word ? word : arena_strndup(arena, macro.at, macro.length), arena);
	}
	return known != NULL;
}

const char *words_join(const struct profile_strings *words, struct arena *arena)
{
	struct strbuf joined = { 0 };

	for (size_t i = 0; i < words->count; i++)
		strbuf_addf(&joined, "%s%s", i ? "," : "", words->item[i]);
	return words->count ? strbuf_take(&joined, arena) : NULL;
}
