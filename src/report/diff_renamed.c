#include "report/diff_renamed.h"

#include "report/style.h"

#include <stdio.h>
#include <string.h>

static void field_words(struct strbuf *out, const struct diff_field *field, const char *separator)
{
	struct strbuf note = { 0 };

	if (!field->before || !field->after)
		return;
	report_field_note(&note, field);
	strbuf_addf(out, "%s%s %s", separator, field->after->path, strbuf_text(&note));
	strbuf_release(&note);
}

void report_renamed_with_words(struct strbuf *out, const struct diff_change *one, const char *separator)
{
	if (one->kind == ABI_CONSTANT)
		strbuf_addf(out, "%sconstant %s was %s", separator, one->name, one->base_name);
	else if (!one->with)
		strbuf_addf(out, "%s%s %s %s", separator, report_unit(one), one->name, one->next_record ? "added" : "removed");
	for (size_t i = 0; one->with && i < one->field_count; i++)
		field_words(out, &one->fields[i], separator);
}

void report_former_owner(struct strbuf *out, const struct diff_change *change)
{
	char number[ABI_NOTATION_BYTES];

	if (change->number_was_is_gone)
		strbuf_adds(out, "(removed)");
	else
		strbuf_addf(out, "(now %s)", abi_ioctl_number(change->family, change->number_was_now, number));
}

const char *report_former_number(const struct diff_change *change, char buffer[16])
{
	if (!change->next_ioctl || change->next_ioctl->encoding != ABI_NUMBER_IOC_BY_NR)
		return "the number";
	snprintf(buffer, 16, "nr 0x%02x", abi_ioc_get(change->next_ioctl->number, ABI_IOC_NR));
	return buffer;
}
