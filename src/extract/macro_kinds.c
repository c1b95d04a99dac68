/*
 * extract/macro_kinds.c - which macros are ioctls, by how they are made
 *
 * A macro is an ioctl if one of _IO(), _IOR(), _IOW(), _IOWR() and _IOC() makes it, be it through other
 * macros, "AMDKFD_IOWR(0x02, struct kfd_ioctl_create_queue_args)". No text is needed for that. After all
 * other questions (macro_values.c) these macros get new definitions, and clang's answer about a name then
 * shows how it is made, and of which C type:
 *
 * 1. With the first definitions they are functions that return a struct of ours, and whose parameter points
 *    to the type that was given. Each name is declared as a variable of type pointer to the named type:
 *    "kind" and a
 *    number. Such a type has lost how it was written: __u32 is unsigned int.
 * 2. With the second definitions the parameter is the type itself: "type" and a number. The type is as
 *    written, except for arrays, which a parameter cannot be.
 * 3. A function-like macro is evaluated with arguments of 1, and with other arguments, which shows the bits
 *    that they change. It is not an ioctl but makes some if the type that it is given is a parameter of it
 *    ("maker" and a number: then a variable of a type of ours is passed), or its nr is.
 * 4. For a macro that is more than a name or a call, "((unsigned)_IOW('T', 5, int))", the call in it is
 *    evaluated, and compared with the value of the macro: only if they are equal the macro is an ioctl,
 *    otherwise there is a warning.
 * 5. The macros that a text names outside of calls, "(sizeof(time_t) == 8 ? A : B)", are asked for, too,
 *    since no operator is for functions: the macro is what the first of them is that is an ioctl of the same
 *    value, and may be such a macro itself. If some are ioctls, but none has its value, there is a warning.
 *
 * A name that is an error in these places is not an ioctl.
 */
#include "extract/internal.h"

#include <string.h>

/* An ioctl's number has 32 bits; the result of a cast does not count. */
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

/* All is answered: sets `same` of those that have the value of an ioctl that their text names. */
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

	if (!definition->purpose.kind || question_is_ioctl(question))
		return;
	if (question->is_ioc && question->call)
		add_named(&named, question->call);
	for (size_t i = 0; i < definition->name_count; i++) {
		const struct question *other = question_find(values, definition->names[i]);

		if (other && other != question && question_is_ioctl(other))
			add_named(&named, definition->names[i]);
	}
	if (named.length)
		abi_builder_warning(
			builder, arena_printf(values->arena, "%s:%u", question->file->real, question->line),
			question_is_evaluated(question)
				? "%s is not an ioctl, since its number is not that of %s"
				: "%s is left out: it is not an integer constant, and so may not be the number of %s",
			question->name, strbuf_text(&named));
	strbuf_release(&named);
}

#define RESULT MACRO_PREFIX "ioc"
#define ANY MACRO_PREFIX "any"

/* The argument for a maker in the place of the type or number that it uses. */
static const char declarations[] =
	"struct " RESULT " {int " MACRO_PREFIX "member;};\n"
	"enum " ANY " {" MACRO_PREFIX "one=1};\n"
	"extern enum " ANY " " MACRO_PREFIX "argument;\n";

enum { DECLARATION_LINES = 3 };

/* --- questions --- */

/* "(a,0,0)": @value for parameter @which, or for all if there is no @which, and 0 for the others. */
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

/* A name that has another definition from here on; _IOR_BAD() and its like are made of _IOC(). */
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

/* One variable for each name, of type pointer to the named type. */
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
	add_text(
		values, out,
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

void kinds_answer(struct question *question, const char *word, CXType variable)
{
	CXType parameter;

	if (!is_made(&parameter, variable))
		return;
	if (!strcmp(word, "kind")) {
		question->is_ioc = true;
		question->pointed = pointed_type(parameter);
	} else if (!strcmp(word, "maker")) {
		question->is_maker = is_maker(pointed_type(parameter));
	} else if (!strcmp(word, "type")) {
		question->written = parameter;
	} else if (!strcmp(word, "sized")) {
		question->sized = pointed_type(parameter);
	}
}

/* The type whose size is in the number, as the macro has it: invalid if there is none. */
static CXType type_in_number(const struct question *question)
{
	CXType known = question->pointed.kind == CXType_Invalid ? question->sized : question->pointed;

	/* As written in the second definitions, unless it is an array, which is a pointer there. */
	if (known.kind != CXType_Invalid && question->written.kind != CXType_Invalid &&
	    clang_equalTypes(clang_getCanonicalType(question->written), known))
		return question->written;
	return known;
}

/* Is the type in the number one for the document? */
static bool is_type_used(const struct question *question)
{
	return question->is_used || (question->definition && (!question->call || question->is_its_call));
}

int kinds_read(struct macro_values *values, struct walk *walk, struct err *err)
{
	for (size_t i = 0; i < values->question_count; i++)
		values->questions[i]->is_maker |=
			values->questions[i]->is_ioc && is_nr_an_argument(values->questions[i]);
	choices_resolve(values);
	for (size_t i = 0; i < values->question_count; i++) {
		struct question *question = values->questions[i];
		CXType type = type_in_number(question);
		int rc;

		if (question->is_ioc && is_type_used(question) && type.kind != CXType_Invalid &&
		    (rc = walk_argument(walk, &question->argument, &question->params, type, err)))
			return rc;
	}
	return 0;
}
