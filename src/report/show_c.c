/*
 * report/show_c.c - what names and numbers are, as declarations of C
 *
 * Types in the order of the words, then all numbers as macros: a macro that
 * is an enumerator, too, must not stand before the enum.
 */
#include "report/show.h"

#include "gen/gen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int write_type(struct cdecl *writer, const struct show_item *item, struct err *err)
{
	switch (item->item->kind) {
	case ABI_RECORD:
	case ABI_IOCTL: return item->record ? cdecl_record(writer, item->record, err) : 0;
	case ABI_ENUM: return cdecl_enum(writer, item->item->one, err);
	case ABI_ALIAS: return cdecl_alias(writer, item->item->alias, err);
	case ABI_CONSTANT: return 0;
	}
	return 0;
}

static int write_ioctl(struct cdecl *writer, const struct abi_ioctl *ioctl, struct err *err)
{
	struct strbuf comment = { 0 };
	char number[ABI_NOTATION_BYTES];
	int rc;

	strbuf_addf(&comment, "%s, %s", ioctl->family, ioctl->params ? ioctl->params : "no parameters");
	rc = cdecl_define(writer, ioctl->name, abi_ioctl_number(ioctl->family, ioctl->number, number), strbuf_text(&comment), err);
	strbuf_release(&comment);
	return rc;
}

static int write_constant(struct cdecl *writer, const struct abi_constant *constant, struct err *err)
{
	const struct abi_number value = constant->value;
	char number[32], both[ABI_NOTATION_BYTES];
	const char *written = abi_constant_number(constant, both);

	/* "0xa097 (41111)" is a number and, in the comment, the other notation. */
	if (value.negative)
		snprintf(number, sizeof(number), "(-%" PRIu64 ")", value.magnitude);
	else
		snprintf(number, sizeof(number), "%.*s%s", (int)strcspn(written, " "), written, value.magnitude > INT64_MAX ? "ULL" : "");
	return cdecl_define(writer, constant->name, number, written[strcspn(written, " ")] ? written : "", err);
}

static int write_number(struct cdecl *writer, const struct show_item *item, struct err *err)
{
	if (item->item->kind == ABI_IOCTL)
		return write_ioctl(writer, item->item->ioctl, err);
	return item->item->kind == ABI_CONSTANT ? write_constant(writer, item->item->constant, err) : 0;
}

static void write_origin(struct strbuf *out, const struct show_word *word, const struct abi *asked)
{
	struct strbuf text = { 0 };

	if (word->abi == asked)
		return;
	strbuf_addf(&text, "%s: not in %s; this is %s, the nearest version that has it", word->word->text, asked->version, word->abi->version);
	cdecl_comment(out, strbuf_text(&text));
	strbuf_adds(out, "\n");
	strbuf_release(&text);
}

/* Unnamed types stand inside others: a glob finds these as well. */
static bool is_skipped(const struct show_word *word, const struct show_item *item)
{
	return !word->word->is_number && history_is_glob(word->word->text) &&
	       ((item->item->kind == ABI_RECORD && strstr(item->record->name, "::")) ||
		(item->item->kind == ABI_ENUM && strstr(item->item->one->name, "::")) ||
		(item->item->kind == ABI_ALIAS && item->item->alias->name[strcspn(item->item->alias->name, ":* ")]));
}

static int each_item(struct cdecl *writer, const struct show_report *report, bool are_types,
		     int (*write)(struct cdecl *, const struct show_item *, struct err *), struct err *err)
{
	int rc = 0;

	for (size_t w = 0; w < report->count; w++) {
		const struct show_word *word = &report->words[w];

		writer->abi = word->abi;
		if (are_types)
			write_origin(writer->out, word, report->abi);
		for (size_t i = 0; !rc && i < word->lookup->item_count; i++)
			if (!is_skipped(word, &word->items[i]))
				rc = write(writer, &word->items[i], err);
	}
	return rc;
}

int report_show_c(struct strbuf *out, const struct show_report *report, bool expand, struct err *err)
{
	struct cdecl writer = { .out = out, .expand = expand };
	struct strbuf origin = { 0 };
	int rc;

	strbuf_addf(&origin, "%s %s, %s", report->abi->driver, report->abi->version, report->abi->target);
	cdecl_comment(out, strbuf_text(&origin));
	strbuf_adds(out, "\n\n");
	if (!(rc = each_item(&writer, report, true, write_type, err)))
		rc = each_item(&writer, report, false, write_number, err);
	if (out->length > 1 && out->text[out->length - 2] == '\n')
		out->text[--out->length] = '\0';
	strbuf_release(&origin);
	cdecl_release(&writer);
	return rc;
}
