#include "gen/plan.h"

#include <inttypes.h>
#include <string.h>

/* Begins one more remark. */
static void next(struct strbuf *out)
{
	if (out->length)
		strbuf_adds(out, "; ");
}

static void add_bits(struct strbuf *out, const struct plan_item *item)
{
	for (size_t i = 0; i < item->member_count; i++) {
		const struct abi_field *field = item->members[i].field;

		strbuf_addf(out, "%s%s: %" PRIu64 " bit%s from bit %" PRIu64, i ? ", " : "bit-fields ", *field->name ? field->name : "(unnamed)",
			    field->size_bits, field->size_bits == 1 ? "" : "s", field->offset_bits - item->offset_bytes * 8);
	}
}

/* A name that is a keyword of the language. */
static bool is_escaped(const struct plan_item *item)
{
	return !item->is_anonymous && strcmp(item->name, item->members->field->name) != 0;
}

void plan_remark(struct strbuf *out, const struct plan_item *item)
{
	const struct definition_member *member = item->members;

	if (item->kind == PLAN_PADDING)
		return;
	if (item->kind == PLAN_BITS) {
		add_bits(out, item);
		return;
	}
	if (member->field->role != ABI_ROLE_NONE)
		strbuf_adds(out, abi_role_name(member->field->role));
	if (item->is_anonymous) {
		next(out);
		strbuf_adds(out, "without a name in the driver: its members are the record's");
	} else if (is_escaped(item)) {
		next(out);
		strbuf_addf(out, "\"%s\" in the driver", member->field->name);
	}
	if (item->kind == PLAN_BYTES) {
		next(out);
		strbuf_addf(out, "%s in the driver, which cannot be declared here", member->field->type);
	} else if (member->type.remark) {
		next(out);
		strbuf_adds(out, member->type.remark);
	}
	if (member->type.flexible) {
		next(out);
		strbuf_adds(out, "as many as there are");
	}
}
