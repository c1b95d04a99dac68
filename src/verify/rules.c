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
	[VERIFY_HANDLER] = "handler",
	[VERIFY_CAPS] = "caps",
	[VERIFY_KERNEL_POINTER] = "kernel-pointer",
	[VERIFY_LACKING] = "unavailable",
};

static const char *const rule_descriptions[VERIFY_RULE_COUNT] = {
	[VERIFY_NUMBER] = "the number is not that of the driver's macro or method, or there is no such macro",
	[VERIFY_REUSED_NUMBER] = "the number is another command in this version",
	[VERIFY_MISSING_RECORD] = "the driver has no such record or alias",
	[VERIFY_SIZE] = "the proxy's type has another size than the driver's",
	[VERIFY_FIELD_OFFSET] = "the proxy has a field of the driver at another offset",
	[VERIFY_FIELD_TYPE] = "a field has another width, sign, length or role",
	[VERIFY_FIELD_MISSING] = "a field of the driver is missing in the proxy's type, or the reverse",
	[VERIFY_PADDING_OVERLAP] = "what the proxy calls padding covers bytes that the driver uses",
	[VERIFY_NOT_SIMPLE] = "passed through unread, but may carry a pointer or a file descriptor",
	[VERIFY_SURFACE] = "the driver's own tables name another parameter record",
	[VERIFY_HANDLER] = "the proxy's code unmarshals another type than the table says",
	[VERIFY_CAPS] = "a capability outside the known set",
	[VERIFY_KERNEL_POINTER] = "forwarded, and may pass a kernel address to or from the application",
	[VERIFY_LACKING] = "the proxy supports the version, and nothing that was looked at has it",
};

const char *verify_rule_description(enum verify_rule rule)
{
	return rule_descriptions[rule];
}

bool verify_rule_warns(enum verify_rule rule)
{
	return rule == VERIFY_KERNEL_POINTER || rule == VERIFY_LACKING;
}

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

int verify_rules_parse(bool fails[VERIFY_RULE_COUNT], const char *list, struct err *err)
{
	struct strbuf name = { 0 };
	int rc = 0;

	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++)
		fails[rule] = !list && !verify_rule_warns((enum verify_rule)rule);
	while (list && *list && !rc) {
		size_t length = strcspn(list, ",");
		enum verify_rule rule;

		strbuf_reset(&name);
		strbuf_add(&name, list, length);
		if (!(rc = verify_rule_parse(&rule, strbuf_text(&name), err)))
			fails[rule] = true;
		list += length + (list[length] == ',');
	}
	strbuf_release(&name);
	return rc;
}
