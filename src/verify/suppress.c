/*
 * verify/suppress.c - the lines of a suppression file, and what they cover
 *
 * 1. suppressions_parse() reads the lines; those whose day has passed are
 *    expired and cover nothing.
 * 2. suppressions_apply(), for each version: every finding that a line covers
 *    (rule, entry, version) goes to the list of what is suppressed. The first
 *    such line counts it.
 * 3. suppressions_try(), at the end: a line that counted nothing is unused,
 *    or untried if no version that it is for was compared.
 */
#include "verify/suppress.h"

#include <ctype.h>
#include <fnmatch.h>
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

static bool is_day(unsigned year, unsigned month, unsigned day)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (leap && month == 2 ? 1u : 0u);
}

static int parse_day(unsigned *out, const char *word, struct err *err)
{
	static const char form[] = "dddd-dd-dd";
	unsigned year, month, day;

	if (!strcmp(word, "never")) {
		*out = 0;
		return 0;
	}
	for (size_t i = 0; i < sizeof(form); i++)
		if (form[i] == 'd' ? !isdigit((unsigned char)word[i]) : word[i] != form[i])
			return err_set(err, ERR_FORMAT, "'%s' is no day; write YYYY-MM-DD, or never", word);
	year = (unsigned)strtoul(word, NULL, 10);
	month = (unsigned)strtoul(word + 5, NULL, 10);
	day = (unsigned)strtoul(word + 8, NULL, 10);
	if (!is_day(year, month, day))
		return err_set(err, ERR_FORMAT, "there is no day %s", word);
	*out = year * 10000 + month * 100 + day;
	return 0;
}

static int parse_range(struct suppression *out, const char *word, struct arena *arena, struct err *err)
{
	const char *dots = strstr(word, "..");

	out->first = out->last = "";
	if (!strcmp(word, "*"))
		return 0;
	out->first = dots ? arena_strndup(arena, word, (size_t)(dots - word)) : word;
	out->last = dots ? dots + 2 : word;
	if (*out->first && *out->last && abi_version_compare(out->first, out->last) > 0)
		return err_set(err, ERR_FORMAT, "the range %s ends before it begins", word);
	return 0;
}

static int rule_word(unsigned *word, const char *text, struct err *err)
{
	enum verify_rule rule = VERIFY_NUMBER;
	int rc = verify_rule_parse(&rule, text, err);

	if (!rc)
		*word = rule;
	return rc;
}

static int parse_line(struct suppression *out, char *line, suppress_word word, struct arena *arena, struct err *err)
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
	if ((!out->any_rule && (rc = word(&out->rule, rule, err))) ||
	    (rc = parse_day(&out->expires, expires, err)) ||
	    (rc = parse_range(out, versions, arena, err)))
		return rc;
	out->rule_text = rule;
	out->entry = entry;
	out->versions = versions;
	out->expires_text = expires;
	out->reason = line;
	out->unexplained = !strncmp(line, "TODO", 4) && !isalnum((unsigned char)line[4]);
	return 0;
}

static char *trimmed(const char *line, size_t length, struct arena *arena)
{
	while (length && isspace((unsigned char)line[length - 1]))
		length--;
	while (length && isspace((unsigned char)*line)) {
		line++;
		length--;
	}
	return arena_strndup(arena, line, length);
}

/* A version that nobody checked is accepted by its name, and for a time. */
static int check_lacking(const struct suppression *item, const char *path, struct err *err)
{
	if (!*item->first || !*item->last)
		return err_set(err, ERR_FORMAT, "%s:%u: '%s' does not say which unavailable versions are accepted; name one, or FIRST..LAST",
			       path, item->line, item->versions);
	if (!item->expires)
		return err_set(err, ERR_FORMAT, "%s:%u: an unavailable version cannot be accepted for ever; write a day in place of never",
			       path, item->line);
	return 0;
}

int suppressions_parse(struct suppressions *out, const char *text, const char *path, unsigned today, struct arena *arena,
		       struct err *err)
{
	int rc = suppressions_parse_words(out, text, path, today, rule_word, arena, err);

	for (size_t i = 0; !rc && i < out->count; i++)
		if (!out->item[i].any_rule && out->item[i].rule == VERIFY_LACKING)
			rc = check_lacking(&out->item[i], path, err);
	return rc;
}

int suppressions_parse_words(struct suppressions *out, const char *text, const char *path, unsigned today, suppress_word word,
			     struct arena *arena, struct err *err)
{
	struct suppression *items = NULL;
	size_t count = 0, capacity = 0;
	unsigned number = 0;
	int rc = 0;

	while (*text && !rc) {
		size_t length = strcspn(text, "\n");
		struct suppression item = { .line = ++number };
		char *line = trimmed(text, length, arena);

		text += length + (text[length] == '\n');
		if (!*line || *line == '#')
			continue;
		rc = parse_line(&item, line, word, arena, err);
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

static bool covers(const struct suppression *item, unsigned rule, const char *entry, const char *version)
{
	return !item->expired && (item->any_rule || item->rule == rule) && !fnmatch(item->entry, entry, 0) && in_range(item, version);
}

static bool is_tried(const struct suppression *item, const struct table *table, const char *const *compared, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (in_range(item, compared[i]))
			return true;
	for (size_t i = 0; table && i < table->node_count; i++)
		if (in_range(item, table->nodes[i].version))
			return false;
	return table;
}

void suppressions_try(struct suppressions *suppressions, const struct table *table, const char *const *compared, size_t count)
{
	for (size_t i = 0; i < suppressions->count; i++) {
		struct suppression *item = &suppressions->item[i];

		item->untried = !item->used && !item->expired && !is_tried(item, table, compared, count);
	}
}

struct suppression *suppressions_find(const struct suppressions *suppressions, unsigned rule, const char *entry, const char *version)
{
	for (size_t i = 0; i < suppressions->count; i++)
		if (covers(&suppressions->item[i], rule, entry, version))
			return &suppressions->item[i];
	return NULL;
}

/* '*' is every rule but that of unavailable versions: these must be meant. */
static struct suppression *find_for_finding(const struct suppressions *suppressions, const struct verify_finding *finding, const char *version)
{
	for (size_t i = 0; i < suppressions->count; i++)
		if (covers(&suppressions->item[i], finding->rule, finding->entry, version) &&
		    !(finding->rule == VERIFY_LACKING && suppressions->item[i].any_rule))
			return &suppressions->item[i];
	return NULL;
}

/* Moves the covered findings of a list to the end of @gone. */
static void apply_to(const struct verify_finding **list, size_t *count, struct suppressed *gone, size_t *gone_count,
		     struct suppressions *suppressions, const char *version, struct arena *arena)
{
	struct verify_finding *left = arena_array(arena, *count + 1, sizeof(*left));
	size_t left_count = 0;

	for (size_t i = 0; i < *count; i++) {
		struct suppression *by = find_for_finding(suppressions, &(*list)[i], version);

		if (by) {
			by->used++;
			gone[(*gone_count)++] = (struct suppressed){ &(*list)[i], by };
		} else {
			left[left_count++] = (*list)[i];
		}
	}
	*list = left;
	*count = left_count;
}

size_t suppressions_apply(const struct suppressed **suppressed, struct verify_result *result, struct suppressions *suppressions,
			  const char *version, struct arena *arena)
{
	struct suppressed *gone = arena_array(arena, result->finding_count + result->unseen_count + 1, sizeof(*gone));
	size_t gone_count = 0;

	apply_to(&result->findings, &result->finding_count, gone, &gone_count, suppressions, version, arena);
	apply_to(&result->unseen, &result->unseen_count, gone, &gone_count, suppressions, version, arena);
	*suppressed = gone;
	return gone_count;
}
