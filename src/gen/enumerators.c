#include "gen/enumerators.h"

#include "gen/printed.h"
#include "gen/text.h"

#include <inttypes.h>

void enumerators_write(struct cdecl *writer, const struct abi_enum *one, size_t depth)
{
	struct strbuf *out = writer->out;

	for (size_t i = 0; i < one->value_count; i++) {
		const struct abi_number value = one->values[i].value;
		bool is_new = printed_is_new_enumerator(writer, one->values[i].name);

		text_indent(out, depth);
		if (!is_new)
			strbuf_addf(out, "%s__", cdecl_is_name(one->name) ? one->name : "again");
		strbuf_addf(out, value.magnitude > INT64_MAX && !value.negative ? "%s = %s%" PRIu64 "ULL," : "%s = %s%" PRIu64 ",",
			    one->values[i].name, value.negative ? "-" : "", value.magnitude);
		strbuf_adds(out, is_new ? "\n" : " /* an enum above has one of this name */\n");
	}
}

const char *enumerators_attributes(const struct abi_enum *one)
{
	return one->size_bytes < 4 ? " __attribute__((packed))" : "";
}

int enumerators_check(const struct abi_enum *one, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < one->value_count; i++)
		rc = cdecl_check_name(one->values[i].name, err);
	return rc;
}
