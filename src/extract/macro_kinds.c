/*
 * extract/macro_kinds.c - finds the macros that are ioctls, because they are defined with an _IO() macro
 *
 * A macro is an ioctl if _IO(), _IOR(), _IOW(), _IOWR() or _IOC() makes its value, directly or through other
 * macros: "AMDKFD_IOWR(0x02, struct kfd_ioctl_create_queue_args)". The text of the macro is not parsed to
 * find this. Instead, after the questions about values (macro_values.c), the section defines the _IO() macros
 * differently. The C type that clang then reports for a macro shows which _IO() macro it uses, and for which
 * C type:
 *
 * 1. First, an _IO() macro is defined as a function that returns a struct of this file and takes a pointer to
 *    the given type. For each macro, the section declares a variable "kindN", a pointer to the type of the
 *    macro's text. clang reports the canonical type: unsigned int if the macro has __u32.
 * 2. Then the parameter is defined as the type itself, and the variable is "typeN". Now clang reports the
 *    type as written, except that an array is reported as a pointer.
 * 3. In steps 1 and 2, a function-like macro is called with 1 for every argument. Other arguments are used to
 *    find the bits of the value that depend on them. If the type or the nr is an argument, the macro defines
 *    ioctls, and is not an ioctl itself. To find out if the type is an argument, the variable "makerN" passes
 *    a variable of an enum type of this file.
 * 4. If a macro is more than a name or a call, "((unsigned)_IOW('T', 5, int))", the call in it is evaluated
 *    separately. The macro is an ioctl only if the call has the same value as the macro. Otherwise there is a
 *    warning.
 * 5. In "(sizeof(time_t) == 8 ? A : B)", A and B can be ioctls, but operators do not work with the functions
 *    of step 1. So the value and the _IO() macro of A and B are requested too. The macro is the same ioctl as
 *    the first of these names that is an ioctl with the same value. The name can be an ioctl because of this
 *    step, too. If A or B is an ioctl, but neither has the same value, there is a warning.
 *
 * A macro for which clang reports an error in this part is not an ioctl.
 */
#include "extract/internal.h"

/* Checks whether the low 32 bits are equal: an ioctl's number has 32 bits, and a cast can extend it. */
static bool is_same_number(const struct question *a, const struct question *b)
{
	const uint64_t x = a->value.negative ? -a->value.magnitude : a->value.magnitude,
		       y = b->value.negative ? -b->value.magnitude : b->value.magnitude;

	return question_is_evaluated(a) && question_is_evaluated(b) && (uint32_t)x == (uint32_t)y;
}

/*
 * Sets question->same to an ioctl with the same number that the macro's text names, and marks that ioctl as
 * used. Return: false if there is no such ioctl.
 */
static bool resolve_same_ioctl(const struct macro_values *values, struct question *question)
{
	for (size_t i = 0; i < question->definition->names.count; i++) {
		struct question *named = question_find(values, question->definition->names.item[i]);

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
 * Sets question->same for each macro whose text names an ioctl with the same value, so that the macro is that
 * ioctl too. clang's answers to all questions must be known.
 */
static void choices_resolve(struct macro_values *values)
{
	bool found;

	do { /* repeat until a pass finds nothing: a macro that was found can be named in the text of other
		macros */
		found = false;
		for (size_t i = 0; i < values->question_count; i++) {
			struct question *question = values->questions[i];

			if (question->definition && !question_is_ioctl(question))
				found = resolve_same_ioctl(values, question) || found;
		}
	} while (found);
}

/* Appends a name to a list such as "A and B and C". */
static void add_named(struct strbuf *out, const char *name)
{
	strbuf_addf(out, "%s%.200s", out->length ? " and " : "", name);
}

void choices_warn(const struct macro_values *values, const struct question *question,
		  struct abi_builder *builder)
{
	const struct macro_definition *definition = question->definition;
	struct strbuf named = { 0 };

	if (!definition->purpose.ask_ioc || question_is_ioctl(question))
		return;
	if (question->is_ioc && question->call)
		add_named(&named, question->call);
	for (size_t i = 0; i < definition->names.count; i++) {
		const struct question *other = question_find(values, definition->names.item[i]);

		if (other && other != question && question_is_ioctl(other))
			add_named(&named, other->name);
	}
	if (named.length)
		abi_builder_warning(
			builder, question_place(values, question),
			question_is_evaluated(question)
				? "%s is not used as an ioctl, because it does not have the value of %s"
				: "%s is left out: it is not an integer constant, so it may not have the "
				  "value of %s",
			question->name, strbuf_text(&named));
	strbuf_release(&named);
}

#define RESULT MACRO_PREFIX "ioc"
#define ANY MACRO_PREFIX "any"

/*
 * C text that declares the struct of step 1 and the enum variable of step 3, and defines again those _IO()
 * macros whose functions are the same in both steps.
 */
static const char declarations[] =
	"struct " RESULT " {int " MACRO_PREFIX "member;};\n"
	"enum " ANY " {" MACRO_PREFIX "one=1};\n"
	"extern enum " ANY " " MACRO_PREFIX "argument;\n"
	"#ifdef _IOC_TYPECHECK\n#undef _IOC_TYPECHECK\n"
	"#define _IOC_TYPECHECK(t) ((__typeof__(t)*)0)\n#endif\n"
	"#ifdef _IOC\n#undef _IOC\n#define _IOC(d,g,n,s) (*(struct " RESULT "(*)(__typeof__(s)))0)\n#endif\n"
	"#ifdef _IO\n#undef _IO\n#define _IO(g,n) (*(struct " RESULT "(*)(void))0)\n#endif\n";

/* --- questions --- */

/*
 * Appends arguments such as "(a,0,0)": @value for the parameter with the index @which, and 0 for the others.
 * If there is no parameter @which, @value is used for all.
 */
static void add_arguments(struct strbuf *out, const struct question *question, unsigned which,
			  const char *value)
{
	for (unsigned i = 0; i < question->parameter_count; i++)
		strbuf_addf(out, "%c%s", i ? ',' : '(',
			    i == which || which >= question->parameter_count ? value : "0");
	strbuf_addch(out, ')');
}

static void add_macro_call(struct strbuf *out, const struct question *question, unsigned which,
			   const char *value)
{
	strbuf_adds(out, question->name);
	add_arguments(out, question, which, value);
}

void kinds_ask_calls(struct macro_values *values, struct strbuf *out)
{
	/* Values that are tried for each argument, so that one of them changes the nr or the size. */
	static const char *const probes[] = { "1", "2", "64" };

	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *question = values->questions[i];

		if (question->form != FORM_CALL || question->is_dropped)
			continue;
		strbuf_addf(out, "#ifdef %s\nenum{" MACRO_PREFIX "value%zu=", question->name, i);
		add_macro_call(out, question, 0, "0");
		strbuf_addf(out, "," MACRO_PREFIX "varying%zu=0u", i);
		for (unsigned k = 0; k < question->parameter_count; k++)
			for (size_t p = 0; p < sizeof(probes) / sizeof(probes[0]); p++) {
				strbuf_adds(out, "|(");
				add_macro_call(out, question, 0, "0");
				strbuf_addch(out, '^');
				add_macro_call(out, question, k, probes[p]);
				strbuf_addch(out, ')');
			}
		strbuf_addf(out, "};\n#endif\nenum{" MACRO_PREFIX "mark%zu};\n", i);
		question_lines(values, out, i);
	}
}

/*
 * Appends C text that defines _IOR(), _IOW() and _IOWR() as functions with a parameter of the type
 * @with_type, in which t is the macro's type. _IOR_BAD() and the like use _IOC(), so they are not redefined.
 */
static void redefine_io_macros(struct strbuf *out, const char *with_type)
{
	static const char *const typed[] = { "_IOR", "_IOW", "_IOWR" };

	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++)
		strbuf_addf(out,
			    "#ifdef %s\n#undef %s\n#define %s(g,n,t) (*(struct " RESULT
			    "(*)(%s))0)\n#endif\n",
			    typed[i], typed[i], typed[i], with_type);
}

static bool is_ioc_asked(const struct question *question)
{
	return question->asks_ioc && !question->is_dropped &&
	       (question->form == FORM_GUARDED || question->form == FORM_SUSPECT ||
		question->form == FORM_CALL);
}

/*
 * Appends the declaration of a variable for each macro that may be an ioctl: a pointer to the type of its
 * text, or of the call in it, which shows whether it uses an _IO() macro. @word: as in kinds_answer();
 * @argument: passed for each parameter of a function-like macro; @calls_only: only such macros
 */
static void ask_variables(const struct macro_values *values, struct strbuf *out, const char *word,
			  const char *argument, bool calls_only)
{
	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *question = values->questions[i];

		if (!is_ioc_asked(question) || (calls_only && question->form != FORM_CALL))
			continue;
		strbuf_addf(out, "#ifdef %s\nextern __typeof__(%s", question->name,
			    question->call ? question->call : question->name);
		if (question->form == FORM_CALL)
			add_arguments(out, question, question->parameter_count, argument);
		strbuf_addf(out, ") *" MACRO_PREFIX "%s%zu;\n#endif\n", word, i);
	}
}

void kinds_ask(struct macro_values *values, struct strbuf *out)
{
	size_t count = 0;

	for (size_t i = 0; i < values->question_count; i++)
		count += is_ioc_asked(values->questions[i]);
	if (!count)
		return;
	/* "callN" is 1 if the macro has the same value as the call in its text. */
	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *question = values->questions[i];

		if (is_ioc_asked(question) && question->call)
			strbuf_addf(out,
				    "#ifdef %s\nenum{" MACRO_PREFIX
				    "call%zu=(unsigned)(%s)==(unsigned)(%s)};\n#endif\n",
				    question->name, i, question->name, question->call);
	}
	strbuf_adds(out, declarations);
	redefine_io_macros(out, "__typeof__(t)*");
	ask_variables(values, out, "kind", "1", false);
	ask_variables(values, out, "maker", MACRO_PREFIX "argument", true);
	redefine_io_macros(out, "t");
	ask_variables(values, out, "type", "1", false);
	/*
	 * _IOC(d,g,n,sizeof(struct x)) is an ioctl with struct x. sizeof can be redefined, because the text
	 * after this does not need sizes.
	 */
	strbuf_adds(out, "#define sizeof(t) ((__typeof__(t)*)0)\n");
	ask_variables(values, out, "sized", "1", false);
	strbuf_adds(out, "#undef sizeof\n");
	question_lines(values, out, NO_QUESTION);
}

/* --- answers --- */

static bool is_type_named(CXType type, const char *name)
{
	char found[64];

	return cxstring_copy(found, sizeof(found), clang.getCursorSpelling(clang.getTypeDeclaration(type))) &&
	       !strcmp(found, name);
}

/*
 * Returns the type whose size is in the ioctl's number, from the type of the function's parameter; invalid if
 * the macro gives no type, or a number instead of a type.
 */
static CXType pointed_type(CXType parameter)
{
	CXType canonical = clang.getCanonicalType(parameter);

	return canonical.kind == CXType_Pointer ? clang.getPointeeType(canonical)
						: (CXType){ .kind = CXType_Invalid };
}

void kinds_answer(struct question *question, const char *word, CXType variable)
{
	CXType function = clang.getPointeeType(variable), parameter;
	CXType type = clang.getCanonicalType(clang.getResultType(function));

	/* If the macro uses an _IO() macro, the function returns the struct of step 1. */
	if (type.kind != CXType_Record || !is_type_named(type, RESULT))
		return;
	parameter = clang.getArgType(function, 0); /* invalid if the function has no parameters */
	if (!strcmp(word, "kind")) {
		question->is_ioc = true;
		question->pointed = pointed_type(parameter);
	} else if (!strcmp(word, "maker")) {
		type = clang.getCanonicalType(pointed_type(parameter));
		question->is_maker = type.kind == CXType_Enum && is_type_named(type, ANY);
	} else if (!strcmp(word, "type")) {
		question->written = parameter;
	} else if (!strcmp(word, "sized")) {
		question->sized = pointed_type(parameter);
	}
}

/* Returns the type whose size is in the ioctl's number, as the macro spells it; invalid if unknown. */
static CXType type_in_number(const struct question *question)
{
	CXType known = question->pointed.kind == CXType_Invalid ? question->sized : question->pointed;

	/* `written` is the type as the macro spells it, except that an array is a pointer (step 2). */
	if (known.kind != CXType_Invalid && question->written.kind != CXType_Invalid &&
	    clang.equalTypes(clang.getCanonicalType(question->written), known))
		return question->written;
	return known;
}

int kinds_find_ioctls(struct macro_values *values, struct walk *walk)
{
	for (size_t i = 0; i < values->question_count; i++) {
		struct question *question = values->questions[i];

		/* The nr is an argument if the arguments change it, and it is 0 if all arguments are 0. */
		question->is_maker |= question->is_ioc && question->varying & abi_ioc_mask(ABI_IOC_NR) &&
				      !abi_ioc_get(question->value.magnitude, ABI_IOC_NR);
	}
	choices_resolve(values);
	for (size_t i = 0; i < values->question_count; i++) {
		struct question *question = values->questions[i];
		CXType type = type_in_number(question);
		bool is_used = question->is_used ||
			       (question->definition && (!question->call || question->is_its_call));
		int rc;

		if (question->is_ioc && is_used && type.kind != CXType_Invalid &&
		    (rc = walk_argument(walk, &question->argument, &question->params, &question->elements,
					type)))
			return rc;
	}
	return 0;
}
