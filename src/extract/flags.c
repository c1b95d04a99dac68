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

#include <stdlib.h>
#include <string.h>

void embedded_scan(struct embedded_commands *out, const struct table_file *file,
		   const struct macro_index *macros)
{
	static const struct profile_strings none = { 0 };
	struct dispatch found = { .headers = macros };

	dispatch_scan(&found, file, &none);
	for (size_t i = 0; i < found.label_count; i++) {
		const struct dispatch_label *label = &found.labels[i];
		const struct macro *macro = macro_find(macros, label->name, NULL);

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
		ARRAY_GROW(out->items, out->count, out->capacity);
		out->items[out->count++] = macro->value.magnitude;
	}
	if (!found.switch_count)
		table_file_warn(
			file, 0,
			"This file has no switch over a command, so it is unknown which commands carry embedded pointers.");
	dispatch_release(&found);
}

/* Orders the numbers in which embedded_has() searches. */
static int embedded_compare(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

void embedded_sort(struct embedded_commands *commands)
{
	size_t unique = 0;

	if (!commands->count)
		return;
	qsort(commands->items, commands->count, sizeof(*commands->items), embedded_compare);
	for (size_t i = 0; i < commands->count; i++)
		if (!unique || commands->items[unique - 1] != commands->items[i])
			commands->items[unique++] = commands->items[i];
	commands->count = unique;
}

bool embedded_has(const struct embedded_commands *commands, uint64_t number)
{
	return commands->count &&
	       bsearch(&number, commands->items, commands->count, sizeof(number), embedded_compare);
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

/* Reads a number, NVBIT(n), another macro of @parser->words, or a value in parentheses. */
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

/* Reads terms that are joined by "|" and "<<", the only operators in the values of flags. */
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

/* Reads a value and its ")". The parser is after the "(". */
static bool words_group(uint64_t *out, struct words_parser *parser)
{
	bool good;

	if (++parser->depth > WORDS_DEPTH_MAX)
		return false;
	good = words_value(out, parser) && view_cut(&parser->rest, ")");
	parser->depth--;
	return good;
}

/*
 * Adds the word for a #define, unless the macro is function-like, has no value, or is excluded by the rule.
 * @text: the text after "#define", with continued lines joined
 */
static void words_define(struct flag_words *words, const struct table_file *file, struct view text,
			 unsigned line)
{
	struct arena *arena = file->arena;
	struct flag_word word = { 0 };
	struct view macro;

	if (!view_cut_name(&macro, &text) || !text.length || macro.at[macro.length] == '(')
		return;
	word.word = words_of_macro(words->rule, macro, arena);
	if (!word.word || words_find(words, macro))
		return;
	word.macro = arena_strndup(arena, macro.at, macro.length);
	if (profile_matches(&words->rule->except, word.macro))
		return;
	word.value = arena_strndup(arena, text.at, text.length);
	word.source = table_file_source(file, line);
	ARRAY_GROW(words->items, words->count, words->capacity);
	words->items[words->count++] = word;
}

/*
 * Evaluates the macros of all words. A macro can use macros that are defined after it, so this is repeated
 * until no further macro can be evaluated.
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

static void words_scan(struct flag_words *words, const struct table_file *file)
{
	const char *text = lexer_blank((struct view){ file->text, file->size }, file->arena);
	struct view_lines lines = { text, text + file->size, 1 };
	struct view line;
	struct strbuf joined = { 0 };

	while (view_next_line(&line, &lines)) {
		unsigned number = lines.number - 1;

		if (!view_cut(&line, "#") || !view_cut(&line, "define"))
			continue;
		strbuf_reset(&joined);
		strbuf_add(&joined, line.at, line.length);
		while (joined.length && joined.text[joined.length - 1] == '\\') {
			joined.text[--joined.length] = '\0';
			strbuf_addch(&joined, ' ');
			if (view_next_line(&line, &lines))
				strbuf_add(&joined, line.at, line.length);
		}
		words_define(words, file, view_trim((struct view){ strbuf_text(&joined), joined.length }),
			     number);
	}
	strbuf_release(&joined);
}

int flag_words_read(struct flag_words *out, const struct family_context *context,
		    const struct profile_words *rule, bool bit_numbers, struct err *err)
{
	const struct flag_word *word;
	struct table_files files;
	int rc = table_files_find(&files, context, &rule->files, err);

	out->rule = rule;
	while (table_files_next(&files, &rc, err))
		words_scan(out, &files.file);
	table_files_release(&files);
	if (rc)
		return rc;
	if (rule->files.count && !out->count)
		abi_builder_warning(
			context->builder, arena_strdup(context->arena, rule->files.item[0]),
			"No header here defines names for the flags, so their bits are shown as numbers.");
	words_evaluate(out, bit_numbers, context->builder);
	for (size_t i = 0; i < rule->unless.count; i++)
		if ((word = words_find(out, view_of(rule->unless.item[i]))))
			out->unless_bits |= word->bits;
	if (rule->fallback && (word = words_find(out, view_of(rule->fallback))))
		out->fallback = word->word;
	return 0;
}

/*
 * Returns the word for the first macro whose value is exactly this bit, or "bit-0x…" if no macro has this
 * value.
 */
static const char *words_of_bit(const struct flag_words *words, uint64_t bit, struct arena *arena)
{
	for (size_t i = 0; i < words->count; i++)
		if (words->items[i].bits == bit)
			return words->items[i].word;
	return arena_printf(arena, "bit-0x%llx", (unsigned long long)bit);
}

void word_set_add(struct word_set *set, const char *word)
{
	ARRAY_GROW(set->items, set->count, set->capacity);
	set->items[set->count++] = word;
}

void flag_words_add_bits(struct word_set *out, const struct flag_words *words, uint64_t bits,
			    struct arena *arena)
{
	if (words->fallback && !(bits & words->unless_bits))
		word_set_add(out, words->fallback);
	for (; bits; bits &= bits - 1)
		word_set_add(out, words_of_bit(words, bits & -bits, arena));
}

bool flag_words_add_macro(struct word_set *out, const struct flag_words *words, struct view macro,
			     struct arena *arena)
{
	const struct flag_word *known = words_find(words, macro);
	const char *word;

	if (known && known->value)
		known = NULL;
	if (known && __builtin_popcountll(known->bits) == 1) {
		word_set_add(out, known->word);
	} else if (known) {
		for (uint64_t bits = known->bits; bits; bits &= bits - 1)
			word_set_add(out, words_of_bit(words, bits & -bits, arena));
	} else {
		word = words_of_macro(words->rule, macro, arena);
		word_set_add(out, word ? word : arena_strndup(arena, macro.at, macro.length));
	}
	return known != NULL;
}

const char *const *word_set_seal(size_t *count, struct word_set *set, struct arena *arena)
{
	const char **words = NULL;

	*count = 0;
	if (set->count) {
		if (set->count > 1)
			qsort(set->items, set->count, sizeof(*set->items), order_named);
		words = arena_array(arena, set->count, sizeof(*words));
	}
	for (size_t i = 0; i < set->count; i++)
		if (!*count || strcmp(words[*count - 1], set->items[i]))
			words[(*count)++] = set->items[i];
	free(set->items);
	*set = (struct word_set){ 0 };
	return words;
}

const char *word_set_join(struct word_set *set, struct arena *arena)
{
	struct strbuf joined = { 0 };
	size_t count;
	const char *const *words = word_set_seal(&count, set, arena);

	for (size_t i = 0; i < count; i++)
		strbuf_addf(&joined, "%s%s", i ? "," : "", words[i]);
	return count ? strbuf_take(&joined, arena) : NULL;
}
