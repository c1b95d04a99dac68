#include "verify/suppress.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next word of a line; *at moves behind it. NULL at the end. */
static char *next_word(char **at, struct arena *arena)
{
	char *start;

	while (isspace((unsigned char)**at))
		(*at)++;
	if (!**at)
		return NULL;
	start = *at;
	while (**at && !isspace((unsigned char)**at))
		(*at)++;
	return arena_strndup(arena, start, (size_t)(*at - start));
}

static int parse_day(unsigned *out, const char *word, struct err *err)
{
	unsigned year, month, day;
	int used = 0;

	if (!strcmp(word, "never")) {
		*out = 0;
		return 0;
	}
	if (sscanf(word, "%4u-%2u-%2u%n", &year, &month, &day, &used) != 3 || word[used] || used != 10 || !month || month > 12 ||
	    !day || day > 31)
		return err_set(err, ERR_FORMAT, "'%s' is no day; write YYYY-MM-DD, or never", word);
	*out = year * 10000 + month * 100 + day;
	return 0;
}

static void parse_range(struct suppression *out, const char *word, struct arena *arena)
{
	const char *dots = strstr(word, "..");

	out->first = out->last = "";
	if (!strcmp(word, "*"))
		return;
	out->first = dots ? arena_strndup(arena, word, (size_t)(dots - word)) : word;
	out->last = dots ? dots + 2 : word;
}

static int parse_line(struct suppression *out, char *line, struct arena *arena, struct err *err)
{
	char *rule = next_word(&line, arena), *entry = next_word(&line, arena), *versions = next_word(&line, arena),
	     *expires = next_word(&line, arena);
	int rc;

	while (isspace((unsigned char)*line))
		line++;
	if (!expires || !*line)
		return err_set(err, ERR_FORMAT, "a line is RULE ENTRY VERSIONS EXPIRES REASON; this one has no %s",
			       !entry ? "entry" : !versions ? "versions" : !expires ? "expiry" : "reason");
	out->any_rule = !strcmp(rule, "*");
	if (!out->any_rule && (rc = verify_rule_parse(&out->rule, rule, err)))
		return rc;
	if ((rc = parse_day(&out->expires, expires, err)))
		return rc;
	out->entry = entry;
	out->reason = line;
	parse_range(out, versions, arena);
	return 0;
}

int suppressions_parse(struct suppressions *out, const char *text, const char *path, unsigned today, struct arena *arena,
		       struct err *err)
{
	struct suppression *items = NULL;
	size_t count = 0, capacity = 0;
	unsigned number = 0;
	int rc = 0;

	while (*text && !rc) {
		size_t length = strcspn(text, "\n");
		struct suppression item = { .line = ++number };
		char *line = arena_strndup(arena, text, length);

		text += length + (text[length] == '\n');
		while (isspace((unsigned char)*line))
			line++;
		if (!*line || *line == '#')
			continue;
		rc = parse_line(&item, line, arena, err);
		if (rc)
			err_prefix(err, "%s:%u", path, number);
		item.expired = item.expires && item.expires < today;
		ARRAY_GROW(items, count, capacity);
		items[count++] = item;
	}
	if (!rc)
		*out = (struct suppressions){ path, arena_memdup(arena, items, count * sizeof(*items)), count };
	free(items);
	return rc;
}

static bool in_range(const struct suppression *item, const char *version)
{
	return (!*item->first || abi_version_compare(item->first, version) <= 0) &&
	       (!*item->last || abi_version_compare(version, item->last) <= 0);
}

static bool takes(const struct suppression *item, const struct verify_finding *finding, const char *version)
{
	return !item->expired && (item->any_rule || item->rule == finding->rule) && !fnmatch(item->entry, finding->entry, 0) &&
	       in_range(item, version);
}

size_t suppressions_apply(struct verify_result *result, struct suppressions *suppressions, const char *version,
			  struct arena *arena)
{
	struct verify_finding *left = arena_array(arena, result->finding_count + 1, sizeof(*left));
	size_t count = 0, taken;

	for (size_t i = 0; i < result->finding_count; i++) {
		struct suppression *by = NULL;

		for (size_t s = 0; s < suppressions->count && !by; s++)
			if (takes(&suppressions->item[s], &result->findings[i], version))
				by = &suppressions->item[s];
		if (by)
			by->used++;
		else
			left[count++] = result->findings[i];
	}
	taken = result->finding_count - count;
	result->findings = left;
	result->finding_count = count;
	return taken;
}
