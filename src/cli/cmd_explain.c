/* cli/cmd_explain.c - drvabi explain: what a rule of verify or a class of change means, and what to do */
#include "cli/cli.h"

/* drvabi explain: appends the explanations of the named rules and classes of change, or of all of them. */
int cmd_explain(struct cli_args *args, struct err *err)
{
	struct strbuf *out = args->out;

	if (args->word_count && args->format_given)
		return usage_error(err, "--format is for all rules; leave out '%s'", args->words[0]);
	for (size_t i = 0; i < args->word_count; i++) {
		const char *name = args->words[i];
		struct abi_nearest nearest = { .count = 0 };
		bool found = false;

		for (size_t rule = 0; rule < RULE_COUNT; rule++) {
			abi_nearest_name(&nearest, name, rule_name(rule));
			if (strcmp(name, rule_name(rule)))
				continue;
			strbuf_adds(out, out->length ? "\n" : "");
			report_rule(out, rule, &args->style);
			found = true;
		}
		if (!found)
			return nearby_fail(err, &nearest,
				"there is no rule or class of change '%s'; drvabi explain lists them", name);
	}
	if (!args->word_count && !strcmp(args->format, "markdown"))
		report_rules_markdown(out);
	else if (!args->word_count)
		report_rules(out, &args->style);
	return 0;
}
