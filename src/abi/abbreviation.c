#include "abi/abbreviation.h"

#include <string.h>

enum { CANDIDATES_SHOWN = 8 };

bool abi_version_begins(const char *version, const char *word)
{
	size_t length = strlen(word);

	return length && !strncmp(version, word, length) && (!version[length] || version[length] == '.');
}

struct abi_version_run abi_version_run(const char *word, const char *const *names, size_t count)
{
	struct abi_version_run run = { 0, 0 };

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(names[i], word))
			return (struct abi_version_run){ i, 1 };
		if (!abi_version_begins(names[i], word))
			continue;
		if (!run.count)
			run.first = i;
		run.count = i - run.first + 1;
	}
	return run;
}

int abi_version_ambiguous(const char *word, const char *const *names, struct abi_version_run run, struct err *err)
{
	size_t shown = run.count <= CANDIDATES_SHOWN + 1 ? run.count : CANDIDATES_SHOWN;
	struct strbuf list = { 0 };
	int rc;

	for (size_t i = 0; i < shown; i++)
		strbuf_addf(&list, "%s%s", i ? ", " : "", names[run.first + i]);
	if (shown < run.count)
		strbuf_addf(&list, " and %zu more up to %s", run.count - shown, names[run.first + run.count - 1]);
	rc = err_set(err, ERR_NOT_FOUND, "%s is the beginning of %zu versions: %s; give one of them", word, run.count, strbuf_text(&list));
	strbuf_release(&list);
	return rc;
}
