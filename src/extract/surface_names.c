#include "extract/surface_names.h"

#include "extract/surface_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What speaks for a macro, strongest last; a higher bit outweighs all lower
 * ones together. Of equals, the first in the order of names is taken.
 */
enum {
	NAME_SAME_CLASS = 1 << 0,    /* NV2080_... for 0x2080.... */
	NAME_SAME_FUNC = 1 << 1,     /* ..._CTRL_CMD_GPU_GET_PIDS for subdeviceCtrlCmdGpuGetPids */
	NAME_HAS_NUMBER = 1 << 2,    /* its body is a number and not just the name of another macro */
	NAME_IS_COMMAND = 1 << 3,    /* its comment says that it was made from an interface and a message */
	NAME_SAME_PARAMS = 1 << 4,   /* ..._CTRL_CMD_GPU_GET_PIDS for ..._CTRL_GPU_GET_PIDS_PARAMS */
	NAME_STATES_PARAMS = 1 << 5, /* its comment speaks of ..._GPU_GET_PIDS_PARAMS_MESSAGE_ID */
};

/*
 * Without any of these a macro just happens to have the same value. The class
 * says nothing where it is 0: NV0000_... has many macros of small values.
 */
enum { NAME_EVIDENCE = NAME_SAME_FUNC | NAME_IS_COMMAND | NAME_SAME_PARAMS | NAME_STATES_PARAMS };

/* Does @name occur in @text as a whole name? */
static bool names_mention(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += length)
		if ((at == text || !surface_is_name_char(at[-1])) && !surface_is_name_char(at[length]))
			return true;
	return false;
}

static bool names_states_params(const struct macro *macro, const char *params)
{
	char message_id[256];
	int length;

	if (!macro->body || !strstr(macro->body, "_MESSAGE_ID"))
		return false;
	length = snprintf(message_id, sizeof(message_id), "%s_MESSAGE_ID", params);
	return length < (int)sizeof(message_id) && names_mention(macro->body, message_id);
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
	char before = ' ';

	for (; body && *body && strncmp(body, "/*", 2) && strncmp(body, "//", 2); before = *body++)
		if (*body >= '0' && *body <= '9' && !surface_is_name_char(before))
			return true;
	return false;
}

/* 0 if nothing says that the macro is this command. */
static unsigned names_score(const struct macro *macro, const struct surface_wish *wish)
{
	unsigned score = 0, evidence = NAME_EVIDENCE;

	if (wish->number >> 16)
		evidence |= NAME_SAME_CLASS;
	if (names_same_class(macro->name, wish->number))
		score |= NAME_SAME_CLASS;
	if (wish->func && names_same_func(macro->name, wish->func))
		score |= NAME_SAME_FUNC;
	if (names_has_number(macro->body))
		score |= NAME_HAS_NUMBER;
	if (macro->body && strstr(macro->body, "_INTERFACE_ID << 8"))
		score |= NAME_IS_COMMAND;
	if (wish->params && names_same_params(macro->name, wish->params))
		score |= NAME_SAME_PARAMS;
	if (wish->params && names_states_params(macro, wish->params))
		score |= NAME_STATES_PARAMS;
	return score & evidence ? score : 0;
}

/* What the document holds as a constant may name a number as well as what the family asks for. */
static bool names_may_name(const struct macro *macro, const struct profile_family *family)
{
	return (macro->is_constant || profile_matches(&family->match, macro->name)) &&
	       !profile_matches(&family->except, macro->name);
}

static int names_compare(const void *number, const void *wish)
{
	uint64_t left = *(const uint64_t *)number;
	uint64_t right = ((const struct surface_wish *)wish)->number;

	return left < right ? -1 : left > right;
}

/* Most macros have none of the numbers that are looked for: a bit for each number's hash says so at once. */
enum { NUMBER_BITS = 1 << 16 };

static size_t number_bit(uint64_t number)
{
	return (number * 0x9e3779b97f4a7c15u) >> 48;
}

void surface_names_find(struct surface_wish *wishes, size_t count, const struct profile_family *family,
			const struct macro_index *macros)
{
	unsigned char wished[NUMBER_BITS / 8] = { 0 };

	for (size_t i = 0; i < count; i++)
		wished[number_bit(wishes[i].number) / 8] |= (unsigned char)(1 << number_bit(wishes[i].number) % 8);
	for (size_t i = 0; i < macros->count && count; i++) {
		const struct macro *macro = &macros->items[i];
		struct surface_wish *wish;
		unsigned score;

		if (!macro->evaluated || macro->value.negative ||
		    !(wished[number_bit(macro->value.magnitude) / 8] >> number_bit(macro->value.magnitude) % 8 & 1))
			continue;
		wish = bsearch(&macro->value.magnitude, wishes, count, sizeof(*wishes), names_compare);
		if (!wish || !names_may_name(macro, family))
			continue;
		score = names_score(macro, wish);
		if (score > wish->score) {
			wish->macro = macro;
			wish->score = score;
		}
	}
}
