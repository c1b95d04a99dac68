#include "cli/role_list.h"

#include <string.h>

/* The bit of the role that @word, @length bytes, names; 0: none. */
static unsigned role_of(const char *word, size_t length)
{
	for (unsigned role = ABI_ROLE_NONE + 1; role <= ABI_ROLE_LAST; role++) {
		const char *name = abi_role_name((enum abi_role)role);

		if (strlen(name) == length && !strncmp(name, word, length))
			return 1u << role;
	}
	return 0;
}

static int no_role(const char *word, size_t length, struct err *err)
{
	struct strbuf all = { 0 };
	int rc;

	for (unsigned role = ABI_ROLE_NONE + 1; role <= ABI_ROLE_LAST; role++)
		strbuf_addf(&all, "%s%s", all.length ? ", " : "", abi_role_name((enum abi_role)role));
	rc = err_set(err, ERR_USAGE, "--role: '%.*s' is no role of fields; there are %s", (int)length, word, strbuf_text(&all));
	strbuf_release(&all);
	return rc;
}

int role_list_read(unsigned *out, const char *text, struct err *err)
{
	unsigned roles = 0;

	while (text && *text) {
		size_t length = strcspn(text, ",");
		unsigned one = role_of(text, length);

		if (!one)
			return no_role(text, length, err);
		roles |= one;
		text += length;
		if (*text == ',' && !*++text) /* a comma promises one more */
			return no_role("", 0, err);
	}
	*out = roles;
	return 0;
}
