/* Tests of lines that are broken between words, and of phrases that several renderers use. */
#include "report/fixture_test.h"
#include "report/internal.h"

#define Z10 "0000000000"
#define Z30 Z10 Z10 Z10
#define Z40 Z30 Z10

static const struct report_style narrow = { .columns = 50 }, narrow_colored = { .color = true,
					    .columns = 50 };

/* A row has the text before the line, its indents, up to three pieces, and the output. */
static const struct {
	const char *fact, *before; /* if @before is not NULL, it is continued */
	const struct report_style *style;
	size_t first, indent;
	struct {
		void (*add)(struct wrap *, enum report_ink, size_t spaces); /* NULL: a word */
		size_t spaces;
		const char *text;
	} piece[3];
	const char *is;
} rows[] = {
	{ "words that fit stay in one line", NULL, &plain, 2, 6, { { NULL, 0, "one" }, { NULL, 2, "two" } },
	  "  one  two\n" },
	{ "a word that does not fit begins the next line", NULL, &narrow, 0, 4,
	  { { NULL, 0, Z40 "00000" }, { NULL, 1, "12345" } }, Z40 "00000\n    12345\n" },
	{ "a line can be full to the last column", NULL, &narrow, 0, 4,
	  { { NULL, 0, Z40 "00000" }, { NULL, 1, "1234" } }, Z40 "00000 1234\n" },
	{ "a word longer than a line is not cut", NULL, &narrow, 0, 2,
	  { { NULL, 0, "a" }, { NULL, 1, Z40 Z10 Z10 }, { NULL, 1, "b" } }, "a\n" Z40 Z10 Z10 "\n  b\n" },
	{ "colours have no width", NULL, &narrow_colored, 0, 2,
	  { { NULL, 0, Z40 "00000" }, { NULL, 1, "1234" } },
	  "\033[32m" Z40 "00000\033[0m \033[32m1234\033[0m\n" },
	{ "a character of several bytes is one column", NULL, &narrow, 0, 2,
	  { { NULL, 0, Z40 "0000→" }, { NULL, 1, "1234" } }, Z40 "0000→ 1234\n" },
	{ "control characters are escaped", NULL, &narrow, 0, 2, { { NULL, 0, "a\nb" } }, "a\\x0ab\n" },
	{ "a word too long for the indent starts further left", NULL, &narrow, 0, 20,
	  { { NULL, 0, "long" }, { NULL, 1, Z40 "000000" } }, "long\n    " Z40 "000000\n" },
	{ "a word as long as a line has no indent", NULL, &narrow, 0, 2,
	  { { NULL, 0, "long" }, { NULL, 1, Z40 Z10 } }, "long\n" Z40 Z10 "\n" },
	{ "words can follow text on a line", "first\nab:   ", &narrow, 0, 4, { { NULL, 0, Z40 "00000" } },
	  "first\nab:\n    " Z40 "00000\n" },
	{ "an indent alone does not become an empty line", "    ", &narrow, 0, 6,
	  { { NULL, 0, Z40 Z10 Z10 } }, "    " Z40 Z10 Z10 "\n" },
	{ "colours of text on a line have no width", "\033[1mab\033[0m", &narrow, 0, 4,
	  { { NULL, 1, Z40 "0000000" } }, "\033[1mab\033[0m " Z40 "0000000\n" },
	{ "each word of a sentence can begin a line", NULL, &narrow, 0, 2,
	  { { wrap_words, 0, Z40 "000000  a 12345" } }, Z40 "000000 a\n  12345\n" },
	{ "phrases are broken after a comma", NULL, &narrow, 0, 2,
	  { { NULL, 0, Z30 }, { wrap_phrases, 1, "4 translation, 64 layout" } },
	  Z30 " 4 translation,\n  64 layout\n" },
	{ "clauses that fit into the next line stay together", NULL, &narrow, 0, 2,
	  { { NULL, 0, Z30 }, { wrap_clauses, 2, "(was NvU32, 4 -> 8 bytes)" } },
	  Z30 "\n  (was NvU32, 4 -> 8 bytes)\n" },
	{ "longer clauses are broken after a comma", NULL, &narrow, 0, 2,
	  { { wrap_clauses, 0, "(was A_TYPE_WITH_SOMEWHAT_OF_A_NAME[36], 1440 -> 1640 bytes)" } },
	  "(was A_TYPE_WITH_SOMEWHAT_OF_A_NAME[36],\n  1440 -> 1640 bytes)\n" },
};

static void lines_are_broken_between_words(void **state)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wrap wrap;

		fact = rows[i].fact;
		strbuf_reset(&out);
		if (rows[i].before) {
			strbuf_adds(&out, rows[i].before);
			wrap_continue(&wrap, &out, rows[i].style, rows[i].indent);
		} else {
			wrap_begin(&wrap, &out, rows[i].style, rows[i].first, rows[i].indent);
		}
		for (size_t p = 0; p < COUNT(rows[i].piece) && rows[i].piece[p].text; p++)
			if (rows[i].piece[p].add) {
				strbuf_adds(&wrap.words, rows[i].piece[p].text);
				rows[i].piece[p].add(&wrap, INK_NONE, rows[i].piece[p].spaces);
			} else {
				wrap_word(&wrap, INK_ADDED, rows[i].piece[p].spaces, "%s",
					  rows[i].piece[p].text);
			}
		wrap_end(&wrap);
		assert_rendered(rows[i].is);
	}
}

static void a_tiny_width_of_the_terminal_is_ignored(void **state)
{
	assert_int_equal(wrap_columns(&(struct report_style){ .columns = 1 }), 40);
	assert_int_equal(wrap_columns(&plain), 80);
}

static void an_offset_is_in_bytes_or_in_byte_and_bit(void **state)
{
	char bits[32];

	assert_string_equal(report_bits(96, false, bits), "12");
	assert_string_equal(report_bits(99, false, bits), "12:3");
	assert_string_equal(report_bits(96, true, bits), "12:0");
}

static void classes_and_notes_are_words(void **state)
{
	static const struct diff_field_side was = {
		.path = "fd", .type = "NvS32", .size_bits = 32, .role = ABI_ROLE_FD
	};
	static const struct diff_field field = {
		.renamed = true, .moved = true, .before = &was, .after = &flags_side
	};

	report_classes(&out, DIFF_GROWTH | DIFF_TRANSLATION);
	strbuf_adds(&out, "\n");
	report_field_note(&out, &field);
	strbuf_adds(&out, "\n");
	report_ink(&out, &plain, INK_ALARM, "%s", "a"); /* without colours, there is no escape sequence */
	assert_rendered("translation, growth\nrenamed from fd, moved from 0, was NvS32, no longer a fd\na");
}

static void a_run_ends_where_the_distance_changes(void **state)
{
	static const struct diff_field_side at_0 = SIDE("a", "NvU32", 0, 4), at_4 = SIDE("a", "NvU32", 4, 4),
					    at_12 = SIDE("b", "NvU32", 12, 4);
	static const struct diff_field by_4 = { .moved = true, .before = &at_0, .after = &at_4 };
	static const struct diff_field by_8 = { .moved = true, .before = &at_4, .after = &at_12 };
	const struct diff_field fields[] = { by_4, by_4, by_8 };

	assert_int_equal(report_field_run(fields, COUNT(fields)), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lines_are_broken_between_words),
		TEST(a_tiny_width_of_the_terminal_is_ignored),
		TEST(an_offset_is_in_bytes_or_in_byte_and_bit),
		TEST(classes_and_notes_are_words),
		TEST(a_run_ends_where_the_distance_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
