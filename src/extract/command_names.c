#include "extract/command_names.h"

#include "base/ctext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The evidence for a macro, strongest last; a higher bit outweighs all lower
 * ones together. Of equals, the first in the order of names is chosen.
 */
enum {
	NAME_SAME_CLASS = 1 << 0,    /* NV2080_... for 0x2080.... */
	NAME_SAME_FUNC = 1 << 1,     /* ..._CTRL_CMD_GPU_GET_PIDS for subdeviceCtrlCmdGpuGetPids */
	NAME_HAS_NUMBER = 1 << 2,    /* its body is a number and not just the name of another macro */
	NAME_IS_COMMAND = 1 << 3,    /* its comment gives the interface and the message that make its number */
	NAME_SAME_PARAMS = 1 << 4,   /* ..._CTRL_CMD_GPU_GET_PIDS for ..._CTRL_GPU_GET_PIDS_PARAMS */
	NAME_STATES_PARAMS = 1 << 5, /* its comment has ..._GPU_GET_PIDS_PARAMS_MESSAGE_ID */
};

/*
 * Without any of these a macro just happens to have the same value. The class
 * says nothing where it is 0: NV0000_... has many macros of small values.
 */
enum { NAME_EVIDENCE = NAME_SAME_FUNC | NAME_IS_COMMAND | NAME_SAME_PARAMS | NAME_STATES_PARAMS };

static bool names_states_params(const struct macro *macro, const char *params)
{
	char message_id[256];
	int length;

	if (!macro->body || !strstr(macro->body, "_MESSAGE_ID"))
		return false;
	length = snprintf(message_id, sizeof(message_id), "%s_MESSAGE_ID", params);
	return length < (int)sizeof(message_id) && view_mention(view_of(macro->body), message_id);
}

/* The next character of a name in which "_CMD" is not written. */
static char names_next(const char **at)
{
	if (**at == '_' && !strncmp(*at, "_CMD", 4) && ((*at)[4] == '_' || !(*at)[4]))
		*at += 4;
	return **at ? *(*at)++ : '\0';
}

/* NV2080_CTRL_CMD_A_B and NV2080_CTRL_A_B_PARAMS. */
static bool names_same_params(const char *macro, const char *params)
{
	char ch;

	while ((ch = names_next(&macro)))
		if (names_next(&params) != ch)
			return false;
	return !strcmp(params, "_PARAMS") || !strcmp(params, "_PARAM");
}

/* Behind the last @mark in @text, or NULL. */
static const char *names_behind(const char *text, const char *mark)
{
	const char *found = strstr(text, mark);

	return found ? found + strlen(mark) : NULL;
}

/* GPU_GET_PIDS and GpuGetPids. */
static bool names_same_func(const char *macro, const char *func)
{
	const char *tail = names_behind(macro, "_CTRL_CMD_");
	const char *method = names_behind(func, "CtrlCmd");

	if (!tail)
		tail = names_behind(macro, "_CTRL_");
	if (!tail || !method)
		return false;
	for (; *tail; tail++) {
		if (*tail == '_')
			continue;
		if ((*tail | 0x20) != (*method | 0x20))
			return false;
		method++;
	}
	return !*method;
}

/* NV2080_... for 0x2080....; "%04llX", written out, since a hundred thousand names are asked. */
static bool names_same_class(const char *macro, uint64_t number)
{
	uint64_t class = number >> 16;
	size_t digits = 4;

	while (digits < 12 && class >> 4 * digits)
		digits++;
	if (macro[0] != 'N' || macro[1] != 'V')
		return false;
	for (size_t i = 0; i < digits; i++)
		if (macro[2 + i] != "0123456789ABCDEF"[class >> 4 * (digits - 1 - i) & 15])
			return false;
	return macro[2 + digits] == '_';
}

/* Does a digit start a word of the body, before any comment? */
static bool names_has_number(const char *body)
{
	struct view text = body ? lexer_uncommented(view_of(body)) : (struct view){ "", 0 };

	for (size_t i = 0; i < text.length; i++)
		if (view_is_digit(text.at[i]) && (!i || !view_is_word_char(text.at[i - 1])))
			return true;
	return false;
}

/* 0 if nothing says that the macro is this command. */
static unsigned names_score(const struct macro *macro, const struct command_name *name)
{
	unsigned score = 0, evidence = NAME_EVIDENCE;

	if (name->number >> 16)
		evidence |= NAME_SAME_CLASS;
	if (names_same_class(macro->name, name->number))
		score |= NAME_SAME_CLASS;
	if (name->func && names_same_func(macro->name, name->func))
		score |= NAME_SAME_FUNC;
	if (names_has_number(macro->body))
		score |= NAME_HAS_NUMBER;
	if (macro->body && strstr(macro->body, "_INTERFACE_ID << 8"))
		score |= NAME_IS_COMMAND;
	if (name->params && names_same_params(macro->name, name->params))
		score |= NAME_SAME_PARAMS;
	if (name->params && names_states_params(macro, name->params))
		score |= NAME_STATES_PARAMS;
	return score & evidence ? score : 0;
}

/* What the document holds as a constant may name a number as well as what the family asks for. */
static bool names_may_name(const struct macro *macro, const struct profile_family *family)
{
	return (macro->is_constant || profile_matches(&family->match, macro->name)) &&
	       !profile_matches(&family->except, macro->name);
}

static int names_compare(const void *number, const void *name)
{
	uint64_t left = *(const uint64_t *)number;
	uint64_t right = ((const struct command_name *)name)->number;

	return left < right ? -1 : left > right;
}

/* Most macros have none of the numbers that are looked for: a bit for each number's hash says so at once. */
enum { NUMBER_BITS = 1 << 16 };

static size_t number_bit(uint64_t number)
{
	return (number * 0x9e3779b97f4a7c15u) >> 48;
}

void command_names_find(struct command_name *names, size_t count, const struct profile_family *family,
			const struct macro_index *macros)
{
	unsigned char is_asked[NUMBER_BITS / 8] = { 0 };

	for (size_t i = 0; i < count; i++)
		is_asked[number_bit(names[i].number) / 8] |= (unsigned char)(1 << number_bit(names[i].number) % 8);
	for (size_t i = 0; i < macros->count && count; i++) {
		const struct macro *macro = &macros->items[i];
		struct command_name *name;
		unsigned score;

		if (!macro->evaluated || macro->value.negative ||
		    !(is_asked[number_bit(macro->value.magnitude) / 8] >> number_bit(macro->value.magnitude) % 8 & 1))
			continue;
		name = bsearch(&macro->value.magnitude, names, count, sizeof(*names), names_compare);
		if (!name || !names_may_name(macro, family))
			continue;
		score = names_score(macro, name);
		if (score > name->score) {
			name->macro = macro;
			name->score = score;
		}
	}
}
