/* diff/class_words.c - classes as the words of an option or a file */
#include "diff/diff.h"

#include <string.h>

int diff_class_parse(enum diff_class *one, const char *name, struct err *err)
{
	struct strbuf known = { 0 };
	int rc;

	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++) {
		const char *word = diff_class_name((enum diff_class)(1u << bit));

		if (!strcmp(word, name)) {
			*one = (enum diff_class)(1u << bit);
			strbuf_release(&known);
			return 0;
		}
		strbuf_addf(&known, "%s%s", bit ? ", " : "", word);
	}
	rc = err_set(err, ERR_FORMAT, "no class '%s'; the classes are %s", name, strbuf_text(&known));
	strbuf_release(&known);
	return rc;
}

int diff_classes_parse(unsigned *classes, const char *list, struct err *err)
{
	struct strbuf name = { 0 };
	unsigned found = 0;
	int rc = 0;

	while (*list && !rc) {
		size_t length = strcspn(list, ",");
		enum diff_class one = DIFF_TRANSLATION;

		strbuf_reset(&name);
		strbuf_add(&name, list, length);
		rc = diff_class_parse(&one, strbuf_text(&name), err);
		found |= one;
		list += length + (list[length] == ',');
	}
	strbuf_release(&name);
	if (!rc)
		*classes = found;
	return rc;
}
