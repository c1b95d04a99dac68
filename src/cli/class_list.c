#include "cli/class_list.h"

#include <string.h>

/* The class that @word, @length bytes, names; 0: none. */
static unsigned class_of(const char *word, size_t length)
{
	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++) {
		const char *name = diff_class_name((enum diff_class)(1u << bit));

		if (strlen(name) == length && !strncmp(name, word, length))
			return 1u << bit;
	}
	return 0;
}

static int no_class(int code, const char *word, size_t length, struct err *err)
{
	struct strbuf all = { 0 };
	int rc;

	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++)
		strbuf_addf(&all, "%s%s", bit ? ", " : "", diff_class_name((enum diff_class)(1u << bit)));
	rc = err_set(err, code, "'%.*s' is no class of changes; there are %s", (int)length, word, strbuf_text(&all));
	strbuf_release(&all);
	return rc;
}

int class_list_word(unsigned *out, const char *word, struct err *err)
{
	unsigned one = class_of(word, strlen(word));

	if (!one)
		return no_class(ERR_FORMAT, word, strlen(word), err);
	*out = one;
	return 0;
}

/* Behind the option's name, which the caller's sentence has. */
static int read_list(unsigned *out, const char *text, struct err *err)
{
	unsigned classes = 0;

	while (text && *text) {
		size_t length = strcspn(text, ",");
		unsigned one = class_of(text, length);

		if (!one)
			return no_class(ERR_USAGE, text, length, err);
		classes |= one;
		text += length;
		if (*text == ',' && !*++text) /* a comma promises one more */
			return no_class(ERR_USAGE, "", 0, err);
	}
	*out = classes;
	return 0;
}

int class_list_read(unsigned *out, const char *text, struct err *err)
{
	return class_list_read_as(out, "--class", text, err);
}

int class_list_read_as(unsigned *out, const char *option, const char *text, struct err *err)
{
	int rc = read_list(out, text, err);

	if (rc)
		err_prefix(err, "%s", option);
	return rc;
}
