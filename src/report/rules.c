/* report/rules.c - explains each rule of verify and each class of change with the texts of rules.in */
#include "report/internal.h"

#ifndef PAGE_DIR
#error "PAGE_DIR is the directory of rules.in; the Makefile sets it"
#endif

EMBED(report_rule_texts, PAGE_DIR "/rules.in");

const char *rule_name(size_t rule)
{
	static const char *const notices[] = { "not-checked", "unused-suppression", "unexplained-suppression",
					       "expired-suppression" };

	if (rule < VERIFY_RULE_COUNT)
		return verify_rule_name((enum verify_rule)rule);
	return rule < RULE_OF_CLASS(1) ? notices[rule - VERIFY_RULE_COUNT]
				       : report_class_name((unsigned)(rule - RULE_OF_CLASS(1)));
}

/* Returns the command that reports findings of the rule, or changes of the class. */
static const char *rule_command(size_t rule)
{
	return rule < RULE_OF_CLASS(1) ? "verify" : "diff";
}

struct rule_text rule_text(size_t rule, struct arena *arena)
{
	static const char example_begins[] = "\nExample: ", to_do_begins[] = "\nWhat to do: ";
	const char *title = arena_printf(arena, "\n= %s %s\n", rule_command(rule), rule_name(rule));
	const char *begin = strstr(report_rule_texts, title) + strlen(title), *end = strstr(begin, "\n\n");
	const size_t length = end ? (size_t)(end - begin) : strlen(begin) - 1;
	char *what = arena_strndup(arena, begin, length);
	char *example = strstr(what, example_begins), *to_do = strstr(what, to_do_begins);

	for (size_t i = 0; i < length; i++)
		if (what[i] == '\n')
			what[i] = ' ';
	*example = *to_do = '\0';
	return (struct rule_text){ what, example + strlen(example_begins), to_do + strlen(to_do_begins) };
}

void report_rule(struct strbuf *out, size_t rule, const struct report_style *style)
{
	struct arena arena = { 0 };
	const struct rule_text text = rule_text(rule, &arena);
	const char *const parts[][2] = { { "", text.what },
					 { "Example: ", text.example },
					 { "What to do: ", text.to_do } };

	strbuf_addf(out, "%s (%s)\n", rule_name(rule), rule_command(rule));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		strbuf_addch(out, '\n');
		text_line(out, style, 2, "  %s%s%s", parts[i][0], parts[i][1], i == 1 ? "." : "");
	}
	arena_release(&arena);
}

void report_rules(struct strbuf *out, const struct report_style *style)
{
	enum { COLUMN = 26 };
	struct arena arena = { 0 };

	for (size_t rule = 0; rule < RULE_COUNT; rule++) {
		if (!rule || strcmp(rule_command(rule), rule_command(rule - 1)))
			strbuf_addf(out, "%s%s:\n", rule ? "\n" : "",
				    rule ? "Classes of change, in drvabi diff" : "Rules of drvabi verify");
		text_line(out, style, COLUMN, "  " NAME "%*s%s", rule_name(rule),
			  COLUMN - 2 - (int)strlen(rule_name(rule)), "", rule_text(rule, &arena).what);
	}
	arena_release(&arena);
}

void report_rules_markdown(struct strbuf *out)
{
	struct arena arena = { 0 };

	strbuf_adds(out, "# Rules of verify, and classes of change\n\n"
			 "`drvabi explain --format markdown` prints this page.\n");
	for (size_t rule = 0; rule < RULE_COUNT; rule++) {
		const struct rule_text text = rule_text(rule, &arena);

		if (!rule || strcmp(rule_command(rule), rule_command(rule - 1)))
			strbuf_addf(out,
				    "\n## %s\n\n| %s | what it means | example | what to do |\n"
				    "|---|---|---|---|\n",
				    rule_command(rule), rule < RULE_OF_CLASS(1) ? "rule" : "class");
		strbuf_addf(out, "| <a id=\"%s%s\"></a>`%s` | ", rule < RULE_OF_CLASS(1) ? "" : "class-",
			    rule_name(rule), rule_name(rule));
		escape_markdown(out, text.what);
		strbuf_adds(out, " | ");
		escape_markdown_code(out, text.example);
		strbuf_adds(out, " | ");
		escape_markdown(out, text.to_do);
		strbuf_adds(out, " |\n");
	}
	arena_release(&arena);
}
