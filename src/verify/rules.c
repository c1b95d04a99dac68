#include "verify/verify.h"

#include <string.h>

static const char *const rule_names[VERIFY_RULE_COUNT] = {
	[VERIFY_NUMBER] = "number",
	[VERIFY_REUSED_NUMBER] = "reused-number",
	[VERIFY_MISSING_RECORD] = "missing-record",
	[VERIFY_SIZE] = "size",
	[VERIFY_FIELD_OFFSET] = "field-offset",
	[VERIFY_FIELD_TYPE] = "field-type",
	[VERIFY_FIELD_MISSING] = "field-missing",
	[VERIFY_PADDING_OVERLAP] = "padding-overlap",
	[VERIFY_NOT_SIMPLE] = "not-simple",
	[VERIFY_SURFACE] = "surface",
	[VERIFY_CAPS] = "caps",
};

const char *verify_rule_name(enum verify_rule rule)
{
	return rule_names[rule];
}

int verify_rule_parse(enum verify_rule *rule, const char *name, struct err *err)
{
	struct strbuf known = { 0 };
	int rc;

	for (int i = 0; i < VERIFY_RULE_COUNT; i++) {
		if (!strcmp(rule_names[i], name)) {
			*rule = (enum verify_rule)i;
			strbuf_release(&known);
			return 0;
		}
		strbuf_addf(&known, "%s%s", i ? ", " : "", rule_names[i]);
	}
	rc = err_set(err, ERR_FORMAT, "no rule '%s'; the rules are %s", name, strbuf_text(&known));
	strbuf_release(&known);
	return rc;
}
