/* abi/fixture_test.h - an arena, and walks over texts that a reader of JSON reads or refuses */
#ifndef ABI_FIXTURE_TEST_H
#define ABI_FIXTURE_TEST_H

#include "abi/document_test.h"

#define ROLES "pointer, fd, handle, pid, status, size, count or kernel-pointer"

/* Holds everything that the tests of a program read. */
static struct arena arena;

static inline int release_arena(void **state)
{
	arena_release(&arena);
	return 0;
}

/* Returns @text, or "-" for NULL. */
static inline const char *or_dash(const char *text)
{
	return text ? text : "-";
}

/* Returns "A,B,C", or "-" if there are no words. */
static inline const char *join(const char *const *words, size_t count)
{
	const char *all = count ? words[0] : "-";

	for (size_t i = 1; i < count; i++)
		all = arena_printf(&arena, "%s,%s", all, words[i]);
	return all;
}

/* A text with ' for ", and the lines that @add writes about what was read. */
struct read_text {
	const char *fact, *text, *lines;
};

static inline void check_read(const struct read_text *rows, size_t count,
			      int (*read)(const char *text, struct err *err), void (*add)(struct strbuf *out))
{
	bool differs = false;

	for (size_t i = 0; i < count; i++) {
		struct strbuf lines = { 0 };
		struct err err = { "" };

		if (read(json_text(rows[i].text, &arena), &err))
			fail_msg("%s: %s", rows[i].fact, err.text);
		add(&lines);
		differs |= text_differs(rows[i].fact, &lines, rows[i].lines);
	}
	assert_false(differs);
}

/* A text and the reader's sentence about it without the "x: " at its start, both with ' for ". */
struct refused_text {
	const char *text;
	const char *sentence; /* NULL if the text is not refused, unlike those in the rows above */
};

/*
 * check_refused - check that each text is an ERR_FORMAT with the sentence
 * @read: reads a text that is named "x", and checks that a failure leaves the output untouched
 */
static inline void check_refused(const struct refused_text *rows, size_t count,
				 int (*read)(const char *text, struct err *err))
{
	bool differs = false;

	for (size_t i = 0; i < count; i++) {
		const char *text = json_text(rows[i].text, &arena), *expected = "0 ";
		struct err err = { "" };
		struct strbuf got = { 0 };

		if (rows[i].sentence)
			expected = arena_printf(&arena, "%d x: %s", ERR_FORMAT,
						json_text(rows[i].sentence, &arena));
		strbuf_addf(&got, "%d ", read(text, &err));
		strbuf_adds(&got, err.text);
		differs |= text_differs(text, &got, expected);
	}
	assert_false(differs);
}

#endif
