#include "report/diff_flags.h"

#include "abi/abi.h"
#include "report/style.h"

#include <string.h>

enum { TEXT_WIDTH = 80 };

/* The one level that came, or went; NULL if there is none, or several. */
static const struct diff_flag *only_level(const struct diff_change *change, bool came)
{
	const struct diff_flag *found = NULL;

	for (size_t i = 0; i < change->flag_count; i++) {
		if (change->flags[i].kind != DIFF_FLAG_LEVEL || change->flags[i].came != came)
			continue;
		if (found)
			return NULL;
		found = &change->flags[i];
	}
	return found;
}

static void signed_word(struct strbuf *out, const struct diff_flag *flag, const char *separator)
{
	strbuf_addf(out, "%s%c%s%s", separator, flag->came ? '+' : '-', flag->kind == DIFF_FLAG_RIGHT ? "right " : "", flag->word);
}

void report_access_words(struct strbuf *out, const struct diff_change *change)
{
	const struct diff_flag *was = only_level(change, false), *is = only_level(change, true);
	const char *separator = "";

	if (was && is) {
		strbuf_addf(out, "%s -> %s", was->word, is->word);
		separator = " ";
	}
	for (size_t i = 0; i < change->flag_count; i++) {
		const struct diff_flag *flag = &change->flags[i];

		if (flag->kind == DIFF_FLAG_OTHER || (flag->kind == DIFF_FLAG_LEVEL && was && is))
			continue;
		signed_word(out, flag, separator);
		separator = " ";
	}
}

void report_flags_words(struct strbuf *out, const struct diff_change *change)
{
	const char *separator = "";

	for (size_t i = 0; i < change->flag_count; i++) {
		if (change->flags[i].kind != DIFF_FLAG_OTHER)
			continue;
		signed_word(out, &change->flags[i], separator);
		separator = " ";
	}
}

static const char *argument_of(const struct abi_ioctl *ioctl)
{
	const char *argument = ioctl->argument ? ioctl->argument : ioctl->params;

	return argument ? argument : "none";
}

void report_argument_words(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_ioctl *before = change->base_ioctl, *after = change->next_ioctl;

	if (before && after && (before->argument || after->argument) && strcmp(argument_of(before), argument_of(after)))
		strbuf_addf(out, "%s -> %s", argument_of(before), argument_of(after));
}

static void match_words(struct strbuf *out, const struct abi_ioctl *ioctl)
{
	static const char *const known_by[] = {
		[ABI_NUMBER_PLAIN] = "the whole number, no _IOC()", [ABI_NUMBER_IOC] = "the whole number", [ABI_NUMBER_IOC_BY_NR] = "type and nr",
	};

	strbuf_adds(out, known_by[ioctl->encoding]);
	for (int i = 0; i < ABI_IOC_FIELD_COUNT; i++)
		if (ioctl->varies >> i & 1)
			strbuf_addf(out, ", any %s", abi_ioc_field_name((enum abi_ioc_field)i));
}

void report_match_words(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_ioctl *before = change->base_ioctl, *after = change->next_ioctl;

	if (!before || !after || (before->encoding == after->encoding && before->varies == after->varies))
		return;
	match_words(out, before);
	strbuf_adds(out, " -> ");
	match_words(out, after);
}

/* @words, escaped, behind a label; broken at a blank where the next word would go beyond the last column. */
static void text_words(struct strbuf *out, const char *label, const char *words)
{
	size_t indent = strlen("    ") + strlen(label) + 1, column = indent, length;

	if (!*words)
		return;
	strbuf_addf(out, "    %s ", label);
	for (const char *at = words; *at; at += length) {
		bool breaks;

		at += strspn(at, " ");
		length = strcspn(at, " ");
		breaks = at > words && column + 1 + length > TEXT_WIDTH;
		if (breaks)
			strbuf_addf(out, "\n%*s", (int)indent, "");
		else if (at > words)
			strbuf_addch(out, ' ');
		strbuf_add(out, at, length);
		column = breaks ? indent + length : column + (at > words) + length;
	}
	strbuf_addch(out, '\n');
}

static void text_line(struct strbuf *out, const char *label, const struct diff_change *change,
		      void (*words_of)(struct strbuf *, const struct diff_change *))
{
	struct strbuf words = { 0 }, escaped = { 0 };

	words_of(&words, change);
	escape_terminal(&escaped, strbuf_text(&words));
	text_words(out, label, strbuf_text(&escaped));
	strbuf_release(&words);
	strbuf_release(&escaped);
}

void report_flags_text(struct strbuf *out, const struct diff_change *change)
{
	struct strbuf argument = { 0 };

	report_argument_words(&argument, change); /* names: they are not broken into lines */
	if (argument.length)
		escape_addf(out, escape_terminal, "    argument: %s\n", argument.text);
	strbuf_release(&argument);
	text_line(out, "known by:", change, report_match_words);
	text_line(out, "access:", change, report_access_words);
	text_line(out, "flags:", change, report_flags_words);
}

bool report_only_flags(const struct diff_change *change)
{
	if (change->classes != DIFF_FLAGS)
		return false;
	for (size_t i = 0; i < change->flag_count; i++)
		if (!strcmp(change->flags[i].word, ABI_FLAG_EMBEDDED_POINTERS))
			return false;
	return true;
}

void report_flags_fold(struct strbuf *out, size_t count, const char *what, const char *hint)
{
	if (!count)
		return;
	strbuf_plural(out, count, what);
	strbuf_addf(out, " changed only in flags that are no privilege%s\n", hint);
}

/* Which of the three lists of JSON a flag stands in. */
enum json_list { LIST_ACCESS, LIST_RIGHTS, LIST_FLAGS, LIST_COUNT };

static enum json_list list_of(enum diff_flag_kind kind)
{
	switch (kind) {
	case DIFF_FLAG_LEVEL:
	case DIFF_FLAG_CALLER: return LIST_ACCESS;
	case DIFF_FLAG_RIGHT: return LIST_RIGHTS;
	case DIFF_FLAG_OTHER: return LIST_FLAGS;
	}
	return LIST_FLAGS;
}

static void json_flag_list(struct json_writer *writer, const char *key, const struct diff_change *change, enum json_list list, bool came)
{
	bool is_open = false;

	for (size_t i = 0; i < change->flag_count; i++) {
		const struct diff_flag *flag = &change->flags[i];

		if (list_of(flag->kind) != list || flag->came != came)
			continue;
		if (!is_open) {
			json_key(writer, key);
			json_open_inline_array(writer);
		}
		is_open = true;
		json_string(writer, flag->word);
	}
	if (is_open)
		json_close_array(writer);
}

void report_json_flags(struct json_writer *writer, const struct diff_change *change)
{
	static const char *const added[] = { "access_added", "rights_added", "flags_added" };
	static const char *const removed[] = { "access_removed", "rights_removed", "flags_removed" };

	for (enum json_list list = LIST_ACCESS; list < LIST_COUNT; list++) {
		json_flag_list(writer, added[list], change, list, true);
		json_flag_list(writer, removed[list], change, list, false);
	}
}
