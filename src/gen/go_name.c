/*
 * gen/go_name.c - names of C as Go spells them
 *
 * 1. A name is cut into words: at '_', before a capital behind a small letter
 *    or digit, and before the last capital of a run of them ("CEs" is one word).
 * 2. A word that is an initialism, whatever its case, is spelled as the list
 *    has it; any other begins with a capital.
 * 3. '_' is left out before a small letter, and stands where a capital or a
 *    digit follows ("hDebuggerClient_Obsolete").
 *
 * The list is what the types of gVisor's nvproxy use. Over the 312 different
 * pairs of a driver's name and the hand-made one in its table, the rule gives
 * 275; most others name what several records share ("InfoList").
 */
#include "gen/proxytype.h"

#include <ctype.h>
#include <string.h>

/* Sorted by nothing; short enough to be walked. */
static const char *const initialisms[] = {
	"ID", "IDs", "UUID", "FD", "CPU", "GPU", "GPUs", "VA", "RM", "FB", "PCI", "ECC", "SMC", "GP", "FIFO", "GI", "GR", "IMEX",
	"IVC", "P2P", "TPC", "CID", "SubDevice", "VASpace", "InternalFlags",
};

static bool is_capital(char ch)
{
	return isupper((unsigned char)ch);
}

static bool is_small(char ch)
{
	return islower((unsigned char)ch) || isdigit((unsigned char)ch);
}

/* Bytes of the word at @at, which is no '_'. */
static size_t word_length(const char *at)
{
	size_t capitals = 0, length;

	while (is_capital(at[capitals]))
		capitals++;
	if (capitals > 1 && at[capitals] == 's' && !is_small(at[capitals + 1]))
		return capitals + 1;
	if (capitals > 1)
		return is_small(at[capitals]) ? capitals - 1 : capitals;
	for (length = capitals; is_small(at[length]); length++)
		;
	return length ? length : 1;
}

static const char *initialism(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(initialisms) / sizeof(*initialisms); i++)
		if (strlen(initialisms[i]) == length && !strncasecmp(initialisms[i], word, length))
			return initialisms[i];
	return NULL;
}

static void add_word(struct strbuf *out, const char *word, size_t length)
{
	const char *known = initialism(word, length);
	size_t at = out->length;

	strbuf_add(out, known ? known : word, length);
	out->text[at] = (char)toupper((unsigned char)out->text[at]);
	if (length > 2 && !strncmp(word + length - 2, "3d", 2))
		out->text[out->length - 1] = 'D';
}

static void add_words(struct strbuf *out, const char *name)
{
	while (*name) {
		size_t length = *name == '_' ? strspn(name, "_") : word_length(name);

		if (*name != '_')
			add_word(out, name, length);
		else if (out->length && (is_capital(name[length]) || isdigit((unsigned char)name[length])))
			strbuf_add(out, name, length);
		name += length;
	}
}

const char *proxytype_field_name(const char *driver, struct arena *arena)
{
	struct strbuf name = { 0 };
	const char *out;

	add_words(&name, driver);
	if (!name.length || !is_capital(name.text[0]))
		out = arena_printf(arena, "X%s", strbuf_text(&name));
	else
		out = arena_strdup(arena, name.text);
	strbuf_release(&name);
	return out;
}

/* "nv_ioctl_card_info_t" without what says that it is NVIDIA's and a typedef. */
static const char *bare_name(const char *record, struct arena *arena)
{
	const char *from = !strncmp(record, "nv_", 3) && record[3] ? record + 3 : record;
	size_t length = strlen(from);

	if (length > 2 && !strcmp(from + length - 2, "_t"))
		length -= 2;
	return arena_strndup(arena, from, length);
}

const char *proxytype_type_name(const char *record, struct arena *arena)
{
	char *name = arena_strdup(arena, record);
	char *to = name;

	for (const char *from = record; *from; from++) {
		if (from[0] == ':' && from[1] == ':')
			from++;
		*to++ = *from == ':' ? '_' : *from;
	}
	*to = '\0';
	return is_capital(*name) ? name : proxytype_field_name(bare_name(name, arena), arena);
}
