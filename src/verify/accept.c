/*
 * How findings become lines:
 *
 * 1. The versions of the run are ranked: 0 for the oldest, the next higher
 *    number for the next newer one, as ranges of a line compare them.
 * 2. Every finding of every version becomes an item. They are sorted by the
 *    line that suppressed them, if one did, then by entry, rule and rank.
 * 3. Items of one line become that line again. Of the others, those of one
 *    entry and rule become a line for each run of ranks without a gap.
 */
#include "verify/accept.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* One finding at one version. */
struct item {
	const struct suppression *by; /* NULL: no line suppressed it */
	const struct verify_finding *finding;
	const char *version;
	size_t rank;
};

struct items {
	struct item *item;
	size_t count;
	struct arena *arena;
};

static size_t rank_of(const char *version, const struct accept_version *versions, size_t count)
{
	size_t rank = 0;

	for (size_t i = 0; i < count; i++) {
		bool counts = !versions[i].unavailable && abi_version_compare(versions[i].version, version) < 0;

		for (size_t j = 0; j < i && counts; j++)
			counts = abi_version_compare(versions[j].version, versions[i].version) != 0;
		rank += counts;
	}
	return rank;
}

static void add_list(struct items *items, struct item like, const struct verify_finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		like.finding = &findings[i];
		items->item[items->count++] = like;
	}
}

static void add_version(struct items *items, const struct accept_version *version, size_t rank)
{
	struct item like = { .version = version->version, .rank = rank };

	if (!version->unavailable) {
		add_list(items, like, version->result->findings, version->result->finding_count);
		add_list(items, like, version->result->unseen, version->result->unseen_count);
	}
	for (size_t i = 0; i < version->suppressed_count; i++) {
		like.by = version->suppressed[i].by;
		add_list(items, like, version->suppressed[i].finding, 1);
	}
}

static void collect(struct items *items, const struct accept_version *versions, size_t count)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += versions[i].result->finding_count + versions[i].result->unseen_count + versions[i].suppressed_count;
	items->item = arena_array(items->arena, total + 1, sizeof(*items->item));
	for (size_t i = 0; i < count; i++)
		add_version(items, &versions[i], rank_of(versions[i].version, versions, count));
}

/* Items of the same line, before anything else. */
static int compare_lines(const struct item *x, const struct item *y)
{
	int order;

	if (x->by || y->by)
		return x->by == y->by ? 0 : !x->by ? 1 : !y->by ? -1 : x->by->line < y->by->line ? -1 : 1;
	order = strcmp(x->finding->entry, y->finding->entry);
	return order ? order : (int)x->finding->rule - (int)y->finding->rule;
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = compare_lines(x, y);

	if (order)
		return order;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if ((order = strcmp(x->finding->family, y->finding->family)) || (order = strcmp(x->finding->entry, y->finding->entry)))
		return order;
	if (x->finding->driver.offset_bytes != y->finding->driver.offset_bytes)
		return x->finding->driver.offset_bytes < y->finding->driver.offset_bytes ? -1 : 1;
	return strcmp(x->finding->message, y->finding->message);
}

/* How many items from @first on are one line. */
static size_t length_of_line(const struct item *first, size_t count)
{
	size_t length = 1;

	while (length < count && !compare_lines(first, &first[length]) && (first->by || first[length].rank <= first[length - 1].rank + 1))
		length++;
	return length;
}

static bool same_sentence(const struct verify_finding *a, const struct verify_finding *b)
{
	return !strcmp(a->family, b->family) && !strcmp(a->entry, b->entry) && !strcmp(a->message, b->message);
}

static void collect_sentences(struct acceptance *out, const struct item *first, size_t length, struct arena *arena)
{
	const struct verify_finding **findings = arena_array(arena, length, sizeof(*findings));
	size_t count = 0;

	for (size_t i = 0; i < length; i++) {
		size_t same = 0;

		while (same < count && !same_sentence(findings[same], first[i].finding))
			same++;
		if (same == count)
			findings[count++] = first[i].finding;
	}
	out->findings = findings;
	out->finding_count = count;
}

/* A word of a line as its reader splits them. */
static bool is_word(const char *text)
{
	for (const char *at = text; *at; at++)
		if (!isgraph((unsigned char)*at))
			return false;
	return *text;
}

static int version_word(const char **out, const char *version, struct err *err)
{
	if (!is_word(version) || strstr(version, "..") || !strcmp(version, "*"))
		return err_set(err, ERR_FORMAT, "no line of a suppression file can hold the version '%s'; rename it in the table, or with --version",
			       version);
	*out = version;
	return 0;
}

static int versions_word(const char **out, const struct item *first, const struct item *last, struct arena *arena, struct err *err)
{
	const char *from, *to;
	int rc;

	if ((rc = version_word(&from, first->version, err)) || (rc = version_word(&to, last->version, err)))
		return rc;
	*out = first->rank == last->rank ? from : arena_printf(arena, "%s..%s", from, to);
	return 0;
}

/* @text as a word, '?' in place of bytes that no word has, and a backslash before each of @special. */
static const char *glob_of(const char *text, const char *special, struct arena *arena)
{
	struct strbuf glob = { 0 };
	const char *copy;

	for (; *text; text++) {
		if (strchr(special, *text))
			strbuf_addch(&glob, '\\');
		strbuf_addch(&glob, isgraph((unsigned char)*text) ? *text : '?');
	}
	copy = arena_strdup(arena, strbuf_text(&glob));
	strbuf_release(&glob);
	return copy;
}

/* A line that there was. Its rule and day are known words. */
static int copy_line(struct acceptance *out, const struct suppression *by, struct arena *arena, struct err *err)
{
	if (!is_word(by->versions))
		return err_set(err, ERR_FORMAT, "line %u of the suppression file names versions of unprintable text; write them again", by->line);
	out->rule = by->rule_text;
	out->entry = glob_of(by->entry, "", arena);
	out->versions = by->versions;
	out->expires = by->expires_text;
	out->reason = by->reason;
	return 0;
}

static int line_of(struct acceptance *out, const struct item *first, size_t length, struct arena *arena, struct err *err)
{
	const struct suppression *by = first->by;

	collect_sentences(out, first, length, arena);
	if (by)
		return copy_line(out, by, arena, err);
	if (!*first->finding->entry)
		return err_set(err, ERR_FORMAT, "no line of a suppression file can hold an entry without a name; name it in the table");
	out->rule = verify_rule_name(first->finding->rule);
	out->entry = glob_of(first->finding->entry, "*?[]\\", arena);
	out->expires = "never";
	out->reason = ACCEPT_TODO;
	return versions_word(&out->versions, first, &first[length - 1], arena, err);
}

int accept_findings(struct acceptances *out, const struct accept_version *versions, size_t count, struct arena *arena, struct err *err)
{
	struct items items = { .arena = arena };
	struct acceptances lines = { 0 };
	struct acceptance *line;
	size_t length;
	int rc;

	collect(&items, versions, count);
	qsort(items.item, items.count, sizeof(*items.item), compare_items);
	lines.item = line = arena_array(arena, items.count + 1, sizeof(*line));
	for (size_t i = 0; i < items.count; i += length) {
		length = length_of_line(&items.item[i], items.count - i);
		if ((rc = line_of(&line[lines.count++], &items.item[i], length, arena, err)))
			return rc;
		lines.unexplained += items.item[i].by ? items.item[i].by->unexplained : true;
	}
	*out = lines;
	return 0;
}
