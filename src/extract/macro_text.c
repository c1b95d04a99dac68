/* extract/macro_text.c - macros as text: is it a number, another macro, or a call that makes an ioctl? */
#include "extract/internal.h"
#include "base/base.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * clang gives up at 256 brackets; what is near that is treated with care, what is far beyond counts as no
 * number.
 */
enum { BRACKET_DEPTH_SURE = 100, BRACKET_DEPTH_MAX = 512 };

/* What has been seen of a body so far. */
struct look {
	char open[BRACKET_DEPTH_MAX]; /* the brackets that are open */
	size_t depth;
	unsigned questions; /* "?" that have no ":" yet */
	bool has_name;
	bool has_fraction;
};

/*
 * Words that begin a type, a declaration or a statement, none of which is a number. "sizeof" is not among
 * them.
 */
static bool is_keyword(struct view word)
{
	static const char *const words[] = {
		"__attribute__", "__asm__", "__inline__", "asm", "break", "case", "char", "const", "continue", "do",
		"double", "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long",
		"register", "return", "short", "signed", "static", "struct", "switch", "typedef", "union",
		"unsigned", "void", "volatile", "while", "_Bool", "__inline", "__volatile__",
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (view_is(word, words[i]))
			return true;
	return false;
}

/* A preprocessing number: digits, letters, dots, and signs behind an exponent. */
static const char *number_end(struct look *look, const char *at)
{
	bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
	const char *p;

	for (p = at; view_is_word_char(*p) || *p == '.'; p++) {
		bool exponent = hexadecimal ? *p == 'p' || *p == 'P' : *p == 'e' || *p == 'E';

		if (*p == '.' || exponent)
			look->has_fraction = true;
		if (exponent && (p[1] == '+' || p[1] == '-'))
			p++;
	}
	return p;
}

static bool close_bracket(struct look *look, char ch)
{
	return look->depth && look->open[--look->depth] == ch;
}

/* One character of punctuation. Return: can the body still be a number? */
static bool look_at(struct look *look, char ch)
{
	switch (ch) {
	case '(':
	case '[':
		if (look->depth == BRACKET_DEPTH_MAX)
			return false;
		look->open[look->depth++] = ch == '(' ? ')' : ']';
		look->has_name = look->has_name || look->depth > BRACKET_DEPTH_SURE;
		return true;
	case ')':
	case ']':
		return close_bracket(look, ch);
	case '?':
		look->questions++;
		return true;
	case ':':
		return look->questions-- > 0;
	case ',':
		return look->depth > 0;
	default:
		return !strchr("{};\"#@\\`=", ch);
	}
}

static bool is_comparison(const char *at)
{
	return at[0] && at[1] == '=' && strchr("=!<>", at[0]);
}

enum macro_shape macro_shape_of(const char *text)
{
	struct look look = { 0 };
	const char *p = text, *end = text + strlen(text);

	while (p < end) {
		if (view_is_digit(*p) || (*p == '.' && view_is_digit(p[1]))) {
			p = number_end(&look, p);
		} else if (view_is_word_char(*p)) {
			struct view word = view_word((struct view){ p, (size_t)(end - p) });

			if (p == text && is_keyword(word))
				return MACRO_NO_NUMBER;
			look.has_name = true;
			p += word.length;
		} else if (*p == '\'') {
			if (!lexer_skip_literal(&p, end))
				return MACRO_NO_NUMBER;
		} else if (is_comparison(p)) {
			p += 2;
		} else if (look_at(&look, *p)) {
			p++;
		} else {
			return MACRO_NO_NUMBER;
		}
	}
	if (!*text || look.depth || (look.has_fraction && !look.has_name))
		return MACRO_NO_NUMBER;
	return look.has_name ? MACRO_NAMES : MACRO_LITERALS;
}

bool macro_is_balanced(const char *text)
{
	const char *end = text + strlen(text);
	char open[BRACKET_DEPTH_MAX];
	size_t depth = 0;

	while (text < end) {
		const char *brackets = "()[]{}", *bracket = strchr(brackets, *text);

		if (*text == '"' || *text == '\'') {
			lexer_skip_literal(&text, end);
			continue;
		}
		if (bracket && (bracket - brackets) % 2 == 0) {
			if (depth == BRACKET_DEPTH_MAX)
				return false;
			open[depth++] = bracket[1];
		} else if (bracket && (!depth || open[--depth] != *text)) {
			return false;
		}
		text++;
	}
	return !depth;
}

bool macro_has_comma(const char *text)
{
	const char *end = text + strlen(text);
	bool is_call[BRACKET_DEPTH_MAX + 1] = { false }, after_name = false;
	size_t depth = 0;

	for (; text < end; text++) {
		if (*text == '"' || *text == '\'') {
			lexer_skip_literal(&text, end);
			text--;
		} else if (strchr("([{", *text) && depth < BRACKET_DEPTH_MAX) {
			is_call[++depth] = after_name || *text != '(';
		} else if (strchr(")]}", *text) && depth) {
			depth--;
		} else if (*text == ',' && !is_call[depth]) {
			return true;
		}
		after_name = view_is_word_char(*text) || (after_name && *text == ' ');
	}
	return false;
}

/* u, l, ll and what they make together, in either case. */
static size_t suffix_length(const char *text)
{
	static const char *const suffixes[] = { "ull", "llu", "ul", "lu", "ll", "u", "l" };
	size_t i;

	for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (!strncasecmp(text, suffixes[i], strlen(suffixes[i])))
			return strlen(suffixes[i]);
	return 0;
}

/* Blanks and brackets. Return: how many brackets. */
static size_t skip_brackets(const char **text, char bracket)
{
	size_t count = 0;

	for (; **text == bracket || **text == ' '; (*text)++)
		count += **text == bracket;
	return count;
}

bool macro_literal(uint64_t *out, const char *text)
{
	unsigned long long value;
	size_t open = skip_brackets(&text, '(');
	char *end;
	const char *rest;

	if (!view_is_digit(*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, 0);
	rest = end + suffix_length(end);
	if (errno || skip_brackets(&rest, ')') != open || *rest)
		return false;
	*out = value;
	return true;
}

/*
 * Behind the bracket that closes the one at @at; NULL if none does. Strings and characters have no brackets,
 * or the text is no number.
 */
static const char *bracket_end(const char *at, const char *end)
{
	size_t depth = 0;

	for (; at < end; at++) {
		depth += *at == '(';
		if (*at == ')' && !--depth)
			return at + 1;
	}
	return NULL;
}

/* Without blanks, and the brackets that are around all of it. */
static struct view without_brackets(const char *text)
{
	struct view view = view_trim(view_of(text));

	while (view.length && *view.at == '(' &&
	       bracket_end(view.at, view.at + view.length) == view.at + view.length)
		view = view_trim((struct view){ view.at + 1, view.length - 2 });
	return view;
}

bool macro_is_call(const char *text)
{
	struct view view = without_brackets(text), name;

	if (!view_cut_name(&name, &view) || !view.length || *view.at != '(')
		return false;
	return bracket_end(view.at, view.at + view.length) == view.at + view.length;
}

bool macro_is_name(const char *text)
{
	return view_is_name(without_brackets(text));
}

/* The call that begins at @at, if one does: a name that is no operator, and what is in brackets behind it. */
static bool cut_call(struct view *out, const char *at, const char *end)
{
	struct view rest = { at, (size_t)(end - at) }, name;
	const char *behind;

	if (!view_cut_name(&name, &rest) || !rest.length || *rest.at != '(' || view_is(name, "sizeof"))
		return false;
	behind = bracket_end(rest.at, end);
	*out = (struct view){ at, behind ? (size_t)(behind - at) : 0 };
	return behind != NULL;
}

/* Behind what is in brackets at @at, or @at itself. */
static const char *skip_arguments(const char *at, const char *end)
{
	const struct view rest = view_trim((struct view){ at, (size_t)(end - at) });
	const char *behind = rest.length && *rest.at == '(' ? bracket_end(rest.at, end) : NULL;

	return behind ? behind : at;
}

/* Not what the compiler itself has, such as __LINE__ and "defined", for which "#ifdef" is an error. */
static bool may_be_macro(struct view word)
{
	const bool is_predefined = view_starts_with(word, "__") && view_ends_with(word, "__");

	return view_is_name(word) && !is_predefined && !view_is(word, "defined") &&
	       !view_is(word, "sizeof") && !is_keyword(word);
}

bool macro_next_name(struct view *out, const char **at)
{
	const char *p = *at, *end = p + strlen(p);

	while (p < end) {
		const struct view word = view_word((struct view){ p, (size_t)(end - p) });
		const char *behind = p + word.length, *next;

		if (*p == '"' || *p == '\'') {
			lexer_skip_literal(&p, end);
			continue;
		}
		next = view_is_name(word) ? skip_arguments(behind, end) : behind;
		if (next == behind && may_be_macro(word)) {
			*out = word;
			*at = behind;
			return true;
		}
		p = word.length ? next : p + 1;
	}
	return false;
}

bool macro_first_call(struct view *out, const char *text)
{
	const char *end = text + strlen(text);

	while (text < end) {
		const size_t length = view_word((struct view){ text, (size_t)(end - text) }).length;

		if (cut_call(out, text, end))
			return true;
		text += length ? length : 1;
	}
	return false;
}

/*
 * Macros that are an ioctl because another one is, which their text names: one of a choice, behind a cast, or
 * through such a macro.
 *
 * "(sizeof(struct timeval) == 8 ? SIOCGSTAMP_OLD : SIOCGSTAMP_NEW)" is an error where macro_kinds.c asks how
 * it is made, since no operator is for functions. So it is what the first of these macros is that is an ioctl
 * of the same value. That one may be such a macro itself.
 */

/* An ioctl's number has 32 bits; what a cast has made of it does not count. */
static bool is_same_number(const struct question *a, const struct question *b)
{
	const uint64_t x = a->value.negative ? -a->value.magnitude : a->value.magnitude,
		       y = b->value.negative ? -b->value.magnitude : b->value.magnitude;

	return question_is_evaluated(a) && question_is_evaluated(b) && (uint32_t)x == (uint32_t)y;
}

/* Return: was there one that is an ioctl? */
static bool resolve(const struct macro_values *values, struct question *question)
{
	for (size_t i = 0; i < question->definition->name_count; i++) {
		struct question *named = question_find(values, question->definition->names[i]);

		if (!named || named == question || !question_is_ioctl(named) ||
		    !is_same_number(question, named))
			continue;
		question->same = named->same ? named->same : named;
		question->same->is_used = true;
		return true;
	}
	return false;
}

/*
 * choices_resolve - all is answered: sets `same` of those that have the value of an ioctl that their text
 * names (macro_choices.c).
 */
static void choices_resolve(struct macro_values *values)
{
	bool found;

	do { /* until no macro follows through which another one could be found */
		found = false;
		for (size_t i = 0; i < values->question_count; i++) {
			struct question *question = values->questions[i];

			if (question->definition && !question_is_ioctl(question))
				found = resolve(values, question) || found;
		}
	} while (found);
}

/* "A and B and C". */
static void add_named(struct strbuf *out, const char *name)
{
	strbuf_addf(out, "%s%.200s", out->length ? " and " : "", name);
}

void choices_warn(const struct macro_values *values, const struct question *question,
		  struct abi_builder *builder)
{
	const struct macro_definition *definition = question->definition;
	struct strbuf named = { 0 };

	if (!definition->wish.kind || question_is_ioctl(question))
		return;
	if (question->is_ioc && question->call)
		add_named(&named, question->call);
	for (size_t i = 0; i < definition->name_count; i++) {
		const struct question *other = question_find(values, definition->names[i]);

		if (other && other != question && question_is_ioctl(other))
			add_named(&named, definition->names[i]);
	}
	if (named.length)
		abi_builder_warning(builder,
				    arena_printf(values->arena, "%s:%u", question->file->real, question->line),
				    question_is_evaluated(question)
					    ? "%s is no ioctl, since it is another number than %s"
					    : "%s is left out, since it is no integer constant, and so may be another number than %s",
				    question->name, strbuf_text(&named));
	strbuf_release(&named);
}

#define RESULT MACRO_PREFIX "ioc"
#define ANY MACRO_PREFIX "any"

/* What a maker gets in place of a type or number that it is to use. */
static const char declarations[] =
	"struct " RESULT " {int " MACRO_PREFIX "member;};\n"
	"enum " ANY " {" MACRO_PREFIX "one=1};\n"
	"extern enum " ANY " " MACRO_PREFIX "argument;\n";

enum { DECLARATION_LINES = 3 };

/* --- questions --- */

/* "(a,0,0)": @value for parameter @which, or for all if that is none, and 0 for the others. */
static void add_arguments(struct strbuf *out, const struct question *question, unsigned which,
			  const char *value)
{
	for (unsigned i = 0; i < question->parameter_count; i++)
		strbuf_addf(out, "%c%s", i ? ',' : '(',
			    i == which || which >= question->parameter_count ? value : "0");
	strbuf_addch(out, ')');
}

static void add_call(struct strbuf *out, const struct question *question, unsigned which, const char *value)
{
	strbuf_adds(out, question->name);
	add_arguments(out, question, which, value);
}

/* Numbers that differ from 0 in the bits that an nr and a size may have. */
static const char *const probes[] = { "1", "2", "64" };

static void ask_call(struct macro_values *values, struct strbuf *out, size_t number)
{
	const struct question *question = values->questions[number];

	strbuf_addf(out, "#ifdef %s\nenum{" MACRO_PREFIX "value%zu=", question->name, number);
	add_call(out, question, 0, "0");
	strbuf_addf(out, "," MACRO_PREFIX "varying%zu=0u", number);
	for (unsigned i = 0; i < question->parameter_count; i++)
		for (size_t p = 0; p < sizeof(probes) / sizeof(probes[0]); p++) {
			strbuf_adds(out, "|(");
			add_call(out, question, 0, "0");
			strbuf_addch(out, '^');
			add_call(out, question, i, probes[p]);
			strbuf_addch(out, ')');
		}
	strbuf_addf(out, "};\n#endif\nenum{" MACRO_PREFIX "mark%zu};\n", number);
	question_lines(values, number, 4);
}

void kinds_ask_calls(struct macro_values *values, struct strbuf *out)
{
	for (size_t i = 0; i < values->question_count; i++)
		if (values->questions[i]->form == FORM_CALL && !values->questions[i]->is_dropped)
			ask_call(values, out, i);
}

static void add_text(struct macro_values *values, struct strbuf *out, const char *text, unsigned lines)
{
	strbuf_adds(out, text);
	question_lines(values, NO_QUESTION, lines);
}

/* What has another definition from here on; _IOR_BAD() and its like are made of _IOC(). */
static void redefine(struct macro_values *values, struct strbuf *out, const char *with_type)
{
	static const char *const typed[] = { "_IOR", "_IOW", "_IOWR" };

	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		strbuf_addf(out,
			    "#ifdef %s\n#undef %s\n#define %s(g,n,t) (*(struct " RESULT
			    "(*)(%s))0)\n#endif\n",
			    typed[i], typed[i], typed[i], with_type);
		question_lines(values, NO_QUESTION, 4);
	}
}

static bool asks_kind(const struct question *question)
{
	return question->has_kind && !question->is_dropped &&
	       (question->form == FORM_GUARDED || question->form == FORM_SUSPECT ||
		question->form == FORM_CALL);
}

/* Has all of a text the value of the call in it? */
static void ask_values_of_calls(struct macro_values *values, struct strbuf *out)
{
	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *question = values->questions[i];

		if (!asks_kind(question) || !question->call)
			continue;
		strbuf_addf(out,
			    "#ifdef %s\nenum{" MACRO_PREFIX
			    "call%zu=(unsigned)(%s)==(unsigned)(%s)};\n#endif\n",
			    question->name, i, question->name, question->call);
		question_lines(values, NO_QUESTION, 3);
	}
}

/* One variable for each name, of a pointer to what the name is. */
static void ask_variables(struct macro_values *values, struct strbuf *out, const char *word,
			  const char *argument, bool calls_only)
{
	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *question = values->questions[i];

		if (!asks_kind(question) || (calls_only && question->form != FORM_CALL))
			continue;
		strbuf_addf(out, "#ifdef %s\nextern __typeof__(%s", question->name,
			    question->call ? question->call : question->name);
		if (question->form == FORM_CALL)
			add_arguments(out, question, question->parameter_count, argument);
		strbuf_addf(out, ") *" MACRO_PREFIX "%s%zu;\n#endif\n", word, i);
		question_lines(values, NO_QUESTION, 3);
	}
}

void kinds_ask(struct macro_values *values, struct strbuf *out)
{
	size_t count = 0;

	for (size_t i = 0; i < values->question_count; i++)
		count += asks_kind(values->questions[i]);
	if (!count)
		return;
	ask_values_of_calls(values, out);
	add_text(values, out, declarations, DECLARATION_LINES);
	add_text(values, out,
		 "#ifdef _IOC_TYPECHECK\n#undef _IOC_TYPECHECK\n#define _IOC_TYPECHECK(t) ((__typeof__(t)*)0)\n#endif\n",
		 4);
	add_text(values, out,
		 "#ifdef _IOC\n#undef _IOC\n#define _IOC(d,g,n,s) (*(struct " RESULT
		 "(*)(__typeof__(s)))0)\n#endif\n",
		 4);
	add_text(values, out,
		 "#ifdef _IO\n#undef _IO\n#define _IO(g,n) (*(struct " RESULT "(*)(void))0)\n#endif\n", 4);
	redefine(values, out, "__typeof__(t)*");
	ask_variables(values, out, "kind", "1", false);
	ask_variables(values, out, "maker", MACRO_PREFIX "argument", true);
	redefine(values, out, "t");
	ask_variables(values, out, "type", "1", false);
	/* _IOC(d,g,n,sizeof(struct x)) is about a struct x. Nothing follows that needs a size. */
	add_text(values, out, "#define sizeof(t) ((__typeof__(t)*)0)\n", 1);
	ask_variables(values, out, "sized", "1", false);
	add_text(values, out, "#undef sizeof\n", 1);
}

/* --- answers --- */

bool kinds_variable(struct kind_variable *out, CXCursor cursor)
{
	if (cursor.kind != CXCursor_VarDecl ||
	    !cxstring_copy(out->name, sizeof(out->name), clang_getCursorSpelling(cursor)) ||
	    strncmp(out->name, MACRO_PREFIX, strlen(MACRO_PREFIX)))
		return false;
	out->type = clang_getCursorType(cursor);
	return true;
}

/* The question that @name, behind MACRO_PREFIX, has after @word; NULL if it is another word. */
static struct question *question_of(const struct macro_values *values, const char *name, const char *word)
{
	size_t length = strlen(word), number;

	name += strlen(MACRO_PREFIX);
	if (strncmp(name, word, length))
		return NULL;
	number = strtoul(name + length, NULL, 10);
	return number < values->question_count ? values->questions[number] : NULL;
}

static bool is_named(CXType type, const char *name)
{
	char found[64];

	return cxstring_copy(found, sizeof(found), clang_getCursorSpelling(clang_getTypeDeclaration(type))) &&
	       !strcmp(found, name);
}

/* Is it a pointer to a function that returns our struct? @parameter: its first; invalid if there is none. */
static bool is_made(CXType *parameter, CXType variable)
{
	CXType function = clang_getPointeeType(variable),
	       result = clang_getCanonicalType(clang_getResultType(function));

	if (result.kind != CXType_Record || !is_named(result, RESULT))
		return false;
	*parameter = clang_getArgType(function, 0);
	return true;
}

/* The type that the number's size is of; invalid if there is none, or only a number. */
static CXType pointed_type(CXType parameter)
{
	CXType canonical = clang_getCanonicalType(parameter);

	return canonical.kind == CXType_Pointer ? clang_getPointeeType(canonical)
						: (CXType){ .kind = CXType_Invalid };
}

/* As written in the second definitions, unless it is an array, which is a pointer there. */
static CXType written_type(const struct macro_values *values, const struct question *question, CXType known,
			   const struct kind_variable *variables, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		CXType parameter;

		if (question_of(values, variables[i].name, "type") == question &&
		    is_made(&parameter, variables[i].type) &&
		    clang_equalTypes(clang_getCanonicalType(parameter), known))
			return parameter;
	}
	return known;
}

/* The type that the number's size is the sizeof() of, where it has no other; invalid if there is none. */
static CXType sized_type(const struct macro_values *values, const struct question *question,
			 const struct kind_variable *variables, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		CXType parameter;

		if (question_of(values, variables[i].name, "sized") == question &&
		    is_made(&parameter, variables[i].type))
			return pointed_type(parameter);
	}
	return (CXType){ .kind = CXType_Invalid };
}

static bool is_maker(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	return canonical.kind == CXType_Enum && is_named(canonical, ANY);
}

/* The nr of a maker is its argument: 0 for 0. */
static bool is_nr_an_argument(const struct question *question)
{
	return question->varying & abi_ioc_mask(ABI_IOC_NR) &&
	       !abi_ioc_get(question->value.magnitude, ABI_IOC_NR);
}

static void read_kind(const struct macro_values *values, const struct kind_variable *variable)
{
	struct question *question = question_of(values, variable->name, "kind"),
			*maker = question_of(values, variable->name, "maker");
	CXType parameter;

	if (maker && is_made(&parameter, variable->type) && is_maker(pointed_type(parameter)))
		maker->is_maker = true;
	if (!question || !is_made(&parameter, variable->type))
		return;
	question->is_ioc = true;
	question->is_maker = question->is_maker || is_nr_an_argument(question);
}

/* Is the type in the number one for the document? */
static bool is_type_used(const struct question *question)
{
	return question->is_used || (question->definition && (!question->call || question->is_its_call));
}

int kinds_read(struct macro_values *values, struct walk *walk, const struct kind_variable *variables,
	       size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++)
		read_kind(values, &variables[i]);
	choices_resolve(values);
	for (size_t i = 0; i < count; i++) {
		struct question *question = question_of(values, variables[i].name, "kind");
		CXType parameter, type;
		int rc;

		if (!question || !is_type_used(question) || !is_made(&parameter, variables[i].type))
			continue;
		type = pointed_type(parameter);
		if (type.kind == CXType_Invalid)
			type = sized_type(values, question, variables, count);
		if (type.kind == CXType_Invalid)
			continue;
		type = written_type(values, question, type, variables, count);
		if ((rc = walk_argument(walk, &question->argument, &question->params, type, err)))
			return rc;
	}
	return 0;
}
