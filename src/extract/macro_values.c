/*
 * extract/macro_values.c - finds the macros of a unit that the profile requests, and their values
 *
 * clang provides both the macros and the values. Its preprocessing record has all macro definitions that took
 * effect, in order and with their lines. The rules of the profile apply to the last definition of a name. The
 * preprocessing record does not show which definition pop_macro restores. If that could matter, the macro is
 * left out with a warning. To get the values, unit.c appends C text to the headers: for each macro, "#ifdef
 * NAME" and an enumerator whose value is NAME. So #undef, pop_macro and later definitions have their effect.
 *
 * The C text that requests the value of one macro is called a question (struct question). The text of all
 * questions is called the section. The section must be written before the parse, but the macros are known
 * only after the parse. So the scan of the files (closure.c) predicts the macros:
 *
 * 1. Each macro that a rule wants, in any file of the closure, becomes a question (follow_hints()). Its form
 *    depends on the text of the macro: a plain number, an expression, a text that does not look like a
 *    number, or a text whose brackets do not match.
 * 2. macro_values_section() writes the questions, in the order of enum form. The text of a macro can swallow
 *    the text after it, so the forms for which this is most probable come last. A separate enum costs clang
 *    as much time as a small struct. Most macros are plain numbers, which cannot disturb other text, so
 *    GROUP_SIZE of them share an enum. Any other question has enumerators of its own: the width, the value,
 *    the value again, and a mark at the end. macro_values.lines has the question of each line.
 * 3. macro_values_definition() is called for each definition in the preprocessing record. If a rule wants the
 *    macro and it has no question yet, a question is added.
 * 4. macro_values_answer() is called for the value of each enumerator, macro_values_failed() for each error,
 *    and macro_values_doubt() for each warning.
 * 5. macro_values_incomplete() decides whether to parse again. This is necessary if questions were added, if
 *    the form of a question was changed, or if marks are missing. If marks are missing, the first question of
 *    each run of questions without a mark is dropped.
 * 6. macro_values_finish() adds constants and warnings to the document, and macros to the index.
 */
#include "extract/internal.h"

/* --- the questions of a unit --- */

/* questions_drop - free the questions of the previous unit, so that those of the next unit can be added. */
static void questions_drop(struct macro_values *values)
{
	HASH_CLEAR(hh, values->by_name);
	for (size_t i = 0; i < values->question_count; i++)
		free(values->questions[i]);
	values->question_count = values->line_count = values->group_count = values->added = 0;
	values->hinted = 0;
}

struct question *question_find(const struct macro_values *values, const char *name)
{
	struct question *found;

	HASH_FIND_STR(values->by_name, name, found);
	return found;
}

/* Adds a question for the macro @name, and counts it in values->added: the last section does not have it. */
static struct question *question_add(struct macro_values *values, const char *name, enum form form)
{
	struct question *question = xmalloc(sizeof(*question));

	*question = (struct question){ .name = name, .form = form };
	HASH_ADD_KEYPTR(hh, values->by_name, question->name, strlen(question->name), question);
	ARRAY_GROW(values->questions, values->question_count, values->question_capacity);
	values->questions[values->question_count++] = question;
	values->added++;
	return question;
}

/*
 * question_note - update @question for @definition, a definition of its macro: whether to ask about _IO()
 * macros, the call and the parameters. Adds questions for the macros that the definition's text names,
 * because their values decide whether the macro is an ioctl.
 */
static void question_note(struct macro_values *values, struct question *question,
			  const struct macro_definition *definition)
{
	for (size_t i = 0; i < definition->names.count; i++) {
		struct question *named = question_find(values, definition->names.item[i]);

		if (!named)
			named = question_add(values, definition->names.item[i], FORM_GUARDED);
		values->added += !named->asks_ioc;
		named->asks_ioc = true;
	}
	question->asks_ioc = question->asks_ioc || definition->purpose.ask_ioc;
	question->call = definition->call;
	if (definition->parameters)
		question->parameter_count = definition->parameter_count;
}

bool question_is_evaluated(const struct question *question)
{
	return question->is_answered && !question->has_failed && !question->is_changing &&
	       question->width_bytes <= sizeof(uint64_t) && !question->doubt;
}

bool question_is_ioctl(const struct question *question)
{
	return question->same ||
	       (question->is_ioc && !question->is_maker && (!question->call || question->is_its_call));
}

const char *question_place(const struct macro_values *values, const struct question *question)
{
	return question->file ? arena_printf(values->arena, "%s:%u", question->file->real, question->line) : "";
}

void question_lines(struct macro_values *values, const struct strbuf *section, size_t question)
{
	for (; values->assigned < section->length; values->assigned++) {
		if (section->text[values->assigned] != '\n')
			continue;
		ARRAY_GROW(values->lines, values->line_count, values->line_capacity);
		values->lines[values->line_count++] = question;
	}
}

/* --- the definitions in clang's preprocessing record --- */

/* Applies the rules to a definition without a certain hint. Return: NULL if no rule wants the macro. */
static const struct macro_definition *judge_definition(struct macro_values *values,
						       const struct macro_record *record)
{
	const struct closure_file *file = record->file;
	struct define define = { .name = view_of(record->name), .body = record->body };
	struct macro_definition definition;

	if (record->is_function_like && !directives_cut_parameters(&define))
		return NULL; /* the text spells the name differently than clang; no ioctl macro is written
				in this way */
	macro_rules_enter(values->rules, file->real, values->closure->unit->name);
	if (macro_rules_apply(&definition, values->rules, &define, values->arena) != MACRO_WANTED)
		return NULL;
	if (!record->is_respelled) { /* include the comment at the end of the line */
		define.body.length = (size_t)(lexer_line_end(record->body.at + record->body.length,
							     file->text + file->size) -
					      define.body.at);
		definition.shown = lexer_join(define.body, true, values->arena);
	}
	return arena_memdup(values->arena, &definition, sizeof(definition));
}

/* form_of - return the form of the question for an object-like macro with this text. */
static enum form form_of(const char *text)
{
	if (!*text)
		return FORM_NONE;
	if (macro_is_literal(text))
		return FORM_PLAIN;
	if (!macro_is_balanced(text))
		return FORM_BROKEN;
	return macro_can_be_number(text) ? FORM_GUARDED : FORM_SUSPECT;
}

static enum form form_of_definition(const struct macro_definition *definition)
{
	return definition->parameters ? FORM_CALL : form_of(definition->text);
}

/*
 * Checks whether both definitions lead to the same document if their values are equal. A document has only
 * the value of a constant, but for an ioctl, the text of the macro matters too.
 */
static bool is_same_definition(const struct macro_definition *a, const struct macro_definition *b)
{
	if (!a || !b || memcmp(&a->purpose, &b->purpose, sizeof(a->purpose)))
		return a == b;
	return (!a->purpose.family && !a->purpose.number && !a->purpose.ask_ioc) ||
	       !strcmp(a->shown, b->shown);
}

void macro_values_definition(struct macro_values *values, const struct macro_record *record)
{
	const struct macro_definition *definition = NULL; /* NULL if no rule wants the macro */
	const struct hint *hint = record->hint;
	enum form form = FORM_GUARDED;
	struct question *question;

	if (hint && hint->is_certain && (!hint->definition || !strcmp(hint->definition->name, record->name)))
		definition = hint->definition;
	else if (record->file)
		definition = judge_definition(values, record);
	question = question_find(values, record->name);
	if (!question && definition)
		question = question_add(values, definition->name,
					definition->parameters ? FORM_CALL : FORM_GUARDED);
	if (!question)
		return;
	if (definition && !question->asks_ioc && definition->purpose.ask_ioc)
		values->added++; /* the last section did not ask whether an _IO() macro defines it */
	if (definition)
		question_note(values, question, definition);
	/* A definition that no rule wants counts too: it can be in effect at the end of the headers. */
	if (definition)
		form = form_of_definition(definition);
	else if (record->file && !record->is_function_like)
		form = form_of(lexer_join(record->body, false, values->arena));
	if (form > question->seen)
		question->seen = form;
	if (question->is_defined && !is_same_definition(question->definition, definition))
		question->differs = true;
	if (question->definition && definition && strcmp(question->definition->text, definition->text))
		question->is_redefined = true;
	question->is_defined = true;
	/*
	 * The last definition is in effect at the end of the headers, except after pop_macro. If no rule
	 * wants it, the macro is not used.
	 */
	question->definition = definition;
	question->file = record->file;
	question->line = record->line;
}

/* --- clang's answers, whether they are complete, and the resulting values --- */

static struct question *question_at(const struct macro_values *values, size_t number)
{
	return number < values->question_count ? values->questions[number] : NULL;
}

/* Returns the question to which @line of the section belongs, or NULL. */
static struct question *question_at_line(const struct macro_values *values, size_t line)
{
	return line < values->line_count ? question_at(values, values->lines[line]) : NULL;
}

void macro_values_failed(struct macro_values *values, size_t line)
{
	struct question *question = question_at_line(values, line);

	if (question)
		question->has_failed = true;
}

void macro_values_doubt(struct macro_values *values, size_t line, enum macro_doubt doubt)
{
	struct question *question = question_at_line(values, line);

	if (!question || !question->definition || (question->doubt && question->doubt < doubt))
		return;
	if (doubt == MACRO_LITERAL && form_of(question->definition->text) == FORM_PLAIN)
		return; /* if the literal is the whole text, gcc and clang agree on the value */
	if (doubt == MACRO_COMMA && !macro_has_comma(question->definition->text))
		return; /* without a comma operator, gcc accepts the expression too */
	question->doubt = doubt;
}

/* Splits "drvabi_macro_value12" into the word "value" and the number 12. Return: false if malformed. */
static bool split_name(char word[16], size_t *number, const char *name)
{
	size_t length;

	name += strlen(MACRO_PREFIX);
	length = strcspn(name, "0123456789");
	*number = strtoul(name + length, NULL, 10);
	return name[length] && view_copy(word, 16, (struct view){ name, length });
}

void macro_values_answer(struct macro_values *values, const char *enumerator, struct abi_number value)
{
	struct question *question;
	size_t number;
	char word[16];

	if (!split_name(word, &number, enumerator))
		return;
	if (!strcmp(word, "group") && number < values->group_count)
		values->groups[number] = true;
	if (!strcmp(word, "group") || !(question = question_at(values, number)))
		return;
	/* "again" is the value at the next use, "mark" the end; macro_kinds.c writes the others */
	if (!strcmp(word, "value")) {
		question->is_answered = true;
		question->value = value;
	} else if (!strcmp(word, "width")) {
		question->width_bytes = value.magnitude;
	} else if (!strcmp(word, "again")) {
		question->is_changing = question->is_answered && !abi_number_equal(question->value, value);
	} else if (!strcmp(word, "mark")) {
		question->is_marked = true;
	} else if (!strcmp(word, "varying")) {
		question->varying = value.magnitude;
	} else if (!strcmp(word, "call")) {
		question->is_its_call = value.magnitude == 1;
	}
}

void macro_values_answer_type(struct macro_values *values, const char *variable, CXType type)
{
	struct question *question;
	size_t number;
	char word[16];

	if (split_name(word, &number, variable) && strcmp(word, "shift") &&
	    (question = question_at(values, number)))
		kinds_answer(question, word, type);
}

void macro_values_restart(struct macro_values *values)
{
	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *old = values->questions[i];
		UT_hash_handle hh = old->hh;

		*values->questions[i] = (struct question){ .name = old->name,
							   .form = old->form,
							   .is_dropped = old->is_dropped,
							   .asks_ioc = old->asks_ioc,
							   .parameter_count = old->parameter_count,
							   .call = old->call,
							   .hh = hh };
	}
}

/*
 * Changes the form of each question whose form does not suit a definition of its macro, or whose shared enum
 * has an error. Return: true if a form was changed.
 */
static bool change_forms(struct macro_values *values)
{
	bool found = false;

	for (size_t i = 0; i < values->question_count; i++) {
		struct question *question = values->questions[i];
		bool is_spoilt = question->form == FORM_PLAIN &&
				 (question->has_failed || !values->groups[question->group]);

		if (question->seen > question->form || is_spoilt) {
			question->form = question->seen > FORM_GUARDED ? question->seen : FORM_GUARDED;
			found = true;
		}
	}
	return found;
}

/*
 * Drops @question. But if the definitions in the preprocessing record allow a form earlier in enum form than
 * the scan predicted, changes to that form instead. Return: true.
 */
static bool drop_question(struct question *question)
{
	if (question->seen < question->form)
		question->form = question->seen;
	else
		question->is_dropped = true;
	return true;
}

/*
 * Drops the first question of each run of questions of @form without a mark, because its macro probably
 * swallowed the others; if @give_up, drops all without a mark. @in_run: whether the question before has no
 * mark; updated for the next form. Return: true if a question was dropped.
 */
static bool drop_lost(struct macro_values *values, enum form form, bool *in_run, bool give_up)
{
	bool found = false;

	for (size_t i = 0; i < values->question_count; i++) {
		struct question *question = values->questions[i];

		if (question->form != form)
			continue;
		if (!question->is_dropped && !question->is_marked && (!*in_run || give_up))
			found = *in_run = drop_question(question);
		else if (question->is_marked)
			*in_run = false;
	}
	return found;
}

bool macro_values_drop_riskiest(struct macro_values *values)
{
	enum form riskiest = FORM_PLAIN;

	for (size_t i = 0; i < values->question_count; i++)
		if (!values->questions[i]->is_dropped && values->questions[i]->form > riskiest)
			riskiest = values->questions[i]->form;
	if (riskiest == FORM_PLAIN)
		return false;
	for (size_t i = 0; i < values->question_count; i++)
		if (values->questions[i]->form == riskiest)
			drop_question(values->questions[i]);
	macro_values_restart(values);
	return true;
}

bool macro_values_incomplete(struct macro_values *values, bool give_up)
{
	bool found = values->added > 0, in_run = false;

	if (!found) { /* if questions were added, this parse was incomplete anyway */
		for (enum form form = FORM_GUARDED; form <= FORM_BROKEN; form++)
			found = drop_lost(values, form, &in_run, give_up) || found;
		found = change_forms(values) || found;
	}
	if (found)
		macro_values_restart(values);
	return found;
}

/* Checks whether the macro is the name of a type, which is not a value; but clang reports its size. */
static bool names_a_type(const struct question *question)
{
	return question->has_failed && question->width_bytes &&
	       view_is_name(view_of(question->definition->text));
}

/* Checks whether the macro has no text, like an include guard, and so is not meant to be a number. */
static bool has_no_text(const struct question *question)
{
	return form_of(question->definition->text) == FORM_NONE;
}

/* Warns that a requested macro is left out, because its value is unknown, and gives the reason. */
static void warn_of_macro(const struct macro_values *values, const struct question *question,
			  struct abi_builder *builder)
{
	const struct macro_definition *definition = question->definition;
	static const char *const doubts[] = {
		[MACRO_SHIFTS] =
			"shifts by at least as many bits as its type has, for which gcc and clang give "
			"different results,",
		[MACRO_LITERAL] =
			"has a literal that is too large for a signed type (gcc makes it an __int128, clang "
			"unsigned)",
		[MACRO_COMMA] = "has a comma operator, which clang accepts in a constant and gcc does not,",
	};
	const char *why = "is not an integer constant";

	if (question->is_changing && !question->has_failed)
		why = "has a different value on each line";
	else if (question->doubt && !question->has_failed)
		why = doubts[question->doubt];
	else if (question->is_answered && !question->has_failed)
		why = "is wider than 64 bits";
	else if (question->is_dropped)
		why = "could not be evaluated";
	abi_builder_warning(builder, question_place(values, question), "%s %s and is left out: %.200s",
			    question->name, why, definition->text);
}

/* Checks whether a family requests macros that are ioctls (macro_kinds.c), and this macro is an ioctl. */
static bool is_family_ioctl(const struct question *question)
{
	return question->definition->purpose.ask_ioc && question_is_ioctl(question);
}

/* Adds a macro to the index of all units, which ioctls.c reads. */
static void index_question(struct macro_values *values, const struct question *question)
{
	const struct macro_definition *definition = question->definition;
	const struct question *original = question->same ? question->same : question;

	values->macros = arena_room(values->arena, values->macros, values->macro_count,
				    sizeof(*values->macros));
	values->macros[values->macro_count++] = (struct macro){
		.name = question->name,
		.value = question_is_evaluated(question) ? question->value : (struct abi_number){ 0 },
		.evaluated = question_is_evaluated(question),
		.has_failed = question->has_failed && !names_a_type(question) && !has_no_text(question),
		.is_constant = question->definition->purpose.constant,
		.unit = values->closure->unit->name,
		.file = question->file->real,
		.line = question->line,
		.body = definition->shown,
		.call = definition->parameters ? arena_printf(values->arena, "%s(%s)", question->name,
							      definition->parameters)
					       : NULL,
		.is_ioc = is_family_ioctl(question),
		.varying = question->varying,
		.argument = original->argument,
		.params = original->params,
		.elements = original->elements,
	};
}

/* Adds a requested macro to the index, and its constant or a warning to @builder. */
static void finish_wanted(struct macro_values *values, const struct question *question,
			  struct abi_builder *builder)
{
	struct macro_purpose purpose = question->definition->purpose;

	index_question(values, question);
	if (question->is_redefined && question_is_evaluated(question) && (purpose.constant || purpose.number))
		abi_builder_warning(
			builder, question_place(values, question),
			"%s is defined again here, with a different text; its value after all headers counts.",
			question->name);
	if (question_is_evaluated(question) && purpose.constant)
		abi_builder_constant(builder, &(struct abi_constant){ question->name, question->value });
	else if (!question_is_evaluated(question) &&
		 (purpose.constant || purpose.number || is_family_ioctl(question)) &&
		 !has_no_text(question) &&
		 (question->has_failed || question->is_answered || question->is_dropped))
		warn_of_macro(values, question, builder);
}

void macro_values_finish(struct macro_values *values, struct abi_builder *builder)
{
	bool any_differs = false, has_pops;

	for (size_t i = 0; i < values->question_count; i++)
		any_differs |= values->questions[i]->differs && values->questions[i]->is_answered;
	has_pops = any_differs && closure_mentions(values->closure, "pop_macro");
	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *question = values->questions[i];
		const struct macro_purpose *purpose;

		/* The preprocessing record does not show which definition pop_macro restores. */
		if (has_pops && question->differs && question->is_answered) {
			abi_builder_warning(
				builder, question_place(values, question),
				"%s is left out: it is unknown which of its definitions pop_macro restored",
				question->name);
			continue;
		}
		if (!question->definition) /* the scan found a definition, but it did not take effect */
			continue;
		purpose = &question->definition->purpose;
		if (purpose->constant || purpose->family || is_family_ioctl(question))
			finish_wanted(values, question, builder);
		choices_warn(values, question, builder);
		if (!purpose->extra)
			continue;
		if (question_is_evaluated(question))
			abi_builder_constant(builder,
					     &(struct abi_constant){ question->name, question->value });
		if (has_no_text(question))
			continue;
		values->extra = arena_room(values->arena, values->extra, values->extra_count,
					   sizeof(*values->extra));
		values->extra[values->extra_count++] =
			(struct extra_macro){ question->name, question->definition->text,
					      question_is_evaluated(question) };
	}
	questions_drop(values);
}

/*
 * Orders macros by name. Those that are integers in some unit come first, so macro_values_warn() skips the
 * others. A constant of the same name does not prove that a macro is an integer: the constant can be an
 * enumerator, and the macro a text.
 */
static int order_extra(const void *a, const void *b)
{
	const struct extra_macro *x = a, *y = b;

	return strcmp(x->name, y->name) ?: y->is_integer - x->is_integer;
}

/*
 * Adds one warning for all extra macros, which only profile_want_constants() requests, that are not integers
 * in any unit. There can be many, because the requested globs also match macros for bit ranges ("7:0"),
 * strings and types, which are not meant to be numbers.
 */
void macro_values_warn(struct macro_values *values, struct abi_builder *builder)
{
	enum { NAMES_SHOWN = 3 };
	struct strbuf names = { 0 }, text = { 0 };
	size_t count = 0;

	sort_items(values->extra, values->extra_count, sizeof(*values->extra), order_extra);
	for (size_t i = 0; i < values->extra_count; i++) {
		const struct extra_macro *one = &values->extra[i];

		if (one->is_integer || (i && !strcmp(one[-1].name, one->name)))
			continue;
		if (count++ < NAMES_SHOWN)
			strbuf_addf(&names, "%s%s (%.40s)", count > 1 ? ", " : "", one->name, one->text);
	}
	strbuf_plural(&text, count, "macro");
	if (count)
		abi_builder_warning(
			builder, "",
			"Left out of the requested constants, because they are not integers: %s, %s%s",
			text.text, count > NAMES_SHOWN ? "the first ones " : "", names.text);
	strbuf_release(&names);
	strbuf_release(&text);
}

/* Orders macros by name, for searches. Macros with the same name stay in the order of the units. */
static int order_macros(const void *a, const void *b)
{
	const struct macro *x = *(const struct macro *const *)a, *y = *(const struct macro *const *)b;

	return strcmp(x->name, y->name) ?: compare_numbers((uintptr_t)x, (uintptr_t)y);
}

void macro_values_index(struct macro_index *out, struct macro_values *values)
{
	const struct macro **sorted = xmalloc((values->macro_count + 1) * sizeof(*sorted));
	struct macro *items = arena_array(values->arena, values->macro_count, sizeof(*items));

	for (size_t i = 0; i < values->macro_count; i++)
		sorted[i] = &values->macros[i];
	sort_items(sorted, values->macro_count, sizeof(*sorted), order_macros);
	for (size_t i = 0; i < values->macro_count; i++)
		items[i] = *sorted[i];
	free(sorted);
	*out = (struct macro_index){ items, values->macro_count };
}

/* The number of macros in an enum. If one is not a plain number, each of them gets a separate enum. */
enum { GROUP_SIZE = 64 };

void macro_values_release(struct macro_values *values)
{
	questions_drop(values);
	free(values->questions);
	free(values->lines);
	free(values->groups);
}

/* Adds questions for the wanted macros in the hints of files that are new since the last call. */
static void follow_hints(struct macro_values *values)
{
	for (; values->hinted < values->closure->file_count; values->hinted++) {
		const struct hints *hints = values->closure->files[values->hinted]->hints;

		for (size_t i = 0; i < hints->define_count; i++) {
			const struct macro_definition *definition = hints->defines[i].definition;
			struct question *question;
			enum form form;

			if (hints->defines[i].verdict != MACRO_WANTED)
				continue;
			question = question_find(values, definition->name);
			form = form_of_definition(definition);
			if (!question)
				question = question_add(values, definition->name, form);
			else if (form > question->form)
				question->form = form;
			question_note(values, question, definition);
		}
	}
}

/* Orders questions by name, so that the section does not depend on the order in which files were found. */
static int order_questions(const void *a, const void *b)
{
	return strcmp((*(const struct question *const *)a)->name, (*(const struct question *const *)b)->name);
}

/* Ends an enum of ask_plain() with the enumerator "groupN", which shows that clang read all of the enum. */
static void end_group(struct macro_values *values, struct strbuf *out)
{
	strbuf_addf(out, MACRO_PREFIX "group%zu=0};\n",
		    values->group_count); /* the value is explicit, because the enumerator before it may have
					     the largest possible value */
	question_lines(values, out, NO_QUESTION);
	ARRAY_GROW(values->groups, values->group_count, values->group_capacity);
	values->groups[values->group_count++] = false;
}

/*
 * Appends the questions of FORM_PLAIN, up to GROUP_SIZE of them in one enum. Their values are not negative,
 * so every enum has a type that can represent all of them.
 */
static void ask_plain(struct macro_values *values, struct strbuf *out)
{
	size_t in_group = 0;

	for (size_t i = 0; i < values->question_count; i++) {
		struct question *question = values->questions[i];

		if (question->form != FORM_PLAIN)
			continue;
		if (!in_group++) {
			strbuf_adds(out, "enum{\n");
			question_lines(values, out, NO_QUESTION);
		}
		question->group = values->group_count;
		strbuf_addf(out, "#ifdef %s\n" MACRO_PREFIX "value%zu=%s,\n#endif\n", question->name, i,
			    question->name);
		question_lines(values, out, i);
		if (in_group == GROUP_SIZE) {
			end_group(values, out);
			in_group = 0;
		}
	}
	if (in_group)
		end_group(values, out);
}

/* Appends the questions of @form that are not dropped, each with a separate enum and a mark after it. */
static void ask_alone(struct macro_values *values, struct strbuf *out, enum form form)
{
	for (size_t i = 0; i < values->question_count; i++) {
		const char *name = values->questions[i]->name;

		if (values->questions[i]->form != form || values->questions[i]->is_dropped)
			continue;
		/* The width comes first: an enumerator with an error gets its value from the one before. */
		strbuf_addf(out,
			    "#ifdef %s\nenum{" MACRO_PREFIX "width%zu=sizeof(%s)," MACRO_PREFIX
			    "value%zu=(%s),\n",
			    name, i, name, i, name);
		/* The name is an argument of a call, because otherwise "1, 2" would have the value 2. */
		strbuf_addf(out, MACRO_PREFIX "again%zu=__builtin_choose_expr(1,%s,0)};\n", i, name);
		/* clang warns of a shift by too many bits in an initializer, but not in an enumerator. */
		strbuf_addf(out, "static const __typeof__(0ULL) " MACRO_PREFIX "shift%zu=(%s);\n#endif\n", i,
			    name);
		strbuf_addf(out, "enum{" MACRO_PREFIX "mark%zu};\n", i);
		question_lines(values, out, i);
	}
}

void macro_values_section(struct macro_values *values, struct strbuf *out)
{
	follow_hints(values);
	sort_items(values->questions, values->question_count, sizeof(*values->questions), order_questions);
	values->line_count = values->group_count = values->added = 0;
	values->assigned = out->length;
	ask_plain(values, out);
	ask_alone(values, out, FORM_GUARDED);
	ask_alone(values, out, FORM_SUSPECT);
	kinds_ask_calls(values, out); /* the values of function-like macros */
	ask_alone(values, out, FORM_BROKEN);
	kinds_ask(values, out); /* last, because it redefines the macros of <asm/ioctl.h>, such as _IO() */
}
