/*
 * Tests that new lines are exact: when they are read again, they suppress all findings of the run, and no
 * others.
 */
#include "verify/fixture_test.h"

static const struct verify_finding findings[] = {
	{ .rule = VERIFY_SIZE, .family = "control", .entry = "CMD_A", .path = "", .message = "a is 4" },
	{ .rule = VERIFY_SIZE, .family = "control", .entry = "CMD_A", .path = "", .message = "a is 5" },
	{ .rule = VERIFY_NUMBER, .family = "uvm", .entry = "CMD_B", .path = "", .message = "b",
	  .unseen = true },
	{ .rule = VERIFY_CAPS, .family = "control", .entry = "A*[b]\\ \xc3\xa9", .path = "", .message = "c" },
	{ .rule = VERIFY_CAPS, .family = "control", .entry = "", .path = "", .message = "d" },
	{ .rule = VERIFY_AS_IS, .entry = "CMD_C", .family = "uvm", .path = "list[].fd", .message = "e" },
	{ .rule = VERIFY_AS_IS, .entry = "CMD_C", .family = "uvm", .path = "list[].p", .message = "f" },
};
static struct suppression line = { .line = 3, .rule_text = "*", .entry = "CMD_*", .versions = "..2.0",
				   .expires_text = "2030-01-01", .reason = "why" };
static const struct suppressed of_line = { &findings[2], &line };

/*
 * Makes the version "1.0" from "1.0:4?": 4 and 5 are sizes of CMD_A, ? is the unseen number of CMD_B, c and d
 * are findings of entries with special names, and e and f are of fields of CMD_C. "-" means that the line above suppressed the finding of
 * CMD_B, and "!" that the version is unavailable.
 */
static struct accept_version version_of(char *word)
{
	struct verify_result *result = arena_array(&arena, 1, sizeof(*result));
	struct verify_finding *found = arena_array(&arena, 2, sizeof(*found));
	static const char list[] = "45?cdef"; /* the marks of the findings */
	char *marks = strrchr(word, ':');
	struct accept_version out = { .version = word, .result = result };

	for (*marks++ = '\0'; *marks; marks++) {
		if (*marks == '!') {
			out.unavailable = true;
		} else if (*marks == '-') {
			out.suppressed = &of_line;
			out.suppressed_count = 1;
		} else {
			assert_non_null(strchr(list, *marks));
			found[result->finding_count] = findings[strchr(list, *marks) - list];
			++*(*marks == '?' ? &result->unseen_count : &result->finding_count);
		}
	}
	result->findings = found;
	return out;
}

static int accept(struct acceptances *got, const char *versions)
{
	struct accept_version list[8];
	size_t count = 0;
	char *word;

	while (*(word = document_word(&versions, &arena)))
		list[count++] = version_of(word);
	return accept_findings(got, list, count, &arena, &err);
}

/* Versions with their findings, and the new lines, each with the messages that it covers. */
static const struct {
	const char *fact, *versions, *lines;
} facts[] = {
	{ "without findings there is no line", "1.0:", "0 unexplained" },
	{ "an unavailable version gets no line, and does not interrupt a range", "1.0:4 1.1:?! 1.2:4",
	  "size CMD_A 1.0..1.2 never todo: a is 4\n"
	  "1 unexplained" },
	{ "consecutive versions are one range, whatever their order", "10.5:4 9.1:5 10.40:4",
	  "size CMD_A 9.1..10.40 never todo: a is 5, a is 4\n"
	  "1 unexplained" },
	{ "a version without the finding ends a range", "1.0:4 2.0:4 3.0: 4.0:4",
	  "size CMD_A 1.0..2.0 never todo: a is 4\n"
	  "size CMD_A 4.0 never todo: a is 4\n"
	  "2 unexplained" },
	{ "an unseen finding has a line", "1.0:4?",
	  "size CMD_A 1.0 never todo: a is 4\n"
	  "number CMD_B 1.0 never todo: b\n"
	  "2 unexplained" },
	{ "a line that suppressed something stays unchanged", "1.0:4-",
	  "* CMD_* ..2.0 2030-01-01 why: b\n"
	  "size CMD_A 1.0 never todo: a is 4\n"
	  "1 unexplained" },
	{ "a line names the fields of its findings, each once", "1.0:e 1.1:f 1.2:e",
	  "as-is CMD_C:list\\[\\].fd,list\\[\\].p 1.0..1.2 never todo: e, f\n"
	  "1 unexplained" },
	{ "the glob for an entry matches only its name", "1.0:c",
	  "caps A\\*\\[b\\]\\\\??? 1.0 never todo: c\n"
	  "1 unexplained" },
};

VERIFY_TEST(new_lines)
{
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(facts); i++) {
		struct strbuf text = { 0 };
		struct acceptances got;

		assert_int_equal(accept(&got, facts[i].versions), 0);
		for (size_t a = 0; a < got.count; a++) {
			const struct acceptance *one = &got.item[a];

			strbuf_addf(&text, "\n%s %s %s %s %s:", one->rule, one->entry, one->versions,
				    one->expires, strcmp(one->reason, ACCEPT_TODO) ? one->reason : "todo");
			for (size_t f = 0; f < one->finding_count; f++)
				strbuf_addf(&text, "%s %s", f ? "," : "", one->findings[f]->message);
		}
		strbuf_addf(&text, "\n%zu unexplained", got.unexplained);
		wrong += text_differs(facts[i].fact, &text, facts[i].lines);
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}

VERIFY_TEST(a_name_that_a_line_cannot_contain_is_refused)
{
	static const struct {
		const char *version, *shown;
	} rows[] = {
		{ "", "" },	    { "*", "*" },	  { "1 0", "1 0" },
		{ "1..2", "1..2" }, { "1\n2", "1\\x0a2" }, { "1\xe2\x80\xae", "1\\u202e" },
	};
	struct acceptances got;

	assert_int_equal(accept(&got, "1.0:d"), ERR_FORMAT);
	assert_string_equal(err.text, "a suppression file cannot have a line for an entry without a name; "
				      "name the entry in the table");
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct accept_version one = version_of(arena_printf(&arena, "%s:4", rows[i].version));

		assert_int_equal(accept_findings(&got, &one, 1, &arena, &err), ERR_FORMAT);
		assert_string_equal(err.text,
				    arena_printf(&arena,
						 "a line of a suppression file cannot contain the version "
						 "'%s'; rename it in the table, or with --version",
						 rows[i].shown));
	}
}
