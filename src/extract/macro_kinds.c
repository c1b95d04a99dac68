#include "extract/macro_kinds.h"

#include "extract/clang_type.h"
#include "extract/cxstring.h"
#include "extract/macro_values_internal.h"

#include <stdlib.h>
#include <string.h>

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
static void add_arguments(struct strbuf *out, const struct question *question, unsigned which, const char *value)
{
	for (unsigned i = 0; i < question->parameter_count; i++)
		strbuf_addf(out, "%c%s", i ? ',' : '(', i == which || which >= question->parameter_count ? value : "0");
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
		strbuf_addf(out, "#ifdef %s\n#undef %s\n#define %s(g,n,t) (*(struct " RESULT "(*)(%s))0)\n#endif\n", typed[i], typed[i], typed[i],
			    with_type);
		question_lines(values, NO_QUESTION, 4);
	}
}

static bool asks_kind(const struct question *question)
{
	return question->has_kind && !question->is_dropped &&
	       (question->form == FORM_GUARDED || question->form == FORM_SUSPECT || question->form == FORM_CALL);
}

/* Has all of a text the value of the call in it? */
static void ask_values_of_calls(struct macro_values *values, struct strbuf *out)
{
	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *question = values->questions[i];

		if (!asks_kind(question) || !question->call)
			continue;
		strbuf_addf(out, "#ifdef %s\nenum{" MACRO_PREFIX "call%zu=(unsigned)(%s)==(unsigned)(%s)};\n#endif\n", question->name, i, question->name,
			    question->call);
		question_lines(values, NO_QUESTION, 3);
	}
}

/* One variable for each name, of a pointer to what the name is. */
static void ask_variables(struct macro_values *values, struct strbuf *out, const char *word, const char *argument, bool calls_only)
{
	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *question = values->questions[i];

		if (!asks_kind(question) || (calls_only && question->form != FORM_CALL))
			continue;
		strbuf_addf(out, "#ifdef %s\nextern __typeof__(%s", question->name, question->call ? question->call : question->name);
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
	add_text(values, out, "#ifdef _IOC_TYPECHECK\n#undef _IOC_TYPECHECK\n#define _IOC_TYPECHECK(t) ((__typeof__(t)*)0)\n#endif\n", 4);
	add_text(values, out, "#ifdef _IOC\n#undef _IOC\n#define _IOC(d,g,n,s) (*(struct " RESULT "(*)(__typeof__(s)))0)\n#endif\n", 4);
	add_text(values, out, "#ifdef _IO\n#undef _IO\n#define _IO(g,n) (*(struct " RESULT "(*)(void))0)\n#endif\n", 4);
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
	if (cursor.kind != CXCursor_VarDecl || !cxstring_copy(out->name, sizeof(out->name), clang_getCursorSpelling(cursor)) ||
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

	return cxstring_copy(found, sizeof(found), clang_getCursorSpelling(clang_getTypeDeclaration(type))) && !strcmp(found, name);
}

/* Is it a pointer to a function that returns our struct? @parameter: its first; invalid if there is none. */
static bool is_made(CXType *parameter, CXType variable)
{
	CXType function = clang_getPointeeType(variable), result = clang_getCanonicalType(clang_getResultType(function));

	if (result.kind != CXType_Record || !is_named(result, RESULT))
		return false;
	*parameter = clang_getArgType(function, 0);
	return true;
}

/* The type that the number's size is of; invalid if there is none, or only a number. */
static CXType pointed_type(CXType parameter)
{
	CXType canonical = clang_getCanonicalType(parameter);

	return canonical.kind == CXType_Pointer ? clang_getPointeeType(canonical) : (CXType){ .kind = CXType_Invalid };
}

/* As written in the second definitions, unless it is an array, which is a pointer there. */
static CXType written_type(const struct macro_values *values, const struct question *question, CXType known,
			   const struct kind_variable *variables, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		CXType parameter;

		if (question_of(values, variables[i].name, "type") == question && is_made(&parameter, variables[i].type) &&
		    clang_equalTypes(clang_getCanonicalType(parameter), known))
			return parameter;
	}
	return known;
}

/* The type that the number's size is the sizeof() of, where it has no other; invalid if there is none. */
static CXType sized_type(const struct macro_values *values, const struct question *question, const struct kind_variable *variables, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		CXType parameter;

		if (question_of(values, variables[i].name, "sized") == question && is_made(&parameter, variables[i].type))
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
	return question->varying & abi_ioc_mask(ABI_IOC_NR) && !abi_ioc_get(question->value.magnitude, ABI_IOC_NR);
}

static void read_kind(const struct macro_values *values, const struct kind_variable *variable)
{
	struct question *question = question_of(values, variable->name, "kind"), *maker = question_of(values, variable->name, "maker");
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

int kinds_read(struct macro_values *values, struct walk *walk, const struct kind_variable *variables, size_t count, struct err *err)
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
