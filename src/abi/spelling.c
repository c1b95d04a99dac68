#include "abi/spelling.h"

static bool is_space(char ch)
{
	return ch == ' ' || ch == '\t';
}

static bool is_word(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
}

struct span span_trimmed(struct span span)
{
	while (span.length && is_space(span.text[0])) {
		span.text++;
		span.length--;
	}
	while (span.length && is_space(span.text[span.length - 1]))
		span.length--;
	return span;
}

static bool contains(struct span span, const char *what)
{
	return memmem(span.text, span.length, what, strlen(what)) != NULL;
}

/* The '[' that pairs with the ']' at the end of @span; -1 if what is between is no dimension. */
static ptrdiff_t last_bracket(struct span span)
{
	size_t i = span.length - 1;

	while (i && span.text[i - 1] >= '0' && span.text[i - 1] <= '9')
		i--;
	return i && span.text[i - 1] == '[' ? (ptrdiff_t)i - 1 : -1;
}

static int dimension_parse(uint64_t *out, struct span digits, struct err *err)
{
	uint64_t value = 0;

	for (size_t i = 0; i < digits.length; i++) {
		unsigned digit = (unsigned)(digits.text[i] - '0');

		if (value > (UINT64_MAX - digit) / 10)
			return err_set(err, ERR_FORMAT, "the dimension [%.*s] does not fit 64 bits", span_shown(digits), digits.text);
		value = value * 10 + digit;
	}
	*out = value;
	return 0;
}

int spelling_peel(struct abi_spelling *out, struct span *rest, struct err *err)
{
	struct span digits;
	uint64_t value = 0;
	ptrdiff_t open;
	int rc;

	if (!rest->length || rest->text[rest->length - 1] != ']')
		return 0;
	open = last_bracket(*rest);
	if (open < 0)
		return err_set(err, ERR_FORMAT, "type \"%.*s\" has brackets that hold no dimension", span_shown(*rest), rest->text);
	if (out->flexible)
		return err_set(err, ERR_FORMAT, "type \"%.*s[]\" has an empty dimension that is not the first",
			       span_shown(*rest), rest->text);
	if (out->dimension_count == ABI_DIMENSIONS_MAX)
		return err_set(err, ERR_FORMAT, "type \"%.*s\" has more than %d dimensions", span_shown(*rest), rest->text,
			       ABI_DIMENSIONS_MAX);
	digits = (struct span){ rest->text + open + 1, rest->length - (size_t)open - 2 };
	if ((rc = dimension_parse(&value, digits, err)))
		return rc;
	memmove(out->dimension + 1, out->dimension, out->dimension_count * sizeof(out->dimension[0]));
	out->dimension[0] = value;
	out->dimension_count++;
	out->flexible = !digits.length;
	*rest = span_trimmed((struct span){ rest->text, (size_t)open });
	return 1;
}

static bool brackets_pair(struct span span)
{
	int depth = 0;

	for (size_t i = 0; i < span.length; i++) {
		if (span.text[i] == '[')
			depth++;
		else if (span.text[i] == ']' && --depth < 0)
			return false;
	}
	return !depth;
}

/* The '(' that pairs with the ')' at the end of @span; its length if there is none. */
static size_t last_parenthesis(struct span span)
{
	size_t i = span.length, depth = 0;

	while (i) {
		i--;
		if (span.text[i] == ')')
			depth++;
		else if (span.text[i] == '(' && !--depth)
			return i;
	}
	return span.length;
}

/* Is the last ')' that of a declarator, "(*)" or "(*[3])", so that brackets behind it belong to what it points to? */
static bool ends_in_declarator(struct span span)
{
	size_t open;

	if (!span.length || span.text[span.length - 1] != ')')
		return false;
	open = last_parenthesis(span);
	return open + 1 < span.length && span.text[open + 1] == '*';
}

int spelling_parse(struct abi_spelling *out, struct span type, struct err *err)
{
	struct abi_spelling got = { 0 };
	struct span rest = span_trimmed(type);
	int rc;

	if (!brackets_pair(rest))
		return err_set(err, ERR_FORMAT, "type \"%.*s\" has brackets that do not pair", span_shown(rest), rest.text);
	while ((rc = spelling_peel(&got, &rest, err)) > 0)
		;
	if (rc)
		return rc;
	if (ends_in_declarator(rest)) {
		got = (struct abi_spelling){ 0 };
		rest = span_trimmed(type);
	}
	if (!rest.length)
		return err_set(err, ERR_FORMAT, "type \"%.*s\" names no type", span_shown(type), type.text);
	got.base = rest.text;
	got.base_length = rest.length;
	*out = got;
	return 0;
}

int abi_spelling_parse(struct abi_spelling *out, const char *type, struct err *err)
{
	return spelling_parse(out, span_of(type), err);
}

/* Behind the innermost "(*" and the qualifiers that follow it; NULL if @base has none. */
static const char *innermost_declarator(struct span base)
{
	const char *at = memmem(base.text, base.length, "(*", 2), *end = base.text + base.length;

	while (at && end - at >= 2 && at[0] == '(' && at[1] == '*')
		for (at += 2; at < end && (*at == '*' || is_word(*at) || is_space(*at)); at++)
			;
	return at;
}

int spelling_inside(struct abi_spelling *out, struct span base, struct err *err)
{
	const char *start = innermost_declarator(base), *end;
	struct abi_spelling got = { 0 };
	struct span rest;
	int rc;

	if (start && (end = memchr(start, ')', base.length - (size_t)(start - base.text)))) {
		rest = (struct span){ start, (size_t)(end - start) };
		while ((rc = spelling_peel(&got, &rest, err)) > 0)
			;
		if (rc)
			return rc;
	}
	*out = got;
	return 0;
}

char *spelling_element(struct span base)
{
	const char *end = base.text + base.length, *start = innermost_declarator(base), *behind;
	size_t length;
	char *element;

	if (!start || start == end || *start != '[' || !(behind = memchr(start, ')', (size_t)(end - start))))
		return NULL;
	length = (size_t)(start - base.text);
	element = xmalloc(base.length + 1);
	memcpy(element, base.text, length);
	memcpy(element + length, behind, (size_t)(end - behind));
	element[length + (size_t)(end - behind)] = '\0';
	return element;
}

int spelling_count(uint64_t *out, const struct abi_spelling *spelling, struct span spelled, struct err *err)
{
	uint64_t count = 1;

	for (size_t i = 0; i < spelling->dimension_count; i++)
		if (__builtin_mul_overflow(count, spelling->dimension[i], &count))
			return err_set(err, ERR_LIMIT, "the dimensions of \"%.*s\" multiply to more than 64 bits can say",
				       span_shown(spelled), spelled.text);
	*out = count;
	return 0;
}

static bool word_is(struct span word, const char *text)
{
	return word.length == strlen(text) && !memcmp(word.text, text, word.length);
}

static bool word_in(struct span word, const char *const *list)
{
	for (; *list; list++)
		if (word_is(word, *list))
			return true;
	return false;
}

/* The first word of @span, which then begins behind it; empty if it does not begin with one. */
static struct span next_word(struct span *span)
{
	struct span word;
	size_t length = 0;

	*span = span_trimmed(*span);
	while (length < span->length && is_word(span->text[length]))
		length++;
	word = (struct span){ span->text, length };
	*span = span_trimmed((struct span){ span->text + length, span->length - length });
	return word;
}

static const char *const qualifiers[] = { "const", "volatile", "restrict", "__restrict", "_Atomic", NULL };
static const char *const tags[] = { "struct", "union", "enum", NULL };

/* Most types are: "NvU32", "P::e_t". */
static bool is_one_word(struct span span)
{
	size_t i = 0;

	while (i < span.length && (is_word(span.text[i]) || span.text[i] == ':'))
		i++;
	return i == span.length;
}

struct span spelling_unqualified(struct span span)
{
	if (is_one_word(span))
		return span;
	for (;;) {
		struct span rest = span;
		struct span word = next_word(&rest);

		/* "_Atomic(int)" is a spelling of its own, and a lone word is a name. */
		if (!rest.length || rest.text[0] == '(' || !(word_in(word, qualifiers) || word_in(word, tags)))
			break;
		span = rest;
	}
	for (;;) {
		size_t start = span.length;

		while (start && is_word(span.text[start - 1]))
			start--;
		if (!start || !word_in((struct span){ span.text + start, span.length - start }, qualifiers))
			return span;
		span = span_trimmed((struct span){ span.text, start });
	}
}

/* The words of an integer type's name, in whatever order C allows them. */
struct integer_words {
	bool is_unsigned, is_signed, is_char, is_other;
};

/* Return: false if @span is made of anything else. */
static bool integer_words_parse(struct integer_words *out, struct span span)
{
	static const char *const others[] = { "int", "short", "long", NULL };
	struct integer_words words = { 0 };

	while (span.length) {
		struct span word = next_word(&span);

		if (word_is(word, "unsigned"))
			words.is_unsigned = true;
		else if (word_is(word, "signed"))
			words.is_signed = true;
		else if (word_is(word, "char"))
			words.is_char = true;
		else if (word_in(word, others))
			words.is_other = true;
		else
			return false;
	}
	*out = words;
	return true;
}

static enum abi_scalar integer_kind(bool is_unsigned, uint64_t size_bytes)
{
	switch (size_bytes) {
	case 1: return is_unsigned ? ABI_U8 : ABI_I8;
	case 2: return is_unsigned ? ABI_U16 : ABI_I16;
	case 4: return is_unsigned ? ABI_U32 : ABI_I32;
	case 8: return is_unsigned ? ABI_U64 : ABI_I64;
	default: return ABI_BYTES;
	}
}

static bool is_enum_spelling(struct span span)
{
	do {
		struct span word = next_word(&span);

		if (word_is(word, "enum"))
			return true;
		if (!word_in(word, qualifiers))
			return false;
	} while (span.length);
	return false;
}

static bool is_pointer_spelling(struct span base)
{
	return base.text[base.length - 1] == '*' || base.text[base.length - 1] == '&' || contains(base, "(*");
}

enum abi_scalar spelling_kind(struct span spelled, uint64_t size_bytes)
{
	struct span base = spelling_unqualified(spelled);
	struct integer_words words;

	if (is_pointer_spelling(base))
		return ABI_POINTER;
	if (is_enum_spelling(spelled))
		return ABI_ENUMERATION;
	if (word_is(base, "_Bool") || word_is(base, "bool"))
		return size_bytes == 1 ? ABI_BOOL : ABI_BYTES;
	if (!integer_words_parse(&words, base) || (words.is_char && words.is_other))
		return ABI_BYTES;
	if (words.is_char && !words.is_unsigned && !words.is_signed)
		return size_bytes == 1 ? ABI_CHAR : ABI_BYTES;
	return integer_kind(words.is_unsigned, size_bytes);
}

uint64_t spelling_width(struct span spelled)
{
	static const struct {
		const char *name;
		uint64_t bytes;
	} width[] = {
		{ "char", 1 }, { "signed char", 1 }, { "unsigned char", 1 }, { "_Bool", 1 }, { "bool", 1 },
		{ "short", 2 }, { "unsigned short", 2 }, { "int", 4 }, { "unsigned int", 4 },
		{ "long", 8 }, { "unsigned long", 8 }, { "long long", 8 }, { "unsigned long long", 8 },
		{ "float", 4 }, { "double", 8 }, { "long double", 16 },
		{ "__int128", 16 }, { "unsigned __int128", 16 },
	};
	struct span base = spelling_unqualified(spelled);

	if (is_pointer_spelling(base))
		return 8;
	for (size_t i = 0; i < sizeof(width) / sizeof(width[0]); i++)
		if (word_is(base, width[i].name))
			return width[i].bytes;
	return 0;
}
