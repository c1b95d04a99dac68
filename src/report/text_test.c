/* Tests of lines that are broken between words, and of phrases that several renderers use. */
#include "report/fixture_test.h"
#include "report/internal.h"

#define Z10 "0000000000"
#define Z30 Z10 Z10 Z10
#define Z40 Z30 Z10

static const struct report_style narrow = { .columns = 50 }, narrow_colored = { .color = true,
				    .columns = 50 }, tiny = { .columns = 1 };

/* A row has the indent of all lines but the first, the words with their marks, and the output. */
static const struct {
	const char *fact;
	const struct report_style *style;
	size_t indent;
	const char *words, *is;
} rows[] = {
	{ "words that fit stay in one line", &plain, 6, "  one  two", "  one  two\n" },
	{ "a word that does not fit begins the next line", &narrow, 4, Z40 "00000 12345",
	  Z40 "00000\n    12345\n" },
	{ "a line can be full to the last column", &narrow, 4, Z40 "00000 1234", Z40 "00000 1234\n" },
	{ "without a terminal, a line has 80 columns", &plain, 4, Z40 Z30 "00000 1234",
	  Z40 Z30 "00000 1234\n" },
	{ "a tiny width of the terminal is ignored", &tiny, 4, Z30 "00000 1234", Z30 "00000 1234\n" },
	{ "a word longer than a line is not cut", &narrow, 2, "a " Z40 Z10 Z10 " b",
	  "a\n" Z40 Z10 Z10 "\n  b\n" },
	{ "colours have no width", &narrow_colored, 2, ADDED(Z40 "00000") " " ADDED("1234"),
	  "\033[32m" Z40 "00000\033[0m \033[32m1234\033[0m\n" },
	{ "a character of several bytes is one column", &narrow, 2, Z40 "0000→ 1234", Z40 "0000→ 1234\n" },
	{ "a word too long for the indent starts further left", &narrow, 20, "long " Z40 "000000",
	  "long\n    " Z40 "000000\n" },
	{ "a word as long as a line has no indent", &narrow, 2, "long " Z40 Z10, "long\n" Z40 Z10 "\n" },
	{ "an indent alone does not become an empty line", &narrow, 6, "    " Z40 Z10 Z10,
	  "    " Z40 Z10 Z10 "\n" },
	{ "there are no spaces at the end of a line", &narrow, 2, PLAIN("a  ") "  " Z40 "0000000",
	  "a\n  " Z40 "0000000\n" },
	{ "a mark without words has no spaces before it", &narrow, 2, Z40 " " DIM("") " " "00000" DIM("") "000",
	  Z40 " 00000000\n" },
	{ "the colour of a broken mark ends before the line, and begins again", &narrow_colored, 2,
	  DIM(Z30 " " Z30), "\033[2m" Z30 "\033[0m\n  \033[2m" Z30 "\033[0m\n" },
	{ "a no-break space does not end a word", &narrow, 2, Z40 " 4" NBSP "translation",
	  Z40 "\n  4 translation\n" },
	{ "the words of a mark that fit into the next line stay together", &narrow, 2,
	  Z30 "  " PLAIN("(was NvU32, 4 -> 8 bytes)"), Z30 "\n  (was NvU32, 4 -> 8 bytes)\n" },
	{ "longer words of a mark are broken after a comma", &narrow, 2,
	  PLAIN("(was A_TYPE_WITH_SOMEWHAT_OF_A_NAME[36], 1440 -> 1640 bytes)"),
	  "(was A_TYPE_WITH_SOMEWHAT_OF_A_NAME[36],\n  1440 -> 1640 bytes)\n" },
};

REPORT_TEST(lines_are_broken_between_words)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		fact = rows[i].fact;
		strbuf_reset(&out);
		text_write(&out, rows[i].style, INK_NONE, "", rows[i].indent, rows[i].words);
		assert_rendered(rows[i].is);
	}
	strbuf_reset(&out);
	text_line(&out, &narrow, 2, "%s", "a\nb");
	assert_rendered("a\\x0ab\n"); /* control characters are escaped */
}

REPORT_TEST(a_mark_with_many_words_is_not_measured_again_for_each)
{
	struct strbuf words = { 0 };

	for (int i = 0; i < 200000; i++)
		strbuf_adds(&words, i ? " a" : "a");
	strbuf_reset(&out);
	text_line(&out, &narrow, 0, DIM("%s"), words.text);
	assert_int_equal(out.length, 200000 * strlen("a "));
	strbuf_release(&words);
}

REPORT_TEST(an_offset_is_in_bytes_or_in_byte_and_bit)
{
	char bits[32];

	assert_string_equal(report_bits(96, false, bits), "12");
	assert_string_equal(report_bits(99, false, bits), "12:3");
	assert_string_equal(report_bits(96, true, bits), "12:0");
}

REPORT_TEST(classes_and_notes_are_words)
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

REPORT_TEST(a_run_ends_where_the_distance_changes)
{
	static const struct diff_field_side at_0 = SIDE("a", "NvU32", 0, 4), at_4 = SIDE("a", "NvU32", 4, 4),
					    at_12 = SIDE("b", "NvU32", 12, 4);
	static const struct diff_field by_4 = { .moved = true, .before = &at_0, .after = &at_4 };
	static const struct diff_field by_8 = { .moved = true, .before = &at_4, .after = &at_12 };
	const struct diff_field fields[] = { by_4, by_4, by_8 };

	assert_int_equal(report_field_run(fields, COUNT(fields)), 2);
}
